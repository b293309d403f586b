//! Bringing in files, folders and collections.
//!
//! One thread reads and parses, others prepare games, the caller's thread writes, so that importing uses what the
//! machine has while memory stays bounded: nothing waits in larger heaps than a few dozen games. Games are stored in
//! the order of their files, in transactions of [`BATCH`]; stopping or failing loses at most the last one, and a
//! second import of the same folder adds only what is missing.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use honinbo_record::{Collection, Diagnostic, ReadGame, ReadLimits, RecordFormat, Severity, SgfText, read_record};
use rusqlite::TransactionBehavior;

use crate::error::LibraryError;
use crate::open::Library;
use crate::prepare::PreparedGame;
use crate::save::{Names, Saver, Timestamp};
use crate::text::TextCodec;

/// Games of one transaction.
const BATCH: usize = 2_000;
/// Games that travel between threads together.
const CHUNK: usize = 32;
/// Chunks that wait between two threads.
const QUEUE: usize = 4;
/// Notes kept in a report.
const MAX_NOTES: usize = 10_000;
/// Folders within folders that are followed.
const MAX_DEPTH: usize = 64;

/// What to import and how much a file may ask for.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Limits of one file.
    pub limits: ReadLimits,
}

/// How far an import has come.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportProgress {
    /// Files read to their end.
    pub files: u32,
    /// Files there are.
    pub total_files: u32,
    /// Bytes of files read, in KiB.
    pub kib: u32,
    /// Size of all files in KiB: `kib / total_kib` is the part that is done.
    pub total_kib: u32,
    /// Games stored.
    pub added: u32,
    /// Games that were there already.
    pub duplicates: u32,
}

/// One thing worth telling about a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportNote {
    /// The file.
    pub path: String,
    /// Line in it, from 1; 0: the whole file.
    pub line: u32,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// What was found and what was done, a sentence.
    pub message: String,
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Files that held games.
    pub files: u32,
    /// Files that held none or could not be read; each has a note.
    pub refused_files: u32,
    /// Games stored.
    pub added: u32,
    /// Games that were there already; what they knew more was added.
    pub duplicates: u32,
    /// Games about which there is something to tell.
    pub repaired: u32,
    /// What, for the first ten thousand.
    pub notes: Vec<ImportNote>,
    /// Notes that were not kept.
    pub more_notes: u32,
    /// The caller stopped it.
    pub cancelled: bool,
}

struct Chunk {
    number: u64,
    games: Vec<(PathBuf, ReadGame)>,
    /// News about whole files that end before this chunk's games or with them.
    files: Vec<FileNews>,
}

struct FileNews {
    path: PathBuf,
    n_games: usize,
    diagnostics: Vec<Diagnostic>,
    failure: Option<String>,
}

struct PreparedChunk {
    number: u64,
    games: Vec<Result<ReadyGame, LibraryError>>,
    files: Vec<FileNews>,
}

/// A prepared game and where it came from.
struct ReadyGame {
    path: PathBuf,
    line: u32,
    prepared: PreparedGame,
    diagnostics: Vec<Diagnostic>,
}

