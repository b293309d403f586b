//! `honinbo train worker` and `--store`: workers and a trainer that share nothing but a store.

use crate::support::{Honinbo, engine, finish, wait};
use honinbo_testkit::inference_servers::{Arrays, InferenceServer};
use honinbo_testkit::{AzureServer, S3Server, fixtures};
use honinbo_train::read_rows;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// One game at once, so that each position is evaluated alone and the same work is the same rows.
fn config(units: u32, visits: u32) -> String {
    let games = 2 * units;
    format!(
        "seed = 2\n[[boards]]\nwidth = 5\nheight = 5\nkomi_spread = 1.0\n[network]\nblocks = 1\nchannels = 8\n\
         [selfplay]\ngames = {games}\ngames_per_file = 2\nat_once = 1\nvisits = {visits}\ncheap_visits = 8\n\
         cheap_share = 0.5\n[fit]\nbatch = 8\nmost_steps = 4\n\
         [gate]\ngames = 2\nvisits = 4\nneeded = 0.0\nprobe_visits = 4\n"
    )
}

fn lines(child: &mut Child) -> Receiver<Value> {
    let stdout = child.stdout.take().unwrap();
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let _ = sender.send(serde_json::from_str(&line).unwrap());
        }
    });
    lines
}

/// What the files of games of these events hold together.
fn sum(events: &[Value], what: &str) -> u64 {
    events.iter().filter(|event| event["event"] == "selfplay").filter_map(|event| event[what].as_u64()).sum()
}

fn folder_store(folder: &Path) -> String {
    format!("file://{}", folder.display())
}

#[test]
fn a_run_whose_games_others_play() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (settings, run, store) = (path("my.toml"), path("run"), folder_store(&honinbo.data.path().join("store")));
    std::fs::write(&settings, config(3, 8)).unwrap();
    // A mistyped address is said at once, and makes nothing.
    for look in [vec!["train", "status", "--store", &store], vec!["train", "worker", "--store", &store]] {
        assert!(honinbo.run(&look).failure().contains("there is no folder "), "{look:?}");
        assert!(!honinbo.data.path().join("store").exists());
    }
    std::fs::create_dir(honinbo.data.path().join("store")).unwrap();
    assert!(honinbo.run(&["train", "status", "--store", &store]).stdout.contains("no run has begun"));
    let early = honinbo.run(&["train", "worker", "--store", &store, "--idle", "0"]);
    assert!(early.failure().contains("no run has begun in this store"), "{early:?}");
    assert!(early.stdout.contains("waits    no run has begun in this store"), "{early:?}");
    let trainer =
        honinbo.spawn(&["train", &run, "--config", &settings, "--store", &store, "--generations", "2", "--json"]);
    let worker = ["train", "worker", "--store", &store, "--name", "one", "--units", "6", "--idle", "120", "--json"];
    let worked = honinbo.run(&worker);
    assert_eq!(worked.status, 0, "{worked:?}");
    let events: Vec<Value> = worked.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let played: Vec<&Value> = events.iter().filter(|event| event["event"] == "played").collect();
    assert_eq!(played.len(), 6);
    assert!(played.iter().all(|event| event["counts"] == true && event["games"] == 2), "{played:?}");
    assert_eq!(events.iter().filter(|event| event["event"] == "network").count(), 2, "a network for each generation");
    let trained = finish(trainer);
    assert_eq!(trained.status, 0, "{trained:?}");
    let events: Vec<Value> = trained.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let generation = ["waiting", "selfplay", "selfplay", "selfplay", "shuffle", "fit", "gate"];
    assert_eq!(kinds, generation.repeat(2), "a line for each unit");
    assert_eq!((&events[0]["done"], &events[0]["units"]), (&0.into(), &3.into()));
    assert_eq!((sum(&events[..7], "games"), sum(&events[7..], "games")), (6, 6));
    let status = honinbo.run(&["train", "status", "--store", &store, "--json"]).json();
    assert_eq!((&status["generation"], &status["done"], &status["units"]), (&2.into(), &3.into(), &3.into()));
    assert_eq!(status["results"].as_array().unwrap().len(), 2);

    // Another run does not get into it.
    let other = path("other");
    let refused = honinbo.run(&["train", &other, "--config", &settings, "--store", &store, "--generations", "1"]);
    assert!(refused.failure().contains("holds another run"), "{refused:?}");
    assert!(!Path::new(&other).exists(), "nothing was begun");
    let refused = honinbo.run(&["train", &other, "--config", &settings, "--store", "s3://go/five"]);
    assert!(refused.failure().contains("3 to 63 characters") && !Path::new(&other).exists(), "{refused:?}");
}

