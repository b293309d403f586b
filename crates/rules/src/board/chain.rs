//! Chains of a board and their liberties.

use super::{Board, EMPTY, WORDS, color_of};
use crate::geometry::Index;
use crate::{Color, Point};

/// Stones of one colour that are connected along lines and live or die together.
#[derive(Debug, Clone, Copy)]
pub struct Chain<'a> {
    board: &'a Board,
    head: Index,
}

/// The points of a set, row by row from the top, or the stones of a chain in no particular order.
#[derive(Debug, Clone)]
pub struct Points(std::vec::IntoIter<Point>);

impl Iterator for Points {
    type Item = Point;
    fn next(&mut self) -> Option<Point> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Points {}

impl<'a> Chain<'a> {
    /// The chain's colour.
    #[must_use]
    pub fn color(&self) -> Color {
        color_of(self.board.cells[self.head as usize].stone()).expect("the head of a chain is a stone")
    }

    /// The chain's stones, in no particular order.
    pub fn stones(&self) -> impl Iterator<Item = Point> + 'a {
        let geometry = self.board.geometry;
        self.board.chain_indices(self.head).map(move |index| geometry.point(index))
    }

    /// Number of stones.
    #[must_use]
    pub fn len(&self) -> usize {
        usize::from(self.board.cells[self.head as usize].size())
    }

    /// Never true: a chain has stones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The chain's liberties, each once.
    #[must_use]
    pub fn liberties(&self) -> Points {
        let mut found = Vec::new();
        self.board.for_each_liberty(self.head, |index| {
            found.push(self.board.geometry.point(index));
            true
        });
        Points(found.into_iter())
    }

    /// Number of liberties, but no more than `limit`: cheaper than counting them all.
    #[must_use]
    pub fn liberties_up_to(&self, limit: usize) -> usize {
        self.board.liberties_up_to(self.head, limit)
    }

    /// Whether the chain has exactly one liberty.
    #[must_use]
    pub fn is_in_atari(&self) -> bool {
        self.board.atari_liberty(self.head).is_some()
    }

    /// One stone of the chain, the same whichever stone it was asked through.
    #[must_use]
    pub fn head_point(&self) -> Point {
        self.board.geometry.point(self.head)
    }
}

impl Board {
    /// The chain that holds a point; `None` where there is no stone.
    #[must_use]
    pub fn chain_at(&self, point: Point) -> Option<Chain<'_>> {
        let index = self.geometry.index(point)?;
        self.stone(index)?;
        Some(Chain { board: self, head: self.cells[index as usize].head() })
    }

    /// Every chain once.
    pub fn chains(&self) -> impl Iterator<Item = Chain<'_>> {
        self.heads().map(|head| Chain { board: self, head })
    }

    pub(crate) fn heads(&self) -> impl Iterator<Item = Index> + '_ {
        let stones = &self.cells[..self.geometry.area as usize];
        stones
            .iter()
            .enumerate()
            .filter(|(i, cell)| cell.stone() != EMPTY && cell.head() as usize == *i)
            .map(|(i, _)| i as Index)
    }

    #[inline]
    pub(crate) fn head(&self, index: Index) -> Index {
        self.cells[index as usize].head()
    }

    #[inline]
    pub(crate) fn chain_indices(&self, head: Index) -> impl Iterator<Item = Index> + '_ {
        let mut at = head;
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let here = at;
            at = self.cells[here as usize].next();
            done = at == head;
            Some(here)
        })
    }

    /// Calls `visit` with each liberty once, until it answers false.
    #[inline]
    pub(crate) fn for_each_liberty(&self, head: Index, mut visit: impl FnMut(Index) -> bool) {
        let mut seen = [0u64; WORDS];
        // Stones far from the chain's last liberty need not be looked at.
        let mut pairs = self.cells[head as usize].pseudo_liberties();
        let mut at = head;
        while pairs > 0 {
            let cell = self.cells[at as usize];
            if cell.has_empty_neighbor() {
                pairs = pairs.saturating_sub(u32::from(cell.empty_neighbors()));
                for q in self.geometry.neighbors(at) {
                    let (word, bit) = (q as usize / 64, 1 << (q % 64));
                    if self.cells[q as usize].stone() == EMPTY && seen[word] & bit == 0 {
                        seen[word] |= bit;
                        if !visit(q) {
                            return;
                        }
                    }
                }
            }
            at = cell.next();
        }
    }

    /// Number of liberties of the chain with this head, but no more than `limit`.
    #[inline]
    pub(crate) fn liberties_up_to(&self, head: Index, limit: usize) -> usize {
        let lone = self.cells[head as usize];
        if lone.size() == 1 {
            return usize::from(lone.empty_neighbors()).min(limit);
        }
        let mut count = 0;
        if limit > 0 {
            self.for_each_liberty(head, |_| {
                count += 1;
                count < limit
            });
        }
        count
    }

    /// The only liberty of the chain with this head, if it has exactly one.
    ///
    /// All pseudo-liberties of a chain in atari are pairs with one point, so there are at most four of them; those of a
    /// lone stone are so many liberties.
    #[inline(always)]
    pub(crate) fn atari_liberty(&self, head: Index) -> Option<Index> {
        let chain = self.cells[head as usize];
        let pairs = chain.pseudo_liberties();
        if pairs == 0 || pairs > 4 || pairs > 1 && chain.size() == 1 {
            return None;
        }
        self.atari_liberty_of_few(head, pairs)
    }

    fn atari_liberty_of_few(&self, head: Index, pairs: u32) -> Option<Index> {
        let mut at = head;
        loop {
            let cell = self.cells[at as usize];
            if cell.has_empty_neighbor() {
                let around = self.geometry.neighbors(at);
                let liberty = around.into_iter().find(|&q| self.cells[q as usize].holds(EMPTY))?;
                return (pairs == 1 || self.contacts(liberty, head) == pairs).then_some(liberty);
            }
            at = cell.next();
            if at == head {
                return None;
            }
        }
    }

    /// How many neighbours of a point belong to the chain with this head.
    #[inline]
    pub(crate) fn contacts(&self, index: Index, head: Index) -> u32 {
        let around = self.geometry.neighbors(index);
        // The wall and empty points are their own heads, so they never match the head of a chain.
        around.into_iter().map(|q| u32::from(self.cells[q as usize].head() == head)).sum()
    }
}
