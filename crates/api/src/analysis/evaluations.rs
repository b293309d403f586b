//! What the engine found, kept in the library's evaluation store and taken from there again.
//!
//! Whoever analyses hands a value over and goes on: a thread of its own writes what has gathered, a few seconds' worth
//! in one transaction. What waits is bounded, and what the disk refuses is tried again until the program ends.

use crate::Host;
use crate::quick::waits_for_disk;
use honinbo_evaluator::Evaluation;
use honinbo_library::{EvaluationContext, Library, LibraryError};
use honinbo_record::{CandidateEvaluation, PositionEvaluation};
use honinbo_rules::{Board, Color, Game, PositionHash, canonical};
use honinbo_search::{Candidate, Perspective, SearchReport};
use parking_lot::{Condvar, Mutex};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long values gather before they are written.
const WRITE_EVERY: Duration = Duration::from_secs(2);
/// How long after the disk refused.
const TRY_AGAIN: Duration = Duration::from_secs(30);
/// Positions that wait at most; beyond, new ones are not kept.
const MAX_PENDING: usize = 8192;
/// Evaluations written between two looks at the size of the store.
const SHRINK_EVERY: u32 = 1000;
/// Candidates kept of a position.
const MAX_CANDIDATES: usize = 24;

/// The evaluation store as the engine uses it.
pub(crate) struct Evaluations {
    queue: Arc<Queue>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

struct Queue {
    host: Arc<dyn Host>,
    /// `None` without a library, and from the end of the program on: then a thread that is still ending does not keep
    /// the file open.
    library: Mutex<Option<Arc<Library>>>,
    /// What the store may take, in MiB; 0 keeps nothing.
    limit_mib: AtomicU32,
    waiting: Mutex<Waiting>,
    /// Held while what waited is written, so that what is forgotten does not come back.
    writing: Mutex<()>,
    /// Signalled on enqueue and on shutdown.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    values: HashMap<Key, Arc<Value>>,
    /// Positions that were of use again.
    used: HashMap<Key, Place>,
    end: bool,
}

/// Positions that share an evaluation have one key.
type Key = (PositionHash, bool, EvaluationContext);

#[derive(Clone)]
struct Place {
    board: Board,
    to_play: Color,
    context: EvaluationContext,
}

struct Value {
    place: Place,
    evaluation: PositionEvaluation,
}

impl Place {
    fn of(game: &Game, network: &str) -> Option<Self> {
        let context = EvaluationContext::of(game, network)?;
        Some(Self { board: game.board().clone(), to_play: game.to_play(), context })
    }

    fn key(&self) -> Key {
        let form = canonical(&self.board, self.to_play);
        (form.hash, form.colors_swapped, self.context.clone())
    }
}

impl Evaluations {
    /// Without a library nothing is kept.
    pub(crate) fn new(host: Arc<dyn Host>, library: Option<Arc<Library>>, limit_mib: u32) -> Self {
        let queue = Arc::new(Queue {
            host,
            limit_mib: AtomicU32::new(limit_mib),
            waiting: Mutex::default(),
            writing: Mutex::default(),
            changed: Condvar::new(),
            library: Mutex::new(library.clone()),
        });
        let writer = library.and_then(|library| {
            let queue = Arc::clone(&queue);
            let write = move || queue.write_until_the_end(&library);
            std::thread::Builder::new().name("keep-evaluations".into()).spawn(write).ok()
        });
        Self { queue, writer: Mutex::new(writer) }
    }

    /// Keeps what the engine found for a game's present position; never waits for the disk.
    pub(crate) fn keep(&self, game: &Game, network: &str, evaluation: PositionEvaluation) {
        let says_something = evaluation.visits > 0 && evaluation.black_lead.is_some();
        if self.queue.library.lock().is_none() || self.limit_mib() == 0 || !says_something {
            return;
        }
        let Some(place) = Place::of(game, network) else { return };
        let key = place.key();
        let mut waiting = self.queue.waiting.lock();
        let room = waiting.values.len() < MAX_PENDING;
        let known = waiting.values.get(&key).map(|value| value.evaluation.visits);
        if known.map_or(room, |visits| visits <= evaluation.visits) {
            waiting.values.insert(key, Arc::new(Value { place, evaluation }));
            drop(waiting);
            self.queue.changed.notify_all();
        }
    }