/// A worker says that the store is full, waits, and plays once there is room; nothing is lost or there twice.
#[cfg(target_os = "linux")]
#[test]
fn a_full_store_is_waited_for() {
    use crate::support::SmallDisk;

    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let mounted = honinbo.data.path().join("disk");
    let Some(disk) = SmallDisk::new(&mounted) else {
        return fixtures::skip("the system lets nobody mount a disk of their own");
    };
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (settings, run, store) = (path("my.toml"), path("run"), folder_store(&mounted.join("store")));
    std::fs::write(&settings, config(2, 8)).unwrap();
    let begin = ["train", &run, "--config", &settings, "--store", &store, "--generations", "1", "--json"];
    let mut trainer = disk.command(&honinbo, &begin).spawn().unwrap();
    let told = lines(&mut trainer);
    let status = || finish(disk.command(&honinbo, &["train", "status", "--store", &store]).spawn().unwrap());
    while !status().stdout.contains("generation 1") {
        std::thread::sleep(Duration::from_millis(50));
    }
    disk.fill(0);
    let work = ["train", "worker", "--store", &store, "--units", "2", "--idle", "120", "--json"];
    let mut worker = disk.command(&honinbo, &work).spawn().unwrap();
    let events = lines(&mut worker);
    let next = || events.recv_timeout(Duration::from_secs(120)).unwrap();
    let refused = next();
    assert_eq!(refused["event"], "trouble", "{refused}");
    assert!(refused["reason"].as_str().unwrap().contains("No space left on device"), "{refused}");
    disk.clear();
    let mut units = BTreeSet::new();
    while units.len() < 2 {
        let event = next();
        if event["event"] == "played" {
            assert_eq!(event["counts"], true, "{event}");
            units.insert(event["unit"].as_u64().unwrap());
        }
    }
    assert_eq!(wait(&mut worker, Duration::from_secs(120)), 0);
    assert_eq!(wait(&mut trainer, Duration::from_secs(120)), 0);
    let told: Vec<Value> = told.iter().collect();
    assert_eq!((sum(&told, "games"), units), (4, BTreeSet::from([0, 1])));
}

/// A server with another network is not asked, and costs no game.
#[cfg(unix)]
#[test]
fn a_worker_asks_inference_servers_that_serve_the_network_and_no_others() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (settings, run, store) = (path("my.toml"), path("run"), folder_store(&honinbo.data.path().join("store")));
    std::fs::write(&settings, config(2, 8)).unwrap();
    let trainer =
        honinbo.spawn(&["train", &run, "--config", &settings, "--store", &store, "--generations", "1", "--json"]);
    let networks = honinbo.data.path().join("store/networks");
    let is_whole = |path: &PathBuf| path.to_string_lossy().ends_with(".bin.gz");
    let first_network = || std::fs::read_dir(&networks).ok()?.flatten().map(|entry| entry.path()).find(is_whole);
    while first_network().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let work = |address: &str| {
        let args = ["train", "worker", "--store", &store, "--units", "1", "--json", "--inference", address];
        let worked = honinbo.run(&args);
        assert_eq!(worked.status, 0, "{worked:?}");
        let events: Vec<Value> = worked.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let event = |kind: &str| events.iter().find(|event| event["event"] == kind).unwrap().clone();
        assert_eq!(event("played")["counts"], true, "{events:?}");
        event("inference")
    };
    let arrays = Arrays { policy_outputs: 2, score_outputs: 4 };
    let other = InferenceServer::start_grpc("honinbo", arrays, None);
    let asked = work(&other.address());
    assert_eq!((&asked["ready"], &asked["servers"]), (&0.into(), &1.into()));
    assert!(asked["note"].as_str().unwrap().contains("the network is computed here"), "{asked}");

    let (network, models) = (path("first.bin.gz"), honinbo.data.path().join("models"));
    std::fs::copy(first_network().unwrap(), &network).unwrap();
    let exported = honinbo.run(&["net", "export", "--for", "triton", models.to_str().unwrap(), "--net", &network]);
    assert_eq!(exported.status, 0, "{exported:?}");
    if let Some(triton) = honinbo_testkit::Triton::serve(&models) {
        let asked = work(&triton.grpc_address());
        assert_eq!((&asked["ready"], &asked["servers"], &asked["note"]), (&1.into(), &1.into(), &"".into()));
    } else {
        work(&other.address());
    }
    let trained = finish(trainer);
    assert_eq!(trained.status, 0, "{trained:?}");
}

