//! What a teacher says: hints by degrees, what a move would lose, what is dead at the end.

use crate::analysis::engine::SEED;
use crate::games::session::vertex;
use crate::{ApiError, App, Hint, HintDegree};
use honinbo_evaluator::StopFlag;
use honinbo_rules::{DeadStones, Game, Move, Point};
use honinbo_search::{
    Perspective, ReportOptions, RootTargets, Search, SearchLimits, SearchParams, SearchReport, TimeLimit,
};
use std::sync::Arc;
use std::time::Duration;

/// Visits of a search for advice.
const VISITS: u64 = 100;
/// Visits that the move in question gets at least.
const VISITS_OF_MOVE: u32 = 12;
/// What a search for advice may take.
const PATIENCE: Duration = Duration::from_secs(3);
/// How far a region reaches around the best move, along the lines.
const REGION: usize = 3;
/// Moves of a line.
const LINE: usize = 6;
/// Playouts from which dead stones are guessed where there is no network.
const GUESS: usize = 300;

impl App {
    fn search_for_advice(&self, game: &Game, about: Option<Move>, stop: &StopFlag) -> Result<SearchReport, ApiError> {
        let ready = self.ready_engine()?;
        let failed = |error| ApiError::from_search(&error);
        let search = Search::new(ready.evaluator, game.clone(), SearchParams::analysis(), SEED).map_err(failed)?;
        let host = Arc::clone(self.host());
        let began = host.monotonic();
        let limits = |max_visits, root_targets| SearchLimits {
            max_visits,
            time: Some(TimeLimit {
                stopwatch: {
                    let host = Arc::clone(&host);
                    Arc::new(move || host.monotonic().saturating_sub(began))
                },
                max: PATIENCE,
            }),
            threads: ready.threads,
            leaves_per_thread: None,
            include_ownership: false,
            root_targets,
            ..SearchLimits::default()
        };
        self.engine().begin_advice(stop);
        if let Some(about) = about {
            let targets = RootTargets { moves: Some(vec![about]), visits: VISITS_OF_MOVE };
            search.run(&limits(VISITS, Some(targets)), stop).map_err(failed)?;
        }
        search.run(&limits(VISITS, None), stop).map_err(failed)?;
        let options = ReportOptions { perspective: Perspective::Mover, pv_len: LINE, ..ReportOptions::default() };
        search.report(&options).ok_or(ApiError::Cancelled)
    }

    /// About how many points a move loses against the best one; `None` where nobody can say.
    pub(super) fn loss_of(&self, game: &Game, played: Move) -> Option<f64> {
        let report = match self.search_for_advice(game, Some(played), &StopFlag::new()) {
            Ok(report) => report,
            Err(error) => {
                // A game goes on without advice.
                tracing::warn!(%error, "no advice");
                return None;
            }
        };
        let best = report.candidates.first()?;
        if best.mv == played {
            return Some(0.0);
        }
        let this = report.candidates.iter().find(|candidate| candidate.mv == played && candidate.edge_visits > 0)?;
        Some((best.score_lead - this.score_lead).max(0.0))
    }

    pub(super) fn hint_for(&self, game: &Game, degree: HintDegree, stop: &StopFlag) -> Result<Hint, ApiError> {
        let report = self.search_for_advice(game, None, stop)?;
        let board = game.board();
        let size = board.size();
        let seen = |played: Move| played.point().map(|point| vertex(point, size));
        let best = report.candidates.first().ok_or(ApiError::Cancelled)?;
        let points = match degree {
            HintDegree::Move => vec![seen(best.mv)],
            HintDegree::Line => {
                let line: Vec<_> = best.pv.iter().copied().take(LINE).map(seen).collect();
                if line.is_empty() { vec![seen(best.mv)] } else { line }
            }
            HintDegree::Choice => {
                let mut points: Vec<_> = report.candidates.iter().take(3).map(|candidate| seen(candidate.mv)).collect();
                points.sort_unstable();
                points
            }
            HintDegree::Region => match best.mv.point() {
                None => vec![None],
                Some(center) => {
                    let mut region = vec![center];
                    let mut from = 0;
                    for _ in 0..REGION {
                        let edge: Vec<Point> = region[from..].to_vec();
                        from = region.len();
                        for near in edge.into_iter().flat_map(|point| board.neighbors(point)) {
                            if !region.contains(&near) {
                                region.push(near);
                            }
                        }
                    }
                    region.sort_unstable();
                    region.into_iter().map(|point| Some(vertex(point, size))).collect()
                }
            },
        };
        Ok(Hint { degree, points })
    }

    /// What both players would call dead: as the network sees it, or what random play loses where there is none.
    pub(crate) fn dead_at_the_end(&self, game: &Game) -> Vec<Point> {
        self.propose_dead(game).unwrap_or_else(|error| {
            tracing::warn!(%error, "dead stones are guessed without a network");
            DeadStones::guess_by_playouts(game.board(), GUESS, 1).to_vec()
        })
    }
}
