//! What a person can do, by command, with an engine that answers at once.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod analysis;
mod backups;
mod closing;
mod counted;
mod editing;
mod evaluations;
mod exercises;
mod facts;
mod host;
mod lessons;
mod library;
mod networks;
mod opening;
mod play;
mod play_on;
mod problems;
mod queue;
mod ranks;
mod restart;
mod review;
mod run;
mod runtimes;
mod slow_disk;
mod sources;
mod training;
mod trial;
mod watching;
mod weak;
mod windows;
