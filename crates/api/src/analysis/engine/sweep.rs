//! A sweep through a game: every position of a variation evaluated, in one pass or several.

use super::graph::{Era, Found};
use super::live::SEED;
use super::{Loaded, Shared};
use crate::analysis::evaluations::{of_network, of_report};
use crate::analysis::ledger::{self, Ledger, Place};
use crate::games::line::{LinePositions, Walk};
use crate::games::session::{LastMove, LinePlace, sign};
use crate::{ApiError, GraphValue, NodeId, OpenGameId, SweepProgress, SweepState};
use honinbo_evaluator::{EvalParams, EvalRequest, StopFlag};
use honinbo_library::MISTAKE_FROM;
use honinbo_record::PositionEvaluation;
use honinbo_rules::Game;
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// A few positions at a time, so that events come often. Live analysis goes first, whatever waits here.
const BATCH: usize = 4;

/// What to evaluate.
pub(crate) struct Work {
    pub(crate) game_id: OpenGameId,
    /// When its positions were looked up.
    pub(crate) begun: Era,
    /// The variation from the root on.
    pub(crate) line: LinePositions,
    pub(crate) positions: Vec<LinePlace>,
    /// Visits on each position, pass after pass; 1 asks the network alone.
    pub(crate) passes: Vec<u32>,
    /// Passes after the first spend as much as two positions for each of so many moves take, where it is open which move
    /// of each player lost most, and end when that is settled; `None` looks at all.
    pub(crate) worst: Option<usize>,
    /// How long each of those passes may go on beginning with another position.
    pub(crate) patience: Option<Duration>,
    /// The visits of the last pass are shared out by [`ledger`], their mean being what it says.
    pub(crate) by_need: bool,
    pub(crate) purpose: Purpose,
    /// Called once it is finished, before anybody is told, and not where it was stopped or failed.
    pub(crate) then: Then,
}

/// What follows a sweep that was not broken off.
pub(crate) type Then = Box<dyn FnOnce() + Send>;

/// Why a sweep goes on: what may end it, and whether live analysis rests early for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A person asked for it and waits.
    Asked,
    /// A game is reviewed that was opened or is over: somebody may look at it, nobody asked.
    ByItself,
    /// The graph of a game on the board.
    Graph,
}

impl Purpose {
    /// Whether live analysis gives way to it.
    pub(super) fn is_awaited(self) -> bool {
        self != Self::Graph
    }
}

/// Points that a move may have lost beyond what two first thoughts of the network say. The figures behind these numbers
/// are in docs/experiments/worst-move.md.
const MARGIN: f64 = 4.0;
/// Points by which a verdict may be wrong that rests on the visits of a pass.
const VERDICT_MARGIN: f64 = 2.0;
/// Visits of those that are worst by less than that, as a multiple.
const CLOSER: u32 = 3;

/// The first look asks about every eighth position, then about those between two whose leads differ. An even number, since
/// first thoughts favour whoever is to move.
const STRIDE: usize = 8;
/// Points that a move seems to have lost before it is searched ahead of its turn.
const SUSPECT: f64 = 4.0;
/// Points by which the lead changes over a stretch of moves before each of them is looked at: gains of the one player and
/// losses of the other hide in it.
const STRETCH: f64 = 2.0;
/// Moves that are searched ahead of their turn: until the first mistake is certain, and no more than these.
const AHEAD: usize = 3;
/// Visits of such a move's positions at most: more would hold up the first look at all others.
const MAX_VISITS_AHEAD: u32 = 100;

