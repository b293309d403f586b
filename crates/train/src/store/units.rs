//! Units of work: who plays which, and what was delivered.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::objects::{Blob, Store, Written, token};
use crate::config::RunConfig;
use crate::selfplay::SelfPlayReport;

/// The layout that this program writes.
pub(super) const FORMAT: u32 = 1;
/// Deliveries of a unit that are looked at before it is left out.
const MAX_ATTEMPTS: u32 = 3;

/// What is to be played in a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// The layout of the store.
    pub format: u32,
    /// Whose run it is.
    pub run: String,
    /// The generation that learns from these games.
    pub generation: u32,
    /// The network that plays.
    pub network: Blob,
    /// The text of `run.toml`.
    pub config: String,
    /// Units, from 0.
    pub units: u32,
}

impl Plan {
    /// The configuration.
    ///
    /// # Errors
    /// When it is of another version of the program.
    pub fn config(&self) -> Result<RunConfig, StoreError> {
        if self.format != FORMAT {
            return Err(StoreError::Format(self.format));
        }
        let object = plan_of(self.generation);
        RunConfig::parse(std::path::Path::new(&object), &self.config)
            .map_err(|error| StoreError::Damaged { object, reason: error.to_string() })
    }
}

/// What is known of a generation's units, from the names of objects alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// The last link of each lease, by unit and attempt, and whether its holder gave it back.
    leases: BTreeMap<(u32, u32), (u32, bool)>,
    done: BTreeSet<(u32, u32)>,
    refused: BTreeSet<(u32, u32)>,
}

impl Board {
    /// The attempt of a unit that counts now; `None` where it is left out.
    #[must_use]
    pub fn attempt(&self, unit: u32) -> Option<u32> {
        (0..MAX_ATTEMPTS).find(|attempt| !self.refused.contains(&(unit, *attempt)))
    }

    /// Whether its rows lie there, not yet refused.
    #[must_use]
    pub fn is_done(&self, unit: u32) -> bool {
        self.attempt(unit).is_some_and(|attempt| self.done.contains(&(unit, attempt)))
    }

    /// Whether somebody has to play it.
    #[must_use]
    pub fn is_open(&self, unit: u32) -> bool {
        self.attempt(unit).is_some_and(|attempt| !self.done.contains(&(unit, attempt)))
    }

    /// Whether somebody began to play it and did not give it back; that may be long ago.
    #[must_use]
    pub fn is_leased(&self, unit: u32) -> bool {
        self.is_open(unit)
            && self.attempt(unit).and_then(|attempt| self.leases.get(&(unit, attempt))).is_some_and(|link| !link.1)
    }
}

/// Leases that were seen, and since when they stand as they do, by the stopwatch of who looks.
#[derive(Debug, Default)]
pub struct Watch {
    seen: HashMap<(u32, u32, u32), (u32, Duration)>,
}

impl Watch {
    /// Whether a lease whose last link is `link` has stood still for `patience`; its clock starts when it is seen first.
    fn is_stale(&mut self, key: (u32, u32, u32), link: u32, now: Duration, patience: Duration) -> bool {
        let seen = self.seen.entry(key).or_insert((link, now));
        if seen.0 != link {
            *seen = (link, now);
        }
        now.saturating_sub(seen.1) >= patience
    }
}

/// A lease that this program holds, as far as it knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The generation.
    pub generation: u32,
    /// The unit.
    pub unit: u32,
    /// Which attempt at it.
    pub attempt: u32,
    link: u32,
    holder: String,
}

/// What a worker brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// A file of rows.
    pub rows: Vec<u8>,
    /// Records of the games.
    pub games: Vec<u8>,
    /// What was played.
    pub report: SelfPlayReport,
}

/// The record that says that a unit is played. Whoever writes it first has played it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Done {
    /// Who played it, by a name that is given once.
    pub holder: String,
    /// The worker's name, for people.
    pub worker: String,
    /// Its rows.
    pub rows: Blob,
    /// Its games.
    pub games: Blob,
    /// What was played.
    pub report: SelfPlayReport,
}

/// What became of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivered {
    /// It counts.
    Done,
    /// Somebody else's counts; this one is not used.
    Late,
}

