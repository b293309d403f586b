//! KataGo networks: files, ONNX graphs, input features, evaluations, devices.

pub mod bench;
pub mod check;
mod decode;
mod evaluation;
mod evaluator;
mod features;
mod file;
mod kernels;
pub mod onnx;
mod runtime;
mod subnormal;

pub use evaluation::{BatchLimits, EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
pub use evaluator::{
    CacheStats, CachingEvaluator, CalibrationError, EvalService, EvaluatorOptions, NetworkError, OrtEvaluator,
    PositionKey, Priority, ServiceEvaluator, ServiceOptions, ServiceStats, calibrate, open_network,
};
pub use features::{FeatureOptions, PlayerProfile, ProfileError, encode};
pub use file::{Family, FileError, FileWarning, Limits, NetworkFile, NetworkInfo, Problem, model, sha256_of};
pub use runtime::{
    Device, LIBRARY_VARIABLE, LibrarySearch, ModelCache, Runtime, RuntimeError, SessionError, UnknownDevice,
};
