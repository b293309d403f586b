//! A room or a lesson at work: a task that hears one thing after the other, keeps what changed, and then tells everybody.

use super::engines::Answer;
use super::registry::{Handle, Registry};
use super::saver::Saved;
use super::service::Inner;
use super::session::{Session, Visitor};
use axum::extract::ws::Utf8Bytes;
use honinbo_library::{AccountId, RoomChange, StoredRoom};
use honinbo_players::GameClock;
use honinbo_rooms::{Body, Now, Numbered, Opinion, Refusal, ServerMessage, id_of};
use honinbo_rules::Point;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Messages that wait for a room before those who send more wait themselves.
pub(super) const MAX_INPUTS: usize = 64;
/// How long a room or a lesson that is over stays when nobody is left.
pub(super) const LINGER_OVER: Duration = Duration::from_secs(60);
/// How long one stays whose game never began, or that nobody has ended.
pub(super) const LINGER: Duration = Duration::from_secs(3600);
/// How long after a failed write it is tried again.
const RETRY: Duration = Duration::from_secs(5);
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
    /// A tournament has taken its game back.
    TakeAway,
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

/// What rooms of one kind do by themselves: a game, a lesson. An [`Actor`] does what they have in common.
pub(super) trait Kind: Send + Sync + Sized + 'static {
    /// What clients ask for.
    type Request: DeserializeOwned + Send + Sync;
    /// What lists show.
    type Summary: Clone + Send;

    fn summary(&self) -> Self::Summary;
    /// Lets the room be found.
    fn register(registry: &mut Registry, key: String, handle: Handle<Self::Summary>);
    /// The room for the store.
    fn to_kept(&self, now: Duration) -> String;
    /// A message to one connection, as things stand now for it.
    fn message(&self, connection: u64, body: Body) -> ServerMessage;
    /// Whether another server may have it, as long as nobody is there.
    fn may_move(&self) -> bool;

    /// Somebody comes, and the others hear of it first; false when there is no room for more people.
    fn enter(&mut self, visitor: &Visitor, now: Now) -> bool;
    /// The connection is among those who are told things. It is told how things stand.
    fn entered(&mut self, session: &Session, connection: u64, after: Option<u64>);
    /// Somebody's connection is gone.
    fn left(&mut self, connection: u64, person: &str, now: Now);
    /// Tells a client what came after an event, or everything.
    fn catch_up(&self, session: &Session, connection: u64, after: Option<u64>, now: Now);
    /// Answers whoever asks for what came after an event; false for everything else that is asked for.
    fn sync(&self, session: &Session, connection: u64, request: &Self::Request, now: Now) -> bool;
    /// Does what a client asks for.
    ///
    /// # Errors
    /// [`Refusal`]; nothing has changed then.
    fn handle(&mut self, sender: [&str; 2], message: &Numbered<Self::Request>, now: Now) -> Result<(), Refusal>;
    /// Hears what only rooms of its kind hear.
    fn hear(&mut self, input: Input, session: &Session, now: Now);
    /// The account is gone.
    fn forget(&mut self, person: &str, now: Now);
    /// Ends it.
    fn close(&mut self, now: Now);

    /// When [`Kind::tick`] is to be called at the latest.
    fn next_deadline(&self) -> Option<Duration> {
        None
    }
    /// Time has passed.
    fn tick(&mut self, _now: Duration) {}
    /// How long it stays when nobody is there; `None`: for good.
    fn linger(&self) -> Option<Duration>;
    /// Nobody has been there for so long; whether it is at its end.
    fn is_done(&mut self) -> bool;
    /// What is left to be done in the store at its end.
    fn last_change(&self, _key: &str) -> Option<RoomChange> {
        None
    }

    /// Whether something that is to be kept has changed since this was asked last.
    fn take_changed(&mut self) -> bool;
    /// What is to be kept of it now; `None` where all is.
    fn to_save(&self, session: &Session) -> Option<RoomChange>;
    /// It was kept, or not, which took so long.
    fn saved(&mut self, session: &Session, saved: Saved, took: Duration) -> impl Future<Output = ()> + Send;
    /// Tells everybody what happened, and then asks the engine.
    fn publish(&mut self, session: &Session);
}

