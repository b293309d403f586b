//! What a reader found wrong in a file, where, and what it did about it.

use honinbo_rules::BoardSize;
use std::fmt;

/// How much a [`Diagnostic`] matters to the person who owns the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing was lost or guessed.
    Info,
    /// Something was repaired or guessed.
    Warning,
    /// Something could not be used.
    Error,
}

impl Severity {
    /// `info`, `warning` or `error`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A reason why a file was not taken exactly as it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No game starts anywhere in the file.
    #[error("no game record found")]
    NoGame,
    /// The file is larger than the reader accepts.
    #[error("the file has {bytes} bytes, more than the {limit} that are read")]
    TooLarge {
        /// Size of the input.
        bytes: u64,
        /// Largest accepted size.
        limit: u64,
    },
    /// A game has more nodes than the reader accepts.
    #[error("the game has more than {limit} nodes")]
    TooManyNodes {
        /// Largest accepted number.
        limit: usize,
    },
    /// Variations nest deeper than the reader accepts.
    #[error("variations nest deeper than {limit}")]
    TooDeep {
        /// Largest accepted depth.
        limit: usize,
    },
    /// The end of the file came inside a game.
    #[error("the file ends inside a game, {}", brackets(*.open))]
    UnclosedGame {
        /// Number of round brackets that were never closed.
        open: usize,
    },
    /// A property value has no closing bracket.
    #[error("the value of {ident} has no closing bracket")]
    UnclosedValue {
        /// Property the value belongs to.
        ident: String,
    },
    /// A text contains a closing bracket without a backslash.
    #[error("the text of {ident} contains an unescaped closing bracket")]
    UnescapedBracket {
        /// Property the text belongs to.
        ident: String,
    },
    /// A variation without any node.
    #[error("an empty variation")]
    EmptyVariation,
    /// A node follows a variation instead of standing before it.
    #[error("a node stands after a variation")]
    NodeAfterVariation,
    /// Properties without a semicolon before them.
    #[error("a node without its semicolon")]
    MissingSemicolon,
    /// A property name without a value.
    #[error("{ident} has no value")]
    MissingValue {
        /// Name of the property.
        ident: String,
    },
    /// A value without a property name.
    #[error("a value without a property name")]
    MissingIdent,
    /// Characters that mean nothing where they stand.
    #[error("unexpected text `{text}`")]
    Junk {
        /// The first characters of it.
        text: String,
    },
    /// NUL bytes in the file.
    #[error("the file contains NUL bytes")]
    NulBytes,
    /// Bytes that are not valid in the file's character set.
    #[error("{count} bytes are not valid {charset}")]
    InvalidBytes {
        /// How many.
        count: usize,
        /// Character set the file was read in.
        charset: &'static str,
    },
    /// `CA` names a character set that nobody knows.
    #[error("unknown character set `{name}`")]
    UnknownCharset {
        /// The name in the file.
        name: String,
    },
    /// `CA` names another character set than the text is written in.
    #[error("the file says {declared}, but the text is {actual}")]
    WrongCharset {
        /// The name in the file.
        declared: String,
        /// What the bytes are.
        actual: &'static str,
    },
    /// No `CA`, and the text is neither ASCII nor UTF-8.
    #[error("no character set is named")]
    GuessedCharset {
        /// What the bytes look like.
        actual: &'static str,
    },
    /// The game is not Go.
    #[error("game type {gm} is not Go")]
    NotGo {
        /// Value of `GM`.
        gm: String,
    },
    /// The board size cannot be used.
    #[error("board size `{size}` is not between 2x2 and {max}x{max}", max = BoardSize::MAX)]
    BadSize {
        /// Value of `SZ`.
        size: String,
    },
    /// The komi is not a number.
    #[error("komi `{komi}` is not a number")]
    BadKomi {
        /// Value of `KM`.
        komi: String,
    },
    /// The komi is written in a unit of the server.
    #[error("komi `{komi}` is in the unit of the server")]
    ServerKomi {
        /// Value of `KM`.
        komi: String,
        /// What it means, in half points.
        half_points: i32,
    },
    /// The ruleset's name is not known.
    #[error("ruleset `{name}` is not known")]
    UnknownRuleset {
        /// Value of `RU`.
        name: String,
    },
    /// `HA` and the handicap stones on the board disagree.
    #[error("handicap {declared}, but {stones} stones are on the board")]
    HandicapMismatch {
        /// Value of `HA`.
        declared: u32,
        /// Black stones set up.
        stones: u32,
    },
    /// `HA` without any stones, and White moves first.
    #[error("handicap {declared} without its stones")]
    MissingHandicap {
        /// Value of `HA`.
        declared: u32,
    },
    /// Set-up stones that could not stand on a board.
    #[error("the stones at {point} have no liberty")]
    LifelessStones {
        /// One of them.
        point: String,
    },
    /// A value that is not a point of the board.
    #[error("{ident}[{value}] is not a point of the board")]
    BadPoint {
        /// Property.
        ident: String,
        /// Its value.
        value: String,
    },
    /// A move that the rules forbid.
    #[error("move {number} is not legal: {reason}")]
    IllegalMove {
        /// Number of the move in its line, from 1.
        number: u32,
        /// Why.
        reason: String,
    },
    /// A move by the player who was not to move.
    #[error("move {number} is by {color}, whose turn it was not")]
    WrongTurn {
        /// Number of the move in its line, from 1.
        number: u32,
        /// `Black` or `White`.
        color: &'static str,
    },
    /// More diagnostics than are kept.
    #[error("{count} more problems")]
    More {
        /// How many were left out.
        count: usize,
    },
}

