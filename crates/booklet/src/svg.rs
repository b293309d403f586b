//! A position and its solution as drawings of their own.

use crate::content::Exercise;
use crate::diagram::Diagram;
use honinbo_rules::{Color, Point};
use std::fmt::Write as _;

const CELL: f32 = 24.0;

impl Exercise {
    /// The position as SVG.
    #[must_use]
    pub fn question_svg(&self) -> String {
        svg(&Diagram::question(self))
    }

    /// The position with the moves of its solution as SVG.
    #[must_use]
    pub fn solution_svg(&self) -> String {
        svg(&Diagram::solution(self))
    }
}

fn svg(diagram: &Diagram) -> String {
    let window = diagram.window;
    let (width, height) = ((window.columns() + 1) as f32 * CELL, (window.rows() + 1) as f32 * CELL);
    let across = |x: usize| (x - window.left + 1) as f32 * CELL;
    let down = |y: usize| (y - window.top + 1) as f32 * CELL;
    let place = |at: Point| (across(at.x()), down(at.y()));
    let beyond = |is_edge: bool| if is_edge { 0.0 } else { CELL / 2.0 };
    let [left, right, top, bottom] = diagram.edges().map(beyond);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\"><rect width=\"{width}\" height=\"{height}\" fill=\"#f3d9a4\"/><path d=\""
    );
    for x in window.left..=window.right {
        let _ = write!(text, "M{} {}V{}", across(x), down(window.top) - top, down(window.bottom) + bottom);
    }
    for y in window.top..=window.bottom {
        let _ = write!(text, "M{} {}H{}", across(window.left) - left, down(y), across(window.right) + right);
    }
    text.push_str("\" stroke=\"#6b4f27\" fill=\"none\"/>");
    for star in diagram.stars().into_iter().filter(|star| window.holds(*star)) {
        let (x, y) = place(star);
        let _ = write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2.5\" fill=\"#6b4f27\"/>");
    }
    for stone in diagram.stones.iter().filter(|stone| window.holds(stone.at)) {
        let (x, y) = place(stone.at);
        let (fill, ink) = if stone.color == Color::Black { ("#1b1b1b", "#fff") } else { ("#fdfdfb", "#000") };
        let _ = write!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"{fill}\" stroke=\"#1b1b1b\"/>");
        if !stone.label.is_empty() {
            let (label, y) = (&stone.label, y + 4.0);
            let _ = write!(
                text,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"12\" fill=\"{ink}\">{label}</text>"
            );
        }
    }
    if let Some(cross) = diagram.cross.filter(|cross| window.holds(*cross)) {
        let (x, y) = place(cross);
        let _ = write!(
            text,
            "<path d=\"M{} {}l10 10m0-10l-10 10\" stroke=\"#b3261e\" stroke-width=\"3\"/>",
            x - 5.0,
            y - 5.0
        );
    }
    text.push_str("</svg>");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Try;
    use honinbo_rules::{Board, BoardSize, Move, Topology};

    #[test]
    fn a_torus_has_no_edges_and_no_stars() {
        let drawn = |topology| {
            let exercise = Exercise {
                heading: String::new(),
                text: String::new(),
                board: Board::with_stones(BoardSize::NINE, topology, [(Point::new(4, 4), Color::Black)]).unwrap(),
                to_play: Color::White,
                tries: vec![Try::new(Move::Pass, true)],
                played: None,
            };
            exercise.question_svg()
        };
        let (torus, cylinder) = (drawn(Topology::Torus), drawn(Topology::Cylinder));
        assert!(torus.contains("M24 12V228") && torus.contains("M12 24H228"), "{torus}");
        assert!(cylinder.contains("M24 24V216") && cylinder.contains("M12 24H228"), "{cylinder}");
        assert!(!torus.contains("r=\"2.5\""), "{torus}");
    }
}
