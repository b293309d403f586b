//! The evaluator that runs a network.

mod calibrate;
mod ort;
mod pool;

pub use calibrate::{CalibrationError, calibrate};
pub use ort::{EvaluatorOptions, NetworkError, OrtEvaluator, open_network};
