//! Files that hold records: plain, compressed, or in archives.
//!
//! Nothing of an archive is ever put on the disk, so that a path which climbs out can do no harm; it is refused all the
//! same, since no honest archive has one.

use crate::diagnostic::{Diagnostic, Problem, Severity};
use crate::formats::{FileKind, RECORD_KINDS, RecordFormat, read_record};
use crate::reader::{ReadGame, ReadLimits, SgfText};
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

const GZIP: FileKind = FileKind { name: "gzip", extensions: &["gz"], mime_type: "application/gzip", packed: true };
const ZIP: FileKind = FileKind { name: "ZIP", extensions: &["zip"], mime_type: "application/zip", packed: true };

/// The kinds of files that can be read; what a file really is, its content says.
pub const FILE_KINDS: [FileKind; RECORD_KINDS.len() + 2] = {
    let mut kinds = [ZIP; RECORD_KINDS.len() + 2];
    let mut at = 0;
    while at < RECORD_KINDS.len() {
        kinds[at] = RECORD_KINDS[at];
        at += 1;
    }
    kinds[at] = GZIP;
    kinds
};

/// Archives in archives: the innermost ones are refused.
const MAX_NESTING: u32 = 3;

/// Unpacked bytes for each byte of a file, beyond which it is a bomb. Records shrink to a tenth at best, and thousands
/// of copies of one game to a hundredth.
const MAX_RATIO: u64 = 200;

/// Unpacked bytes that any file may have.
const MIN_BUDGET: u64 = 64 << 20;

/// Why a file, or a part of it, gives no game.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The system says why.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] std::io::Error),
    /// An archive that is torn or none.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// Something in it cannot be unpacked.
    #[error("cannot be unpacked: {0}")]
    Unpacking(String),
    /// A part of an archive that asks for a password.
    #[error("it is protected by a password")]
    Encrypted,
    /// A part of an archive whose path is no path in it.
    #[error("its path leads out of the archive")]
    Climbs,
    /// A bomb.
    #[error("it unpacks to far more than an archive of records would; the rest of it was left out")]
    Bomb,
    /// Archives in archives in archives.
    #[error("archives lie in archives too deep here")]
    TooDeep,
    /// Nothing is in it.
    #[error("is empty")]
    Empty,
    /// There is no game in it.
    #[error("{0}")]
    NoGame(Problem),
}

