//! What the search remembers of one position.

use std::sync::Arc;

use honinbo_evaluator::Evaluation;
use honinbo_rules::Color;

use crate::arena::NodeId;
use crate::bias::BiasShare;
use crate::human::Answer;
use crate::puct::NodeAverages;

/// Running averages of a node; all from White's side.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct NodeStats {
    /// Completed visits: playouts that ended at or passed through the node.
    pub(crate) visits: u64,
    /// Sum of the weights of what was averaged.
    pub(crate) weight: f64,
    /// Sum of the squared weights.
    pub(crate) weight_sq: f64,
    /// Win minus loss.
    pub(crate) win_loss: f64,
    /// Probability of no result.
    pub(crate) no_result: f64,
    /// Score in points.
    pub(crate) score_mean: f64,
    /// Second raw moment of the score.
    pub(crate) score_mean_sq: f64,
    /// Lead in points.
    pub(crate) lead: f64,
    /// Utility.
    pub(crate) utility: f64,
    /// Second raw moment of the utility.
    pub(crate) utility_sq: f64,
}

/// One value that enters a node's averages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct LeafValue {
    pub(crate) win_loss: f64,
    pub(crate) no_result: f64,
    pub(crate) score_mean: f64,
    pub(crate) score_mean_sq: f64,
    pub(crate) lead: f64,
}

impl LeafValue {
    /// The network's answer.
    pub(crate) fn of(evaluation: &Evaluation) -> Self {
        Self {
            win_loss: f64::from(evaluation.white_win) - f64::from(evaluation.white_loss),
            no_result: f64::from(evaluation.no_result),
            score_mean: f64::from(evaluation.white_score_mean),
            score_mean_sq: f64::from(evaluation.white_score_mean_sq),
            lead: f64::from(evaluation.white_lead),
        }
    }
}

impl NodeStats {
    /// What selection needs.
    pub(crate) fn averages(&self) -> NodeAverages {
        NodeAverages { visits: self.visits, weight: self.weight, utility: self.utility, utility_sq: self.utility_sq }
    }

    /// Adds one visit with its own value, as a running average.
    pub(crate) fn add(&mut self, value: LeafValue, utility: f64, weight: f64) {
        let sum = self.weight + weight;
        let mix = |old: f64, new: f64| (old * self.weight + new * weight) / sum;
        *self = Self {
            visits: self.visits + 1,
            weight: sum,
            weight_sq: self.weight_sq + weight * weight,
            win_loss: mix(self.win_loss, value.win_loss),
            no_result: mix(self.no_result, value.no_result),
            score_mean: mix(self.score_mean, value.score_mean),
            score_mean_sq: mix(self.score_mean_sq, value.score_mean_sq),
            lead: mix(self.lead, value.lead),
            utility: mix(self.utility, utility),
            utility_sq: mix(self.utility_sq, utility * utility),
        };
    }

    /// The share of the weight that belongs to an edge with so many of the visits.
    pub(crate) fn edge_weight(&self, edge_visits: u64) -> f64 {
        self.weight * edge_share(edge_visits, self.visits)
    }

    /// The same share of the squared weights.
    pub(crate) fn edge_weight_sq(&self, edge_visits: u64) -> f64 {
        self.weight_sq * edge_share(edge_visits, self.visits)
    }
}

fn edge_share(edge_visits: u64, visits: u64) -> f64 {
    edge_visits as f64 / visits.max(1) as f64
}

/// A move from a node to a child, which other parents may share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    /// Point index of the move, the area for a pass.
    pub(crate) mv: u16,
    /// The position after it.
    pub(crate) child: NodeId,
    /// Visits credited to this edge.
    pub(crate) visits: u32,
}

/// Whether a node knows the networks' answer.
#[derive(Debug, Clone, Default)]
pub(crate) enum NodeEvaluation {
    /// Nobody asked yet. Finished games stay like this.
    #[default]
    Absent,
    /// A worker has asked and not yet stored the answer.
    InFlight,
    /// The answer.
    Present(Arc<Answer>),
}

impl NodeEvaluation {
    pub(crate) fn present(&self) -> Option<&Arc<Answer>> {
        match self {
            Self::Present(evaluation) => Some(evaluation),
            Self::Absent | Self::InFlight => None,
        }
    }
}

/// The changeable state of one node, behind the node's own lock.
///
/// A worker holds at most one node's lock at a time, so no order between nodes is needed; bias buckets may be locked
/// inside it.
#[derive(Debug)]
pub(crate) struct NodeState {
    /// Key in the table of positions; `None` for the root, which nothing transposes to.
    pub(crate) table_key: Option<u128>,
    /// Who is to move.
    pub(crate) mover: Color,
    /// Searched on although the rules say that the game is over.
    pub(crate) force_non_terminal: bool,
    /// The network's answer.
    pub(crate) evaluation: NodeEvaluation,
    /// Children in the order of their first visit.
    pub(crate) edges: Vec<Edge>,
    /// Averages.
    pub(crate) stats: NodeStats,
    /// Number of the shape that the move to here made, where shapes are told apart; 0 for none.
    pub(crate) shape: u128,
    /// This node's part in the correction of evaluations.
    pub(crate) bias: Option<BiasShare>,
    /// Leaves below or at this node whose evaluation is in flight.
    pub(crate) leaves_in_flight: u32,
    /// Visits that arrived and are not in the averages yet.
    pub(crate) arrived: u32,
    /// A worker is recomputing the averages and will take the arrivals along.
    pub(crate) updating: bool,
}

impl NodeState {
    pub(crate) fn new(mover: Color) -> Self {
        Self {
            table_key: None,
            mover,
            force_non_terminal: false,
            evaluation: NodeEvaluation::Absent,
            edges: Vec::new(),
            stats: NodeStats::default(),
            shape: 0,
            bias: None,
            leaves_in_flight: 0,
            arrived: 0,
            updating: false,
        }
    }
}
