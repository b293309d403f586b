//! What the referee proves.

use crate::{LineView, ProblemRef, Side, Vertex};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Asks the referee about a position of a problem.
#[derive(Debug, Clone, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct JudgeProblem {
    /// The problem.
    pub problem: ProblemRef,
    /// The moves so far, the person's and the replies.
    pub moves: Vec<Vertex>,
}

/// Why something is not proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum RefereeReason {
    /// No group is surrounded.
    Open,
    /// Edges of the board are joined.
    JoinedEdges,
    /// It would take longer.
    Long,
    /// All that was looked at was searched through: what decides lies farther away, or a part of the group is at stake.
    Undecided,
}

/// What becomes of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum GroupFate {
    /// It is taken.
    Dead,
    /// It gets two eyes.
    Alive,
    /// It stays, and nobody can move there.
    Seki,
    /// It stays on the board.
    Lives {
        /// No stone of it is lost.
        whole: bool,
    },
    /// A ko decides.
    Ko {
        /// Who wins it where nobody has threats.
        first: Side,
        /// So many threats of the other player turn it.
        threats: u8,
    },
    /// Nothing is proved.
    NotProved {
        /// Why.
        reason: RefereeReason,
    },
}

/// What becomes of the group where one of the players moves first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RefereeRuling {
    /// What becomes of it.
    pub fate: GroupFate,
    /// Positions that were looked at.
    pub positions: u32,
}

/// What the referee says of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ProblemRuling {
    /// The stones that it is about; empty where nothing is surrounded.
    pub group: Vec<u16>,
    /// Whose they are; null where nothing is surrounded.
    pub owner: Option<Side>,
    /// The fate where the solver moves first.
    pub solver_first: RefereeRuling,
    /// The fate where the opponent does.
    pub opponent_first: RefereeRuling,
    /// It is proved that it matters who moves first.
    pub decides: bool,
    /// First moves of the solver that are proved to be the best; empty where it does not matter who moves first.
    pub right: Vec<Vertex>,
    /// How the group comes to its fate where the solver moves first.
    pub line: LineView,
}
