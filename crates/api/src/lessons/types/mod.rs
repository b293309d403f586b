//! What crosses the seam about cards.

mod answers;
mod cards;
mod exercises;
mod facts;
mod ranks;
mod weak;

pub use answers::*;
pub use cards::*;
pub use exercises::*;
pub use facts::*;
pub use ranks::*;
pub use weak::*;
