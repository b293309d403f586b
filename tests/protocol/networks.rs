//! `honinbo net`.

use crate::support::{Honinbo, engine, finish, small_network};
use honinbo_testkit::fixtures;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

const NAME: &str = "g170-b6c96-s175395328-d26788732";

#[test]
fn what_a_network_is() {
    let network = small_network();
    let honinbo = Honinbo::new();
    let info = honinbo.run(&["net", "info", &network, "--json"]).json();
    assert_eq!((&info["name"], &info["version"]), (&NAME.into(), &8.into()));
    assert_eq!((&info["channels"], &info["family"]), (&96.into(), &"convolutional".into()));
    let text = honinbo.run(&["net", "info", &network]).stdout;
    assert!(text.contains(NAME) && text.contains(info["sha256"].as_str().unwrap()), "{text}");
}

#[test]
fn a_network_as_onnx() {
    let network = small_network();
    let honinbo = Honinbo::new();
    let target = honinbo.data.path().join("small.onnx");
    let convert = |more: &[&str]| {
        honinbo.run(&[&["net", "convert", &network, target.to_str().unwrap(), "--json"] as &[&str], more].concat())
    };
    let done = convert(&["--size", "19x19"]).json();
    let bytes = std::fs::metadata(&target).unwrap().len();
    assert_eq!(done["bytes"], bytes);
    assert!(bytes > 1_000_000);
    assert!(convert(&[]).failure().contains("is there already"));
    assert_eq!(convert(&["--force", "--precision", "fp16"]).status, 0);
    assert!(std::fs::metadata(&target).unwrap().len() < bytes * 6 / 10);
    assert_eq!(convert(&["--force", "--size", "nineteen"]).status, 2);
    let large = convert(&["--force", "--size", "99x99"]);
    assert!(large.status == 2 && large.stderr.contains("99x99"), "{large:?}");
}

#[test]
fn a_network_of_eight_bits() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let target = honinbo.data.path().join("small.onnx");
    let convert = |precision: &str| {
        let file = target.to_str().unwrap();
        let args = ["net", "convert", &network, file, "--size", "9x9", "--force", "--json", "--precision", precision];
        (honinbo.run(&args).json(), std::fs::read(&target).unwrap())
    };
    let (_, full) = convert("fp32");
    let (done, narrow) = convert("int8");
    assert_eq!(done["precision"], "int8");
    let holds = |text: &str| narrow.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("QuantizeLinear") && holds("precision") && holds("int8"));
    assert!(narrow.len() < full.len() / 2, "{} and {}", narrow.len(), full.len());
}

#[test]
fn answers_are_compared_with_recorded_ones() {
    let Some(_) = engine() else { return };
    let (golden, nets) = (fixtures::fixture("golden"), fixtures::fixture("networks"));
    let honinbo = Honinbo::new();
    let args = ["net", "check", "--golden", golden.to_str().unwrap(), "--nets", nets.to_str().unwrap()];
    let ended = honinbo.run(&[&args as &[&str], &["--only", "g170-b6c96", "--positions", "4"]].concat());
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains(NAME), "{ended:?}");
    assert!(ended.stdout.lines().last().unwrap().contains("0 out of tolerance"), "{ended:?}");
    let narrow = ["--only", "g170-b6c96", "--positions", "2", "--precision", "fp16"];
    let ended = honinbo.run(&[&args as &[&str], &narrow].concat());
    assert!(ended.status == 0 && ended.stdout.contains("fp16, ok"), "{ended:?}");
    assert!(ended.stdout.contains("allowed: policy divergence"), "{ended:?}");
    let none = honinbo.data.path().display().to_string();
    let ended = honinbo.run(&["net", "check", "--golden", golden.to_str().unwrap(), "--nets", &none, "--json"]);
    assert_eq!((ended.status, &ended.json()["passed"]), (1, &false.into()), "{ended:?}");
    assert!(ended.stderr.contains("nothing was checked"), "{ended:?}");
    assert!(!ended.json()["skipped"].as_array().unwrap().is_empty());
}

#[test]
fn evaluations_a_second() {
    let Some(network) = engine() else { return };
    let args = ["net", "bench", &network, "--threads", "1", "--batch", "2", "--seconds", "0.5", "--json"];
    let figures = Honinbo::new().run(&args).json();
    let (report, row) = (&figures[0], &figures[0]["rows"][0]);
    assert_eq!((&report["network"], &row["batch"], &report["device"]), (&NAME.into(), &2.into(), &"cpu".into()));
    assert!(row["evaluationsPerSecond"].as_f64().unwrap() > 0.5, "{report}");
}

