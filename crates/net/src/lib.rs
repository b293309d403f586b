//! KataGo networks: files, ONNX graphs, input features, post-processing, devices. [`OrtEvaluator`] answers with one what
//! `honinbo-evaluator` asks.

pub mod bench;
pub mod check;
mod decode;
mod evaluator;
mod features;
mod file;
mod kernels;
pub mod onnx;
mod runtime;
mod subnormal;

pub use evaluator::{CalibrationError, EvaluatorOptions, NetworkError, OrtEvaluator, calibrate, open_network};
pub use features::{FeatureOptions, encode};
pub use file::{Family, FileError, FileWarning, Limits, NetworkFile, NetworkInfo, Problem, model, sha256_of};
pub use runtime::{
    Device, LIBRARY_VARIABLE, LibrarySearch, ModelCache, Runtime, RuntimeError, SessionError, UnknownDevice,
};
