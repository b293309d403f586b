//! When a pattern stands at a place.

use honinbo_rules::Color;

use super::super::timeline::{Timeline, Window};
use super::super::variant::Variant;
use super::{Matcher, Scratch};

impl Matcher {
    /// The earliest time before `before` at which a variant stands at a place.
    pub(super) fn time_of(&self, variant: &Variant, place: usize, before: u16, scratch: &mut Scratch) -> Option<u16> {
        let end = self.window.1.min(scratch.timeline.len() + 1).min(before);
        let Scratch { timeline, windows, spare, .. } = scratch;
        timeline.place();
        let points = variant.cells.iter().zip(&variant.offsets).map(|(&(x, y, cell), &offset)| {
            let at = if self.wraps { self.wrapped(place, x, y) } else { place + offset };
            (at, cell)
        });
        let offsets = if self.wraps { &[] } else { &variant.flat[..] };
        // Nearly all points are taken once or never: those narrow one window, and most places fail right here.
        let mut window = (self.window.0, end);
        // A game may end before the moves asked for, and a pattern that allows anything has no point to say so.
        if window.0 >= window.1 {
            return None;
        }
        let mut turbulent = false;
        for &(offset, cell) in offsets {
            turbulent |= !timeline.narrow(&mut window, place + offset, cell);
            if window.0 >= window.1 {
                return None;
            }
        }
        for (at, cell) in points.clone().take(if self.wraps { usize::MAX } else { 0 }) {
            turbulent |= !timeline.narrow(&mut window, at, cell);
            if window.0 >= window.1 {
                return None;
            }
        }
        windows.clear();
        windows.push(window);
        if turbulent {
            for (at, cell) in points {
                if !timeline.cut(windows, spare, at, cell) {
                    return None;
                }
            }
        }
        if !variant.sequence.is_empty() {
            let starts = windows.iter().filter_map(|&window| self.sequence_start(variant, place, window, timeline));
            return starts.min();
        }
        let first = windows.iter().map(|window| window.0).min()?;
        let Some(wanted) = self.next_player else { return Some(first) };
        let wanted = if variant.swapped { wanted.opponent() } else { wanted };
        let moves = &timeline.moves;
        let mover = |time: u16| match moves.get(usize::from(time)) {
            Some(&(color, _)) => Some(color),
            None => moves.last().map(|(color, _)| color.opponent()),
        };
        windows.iter().flat_map(|window| window.0..window.1).filter(|&time| mover(time) == Some(wanted)).min()
    }

    /// The first time in a window from which the moves in the pattern's area are those of the sequence.
    fn sequence_start(&self, variant: &Variant, place: usize, window: Window, timeline: &Timeline) -> Option<u16> {
        let mut time = window.0;
        while time < window.1 {
            let inside = |(number, &(color, at)): (usize, &(Color, u16))| {
                Some((number, color, self.inside(variant, place, at.into())?))
            };
            let mut next = timeline.moves.iter().enumerate().skip(time.into()).filter_map(inside);
            let mut wanted = variant.sequence.iter();
            let (first, color, point) = next.next()?;
            let fits = |wanted: &(Color, usize, usize), color: Color, point: Option<(usize, usize)>| {
                wanted.0 == color && Some((wanted.1, wanted.2)) == point
            };
            if wanted.next().is_some_and(|wanted| fits(wanted, color, point))
                && wanted.all(|wanted| next.next().is_some_and(|(_, color, point)| fits(wanted, color, point)))
            {
                return Some(time);
            }
            // Until that move nothing happens in the area.
            time = u16::try_from(first + 1).unwrap_or(u16::MAX);
        }
        None
    }
}
