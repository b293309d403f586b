//! Stones, chains, liberties and captures: the part of the game that playouts and search repeat most.

mod cell;
mod chain;
mod journal;
mod play;

pub use chain::{Chain, Points};
pub use play::Played;

pub(crate) use cell::{Cell, EMPTY};
pub(crate) use journal::{Journal, NoJournal};

use crate::geometry::{Geometry, Index, geometry};
use crate::zobrist::{nth_key, stone_key};
use crate::{BoardSize, Color, Point, PositionHash, SetupError, Symmetry, Topology};

/// Words of the set of empty points, enough for the largest board.
pub(crate) const WORDS: usize = (BoardSize::MAX * BoardSize::MAX).div_ceil(64);

/// An arrangement of stones with its chains, the simple ko point and the number of captured stones.
///
/// Knows no turns, no history and no ruleset: see [`crate::Game`] for those.
/// Copying a 19x19 board moves about 3 KB; `clone_from` between boards of one size allocates nothing.
///
/// ```
/// use honinbo_rules::{Board, BoardSize, Color, Point, Topology};
/// let mut board = Board::new(BoardSize::NINE, Topology::Plane);
/// board.play(Color::Black, Point::new(4, 4)).unwrap();
/// assert_eq!(board.chain_at(Point::new(4, 4)).unwrap().liberties().count(), 4);
/// ```
#[derive(Debug)]
pub struct Board {
    pub(crate) geometry: &'static Geometry,
    pub(crate) cells: Box<[Cell]>,
    pub(crate) empty: [u64; WORDS],
    pub(crate) hash: u128,
    /// Captured stones by the colour they had.
    pub(crate) captured: [u32; 2],
    pub(crate) ko: Index,
}

impl Clone for Board {
    fn clone(&self) -> Board {
        Board { cells: self.cells.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Board) {
        if self.cells.len() == source.cells.len() {
            self.cells.copy_from_slice(&source.cells);
            let words = source.words();
            self.empty[..words].copy_from_slice(&source.empty[..words]);
        } else {
            self.cells = source.cells.clone();
            self.empty = source.empty;
        }
        self.geometry = source.geometry;
        self.hash = source.hash;
        self.captured = source.captured;
        self.ko = source.ko;
    }
}

/// Two boards are equal when the same play is possible on both: size, topology, stones and simple ko point.
/// Captured stones do not count.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        std::ptr::eq(self.geometry, other.geometry)
            && self.hash == other.hash
            && self.ko == other.ko
            && self.cells.iter().zip(&other.cells).all(|(a, b)| a.stone() == b.stone())
    }
}

impl Eq for Board {}

impl Board {
    /// An empty board.
    #[must_use]
    pub fn new(size: BoardSize, topology: Topology) -> Board {
        let geometry = geometry(size, topology);
        let mut empty = [0; WORDS];
        let mut cells: Vec<Cell> =
            (0..geometry.area).map(|index| Cell::vacant(index, geometry.degree(index))).collect();
        cells.push(Cell::wall(geometry.area));
        for index in 0..size.area() {
            empty[index / 64] |= 1 << (index % 64);
        }
        Board { geometry, cells: cells.into(), empty, hash: 0, captured: [0; 2], ko: geometry.area }
    }

    /// A board with stones already on it, in any order.
    ///
    /// # Errors
    /// When a point is off the board or named with both colours, or when a chain has no liberty.
    pub fn with_stones(
        size: BoardSize,
        topology: Topology,
        stones: impl IntoIterator<Item = (Point, Color)>,
    ) -> Result<Board, SetupError> {
        let mut board = Board::new(size, topology);
        for (point, color) in stones {
            let index = board.geometry.index(point).ok_or(SetupError::Outside { point, size })?;
            match board.stone(index) {
                None => board.put(index, color),
                Some(there) if there == color => {}
                Some(_) => return Err(SetupError::BothColors(point)),
            }
        }
        let lifeless = board.heads().find(|&head| board.cells[head as usize].is_breathless());
        match lifeless {
            Some(head) => Err(SetupError::NoLiberty(board.geometry.point(head))),
            None => Ok(board),
        }
    }

