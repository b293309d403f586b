//! Many games between two players, several at a time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Color, Game, Setup, SetupError};
use parking_lot::Mutex;

use super::{GameTerms, Openings, PlayedGame, Tally, play_game};
use crate::{Player, PlayerError, TimeControl};

/// Many games between two players.
///
/// Colours alternate; each opening is played twice, with colours exchanged, so that neither an opening nor a colour
/// favours anybody.
#[derive(Debug, Clone)]
pub struct Contest {
    /// Games.
    pub games: u32,
    /// Board, rules, komi.
    pub setup: Setup,
    /// First moves.
    pub openings: Openings,
    /// Fixes the openings.
    pub seed: u64,
    /// Moves after which a game is counted as it stands.
    pub move_limit: usize,
    /// Time for one move of a player that could be late.
    pub within: Duration,
    /// The clocks; `None` plays without.
    pub clock: Option<TimeControl>,
    /// Games at a time, each with its own players.
    pub at_a_time: usize,
}

/// A game of a contest, as it is reported when it has ended.
#[derive(Debug)]
pub struct ContestGame {
    /// From 1.
    pub number: u32,
    /// The colour of the first player.
    pub first_has: Color,
    /// The game.
    pub played: PlayedGame,
    /// Names of the first player and the second.
    pub names: [String; 2],
    /// Results so far, from the first player's side, this game included.
    pub tally: Tally,
}

/// Why there was no contest.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The board or the stones make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A player could not be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

impl Contest {
    /// Pairs of players that are made: one for each of the games at a time.
    #[must_use]
    pub fn player_pairs(&self) -> usize {
        self.at_a_time.clamp(1, self.games.max(1) as usize)
    }

    /// Plays the games that have not been played when `stop` is set, and gives the result from the first player's
    /// side. `players` makes a new pair of players; `on_game` gets each game as it ends, in no certain order.
    ///
    /// A pair that `players` fails to make leaves its games to the others, which play them all.
    ///
    /// # Errors
    /// When no pair can be made, or no game can begin. A player that fails in a game loses that game, and the next begins.
    pub fn run(
        &self,
        players: &(dyn Fn() -> Result<[Box<dyn Player>; 2], PlayerError> + Sync),
        stop: &StopFlag,
        on_game: &(dyn Fn(ContestGame) + Sync),
    ) -> Result<Tally, ContestError> {
        let start = Game::new(self.setup.clone())?;
        let next = AtomicU32::new(0);
        let standing = Mutex::new(Standing::default());
        let worker = || -> Result<(), ContestError> {
            let [mut first, mut second] = players()?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.games || stop.is_set() {
                    return Ok(());
                }
                let first_has = Color::ALL[index as usize % 2];
                let terms = GameTerms {
                    setup: self.setup.clone(),
                    opening: self.openings.moves(&start, u64::from(index / 2), self.seed),
                    move_limit: self.move_limit,
                    within: self.within,
                    clock: self.clock,
                };
                let (one, other): (&mut dyn Player, &mut dyn Player) = (first.as_mut(), second.as_mut());
                let seats = if first_has == Color::Black { [one, other] } else { [other, one] };
                let played = play_game(seats, &terms, stop)?;
                if stop.is_set() {
                    return Ok(());
                }
                let mut standing = standing.lock();
                standing.count(index / 2, played.outcome.winner().map(|winner| winner == first_has));
                let names = [first.name(), second.name()];
                on_game(ContestGame { number: index + 1, first_has, played, names, tally: standing.tally });
            }
        };
        let results: Vec<Result<(), ContestError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.player_pairs()).map(|_| scope.spawn(worker)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        // Where one pair was made, it has played all games.
        if results.iter().all(Result::is_err) {
            results.into_iter().collect::<Result<(), ContestError>>()?;
        }
        Ok(standing.into_inner().tally)
    }
}

/// Results while games are played.
#[derive(Debug, Default)]
struct Standing {
    tally: Tally,
    /// Half points of the first player, of openings of which one game is still to come.
    halves: HashMap<u32, usize>,
}

impl Standing {
    /// Counts a game; `None` is one that nobody won.
    fn count(&mut self, opening: u32, first_won: Option<bool>) {
        let (games, halves) = match first_won {
            Some(true) => (&mut self.tally.wins, 2),
            Some(false) => (&mut self.tally.losses, 0),
            None => (&mut self.tally.draws, 1),
        };
        *games += 1;
        match self.halves.remove(&opening) {
            Some(before) => self.tally.pairs[before + halves] += 1,
            None => drop(self.halves.insert(opening, halves)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_games_of_an_opening_make_a_pair_in_whatever_order_they_end() {
        let mut standing = Standing::default();
        for (opening, first_won) in
            [(0, Some(true)), (1, None), (2, Some(false)), (1, Some(true)), (0, Some(false)), (3, None)]
        {
            standing.count(opening, first_won);
        }
        assert_eq!(standing.tally, Tally { wins: 2, losses: 2, draws: 2, pairs: [0, 0, 1, 1, 0] });
        standing.count(2, Some(false));
        assert_eq!(standing.tally.pairs, [1, 0, 1, 1, 0], "an opening of which one game has ended is no pair");
    }
}
