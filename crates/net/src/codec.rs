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

impl NetworkHeader {
    /// The outputs of the first `count` positions of those that stand one after the other, each as
    /// [`NetworkHeader::outputs`] says; `None` when there are fewer, or a part of one.
    pub(crate) fn parted(&self, all: &[f32], count: usize, area: usize) -> Option<NetworkOutputs> {
        let lengths = self.outputs(area).map(|(_, length)| length);
        let numbers: usize = lengths.iter().sum();
        if all.len() < count * numbers || !all.len().is_multiple_of(numbers) {
            return None;
        }
        let all = &all[..count * numbers];
        let mut outputs = NetworkOutputs::default();
        let NetworkOutputs { policy, pass, value, score, ownership } = &mut outputs;
        let parts = [policy, pass, value, score, ownership];
        let mut start = 0;
        for (part, length) in parts.into_iter().zip(lengths) {
            let end = start + length;
            part.extend(all.chunks_exact(numbers).flat_map(|position| &position[start..end]));
            start = end;
        }
        Some(outputs)
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
        let spatial = inputs.spatial.chunks_mut(SHARE * SPATIAL_CHANNELS * area);
        let global = inputs.global.chunks_mut(SHARE * GLOBAL_CHANNELS);
        let shares = requests.chunks(SHARE).zip(spatial).zip(global);
        side_by_side(shares.collect(), |((requests, spatial), global)| {
            let spatial = spatial.chunks_exact_mut(SPATIAL_CHANNELS * area);
            let global = global.chunks_exact_mut(GLOBAL_CHANNELS);
            for ((request, spatial), global) in requests.iter().zip(spatial).zip(global) {
                encode(request.game, &request.params, &options, spatial, global);
            }
        });
        for request in requests.iter().filter(|_| meta > 0) {
            let points = request.game.board().size().area();
            if let Some(profile) = request.params.profile {
                inputs.meta.extend_from_slice(&profile.row(request.game.to_play(), points));
            }
        }
        inputs
    }

    /// The answers to a batch that was encoded into buffers of so many columns and rows.
    ///
    /// # Errors
    /// [`EvalError::NotFinite`].
    ///
    /// # Panics
    /// When the outputs are shorter than [`NetworkHeader::outputs`] says.
    pub fn decode_all(
        &self,
        requests: &[EvalRequest<'_>],
        outputs: &NetworkOutputs,
        buffer: (usize, usize),
    ) -> Result<Vec<Evaluation>, EvalError> {
        let shares = requests.chunks(SHARE).enumerate().collect();
        let answers = side_by_side(shares, |(share, requests)| {
            let positions = requests.iter().enumerate();
            let answers =
                positions.map(|(index, request)| self.decode(request, outputs, share * SHARE + index, buffer));
            answers.collect::<Result<Vec<Evaluation>, EvalError>>()
        });
        Ok(answers.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
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
        let map = PlaneMap::new(request.game.board(), width, height, request.params.symmetry);
        let raw = self.decoder.position(outputs, index, width * height);
        self.decoder.decode(request.game, &request.params, &map, &raw)
    }
}

/// Positions that one thread encodes or decodes: what a processor's session computes at once stays on its own thread, and
/// the larger batches of a card, of which one position alone takes a tenth of a millisecond, do not make it wait.
const SHARE: usize = 8;

/// Does each share on a thread of its own, the first on this one, with at most as many threads as there are cores.
fn side_by_side<T: Send, R: Send>(shares: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if shares.len() < 2 {
        return shares.into_iter().map(work).collect();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut lines: Vec<Vec<T>> = Vec::new();
    let each = shares.len().div_ceil(cores);
    let mut shares = shares.into_iter().peekable();
    while shares.peek().is_some() {
        lines.push(shares.by_ref().take(each).collect());
    }
    let work = &work;
    std::thread::scope(|scope| {
        let mut lines = lines.into_iter();
        let own = lines.next().unwrap_or_default();
        let others: Vec<_> =
            lines.map(|line| scope.spawn(move || line.into_iter().map(work).collect::<Vec<R>>())).collect();
        let mut all: Vec<R> = own.into_iter().map(work).collect();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::positions;
    use crate::file::Limits;
    use honinbo_evaluator::EvalParams;
    use honinbo_testkit::TinyNetwork;

    #[test]
    fn a_batch_that_threads_share_is_the_same_as_its_positions_one_by_one() {
        let text = TinyNetwork::convolutional(15).to_text();
        let file = NetworkFile::from_bytes("tiny.txt", text.as_bytes(), &Limits::default()).unwrap();
        let codec = Codec::new(NetworkHeader::of(&file));
        let games = positions(9, 9, 5 * SHARE + 3).unwrap();
        let requests: Vec<EvalRequest<'_>> =
            games.iter().map(|game| EvalRequest { game, params: EvalParams::default() }).collect();
        let all = codec.encode(&requests, (9, 9));
        let mut one_by_one = NetworkInputs { count: all.count, width: 9, height: 9, ..NetworkInputs::default() };
        for request in &requests {
            let one = codec.encode(std::slice::from_ref(request), (9, 9));
            one_by_one.spatial.extend(one.spatial);
            one_by_one.global.extend(one.global);
        }
        assert_eq!(all, one_by_one);

        let mut number = 0.0f32;
        let lengths = codec.header().outputs(81).map(|(_, length)| length);
        let line: usize = lengths.iter().sum();
        let numbers: Vec<f32> = (0..line * games.len())
            .map(|_| {
                number = (number + 0.37) % 1.9;
                number
            })
            .collect();
        let outputs = codec.header().parted(&numbers, games.len(), 81).unwrap();
        assert_eq!(outputs.policy[..lengths[0]], numbers[..lengths[0]]);
        assert_eq!(outputs.ownership[81..162], numbers[2 * line - 81..2 * line]);
        let answers = codec.decode_all(&requests, &outputs, (9, 9)).unwrap();
        let each = requests.iter().enumerate().map(|(index, one)| codec.decode(one, &outputs, index, (9, 9)).unwrap());
        assert_eq!(answers, each.collect::<Vec<_>>());
        assert_eq!(codec.header().parted(&numbers[1..], games.len() - 1, 81), None);
        assert_eq!(codec.header().parted(&numbers, games.len() + 1, 81), None);
        let first = codec.header().parted(&numbers, 1, 81).unwrap();
        assert_eq!((first.policy.as_slice(), first.ownership.len()), (&outputs.policy[..lengths[0]], 81));

        let mut broken = outputs;
        broken.value[3 * (4 * SHARE + 1)] = f32::NAN;
        assert!(matches!(codec.decode_all(&requests, &broken, (9, 9)), Err(EvalError::NotFinite { .. })));
    }
}