    /// Width and height.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.geometry.size
    }

    /// Words of the set of empty points that this board uses.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        usize::from(self.geometry.area).div_ceil(64)
    }

    /// Which edges are joined.
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.geometry.topology
    }

    /// The stone on a point; `None` when the point is empty or off the board.
    #[must_use]
    pub fn get(&self, point: Point) -> Option<Color> {
        self.geometry.index(point).and_then(|index| self.stone(index))
    }

    /// Bytes that copying the board moves: what it holds in place and for its points.
    #[must_use]
    pub fn copied_bytes(&self) -> usize {
        size_of::<Board>() + size_of_val(&*self.cells)
    }

    /// Contents of every point, row by row from the top.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Option<Color>> + '_ {
        self.cells[..self.geometry.area as usize].iter().map(|cell| color_of(cell.stone()))
    }

    /// Every stone with its point, row by row from the top.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        Point::all(self.size()).zip(self.points()).filter_map(|(point, stone)| Some((point, stone?)))
    }

    /// Every empty point, row by row from the top.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.empty_indices().map(|index| self.geometry.point(index))
    }

    /// Number of stones of one colour on the board.
    #[must_use]
    pub fn count(&self, color: Color) -> usize {
        self.points().filter(|&stone| stone == Some(color)).count()
    }

    /// Whether no stone is on the board.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points().all(|stone| stone.is_none())
    }

    /// The point where a stone may not be played at once because of the simple ko rule.
    #[must_use]
    pub fn ko_point(&self) -> Option<Point> {
        (self.ko != self.geometry.area).then(|| self.geometry.point(self.ko))
    }

    /// Lifts the ban on the ko point, as a pass does.
    pub fn clear_ko(&mut self) {
        self.ko = self.geometry.area;
    }

    /// Stones of the opponent that `color` has captured so far, suicides of the opponent included.
    #[must_use]
    pub fn captured_by(&self, color: Color) -> u32 {
        self.captured[color.opponent().index()]
    }

    /// Sets the number of stones that `color` has captured, for a position taken up in mid-game.
    pub fn set_captured_by(&mut self, color: Color, stones: u32) {
        self.captured[color.opponent().index()] = stones;
    }

    /// Hash of the stones alone, kept up with every move. Boards of one size and topology with the same stones
    /// have the same hash; for a hash that knows size, topology and symmetry see [`crate::canonical_hash`].
    #[must_use]
    pub fn hash(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    /// The hash counted anew from the stones: equal to [`Board::hash`] unless there is a bug.
    #[must_use]
    pub fn recomputed_hash(&self) -> PositionHash {
        let mut hash = 0;
        for (index, stone) in self.points().enumerate() {
            if let Some(color) = stone {
                hash ^= stone_key(color.index(), index);
            }
        }
        PositionHash(hash)
    }

    /// The neighbours of a point: four in the middle, fewer at an edge. Empty for a point off the board.
    pub fn neighbors(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let geometry = self.geometry;
        let index = geometry.index(point).unwrap_or(geometry.area);
        geometry.around(index).map(move |q| geometry.point(q))
    }

    /// The diagonal points of a point: four in the middle, fewer at an edge. Empty for a point off the board.
    pub fn diagonals(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let geometry = self.geometry;
        let index = geometry.index(point).unwrap_or(geometry.area);
        let wall = geometry.area;
        geometry.spots[index as usize].diagonals.into_iter().filter(move |&q| q != wall).map(move |q| geometry.point(q))
    }

    /// The same stones seen through a symmetry. Ko point and captured stones go along.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Board {
        let size = self.size();
        // On a cylinder only x wraps, so exchanging the axes would make another surface; it is ignored there.
        let symmetry = if self.topology() == Topology::Cylinder && symmetry.transposes() {
            Symmetry::ALL[symmetry.number() & 3]
        } else {
            symmetry
        };
        self.mapped(symmetry.apply_size(size), |point| symmetry.apply(point, size))
    }

    /// The same stones moved right by `dx` and down by `dy` around the board's joined edges.
    ///
    /// An axis that does not wrap is not moved.
    #[must_use]
    pub fn translated(&self, dx: usize, dy: usize) -> Board {
        let size = self.size();
        let dx = if self.topology().wraps_x() { dx % size.width() } else { 0 };
        let dy = if self.topology().wraps_y() { dy % size.height() } else { 0 };
        self.mapped(size, |p| Point::new((p.x() + dx) % size.width(), (p.y() + dy) % size.height()))
    }

    /// The same stones with the colours exchanged.
    #[must_use]
    pub fn colors_swapped(&self) -> Board {
        let mut swapped = Board::new(self.size(), self.topology());
        for (point, color) in self.stones() {
            swapped.put(point.index(self.size()) as Index, color.opponent());
        }
        swapped.ko = self.ko;
        swapped.captured = [self.captured[1], self.captured[0]];
        swapped
    }

    /// The board with the chains of these points taken off, and how many black and white stones those were.
    /// The captured stones are counted as before.
    #[must_use]
    pub fn without_chains(&self, points: &[Point]) -> (Board, [u32; 2]) {
        let mut board = self.clone();
        let mut removed = [0; 2];
        for &point in points {
            if let (Some(index), Some(color)) = (self.geometry.index(point), board.get(point)) {
                removed[color.index()] += u32::from(board.remove(index, &mut NoJournal));
            }
        }
        board.clear_ko();
        (board, removed)
    }

    fn mapped(&self, size: BoardSize, map: impl Fn(Point) -> Point) -> Board {
        let mut board = Board::new(size, self.topology());
        for (point, color) in self.stones() {
            board.put(map(point).index(size) as Index, color);
        }
        if let Some(ko) = self.ko_point() {
            board.ko = map(ko).index(size) as Index;
        }
        board.captured = self.captured;
        board
    }

    pub(crate) fn stone(&self, index: Index) -> Option<Color> {
        color_of(self.cells[index as usize].stone())
    }

    pub(crate) fn empty_indices(&self) -> impl Iterator<Item = Index> + '_ {
        let mut words = self.empty[..self.words()].iter();
        let (mut bits, mut next) = (0, 0);
        std::iter::from_fn(move || {
            while bits == 0 {
                bits = *words.next()?;
                next += 64;
            }
            let index = next - 64 + bits.trailing_zeros() as Index;
            bits &= bits - 1;
            Some(index)
        })
    }
}

/// A key of size and topology, for hashes that meet those of other boards.
pub(crate) fn surface_key(size: BoardSize, topology: Topology) -> u128 {
    nth_key(0x5200_0000 + (topology as u64) * 0x1_0000 + (size.width() * 256 + size.height()) as u64)
}

#[inline]
pub(crate) const fn color_of(stone: u8) -> Option<Color> {
    match stone {
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => None,
    }
}
