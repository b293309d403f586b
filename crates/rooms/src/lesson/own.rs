//! Moves that somebody tries on a board of their own.

use super::state::OwnBoard;
use crate::refusal::Refusal;
use crate::wire::number;
use honinbo_record::NodeId;
use honinbo_rules::{Game, Move};

/// Moves of one variation that was tried.
const MAX_MOVES: usize = 100;

/// A variation that is not in the record.
#[derive(Debug, Clone)]
pub(super) struct Own {
    /// The position of the record that it begins at.
    pub(super) from: NodeId,
    base: Game,
    /// The moves that were tried.
    pub(super) moves: Vec<Move>,
    game: Game,
}

impl Own {
    pub(super) fn new(from: NodeId, base: Game) -> Self {
        Self { from, game: base.clone(), base, moves: Vec::new() }
    }

    pub(super) fn len(&self) -> u32 {
        self.moves.len() as u32
    }

    pub(super) fn after_move(&self) -> u32 {
        self.base.turns().len() as u32
    }

    pub(super) fn play(&mut self, played: Move) -> Result<(), Refusal> {
        if self.moves.len() >= MAX_MOVES {
            return Err(Refusal::TooManyMoves);
        }
        play_on(&mut self.game, played)?;
        self.moves.push(played);
        Ok(())
    }

    /// Takes the last move back; false when none is left.
    pub(super) fn back(&mut self) -> bool {
        self.moves.pop();
        self.game = self.base.clone();
        for &played in &self.moves {
            // It was legal here before.
            if play_on(&mut self.game, played).is_err() {
                return false;
            }
        }
        !self.moves.is_empty()
    }

    pub(super) fn shown(&self) -> OwnBoard {
        OwnBoard {
            board: rows(&self.game),
            turn: self.game.to_play().into(),
            last_move: last_move(&self.game),
            after_move: self.after_move(),
            moves: self.len(),
        }
    }
}

/// A turn of the player to move, also in a game that both have passed in.
pub(super) fn play_on(game: &mut Game, played: Move) -> Result<(), Refusal> {
    if game.is_over() {
        game.resume(game.to_play());
    }
    let size = game.board().size();
    game.play(game.to_play(), played).map_err(|error| Refusal::illegal(error, size))
}

pub(super) fn rows(game: &Game) -> Vec<Vec<u8>> {
    let points: Vec<u8> = game.board().points().map(|stone| stone.map_or(0, number)).collect();
    points.chunks(game.board().size().width()).map(<[u8]>::to_vec).collect()
}

pub(super) fn last_move(game: &Game) -> Option<[u8; 2]> {
    let point = game.turns().last().and_then(|turn| turn.played.point())?;
    Some([point.x() as u8, point.y() as u8])
}
