//! What the clocks of a game that is played leave in its record.

use super::Session;
use honinbo_players::{TimeControl, TimeLeft};
use honinbo_rules::Color;
use honinbo_search::TimeSystem;

impl Session {
    /// The time control of a game that begins, in `TM` and `OT`.
    pub(crate) fn set_time_control(&mut self, control: TimeControl) {
        let root = self.tree.root();
        self.tree.set_text(root, "TM", &seconds(control.main));
        if let Some(overtime) = overtime(control.system) {
            self.tree.set_text(root, "OT", &overtime);
        }
        // It is no change of the game, but how it begins.
        self.saved_content = Some(self.tree.content_hash());
    }

    /// What the player of the current node's move had left after it: seconds in `BL` or `WL`; in overtime the stones or
    /// periods in `OB` or `OW`.
    pub(crate) fn set_time_left(&mut self, color: Color, system: TimeSystem, left: TimeLeft) {
        let [time, rest] = if color == Color::Black { ["BL", "OB"] } else { ["WL", "OW"] };
        self.tree.set_text(self.current, time, &seconds(left.period.unwrap_or(left.main)));
        match (left.period, system) {
            (Some(_), TimeSystem::Overtime { stones: 0 | 1, .. }) => {
                self.tree.set_text(self.current, rest, &left.periods.to_string());
            }
            (Some(_), _) => self.tree.set_text(self.current, rest, &left.stones.to_string()),
            // Of the move as it was played before it was taken back.
            (None, _) => {
                self.tree.remove_property(self.current, rest);
            }
        }
        self.looks_different();
    }
}

/// Seconds to the thousandth.
fn seconds(seconds: f64) -> String {
    ((seconds * 1000.0).round() / 1000.0).to_string()
}

/// What comes beside or after the main time, as other programs write it.
fn overtime(system: TimeSystem) -> Option<String> {
    match system {
        TimeSystem::Fischer { increment, .. } if increment <= 0.0 => None,
        TimeSystem::Fischer { increment, .. } => Some(format!("{increment} fischer")),
        TimeSystem::Overtime { period, stones: 0 | 1, periods } => Some(format!("{periods}x{period} byo-yomi")),
        TimeSystem::Overtime { period, stones, .. } => Some(format!("{stones}/{period} Canadian")),
    }
}
