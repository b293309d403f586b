//! Games that are played. Each colour has a person or an opponent, that is a level or an engine: two persons at one
//! board, a person against an opponent, or two opponents that are watched.
//!
//! Each has its own state behind a lock of its own. Opponents think on one thread of their game, which is told by a
//! counter or by a flag when what was asked has been overtaken (a take-back, a resignation, a pause); a second thread
//! waits for the moment when the running clock runs out.
//!
//! Locks: the state of a game that is played is taken before that of the open games, never after it.

mod advice;
mod counting;
pub(crate) mod handlers;
mod kept;
mod list;
mod named;
mod offer;
mod opponents;
mod rated;
mod rematch;
mod table;
mod time;
pub(crate) mod types;
mod watched;

use crate::analysis::AnalysisRoom;
use crate::games::GamesRoom;
use crate::games::session::{Beginning, Session, Snapshot};
use crate::library::LibraryRoom;
use crate::{
    ApiError, Event, GameKept, Host, MoveWarning, NodeRef, OpenGameId, PlayAnswer, PlayNews, PlayStarted, PlayTurn,
    PlayView, ReadyEngine, Seats, Side, StartPlay,
};
use honinbo_players::{GameClock, OtherNetwork, RecordedTime};
use honinbo_rules::{Color, Game, Move, Outcome, Point, WinBy};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::{Arc, Weak};
use table::{Opponent, Seated, Table};

/// The games that are played.
pub(crate) struct PlayRoom {
    /// For the threads of opponents and clocks, which keep nothing alive.
    this: Weak<PlayRoom>,
    host: Arc<dyn Host>,
    games: Arc<GamesRoom>,
    analysis: Arc<AnalysisRoom>,
    library: Arc<LibraryRoom>,
    tables: Mutex<HashMap<OpenGameId, Arc<Table>>>,
    /// Networks for certain players.
    others: Mutex<HashMap<OtherNetwork, NetworkBeside>>,
    /// Networks of opponents that play with one of their own, by their files, while there are such.
    own: Mutex<HashMap<String, Weak<OwnNetwork>>>,
}

/// A network that opponents of its name play with.
struct OwnNetwork {
    /// As in [`NetworkBeside`].
    outdated: u64,
    ready: ReadyEngine,
}

/// A network that was read for certain players.
struct NetworkBeside {
    /// Its file.
    name: String,
    /// What was outdated when it was read; see [`crate::analysis::engine::Engine::outdated`].
    outdated: u64,
    /// `None` where the file has a network of another kind than those players want.
    ready: Option<ReadyEngine>,
}

/// Points from which a teaching game asks at least, and at most.
const TEACHING: std::ops::RangeInclusive<f64> = 0.5..=100.0;

impl PlayRoom {
    pub(crate) fn new(
        host: Arc<dyn Host>,
        games: Arc<GamesRoom>,
        analysis: Arc<AnalysisRoom>,
        library: Arc<LibraryRoom>,
    ) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            host,
            games,
            analysis,
            library,
            tables: Mutex::default(),
            others: Mutex::default(),
            own: Mutex::default(),
        })
    }

    /// Whether a rated game goes on, on any board.
    pub(crate) fn is_rated_game_on(&self) -> bool {
        let tables: Vec<_> = self.tables.lock().values().cloned().collect();
        tables.iter().any(|table| {
            let state = table.state.lock();
            state.is_live() && state.is_rated
        })
    }

    /// Whether a game is being played or counted; false for one that is over, and for a record.
    pub(crate) fn is_live(&self, id: &str) -> bool {
        self.table(id).is_ok_and(|table| table.state.lock().is_live())
    }

    /// Whether a game was played here and is over; false for a record.
    pub(crate) fn has_ended(&self, id: &str) -> bool {
        self.table(id).is_ok_and(|table| table.state.lock().over.is_some())
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
        let tables: Vec<Arc<Table>> = self.tables.lock().drain().map(|(_, table)| table).collect();
        tables.iter().for_each(|table| table.close());
        self.others.lock().clear();
    }
}

