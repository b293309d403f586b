//! stub
use honinbo_rules::{Board, Color, Point};
pub(super) struct Chain {
    pub(super) color: Color,
    pub(super) stones: Vec<Point>,
    pub(super) working_moves: Vec<Point>,
}
pub(super) struct Ladders(Vec<Chain>);
impl Ladders {
    pub(super) fn of(_: &Board) -> Self {
        Self(Vec::new())
    }
    pub(super) fn chains(&self) -> &[Chain] {
        &self.0
    }
}
