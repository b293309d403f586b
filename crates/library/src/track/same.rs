//! Knowing a game again, however it is turned or mirrored.

use honinbo_rules::{BoardSize, Color, Point, Symmetry};

use super::{Track, narrow};

impl Track {
    /// A hash of the first moves that is the same under every symmetry of the board, for finding the same game again.
    ///
    /// Games shorter than [`KEY_MOVES`] moves by other players may well be others: for them the names count too.
    pub(crate) fn key(&self, names: &str) -> i64 {
        let lines = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.apply_size(self.size) == self.size);
        let smallest = lines.map(|symmetry| self.key_under(symmetry)).min().unwrap_or(0);
        let mut key = smallest;
        if self.moves.len() < KEY_MOVES {
            for byte in names.bytes() {
                key = mix(key, byte.into());
            }
        }
        key as i64
    }

    fn key_under(&self, symmetry: Symmetry) -> u64 {
        let map = point_map(self.size, symmetry);
        let mut key = mix(self.size.width() as u64 * 64 + self.size.height() as u64, self.topology as u64);
        // The order of set-up stones means nothing, so theirs are added up.
        let setup = self.setup.iter().map(|&(color, at)| mix(color.index() as u64 + 7, map[usize::from(at)].into()));
        key = mix(key, setup.fold(0, u64::wrapping_add));
        for &(color, at) in self.moves.iter().take(KEY_MOVES) {
            key = mix(key, u64::from(map[usize::from(at)]) * 2 + color.index() as u64);
        }
        key
    }

    /// One of the two goes on where the other ends, or is the same.
    pub(crate) fn goes_on_from(&self, other: &Self) -> bool {
        self.common_moves(other) == self.len().min(other.len())
    }

    /// How many first moves two games share, under the symmetry that shares most.
    pub(crate) fn common_moves(&self, other: &Self) -> usize {
        if self.size != other.size || self.topology != other.topology || self.setup.len() != other.setup.len() {
            return 0;
        }
        let symmetries = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.apply_size(self.size) == self.size);
        let shared = symmetries.map(|symmetry| {
            let map = point_map(self.size, symmetry);
            let same_setup = self.setup.iter().all(|&(c, at)| other.setup.contains(&(c, map[usize::from(at)])));
            let same = |(a, b): &(&(Color, u16), &(Color, u16))| a.0 == b.0 && map[usize::from(a.1)] == b.1;
            if same_setup { self.moves.iter().zip(&other.moves).take_while(same).count() } else { 0 }
        });
        shared.max().unwrap_or(0)
    }
}

/// Moves that make the key: enough that no two different games ever shared them, few enough that versions of one game
/// with different ends do.
pub(crate) const KEY_MOVES: usize = 60;

fn mix(state: u64, value: u64) -> u64 {
    (state.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)
}

/// Where each point goes under a symmetry that keeps the size; the pass, last, stays.
fn point_map(size: BoardSize, symmetry: Symmetry) -> std::sync::Arc<[u16]> {
    type Maps = std::collections::HashMap<(BoardSize, usize), std::sync::Arc<[u16]>>;
    thread_local! {
        static MAPS: std::cell::RefCell<Maps> = std::cell::RefCell::default();
    }
    MAPS.with_borrow_mut(|maps| {
        let map = maps.entry((size, symmetry.number())).or_insert_with(|| {
            let points = Point::all(size).map(|point| narrow(symmetry.apply(point, size).index(size)));
            points.chain([narrow(size.area())]).collect()
        });
        std::sync::Arc::clone(map)
    })
}
