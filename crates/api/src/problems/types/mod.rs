//! What crosses the seam about problems.

mod answers;
mod collections;
mod referee;

pub use answers::*;
pub use collections::*;
pub use referee::*;
