//! `honinbo net runtime`: libraries beside the program's own.

use crate::support::{Honinbo, engine, small_network};
use honinbo_testkit::fixtures;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

/// A wheel with these files.
fn wheel(folder: &Path, files: &[(&str, &[u8])]) -> PathBuf {
    let path = folder.join("runtime-1.0-py3-none-any.whl");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        archive.start_file(*name, stored).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap();
    path
}

/// The program's own library as a wheel; `None`, counted as skipped, without it.
fn real_wheel(folder: &Path) -> Option<PathBuf> {
    let Ok(library) = fs::read(fixtures::resources().join("onnxruntime/libonnxruntime.so.1")) else {
        fixtures::skip("ONNX Runtime is not there; scripts/resources fetches it");
        return None;
    };
    Some(wheel(
        folder,
        &[
            ("onnxruntime/capi/libonnxruntime.so.1.32.0", &library),
            ("onnxruntime/capi/onnxruntime_pybind11_state.so", b"Python's own"),
            ("onnxruntime/LICENSE", b"MIT"),
        ],
    ))
}

fn sha256(file: &Path) -> String {
    honinbo_net::sha256_of(file).unwrap()
}

/// What is left in the folder of runtimes.
fn left(honinbo: &Honinbo) -> Vec<String> {
    let entries = fs::read_dir(honinbo.data.path().join("runtimes")).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A server that answers every request with this head and body, then hangs up.
fn server(head: String, body: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/runtime.whl", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let reader = BufReader::new(stream.try_clone().unwrap());
            for line in reader.lines().map_while(Result::ok) {
                if line.is_empty() {
                    break;
                }
            }
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

fn ok(length: usize) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n")
}

#[test]
fn a_runtime_is_listed_added_used_and_removed() {
    let Some(network) = engine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let Some(wheel) = real_wheel(folder.path()) else { return };
    let honinbo = Honinbo::new();
    let listed = honinbo.run(&["net", "runtime", "list", "--json"]).json();
    assert_eq!((&listed["inUse"], &listed["added"]), (&serde_json::Value::Null, &serde_json::json!([])), "{listed}");
    let version = listed["version"].as_str().unwrap();
    assert!(version.starts_with(|first: char| first.is_ascii_digit()), "a release, not a commit: {version}");
    assert!(listed["devices"].as_array().unwrap().iter().any(|device| device.as_str().unwrap().starts_with("cpu: ")));
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let names: Vec<&str> =
            listed["known"].as_array().unwrap().iter().map(|known| known["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["cuda", "openvino"]);
        let text = honinbo.run(&["net", "runtime", "list"]).stdout;
        assert!(text.contains("onnxruntime-gpu 1.31.1, 244 MiB, MIT"), "{text}");
    }

    let added = honinbo.run(&["net", "runtime", "add", wheel.to_str().unwrap(), "--name", "mine", "--json"]).json();
    assert_eq!(added["runtime"]["sha256"], sha256(&wheel), "{added}");
    assert_eq!(left(&honinbo), ["in-use", "mine"]);
    let mut files: Vec<_> = fs::read_dir(honinbo.data.path().join("runtimes/mine"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    assert_eq!(files, ["LICENSE", "libonnxruntime.so.1.32.0", "runtime.json"]);
    let listed = honinbo.run(&["net", "runtime", "list", "--json"]).json();
    assert_eq!(listed["inUse"], "mine");
    assert!(listed["path"].as_str().unwrap().contains("runtimes/mine/"), "{listed}");
    let bench = ["net", "bench", &network, "--threads", "1", "--batch", "1", "--seconds", "0.1", "--json"];
    assert_eq!(honinbo.run(&bench).status, 0);
    let again = honinbo.run(&["net", "runtime", "add", wheel.to_str().unwrap(), "--name", "mine"]);
    assert!(again.failure().contains("there already"), "{again:?}");

    let removed = honinbo.run(&["net", "runtime", "remove", "mine"]);
    assert!(removed.stdout.contains("the program's own is used"), "{removed:?}");
    assert_eq!(left(&honinbo), Vec::<String>::new());
    assert!(honinbo.run(&["net", "runtime", "remove", "mine"]).failure().contains("there is no runtime mine"));
    assert_eq!(honinbo.run(&bench).status, 0);
}

#[test]
fn a_download_is_taken_by_its_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let Some(wheel) = real_wheel(folder.path()) else { return };
    let content = fs::read(&wheel).unwrap();
    let address = server(ok(content.len()), content);
    let honinbo = Honinbo::new();
    assert_eq!(honinbo.run(&["net", "runtime", "add", &address]).status, 2, "an address needs a checksum");
    let wrong = "0".repeat(64);
    let ended = honinbo.run(&["net", "runtime", "add", &address, "--sha256", &wrong]);
    assert!(ended.failure().contains(&sha256(&wheel)), "{ended:?}");
    assert_eq!(left(&honinbo), Vec::<String>::new());
    let added = honinbo.run(&["net", "runtime", "add", &address, "--sha256", &sha256(&wheel), "--name", "fetched"]);
    assert_eq!(added.status, 0, "{added:?}");
    assert_eq!(left(&honinbo), ["fetched", "in-use"]);
}

#[test]
fn what_a_server_sends_instead_is_not_kept() {
    let page = b"<html>404, but with status 200</html>".to_vec();
    let half = vec![7u8; 5000];
    let honinbo = Honinbo::new();
    let add = |address: &str, sha256: &str| {
        honinbo.run(&["net", "runtime", "add", address, "--sha256", sha256]).failure().to_owned()
    };
    let any = "1".repeat(64);
    // A page in the place of a file, even with the checksum of the page.
    let file = honinbo.data.path().join("page");
    fs::write(&file, &page).unwrap();
    assert!(add(&server(ok(page.len()), page.clone()), &any).contains("has SHA-256"));
    assert!(add(&server(ok(page.len()), page.clone()), &sha256(&file)).contains("neither a wheel nor a library"));
    // Less than was promised: the connection breaks off.
    assert!(add(&server(ok(9000), half.clone()), &any).contains("broken off"));
    // More than was promised.
    assert!(!add(&server(ok(100), half.clone()), &any).is_empty());
    // A length that no file has, and one that is no number.
    assert!(add(&server(ok(usize::MAX / 2), half.clone()), &any).contains("larger than"));
    let nonsense = "HTTP/1.1 200 OK\r\nContent-Length: many\r\nConnection: close\r\n\r\n".to_owned();
    assert!(!add(&server(nonsense, half), &any).is_empty());
    assert!(add(&server("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".into(), vec![]), &any).contains("404"));
    assert!(left(&honinbo).iter().all(|name| name.starts_with('.')), "{:?}", left(&honinbo));
}

#[test]
fn files_that_are_no_runtime_are_refused_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let honinbo = Honinbo::new();
    let add = |file: &Path| honinbo.run(&["net", "runtime", "add", file.to_str().unwrap()]).failure().to_owned();
    let text = folder.path().join("libonnxruntime.so");
    fs::write(&text, "no library").unwrap();
    assert!(add(&text).contains("cannot be used"));
    assert!(add(&wheel(folder.path(), &[("onnxruntime/capi/readme.txt", b"x")])).contains("holds no ONNX Runtime"));
    // Names that lead elsewhere end in the folder.
    let escape = wheel(folder.path(), &[("../../../escaped.so", b"x"), ("/libonnxruntime.so", b"x")]);
    assert!(add(&escape).contains("cannot be used"));
    assert!(!honinbo.data.path().join("escaped.so").exists());
    assert!(add(Path::new(&small_network())).contains("neither a wheel nor a library"));
    let unknown = honinbo.run(&["net", "runtime", "add", "no-such-runtime"]);
    assert!(unknown.failure().contains("neither a runtime for this machine nor a file"));
    let bad = honinbo.run(&["net", "runtime", "remove", "../networks"]);
    assert!(bad.failure().contains("cannot be the name"), "{bad:?}");
    assert_eq!(left(&honinbo), Vec::<String>::new());
}
