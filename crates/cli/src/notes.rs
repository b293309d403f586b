//! Remarks beside the answer, on standard error.

use crate::failure::Failure;
use honinbo_protocols::katago::explained;
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

/// Says of settings that were not taken what becomes of them: configuration files of KataGo are full of what has no
/// meaning here, and a slip of the pen is among them, too.
pub(crate) fn passed_over(settings: &[String]) {
    for name in settings {
        note(&explained(name));
    }
}
