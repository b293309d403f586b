//! `Timeline`: from when to when each point of one game held a stone.
//!
//! Time `t` is the position after `t` moves. A pattern stands during the times that remain when the times of all its
//! points are cut with each other, so no position is ever built.

use honinbo_rules::Color;

use super::query::Cell;
use crate::track::TrackReader;

const NEVER: u16 = u16::MAX;

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

/// Reused from game to game.
#[derive(Default)]
pub(crate) struct Timeline {
    first: Vec<Stay>,
    later: Vec<Stay>,
    pub(crate) setup: Vec<(Color, u16)>,
    pub(crate) moves: Vec<(Color, u16)>,
}

/// Times `start..end` during which something holds.
pub(crate) type Window = (u16, u16);

impl Timeline {
    /// Reads a game. `None` when its track is damaged.
    pub(crate) fn load(&mut self, mut reader: TrackReader<'_>) -> Option<()> {
        let area = reader.size.area();
        self.first.clear();
        self.first.resize(area, Stay { start: NEVER, end: NEVER, color: 0, next: NEVER });
        self.later.clear();
        self.setup.clear();
        self.moves.clear();
        for _ in 0..reader.n_setup {
            let (color, at) = reader.next_setup()?;
            self.first.get_mut(usize::from(at))?.start = 0;
            self.first[usize::from(at)].color = color.index() as u8;
            self.setup.push((color, at));
        }
        for _ in 0..reader.n_moves {
            let found = reader.next_move()?;
            self.moves.push(found);
        }
        // Removals are merged with the moves only where there are any: most points are taken once and for all.
        let mut removal = reader.next_removal();
        for n in 0..self.moves.len() {
            let (color, at) = self.moves[n];
            let time = n as u16 + 1;
            if usize::from(at) < area {
                self.arrive(usize::from(at), color, time);
            }
            while let Some((_, gone)) = removal.filter(|(number, _)| usize::from(*number) == n) {
                self.leave(usize::from(gone), time)?;
                removal = reader.next_removal();
            }
        }
        Some(())
    }

    fn arrive(&mut self, at: usize, color: Color, time: u16) {
        let color = color.index() as u8;
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

    /// Number of moves.
    pub(crate) fn len(&self) -> u16 {
        self.moves.len() as u16
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