impl PlayRoom {
    /// Begins a game.
    pub(crate) fn start_play(&self, mut wanted: StartPlay) -> Result<PlayStarted, ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        let teaching = wanted.teaching.map(crate::Finite::get);
        if let Some(points) = teaching.filter(|points| !TEACHING.contains(points)) {
            return Err(invalid(format!("teaching is {points} points, expected 0.5 to 100")));
        }
        let pace = watched::pace(wanted.pace, self.host.capabilities())?;
        let beginning = wanted.from.as_ref().map(|from| self.beginning(from)).transpose()?;
        let rated = self.rated_opponent(&mut wanted)?;
        let Seats { black, white } = &wanted.seats;
        for (opponent, name) in [(black, &mut wanted.game.black), (white, &mut wanted.game.white)] {
            if let Some(opponent) = opponent.as_deref().filter(|_| name.is_empty()) {
                *name = opponents::recorded_name(opponent);
            }
        }
        let seats = self.seated(wanted.seats)?;
        let clock = wanted.clock.map(|clock| time::control(&clock)).transpose()?.map(GameClock::new);
        let now = self.host.unix_seconds();
        let view = self.games.open_session(|id| {
            let mut session = match beginning {
                Some(beginning) => Session::play_on(id, beginning, &wanted.game, now),
                None => Session::new(id, &wanted.game, now)?,
            };
            if let Some(clock) = &clock {
                session.set_time_control(clock.control());
            }
            Ok(session)
        })?;
        let id = view.game_id.clone();
        let (game, begin) = self.games.with_game(&id, |session| Ok((session.game().clone(), session.current_id())))?;
        let given = wanted.from.is_some().then(|| game.turns().len());
        let table = Arc::new(Table::new(id.clone(), game, seats, clock, teaching));
        self.tables.lock().insert(id, Arc::clone(&table));
        {
            let mut state = table.state.lock();
            (state.begin, state.given) = (begin, given);
            (state.rated, state.is_rated) = (rated, rated.is_some());
            state.pace = pace;
            self.start_clock(&mut state);
        }
        let play = self.play_view(&table);
        self.go_on(&table);
        self.watch_clock(&table);
        Ok(PlayStarted { game: view, play })
    }

    /// Who has each colour, as it was asked for.
    fn seated(&self, seats: Seats) -> Result<Seated, ApiError> {
        let Seats { black, white } = seats;
        let one = |id: Option<String>| -> Result<Option<Opponent>, ApiError> {
            let Some(id) = id else { return Ok(None) };
            let player = self.own_opponent(&id)?;
            Ok(Some(Opponent::new(id, player)))
        };
        Ok([one(black)?, one(white)?])
    }

    /// What leads to a position of an open game that is to be played on.
    fn beginning(&self, from: &NodeRef) -> Result<Beginning, ApiError> {
        self.may_be_helped(&from.game_id)?;
        self.games.with_game(&from.game_id, |session| session.beginning(from.node_id))
    }

    /// Changes the tree of an open game. While the game is played only moves and take-backs do that: nobody plays both
    /// sides, and what was played stays as it was.
    pub(crate) fn edit_game<T>(
        &self,
        id: &str,
        act: impl FnOnce(&mut Session) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        self.may_be_edited(id)?;
        self.games.with_game(id, act)
    }

    /// An error while the game is played.
    pub(crate) fn may_be_edited(&self, id: &str) -> Result<(), ApiError> {
        if self.is_live(id) {
            let message = "this game is being played; its record can be changed once it is over".to_owned();
            return Err(ApiError::InvalidRequest { message });
        }
        Ok(())
    }

    /// What a game says about itself while it is played: names and places, not what it is played under.
    pub(crate) fn set_game_info(&self, id: &str, info: &crate::GameInfo) -> Result<crate::GameView, ApiError> {
        let live = self.is_live(id);
        self.games.with_game(id, |session| {
            let old = session.info();
            let terms = |info: &crate::GameInfo| (info.rules.clone(), info.komi, info.handicap, info.result.clone());
            if live && terms(&old) != terms(info) {
                let message = "rules, komi, handicap and result stay as they are while the game is played".to_owned();
                return Err(ApiError::InvalidRequest { message });
            }
            session.set_info(info)?;
            Ok(session.view())
        })
    }

    /// An error while the game is a rated one that has not ended: the engine says nothing about it then.
    pub(crate) fn may_be_helped(&self, id: &str) -> Result<(), ApiError> {
        let Ok(table) = self.table(id) else { return Ok(()) };
        let state = table.state.lock();
        if state.is_live() { state.is_free() } else { Ok(()) }
    }

    /// As [`PlayRoom::may_be_helped`], but what is dead may be asked for once both have passed.
    pub(crate) fn may_be_counted(&self, id: &str) -> Result<(), ApiError> {
        let Ok(table) = self.table(id) else { return Ok(()) };
        let state = table.state.lock();
        if state.is_played() { state.is_free() } else { Ok(()) }
    }

    /// How a game stands.
    pub(crate) fn play_state(&self, id: &str) -> Result<PlayView, ApiError> {
        let table = self.table(id)?;
        self.end_if_late(&table);
        Ok(self.play_view(&table))
    }

    /// The person's move.
    pub(crate) fn play_turn(&self, wanted: &PlayTurn) -> Result<PlayAnswer, ApiError> {
        let table = self.table(&wanted.game_id)?;
        self.end_if_late(&table);
        let (game, teaching, generation) = {
            let state = table.state.lock();
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
        if let Some(points) = teaching.filter(|_| !wanted.insist) {
            let clock_ran = self.hold_clock(&table, generation)?;
            let loss = self.loss_of(&game, played).filter(|loss| *loss >= points);
            if let Some(loss) = loss {
                let play = {
                    let mut state = table.state.lock();
                    state.is_still(generation)?;
                    if clock_ran {
                        self.start_clock(&mut state);
                    }
                    self.view_of(&state)
                };
                table.clock_changed.notify_all();
                let warning = Some(MoveWarning { vertex: wanted.vertex, points: loss.into() });
                return Ok(PlayAnswer { update: None, play, warning });
            }
        }
        // What is answered is how things stand before the opponent moves, however quick it is: its move is reported by an
        // event.
        let answer = {
            let mut state = table.state.lock();
            state.is_still(generation)?;
            let update = self.put(&mut state, played)?;
            PlayAnswer { update, play: self.view_of(&state), warning: None }
        };
        self.go_on(&table);
        Ok(answer)
    }

    /// Takes back to the person's last turn; between two persons one move, and between two opponents none.
    pub(crate) fn take_back(&self, id: &str) -> Result<PlayAnswer, ApiError> {
        let table = self.table(id)?;
        let answer = {
            let mut state = table.state.lock();
            state.is_free()?;
            let no_move = || ApiError::InvalidRequest { message: "there is no move to take back".into() };
            let back = state.last_own_turn().ok_or_else(no_move)?;
            let had_result = state.over.is_some();
            state.rewind(back, self.host.monotonic());
            let tip = state.tip();
            let update = self.games.with_game(id, |session| {
                let before = session.seen();
                session.go_to(tip)?;
                if had_result {
                    let info = session.info();
                    session.set_info(&crate::GameInfo { result: String::new(), ..info })?;
                }
                Ok(session.update(before))
            })?;
            PlayAnswer { update: Some(update), play: self.view_of(&state), warning: None }
        };
        self.keep(&table);
        self.go_on(&table);
        Ok(answer)
    }

    /// The person gives up; between two persons whoever is to move.
    pub(crate) fn resign_play(&self, id: &str) -> Result<PlayAnswer, ApiError> {
        let table = self.table(id)?;
        let update = {
            let mut state = table.state.lock();
            state.is_going_on()?;
            if state.is_watched() {
                return Err(table::refused("no person plays this game; stop it, or take a side over"));
            }
            let loser = state.only_person().unwrap_or_else(|| state.game.to_play());
            self.finish(&mut state, lost(loser, WinBy::Resignation))?
        };
        self.keep(&table);
        Ok(PlayAnswer { update, play: self.play_view(&table), warning: None })
    }

    /// Leaves the game as it is; it stays open as a record.
    pub(crate) fn stop_play(&self, id: &str) -> Result<(), ApiError> {
        let table = self.table(id)?;
        self.conclude_rated(&table);
        self.keep_rest(&table);
        self.close(id);
        self.games.with_game(id, |session| {
            session.looks_different();
            Ok(())
        })
    }

    /// The current position of an open game, to be asked about. While it is played, only the person to move may ask,
    /// and nobody where it is rated.
    pub(crate) fn game_to_help_in(&self, id: &str) -> Result<Game, ApiError> {
        if let Ok(table) = self.table(id) {
            let state = table.state.lock();
            if state.is_live() {
                state.is_free()?;
                state.may_move()?;
                return Ok(state.game.clone());
            }
        }
        self.games.with_game(id, |session| Ok(session.game().clone()))
    }

    /// A move that is known to be legal, by whoever is to move. The state is the caller's.
    fn put(&self, state: &mut table::State, played: Move) -> Result<Option<crate::GameUpdate>, ApiError> {
        let now = self.host.monotonic();
        let size = state.game.board().size();
        let color = state.game.to_play();
        // The clock of a game that was interrupted stands until somebody moves, and while a teacher looks at the move.
        if let Some(clock) = state.clock.as_mut().filter(|clock| clock.running().is_none()) {
            clock.start(color, now);
        }
        if let Some(late) = state.clock.as_mut().and_then(|clock| clock.press(now)) {
            return self.finish(state, lost(late, WinBy::Time));
        }
        state.game.play(color, played).map_err(|error| ApiError::from_illegal_move(error, size))?;
        let time_left = state.clock.as_ref().map(|clock| RecordedTime::of(clock.control(), clock.left(color, now)));
        let (tip, vertex) = (state.tip(), played.point().map(|point| crate::games::session::vertex(point, size)));
        let (node, update) = self.games.with_game(&state.id, |session| {
            let before = session.seen();
            session.go_to(tip)?;
            session.play(vertex)?;
            if let Some(left) = time_left {
                session.set_time_left(color, left);
            }
            // After a take-back the record is the game as it goes on, also if it is never finished.
            session.promote_current()?;
            Ok((session.current_id(), session.update(before)))
        })?;
        state.nodes.push(node);
        state.generation += 1;
        if state.game.is_over() {
            if state.game.outcome() == Some(Outcome::NoResult) {
                return self.finish(state, Outcome::NoResult);
            }
            state.counting = true;
            if let Some(clock) = &mut state.clock {
                clock.stop(now);
            }
        }
        Ok(Some(update))
    }

    /// The one way in which a game ends: its clocks stop, it is rated, and the record has its result and the game as it
    /// was played as its main line.
    fn finish(&self, state: &mut table::State, outcome: Outcome) -> Result<Option<crate::GameUpdate>, ApiError> {
        let now = self.host.monotonic();
        if let Some(clock) = &mut state.clock {
            clock.stop(now);
        }
        state.generation += 1;
        state.stop.set();
        state.counting = false;
        state.over = Some(outcome);
        state.settle_rating();
        for opponent in state.seats.iter_mut().flatten() {
            opponent.abandoned.set();
            if let Some(player) = &mut opponent.player {
                player.rest();
            }
        }
        let tip = state.tip();
        let update = self.games.with_game(&state.id, |session| {
            let before = session.seen();
            session.promote(tip)?;
            let info = session.info();
            session.set_info(&crate::GameInfo { result: outcome.to_sgf(), ..info })?;
            Ok(session.update(before))
        })?;
        Ok(Some(update))
    }

    /// Keeps the game in the library, from its first move on, and rates one that has ended. What goes wrong there must
    /// not end the game: it is logged. The state of the game is not held meanwhile.
    fn keep(&self, table: &Table) {
        // Whoever comes second has an answer only when the first one's rating stands, too.
        let _one = table.keeping.lock();
        let generation = table.state.lock().generation;
        let write = |game: &Snapshot| match &game.record_id {
            None if game.is_unplayed => Ok(None),
            own => self.library.keep_played(own.as_deref(), &game.to_sgf()).map(Some),
        };
        let kept = self.games.find(&table.id).and_then(|game| {
            game.save(write, |session, then, saved| {
                if let Some(saved) = saved {
                    session.kept_while_played(then, &saved.id);
                }
            })
        });
        match kept {
            Ok(()) => {
                let mut state = table.state.lock();
                state.kept = state.kept.max(Some(generation));
                drop(state);
                self.emit_kept(&table.id, generation);
            }
            Err(error) => tracing::warn!(%error, game = table.id, "the game could not be kept in the library"),
        }
        self.rate(table);
    }

    /// Keeps what the library does not have yet. The last move of an opponent is kept after it was told.
    fn keep_rest(&self, table: &Table) {
        let is_unkept = table.state.lock().is_unkept();
        if is_unkept {
            self.keep(table);
        }
    }

    /// The library has all of this game from here on, if it is one that is played.
    pub(crate) fn keep_before_closing(&self, id: &str) {
        if let Ok(table) = self.table(id) {
            self.keep_rest(&table);
        }
    }

    /// Emits that the library has a game, and whether a file is still to have its last moves.
    fn emit_kept(&self, id: &str, generation: u32) {
        let kept = |session: &mut Session| Ok((session.record_id.clone(), session.file.is_none()));
        if let Ok((Some(record_id), saved)) = self.games.with_game(id, kept) {
            self.host.emit(Event::GameKept(GameKept { game_id: id.to_owned(), record_id, generation, saved }));
        }
    }

    /// After a change of the position: lets the opponent think if it is its turn, and keeps the game. A library may be
    /// busy for seconds: whoever plays an opponent waits for it neither with the move nor with the answer.
    fn go_on(&self, table: &Arc<Table>) {
        table.clock_changed.notify_all();
        let is_opponents_turn = table.state.lock().is_opponents_turn();
        if is_opponents_turn {
            self.ask_opponent(table);
            self.keep_aside(table);
        } else {
            self.keep_rest(table);
        }
    }

    /// Keeps the game on a thread of its own.
    fn keep_aside(&self, table: &Arc<Table>) {
        table.state.lock().at_work += 1;
        let (room, table_of_thread) = (Weak::clone(&self.this), Arc::clone(table));
        let began = std::thread::Builder::new().name("keep-game".into()).spawn(move || {
            if let Some(room) = room.upgrade() {
                room.keep_rest(&table_of_thread);
            }
            table_of_thread.thread_left();
        });
        if let Err(error) = began {
            tracing::warn!(%error, "no thread to keep a game on");
            table.thread_left();
            self.keep_rest(table);
        }
    }

    fn ask_opponent(&self, table: &Arc<Table>) {
        {
            let mut state = table.state.lock();
            // A thread that is there already looks at the game again after its turn.
            if !state.is_opponents_turn() || state.answering {
                return;
            }
            state.answering = true;
            state.at_work += 1;
        }
        let (room, table_of_thread) = (Weak::clone(&self.this), Arc::clone(table));
        let began = std::thread::Builder::new().name("opponent".into()).spawn(move || {
            opponents::answer(&room, &table_of_thread);
            // Whoever moves meanwhile finds the opponent at the table.
            if let Some(room) = room.upgrade() {
                room.keep_rest(&table_of_thread);
            }
            table_of_thread.thread_left();
        });
        if let Err(error) = began {
            tracing::error!(%error, "no thread for the opponent");
            table.state.lock().answering = false;
            table.thread_left();
        }
    }

    fn emit(&self, table: &Table, update: Option<crate::GameUpdate>, notice: Option<String>) {
        self.library.report_changes();
        self.host.emit(Event::Play(Box::new(PlayNews { update, play: self.play_view(table), notice })));
    }

    fn play_view(&self, table: &Table) -> PlayView {
        self.view_of(&table.state.lock())
    }

    fn view_of(&self, state: &table::State) -> PlayView {
        PlayView {
            game_id: state.id.clone(),
            seats: state.seats(),
            to_move: state.is_played().then(|| side(state.game.to_play())),
            thinking: state.is_opponents_turn(),
            starting: state.starting && state.is_opponents_turn(),
            begin: state.begin,
            tip: state.tip(),
            generation: state.generation,
            clocks: state.clock.as_ref().map(|clock| time::view(clock, self.host.monotonic())),
            teaching: state.teaching.map(Into::into),
            rated: state.is_rated,
            uncounted: state.uncounted,
            result: state.over.map(Outcome::to_sgf),
            counting: state.is_to_be_agreed(),
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use crate::testing::{answered_by, of_files};
    use honinbo_testkit::UniformEvaluator;

    /// A file that is named as a network of human style, and is none.
    fn put_network(room: &PlayRoom) {
        let folder = room.host.data_dir().join("networks");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("b18c384nbt-humanv0.bin.gz"), "damaged").unwrap();
    }

    #[test]
    fn a_network_for_certain_players_that_cannot_be_read_is_tried_again() {
        let app = of_files();
        put_network(&app.play);
        assert!(app.play.human_network().is_none());
        assert!(app.play.others.lock().is_empty());
    }

    #[test]
    fn networks_for_certain_players_are_computed_by_the_settings_of_the_one_in_use() {
        let app = answered_by(Arc::new(UniformEvaluator::default()));
        put_network(&app.play);
        let read_at = || {
            assert!(app.play.human_network().is_none(), "who answers is not of human style");
            app.play.others.lock().get(&OtherNetwork::Human).unwrap().outdated
        };
        let first = read_at();
        assert_eq!(read_at(), first);
        app.override_engine(None, None, Some(2));
        assert_ne!(read_at(), first);
    }
}
