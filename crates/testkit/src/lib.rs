//! Fixtures, fake evaluators and temporary folders for tests. Only ever a dev-dependency.

mod evaluators;

pub use evaluators::{FailingEvaluator, UniformEvaluator};
