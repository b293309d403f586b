//! How fast a network is on a device, and which settings are fastest.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use honinbo_rules::{BoardSize, Game, Move, Preset, Random, Setup, Topology};
use serde::{Deserialize, Serialize};

use crate::evaluator::{EvaluatorOptions, NetworkError, OrtEvaluator};
use crate::file::NetworkFile;
use crate::kernels::Instructions;
use crate::onnx::Precision;
use crate::runtime::{Device, Runtime};
use honinbo_evaluator::PlayerProfile;
use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluator, StopFlag};

/// What to measure.
#[derive(Debug, Clone)]
pub struct BenchOptions {
    /// Device, precision and cache; threads and batch are varied.
    pub evaluator: EvaluatorOptions,
    /// Numbers of cores to use.
    pub threads: Vec<usize>,
    /// Positions in each batch of each session.
    pub batches: Vec<usize>,
    /// How long to measure each setting.
    pub time: Duration,
    /// Board size.
    pub size: (usize, usize),
}

impl BenchOptions {
    /// 1 and 2 threads at batch 1, 4 and 8, as long as a person waits gladly.
    #[must_use]
    pub fn quick(evaluator: EvaluatorOptions) -> Self {
        let time = Duration::from_secs(2);
        Self { evaluator, threads: vec![1, 2], batches: vec![1, 4, 8], time, size: (19, 19) }
    }
}

/// Measurements of one network on one device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BenchReport {
    /// Name of the network.
    pub network: String,
    /// What computed.
    pub device: Device,
    /// How numbers were stored.
    pub precision: Precision,
    /// Version of ONNX Runtime.
    pub runtime: String,
    /// Whether the project's own kernels computed the blocks.
    pub own_kernels: bool,
    /// The instructions that those use.
    pub instructions: Instructions,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// From the file in memory to a graph that is ready, with whatever the cache held.
    pub load_seconds: f64,
    /// Every setting.
    pub rows: Vec<BenchRow>,
}

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BenchRow {
    /// Sessions computing at the same time.
    pub sessions: usize,
    /// Threads within each.
    pub threads: usize,
    /// Positions in each batch of a session.
    pub batch: usize,
    /// Positions a second: encoding, network and decoding.
    pub evaluations_per_second: f64,
    /// From the question to its answer, for the whole batch, on average.
    pub batch_seconds: f64,
}

impl BenchReport {
    /// The fastest setting.
    #[must_use]
    pub fn best(&self) -> Option<&BenchRow> {
        self.rows.iter().max_by(|a, b| a.evaluations_per_second.total_cmp(&b.evaluations_per_second))
    }
}

impl fmt::Display for BenchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { network, device, precision, runtime, width, height, load_seconds, .. } = self;
        let kernels =
            if self.own_kernels { format!(", own kernels with {}", self.instructions) } else { String::new() };
        writeln!(f, "{network} on {device}, {precision}, ONNX Runtime {runtime}{kernels}, {width}x{height}")?;
        writeln!(f, "ready after {load_seconds:.2} s")?;
        write!(f, "sessions  threads  batch  evaluations/s  ms a batch")?;
        for row in &self.rows {
            write!(
                f,
                "\n{:>8}  {:>7}  {:>5}  {:>13.1}  {:>10.1}",
                row.sessions,
                row.threads,
                row.batch,
                row.evaluations_per_second,
                row.batch_seconds * 1e3
            )?;
        }
        Ok(())
    }
}

/// Why a measurement ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The network could not be made ready.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// An evaluation failed, or it was stopped.
    #[error(transparent)]
    Evaluation(#[from] EvalError),
    /// There is no such board.
    #[error("a board of {0}x{1} cannot be measured")]
    Size(usize, usize),
}

