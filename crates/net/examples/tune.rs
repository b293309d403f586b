//! Which parameters play better: many games at once in which each side's parameters are drawn, all of one game's being
//! the opposite of the other side's, so that every game says something about every parameter.
//!
//! `cargo run --release -p honinbo-net --example tune -- NETWORK SIZE VISITS GAMES SEED NAME=MINUS,PLUS...`
//!
//! `VISITS` are those of a move; `1500/game` gives each side so many playouts for the whole game instead, which it shares
//! out as if they were seconds on a clock without overtime: equal time, on a machine whose clocks say little. With it
//! there are three more names: `futileVisitsThreshold` and `openMoveTimeFactor`, by which a move ends early or goes on,
//! and `overallocateTimeFactor`.
//!
//! `precision=fp32,fp16` is a parameter too. `HONINBO_DEVICE` names what computes, the processor by default.
//!
//! Each opening, two random stones away from the edge, is played with both colours. Prints a line of JSON for each game,
//! then one with the difference of each parameter's two values in Elo points and its standard error, from a logistic
//! regression of the results on the signs. ONNX Runtime is taken from `HONINBO_ONNXRUNTIME`.

#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};

use honinbo_evaluator::{CachingEvaluator, EvalService, Priority, ServiceOptions, StopFlag};
use honinbo_net::onnx::Precision;
use honinbo_net::{Device, EvaluatorOptions, LibrarySearch, Runtime, open_network};
use honinbo_protocols::parameters::{Chosen, set};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Point, Preset, Random, Setup, Topology};
use honinbo_search::{Clock, Decision, Perspective, ReportOptions, Search, SearchLimits, SearchParams, TimeSystem};
use serde_json::json;

type Failure = Box<dyn Error + Send + Sync>;

/// Games that are played side by side: the network answers them in batches.
const SIDE_BY_SIDE: usize = 20;
/// The same where a card answers.
const SIDE_BY_SIDE_ON_A_CARD: usize = 160;

/// The parameter that is not the search's.
const PRECISION: &str = "precision";

/// A parameter by KataGo's name, and its two values.
struct Factor {
    name: String,
    minus: String,
    plus: String,
}

/// How a side shares its playouts out over a game.
#[derive(Debug, Clone, Copy)]
struct Sharing {
    rival_share: f64,
    stretch: f64,
    overallocate: f64,
}

impl Sharing {
    const PLAIN: Self = Self { rival_share: 0.0, stretch: 1.0, overallocate: 1.0 };

    /// Sets one of its numbers; false where the name or the value is none of them.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let Ok(number) = value.parse() else { return false };
        match name {
            "futileVisitsThreshold" => self.rival_share = number,
            "openMoveTimeFactor" => self.stretch = number,
            "overallocateTimeFactor" => self.overallocate = number,
            _ => return false,
        }
        true
    }
}

impl Factor {
    fn parse(text: &str) -> Option<Self> {
        let (name, values) = text.split_once('=')?;
        let (minus, plus) = values.split_once(',')?;
        let (mut params, mut chosen) = (SearchParams::play(), Chosen::default());
        let takes = |value| {
            if name == PRECISION {
                return precision(value).is_some();
            }
            let mut sharing = Sharing::PLAIN;
            sharing.set(name, value) || (set(&mut params, &mut chosen, name, value).is_ok() && params.check().is_ok())
        };
        let known = [minus, plus].into_iter().all(takes);
        known.then(|| Self { name: name.into(), minus: minus.into(), plus: plus.into() })
    }
}

fn precision(name: &str) -> Option<Precision> {
    [Precision::Fp32, Precision::Fp16, Precision::Bf16, Precision::Int16]
        .into_iter()
        .find(|known| known.to_string() == name)
}

/// What all games have in common.
struct Contest {
    /// By precision.
    services: Vec<(Precision, EvalService)>,
    size: usize,
    visits: u64,
    /// Whether those are playouts of a whole game, and not visits of a move.
    for_a_game: bool,
    seed: u64,
    factors: Vec<Factor>,
}

/// A finished game: the signs of the first player's parameters, and whether it won.
struct Played {
    signs: Vec<f64>,
    won: bool,
    moves: usize,
}

