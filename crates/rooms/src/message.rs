//! What goes over the wire, one JSON object a message.

use crate::event::{ChatLine, Event};
use crate::lesson::{LessonUpdate, OwnBoard};
use crate::refusal::Refusal;
use crate::state::RoomState;
use crate::wire::ColorNumber;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use specta::Type;

/// Version of this protocol. It grows when something means another thing than before; more fields do not change it.
pub const VERSION: u32 = 1;

/// Longest message of a client; a chat line in the longest characters fits.
pub const MAX_CLIENT_MESSAGE_BYTES: usize = 8 << 10;

/// What a client sent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Numbered<R> {
    /// A number of the client's own, larger than those of its messages before; it makes sending again harmless.
    pub id: Option<u64>,
    /// What it wants.
    #[serde(flatten)]
    pub request: R,
}

/// What a client of a room sent.
pub type ClientMessage = Numbered<Request>;

/// What a client wants. Colours are 1 for Black and 2 for White, points count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "RoomRequest", tag = "type", rename_all = "snake_case")]
pub enum Request {
    /// Place a stone.
    Move {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
        /// Whose; the sender's where it is not said.
        #[serde(default)]
        color: Option<u8>,
        /// The number that the move is to have, from 1: it is refused when the game has gone on.
        #[serde(default)]
        number: Option<u32>,
    },
    /// Pass.
    Pass {
        /// As for a move.
        #[serde(default)]
        number: Option<u32>,
    },
    /// Give the game up.
    Resign,
    /// Ask to take one's last move back.
    Undo,
    /// Answer the other player's wish to take back.
    UndoAnswer {
        /// Yes or no.
        granted: bool,
    },
    /// Mark a chain as dead, or as alive where it is marked.
    Mark {
        /// Column of one of its stones.
        x: i64,
        /// Row.
        y: i64,
    },
    /// Agree that the stones that are marked are dead, and no others.
    Agree {
        /// The number of the marking, from the state.
        revision: u32,
    },
    /// Go on playing instead of counting.
    ResumePlay,
    /// Ask to adjourn.
    Adjourn,
    /// Answer the other player's wish to adjourn.
    AdjournAnswer {
        /// Yes or no.
        granted: bool,
    },
    /// Be ready to go on with an adjourned game.
    Continue,
    /// Say something.
    Chat {
        /// What.
        text: String,
    },
    /// Switch chat on or off.
    ChatSwitch {
        /// On or off.
        on: bool,
    },
    /// Give one's seat up, before the game has begun.
    Leave,
    /// Win an adjourned game without clocks that the other player stays away from.
    Claim,
    /// End the game without a result, before each has moved.
    Cancel,
    /// Ask for what came after a message.
    Sync {
        /// The number of the last message that was received; everything is sent where it is missing.
        #[serde(default)]
        after: Option<u64>,
    },
}

impl<R: DeserializeOwned> Numbered<R> {
    /// Reads a message, whose `type` has to be a name: below a flattened field Serde takes the number of a variant for it,
    /// too.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] for everything that is none.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        if text.len() > MAX_CLIENT_MESSAGE_BYTES {
            return Err(Refusal::Malformed(format!("it is longer than {MAX_CLIENT_MESSAGE_BYTES} bytes")));
        }
        let malformed = |error: serde_json::Error| Refusal::Malformed(error.to_string());
        let fields: Map<String, Value> = serde_json::from_str(text).map_err(malformed)?;
        if fields.get("type").is_some_and(|name| !name.is_string()) {
            return Err(Refusal::Malformed("its `type` is no name".into()));
        }
        serde_json::from_value(Value::Object(fields)).map_err(malformed)
    }
}

/// The number of a message that cannot be understood, for the answer that says so.
#[must_use]
pub fn id_of(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Head {
        id: Option<u64>,
    }
    // An array would do as a `Head` too.
    let is_object = text.len() <= MAX_CLIENT_MESSAGE_BYTES && text.trim_start().starts_with('{');
    serde_json::from_str::<Head>(text).ok().filter(|_| is_object)?.id
}

