//! Graphics cards: WebGPU on a Vulkan driver in software, and machines without any.

use crate::support::{Honinbo, engine, small_network, wait};
use honinbo_testkit::fixtures;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The Vulkan driver in software that Debian's package chromium carries.
const SWIFTSHADER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";

const GAME: &str = "(;SZ[9]KM[7]RU[Chinese];B[ee];W[ce];B[ec];W[gd])";

/// A program that computes on software Vulkan when it is asked for WebGPU; `None`, counted as skipped, without it.
fn with_software_vulkan() -> Option<Honinbo> {
    engine()?;
    if !Path::new(SWIFTSHADER).exists() {
        fixtures::skip("there is no Vulkan driver in software; scripts/setup test installs chromium, which has one");
        return None;
    }
    if !fixtures::resources().join("onnxruntime/libonnxruntime_providers_webgpu.so").exists() {
        fixtures::skip("the WebGPU provider is not there; scripts/resources fetches it");
        return None;
    }
    Some(honinbo_with(SWIFTSHADER))
}

/// The provider offers a processor as a card only where this variable says so.
fn honinbo_with(vulkan: &str) -> Honinbo {
    Honinbo::new().with("VK_ICD_FILENAMES", vulkan).with("ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER", "1")
}

fn game_in(honinbo: &Honinbo) -> String {
    let path = honinbo.data.path().join("game.sgf");
    std::fs::write(&path, GAME).unwrap();
    path.display().to_string()
}

/// `most` lines of a packed recording that are wanted, as a recording of their own. A driver in software takes seconds to
/// make ready for a size of boards and for a position of 19x19, so each time only one small size is looked at.
fn some_of(recording: &str, into: &Path, wanted: impl Fn(&str) -> bool, most: usize) {
    let packed = std::fs::File::open(fixtures::fixture(&format!("golden/{recording}.jsonl.gz"))).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| wanted(line)).take(most).collect();
    assert_eq!(lines.len(), most, "{recording}");
    let name = Path::new(recording).file_name().unwrap().to_str().unwrap();
    std::fs::write(into.join(format!("{name}.jsonl")), lines.join("\n")).unwrap();
}

