//! The original protocol's `run`: a board in, the best move out.

use crate::analysis::evaluations::of_report;
use crate::analysis::question::Question;
use crate::original::{OriginalRoom, missing};
use crate::{ApiError, Finite, RunCandidate, RunReply, RunRequest, Side, WireMove};
use honinbo_evaluator::StopFlag;
use honinbo_record::PositionEvaluation;
use honinbo_rules::{BoardSize, Color, Game, HandicapCount, Komi, Move, Preset, Setup, SetupError};
use honinbo_search::{Convergence, Perspective, ReportOptions, Search, SearchReport};
use serde::Serialize;
use std::time::Duration;

/// Visits of a `run` that names neither visits nor seconds.
const DEFAULT_VISITS: u32 = 100;
/// What a `run` may ask for at most.
const MAX_VISITS: u32 = 1_000_000;
/// What a `run` may ask for at most, in seconds.
const MAX_SECONDS: f64 = 24.0 * 3600.0;
/// What has settled, where a `run` may end for it: the best move, the win rate and the lead, over this many visits.
const SETTLED: Convergence = Convergence { visits: 100, win_rate: 0.01, score: 0.5 };
/// Candidates in a reply.
const MAX_CANDIDATES: usize = 40;

/// How far a `run` has come.
#[derive(Clone, Copy)]
pub struct RunProgress<'a> {
    /// Visits so far.
    pub visits: u64,
    /// Visits wanted; 0 when only time limits it.
    pub wanted_visits: u64,
    /// Time so far.
    pub elapsed: Duration,
    /// Time allowed.
    pub allowed: Option<Duration>,
    search: Option<&'a Search>,
}

/// What a `run` takes to be best so far, from the side of `color`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSoFar {
    /// The best move.
    #[serde(rename = "move")]
    pub best: WireMove,
    /// Chance to win, 0 to 1.
    pub winrate: Finite,
    /// Points of lead.
    pub score_lead: Finite,
}

impl RunProgress<'_> {
    /// So many visits in this time, of those that are wanted and the time that is allowed.
    #[must_use]
    pub fn new(visits: u64, wanted_visits: u64, elapsed: Duration, allowed: Option<Duration>) -> Self {
        Self { visits, wanted_visits, elapsed, allowed, search: None }
    }

    /// What is best so far; `None` before the first visit. Costs a look at the root's children.
    #[must_use]
    pub fn so_far(&self) -> Option<RunSoFar> {
        let options = ReportOptions { max_candidates: 1, min_candidates: 1, ..ReportOptions::default() };
        let report = self.search?.report(&ReportOptions { perspective: Perspective::Mover, ..options })?;
        let best = report.candidates.first()?;
        Some(RunSoFar {
            best: wire(best.mv),
            winrate: report.root.win_rate.into(),
            score_lead: report.root.score_lead.into(),
        })
    }
}

impl std::fmt::Debug for RunProgress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { visits, wanted_visits, elapsed, allowed, search: _ } = self;
        f.debug_struct("RunProgress")
            .field("visits", visits)
            .field("wanted_visits", wanted_visits)
            .field("elapsed", elapsed)
            .field("allowed", allowed)
            .finish_non_exhaustive()
    }
}

