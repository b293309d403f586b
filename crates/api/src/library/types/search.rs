//! Looking for games, positions and patterns.

use crate::{Finite, OpenGameId};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Conditions that a record must meet, all of them; what is absent or empty asks for nothing.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct RecordFilter {
    /// Words that must each be part of a player's name, title, event, place, comment or annotation; quotation marks
    /// keep words together.
    pub text: String,
    /// Parts of a player's name in any order, of either colour.
    pub player: String,
    /// Parts of Black's name.
    pub black: String,
    /// Parts of White's name.
    pub white: String,
    /// Parts of the other player's name, beside `player`.
    pub opponent: String,
    /// Both players at least this strong: `5k`, `3d`, `1p`.
    pub min_rank: String,
    /// First day: `2003`, `2003-09` or `2003-09-25`.
    pub date_from: String,
    /// Last day, in the same forms; a year or month counts to its end.
    pub date_to: String,
    /// `black` or `white` won.
    pub winner: String,
    /// `score`, `resignation`, `time`, `forfeit`, `win`, `draw`, `void` or `unknown`.
    pub result: String,
    /// Smallest margin in points.
    pub min_margin: Option<Finite>,
    /// Largest margin in points.
    pub max_margin: Option<Finite>,
    /// Columns of the board.
    pub width: Option<u8>,
    /// Rows of the board.
    pub height: Option<u8>,
    /// Part of the event's name.
    pub event: String,
    /// Part of the place's name.
    pub place: String,
    /// Name of a ruleset.
    pub rules: String,
    /// Points for White.
    pub komi: Option<Finite>,
    /// Fewest handicap stones.
    pub min_handicap: Option<u32>,
    /// Most handicap stones.
    pub max_handicap: Option<u32>,
    /// Fewest moves.
    pub min_moves: Option<u32>,
    /// Most moves.
    pub max_moves: Option<u32>,
    /// Part of the path of the file it was imported from.
    pub source: String,
    /// In this folder or one inside it.
    pub folder: String,
    /// With this tag.
    pub tag: String,
    /// One of these records, such as what another search found; empty: any.
    pub ids: Vec<String>,
    /// The bin instead of the library.
    pub deleted: bool,
}

/// What may stand on one point of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum PatternCell {
    /// Anything.
    Any,
    /// No stone.
    Empty,
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// A black stone or none.
    BlackOrEmpty,
    /// A white stone or none.
    WhiteOrEmpty,
    /// A stone of either colour.
    Stone,
}

/// Where on the board a pattern may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum PatternAnchor {
    /// Anywhere, also across joined edges.
    Anywhere,
    /// Its top left corner in the board's top left corner; with symmetries in any corner.
    Corner,
    /// Its top row on the board's top row; with symmetries along any side.
    Side,
    /// Its top left corner at this point, from 0 at the top left; with symmetries at the images of it.
    At {
        /// Column.
        x: u8,
        /// Row.
        y: u8,
    },
}

/// A move of a sequence that follows a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PatternMove {
    /// Black plays it.
    pub black: bool,
    /// Column in the pattern.
    pub x: u8,
    /// Row in the pattern.
    pub y: u8,
}

/// A search for a pattern; a whole position is a pattern as large as the board.
#[derive(Debug, Clone, PartialEq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PatternSearch {
    /// Chosen by the one who asks; stands in every `Event::Pattern` of this search.
    pub search_id: u32,
    /// Columns of the boards searched.
    pub board_width: u8,
    /// Rows of the boards searched.
    pub board_height: u8,
    /// `plane`, `cylinder` or `torus`.
    pub topology: String,
    /// Columns of the pattern.
    pub width: u8,
    /// Rows of the pattern.
    pub height: u8,
    /// Row by row from the top left.
    pub cells: Vec<PatternCell>,
    /// Where it may lie.
    pub anchor: PatternAnchor,
    /// Also turned and mirrored.
    pub any_symmetry: bool,
    /// Also with colours exchanged.
    pub any_color: bool,
    /// Who makes the next move of the game: `black`, `white`; empty for either.
    #[serde(default)]
    pub next_player: String,
    /// It stands after this many moves or later.
    #[serde(default)]
    pub first_move: Option<u32>,
    /// It stands after this many moves or earlier.
    #[serde(default)]
    pub last_move: Option<u32>,
    /// Moves that follow in the pattern's area, with none between them there.
    #[serde(default)]
    pub sequence: Vec<PatternMove>,
    /// Moves that the tree of continuations follows; 0 makes none, at most 30.
    #[serde(default)]
    pub tree_depth: u8,
    /// Only records that meet this.
    #[serde(default)]
    pub filter: RecordFilter,
    /// Hits that are listed, at most 10,000; all are counted.
    pub limit: u32,
}

