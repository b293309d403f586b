//! Live analysis: a search that follows one position, and reports ten times a second.

use super::graph::{Era, Found};
use super::other::{Chosen, Program};
use super::{EngineSource, Loaded, Shared, TreeRoom};
use crate::analysis::evaluations::of_report;
use crate::analysis::views::{MAX_CANDIDATES, candidate_view, graph_value, percent, thousandths, update_of};
use crate::games::session::LastMove;
use crate::{AnalysisUpdate, CandidateView, EqualVisits, GraphValue, NodeId, OpenGameId, Vertex};
use honinbo_evaluator::StopFlag;
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{BoardSize, Color, Game, Move, Point};
use honinbo_search::{
    Candidate, MoveLists, Perspective, ReportOptions, RootFocus, RootTargets, Search, SearchError, SearchLimits,
    SearchParams, SearchReport,
};
use parking_lot::{Condvar, Mutex};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Interval of events.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);
/// How often what a long search found is kept; what it found in the end always is.
const KEEP_EVERY: Duration = Duration::from_secs(5);
/// How often the first thought is looked for.
const FIRST_INTERVAL: Duration = Duration::from_millis(15);
/// As strong as a network of human style gets.
pub(crate) const STRONGEST_PROFILE: &str = "rank_9d";
/// Two analyses of a position with one thread are the same.
pub(crate) const SEED: u64 = 0;
/// Visits at which analysis without a limit rests: beyond, nothing a person sees changes.
pub(super) const MAX_VISITS: u32 = 1_000_000;

/// The same on battery: more costs hours of it and seldom changes the best move. Whoever wants more names a limit.
const MAX_VISITS_ON_BATTERY: u32 = 1000;

/// Visits at which live analysis rests while somebody waits for a sweep: as many as a review usually gives each position.
/// Its questions come first, so that without an end of its own it would leave a sweep one turn in nine.
pub(super) const BESIDE_A_SWEEP: u32 = 100;

/// Share of the playouts that the moves get which are looked at more closely; what LizzieYzy Next asks KataGo for.
const CLOSER_SHARE: f64 = 0.5;

/// Visits of the root after which a closer look would have reached a move, if it could: the chance that it did not is
/// below one in a million.
const UNREACHED_AFTER: u64 = 50;

/// Most visits of each move where moves are compared.
const MAX_EQUAL_VISITS: u32 = 100_000;

/// So long the tree stays after live analysis was turned off: who turns it on again soon goes on where it was. Windows and
/// the library have what it found.
pub(super) const TREE_STAYS: Duration = Duration::from_mins(5);

/// How a position is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Focus {
    /// Where to rest; 0 goes on.
    pub(crate) visits: u32,
    /// Points that alone are tried at the root; empty tries all.
    pub(crate) allow: Vec<u16>,
    /// Points that are not tried at the root.
    pub(crate) avoid: Vec<u16>,
    /// Points that are looked at more closely, at one position; the opinion of the position stays the engine's.
    pub(crate) closer: Vec<u16>,
    /// The best candidates carry their ownership.
    pub(crate) candidate_ownership: bool,
    /// Moves that are compared on equal terms, at one position.
    pub(crate) equal: Option<EqualVisits>,
}

impl Focus {
    /// How any other position is looked at: what is compared belongs to this one.
    pub(super) fn elsewhere(&self) -> Self {
        Self { equal: None, closer: Vec::new(), ..self.clone() }
    }

    /// Nothing is left out and nothing preferred, so that the findings are the engine's opinion of the position.
    pub(super) fn is_whole(&self) -> bool {
        self.allow.is_empty() && self.avoid.is_empty() && self.equal.is_none()
    }

