//! Starting the real program, and talking to it.

use honinbo_testkit::fixtures;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a program that ended left behind.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Standard output as the one JSON value that it must be, on one line.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.trim_end().lines().count(), 1, "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The one line that explains a failure.
    pub(crate) fn failure(&self) -> &str {
        assert_eq!(self.status, 1, "{self:?}");
        let line = self.stderr.trim_end();
        assert_eq!(line.lines().count(), 1, "{self:?}");
        assert!(line.starts_with("error: ") && !line.contains("panicked"), "{self:?}");
        line
    }
}

/// A data folder of its own, and the program.
pub(crate) struct Honinbo {
    pub(crate) data: TempDir,
    variables: Vec<(&'static str, PathBuf)>,
}

impl Honinbo {
    pub(crate) fn new() -> Self {
        let mut variables = Vec::new();
        if std::env::var_os("HONINBO_RESOURCES").is_none() {
            variables.push(("HONINBO_RESOURCES", repository().join("src-tauri/resources")));
        }
        Self { data: tempfile::tempdir().unwrap(), variables }
    }

    /// Sets a variable of its environment.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<PathBuf>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_honinbo"));
        command.args(args).env("HONINBO_DATA", self.data.path()).env_remove("HONINBO_LOG").env_remove("NO_COLOR");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Lets a program of somebody else's start this one in the same surroundings.
    pub(crate) fn lend_environment(&self, command: &mut Command) {
        command.env("HONINBO_DATA", self.data.path()).env_remove("HONINBO_LOG");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
    }

    /// Runs it to its end, which must come.
    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        self.run_with_input(args, b"")
    }

    /// As [`Honinbo::run`], with standard input.
    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ended {
        let mut command = self.command(args);
        command.stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input); // It may not want to read it all.
        });
        let ended = finish(child);
        writer.join().unwrap();
        ended
    }

    /// Runs it with this file as its standard output.
    pub(crate) fn run_into(&self, args: &[&str], stdout: std::fs::File) -> Ended {
        finish(self.command(args).stdout(stdout).spawn().unwrap())
    }

    /// Starts it and leaves it running.
    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).spawn().unwrap()
    }

    /// Starts `honinbo serve` and waits until its doors are open.
    pub(crate) fn serve(&self, args: &[&str]) -> Service {
        Self::opened(self.spawn_server(args))
    }

    fn spawn_server(&self, args: &[&str]) -> Child {
        self.spawn(&[&["serve", "--http", "0", "--tcp", "127.0.0.1:0"], args].concat())
    }

    /// Waits until the doors of `honinbo serve` are open.
    pub(crate) fn opened(mut child: Child) -> Service {
        let lines = lines_of(child.stdout.take().unwrap());
        let line = || lines.recv_timeout(Duration::from_secs(60)).expect("it said nothing");
        let url = line().strip_prefix("web ").expect("an address for the browser").to_string();
        let tcp = line().strip_prefix("tcp ").expect("an address for programs").to_string();
        Service { child: Some(child), url, tcp }
    }
}

/// The lines of a stream as they come.
pub(crate) fn lines_of(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    lines
}

/// Waits for its end and gives all that it said.
pub(crate) fn finish(mut child: Child) -> Ended {
    let read = |stream: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                stream.read_to_end(&mut bytes).unwrap();
            }
            String::from_utf8(bytes).unwrap()
        })
    };
    let stdout = read(child.stdout.take().map(|stream| Box::new(stream) as _));
    let stderr = read(child.stderr.take().map(|stream| Box::new(stream) as _));
    let status = wait(&mut child, Duration::from_secs(600));
    Ended { status, stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

/// Waits for the end, for so long at most.
pub(crate) fn wait(child: &mut Child, time: Duration) -> i32 {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().unwrap_or_else(|| panic!("it did not end by itself: {status}"));
        }
        if begun.elapsed() > time {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A file system of its own that can be filled to the last byte, in memory.
#[cfg(target_os = "linux")]
pub(crate) struct SmallDisk {
    holder: Child,
    /// Its folder, through the process that has it mounted: nobody else sees it where it is.
    pub(crate) folder: PathBuf,
}

#[cfg(target_os = "linux")]
impl SmallDisk {
    /// One of 4 MB, or none where the system lets nobody mount anything.
    pub(crate) fn new(at: &Path) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mount = "mount -t tmpfs -o size=4m tmpfs \"$0\" && echo mounted && read -r end";
        let mut holder = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", mount])
            .arg(at)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut said = String::new();
        BufReader::new(holder.stdout.take().unwrap()).read_line(&mut said).unwrap();
        if said != "mounted\n" {
            holder.wait().unwrap();
            return None;
        }
        let folder = PathBuf::from(format!("/proc/{}/root{}", holder.id(), at.display()));
        Some(Self { holder, folder })
    }

    /// The program, where the disk is mounted; for those who do not follow the path through the process.
    pub(crate) fn command(&self, honinbo: &Honinbo, args: &[&str]) -> Command {
        let holder = self.holder.id().to_string();
        let mut command = Command::new("nsenter");
        command.args(["--preserve-credentials", "--user", "--mount", "--target", &holder]);
        command.arg(env!("CARGO_BIN_EXE_honinbo")).args(args);
        honinbo.lend_environment(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Fills it but for so many bytes, rounded to whole pages.
    pub(crate) fn fill(&self, room: u64) {
        let mut filler = std::fs::File::create(self.folder.join("filler")).unwrap();
        let error = std::iter::repeat_with(|| filler.write_all(&[0; 4096])).find_map(Result::err).unwrap();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        let length = filler.metadata().unwrap().len();
        filler.set_len(length.saturating_sub(room)).unwrap();
    }

    /// Makes room again.
    pub(crate) fn clear(&self) {
        std::fs::remove_file(self.folder.join("filler")).unwrap();
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}

/// A running server.
pub(crate) struct Service {
    child: Option<Child>,
    pub(crate) url: String,
    pub(crate) tcp: String,
}

impl Service {
    pub(crate) fn client(&self) -> Client {
        let stream = TcpStream::connect(&self.tcp).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        Client { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Asks it to end, as the system does, and gives its exit status.
    pub(crate) fn end(mut self) -> i32 {
        self.signal("TERM");
        wait(&mut self.child.take().unwrap(), Duration::from_secs(20))
    }

    /// Sends it a signal.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits until it has ended by itself.
    #[cfg(unix)]
    pub(crate) fn ended(mut self) -> Ended {
        finish(self.child.take().unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A client of the JSON lines.
pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn send(&mut self, line: &str) {
        self.stream.write_all(line.as_bytes()).unwrap();
        self.stream.write_all(b"\n").unwrap();
    }

    pub(crate) fn receive(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim_end().to_string()
    }

    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.receive()
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The famous game that the repository carries.
pub(crate) fn famous_game() -> String {
    repository().join("tests/fixtures/games/ear-reddening-1846.sgf").display().to_string()
}

/// A small network.
pub(crate) fn small_network() -> String {
    fixtures::fixture("networks/g170-b6c96-s175395328-d26788732.bin.gz").display().to_string()
}

/// A small network that can be run; `None`, counted as skipped, without ONNX Runtime.
pub(crate) fn engine() -> Option<String> {
    let resources = fixtures::resources();
    if resources.join("onnxruntime").is_dir() || std::env::var_os("HONINBO_ONNXRUNTIME").is_some() {
        return Some(small_network());
    }
    fixtures::skip("ONNX Runtime is not there; scripts/resources fetches it");
    None
}
