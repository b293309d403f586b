//! The log: to standard error, and to `logs/desktop.log` in the data folder.

use std::fs::File;
use std::path::Path;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Bytes at which the last log is set aside and a new one begun.
const MAX_BYTES: u64 = 1 << 20;

/// Begins the log. A folder that cannot be written costs the file, never the start.
pub(crate) fn begin(data_dir: &Path) {
    let filter = || EnvFilter::try_from_env("HONINBO_LOG").unwrap_or_else(|_| EnvFilter::new("warn,honinbo=info"));
    let file = open(&data_dir.join("logs"));
    let to_file = file.map(|file| fmt::layer().with_ansi(false).with_writer(std::sync::Mutex::new(file)));
    let to_terminal = fmt::layer().with_writer(std::io::stderr).with_filter(EnvFilter::new("warn"));
    // A second call, as tests of the window make, keeps the first log.
    let _ = tracing_subscriber::registry().with(to_file.with_filter(filter())).with(to_terminal).try_init();
}

fn open(folder: &Path) -> Option<File> {
    std::fs::create_dir_all(folder).ok()?;
    let path = folder.join("desktop.log");
    if std::fs::metadata(&path).is_ok_and(|metadata| metadata.len() > MAX_BYTES) {
        let _ = std::fs::rename(&path, folder.join("desktop.old.log"));
    }
    File::options().create(true).append(true).open(path).ok()
}
