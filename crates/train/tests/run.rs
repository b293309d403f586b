//! Whole runs on small boards: they go on from any point, and what is damaged is left out with a sentence.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_net::{Family, LibrarySearch, Limits, NetworkFile, Runtime, to_bin_gz};
use honinbo_testkit::fixtures;
use honinbo_train::{
    BoardConfig, Delivered, Delivery, FitConfig, GateConfig, Machine, NetworkShape, Run, RunConfig, SelfPlayConfig,
    SelfPlayReport, ShuffleConfig, Store, StoreError, StoreOptions, TrainError, Units, Watch, Worker, WorkerEvent,
    WorkerOptions, network_of, read_rows, store_status,
};
use honinbo_training::{Event, FolderError, RunStep, empty_board_policy, game_text, report, stamp, status};

fn machine() -> Option<Machine> {
    let library = LibrarySearch::new(None, vec![fixtures::resources().join("onnxruntime")]);
    match Runtime::load(&library) {
        Ok(runtime) => Some(Machine { runtime, cache: None, cores: 1, inference: None }),
        Err(error) => {
            fixtures::skip(&error.to_string());
            None
        }
    }
}

fn config() -> RunConfig {
    let plane = BoardConfig { width: 3, height: 3, komi_spread: 1.0, ..BoardConfig::default() };
    RunConfig {
        seed: 3,
        boards: vec![plane.clone(), BoardConfig { torus: true, width: 4, height: 3, ..plane }],
        network: NetworkShape { blocks: 2, channels: 8, ..NetworkShape::default() },
        selfplay: SelfPlayConfig {
            games: 6,
            games_per_file: 3,
            at_once: 3,
            visits: 12,
            cheap_visits: 4,
            cheap_share: 0.25,
            ..SelfPlayConfig::default()
        },
        shuffle: ShuffleConfig { least_rows: 200, most_rows: 1000 },
        fit: FitConfig { batch: 8, most_steps: 10, ..FitConfig::default() },
        gate: GateConfig { games: 4, visits: 8, needed: 0.0, probe_visits: 8 },
    }
}

/// What a whole generation tells: of each file of games, and of each other step.
const GENERATION: [&str; 5] = ["selfplay", "selfplay", "shuffle", "fit", "gate"];

/// Plays what is missing and gives what was told.
fn selfplay(run: &Run, machine: &Machine) -> Result<Vec<Event>, TrainError> {
    let mut events = Vec::new();
    run.selfplay(machine, &StopFlag::new(), &mut |event| events.push(event.clone()))?;
    Ok(events)
}

/// Each position is evaluated alone, so that the same games are the same rows on every machine.
fn one_at_once() -> RunConfig {
    RunConfig { selfplay: SelfPlayConfig { at_once: 1, ..config().selfplay }, ..config() }
}

fn go(folder: &Path, machine: &Machine, count: u32) -> Result<Vec<Event>, TrainError> {
    let mut events = Vec::new();
    Run::open(folder, None, None)?
        .generations(count, machine, &StopFlag::new(), &mut |event| events.push(event.clone()))?;
    Ok(events)
}

fn kinds(events: &[Event]) -> Vec<&'static str> {
    let kind = |event: &Event| match event {
        Event::Selfplay { .. } => "selfplay",
        Event::Shuffle { .. } => "shuffle",
        Event::Fit { .. } => "fit",
        Event::Gate(_) => "gate",
        Event::Waiting { .. } => "waiting",
        Event::Trouble { .. } => "trouble",
    };
    events.iter().map(kind).collect()
}

