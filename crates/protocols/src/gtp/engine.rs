//! What a GTP session remembers: position, search, parameters, clocks.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use honinbo_evaluator::{Evaluator, StopFlag};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Ruleset, Topology};
use honinbo_search::{
    Decision, HandicapBelief, MoveLists, Perspective, RootFocus, RunOutcome, Search, SearchLimits, SearchParams,
    Stopwatch, TimeLimit, even_game_points, initial_black_advantage,
};

use super::board::Table;
use super::clock::Clocks;
use super::haste::Haste;
use super::server::Inbox;
use crate::model::ModelInfo;
use crate::parameters::Chosen;

/// How an engine introduces itself and what it starts with.
pub struct GtpOptions {
    /// Answer to `name`.
    pub name: String,
    /// Answer to `version`.
    pub version: String,
    /// Name of the network.
    pub network: String,
    /// Search threads.
    pub threads: usize,
    /// Leaves that one thread has evaluated together; `None` leaves it to the evaluator.
    pub leaves_per_thread: Option<usize>,
    /// Visits of a move; 0 for no limit, or 400 where neither playouts nor time are limited.
    pub max_visits: u64,
    /// Playouts of a move, which unlike visits count nothing of a kept tree; 0 for no limit.
    pub max_playouts: u64,
    /// Seconds of a move.
    pub max_time: Option<Duration>,
    /// Nodes that the tree may hold, whatever visits are asked for; 4 KB each on 19x19.
    pub max_nodes: usize,
    /// Resigns when the win rate has been below this for some turns; `None` never resigns.
    pub resign_below: Option<f64>,
    /// Searches in a row that must find the game lost before the engine resigns, at least one.
    pub resign_turns: usize,
    /// Points by which it must be behind then.
    pub resign_least_deficit: f64,
    /// Moves that must have been played before, for each point of the board.
    pub resign_moves_per_point: f64,
    /// How long it waits before it answers with a move, as people do: see [`Search::human_pause`]. 0 is not at all.
    pub pause_scale: f64,
    /// The longest such wait.
    pub longest_pause: Duration,
    /// Doublings of playouts that the side behind in a handicap game is believed to have over the other, for each
    /// point of the handicap.
    pub doublings_per_point: f64,
    /// Board to start with.
    pub size: BoardSize,
    /// Whether edges are joined.
    pub topology: Topology,
    /// Rules to start with.
    pub ruleset: Ruleset,
    /// Komi to start with.
    pub komi: Komi,
    /// Seconds that get lost on the way to the controller's clock.
    pub lag_buffer: f64,
    /// Whether it goes on thinking after its own move, on the opponent's time.
    pub ponders: bool,
    /// Longest such thought.
    pub max_ponder_time: Duration,
    /// Visits of such a thought; 0 for no limit.
    pub max_ponder_visits: u64,
    /// Playouts of such a thought; 0 for no limit.
    pub max_ponder_playouts: u64,
    /// When it thinks less than it might.
    pub haste: Haste,
    /// How many times its plan a move may take whose choice is open, 1 or more. `None`: more than once where a clock
    /// rules on a board on which that was measured to gain.
    pub open_stretch: Option<f64>,
    /// What it plans to think by the clock, as a multiple of what the clock recommends: more where decided moves save time.
    pub overallocate: f64,
    /// Moves of a variation after its first that analyses show.
    pub pv_len: usize,
    /// Whose win rates and leads analyses show.
    pub perspective: Perspective,
    /// KataGo's number for the network's architecture, where it is known.
    pub model_version: Option<u32>,
    /// Whether the network is of human style and wants a profile.
    pub uses_profile: bool,
    /// A second network, of human style, that is asked beside the search's own.
    pub human: Option<(ModelInfo, Arc<dyn Evaluator>)>,
    /// Fixes everything random.
    pub seed: u64,
    /// Forgets remembered evaluations.
    pub clear_cache: Box<dyn Fn() + Send + Sync>,
    /// Reads a file for `loadsgf`; what is too large for a game record is an error.
    pub read_file: fn(&Path) -> io::Result<Vec<u8>>,
    /// Writes a file for `printsgf`.
    pub write_file: fn(&Path, &str) -> io::Result<()>,
    /// Takes a line for whoever looks on, beside the answers: standard error.
    pub log: fn(&str),
    /// Whether a line for the chat of a Go server goes there with every move: KataGo's `ogsChatToStderr`.
    pub logs_for_chat: bool,
    /// Whether dead stones are taken before the last pass; `None` leaves it to the rules.
    pub cleans_up: Option<bool>,
    /// Whether it passes before they are taken; `None` leaves it to the rules.
    pub passes_friendly: Option<bool>,
    /// Whether a line says when the first command can come, as KataGo's does.
    pub announces: bool,
    /// The komi of every game, whatever the controller says: KataGo's `ignoreGTPAndForceKomi`.
    pub forced_komi: Option<Komi>,
}

