//! One game between two players, judged by our rules.

use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Color, DeadStones, Game, IllegalMove, Move, Outcome, Point, Scoring, Setup, SetupError, WinBy};

use crate::{GameClock, Player, PlayerError, RecordedTime, TimeControl};

/// Playouts from which dead stones are guessed where the players do not agree about them.
const GUESS: usize = 300;

/// What an answer may come after the clock has run out before it is given up.
const OVER_TIME: Duration = Duration::from_secs(1);

/// What two players agree on before a game.
#[derive(Debug, Clone)]
pub struct GameTerms {
    /// Board, rules, komi, handicap.
    pub setup: Setup,
    /// Moves that are played before the players are asked.
    pub opening: Vec<Move>,
    /// Moves after which the game is counted as it stands.
    pub move_limit: usize,
    /// Time for one move of a player that could be late.
    pub within: Duration,
    /// The clocks; `None` plays without.
    pub clock: Option<TimeControl>,
}

/// How a game came to its end.
#[derive(Debug)]
pub enum Ending {
    /// Both passed, and the position was counted.
    Passes {
        /// The players disagreed about the count, so dead stones were played out first.
        played_on: bool,
    },
    /// A player gave up.
    Resignation(Color),
    /// A player's clock ran out.
    Time(Color),
    /// The game reached its limit of moves, and was counted as it stood.
    MoveLimit,
    /// A player's move broke the rules.
    Illegal {
        /// Who.
        color: Color,
        /// The move.
        played: Move,
        /// The rule.
        why: IllegalMove,
    },
    /// A player did not answer.
    Failed {
        /// Who.
        color: Color,
        /// Why not.
        error: PlayerError,
    },
    /// Neither won: a long cycle under rules that allow it.
    Repetition,
    /// Somebody asked for an end; the game counts for nothing.
    Stopped,
}

/// A game that was played.
#[derive(Debug)]
pub struct PlayedGame {
    /// All its moves.
    pub game: Game,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub ending: Ending,
    /// Moves of the opening.
    pub opening: usize,
    /// Turns of Black and of White that another player took, because the one that should have could not answer: such a
    /// game says nothing of its strength.
    pub stood_in: [u32; 2],
    /// How the time was given; `None` without clocks.
    pub clock: Option<TimeControl>,
    /// For each turn what its player had left after it; `None` for turns without a clock. The last ones may be missing.
    pub time_left: Vec<Option<RecordedTime>>,
}

/// Plays one game. `players[0]` has Black.
///
/// When both have passed, the position is counted by the game's rules with every stone standing (Tromp-Taylor's way
/// under area scoring). If a player that has a view of its own (GTP's `final_score`) sees another winner, the game goes
/// on first, so that dead stones are taken: GTP engines are asked with `kgs-genmove_cleanup` where they know it.
/// Under territory scoring dead stones are what both players call dead, or else what random playouts lose.
///
/// A move that the rules refuse, and a player that does not answer, lose the game.
///
/// # Errors
/// When the set-up or the opening is impossible.
pub fn play_game(players: [&mut dyn Player; 2], terms: &GameTerms, stop: &StopFlag) -> Result<PlayedGame, SetupError> {
    let mut game = Game::new(terms.setup.clone())?;
    game.set_prevent_clean_up(true);
    let mut opening = 0;
    for &played in &terms.opening {
        let color = game.to_play();
        if game.play(color, played).is_err() || game.is_over() || game.is_past_end() {
            break;
        }
        opening += 1;
    }
    let clock = terms.clock.map(GameClock::new);
    let (began, time_left) = (Instant::now(), vec![None; opening]);
    let mut table = Table { game, players, terms, stop, clock, began, stood_in: [0; 2], time_left };
    let ending = table.play_to_end();
    let outcome = table.judge(&ending);
    let Table { game, stood_in, time_left, .. } = table;
    Ok(PlayedGame { game, outcome, ending, opening, stood_in, clock: terms.clock, time_left })
}

struct Table<'a, 'p> {
    game: Game,
    players: [&'p mut dyn Player; 2],
    terms: &'a GameTerms,
    stop: &'a StopFlag,
    clock: Option<GameClock>,
    /// The clocks count from here.
    began: Instant,
    /// Turns that another player took.
    stood_in: [u32; 2],
    /// What the player of each turn had left after it.
    time_left: Vec<Option<RecordedTime>>,
}

impl Table<'_, '_> {
    fn play_to_end(&mut self) -> Ending {
        if let Some(ending) = self.play_until(self.terms.move_limit, false) {
            return ending;
        }
        if self.game.outcome() == Some(Outcome::NoResult) {
            return Ending::Repetition;
        }
        if self.game.ruleset().scoring == Scoring::Territory || !self.is_disputed() {
            return Ending::Passes { played_on: false };
        }
        self.game.resume(self.game.to_play());
        let limit = self.game.turns().len() + self.game.board().size().area();
        match self.play_until(limit, true) {
            // What is still in dispute counts as it stands.
            None | Some(Ending::MoveLimit) => Ending::Passes { played_on: true },
            Some(ending) => ending,
        }
    }

