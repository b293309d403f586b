//! Network inputs: KataGo's V7 features, and the metadata row of human-style networks.
//!
//! Source: KataGo v1.17.2, `cpp/neuralnet/nninputs.cpp` (`fillRowV7`) and `cpp/neuralnet/sgfmetadata.cpp`.

mod area;
mod encode;
mod history;
mod symmetry;

pub use encode::{FeatureOptions, encode};
pub(crate) use symmetry::{PlaneMap, inverse_map};
