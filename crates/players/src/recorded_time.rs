//! What clocks leave in the record of a game.

use honinbo_record::{GameTree, NodeId};
use honinbo_rules::Color;
use honinbo_search::TimeSystem;
use serde::{Deserialize, Serialize};

use crate::{TimeControl, TimeLeft};

/// What a player had left after a move: milliseconds, and in overtime the periods of byo-yomi or the stones of Canadian
/// time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedTime(u64, Option<u32>);

impl RecordedTime {
    /// What is recorded of a clock.
    #[must_use]
    pub fn of(control: TimeControl, left: TimeLeft) -> RecordedTime {
        let rest = left.period.map(|_| match control.system {
            TimeSystem::Overtime { stones: 0 | 1, .. } => left.periods,
            _ => left.stones,
        });
        RecordedTime(millis(left.period.unwrap_or(left.main)), rest)
    }

    /// Writes it beside the move at `node`: `BL` and `OB` of Black, `WL` and `OW` of White.
    pub fn write(self, tree: &mut GameTree, node: NodeId, color: Color) {
        let [time, rest] = if color == Color::Black { ["BL", "OB"] } else { ["WL", "OW"] };
        tree.set_text(node, time, &seconds(self.0));
        if let Some(left) = self.1 {
            tree.set_text(node, rest, &left.to_string());
        } else {
            // Of the move as it was played before it was taken back.
            tree.remove_property(node, rest);
        }
    }
}

impl TimeControl {
    /// Writes it into the root of a record: `TM`, and `OT` as other programs write it.
    pub fn write(self, tree: &mut GameTree) {
        let root = tree.root();
        tree.set_text(root, "TM", &seconds(millis(self.main)));
        if let Some(overtime) = overtime(self.system) {
            tree.set_text(root, "OT", &overtime);
        }
    }
}

fn millis(seconds: f64) -> u64 {
    (seconds * 1000.0).round() as u64
}

fn seconds(millis: u64) -> String {
    (millis as f64 / 1000.0).to_string()
}

/// What comes beside or after the main time.
fn overtime(system: TimeSystem) -> Option<String> {
    match system {
        TimeSystem::Fischer { increment, .. } if increment <= 0.0 => None,
        TimeSystem::Fischer { increment, .. } => Some(format!("{increment} fischer")),
        TimeSystem::Overtime { period, stones: 0 | 1, periods } => Some(format!("{periods}x{period} byo-yomi")),
        TimeSystem::Overtime { period, stones, .. } => Some(format!("{stones}/{period} Canadian")),
    }
}
