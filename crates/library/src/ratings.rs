//! Ratings of the players of a library, from its dated games alone.
//!
//! Elo: the expected score of a player is `1 / (1 + 10^((other - own) / 400))`; after each game a rating moves by `K`
//! times the difference between the score and what was expected, `K` 40 in the first 30 games and 20 later. Everybody
//! begins at 1500. Source of the formula: A. Elo, The Rating of Chessplayers, 1978.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::error::LibraryError;

const FIRST_RATING: f64 = 1500.0;
/// Games in which a rating moves faster.
const NEW_GAMES: u32 = 30;

/// A player's rating at the end of a month with games.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RatingAt {
    /// `yyyy-mm`; `yyyy` when no month is known.
    pub month: String,
    /// Elo.
    pub rating: i32,
    /// Rated games until then.
    pub games: u32,
}

/// A player while ratings are made.
#[derive(Default)]
struct Rated {
    rating: f64,
    games: u32,
    /// Month as `yyyymm`, rating and games at its end.
    months: Vec<(u32, i32, u32)>,
}

/// All players' ratings, and what state of the library they are of: the last game, and the last change of one.
pub(crate) struct Ratings {
    state: [i64; 2],
    by_person: HashMap<i64, Rated>,
}

impl Ratings {
    /// Makes the kept ratings those of the file as it stands.
    pub(crate) fn keep_current<'k>(
        kept: &'k mut Option<Self>,
        connection: &Connection,
    ) -> Result<&'k Self, LibraryError> {
        // Every change of what ratings depend on is noted there: names, persons, results, dates, handicaps and the bin.
        let state = connection.query_row(
            "SELECT (SELECT coalesce(max(id), 0) FROM games), (SELECT coalesce(max(id), 0) FROM relisted)",
            [],
            |row| Ok([row.get(0)?, row.get(1)?]),
        )?;
        let current = match kept.take().filter(|ratings| ratings.state == state) {
            Some(ratings) => ratings,
            None => Self { state, by_person: rate_all(connection)? },
        };
        Ok(kept.insert(current))
    }

    /// A player's rating over time: one entry for each month with games.
    pub(crate) fn of(&self, person: i64) -> Vec<RatingAt> {
        let months = self.by_person.get(&person).map(|rated| rated.months.as_slice()).unwrap_or_default();
        let entry = |&(month, rating, games): &(u32, i32, u32)| RatingAt {
            month: match month % 100 {
                0 => format!("{:04}", month / 100),
                number => format!("{:04}-{number:02}", month / 100),
            },
            rating,
            games,
        };
        months.iter().map(entry).collect()
    }
}

fn rate_all(connection: &Connection) -> Result<HashMap<i64, Rated>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT b.person, w.person, g.winner, g.date FROM games g
         JOIN players b ON b.id = g.black JOIN players w ON w.id = g.white
         WHERE g.date > 0 AND g.deleted IS NULL AND (g.winner > 0 OR g.result = 6) AND b.name <> '' AND w.name <> ''
             AND g.handicap < 2 AND b.person <> w.person
         ORDER BY g.date, g.id",
    )?;
    let mut players: HashMap<i64, Rated> = HashMap::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (black, white, winner, date): (i64, i64, i64, u32) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let of = |players: &HashMap<i64, Rated>, id: i64| {
            players.get(&id).map_or((FIRST_RATING, 0), |rated| (rated.rating, rated.games))
        };
        let ((black_rating, black_games), (white_rating, white_games)) = (of(&players, black), of(&players, white));
        let expected = 1.0 / (1.0 + 10f64.powf((white_rating - black_rating) / 400.0));
        let score = match winner {
            1 => 1.0,
            2 => 0.0,
            _ => 0.5,
        };
        let step = |games: u32| if games < NEW_GAMES { 40.0 } else { 20.0 };
        for (id, rating, games) in [
            (black, black_rating + step(black_games) * (score - expected), black_games + 1),
            (white, white_rating - step(white_games) * (score - expected), white_games + 1),
        ] {
            let rated = players.entry(id).or_default();
            (rated.rating, rated.games) = (rating, games);
            let now = (date / 100, rating.round() as i32, games);
            match rated.months.last_mut().filter(|last| last.0 == now.0) {
                Some(last) => *last = now,
                None => rated.months.push(now),
            }
        }
    }
    Ok(players)
}
