//! Placing stones: legality, merging, capture, ko.

use super::{Board, Cell, EMPTY};
use crate::geometry::Index;
use crate::zobrist::stone_key;
use crate::{Color, IllegalMove, Point};

/// What a stone did when it was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Played {
    /// Opposing stones taken off the board.
    pub captured: u16,
    /// Own stones taken off the board, the new one included: more than 0 only for suicide.
    pub suicided: u16,
}

impl Cell {
    /// Number of empty neighbours.
    #[inline]
    pub(crate) fn empty_neighbors(self) -> u16 {
        if self.near == 0 { 4 } else { (self.near >> 6) as u16 }
    }

    /// Whether some neighbour is empty; only meaningful for points with neighbours, not for the wall.
    #[inline]
    pub(crate) fn has_empty_neighbor(self) -> bool {
        self.near.wrapping_sub(1) >= 63
    }

    /// Neighbours that hold a stone of this kind (1 or 2).
    #[inline]
    pub(crate) fn near_count(self, stone: u8) -> u8 {
        if stone == 1 { self.near & 7 } else { (self.near >> 3) & 7 }
    }
}

/// Change of `Cell::near` when a neighbour turns from empty to a stone.
#[inline]
const fn near_delta(stone: u8) -> u8 {
    (if stone == 1 { 1u8 } else { 8u8 }).wrapping_sub(64)
}

impl Board {
    /// Whether a stone may be placed, as far as the board alone can tell: on the board, on an empty point that is
    /// not the simple ko point, and no suicide of a single stone; of several stones only when
    /// `multi_stone_suicide` is set. Superko needs the history that [`crate::Game`] keeps.
    ///
    /// # Errors
    /// The reason why not.
    pub fn legality(&self, color: Color, point: Point, multi_stone_suicide: bool) -> Result<(), IllegalMove> {
        let index = self.geometry.index(point).ok_or(IllegalMove::Outside { point, size: self.size() })?;
        self.legality_ignoring_ko(color, index, multi_stone_suicide)?;
        if index == self.ko { Err(IllegalMove::Ko { point }) } else { Ok(()) }
    }

    pub(crate) fn legality_ignoring_ko(&self, color: Color, index: Index, multi: bool) -> Result<(), IllegalMove> {
        let point = self.geometry.point(index);
        if self.cells[index as usize].stone != EMPTY {
            return Err(IllegalMove::Occupied { point });
        }
        if self.is_illegal_suicide(color, index, multi) { Err(IllegalMove::Suicide { point }) } else { Ok(()) }
    }

    /// Whether [`Board::legality`] has no objection.
    #[must_use]
    pub fn is_legal(&self, color: Color, point: Point, multi_stone_suicide: bool) -> bool {
        self.geometry.index(point).is_some_and(|index| self.is_legal_index(color, index, multi_stone_suicide))
    }

    #[inline]
    pub(crate) fn is_legal_index(&self, color: Color, index: Index, multi: bool) -> bool {
        self.cells[index as usize].stone == EMPTY && index != self.ko && !self.is_illegal_suicide(color, index, multi)
    }

    /// Whether placing a stone on this empty point would leave the stone's own chain without liberties.
    #[inline]
    pub(crate) fn is_suicide(&self, color: Color, index: Index) -> bool {
        if self.cells[index as usize].has_empty_neighbor() {
            return false;
        }
        let own = color as u8 + 1;
        let around = self.geometry.neighbors[index as usize];
        let heads = around.map(|q| self.cells[q as usize].head);
        for (q, head) in around.into_iter().zip(heads) {
            let stone = self.cells[q as usize].stone;
            // The wall has no pseudo-liberties that mean anything, and no stone's kind.
            if stone == super::WALL {
                continue;
            }
            let contacts = heads.iter().map(|&other| u16::from(other == head)).sum::<u16>();
            let keeps_liberty = self.cells[head as usize].pseudo_liberties > contacts;
            if (stone == own) == keeps_liberty {
                return false;
            }
        }
        true
    }

