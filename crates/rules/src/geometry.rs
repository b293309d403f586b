//! Which points of a board touch, for every size and topology, computed once and shared.

use std::sync::OnceLock;

use crate::{BoardSize, Point, Topology};

/// The point index that stands for "no point": one past the last.
/// Its own neighbours are itself, so loops over four neighbours need no bounds of their own.
pub(crate) type Index = u16;

/// Neighbour tables of one size and topology. Points are numbered row by row; `area` is the wall.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) size: BoardSize,
    pub(crate) topology: Topology,
    pub(crate) area: Index,
    /// What each point touches; the wall last.
    pub(crate) spots: Box<[Spot]>,
}

/// What a point touches. Points that are reached twice, on a side of two points that wraps, are listed once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    /// Up, left, right, down; the wall where there is none.
    pub(crate) neighbors: [Index; 4],
    /// The diagonal points, then the wall as often as one is missing.
    pub(crate) diagonals: [Index; 4],
}

const SIDES: usize = BoardSize::MAX - BoardSize::MIN + 1;
static TABLES: [OnceLock<Geometry>; SIDES * SIDES * 3] = [const { OnceLock::new() }; SIDES * SIDES * 3];

/// The tables of one kind of board; built at first use and kept for the life of the program.
pub(crate) fn geometry(size: BoardSize, topology: Topology) -> &'static Geometry {
    let side = |n: usize| n - BoardSize::MIN;
    let slot = (side(size.width()) * SIDES + side(size.height())) * 3 + topology as usize;
    TABLES[slot].get_or_init(|| Geometry::build(size, topology))
}

impl Geometry {
    fn build(size: BoardSize, topology: Topology) -> Geometry {
        let area = size.area() as Index;
        let mut spots: Vec<Spot> = Point::all(size)
            .map(|point| {
                let to =
                    |dx: i32, dy: i32| step(point, dx, dy, size, topology).map_or(area, |q| q.index(size) as Index);
                let neighbors = distinct([to(0, -1), to(-1, 0), to(1, 0), to(0, 1)], area);
                let mut diagonals = distinct([to(-1, -1), to(1, -1), to(-1, 1), to(1, 1)], area);
                diagonals.sort_by_key(|&q| q == area);
                Spot { neighbors, diagonals }
            })
            .collect();
        spots.push(Spot { neighbors: [area; 4], diagonals: [area; 4] });
        Geometry { size, topology, area, spots: spots.into() }
    }

    #[inline]
    pub(crate) fn neighbors(&self, index: Index) -> [Index; 4] {
        self.spots[index as usize].neighbors
    }

    /// Number of distinct neighbours.
    pub(crate) fn degree(&self, index: Index) -> u8 {
        self.around(index).count() as u8
    }

    #[inline]
    pub(crate) fn index(&self, point: Point) -> Option<Index> {
        point.is_on(self.size).then(|| point.index(self.size) as Index)
    }

    #[inline]
    pub(crate) fn point(&self, index: Index) -> Point {
        Point::from_index(index as usize, self.size)
    }

    /// The neighbours that exist, in the order up, left, right, down.
    #[inline]
    pub(crate) fn around(&self, index: Index) -> impl Iterator<Item = Index> + use<> {
        let wall = self.area;
        self.neighbors(index).into_iter().filter(move |&q| q != wall)
    }
}

fn step(point: Point, dx: i32, dy: i32, size: BoardSize, topology: Topology) -> Option<Point> {
    let along = |at: usize, by: i32, length: usize, wraps: bool| {
        let to = at as i32 + by;
        let length = length as i32;
        if wraps { Some(to.rem_euclid(length) as usize) } else { (0..length).contains(&to).then_some(to as usize) }
    };
    let x = along(point.x(), dx, size.width(), topology.wraps_x())?;
    let y = along(point.y(), dy, size.height(), topology.wraps_y())?;
    Some(Point::new(x, y))
}

fn distinct(points: [Index; 4], wall: Index) -> [Index; 4] {
    let mut kept = points;
    for i in 1..4 {
        if points[..i].contains(&points[i]) {
            kept[i] = wall;
        }
    }
    kept
}