    /// Plays until both have passed (`None`), or until something else ends the game.
    fn play_until(&mut self, limit: usize, clean_up: bool) -> Option<Ending> {
        while !self.game.is_over() && !self.game.is_past_end() {
            if self.stop.is_set() {
                return Some(Ending::Stopped);
            }
            if self.game.turns().len() >= limit {
                return Some(Ending::MoveLimit);
            }
            let color = self.game.to_play();
            let player = &mut self.players[color.index()];
            // A program is started on nobody's time.
            if !player.is_ready()
                && let Err(error) = player.prepare()
            {
                return Some(Ending::Failed { color, error });
            }
            let mut within = self.terms.within;
            // Dead stones are taken without a clock.
            if let Some(clock) = self.clock.as_mut().filter(|_| !clean_up) {
                let now = self.began.elapsed();
                clock.start(color, now);
                player.see_clock(clock, now);
                // Who exceeds it has lost by the clock; that it never answers must be noticed all the same.
                let left = clock.runs_out_at().map_or(within, |ends| ends.saturating_sub(now));
                within = within.min(left + OVER_TIME);
            }
            let answer = if clean_up {
                player.clean_up(&self.game, within, self.stop)
            } else {
                player.choose(&self.game, within, self.stop)
            };
            if let Some(error) = player.take_notice() {
                let turns = &mut self.stood_in[color.index()];
                *turns += 1;
                if *turns == 1 {
                    tracing::error!("another player moves in the place of {color}: {error}; {}", error.hint());
                }
            }
            let now = self.began.elapsed();
            let late = self.clock.as_mut().filter(|_| !clean_up).and_then(|clock| clock.press(now));
            let played = match answer {
                // A search that was ended early may have nothing to say.
                _ if self.stop.is_set() => return Some(Ending::Stopped),
                _ if late.is_some() => return Some(Ending::Time(color)),
                Ok(Move::Resign) => return Some(Ending::Resignation(color)),
                Ok(played) => played,
                Err(error) => return Some(Ending::Failed { color, error }),
            };
            if let Err(why) = self.game.play(color, played) {
                return Some(Ending::Illegal { color, played, why });
            }
            let clock = self.clock.as_ref().filter(|_| !clean_up);
            self.time_left.push(clock.map(|clock| RecordedTime::of(clock.control(), clock.left(color, now))));
        }
        None
    }

    /// Whether a player that has a view of its own takes another side to have won.
    fn is_disputed(&mut self) -> bool {
        let counted = self.game.score().black_lead();
        let within = self.terms.within;
        let game = &self.game;
        self.players
            .iter_mut()
            .filter_map(|player| player.black_lead(game, within))
            .any(|lead| lead.total_cmp(&0.0) != counted.total_cmp(&0.0))
    }

    fn judge(&mut self, ending: &Ending) -> Outcome {
        let loss = |color: Color, by| Outcome::Win { winner: color.opponent(), by };
        match ending {
            Ending::Resignation(color) => loss(*color, WinBy::Resignation),
            Ending::Time(color) => loss(*color, WinBy::Time),
            Ending::Illegal { color, .. } => loss(*color, WinBy::Forfeit),
            Ending::Failed { color, error } => loss(*color, if is_late(error) { WinBy::Time } else { WinBy::Forfeit }),
            Ending::Repetition | Ending::Stopped => Outcome::NoResult,
            Ending::Passes { .. } | Ending::MoveLimit => self.count(),
        }
    }

    fn count(&mut self) -> Outcome {
        if self.game.ruleset().scoring == Scoring::Area {
            return self.game.score().outcome();
        }
        let within = self.terms.within;
        let game = &self.game;
        let mut views = self.players.iter_mut().map(|player| {
            let mut dead = player.dead_stones(game, within)?;
            dead.sort_unstable();
            Some(dead)
        });
        let dead: Vec<Point> = match (views.next().flatten(), views.next().flatten()) {
            (Some(one), Some(other)) if one == other => one,
            _ => DeadStones::guess_by_playouts(game.board(), GUESS, 1).to_vec(),
        };
        game.score_without(&dead).outcome()
    }
}

fn is_late(error: &PlayerError) -> bool {
    matches!(error, PlayerError::Engine(crate::EngineError::Late { .. }))
}