    /// A number that tells what is looked at from everything else that is; 0 for the whole.
    pub(super) fn number(&self) -> u32 {
        if self.is_whole() {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        (&self.allow, &self.avoid, &self.equal).hash(&mut hasher);
        (hasher.finish() as u32).max(1)
    }

    /// The moves to compare, as the search takes them.
    fn root_targets(&self, size: BoardSize) -> Option<RootTargets> {
        let equal = self.equal.as_ref()?;
        let of_vertex = |vertex: &Vertex| match vertex {
            None => Some(Move::Pass),
            Some(index) if usize::from(*index) < size.area() => {
                Some(Move::Place(Point::from_index((*index).into(), size)))
            }
            Some(_) => None,
        };
        let moves = (!equal.moves.is_empty()).then(|| equal.moves.iter().filter_map(of_vertex).collect());
        Some(RootTargets { moves, visits: equal.visits.clamp(1, MAX_EQUAL_VISITS) })
    }

    /// The same as the search takes it; points outside the board are left out.
    fn move_lists(&self, size: BoardSize, mover: Color) -> Option<MoveLists> {
        let (allow, avoid) = (moves(&self.allow, size), moves(&self.avoid, size));
        if allow.is_empty() && avoid.is_empty() {
            return None;
        }
        let mut lists = MoveLists::new(size);
        if !allow.is_empty() {
            lists.allow_only(mover, &allow, 1);
        }
        lists.avoid(mover, &avoid, 1);
        Some(lists)
    }

    /// The moves to compare and what each gets, for whoever compares them one after the other.
    pub(super) fn compared(&self, game: &Game) -> Option<(Vec<Move>, u32)> {
        let RootTargets { moves, visits } = self.root_targets(game.board().size())?;
        let moves = moves.unwrap_or_else(|| {
            let only = self.only(game);
            if only.is_empty() { game.legal_moves() } else { only }
        });
        Some((moves, visits))
    }

    /// The moves that are looked at more closely, as the search takes them.
    fn root_focus(&self, size: BoardSize) -> Option<RootFocus> {
        let moves = moves(&self.closer, size);
        (!moves.is_empty()).then(|| RootFocus::even(&moves, CLOSER_SHARE))
    }

    /// The moves that alone are tried, for whoever knows no others; empty tries all.
    pub(super) fn only(&self, game: &Game) -> Vec<Move> {
        let size = game.board().size();
        if self.allow.is_empty() && self.avoid.is_empty() {
            return Vec::new();
        }
        let avoid = moves(&self.avoid, size);
        let allow = if self.allow.is_empty() { game.legal_moves() } else { moves(&self.allow, size) };
        allow.into_iter().filter(|played| !avoid.contains(played)).collect()
    }
}

/// The points that are on the board.
fn moves(points: &[u16], size: BoardSize) -> Vec<Move> {
    let inside = points.iter().map(|&index| usize::from(index)).filter(|&index| index < size.area());
    inside.map(|index| Move::Place(Point::from_index(index, size))).collect()
}

/// What live analysis is about.
pub(crate) struct Target {
    pub(crate) game_id: OpenGameId,
    pub(crate) node_id: NodeId,
    /// The position and how it came about.
    pub(crate) game: Game,
    /// The move that led to the node.
    pub(crate) last_move: Option<LastMove>,
    /// How it is looked at.
    pub(crate) focus: Focus,
}

impl Target {
    /// Nothing would change if one took the other's place.
    pub(super) fn is_same(&self, other: &Target) -> bool {
        self.game_id == other.game_id
            && self.node_id == other.node_id
            && self.focus == other.focus
            && self.game == other.game
    }
}

/// The thread of live analysis, until the engine is shut down.
pub(super) fn work(shared: &Arc<Shared>) {
    // The tree is let go of before its room is given back.
    let mut kept: Option<(Arc<Loaded>, Search, TreeRoom)> = None;
    let mut program: Option<Program> = None;
    // Visits that were given to bad moves on purpose are no opinion of the position.
    let mut evened = false;
    let mut handled = 0;
    // Live analysis is off, or another program's.
    let mut is_unused = false;
    loop {
        let next = match next_target(shared, handled, is_unused && kept.is_some()) {
            Wait::Next(next) => next,
            Wait::NobodyCame => {
                kept = None;
                continue;
            }
            Wait::ShutDown => break,
        };
        let Next { serial, target, begun, other, most_visits, stop } = next;
        handled = serial;
        is_unused = target.is_none() || other.is_some();
        if program.as_ref().is_some_and(Program::is_abandoned) {
            program = None; // It is ended.
        }
        let Some(target) = target else {
            // Nobody is to wait for memory until analysis goes on here, and where many share an engine nobody keeps any.
            let is_shared = matches!(shared.source, EngineSource::Shared(_));
            kept = kept.filter(|(of, ..)| !is_shared && shared.is_loaded(of));
            continue;
        };
        if let Some(chosen) = other {
            program = Program::analyse(program, shared, &chosen, (&target, begun), &stop);
            continue;
        }
        let loaded = match shared.load() {
            Ok(loaded) => loaded,
            // The status says why; a new target tries again.
            Err(_) => continue,
        };
        // One tree is kept as long as the network is the same: it follows the game.
        let same = kept.take().filter(|(of, ..)| Arc::ptr_eq(of, &loaded));
        let lists = target.focus.move_lists(target.game.board().size(), target.game.to_play());
        let (search, mut room) = match same {
            Some((_, search, room)) => {
                let forget = evened && target.focus.equal.is_none();
                (follow(&search, &target, lists.is_some(), forget).map(|()| search), room)
            }
            None => {
                let search = Search::new(loaded.evaluator(), target.game.clone(), SearchParams::analysis(), SEED);
                (search, TreeRoom::new(&shared.live_trees))
            }
        };
        match search.and_then(|search| search.set_move_lists(lists).map(|()| search)) {
            Ok(search) => {
                evened = target.focus.equal.is_some();
                let without_limit = most_visits.min(shared.most_visits_without_limit());
                let rests = Rests { most_visits, without_limit };
                analyse(shared, &loaded, (&search, &mut room), (&target, begun), rests, &stop);
                kept = Some((loaded, search, room));
            }
            Err(error) => shared.search_failed(&error, &loaded),
        }
    }
}

/// Takes a search to another position. What it knows stays unless moves were or are forbidden, or it is to `forget`.
fn follow(search: &Search, target: &Target, restricted: bool, forget: bool) -> Result<(), SearchError> {
    if forget {
        search.clear()?;
    }
    if !restricted || search.game().board().size() != target.game.board().size() {
        search.set_move_lists(None)?;
    }
    search.set_root(target.game.clone())
}

impl Shared {
    /// Where analysis rests for which the person set no limit. Asks the system for its source of power.
    pub(super) fn most_visits_without_limit(&self) -> u32 {
        if self.host.on_battery() { MAX_VISITS_ON_BATTERY } else { MAX_VISITS }
    }
}

/// What live analysis is to do next.
struct Next {
    /// Counts targets.
    serial: u64,
    target: Option<Arc<Target>>,
    begun: Era,
    /// The program that is to do it.
    other: Option<Chosen>,
    /// Where it rests, whatever is asked for.
    most_visits: u32,
    /// Set when something else is to be done.
    stop: StopFlag,
}

/// How waiting for a target ended.
enum Wait {
    Next(Next),
    /// Nothing was asked for so long that a tree need not stay.
    NobodyCame,
    ShutDown,
}

/// Waits until live analysis is to do something else, with a tree only so long as that stays.
fn next_target(shared: &Shared, handled: u64, with_tree: bool) -> Wait {
    let mut state = shared.state.lock();
    let until = with_tree.then(|| Instant::now() + state.tree_stays);
    while (state.target_serial == handled || state.rests) && !state.shut_down {
        match until {
            None => shared.target_changed.wait(&mut state),
            Some(until) => {
                if shared.target_changed.wait_until(&mut state, until).timed_out() {
                    return Wait::NobodyCame;
                }
            }
        }
    }
    if state.shut_down {
        return Wait::ShutDown;
    }
    state.live_stop = StopFlag::default();
    Wait::Next(Next {
        serial: state.target_serial,
        target: state.target.clone(),
        // Its game is open: whoever closes it takes the target away before it is forgotten.
        begun: state.target.as_ref().map(|target| shared.graph.era_of(&target.game_id)).unwrap_or_default(),
        other: state.other.as_ref().map(|other| other.chosen.clone()),
        most_visits: if state.sweep_is_awaited() { BESIDE_A_SWEEP } else { MAX_VISITS },
        stop: state.live_stop.clone(),
    })
}

/// Where a search rests.
#[derive(Clone, Copy)]
struct Rests {
    /// Whatever is asked for.
    most_visits: u32,
    /// Where the person set no limit.
    without_limit: u32,
}

fn analyse(
    shared: &Shared,
    loaded: &Arc<Loaded>,
    (search, room): (&Search, &mut TreeRoom),
    (target, begun): (&Target, Era),
    rests: Rests,
    stop: &StopFlag,
) {
    let Rests { most_visits, without_limit } = rests;
    let focus = &target.focus;
    let is_whole = focus.is_whole();
    let network = loaded.network_on(target.game.board());
    let known = is_whole.then(|| shared.evaluations.recall(&target.game, network)).flatten();
    let known = known.filter(|known| !known.candidates.is_empty());
    let root_targets = focus.root_targets(target.game.board().size());
    let wanted = match focus.visits {
        _ if root_targets.is_some() => MAX_VISITS,
        // It ends by itself once the moves that are looked at have as many.
        _ if !focus.closer.is_empty() => MAX_VISITS,
        0 => without_limit,
        visits => visits.min(most_visits),
    };
    // Where as much is known as is asked for, the network's first thought alone is missing.
    let enough = known
        .as_ref()
        .is_some_and(|known| known.visits >= wanted && !known.black_ownership.is_empty() && !focus.candidate_ownership)
        && focus.closer.is_empty();
    let limits = SearchLimits {
        max_visits: if enough { 1 } else { wanted }.into(),
        max_nodes: room.for_visits(wanted.into(), target.game.board().size()),
        threads: loaded.threads,
        leaves_per_thread: None,
        include_ownership: true,
        root_targets,
        ..SearchLimits::default()
    };
    search.set_root_focus(focus.root_focus(target.game.board().size()));
    let started = shared.host.monotonic();
    let kept_at = AtomicU64::new(started.as_millis() as u64);
    let network = is_whole.then_some(network);
    let closer_visits = if focus.visits == 0 { without_limit } else { focus.visits.min(most_visits) };
    let reporter = Reporter { shared, target, begun, network, known, started, kept_at, closer_visits };
    reporter.emit_known();
    let visits_before = search.root_visits();
    let ended = (Mutex::new(false), Condvar::new());
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| reporter.emit_until(&ended, search, visits_before, stop));
        let outcome = search.run(&limits, stop);
        *ended.0.lock() = true;
        ended.1.notify_all();
        outcome
    });
    if let Err(error) = outcome {
        shared.search_failed(&error, loaded);
        return;
    }
    reporter.emit(search, visits_before, false);
    shared.emit_status();
}

