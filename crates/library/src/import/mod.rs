//! Bringing in files, folders and collections.
//!
//! One thread reads and parses, others prepare games, the caller's thread writes, so that importing uses what the
//! machine has while memory stays bounded: nothing waits in larger heaps than a few dozen games. Games are stored in
//! the order of their files, in transactions of two thousand or more, and of fewer where files come slowly, so that
//! nobody else who writes waits for them; every few seconds others have a turn, and another program's long change is
//! waited for. Stopping or failing loses at most the last one. How far each file was read is kept in the same
//! transactions until the import has ended, so that the next one of the same files goes on from there; importing them
//! once more adds only what is new.

mod chunk;
mod files;
mod options;
mod read;
mod report;
mod write;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

use crate::error::LibraryError;
use crate::open::Library;
use crate::time::Timestamp;
use chunk::{Chunk, PreparedChunk, prepare_chunks};
use files::list_files;
use read::read_files;
use write::kib;

pub use files::records_in;
pub use options::ImportOptions;
pub(crate) use read::read_bytes;
pub use report::{ImportNote, ImportProgress, ImportReport};

/// Chunks that wait between two threads.
const QUEUE: usize = 4;

impl Library {
    /// Imports files and folders. `progress` is called after each transaction and may stop the import; what was stored
    /// until then stays.
    ///
    /// # Errors
    /// What the database says, a full disk above all. Files that cannot be read are no errors: the report has them.
    pub fn import(
        &self,
        paths: &[PathBuf],
        options: &ImportOptions,
        now: Timestamp,
        progress: &mut dyn FnMut(&ImportProgress) -> ControlFlow<()>,
    ) -> Result<ImportReport, LibraryError> {
        let mut report = ImportReport::default();
        let mut files = list_files(paths, &mut report);
        // What was read otherwise before is read again.
        if options.limits.charset.is_none() {
            self.read(|connection| files.iter_mut().try_for_each(|file| file.look_up(connection)))?;
        }
        let total: u64 = files.iter().map(|file| file.size).sum();
        let stop = AtomicBool::new(false);
        let bytes_read = AtomicU64::new(0);
        let n_workers = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).clamp(1, 8);
        let (chunk_sender, chunk_receiver) = sync_channel::<Chunk>(QUEUE);
        let (prepared_sender, prepared_receiver) = sync_channel::<PreparedChunk>(QUEUE);
        let chunk_receiver = Mutex::new(chunk_receiver);
        let mut tally = ImportProgress {
            total_files: u32::try_from(files.len()).unwrap_or(u32::MAX),
            total_kib: kib(total),
            skipped: files.iter().fold(0, |sum: u32, file| sum.saturating_add(file.skip)),
            ..ImportProgress::default()
        };
        report.skipped = tally.skipped;
        let result = std::thread::scope(|scope| {
            let (stop, bytes_read, chunk_receiver) = (&stop, &bytes_read, &chunk_receiver);
            let files = &files;
            scope.spawn(move || read_files(files, options, &chunk_sender, stop, bytes_read));
            for _ in 0..n_workers {
                let sender = prepared_sender.clone();
                scope.spawn(move || prepare_chunks(chunk_receiver, &sender, stop));
            }
            drop(prepared_sender);
            let written = self.with_large_cache(|| {
                self.write_chunks(files, &prepared_receiver, now, &mut report, &mut tally, bytes_read, progress)
            });
            stop.store(true, Ordering::Relaxed);
            // Empties the queues, so that threads which wait to send see the end.
            for _ in prepared_receiver {}
            written
        });
        result?;
        Ok(report)
    }
}
