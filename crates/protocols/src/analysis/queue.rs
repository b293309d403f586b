//! Positions that wait to be searched, and those that are.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use honinbo_evaluator::StopFlag;
use parking_lot::{Condvar, Mutex};

use super::query::Query;

/// Positions that may wait.
const MAX_PENDING: usize = 1 << 20;
/// Bytes of queries that may wait.
const MAX_BYTES: usize = 256 << 20;

/// One position of one query.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) query: Arc<Query>,
    pub(crate) turn: usize,
    /// Ends its search.
    pub(crate) stop: StopFlag,
    /// Its share of the query's line.
    bytes: usize,
}

/// The greatest priority first, then the oldest.
type Rank = (Reverse<i64>, u64);

/// Where tasks wait. Its lock is held for moments only.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BTreeMap<Rank, Arc<Task>>,
    active: Vec<Arc<Task>>,
    bytes: usize,
    /// Tasks taken in so far.
    serial: u64,
    /// No more tasks come; what waits is still done.
    closed: bool,
    /// Nobody wants answers any more.
    abandoned: bool,
}

impl Queue {
    /// Takes in all positions of a query, or none where too many wait already. Drops them where nobody wants answers.
    pub(crate) fn add(&self, query: &Arc<Query>, line_bytes: usize) -> Result<(), String> {
        let mut state = self.state.lock();
        if state.abandoned {
            return Ok(());
        }
        let bytes = line_bytes / query.turns.len().max(1) + size_of::<Task>();
        let more = bytes * query.turns.len();
        if state.waiting.len() + query.turns.len() > MAX_PENDING || state.bytes + more > MAX_BYTES {
            return Err(format!("too much is waiting: {} positions, {} bytes", state.waiting.len(), state.bytes));
        }
        for &(turn, priority) in &query.turns {
            let task = Arc::new(Task { query: Arc::clone(query), turn, stop: StopFlag::new(), bytes });
            state.serial += 1;
            let rank = (Reverse(priority), state.serial);
            state.waiting.insert(rank, task);
        }
        state.bytes += more;
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// The next task, once there is one; with the number of tasks that are searched or wait, this one included.
    /// `None` once none will come.
    pub(crate) fn next(&self) -> Option<(Arc<Task>, usize)> {
        let mut state = self.state.lock();
        loop {
            if let Some((_, task)) = state.waiting.pop_first() {
                state.bytes -= task.bytes;
                state.active.push(Arc::clone(&task));
                return Some((task, state.active.len() + state.waiting.len()));
            }
            if state.closed {
                return None;
            }
            self.changed.wait(&mut state);
        }
    }

    /// Says that a task has its last answer.
    pub(crate) fn done(&self, task: &Arc<Task>) {
        self.state.lock().active.retain(|active| !Arc::ptr_eq(active, task));
    }

    /// Stops the searches that are meant, and gives back those that have not begun, so that whoever asked hears of it.
    pub(crate) fn terminate(&self, is_meant: impl Fn(&Task) -> bool) -> Vec<Arc<Task>> {
        let mut state = self.state.lock();
        let state = &mut *state;
        state.active.iter().filter(|task| is_meant(task)).for_each(|task| task.stop.set());
        let mut ended = Vec::new();
        state.waiting.retain(|_, task| {
            let meant = is_meant(task);
            if meant {
                state.bytes -= task.bytes;
                ended.push(Arc::clone(task));
            }
            !meant
        });
        ended
    }

    /// Takes no more; what waits is still done.
    pub(crate) fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Drops what waits, stops what runs and takes no more.
    pub(crate) fn abandon(&self) {
        self.state.lock().abandoned = true;
        self.terminate(|_| true);
        self.close();
    }
}
