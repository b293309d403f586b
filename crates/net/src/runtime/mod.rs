//! Running graphs with ONNX Runtime. The only module that knows `ort`.

mod cache;
mod device;
mod hardware;
mod library;
mod session;
mod trial;
mod trunk_op;

pub use cache::ModelCache;
pub use device::{Device, UnknownDevice};
pub use library::{DeviceInfo, LIBRARY_VARIABLE, LibrarySearch, Plugin, Runtime, RuntimeError, forbid_telemetry};
pub(crate) use session::{NetSession, SessionPlan};
pub use session::{NodeCounts, SessionError};
pub use trial::{answer_library_trial, try_library};