impl Library {
    /// Imports files and folders. `progress` is called after each transaction and may stop the import; what was stored
    /// until then stays.
    ///
    /// # Errors
    /// What the database says, a full disk above all. Files that cannot be read are no errors: the report has them.
    pub fn import(
        &self,
        paths: &[PathBuf],
        options: &ImportOptions,
        now: Timestamp,
        progress: &mut dyn FnMut(&ImportProgress) -> ControlFlow<()>,
    ) -> Result<ImportReport, LibraryError> {
        let mut report = ImportReport::default();
        let files = list_files(paths, &mut report);
        let total: u64 = files.iter().map(|(_, bytes)| bytes).sum();
        let stop = AtomicBool::new(false);
        let bytes_read = AtomicU64::new(0);
        let n_workers = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).clamp(1, 8);
        let (chunk_sender, chunk_receiver) = sync_channel::<Chunk>(QUEUE);
        let (prepared_sender, prepared_receiver) = sync_channel::<PreparedChunk>(QUEUE);
        let chunk_receiver = Mutex::new(chunk_receiver);
        let mut tally = ImportProgress {
            total_files: u32::try_from(files.len()).unwrap_or(u32::MAX),
            total_kib: kib(total),
            ..ImportProgress::default()
        };
        let result = std::thread::scope(|scope| {
            let (stop, bytes_read, chunk_receiver, limits) = (&stop, &bytes_read, &chunk_receiver, options.limits);
            let files = &files;
            scope.spawn(move || read_files(files, limits, &chunk_sender, stop, bytes_read));
            for _ in 0..n_workers {
                let sender = prepared_sender.clone();
                scope.spawn(move || prepare_chunks(chunk_receiver, &sender, stop));
            }
            drop(prepared_sender);
            let written = self.write_chunks(&prepared_receiver, now, &mut report, &mut tally, bytes_read, progress);
            stop.store(true, Ordering::Relaxed);
            // Empties the queues, so that threads which wait to send see the end.
            for _ in prepared_receiver {}
            written
        });
        if report.duplicates > 0 {
            self.caches.games_changed();
        }
        result?;
        Ok(report)
    }

    fn write_chunks(
        &self,
        receiver: &Receiver<PreparedChunk>,
        now: Timestamp,
        report: &mut ImportReport,
        tally: &mut ImportProgress,
        bytes_read: &AtomicU64,
        progress: &mut dyn FnMut(&ImportProgress) -> ControlFlow<()>,
    ) -> Result<(), LibraryError> {
        let mut codec = TextCodec::new()?;
        let mut names = Names::default();
        let mut waiting: BTreeMap<u64, PreparedChunk> = BTreeMap::new();
        let mut next = 0;
        let mut finished = false;
        while !finished {
            let mut writer = self.writer();
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut in_batch = 0;
            {
                let mut saver = Saver::new(&transaction, &mut codec).with_names(std::mem::take(&mut names));
                while in_batch < BATCH {
                    let Some(chunk) = waiting.remove(&next).or_else(|| receive(receiver, &mut waiting, next)) else {
                        finished = true;
                        break;
                    };
                    next += 1;
                    for game in chunk.games {
                        in_batch += 1;
                        store(&mut saver, &game?, now, report, tally)?;
                    }
                    for file in chunk.files {
                        finish_file(file, report, tally);
                    }
                }
                names = saver.into_names();
            }
            transaction.commit()?;
            drop(writer);
            tally.kib = kib(bytes_read.load(Ordering::Relaxed));
            if progress(tally).is_break() {
                report.cancelled = !finished;
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The next chunk in order; chunks that overtook it wait.
fn receive(
    receiver: &Receiver<PreparedChunk>,
    waiting: &mut BTreeMap<u64, PreparedChunk>,
    next: u64,
) -> Option<PreparedChunk> {
    while let Ok(chunk) = receiver.recv() {
        if chunk.number == next {
            return Some(chunk);
        }
        waiting.insert(chunk.number, chunk);
    }
    None
}

fn store(
    saver: &mut Saver<'_>,
    game: &ReadyGame,
    now: Timestamp,
    report: &mut ImportReport,
    tally: &mut ImportProgress,
) -> Result<(), LibraryError> {
    let ReadyGame { path, line, prepared, diagnostics } = game;
    let line = *line;
    let shown = path.display().to_string();
    let not_go = prepared.info.problems.iter().find(|problem| problem.kind() == "notGo");
    if let Some(problem) = not_go {
        let message = format!("{problem}; it was left out");
        note(report, ImportNote { path: shown, line, severity: "error", message });
        return Ok(());
    }
    let saved = saver.save(prepared, Some(&shown), now)?;
    if saved.duplicate_of.is_some() {
        report.duplicates += 1;
        tally.duplicates += 1;
    } else {
        report.added += 1;
        tally.added += 1;
    }
    let mut told = false;
    let of_game = prepared.info.problems.iter().map(|problem| Diagnostic { line, column: 0, problem: problem.clone() });
    for diagnostic in diagnostics.iter().cloned().chain(of_game) {
        told |= diagnostic.severity() > Severity::Info;
        let message = format!("{}; {}", diagnostic.problem, diagnostic.problem.action());
        let severity = diagnostic.severity().name();
        note(report, ImportNote { path: shown.clone(), line: diagnostic.line, severity, message });
    }
    if prepared.left_out_moves > 0 {
        told = true;
        let message = if prepared.whole_line {
            format!(
                "{} moves of the main line are not legal; they are kept in the record and left out of searches",
                prepared.left_out_moves
            )
        } else {
            "stones are set up in the middle of the game; searches see it up to there".to_owned()
        };
        note(report, ImportNote { path: shown, line, severity: "warning", message });
    }
    report.repaired += u32::from(told);
    Ok(())
}

fn finish_file(file: FileNews, report: &mut ImportReport, tally: &mut ImportProgress) {
    tally.files += 1;
    let path = file.path.display().to_string();
    if let Some(message) = file.failure {
        note(report, ImportNote { path: path.clone(), line: 0, severity: "error", message });
    }
    for diagnostic in &file.diagnostics {
        let message = format!("{}; {}", diagnostic.problem, diagnostic.problem.action());
        let severity = diagnostic.severity().name();
        note(report, ImportNote { path: path.clone(), line: diagnostic.line, severity, message });
    }
    if file.n_games > 0 {
        report.files += 1;
    } else {
        report.refused_files += 1;
    }
}

fn note(report: &mut ImportReport, note: ImportNote) {
    if report.notes.len() < MAX_NOTES {
        report.notes.push(note);
    } else {
        report.more_notes += 1;
    }
}

fn kib(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}

/// Files to read, in order of their names; a file that is named itself is read whatever its name.
fn list_files(paths: &[PathBuf], report: &mut ImportReport) -> Vec<(PathBuf, u64)> {
    let mut files = Vec::new();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => list_folder(path, &mut files, report),
            Ok(metadata) => files.push((path.clone(), metadata.len())),
            Err(error) => refuse(path, &error, report),
        }
    }
    files
}

fn list_folder(top: &Path, files: &mut Vec<(PathBuf, u64)>, report: &mut ImportReport) {
    let mut open = vec![(top.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                refuse(&folder, &error, report);
                continue;
            }
        };
        let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        let mut folders = Vec::new();
        for entry in entries {
            let path = entry.path();
            // Links are not followed: they lead in circles, or out of the folder that was named.
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() && depth < MAX_DEPTH => folders.push((path, depth + 1)),
                Ok(metadata) if metadata.is_file() && has_record_name(&path) => files.push((path, metadata.len())),
                _ => {}
            }
        }
        open.extend(folders.into_iter().rev());
    }
}

