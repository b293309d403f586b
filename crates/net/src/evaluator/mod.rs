//! Evaluators: the one that runs a network, and those that hold another evaluator.

mod cache;
mod calibrate;
mod key;
mod ort;
mod pool;
mod service;

pub use cache::{CacheStats, CachingEvaluator};
pub use calibrate::{CalibrationError, calibrate};
pub use key::PositionKey;
pub use ort::{EvaluatorOptions, NetworkError, OrtEvaluator, open_network};
pub use service::{EvalService, Priority, ServiceEvaluator, ServiceOptions, ServiceStats};
