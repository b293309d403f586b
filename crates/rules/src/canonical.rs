//! One hash for all positions that are the same game, however the board is turned.

use crate::board::{Board, surface_key};
use crate::random::splitmix;
use crate::zobrist::nth_key;
use crate::{BoardSize, Color, Point, PositionHash, Symmetry, Topology};

/// A position's canonical hash and how the position relates to the arrangement that stands for its class.
///
/// `dx`, `dy`, then `symmetry` lead from this board to the canonical one: a point is first moved by the translation,
/// then mapped by the symmetry. What was stored for the canonical board is read back with
/// [`Canonical::from_canonical`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Canonical {
    /// Equal for equal positions under all symmetries of the surface and under the exchange of colours, the player to
    /// move included; different for all others, chance of 1 in 2^100 apart.
    pub hash: PositionHash,
    /// Whether colours are exchanged: always so that Black is to move on the canonical board.
    pub colors_swapped: bool,
    /// The symmetry to the canonical board.
    pub symmetry: Symmetry,
    /// Columns to move right before the symmetry; 0 where x does not wrap.
    pub dx: u8,
    /// Rows to move down before the symmetry; 0 where y does not wrap.
    pub dy: u8,
    size: BoardSize,
}

impl Canonical {
    /// Where a point of this board lies on the canonical board.
    #[must_use]
    pub fn to_canonical(&self, point: Point) -> Point {
        let moved = Point::new(
            (point.x() + usize::from(self.dx)) % self.size.width(),
            (point.y() + usize::from(self.dy)) % self.size.height(),
        );
        self.symmetry.apply(moved, self.size)
    }

    /// Where a point of the canonical board lies on this board.
    #[must_use]
    pub fn from_canonical(&self, point: Point) -> Point {
        let moved = self.symmetry.inverse().apply(point, self.symmetry.apply_size(self.size));
        Point::new(
            (moved.x() + self.size.width() - usize::from(self.dx)) % self.size.width(),
            (moved.y() + self.size.height() - usize::from(self.dy)) % self.size.height(),
        )
    }

    /// The size of the canonical board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.symmetry.apply_size(self.size)
    }
}

/// The canonical form of a board with this player to move. The simple ko point is part of the position.
///
/// On the plane the position is seen through its eight symmetries, and the smallest hash stands for all. On the
/// torus and the cylinder every translation along the joined axes counts as well. The board is never wider than its
/// canonical form is high: a board of 9x13 and one of 13x9 meet.
///
/// Cost: 4 to 8 passes over the stones on the plane. On a surface that wraps, the translations are narrowed down to
/// those that put a rarest kind of neighbourhood at the origin, so that few remain in a position with any stones.
#[must_use]
pub fn canonical(board: &Board, to_play: Color) -> Canonical {
    let size = board.size();
    let topology = board.topology();
    let swapped = to_play == Color::White;
    let stones: Vec<(Point, usize)> =
        board.stones().map(|(point, color)| (point, (color.index()) ^ usize::from(swapped))).collect();
    let ko = board.ko_point();
    let mut best: Option<Canonical> = None;
    let anchors = anchors(board, &stones);
    for symmetry in symmetries(size, topology) {
        // An anchor is moved to where the symmetry takes it to the origin of the canonical board.
        let target = symmetry.inverse().apply(Point::new(0, 0), symmetry.apply_size(size));
        for &anchor in &anchors {
            let (dx, dy) = anchor.map_or((0, 0), |anchor| {
                let dx = (target.x() + size.width() - anchor.x()) % size.width();
                let dy = (target.y() + size.height() - anchor.y()) % size.height();
                (dx, if topology.wraps_y() { dy } else { 0 })
            });
            let image = symmetry.apply_size(size);
            let mut form = Canonical {
                hash: PositionHash(0),
                colors_swapped: swapped,
                symmetry,
                dx: dx as u8,
                dy: dy as u8,
                size,
            };
            let key_of = |kind: usize, point: Point| {
                let at = form.to_canonical(point);
                nth_key(0x6000_0000 + (kind * 0x1_0000 + at.y() * 256 + at.x()) as u64)
            };
            let mut hash = surface_key(image, topology);
            for &(point, kind) in &stones {
                hash ^= key_of(kind, point);
            }
            if let Some(point) = ko {
                hash ^= key_of(2, point);
            }
            form.hash = PositionHash(hash);
            if best.is_none_or(|best| form.hash < best.hash) {
                best = Some(form);
            }
        }
    }
    best.expect("there is at least the identity")
}