    /// Suicide that the rules forbid: always of a single stone, of several unless `multi`.
    #[inline]
    pub(crate) fn is_illegal_suicide(&self, color: Color, index: Index, multi: bool) -> bool {
        let cell = self.cells[index as usize];
        if cell.has_empty_neighbor() {
            return false;
        }
        if multi && cell.near_count(color as u8 + 1) > 0 {
            return false;
        }
        self.is_suicide(color, index)
    }

    /// Places a stone, removes what it captures and sets the simple ko point. Suicide of several stones is carried
    /// out; whether a ruleset allows it is for [`Board::legality`] to say.
    ///
    /// # Errors
    /// When the point is off the board, occupied, the ko point, or a single stone would have no liberty.
    /// The board is unchanged then.
    pub fn play(&mut self, color: Color, point: Point) -> Result<Played, IllegalMove> {
        self.legality(color, point, true)?;
        let index = point.index(self.size()) as Index;
        Ok(self.place(color, index))
    }

    /// Places a stone on a point that is known to be empty and no suicide of a single stone.
    #[inline]
    pub(crate) fn place(&mut self, color: Color, index: Index) -> Played {
        let opponent = 2 - color as u8;
        let geometry = self.geometry;
        let around = geometry.neighbors[index as usize];
        self.occupy(color, index);
        let mut captured = 0;
        let mut captured_at = geometry.area;
        let lone = self.cells[index as usize].near_count(color as u8 + 1) == 0;
        if self.cells[index as usize].near_count(opponent) != 0 {
            for q in around {
                let cell = self.cells[q as usize];
                if cell.stone == opponent && self.cells[cell.head as usize].pseudo_liberties == 0 {
                    captured += self.remove(q);
                    captured_at = q;
                }
            }
            self.captured[color.opponent().index()] += u32::from(captured);
        }
        self.ko = if captured == 1 && lone && self.cells[index as usize].empty_neighbors() == 1 {
            captured_at
        } else {
            geometry.area
        };
        let mut suicided = 0;
        if self.cells[self.cells[index as usize].head as usize].pseudo_liberties == 0 {
            suicided = self.remove(index);
            self.captured[color.index()] += u32::from(suicided);
        }
        Played { captured, suicided }
    }

    /// Puts a stone on an empty point without looking for captures: for setting up positions.
    pub(crate) fn put(&mut self, index: Index, color: Color) {
        self.occupy(color, index);
    }

    /// Writes the stone and joins it with its neighbours of the same colour.
    #[inline]
    fn occupy(&mut self, color: Color, index: Index) {
        let stone = color as u8 + 1;
        let geometry = self.geometry;
        let around = geometry.neighbors[index as usize];
        let delta = near_delta(stone);
        self.hash ^= stone_key(color.index(), index as usize);
        self.empty[index as usize / 64] &= !(1 << (index % 64));
        for q in around {
            let cell = &mut self.cells[q as usize];
            cell.near = cell.near.wrapping_add(delta);
            // Empty points and the wall are their own heads: their count is written in vain, which is cheaper
            // than asking.
            let head = cell.head as usize;
            let head = &mut self.cells[head];
            head.pseudo_liberties = head.pseudo_liberties.wrapping_sub(1);
        }
        let cell = &mut self.cells[index as usize];
        cell.stone = stone;
        cell.pseudo_liberties = cell.empty_neighbors();
        if cell.near_count(stone) != 0 {
            for q in around {
                let cell = self.cells[q as usize];
                if cell.stone == stone && cell.head != self.cells[index as usize].head {
                    self.merge(index, q);
                }
            }
        }
    }

