//! Learning: batches of rows, Adam, the state that a stopped run goes on from.

use std::collections::HashMap;
use std::path::Path;

use candle_core::{Device, Tensor};
use honinbo_evaluator::StopFlag;
use honinbo_net::model::{GLOBAL_CHANNELS, Model, SPATIAL_CHANNELS};
use honinbo_rules::{BoardSize, Point, Random, Symmetry, mix};
use honinbo_training::Losses;

use crate::config::FitConfig;
use crate::error::TrainError;
use crate::files::write_bytes;
use crate::loss::{Numbers, Targets, losses};
use crate::network::{BatchBoard, Trainee, inputs};
use crate::rows::{Rows, at};

/// A network in training, with all that the next step needs.
#[derive(Debug)]
pub struct Trainer {
    trainee: Trainee,
    /// Mean and mean square of the slopes, for each array.
    moments: Vec<[Vec<f32>; 2]>,
    /// Average of the weights, which is what gets written as a network.
    average: Vec<Vec<f32>>,
    state: TrainerState,
}

/// How far training has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrainerState {
    /// The generation that it has finished.
    pub generation: u32,
    /// Steps so far.
    pub steps: u64,
    /// Rows of self-play that it has seen the end of.
    pub rows: u64,
}

/// What a generation of steps came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitReport {
    /// Steps that were made.
    pub steps: usize,
    /// The mean over the last half of them.
    pub losses: Losses,
}

/// Adam (Kingma and Ba 2015) with decay beside it (Loshchilov and Hutter 2019).
const BETAS: (f64, f64) = (0.9, 0.99);
const EPSILON: f64 = 1e-7;
/// Longest slope of all weights together; longer ones are shortened.
const MAX_SLOPE: f64 = 2.0;
/// Steps until the step size has its full length.
const WARM_UP: f64 = 200.0;

impl Trainer {
    /// Begins with a network's weights.
    ///
    /// # Errors
    /// When the network has parts that training does not know.
    pub fn new(model: &Model, seed: u64) -> Result<Self, TrainError> {
        let trainee = Trainee::new(model, seed)?;
        let average: Vec<Vec<f32>> = weights(&trainee)?;
        let moments = average.iter().map(|array| [vec![0.0; array.len()], vec![0.0; array.len()]]).collect();
        Ok(Self { trainee, moments, average, state: TrainerState::default() })
    }

    /// How far it has come.
    #[must_use]
    pub fn state(&self) -> TrainerState {
        self.state
    }

    /// Notes that a generation is finished, with as many rows played up to it.
    pub fn finish(&mut self, generation: u32, rows: u64) {
        self.state.generation = generation;
        self.state.rows = rows;
    }

    /// The network as it would play now: the average of the last steps' weights.
    #[must_use]
    pub fn model(&self, name: &str) -> Model {
        self.trainee.model(name, &self.average)
    }