/// A record in which a pattern stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PatternHit {
    /// The record.
    pub id: String,
    /// Moves played when it first stands.
    pub move_number: u32,
    /// It stands with colours exchanged.
    pub swapped: bool,
}

/// How games went on.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ContinuationView {
    /// In the colours of the pattern.
    pub black: bool,
    /// Column in the pattern from 0; absent for a pass. Of equivalent points, one.
    pub x: Option<u8>,
    /// Row in the pattern.
    pub y: Option<u8>,
    /// Games that went on here.
    pub games: u32,
    /// Won by the pattern's Black.
    pub black_wins: u32,
    /// Won by the pattern's White.
    pub white_wins: u32,
    /// Year of the earliest such game; 0 when none is dated.
    pub first_year: u32,
    /// Year of the latest.
    pub last_year: u32,
    /// Rank of the strongest player who was in such a game; empty when unknown.
    pub strongest: String,
}

/// A move of the tree of continuations.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TreeMoveView {
    /// Place in the list of the move that it follows; absent: it follows the pattern itself.
    pub parent: Option<u32>,
    /// The move.
    pub continuation: ContinuationView,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PatternResult {
    /// Records looked at.
    pub searched: u32,
    /// Records found.
    pub found: u32,
    /// Of these, won by the pattern's Black.
    pub black_wins: u32,
    /// Of these, won by the pattern's White.
    pub white_wins: u32,
    /// The first ones, in the order they were added.
    pub hits: Vec<PatternHit>,
    /// How they went on, most frequent first.
    pub continuations: Vec<ContinuationView>,
    /// The same as a tree, each move behind the one it follows; empty unless it was asked for.
    pub tree: Vec<TreeMoveView>,
    /// False when the search was ended early.
    pub complete: bool,
}

/// How a search goes on: while it runs, at most about twenty times a second. Its answer has everything.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PatternProgress {
    /// The search.
    pub search_id: u32,
    /// Records looked at.
    pub searched: u32,
    /// Records to look at.
    pub total: u32,
    /// Records found so far.
    pub found: u32,
    /// Those found first, in no order, a hundred at most.
    pub hits: Vec<PatternHit>,
}

/// Asks how games went on from the current position of an open game.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExploreRequest {
    /// The open game.
    pub game_id: OpenGameId,
    /// Only records that meet this.
    #[serde(default)]
    pub filter: RecordFilter,
}

/// What the evaluation store says of a position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StoredValue {
    /// Black's chance to win, 0 to 1.
    pub black_win_prob: Finite,
    /// Points that Black leads by.
    pub black_score_lead: Finite,
    /// Visits behind it; 1: the network alone.
    pub visits: u32,
}

/// A way on from a position.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplorerLine {
    /// The move, and what became of the games.
    pub continuation: ContinuationView,
    /// The position after it, when it was ever evaluated.
    pub value: Option<StoredValue>,
    /// Points that it loses the player, 0 or more, where both positions were searched enough to say so.
    pub points_lost: Option<Finite>,
}

/// How games went on from a position.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExplorerView {
    /// Records that reached it, in whichever order of moves.
    pub found: u32,
    /// Of these, won by Black.
    pub black_wins: u32,
    /// Of these, won by White.
    pub white_wins: u32,
    /// A hundred of them.
    pub hits: Vec<PatternHit>,
    /// The position's own value.
    pub value: Option<StoredValue>,
    /// The ways on, most frequent first.
    pub lines: Vec<ExplorerLine>,
}
