//! What crosses the seam about problems.

mod answers;
mod collections;

pub use answers::*;
pub use collections::*;
