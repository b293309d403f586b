//! What clients ask of a lesson.

use crate::message::Numbered;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What somebody may do in a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "LessonRole", rename_all = "snake_case")]
pub enum Role {
    /// Leads: the board that all see is this person's.
    Teacher,
    /// Tries moves on a board of their own, offers them to all, and talks.
    Student,
    /// Watches, and tries moves for themselves.
    Audience,
}

/// What is drawn on a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "LessonShape", rename_all = "snake_case")]
pub enum Shape {
    /// `TR`.
    Triangle,
    /// `SQ`.
    Square,
    /// `CR`.
    Circle,
    /// `MA`.
    Cross,
}

impl Shape {
    pub(super) const ALL: [Self; 4] = [Self::Triangle, Self::Square, Self::Circle, Self::Cross];

    /// The property of SGF.
    pub(super) fn ident(self) -> &'static str {
        match self {
            Self::Triangle => "TR",
            Self::Square => "SQ",
            Self::Circle => "CR",
            Self::Cross => "MA",
        }
    }
}

/// What a client of a lesson sent.
pub type LessonMessage = Numbered<LessonRequest>;

/// What a client wants. Points count from 0 at the top left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LessonRequest {
    /// The teacher places a stone on the board that all see: an existing continuation is followed, another becomes a variation.
    Play {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
    },
    /// The teacher passes for the player to move.
    Pass,
    /// The teacher goes so many moves on along the first continuations, or back where it is negative.
    Step {
        /// Moves.
        by: i64,
    },
    /// The teacher follows one of the continuations.
    Enter {
        /// Which, from 0, in the order of the state.
        index: u32,
    },
    /// The teacher goes to another move in the place of the last one.
    Sibling {
        /// So many further; negative goes back.
        by: i64,
    },
    /// The teacher takes the last move away, with everything after it.
    Remove,
    /// The teacher points at a point; at none where it is missing.
    Point {
        /// Column.
        #[serde(default)]
        x: Option<i64>,
        /// Row.
        #[serde(default)]
        y: Option<i64>,
    },
    /// The teacher draws on a point; takes away what is there where no shape is named, or the same one again.
    Mark {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
        /// What.
        #[serde(default)]
        shape: Option<Shape>,
    },
    /// The teacher writes about a position.
    Comment {
        /// What; nothing takes the comment away.
        text: String,
        /// Which position of the record, by [`LessonState::node`](crate::LessonState::node); the one that all see where it is
        /// missing.
        #[serde(default)]
        node: Option<u64>,
    },
    /// The teacher shows or hides the engine's opinion.
    Engine {
        /// Shown.
        on: bool,
    },
    /// The teacher gives somebody another role.
    Role {
        /// Who.
        name: String,
        /// Which; there is one teacher.
        role: Role,
    },
    /// The teacher says what those who come from now on are.
    Newcomers {
        /// Student or audience.
        role: Role,
    },
    /// Tries a move on a board of one's own, which begins at the position that all see.
    Try {
        /// Column; a pass where it is missing.
        #[serde(default)]
        x: Option<i64>,
        /// Row.
        #[serde(default)]
        y: Option<i64>,
    },
    /// Takes the last move back that one has tried.
    TryBack,
    /// Puts the own board away and looks at what all see.
    Follow,
    /// A student offers what was tried to all.
    Offer,
    /// A student takes the offer back.
    Withdraw,
    /// The teacher puts what somebody offers on the board that all see, as a variation of the record.
    ShowOffer {
        /// Whose.
        name: String,
    },
    /// The teacher puts an offer away.
    DismissOffer {
        /// Whose.
        name: String,
    },
    /// The teacher or a student says something.
    Chat {
        /// What.
        text: String,
    },
    /// The teacher switches chat on or off.
    ChatSwitch {
        /// On or off.
        on: bool,
    },
    /// The teacher ends the lesson; it is kept with those who took part.
    Finish,
    /// Asks how the lesson stands.
    Sync {
        /// As for a room: what was said is told too, unless nothing has come after that.
        #[serde(default)]
        after: Option<u64>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Refusal;

    #[test]
    fn a_number_names_no_request() {
        assert_eq!(LessonMessage::parse(r#"{"type":"pass"}"#).unwrap().request, LessonRequest::Pass);
        for wrong in [r#"{"type":1}"#, r#"{"type":5}"#, r#"{"type":null}"#, r#"{"type":["pass"]}"#, r#"["pass"]"#] {
            assert!(matches!(LessonMessage::parse(wrong), Err(Refusal::Malformed(_))), "{wrong}");
        }
    }
}
