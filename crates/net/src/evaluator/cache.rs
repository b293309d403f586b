//! Answers that were given before.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::key::PositionKey;
use crate::evaluation::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};

/// Remembers the answers of another evaluator, up to a number of bytes.
///
/// Shared by threads: the table is split, and no lock is held while the inner evaluator works. An answer without
/// ownership is not enough for a question with it.
#[derive(Debug)]
pub struct CachingEvaluator<E> {
    inner: E,
    shards: Vec<Mutex<Shard>>,
    bytes_per_shard: usize,
    hits: AtomicU64,
    misses: AtomicU64,
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

impl<E> CachingEvaluator<E> {
    /// Remembers up to `most_bytes` of answers of `inner`.
    #[must_use]
    pub fn new(inner: E, most_bytes: usize) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        let bytes_per_shard = most_bytes / SHARDS;
        Self { inner, shards, bytes_per_shard, hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    /// The evaluator that is asked when memory fails.
    pub fn inner(&self) -> &E {
        &self.inner
    }

    /// How it has fared so far.
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

    fn shard(&self, key: &PositionKey) -> &Mutex<Shard> {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        &self.shards[hasher.finish() as usize % SHARDS]
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
            .map(|(key, request)| {
                let ownership = request.params.include_ownership;
                let known = self.shard(key).lock().get(key, ownership)?;
                let mut answer = Evaluation::clone(&known);
                if !ownership {
                    answer.white_ownership = None;
                }
                Some(answer)
            })
            .collect();
        let missing: Vec<usize> = (0..requests.len()).filter(|&index| answers[index].is_none()).collect();
        self.hits.fetch_add((requests.len() - missing.len()) as u64, Ordering::Relaxed);
        if !missing.is_empty() {
            self.misses.fetch_add(missing.len() as u64, Ordering::Relaxed);
            let questions: Vec<EvalRequest<'_>> = missing.iter().map(|&index| requests[index]).collect();
            for (index, answer) in missing.into_iter().zip(self.inner.evaluate(&questions, stop)?) {
                let key = keys[index];
                self.shard(&key).lock().put(key, Arc::new(answer.clone()), self.bytes_per_shard);
                answers[index] = Some(answer);
            }
        }
        Ok(answers.into_iter().flatten().collect())
    }
}
