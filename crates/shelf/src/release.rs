//! A newer version of the program: what the maintainers published and signed, and the package for this machine.

use crate::download::{Download, SILENCE};
use crate::error::{DownloadError, UpdateError};
use crate::list::is_sha256;
use crate::part::Part;
use crate::signature::ListSource;
use crate::signed::{Published, SignedFile};
use honinbo_evaluator::StopFlag;
use honinbo_net::sha256_of;
use semver::Version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// No package is larger.
const MAX_PACKAGE_BYTES: u64 = 1 << 30;
const MAX_PACKAGES: usize = 50;
/// Letters of what is new, in all languages together.
const MAX_NOTES: usize = 100_000;

/// How a copy of the program was installed, and so by which package it is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackageKind {
    /// Debian, Ubuntu and their relatives.
    Deb,
    /// Fedora, openSUSE and their relatives.
    Rpm,
    /// The installer for Windows.
    Setup,
    /// The disk image for macOS.
    Dmg,
}

/// Where rpm keeps what it knows. Other systems have the program too, to unpack with.
const RPM_DATABASES: [&str; 2] = ["usr/lib/sysimage/rpm", "var/lib/rpm"];
/// A file of our rpm package that no other package has; see `src-tauri/tauri.package.json`.
const RPM_MARK: &str = "usr/share/licenses/honinbo/copyright";

impl PackageKind {
    /// The kind of package that a program of this path was installed by; `system` is the root of the file system. `None`
    /// where no package replaces it.
    pub fn of_program(program: &Path, system: &Path) -> Option<Self> {
        if cfg!(windows) {
            // The portable archive has no uninstaller.
            return program.with_file_name("uninstall.exe").is_file().then_some(Self::Setup);
        }
        if cfg!(target_os = "macos") {
            let in_bundle = program.ancestors().any(|folder| folder.extension().is_some_and(|end| end == "app"));
            return in_bundle.then_some(Self::Dmg);
        }
        // The window's program and the terminal's.
        if !["honinbo-app", "honinbo"].iter().any(|name| program == system.join("usr/bin").join(name)) {
            return None;
        }
        let there = |path: &str| system.join(path).exists();
        if there("var/lib/dpkg/info/honinbo.list") {
            Some(Self::Deb)
        } else if RPM_DATABASES.iter().any(|path| there(path)) && there(RPM_MARK) {
            Some(Self::Rpm)
        } else {
            None
        }
    }
}

/// A package of a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Package {
    /// What installs it.
    pub kind: PackageKind,
    /// Processor, as [`std::env::consts::ARCH`] names it; `universal` for all.
    pub processor: String,
    /// The file's name.
    pub file: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// SHA-256 of the file, lower case.
    pub sha256: String,
    /// https addresses, best first: the others are mirrors.
    pub addresses: Vec<String>,
}

/// The newest version, as its maintainers describe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// Grows with every file that is published, so that an old one cannot be put in the place of a new one.
    pub serial: u32,
    /// The version.
    pub version: Version,
    /// The day it was published, `YYYY-MM-DD`.
    pub date: String,
    /// Its page, for those whose copy no package replaces.
    pub page: String,
    /// What is new, in Markdown, by language; `en` is always there.
    pub notes: BTreeMap<String, String>,
    /// The packages.
    pub packages: Vec<Package>,
}

impl Release {
    /// Reads a release and checks all of it.
    ///
    /// # Errors
    /// [`UpdateError::Syntax`] and [`UpdateError::Entry`].
    pub fn parse(json: &[u8]) -> Result<Self, UpdateError> {
        let release: Self = serde_json::from_slice(json)?;
        let wrong = |reason| Err(UpdateError::Entry { reason });
        if !release.page.starts_with("https://") {
            return wrong("its page has no https address");
        }
        if !release.notes.contains_key("en") || release.notes.values().map(String::len).sum::<usize>() > MAX_NOTES {
            return wrong("it does not say what is new, or too much of it");
        }
        if release.packages.len() > MAX_PACKAGES {
            return wrong("it has too many packages");
        }
        for package in &release.packages {
            let plain = package.file.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte));
            if !plain || package.file.starts_with(['.', '-']) || !(1..=200).contains(&package.file.len()) {
                return wrong("a package has a name that is none");
            }
            if !is_sha256(&package.sha256) {
                return wrong("a package has no SHA-256 in lower case");
            }
            if !(1..=MAX_PACKAGE_BYTES).contains(&package.bytes) || package.addresses.is_empty() {
                return wrong("a package has no size or no address");
            }
        }
        Ok(release)
    }

    /// The package that replaces a copy of the program on a machine with this processor.
    pub fn package(&self, kind: PackageKind, processor: &str) -> Option<&Package> {
        let fits = |package: &&Package| package.processor == processor || package.processor == "universal";
        self.packages.iter().filter(|package| package.kind == kind).find(fits)
    }
}

