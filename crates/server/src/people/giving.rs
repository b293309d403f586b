//! Finished games and lessons that somebody's library is given.

use honinbo_api::{App, Caller, dispatch};
use honinbo_library::StoreError;
use serde_json::json;
use std::fs;
use std::path::Path;

/// Finished games, or lessons, whose numbers are read at a time for a library.
pub(super) const PAGE: u32 = 500;
/// The last finished game that somebody's library has been given.
pub(super) const GIVEN_FILE: &str = "games-given";
/// The last lesson that it has been given.
pub(super) const GIVEN_LESSONS_FILE: &str = "lessons-given";

/// A finished game, or a lesson, in the store. Numbers alone do not name one: they go on from an earlier one where a backup
/// was put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) id: i64,
    pub(super) ended_ms: i64,
}

/// The one that was given last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastGiven {
    id: i64,
    /// `None` in a note of an older version.
    ended_ms: Option<i64>,
}

impl LastGiven {
    fn read(noted: &Path) -> Option<Self> {
        let text = fs::read_to_string(noted).ok()?;
        let mut words = text.split_whitespace();
        let id: i64 = words.next()?.parse().ok()?;
        Some(Self { id, ended_ms: words.next().and_then(|word| word.parse().ok()) })
    }

    fn is(self, other: Ended) -> bool {
        self.id == other.id && self.ended_ms.is_none_or(|ended_ms| ended_ms == other.ended_ms)
    }
}

/// Puts records into a library: those after the last one that is noted in a file, the oldest first. What cannot be read or
/// put there is tried again the next time, and so is everything that is newer.
pub(super) fn give(
    app: &App,
    noted: &Path,
    page_below: impl Fn(Option<i64>) -> Result<Vec<Ended>, StoreError>,
    record: impl Fn(i64) -> Result<Option<String>, StoreError>,
) {
    let new = match new_since(LastGiven::read(noted), page_below) {
        Ok(new) => new,
        Err(error) => return tracing::error!(%error, "what a library is to be given could not be read"),
    };
    for Ended { id, ended_ms } in new.into_iter().rev() {
        let sgf = match record(id) {
            Ok(Some(sgf)) => sgf,
            // It is this person's no more.
            Ok(None) => continue,
            Err(error) => return tracing::error!(%error, "the record of a finished game could not be read"),
        };
        if let Err(error) = dispatch(app, &Caller::new(), "save_goban", json!({ "goban": sgf })) {
            return tracing::error!(%error, "a finished game could not be put into a library");
        }
        if let Err(error) = fs::write(noted, format!("{id} {ended_ms}")) {
            return tracing::error!(%error, "what a library was given could not be noted");
        }
    }
}

/// All that came after the last one, the newest first, of which pages below a number are read; all there are where the store
/// does not have the last one.
fn new_since(
    last: Option<LastGiven>,
    page_below: impl Fn(Option<i64>) -> Result<Vec<Ended>, StoreError>,
) -> Result<Vec<Ended>, StoreError> {
    let mut new: Vec<Ended> = Vec::new();
    loop {
        let page = page_below(new.last().map(|ended| ended.id))?;
        if page.is_empty() {
            return Ok(new);
        }
        for ended in page {
            if last.is_some_and(|last| last.is(ended)) {
                return Ok(new);
            }
            new.push(ended);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend as _;
    use crate::people::MAX_FOLDER_BYTES;
    use crate::people::testing::person;

    #[test]
    fn a_library_is_given_every_game_and_what_cannot_be_read_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let person = person(folder.path(), MAX_FOLDER_BYTES);
        let noted = folder.path().join(GIVEN_FILE);
        // Pages of two.
        let games = |newest: i64, began_ms: i64| {
            move |before: Option<i64>| -> Result<Vec<Ended>, StoreError> {
                let ids = (1..before.unwrap_or(newest + 1)).rev().take(2);
                Ok(ids.map(|id| Ended { id, ended_ms: began_ms + id }).collect())
            }
        };
        let last_given = || LastGiven::read(&noted).map(|last| last.id);
        let sgf = |id: i64| format!("(;GM[1]FF[4]SZ[9]KM[7]PB[Anna]PW[Ben{id}];B[cc];W[gg])");
        let given = || {
            let query = json!({ "text": "", "sort": "date", "descending": false, "offset": 0, "limit": 100 });
            let page = person.call(&Caller::new(), "search_records", query).unwrap();
            page["records"].as_array().unwrap().len()
        };
        give(&person.app, &noted, |_| Err(StoreError::InUse), |id| Ok(Some(sgf(id))));
        assert_eq!((given(), last_given()), (0, None));
        give(&person.app, &noted, games(7, 0), |id| if id == 4 { Err(StoreError::InUse) } else { Ok(Some(sgf(id))) });
        assert_eq!((given(), last_given()), (3, Some(3)), "the oldest come first, up to the one that cannot be read");
        give(&person.app, &noted, games(7, 0), |id| Ok((id != 6).then(|| sgf(id))));
        assert_eq!((given(), last_given()), (6, Some(7)), "one that is nobody's any more is passed over");
        give(&person.app, &noted, games(7, 0), |_| panic!("all of them were given"));
        // A backup is put back: the numbers go on from an earlier one, and are those of other games.
        give(&person.app, &noted, games(5, 0), |id| Ok(Some(sgf(if id < 5 { id } else { 105 }))));
        assert_eq!((given(), last_given()), (7, Some(5)));
        give(&person.app, &noted, games(5, 1_000), |id| Ok(Some(sgf(if id < 5 { id } else { 205 }))));
        assert_eq!((given(), last_given()), (8, Some(5)), "the same number, and another time");
        // A note of an older version has the number alone.
        fs::write(&noted, "5").unwrap();
        give(&person.app, &noted, games(6, 1_000), |id| Ok(Some(sgf(if id == 6 { 206 } else { 305 }))));
        assert_eq!((given(), last_given()), (9, Some(6)));
    }
}
