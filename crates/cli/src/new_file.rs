//! Files that people name: none is written over unless they say so, and none is left half.

use crate::failure::Failure;
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that a command is to write, as the command line names it. Its path is had only by saying what becomes of a file
/// that is there.
#[derive(Debug, Clone)]
pub(crate) struct OutFile(PathBuf);

impl From<OsString> for OutFile {
    fn from(path: OsString) -> Self {
        Self(path.into())
    }
}

impl OutFile {
    /// The path, where nothing is there or `force` is said.
    pub(crate) fn unless_taken(&self, force: bool) -> Result<&Path, Failure> {
        self.free(force, "choose another name, or say --force to write over it")
    }

    /// The path, where nothing is there: for what is never written over, as it cannot be made again.
    pub(crate) fn new_only(&self) -> Result<&Path, Failure> {
        self.free(false, "choose another name")
    }

    fn free(&self, force: bool, hint: &str) -> Result<&Path, Failure> {
        // A link that leads nowhere is somebody's, too.
        if !force && self.0.symlink_metadata().is_ok() {
            return Err(Failure::new(format!("{} is there already", self.0.display()), hint));
        }
        Ok(&self.0)
    }
}

/// Writes files that were not there, one for each extension and all of one name: `NAME.EXT`, or where one of them is taken
/// `NAME (2).EXT` and so on. Nothing is ever written over, and after a failure none of them is left.
pub(crate) fn new_files(folder: &Path, stem: &str, contents: &[(&str, &[u8])]) -> std::io::Result<Vec<PathBuf>> {
    for number in 1u32.. {
        let name = if number == 1 { stem.to_owned() } else { format!("{stem} ({number})") };
        match all_new(folder, &name, contents) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return other,
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

fn all_new(folder: &Path, name: &str, contents: &[(&str, &[u8])]) -> std::io::Result<Vec<PathBuf>> {
    let mut made: Vec<PathBuf> = Vec::new();
    let undo = |made: &[PathBuf], error: Error| {
        for path in made {
            let _ = std::fs::remove_file(path);
        }
        error
    };
    for (extension, bytes) in contents {
        let path = folder.join(format!("{name}.{extension}"));
        new_file(&path, bytes).map_err(|error| undo(&made, error))?;
        made.push(path);
    }
    Ok(made)
}

/// Writes a file that was not there; after a failure none is left.
fn new_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes).inspect_err(|_| drop(std::fs::remove_file(path)))
}

/// As [`replace`], with a sentence where it fails.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes).map_err(|error| not_written(path, &error))
}

/// As [`write_whole`], for a file that is never in memory whole: `write` is given what to write to.
pub(crate) fn write_in_pieces<T>(path: &Path, write: impl FnOnce(&File) -> Result<T, Failure>) -> Result<T, Failure> {
    let fresh = beside(path).map_err(|error| not_written(path, &error))?;
    let written = write(fresh.as_file())?;
    move_to(fresh, path).map_err(|error| not_written(path, &error))?;
    Ok(written)
}

/// Why a file is not there.
pub(crate) fn not_written(path: &Path, error: &Error) -> Failure {
    Failure::new(format!("{} cannot be written: {error}", path.display()), "check the folder and the room on the disk")
}

/// Writes a file beside its place and moves it there once the disk has it; after a failure what was there is there still.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut fresh = beside(path)?;
    fresh.write_all(bytes)?;
    move_to(fresh, path)
}

fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    // Opened as any new file is: not for its owner alone, and an error says nothing of a file of which nobody knows.
    tempfile::Builder::new()
        .prefix(".unfinished-")
        .make_in(folder, |fresh| OpenOptions::new().read(true).write(true).create_new(true).open(fresh))
}

fn move_to(fresh: NamedTempFile, path: &Path) -> std::io::Result<()> {
    fresh.as_file().sync_all()?;
    fresh.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network.bin.gz");
        let named = OutFile(path.clone());
        assert_eq!(named.unless_taken(false).unwrap(), path);
        write_whole(&path, b"first").unwrap();
        let refused = named.unless_taken(false).unwrap_err();
        assert!(refused.line().contains("is there already; choose another name, or say --force"), "{}", refused.line());
        let refused = named.new_only().unwrap_err();
        assert!(refused.line().ends_with("is there already; choose another name"), "{}", refused.line());
        assert_eq!(named.unless_taken(true).unwrap(), path);
        write_whole(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::write(folder.path().join("usual"), b"").unwrap();
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(&path), mode(&folder.path().join("usual")));
        }
        std::fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write_whole(&folder.path().join("taken"), b"third").is_err());
        assert!(write_whole(&folder.path().join("nowhere/network"), b"third").is_err());
        let pieces = |fail: bool| {
            write_in_pieces(&path, |mut file| {
                file.write_all(b"fourth").map_err(|error| not_written(&path, &error))?;
                if fail { Err(Failure::new("no more", "")) } else { Ok(4) }
            })
        };
        assert_eq!(pieces(true).unwrap_err().message(), "no more");
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(pieces(false).unwrap(), 4);
        assert_eq!(std::fs::read(&path).unwrap(), b"fourth");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), if cfg!(unix) { 3 } else { 2 }, "nothing half");
    }

    #[test]
    fn files_get_the_first_name_that_is_free_for_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let there = |name: &str| std::fs::write(folder.path().join(name), "there").unwrap();
        there("a.sgf");
        there("a (2).html");
        let contents: [(&str, &[u8]); 2] = [("sgf", b"record"), ("html", b"page")];
        let written = new_files(folder.path(), "a", &contents).unwrap();
        assert_eq!(written, ["a (3).sgf", "a (3).html"].map(|name| folder.path().join(name)));
        assert_eq!(std::fs::read(&written[1]).unwrap(), b"page");
        assert_eq!(std::fs::read(folder.path().join("a.sgf")).unwrap(), b"there");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4, "a (2).sgf was taken back");
        assert!(new_files(&folder.path().join("nowhere"), "a", &contents).is_err());
    }
}