/// Evaluates all positions that are not known well enough, until `stop`, and emits how it ended.
pub(super) fn run(shared: &Arc<Shared>, work: Work, stop: &StopFlag, serial: u32) {
    let mut progress = SweepProgress {
        serial,
        state: SweepState::Running,
        visits: 0,
        pass: 0,
        passes: count(work.passes.len()),
        done: 0,
        total: count(work.positions.len()),
        unsettled: false,
    };
    let mut result = Ok(());
    let mut ahead = HashSet::new();
    for (at, &visits) in work.passes.iter().enumerate() {
        progress = SweepProgress { visits: visits.max(1), pass: progress.pass + 1, done: 0, ..progress };
        let next = work.passes.get(at + 1).copied();
        let ahead_of_it = std::mem::take(&mut ahead);
        let by_need = work.by_need && next.is_none();
        let (game_id, begun) = (&work.game_id, work.begun);
        let line = work.line.walk();
        let mut pass = Pass { shared, game_id, begun, line, stop, progress, next, by_need, ahead: ahead_of_it };
        result = match work.worst {
            Some(moves) if pass.progress.pass > 1 => pass.settle(&work.positions, moves, work.patience),
            _ => {
                pass.progress.total = count(work.positions.len());
                pass.run(&work.positions.iter().collect::<Vec<_>>(), work.patience)
            }
        };
        (progress, ahead) = (pass.progress, pass.ahead);
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
    shared.sweep_ended(serial);
    if state == SweepState::Finished {
        (work.then)();
    }
    shared.report_values(work.begun, &work.game_id, Vec::new(), Some(SweepProgress { state, ..progress }));
}

/// One pass through the variation.
struct Pass<'a> {
    shared: &'a Arc<Shared>,
    game_id: &'a OpenGameId,
    begun: Era,
    line: Walk<'a>,
    stop: &'a StopFlag,
    progress: SweepProgress,
    /// Visits of the pass after this one.
    next: Option<u32>,
    by_need: bool,
    /// What was searched with them ahead of its turn.
    ahead: HashSet<NodeId>,
}

