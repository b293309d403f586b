//! Finding positions and patterns in the main lines of all games.

mod pattern;
mod position;
mod query;
mod run;
mod timeline;
mod tree;

pub use query::{Anchor, Cell, PatternError, PatternQuery};
pub use run::{Continuation, SearchHit, SearchProgress, SearchResult, TreeMove};
