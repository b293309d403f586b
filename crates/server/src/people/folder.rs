//! The folder of an account: whose it is, and what becomes of it when the account is deleted.

use honinbo_api::IMPORT_PREFIX;
use honinbo_library::{AccountId, StoreError};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

/// Whose a folder is, in that folder.
const OWNER_FILE: &str = "owner";
/// Says in a folder that its account is being deleted: what is left of it when the server ends before it is removed goes
/// when it is started next. Folders of accounts that the store does not know stay without it: the store may be another one.
const LEAVING_FILE: &str = "leaving";
/// What follows the name of a folder that is being removed. The files that say whose it was may be gone before the others,
/// so the name alone says that it is nobody's.
const REMOVED_SUFFIX: &str = ".removed";
/// Folders of others that are put aside for each number.
const MAX_ASIDE: u32 = 99;
/// By how much a folder without such a file has to be older than an account to be none of its.
const OLDER_MS: i64 = 3600 * 1000;

/// Who a folder belongs to. Numbers alone do not say it: they begin again in another store, and go on from an earlier one
/// where a copy of the store was put back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    pub(crate) account: AccountId,
    /// When the account was made.
    pub(crate) created_ms: i64,
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.account, self.created_ms)
    }
}

impl Owner {
    /// Makes the folder this account's: what is another's there is put aside, and what is its own and was put aside comes
    /// back. Nothing is lost.
    pub(super) fn claim(self, folder: &Path) -> io::Result<()> {
        if folder.exists() && !self.owns(folder)? {
            let aside = aside_of(folder).find(|aside| !aside.exists());
            let aside = aside.ok_or_else(|| io::Error::other("too many folders of others are put aside"))?;
            fs::rename(folder, &aside)?;
            tracing::warn!(
                account = self.account.0,
                aside = %aside.display(),
                "the folder of this account's number is another account's, of another store or of before a copy was put \
                 back; it is put aside"
            );
        }
        if !folder.exists() {
            for aside in aside_of(folder).filter(|aside| aside.exists()) {
                if self.owns(&aside)? {
                    fs::rename(aside, folder)?;
                    break;
                }
            }
        }
        private_folder(folder)?;
        let noted = folder.join(OWNER_FILE);
        if noted_owner(&noted)?.is_some() { Ok(()) } else { fs::write(noted, self.to_string()) }
    }

    /// What [`Owner`]'s `Display` has written.
    fn parse(text: &[u8]) -> Option<Self> {
        let (account, created_ms) = std::str::from_utf8(text).ok()?.split_once(' ')?;
        Some(Self { account: AccountId(account.parse().ok()?), created_ms: created_ms.parse().ok()? })
    }

    pub(super) fn mark_leaving(self, folder: &Path) -> io::Result<()> {
        let is_own = noted_owner(&folder.join(OWNER_FILE))?.is_some_and(|noted| noted == self.to_string().as_bytes());
        if is_own { fs::write(folder.join(LEAVING_FILE), "") } else { Ok(()) }
    }

    /// Removes what is this account's, also where it was put aside, and nothing of another's.
    pub(super) fn remove_own(self, folder: &Path) -> io::Result<()> {
        let mut removed = Ok(());
        for place in std::iter::once(folder.to_owned()).chain(aside_of(folder)).filter(|place| place.exists()) {
            let gone = self.owns(&place).and_then(|own| if own { remove_folder(&place) } else { Ok(()) });
            // One that stays keeps none of the others.
            removed = removed.and(gone);
        }
        removed
    }

    /// Whether a folder is this account's. One that does not say is of an older version: it is, unless it was there long
    /// before the account.
    fn owns(self, folder: &Path) -> io::Result<bool> {
        if let Some(noted) = noted_owner(&folder.join(OWNER_FILE))? {
            return Ok(noted == self.to_string().as_bytes());
        }
        // Not every file system knows when a folder was made.
        let made = fs::metadata(folder)?.created().ok().and_then(|made| made.duration_since(UNIX_EPOCH).ok());
        let made_ms = made.and_then(|made| i64::try_from(made.as_millis()).ok());
        Ok(made_ms.is_none_or(|made_ms| made_ms.saturating_add(OLDER_MS) >= self.created_ms))
    }
}

