//! Backup, restoring, and export of games.

use std::io::Write;
use std::path::Path;

use crate::edit::text_of;
use crate::error::LibraryError;
use crate::id::GameId;
use crate::open::Library;
use crate::query::summary;
use crate::text::TextCodec;

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// One collection with the records as they came in, each in its own character set.
    Sgf,
    /// A table with a line for each game, in UTF-8.
    Csv,
}

impl Library {
    /// Writes the whole library into one new file, also while it is in use.
    ///
    /// # Errors
    /// A file that is there already is not overwritten; [`LibraryError::DiskFull`] and what else the database says.
    pub fn backup(&self, to: &Path) -> Result<(), LibraryError> {
        let failed = |source| LibraryError::File { path: to.to_owned(), source };
        if to.exists() {
            return Err(failed(std::io::ErrorKind::AlreadyExists.into()));
        }
        let text = to.to_str().ok_or_else(|| failed(std::io::ErrorKind::InvalidInput.into()))?;
        let written = self.writer().execute("VACUUM INTO ?1", [text]);
        if let Err(error) = written {
            // Half a backup is worse than none.
            drop(std::fs::remove_file(to));
            return Err(error.into());
        }
        Ok(())
    }

    /// Puts a backup in the place of a library that is not open. The backup is checked first; what was there is kept
    /// beside it with `.before-restore` behind its name.
    ///
    /// # Errors
    /// A backup that is no library, of a newer version or damaged changes nothing.
    pub fn restore_backup(backup: &Path, to: &Path) -> Result<(), LibraryError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| LibraryError::File { path, source }
        };
        let beside = |end: &str| {
            let mut name = to.as_os_str().to_owned();
            name.push(end);
            std::path::PathBuf::from(name)
        };
        // Checked as a copy: opening migrates, and the backup stays what it is.
        let copy = beside(".restoring");
        std::fs::copy(backup, &copy).map_err(failed(backup))?;
        let checked = Library::open(&copy).and_then(|library| library.check());
        let problem = match checked {
            Ok(report) if report.problems.is_empty() => None,
            Ok(report) => Some(LibraryError::Damaged { detail: report.problems.join("; ") }),
            Err(error) => Some(error),
        };
        for end in ["-wal", "-shm"] {
            drop(std::fs::remove_file(beside(&format!(".restoring{end}"))));
        }
        if let Some(problem) = problem {
            drop(std::fs::remove_file(&copy));
            return Err(problem);
        }
        if to.exists() {
            // Opening once more brings what stands in the write-ahead log into the file before it is put aside.
            if let Ok(library) = Library::open(to) {
                drop(library.writer().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"));
            }
            std::fs::rename(to, beside(".before-restore")).map_err(failed(to))?;
        }
        for end in ["-wal", "-shm"] {
            drop(std::fs::remove_file(beside(end)));
        }
        std::fs::rename(&copy, to).map_err(failed(to))
    }

    /// Writes games; returns how many.
    ///
    /// # Errors
    /// [`LibraryError::UnknownGame`], and what writing says.
    pub fn export(&self, ids: &[GameId], format: ExportFormat, out: &mut dyn Write) -> Result<u32, LibraryError> {
        let failed = |source| LibraryError::File { path: "the export".into(), source };
        let mut codec = TextCodec::new()?;
        if format == ExportFormat::Csv {
            const HEADER: &str = "id,title,black,black rank,white,white rank,date,event,place,result,size,rules,komi,handicap,moves,source\r\n";
            out.write_all(HEADER.as_bytes()).map_err(failed)?;
        }
        let mut written = 0;
        for id in ids {
            let row = id.row()?;
            let bytes = self.read(|connection| match format {
                ExportFormat::Sgf => {
                    summary(connection, row)?.ok_or_else(|| id.unknown())?;
                    let text = text_of(connection, row, &mut codec)?;
                    let mut bytes = honinbo_record::read_sgf_text(&text).to_bytes();
                    bytes.push(b'\n');
                    Ok(bytes)
                }
                ExportFormat::Csv => {
                    let game = summary(connection, row)?.ok_or_else(|| id.unknown())?;
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
                    Ok((line.join(",") + "\r\n").into_bytes())
                }
            })?;
            out.write_all(&bytes).map_err(failed)?;
            written += 1;
        }
        out.flush().map_err(failed)?;
        Ok(written)
    }
}

/// As RFC 4180 has it; a field that a spreadsheet would run as a formula gets an apostrophe.
fn csv_field(field: &str) -> String {
    let guarded = if field.starts_with(['=', '+', '-', '@', '\t']) { format!("'{field}") } else { field.to_owned() };
    if guarded.contains([',', '"', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}
