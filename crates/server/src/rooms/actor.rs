//! One room at work: a task that hears one thing after the other, keeps what changed, and then tells everybody.

use super::delay::{Delay, Shown};
use super::engines::{Answer, Question, RoomEngine};
use super::mailbox::Mailbox;
use super::saver::Saved;
use super::service::Inner;
use super::summary::RoomSummary;
use crate::peers::GameEnd;
use axum::extract::ws::Utf8Bytes;
use honinbo_api::Caller;
use honinbo_library::{Account, AccountId, FinishedGame, RoomChange, StoredRoom};
use honinbo_players::GameClock;
use honinbo_rooms::{
    Body, ClientMessage, Now, Opinion, PairingResult, Request, Room, Seat, ServerMessage, Stage, id_of,
};
use honinbo_rules::{Color, Point};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Messages that wait for a room before those who send more wait themselves.
pub(super) const MAX_INPUTS: usize = 64;
/// How long a room or a lesson that is over stays when nobody is left.
pub(super) const LINGER_OVER: Duration = Duration::from_secs(60);
/// How long a room stays whose game never began.
const LINGER_WAITING: Duration = Duration::from_secs(3600);
/// How long after a failed write it is tried again.
pub(super) const RETRY: Duration = Duration::from_secs(5);
/// A write that takes as long is not the players' time.
const SLOW_STORE: Duration = Duration::from_millis(500);
/// How long a room that came to this server stays for whoever it was taken for.
const AWAITED: Duration = Duration::from_secs(2);

/// Something that a room hears.
pub(super) enum Input {
    Join {
        visitor: Visitor,
        /// The connection's number; `None` where there is no room for more people.
        joined: oneshot::Sender<Option<u64>>,
    },
    Leave {
        connection: u64,
    },
    Message {
        connection: u64,
        text: Utf8Bytes,
        lag: Duration,
    },
    Lag {
        connection: u64,
        lag: Duration,
    },
    /// The client missed messages because it did not read them.
    TellAll {
        connection: u64,
    },
    Reserve {
        person: AccountId,
        reserved: oneshot::Sender<bool>,
    },
    /// Somebody does not want the seat that is kept for them.
    Decline {
        person: AccountId,
        name: String,
    },
    /// A tournament needs the game no more, if it has not begun.
    CallOff,
    /// The account is gone.
    Forfeit {
        person: AccountId,
    },
    /// Whoever runs the server closes the room.
    Close,
    /// Another server wants the room, where nobody is in it here.
    GiveAway {
        given: oneshot::Sender<bool>,
    },
    /// What was heard before is kept.
    Settled {
        settled: oneshot::Sender<()>,
    },
    EngineWaits {
        ticket: u64,
    },
    /// The engine that waited has a place; answered with the clock by then, where it still has to move.
    EngineBegins {
        ticket: u64,
        clock: oneshot::Sender<Option<(GameClock, Duration)>>,
    },
    EngineMoved {
        ticket: u64,
        number: u32,
        answer: Option<Answer>,
    },
    DeadFound {
        turns: usize,
        dead: Vec<Point>,
    },
    /// What the engine thinks of a position of a lesson; `None` where nobody can say.
    Opinion {
        position: u64,
        opinion: Option<Opinion>,
    },
}

/// Somebody with an open connection.
pub(super) struct Visitor {
    pub(super) account: Account,
    /// Does not want a seat.
    pub(super) watch: bool,
    /// The last event that the client knows of.
    pub(super) after: Option<u64>,
    pub(super) mailbox: Arc<Mailbox>,
}

struct Present {
    visitor: Visitor,
    person: String,
    /// Had a seat when the connection was opened, and has not given it up.
    as_player: bool,
}

/// An engine that thinks about a move.
struct Thinking {
    ticket: u64,
    number: u32,
    caller: Arc<Caller>,
}

pub(super) struct Actor {
    room: Room,
    /// What the room is called in the store.
    key: String,
    inner: Arc<Inner>,
    summary: Arc<Mutex<RoomSummary>>,
    own: mpsc::WeakSender<Input>,
    present: HashMap<u64, Present>,
    engine: RoomEngine,
    thinking: Option<Thinking>,
    /// The number of turns after which dead stones were asked for.
    asked_dead: Option<usize>,
    last_number: u64,
    /// The finished game is with its players.
    filed: bool,
    unsaved: bool,
    /// Another server has the room now: this one says nothing more of it.
    taken_over: bool,
    deserted_since: Option<Duration>,
    /// It came here, and nobody has entered since.
    awaits_since: Option<Duration>,
    /// Who is told when the room has been given away.
    giving: Option<oneshot::Sender<bool>>,
    /// What those see who only watch, where they see it later.
    delay: Option<Delay>,
}

