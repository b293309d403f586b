//! Where to find what comes with the program: ONNX Runtime and networks.

use crate::NetworkFile;
use crate::fetches::kib;
use honinbo_shelf::RuntimeShelf;
use std::path::{Path, PathBuf};

/// The network that comes with the program.
pub const DEFAULT_NETWORK: &str = "b10c384h6nbttflrs.bin.gz";

/// Where the program's own files may be, best first: `HONINBO_RESOURCES`, what the host names, and what lies around the
/// executable (installed, unpacked, or in a development tree).
///
/// A folder counts if it has `networks/` or `onnxruntime/` in it.
pub fn resource_dirs(named_by_host: &[PathBuf]) -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = std::env::var_os("HONINBO_RESOURCES").map(PathBuf::from).into_iter().collect();
    dirs.extend_from_slice(named_by_host);
    if let Ok(executable) = std::env::current_exe() {
        dirs.extend(dirs_around(&executable));
    }
    dirs.retain(|dir| dir.join("networks").is_dir() || dir.join("onnxruntime").is_dir());
    dirs.dedup();
    dirs
}

/// From the folder of the executable: unpacked, the two names of the package for Linux, and the bundle for macOS.
const AROUND: [&str; 4] =
    ["resources", "../lib/honinbo/resources", "../lib/Honinbo/resources", "../Resources/resources"];

/// Where the files of a program may be that lies at `executable`, whether they are there or not. A link to it, such as
/// one on the path, is followed.
fn dirs_around(executable: &Path) -> Vec<PathBuf> {
    let executable = dunce::canonicalize(executable).unwrap_or_else(|_| executable.to_owned());
    let folders = || executable.ancestors().skip(1);
    let mut dirs: Vec<PathBuf> = Vec::new();
    if let Some(folder) = folders().next() {
        dirs.extend(AROUND.iter().map(|place| folder.join(place)));
    }
    dirs.extend(folders().take(5).map(|folder| folder.join("src-tauri/resources")));
    dirs
}

/// Where ONNX Runtime and its providers may be: the runtime that the person added, then the program's own.
pub fn library_dirs(data_dir: &Path, resource_dirs: &[PathBuf]) -> Vec<PathBuf> {
    let shelf = RuntimeShelf::new(data_dir);
    let added = shelf.in_use().map(|name| shelf.folder_of(&name));
    added.into_iter().chain(resource_dirs.iter().map(|dir| dir.join("onnxruntime"))).collect()
}

/// Where the person's networks are put: the folder of the settings, otherwise `networks/` of the data folder.
pub fn network_folder(data_dir: &Path) -> PathBuf {
    let text = std::fs::read_to_string(data_dir.join("settings.toml")).unwrap_or_default();
    let settings: toml::Table = text.parse().unwrap_or_default();
    let chosen = settings.get("networkFolder").and_then(toml::Value::as_str).map(PathBuf::from);
    chosen.filter(|folder| folder.is_absolute()).unwrap_or_else(|| data_dir.join("networks"))
}

/// Every network in the person's own folders and among the program's own files; the person's hide those of one name.
pub fn networks(data_dir: &Path, resource_dirs: &[PathBuf]) -> Vec<NetworkFile> {
    let mut found: Vec<NetworkFile> = Vec::new();
    for (dir, bundled) in network_dirs(data_dir, resource_dirs) {
        let Ok(entries) = std::fs::read_dir(dir) else { continue };
        for entry in entries.flatten() {
            let Ok(file_name) = entry.file_name().into_string() else { continue };
            let Ok(metadata) = std::fs::metadata(entry.path()) else { continue };
            let is_network = file_name.ends_with(".bin.gz") || file_name.ends_with(".txt.gz");
            if is_network && metadata.is_file() && found.iter().all(|other| other.file_name != file_name) {
                let size_kib = kib(metadata.len());
                found.push(NetworkFile { file_name, size_kib, bundled });
            }
        }
    }
    found.sort_by(|a, b| a.file_name.cmp(&b.file_name));
    found
}

/// The file of a network: a path as it is, otherwise a name from [`networks`]; an empty name is the default network.
pub fn find_network(name: &str, data_dir: &Path, resource_dirs: &[PathBuf]) -> Option<PathBuf> {
    let name = if name.is_empty() { DEFAULT_NETWORK } else { name };
    if name.contains(['/', '\\']) {
        return Some(PathBuf::from(name));
    }
    network_dirs(data_dir, resource_dirs).map(|(dir, _)| dir.join(name)).find(|path| path.is_file())
}

/// The network of a level for beginners. It lies apart from the others, since nobody analyses with it.
pub(crate) fn pupil_network(step: u8, resource_dirs: &[PathBuf]) -> Option<PathBuf> {
    let file = format!("networks/pupils/pupil-{step}.bin.gz");
    resource_dirs.iter().map(|dir| dir.join(&file)).find(|path| path.is_file())
}

fn network_dirs(data_dir: &Path, resource_dirs: &[PathBuf]) -> impl Iterator<Item = (PathBuf, bool)> {
    let mut own = vec![(network_folder(data_dir), false), (data_dir.join("networks"), false)];
    own.dedup();
    own.into_iter().chain(resource_dirs.iter().map(|dir| (dir.join("networks"), true)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_the_person_hides_the_programs_own() {
        let data = tempfile::tempdir().unwrap();
        let resources = tempfile::tempdir().unwrap();
        for dir in [data.path(), resources.path()] {
            std::fs::create_dir(dir.join("networks")).unwrap();
            std::fs::write(dir.join("networks").join(DEFAULT_NETWORK), b"x").unwrap();
        }
        std::fs::write(resources.path().join("networks/LICENSE"), b"x").unwrap();
        let dirs = [resources.path().to_path_buf()];

        let listed = networks(data.path(), &dirs);
        assert_eq!(listed, [NetworkFile { file_name: DEFAULT_NETWORK.into(), size_kib: 1, bundled: false }]);
        let file = find_network("", data.path(), &dirs).unwrap();
        assert!(file.starts_with(data.path()));
        assert_eq!(find_network("missing.bin.gz", data.path(), &dirs), None);
    }

    #[test]
    fn a_program_finds_its_files_in_each_package() {
        for (program, files) in [
            ("Honinbo/honinbo", "Honinbo/resources"),
            ("usr/bin/honinbo", "usr/lib/honinbo/resources"),
            ("Honinbo.app/Contents/MacOS/honinbo", "Honinbo.app/Contents/Resources/resources"),
            ("target/release/honinbo", "src-tauri/resources"),
        ] {
            let root = tempfile::tempdir().unwrap();
            let (program, files) = (root.path().join(program), root.path().join(files));
            std::fs::create_dir_all(program.parent().unwrap()).unwrap();
            std::fs::write(&program, b"x").unwrap();
            std::fs::create_dir_all(files.join("networks")).unwrap();
            let found = dirs_around(&program).into_iter().find(|dir| dir.join("networks").is_dir());
            let found = found.map(|dir| dunce::canonicalize(dir).unwrap());
            assert_eq!(found, Some(dunce::canonicalize(&files).unwrap()), "{}", program.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_on_the_path_leads_to_the_files_of_the_bundle() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("Honinbo.app/Contents/MacOS/honinbo");
        let files = root.path().join("Honinbo.app/Contents/Resources/resources");
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        std::fs::write(&program, b"x").unwrap();
        std::fs::create_dir_all(&files).unwrap();
        let link = root.path().join("honinbo");
        std::os::unix::fs::symlink(&program, &link).unwrap();
        assert!(dirs_around(&link).iter().any(|dir| dir.is_dir()));
    }
}