    /// Makes so many steps on batches drawn from `rows`. Nothing is written.
    ///
    /// # Errors
    /// When a number is none any more, or somebody asked for an end.
    pub fn fit(
        &mut self,
        rows: &Rows,
        steps: usize,
        config: &FitConfig,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<FitReport, TrainError> {
        keep_memory();
        let mut batches = Batches::new(rows, config.batch, seed);
        let (mut sum, mut counted) = (Losses::default(), 0);
        for step in 1..=steps {
            if stop.is_set() {
                return Err(TrainError::Stopped);
            }
            let Some(batch) = batches.draw() else { break };
            let found = self.step(batch, config)?;
            if !found.total.is_finite() {
                return Err(TrainError::NotFinite { generation: self.state.generation + 1, step });
            }
            if 2 * step > steps {
                sum.add(&found);
                counted += 1;
            }
        }
        if self.average.iter().flatten().any(|weight| !weight.is_finite()) {
            return Err(TrainError::NotFinite { generation: self.state.generation + 1, step: steps });
        }
        Ok(FitReport { steps, losses: sum.scaled(1.0 / f64::from(counted.max(1))) })
    }

    /// The mean loss over a batch, for tests and measurements; nothing is learnt.
    #[cfg(test)]
    pub(crate) fn loss_of(&self, batch: Batch) -> Result<Losses, TrainError> {
        let (spatial, global) = inputs(batch.board, batch.planes, batch.globals)?;
        let outputs = self.trainee.forward(batch.board, &spatial, &global)?;
        Ok(losses(self.trainee.form(), batch.board.area(), &read(&outputs.all())?, &batch.targets).0)
    }

    fn step(&mut self, batch: Batch, config: &FitConfig) -> Result<Losses, TrainError> {
        let (spatial, global) = inputs(batch.board, batch.planes, batch.globals)?;
        let outputs = self.trainee.forward(batch.board, &spatial, &global)?;
        let outputs = outputs.all();
        let (found, slopes) = losses(self.trainee.form(), batch.board.area(), &read(&outputs)?, &batch.targets);
        if !found.total.is_finite() {
            return Ok(found);
        }
        // A sum of outputs, each times its slope, has these slopes.
        let slopes = [slopes.policy, slopes.reply, slopes.value, slopes.score, slopes.ownership, slopes.soon];
        let mut surface: Option<Tensor> = None;
        for (output, slope) in outputs.into_iter().zip(slopes) {
            let slope = Tensor::from_vec(slope, output.shape().clone(), &Device::Cpu)?;
            let part = (output * slope)?.sum_all()?;
            surface = Some(match surface {
                Some(sum) => (sum + part)?,
                None => part,
            });
        }
        let Some(surface) = surface else { return Ok(found) };
        let grads = surface.backward()?;
        let mut slopes = Vec::with_capacity(self.trainee.vars().len());
        for var in self.trainee.vars() {
            slopes.push(match grads.get(var) {
                Some(slope) => slope.flatten_all()?.to_vec1::<f32>()?,
                None => vec![0.0; var.elem_count()],
            });
        }
        let length = slopes.iter().flatten().map(|slope| f64::from(*slope).powi(2)).sum::<f64>().sqrt();
        if !length.is_finite() {
            return Ok(Losses { total: f64::NAN, ..found });
        }
        self.descend(&slopes, length, config)?;
        Ok(found)
    }

    /// `length`: of all slopes as one vector.
    fn descend(&mut self, slopes: &[Vec<f32>], length: f64, config: &FitConfig) -> Result<(), TrainError> {
        let shorten = if length > MAX_SLOPE { MAX_SLOPE / length } else { 1.0 };
        self.state.steps += 1;
        let steps = self.state.steps as f64;
        let rate = config.learning_rate * (steps / WARM_UP).min(1.0);
        let (first_bias, second_bias) = (1.0 - BETAS.0.powf(steps), 1.0 - BETAS.1.powf(steps));
        // Early steps leave no long shadow.
        let keep = config.average.min((1.0 + steps) / (10.0 + steps));
        let arrays = self.trainee.vars().iter().zip(slopes).zip(self.moments.iter_mut().zip(&mut self.average));
        for ((var, slope), ([first, second], average)) in arrays {
            let shape = var.shape().clone();
            let decay = if shape.rank() == 2 { rate * config.weight_decay } else { 0.0 };
            let mut weights = var.flatten_all()?.to_vec1::<f32>()?;
            for (index, weight) in weights.iter_mut().enumerate() {
                let slope = f64::from(slope[index]) * shorten;
                let mean = BETAS.0 * f64::from(first[index]) + (1.0 - BETAS.0) * slope;
                let square = BETAS.1 * f64::from(second[index]) + (1.0 - BETAS.1) * slope * slope;
                (first[index], second[index]) = (mean as f32, square as f32);
                let step = rate * (mean / first_bias) / ((square / second_bias).sqrt() + EPSILON);
                *weight = (f64::from(*weight) * (1.0 - decay) - step) as f32;
                average[index] = (keep * f64::from(average[index]) + (1.0 - keep) * f64::from(*weight)) as f32;
            }
            var.set(&Tensor::from_vec(weights, shape, &Device::Cpu)?)?;
        }
        Ok(())
    }

    /// Writes everything that the next step needs, whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TrainError> {
        let mut tensors: Vec<(String, Tensor)> = Vec::new();
        let mut put = |name: String, values: &[f32]| -> Result<(), TrainError> {
            tensors.push((name, Tensor::from_slice(values, values.len(), &Device::Cpu)?));
            Ok(())
        };
        for (index, values) in weights(&self.trainee)?.iter().enumerate() {
            put(format!("weight{index:04}"), values)?;
            put(format!("average{index:04}"), &self.average[index])?;
            put(format!("first{index:04}"), &self.moments[index][0])?;
            put(format!("second{index:04}"), &self.moments[index][1])?;
        }
        let TrainerState { generation, steps, rows } = self.state;
        let state = [i64::from(generation), steps.cast_signed(), rows.cast_signed()];
        tensors.push((STATE.to_owned(), Tensor::from_slice(&state, 3, &Device::Cpu)?));
        // The framework writes to a path only: beside the place first, then as any other file.
        let folder = path.parent().unwrap_or_else(|| Path::new("."));
        let beside = tempfile::Builder::new()
            .prefix(".unfinished-")
            .tempfile_in(folder)
            .map_err(TrainError::writing(path))?
            .into_temp_path();
        let tensors: HashMap<String, Tensor> = tensors.into_iter().collect();
        let refused = |error| TrainError::writing(path)(std::io::Error::other(error));
        candle_core::safetensors::save(&tensors, &beside).map_err(refused)?;
        let bytes = std::fs::read(&beside).map_err(TrainError::writing(path))?;
        write_bytes(path, &bytes)
    }

