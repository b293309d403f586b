//! One game against itself, and what there is to learn from it.

use std::sync::Arc;

use honinbo_evaluator::{EvalParams, EvalRequest, Evaluator, StopFlag};
use honinbo_net::model::{GLOBAL_CHANNELS, SPATIAL_CHANNELS};
use honinbo_net::{FeatureOptions, encode};
use honinbo_players::{Ending, PlayedGame};
use honinbo_rules::{Color, Game, Komi, Move, Outcome, Random, Setup, mix};
use honinbo_search::{Perspective, ReportOptions, Search, SearchError, SearchLimits, SearchParams, SearchReport};

use crate::config::{BoardConfig, RunConfig, SelfPlayConfig};
use crate::error::TrainError;
use crate::rows::{EXTRA_SCORES, FORMAT, Q_TARGETS, Rows, SPATIAL_TARGETS, TARGETS, at, pack};

/// A game and its rows.
#[derive(Debug)]
pub struct LearntGame {
    /// The game, as a contest would have it.
    pub played: PlayedGame,
    /// A row for every search that is learnt from.
    pub rows: Rows,
    /// Visits of all its searches.
    pub visits: u64,
}

/// Values of a position from White's side.
#[derive(Debug, Clone, Copy, Default)]
struct Values {
    win: f64,
    loss: f64,
    no_result: f64,
    score: f64,
}

/// What a turn's search leaves for the rows.
struct Searched {
    mover: Color,
    turn: usize,
    values: Values,
    /// Weight of each move, as the search would play it.
    policy: Vec<(usize, i16)>,
    /// Kept of searches that are learnt from.
    learnt: Option<Learnt>,
}

struct Learnt {
    planes: Vec<u8>,
    globals: Vec<f32>,
    komi: f32,
    q_values: Vec<(usize, [f64; 2], u64)>,
    visits: u64,
    raw: [f64; 2],
    surprise: f64,
    raw_entropy: f64,
    entropy: f64,
}

/// Plays games of one kind.
pub(crate) struct SelfPlayer<'a> {
    pub(crate) config: &'a RunConfig,
    pub(crate) evaluator: Arc<dyn Evaluator>,
    /// The komi that the network takes to be fair, for each board of the configuration.
    pub(crate) fair: &'a [f64],
}

/// Searches that are learnt from have noise at the root and no memory of others; names as in KataGo's configuration of
/// self-play (v1.17.2, `selfplay1.cfg`), what is not named here has the search's own defaults.
fn params(config: &SelfPlayConfig, learnt: bool) -> SearchParams {
    SearchParams {
        wide_root_noise: 0.0,
        ignore_pre_root_history: false,
        policy_optimism: 0.0,
        root_policy_optimism: 0.0,
        root_symmetry_pruning: false,
        conservative_pass: false,
        enable_passing_hacks: false,
        enable_more_passing_hacks: false,
        use_uncertainty: false,
        use_lcb_for_selection: false,
        chosen_move_temperature_early: config.temperature[0],
        chosen_move_temperature: config.temperature[1],
        root_policy_temperature_early: if learnt { 1.25 } else { 1.0 },
        root_policy_temperature: if learnt { 1.1 } else { 1.0 },
        root_noise_enabled: learnt && config.noise > 0.0,
        root_dirichlet_noise_weight: config.noise,
        root_fpu_reduction_max: if learnt { 0.0 } else { 0.1 },
        root_desired_per_child_visits_coeff: if learnt { config.forced_playouts } else { 0.0 },
        ..SearchParams::analysis()
    }
}

/// The params of a search that plays as well as it can.
pub(crate) fn playing_params(temperature: bool) -> SearchParams {
    let [early, late] = if temperature { [0.5, 0.1] } else { [0.0, 0.0] };
    SearchParams {
        wide_root_noise: 0.0,
        ignore_pre_root_history: false,
        policy_optimism: 0.0,
        root_policy_optimism: 0.0,
        use_uncertainty: false,
        chosen_move_temperature_early: early,
        chosen_move_temperature: late,
        ..SearchParams::analysis()
    }
}

pub(crate) fn limits(visits: u64) -> SearchLimits {
    SearchLimits { max_visits: visits, include_ownership: false, ..SearchLimits::default() }
}

/// Moves after which a game is counted as it stands.
pub(crate) fn move_limit(area: usize) -> usize {
    3 * area + 20
}

