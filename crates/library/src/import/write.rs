//! The part of an import that writes: the caller's thread, one transaction after the other.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use honinbo_record::{Diagnostic, Problem, Severity};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::chunk::{FileReport, PreparedChunk, ReadyGame};
use super::files::ListedFile;
use super::report::{ImportNote, ImportProgress, ImportReport, joined, note};
use crate::change::Change;
use crate::error::LibraryError;
use crate::history::remember;
use crate::joined::Joinings;
use crate::open::Library;
use crate::saver::{Names, Saver, last_number};
use crate::text::TextCodec;
use crate::time::Timestamp;

/// Games of one transaction in a library of up to 200,000 games.
const MIN_BATCH: usize = 2_000;
/// Games of one transaction in a large one. Names, dates and keys come in no order: a transaction writes nearly every
/// page of their indexes anew, so that larger ones write less.
const MAX_BATCH: usize = 8_000;
/// How long a transaction waits for games in all, while nobody else can write. Where files come slower, smaller ones cost
/// only time in which there would be nothing to do.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long a transaction takes games. Only a slow disk needs so long for a whole batch.
const MAX_HOLD: Duration = Duration::from_secs(1);
/// After so long everybody else who writes has a turn: with a transaction less than the 5 s after which they give up.
const TURN_INTERVAL: Duration = Duration::from_secs(3);
/// Longer than the 100 ms after which SQLite looks again whether the file is free.
const TURN: Duration = Duration::from_millis(120);
/// How often an import that meets another program's long change waits once more, each time as long as a change does.
const MAX_LOCKED_WAITS: u32 = 5;

impl Library {
    #[expect(clippy::too_many_arguments, reason = "the parts of one import, used nowhere else")]
    pub(super) fn write_chunks(
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
        let mut chunks = Chunks { receiver, waiting: BTreeMap::new(), next: 0 };
        let mut finished = false;
        let mut first_new = None;
        let mut joinings = Joinings::default();
        let mut last_turn = Instant::now();
        while !finished {
            let mut coming = chunks.wait();
            finished = coming.is_none();
            let writer = self.writer()?;
            let transaction = begin(&writer, &mut || progress(tally).is_continue())?;
            let held_since = Instant::now();
            let mut in_batch = 0;
            let mut reached: BTreeMap<usize, (u32, bool)> = BTreeMap::new();
            let newest = || last_number(&transaction);
            let batch = usize::try_from(newest()? / 100).unwrap_or(MIN_BATCH).clamp(MIN_BATCH, MAX_BATCH);
            let before = match first_new {
                Some(before) => before,
                None => *first_new.insert(newest()?),
            };
            {
                let mut saver = Saver::new(&transaction, &mut codec).with_names(std::mem::take(&mut names));
                let mut patience = PATIENCE;
                while let Some(chunk) = coming.take() {
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
                    if in_batch < batch && held_since.elapsed() < MAX_HOLD {
                        match chunks.wait_within(&mut patience) {
                            Ok(next) => coming = Some(next),
                            Err(RecvTimeoutError::Timeout) => {}
                            Err(RecvTimeoutError::Disconnected) => finished = true,
                        }
                    }
                }
                joinings.append(std::mem::take(&mut saver.joinings));
                names = saver.into_names();
            }
            for (file, (games, whole)) in reached {
                files[file].keep(&transaction, games, whole)?;
            }
            if finished {
                transaction.execute("DELETE FROM import_progress", [])?;
                remember_import(&transaction, before, std::mem::take(&mut joinings), now)?;
            }
            transaction.commit()?;
            drop(writer);
            tally.kib = kib(bytes_read.load(Ordering::Relaxed));
            if progress(tally).is_break() && !finished {
                report.cancelled = true;
                let writer = self.writer()?;
                let transaction = begin(&writer, &mut || true)?;
                remember_import(&transaction, before, joinings, now)?;
                transaction.commit()?;
                return Ok(());
            }
            if !finished && last_turn.elapsed() >= TURN_INTERVAL {
                std::thread::sleep(TURN);
                last_turn = Instant::now();
            }
        }
        Ok(())
    }
}

/// Keeps how to take an import back: the games after the number `before`, and what was joined to others.
fn remember_import(
    transaction: &Transaction<'_>,
    before: i64,
    joinings: Joinings,
    now: Timestamp,
) -> Result<(), LibraryError> {
    let range = Change::BinRange { after: before, until: last_number(transaction)?, deleted: true, at: now };
    let changes = vec![range, Change::Texts(joinings.into_reverse(now))];
    remember(transaction, "import", &Change::Many { changes })
}

/// Begins to write, and waits for another program longer than a single change does: whoever imports has left the
/// machine alone. `goes_on` is asked between two waits.
fn begin<'c>(writer: &'c Connection, goes_on: &mut dyn FnMut() -> bool) -> Result<Transaction<'c>, LibraryError> {
    let mut waits = 0;
    loop {
        match Transaction::new_unchecked(writer, TransactionBehavior::Immediate).map_err(LibraryError::from) {
            Err(LibraryError::Locked) if waits < MAX_LOCKED_WAITS && goes_on() => waits += 1,
            begun => return begun,
        }
    }
}

