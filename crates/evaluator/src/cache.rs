//! Answers that were given before.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::evaluation::{EvalRequest, Evaluation};
use crate::evaluator::{BatchLimits, EvalError, Evaluator};
use crate::key::PositionKey;
use crate::stop::StopFlag;

/// Answers that are remembered, up to a number of bytes.
///
/// Shared by threads: the table is split, so that they seldom meet. A position is known again when it is exactly the
/// same one; a turned or mirrored image of it is another question, as in KataGo (figures in docs/experiments/cache.md).
#[derive(Debug)]
pub struct AnswerMemory {
    shards: Vec<Mutex<Shard>>,
    bytes_per_shard: usize,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// Asks a memory before it asks another evaluator.
///
/// It stands in front of a queue: what is remembered waits for nobody. Several may share one memory, such as those in
/// front of the two ends of an [`EvalService`](crate::EvalService). No lock is held while the inner evaluator works.
#[derive(Debug)]
pub struct CachingEvaluator<E> {
    inner: E,
    memory: Arc<AnswerMemory>,
}

#[derive(Debug, Default)]
struct Shard {
    entries: HashMap<PositionKey, Entry>,
    /// Keys in the order in which they came.
    order: VecDeque<PositionKey>,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    evaluation: Arc<Evaluation>,
    /// Asked for since it came up for removal last.
    used: bool,
}

/// How a cache has fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheStats {
    /// Questions answered from memory.
    pub hits: u64,
    /// Questions passed on.
    pub misses: u64,
    /// Answers held.
    pub entries: usize,
    /// About how much memory they take.
    pub bytes: usize,
}

const SHARDS: usize = 16;
/// Keys, queue and bookkeeping of one entry, roughly.
const OVERHEAD: usize = 160;

fn size_of(evaluation: &Evaluation) -> usize {
    let ownership = evaluation.white_ownership.as_ref().map_or(0, |ownership| ownership.len());
    OVERHEAD + std::mem::size_of::<Evaluation>() + 4 * (evaluation.policy.len() + ownership)
}

impl Shard {
    fn get(&mut self, key: &PositionKey, needs_ownership: bool) -> Option<Arc<Evaluation>> {
        let entry = self.entries.get_mut(key)?;
        if needs_ownership && entry.evaluation.white_ownership.is_none() {
            return None;
        }
        entry.used = true;
        Some(Arc::clone(&entry.evaluation))
    }

    fn put(&mut self, key: PositionKey, evaluation: Arc<Evaluation>, most_bytes: usize) {
        let size = size_of(&evaluation);
        if size > most_bytes {
            return;
        }
        if let Some(entry) = self.entries.get_mut(&key) {
            self.bytes = self.bytes - size_of(&entry.evaluation) + size;
            entry.evaluation = evaluation;
        } else {
            self.entries.insert(key, Entry { evaluation, used: false });
            self.order.push_back(key);
            self.bytes += size;
        }
        while self.bytes > most_bytes {
            let Some(oldest) = self.order.pop_front() else { return };
            match self.entries.get_mut(&oldest) {
                // Whatever was asked for again gets a second round.
                Some(entry) if entry.used => {
                    entry.used = false;
                    self.order.push_back(oldest);
                }
                Some(_) => {
                    if let Some(entry) = self.entries.remove(&oldest) {
                        self.bytes -= size_of(&entry.evaluation);
                    }
                }
                None => {}
            }
        }
    }
}

impl AnswerMemory {
    /// Holds up to `most_bytes` of answers.
    #[must_use]
    pub fn new(most_bytes: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, bytes_per_shard: most_bytes / SHARDS, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// How it has fared so far.
    #[must_use]
    pub fn stats(&self) -> CacheStats {
        let (mut entries, mut bytes) = (0, 0);
        for shard in &self.shards {
            let shard = shard.lock();
            entries += shard.entries.len();
            bytes += shard.bytes;
        }
        CacheStats {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            entries,
            bytes,
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for shard in &self.shards {
            *shard.lock() = Shard::default();
        }
    }

    /// An answer without ownership is not enough for a question with it.
    fn get(&self, key: &PositionKey, needs_ownership: bool) -> Option<Evaluation> {
        let known = self.shard(key).lock().get(key, needs_ownership)?;
        let mut answer = Evaluation::clone(&known);
        if !needs_ownership {
            answer.white_ownership = None;
        }
        Some(answer)
    }

    fn put(&self, key: PositionKey, answer: &Evaluation) {
        self.shard(&key).lock().put(key, Arc::new(answer.clone()), self.bytes_per_shard);
    }

    fn shard(&self, key: &PositionKey) -> &Mutex<Shard> {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        &self.shards[hasher.finish() as usize % SHARDS]
    }
}

impl<E> CachingEvaluator<E> {
    /// Asks a memory of its own, of up to `most_bytes`, before `inner`.
    #[must_use]
    pub fn new(inner: E, most_bytes: usize) -> Self {
        Self::sharing(inner, Arc::new(AnswerMemory::new(most_bytes)))
    }

    /// Asks a memory that others ask, too; all must stand in front of the same network.
    #[must_use]
    pub fn sharing(inner: E, memory: Arc<AnswerMemory>) -> Self {
        Self { inner, memory }
    }

    /// The evaluator that is asked when memory fails.
    pub fn inner(&self) -> &E {
        &self.inner
    }

    /// What is remembered.
    pub fn memory(&self) -> &Arc<AnswerMemory> {
        &self.memory
    }
}

impl<E: Evaluator> Evaluator for CachingEvaluator<E> {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        if stop.is_set() {
            return Err(EvalError::Cancelled);
        }
        let keys: Vec<PositionKey> = requests.iter().map(PositionKey::of).collect();
        let mut answers: Vec<Option<Evaluation>> = keys
            .iter()
            .zip(requests)
            .map(|(key, request)| self.memory.get(key, request.params.include_ownership))
            .collect();
        let missing: Vec<usize> = (0..requests.len()).filter(|&index| answers[index].is_none()).collect();
        self.memory.hits.fetch_add((requests.len() - missing.len()) as u64, Ordering::Relaxed);
        if !missing.is_empty() {
            self.memory.misses.fetch_add(missing.len() as u64, Ordering::Relaxed);
            let questions: Vec<EvalRequest<'_>> = missing.iter().map(|&index| requests[index]).collect();
            for (index, answer) in missing.into_iter().zip(self.inner.evaluate(&questions, stop)?) {
                self.memory.put(keys[index], &answer);
                answers[index] = Some(answer);
            }
        }
        Ok(answers.into_iter().flatten().collect())
    }
}
