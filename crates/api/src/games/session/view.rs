//! What a window sees of an open game.

use super::{BranchChange, Session, comments, seam_id};
use crate::{
    AnnotatedNode, BoardTopology, ChildView, CutBranch, GameInfo, GameUpdate, GameView, GrownBranch, NodeAnnotations,
    PositionView, RecordPreview, Side, TreeView,
};
use honinbo_record::NodeId;
use honinbo_rules::{Color, Game, Move, Point};
use std::collections::HashMap;

/// What a window saw of a game before it was changed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    revision: u32,
    version: u32,
}

impl Session {
    /// Everything.
    pub(crate) fn view(&self) -> GameView {
        GameView {
            game_id: self.id.clone(),
            width: small(self.size.width()),
            height: small(self.size.height()),
            topology: self.topology(),
            info: self.info(),
            tree: self.tree_view(self.tree.root()),
            position: self.position_view(),
            diagnostics: self.diagnostics.clone(),
            record_id: self.record_id.clone(),
            modified: self.is_modified(),
            can_undo: !self.undo.is_empty(),
            can_redo: !self.redo.is_empty(),
            trial: self.trial_origin(),
            file_name: self.file_name.clone(),
            version: self.version,
        }
    }

    fn topology(&self) -> BoardTopology {
        self.game().board().topology().into()
    }

    /// What a window that sees it now knows.
    pub(crate) fn seen(&self) -> Seen {
        Seen { revision: self.revision, version: self.version }
    }

    /// What changed for a window that saw it like this: always the position; of the tree the branch that came or went, where
    /// nothing else happened, since the whole of a large one takes a tenth of a second.
    pub(crate) fn update(&self, before: Seen) -> GameUpdate {
        let steps = self.revision.wrapping_sub(before.revision);
        let (mut grown, mut cut) = (None, None);
        match self.branch.filter(|_| steps == 1) {
            Some(BranchChange::Grown(top)) => {
                let hung = |parent| GrownBranch { parent: seam_id(parent), branch: self.tree_view(top) };
                grown = self.tree.parent(top).map(hung);
            }
            Some(BranchChange::Cut(top)) => cut = Some(CutBranch { node_id: seam_id(top), revision: self.revision }),
            None => {}
        }
        GameUpdate {
            game_id: self.id.clone(),
            position: self.position_view(),
            tree: (steps > 0 && grown.is_none() && cut.is_none()).then(|| self.tree_view(self.tree.root())),
            grown,
            cut,
            tree_revision: self.revision,
            info: (self.version != before.version).then(|| self.info()),
            modified: self.is_modified(),
            can_undo: !self.undo.is_empty(),
            can_redo: !self.redo.is_empty(),
            trial: self.trial_origin(),
            version: self.version,
        }
    }

    /// The position at a node; one stays where one is.
    pub(crate) fn position_at(&mut self, id: crate::NodeId) -> Result<PositionView, crate::ApiError> {
        let node = self.node(id)?;
        let there = honinbo_record::replay(&self.tree, node);
        let here = (std::mem::replace(&mut self.current, node), std::mem::replace(&mut self.replay, there));
        let view = self.position_view();
        (self.current, self.replay) = here;
        Ok(view)
    }

    /// The position so many nodes down the main line of a record that was just read.
    pub(crate) fn preview(mut self, node: u32) -> RecordPreview {
        let line = self.line();
        let wanted = usize::try_from(node).unwrap_or(usize::MAX).min(line.len() - 1);
        self.move_to(line[wanted]);
        RecordPreview {
            width: small(self.size.width()),
            height: small(self.size.height()),
            topology: self.topology(),
            position: self.position_view(),
        }
    }

    /// What the game says about itself.
    pub(crate) fn info(&self) -> GameInfo {
        let info = honinbo_record::GameInfo::of(&self.tree);
        GameInfo {
            komi: info.komi_or_guess().points().into(),
            rules: info.preset_or_guess().name().to_owned(),
            handicap: u8::try_from(info.handicap).unwrap_or(u8::MAX),
            black: info.black.name,
            black_rank: info.black.rank,
            white: info.white.name,
            white_rank: info.white.rank,
            title: info.name,
            event: info.event,
            place: info.place,
            date: info.date_text,
            result: info.result_text,
            comment: info.comment,
        }
    }

