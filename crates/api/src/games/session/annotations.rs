//! What a node says of its move and its position without words, and its name.

use super::Session;
use super::edit::Edit;
use crate::{ApiError, Hotspot, MoveAnnotation, NodeAnnotations, PositionAnnotation};
use honinbo_record::{Annotations, NodeId, simple_text};

const MOVES: [(honinbo_record::MoveAnnotation, MoveAnnotation); 6] = {
    use honinbo_record::MoveAnnotation as Of;
    [
        (Of::Good, MoveAnnotation::Good),
        (Of::VeryGood, MoveAnnotation::VeryGood),
        (Of::Interesting, MoveAnnotation::Interesting),
        (Of::Doubtful, MoveAnnotation::Doubtful),
        (Of::Bad, MoveAnnotation::Bad),
        (Of::VeryBad, MoveAnnotation::VeryBad),
    ]
};
const POSITIONS: [(honinbo_record::PositionAnnotation, PositionAnnotation); 8] = {
    use honinbo_record::PositionAnnotation as Of;
    [
        (Of::GoodForBlack, PositionAnnotation::GoodForBlack),
        (Of::VeryGoodForBlack, PositionAnnotation::VeryGoodForBlack),
        (Of::GoodForWhite, PositionAnnotation::GoodForWhite),
        (Of::VeryGoodForWhite, PositionAnnotation::VeryGoodForWhite),
        (Of::Even, PositionAnnotation::Even),
        (Of::VeryEven, PositionAnnotation::VeryEven),
        (Of::Unclear, PositionAnnotation::Unclear),
        (Of::VeryUnclear, PositionAnnotation::VeryUnclear),
    ]
};
const HOTSPOTS: [(honinbo_record::Hotspot, Hotspot); 2] =
    [(honinbo_record::Hotspot::Normal, Hotspot::Normal), (honinbo_record::Hotspot::Major, Hotspot::Major)];

/// The other side of the seam, by its table.
fn to_seam<A: Copy + PartialEq, B: Copy>(table: &[(A, B)], of_record: Option<A>) -> Option<B> {
    table.iter().find(|(a, _)| Some(*a) == of_record).map(|&(_, b)| b)
}
fn to_record<A: Copy, B: Copy + PartialEq>(table: &[(A, B)], of_seam: Option<B>) -> Option<A> {
    table.iter().find(|(_, b)| Some(*b) == of_seam).map(|&(a, _)| a)
}

impl Session {
    /// The annotations of a node.
    pub(super) fn annotations_of(&self, node: NodeId) -> NodeAnnotations {
        let found = self.tree.annotations_at(node);
        NodeAnnotations {
            on_move: to_seam(&MOVES, found.on_move),
            on_position: to_seam(&POSITIONS, found.on_position),
            hotspot: to_seam(&HOTSPOTS, found.hotspot),
        }
    }

    /// Gives a node these annotations in place of those that it had.
    pub(crate) fn set_annotations(&mut self, id: crate::NodeId, wanted: NodeAnnotations) -> Result<(), ApiError> {
        let node = self.node(id)?;
        if wanted.on_move.is_some() && !self.tree.has_annotatable_move(node) {
            return Err(ApiError::InvalidRequest { message: format!("node {id} has no move to annotate") });
        }
        let wanted = Annotations {
            on_move: to_record(&MOVES, wanted.on_move),
            on_position: to_record(&POSITIONS, wanted.on_position),
            hotspot: to_record(&HOTSPOTS, wanted.hotspot),
        };
        let changes = self.tree.annotation_changes(node, wanted).into_iter();
        let edits: Vec<Edit> = changes
            .filter_map(|(ident, value)| {
                let values: Vec<String> = value.into_iter().map(str::to_owned).collect();
                Edit::set_values(&mut self.tree, node, ident, &values)
            })
            .collect();
        if !edits.is_empty() {
            self.done(Edit::Several(edits));
        }
        Ok(())
    }

    /// Changes a node's name; an empty one removes it.
    pub(crate) fn set_node_name(&mut self, id: crate::NodeId, name: &str) -> Result<(), ApiError> {
        let node = self.node(id)?;
        let name = simple_text(name);
        if self.tree.node_name(node) != name {
            let edit = Edit::set_text(&mut self.tree, node, "N", &name);
            self.done(edit);
        }
        Ok(())
    }
}