fn report_options(focus: &Focus) -> ReportOptions {
    ReportOptions {
        perspective: Perspective::Black,
        ownership: true,
        candidate_ownership: focus.candidate_ownership,
        // What is looked at more closely is listed wherever it stands.
        max_candidates: if focus.equal.is_some() || !focus.closer.is_empty() { usize::MAX } else { MAX_CANDIDATES },
        ..ReportOptions::default()
    }
}

/// Emits the events of one search.
struct Reporter<'a> {
    shared: &'a Shared,
    target: &'a Target,
    begun: Era,
    /// What the findings are kept under; `None` where they are not kept, because moves are left out.
    network: Option<&'a str>,
    /// What was known before.
    known: Option<PositionEvaluation>,
    started: Duration,
    /// When the findings were last kept, in milliseconds of the host's clock.
    kept_at: AtomicU64,
    /// Visits of its own at which a move has been looked at closely enough.
    closer_visits: u32,
}

impl Reporter<'_> {
    /// Emits what the search finds until it has ended, and ends it where the moves that are looked at more closely have
    /// their visits.
    fn emit_until(&self, ended: &(Mutex<bool>, Condvar), search: &Search, visits_before: u64, stop: &StopFlag) {
        let closer = moves(&self.target.focus.closer, self.target.game.board().size());
        let mut over = ended.0.lock();
        let mut interval = FIRST_INTERVAL;
        while !*over {
            ended.1.wait_for(&mut over, interval);
            if !closer.is_empty() && !*over && self.seen_enough(&closer, search, visits_before) {
                stop.set();
            }
            if !*over && self.emit(search, visits_before, true) {
                interval = INTERVAL;
                self.shared.emit_speed();
            }
        }
    }

    /// Whether each of these moves has its visits. One that the search does not go to even so may not be played.
    fn seen_enough(&self, closer: &[Move], search: &Search, visits_before: u64) -> bool {
        let options = ReportOptions { pv_len: 0, ..ReportOptions::default() };
        search.report(&options).is_some_and(|report| {
            closer.iter().all(|played| match report.candidates.iter().find(|candidate| candidate.mv == *played) {
                Some(found) => found.visits >= self.closer_visits.into(),
                None => report.root.visits >= visits_before + UNREACHED_AFTER,
            })
        })
    }

    /// Emits what was found in earlier searches, before this one has found anything.
    fn emit_known(&self) {
        let Some(known) = &self.known else { return };
        let update = AnalysisUpdate { running: true, ..self.known_update(known) };
        self.shared.report_analysis(self.begun, update);
        self.emit_value(known.clone());
    }

    fn known_update(&self, known: &PositionEvaluation) -> AnalysisUpdate {
        AnalysisUpdate {
            sequence: self.shared.updates.fetch_add(1, Ordering::Relaxed) + 1,
            ..update_of(self.target.game_id.clone(), self.target.node_id, &self.target.game, known)
        }
    }

    /// Adds to the graph what the engine thinks of the position; what it thinks of a part of the moves is not that.
    fn emit_value(&self, found: PositionEvaluation) {
        if self.network.is_some() {
            let value = graph_value(self.target.node_id, &found);
            self.shared.emit_value(self.target, self.begun, value, found.candidates);
        }
    }

    /// Keeps the findings, while the search runs now and then.
    fn keep(&self, report: &SearchReport, running: bool) {
        let Some(network) = self.network else { return };
        let now = self.shared.host.monotonic().as_millis() as u64;
        let due = now.saturating_sub(self.kept_at.load(Ordering::Relaxed)) >= KEEP_EVERY.as_millis() as u64;
        if !running || due {
            self.kept_at.store(now, Ordering::Relaxed);
            self.shared.evaluations.keep(&self.target.game, network, of_report(report));
        }
    }

    /// False if there is nothing to report yet.
    fn emit(&self, search: &Search, visits_before: u64, running: bool) -> bool {
        let Some(report) = search.report(&report_options(&self.target.focus)) else { return false };
        if report.root.visits == 0 {
            return false;
        }
        self.keep(&report, running);
        let elapsed = self.shared.host.monotonic().saturating_sub(self.started).as_secs_f64();
        let visits_per_second = report.root.visits.saturating_sub(visits_before) as f64 / elapsed.max(1e-3);
        let found = update_from(&report, &self.target.focus, self.target.game.board().size(), visits_per_second);
        // Until the search has found more, what is known is reported, with what of this search is not kept.
        let known = self.known.as_ref().filter(|known| known.visits > found.visits);
        let update = match known {
            Some(known) => {
                let update = self.known_update(known);
                AnalysisUpdate {
                    visits_per_second: found.visits_per_second,
                    score_stdev: found.score_stdev,
                    policy: found.policy,
                    running,
                    candidates: with_closer(update.candidates, found.candidates, &self.target.focus),
                    ..update
                }
            }
            None => AnalysisUpdate {
                game_id: self.target.game_id.clone(),
                node_id: self.target.node_id,
                sequence: self.shared.updates.fetch_add(1, Ordering::Relaxed) + 1,
                focus: self.target.focus.number(),
                running,
                ..found
            },
        };
        self.shared.report_analysis(self.begun, update);
        self.emit_value(known.cloned().unwrap_or_else(|| of_report(&report)));
        true
    }
}

