//! Moves that come from the engine or from an earlier line: put behind a node as one change.

use super::variations::copy_properties;
use super::{Session, edit::Edit, seam_id, vertex};
use crate::{ApiError, LeftOutMove, Vertex};
use honinbo_record::NodeId;
use honinbo_rules::{Color, Game, Move};

impl Session {
    /// The game at a node.
    pub(crate) fn game_at(&self, id: crate::NodeId) -> Result<Game, ApiError> {
        Ok(honinbo_record::replay(&self.tree, self.node(id)?).game)
    }

    /// Hangs moves that alternate below a node, as one change; one stays where one is.
    ///
    /// # Errors
    /// When the node is gone, or the rules do not allow one of the moves.
    pub(crate) fn add_line(&mut self, id: crate::NodeId, line: &[Vertex]) -> Result<(), ApiError> {
        let mut game = self.game_at(id)?;
        let mut moves = Vec::with_capacity(line.len());
        for &vertex in line {
            let (color, played) = (game.to_play(), self.move_to_play(vertex)?);
            game.play(color, played).map_err(|error| ApiError::from_illegal_move(error, self.size))?;
            moves.push((color, played));
        }
        self.hang(self.node(id)?, &moves);
        self.settle();
        Ok(())
    }

    /// Hangs moves below a node, where they lead on from `start`. Whoever stands at that node is taken to the last of
    /// them.
    ///
    /// # Errors
    /// When the node is gone, or its position is not `start` any more.
    pub(crate) fn add_played_out(
        &mut self,
        id: crate::NodeId,
        start: &Game,
        moves: &[(Color, Move)],
    ) -> Result<(), ApiError> {
        if self.game_at(id)? != *start {
            return Err(ApiError::NotFound { message: "the position was changed meanwhile".into() });
        }
        let first = self.node(id)?;
        let end = self.hang(first, moves);
        if self.current == first {
            self.move_to(end);
        } else {
            self.settle();
        }
        Ok(())
    }

    /// Hangs moves below a node and gives the last of them; those that are there already are followed.
    fn hang(&mut self, first: NodeId, moves: &[(Color, Move)]) -> NodeId {
        let (mut end, mut added) = (first, None);
        for &(color, played) in moves {
            let is_it = |&child: &NodeId| {
                self.tree.move_at(child, self.size).is_some_and(|m| m.color == color && m.played == Ok(played))
            };
            let known = if added.is_none() { self.tree.children(end).find(is_it) } else { None };
            end = known.unwrap_or_else(|| {
                let node = self.tree.play(end, color, played, self.size).node;
                added.get_or_insert(node);
                node
            });
        }
        if let Some(added) = added {
            self.done(Edit::Added(added));
        }
        end
    }

    /// Copies `following` and all that comes after it behind `id`, without the moves that are not possible there.
    /// Gives the number of moves that follow now, and those that were left out.
    ///
    /// # Errors
    /// When one of the nodes is gone, or `id` comes after `following` itself.
    pub(crate) fn continue_game(
        &mut self,
        id: crate::NodeId,
        following: crate::NodeId,
    ) -> Result<(u32, Vec<LeftOutMove>), ApiError> {
        let (end, top) = (self.node(id)?, self.node(following)?);
        if self.tree.parent(top).is_none() || self.tree.path(end).contains(&top) {
            return Err(ApiError::InvalidRequest { message: "these moves are part of what follows them".into() });
        }
        let (mut tops, mut moves, mut left_out) = (Vec::new(), 0, Vec::new());
        // Depth first, the first child last onto the stack, so that siblings keep their order.
        let mut waiting = vec![(top, end, honinbo_record::replay(&self.tree, end).game)];
        while let Some((source, parent, mut game)) = waiting.pop() {
            let made = self.tree.move_at(source, self.size);
            let is_possible = match &made {
                None => true,
                Some(made) => made.played.as_ref().is_ok_and(|&played| play_if_possible(&mut game, made.color, played)),
            };
            let place = if is_possible {
                let copy = self.tree.add_child(parent);
                copy_properties(&mut self.tree, source, copy);
                if parent == end {
                    tops.push(copy);
                }
                moves += u32::from(made.is_some());
                if !self.tree.setup_at(source, self.size).is_empty() {
                    game = honinbo_record::replay(&self.tree, copy).game;
                }
                copy
            } else {
                let point = made.and_then(|made| made.played.ok()).and_then(Move::point);
                left_out.push(LeftOutMove {
                    node_id: seam_id(source),
                    vertex: point.map(|point| vertex(point, self.size)),
                });
                parent
            };
            let children: Vec<NodeId> = self.tree.children(source).collect();
            waiting.extend(children.into_iter().rev().map(|child| (child, place, game.clone())));
        }
        let first = tops.first().copied();
        if !tops.is_empty() {
            self.done(Edit::Several(tops.into_iter().map(Edit::Added).collect()));
        }
        // A step forward leads to what follows now.
        match first {
            Some(first) if self.current == end => {
                self.move_to(first);
                self.move_to(end);
            }
            _ => self.settle(),
        }
        Ok((moves, left_out))
    }
}

/// Plays a move of a record if the rules allow it. Whose turn it is does not matter: inserted moves shift it.
fn play_if_possible(game: &mut Game, color: Color, played: Move) -> bool {
    let allowed = match played {
        Move::Place(point) if color == game.to_play() => game.point_legality(point),
        _ => game.tolerant_legality(color, played),
    };
    allowed.is_ok() && game.play_tolerant(color, played).is_ok()
}
