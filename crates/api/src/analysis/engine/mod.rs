//! The engine behind every window and socket: one network, loaded when it is first needed, and the threads that ask it.
//!
//! One thread follows the position that live analysis is about; another sweeps through a whole game for its graph; a
//! `run` searches on its caller's thread.
//! All of them share one evaluator, which puts their questions into common batches.
//!
//! Locks, in the order in which they are taken: `measuring`, `second`, `loading`, which are held while devices are measured or
//! a network is read; then `reporting`, `state`, the graph, each for moments only, never while a network is read or asked.

mod computing;
mod devices;
mod graph;
mod idle;
mod joined;
mod live;
mod load;
mod measured;
mod meter;
mod other;
mod recall;
mod reports;
mod services;
mod sharing;
mod sweep;
mod trees;
mod tuning;

pub(crate) use computing::Computing;
pub use devices::excuse_device_checks;
pub(crate) use graph::{Era, Found};
pub(crate) use live::{SEED, STRONGEST_PROFILE};
pub(crate) use load::{Held, Loaded};
pub(crate) use measured::MeasuredFile;
pub use sharing::SharedEngine;
pub(crate) use trees::TreeRoom;

use crate::analysis::evaluations::Evaluations;
use crate::analysis::resources::DEFAULT_NETWORK;
use crate::analysis::views::update_of;
use crate::games::session::LineMove;
use crate::{
    AnalysisUpdate, ApiError, Devices, EngineOnBoard, EnginePrecision, EngineState, EngineStatus, Event, GraphValue,
    Host, LineReview, NodeId, OpenGameId, PositionsChanged,
};
use graph::GraphStore;
use honinbo_evaluator::{Allowance, Evaluator, Ration, StopFlag};
use honinbo_record::GameTree;
use honinbo_remote::RemoteOptions;
use honinbo_rules::{Board, Game};
use live::Target;
use meter::Demand;
use other::Other;
use parking_lot::{Condvar, Mutex, MutexGuard};
use services::Services;
use sharing::Followers;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use trees::Trees;

/// How long the end of the program waits for a network that is being read; the first reading of a large one takes a few
/// seconds, and cannot be broken off.
const MAX_READING: Duration = Duration::from_secs(30);
/// How long it waits for searches that were told to end: an evaluation that is under way is finished.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(5);
/// Between two looks.
const MOMENT: Duration = Duration::from_millis(5);

/// Who answers for positions.
#[derive(Clone)]
pub enum EngineSource {
    /// The network named in the settings, computed by ONNX Runtime.
    Network,
    /// This evaluator, for whichever network is chosen: for tests.
    Given {
        /// Answers.
        evaluator: Arc<dyn Evaluator>,
        /// What it is called as long as no network is chosen; one that is chosen is called by its own name.
        network: String,
    },
    /// As [`EngineSource::Given`], with an end for each of the two kinds of work: for tests.
    TwoEnds {
        /// Answers for what a person waits for.
        live: Arc<dyn Evaluator>,
        /// Answers for what may take its time: sweeps and reviews.
        background: Arc<dyn Evaluator>,
        /// What it is called.
        network: String,
    },
    /// The engine of another back end, for one of many who share it.
    Shared(SharedEngine),
}

impl EngineSource {
    /// The same engine for somebody who may have no more computed than so many positions a second, and `burst` at once
    /// after a rest; 0 a second does not limit, and anything but a shared engine is as it was. `clock` is asked for the
    /// time since any fixed moment.
    #[must_use]
    pub fn rationed(self, per_second: u32, burst: u32, clock: Arc<dyn Fn() -> Duration + Send + Sync>) -> Self {
        let allowance = Allowance::new(Ration { burst, per_second }, clock);
        match self {
            Self::Shared(engine) => Self::Shared(engine.within(allowance)),
            other => other,
        }
    }
}