impl GtpOptions {
    /// How moves on boards of so many points are decided: early where no other can reach this share of visits, and late
    /// as somebody said, or as was measured to gain where a clock alone limits them.
    fn decision_by(&self, rival_share: f64, has_clock: bool, area: usize) -> Option<Decision> {
        let by_clock_alone = has_clock && self.max_visits == 0 && self.max_playouts == 0;
        let is_measured = by_clock_alone && area <= MAX_MEASURED;
        let stretch = self.open_stretch.unwrap_or(if is_measured { OPEN_STRETCH } else { 1.0 });
        (rival_share > 0.0 || stretch > 1.0).then_some(Decision { rival_share, stretch })
    }

    /// 19x19, the rules of Tromp and Taylor with komi 7.5, one thread, no limit, resigning below 5 % and no files.
    #[must_use]
    pub fn new(network: impl Into<String>) -> Self {
        Self {
            name: "Honinbo".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            network: network.into(),
            threads: 1,
            leaves_per_thread: None,
            max_visits: 0,
            max_playouts: 0,
            max_time: None,
            max_nodes: SearchLimits::MAX_NODES,
            resign_below: Some(RESIGN_BELOW),
            resign_turns: 3,
            resign_least_deficit: f64::NEG_INFINITY,
            resign_moves_per_point: 0.0,
            pause_scale: 0.0,
            longest_pause: MAX_PAUSE,
            doublings_per_point: HandicapBelief::PER_POINT,
            size: BoardSize::NINETEEN,
            topology: Topology::Plane,
            ruleset: Ruleset::TROMP_TAYLOR,
            komi: Komi::from_half_points(15),
            lag_buffer: 0.5,
            ponders: false,
            max_ponder_time: Duration::from_secs(60),
            max_ponder_visits: 0,
            max_ponder_playouts: 0,
            haste: Haste::default(),
            open_stretch: None,
            overallocate: 1.0,
            pv_len: PV_LEN,
            perspective: Perspective::Mover,
            model_version: None,
            uses_profile: false,
            human: None,
            seed: 0,
            clear_cache: Box::new(|| {}),
            read_file: |_| Err(io::Error::new(io::ErrorKind::Unsupported, "files are not available here")),
            write_file: |_, _| Err(io::Error::new(io::ErrorKind::Unsupported, "files are not available here")),
            log: |_| {},
            logs_for_chat: false,
            cleans_up: None,
            passes_friendly: None,
            announces: true,
            forced_komi: None,
        }
    }
}

/// Utility that a shape made again costs in a handicap game.
const HANDICAP_REPETITION_COST: f64 = 0.005;

/// Answers with the turn of the player to move, or with a sentence why not.
pub type MoveChooser = Box<dyn FnMut(&Game, &StopFlag) -> Result<Move, String> + Send>;

