//! The menu bar of the system, where a window has none of its own: what is in it is the page's to say.

pub(crate) mod handlers;
mod list;
pub(crate) mod types;