#[test]
fn small_networks_answer_on_webgpu_as_recorded() {
    let Some(honinbo) = with_software_vulkan() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (most, largest) = if fixtures::are_slow_tests_on() { (16, 19) } else { (2, 5) };
    for name in ["g170-b6c96-s175395328-d26788732", "b7c96h3tfrs-test5-cnorm", "b7c96h6kv3qk32v16tflrs-fson-bnh"] {
        let is_small = |line: &str| (5..=largest).any(|n| line.contains(&format!("\"width\":{n},\"height\":{n},")));
        some_of(name, folder.path(), is_small, most);
    }
    let nets = fixtures::fixture("networks");
    let (golden, nets) = (folder.path().to_str().unwrap(), nets.to_str().unwrap());
    let ended = honinbo.run(&["net", "check", "--golden", golden, "--nets", nets, "--device", "webgpu", "--json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let report = ended.json();
    assert_eq!((&report["passed"], &report["positions"]), (&true.into(), &(3 * most).into()), "{report}");
}

#[test]
fn searches_on_webgpu_have_the_visits_of_those_on_the_processor() {
    let Some(honinbo) = with_software_vulkan() else { return };
    let folder = tempfile::tempdir().unwrap();
    let is_short = |line: &str| line.contains("\"size\":5,") && line.contains("\"max_visits\":10,");
    some_of("search/g170-b6c96-s175395328-d26788732", folder.path(), is_short, 2);
    let nets = fixtures::fixture("networks");
    let (golden, nets) = (folder.path().to_str().unwrap(), nets.to_str().unwrap());
    for device in ["cpu", "webgpu"] {
        let args = ["search", "check", "--golden", golden, "--nets", nets, "--device", device, "--json"];
        let ended = honinbo.run(&args);
        assert_eq!(ended.status, 0, "{device}: {ended:?}");
        let report = &ended.json()["networks"][0]["report"];
        assert_eq!((&report["sameVisits"], &report["searches"]), (&2.into(), &2.into()), "{device}: {ended:?}");
    }
}

#[test]
fn an_answer_names_the_device_and_what_it_leaves_to_the_processor() {
    let Some(honinbo) = with_software_vulkan() else { return };
    let (game, network) = (game_in(&honinbo), small_network());
    let reply = honinbo.run(&["run", &game, "--net", &network, "--visits", "3", "--device", "webgpu", "--json"]).json();
    let device = reply["device"].as_str().unwrap();
    assert!(device == "webgpu" || device.starts_with("webgpu (") && device.ends_with(" nodes on cpu)"), "{device}");
    // Nobody asked: what only looks like a card is not even measured.
    let reply = honinbo.run(&["run", &game, "--net", &network, "--visits", "3", "--json"]).json();
    assert_eq!(reply["device"], "cpu");
    let found = honinbo.run(&["net", "devices", "--net", &network, "--json"]).json();
    let webgpu = found["devices"].as_array().unwrap().iter().find(|device| device["device"] == "webgpu").unwrap();
    assert_eq!((&webgpu["isSoftware"], &webgpu["evaluationsPerSecond"]), (&true.into(), &0.0.into()), "{found}");
}

#[test]
fn devices_are_measured_when_somebody_asks() {
    let Some(honinbo) = with_software_vulkan() else { return };
    let network = small_network();
    let found = honinbo.run(&["net", "devices", "--measure", "--net", &network, "--json"]).json();
    let speeds: Vec<(&str, f64)> = found["devices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|device| (device["device"].as_str().unwrap(), device["evaluationsPerSecond"].as_f64().unwrap()))
        .collect();
    assert!(matches!(speeds[..], [("webgpu", card), ("cpu", processor)] if card > 0.0 && processor > 0.0), "{found}");
    assert!(found["devices"].as_array().unwrap().iter().all(|device| device["refused"] == ""), "{found}");
    assert_eq!(found["devices"][1]["inUse"], true, "{found}");
    // What was found is kept.
    assert_eq!(honinbo.run(&["net", "devices", "--net", &network, "--json"]).json()["devices"][0]["refused"], "");
}

/// What is remembered of the processor's kernels with a network.
fn kernels(honinbo: &Honinbo, network: &str) -> serde_json::Value {
    let found = honinbo.run(&["net", "devices", "--net", network, "--json"]).json();
    found["devices"].as_array().unwrap().last().unwrap()["kernels"].clone()
}

fn cannot_choose() {
    fixtures::skip("the project has no kernels for this processor, so that there is nothing to choose");
}

#[test]
fn the_faster_kernels_of_a_processor_are_found_for_a_network_shown_and_used() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let game = game_in(&honinbo);
    let run = || {
        let ended = honinbo.run(&["run", &game, "--net", &network, "--visits", "3", "--json"]);
        assert_eq!(ended.json()["device"], "cpu", "{ended:?}");
    };
    run();
    assert!(kernels(&honinbo, &network).is_null(), "nobody waits for a measurement");
    honinbo.run(&["net", "devices", "--measure", "--net", &network, "--json"]).json();
    let found = kernels(&honinbo, &network);
    if found.is_null() {
        return cannot_choose();
    }
    let speed = |name: &str| found[name].as_f64().unwrap();
    let (own, library) = (speed("ownPerSecond"), speed("libraryPerSecond"));
    assert!(own > 0.0 && library > 0.0, "{found}");
    assert_eq!(found["own"], library <= 1.15 * own, "{found}");
    let words = honinbo.run(&["net", "devices", "--net", &network]);
    assert!(words.stdout.contains(&format!("own {own:.1}, ONNX Runtime {library:.1} evaluations/s")), "{words:?}");
    assert!(words.stdout.contains(" evaluations/s, 16 bits, ") || words.stdout.contains(" evaluations/s, 32 bits, "));

    let file = honinbo.data.path().join("cache/tuning.json");
    let kept = std::fs::read_to_string(&file).unwrap();
    // Whatever is remembered computes.
    let other = if found["own"] == true { ("\"own\"", "\"onnxRuntime\"") } else { ("\"onnxRuntime\"", "\"own\"") };
    std::fs::write(&file, kept.replace(other.0, other.1)).unwrap();
    run();
    assert_ne!(kernels(&honinbo, &network)["own"], found["own"]);
}

#[test]
fn kernels_are_measured_once_while_nobody_asks_for_anything() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let file = honinbo.data.path().join("cache/tuning.json");
    let mut gtp = honinbo.command(&["gtp", "--net", &network, "--visits", "3"]).stdin(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (gtp.stdin.take().unwrap(), gtp.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines();
    let mut ask = |command: &str| {
        writeln!(input, "{command}").unwrap();
        let answer = lines.next().unwrap().unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), "");
        answer
    };
    assert!(ask("genmove b").starts_with("= "));
    assert!(!file.exists(), "the answer comes first");
    let begun = Instant::now();
    while !file.exists() && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(200));
    }
    // What is measured makes room for whoever asks.
    assert!(ask("genmove w").starts_with("= "));
    ask("quit");
    drop(input);
    assert_eq!(wait(&mut gtp, Duration::from_secs(60)), 0);
    let found = kernels(&honinbo, &network);
    if found.is_null() {
        return cannot_choose();
    }
    assert!(found["ownPerSecond"].as_f64().unwrap() > 0.0, "{found}");
}

