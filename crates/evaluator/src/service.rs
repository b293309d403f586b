//! One door to a network for everybody who asks.
//!
//! Any number of searches and connections hand their positions in; a few threads take them out in batches, what a person
//! waits for before batch work. Whoever stops takes their positions back out of the queue.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use honinbo_rules::Game;
use parking_lot::{Condvar, Mutex};

use crate::evaluation::{EvalParams, EvalRequest, Evaluation};
use crate::evaluator::{BatchLimits, EvalError, Evaluator};
use crate::stop::StopFlag;

/// Whose turn it is when there is more to do than can be done at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// A person waits for it.
    Live,
    /// It may take its time: sweeps through whole games, matches.
    Batch,
}

/// After so many turns of live work only, one waiting position of batch work comes along: it goes on, however much live
/// work there is, and delays that by an eighth at most.
const MAX_LIVE_TURNS: usize = 8;

/// How a service works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceOptions {
    /// Threads that take positions out of the queue.
    pub workers: usize,
    /// Positions taken out at once at most; fewer where the evaluator's own limits leave each worker fewer.
    pub batch: usize,
    /// Positions of each priority that may wait; whoever brings more waits before they are taken in.
    pub queue: usize,
}

impl ServiceOptions {
    /// Options that suit an evaluator with so many sessions.
    #[must_use]
    pub fn for_sessions(sessions: usize, batch: usize) -> Self {
        Self { workers: sessions.max(1), batch: batch.max(1), queue: 4096 }
    }
}

/// What a service has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ServiceStats {
    /// Positions evaluated.
    pub evaluated: u64,
    /// Batches they came in.
    pub batches: u64,
    /// Positions taken back before their turn.
    pub cancelled: u64,
    /// Positions waiting now.
    pub waiting: usize,
}

/// Runs an evaluator for many callers. Dropping it closes it; see [`EvalService::close`].
pub struct EvalService {
    shared: Arc<Shared>,
    /// Held while they end, so that everybody who closes the service waits for that.
    workers: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    evaluator: Arc<dyn Evaluator>,
    options: ServiceOptions,
    state: Mutex<State>,
    /// Something came into the queue, or the service closes.
    arrived: Condvar,
    /// Something left the queue.
    left: Condvar,
}

#[derive(Default)]
struct State {
    live: VecDeque<Job>,
    batch: VecDeque<Job>,
    /// Turns since batch work had one while it waited.
    passed_over: usize,
    closed: bool,
    stats: ServiceStats,
}

struct Job {
    game: Game,
    params: EvalParams,
    stop: StopFlag,
    ticket: Arc<Ticket>,
    index: usize,
}

/// One caller's positions.
struct Ticket {
    answers: Mutex<Answers>,
    changed: Condvar,
}

struct Answers {
    found: Vec<Option<Evaluation>>,
    missing: usize,
    failure: Option<EvalError>,
}

/// How often a waiting caller looks at its stop flag.
const LOOK: Duration = Duration::from_millis(5);

impl EvalService {
    /// Starts the threads.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: ServiceOptions) -> Self {
        let shared = Arc::new(Shared {
            evaluator,
            options,
            state: Mutex::default(),
            arrived: Condvar::new(),
            left: Condvar::new(),
        });
        let workers = (0..options.workers.max(1))
            .map(|_| {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || shared.work())
            })
            .collect();
        Self { shared, workers: Mutex::new(workers) }
    }

    /// An evaluator whose questions wait in this service's queue. May be kept longer than the service.
    #[must_use]
    pub fn handle(&self, priority: Priority) -> ServiceEvaluator {
        ServiceEvaluator { shared: Arc::clone(&self.shared), priority, _service: None }
    }

    /// As [`EvalService::handle`], for somebody who may keep it longer than anybody else keeps the service: it goes on as
    /// long as this does, unless it is closed.
    #[must_use]
    pub fn lasting_handle(self: &Arc<Self>, priority: Priority) -> ServiceEvaluator {
        ServiceEvaluator { _service: Some(Arc::clone(self)), ..self.handle(priority) }
    }

    /// Ends its threads, and waits until they have finished what they compute. Whoever still waits for an answer, or asks
    /// later, gets [`EvalError::Closed`].
    pub fn close(&self) {
        let abandoned: Vec<Job> = {
            let mut state = self.shared.state.lock();
            state.closed = true;
            let state = &mut *state;
            state.live.drain(..).chain(state.batch.drain(..)).collect()
        };
        self.shared.arrived.notify_all();
        self.shared.left.notify_all();
        for job in abandoned {
            job.ticket.fail(EvalError::Closed);
        }
        for worker in self.workers.lock().drain(..) {
            // A worker that panicked has nothing more to say.
            let _ = worker.join();
        }
    }

    /// What it has done so far.
    #[must_use]
    pub fn stats(&self) -> ServiceStats {
        self.shared.state.lock().stats()
    }
}

