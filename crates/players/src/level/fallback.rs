//! A strong player with a simple one behind it, so that a game always goes on.

use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Game, Move};
use honinbo_search::{ReportOptions, ResignRule, SearchReport};

use super::HeuristicPlayer;
use crate::{GameClock, Player, PlayerError};

/// A player that is answered for, within the same turn, when it fails, is late or wants what the rules refuse: by the
/// heuristic of `medium`. The next turn is its own again.
pub struct WithFallback<P> {
    player: P,
    spare: HeuristicPlayer,
    timeout: Duration,
    notice: Option<PlayerError>,
    /// Why the player could not be started for the turn that comes: it is not started a second time in it.
    failed_start: Option<PlayerError>,
    /// The last turn was the spare's.
    answered_for: bool,
}

impl<P: Player> WithFallback<P> {
    /// `timeout`: what the player may take for a move.
    #[must_use]
    pub fn new(player: P, timeout: Duration, seed: u64) -> WithFallback<P> {
        let spare = HeuristicPlayer::medium("medium", seed);
        WithFallback { player, spare, timeout, notice: None, failed_start: None, answered_for: false }
    }

    /// The player's turn if it has one that the rules allow, else the spare's.
    fn turn(
        &mut self,
        game: &Game,
        within: Duration,
        ask: impl FnOnce(&mut P, Duration) -> Result<Move, PlayerError>,
    ) -> Move {
        self.answered_for = false;
        let asked = match self.failed_start.take() {
            Some(error) => Err(error),
            None => ask(&mut self.player, self.timeout.min(within)),
        };
        let error = match asked {
            Ok(played) => match game.legality(game.to_play(), played) {
                Ok(()) => return played,
                Err(why) => PlayerError::illegal(played, why, game.board().size()),
            },
            Err(error) => error,
        };
        tracing::warn!(player = self.player.name(), %error, "medium plays this turn instead");
        self.notice = Some(error);
        self.answered_for = true;
        self.spare.turn(game)
    }
}

impl<P: Player> Player for WithFallback<P> {
    fn name(&self) -> String {
        self.player.name()
    }

    fn choose(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.turn(game, within, |player, within| player.choose(game, within, stop)))
    }

    fn clean_up(&mut self, game: &Game, within: Duration, stop: &StopFlag) -> Result<Move, PlayerError> {
        Ok(self.turn(game, within, |player, within| player.clean_up(game, within, stop)))
    }

    fn is_ready(&self) -> bool {
        self.player.is_ready()
    }

    fn prepare(&mut self) -> Result<(), PlayerError> {
        self.failed_start = self.player.prepare().err();
        Ok(())
    }

    fn abandon_when(&mut self, abandoned: StopFlag) {
        self.player.abandon_when(abandoned);
    }

    fn see_clock(&mut self, clock: &GameClock, now: Duration) {
        self.player.see_clock(clock, now);
    }

    fn rest(&mut self) {
        self.player.rest();
    }

    fn last_report(&self, options: &ReportOptions) -> Option<SearchReport> {
        if self.answered_for { None } else { self.player.last_report(options) }
    }

    fn resign_rule(&self, game: &Game) -> Option<ResignRule> {
        self.player.resign_rule(game)
    }

    fn take_notice(&mut self) -> Option<PlayerError> {
        self.notice.take()
    }

    fn black_lead(&mut self, game: &Game, within: Duration) -> Option<f64> {
        self.player.black_lead(game, self.timeout.min(within))
    }

    fn dead_stones(&mut self, game: &Game, within: Duration) -> Option<Vec<honinbo_rules::Point>> {
        self.player.dead_stones(game, self.timeout.min(within))
    }
}
