//! The log: to standard error, and to `logs/desktop.log` in the data folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Bytes at which the log is set aside and a new one begun.
const MAX_BYTES: u64 = 1 << 20;

/// Begins the log. A folder that cannot be written costs the file, never the start.
pub(crate) fn begin(data_dir: &Path) {
    let filter = || EnvFilter::try_from_env("HONINBO_LOG").unwrap_or_else(|_| EnvFilter::new("warn,honinbo=info"));
    let file = LogFile::open(&data_dir.join("logs"), MAX_BYTES).ok();
    let to_file = file.map(|file| fmt::layer().with_ansi(false).with_writer(Mutex::new(file)));
    let to_terminal = fmt::layer().with_writer(io::stderr).with_filter(EnvFilter::new("warn"));
    // A second call, as tests of the window make, keeps the first log.
    let _ = tracing_subscriber::registry().with(to_file.with_filter(filter())).with(to_terminal).try_init();
}

/// The log's file, with the one before it beside it. Neither grows beyond the limit by more than a line.
struct LogFile {
    folder: PathBuf,
    max_bytes: u64,
    file: File,
    bytes: u64,
}

impl LogFile {
    fn open(folder: &Path, max_bytes: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let file = File::options().create(true).append(true).open(folder.join("desktop.log"))?;
        let bytes = file.metadata()?.len();
        Ok(Self { folder: folder.to_owned(), max_bytes, file, bytes })
    }

    fn begin_anew(&mut self) -> io::Result<()> {
        fs::rename(self.folder.join("desktop.log"), self.folder.join("desktop.old.log"))?;
        *self = Self::open(&self.folder, self.max_bytes)?;
        Ok(())
    }
}

impl Write for LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.bytes >= self.max_bytes && self.begin_anew().is_err() {
            // It goes on in the old one, and is not tried with every line.
            self.bytes = 0;
        }
        let written = self.file.write(line)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_is_written_for_long_is_set_aside_when_it_is_full() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        let mut log = LogFile::open(folder.path(), 8).unwrap();
        for line in ["one\n", "two\n", "three\n"] {
            log.write_all(line.as_bytes()).unwrap();
        }
        assert_eq!((read("desktop.old.log").as_str(), read("desktop.log").as_str()), ("one\ntwo\n", "three\n"));
        drop(log);
        // What the last run of the program wrote counts.
        let mut log = LogFile::open(folder.path(), 6).unwrap();
        log.write_all(b"four\n").unwrap();
        assert_eq!((read("desktop.old.log").as_str(), read("desktop.log").as_str()), ("three\n", "four\n"));
    }
}