impl Actor {
    pub(super) fn new(
        room: Room,
        key: String,
        inner: Arc<Inner>,
        summary: Arc<Mutex<RoomSummary>>,
        own: mpsc::WeakSender<Input>,
        came: bool,
    ) -> Self {
        let awaits_since = came.then(|| inner.clock.monotonic());
        // The game of a room that was kept after its end went to its players with that; one that ended by coming back did not.
        let filed = room.came_back_over();
        let delay = Delay::new(room.terms().delay_seconds);
        let mut actor = Self {
            room,
            key,
            inner,
            summary,
            own,
            present: HashMap::new(),
            engine: RoomEngine::default(),
            thinking: None,
            asked_dead: None,
            last_number: 0,
            filed,
            unsaved: false,
            taken_over: false,
            deserted_since: None,
            awaits_since,
            giving: None,
            delay,
        };
        let now = actor.now();
        let state = actor.shown(now);
        if let Some(delay) = &mut actor.delay {
            if actor.room.game().turns().is_empty() {
                delay.show(state);
            } else {
                // Nobody knows any more when its moves were played.
                delay.put(now.at, state);
            }
        }
        actor
    }

    /// Works until the room is closed, or the server stops.
    pub(super) async fn run(mut self, mut inputs: mpsc::Receiver<Input>) {
        loop {
            self.settle().await;
            if self.taken_over {
                self.inner.forget(&self.key);
                return;
            }
            let input = tokio::select! {
                input = inputs.recv() => input,
                () = tokio::time::sleep(self.sleep_time()) => {
                    if self.is_abandoned() {
                        break;
                    }
                    let now = self.now().at;
                    self.room.tick(now);
                    continue;
                }
            };
            let Some(input) = input else {
                return; // The server stops; the room stays in the store.
            };
            self.hear(input).await;
            if let Some(given) = self.giving.take()
                && self.give_away(&mut inputs, given).await
            {
                return;
            }
        }
        // Whoever found the room a moment ago finds its inbox closed and looks again.
        self.inner.forget(&self.key);
        inputs.close();
        self.inner.saver.save(RoomChange::Remove { id: self.key.clone() }).await;
    }

    /// Leaves the room to another server; false where it stays.
    async fn give_away(&self, inputs: &mut mpsc::Receiver<Input>, given: oneshot::Sender<bool>) -> bool {
        let state = self.room.to_kept(self.now().at);
        let room = StoredRoom { id: self.key.clone(), state, saved_ms: self.inner.clock.unix_ms() };
        let gone = self.inner.saver.save(RoomChange::GiveAway { room }).await != Saved::NotYet;
        if gone {
            self.inner.forget(&self.key);
            inputs.close();
        }
        let _ = given.send(gone); // Whoever asked may have gone.
        gone
    }

    fn now(&self) -> Now {
        Now::at(self.inner.clock.monotonic())
    }

    fn sleep_time(&self) -> Duration {
        let now = self.now().at;
        let game = self.room.next_deadline().map(|deadline| deadline.saturating_sub(now));
        let linger = self.linger().map(|until| until.saturating_sub(now));
        let retry = self.unsaved.then_some(RETRY);
        let late = self.delay.as_ref().and_then(Delay::next).map(|due| due.saturating_sub(now));
        let soonest = [game, linger, retry, late].into_iter().flatten().min().unwrap_or(LINGER_WAITING);
        soonest.max(Duration::from_millis(1))
    }

    /// When the room is closed if nobody comes.
    fn linger(&self) -> Option<Duration> {
        let since = self.deserted_since?;
        match self.room.stage() {
            Stage::Over => Some(since + LINGER_OVER),
            Stage::Waiting if self.room.is_official() => None,
            Stage::Waiting if self.room.has_people() => Some(since + LINGER_WAITING),
            // Whoever made it has given the seat up.
            Stage::Waiting => Some(since),
            _ => None,
        }
    }

    fn is_abandoned(&self) -> bool {
        !self.unsaved && self.linger().is_some_and(|until| until <= self.now().at)
    }

