//! Bringing in files, folders and collections.
//!
//! One thread reads and parses, others prepare games, the caller's thread writes, so that importing uses what the
//! machine has while memory stays bounded: nothing waits in larger heaps than a few dozen games. Games are stored in
//! the order of their files, in transactions of [`BATCH`] or more; stopping or failing loses at most the last one. How far each
//! file was read is kept in the same transactions until the import has ended, so that the next one of the same files
//! goes on from there; importing them once more adds only what is new.

use std::collections::BTreeMap;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use honinbo_record::{
    Collection, Diagnostic, ReadGame, ReadLimits, RecordFormat, Severity, SgfText, has_archive_name, has_record_name,
    read_record,
};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::error::LibraryError;
use crate::history::{Change, remember};
use crate::open::Library;
use crate::prepare::PreparedGame;
use crate::saver::{Names, Saver};
use crate::text::TextCodec;
use crate::time::Timestamp;

/// Games of one transaction in a library of up to 200,000 games.
const BATCH: usize = 2_000;
/// Games of one transaction in a large one. Names, dates and keys come in no order: a transaction writes nearly every
/// page of their indexes anew, so that larger ones write less.
const LARGE_BATCH: usize = 8_000;
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
    /// A folder in which files were only put aside: it means nothing to a person and is left out of sources and notes.
    pub aside: Option<PathBuf>,
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
    /// Games that an earlier import of these files, which was broken off, had dealt with.
    pub skipped: u32,
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
    /// Games that an earlier import of these files, which was broken off, had dealt with.
    pub skipped: u32,
    /// Games about which there is something to tell.
    pub repaired: u32,
    /// What, for the first ten thousand.
    pub notes: Vec<ImportNote>,
    /// Notes that were not kept.
    pub more_notes: u32,
    /// The caller stopped it.
    pub cancelled: bool,
}

/// A game as it was read.
pub(crate) struct RawGame {
    /// The file, with the place in its archive.
    path: PathBuf,
    place: Place,
    game: ReadGame,
}

/// Where a game stood: the number of the listed file, and the number of the game in it.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    game: u32,
}

struct Chunk {
    number: u64,
    games: Vec<RawGame>,
    /// News about whole files that end before this chunk's games or with them.
    files: Vec<FileNews>,
}

pub(crate) struct FileNews {
    path: PathBuf,
    n_games: usize,
    diagnostics: Vec<Diagnostic>,
    failure: Option<String>,
    /// The listed file that ends with this, and the games in it; `None`: it is a part of an archive.
    ends: Option<Place>,
}

struct PreparedChunk {
    number: u64,
    games: Vec<Result<ReadyGame, LibraryError>>,
    files: Vec<FileNews>,
}

