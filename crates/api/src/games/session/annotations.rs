//! What a node says of its move and its position without words, and its name.

use super::Session;
use super::edit::Edit;
use crate::{ApiError, Hotspot, MoveAnnotation, NodeAnnotations, PositionAnnotation};
use honinbo_record::{Annotations, NodeId, simple_text};

/// Both ways across the seam; a variant that is missing on one side does not compile.
macro_rules! same_on_both_sides {
    ($($name:ident { $($variant:ident)* })*) => {$(
        impl From<honinbo_record::$name> for $name {
            fn from(of_record: honinbo_record::$name) -> Self {
                match of_record {
                    $(honinbo_record::$name::$variant => Self::$variant,)*
                }
            }
        }

        impl From<$name> for honinbo_record::$name {
            fn from(of_seam: $name) -> Self {
                match of_seam {
                    $($name::$variant => Self::$variant,)*
                }
            }
        }
    )*};
}

same_on_both_sides! {
    MoveAnnotation { Good VeryGood Interesting Doubtful Bad VeryBad }
    PositionAnnotation { GoodForBlack VeryGoodForBlack GoodForWhite VeryGoodForWhite Even VeryEven Unclear VeryUnclear }
    Hotspot { Normal Major }
}

impl Session {
    /// The annotations of a node.
    pub(super) fn annotations_of(&self, node: NodeId) -> NodeAnnotations {
        let found = self.tree.annotations_at(node);
        NodeAnnotations {
            on_move: found.on_move.map(Into::into),
            on_position: found.on_position.map(Into::into),
            hotspot: found.hotspot.map(Into::into),
        }
    }

    /// Gives a node these annotations in place of those that it had.
    pub(crate) fn set_annotations(&mut self, id: crate::NodeId, wanted: NodeAnnotations) -> Result<(), ApiError> {
        let node = self.node(id)?;
        if wanted.on_move.is_some() && !self.tree.has_annotatable_move(node) {
            return Err(ApiError::InvalidRequest { message: format!("node {id} has no move to annotate") });
        }
        let wanted = Annotations {
            on_move: wanted.on_move.map(Into::into),
            on_position: wanted.on_position.map(Into::into),
            hotspot: wanted.hotspot.map(Into::into),
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
