//! Games that are played: against a level, an engine, or another person at the same board.
//!
//! Each has its own state behind a lock of its own. The opponent thinks on a thread of its own, which is told by a
//! counter when what it was asked has been overtaken (a take-back, a resignation); a second thread waits for the
//! moment when the running clock runs out.
//!
//! Locks: the state of a game that is played is taken before that of the open games, never after it.

mod advice;
mod kept;
mod opponents;
mod rated;
mod table;
mod time;

use crate::{
    ApiError, App, Event, GameId, Hint, HintRequest, MoveWarning, PlayAnswer, PlayNews, PlayStarted, PlayTurn,
    PlayView, ReadyEngine, SettlePlay, Side, StartPlay,
};
use honinbo_players::GameClock;
use honinbo_rules::{Color, Move, Outcome, Point, WinBy};
pub(crate) use kept::{KeptPlay, PlayedNow};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use table::{Over, Table};

/// The games that are played.
pub(crate) struct PlayRoom {
    app: Weak<App>,
    tables: Mutex<HashMap<GameId, Arc<Table>>>,
    /// The file name of the human-style network that is installed, and the network where it can be read.
    human: Mutex<Option<(String, Option<ReadyEngine>)>>,
}

/// Points from which a teaching game asks at least, and at most.
const TEACHING: std::ops::RangeInclusive<f64> = 0.5..=100.0;

impl PlayRoom {
    pub(crate) fn new(app: Weak<App>) -> Self {
        Self { app, tables: Mutex::default(), human: Mutex::default() }
    }

    fn table(&self, id: &str) -> Result<Arc<Table>, ApiError> {
        let not_played = || ApiError::NotFound { message: "that game is not being played".into() };
        self.tables.lock().get(id).cloned().ok_or_else(not_played)
    }

    /// The game is closed: nobody thinks about it any more.
    pub(crate) fn close(&self, id: &str) {
        let table = self.tables.lock().remove(id);
        if let Some(table) = table {
            table.close();
        }
    }

    /// All games are closed.
    pub(crate) fn close_all(&self) {
        for (_, table) in self.tables.lock().drain() {
            table.close();
        }
        self.human.lock().take();
    }
}

