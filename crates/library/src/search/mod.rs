//! Finding positions and patterns in the main lines of all games.

mod fixed;
mod pattern;
mod position;
mod run;
mod sets;
mod tally;
mod timeline;
mod tree;
mod variant;

pub use run::{SearchHit, SearchProgress, SearchResult};
pub use tally::Continuation;
pub use tree::TreeMove;
