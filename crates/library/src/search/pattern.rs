//! Local patterns: every way a pattern may lie, first against the points that ever held a stone, then in time.

use honinbo_rules::{Color, Symmetry};

use super::index::{Group, Segment, words};
use super::query::{Anchor, Cell, PatternQuery};
use super::timeline::{Timeline, Window};

/// One way in which a pattern may lie: turned, mirrored, colours exchanged.
pub(crate) struct Variant {
    pub(crate) symmetry: Symmetry,
    pub(crate) swapped: bool,
    /// Column, row and content of the points that are asked about, stones first.
    cells: Vec<(usize, usize, Cell)>,
    /// Their distances, in points of the board, from the top left one.
    offsets: Vec<usize>,
    /// Where its top left corner may lie, as a set of points.
    anchors: Vec<u64>,
    width: usize,
    height: usize,
}

/// A pattern ready to be looked for.
pub(crate) struct Matcher {
    pub(crate) variants: Vec<Variant>,
    /// Symmetries that leave the pattern as it is.
    pub(crate) own_symmetries: Vec<Symmetry>,
    board_width: usize,
    board_height: usize,
    wraps: bool,
    window: Window,
    next_player: Option<Color>,
    pattern_width: usize,
    pattern_height: usize,
    /// Every variant has a stone.
    has_pivots: bool,
}

/// Where a pattern was found in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    /// Moves played until then.
    pub(crate) time: u16,
    pub(crate) swapped: bool,
    /// The next move in the pattern's area, in the pattern's own orientation and colours; `None`: none follows.
    pub(crate) next: Option<(Color, NextPoint)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum NextPoint {
    At(u16, u16),
    Pass,
}

/// A point of a rectangle under a symmetry.
pub(crate) fn turn(symmetry: Symmetry, x: usize, y: usize, width: usize, height: usize) -> (usize, usize) {
    let number = symmetry.number();
    let x = if number & 2 != 0 { width - 1 - x } else { x };
    let y = if number & 1 != 0 { height - 1 - y } else { y };
    if symmetry.transposes() { (y, x) } else { (x, y) }
}

impl Matcher {
    pub(crate) fn new(query: &PatternQuery) -> Self {
        let (board_width, board_height) = (query.size.width(), query.size.height());
        let wraps = query.topology.wraps_x() || query.topology.wraps_y();
        let mut variants: Vec<Variant> = Vec::new();
        let mut own_symmetries = Vec::new();
        for symmetry in Symmetry::ALL {
            let identity = symmetry == Symmetry::IDENTITY;
            let keeps_board = symmetry.apply_size(query.size) == query.size
                && (query.topology.wraps_x() == query.topology.wraps_y() || !symmetry.transposes());
            if !identity && (!query.any_symmetry || (query.anchor != Anchor::Anywhere && !keeps_board)) {
                continue;
            }
            if symmetry.transposes() && query.topology.wraps_x() != query.topology.wraps_y() {
                continue;
            }
            for swapped in [false, true] {
                if swapped && !query.any_color {
                    continue;
                }
                let Some(variant) = Variant::new(query, symmetry, swapped) else { continue };
                // With exchanged colours the same drawing asks for another player to move.
                let same = variants.iter().position(|known| {
                    known.looks_like(&variant) && (query.next_player.is_none() || known.swapped == swapped)
                });
                if same == Some(0) && !swapped {
                    own_symmetries.push(symmetry);
                }
                match same {
                    Some(_) => {}
                    None => {
                        if variants.is_empty() {
                            own_symmetries.push(symmetry);
                        }
                        variants.push(variant);
                    }
                }
            }
        }
        let clip = |number: u32| u16::try_from(number).unwrap_or(u16::MAX - 1);
        let is_stone = |cell: Cell| matches!(cell, Cell::Black | Cell::White | Cell::Stone);
        let has_pivots =
            variants.iter().all(|variant| variant.cells.first().is_some_and(|&(_, _, cell)| is_stone(cell)));
        Self {
            has_pivots,
            variants,
            own_symmetries,
            board_width,
            board_height,
            wraps,
            window: (clip(query.first_move), clip(query.last_move).saturating_add(1)),
            next_player: query.next_player,
            pattern_width: query.width,
            pattern_height: query.height,
        }
    }

