//! The `honinbo` command.

fn main() {}