impl Published for Release {
    type Error = UpdateError;

    fn parse(json: &[u8]) -> Result<Self, UpdateError> {
        Self::parse(json)
    }

    fn serial(&self) -> u32 {
        self.serial
    }

    fn older(found: u32, current: u32) -> UpdateError {
        UpdateError::Older { found, current }
    }

    fn unusable(path: &Path, source: io::Error) -> UpdateError {
        UpdateError::Folder { path: path.to_owned(), source }
    }
}

/// Looks for newer versions and fetches them, for one data folder. Knows no state but what lies there.
#[derive(Clone)]
pub struct Updates {
    data_dir: PathBuf,
    source: Option<ListSource>,
    running: Version,
    silence: Duration,
}

impl Updates {
    /// `running` is the version of this program; without a `source` nothing is ever offered.
    pub fn new(data_dir: &Path, source: Option<ListSource>, running: Version) -> Self {
        Self { data_dir: data_dir.to_owned(), source, running, silence: SILENCE }
    }

    /// Gives up a download after so long without a byte.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }

    /// Whether this program knows where new versions are published, and who signs them.
    pub fn can_look(&self) -> bool {
        self.source.is_some()
    }

    /// Asks the maintainers' server for the newest version and remembers the answer. Answers with `None` when the running
    /// one is the newest.
    ///
    /// # Errors
    /// [`UpdateError`]; what was known before stays.
    pub fn look(&self, stop: &StopFlag) -> Result<Option<Release>, UpdateError> {
        let Some(file) = self.file() else { return Ok(None) };
        let known = || match file.kept::<Release>() {
            Ok(kept) => Ok(kept.map_or(0, |kept| kept.serial)),
            Err(error @ UpdateError::Folder { .. }) => Err(error),
            // Two files that do not belong together, as a program leaves them that ended between writing one and the
            // other, say nothing and are replaced.
            Err(error) => {
                tracing::warn!(%error, "what was known of new versions is forgotten");
                Ok(0)
            }
        };
        let fetched = file.fetch::<Release>(self.silence, stop, known)?;
        Ok(self.newer(file.keep(fetched)?))
    }

    /// The newer version that an earlier look found. Asks nobody.
    ///
    /// # Errors
    /// [`UpdateError`] when what lies in the data folder cannot be read or was changed there.
    pub fn known(&self) -> Result<Option<Release>, UpdateError> {
        let Some(file) = self.file() else { return Ok(None) };
        Ok(file.kept::<Release>()?.and_then(|release| self.newer(release)))
    }

    /// Bytes of a package that an earlier, broken-off fetch left.
    pub fn begun(&self, package: &Package) -> u64 {
        fs::metadata(Part::path_in(&self.folder(), &package.file)).map_or(0, |metadata| metadata.len())
    }

    /// The package, if all of it is here. Reads the whole file.
    pub fn here(&self, package: &Package) -> Option<PathBuf> {
        let path = self.folder().join(&package.file);
        sha256_of(&path).is_ok_and(|found| found == package.sha256).then_some(path)
    }

