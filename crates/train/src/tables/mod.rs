//! Tables in Parquet files, for programs that look at runs: rows, generations, games.
//!
//! The types and names of the columns are fixed; docs/training.md lists them.

mod column;
mod footer;
mod history;
mod read;
mod rows;

pub use history::{GameTable, write_generations};
pub use read::{TableDefect, read_row_table};
pub use rows::{RowSource, RowTable, row_sources};

/// Name of the table, in the file's metadata.
const KIND: &str = "honinbo.table";
/// Version of its columns.
const VERSION: &str = "honinbo.version";
/// Points of a side of the square that the boards of rows stand in.
const SIDE: &str = "honinbo.side";
/// The version that is written, and the only one that is read.
const CURRENT_VERSION: &str = "1";
/// The table of rows.
const ROWS: &str = "rows";

#[cfg(test)]
mod tests;
