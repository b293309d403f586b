//! Local patterns: every way a pattern may lie, first against the points that ever held a stone, then in time.

mod moves;
mod times;

use honinbo_rules::{Color, Symmetry};

pub(crate) use moves::{NextPoint, Step};

use super::fixed::{FixedPlace, few_places};
use super::sets::{cover, skip_tried};
use super::timeline::{Timeline, Window};
use super::variant::Variant;
use crate::index::{Group, Segment, words};
use crate::pattern_query::{Anchor, PatternQuery};

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
    /// The only places there are, when they are few: then each is compared by itself.
    few: Vec<FixedPlace>,
    /// What is asked of the moves that follow needs the whole game.
    needs_moves: bool,
    /// Moves reported of what follows.
    n_next: usize,
}

/// Where a pattern was found in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Moves played until then.
    pub(crate) time: u16,
    pub(crate) swapped: bool,
    /// The next move in the pattern's area, in the pattern's own orientation and colours; none when none follows.
    pub(crate) next: Option<Step>,
    /// The moves after that one which the tree follows.
    pub(crate) more: Vec<Step>,
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
        let few = few_places(&variants, query);
        Self {
            few,
            needs_moves: query.next_player.is_some() || !query.sequence.is_empty(),
            n_next: query.tree_depth.max(1),
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
    ///
    /// The places where it can stand, as far as the points that ever held a stone show, are worked out for ever longer
    /// beginnings of the game: a pattern that stands early is found without reading the rest.
    pub(crate) fn find(&self, group: &Group, segment: &Segment, game: usize, scratch: &mut Scratch) -> Option<Found> {
        let n_words = words(group.size);
        let [black, white] = [segment.ever(game, Color::Black, n_words), segment.ever(game, Color::White, n_words)];
        scratch.places.clear();
        if self.few.is_empty() {
            // Bits of all variants one after the other.
            let padded = &mut scratch.padded;
            for (set, points) in padded.iter_mut().zip([black, white]) {
                set.clear();
                set.extend_from_slice(points);
                set.resize(2 * n_words, 0);
            }
            let [black, white, any] = padded;
            any.clear();
            any.extend(black.iter().zip(white.iter()).map(|(black, white)| black | white));
            let ever = [&black[..], &white[..], &any[..]];
            let mut any = 0;
            for variant in &self.variants {
                let start = scratch.places.len();
                scratch.places.extend_from_slice(&variant.anchors);
                any |= match self.wraps {
                    true => 1,
                    false => variant.keep_possible(&mut scratch.places[start..], ever),
                };
            }
            if any == 0 {
                return None;
            }
            scratch.tried.clear();
            scratch.tried.resize(scratch.places.len(), 0);
        } else if !self.few.iter().any(|place| place.is_possible(black, white)) {
            return None;
        }
        let mut reader = segment.track(game)?;
        let n_moves = reader.n_moves;
        scratch.timeline.begin(&mut reader)?;
        let mut until = if self.needs_moves { n_moves } else { FIRST_MOVES.max(self.window.0.into()) };
        let (time, number, place) = loop {
            until = until.min(n_moves);
            scratch.timeline.extend(&mut reader, until)?;
            let best = match self.few.is_empty() {
                true => self.find_anywhere(scratch, n_words),
                false => self.find_fixed(scratch, n_words),
            };
            if let Some(best) = best {
                break best;
            }
            if until == n_moves || until >= usize::from(self.window.1) {
                return None;
            }
            until = until * 2 + 8;
        };
        let variant = &self.variants[number];
        let (next, more) = self.next_inside(variant, place, time, &mut scratch.timeline, &mut reader)?;
        Some(Found { time, swapped: variant.swapped, next, more })
    }

    /// Tries each of the few places.
    fn find_fixed(&self, scratch: &mut Scratch, n_words: usize) -> Option<Best> {
        let mut best: Option<Best> = None;
        for place in &self.few {
            let ([black, white, _], standing) = (scratch.timeline.ever(), scratch.timeline.standing());
            if !place.is_possible(&black[..n_words], &white[..n_words]) || place.is_barred(standing) {
                continue;
            }
            let before = best.map_or(u16::MAX, |(time, _, _)| time);
            if before == self.window.0 {
                break;
            }
            if let Some(time) = self.time_of(&self.variants[place.variant], place.place, before, scratch) {
                best = Some((time, place.variant, place.place));
            }
        }
        best
    }

    /// Tries every place that the stones so far allow.
    fn find_anywhere(&self, scratch: &mut Scratch, n_words: usize) -> Option<Best> {
        let mut best: Option<Best> = None;
        let mut possible = std::mem::take(&mut scratch.possible);
        let mut tried = std::mem::take(&mut scratch.tried);
        scratch.restless.clear();
        if let Some(removed) = scratch.timeline.removed().filter(|_| !self.wraps) {
            for (width, height) in
                [(self.pattern_width, self.pattern_height), (self.pattern_height, self.pattern_width)]
            {
                let start = scratch.restless.len();
                scratch.restless.extend_from_slice(removed);
                cover(&mut scratch.restless[start..], width, height, self.board_width);
            }
        }
        for (number, variant) in self.variants.iter().enumerate() {
            let range = number * n_words..(number + 1) * n_words;
            let places = &scratch.places[range.clone()];
            if places.iter().all(|&word| word == 0) {
                continue;
            }
            possible.clear();
            possible.extend_from_slice(places);
            if !self.wraps {
                if variant.keep_possible(&mut possible, scratch.timeline.ever()) == 0 {
                    continue;
                }
                let start = if variant.symmetry.transposes() { n_words } else { 0 };
                let restless = scratch.restless.get(start..start + n_words);
                if skip_tried(&mut possible, &mut tried[range], restless) == 0
                    || variant.drop_impossible(&mut possible, scratch.timeline.standing()) == 0
                {
                    continue;
                }
            }
            for (word, &bits) in possible.iter().enumerate() {
                let mut left = bits;
                while left != 0 {
                    let place = word * 64 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    // Only an earlier time than the one found already is of interest.
                    let before = best.map_or(u16::MAX, |(time, _, _)| time);
                    if before == self.window.0 {
                        break;
                    }
                    if let Some(time) = self.time_of(variant, place, before, scratch) {
                        best = Some((time, number, place));
                    }
                }
            }
        }
        scratch.possible = possible;
        scratch.tried = tried;
        best
    }
}

/// Time, number of the variant, place.
type Best = (u16, usize, usize);

/// Moves that are looked at first; each further look takes in about twice as many.
const FIRST_MOVES: usize = 24;

/// Memory of one searching thread.
#[derive(Default)]
pub(crate) struct Scratch {
    timeline: Timeline,
    windows: Vec<Window>,
    spare: Vec<Window>,
    places: Vec<u64>,
    possible: Vec<u64>,
    /// Places where all stones had come up to the look before, and where they have come up to this one, for each variant.
    tried: Vec<u64>,
    /// Places with a point from which a stone was removed, for the pattern as it is and for the pattern on its side.
    restless: Vec<u64>,
    padded: [Vec<u64>; 3],
    pub(crate) board: Vec<u8>,
}