/// The engine. Clones share it; its threads end when [`Engine::shut_down`] is called.
#[derive(Clone)]
pub(crate) struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    host: Arc<dyn Host>,
    source: EngineSource,
    graph: GraphStore,
    /// What the engine found in any game, kept.
    evaluations: Arc<Evaluations>,
    /// A network's file, and the name that it gives itself.
    named: Mutex<Option<(String, String)>>,
    state: Mutex<State>,
    /// Told when the target of live analysis changes, and at the end.
    target_changed: Condvar,
    /// Held while a network is read, so that it is read once.
    loading: Mutex<()>,
    /// The network that is compared with the one in use, by the name it was asked for; held while it is read.
    second: Mutex<Option<Second>>,
    /// Held while windows are told something, so that nothing older arrives after what made it old.
    reporting: Mutex<()>,
    /// Updates of live analysis told so far.
    updates: AtomicU32,
    /// Who asks the network, so that measurements make room.
    demand: Arc<Demand>,
    /// Held while speeds are measured, so that no two measurements share the machine.
    measuring: Mutex<()>,
    /// Set when the program ends: a measurement that is under way stops.
    ending: StopFlag,
    /// What computes, also for those who began before another network was chosen.
    services: Arc<Services>,
    /// Back ends that share this engine.
    followers: Followers,
    /// Memory for large trees.
    trees: Arc<Trees>,
    /// Memory for the tree of live analysis.
    live_trees: Arc<Trees>,
    /// The same for all who share this engine.
    sharers_trees: Arc<Trees>,
}

struct State {
    engine: EngineState,
    /// Counts the networks and programs that were chosen so far.
    serial: u32,
    /// What the settings ask for: a network's name and a number of threads.
    wanted: Wanted,
    /// The program that does live analysis instead of the network, if one is chosen.
    other: Option<Other>,
    loaded: Option<Arc<Loaded>>,
    /// Counts how often what was loaded, or is just being read, was not wanted any more.
    outdated: u64,
    target: Option<Arc<Target>>,
    /// Counts changes of `target`.
    target_serial: u64,
    /// Ends the search of the present target.
    live_stop: StopFlag,
    /// Ends the present sweep.
    sweep_stop: StopFlag,
    /// Ends the present comparison of networks.
    comparison_stop: StopFlag,
    /// Ends the present search for advice.
    advice_stop: StopFlag,
    /// Counts sweeps.
    sweep_serial: u32,
    /// The sweep that has not ended.
    sweep_running: Option<RunningSweep>,
    last_status: Option<(Duration, EngineStatus)>,
    /// Live analysis rests, because somebody has devices measured.
    rests: bool,
    /// So long its tree stays after it was turned off.
    tree_stays: Duration,
    shut_down: bool,
}

/// What the settings ask of the engine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// A network's file name, or a path; empty for the default.
    pub(crate) network: String,
    /// A device's name; empty for the best there is.
    pub(crate) device: String,
    /// Search threads; 0 chooses.
    pub(crate) threads: u32,
    /// Memory for answers that are remembered, in MiB.
    pub(crate) memory_mib: u32,
    /// How exactly it computes.
    pub(crate) precision: EnginePrecision,
    /// The servers that compute it, where that is not done here.
    pub(crate) inference: Option<RemoteOptions>,
}

/// The network that is compared with the one in use.
struct Second {
    /// The name it was asked for.
    name: String,
    /// [`State::outdated`] when it began to be read: it is as outdated as the one in use was.
    outdated: u64,
    loaded: Arc<Loaded>,
}

/// A sweep that is under way.
struct RunningSweep {
    serial: u32,
    purpose: SweepPurpose,
    game_id: OpenGameId,
    nodes: HashSet<NodeId>,
}

impl RunningSweep {
    /// Whether it goes through one of these nodes.
    fn looks_at(&self, game: &str, nodes: &[NodeId]) -> bool {
        self.game_id == game && nodes.iter().any(|node| self.nodes.contains(node))
    }
}

impl State {
    /// Whether something is analysed, or somebody holds the network.
    fn is_used(&self) -> bool {
        let is_held = self.loaded.as_ref().is_some_and(|loaded| loaded.is_held());
        is_held || self.target.is_some() || self.sweep_running.is_some()
    }

    /// Live analysis is about something else from now on. Returns whether it is.
    fn aim(&mut self, target: Option<Target>) -> bool {
        let same = match (&self.target, &target) {
            (None, None) => true,
            (Some(old), Some(new)) => old.is_same(new),
            _ => false,
        };
        if !same {
            self.target = target.map(Arc::new);
            self.target_serial += 1;
            self.live_stop.set();
        }
        !same
    }