/// A GTP engine over an evaluator. [`super::serve`] connects it to a controller.
pub struct GtpEngine {
    pub(crate) evaluator: Arc<dyn Evaluator>,
    pub(crate) options: GtpOptions,
    pub(crate) table: Table,
    pub(crate) search: Search,
    pub(crate) play_params: SearchParams,
    pub(crate) analysis_params: SearchParams,
    /// Parameters that were set by name.
    pub(crate) chosen: Chosen,
    pub(crate) clocks: Clocks,
    /// Seconds spent on finding moves.
    pub(crate) thinking: Duration,
    /// Chooses moves instead of the search.
    pub(crate) chooser: Option<MoveChooser>,
    /// White's win minus loss after each search for a move, newest last.
    pub(crate) results: Vec<f64>,
    /// Who is taken to be the stronger side of a handicap game.
    pub(crate) belief: HandicapBelief,
    /// The position after the engine's own move, to be thought about until something else comes.
    pub(crate) ponder_at: Option<Game>,
    /// Set when the controller interrupts the command that is being answered.
    pub(crate) interrupt: StopFlag,
}

impl GtpEngine {
    /// An engine with an empty board.
    ///
    /// # Errors
    /// When board and rules do not fit together.
    pub fn new(evaluator: Arc<dyn Evaluator>, options: GtpOptions) -> Result<Self, String> {
        let table = Table::new(options.size, options.topology, options.ruleset, options.komi)?;
        let profile = if options.uses_profile { DEFAULT_PROFILE.parse().ok() } else { None };
        let play_params = SearchParams { profile, ..SearchParams::play() };
        let search = Search::new(Arc::clone(&evaluator), table.game().clone(), play_params.clone(), options.seed)
            .map_err(|error| error.to_string())?
            .with_human(options.human.as_ref().map(|(model, evaluator)| model.beside(evaluator)));
        Ok(Self {
            evaluator,
            table,
            search,
            play_params,
            analysis_params: SearchParams { profile, ..SearchParams::analysis() },
            chosen: Chosen::default(),
            clocks: Clocks::new(options.lag_buffer),
            thinking: Duration::ZERO,
            results: Vec::new(),
            belief: HandicapBelief::default(),
            ponder_at: None,
            chooser: None,
            interrupt: StopFlag::new(),
            options,
        })
    }

    /// Has `genmove` ask somebody else: a level, say. Analysis is the search's as before.
    pub fn set_chooser(&mut self, chooser: MoveChooser) {
        self.chooser = Some(chooser);
    }

    /// Whether somebody may wait for a line that says that it is ready.
    #[must_use]
    pub fn announces(&self) -> bool {
        self.options.announces
    }

    /// Begins with another seed, and an empty tree.
    pub(crate) fn set_seed(&mut self, seed: u64) -> Result<(), String> {
        let (evaluator, game) = (Arc::clone(&self.evaluator), self.table.game().clone());
        let human = self.options.human.as_ref().map(|(model, evaluator)| model.beside(evaluator));
        let search = Search::new(evaluator, game, self.play_params.clone(), seed).map_err(|error| error.to_string())?;
        self.search = search.with_human(human);
        self.options.seed = seed;
        Ok(())
    }

    /// Brings the search to the present position, for this player, with these parameters.
    pub(crate) fn aim(&mut self, color: Color, params: SearchParams, lists: Option<MoveLists>) -> Result<(), String> {
        self.aim_at(self.table.game_for(color)?, params, lists)
    }

    /// Brings the search to the end of this game, with these parameters.
    pub(crate) fn aim_at(&mut self, game: Game, params: SearchParams, lists: Option<MoveLists>) -> Result<(), String> {
        let prepared = self
            .search
            .set_params(params)
            .and_then(|()| self.search.set_root(game))
            .and_then(|()| self.search.set_move_lists(lists));
        prepared.map_err(|error| error.to_string())
    }

