//! Boards and graphs as SVG.

use super::page::escape;
use honinbo_api::{GameReview, ReviewedMove};
use honinbo_rules::{Board, Color, Point};
use std::fmt::Write as _;

/// Between two lines, in units of the picture.
const CELL: usize = 24;
const MAX_GRAPH_POINTS: f64 = 5.0;
const GRAPH: (f64, f64) = (800.0, 200.0);

/// The position before a move with the move, a stone with a cross, and the better one, marked A.
pub(super) fn board(found: &ReviewedMove) -> String {
    let board = &found.before;
    let size = board.size();
    let (columns, rows) = (size.width(), size.height());
    let (width, height) = ((columns + 1) * CELL, (rows + 1) * CELL);
    let at = |point: Point| (CELL + point.x() * CELL, CELL + point.y() * CELL);
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">", label(found));
    let _ = write!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#f3d9a4\"/><path d=\"");
    svg.push_str(&grid(board));
    svg.push_str("\" stroke=\"#7a5c2e\" fill=\"none\"/>");
    for x in 0..columns {
        let name = Point::new(x, rows - 1).to_gtp(size);
        let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned();
        let _ = write!(svg, "<text class=\"edge\" x=\"{}\" y=\"9\">{name}</text>", CELL + x * CELL);
    }
    for y in 0..rows {
        let _ = write!(svg, "<text class=\"edge\" x=\"7\" y=\"{}\">{}</text>", CELL + y * CELL + 4, rows - y);
    }
    for (point, color) in board.stones() {
        stone(&mut svg, at(point), color);
    }
    if let Some(point) = found.played.point() {
        let (x, y) = at(point);
        stone(&mut svg, (x, y), found.color);
        let _ =
            write!(svg, "<path d=\"M{} {}l10 10m0-10l-10 10\" stroke=\"#d3361f\" stroke-width=\"3\"/>", x - 5, y - 5);
    }
    if let Some(point) = found.better.as_ref().and_then(|better| better.played.point()) {
        let (x, y) = at(point);
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"10\" fill=\"#1c7c4a\"/>");
        let _ = write!(svg, "<text class=\"mark\" x=\"{x}\" y=\"{}\">A</text>", y + 5);
    }
    svg.push_str("</svg>");
    svg
}

/// The lines of a board, which go on over edges that meet.
fn grid(board: &Board) -> String {
    let (columns, rows) = (board.size().width(), board.size().height());
    let beyond = |joined: bool| if joined { CELL / 2 } else { 0 };
    let (over_x, over_y) = (beyond(board.topology().wraps_x()), beyond(board.topology().wraps_y()));
    let mut path = String::new();
    for x in 0..columns {
        let _ = write!(path, "M{} {}V{}", CELL + x * CELL, CELL - over_y, rows * CELL + over_y);
    }
    for y in 0..rows {
        let _ = write!(path, "M{} {}H{}", CELL - over_x, CELL + y * CELL, columns * CELL + over_x);
    }
    path
}

fn label(found: &ReviewedMove) -> String {
    let better = found
        .better
        .as_ref()
        .map_or_else(String::new, |better| format!("; A: {}", better.played.to_gtp(found.before.size())));
    escape(&format!("The board before {}{better}", super::facts::name(found)))
}

fn stone(svg: &mut String, (x, y): (usize, usize), color: Color) {
    let fill = if color == Color::Black { "#1b1b1b" } else { "#fdfdfb" };
    let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"11\" fill=\"{fill}\" stroke=\"#1b1b1b\"/>");
}

/// Black's lead move by move.
pub(super) fn graph(review: &GameReview) -> String {
    let leads: Vec<f64> =
        std::iter::once(review.start_lead).chain(review.moves.iter().map(|found| found.lead)).collect();
    let largest = leads.iter().fold(MAX_GRAPH_POINTS, |largest, lead| largest.max(lead.abs()));
    let (width, height) = GRAPH;
    let last = (leads.len() - 1).max(1) as f64;
    let mut path = String::new();
    for (place, lead) in leads.iter().enumerate() {
        let (x, y) = (place as f64 / last * width, height / 2.0 - lead / largest * (height / 2.0 - 6.0));
        let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Black's lead, move by move\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f5f0e5\"/>\
         <path d=\"M0 {middle}H{width}\" stroke=\"#8f8471\" stroke-dasharray=\"4 4\"/>\
         <path d=\"{path}\" fill=\"none\" stroke=\"#1f5b85\" stroke-width=\"2\"/>\
         <text class=\"scale\" x=\"4\" y=\"14\">Black +{largest:.0}</text>\
         <text class=\"scale\" x=\"4\" y=\"{bottom}\">White +{largest:.0}</text></svg>",
        middle = height / 2.0,
        bottom = height - 5.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{BoardSize, Topology};

    #[test]
    fn lines_go_on_over_edges_that_meet() {
        let drawn = |topology| grid(&Board::new(BoardSize::new(3, 2).unwrap(), topology));
        assert_eq!(drawn(Topology::Plane), "M24 24V48M48 24V48M72 24V48M24 24H72M24 48H72");
        assert_eq!(drawn(Topology::Cylinder), "M24 24V48M48 24V48M72 24V48M12 24H84M12 48H84");
        assert_eq!(drawn(Topology::Torus), "M24 12V60M48 12V60M72 12V60M12 24H84M12 48H84");
    }
}
