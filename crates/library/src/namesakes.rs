//! Names that may be one person's, to be proposed and never joined unasked.

use rusqlite::params;

use crate::error::LibraryError;
use crate::names::Shape;
use crate::open::Library;
use crate::person::{names_of, person_of};
use crate::players::{GAMES_OF, PlayerSummary, summary};

/// People that are proposed at most.
const MAX_PROPOSED: usize = 8;
/// People that are looked at more closely at most; a name such as `a b` may be like many others.
const MAX_COMPARED: usize = 64;

impl Library {
    /// Other people whose names may be this person's too, those with most games first, at most eight of the first 64
    /// that are found. People who played each other are two.
    ///
    /// Every name of the library is compared, so the time grows with the names and not with the games.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn namesakes(&self, name: &str) -> Result<Vec<PlayerSummary>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let mut own = Vec::new();
            let mut statement = connection.prepare_cached("SELECT name FROM players WHERE id = ?1")?;
            for id in names_of(connection, person)? {
                own.push(Shape::of(&statement.query_row([id], |row| row.get::<_, String>(0))?));
            }
            let mut found: Vec<i64> = Vec::new();
            let mut statement =
                connection.prepare_cached("SELECT name, person FROM players WHERE name <> '' AND person <> ?1")?;
            let mut rows = statement.query([person])?;
            while let Some(row) = rows.next()? {
                let (other, other_person): (String, i64) = (row.get(0)?, row.get(1)?);
                let shape = Shape::of(&other);
                if !found.contains(&other_person) && own.iter().any(|name| name.is_like(&shape)) {
                    found.push(other_person);
                    if found.len() == MAX_COMPARED {
                        break;
                    }
                }
            }
            let mut met =
                connection.prepare_cached(&format!("SELECT EXISTS(SELECT 1 FROM ({GAMES_OF}) WHERE other = ?2)"))?;
            let mut people = Vec::new();
            for other in found {
                if !met.query_row(params![person, other], |row| row.get::<_, bool>(0))? {
                    people.push(summary(connection, other)?);
                }
            }
            people.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
            people.truncate(MAX_PROPOSED);
            Ok(people)
        })
    }
}
