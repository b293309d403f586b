//! Backup, restoring, and export of games.

use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use honinbo_record::{Charset, GameTree};

use crate::archive::ArchiveWriter;
use crate::backups;
use crate::error::LibraryError;
use crate::id::GameId;
use crate::list::{GameSummary, summary};
use crate::open::Library;
use crate::saver::last_number;
use crate::sqlite_file;
use crate::text::{TextCodec, text_of};
use crate::time::Timestamp;

/// What a backup has behind its name until it is whole.
pub(crate) const PART: &str = ".part";
/// What a backup has behind the library's name that takes its place at the next start.
const READY: &str = ".restore";

/// A backup that took the library's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Its games, without those in the bin.
    pub games: u32,
    /// Where what was there before is kept; `None` where nothing was.
    pub aside: Option<PathBuf>,
}

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// One collection with the records as they came in; where they came in several character sets, all are in UTF-8, as a
    /// file has one.
    Sgf,
    /// A zip archive with a file for each record, as it came in.
    Zip,
    /// A table with a line for each game, in UTF-8.
    Csv,
}

/// How records are exported: in which form, and what is done to each on its way.
#[derive(Clone, Copy)]
pub struct ExportOptions<'e> {
    /// What is written.
    pub format: ExportFormat,
    /// Changes each record before it is written, such as by what is known of its positions; the library keeps its own.
    /// A table does not ask for it.
    pub edit: Option<&'e dyn Fn(GameTree) -> GameTree>,
}

impl From<ExportFormat> for ExportOptions<'_> {
    /// Records as they came in.
    fn from(format: ExportFormat) -> Self {
        Self { format, edit: None }
    }
}

impl Library {
    /// Writes the whole library into one new file, also while it is in use. The file has its name once it is whole.
    ///
    /// # Errors
    /// A file that is there already is not overwritten; [`LibraryError::File`] with it where it does not fit, and what else
    /// the database says.
    pub fn backup(&self, to: &Path) -> Result<(), LibraryError> {
        // The write-ahead log lets a connection of its own read one state while the writer goes on.
        self.write_backup(to, |part| Ok(self.connection()?.execute("VACUUM INTO ?1", [part]).map(drop)?))
    }

    /// A backup that `write` makes in a file of another name, which is there and empty.
    pub(crate) fn write_backup(
        &self,
        to: &Path,
        write: impl FnOnce(&str) -> Result<(), LibraryError>,
    ) -> Result<(), LibraryError> {
        let failed = |source| LibraryError::File { path: to.to_owned(), source };
        if to.exists() {
            return Err(failed(std::io::Error::new(std::io::ErrorKind::AlreadyExists, "it is there already")));
        }
        // Two programs may back up one library at once.
        let part = with_end(to, &format!(".{}{PART}", std::process::id()));
        let name = part.to_str().ok_or_else(|| failed(std::io::ErrorKind::InvalidInput.into()))?;
        // SQLite takes an empty file, and the system says better why none can be made.
        std::fs::File::create(&part).map_err(failed)?;
        // SQLite has brought it to the disk by then.
        let written =
            write(name).map_err(|error| of_target(error, to)).and_then(|()| std::fs::rename(&part, to).map_err(failed));
        if written.is_err() {
            // Half a backup is worse than none.
            drop(std::fs::remove_file(&part));
        }
        written
    }

    /// Puts a backup in the place of a library that is not open: [`Library::prepare_restore`] and
    /// [`Library::finish_restore`] at once. Returns where what was there before is kept, if something was.
    ///
    /// # Errors
    /// As these two; nothing is changed then.
    pub fn restore_backup(backup: &Path, library: &Path, now: Timestamp) -> Result<Option<PathBuf>, LibraryError> {
        Self::prepare_restore(backup, library)?;
        let restored = Self::finish_restore(library, now);
        if restored.is_err() {
            Self::cancel_restore(library);
        }
        Ok(restored?.and_then(|restored| restored.aside))
    }

    /// Copies a backup beside the library, which may be open, and checks it there: it is ready to take the library's
    /// place then. The backup stays what it is. Returns its games.
    ///
    /// # Errors
    /// A backup that is no library, of a newer version or damaged changes nothing.
    pub fn prepare_restore(backup: &Path, library: &Path) -> Result<u32, LibraryError> {
        let games = backups::games_in(backup)?;
        let copy = with_end(library, ".restoring");
        remove_library(&copy);
        let ready = with_end(library, READY);
        let prepared = copy_library(backup, &copy)
            .and_then(|()| refuse_damaged(&copy))
            // One file alone is renamed in one step, and SQLite brings it to the disk.
            .and_then(|()| close_log(&copy))
            .and_then(|()| {
                std::fs::rename(&copy, &ready).map_err(|source| LibraryError::File { path: ready.clone(), source })
            });
        if prepared.is_err() {
            remove_library(&copy);
        }
        prepared.map(|()| games)
    }

