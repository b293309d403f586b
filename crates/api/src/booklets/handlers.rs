//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn make_booklet(app: &App, caller: &Caller, args: MakeBooklet) -> Answer<BookletMade> {
    app.booklets.make(&args, caller.stop())
}
