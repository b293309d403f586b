//! Questions to the list of games.

use crate::id::GameId;

/// Order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SortBy {
    /// When the game was added.
    #[default]
    Added,
    /// When the game was last changed.
    Changed,
    /// When the game was played.
    Date,
    /// Black's name.
    Black,
    /// White's name.
    White,
    /// Number of moves.
    Moves,
    /// Kind and winner.
    Result,
    /// Name of the tournament; games without one come first.
    Event,
    /// Komi; unknown ones come first.
    Komi,
    /// Points of the board.
    Size,
    /// The weaker player's rank, then the stronger one's; unknown ranks come first.
    Rank,
}

/// Conditions that a game must meet, all of them; those that are `None` or empty ask for nothing.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameFilter {
    /// Words that must each be part of a player's name, title, event, place, comment or annotation.
    pub text: String,
    /// Parts of a player's name in any order, of either colour.
    pub player: Option<String>,
    /// Parts of Black's name.
    pub black: Option<String>,
    /// Parts of White's name.
    pub white: Option<String>,
    /// Parts of the other player's name, beside `player`.
    pub opponent: Option<String>,
    /// Both players at least this strong: `5k`, `3d`, `1p`.
    pub min_rank: Option<String>,
    /// First day: `2003`, `2003-09` or `2003-09-25`.
    pub date_from: Option<String>,
    /// Last day, in the same forms; a year or month counts to its end.
    pub date_to: Option<String>,
    /// `black` or `white` won.
    pub winner: Option<String>,
    /// `score`, `resignation`, `time`, `forfeit`, `win`, `draw`, `void` or `unknown`.
    pub result: Option<String>,
    /// Smallest margin in points.
    pub min_margin: Option<f64>,
    /// Largest margin in points.
    pub max_margin: Option<f64>,
    /// Columns of the board.
    pub width: Option<u32>,
    /// Rows of the board.
    pub height: Option<u32>,
    /// Part of the event's name.
    pub event: Option<String>,
    /// Part of the place's name.
    pub place: Option<String>,
    /// Name of a ruleset.
    pub rules: Option<String>,
    /// Komi in points.
    pub komi: Option<f64>,
    /// Fewest handicap stones.
    pub min_handicap: Option<u32>,
    /// Most handicap stones.
    pub max_handicap: Option<u32>,
    /// Fewest moves.
    pub min_moves: Option<u32>,
    /// Most moves.
    pub max_moves: Option<u32>,
    /// Part of the path of the file it was imported from.
    pub source: Option<String>,
    /// In this folder or one inside it.
    pub folder: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
    /// One of these games, such as what another search found; empty: any.
    pub ids: Vec<GameId>,
    /// None of these games.
    pub except: Vec<GameId>,
    /// The bin instead of the library.
    pub deleted: bool,
}

/// A question to the list of games.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct GameQuery {
    /// Which games.
    pub filter: GameFilter,
    /// In which order.
    pub sort: SortBy,
    /// Last ones first.
    pub descending: bool,
    /// Games to skip.
    pub offset: u32,
    /// Games to return, at most 1000.
    pub limit: u32,
}

impl GameFilter {
    /// Asks for nothing: all games that are not in the bin.
    pub(crate) fn is_everything(&self) -> bool {
        self.text.trim().is_empty() && *self == Self { text: self.text.clone(), ..Self::default() }
    }
}
