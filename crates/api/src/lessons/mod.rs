//! Learning from one's own games: the turning points of a game as cards, and cards that come back until they are known.

mod anki;
pub(crate) mod booklet;
mod cards;
pub(crate) mod deck;
mod drills;
mod exercises;
mod facts;
mod fitting;
pub(crate) mod handlers;
mod judge;
mod lines;
mod list;
pub(crate) mod ranks;
mod schedule;
pub(crate) mod turn;
mod turning;
pub(crate) mod types;
pub(crate) mod weak;

use crate::analysis::AnalysisRoom;
use crate::analysis::engine::Era;
use crate::games::GamesRoom;
use crate::games::session::LastMove;
use crate::library::LibraryRoom;
use crate::{CardRef, Host, NodeId, OpenGameId};
use honinbo_record::{read_sgf_text, replay};
use honinbo_rules::{Game, Move};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use turn::Turn;

/// The cards, of open games and of the library.
pub(crate) struct LessonsRoom {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) games: Arc<GamesRoom>,
    pub(crate) analysis: Arc<AnalysisRoom>,
    pub(crate) library: Arc<LibraryRoom>,
    fitting: fitting::Fitting,
    /// Exercises that were chosen so far, so that each choice is another one.
    asked_exercises: AtomicU64,
}

/// A card that is asked: the position as it was played, and how it is turned for the person.
struct Asked {
    /// The position, as the record has it.
    game: Game,
    turn: Turn,
    /// The moves that records have there: they are right, and no others. Empty where the engine judges.
    recorded: Vec<Move>,
    /// The move of the game there, and what it lost.
    played: Option<(Move, f64)>,
    /// Which card of the library it is.
    card: Option<honinbo_library::CardId>,
    /// Where it is in an open game.
    place: Option<PlaceInGame>,
    /// The rank of who is to move, as the record has it.
    rank: String,
    /// The record of the library that the game is.
    record: Option<String>,
}

/// The move of an open game before which a card asks.
struct PlaceInGame {
    game_id: OpenGameId,
    /// When its positions were looked up.
    begun: Era,
    /// The position that is asked, and the one after the move.
    before: (NodeId, Option<LastMove>),
    after: (NodeId, Option<LastMove>),
}

impl LessonsRoom {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        games: Arc<GamesRoom>,
        analysis: Arc<AnalysisRoom>,
        library: Arc<LibraryRoom>,
    ) -> Self {
        Self {
            host,
            games,
            analysis,
            library,
            fitting: fitting::Fitting::default(),
            asked_exercises: AtomicU64::new(0),
        }
    }

    /// The position of a card, wherever it is kept.
    fn asked(&self, card: &CardRef) -> Result<Asked, crate::ApiError> {
        match card {
            CardRef::Turn { game_id, node_id } => self.asked_in_game(game_id, *node_id),
            CardRef::Drill { card_id, turn } => self.asked_in_library(card_id, *turn),
        }
    }
}

/// The position at the end of a card's record.
fn position_of(sgf: &str) -> Option<Game> {
    let tree = read_sgf_text(sgf).games.into_iter().next()?.tree;
    let end = tree.line_from(tree.root()).last().unwrap_or(tree.root());
    Some(replay(&tree, end).game)
}