/// What the rows of the game that follows from a seed call it.
pub(crate) fn game_hash(seed: u64) -> u64 {
    mix(seed)
}

impl SelfPlayer<'_> {
    /// Plays the game that follows from a seed.
    pub(crate) fn play(&self, seed: u64, stop: &StopFlag) -> Result<LearntGame, TrainError> {
        let mut random = Random::new(seed);
        let board = self.draw_board(&mut random);
        let setup = self.setup(board, &mut random)?;
        let mut game = Game::new(setup).map_err(|error| TrainError::Setting {
            what: "boards",
            value: error.to_string(),
            expected: "a board on which a game can begin",
        })?;
        let area = game.board().size().area();
        let opening = self.open(&mut game, &mut random, stop)?;
        let mut turns: Vec<Searched> = Vec::new();
        let mut visits = 0;
        let mut tree: Option<Search> = None;
        while !game.is_over() && game.turns().len() < move_limit(area) {
            let learnt = random.unit() >= self.config.selfplay.cheap_share;
            let (searched, played, spent) = self.turn(&game, &mut tree, learnt, random.next_u64(), stop)?;
            visits += spent;
            turns.push(searched);
            if game.play(game.to_play(), played).is_err() {
                // The search offers what the rules allow; were it otherwise, the game would end here.
                break;
            }
            // What this search found of the next position serves a cheap one, as in KataGo's self-play.
            tree = tree.filter(|tree| tree.advance_with(played, params(&self.config.selfplay, false)).is_ok());
        }
        let ended = game.is_over();
        let rows = self.rows(&game, &turns, ended, game_hash(seed));
        let outcome = final_outcome(&game);
        let ending = match outcome {
            Outcome::NoResult => Ending::Repetition,
            _ if ended => Ending::Passes { played_on: false },
            _ => Ending::MoveLimit,
        };
        let (clock, time_left) = (None, Vec::new());
        let played = PlayedGame { game, outcome, ending, opening, stood_in: [0; 2], clock, time_left };
        Ok(LearntGame { played, rows, visits })
    }

    fn draw_board(&self, random: &mut Random) -> usize {
        let boards = &self.config.boards;
        let mut left = random.unit() * boards.iter().map(|board| board.weight).sum::<f64>();
        boards
            .iter()
            .position(|board| {
                left -= board.weight;
                left < 0.0
            })
            .unwrap_or(boards.len() - 1)
    }

    fn setup(&self, board: usize, random: &mut Random) -> Result<Setup, TrainError> {
        let config = &self.config.boards[board];
        let (size, area) = (config.size()?, (config.width * config.height) as f64);
        let komi = if random.unit() < 0.05 {
            // Now and then a game that one side has all but won, so that the network knows those.
            area * (2.0 * random.unit() - 1.0)
        } else {
            config.komi.unwrap_or(self.fair[board]) + config.komi_spread * gaussian(random)
        };
        let komi = rounded_komi(komi, area);
        Ok(Setup::new(size, config.topology(), self.config.ruleset()?, komi))
    }

    /// A few moves drawn from the policy alone: their number is drawn, too.
    fn open(&self, game: &mut Game, random: &mut Random, stop: &StopFlag) -> Result<usize, TrainError> {
        let size = game.board().size();
        let mean = self.config.selfplay.opening_moves * size.area() as f64;
        let moves = (-mean * (1.0 - random.unit()).ln()) as usize;
        for played in 0..moves.min(size.area()) {
            let request =
                EvalRequest { game: &*game, params: EvalParams { any_symmetry: true, ..EvalParams::default() } };
            let answers = self.evaluator.evaluate(&[request], stop).map_err(SearchError::Evaluation)?;
            let Some(answer) = answers.first() else { return Ok(played) };
            // Passes in the opening say nothing.
            let mut left =
                random.unit() * answer.policy[..size.area()].iter().map(|p| f64::from(p.max(0.0))).sum::<f64>();
            let drawn = answer.policy[..size.area()].iter().position(|p| {
                left -= f64::from(p.max(0.0));
                *p > 0.0 && left < 0.0
            });
            let Some(index) = drawn else { return Ok(played) };
            let point = honinbo_rules::Point::from_index(index, size);
            if game.play(game.to_play(), Move::Place(point)).is_err() {
                return Ok(played);
            }
        }
        Ok(moves.min(size.area()))
    }

    /// Searches the end of `game`: anew where it is learnt from, else from what `tree` knows of it. The number is that of
    /// visits that were made.
    fn turn(
        &self,
        game: &Game,
        tree: &mut Option<Search>,
        learnt: bool,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<(Searched, Move, u64), TrainError> {
        let config = &self.config.selfplay;
        let search = match tree.take().filter(|_| !learnt) {
            Some(search) => search,
            None => Search::new(Arc::clone(&self.evaluator), game.clone(), params(config, learnt), seed)?,
        };
        let search = tree.insert(search);
        let run = search.run(&limits(if learnt { config.visits } else { config.cheap_visits }), stop)?;
        if stop.is_set() {
            return Err(TrainError::Stopped);
        }
        let options = ReportOptions {
            perspective: Perspective::White,
            pv_len: 0,
            symmetric_images: false,
            ..ReportOptions::default()
        };
        let report = search.report(&options).ok_or(TrainError::Stopped)?;
        let played = search.choose_move().unwrap_or(Move::Pass);
        let root = &report.root;
        let lead = 2.0 * root.win_rate - 1.0;
        let values = Values {
            win: (0.5 * (1.0 - root.no_result + lead)).clamp(0.0, 1.0),
            loss: (0.5 * (1.0 - root.no_result - lead)).clamp(0.0, 1.0),
            no_result: root.no_result,
            score: root.score_selfplay,
        };
        let policy = policy_of(&report, game);
        let searched = Searched {
            mover: game.to_play(),
            turn: game.turns().len(),
            values,
            learnt: learnt.then(|| self.learnt(game, &report, &policy)),
            policy,
        };
        Ok((searched, played, run.playouts))
    }

    fn learnt(&self, game: &Game, report: &SearchReport, policy: &[(usize, i16)]) -> Learnt {
        let side = self.config.side();
        let options =
            FeatureOptions { width: side, height: side, pass_alive_under_suicide: false, exclude_beside_atari: false };
        let mut spatial = vec![0.0; SPATIAL_CHANNELS * side * side];
        let mut globals = vec![0.0; GLOBAL_CHANNELS];
        encode(game, &EvalParams::default(), &options, &mut spatial, &mut globals);
        let mut planes = Vec::new();
        spatial.chunks(side * side).for_each(|plane| pack(plane, &mut planes));
        let size = game.board().size();
        let index = |mv: Move| mv.point().map_or(size.area(), |point| point.index(size));
        let total: f64 = policy.iter().map(|(_, share)| f64::from(*share)).sum();
        let (mut surprise, mut entropy) = (0.0, 0.0);
        for &(at, share) in policy {
            let share = f64::from(share) / total.max(1.0);
            if share > 0.0 {
                entropy -= share * share.ln();
                surprise += share * (share.ln() - f64::from(report.policy[at].max(1e-12)).ln());
            }
        }
        let raw_entropy = report.policy.iter().filter(|p| **p > 0.0).map(|p| -f64::from(*p) * f64::from(*p).ln()).sum();
        Learnt {
            planes,
            globals,
            komi: game.self_komi(game.to_play(), 0.5),
            q_values: report
                .candidates
                .iter()
                .filter(|candidate| candidate.edge_visits > 0)
                .map(|c| (index(c.mv), [2.0 * c.win_rate - 1.0, c.score_selfplay], c.edge_visits))
                .collect(),
            visits: report.root.visits,
            raw: [2.0 * report.root.raw.win_rate - 1.0, report.root.raw.score_selfplay],
            surprise,
            raw_entropy,
            entropy,
        }
    }

    fn rows(&self, game: &Game, turns: &[Searched], ended: bool, hash: u64) -> Rows {
        let mut rows = Rows::new(self.config.side());
        let outcome = final_outcome(game);
        let counted = game.score();
        let margin = f64::from(counted.white_minus_black_half()) / 2.0;
        let last = match outcome {
            Outcome::NoResult => Values { no_result: 1.0, ..Values::default() },
            Outcome::Draw => Values { win: 0.5, loss: 0.5, no_result: 0.0, score: 0.0 },
            Outcome::Win { winner, .. } => {
                let white = f64::from(u8::from(winner == Color::White));
                Values { win: white, loss: 1.0 - white, no_result: 0.0, score: margin }
            }
        };
        let values: Vec<Values> = turns.iter().map(|turn| turn.values).chain([last]).collect();
        let size = game.board().size();
        let owners: Vec<Option<Color>> = counted.map.clone();
        let is_void = outcome == Outcome::NoResult;
        for (index, turn) in turns.iter().enumerate() {
            let Some(learnt) = &turn.learnt else { continue };
            let reply = turns.get(index + 1).map(|turn| turn.policy.as_slice());
            let row = RowOf { rows: &mut rows, size, game, turn, learnt };
            row.write(&values[index..], reply, (!is_void).then_some(&owners), ended, hash);
        }
        rows
    }
}

