//! What crosses the seam about open games.

mod closed;
mod game;
mod keeping;
mod opening;
mod problems;

pub use closed::*;
pub use game::*;
pub use keeping::*;
pub use opening::*;
pub use problems::*;
