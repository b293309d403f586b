//! Fixtures, fake evaluators and temporary folders for tests. Only ever a dev-dependency.

mod azure_server;
pub mod corpora;
mod damage;
mod endgame;
mod evaluators;
pub mod fixtures;
pub mod game_servers;
mod gate;
mod inference_grpc;
pub mod inference_servers;
mod influence;
mod networks;
pub mod oidc_providers;
#[cfg(unix)]
mod postgres_server;
mod s3_server;
#[cfg(unix)]
mod triton;

pub use azure_server::AzureServer;
pub use damage::damaged;
pub use endgame::{EndgameReading, Repetition};
pub use evaluators::{AlteredEvaluator, CountingEvaluator, FailingEvaluator, NotingEvaluator, UniformEvaluator};
pub use gate::{Gate, GatedEvaluator};
pub use influence::InfluenceEvaluator;
pub use networks::{TinyBlock, TinyNetwork};
#[cfg(unix)]
pub use postgres_server::PostgresServer;
pub use s3_server::S3Server;
#[cfg(unix)]
pub use triton::Triton;
