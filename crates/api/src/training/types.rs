//! Runs in which networks learn.

use honinbo_training::RunStatus;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks where a run stands.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WatchTraining {
    /// The run's folder; empty for the one that the host was told of.
    pub folder: String,
    /// [`TrainingNews::stamp`] of what is known already; empty where nothing is.
    pub known: String,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TrainingNews {
    /// Stays the same while nothing changes.
    pub stamp: String,
    /// Where it stands; null where that is known already.
    pub status: Option<Box<RunStatus>>,
}

/// Names a generation of a run.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TrainingGeneration {
    /// As [`WatchTraining::folder`].
    pub folder: String,
    /// The generation, from 1.
    pub generation: u32,
}

/// Names a game of a run.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TrainingGame {
    /// As [`WatchTraining::folder`].
    pub folder: String,
    /// The generation that learns from it.
    pub generation: u32,
    /// The number of its file.
    pub file: u32,
    /// Its place in that file, from 0.
    pub index: u32,
}
