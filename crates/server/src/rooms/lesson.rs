//! One lesson at work: a task that hears one thing after the other, keeps what changed, and then tells everybody.

use super::actor::{Input, LINGER_OVER, RETRY, Visitor, may_still_come};
use super::saver::Saved;
use super::service::Inner;
use crate::peers::GameEnd;
use axum::extract::ws::Utf8Bytes;
use honinbo_api::Caller;
use honinbo_library::{AccountId, FinishedLesson, RoomChange, StoredRoom};
use honinbo_rooms::{Body, Lesson, LessonMessage, LessonRequest, Now, ServerMessage, id_of};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// How long after the last one has gone a lesson ends by itself.
const LINGER: Duration = Duration::from_secs(3600);

/// A lesson as the list of lessons shows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LessonSummary {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) teacher: String,
    /// People who are here.
    pub(crate) online: usize,
    pub(super) listed: bool,
    pub(super) over: bool,
    /// Whoever came; the teacher is the first.
    people: Vec<String>,
}

impl LessonSummary {
    pub(super) fn of(lesson: &Lesson) -> Self {
        Self {
            id: lesson.id().to_owned(),
            title: lesson.title().to_owned(),
            teacher: lesson.teacher().to_owned(),
            online: lesson.online(),
            listed: lesson.is_listed(),
            over: lesson.is_over(),
            people: lesson.participants().map(str::to_owned).collect(),
        }
    }

    /// Whoever came.
    pub(super) fn accounts(&self) -> Vec<AccountId> {
        self.people.iter().filter_map(|id| id.parse().ok().map(AccountId)).collect()
    }

    pub(super) fn has(&self, person: &str) -> bool {
        self.people.iter().any(|known| known == person)
    }

    pub(super) fn is_taught_by(&self, person: &str) -> bool {
        self.people.first().is_some_and(|teacher| teacher == person)
    }
}

struct Present {
    visitor: Visitor,
    person: String,
}

/// An engine that thinks about a position.
struct Thinking {
    position: u64,
    caller: Arc<Caller>,
}

pub(super) struct LessonActor {
    lesson: Lesson,
    inner: Arc<Inner>,
    summary: Arc<Mutex<LessonSummary>>,
    own: mpsc::WeakSender<Input>,
    present: HashMap<u64, Present>,
    last_number: u64,
    /// The position that was asked about last, also where nobody had an answer.
    thinking: Option<Thinking>,
    unsaved: bool,
    /// Another server has the lesson now: this one says nothing more of it.
    taken_over: bool,
    /// The record is with those who took part.
    filed: bool,
    deserted_since: Option<Duration>,
    /// It came here, and nobody has entered since.
    awaits_since: Option<Duration>,
    /// Who is told when the lesson has been given away.
    giving: Option<oneshot::Sender<bool>>,
}

impl LessonActor {
    pub(super) fn new(
        lesson: Lesson,
        inner: Arc<Inner>,
        summary: Arc<Mutex<LessonSummary>>,
        own: mpsc::WeakSender<Input>,
        came: bool,
    ) -> Self {
        let awaits_since = came.then(|| inner.clock.monotonic());
        Self {
            lesson,
            inner,
            summary,
            own,
            present: HashMap::new(),
            last_number: 0,
            thinking: None,
            unsaved: false,
            taken_over: false,
            filed: false,
            deserted_since: None,
            awaits_since,
            giving: None,
        }
    }

    /// Works until the lesson is over and everybody gone, or the server stops.
    pub(super) async fn run(mut self, mut inputs: mpsc::Receiver<Input>) {
        loop {
            self.settle().await;
            if self.taken_over {
                self.inner.forget_lesson(self.lesson.id());
                return;
            }
            let input = tokio::select! {
                input = inputs.recv() => input,
                () = tokio::time::sleep(self.sleep_time()) => {
                    if self.is_abandoned() {
                        if self.filed {
                            break;
                        }
                        self.lesson.finish();
                    }
                    continue;
                }
            };
            let Some(input) = input else {
                return; // The server stops; the lesson stays in the store.
            };
            self.hear(input).await;
            if let Some(given) = self.giving.take()
                && self.give_away(&mut inputs, given).await
            {
                return;
            }
        }
        // Whoever found the lesson a moment ago finds its inbox closed and looks again.
        self.inner.forget_lesson(self.lesson.id());
        inputs.close();
    }

    /// Leaves the lesson to another server; false where it stays.
    async fn give_away(&self, inputs: &mut mpsc::Receiver<Input>, given: oneshot::Sender<bool>) -> bool {
        let id = self.lesson.id();
        let room = StoredRoom { id: id.to_owned(), state: self.lesson.to_kept(), saved_ms: self.inner.clock.unix_ms() };
        let gone = self.inner.saver.save(RoomChange::GiveAway { room }).await != Saved::NotYet;
        if gone {
            self.inner.forget_lesson(id);
            inputs.close();
        }
        let _ = given.send(gone); // Whoever asked may have gone.
        gone
    }

