//! Every command and event of Honinbo, once.
//!
//! A window, a browser, a socket and a terminal all speak to an [`App`]: the open games, the engine behind them and
//! the library of records.
//! An `App` is written against a narrow [`Host`] (folders, clock, event sink), so whatever a person can do is tested
//! without any of them.
//!
//! The list of commands is written once, by subject, and put together in [`for_each_command!`]; the desktop shell's wrappers, the browser's router
//! and the TypeScript bindings are all made from it.
//!
//! Points cross this seam as a [`Vertex`]: the index of a point, row by row from the top left.
//! Values are from Black's side.
//! The one exception is the original JSON protocol ([`RunRequest`], [`RunReply`]), which counts from 1 and speaks from
//! the side that asks, as it always did.

mod analysis;
mod app;
mod booklets;
mod changes;
mod data_dir;
mod disk;
mod dispatch;
mod failure;
mod fetches;
mod games;
mod handlers;
mod host;
mod lessons;
mod library;
mod list;
mod menu_bar;
mod networks;
mod original;
mod path_text;
mod play;
mod power;
mod problems;
mod quick;
mod reviews;
mod runtimes;
mod settings;
mod sources;
#[cfg(test)]
mod testing;
mod training;
mod types;
mod updates;

pub use analysis::ReadyEngine;
pub use analysis::engine::{EngineSource, SharedEngine, excuse_device_checks};
pub use analysis::resources::{DEFAULT_NETWORK, find_network, library_dirs, network_folder, networks, resource_dirs};
pub use analysis::review::{GameReview, ReviewOptions, ReviewProgress, ReviewedMove};
pub use app::App;
pub use booklets::{booklet_languages, booklet_of_records};
pub use data_dir::default_data_dir;
pub use dispatch::{COMMANDS, Change, Command, Pace, Permission, Work, commands, dispatch};
pub use honinbo_net::{answer_library_trial, forbid_telemetry};
pub use honinbo_record::{FILE_KINDS, FileKind};
pub use honinbo_shelf::{KnownRuntime, ListKey, ListSource, PackageKind, ServerAddresses};
pub use host::{Caller, Client, Host};
pub use library::import::IMPORT_PREFIX;
pub use original::run::{RunLimits, RunProgress, RunSoFar};
pub use path_text::path_to_text;
pub use types::*;
