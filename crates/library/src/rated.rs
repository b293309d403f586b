//! Rated games of the person whose library it is, board by board.

use rusqlite::params;

use crate::error::LibraryError;
use crate::open::Library;
use crate::time::Timestamp;

/// A rated game and the rating after it.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedGame {
    /// Side of the board.
    pub board: u32,
    /// When it ended.
    pub played: Timestamp,
    /// The opponent's name.
    pub opponent: String,
    /// The opponent's rating.
    pub opponent_rating: f64,
    /// Its standard deviation.
    pub opponent_deviation: f64,
    /// 1 for a win, 0 for a loss, 0.5 for a draw.
    pub score: f64,
    /// The person's rating after the game.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Its volatility, which the next rating needs.
    pub volatility: f64,
    /// The game's id, where it was kept.
    pub record: Option<String>,
}

impl Library {
    /// Keeps a rated game. `rate` is given the last one on that board and makes the new one of it: nobody else can
    /// rate a game in between.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add_rated_game(
        &self,
        board: u32,
        rate: impl FnOnce(Option<&RatedGame>) -> RatedGame,
    ) -> Result<RatedGame, LibraryError> {
        let mut writer = self.writer()?;
        let transaction = writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let last = games_of(&transaction, board, 1)?;
        let game = RatedGame { board, ..rate(last.first()) };
        transaction.execute(
            "INSERT INTO rated_games (board, played, opponent, opponent_rating, opponent_deviation, score, rating,
                 deviation, volatility, record) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                game.board,
                game.played,
                game.opponent,
                game.opponent_rating,
                game.opponent_deviation,
                game.score,
                game.rating,
                game.deviation,
                game.volatility,
                game.record,
            ],
        )?;
        transaction.commit()?;
        Ok(game)
    }

    /// The last `most` rated games on a board, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn rated_games(&self, board: u32, most: u32) -> Result<Vec<RatedGame>, LibraryError> {
        self.read(|connection| {
            let mut games = games_of(connection, board, most)?;
            games.reverse();
            Ok(games)
        })
    }
}

/// Newest first.
fn games_of(connection: &rusqlite::Connection, board: u32, most: u32) -> Result<Vec<RatedGame>, LibraryError> {
    let mut statement = connection.prepare_cached(
        "SELECT board, played, opponent, opponent_rating, opponent_deviation, score, rating, deviation, volatility, record
         FROM rated_games WHERE board = ?1 ORDER BY id DESC LIMIT ?2",
    )?;
    let rows = statement.query_map(params![board, most], |row| {
        Ok(RatedGame {
            board: row.get(0)?,
            played: row.get(1)?,
            opponent: row.get(2)?,
            opponent_rating: row.get(3)?,
            opponent_deviation: row.get(4)?,
            score: row.get(5)?,
            rating: row.get(6)?,
            deviation: row.get(7)?,
            volatility: row.get(8)?,
            record: row.get(9)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_board_has_its_own_rating_and_the_last_game_decides_it() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path().join("library.sqlite")).unwrap();
        let game = |last: Option<&RatedGame>, played| RatedGame {
            board: 0,
            played,
            opponent: "rank_5k".into(),
            opponent_rating: 1500.0,
            opponent_deviation: 80.0,
            score: 1.0,
            rating: last.map_or(1500.0, |last| last.rating) + 100.0,
            deviation: 200.0,
            volatility: 0.06,
            record: None,
        };
        for played in 1..=3 {
            library.add_rated_game(9, |last| game(last, played)).unwrap();
        }
        library.add_rated_game(19, |last| game(last, 4)).unwrap();
        let ratings = |board, most| -> Vec<f64> {
            library.rated_games(board, most).unwrap().iter().map(|game| game.rating).collect()
        };
        assert_eq!(ratings(9, 10), [1600.0, 1700.0, 1800.0]);
        assert_eq!(ratings(9, 2), [1700.0, 1800.0]);
        assert_eq!((ratings(19, 10), ratings(13, 10)), (vec![1600.0], vec![]));
    }
}
