//! Copying, pasting and moving whole variations.

use super::Session;
use super::edit::Edit;
use crate::ApiError;
use honinbo_record::{GameTree, NodeId};

/// The longest record that is pasted, in bytes.
const MAX_PASTE_BYTES: usize = 16 << 20;
/// Properties that a root has and no other node.
const ROOT_ONLY: [&str; 6] = ["GM", "FF", "CA", "AP", "SZ", "ST"];

impl Session {
    /// Moves a variation one place among its siblings.
    pub(crate) fn move_variation(&mut self, id: crate::NodeId, up: bool) -> Result<(), ApiError> {
        let node = self.node(id)?;
        if let Some(edit) = Edit::move_by_one(&mut self.tree, node, up) {
            self.done(edit);
            self.settle();
        }
        Ok(())
    }

    /// A node and what follows it, as a record whose root is empty; from the root on, the whole game.
    pub(crate) fn copy_variation(&self, id: crate::NodeId) -> Result<String, ApiError> {
        let node = self.node(id)?;
        if self.tree.parent(node).is_none() {
            return Ok(self.to_sgf());
        }
        let source = self.tree.in_utf8();
        let mut copy = GameTree::with_board(self.size);
        let root = copy.root();
        graft(&source, node, &mut copy, root);
        Ok(copy.to_sgf())
    }

    /// Hangs what a record holds below a node and goes to its first move.
    pub(crate) fn paste_variation(&mut self, id: crate::NodeId, sgf: &str) -> Result<(), ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        let parent = self.node(id)?;
        if sgf.len() > MAX_PASTE_BYTES {
            return Err(invalid(format!("{} MiB are too much to paste; open it as a game", sgf.len() >> 20)));
        }
        let mut games = honinbo_record::read_sgf_text(sgf).games;
        if games.is_empty() {
            return Err(invalid("there is no record in what was copied".into()));
        }
        let pasted = games.swap_remove(0).tree;
        let size = honinbo_record::GameInfo::of(&pasted).size;
        if size != self.size {
            return Err(invalid(format!("what was copied is of a {size} board, and this one is {}", self.size)));
        }
        let root = pasted.root();
        let tops: Vec<NodeId> = match pasted.move_at(root, size) {
            Some(_) => vec![root],
            None => pasted.children(root).collect(),
        };
        let made: Vec<NodeId> = tops.iter().map(|&top| graft(&pasted, top, &mut self.tree, parent)).collect();
        let Some(&first) = made.first() else { return Err(invalid("there is no move in what was copied".into())) };
        self.done(Edit::Several(made.into_iter().map(Edit::Added).collect()));
        self.move_to(first);
        Ok(())
    }
}

/// Copies a subtree below a node of another tree and gives its first node there.
fn graft(from: &GameTree, top: NodeId, to: &mut GameTree, parent: NodeId) -> NodeId {
    let mut places = vec![parent; from.slot_count()];
    let mut first = parent;
    for node in from.subtree(top) {
        let above = match from.parent(node) {
            Some(above) if node != top => places[above.index()],
            _ => parent,
        };
        let copy = to.add_child(above);
        places[node.index()] = copy;
        if node == top {
            first = copy;
        }
        for property in from.properties(node) {
            let ident = property.ident();
            if !ROOT_ONLY.contains(&&*ident) {
                to.set_raw(copy, &ident, property.raw_values());
            }
        }
    }
    first
}

/// Gives a node what another one of the same tree, which is not the root, has.
pub(super) fn copy_properties(tree: &mut GameTree, from: NodeId, to: NodeId) {
    let properties: Vec<(String, Vec<String>)> = tree
        .properties(from)
        .map(|property| (property.ident().into_owned(), property.raw_values().map(str::to_owned).collect()))
        .collect();
    for (ident, values) in properties {
        tree.set_raw(to, &ident, values);
    }
}