    /// The earliest time at which the pattern stands in a game.
    pub(crate) fn find(&self, group: &Group, segment: &Segment, game: usize, scratch: &mut Scratch) -> Option<Found> {
        let n_words = words(group.size);
        let ever = [segment.ever(game, Color::Black, n_words), segment.ever(game, Color::White, n_words)];
        // Bits of all variants one after the other: where each may lie as far as the points ever taken tell.
        scratch.places.clear();
        let mut n_places = 0;
        for variant in &self.variants {
            let start = scratch.places.len();
            scratch.places.extend_from_slice(&variant.anchors);
            if !self.wraps {
                variant.keep_possible(&mut scratch.places[start..], ever, self.board_width);
            }
            n_places += scratch.places[start..].iter().map(|word| word.count_ones()).sum::<u32>();
        }
        if n_places == 0 {
            return None;
        }
        scratch.timeline.load(segment.track(game)?)?;
        let best = if n_places > MANY_PLACES && self.has_pivots && !self.wraps {
            self.find_in_order(scratch)
        } else {
            self.find_anywhere(scratch, n_words)
        };
        let (time, number, place) = best?;
        let variant = &self.variants[number];
        let next = self.next_inside(variant, place, time, &scratch.timeline);
        Some(Found { time, swapped: variant.swapped, next })
    }

    /// Tries every place.
    fn find_anywhere(&self, scratch: &mut Scratch, n_words: usize) -> Option<Best> {
        let mut best: Option<Best> = None;
        for (number, variant) in self.variants.iter().enumerate() {
            for word in 0..n_words {
                let mut left = scratch.places[number * n_words + word];
                while left != 0 {
                    let place = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    // Only an earlier time than the one found already is of interest.
                    let before = best.map_or(u16::MAX, |(time, _, _)| time);
                    if before == self.window.0 {
                        return best;
                    }
                    if let Some(time) = self.time_of(variant, place, before, scratch) {
                        best = Some((time, number, place));
                    }
                }
            }
        }
        best
    }

    /// Tries the places in the order in which their first stone came onto the board, and stops as soon as no earlier
    /// time can follow: patterns of few stones lie nearly everywhere, but are found in the first moves.
    fn find_in_order(&self, scratch: &mut Scratch) -> Option<Best> {
        let n_words = scratch.places.len() / self.variants.len();
        let mut best: Option<Best> = None;
        let n_setup = scratch.timeline.setup.len();
        for event in 0..n_setup + scratch.timeline.moves.len() {
            let (color, at) = match event.checked_sub(n_setup) {
                None => scratch.timeline.setup[event],
                Some(number) => scratch.timeline.moves[number],
            };
            let start = (event + 1).saturating_sub(n_setup) as u16;
            if start >= self.window.1 || best.is_some_and(|(time, _, _)| time <= start.max(self.window.0)) {
                break;
            }
            for (number, variant) in self.variants.iter().enumerate() {
                let (_, _, pivot) = variant.cells[0];
                let fits = pivot.allows(Some(color));
                let Some(place) = usize::from(at).checked_sub(variant.offsets[0]).filter(|_| fits) else { continue };
                let (word, bit) = (number * n_words + place / 64, 1u64 << (place % 64));
                if place / 64 >= n_words || scratch.places[word] & bit == 0 {
                    continue;
                }
                scratch.places[word] &= !bit;
                let before = best.map_or(u16::MAX, |(time, _, _)| time);
                if let Some(time) = self.time_of(variant, place, before, scratch) {
                    best = Some((time, number, place));
                }
            }
        }
        best
    }

