//! The files of an import, and how far an earlier one read them.

use std::path::{Path, PathBuf};

use honinbo_record::{has_archive_name, has_record_name};
use rusqlite::{Connection, OptionalExtension, params};

use super::report::{ImportNote, ImportReport, note};
use crate::error::LibraryError;

/// Folders within folders that are followed.
const MAX_DEPTH: usize = 64;

/// A file to read.
pub(super) struct ListedFile {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    /// Milliseconds since 1970 of its last change, 0 unknown.
    modified: i64,
    /// Games at its beginning that were dealt with by an import that was broken off.
    pub(super) skip: u32,
    /// All of it was.
    pub(super) whole: bool,
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
    pub(super) fn look_up(&mut self, connection: &Connection) -> Result<(), LibraryError> {
        let found: Option<(u32, bool)> = connection
            .prepare_cached("SELECT games, whole FROM import_progress WHERE path = ?1 AND size = ?2 AND modified = ?3")?
            .query_row(params![self.key(), self.size(), self.modified], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        (self.skip, self.whole) = found.unwrap_or_default();
        Ok(())
    }

    /// Keeps how far it was read.
    pub(super) fn keep(&self, connection: &Connection, games: u32, whole: bool) -> Result<(), LibraryError> {
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
pub(super) fn list_files(paths: &[PathBuf], report: &mut ImportReport) -> Vec<ListedFile> {
    let mut files = Vec::new();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => records_in(path, &mut |path, metadata| match metadata {
                Ok(metadata) => files.push(ListedFile::new(path, &metadata)),
                Err(error) => refuse(&path, &error, report),
            }),
            Ok(metadata) => files.push(ListedFile::new(path.clone(), &metadata)),
            Err(error) => refuse(path, &error, report),
        }
    }
    files
}

/// Calls `found` for every record and archive of records in a folder and those within it, in order of their names, and
/// with what cannot be read.
pub fn records_in(top: &Path, found: &mut dyn FnMut(PathBuf, std::io::Result<std::fs::Metadata>)) {
    let mut open = vec![(top.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found(folder, Err(error));
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
                    found(path, Ok(metadata));
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
    note(
        report,
        ImportNote { path, line: 0, severity: "error", message: format!("cannot be read: {error}"), problem: None },
    );
}
