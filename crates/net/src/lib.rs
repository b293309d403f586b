//! KataGo networks: files, ONNX graphs, input features, evaluations, devices.

mod decode;
mod evaluation;
mod features;
mod file;
pub mod onnx;
mod runtime;

pub use evaluation::{BatchLimits, EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
pub use features::{FeatureOptions, PlayerProfile, ProfileError, encode};
pub use file::{Family, FileError, FileWarning, Limits, NetworkFile, NetworkInfo, Problem, model, sha256_of};
pub use runtime::{
    Device, LIBRARY_VARIABLE, LibrarySearch, ModelCache, Runtime, RuntimeError, SessionError, SessionOptions,
    UnknownDevice,
};
