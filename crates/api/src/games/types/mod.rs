//! What crosses the seam about open games.

mod closed;
mod game;
mod opening;

pub use closed::*;
pub use game::*;
pub use opening::*;
