//! Bars of progress on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of a length, as far as that is known. Hidden by itself where standard error is no terminal.
pub(crate) fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}
