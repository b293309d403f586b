//! The workers of one run: who may start a playout, who waits, and why everybody stops.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use honinbo_evaluator::{EvalError, EvalRequest, Evaluator, StopFlag};
use parking_lot::{Condvar, Mutex};

use crate::error::SearchError;
use crate::human::Answer;
use crate::limits::{SearchLimits, StopReason};
use crate::playout::{Descent, PendingLeaf, Player};
use crate::position;
use crate::report::play_weights;
use crate::select::VisitsLeft;

/// Attempts of a worker that run into leaves in flight before it evaluates what it has.
const MAX_COLLISIONS: usize = 4;

/// The root at one moment.
#[derive(Debug, Clone, Copy)]
struct Look {
    visits: u64,
    /// The most visited move.
    best: u16,
    win_loss: f64,
    lead: f64,
}

/// Visits of a move, as a share of the most visited one's, from which the decision between the two is open.
const OPEN_SHARE: f64 = 0.5;

/// What the workers of one run share.
pub(crate) struct WorkerPool<'a> {
    evaluator: &'a dyn Evaluator,
    limits: &'a SearchLimits,
    stop: &'a StopFlag,
    /// Root visits before the first playout.
    visits_at_start: u64,
    /// Leaves in flight that the length of the search justifies.
    max_leaves: usize,
    min_playouts_per_leaf: u64,
    playouts: AtomicU64,
    playouts_begun: AtomicU64,
    evaluations: AtomicU64,
    leaves_in_flight: AtomicUsize,
    ended: Mutex<Option<Result<StopReason, SearchError>>>,
    is_over: std::sync::atomic::AtomicBool,
    /// What the root said at the last look, where the run ends with convergence.
    last_look: Mutex<Option<Look>>,
    /// Whether it is open which move is chosen, so that the run may go beyond its limits.
    is_open: std::sync::atomic::AtomicBool,
    /// Counts batches, for workers that wait until the tree has changed.
    batches: Mutex<u64>,
    batch_done: Condvar,
}

impl<'a> WorkerPool<'a> {
    pub(crate) fn new(
        evaluator: &'a dyn Evaluator,
        limits: &'a SearchLimits,
        stop: &'a StopFlag,
        visits_at_start: u64,
        min_playouts_per_leaf: u32,
    ) -> Self {
        let per_leaf = u64::from(min_playouts_per_leaf.max(1));
        let expected = limits.max_visits.saturating_sub(visits_at_start).min(limits.max_playouts);
        Self {
            evaluator,
            limits,
            stop,
            visits_at_start,
            max_leaves: (expected / per_leaf).clamp(1, 1 << 20) as usize,
            min_playouts_per_leaf: per_leaf,
            playouts: AtomicU64::new(0),
            playouts_begun: AtomicU64::new(0),
            evaluations: AtomicU64::new(0),
            leaves_in_flight: AtomicUsize::new(0),
            ended: Mutex::new(None),
            is_over: false.into(),
            last_look: Mutex::new(None),
            is_open: false.into(),
            batches: Mutex::new(0),
            batch_done: Condvar::new(),
        }
    }

    /// Completed playouts.
    pub(crate) fn playouts(&self) -> u64 {
        self.playouts.load(Ordering::Relaxed)
    }

    /// Positions evaluated.
    pub(crate) fn evaluations(&self) -> u64 {
        self.evaluations.load(Ordering::Relaxed)
    }

    /// Why the run ended, once all workers are gone.
    pub(crate) fn into_result(self) -> Result<StopReason, SearchError> {
        self.ended.into_inner().unwrap_or(Ok(StopReason::Stopped))
    }

    /// One worker, until the run is over.
    pub(crate) fn work(&self, player: &mut Player<'_>) {
        // Workers share what the evaluator likes to have at a time: more leaves in flight would only cost quality. Asked
        // before each batch: it likes less once a card is lost.
        let share = || self.evaluator.limits().preferred.div_ceil(self.limits.threads.max(1));
        let wanted = || self.limits.leaves_per_thread.unwrap_or_else(share).max(1);
        let mut pending: Vec<PendingLeaf> = Vec::with_capacity(wanted());
        while !self.is_over() {
            if player.root_state.targets_met() {
                self.finish(Ok(StopReason::Targets));
                return;
            }
            let seen = *self.batches.lock();
            let stuck = self.collect(player, wanted(), &mut pending);
            if !pending.is_empty() {
                self.evaluate(player, &mut pending);
            } else if stuck && self.leaves_in_flight.load(Ordering::Acquire) > 0 {
                self.wait_for_batch_after(seen);
            } else if self.limit_reached().is_some() && !self.is_over() {
                // Others still hold the last playouts; they begin again if theirs come to nothing.
                return;
            }
        }
    }

