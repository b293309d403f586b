//! All servers: which are asked, which rest, and the thread that looks whether they are back.
//!
//! Each member's state is behind a lock of its own, held for moments only and never while a server is waited for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use honinbo_evaluator::EvalRequest;
use honinbo_net::{Codec, NetworkOutputs};
use parking_lot::{Condvar, Mutex};

use crate::client::{Client, Served};
use crate::error::EndpointError;
use crate::fingerprint::Fingerprint;
use crate::message::{Inferred, Question, Wire};

/// How long servers are waited for and left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For a connection.
    pub connect: Duration,
    /// For an answer.
    pub deadline: Duration,
    /// Servers that are asked for one batch, one after the other, before this machine computes it.
    pub attempts: usize,
    /// The rest of a server after its first failure; each further one doubles it.
    pub first_rest: Duration,
    /// The longest rest, and the rest of those that are not to be used.
    pub longest_rest: Duration,
    /// For the first server, when the program starts.
    pub start: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(2),
            deadline: Duration::from_secs(10),
            attempts: 3,
            first_rest: Duration::from_millis(500),
            longest_rest: Duration::from_secs(30),
            start: Duration::from_secs(5),
        }
    }
}

/// What is known of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointPhase {
    /// Nothing yet.
    Unknown,
    /// It serves the network.
    Ready,
    /// It failed, and is looked for again soon.
    Resting,
    /// It is not to be used before somebody changes something.
    Refused,
}

/// A server as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointStatus {
    /// Its address.
    pub address: String,
    /// What is known of it.
    pub phase: EndpointPhase,
    /// Batches that it answered.
    pub answered: u64,
    /// Batches that it failed to answer.
    pub failed: u64,
    /// What was wrong last; `None` while all is well.
    pub error: Option<EndpointError>,
}

/// Batches that one server is asked for at a time: one that hangs binds no more threads than these.
const MAX_IN_FLIGHT: usize = 32;
/// A second server is asked after the usual time of the first and this many of its usual deviations.
const HEDGE_DEVIATIONS: f64 = 4.0;
/// ... and never earlier or later than this.
const HEDGE: (Duration, Duration) = (Duration::from_millis(30), Duration::from_secs(2));
/// One of so many batches may be asked for twice: where all servers are slow, more questions make them slower.
const HEDGED: u64 = 10;
/// ... after so many.
const FREELY_HEDGED: u64 = 16;
/// What was measured counts half after so long, so that a server that was slow is tried again.
const FORGOTTEN: Duration = Duration::from_secs(10);
/// How often the servers are looked through at least.
const MAX_NAP: Duration = Duration::from_millis(100);
/// Weight of a new measurement.
const WEIGHT: f64 = 0.2;

pub(crate) struct Fleet {
    pub(crate) codec: Codec,
    pub(crate) patience: Patience,
    members: Vec<Arc<Member>>,
    fingerprint: Fingerprint,
    /// Batches asked for, and those asked for twice.
    asked: AtomicU64,
    hedged: AtomicU64,
    /// Guards nothing: signalled when a member changes and at the end.
    changed: Condvar,
    changes: Mutex<()>,
    closed: AtomicBool,
}

/// A server that is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) index: usize,
    pub(crate) wire: Wire,
    /// Columns and rows of the buffer that boards are put into.
    pub(crate) buffer: (usize, usize),
    pub(crate) asked_at: Instant,
    /// Its outages before it was chosen.
    outages: u64,
    /// Without an answer by then another one is asked as well.
    pub(crate) hedge_at: Instant,
}

pub(crate) struct Member {
    client: Client,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: EndpointPhase,
    served: Option<Served>,
    /// The version of the model that was compared with the network here, as its answers name it.
    model_version: String,
    /// It is looked at.
    probing: bool,
    /// Not asked before.
    rests_until: Instant,
    /// Failures since its last answer.
    failures: u32,
    /// All times that it failed. A request that fails and was chosen before the last of them is part of that one.
    outages: u64,
    in_flight: usize,
    /// It answered since it was looked at.
    tried: bool,
    /// Seconds to an answer, and their mean deviation; 0 before the first.
    latency: f64,
    deviation: f64,
    last_answer: Instant,
    answered: u64,
    failed: u64,
    error: Option<EndpointError>,
}

