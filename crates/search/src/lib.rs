//! Tree search over an evaluator: what KataGo's search computes, as parts that can be exchanged.
//!
//! [`Search`] holds a tree that follows a game. [`Search::run`] grows it on one or several threads until a limit or a
//! stop flag ends it; [`Search::report`] reports at any moment what it has found, also from another thread while it runs.
//!
//! The search reads no clock and no random source: time comes in as a [`Stopwatch`], chance as a seed. It knows
//! positions only through [`honinbo_rules::Game`] and networks only through [`honinbo_evaluator::Evaluator`].
//! Inside, every value is from White's side; [`Perspective`] turns them around once, in the report.

mod arena;
pub mod bench;
mod bias;
pub mod check;
mod choose;
mod clock;
mod error;
mod handicap;
mod human;
mod limits;
mod mirror;
mod move_lists;
mod node;
mod ownership;
mod parameter;
mod params;
mod perspective;
mod playout;
mod pool;
mod position;
mod puct;
mod repetition;
mod report;
mod resign;
mod root_moves;
mod root_policy;
mod root_state;
mod score_value;
mod search;
mod select;
mod tree;
mod utility;
mod values;

pub use clock::{Clock, ThinkingTime, TimeSystem};
pub use error::SearchError;
pub use handicap::{HandicapBelief, even_game_points, initial_black_advantage};
pub use human::{HumanEvaluator, HumanParams, HumanShare};
pub use limits::{
    Convergence, Decision, RootFocus, RootTargets, RunOutcome, SearchLimits, StopReason, Stopwatch, TimeLimit,
};
pub use move_lists::MoveLists;
pub use parameter::{Names, Parameter, Setting, switch_of};
pub use params::SearchParams;
pub use perspective::Perspective;
pub use report::{Candidate, RawReport, ReportOptions, RootReport, SearchReport};
pub use resign::ResignRule;
pub use search::Search;
