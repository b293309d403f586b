//! Runtimes, with a server on this machine and libraries that only the host for tests takes for some.

use crate::host::Desk;
use crate::networks::Slow;
use honinbo_api::{ApiError, Event, RuntimeFetch, ShelfState};
use honinbo_net::sha256_of;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;

/// A wheel with this in the place of its library, long enough to be sent in two parts.
fn wheel(folder: &Path, library: &str) -> PathBuf {
    let path = folder.join("made.whl");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("onnxruntime/capi/libonnxruntime.so", stored).unwrap();
    archive.write_all(library.as_bytes()).unwrap();
    archive.write_all(&vec![b' '; 1 << 20]).unwrap();
    archive.finish().unwrap();
    path
}

/// Has a desk know a runtime at this address.
fn knowing(desk: &Desk, address: &str, wheel: &Path) {
    let bytes = std::fs::metadata(wheel).unwrap().len();
    let known = format!("{address} {} {bytes}", sha256_of(wheel).unwrap());
    std::fs::write(desk.path("data").join("runtime-for-tests.txt"), known).unwrap();
}

fn news(desk: &Desk, wanted: impl Fn(&RuntimeFetch) -> bool) -> RuntimeFetch {
    desk.wait_for(|event| match event {
        Event::Runtime(fetch) => Some(fetch.clone()).filter(|fetch| wanted(fetch)),
        _ => None,
    })
}

fn only(view: &Value) -> &Value {
    assert_eq!(view["runtimes"].as_array().unwrap().len(), 1, "{view}");
    &view["runtimes"][0]
}

#[test]
fn a_runtime_is_fetched_paused_gone_on_with_and_removed() {
    let desk = Desk::new();
    let made = wheel(&desk.path("data"), "library");
    let server = Slow::start(std::fs::read(&made).unwrap());
    knowing(&desk, &server.address, &made);
    let name = json!({ "name": "cuda" });
    let listed = desk.must("list_runtimes", json!({}));
    let cuda = only(&listed);
    assert_eq!(
        (&cuda["state"], &cuda["kind"], &cuda["version"], &cuda["inUse"]),
        (&json!("absent"), &json!("cuda"), &json!("1.98.0"), &json!(false))
    );
    assert!(cuda["source"].as_str().unwrap().starts_with("127.0.0.1:"), "{cuda}");

    desk.must("fetch_runtime", name.clone());
    news(&desk, |fetch| fetch.state == ShelfState::Fetching);
    assert!(matches!(desk.give("remove_runtime", name.clone()), Err(ApiError::InvalidRequest { .. })));
    desk.must("pause_runtime", name.clone());
    let paused = news(&desk, |fetch| matches!(fetch.state, ShelfState::Paused | ShelfState::Absent));
    assert_eq!(paused.message, "");
    server.go_on.send(()).unwrap();

    desk.forget_events();
    desk.must("fetch_runtime", name.clone());
    server.go_on.send(()).unwrap();
    let here = news(&desk, |fetch| fetch.state == ShelfState::Here || !fetch.message.is_empty());
    assert_eq!((here.state, here.message.as_str()), (ShelfState::Here, ""));
    let listed = desk.must("list_runtimes", json!({}));
    let cuda = only(&listed);
    assert_eq!((&cuda["state"], &cuda["version"], &cuda["inUse"]), (&json!("here"), &json!("1.99.0"), &json!(true)));
    assert!(desk.path("data").join("runtimes/cuda/libonnxruntime.so").is_file());
    let removed = desk.must("remove_runtime", name.clone());
    assert_eq!((&only(&removed)["state"], &only(&removed)["inUse"]), (&json!("absent"), &json!(false)));
    assert!(matches!(desk.give("remove_runtime", name), Err(ApiError::NotFound { .. })));
    assert!(matches!(desk.give("fetch_runtime", json!({"name": "rocm"})), Err(ApiError::NotFound { .. })));
}

#[test]
fn a_file_is_added_after_it_was_tried() {
    let desk = Desk::new();
    let add = |library: &str| desk.give("add_runtime", json!({ "path": wheel(&desk.path("data"), library) }));
    let refused = add("something else").unwrap_err().to_string();
    assert!(refused.contains("it is another library"), "{refused}");
    assert_eq!(desk.must("list_runtimes", json!({}))["runtimes"], json!([]));
    let added = add("library").unwrap();
    let own = only(&added);
    assert_eq!(
        (&own["name"], &own["kind"], &own["state"], &own["inUse"]),
        (&json!("own"), &Value::Null, &json!("here"), &json!(true))
    );
    assert!(own["source"].as_str().unwrap().ends_with("made.whl"), "{own}");
    assert_eq!(added["mayAddFiles"], true);
}

#[test]
fn a_browser_names_no_files_of_this_machine() {
    let desk = Desk::without_paths();
    let made = wheel(&desk.path("data"), "library");
    assert!(matches!(desk.give("add_runtime", json!({ "path": made })), Err(ApiError::NotPossibleHere { .. })));
    assert_eq!(desk.must("list_runtimes", json!({}))["mayAddFiles"], false);
}
