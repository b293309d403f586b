//! `Timeline`: from when to when each point of one game held a stone.
//!
//! Time `t` is the position after `t` moves. A pattern stands during the times that remain when the times of all its
//! points are cut with each other, so no position is ever built.

use honinbo_rules::Color;

use super::index::words;
use super::query::Cell;
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

/// Reused from game to game. Holds a game up to some move, and is carried on as far as somebody wants to know.
#[derive(Default)]
pub(crate) struct Timeline {
    first: Vec<Stay>,
    later: Vec<Stay>,
    pub(crate) moves: Vec<(Color, u16)>,
    /// Moves whose stones are on the timeline.
    n_placed: usize,
    /// The next removal: number of the move, point.
    removal: Option<(u16, u16)>,
    /// Points that held a black stone, a white one, any, up to now. Behind each set there is room for as many zeros.
    ever: [Vec<u64>; 3],
}

/// Times `start..end` during which something holds.
pub(crate) type Window = (u16, u16);

impl Timeline {
    /// Begins a game: its set-up stones. `None` when its track is damaged.
    pub(crate) fn begin(&mut self, reader: &mut TrackReader<'_>) -> Option<()> {
        let area = reader.size.area();
        self.first.clear();
        self.first.resize(area, Stay { start: NEVER, end: NEVER, color: 0, next: NEVER });
        self.later.clear();
        self.moves.clear();
        self.n_placed = 0;
        for set in &mut self.ever {
            set.clear();
            set.resize(2 * words(reader.size), 0);
        }
        for _ in 0..reader.n_setup {
            let (color, at) = reader.next_setup()?;
            self.first.get_mut(usize::from(at))?.start = 0;
            self.first[usize::from(at)].color = number_of(color);
            self.note(usize::from(at), color);
        }
        self.removal = reader.next_removal();
        Some(())
    }

    /// Carries the game on to this many moves. `None` when its track is damaged.
    pub(crate) fn extend(&mut self, reader: &mut TrackReader<'_>, n_moves: usize) -> Option<()> {
        self.read_moves(reader, n_moves)?;
        let area = self.first.len();
        for n in self.n_placed..n_moves {
            let (color, at) = self.moves[n];
            let time = n as u16 + 1;
            if usize::from(at) < area {
                self.arrive(usize::from(at), color, time);
                self.note(usize::from(at), color);
            }
            while let Some((_, gone)) = self.removal.filter(|(number, _)| usize::from(*number) == n) {
                self.leave(usize::from(gone), time)?;
                self.removal = reader.next_removal();
            }
        }
        self.n_placed = self.n_placed.max(n_moves);
        Some(())
    }

    /// Reads moves without placing their stones.
    pub(crate) fn read_moves(&mut self, reader: &mut TrackReader<'_>, n_moves: usize) -> Option<()> {
        for _ in self.moves.len()..n_moves {
            let found = reader.next_move()?;
            self.moves.push(found);
        }
        Some(())
    }

    #[inline]
    fn note(&mut self, at: usize, color: Color) {
        let bit = 1 << (at % 64);
        self.ever[usize::from(number_of(color))][at / 64] |= bit;
        self.ever[2][at / 64] |= bit;
    }

    /// Points that held a black stone, a white one, any, up to now, each set with as many words of zeros behind it.
    pub(crate) fn ever(&self) -> [&[u64]; 3] {
        [&self.ever[0], &self.ever[1], &self.ever[2]]
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

    fn leave(&mut self, at: usize, time: u16) -> Option<()> {
        self.first.get(at)?;
        self.last_of(at).end = time;
        Some(())
    }

    /// Number of moves whose stones it holds.
    pub(crate) fn len(&self) -> u16 {
        self.n_placed as u16
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
