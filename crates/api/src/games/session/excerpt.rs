//! A position taken out of its game: what led to it, and the move there.

use super::{LastMove, Session, seam_id};
use crate::ApiError;
use honinbo_record::{GameInfo, GameTree, NodeId, Replay, komi_to_write, replay};
use honinbo_rules::{BoardSize, Color, Move};

/// What the root of a line keeps: what decides its positions.
const OF_ROOT: [&str; 7] = ["RU", "KM", "TOPO", "HA", "AB", "AW", "PL"];
/// What the root of an excerpt keeps besides: whose game it was.
pub(super) const OF_GAME: [&str; 7] = ["PB", "BR", "PW", "WR", "EV", "DT", "PC"];
/// What other nodes keep.
const OF_NODE: [&str; 7] = ["B", "W", "KO", "AB", "AW", "AE", "PL"];

/// A move: its node, who played, what.
pub(crate) type MadeMove = (crate::NodeId, Color, Move);

impl Session {
    /// The node before the move of a node, and that move.
    pub(crate) fn move_before(&self, id: crate::NodeId) -> Result<(crate::NodeId, MadeMove), ApiError> {
        let made = self.move_into(id)?;
        let LastMove { parent, mover, played, .. } =
            made.ok_or_else(|| ApiError::NotFound { message: format!("there is no move at node {id}") })?;
        Ok((parent, (id, mover, played)))
    }

    /// The move that led to a node, if one did.
    pub(crate) fn move_into(&self, id: crate::NodeId) -> Result<Option<LastMove>, ApiError> {
        Ok(LastMove::to(&self.tree, self.node(id)?, self.size))
    }

    /// The move that the variation last visited goes on with after a node.
    pub(crate) fn move_after(&self, id: crate::NodeId) -> Result<Option<MadeMove>, ApiError> {
        let next = self.next(self.node(id)?);
        let made = next.and_then(|next| Some((next, LastMove::to(&self.tree, next, self.size)?)));
        Ok(made.map(|(next, made)| (seam_id(next), made.mover, made.played)))
    }

    /// The game up to a node as a record of one variation, without comments and marks.
    pub(crate) fn excerpt(&self, id: crate::NodeId) -> Result<String, ApiError> {
        Ok(excerpt_of(&self.tree, self.size, self.node(id)?))
    }
}

/// A record up to a node as one of one variation, without comments and marks.
pub(crate) fn excerpt_of(tree: &GameTree, size: BoardSize, end: NodeId) -> String {
    let (mut excerpt, at) = line_of(tree, size, end);
    let source = tree.in_utf8();
    for property in source.properties(source.root()).filter(|property| OF_GAME.contains(&&*property.ident())) {
        excerpt.set_raw(excerpt.root(), &property.ident(), property.raw_values());
    }
    let whole = replay(tree, end);
    keep_terms(&mut excerpt, at, &whole);
    keep_turn(&mut excerpt, at, whole.game.to_play());
    excerpt.to_sgf()
}

/// Has an excerpt say in words that every reader knows what its record says by what was left out of it: who wrote it, in whose
/// unit its komi is, and facts and moves that come later.
fn keep_terms(excerpt: &mut GameTree, at: NodeId, whole: &Replay) {
    let (root, game, info) = (excerpt.root(), &whole.game, &whole.info);
    if GameInfo::of(excerpt).topology != info.topology {
        excerpt.set_text(root, "TOPO", info.topology.name());
    }
    // Stones that Black has still to place are not there yet.
    if replay(excerpt, at).game.board() != game.board() {
        excerpt.remove_property(root, "HA");
    }
    if GameInfo::of(excerpt).komi_or_guess() != game.komi() {
        excerpt.set_text(root, "KM", &komi_to_write(game.komi()));
    }
    if GameInfo::of(excerpt).ruleset_or_guess() != *game.ruleset() {
        excerpt.set_text(root, "RU", &game.ruleset().to_sgf(game.komi(), info.topology));
    }
}