#[test]
fn two_generations_leave_networks_rows_and_records() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Run::open(&path, Some(config()), None).unwrap());
    let events = go(&path, &machine, 2).unwrap();
    assert_eq!(kinds(&events), GENERATION.repeat(2));
    let found = report(&path).unwrap();
    assert_eq!(kinds(&found.events), kinds(&events), "the file says what the run said");
    let found = found.status;
    assert_eq!(found, status(&path).unwrap());
    assert_eq!((found.generations, found.network, found.files_under_way), (2, 2, 0));
    assert_eq!((found.step, found.board, found.files_wanted), (RunStep::Selfplay, (3, 3, false), 2));
    assert_eq!((found.strengths.len(), found.losses.len(), found.probes.len()), (2, 2, 2));
    assert_eq!((found.cost.games, found.cost.steps), (12, found.losses[1].steps));
    assert_eq!(found.cost.processor_seconds.is_some(), cfg!(target_os = "linux"));
    assert_eq!((found.trouble.as_str(), found.unread), ("", 0));
    let places: Vec<_> = found.games.iter().map(|game| (game.generation, game.file, game.index)).collect();
    let newest_first = [(2, 1), (2, 0), (1, 1), (1, 0)].map(|(of, file)| [2, 1, 0].map(|index| (of, file, index)));
    assert_eq!(places, newest_first.concat());
    assert!(found.games.iter().all(|game| game.width < 5 && game.moves > 0 && !game.result.is_empty()));
    assert_eq!(empty_board_policy(&path, 2).unwrap().len(), 10);
    assert!(matches!(empty_board_policy(&path, 3), Err(FolderError::Missing(_))));
    assert!(game_text(&path, 2, 1, 2).unwrap().starts_with(b"(;"));
    assert!(matches!(game_text(&path, 2, 1, 3), Err(FolderError::Missing(_))));
    assert!(std::fs::read_dir(path.join("games/000002")).unwrap().count() == 2, "nothing is under way");
    let stamped = stamp(&path).unwrap();
    assert_eq!(stamp(&path).unwrap(), stamped);
    std::fs::write(path.join("games/000002/000000.part"), "").unwrap();
    assert_eq!(stamp(&path).unwrap(), stamped, "of a generation that is finished");
    std::fs::create_dir_all(path.join("games/000003")).unwrap();
    std::fs::write(path.join("games/000003/000000.part"), "(;SZ[3];B[aa])\n(;SZ[3];B[b").unwrap();
    assert_ne!(stamp(&path).unwrap(), stamped);
    let newest = &status(&path).unwrap().games[0];
    assert_eq!((newest.generation, newest.file, newest.index, newest.moves), (3, 0, 0, 1), "{newest:?}");
    let Some(Event::Gate(gate)) = events.last() else { panic!("{events:?}") };
    assert_eq!((gate.wins + gate.losses + gate.draws, gate.taken), (4, true));
    let probe = gate.probe.as_ref().unwrap();
    assert_eq!((probe.policy.len(), probe.moves.first()), (10, Some(&probe.first_move)));

    let (_, first) = network_of(&path, Some(0)).unwrap();
    let (_, second) = network_of(&path, None).unwrap();
    assert_eq!(second.model.name, "honinbo-000002");
    assert_ne!(first.model.trunk, second.model.trunk);
    let rows = read_rows(&path.join("rows/000002/000001.npz"), Some(4)).unwrap();
    assert!(!rows.is_empty());
    let records = std::fs::read(path.join("games/000002/000001.sgf")).unwrap();
    let records = honinbo_record::read_sgf(&records);
    assert_eq!(records.games.len(), 3);
}

/// Attention learns from its own games, and does not begin where edges are joined.
#[test]
fn attention_trains_on_a_plane_and_is_refused_a_torus() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let attending = NetworkShape { attention: true, channels: 16, ..config().network };
    let both = RunConfig { network: attending, ..config() };
    let refused = Run::open(&folder.path().join("torus"), Some(both.clone()), None).unwrap_err();
    assert!(matches!(refused, TrainError::Untrainable { .. }), "{refused}");
    assert!(!folder.path().join("torus").exists());

    let path = folder.path().join("plane");
    drop(Run::open(&path, Some(RunConfig { boards: both.boards[..1].to_vec(), ..both }), None).unwrap());
    let events = go(&path, &machine, 1).unwrap();
    assert_eq!(kinds(&events), GENERATION);
    let (_, network) = network_of(&path, None).unwrap();
    assert_eq!((network.model.family(), network.model.version), (Family::Transformer, 15));
}