    /// Gives a backup that is ready the name of the library, which must not be open anywhere. What was there becomes a
    /// backup of its own, with its log where that could not be brought into it. `None` where no backup is ready.
    ///
    /// # Errors
    /// Nothing is changed by [`LibraryError::Locked`], when the library is open somewhere, and [`LibraryError::Newer`],
    /// when a newer program made it; the backup stays ready.
    pub fn finish_restore(library: &Path, now: Timestamp) -> Result<Option<Restored>, LibraryError> {
        let ready = with_end(library, READY);
        if !ready.exists() {
            return Ok(None);
        }
        let games = backups::games_in(&ready)?;
        let aside = backups::name_for_set_aside(library, now);
        let was_there = library.exists();
        keep_numbers(&ready, library)?;
        put_aside(library, &aside)?;
        let failed = |source| LibraryError::File { path: library.to_owned(), source };
        std::fs::rename(&ready, library).map_err(failed)?;
        Ok(Some(Restored { games, aside: was_there.then_some(aside) }))
    }

    /// Forgets a backup that is ready.
    pub fn cancel_restore(library: &Path) {
        drop(std::fs::remove_file(with_end(library, READY)));
    }

    /// Writes games into a file, whole or not at all; returns how many. A file that is there is replaced.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what writing says.
    pub fn export_file<'e>(
        &self,
        ids: &[GameId],
        options: impl Into<ExportOptions<'e>>,
        to: &Path,
    ) -> Result<u32, LibraryError> {
        let options = options.into();
        let failed = |source| LibraryError::File { path: to.to_owned(), source };
        let part = with_end(to, ".part");
        let written = (|| {
            let mut file = std::io::BufWriter::new(std::fs::File::create(&part).map_err(failed)?);
            let written = match options.format {
                ExportFormat::Zip => self.export_zip(ids, options, &mut file),
                _ => self.export(ids, options, &mut file),
            };
            let written = written.map_err(|error| match error {
                LibraryError::File { source, .. } => failed(source),
                other => other,
            })?;
            let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
            file.sync_all().map_err(failed)?;
            std::fs::rename(&part, to).map_err(failed)?;
            Ok(written)
        })();
        if written.is_err() {
            drop(std::fs::remove_file(&part));
        }
        written
    }

    /// Writes games as a zip archive, whatever the options say of the form.
    fn export_zip(
        &self,
        ids: &[GameId],
        options: ExportOptions<'_>,
        out: &mut (impl Write + Seek),
    ) -> Result<u32, LibraryError> {
        let failed = |source| LibraryError::File { path: "the export".into(), source };
        let mut codec = TextCodec::new()?;
        let mut archive = ArchiveWriter::new(out);
        let mut names = std::collections::HashSet::new();
        let mut written = 0;
        for id in ids {
            let (game, text) = self.to_export(id, &mut codec)?;
            let name = file_name(&game);
            let name = if names.insert(name.clone()) { format!("{name}.sgf") } else { format!("{name}-{id}.sgf") };
            archive.add(&name, &record_bytes(&text, options, false)).map_err(failed)?;
            written += 1;
        }
        archive.finish().map_err(failed)?.flush().map_err(failed)?;
        Ok(written)
    }

    /// Writes games one after the other; returns how many. An archive, which can only be written by going back in it, is
    /// collected in memory here.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what writing says.
    pub fn export<'e>(
        &self,
        ids: &[GameId],
        options: impl Into<ExportOptions<'e>>,
        out: &mut dyn Write,
    ) -> Result<u32, LibraryError> {
        let options = options.into();
        let failed = |source| LibraryError::File { path: "the export".into(), source };
        if options.format == ExportFormat::Zip {
            let mut archive = std::io::Cursor::new(Vec::new());
            let written = self.export_zip(ids, options, &mut archive)?;
            out.write_all(archive.get_ref()).map_err(failed)?;
            return Ok(written);
        }
        let mut codec = TextCodec::new()?;
        if options.format == ExportFormat::Csv {
            out.write_all(CSV_HEADER.as_bytes()).map_err(failed)?;
        }
        let in_utf8 = options.format == ExportFormat::Sgf && self.has_several_charsets(ids, &mut codec)?;
        let mut written = 0;
        for id in ids {
            let bytes = if options.format == ExportFormat::Csv {
                let row = id.row()?;
                csv_line(&self.read(|connection| summary(connection, row)?.ok_or_else(|| id.unknown()))?).into_bytes()
            } else {
                let mut bytes = record_bytes(&self.to_export(id, &mut codec)?.1, options, in_utf8);
                bytes.push(b'\n');
                bytes
            };
            out.write_all(&bytes).map_err(failed)?;
            written += 1;
        }
        out.flush().map_err(failed)?;
        Ok(written)
    }

    /// Whether records, written one after the other as they came in, would be in several character sets. One with letters
    /// that its own set lacks is written in UTF-8.
    fn has_several_charsets(&self, ids: &[GameId], codec: &mut TextCodec) -> Result<bool, LibraryError> {
        let mut shared = None;
        for id in ids {
            let text = self.to_export(id, codec)?.1;
            let charset = Charset::of_text(&text);
            if *shared.get_or_insert(charset) != charset || !charset.has_all_of(&text) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What is known of a game, and its text.
    fn to_export(&self, id: &GameId, codec: &mut TextCodec) -> Result<(GameSummary, String), LibraryError> {
        let row = id.row()?;
        self.read(|connection| {
            let game = summary(connection, row)?.ok_or_else(|| id.unknown())?;
            Ok((game, text_of(connection, row, codec)?))
        })
    }
}

/// A disk that is full is that of the new file.
fn of_target(error: LibraryError, to: &Path) -> LibraryError {
    match error {
        LibraryError::DiskFull => {
            LibraryError::File { path: to.to_owned(), source: std::io::ErrorKind::StorageFull.into() }
        }
        other => other,
    }
}

/// Copies a library with its log.
fn copy_library(from: &Path, to: &Path) -> Result<(), LibraryError> {
    let (log, copied_log) = (with_end(from, "-wal"), with_end(to, "-wal"));
    if log.exists() {
        copy_file(&log, &copied_log)?;
    }
    copy_file(from, to)
}

/// Copies what a file says, not who may read or write it; half a copy is not left behind.
fn copy_file(from: &Path, to: &Path) -> Result<(), LibraryError> {
    let failed = |path: &Path, source| LibraryError::File { path: path.to_owned(), source };
    let mut source = std::fs::File::open(from).map_err(|error| failed(from, error))?;
    let copied = std::fs::File::create(to).and_then(|mut target| std::io::copy(&mut source, &mut target));
    copied.map(drop).map_err(|error| {
        drop(std::fs::remove_file(to));
        failed(to, error)
    })
}

/// Open games, which outlive the library, name games by their numbers: what comes into the library that takes its place
/// gets numbers behind those of the library before, where that can be read.
fn keep_numbers(ready: &Path, library: &Path) -> Result<(), LibraryError> {
    let before = sqlite_file::connect_to_look(library).ok().and_then(|before| last_number(&before).ok());
    let Some(before) = before else { return Ok(()) };
    Library::open(ready)?.writer()?.execute("UPDATE deleted_numbers SET highest = max(highest, ?1)", [before])?;
    close_log(ready)
}

/// Opening migrates.
fn refuse_damaged(copy: &Path) -> Result<(), LibraryError> {
    let problems = Library::open(copy)?.check()?.problems;
    if problems.is_empty() { Ok(()) } else { Err(LibraryError::Damaged { detail: problems.join("; ") }) }
}

pub(crate) fn remove_library(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        drop(std::fs::remove_file(with_end(path, end)));
    }
}

pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Gives a library another name, with its log where that is still beside it. What the other name meant before is gone.
pub(crate) fn put_aside(path: &Path, aside: &Path) -> Result<(), LibraryError> {
    let failed = |source| LibraryError::File { path: path.to_owned(), source };
    let of_log = |path: &Path| ["-wal", "-shm"].map(|end| with_end(path, end));
    if !path.exists() {
        // A log without its file belongs to nothing, and would be taken for that of the file that comes.
        of_log(path).iter().for_each(|log| drop(std::fs::remove_file(log)));
        return Ok(());
    }
    close_log(path)?;
    if let Some(folder) = aside.parent() {
        std::fs::create_dir_all(folder).map_err(|source| LibraryError::File { path: folder.to_owned(), source })?;
    }
    of_log(aside).iter().for_each(|log| drop(std::fs::remove_file(log)));
    std::fs::rename(path, aside).map_err(failed)?;
    for (from, to) in of_log(path).iter().zip(of_log(aside)) {
        if from.exists() {
            std::fs::rename(from, to).map_err(failed)?;
        }
    }
    Ok(())
}

/// Brings what stands in the write-ahead log into the file, which nobody else may have open meanwhile: they would go on
/// writing into a file that was put aside. The log of a file that cannot be opened, because it is damaged or something
/// else, stays as it is.
fn close_log(path: &Path) -> Result<(), LibraryError> {
    let library = match Library::open(path) {
        Ok(library) if library.is_read_only() => return Ok(()),
        Ok(library) => library,
        Err(error @ (LibraryError::Locked | LibraryError::Newer { .. })) => return Err(error),
        Err(_) => return Ok(()),
    };
    let mode = library.writer()?.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get::<_, String>(0));
    match mode.map_err(LibraryError::from) {
        Ok(mode) if mode == "delete" => Ok(()),
        Ok(_) => Err(LibraryError::Locked),
        Err(LibraryError::Damaged { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A record in its own character set, or in UTF-8.
fn record_bytes(text: &str, options: ExportOptions<'_>, in_utf8: bool) -> Vec<u8> {
    let mut collection = honinbo_record::read_sgf_text(text);
    if let Some(edit) = options.edit {
        for game in &mut collection.games {
            game.tree = edit(std::mem::take(&mut game.tree));
        }
    }
    if in_utf8 { collection.in_utf8() } else { collection }.to_bytes()
}

const CSV_HEADER: &str =
    "id,title,black,black rank,white,white rank,date,event,place,result,size,rules,komi,handicap,moves,source\r\n";

fn csv_line(game: &GameSummary) -> String {
    let size = format!("{}x{}", game.width, game.height);
    let komi = game.komi.map(|komi| komi.to_string()).unwrap_or_default();
    let (handicap, moves) = (game.handicap.to_string(), game.moves.to_string());
    let fields = [
        game.id.as_str(),
        game.title.as_deref().unwrap_or_default(),
        &game.black,
        &game.black_rank,
        &game.white,
        &game.white_rank,
        &game.date,
        &game.event,
        &game.place,
        &game.result,
        &size,
        &game.rules,
        &komi,
        &handicap,
        &moves,
        &game.source,
    ];
    let line: Vec<String> = fields.iter().map(|field| csv_field(field)).collect();
    line.join(",") + "\r\n"
}

/// A name that every file system takes: date and players.
fn file_name(game: &GameSummary) -> String {
    let parts = [game.date.as_str(), game.black.as_str(), game.white.as_str()];
    let plain = |part: &str| -> String {
        let keep = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
        part.trim().chars().take(40).map(keep).collect()
    };
    let parts: Vec<String> = parts.iter().map(|part| plain(part)).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { format!("game-{}", game.id) } else { parts.join("-") }
}

/// As RFC 4180 has it; a field that a spreadsheet would run as a formula gets an apostrophe.
fn csv_field(field: &str) -> String {
    let guarded = if field.starts_with(['=', '+', '-', '@', '\t']) { format!("'{field}") } else { field.to_owned() };
    if guarded.contains([',', '"', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_said_of_the_file_that_did_not_fit() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("backup.sqlite");
        std::fs::write(&source, vec![1; 9000]).unwrap();
        let full = Path::new("/full/backup.sqlite");
        let Err(LibraryError::File { path, source }) = copy_file(&source, &folder.path().join("no/such/folder")) else {
            panic!("it was copied")
        };
        assert_eq!((path.ends_with("no/such/folder"), source.kind()), (true, std::io::ErrorKind::NotFound));
        let sqlite = |code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None).into();
        let error = of_target(sqlite(rusqlite::ffi::SQLITE_FULL), full);
        assert_eq!(error.to_string(), "cannot use /full/backup.sqlite: no storage space");
        assert_eq!(error.hint(), "free some space there and try again");
        assert!(matches!(of_target(sqlite(rusqlite::ffi::SQLITE_CORRUPT), full), LibraryError::Damaged { .. }));
    }

    #[test]
    fn a_backup_is_made_while_somebody_writes_and_has_what_was_committed() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let id = library.save_record("(;SZ[9]PB[kept];B[ee])", 1).unwrap().id;
        let backup = folder.path().join("backup.sqlite");
        let writer = library.writer().unwrap();
        writer.execute_batch("BEGIN IMMEDIATE; UPDATE games SET title = 'later';").unwrap();
        library.backup(&backup).unwrap();
        writer.execute_batch("ROLLBACK;").unwrap();
        drop(writer);
        let copy = Library::open(&backup).unwrap().summary(&id).unwrap();
        assert_eq!((copy.black.as_str(), copy.title), ("kept", None));
    }
}
