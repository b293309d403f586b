//! Random play to the end, for players without a network, for guessing dead stones, and for measuring speed.

use crate::board::{Board, EMPTY, NoJournal};
use crate::geometry::Index;
use crate::{Color, Point, Random};

impl Board {
    /// Whether a point is an eye of this colour that random play leaves alone: every neighbour is a stone of the
    /// colour, and of the diagonals at most one is the opponent's in the middle and none at an edge.
    #[must_use]
    pub fn is_simple_eye(&self, color: Color, point: Point) -> bool {
        self.geometry
            .index(point)
            .is_some_and(|index| self.cells[index as usize].stone() == EMPTY && self.is_simple_eye_index(color, index))
    }

    pub(crate) fn is_simple_eye_index(&self, color: Color, index: Index) -> bool {
        match color {
            Color::Black => self.is_eye_of::<1>(index),
            Color::White => self.is_eye_of::<2>(index),
        }
    }

    #[inline(always)]
    fn is_eye_of<const STONE: u8>(&self, index: Index) -> bool {
        let cell = self.cells[index as usize];
        if cell.has_empty_neighbor() || cell.near_count(3 - STONE) != 0 {
            return false;
        }
        let corners = self.geometry.spots[index as usize].diagonals;
        let mut hostile = 0;
        for q in corners {
            hostile += u32::from(self.cells[q as usize].holds(3 - STONE));
        }
        // Missing diagonals are listed last.
        hostile <= u32::from(corners[3] != self.geometry.area)
    }

    /// The move of random play: from a random point on, the first legal one that is no eye of the mover's own.
    /// `None` when there is none. Suicide is not played.
    #[must_use]
    pub fn random_move(&self, color: Color, random: &mut Random) -> Option<Point> {
        self.random_index(color, random).map(|index| self.geometry.point(index))
    }

    fn random_index(&self, color: Color, random: &mut Random) -> Option<Index> {
        match color {
            Color::Black => self.random_index_for::<1>(random),
            Color::White => self.random_index_for::<2>(random),
        }
    }

    #[inline(always)]
    fn random_index_for<const STONE: u8>(&self, random: &mut Random) -> Option<Index> {
        let area = self.geometry.area as usize;
        let start = random.below(area);
        let (first, from_start) = (start / 64, !0u64 << (start % 64));
        let found = self.first_suitable::<STONE>(first, self.empty[first] & from_start);
        if found.is_some() { found } else { self.random_index_beyond::<STONE>(first, from_start) }
    }

    /// Goes on with a scan beyond the word where it began: to the last word, and from the first to where it began.
    /// Kept out of line, which keeps the usual way short.
    #[inline(never)]
    fn random_index_beyond<const STONE: u8>(&self, first: usize, from_start: u64) -> Option<Index> {
        let whole = (first + 1..self.words()).chain(0..first).map(|word| (word, self.empty[word]));
        whole
            .chain([(first, self.empty[first] & !from_start)])
            .find_map(|(word, bits)| self.first_suitable::<STONE>(word, bits))
    }

    #[inline(always)]
    fn first_suitable<const STONE: u8>(&self, word: usize, mut bits: u64) -> Option<Index> {
        while bits != 0 {
            let index = (word * 64) as Index + bits.trailing_zeros() as Index;
            bits &= bits - 1;
            if self.suits_random_play::<STONE>(index) {
                return Some(index);
            }
        }
        None
    }

    #[inline(always)]
    fn suits_random_play<const STONE: u8>(&self, index: Index) -> bool {
        // The ko point has no empty neighbour, so it never gets past the first question.
        self.cells[index as usize].has_empty_neighbor()
            || (index != self.ko && !self.is_eye_of::<STONE>(index) && self.is_saved::<STONE>(index))
    }

    /// Plays at random until neither player has a move left, or for `most_moves` moves, and answers how many were
    /// made.
    pub fn play_out(&mut self, first: Color, most_moves: usize, random: &mut Random) -> usize {
        let mut state = PlayOut { board: self, random, moves: 0, passed: false };
        if first == Color::White && !state.turn::<2>() {
            return state.moves;
        }
        while state.moves < most_moves && state.turn::<1>() {
            if state.moves >= most_moves || !state.turn::<2>() {
                break;
            }
        }
        state.moves
    }
}

struct PlayOut<'a> {
    board: &'a mut Board,
    random: &'a mut Random,
    moves: usize,
    passed: bool,
}

impl PlayOut<'_> {
    /// Makes one player's move or pass; false when the game is over.
    #[inline(always)]
    fn turn<const STONE: u8>(&mut self) -> bool {
        match self.board.random_index_for::<STONE>(self.random) {
            Some(index) => {
                self.board.place_stone::<STONE, _>(index, &mut NoJournal);
                self.moves += 1;
                self.passed = false;
                true
            }
            None => {
                self.board.ko = self.board.geometry.area;
                !std::mem::replace(&mut self.passed, true)
            }
        }
    }
}