/// Measures evaluations per second. `clock` is the time since some fixed moment.
///
/// # Errors
/// See [`BenchError`].
pub fn bench_network(
    file: &Arc<NetworkFile>,
    runtime: &Runtime,
    options: &BenchOptions,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<BenchReport, BenchError> {
    let (width, height) = options.size;
    let positions = positions(width, height, 16)?;
    let start = clock();
    let first = OrtEvaluator::new(runtime.clone(), Arc::clone(file), options.evaluator.clone());
    first.prepare(width, height, Topology::Plane).map_err(NetworkError::from)?;
    let load_seconds = (clock() - start).as_secs_f64();
    let (own_kernels, precision) = (first.uses_own_kernels(), first.precision());
    drop(first);
    let mut rows = Vec::new();
    for &threads in &options.threads {
        for &batch in &options.batches {
            let evaluator = EvaluatorOptions { sessions: threads, threads: 1, batch, ..options.evaluator.clone() };
            rows.push(measure(file, runtime, evaluator, &positions, options.time, clock, stop)?);
        }
    }
    Ok(BenchReport {
        network: file.model.name.clone(),
        device: options.evaluator.device,
        precision,
        runtime: runtime.version(),
        own_kernels,
        instructions: Instructions::best(),
        width,
        height,
        load_seconds,
        rows,
    })
}

fn measure(
    file: &Arc<NetworkFile>,
    runtime: &Runtime,
    options: EvaluatorOptions,
    positions: &[Game],
    time: Duration,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<BenchRow, BenchError> {
    let (sessions, threads, batch) = (options.sessions, options.threads, options.batch);
    let evaluator = OrtEvaluator::new(runtime.clone(), Arc::clone(file), options);
    let (evaluations_per_second, batch_seconds) = rate(&evaluator, positions, sessions * batch, time, clock, stop)?;
    Ok(BenchRow { sessions, threads, batch, evaluations_per_second, batch_seconds })
}

/// Evaluations a second of calls for so many positions, and the seconds of one call.
///
/// # Errors
/// Those of the evaluator.
pub fn rate(
    evaluator: &dyn Evaluator,
    positions: &[Game],
    asked: usize,
    time: Duration,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<(f64, f64), EvalError> {
    // Human-style networks will not answer without a profile.
    let profile: Option<PlayerProfile> = "rank_1d".parse().ok();
    let params = EvalParams { profile, include_ownership: true, ..EvalParams::default() };
    let requests: Vec<EvalRequest<'_>> =
        positions.iter().cycle().take(asked).map(|game| EvalRequest { game, params }).collect();
    // The first calls build the sessions and fill the caches.
    for _ in 0..2 {
        evaluator.evaluate(&requests, stop)?;
    }
    let start = clock();
    let mut calls = 0u32;
    let mut spent = Duration::ZERO;
    while spent < time || calls == 0 {
        evaluator.evaluate(&requests, stop)?;
        calls += 1;
        spent = clock() - start;
    }
    let seconds = spent.as_secs_f64().max(1e-9);
    Ok((f64::from(calls) * requests.len() as f64 / seconds, seconds / f64::from(calls)))
}

/// What subnormal weights cost: one network with them and with zeros in their place, measured by turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubnormalReport {
    /// Name of the network.
    pub network: String,
    /// What computed.
    pub device: Device,
    /// How numbers were stored.
    pub precision: Precision,
    /// Version of ONNX Runtime.
    pub runtime: String,
    /// Whether the project's own kernels computed the blocks.
    pub own_kernels: bool,
    /// The instructions that those use.
    pub instructions: Instructions,
    /// Sessions computing at the same time, one thread each.
    pub sessions: usize,
    /// Positions in each batch of a session.
    pub batch: usize,
    /// Weights that the file itself has below the smallest normal number; zero after reading.
    pub in_file: u64,
    /// Weights made subnormal for the measurement, after reading.
    pub planted: u64,
    /// Positions a second with the planted weights; the best round.
    pub with: f64,
    /// Positions a second with zeros in their place; the best round.
    pub without: f64,
    /// `without / with`: 1.0 where subnormal weights cost nothing.
    pub ratio: f64,
}

impl fmt::Display for SubnormalReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { network, device, precision, runtime, planted, with, without, ratio, .. } = self;
        let kernels =
            if self.own_kernels { format!(", own kernels with {}", self.instructions) } else { String::new() };
        writeln!(f, "{network} on {device}, {precision}, ONNX Runtime {runtime}{kernels}")?;
        write!(f, "{planted} subnormal weights: {with:.1} evaluations/s, zeros instead: {without:.1}, ratio {ratio:.2}")
    }
}

/// Every so many weights one is planted, about the share that the default network's file has.
const PLANTED_EVERY: u64 = 24;