/// Whatever is missing is made anew, and nothing else.
#[test]
fn a_run_goes_on_from_its_last_whole_step() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    drop(Run::open(path, Some(config()), None).unwrap());
    go(path, &machine, 1).unwrap();
    let made = std::fs::read(path.join("candidates/000001.bin.gz")).unwrap();
    let undo = |names: &[&str]| {
        for name in names {
            let _ = std::fs::remove_file(path.join(name));
        }
    };
    // Stopped while the gate was played.
    undo(&["gates/000001.json", "networks/000001.bin.gz"]);
    assert_eq!(kinds(&go(path, &machine, 1).unwrap()), ["gate"]);
    // Stopped between the checkpoint and the network.
    undo(&["gates/000001.json", "networks/000001.bin.gz", "candidates/000001.bin.gz"]);
    assert_eq!(kinds(&go(path, &machine, 1).unwrap()), ["gate"]);
    assert_eq!(std::fs::read(path.join("candidates/000001.bin.gz")).unwrap(), made);
    // Stopped before the checkpoint was whole: the same network is made again.
    undo(&["gates/000001.json", "networks/000001.bin.gz", "candidates/000001.bin.gz", "checkpoint.safetensors"]);
    assert_eq!(kinds(&go(path, &machine, 1).unwrap()), ["shuffle", "fit", "gate"]);
    assert_eq!(std::fs::read(path.join("candidates/000001.bin.gz")).unwrap(), made);
    // Stopped in the middle of the games, with rubbish left behind.
    undo(&["gates/000001.json", "networks/000001.bin.gz", "candidates/000001.bin.gz", "checkpoint.safetensors"]);
    undo(&["rows/000001/000001.npz"]);
    std::fs::write(path.join("rows/000001/.unfinished-x"), b"half").unwrap();
    let events = go(path, &machine, 1).unwrap();
    assert_eq!(kinds(&events), ["selfplay", "shuffle", "fit", "gate"]);
    assert!(matches!(events[0], Event::Selfplay { games: 3, .. }), "{:?}", events[0]);
}

/// The network before it plays on, also where a gate that took it was stopped before it noted that.
#[test]
fn a_network_that_the_gate_refuses_plays_no_games() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // White wins every game at this komi, and each network is White in half of them.
    let boards = config().boards.into_iter().map(|board| BoardConfig { komi: Some(400.0), ..board }).collect();
    let gate = GateConfig { needed: 1.0, ..config().gate };
    drop(Run::open(path, Some(RunConfig { boards, gate, ..config() }), None).unwrap());
    let refused = |generation: u32| {
        let events = go(path, &machine, 1).unwrap();
        let Some(Event::Gate(gate)) = events.last() else { panic!("{events:?}") };
        assert_eq!((gate.generation, gate.against, gate.taken), (generation, 0, false));
        assert_eq!((gate.wins, gate.wins + gate.losses + gate.draws), (gate.losses, 4));
        let network = path.join(format!("networks/{generation:06}.bin.gz"));
        assert!(!network.exists());
        network
    };
    let network = refused(1);
    std::fs::remove_file(path.join("gates/000001.json")).unwrap();
    std::fs::copy(path.join("candidates/000001.bin.gz"), &network).unwrap();
    refused(1);
    refused(2);
    let found = status(path).unwrap();
    assert_eq!((found.generations, found.network), (2, 0));
}

