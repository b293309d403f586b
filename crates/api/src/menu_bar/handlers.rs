//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn set_menu_bar(app: &App, _: &Caller, args: MenuBar) -> Answer<()> {
    let host = app.host();
    if !host.capabilities().menu_bar {
        return Err(ApiError::NotPossibleHere { message: "this program has no menu bar of the system's".into() });
    }
    args.check()?;
    host.set_menu_bar(args)
        .map_err(|error| ApiError::NotPossibleHere { message: format!("the menu bar stays as it is: {error}") })
}