    /// Parameters of searches for moves of this player, with what is believed of a handicap game.
    pub(crate) fn params_of_play(&self, color: Color) -> SearchParams {
        let mut params = self.play_params.clone();
        self.belief.apply(&mut params);
        if !self.chosen.has("avoid_repeated_pattern_utility") && self.gives_handicap(color) {
            params.avoid_repeated_pattern_utility = HANDICAP_REPETITION_COST;
        }
        params
    }

    /// Whether the opponent of this player began ahead by more than an even game allows.
    ///
    /// Source: KataGo v1.17.2, `gtp.cpp`: shapes are varied in handicap games.
    fn gives_handicap(&self, color: Color) -> bool {
        let game = self.table.game();
        let black = initial_black_advantage(game);
        let behind = if color == Color::White { black } else { -black };
        behind > even_game_points(game)
    }

    /// Limits without visits or time.
    pub(crate) fn limits(&self) -> SearchLimits {
        SearchLimits {
            max_nodes: self.options.max_nodes,
            threads: self.options.threads,
            leaves_per_thread: self.options.leaves_per_thread,
            ..SearchLimits::default()
        }
    }

    /// Limits of a search for a move by this player.
    pub(crate) fn move_limits(&self, color: Color) -> SearchLimits {
        let board = self.table.game().board();
        let stones = board.count(Color::Black) + board.count(Color::White);
        let share = self.options.haste.share(self.table.game(), color, &self.results);
        let area = board.size().area();
        let clock = self.clocks.of(color);
        let planned = clock.map(|clock| clock.planned_times(area, stones, self.options.overallocate).max(0.0));
        let by_clock = planned.map(Duration::from_secs_f64);
        let max = match (by_clock, self.options.max_time) {
            (Some(clock), Some(fixed)) => Some(clock.min(fixed)),
            (clock, fixed) => clock.or(fixed),
        };
        let mut limits = self.limits();
        // One at least, as a move must be found.
        let shared = |count: u64| ((count as f64 * share).ceil() as u64).max(1);
        if self.options.max_visits > 0 {
            limits.max_visits = shared(self.options.max_visits);
        } else if max.is_none() && self.options.max_playouts == 0 {
            limits.max_visits = shared(DEFAULT_VISITS);
        }
        if self.options.max_playouts > 0 {
            limits.max_playouts = shared(self.options.max_playouts);
        }
        limits.time = max.map(|max| TimeLimit { stopwatch: stopwatch(), max: max.mul_f64(share) });
        let rival_share = self.play_params.futile_visits_threshold;
        limits.decision = self.options.decision_by(rival_share, clock.is_some(), area).map(|decision| {
            // An open decision never takes what would endanger the game, nor more than a fixed time.
            let most = clock.map_or(f64::INFINITY, |clock| clock.thinking_time(area, stones).max);
            let most = self.options.max_time.map_or(most, |fixed| most.min(fixed.as_secs_f64()));
            let room = max.map_or(f64::INFINITY, |max| most / max.as_secs_f64().max(1e-9));
            Decision { stretch: decision.stretch.min(room).max(1.0), ..decision }
        });
        limits
    }

    /// Limits of thinking on the opponent's time, for this player's next move.
    fn ponder_limits(&self, color: Color) -> SearchLimits {
        let mut limits = SearchLimits { searched_for: Some(color), ..self.limits() };
        if self.options.max_ponder_visits > 0 {
            limits.max_visits = self.options.max_ponder_visits;
        }
        if self.options.max_ponder_playouts > 0 {
            limits.max_playouts = self.options.max_ponder_playouts;
        }
        limits.time = Some(TimeLimit { stopwatch: stopwatch(), max: self.options.max_ponder_time });
        limits
    }

    /// Remembers that there is something to think about while the opponent does, after this move of the engine's own.
    pub(crate) fn ponder_after(&mut self, mv: Move) {
        let game = self.table.game();
        let goes_on = self.options.ponders && mv != Move::Resign && !game.is_over();
        self.ponder_at = goes_on.then(|| game.clone());
    }

