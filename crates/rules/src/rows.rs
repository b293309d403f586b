//! Sets of points with one word a row, for questions about whole boards: neighbours and floods by words.

use crate::board::Board;
use crate::geometry::Index;
use crate::{BoardSize, Color};

/// A set of points: bit `x` of word `y` is the point in column `x` and row `y`. Words beyond the board are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rows([u64; BoardSize::MAX]);

/// The shape that sets of points lie on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface {
    width: usize,
    height: usize,
    /// The points of a row.
    full: u64,
    /// `full` where the last column is next to the first, 0 elsewhere.
    seam: u64,
    wraps_y: bool,
}

impl Rows {
    pub(crate) const EMPTY: Rows = Rows([0; BoardSize::MAX]);

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Number of points, as far as it is below `limit`.
    pub(crate) fn count_up_to(&self, limit: u32) -> u32 {
        let mut count = 0;
        for row in self.0.iter().filter(|&&row| row != 0) {
            count += row.count_ones();
            if count >= limit {
                return limit;
            }
        }
        count
    }
}

impl Surface {
    pub(crate) fn of(board: &Board) -> Surface {
        let size = board.size();
        let full = (1 << size.width()) - 1;
        Surface {
            width: size.width(),
            height: size.height(),
            full,
            seam: if board.topology().wraps_x() { full } else { 0 },
            wraps_y: board.topology().wraps_y(),
        }
    }

    /// The stones of Black and of White.
    pub(crate) fn stones(&self, board: &Board) -> [Rows; 2] {
        let mut stones = [Rows::EMPTY; 2];
        for (y, cells) in board.cells.chunks_exact(self.width).take(self.height).enumerate() {
            let (mut black, mut white) = (0, 0);
            for (x, cell) in cells.iter().enumerate() {
                let stone = u64::from(cell.stone());
                black |= (stone & 1) << x;
                white |= (stone >> 1) << x;
            }
            stones[Color::Black.index()].0[y] = black;
            stones[Color::White.index()].0[y] = white;
        }
        stones
    }

    /// Every point for which `keep` says so of the words that hold it.
    pub(crate) fn combined<const N: usize>(&self, sets: [&Rows; N], keep: impl Fn([u64; N]) -> u64) -> Rows {
        let mut result = Rows::EMPTY;
        for (y, row) in result.0[..self.height].iter_mut().enumerate() {
            *row = keep(sets.map(|set| set.0[y])) & self.full;
        }
        result
    }

    /// The points of `set` that are not in `without`.
    pub(crate) fn difference(&self, set: &Rows, without: &Rows) -> Rows {
        self.combined([set, without], |[set, without]| set & !without)
    }

    /// All points outside a set.
    pub(crate) fn complement(&self, set: &Rows) -> Rows {
        self.combined([set], |[row]| !row)
    }

    /// Every point that touches a point of the set.
    pub(crate) fn touching(&self, set: &Rows) -> Rows {
        let mut result = Rows::EMPTY;
        let last = self.height - 1;
        let (mut above, first) = if self.wraps_y { (set.0[last], set.0[0]) } else { (0, 0) };
        for y in 0..self.height {
            let row = set.0[y];
            let below = if y == last { first } else { set.0[y + 1] };
            result.0[y] = above | below | self.beside(row);
            above = row;
        }
        result
    }

    /// The left and right neighbours of a row's points.
    fn beside(&self, row: u64) -> u64 {
        let around = row << (self.width - 1) | row >> (self.width - 1);
        (row << 1 | row >> 1 | around & self.seam) & self.full
    }

    /// Every point of `through` that is connected with a seed inside `through`. The seeds must be part of it.
    pub(crate) fn flood(&self, seeds: &Rows, through: &Rows) -> Rows {
        let mut set = *seeds;
        let (height, last) = (self.height, self.height - 1);
        for row in 0..height {
            set.0[row] = self.fill_row(set.0[row], through.0[row]);
        }
        // Down and up in turn, until a way changes nothing. Where top and bottom touch, the first row of a way saw
        // what its neighbour was before, so nothing must change on both ways.
        loop {
            let across = if self.wraps_y { set.0[last] } else { 0 };
            let down = self.sweep(&mut set, through, across, 0..height);
            let across = if self.wraps_y { set.0[0] } else { 0 };
            let up = self.sweep(&mut set, through, across, (0..height).rev());
            if !(up || down && self.wraps_y) {
                return set;
            }
        }
    }

    /// Carries a set from row to row; whether that changed anything.
    #[inline]
    fn sweep(&self, set: &mut Rows, through: &Rows, before: u64, rows: impl Iterator<Item = usize>) -> bool {
        let mut from = before;
        let mut changed = false;
        for y in rows {
            let row = set.0[y];
            let reached = row | from & through.0[y];
            if reached != row {
                set.0[y] = self.fill_row(reached, through.0[y]);
                changed = true;
            }
            from = set.0[y];
        }
        changed
    }