/// What a file holds.
#[derive(Debug)]
pub enum FilePart {
    /// The bytes of a record, or of several.
    Record {
        /// The file, with the place in its archive.
        path: PathBuf,
        /// Its bytes, unpacked.
        bytes: Vec<u8>,
    },
    /// Something that cannot be read.
    Refused {
        /// The file, with the place in its archive.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
}

/// A game of a file.
#[derive(Debug)]
pub struct FoundGame {
    /// The file, with the place in its archive.
    pub path: PathBuf,
    /// The format of its record.
    pub format: RecordFormat,
    /// The game.
    pub game: ReadGame,
    /// What was wrong with the record as a whole.
    pub diagnostics: Vec<Diagnostic>,
}

/// A game, or what cannot be read.
#[derive(Debug)]
pub enum Found {
    /// A game.
    Game(Box<FoundGame>),
    /// A file, or a part of one, without a game.
    Refused {
        /// The file, with the place in its archive.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
}

/// The name says that it is a record, also a compressed one.
#[must_use]
pub fn has_record_name(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let end = name.rsplit_once('.').map(|(_, end)| end);
    end.is_some_and(|end| FILE_KINDS.iter().any(|kind| !kind.packed && kind.extensions.contains(&end)))
}

/// The name says that it is an archive.
#[must_use]
pub fn has_archive_name(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"))
}

/// The first bytes say that it is an archive.
#[must_use]
pub fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(b"\x1f\x8b")
}

/// Reads every game of a file of any kind, one after the other, in bounded memory: a record is taken apart while the
/// next ones still wait in the archive. `size` is that of the file, and `visit` ends it early.
///
/// ```
/// use honinbo_record::{Found, ReadLimits, each_game};
/// use std::ops::ControlFlow;
/// let file = b"(;SZ[9];B[ee])(;SZ[9];B[cc])";
/// let mut games = 0;
/// let _ = each_game("two.sgf".as_ref(), std::io::Cursor::new(file), file.len() as u64, ReadLimits::default(), &mut |found| {
///     games += usize::from(matches!(found, Found::Game(_)));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(games, 2);
/// ```
pub fn each_game(
    path: &Path,
    source: impl Read + Seek,
    size: u64,
    limits: ReadLimits,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> ControlFlow<()> {
    unpack(path, source, size, limits.max_bytes, &mut |part| match part {
        FilePart::Refused { path, problem } => visit(Found::Refused { path, problem }),
        FilePart::Record { path, bytes } => games_of(&path, &bytes, limits, visit),
    })
}

fn games_of(
    path: &Path,
    bytes: &[u8],
    limits: ReadLimits,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let path = path.to_owned();
    if bytes.is_empty() {
        return visit(Found::Refused { path, problem: FileProblem::Empty });
    }
    let format = RecordFormat::detect(bytes);
    let mut count = 0_u32;
    let mut found = |game: ReadGame, diagnostics: &[Diagnostic]| {
        count += 1;
        visit(Found::Game(Box::new(FoundGame { path: path.clone(), format, game, diagnostics: diagnostics.to_vec() })))
    };
    let diagnostics = if format == RecordFormat::Sgf {
        let text = SgfText::decode(bytes, limits);
        for game in text.games(limits) {
            found(game, &text.diagnostics)?;
        }
        text.diagnostics
    } else {
        let collection = read_record(bytes, limits);
        for game in collection.games {
            found(game, &collection.diagnostics)?;
        }
        collection.diagnostics
    };
    if count > 0 {
        return ControlFlow::Continue(());
    }
    let serious = diagnostics.into_iter().find(|said| said.severity() == Severity::Error);
    let problem = serious.map_or(Problem::NoGame, |said| said.problem);
    visit(Found::Refused { path, problem: FileProblem::NoGame(problem) })
}

/// Gives the bytes of every record of a file: of the file itself, unpacked when it is compressed, or of each record in
/// an archive. A record is at most one byte longer than `max_bytes`, which its reader then refuses.
pub fn unpack(
    path: &Path,
    mut source: impl Read + Seek,
    size: u64,
    max_bytes: usize,
    visit: &mut dyn FnMut(FilePart) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut head = [0; 4];
    let refused = |error| FilePart::Refused { path: path.to_owned(), problem: FileProblem::Unreadable(error) };
    let n_head = match read_head(&mut source, &mut head) {
        Ok(n_head) => n_head,
        Err(error) => return visit(refused(error)),
    };
    let budget = size.saturating_mul(MAX_RATIO).saturating_add(MIN_BUDGET);
    let mut unpacker = Unpacker { max_bytes: max_bytes as u64, budget, visit };
    if is_archive(&head[..n_head]) {
        return unpacker.entries(source, path, 1);
    }
    match unpacker.bytes(source) {
        Ok(bytes) => unpacker.record(path.to_owned(), bytes, 0),
        Err(problem) => (unpacker.visit)(FilePart::Refused { path: path.to_owned(), problem }),
    }
}

fn read_head(source: &mut (impl Read + Seek), head: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < head.len() {
        match source.read(&mut head[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    source.seek(SeekFrom::Start(0))?;
    Ok(filled)
}

struct Unpacker<'v> {
    max_bytes: u64,
    /// Bytes that may still be unpacked.
    budget: u64,
    visit: &'v mut dyn FnMut(FilePart) -> ControlFlow<()>,
}

impl Unpacker<'_> {
    /// A file's bytes, unpacked where they are compressed. What they take is taken from the budget, whatever an archive
    /// says of their number.
    fn bytes(&mut self, source: impl Read) -> Result<Vec<u8>, FileProblem> {
        let most = (self.max_bytes + 1).min(self.budget);
        let mut bytes = Vec::new();
        let mut source = source.take(most);
        source.read_to_end(&mut bytes).map_err(FileProblem::Unreadable)?;
        self.spend(bytes.len() as u64)?;
        if is_gzip(&bytes) {
            let packed = std::mem::take(&mut bytes);
            let most = (self.max_bytes + 1).min(self.budget);
            let read = flate2::read::MultiGzDecoder::new(&packed[..]).take(most).read_to_end(&mut bytes);
            self.spend(bytes.len() as u64)?;
            read.map_err(|error| FileProblem::Unpacking(error.to_string()))?;
        }
        Ok(bytes)
    }

    fn spend(&mut self, used: u64) -> Result<(), FileProblem> {
        self.budget -= used.min(self.budget);
        if self.budget == 0 { Err(FileProblem::Bomb) } else { Ok(()) }
    }

    /// A record, or an archive that was compressed or lay in another one.
    fn record(&mut self, path: PathBuf, bytes: Vec<u8>, nesting: u32) -> ControlFlow<()> {
        // In an archive the name counts too, so that a torn archive is called that.
        if !(is_archive(&bytes) || nesting > 0 && has_archive_name(&path)) {
            return (self.visit)(FilePart::Record { path, bytes });
        }
        if nesting >= MAX_NESTING {
            return (self.visit)(FilePart::Refused { path, problem: FileProblem::TooDeep });
        }
        self.entries(Cursor::new(bytes), &path, nesting + 1)
    }

    fn entries(&mut self, source: impl Read + Seek, path: &Path, nesting: u32) -> ControlFlow<()> {
        let mut archive = match ZipArchive::new(source) {
            Ok(archive) => archive,
            Err(error) => return (self.visit)(FilePart::Refused { path: path.to_owned(), problem: error.into() }),
        };
        for number in 0..archive.len() {
            let (shown, what) = match describe(&mut archive, number, path) {
                Ok(Some(shown)) => (shown, Ok(())),
                Ok(None) => continue,
                Err((shown, problem)) => (shown, Err(problem)),
            };
            let unpacked = what.and_then(|()| {
                let entry = archive.by_index(number).map_err(FileProblem::from)?;
                self.bytes(entry).map_err(|problem| match problem {
                    FileProblem::Unreadable(error) => FileProblem::Unpacking(error.to_string()),
                    other => other,
                })
            });
            match unpacked {
                Ok(bytes) => self.record(shown, bytes, nesting)?,
                Err(problem) => {
                    let path = if matches!(problem, FileProblem::Bomb) { path.to_owned() } else { shown };
                    (self.visit)(FilePart::Refused { path, problem })?;
                }
            }
            if self.budget == 0 {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The place of an entry that is to be read; `None` for what is no record, an error for what must not be read.
fn describe(
    archive: &mut ZipArchive<impl Read + Seek>,
    number: usize,
    path: &Path,
) -> Result<Option<PathBuf>, (PathBuf, FileProblem)> {
    let entry = archive.by_index_raw(number).map_err(|error| (path.to_owned(), error.into()))?;
    if entry.is_dir() {
        return Ok(None);
    }
    let name = entry.name().unwrap_or_default();
    let shown = path.join(printable(&name));
    let climbs = name.starts_with(['/', '\\']) || name.contains("..\\");
    let Some(inside) = entry.enclosed_name().filter(|_| !climbs) else {
        return Err((shown, FileProblem::Climbs));
    };
    if entry.is_symlink() || !(has_record_name(&inside) || has_archive_name(&inside)) {
        return Ok(None);
    }
    if entry.encrypted() {
        return Err((shown, FileProblem::Encrypted));
    }
    Ok(Some(shown))
}

impl From<ZipError> for FileProblem {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => Self::Unreadable(error),
            ZipError::InvalidArchive(what) => Self::Damaged(what.to_string()),
            ZipError::UnsupportedArchive(what) => Self::Unpacking(what.to_string()),
            other => Self::Unpacking(other.to_string()),
        }
    }
}

/// A name of an archive as it may be shown.
fn printable(name: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    name.trim_start_matches(['/', '\\']).chars().take(200).map(plain).collect()
}
