//! The opening explorer: how games went on from a position, and what the engine thinks of each way.

use std::ops::ControlFlow;

use honinbo_record::PositionEvaluation;
use honinbo_rules::{Board, Color, Move, Point};

use crate::error::LibraryError;
use crate::evaluations::{EvaluationContext, evaluation_of};
use crate::open::Library;
use crate::pattern_query::PatternQuery;
use crate::query::GameFilter;
use crate::search::{Continuation, SearchProgress, SearchResult};
use crate::verdict::{ENOUGH_VISITS, points_lost};

/// What an evaluation says in a line of the explorer, from Black's side.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplorerEvaluation {
    /// From 0 to 1.
    pub black_win_prob: f32,
    /// In points.
    pub black_lead: f32,
    /// Visits behind it; 1: the network alone.
    pub visits: u32,
}

/// A way on from a position.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplorerMove {
    /// The move, and what became of the games.
    #[serde(flatten)]
    pub continuation: Continuation,
    /// The position after it, when it was ever evaluated.
    pub evaluation: Option<ExplorerEvaluation>,
    /// Points that it loses the player, where both positions were searched enough to say so.
    pub points_lost: Option<f64>,
}

/// A position in the explorer.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explorer {
    /// Games that reached it, and from whichever order of moves.
    pub games: SearchResult,
    /// Its own evaluation.
    pub evaluation: Option<ExplorerEvaluation>,
    /// The ways on, most frequent first.
    pub moves: Vec<ExplorerMove>,
}

impl Library {
    /// Explores a position with this player to move; `context` says which evaluations to join.
    ///
    /// # Errors
    /// What searching and the database say.
    pub fn explore(
        &self,
        board: &Board,
        to_play: Color,
        context: Option<&EvaluationContext>,
        filter: &GameFilter,
        progress: &mut dyn FnMut(SearchProgress<'_>) -> ControlFlow<()>,
    ) -> Result<Explorer, LibraryError> {
        let query = PatternQuery {
            next_player: Some(to_play),
            filter: filter.clone(),
            max_hits: 100,
            ..PatternQuery::position(board)
        };
        let games = self.search(&query, progress)?;
        self.read(|connection| {
            let evaluate = |board: &Board, to_play: Color, context: Option<&EvaluationContext>| match context {
                Some(context) => evaluation_of(connection, board, to_play, context),
                None => Ok(None),
            };
            let before = evaluate(board, to_play, context)?;
            let mut moves = Vec::with_capacity(games.continuations.len());
            for continuation in &games.continuations {
                let color = if continuation.color == "black" { Color::Black } else { Color::White };
                let point = continuation.point.map(|(x, y)| Point::new(x as usize, y as usize));
                let mut after = board.clone();
                after.clear_ko();
                let legal = point.is_none_or(|point| after.play(color, point).is_ok());
                let context = context.map(|context| context.after(board, &after));
                let after = if legal { evaluate(&after, color.opponent(), context.as_ref())? } else { None };
                let lost = before.as_ref().zip(after.as_ref()).and_then(|(before, after)| {
                    let played = point.map_or(Move::Pass, Move::Place);
                    points_lost(color, played, before.into(), after.into(), ENOUGH_VISITS)
                });
                moves.push(ExplorerMove {
                    continuation: continuation.clone(),
                    evaluation: after.as_ref().and_then(shown),
                    points_lost: lost,
                });
            }
            let evaluation = before.as_ref().and_then(shown);
            Ok(Explorer { evaluation, moves, games: games.clone() })
        })
    }
}

fn shown(found: &PositionEvaluation) -> Option<ExplorerEvaluation> {
    Some(ExplorerEvaluation {
        black_win_prob: found.black_win_prob as f32,
        black_lead: found.black_lead? as f32,
        visits: found.visits,
    })
}
