//! `Timeline`: from when to when each point of one game held a stone.
//!
//! Time `t` is the position after `t` moves. A pattern stands during the times that remain when the times of all its
//! points are cut with each other, so no position is ever built.

use honinbo_rules::Color;

use crate::index::words;
use crate::pattern_query::Cell;
use crate::track::TrackReader;

const NEVER: u16 = u16::MAX;

#[inline]
fn number_of(color: Color) -> u8 {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

#[derive(Clone, Copy)]
struct Stay {
    start: u16,
    /// First time without the stone.
    end: u16,
    /// 0 Black, 1 White.
    color: u8,
    /// The next stay on the same point, as its place in `later`, or [`NEVER`].
    next: u16,
}

/// Reused from game to game. Holds a game up to some move, and is carried on as far as somebody wants to know. Which
/// points were ever taken is known at once; when, is worked out the first time that somebody asks.
#[derive(Default)]
pub(crate) struct Timeline {
    area: usize,
    setup: Vec<(Color, u16)>,
    pub(crate) moves: Vec<(Color, u16)>,
    /// Removals up to now: number of the move, point.
    removals: Vec<(u16, u16)>,
    /// The removal after those.
    removal: Option<(u16, u16)>,
    /// Moves that the sets of points below know.
    n_known: usize,
    /// Points that held a black stone, a white one, any, up to now. Behind each set there is room for as many zeros.
    ever: [Vec<u64>; 3],
    /// Those of them that held it already before the game was carried on last, and have held it ever since.
    standing: [Vec<u64>; 3],
    /// Points from which a stone was removed up to now.
    removed: Vec<u64>,
    first: Vec<Stay>,
    later: Vec<Stay>,
    /// Moves and removals that the stays know; `None`: not even the set-up stones.
    placed: Option<(usize, usize)>,
}

/// Times `start..end` during which something holds.
pub(crate) type Window = (u16, u16);

impl Timeline {
    /// Begins a game: its set-up stones. `None` when its track is damaged.
    pub(crate) fn begin(&mut self, reader: &mut TrackReader<'_>) -> Option<()> {
        self.area = reader.size.area();
        self.moves.clear();
        self.removals.clear();
        self.setup.clear();
        self.n_known = 0;
        self.placed = None;
        for set in self.ever.iter_mut().chain(&mut self.standing) {
            set.clear();
            set.resize(2 * words(reader.size), 0);
        }
        self.removed.clear();
        self.removed.resize(words(reader.size), 0);
        for _ in 0..reader.n_setup {
            let (color, at) = reader.next_setup()?;
            if usize::from(at) >= self.area {
                return None;
            }
            self.setup.push((color, at));
            self.ever[usize::from(number_of(color))][usize::from(at) / 64] |= 1 << (at % 64);
        }
        self.join_colors();
        self.removal = reader.next_removal();
        Some(())
    }

    fn join_colors(&mut self) {
        let [black, white, any] = &mut self.ever;
        any.iter_mut().zip(black.iter().zip(white.iter())).for_each(|(any, (black, white))| *any = black | white);
    }

    /// Carries the game on to this many moves. `None` when its track is damaged.
    pub(crate) fn extend(&mut self, reader: &mut TrackReader<'_>, n_moves: usize) -> Option<()> {
        self.read_moves(reader, n_moves)?;
        if n_moves <= self.n_known {
            return Some(());
        }
        self.standing.iter_mut().zip(&self.ever).for_each(|(standing, ever)| standing.copy_from_slice(ever));
        for &(color, at) in &self.moves[self.n_known..n_moves] {
            if usize::from(at) < self.area {
                self.ever[usize::from(number_of(color))][usize::from(at) / 64] |= 1 << (at % 64);
            }
        }
        self.join_colors();
        self.n_known = n_moves;
        while let Some((_, gone)) = self.removal.filter(|(number, _)| usize::from(*number) < n_moves) {
            if usize::from(gone) >= self.area {
                return None;
            }
            self.removals.extend(self.removal);
            self.removed[usize::from(gone) / 64] |= 1 << (gone % 64);
            self.removal = reader.next_removal();
        }
        for standing in &mut self.standing {
            standing.iter_mut().zip(&self.removed).for_each(|(standing, removed)| *standing &= !removed);
        }
        Some(())
    }

    /// Reads moves without taking notice of their stones.
    pub(crate) fn read_moves(&mut self, reader: &mut TrackReader<'_>, n_moves: usize) -> Option<()> {
        self.moves.reserve(n_moves.saturating_sub(self.moves.len()));
        for _ in self.moves.len()..n_moves {
            let found = reader.next_move()?;
            self.moves.push(found);
        }
        Some(())
    }

    /// Works out from when to when stones stood, as far as the game was carried on.
    #[inline]
    pub(crate) fn place(&mut self) {
        if self.placed.is_none_or(|(n_moves, _)| n_moves < self.n_known) {
            self.place_rest();
        }
    }

    fn place_rest(&mut self) {
        let (n_moves, mut n_removals) = self.placed.unwrap_or_default();
        if self.placed.is_none() {
            self.first.clear();
            self.first.resize(self.area, Stay { start: NEVER, end: NEVER, color: 0, next: NEVER });
            self.later.clear();
            for &(color, at) in &self.setup {
                self.first[usize::from(at)].start = 0;
                self.first[usize::from(at)].color = number_of(color);
            }
        }
        for n in n_moves..self.n_known {
            let (color, at) = self.moves[n];
            let time = n as u16 + 1;
            if usize::from(at) < self.area {
                self.arrive(usize::from(at), color, time);
            }
            while let Some(&(_, gone)) = self.removals.get(n_removals).filter(|(number, _)| usize::from(*number) == n) {
                self.last_of(usize::from(gone)).end = time;
                n_removals += 1;
            }
        }
        self.placed = Some((self.n_known, n_removals));
    }

    /// Points that held a black stone, a white one, any, up to now, each set with as many words of zeros behind it.
    pub(crate) fn ever(&self) -> [&[u64]; 3] {
        [&self.ever[0], &self.ever[1], &self.ever[2]]
    }

    /// Of these points the ones that have held the stone since before the game was carried on last, in the same form.
    pub(crate) fn standing(&self) -> [&[u64]; 3] {
        [&self.standing[0], &self.standing[1], &self.standing[2]]
    }

    fn arrive(&mut self, at: usize, color: Color, time: u16) {
        let color = number_of(color);
        let stay = Stay { start: time, end: NEVER, color, next: NEVER };
        if self.first[at].start == NEVER {
            self.first[at] = stay;
            return;
        }
        let place = self.later.len() as u16;
        self.later.push(stay);
        self.last_of(at).next = place;
    }

    fn last_of(&mut self, at: usize) -> &mut Stay {
        let mut next = self.first[at].next;
        if next == NEVER {
            return &mut self.first[at];
        }
        while self.later[usize::from(next)].next != NEVER {
            next = self.later[usize::from(next)].next;
        }
        &mut self.later[usize::from(next)]
    }

    /// Points from which a stone was removed up to now, if there are any.
    pub(crate) fn removed(&self) -> Option<&[u64]> {
        (!self.removals.is_empty()).then_some(&self.removed)
    }

    /// Number of moves whose stones it holds.
    pub(crate) fn len(&self) -> u16 {
        self.n_known as u16
    }

    /// Narrows one window by a cell on a point that was taken once and for all, or never. False for other points, of
    /// which only so much is said as holds for certain.
    #[inline]
    pub(crate) fn narrow(&self, window: &mut Window, at: usize, cell: Cell) -> bool {
        let stay = self.first[at];
        let calm = stay.next == NEVER;
        match cell {
            Cell::Any => true,
            Cell::Black | Cell::White | Cell::Stone => {
                // Never a stone: an empty window.
                window.0 = window.0.max(stay.start);
                let wanted = match cell {
                    Cell::Black => 0,
                    Cell::White => 1,
                    _ => stay.color,
                };
                if calm {
                    window.1 = if stay.color == wanted { window.1.min(stay.end) } else { 0 };
                }
                calm
            }
            Cell::Empty | Cell::BlackOrEmpty | Cell::WhiteOrEmpty => {
                let forbidden = match cell {
                    Cell::BlackOrEmpty => stay.color == 1,
                    Cell::WhiteOrEmpty => stay.color == 0,
                    _ => true,
                };
                if !forbidden {
                    return calm;
                }
                if stay.end == NEVER {
                    window.1 = window.1.min(stay.start);
                    return true;
                }
                false
            }
        }
    }

    /// Keeps of the windows what a cell allows on a point; false when nothing is left.
    pub(crate) fn cut(&self, windows: &mut Vec<Window>, scratch: &mut Vec<Window>, at: usize, cell: Cell) -> bool {
        let stay = self.first[at];
        let wanted = match cell {
            Cell::Any => return true,
            Cell::Black => Some(0),
            Cell::White => Some(1),
            Cell::Stone => None,
            Cell::Empty | Cell::BlackOrEmpty | Cell::WhiteOrEmpty => return self.cut_out(windows, scratch, at, cell),
        };
        let fits = |stay: &Stay| wanted.is_none_or(|color| stay.color == color);
        if stay.start == NEVER {
            windows.clear();
            return false;
        }
        if stay.next == NEVER {
            if fits(&stay) {
                windows.retain_mut(|window| {
                    *window = (window.0.max(stay.start), window.1.min(stay.end));
                    window.0 < window.1
                });
            } else {
                windows.clear();
            }
            return !windows.is_empty();
        }
        scratch.clear();
        self.stays(at).filter(fits).for_each(|stay| {
            for window in windows.iter() {
                let both = (window.0.max(stay.start), window.1.min(stay.end));
                if both.0 < both.1 {
                    scratch.push(both);
                }
            }
        });
        std::mem::swap(windows, scratch);
        !windows.is_empty()
    }

    /// Takes out of the windows the times at which a forbidden stone stands there.
    fn cut_out(&self, windows: &mut Vec<Window>, scratch: &mut Vec<Window>, at: usize, cell: Cell) -> bool {
        if self.first[at].start == NEVER {
            return true;
        }
        let forbidden = |stay: &Stay| match cell {
            Cell::BlackOrEmpty => stay.color == 1,
            Cell::WhiteOrEmpty => stay.color == 0,
            _ => true,
        };
        for stay in self.stays(at).filter(forbidden) {
            // A stone that stays to the end, as nearly all do, only shortens.
            if stay.end == NEVER {
                windows.retain_mut(|window| {
                    window.1 = window.1.min(stay.start);
                    window.0 < window.1
                });
                continue;
            }
            scratch.clear();
            for window in windows.iter() {
                let before = (window.0, window.1.min(stay.start));
                let after = (window.0.max(stay.end), window.1);
                scratch.extend([before, after].into_iter().filter(|part| part.0 < part.1));
            }
            std::mem::swap(windows, scratch);
        }
        !windows.is_empty()
    }

    fn stays(&self, at: usize) -> impl Iterator<Item = Stay> + '_ {
        let first = self.first[at];
        let begin = (first.start != NEVER).then_some(first);
        std::iter::successors(begin, |stay| self.later.get(usize::from(stay.next)).copied())
    }
}