/// Measures what subnormal weights cost, `options.time` for each of four rounds, with the first of the threads and
/// batches. They are planted into the model after reading, which would make them zero, so that it is the folding of
/// weights and the mode of the computing threads that are measured.
///
/// # Errors
/// See [`BenchError`].
pub fn bench_subnormals(
    file: &Arc<NetworkFile>,
    runtime: &Runtime,
    options: &BenchOptions,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<SubnormalReport, BenchError> {
    let (width, height) = options.size;
    let positions = positions(width, height, 16)?;
    let (sessions, batch) =
        (options.threads.first().copied().unwrap_or(1), options.batches.first().copied().unwrap_or(1));
    let mut planted = 0;
    let mut plant = |value: f32| {
        let mut copy = NetworkFile::clone(file);
        let mut number = 0u64;
        copy.model.map_weights(|weight| {
            number += 1;
            if number.is_multiple_of(PLANTED_EVERY) { value } else { weight }
        });
        planted = number / PLANTED_EVERY;
        Arc::new(copy)
    };
    let (with, without) = (plant(1e-40), plant(0.0));
    // Optimised graphs are kept by the file's checksum, which these do not have.
    let evaluator = EvaluatorOptions { sessions, threads: 1, batch, cache: None, ..options.evaluator.clone() };
    let own_kernels = OrtEvaluator::new(runtime.clone(), Arc::clone(&with), evaluator.clone()).uses_own_kernels();
    let mut best = [0.0f64; 2];
    for _ in 0..2 {
        for (best, file) in best.iter_mut().zip([&with, &without]) {
            let row = measure(file, runtime, evaluator.clone(), &positions, options.time, clock, stop)?;
            *best = best.max(row.evaluations_per_second);
        }
    }
    Ok(SubnormalReport {
        network: file.model.name.clone(),
        device: evaluator.device,
        precision: evaluator.precision,
        runtime: runtime.version(),
        own_kernels,
        instructions: Instructions::best(),
        sessions,
        batch,
        in_file: file.subnormal_weights,
        planted,
        with: best[0],
        without: best[1],
        ratio: best[1] / best[0],
    })
}

/// Settings to remember for a device and a network.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tuning {
    /// Sessions computing at the same time.
    pub sessions: usize,
    /// Positions in each batch of a session.
    pub batch: usize,
    /// What was measured with them.
    pub evaluations_per_second: f64,
}

/// Another setting must be faster than the usual one by this factor to be chosen: a measurement beside other work is
/// good to a tenth, and what is chosen stays.
const WORTH_CHANGING: f64 = 1.15;

/// Chooses threads and batch by measuring, about `time` for each of two or four settings. `evaluator` holds the usual
/// ones, which stay unless others are clearly faster. Precision is left alone: a lower one is a person's choice.
///
/// On a processor the question is whether its cores are real ones: half as many sessions are faster where two of them
/// share one core's arithmetic. On other devices it is how large a batch must be to fill them, and whether a second session
/// has the next batch ready in the meantime.
///
/// # Errors
/// See [`BenchError`].
pub fn tune(
    file: &Arc<NetworkFile>,
    runtime: &Runtime,
    evaluator: &EvaluatorOptions,
    time: Duration,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<Tuning, BenchError> {
    let usual = (evaluator.sessions, evaluator.batch);
    let is_processor = evaluator.device == Device::Cpu;
    let settings = if is_processor {
        vec![usual, (usual.0.div_ceil(2), usual.1)]
    } else {
        vec![usual, (usual.0, usual.1 * 2), (usual.0, usual.1.div_ceil(4)), (usual.0 * 2, usual.1)]
    };
    let positions = positions(19, 19, 16)?;
    let mut measured = Vec::new();
    for (sessions, batch) in settings {
        // A search on a processor asks for one position a session; larger batches gain nothing there.
        let asked = if is_processor { 1 } else { batch };
        let options = EvaluatorOptions { sessions, threads: 1, batch: asked, ..evaluator.clone() };
        let row = measure(file, runtime, options, &positions, time, clock, stop)?;
        measured.push(Tuning { sessions, batch, evaluations_per_second: row.evaluations_per_second });
    }
    Ok(choose(&measured).unwrap_or(Tuning { sessions: usual.0, batch: usual.1, evaluations_per_second: 0.0 }))
}

/// What computes the blocks of a network on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Kernels {
    /// The project's own.
    Own,
    /// Those of ONNX Runtime.
    OnnxRuntime,
}

/// Which kernels are faster for a network on this processor, and what was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KernelChoice {
    /// The faster ones.
    pub kernels: Kernels,
    /// Evaluations a second of the project's own kernels.
    pub own_per_second: f64,
    /// Evaluations a second of ONNX Runtime's.
    pub library_per_second: f64,
}

