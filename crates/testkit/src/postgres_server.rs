//! A real PostgreSQL server: Debian's, or whatever of that name is on the path.

use crate::fixtures::skip;
use crate::inference_servers::free_port;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Where Debian has the programs of each version.
const DEBIAN: &str = "/usr/lib/postgresql";
const USER: &str = "honinbo";
const PASSWORD: &str = "made-up";
/// How long it may take to begin, on a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(120);

/// PostgreSQL on a free port of this machine, with a folder of its own. Ended, and its folder removed, when it is dropped.
pub struct PostgresServer {
    programs: PathBuf,
    folder: tempfile::TempDir,
    /// Whom the server runs as, where this is the superuser, whom it refuses.
    identity: Option<(u32, u32)>,
    port: u16,
    child: Child,
    with_tls: bool,
    databases: AtomicUsize,
}

impl PostgresServer {
    /// Begins to serve. `None`, and the test counts as skipped, where it is not installed.
    ///
    /// # Panics
    /// When it does not begin.
    #[must_use]
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// As [`PostgresServer::start`], with TLS by this certificate and key, both as PEM.
    ///
    /// # Panics
    /// When it does not begin.
    #[must_use]
    pub fn start_with_tls(certificate: &str, key: &str) -> Option<Self> {
        Self::start_with(Some((certificate, key)))
    }

    fn start_with(tls: Option<(&str, &str)>) -> Option<Self> {
        let Some(programs) = programs() else {
            skip("PostgreSQL is not there; scripts/setup test installs it");
            return None;
        };
        let folder = tempfile::tempdir().expect("a disk");
        let identity = identity_for_a_server();
        give(folder.path(), identity);
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a disk");
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("its own file");
            give(&path, identity);
            path
        };
        let password = file("password", PASSWORD);
        if let Some((certificate, key)) = tls {
            file("server.crt", certificate);
            file("server.key", key);
        }
        let made = as_identity(&programs.join("initdb"), identity, folder.path())
            .args(["--username", USER, "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8"])
            .arg("--no-sync")
            .arg("--pwfile")
            .arg(password)
            .arg("--pgdata")
            .arg(folder.path().join("data"))
            .output()
            .expect("initdb starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = free_port();
        let child = spawn(&programs, identity, folder.path(), port, tls.is_some());
        let mut server =
            Self { programs, folder, identity, port, child, with_tls: tls.is_some(), databases: AtomicUsize::new(0) };
        server.wait_until_ready();
        Some(server)
    }

