//! Trying a library before it is relied on.

use super::library::{LibrarySearch, Runtime};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio, exit};
use std::time::Duration;

/// The argument with which a program tries a library instead of doing its work.
const TRY: &str = "--try-onnxruntime";
/// A library that has not answered after so many looks, two minutes, never will.
const LOOKS: u32 = 6_000;
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Loads the library of a folder in a process of its own, and gives its version. This process may have another library
/// loaded already, and a wrong one may end whoever tries it.
///
/// The program has to call [`answer_library_trial`] first in its `main`.
///
/// # Errors
/// Why it cannot be used, as a part of a sentence.
pub fn try_library(folder: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("it cannot be tried: {error}");
    let mut child = Command::new(std::env::current_exe().map_err(failed)?)
        .arg(TRY)
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let status = wait(&mut child).map_err(failed)?.ok_or("it does not answer")?;
    let mut said = String::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut said).map_err(failed)?;
    }
    match status.code() {
        Some(0) => Ok(said),
        Some(1) => Err(said),
        _ => Err(format!("the program that tried it ended with {status}")),
    }
}

/// `None`: it was ended, as it took too long.
fn wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    for _ in 0..LOOKS {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Does nothing, unless the program was started by [`try_library`]: then it tries the library and ends.
pub fn answer_library_trial() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != TRY) {
        return;
    }
    let folders = arguments.next().map(Into::into).into_iter().collect();
    let (said, status) = match Runtime::load(&LibrarySearch { explicit: None, folders }) {
        Ok(runtime) => (runtime.version(), 0),
        Err(error) => (error.to_string(), 1),
    };
    let written = std::io::stdout().write_all(said.as_bytes());
    exit(if written.is_ok() { status } else { 2 });
}
