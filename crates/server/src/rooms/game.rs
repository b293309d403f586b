//! A room whose people play a game: what sets it apart from a lesson.

use super::actor::{Input, Kind, LINGER, LINGER_OVER};
use super::delay::{Delay, Shown};
use super::engines::{Answer, Engines, Question, RoomEngine, Thinking};
use super::registry::{Handle, Registry};
use super::saver::Saved;
use super::session::{Session, Visitor};
use super::summary::RoomSummary;
use crate::peers::GameEnd;
use honinbo_library::{AccountId, FinishedGame, RoomChange, StoredRoom};
use honinbo_rooms::{Body, ClientMessage, Now, PairingResult, Refusal, Request, Room, Seat, ServerMessage, Stage};
use honinbo_rules::Color;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// A write that takes as long is not the players' time.
const SLOW_STORE: Duration = Duration::from_millis(500);

/// A move that an engine thinks about.
struct Turn {
    ticket: u64,
    number: u32,
}

pub(super) struct GameRoom {
    room: Room,
    /// Connections that had a seat when they were opened, and have not given it up.
    players: HashSet<u64>,
    engine: RoomEngine,
    thinking: Option<Thinking<Turn>>,
    last_ticket: u64,
    /// The number of turns after which dead stones were asked for.
    asked_dead: Option<usize>,
    /// The finished game is with its players.
    filed: bool,
    /// What those see who only watch, where they see it later.
    delay: Option<Delay>,
}

impl GameRoom {
    pub(super) fn new(room: Room, now: Now) -> Self {
        let mut delay = Delay::new(room.terms().delay_seconds);
        if let Some(delay) = &mut delay {
            let state = shown(&room, now);
            if room.game().turns().is_empty() {
                delay.show(state);
            } else {
                // Nobody knows any more when its moves were played.
                delay.put(now.at, state);
            }
        }
        Self {
            // The game of a room that was kept after its end went to its players with that; one that ended by coming back did
            // not.
            filed: room.came_back_over(),
            room,
            players: HashSet::new(),
            engine: RoomEngine::default(),
            thinking: None,
            last_ticket: 0,
            asked_dead: None,
            delay,
        }
    }

    fn is_unfiled(&self) -> bool {
        self.room.stage() == Stage::Over && !self.filed
    }

    /// What this connection sees, where it sees it later.
    fn late(&self, connection: u64) -> Option<&Delay> {
        self.delay.as_ref().filter(|_| !self.players.contains(&connection))
    }

    fn is_thinking(&self, ticket: u64) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| thinking.about.ticket == ticket)
    }

    /// Shows those who only watch what was long enough ago.
    fn show_late(&mut self, session: &Session, changed: bool) {
        let now = session.now();
        let Some(delay) = &mut self.delay else { return };
        if changed {
            delay.put(now.at, shown(&self.room, now));
        }
        if let Some(state) = delay.take_due(now.at) {
            session.put_to(&state.text, |connection, _| !self.players.contains(&connection));
        }
    }

    /// Has the game counted where it is still to be, entered in its tournament, and put into the libraries of those who
    /// played it.
    fn report(&self, session: &Session, rated: bool) {
        // Without a result the organiser decides.
        let result = self.room.outcome().filter(|_| self.room.is_official()).and_then(PairingResult::of);
        let players = self.room.seats().iter().flatten().filter_map(Seat::person_id);
        session.inner.report(GameEnd {
            room: self.room.id().to_owned(),
            rated,
            result,
            people: players.filter_map(|id| id.parse().ok()).collect(),
        });
    }

    fn ask_engine(&mut self, session: &Session) {
        let turn = self.room.engine_to_move();
        let number = turn.as_ref().map(|(_, _, number)| *number);
        if self.thinking.as_ref().is_some_and(|thinking| Some(thinking.about.number) != number) {
            self.thinking = None;
        }
        let (Some((level, game, number)), None) = (turn, &self.thinking) else { return };
        let clock = self.room.engine_clock(session.now().at);
        let mut question = Question { level: level.to_owned(), game, clock };
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        let (thinking, caller) = Thinking::about(Turn { ticket, number });
        self.thinking = Some(thinking);
        let (inner, engine, own) = (Arc::clone(&session.inner), self.engine.clone(), session.own.clone());
        tokio::spawn(async move {
            let place = match inner.engines.free_place() {
                Some(place) => Some(place),
                None => {
                    if let Some(own) = own.upgrade() {
                        let _ = own.send(Input::EngineWaits { ticket }).await;
                    }
                    let place = inner.engines.place().await;
                    let (clock, answer) = oneshot::channel();
                    let Some(room) = own.upgrade() else { return };
                    let _ = room.send(Input::EngineBegins { ticket, clock }).await;
                    drop(room);
                    // The game may have gone on without it, or its room be closed.
                    let Ok(clock) = answer.await else { return };
                    question.clock = clock;
                    place
                }
            };
            if caller.stop().is_set() {
                return;
            }
            let choose = move |engines: &Engines| engines.choose(&engine, &question, &caller);
            let answer = inner.work(place, choose).await.flatten();
            if let Some(own) = own.upgrade() {
                let _ = own.send(Input::EngineMoved { ticket, number, answer }).await;
            }
        });
    }

    fn ask_dead_stones(&mut self, session: &Session) {
        let Some(game) = self.room.wants_proposal() else {
            self.asked_dead = None;
            return;
        };
        let turns = game.turns().len();
        if self.asked_dead.replace(turns) == Some(turns) {
            return;
        }
        session.ask(
            move |engines| engines.dead_stones(&game),
            move |dead| Input::DeadFound { turns, dead: dead.unwrap_or_default() },
        );
    }
}