/// What the server sends. Of everything that happens, the last has the number `seq`, and `events` lists it in its order
/// from `seq - events.len() + 1` on.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "RoomMessage")]
pub struct ServerMessage {
    /// [`VERSION`].
    pub version: u32,
    /// The room's name.
    pub room: String,
    /// The number of the last event that the message knows of.
    pub seq: u64,
    /// The rest.
    #[serde(flatten)]
    pub body: Body,
}

/// What a message of the server is about.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "RoomMessageBody", tag = "type", rename_all = "snake_case")]
pub enum Body {
    /// A game begins, or a client comes to one that is under way.
    GameStart(Box<Update>),
    /// Something happened.
    StateUpdate(Box<Update>),
    /// The game is over.
    GameOver(Box<Update>),
    /// Somebody said something, and nothing else happened.
    Chat {
        /// What happened: lines of chat.
        events: Vec<Event>,
    },
    /// A lesson stands otherwise than before, or a client comes to it.
    LessonState(Box<LessonUpdate>),
    /// The teacher of a lesson points elsewhere.
    LessonPointer {
        /// Where; at nothing where it is `None`.
        point: Option<[u8; 2]>,
    },
    /// To one person in a lesson: the board of one's own.
    OwnBoard {
        /// `None` where the person looks at what all see.
        own: Option<Box<OwnBoard>>,
    },
    /// To the sender alone: the message with this id was done, now or before.
    Ack {
        /// The client's number.
        id: u64,
    },
    /// To the sender alone: a message was refused, and changed nothing.
    Error {
        /// A stable name.
        kind: &'static str,
        /// A sentence.
        message: String,
        /// The number that the client gave the message.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<u64>,
    },
}

impl Body {
    /// The answer to a message that was refused.
    #[must_use]
    pub fn refused(refusal: &Refusal, id: Option<u64>) -> Self {
        Self::Error { kind: refusal.kind(), message: refusal.to_string(), id }
    }
}

/// What happened and how things stand after it.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "RoomUpdate")]
pub struct Update {
    /// What happened; empty where only the state is told.
    pub events: Vec<Event>,
    /// How things stand.
    pub state: RoomState,
    /// Only where the whole room is told: all moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<PlayedMove>>,
    /// Only where the whole room is told: the last lines of chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<Vec<ChatLine>>,
}

/// A move of a game: a stone, or a pass where there is no point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename = "RoomMove")]
pub struct PlayedMove {
    /// Whose.
    pub color: ColorNumber,
    /// Column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<u8>,
    /// Row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<u8>,
}

impl ServerMessage {
    /// As JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("names are texts and numbers are finite")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_old_clients_are_understood() {
        let read = |text: &str| ClientMessage::parse(text).unwrap();
        assert_eq!(
            read(r#"{"type":"move","x":3,"y":15,"color":2}"#).request,
            Request::Move { x: 3, y: 15, color: Some(2), number: None }
        );
        assert_eq!(read(r#"{"type":"pass"}"#).request, Request::Pass { number: None });
        assert_eq!(
            read(r#"{"type":"resign","id":7,"comment":"well played"}"#),
            ClientMessage { id: Some(7), request: Request::Resign }
        );
    }

    #[test]
    fn everything_else_is_malformed() {
        let long = format!(r#"{{"type":"chat","text":"{}"}}"#, "x".repeat(MAX_CLIENT_MESSAGE_BYTES));
        for wrong in [
            "",
            "null",
            "[]",
            "{}",
            r#"{"type":"shout"}"#,
            r#"{"type":1}"#,
            r#"{"type":2}"#,
            r#"{"type":null}"#,
            r#"{"type":["resign"]}"#,
            r#"{"type":"move","x":"3","y":1}"#,
            r#"{"type":"pass","id":-1}"#,
            &long,
        ] {
            assert!(matches!(ClientMessage::parse(wrong), Err(Refusal::Malformed(_))), "{wrong:.40}");
            assert_eq!(id_of(wrong), None, "{wrong:.40}");
        }
        assert_eq!(id_of(r#"{"type":"shout","id":5}"#), Some(5));
        assert_eq!(id_of("[5]"), None);
    }
}
