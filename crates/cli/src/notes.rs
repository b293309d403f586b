//! Remarks beside the answer, on standard error.

use crate::failure::Failure;
use std::io::Write as _;

/// Says something that is worth knowing and no failure.
pub(crate) fn note(text: &str) {
    // Nobody listens: then there is nobody to tell that to either.
    let _ = writeln!(std::io::stderr(), "note: {text}");
}

/// Says why one of several things was not done, while the others go on.
pub(crate) fn failed(failure: &Failure) {
    let _ = writeln!(std::io::stderr(), "{}", failure.line());
}