fn refuse(path: &Path, error: &std::io::Error, report: &mut ImportReport) {
    report.refused_files += 1;
    let path = path.display().to_string();
    note(report, ImportNote { path, line: 0, severity: "error", message: format!("cannot be read: {error}") });
}

fn has_record_name(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    [".sgf", ".gib", ".ngf", ".ugf", ".ugi", ".sgf.gz", ".mgt"].iter().any(|end| name.ends_with(end))
}

/// Reads the files one after the other and sends their games in chunks.
fn read_files(
    files: &[(PathBuf, u64)],
    limits: ReadLimits,
    sender: &SyncSender<Chunk>,
    stop: &AtomicBool,
    bytes_read: &AtomicU64,
) {
    let mut chunks = Chunks { sender, next: Chunk { number: 0, games: Vec::new(), files: Vec::new() } };
    for (path, size) in files {
        let news = read_file(path, *size, limits, &mut chunks, stop, bytes_read);
        let Some(news) = news else { return };
        chunks.next.files.push(news);
        if chunks.next.files.len() >= CHUNK && !chunks.send() {
            return;
        }
    }
    chunks.send();
}

struct Chunks<'s> {
    sender: &'s SyncSender<Chunk>,
    next: Chunk,
}

impl Chunks<'_> {
    /// False when nobody listens any more.
    fn push(&mut self, path: &Path, game: ReadGame) -> bool {
        self.next.games.push((path.to_owned(), game));
        self.next.games.len() < CHUNK || self.send()
    }

    fn send(&mut self) -> bool {
        let following = Chunk { number: self.next.number + 1, games: Vec::new(), files: Vec::new() };
        self.sender.send(std::mem::replace(&mut self.next, following)).is_ok()
    }
}