/// ONNX Runtime keeps an identifier of the machine in the person's home, and reports, unless it is told not to.
#[test]
fn nothing_is_left_in_the_home_of_the_person() {
    let Some(network) = engine() else { return };
    let (honinbo, home) = (Honinbo::new(), tempfile::tempdir().unwrap());
    let args = ["net", "bench", &network, "--threads", "1", "--batch", "1", "--seconds", "0.1", "--json"];
    let mut command = honinbo.command(&args);
    // On machines that build software it is quiet by itself.
    for variable in ["CI", "GITHUB_ACTIONS", "ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME"] {
        command.env_remove(variable);
    }
    let ended = command.env("HOME", home.path()).output().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_network_in_the_current_folder_is_found_by_the_name_of_its_file() {
    let Some(network) = engine() else { return };
    let (honinbo, folder) = (Honinbo::new(), tempfile::tempdir().unwrap());
    std::fs::copy(network, folder.path().join("mine.bin.gz")).unwrap();
    let said = |args: &[&str], input: &str| {
        let mut command = honinbo.command(args);
        let mut child = command.current_dir(folder.path()).stdin(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes()); // It may have ended before.
        let ended = finish(child);
        assert_eq!(ended.status, 0, "{args:?}: {ended:?}");
        // Levels that find no network have another one move for them, and say so.
        assert!(!(ended.stdout.contains("is not there") || ended.stderr.contains("is not there")), "{ended:?}");
        ended.stdout
    };
    let moved = said(
        &["gtp", "-model", "mine.bin.gz", "-human-model", "mine.bin.gz", "--visits", "2"],
        "boardsize 5\ngenmove b\nquit\n",
    );
    assert!(moved.starts_with('=') && !moved.contains('?'), "{moved}");
    let query = r#"{"id":"q","moves":[],"rules":"chinese","boardXSize":5,"boardYSize":5,"maxVisits":2}"#;
    let answer = said(&["analysis", "--net", "mine.bin.gz", "--human-net", "mine.bin.gz"], query);
    assert!(answer.contains("moveInfos"), "{answer}");
    let played = said(&["play", "--level", "hard", "--size", "5", "--net", "mine.bin.gz"], "C3\nquit\n");
    assert!(played.contains('O'), "{played}");
    let games = ["--games", "1", "--size", "5", "--move-limit", "2", "--openings", "none", "--net", "mine.bin.gz"];
    said(&[&["match", "level:hard", "level:easy"], &games[..]].concat(), "");
}

#[test]
fn a_file_becomes_a_network_of_the_data_folder() {
    let network = small_network();
    let honinbo = Honinbo::new();
    let sha256 = honinbo.run(&["net", "info", &network, "--json"]).json()["sha256"].as_str().unwrap().to_string();
    let fetched = honinbo.run(&["net", "fetch", &network, "--name", "own.bin.gz", "--sha256", &sha256, "--json"]);
    assert_eq!((fetched.status, &fetched.json()["sha256"]), (0, &sha256.as_str().into()), "{fetched:?}");
    assert_eq!(honinbo.run(&["net", "info", "own.bin.gz", "--json"]).json()["name"], NAME);
    // Once more changes nothing; another file under the name needs a word.
    assert!(honinbo.run(&["net", "fetch", &network, "--name", "own.bin.gz"]).stdout.contains("there already"));
    let wrong = "0".repeat(64);
    let ended = honinbo.run(&["net", "fetch", &network, "--name", "other.bin.gz", "--sha256", &wrong]);
    assert!(ended.failure().contains(&sha256), "{ended:?}");
    let left: Vec<_> = std::fs::read_dir(honinbo.data.path().join("networks"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["own.bin.gz"]);
}

/// A web server with one file that hangs up after so many bytes of its first answer.
struct WebServer {
    address: String,
    requests: Receiver<String>,
}

impl WebServer {
    fn start(content: Vec<u8>, first_answer_ends_after: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/nets/{NAME}.bin.gz?from=here", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        let content = Arc::new(content);
        std::thread::spawn(move || {
            for (count, stream) in listener.incoming().enumerate() {
                let limit = if count == 0 { first_answer_ends_after } else { usize::MAX };
                let request = answer(stream.unwrap(), &content, limit);
                let _ = sender.send(request);
            }
        });
        Self { address, requests }
    }
}

fn answer(mut stream: TcpStream, content: &[u8], limit: usize) -> String {
    let mut request = String::new();
    let mut from = 0;
    for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().unwrap();
        }
        request += &format!("{line}\n");
    }
    let rest = &content[from..];
    let (status, range) = match from {
        0 => ("200 OK", String::new()),
        _ => {
            ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{}\r\n", content.len() - 1, content.len()))
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nETag: \"v1\"\r\n{range}Connection: close\r\n\r\n",
        rest.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&rest[..rest.len().min(limit)]));
    request
}

