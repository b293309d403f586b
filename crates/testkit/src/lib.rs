//! Fixtures, fake evaluators and temporary folders for tests. Only ever a dev-dependency.

pub mod corpora;
mod damage;
mod evaluators;
pub mod fixtures;
mod gate;
mod influence;
mod networks;

pub use damage::damaged;
pub use evaluators::{FailingEvaluator, UniformEvaluator};
pub use gate::{Gate, GatedEvaluator};
pub use influence::InfluenceEvaluator;
pub use networks::{TinyBlock, TinyNetwork};