struct RowOf<'a> {
    rows: &'a mut Rows,
    size: honinbo_rules::BoardSize,
    game: &'a Game,
    turn: &'a Searched,
    learnt: &'a Learnt,
}

impl RowOf<'_> {
    fn write(
        self,
        values: &[Values],
        reply: Option<&[(usize, i16)]>,
        owners: Option<&Vec<Option<Color>>>,
        ended: bool,
        hash: u64,
    ) {
        let Self { rows, size, game, turn, learnt } = self;
        let (side, square) = (rows.side, rows.square());
        let area = size.area();
        let in_square =
            |index: usize| if index == area { square } else { index / size.width() * side + index % size.width() };
        let sign = if turn.mover == Color::White { 1.0 } else { -1.0 };
        rows.planes.extend_from_slice(&learnt.planes);
        rows.globals.extend_from_slice(&learnt.globals);
        rows.edges.push(u8::from(game.setup().topology.wraps_x()) | u8::from(game.setup().topology.wraps_y()) << 1);

        let start = rows.policy.len();
        rows.policy.resize(start + 2 * (square + 1), 0);
        for (kind, policy) in [(0, Some(turn.policy.as_slice())), (1, reply)] {
            let into = &mut rows.policy[start + kind * (square + 1)..][..=square];
            match policy {
                Some(policy) => policy.iter().for_each(|(index, share)| into[in_square(*index)] = *share),
                // A distribution all the same, which has no weight.
                None => into.fill(1),
            }
        }

        let mut targets = [0.0f32; TARGETS];
        let boards = area as f64;
        for (place, factor) in [
            (at::RESULT, 0.0),
            (4, 1.0 / (1.0 + boards * 0.176)),
            (8, 1.0 / (1.0 + boards * 0.056)),
            (at::SOON, 1.0 / (1.0 + boards * 0.016)),
            (at::NOW, 1.0),
        ] {
            let mean = averaged(values, factor);
            let (win, loss) = if sign > 0.0 { (mean.win, mean.loss) } else { (mean.loss, mean.win) };
            let four = [win, loss, mean.no_result, sign * mean.score];
            targets[place..place + 4].iter_mut().zip(four).for_each(|(target, value)| *target = value as f32);
        }
        let last = values[values.len() - 1];
        targets[at::TIME] = values
            .windows(2)
            .enumerate()
            .map(|(index, pair)| {
                let moved = (pair[1].win - pair[1].loss) - (pair[0].win - pair[0].loss);
                (index + 1) as f64 * moved * moved
            })
            .sum::<f64>() as f32;
        targets[at::WEIGHT] = 1.0;
        targets[at::POLICY_WEIGHT] = 1.0;
        targets[at::REPLY_WEIGHT] = f32::from(u8::from(reply.is_some()));
        targets[at::POLICY_SURPRISE] = learnt.surprise as f32;
        targets[at::POLICY_ENTROPY] = learnt.raw_entropy as f32;
        targets[at::SEARCH_ENTROPY] = learnt.entropy as f32;
        targets[at::FUTURE_WEIGHT] = 0.0;
        targets[at::HISTORY..at::HISTORY + 5].fill(1.0);
        for (index, shift, bits) in [(0, 0, 22), (1, 22, 22), (2, 44, 20)] {
            targets[at::GAME + index] = (hash >> shift & ((1 << bits) - 1)) as f32;
        }
        targets[at::KOMI] = learnt.komi;
        targets[at::AREA_SCORING] = 1.0;
        targets[at::TURN] = turn.turn as f32;
        targets[at::AT_LIMIT] = f32::from(u8::from(!ended));
        targets[at::FIRST_TURN] = 0.0;
        targets[at::RAW_VALUE] = (sign * learnt.raw[0]) as f32;
        targets[at::RAW_SCORE] = (sign * learnt.raw[1]) as f32;
        targets[at::RAW_ENTROPY] = learnt.raw_entropy as f32;
        targets[at::VISITS] = learnt.visits as f32;
        targets[at::FINISHED] = f32::from(u8::from(ended));
        targets[at::FORMAT] = FORMAT;

        let spatial = rows.spatial.len();
        rows.spatial.resize(spatial + SPATIAL_TARGETS * square, 0);
        let scores = rows.scores.len();
        rows.scores.resize(scores + 2 * square + 2 * EXTRA_SCORES, 0);
        let middle = scores + square + EXTRA_SCORES;
        if let Some(owners) = owners {
            targets[at::SCORE_WEIGHT] = 1.0;
            targets[at::SCORING_WEIGHT] = 1.0;
            let score = sign * last.score;
            targets[at::SCORE] = score as f32;
            // Nobody asks here which komi would be fair in this very position; the game's own end stands for it.
            targets[at::LEAD] = score as f32;
            targets[at::LEAD_WEIGHT] = 1.0;
            for (index, owner) in owners.iter().enumerate() {
                let value = owner.map_or(0, |owner| if owner == turn.mover { 1i8 } else { -1 });
                rows.spatial[spatial + in_square(index)] = value;
                rows.spatial[spatial + 4 * square + in_square(index)] = 120 * value;
            }
            // Hundredths of the two scores, half a point each side.
            let nearest = score.round();
            let upper = ((score - (nearest - 0.5)) * 100.0).round() as i8;
            let most = (square + EXTRA_SCORES) as f64 - 1.0;
            let place = (middle as f64 + nearest.clamp(-most, most)) as usize;
            rows.scores[place - 1] = 100 - upper;
            rows.scores[place] = upper;
        } else {
            rows.scores[middle - 1] = 50;
            rows.scores[middle] = 50;
        }
        rows.targets.extend_from_slice(&targets);

        let start = rows.q_values.len();
        rows.q_values.resize(start + Q_TARGETS * (square + 1), 0);
        for (index, [lead, score], visits) in &learnt.q_values {
            let place = start + in_square(*index);
            let whole = |value: f64| value.clamp(-32000.0, 32000.0).round() as i16;
            rows.q_values[place] = whole(sign * lead * 32000.0);
            rows.q_values[place + square + 1] = whole(sign * score * 60.0);
            rows.q_values[place + 2 * (square + 1)] = (*visits).min(32000) as i16;
        }
    }
}

