//! Writing of networks: KataGo's binary form, as its own exporter writes it.
//!
//! Source of the grammar: KataGo v1.17.2, `cpp/neuralnet/desc.cpp`.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::blocks::widths;
use super::model::{
    Activation, Affine, Conv, GLOBAL_CHANNELS, META_CHANNELS, MatMul, Model, PassHead, PolicyHead, RmsNorm,
    SPATIAL_CHANNELS, TipNorm, Trunk, ValueHead,
};

/// The file of a network, to be named `.bin.gz`: KataGo reads it, and [`NetworkFile`](crate::NetworkFile) gives the same
/// model back but for names of biases and activations, which a model does not keep.
///
/// Norms are written as the factors and addends they amount to, over a mean of 0 and a variance of 1.
#[must_use]
pub fn to_bin_gz(model: &Model) -> Vec<u8> {
    let mut writer = LayerWriter { out: Vec::new(), version: model.version };
    writer.model(model);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&writer.out).and_then(|()| packed.finish()).expect("memory takes what is written")
}

/// Where a name is wanted that the model does not keep.
const NAMELESS: &str = "layer";

/// Writes the parts of a model, as [`LayerReader`](super::layers::LayerReader) reads them.
pub(super) struct LayerWriter {
    out: Vec<u8>,
    version: u32,
}

impl LayerWriter {
    pub(super) fn line(&mut self, token: impl std::fmt::Display) {
        writeln!(self.out, "{token}").expect("memory takes what is written");
    }

    pub(super) fn name(&mut self, name: &str) {
        self.line(if name.is_empty() { NAMELESS } else { name });
    }

    pub(super) fn counts(&mut self, counts: &[usize]) {
        counts.iter().for_each(|count| self.line(count));
    }

    fn array(&mut self, values: impl IntoIterator<Item = f32>) {
        self.out.extend_from_slice(b"@BIN@");
        for value in values {
            self.out.extend_from_slice(&value.to_le_bytes());
        }
        self.out.push(b'\n');
    }

    pub(super) fn weights(&mut self, values: &[f32]) {
        self.array(values.iter().copied());
    }

    fn model(&mut self, model: &Model) {
        self.name(&model.name);
        self.counts(&[self.version as usize, SPATIAL_CHANNELS, GLOBAL_CHANNELS]);
        if self.version >= 13 {
            let scales = &model.scales;
            for scale in [
                scales.td_score,
                scales.score_mean,
                scales.score_stdev,
                scales.lead,
                scales.variance_time,
                scales.shortterm_value_error,
                scales.shortterm_score_error,
            ] {
                self.line(format!("{scale:?}"));
            }
        }
        if self.version >= 15 {
            let flags = [model.trunk.meta.is_some(), model.pass_alive_under_suicide, model.exclude_beside_atari];
            self.counts(&flags.map(usize::from));
            self.counts(&[0; 5]);
        }
        self.trunk(&model.trunk);
        self.policy(&model.policy);
        self.value(&model.value);
    }

    fn trunk(&mut self, trunk: &Trunk) {
        self.line("trunk");
        let (mid, pooled) = widths(&trunk.blocks).unwrap_or((trunk.channels, trunk.channels));
        let regular = mid.saturating_sub(pooled).max(1);
        self.counts(&[trunk.blocks.len(), trunk.channels, mid, regular, regular, pooled]);
        if self.version >= 15 {
            self.counts(&[usize::from(matches!(trunk.tip.norm, TipNorm::Rms { .. })), 0, 0, 0, 0, 0]);
        }
        self.conv(&trunk.initial);
        self.matmul(&trunk.global);
        if let Some(meta) = &trunk.meta {
            self.line("metadata_encoder");
            self.counts(&[META_CHANNELS]);
            self.matmul(&meta.first);
            self.bias(&meta.first_bias);
            self.activation(meta.first_activation);
            self.matmul(&meta.second);
            self.bias(&meta.second_bias);
            self.activation(meta.second_activation);
            self.matmul(&meta.output);
        }
        self.blocks(&trunk.blocks);
        match &trunk.tip.norm {
            TipNorm::Affine(affine) => self.affine(affine),
            TipNorm::Rms { name, epsilon, spatial, gamma, beta } => {
                self.name(name);
                self.counts(&[gamma.len()]);
                self.line(format!("{epsilon:e}"));
                self.counts(&[usize::from(*spatial), 0]);
                self.weights(gamma);
                self.weights(beta);
            }
        }
        self.activation(trunk.tip.activation);
    }

