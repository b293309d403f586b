//! A server with rooms, people who speak to it over plain sockets, and engines that are quick.

use futures_util::{SinkExt as _, StreamExt as _};
use honinbo_api::{ApiError, Caller, EngineSource};
use honinbo_library::StorePlace;
use honinbo_players::{Player, PlayerError};
use honinbo_rooms::{Opinion, OpinionMove};
use honinbo_rules::{Game, Move, Point};
use honinbo_server::{
    AccountPolicy, Backend, EventHub, Limits, OidcOptions, Opponents, Registration, Rooms, RoomsOptions, ServeOptions,
    Server, TrustedProxy,
};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long a test waits for what must come, on a machine that is busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The file of a folder that names the database of the club, where it has one.
pub(crate) const DATABASE_FILE: &str = "database";

/// Where the club in this folder has its store: a file of it, unless it names a database.
fn place_in(folder: &Path) -> StorePlace {
    match std::fs::read_to_string(folder.join(DATABASE_FILE)) {
        Ok(address) => StorePlace::Postgres(address.parse().unwrap()),
        Err(_) => StorePlace::File(folder.join("server.sqlite")),
    }
}

/// A back end for the window that nobody asks here.
struct NoWindow;

impl Backend for NoWindow {
    fn call(&self, _: &Caller, name: &str, _: Value) -> Result<Value, ApiError> {
        Err(ApiError::InvalidRequest { message: name.to_owned() })
    }
}

/// `hard` plays the first point that it may play, and passes when it was passed to.
pub(crate) struct Quick;

impl Opponents for Quick {
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError> {
        match level {
            "hard" | "easy" => Ok(Box::new(FirstPoint)),
            _ => Err(ApiError::InvalidRequest { message: format!("there is no {level}") }),
        }
    }

    fn names(&self) -> Vec<String> {
        vec!["easy".into(), "hard".into()]
    }

    fn engine(&self) -> EngineSource {
        EngineSource::Network
    }

    fn dead_stones(&self, _: &Game) -> Vec<Point> {
        Vec::new()
    }

    /// Says how many moves were played.
    fn opinion(&self, game: &Game, _: &Caller) -> Option<Opinion> {
        let lead = game.turns().len() as f64;
        let best = OpinionMove { x: Some(1), y: Some(2), black_win_prob: 0.5, black_lead: lead, visits: 7 };
        Some(Opinion { black_win_prob: 0.5, black_lead: lead, visits: 7, candidates: vec![best] })
    }
}

struct FirstPoint;

impl Player for FirstPoint {
    fn name(&self) -> String {
        "first point".into()
    }

    fn choose(&mut self, game: &Game, _: Duration, _: &honinbo_evaluator::StopFlag) -> Result<Move, PlayerError> {
        let passed = game.turns().last().is_some_and(|turn| turn.played == Move::Pass);
        let first = game.legal_points().next().filter(|_| !passed);
        Ok(first.map_or(Move::Pass, Move::Place))
    }
}

/// A server that runs.
pub(crate) struct Club {
    pub(crate) address: SocketAddr,
    /// The token of whoever started the server.
    pub(crate) operator: String,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

pub(crate) const OPEN: AccountPolicy = AccountPolicy { registration: Registration::Open, guests: true };

impl Club {
    /// Opens the club whose file is in this folder.
    pub(crate) async fn open(folder: &Path, accounts: AccountPolicy) -> Self {
        Self::open_with(folder, accounts, Arc::new(Quick), None).await
    }

    /// As [`Club::open`], with other engines, and with boards for everybody where these have a folder.
    pub(crate) async fn open_with(
        folder: &Path,
        accounts: AccountPolicy,
        opponents: Arc<dyn Opponents>,
        people: Option<PathBuf>,
    ) -> Self {
        Self::open_all(folder, accounts, opponents, people, None).await
    }

    /// As [`Club::open_with`], with a provider by which people log in.
    pub(crate) async fn open_all(
        folder: &Path,
        accounts: AccountPolicy,
        opponents: Arc<dyn Opponents>,
        people: Option<PathBuf>,
        provider: Option<OidcOptions>,
    ) -> Self {
        let store = place_in(folder);
        let options = RoomsOptions { store, accounts, provider, engines: 2, people, thinking: 0, peers: None };
        let rooms = Rooms::open(options, opponents).await.unwrap();
        // Nobody waits here for having said too much.
        let limits =
            Limits { room_connections: 50, http_connections: 100, room_messages: 1_000_000, ..Limits::default() };
        let trusted_proxies = vec![TrustedProxy::Loopback];
        let options = ServeOptions { http: Some("0".into()), trusted_proxies, limits, ..ServeOptions::default() };
        let server = Server::bind(Arc::new(NoWindow), Arc::new(EventHub::new()), options).await.unwrap();
        let server = server.with_rooms(rooms);
        let address = server.http_address().unwrap();
        assert!(address.ip().is_loopback());
        let operator = server.url().unwrap().split("token=").nth(1).unwrap().to_owned();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(server.run_until(async { stopped.await.unwrap_or(()) }));
        Self { address, operator, stop: Some(stop), task }
    }

