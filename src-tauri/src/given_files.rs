//! Files that the system gives to the program: on its command line, or to the program that already runs.

use crate::commands::Desktop;
use honinbo_api::{ApiError, path_to_text};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tauri::{AppHandle, Manager};

/// Files of a second start that came while the first was still opening its library.
#[derive(Debug)]
pub(crate) struct Early(Mutex<Option<Vec<PathBuf>>>);

impl Early {
    /// Nothing came yet, and nothing can be opened yet.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Some(Vec::new())))
    }

    /// Keeps files as long as nothing can be opened; afterwards gives them back.
    fn keep(&self, files: Vec<PathBuf>) -> Option<Vec<PathBuf>> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            Some(kept) => {
                kept.extend(files);
                None
            }
            None => Some(files),
        }
    }

    /// From now on files can be opened; these came before.
    pub(crate) fn end(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default()
    }
}

/// The files among a program's arguments (its own name not counted), relative ones seen from `folder`.
pub(crate) fn among(arguments: impl IntoIterator<Item = OsString>, folder: &Path) -> Vec<PathBuf> {
    let is_file = |argument: &OsString| argument.as_encoded_bytes().first().is_some_and(|&first| first != b'-');
    arguments.into_iter().filter(is_file).map(|argument| folder.join(from_url(&argument))).collect()
}

/// The program's arguments (its own name not counted) as text, where one of them or `folder`, from which relative ones are
/// seen, is no Unicode; files are addresses then. `None` where nothing is to be changed.
fn in_unicode(arguments: &[OsString], folder: &Path) -> Option<Vec<String>> {
    let rewritten = |argument: &OsString| {
        let is_option = argument.is_empty() || argument.as_encoded_bytes().starts_with(b"-");
        let path = if is_option { PathBuf::new() } else { from_url(argument) };
        match argument.to_str() {
            Some(_) if is_option || path.is_absolute() || folder.to_str().is_some() => None,
            None if is_option => Some(argument.to_string_lossy().into_owned()),
            _ => Some(path_to_text(&folder.join(path))),
        }
    };
    let texts: Vec<Option<String>> = arguments.iter().map(rewritten).collect();
    if texts.iter().all(Option::is_none) {
        return None;
    }
    let as_it_is = |argument: &OsString| argument.to_string_lossy().into_owned();
    Some(texts.into_iter().zip(arguments).map(|(text, given)| text.unwrap_or_else(|| as_it_is(given))).collect())
}

/// Has the program begin anew with arguments that are text, where they are none: a second start hands them to the first one
/// as text, and the name of a file would be lost. Where that fails, the program goes on with what it was given.
#[cfg(unix)]
pub(crate) fn begin_in_unicode() {
    use std::os::unix::process::CommandExt as _;

    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Some(arguments) = in_unicode(&arguments, &std::env::current_dir().unwrap_or_default()) else { return };
    let failed = match std::env::current_exe() {
        Ok(program) => std::process::Command::new(program).args(arguments).exec(),
        Err(error) => error,
    };
    tracing::warn!("names of files that are no Unicode may be lost: {failed}");
}

/// File managers may hand over `file://` addresses in place of paths. A path need not be Unicode, an address is.
fn from_url(argument: &OsStr) -> PathBuf {
    argument
        .to_str()
        .and_then(|text| tauri::Url::parse(text).ok())
        .filter(|url| url.scheme() == "file")
        .and_then(|url| url.to_file_path().ok())
        .unwrap_or_else(|| PathBuf::from(argument))
}

/// Opens the files that the program was started with; without any, somebody who is here for the first time sees the first
/// game. Everybody else finds what was open, or the empty window. The window says which could not be opened.
pub(crate) fn open_at_start(desktop: &Desktop, files: &[PathBuf]) {
    let mut is_any_open = false;
    for file in files {
        is_any_open |= told(file, desktop.app.open_before_window(file));
    }
    if !is_any_open
        && desktop.app.is_first_start()
        && let Err(error) = desktop.app.open_first_game()
    {
        tracing::error!("the first game could not be opened: {error}");
    }
}

/// Opens the files of a second start in the window that is there, and brings it to the front.
pub(crate) fn open_later(handle: &AppHandle, early: &Early, files: Vec<PathBuf>) {
    let Some(files) = early.keep(files) else { return };
    let desktop = handle.state::<Arc<Desktop>>();
    for file in &files {
        told(file, desktop.app.open_path(file));
    }
    if let Some(window) = handle.get_webview_window("main") {
        let _ = window.unminimize();
        let _ = window.set_focus();
    }
}

/// Whether a file was opened; what was wrong with it is in the log.
fn told(file: &Path, opened: Result<(), ApiError>) -> bool {
    opened.inspect_err(|error| tracing::warn!("{} was not opened: {error}", file.display())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_come_before_anything_can_be_opened_are_opened_with_the_first_ones() {
        let early = Early::new();
        let some = |name: &str| vec![PathBuf::from(name)];
        assert_eq!((early.keep(some("a")), early.keep(some("b"))), (None, None));
        assert_eq!(early.end(), [some("a"), some("b")].concat());
        assert_eq!((early.keep(some("c")), early.end()), (Some(some("c")), Vec::new()));
    }

    #[test]
    fn options_are_no_files_and_relative_paths_start_where_the_person_is() {
        let given = ["--safe", "", "a.sgf", "/b/c.sgf", "file:///d/%E5%B1%80.sgf"].map(OsString::from);
        let files = among(given, Path::new("/here"));
        assert_eq!(files, ["/here/a.sgf", "/b/c.sgf", "/d/局.sgf"].map(PathBuf::from));
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_unicode_is_a_file_like_any_other() {
        use std::os::unix::ffi::OsStrExt as _;

        let name = OsStr::from_bytes(b"\xbe\xd6.sgf"); // In GBK, as an old disk may have it.
        assert_eq!(among([name.to_owned()], Path::new("/here")), [Path::new("/here").join(name)]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_unicode_is_text_before_it_is_handed_to_the_first_start() {
        use std::os::unix::ffi::OsStrExt as _;

        let given = |arguments: &[&[u8]]| -> Vec<OsString> {
            arguments.iter().map(|argument| OsStr::from_bytes(argument).to_owned()).collect()
        };
        let (here, there) = (Path::new("/here"), Path::new(OsStr::from_bytes(b"/\xff")));
        let text = |arguments: &[&[u8]], folder| in_unicode(&given(arguments), folder);
        assert_eq!(text(&[b"--safe", b"a.sgf", "/局.sgf".as_bytes(), b"file:///%BE%D6.sgf", b""], here), None);
        assert_eq!(text(&[b"--safe", b"/a.sgf"], there), None);

        let names: [&[u8]; 4] = [b"--\xff", b"\xbe\xd6.sgf", b"/d/\xbe.sgf", b"a.sgf"];
        let texts = text(&names, here).unwrap();
        assert_eq!(texts, ["--\u{fffd}", "file:///here/%BE%D6.sgf", "file:///d/%BE.sgf", "a.sgf"]);
        assert_eq!(text(&[b"a.sgf"], there).unwrap(), ["file:///%FF/a.sgf"]);
        // They are the same files, and the program begins anew only once.
        let again: Vec<OsString> = texts.into_iter().map(OsString::from).collect();
        assert_eq!(among(again.clone(), here), among(given(&names), here));
        assert_eq!(in_unicode(&again, here), None);
    }
}