#[derive(Debug, Serialize, Deserialize)]
struct Lease {
    holder: String,
    worker: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Refused {
    holder: String,
    reason: String,
}

/// The units of a generation in a store.
#[derive(Debug, Clone)]
pub struct Units {
    store: Store,
    generation: u32,
}

pub(super) fn folder_of(generation: u32) -> String {
    format!("generations/{generation:06}")
}

pub(super) fn plan_of(generation: u32) -> String {
    format!("{}/plan.json", folder_of(generation))
}

impl Units {
    /// The units of a generation.
    #[must_use]
    pub fn new(store: Store, generation: u32) -> Self {
        Self { store, generation }
    }

    /// Where they stand.
    ///
    /// # Errors
    /// When the store fails.
    pub fn board(&self) -> Result<Board, StoreError> {
        let mut board = Board::default();
        for name in self.store.tried(|| self.store.list(&folder_of(self.generation)))? {
            let Some((kind, rest)) = name.split_once('/') else { continue };
            // Names that are not of this layout say nothing.
            match (kind, rest.split_once('/')) {
                ("leases", Some((unit, link))) => {
                    let (Some(unit), Some(stem)) = (unit_of(unit), link.strip_suffix(".json")) else { continue };
                    let (number, is_free) = stem.strip_suffix("-free").map_or((stem, false), |number| (number, true));
                    let Ok(number) = number.parse::<u32>() else { continue };
                    let last = board.leases.entry(unit).or_insert((number, is_free));
                    // A lease that was given back and prolonged at once is held.
                    if number > last.0 {
                        *last = (number, is_free);
                    } else if number == last.0 {
                        last.1 &= is_free;
                    }
                }
                ("done", None) => board.done.extend(rest.strip_suffix(".json").and_then(unit_of)),
                ("refused", None) => board.refused.extend(rest.strip_suffix(".json").and_then(unit_of)),
                _ => {}
            }
        }
        Ok(board)
    }

    /// Takes a unit that nobody plays, or whose lease has stood still for `patience` by the caller's stopwatch, which is at
    /// `now`. Units are tried from `first` on, so that many workers do not ask for the same one.
    ///
    /// # Errors
    /// When the store fails.
    pub fn claim(
        &self,
        units: u32,
        first: u32,
        worker: &str,
        watch: &mut Watch,
        now: Duration,
        patience: Duration,
    ) -> Result<Option<Claim>, StoreError> {
        let board = self.board()?;
        for unit in (0..units).map(|step| (u64::from(first) + u64::from(step)) % u64::from(units)) {
            let unit = unit as u32;
            let Some(attempt) = board.attempt(unit).filter(|_| board.is_open(unit)) else { continue };
            let link = match board.leases.get(&(unit, attempt)) {
                None => 0,
                Some((last, true)) => last + 1,
                Some((last, false)) => {
                    if !watch.is_stale((self.generation, unit, attempt), *last, now, patience) {
                        continue;
                    }
                    last + 1
                }
            };
            let mut claim = Claim { generation: self.generation, unit, attempt, link, holder: token() };
            if self.hold(&mut claim, link, worker)? {
                return Ok(Some(claim));
            }
        }
        Ok(None)
    }

    /// Says that a unit is still being played: `false` where somebody else plays it by now.
    ///
    /// # Errors
    /// When the store fails; the lease may be prolonged later.
    pub fn prolong(&self, claim: &mut Claim, worker: &str) -> Result<bool, StoreError> {
        let next = claim.link + 1;
        self.hold(claim, next, worker)
    }

    /// Gives a unit back that will not be played to its end.
    ///
    /// # Errors
    /// When the store fails; the lease ends by itself then.
    pub fn give_back(&self, claim: &Claim, worker: &str) -> Result<(), StoreError> {
        let name = format!("{}-free", self.link(claim, claim.link + 1).trim_end_matches(".json"));
        let lease = Lease { holder: claim.holder.clone(), worker: worker.to_owned() };
        self.store.create(&format!("{name}.json"), &json(&lease)).map(|_| ())
    }

    /// Puts rows and games into the store, and says that the unit is played, unless somebody said so before.
    ///
    /// # Errors
    /// When the store fails. What was written does no harm, and the delivery can be made again.
    pub fn deliver(&self, claim: &Claim, worker: &str, delivery: &Delivery) -> Result<Delivered, StoreError> {
        let done = Done {
            holder: claim.holder.clone(),
            worker: worker.to_owned(),
            rows: self.store.put_blob("rows", &delivery.rows, "npz")?,
            games: self.store.put_blob("games", &delivery.games, "sgf")?,
            report: delivery.report,
        };
        match self.store.create(&self.named("done", claim.unit, claim.attempt), &json(&done))? {
            Written::Ours => Ok(Delivered::Done),
            Written::Theirs(_) => Ok(Delivered::Late),
        }
    }

