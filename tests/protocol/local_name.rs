//! The server's name on the local network, as another program of multicast DNS sees it.

use crate::clients::clients;
use crate::support::{Honinbo, repository};
#[cfg(target_os = "linux")]
use crate::two_machines::TwoMachines;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// zeroconf at work, and what it has seen. Ended when it is dropped.
struct Finder {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Finder {
    /// Has `command`, which is a Python or starts one, look for a name.
    fn look(mut command: Command, clients: &Path, arguments: &[&str]) -> Self {
        command
            .arg(repository().join("tests/protocol/clients/local_names.py"))
            .args(arguments)
            .env("PYTHONPATH", clients.join("python"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    fn seen(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().expect("it saw nothing").unwrap()).unwrap()
    }
}

impl Drop for Finder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_server_that_is_asked_to_is_found_by_its_name_and_takes_leave() {
    let Some(clients) = clients() else { return };
    let name = format!("honinbo-test-{}", std::process::id());
    let mut finder = Finder::look(Command::new("python3"), &clients, &[&name]);

    let honinbo = Honinbo::new();
    let service = honinbo.serve(&["--mdns", &name]);
    let found = finder.seen();
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
    assert_eq!(finder.seen(), json!({ "gone": true }));
    assert!(finder.child.wait().unwrap().success());
}

/// The server on one machine, and on another one, joined to it by a cable, a program that knows the name alone.
#[cfg(target_os = "linux")]
#[test]
fn a_server_is_found_and_opened_from_another_machine_which_sees_it_go() {
    let Some(clients) = clients() else { return };
    let Some(machines) = TwoMachines::join() else { return };
    let pages = tempfile::tempdir().unwrap();
    std::fs::write(pages.path().join("index.html"), "<title>the window</title>").unwrap();
    // On every network of the machine, which others want, and on one that is named.
    for (name, bound) in [("honinbo", "0.0.0.0:0".to_owned()), ("go-club", format!("{}:0", TwoMachines::FIRST))] {
        let mut finder = Finder::look(machines.on_second("python3"), &clients, &[name, TwoMachines::SECOND]);
        let honinbo = Honinbo::new();
        let mut command = machines.on_first(env!("CARGO_BIN_EXE_honinbo"));
        honinbo.lend_environment(&mut command);
        command.args(["serve", "--http", &bound, "--tcp", "127.0.0.1:0", "--mdns", name, "--web"]).arg(pages.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let service = Honinbo::opened(command.spawn().unwrap());
        let port: u16 = service.url.rsplit_once(':').unwrap().1.split('/').next().unwrap().parse().unwrap();
        let found = finder.seen();
        assert_eq!(found["host"], format!("{name}.local."), "{found}");
        let where_it_is = (&found["port"], &found["addresses"]);
        assert_eq!(where_it_is, (&json!(port), &json!([TwoMachines::FIRST])), "{bound}: {found}");
        assert_eq!(found["page"]["status"], 200, "{found}");
        assert!(found["page"]["text"].as_str().unwrap().contains("the window"), "{found}");
        assert_eq!(service.end(), 0);
        assert_eq!(finder.seen(), json!({ "gone": true }));
        assert!(finder.child.wait().unwrap().success());
    }
}

#[test]
fn a_name_that_no_browser_takes_is_refused() {
    let ended = Honinbo::new().run(&["serve", "--http", "0", "--mdns", "a b"]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.stderr.contains("letters, digits and hyphens"), "{ended:?}");
}
