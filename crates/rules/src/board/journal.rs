//! Taking moves back without a copy of the board: what cells held before they were written.

use super::{Board, Cell, EMPTY};
use crate::Color;
use crate::geometry::Index;
use crate::zobrist::stone_key;

/// Hears of cells before they are written by what cannot be reckoned backwards: joining chains and taking them off.
pub(crate) trait Notes {
    /// The cell of a point, as it was so far.
    fn note(&mut self, index: Index, cell: Cell);
}

/// Keeps nothing, and costs nothing: for moves that are never taken back.
pub(crate) struct NoJournal;

impl Notes for NoJournal {
    #[inline(always)]
    fn note(&mut self, _: Index, _: Cell) {}
}

/// The moves that can be taken back from a board, the last one first.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    cells: Vec<(Index, Cell)>,
    moves: Vec<Before>,
}

/// What a board was before a move, besides its cells.
#[derive(Debug)]
struct Before {
    /// Where the move's cells begin.
    first: usize,
    color: Color,
    index: Index,
    captured: [u32; 2],
    ko: Index,
}

impl Journal {
    /// Opens the entry of a move.
    pub(super) fn begin(&mut self, board: &Board, color: Color, index: Index) {
        let Board { captured, ko, .. } = *board;
        self.moves.push(Before { first: self.cells.len(), color, index, captured, ko });
    }

    /// Forgets every move.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
        self.moves.clear();
    }
}

impl Notes for Journal {
    #[inline]
    fn note(&mut self, index: Index, cell: Cell) {
        self.cells.push((index, cell));
    }
}

impl Board {
    /// Takes back the last move of a journal, which must be the last one played on this board. Nothing happens when
    /// there is none.
    pub(crate) fn take_back(&mut self, journal: &mut Journal) {
        let Some(Before { first, color, index, captured, ko }) = journal.moves.pop() else { return };
        // A cell written twice gets its oldest content last.
        for (at, cell) in journal.cells.drain(first..).rev() {
            let place = &mut self.cells[at as usize];
            if place.holds(EMPTY) && !cell.holds(EMPTY) {
                self.empty[at as usize / 64] &= !(1 << (at % 64));
                self.hash ^= stone_key(usize::from(cell.stone()) - 1, at as usize);
            }
            *place = cell;
        }
        self.unfill(color, index);
        (self.captured, self.ko) = (captured, ko);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardSize, Random, Topology};

    /// What a cell says, without the counts that mean nothing there.
    fn meaning(index: usize, cell: Cell) -> impl PartialEq + std::fmt::Debug {
        let head = cell.head();
        let leads = matches!(cell.stone(), 1 | 2) && usize::from(head) == index;
        let chain = leads.then(|| (cell.size(), cell.pseudo_liberties()));
        (cell.stone(), head, cell.next(), cell.near_count(1), cell.near_count(2), cell.empty_neighbors(), chain)
    }

    /// Plays any legal moves, eyes and suicides of several stones included, and takes them back one by one.
    #[test]
    fn moves_taken_back_leave_the_board_as_it_was() {
        let mut random = Random::new(9);
        let mut captures = 0;
        for topology in Topology::ALL {
            for (width, height) in [(2, 2), (3, 2), (4, 4), (5, 7), (8, 8), (19, 19)] {
                let mut board = Board::new(BoardSize::new(width, height).unwrap(), topology);
                let mut journal = Journal::default();
                let mut before = Vec::new();
                let mut color = Color::Black;
                for _ in 0..4 * width * height {
                    let legal: Vec<_> = board.legal_points(color, true).collect();
                    if !legal.is_empty() {
                        let point = legal[random.below(legal.len())];
                        before.push(board.clone());
                        board.place_noted(color, point.index(board.size()) as Index, &mut journal);
                        captures += u32::from(board.captured != before[before.len() - 1].captured);
                    }
                    color = color.opponent();
                }
                while let Some(was) = before.pop() {
                    board.take_back(&mut journal);
                    for (index, (cell, old)) in board.cells.iter().zip(&was.cells).enumerate() {
                        assert_eq!(meaning(index, *cell), meaning(index, *old), "{topology}\n{was}");
                    }
                    assert_eq!(
                        (board.empty, board.hash, board.captured, board.ko),
                        (was.empty, was.hash, was.captured, was.ko)
                    );
                }
                assert!(journal.cells.is_empty() && journal.moves.is_empty());
            }
        }
        assert!(captures > 300, "{captures} captures");
    }
}
