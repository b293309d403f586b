//! Records written into zip archives.

use std::io::{self, Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;

/// Writes records into a zip archive, one file each.
pub(crate) struct ArchiveWriter<W: Write + Seek> {
    zip: zip::ZipWriter<UntilFailure<W>>,
}

impl<W: Write + Seek> ArchiveWriter<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { zip: zip::ZipWriter::new(UntilFailure { out, failure: None }) }
    }

    pub(crate) fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        self.zip.start_file(name, options).map_err(of_zip)?;
        self.zip.write_all(bytes)
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        let UntilFailure { out, failure } = self.zip.finish().map_err(of_zip)?;
        failure.map_or(Ok(out), |kind| Err(kind.into()))
    }
}

/// What the file said, where it is that.
fn of_zip(error: zip::result::ZipError) -> io::Error {
    match error {
        zip::result::ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Takes nothing more once a write failed, and says so only then: an archive that is given up is finished when it is
/// dropped, and a failure of that would be printed.
struct UntilFailure<W> {
    out: W,
    failure: Option<io::ErrorKind>,
}

impl<W> UntilFailure<W> {
    fn note<T>(&mut self, done: io::Result<T>) -> io::Result<T> {
        // What was interrupted is tried again.
        let failed = done.as_ref().err().map(io::Error::kind).filter(|&kind| kind != io::ErrorKind::Interrupted);
        self.failure = failed;
        done
    }
}

impl<W: Write + Seek> Write for UntilFailure<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_some() {
            self.out.seek_relative(i64::try_from(bytes.len()).unwrap_or(i64::MAX))?;
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.note(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failure.is_some() {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.note(flushed)
    }
}

impl<W: Seek> Seek for UntilFailure<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file on a disk with room for so many bytes.
    struct Full {
        file: io::Cursor<Vec<u8>>,
        room: usize,
        refused: usize,
    }

    impl Write for &mut Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.file.get_ref().len() + bytes.len() > self.room {
                self.refused += 1;
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for &mut Full {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    #[test]
    fn an_archive_that_does_not_fit_fails_once_and_quietly() {
        for room in [0, 20, 60, 120, 200] {
            let mut disk = Full { file: io::Cursor::default(), room, refused: 0 };
            let mut archive = ArchiveWriter::new(&mut disk);
            let noise: String = (0..9u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
            let written = (0..5).try_for_each(|n| archive.add(&format!("{n}.sgf"), noise.as_bytes()));
            let error = written.and_then(|()| archive.finish().map(drop)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}");
            assert_eq!(disk.refused, 1, "{room}: finishing what was given up asked again");
        }
    }
}
