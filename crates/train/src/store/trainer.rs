//! The side of whoever trains: plans, what is taken, and where a run in a store stands.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;
use honinbo_training::{Event, Gated, Strength, file_number, files_in, store_file, strengths};
use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::objects::{Store, Written, token};
use super::units::{Delivery, Done, FORMAT, Plan, Taking, Units, folder_of, json, plan_of};
use super::worker::{newest_plan, rest};
use crate::clock::StepClock;
use crate::error::TrainError;
use crate::files::write_bytes;
use crate::npz::rows_from_bytes;
use crate::run::Run;
use crate::selfplay::files_of;

/// How long whoever trains waits before it looks again for what was delivered.
const POLL: Duration = Duration::from_secs(3);
/// After how long of nothing but failures of the store it stops.
const GIVE_UP: Duration = Duration::from_secs(900);

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    format: u32,
    run: String,
}

/// Where a run in a store stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoreStatus {
    /// The generation whose games are played; `None` before the first.
    pub generation: Option<u32>,
    /// Its units.
    pub units: u32,
    /// Units that are played.
    pub done: u32,
    /// Units that somebody has begun; that may be long ago.
    pub under_way: u32,
    /// Units that were left out, since their rows could not be used.
    pub left_out: u32,
    /// How strong each generation is.
    pub strengths: Vec<Strength>,
    /// How earlier generations came out.
    pub results: Vec<Gated>,
}

/// Where the run in a store stands.
///
/// # Errors
/// When the store fails.
pub fn store_status(store: &Store) -> Result<StoreStatus, StoreError> {
    let mut results = Vec::new();
    for name in store.tried(|| store.folders("generations"))? {
        let Ok(generation) = name.parse() else { continue };
        results.extend(store.record::<Gated>(&result_of(generation))?);
    }
    let strengths = strengths(&results);
    let Some(plan) = newest_plan(store)? else {
        return Ok(StoreStatus { generation: None, units: 0, done: 0, under_way: 0, left_out: 0, strengths, results });
    };
    let board = Units::new(store.clone(), plan.generation).board()?;
    let count = |is: &dyn Fn(u32) -> bool| (0..plan.units).filter(|unit| is(*unit)).count() as u32;
    Ok(StoreStatus {
        generation: Some(plan.generation),
        units: plan.units,
        done: count(&|unit| board.is_done(unit)),
        under_way: count(&|unit| board.is_leased(unit)),
        left_out: count(&|unit| board.attempt(unit).is_none()),
        strengths,
        results,
    })
}

/// The name of a folder's run in a store; `None` before it joined one.
fn identity(folder: &Path) -> Result<Option<Identity>, TrainError> {
    let path = store_file(folder);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TrainError::reading(&path)(error)),
    }
}

/// What is wrong with a store whose `run.json` is another.
fn owner(other: &[u8]) -> StoreError {
    match serde_json::from_slice::<Identity>(other) {
        Ok(other) if other.format != FORMAT => StoreError::Format(other.format),
        Ok(_) => StoreError::OtherRun,
        Err(error) => StoreError::Damaged { object: "run.json".to_owned(), reason: error.to_string() },
    }
}

fn result_of(generation: u32) -> String {
    format!("{}/result.json", folder_of(generation))
}

impl Run {
    /// Sees that a store keeps what it is told to, and that it holds no other run than that of a folder, which may not have
    /// begun yet.
    ///
    /// # Errors
    /// When the store holds another run, overwrites what it should keep, or fails.
    pub fn check_store(folder: &Path, store: &Store) -> Result<(), TrainError> {
        store.check()?;
        let ours = identity(folder)?;
        match store.tried(|| store.read("run.json"))? {
            Some(found) if ours.is_none_or(|ours| json(&ours) != found) => Err(owner(&found).into()),
            _ => Ok(()),
        }
    }

    /// Makes the store this run's, or sees that it is.
    ///
    /// # Errors
    /// As [`Self::check_store`].
    pub fn join(&self, store: &Store) -> Result<(), TrainError> {
        store.check()?;
        let ours = match identity(self.folder())? {
            Some(ours) => ours,
            None => {
                let fresh = Identity { format: FORMAT, run: token() };
                write_bytes(&store_file(self.folder()), &json(&fresh))?;
                fresh
            }
        };
        match store.create("run.json", &json(&ours))? {
            Written::Ours => Ok(()),
            Written::Theirs(other) => Err(owner(&other).into()),
        }
    }