/// Measures the project's own kernels and ONNX Runtime's on a processor, about `time` each. Where the library is ahead
/// both are measured once more, by turns: the own ones stay unless it is clearly ahead both times. `None` where there is
/// nothing to choose: on other devices, on processors that the own kernels are not made for, and where they cannot compute
/// this network.
///
/// # Errors
/// See [`BenchError`].
pub fn choose_kernels(
    file: &Arc<NetworkFile>,
    runtime: &Runtime,
    options: &EvaluatorOptions,
    time: Duration,
    clock: &dyn Fn() -> Duration,
    stop: &StopFlag,
) -> Result<Option<KernelChoice>, BenchError> {
    let with = |own_kernels| {
        let options = EvaluatorOptions { own_kernels, ..options.clone() };
        OrtEvaluator::new(runtime.clone(), Arc::clone(file), options)
    };
    let (own, library) = (with(true), with(false));
    if !options.own_kernels || !own.uses_own_kernels() {
        return Ok(None);
    }
    let positions = positions(19, 19, 16)?;
    // A search on a processor asks for one position a session.
    let rate = |evaluator: &OrtEvaluator| {
        rate(evaluator, &positions, options.sessions, time, clock, stop).map(|(rate, _)| rate)
    };
    let mut choice = KernelChoice::of(rate(&own)?, rate(&library)?);
    if choice.kernels == Kernels::OnnxRuntime {
        let again = KernelChoice::of(rate(&own)?, rate(&library)?);
        choice = KernelChoice::of(
            choice.own_per_second.max(again.own_per_second),
            choice.library_per_second.min(again.library_per_second),
        );
    }
    Ok(Some(choice))
}

impl KernelChoice {
    fn of(own_per_second: f64, library_per_second: f64) -> Self {
        let is_clear = library_per_second > own_per_second * WORTH_CHANGING;
        let kernels = if is_clear { Kernels::OnnxRuntime } else { Kernels::Own };
        Self { kernels, own_per_second, library_per_second }
    }
}

/// The fastest of these, or the first where none is clearly faster.
fn choose(measured: &[Tuning]) -> Option<Tuning> {
    let usual = measured.first()?;
    let fastest = measured.iter().max_by(|a, b| a.evaluations_per_second.total_cmp(&b.evaluations_per_second))?;
    let is_clear = fastest.evaluations_per_second > usual.evaluations_per_second * WORTH_CHANGING;
    Some(if is_clear { *fastest } else { *usual })
}

/// Middle-game positions of random play, always the same ones.
///
/// # Errors
/// [`BenchError::Size`] for boards that cannot be.
pub fn positions(width: usize, height: usize, count: usize) -> Result<Vec<Game>, BenchError> {
    let size = BoardSize::new(width, height).map_err(|_| BenchError::Size(width, height))?;
    let preset = Preset::Chinese;
    let setup = Setup::new(size, Topology::Plane, preset.ruleset(), preset.komi());
    let mut random = Random::new(0);
    let mut games = Vec::new();
    for index in 0..count {
        let mut game = Game::new(setup.clone()).map_err(|_| BenchError::Size(width, height))?;
        for _ in 0..size.area() * (index + 1) / (2 * count) {
            let legal: Vec<_> = game.legal_points().collect();
            let Some(&point) = legal.get(random.below(legal.len().max(1))) else { break };
            if game.play(game.to_play(), Move::Place(point)).is_err() {
                break;
            }
        }
        games.push(game);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clearly_faster_setting_replaces_the_usual_one() {
        let row = |sessions, evaluations_per_second| Tuning { sessions, batch: 8, evaluations_per_second };
        assert_eq!(choose(&[row(8, 100.0), row(4, 110.0)]), Some(row(8, 100.0)));
        assert_eq!(choose(&[row(8, 100.0), row(4, 120.0)]), Some(row(4, 120.0)));
        assert_eq!(choose(&[row(8, 100.0), row(4, 120.0), row(2, 130.0)]), Some(row(2, 130.0)));
        assert_eq!(choose(&[]), None);
    }

    #[test]
    fn the_library_computes_only_where_it_is_clearly_faster() {
        let kernels = |own, library| KernelChoice::of(own, library).kernels;
        assert_eq!(kernels(10.0, 8.0), Kernels::Own);
        assert_eq!(kernels(10.0, 11.0), Kernels::Own);
        assert_eq!(kernels(10.0, 12.0), Kernels::OnnxRuntime);
    }

    #[test]
    fn the_same_positions_come_every_time() {
        let (a, b) = (positions(9, 9, 4).unwrap(), positions(9, 9, 4).unwrap());
        assert_eq!(a, b);
        assert!(a.iter().all(|game| !game.is_over()));
        assert!(a[3].turns().len() > a[0].turns().len());
        assert!(positions(1, 9, 4).is_err());
    }
}
