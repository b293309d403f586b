//! Ratings of people, by the size of the board: Glicko-2, a rating period for each game.
//!
//! They follow from the finished games alone, in their order: nothing of them is kept, and a server that starts again
//! comes to the same figures. Games against people who are gone count as they did.

use honinbo_library::{AccountId, CountedGame, ServerStore, StoreError};
use honinbo_players::{Glicko2, RatedResult};
use parking_lot::Mutex;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Uncertainty from which on a rating says little: half of it is reached after about ten games.
const PROVISIONAL: f64 = 110.0;
/// Games that are read at a time.
const PAGE: u32 = 10_000;
/// Numbers below the last one that are read again: in a database of several servers a game is committed now and then after
/// one with a larger number. That takes seconds at most.
const OVERLAP: i64 = 256;

/// Somebody's rating on boards of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rating {
    /// Columns and rows.
    pub(crate) size: (u32, u32),
    pub(crate) rating: f64,
    /// The strength is within twice this much, with 95 %.
    pub(crate) deviation: f64,
    pub(crate) games: u32,
    /// It says little yet.
    pub(crate) provisional: bool,
}

#[derive(Debug, Default, Clone, Copy)]
struct Known {
    glicko: Glicko2,
    games: u32,
}

#[derive(Debug, Default, Clone)]
struct Book {
    /// By person and size.
    known: HashMap<AccountId, HashMap<(u32, u32), Known>>,
    last: i64,
    /// The numbers of the last [`OVERLAP`] that are counted, whether or not their results count.
    recent: BTreeSet<i64>,
}

/// Everybody's ratings.
#[derive(Debug, Default)]
pub(super) struct Ratings {
    /// Held while games are read and counted, before `book`.
    counting: Mutex<()>,
    /// Never held over the store: async code reads it.
    book: Mutex<Arc<Book>>,
}

impl Ratings {
    /// Counts games that have ended since it was asked last. Blocks.
    pub(super) fn refresh(&self, store: &ServerStore) -> Result<(), StoreError> {
        self.count_new(|after, limit| store.rated_games(after, limit))
    }

    /// As [`Ratings::refresh`], of pages of games with numbers above one. Begins anew where one came late, as its turn is
    /// before those that are counted already.
    fn count_new(
        &self,
        games_above: impl Fn(i64, u32) -> Result<Vec<CountedGame>, StoreError>,
    ) -> Result<(), StoreError> {
        let _counting = self.counting.lock();
        let mut book = self.book();
        let mut after = (book.last - OVERLAP).max(0);
        loop {
            let games = games_above(after, PAGE)?;
            if games.iter().any(|game| book.has_missed(game.id)) {
                book = Arc::default();
                after = 0;
                continue;
            }
            if games.last().is_some_and(|last| last.id > book.last) {
                // Copied once: the one that is read stays as it is until the end.
                let book = Arc::make_mut(&mut book);
                for game in &games {
                    if game.id > book.last {
                        book.count(game);
                    }
                }
                book.forget_old_numbers();
            }
            match games.last() {
                Some(last) if games.len() >= PAGE as usize => after = last.id,
                _ => break,
            }
        }
        *self.book.lock() = book;
        Ok(())
    }

    fn book(&self) -> Arc<Book> {
        Arc::clone(&self.book.lock())
    }

    /// Somebody's ratings; those with most games first.
    pub(super) fn of(&self, account: AccountId) -> Vec<Rating> {
        let book = self.book();
        let known = book.known.get(&account).into_iter().flatten();
        let mut ratings: Vec<Rating> = known
            .map(|(size, known)| Rating {
                size: *size,
                rating: known.glicko.rating(),
                deviation: known.glicko.deviation(),
                games: known.games,
                provisional: known.glicko.deviation() > PROVISIONAL,
            })
            .collect();
        ratings.sort_by_key(|rating| (std::cmp::Reverse(rating.games), std::cmp::Reverse(rating.size)));
        ratings
    }
}

impl Book {
    /// Whether a game was not there yet when those with larger numbers were counted.
    fn has_missed(&self, id: i64) -> bool {
        id <= self.last && !self.recent.contains(&id)
    }

    fn forget_old_numbers(&mut self) {
        self.recent = self.recent.split_off(&(self.last - OVERLAP));
    }

