//! A position that is played on in a game of its own.

use super::excerpt::line_of;
use super::{Session, name_players};
use crate::library::rules_to_write;
use crate::{ApiError, NewGame, OpenGameId};
use honinbo_record::{GameInfo, GameTree, komi_to_write, replay, topology_to_write};
use honinbo_rules::{Game, Move, Preset};

/// What leads to a position that is played on.
pub(crate) struct Beginning(GameTree);

impl Session {
    /// What leads to a node, with the rules and komi of this game spelled out. Passes at its end are left out: the game
    /// goes on, and whoever is to move there is to move.
    ///
    /// # Errors
    /// When the node is gone, or no move is possible at it.
    pub(crate) fn beginning(&self, id: crate::NodeId) -> Result<Beginning, ApiError> {
        let node = self.node(id)?;
        let whole = replay(&self.tree, node);
        let (info, to_play) = (whole.info, whole.game.to_play());
        let mut end = node;
        while self.tree.setup_at(end, self.size).is_empty()
            && self.tree.move_at(end, self.size).is_none_or(|made| made.played == Ok(Move::Pass))
            && let Some(parent) = self.tree.parent(end)
        {
            end = parent;
        }
        let game = replay(&self.tree, end).game;
        if game.is_over() {
            return Err(ApiError::InvalidRequest { message: "the game is over at this position".into() });
        }
        let (mut line, mut last) = line_of(&self.tree, self.size, end);
        let (root, preset) = (line.root(), info.preset_or_guess());
        spell_out_rules(&mut line, preset, &game);
        if let Some(topology) = topology_to_write(game.board().topology(), Some(preset)) {
            line.set_text(root, "TOPO", topology);
        }
        line.set_text(root, "KM", &komi_to_write(game.komi()));
        // Stones that Black has still to place are not there yet.
        if replay(&line, last).game.board() != game.board() {
            line.remove_property(root, "HA");
        }
        if replay(&line, last).game.to_play() != to_play {
            // Beside a move `PL` would say whose turn it was before it.
            if line.move_at(last, self.size).is_some() {
                last = line.add_child(last);
            }
            line.set_text(last, "PL", &to_play.letter().to_string());
        }
        Ok(Beginning(line))
    }

    /// A game that goes on there, at this moment in seconds since 1970. Names and the day are those of `wanted`, all else
    /// is of the beginning.
    pub(crate) fn play_on(id: OpenGameId, Beginning(mut tree): Beginning, wanted: &NewGame, now: u64) -> Self {
        name_players(&mut tree, wanted, now);
        let end = tree.line_from(tree.root()).last().unwrap_or(tree.root());
        let mut session = Self::of_tree(id, tree, Vec::new());
        session.move_to(end);
        session
    }
}

/// Has a record that was taken out of another say the rules of its game, which are those of `preset` or spelled out: the other
/// may have left them open, or name them where this one has nothing of it.
pub(super) fn spell_out_rules(tree: &mut GameTree, preset: Preset, game: &Game) {
    if GameInfo::of(tree).ruleset == Some(*game.ruleset()) {
        return;
    }
    let usual = preset.ruleset() == *game.ruleset();
    let spelled_out = || game.ruleset().to_sgf(game.komi(), game.board().topology());
    tree.set_text(tree.root(), "RU", &if usual { rules_to_write(preset) } else { spelled_out() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::read_sgf_text;

    #[test]
    fn rules_that_a_record_names_in_its_second_node_are_played_on_by() {
        let spelled_out = "koSITUATIONALscoreAREAtaxALLsui1whbN-1";
        for rules in ["AGA", "Korean", spelled_out] {
            let sgf = format!("(;SZ[9];RU[{rules}]KM[5.5];B[ee];W[ce];B[gg])");
            let session = Session::of_tree("g1".into(), read_sgf_text(&sgf).games.remove(0).tree, Vec::new());
            let node = session.line_moves()[1].node;
            let Beginning(beginning) = session.beginning(node).unwrap();
            let cut = session.begun_at("g2".into(), node).unwrap();
            for tree in [&beginning, cut.tree_and_current().0] {
                let info = GameInfo::of(tree);
                let read = honinbo_rules::Ruleset::from_sgf(rules).unwrap();
                assert_eq!(info.ruleset, Some(read.ruleset), "{}", tree.to_sgf());
                assert_eq!(info.komi.unwrap().points(), 5.5);
            }
        }
    }
}
