//! Units of work in a store that fails in every way that is known: each is taken once, and none is lost.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use honinbo_rules::Random;
use honinbo_testkit::fixtures;
use honinbo_train::{Claim, Delivered, Delivery, SelfPlayReport, Store, StoreError, Taking, Units, Watch};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt as _, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use proptest::prelude::*;

/// A store in memory that fails as it is told.
#[derive(Debug)]
struct Faulty {
    inner: InMemory,
    chance: Mutex<Random>,
    is_on: AtomicBool,
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a store that fails")
    }
}

fn failure() -> Error {
    Error::Generic { store: "made up", source: "503 slow down".into() }
}

impl Faulty {
    fn new(seed: u64) -> Self {
        Self { inner: InMemory::new(), chance: Mutex::new(Random::new(seed)), is_on: AtomicBool::new(true) }
    }

    /// A number below 100; 99 while nothing is to fail.
    fn roll(&self) -> usize {
        if self.is_on.load(Ordering::SeqCst) { self.chance.lock().unwrap().below(100) } else { 99 }
    }
}

#[async_trait]
impl ObjectStore for Faulty {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        let forgotten = || PutResult { e_tag: None, version: None, extensions: Default::default() };
        match self.roll() {
            0..5 => Err(failure()),
            // The answer is lost.
            5..10 => {
                let _ = self.inner.put_opts(location, payload, options).await;
                Err(failure())
            }
            // It says that it took it.
            10..15 => Ok(forgotten()),
            // A repeated request finds what the first one wrote.
            15..20 => {
                let _ = self.inner.put_opts(location, payload.clone(), options.clone()).await;
                self.inner.put_opts(location, payload, options).await
            }
            20..30 => {
                tokio::time::sleep(Duration::from_micros(50)).await;
                self.inner.put_opts(location, payload, options).await
            }
            _ => self.inner.put_opts(location, payload, options).await,
        }
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let roll = self.roll();
        if roll < 8 {
            return Err(failure());
        }
        let found = self.inner.get_opts(location, options).await?;
        if roll >= 16 {
            return Ok(found);
        }
        // The answer breaks off; now and then it says that it is whole.
        let (mut meta, attributes) = (found.meta.clone(), found.attributes.clone());
        let bytes = found.bytes().await?;
        let part = bytes.slice(0..bytes.len() * (roll - 7) / 10);
        if roll.is_multiple_of(2) {
            meta.size = part.len() as u64;
        }
        let range: Range<u64> = 0..meta.size;
        let payload = GetResultPayload::Stream(futures_util::stream::iter([Ok(part)]).boxed());
        Ok(GetResult { payload, meta, range, attributes, extensions: Default::default() })
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        match self.roll() {
            0..5 => futures_util::stream::iter([Err(failure())]).boxed(),
            // It does not know yet what was written last.
            5..15 => {
                let all = self.inner.list(prefix);
                futures_util::stream::once(async move { all.try_collect::<Vec<_>>().await })
                    .map_ok(|mut all| {
                        all.sort_by_key(|meta| meta.last_modified);
                        all.pop();
                        futures_util::stream::iter(all.into_iter().map(Ok))
                    })
                    .try_flatten()
                    .boxed()
            }
            _ => self.inner.list(prefix),
        }
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

const GENERATION: u32 = 1;
const UNITS: u32 = 5;
const PATIENCE: Duration = Duration::from_secs(10);

fn rows_of(unit: u32) -> Vec<u8> {
    format!("the rows of unit {unit}").into_bytes()
}

fn delivery(unit: u32, good: bool) -> Delivery {
    let rows = if good { rows_of(unit) } else { b"rubbish".to_vec() };
    let report = SelfPlayReport { games: 1, rows: 7, visits: 1, moves: 1, black_wins: 0 };
    Delivery { rows, games: format!("(;C[{unit}])").into_bytes(), report }
}

/// A worker with its own stopwatch.
struct Hand {
    name: String,
    units: Units,
    watch: Watch,
    now: Duration,
    claim: Option<Claim>,
}

impl Hand {
    fn new(store: &Store, name: usize) -> Self {
        let units = Units::new(store.clone(), GENERATION);
        Self { name: format!("w{name}"), units, watch: Watch::default(), now: Duration::ZERO, claim: None }
    }

    fn claim(&mut self, first: u32) {
        if self.claim.is_none() {
            let claimed = self.units.claim(UNITS, first, &self.name, &mut self.watch, self.now, PATIENCE);
            self.claim = claimed.unwrap_or(None);
        }
    }

