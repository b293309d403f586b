//! How a lesson stands, and what is told of it.

use super::request::{Role, Shape};
use crate::event::ChatLine;
use crate::wire::{ColorNumber, TopologyName};
use serde::{Deserialize, Serialize};
use specta::Type;

/// How a lesson stands, as everybody sees it. Points count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct LessonState {
    /// What it is called.
    pub title: String,
    /// Who leads it.
    pub teacher: String,
    /// Black's and White's name in the record.
    pub players: [String; 2],
    /// The board that all see, rows from the top: 0 empty, 1 black, 2 white.
    pub board: Vec<Vec<u8>>,
    /// Who is to move.
    pub turn: ColorNumber,
    /// As [`Terms::topology`](crate::Terms::topology).
    #[specta(type = TopologyName)]
    pub topology: String,
    /// The ruleset's name.
    pub rules: String,
    /// Points for White.
    pub komi: f64,
    /// Moves up to the position.
    pub move_number: u32,
    /// Moves that follow along the first continuations.
    pub moves_ahead: u32,
    /// The point of the last move, if it was a stone.
    pub last_move: Option<[u8; 2]>,
    /// Moves that the record has here.
    pub continuations: Vec<Continuation>,
    /// Which of the moves in this place the last one is, from 0, and how many there are.
    pub variation: [u32; 2],
    /// Which node of the record the position is: a number that no other node has, also after the server was started again.
    pub node: u64,
    /// What the record says about the position.
    pub comment: String,
    /// What is drawn on the board.
    pub marks: Vec<LessonMark>,
    /// Where the teacher points.
    pub pointer: Option<[u8; 2]>,
    /// Whether the engine's opinion is shown.
    pub engine: bool,
    /// The engine's opinion of the position, once there is one and as long as it is shown.
    pub opinion: Option<Opinion>,
    /// Everybody who came, in the order they did.
    pub people: Vec<LessonPerson>,
    /// What students offer.
    pub offers: Vec<LessonOffer>,
    /// What those who come from now on are.
    pub newcomers: Role,
    /// Whether people may talk.
    pub chat_on: bool,
    /// Whether the teacher has ended it.
    pub over: bool,
}

/// A move of the record: a stone, or a pass where there is no point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "LessonContinuation")]
pub struct Continuation {
    /// Column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<u8>,
    /// Row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<u8>,
}

/// Something drawn on a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct LessonMark {
    /// Column.
    pub x: u8,
    /// Row.
    pub y: u8,
    /// What; `None` for a label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Shape>,
    /// A label of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Somebody in a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct LessonPerson {
    /// Who.
    pub name: String,
    /// As what.
    pub role: Role,
    /// Whether that person is here now.
    pub online: bool,
}

/// A variation that a student offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct LessonOffer {
    /// Whose.
    pub name: String,
    /// The number of the move before its first.
    pub after_move: u32,
    /// Its moves.
    pub moves: u32,
}

/// The engine's opinion of a position, from Black's side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename = "LessonOpinion")]
pub struct Opinion {
    /// From 0 to 1.
    pub black_win_prob: f64,
    /// Points.
    pub black_lead: f64,
    /// Of the search.
    pub visits: u32,
    /// Best first.
    pub candidates: Vec<OpinionMove>,
}

/// A move that the engine looked at, from Black's side: a stone, or a pass where there is no point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename = "LessonOpinionMove")]
pub struct OpinionMove {
    /// Column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<u8>,
    /// Row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<u8>,
    /// From 0 to 1.
    pub black_win_prob: f64,
    /// Points.
    pub black_lead: f64,
    /// Of this move.
    pub visits: u32,
}

/// Somebody's own board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
pub struct OwnBoard {
    /// Rows from the top.
    pub board: Vec<Vec<u8>>,
    /// Who is to move.
    pub turn: ColorNumber,
    /// The point of the last move, if it was a stone.
    pub last_move: Option<[u8; 2]>,
    /// The number of the move that it begins after.
    pub after_move: u32,
    /// Moves that were tried.
    pub moves: u32,
}

/// Something that everybody in a lesson is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LessonEvent {
    /// Somebody came.
    Came {
        /// Who.
        name: String,
        /// As what.
        role: Role,
    },
    /// Somebody went.
    Went {
        /// Who.
        name: String,
    },
    /// Somebody has another role.
    RoleGiven {
        /// Who.
        name: String,
        /// Which.
        role: Role,
    },
    /// A student offers a variation.
    Offered {
        /// Who.
        name: String,
        /// Moves in it.
        moves: u32,
    },
    /// The teacher shows what somebody offered.
    OfferShown {
        /// Whose.
        name: String,
    },
    /// The engine's opinion is shown, or hidden.
    EngineShown {
        /// Shown.
        on: bool,
    },
    /// Chat was switched on or off.
    ChatSwitched {
        /// Whether it is on now.
        on: bool,
    },
    /// The lesson has ended.
    Finished,
}

/// What happened in a lesson and how it stands after that.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct LessonUpdate {
    /// What happened; empty where only the board or the state is another.
    pub events: Vec<LessonEvent>,
    /// How things stand.
    pub state: LessonState,
    /// Only where everything is told: the last lines of chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<Vec<ChatLine>>,
}
