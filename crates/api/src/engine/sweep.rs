//! A sweep through a game: every position of a variation evaluated, for the graph.

use super::live::SEED;
use super::{Loaded, Shared};
use crate::evaluations::{graph_value, of_network, of_report};
use crate::{ApiError, Event, GameId, GraphUpdate, GraphValue, NodeId};
use honinbo_net::{EvalParams, EvalRequest, StopFlag};
use honinbo_rules::Game;
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};

/// A few positions at a time: live analysis beside a sweep shares the network with it batch by batch, so that neither
/// waits long for the other.
const BATCH: usize = 4;

/// What to evaluate.
pub(crate) struct Work {
    pub(crate) game_id: GameId,
    /// Positions in the order in which they are wanted.
    pub(crate) positions: Vec<(NodeId, Game)>,
    /// Visits on each; 1 asks the network alone.
    pub(crate) visits: u32,
}

/// Evaluates all positions that the graph does not know well enough, until `stop`. `serial` tells whether another
/// sweep has taken its place.
pub(super) fn run(shared: &Shared, work: &Work, stop: &StopFlag, serial: u64) {
    let total = u32::try_from(work.positions.len()).unwrap_or(u32::MAX);
    let wanted = work.visits.max(1);
    let mut progress = Progress { shared, game_id: &work.game_id, done: 0, total };
    let network = shared.network_name();
    let known_value = |node: NodeId, game: &Game| {
        let shown = shared.graph.get(&work.game_id, node).filter(|value| value.visits >= wanted);
        shown.or_else(|| {
            let known = shared.evaluations.recall(game, network.as_deref()?)?;
            (known.visits >= wanted).then(|| graph_value(node, &known))
        })
    };
    let (known, missing): (Vec<_>, Vec<_>) = work
        .positions
        .iter()
        .map(|(node, game)| (known_value(*node, game), *node, game))
        .partition(|(value, ..)| value.is_some());
    progress.add(known.into_iter().filter_map(|(value, ..)| value).collect());

    if !missing.is_empty()
        && let Ok(loaded) = shared.load()
    {
        let positions: Vec<(NodeId, &Game)> = missing.into_iter().map(|(_, node, game)| (node, game)).collect();
        let result = if wanted == 1 {
            ask_network(&loaded, &positions, stop, &mut progress)
        } else {
            search_each(&loaded, &positions, wanted, stop, &mut progress)
        };
        if let Err(error) = result {
            tracing::warn!(%error, "a sweep ended early");
        }
    }
    // A sweep that another one replaced tells nothing any more: the windows hear of the new one.
    if shared.state.lock().sweep_serial == serial {
        progress.end();
    }
}

fn ask_network(
    loaded: &Loaded,
    positions: &[(NodeId, &Game)],
    stop: &StopFlag,
    progress: &mut Progress<'_>,
) -> Result<(), ApiError> {
    let evaluator = loaded.evaluator();
    for batch in positions.chunks(BATCH) {
        let requests: Vec<_> =
            batch.iter().map(|(_, game)| EvalRequest { game, params: EvalParams::default() }).collect();
        let answers = evaluator.evaluate(&requests, stop).map_err(|error| ApiError::from_evaluation(&error))?;
        if stop.is_set() {
            return Ok(());
        }
        let answered = batch.iter().zip(&answers).map(|(&(node, game), answer)| {
            let found = of_network(answer);
            let value = graph_value(node, &found);
            progress.shared.evaluations.keep(game, &loaded.network, found);
            value
        });
        progress.add(answered.collect());
    }
    Ok(())
}

fn search_each(
    loaded: &Loaded,
    positions: &[(NodeId, &Game)],
    visits: u32,
    stop: &StopFlag,
    progress: &mut Progress<'_>,
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
    let Some((_, first)) = positions.first() else { return Ok(()) };
    let search = Search::new(loaded.evaluator(), (*first).clone(), SearchParams::analysis(), SEED).map_err(failed)?;
    for &(node_id, game) in positions {
        search.set_root(game.clone()).map_err(failed)?;
        search.run(&limits, stop).map_err(failed)?;
        if stop.is_set() {
            return Ok(());
        }
        if let Some(report) = search.report(&options) {
            let found = of_report(&report);
            let value = graph_value(node_id, &found);
            progress.shared.evaluations.keep(game, &loaded.network, found);
            progress.add(vec![value]);
        }
    }
    Ok(())
}

struct Progress<'a> {
    shared: &'a Shared,
    game_id: &'a GameId,
    done: u32,
    total: u32,
}

impl Progress<'_> {
    fn add(&mut self, values: Vec<GraphValue>) {
        self.done += u32::try_from(values.len()).unwrap_or(0);
        for value in &values {
            self.shared.graph.keep(self.game_id, value);
        }
        self.tell(values, self.total);
        self.shared.tell_speed();
    }

    fn end(&self) {
        self.tell(Vec::new(), 0);
    }

    fn tell(&self, values: Vec<GraphValue>, total: u32) {
        let update = GraphUpdate { game_id: self.game_id.clone(), values, done: self.done, total };
        self.shared.host.emit(Event::Graph(update));
    }
}