    /// Reads what [`Trainer::save`] wrote; `model` is the network that the run began with.
    ///
    /// # Errors
    /// When the file is damaged or of another network.
    pub fn load(path: &Path, model: &Model) -> Result<Self, TrainError> {
        let damaged = |reason: String| TrainError::Checkpoint { path: path.to_path_buf(), reason };
        let bytes = std::fs::read(path).map_err(TrainError::reading(path))?;
        let mut tensors =
            candle_core::safetensors::load_buffer(&bytes, &Device::Cpu).map_err(|error| damaged(error.to_string()))?;
        let mut trainer = Self::new(model, 0)?;
        let mut take = |name: String, length: usize| -> Result<Vec<f32>, TrainError> {
            let tensor = tensors.remove(&name).ok_or_else(|| damaged(format!("{name} is missing")))?;
            let values = tensor.to_vec1::<f32>().map_err(|error| damaged(error.to_string()))?;
            if values.len() != length {
                return Err(damaged(format!("{name} has {} numbers, not {length}", values.len())));
            }
            if values.iter().all(|value| value.is_finite()) {
                Ok(values)
            } else {
                Err(damaged(format!("{name} has numbers that are none")))
            }
        };
        for index in 0..trainer.average.len() {
            let length = trainer.average[index].len();
            let weights = take(format!("weight{index:04}"), length)?;
            let var = &trainer.trainee.vars()[index];
            var.set(&Tensor::from_vec(weights, var.shape().clone(), &Device::Cpu)?)?;
            trainer.average[index] = take(format!("average{index:04}"), length)?;
            trainer.moments[index] =
                [take(format!("first{index:04}"), length)?, take(format!("second{index:04}"), length)?];
        }
        let state = tensors.remove(STATE).ok_or_else(|| damaged("its state is missing".to_owned()))?;
        let state = state.to_vec1::<i64>().map_err(|error| damaged(error.to_string()))?;
        let [generation, steps, rows] = state[..] else { return Err(damaged("its state is damaged".to_owned())) };
        let positive = |value: i64| u64::try_from(value).map_err(|_| damaged("its state is damaged".to_owned()));
        trainer.state = TrainerState {
            generation: u32::try_from(generation).map_err(|_| damaged("its state is damaged".to_owned()))?,
            steps: positive(steps)?,
            rows: positive(rows)?,
        };
        Ok(trainer)
    }
}

const STATE: &str = "state";

/// Has the C library of Linux keep memory between steps.
///
/// It gives what is free at the end of its heap back to the system, twice as much as the largest block that ever came
/// back to it excepted, and a step that gets its memory anew has every page of it cleared first: half of the time of a
/// small network. A block of this size, which nothing writes to, is the largest that counts; elsewhere it does no harm.
fn keep_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(31 << 20)));
}

