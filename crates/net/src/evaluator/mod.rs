//! The evaluator that runs a network.

mod calibrate;
mod fallback;
mod ort;
mod pool;

pub use calibrate::{CalibrationError, calibrate};
pub use fallback::{DeviceLoss, DeviceLossKind, FallbackEvaluator};
pub use ort::{EvaluatorOptions, NetworkError, OrtEvaluator, open_network};
