//! Finding positions and patterns in the main lines of all games.

mod index;
mod pattern;
mod position;
mod query;
mod run;
mod timeline;
mod tree;

pub(crate) use index::SearchIndex;
pub use query::{Anchor, Cell, PatternError, PatternQuery};
pub use run::{Continuation, SearchHit, SearchProgress, SearchResult, TreeMove};
