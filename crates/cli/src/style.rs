//! Colours for terminals that show them.

/// Whether to use colours: on a terminal, unless `NO_COLOR` is set to anything but nothing (no-color.org) or the
/// terminal is a dumb one.
pub(crate) fn wants_color(is_terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