    /// Goes down until there are leaves enough. True if it ended because nothing can be done before a batch is back.
    fn collect(&self, player: &mut Player<'_>, wanted: usize, pending: &mut Vec<PendingLeaf>) -> bool {
        let (mut taken, mut collisions) = (0, 0);
        while taken < wanted {
            if self.check_limits() {
                return false;
            }
            if !self.reserve_leaf() {
                return true;
            }
            if !self.begin_playout() {
                self.return_leaves(1);
                return true;
            }
            match player.descend(self.visits_left()) {
                Descent::Leaf(leaf) => {
                    pending.push(*leaf);
                    taken += 1;
                }
                Descent::Done { counts, terminal } => {
                    self.return_leaves(1);
                    self.end_playout(counts);
                    // The end of a game takes the place of a leaf: while others wait it must not be visited for free.
                    taken += usize::from(terminal);
                }
                Descent::Abandoned => {
                    self.return_leaves(1);
                    self.end_playout(false);
                    collisions += 1;
                    if collisions >= MAX_COLLISIONS {
                        return true;
                    }
                }
                Descent::Full => {
                    self.return_leaves(1);
                    self.end_playout(false);
                    self.finish(Ok(StopReason::Nodes));
                    return false;
                }
            }
        }
        false
    }

    fn evaluate(&self, player: &mut Player<'_>, pending: &mut Vec<PendingLeaf>) {
        let n_leaves = pending.len();
        let requests: Vec<EvalRequest<'_>> =
            pending.iter().map(|leaf| EvalRequest { game: &leaf.game, params: leaf.params }).collect();
        let answers = if self.is_over() {
            Err(EvalError::Cancelled.into())
        } else {
            self.evaluations.fetch_add(n_leaves as u64, Ordering::Relaxed);
            self.answers(player, &requests)
        };
        match answers {
            Ok(answers) => {
                for (leaf, answer) in pending.drain(..).zip(answers) {
                    let counts = player.settle(leaf, answer);
                    self.end_playout(counts);
                }
            }
            Err(error) => {
                for leaf in pending.drain(..) {
                    player.release(&leaf);
                    self.end_playout(false);
                }
                match error {
                    SearchError::Evaluation(EvalError::Cancelled) => self.finish(Ok(StopReason::Stopped)),
                    error => self.finish(Err(error)),
                }
            }
        }
        self.look_for_convergence(player);
        self.look_for_decision(player);
        self.return_leaves(n_leaves);
        *self.batches.lock() += 1;
        self.batch_done.notify_all();
    }