    async fn hear(&mut self, input: Input) {
        let now = self.now();
        match input {
            Input::Join { visitor, joined } => self.join(visitor, joined).await,
            Input::Leave { connection } => self.leave(connection, now),
            Input::Message { connection, text, lag } => self.message(connection, &text, Now { lag, ..now }).await,
            Input::Lag { connection, lag } => {
                if let Some(present) = self.present.get(&connection) {
                    self.room.measured_lag(&present.person, lag);
                }
            }
            Input::TellAll { connection } => self.catch_up(connection, None, now),
            Input::Reserve { person, reserved } => {
                let _ = reserved.send(self.room.reserve(&person.to_string(), now));
            }
            Input::Decline { person, name } => {
                self.room.decline(&person.to_string(), &name, now);
            }
            Input::CallOff => self.room.call_off(now),
            Input::Forfeit { person } => {
                self.room.forfeit(&person.to_string(), now);
                self.settle().await;
                self.show_out(person);
            }
            Input::Close => self.room.void(now),
            Input::GiveAway { given } => {
                let busy = self.thinking.is_some()
                    || self.unsaved
                    || !self.present.is_empty()
                    || self.inner.is_awaiting(&self.key);
                if busy || self.room.stage() == Stage::Over || may_still_come(self.awaits_since, now.at) {
                    let _ = given.send(false); // Whoever asked may have gone.
                } else {
                    self.giving = Some(given);
                }
            }
            Input::Settled { settled } => {
                let _ = settled.send(()); // Whoever asked may have gone.
            }
            Input::EngineWaits { ticket } => {
                if self.thinking.as_ref().is_some_and(|thinking| thinking.ticket == ticket) {
                    self.room.engine_is_busy(now);
                }
            }
            Input::EngineBegins { ticket, clock } => {
                if self.thinking.as_ref().is_some_and(|thinking| thinking.ticket == ticket) {
                    self.room.engine_begins(now);
                    let _ = clock.send(self.room.engine_clock(now.at)); // It may have been cancelled.
                }
            }
            Input::EngineMoved { ticket, number, answer } => {
                if self.thinking.as_ref().is_some_and(|thinking| thinking.ticket == ticket) {
                    self.thinking = None;
                    // A level that was taken out of the settings while a game was played resigns it.
                    let answer = answer.unwrap_or(Answer { played: honinbo_rules::Move::Resign, stood_in: true });
                    self.room.engine_moved(number, answer.played, answer.stood_in, now);
                    self.inner.metrics.engine_moves.add();
                    if answer.stood_in {
                        self.inner.metrics.stand_ins.add();
                    }
                }
            }
            Input::DeadFound { turns, dead } => self.room.propose_dead(turns, &dead, now),
            // What only lessons hear.
            Input::Opinion { .. } => {}
        }
    }

    async fn join(&mut self, visitor: Visitor, joined: oneshot::Sender<Option<u64>>) {
        let now = self.now();
        let person = visitor.account.id.to_string();
        // What a guest plays does not count: in a rated game guests watch.
        let may_sit = !(visitor.account.guest && self.room.terms().rated);
        if !visitor.watch && may_sit {
            self.room.sit(&person, &visitor.account.name, now);
        }
        let as_player = self.room.color_of(&person).is_some();
        self.room.connected(&person, now);
        self.awaits_since = None;
        self.inner.lobby.connected(&visitor.account, &self.key, now.at);
        self.settle().await;
        if self.taken_over {
            return;
        }
        // After the others were told, so that this is the first message and what follows it is new.
        self.last_number += 1;
        let connection = self.last_number;
        let after = visitor.after;
        self.present.insert(connection, Present { visitor, person, as_player });
        self.catch_up(connection, after, self.now());
        if joined.send(Some(connection)).is_err() {
            // The client went while it was let in.
            self.leave(connection, now);
        }
    }

    fn leave(&mut self, connection: u64, now: Now) {
        if let Some(gone) = self.present.remove(&connection) {
            self.room.disconnected(&gone.person, gone.as_player, now);
            self.inner.lobby.disconnected(&gone.visitor.account, &self.key, now.at);
        }
    }