/// `None` when the import was stopped.
fn read_file(
    path: &Path,
    size: u64,
    limits: ReadLimits,
    chunks: &mut Chunks<'_>,
    stop: &AtomicBool,
    bytes_read: &AtomicU64,
) -> Option<FileNews> {
    let mut news = FileNews { path: path.to_owned(), n_games: 0, diagnostics: Vec::new(), failure: None };
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let start = bytes_read.load(Ordering::Relaxed);
    let bytes = match read_bytes(path, limits.max_bytes) {
        Ok(bytes) => bytes,
        Err(error) => {
            news.failure = Some(format!("cannot be read: {error}"));
            bytes_read.store(start + size, Ordering::Relaxed);
            return Some(news);
        }
    };
    if RecordFormat::detect(&bytes) == RecordFormat::Sgf {
        let source = SgfText::decode(&bytes, limits);
        drop(bytes);
        let length = source.text.len().max(1) as u64;
        let mut reader = source.games(limits);
        while let Some(game) = reader.next() {
            news.n_games += 1;
            if !chunks.push(path, game) || stop.load(Ordering::Relaxed) {
                return None;
            }
            // In 128 bits: a file's size times a position in it.
            let part = u128::from(size) * reader.position() as u128 / u128::from(length);
            bytes_read.store(start + u64::try_from(part).unwrap_or(size), Ordering::Relaxed);
        }
        news.diagnostics = source.diagnostics;
    } else {
        let Collection { games, diagnostics, .. } = read_record(&bytes, limits);
        news.diagnostics = diagnostics;
        for game in games {
            news.n_games += 1;
            if !chunks.push(path, game) {
                return None;
            }
        }
    }
    if news.n_games == 0 && news.diagnostics.iter().all(|d| d.severity() < Severity::Error) {
        news.diagnostics.push(Diagnostic::file(honinbo_record::Problem::NoGame));
    }
    bytes_read.store(start + size, Ordering::Relaxed);
    Some(news)
}

/// The bytes of a file, unpacked when it is gzip; a bomb stops one byte behind the limit and is refused for its size.
fn read_bytes(path: &Path, limit: usize) -> std::io::Result<Vec<u8>> {
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

fn prepare_chunks(receiver: &Mutex<Receiver<Chunk>>, sender: &SyncSender<PreparedChunk>, stop: &AtomicBool) {
    let mut codec = match TextCodec::new() {
        Ok(codec) => codec,
        Err(error) => {
            let failed = PreparedChunk { number: 0, games: vec![Err(error)], files: Vec::new() };
            drop(sender.send(failed));
            return;
        }
    };
    loop {
        let received = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = received else { return };
        if stop.load(Ordering::Relaxed) {
            // What is left is taken and dropped, so that the reading thread never waits for room.
            continue;
        }
        let games = chunk.games.into_iter().map(|(path, game)| {
            let prepared = PreparedGame::new(&game.tree, &mut codec)?;
            Ok(ReadyGame { path, line: game.line, prepared, diagnostics: game.diagnostics })
        });
        let prepared = PreparedChunk { number: chunk.number, games: games.collect(), files: chunk.files };
        if sender.send(prepared).is_err() {
            return;
        }
    }
}
