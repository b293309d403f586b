//! One game that is played.

use crate::{ApiError, NodeId, OpenGameId};
use honinbo_evaluator::StopFlag;
use honinbo_players::{GameClock, Player, Rank};
use honinbo_rules::{Color, Game, Move, Outcome};
use honinbo_search::{Perspective, ReportOptions};
use parking_lot::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// A game that is played, and everything beside the board.
pub(super) struct Table {
    pub(super) id: OpenGameId,
    pub(super) state: Mutex<State>,
    /// Held by whoever keeps the game in the library or rates it, before `state`: one after the other.
    pub(super) keeping: Mutex<()>,
    /// Signalled when the clock was set, the game ended or one of its threads did.
    pub(super) clock_changed: Condvar,
}

/// What changes.
pub(super) struct State {
    pub(super) id: OpenGameId,
    /// The game as it is played; the open game may show another of its positions.
    pub(super) game: Game,
    /// Where playing began.
    pub(super) begin: NodeId,
    /// Turns of another game that led there; `None` for a game that began on an empty board.
    pub(super) given: Option<usize>,
    /// The node of each turn since, in the open game's tree.
    pub(super) nodes: Vec<NodeId>,
    pub(super) person: Option<Color>,
    pub(super) opponent: Option<String>,
    /// The opponent, except while it thinks.
    pub(super) player: Option<Box<dyn Player>>,
    /// The opponent is a program that is being started.
    pub(super) starting: bool,
    /// Threads on which an opponent thinks or ends, or the game is kept.
    pub(super) at_work: u32,
    /// Ends what the opponent is thinking about.
    pub(super) stop: StopFlag,
    /// Set when the game is over or closed: an opponent that is a program is ended, whatever it is at.
    pub(super) abandoned: StopFlag,
    /// Counts changes of the position: what was asked before one is not wanted any more.
    pub(super) generation: u32,
    /// The count of changes up to which the library has the game.
    pub(super) kept: Option<u32>,
    /// White's win minus loss at each turn of an opponent that searches, since the last take-back.
    pub(super) results: Vec<f64>,
    pub(super) clock: Option<GameClock>,
    pub(super) teaching: Option<f64>,
    /// Both passed: the game waits for an agreement about dead stones.
    pub(super) counting: bool,
    /// How the game ended.
    pub(super) over: Option<Outcome>,
    /// The opponent's rank in a rated game that has not been rated yet.
    pub(super) rated: Option<Rank>,
    /// The opponent's rank and the person's score in a rated game that ended and has not been written down yet.
    pub(super) to_rate: Option<(Rank, f64)>,
    /// The game counts for the person's rating.
    pub(super) is_rated: bool,
    /// A rated game that says nothing of the opponent's rank any more: somebody else moved for it.
    pub(super) uncounted: bool,
    /// Nobody plays it any more.
    pub(super) closed: bool,
}

impl Table {
    pub(super) fn new(
        id: OpenGameId,
        mut game: Game,
        person: Option<Color>,
        opponent: Option<String>,
        player: Option<Box<dyn Player>>,
        clock: Option<GameClock>,
        teaching: Option<f64>,
    ) -> Table {
        // People agree about dead stones after two passes, also under territory rules.
        game.set_prevent_clean_up(true);
        let state = State {
            id: id.clone(),
            game,
            begin: 0,
            given: None,
            nodes: Vec::new(),
            person,
            opponent,
            player,
            starting: false,
            at_work: 0,
            stop: StopFlag::new(),
            abandoned: StopFlag::new(),
            generation: 0,
            kept: None,
            results: Vec::new(),
            clock,
            teaching,
            counting: false,
            over: None,
            rated: None,
            to_rate: None,
            is_rated: false,
            uncounted: false,
            closed: false,
        };
        Table { id, state: Mutex::new(state), keeping: Mutex::new(()), clock_changed: Condvar::new() }
    }

    /// Nobody thinks about it any more.
    pub(super) fn close(&self) {
        let mut state = self.state.lock();
        state.closed = true;
        state.generation += 1;
        state.stop.set();
        state.abandoned.set();
        let player = state.player.take();
        drop(state);
        self.clock_changed.notify_all();
        // A program may take a moment to end.
        drop(player);
    }

    /// A thread of the game has nothing left to do.
    pub(super) fn thread_left(&self) {
        self.state.lock().at_work -= 1;
        self.clock_changed.notify_all();
    }

    /// Waits until no thread is at work, or until then.
    pub(super) fn wait_for_threads(&self, until: Instant) {
        let mut state = self.state.lock();
        self.clock_changed.wait_while_until(&mut state, |state| state.at_work > 0, until);
    }
}

impl State {
    /// The last node as the game was played.
    pub(super) fn tip(&self) -> NodeId {
        self.nodes.last().copied().unwrap_or(self.begin)
    }

    /// The number of the person's last turn, between two persons of the last one; `None` before there is one.
    pub(super) fn last_own_turn(&self) -> Option<usize> {
        let given = self.given.unwrap_or_default();
        let turns = self.game.turns();
        let last = match self.person {
            None => turns.len().checked_sub(1),
            Some(person) => turns.iter().rposition(|turn| turn.color == person),
        };
        last.filter(|&turn| turn >= given)
    }

