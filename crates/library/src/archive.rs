//! Records in zip archives: read for importing, written for exporting.
//!
//! Nothing of an archive is ever put on the disk, so that a path which climbs out can do no harm; it is refused all the
//! same, since no honest archive has one.

use std::io::{Cursor, Read, Seek, Write};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

use crate::import::{FileNews, FileReader, has_archive_name, has_record_name};

/// Archives in archives: the innermost ones are refused.
const MAX_NESTING: u32 = 3;

/// Unpacked bytes for each byte of an archive, beyond which it is a bomb. Records shrink to a tenth at best, and
/// thousands of copies of one game to a hundredth.
const MAX_RATIO: u64 = 200;

/// Unpacked bytes that any archive may have.
const ALWAYS_ALLOWED: u64 = 64 << 20;

/// The name says so, or the first bytes do.
pub(crate) fn is_archive(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && (head == *b"PK\x03\x04" || head == *b"PK\x05\x06")
}

impl FileReader<'_> {
    /// Reads the records of an archive; the answer says why it was refused. `None`: the import was stopped.
    pub(crate) fn read_archive(&mut self, path: &Path, size: u64) -> Option<Option<String>> {
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            Err(error) => return Some(Some(format!("cannot be read: {error}"))),
        };
        let mut budget = size.saturating_mul(MAX_RATIO).saturating_add(ALWAYS_ALLOWED);
        self.read_entries(std::io::BufReader::new(file), path, 1, &mut budget)
    }

    fn read_entries(
        &mut self,
        source: impl Read + Seek,
        path: &Path,
        nesting: u32,
        budget: &mut u64,
    ) -> Option<Option<String>> {
        let mut archive = match ZipArchive::new(source) {
            Ok(archive) => archive,
            Err(error) => return Some(Some(reason(&error))),
        };
        for number in 0..archive.len() {
            let entry = match archive.by_index_raw(number) {
                Ok(entry) => entry,
                Err(error) => {
                    self.tell(FileNews::refused(path.to_owned(), reason(&error)))?;
                    continue;
                }
            };
            if entry.is_dir() {
                continue;
            }
            let name = entry.name().unwrap_or_default();
            let shown = path.join(printable(&name));
            let climbs = name.starts_with(['/', '\\']) || name.contains("..\\");
            let Some(inside) = entry.enclosed_name().filter(|_| !climbs) else {
                drop(name);
                drop(entry);
                self.tell(FileNews::refused(shown, "its path leads out of the archive"))?;
                continue;
            };
            drop(name);
            let (is_record, is_archive) = (has_record_name(&inside), has_archive_name(&inside));
            if entry.is_symlink() || !(is_record || is_archive) {
                continue;
            }
            if entry.encrypted() {
                self.tell(FileNews::refused(shown, "it is protected by a password"))?;
                continue;
            }
            drop(entry);
            let bytes = match self.unpack(&mut archive, number, &inside, budget) {
                Ok(bytes) => bytes,
                Err(why) => {
                    self.tell(FileNews::refused(shown, why))?;
                    if *budget == 0 {
                        return Some(Some(
                            "it unpacks to far more than an archive of records would; the rest of it was left out"
                                .to_owned(),
                        ));
                    }
                    continue;
                }
            };
            if is_archive {
                let why = match nesting < MAX_NESTING {
                    true => self.read_entries(Cursor::new(bytes), &shown, nesting + 1, budget)?,
                    false => Some("archives lie in archives too deep here".to_owned()),
                };
                if let Some(why) = why {
                    self.tell(FileNews::refused(shown, why))?;
                }
                continue;
            }
            let mut news = FileNews::of(shown);
            let read = self.bytes_so_far();
            self.read_games(bytes, &mut news, (read, 0))?;
            self.tell(news)?;
        }
        Some(None)
    }

    /// The bytes of one entry; what they take is taken from the budget, whatever the archive says of their number.
    fn unpack(
        &self,
        archive: &mut ZipArchive<impl Read + Seek>,
        number: usize,
        name: &Path,
        budget: &mut u64,
    ) -> Result<Vec<u8>, String> {
        let entry = archive.by_index(number).map_err(|error| reason(&error))?;
        let most = (self.limits.max_bytes as u64 + 1).min(*budget);
        let mut bytes = Vec::new();
        let gzip = name.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        let read = match gzip {
            true => flate2::read::MultiGzDecoder::new(entry.take(most)).take(most).read_to_end(&mut bytes),
            false => entry.take(most).read_to_end(&mut bytes),
        };
        let used = bytes.len() as u64;
        *budget -= used.min(*budget);
        read.map_err(|error| format!("cannot be unpacked: {error}"))?;
        if *budget == 0 {
            return Err("it unpacks to far more than an archive of records would".to_owned());
        }
        Ok(bytes)
    }
}

fn reason(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => format!("cannot be read: {error}"),
        ZipError::InvalidArchive(what) => format!("is damaged: {what}"),
        ZipError::UnsupportedArchive(what) => format!("cannot be unpacked: {what}"),
        other => format!("cannot be unpacked: {other}"),
    }
}

/// A name of an archive as it may be shown.
fn printable(name: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    name.trim_start_matches(['/', '\\']).chars().take(200).map(plain).collect()
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