    /// Live analysis looks at its position anew: something else than the position has changed.
    fn look_again(&mut self) {
        // A program of its own neither waits for sweeps nor holds them up.
        if self.other.is_none() && self.target.is_some() {
            self.target_serial += 1;
            self.live_stop.set();
        }
    }

    /// Live analysis is to rest early, because somebody waits for a sweep.
    fn sweep_is_awaited(&self) -> bool {
        self.sweep_running.as_ref().is_some_and(|sweep| sweep.purpose.is_awaited())
    }
}

impl Engine {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        source: EngineSource,
        wanted: Wanted,
        evaluations: Arc<Evaluations>,
    ) -> Self {
        let trees = Trees::of(&source);
        let live_trees = match &source {
            EngineSource::Shared(engine) => engine.live_trees(),
            _ => Trees::of_live(),
        };
        let shared = Arc::new(Shared {
            host,
            source,
            graph: GraphStore::default(),
            evaluations,
            named: Mutex::default(),
            state: Mutex::new(State {
                engine: EngineState::Idle,
                serial: 0,
                wanted,
                other: None,
                loaded: None,
                outdated: 0,
                target: None,
                target_serial: 0,
                live_stop: StopFlag::default(),
                sweep_stop: StopFlag::default(),
                sweep_serial: 0,
                sweep_running: None,
                advice_stop: StopFlag::default(),
                comparison_stop: StopFlag::default(),
                last_status: None,
                rests: false,
                tree_stays: live::TREE_STAYS,
                shut_down: false,
            }),
            target_changed: Condvar::new(),
            loading: Mutex::new(()),
            second: Mutex::default(),
            reporting: Mutex::new(()),
            updates: AtomicU32::new(0),
            demand: Arc::default(),
            measuring: Mutex::new(()),
            ending: StopFlag::new(),
            services: Arc::default(),
            followers: Followers::default(),
            trees,
            live_trees,
            sharers_trees: Trees::of_sharers(),
        });
        if let EngineSource::Shared(engine) = &shared.source {
            engine.follow(&shared);
        }
        let worker = Arc::clone(&shared);
        // A machine that cannot start a thread at start-up cannot do anything; analysis is then simply never answered.
        let _ = std::thread::Builder::new().name("analysis".into()).spawn(move || live::work(&worker));
        Self { shared }
    }

    /// The engine as it is now.
    pub(crate) fn status(&self) -> EngineStatus {
        self.shared.status()
    }

    /// Counts the networks and programs that were chosen so far.
    pub(crate) fn serial(&self) -> u32 {
        self.shared.state.lock().serial
    }

    /// Takes another network or number of threads from now on. What is under way goes on with the old ones, but for live
    /// analysis, and a sweep of another network's.
    pub(crate) fn want(&self, wanted: Wanted) {
        self.shared.read_again(&mut |state| {
            let before = std::mem::replace(&mut state.wanted, wanted.clone());
            (before != wanted).then(|| before.network != wanted.network)
        });
    }

    /// Has an engine of `engines.yaml` do live analysis from now on; an empty name leaves it to the network.
    pub(crate) fn want_other(&self, name: &str) {
        let in_order = self.shared.reporting.lock();
        let mut state = self.shared.state.lock();
        if state.other.as_ref().map_or("", |other| &other.chosen.name) == name {
            return;
        }
        let before = std::mem::replace(&mut state.other, (!name.is_empty()).then(|| Other::new(name)));
        if let Some(before) = before {
            before.chosen.abandoned.set();
        }
        self.shared.forget_all(&mut state);
        state.target_serial += 1;
        state.live_stop.set();
        drop(state);
        self.shared.target_changed.notify_all();
        self.shared.report_status(&in_order);
    }

    /// For whatever begins now of an open game, which the caller holds: it is of use until that is forgotten.
    pub(crate) fn era_of(&self, game: &str) -> Era {
        self.shared.graph.era_of(game)
    }

    /// The evaluator, read now if it has not been.
    pub(crate) fn load(&self) -> Result<Arc<Loaded>, ApiError> {
        self.shared.load()
    }

    /// What can compute, and what is known of it with the network in use.
    pub(crate) fn devices(&self) -> Result<Devices, ApiError> {
        self.shared.devices(None)
    }

    /// Checks and measures all devices again; what is found holds from now on. Live analysis, sweeps and reviews rest
    /// meanwhile, as they would slow down what is measured, and go on afterwards with the old device.
    pub(crate) fn measure_devices(&self, stop: &StopFlag) -> Result<Devices, ApiError> {
        // What is measured while nobody asks makes room.
        self.shared.demand.ask();
        let before = {
            let _alone = self.shared.measuring.lock();
            let _quiet = self.keep_quiet();
            self.shared.devices(Some(stop))?
        };
        if self.is_given() {
            return Ok(before);
        }
        self.shared.read_again(&mut |_| Some(false));
        self.shared.load()?;
        self.shared.devices(None)
    }

    /// Has live analysis, sweeps and reviews rest, also those of whoever shares the engine. Opponents and what a person
    /// asks for meanwhile are answered.
    fn keep_quiet(&self) -> Quiet {
        let all = std::iter::once(Arc::clone(&self.shared)).chain(self.shared.followers.all()).collect();
        let quiet = Quiet(all);
        quiet.0.iter().for_each(|shared| shared.rest(true));
        quiet
    }

    /// The name of the network that answers on a board, without one where edges end, or will once it is read.
    pub(crate) fn network_name<'a>(&self, board: impl Into<Option<&'a Board>>) -> Option<String> {
        self.shared.network_name(board)
    }

    /// Whether a network answers where edges are joined, and whether it is another one than elsewhere. Until the network
    /// is read, what is usual is expected.
    pub(crate) fn on_joined_edges(&self) -> EngineOnBoard {
        match self.shared.state.lock().loaded.as_deref() {
            Some(loaded) if loaded.has_second() => EngineOnBoard::SecondNetwork,
            Some(loaded) if !loaded.wraps => EngineOnBoard::NeedsConvolution,
            _ => EngineOnBoard::Plays,
        }
    }

    /// Emits, in the background, what is known of the positions of a game.
    pub(crate) fn recall(&self, work: recall::Work) {
        let shared = Arc::clone(&self.shared);
        let _ = std::thread::Builder::new().name("recall".into()).spawn(move || recall::run(&shared, &work));
    }

    /// A game's record with what is known of its positions, in the properties that other programs read.
    pub(crate) fn evaluated(&self, tree: &GameTree) -> GameTree {
        recall::write(&self.shared, tree)
    }

    /// Counts how often networks that were read were not wanted any more, by other settings or other measurements: what
    /// was read before that is to be read again, also beside the one in use.
    pub(crate) fn outdated(&self) -> u64 {
        self.shared.state.lock().outdated
    }

    /// Another network beside the one in use, read now and computed here. It is the caller's alone.
    pub(crate) fn load_beside(&self, network: &str) -> Result<Loaded, ApiError> {
        let state = self.shared.state.lock();
        // Servers have the network in use and no other.
        let wanted = Wanted { network: network.to_owned(), inference: None, ..state.wanted.clone() };
        drop(state);
        self.shared.read(&wanted)
    }

    /// Reads the network in the background, so that the first answer comes sooner.
    pub(crate) fn warm_up(&self) {
        let shared = Arc::clone(&self.shared);
        let _ = std::thread::Builder::new().name("load".into()).spawn(move || shared.load().map(drop));
    }

    /// What live analysis is about from now on; `None` ends it.
    pub(crate) fn analyse(&self, target: Option<Target>) {
        self.shared.set_target(target);
    }

    /// Takes live analysis along to the node where its game stands now, if it is this game's. What was found of nodes whose
    /// position is `changed` is forgotten first, in the same moment.
    pub(crate) fn follow(
        &self,
        game: &str,
        node: NodeId,
        changed: Vec<NodeId>,
        target: impl FnOnce(live::Focus) -> Target,
    ) {
        let in_order = (!changed.is_empty()).then(|| self.shared.reporting.lock());
        let mut state = self.shared.state.lock();
        if in_order.is_some() {
            self.shared.graph.forget_nodes(game, &changed);
            if state.sweep_running.as_ref().is_some_and(|sweep| sweep.looks_at(game, &changed)) {
                state.sweep_stop.set();
            }
        }
        let now = state.target.as_ref().filter(|now| now.game_id == game);
        let focus = now.map(|now| if now.node_id == node { now.focus.clone() } else { now.focus.elsewhere() });
        let is_new = focus.is_some_and(|focus| {
            let is_same = !state.aim(Some(target(focus)));
            if is_same && changed.contains(&node) {
                // The same to a search, but what it goes on to find was just forgotten: it begins anew.
                state.target_serial += 1;
                state.live_stop.set();
            }
            !is_same || changed.contains(&node)
        });
        drop(state);
        if let Some(in_order) = in_order {
            self.shared
                .host
                .emit(Event::PositionsChanged(PositionsChanged { game_id: game.to_owned(), nodes: changed }));
            drop(in_order);
        }
        if is_new {
            self.shared.report_target();
        }
    }

    /// Ends live analysis, if it is this game's.
    pub(crate) fn leave(&self, game: &str) {
        let state = self.shared.state.lock();
        if state.target.as_ref().is_some_and(|now| now.game_id == game) {
            self.shared.replace_target(state, None);
        }
    }

    /// Evaluates positions in the background; an earlier sweep ends, unless it is one that this one `gives_way` to.
    /// Returns the number of the sweep that goes on, and whether it is this one.
    pub(crate) fn sweep(&self, work: sweep::Work, gives_way: impl Fn(SweepPurpose) -> bool) -> (u32, bool) {
        let stop = StopFlag::default();
        let serial = {
            let mut state = self.shared.state.lock();
            // Decided where it begins: another may have begun since this one was thought of.
            let running = state.sweep_running.as_ref().filter(|_| !state.sweep_stop.is_set());
            if let Some(other) = running.filter(|other| gives_way(other.purpose)) {
                return (other.serial, false);
            }
            std::mem::replace(&mut state.sweep_stop, stop.clone()).set();
            let (game_id, begun) = (work.game_id.clone(), work.begun);
            let nodes: HashSet<NodeId> = work.positions.iter().map(|(node, ..)| *node).collect();
            if !nodes.iter().all(|&node| self.shared.graph.wants(&game_id, node, begun)) {
                // They were forgotten since their positions were looked up, or their game was closed.
                stop.set();
            }
            state.sweep_serial += 1;
            let serial = state.sweep_serial;
            state.sweep_running = Some(RunningSweep { serial, purpose: work.purpose, game_id, nodes });
            if work.purpose.is_awaited() {
                state.look_again();
            }
            state.sweep_serial
        };
        self.shared.target_changed.notify_all();
        let shared = Arc::clone(&self.shared);
        let run = move || sweep::run(&shared, work, &stop, serial);
        let _ = std::thread::Builder::new().name("sweep".into()).spawn(run);
        (serial, true)
    }

    /// Whether a sweep goes on that was not told to end.
    pub(crate) fn is_sweeping(&self) -> bool {
        let state = self.shared.state.lock();
        state.sweep_running.is_some() && !state.sweep_stop.is_set()
    }

    /// What is known of a node's position and of the moves there, from this run or an earlier one.
    pub(crate) fn known_analysis(&self, game_id: &OpenGameId, node: NodeId, game: &Game) -> Option<AnalysisUpdate> {
        let shown = self.shared.graph.evaluation(game_id, node);
        let kept = self.network_name(game.board()).and_then(|network| self.shared.evaluations.recall(game, &network));
        let known = [shown, kept].into_iter().flatten().filter(|known| !known.candidates.is_empty());
        let known = known.max_by_key(|known| known.visits)?;
        let sequence = self.shared.updates.fetch_add(1, Ordering::Relaxed) + 1;
        Some(AnalysisUpdate { sequence, ..update_of(game_id.clone(), node, game, &known) })
    }

    /// What the graph of an open game knows of a node.
    pub(crate) fn value_of(&self, game: &str, node: NodeId) -> Option<GraphValue> {
        self.shared.graph.get(game, node)
    }

    /// Takes what was found of a node into the review of an open game, as a sweep does, and tells windows.
    pub(crate) fn learn(&self, game: &OpenGameId, begun: Era, found: Found) {
        let values = self.shared.graph.keep(game, begun, found);
        self.shared.report_values(begun, game, values, None);
    }

    /// All that is known of a node's position.
    pub(crate) fn evaluation_of(&self, game: &str, node: NodeId) -> Option<honinbo_record::PositionEvaluation> {
        self.shared.graph.evaluation(game, node)
    }

    /// How the players of a line of moves did, on a board of so many points.
    pub(crate) fn line_review(&self, game: &str, line: &[LineMove], area: usize) -> LineReview {
        self.shared.graph.review(game, line, area)
    }

    /// Ends the sweep that is under way, if any, which is emitted.
    pub(crate) fn stop_sweep(&self) {
        self.shared.state.lock().sweep_stop.set();
    }

    /// A search for advice begins that `stop` ends.
    pub(crate) fn begin_advice(&self, stop: &StopFlag) {
        self.shared.state.lock().advice_stop = stop.clone();
    }

    /// Ends all that was asked of the engine: live analysis, sweep, advice and comparison. Opponents think on.
    pub(crate) fn stop(&self) {
        {
            let state = self.shared.state.lock();
            state.sweep_stop.set();
            state.advice_stop.set();
            state.comparison_stop.set();
        }
        self.analyse(None);
    }

    /// A comparison of networks begins that `stop` ends; an earlier one ends.
    pub(crate) fn begin_comparison(&self, stop: &StopFlag) -> Result<(), ApiError> {
        let mut state = self.shared.state.lock();
        if state.shut_down {
            return Err(load::ending());
        }
        std::mem::replace(&mut state.comparison_stop, stop.clone()).set();
        Ok(())
    }

    /// The network to compare with, read now if it has not been. One that was compared with before is let go of first,
    /// so that there are never three.
    pub(crate) fn second(&self, network: &str, stop: &StopFlag) -> Result<Arc<Loaded>, ApiError> {
        let mut second = self.shared.second.lock();
        if stop.is_set() {
            return Err(ApiError::Cancelled);
        }
        let outdated = self.outdated();
        if let Some(kept) = second.as_ref().filter(|kept| kept.name == network && kept.outdated == outdated) {
            return Ok(Arc::clone(&kept.loaded));
        }
        *second = None;
        let loaded = Arc::new(self.load_beside(network)?);
        // Kept even if nobody waits for it any more: the next question wants it, and whoever ended the comparison
        // stands at the lock to let go of it.
        *second = Some(Second { name: network.to_owned(), outdated, loaded: Arc::clone(&loaded) });
        Ok(loaded)
    }

    /// Ends the comparison that is under way, if any, and lets go of the second network.
    pub(crate) fn end_comparison(&self) {
        self.shared.state.lock().comparison_stop.set();
        *self.shared.second.lock() = None;
    }

    /// Whether a test, or an engine that others share, answers in the place of all networks.
    pub(crate) fn is_given(&self) -> bool {
        !matches!(self.shared.source, EngineSource::Network)
    }

    /// Forgets a game that was closed, and ends what goes on there.
    pub(crate) fn forget(&self, game: &str) {
        self.leave(game);
        // In one moment, so that no sweep begins between the two.
        let state = self.shared.state.lock();
        self.shared.graph.forget(game);
        if state.sweep_running.as_ref().is_some_and(|sweep| sweep.game_id == game) {
            state.sweep_stop.set();
        }
    }

    /// Ends all threads, and waits until none is inside ONNX Runtime: a program that ends while its library is at work
    /// takes the library's memory away under it and crashes.
    pub(crate) fn shut_down(&self) {
        self.shared.ending.set();
        self.shared.demand.ask();
        {
            let mut state = self.shared.state.lock();
            state.shut_down = true;
            state.target = None;
            state.live_stop.set();
            state.sweep_stop.set();
            state.advice_stop.set();
            if let Some(other) = state.other.take() {
                other.chosen.abandoned.set();
            }
            state.comparison_stop.set();
        }
        self.shared.target_changed.notify_all();
        self.wait_for_networks();
        // Whoever goes on has been told to end, and hears from here that nobody answers any more.
        self.shared.services.close();
    }
}