    /// Fetches a package into the data folder and gives its path; packages of other versions are taken away. What was
    /// broken off goes on where it was; where one address fails the next one is asked.
    ///
    /// # Errors
    /// [`UpdateError`]; nothing but the file that was signed is kept under its name.
    pub fn fetch(&self, package: &Package, progress: &dyn Fn(u64), stop: &StopFlag) -> Result<PathBuf, UpdateError> {
        if let Some(path) = self.here(package) {
            return Ok(path);
        }
        let folder = self.folder();
        fs::create_dir_all(&folder).map_err(|error| Release::unusable(&folder, error))?;
        let part = Part::hold(&folder, &package.file)?;
        self.take_away_but(package);
        let mut failed = None;
        for address in &package.addresses {
            match self.fetch_from(address, package, &part, progress, stop) {
                Ok(()) => {
                    let target = folder.join(&package.file);
                    fs::rename(part.path(), &target).map_err(|error| Release::unusable(&target, error))?;
                    return Ok(target);
                }
                Err(error) if error.is_stopped() || stop.is_set() => return Err(error),
                // A full disk is full for the next address too.
                Err(error @ (UpdateError::Folder { .. } | UpdateError::Download(DownloadError::Unwritable { .. }))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::warn!(%error, "the next address is asked");
                    failed = Some(error);
                }
            }
        }
        Err(failed.unwrap_or(UpdateError::Entry { reason: "a package has no size or no address" }))
    }

    fn fetch_from(
        &self,
        address: &str,
        package: &Package,
        part: &Part,
        progress: &dyn Fn(u64),
        stop: &StopFlag,
    ) -> Result<(), UpdateError> {
        let download = Download { silence: self.silence, ..Download::new(address, part, package.bytes) };
        download.run(&|bytes, _| progress(bytes), stop)?;
        part.forget();
        let found = sha256_of(part.path()).map_err(|error| Release::unusable(part.path(), error))?;
        if found == package.sha256 {
            return Ok(());
        }
        part.remove(); // What is not the right file is nothing to go on from.
        Err(UpdateError::Checksum { file: package.file.clone(), expected: package.sha256.clone(), found })
    }

    /// Packages of versions that are no longer the newest.
    fn take_away_but(&self, package: &Package) {
        let kept = self.file().map(|file| file.paths());
        let begun = format!(".{}.", package.file);
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_begun = entry.file_name().to_string_lossy().starts_with(&begun);
            let is_kept = kept.as_ref().is_some_and(|(release, signature)| [release, signature].contains(&&path));
            let stays = is_begun || is_kept;
            if !stays && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn newer(&self, release: Release) -> Option<Release> {
        (release.version > self.running).then_some(release)
    }

    fn folder(&self) -> PathBuf {
        self.data_dir.join("updates")
    }

    fn file(&self) -> Option<SignedFile<'_>> {
        self.source.as_ref().map(|source| SignedFile { source, folder: self.folder(), name: "release" })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    #[test]
    fn a_copy_knows_the_package_that_it_came_from() {
        let system = tempfile::tempdir().unwrap();
        let root = system.path();
        let kinds =
            || ["honinbo-app", "honinbo"].map(|name| PackageKind::of_program(&root.join("usr/bin").join(name), root));
        assert_eq!(kinds(), [None; 2], "unpacked by hand");
        // Arch installs out of the package for Debian, under a name of its own, and may have rpm to unpack with.
        fs::create_dir_all(root.join("var/lib/rpm")).unwrap();
        fs::create_dir_all(root.join("usr/share/licenses/honinbo-bin")).unwrap();
        fs::write(root.join("usr/share/licenses/honinbo-bin/copyright"), "").unwrap();
        assert_eq!(kinds(), [None; 2]);
        fs::create_dir_all(root.join(RPM_MARK).parent().unwrap()).unwrap();
        fs::write(root.join(RPM_MARK), "").unwrap();
        assert_eq!(kinds(), [Some(PackageKind::Rpm); 2]);
        // Debian has a folder for rpm where that program is installed too.
        fs::create_dir_all(root.join("var/lib/dpkg/info")).unwrap();
        fs::write(root.join("var/lib/dpkg/info/honinbo.list"), "").unwrap();
        assert_eq!(kinds(), [Some(PackageKind::Deb); 2]);
        assert_eq!(PackageKind::of_program(&root.join("home/me/target/debug/honinbo-app"), root), None);
    }
}
