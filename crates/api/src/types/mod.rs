//! What crosses the seam between the back end and a window, a browser or a socket.

mod error;
mod event;
mod number;

pub use crate::analysis::types::*;
pub use crate::booklets::types::*;
pub use crate::games::types::*;
pub use crate::lessons::types::*;
pub use crate::library::types::*;
pub use crate::menu_bar::types::*;
pub use crate::networks::types::*;
pub use crate::original::types::*;
pub use crate::play::types::*;
pub use crate::problems::types::*;
pub use crate::reviews::types::*;
pub use crate::runtimes::types::*;
pub use crate::settings::types::*;
pub use crate::sources::types::*;
pub use crate::training::types::*;
pub use crate::updates::types::*;
pub use error::*;
pub use event::*;
pub use number::*;
