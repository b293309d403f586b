//! Plays a position out to the end, and inserts the moves as a variation.

use crate::analysis::AnalysisRoom;
use crate::analysis::engine::SEED;
use crate::analysis::score::score_view;
use crate::{ApiError, Event, PlayOut, PlayOutProgress, PlayedOut};
use honinbo_evaluator::StopFlag;
use honinbo_rules::{Color, Game, Move};
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};
use std::time::Duration;

/// Most visits on a move.
const MAX_VISITS: u32 = 100_000;
/// Between two reports of how far it is.
const INTERVAL: Duration = Duration::from_millis(100);
/// A game that has had so many moves for each point of the board goes round in circles.
const MAX_MOVES_PER_POINT: usize = 4;
/// What was played.
struct Line {
    moves: Vec<(Color, Move)>,
    end: Game,
}

impl AnalysisRoom {
    pub(crate) fn play_out(&self, wanted: &PlayOut, stop: &StopFlag) -> Result<PlayedOut, ApiError> {
        let start = self.games.with_game(&wanted.game_id, |session| session.game_at(wanted.node_id))?;
        if start.is_over() {
            return Err(ApiError::InvalidRequest { message: "the game is over here already".into() });
        }
        let line = self.engine_line(wanted, &start, stop)?;
        if line.moves.is_empty() {
            return Err(ApiError::Cancelled);
        }
        self.games.with_game(&wanted.game_id, |session| session.add_played_out(wanted.node_id, &start, &line.moves))?;
        let score = line.end.is_over().then(|| score_view(&line.end, &self.dead_at_the_end(&line.end)));
        Ok(PlayedOut { moves: counted(line.moves.len()), score })
    }

    /// The engine's moves for both sides, until both passed or `stop` is set.
    fn engine_line(&self, wanted: &PlayOut, start: &Game, stop: &StopFlag) -> Result<Line, ApiError> {
        let ready = self.ready_engine()?;
        let failed = |error| ApiError::from_search(&error);
        let search = Search::new(ready.evaluator, start.clone(), SearchParams::play(), SEED).map_err(failed)?;
        let limits = SearchLimits {
            max_visits: wanted.visits.clamp(1, MAX_VISITS).into(),
            threads: ready.threads,
            leaves_per_thread: None,
            include_ownership: false,
            ..SearchLimits::default()
        };
        let options = ReportOptions {
            perspective: Perspective::Black,
            max_candidates: 1,
            min_candidates: 1,
            ..ReportOptions::default()
        };
        let mut line = Line { moves: Vec::new(), end: start.clone() };
        let most = start.board().size().area() * MAX_MOVES_PER_POINT;
        let mut reported = self.host.monotonic();
        while !line.end.is_over() && line.moves.len() < most && !stop.is_set() {
            search.set_root(line.end.clone()).map_err(failed)?;
            search.run(&limits, stop).map_err(failed)?;
            let Some(report) = search.report(&options).filter(|_| !stop.is_set()) else { break };
            let played = report.candidates.first().map_or(Move::Pass, |best| best.mv);
            let color = line.end.to_play();
            if line.end.play(color, played).is_err() {
                break;
            }
            line.moves.push((color, played));
            let now = self.host.monotonic();
            if now.saturating_sub(reported) >= INTERVAL {
                reported = now;
                self.host.emit(Event::PlayOut(PlayOutProgress {
                    game_id: wanted.game_id.clone(),
                    moves: counted(line.moves.len()),
                    black_score_lead: report.root.score_lead.into(),
                }));
            }
        }
        Ok(line)
    }
}

fn counted(moves: usize) -> u32 {
    u32::try_from(moves).unwrap_or(u32::MAX)
}
