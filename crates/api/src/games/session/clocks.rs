//! What the clocks of a game that is played leave in its record.

use super::Session;
use honinbo_players::{RecordedTime, TimeControl};
use honinbo_rules::Color;

impl Session {
    /// The time control of a game that begins.
    pub(crate) fn set_time_control(&mut self, control: TimeControl) {
        control.write(&mut self.tree);
        // It is no change of the game, but how it begins.
        self.saved_content = Some(self.tree.content_hash());
    }

    /// What the player of the current node's move had left after it.
    pub(crate) fn set_time_left(&mut self, color: Color, left: RecordedTime) {
        left.write(&mut self.tree, self.current, color);
        self.looks_different();
    }
}
