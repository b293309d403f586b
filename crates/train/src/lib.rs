//! Networks that learn: games against itself, rows, fitting, a gate; on any board that the rules know.
//!
//! [`Run`] is a folder in which generation follows generation. Every step writes beside its place and moves what it wrote
//! there when it is whole, and which step comes next follows from the files that are there: a run that is ended at any
//! point goes on from its last whole step.
//! Networks are KataGo's files and rows are KataGo's arrays, so that its programs can use both.
//!
//! ```
//! use honinbo_train::{RunConfig, window};
//!
//! let config = RunConfig::on(5, false);
//! assert!(config.check().is_ok());
//! assert_eq!(window(&config.shuffle, 500), 500, "all rows, while there are few");
//! ```

mod attention;
mod clock;
mod config;
mod error;
mod files;
mod fit;
mod game;
mod gate;
mod loss;
mod network;
mod npz;
mod ops;
mod rows;
mod run;
mod selfplay;
mod shape;
mod shuffle;
mod store;
mod tables;

pub use config::{BoardConfig, FitConfig, GateConfig, RunConfig, SelfPlayConfig, ShuffleConfig};
pub use error::{RowDefect, TrainError};
pub use fit::{FitReport, Trainer, TrainerState};
pub use game::LearntGame;
pub use network::BatchBoard;
pub use npz::{count_rows, read_rows, rows_to_bytes, write_rows};
pub use ops::calm_framework;
pub use rows::Rows;
pub use run::{Run, config_of, network_of};
pub use selfplay::{Machine, SelfPlayReport};
pub use shape::NetworkShape;
pub use shuffle::{Shuffled, shuffle, window};
pub use store::{
    Blob, Board, Claim, Collected, Delivered, Delivery, Done, Plan, Store, StoreError, StoreOptions, StoreStatus,
    Taking, Units, Watch, Worker, WorkerEvent, WorkerOptions, store_status,
};
pub use tables::{GameTable, RowSource, RowTable, TableDefect, read_row_table, row_sources, write_generations};