impl OriginalRoom {
    /// Answers a `run`. Ends early, with what it has, once `stop` is set.
    ///
    /// # Errors
    /// [`ApiError::InvalidBoard`] and [`ApiError::InvalidRequest`] for what cannot be understood,
    /// [`ApiError::EngineUnavailable`] when nobody can answer, [`ApiError::Cancelled`] when it was ended before the
    /// first answer.
    pub(crate) fn run(
        &self,
        request: &RunRequest,
        stop: &StopFlag,
        on_progress: &(dyn Fn(RunProgress<'_>) + Sync),
    ) -> Result<RunReply, ApiError> {
        let game = match &request.game_id {
            Some(id) => self.play.game_to_help_in(id)?,
            None => game_of(request)?,
        };
        if let Some(level) = &request.level {
            return self.run_level(&game, level, request.ownership, stop);
        }
        self.run_game(game, &RunLimits::of(request, self.settings.get().visits)?, request.ownership, stop, on_progress)
    }

    /// As [`crate::App::run`], on a game with its own history, and reporting progress about twenty times a second.
    ///
    /// # Errors
    /// As [`crate::App::run`].
    pub(crate) fn run_game(
        &self,
        game: Game,
        limits: &RunLimits,
        ownership: bool,
        stop: &StopFlag,
        on_progress: &(dyn Fn(RunProgress<'_>) + Sync),
    ) -> Result<RunReply, ApiError> {
        let loaded = self.analysis.engine.load()?;
        let network = loaded.network_on(game.board());
        let wanted_visits = if limits.visits == MAX_VISITS { 0 } else { limits.visits.into() };
        let allowed = limits.time;
        if let Some(known) = self.known(&game, network, limits, ownership) {
            on_progress(RunProgress::new(known.visits.into(), wanted_visits, Duration::ZERO, allowed));
            return Ok(known_reply(&known, game.to_play(), &loaded.computing.words(), network));
        }
        let question = Question {
            time: allowed,
            convergence: limits.until_settled.then_some(SETTLED),
            ownership,
            ..Question::of_visits(limits.visits.into())
        };
        let on_progress = |search: &Search, elapsed| {
            let visits = search.root_visits();
            on_progress(RunProgress { visits, wanted_visits, elapsed, allowed, search: Some(search) });
        };
        let search = question.ask(&loaded, &self.analysis.host, game, stop, Some(&on_progress))?;

        let options = ReportOptions {
            perspective: Perspective::Mover,
            ownership,
            max_candidates: MAX_CANDIDATES,
            min_candidates: 1,
            ..ReportOptions::default()
        };
        let for_black = ReportOptions { perspective: Perspective::Black, ..options.clone() };
        if let Some(report) = search.report(&for_black) {
            self.analysis.evaluations.keep(&search.game(), network, of_report(&report));
        }
        let report = search.report(&options).filter(|report| report.root.visits > 0).ok_or(ApiError::Cancelled)?;
        let best = report.candidates.first().map_or(Move::Pass, |candidate| candidate.mv);
        let note = search.told_full.clone();
        Ok(RunReply { note, ..reply(best, Some(report), &loaded.computing.words(), network) })
    }

    /// What was found in this position before, where that is as much as is asked for.
    fn known(&self, game: &Game, network: &str, limits: &RunLimits, ownership: bool) -> Option<PositionEvaluation> {
        if ownership || limits.time.is_some() || limits.until_settled {
            return None;
        }
        let known = self.analysis.evaluations.recall(game, network)?;
        (known.visits >= limits.visits && !known.candidates.is_empty()).then_some(known)
    }

    /// Answers as a level plays. Where the level does not look ahead, or somebody answered for it, there are no
    /// visits, and the values are those of not knowing.
    fn run_level(&self, game: &Game, level: &str, ownership: bool, stop: &StopFlag) -> Result<RunReply, ApiError> {
        if ownership {
            return Err(ApiError::InvalidRequest {
                message: "a level gives no `ownership`; leave one of the two out".into(),
            });
        }
        let mut player = self.play.opponent(level)?;
        let best = player
            .choose(game, MAX_LEVEL_TIME, stop)
            .map_err(|error| ApiError::EngineUnavailable { message: error.to_string(), hint: error.hint() })?;
        let note = player.take_notice().map(|error| format!("{error}; {}", error.hint()));
        let report = player.last_report(&ReportOptions {
            perspective: Perspective::Mover,
            min_candidates: game.board().size().area() + 1,
            ..ReportOptions::default()
        });
        let report = report.map(|report| with_chosen(report, best));
        let status = self.analysis.engine_status();
        let network = || self.analysis.engine.network_name(game.board()).unwrap_or_default();
        let (device, network) = if report.is_some() { (status.device, network()) } else { Default::default() };
        Ok(RunReply { note, ..reply(best, report, &device, &network) })
    }
}

/// The candidates that a search alone has, and the move that a level chose, which may be one that its search did not
/// visit.
fn with_chosen(report: SearchReport, chosen: Move) -> SearchReport {
    let searched = report.candidates.iter().take_while(|candidate| candidate.edge_visits > 0).count();
    let shown = searched.clamp(1, MAX_CANDIDATES);
    let candidates = report.candidates.into_iter().enumerate();
    let candidates = candidates.filter(|(nth, candidate)| *nth < shown || candidate.mv == chosen);
    SearchReport { candidates: candidates.map(|(_, candidate)| candidate).collect(), ..report }
}

/// What a level may take at most; each has a limit of its own below this.
const MAX_LEVEL_TIME: Duration = Duration::from_secs(3600);

fn wire(mv: Move) -> WireMove {
    match mv.point() {
        Some(point) => WireMove::Place { x: one_based(point.x()), y: one_based(point.y()) },
        None => WireMove::Pass { pass: true },
    }
}

fn known_reply(known: &PositionEvaluation, mover: Color, device: &str, network: &str) -> RunReply {
    let win_rate = |black: f64| if mover == Color::Black { black } else { 1.0 - black };
    let lead = |black: Option<f64>| black.map_or(0.0, |black| if mover == Color::Black { black } else { -black });
    let candidates = known.candidates.iter().map(|candidate| RunCandidate {
        candidate: wire(candidate.played),
        visits: candidate.visits,
        winrate: win_rate(candidate.black_win_prob).into(),
        score_lead: lead(candidate.black_lead).into(),
        prior: candidate.prior.into(),
        pv: candidate.line.iter().map(|&mv| wire(mv)).collect(),
    });
    RunReply {
        best: wire(known.candidates.first().map_or(Move::Pass, |candidate| candidate.played)),
        winrate: win_rate(known.black_win_prob).into(),
        score_lead: lead(known.black_lead).into(),
        visits: known.visits,
        candidates: candidates.collect(),
        ownership: None,
        device: device.to_owned(),
        network: network.to_owned(),
        note: None,
    }
}

fn reply(best: Move, report: Option<SearchReport>, device: &str, network: &str) -> RunReply {
    let candidates = report.iter().flat_map(|report| &report.candidates).map(|candidate| RunCandidate {
        candidate: wire(candidate.mv),
        visits: u32::try_from(candidate.edge_visits).unwrap_or(u32::MAX),
        winrate: candidate.win_rate.into(),
        score_lead: candidate.score_lead.into(),
        prior: candidate.prior.into(),
        pv: candidate.pv.iter().map(|&mv| wire(mv)).collect(),
    });
    RunReply {
        best: wire(best),
        winrate: report.as_ref().map_or(0.5, |report| report.root.win_rate).into(),
        score_lead: report.as_ref().map_or(0.0, |report| report.root.score_lead).into(),
        visits: report.as_ref().map_or(0, |report| u32::try_from(report.root.visits).unwrap_or(u32::MAX)),
        candidates: candidates.collect(),
        ownership: report
            .as_ref()
            .and_then(|report| report.ownership.as_ref())
            .map(|owners| owners.iter().copied().map(Finite::from).collect()),
        device: device.to_owned(),
        network: network.to_owned(),
        note: None,
    }
}

/// When a `run` ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunLimits {
    visits: u32,
    time: Option<Duration>,
    until_settled: bool,
}

impl RunLimits {
    /// Checks what was asked for. With neither visits nor seconds, `usual_visits` (0: 100) are taken; with seconds
    /// or `until_settled` alone, visits are as good as unlimited.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] for numbers that mean nothing.
    pub fn new(
        visits: Option<u32>,
        seconds: Option<f64>,
        until_settled: bool,
        usual_visits: u32,
    ) -> Result<Self, ApiError> {
        let invalid = |message: String| Err(ApiError::InvalidRequest { message });
        let visits = match (visits, seconds) {
            (Some(0), _) => return invalid("visits must be at least 1".into()),
            (Some(visits), _) => visits.min(MAX_VISITS),
            (None, Some(_)) => MAX_VISITS,
            (None, None) if until_settled => MAX_VISITS,
            (None, None) if usual_visits > 0 => usual_visits.min(MAX_VISITS),
            (None, None) => DEFAULT_VISITS,
        };
        let time = match seconds {
            None => None,
            Some(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => Some(Duration::from_secs_f64(seconds)),
            Some(seconds) => {
                return invalid(format!("seconds must be above 0 and at most {MAX_SECONDS}, not {seconds}"));
            }
        };
        Ok(Self { visits, time, until_settled })
    }

    fn of(request: &RunRequest, usual_visits: u32) -> Result<Self, ApiError> {
        Self::new(request.visits, request.seconds.map(Finite::get), request.until_settled, usual_visits)
    }
}

/// The game of a request: its board with the mover's turn, or the moves that led there.
fn game_of(request: &RunRequest) -> Result<Game, ApiError> {
    let board = request.board.as_ref().ok_or_else(|| missing("board"))?;
    let color = request.color.ok_or_else(|| missing("color"))?;
    let (size, stones) = board.read()?;
    let invalid = |message: String| ApiError::InvalidRequest { message };
    let preset = match &request.rules {
        None => Preset::Honinbo,
        Some(name) => Preset::named(name).map_err(|error| invalid(format!("{error}; {}", error.hint())))?,
    };
    let komi = match request.komi {
        None => preset.komi(),
        Some(points) => Komi::from_points(points.get()).map_err(|error| invalid(error.to_string()))?,
    };
    let mover = match color {
        Side::Black => Color::Black,
        Side::White => Color::White,
    };
    let mut setup = Setup::new(size, request.topology.into(), preset.ruleset(), komi);
    let Some(moves) = &request.moves else {
        setup.stones.clone_from(stones);
        setup.first_player = mover;
        setup.handicap = HandicapCount::Exactly(0);
        return Game::new(setup).map_err(|error| unplayable(&error, size));
    };
    let moves = moves.on(size)?;
    setup.first_player = moves.first().map_or(mover, |&(color, _)| color);
    let mut game = Game::new(setup).map_err(|error| unplayable(&error, size))?;
    for (number, &(color, played)) in moves.iter().enumerate() {
        game.play_tolerant(color, played)
            .map_err(|error| invalid(format!("move {} of `moves`: {}", number + 1, error.on_board(size))))?;
    }
    let given: Vec<Option<Color>> = {
        let mut points = vec![None; size.area()];
        stones.iter().for_each(|&(point, color)| points[point.index(size)] = Some(color));
        points
    };
    if !game.board().points().eq(given) {
        return Err(ApiError::InvalidBoard { message: "`moves` do not lead to `board`".into() });
    }
    if game.is_over() {
        game.resume(mover);
    }
    game.for_player(mover).map_err(|error| unplayable(&error, size))
}

fn unplayable(error: &SetupError, size: BoardSize) -> ApiError {
    ApiError::InvalidBoard { message: error.on_board(size) }
}

fn one_based(coordinate: usize) -> u8 {
    u8::try_from(coordinate + 1).unwrap_or(u8::MAX)
}
