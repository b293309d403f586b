//! Stones that are put on the board outside of play, and whose turn it is.

use super::Session;
use super::edit::Edit;
use super::marks::{check_point, letters};
use crate::{ApiError, Side};
use honinbo_record::NodeId;
use honinbo_rules::{Color, framed};

impl Session {
    /// Puts stones on points, or takes them off; at a node with a move in a new node after it.
    pub(crate) fn set_stones(&mut self, points: &[u16], stone: Option<Side>) -> Result<(), ApiError> {
        for &point in points {
            check_point(point, self.size)?;
        }
        let stone = stone.map(color_of);
        let mut wanted: Vec<Option<Color>> = self.game().board().points().collect();
        if points.iter().all(|&point| wanted[usize::from(point)] == stone) {
            return Ok(());
        }
        for &point in points {
            wanted[usize::from(point)] = stone;
        }
        self.set_up(&wanted);
        Ok(())
    }

    /// Puts a frame around the position in a corner or at a side.
    pub(crate) fn frame(&mut self) -> Result<(), ApiError> {
        let framed =
            framed(self.game().board()).map_err(|reason| ApiError::InvalidRequest { message: reason.to_string() })?;
        self.set_up(&framed.points().collect::<Vec<_>>());
        Ok(())
    }

    /// Makes the board look like this.
    fn set_up(&mut self, wanted: &[Option<Color>]) {
        let (node, mut edits) = self.setup_node();
        // The stones without what this node sets up.
        let before: Vec<Option<Color>> = match self.tree.parent(node) {
            Some(parent) => honinbo_record::replay(&self.tree, parent).game.board().points().collect(),
            None => vec![None; self.size.area()],
        };
        let lists = [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)];
        for (ident, color) in lists {
            let changed = (0..wanted.len()).filter(|&at| wanted[at] == color && before[at] != color);
            let values: Vec<String> =
                changed.map(|at| letters(u16::try_from(at).unwrap_or(u16::MAX), self.size)).collect();
            edits.extend(Edit::set_values(&mut self.tree, node, ident, &values));
        }
        self.finish_setup(node, edits);
    }

    /// Says who is to move; at a node with a move in a new node after it.
    pub(crate) fn set_to_move(&mut self, side: Side) {
        if self.game().to_play() == color_of(side) {
            return;
        }
        let (node, mut edits) = self.setup_node();
        let value = if side == Side::Black { "B" } else { "W" };
        edits.extend(Edit::set_values(&mut self.tree, node, "PL", &[value.to_owned()]));
        self.finish_setup(node, edits);
    }

    /// The node that carries set-up stones here: the current one, or a new one where that has a move.
    fn setup_node(&mut self) -> (NodeId, Vec<Edit>) {
        if self.tree.move_at(self.current, self.size).is_none() {
            return (self.current, Vec::new());
        }
        let node = self.tree.add_child(self.current);
        (node, vec![Edit::Added(node)])
    }

    fn finish_setup(&mut self, node: NodeId, edits: Vec<Edit>) {
        if !edits.is_empty() {
            self.done(Edit::Several(edits));
        }
        self.move_to(node);
    }
}

fn color_of(side: Side) -> Color {
    match side {
        Side::Black => Color::Black,
        Side::White => Color::White,
    }
}