    /// A node and all that follows it.
    fn tree_view(&self, top: NodeId) -> TreeView {
        let mut view = TreeView { revision: self.revision, ..TreeView::default() };
        let mut index_of = HashMap::new();
        for node in self.tree.subtree(top) {
            let place = u32::try_from(view.ids.len()).expect("the reader bounds the number of nodes");
            index_of.insert(node, place);
            view.ids.push(seam_id(node));
            let parent = self.tree.parent(node).filter(|_| node != top);
            view.parents.push(parent.map_or(0, |parent| index_of[&parent]));
            let (point, color) = match self.tree.move_at(node, self.size) {
                Some(made) => (
                    match made.played {
                        Ok(Move::Place(point)) => point.index(self.size) as i32,
                        Ok(Move::Pass | Move::Resign) => -1,
                        Err(_) => -2,
                    },
                    sign(made.color),
                ),
                None => (-2, 0),
            };
            view.moves.push(point);
            view.colors.push(color);
            let comment = self.tree.raw_value(node, "C");
            view.comments.push(u8::from(comment.is_some_and(comments::has_part_by_hand)));
            let annotations = self.annotations_of(node);
            if annotations != NodeAnnotations::default() {
                view.annotated.push(AnnotatedNode { node_id: seam_id(node), annotations });
            }
        }
        view
    }

    fn position_view(&self) -> PositionView {
        let (game, size) = (self.game(), self.size);
        let board = game.board();
        let line = self.line();
        let (marks, links) = self.drawn();
        let line_index = self.tree.path(self.current).len() - 1;
        let moves: Vec<_> = line[..=line_index].iter().filter_map(|&node| self.tree.move_at(node, size)).collect();

        let mut move_numbers = vec![0_u16; size.area()];
        for (number, made) in moves.iter().enumerate() {
            if let Ok(Move::Place(point)) = made.played {
                move_numbers[point.index(size)] = u16::try_from(number + 1).unwrap_or(u16::MAX);
            }
        }
        for (number, stone) in move_numbers.iter_mut().zip(board.points()) {
            if stone.is_none() {
                *number = 0;
            }
        }
        let last = self.tree.move_at(self.current, size).and_then(|made| made.played.ok());
        let to_move = game.to_play();
        let legal = Point::all(size).map(|point| u8::from(is_playable(game, to_move, point))).collect();
        PositionView {
            node_id: seam_id(self.current),
            move_number: u32::try_from(moves.len()).unwrap_or(u32::MAX),
            line: line.iter().map(|&node| seam_id(node)).collect(),
            line_index: u32::try_from(line_index).unwrap_or(u32::MAX),
            stones: board.points().map(|stone| stone.map_or(0, sign)).collect(),
            move_numbers,
            to_move: side(to_move),
            last_move: last.and_then(Move::point).map(|point| vertex(point, size)),
            last_was_pass: last == Some(Move::Pass),
            ko: board.ko_point().map(|point| vertex(point, size)),
            legal,
            captured_by_black: u16::try_from(board.captured_by(Color::Black)).unwrap_or(u16::MAX),
            captured_by_white: u16::try_from(board.captured_by(Color::White)).unwrap_or(u16::MAX),
            children: self.tree.children(self.current).map(|child| self.child_view(child)).collect(),
            comment: comments::by_hand(&self.tree.comment(self.current).unwrap_or_default()).into_owned(),
            name: self.tree.node_name(self.current),
            annotations: self.annotations_of(self.current),
            marks,
            links,
            game_over: game.is_over(),
        }
    }

    fn child_view(&self, child: NodeId) -> ChildView {
        let played = self.tree.move_at(child, self.size).and_then(|made| made.played.ok());
        ChildView {
            node_id: seam_id(child),
            vertex: played.and_then(Move::point).map(|point| vertex(point, self.size)),
        }
    }
}

fn is_playable(game: &Game, color: Color, point: Point) -> bool {
    !game.is_over() && game.legality(color, Move::Place(point)).is_ok()
}

/// A colour across the seam.
pub(crate) fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::Black,
        Color::White => Side::White,
    }
}

/// 1 for Black, -1 for White.
pub(crate) fn sign(color: Color) -> i8 {
    match color {
        Color::Black => 1,
        Color::White => -1,
    }
}

/// A point across the seam. Boards have at most 52 x 52 points.
pub(crate) fn vertex(point: Point, size: honinbo_rules::BoardSize) -> u16 {
    u16::try_from(point.index(size)).unwrap_or(u16::MAX)
}

fn small(side: usize) -> u8 {
    u8::try_from(side).unwrap_or(u8::MAX)
}