/// When an account was made, as the store has it.
pub(super) type Created = dyn Fn(AccountId) -> Result<Option<i64>, StoreError>;

pub(super) fn settle_all_leaving(people: &Path, created: &Created) -> io::Result<()> {
    let entries = match fs::read_dir(people) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let mut settled = Ok(());
    for entry in entries {
        let folder = entry?.path();
        // One that stays as it is keeps none of the others.
        settled = settled.and(if was_removed(&folder) {
            fs::remove_dir_all(&folder)
        } else {
            settle_leaving(&folder, created)
        });
    }
    settled
}

/// Removes a folder under another name, by which [`settle_all_leaving`] knows what is left of it when the server ends
/// meanwhile.
fn remove_folder(folder: &Path) -> io::Result<()> {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(REMOVED_SUFFIX);
    let removed = folder.with_file_name(name);
    if removed.exists() {
        fs::remove_dir_all(&removed)?;
    }
    fs::rename(folder, &removed)?;
    fs::remove_dir_all(&removed)
}

/// Whether a folder was an account's and [`remove_folder`] has not come to its end.
fn was_removed(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let number = name.strip_suffix(REMOVED_SUFFIX).and_then(|of| of.split('.').next());
    number.is_some_and(|number| number.parse::<i64>().is_ok())
}

/// Removes a folder whose account is being deleted, where it is gone, and takes the mark away where it is still there. Without
/// an answer of the store everything stays as it is.
pub(super) fn settle_leaving(folder: &Path, created: &Created) -> io::Result<()> {
    let mark = folder.join(LEAVING_FILE);
    if !mark.exists() {
        return Ok(());
    }
    let noted = noted_owner(&folder.join(OWNER_FILE))?;
    let Some(owner) = noted.and_then(|noted| Owner::parse(&noted)) else { return Ok(()) };
    match created(owner.account).map_err(|error| io::Error::other(error.to_string()))? {
        Some(created_ms) if created_ms == owner.created_ms => fs::remove_file(mark),
        _ => owner.remove_own(folder),
    }
}

