//! The Go Text Protocol, version 2 (G. Farnebäck 2002), with what controllers have come to expect beyond it.
//!
//! Sources: KataGo v1.17.2, `docs/GTP_Extensions.md` and `cpp/command/gtp.cpp`; Leela Zero's `lz-analyze`; kgsGtp;
//! GNU Go 3.8 for `is_legal` and `all_legal`.

mod analyze;
mod board;
mod clock;
mod commands;
mod engine;
mod format;
mod genmove;
mod haste;
mod judge;
mod leela;
mod line;
mod parameters;
mod raw;
mod server;

pub(crate) use engine::{DEFAULT_PROFILE, described, stopwatch};
pub use engine::{GtpEngine, GtpOptions, MoveChooser};
pub use haste::Haste;
pub use server::serve;

/// The answer to a command: text, or an error that begins with `?`.
type Reply = Result<String, String>;