#[test]
fn a_stopped_run_says_so_and_keeps_what_was_whole() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), Some(config()), None).unwrap();
    let stop = StopFlag::new();
    stop.set();
    let stopped = run.generations(1, &machine, &stop, &mut |_| {});
    assert!(matches!(stopped, Err(TrainError::Stopped | TrainError::Search(_))), "{stopped:?}");
    drop(run);
    assert_eq!(status(folder.path()).unwrap().generations, 0);
    assert_eq!(kinds(&go(folder.path(), &machine, 1).unwrap()), GENERATION);
}

#[test]
fn damaged_rows_are_left_out_with_a_sentence() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let run = Run::open(path, Some(config()), None).unwrap();
    selfplay(&run, &machine).unwrap();
    let file = path.join("rows/000001/000001.npz");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let Some(Event::Shuffle { rows, left_out, .. }) = run.shuffle().unwrap() else { panic!("nothing was mixed") };
    assert!(rows > 0);
    assert_eq!(left_out.len(), 1);
    assert!(left_out[0].contains("000001.npz: it is no archive"), "{left_out:?}");
    assert!(run.fit(&StopFlag::new()).unwrap().is_some());
    assert_eq!(std::fs::read(&file).unwrap(), bytes[..bytes.len() / 2], "it stays for whoever wants to look");
}

#[test]
fn a_folder_that_takes_nothing_ends_the_step_with_a_sentence() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let run = Run::open(path, Some(config()), None).unwrap();
    // A file where the rows should go: nothing can be written there.
    std::fs::create_dir_all(path.join("rows")).unwrap();
    std::fs::write(path.join("rows/000001"), b"in the way").unwrap();
    let error = selfplay(&run, &machine).unwrap_err();
    assert!(matches!(error, TrainError::Io { .. }), "{error}");
    assert!(error.to_string().contains("000001"), "{error}");
    assert!(!error.hint().is_empty());
    std::fs::remove_file(path.join("rows/000001")).unwrap();
    assert!(!selfplay(&run, &machine).unwrap().is_empty());
}

/// Whoever watches sees the cost grow while games are played.
#[test]
fn a_file_of_games_counts_as_soon_as_it_is_whole() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), Some(config()), None).unwrap();
    let mut seen = Vec::new();
    let played = run.selfplay(&machine, &StopFlag::new(), &mut |_| {
        let found = status(folder.path()).unwrap();
        seen.push((found.files_under_way, found.cost.games, found.cost.seconds > 0.0));
    });
    assert!(played.unwrap());
    assert_eq!(seen, [(1, 3, true), (2, 6, true)]);
}

/// The same seed is the same games: anew, after a stop, and played by a worker.
#[test]
fn games_are_repeated_by_their_seed() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let begin = |name: &str| Run::open(&folder.path().join(name), Some(one_at_once()), None).unwrap();
    let rows_of = |name: &str| {
        ["000000.npz", "000001.npz"]
            .map(|file| read_rows(&folder.path().join(name).join("rows/000001").join(file), Some(4)).unwrap())
    };
    let run = begin("one");
    selfplay(&run, &machine).unwrap();
    let rows = rows_of("one");
    assert_ne!(rows[0], rows[1]);
    for stopped_in in ["000000", "000001"] {
        std::fs::remove_file(folder.path().join(format!("one/rows/000001/{stopped_in}.npz"))).unwrap();
        assert_eq!(selfplay(&run, &machine).unwrap().len(), 1);
        assert!(rows_of("one") == rows, "{stopped_in}");
    }
    let store = Store::open(&format!("file://{}", folder.path().join("store").display()), &StoreOptions::default());
    let (run, store) = (begin("two"), store.unwrap());
    run.join(&store).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let poll = Duration::from_millis(100);
            let options = WorkerOptions { units: Some(2), poll, ..WorkerOptions::default() };
            Worker::new(&store, &machine, options).unwrap().run(&StopFlag::new(), &mut |_| {}).unwrap();
        });
        assert!(run.gather(&store, &StopFlag::new(), &mut |_| {}).unwrap());
    });
    assert!(rows_of("two") == rows, "a worker plays the same");
}

