//! The problems that come with the program.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What problems that come with the program are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ProblemTheme {
    /// The rules, one after the other.
    FirstSteps,
    /// Taking stones that have one liberty.
    Capture,
    /// Atari from the side on which there is no way out.
    Atari,
    /// Saving stones that have one liberty.
    Escape,
    /// Saving stones by connecting them.
    Connect,
    /// Cutting stones off.
    Cut,
    /// Ladders.
    Ladder,
    /// Nets.
    Net,
    /// Snapbacks.
    Snapback,
    /// Capturing races.
    Race,
    /// Making a group live.
    Live,
    /// Killing a group.
    Kill,
    /// Kos about life and death.
    Ko,
    /// Groups that stay without two eyes, or must not.
    Seki,
    /// The largest move of the endgame.
    Endgame,
}

/// Problems of a theme.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShippedProblems {
    /// What they are about.
    pub theme: ProblemTheme,
    /// How many they are.
    pub problems: u32,
    /// The level of the first one, as `25k`; it is the easiest.
    pub easiest: String,
    /// The level of the last one.
    pub hardest: String,
}

/// Names a theme.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OneTheme {
    /// The theme.
    pub theme: ProblemTheme,
}
