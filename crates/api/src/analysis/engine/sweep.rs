//! A sweep through a game: every position of a variation evaluated, in one pass or several.

use super::graph::Found;
use super::live::SEED;
use super::{Loaded, Shared};
use crate::analysis::evaluations::{graph_value, of_network, of_report};
use crate::games::session::{LastMove, sign};
use crate::{ApiError, Event, GameId, GraphUpdate, GraphValue, NodeId, SweepProgress, SweepState};
use honinbo_evaluator::{EvalParams, EvalRequest, StopFlag};
use honinbo_library::StoredEvaluation;
use honinbo_rules::Game;
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};
use std::collections::{HashMap, HashSet};

/// A few positions at a time, so that windows are told often. Live analysis goes first, whatever waits here.
const BATCH: usize = 4;

/// A position of the variation, with the move that led there.
pub(crate) type Position = (NodeId, Game, Option<LastMove>);

/// What to evaluate.
pub(crate) struct Work {
    pub(crate) game_id: GameId,
    /// The variation from the root on.
    pub(crate) positions: Vec<Position>,
    /// Visits on each position, pass after pass; 1 asks the network alone.
    pub(crate) passes: Vec<u32>,
    /// Passes after the first look at so many moves only, those that seem to have lost most; `None` looks at all.
    pub(crate) worst: Option<usize>,
}

/// Evaluates all positions that are not known well enough, until `stop`, and tells windows how it ended.
pub(super) fn run(shared: &Shared, work: &Work, stop: &StopFlag, serial: u32) {
    let mut told = SweepProgress {
        serial,
        state: SweepState::Running,
        visits: 0,
        pass: 0,
        passes: count(work.passes.len()),
        done: 0,
        total: count(work.positions.len()),
    };
    let mut result = Ok(());
    for &visits in &work.passes {
        told = SweepProgress { visits: visits.max(1), pass: told.pass + 1, done: 0, ..told };
        let mut pass = Pass { shared, game_id: &work.game_id, stop, told };
        let positions = match work.worst {
            Some(moves) if pass.told.pass > 1 => pass.around_worst(&work.positions, moves),
            _ => work.positions.iter().collect(),
        };
        pass.told.total = count(positions.len());
        result = pass.run(&positions);
        told = pass.told;
        if result.is_err() || stop.is_set() {
            break;
        }
    }
    let state = match result {
        Err(error) if !stop.is_set() => {
            tracing::warn!(%error, "a sweep ended early");
            SweepState::Failed { error }
        }
        _ if stop.is_set() => SweepState::Stopped,
        _ => SweepState::Finished,
    };
    tell(shared, &work.game_id, Vec::new(), SweepProgress { state, ..told });
}

/// One pass through the variation.
struct Pass<'a> {
    shared: &'a Shared,
    game_id: &'a GameId,
    stop: &'a StopFlag,
    told: SweepProgress,
}