/// A prepared game and where it came from.
struct ReadyGame {
    path: PathBuf,
    place: Place,
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
        let mut files = list_files(paths, &mut report);
        self.read(|connection| files.iter_mut().try_for_each(|file| file.look_up(connection)))?;
        let total: u64 = files.iter().map(|file| file.size).sum();
        let stop = AtomicBool::new(false);
        let bytes_read = AtomicU64::new(0);
        let n_workers = std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).clamp(1, 8);
        let (chunk_sender, chunk_receiver) = sync_channel::<Chunk>(QUEUE);
        let (prepared_sender, prepared_receiver) = sync_channel::<PreparedChunk>(QUEUE);
        let chunk_receiver = Mutex::new(chunk_receiver);
        let mut tally = ImportProgress {
            total_files: u32::try_from(files.len()).unwrap_or(u32::MAX),
            total_kib: kib(total),
            skipped: files.iter().fold(0, |sum: u32, file| sum.saturating_add(file.skip)),
            ..ImportProgress::default()
        };
        report.skipped = tally.skipped;
        let result = std::thread::scope(|scope| {
            let (stop, bytes_read, chunk_receiver) = (&stop, &bytes_read, &chunk_receiver);
            let files = &files;
            scope.spawn(move || read_files(files, options, &chunk_sender, stop, bytes_read));
            for _ in 0..n_workers {
                let sender = prepared_sender.clone();
                scope.spawn(move || prepare_chunks(chunk_receiver, &sender, stop));
            }
            drop(prepared_sender);
            let written = self.with_large_cache(|| {
                self.write_chunks(files, &prepared_receiver, now, &mut report, &mut tally, bytes_read, progress)
            });
            stop.store(true, Ordering::Relaxed);
            // Empties the queues, so that threads which wait to send see the end.
            for _ in prepared_receiver {}
            written
        });
        result?;
        Ok(report)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one import, used nowhere else")]
    fn write_chunks(
        &self,
        files: &[ListedFile],
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
        let mut first_new = None;
        while !finished {
            let mut writer = self.writer();
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut in_batch = 0;
            let mut reached: BTreeMap<usize, (u32, bool)> = BTreeMap::new();
            let newest =
                || transaction.query_row("SELECT coalesce(max(id), 0) FROM games", [], |row| row.get::<_, i64>(0));
            let batch = usize::try_from(newest()? / 100).unwrap_or(BATCH).clamp(BATCH, LARGE_BATCH);
            let before = match first_new {
                Some(before) => before,
                None => *first_new.insert(newest()?),
            };
            {
                let mut saver = Saver::new(&transaction, &mut codec).with_names(std::mem::take(&mut names));
                while in_batch < batch {
                    let Some(chunk) = waiting.remove(&next).or_else(|| receive(receiver, &mut waiting, next)) else {
                        finished = true;
                        break;
                    };
                    next += 1;
                    for game in chunk.games {
                        in_batch += 1;
                        let game = game?;
                        reached.insert(game.place.file, (game.place.game + 1, false));
                        store(&mut saver, &game, now, report, tally)?;
                    }
                    for file in chunk.files {
                        if let Some(end) = file.ends {
                            reached.insert(end.file, (end.game, true));
                        }
                        finish_file(file, report, tally);
                    }
                }
                names = saver.into_names();
            }
            for (file, (games, whole)) in reached {
                files[file].keep(&transaction, games, whole)?;
            }
            if finished {
                transaction.execute("DELETE FROM import_progress", [])?;
                let range = Change::BinRange { after: before, until: newest()?, deleted: true, at: now };
                remember(&transaction, "import", &range)?;
            }
            transaction.commit()?;
            drop(writer);
            tally.kib = kib(bytes_read.load(Ordering::Relaxed));
            if progress(tally).is_break() && !finished {
                report.cancelled = true;
                let mut writer = self.writer();
                let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
                let until = transaction.query_row("SELECT coalesce(max(id), 0) FROM games", [], |row| row.get(0))?;
                let range = Change::BinRange { after: before, until, deleted: true, at: now };
                remember(&transaction, "import", &range)?;
                transaction.commit()?;
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
    let ReadyGame { path, line, prepared, diagnostics, .. } = game;
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
    tally.files += u32::from(file.ends.is_some());
    let archive = file.ends.is_some() && file.n_games == 0 && file.failure.is_none() && file.diagnostics.is_empty();
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
    } else if archive {
        // Its parts were counted.
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

/// A file to read.
pub(crate) struct ListedFile {
    path: PathBuf,
    size: u64,
    /// Milliseconds since 1970 of its last change, 0 unknown.
    modified: i64,
    /// Games at its beginning that were dealt with by an import that was broken off.
    skip: u32,
    /// All of it was.
    whole: bool,
}

impl ListedFile {
    fn new(path: PathBuf, metadata: &std::fs::Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(0);
        Self { path, size: metadata.len(), modified, skip: 0, whole: false }
    }

    /// The name under which its progress is kept.
    fn key(&self) -> String {
        std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone()).display().to_string()
    }

    fn size(&self) -> i64 {
        i64::try_from(self.size).unwrap_or(i64::MAX)
    }

    /// Asks how far an earlier import came; a file that changed since is read anew.
    fn look_up(&mut self, connection: &Connection) -> Result<(), LibraryError> {
        let found: Option<(u32, bool)> = connection
            .prepare_cached("SELECT games, whole FROM import_progress WHERE path = ?1 AND size = ?2 AND modified = ?3")?
            .query_row(params![self.key(), self.size(), self.modified], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        (self.skip, self.whole) = found.unwrap_or_default();
        Ok(())
    }

    fn keep(&self, connection: &Connection, games: u32, whole: bool) -> Result<(), LibraryError> {
        connection
            .prepare_cached(
                "INSERT INTO import_progress (path, size, modified, games, whole) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (path) DO UPDATE SET size = ?2, modified = ?3, games = ?4, whole = ?5",
            )?
            .execute(params![self.key(), self.size(), self.modified, games, whole])?;
        Ok(())
    }
}

/// Files to read, in order of their names; a file that is named itself is read whatever its name.
fn list_files(paths: &[PathBuf], report: &mut ImportReport) -> Vec<ListedFile> {
    let mut files = Vec::new();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => list_folder(path, &mut files, report),
            Ok(metadata) => files.push(ListedFile::new(path.clone(), &metadata)),
            Err(error) => refuse(path, &error, report),
        }
    }
    files
}

fn list_folder(top: &Path, files: &mut Vec<ListedFile>, report: &mut ImportReport) {
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
                Ok(metadata) if metadata.is_file() && (has_record_name(&path) || has_archive_name(&path)) => {
                    files.push(ListedFile::new(path, &metadata));
                }
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

/// Reads the files one after the other and sends their games in chunks.
fn read_files(
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
pub(crate) struct FileReader<'s> {
    pub(crate) limits: ReadLimits,
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
        let mut news = FileNews::of(file.path.clone());
        if file.whole {
            // Nothing to tell: an earlier import did.
            self.place.game = file.skip;
        } else if crate::archive::is_archive(&file.path) {
            self.read_archive(&file.path, file.size)?;
        } else {
            match read_bytes(&file.path, self.limits.max_bytes) {
                Ok(bytes) => self.read_games(bytes, &mut news, (start, file.size))?,
                Err(error) => news.failure = Some(format!("cannot be read: {error}")),
            }
        }
        self.bytes_read.store(start + file.size, Ordering::Relaxed);
        news.ends = Some(self.place);
        self.tell(news)
    }

    pub(crate) fn bytes_so_far(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// News about a file are sent with the games before them.
    pub(crate) fn tell(&mut self, news: FileNews) -> Option<()> {
        self.next.files.push(FileNews { path: self.shown(&news.path), ..news });
        if self.next.files.len() >= CHUNK { self.send() } else { Some(()) }
    }

    /// The games of one record file. `part`: bytes read before it and its own share, for the progress.
    pub(crate) fn read_games(&mut self, bytes: Vec<u8>, news: &mut FileNews, part: (u64, u64)) -> Option<()> {
        if RecordFormat::detect(&bytes) == RecordFormat::Sgf {
            let source = SgfText::decode(&bytes, self.limits);
            drop(bytes);
            let length = source.text.len().max(1) as u64;
            let mut reader = source.games(self.limits);
            while let Some(game) = reader.next() {
                news.n_games += 1;
                self.push(&news.path, game)?;
                // In 128 bits: a file's size times a position in it.
                let read = u128::from(part.1) * reader.position() as u128 / u128::from(length);
                self.bytes_read.store(part.0 + u64::try_from(read).unwrap_or(part.1), Ordering::Relaxed);
            }
            news.diagnostics = source.diagnostics;
        } else {
            let Collection { games, diagnostics, .. } = read_record(&bytes, self.limits);
            news.diagnostics = diagnostics;
            for game in games {
                news.n_games += 1;
                self.push(&news.path, game)?;
            }
        }
        if news.n_games == 0 && news.diagnostics.iter().all(|d| d.severity() < Severity::Error) {
            news.diagnostics.push(Diagnostic::file(honinbo_record::Problem::NoGame));
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

impl FileNews {
    pub(crate) fn of(path: PathBuf) -> Self {
        Self { path, n_games: 0, diagnostics: Vec::new(), failure: None, ends: None }
    }

    pub(crate) fn refused(path: PathBuf, reason: impl Into<String>) -> Self {
        Self { failure: Some(reason.into()), ..Self::of(path) }
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
        let games = chunk.games.into_iter().map(|RawGame { path, place, game }| {
            let prepared = PreparedGame::new(&game.tree, &mut codec)?;
            Ok(ReadyGame { path, place, line: game.line, prepared, diagnostics: game.diagnostics })
        });
        let prepared = PreparedChunk { number: chunk.number, games: games.collect(), files: chunk.files };
        if sender.send(prepared).is_err() {
            return;
        }
    }
}