    /// Has the games of the generation under way played by whoever works at the store, and takes each unit of them once,
    /// telling of it; `false` where all were here already.
    ///
    /// # Errors
    /// When the store fails for too long, or the disk does. What was taken is here, and the rest lies in the store.
    pub fn gather(&self, store: &Store, stop: &StopFlag, on_event: &mut dyn FnMut(&Event)) -> Result<bool, TrainError> {
        let generation = self.generation()?;
        let mut clock = StepClock::start();
        let plan = self.patiently(generation, stop, on_event, &mut || self.plan(store, generation))?;
        let config = plan.config()?;
        let side = config.side();
        let (rows, games) = (self.numbered("rows", generation), self.numbered("games", generation));
        let mut taken: BTreeSet<u32> = files_in(&rows, ".npz")?.iter().filter_map(|path| file_number(path)).collect();
        let done = (0..plan.units).filter(|unit| taken.contains(unit)).count() as u32;
        if done == plan.units {
            return Ok(false);
        }
        on_event(&Event::Waiting { generation, done, units: plan.units });
        let units = Units::new(store.clone(), generation);
        let mut played = Vec::new();
        loop {
            let collected = self.patiently(generation, stop, on_event, &mut || {
                units.collect(plan.units, &mut taken, &mut |unit, done: &Done, delivery: &Delivery| {
                    let name = format!("{unit:06}");
                    match rows_from_bytes(&delivery.rows, Some(side)) {
                        Ok(found) if found.len() as u64 == delivery.report.rows => {}
                        Ok(_) => {
                            return Ok(Taking::Refused(format!("{} holds another number of rows", done.rows.object)));
                        }
                        Err(defect) => return Ok(Taking::Refused(format!("{}: {defect}", done.rows.object))),
                    }
                    // The records first: a file of rows says that its games are done.
                    write_bytes(&games.join(format!("{name}.sgf")), &delivery.games)?;
                    write_bytes(&rows.join(format!("{name}.npz")), &delivery.rows)?;
                    played.push(self.note_games(generation, &delivery.report, &mut clock)?);
                    Ok::<_, TrainError>(Taking::Taken)
                })
            });
            played.drain(..).for_each(|event| on_event(&event));
            let collected = collected?;
            for reason in collected.troubles {
                on_event(&self.note(Event::Trouble { generation, reason })?);
            }
            if collected.open == 0 {
                for unit in &collected.left_out {
                    let reason = format!("unit {unit} of generation {generation} is left out");
                    on_event(&self.note(Event::Trouble { generation, reason })?);
                }
                return Ok(true);
            }
            rest(POLL, stop);
            if stop.is_set() {
                return Err(TrainError::Stopped);
            }
        }
    }

    /// Tells the store how the generation that ended last came out, where it does not know that, and removes its leases. No
    /// work depends on it. A program may end between a generation and this: the next one makes up for it.
    pub(crate) fn publish_last(&self, store: &Store) -> Result<(), TrainError> {
        let generation = self.generation()? - 1;
        let path = self.numbered("gates", generation).with_extension("json");
        if let Some(gated) = std::fs::read(path).ok().and_then(|bytes| serde_json::from_slice::<Gated>(&bytes).ok()) {
            let _ = store.create(&result_of(generation), &json(&gated));
            let _ = Units::new(store.clone(), generation).forget_leases();
        }
        Ok(())
    }

    /// The plan of a generation: the one in the store, or a new one.
    fn plan(&self, store: &Store, generation: u32) -> Result<Plan, TrainError> {
        let identity = store_file(self.folder());
        let bytes = std::fs::read(&identity).map_err(TrainError::reading(&identity))?;
        let run = serde_json::from_slice::<Identity>(&bytes).map(|identity| identity.run).unwrap_or_default();
        let object = plan_of(generation);
        if let Some(plan) = store.record::<Plan>(&object)? {
            return if plan.run == run { Ok(plan) } else { Err(StoreError::OtherRun.into()) };
        }
        let (_, path) = self.network()?;
        let network = read(&path)?;
        let config = self.config();
        let plan = Plan {
            format: FORMAT,
            run,
            generation,
            network: store.put_blob("networks", &network, "bin.gz")?,
            config: config.to_text(),
            units: files_of(&config.selfplay),
        };
        match store.create(&object, &json(&plan))? {
            Written::Ours => Ok(plan),
            Written::Theirs(_) => Err(StoreError::OtherRun.into()),
        }
    }

    fn patiently<T>(
        &self,
        generation: u32,
        stop: &StopFlag,
        on_event: &mut dyn FnMut(&Event),
        what: &mut dyn FnMut() -> Result<T, TrainError>,
    ) -> Result<T, TrainError> {
        let began = Instant::now();
        let mut pause = POLL;
        loop {
            match what() {
                Err(TrainError::Store(error)) if error.may_pass() && began.elapsed() < GIVE_UP => {
                    on_event(&self.note(Event::Trouble { generation, reason: error.to_string() })?);
                    rest(pause, stop);
                    pause = (2 * pause).min(Duration::from_secs(60));
                    if stop.is_set() {
                        return Err(TrainError::Stopped);
                    }
                }
                other => return other,
            }
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, TrainError> {
    std::fs::read(path).map_err(TrainError::reading(path))
}
