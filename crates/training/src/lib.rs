//! The folder of a training run: its files, the events that are noted there, and the status that is read from them.
//!
//! `honinbo-train` writes through this crate; the terminal and the window read with it, without the training framework.
//! A folder is read defensively, since a run may be writing to it, a program of another version may have written it, and
//! somebody may have put anything there: what cannot be read is counted or named, and nothing is read without a limit.
//!
//! ```
//! use honinbo_training::{FolderError, status};
//!
//! let nowhere = status(std::path::Path::new("/nowhere"));
//! assert!(matches!(nowhere, Err(FolderError::NoRun(_))));
//! ```

mod error;
mod event;
mod folder;
mod games;
mod progress;
mod status;

pub use error::FolderError;
pub use event::{Event, Gated, Losses, Probe};
pub use folder::{
    USUAL_GAMES, USUAL_GAMES_PER_FILE, file_number, files_in, is_under_way, last_number, lock_file, note, numbered,
    numbered_folders, part_file, status_file, store_file,
};
pub use games::{GameSummary, game_text, games_of, last_games};
pub use progress::{Cost, Strength, strengths};
pub use status::{
    GenerationLosses, GenerationProbe, RunReport, RunStatus, RunStep, empty_board_policy, report, stamp, status,
};