#[test]
fn a_download_that_was_broken_off_goes_on_where_it_was() {
    let network = small_network();
    let content = std::fs::read(&network).unwrap();
    let server = WebServer::start(content.clone(), content.len() / 3);
    let honinbo = Honinbo::new();
    let ended = honinbo.run(&["net", "fetch", &server.address]);
    assert!(ended.failure().contains("run the same command again to go on"), "{ended:?}");
    assert!(!server.requests.recv().unwrap().to_lowercase().contains("range:"));

    let ended = honinbo.run(&["net", "fetch", &server.address, "--json"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let request = server.requests.recv().unwrap().to_lowercase();
    assert!(
        request.contains(&format!("range: bytes={}-", content.len() / 3)) && request.contains("if-range: \"v1\""),
        "{request}"
    );
    let kept = honinbo.data.path().join("networks").join(format!("{NAME}.bin.gz"));
    assert_eq!(std::fs::read(&kept).unwrap(), content);
    assert_eq!(std::fs::read_dir(kept.parent().unwrap()).unwrap().count(), 1, "something was left behind");
}

#[test]
fn what_is_fetched_and_is_no_network_is_not_kept() {
    let server = WebServer::start(b"<html>not found, but with status 200</html>".to_vec(), usize::MAX);
    let honinbo = Honinbo::new();
    assert!(honinbo.run(&["net", "fetch", &server.address]).failure().contains(&server.address));
    let networks = honinbo.data.path().join("networks");
    let left: Vec<_> = std::fs::read_dir(networks).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !Path::new(name).to_string_lossy().ends_with("bin.gz")), "{left:?}");
}

#[test]
fn addresses_that_are_not_fetched() {
    let honinbo = Honinbo::new();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for address in [
        "http://example.org/a.bin.gz".to_string(),
        "ftp://example.org/a.bin.gz".into(),
        "https://user name/a.bin.gz".into(),
        format!("http://{nobody}/a.bin.gz"),
        format!("http://{nobody}/a.onnx"),
        "/no/such/file.bin.gz".into(),
    ] {
        honinbo.run(&["net", "fetch", &address]).failure();
    }
}

/// The name of a network that is listed.
const LISTED: &str = "listed.bin.gz";

/// A list of networks with one that is at this address.
fn list_with(folder: &Path, address: &str) -> std::path::PathBuf {
    let list = serde_json::json!({ "serial": 1, "networks": [{
        "file": LISTED, "kind": "quick", "bytes": 3_827_339, "billionMultiplyAdds": 0.36,
        "licence": "MIT", "licencePage": "https://example.org/licence", "addresses": [address],
        "history": "three generations of games against itself",
    }]});
    let path = folder.join("list.json");
    std::fs::write(&path, list.to_string()).unwrap();
    path
}

#[test]
fn a_network_that_comes_with_the_program_stays() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("networks").join("own.bin.gz");
    std::fs::create_dir(folder.path().join("networks")).unwrap();
    std::fs::copy(small_network(), &own).unwrap();
    let honinbo = Honinbo::new().with("HONINBO_RESOURCES", folder.path());
    let ended = honinbo.run(&["net", "remove", "own.bin.gz"]);
    let refused = ended.failure();
    assert!(refused.contains("own.bin.gz comes with the program and stays"), "{refused}");
    assert!(own.exists());
    let ended = honinbo.run(&["net", "remove", "other.bin.gz"]);
    let unknown = ended.failure();
    assert!(unknown.contains("other.bin.gz is not in"), "{unknown}");
}

#[test]
fn a_listed_network_is_fetched_by_its_name_and_taken_away() {
    let content = std::fs::read(small_network()).unwrap();
    let server = WebServer::start(content.clone(), content.len() / 3);
    let folder = tempfile::tempdir().unwrap();
    let honinbo = Honinbo::new().with("HONINBO_NETWORK_LIST", list_with(folder.path(), &server.address));
    let shown = |honinbo: &Honinbo| {
        let shelf = honinbo.run(&["net", "list", "--json"]).json();
        shelf["networks"].as_array().unwrap().iter().find(|network| network["file"] == LISTED).unwrap().clone()
    };
    assert_eq!(shown(&honinbo)["licence"], "MIT");

    assert!(honinbo.run(&["net", "fetch", LISTED]).failure().contains("run the same command again to go on"));
    assert_eq!(shown(&honinbo)["state"], "paused");
    let fetched = honinbo.run(&["net", "fetch", LISTED]);
    assert!(fetched.stdout.contains("licence: MIT, https://example.org/licence"), "{fetched:?}");
    assert!(server.requests.iter().take(2).last().unwrap().to_lowercase().contains("range:"));
    assert_eq!(std::fs::read(honinbo.data.path().join("networks").join(LISTED)).unwrap(), content);
    assert!(honinbo.run(&["net", "fetch", LISTED]).stdout.contains("was there already"));
    let listed = honinbo.run(&["net", "list"]).stdout;
    assert!(listed.contains("small and quick, for processors; 4 MiB; MIT"), "{listed}");
    assert!(listed.contains("\n          three generations of games against itself\n"), "{listed}");

    assert!(honinbo.run(&["net", "remove", LISTED]).stdout.contains("removed"));
    honinbo.run(&["net", "remove", LISTED]).failure();
    honinbo.run(&["net", "remove", "../settings.toml"]).failure();
    assert!(honinbo.run(&["net", "fetch", "no-such-network"]).failure().contains("honinbo net list"));
}

#[test]
fn the_list_of_the_program_is_shown_without_a_connection() {
    let listed = Honinbo::new().run(&["net", "list"]);
    assert_eq!(listed.status, 0, "{listed:?}");
    for words in ["b18c384nbt-humanv0.bin.gz", "human style", "the strongest", "beyond 19x19", "MIT-style"] {
        assert!(listed.stdout.contains(words), "{words}: {}", listed.stdout);
    }
}
