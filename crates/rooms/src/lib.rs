//! Rooms: people and engines play each other, watch and talk. A state machine without I/O, threads or clocks of its own.
//!
//! A [`Room`] is told who came, who went, what somebody sent and what time it is; it answers with messages for everybody
//! or with a [`Refusal`] for the sender, which changed nothing. Boards, legality and results are `honinbo_rules`' own.
//! A [`Lesson`] is another such machine: a teacher's board that all see. A [`Tournament`] is a third: who meets whom, and
//! the table.
//!
//! ```
//! use honinbo_rooms::{ClientMessage, Now, Room, Seat, Terms};
//! use std::time::Duration;
//!
//! let seat = |name: &str| Some(Seat::person(name, name));
//! let mut room = Room::new("123456", Terms::default(), [seat("anna"), seat("ben")]).unwrap();
//! let now = Now::at(Duration::from_secs(1));
//! room.connected("anna", now);
//! room.connected("ben", now);
//! room.take_messages();
//! let message = ClientMessage::parse(r#"{"type":"move","x":3,"y":3,"color":1}"#).unwrap();
//! room.handle("anna", "anna", &message, now).unwrap();
//! assert_eq!(room.state(now).board[3][3], 1);
//! assert_eq!(room.take_messages().len(), 1);
//! ```

mod chat;
mod clock;
mod counting;
mod event;
mod kept;
mod lesson;
mod message;
mod offer;
mod positions;
mod record;
mod refusal;
mod room;
mod seat;
mod state;
mod terms;
mod text;
mod tournament;
mod turns;
mod view;
mod wire;

pub use chat::{MAX_CHAT_CHARS, MAX_CHAT_LINES};
pub use clock::MAX_FORGIVEN_LAG;
pub use event::{ChatLine, Event};
pub use kept::KeptRoomError;
pub use lesson::{
    Continuation, Lesson, LessonEvent, LessonLetter, LessonMark, LessonMessage, LessonOffer, LessonPerson,
    LessonRequest, LessonStartError, LessonState, LessonUpdate, MAX_COMMENT_CHARS, MAX_LESSON_NODES, MAX_LESSON_PEOPLE,
    MAX_LESSON_RECORD_BYTES, MAX_TITLE_CHARS, Opinion, OpinionMove, OwnBoard, Role, Shape,
};
pub use message::{
    Body, ClientMessage, MAX_CLIENT_MESSAGE_BYTES, Numbered, PlayedMove, Request, ServerMessage, Update, VERSION, id_of,
};
pub use offer::{MAX_HANDICAP, Offer};
pub use positions::{Positions, ShownPosition, positions_of};
pub use refusal::Refusal;
pub use room::{AWAY_GRACE, CLAIMED_AFTER, INVITED_FOR, MAX_LOGGED_EVENTS, Now, Room, SETTLED_AFTER};
pub use seat::Seat;
pub use state::{ClockState, Counting, FinalScore, PlayerState, RoomState, Stage, TimeLeftState};
pub use terms::{MAX_DELAY, Terms, TermsError, TimeTerms, whole};
pub use text::is_ignorable;
pub use tournament::{
    Attendance, MAX_HANDICAP_LESS, MAX_TOURNAMENT_PLAYERS, MAX_TOURNAMENT_ROUNDS, MAX_TOURNAMENT_TITLE_CHARS, Pairing,
    PairingChange, PairingResult, PlayedRound, Rearranged, Rearrangement, Rest, RestPoints, RoundResult, Standing,
    Tournament, TournamentError, TournamentPlayer, TournamentRound, TournamentStage, TournamentSystem, TournamentTerms,
};
pub use wire::ColorNumber;
