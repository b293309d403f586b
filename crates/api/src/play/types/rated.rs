//! Rated games and the progress that they show.

use crate::Finite;
use serde::Serialize;
use specta::Type;

/// The person's ratings.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RatedProgress {
    /// 9x9, 13x13 and 19x19.
    pub boards: Vec<RatedBoard>,
}

/// The person's rating on one board.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RatedBoard {
    /// Its side.
    pub size: u8,
    /// By Glicko-2; 1500 before the first game.
    pub rating: Finite,
    /// Its standard deviation: with 95 % the strength is within twice this much.
    pub deviation: Finite,
    /// Who is met in the next rated game: an opponent's id.
    pub opponent: String,
    /// The last thousand games, oldest first.
    pub games: Vec<RatedPoint>,
}

/// A rated game.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RatedPoint {
    /// When it ended, in seconds since 1970.
    pub played: Finite,
    /// The opponent's id.
    pub opponent: String,
    /// 1 for a win, 0 for a loss, 0.5 for a draw.
    pub score: Finite,
    /// The person's rating after it.
    pub rating: Finite,
    /// Its standard deviation.
    pub deviation: Finite,
    /// The record; it may have been deleted since.
    pub record: Option<String>,
}
