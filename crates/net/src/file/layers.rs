//! Reading of single layers.

use super::error::{Defect, FileError};
use super::model::{Activation, Affine, Conv, MatMul, RmsNorm};
use super::tokens::Tokens;
use crate::subnormal::flush;

/// Reads layers of one model version.
pub(super) struct LayerReader<'a, 'l> {
    pub(super) tokens: Tokens<'a, 'l>,
    pub(super) version: u32,
    /// Blocks read so far, inner ones included.
    pub(super) blocks: usize,
}

impl LayerReader<'_, '_> {
    pub(super) fn equal(&self, what: &'static str, found: usize, expected: usize) -> Result<(), FileError> {
        if found == expected { Ok(()) } else { Err(self.tokens.malformed(Defect::Mismatch { what, found, expected })) }
    }

    pub(super) fn channels(&mut self, what: &'static str) -> Result<usize, FileError> {
        let most = self.tokens.limits.channels;
        self.tokens.count(what, most)
    }

    /// A convolution from `inputs` channels; the number of outputs is its own.
    pub(super) fn conv(&mut self, inputs: usize) -> Result<Conv, FileError> {
        let name = self.tokens.name()?;
        let limits = *self.tokens.limits;
        let rows = self.odd("kernel rows", limits.kernel)?;
        let columns = self.odd("kernel columns", limits.kernel)?;
        let found = self.channels("input channels")?;
        let outputs = self.channels("output channels")?;
        let dilation_y = self.tokens.count("row dilation", limits.dilation)?;
        let dilation_x = self.tokens.count("column dilation", limits.dilation)?;
        self.equal("input channels", found, inputs)?;
        let weights = self.tokens.weights(&[rows, columns, inputs, outputs])?;
        Ok(Conv { name, kernel: (rows, columns), inputs, outputs, dilation: (dilation_y, dilation_x), weights })
    }

    /// A convolution between two known widths.
    pub(super) fn conv_to(&mut self, inputs: usize, outputs: usize) -> Result<Conv, FileError> {
        let conv = self.conv(inputs)?;
        self.equal("output channels", conv.outputs, outputs)?;
        Ok(conv)
    }

    fn odd(&mut self, what: &'static str, most: usize) -> Result<usize, FileError> {
        let value = self.tokens.count(what, most)?;
        if value % 2 == 1 {
            return Ok(value);
        }
        let expected = "an odd number".into();
        Err(self.tokens.malformed(Defect::Range { what, value: value.to_string(), expected }))
    }

    /// A norm by stored moments, merged in single precision as KataGo does.
    pub(super) fn affine(&mut self, channels: usize) -> Result<Affine, FileError> {
        let name = self.tokens.name()?;
        let found = self.channels("channels")?;
        self.equal("channels", found, channels)?;
        let epsilon = self.tokens.positive_f32("epsilon", f32::MAX)?;
        let has_scale = self.tokens.flag("has-scale flag")?;
        let has_bias = self.tokens.flag("has-bias flag")?;
        let mean = self.tokens.weights(&[channels])?;
        let variance = self.tokens.weights(&[channels])?;
        let factor = if has_scale { self.tokens.weights(&[channels])? } else { vec![1.0; channels] };
        let bias = if has_bias { self.tokens.weights(&[channels])? } else { vec![0.0; channels] };
        let scale: Vec<f32> = factor.iter().zip(&variance).map(|(f, v)| flush(f / (v + epsilon).sqrt())).collect();
        let shift: Vec<f32> = bias.iter().zip(&scale).zip(&mean).map(|((b, s), m)| flush(b - s * m)).collect();
        for (index, (s, t)) in scale.iter().zip(&shift).enumerate() {
            if variance[index] + epsilon <= 0.0 || !s.is_finite() || !t.is_finite() {
                let value = format!("{} with variance {}", s, variance[index]);
                return Err(self.tokens.malformed(Defect::Weight { index, count: channels, value }));
            }
        }
        Ok(Affine { name, scale, shift })
    }

    pub(super) fn activation(&mut self) -> Result<Activation, FileError> {
        self.tokens.name()?;
        if self.version < 11 {
            return Ok(Activation::Relu);
        }
        let kind = self.tokens.token("an activation")?;
        match kind.as_str() {
            "ACTIVATION_IDENTITY" => Ok(Activation::Identity),
            "ACTIVATION_RELU" => Ok(Activation::Relu),
            "ACTIVATION_MISH" => Ok(Activation::Mish),
            "ACTIVATION_SILU" => Ok(Activation::Silu),
            _ => Err(self.tokens.malformed(Defect::Unknown { what: "activation", found: kind })),
        }
    }

    /// A matrix from `inputs`; `wide` allows the width of a feed-forward layer.
    pub(super) fn matmul(&mut self, inputs: usize) -> Result<MatMul, FileError> {
        let name = self.tokens.name()?;
        let most = self.tokens.limits.channels.max(self.tokens.limits.feed_forward);
        let found = self.tokens.count("input channels", most)?;
        let outputs = self.tokens.count("output channels", most)?;
        self.equal("input channels", found, inputs)?;
        let weights = self.tokens.weights(&[inputs, outputs])?;
        Ok(MatMul { name, inputs, outputs, weights })
    }

    /// A matrix between two known widths.
    pub(super) fn matmul_to(&mut self, inputs: usize, outputs: usize) -> Result<MatMul, FileError> {
        let matmul = self.matmul(inputs)?;
        self.equal("output channels", matmul.outputs, outputs)?;
        Ok(matmul)
    }

    pub(super) fn bias(&mut self, channels: usize) -> Result<Vec<f32>, FileError> {
        self.tokens.name()?;
        let most = self.tokens.limits.channels.max(self.tokens.limits.feed_forward);
        let found = self.tokens.count("channels", most)?;
        self.equal("channels", found, channels)?;
        self.tokens.weights(&[channels])
    }

    pub(super) fn rms_norm(&mut self, channels: usize) -> Result<RmsNorm, FileError> {
        let name = self.tokens.name()?;
        let found = self.channels("channels")?;
        self.equal("channels", found, channels)?;
        let epsilon = self.tokens.positive_f32("epsilon", 1.0)?;
        let weights = self.tokens.weights(&[channels])?;
        Ok(RmsNorm { name, epsilon, weights })
    }
}
