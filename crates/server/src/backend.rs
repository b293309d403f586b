//! What a connection needs of the program behind it.

use honinbo_api::{ApiError, App, Caller, dispatch};
use serde_json::Value;

/// Answers commands by name. The one real implementation is [`honinbo_api::App`]; tests of the transport have their own.
pub trait Backend: Send + Sync + 'static {
    /// Gives the command `name` with `args` as JSON and returns its answer as JSON. May block for as long as a search.
    ///
    /// # Errors
    /// [`ApiError::InvalidRequest`] for an unknown name or arguments of another form; otherwise what the command says.
    fn call(&self, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError>;
}

impl Backend for App {
    fn call(&self, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
        dispatch(self, caller, name, args)
    }
}
