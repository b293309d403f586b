//! What a node says about the board: moves, set-up stones, marks, comment; and playing a move into the tree.

use honinbo_rules::{BoardSize, Color, Move, Point};

use crate::tree::{GameTree, NodeId};
use crate::value::{letters_of, point_letters, split_composed, unescape};

/// A move as a node has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeMove {
    /// Whose property it is.
    pub color: Color,
    /// The move; `Err` with the raw value when that is no point of the board.
    pub played: Result<Move, String>,
}

/// Stones put on and taken off the board outside of play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SetupStones {
    /// `AB`.
    pub black: Vec<Point>,
    /// `AW`.
    pub white: Vec<Point>,
    /// `AE`.
    pub empty: Vec<Point>,
    /// `PL`.
    pub to_play: Option<Color>,
    /// Property and value of what is no point of the board, the first few.
    pub invalid: Vec<(String, String)>,
}

impl SetupStones {
    /// True when the node changes no stone and no turn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.black.is_empty() && self.white.is_empty() && self.empty.is_empty() && self.to_play.is_none()
    }
}

/// Shape of a mark on a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkShape {
    /// `CR`.
    Circle,
    /// `SQ`.
    Square,
    /// `TR`, and `M` of old files.
    Triangle,
    /// `MA`.
    Cross,
    /// `SL`.
    Selected,
    /// `DD`: drawn pale.
    Dimmed,
    /// `TB`.
    BlackTerritory,
    /// `TW`.
    WhiteTerritory,
}

/// Everything drawn on the board at one node besides its stones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Marks in the order of the file.
    pub points: Vec<(Point, MarkShape)>,
    /// `LB`, and the letters of `L` of old files.
    pub labels: Vec<(Point, String)>,
    /// `AR`: from, to.
    pub arrows: Vec<(Point, Point)>,
    /// `LN`: between two points.
    pub lines: Vec<(Point, Point)>,
}

const MARK_IDENTS: [(&str, MarkShape); 9] = [
    ("CR", MarkShape::Circle),
    ("SQ", MarkShape::Square),
    ("TR", MarkShape::Triangle),
    ("M", MarkShape::Triangle),
    ("MA", MarkShape::Cross),
    ("SL", MarkShape::Selected),
    ("DD", MarkShape::Dimmed),
    ("TB", MarkShape::BlackTerritory),
    ("TW", MarkShape::WhiteTerritory),
];

/// A move that [`GameTree::play`] put or found below a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedNode {
    /// The node of the move.
    pub node: NodeId,
    /// False when a continuation with this move was there already.
    pub is_new: bool,
}

/// Reads one point of a board.
#[must_use]
pub fn parse_point(raw: &str, size: BoardSize) -> Option<Point> {
    let (x, y) = point_letters(raw)?;
    Some(Point::new(x.into(), y.into())).filter(|point| point.is_on(size))
}

/// Reads the value of a move: empty is a pass, and so is `tt` on boards up to 19x19.
#[must_use]
pub fn parse_move(raw: &str, size: BoardSize) -> Option<Move> {
    if let Some(point) = parse_point(raw, size) {
        return Some(Move::Place(point));
    }
    let raw = raw.trim();
    let old_pass = raw == "tt" && size.width() <= 19 && size.height() <= 19;
    (raw.is_empty() || old_pass).then_some(Move::Pass)
}

/// The value of a move; a pass is empty. Resigning is no move of a record.
#[must_use]
pub fn move_value(played: Move) -> String {
    match played {
        Move::Place(point) => point_value(point),
        Move::Pass | Move::Resign => String::new(),
    }
}

fn point_value(point: Point) -> String {
    // Points of a board are below 52.
    let part = |value: usize| u8::try_from(value).unwrap_or(u8::MAX);
    letters_of(part(point.x()), part(point.y()))
}

/// Calls `found` for each point of a value, which may be a rectangle such as `aa:cc`; false when it is neither.
fn each_point(raw: &str, size: BoardSize, mut found: impl FnMut(Point)) -> bool {
    if let Some(point) = parse_point(raw, size) {
        found(point);
        return true;
    }
    let Some((first, second)) = split_composed(raw) else { return false };
    let (Some(a), Some(b)) = (parse_point(first, size), parse_point(second, size)) else { return false };
    for y in a.y().min(b.y())..=a.y().max(b.y()) {
        for x in a.x().min(b.x())..=a.x().max(b.x()) {
            found(Point::new(x, y));
        }
    }
    true
}

impl GameTree {
    /// The move of a node; the first one when a broken file has both colours in one node.
    #[must_use]
    pub fn move_at(&self, id: NodeId, size: BoardSize) -> Option<NodeMove> {
        self.properties(id).find_map(|property| {
            let color = match property.raw_ident() {
                "B" => Color::Black,
                "W" => Color::White,
                other if other.len() > 1 => match &*property.ident() {
                    "B" => Color::Black,
                    "W" => Color::White,
                    _ => return None,
                },
                _ => return None,
            };
            let raw = property.raw_values().next().unwrap_or_default();
            let played = parse_move(raw, size).ok_or_else(|| crate::value::shorten(raw));
            Some(NodeMove { color, played })
        })
    }

