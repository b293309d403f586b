//! How games went on, counted.

use honinbo_rules::Color;

use super::pattern::{NextPoint, Step};
use crate::index::Entry;

/// How games went on.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Continuation {
    /// `black` or `white`, in the colours of the pattern.
    pub color: &'static str,
    /// Column and row in the pattern from 0 at its top left; `None` is a pass. Of equivalent points, one.
    pub point: Option<(u32, u32)>,
    /// Games that went on here.
    pub games: u32,
    /// Won by the pattern's Black.
    pub black_wins: u32,
    /// Won by the pattern's White.
    pub white_wins: u32,
    /// Year of the earliest such game; 0 when none is dated.
    pub first_year: u32,
    /// Year of the latest.
    pub last_year: u32,
    /// Rank of the strongest player who was in such a game, as [`honinbo_record::Rank::strength`]; 0 unknown.
    pub strongest: u32,
}

/// How one game went on, for trees.
pub(super) struct Line {
    pub(super) row: i64,
    pub(super) tally: Tally,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) games: u32,
    pub(super) wins: [u32; 2],
    /// First and last, 0 unknown.
    years: (u32, u32),
    strongest: u8,
}

impl Tally {
    /// One game, in the colours of the pattern.
    pub(super) fn of_game(entry: &Entry, swapped: bool) -> Self {
        let winner = match (entry.winner, swapped) {
            (0, _) => 0,
            (winner, false) => winner,
            (winner, true) => 3 - winner,
        };
        let wins = [u32::from(winner == 1), u32::from(winner == 2)];
        let year = u32::from(entry.year);
        Self { games: 1, wins, years: (year, year), strongest: entry.rank }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.wins = [self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]];
        self.years.0 = match (self.years.0, other.years.0) {
            (0, year) | (year, 0) => year,
            (a, b) => a.min(b),
        };
        self.years.1 = self.years.1.max(other.years.1);
        self.strongest = self.strongest.max(other.strongest);
    }

    pub(super) fn of(self, color: Color, next: NextPoint) -> Continuation {
        Continuation {
            color: if color == Color::Black { "black" } else { "white" },
            point: match next {
                NextPoint::At(x, y) => Some((x.into(), y.into())),
                NextPoint::Pass => None,
            },
            games: self.games,
            black_wins: self.wins[0],
            white_wins: self.wins[1],
            first_year: self.years.0,
            last_year: self.years.1,
            strongest: self.strongest.into(),
        }
    }
}