#[test]
fn stores_that_cannot_be_used_are_refused_with_what_to_do() {
    let honinbo = Honinbo::new().with("AWS_ACCESS_KEY_ID", "key").with("AWS_SECRET_ACCESS_KEY", "very-secret");
    let status = |more: &[&str]| honinbo.run(&[&["train", "status"] as &[&str], more].concat());
    assert!(status(&["--store", "ftp://x/y"]).failure().contains("begins with file:///"));
    let refused = status(&["--store", "s3://key:very-secret@bucket/x"]);
    assert!(refused.failure().contains("neither passwords") && !refused.stderr.contains("very-secret"), "{refused:?}");
    assert!(status(&["--store", "s3://go/five"]).failure().contains("3 to 63 characters"));
    let refused = status(&["--store", "s3://bucket/x", "--store-endpoint", "http://s3.example"]);
    assert!(refused.failure().contains("s3.example would be asked without encryption"), "{refused:?}");
    assert!(!refused.stderr.contains("very-secret"), "{refused:?}");
    assert_eq!(status(&[]).status, 2);
    assert_eq!(honinbo.run(&["train", "worker"]).status, 2);
}

/// As schedulers do it.
#[cfg(unix)]
#[test]
fn a_worker_that_is_asked_to_end_gives_its_unit_back() {
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (settings, run, store) = (path("my.toml"), path("run"), folder_store(&honinbo.data.path().join("store")));
    std::fs::write(&settings, config(1, 100_000)).unwrap();
    std::fs::create_dir(honinbo.data.path().join("store")).unwrap();
    let mut trainer = honinbo.spawn(&["train", &run, "--config", &settings, "--store", &store, "--json"]);
    let units = || {
        let status = honinbo.run(&["train", "status", "--store", &store, "--json"]).json();
        ["done", "underWay", "units"].map(|name| status[name].as_u64().unwrap())
    };
    // A scheduler that has to put another in its place tells this end from the end of the work.
    for (options, status) in [(vec![], 0), (vec!["--stopped-status", "143"], 143)] {
        let work = ["train", "worker", "--store", &store, "--json"];
        let mut worker = honinbo.spawn(&[&work as &[&str], &options].concat());
        let told = lines(&mut worker);
        while told.recv_timeout(Duration::from_secs(120)).unwrap()["event"] != "begun" {}
        assert_eq!(units(), [0, 1, 1]);
        assert!(std::process::Command::new("kill").arg(worker.id().to_string()).status().unwrap().success());
        assert_eq!(wait(&mut worker, Duration::from_secs(60)), status);
        assert_eq!(units(), [0, 0, 1], "nobody plays it, and nobody has to wait for it");
    }
    trainer.kill().unwrap();
    trainer.wait().unwrap();
}

/// Two workers at a server of Azure's kind, of which one is killed while it plays.
#[test]
fn a_run_in_an_azure_container() {
    if engine().is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let Some(server) = AzureServer::start(place.path(), "runs") else { return };
    let mut honinbo = Honinbo::new();
    for (name, value) in server.environment() {
        honinbo = honinbo.with(name, value);
    }
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (settings, run) = (path("my.toml"), path("run"));
    std::fs::write(&settings, config(4, 40)).unwrap();
    let endpoint = server.endpoint();
    let at = ["--store", "az://runs/two", "--store-endpoint", &endpoint, "--threads", "1", "--json"];
    let begin = ["train", &run, "--config", &settings, "--generations", "1"];
    let trainer = honinbo.spawn(&[&begin as &[&str], &at].concat());
    let work = ["train", "worker", "--lease", "4", "--idle", "20"];
    let mut killed = honinbo.spawn(&[&work as &[&str], &at].concat());
    let told = lines(&mut killed);
    while told.recv_timeout(Duration::from_secs(120)).unwrap()["event"] != "begun" {}
    killed.kill().unwrap();
    killed.wait().unwrap();
    let mut other = honinbo.spawn(&[&work as &[&str], &at].concat());
    let trained = finish(trainer);
    assert_eq!(trained.status, 0, "{trained:?}\n{}", server.log().lines().rev().take(20).collect::<String>());
    let _ = other.kill();
    let _ = other.wait();
    assert!(!trained.stdout.contains("bWFkZS11cA") && !trained.stderr.contains("bWFkZS11cA"), "no secrets are told");
    let told: Vec<Value> = trained.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(sum(&told, "games"), 8);
    let files = std::fs::read_dir(Path::new(&run).join("rows/000001")).unwrap();
    let rows: u64 =
        files.map(|file| read_rows(&file.unwrap().path(), Some(5)).unwrap().targets.len() as u64 / 80).sum();
    assert_eq!(sum(&told, "rows"), rows, "no row is lost or there twice");
}