impl Contest {
    /// Plays a game; two numbers that follow each other share opening and parameters. `None` where it did not end.
    fn game(&self, number: u64) -> Result<Option<Played>, Failure> {
        let mut numbers = Random::new((self.seed << 32) + number / 2);
        let signs: Vec<f64> = self.factors.iter().map(|_| if numbers.below(2) == 1 { 1.0 } else { -1.0 }).collect();
        let board = BoardSize::square(self.size)?;
        let komi = Komi::from_points(7.5)?;
        let mut game = Game::new(Setup::new(board, Topology::Plane, Preset::TrompTaylor.ruleset(), komi))?;
        for _ in 0..2 {
            let (x, y) = (2 + numbers.below(self.size - 4), 2 + numbers.below(self.size - 4));
            if game.is_legal_point(Point::new(x, y)) {
                game.play(game.to_play(), Move::Place(Point::new(x, y)))?;
            }
        }
        // The first player has Black in games of even numbers.
        let first = usize::from(number % 2 == 1);
        let mut sides = Vec::new();
        let mut sharings = Vec::new();
        for side in 0..2 {
            let (mut params, mut chosen, mut sharing) = (SearchParams::play(), Chosen::default(), Sharing::PLAIN);
            let mut service = &self.services[0].1;
            for (factor, sign) in self.factors.iter().zip(&signs) {
                let plus = (*sign > 0.0) == (side == first);
                let value = if plus { &factor.plus } else { &factor.minus };
                if factor.name == PRECISION {
                    let wanted = precision(value);
                    let found = self.services.iter().find(|(precision, _)| Some(*precision) == wanted);
                    service = &found.ok_or("a precision without a network")?.1;
                } else if !sharing.set(&factor.name, value) {
                    set(&mut params, &mut chosen, &factor.name, value)
                        .map_err(|refusal| format!("{}: {refusal:?}", factor.name))?;
                }
            }
            params.futile_visits_threshold = sharing.rival_share;
            sharings.push(sharing);
            let evaluator = Arc::new(CachingEvaluator::new(service.handle(Priority::Batch), 32 << 20));
            sides.push(Search::new(evaluator, game.clone(), params, number * 2 + side as u64)?);
        }
        let black_won = self.play_out(&mut game, &sides, &sharings)?;
        let moves = game.turns().len();
        Ok(black_won.map(|black_won| Played { signs, won: black_won == (first == 0), moves }))
    }

    /// Whether Black won; `None` where nobody has after twice as many moves as there are points.
    fn play_out(&self, game: &mut Game, sides: &[Search], sharings: &[Sharing]) -> Result<Option<bool>, Failure> {
        let mut left = [self.visits; 2];
        let view = ReportOptions { perspective: Perspective::Mover, max_candidates: 1, ..ReportOptions::default() };
        let mut hopeless = [0; 2];
        for _ in 0..2 * self.size * self.size {
            let who = game.to_play().index();
            let limits = if self.for_a_game {
                shared_out(left[who], game, &sharings[who])
            } else {
                SearchLimits { max_visits: self.visits, ..SearchLimits::default() }
            };
            let playouts = sides[who].run(&limits, &StopFlag::new())?.playouts;
            left[who] = left[who].saturating_sub(playouts);
            let (Some(mv), Some(report)) = (sides[who].choose_move(), sides[who].report(&view)) else { break };
            hopeless[who] = if report.root.win_rate < 0.06 { hopeless[who] + 1 } else { 0 };
            if hopeless[who] == 3 {
                return Ok(Some(who == 1));
            }
            game.play(game.to_play(), mv)?;
            if game.is_over() {
                return Ok(Some(game.score().black_lead() > 0.0));
            }
            for side in sides {
                side.advance(mv)?;
            }
        }
        Ok(None)
    }

    /// Plays games as long as there are numbers left.
    fn work(&self, next: &AtomicU64, games: u64, results: &Sender<Result<Played, Failure>>) {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            if let Some(played) = self.game(number).transpose()
                && results.send(played).is_err()
            {
                return;
            }
        }
    }
}

/// What a side with so many playouts left gives its next move, by the clock of an engine.
fn shared_out(left: u64, game: &Game, sharing: &Sharing) -> SearchLimits {
    let board = game.board();
    let (area, stones) = (board.size().area(), board.count(Color::Black) + board.count(Color::White));
    let clock = Clock {
        system: TimeSystem::Fischer { increment: 0.0, stored_at_most: None },
        main_left: left as f64,
        overtime: None,
        per_move_at_most: None,
        lag_buffer: 0.0,
    };
    let planned = clock.planned_times(area, stones, sharing.overallocate).max(2.0);
    let room = (clock.thinking_time(area, stones).max / planned).max(1.0);
    let decision = Decision { rival_share: sharing.rival_share, stretch: sharing.stretch.min(room) };
    SearchLimits { max_playouts: planned as u64, decision: Some(decision), ..SearchLimits::default() }
}

/// Solves a system of linear equations by elimination.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()));
        rows.swap(column, pivot.unwrap_or(column));
        let pivot = rows[column].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column {
                let factor = row[column] / pivot[column];
                row.iter_mut().zip(&pivot).for_each(|(value, above)| *value -= factor * above);
            }
        }
    }
    rows.iter().enumerate().map(|(number, row)| row[count] / row[number]).collect()
}

