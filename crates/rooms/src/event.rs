//! What happened in a room, in the order it happened.

use crate::wire::ColorNumber;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Something that everybody in a room is told. Points count from 0 at the top
/// left.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename = "RoomEvent", tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// Somebody took a seat.
    Seated {
        /// Which.
        color: ColorNumber,
        /// Who.
        name: String,
    },
    /// Somebody gave a seat up before the game began.
    Left {
        /// Which.
        color: ColorNumber,
    },
    /// Somebody for whom a seat was kept does not want it.
    Declined {
        /// Who.
        name: String,
    },
    /// A player came or went.
    Presence {
        /// Which.
        color: ColorNumber,
        /// Whether the player is here now.
        online: bool,
    },
    /// The game has begun.
    Started,
    /// A stone was placed.
    Move {
        /// Whose.
        color: ColorNumber,
        /// Column.
        x: u8,
        /// Row.
        y: u8,
        /// The number of the move, from 1.
        number: u32,
    },
    /// A player passed.
    Pass {
        /// Who.
        color: ColorNumber,
        /// The number of the move, from 1.
        number: u32,
    },
    /// A player asks to take the last move back.
    UndoAsked {
        /// Who.
        color: ColorNumber,
    },
    /// The other player does not want that.
    UndoRefused {
        /// Who.
        color: ColorNumber,
    },
    /// Moves were taken back.
    Undone {
        /// Moves that are left.
        moves: u32,
    },
    /// Both passed: what is dead is to be agreed on.
    Counting,
    /// Other stones are marked as dead now, and nobody has agreed to them.
    Marked,
    /// A player agrees to the stones that are marked.
    Agreed {
        /// Who.
        color: ColorNumber,
    },
    /// The players do not agree; the game goes on.
    PlayResumed,
    /// A player asks to adjourn.
    AdjournAsked {
        /// Who.
        color: ColorNumber,
    },
    /// The other player does not want that.
    AdjournRefused {
        /// Who.
        color: ColorNumber,
    },
    /// The game is adjourned.
    Adjourned {
        /// Because a player of a game without clocks was away for too long.
        away: bool,
    },
    /// A player is ready to go on.
    Ready {
        /// Who.
        color: ColorNumber,
    },
    /// The adjourned game goes on.
    Continued,
    /// The game is over.
    Over {
        /// As SGF's `RE` writes it.
        result: String,
    },
    /// Somebody said something.
    Chat(ChatLine),
    /// Chat was switched on or off.
    ChatSwitched {
        /// Whether it is on now.
        on: bool,
    },
    /// The engine is busy with other games; its move comes when its turn has come.
    EngineBusy,
    /// The engine could not answer; somebody simpler answered for it.
    EngineStoodIn,
}

/// A line of chat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ChatLine {
    /// Who said it.
    pub name: String,
    /// What.
    pub text: String,
}