impl Kind for GameRoom {
    type Request = Request;
    type Summary = RoomSummary;

    fn summary(&self) -> RoomSummary {
        RoomSummary::of(&self.room)
    }

    fn register(registry: &mut Registry, key: String, handle: Handle) {
        registry.insert(key, handle);
    }

    fn to_kept(&self, now: Duration) -> String {
        self.room.to_kept(now)
    }

    /// Of what those do not know yet who see it later, the number says nothing either.
    fn message(&self, connection: u64, body: Body) -> ServerMessage {
        let message = self.room.message(body);
        match self.late(connection) {
            // 0 is for those who are not let in.
            Some(late) => ServerMessage { seq: late.shown().map_or(1, |shown| shown.seq.max(1)), ..message },
            None => message,
        }
    }

    fn may_move(&self) -> bool {
        self.thinking.is_none() && self.room.stage() != Stage::Over
    }

    fn enter(&mut self, visitor: &Visitor, now: Now) -> bool {
        let person = visitor.account.id.to_string();
        // What a guest plays does not count: in a rated game guests watch.
        let may_sit = !(visitor.account.guest && self.room.terms().rated);
        if !visitor.watch && may_sit {
            self.room.sit(&person, &visitor.account.name, now);
        }
        self.room.connected(&person, now);
        true
    }

    fn entered(&mut self, session: &Session, connection: u64, after: Option<u64>) {
        if session.present.get(&connection).is_some_and(|present| self.room.color_of(&present.person).is_some()) {
            self.players.insert(connection);
        }
        self.catch_up(session, connection, after, session.now());
    }

    fn left(&mut self, connection: u64, person: &str, now: Now) {
        let as_player = self.players.remove(&connection);
        self.room.disconnected(person, as_player, now);
    }

    /// As far as that may be known.
    fn catch_up(&self, session: &Session, connection: u64, after: Option<u64>, now: Now) {
        match self.late(connection) {
            Some(late) => {
                if let Some(shown) = late.shown() {
                    session.put(connection, shown.text.clone());
                }
            }
            None => session.send(connection, &self.room.catch_up(after, now)),
        }
    }

    /// Those who see the game later and have seen what may be seen by now are told as much: they ask every few seconds, and
    /// the whole room is long.
    fn sync(&self, session: &Session, connection: u64, request: &Request, now: Now) -> bool {
        let Request::Sync { after } = *request else { return false };
        match self.late(connection).and_then(Delay::shown).map(|shown| shown.seq) {
            Some(seq) if after == Some(seq) => session.send(connection, &self.room.nothing_new(seq)),
            _ => self.catch_up(session, connection, after, now),
        }
        true
    }

    fn handle(&mut self, [person, name]: [&str; 2], message: &ClientMessage, now: Now) -> Result<(), Refusal> {
        self.room.handle(person, name, message, now)
    }

    fn hear(&mut self, input: Input, session: &Session, now: Now) {
        match input {
            Input::Lag { connection, lag } => {
                if let Some(present) = session.present.get(&connection) {
                    self.room.measured_lag(&present.person, lag);
                }
            }
            Input::Reserve { person, reserved } => {
                let _ = reserved.send(self.room.reserve(&person.to_string(), now));
            }
            Input::Decline { person, name } => {
                self.room.decline(&person.to_string(), &name, now);
            }
            Input::CallOff => self.room.call_off(now),
            Input::TakeAway => self.room.take_away(now),
            Input::EngineWaits { ticket } if self.is_thinking(ticket) => self.room.engine_is_busy(now),
            Input::EngineBegins { ticket, clock } if self.is_thinking(ticket) => {
                self.room.engine_begins(now);
                let _ = clock.send(self.room.engine_clock(now.at)); // It may have been cancelled.
            }
            Input::EngineMoved { ticket, number, answer } if self.is_thinking(ticket) => {
                self.thinking = None;
                // A level that was taken out of the settings while a game was played resigns it.
                let answer = answer.unwrap_or(Answer { played: honinbo_rules::Move::Resign, stood_in: true });
                self.room.engine_moved(number, answer.played, answer.stood_in, now);
                session.inner.metrics.engine_moves.add();
                if answer.stood_in {
                    session.inner.metrics.stand_ins.add();
                }
            }
            Input::DeadFound { turns, dead } => self.room.propose_dead(turns, &dead, now),
            // From an engine that nobody waits for any more, or for lessons.
            _ => {}
        }
    }