    /// The stones a node sets up.
    #[must_use]
    pub fn setup_at(&self, id: NodeId, size: BoardSize) -> SetupStones {
        let mut setup = SetupStones::default();
        for property in self.properties(id) {
            let raw_ident = property.raw_ident();
            if raw_ident == "B" || raw_ident == "W" || raw_ident == "C" {
                continue;
            }
            let ident = property.ident();
            let points = match &*ident {
                "AB" => &mut setup.black,
                "AW" => &mut setup.white,
                "AE" => &mut setup.empty,
                "PL" => {
                    let text = property.texts().next().unwrap_or_default();
                    setup.to_play = match text.trim().as_bytes().first() {
                        Some(b'B' | b'b' | b'1') => Some(Color::Black),
                        Some(b'W' | b'w' | b'2') => Some(Color::White),
                        _ => None,
                    };
                    continue;
                }
                _ => continue,
            };
            for raw in property.raw_values() {
                // `AB[]` empties a list in files of some writers.
                if raw.trim().is_empty() {
                    continue;
                }
                // A rectangle repeated a million times sets nothing new after the board is full.
                let valid = each_point(raw, size, |point| {
                    if points.len() < 2 * size.area() {
                        points.push(point);
                    }
                });
                if !valid && setup.invalid.len() < 10 {
                    setup.invalid.push((ident.to_string(), crate::value::shorten(raw)));
                }
            }
        }
        setup
    }

    /// The marks of a node; values that are no points are left out.
    #[must_use]
    pub fn marks_at(&self, id: NodeId, size: BoardSize) -> Marks {
        let mut marks = Marks::default();
        let limit = 4 * size.area();
        for property in self.properties(id) {
            let ident = property.ident();
            if let Some((_, shape)) = MARK_IDENTS.iter().find(|(name, _)| *name == ident) {
                for raw in property.raw_values().take(limit) {
                    each_point(raw, size, |point| {
                        if marks.points.len() < limit {
                            marks.points.push((point, *shape));
                        }
                    });
                }
                continue;
            }
            let pair = |raw| {
                let (from, to) = split_composed(raw)?;
                Some((parse_point(from, size)?, parse_point(to, size)?))
            };
            match &*ident {
                "LB" => marks.labels.extend(property.raw_values().take(limit).filter_map(|raw| {
                    let (point, label) = split_composed(raw)?;
                    Some((parse_point(point, size)?, unescape(label).into_owned()))
                })),
                "L" => {
                    let points = property.raw_values().take(26).filter_map(|raw| parse_point(raw, size));
                    marks.labels.extend(points.zip('a'..='z').map(|(point, letter)| (point, letter.to_string())));
                }
                "AR" => marks.arrows.extend(property.raw_values().take(limit).filter_map(pair)),
                "LN" => marks.lines.extend(property.raw_values().take(limit).filter_map(pair)),
                _ => {}
            }
        }
        marks
    }

    /// The comment of a node, as text.
    #[must_use]
    pub fn comment(&self, id: NodeId) -> Option<String> {
        self.text_value(id, "C").map(std::borrow::Cow::into_owned)
    }

    /// Sets the comment of a node; an empty one removes it.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        if text.is_empty() {
            self.remove_property(id, "C");
        } else {
            self.set_text(id, "C", text);
        }
    }

    /// Sets a list of points, such as `AB` or `CR`; no points removes the property.
    pub fn set_points(&mut self, id: NodeId, ident: &str, points: &[Point]) {
        self.set_raw(id, ident, points.iter().map(|&point| point_value(point)));
    }

    /// Follows the continuation with this move, or adds it as the last variation.
    pub fn play(&mut self, parent: NodeId, color: Color, played: Move, size: BoardSize) -> PlayedNode {
        let existing = self.children(parent).find(|&child| {
            self.move_at(child, size).is_some_and(|found| found.color == color && found.played == Ok(played))
        });
        if let Some(node) = existing {
            return PlayedNode { node, is_new: false };
        }
        let node = self.add_child(parent);
        self.set_raw(node, if color == Color::Black { "B" } else { "W" }, [move_value(played)]);
        PlayedNode { node, is_new: true }
    }

    /// A new record: an empty board of this size, with the properties every writer gives.
    #[must_use]
    pub fn with_board(size: BoardSize) -> Self {
        let mut tree = Self::new();
        let root = tree.root();
        for (ident, value) in [("GM", "1"), ("FF", "4"), ("CA", "UTF-8"), ("AP", "Honinbo")] {
            tree.set_raw(root, ident, [value]);
        }
        let side =
            if size.is_square() { size.width().to_string() } else { format!("{}:{}", size.width(), size.height()) };
        tree.set_raw(root, "SZ", [side]);
        tree
    }
}
