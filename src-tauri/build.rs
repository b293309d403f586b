//! Checks the configuration, the permissions and the icons, and hands them to the compiler.

use std::path::Path;

fn main() {
    let list = Path::new("../crates/api/src/commands.rs");
    println!("cargo::rerun-if-changed={}", list.display());
    // Naming the commands makes each of them need a permission of its own.
    // The crate with the list cannot be a dependency of this script: it would be compiled a second time, ONNX and all.
    let text = std::fs::read_to_string(list).expect("crates/api/src/commands.rs is part of the workspace");
    let names: Vec<&'static str> = text.lines().filter_map(command_name).map(|name| &*name.leak()).collect();
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(Box::leak(names.into_boxed_slice())));
    tauri_build::try_build(attributes).expect("the configuration, the permissions and the icons fit together");
}

/// The name in a line like `startup: NoArgs => Startup;`.
fn command_name(line: &str) -> Option<String> {
    let (name, types) = line.trim().split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    (is_name && types.contains("=>") && types.trim_end().ends_with(';')).then(|| name.to_owned())
}
