//! ONNX Runtime libraries beside the program's own.

use crate::ShelfState;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Names a runtime.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct RuntimeName {
    /// As [`Runtimes`] has it.
    pub name: String,
}

/// ONNX Runtime libraries that are here and that can be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Runtimes {
    /// Those for this machine that can be fetched, then the others that are here.
    pub runtimes: Vec<RuntimeView>,
    /// Another library is used from the next start on than computes now.
    pub after_restart: bool,
    /// Files of this machine can be added.
    pub may_add_files: bool,
}

/// An ONNX Runtime library beside the program's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeView {
    /// Its name.
    pub name: String,
    /// What it is for; null for a file of the person's own.
    pub kind: Option<RuntimeKind>,
    /// The version of ONNX Runtime.
    pub version: String,
    /// Here, absent, or under way.
    pub state: ShelfState,
    /// What there is to fetch, in KiB; 0 where that is nothing.
    pub size_kib: u32,
    /// How much of that is here, in KiB.
    pub fetched_kib: u32,
    /// Short name of its licence; empty where that is not known.
    pub licence: String,
    /// The server that it is fetched from, or the file that it came from.
    pub source: String,
    /// It is used, from the next start on at the latest.
    pub in_use: bool,
}

/// What a runtime is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RuntimeKind {
    /// NVIDIA's cards; needs CUDA and cuDNN besides.
    Cuda,
    /// Intel's processors and graphics.
    OpenVino,
    /// Every card under Windows.
    DirectMl,
}

impl From<honinbo_shelf::RuntimeKind> for RuntimeKind {
    fn from(kind: honinbo_shelf::RuntimeKind) -> Self {
        match kind {
            honinbo_shelf::RuntimeKind::Cuda => Self::Cuda,
            honinbo_shelf::RuntimeKind::OpenVino => Self::OpenVino,
            honinbo_shelf::RuntimeKind::DirectMl => Self::DirectMl,
        }
    }
}

/// News of a runtime that is fetched. Told about ten times a second, and at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeFetch {
    /// Its name.
    pub name: String,
    /// How it stands. `Absent` and `Paused` with a `message` say that it failed.
    pub state: ShelfState,
    /// How much of it is here, in KiB.
    pub fetched_kib: u32,
    /// Its size in KiB, as the server says it; 0 where it does not.
    pub size_kib: u32,
    /// Why it failed; empty where it did not.
    pub message: String,
    /// What to do about that.
    pub hint: String,
}
