//! What crosses the seam between the back end and a window, a browser or a socket.

mod analysis;
mod closed;
mod error;
mod event;
mod game;
mod library;
mod library_keep;
mod library_people;
mod library_search;
mod number;
mod offer;
mod opening;
mod play;
mod rated;
mod review;
mod run;
mod settings;

pub use analysis::*;
pub use closed::*;
pub use error::*;
pub use event::*;
pub use game::*;
pub use library::*;
pub use library_keep::*;
pub use library_people::*;
pub use library_search::*;
pub use number::*;
pub use offer::*;
pub use opening::*;
pub use play::*;
pub use rated::*;
pub use review::*;
pub use run::*;
pub use settings::*;
