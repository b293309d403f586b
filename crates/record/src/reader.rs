//! Reading SGF, FF1 to FF4, also when it is broken.
//!
//! Every input gives games and diagnostics, never a failure in the middle. Time and memory are linear in the input,
//! and limits bound what a hostile file can ask for.

use std::ops::Range;

use crate::charset::{self, Charset};
use crate::diagnostic::{Diagnostic, Problem, Report};
use crate::tree::{GameTree, NONE, NodeId, Span, ValueData, canonical_ident};
use crate::value::{escape, shorten, unescape};

/// How much a file may ask for, and how its bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimits {
    /// Largest input, at most 1 GiB.
    pub max_bytes: usize,
    /// Most nodes of one game.
    pub max_nodes: usize,
    /// Deepest nesting of variations.
    pub max_depth: usize,
    /// Most diagnostics kept for one game, and ten times as many for one file.
    pub max_diagnostics: usize,
    /// The character set that files are read in whatever they say; `None` goes by what they say and look like.
    pub charset: Option<Charset>,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { max_bytes: 1 << 30, max_nodes: 1_000_000, max_depth: 100_000, max_diagnostics: 100, charset: None }
    }
}

/// One game of a file.
#[derive(Debug, Clone)]
pub struct ReadGame {
    /// The record.
    pub tree: GameTree,
    /// What was wrong in this game.
    pub diagnostics: Vec<Diagnostic>,
    /// Line of the file on which the game begins, from 1.
    pub line: u32,
    /// Where in the decoded text the game stands, white space before it included.
    pub range: Range<usize>,
}

/// All games of a file.
#[derive(Debug, Clone)]
pub struct Collection {
    /// The games in their order.
    pub games: Vec<ReadGame>,
    /// What was wrong with the file as a whole.
    pub diagnostics: Vec<Diagnostic>,
    /// The character set it is written in.
    pub charset: Charset,
    /// Text after the last game.
    pub trailing: String,
}

impl Collection {
    /// The file again: byte for byte what was read, apart from repairs and edits.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        for game in &self.games {
            game.tree.write_sgf(&mut text);
        }
        text.push_str(&self.trailing);
        charset::encode(&text, self.charset).unwrap_or_else(|| self.clone().in_utf8().to_bytes())
    }

    /// The same file with UTF-8 as its character set, as [`GameTree::in_utf8`] has it.
    #[must_use]
    pub fn in_utf8(mut self) -> Self {
        for game in &mut self.games {
            game.tree = game.tree.in_utf8();
        }
        self.trailing = charset::displayable(&self.trailing).into_owned();
        self.charset = Charset::UTF_8;
        self
    }

    /// Every diagnostic: of the file, then of each game in order.
    pub fn all_diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().chain(self.games.iter().flat_map(|game| &game.diagnostics))
    }
}

/// The text of an SGF file, decoded, with what was wrong about its bytes.
#[derive(Debug)]
pub struct SgfText {
    /// Decoded text.
    pub text: String,
    /// The character set it was in.
    pub charset: Charset,
    /// Diagnostics about the file as a whole.
    pub diagnostics: Vec<Diagnostic>,
}

impl SgfText {
    /// Decodes a file. Of what is no text, such as a picture or a program, nothing is left: brackets and letters stand in
    /// any bytes, and would be games.
    #[must_use]
    pub fn decode(bytes: &[u8], limits: ReadLimits) -> Self {
        let limit = limits.max_bytes.min(1 << 30);
        if bytes.len() > limit {
            let problem = Problem::TooLarge { bytes: bytes.len() as u64, limit: limit as u64 };
            return Self { text: String::new(), charset: Charset::UTF_8, diagnostics: vec![Diagnostic::file(problem)] };
        }
        let decoded = match limits.charset {
            Some(charset) => charset::decode_in(bytes, charset),
            None => charset::decode(bytes),
        };
        if !is_text(&decoded.text) {
            return Self { text: String::new(), charset: Charset::UTF_8, diagnostics: Vec::new() };
        }
        let mut diagnostics = decoded.diagnostics;
        if bytes.contains(&0) && decoded.text.contains('\0') {
            diagnostics.push(Diagnostic::file(Problem::NulBytes));
        }
        Self { text: decoded.text, charset: decoded.charset, diagnostics }
    }

    /// The games, one at a time: a collection of many games never stands in memory as trees all at once.
    #[must_use]
    pub fn games(&self, limits: ReadLimits) -> SgfReader<'_> {
        SgfReader { text: &self.text, charset: self.charset, limits, at: 0, lines: LineCounter::default() }
    }
}

