//! The thread of an import that reads files and archives.

use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;

use honinbo_record::{
    Collection, Diagnostic, FilePart, ReadGame, ReadLimits, RecordFormat, Severity, SgfText, read_record, unpack,
};

use super::chunk::{Chunk, FileReport, Place, RawGame};
use super::files::ListedFile;
use super::options::ImportOptions;

/// Games that travel between threads together.
const CHUNK: usize = 32;

/// Reads the files one after the other and sends their games in chunks.
pub(super) fn read_files(
    files: &[ListedFile],
    options: &ImportOptions,
    sender: &SyncSender<Chunk>,
    stop: &AtomicBool,
    bytes_read: &AtomicU64,
) {
    let next = Chunk { number: 0, games: Vec::new(), files: Vec::new() };
    let (limits, aside) = (options.limits, options.aside.as_deref());
    let place = Place { file: 0, game: 0 };
    let mut reader = FileReader { limits, aside, stop, bytes_read, sender, next, place, skip: 0 };
    for (number, file) in files.iter().enumerate() {
        reader.place = Place { file: number, game: 0 };
        reader.skip = file.skip;
        if reader.read_listed(file).is_none() {
            return;
        }
    }
    reader.send();
}

/// The thread that reads. `None` from any of its functions: the import was stopped, or nobody listens any more.
struct FileReader<'s> {
    limits: ReadLimits,
    aside: Option<&'s Path>,
    stop: &'s AtomicBool,
    bytes_read: &'s AtomicU64,
    sender: &'s SyncSender<Chunk>,
    next: Chunk,
    /// The listed file being read, and the number of its next game.
    place: Place,
    /// Games of it that were dealt with earlier.
    skip: u32,
}

impl FileReader<'_> {
    fn read_listed(&mut self, file: &ListedFile) -> Option<()> {
        let start = self.bytes_read.load(Ordering::Relaxed);
        let mut file_report = FileReport::of(file.path.clone());
        if file.whole {
            // Nothing to report: an earlier import did.
            self.place.game = file.skip;
        } else if is_archive(&file.path) {
            self.read_archive(&file.path, file.size)?;
        } else {
            match read_bytes(&file.path, self.limits.max_bytes) {
                Ok(bytes) => self.read_games(bytes, &mut file_report, (start, file.size))?,
                Err(error) => file_report.failure = Some(format!("cannot be read: {error}")),
            }
        }
        self.bytes_read.store(start + file.size, Ordering::Relaxed);
        file_report.ends = Some(self.place);
        self.report(file_report)
    }

    /// Reads the records of an archive. `None`: the import was stopped.
    fn read_archive(&mut self, path: &Path, size: u64) -> Option<()> {
        let file = match std::fs::File::open(path) {
            Ok(file) => file,
            Err(error) => return self.report(FileReport::refused(path.to_owned(), format!("cannot be read: {error}"))),
        };
        let max_bytes = self.limits.max_bytes;
        let read = unpack(path, std::io::BufReader::new(file), size, max_bytes, &mut |part| {
            let sent = match part {
                FilePart::Refused { path, problem } => self.report(FileReport::refused(path, problem.to_string())),
                FilePart::Record { path, bytes } => {
                    let mut file_report = FileReport::of(path);
                    let before = self.bytes_read.load(Ordering::Relaxed);
                    self.read_games(bytes, &mut file_report, (before, 0)).and_then(|()| self.report(file_report))
                }
            };
            if sent.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        read.is_continue().then_some(())
    }

    /// What is said of a file goes with the games before it.
    fn report(&mut self, file_report: FileReport) -> Option<()> {
        self.next.files.push(FileReport { path: self.shown(&file_report.path), ..file_report });
        if self.next.files.len() >= CHUNK { self.send() } else { Some(()) }
    }

    /// The games of one record file. `part`: bytes read before it and its own share, for the progress.
    fn read_games(&mut self, bytes: Vec<u8>, file_report: &mut FileReport, part: (u64, u64)) -> Option<()> {
        if RecordFormat::detect(&bytes) == RecordFormat::Sgf {
            let source = SgfText::decode(&bytes, self.limits);
            drop(bytes);
            let length = source.text.len().max(1) as u64;
            let mut reader = source.games(self.limits);
            while let Some(game) = reader.next() {
                file_report.n_games += 1;
                self.push(&file_report.path, game)?;
                // In 128 bits: a file's size times a position in it.
                let read = u128::from(part.1) * reader.position() as u128 / u128::from(length);
                self.bytes_read.store(part.0 + u64::try_from(read).unwrap_or(part.1), Ordering::Relaxed);
            }
            file_report.diagnostics = source.diagnostics;
        } else {
            let Collection { games, diagnostics, .. } = read_record(&bytes, self.limits);
            file_report.diagnostics = diagnostics;
            for game in games {
                file_report.n_games += 1;
                self.push(&file_report.path, game)?;
            }
        }
        if file_report.n_games == 0 && file_report.diagnostics.iter().all(|d| d.severity() < Severity::Error) {
            file_report.diagnostics.push(Diagnostic::file(honinbo_record::Problem::NoGame));
        }
        Some(())
    }

    fn push(&mut self, path: &Path, game: ReadGame) -> Option<()> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let place = self.place;
        self.place.game += 1;
        if place.game < self.skip {
            return Some(());
        }
        self.next.games.push(RawGame { path: self.shown(path), place, game });
        if self.next.games.len() >= CHUNK { self.send() } else { Some(()) }
    }

    /// A path as sources and notes have it: without the folder of what was put aside, and that file's own folder in it.
    fn shown(&self, path: &Path) -> PathBuf {
        let short = self.aside.and_then(|aside| path.strip_prefix(aside).ok());
        short.map_or_else(|| path.to_owned(), |short| short.components().skip(1).collect())
    }

    fn send(&mut self) -> Option<()> {
        let following = Chunk { number: self.next.number + 1, games: Vec::new(), files: Vec::new() };
        self.sender.send(std::mem::replace(&mut self.next, following)).ok()
    }
}

/// The bytes of a file, unpacked when it is gzip; a bomb stops one byte behind the limit and is refused for its size.
pub(crate) fn read_bytes(path: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
    let mut file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    let limit = limit as u64 + 1;
    let is_gzip = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
    if is_gzip {
        flate2::read::MultiGzDecoder::new(file).take(limit).read_to_end(&mut bytes)?;
    } else {
        if let Ok(metadata) = file.metadata() {
            bytes.reserve_exact(usize::try_from(metadata.len().min(limit)).unwrap_or(0));
        }
        file.by_ref().take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The first bytes say so.
fn is_archive(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && honinbo_record::is_archive(&head)
}