    fn wait_until_ready(&mut self) {
        let began = Instant::now();
        let port = self.port.to_string();
        loop {
            let asked = Command::new(self.programs.join("pg_isready"))
                .args(["--quiet", "--host", "127.0.0.1", "--port", &port])
                .status();
            if asked.expect("pg_isready starts").success() {
                return;
            }
            let ended = self.child.try_wait().expect("a child").is_some();
            let log = || std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(!ended && began.elapsed() < PATIENCE, "PostgreSQL does not begin: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Makes an empty database; answers its address.
    ///
    /// # Panics
    /// When the server refuses.
    #[must_use]
    pub fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.psql("postgres", &format!("CREATE DATABASE {name}"));
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/{name}", self.port)
    }

    /// Runs SQL in a database, which is named by its address or its name; answers what psql prints, without headings.
    ///
    /// # Panics
    /// When the server refuses.
    pub fn psql(&self, database: &str, sql: &str) -> String {
        let name = database.rsplit('/').next().unwrap_or(database);
        let said = Command::new(self.programs.join("psql"))
            .args(["--host", "127.0.0.1", "--port", &self.port.to_string(), "--username", USER, "--dbname", name])
            .args(["--no-psqlrc", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--command", sql])
            .env("PGPASSWORD", PASSWORD)
            .stdin(Stdio::null())
            .output()
            .expect("psql starts");
        assert!(said.status.success(), "{sql}: {}", String::from_utf8_lossy(&said.stderr));
        String::from_utf8_lossy(&said.stdout).trim().to_owned()
    }

    /// The password in the addresses.
    #[must_use]
    pub fn password(&self) -> &'static str {
        PASSWORD
    }

    /// Kills it, every one of its processes at once, as far as a connection can tell.
    ///
    /// # Panics
    /// When it is not there to be ended.
    pub fn kill(&mut self) {
        // Its own "immediate" mode: no goodbye, and recovery from the log at the next start.
        let process = self.child.id().to_string();
        let told = Command::new("kill").args(["-s", "QUIT", &process]).status().expect("kill starts");
        assert!(told.success(), "the server has ended by itself");
        self.child.wait().expect("a child");
    }

    /// Begins again where it was killed.
    ///
    /// # Panics
    /// When it does not begin.
    pub fn start_again(&mut self) {
        self.child = spawn(&self.programs, self.identity, self.folder.path(), self.port, self.with_tls);
        self.wait_until_ready();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        let process = self.child.id().to_string();
        let _ = Command::new("kill").args(["-s", "QUIT", &process]).stderr(Stdio::null()).status();
        let _ = self.child.wait();
    }
}

fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir(DEBIAN).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut of_debian: Vec<(u32, PathBuf)> =
        versions.filter_map(|path| Some((path.file_name()?.to_str()?.parse().ok()?, path.join("bin")))).collect();
    of_debian.sort();
    let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let folders = of_debian.into_iter().rev().map(|(_, folder)| folder).chain(on_path.unwrap_or_default());
    let all = ["initdb", "postgres", "psql", "pg_isready"];
    folders.into_iter().find(|folder| all.iter().all(|program| folder.join(program).is_file()))
}

/// The package's own user, or nobody, where this is the superuser.
fn identity_for_a_server() -> Option<(u32, u32)> {
    let number = |option: &str, user: &str| -> Option<u32> {
        let said = Command::new("id").args([option, user]).stderr(Stdio::null()).output().ok()?;
        String::from_utf8_lossy(&said.stdout).trim().parse().ok()
    };
    let own = Command::new("id").arg("-u").output().expect("id starts");
    if own.stdout.trim_ascii() != b"0" {
        return None;
    }
    ["postgres", "nobody"].iter().find_map(|user| Some((number("-u", user)?, number("-g", user)?)))
}

fn give(path: &Path, identity: Option<(u32, u32)>) {
    if let Some((user, group)) = identity {
        chown(path, Some(user), Some(group)).expect("its own file");
    }
}

fn as_identity(program: &Path, identity: Option<(u32, u32)>, folder: &Path) -> Command {
    let mut command = match identity {
        Some((user, group)) => {
            let mut command = Command::new("setpriv");
            command.arg(format!("--reuid={user}")).arg(format!("--regid={group}")).arg("--clear-groups").arg(program);
            command
        }
        None => Command::new(program),
    };
    command.current_dir(folder).env("LC_ALL", "C.UTF-8").stdin(Stdio::null());
    command
}

fn spawn(programs: &Path, identity: Option<(u32, u32)>, folder: &Path, port: u16, with_tls: bool) -> Child {
    let log = std::fs::File::options().create(true).append(true).open(folder.join("log")).expect("a disk");
    let mut command = as_identity(&programs.join("postgres"), identity, folder);
    command.arg("-D").arg(folder.join("data")).args(["-p", &port.to_string()]).arg("-k").arg(folder);
    // A test's machine is not switched off: what the system has taken need not be on the disk.
    command.args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=50"]);
    if with_tls {
        command.args(["-c", "ssl=on"]);
        for (name, file) in [("ssl_cert_file", "server.crt"), ("ssl_key_file", "server.key")] {
            command.arg("-c").arg(format!("{name}={}", folder.join(file).display()));
        }
    }
    command.stdout(log.try_clone().expect("a file")).stderr(log).spawn().expect("PostgreSQL starts")
}
