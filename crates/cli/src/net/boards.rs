//! The boards that a network is written for.

use honinbo_rules::{BoardSize, ParseSizeError};
use std::fmt;
use std::str::FromStr;

/// Boards of every size, or of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boards {
    Any,
    Of(BoardSize),
}

impl FromStr for Boards {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, ParseSizeError> {
        if text == "any" { Ok(Self::Any) } else { text.parse().map(Self::Of) }
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Of(size) => size.fmt(f),
        }
    }
}
