//! Another program that analyses, whichever protocol it speaks.

use std::cmp::Ordering;
use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Color, Game, Move};

use super::{AnalysisPlayer, EngineCandidate, EngineError, EngineReport, GtpPlayer};

/// A program that says what it thinks of positions.
pub enum Analyst {
    /// By GTP: `kata-analyze` or `lz-analyze`.
    Gtp(Box<GtpPlayer>),
    /// By the JSON protocol of KataGo's analysis engine.
    Json(Box<AnalysisPlayer>),
}

/// How a position is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The moves that alone are looked at; empty for all.
    pub only: &'a [Move],
    /// Visits after which it rests.
    pub visits: u32,
    /// Time between two reports.
    pub interval: Duration,
}

impl Analyst {
    /// Whether it was started and not given up since.
    #[must_use]
    pub fn is_running(&self) -> bool {
        match self {
            Analyst::Gtp(player) => player.is_running(),
            Analyst::Json(player) => player.is_running(),
        }
    }

    /// What it calls itself, with its version. Starts it if it is not running.
    ///
    /// # Errors
    /// When it does not start.
    pub fn introduction(&mut self) -> Result<String, EngineError> {
        match self {
            Analyst::Gtp(player) => {
                let client = player.client()?;
                Ok(format!("{} {}", client.name(), client.version()).trim().to_owned())
            }
            Analyst::Json(player) => player.introduction(),
        }
    }

    /// Has it think about a position until it has its visits, `on_report` says that it wants no more, or `stop` is set.
    ///
    /// # Errors
    /// When it does not start, cannot take up the position, gives no analysis, or looks at other moves than those
    /// wanted.
    pub fn analyse(
        &mut self,
        game: &Game,
        wanted: Wanted<'_>,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(EngineReport) -> bool,
    ) -> Result<(), EngineError> {
        let Wanted { only, visits, interval } = wanted;
        match self {
            Analyst::Gtp(player) => player.analyse(game, only, interval, stop, &mut |report| {
                let goes_on = report.visits < visits;
                on_report(report) && goes_on
            }),
            Analyst::Json(player) => player.analyse(game, only, visits, interval, stop, on_report),
        }
    }

    /// Has it look at each of these moves alone until each has as many visits as the others, and hands on what is found
    /// after each: the moves on equal terms, best first.
    ///
    /// # Errors
    /// As [`Analyst::analyse`].
    pub fn compare(
        &mut self,
        game: &Game,
        moves: &[Move],
        visits: u32,
        interval: Duration,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(EngineReport) -> bool,
    ) -> Result<(), EngineError> {
        let mut found: Vec<EngineCandidate> = Vec::new();
        for played in moves {
            if stop.is_set() {
                break;
            }
            let mut last = None;
            // The position itself has a visit, too.
            let wanted = Wanted { only: std::slice::from_ref(played), visits: visits.saturating_add(1), interval };
            self.analyse(game, wanted, stop, &mut |report| {
                last = report.candidates.into_iter().find(|candidate| candidate.played == *played);
                true
            })?;
            found.extend(last);
            let ranked = ranked(&found, game.to_play());
            if let Some(report) = EngineReport::of(ranked, Vec::new())
                && !on_report(report)
            {
                break;
            }
        }
        Ok(())
    }
}

/// The candidates in the order in which their player would choose them.
fn ranked(found: &[EngineCandidate], mover: Color) -> Vec<EngineCandidate> {
    let mut ranked = found.to_vec();
    let better = |a: &EngineCandidate, b: &EngineCandidate| {
        let by = |a: f32, b: f32| if mover == Color::Black { b.total_cmp(&a) } else { a.total_cmp(&b) };
        let leads = a.black_lead.zip(b.black_lead).map_or(Ordering::Equal, |(a, b)| by(a, b));
        by(a.black_win_prob, b.black_win_prob).then(leads)
    };
    ranked.sort_by(better);
    for (order, candidate) in ranked.iter_mut().enumerate() {
        candidate.order = order;
    }
    ranked
}
