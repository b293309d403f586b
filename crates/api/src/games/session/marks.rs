//! What is drawn on the board at a node: marks, labels, lines and arrows.

use super::edit::Edit;
use super::{Session, vertex};
use crate::{ApiError, LinkView, MarkShape, MarkView};
use honinbo_record::{escape_composed, letters_of};
use honinbo_rules::BoardSize;

/// The longest label that is kept, in characters; boards show the first few of them.
const MAX_LABEL_CHARS: usize = 40;

/// The property of each shape that is a list of points.
const POINT_LISTS: [(&str, MarkShape); 8] = [
    ("CR", MarkShape::Circle),
    ("SQ", MarkShape::Square),
    ("TR", MarkShape::Triangle),
    ("MA", MarkShape::Cross),
    ("SL", MarkShape::Selected),
    ("DD", MarkShape::Dimmed),
    ("TB", MarkShape::TerritoryBlack),
    ("TW", MarkShape::TerritoryWhite),
];

impl Session {
    /// What is drawn at the current node.
    pub(super) fn drawn(&self) -> (Vec<MarkView>, Vec<LinkView>) {
        let size = self.size;
        let marks = self.tree.marks_at(self.current, size);
        let shapes = marks.points.into_iter().map(|(point, shape)| MarkView {
            point: vertex(point, size),
            shape: seam_shape(shape),
            label: String::new(),
        });
        let labels = marks.labels.into_iter().map(|(point, label)| MarkView {
            point: vertex(point, size),
            shape: MarkShape::Label,
            label,
        });
        let link = |arrow| {
            move |(from, to): (honinbo_rules::Point, honinbo_rules::Point)| LinkView {
                from: vertex(from, size),
                to: vertex(to, size),
                arrow,
            }
        };
        let lines = marks.lines.into_iter().map(link(false));
        (shapes.chain(labels).collect(), lines.chain(marks.arrows.into_iter().map(link(true))).collect())
    }

    /// Draws this at a node in place of what was drawn there.
    pub(crate) fn set_marks(
        &mut self,
        id: crate::NodeId,
        marks: &[MarkView],
        links: &[LinkView],
    ) -> Result<(), ApiError> {
        let node = self.node(id)?;
        let size = self.size;
        let points = marks.iter().map(|mark| mark.point).chain(links.iter().flat_map(|link| [link.from, link.to]));
        for point in points {
            check_point(point, size)?;
        }
        let mut lists: Vec<(&str, Vec<String>)> = POINT_LISTS
            .iter()
            .map(|(ident, shape)| {
                let of_shape = marks.iter().filter(|mark| mark.shape == *shape);
                (*ident, of_shape.map(|mark| letters(mark.point, size)).collect())
            })
            .collect();
        let labels = marks.iter().filter(|mark| mark.shape == MarkShape::Label).map(|mark| {
            let label: String = mark.label.chars().filter(|c| !c.is_control()).take(MAX_LABEL_CHARS).collect();
            format!("{}:{}", letters(mark.point, size), escape_composed(&label))
        });
        lists.push(("LB", labels.collect()));
        for (ident, arrow) in [("LN", false), ("AR", true)] {
            let of_kind = links.iter().filter(|link| link.arrow == arrow && link.from != link.to);
            let pair = |link: &LinkView| format!("{}:{}", letters(link.from, size), letters(link.to, size));
            lists.push((ident, of_kind.map(pair).collect()));
        }
        // What old files wrote in their own way is part of what was shown, and is now written in the common one.
        lists.extend([("M", Vec::new()), ("L", Vec::new())]);

        let edits: Vec<Edit> =
            lists.iter().filter_map(|(ident, values)| Edit::set_values(&mut self.tree, node, ident, values)).collect();
        if !edits.is_empty() {
            self.done(Edit::Several(edits));
        }
        Ok(())
    }
}

/// Refuses a point outside the board.
pub(super) fn check_point(point: u16, size: BoardSize) -> Result<(), ApiError> {
    if usize::from(point) < size.area() {
        return Ok(());
    }
    Err(ApiError::InvalidRequest { message: format!("there is no point {point} on a {size} board") })
}

/// A point of the board as SGF writes it.
pub(super) fn letters(point: u16, size: BoardSize) -> String {
    // Boards have at most 52 columns and rows.
    let part = |value: usize| u8::try_from(value).unwrap_or(u8::MAX);
    let point = usize::from(point);
    letters_of(part(point % size.width()), part(point / size.width()))
}

fn seam_shape(shape: honinbo_record::MarkShape) -> MarkShape {
    use honinbo_record::MarkShape as Shape;
    match shape {
        Shape::Circle => MarkShape::Circle,
        Shape::Square => MarkShape::Square,
        Shape::Triangle => MarkShape::Triangle,
        Shape::Cross => MarkShape::Cross,
        Shape::Selected => MarkShape::Selected,
        Shape::Dimmed => MarkShape::Dimmed,
        Shape::BlackTerritory => MarkShape::TerritoryBlack,
        Shape::WhiteTerritory => MarkShape::TerritoryWhite,
    }
}
