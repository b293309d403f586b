//! A running program with its pipes, ended as a whole when it is let go.

use std::io::{self, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::installed::find_program;
use super::lines::{LineReader, Lines};
use super::tree::ProcessTree;
use super::{CommandLine, EngineError};

/// How long a program may take to end by itself.
const GRACE: Duration = Duration::from_millis(300);
/// The most of a line of standard error that is kept.
const MAX_COMPLAINT_CHARS: usize = 300;

/// A program. Dropping it ends it, and whatever it started in turn.
///
/// Three threads belong to it: for its input, its output and its standard error. They end with its pipes.
pub(super) struct Process {
    program: String,
    child: Child,
    tree: ProcessTree,
    /// A question follows the answer to the one before, so that hardly more than one command ever waits here.
    input: Option<Sender<Vec<u8>>>,
    pub(super) lines: Arc<Lines>,
    complaint: Arc<Complaint>,
}

/// The last line of standard error.
#[derive(Default)]
struct Complaint {
    line: Mutex<String>,
    /// Whether there will be no other.
    is_last: Mutex<bool>,
    ended: Condvar,
}

impl Process {
    pub(super) fn start(line: &CommandLine) -> Result<Process, EngineError> {
        let program = line.program().to_owned();
        let is_name = !program.contains(std::path::is_separator);
        let found = if is_name { find_program(&program, std::env::var_os("PATH").as_deref()) } else { None };
        // The system looks in more places, and says what is wrong.
        let mut command = Command::new(found.as_deref().unwrap_or(Path::new(&program)));
        command.args(line.arguments()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // An AppImage runs in a folder of its own, which nobody can write to; this is where the person started it.
        if let Some(folder) = std::env::var_os("OWD").filter(|folder| Path::new(folder).is_dir()) {
            command.current_dir(folder);
        }
        ProcessTree::prepare(&mut command);
        let failed = |source: io::Error| EngineError::Start { program: line.program().to_owned(), source };
        let mut child = command.spawn().map_err(failed)?;
        let tree = match ProcessTree::of(&child) {
            Ok(tree) => tree,
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(error));
            }
        };
        let (sender, commands) = channel();
        let lines = Arc::new(Lines::default());
        let complaint = Arc::new(Complaint::default());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process {
            program,
            child,
            tree,
            input: Some(sender),
            lines: Arc::clone(&lines),
            complaint: Arc::clone(&complaint),
        };
        // From here on dropping `process` ends the program.
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(failed(io::Error::other("its pipes were not made")));
        };
        let thread = |name: &str| std::thread::Builder::new().name(format!("engine-{name}"));
        let started = thread("in")
            .spawn(move || write_commands(stdin, &commands))
            .and_then(|_| thread("out").spawn(move || lines.fill_from(BufReader::new(stdout))))
            .and_then(|_| {
                thread("err").spawn(move || {
                    let mut stderr = LineReader::new(BufReader::new(stderr));
                    while let Ok(Some(line)) = stderr.next_line() {
                        let text = String::from_utf8_lossy(&line[..line.len().min(MAX_COMPLAINT_CHARS)]);
                        if !text.trim().is_empty() {
                            text.trim().clone_into(&mut complaint.line.lock());
                        }
                    }
                    *complaint.is_last.lock() = true;
                    complaint.ended.notify_all();
                })
            });
        started.map_err(failed)?;
        Ok(process)
    }

    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// Hands it a line to read. Where it has closed its input, its output ends too, and says more.
    pub(super) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send((line + "\n").into_bytes());
        }
    }

    /// Waits a little for it to end by itself, then ends it, and says how it ended and what it wrote on standard
    /// error last.
    pub(super) fn end(&mut self) -> (String, String) {
        self.input = None;
        let until = Instant::now() + GRACE;
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                _ => break None,
            }
        };
        self.kill();
        let how = match status {
            Some(status) => described(status),
            None => "without ending its process".into(),
        };
        let mut is_last = self.complaint.is_last.lock();
        if !*is_last {
            // What it wrote may still be on its way to here.
            self.complaint.ended.wait_for(&mut is_last, GRACE);
        }
        (how, self.complaint.line.lock().clone())
    }

    /// Ends it, and all that it started, now.
    fn kill(&mut self) {
        self.tree.end();
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.lines.abandon();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.input.take().is_some() {
            self.end();
        }
    }
}

fn write_commands(mut stdin: ChildStdin, commands: &Receiver<Vec<u8>>) {
    while let Ok(line) = commands.recv() {
        if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn described(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("with status {code}"),
        None => "without a status".into(),
    }
}
