//! The JSON protocol of KataGo's analysis engine: one query a line, one answer a line, in any order.
//!
//! A query may ask about many turns of a game; positions are searched several at a time, the most urgent first, and
//! their evaluations meet in the evaluator's batches. [`serve`] speaks it over a reader and a writer.
//!
//! Memory stays bounded whatever a client does: lines, waiting positions and unread answers have limits; an answer
//! that is not the last of its position is dropped rather than kept for a client that does not read.
//!
//! Source: KataGo v1.17.2, `docs/Analysis_Engine.md` and `cpp/command/analysis.cpp`.

mod answer;
mod engine;
mod fields;
mod outbox;
mod query;
mod queue;
mod server;
mod settings;
mod work;

pub use engine::{AnalysisEngine, AnalysisOptions};
pub use server::serve;
pub use settings::SettingsError;