/// Whether it begins as a record does, or has hardly any of the characters that no text has. NUL alone says little: damaged
/// records have runs of it.
fn is_text(text: &str) -> bool {
    const LOOKED_AT: usize = 16_384;
    let is_odd = |c: char| c.is_control() && !matches!(c, '\0' | '\t'..='\r' | '\x1a' | '\x1b' | '\u{80}'..);
    let begins = text.trim_start().strip_prefix('(').is_some_and(|rest| rest.trim_start().starts_with(';'));
    let looked_at = text.chars().take(LOOKED_AT);
    begins || looked_at.clone().filter(|&c| is_odd(c)).count() * 33 <= looked_at.count()
}

/// Reads a whole file.
///
/// ```
/// let collection = honinbo_record::read_sgf(b"(;GM[1]SZ[9]PB[Shusaku];B[ee](;W[gc])(;W[cc]))");
/// let tree = &collection.games[0].tree;
/// assert_eq!(tree.text_value(tree.root(), "PB").as_deref(), Some("Shusaku"));
/// assert_eq!(tree.node_count(), 4);
/// ```
#[must_use]
pub fn read_sgf(bytes: &[u8]) -> Collection {
    read_sgf_with(bytes, ReadLimits::default())
}

/// Reads a record that is text already. Its `CA`, when known, stays the character set that it is written in.
#[must_use]
pub fn read_sgf_text(text: &str) -> Collection {
    let limits = ReadLimits::default();
    let limit = limits.max_bytes;
    if text.len() > limit {
        return read_sgf_with(text.as_bytes(), limits);
    }
    let source = SgfText { text: text.to_owned(), charset: Charset::of_text(text), diagnostics: Vec::new() };
    read_all(source, limits)
}

/// Reads a whole file within limits of the caller's choice.
#[must_use]
pub fn read_sgf_with(bytes: &[u8], limits: ReadLimits) -> Collection {
    read_all(SgfText::decode(bytes, limits), limits)
}

fn read_all(source: SgfText, limits: ReadLimits) -> Collection {
    let mut reader = source.games(limits);
    let mut n_diagnostics = 0;
    let mut games = Vec::new();
    for mut game in reader.by_ref() {
        // The limit per file keeps a collection of thousands of broken games from burying the reader.
        let room = (limits.max_diagnostics * 10usize).saturating_sub(n_diagnostics);
        game.diagnostics.truncate(room);
        n_diagnostics += game.diagnostics.len();
        games.push(game);
    }
    let trailing = reader.trailing().to_owned();
    let mut diagnostics = source.diagnostics;
    if games.is_empty() && !diagnostics.iter().any(|d| matches!(d.problem, Problem::TooLarge { .. })) {
        diagnostics.push(Diagnostic::file(Problem::NoGame));
    }
    Collection { games, diagnostics, charset: source.charset, trailing }
}

/// The games of a text, one after the other.
#[derive(Debug)]
pub struct SgfReader<'t> {
    text: &'t str,
    charset: Charset,
    limits: ReadLimits,
    at: usize,
    lines: LineCounter,
}

impl<'t> SgfReader<'t> {
    /// What has not been read; after the last game, the text behind it.
    #[must_use]
    pub fn trailing(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// How far reading has come, in bytes of the decoded text.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }
}

impl Iterator for SgfReader<'_> {
    type Item = ReadGame;

    fn next(&mut self) -> Option<ReadGame> {
        let start = self.at;
        let open = find_game(self.text.as_bytes(), start)?;
        let mut parser = Parser {
            text: self.text,
            bytes: self.text.as_bytes(),
            base: start,
            tree: GameTree::empty(),
            current: None,
            levels: Vec::new(),
            gap: start,
            limits: self.limits,
            report: Report::new(self.limits.max_diagnostics),
            lines: &mut self.lines,
            corrected: Vec::new(),
            full: false,
            ignored_depth: 0,
            gap_has_junk: false,
        };
        let before = self.text[start..open].trim_matches(is_blank);
        if !before.is_empty() {
            parser.complain(start, Problem::Junk { text: shorten(before) });
        }
        let end = parser.parse(open);
        let (mut tree, diagnostics) = parser.finish(end);
        self.at = end;
        tree.charset = self.charset;
        let line = self.lines.locate(self.text.as_bytes(), open).0;
        Some(ReadGame { tree, diagnostics, line, range: start..end })
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}' || c == '\0'
}

