//! KataGo networks: files, ONNX graphs, input features, evaluations, devices.

mod evaluation;

pub use evaluation::{BatchLimits, EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
