//! The moves in a pattern's area, as the pattern sees them.

use honinbo_rules::Color;

use super::super::timeline::Timeline;
use super::super::variant::{Variant, turn};
use super::Matcher;
use crate::track::TrackReader;

/// A move as the pattern sees it.
pub(crate) type Step = (Color, NextPoint);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum NextPoint {
    At(u16, u16),
    Pass,
}

impl Matcher {
    /// Column and row of a point in the pattern's area as the variant lies; `Some(None)` is a pass, which a pattern as
    /// large as the board sees.
    pub(super) fn inside(&self, variant: &Variant, place: usize, at: usize) -> Option<Option<(usize, usize)>> {
        let area = self.board_width * self.board_height;
        if at >= area {
            return (self.pattern_width * self.pattern_height == area).then_some(None);
        }
        // Nearly all moves are far away, which needs no division to see.
        if !self.wraps && (at < place || at > place + (variant.height - 1) * self.board_width + variant.width - 1) {
            return None;
        }
        let (left, top) = (place % self.board_width, place / self.board_width);
        let (column, row) = (at % self.board_width, at / self.board_width);
        let x = (column + self.board_width - left) % self.board_width;
        let y = (row + self.board_height - top) % self.board_height;
        (x < variant.width && y < variant.height).then_some(Some((x, y)))
    }

    /// The point in a column and row from the place, across the edges.
    pub(super) fn wrapped(&self, place: usize, x: usize, y: usize) -> usize {
        let (column, row) = (place % self.board_width + x, place / self.board_width + y);
        let column = if column >= self.board_width { column - self.board_width } else { column };
        let row = if row >= self.board_height { row - self.board_height } else { row };
        row * self.board_width + column
    }

    /// The moves after `time`, and after the sequence, in the pattern's area; a pattern as large as the board sees
    /// passes too. `None` when the track is damaged.
    pub(super) fn next_inside(
        &self,
        variant: &Variant,
        place: usize,
        time: u16,
        timeline: &mut Timeline,
        reader: &mut TrackReader<'_>,
    ) -> Option<(Option<Step>, Vec<Step>)> {
        let mut next = None;
        let mut more = Vec::new();
        let mut of_sequence = variant.sequence.len();
        for number in usize::from(time)..reader.n_moves {
            timeline.read_moves(reader, number + 1)?;
            let (color, at) = timeline.moves[number];
            let Some(point) = self.inside(variant, place, at.into()) else { continue };
            if of_sequence > 0 {
                of_sequence -= 1;
                continue;
            }
            let color = if variant.swapped { color.opponent() } else { color };
            let step = match point {
                Some((x, y)) => {
                    let (x, y) = turn(variant.symmetry.inverse(), x, y, variant.width, variant.height);
                    (color, NextPoint::At(x as u16, y as u16))
                }
                None => (color, NextPoint::Pass),
            };
            match next {
                None => next = Some(step),
                Some(_) => more.push(step),
            }
            if more.len() + 1 == self.n_next {
                break;
            }
        }
        Some((next, more))
    }
}
