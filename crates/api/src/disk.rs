//! Files that commands name, and contents that they carry.

use crate::path_text::path_from_text;
use crate::quick::waits_for_disk;
use crate::{ApiError, App};
use base64::Engine as _;
use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How long another program may hold a lock that is waited for, and how often it is tried.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Writes a file so that at every moment, that of a power cut included, either the old or the new content is there. Where the
/// name is a link, the file that it leads to is written and the link stays. Of several that write one file at once, windows or
/// programs, the last one's content is there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    waits_for_disk();
    let target = if path.is_symlink() { led_to(path)? } else { path.to_owned() };
    let (fresh, mut file) = unfinished(&target)?;
    // The new name may reach the disk before what was written, which leaves an empty file under it.
    let written = file.write_all(bytes).and_then(|()| flush(&file));
    drop(file);
    written.and_then(|()| std::fs::rename(&fresh, &target)).inspect_err(|_| {
        let _ = std::fs::remove_file(&fresh);
    })?;
    // The name itself. Whoever cannot say that has done all that can be done.
    #[cfg(unix)]
    if let Some(folder) = target.parent() {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Where a link leads, whether a file is there yet or not.
fn led_to(link: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(link).or_else(|_| Ok(link.with_file_name("").join(std::fs::read_link(link)?)))
}

/// A new file beside another one, of a name that nobody else writes to.
fn unfinished(target: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let fresh = target.with_file_name(format!(".unfinished-{}-{number}", std::process::id()));
        match File::create_new(&fresh) {
            // Of a program that ended meanwhile, or of another machine.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (fresh, file)),
        }
    }
}

/// Waits until a file is on the disk, where its file system knows such a thing: some network shares do not.
fn flush(file: &File) -> io::Result<()> {
    let Err(error) = file.sync_all() else { return Ok(()) };
    let is_unknown = matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
        // ENOTTY, ENOTSUP and EOPNOTSUPP of macOS, of which the kind says nothing.
        || (cfg!(target_os = "macos") && matches!(error.raw_os_error(), Some(25 | 45 | 102)));
    if is_unknown { Ok(()) } else { Err(error) }
}

/// Takes a lock file that one program at a time has, until the answer is dropped or the program ends. Waits a while for
/// another one, which may be just ending.
///
/// # Errors
/// `WouldBlock` while another program keeps it; `Unsupported` on a file system without locks.
pub(crate) fn lock(path: &Path) -> io::Result<File> {
    waits_for_disk();
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    let mut pauses = LOCK_PATIENCE.as_millis() / LOCK_PAUSE.as_millis();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if pauses > 0 => {
                pauses -= 1;
                std::thread::sleep(LOCK_PAUSE);
            }
            Err(refused) => return Err(refused.into()),
        }
    }
}

/// Gives a file that cannot be understood the name `aside`, with a number where that is taken by an earlier one. Gives
/// the path that it has then.
pub(crate) fn set_aside(path: &Path, aside: &Path) -> PathBuf {
    let numbered = |number: u32| {
        let mut name = aside.as_os_str().to_owned();
        name.push(format!("-{number}"));
        PathBuf::from(name)
    };
    let mut free = aside.to_owned();
    for number in 2.. {
        if !free.exists() {
            break;
        }
        free = numbered(number);
    }
    if std::fs::rename(path, &free).is_ok() { free } else { path.to_owned() }
}

/// Bytes that a folder's disk has left for this person.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Bytes that a folder's disk has left for this person.
#[cfg(windows)]
#[allow(unsafe_code, reason = "the standard library does not know of disks")]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    use std::os::windows::ffi::OsStrExt as _;
    #[link(name = "kernel32")]
    unsafe extern "system" {
        #[link_name = "GetDiskFreeSpaceExW"]
        fn get_disk_free_space(folder: *const u16, free: *mut u64, size: *mut u64, free_of_all: *mut u64) -> i32;
    }
    let folder: Vec<u16> = folder.as_os_str().encode_wide().chain([0]).collect();
    let mut free = 0;
    let nowhere = std::ptr::null_mut();
    // SAFETY: the path ends with 0, and what is not asked for may be null; all of it lives beyond the call.
    let is_known = unsafe { get_disk_free_space(folder.as_ptr(), &raw mut free, nowhere, nowhere) } != 0;
    is_known.then_some(free)
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// A path that this host may touch.
pub(crate) fn path_of(app: &App, path: &str) -> Result<PathBuf, ApiError> {
    if app.host().capabilities().paths {
        Ok(path_from_text(path))
    } else {
        Err(ApiError::NotPossibleHere { message: "files are chosen in the browser here, not by their path".into() })
    }
}

/// The bytes of a content given as text.
pub(crate) fn decoded(base64: &str) -> Result<Vec<u8>, ApiError> {
    base64::engine::general_purpose::STANDARD
        .decode(base64)
        .map_err(|error| ApiError::InvalidRequest { message: format!("the content is not base64: {error}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_lies_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        for content in [&b"(;SZ[9])"[..], b""] {
            replace(&path, content).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), content);
        }
        let taken = folder.path().join("folder.sgf");
        std::fs::create_dir_all(taken.join("in the way")).unwrap();
        assert!(replace(&taken, b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// Windows lets nobody replace a file in the moment in which another one does.
    #[cfg(unix)]
    #[test]
    fn of_several_that_write_one_file_at_once_each_writes_all_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        let contents = [b"a", b"b", b"c"].map(|letter| letter.repeat(200_000));
        std::thread::scope(|scope| {
            for content in &contents {
                let path = &path;
                scope.spawn(move || (0..20).for_each(|_| replace(path, content).unwrap()));
            }
        });
        assert!(contents.contains(&std::fs::read(&path).unwrap()));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written_and_the_link_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("kept/game.sgf"), folder.path().join("link.sgf"));
        std::fs::create_dir(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("kept/game.sgf", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        assert!(link.is_symlink());
        std::fs::remove_file(&file).unwrap();
        replace(&link, b"newer").unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"newer");
        assert!(link.is_symlink());
    }

    #[test]
    fn what_is_set_aside_takes_no_name_from_an_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("g1.json"), folder.path().join("g1.unreadable"));
        let mut names = Vec::new();
        for content in ["first", "second"] {
            std::fs::write(&path, content).unwrap();
            let name = set_aside(&path, &aside);
            assert_eq!(std::fs::read_to_string(&name).unwrap(), content);
            names.push(name);
        }
        assert_eq!(names, [aside.clone(), folder.path().join("g1.unreadable-2")]);
        assert_eq!(std::fs::read_to_string(aside).unwrap(), "first");
        assert_eq!(set_aside(&path, &folder.path().join("gone")), path, "it could not be moved");
    }

    /// Whether a power cut leaves the old or the new content shows in no test: all that keeps files goes through here.
    #[test]
    fn nothing_else_here_writes_a_file_and_gives_it_the_name_of_another() {
        let text = include_str!("disk.rs");
        let (sync, rename) = (text.find("flush(&file)").unwrap(), text.find("std::fs::rename(").unwrap());
        assert!(sync < rename);
        assert!(!include_str!("analysis/engine/measured.rs").contains("std::fs::rename("));
    }
}
