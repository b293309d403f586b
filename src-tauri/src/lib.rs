//! The desktop shell of Honinbo: a window around [`honinbo_api`].
//!
//! It holds no knowledge of Go: a command here is handed to its handler in `honinbo_api`, an event of the back end is
//! handed to the window, and a file given by the system is opened as if the window had asked for it.

mod commands;
mod desktop_host;
mod given_files;
mod log;
#[cfg(any(target_os = "macos", test))]
mod mac_menu;
mod place;
mod window;

pub use honinbo_api::{answer_library_trial, forbid_telemetry};
pub use window::run;
