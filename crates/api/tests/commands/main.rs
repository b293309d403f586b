//! What a person can do, by command, with an engine that answers at once.

mod analysis;
mod editing;
mod host;
mod library;
mod run;