    /// Ends the connections of an account that is gone: what waits for it is still sent, and what it sends is not heard.
    fn show_out(&mut self, account: AccountId) {
        let now = self.now();
        let of_account = |present: &Present| present.visitor.account.id == account;
        let gone: Vec<u64> =
            self.present.iter().filter(|(_, present)| of_account(present)).map(|(&number, _)| number).collect();
        for connection in gone {
            if let Some(present) = self.present.get(&connection) {
                present.visitor.mailbox.close();
            }
            self.leave(connection, now);
        }
        // A message that came before this was one more sign of life.
        self.inner.lobby.forget(account);
    }

    async fn message(&mut self, connection: u64, text: &str, now: Now) {
        let Some(present) = self.present.get(&connection) else { return };
        let (person, name) = (present.person.clone(), present.visitor.account.name.clone());
        self.inner.lobby.saw(&present.visitor.account, now.at);
        let message = match ClientMessage::parse(text) {
            Ok(message) => message,
            Err(refusal) => return self.send(connection, &self.room.message(Body::refused(&refusal, id_of(text)))),
        };
        if let Request::Sync { after } = message.request {
            self.sync(connection, after, now);
            return self.acknowledge(connection, message.id);
        }
        let begun = Instant::now();
        let done = self.room.handle(&person, &name, &message, now);
        self.settle().await;
        if self.taken_over {
            return;
        }
        self.inner.metrics.handled(begun.elapsed(), done.is_err());
        match done {
            Ok(()) => self.acknowledge(connection, message.id),
            Err(refusal) => self.send(connection, &self.room.message(Body::refused(&refusal, message.id))),
        }
    }

    /// Says that a message was done, where it has a number.
    fn acknowledge(&self, connection: u64, id: Option<u64>) {
        if let Some(id) = id {
            self.send(connection, &self.room.message(Body::Ack { id }));
        }
    }

    /// Answers whoever asks for what came after an event. Those who see the game later and have seen what may be seen by now
    /// are told as much: they ask every few seconds, and the whole room is long.
    fn sync(&self, connection: u64, after: Option<u64>, now: Now) {
        let is_player = self.present.get(&connection).is_some_and(|present| present.as_player);
        let shown = self.delay.as_ref().filter(|_| !is_player).and_then(Delay::shown).map(|shown| shown.seq);
        match shown {
            Some(seq) if after == Some(seq) => self.send(connection, &self.room.nothing_new(seq)),
            _ => self.catch_up(connection, after, now),
        }
    }

    /// The room as it is, for those who see it later.
    fn shown(&self, now: Now) -> Shown {
        Shown { seq: self.room.seq(), text: self.room.catch_up(None, now).to_json().into() }
    }

    /// Tells somebody what the room is like, as far as that may be known.
    fn catch_up(&self, connection: u64, after: Option<u64>, now: Now) {
        let Some(present) = self.present.get(&connection) else { return };
        match &self.delay {
            Some(delay) if !present.as_player => {
                if let Some(shown) = delay.shown() {
                    present.visitor.mailbox.put(shown.text.clone());
                }
            }
            _ => self.send(connection, &self.room.catch_up(after, now)),
        }
    }

    /// Shows those who only watch what was long enough ago.
    fn show_late(&mut self, changed: bool) {
        let now = self.now();
        let state = (changed && self.delay.is_some()).then(|| self.shown(now));
        let Some(delay) = &mut self.delay else { return };
        if let Some(state) = state {
            delay.put(now.at, state);
        }
        if let Some(state) = delay.take_due(now.at) {
            for present in self.present.values().filter(|present| !present.as_player) {
                present.visitor.mailbox.put(state.text.clone());
            }
        }
    }

    fn send(&self, connection: u64, message: &ServerMessage) {
        if let Some(present) = self.present.get(&connection) {
            present.visitor.mailbox.put(message.to_json().into());
        }
    }

    /// Keeps what changed, then tells everybody, then lets the engine know.
    async fn settle(&mut self) {
        // Before anybody is told: those who watch may see it later than those who play.
        for present in self.present.values_mut() {
            present.as_player &= self.room.color_of(&present.person).is_some();
        }
        let mut messages = self.room.take_messages();
        if self.room.take_changed() || self.unsaved {
            self.save().await;
            if self.taken_over {
                return;
            }
            messages.extend(self.room.take_messages());
            *self.summary.lock() = RoomSummary::of(&self.room);
        }
        self.show_late(!messages.is_empty());
        for message in messages {
            let text: Utf8Bytes = message.to_json().into();
            for present in self.present.values().filter(|present| present.as_player || self.delay.is_none()) {
                present.visitor.mailbox.put(text.clone());
            }
        }
        self.deserted_since = match (self.room.is_deserted(), self.deserted_since) {
            (true, None) => Some(self.now().at),
            (true, since) => since,
            (false, _) => None,
        };
        self.ask_engine();
        self.ask_dead_stones();
    }