fn weights(trainee: &Trainee) -> Result<Vec<Vec<f32>>, TrainError> {
    let arrays: candle_core::Result<_> = trainee.vars().iter().map(|var| var.flatten_all()?.to_vec1::<f32>()).collect();
    Ok(arrays?)
}

fn read(outputs: &[&Tensor; 6]) -> candle_core::Result<Numbers> {
    let numbers = |index: usize| outputs[index].flatten_all()?.to_vec1::<f32>();
    Ok(Numbers {
        policy: numbers(0)?,
        reply: numbers(1)?,
        value: numbers(2)?,
        score: numbers(3)?,
        ownership: numbers(4)?,
        soon: numbers(5)?,
    })
}

/// Positions that are learnt from together.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) board: BatchBoard,
    pub(crate) planes: Vec<f32>,
    pub(crate) globals: Vec<f32>,
    pub(crate) targets: Targets,
}

/// Batches without end: every row once before one comes again, in another order and turned another way each time; on a
/// torus also moved. Each batch is of one kind of board, and kinds come as often as they have rows.
pub(crate) struct Batches<'a> {
    rows: &'a Rows,
    batch: usize,
    random: Random,
    /// Rows of each kind of board that were not used in this round.
    kinds: Vec<(BatchBoard, Vec<usize>, Vec<usize>)>,
}

impl<'a> Batches<'a> {
    pub(crate) fn new(rows: &'a Rows, batch: usize, seed: u64) -> Self {
        let mut kinds: Vec<(BatchBoard, Vec<usize>, Vec<usize>)> = Vec::new();
        for row in 0..rows.len() {
            if rows.target(row, at::WEIGHT) <= 0.0 {
                continue;
            }
            let board = rows.board(row);
            match kinds.iter_mut().find(|(kind, _, _)| *kind == board) {
                Some((_, all, _)) => all.push(row),
                None => kinds.push((board, vec![row], Vec::new())),
            }
        }
        Self { rows, batch, random: Random::new(mix(seed ^ 0x6261_7463)), kinds }
    }

    pub(crate) fn draw(&mut self) -> Option<Batch> {
        let total: usize = self.kinds.iter().map(|(_, all, _)| all.len()).sum();
        let mut pick = self.random.below(total.max(1));
        let kind = self.kinds.iter().position(|(_, all, _)| {
            let is_it = pick < all.len();
            if !is_it {
                pick -= all.len();
            }
            is_it
        })?;
        let (board, all, left) = &mut self.kinds[kind];
        let mut batch = Batch { board: *board, planes: Vec::new(), globals: Vec::new(), targets: Targets::default() };
        for _ in 0..self.batch {
            if left.is_empty() {
                left.extend_from_slice(all);
            }
            let row = left.swap_remove(self.random.below(left.len()));
            let turn = Turn::random(*board, &mut self.random);
            batch.push(self.rows, row, &turn);
        }
        Some(batch)
    }
}

/// Where each point of a board goes.
pub(crate) struct Turn {
    to: Vec<usize>,
}

impl Turn {
    pub(crate) fn none(board: BatchBoard) -> Self {
        Self { to: (0..board.area()).collect() }
    }

    /// A symmetry that keeps the board's form; on a torus it is moved as well.
    fn random(board: BatchBoard, random: &mut Random) -> Self {
        let BatchBoard { width, height, wrap_x, wrap_y } = board;
        let Ok(size) = BoardSize::new(width, height) else { return Self::none(board) };
        let keeps_form = width == height && wrap_x == wrap_y;
        let symmetry = Symmetry::ALL[random.below(if keeps_form { 8 } else { 4 })];
        let (by_x, by_y) = (random.below(width), random.below(height));
        let (by_x, by_y) = (if wrap_x { by_x } else { 0 }, if wrap_y { by_y } else { 0 });
        let to = (0..board.area())
            .map(|index| {
                let point = symmetry.apply(Point::from_index(index, size), size);
                (point.y() + by_y) % height * width + (point.x() + by_x) % width
            })
            .collect();
        Self { to }
    }
}

