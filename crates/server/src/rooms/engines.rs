//! Engines at work for rooms: a few at a time, in the order they were asked.

use super::Opponents;
use super::service::Inner;
use honinbo_api::Caller;
use honinbo_players::{GameClock, Player};
use honinbo_rooms::Opinion;
use honinbo_rules::{Color, Game, Move, Point};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;

/// What an engine may take for a move in a game without clocks.
const MAX_TURN: Duration = Duration::from_secs(60);

/// What all rooms share.
pub(super) struct Engines {
    opponents: Arc<dyn Opponents>,
    places: Arc<Semaphore>,
    at_a_time: usize,
}

/// The engine of one room, made when it is asked first. It knows its game, so that it need not begin anew each turn.
#[derive(Clone, Default)]
pub(super) struct RoomEngine(Arc<Mutex<Option<Box<dyn Player>>>>);

/// What an engine is asked.
pub(super) struct Question {
    pub(super) level: String,
    pub(super) game: Game,
    pub(super) clock: Option<(GameClock, Duration)>,
}

/// What an engine wants to play, and whether somebody simpler answered for it.
pub(super) struct Answer {
    pub(super) played: Move,
    pub(super) stood_in: bool,
}

/// Something that an engine thinks about. Dropped, it need not go on.
pub(super) struct Thinking<T> {
    pub(super) about: T,
    caller: Arc<Caller>,
}

impl<T> Thinking<T> {
    pub(super) fn about(about: T) -> (Self, Arc<Caller>) {
        let caller = Arc::new(Caller::new());
        (Self { about, caller: Arc::clone(&caller) }, caller)
    }
}

impl<T> Drop for Thinking<T> {
    fn drop(&mut self) {
        self.caller.stop().set();
    }
}

impl Inner {
    /// Has an engine work on a thread of its own, in a place that is free again after it; `None` where it panicked.
    pub(super) async fn work<T: Send + 'static>(
        self: Arc<Self>,
        place: Option<OwnedSemaphorePermit>,
        work: impl FnOnce(&Engines) -> T + Send + 'static,
    ) -> Option<T> {
        let work = move || {
            let done = work(&self.engines);
            drop(place);
            done
        };
        let panicked = |error: &JoinError| tracing::error!(%error, "an engine panicked");
        tokio::task::spawn_blocking(work).await.inspect_err(panicked).ok()
    }
}

impl Engines {
    pub(super) fn new(opponents: Arc<dyn Opponents>, at_a_time: usize) -> Self {
        Self { opponents, places: Arc::new(Semaphore::new(at_a_time)), at_a_time }
    }

    /// Whether there is such an engine.
    pub(super) fn has(&self, level: &str) -> bool {
        self.opponents.opponent(level).is_ok()
    }

    /// How many may think.
    pub(super) fn at_a_time(&self) -> usize {
        self.at_a_time
    }

    /// How many think now.
    pub(super) fn thinking(&self) -> usize {
        self.at_a_time.saturating_sub(self.places.available_permits())
    }

    /// Names of all engines. Blocks.
    pub(super) fn names(&self) -> Vec<String> {
        self.opponents.names()
    }

    /// A place at once, or `None`: then [`Engines::place`] waits for one, first come first served.
    pub(super) fn free_place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).acquire_owned().await.ok()
    }

    /// An engine's move. Blocks. `None` when there is no such engine any more.
    pub(super) fn choose(&self, engine: &RoomEngine, question: &Question, caller: &Caller) -> Option<Answer> {
        let mut player = engine.0.lock();
        if player.is_none() {
            *player = self
                .opponents
                .opponent(&question.level)
                .inspect_err(|error| tracing::error!(?error, level = question.level, "a room has lost its engine"))
                .ok();
        }
        let player = player.as_mut()?;
        let within = within(question);
        if let Some((clock, now)) = &question.clock {
            player.see_clock(clock, *now);
        }
        let (played, failure) = match player.choose(&question.game, within, caller.stop()) {
            Ok(played) => (played, player.take_notice()),
            Err(error) => (Move::Pass, Some(error)),
        };
        // What was stopped is no failure: nobody waits for that move any more.
        if let Some(error) = failure.as_ref().filter(|_| !caller.stop().is_set()) {
            tracing::error!(%error, level = question.level, hint = error.hint(), "another engine played, or it passed");
        }
        Some(Answer { played, stood_in: failure.is_some() })
    }

    /// What the engine thinks of a game's position; `None` where nobody can say. Blocks.
    pub(super) fn opinion(&self, game: &Game, caller: &Caller) -> Option<Opinion> {
        self.opponents.opinion(game, caller)
    }

    /// The dead stones of a game that both players have passed in. Blocks.
    pub(super) fn dead_stones(&self, game: &Game) -> Vec<Point> {
        self.opponents.dead_stones(game)
    }
}

fn within(question: &Question) -> Duration {
    let Some((clock, now)) = &question.clock else { return MAX_TURN };
    let board = question.game.board();
    let stones = board.count(Color::Black) + board.count(Color::White);
    let max = clock.for_search(question.game.to_play(), *now).thinking_time(board.size().area(), stones).max;
    Duration::from_secs_f64(max.clamp(0.05, MAX_TURN.as_secs_f64()))
}
