//! Taking what a server gives into the library.

use super::folders::Batch;
use crate::{Event, Host, SourceSync};
use honinbo_library::{FoundRecord, Library, LibraryError, SourceId, Taken, Taking};
use honinbo_record::{FilePart, ReadLimits, unpack};
use honinbo_shelf::{Delivery, NotKept, Receiver, VisitProgress};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Takes games into the library, and tells windows of it.
pub(super) struct Taker<'t> {
    pub(super) host: &'t dyn Host,
    pub(super) library: &'t Library,
    pub(super) id: SourceId,
    pub(super) label: &'t str,
    pub(super) now: i64,
    pub(super) known: HashMap<String, String>,
    pub(super) taking: Taking,
    pub(super) sync: Arc<Mutex<SourceSync>>,
}

impl Taker<'_> {
    pub(super) fn take_records(&mut self, records: &[FoundRecord]) -> Result<(), LibraryError> {
        let Taken { added, duplicates, refused } =
            self.library.take_from(self.id, self.label, records, &mut self.taking, self.now)?;
        self.known.extend(records.iter().map(|record| (record.key.clone(), record.stamp.clone())));
        self.report(|sync| {
            sync.added += added;
            sync.duplicates += duplicates;
            sync.refused += refused;
        });
        Ok(())
    }

    /// Takes what was read of a folder. An archive is known once all its records are taken.
    pub(super) fn take_batch(&mut self, batch: Batch) -> Result<(), LibraryError> {
        if !batch.records.is_empty() {
            self.take_records(&batch.records)?;
        }
        for (key, stamp) in batch.archives {
            self.library.keep_source_page(self.id, &key, &stamp)?;
            self.known.insert(key, stamp);
        }
        Ok(())
    }

    pub(super) fn report(&self, change: impl FnOnce(&mut SourceSync)) {
        let news = {
            let mut sync = self.sync.lock();
            change(&mut sync);
            sync.clone()
        };
        self.host.emit(Event::Source(news));
    }
}

impl Receiver for Taker<'_> {
    fn has(&self, key: &str) -> bool {
        self.known.contains_key(key)
    }

    fn mark(&self, page: &str) -> Result<String, NotKept> {
        Ok(self.library.source_page(self.id, page)?.unwrap_or_default())
    }

    fn keep_mark(&mut self, page: &str, mark: &str) -> Result<(), NotKept> {
        Ok(self.library.keep_source_page(self.id, page, mark)?)
    }

    fn take(&mut self, delivery: Delivery) -> Result<(), NotKept> {
        let records = match delivery {
            Delivery::Game { key, bytes } => vec![FoundRecord { key, stamp: String::new(), bytes }],
            Delivery::Archive { key, bytes } => self.new_ones(&key, bytes),
        };
        Ok(self.take_records(&records)?)
    }

    fn hear(&mut self, progress: VisitProgress) {
        self.report(|sync| {
            (sync.found, sync.fetched) = (progress.found, progress.fetched);
            sync.pause = progress.pause.map_or(0, |pause| u32::try_from(pause.as_secs()).unwrap_or(u32::MAX));
        });
    }
}

impl Taker<'_> {
    /// The records of an archive that were not taken yet.
    fn new_ones(&self, key: &str, bytes: Vec<u8>) -> Vec<FoundRecord> {
        let mut records = Vec::new();
        let size = bytes.len() as u64;
        let limits = ReadLimits::default();
        let _ = unpack(Path::new(key), Cursor::new(bytes), size, limits.max_bytes, &mut |part| {
            let (path, bytes) = match part {
                FilePart::Record { path, bytes } => (path, Some(bytes)),
                FilePart::Refused { path, .. } => (path, None),
            };
            let key = path.to_string_lossy().replace('\\', "/");
            if !self.has(&key) {
                records.push(FoundRecord { key, stamp: String::new(), bytes });
            }
            ControlFlow::Continue(())
        });
        records
    }
}
