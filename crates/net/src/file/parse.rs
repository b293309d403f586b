//! Reading of a whole network: header, trunk, heads.

use super::error::{Defect, FileError};
use super::layers::LayerReader;
use super::model::{
    GLOBAL_CHANNELS, META_CHANNELS, MetaEncoder, Model, OutputScales, PassHead, PolicyHead, SPATIAL_CHANNELS, Tip,
    TipNorm, Trunk, ValueHead,
};
use super::tokens::Tokens;

const MAX_NAME: usize = 96;

/// Reads a network up to its last array.
pub(super) fn parse_model(tokens: Tokens<'_, '_>) -> Result<(Model, Leftover), FileError> {
    let mut reader = LayerReader { tokens, version: 0, blocks: 0 };
    let model = reader.model()?;
    let trailing_bytes = reader.tokens.trailing()?;
    let Tokens { largest_weight, subnormal_weights, .. } = reader.tokens;
    Ok((model, Leftover { trailing_bytes, largest_weight, subnormal_weights }))
}

/// What was noticed besides the model.
pub(super) struct Leftover {
    pub(super) trailing_bytes: u64,
    pub(super) largest_weight: f32,
    pub(super) subnormal_weights: u64,
}

struct TrunkHeader {
    blocks: usize,
    channels: usize,
}

impl LayerReader<'_, '_> {
    fn model(&mut self) -> Result<Model, FileError> {
        let name = self.tokens.token("the network's name")?;
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if !plain || name.len() > MAX_NAME {
            let found = name.chars().take(40).collect();
            let expected = "at most 96 letters, digits, hyphens and underscores";
            return Err(self.tokens.malformed(Defect::Token { what: "the network's name", found, expected }));
        }
        let version = self.tokens.integer("the model version")?;
        if version < 8 {
            return Err(FileError::TooOld { version });
        }
        if version > 17 {
            return Err(FileError::TooNew { version });
        }
        self.version = version.unsigned_abs();
        let spatial = self.channels("spatial input channels")?;
        self.equal("spatial input channels", spatial, SPATIAL_CHANNELS)?;
        let global = self.channels("global input channels")?;
        self.equal("global input channels", global, GLOBAL_CHANNELS)?;
        let scales = if self.version >= 13 { self.scales()? } else { OutputScales::default() };
        let mut has_meta = false;
        let mut pass_alive_under_suicide = false;
        let mut exclude_beside_atari = false;
        if self.version >= 15 {
            has_meta = self.tokens.flag("metadata encoder version")?;
            pass_alive_under_suicide = self.tokens.flag("pass-alive preference")?;
            exclude_beside_atari = self.tokens.flag("preference for territory beside atari")?;
            self.tokens.zeros("header option", 5)?;
        }
        let trunk = self.trunk(has_meta)?;
        let policy = self.policy_head(trunk.channels)?;
        let value = self.value_head(trunk.channels)?;
        let version = self.version;
        Ok(Model { name, version, scales, pass_alive_under_suicide, exclude_beside_atari, trunk, policy, value })
    }

    fn scales(&mut self) -> Result<OutputScales, FileError> {
        let mut next = || self.tokens.positive("output scale");
        Ok(OutputScales {
            td_score: next()?,
            score_mean: next()?,
            score_stdev: next()?,
            lead: next()?,
            variance_time: next()?,
            shortterm_value_error: next()?,
            shortterm_score_error: next()?,
        })
    }

    fn trunk(&mut self, has_meta: bool) -> Result<Trunk, FileError> {
        let header = self.trunk_header()?;
        let channels = header.channels;
        let mut rms_tip = false;
        if self.version >= 15 {
            rms_tip = self.tokens.flag("kind of last norm")?;
            self.tokens.zeros("trunk option", 5)?;
        }
        let initial = self.conv_to(SPATIAL_CHANNELS, channels)?;
        let global = self.matmul_to(GLOBAL_CHANNELS, channels)?;
        let meta = if has_meta { Some(self.meta_encoder(channels)?) } else { None };
        let blocks = self.blocks(header.blocks, channels, 0)?;
        let norm = if rms_tip { self.rms_tip(channels)? } else { TipNorm::Affine(self.affine(channels)?) };
        let activation = self.activation()?;
        Ok(Trunk { channels, initial, global, meta, blocks, tip: Tip { norm, activation } })
    }

