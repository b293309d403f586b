//! Networks that are here and that can be fetched.

use crate::Finite;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Names a network by its file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
pub struct NetworkName {
    /// The file's name, without a folder.
    pub file: String,
}

/// Networks that are here and that can be fetched.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkShelf {
    /// The listed ones in the list's order, then those that are here and that nobody listed.
    pub networks: Vec<ShelfNetwork>,
    /// The folder that fetched networks are put into; empty where windows see no paths of the machine.
    pub folder: String,
    /// Whether the list can be renewed.
    pub can_renew: bool,
    /// A network that suits the measured speed of this machine better than the one in use; null where there is none.
    pub proposed: Option<String>,
    /// Why the list that was asked for is not used, a sentence; empty when all is as it should be.
    pub problem: String,
}

/// A network of the shelf.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ShelfNetwork {
    /// The file's name: what `Settings::network` holds.
    pub file: String,
    /// What it is for; null where nobody listed it.
    pub kind: Option<NetworkKind>,
    /// Here, absent, or under way.
    pub state: ShelfState,
    /// Size of the file, in KiB.
    pub size_kib: u32,
    /// How much of it is here, in KiB.
    pub fetched_kib: u32,
    /// Short name of its licence; empty where nobody listed it.
    pub licence: String,
    /// The page with the licence.
    pub licence_page: String,
    /// Where it comes from and what it was measured at, in English; empty where its publishers say it.
    pub history: String,
    /// The server that it comes from; empty where it cannot be fetched.
    pub source: String,
    /// Evaluations a second on this machine; 0 where that is not known.
    pub evaluations_per_second: Finite,
    /// That speed was not measured with this network, but follows from the speed of another one.
    pub is_estimate: bool,
    /// It came with the program and stays.
    pub bundled: bool,
    /// It is the one that the settings name.
    pub in_use: bool,
}

/// What a network is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NetworkKind {
    /// Comes with the program: strong for its size.
    Standard,
    /// Small and quick: for processors without a graphics card.
    Quick,
    /// Strong, for most graphics cards.
    Strong,
    /// The strongest, for fast graphics cards.
    Strongest,
    /// Plays and judges as people of a rank do.
    Human,
    /// For boards beyond 19x19.
    LargeBoards,
    /// For 9x9 alone.
    SmallBoards,
    /// Has learnt the torus.
    Torus,
}

impl From<honinbo_shelf::NetworkKind> for NetworkKind {
    fn from(kind: honinbo_shelf::NetworkKind) -> Self {
        match kind {
            honinbo_shelf::NetworkKind::Standard => Self::Standard,
            honinbo_shelf::NetworkKind::Quick => Self::Quick,
            honinbo_shelf::NetworkKind::Strong => Self::Strong,
            honinbo_shelf::NetworkKind::Strongest => Self::Strongest,
            honinbo_shelf::NetworkKind::Human => Self::Human,
            honinbo_shelf::NetworkKind::LargeBoards => Self::LargeBoards,
            honinbo_shelf::NetworkKind::SmallBoards => Self::SmallBoards,
            honinbo_shelf::NetworkKind::Torus => Self::Torus,
        }
    }
}

/// Where a network is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ShelfState {
    /// Not here.
    Absent,
    /// A part of it is here; fetching goes on from there.
    Paused,
    /// It is fetched.
    Fetching,
    /// All of it has come and is checked.
    Checking,
    /// Here.
    Here,
}

/// News of a network that is fetched. Told about ten times a second, and at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct NetworkFetch {
    /// The file's name.
    pub file: String,
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
