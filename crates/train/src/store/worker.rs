//! Somebody who plays games for a run that is somewhere else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;
use honinbo_rules::{Random, mix};
use serde::Serialize;

use super::error::StoreError;
use super::objects::{Store, token};
use super::units::{Claim, Delivered, Delivery, Plan, Units, Watch, plan_of};
use crate::config::RunConfig;
use crate::error::TrainError;
use crate::files::write_bytes;
use crate::npz::rows_to_bytes;
use crate::selfplay::{Answering, Machine, play_unit};

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerOptions {
    /// Its name, for people.
    pub name: String,
    /// After how long a lease that stands still is nobody's any more.
    pub patience: Duration,
    /// How long it waits before it looks again for something to do.
    pub poll: Duration,
    /// After how long without anything to do it ends; `None` waits for ever.
    pub idle: Option<Duration>,
    /// After how long of nothing but failures of the store it ends.
    pub give_up: Duration,
    /// Units after which it ends.
    pub units: Option<u32>,
}

impl Default for WorkerOptions {
    fn default() -> Self {
        Self {
            name: format!("worker-{}", &token()[..8]),
            patience: Duration::from_secs(120),
            poll: Duration::from_secs(5),
            idle: None,
            give_up: Duration::from_secs(900),
            units: None,
        }
    }
}

/// Something that happened to a worker.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WorkerEvent {
    /// Nobody has begun a run in the store yet; it waits.
    Waiting,
    /// It has another network to play with.
    Network {
        /// The generation that learns from its games.
        generation: u32,
        /// The checksum of the network's file.
        sha256: String,
    },
    /// Inference servers were looked at for that network.
    Inference {
        /// The generation.
        generation: u32,
        /// Servers that serve it.
        ready: usize,
        /// All of them.
        servers: usize,
        /// What is wrong with the others, as a sentence; empty where nothing is.
        note: String,
    },
    /// It begins a unit.
    Begun {
        /// The generation.
        generation: u32,
        /// The unit.
        unit: u32,
    },
    /// It has played a unit.
    Played {
        /// The generation.
        generation: u32,
        /// The unit.
        unit: u32,
        /// Games.
        games: u32,
        /// Rows.
        rows: u64,
        /// Visits of all searches.
        visits: u64,
        /// Time.
        seconds: f64,
        /// Whether it counts, or somebody else's does.
        counts: bool,
    },
    /// Somebody else has taken a unit over.
    Lost {
        /// The generation.
        generation: u32,
        /// The unit.
        unit: u32,
    },
    /// The store failed; it goes on.
    Trouble {
        /// What the store said.
        reason: String,
    },
}

/// Plays units for whoever trains at a store.
#[derive(Debug)]
pub struct Worker<'a> {
    store: &'a Store,
    machine: &'a Machine,
    options: WorkerOptions,
    /// Where the network is kept meanwhile.
    folder: tempfile::TempDir,
    began: Instant,
}

/// A plan that can be played.
struct Ready {
    plan: Plan,
    config: RunConfig,
    answering: Answering,
}

