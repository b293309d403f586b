//! KataGo networks: files, ONNX graphs, input features, post-processing, devices. [`OrtEvaluator`] answers with one what
//! `honinbo-evaluator` asks.

pub mod bench;
pub mod check;
mod codec;
mod decode;
mod device_check;
mod evaluator;
mod features;
mod file;
mod kernels;
pub mod onnx;
mod recent;
mod runtime;
mod subnormal;

pub use codec::{Codec, NetworkHeader, NetworkInputs, NetworkOutputs};
pub use device_check::{DeviceCheck, DeviceCheckOptions, DeviceDifferences, DeviceLimits, check_device};
pub use evaluator::{
    CalibrationError, DeviceLoss, DeviceLossKind, EvaluatorOptions, FallbackEvaluator, NetworkError, OrtEvaluator,
    calibrate, open_network,
};
pub use features::{FeatureOptions, encode};
pub use file::{Defect, Family, FileError, FileWarning, Limits, NetworkFile, NetworkInfo, model, sha256_of, to_bin_gz};
pub use kernels::{Instructions, use_at_most};
pub use runtime::{
    Device, DeviceInfo, LIBRARY_VARIABLE, LibrarySearch, ModelCache, NodeCounts, Plugin, Runtime, RuntimeError,
    SessionError, UnknownDevice, answer_library_trial, forbid_telemetry, try_library,
};
