//! Commands by name and JSON, for hosts that speak over a socket.

#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{ApiError, App, Caller, for_each_command, handlers};
use serde_json::Value;

macro_rules! make_dispatch {
    ($($(#[$doc:meta])* $name:ident: $args:ty => $answer:ty;)*) => {
        /// The name of every command, in the order of the list.
        pub const COMMAND_NAMES: &[&str] = &[$(stringify!($name)),*];

        /// Gives the command `name` with `args` as JSON and returns its answer as JSON.
        ///
        /// # Errors
        /// [`ApiError::InvalidRequest`] for a name that is not in the list and for arguments of another form;
        /// otherwise what the command itself answers.
        pub fn dispatch(app: &App, caller: &Caller, name: &str, args: Value) -> Result<Value, ApiError> {
            match name {
                $(stringify!($name) => {
                    let args: $args = serde_json::from_value(args).map_err(|error| ApiError::InvalidRequest {
                        message: format!("{name}: {error}"),
                    })?;
                    let answer: $answer = handlers::$name(app, caller, args)?;
                    serde_json::to_value(answer).map_err(|error| app.internal("an answer is no JSON", &error))
                })*
                _ => Err(ApiError::InvalidRequest { message: format!("there is no command {name:?}") }),
            }
        }
    };
}

for_each_command!(make_dispatch);
