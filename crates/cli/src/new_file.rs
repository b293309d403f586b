//! Files written beside others, none of which is touched.

use std::fs::OpenOptions;
use std::io::{Error, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

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
pub(crate) fn new_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes).inspect_err(|_| drop(std::fs::remove_file(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