    /// Joins the chains of two stones. The one with fewer pseudo-liberties, usually the smaller, is relabelled.
    #[inline]
    fn merge(&mut self, a: Index, b: Index) {
        let (mut keep, mut join) = (self.head(a), self.head(b));
        let total = self.cells[keep as usize].pseudo_liberties + self.cells[join as usize].pseudo_liberties;
        let (keep_single, join_single) = (self.is_single(keep), self.is_single(join));
        let fewer = self.cells[keep as usize].pseudo_liberties < self.cells[join as usize].pseudo_liberties;
        if keep_single || (fewer && !join_single) {
            std::mem::swap(&mut keep, &mut join);
        }
        let mut at = join;
        loop {
            let cell = &mut self.cells[at as usize];
            cell.head = keep;
            at = cell.next;
            if at == join {
                break;
            }
        }
        let next = self.cells[keep as usize].next;
        self.cells[keep as usize].next = self.cells[join as usize].next;
        self.cells[join as usize].next = next;
        self.cells[keep as usize].pseudo_liberties = total;
    }

    #[inline]
    pub(crate) fn is_single(&self, head: Index) -> bool {
        self.cells[head as usize].next == head
    }

    /// Takes the chain of a stone off the board and returns how many stones it had.
    #[inline]
    pub(super) fn remove(&mut self, index: Index) -> u16 {
        let geometry = self.geometry;
        let head = self.head(index);
        let stone = self.cells[head as usize].stone;
        let delta = near_delta(stone);
        let color = usize::from(stone) - 1;
        let mut removed = 0;
        let mut at = head;
        loop {
            let cell = &mut self.cells[at as usize];
            let next = cell.next;
            cell.stone = EMPTY;
            cell.head = at;
            cell.next = at;
            self.hash ^= stone_key(color, at as usize);
            self.empty[at as usize / 64] |= 1 << (at % 64);
            for q in geometry.neighbors[at as usize] {
                let cell = &mut self.cells[q as usize];
                cell.near = cell.near.wrapping_sub(delta);
                let head = cell.head as usize;
                let head = &mut self.cells[head];
                head.pseudo_liberties = head.pseudo_liberties.wrapping_add(1);
            }
            removed += 1;
            at = next;
            if at == head {
                return removed;
            }
        }
    }

    /// Whether placing a stone here would take exactly one stone and look like a ko: every neighbour holds an
    /// opposing stone, and exactly one of them is a chain in atari, of one stone. Answers that stone.
    pub(crate) fn ko_capture(&self, color: Color, index: Index) -> Option<Index> {
        let opponent = 2 - color as u8;
        let mut found = None;
        if self.cells[index as usize].stone != EMPTY {
            return None;
        }
        for q in self.geometry.around(index) {
            if self.cells[q as usize].stone != opponent {
                return None;
            }
            let head = self.head(q);
            if self.atari_liberty(head).is_some() {
                if found.is_some() || !self.is_single(head) {
                    return None;
                }
                found = Some(q);
            }
        }
        found
    }

    /// The hash after a stone would have been placed, which must be legal apart from ko.
    pub(crate) fn hash_after(&self, color: Color, index: Index) -> u128 {
        let opponent = 2 - color as u8;
        let around = self.geometry.neighbors[index as usize];
        let heads = around.map(|q| self.cells[q as usize].head);
        let mut hash = self.hash ^ stone_key(color.index(), index as usize);
        let chain_hash = |head: Index, color: usize| {
            self.chain_indices(head).fold(0, |hash, at| hash ^ stone_key(color, at as usize))
        };
        let mut captures = false;
        for (i, &q) in around.iter().enumerate() {
            let head = heads[i];
            if self.cells[q as usize].stone == opponent
                && !heads[..i].contains(&head)
                && self.cells[head as usize].pseudo_liberties == self.contacts(index, head)
            {
                hash ^= chain_hash(head, color.opponent().index());
                captures = true;
            }
        }
        if !captures && self.is_suicide(color, index) {
            hash ^= stone_key(color.index(), index as usize);
            for (i, &q) in around.iter().enumerate() {
                if self.cells[q as usize].stone == color as u8 + 1 && !heads[..i].contains(&heads[i]) {
                    hash ^= chain_hash(heads[i], color.index());
                }
            }
        }
        hash
    }
}
