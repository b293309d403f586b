//! Checks the configuration, the permissions and the icons, and hands them to the compiler.

use std::path::Path;

fn main() {
    let list = Path::new("capabilities/main.toml");
    println!("cargo::rerun-if-changed={}", list.display());
    // Naming the commands makes each of them need a permission of its own.
    // The list itself cannot be a dependency of this script: its crate would be compiled a second time, ONNX and all. A
    // test keeps the capability file as the list says.
    let text = std::fs::read_to_string(list).expect("capabilities/main.toml is part of the workspace");
    let names: Vec<&'static str> = text.lines().filter_map(command_name).map(|name| &*name.leak()).collect();
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(Box::leak(names.into_boxed_slice())));
    tauri_build::try_build(attributes).expect("the configuration, the permissions and the icons fit together");
}

/// The command that a line like `"allow-new-game",` grants.
fn command_name(line: &str) -> Option<String> {
    let name = line.trim().strip_prefix("\"allow-")?.strip_suffix("\",")?;
    Some(name.replace('-', "_"))
}