impl State {
    fn new(now: Instant) -> Self {
        Self {
            phase: EndpointPhase::Unknown,
            served: None,
            model_version: String::new(),
            probing: false,
            rests_until: now,
            failures: 0,
            outages: 0,
            in_flight: 0,
            tried: false,
            latency: 0.0,
            deviation: 0.0,
            last_answer: now,
            answered: 0,
            failed: 0,
            error: None,
        }
    }

    fn measured(&mut self, taken: Duration, now: Instant) {
        let taken = taken.as_secs_f64();
        if self.latency == 0.0 {
            (self.latency, self.deviation) = (taken, taken / 2.0);
        } else {
            self.deviation += WEIGHT * ((taken - self.latency).abs() - self.deviation);
            self.latency += WEIGHT * (taken - self.latency);
        }
        self.last_answer = now;
        self.failures = 0;
        self.error = None;
    }

    fn fail(&mut self, error: EndpointError, patience: &Patience, now: Instant) {
        let doubled = patience.first_rest.saturating_mul(1 << self.failures.min(16));
        self.failures += 1;
        self.outages += 1;
        let (rest, phase) = match &error {
            // It was asked properly and said when to come back: nothing is to be looked at anew.
            EndpointError::Busy { retry_after: Some(wanted), .. } => ((*wanted).max(patience.first_rest), self.phase),
            EndpointError::Busy { .. } => (doubled, self.phase),
            error if error.is_lasting() => (patience.longest_rest, EndpointPhase::Refused),
            _ => (doubled, EndpointPhase::Resting),
        };
        let rest = if matches!(&error, EndpointError::Busy { retry_after: Some(_), .. }) {
            rest
        } else {
            rest.min(patience.longest_rest)
        };
        self.rests_until = now + rest;
        self.phase = phase;
        self.error = Some(error);
    }

    /// Notes that a request failed which was chosen after so many outages. What was under way when the server failed fails
    /// with it: one broken connection is one failure, and the rest that it began with stands.
    fn fail_request(&mut self, outages: u64, error: EndpointError, patience: &Patience, now: Instant) {
        self.failed += 1;
        if outages == self.outages {
            self.fail(error, patience, now);
        } else if let EndpointError::Busy { retry_after: Some(wanted), .. } = &error {
            // When it wants to be asked again it says of itself, not of that request.
            self.rests_until = self.rests_until.max(now + *wanted);
            self.error = Some(error);
        }
    }

    /// Notes that an answer to a request that was chosen after so many outages came from another version of the model than
    /// was compared: it is looked at before it is asked again.
    fn found_replaced(&mut self, outages: u64, error: EndpointError, now: Instant) {
        self.failed += 1;
        if outages == self.outages {
            self.outages += 1;
            (self.phase, self.rests_until, self.error) = (EndpointPhase::Resting, now, Some(error));
        }
    }

    fn is_free(&self, now: Instant) -> bool {
        self.phase == EndpointPhase::Ready && self.rests_until <= now && self.in_flight < MAX_IN_FLIGHT
    }

    /// Seconds that it would take, as far as they are known: the first question after a look is free, because servers are
    /// looked at all at once, which measures this machine more than them.
    fn cost(&self, now: Instant) -> f64 {
        let idle = now.saturating_duration_since(self.last_answer).as_secs_f64();
        let questions = self.in_flight + usize::from(self.tried);
        questions as f64 * self.latency * 0.5f64.powf(idle / FORGOTTEN.as_secs_f64())
    }
}

impl Member {
    pub(crate) fn address(&self) -> String {
        self.client.endpoint().to_string()
    }

    fn status(&self) -> EndpointStatus {
        let state = self.state.lock();
        EndpointStatus {
            address: self.address(),
            phase: state.phase,
            answered: state.answered,
            failed: state.failed,
            error: state.error.clone(),
        }
    }
}

