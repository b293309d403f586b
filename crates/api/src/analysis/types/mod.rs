//! What crosses the seam about analysis.

mod live;
mod review;

pub use live::*;
pub use review::*;