impl<'a> Worker<'a> {
    /// A worker; it asks nothing yet.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new(store: &'a Store, machine: &'a Machine, options: WorkerOptions) -> Result<Self, TrainError> {
        let folder = tempfile::tempdir().map_err(TrainError::writing(&std::env::temp_dir()))?;
        Ok(Self { store, machine, options, folder, began: Instant::now() })
    }

    /// Works until it is told to stop, has played its units, or finds nothing to do for too long. Answers with the number
    /// of units that it played.
    ///
    /// # Errors
    /// When the store fails for too long or refuses access, a network or configuration cannot be used, or no run began
    /// while it waited.
    pub fn run(&self, stop: &StopFlag, on_event: &mut dyn FnMut(&WorkerEvent)) -> Result<u32, TrainError> {
        self.patiently(stop, on_event, &mut || self.store.check())?;
        let mut random = Random::new(mix(token().bytes().fold(0, |sum, byte| mix(sum ^ u64::from(byte)))));
        let mut watch = Watch::default();
        let mut ready: Option<Ready> = None;
        let (mut played, mut is_waiting) = (0, false);
        let mut idle_since = Instant::now();
        while !stop.is_set() && self.options.units.is_none_or(|units| played < units) {
            let plan = self.patiently(stop, on_event, &mut || newest_plan(self.store))?;
            let Some(plan) = plan else {
                if !std::mem::replace(&mut is_waiting, true) {
                    on_event(&WorkerEvent::Waiting);
                }
                if !self.wait(idle_since, stop) {
                    return if ready.is_some() { Ok(played) } else { Err(StoreError::NoRun.into()) };
                }
                continue;
            };
            if ready.as_ref().is_none_or(|ready| ready.plan != plan) {
                let fresh = self.ready(plan, stop, on_event)?;
                let (generation, sha256) = (fresh.plan.generation, fresh.plan.network.sha256.clone());
                on_event(&WorkerEvent::Network { generation, sha256 });
                if let Some(inference) = &fresh.answering.servers {
                    let (ready, servers) = inference.ready();
                    on_event(&WorkerEvent::Inference { generation, ready, servers, note: inference.note() });
                }
                ready = Some(fresh);
            }
            let Some(ready) = &ready else { continue };
            let units = Units::new(self.store.clone(), ready.plan.generation);
            let first = random.below(ready.plan.units.max(1) as usize) as u32;
            let (name, patience) = (&self.options.name, self.options.patience);
            let claim = self.patiently(stop, on_event, &mut || {
                units.claim(ready.plan.units, first, name, &mut watch, self.began.elapsed(), patience)
            })?;
            let Some(claim) = claim else {
                if !self.wait(idle_since, stop) {
                    break;
                }
                continue;
            };
            if self.play(ready, &units, claim, stop, on_event)? {
                played += 1;
            }
            idle_since = Instant::now();
        }
        Ok(played)
    }

    /// Waits before it looks again: `false` once there was nothing to do for too long.
    fn wait(&self, since: Instant, stop: &StopFlag) -> bool {
        if self.options.idle.is_some_and(|idle| since.elapsed() >= idle) {
            return false;
        }
        rest(self.options.poll, stop);
        true
    }

    /// Does something again until it succeeds, with longer and longer pauses, until the store has failed for too long.
    fn patiently<T>(
        &self,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&WorkerEvent),
        what: &mut dyn FnMut() -> Result<T, StoreError>,
    ) -> Result<T, TrainError> {
        let began = Instant::now();
        let mut pause = self.options.poll;
        loop {
            match what() {
                Err(error) if error.may_pass() && began.elapsed() < self.options.give_up => {
                    on_event(&WorkerEvent::Trouble { reason: error.to_string() });
                    rest(pause, stop);
                    pause = (2 * pause).min(Duration::from_secs(60));
                    if stop.is_set() {
                        return Err(TrainError::Stopped);
                    }
                }
                other => return Ok(other?),
            }
        }
    }

    fn ready(&self, plan: Plan, stop: &StopFlag, on_event: &mut dyn FnMut(&WorkerEvent)) -> Result<Ready, TrainError> {
        let config = plan.config()?;
        let bytes = self.patiently(stop, on_event, &mut || self.store.blob(&plan.network))?;
        let path = self.folder.path().join("network.bin.gz");
        write_bytes(&path, &bytes)?;
        let answering = self.machine.answering(&path, &config, stop)?;
        Ok(Ready { plan, config, answering })
    }

    /// Plays a unit and delivers it, while a thread prolongs the lease: whether it was played to its end.
    fn play(
        &self,
        ready: &Ready,
        units: &Units,
        mut claim: Claim,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&WorkerEvent),
    ) -> Result<bool, TrainError> {
        let (generation, unit) = (claim.generation, claim.unit);
        on_event(&WorkerEvent::Begun { generation, unit });
        let began = Instant::now();
        let (end, is_over, is_lost) = (StopFlag::new(), AtomicBool::new(false), AtomicBool::new(false));
        let name = self.options.name.as_str();
        let delivered = std::thread::scope(|scope| {
            let prolonging = scope.spawn(|| {
                let every = self.options.patience / 4;
                let mut last = Instant::now();
                while !is_over.load(Ordering::Acquire) {
                    std::thread::park_timeout(every.min(Duration::from_millis(50)));
                    if stop.is_set() {
                        end.set();
                    }
                    if last.elapsed() >= every && !is_over.load(Ordering::Acquire) {
                        last = Instant::now();
                        // A store that fails now may take it later; whether the unit is still ours shows then.
                        if matches!(units.prolong(&mut claim, name), Ok(false)) {
                            is_lost.store(true, Ordering::Release);
                            end.set();
                            break;
                        }
                    }
                }
                claim
            });
            let played =
                play_unit(&ready.config, &ready.answering, generation, unit, &end).and_then(|(rows, games, report)| {
                    let rows = rows_to_bytes(&rows).map_err(TrainError::writing(self.folder.path()))?;
                    Ok(Delivery { rows, games, report })
                });
            is_over.store(true, Ordering::Release);
            prolonging.thread().unpark();
            let claim = prolonging.join().map_err(|_| TrainError::Stopped)?;
            let delivery = match played {
                Ok(delivery) => delivery,
                Err(error) => {
                    if !is_lost.load(Ordering::Acquire) {
                        // Where it fails the lease ends by itself.
                        let _ = units.give_back(&claim, name);
                    }
                    return match error {
                        TrainError::Stopped => Ok(None),
                        error => Err(error),
                    };
                }
            };
            let delivered = self.patiently(stop, on_event, &mut || units.deliver(&claim, name, &delivery))?;
            Ok(Some((delivered, delivery.report)))
        })?;
        if let Some((delivered, report)) = delivered {
            on_event(&WorkerEvent::Played {
                generation,
                unit,
                games: report.games,
                rows: report.rows,
                visits: report.visits,
                seconds: began.elapsed().as_secs_f64(),
                counts: delivered == Delivered::Done,
            });
        } else if is_lost.load(Ordering::Acquire) {
            on_event(&WorkerEvent::Lost { generation, unit });
        }
        Ok(delivered.is_some())
    }
}

/// The newest plan; `None` while nobody trains here.
pub(super) fn newest_plan(store: &Store) -> Result<Option<Plan>, StoreError> {
    let generations = store.tried(|| store.folders("generations"))?;
    // A folder without a plan is what a lease that came too late left.
    for name in generations.iter().rev() {
        let Ok(generation) = name.parse() else { continue };
        if let Some(plan) = store.record::<Plan>(&plan_of(generation))? {
            return Ok(Some(plan));
        }
    }
    Ok(None)
}

/// Sleeps, unless somebody asks for an end.
pub(super) fn rest(time: Duration, stop: &StopFlag) {
    let began = Instant::now();
    while !stop.is_set() && began.elapsed() < time {
        std::thread::sleep(time.saturating_sub(began.elapsed()).min(Duration::from_millis(50)));
    }
}