impl Drop for EvalService {
    fn drop(&mut self) {
        self.close();
    }
}

impl std::fmt::Debug for EvalService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvalService").field("options", &self.shared.options).finish_non_exhaustive()
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.live.len() + self.batch.len()
    }

    fn stats(&self) -> ServiceStats {
        ServiceStats { waiting: self.waiting(), ..self.stats }
    }

    fn queue(&mut self, priority: Priority) -> &mut VecDeque<Job> {
        match priority {
            Priority::Live => &mut self.live,
            Priority::Batch => &mut self.batch,
        }
    }

    /// The next positions for one worker, and not more than its share, so that all workers have some. Live ones go
    /// first, and take others along only where that costs them nothing or those have waited for long.
    fn take(&mut self, options: &ServiceOptions, limits: BatchLimits) -> Vec<Job> {
        let workers = options.workers.max(1);
        let batch = options.batch.min(limits.max.div_ceil(workers)).max(1);
        // So many positions take one worker no longer than one does.
        let at_no_cost = limits.preferred.div_ceil(workers).clamp(1, batch);
        let share = |waiting: usize| waiting.div_ceil(workers).min(batch);
        let mut jobs = Vec::new();
        self.take_from(Priority::Live, share(self.live.len()), &mut jobs);
        let beside = if jobs.is_empty() {
            share(self.batch.len())
        } else if self.passed_over >= MAX_LIVE_TURNS {
            at_no_cost.saturating_sub(jobs.len()).max(1)
        } else {
            at_no_cost.saturating_sub(jobs.len())
        };
        let live = jobs.len();
        self.take_from(Priority::Batch, beside, &mut jobs);
        self.passed_over = if jobs.len() > live || self.batch.is_empty() { 0 } else { self.passed_over + 1 };
        jobs
    }

    /// Up to `most` positions that somebody still wants.
    fn take_from(&mut self, priority: Priority, most: usize, jobs: &mut Vec<Job>) {
        let all = jobs.len() + most;
        while jobs.len() < all {
            let Some(job) = self.queue(priority).pop_front() else { return };
            if job.stop.is_set() {
                self.stats.cancelled += 1;
                job.ticket.fail(EvalError::Cancelled);
            } else {
                jobs.push(job);
            }
        }
    }
}

impl Shared {
    fn work(&self) {
        loop {
            let jobs = {
                let mut state = self.state.lock();
                while state.waiting() == 0 {
                    if state.closed {
                        return;
                    }
                    self.arrived.wait(&mut state);
                }
                // Asked anew each time: a processor that takes over from a card wants smaller batches.
                state.take(&self.options, self.evaluator.limits())
            };
            self.left.notify_all();
            if !jobs.is_empty() {
                self.answer(&jobs);
            }
        }
    }

    fn answer(&self, jobs: &[Job]) {
        let requests: Vec<EvalRequest<'_>> =
            jobs.iter().map(|job| EvalRequest { game: &job.game, params: job.params }).collect();
        // A flag that nobody sets: the batch belongs to several callers.
        let unstoppable = StopFlag::new();
        match self.guarded(&requests, &unstoppable) {
            Ok(evaluations) => {
                let mut state = self.state.lock();
                state.stats.batches += 1;
                state.stats.evaluated += jobs.len() as u64;
                drop(state);
                for (job, evaluation) in jobs.iter().zip(evaluations) {
                    job.ticket.give(job.index, evaluation);
                }
            }
            Err(error) if jobs.len() == 1 => jobs[0].ticket.fail(error),
            // One caller's impossible position must not fail another's: each is asked alone.
            Err(_) => {
                for (job, request) in jobs.iter().zip(&requests) {
                    match self.guarded(std::slice::from_ref(request), &unstoppable) {
                        Ok(mut one) => match one.pop() {
                            Some(evaluation) => job.ticket.give(job.index, evaluation),
                            None => job.ticket.fail(lost()),
                        },
                        Err(error) => job.ticket.fail(error),
                    }
                }
            }
        }
    }

