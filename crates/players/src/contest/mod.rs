//! Games between two players, and what they say about their strength.

mod game;
mod opening;
mod record;
mod schedule;
mod tally;

pub use game::{Ending, GameTerms, PlayedGame, play_game};
pub use opening::Openings;
pub use record::record_of;
pub use schedule::{Contest, ContestError, ContestGame};
pub use tally::Tally;