    /// What the main network says, and the one of human style where it takes part below the root.
    fn answers(&self, player: &Player<'_>, requests: &[EvalRequest<'_>]) -> Result<Vec<Answer>, SearchError> {
        let evaluations = ask(self.evaluator, requests, self.stop)?;
        let policies: Vec<Option<Box<[f32]>>> = match &player.root_state.human_below_root {
            None => requests.iter().map(|_| None).collect(),
            Some(human) => {
                let views = ask(&*human.evaluator, requests, self.stop)?;
                views.into_iter().map(|view| Some(view.policy)).collect()
            }
        };
        let answer = |(evaluation, human_policy)| Answer { evaluation, human_policy };
        Ok(evaluations.into_iter().zip(policies).map(answer).collect())
    }

    /// Ends the run where the root says what it said some visits ago.
    fn look_for_convergence(&self, player: &Player<'_>) {
        let Some(convergence) = self.limits.convergence else { return };
        let Some(mut last) = self.last_look.try_lock() else { return };
        let root = player.tree.arena.lock(player.root_state.root);
        let visits = root.stats.visits;
        if last.is_some_and(|last| visits < last.visits + convergence.visits.max(1)) {
            return;
        }
        let Some(best) = root.edges.iter().max_by_key(|edge| edge.visits).map(|edge| edge.mv) else { return };
        let now = Look { visits, best, win_loss: root.stats.win_loss, lead: root.stats.lead };
        drop(root);
        let settled = last.replace(now).is_some_and(|before| {
            before.best == now.best
                && 0.5 * (before.win_loss - now.win_loss).abs() <= convergence.win_rate
                && (before.lead - now.lead).abs() <= convergence.score
        });
        drop(last);
        if settled {
            self.finish(Ok(StopReason::Converged));
        }
    }

    /// Ends the run where no other move can be chosen any more, and notes whether it may go on beyond its limits.
    fn look_for_decision(&self, player: &Player<'_>) {
        let Some(decision) = self.limits.decision else { return };
        let root = player.tree.arena.lock(player.root_state.root);
        let visits = root.stats.visits;
        let by_visits = |edge: &&crate::node::Edge| edge.visits;
        let Some(most) = root.edges.iter().max_by_key(by_visits).map(|edge| (edge.mv, edge.visits)) else { return };
        let rival = root.edges.iter().filter(|edge| edge.mv != most.0).map(|edge| edge.visits).max().unwrap_or(0);
        drop(root);
        let (first, rival) = (f64::from(most.1), f64::from(rival));
        let planned = self.left(visits, 1.0);
        let is_out_of_reach = |left: f64| left >= 1.0 && rival + left < decision.rival_share * first;
        let is_near_the_end = planned <= 1.0 + visits as f64 / 16.0;
        if !is_out_of_reach(planned) && !is_near_the_end {
            return;
        }
        let weights = play_weights(player.tree, player.root_state).unwrap_or_default();
        let chosen = weights.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(mv, _)| *mv);
        let is_chosen = chosen == Some(position::move_of(most.0, player.root_state.size));
        let is_open = decision.stretch > 1.0 && (!is_chosen || rival >= OPEN_SHARE * first);
        self.is_open.store(is_open, Ordering::Release);
        let left = if is_open { self.left(visits, decision.stretch) } else { planned };
        if is_chosen && is_out_of_reach(left) {
            self.finish(Ok(StopReason::Decided));
        }
    }

    /// Visits that so many times the limits leave; of a limit of time as many as it allows at the speed so far.
    fn left(&self, visits: u64, stretch: f64) -> f64 {
        /// A shorter time says little about the speed.
        const TRUSTED: Duration = Duration::from_millis(100);
        let playouts = self.playouts();
        let left_of = |limit: u64, done: u64| {
            let is_limited = limit < crate::limits::NO_LIMIT;
            if is_limited { (limit as f64 * stretch - done as f64).max(0.0) } else { f64::INFINITY }
        };
        let by_count = left_of(self.limits.max_visits, visits).min(left_of(self.limits.max_playouts, playouts));
        let by_time = self.limits.time.as_ref().map_or(f64::INFINITY, |time| {
            let spent = (time.stopwatch)();
            let left = time.max.mul_f64(stretch).saturating_sub(spent);
            if left.is_zero() {
                0.0
            } else if spent < TRUSTED {
                f64::INFINITY
            } else {
                playouts as f64 * left.as_secs_f64() / spent.as_secs_f64()
            }
        });
        by_count.min(by_time)
    }

    /// A limit, stretched while the decision is open.
    fn allowed(&self, limit: u64) -> u64 {
        let stretch = self.stretch();
        if stretch > 1.0 && limit < crate::limits::NO_LIMIT { (limit as f64 * stretch) as u64 } else { limit }
    }

    fn stretch(&self) -> f64 {
        let decision = self.limits.decision.filter(|_| self.is_open.load(Ordering::Acquire));
        decision.map_or(1.0, |decision| decision.stretch)
    }

    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Ends the run; the first reason stands, but an error is never hidden.
    fn finish(&self, how: Result<StopReason, SearchError>) {
        let mut ended = self.ended.lock();
        if ended.is_none() || (how.is_err() && matches!(*ended, Some(Ok(_)))) {
            *ended = Some(how);
        }
        drop(ended);
        self.is_over.store(true, Ordering::Release);
        *self.batches.lock() += 1;
        self.batch_done.notify_all();
    }

    /// Whether the run is over, after looking at everything that can end it.
    fn check_limits(&self) -> bool {
        if self.is_over() {
            return true;
        }
        let reason = if self.stop.is_set() {
            Some(StopReason::Stopped)
        } else {
            self.limit_reached().or_else(|| {
                let time = self.limits.time.as_ref()?;
                let max = time.max.mul_f64(self.stretch());
                (self.playouts() >= 2 && (time.stopwatch)() >= max).then_some(StopReason::Time)
            })
        };
        if let Some(reason) = reason {
            self.finish(Ok(reason));
        }
        reason.is_some()
    }

    fn limit_reached(&self) -> Option<StopReason> {
        let playouts = self.playouts();
        if self.visits_at_start + playouts >= self.allowed(self.limits.max_visits) {
            Some(StopReason::Visits)
        } else if playouts >= self.allowed(self.limits.max_playouts) {
            Some(StopReason::Playouts)
        } else {
            None
        }
    }

    /// Playouts that limits still allow, beside those under way.
    fn visits_left(&self) -> VisitsLeft {
        let begun = self.playouts_begun.load(Ordering::Relaxed);
        let by_visits = self.allowed(self.limits.max_visits).saturating_sub(self.visits_at_start + begun);
        let by_playouts = self.allowed(self.limits.max_playouts).saturating_sub(begun);
        let left = by_visits.min(by_playouts);
        VisitsLeft(if left >= crate::limits::NO_LIMIT / 2 { 1e30 } else { left as f64 })
    }

    /// Takes one of the playouts that limits allow, so that several workers do not overshoot together.
    fn begin_playout(&self) -> bool {
        let begun = self.playouts_begun.fetch_add(1, Ordering::AcqRel);
        let allowed = begun < self.allowed(self.limits.max_playouts)
            && self.visits_at_start + begun < self.allowed(self.limits.max_visits);
        if !allowed {
            self.playouts_begun.fetch_sub(1, Ordering::AcqRel);
        }
        allowed
    }

    fn end_playout(&self, counts: bool) {
        if counts {
            self.playouts.fetch_add(1, Ordering::AcqRel);
        } else {
            self.playouts_begun.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Takes one of the leaves that may be in flight: few while the tree is young.
    fn reserve_leaf(&self) -> bool {
        let visits = self.visits_at_start + self.playouts();
        let allowed = self.max_leaves.min((visits / self.min_playouts_per_leaf) as usize + 1);
        let before = self.leaves_in_flight.fetch_add(1, Ordering::AcqRel);
        if before >= allowed {
            self.return_leaves(1);
        }
        before < allowed
    }

    fn return_leaves(&self, count: usize) {
        self.leaves_in_flight.fetch_sub(count, Ordering::AcqRel);
    }

    /// Sleeps until a batch has come back since `seen` was read. The time limit guards against a wake-up that was
    /// missed because the other worker ended without a batch.
    fn wait_for_batch_after(&self, seen: u64) {
        let mut batches = self.batches.lock();
        if *batches == seen && !self.is_over() {
            self.batch_done.wait_for(&mut batches, Duration::from_millis(5));
        }
    }
}

/// Asks the evaluator and checks that it answered what was asked.
pub(crate) fn ask(
    evaluator: &dyn Evaluator,
    requests: &[EvalRequest<'_>],
    stop: &StopFlag,
) -> Result<Vec<honinbo_evaluator::Evaluation>, SearchError> {
    let answers = evaluator.evaluate(requests, stop)?;
    let wrong = |what, found: usize, expected: usize| SearchError::Answer {
        what,
        found: found.to_string(),
        expected: expected.to_string(),
    };
    if answers.len() != requests.len() {
        return Err(wrong("the number of positions", answers.len(), requests.len()));
    }
    for (request, answer) in requests.iter().zip(&answers) {
        let area = request.game.board().size().area();
        if answer.policy.len() != area + 1 {
            return Err(wrong("the length of the policy", answer.policy.len(), area + 1));
        }
        if let Some(ownership) = &answer.white_ownership
            && ownership.len() != area
        {
            return Err(wrong("the length of the ownership", ownership.len(), area));
        }
        let numbers = [
            answer.white_win,
            answer.white_loss,
            answer.no_result,
            answer.white_score_mean,
            answer.white_score_mean_sq,
            answer.white_lead,
        ];
        if numbers.iter().chain(answer.policy.iter()).any(|number| !number.is_finite()) {
            return Err(SearchError::Answer {
                what: "an evaluation",
                found: "a number that is not finite".into(),
                expected: "finite numbers".into(),
            });
        }
    }
    Ok(answers)
}
