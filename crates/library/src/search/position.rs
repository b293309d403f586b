//! Whole-board positions, by hash: the stones of a game's moves are added up until there are as many as in the
//! position, and only then compared.

use std::collections::HashMap;

use honinbo_rules::{Color, Symmetry, Topology, splitmix};

use super::pattern::{Found, NextPoint};
use super::variant::turn;
use crate::index::{Group, Segment, words};
use crate::pattern_query::{Anchor, Cell, PatternQuery};

/// Stones from which looking at the points that ever held a stone pays.
const MIN_STONES_FOR_POINTS: usize = 8;

/// One image of the position.
struct Target {
    symmetry: Symmetry,
    swapped: bool,
    /// Translation, on boards with joined edges.
    shift: (usize, usize),
    /// Points with black stones, then with white ones.
    points: [Vec<u64>; 2],
}

/// A position ready to be looked for.
pub(crate) struct PositionMatcher {
    targets: Vec<Target>,
    by_hash: HashMap<u64, Vec<usize>, std::hash::BuildHasherDefault<KeyIsHash>>,
    pub(crate) own_symmetries: Vec<Symmetry>,
    keys: Vec<[u64; 2]>,
    n_stones: usize,
    first_move: usize,
    last_move: usize,
    next_player: Option<Color>,
    width: usize,
    height: usize,
    uses_points: bool,
    /// Moves reported of what follows.
    n_next: usize,
}

/// Keys are random already.
#[derive(Default)]
struct KeyIsHash(u64);

impl std::hash::Hasher for KeyIsHash {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {}
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl PositionMatcher {
    pub(crate) fn new(query: &PatternQuery) -> Self {
        let (width, height) = (query.size.width(), query.size.height());
        let area = width * height;
        let keys: Vec<[u64; 2]> = (0..area as u64).map(|at| [splitmix(at * 2 + 1), splitmix(at * 2 + 2)]).collect();
        let mut matcher = Self {
            targets: Vec::new(),
            by_hash: HashMap::default(),
            own_symmetries: Vec::new(),
            keys,
            n_stones: query.cells.iter().filter(|cell| **cell != Cell::Empty).count(),
            first_move: query.first_move as usize,
            last_move: query.last_move as usize,
            next_player: query.next_player,
            width,
            height,
            uses_points: false,
            n_next: query.tree_depth.max(1),
        };
        let floats = query.anchor == Anchor::Anywhere;
        let columns = if floats && query.topology.wraps_x() { width } else { 1 };
        let rows = if floats && query.topology.wraps_y() { height } else { 1 };
        for symmetry in Symmetry::ALL {
            let allowed = symmetry == Symmetry::IDENTITY || query.any_symmetry;
            let keeps_edges = query.topology != Topology::Cylinder || !symmetry.transposes();
            if !allowed || !keeps_edges || symmetry.apply_size(query.size) != query.size {
                continue;
            }
            for swapped in [false, true] {
                if swapped && !query.any_color {
                    continue;
                }
                for shift in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
                    matcher.add_target(query, symmetry, swapped, shift);
                }
            }
        }
        matcher.uses_points = matcher.n_stones >= MIN_STONES_FOR_POINTS && matcher.targets.len() <= 16;
        matcher
    }

    fn add_target(&mut self, query: &PatternQuery, symmetry: Symmetry, swapped: bool, shift: (usize, usize)) {
        let mut points = [vec![0u64; words(query.size)], vec![0u64; words(query.size)]];
        let mut hash = 0;
        for (number, cell) in query.cells.iter().enumerate() {
            let color = match cell {
                Cell::Black => usize::from(swapped),
                Cell::White => usize::from(!swapped),
                _ => continue,
            };
            let (x, y) = turn(symmetry, number % self.width, number / self.width, self.width, self.height);
            let at = (y + shift.1) % self.height * self.width + (x + shift.0) % self.width;
            points[color][at / 64] |= 1 << (at % 64);
            hash ^= self.keys[at][color];
        }
        let same = self.by_hash.entry(hash).or_default();
        // With exchanged colours the same arrangement asks for another player to move.
        let is_known = |&number: &usize| self.next_player.is_none() || self.targets[number].swapped == swapped;
        let known = same.iter().copied().find(is_known);
        if known.is_none() {
            same.push(self.targets.len());
        }
        if !swapped && shift == (0, 0) && (known == Some(0) || self.targets.is_empty()) {
            self.own_symmetries.push(symmetry);
        }
        if known.is_none() {
            self.targets.push(Target { symmetry, swapped, shift, points });
        }
    }

