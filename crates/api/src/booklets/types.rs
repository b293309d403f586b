//! Booklets.

use crate::{OpenGameId, Side};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What a booklet is made of.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BookletOf {
    /// The turning points of an open game.
    Turns {
        /// The game.
        game_id: OpenGameId,
        /// Whose moves; null for both players'.
        side: Option<Side>,
    },
    /// The cards that come back.
    Deck,
    /// A collection of problems.
    Problems {
        /// The collection.
        collection: String,
    },
}

/// What a booklet is made as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum BookletForm {
    /// Pages of 210 by 297 mm.
    A4,
    /// Pages of 148 by 210 mm.
    A5,
    /// A web page that plays.
    Page,
}

/// Asks for a booklet.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MakeBooklet {
    /// What is in it.
    pub of: BookletOf,
    /// Its title.
    pub title: String,
    /// The tag of the language of its own words.
    pub language: String,
    /// What it is made as.
    pub form: BookletForm,
    /// Columns of a page of paper, 1 or 2.
    pub columns: u8,
}

/// A booklet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BookletMade {
    /// The file in base64.
    pub base64: String,
    /// Positions in it.
    pub exercises: u32,
}
