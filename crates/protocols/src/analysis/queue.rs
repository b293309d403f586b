//! Positions that wait to be searched, and those that are.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use honinbo_evaluator::StopFlag;
use honinbo_search::{RootFocus, Search};
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
    /// What its search looks at more closely.
    pub(crate) focus: TaskFocus,
    /// Its share of the query's line.
    bytes: usize,
}

/// What a position is looked at for, before its search has begun and while it runs.
#[derive(Debug)]
pub(crate) struct TaskFocus(Mutex<(Option<RootFocus>, Option<Weak<Search>>)>);

impl TaskFocus {
    /// Hands it to the search, which hears of every later change.
    pub(crate) fn begin(&self, search: &Arc<Search>) {
        let mut state = self.0.lock();
        search.set_root_focus(state.0.clone());
        state.1 = Some(Arc::downgrade(search));
    }

    fn set(&self, focus: Option<RootFocus>) {
        let mut state = self.0.lock();
        if let Some(search) = state.1.as_ref().and_then(Weak::upgrade) {
            search.set_root_focus(focus.clone());
        }
        state.0 = focus;
    }
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
            let focus = TaskFocus(Mutex::new((query.focus.clone(), None)));
            let task = Arc::new(Task { query: Arc::clone(query), turn, stop: StopFlag::new(), focus, bytes });
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

    /// Changes what the positions of these are looked at for, where they wait and where they are searched: all of them, or
    /// none where one of them cannot be.
    pub(crate) fn refocus<E>(
        &self,
        is_meant: impl Fn(&Task) -> bool,
        focus: impl Fn(&Task) -> Result<Option<RootFocus>, E>,
    ) -> Result<(), E> {
        let state = self.state.lock();
        let tasks = state.active.iter().chain(state.waiting.values()).filter(|task| is_meant(task));
        let changes = tasks.map(|task| Ok((task, focus(task)?))).collect::<Result<Vec<_>, E>>()?;
        changes.into_iter().for_each(|(task, focus)| task.focus.set(focus));
        Ok(())
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