#[test]
fn without_vulkan_the_processor_computes_and_webgpu_says_why_it_cannot() {
    let Some(network) = engine() else { return };
    let honinbo = honinbo_with("/no/such/driver.json");
    let game = game_in(&honinbo);
    let run = |more: &[&str]| {
        honinbo.run(&[&["run", &game, "--net", &network, "--visits", "3", "--json"] as &[&str], more].concat())
    };
    assert_eq!(run(&[]).json()["device"], "cpu");
    let ended = run(&["--device", "webgpu"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("webgpu") && ended.stderr.contains("cpu always works"), "{ended:?}");
    // Without the variable there is no card to ask at all.
    let plain = Honinbo::new();
    let ended = plain.run(&["run", &game, "--net", &network, "--visits", "3", "--device", "webgpu"]);
    assert!(ended.status == 1 || !ended.stdout.is_empty(), "a machine with a card: {ended:?}");
}

#[test]
fn what_can_compute_is_listed_before_there_is_a_network() {
    let Some(_) = engine() else { return };
    let honinbo = Honinbo::new();
    let ended = honinbo.run(&["net", "devices", "--net", "nobody-has-it.bin.gz", "--json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let found = ended.json();
    let devices = found["devices"].as_array().unwrap();
    assert_eq!(devices.last().unwrap()["device"], "cpu", "{found}");
    assert!(devices.iter().all(|device| device["evaluationsPerSecond"] == 0.0), "{found}");
    // To measure it is another matter.
    let ended = honinbo.run(&["net", "devices", "--net", "nobody-has-it.bin.gz", "--measure"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("nobody-has-it.bin.gz is not there"), "{ended:?}");
}

#[test]
fn the_check_of_all_devices_writes_its_table() {
    if !fixtures::slow_tests() || engine().is_none() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let network = fixtures::network("g170-b6c96").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.md");
    let mut command = std::process::Command::new(root.join("scripts/device-check"));
    command.args(["--quick", "--device", "cpu", "--out", table.to_str().unwrap(), "--net", network.to_str().unwrap()]);
    command.env("HONINBO", env!("CARGO_BIN_EXE_honinbo")).env("HONINBO_RESOURCES", fixtures::resources());
    command.env_remove("KATAGO");
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let table = std::fs::read_to_string(table).unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| g170-b6c96"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), 2, "{table}");
    for (row, precision) in rows.iter().zip(["fp32", "fast"]) {
        assert_eq!((row[2], row[3], row[8]), ("cpu", precision, "cpu"), "{table}");
        assert!(row[4].starts_with("ok, 6 positions"), "{table}");
        let figure = |column: usize| row[column].split(' ').next().unwrap().parse::<f64>();
        assert!([5, 6, 7, 9].iter().all(|&column| figure(column).is_ok_and(|figure| figure > 0.0)), "{table}");
    }
}