    /// Thinks about the opponent's answer until a line comes, if it is the opponent's turn after the engine's own move.
    pub(crate) fn ponder(&mut self, inbox: &Inbox) {
        let Some(game) = self.ponder_at.take().filter(|game| game == self.table.game()) else { return };
        if inbox.has_line() {
            self.ponder_at = Some(game);
            return;
        }
        // By other parameters, or for the opponent, nothing would be left of the tree for the next move.
        let (opponent, own) = (game.to_play(), game.to_play().opponent());
        if self.aim(opponent, self.params_of_play(own), None).is_err() {
            return;
        }
        let limits = self.ponder_limits(own);
        // What fails here fails again, and is reported, when the next move is asked for.
        if let Ok((_, true)) = self.think(&limits, inbox, None, true, |_| {}) {
            // Interrupted: a command that leaves the position alone is followed by more of the same thought.
            self.ponder_at = Some(game);
        }
    }

    /// Searches; `report` is called every `interval`. A new line ends the search where `cancellable`, an interrupt always.
    pub(crate) fn think(
        &self,
        limits: &SearchLimits,
        inbox: &Inbox,
        interval: Option<Duration>,
        cancellable: bool,
        mut report: impl FnMut(&Search),
    ) -> Result<(RunOutcome, bool), String> {
        let stop = StopFlag::new();
        let mut cancelled = false;
        let outcome = std::thread::scope(|scope| {
            let (done, is_done) = std::sync::mpsc::channel::<()>();
            let (search, stop_of_run) = (&self.search, &stop);
            let run = scope.spawn(move || {
                let outcome = search.run(limits, stop_of_run);
                drop(done);
                outcome
            });
            let mut next_report = interval.map(|interval| Instant::now() + interval);
            // The run's end closes its channel; lines are looked for in between.
            while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = is_done.recv_timeout(PATIENCE) {
                if cancellable && !cancelled && inbox.has_line() {
                    cancelled = true;
                    stop.set();
                }
                if self.interrupt.is_set() {
                    stop.set();
                }
                if let (Some(interval), Some(due)) = (interval, next_report)
                    && Instant::now() >= due
                    && !cancelled
                {
                    report(search);
                    next_report = Some((due + interval).max(Instant::now()));
                }
            }
            run.join()
        });
        let outcome = outcome.map_err(|_| "the search ended unexpectedly".to_owned())?;
        outcome.map(|outcome| (outcome, cancelled)).map_err(|error| described(&error))
    }

    /// The same, with some root moves looked at more closely; the tree stays where only they change. Where it is full,
    /// whoever looks on is told.
    pub(crate) fn think_with(
        &self,
        focus: Option<RootFocus>,
        limits: &SearchLimits,
        inbox: &Inbox,
        interval: Option<Duration>,
        cancellable: bool,
        report: impl FnMut(&Search),
    ) -> Result<(RunOutcome, bool), String> {
        self.search.set_root_focus(focus);
        let thought = self.think(limits, inbox, interval, cancellable, report);
        self.search.set_root_focus(None);
        let told = thought.as_ref().ok().and_then(|(outcome, _)| outcome.told_full());
        if let Some(told) = told {
            (self.options.log)(&format!("the search {told}"));
        }
        thought
    }
}

