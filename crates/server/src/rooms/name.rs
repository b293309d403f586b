//! Names of rooms.

use crate::token::Token;
use honinbo_library::AccountId;

/// Digits of a room's number: short enough to be said, and too many to be guessed one after the other.
const DIGITS: usize = 8;
const ENGINE: &str = "ai_";

/// A room by the name that an address gives it, for the person who opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RoomName {
    /// A room that somebody made.
    Number(String),
    /// The person's own room against an engine: its level, and what the keys of such rooms begin with.
    Engine { level: String, own: String },
}

impl RoomName {
    /// `None` where no room has such a name.
    pub(super) fn parse(text: &str, person: AccountId) -> Option<Self> {
        if let Some(level) = text.strip_prefix(ENGINE) {
            let known = !level.is_empty() && level.len() <= 64 && level.chars().all(|c| !c.is_control());
            // As the old program called its strongest.
            let played = if level == "katago" { "hard" } else { level };
            return known.then(|| Self::Engine { level: played.to_owned(), own: format!("{text}:{person}") });
        }
        let is_number = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self::Number(text.to_owned()))
    }

    /// A number at random; `None` when the system has no random numbers.
    pub(super) fn random() -> Option<String> {
        let token = Token::random().ok()?;
        let number = u64::from_str_radix(&token.as_str()[..15], 16).ok()?;
        Some(format!("{:0width$}", number % 10_u64.pow(DIGITS as u32), width = DIGITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_have_numbers_or_engines() {
        let read = |text: &str| RoomName::parse(text, AccountId(7));
        let number = RoomName::random().unwrap();
        assert_eq!(read(&number), Some(RoomName::Number(number.clone())));
        let engine = |level: &str, own: &str| Some(RoomName::Engine { level: level.into(), own: own.into() });
        assert_eq!(read("ai_katago"), engine("hard", "ai_katago:7"));
        assert_eq!(read("ai_rank_5k"), engine("rank_5k", "ai_rank_5k:7"));
        for wrong in ["", "1", "123456789", "1234567x", "ai_", "１２３４５６７８", "../rooms", "ai_\n"] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
