//! Players, and figures about them and about the library.

use crate::Finite;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks for players.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayersQuery {
    /// Part of a name; empty for all.
    pub text: String,
    /// How many, 1 to 1000; those with most games come first.
    pub limit: u32,
}

/// Names a player.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerName {
    /// One of the names.
    pub name: String,
}

/// Says that several names are one person.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerNames {
    /// The names; the first is the one shown.
    pub names: Vec<String>,
}

/// A person and how they fared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerSummary {
    /// The name they are shown by.
    pub name: String,
    /// The name is one that opponents of this program have in records.
    pub computer: bool,
    /// Their other names.
    pub other_names: Vec<String>,
    /// Games.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
}

/// Results of some of the games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultLine {
    /// What they have in common: `black` or `white`, a year, a name, an opening.
    pub what: String,
    /// Games.
    pub games: u32,
    /// Won: by the player, or by Black where it is about the library.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
}

/// A rating at the end of a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RatingPoint {
    /// `yyyy-mm`; `yyyy` where no month is known.
    pub month: String,
    /// Elo, 1500 at the first game, from the dated games of this library alone.
    pub rating: i32,
    /// Games until then.
    pub games: u32,
}

/// What a player gave away in one part of the game.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PhaseMistakes {
    /// `opening` (to move 50 on 19x19), `middleGame` (to 150) or `endgame`.
    pub phase: String,
    /// Moves of the player that were searched enough, before and after, to say what they lost.
    pub moves: u32,
    /// Points given away by a move, on average.
    pub mean_loss: Finite,
    /// Moves that gave away two points or more.
    pub mistakes: u32,
    /// Moves that gave away six points or more.
    pub blunders: u32,
}

/// A player's record.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PlayerPage {
    /// Who, and all games.
    pub player: PlayerSummary,
    /// As Black and as White.
    pub by_color: Vec<ResultLine>,
    /// Against each opponent, most frequent first, at most a hundred.
    pub by_opponent: Vec<ResultLine>,
    /// In each year, earliest first.
    pub by_year: Vec<ResultLine>,
    /// By the player's own first two moves on 19x19: `4-4 + 3-4`.
    pub by_opening: Vec<ResultLine>,
    /// The rating, month by month with games.
    pub ratings: Vec<RatingPoint>,
    /// By phase, as far as positions of the player's last two hundred games are in the evaluation store.
    pub mistakes: Vec<PhaseMistakes>,
    /// Others whose names are so alike that they may be the same person, most games first, at most eight.
    pub alike: Vec<PlayerSummary>,
}

/// Figures about the whole library.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LibraryReport {
    /// Records.
    pub games: u32,
    /// Records in the bin.
    pub deleted: u32,
    /// Different names of players.
    pub players: u32,
    /// Other versions of records, kept beside them.
    pub copies: u32,
    /// Won by Black.
    pub black_wins: u32,
    /// Won by White.
    pub white_wins: u32,
    /// Day of the earliest dated game; empty when none is dated.
    pub first_date: String,
    /// Day of the latest.
    pub last_date: String,
    /// Size of the file in KiB.
    pub size_kib: u32,
    /// Evaluations in the store.
    pub evaluations: u32,
    /// Their size in KiB.
    pub evaluations_kib: u32,
    /// In each year, earliest first; won and lost are Black's.
    pub by_year: Vec<ResultLine>,
    /// By size of the board.
    pub by_size: Vec<ResultLine>,
    /// By ruleset; an empty `what` for games that do not say.
    pub by_rules: Vec<ResultLine>,
    /// By kind of result.
    pub by_result: Vec<ResultLine>,
}