    async fn save(&mut self) {
        // A player is charged for the time from here to where the server was last seen running.
        let saved_ms = self.inner.clock.steady_unix_ms();
        let room = StoredRoom { id: self.key.clone(), state: self.room.to_kept(self.now().at), saved_ms };
        let files = self.room.stage() == Stage::Over && !self.filed;
        let finished = files.then(|| Box::new(finished_game(&self.room, self.inner.clock.unix_ms())));
        let begun = self.now().at;
        let saved = self.inner.saver.save(RoomChange::Save { room, finished }).await;
        let now = self.now().at;
        let took = now.saturating_sub(begun);
        if took >= SLOW_STORE {
            // No move was heard meanwhile, and nobody was told of the last one.
            self.room.forgive(took, now);
        }
        self.unsaved = saved != Saved::Yes;
        self.taken_over = saved == Saved::TakenOver;
        if files && !self.unsaved {
            self.filed = true;
            self.inner.metrics.games.add();
            let mut rated = self.room.terms().rated;
            if rated && self.inner.peers.leads() {
                // Before the players hear of the end, and look.
                self.inner.count_games().await;
                rated = false;
            }
            self.report(rated);
        }
    }

    /// Has the game counted where it is still to be, entered in its tournament, and put into the libraries of those who
    /// played it.
    fn report(&self, rated: bool) {
        // Without a result the organiser decides.
        let result = self.room.outcome().filter(|_| self.room.is_official()).and_then(PairingResult::of);
        let players = self.room.seats().iter().flatten().filter_map(Seat::person_id);
        self.inner.report(GameEnd {
            room: self.room.id().to_owned(),
            rated,
            result,
            people: players.filter_map(|id| id.parse().ok()).collect(),
        });
    }

    fn ask_engine(&mut self) {
        let turn = self.room.engine_to_move();
        let number = turn.as_ref().map(|(_, _, number)| *number);
        if let Some(thinking) = &self.thinking
            && Some(thinking.number) != number
        {
            thinking.caller.stop().set();
            self.thinking = None;
        }
        let (Some((level, game, number)), None) = (turn, &self.thinking) else { return };
        let clock = self.room.engine_clock(self.now().at);
        let mut question = Question { level: level.to_owned(), game, clock };
        self.last_number += 1;
        let ticket = self.last_number;
        let caller = Arc::new(Caller::new());
        self.thinking = Some(Thinking { ticket, number, caller: Arc::clone(&caller) });
        let (inner, engine, own) = (Arc::clone(&self.inner), self.engine.clone(), self.own.clone());
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
            let answer = tokio::task::spawn_blocking(move || {
                let answer = inner.engines.choose(&engine, &question, &caller);
                drop(place);
                answer
            })
            .await
            .unwrap_or_else(|error| {
                tracing::error!(%error, "an engine panicked");
                None
            });
            if let Some(own) = own.upgrade() {
                let _ = own.send(Input::EngineMoved { ticket, number, answer }).await;
            }
        });
    }

    fn ask_dead_stones(&mut self) {
        let Some(game) = self.room.wants_proposal() else {
            self.asked_dead = None;
            return;
        };
        let turns = game.turns().len();
        if self.asked_dead == Some(turns) {
            return;
        }
        self.asked_dead = Some(turns);
        let (inner, own) = (Arc::clone(&self.inner), self.own.clone());
        tokio::spawn(async move {
            let place = inner.engines.place().await;
            let found = tokio::task::spawn_blocking(move || {
                let dead = inner.engines.dead_stones(&game);
                drop(place);
                dead
            })
            .await;
            let dead = found.unwrap_or_else(|error| {
                tracing::error!(%error, "counting panicked");
                Vec::new()
            });
            if let Some(own) = own.upgrade() {
                let _ = own.send(Input::DeadFound { turns, dead }).await;
            }
        });
    }
}

/// Whether a room was taken for somebody who is on the way.
pub(super) fn may_still_come(awaits_since: Option<Duration>, now: Duration) -> bool {
    awaits_since.is_some_and(|since| now.saturating_sub(since) < AWAITED)
}

impl Drop for Actor {
    fn drop(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.caller.stop().set();
        }
    }
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
