//! The server's name on the local network, as another program of multicast DNS sees it.

use crate::clients::clients;
use crate::support::{Honinbo, repository};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn a_server_that_is_asked_to_is_found_by_its_name_and_takes_leave() {
    let Some(clients) = clients() else { return };
    let name = format!("honinbo-test-{}", std::process::id());
    let mut command = Command::new("python3");
    command
        .arg(repository().join("tests/protocol/clients/local_names.py"))
        .arg(&name)
        .env("PYTHONPATH", clients.join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let mut looking = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(looking.stdout.take().unwrap()).lines();
    let mut seen = || serde_json::from_str::<Value>(&lines.next().expect("it saw nothing").unwrap()).unwrap();

    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--mdns", &name]);
    let found = seen();
    let port: u16 = service.url.rsplit_once(':').unwrap().1.split('/').next().unwrap().parse().unwrap();
    assert_eq!(found["host"], format!("{name}.local."), "{found}");
    assert_eq!((&found["port"], &found["addresses"]), (&json!(port), &json!(["127.0.0.1"])), "{found}");
    assert_eq!(found["says"], json!({ "path": "/" }), "nothing of the token");

    // It answers under that name, and under no other.
    let status = |host: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status(&format!("{name}.local")), status("localhost"));
    assert_ne!(status("elsewhere.local"), status("localhost"));

    assert_eq!(service.end(), 0);
    assert_eq!(seen(), json!({ "gone": true }));
    assert!(looking.wait().unwrap().success());
}

#[test]
fn a_name_that_no_browser_takes_is_refused() {
    let ended = Honinbo::new().run(&["serve", "--http", "0", "--mdns", "a b"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.stderr.contains("letters, digits and hyphens"), "{ended:?}");
}
