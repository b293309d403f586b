//! What the server's OpenAPI description promises, asked of the real program by Schemathesis with thousands of requests:
//! answers of the statuses and shapes that are described, refusals of what a schema does not allow, no failure inside.

use crate::rooms::register;
use crate::support::{Honinbo, Service, repository};
use std::process::{Command, Stdio};

/// Make the token that asks worthless.
const ENDING: [&str; 3] = ["/api/logout", "/api/delete-account", "/api/change-password"];
/// For whoever runs the server.
const OPERATORS: &str = "^/(metrics|api/(operator.*|backup|sign-up-codes))$";
/// Rooms and tournaments speak there; the other description is of them.
const SOCKETS: &str = "^/ws/";

fn origin(service: &Service) -> &str {
    service.url.split("/?").next().unwrap()
}

/// Asks all routes that fit `paths`, with that token; what it found, where it found something.
fn found(service: &Service, token: &str, paths: &[&str]) -> Option<String> {
    let folder = repository().join(".cache/clients/schemathesis");
    let clients = repository().join("tests/protocol/clients");
    let work = tempfile::tempdir().unwrap();
    let output = Command::new("python3")
        .args(["-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file"])
        .arg(clients.join("schemathesis.toml"))
        .args(["run", &format!("{}/api/openapi.json", origin(service)), "--seed", "1", "-n", "25", "--no-color"])
        .args(["-H", &format!("Authorization: Bearer {token}")])
        .args(paths)
        .env("PYTHONPATH", &folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("NO_PROXY", "*")
        .current_dir(work.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(" generated, "), "it asked nothing: {said}{}", String::from_utf8_lossy(&output.stderr));
    (!output.status.success()).then(|| said.into_owned())
}

#[test]
fn the_server_keeps_what_its_description_promises() {
    if !repository().join(".cache/clients/schemathesis/installed").is_file() {
        honinbo_testkit::fixtures::skip("Schemathesis is not there; scripts/clients gets it");
        return;
    }
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--rooms", "--guests"]);
    let person = register(&service, "anna");
    let ending = format!("^({})$", ENDING.join("|"));
    let others = format!("{ending}|{OPERATORS}|{SOCKETS}");
    assert_eq!(found(&service, &person, &["--exclude-path-regex", &others]), None);
    for (path, name) in ENDING.into_iter().zip(["ben", "carl", "dora"]) {
        let another = register(&service, name);
        assert_eq!(found(&service, &another, &["--include-path", path]), None);
    }
    // Last, because it changes what people may do.
    let operator = service.url.rsplit("token=").next().unwrap();
    assert_eq!(found(&service, operator, &["--include-path-regex", OPERATORS]), None);
}