/// Files that are whole are not played again, so their games count although the step came to no end.
#[test]
fn games_that_were_played_before_a_step_failed_count() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    // One game after the other, so that the first file is whole before the second.
    let run = Run::open(path, Some(one_at_once()), None).unwrap();
    // A folder where the second file of games should go.
    let in_the_way = path.join("games/000001/000001.sgf");
    std::fs::create_dir_all(&in_the_way).unwrap();
    let error = selfplay(&run, &machine).unwrap_err();
    assert!(matches!(error, TrainError::Io { .. }), "{error}");
    let events = report(path).unwrap().events;
    let [Event::Selfplay { games: 3, seconds, .. }] = events.as_slice() else { panic!("{events:?}") };
    assert!(*seconds > 0.0);
    std::fs::remove_dir(&in_the_way).unwrap();
    let rest = selfplay(&run, &machine).unwrap();
    assert!(matches!(rest.as_slice(), [Event::Selfplay { games: 3, .. }]), "{rest:?}");
    let cost = status(path).unwrap().cost;
    let rows_of = |file: &str| read_rows(&path.join("rows/000001").join(file), Some(4)).unwrap().len() as u64;
    assert_eq!((cost.games, cost.rows), (6, rows_of("000000.npz") + rows_of("000001.npz")));
}

/// What was taken from a store before a stop is not taken again, and counts.
#[test]
fn games_that_were_taken_from_a_store_before_a_stop_count() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = format!("file://{}", folder.path().join("store").display());
    let store = Store::open(&place, &StoreOptions::default()).unwrap();
    let path = folder.path().join("run");
    let run = Run::open(&path, Some(config()), None).unwrap();
    run.join(&store).unwrap();
    let stop = StopFlag::new();
    stop.set();
    let gather_and_stop = || run.gather(&store, &stop, &mut |_| {});
    let play_one = || {
        let options = WorkerOptions { units: Some(1), poll: Duration::from_millis(100), ..WorkerOptions::default() };
        Worker::new(&store, &machine, options).unwrap().run(&StopFlag::new(), &mut |_| {}).unwrap();
    };
    // The plan is made, and nobody has played yet.
    assert!(matches!(gather_and_stop(), Err(TrainError::Stopped)));
    assert!(report(&path).unwrap().events.is_empty());
    play_one();
    assert!(matches!(gather_and_stop(), Err(TrainError::Stopped)));
    let events = report(&path).unwrap().events;
    assert!(matches!(events.as_slice(), [Event::Selfplay { games: 3, .. }]), "{events:?}");
    play_one();
    assert!(run.gather(&store, &StopFlag::new(), &mut |_| {}).unwrap());
    let events = report(&path).unwrap().events;
    assert!(matches!(events.as_slice(), [_, Event::Selfplay { games: 3, .. }]), "{events:?}");
    assert_eq!(status(&path).unwrap().cost.games, 6);
}

/// The program ended between the end of a generation and telling the store of it.
#[test]
fn how_a_generation_came_out_is_told_by_the_next_program_where_the_last_one_could_not() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = format!("file://{}", folder.path().join("store").display());
    let store = Store::open(&place, &StoreOptions::default()).unwrap();
    let run = Run::open(&folder.path().join("run"), Some(config()), None).unwrap();
    run.join(&store).unwrap();
    run.generations(1, &machine, &StopFlag::new(), &mut |_| {}).unwrap();
    assert_eq!(store_status(&store).unwrap().results, []);
    let stop = StopFlag::new();
    stop.set();
    for _ in 0..2 {
        let stopped = run.generations_from(&store, 1, &machine, &stop, &mut |_| {});
        assert!(matches!(stopped, Err(TrainError::Stopped)), "{stopped:?}");
        let told = store_status(&store).unwrap();
        let generations: Vec<u32> = told.results.iter().map(|gated| gated.generation).collect();
        assert_eq!((generations, told.strengths.len()), (vec![1], 1), "later ones are measured by it");
    }
}