    fn count(&mut self, game: &CountedGame) {
        self.last = game.id;
        self.recent.insert(game.id);
        let score = match game.result.split('+').next() {
            Some("B") => 1.0,
            Some("W") => 0.0,
            Some("0" | "Draw") => 0.5,
            // Broken off, or nobody says.
            _ => return,
        };
        let [black, white] = game
            .players
            .map(|player| self.known.get(&player).and_then(|sizes| sizes.get(&game.size)).copied().unwrap_or_default());
        let sides = [(0, black, white, score), (1, white, black, 1.0 - score)];
        for (nth, own, other, score) in sides {
            let glicko = own.glicko.after(&[RatedResult { opponent: other.glicko, score }]);
            let known = Known { glicko, games: own.games + 1 };
            self.known.entry(game.players[nth]).or_default().insert(game.size, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(id: i64, players: [i64; 2], size: u32, result: &str) -> CountedGame {
        CountedGame { id, players: players.map(AccountId), size: (size, size), result: result.into() }
    }

    fn count(ratings: &Ratings, game: &CountedGame) {
        Arc::make_mut(&mut ratings.book.lock()).count(game);
    }

    #[test]
    fn a_win_moves_both_as_much_and_each_board_by_itself() {
        let ratings = Ratings::default();
        count(&ratings, &game(1, [1, 2], 19, "W+R"));
        let (black, white) = (ratings.of(AccountId(1))[0], ratings.of(AccountId(2))[0]);
        // The first game of two people whom nobody knows: Glicko-2 with 1500 ± 350 and τ = 0.5.
        assert_eq!((white.rating.round(), black.rating.round(), white.deviation.round()), (1662.0, 1338.0, 290.0));
        assert!(white.provisional && white.games == 1);
        count(&ratings, &game(2, [1, 2], 9, "0"));
        let nine = ratings.of(AccountId(1)).into_iter().find(|rating| rating.size == (9, 9)).unwrap();
        assert_eq!((nine.rating.round(), ratings.of(AccountId(1)).len()), (1500.0, 2));
        count(&ratings, &game(3, [1, 2], 9, "Void"));
        assert_eq!(ratings.of(AccountId(1)).into_iter().map(|rating| rating.games).sum::<u32>(), 2);
        assert_eq!(ratings.of(AccountId(3)), []);
    }

    #[test]
    fn whoever_wins_most_stands_higher_and_is_known_better() {
        let ratings = Ratings::default();
        for id in 0..30 {
            let result = if id % 10 == 9 { "W+T" } else { "B+3.5" };
            count(&ratings, &game(id, [1, 2], 13, result));
        }
        let (strong, weak) = (ratings.of(AccountId(1))[0], ratings.of(AccountId(2))[0]);
        assert!(strong.rating - weak.rating > 150.0, "{strong:?} {weak:?}");
        assert!(strong.deviation < 150.0 && strong.games == 30, "{strong:?}");
    }

    #[test]
    fn a_game_that_is_committed_late_is_counted_in_its_turn() {
        let games = |ids: &[i64]| {
            let games: Vec<CountedGame> =
                ids.iter().map(|&id| game(id, [1, 2], 19, if id % 2 == 0 { "B+R" } else { "W+R" })).collect();
            move |after: i64, limit: u32| -> Result<Vec<CountedGame>, StoreError> {
                Ok(games.iter().filter(|game| game.id > after).take(limit as usize).cloned().collect())
            }
        };
        let ratings = Ratings::default();
        ratings.count_new(games(&[1, 2, 5])).unwrap();
        ratings.count_new(games(&[1, 2, 3, 5, 6])).unwrap();
        ratings.count_new(games(&[1, 2, 3, 5, 6])).unwrap();
        let begun_anew = Ratings::default();
        begun_anew.count_new(games(&[1, 2, 3, 5, 6])).unwrap();
        assert_eq!(ratings.of(AccountId(1))[0].games, 5);
        assert_eq!(ratings.of(AccountId(1)), begun_anew.of(AccountId(1)));
        // Long ago nothing comes late: those numbers are not remembered.
        ratings.count_new(games(&[1, 2, 3, 5, 6, 1000])).unwrap();
        assert_eq!(ratings.book().recent, BTreeSet::from([1000]));
    }

    #[test]
    fn ratings_are_those_of_before_while_games_are_read() {
        let ratings = Ratings::default();
        let games_of = || ratings.of(AccountId(1)).first().map_or(0, |rating| rating.games);
        let seen = std::cell::RefCell::new(Vec::new());
        let count_new = |ids: &[i64]| {
            ratings.count_new(|after, _| {
                seen.borrow_mut().push(games_of());
                let new = ids.iter().filter(|&&id| id > after);
                Ok(new.map(|&id| game(id, [1, 2], 19, "B+R")).collect())
            })
        };
        count_new(&[1, 2, 5]).unwrap();
        // The third came late, so all are counted anew.
        count_new(&[1, 2, 3, 5]).unwrap();
        assert_eq!((seen.take(), games_of()), (vec![0, 3, 3], 4));
    }
}
