//! What a network is, in figures.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::NetworkFile;
use super::blocks::{add_cost, attends, describe};
use super::model::{Activation, Conv, MatMul, Model, PassHead, TipNorm};

/// How a network's trunk is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Family {
    /// Convolutions only; the board's size and shape are free, and edges may wrap.
    Convolutional,
    /// Attention somewhere; places have coordinates, so edges cannot wrap.
    Transformer,
}

/// A description of a network for people and programs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkInfo {
    /// Name inside the file.
    pub name: String,
    /// Model version.
    pub version: u32,
    /// SHA-256 of the stored file.
    pub sha256: String,
    /// Size of the stored file.
    pub stored_bytes: f64,
    /// How the trunk is built.
    pub family: Family,
    /// Blocks of the trunk, by kind.
    pub blocks: String,
    /// Channels of the trunk.
    pub channels: usize,
    /// Activation at the trunk's end.
    pub activation: &'static str,
    /// Policy logits a point.
    pub policy_outputs: usize,
    /// Whether it wants a player profile.
    pub human_style: bool,
    /// Numbers learned.
    pub parameters: f64,
    /// Of these, how many are subnormal in the file and read as zero.
    pub subnormal_weights: f64,
    /// Multiply-adds of one evaluation on a 19x19 board.
    pub multiply_adds_19x19: f64,
    /// Oddities of the file.
    pub warnings: Vec<String>,
}

impl NetworkInfo {
    pub(super) fn new(file: &NetworkFile) -> Self {
        let model = &file.model;
        Self {
            name: model.name.clone(),
            version: model.version,
            sha256: file.sha256.clone(),
            stored_bytes: file.stored_bytes as f64,
            family: model.family(),
            blocks: describe(&model.trunk.blocks),
            channels: model.trunk.channels,
            activation: match model.trunk.tip.activation {
                Activation::Identity => "identity",
                Activation::Relu => "relu",
                Activation::Mish => "mish",
                Activation::Silu => "silu",
            },
            policy_outputs: model.policy.outputs,
            human_style: model.trunk.meta.is_some(),
            parameters: model.cost(0).parameters as f64,
            subnormal_weights: file.subnormal_weights as f64,
            multiply_adds_19x19: model.cost(361).multiply_adds as f64,
            warnings: file.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

impl fmt::Display for NetworkInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name           {}", self.name)?;
        writeln!(f, "model version  {}", self.version)?;
        writeln!(f, "SHA-256        {}", self.sha256)?;
        writeln!(f, "size           {:.1} MB", self.stored_bytes / 1e6)?;
        writeln!(f, "blocks         {} of {} channels, {}", self.blocks, self.channels, self.activation)?;
        writeln!(f, "parameters     {:.2} million", self.parameters / 1e6)?;
        if self.subnormal_weights > 0.0 {
            let share = 100.0 * self.subnormal_weights / self.parameters.max(1.0);
            writeln!(f, "subnormal      {} weights ({share:.1} %), read as zero", self.subnormal_weights)?;
        }
        write!(f, "multiply-adds  {:.2} billion a 19x19 position", self.multiply_adds_19x19 / 1e9)?;
        if self.human_style {
            write!(f, "\nplayer profile wanted (human-style network)")?;
        }
        for warning in &self.warnings {
            write!(f, "\nwarning: {warning}")?;
        }
        Ok(())
    }
}

/// What a network costs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) parameters: u64,
    /// Of one position.
    pub(crate) multiply_adds: u64,
}

impl Cost {
    pub(super) fn conv(&mut self, conv: &Conv, points: u64) {
        self.parameters += conv.weights.len() as u64;
        self.multiply_adds += conv.weights.len() as u64 * points;
    }

    pub(super) fn matmul(&mut self, matmul: &MatMul, times: u64) {
        self.parameters += matmul.weights.len() as u64;
        self.multiply_adds += matmul.weights.len() as u64 * times;
    }

    pub(super) fn vector(&mut self, values: usize) {
        self.parameters += values as u64;
    }
}

impl Model {
    /// How the trunk is built.
    #[must_use]
    pub fn family(&self) -> Family {
        if attends(&self.trunk.blocks) { Family::Transformer } else { Family::Convolutional }
    }

    /// Parameters, and multiply-adds of one position on a board of `points` points.
    pub(crate) fn cost(&self, points: u64) -> Cost {
        let mut cost = Cost::default();
        let trunk = &self.trunk;
        cost.conv(&trunk.initial, points);
        cost.matmul(&trunk.global, 1);
        if let Some(meta) = &trunk.meta {
            for matmul in [&meta.first, &meta.second, &meta.output] {
                cost.matmul(matmul, 1);
            }
            cost.vector(meta.first_bias.len() + meta.second_bias.len());
        }
        add_cost(&mut cost, &trunk.blocks, points);
        cost.vector(match &trunk.tip.norm {
            TipNorm::Affine(affine) => 2 * affine.scale.len(),
            TipNorm::Rms { gamma, beta, .. } => gamma.len() + beta.len(),
        });
        let policy = &self.policy;
        for conv in [&policy.points, &policy.pooled, &policy.logits] {
            cost.conv(conv, points);
        }
        cost.matmul(&policy.pool_to_bias, 1);
        cost.vector(2 * (policy.norm.scale.len() + policy.pooled_norm.scale.len()));
        match &policy.pass {
            PassHead::Direct(matmul) => cost.matmul(matmul, 1),
            PassHead::Hidden { first, bias, second, .. } => {
                cost.matmul(first, 1);
                cost.vector(bias.len());
                cost.matmul(second, 1);
            }
        }
        let value = &self.value;
        cost.conv(&value.points, points);
        cost.conv(&value.ownership, points);
        for matmul in [&value.hidden, &value.value, &value.score] {
            cost.matmul(matmul, 1);
        }
        cost.vector(2 * value.norm.scale.len() + value.hidden_bias.len() + value.score_bias.len() + 3);
        cost
    }
}
