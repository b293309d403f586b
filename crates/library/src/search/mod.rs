//! Finding positions and patterns in the main lines of all games.

mod fixed;
mod pattern;
mod position;
mod run;
mod sets;
mod timeline;
mod tree;
mod variant;

pub use run::{Continuation, SearchHit, SearchProgress, SearchResult, TreeMove};