/// A mistyped address is no fleet that had nothing to do.
#[test]
fn a_worker_says_once_that_no_run_has_begun_and_ends_with_that() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("file://{}", folder.path().display()), &StoreOptions::default()).unwrap();
    let Some(machine) = machine() else { return };
    let (poll, idle) = (Duration::from_millis(5), Some(Duration::from_millis(50)));
    let options = WorkerOptions { poll, idle, ..WorkerOptions::default() };
    let mut events = Vec::new();
    let worked =
        Worker::new(&store, &machine, options).unwrap().run(&StopFlag::new(), &mut |event| events.push(event.clone()));
    assert!(matches!(worked, Err(TrainError::Store(StoreError::NoRun))), "{worked:?}");
    assert_eq!(events, [WorkerEvent::Waiting]);
}

#[test]
fn networks_that_are_damaged_or_no_numbers_stop_the_run() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let run = Run::open(path, Some(config()), None).unwrap();
    let network = path.join("networks/000000.bin.gz");
    let mut model = NetworkFile::open(&network, &Limits::default()).unwrap().model;
    model.value.value.weights[0] = f32::NAN;
    std::fs::write(&network, to_bin_gz(&model)).unwrap();
    let error = selfplay(&run, &machine).unwrap_err();
    assert!(matches!(error, TrainError::NetworkFile { .. }), "{error}");
    assert!(error.to_string().contains("000000.bin.gz"), "{error}");
}

/// Nobody has published it, so that it cannot be fetched again.
#[test]
fn a_damaged_network_of_the_run_is_mended_from_the_run() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    drop(Run::open(path, Some(config()), None).unwrap());
    go(path, &machine, 1).unwrap();
    let (network, candidate) = (path.join("networks/000001.bin.gz"), path.join("candidates/000001.bin.gz"));
    let whole = std::fs::read(&network).unwrap();
    let damage = |file: &Path| std::fs::write(file, &whole[..whole.len() / 2]).unwrap();
    damage(&network);
    let error = network_of(path, Some(1)).unwrap_err();
    assert_eq!(error.hint(), "copy it from candidates/000001.bin.gz of the run", "{error}");
    std::fs::copy(&candidate, &network).unwrap();
    assert!(network_of(path, Some(1)).is_ok());

    // Stopped before the gate took it.
    for name in ["gates/000001.json", "networks/000001.bin.gz"] {
        std::fs::remove_file(path.join(name)).unwrap();
    }
    damage(&candidate);
    let error = go(path, &machine, 1).unwrap_err();
    assert!(error.hint().contains("`honinbo train fit FOLDER` writes it again"), "{error}");
    std::fs::remove_file(&candidate).unwrap();
    assert_eq!(kinds(&go(path, &machine, 1).unwrap()), ["gate"]);
    assert_eq!(std::fs::read(&candidate).unwrap(), whole);

    let first = path.join("networks/000000.bin.gz");
    damage(&first);
    assert!(network_of(path, Some(0)).unwrap_err().hint().contains("begin another run"));
    let fetched = path.join("g170.bin.gz");
    damage(&fetched);
    let other = Run::open(&path.join("other"), Some(config()), Some(&fetched)).unwrap_err();
    assert!(other.hint().contains("fetch"), "{}", other.hint());
}