    /// What is known of a game's present position.
    pub(crate) fn recall(&self, game: &Game, network: &str) -> Option<PositionEvaluation> {
        let library = self.queue.library()?;
        let place = Place::of(game, network)?;
        let key = place.key();
        let fresh = self.queue.waiting.lock().values.get(&key).cloned();
        let fresh = fresh.filter(|value| value.place.board == place.board && value.place.to_play == place.to_play);
        let stored = library.evaluation(&place.board, place.to_play, &place.context);
        let stored = stored.unwrap_or_else(|error| {
            tracing::warn!(%error, "an evaluation cannot be read");
            None
        });
        let fresh = fresh.map(|value| value.evaluation.clone());
        if stored.is_some() {
            let mut waiting = self.queue.waiting.lock();
            if waiting.used.len() < MAX_PENDING {
                waiting.used.insert(key, place);
            }
        }
        [fresh, stored].into_iter().flatten().max_by_key(|evaluation| evaluation.visits)
    }

    /// Whether what such a position is worth can be kept: it says itself all that the network is told.
    pub(crate) fn can_be_kept(game: &Game, network: &str) -> bool {
        EvaluationContext::of(game, network).is_some()
    }

    /// Writes what waits now; returns once it is on the disk. What was refused waits on.
    pub(crate) fn flush(&self) -> Result<(), LibraryError> {
        let Some(library) = self.queue.library() else { return Ok(()) };
        let _one_at_a_time = self.queue.writing.lock();
        self.queue.write_waiting(&library).map(drop)
    }

    /// What the store may take from now on, in MiB; 0 keeps nothing new.
    pub(crate) fn set_limit(&self, mib: u32) {
        self.queue.limit_mib.store(mib, Ordering::Relaxed);
    }

    fn limit_mib(&self) -> u32 {
        self.queue.limit_mib.load(Ordering::Relaxed)
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) -> Result<u32, LibraryError> {
        let Some(library) = self.queue.library() else { return Ok(0) };
        let _nobody_writes = self.queue.writing.lock();
        {
            let mut waiting = self.queue.waiting.lock();
            waiting.values.clear();
            waiting.used.clear();
        }
        library.clear_evaluations()
    }

    /// Writes what still waits, and lets go of the library.
    pub(crate) fn shut_down(&self) {
        self.queue.waiting.lock().end = true;
        self.queue.changed.notify_all();
        if let Some(writer) = self.writer.lock().take() {
            let _ = writer.join();
        }
        drop(self.queue.library.lock().take());
    }
}

impl Queue {
    fn library(&self) -> Option<Arc<Library>> {
        waits_for_disk();
        self.library.lock().clone()
    }

    fn write_until_the_end(&self, library: &Library) {
        let mut pause = WRITE_EVERY;
        let mut written_since_shrinking = SHRINK_EVERY;
        loop {
            let ending = self.gather(pause);
            let writing = self.writing.lock();
            match self.write_waiting(library) {
                Ok(written) => {
                    pause = WRITE_EVERY;
                    written_since_shrinking = written_since_shrinking.saturating_add(written);
                }
                Err(error) => {
                    tracing::warn!(%error, "evaluations could not be kept");
                    pause = TRY_AGAIN;
                }
            }
            drop(writing);
            if ending {
                return;
            }
            let limit_kib = self.limit_mib.load(Ordering::Relaxed).saturating_mul(1024);
            if written_since_shrinking >= SHRINK_EVERY && limit_kib > 0 {
                written_since_shrinking = 0;
                if let Err(error) = library.shrink_evaluations(limit_kib) {
                    tracing::warn!(%error, "the evaluation store could not be shrunk");
                }
            }
        }
    }