    fn linger(&self) -> Option<Duration> {
        Some(self.deserted_since? + if self.lesson.is_over() { LINGER_OVER } else { LINGER })
    }

    fn sleep_time(&self) -> Duration {
        let now = self.inner.clock.monotonic();
        let linger = self.linger().map(|until| until.saturating_sub(now));
        let retry = self.unsaved.then_some(RETRY);
        [linger, retry].into_iter().flatten().min().unwrap_or(LINGER).max(Duration::from_millis(1))
    }

    fn is_abandoned(&self) -> bool {
        !self.unsaved && self.linger().is_some_and(|until| until <= self.inner.clock.monotonic())
    }

    async fn hear(&mut self, input: Input) {
        match input {
            Input::Join { visitor, joined } => self.join(visitor, joined).await,
            Input::Leave { connection } => self.leave(connection),
            Input::Message { connection, text, .. } => self.message(connection, &text).await,
            Input::TellAll { connection } => self.catch_up(connection, None),
            Input::Forfeit { person } => {
                self.lesson.forget(&person.to_string());
                self.settle().await;
                self.show_out(person);
            }
            Input::Close => self.lesson.finish(),
            Input::GiveAway { given } => {
                let awaits = may_still_come(self.awaits_since, self.inner.clock.monotonic())
                    || self.inner.is_awaiting(self.lesson.id());
                if self.present.is_empty() && !self.unsaved && !awaits && !self.lesson.is_over() {
                    self.giving = Some(given);
                } else {
                    let _ = given.send(false); // Whoever asked may have gone.
                }
            }
            Input::Settled { settled } => {
                let _ = settled.send(()); // Whoever asked may have gone.
            }
            Input::Opinion { position, opinion } => {
                if let Some(opinion) = opinion {
                    self.lesson.opinion_found(position, opinion);
                }
            }
            // What only rooms hear.
            Input::Lag { .. }
            | Input::Reserve { .. }
            | Input::Decline { .. }
            | Input::CallOff
            | Input::EngineWaits { .. }
            | Input::EngineBegins { .. }
            | Input::EngineMoved { .. }
            | Input::DeadFound { .. } => {}
        }
    }

    async fn join(&mut self, visitor: Visitor, joined: oneshot::Sender<Option<u64>>) {
        let person = visitor.account.id.to_string();
        if !self.lesson.connected(&person, &visitor.account.name) {
            let _ = joined.send(None); // The client may have gone.
            return;
        }
        self.awaits_since = None;
        self.inner.lobby.connected(&visitor.account, self.lesson.id(), self.inner.clock.monotonic());
        self.settle().await;
        if self.taken_over {
            return;
        }
        self.last_number += 1;
        let connection = self.last_number;
        self.present.insert(connection, Present { visitor, person });
        // After the others were told, so that this is the first message and what follows it is new.
        self.catch_up(connection, None);
        if joined.send(Some(connection)).is_err() {
            self.leave(connection);
        }
    }

    fn leave(&mut self, connection: u64) {
        if let Some(gone) = self.present.remove(&connection) {
            self.lesson.disconnected(&gone.person);
            self.inner.lobby.disconnected(&gone.visitor.account, self.lesson.id(), self.inner.clock.monotonic());
        }
    }

    /// As for rooms: ends the connections of an account that is gone.
    fn show_out(&mut self, account: AccountId) {
        let of_account = |present: &Present| present.visitor.account.id == account;
        let gone: Vec<u64> =
            self.present.iter().filter(|(_, present)| of_account(present)).map(|(&number, _)| number).collect();
        for connection in gone {
            if let Some(present) = self.present.get(&connection) {
                present.visitor.mailbox.close();
            }
            self.leave(connection);
        }
        self.inner.lobby.forget(account);
    }

    async fn message(&mut self, connection: u64, text: &str) {
        let Some(present) = self.present.get(&connection) else { return };
        let person = present.person.clone();
        let now = self.inner.clock.monotonic();
        self.inner.lobby.saw(&present.visitor.account, now);
        let message = match LessonMessage::parse(text) {
            Ok(message) => message,
            Err(refusal) => return self.send(connection, &self.lesson.message(Body::refused(&refusal, id_of(text)))),
        };
        if let LessonRequest::Sync { after } = message.request {
            self.catch_up(connection, after);
            return self.acknowledge(connection, message.id);
        }
        let begun = Instant::now();
        let done = self.lesson.handle(&person, &message, Now::at(now));
        self.settle().await;
        if self.taken_over {
            return;
        }
        self.inner.metrics.handled(begun.elapsed(), done.is_err());
        match done {
            Ok(()) => self.acknowledge(connection, message.id),
            Err(refusal) => self.send(connection, &self.lesson.message(Body::refused(&refusal, message.id))),
        }
    }