impl Fleet {
    /// Begins to look at all servers.
    pub(crate) fn start(
        clients: Vec<Client>,
        codec: Codec,
        fingerprint: Fingerprint,
        patience: Patience,
    ) -> std::io::Result<Arc<Self>> {
        let now = Instant::now();
        let member = |client| Arc::new(Member { client, state: Mutex::new(State::new(now)) });
        let fleet = Arc::new(Self {
            codec,
            patience,
            members: clients.into_iter().map(member).collect(),
            fingerprint,
            asked: AtomicU64::new(0),
            hedged: AtomicU64::new(0),
            changed: Condvar::new(),
            changes: Mutex::new(()),
            closed: AtomicBool::new(false),
        });
        let weak = Arc::downgrade(&fleet);
        std::thread::Builder::new().name("inference".into()).spawn(move || keep(&weak))?;
        Ok(fleet)
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        let _order = self.changes.lock();
        self.changed.notify_all();
    }

    /// Waits until something may have changed, for so long at most.
    pub(crate) fn wait(&self, time: Duration) {
        let mut changes = self.changes.lock();
        self.changed.wait_for(&mut changes, time);
    }

    pub(crate) fn status(&self) -> Vec<EndpointStatus> {
        self.members.iter().map(|member| member.status()).collect()
    }

