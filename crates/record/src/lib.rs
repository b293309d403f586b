//! Game records: game trees, SGF and other formats, character sets, diagnostics.
//!
//! Reading is tolerant: a file gives its games *and* what was wrong in it, with line, column and what was done.
//! Writing gives back, byte for byte, whatever nobody edited.
//!
//! ```
//! use honinbo_record::read_sgf;
//!
//! let file = b"(;GM[1]FF[4]SZ[19]XX[kept];B[pd];W[dp)";
//! let collection = read_sgf(file);
//! assert_eq!(collection.games.len(), 1);
//! assert_eq!(collection.games[0].diagnostics.len(), 1); // W has no closing bracket
//! assert_eq!(collection.to_bytes(), b"(;GM[1]FF[4]SZ[19]XX[kept];B[pd];W[dp])");
//! ```

mod annotation;
mod charset;
mod commonness;
mod content;
mod date;
mod diagnostic;
mod evaluation;
mod files;
mod formats;
mod info;
mod node;
mod rank;
mod reader;
mod replay;
mod reread;
mod result;
mod tree;
mod tsumego;
mod value;
mod writer;

pub use annotation::{Annotations, Hotspot, MoveAnnotation, PositionAnnotation};
pub use charset::{Charset, displayable};
pub use date::GameDate;
pub use diagnostic::{Diagnostic, Problem, Severity};
pub use evaluation::{CandidateEvaluation, PositionEvaluation, evaluation_at, set_evaluation};
pub use files::{
    FILE_KINDS, FilePart, FileProblem, Found, FoundGame, each_game, has_archive_name, has_record_name, is_archive,
    unpack,
};
pub use formats::{FileKind, LeftOut, RecordFormat, WriteRecordError, WrittenRecord, read_record, write_record};
pub use info::{GameInfo, PlayerInfo, komi_to_write, topology_to_write};
pub use node::{MarkShape, Marks, NodeMove, PlayedNode, SetupStones, move_value, parse_move, parse_point};
pub use rank::Rank;
pub use reader::{Collection, ReadGame, ReadLimits, SgfReader, SgfText, read_sgf, read_sgf_text, read_sgf_with};
pub use replay::{Replay, ReplayOptions, replay, replay_each, replay_with};
pub use reread::TextReading;
pub use result::GameResult;
pub use tree::{Detached, GameTree, NodeId, Property};
pub use tsumego::{Tried, Tsumego};
pub use value::{escape, escape_composed, letters_of, point_letters, simple_text, split_composed, unescape};
