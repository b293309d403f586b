//! What crosses the seam about cards.

mod answers;
mod cards;

pub use answers::*;
pub use cards::*;
