//! Records written into zip archives.

use std::io::{Seek, Write};

use zip::write::SimpleFileOptions;

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
