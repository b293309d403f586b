//! What crosses the seam about analysis.

mod live;
mod review;
mod run;

pub use live::*;
pub use review::*;
pub use run::*;
