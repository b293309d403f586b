//! Telling file formats apart, and reading whichever it is.

use crate::charset;
use crate::diagnostic::{Diagnostic, Problem};
use crate::reader::{Collection, ReadGame, ReadLimits, read_sgf_with};
use crate::tree::GameTree;
use crate::{gib, ngf, ugf};

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

/// Largest file of the other formats: they hold one game each.
const MAX_OTHER: usize = 16 << 20;

impl RecordFormat {
    /// What a file looks like; whatever is nothing else is read as SGF.
    #[must_use]
    pub fn detect(bytes: &[u8]) -> Self {
        let head = &bytes[..bytes.len().min(4096)];
        let contains = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
        if contains(b"\\HS") || contains(b"\\[GAME") {
            Self::Gib
        } else if contains(b"[Header]") && (contains(b"PlayerB=") || contains(b"[Data]") || contains(b"Hdcp=")) {
            Self::Ugf
        } else if ngf::looks_like(head) {
            Self::Ngf
        } else {
            Self::Sgf
        }
    }

    /// `sgf`, `gib`, `ngf` or `ugf`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sgf => "sgf",
            Self::Gib => "gib",
            Self::Ngf => "ngf",
            Self::Ugf => "ugf",
        }
    }
}

/// Reads a file of any known format. Games of other formats become trees that are written as SGF.
#[must_use]
pub fn read_record(bytes: &[u8], limits: ReadLimits) -> Collection {
    let format = RecordFormat::detect(bytes);
    if format == RecordFormat::Sgf {
        return read_sgf_with(bytes, limits);
    }
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
    let decoded = charset::decode(bytes);
    // None of these formats names its character set, so that a guess is nothing to report.
    let is_kept = |d: &Diagnostic| !matches!(d.problem, Problem::GuessedCharset { .. } | Problem::WrongCharset { .. });
    collection.diagnostics = decoded.diagnostics.into_iter().filter(is_kept).collect();
    let mut diagnostics = Vec::new();
    let tree: Option<GameTree> = match format {
        RecordFormat::Gib => gib::read(&decoded.text, &mut diagnostics),
        RecordFormat::Ngf => ngf::read(&decoded.text, &mut diagnostics),
        RecordFormat::Ugf | RecordFormat::Sgf => ugf::read(&decoded.text, &mut diagnostics),
    };
    match tree {
        Some(tree) => collection.games.push(ReadGame { tree, diagnostics, line: 1, range: 0..decoded.text.len() }),
        None => collection.diagnostics.push(Diagnostic::file(Problem::NoGame)),
    }
    collection
}

/// Adds a move below `node`; reports what is no point of the board.
pub(crate) struct LineBuilder<'t> {
    pub(crate) tree: &'t mut GameTree,
    pub(crate) node: crate::NodeId,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl LineBuilder<'_> {
    /// A stone in column `x` and row `y` from 0 at the top left, or a pass.
    pub(crate) fn play(&mut self, black: bool, point: Option<(usize, usize)>) {
        self.node = self.tree.add_child(self.node);
        let value = point.map(|(x, y)| self.letters(x, y)).unwrap_or_default();
        self.tree.set_raw(self.node, if black { "B" } else { "W" }, [value]);
    }

    pub(crate) fn holds(&self, x: usize, y: usize) -> bool {
        x < self.width && y < self.height
    }

    pub(crate) fn letters(&self, x: usize, y: usize) -> String {
        let part = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        crate::value::letters_of(part(x), part(y))
    }

    /// Moves that one file may have.
    pub(crate) fn is_full(&self) -> bool {
        self.tree.node_count() > 20_000
    }

    pub(crate) fn bad_point(&self, line: usize, value: &str) -> Diagnostic {
        let problem = Problem::BadPoint { ident: "move".into(), value: crate::value::shorten(value) };
        Diagnostic { line: u32::try_from(line + 1).unwrap_or(0), column: 0, problem }
    }
}

/// Sets a property when there is something to say.
pub(crate) fn set(tree: &mut GameTree, ident: &str, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        let root = tree.root();
        tree.set_text(root, ident, text);
    }
}

/// Splits `Name (9D)`, `Name[9D]` or `Name  9D*` into name and rank.
pub(crate) fn name_and_rank(text: &str) -> (String, String) {
    let text = text.trim();
    let open = text.rfind(['(', '[', '（']);
    if let Some(open) = open {
        let rank = text[open..].trim_matches(['(', ')', '[', ']', '（', '）', ' ']);
        if crate::Rank::parse(rank).is_some() {
            return (text[..open].trim().to_owned(), rank.to_lowercase());
        }
    }
    if let Some((name, rank)) = text.rsplit_once(char::is_whitespace) {
        let rank = rank.trim_end_matches(['*', '?']);
        let short = rank.len() <= 5 && rank.starts_with(|c: char| c.is_ascii_digit());
        if short && crate::Rank::parse(rank).is_some() {
            return (name.trim().to_owned(), rank.to_lowercase());
        }
    }
    (text.to_owned(), String::new())
}