    fn prolong(&mut self) {
        if let Some(claim) = &mut self.claim
            && self.units.prolong(claim, &self.name) == Ok(false)
        {
            self.claim = None;
        }
    }

    /// Whether it was the first.
    fn deliver(&mut self, good: bool) -> bool {
        let Some(claim) = self.claim.clone() else { return false };
        let delivered = self.units.deliver(&claim, &self.name, &delivery(claim.unit, good));
        if delivered.is_ok() {
            self.claim = None;
        }
        delivered == Ok(Delivered::Done)
    }
}

/// Whoever trains: what it took is on its own disk.
#[derive(Default)]
struct Trainer {
    takes: BTreeMap<u32, Vec<Vec<u8>>>,
    refused: BTreeMap<u32, u32>,
}

impl Trainer {
    /// Units that are still to be played; `None` where the store failed.
    fn collect(&mut self, units: &Units) -> Option<(u32, Vec<u32>)> {
        // It may have been started anew: what it knows is what its disk holds.
        let mut taken: BTreeSet<u32> = self.takes.keys().copied().collect();
        let collected = units.collect(UNITS, &mut taken, &mut |unit, _, delivery| {
            if delivery.rows == b"rubbish" {
                *self.refused.entry(unit).or_default() += 1;
                return Ok::<_, StoreError>(Taking::Refused("rubbish".to_owned()));
            }
            self.takes.entry(unit).or_default().push(delivery.rows.clone());
            Ok(Taking::Taken)
        });
        collected.ok().map(|collected| (collected.open, collected.left_out))
    }
}

#[derive(Debug, Clone)]
enum Step {
    Claim(usize, u32),
    Prolong(usize),
    Deliver(usize),
    Rubbish(usize),
    Dies(usize),
    GivesBack(usize),
    /// Its stopwatch goes on, or jumps.
    Waits(usize, u64),
    Collect,
    /// The store loses an object that it had taken.
    Loses(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let hand = || 0..4usize;
    prop_oneof![
        6 => (hand(), 0..UNITS).prop_map(|(hand, first)| Step::Claim(hand, first)),
        2 => hand().prop_map(Step::Prolong),
        4 => hand().prop_map(Step::Deliver),
        1 => hand().prop_map(Step::Rubbish),
        1 => hand().prop_map(Step::Dies),
        1 => hand().prop_map(Step::GivesBack),
        3 => (hand(), prop_oneof![0..4u64, 8..12u64, Just(1_000_000)]).prop_map(|(hand, time)| Step::Waits(hand, time)),
        3 => Just(Step::Collect),
        1 => (0..1000usize).prop_map(Step::Loses),
    ]
}

fn lose(faulty: &Faulty, which: usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let all: Vec<ObjectMeta> = faulty.inner.list(None).try_collect().await.unwrap();
        // That a delivery was refused is the trainer's word: without it nothing more than work is lost, but then three
        // deliveries of rubbish are not enough to leave a unit out.
        let all: Vec<_> = all.iter().filter(|meta| !meta.location.as_ref().contains("refused")).collect();
        if !all.is_empty() {
            faulty.inner.delete(&all[which % all.len()].location).await.unwrap();
        }
    });
}

