//! Random play to the end, for players without a network, for guessing dead stones, and for measuring speed.

use crate::board::{Board, EMPTY};
use crate::geometry::Index;
use crate::zobrist::splitmix;
use crate::{Color, Point};

/// A small, fast source of random numbers with a seed (xorshift64*, S. Vigna 2016). Not for secrets.
#[derive(Debug, Clone)]
pub struct PlayoutRandom(u64);

impl PlayoutRandom {
    /// The same seed gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> PlayoutRandom {
        PlayoutRandom(splitmix(seed) | 1)
    }

    /// The next 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// A number below `bound`, which must be above 0 and below 2^32.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u64::from(self.next_u32()) * bound as u64) >> 32) as usize
    }
}

impl Board {
    /// Whether a point is an eye of this colour that random play leaves alone: every neighbour is a stone of the
    /// colour, and of the diagonals at most one is the opponent's in the middle and none at an edge.
    #[must_use]
    pub fn is_simple_eye(&self, color: Color, point: Point) -> bool {
        self.geometry
            .index(point)
            .is_some_and(|index| self.cells[index as usize].stone() == EMPTY && self.is_simple_eye_index(color, index))
    }

    #[inline]
    pub(crate) fn is_simple_eye_index(&self, color: Color, index: Index) -> bool {
        let cell = self.cells[index as usize];
        let opponent = 2 - color as u8;
        if cell.has_empty_neighbor() || cell.near_count(opponent) != 0 {
            return false;
        }
        let hostile: u8 = self.geometry.diagonals[index as usize]
            .into_iter()
            .map(|q| u8::from(self.cells[q as usize].stone() == opponent))
            .sum();
        hostile <= self.geometry.false_eye_margin[index as usize]
    }

    /// The move of random play: from a random point on, the first legal one that is no eye of the mover's own.
    /// `None` when there is none. Suicide is not played.
    #[must_use]
    pub fn random_move(&self, color: Color, random: &mut PlayoutRandom) -> Option<Point> {
        self.random_index(color, random).map(|index| self.geometry.point(index))
    }

    #[inline]
    pub(crate) fn random_index(&self, color: Color, random: &mut PlayoutRandom) -> Option<Index> {
        let area = self.geometry.area as usize;
        let start = random.below(area);
        let words = area.div_ceil(64);
        let first_word = start / 64;
        let from_start = !0u64 << (start % 64);
        let mut word = first_word;
        let mut bits = self.empty[word] & from_start;
        let mut turns = 0;
        loop {
            while bits != 0 {
                let index = (word * 64) as Index + bits.trailing_zeros() as Index;
                bits &= bits - 1;
                if self.suits_random_play(color, index) {
                    return Some(index);
                }
            }
            turns += 1;
            if turns > words {
                return None;
            }
            word = if word + 1 == words { 0 } else { word + 1 };
            bits = self.empty[word];
            if turns == words {
                bits &= !from_start;
            }
        }
    }

    #[inline]
    fn suits_random_play(&self, color: Color, index: Index) -> bool {
        // The ko point has no empty neighbour, so it never gets past the first question.
        self.cells[index as usize].has_empty_neighbor()
            || (index != self.ko && !self.is_simple_eye_index(color, index) && !self.is_suicide(color, index))
    }

    /// Plays at random until neither player has a move left, or for `most_moves` moves, and answers how many were
    /// made.
    pub fn play_out(&mut self, first: Color, most_moves: usize, random: &mut PlayoutRandom) -> usize {
        let mut color = first;
        let mut moves = 0;
        let mut passed = false;
        while moves < most_moves {
            match self.random_index(color, random) {
                Some(index) => {
                    self.place(color, index);
                    moves += 1;
                    passed = false;
                }
                None if passed => break,
                None => {
                    self.ko = self.geometry.area;
                    passed = true;
                }
            }
            color = color.opponent();
        }
        moves
    }
}
