//! What crosses the seam in the original protocol.

mod board;
mod run;

pub use board::*;
pub use run::*;