    /// Whether some server can be asked now.
    pub(crate) fn is_answering(&self) -> bool {
        let now = Instant::now();
        self.members.iter().any(|member| {
            let state = member.state.lock();
            state.phase == EndpointPhase::Ready && state.rests_until <= now
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.members.len()
    }

    /// The server that will answer soonest for a board of that size, but for those of these numbers; it counts as asked
    /// from now on.
    pub(crate) fn choose(&self, size: (usize, usize), but_for: &[usize]) -> Option<Chosen> {
        let now = Instant::now();
        let turns = self.asked.load(Ordering::Relaxed) as usize;
        let others = self.members.iter().enumerate().filter(|(index, _)| !but_for.contains(index));
        let costs = others.filter_map(|(index, member)| {
            let state = member.state.lock();
            let served = state.served.filter(|_| state.is_free(now))?;
            let buffer = served.graph.buffer_for(size)?;
            let late = Duration::from_secs_f64(state.latency + HEDGE_DEVIATIONS * state.deviation);
            let chosen = Chosen {
                index,
                wire: served.wire,
                buffer,
                asked_at: now,
                outages: state.outages,
                hedge_at: now + late.clamp(HEDGE.0, HEDGE.1),
            };
            // In turn among equals.
            Some((state.cost(now), (index + turns) % self.members.len(), chosen))
        });
        let best = costs.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?.2;
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.members[best.index].state.lock().in_flight += 1;
        Some(best)
    }

    /// Notes that a member that was asked so long ago has not answered yet. Whether another one may be asked as well; if
    /// so it counts as that.
    pub(crate) fn is_late(&self, index: usize, since: Duration) -> bool {
        let mut state = self.members[index].state.lock();
        state.latency = state.latency.max(since.as_secs_f64());
        drop(state);
        let few = self.hedged.load(Ordering::Relaxed) < FREELY_HEDGED + self.asked.load(Ordering::Relaxed) / HEDGED;
        if few {
            self.hedged.fetch_add(1, Ordering::Relaxed);
        }
        few
    }

    /// What a chosen member is asked about positions of one board size.
    pub(crate) fn question(&self, chosen: Chosen, requests: &[EvalRequest<'_>]) -> Question {
        let inputs = self.codec.encode(requests, chosen.buffer);
        let model = self.members[chosen.index].client.model();
        Question::new(self.codec.header(), &inputs, chosen.wire, model)
    }

    /// Takes back that a member was chosen.
    pub(crate) fn let_go(&self, index: usize) {
        self.members[index].state.lock().in_flight -= 1;
    }

    /// Has a member that was chosen compute, and notes how that went. An answer of another version of its model than was
    /// compared with the network here is none.
    pub(crate) fn ask(&self, chosen: Chosen, question: &Question) -> Result<NetworkOutputs, EndpointError> {
        let member = &self.members[chosen.index];
        let began = Instant::now();
        let answer = member.client.infer(self.codec.header(), question, self.patience.deadline);
        let now = Instant::now();
        let mut state = member.state.lock();
        state.in_flight -= 1;
        let answer = match answer {
            Ok(inferred) if inferred.model_version != state.model_version => {
                let error = EndpointError::ModelReplaced { model: member.client.model().to_owned() };
                tracing::info!(server = %member.client.endpoint(), %error, "an inference server is looked at again");
                state.found_replaced(chosen.outages, error.clone(), now);
                Err(error)
            }
            Ok(inferred) => {
                state.answered += 1;
                state.tried = true;
                state.measured(now.saturating_duration_since(began), now);
                Ok(inferred.outputs)
            }
            Err(error) => {
                tracing::warn!(server = %member.client.endpoint(), %error, "an inference server failed");
                state.fail_request(chosen.outages, error.clone(), &self.patience, now);
                Err(error)
            }
        };
        drop(state);
        if answer.is_err() {
            self.wake();
        }
        answer
    }

    /// Looks whether a server serves the network, and in which version of its model.
    fn probe(&self, member: &Member) -> Result<(Served, String, Duration), EndpointError> {
        let client = &member.client;
        let header = self.codec.header();
        let served = client.describe(header, self.patience.deadline)?;
        let requests = self.fingerprint.requests();
        let size = requests[0].game.board().size();
        let other = |difference| EndpointError::OtherNetwork { model: client.model().to_owned(), difference };
        let buffer = served.graph.buffer_for((size.width(), size.height()));
        let buffer = buffer.ok_or_else(|| other("it takes smaller boards alone".into()))?;
        let question = Question::new(header, &self.codec.encode(&requests, buffer), served.wire, client.model());
        let began = Instant::now();
        let Inferred { outputs, model_version } = client.infer(header, &question, self.patience.deadline)?;
        let taken = began.elapsed();
        let decode = |(index, request)| self.codec.decode(request, &outputs, index, buffer);
        let answers: Result<Vec<_>, _> = requests.iter().enumerate().map(decode).collect();
        match answers {
            Ok(answers) => match self.fingerprint.difference(&answers) {
                None => Ok((served, model_version, taken)),
                Some(difference) => Err(other(difference)),
            },
            Err(error) => Err(other(error.to_string())),
        }
    }

    /// Looks at every server whose rest is over, each on a thread of its own. Answers when the next one is due.
    fn look(self: &Arc<Self>) -> Duration {
        let now = Instant::now();
        let mut next = self.patience.longest_rest;
        for index in 0..self.members.len() {
            let member = &self.members[index];
            let mut state = member.state.lock();
            if state.phase == EndpointPhase::Ready || state.probing {
                continue;
            }
            if state.rests_until > now {
                next = next.min(state.rests_until - now);
                continue;
            }
            state.probing = true;
            drop(state);
            let fleet = Arc::clone(self);
            let look = move || {
                let member = &fleet.members[index];
                let found = fleet.probe(member);
                let now = Instant::now();
                let mut state = member.state.lock();
                state.probing = false;
                match found {
                    Ok((served, model_version, taken)) => {
                        tracing::info!(server = %member.client.endpoint(), "an inference server answers");
                        (state.served, state.phase, state.rests_until) = (Some(served), EndpointPhase::Ready, now);
                        state.model_version = model_version;
                        (state.latency, state.deviation, state.tried) = (0.0, 0.0, false);
                        state.measured(taken, now);
                    }
                    Err(error) => {
                        if state.error.as_ref() != Some(&error) {
                            tracing::warn!(server = %member.client.endpoint(), %error, "an inference server is not asked");
                        }
                        // One that is busy was not looked at.
                        if state.phase == EndpointPhase::Ready {
                            state.phase = EndpointPhase::Resting;
                        }
                        let unknown = state.phase == EndpointPhase::Unknown;
                        state.fail(error, &fleet.patience, now);
                        if unknown && state.phase == EndpointPhase::Unknown {
                            state.phase = EndpointPhase::Resting;
                        }
                    }
                }
                drop(state);
                fleet.wake();
            };
            if std::thread::Builder::new().name("inference-look".into()).spawn(look).is_err() {
                let mut state = self.members[index].state.lock();
                state.probing = false;
                state.rests_until = now + self.patience.first_rest;
            }
        }
        next
    }
}

/// Looks after the servers until nobody needs them any more.
fn keep(fleet: &Weak<Fleet>) {
    loop {
        let Some(fleet) = fleet.upgrade() else { return };
        if fleet.closed.load(Ordering::SeqCst) {
            return;
        }
        let next = fleet.look();
        // Woken by whatever changes; by itself when a rest is over.
        let mut changes = fleet.changes.lock();
        if !fleet.closed.load(Ordering::SeqCst) {
            fleet.changed.wait_for(&mut changes, next.clamp(Duration::from_millis(5), MAX_NAP));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unreachable() -> EndpointError {
        EndpointError::Unreachable { reason: "no route".into() }
    }

    #[test]
    fn a_server_rests_twice_as_long_after_each_failure_and_half_a_minute_at_most() {
        let now = Instant::now();
        let (mut state, patience) = (State::new(now), Patience::default());
        let mut rests = Vec::new();
        for _ in 0..8 {
            state.phase = EndpointPhase::Ready;
            state.fail(unreachable(), &patience, now);
            assert_eq!(state.phase, EndpointPhase::Resting);
            rests.push((state.rests_until - now).as_millis());
        }
        assert_eq!(rests, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
        state.measured(Duration::from_millis(10), now);
        state.fail(unreachable(), &patience, now);
        assert_eq!(state.rests_until - now, Duration::from_millis(500), "an answer forgives");
    }

    #[test]
    fn requests_that_fail_together_are_one_failure() {
        let now = Instant::now();
        let (mut state, patience) = (State::new(now), Patience::default());
        state.phase = EndpointPhase::Ready;
        for _ in 0..32 {
            state.fail_request(0, unreachable(), &patience, now);
        }
        assert_eq!((state.failed, state.rests_until - now), (32, Duration::from_millis(500)));
        // It answered again meanwhile: one that was asked before that says nothing new of it.
        state.phase = EndpointPhase::Ready;
        state.measured(Duration::from_millis(10), now);
        let outages = state.outages;
        state.fail_request(0, unreachable(), &patience, now);
        assert_eq!((state.phase, &state.error), (EndpointPhase::Ready, &None));
        state.fail_request(outages, unreachable(), &patience, now);
        assert_eq!((state.phase, state.rests_until - now), (EndpointPhase::Resting, Duration::from_millis(500)));
        let busy = EndpointError::Busy { message: "full".into(), retry_after: Some(Duration::from_secs(70)) };
        state.fail_request(outages, busy, &patience, now);
        assert_eq!(state.rests_until - now, Duration::from_secs(70), "as long as it says itself");
    }

    #[test]
    fn a_busy_server_says_itself_when_to_come_back_and_a_wrong_one_is_left_alone() {
        let now = Instant::now();
        let (mut state, patience) = (State::new(now), Patience::default());
        state.phase = EndpointPhase::Ready;
        let busy = |retry_after| EndpointError::Busy { message: "full".into(), retry_after };
        state.fail(busy(Some(Duration::from_secs(70))), &patience, now);
        assert_eq!((state.phase, state.rests_until - now), (EndpointPhase::Ready, Duration::from_secs(70)));
        assert!(!state.is_free(now) && state.is_free(now + Duration::from_secs(70)));
        state.fail(busy(Some(Duration::ZERO)), &patience, now);
        assert_eq!(state.rests_until - now, Duration::from_millis(500));
        state.fail(EndpointError::NotFinite { output: "value" }, &patience, now);
        assert_eq!((state.phase, state.rests_until - now), (EndpointPhase::Refused, Duration::from_secs(30)));
    }

    #[test]
    fn what_was_slow_long_ago_is_tried_again() {
        let now = Instant::now();
        let mut slow = State::new(now);
        slow.measured(Duration::from_millis(800), now);
        let mut fast = State::new(now);
        fast.measured(Duration::from_millis(10), now);
        assert_eq!((slow.cost(now), fast.cost(now)), (0.0, 0.0), "both are tried once");
        (slow.tried, fast.tried) = (true, true);
        assert!(slow.cost(now) > fast.cost(now));
        fast.in_flight = 3;
        assert!((fast.cost(now) - 0.04).abs() < 1e-9);
        assert!(slow.cost(now + 10 * FORGOTTEN) < 0.001);
    }
}