pub(super) struct Actor<K: Kind> {
    kind: K,
    session: Session,
    summary: Arc<Mutex<K::Summary>>,
    unsaved: bool,
    /// Another server has the room now: this one says nothing more of it.
    taken_over: bool,
    deserted_since: Option<Duration>,
    /// It came here, and nobody has entered since.
    awaits_since: Option<Duration>,
    /// Who is told when the room has been given away.
    giving: Option<oneshot::Sender<bool>>,
}

impl<K: Kind> Actor<K> {
    pub(super) fn new(
        kind: K,
        key: String,
        inner: Arc<Inner>,
        summary: Arc<Mutex<K::Summary>>,
        own: mpsc::WeakSender<Input>,
        came: bool,
    ) -> Self {
        Self {
            kind,
            awaits_since: came.then(|| inner.clock.monotonic()),
            session: Session::new(key, inner, own),
            summary,
            unsaved: false,
            taken_over: false,
            deserted_since: None,
            giving: None,
        }
    }

    /// Works until the room is closed, or the server stops.
    pub(super) async fn run(mut self, mut inputs: mpsc::Receiver<Input>) {
        loop {
            self.settle().await;
            if self.taken_over {
                self.session.inner.forget(&self.session.key);
                return;
            }
            let input = tokio::select! {
                input = inputs.recv() => input,
                () = tokio::time::sleep(self.sleep_time()) => {
                    if self.is_abandoned() && self.kind.is_done() {
                        break;
                    }
                    self.kind.tick(self.session.now().at);
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
        self.session.inner.forget(&self.session.key);
        inputs.close();
        if let Some(change) = self.kind.last_change(&self.session.key) {
            self.session.inner.saver.save(change).await;
        }
    }

    /// Leaves the room to another server; false where it stays.
    async fn give_away(&self, inputs: &mut mpsc::Receiver<Input>, given: oneshot::Sender<bool>) -> bool {
        let Session { key, inner, .. } = &self.session;
        let state = self.kind.to_kept(self.session.now().at);
        let room = StoredRoom { id: key.clone(), state, saved_ms: inner.clock.unix_ms() };
        let gone = inner.saver.save(RoomChange::GiveAway { room }).await != Saved::NotYet;
        if gone {
            inner.forget(key);
            inputs.close();
        }
        let _ = given.send(gone); // Whoever asked may have gone.
        gone
    }

    fn sleep_time(&self) -> Duration {
        let now = self.session.now().at;
        let until = [self.kind.next_deadline(), self.lingers_until()];
        let until = until.into_iter().flatten().map(|until| until.saturating_sub(now));
        until.chain(self.unsaved.then_some(RETRY)).min().unwrap_or(LINGER).max(Duration::from_millis(1))
    }

    /// When the room is closed if nobody comes.
    fn lingers_until(&self) -> Option<Duration> {
        Some(self.deserted_since? + self.kind.linger()?)
    }

    fn is_abandoned(&self) -> bool {
        !self.unsaved && self.lingers_until().is_some_and(|until| until <= self.session.now().at)
    }

    async fn hear(&mut self, input: Input) {
        let now = self.session.now();
        match input {
            Input::Join { visitor, joined } => self.join(visitor, joined).await,
            Input::Leave { connection } => self.leave(connection, now),
            Input::Message { connection, text, lag } => self.message(connection, &text, Now { lag, ..now }).await,
            Input::TellAll { connection } => self.kind.catch_up(&self.session, connection, None, now),
            Input::Forfeit { person } => {
                self.kind.forget(&person.to_string(), now);
                self.settle().await;
                self.show_out(person);
            }
            Input::Close => self.kind.close(now),
            Input::GiveAway { given } => {
                let may_still_come = self.awaits_since.is_some_and(|since| now.at.saturating_sub(since) < AWAITED)
                    || self.session.inner.is_awaiting(&self.session.key);
                if self.unsaved || may_still_come || !self.session.present.is_empty() || !self.kind.may_move() {
                    let _ = given.send(false); // Whoever asked may have gone.
                } else {
                    self.giving = Some(given);
                }
            }
            Input::Settled { settled } => {
                let _ = settled.send(()); // Whoever asked may have gone.
            }
            input => self.kind.hear(input, &self.session, now),
        }
    }

    async fn join(&mut self, visitor: Visitor, joined: oneshot::Sender<Option<u64>>) {
        let now = self.session.now();
        if !self.kind.enter(&visitor, now) {
            let _ = joined.send(None); // The client may have gone.
            return;
        }
        self.awaits_since = None;
        self.session.inner.lobby.connected(&visitor.account, &self.session.key, now.at);
        self.settle().await;
        if self.taken_over {
            return;
        }
        // After the others were told, so that this is the first message and what follows it is new.
        let after = visitor.after;
        let connection = self.session.add(visitor);
        self.kind.entered(&self.session, connection, after);
        if joined.send(Some(connection)).is_err() {
            // The client went while it was let in.
            self.leave(connection, now);
        }
    }

    fn leave(&mut self, connection: u64, now: Now) {
        if let Some(gone) = self.session.present.remove(&connection) {
            self.kind.left(connection, &gone.person, now);
            self.session.inner.lobby.disconnected(&gone.visitor.account, &self.session.key, now.at);
        }
    }

    /// Ends the connections of an account that is gone: what waits for it is still sent, and what it sends is not heard.
    fn show_out(&mut self, account: AccountId) {
        let now = self.session.now();
        let of_account = self.session.present.iter().filter(|(_, present)| present.visitor.account.id == account);
        let closed = of_account.inspect(|(_, present)| present.visitor.mailbox.close());
        for connection in closed.map(|(&connection, _)| connection).collect::<Vec<_>>() {
            self.leave(connection, now);
        }
        // A message that came before this was one more sign of life.
        self.session.inner.lobby.forget(account);
    }

    async fn message(&mut self, connection: u64, text: &str, now: Now) {
        let Some(present) = self.session.present.get(&connection) else { return };
        let (person, name) = (present.person.clone(), present.visitor.account.name.clone());
        self.session.inner.lobby.saw(&present.visitor.account, now.at);
        let message = match Numbered::<K::Request>::parse(text) {
            Ok(message) => message,
            Err(refusal) => return self.answer(connection, Err(&refusal), id_of(text)),
        };
        if self.kind.sync(&self.session, connection, &message.request, now) {
            return self.answer(connection, Ok(()), message.id);
        }
        let begun = Instant::now();
        let done = self.kind.handle([&person, &name], &message, now);
        self.settle().await;
        if self.taken_over {
            return;
        }
        self.session.inner.metrics.handled(begun.elapsed(), done.is_err());
        self.answer(connection, done.as_ref().copied(), message.id);
    }

    /// Says that a message was refused, or done, where it has a number.
    fn answer(&self, connection: u64, done: Result<(), &Refusal>, id: Option<u64>) {
        let body = match (done, id) {
            (Err(refusal), id) => Body::refused(refusal, id),
            (Ok(()), Some(id)) => Body::Ack { id },
            (Ok(()), None) => return,
        };
        self.session.send(connection, &self.kind.message(connection, body));
    }

    /// Keeps what changed, then tells everybody, then lets the engine know.
    async fn settle(&mut self) {
        if self.kind.take_changed() || self.unsaved {
            self.save().await;
        }
        if self.taken_over {
            return;
        }
        *self.summary.lock() = self.kind.summary();
        self.kind.publish(&self.session);
        self.deserted_since = match (self.session.present.is_empty(), self.deserted_since) {
            (true, None) => Some(self.session.now().at),
            (true, since) => since,
            (false, _) => None,
        };
    }

    async fn save(&mut self) {
        let Some(change) = self.kind.to_save(&self.session) else { return };
        let begun = self.session.now().at;
        let saved = self.session.inner.saver.save(change).await;
        self.unsaved = saved != Saved::Yes;
        self.taken_over = saved == Saved::TakenOver;
        let took = self.session.now().at.saturating_sub(begun);
        self.kind.saved(&self.session, saved, took).await;
    }
}
