//! Placing stones: legality, merging, capture, ko.

use super::{Board, Cell, EMPTY, WALL};
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

/// What a new stone touches.
#[derive(Clone, Copy)]
struct Contact {
    /// Heads of the neighbours, in the order of the neighbours.
    heads: [Index; 4],
    /// Which neighbours are stones of the same colour, a bit each.
    friends: u32,
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
        if self.cells[index as usize].stone() != EMPTY {
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
        self.cells[index as usize].stone() == EMPTY && index != self.ko && !self.is_illegal_suicide(color, index, multi)
    }

    /// Whether placing a stone on this empty point would leave the stone's own chain without liberties.
    #[inline]
    pub(crate) fn is_suicide(&self, color: Color, index: Index) -> bool {
        if self.cells[index as usize].has_empty_neighbor() {
            return false;
        }
        let own = color as u8 + 1;
        let around = self.geometry.neighbors[index as usize];
        let cells = [
            self.cells[around[0] as usize],
            self.cells[around[1] as usize],
            self.cells[around[2] as usize],
            self.cells[around[3] as usize],
        ];
        for cell in cells {
            if cell.stone() == WALL {
                continue;
            }
            let head = cell.head();
            let mut contacts = 0;
            for other in cells {
                contacts += u32::from(other.head() == head);
            }
            // An own chain saves the stone by a further liberty, an opposing one by having none.
            if (cell.stone() == own) == (self.cells[head as usize].pseudo_liberties() > contacts) {
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
        let geometry = self.geometry;
        let (own, opponent) = (color as u8 + 1, 2 - color as u8);
        let around = geometry.neighbors[index as usize];
        let contact = self.fill(color, index, around);
        let head = self.join(own, index, around, contact);

        let mut captured = 0;
        let mut captured_at = geometry.area;
        let mut breathless = 0u32;
        for i in 0..4 {
            let chain = self.cells[contact.heads[i] as usize];
            breathless |= (u32::from(chain.stone() == opponent) & u32::from(chain.is_breathless())) << i;
        }
        while breathless != 0 {
            let q = around[breathless.trailing_zeros() as usize];
            breathless &= breathless - 1;
            // A chain that touches in two places is gone the second time.
            if self.cells[q as usize].stone() == opponent {
                captured += self.remove(q);
                captured_at = q;
            }
        }
        self.captured[color.opponent().index()] += u32::from(captured);
        let lone = contact.friends == 0;
        let single_liberty = self.cells[index as usize].empty_neighbors() == 1;
        self.ko = if captured == 1 && lone && single_liberty { captured_at } else { geometry.area };
        let mut suicided = 0;
        if self.cells[head as usize].is_breathless() {
            suicided = self.remove(index);
            self.captured[color.index()] += u32::from(suicided);
        }
        Played { captured, suicided }
    }

    /// Puts a stone on an empty point without looking for captures: for setting up positions.
    pub(crate) fn put(&mut self, index: Index, color: Color) {
        let around = self.geometry.neighbors[index as usize];
        let contact = self.fill(color, index, around);
        self.join(color as u8 + 1, index, around, contact);
    }

    /// Writes a lone stone and what changes for its neighbours.
    #[inline]
    fn fill(&mut self, color: Color, index: Index, around: [Index; 4]) -> Contact {
        let stone = color as u8 + 1;
        let delta = Cell::delta(stone);
        self.hash ^= stone_key(color.index(), index as usize);
        self.empty[index as usize / 64] &= !(1 << (index % 64));
        let mut contact = Contact { heads: [0; 4], friends: 0 };
        for i in 0..4 {
            let cell = &mut self.cells[around[i] as usize];
            *cell = cell.neighbor_filled(delta);
            let head = cell.head();
            contact.heads[i] = head;
            contact.friends |= u32::from(cell.stone() == stone) << i;
            let head = &mut self.cells[head as usize];
            *head = head.lost_pair();
        }
        let cell = &mut self.cells[index as usize];
        *cell = cell.with_stone(stone, index);
        contact
    }

    /// Joins a new stone with its neighbours of the same colour; answers the head of the chain it is in then.
    #[inline]
    fn join(&mut self, stone: u8, index: Index, around: [Index; 4], contact: Contact) -> Index {
        let mut friends = contact.friends;
        if friends == 0 {
            return index;
        }
        let mut head = contact.heads[friends.trailing_zeros() as usize];
        friends &= friends - 1;
        let lone = self.cells[index as usize];
        let chain = self.cells[head as usize];
        self.cells[index as usize] = lone.with_head(head).with_next(chain.next());
        self.cells[head as usize] = chain.joined_by(lone).with_next(index);
        while friends != 0 {
            let other = self.cells[around[friends.trailing_zeros() as usize] as usize];
            friends &= friends - 1;
            debug_assert_eq!(other.stone(), stone);
            if other.head() != head {
                head = self.merge(head, other.head());
            }
        }
        head
    }

    /// Joins the chains with these heads, relabelling the smaller one; answers the head that stays.
    #[inline]
    fn merge(&mut self, a: Index, b: Index) -> Index {
        let (first, second) = (self.cells[a as usize], self.cells[b as usize]);
        let ((keep, kept), (join, joined)) =
            if first.size() < second.size() { ((b, second), (a, first)) } else { ((a, first), (b, second)) };
        let mut at = join;
        loop {
            let cell = &mut self.cells[at as usize];
            *cell = cell.with_head(keep);
            at = cell.next();
            if at == join {
                break;
            }
        }
        self.cells[keep as usize] = kept.joined_by(joined).with_next(joined.next());
        let cell = &mut self.cells[join as usize];
        *cell = cell.with_next(kept.next());
        keep
    }

    #[inline]
    pub(crate) fn is_single(&self, head: Index) -> bool {
        self.cells[head as usize].size() == 1
    }

    /// Takes the chain of a stone off the board and returns how many stones it had.
    #[inline]
    pub(super) fn remove(&mut self, index: Index) -> u16 {
        let geometry = self.geometry;
        let head = self.head(index);
        let stone = self.cells[head as usize].stone();
        let delta = Cell::delta(stone);
        let color = usize::from(stone) - 1;
        let mut removed = 0;
        let mut at = head;
        loop {
            let cell = &mut self.cells[at as usize];
            let next = cell.next();
            *cell = cell.without_stone(at);
            self.hash ^= stone_key(color, at as usize);
            self.empty[at as usize / 64] |= 1 << (at % 64);
            for q in geometry.neighbors[at as usize] {
                let cell = &mut self.cells[q as usize];
                *cell = cell.neighbor_cleared(delta);
                let head = cell.head();
                let head = &mut self.cells[head as usize];
                *head = head.gained_pair();
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
        if self.cells[index as usize].stone() != EMPTY {
            return None;
        }
        for q in self.geometry.around(index) {
            if self.cells[q as usize].stone() != opponent {
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
        let heads = around.map(|q| self.cells[q as usize].head());
        let mut hash = self.hash ^ stone_key(color.index(), index as usize);
        let chain_hash = |head: Index, color: usize| {
            self.chain_indices(head).fold(0, |hash, at| hash ^ stone_key(color, at as usize))
        };
        let mut captures = false;
        for (i, &q) in around.iter().enumerate() {
            let head = heads[i];
            if self.cells[q as usize].stone() == opponent
                && !heads[..i].contains(&head)
                && self.cells[head as usize].pseudo_liberties() == self.contacts(index, head)
            {
                hash ^= chain_hash(head, color.opponent().index());
                captures = true;
            }
        }
        if !captures && self.is_suicide(color, index) {
            hash ^= stone_key(color.index(), index as usize);
            for (i, &q) in around.iter().enumerate() {
                if self.cells[q as usize].stone() == color as u8 + 1 && !heads[..i].contains(&heads[i]) {
                    hash ^= chain_hash(heads[i], color.index());
                }
            }
        }
        hash
    }
}
