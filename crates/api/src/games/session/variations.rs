//! Copying, pasting, moving and pruning whole variations, and beginning games with them.

use super::Session;
use super::edit::Edit;
use super::excerpt::OF_GAME;
use super::play_on::spell_out_rules;
use crate::{ApiError, OpenGameId};
use honinbo_record::{GameTree, NodeId, komi_to_write, replay, topology_to_write};
use honinbo_rules::{Color, Point};

/// The longest record that is pasted, in bytes.
const MAX_PASTE_BYTES: usize = 16 << 20;
/// Properties that a root has and no other node.
const ROOT_ONLY: [&str; 6] = ["GM", "FF", "CA", "AP", "SZ", "ST"];
/// Properties of the move that led to a node and of what it did to the board, which mean nothing where that is the start.
const OF_ARRIVAL: [&str; 16] =
    ["B", "W", "KO", "MN", "AB", "AW", "AE", "PL", "BL", "WL", "OB", "OW", "TE", "BM", "DO", "IT"];

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

    /// Removes every variation beside the line to a node; what follows the node stays. One stands at the node where one
    /// stood in what was removed.
    pub(crate) fn keep_variation(&mut self, id: crate::NodeId) -> Result<(), ApiError> {
        let node = self.node(id)?;
        let path = self.tree.path(node);
        let beside: Vec<NodeId> = path
            .iter()
            .zip(path.iter().skip(1))
            .flat_map(|(&parent, &kept)| self.tree.children(parent).filter(move |&child| child != kept))
            .collect();
        let removed: Vec<Edit> =
            beside.into_iter().filter_map(|other| self.tree.detach(other)).map(Edit::Removed).collect();
        if !removed.is_empty() {
            if !self.tree.is_attached(self.current) {
                self.current = node;
            }
            self.done(Edit::Several(removed));
            self.settle();
        }
        Ok(())
    }

    /// A game that begins with the position at a node, its stones set up, and goes on with all that follows there; from
    /// the root on, the whole game. Nothing keeps it yet.
    pub(crate) fn begun_at(&self, id: OpenGameId, node: crate::NodeId) -> Result<Self, ApiError> {
        let node = self.node(node)?;
        let source = self.tree.in_utf8();
        let tree = if self.tree.parent(node).is_none() { source } else { self.tree_from(&source, node) };
        let mut session = Self::of_tree(id, tree, Vec::new());
        (session.saved_at, session.saved_content) = (None, None);
        Ok(session)
    }

    fn tree_from(&self, source: &GameTree, node: NodeId) -> GameTree {
        let whole = replay(&self.tree, node);
        let (game, preset) = (whole.game, whole.info.preset_or_guess());
        let mut tree = GameTree::with_board(self.size);
        let root = tree.root();
        for property in source.properties(source.root()).filter(|property| OF_GAME.contains(&&*property.ident())) {
            tree.set_raw(root, &property.ident(), property.raw_values());
        }
        if let Some(rules) = source.raw_value(source.root(), "RU") {
            tree.set_raw(root, "RU", [rules]);
        }
        spell_out_rules(&mut tree, preset, &game);
        if let Some(topology) = topology_to_write(game.board().topology(), Some(preset)) {
            tree.set_text(root, "TOPO", topology);
        }
        tree.set_text(root, "KM", &komi_to_write(game.komi()));
        for (ident, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let stones = game.board().points().enumerate().filter(|&(_, stone)| stone == Some(color));
            let points: Vec<Point> = stones.map(|(index, _)| Point::from_index(index, self.size)).collect();
            tree.set_points(root, ident, &points);
        }
        tree.set_text(root, "PL", &game.to_play().letter().to_string());
        for property in source.properties(node).filter(|property| !OF_ARRIVAL.contains(&&*property.ident())) {
            tree.set_raw(root, &property.ident(), property.raw_values());
        }
        for child in source.children(node) {
            graft(source, child, &mut tree, root);
        }
        tree
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