    fn policy(&mut self, head: &PolicyHead) {
        self.line("policyhead");
        if self.version >= 17 {
            self.counts(&[head.outputs, 0, 0, 0]);
        }
        self.conv(&head.points);
        self.conv(&head.pooled);
        self.affine(&head.pooled_norm);
        self.activation(head.pooled_activation);
        self.matmul(&head.pool_to_bias);
        self.affine(&head.norm);
        self.activation(head.activation);
        self.conv(&head.logits);
        match &head.pass {
            PassHead::Direct(matmul) => self.matmul(matmul),
            PassHead::Hidden { first, bias, activation, second } => {
                self.matmul(first);
                self.bias(bias);
                self.activation(*activation);
                self.matmul(second);
            }
        }
    }

    fn value(&mut self, head: &ValueHead) {
        self.line("valuehead");
        if self.version >= 17 {
            self.counts(&[0; 3]);
        }
        self.conv(&head.points);
        self.affine(&head.norm);
        self.activation(head.activation);
        self.matmul(&head.hidden);
        self.bias(&head.hidden_bias);
        self.activation(head.hidden_activation);
        self.matmul(&head.value);
        self.bias(&head.value_bias);
        self.matmul(&head.score);
        self.bias(&head.score_bias);
        self.conv(&head.ownership);
    }

    pub(super) fn conv(&mut self, conv: &Conv) {
        self.name(&conv.name);
        let (kernel, dilation) = (conv.kernel, conv.dilation);
        self.counts(&[kernel.0, kernel.1, conv.inputs, conv.outputs, dilation.0, dilation.1]);
        self.weights(&conv.weights);
    }

    pub(super) fn affine(&mut self, affine: &Affine) {
        let channels = affine.scale.len();
        self.name(&affine.name);
        self.counts(&[channels]);
        // Vanishes beside the variance of 1.
        self.line("1e-20");
        self.counts(&[1, 1]);
        self.array(std::iter::repeat_n(0.0, channels));
        self.array(std::iter::repeat_n(1.0, channels));
        self.weights(&affine.scale);
        self.weights(&affine.shift);
    }

    pub(super) fn rms(&mut self, norm: &RmsNorm) {
        self.name(&norm.name);
        self.counts(&[norm.weights.len()]);
        self.line(format!("{:e}", norm.epsilon));
        self.weights(&norm.weights);
    }

    pub(super) fn activation(&mut self, activation: Activation) {
        self.line("activation");
        if self.version >= 11 {
            self.line(match activation {
                Activation::Identity => "ACTIVATION_IDENTITY",
                Activation::Relu => "ACTIVATION_RELU",
                Activation::Mish => "ACTIVATION_MISH",
                Activation::Silu => "ACTIVATION_SILU",
            });
        }
    }

    pub(super) fn matmul(&mut self, matmul: &MatMul) {
        self.name(&matmul.name);
        self.counts(&[matmul.inputs, matmul.outputs]);
        self.weights(&matmul.weights);
    }

    fn bias(&mut self, values: &[f32]) {
        self.line("bias");
        self.counts(&[values.len()]);
        self.weights(values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, NetworkFile};
    use honinbo_testkit::{TinyBlock, TinyNetwork};

    #[test]
    fn what_is_written_is_read_back() {
        let every = (8..=17).map(TinyNetwork::convolutional);
        let mixed = TinyNetwork {
            blocks: vec![TinyBlock::Nested, TinyBlock::Attention, TinyBlock::FixedAttention, TinyBlock::FeedForward],
            meta: true,
            exclude_beside_atari: true,
            ..TinyNetwork::convolutional(17)
        };
        for network in every.chain([TinyNetwork::transformer(), mixed]) {
            let model =
                NetworkFile::from_bytes("a.txt", network.to_text().as_bytes(), &Limits::default()).unwrap().model;
            let written = to_bin_gz(&model);
            let read = NetworkFile::from_bytes("a.bin.gz", &written, &Limits::default()).unwrap();
            assert_eq!(read.model, model, "version {}", network.version);
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }
}