/// The chunks in order; those that overtook others wait.
struct Chunks<'r> {
    receiver: &'r Receiver<PreparedChunk>,
    waiting: BTreeMap<u64, PreparedChunk>,
    /// The number of the next one.
    next: u64,
}

impl Chunks<'_> {
    /// Waits for the next chunk; `None` after the last.
    fn wait(&mut self) -> Option<PreparedChunk> {
        loop {
            if let Some(chunk) = self.take() {
                return Some(chunk);
            }
            let chunk = self.receiver.recv().ok()?;
            self.waiting.insert(chunk.number, chunk);
        }
    }

    /// The next chunk, if it comes within `patience`, of which is left what the wait did not take.
    fn wait_within(&mut self, patience: &mut Duration) -> Result<PreparedChunk, RecvTimeoutError> {
        loop {
            if let Some(chunk) = self.take() {
                return Ok(chunk);
            }
            let began = Instant::now();
            let received = self.receiver.recv_timeout(*patience);
            *patience = patience.saturating_sub(began.elapsed());
            let chunk = received?;
            self.waiting.insert(chunk.number, chunk);
        }
    }

    fn take(&mut self) -> Option<PreparedChunk> {
        let chunk = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(chunk)
    }
}

fn store(
    saver: &mut Saver<'_>,
    game: &ReadyGame,
    now: Timestamp,
    report: &mut ImportReport,
    tally: &mut ImportProgress,
) -> Result<(), LibraryError> {
    let ReadyGame { path, line, is_record, prepared, diagnostics, .. } = game;
    let line = *line;
    let shown = path.display().to_string();
    let not_go = prepared.info.problems.iter().find(|problem| matches!(problem, Problem::NotGo { .. }));
    if let Some(problem) = not_go {
        let message = format!("{problem}; it was left out");
        note(report, ImportNote { path: shown, line, severity: "error", message, problem: None });
        return Ok(());
    }
    if !is_record {
        let message = "it has nothing of a game of Go; it was left out".into();
        note(report, ImportNote { path: shown, line, severity: "error", message, problem: None });
        return Ok(());
    }
    let saved = saver.save(prepared, Some(&shown), now)?;
    if let Some(known) = &saved.duplicate_of {
        report.duplicates += 1;
        tally.duplicates += 1;
        if saved.joined {
            let (black, white) = saver.players_of(known)?;
            let message = format!("joined to game {known}, {black} – {white}, as another version of it");
            joined(report, ImportNote { path: shown.clone(), line, severity: "info", message, problem: None });
        }
    } else {
        report.added += 1;
        tally.added += 1;
    }
    let mut has_problem = false;
    let of_game = prepared.info.problems.iter().map(|problem| Diagnostic { line, column: 0, problem: problem.clone() });
    for diagnostic in diagnostics.iter().cloned().chain(of_game) {
        has_problem |= diagnostic.severity() > Severity::Info;
        note(report, ImportNote::of_record(shown.clone(), diagnostic.line, &diagnostic.problem));
    }
    if prepared.left_out_moves > 0 {
        has_problem = true;
        let message = if prepared.whole_line {
            format!(
                "{} moves of the main line are not legal; they are kept in the record and left out of searches",
                prepared.left_out_moves
            )
        } else {
            "stones are set up in the middle of the game; searches see it up to there".to_owned()
        };
        note(report, ImportNote { path: shown, line, severity: "warning", message, problem: None });
    }
    report.repaired += u32::from(has_problem);
    Ok(())
}

fn finish_file(file: FileReport, report: &mut ImportReport, tally: &mut ImportProgress) {
    tally.files += u32::from(file.ends.is_some());
    let archive = file.ends.is_some() && file.n_games == 0 && file.failure.is_none() && file.diagnostics.is_empty();
    let path = file.path.display().to_string();
    if let Some(message) = file.failure {
        note(report, ImportNote { path: path.clone(), line: 0, severity: "error", message, problem: None });
    }
    for diagnostic in &file.diagnostics {
        note(report, ImportNote::of_record(path.clone(), diagnostic.line, &diagnostic.problem));
    }
    if file.n_games > 0 {
        report.files += 1;
    } else if archive {
        // Its parts were counted.
    } else {
        report.refused_files += 1;
    }
}