impl Pass<'_> {
    fn run(&mut self, positions: &[&LinePlace], patience: Option<Duration>) -> Result<(), ApiError> {
        let (network, visits) = (self.network(), self.progress.visits);
        let (known, missing): (Vec<_>, Vec<_>) = positions
            .iter()
            .map(|&position| (self.known(position, network.as_deref(), visits), position))
            .partition(|(values, _)| values.is_some());
        self.add(count(known.len()), known.into_iter().filter_map(|(values, _)| values).flatten().collect());
        if missing.is_empty() || self.stop.is_set() {
            return Ok(());
        }
        let missing: Vec<&LinePlace> = missing.into_iter().map(|(_, position)| position).collect();
        let loaded = self.shared.load()?;
        if self.progress.visits == 1 {
            match self.next {
                Some(visits) if visits > 1 => self.first_look(&loaded, positions, visits, patience),
                _ => self.ask_network(&loaded, &missing),
            }
        } else if self.by_need {
            self.share_out(&loaded, positions, &missing)
        } else {
            self.search_each(&loaded, &self.worst_first(positions, &missing))
        }
    }

    /// Gives every missing position its share first, then the rest where the verdict on a move is open.
    fn share_out(&mut self, loaded: &Loaded, positions: &[&LinePlace], missing: &[&LinePlace]) -> Result<(), ApiError> {
        let (mean, before) = (self.progress.visits, self.progress.done);
        let each = ledger::each_first(mean);
        let network = self.network();
        let mut search = None;
        let mut spent = 0;
        for position in self.worst_first(positions, missing) {
            self.look(loaded, &mut search, position, network.as_deref(), each)?;
            if self.stop.is_set() {
                return Ok(());
            }
            spent += u64::from(each);
            self.come_to(before, spent);
        }
        let all = u64::from(mean) * u64::from(count(missing.len()));
        let mut ledger = Ledger::new(all - spent, mean);
        loop {
            let place = |node| Place { visits: self.visits(node), lost: self.judged_loss(node) };
            let places: Vec<Place> = positions.iter().map(|(node, ..)| place(*node)).collect();
            let Some((at, wanted)) = ledger.next(&places) else { break };
            let searched = self.look(loaded, &mut search, positions[at], network.as_deref(), wanted)?;
            if self.stop.is_set() {
                return Ok(());
            }
            ledger.looked(at, places[at].visits, self.visits(positions[at].0), searched);
            self.come_to(before, all - ledger.left());
        }
        self.come_to(before, all);
        Ok(())
    }

    /// Finds a position out with so many visits; whether it had to be searched for that.
    fn look(
        &mut self,
        loaded: &Loaded,
        search: &mut Option<Search>,
        position: &LinePlace,
        network: Option<&str>,
        visits: u32,
    ) -> Result<bool, ApiError> {
        if let Some(values) = self.known(position, network, visits) {
            self.add(0, values);
            return Ok(false);
        }
        self.search_one(loaded, search, position, visits, 0)?;
        Ok(true)
    }

    /// So many visits of those that are shared out are spent.
    fn come_to(&mut self, before: u32, spent: u64) {
        let positions = spent / u64::from(self.progress.visits);
        self.progress.done = before + u32::try_from(positions).unwrap_or(u32::MAX);
        self.add(0, Vec::new());
    }

    /// The network that answers about the game's positions.
    fn network(&self) -> Option<String> {
        self.shared.network_name(self.line.start().board())
    }

    /// The values that are emitted of a position that is known well enough already.
    fn known(
        &mut self,
        &(node, number, last_move): &LinePlace,
        network: Option<&str>,
        wanted: u32,
    ) -> Option<Vec<GraphValue>> {
        let shown = self.shared.graph.get(self.game_id, node).filter(|value| value.visits >= wanted);
        if let Some(shown) = shown {
            return Some(vec![shown]);
        }
        let game = self.line.to(number);
        let found = self.shared.evaluations.recall(game, network?).filter(|found| found.visits >= wanted)?;
        Some(self.learn(node, last_move, found))
    }

    fn learn(&self, node: NodeId, last_move: Option<LastMove>, found: PositionEvaluation) -> Vec<GraphValue> {
        self.shared.graph.keep(self.game_id, self.begun, Found::of(node, last_move, found))
    }

    /// The nodes before and after the move to a position, and the points that it seems to have lost by what is known so
    /// far, which says where to look and judges nobody.
    fn seems_lost(&self, (node, _, last_move): &LinePlace) -> Option<([NodeId; 2], f64)> {
        let lead = |node| Some(self.shared.graph.get(self.game_id, node)?.black_score_lead?.get());
        let last = last_move.as_ref()?;
        let lost = f64::from(sign(last.mover)) * (lead(last.parent)? - lead(*node)?);
        Some(([last.parent, *node], lost))
    }

    /// Searches where it is open which move of each player lost most: first around moves that may have lost more than
    /// the worst that was judged, for two thirds of what two positions for each of so many moves take, then more closely
    /// around those that are worst by little. No position is begun with once `patience` has run out.
    fn settle(&mut self, positions: &[LinePlace], moves: usize, patience: Option<Duration>) -> Result<(), ApiError> {
        let began = self.shared.host.monotonic();
        let late = |shared: &Shared| patience.is_some_and(|most| shared.host.monotonic().saturating_sub(began) >= most);
        let network = self.network();
        let at: HashMap<NodeId, &LinePlace> = positions.iter().map(|position| (position.0, position)).collect();
        let visits = self.progress.visits;
        let budget = count(2 * moves);
        self.progress.total = budget.min(count(positions.len()));
        // What was searched ahead of its turn is part of what may be spent.
        let (mut asked, mut closer) = (std::mem::take(&mut self.ahead), HashSet::new());
        self.progress.done = count(asked.len()).min(budget);
        let mut search = None;
        while self.progress.done < budget && !self.stop.is_set() {
            let open = (count(asked.len()) < budget - budget / 3).then(|| self.open_move(positions, &asked)).flatten();
            let (node, visits, cost) = match open {
                Some(node) => (node, visits, 1),
                None => match self.close_move(positions, &closer) {
                    Some(node) if self.progress.done + CLOSER - 1 <= budget => (node, CLOSER * visits, CLOSER - 1),
                    _ => break,
                },
            };
            let Some(position) = at.get(&node) else { break };
            if late(self.shared) {
                self.progress.unsettled = true;
                break;
            }
            if cost == 1 { &mut asked } else { &mut closer }.insert(node);
            self.progress.total = self.progress.total.max(self.progress.done + cost);
            if let Some(values) = self.known(position, network.as_deref(), visits) {
                self.add(cost, values);
                continue;
            }
            let loaded = self.shared.load()?;
            self.search_one(&loaded, &mut search, position, visits, cost)?;
        }
        self.progress.total = self.progress.done;
        Ok(())
    }

    /// The worst of the moves that may be the worst of their player: the position before it first, since nothing more
    /// needs to be known where the engine would have played the same. `None` where every other move seems to have lost
    /// so much less than the worst that was judged, or than a mistake, that it cannot be worse.
    fn open_move(&self, positions: &[LinePlace], asked: &HashSet<NodeId>) -> Option<NodeId> {
        let worst = self.worst_judged(positions);
        let usual = self.usual_loss(positions.iter());
        let mut open = Vec::new();
        for position in positions {
            let judged = self.shared.graph.get(self.game_id, position.0).and_then(|value| value.judged);
            let (Some(last), None, Some((ends, lost))) = (&position.2, judged, self.seems_lost(position)) else {
                continue;
            };
            let wanted = |node: &NodeId| self.visits(*node) < self.progress.visits && !asked.contains(node);
            let next = ends.into_iter().find(wanted).filter(|_| lost - usual + MARGIN > worst[last.mover.index()]);
            open.extend(next.map(|node| (node, lost)));
        }
        open.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node)
    }

    /// What moves seem to lose in the middle: more or less than nothing where first thoughts favour the player to move.
    fn usual_loss<'p>(&self, positions: impl Iterator<Item = &'p LinePlace>) -> f64 {
        let mut lost: Vec<f64> =
            positions.filter_map(|position| self.seems_lost(position)).map(|(_, lost)| lost).collect();
        lost.sort_by(f64::total_cmp);
        lost.get(lost.len() / 2).copied().unwrap_or(0.0)
    }

    /// A position around the worst judged move, or one that lost its player hardly less, that was not looked at closely.
    fn close_move(&self, positions: &[LinePlace], asked: &HashSet<NodeId>) -> Option<NodeId> {
        let worst = self.worst_judged(positions);
        let mut close = Vec::new();
        for (node, _, last) in positions {
            let judged = self.shared.graph.get(self.game_id, *node).and_then(|value| value.judged);
            let (Some(last), Some(judged)) = (last, judged) else { continue };
            let lost = judged.points_lost.get();
            let wanted = |node: &NodeId| self.visits(*node) < CLOSER * self.progress.visits && !asked.contains(node);
            let next = [last.parent, *node].into_iter().find(wanted);
            let next = next.filter(|_| lost > 0.0 && lost + VERDICT_MARGIN >= worst[last.mover.index()]);
            close.extend(next.map(|node| (node, lost)));
        }
        close.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(node, _)| node)
    }

    /// What the worst move of each player lost, of those that were judged; a mistake where none was worse.
    fn worst_judged(&self, positions: &[LinePlace]) -> [f64; 2] {
        let mut worst = [MISTAKE_FROM; 2];
        for (node, _, last) in positions {
            let judged = self.shared.graph.get(self.game_id, *node).and_then(|value| value.judged);
            if let (Some(last), Some(judged)) = (last, judged) {
                let worst = &mut worst[last.mover.index()];
                *worst = worst.max(judged.points_lost.get());
            }
        }
        worst
    }

    fn visits(&self, node: NodeId) -> u32 {
        self.shared.graph.get(self.game_id, node).map_or(0, |value| value.visits)
    }

    /// The moves that seem to have lost most come first, each with the position before it: what a review is for is
    /// known long before its end.
    fn worst_first<'p>(&self, positions: &[&LinePlace], missing: &[&'p LinePlace]) -> Vec<&'p LinePlace> {
        let mut lost_around: HashMap<NodeId, f64> = HashMap::new();
        for position in positions {
            let Some((ends, lost)) = self.seems_lost(position) else { continue };
            for end in ends {
                let most = lost_around.entry(end).or_insert(lost);
                *most = most.max(lost);
            }
        }
        let mut ordered = missing.to_vec();
        let lost_at = |position: &LinePlace| lost_around.get(&position.0).copied().unwrap_or(0.0);
        ordered.sort_by(|a, b| lost_at(b).total_cmp(&lost_at(a)));
        ordered
    }

    /// Asks the network about every position, from far apart to close together, and searches the first mistake that comes
    /// to light with so many visits at once, or [`MAX_VISITS_AHEAD`]: whoever waits has something to look at long before every
    /// move is known.
    fn first_look(
        &mut self,
        loaded: &Loaded,
        positions: &[&LinePlace],
        visits: u32,
        patience: Option<Duration>,
    ) -> Result<(), ApiError> {
        let began = self.shared.host.monotonic();
        let late = |shared: &Shared| patience.is_some_and(|most| shared.host.monotonic().saturating_sub(began) >= most);
        let last = positions.len() - 1;
        let few = visits.min(MAX_VISITS_AHEAD);
        let (mut suspects, mut search) = (Vec::new(), None);
        self.ask_unknown(loaded, positions.iter().enumerate().filter(|(at, _)| at % STRIDE == 0 || *at == last))?;
        while suspects.len() < AHEAD && !self.stop.is_set() && !late(self.shared) {
            let Some((from, to)) = self.suspect(positions, &suspects) else { break };
            if to > from + 1 {
                self.ask_unknown(loaded, positions.iter().enumerate().take(to).skip(from + 1))?;
                continue;
            }
            suspects.push(to);
            for at in [from, to] {
                // Nothing more needs to be known where the engine would have played the same.
                if self.judged_loss(positions[to].0).is_none() && self.visits(positions[at].0) < few {
                    self.search_one(loaded, &mut search, positions[at], few, 0)?;
                    if few == visits {
                        self.ahead.insert(positions[at].0);
                    }
                }
            }
            if self.judged_loss(positions[to].0).is_some_and(|lost| lost >= MISTAKE_FROM) {
                break;
            }
        }
        if self.stop.is_set() {
            return Ok(());
        }
        self.ask_unknown(loaded, positions.iter().enumerate())
    }

    /// Two neighbouring positions, of those that are known: around the move that seems to have lost most, [`SUSPECT`] or
    /// more, and is none of `done`; without one, around the stretch of moves that changed the lead most.
    fn suspect(&self, positions: &[&LinePlace], done: &[usize]) -> Option<(usize, usize)> {
        let lead = |at: usize| Some(self.shared.graph.get(self.game_id, positions[at].0)?.black_score_lead?.get());
        let known: Vec<(usize, f64)> = (0..positions.len()).filter_map(|at| Some((at, lead(at)?))).collect();
        let usual = self.usual_loss(positions.iter().copied());
        let pairs = || known.windows(2).map(|pair| ((pair[0].0, pair[1].0), pair[0].1 - pair[1].1));
        let moves = pairs().filter_map(|((from, to), _)| {
            let is_open = to == from + 1 && !done.contains(&to) && self.judged_loss(positions[to].0).is_none();
            let ([parent, _], lost) = self.seems_lost(positions[to]).filter(|_| is_open)?;
            (parent == positions[from].0 && lost - usual >= SUSPECT).then_some(((from, to), lost))
        });
        let stretches = pairs().filter(|&((from, to), change)| {
            change.abs() >= STRETCH && (from + 1..to).any(|at| self.visits(positions[at].0) == 0)
        });
        let most = moves.max_by(|a, b| a.1.total_cmp(&b.1));
        most.or_else(|| stretches.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))).map(|(ends, _)| ends)
    }

    /// Points that the move to a node lost, where that is certain.
    fn judged_loss(&self, node: NodeId) -> Option<f64> {
        Some(self.shared.graph.get(self.game_id, node)?.judged?.points_lost.get())
    }

    /// Asks the network about those of the positions of which nothing is known.
    fn ask_unknown<'p>(
        &mut self,
        loaded: &Loaded,
        positions: impl Iterator<Item = (usize, &'p &'p LinePlace)>,
    ) -> Result<(), ApiError> {
        let unknown: Vec<&LinePlace> =
            positions.map(|(_, position)| *position).filter(|position| self.visits(position.0) == 0).collect();
        self.ask_network(loaded, &unknown)
    }

    fn ask_network(&mut self, loaded: &Loaded, positions: &[&LinePlace]) -> Result<(), ApiError> {
        let evaluator = loaded.background();
        for batch in positions.chunks(BATCH) {
            let games: Vec<Game> = batch.iter().map(|place| self.line.to(place.1).clone()).collect();
            let requests: Vec<_> =
                games.iter().map(|game| EvalRequest { game, params: EvalParams::default() }).collect();
            let answers =
                evaluator.evaluate(&requests, self.stop).map_err(|error| ApiError::from_evaluation(&error))?;
            if self.stop.is_set() {
                return Ok(());
            }
            let mut values = Vec::new();
            for (((node, _, last_move), game), answer) in batch.iter().zip(&games).zip(&answers) {
                let found = of_network(answer);
                self.shared.evaluations.keep(game, loaded.network_on(game.board()), found.clone());
                values.extend(self.learn(*node, *last_move, found));
            }
            self.add(count(batch.len()), values);
        }
        Ok(())
    }

    fn search_each(&mut self, loaded: &Loaded, positions: &[&LinePlace]) -> Result<(), ApiError> {
        let mut search = None;
        for position in positions {
            self.search_one(loaded, &mut search, position, self.progress.visits, 1)?;
            if self.stop.is_set() {
                break;
            }
        }
        Ok(())
    }

    /// Searches a position; `search` is kept from one to the next, `cost` is how much further that brings the pass.
    fn search_one(
        &mut self,
        loaded: &Loaded,
        search: &mut Option<Search>,
        &(node, number, last_move): &LinePlace,
        visits: u32,
        cost: u32,
    ) -> Result<(), ApiError> {
        let limits = SearchLimits {
            max_visits: visits.into(),
            threads: loaded.threads,
            leaves_per_thread: None,
            include_ownership: false,
            ..SearchLimits::default()
        };
        let options = ReportOptions { perspective: Perspective::Black, ..ReportOptions::default() };
        let failed = |error| ApiError::from_search(&error);
        let game = self.line.to(number);
        let search = match search {
            Some(search) => {
                search.set_root(game.clone()).map_err(failed)?;
                search
            }
            none => {
                let params = SearchParams::analysis();
                none.insert(Search::new(loaded.background(), game.clone(), params, SEED).map_err(failed)?)
            }
        };
        search.run(&limits, self.stop).map_err(failed)?;
        if self.stop.is_set() {
            return Ok(());
        }
        if let Some(report) = search.report(&options) {
            let found = of_report(&report);
            self.shared.evaluations.keep(game, loaded.network_on(game.board()), found.clone());
            let values = self.learn(node, last_move, found);
            self.add(cost, values);
        }
        Ok(())
    }

    fn add(&mut self, evaluated: u32, values: Vec<GraphValue>) {
        self.progress.done += evaluated;
        self.shared.report_values(self.begun, self.game_id, values, Some(self.progress.clone()));
        self.shared.emit_speed();
    }
}

fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}
