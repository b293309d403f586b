//! A room in which a lesson is given: what sets it apart from a game.

use super::actor::{Input, Kind, LINGER, LINGER_OVER};
use super::engines::Thinking;
use super::registry::{Handle, Registry};
use super::saver::Saved;
use super::session::{Session, Visitor};
use crate::peers::GameEnd;
use honinbo_library::{AccountId, FinishedLesson, RoomChange, StoredRoom};
use honinbo_rooms::{Body, Lesson, LessonMessage, LessonRequest, Now, Refusal, ServerMessage};
use serde::{Deserialize, Serialize};
use std::time::Duration;

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

pub(super) struct LessonRoom {
    lesson: Lesson,
    /// The position that was asked about last, also where nobody had an answer.
    thinking: Option<Thinking<u64>>,
    /// The record is with those who took part.
    filed: bool,
}

impl LessonRoom {
    pub(super) fn new(lesson: Lesson) -> Self {
        Self { lesson, thinking: None, filed: false }
    }

    fn ask_engine(&mut self, session: &Session) {
        let wanted = self.lesson.wants_opinion();
        let position = wanted.as_ref().map(|(position, _)| *position);
        if self.thinking.as_ref().is_some_and(|thinking| Some(thinking.about) != position) {
            self.thinking = None;
        }
        let (Some((position, game)), None) = (wanted, &self.thinking) else { return };
        let game = game.clone();
        let (thinking, caller) = Thinking::about(position);
        self.thinking = Some(thinking);
        session.ask(
            move |engines| if caller.stop().is_set() { None } else { engines.opinion(&game, &caller) },
            move |opinion| Input::Opinion { position, opinion: opinion.flatten() },
        );
    }
}

impl Kind for LessonRoom {
    type Request = LessonRequest;
    type Summary = LessonSummary;

    fn summary(&self) -> LessonSummary {
        LessonSummary::of(&self.lesson)
    }

    fn register(registry: &mut Registry, key: String, handle: Handle<LessonSummary>) {
        registry.lessons.insert(key, handle);
    }

    fn to_kept(&self, _: Duration) -> String {
        self.lesson.to_kept()
    }

    fn message(&self, _: u64, body: Body) -> ServerMessage {
        self.lesson.message(body)
    }

    fn may_move(&self) -> bool {
        !self.lesson.is_over()
    }

    fn enter(&mut self, visitor: &Visitor, _: Now) -> bool {
        self.lesson.connected(&visitor.account.id.to_string(), &visitor.account.name)
    }

    /// Everything, whatever the client has heard before.
    fn entered(&mut self, session: &Session, connection: u64, _: Option<u64>) {
        self.catch_up(session, connection, None, session.now());
    }

    fn left(&mut self, _: u64, person: &str, _: Now) {
        self.lesson.disconnected(person);
    }

    fn catch_up(&self, session: &Session, connection: u64, after: Option<u64>, _: Now) {
        let Some(present) = session.present.get(&connection) else { return };
        for message in self.lesson.catch_up(&present.person, after) {
            session.send(connection, &message);
        }
    }

    fn sync(&self, session: &Session, connection: u64, request: &LessonRequest, now: Now) -> bool {
        let LessonRequest::Sync { after } = *request else { return false };
        self.catch_up(session, connection, after, now);
        true
    }

    fn handle(&mut self, [person, _]: [&str; 2], message: &LessonMessage, now: Now) -> Result<(), Refusal> {
        self.lesson.handle(person, message, now)
    }

    fn hear(&mut self, input: Input, _: &Session, _: Now) {
        // The rest is for games.
        if let Input::Opinion { position, opinion: Some(opinion) } = input {
            self.lesson.opinion_found(position, opinion);
        }
    }

    fn forget(&mut self, person: &str, _: Now) {
        self.lesson.forget(person);
    }

    fn close(&mut self, _: Now) {
        self.lesson.finish();
    }

    fn linger(&self) -> Option<Duration> {
        Some(if self.lesson.is_over() { LINGER_OVER } else { LINGER })
    }

    /// One that nobody has ended ends first.
    fn is_done(&mut self) -> bool {
        if !self.filed {
            self.lesson.finish();
        }
        self.filed
    }

    fn take_changed(&mut self) -> bool {
        self.lesson.take_changed()
    }

    fn to_save(&self, session: &Session) -> Option<RoomChange> {
        let (id, now_ms) = (session.key.clone(), session.inner.clock.unix_ms());
        if !self.lesson.is_over() {
            let room = StoredRoom { id, state: self.lesson.to_kept(), saved_ms: now_ms };
            Some(RoomChange::Save { room, finished: None })
        } else if self.filed {
            None
        } else if self.lesson.is_worth_keeping() {
            Some(RoomChange::Finish { id, lesson: Box::new(finished(&self.lesson, now_ms)) })
        } else {
            Some(RoomChange::Remove { id })
        }
    }

    /// Has the record put into the libraries of those who took part, once it is kept.
    async fn saved(&mut self, session: &Session, saved: Saved, _: Duration) {
        if self.lesson.is_over() && saved == Saved::Yes {
            self.filed = true;
            let people = participants(&self.lesson).into_iter().map(|account| account.0).collect();
            session.inner.report(GameEnd { room: session.key.clone(), rated: false, result: None, people });
        }
    }

    fn publish(&mut self, session: &Session) {
        for letter in self.lesson.take_letters() {
            let text = letter.message.to_json().into();
            session.put_to(&text, |_, person| letter.to.as_ref().is_none_or(|to| to == person));
        }
        self.ask_engine(session);
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
