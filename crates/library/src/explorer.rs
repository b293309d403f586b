//! The opening explorer: how games went on from a position, and what the engine thinks of each way.

use std::ops::ControlFlow;

use honinbo_rules::{Board, Color, Point};

use crate::error::LibraryError;
use crate::evaluations::{EvaluationContext, evaluation_of};
use crate::open::Library;
use crate::pattern_query::PatternQuery;
use crate::query::GameFilter;
use crate::search::{Continuation, SearchProgress, SearchResult};

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
    /// Points that the player gives away by it against the evaluation of the position itself; below 0 when the engine
    /// had underrated the move.
    pub points_lost: Option<f32>,
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
            let evaluate = |board: &Board,
                            to_play: Color,
                            context: Option<&EvaluationContext>|
             -> Result<Option<ExplorerEvaluation>, LibraryError> {
                let Some(context) = context else { return Ok(None) };
                Ok(evaluation_of(connection, board, to_play, context)?.map(|found| ExplorerEvaluation {
                    black_win_prob: found.black_win_prob,
                    black_lead: found.black_lead,
                    visits: found.visits,
                }))
            };
            let evaluation = evaluate(board, to_play, context)?;
            let mut moves = Vec::with_capacity(games.continuations.len());
            for continuation in &games.continuations {
                let color = if continuation.color == "black" { Color::Black } else { Color::White };
                let mut after = board.clone();
                after.clear_ko();
                let played = match continuation.point {
                    Some((x, y)) => after.play(color, Point::new(x as usize, y as usize)).is_ok(),
                    None => true,
                };
                let context = context.map(|context| context.after(board, &after));
                let after = if played { evaluate(&after, color.opponent(), context.as_ref())? } else { None };
                let points_lost = after.zip(evaluation).map(|(after, before)| match color {
                    Color::Black => before.black_lead - after.black_lead,
                    Color::White => after.black_lead - before.black_lead,
                });
                moves.push(ExplorerMove { continuation: continuation.clone(), evaluation: after, points_lost });
            }
            Ok(Explorer { evaluation, moves, games: games.clone() })
        })
    }
}
