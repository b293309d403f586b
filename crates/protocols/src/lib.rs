//! What other programs speak with a Go engine, over a search and any evaluator.
//!
//! [`gtp`] is the Go Text Protocol, version 2, with the extensions of KataGo, Leela Zero, KGS and GNU Go. Text comes
//! in and goes out through whatever reader and writer the caller has: standard streams, sockets, tests.
//!
//! [`analysis`] is the JSON protocol of KataGo's analysis engine: any number of queries at once, answered as they are
//! done.
//!
//! [`katago`] says of everything that KataGo knows what becomes of it here.
//!
//! [`parameters`] are those of the search by KataGo's names.

pub mod analysis;
pub mod gtp;
pub mod katago;
mod lines;
mod model;
pub mod parameters;

pub use model::ModelInfo;