    fn trunk_header(&mut self) -> Result<TrunkHeader, FileError> {
        self.tokens.name()?;
        let most = self.tokens.limits.blocks;
        let blocks = self.tokens.count("number of blocks", most)?;
        let channels = self.channels("trunk channels")?;
        // Widths that the blocks state themselves, and may state otherwise.
        for what in ["mid channels", "regular channels", "dilated channels", "pooled channels"] {
            self.tokens.integer(what)?;
        }
        Ok(TrunkHeader { blocks, channels })
    }

    fn meta_encoder(&mut self, channels: usize) -> Result<MetaEncoder, FileError> {
        self.tokens.name()?;
        let found = self.channels("metadata channels")?;
        self.equal("metadata channels", found, META_CHANNELS)?;
        let first = self.matmul(META_CHANNELS)?;
        let first_bias = self.bias(first.outputs)?;
        let first_activation = self.activation()?;
        let second = self.matmul(first.outputs)?;
        let second_bias = self.bias(second.outputs)?;
        let second_activation = self.activation()?;
        let output = self.matmul_to(second.outputs, channels)?;
        Ok(MetaEncoder { first, first_bias, first_activation, second, second_bias, second_activation, output })
    }

    fn rms_tip(&mut self, channels: usize) -> Result<TipNorm, FileError> {
        let name = self.tokens.name()?;
        let found = self.channels("channels")?;
        self.equal("channels", found, channels)?;
        let epsilon = self.tokens.positive_f32("epsilon", 1.0)?;
        let spatial = self.tokens.integer("spatial flag")? != 0;
        self.tokens.zeros("group size", 1)?;
        let gamma = self.tokens.weights(&[channels])?;
        let beta = self.tokens.weights(&[channels])?;
        Ok(TipNorm::Rms { name, epsilon, spatial, gamma, beta })
    }

    fn policy_head(&mut self, channels: usize) -> Result<PolicyHead, FileError> {
        self.tokens.name()?;
        let outputs = match self.version {
            17.. => {
                let outputs = self.channels("policy channels")?;
                if outputs != 2 && outputs != 4 {
                    let expected = "2 or 4".into();
                    let value = outputs.to_string();
                    return Err(self.tokens.malformed(Defect::Range { what: "policy channels", value, expected }));
                }
                self.tokens.zeros("policy head option", 3)?;
                outputs
            }
            16 => 4,
            12..=15 => 2,
            _ => 1,
        };
        let points = self.conv(channels)?;
        let pooled = self.conv(channels)?;
        let pooled_norm = self.affine(pooled.outputs)?;
        let pooled_activation = self.activation()?;
        let pool_to_bias = self.matmul_to(3 * pooled.outputs, points.outputs)?;
        let norm = self.affine(points.outputs)?;
        let activation = self.activation()?;
        let logits = self.conv_to(points.outputs, outputs)?;
        let pass = if self.version <= 14 {
            PassHead::Direct(self.matmul_to(3 * pooled.outputs, outputs)?)
        } else {
            let first = self.matmul_to(3 * pooled.outputs, points.outputs)?;
            let bias = self.bias(points.outputs)?;
            let activation = self.activation()?;
            let second = self.matmul_to(points.outputs, outputs)?;
            PassHead::Hidden { first, bias, activation, second }
        };
        Ok(PolicyHead {
            outputs,
            points,
            pooled,
            pooled_norm,
            pooled_activation,
            pool_to_bias,
            norm,
            activation,
            logits,
            pass,
        })
    }

    fn value_head(&mut self, channels: usize) -> Result<ValueHead, FileError> {
        self.tokens.name()?;
        if self.version >= 17 {
            self.tokens.zeros("value head option", 3)?;
        }
        let points = self.conv(channels)?;
        let norm = self.affine(points.outputs)?;
        let activation = self.activation()?;
        let hidden = self.matmul(3 * points.outputs)?;
        let hidden_bias = self.bias(hidden.outputs)?;
        let hidden_activation = self.activation()?;
        let value = self.matmul_to(hidden.outputs, 3)?;
        let value_bias = self.bias(3)?;
        let score_outputs = if self.version >= 9 { 6 } else { 4 };
        let score = self.matmul_to(hidden.outputs, score_outputs)?;
        let score_bias = self.bias(score_outputs)?;
        let ownership = self.conv_to(points.outputs, 1)?;
        Ok(ValueHead {
            points,
            norm,
            activation,
            hidden,
            hidden_bias,
            hidden_activation,
            value,
            value_bias,
            score,
            score_bias,
            ownership,
        })
    }
}
