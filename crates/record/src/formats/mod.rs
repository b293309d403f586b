//! The formats of records: telling them apart, and reading whichever it is.
//!
//! A new format is a file of its own beside `gib.rs`, and here its variant, its `mod` and its place in [`OTHERS`]: dialogs,
//! import, conversion, the file manager and the packages take it from there.

mod gib;
mod line;
mod ngf;
mod ugf;
mod write;

use crate::charset;
use crate::diagnostic::{Diagnostic, Problem};
use crate::reader::{Collection, ReadGame, ReadLimits, read_sgf_with};
use crate::tree::GameTree;
use write::Writer;

pub use write::{LeftOut, WriteRecordError, WrittenRecord, write_record};

/// Formats of game records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordFormat {
    /// Smart Game Format, FF1 to FF4.
    Sgf,
    /// Tygem.
    Gib,
    /// wBaduk.
    Ngf,
    /// `PandaNet`, with its fragments `.ugi`.
    Ugf,
}

/// A kind of file that records come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileKind {
    /// What it is called.
    pub name: &'static str,
    /// Endings of its names, the usual one first.
    pub extensions: &'static [&'static str],
    /// Its media type.
    pub mime_type: &'static str,
    /// It holds other files.
    pub packed: bool,
}

/// A format other than SGF. Its files hold one game each.
struct OtherFormat {
    format: RecordFormat,
    kind: FileKind,
    /// Whether the beginning of a file looks like it.
    looks_like: fn(&[u8]) -> bool,
    /// The label of the character set, where a file names one that is known.
    charset: fn(&[u8]) -> Option<String>,
    /// Reads the game of a decoded file.
    read: fn(&str, &mut Vec<Diagnostic>) -> Option<GameTree>,
    /// `None` where it is only read.
    write: Option<Writer>,
}

/// The formats beside SGF.
const OTHERS: [OtherFormat; 3] = [gib::FORMAT, ngf::FORMAT, ugf::FORMAT];

const SGF: FileKind =
    FileKind { name: "SGF", extensions: &["sgf", "mgt"], mime_type: "application/x-go-sgf", packed: false };

/// The kinds of files that hold records and no other files.
pub(crate) const RECORD_KINDS: [FileKind; OTHERS.len() + 1] = {
    let mut kinds = [SGF; OTHERS.len() + 1];
    let mut at = 0;
    while at < OTHERS.len() {
        kinds[at + 1] = OTHERS[at].kind;
        at += 1;
    }
    kinds
};

/// Largest file of the other formats.
const MAX_OTHER: usize = 16 << 20;

impl RecordFormat {
    /// The formats that records are written in, SGF first.
    pub fn written() -> impl Iterator<Item = Self> {
        let others = OTHERS.iter().filter(|other| other.write.is_some()).map(|other| other.format);
        std::iter::once(Self::Sgf).chain(others)
    }

    /// The usual ending of its files' names.
    #[must_use]
    pub fn extension(self) -> &'static str {
        let kind = OTHERS.iter().find(|other| other.format == self).map_or(SGF, |other| other.kind);
        kind.extensions[0]
    }

    /// What a file looks like; whatever is nothing else is read as SGF.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(4096)];
        OTHERS.iter().find(|other| (other.looks_like)(head)).map_or(Self::Sgf, |other| other.format)
    }
}

fn contains(head: &[u8], word: &[u8]) -> bool {
    head.windows(word.len()).any(|window| window == word)
}

/// Reads a file of any known format. Games of other formats become trees that are written as SGF.
#[must_use]
pub fn read_record(bytes: &[u8], limits: ReadLimits) -> Collection {
    let format = RecordFormat::detect(bytes);
    let Some(other) = OTHERS.iter().find(|other| other.format == format) else {
        return read_sgf_with(bytes, limits);
    };
    let limit = limits.max_bytes.min(MAX_OTHER);
    let mut collection = Collection {
        games: Vec::new(),
        diagnostics: Vec::new(),
        charset: charset::Charset::UTF_8,
        trailing: String::new(),
    };
    if bytes.len() > limit {
        let problem = Problem::TooLarge { bytes: bytes.len() as u64, limit: limit as u64 };
        collection.diagnostics.push(Diagnostic::file(problem));
        return collection;
    }
    let decoded = match limits.charset {
        Some(charset) => charset::decode_in(bytes, charset),
        None => charset::decode_declared(bytes, (other.charset)(bytes)),
    };
    // Hardly a file names its character set, so that a guess is nothing to report.
    let is_kept = |d: &Diagnostic| !matches!(d.problem, Problem::GuessedCharset { .. } | Problem::WrongCharset { .. });
    collection.diagnostics = decoded.diagnostics.into_iter().filter(is_kept).collect();
    let mut diagnostics = Vec::new();
    match (other.read)(&decoded.text, &mut diagnostics) {
        Some(tree) => collection.games.push(ReadGame { tree, diagnostics, line: 1, range: 0..decoded.text.len() }),
        None => collection.diagnostics.push(Diagnostic::file(Problem::NoGame)),
    }
    collection
}
