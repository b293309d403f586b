//! Changes of a tree that can be taken back.

use super::comments;
use honinbo_record::{Detached, GameTree, NodeId};

/// Properties that say what is on the board and who is to move, at their node and below it. What the root says of rules,
/// komi and edges is seen in the position in which the game starts.
const OF_POSITIONS: [&str; 6] = ["AB", "AW", "AE", "PL", "B", "W"];

/// Properties of which nothing is in a window's picture of the tree: stones that are set up, marks, names, what a game says
/// about itself.
const OUT_OF_SIGHT: [&str; 30] = [
    "AB", "AW", "AE", "PL", "L", "M", "CR", "MA", "SQ", "TR", "SL", "TB", "TW", "LB", "LN", "AR", "DD", "VW", "N",
    "PB", "BR", "PW", "WR", "GN", "EV", "PC", "DT", "RE", "GC", "HA",
];

/// A change that was made. Reversing it gives the change that makes it again.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// A node was added; it had no children then.
    Added(NodeId),
    /// A subtree was cut off.
    Removed(Detached),
    /// A property's raw values were these before; none if it was not there.
    Property {
        /// Where.
        node: NodeId,
        /// Which.
        ident: String,
        /// Escaped values.
        before: Vec<String>,
    },
    /// Nodes stood at these places among their siblings, from the root down.
    Order(Vec<(NodeId, usize)>),
    /// The texts were those of this tree, which has the same nodes.
    Texts(Box<GameTree>),
    /// Several at once, in the order in which they were made.
    Several(Vec<Edit>),
}

impl Edit {
    /// Sets a property to a text; an empty text removes it.
    pub(super) fn set_text(tree: &mut GameTree, node: NodeId, ident: &str, text: &str) -> Self {
        let edit = Self::property_before(tree, node, ident);
        if text.is_empty() {
            tree.remove_property(node, ident);
        } else {
            tree.set_text(node, ident, text);
        }
        edit
    }

    /// Sets a property to values that are already escaped; none removes it. `None` if that changes nothing.
    pub(super) fn set_values(tree: &mut GameTree, node: NodeId, ident: &str, values: &[String]) -> Option<Self> {
        let same = match tree.property(node, ident) {
            Some(property) => property.raw_values().eq(values.iter().map(String::as_str)),
            None => values.is_empty(),
        };
        if same {
            return None;
        }
        let edit = Self::property_before(tree, node, ident);
        tree.set_raw(node, ident, values);
        Some(edit)
    }

    /// Moves a node one place among its siblings; `None` where there is no such place.
    pub(super) fn move_by_one(tree: &mut GameTree, node: NodeId, up: bool) -> Option<Self> {
        let before = vec![(node, place(tree, node))];
        let moved = if up { tree.move_up(node) } else { tree.move_down(node) };
        moved.then_some(Self::Order(before))
    }

    /// Makes the line through `node` the main line.
    pub(super) fn promote(tree: &mut GameTree, node: NodeId) -> Self {
        let path = tree.path(node);
        let before = path.iter().skip(1).map(|&node| (node, place(tree, node))).collect();
        tree.promote_to_main_line(node);
        Self::Order(before)
    }

    /// Nodes at which, and below which, positions are not what they were before this change. Nodes that came or went with it
    /// are none: they come back as they were.
    pub(super) fn changes_positions_at(&self) -> Vec<NodeId> {
        match self {
            Self::Property { node, ident, .. } if OF_POSITIONS.contains(&ident.as_str()) => vec![*node],
            Self::Several(edits) => {
                let came_or_went = |node: &NodeId| {
                    edits.iter().any(|edit| match edit {
                        Self::Added(other) => other == node,
                        Self::Removed(detached) => detached.node() == *node,
                        _ => false,
                    })
                };
                let mut nodes: Vec<NodeId> = edits.iter().flat_map(Self::changes_positions_at).collect();
                nodes.retain(|node| !came_or_went(node));
                nodes.dedup();
                nodes
            }
            _ => Vec::new(),
        }
    }

    /// Whether a window sees it in its picture of the tree, [`crate::TreeView`]; the tree is the one after it.
    pub(super) fn is_seen_in(&self, tree: &GameTree) -> bool {
        match self {
            Self::Added(_) | Self::Removed(_) | Self::Order(_) | Self::Texts(_) => true,
            Self::Property { node, ident, before } if ident == "C" => {
                before.first().is_some_and(|text| comments::has_part_by_hand(text))
                    != tree.raw_value(*node, ident).is_some_and(comments::has_part_by_hand)
            }
            Self::Property { ident, .. } => !OUT_OF_SIGHT.contains(&ident.as_str()),
            Self::Several(edits) => edits.iter().any(|edit| edit.is_seen_in(tree)),
        }
    }

    /// Takes the change back and gives the change that makes it again.
    pub(super) fn reverse(self, tree: &mut GameTree) -> Self {
        match self {
            Self::Added(node) => match tree.detach(node) {
                Some(detached) => Self::Removed(detached),
                None => Self::Several(Vec::new()),
            },
            Self::Removed(detached) => {
                tree.reattach(detached);
                Self::Added(detached.node())
            }
            Self::Property { node, ident, before } => {
                let now = Self::property_before(tree, node, &ident);
                tree.set_raw(node, &ident, before);
                now
            }
            Self::Order(places) => {
                let now = places.iter().map(|&(node, _)| (node, place(tree, node))).collect();
                for (node, wanted) in places {
                    while place(tree, node) < wanted && tree.move_down(node) {}
                    while place(tree, node) > wanted && tree.move_up(node) {}
                }
                Self::Order(now)
            }
            Self::Texts(before) => Self::Texts(Box::new(std::mem::replace(tree, *before))),
            Self::Several(edits) => Self::Several(edits.into_iter().rev().map(|edit| edit.reverse(tree)).collect()),
        }
    }

    fn property_before(tree: &GameTree, node: NodeId, ident: &str) -> Self {
        let before =
            tree.property(node, ident).map(|p| p.raw_values().map(str::to_owned).collect()).unwrap_or_default();
        Self::Property { node, ident: ident.to_owned(), before }
    }
}

/// Where a node stands among its siblings, from 0.
fn place(tree: &GameTree, node: NodeId) -> usize {
    std::iter::successors(tree.previous_sibling(node), |&sibling| tree.previous_sibling(sibling)).count()
}
