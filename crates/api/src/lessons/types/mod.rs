//! What crosses the seam about cards.

mod answers;
mod cards;
mod facts;

pub use answers::*;
pub use cards::*;
pub use facts::*;