/// The moves and stones up to a node, with the rules and komi that are named, and the node where they end.
pub(super) fn line_of(tree: &GameTree, size: BoardSize, end: NodeId) -> (GameTree, NodeId) {
    let source = tree.in_utf8();
    let mut line = GameTree::with_board(size);
    let mut at = line.root();
    for (depth, node) in source.path(end).into_iter().enumerate() {
        if depth > 0 {
            at = line.add_child(at);
        }
        for property in source.properties(node) {
            let ident = property.ident();
            if OF_NODE.contains(&&*ident) || (depth == 0 && OF_ROOT.contains(&&*ident)) {
                line.set_raw(at, &ident, property.raw_values());
            }
        }
    }
    (line, at)
}

/// Has a record that ends at a node say whose turn it is there, where what told so came later in the game. Elsewhere
/// nothing is written: `PL` starts the game anew, without its moves and its ko.
pub(crate) fn keep_turn(tree: &mut GameTree, end: NodeId, to_play: Color) {
    if replay(tree, end).game.to_play() != to_play {
        tree.set_text(end, "PL", &to_play.letter().to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::read_sgf_text;
    use honinbo_rules::Topology;

    /// The game at a node of the main line, in its record and in the excerpt up to there.
    fn whole_and_kept(sgf: &str, place: usize) -> (honinbo_rules::Game, honinbo_rules::Game) {
        let tree = read_sgf_text(sgf).games.remove(0).tree;
        let end = tree.line_from(tree.root()).nth(place).unwrap();
        let size = GameInfo::of(&tree).size;
        let excerpt = read_sgf_text(&excerpt_of(&tree, size, end)).games.remove(0).tree;
        let last = excerpt.line_from(excerpt.root()).last().unwrap();
        (replay(&tree, end).game, replay(&excerpt, last).game)
    }

    #[test]
    fn komi_rules_and_edges_stay_those_of_the_game_wherever_its_record_says_them() {
        for (facts, komi, topology) in [
            ("KM[50]HA[2]AP[foxwq]RU[Chinese]AB[cc][gg];W[ee];B[ce]", 0.5, Topology::Plane),
            ("KM[0]HA[0]AP[foxwq]RU[Japanese];B[ee];W[ce]", 6.5, Topology::Plane),
            ("GM[q5go-1]TO[3]KM[7.5]RU[Chinese];B[ee];W[ce]", 7.5, Topology::Torus),
            (";KM[5.5]RU[AGA];B[ee];W[ce]", 5.5, Topology::Plane),
        ] {
            let (whole, kept) = whole_and_kept(&format!("(;SZ[9]{facts})"), 2);
            assert_eq!((kept.komi().points(), kept.board().topology()), (komi, topology), "{facts}");
            assert_eq!((kept.ruleset(), kept.komi()), (whole.ruleset(), whole.komi()), "{facts}");
            assert_eq!((kept.board(), kept.turns()), (whole.board(), whole.turns()), "{facts}");
        }
    }

    #[test]
    fn a_handicap_that_is_still_to_be_placed_is_not_there() {
        let (whole, kept) = whole_and_kept("(;SZ[9]HA[2]KM[0.5]RU[Chinese];B[cc];B[gg];W[ee])", 0);
        assert!(whole.board().is_empty() && kept.board().is_empty());
        assert_eq!((kept.to_play(), kept.komi()), (whole.to_play(), whole.komi()));
    }

    #[test]
    fn whose_turn_it_is_stays_known_without_the_move_that_told_it() {
        for (moves, place) in [
            ("AB[cc][dd]AW[ee];W[ce]", 0),
            ("AB[cc][dd]AW[ee];C[look];W[ce]", 1),
            (";B[ee];W[ce];AB[gg];W[gc]", 3),
            (";B[ee];C[a word];W[ce]", 2),
        ] {
            let tree = read_sgf_text(&format!("(;SZ[9]RU[Chinese]KM[7.5]{moves})")).games.remove(0).tree;
            let end = tree.line_from(tree.root()).nth(place).unwrap();
            let size = honinbo_record::GameInfo::of(&tree).size;
            let excerpt = read_sgf_text(&excerpt_of(&tree, size, end)).games.remove(0).tree;
            let last = excerpt.line_from(excerpt.root()).last().unwrap();
            let (kept, whole) = (replay(&excerpt, last).game, replay(&tree, end).game);
            assert_eq!((kept.to_play(), kept.turns()), (whole.to_play(), whole.turns()), "{moves}");
            assert_eq!(kept.board(), whole.board(), "{moves}");
        }
    }
}