impl Engine {
    /// Until nobody reads a network or uses one, or for as long as the end of the program may take.
    fn wait_for_networks(&self) {
        let Some(_nobody_reads) = self.shared.loading.try_lock_for(MAX_READING) else {
            tracing::warn!("a network is still being read");
            return;
        };
        let Some(mut second) = self.shared.second.try_lock_for(MAX_READING) else {
            tracing::warn!("a second network is still being read");
            return;
        };
        let first = self.shared.state.lock().loaded.take();
        for loaded in [first, second.take().map(|second| second.loaded)].into_iter().flatten() {
            wait_until_unused(&loaded);
        }
    }
}

fn wait_until_unused(loaded: &Arc<Loaded>) {
    let mut waited = Duration::ZERO;
    while Arc::strong_count(loaded) > 1 && waited < MAX_ANSWER_TIME {
        std::thread::sleep(MOMENT);
        waited += MOMENT;
    }
}

pub(crate) use live::{Focus as AnalysisFocus, Target as AnalysisTarget};
pub(crate) use recall::Work as RecallWork;
pub(crate) use sweep::{Purpose as SweepPurpose, Then as AfterSweep, Work as SweepWork};

impl Engine {
    /// The file of the network in use, what computes it and how, and its evaluations a second; `None` until it worked for a
    /// while.
    pub(crate) fn measured_speed(&self) -> Option<(String, String, f64)> {
        let state = self.shared.state.lock();
        let loaded = state.loaded.as_ref()?;
        let speed = loaded.measured_speed()?;
        let Wanted { network, precision, .. } = &state.wanted;
        // Another driver, precision or number of threads has other speeds, as another device has.
        let device = format!("{}, {precision:?}, {} threads", loaded.computing.identity(), loaded.threads);
        let file = if network.is_empty() { DEFAULT_NETWORK } else { network };
        Some((file.to_owned(), device, speed)).filter(|_| matches!(self.shared.source, EngineSource::Network))
    }
}