impl Pass<'_> {
    fn run(&mut self, positions: &[&Position]) -> Result<(), ApiError> {
        let network = self.shared.network_name();
        let (known, missing): (Vec<_>, Vec<_>) = positions
            .iter()
            .map(|&position| (self.known(position, network.as_deref()), position))
            .partition(|(values, _)| values.is_some());
        self.add(count(known.len()), known.into_iter().filter_map(|(values, _)| values).flatten().collect());
        if missing.is_empty() || self.stop.is_set() {
            return Ok(());
        }
        let missing: Vec<&Position> = missing.into_iter().map(|(_, position)| position).collect();
        let loaded = self.shared.load()?;
        if self.told.visits == 1 {
            self.ask_network(&loaded, &missing)
        } else {
            self.search_each(&loaded, &self.worst_first(positions, &missing))
        }
    }

    /// The values that windows are told of a position that is known well enough already.
    fn known(&self, (node, game, last_move): &Position, network: Option<&str>) -> Option<Vec<GraphValue>> {
        let wanted = self.told.visits;
        let shown = self.shared.graph.get(self.game_id, *node).filter(|value| value.visits >= wanted);
        if let Some(shown) = shown {
            return Some(vec![shown]);
        }
        let found = self.shared.evaluations.recall(game, network?).filter(|found| found.visits >= wanted)?;
        Some(self.learn(*node, *last_move, found))
    }

    fn learn(&self, node: NodeId, last_move: Option<LastMove>, found: StoredEvaluation) -> Vec<GraphValue> {
        let value = graph_value(node, &found);
        self.shared.graph.keep(self.game_id, Found { value, candidates: found.candidates, last_move })
    }

    /// The nodes before and after the move to a position, and the points that it seems to have lost by what is known so
    /// far, which says where to look and judges nobody.
    fn seems_lost(&self, (node, _, last_move): &Position) -> Option<([NodeId; 2], f64)> {
        let lead = |node| Some(self.shared.graph.get(self.game_id, node)?.black_score_lead?.get());
        let last = last_move.as_ref()?;
        let lost = f64::from(sign(last.mover)) * (lead(last.parent)? - lead(*node)?);
        Some(([last.parent, *node], lost))
    }

    /// The positions before and after so many moves that seem to have lost most.
    fn around_worst<'p>(&self, positions: &'p [Position], moves: usize) -> Vec<&'p Position> {
        let mut lost: Vec<_> = positions.iter().filter_map(|position| self.seems_lost(position)).collect();
        lost.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let wanted: HashSet<NodeId> = lost.into_iter().take(moves).flat_map(|(ends, _)| ends).collect();
        positions.iter().filter(|(node, ..)| wanted.contains(node)).collect()
    }

    /// The moves that seem to have lost most come first, each with the position before it: what a review is for is
    /// known long before its end.
    fn worst_first<'p>(&self, positions: &[&Position], missing: &[&'p Position]) -> Vec<&'p Position> {
        let mut lost_around: HashMap<NodeId, f64> = HashMap::new();
        for position in positions {
            let Some((ends, lost)) = self.seems_lost(position) else { continue };
            for end in ends {
                let most = lost_around.entry(end).or_insert(lost);
                *most = most.max(lost);
            }
        }
        let mut ordered = missing.to_vec();
        let lost_at = |position: &Position| lost_around.get(&position.0).copied().unwrap_or(0.0);
        ordered.sort_by(|a, b| lost_at(b).total_cmp(&lost_at(a)));
        ordered
    }

    fn ask_network(&mut self, loaded: &Loaded, positions: &[&Position]) -> Result<(), ApiError> {
        let evaluator = loaded.background();
        for batch in positions.chunks(BATCH) {
            let requests: Vec<_> =
                batch.iter().map(|(_, game, _)| EvalRequest { game, params: EvalParams::default() }).collect();
            let answers =
                evaluator.evaluate(&requests, self.stop).map_err(|error| ApiError::from_evaluation(&error))?;
            if self.stop.is_set() {
                return Ok(());
            }
            let mut values = Vec::new();
            for ((node, game, last_move), answer) in batch.iter().zip(&answers) {
                let found = of_network(answer);
                self.shared.evaluations.keep(game, &loaded.network, found.clone());
                values.extend(self.learn(*node, *last_move, found));
            }
            self.add(count(batch.len()), values);
        }
        Ok(())
    }

    fn search_each(&mut self, loaded: &Loaded, positions: &[&Position]) -> Result<(), ApiError> {
        let limits = SearchLimits {
            max_visits: self.told.visits.into(),
            threads: loaded.threads,
            leaves_per_thread: None,
            include_ownership: false,
            ..SearchLimits::default()
        };
        let options = ReportOptions { perspective: Perspective::Black, ..ReportOptions::default() };
        let failed = |error| ApiError::from_search(&error);
        let Some((_, first, _)) = positions.first() else { return Ok(()) };
        let search = Search::new(loaded.background(), first.clone(), SearchParams::analysis(), SEED).map_err(failed)?;
        for (node, game, last_move) in positions {
            search.set_root(game.clone()).map_err(failed)?;
            search.run(&limits, self.stop).map_err(failed)?;
            if self.stop.is_set() {
                return Ok(());
            }
            if let Some(report) = search.report(&options) {
                let found = of_report(&report);
                self.shared.evaluations.keep(game, &loaded.network, found.clone());
                let values = self.learn(*node, *last_move, found);
                self.add(1, values);
            }
        }
        Ok(())
    }

    fn add(&mut self, evaluated: u32, values: Vec<GraphValue>) {
        self.told.done += evaluated;
        tell(self.shared, self.game_id, values, self.told.clone());
        self.shared.tell_speed();
    }
}

fn tell(shared: &Shared, game_id: &GameId, values: Vec<GraphValue>, progress: SweepProgress) {
    shared.host.emit(Event::Graph(GraphUpdate { game_id: game_id.clone(), values, sweep: Some(progress) }));
}

fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