/// Whom a folder's file names; `None` where it is missing, or empty as after a loss of power.
fn noted_owner(noted: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(noted) {
        Ok(text) => Ok(Some(text.trim_ascii().to_vec()).filter(|text| !text.is_empty())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Where what is another account's is put aside.
fn aside_of(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let number = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = folder.to_owned();
    (1..=MAX_ASIDE).map(move |nth| folder.with_file_name(format!("{number}.of-another-{nth}")))
}

/// A folder that its owner alone may read, as what is in it is somebody's own.
fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Removes files that were put aside for an import when the server ended: nobody would, and they count.
pub(super) fn remove_put_aside(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder.join("cache")) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(IMPORT_PREFIX)) {
        if let Err(error) = fs::remove_dir_all(entry.path()) {
            tracing::warn!(%error, "files of an import that was broken off are not removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_folder_of_an_account_is_given_to_no_other_of_the_same_number() {
        let people = tempfile::tempdir().unwrap();
        let folder = people.path().join("5");
        let first = Owner { account: AccountId(5), created_ms: 1_000 };
        let second = Owner { created_ms: 2_000, ..first };
        first.claim(&folder).unwrap();
        fs::write(folder.join("library"), "the first one's").unwrap();
        second.claim(&folder).unwrap();
        assert!(!folder.join("library").exists());
        // It comes back with its account, and goes with no other.
        first.claim(&folder).unwrap();
        assert_eq!(fs::read_to_string(folder.join("library")).unwrap(), "the first one's");
        second.remove_own(&folder).unwrap();
        assert!(folder.join("library").exists());
        first.remove_own(&folder).unwrap();
        assert_eq!(fs::read_dir(people.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_deletion_that_was_broken_off_is_ended_when_the_server_is_started_next() {
        let people = tempfile::tempdir().unwrap();
        let owner = |account: i64| Owner { account: AccountId(account), created_ms: 1_000 };
        let folder = |account: i64| people.path().join(account.to_string());
        // Of these 7 has asked for nothing.
        for account in [5, 6, 7] {
            owner(account).claim(&folder(account)).unwrap();
        }
        for account in [5, 6, 8] {
            owner(account).mark_leaving(&folder(account)).unwrap();
        }
        settle_all_leaving(people.path(), &|_| Err(StoreError::InUse)).unwrap_err();
        assert!([5, 6, 7].into_iter().all(|account| folder(account).exists()), "the store did not answer");
        // 6 was refused in the end; the number 5 has been given to another account, as in another store.
        let created = |account: AccountId| Ok(if account.0 == 6 { Some(1_000) } else { Some(9_000) });
        settle_all_leaving(people.path(), &created).unwrap();
        let left = [5, 6, 7, 8].map(|account| folder(account).exists());
        assert_eq!((left, folder(6).join(LEAVING_FILE).exists()), ([false, true, true, false], false));
        settle_all_leaving(&people.path().join("none"), &created).unwrap();
    }

    #[test]
    fn what_is_left_of_a_folder_that_was_being_removed_goes_whatever_else_cannot_be_looked_at() {
        let people = tempfile::tempdir().unwrap();
        let put = |folder: &str| {
            fs::create_dir(people.path().join(folder)).unwrap();
            fs::write(people.path().join(folder).join("library"), "").unwrap();
        };
        for folder in ["5", "6", "7.removed", "8.of-another-1.removed", "copies.removed"] {
            put(folder);
        }
        // Nobody can read whose the first one is.
        fs::create_dir(people.path().join("5").join(OWNER_FILE)).unwrap();
        fs::write(people.path().join("5").join(LEAVING_FILE), "").unwrap();
        settle_all_leaving(people.path(), &|_| Ok(None)).unwrap_err();
        let mut left: Vec<_> = fs::read_dir(people.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["5", "6", "copies.removed"]);
        // Nor does what was left keep the next one of that number.
        put("6.removed");
        let owner = Owner { account: AccountId(6), created_ms: 1_000 };
        owner.claim(&people.path().join("6")).unwrap();
        owner.remove_own(&people.path().join("6")).unwrap();
        assert_eq!(fs::read_dir(people.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_that_cannot_be_removed_keeps_no_other_of_the_account() {
        let people = tempfile::tempdir().unwrap();
        let folder = people.path().join("5");
        let owner = Owner { account: AccountId(5), created_ms: 1_000 };
        // Nobody can read whose the first one is.
        fs::create_dir_all(folder.join(OWNER_FILE)).unwrap();
        let aside = aside_of(&folder).nth(1).unwrap();
        fs::create_dir(&aside).unwrap();
        fs::write(aside.join(OWNER_FILE), owner.to_string()).unwrap();
        owner.remove_own(&folder).unwrap_err();
        assert_eq!((folder.exists(), aside.exists()), (true, false));
    }

    #[test]
    fn a_folder_of_an_older_version_is_the_accounts_unless_it_was_there_long_before() {
        let people = tempfile::tempdir().unwrap();
        let folder = people.path().join("5");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("library"), "").unwrap();
        if fs::metadata(&folder).unwrap().created().is_ok() {
            let later = Owner { account: AccountId(5), created_ms: i64::MAX };
            later.claim(&folder).unwrap();
            assert!(!folder.join("library").exists());
        }
        let owner = Owner { account: AccountId(5), created_ms: 1_000 };
        owner.claim(&folder).unwrap();
        assert!(folder.join("library").exists());
        assert_eq!(fs::read_to_string(folder.join(OWNER_FILE)).unwrap(), "5 1000");
    }

    #[test]
    fn files_that_were_put_aside_for_an_import_go_when_the_folder_is_opened_next() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        fs::create_dir_all(cache.join(format!("{IMPORT_PREFIX}1")).join("0")).unwrap();
        fs::write(cache.join("speeds.json"), "{}").unwrap();
        remove_put_aside(folder.path());
        let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["speeds.json"]);
    }
}