    /// A panic of the evaluator is a failure of its device, not the end of the service.
    fn guarded(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let call = std::panic::AssertUnwindSafe(|| self.evaluator.evaluate(requests, stop));
        let answers = std::panic::catch_unwind(call).unwrap_or_else(|_| Err(lost()))?;
        if answers.len() == requests.len() { Ok(answers) } else { Err(lost()) }
    }
}

fn lost() -> EvalError {
    EvalError::Device { device: "evaluator".into(), reason: "it broke down and gave no answer".into() }
}

impl Ticket {
    fn new(count: usize) -> Arc<Self> {
        let answers = Answers { found: vec![None; count], missing: count, failure: None };
        Arc::new(Self { answers: Mutex::new(answers), changed: Condvar::new() })
    }

    fn give(&self, index: usize, evaluation: Evaluation) {
        let mut answers = self.answers.lock();
        if answers.found[index].replace(evaluation).is_none() {
            answers.missing -= 1;
        }
        if answers.missing == 0 {
            self.changed.notify_all();
        }
    }

    fn fail(&self, error: EvalError) {
        self.answers.lock().failure.get_or_insert(error);
        self.changed.notify_all();
    }

    fn wait(&self, stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        let mut answers = self.answers.lock();
        loop {
            if let Some(error) = answers.failure.take() {
                return Err(error);
            }
            if answers.missing == 0 {
                return Ok(answers.found.drain(..).flatten().collect());
            }
            if stop.is_set() {
                return Err(EvalError::Cancelled);
            }
            self.changed.wait_for(&mut answers, LOOK);
        }
    }
}

/// A caller's end of an [`EvalService`].
#[derive(Clone)]
pub struct ServiceEvaluator {
    shared: Arc<Shared>,
    priority: Priority,
    /// The service, where it goes on as long as this does.
    _service: Option<Arc<EvalService>>,
}

impl ServiceEvaluator {
    /// Takes back whatever of this caller still waits.
    fn withdraw(&self, ticket: &Arc<Ticket>) {
        let mut state = self.shared.state.lock();
        let before = state.waiting();
        let others = |job: &Job| !Arc::ptr_eq(&job.ticket, ticket);
        state.queue(self.priority).retain(others);
        let taken = before - state.waiting();
        state.stats.cancelled += taken as u64;
        drop(state);
        self.shared.left.notify_all();
    }
}

impl std::fmt::Debug for ServiceEvaluator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServiceEvaluator").field("priority", &self.priority).finish_non_exhaustive()
    }
}

impl Evaluator for ServiceEvaluator {
    fn limits(&self) -> BatchLimits {
        self.shared.evaluator.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        if stop.is_set() {
            return Err(EvalError::Cancelled);
        }
        let ticket = Ticket::new(requests.len());
        for (index, request) in requests.iter().enumerate() {
            let job = Job {
                game: request.game.clone(),
                params: request.params,
                stop: stop.clone(),
                ticket: Arc::clone(&ticket),
                index,
            };
            let mut state = self.shared.state.lock();
            while state.queue(self.priority).len() >= self.shared.options.queue.max(1) && !state.closed {
                if stop.is_set() {
                    drop(state);
                    self.withdraw(&ticket);
                    return Err(EvalError::Cancelled);
                }
                self.shared.left.wait_for(&mut state, LOOK);
            }
            if state.closed {
                return Err(EvalError::Closed);
            }
            state.queue(self.priority).push_back(job);
            drop(state);
            self.shared.arrived.notify_one();
        }
        let result = ticket.wait(stop);
        if result.is_err() {
            self.withdraw(&ticket);
        }
        result
    }
}
