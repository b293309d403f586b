//! Turning planes.

use honinbo_rules::{Board, Point, Symmetry};

/// Where every point of a board goes in a turned buffer.
pub(crate) struct PlaneMap(Vec<usize>);

impl PlaneMap {
    /// A board in the top left corner of a buffer, the buffer turned by `symmetry`. Buffers that are not square keep their
    /// axes, and so does a cylinder: the network goes around it along the axis that is joined.
    pub(crate) fn new(board: &Board, width: usize, height: usize, symmetry: Symmetry) -> Self {
        let number = symmetry.number();
        let topology = board.topology();
        let transposes = symmetry.transposes() && width == height && topology.wraps_x() == topology.wraps_y();
        let to = |point: Point| {
            let x = if number & 2 != 0 { width - 1 - point.x() } else { point.x() };
            let y = if number & 1 != 0 { height - 1 - point.y() } else { point.y() };
            if transposes { x * width + y } else { y * width + x }
        };
        Self(Point::all(board.size()).map(to).collect())
    }

    /// The buffer's index of the board's `index`th point.
    pub(crate) fn get(&self, index: usize) -> usize {
        self.0[index]
    }
}

/// Puts a turned plane back: one value for each point of the board.
pub(crate) fn inverse_map<'a>(map: &'a PlaneMap, plane: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
    map.0.iter().map(|&at| plane[at])
}
