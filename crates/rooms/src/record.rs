//! The record of a room's game.

use crate::room::Room;
use crate::seat::Seat;
use honinbo_players::{Ending, PlayedGame, record_of};
use honinbo_record::{GameDate, GameTree};
use honinbo_rules::{Outcome, WinBy};

impl Room {
    /// The game as a record, with its clocks, its result once it has one, and the day, in universal time, at so many
    /// seconds since 1970.
    #[must_use]
    pub fn record(&self, unix_seconds: u64) -> GameTree {
        let outcome = self.outcome;
        let ending = match outcome {
            None => Ending::Stopped,
            Some(Outcome::NoResult) => Ending::Repetition,
            Some(Outcome::Win { winner, by: WinBy::Resignation }) => Ending::Resignation(winner.opponent()),
            Some(Outcome::Win { winner, by: WinBy::Time }) => Ending::Time(winner.opponent()),
            Some(_) => Ending::Passes { played_on: false },
        };
        let played = PlayedGame {
            game: self.game().clone(),
            outcome: outcome.unwrap_or(Outcome::NoResult),
            ending,
            opening: 0,
            stood_in: [0; 2],
            clock: self.control,
            time_left: self.turns.time_left().to_vec(),
        };
        let names = [0, 1].map(|nth: usize| self.seats[nth].as_ref().map_or("", Seat::name));
        let mut tree = record_of(&played, names, "");
        let root = tree.root();
        if let Some(date) = GameDate::at(unix_seconds, 0) {
            tree.set_text(root, "DT", &date.to_string());
        }
        tree
    }
}