/// An error with its causes, in one line.
pub(crate) fn described(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Whom a network of human style resembles where nobody says.
pub(crate) const DEFAULT_PROFILE: &str = "rank_9d";
/// The win rate below which a game is resigned where nobody says.
pub(crate) const RESIGN_BELOW: f64 = 0.05;
/// Moves of a variation after its first that are shown where nobody says, as in KataGo's GTP.
const PV_LEN: usize = 13;
/// The longest wait before a move where nobody says.
const MAX_PAUSE: Duration = Duration::from_secs(1_000_000);
/// How often lines are looked for while a search runs.
pub(crate) const PATIENCE: Duration = Duration::from_millis(5);
/// Visits of a move where neither visits, playouts nor time are limited.
const DEFAULT_VISITS: u64 = 400;
/// How many times its plan a move may take whose choice is open: +51 ± 18 Elo at equal playouts a game on 9x9, +44 ± 18 on
/// 13x13, +78 ± 18 on 19x19 (docs/experiments/search.md, "Sharing time out over a game").
const OPEN_STRETCH: f64 = 1.6;
/// Points of the largest board on which that was measured.
const MAX_MEASURED: usize = 19 * 19;

/// A stopwatch that starts now.
pub(crate) fn stopwatch() -> Stopwatch {
    let began = Instant::now();
    Arc::new(move || began.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_search::bench::Scrambled;

    #[test]
    fn a_move_has_400_visits_where_nothing_limits_it_and_none_where_time_does() {
        let without = SearchLimits::default().max_visits;
        let limits = |settings: &str, has_clock: bool| {
            let mut engine = GtpEngine::new(Arc::new(Scrambled), GtpOptions::new("net")).unwrap();
            engine.configure(settings).unwrap();
            if has_clock {
                engine.clocks.set_standard(&["60", "0", "0"].map(str::to_owned)).unwrap();
            }
            let limits = engine.move_limits(Color::Black);
            (limits.max_visits, limits.time.is_some())
        };
        assert_eq!(limits("", false), (400, false));
        assert_eq!(limits("maxTime = 8", false), (without, true), "the seconds of genconfig");
        assert_eq!(limits("", true), (without, true), "the controller's clock");
        assert_eq!(limits("maxPlayouts = 9", false), (without, false));
        assert_eq!(limits("maxVisits = 7\nmaxTime = 8", true), (7, true), "both, where somebody says both");
    }

    #[test]
    fn open_moves_get_more_time_where_that_was_measured_to_gain() {
        let mut options = GtpOptions::new("net");
        let stretch = |options: &GtpOptions, has_clock, side: usize| {
            options.decision_by(0.0, has_clock, side * side).map(|decision| decision.stretch)
        };
        assert_eq!([9, 13, 19].map(|side| stretch(&options, true, side)), [Some(1.6); 3]);
        assert_eq!([20, 37].map(|side| stretch(&options, true, side)), [None; 2], "nothing was played there");
        assert_eq!(stretch(&options, false, 9), None, "a fixed time is one");
        options.max_visits = 100;
        assert_eq!(stretch(&options, true, 9), None, "so are fixed visits");
        options.open_stretch = Some(1.2);
        assert_eq!(
            [19, 37].map(|side| stretch(&options, true, side)),
            [Some(1.2); 2],
            "whoever says something is obeyed"
        );
    }

    #[test]
    fn decided_moves_end_early_whether_open_ones_get_more_time_or_not() {
        let decided = |settings: &str| {
            let mut engine = GtpEngine::new(Arc::new(Scrambled), GtpOptions::new("net")).unwrap();
            engine.configure(&format!("defaultBoardSize = 9\n{settings}")).unwrap();
            engine.clocks.set_standard(&["60", "0", "0"].map(str::to_owned)).unwrap();
            // What the search goes by and what ends it are one.
            let in_tree = engine.params_of_play(Color::Black).futile_visits_threshold;
            let by_limits = engine.move_limits(Color::Black).decision.map_or(0.0, |decision| decision.rival_share);
            (in_tree, by_limits)
        };
        for stretch in ["", "openMoveTimeFactor = 1\n", "openMoveTimeFactor = auto\n"] {
            assert_eq!(decided(&format!("futileVisitsThreshold = 0.5\n{stretch}")), (0.5, 0.5), "{stretch}");
            assert_eq!(
                decided(&format!("futileVisitsThreshold = 0.5\n{stretch}futileVisitsThreshold = 0\n")),
                (0.0, 0.0)
            );
        }
    }
}
