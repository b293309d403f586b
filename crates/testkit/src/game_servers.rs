//! A web server on this machine that answers as game servers do, or misbehaves as it is told.

use crate::fixtures::fixture;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Path and query.
    pub path: String,
    /// Headers by their names in small letters.
    pub headers: HashMap<String, String>,
}

/// How a request is answered.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status and its words.
    pub status: &'static str,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// It hangs up after so many bytes of the body.
    pub breaks_after: Option<usize>,
    /// It sends nothing more after so many bytes of the body, and keeps the connection.
    pub stalls_after: Option<usize>,
}

impl Reply {
    /// An answer as it should be.
    #[must_use]
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self { status: "200 OK", headers: Vec::new(), body: body.into(), breaks_after: None, stalls_after: None }
    }

    /// An answer with another status.
    #[must_use]
    pub fn status(status: &'static str) -> Self {
        Self { status, ..Self::ok("") }
    }

    /// With a header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// The server; it ends with the test's process.
pub struct GameServers {
    socket: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl GameServers {
    /// Answers with what was recorded of OGS and KGS ([`recorded`]).
    #[must_use]
    pub fn start() -> Self {
        Self::answering(|_, asked| recorded(asked))
    }

    /// Answers each request by its number, from 0.
    ///
    /// # Panics
    /// When this machine gives it no port.
    #[must_use]
    pub fn answering(answer: impl Fn(usize, &Asked) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
        let socket = listener.local_addr().expect("it has an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let request = read_request(&stream);
                log.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
                let reply = answer(number, &request);
                // A stalled answer holds nobody else up.
                std::thread::spawn(move || send(stream, &reply));
            }
        });
        Self { socket, asked }
    }

    /// Its address, without a slash at the end.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://{}", self.socket)
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The paths that it was asked for so far.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.path).collect()
    }
}

/// What OGS and KGS answer for the player `StoneGarden`, by the files in `tests/fixtures/servers`.
#[must_use]
pub fn recorded(asked: &Asked) -> Reply {
    let file = |name: &str| Reply::ok(std::fs::read(fixture(&format!("servers/{name}"))).unwrap_or_default());
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    let value = |name: &str| {
        let parts = query.split('&').filter_map(|part| part.split_once('='));
        parts.filter(|(key, _)| *key == name).map(|(_, value)| value.to_lowercase()).next().unwrap_or_default()
    };
    let is_known = |name: &str| name.eq_ignore_ascii_case("stonegarden");
    match path {
        "/api/v1/players" if is_known(&value("username")) => file("ogs-players.json"),
        "/api/v1/players" => Reply::ok(r#"{"count":0,"next":null,"previous":null,"results":[]}"#),
        "/api/v1/players/700001/games/" if value("page") == "1" => file("ogs-games-1.json"),
        "/api/v1/players/700001/games/" if value("page") == "2" => file("ogs-games-2.json"),
        "/gameArchives.jsp" if is_known(&value("user")) => file("kgs-archives.html"),
        "/gameArchives.jsp" => file("kgs-nobody.html"),
        _ => {
            let game = path.strip_prefix("/api/v1/games/").and_then(|rest| rest.strip_suffix("/sgf"));
            let month = path.strip_prefix("/servlet/archives/en_US/").and_then(|rest| rest.strip_suffix(".zip"));
            let month = month.and_then(|rest| rest.split_once('-')).filter(|(name, _)| is_known(name));
            match (game, month) {
                (Some(game @ ("81000001" | "81000002" | "81000004" | "81000005")), _) => {
                    file(&format!("ogs-game-{game}.sgf"))
                }
                (_, Some((_, month @ ("2013-7" | "2026-11")))) => {
                    let mark = format!("\"{month}\"");
                    if asked.headers.get("if-none-match") == Some(&mark) {
                        Reply::status("304 Not Modified").with("ETag", mark)
                    } else {
                        file(&format!("kgs-{month}.zip")).with("ETag", mark)
                    }
                }
                _ => Reply::status("404 Not Found"),
            }
        }
    }
}

fn read_request(stream: &TcpStream) -> Asked {
    let mut asked = Asked { path: String::new(), headers: HashMap::new() };
    let Ok(stream) = stream.try_clone() else { return asked };
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if line.is_empty() {
            break;
        }
        match line.split_once(": ") {
            Some((name, value)) => drop(asked.headers.insert(name.to_lowercase(), value.to_owned())),
            None => asked.path = line.split(' ').nth(1).unwrap_or_default().to_owned(),
        }
    }
    asked
}

fn send(mut stream: TcpStream, reply: &Reply) {
    let mut head =
        format!("HTTP/1.1 {}\r\nContent-Length: {}\r\nConnection: close\r\n", reply.status, reply.body.len());
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let sent = reply.breaks_after.or(reply.stalls_after).unwrap_or(usize::MAX).min(reply.body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&reply.body[..sent]));
    if reply.stalls_after.is_some() {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
        let _ = stream.read(&mut [0]); // Until the other side gives up.
    }
}