    /// Writes what waits, while nobody else does.
    fn write_waiting(&self, library: &Library) -> Result<u32, LibraryError> {
        let (values, used) = self.snapshot();
        let written = self.write(library, &values, &used)?;
        let mut waiting = self.waiting.lock();
        // What became better meanwhile still waits.
        for (key, value) in &values {
            if waiting.values.get(key).is_some_and(|now| Arc::ptr_eq(now, value)) {
                waiting.values.remove(key);
            }
        }
        Ok(written)
    }

    /// Waits until something is there and has gathered for a while; true at the end of the program.
    fn gather(&self, pause: Duration) -> bool {
        let mut waiting = self.waiting.lock();
        while waiting.values.is_empty() && !waiting.end {
            self.changed.wait(&mut waiting);
        }
        let until = std::time::Instant::now() + pause;
        while !waiting.end && !self.changed.wait_until(&mut waiting, until).timed_out() {}
        waiting.end
    }

    fn snapshot(&self) -> (Vec<(Key, Arc<Value>)>, Vec<Place>) {
        let mut waiting = self.waiting.lock();
        let values = waiting.values.iter().map(|(key, value)| (key.clone(), Arc::clone(value))).collect();
        let used = waiting.used.drain().map(|(_, place)| place).collect();
        (values, used)
    }

    fn write(&self, library: &Library, values: &[(Key, Arc<Value>)], used: &[Place]) -> Result<u32, LibraryError> {
        let now = self.host.unix_ms();
        let mut by_context: HashMap<&EvaluationContext, Vec<(&Board, Color, &PositionEvaluation)>> = HashMap::new();
        for (_, value) in values {
            let of_context = by_context.entry(&value.place.context).or_default();
            of_context.push((&value.place.board, value.place.to_play, &value.evaluation));
        }
        let mut written = 0;
        for (context, evaluations) in by_context {
            written += library.store_evaluations(context, &evaluations, now)?;
        }
        for place in used {
            library.touch_evaluation(&place.board, place.to_play, &place.context, now)?;
        }
        Ok(written)
    }
}

/// What a search found, from Black's side.
pub(crate) fn of_report(report: &SearchReport) -> PositionEvaluation {
    debug_assert_eq!(report.perspective, Perspective::Black);
    let candidates = report.candidates.iter().filter(|candidate| candidate.edge_visits > 0).take(MAX_CANDIDATES);
    PositionEvaluation {
        visits: u32::try_from(report.root.visits).unwrap_or(u32::MAX),
        black_win_prob: report.root.win_rate,
        black_lead: Some(report.root.score_lead),
        candidates: candidates.map(|candidate| of_candidate(candidate, usize::MAX)).collect(),
        black_ownership: report.ownership.clone().unwrap_or_default(),
        engine: None,
    }
}

/// A candidate of a search reported from Black's side, with so many moves of its line.
pub(crate) fn of_candidate(candidate: &Candidate, line: usize) -> CandidateEvaluation {
    CandidateEvaluation {
        played: candidate.mv,
        visits: u32::try_from(candidate.edge_visits).unwrap_or(u32::MAX),
        black_win_prob: candidate.win_rate,
        black_lead: Some(candidate.score_lead),
        prior: candidate.prior,
        line: candidate.pv.iter().take(line).copied().collect(),
    }
}

/// What the network alone says: one visit.
pub(crate) fn of_network(answer: &Evaluation) -> PositionEvaluation {
    PositionEvaluation {
        visits: 1,
        black_win_prob: f64::from(answer.white_loss + 0.5 * answer.no_result),
        black_lead: Some(f64::from(-answer.white_lead)),
        ..PositionEvaluation::default()
    }
}

/// An evaluation as records carry it, with the name of who made it.
pub(crate) fn to_record(known: &PositionEvaluation, network: &str) -> PositionEvaluation {
    PositionEvaluation { engine: Some(network.to_owned()), ..known.clone() }
}

/// What a record says, with the position's lead for candidates without one; `None` where it says nothing of the score.
pub(crate) fn of_record(found: &PositionEvaluation) -> Option<PositionEvaluation> {
    let lead = found.black_lead?;
    let mut known = found.clone();
    known.candidates.iter_mut().for_each(|candidate| {
        candidate.black_lead.get_or_insert(lead);
    });
    Some(known)
}
