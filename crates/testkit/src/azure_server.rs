//! A server of Azure Blob Storage: Azurite, Microsoft's own emulator, where `scripts/clients` installed it.

use crate::fixtures::{repository, skip};
use crate::inference_servers::free_port;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ACCOUNT: &str = "honinbo";
/// `made-up`, in Base64; good on this machine alone, and as long as the test runs.
const KEY: &str = "bWFkZS11cA==";

/// Makes a container by a signed request, which only the account may: https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
const MAKE_CONTAINER: &str = r"
const [, port, account, key, name] = process.argv
const date = new Date().toUTCString(), version = '2021-08-06'
const what = `PUT${'\n'.repeat(12)}x-ms-date:${date}\nx-ms-version:${version}\n/${account}/${account}/${name}\nrestype:container`
const signature = require('node:crypto').createHmac('sha256', Buffer.from(key, 'base64')).update(what).digest('base64')
fetch(`http://127.0.0.1:${port}/${account}/${name}?restype=container`, {
  method: 'PUT', headers: { 'x-ms-date': date, 'x-ms-version': version, authorization: `SharedKey ${account}:${signature}` },
}).then(async answer => { if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`) })
";

/// Azurite on this machine, with an account and a container of its own. Ended when it is dropped.
pub struct AzureServer {
    child: Child,
    port: u16,
    log: PathBuf,
}

impl AzureServer {
    /// Begins to serve out of an empty folder, and makes a container. `None`, and the test counts as skipped, where it is not
    /// installed.
    ///
    /// # Panics
    /// When it does not begin to serve.
    #[must_use]
    pub fn start(folder: &Path, container: &str) -> Option<Self> {
        let program = repository().join(".cache/clients/azurite/node_modules/azurite/dist/src/blob/main.js");
        if !program.is_file() {
            skip("Azurite is not there; scripts/clients gets it");
            return None;
        }
        let log = folder.join("azurite.log");
        let file = std::fs::File::create(&log).expect("a disk");
        let port = free_port();
        let child = Command::new("node")
            .arg(program)
            .args(["--blobHost", "127.0.0.1", "--blobPort", &port.to_string(), "--disableTelemetry", "--location"])
            .arg(folder.join("azure"))
            .env("AZURITE_ACCOUNTS", format!("{ACCOUNT}:{KEY}"))
            .stdin(Stdio::null())
            .stdout(file.try_clone().expect("a file"))
            .stderr(file)
            .spawn()
            .expect("node");
        let mut server = Self { child, port, log };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = server.child.try_wait().expect("a child").is_some();
            assert!(!ended && began.elapsed() < Duration::from_secs(120), "{}", server.log());
            std::thread::sleep(Duration::from_millis(100));
        }
        let made = Command::new("node")
            .args(["-e", MAKE_CONTAINER, "--", &port.to_string(), ACCOUNT, KEY, container])
            .output()
            .expect("node");
        assert!(made.status.success(), "{}{}", String::from_utf8_lossy(&made.stderr), server.log());
        Some(server)
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}/{ACCOUNT}", self.port)
    }

    /// The variables of the environment by which clients may do everything.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, &'static str); 2] {
        [("AZURE_STORAGE_ACCOUNT_NAME", ACCOUNT), ("AZURE_STORAGE_ACCOUNT_KEY", KEY)]
    }

    /// What it wrote about itself.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for AzureServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