fn brackets(open: usize) -> String {
    if open == 1 { "1 bracket is open".into() } else { format!("{open} brackets are open") }
}

impl Problem {
    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self {
            Self::NoGame | Self::TooLarge { .. } | Self::TooManyNodes { .. } | Self::TooDeep { .. } => Severity::Error,
            Self::NotGo { .. } | Self::BadSize { .. } | Self::IllegalMove { .. } => Severity::Error,
            Self::GuessedCharset { .. }
            | Self::UnknownRuleset { .. }
            | Self::WrongTurn { .. }
            | Self::More { .. }
            | Self::EmptyVariation => Severity::Info,
            _ => Severity::Warning,
        }
    }

    /// What the reader did, as the second half of a sentence.
    #[must_use]
    pub fn action(&self) -> String {
        match self {
            Self::NoGame | Self::TooLarge { .. } => "nothing was read".into(),
            Self::TooManyNodes { .. } | Self::TooDeep { .. } => "the rest of the game was left out".into(),
            Self::UnclosedGame { open: 1 } => "it was closed at the end".into(),
            Self::UnclosedGame { .. } => "they were closed at the end".into(),
            Self::UnclosedValue { .. } => "it was closed where the next part begins".into(),
            Self::UnescapedBracket { .. } => "it was taken as part of the text".into(),
            Self::EmptyVariation => "it was left out".into(),
            Self::NodeAfterVariation => "it was read as one more variation".into(),
            Self::MissingSemicolon => "a new node was started".into(),
            Self::MissingValue { .. } | Self::Junk { .. } | Self::MissingIdent => "it was skipped".into(),
            Self::NulBytes => "they were kept".into(),
            Self::InvalidBytes { .. } => "they are shown as a question mark and kept when the file is written".into(),
            Self::UnknownCharset { .. } => "the character set was guessed from the text".into(),
            Self::WrongCharset { actual, .. } | Self::GuessedCharset { actual } => format!("it was read as {actual}"),
            Self::NotGo { .. } => "only its text is kept".into(),
            Self::BadSize { .. } => "19x19 was taken".into(),
            Self::BadKomi { .. } | Self::UnknownRuleset { .. } => "the usual one was taken".into(),
            Self::ServerKomi { half_points, .. } => format!("{} points were taken", f64::from(*half_points) / 2.0),
            Self::HandicapMismatch { .. } => "the stones on the board were taken".into(),
            Self::MissingHandicap { .. } => "they were put on the star points".into(),
            Self::LifelessStones { .. } => "they were taken off the board".into(),
            Self::BadPoint { .. } => "it was skipped".into(),
            Self::IllegalMove { .. } => "it was left out on the board and kept in the record".into(),
            Self::WrongTurn { .. } => "it was played as written".into(),
            Self::More { .. } => "they were not listed".into(),
        }
    }
}

/// One thing that was wrong in a file: where, what, and what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line in the file, from 1; 0 when it is about the whole file.
    pub line: u32,
    /// Column in characters, from 1; 0 when it is about a whole line or file.
    pub column: u32,
    /// What was wrong.
    pub problem: Problem,
}

impl Diagnostic {
    /// A diagnostic about a whole file.
    #[must_use]
    pub fn file(problem: Problem) -> Self {
        Self { line: 0, column: 0, problem }
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.problem.severity()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        write!(f, "{}; {}", self.problem, self.problem.action())
    }
}

/// Keeps the first diagnostics and counts the others, so that a hostile file cannot fill memory with complaints.
#[derive(Debug)]
pub(crate) struct Report {
    kept: Vec<Diagnostic>,
    limit: usize,
    left_out: usize,
}

impl Report {
    pub(crate) fn new(limit: usize) -> Self {
        Self { kept: Vec::new(), limit, left_out: 0 }
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if self.kept.len() < self.limit {
            self.kept.push(diagnostic);
        } else {
            self.left_out += 1;
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= self.limit
    }

    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.left_out > 0 {
            self.kept.push(Diagnostic::file(Problem::More { count: self.left_out }));
        }
        self.kept
    }
}
