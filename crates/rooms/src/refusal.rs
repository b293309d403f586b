//! Why something that a client sent was refused. The room is as it was.

use honinbo_rules::{BoardSize, IllegalMove};

/// Why a message was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No message of this protocol.
    #[error("this is no message of this protocol: {0}")]
    Malformed(String),
    /// Only players do that.
    #[error("only the two players can do that")]
    NotAPlayer,
    /// A seat is still empty, or nobody has begun.
    #[error("the game has not begun: a seat is empty")]
    NotStarted,
    /// It has begun.
    #[error("the game has begun: resign, or ask to adjourn")]
    AlreadyStarted,
    /// The other player may still come back.
    #[error("an adjourned game without clocks can be claimed once the other player has been away for a week")]
    NotClaimable,
    /// Each has a move on the board.
    #[error("each has moved: resign, or ask to adjourn")]
    EachHasMoved,
    /// In a game of a tournament.
    #[error("the seats of a tournament's game are fixed")]
    FixedSeats,
    /// It has ended.
    #[error("the game is over")]
    GameOver,
    /// It stands.
    #[error("the game is adjourned")]
    Adjourned,
    /// It does not stand.
    #[error("the game is not adjourned")]
    NotAdjourned,
    /// Both passed.
    #[error("both have passed: agree on the dead stones, or resume play")]
    BeingCounted,
    /// Not both passed.
    #[error("the game is not being counted")]
    NotBeingCounted,
    /// The other player's turn.
    #[error("it is the other player's turn")]
    NotYourTurn,
    /// The player has the other colour.
    #[error("that is not your colour")]
    NotYourColor,
    /// The game has gone on since, or not yet so far.
    #[error("the next move is number {expected}")]
    OtherMove {
        /// The number of the next move.
        expected: u32,
    },
    /// The rules forbid it.
    #[error("{message}")]
    Illegal {
        /// A stable name.
        reason: &'static str,
        /// A sentence.
        message: String,
    },
    /// There is no stone there.
    #[error("there is no stone on that point")]
    NoStone,
    /// Others were marked meanwhile.
    #[error("other stones are marked now")]
    OtherMarks,
    /// Nothing to take back.
    #[error("you have no move to take back")]
    NothingToTakeBack,
    /// It was asked already.
    #[error("that was asked already")]
    AskedAlready,
    /// Nobody asked.
    #[error("nobody asked for that")]
    NothingAsked,
    /// Nobody talks here.
    #[error("chat is switched off in this room")]
    ChatOff,
    /// Nothing said, or too much.
    #[error("a line has 1 to {limit} characters, this one has {chars}")]
    ChatLength {
        /// Characters that were sent.
        chars: usize,
        /// Most that a line has.
        limit: usize,
    },
    /// In a lesson.
    #[error("only the teacher can do that")]
    OnlyTheTeacher,
    /// In a lesson.
    #[error("the audience watches; ask the teacher to become a student")]
    Audience,
    /// In a lesson.
    #[error("the lesson is over")]
    LessonOver,
    /// In a lesson.
    #[error("nobody of that name is in this lesson")]
    UnknownPerson,
    /// In a lesson.
    #[error("there is no variation to offer or to show")]
    NothingOffered,
    /// In a lesson.
    #[error("the record has no such move here")]
    NoSuchMove,
    /// No point of the board.
    #[error("({x}, {y}) is outside the {size} board")]
    OffTheBoard {
        /// The column that was sent.
        x: i64,
        /// The row that was sent.
        y: i64,
        /// The board's size.
        size: BoardSize,
    },
    /// In a lesson.
    #[error("there are too many moves; take some away first")]
    TooManyMoves,
    /// In a lesson.
    #[error("the lesson's record is full; take comments or moves away first")]
    RecordFull,
    /// Too many lines.
    #[error("you are sending lines too fast; wait a few seconds")]
    ChatTooFast,
}

impl Refusal {
    /// A stable name, for programs and translations.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed",
            Self::NotAPlayer => "not_a_player",
            Self::NotStarted => "not_started",
            Self::AlreadyStarted => "already_started",
            Self::NotClaimable => "not_claimable",
            Self::EachHasMoved => "each_has_moved",
            Self::FixedSeats => "fixed_seats",
            Self::GameOver => "game_over",
            Self::Adjourned => "adjourned",
            Self::NotAdjourned => "not_adjourned",
            Self::BeingCounted => "being_counted",
            Self::NotBeingCounted => "not_being_counted",
            Self::NotYourTurn => "not_your_turn",
            Self::NotYourColor => "not_your_color",
            Self::OtherMove { .. } => "other_move",
            Self::Illegal { reason, .. } => reason,
            Self::NoStone => "no_stone",
            Self::OtherMarks => "other_marks",
            Self::NothingToTakeBack => "nothing_to_take_back",
            Self::AskedAlready => "asked_already",
            Self::NothingAsked => "nothing_asked",
            Self::ChatOff => "chat_off",
            Self::ChatLength { .. } => "chat_length",
            Self::OnlyTheTeacher => "only_the_teacher",
            Self::Audience => "audience",
            Self::LessonOver => "lesson_over",
            Self::UnknownPerson => "unknown_person",
            Self::NothingOffered => "nothing_offered",
            Self::NoSuchMove => "no_such_move",
            Self::OffTheBoard { .. } => "outside",
            Self::TooManyMoves => "too_many_moves",
            Self::RecordFull => "record_full",
            Self::ChatTooFast => "chat_too_fast",
        }
    }

    pub(crate) fn illegal(error: IllegalMove, size: BoardSize) -> Self {
        let reason = match error {
            IllegalMove::Outside { .. } => "outside",
            IllegalMove::Occupied { .. } => "occupied",
            IllegalMove::Ko { .. } => "ko",
            IllegalMove::Superko { .. } | IllegalMove::KoTakenBefore { .. } => "superko",
            IllegalMove::Suicide { .. } => "suicide",
            IllegalMove::WrongTurn { .. } => return Self::NotYourTurn,
            IllegalMove::GameOver => return Self::GameOver,
            IllegalMove::TooLong { .. } => "too_long",
        };
        Self::Illegal { reason, message: error.on_board(size) }
    }
}
