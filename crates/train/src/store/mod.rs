//! What workers and a trainer share: an object store, and nothing else.
//!
//! Every object is written once, by a conditional write that fails where it is there already; nothing is ever
//! overwritten, so a folder, S3, Google's and Azure's stores serve alike. Nobody's clock is asked: a lease is a chain of
//! numbered objects that its holder prolongs, and who has seen a chain stand still for long enough by a stopwatch of its
//! own goes on in its place. A lease only saves work; what counts is who writes the `done` record of a unit first.
//!
//! ```text
//! run.json                                      whose run this is
//! networks/SHA256.bin.gz                        networks, by what they hold
//! generations/000001/plan.json                  configuration, network, number of units
//! generations/000001/leases/000002-0/000003.json   somebody plays unit 2, and has said so four times
//! generations/000001/done/000002-0.json         unit 2 is played; its rows and games have these names
//! generations/000001/refused/000002-0.json      those rows could not be used: attempt 1 is open
//! generations/000001/result.json                how the generation came out
//! rows/SHA256.npz, games/SHA256.sgf             what was played, by what it holds
//! ```

mod error;
mod http;
mod objects;
mod trainer;
mod units;
mod worker;

pub use error::StoreError;
pub use objects::Blob;
pub use objects::{Store, StoreOptions};
pub use trainer::{StoreStatus, store_status};
pub use units::{Board, Claim, Collected, Delivered, Delivery, Done, Plan, Taking, Units, Watch};
pub use worker::{Worker, WorkerEvent, WorkerOptions};