    fn forget(&mut self, person: &str, now: Now) {
        self.room.forfeit(person, now);
    }

    fn close(&mut self, now: Now) {
        self.room.void(now);
    }

    fn next_deadline(&self) -> Option<Duration> {
        let late = self.delay.as_ref().and_then(Delay::next);
        self.room.next_deadline().into_iter().chain(late).min()
    }

    fn tick(&mut self, now: Duration) {
        self.room.tick(now);
    }

    fn linger(&self) -> Option<Duration> {
        match self.room.stage() {
            Stage::Over => Some(LINGER_OVER),
            Stage::Waiting if self.room.is_official() => None,
            Stage::Waiting if self.room.has_people() => Some(LINGER),
            // Whoever made it has given the seat up.
            Stage::Waiting => Some(Duration::ZERO),
            _ => None,
        }
    }

    fn is_done(&mut self) -> bool {
        true
    }

    fn last_change(&self, key: &str) -> Option<RoomChange> {
        Some(RoomChange::Remove { id: key.to_owned() })
    }

    fn take_changed(&mut self) -> bool {
        self.room.take_changed()
    }

    fn to_save(&self, session: &Session) -> Option<RoomChange> {
        let clock = &session.inner.clock;
        // A player is charged for the time from here to where the server was last seen running.
        let saved_ms = clock.steady_unix_ms();
        let room = StoredRoom { id: session.key.clone(), state: self.room.to_kept(session.now().at), saved_ms };
        let finished = self.is_unfiled().then(|| Box::new(finished_game(&self.room, clock.unix_ms())));
        Some(RoomChange::Save { room, finished })
    }

    async fn saved(&mut self, session: &Session, saved: Saved, took: Duration) {
        if took >= SLOW_STORE {
            // No move was heard meanwhile, and nobody was told of the last one.
            self.room.forgive(took, session.now().at);
        }
        if saved == Saved::Yes && self.is_unfiled() {
            self.filed = true;
            session.inner.metrics.games.add();
            let mut rated = self.room.terms().rated;
            if rated && session.inner.peers.leads() {
                // Before the players hear of the end, and look.
                session.inner.count_games().await;
                rated = false;
            }
            self.report(session, rated);
        }
    }

    fn publish(&mut self, session: &Session) {
        // Before anybody is told: those who watch may see it later than those who play.
        let room = &self.room;
        let has_seat =
            |connection| session.present.get(&connection).is_some_and(|at| room.color_of(&at.person).is_some());
        self.players.retain(|&connection| has_seat(connection));
        let messages = self.room.take_messages();
        self.show_late(session, !messages.is_empty());
        for message in messages {
            let text = message.to_json().into();
            session.put_to(&text, |connection, _| self.delay.is_none() || self.players.contains(&connection));
        }
        self.ask_engine(session);
        self.ask_dead_stones(session);
    }
}

/// The room as it is, for those who see it later.
fn shown(room: &Room, now: Now) -> Shown {
    Shown { seq: room.seq(), text: room.catch_up(None, now).to_json().into() }
}

fn finished_game(room: &Room, ended_ms: i64) -> FinishedGame {
    let seat = |color: Color| room.seats()[color.index()].as_ref();
    let account = |color: Color| {
        let id = seat(color).and_then(Seat::person_id)?;
        id.parse().ok().map(AccountId)
    };
    let size = room.game().board().size();
    FinishedGame {
        room: room.id().to_owned(),
        players: Color::ALL.map(account),
        names: Color::ALL.map(|color| seat(color).map_or_else(String::new, |seat| seat.name().to_owned())),
        size: (size.width() as u32, size.height() as u32),
        moves: room.game().turns().len() as u32,
        result: room.outcome().map_or_else(String::new, |outcome| outcome.to_sgf()),
        rated: room.terms().rated,
        ended_ms,
        sgf: room.record(u64::try_from(ended_ms / 1000).unwrap_or_default()).to_sgf(),
    }
}