/// The first worker brings rubbish, the second one plays.
#[test]
fn rows_from_a_store_that_make_no_sense_are_played_again() {
    let Some(machine) = machine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = format!("file://{}", folder.path().join("store").display());
    let store = Store::open(&place, &StoreOptions::default()).unwrap();
    let run = Run::open(&folder.path().join("run"), Some(config()), None).unwrap();
    run.join(&store).unwrap();
    let units = Units::new(store.clone(), 1);
    let claim = units.claim(1, 0, "one", &mut Watch::default(), Duration::ZERO, Duration::MAX).unwrap().unwrap();
    let report = SelfPlayReport { games: 3, rows: 30, ..SelfPlayReport::default() };
    let rubbish = Delivery { rows: b"rubbish".to_vec(), games: Vec::new(), report };
    assert_eq!(units.deliver(&claim, "one", &rubbish).unwrap(), Delivered::Done);

    let mut events = Vec::new();
    let played = std::thread::scope(|scope| {
        scope.spawn(|| {
            let poll = Duration::from_millis(100);
            let options = WorkerOptions { units: Some(2), poll, ..WorkerOptions::default() };
            Worker::new(&store, &machine, options).unwrap().run(&StopFlag::new(), &mut |_| {}).unwrap();
        });
        run.gather(&store, &StopFlag::new(), &mut |event| events.push(event.clone())).unwrap()
    });
    assert!(played);
    let games = events.extract_if(.., |event| matches!(event, Event::Selfplay { games: 3, .. })).count();
    assert_eq!((games, status(&folder.path().join("run")).unwrap().cost.games), (2, 6));
    let [Event::Waiting { done: 0, units: 2, .. }, Event::Trouble { reason, .. }] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert!(reason.contains("unit 0 of generation 1") && reason.contains("it is no archive"), "{reason}");
    for unit in ["000000", "000001"] {
        let rows = folder.path().join("run/rows/000001").join(unit).with_extension("npz");
        assert!(!read_rows(&rows, Some(4)).unwrap().is_empty());
    }
    assert!(!run.gather(&store, &StopFlag::new(), &mut |_| {}).unwrap(), "all is here");
}

#[test]
fn one_program_at_a_time_trains_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::open(folder.path(), Some(config()), None).unwrap();
    assert!(matches!(Run::open(folder.path(), None, None), Err(TrainError::Busy(_))));
    assert_eq!(status(folder.path()).unwrap().generations, 0, "looking is allowed");
    drop(run);
    let other = RunConfig { seed: 4, ..config() };
    let error = Run::open(folder.path(), Some(other), None).unwrap_err();
    assert!(error.to_string().contains("seed is 3, not 4"), "{error}");
    let from = folder.path().join("networks/000000.bin.gz");
    let error = Run::open(folder.path(), None, Some(&from)).unwrap_err();
    assert!(matches!(error, TrainError::HasBegun) && error.hint().contains("leave --from out"), "{error}");
    std::fs::write(folder.path().join("run.toml"), "seed = 'one'").unwrap();
    assert!(matches!(Run::open(folder.path(), None, None), Err(TrainError::Folder(FolderError::Config { .. }))));
    let error = RunConfig::parse(Path::new("my.toml"), "seed = 1\n\n[fit]\nbatches = 3\n").unwrap_err();
    assert!(error.to_string().starts_with("my.toml is no configuration of a run: line 4: unknown field"), "{error}");
    assert!(matches!(status(Path::new("/nowhere")), Err(FolderError::NoRun(_))));
}

#[test]
fn settings_out_of_range_are_named() {
    let wrong = |change: &dyn Fn(&mut RunConfig)| {
        let mut config = config();
        change(&mut config);
        config.check().unwrap_err().to_string()
    };
    assert!(wrong(&|c| c.boards.clear()).contains("number of boards"));
    assert!(wrong(&|c| c.boards[0].width = 60).contains("60x3"));
    assert!(wrong(&|c| c.selfplay.rules = "japanese".into()).contains("count area"));
    assert!(wrong(&|c| c.selfplay.rules = "chess".into()).contains("chess"));
    assert!(wrong(&|c| c.fit.learning_rate = f64::NAN).contains("learning_rate"));
    assert!(wrong(&|c| c.network.channels = 7).contains("network.channels"));
    assert!(wrong(&|c| c.shuffle.most_rows = 1).contains("most_rows"));
}
