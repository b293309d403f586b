//! The positions of a game that was played, for clients that know no rules.

use crate::wire::{ColorNumber, TopologyName};
use honinbo_record::{ReplayOptions, read_sgf_text, replay_each};
use honinbo_rules::{Color, Game};
use serde::Serialize;
use specta::Type;

/// Positions that are told of one game; longer ones end there.
const MAX_POSITIONS: usize = 2000;

/// A game to look through.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "GamePositions")]
pub struct Positions {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// As [`Terms::topology`](crate::Terms::topology).
    #[specta(type = TopologyName)]
    pub topology: String,
    /// The ruleset's name, as its record has it.
    pub rules: String,
    /// Points for White.
    pub komi: f64,
    /// From the beginning to the end.
    pub positions: Vec<ShownPosition>,
}

/// A position on the way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct ShownPosition {
    /// Row by row from the top, a character a point: `.`, `X` for Black, `O` for White.
    pub stones: String,
    /// Column and row of the move that led here; `None` at the beginning and after a pass.
    pub last_move: Option<[u8; 2]>,
    /// Whose move that was; `None` at the beginning.
    pub moved: Option<ColorNumber>,
}

/// The positions of the main line of the first game in a record; `None` where there is none.
#[must_use]
pub fn positions_of(sgf: &str) -> Option<Positions> {
    let collection = read_sgf_text(sgf);
    let tree = &collection.games.first()?.tree;
    let last = tree.line_from(tree.root()).last()?;
    let mut positions: Vec<ShownPosition> = Vec::new();
    let replay = replay_each(tree, last, ReplayOptions::default(), &mut |_, game| {
        if positions.len() < MAX_POSITIONS {
            positions.push(shown(game));
        }
    });
    let size = replay.game.board().size();
    Some(Positions {
        width: size.width() as u32,
        height: size.height() as u32,
        topology: replay.game.setup().topology.name().to_owned(),
        rules: replay.info.preset_or_guess().name().to_owned(),
        komi: replay.game.komi().points(),
        positions,
    })
}

fn shown(game: &Game) -> ShownPosition {
    let letter = |stone: Option<Color>| match stone {
        None => '.',
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
    };
    let last = game.turns().last();
    ShownPosition {
        stones: game.board().points().map(letter).collect(),
        last_move: last.and_then(|turn| turn.played.point()).map(|point| [point.x() as u8, point.y() as u8]),
        moved: last.map(|turn| turn.color.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_seen_and_the_beginning_is_the_first() {
        let found = positions_of("(;GM[1]FF[4]SZ[3]RU[Chinese]KM[7.5]AB[aa];W[ab];B[cc];W[ba];B[tt])").unwrap();
        let stones: Vec<&str> = found.positions.iter().map(|position| position.stones.as_str()).collect();
        assert_eq!(stones, ["X........", "X..O.....", "X..O....X", ".O.O....X", ".O.O....X"]);
        let last: Vec<_> = found.positions.iter().map(|position| (position.moved, position.last_move)).collect();
        assert_eq!(last[0], (None, None));
        assert_eq!(last[3..], [(Some(Color::White.into()), Some([1, 0])), (Some(Color::Black.into()), None)]);
        assert_eq!((found.width, found.komi, found.topology.as_str()), (3, 7.5, "plane"));
    }

    #[test]
    fn what_is_no_game_has_no_positions() {
        assert_eq!(positions_of(""), None);
        assert_eq!(positions_of("hello"), None);
    }
}
