//! What crosses the seam about problems.

mod answers;
mod collections;
mod referee;
mod shipped;

pub use answers::*;
pub use collections::*;
pub use referee::*;
pub use shipped::*;
