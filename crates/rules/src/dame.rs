//! Neutral points that the players left open at the end.
//!
//! Under territory scoring a group that touches a neutral point counts as a seki. Real games end with plain neutral
//! points unfilled, because nobody gains by them; only those that nobody *can* fill make a seki.

use crate::Color;
use crate::area::area_map;
use crate::board::{Board, EMPTY};
use crate::geometry::Index;

impl Board {
    /// The board after the neutral points were filled that either player can fill in safety: without taking a stone,
    /// and without either side being left in atari where it was not. Where a fill puts a chain of the opponent's into
    /// atari, the opponent's protecting move is played too. Shared liberties of a seki stay open.
    ///
    /// `suicide`: whether suicide of several stones counts as possible when life is judged.
    pub(crate) fn with_dame_filled(&self, suicide: bool) -> Board {
        let mut board = self.clone();
        board.clear_ko();
        loop {
            let map = area_map(&board, suicide);
            let neutral: Vec<Index> =
                board.empty_indices().filter(|&index| map[usize::from(index)].is_none()).collect();
            let before = board.hash();
            for index in neutral {
                // A protecting move may have filled it in the meantime.
                if board.cells[usize::from(index)].stone() == EMPTY {
                    board.fill_dame(index);
                }
            }
            if board.hash() == before {
                return board;
            }
        }
    }

    fn fill_dame(&mut self, index: Index) {
        let tried: Vec<(Board, bool)> =
            Color::ALL.iter().filter_map(|&color| self.with_safe_fill(color, index)).collect();
        // A fill that asks for no answer comes first: it costs nobody a point.
        let chosen = tried.iter().position(|(_, answered)| !answered).unwrap_or(0);
        if let Some((board, _)) = tried.into_iter().nth(chosen) {
            *self = board;
        }
    }

    /// The board after a safe fill by this player, and whether it had to be answered.
    fn with_safe_fill(&self, color: Color, index: Index) -> Option<(Board, bool)> {
        let mut board = self.with_safe_stone(color, index)?;
        let opponent = color.opponent();
        let threatened = |board: &Board| {
            let around = board.geometry.around(index).filter(|&q| board.stone(q) == Some(opponent));
            around.map(|q| board.head(q)).find_map(|head| board.atari_liberty(head))
        };
        let mut answered = false;
        // A stone touches four chains at the most.
        for _ in 0..4 {
            let Some(liberty) = threatened(&board) else { return Some((board, answered)) };
            board = board.with_safe_stone(opponent, liberty)?;
            answered = true;
        }
        None
    }

    /// The board with one more stone, when that takes nothing and leaves its chain two liberties.
    fn with_safe_stone(&self, color: Color, index: Index) -> Option<Board> {
        self.is_legal_index(color, index, false).then_some(())?;
        let mut board = self.clone();
        let captured = board.captured_by(color);
        board.place(color, index);
        board.clear_ko();
        let free = board.captured_by(color) == captured && board.liberties_up_to(board.head(index), 2) >= 2;
        free.then_some(board)
    }
}
