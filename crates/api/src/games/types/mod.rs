//! What crosses the seam about open games.

mod closed;
mod game;
mod opening;
mod problems;

pub use closed::*;
pub use game::*;
pub use opening::*;
pub use problems::*;
