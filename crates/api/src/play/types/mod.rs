//! What crosses the seam about games that are played.

mod game;
mod offer;
mod rated;

pub use game::*;
pub use offer::*;
pub use rated::*;
