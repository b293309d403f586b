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
    /// Up, left, right, down; the wall where there is none. A neighbour that is reached twice (a side of two
    /// points that wraps) is listed once.
    pub(crate) neighbors: Box<[[Index; 4]]>,
    /// The distinct diagonal points; the wall where there is none.
    pub(crate) diagonals: Box<[[Index; 4]]>,
    /// Number of distinct neighbours.
    pub(crate) degree: Box<[u8]>,
    /// How many diagonals an opponent may hold of an eye that is still real: 1 in the middle, 0 at an edge.
    pub(crate) false_eye_margin: Box<[u8]>,
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
        let mut neighbors = Vec::with_capacity(size.area() + 1);
        let mut diagonals = Vec::with_capacity(size.area() + 1);
        let mut degree = Vec::with_capacity(size.area() + 1);
        let mut false_eye_margin = Vec::with_capacity(size.area() + 1);
        for point in Point::all(size) {
            let offset =
                |dx: i32, dy: i32| step(point, dx, dy, size, topology).map_or(area, |q| q.index(size) as Index);
            let around = distinct([offset(0, -1), offset(-1, 0), offset(1, 0), offset(0, 1)], area);
            let corners = distinct([offset(-1, -1), offset(1, -1), offset(-1, 1), offset(1, 1)], area);
            degree.push(around.iter().filter(|&&q| q != area).count() as u8);
            false_eye_margin.push(u8::from(corners.iter().all(|&q| q != area)));
            neighbors.push(around);
            diagonals.push(corners);
        }
        neighbors.push([area; 4]);
        diagonals.push([area; 4]);
        degree.push(0);
        false_eye_margin.push(0);
        Geometry {
            size,
            topology,
            area,
            neighbors: neighbors.into(),
            diagonals: diagonals.into(),
            degree: degree.into(),
            false_eye_margin: false_eye_margin.into(),
        }
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
        self.neighbors[index as usize].into_iter().filter(move |&q| q != wall)
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
