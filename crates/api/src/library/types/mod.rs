//! What crosses the seam about the library.

mod keep;
mod people;
mod records;
mod search;

pub use keep::*;
pub use people::*;
pub use records::*;
pub use search::*;