    /// Says that a message was done, where it has a number.
    fn acknowledge(&self, connection: u64, id: Option<u64>) {
        if let Some(id) = id {
            self.send(connection, &self.lesson.message(Body::Ack { id }));
        }
    }

    fn send(&self, connection: u64, message: &ServerMessage) {
        if let Some(present) = self.present.get(&connection) {
            present.visitor.mailbox.put(message.to_json().into());
        }
    }

    /// Tells somebody how the lesson stands; everything where nothing is known of what was heard.
    fn catch_up(&self, connection: u64, after: Option<u64>) {
        let Some(present) = self.present.get(&connection) else { return };
        for message in self.lesson.catch_up(&present.person, after) {
            self.send(connection, &message);
        }
    }

    /// Keeps what changed, then tells everybody, then lets the engine know.
    async fn settle(&mut self) {
        let letters = self.lesson.take_letters();
        if self.lesson.take_changed() || self.unsaved {
            self.save().await;
        }
        if self.taken_over {
            return;
        }
        *self.summary.lock() = LessonSummary::of(&self.lesson);
        for letter in letters {
            let text: Utf8Bytes = letter.message.to_json().into();
            let meant = |present: &&Present| letter.to.as_ref().is_none_or(|to| *to == present.person);
            for present in self.present.values().filter(meant) {
                present.visitor.mailbox.put(text.clone());
            }
        }
        self.deserted_since = match (self.present.is_empty(), self.deserted_since) {
            (true, None) => Some(self.inner.clock.monotonic()),
            (true, since) => since,
            (false, _) => None,
        };
        self.ask_engine();
    }

    async fn save(&mut self) {
        let now_ms = self.inner.clock.unix_ms();
        let id = self.lesson.id().to_owned();
        let change = if !self.lesson.is_over() {
            RoomChange::Save { room: StoredRoom { id, state: self.lesson.to_kept(), saved_ms: now_ms }, finished: None }
        } else if self.filed {
            return;
        } else if self.lesson.is_worth_keeping() {
            RoomChange::Finish { id, lesson: Box::new(finished(&self.lesson, now_ms)) }
        } else {
            RoomChange::Remove { id }
        };
        let saved = self.inner.saver.save(change).await;
        self.unsaved = saved != Saved::Yes;
        self.taken_over = saved == Saved::TakenOver;
        if self.lesson.is_over() && !self.unsaved {
            self.filed = true;
            self.give_record();
        }
    }

    /// Has the record put into the libraries of those who took part.
    fn give_record(&self) {
        let accounts: Vec<AccountId> = participants(&self.lesson);
        let room = self.lesson.id().to_owned();
        let people = accounts.into_iter().map(|account| account.0).collect();
        self.inner.report(GameEnd { room, rated: false, result: None, people });
    }

    fn ask_engine(&mut self) {
        let wanted = self.lesson.wants_opinion();
        let position = wanted.as_ref().map(|(position, _)| *position);
        if let Some(thinking) = &self.thinking
            && Some(thinking.position) != position
        {
            thinking.caller.stop().set();
            self.thinking = None;
        }
        let (Some((position, game)), None) = (wanted, &self.thinking) else { return };
        let (game, caller) = (game.clone(), Arc::new(Caller::new()));
        self.thinking = Some(Thinking { position, caller: Arc::clone(&caller) });
        let (inner, own) = (Arc::clone(&self.inner), self.own.clone());
        tokio::spawn(async move {
            let place = inner.engines.place().await;
            if caller.stop().is_set() {
                return;
            }
            let opinion = tokio::task::spawn_blocking(move || {
                let opinion = inner.engines.opinion(&game, &caller);
                drop(place);
                opinion
            })
            .await
            .unwrap_or_else(|error| {
                tracing::error!(%error, "an engine panicked");
                None
            });
            if let Some(own) = own.upgrade() {
                let _ = own.send(Input::Opinion { position, opinion }).await;
            }
        });
    }
}

impl Drop for LessonActor {
    fn drop(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.caller.stop().set();
        }
    }
}

fn participants(lesson: &Lesson) -> Vec<AccountId> {
    lesson.participants().filter_map(|id| id.parse().ok().map(AccountId)).collect()
}

fn finished(lesson: &Lesson, ended_ms: i64) -> FinishedLesson {
    let record = lesson.record(u64::try_from(ended_ms / 1000).unwrap_or_default());
    FinishedLesson {
        room: lesson.id().to_owned(),
        people: participants(lesson),
        title: lesson.title().to_owned(),
        teacher: lesson.teacher().to_owned(),
        moves: record.node_count().saturating_sub(1) as u32,
        ended_ms,
        sgf: record.to_sgf(),
    }
}