/// Ten workers at a real S3 server, of which five are killed while they play: every unit is there once, and its rows are
/// those of a worker whom nobody disturbed.
#[test]
fn five_of_ten_workers_are_killed_and_no_row_is_lost_or_there_twice() {
    if engine().is_none() {
        return;
    }
    let slow = fixtures::are_slow_tests_on();
    let (units, visits, generations) = if slow { (60, 60, 3) } else { (16, 40, 1) };
    let place = tempfile::tempdir().unwrap();
    let Some(server) = S3Server::start(place.path()) else { return };
    let mut honinbo = Honinbo::new();
    for (name, value) in server.environment() {
        honinbo = honinbo.with(name, value);
    }
    let path = |name: &str| honinbo.data.path().join(name).to_str().unwrap().to_owned();
    let (settings, run) = (path("my.toml"), path("run"));
    std::fs::write(&settings, config(units, visits)).unwrap();
    let endpoint = server.endpoint();
    let at = ["--store", "s3://runs/five", "--store-endpoint", &endpoint, "--threads", "1", "--json"];
    let generations = generations.to_string();
    let begin = ["train", &run, "--config", &settings, "--generations", &generations];
    let trainer = honinbo.spawn(&[&begin as &[&str], &at].concat());

    let mut workers: Vec<(Child, Receiver<Value>)> = (0..10)
        .map(|number| {
            let name = format!("w{number}");
            let args = ["train", "worker", "--name", &name, "--lease", "4", "--idle", "20"];
            let mut child = honinbo.spawn(&[&args as &[&str], &at].concat());
            let lines = lines(&mut child);
            (child, lines)
        })
        .collect();
    // Three die as soon as they have begun, two somewhat later: in the middle of a unit, of its delivery, or between.
    let mut killed_with = Vec::new();
    for (number, delay) in [(1, 0), (3, 0), (4, 0), (6, 300), (8, 900)] {
        let (child, lines) = &mut workers[number];
        let unit = loop {
            let line = lines.recv_timeout(Duration::from_secs(240)).unwrap();
            if line["event"] == "begun" {
                break line["unit"].clone();
            }
        };
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        killed_with.push(unit);
    }
    assert_eq!(killed_with.len(), 5);

    let trained = finish(trainer);
    assert_eq!(trained.status, 0, "{trained:?}\n{}", server.log().lines().rev().take(20).collect::<String>());
    for (number, (mut child, _)) in workers.into_iter().enumerate() {
        if ![1, 3, 4, 6, 8].contains(&number) {
            let _ = child.kill();
        }
        let _ = child.wait();
    }
    assert!(!trained.stdout.contains("made-up") && !trained.stderr.contains("made-up"), "no secrets are told");
    let events: Vec<Value> = trained.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = events.split_inclusive(|event| event["event"] == "gate").next().unwrap();
    assert_eq!(sum(first, "games"), 2 * u64::from(units));

    // The same work by one worker alone, in another store.
    let (calm, store) = (path("calm"), folder_store(&honinbo.data.path().join("store")));
    std::fs::create_dir(honinbo.data.path().join("store")).unwrap();
    let calm_at = ["--store", &store, "--threads", "1", "--json"];
    let begin = ["train", &calm, "--config", &settings, "--generations", "1"];
    let trainer = honinbo.spawn(&[&begin as &[&str], &calm_at].concat());
    let limit = units.to_string();
    let alone = honinbo.run(&[&["train", "worker", "--units", &limit] as &[&str], &calm_at].concat());
    assert_eq!(alone.status, 0, "{alone:?}");
    assert_eq!(finish(trainer).status, 0);

    let folder = |run: &str| Path::new(run).join("rows/000001");
    let files = |run: &str| {
        let files = std::fs::read_dir(folder(run)).unwrap();
        files.map(|entry| entry.unwrap().file_name().to_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(files(&run), (0..units).map(|unit| format!("{unit:06}.npz")).collect());
    assert_eq!(files(&run), files(&calm));
    let (mut count, mut seen) = (0, BTreeSet::new());
    for name in files(&run) {
        let disturbed = read_rows(&folder(&run).join(&name), Some(5)).unwrap();
        assert_eq!(disturbed, read_rows(&folder(&calm).join(&name), Some(5)).unwrap(), "{name}");
        for row in disturbed.targets.chunks(80) {
            count += 1;
            // The game's number and the turn, where KataGo's programs look for them.
            seen.insert([&row[41..47], &row[51..52]].concat().iter().map(|part| part.to_bits()).collect::<Vec<_>>());
        }
    }
    assert_eq!((sum(first, "rows"), seen.len()), (count, count as usize), "no row is there twice");
}
