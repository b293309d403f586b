//! A real S3 server: SeaweedFS, where `scripts/clients` installed it.

use crate::fixtures::{repository, skip};
use crate::inference_servers::free_port;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// SeaweedFS on this machine: master, one volume server, filer and S3 gateway in one process. It makes a bucket when the
/// first object is written. Ended when it is dropped.
pub struct S3Server {
    child: Child,
    port: u16,
    log: PathBuf,
}

/// Who may do everything; on this machine alone, and as long as the test runs.
const IDENTITY: &str = r#"{"identities": [{"name": "honinbo", "actions": ["Admin", "Read", "Write", "List"],
    "credentials": [{"accessKey": "honinbo", "secretKey": "made-up"}]}]}"#;

impl S3Server {
    /// Begins to serve out of an empty folder. `None`, and the test counts as skipped, where it is not installed.
    ///
    /// # Panics
    /// When it does not begin to serve.
    #[must_use]
    pub fn start(folder: &Path) -> Option<Self> {
        let program = repository().join(".cache/clients/seaweedfs/bin/weed");
        if !program.is_file() {
            skip("SeaweedFS is not there; scripts/clients gets it for Linux on x86-64");
            return None;
        }
        let identity = folder.join("s3.json");
        std::fs::write(&identity, IDENTITY).expect("a disk");
        let data = folder.join("data");
        std::fs::create_dir_all(&data).expect("a disk");
        let log = folder.join("seaweedfs.log");
        let port = free_port();
        let file = std::fs::File::create(&log).expect("a disk");
        let mut command = Command::new(program);
        command
            .arg("server")
            .arg(format!("-dir={}", data.display()))
            .args(["-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-master.telemetry=false", "-filer", "-s3"])
            .args(["-master.volumeSizeLimitMB=64", "-volume.max=20", "-s3.port.iceberg=0", "-s3.port.lance=0"])
            .arg(format!("-filer.localSocket={}", folder.join("filer.sock").display()))
            .arg(format!("-s3.config={}", identity.display()))
            .arg(format!("-s3.port={port}"));
        let others = ["master.port", "volume.port", "filer.port", "s3.port.grpc"].into_iter().map(str::to_owned);
        let grpc = ["master", "volume", "filer"].into_iter().map(|part| format!("{part}.port.grpc"));
        for option in others.chain(grpc) {
            command.arg(format!("-{option}={}", free_port()));
        }
        let child = command
            .stdin(Stdio::null())
            .stdout(file.try_clone().expect("a file"))
            .stderr(file)
            .spawn()
            .expect("SeaweedFS starts");
        let mut server = Self { child, port, log };
        let began = Instant::now();
        while !server.is_ready() {
            let ended = server.child.try_wait().expect("a child").is_some();
            assert!(!ended && began.elapsed() < Duration::from_secs(120), "{}", server.log());
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(server)
    }

    fn is_ready(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else { return false };
        let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
        let asked = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        let mut answer = [0; 12];
        asked.is_ok() && stream.read_exact(&mut answer).is_ok() && answer.ends_with(b"200")
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The variables of the environment by which clients may do everything.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, &'static str); 3] {
        [("AWS_ACCESS_KEY_ID", "honinbo"), ("AWS_SECRET_ACCESS_KEY", "made-up"), ("AWS_REGION", "us-east-1")]
    }

    /// What it wrote about itself.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
