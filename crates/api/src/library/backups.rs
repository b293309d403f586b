//! Backups that are made by themselves, and one that takes the library's place at the next start.

use super::{LibraryRoom, failed, library_file};
use crate::fetches::kib;
use crate::settings::SettingsRoom;
use crate::{ApiError, Event, Host, LibraryBackup, LibraryBackupKind, LibraryBackups, RestoredLibrary};
use honinbo_library::{Backup, BackupKind, Library, LibraryError, Pace};
use parking_lot::{Condvar, Mutex};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// From one look whether a backup is due to the next.
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Rest after each part of a backup: others need the disk more.
const PAUSE: Duration = Duration::from_millis(20);
/// Bytes that the disk must have left beside the backup.
const MIN_FREE: u64 = 1 << 30;

/// The thread that backs up the library by itself.
pub(crate) struct Backups {
    work: Arc<Work>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Work {
    host: Arc<dyn Host>,
    library: Arc<LibraryRoom>,
    settings: Arc<SettingsRoom>,
    ended: Mutex<bool>,
    /// Signalled at the end.
    changed: Condvar,
}

impl Backups {
    /// Begins, where the host wants it.
    pub(crate) fn begin(host: Arc<dyn Host>, library: Arc<LibraryRoom>, settings: Arc<SettingsRoom>) -> Self {
        let first = host.backs_up_after();
        let work = Arc::new(Work { host, library, settings, ended: Mutex::new(false), changed: Condvar::new() });
        let thread = first.and_then(|first| {
            let work = Arc::clone(&work);
            std::thread::Builder::new().name("backups".into()).spawn(move || work.go_on(first)).ok()
        });
        Self { work, thread: Mutex::new(thread) }
    }

    /// Ends a backup that is under way; nothing is left of it.
    pub(crate) fn shut_down(&self) {
        *self.work.ended.lock() = true;
        self.work.changed.notify_all();
        if let Some(thread) = self.thread.lock().take() {
            let _ = thread.join();
        }
    }
}

impl Work {
    /// False at the end.
    fn rests(&self, time: Duration) -> bool {
        let mut ended = self.ended.lock();
        if !*ended {
            self.changed.wait_for(&mut ended, time);
        }
        !*ended
    }

    fn go_on(self: &Arc<Self>, first: Duration) {
        let (mut pause, mut told) = (first, false);
        while self.rests(pause) {
            pause = EVERY;
            match self.back_up() {
                Ok(()) => {}
                Err(_) if *self.ended.lock() => return,
                Err(error) => {
                    tracing::warn!(%error, "the library was not backed up");
                    if !std::mem::replace(&mut told, true) {
                        self.host.emit(Event::LibraryNotBackedUp(error));
                    }
                }
            }
        }
    }

    fn back_up(self: &Arc<Self>) -> Result<(), ApiError> {
        // Of a library that cannot be opened the window speaks at the start.
        let Some(library) = self.library.shared().filter(|_| self.settings.get().back_up_by_itself) else {
            return Ok(());
        };
        let now = self.host.unix_ms();
        if !library.is_backup_due(now).map_err(failed)? {
            return Ok(());
        }
        self.refuse_full_disk(library.path())?;
        let work = Arc::clone(self);
        let pace: Pace =
            Arc::new(move || if work.rests(PAUSE) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) });
        library.back_up_automatically(now, &pace).map(drop).map_err(failed)
    }

    fn refuse_full_disk(&self, library: &Path) -> Result<(), ApiError> {
        let folder = Library::backup_folder(library);
        // It may not be there yet, and may be on another disk.
        let there = if folder.exists() { &folder } else { library.parent().unwrap_or(library) };
        let needed = std::fs::metadata(library).map_or(0, |facts| facts.len()) + MIN_FREE;
        match self.host.free_bytes(there) {
            Some(free) if free < needed => Err(ApiError::Library {
                message: format!(
                    "{} has {} MiB left, a backup wants {} MiB",
                    folder.display(),
                    free >> 20,
                    needed >> 20
                ),
                hint: "free some space there".into(),
            }),
            _ => Ok(()),
        }
    }
}

impl LibraryRoom {
    /// The backups at hand, also where the library cannot be opened.
    pub(crate) fn backups(&self) -> Result<LibraryBackups, ApiError> {
        let games = self.library().ok().and_then(|library| library.stats().ok()).map(|stats| stats.games);
        let backups = Library::backups_of(&library_file(&*self.host)).map_err(failed)?;
        Ok(LibraryBackups { games, backups: backups.into_iter().map(view).collect() })
    }

    /// The file of a backup at hand.
    pub(crate) fn backup_named(&self, name: &str) -> Result<PathBuf, ApiError> {
        if Path::new(name).file_name().is_none_or(|file| file != name) {
            return Err(ApiError::InvalidRequest { message: format!("{name:?} is no name of a backup") });
        }
        Ok(Library::backup_folder(&library_file(&*self.host)).join(name))
    }

    /// Checks a backup, and has it take the library's place at the next start: now that is open.
    pub(crate) fn restore_at_next_start(&self, backup: &Path) -> Result<(), ApiError> {
        Library::prepare_restore(backup, &library_file(&*self.host))
            .map(drop)
            .map_err(|error| of_backup(backup, &error))
    }
}

/// What a backup holds.
pub(super) fn look_at(path: &Path) -> Result<LibraryBackup, ApiError> {
    Library::look_at_backup(path).map(view).map_err(|error| of_backup(path, &error))
}

/// It is not the library that is damaged.
fn of_backup(path: &Path, error: &LibraryError) -> ApiError {
    match error {
        LibraryError::Damaged { .. } => {
            ApiError::Library { message: format!("{}: {error}", path.display()), hint: "choose another backup".into() }
        }
        other => ApiError::from_library(other),
    }
}

fn view(backup: Backup) -> LibraryBackup {
    LibraryBackup {
        name: name_of(&backup.path),
        kind: match backup.kind {
            BackupKind::Automatic => LibraryBackupKind::Automatic,
            BackupKind::SetAside => LibraryBackupKind::SetAside,
            BackupKind::ByHand => LibraryBackupKind::ByHand,
        },
        changed_at: u32::try_from(backup.changed / 1000).unwrap_or_default(),
        games: backup.games,
        size_kib: kib(backup.bytes),
    }
}

/// Gives a backup that is ready the library's place; `None` where none is.
///
/// # Errors
/// A sentence, where the library stays as it was.
pub(super) fn restore_if_ready(host: &dyn Host, path: &Path) -> Result<Option<RestoredLibrary>, String> {
    let restored = Library::finish_restore(path, host.unix_ms());
    // Another program that has the library open will be closed.
    if !matches!(restored, Ok(_) | Err(LibraryError::Locked)) {
        Library::cancel_restore(path);
    }
    let restored = restored.map_err(|error| format!("the library could not be restored: {error}: {}", error.hint()))?;
    Ok(restored.map(|restored| RestoredLibrary {
        games: restored.games,
        kept_as: restored.aside.as_deref().map(name_of).unwrap_or_default(),
    }))
}

pub(super) fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