/// How a game ended, counted as it stands where it reached its limit.
fn final_outcome(game: &Game) -> Outcome {
    game.outcome().unwrap_or_else(|| game.score().outcome())
}

/// Later values, each by `factor` less than the one before; 0 takes the last alone, 1 the first.
fn averaged(values: &[Values], factor: f64) -> Values {
    let mut mean = Values::default();
    let mut left = 1.0;
    for (index, value) in values.iter().enumerate() {
        let weight = if index + 1 == values.len() { left } else { left * factor };
        left -= weight;
        mean.win += weight * value.win;
        mean.loss += weight * value.loss;
        mean.no_result += weight * value.no_result;
        mean.score += weight * value.score;
    }
    mean
}

/// The weights by which the search would play, as whole numbers; what was forced and led nowhere is taken out of them by
/// the search itself.
fn policy_of(report: &SearchReport, game: &Game) -> Vec<(usize, i16)> {
    let size = game.board().size();
    let most = report.candidates.iter().map(|c| c.play_selection_value).fold(0.0, f64::max);
    let policy: Vec<(usize, i16)> = report
        .candidates
        .iter()
        .map(|candidate| {
            let index = candidate.mv.point().map_or(size.area(), |point| point.index(size));
            (index, (candidate.play_selection_value / most.max(1e-9) * 10_000.0).round() as i16)
        })
        .filter(|(_, share)| *share > 0)
        .collect();
    if policy.is_empty() { vec![(size.area(), 1)] } else { policy }
}