    fn hold(&self, claim: &mut Claim, link: u32, worker: &str) -> Result<bool, StoreError> {
        let lease = Lease { holder: claim.holder.clone(), worker: worker.to_owned() };
        let held = self.store.create(&self.link(claim, link), &json(&lease))? == Written::Ours;
        if held {
            claim.link = link;
        }
        Ok(held)
    }

    fn link(&self, claim: &Claim, link: u32) -> String {
        format!("{}/leases/{:06}-{}/{link:06}.json", folder_of(self.generation), claim.unit, claim.attempt)
    }

    fn named(&self, kind: &str, unit: u32, attempt: u32) -> String {
        format!("{}/{kind}/{unit:06}-{attempt}.json", folder_of(self.generation))
    }

    /// Takes what is played and not yet in `taken`, each unit once: `take` is given rows and games whole, and answers with
    /// a sentence where they cannot be used; then the unit is open again. Anything else that fails ends the round.
    ///
    /// # Errors
    /// When the store fails, or `take`. What was taken is in `taken`.
    pub fn collect<E: From<StoreError>>(
        &self,
        units: u32,
        taken: &mut BTreeSet<u32>,
        take: &mut dyn FnMut(u32, &Done, &Delivery) -> Result<Taking, E>,
    ) -> Result<Collected, E> {
        let board = self.board()?;
        let mut collected = Collected::default();
        for unit in 0..units {
            if taken.contains(&unit) {
                continue;
            }
            let Some(attempt) = board.attempt(unit) else {
                collected.left_out.push(unit);
                continue;
            };
            if !board.is_done(unit) {
                collected.open += 1;
                continue;
            }
            let refusal = match self.fetch(unit, attempt) {
                Ok((done, delivery)) => match take(unit, &done, &delivery)? {
                    Taking::Taken => {
                        taken.insert(unit);
                        continue;
                    }
                    Taking::Refused(reason) => reason,
                },
                Err(error @ StoreError::Damaged { .. }) => error.to_string(),
                Err(error) => return Err(error.into()),
            };
            collected.troubles.push(format!("unit {unit} of generation {}: {refusal}", self.generation));
            let refused = Refused { holder: token(), reason: refusal };
            self.store.create(&self.named("refused", unit, attempt), &json(&refused))?;
            collected.open += 1;
        }
        Ok(collected)
    }

    fn fetch(&self, unit: u32, attempt: u32) -> Result<(Done, Delivery), StoreError> {
        let object = self.named("done", unit, attempt);
        let damaged = |reason: String| StoreError::Damaged { object: object.clone(), reason };
        let bytes = self.store.tried(|| self.store.read(&object))?;
        // Forgotten since it was listed: whoever plays it again will write another.
        let Some(bytes) = bytes else {
            return Err(StoreError::Failed { object, what: "read", reason: "it is not there any more".to_owned() });
        };
        let done: Done = match serde_json::from_slice(&bytes) {
            Ok(done) => done,
            // Once more, and then it is what it is.
            Err(_) => {
                let again = self.store.tried(|| self.store.read(&object))?.unwrap_or_default();
                serde_json::from_slice(&again).map_err(|error| damaged(error.to_string()))?
            }
        };
        let delivery =
            Delivery { rows: self.store.blob(&done.rows)?, games: self.store.blob(&done.games)?, report: done.report };
        Ok((done, delivery))
    }

    /// Removes the leases of a generation that is over.
    ///
    /// # Errors
    /// When the store fails; they do no harm.
    pub fn forget_leases(&self) -> Result<(), StoreError> {
        let folder = format!("{}/leases", folder_of(self.generation));
        for name in self.store.list(&folder)? {
            self.store.delete(&format!("{folder}/{name}"))?;
        }
        Ok(())
    }
}

/// Whether a delivery can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Taking {
    /// It is taken.
    Taken,
    /// It cannot be used, and why.
    Refused(String),
}

/// What a round of collecting found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collected {
    /// Units that somebody has to play.
    pub open: u32,
    /// Units that were played too often in vain.
    pub left_out: Vec<u32>,
    /// Deliveries that were refused in this round, each with a sentence.
    pub troubles: Vec<String>,
}

/// Unit and attempt of a name such as `000002-0`.
fn unit_of(name: &str) -> Option<(u32, u32)> {
    let (unit, attempt) = name.split_once('-')?;
    Some((unit.parse().ok()?, attempt.parse().ok()?))
}

pub(super) fn json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
