//! What stands on both sides of a network's arrays: positions become inputs, raw outputs become evaluations.
//!
//! Nothing here computes: weights may be in this process or on another machine.

use serde::{Deserialize, Serialize};

use crate::decode::Decoder;
use crate::features::{FeatureOptions, PlaneMap, encode};
use crate::file::model::{GLOBAL_CHANNELS, META_CHANNELS, OutputScales, SPATIAL_CHANNELS};
use crate::file::{Family, NetworkFile};
use honinbo_evaluator::{EvalError, EvalRequest, Evaluation};

/// What has to be known of a network to ask it, without its weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NetworkHeader {
    /// Name inside the file.
    pub name: String,
    /// Model version, 8 to 17.
    pub version: u32,
    /// SHA-256 of the stored file.
    pub sha256: String,
    /// How the trunk is built.
    pub family: Family,
    /// Whether it wants a player profile.
    pub human_style: bool,
    /// Policy logits a point.
    pub policy_outputs: usize,
    /// Numbers of the output `score`.
    pub score_outputs: usize,
    /// What raw outputs are multiplied by.
    pub scales: OutputScales,
    /// Whether pass-alive areas are to be found as if suicide were legal.
    pub pass_alive_under_suicide: bool,
    /// Whether points beside a chain of their owner in atari are to be shown as nobody's territory.
    pub exclude_beside_atari: bool,
}

impl NetworkHeader {
    /// The header of a network's file.
    #[must_use]
    pub fn of(file: &NetworkFile) -> Self {
        let model = &file.model;
        Self {
            name: model.name.clone(),
            version: model.version,
            sha256: file.sha256.clone(),
            family: model.family(),
            human_style: model.trunk.meta.is_some(),
            policy_outputs: model.policy.outputs,
            score_outputs: model.value.score_outputs(),
            scales: model.scales,
            pass_alive_under_suicide: model.pass_alive_under_suicide,
            exclude_beside_atari: model.exclude_beside_atari,
        }
    }

    /// Numbers of each input of one position, by its name, in a buffer of so many points.
    #[must_use]
    pub fn inputs(&self, area: usize) -> Vec<(&'static str, usize)> {
        let mut inputs = vec![("spatial", SPATIAL_CHANNELS * area), ("global", GLOBAL_CHANNELS)];
        if self.human_style {
            inputs.push(("meta", META_CHANNELS));
        }
        inputs
    }

    /// Numbers of each output of one position, by its name.
    #[must_use]
    pub fn outputs(&self, area: usize) -> [(&'static str, usize); 5] {
        [
            ("policy", self.policy_outputs * area),
            ("pass", self.policy_outputs),
            ("value", 3),
            ("score", self.score_outputs),
            ("ownership", area),
        ]
    }
}

/// A batch of positions of one size, as the network sees them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetworkInputs {
    /// Positions.
    pub count: usize,
    /// Columns of the buffer.
    pub width: usize,
    /// Rows of the buffer.
    pub height: usize,
    /// `[count][22][height][width]`.
    pub spatial: Vec<f32>,
    /// `[count][19]`.
    pub global: Vec<f32>,
    /// `[count][192]`; empty for networks without a player profile.
    pub meta: Vec<f32>,
}

/// Raw answers to a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetworkOutputs {
    /// `[count][policy outputs][area]`.
    pub policy: Vec<f32>,
    /// `[count][policy outputs]`.
    pub pass: Vec<f32>,
    /// `[count][3]`.
    pub value: Vec<f32>,
    /// `[count][score outputs]`.
    pub score: Vec<f32>,
    /// `[count][area]`.
    pub ownership: Vec<f32>,
}

/// Turns positions into a network's inputs, and its raw outputs into evaluations.
#[derive(Debug, Clone, PartialEq)]
pub struct Codec {
    header: NetworkHeader,
    decoder: Decoder,
}

impl Codec {
    /// For the network of that header.
    #[must_use]
    pub fn new(header: NetworkHeader) -> Self {
        let decoder = Decoder::new(&header);
        Self { header, decoder }
    }

    /// The network.
    #[must_use]
    pub fn header(&self) -> &NetworkHeader {
        &self.header
    }

    /// Refuses what no answer could be made of: parameters out of range, a profile that is missing.
    ///
    /// # Errors
    /// [`EvalError::Parameter`] and [`EvalError::Unsupported`].
    pub fn check(&self, request: &EvalRequest<'_>) -> Result<(), EvalError> {
        let params = &request.params;
        let bad = |name, value: f64, expected| Err(EvalError::Parameter { name, value: value.to_string(), expected });
        if !(params.policy_temperature.is_finite() && params.policy_temperature > 0.0) {
            return bad("policy temperature", params.policy_temperature.into(), "a positive number");
        }
        if !(0.0..=1.0).contains(&params.policy_optimism) {
            return bad("policy optimism", params.policy_optimism.into(), "0 to 1");
        }
        if !(0.0..=1.0).contains(&params.draw_equivalent_wins_for_white) {
            return bad("worth of a draw", params.draw_equivalent_wins_for_white, "0 to 1");
        }
        if !params.playout_doubling_advantage.is_finite() {
            return bad("playout doubling advantage", params.playout_doubling_advantage, "a finite number");
        }
        if self.header.human_style && params.profile.is_none() {
            let reason = "it plays like people and must be told which, such as rank_5k".into();
            return Err(EvalError::Unsupported { network: self.header.name.clone(), reason });
        }
        Ok(())
    }

    /// What the network is shown, in buffers of so many columns and rows, into which all boards must fit.
    ///
    /// # Panics
    /// When a board does not.
    #[must_use]
    pub fn encode(&self, requests: &[EvalRequest<'_>], (width, height): (usize, usize)) -> NetworkInputs {
        let area = width * height;
        let meta = if self.header.human_style { META_CHANNELS } else { 0 };
        let mut inputs = NetworkInputs {
            count: requests.len(),
            width,
            height,
            spatial: vec![0.0; requests.len() * SPATIAL_CHANNELS * area],
            global: vec![0.0; requests.len() * GLOBAL_CHANNELS],
            meta: Vec::with_capacity(requests.len() * meta),
        };
        let options = FeatureOptions {
            width,
            height,
            pass_alive_under_suicide: self.header.pass_alive_under_suicide,
            exclude_beside_atari: self.header.exclude_beside_atari,
        };
        let spatial = inputs.spatial.chunks_exact_mut(SPATIAL_CHANNELS * area);
        let global = inputs.global.chunks_exact_mut(GLOBAL_CHANNELS);
        for ((request, spatial), global) in requests.iter().zip(spatial).zip(global) {
            encode(request.game, &request.params, &options, spatial, global);
            if let Some(profile) = request.params.profile.filter(|_| meta > 0) {
                let points = request.game.board().size().area();
                inputs.meta.extend_from_slice(&profile.row(request.game.to_play(), points));
            }
        }
        inputs
    }

    /// The answer to one position of a batch that was encoded into buffers of so many columns and rows.
    ///
    /// # Errors
    /// [`EvalError::NotFinite`].
    ///
    /// # Panics
    /// When the outputs are shorter than [`NetworkHeader::outputs`] says.
    pub fn decode(
        &self,
        request: &EvalRequest<'_>,
        outputs: &NetworkOutputs,
        index: usize,
        (width, height): (usize, usize),
    ) -> Result<Evaluation, EvalError> {
        let map = PlaneMap::new(request.game.board().size(), width, height, request.params.symmetry);
        let raw = self.decoder.position(outputs, index, width * height);
        self.decoder.decode(request.game, &request.params, &map, &raw)
    }
}