/// Those whose work rests until this is let go of.
struct Quiet(Vec<Arc<Shared>>);

impl Drop for Quiet {
    fn drop(&mut self) {
        self.0.iter().for_each(|shared| shared.rest(false));
    }
}

impl Shared {
    /// Live analysis and work that may take its time rest from now on, or go on.
    fn rest(&self, rests: bool) {
        self.demand.set_measured(rests);
        let mut state = self.state.lock();
        state.rests = rests;
        if rests {
            // Looked at once more when it goes on, also by a program of its own: that has the machine to itself now.
            state.target_serial += 1;
            state.live_stop.set();
        }
        drop(state);
        self.target_changed.notify_all();
    }

    /// Somebody else is asked from now on: what was found so far is not their opinion, nor is what a sweep still finds.
    fn forget_all(&self, state: &mut State) {
        state.serial += 1;
        state.sweep_stop.set();
        self.graph.clear();
    }

    /// Reads the network once more when it is next needed, unless `is_another` answers nothing; what it answers is whether
    /// that is another network. Whoever shares the engine does the same. Returns whether it does.
    fn read_again(&self, is_another: &mut dyn FnMut(&mut State) -> Option<bool>) -> bool {
        let in_order = self.reporting.lock();
        let mut state = self.state.lock();
        let Some(is_another) = is_another(&mut state) else { return false };
        if is_another {
            self.forget_all(&mut state);
        }
        let before = state.loaded.take();
        state.outdated += 1;
        state.engine = EngineState::Idle;
        state.target_serial += 1;
        state.live_stop.set();
        drop(state);
        self.target_changed.notify_all();
        self.report_status(&in_order);
        drop(in_order);
        // Its last user waits for its threads: no lock is held.
        drop(before);
        // While the second is being read, whoever asks for it next sees that it is outdated.
        let second = self.second.try_lock().and_then(|mut second| second.take());
        drop(second);
        for follower in self.followers.all() {
            follower.read_again(&mut |_| Some(is_another));
        }
        true
    }