/// The hash of [`canonical`] alone.
#[must_use]
pub fn canonical_hash(board: &Board, to_play: Color) -> PositionHash {
    canonical(board, to_play).hash
}

/// The symmetries that keep the surface: on the cylinder the axes differ; otherwise a board that is wider than high
/// is always transposed, one that is higher than wide never.
fn symmetries(size: BoardSize, topology: Topology) -> impl Iterator<Item = Symmetry> {
    Symmetry::ALL.into_iter().filter(move |symmetry| match topology {
        Topology::Cylinder => !symmetry.transposes(),
        _ if size.is_square() => true,
        _ => symmetry.transposes() == (size.width() > size.height()),
    })
}

/// Points that are candidates for the origin of the canonical board: those of the rarest kind. Kinds are told apart by
/// the stones around a point, in a way that no symmetry changes, so every arrangement of a class picks matching points.
/// On the cylinder a point stands for its column. `None` stands for leaving the board where it is.
fn anchors(board: &Board, stones: &[(Point, usize)]) -> Vec<Option<Point>> {
    let size = board.size();
    let topology = board.topology();
    if topology == Topology::Plane || stones.is_empty() {
        return vec![None];
    }
    let (width, height) = (size.width(), size.height());
    // The kind of a point mixes its stone with the sums over neighbours, three rounds deep.
    let mut kinds: Vec<u64> = vec![splitmix(3); size.area()];
    for &(point, kind) in stones {
        kinds[point.index(size)] = splitmix(kind as u64);
    }
    if let Some(ko) = board.ko_point() {
        kinds[ko.index(size)] = splitmix(4);
    }
    for _ in 0..4 {
        kinds = (0..size.area() as u16)
            .map(|at| {
                let sum = |points: [u16; 4]| {
                    points
                        .into_iter()
                        .filter(|&q| q != board.geometry.area)
                        .fold(0u64, |sum, q| sum.wrapping_add(kinds[q as usize]))
                };
                let straight = sum(board.geometry.neighbors(at));
                let diagonal = sum(board.geometry.spots[at as usize].diagonals);
                splitmix(kinds[at as usize].wrapping_mul(3).wrapping_add(splitmix(straight)) ^ splitmix(!diagonal))
            })
            .collect();
    }
    // On the cylinder only columns move: a column's kind is the sum of its points' kinds by row, which a flip of
    // rows must not change.
    let places: Vec<(u64, usize, usize)> = if topology == Topology::Cylinder {
        (0..width)
            .map(|x| {
                let column = |y: usize| kinds[y * width + x];
                let kind = (0..height).fold(0u64, |sum, y| {
                    let from_edge = y.min(height - 1 - y) as u64;
                    sum.wrapping_add(splitmix(column(y) ^ splitmix(from_edge)))
                });
                (kind, x, 0)
            })
            .collect()
    } else {
        (0..size.area()).map(|at| (kinds[at], at % width, at / width)).collect()
    };
    let mut count = std::collections::HashMap::new();
    for &(kind, _, _) in &places {
        *count.entry(kind).or_insert(0usize) += 1;
    }
    let rarest = count.into_iter().map(|(kind, n)| (n, kind)).min().map_or(0, |(_, kind)| kind);
    places.into_iter().filter(|&(kind, _, _)| kind == rarest).map(|(_, x, y)| Some(Point::new(x, y))).collect()
}