    /// The game has not ended: it is played, or counted.
    pub(super) fn is_live(&self) -> bool {
        !self.closed && self.over.is_none()
    }

    /// Somebody is to move.
    pub(super) fn is_played(&self) -> bool {
        self.is_live() && !self.counting
    }

    /// There is something to keep that the library does not have yet.
    pub(super) fn is_unkept(&self) -> bool {
        let has_begun = self.over.is_some() || !self.nodes.is_empty();
        has_begun && !self.closed && self.kept != Some(self.generation)
    }

    pub(super) fn is_opponents_turn(&self) -> bool {
        self.is_played() && self.person.is_some_and(|person| self.game.to_play() != person)
    }

    pub(super) fn is_going_on(&self) -> Result<(), ApiError> {
        if self.is_live() { Ok(()) } else { Err(refused("the game is over")) }
    }

    /// The position is the one that was asked about.
    pub(super) fn is_still(&self, generation: u32) -> Result<(), ApiError> {
        if self.generation == generation { Ok(()) } else { Err(refused("the game has gone on meanwhile")) }
    }

    pub(super) fn is_being_counted(&self) -> Result<(), ApiError> {
        if self.is_live() && self.counting { Ok(()) } else { Err(refused("the game is not being counted")) }
    }

    /// Nobody helps, and nothing is taken back, in a rated game.
    pub(super) fn is_free(&self) -> Result<(), ApiError> {
        if self.is_rated { Err(refused("there is no help and no taking back in a rated game")) } else { Ok(()) }
    }

    /// Whether a person may move now.
    pub(super) fn may_move(&self) -> Result<(), ApiError> {
        self.is_going_on()?;
        if self.counting {
            return Err(refused("both have passed: accept the count, or go on playing"));
        }
        if self.is_opponents_turn() {
            return Err(ApiError::IllegalMove {
                reason: crate::IllegalReason::WrongTurn,
                message: "it is the opponent's turn".into(),
            });
        }
        Ok(())
    }

    /// Whether the opponent gives up instead of the move it has chosen. Rated games are played to the end, as a lead that
    /// a weak player would still have lost proves no strength; so are positions that somebody wanted to play on.
    pub(super) fn is_given_up(&mut self, player: &dyn Player, played: Move) -> bool {
        let options = ReportOptions { perspective: Perspective::White, max_candidates: 0, ..ReportOptions::default() };
        let Some(report) = player.last_report(&options) else {
            self.results.clear();
            return false;
        };
        self.results.push(2.0 * report.root.mean_win_rate - 1.0);
        let may = !self.is_rated && self.given.is_none() && played != Move::Pass;
        may && player.resign_rule(&self.game).is_some_and(|rule| {
            rule.resigns(&self.game, self.game.to_play(), &self.results, report.root.mean_score_lead)
        })
    }

    /// Somebody else moved for the opponent: a rated game goes on without help, and counts for nothing.
    pub(super) fn was_answered_for(&mut self) {
        self.uncounted |= self.rated.take().is_some();
    }

    /// The game is over: what it counts for is known, once.
    pub(super) fn settle_rating(&mut self) {
        let (Some(person), Some(over), Some(rank)) = (self.person, self.over, self.rated.take()) else { return };
        let score = match over {
            Outcome::Win { winner, .. } => f64::from(u8::from(winner == person)),
            Outcome::Draw => 0.5,
            Outcome::NoResult => return,
        };
        self.to_rate = Some((rank, score));
    }

    /// Goes back to the position after so many turns, where the game goes on.
    pub(super) fn rewind(&mut self, turns: usize, now: Duration) {
        let movers: Vec<Color> = self.game.turns().iter().skip(turns).map(|turn| turn.color).collect();
        self.game.rewind(turns);
        self.nodes.truncate(turns.saturating_sub(self.given.unwrap_or_default()));
        self.counting = false;
        self.results.clear();
        if self.over.take().is_some() {
            // The opponent was given up when the game ended, and is asked again.
            self.abandoned = StopFlag::new();
        }
        self.generation += 1;
        self.stop.set();
        let to_play = self.game.to_play();
        if let Some(clock) = &mut self.clock {
            // Whoever lost on time would lose again at once.
            clock.reopen();
            clock.take_back(&movers, now);
            clock.start(to_play, now);
        }
    }
}

fn refused(why: &str) -> ApiError {
    ApiError::InvalidRequest { message: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{Preset, Setup, WinBy};

    #[test]
    fn a_rated_game_counts_for_the_person_once_and_not_at_all_without_a_result() {
        let game = Game::new(Setup::preset(Preset::Japanese)).unwrap();
        let rank = Rank::STRONGEST;
        let won = |winner| Outcome::Win { winner, by: WinBy::Resignation };
        for (over, score) in [
            (won(Color::White), Some(1.0)),
            (won(Color::Black), Some(0.0)),
            (Outcome::Draw, Some(0.5)),
            (Outcome::NoResult, None),
        ] {
            let table = Table::new("g1".into(), game.clone(), Some(Color::White), None, None, None, None);
            let mut state = table.state.lock();
            (state.rated, state.over) = (Some(rank), Some(over));
            state.settle_rating();
            assert_eq!(state.to_rate.take(), score.map(|score| (rank, score)), "{over:?}");
            state.settle_rating();
            assert_eq!(state.to_rate, None, "once");
        }
    }
}
