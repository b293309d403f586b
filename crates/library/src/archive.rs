//! Records in zip archives: read for importing, written for exporting.

use std::io::{Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;

use honinbo_record::{FilePart, unpack};
use zip::write::SimpleFileOptions;

use crate::import::{FileNews, FileReader};

/// The first bytes say so.
pub(crate) fn is_archive(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && honinbo_record::is_archive(&head)
}

impl FileReader<'_> {
    /// Reads the records of an archive. `None`: the import was stopped.
    pub(crate) fn read_archive(&mut self, path: &Path, size: u64) -> Option<()> {
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            Err(error) => return self.tell(FileNews::refused(path.to_owned(), format!("cannot be read: {error}"))),
        };
        let max_bytes = self.limits.max_bytes;
        let read = unpack(path, std::io::BufReader::new(file), size, max_bytes, &mut |part| {
            let told = match part {
                FilePart::Refused { path, problem } => self.tell(FileNews::refused(path, problem.to_string())),
                FilePart::Record { path, bytes } => {
                    let mut news = FileNews::of(path);
                    let before = self.bytes_so_far();
                    self.read_games(bytes, &mut news, (before, 0)).and_then(|()| self.tell(news))
                }
            };
            if told.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        read.is_continue().then_some(())
    }
}

/// Writes records into a zip archive, one file each.
pub(crate) struct ArchiveWriter<W: Write + Seek> {
    zip: zip::ZipWriter<W>,
}

impl<W: Write + Seek> ArchiveWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { zip: zip::ZipWriter::new(out) }
    }

    pub(crate) fn add(&mut self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        self.zip.start_file(name, options).map_err(std::io::Error::other)?;
        self.zip.write_all(bytes)
    }

    pub(crate) fn finish(self) -> std::io::Result<W> {
        self.zip.finish().map_err(std::io::Error::other)
    }
}