    pub(crate) fn find(&self, group: &Group, segment: &Segment, game: usize, board: &mut Vec<u8>) -> Option<Found> {
        let n_words = words(group.size);
        if self.uses_points {
            let black = segment.ever(game, Color::Black, n_words);
            let white = segment.ever(game, Color::White, n_words);
            let holds = |need: &[u64], has: &[u64]| need.iter().zip(has).all(|(need, has)| need & !has == 0);
            if !self.targets.iter().any(|t| holds(&t.points[0], black) && holds(&t.points[1], white)) {
                return None;
            }
        }
        let mut reader = segment.track(game)?;
        let area = self.keys.len();
        let n_moves = reader.n_moves;
        let mut removals_left = reader.n_removals;
        let mut hash = 0u64;
        let mut stones = 0usize;
        // Removals name points, not colours: those are looked up in a board, which games without captures do without.
        board.clear();
        if removals_left > 0 {
            board.resize(area, 0);
        }
        for _ in 0..reader.n_setup {
            let (color, at) = reader.next_setup()?;
            hash ^= self.keys.get(usize::from(at))?[color.index()];
            if let Some(point) = board.get_mut(usize::from(at)) {
                *point = color.index() as u8 + 1;
            }
            stones += 1;
        }
        let mut removal = if removals_left > 0 { reader.next_removal() } else { None };
        let mut time = 0usize;
        let mut last_mover = None;
        loop {
            if stones == self.n_stones
                && time >= self.first_move
                && let Some(numbers) = self.by_hash.get(&hash)
                && let Some(found) = numbers
                    .iter()
                    .find_map(|&number| self.accept(number, time, n_moves, reader.clone_moves(), last_mover))
            {
                return Some(found);
            }
            if time >= n_moves || time >= self.last_move || stones > self.n_stones + removals_left {
                return None;
            }
            let (color, at) = reader.next_move()?;
            last_mover = Some(color);
            if usize::from(at) < area {
                hash ^= self.keys[usize::from(at)][color.index()];
                stones += 1;
                if let Some(point) = board.get_mut(usize::from(at)) {
                    *point = color.index() as u8 + 1;
                }
            }
            while let Some((_, gone)) = removal.filter(|(number, _)| usize::from(*number) == time) {
                let stone = std::mem::take(board.get_mut(usize::from(gone))?);
                hash ^= self.keys[usize::from(gone)][usize::from(stone.checked_sub(1)?)];
                stones -= 1;
                removals_left -= 1;
                removal = reader.next_removal();
            }
            time += 1;
        }
    }

    fn accept(
        &self,
        number: usize,
        time: usize,
        n_moves: usize,
        mut rest: crate::track::TrackReader<'_>,
        last_mover: Option<Color>,
    ) -> Option<Found> {
        let target = &self.targets[number];
        let mut coming = (time..n_moves).map_while(|_| rest.next_move());
        let next = coming.next();
        if let Some(wanted) = self.next_player {
            let wanted = if target.swapped { wanted.opponent() } else { wanted };
            let mover = next.map(|(color, _)| color).or(last_mover.map(Color::opponent));
            if mover != Some(wanted) {
                return None;
            }
        }
        let own = |(color, at): (Color, u16)| {
            let color = if target.swapped { color.opponent() } else { color };
            let at = usize::from(at);
            if at >= self.keys.len() {
                return (color, NextPoint::Pass);
            }
            let x = (at % self.width + self.width - target.shift.0) % self.width;
            let y = (at / self.width + self.height - target.shift.1) % self.height;
            let (x, y) = turn(target.symmetry.inverse(), x, y, self.width, self.height);
            (color, NextPoint::At(x as u16, y as u16))
        };
        let more = coming.take(self.n_next - 1).map(own).collect();
        let time = u16::try_from(time).unwrap_or(u16::MAX);
        Some(Found { time, swapped: target.swapped, next: next.map(own), more })
    }
}
