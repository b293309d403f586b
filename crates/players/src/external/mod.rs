//! Programs that other people wrote, spoken to through their standard input and output.

mod analysis;
mod analyst;
mod client;
mod command_line;
mod error;
mod installed;
mod json_report;
mod lines;
mod player;
mod process;
mod report;
mod tree;

pub use analysis::AnalysisPlayer;
pub use analyst::{Analyst, Wanted};
pub use client::{EngineLimits, GtpClient};
pub use command_line::{CommandLine, CommandLineError};
pub use error::EngineError;
pub use installed::{InstalledEngine, installed_engines};
pub use player::GtpPlayer;
pub use report::{EngineCandidate, EngineReport};
