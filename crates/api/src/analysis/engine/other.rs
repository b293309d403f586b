//! Live analysis by another program: an engine of `engines.yaml` that knows `kata-analyze` or `lz-analyze`, or speaks
//! the JSON of KataGo's analysis engine.
//!
//! Its findings are shown and stand in the graph, but are not kept in the library's evaluation store, whose entries are
//! a network's.

use super::Shared;
use super::graph::Era;
use super::live::{INTERVAL, Target};
use crate::analysis::views::{MAX_CANDIDATES, graph_value, update_of};
use crate::{AnalysisUpdate, EngineState, EngineStatus, OpenGameId};
use honinbo_evaluator::StopFlag;
use honinbo_players::{AnalysisPlayer, Analyst, CommandLine, EngineReport, EnginesFile, GtpPlayer, LevelSpec, Wanted};
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use std::sync::atomic::Ordering;

/// Which program is chosen.
#[derive(Clone)]
pub(super) struct Chosen {
    /// Its name in `engines.yaml`.
    pub(super) name: String,
    /// Set when it is not wanted any more: whatever is waited for, it is given up then.
    pub(super) abandoned: StopFlag,
}

/// The program that is chosen, and how it does.
pub(super) struct Other {
    pub(super) chosen: Chosen,
    /// What it calls itself, once it runs.
    calls_itself: String,
    engine: EngineState,
}

impl Other {
    pub(super) fn new(name: &str) -> Self {
        let chosen = Chosen { name: name.to_owned(), abandoned: StopFlag::new() };
        Self { chosen, calls_itself: String::new(), engine: EngineState::Idle }
    }

    pub(super) fn status(&self, serial: u32, analysing: Option<OpenGameId>) -> EngineStatus {
        let known = if self.calls_itself.is_empty() { &self.chosen.name } else { &self.calls_itself };
        EngineStatus {
            state: self.engine.clone(),
            serial,
            network: known.clone(),
            device: String::new(),
            device_name: String::new(),
            device_note: String::new(),
            evaluations_per_second: 0.0.into(),
            analysing,
        }
    }
}

/// The program while it runs. Dropping it ends it.
pub(super) struct Program {
    chosen: Chosen,
    line: CommandLine,
    analyst: Analyst,
}

/// Why a program gives no analysis: what failed, and what to do about it.
type Failure = (String, String);

impl Program {
    /// It is not wanted any more.
    pub(super) fn is_abandoned(&self) -> bool {
        self.chosen.abandoned.is_set()
    }

    /// Has it look at a position until something else is wanted, and gives the program back, started if need be. Where
    /// it cannot, the reason is emitted; the next position tries again.
    pub(super) fn analyse(
        running: Option<Program>,
        shared: &Shared,
        chosen: &Chosen,
        target: (&Target, Era),
        stop: &StopFlag,
    ) -> Option<Program> {
        let mut program = match Program::of(running, shared, chosen) {
            Ok(program) => program,
            Err(failure) => {
                shared.other_is(&chosen.name, "", failed(failure));
                return None;
            }
        };
        let result = program.start(shared).and_then(|()| program.look_at(shared, target, stop));
        if let Err((message, hint)) = result
            && !program.is_abandoned()
        {
            tracing::warn!(engine = chosen.name, "analysis ended: {message}");
            shared.other_is(&chosen.name, "", failed((message, hint)));
        }
        Some(program)
    }

    /// The one that runs, if it is still the one that the file means by this name.
    fn of(running: Option<Program>, shared: &Shared, chosen: &Chosen) -> Result<Program, Failure> {
        let name = &chosen.name;
        let file = EnginesFile::read(&EnginesFile::path_in(&shared.host.data_dir()))
            .map_err(|problem| (problem.to_string(), problem.hint().to_owned()))?;
        let spec = file.opponent(name);
        let (Some(LevelSpec::Gtp { line, limits, .. } | LevelSpec::Analysis { line, limits, .. }), Some(spec)) =
            (spec.clone(), spec)
        else {
            let message = format!("there is no engine {name:?} in {}", EnginesFile::NAME);
            return Err((message, "choose another one in the settings".to_owned()));
        };
        if let Some(running) = running
            && running.line == line
        {
            return Ok(running);
        }
        let abandoned = chosen.abandoned.clone();
        let analyst = match spec {
            LevelSpec::Gtp { commands, .. } => {
                Analyst::Gtp(Box::new(GtpPlayer::new(line.clone(), limits, commands).unless(abandoned)))
            }
            _ => Analyst::Json(Box::new(AnalysisPlayer::new(line.clone(), limits, None).unless(abandoned))),
        };
        Ok(Program { chosen: chosen.clone(), line, analyst })
    }