    fn time_of(&self, variant: &Variant, place: usize, before: u16, scratch: &mut Scratch) -> Option<u16> {
        let end = self.window.1.min(scratch.timeline.len() + 1).min(before);
        let Scratch { timeline, windows, spare, .. } = scratch;
        let points = variant.cells.iter().zip(&variant.offsets).map(|(&(x, y, cell), &offset)| {
            let at = if self.wraps { self.wrapped(place, x, y) } else { place + offset };
            (at, cell)
        });
        // Nearly all points are taken once or never: those narrow one window, and most places fail right here.
        let mut window = (self.window.0, end);
        // A game may end before the moves asked for, and a pattern that allows anything has no point to say so.
        if window.0 >= window.1 {
            return None;
        }
        let mut turbulent = false;
        for (at, cell) in points.clone() {
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

    fn wrapped(&self, place: usize, x: usize, y: usize) -> usize {
        let (column, row) = (place % self.board_width + x, place / self.board_width + y);
        let column = if column >= self.board_width { column - self.board_width } else { column };
        let row = if row >= self.board_height { row - self.board_height } else { row };
        row * self.board_width + column
    }

    /// The first move after `time` in the pattern's area; a pattern as large as the board sees passes too.
    fn next_inside(
        &self,
        variant: &Variant,
        place: usize,
        time: u16,
        timeline: &Timeline,
    ) -> Option<(Color, NextPoint)> {
        let (left, top) = (place % self.board_width, place / self.board_width);
        let area = self.board_width * self.board_height;
        let whole = self.pattern_width * self.pattern_height == area;
        timeline.moves[usize::from(time)..].iter().find_map(|&(color, at)| {
            let color = if variant.swapped { color.opponent() } else { color };
            let at = usize::from(at);
            if at >= area {
                return whole.then_some((color, NextPoint::Pass));
            }
            let (column, row) = (at % self.board_width, at / self.board_width);
            let x = (column + self.board_width - left) % self.board_width;
            let y = (row + self.board_height - top) % self.board_height;
            if x >= variant.width || y >= variant.height {
                return None;
            }
            let (x, y) = turn(variant.symmetry.inverse(), x, y, variant.width, variant.height);
            Some((color, NextPoint::At(x as u16, y as u16)))
        })
    }
}

/// Time, number of the variant, place.
type Best = (u16, usize, usize);

/// Places from which it pays to try them in the order of the game. Measured on the 20,000 games of tom-9d-20k.
const MANY_PLACES: u32 = 48;

/// Memory of one searching thread.
#[derive(Default)]
pub(crate) struct Scratch {
    timeline: Timeline,
    windows: Vec<Window>,
    spare: Vec<Window>,
    places: Vec<u64>,
    pub(crate) board: Vec<u8>,
}

impl Variant {
    fn new(query: &PatternQuery, symmetry: Symmetry, swapped: bool) -> Option<Self> {
        let (board_width, board_height) = (query.size.width(), query.size.height());
        let (width, height) =
            if symmetry.transposes() { (query.height, query.width) } else { (query.width, query.height) };
        if width > board_width || height > board_height {
            return None;
        }
        let mut cells = Vec::new();
        for (number, &cell) in query.cells.iter().enumerate() {
            if cell != Cell::Any {
                let (x, y) = turn(symmetry, number % query.width, number / query.width, query.width, query.height);
                cells.push((x, y, if swapped { cell.swapped() } else { cell }));
            }
        }
        // Stones rule out most games, and at once.
        cells.sort_by_key(|&(x, y, cell)| (!matches!(cell, Cell::Black | Cell::White | Cell::Stone), y, x));
        let mut anchors = vec![0u64; words(query.size)];
        let mut allow = |x: usize, y: usize| anchors[(y * board_width + x) / 64] |= 1 << ((y * board_width + x) % 64);
        let last = |side: usize, length: usize, wraps: bool| if wraps { side - 1 } else { side - length };
        match query.anchor {
            Anchor::Anywhere => {
                for y in 0..=last(board_height, height, query.topology.wraps_y()) {
                    for x in 0..=last(board_width, width, query.topology.wraps_x()) {
                        allow(x, y);
                    }
                }
            }
            Anchor::Corner | Anchor::At { .. } | Anchor::Side => {
                let places: Vec<(usize, usize)> = match query.anchor {
                    Anchor::At { x, y } => vec![(x.into(), y.into())],
                    Anchor::Side => {
                        (0..=last(board_width, query.width, query.topology.wraps_x())).map(|x| (x, 0)).collect()
                    }
                    _ => vec![(0, 0)],
                };
                for (x, y) in places {
                    // The image of the rectangle begins at the image of one of its corners.
                    let first = turn(symmetry, x, y, board_width, board_height);
                    let (right, bottom) = ((x + query.width - 1) % board_width, (y + query.height - 1) % board_height);
                    let other = turn(symmetry, right, bottom, board_width, board_height);
                    let number = symmetry.number();
                    let (flips_x, flips_y) = if symmetry.transposes() {
                        (number & 1 != 0, number & 2 != 0)
                    } else {
                        (number & 2 != 0, number & 1 != 0)
                    };
                    allow(if flips_x { other.0 } else { first.0 }, if flips_y { other.1 } else { first.1 });
                }
            }
        }
        let offsets = cells.iter().map(|&(x, y, _)| y * board_width + x).collect();
        Some(Self { symmetry, swapped, cells, offsets, anchors, width, height })
    }

    fn looks_like(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height)
            && self.cells == other.cells
            && self.anchors == other.anchors
    }

    /// Keeps the places where each stone of the pattern falls on a point that ever held such a stone: the set of those
    /// points is shifted against the set of places, 64 at a time.
    fn keep_possible(&self, places: &mut [u64], ever: [&[u64]; 2], board_width: usize) {
        for &(x, y, cell) in &self.cells {
            let offset = y * board_width + x;
            match cell {
                Cell::Black => keep_shifted(places, |word| ever[0][word], offset),
                Cell::White => keep_shifted(places, |word| ever[1][word], offset),
                Cell::Stone => keep_shifted(places, |word| ever[0][word] | ever[1][word], offset),
                _ => return,
            }
            if places.iter().all(|&word| word == 0) {
                return;
            }
        }
    }
}

#[inline]
fn keep_shifted(places: &mut [u64], points: impl Fn(usize) -> u64, offset: usize) {
    let (words, bits) = (offset / 64, offset % 64);
    let n = places.len();
    for (at, place) in places.iter_mut().enumerate() {
        let low = if at + words < n { points(at + words) >> bits } else { 0 };
        let high = if bits > 0 && at + words + 1 < n { points(at + words + 1) << (64 - bits) } else { 0 };
        *place &= low | high;
    }
}