    /// Stops the server, and waits until it has.
    pub(crate) async fn close(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.task.await.unwrap();
    }

    /// A connection on which a request has been sent.
    async fn request(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> TcpStream {
        self.request_with(method, path, token, "", body).await
    }

    /// As [`Club::request`], with another header line.
    async fn request_with(&self, method: &str, path: &str, token: Option<&str>, more: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{authorization}{more}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    }

    /// A request and its answer: status, headers, and the body as text.
    pub(crate) async fn ask(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> (u16, String, String) {
        answer_of(self.request(method, path, token, body).await).await
    }

    /// Asks for what has changed since an answer with this tag.
    pub(crate) async fn get_unless(&self, path: &str, token: &str, tag: &str) -> (u16, String, String) {
        let known = format!("If-None-Match: {tag}\r\n");
        answer_of(self.request_with("GET", path, Some(token), &known, "").await).await
    }

    /// As [`Club::ask`], of somebody behind a proxy on this machine, which adds to what they say of themselves.
    pub(crate) async fn post_from(&self, client: &str, path: &str, body: &Value) -> (u16, String, String) {
        let more = format!("X-Forwarded-For: {client}\r\n");
        answer_of(self.request_with("POST", path, None, &more, &body.to_string()).await).await
    }

    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: Value) -> (u16, Value) {
        let (status, _, body) = self.ask("POST", path, token, &body.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&self, path: &str, token: Option<&str>) -> (u16, Value) {
        let (status, _, body) = self.ask("GET", path, token, "").await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }

    /// Registers somebody; answers the token.
    pub(crate) async fn register(&self, name: &str) -> String {
        let account = json!({ "username": name, "password": "long enough" });
        let (status, answer) = self.post("/api/register", None, account).await;
        assert_eq!(status, 201, "{answer}");
        answer["token"].as_str().unwrap().to_owned()
    }

    /// Makes a room; answers its number.
    pub(crate) async fn room(&self, token: &str, wanted: Value) -> String {
        let (status, answer) = self.post("/api/generate-room", Some(token), wanted).await;
        assert_eq!(status, 201, "{answer}");
        answer["room_id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn enter(&self, room: &str, token: &str) -> Guest {
        self.try_enter(room, token, "").await.unwrap()
    }

    /// As [`Club::enter`], with more in the address; the status where the door stays closed. Whoever enters after that finds
    /// this one in the room: the server answers the request before it has let its sender in.
    pub(crate) async fn try_enter(&self, room: &str, token: &str, more: &str) -> Result<Guest, u16> {
        let url = format!("ws://{}/ws/{room}?token={token}{more}", self.address);
        match connect_async(url).await {
            Ok((socket, _)) => {
                let mut guest = Guest::on(socket);
                guest.first = Some(guest.receive().await);
                Ok(guest)
            }
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Somebody in a room.
pub(crate) struct Guest {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// What came on entering, until it is received.
    first: Option<Value>,
}

impl Guest {
    pub(crate) fn on(socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Self {
        Self { socket, first: None }
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next message; `closed` with the code at the end.
    pub(crate) async fn receive(&mut self) -> Value {
        if let Some(first) = self.first.take() {
            return first;
        }
        // One limit for all that is read: the server's pings come for ever.
        let message = timeout(PATIENCE, async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                    Some(Ok(Message::Close(frame))) => {
                        return json!({ "type": "closed", "code": frame.map(|frame| u16::from(frame.code)) });
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return json!({ "type": "closed" }),
                }
            }
        });
        message.await.expect("nothing came")
    }

    /// Passes messages over until one is as wanted.
    pub(crate) async fn until(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let message = self.receive().await;
            assert_ne!(message["type"], "closed", "closed before: {what}");
            if is_it(&message) {
                return message;
            }
            assert!(begun.elapsed() < 5 * PATIENCE, "never: {what}; the last message: {message}");
        }
    }

    pub(crate) async fn until_type(&mut self, wanted: &str) -> Value {
        self.until(wanted, |message| message["type"] == wanted).await
    }

    /// Waits until the room has had so many moves.
    pub(crate) async fn until_move(&mut self, number: u64) -> Value {
        self.until("a move", |message| message["state"]["current_move_number"] == number).await
    }
}

/// Status, headers and body of an answer, once it has ended.
async fn answer_of(mut stream: TcpStream) -> (u16, String, String) {
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("no end of the answer").unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_ascii_lowercase(), body.to_owned())
}