    /// Every point of a row's runs of `through` that hold a seed.
    #[inline]
    fn fill_row(&self, seeds: u64, through: u64) -> u64 {
        if seeds == 0 {
            return 0;
        }
        let filled = fill_runs(seeds, through);
        let over = (filled << (self.width - 1) | filled >> (self.width - 1)) & self.seam & through;
        if over & !filled == 0 { filled } else { fill_runs(filled | over, through) }
    }

    /// The connected part of a set with the set's first point, taken out of it; `None` when the set is empty.
    pub(crate) fn take_part(&self, set: &mut Rows) -> Option<Rows> {
        let y = set.0.iter().position(|&row| row != 0)?;
        let mut seed = Rows::EMPTY;
        seed.0[y] = set.0[y] & set.0[y].wrapping_neg();
        let part = self.flood(&seed, set);
        *set = self.difference(set, &part);
        Some(part)
    }

    /// Whether a point is in a set.
    pub(crate) fn contains(&self, set: &Rows, index: Index) -> bool {
        let (x, y) = self.place(index);
        set.0[y] >> x & 1 != 0
    }

    /// Puts a point into a set.
    pub(crate) fn insert(&self, set: &mut Rows, index: Index) {
        let (x, y) = self.place(index);
        set.0[y] |= 1 << x;
    }

    /// Column and row of a point.
    fn place(&self, index: Index) -> (usize, usize) {
        (usize::from(index) % self.width, usize::from(index) / self.width)
    }

    /// Calls `visit` with every point of a set.
    pub(crate) fn for_each(&self, set: &Rows, mut visit: impl FnMut(Index)) {
        for (y, &row) in set.0[..self.height].iter().enumerate() {
            let mut row = row;
            while row != 0 {
                visit((y * self.width) as Index + row.trailing_zeros() as Index);
                row &= row - 1;
            }
        }
    }
}

/// Every bit of those runs of `through` that hold a seed. A board is so narrow that sums do not overflow.
#[inline]
fn fill_runs(seeds: u64, through: u64) -> u64 {
    // Upwards a sum carries a seed to the end of its run.
    let mut filled = ((through + seeds) ^ through) & through | seeds;
    // Downwards by doubling steps, each within points that are free all the way.
    let mut free = through;
    for step in [1, 2, 4, 8, 16, 32] {
        filled |= free & filled >> step;
        free &= free >> step;
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, Topology};

    /// Connected points by walking from neighbour to neighbour.
    fn walked(board: &Board, seeds: &Rows, through: &Rows) -> Rows {
        let surface = Surface::of(board);
        let mut set = *seeds;
        let mut stack = Vec::new();
        surface.for_each(seeds, |at| stack.push(at));
        while let Some(at) = stack.pop() {
            for q in board.geometry.around(at) {
                if surface.contains(through, q) && !surface.contains(&set, q) {
                    surface.insert(&mut set, q);
                    stack.push(q);
                }
            }
        }
        set
    }

    #[test]
    fn floods_and_neighbours_are_those_of_walking_from_point_to_point() {
        let mut random = Random::new(5);
        for topology in Topology::ALL {
            for (width, height) in [(2, 2), (2, 7), (3, 5), (9, 9), (19, 19), (37, 37), (52, 52), (52, 2), (33, 5)] {
                let board = Board::new(BoardSize::new(width, height).unwrap(), topology);
                let surface = Surface::of(&board);
                for of_four in 1..4 {
                    let (mut through, mut seeds) = (Rows::EMPTY, Rows::EMPTY);
                    for index in 0..board.geometry.area {
                        if random.below(4) < of_four {
                            surface.insert(&mut through, index);
                            if random.below(20) == 0 {
                                surface.insert(&mut seeds, index);
                            }
                        }
                    }
                    let flooded = surface.flood(&seeds, &through);
                    assert_eq!(flooded, walked(&board, &seeds, &through), "{width}x{height} {topology}");

                    let mut touching = Rows::EMPTY;
                    surface.for_each(&seeds, |at| {
                        board.geometry.around(at).for_each(|q| surface.insert(&mut touching, q));
                    });
                    assert_eq!(surface.touching(&seeds), touching, "{width}x{height} {topology}");
                    assert_eq!(surface.difference(&through, &surface.complement(&flooded)), flooded);

                    let mut rest = through;
                    let mut points = 0;
                    while let Some(part) = surface.take_part(&mut rest) {
                        let mut seed = Rows::EMPTY;
                        let first = (0..board.geometry.area).find(|&at| surface.contains(&part, at));
                        surface.insert(&mut seed, first.unwrap());
                        assert_eq!(part, walked(&board, &seed, &through));
                        points += part.count_up_to(u32::MAX);
                    }
                    assert_eq!(points, through.count_up_to(u32::MAX));
                }
            }
        }
    }
}