impl App {
    /// Begins a game.
    pub(crate) fn start_play(&self, mut wanted: StartPlay) -> Result<PlayStarted, ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        if wanted.opponent.is_some() != wanted.person.is_some() {
            return Err(invalid("a game has a person and an opponent, or neither for two persons".into()));
        }
        let teaching = wanted.teaching.map(crate::Finite::get);
        if let Some(points) = teaching.filter(|points| !TEACHING.contains(points)) {
            return Err(invalid(format!("teaching is {points} points, expected 0.5 to 100")));
        }
        let rated = match wanted.opponent.as_deref() {
            Some(rated::RATED) => Some(self.rated_opponent(&wanted)?),
            _ => None,
        };
        if let Some(rank) = rated {
            wanted.opponent = Some(rated::name_of(rank));
            let theirs =
                if wanted.person == Some(Side::Black) { &mut wanted.game.white } else { &mut wanted.game.black };
            if theirs.is_empty() {
                *theirs = format!("Honinbo {rank}");
            }
        }
        let player = wanted.opponent.as_deref().map(|id| self.opponent(id)).transpose()?;
        let clock = wanted.clock.map(|clock| time::control(&clock)).transpose()?.map(GameClock::new);
        let view = self.open_session(|id| crate::session::Session::new(id, &wanted.game))?;
        let id = view.game_id.clone();
        let game = self.with_game(&id, |session| Ok(session.game().clone()))?;
        let person = wanted.person.map(color);
        let table = Arc::new(Table::new(id.clone(), game, person, wanted.opponent, player, clock, teaching));
        self.play.tables.lock().insert(id, Arc::clone(&table));
        {
            let mut state = table.state.lock();
            (state.rated, state.is_rated) = (rated, rated.is_some());
            let (now, to_play) = (self.host().monotonic(), state.game.to_play());
            if let Some(clock) = &mut state.clock {
                clock.start(to_play, now);
            }
        }
        let play = self.play_view(&table);
        self.go_on(&table);
        self.watch_clock(&table);
        Ok(PlayStarted { game: view, play })
    }

    /// How a game stands.
    pub(crate) fn play_state(&self, id: &str) -> Result<PlayView, ApiError> {
        let table = self.play.table(id)?;
        if let Some(update) = self.look_at_clock(&mut table.state.lock()) {
            self.keep(&table);
            self.tell(&table, Some(update), None);
        }
        Ok(self.play_view(&table))
    }

    /// The person's move.
    pub(crate) fn play_turn(&self, wanted: &PlayTurn) -> Result<PlayAnswer, ApiError> {
        let table = self.play.table(&wanted.game_id)?;
        let (game, teaching, generation) = {
            let mut state = table.state.lock();
            self.look_at_clock(&mut state);
            state.may_move()?;
            (state.game.clone(), state.teaching, state.generation)
        };
        let size = game.board().size();
        let played = match wanted.vertex {
            None => Move::Pass,
            Some(index) if usize::from(index) < size.area() => Move::Place(Point::from_index(index.into(), size)),
            Some(index) => {
                return Err(ApiError::InvalidRequest {
                    message: format!("there is no point {index} on a {size} board"),
                });
            }
        };
        game.legality(game.to_play(), played).map_err(|error| ApiError::from_illegal_move(error, size))?;
        if let Some(points) = teaching.filter(|_| !wanted.insist)
            && let Some(loss) = self.loss_of(&game, played)
            && loss >= points
        {
            let warning = MoveWarning { vertex: wanted.vertex, points: loss.into() };
            return Ok(PlayAnswer { update: None, play: self.play_view(&table), warning: Some(warning) });
        }
        // What is answered is how things stand before the opponent moves, however quick it is: its move is told by an
        // event.
        let answer = {
            let mut state = table.state.lock();
            if state.generation != generation {
                return Err(ApiError::InvalidRequest { message: "the game has gone on meanwhile".into() });
            }
            let update = self.put(&mut state, played)?;
            PlayAnswer { update, play: self.view_of(&state), warning: None }
        };
        self.go_on(&table);
        Ok(answer)
    }

    /// Takes back to the person's last turn; between two persons one move.
    pub(crate) fn take_back(&self, id: &str) -> Result<PlayAnswer, ApiError> {
        let table = self.play.table(id)?;
        let answer = {
            let mut state = table.state.lock();
            state.is_free()?;
            let turns = state.game.turns();
            let back = match state.person {
                None => turns.len().checked_sub(1),
                Some(person) => turns.iter().rposition(|turn| turn.color == person),
            };
            let back =
                back.ok_or_else(|| ApiError::InvalidRequest { message: "there is no move to take back".into() })?;
            state.rewind(back);
            let (now, to_play) = (self.host().monotonic(), state.game.to_play());
            if let Some(clock) = &mut state.clock {
                clock.start(to_play, now);
            }
            let tip = state.tip();
            let had_result = state.over.take().is_some();
            let update = self.with_game(id, |session| {
                session.go_to(tip)?;
                if had_result {
                    let info = session.info();
                    session.set_info(&crate::GameInfo { result: String::new(), ..info })?;
                }
                Ok(session.update(false))
            })?;
            PlayAnswer { update: Some(update), play: self.view_of(&state), warning: None }
        };
        self.keep(&table);
        self.go_on(&table);
        Ok(answer)
    }

    /// The person gives up; between two persons whoever is to move.
    pub(crate) fn resign_play(&self, id: &str) -> Result<PlayAnswer, ApiError> {
        let table = self.play.table(id)?;
        let update = {
            let mut state = table.state.lock();
            state.is_going_on()?;
            let loser = state.person.unwrap_or_else(|| state.game.to_play());
            self.finish(&mut state, Over { outcome: lost(loser, WinBy::Resignation), counting: false })?
        };
        self.keep(&table);
        Ok(PlayAnswer { update, play: self.play_view(&table), warning: None })
    }

    /// Both have passed, and this is what is dead.
    pub(crate) fn settle_play(&self, wanted: &SettlePlay) -> Result<PlayAnswer, ApiError> {
        let table = self.play.table(&wanted.game.game_id)?;
        let update = {
            let mut state = table.state.lock();
            if !state.over.as_ref().is_some_and(|over| over.counting) {
                return Err(ApiError::InvalidRequest { message: "the game is not being counted".into() });
            }
            let size = state.game.board().size();
            let dead: Vec<Point> = wanted
                .dead
                .iter()
                .map(|&index| Point::from_index(index.into(), size))
                .filter(|point| point.is_on(size))
                .collect();
            let outcome = state.game.score_without(&dead).outcome();
            let update = self.finish(&mut state, Over { outcome, counting: true })?;
            self.rate(&mut state);
            update
        };
        self.keep(&table);
        Ok(PlayAnswer { update, play: self.play_view(&table), warning: None })
    }

    /// Leaves the game as it is; it stays open as a record.
    pub(crate) fn stop_play(&self, id: &str) -> Result<(), ApiError> {
        let table = self.play.table(id)?;
        self.conclude_rated(&table);
        self.play.close(id);
        Ok(())
    }

    /// Help for the person to move.
    pub(crate) fn hint(&self, wanted: &HintRequest) -> Result<Hint, ApiError> {
        let table = self.play.table(&wanted.game_id)?;
        let game = {
            let state = table.state.lock();
            state.is_free()?;
            state.may_move()?;
            state.game.clone()
        };
        self.hint_for(&game, wanted.degree)
    }

    /// A move that is known to be legal, by whoever is to move. The state is the caller's.
    fn put(&self, state: &mut table::State, played: Move) -> Result<Option<crate::GameUpdate>, ApiError> {
        let now = self.host().monotonic();
        let size = state.game.board().size();
        let color = state.game.to_play();
        // The clock of a game that was interrupted stands until somebody moves.
        if let Some(clock) = state.clock.as_mut().filter(|clock| clock.running().is_none()) {
            clock.start(color, now);
        }
        if let Some(late) = state.clock.as_mut().and_then(|clock| clock.press(now)) {
            return self.finish(state, Over { outcome: lost(late, WinBy::Time), counting: false });
        }
        state.game.play(color, played).map_err(|error| ApiError::from_illegal_move(error, size))?;
        let (tip, vertex) = (state.tip(), played.point().map(|point| crate::session::vertex(point, size)));
        let (node, update) = self.with_game(&state.id, |session| {
            session.go_to(tip)?;
            let new = session.play(vertex)?;
            Ok((session.current_id(), session.update(new)))
        })?;
        state.nodes.push(node);
        state.generation += 1;
        if state.game.is_over() || state.game.is_past_end() {
            let outcome = match state.game.outcome() {
                Some(Outcome::NoResult) => Outcome::NoResult,
                _ => state.game.score_without(&self.dead_at_the_end(&state.game)).outcome(),
            };
            let counting = outcome != Outcome::NoResult;
            return self.finish(state, Over { outcome, counting });
        }
        Ok(Some(update))
    }

    fn finish(&self, state: &mut table::State, over: Over) -> Result<Option<crate::GameUpdate>, ApiError> {
        let now = self.host().monotonic();
        if let Some(clock) = &mut state.clock {
            clock.stop(now);
        }
        state.generation += 1;
        state.stop.set();
        let result = over.outcome.to_sgf();
        state.over = Some(over);
        // What is being counted is rated once the dead stones are settled.
        if !over.counting {
            self.rate(state);
        }
        let update = self.with_game(&state.id, |session| {
            let info = session.info();
            session.set_info(&crate::GameInfo { result, ..info })?;
            Ok(session.update(false))
        })?;
        Ok(Some(update))
    }

    /// Keeps the game in the library, from its first move on. What goes wrong there must not end the game: it is
    /// logged.
    fn keep(&self, table: &Table) {
        let kept = self.with_game(&table.id, |session| {
            let sgf = session.to_sgf();
            let saved = match &session.record_id {
                Some(id) => self.library.update(id, &sgf)?,
                None if session.game().turns().is_empty() => return Ok(()),
                None => self.library.save(&sgf)?,
            };
            session.record_id = Some(saved.id);
            session.mark_saved();
            Ok(())
        });
        match kept {
            Ok(()) => self.host().emit(Event::LibraryChanged),
            Err(error) => tracing::warn!(%error, game = table.id, "the game could not be kept in the library"),
        }
    }

    /// After a change of the position: keeps the game, and lets the opponent think if it is its turn.
    fn go_on(&self, table: &Arc<Table>) {
        if !table.state.lock().game.turns().is_empty() {
            self.keep(table);
        }
        table.clock_changed.notify_all();
        let player = {
            let mut state = table.state.lock();
            if !state.is_opponents_turn() {
                return;
            }
            state.player.take()
        };
        // Somebody who is thinking already looks at the game again when done.
        let Some(player) = player else { return };
        let (app, table_of_thread) = (Weak::clone(&self.play.app), Arc::clone(table));
        let began = std::thread::Builder::new()
            .name("opponent".into())
            .spawn(move || opponents::answer(&app, &table_of_thread, player));
        if let Err(error) = began {
            tracing::error!(%error, "no thread for the opponent");
        }
    }

    fn tell(&self, table: &Table, update: Option<crate::GameUpdate>, notice: Option<String>) {
        self.host().emit(Event::Play(Box::new(PlayNews { update, play: self.play_view(table), notice })));
    }

    fn play_view(&self, table: &Table) -> PlayView {
        self.view_of(&table.state.lock())
    }

    fn view_of(&self, state: &table::State) -> PlayView {
        let going_on = state.over.is_none() && !state.closed;
        PlayView {
            game_id: state.id.clone(),
            person: state.person.map(side),
            opponent: state.opponent.clone(),
            to_move: going_on.then(|| side(state.game.to_play())),
            thinking: state.is_opponents_turn(),
            tip: state.tip(),
            generation: state.generation,
            clocks: state.clock.as_ref().map(|clock| time::view(clock, self.host().monotonic())),
            teaching: state.teaching.map(Into::into),
            rated: state.is_rated,
            result: state.over.as_ref().map(|over| over.outcome.to_sgf()),
            counting: state.over.as_ref().is_some_and(|over| over.counting),
        }
    }
}

fn lost(loser: Color, by: WinBy) -> Outcome {
    Outcome::Win { winner: loser.opponent(), by }
}

fn color(side: Side) -> Color {
    match side {
        Side::Black => Color::Black,
        Side::White => Color::White,
    }
}

fn side(color: Color) -> Side {
    match color {
        Color::Black => Side::Black,
        Color::White => Side::White,
    }
}