    fn start(&mut self, shared: &Shared) -> Result<(), Failure> {
        if self.analyst.is_running() {
            shared.other_is(&self.chosen.name, "", EngineState::Ready);
            return Ok(());
        }
        shared.other_is(&self.chosen.name, "", EngineState::Loading);
        match self.analyst.introduction() {
            Ok(calls_itself) => {
                shared.other_is(&self.chosen.name, &calls_itself, EngineState::Ready);
                Ok(())
            }
            Err(error) => Err((error.to_string(), error.hint())),
        }
    }

    fn look_at(&mut self, shared: &Shared, (target, begun): (&Target, Era), stop: &StopFlag) -> Result<(), Failure> {
        let visits = target.focus.visits;
        let wanted = if visits == 0 { shared.most_visits_without_limit() } else { visits };
        let only = target.focus.only(&target.game);
        let equal = target.focus.compared(&target.game);
        let started = shared.host.monotonic();
        let mut reported = None;
        let mut last: Option<(EngineReport, f64)> = None;
        let mut on_report = |report: EngineReport| {
            let now = shared.host.monotonic();
            let speed = f64::from(report.visits) / now.saturating_sub(started).as_secs_f64().max(1e-3);
            // A program may say more than windows want to hear.
            if reported.is_none_or(|reported| now.saturating_sub(reported) >= INTERVAL / 2) {
                reported = Some(now);
                emit(shared, (target, begun), &report, speed, true);
            }
            last = Some((report, speed));
            true
        };
        let result = match &equal {
            Some((moves, visits)) => self.analyst.compare(&target.game, moves, *visits, INTERVAL, stop, &mut on_report),
            None => {
                let wanted = Wanted { only: &only, visits: wanted, interval: INTERVAL };
                self.analyst.analyse(&target.game, wanted, stop, &mut on_report)
            }
        };
        // Whatever ended it, what was found stays on the window.
        if let Some((report, speed)) = &last {
            emit(shared, (target, begun), report, *speed, false);
        }
        result.map_err(|error| (error.to_string(), error.hint()))
    }
}

fn failed((message, hint): Failure) -> EngineState {
    EngineState::Failed { message, hint }
}

fn emit(
    shared: &Shared,
    (target, begun): (&Target, Era),
    report: &EngineReport,
    visits_per_second: f64,
    running: bool,
) {
    let found = evaluation_of(report);
    let value = graph_value(target.node_id, &found);
    let update = AnalysisUpdate {
        sequence: shared.updates.fetch_add(1, Ordering::Relaxed) + 1,
        focus: target.focus.number(),
        visits_per_second: visits_per_second.into(),
        running,
        ..update_of(target.game_id.clone(), target.node_id, &target.game, &found)
    };
    shared.report_analysis(begun, update);
    if target.focus.is_whole() {
        // Where it counts no points, no move can be judged by it.
        let candidates = if report.black_lead.is_some() { found.candidates } else { Vec::new() };
        shared.emit_value(target, begun, value, candidates);
    }
}

fn evaluation_of(report: &EngineReport) -> PositionEvaluation {
    let candidates = report.candidates.iter().take(MAX_CANDIDATES).map(|candidate| CandidateEvaluation {
        played: candidate.played,
        visits: candidate.visits,
        black_win_prob: candidate.black_win_prob.into(),
        black_lead: candidate.black_lead.filter(|_| report.black_lead.is_some()).map(Into::into),
        prior: candidate.prior.into(),
        line: candidate.line.clone(),
    });
    PositionEvaluation {
        visits: report.visits,
        black_win_prob: report.black_win_prob.into(),
        black_lead: report.black_lead.map(Into::into),
        candidates: candidates.collect(),
        black_ownership: report.black_ownership.clone(),
        engine: None,
    }
}

impl Shared {
    /// Notes how the program of this name does, unless another one is chosen by now, and emits the status.
    fn other_is(&self, name: &str, calls_itself: &str, engine: EngineState) {
        {
            let mut state = self.state.lock();
            let Some(other) = state.other.as_mut().filter(|other| other.chosen.name == name) else { return };
            if !calls_itself.is_empty() {
                calls_itself.clone_into(&mut other.calls_itself);
            }
            other.engine = engine;
        }
        self.emit_status();
    }
}
