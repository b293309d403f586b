//! The contracts of the command line and of the two services, asked of the real program.
//!
//! What needs a network to answer uses the small ones beside the repository and says aloud when they are not there.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod analysing_engine;
mod analysis;
mod bad_input;
mod booklet;
mod clients;
mod conversations;
mod convert;
mod descriptions;
mod devices;
mod documents;
mod inference;
mod library;
mod local_name;
mod match_games;
mod mcp;
mod networks;
mod pages;
mod play;
mod programs;
mod referee;
mod review;
mod review_queue;
mod rooms;
mod run;
mod runtimes;
#[cfg(unix)]
mod shared_store;
mod support;
mod tcp;
mod tls;
mod train;
mod train_store;
mod train_tables;
#[cfg(target_os = "linux")]
mod two_machines;
mod updates;
mod usage;
#[path = "../../crates/shelf/tests/web/mod.rs"]
#[allow(dead_code, reason = "each test has its own use for the server")]
mod web;
mod window;
