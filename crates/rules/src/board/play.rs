//! Placing stones: legality, merging, capture, ko.

use std::hint::select_unpredictable;

use super::journal::{Journal, NoJournal, Notes};
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

/// What a new stone touches.
#[derive(Clone, Copy)]
struct Contact {
    /// Heads of the neighbours, in the order of the neighbours.
    heads: [Index; 4],
    /// Which neighbours are stones of the same colour, a bit each.
    friends: u32,
    /// Whether some neighbour belongs to a chain without liberty, of either colour.
    breathless: bool,
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

    /// Every point where [`Board::legality`] has no objection to this colour, row by row from the top.
    pub fn legal_points(&self, color: Color, multi_stone_suicide: bool) -> impl Iterator<Item = Point> + '_ {
        self.empty_indices()
            .filter(move |&index| self.is_legal_index(color, index, multi_stone_suicide))
            .map(|index| self.geometry.point(index))
    }

    #[inline]
    pub(crate) fn is_legal_index(&self, color: Color, index: Index, multi: bool) -> bool {
        self.cells[index as usize].stone() == EMPTY && index != self.ko && !self.is_illegal_suicide(color, index, multi)
    }

    /// Whether placing a stone on this empty point would leave the stone's own chain without liberties.
    #[inline]
    pub(crate) fn is_suicide(&self, color: Color, index: Index) -> bool {
        match color {
            Color::Black => self.is_suicide_of::<1>(index),
            Color::White => self.is_suicide_of::<2>(index),
        }
    }

    #[inline]
    pub(crate) fn is_suicide_of<const STONE: u8>(&self, index: Index) -> bool {
        !self.cells[index as usize].has_empty_neighbor() && !self.is_saved::<STONE>(index)
    }

    /// Whether a stone on a point without empty neighbours would have a liberty: through an own chain that has
    /// another, or by taking an opposing one that has none.
    #[inline(always)]
    pub(crate) fn is_saved<const STONE: u8>(&self, index: Index) -> bool {
        let around = self.geometry.neighbors(index);
        for q in around {
            let cell = self.cells[q as usize];
            let head = cell.head();
            let pairs = self.cells[head as usize].pseudo_liberties();
            // A point has four neighbours: a chain with more pairs than that has another liberty. What is counted for
            // the wall is far above four.
            let stays = pairs > 4 || pairs > self.contacts(index, head);
            if stays == cell.holds(STONE) {
                return true;
            }
        }
        false
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
    pub(crate) fn place(&mut self, color: Color, index: Index) -> Played {
        match color {
            Color::Black => self.place_stone::<1, _>(index, &mut NoJournal),
            Color::White => self.place_stone::<2, _>(index, &mut NoJournal),
        }
    }

    /// [`Board::place`], written down so that [`Board::take_back`] can undo it.
    pub(crate) fn place_noted(&mut self, color: Color, index: Index, journal: &mut Journal) -> Played {
        journal.begin(self, color, index);
        match color {
            Color::Black => self.place_stone::<1, _>(index, journal),
            Color::White => self.place_stone::<2, _>(index, journal),
        }
    }

    /// [`Board::place`] for stones of kind 1 (black) or 2 (white), known when the program is compiled.
    #[inline(always)]
    pub(crate) fn place_stone<const STONE: u8, N: Notes>(&mut self, index: Index, notes: &mut N) -> Played {
        let geometry = self.geometry;
        let around = geometry.neighbors(index);
        let contact = self.fill::<STONE>(index, around);
        let head = self.join(index, around, contact, notes);

        let mut captured = 0;
        let mut captured_at = geometry.area;
        if contact.breathless {
            let mut taken = 0;
            for (i, (&q, &head)) in around.iter().zip(&contact.heads).enumerate() {
                let foe = self.cells[q as usize].holds(3 - STONE);
                taken |= u32::from(foe & self.cells[head as usize].is_breathless()) << i;
            }
            while taken != 0 {
                let q = around[taken.trailing_zeros() as usize];
                taken &= taken - 1;
                // A chain that touches in two places is gone at the second.
                if self.cells[q as usize].holds(3 - STONE) {
                    captured += self.remove(q, notes);
                    captured_at = q;
                }
            }
            self.captured[2 - STONE as usize] += u32::from(captured);
        }
        let lone = contact.friends == 0;
        let single_liberty = self.cells[index as usize].empty_neighbors() == 1;
        self.ko = if captured == 1 && lone && single_liberty { captured_at } else { geometry.area };
        let mut suicided = 0;
        if self.cells[head as usize].is_breathless() {
            suicided = self.remove(index, notes);
            self.captured[STONE as usize - 1] += u32::from(suicided);
        }
        Played { captured, suicided }
    }

    /// Puts a stone on an empty point without looking for captures: for setting up positions.
    pub(crate) fn put(&mut self, index: Index, color: Color) {
        let around = self.geometry.neighbors(index);
        let contact = match color {
            Color::Black => self.fill::<1>(index, around),
            Color::White => self.fill::<2>(index, around),
        };
        self.join(index, around, contact, &mut NoJournal);
    }

    /// Writes a lone stone and what changes for its neighbours.
    #[inline(always)]
    fn fill<const STONE: u8>(&mut self, index: Index, around: [Index; 4]) -> Contact {
        let delta = Cell::delta(STONE);
        self.hash ^= stone_key(STONE as usize - 1, index as usize);
        self.empty[index as usize / 64] &= !(1 << (index % 64));
        let mut heads = [0; 4];
        let mut friends = 0;
        let mut least = Cell::MAX_PAIRS;
        for i in 0..4 {
            let cell = &mut self.cells[around[i] as usize];
            *cell = cell.neighbor_filled(delta);
            heads[i] = cell.head();
            friends |= u32::from(cell.holds(STONE)) << i;
            let chain = &mut self.cells[heads[i] as usize];
            *chain = chain.lost_pair();
            least = least.min(*chain);
        }
        let cell = &mut self.cells[index as usize];
        *cell = cell.with_stone(STONE, index);
        Contact { heads, friends, breathless: least.is_breathless() }
    }

    /// Undoes [`Board::fill`], once what was joined and captured since is as it was.
    #[inline]
    pub(super) fn unfill(&mut self, color: Color, index: Index) {
        let delta = Cell::delta(color as u8 + 1);
        self.hash ^= stone_key(color.index(), index as usize);
        self.empty[index as usize / 64] |= 1 << (index % 64);
        for q in self.geometry.neighbors(index) {
            let cell = &mut self.cells[q as usize];
            *cell = cell.neighbor_cleared(delta);
            let head = cell.head();
            let chain = &mut self.cells[head as usize];
            *chain = chain.gained_pair();
        }
        let cell = &mut self.cells[index as usize];
        *cell = cell.without_stone(index);
    }

    /// Joins a new stone with its neighbours of the same colour; answers the head of the chain it is in then.
    #[inline(always)]
    fn join<N: Notes>(&mut self, index: Index, around: [Index; 4], contact: Contact, notes: &mut N) -> Index {
        let mut friends = contact.friends;
        let lone = self.cells[index as usize];
        // Without a friend the stone joins itself, which changes nothing but asks nothing either.
        let alone = friends == 0;
        let first = contact.heads[friends.trailing_zeros() as usize % 4];
        let mut head = select_unpredictable(alone, index, first);
        friends &= friends.wrapping_sub(1);
        let chain = self.cells[head as usize];
        if !alone {
            notes.note(head, chain);
        }
        self.cells[index as usize] = lone.with_head(head).with_next(chain.next());
        let joined = select_unpredictable(alone, chain, chain.joined_by(lone));
        self.cells[head as usize] = joined.with_next(index);
        while friends != 0 {
            let other = self.cells[around[friends.trailing_zeros() as usize] as usize];
            friends &= friends - 1;
            if other.head() != head {
                head = self.merge(head, other.head(), notes);
            }
        }
        head
    }

    /// Joins the chains with these heads, relabelling the smaller one; answers the head that stays.
    #[inline]
    fn merge<N: Notes>(&mut self, a: Index, b: Index, notes: &mut N) -> Index {
        let (first, second) = (self.cells[a as usize], self.cells[b as usize]);
        let ((keep, kept), (join, joined)) =
            if first.size() < second.size() { ((b, second), (a, first)) } else { ((a, first), (b, second)) };
        notes.note(keep, kept);
        let mut at = join;
        loop {
            let cell = &mut self.cells[at as usize];
            notes.note(at, *cell);
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
    #[inline(never)]
    pub(super) fn remove<N: Notes>(&mut self, index: Index, notes: &mut N) -> u16 {
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
            notes.note(at, *cell);
            *cell = cell.without_stone(at);
            self.hash ^= stone_key(color, at as usize);
            self.empty[at as usize / 64] |= 1 << (at % 64);
            for q in geometry.neighbors(at) {
                let cell = &mut self.cells[q as usize];
                notes.note(q, *cell);
                *cell = cell.neighbor_cleared(delta);
                let head = cell.head();
                let chain = &mut self.cells[head as usize];
                notes.note(head, *chain);
                *chain = chain.gained_pair();
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
        let around = self.geometry.neighbors(index);
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
