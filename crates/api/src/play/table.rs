//! One game that is played.

use crate::{ApiError, NodeId, OpenGameId, Seats};
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

/// A player that is no person.
pub(super) struct Opponent {
    pub(super) id: String,
    /// The player, except while it thinks.
    pub(super) player: Option<Box<dyn Player>>,
    /// Set once nobody waits for it any more: one that is a program is ended, whatever it is at.
    pub(super) abandoned: StopFlag,
    /// White's win minus loss at each of its turns since the last take-back, where it searches.
    pub(super) results: Vec<f64>,
}

impl Opponent {
    pub(super) fn new(id: String, player: Box<dyn Player>) -> Opponent {
        Opponent { id, player: Some(player), abandoned: StopFlag::new(), results: Vec::new() }
    }
}

/// Who has each colour, by [`Color::index`]; `None` is a person.
pub(super) type Seated = [Option<Opponent>; 2];

/// How a game of two opponents goes on. One with a person always runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// By itself.
    Runs,
    /// It stands after the next move.
    OneMove,
    /// Not until it is asked to.
    Stands,
}

/// What a game waits for that no person does.
pub(super) enum Awaited {
    /// A move of this colour, by the player that was taken from its seat.
    Turn(Color, Box<dyn Player>),
    /// The count of this position.
    Count(Box<Game>),
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
    pub(super) seats: Seated,
    pub(super) flow: Flow,
    /// How long a game of two opponents rests between two moves, so that it can be followed.
    pub(super) pace: Duration,
    /// A thread plays the turns of opponents.
    pub(super) answering: bool,
    /// The opponent to move is a program that is being started.
    pub(super) starting: bool,
    /// Threads on which an opponent thinks or ends, or the game is kept.
    pub(super) at_work: u32,
    /// Ends what the opponent is thinking about.
    pub(super) stop: StopFlag,
    /// Counts changes of the position: what was asked before one is not wanted any more.
    pub(super) generation: u32,
    /// The count of changes up to which the library has the game.
    pub(super) kept: Option<u32>,
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
        seats: Seated,
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
            seats,
            flow: Flow::Runs,
            pace: Duration::ZERO,
            answering: false,
            starting: false,
            at_work: 0,
            stop: StopFlag::new(),
            generation: 0,
            kept: None,
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
        let opponents = state.seats.iter_mut().flatten();
        let players: Vec<_> = opponents
            .filter_map(|opponent| {
                opponent.abandoned.set();
                opponent.player.take()
            })
            .collect();
        drop(state);
        self.clock_changed.notify_all();
        // A program may take a moment to end.
        drop(players);
    }

    /// What the game waits for, for the thread that plays the turns of opponents; it ends where that is nothing. The
    /// player of the turn before is given back in the same moment: whoever moves next finds it at the table.
    pub(super) fn next_awaited(&self, back: Option<(Color, Box<dyn Player>)>) -> Option<Awaited> {
        let mut state = self.state.lock();
        let left = back.and_then(|(color, player)| state.sit_down(color, player));
        let next = state.awaited();
        state.answering = next.is_some();
        drop(state);
        // A program may take a moment to end.
        drop(left);
        next
    }

    /// Rests between two moves of opponents, unless something is done about the game meanwhile.
    pub(super) fn rest(&self, generation: u32) {
        let mut state = self.state.lock();
        let until = Instant::now() + state.pace;
        let rests = |state: &State| {
            state.generation == generation && state.flow == Flow::Runs && state.is_watched() && state.is_live()
        };
        while rests(&state) && !self.clock_changed.wait_until(&mut state, until).timed_out() {}
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
        turns.iter().rposition(|turn| self.opponent(turn.color).is_none()).filter(|&turn| turn >= given)
    }

    pub(super) fn opponent(&self, color: Color) -> Option<&Opponent> {
        self.seats[color.index()].as_ref()
    }

    /// The colour of the person who plays an opponent.
    pub(super) fn only_person(&self) -> Option<Color> {
        let [black, white] = Color::ALL.map(|color| self.opponent(color).is_none());
        match (black, white) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        }
    }

    /// Nobody plays but opponents.
    pub(super) fn is_watched(&self) -> bool {
        self.seats.iter().all(Option::is_some)
    }

    /// Who has each colour, as windows know it.
    pub(super) fn seats(&self) -> Seats {
        let [black, white] = Color::ALL.map(|color| self.opponent(color).map(|opponent| opponent.id.clone()));
        Seats { black, white }
    }

    /// Takes what the game waits for. A game of two opponents that has become too long is counted as it stands.
    fn awaited(&mut self) -> Option<Awaited> {
        if self.is_played()
            && self.is_watched()
            && self.game.turns().len() >= MAX_MOVES_PER_POINT * self.game.board().size().area()
        {
            self.counting = true;
        }
        if !self.is_opponents_turn() {
            return None;
        }
        if self.counting {
            return Some(Awaited::Count(Box::new(self.game.clone())));
        }
        let color = self.game.to_play();
        let player = self.seats[color.index()].as_mut()?.player.take()?;
        Some(Awaited::Turn(color, player))
    }

    /// Gives a player its seat back; answers it where nobody waits for it any more.
    fn sit_down(&mut self, color: Color, mut player: Box<dyn Player>) -> Option<Box<dyn Player>> {
        let is_over = self.over.is_some();
        match &mut self.seats[color.index()] {
            Some(opponent) if !self.closed => {
                if is_over {
                    player.rest();
                }
                opponent.player = Some(player);
                None
            }
            _ => Some(player),
        }
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

    /// An opponent is at its turn. Two of them are also waited for while their game is counted, and neither while it
    /// stands.
    pub(super) fn is_opponents_turn(&self) -> bool {
        let theirs = if self.counting { self.is_watched() } else { self.opponent(self.game.to_play()).is_some() };
        self.is_live() && theirs && self.flow != Flow::Stands
    }

    pub(super) fn is_going_on(&self) -> Result<(), ApiError> {
        if self.is_live() { Ok(()) } else { Err(refused("the game is over")) }
    }

    /// The position is the one that was asked about.
    pub(super) fn is_still(&self, generation: u32) -> Result<(), ApiError> {
        if self.generation == generation { Ok(()) } else { Err(refused("the game has gone on meanwhile")) }
    }

    /// Both passed, and persons agree about dead stones.
    pub(super) fn is_to_be_agreed(&self) -> bool {
        self.is_live() && self.counting && !self.is_watched()
    }

    pub(super) fn is_being_counted(&self) -> Result<(), ApiError> {
        if self.is_to_be_agreed() { Ok(()) } else { Err(refused("the game is not being counted")) }
    }

    /// Nobody helps, and nothing is taken back, in a rated game.
    pub(super) fn is_free(&self) -> Result<(), ApiError> {
        if self.is_rated { Err(refused("there is no help and no taking back in a rated game")) } else { Ok(()) }
    }

    /// Whether a person may move now.
    pub(super) fn may_move(&self) -> Result<(), ApiError> {
        self.is_going_on()?;
        if self.is_to_be_agreed() {
            return Err(refused("both have passed: accept the count, or go on playing"));
        }
        if self.opponent(self.game.to_play()).is_some() {
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
        let color = self.game.to_play();
        let Some(opponent) = &mut self.seats[color.index()] else { return false };
        let options = ReportOptions { perspective: Perspective::White, max_candidates: 0, ..ReportOptions::default() };
        let Some(report) = player.last_report(&options) else {
            opponent.results.clear();
            return false;
        };
        opponent.results.push(2.0 * report.root.mean_win_rate - 1.0);
        let may = !self.is_rated && self.given.is_none() && played != Move::Pass;
        may && player
            .resign_rule(&self.game)
            .is_some_and(|rule| rule.resigns(&self.game, color, &opponent.results, report.root.mean_score_lead))
    }

    /// Somebody else moved for the opponent: a rated game goes on without help, and counts for nothing.
    pub(super) fn was_answered_for(&mut self) {
        self.uncounted |= self.rated.take().is_some();
    }

    /// The game is over: what it counts for is known, once.
    pub(super) fn settle_rating(&mut self) {
        let (Some(person), Some(over), Some(rank)) = (self.only_person(), self.over, self.rated.take()) else { return };
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
        let was_over = self.over.take().is_some();
        for opponent in self.seats.iter_mut().flatten() {
            opponent.results.clear();
            if was_over {
                // It was given up when the game ended, and is asked again.
                opponent.abandoned = StopFlag::new();
            }
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

/// Moves for each point of the board after which a game of two opponents is counted: some never pass.
const MAX_MOVES_PER_POINT: usize = 3;

pub(super) fn refused(why: &str) -> ApiError {
    ApiError::InvalidRequest { message: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_players::RandomPlayer;
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
            let black = Opponent::new("easy".into(), Box::new(RandomPlayer::new("easy", 1)));
            let table = Table::new("g1".into(), game.clone(), [Some(black), None], None, None);
            let mut state = table.state.lock();
            (state.rated, state.over) = (Some(rank), Some(over));
            state.settle_rating();
            assert_eq!(state.to_rate.take(), score.map(|score| (rank, score)), "{over:?}");
            state.settle_rating();
            assert_eq!(state.to_rate, None, "once");
        }
    }
}