/// Each parameter's worth with its standard error, in Elo points.
fn effects(played: &[Played], count: usize) -> Vec<(f64, f64)> {
    let per_log_odds = 400.0 / std::f64::consts::LN_10;
    let mut worth = vec![0.0; count];
    let mut information = Vec::new();
    for _ in 0..20 {
        let mut slope = vec![0.0; count];
        // A trifle on the diagonal: few games may leave two parameters alike.
        information = (0..count).map(|i| (0..count).map(|j| if i == j { 1e-6 } else { 0.0 }).collect()).collect();
        let rows: &mut Vec<Vec<f64>> = &mut information;
        for game in played {
            let odds: f64 = worth.iter().zip(&game.signs).map(|(worth, sign)| worth * sign).sum();
            let expected = 1.0 / (1.0 + (-odds).exp());
            for ((row, slope), sign) in rows.iter_mut().zip(&mut slope).zip(&game.signs) {
                *slope += sign * (f64::from(game.won) - expected);
                for (value, other) in row.iter_mut().zip(&game.signs) {
                    *value += expected * (1.0 - expected) * sign * other;
                }
            }
        }
        let system = rows.iter().zip(&slope).map(|(row, slope)| row.iter().copied().chain([*slope]).collect());
        worth.iter_mut().zip(solve(system.collect())).for_each(|(worth, step)| *worth += step);
    }
    let error_of = |i: usize| {
        let unit = |row: usize| if row == i { 1.0 } else { 0.0 };
        let system =
            information.iter().enumerate().map(|(row, line)| line.iter().copied().chain([unit(row)]).collect());
        solve(system.collect())[i].sqrt()
    };
    (0..count).map(|i| (worth[i] * per_log_odds, error_of(i) * per_log_odds)).collect()
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [network, size, visits, games, seed, factors @ ..] = &arguments[..] else {
        return Err("NETWORK SIZE VISITS GAMES SEED NAME=MINUS,PLUS...".into());
    };
    let size: usize = size.parse()?;
    if !(7..=19).contains(&size) {
        return Err("boards of 7x7 to 19x19".into());
    }
    let parse = |text: &String| {
        Factor::parse(text).ok_or_else(|| format!("'{text}' is no parameter with two values: NAME=MINUS,PLUS"))
    };
    let factors: Vec<Factor> = factors.iter().map(parse).collect::<Result<_, _>>()?;
    let runtime = Runtime::load(&LibrarySearch::new(None, Vec::new()))?;
    let cores = std::thread::available_parallelism()?.get();
    let device: Device = std::env::var("HONINBO_DEVICE").unwrap_or_else(|_| "cpu".into()).parse()?;
    let (sessions, batch, side_by_side) =
        if device == Device::Cpu { (cores, 8, SIDE_BY_SIDE) } else { (2, 64, SIDE_BY_SIDE_ON_A_CARD) };
    let named = factors.iter().find(|factor| factor.name == PRECISION);
    let precisions = named.map_or(vec![Precision::Fp32], |factor| {
        [&factor.minus, &factor.plus].into_iter().filter_map(|value| precision(value)).collect()
    });
    let mut services = Vec::new();
    for precision in precisions {
        let options = EvaluatorOptions { device, precision, sessions, batch, ..EvaluatorOptions::cpu(cores) };
        let evaluator = open_network(Path::new(network), &runtime, options, (size, size))?;
        let service = EvalService::new(Arc::new(evaluator), ServiceOptions::for_sessions(sessions, batch));
        services.push((precision, service));
    }
    let games: u64 = games.parse()?;
    let (visits, for_a_game) = visits.strip_suffix("/game").map_or((visits.as_str(), false), |visits| (visits, true));
    let contest = Contest { services, size, visits: visits.parse()?, for_a_game, seed: seed.parse()?, factors };
    let next = AtomicU64::new(0);
    let (sender, results) = channel();
    let played = std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            let (contest, next, sender) = (&contest, &next, sender.clone());
            scope.spawn(move || contest.work(next, games, &sender));
        }
        drop(sender);
        let mut all = Vec::new();
        for played in results {
            let played = played?;
            println!("{}", json!({ "signs": played.signs, "won": played.won, "moves": played.moves }));
            all.push(played);
        }
        Ok::<_, Failure>(all)
    })?;
    let named = contest.factors.iter().zip(effects(&played, contest.factors.len())).map(|(factor, (elo, error))| {
        json!({ "name": factor.name, "minus": factor.minus, "plus": factor.plus, "elo": elo, "error": error })
    });
    println!("{}", json!({ "games": played.len(), "effects": named.collect::<Vec<_>>() }));
    Ok(())
}
