//! What was wrong with a record, for windows to say in their language.

use honinbo_record::Problem;
use serde::Serialize;
use specta::Type;

/// Something that was wrong with a record, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RecordProblem {
    /// What it was.
    pub kind: RecordProblemKind,
    /// What the sentence names, in order: numbers, names of properties, what the record says.
    pub values: Vec<String>,
}

/// Kinds of what can be wrong with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RecordProblemKind {
    /// No game starts anywhere in the file.
    NoGame,
    /// The file is larger than the reader accepts.
    TooLarge,
    /// A game has more nodes than the reader accepts.
    TooManyNodes,
    /// Variations nest deeper than the reader accepts.
    TooDeep,
    /// The end of the file came inside a game.
    UnclosedGame,
    /// A property value has no closing bracket.
    UnclosedValue,
    /// A text contains a closing bracket without a backslash.
    UnescapedBracket,
    /// A variation without any node.
    EmptyVariation,
    /// A node follows a variation instead of standing before it.
    NodeAfterVariation,
    /// Properties without a semicolon before them.
    MissingSemicolon,
    /// A property name without a value.
    MissingValue,
    /// A value without a property name.
    MissingIdent,
    /// Characters that mean nothing where they stand.
    Junk,
    /// NUL bytes in the file.
    NulBytes,
    /// Bytes that are not valid in the file's character set.
    InvalidBytes,
    /// `CA` names a character set that nobody knows.
    UnknownCharset,
    /// `CA` names another character set than the text is written in.
    WrongCharset,
    /// No `CA`, and the text is neither ASCII nor UTF-8.
    GuessedCharset,
    /// The game is not Go.
    NotGo,
    /// The board size cannot be used.
    BadSize,
    /// The komi is not a number.
    BadKomi,
    /// The komi is written in a unit of the server.
    ServerKomi,
    /// The ruleset's name is not known.
    UnknownRuleset,
    /// `HA` and the handicap stones on the board disagree.
    HandicapMismatch,
    /// `HA` without any stones, and White moves first.
    MissingHandicap,
    /// Set-up stones that could not stand on a board.
    LifelessStones,
    /// A value that is not a point of the board.
    BadPoint,
    /// A move that the rules forbid.
    IllegalMove,
    /// A move by the player who was not to move.
    WrongTurn,
    /// More diagnostics than are kept.
    More,
}

impl From<&Problem> for RecordProblem {
    fn from(problem: &Problem) -> Self {
        use RecordProblemKind as Kind;
        let (kind, values) = match problem {
            Problem::NoGame => (Kind::NoGame, vec![]),
            Problem::TooLarge { bytes, limit } => (Kind::TooLarge, vec![bytes.to_string(), limit.to_string()]),
            Problem::TooManyNodes { limit } => (Kind::TooManyNodes, vec![limit.to_string()]),
            Problem::TooDeep { limit } => (Kind::TooDeep, vec![limit.to_string()]),
            Problem::UnclosedGame { open } => (Kind::UnclosedGame, vec![open.to_string()]),
            Problem::UnclosedValue { ident } => (Kind::UnclosedValue, vec![ident.to_string()]),
            Problem::UnescapedBracket { ident } => (Kind::UnescapedBracket, vec![ident.to_string()]),
            Problem::EmptyVariation => (Kind::EmptyVariation, vec![]),
            Problem::NodeAfterVariation => (Kind::NodeAfterVariation, vec![]),
            Problem::MissingSemicolon => (Kind::MissingSemicolon, vec![]),
            Problem::MissingValue { ident } => (Kind::MissingValue, vec![ident.to_string()]),
            Problem::MissingIdent => (Kind::MissingIdent, vec![]),
            Problem::Junk { text } => (Kind::Junk, vec![text.to_string()]),
            Problem::NulBytes => (Kind::NulBytes, vec![]),
            Problem::InvalidBytes { count, charset } => {
                (Kind::InvalidBytes, vec![count.to_string(), charset.to_string()])
            }
            Problem::UnknownCharset { name } => (Kind::UnknownCharset, vec![name.to_string()]),
            Problem::WrongCharset { declared, actual } => {
                (Kind::WrongCharset, vec![declared.to_string(), actual.to_string()])
            }
            Problem::GuessedCharset { actual } => (Kind::GuessedCharset, vec![actual.to_string()]),
            Problem::NotGo { gm } => (Kind::NotGo, vec![gm.to_string()]),
            Problem::BadSize { size } => (Kind::BadSize, vec![size.to_string()]),
            Problem::BadKomi { komi } => (Kind::BadKomi, vec![komi.to_string()]),
            Problem::ServerKomi { komi, half_points } => {
                (Kind::ServerKomi, vec![komi.clone(), (f64::from(*half_points) / 2.0).to_string()])
            }
            Problem::UnknownRuleset { name } => (Kind::UnknownRuleset, vec![name.to_string()]),
            Problem::HandicapMismatch { declared, stones } => {
                (Kind::HandicapMismatch, vec![declared.to_string(), stones.to_string()])
            }
            Problem::MissingHandicap { declared } => (Kind::MissingHandicap, vec![declared.to_string()]),
            Problem::LifelessStones { point } => (Kind::LifelessStones, vec![point.to_string()]),
            Problem::BadPoint { ident, value } => (Kind::BadPoint, vec![ident.to_string(), value.to_string()]),
            Problem::IllegalMove { number, .. } => (Kind::IllegalMove, vec![number.to_string()]),
            Problem::WrongTurn { number, .. } => (Kind::WrongTurn, vec![number.to_string()]),
            Problem::More { count } => (Kind::More, vec![count.to_string()]),
        };
        Self { kind, values }
    }
}