    /// Reads the network once more, if nothing is analysed and nobody holds the one there is: it would lie in memory twice.
    /// Returns whether it does.
    fn read_again_if_unused(self: &Arc<Self>) -> bool {
        if self.followers.all().iter().any(|follower| follower.state.lock().is_used()) {
            return false;
        }
        let is_read = self.read_again(&mut |state| (!state.is_used() && !state.shut_down).then_some(false));
        if is_read {
            // Whatever is wrong is in the status.
            let _ = self.load();
        }
        is_read
    }

    /// A sweep is over: live analysis goes on as far as it is asked to.
    fn sweep_ended(&self, serial: u32) {
        let mut state = self.state.lock();
        let Some(sweep) = state.sweep_running.take_if(|sweep| sweep.serial == serial) else { return };
        if sweep.purpose.is_awaited() {
            state.look_again();
            drop(state);
            self.target_changed.notify_all();
        }
    }

    fn set_target(&self, target: Option<Target>) {
        self.replace_target(self.state.lock(), target);
    }

    fn replace_target(&self, mut state: MutexGuard<'_, State>, target: Option<Target>) {
        let is_new = state.aim(target);
        drop(state);
        if is_new {
            self.report_target();
        }
    }

    /// Tells whoever goes by the target that it is another one.
    fn report_target(&self) {
        self.target_changed.notify_all();
        self.emit_status();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use crate::testing::{answered_by, gated};
    use honinbo_evaluator::{EvalParams, EvalRequest};
    use honinbo_rules::{BoardSize, Color, Komi, Move, Point, Ruleset, Setup, Topology};
    use honinbo_testkit::{NotingEvaluator, UniformEvaluator};

    /// A game of so many moves, which differ from those of any other number.
    fn game_of(moves: usize) -> Game {
        let ruleset = Ruleset::TROMP_TAYLOR;
        let setup = Setup::new(BoardSize::NINE, Topology::Plane, ruleset, Komi::from_half_points(15));
        let mut game = Game::new(setup).unwrap();
        for at in 0..moves {
            let color = if at % 2 == 0 { Color::Black } else { Color::White };
            game.play(color, Move::Place(Point::new(at, moves))).unwrap();
        }
        game
    }

    #[test]
    fn live_analysis_and_reviews_ask_nothing_while_devices_are_measured() {
        // How many moves were played in the positions that it is asked about.
        let moves = |request: &EvalRequest<'_>| request.game.turns().len();
        let noting = Arc::new(NotingEvaluator::new(UniformEvaluator::default(), moves));
        let app = answered_by(Arc::clone(&noting) as _);
        let engine = &app.analysis.engine;
        let loaded = engine.load().unwrap();
        let ask = |evaluator: Arc<dyn Evaluator>, moves| {
            let game = game_of(moves);
            let request = EvalRequest { game: &game, params: EvalParams::default() };
            evaluator.evaluate(&[request], &StopFlag::new()).unwrap();
        };
        std::thread::scope(|scope| {
            let quiet = engine.keep_quiet();
            let focus = live::Focus { visits: 1, ..live::Focus::default() };
            let (game_id, game) = ("live".to_owned(), game_of(2));
            engine.analyse(Some(Target { game_id, node_id: 0, game, last_move: None, focus }));
            let asked = engine.shared.demand.asked();
            let background = scope.spawn(|| ask(loaded.background(), 3));
            while engine.shared.demand.asked() == asked {
                std::thread::yield_now();
            }
            // Whatever an opponent asks is answered.
            ask(loaded.evaluator(), 4);
            assert_eq!(noting.noted(), [4]);
            drop(quiet);
            background.join().unwrap();
            // Live analysis goes on as well.
            while !noting.noted().contains(&2) {
                std::thread::yield_now();
            }
        });
    }

    #[test]
    fn a_second_network_is_computed_by_the_settings_of_the_first() {
        let (app, _gate) = gated();
        let ask = || app.analysis.engine.second("another.bin.gz", &StopFlag::new()).unwrap();
        let first = ask();
        assert!(Arc::ptr_eq(&first, &ask()), "it is read once");
        app.override_engine(None, None, Some(3));
        assert_eq!(ask().threads, 3);
    }
}
