//! KataGo networks: files, ONNX graphs, input features, evaluations, devices.

mod evaluation;
mod file;
pub mod onnx;

pub use evaluation::{BatchLimits, EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
pub use file::{Family, FileError, FileWarning, Limits, NetworkFile, NetworkInfo, Problem, model, sha256_of};