/// What is known, with what this search found of the moves that are looked at more closely.
fn with_closer(known: Vec<CandidateView>, found: Vec<CandidateView>, focus: &Focus) -> Vec<CandidateView> {
    let is_closer = |candidate: &CandidateView| candidate.vertex.is_some_and(|point| focus.closer.contains(&point));
    let looked_at: Vec<CandidateView> = found.into_iter().filter(is_closer).collect();
    let mut candidates: Vec<CandidateView> = known;
    for closer in looked_at {
        match candidates.iter_mut().find(|candidate| candidate.vertex == closer.vertex) {
            // Its place is that of the whole search; its figures are those of whoever looked at it longer.
            Some(before) if before.visits < closer.visits => *before = CandidateView { order: before.order, ..closer },
            Some(_) => {}
            None => candidates.push(CandidateView { order: candidates.len() as u32, ..closer }),
        }
    }
    candidates
}

fn update_from(report: &SearchReport, focus: &Focus, size: BoardSize, visits_per_second: f64) -> AnalysisUpdate {
    let best = report.candidates.first();
    let closer = moves(&focus.closer, size);
    let is_listed = |candidate: &&Candidate| {
        focus.equal.is_some() || candidate.order < MAX_CANDIDATES || closer.contains(&candidate.mv)
    };
    AnalysisUpdate {
        game_id: OpenGameId::new(),
        node_id: 0,
        sequence: 0,
        focus: 0,
        visits: u32::try_from(report.root.visits).unwrap_or(u32::MAX),
        visits_per_second: visits_per_second.into(),
        black_win_prob: report.root.win_rate.into(),
        black_score_lead: Some(report.root.score_lead.into()),
        score_stdev: report.root.score_stdev.into(),
        candidates: report
            .candidates
            .iter()
            .filter(is_listed)
            .map(|candidate| candidate_view(candidate, best, closer.contains(&candidate.mv), report.to_play, size))
            .collect(),
        black_ownership: report.ownership.as_deref().unwrap_or_default().iter().map(|&own| percent(own)).collect(),
        policy: report.policy.iter().take(size.area()).map(|&chance| thousandths(chance)).collect(),
        running: true,
    }
}

impl Shared {
    /// Emits a value for the graph, unless a better one is known.
    pub(super) fn emit_value(
        &self,
        target: &Target,
        begun: Era,
        value: GraphValue,
        candidates: Vec<CandidateEvaluation>,
    ) {
        let found = Found { value, candidates, last_move: target.last_move };
        let values = self.graph.keep(&target.game_id, begun, found);
        self.report_values(begun, &target.game_id, values, None);
    }

    /// Says why analysis ended. The next target reads the network again: a device that went away may be back.
    fn search_failed(&self, error: &SearchError, failed: &Arc<Loaded>) {
        tracing::warn!(%error, "analysis ended");
        self.state.lock().engine = super::load::failed(&crate::ApiError::from_search(error));
        self.let_go_of(failed);
        self.emit_status();
    }
}