fn check(seed: u64, steps: &[Step]) {
    let faulty = Arc::new(Faulty::new(seed));
    let inner: Arc<dyn ObjectStore> = faulty.clone();
    let store = Store::over(inner, "made up").unwrap().with_pause(Duration::ZERO);
    let mut hands: Vec<Hand> = (0..4).map(|name| Hand::new(&store, name)).collect();
    let mut trainer = Trainer::default();
    let units = Units::new(store.clone(), GENERATION);
    for step in steps {
        match *step {
            Step::Claim(hand, first) => hands[hand].claim(first),
            Step::Prolong(hand) => hands[hand].prolong(),
            Step::Deliver(hand) => drop(hands[hand].deliver(true)),
            Step::Rubbish(hand) => drop(hands[hand].deliver(false)),
            Step::Dies(hand) => hands[hand] = Hand::new(&store, hand + 10),
            Step::GivesBack(hand) => {
                if let Some(claim) = hands[hand].claim.take() {
                    let _ = units.give_back(&claim, "w");
                }
            }
            Step::Waits(hand, time) => hands[hand].now += Duration::from_secs(time),
            Step::Collect => drop(trainer.collect(&units)),
            Step::Loses(which) => lose(&faulty, which),
        }
    }
    // From now on the store does what it should, and one worker is there.
    faulty.is_on.store(false, Ordering::SeqCst);
    let mut last = Hand::new(&store, 99);
    let mut left_out = Vec::new();
    for round in 0..100 {
        if let Some((0, left)) = trainer.collect(&units) {
            left_out = left;
            break;
        }
        assert!(round < 99, "it comes to no end");
        last.now += PATIENCE;
        last.claim(0);
        last.deliver(true);
    }
    for unit in 0..UNITS {
        let takes = trainer.takes.get(&unit).map_or(&[][..], Vec::as_slice);
        if left_out.contains(&unit) {
            assert!(takes.is_empty());
            continue;
        }
        assert_eq!(takes, [rows_of(unit)], "unit {unit} once, and whole");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if fixtures::are_slow_tests_on() { 3000 } else { 60 },
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_fails_each_unit_is_taken_once(seed in any::<u64>(), steps in proptest::collection::vec(step(), 0..120)) {
        check(seed, &steps);
    }
}

/// No clock is asked but the stopwatch of who waits: a lease lasts while its holder prolongs it, however far anybody's
/// stopwatch has jumped, and ends when it stands still.
#[test]
fn a_lease_ends_when_its_holder_says_nothing_more() {
    let store = Store::over(Arc::new(InMemory::new()), "memory").unwrap();
    let (mut one, mut two) = (Hand::new(&store, 1), Hand::new(&store, 2));
    let take = |hand: &mut Hand| hand.units.claim(1, 0, &hand.name, &mut hand.watch, hand.now, PATIENCE).unwrap();
    let mut held = take(&mut one).unwrap();
    two.now = Duration::from_secs(1_000_000_000);
    assert_eq!(take(&mut two), None, "its stopwatch begins when it sees the lease");
    two.now += PATIENCE - Duration::from_secs(1);
    assert_eq!(take(&mut two), None);
    assert!(one.units.prolong(&mut held, "w1").unwrap());
    two.now += Duration::from_secs(2);
    assert_eq!(take(&mut two), None, "it was prolonged");
    two.now += PATIENCE;
    let taken = take(&mut two).unwrap();
    assert!(!one.units.prolong(&mut held, "w1").unwrap(), "it is told so");
    // Both bring their rows: the first counts.
    assert_eq!(one.units.deliver(&held, "w1", &delivery(0, true)).unwrap(), Delivered::Done);
    assert_eq!(two.units.deliver(&taken, "w2", &delivery(0, true)).unwrap(), Delivered::Late);
    assert_eq!(take(&mut two), None);
    assert!(two.units.board().unwrap().is_done(0));
}

#[test]
fn what_is_given_back_is_free_at_once() {
    let store = Store::over(Arc::new(InMemory::new()), "memory").unwrap();
    let mut hand = Hand::new(&store, 1);
    hand.claim(0);
    let claim = hand.claim.take().unwrap();
    assert!(hand.units.board().unwrap().is_leased(claim.unit));
    hand.units.give_back(&claim, "w1").unwrap();
    assert!(!hand.units.board().unwrap().is_leased(claim.unit));
    hand.claim(0);
    assert_eq!(hand.claim.unwrap().unit, claim.unit);
}

/// Overwrites whatever it is told to keep.
#[derive(Debug)]
struct Careless(InMemory);

impl fmt::Display for Careless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a store without conditional writes")
    }
}

#[async_trait]
impl ObjectStore for Careless {
    async fn put_opts(&self, location: &Path, payload: PutPayload, _: PutOptions) -> Result<PutResult> {
        self.0.put_opts(location, payload, PutOptions::default()).await
    }
    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.put_multipart_opts(location, options).await
    }
    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.0.get_opts(location, options).await
    }
    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.0.delete_stream(locations)
    }
    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.list(prefix)
    }
    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.list_with_delimiter(prefix).await
    }
    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.copy_opts(from, to, options).await
    }
}

#[test]
fn a_store_that_overwrites_is_refused_before_anything_is_written() {
    let store = Store::over(Arc::new(Careless(InMemory::new())), "careless").unwrap();
    let error = store.check().unwrap_err();
    assert_eq!(error, StoreError::Unconditional);
    assert!(error.hint().contains("If-None-Match"));
    assert_eq!(Store::over(Arc::new(InMemory::new()), "memory").unwrap().check(), Ok(()));
}
