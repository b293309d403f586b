//! Whether a new network is at least as good as the old one, and what it thinks of the empty board.

use std::sync::Arc;
use std::time::Duration;

use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_players::{Contest, Openings, Player, PlayerError, Tally};
use honinbo_rules::{Game, Move, Setup, mix};
use honinbo_search::{Perspective, ReportOptions, Search, SearchReport};
use honinbo_training::Probe;

use crate::config::RunConfig;
use crate::error::TrainError;
use crate::game::{fair_komi, limits, move_limit, playing_params, rounded_komi};

/// A search with so many visits.
struct VisitsPlayer {
    name: String,
    evaluator: Arc<dyn Evaluator>,
    visits: u64,
    seed: u64,
}

impl Player for VisitsPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, _: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        self.seed = mix(self.seed);
        let search = Search::new(Arc::clone(&self.evaluator), game.clone(), playing_params(true), self.seed)?;
        search.run(&limits(self.visits), stop)?;
        Ok(search.choose_move().unwrap_or(Move::Pass))
    }
}

/// Games of the new network against the old one at equal visits, on the boards of the run, at the komi that the old one
/// takes to be fair; each opening with both colours. Counted from the new one's side.
pub(crate) fn contest(
    config: &RunConfig,
    [new, old]: [&Arc<dyn Evaluator>; 2],
    seed: u64,
    stop: &StopFlag,
) -> Result<Tally, TrainError> {
    let mut total = Tally::default();
    let weights: f64 = config.boards.iter().map(|board| board.weight).sum();
    for board in &config.boards {
        let games = (f64::from(config.gate.games) * board.weight / weights).ceil() as u32;
        let size = board.size()?;
        let fair = board.komi.map_or_else(|| fair_komi(&**old, config, board, stop), Ok)?;
        // A half point, so that somebody wins.
        let komi = rounded_komi(fair.floor() + 0.5, size.area() as f64);
        let contest = Contest {
            games: games.next_multiple_of(2),
            setup: Setup::new(size, board.topology(), config.ruleset()?, komi),
            openings: Openings::usual(size.area()),
            seed,
            move_limit: move_limit(size.area()),
            within: Duration::from_secs(3600),
            clock: None,
            at_a_time: config.selfplay.at_once,
        };
        let count = std::sync::atomic::AtomicU64::new(0);
        let players = || -> Result<[Box<dyn Player>; 2], PlayerError> {
            let number = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let player = |name: &str, evaluator: &Arc<dyn Evaluator>, side: u64| -> Box<dyn Player> {
                Box::new(VisitsPlayer {
                    name: name.to_owned(),
                    evaluator: Arc::clone(evaluator),
                    visits: config.gate.visits,
                    seed: mix(seed ^ (2 * number + side)),
                })
            };
            Ok([player("new", new, 0), player("old", old, 1)])
        };
        let tally = contest.run(&players, stop, &|_| {})?;
        if stop.is_set() {
            return Err(TrainError::Stopped);
        }
        total.add(&tally);
    }
    Ok(total)
}

/// See [`Probe`].
pub(crate) fn probe(
    config: &RunConfig,
    evaluator: &Arc<dyn Evaluator>,
    stop: &StopFlag,
) -> Result<Option<Probe>, TrainError> {
    let (Some(board), visits @ 1..) = (config.boards.first(), config.gate.probe_visits) else { return Ok(None) };
    let size = board.size()?;
    let fair_komi = fair_komi(&**evaluator, config, board, stop)?;
    let komi = rounded_komi(board.komi.unwrap_or(fair_komi).floor() + 0.5, size.area() as f64);
    let Ok(mut game) = Game::new(Setup::new(size, board.topology(), config.ruleset()?, komi)) else { return Ok(None) };
    let mut first: Option<SearchReport> = None;
    let mut moves = Vec::new();
    while !game.is_over() && game.turns().len() < move_limit(size.area()) {
        let search = Search::new(Arc::clone(evaluator), game.clone(), playing_params(false), config.seed)?;
        search.run(&limits(visits), stop)?;
        if stop.is_set() {
            return Err(TrainError::Stopped);
        }
        let played = search.choose_move().unwrap_or(Move::Pass);
        if first.is_none() {
            let options = ReportOptions { perspective: Perspective::Black, ..ReportOptions::default() };
            first = search.report(&options);
        }
        moves.push(played.to_gtp(size));
        if game.play(game.to_play(), played).is_err() {
            break;
        }
    }
    let Some(first) = first else { return Ok(None) };
    let (index, share) = first
        .policy
        .iter()
        .enumerate()
        .fold((0, -1.0f32), |best, (index, share)| if *share > best.1 { (index, *share) } else { best });
    let policy_move =
        if index == size.area() { Move::Pass } else { Move::Place(honinbo_rules::Point::from_index(index, size)) };
    Ok(Some(Probe {
        fair_komi,
        policy_move: policy_move.to_gtp(size),
        policy_share: f64::from(share),
        policy: first.policy.clone(),
        first_move: moves.first().cloned().unwrap_or_default(),
        black_win_rate: first.root.win_rate,
        komi: komi.points(),
        black_margin: game.score().black_lead() + komi.points(),
        moves,
    }))
}
