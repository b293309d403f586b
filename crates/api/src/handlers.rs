//! What each command of [`crate::for_each_command!`] does, by subject.

use crate::ApiError;
pub(crate) use crate::analysis::handlers::*;
pub(crate) use crate::booklets::handlers::*;
pub(crate) use crate::games::handlers::*;
pub(crate) use crate::lessons::handlers::*;
pub(crate) use crate::library::handlers::*;
pub(crate) use crate::menu_bar::handlers::*;
pub(crate) use crate::networks::handlers::*;
pub(crate) use crate::original::handlers::*;
pub(crate) use crate::play::handlers::*;
pub(crate) use crate::problems::handlers::*;
pub(crate) use crate::reviews::handlers::*;
pub(crate) use crate::runtimes::handlers::*;
pub(crate) use crate::settings::handlers::*;
pub(crate) use crate::sources::handlers::*;
pub(crate) use crate::training::handlers::*;
pub(crate) use crate::updates::handlers::*;

pub(crate) type Answer<T> = Result<T, ApiError>;