impl Batch {
    /// Appends a row, turned.
    pub(crate) fn push(&mut self, rows: &Rows, row: usize, turn: &Turn) {
        let BatchBoard { width, .. } = self.board;
        let area = self.board.area();
        let [_, globals, policy, _, _, spatial, _, _] = rows.widths();
        let square = rows.square();
        let in_square = |index: usize| index / width * rows.side + index % width;
        let start = self.planes.len();
        self.planes.resize(start + area * SPATIAL_CHANNELS, 0.0);
        let planes = &mut self.planes[start..];
        for index in 0..area {
            let to = &mut planes[turn.to[index] * SPATIAL_CHANNELS..][..SPATIAL_CHANNELS];
            for (plane, value) in to.iter_mut().enumerate() {
                *value = f32::from(u8::from(rows.is_set(row, plane, in_square(index))));
            }
        }
        self.globals.extend_from_slice(&rows.globals[row * globals..][..GLOBAL_CHANNELS]);

        let target = |place: usize| rows.target(row, place);
        let targets = &mut self.targets;
        targets.weight.push(target(at::WEIGHT));
        for (kind, into) in [(0, &mut targets.policy), (1, &mut targets.reply)] {
            let shares = &rows.policy[row * policy + kind * (square + 1)..][..=square];
            let share = |index: usize| f32::from(shares[index].max(0));
            let sum: f32 = (0..area).map(|index| share(in_square(index))).sum::<f32>() + share(square);
            let sum = sum.max(1.0);
            let start = into.len();
            into.resize(start + area + 1, 0.0);
            for index in 0..area {
                into[start + turn.to[index]] = share(in_square(index)) / sum;
            }
            into[start + area] = share(square) / sum;
        }
        targets.policy_weight.push(target(at::POLICY_WEIGHT));
        targets.reply_weight.push(target(at::REPLY_WEIGHT));
        targets.value.extend((0..3).map(|index| target(at::RESULT + index)));
        targets.soon.extend((0..4).map(|index| target(at::SOON + index)));
        targets.score.push(target(at::SCORE));
        targets.score_weight.push(target(at::SCORE_WEIGHT));
        targets.lead.push(target(at::LEAD));
        targets.lead_weight.push(target(at::LEAD_WEIGHT));
        targets.time.push(target(at::TIME));
        let owners = &rows.spatial[row * spatial..][..square];
        let start = targets.ownership.len();
        targets.ownership.resize(start + area, 0.0);
        for index in 0..area {
            targets.ownership[start + turn.to[index]] = f32::from(owners[in_square(index)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkShape;
    use crate::game::SelfPlayer;
    use crate::{RunConfig, SelfPlayConfig};
    use honinbo_evaluator::{EvalParams, EvalRequest, Evaluator};
    use honinbo_net::{EvaluatorOptions, LibrarySearch, Limits, NetworkFile, OrtEvaluator, Runtime, to_bin_gz};
    use honinbo_rules::{Color, Game};
    use honinbo_testkit::{UniformEvaluator, fixtures};
    use std::sync::Arc;

    fn rows(side: usize, torus: bool) -> Rows {
        let mut config = RunConfig::on(side, torus);
        config.selfplay = SelfPlayConfig { visits: 16, cheap_visits: 4, cheap_share: 0.3, ..config.selfplay };
        let player = SelfPlayer { config: &config, evaluator: Arc::new(UniformEvaluator::default()), fair: &[0.0] };
        let mut rows = Rows::new(side);
        (0..6).for_each(|seed| rows.append(&player.play(seed, &StopFlag::new()).unwrap().rows));
        rows
    }

    fn tiny() -> Model {
        NetworkShape { blocks: 2, channels: 8, ..NetworkShape::default() }.random("tiny", 1)
    }

    fn all(rows: &Rows) -> Batch {
        let board = rows.board(0);
        let mut batch = Batch { board, planes: Vec::new(), globals: Vec::new(), targets: Targets::default() };
        (0..rows.len()).for_each(|row| batch.push(rows, row, &Turn::none(board)));
        batch
    }

    #[test]
    fn steps_lower_the_loss_and_a_checkpoint_goes_on_the_same() {
        learns(&tiny(), 1e-2);
    }

    #[test]
    fn attention_learns_too() {
        let shape = NetworkShape { blocks: 1, channels: 16, attention: true, ..NetworkShape::default() };
        learns(&shape.random("attending", 2), 5e-3);
    }

    fn learns(model: &Model, learning_rate: f64) {
        let rows = rows(4, false);
        let config = FitConfig { batch: 16, learning_rate, average: 0.9, ..FitConfig::default() };
        let mut trainer = Trainer::new(model, 1).unwrap();
        let before = trainer.loss_of(all(&rows)).unwrap();
        trainer.fit(&rows, 120, &config, 7, &StopFlag::new()).unwrap();
        let after = trainer.loss_of(all(&rows)).unwrap();
        assert!(after.total < 0.9 * before.total, "{before:?} {after:?}");
        assert!(after.value < before.value && after.ownership < before.ownership && after.policy < before.policy);

        trainer.finish(3, rows.len() as u64);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.safetensors");
        trainer.save(&path).unwrap();
        let mut again = Trainer::load(&path, model).unwrap();
        assert_eq!(again.state(), trainer.state());
        for trainer in [&mut trainer, &mut again] {
            trainer.fit(&rows, 3, &config, 8, &StopFlag::new()).unwrap();
        }
        assert_eq!(trainer.model("a"), again.model("a"));
    }

    /// From games that the komi decides, one for each colour: the network that is written says so of their positions,
    /// whoever is to move.
    #[test]
    fn a_network_says_what_it_was_taught() {
        let library = LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]);
        let Ok(runtime) = Runtime::load(&library) else { return fixtures::skip("there is no ONNX Runtime") };
        let games = Color::ALL.map(|winner| {
            let komi = if winner == Color::White { 12.5 } else { -12.5 };
            let mut config = RunConfig::on(4, false);
            config.selfplay = SelfPlayConfig { visits: 16, cheap_share: 0.0, ..config.selfplay };
            (config.boards[0].komi, config.boards[0].komi_spread) = (Some(komi), 0.0);
            let player = SelfPlayer { config: &config, evaluator: Arc::new(UniformEvaluator::default()), fair: &[0.0] };
            let mut played = (0..50).map(|seed| player.play(seed, &StopFlag::new()).unwrap());
            let is_wanted = |game: &Game, won_by: Option<Color>| won_by == Some(winner) && game.komi().points() == komi;
            let found = played.find(|learnt| is_wanted(&learnt.played.game, learnt.played.outcome.winner()));
            found.expect("nearly every game is such a one")
        });
        let mut rows = Rows::new(4);
        games.iter().for_each(|learnt| rows.append(&learnt.rows));
        let model = tiny();
        let mut trainer = Trainer::new(&model, 1).unwrap();
        let config = FitConfig { batch: 16, learning_rate: 6e-3, average: 0.9, ..FitConfig::default() };
        trainer.fit(&rows, 400, &config, 7, &StopFlag::new()).unwrap();

        let written = |model: &Model| {
            let file = NetworkFile::from_bytes("a.bin.gz", &to_bin_gz(model), &Limits::default()).unwrap();
            OrtEvaluator::new(runtime.clone(), Arc::new(file), EvaluatorOptions::cpu(1))
        };
        let [before, after] = [written(&model), written(&trainer.model("taught"))];
        let ask = |network: &OrtEvaluator, game: &Game| {
            let params = EvalParams { include_ownership: true, ..EvalParams::default() };
            network.evaluate(&[EvalRequest { game, params }], &StopFlag::new()).unwrap().remove(0)
        };
        // By who is to move: how far the ownership is the one at the end, and how much more the moves are thought of.
        let (mut agreed, mut liked) = ([0.0; 2], [0.0; 2]);
        for learnt in &games {
            let end = &learnt.played.game;
            let white_wins = learnt.played.outcome.winner() == Some(Color::White);
            for row in 0..learnt.rows.len() {
                let mut game = Game::new(end.setup().clone()).unwrap();
                for turn in &end.turns()[..learnt.rows.target(row, at::TURN) as usize] {
                    game.play(turn.color, turn.played).unwrap();
                }
                let mover = game.to_play();
                let answer = ask(&after, &game);
                assert_eq!(answer.white_win > answer.white_loss, white_wins, "{mover:?}, {row}: {answer:?}");
                assert_eq!(answer.white_lead > 0.0, white_wins, "{mover:?}, {row}: {answer:?}");
                let white_ownership = answer.white_ownership.as_deref().unwrap();
                for (owner, white) in end.score().map.iter().zip(white_ownership) {
                    agreed[mover.index()] += match owner {
                        Some(Color::White) => *white,
                        Some(Color::Black) => -white,
                        None => 0.0,
                    };
                }
                let shares = &learnt.rows.policy[row * 2 * 17..][..17];
                let best = (0..17).max_by_key(|&index| shares[index]).unwrap();
                liked[mover.index()] += answer.policy[best] - ask(&before, &game).policy[best];
            }
        }
        assert!(agreed.iter().all(|sum| *sum > 0.0), "{agreed:?}");
        assert!(liked.iter().all(|sum| *sum > 0.0), "{liked:?}");
    }

    #[test]
    fn damaged_checkpoints_and_those_of_other_networks_are_refused() {
        let model = tiny();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.safetensors");
        Trainer::new(&model, 1).unwrap().save(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8], model: &Model| {
            std::fs::write(&path, bytes).unwrap();
            matches!(Trainer::load(&path, model), Err(TrainError::Checkpoint { .. }))
        };
        assert!(refused(&whole[..whole.len() / 2], &model));
        assert!(refused(b"", &model));
        let mut not_numbers = whole.clone();
        let end = not_numbers.len() - 400;
        not_numbers[end..].fill(0xff);
        assert!(refused(&not_numbers, &model));
        let other = NetworkShape { blocks: 2, channels: 12, ..NetworkShape::default() }.random("other", 1);
        assert!(refused(&whole, &other));
        assert!(!refused(&whole, &model));
    }

    #[test]
    fn a_network_that_is_no_number_any_more_is_an_error() {
        let mut model = tiny();
        model.policy.logits.weights.fill(1e38);
        model.policy.points.weights.fill(1e38);
        let mut trainer = Trainer::new(&model, 1).unwrap();
        let found = trainer.fit(&rows(4, false), 2, &FitConfig::default(), 1, &StopFlag::new());
        assert!(matches!(found, Err(TrainError::NotFinite { generation: 1, step: 1 })), "{found:?}");
    }

    #[test]
    fn turning_a_board_turns_everything_that_belongs_to_it() {
        for torus in [false, true] {
            let rows = rows(4, torus);
            let board = rows.board(0);
            let mut random = Random::new(3);
            let mut moved = false;
            for _ in 0..20 {
                let turn = Turn::random(board, &mut random);
                let mut sorted = turn.to.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..16).collect::<Vec<_>>(), "no point is lost");
                let mut batch = Batch { board, planes: vec![], globals: vec![], targets: Targets::default() };
                batch.push(&rows, 2, &turn);
                batch.push(&rows, 2, &Turn::none(board));
                let [turned, plain] =
                    [0, 1].map(|half| &batch.planes[half * 16 * SPATIAL_CHANNELS..][..16 * SPATIAL_CHANNELS]);
                for from in 0..16 {
                    let to = turn.to[from];
                    let of =
                        |planes: &[f32], point: usize| planes[point * SPATIAL_CHANNELS..][..SPATIAL_CHANNELS].to_vec();
                    assert_eq!(of(turned, to), of(plain, from));
                    assert_eq!(batch.targets.ownership[to], batch.targets.ownership[16 + from]);
                    assert_eq!(batch.targets.policy[to], batch.targets.policy[17 + from]);
                }
                // No symmetry takes a corner anywhere but into a corner.
                moved |= !torus || ![0, 3, 12, 15].contains(&turn.to[0]);
            }
            assert!(moved, "a torus is moved, too");
        }
    }
}
