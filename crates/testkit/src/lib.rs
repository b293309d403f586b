//! Fixtures, fake evaluators and temporary folders for tests. Only ever a dev-dependency.

mod evaluators;
mod networks;

pub use evaluators::{FailingEvaluator, UniformEvaluator};
pub use networks::{TinyBlock, TinyNetwork};
