//! A contest's game as a record.

use honinbo_record::{GameTree, komi_to_write, topology_to_write};
use honinbo_rules::{Color, Preset};

use super::{Ending, PlayedGame};

/// The game as an SGF tree, with the names of Black and White, its clocks and, at its end, how it ended in a sentence.
#[must_use]
pub fn record_of(played: &PlayedGame, names: [&str; 2], event: &str) -> GameTree {
    let game = &played.game;
    let (setup, size) = (game.setup(), game.board().size());
    let mut tree = GameTree::with_board(size);
    let root = tree.root();
    tree.set_text(root, "PB", names[0]);
    tree.set_text(root, "PW", names[1]);
    if !event.is_empty() {
        tree.set_text(root, "EV", event);
    }
    if !matches!(played.ending, Ending::Stopped) {
        tree.set_text(root, "RE", &played.outcome.to_sgf());
    }
    tree.set_text(root, "RU", &game.ruleset().to_sgf(game.komi(), setup.topology));
    tree.set_text(root, "KM", &komi_to_write(game.komi()));
    if let Some(control) = played.clock {
        control.write(&mut tree);
    }
    if let Some(topology) = topology_to_write(setup.topology, Preset::of_board(game.ruleset(), setup.topology)) {
        tree.set_text(root, "TOPO", topology);
    }
    for (color, ident) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let points: Vec<_> = setup.stones.iter().filter(|stone| stone.1 == color).map(|stone| stone.0).collect();
        if !points.is_empty() {
            tree.set_points(root, ident, &points);
        }
    }
    if setup.stones.len() >= 2 && setup.stones.iter().all(|stone| stone.1 == Color::Black) {
        tree.set_text(root, "HA", &setup.stones.len().to_string());
    }
    let mut node = root;
    let mut time_left = played.time_left.iter().copied();
    for turn in game.turns() {
        node = tree.play(node, turn.color, turn.played, size).node;
        if let Some(left) = time_left.next().flatten() {
            left.write(&mut tree, node, turn.color);
        }
    }
    if let Some(sentence) = sentence(&played.ending) {
        tree.set_comment(node, &sentence);
    }
    tree
}

fn sentence(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Passes { played_on: false } | Ending::Resignation(_) | Ending::Time(_) | Ending::Stopped => None,
        Ending::Passes { played_on: true } => {
            Some("Both passed and counted differently; dead stones were played out.".into())
        }
        Ending::MoveLimit => Some("The limit of moves was reached; counted as it stands.".into()),
        Ending::Illegal { color, why, .. } => Some(format!("Illegal move of {color}: {why}.")),
        Ending::Failed { color, error } => Some(format!("No move from {color}: {error}.")),
        Ending::Repetition => Some("The position repeated.".into()),
    }
}
