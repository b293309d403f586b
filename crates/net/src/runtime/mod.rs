//! Running graphs with ONNX Runtime. The only module that knows `ort`.

mod cache;
mod device;
mod library;
mod session;
mod trunk_op;

pub use cache::ModelCache;
pub use device::{Device, UnknownDevice};
pub use library::{LIBRARY_VARIABLE, LibrarySearch, Runtime, RuntimeError};
pub use session::SessionError;
pub(crate) use session::SessionPlan;
pub(crate) use session::{Inputs, NetSession, Outputs};
