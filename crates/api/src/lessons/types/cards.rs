//! Positions that are asked.

use crate::{BoardTopology, Finite, GameSource, HelpsAt, NodeId, OpenGameId, Side, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Names a card: a move of an open game, or a card of the library as it was turned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum CardRef {
    /// The position before a move of an open game.
    Turn {
        /// The game.
        game_id: OpenGameId,
        /// The node of the move.
        node_id: NodeId,
    },
    /// A card that is practised.
    Drill {
        /// The card.
        card_id: String,
        /// How it is turned, as it was said when it was asked: the symmetry, exchanged colours, the shift on joined sides.
        turn: u32,
    },
}

/// Asks for the moves of a game that cost most.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurningPointsOf {
    /// The game.
    pub game_id: OpenGameId,
    /// Whose moves; null for both players'.
    pub side: Option<Side>,
    /// Only those that help somebody of a rank; null for all.
    #[serde(default)]
    pub helps: Option<HelpsAt>,
}

/// The moves of a game that cost most, as cards.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurningPoints {
    /// Moves that were judged so far.
    pub judged: u32,
    /// Moves of the variation on the board.
    pub moves: u32,
    /// Five at most, in the order of the game.
    pub cards: Vec<CardView>,
}

/// A position in which something better is to be found. What was played there is told with the solution.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CardView {
    /// Its name.
    pub card: CardRef,
    /// Which move of the game is looked for, from 1.
    pub number: u32,
    /// Black's name in the game.
    pub black: String,
    /// White's name in the game.
    pub white: String,
    /// It is among the cards that come back.
    pub kept: bool,
    /// How often it was answered.
    pub answers: u32,
    /// How often of these wrongly.
    pub lapses: u32,
    /// The moves that a record has there are asked for, and no engine judges.
    pub recorded: bool,
    /// The position.
    pub board: CardBoard,
}

/// A position, turned as it is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CardBoard {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// How the edges meet.
    pub topology: BoardTopology,
    /// Stones row by row from the top left: 1 black, -1 white, 0 empty.
    pub stones: Vec<i8>,
    /// Points where the player to move may play: 1, and 0 where not.
    pub legal: Vec<u8>,
    /// Who is to move.
    pub to_move: Side,
    /// The move before; null for a pass and where there is none.
    pub last_move: Vertex,
    /// The point that ko forbids now.
    pub ko: Option<u16>,
    /// White stones taken by Black.
    pub captured_by_black: u16,
    /// Black stones taken by White.
    pub captured_by_white: u16,
}

/// The cards that come back.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DrillState {
    /// All of them.
    pub total: u32,
    /// Those that are due now.
    pub due: u32,
    /// When the next one is due after that, in seconds since 1970; null where none is.
    pub next_due: Option<Finite>,
}

/// The card that has been due for longest.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Drill {
    /// The card; null where none is due.
    pub card: Option<CardView>,
    /// How many there are.
    pub state: DrillState,
}

/// Keeps positions of an open game with the moves that its record has there.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KeepLines {
    /// The game.
    pub game_id: OpenGameId,
    /// The positions.
    pub positions: Vec<PractisedPosition>,
}

/// A position that was practised.
#[derive(Debug, Clone, Copy, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PractisedPosition {
    /// Its node.
    pub node_id: NodeId,
    /// The first answer to it was wrong.
    pub missed: bool,
}

/// Takes a deck in.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportDeck {
    /// The file.
    pub source: GameSource,
}

/// Asks for the cards as a package for Anki.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct AnkiDeck {
    /// What the deck is called there.
    pub name: String,
}

/// The cards as a package for Anki.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeckPackage {
    /// The file in base64.
    pub base64: String,
    /// Cards in it.
    pub cards: u32,
}

/// What a deck brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeckImported {
    /// Cards that are new.
    pub added: u32,
    /// Cards that were there already.
    pub known: u32,
    /// Games that are no card: none of their moves is marked as right or wrong.
    pub skipped: u32,
}
