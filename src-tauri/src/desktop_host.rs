//! What the back end needs of the desktop.

use crate::commands::BackEndEvent;
use honinbo_api::{Capabilities, Event, Host, ListSource, PackageKind};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tauri::{AppHandle, Manager};
use tauri_specta::Event as _;

/// The desktop as the back end sees it.
pub(crate) struct DesktopHost {
    handle: AppHandle,
    data_dir: PathBuf,
    started: Instant,
}

impl DesktopHost {
    /// A host that keeps everything in `data_dir` and emits events to every window of `handle`.
    pub(crate) fn new(handle: AppHandle, data_dir: PathBuf) -> Self {
        Self { handle, data_dir, started: Instant::now() }
    }
}

impl Host for DesktopHost {
    fn data_dir(&self) -> PathBuf {
        self.data_dir.clone()
    }

    fn resource_dirs(&self) -> Vec<PathBuf> {
        let reported = self.handle.path().resource_dir().map(|dir| dir.join("resources"));
        honinbo_api::resource_dirs(&reported.into_iter().collect::<Vec<_>>())
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }

    fn unix_seconds(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { paths: true, native_dialogs: true }
    }

    fn releases(&self) -> Option<ListSource> {
        ListSource::releases()
    }

    fn installed_by(&self) -> Option<PackageKind> {
        installed_by(&std::env::current_exe().ok()?, Path::new("/"))
    }

    fn install(&self, package: &Path) -> io::Result<()> {
        // The system's own way to open a file: it asks before it installs, and for a password where one is needed.
        let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut command = if cfg!(windows) {
            Command::new(package) // The installer itself, which asks Honinbo to be closed.
        } else {
            let mut command = Command::new(opener);
            command.arg(package);
            command
        };
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        // It may stay open for as long as the person likes; whoever has ended is not left behind as a process.
        std::thread::Builder::new().name("installer".into()).spawn(move || child.wait()).map(drop)
    }

    fn emit(&self, event: Event) {
        // Before the window exists nobody listens, and it asks for everything when it starts.
        if let Err(error) = BackEndEvent(event).emit(&self.handle) {
            tracing::warn!("an event did not reach the window: {error}");
        }
    }
}

/// The kind of package that a program of this path was installed by; `system` is the root of the file system.
fn installed_by(program: &Path, system: &Path) -> Option<PackageKind> {
    if cfg!(windows) {
        // The portable archive has no uninstaller.
        return program.with_file_name("uninstall.exe").is_file().then_some(PackageKind::Setup);
    }
    if cfg!(target_os = "macos") {
        let in_bundle = program.ancestors().any(|folder| folder.extension().is_some_and(|end| end == "app"));
        return in_bundle.then_some(PackageKind::Dmg);
    }
    if program != system.join("usr/bin/honinbo-app") {
        return None;
    }
    let there = |path: &str| system.join(path).exists();
    if there("var/lib/dpkg/info/honinbo.list") {
        Some(PackageKind::Deb)
    } else if there("usr/lib/sysimage/rpm") || there("var/lib/rpm") {
        Some(PackageKind::Rpm)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use std::fs;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_copy_knows_the_package_that_it_came_from() {
        let system = tempfile::tempdir().unwrap();
        let root = system.path();
        let program = root.join("usr/bin/honinbo-app");
        assert_eq!(installed_by(&program, root), None, "unpacked by hand");
        fs::create_dir_all(root.join("var/lib/rpm")).unwrap();
        assert_eq!(installed_by(&program, root), Some(PackageKind::Rpm));
        // Debian has a folder for rpm where that program is installed too.
        fs::create_dir_all(root.join("var/lib/dpkg/info")).unwrap();
        fs::write(root.join("var/lib/dpkg/info/honinbo.list"), "").unwrap();
        assert_eq!(installed_by(&program, root), Some(PackageKind::Deb));
        assert_eq!(installed_by(&root.join("home/me/target/debug/honinbo-app"), root), None);
    }
}