/// The next round bracket behind which a game really begins; text around games may contain brackets too.
fn find_game(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let open = at + bytes.get(at..)?.iter().position(|&byte| byte == b'(')?;
        let mut probe = open;
        while bytes.get(probe).is_some_and(|&byte| byte == b'(' || byte.is_ascii_whitespace()) {
            probe += 1;
        }
        match bytes.get(probe) {
            Some(b';') => return Some(open),
            Some(byte) if byte.is_ascii_uppercase() && ident_with_value(bytes, probe) => return Some(open),
            None => return None,
            // All brackets passed on the way fail for the same reason.
            _ => at = probe.max(open + 1),
        }
    }
}

fn is_ident_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// True when a property name of at most 64 letters and an opening bracket stand here.
fn ident_with_value(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at..bytes.len().min(at + 96)];
    let length = rest.iter().take_while(|&&byte| is_ident_byte(byte)).count();
    if length == 0 || length > 64 {
        return false;
    }
    rest[length..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[')
}

/// Properties whose values are points: a bracket that is missing there is recognised by what follows.
fn holds_points(raw_ident: &str) -> bool {
    matches!(&*canonical_ident(raw_ident), "B" | "W" | "AB" | "AW" | "AE" | "TB" | "TW" | "CR" | "SQ" | "TR" | "MA")
}

/// Properties that hold free text, in which people forget to escape brackets.
fn holds_text(raw_ident: &str) -> bool {
    const TEXTS: [&str; 23] = [
        "C", "GC", "N", "GN", "EV", "RO", "PC", "PB", "PW", "BR", "WR", "BT", "WT", "US", "SO", "AN", "CP", "ON", "AP",
        "DT", "RE", "RU", "OT",
    ];
    TEXTS.contains(&&*canonical_ident(raw_ident))
}

/// One open round bracket.
struct Level {
    parent: Option<NodeId>,
    start: Option<NodeId>,
    before_open: Span,
    has_variations: bool,
}

struct Parser<'t, 'l> {
    text: &'t str,
    bytes: &'t [u8],
    /// Offset of the game in the file's text; spans count from here.
    base: usize,
    tree: GameTree,
    current: Option<NodeId>,
    levels: Vec<Level>,
    /// End of the last token.
    gap: usize,
    limits: ReadLimits,
    report: Report,
    lines: &'l mut LineCounter,
    /// Values that are written differently than they were read.
    corrected: Vec<(usize, String)>,
    /// No more nodes are taken.
    full: bool,
    /// Brackets beyond the deepest level.
    ignored_depth: usize,
    /// Something else than white space stands in the gap: it is not written again.
    gap_has_junk: bool,
}

impl Parser<'_, '_> {
    /// White space since the last token.
    fn take_gap(&mut self, at: usize) -> Span {
        if std::mem::take(&mut self.gap_has_junk) { Span::default() } else { self.span(self.gap, at) }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        // Inputs are at most 1 GiB, decoded at most three times as long.
        let offset = |at: usize| u32::try_from(at - self.base).unwrap_or(u32::MAX);
        Span { start: offset(start), end: offset(end) }
    }

    fn complain(&mut self, at: usize, problem: Problem) {
        let (line, column) = if self.report.is_full() { (0, 0) } else { self.lines.locate(self.bytes, at) };
        self.report.push(Diagnostic { line, column, problem });
    }

    /// Reads from the opening bracket at `open`; returns the end of the game.
    fn parse(&mut self, open: usize) -> usize {
        let mut at = open;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'(' => {
                    self.open(at);
                    at += 1;
                }
                b')' => {
                    self.close(at);
                    at += 1;
                    if self.levels.is_empty() {
                        return at;
                    }
                }
                b';' => {
                    self.start_node(at, at + 1);
                    at += 1;
                }
                b'[' => at = self.stray_value(at),
                _ if is_ident_byte(byte) => at = self.property(at),
                _ if byte.is_ascii_whitespace() || byte == 0 => at += 1,
                _ => at = self.junk(at),
            }
        }
        let open = self.levels.len() + self.ignored_depth;
        self.complain(self.bytes.len(), Problem::UnclosedGame { open });
        self.bytes.len()
    }

    fn ignoring(&self) -> bool {
        self.full || self.ignored_depth > 0
    }

    fn open(&mut self, at: usize) {
        if self.ignoring() || self.levels.len() >= self.limits.max_depth {
            if !self.ignoring() {
                self.complain(at, Problem::TooDeep { limit: self.limits.max_depth });
            }
            self.ignored_depth += 1;
        } else {
            let before_open = if self.levels.is_empty() { self.span(self.gap, at) } else { self.take_gap(at) };
            self.levels.push(Level { parent: self.current, start: None, before_open, has_variations: false });
        }
        self.gap = at + 1;
    }

    fn close(&mut self, at: usize) {
        if self.ignored_depth > 0 {
            self.ignored_depth -= 1;
        } else if let Some(level) = self.levels.pop() {
            match level.start {
                Some(start) => self.tree.nodes[start.index()].before_close = self.take_gap(at),
                None if self.full => {}
                None => self.complain(at, Problem::EmptyVariation),
            }
            self.current = level.parent;
            if let Some(outer) = self.levels.last_mut() {
                outer.has_variations = true;
            }
        }
        self.gap = at + 1;
    }

    fn start_node(&mut self, at: usize, end: usize) {
        if !self.full && self.tree.nodes.len() >= self.limits.max_nodes {
            self.complain(at, Problem::TooManyNodes { limit: self.limits.max_nodes });
            self.full = true;
        }
        if self.ignoring() {
            self.gap = end;
            return;
        }
        let before = self.take_gap(at);
        let is_root = self.tree.nodes.is_empty();
        let parent = if is_root { None } else { Some(self.current.unwrap_or(NodeId::ROOT)) };
        let id = self.tree.push_node(parent, before);
        self.current = Some(id);
        self.gap = end;
        let Some(level) = self.levels.last_mut() else { return };
        if level.start.is_none() {
            let before_open = level.before_open;
            let node = &mut self.tree.nodes[id.index()];
            (node.bracketed, node.before_open) = (true, before_open);
            // Doubled brackets: the outer ones begin with the same node.
            let mut doubled = 0;
            for level in self.levels.iter_mut().rev().take_while(|level| level.start.is_none()) {
                level.start = Some(id);
                doubled += 1;
            }
            if doubled > 1 {
                self.complain(at, Problem::Junk { text: "(".into() });
            }
        } else if level.has_variations {
            level.has_variations = false;
            self.complain(at, Problem::NodeAfterVariation);
        }
    }

    fn property(&mut self, at: usize) -> usize {
        let length = self.bytes[at..].iter().take_while(|&&byte| is_ident_byte(byte)).count();
        let ident_end = at + length;
        let mut bracket = self.skip_blank(ident_end);
        if self.bytes.get(bracket) != Some(&b'[') {
            let ident = shorten(&self.text[at..ident_end]);
            self.complain(at, Problem::MissingValue { ident });
            self.gap_has_junk = true;
            return ident_end;
        }
        let has_node = self.current.is_some() && self.levels.last().is_none_or(|level| level.start.is_some());
        if !has_node && !self.ignoring() {
            self.complain(at, Problem::MissingSemicolon);
            self.start_node(at, at);
        }
        let raw_ident = &self.text[at..ident_end];
        let (points, text) = (holds_points(raw_ident), holds_text(raw_ident));
        let first_value = self.tree.values.len();
        let before_property = self.take_gap(at);
        let mut end = ident_end;
        while self.bytes.get(bracket) == Some(&b'[') {
            let before = self.span(end, bracket);
            let value = self.value(bracket + 1, raw_ident, points, text);
            if !self.ignoring() {
                if value.escape_again {
                    let text = &self.text[value.start..value.end];
                    self.corrected.push((self.tree.values.len(), escape(&unescape(text)).into_owned()));
                }
                let raw = self.span(value.start, value.end);
                self.tree.values.push(ValueData { before, raw });
            }
            end = value.next;
            bracket = self.skip_blank(end);
        }
        if let (Some(id), false) = (self.current, self.ignoring()) {
            let ident = self.span(at, ident_end);
            let n_values = u32::try_from(self.tree.values.len() - first_value).unwrap_or(NONE);
            let first_value = u32::try_from(first_value).unwrap_or(NONE);
            self.tree.push_property(id, before_property, ident, first_value, n_values);
        }
        self.gap = end;
        end
    }

    fn skip_blank(&self, at: usize) -> usize {
        at + self.bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Finds the end of the value that starts at `start`, behind its bracket.
    fn value(&mut self, start: usize, raw_ident: &str, points: bool, text: bool) -> FoundValue {
        let mut at = start;
        let mut escape_again = false;
        loop {
            match self.bytes.get(at) {
                Some(b'\\') => at += 2,
                Some(b']') if !text || !self.bracket_is_text(at) => {
                    return FoundValue { start, end: at, next: at + 1, escape_again };
                }
                Some(b']') => {
                    if !escape_again {
                        self.complain(at, Problem::UnescapedBracket { ident: shorten(raw_ident) });
                    }
                    escape_again = true;
                    at += 1;
                }
                Some(b';' | b'(' | b')' | b'[') if points => {
                    self.complain(start, Problem::UnclosedValue { ident: shorten(raw_ident) });
                    let end = self.without_dangling(start, start + self.text[start..at].trim_end().len());
                    return FoundValue { start, end, next: at, escape_again };
                }
                Some(_) => at += 1,
                None => {
                    self.complain(start, Problem::UnclosedValue { ident: shorten(raw_ident) });
                    let next = self.bytes.len();
                    return FoundValue { start, end: self.without_dangling(start, next), next, escape_again };
                }
            }
        }
    }

    /// The end of a value that nothing closed, before a lone backslash: that would swallow the bracket which is
    /// written behind it.
    fn without_dangling(&self, start: usize, end: usize) -> usize {
        let backslashes = self.bytes[start..end].iter().rev().take_while(|&&byte| byte == b'\\').count();
        end - backslashes % 2
    }

    /// Whether the closing bracket at `at` belongs to a text in which nobody escaped it.
    ///
    /// Behind a real end comes a node, a variation, a value or a property. Anything else means that the text goes on,
    /// provided that another closing bracket comes before the next thing that looks like a property.
    fn bracket_is_text(&self, at: usize) -> bool {
        let next = self.skip_blank(at + 1);
        match self.bytes.get(next) {
            None | Some(b';' | b'(' | b')' | b'[' | b']' | 0) => return false,
            Some(&byte) if is_ident_byte(byte) && ident_with_value(self.bytes, next) => return false,
            _ => {}
        }
        let mut probe = next;
        while let Some(&byte) = self.bytes.get(probe) {
            match byte {
                b']' => return true,
                b'[' => return !self.text[..probe].trim_ascii_end().ends_with(|c: char| c.is_ascii_uppercase()),
                b'\\' => probe += 2,
                _ => probe += 1,
            }
        }
        false
    }

    fn stray_value(&mut self, at: usize) -> usize {
        self.complain(at, Problem::MissingIdent);
        self.gap_has_junk = true;
        let mut end = at + 1;
        while let Some(&byte) = self.bytes.get(end) {
            match byte {
                b'\\' => end += 2,
                b']' => return end + 1,
                _ => end += 1,
            }
        }
        self.bytes.len()
    }

    fn junk(&mut self, at: usize) -> usize {
        let ends = |&byte: &u8| byte.is_ascii() && (is_ident_byte(byte) || b"();[".contains(&byte));
        let length = self.bytes[at..].iter().position(ends).unwrap_or(self.bytes.len() - at).max(1);
        let text = self.text[at..at + length].trim_matches(is_blank);
        if !text.is_empty() {
            self.complain(at, Problem::Junk { text: shorten(text) });
            self.gap_has_junk = true;
        }
        at + length
    }

    fn finish(self, end: usize) -> (GameTree, Vec<Diagnostic>) {
        let mut tree = self.tree;
        tree.text = self.text[self.base..end].to_owned();
        if tree.nodes.is_empty() {
            // Brackets beyond the limit and nothing else.
            tree.push_node(None, Span::default());
            tree.nodes[0].bracketed = true;
        }
        for (value, raw) in self.corrected {
            let span = tree.append_text(&raw);
            tree.values[value].raw = span;
        }
        (tree, self.report.finish())
    }
}

struct FoundValue {
    start: usize,
    end: usize,
    next: usize,
    escape_again: bool,
}

/// Turns offsets into lines and columns, walking on from the last answer.
#[derive(Debug, Default)]
struct LineCounter {
    at: usize,
    line: u32,
}

impl LineCounter {
    fn locate(&mut self, bytes: &[u8], at: usize) -> (u32, u32) {
        let at = at.min(bytes.len());
        let breaks = |range: &[u8]| u32::try_from(range.iter().filter(|&&byte| byte == b'\n').count()).unwrap_or(0);
        if at >= self.at {
            self.line += breaks(&bytes[self.at..at]);
        } else {
            self.line = self.line.saturating_sub(breaks(&bytes[at..self.at]));
        }
        self.at = at;
        // Columns of files that are one long line would cost a walk each: beyond 64 KiB the column is not counted.
        let window = &bytes[at.saturating_sub(65_536)..at];
        let column = match window.iter().rposition(|&byte| byte == b'\n') {
            Some(newline) => characters(&window[newline + 1..]) + 1,
            None if window.len() < 65_536 => characters(window) + 1,
            None => 0,
        };
        (self.line + 1, column)
    }
}

fn characters(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()).unwrap_or(u32::MAX)
}
