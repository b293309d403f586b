//! Why a move or a position is refused.

use crate::{BoardSize, Color, Point, Topology};

/// Why a move was refused. The position is untouched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalMove {
    /// The point is not on the board.
    Outside {
        /// Where.
        point: Point,
        /// The board's size.
        size: BoardSize,
    },
    /// There is a stone already.
    Occupied {
        /// Where.
        point: Point,
    },
    /// The stone would retake a ko at once.
    Ko {
        /// Where.
        point: Point,
    },
    /// The ruleset forbids repeating an earlier position of the whole board.
    Superko {
        /// Where.
        point: Point,
        /// The number of moves after which the position was there; 0 is the start.
        first_seen: u32,
    },
    /// In a clean-up phase a ko may be taken once only by each player in one arrangement.
    KoTakenBefore {
        /// Where.
        point: Point,
    },
    /// The stone's own chain would have no liberty.
    Suicide {
        /// Where.
        point: Point,
    },
    /// It is the other player's turn.
    WrongTurn {
        /// Whose turn it is.
        to_play: Color,
    },
    /// The game has ended.
    GameOver,
    /// The game has as many moves as this program keeps.
    TooLong {
        /// The limit.
        limit: usize,
    },
}

impl IllegalMove {
    /// What it says, with its point as people write it on a board of this size, such as `D4`.
    #[must_use]
    pub fn on_board(&self, size: BoardSize) -> String {
        self.told(|point| point.to_gtp(size))
    }

    fn told(&self, at: impl Fn(Point) -> String) -> String {
        match *self {
            Self::Outside { point, size } => format!("({}, {}) is outside the {size} board", point.x(), point.y()),
            Self::Occupied { point } => format!("{} is already occupied", at(point)),
            Self::Ko { point } => format!("{} would retake the ko at once", at(point)),
            Self::Superko { point, first_seen } => {
                format!("{} would repeat the position after move {first_seen}", at(point))
            }
            Self::KoTakenBefore { point } => {
                format!("{} would take the same ko a second time in this phase", at(point))
            }
            Self::Suicide { point } => format!("{} would be suicide", at(point)),
            Self::WrongTurn { to_play } => format!("it is {to_play}'s turn"),
            Self::GameOver => "the game is over".into(),
            Self::TooLong { limit } => format!("a game cannot have more than {limit} moves"),
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            IllegalMove::Outside { .. } | IllegalMove::Occupied { .. } => "choose an empty point of the board",
            IllegalMove::Ko { .. } => "play elsewhere first, then retake",
            IllegalMove::Superko { .. } | IllegalMove::KoTakenBefore { .. } => {
                "change the position elsewhere first, or choose a ruleset with another ko rule"
            }
            IllegalMove::Suicide { .. } => "choose a point with a liberty, or a ruleset that allows suicide",
            IllegalMove::WrongTurn { .. } => "wait for the other player, or pass for that player",
            IllegalMove::GameOver => "resume the game or start a new one",
            IllegalMove::TooLong { .. } => "start a new game from this position",
        }
    }
}

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.told(|point| point.to_string()))
    }
}

impl std::error::Error for IllegalMove {}

/// Why a set-up position was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// A stone is not on the board.
    #[error("stone at ({}, {}) is outside the {size} board", .point.x(), .point.y())]
    Outside {
        /// Where.
        point: Point,
        /// The board's size.
        size: BoardSize,
    },
    /// A point was given a black and a white stone.
    #[error("{0} is given both a black and a white stone")]
    BothColors(Point),
    /// A chain could not stand on the board.
    #[error("the chain at {0} has no liberty")]
    NoLiberty(Point),
    /// Too many handicap stones for the board.
    #[error("{stones} handicap stones do not fit a {size} board")]
    Handicap {
        /// How many were asked for.
        stones: usize,
        /// The board's size.
        size: BoardSize,
    },
    /// A handicap on the star points of a board that has none.
    #[error("a {0} has no star points")]
    NoStarPoints(Topology),
    /// A game that starts in a clean-up phase needs territory scoring.
    #[error("a clean-up phase exists only under territory scoring")]
    PhaseNeedsTerritory,
    /// A text diagram could not be read.
    #[error("line {line} of the diagram: {problem}")]
    Diagram {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A board size out of range.
    #[error(transparent)]
    Size(#[from] crate::SizeError),
}

impl SetupError {
    /// What it says, with its point as people write it on a board of this size, such as `D4`.
    #[must_use]
    pub fn on_board(&self, size: BoardSize) -> String {
        match self {
            SetupError::BothColors(point) => format!("{} is given both a black and a white stone", point.to_gtp(size)),
            SetupError::NoLiberty(point) => format!("the chain at {} has no liberty", point.to_gtp(size)),
            other => other.to_string(),
        }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            SetupError::Outside { .. } => "check the board size, or remove the stone",
            SetupError::BothColors(_) => "keep one of the two stones",
            SetupError::NoLiberty(_) => "remove the chain or one of its neighbours",
            SetupError::Handicap { .. } => "use fewer handicap stones, or place them by hand",
            SetupError::NoStarPoints(_) => "place the stones by hand",
            SetupError::PhaseNeedsTerritory => "choose a ruleset with territory scoring, or start in the main phase",
            SetupError::Diagram { .. } => "write one row a line with `.`, `X` (black) and `O` (white)",
            SetupError::Size(error) => error.hint(),
        }
    }
}