fn gaussian(random: &mut Random) -> f64 {
    (-2.0 * (1.0 - random.unit()).ln()).sqrt() * (std::f64::consts::TAU * random.unit()).cos()
}

/// The nearest komi in half points that leaves both sides something to win.
pub(crate) fn rounded_komi(points: f64, area: f64) -> Komi {
    let most = area + 0.5;
    Komi::from_half_points((2.0 * points.clamp(-most, most)).round() as i32)
}

/// The komi that the network takes to be fair on the empty board: what it says of komi 0, then of that one.
pub(crate) fn fair_komi(
    evaluator: &dyn Evaluator,
    config: &RunConfig,
    board: &BoardConfig,
    stop: &StopFlag,
) -> Result<f64, TrainError> {
    let area = (board.width * board.height) as f64;
    let mut komi = Komi::ZERO;
    let mut fair = 0.0;
    for _ in 0..2 {
        let setup = Setup::new(board.size()?, board.topology(), config.ruleset()?, komi);
        let Ok(game) = Game::new(setup) else { return Ok(0.0) };
        let request = EvalRequest { game: &game, params: EvalParams::default() };
        let answers = evaluator.evaluate(&[request], stop).map_err(SearchError::Evaluation)?;
        let lead = answers.first().map_or(0.0, |answer| f64::from(answer.white_lead));
        fair = (komi.points() - lead).clamp(-area, area);
        komi = rounded_komi(fair, area);
    }
    Ok(fair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::npz::{read_rows, write_rows};
    use honinbo_testkit::{AlteredEvaluator, UniformEvaluator};

    /// Sees White ahead by three points, whatever is on the board.
    fn leans_to_white() -> impl Evaluator {
        AlteredEvaluator::new(UniformEvaluator::default(), |_, answer| {
            (answer.white_win, answer.white_loss, answer.no_result) = (0.8, 0.2, 0.0);
            (answer.white_score_mean, answer.white_score_mean_sq, answer.white_lead) = (3.0, 10.0, 3.0);
        })
    }

    fn config(side: usize, torus: bool) -> RunConfig {
        let mut config = RunConfig::on(side, torus);
        config.selfplay = SelfPlayConfig { visits: 24, cheap_visits: 6, cheap_share: 0.5, ..config.selfplay };
        config
    }

    fn play(config: &RunConfig, seed: u64) -> LearntGame {
        let fair = vec![0.0; config.boards.len()];
        let player = SelfPlayer { config, evaluator: Arc::new(UniformEvaluator::default()), fair: &fair };
        player.play(seed, &StopFlag::new()).unwrap()
    }

    #[test]
    fn a_games_rows_say_how_it_ended() {
        for torus in [false, true] {
            let config = config(4, torus);
            let learnt = play(&config, 5);
            let (rows, game) = (&learnt.rows, &learnt.played.game);
            assert!(!rows.is_empty() && rows.check().is_ok(), "{:?}", rows.check());
            let margin = game.score().white_minus_black_half() as f32 / 2.0;
            for row in 0..rows.len() {
                let turn = rows.target(row, at::TURN) as usize;
                let white = game.turns()[turn].color == Color::White;
                let expected =
                    learnt.played.outcome.winner().map_or(0.5, |w| f32::from(u8::from((w == Color::White) == white)));
                assert_eq!(rows.target(row, at::RESULT), expected);
                assert_eq!(rows.target(row, at::SCORE), if white { margin } else { -margin });
                let owned: i32 = rows.spatial[row * 5 * 16..][..16].iter().map(|owner| i32::from(*owner)).sum();
                let komi = game.komi().points() as f32;
                assert_eq!(owned as f32, rows.target(row, at::SCORE) - if white { komi } else { -komi });
                assert_eq!(rows.edges[row], if torus { 3 } else { 0 });
                let scores = &rows.scores[row * (32 + 120)..][..32 + 120];
                assert_eq!(scores.iter().map(|share| i32::from(*share)).sum::<i32>(), 100);
                // The mean of the distribution is the score.
                let mean: f32 = scores.iter().enumerate().map(|(i, s)| (i as f32 - 75.5) * f32::from(*s) / 100.0).sum();
                assert!((mean - rows.target(row, at::SCORE)).abs() < 1e-3, "{mean}");
            }
        }
    }

    #[test]
    fn what_a_search_sees_is_told_from_the_movers_side() {
        let mut config = config(5, false);
        config.selfplay = SelfPlayConfig { opening_moves: 0.0, cheap_share: 0.0, ..config.selfplay };
        let mut seen = [0; 2];
        for seed in 0..4 {
            let player = SelfPlayer { config: &config, evaluator: Arc::new(leans_to_white()), fair: &[0.0] };
            let learnt = player.play(seed, &StopFlag::new()).unwrap();
            let (rows, game) = (&learnt.rows, &learnt.played.game);
            let margin = game.score().white_minus_black_half() as f32 / 2.0;
            for row in 0..rows.len() {
                let turn = rows.target(row, at::TURN) as usize;
                let mover = game.turns()[turn].color;
                let sign = if mover == Color::White { 1.0 } else { -1.0 };
                let four = |place: usize| [0, 1, 2, 3].map(|index| rows.target(row, place + index));
                assert_eq!(four(at::RESULT)[3], sign * margin);
                assert_eq!(four(at::RESULT)[0] + four(at::RESULT)[1], 1.0);
                // Near the end, searches see how the game really ends.
                if turn < 6 && turn + 10 < game.turns().len() {
                    seen[mover.index()] += 1;
                    for place in [at::SOON, at::NOW] {
                        let [win, loss, _, score] = four(place);
                        assert!(
                            sign * (win - loss) > 0.0 && sign * score > 0.0,
                            "{seed}, {turn}, {place}: {win} {score}"
                        );
                    }
                }
            }
        }
        assert!(seen[0] > 4 && seen[1] > 4, "{seen:?}");
    }

    #[test]
    fn a_seed_names_a_game() {
        let config = config(4, false);
        assert_eq!(play(&config, 9).played.game.turns(), play(&config, 9).played.game.turns());
        assert_ne!(play(&config, 9).played.game.turns(), play(&config, 10).played.game.turns());
    }

    #[test]
    fn a_cheap_search_goes_on_from_the_one_before_it() {
        let mut config = config(4, false);
        config.selfplay.opening_moves = 0.0;
        let made: Vec<LearntGame> = (0..5).map(|seed| play(&config, seed)).collect();
        let visits: u64 = made.iter().map(|game| game.visits).sum();
        let turns: usize = made.iter().map(|game| game.played.game.turns().len()).sum();
        let learnt: usize = made.iter().map(|game| game.rows.len()).sum();
        let from_nothing =
            learnt as u64 * config.selfplay.visits + (turns - learnt) as u64 * config.selfplay.cheap_visits;
        // What is learnt from begins anew each time.
        assert!(visits >= learnt as u64 * (config.selfplay.visits - 1), "{visits} of {from_nothing}");
        // A network that prefers nothing spreads its visits, so little is known of the move that is played.
        assert!(visits + (turns - learnt) as u64 / 2 < from_nothing, "{visits} of {from_nothing}");
    }

    #[test]
    fn smaller_boards_stand_in_the_upper_left_of_the_square() {
        let mut config = config(5, false);
        config.boards[0] = BoardConfig { width: 3, height: 4, ..config.boards[0].clone() };
        config.boards.push(BoardConfig { width: 5, height: 2, ..config.boards[0].clone() });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npz");
        let mut seen = std::collections::HashSet::new();
        for seed in 0..6 {
            let rows = play(&config, seed).rows;
            assert_eq!(rows.side, 5);
            if rows.is_empty() {
                continue;
            }
            seen.extend((0..rows.len()).map(|row| (rows.board(row).width, rows.board(row).height)));
            write_rows(&path, &rows).unwrap();
            assert_eq!(read_rows(&path, Some(5)).unwrap(), rows);
        }
        assert_eq!(seen, [(3, 4), (5, 2)].into());
    }

    #[test]
    fn later_values_fade() {
        let values: Vec<Values> = (0..3).map(|i| Values { score: f64::from(i), ..Values::default() }).collect();
        assert_eq!(averaged(&values, 0.0).score, 2.0);
        assert_eq!(averaged(&values, 1.0).score, 0.0);
        assert!((averaged(&values, 0.5).score - 0.75).abs() < 1e-12);
    }

    #[test]
    fn komi_leaves_both_sides_something_to_win() {
        assert_eq!(rounded_komi(3.3, 25.0).points(), 3.5);
        assert_eq!(rounded_komi(99.0, 25.0).points(), 25.5);
        assert_eq!(rounded_komi(-99.0, 25.0).points(), -25.5);
    }
}