/// Whole KiB, rounded up.
pub(super) fn kib(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportOptions;
    use crate::import::chunk::Place;
    use crate::import::files::list_files;
    use crate::open::LibraryOptions;
    use crate::prepare::PreparedGame;
    use std::sync::mpsc::sync_channel;

    fn chunk(number: u64, path: &std::path::Path) -> PreparedChunk {
        let sgf = format!("(;SZ[9]PB[imported {number}];B[ee];W[cc])");
        let game = honinbo_record::read_sgf(sgf.as_bytes()).games.remove(0);
        let ready = ReadyGame {
            path: path.to_owned(),
            place: Place { file: 0, game: u32::try_from(number).unwrap() },
            line: game.line,
            is_record: true,
            prepared: PreparedGame::new(&game.tree, &mut TextCodec::new().unwrap()).unwrap(),
            diagnostics: Vec::new(),
        };
        PreparedChunk { number, games: vec![Ok(ready)], files: Vec::new() }
    }

    #[test]
    fn a_game_is_saved_while_an_import_waits_for_a_slow_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("slow.sgf");
        std::fs::write(&path, "slow").unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let files = list_files(std::slice::from_ref(&path), &mut ImportReport::default());
        let (sender, receiver) = sync_channel(4);
        let (told, tells) = sync_channel(4);
        let (stored, listed) = (&library, &files);
        let report = std::thread::scope(|scope| {
            let importing = scope.spawn(move || {
                let (mut report, mut tally) = (ImportReport::default(), ImportProgress::default());
                let mut progress = |progress: &ImportProgress| -> ControlFlow<()> {
                    told.send(progress.added).unwrap();
                    ControlFlow::Continue(())
                };
                let bytes_read = AtomicU64::new(0);
                let written =
                    stored.write_chunks(listed, &receiver, 1, &mut report, &mut tally, &bytes_read, &mut progress);
                written.map(|()| report)
            });
            // The second game overtakes the first, and nothing follows for as long as somebody saves another.
            sender.send(chunk(1, &path)).unwrap();
            sender.send(chunk(0, &path)).unwrap();
            assert_eq!(tells.recv().unwrap(), 2, "what came is committed without waiting for the rest");
            library.save_record("(;SZ[9]PB[saved];B[aa])", 1).unwrap();
            sender.send(chunk(2, &path)).unwrap();
            drop(sender);
            importing.join().unwrap()
        });
        assert_eq!(report.unwrap().added, 3);
        assert_eq!(library.stats().unwrap().games, 4);
    }

    #[test]
    fn an_import_waits_for_another_program_longer_than_a_change_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sgf");
        std::fs::write(&path, "(;SZ[9]PB[imported];B[ee];W[cc])").unwrap();
        let options = LibraryOptions { busy_timeout: Duration::from_millis(20), ..LibraryOptions::default() };
        let library = Library::open_with(folder.path().join("library.sqlite"), options).unwrap();
        let other = Connection::open(library.path()).unwrap();
        let import = |progress: &mut dyn FnMut(&ImportProgress) -> ControlFlow<()>| {
            library.import(std::slice::from_ref(&path), &ImportOptions::default(), 1, progress)
        };
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut waits = 0;
        let error = import(&mut |_| {
            waits += 1;
            ControlFlow::Continue(())
        });
        assert!(matches!(error, Err(LibraryError::Locked)), "{error:?}");
        assert_eq!(waits, MAX_LOCKED_WAITS);
        let error = import(&mut |_| ControlFlow::Break(()));
        assert!(matches!(error, Err(LibraryError::Locked)), "{error:?}");
        let mut waits = 0;
        let report = import(&mut |_| {
            waits += 1;
            if waits == 2 {
                other.execute_batch("ROLLBACK").unwrap();
            }
            ControlFlow::Continue(())
        });
        assert_eq!(report.unwrap().added, 1);
    }

    #[test]
    fn another_program_has_a_turn_while_an_import_never_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("endless.sgf");
        std::fs::write(&path, "endless").unwrap();
        let file = folder.path().join("library.sqlite");
        let library = Library::open(&file).unwrap();
        let files = list_files(std::slice::from_ref(&path), &mut ImportReport::default());
        let (sender, receiver) = sync_channel(4);
        let (stored, listed) = (&library, &files);
        // With connections of its own, as another process has.
        let other = Library::open(&file).unwrap();
        std::thread::scope(|scope| {
            let importing = scope.spawn(move || {
                let (mut report, mut tally) = (ImportReport::default(), ImportProgress::default());
                let bytes_read = AtomicU64::new(0);
                let mut progress = |_: &ImportProgress| ControlFlow::Continue(());
                stored.write_chunks(listed, &receiver, 1, &mut report, &mut tally, &bytes_read, &mut progress)
            });
            // Games that begin alike are compared with each other, so that they soon come faster than they are written.
            for number in 0..1000 {
                sender.send(chunk(number, &path)).unwrap();
            }
            let saving = scope.spawn(|| other.save_record("(;SZ[9]PB[saved];B[aa])", 1).map(drop));
            for number in 1000.. {
                if saving.is_finished() {
                    break;
                }
                sender.send(chunk(number, &path)).unwrap();
            }
            drop(sender);
            importing.join().unwrap().unwrap();
            saving.join().unwrap().unwrap();
        });
    }
}
