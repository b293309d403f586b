//! Paths as text: as they cross the seam and are kept in files.

#[cfg(unix)]
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
#[cfg(unix)]
use std::ffi::OsStr;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// What an address writes as it is.
#[cfg(unix)]
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path as text: as it is, or its `file://` address where it is no Unicode.
///
/// Elsewhere than on Unix such a path has no address, and neither has a relative one; both lose what is no Unicode.
pub fn path_to_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_owned(),
        #[cfg(unix)]
        None if path.is_absolute() => format!("file://{}", percent_encode(path.as_os_str().as_bytes(), &PLAIN)),
        None => path.display().to_string(),
    }
}

/// The path that [`path_to_text`] made this text of.
pub(crate) fn path_from_text(text: &str) -> PathBuf {
    #[cfg(unix)]
    if let Some(address) = text.strip_prefix("file://").filter(|path| path.starts_with('/')) {
        let bytes: Vec<u8> = percent_decode_str(address).collect();
        // The address of any other path was not made there: a file may be called so.
        if std::str::from_utf8(&bytes).is_err() {
            return PathBuf::from(OsStr::from_bytes(&bytes));
        }
    }
    PathBuf::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_unicode_is_its_own_text() {
        for text in ["/games/局 1%.sgf", "games/a.sgf", "file:///games/%E5%B1%80.sgf", "", r"C:\games\a.sgf"] {
            assert_eq!((path_to_text(Path::new(text)), path_from_text(text)), (text.to_owned(), PathBuf::from(text)));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_path_of_any_bytes_comes_back_from_its_text() {
        // In GBK, in Latin-1 with characters that mean something in an address, and as a folder.
        for bytes in [b"/games/\xbe\xd6.sgf".as_slice(), b"/100% \xe9?#&+.sgf", b"/\xff/a.sgf"] {
            let path = Path::new(OsStr::from_bytes(bytes));
            assert_eq!(path_from_text(&path_to_text(path)), path);
        }
        assert_eq!(path_to_text(Path::new(OsStr::from_bytes(b"/\xbe\xd6.sgf"))), "file:///%BE%D6.sgf");
        assert_eq!(path_to_text(Path::new(OsStr::from_bytes(b"\xbe.sgf"))), "\u{fffd}.sgf");
    }
}
