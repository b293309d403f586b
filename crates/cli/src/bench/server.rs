//! What a server with rooms carries: `honinbo serve --rooms` as a process of its own, and its clients in this one, over
//! loopback.

use crate::args::BenchArgs;
use crate::failure::Failure;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Requests under way while rooms are made: more would only measure the clients.
const MAKING: usize = 32;
/// Analyses that go on while people play.
const ANALYSES: usize = 4;
/// Clients of a room that never read.
const DEAF: usize = 200;
/// Moves that are played in front of them.
const MOVES_FOR_THE_DEAF: u32 = 80;
/// Visits of each `run` of the JSON service.
const VISITS: u32 = 50;
/// How long anything may take before the measurement is given up.
const PATIENCE: Duration = Duration::from_secs(120);

fn failed(what: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("{what}: {why}"), "measure on a machine that does nothing else, with `ulimit -n 20000`")
}

/// All figures.
pub(super) fn figures(args: &BenchArgs) -> Result<Value, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| failed("the clients' threads cannot be started", &error))?;
    runtime.block_on(async {
        let games = playing(args).await?;
        let idle = idle(args).await?;
        let deaf = deaf(args).await?;
        let lines = lines(args).await?;
        Ok(json!({ "playing": games, "idle": idle, "neverReading": deaf, "jsonService": lines }))
    })
}

/// A server on an empty folder, ended with this value.
struct Served {
    child: Child,
    _folder: tempfile::TempDir,
    host: String,
    token: String,
    tcp: String,
}

impl Served {
    fn start(args: &BenchArgs) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|error| failed("there is no folder for the server", &error))?;
        let program = std::env::current_exe().map_err(|error| failed("the program does not find itself", &error))?;
        let mut command = Command::new(program);
        command.args(["serve", "--rooms", "--guests", "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--data"]);
        command.arg(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(net) = &args.net {
            command.args(["--net", net.as_str()]);
        }
        let mut child = command.spawn().map_err(|error| failed("the server does not start", &error))?;
        let mut lines = child.stdout.take().map(BufReader::new).into_iter().flat_map(std::io::BufRead::lines);
        let mut next = |name: &str| {
            lines.by_ref().map_while(Result::ok).find_map(|line| line.strip_prefix(name).map(str::to_owned))
        };
        // The last line is waited for too: a server whose output is closed early would fail.
        let (web, tcp, _) = (next("web http://"), next("tcp "), next("rooms "));
        let (Some(web), Some(tcp)) = (web, tcp) else {
            let _ = child.kill(); // It may have ended by itself.
            let _ = child.wait();
            return Err(failed("the server does not start", &"it printed no address"));
        };
        let (host, token) = web.split_once("/?token=").unwrap_or((web.as_str(), ""));
        Ok(Self { host: host.to_owned(), token: token.to_owned(), tcp, child, _folder: folder })
    }

    /// Memory of the server that is its own and in use, in bytes; `None` where the system does not say.
    fn memory(&self) -> Option<u64> {
        let status = fs::read_to_string(Path::new("/proc").join(self.child.id().to_string()).join("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
    }

    async fn post(&self, path: &str, token: &str, body: &Value) -> Result<Value, Failure> {
        let asked = async {
            let mut stream = TcpStream::connect(&self.host).await?;
            let body = body.to_string();
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
                self.host,
                body.len()
            );
            stream.write_all(head.as_bytes()).await?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await?;
            Ok::<_, std::io::Error>(answer)
        };
        let answer = within(path, asked).await?;
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).map_err(|_| failed(path, &answer))
    }

    async fn guest(&self) -> Result<String, Failure> {
        let answer = self.post("/api/guest", "", &json!({})).await?;
        answer["token"].as_str().map(str::to_owned).ok_or_else(|| failed("a guest is not let in", &answer))
    }

    async fn enter(&self, room: &str, token: &str) -> Result<Socket, Failure> {
        let url = format!("ws://{}/ws/{room}?token={token}", self.host);
        Ok(within("a room", connect_async(url)).await?.0)
    }

    /// Two guests in a room of their own whose game has begun: Black, White.
    async fn pair(&self) -> Result<[Socket; 2], Failure> {
        let tokens = [self.guest().await?, self.guest().await?];
        let time = json!({ "kind": "fischer", "main_seconds": 3600, "increment_seconds": 10 });
        let wanted = json!({ "color": "black", "terms": { "time": time } });
        let answer = self.post("/api/generate-room", &tokens[0], &wanted).await?;
        let room = answer["room_id"].as_str().ok_or_else(|| failed("a room is not made", &answer))?;
        let mut black = self.enter(room, &tokens[0]).await?;
        next_text(&mut black).await?; // It is seated before the other comes.
        let white = self.enter(room, &tokens[1]).await?;
        Ok([black, white])
    }

    /// So many pairs, made a few at a time.
    async fn pairs(self: &Arc<Self>, count: usize) -> Result<Vec<[Socket; 2]>, Failure> {
        let places = Arc::new(Semaphore::new(MAKING));
        let mut making = JoinSet::new();
        for _ in 0..count {
            let (server, places) = (Arc::clone(self), Arc::clone(&places));
            making.spawn(async move {
                let _place = places.acquire_owned().await;
                server.pair().await
            });
        }
        let mut pairs = Vec::with_capacity(count);
        while let Some(pair) = making.join_next().await {
            pairs.push(pair.map_err(|error| failed("a room", &error))??);
        }
        Ok(pairs)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill(); // It may have ended by itself.
        let _ = self.child.wait();
    }
}

async fn within<T, E: std::fmt::Display>(what: &str, work: impl Future<Output = Result<T, E>>) -> Result<T, Failure> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(|error| failed(what, &error)),
        Err(_) => Err(failed(what, &"no answer in two minutes")),
    }
}

async fn next_text(socket: &mut Socket) -> Result<String, Failure> {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await;
        match message.map_err(|_| failed("a room", &"it said nothing for two minutes"))? {
            Some(Ok(Message::Text(text))) => return Ok(text.as_str().to_owned()),
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(failed("a room", &error)),
            None => return Err(failed("a room", &"it closed the connection")),
        }
    }
}

/// Waits until a room tells of a move.
async fn told(socket: &mut Socket, number: u32) -> Result<(), Failure> {
    let wanted = format!("\"current_move_number\":{number},");
    loop {
        let text = next_text(socket).await?;
        if text.contains(&wanted) {
            return Ok(());
        }
        if text.contains("\"type\":\"error\"") {
            return Err(failed("a move was refused", &text));
        }
    }
}

/// Where the move of a number goes: no stone touches another.
fn place(number: u32) -> Value {
    let nth = (number - 1) % 81;
    json!({ "type": "move", "x": 2 * (nth % 9), "y": 2 * (nth / 9), "number": number })
}

/// Plays a move; answers how long it took until the mover was told of it. Both have been told then.
async fn play(pair: &mut [Socket; 2], number: u32) -> Result<Duration, Failure> {
    let [black, white] = pair;
    let (mover, other) = if number % 2 == 1 { (black, white) } else { (white, black) };
    let begun = Instant::now();
    within("a move", mover.send(Message::text(place(number).to_string()))).await?;
    told(mover, number).await?;
    let took = begun.elapsed();
    told(other, number).await?;
    Ok(took)
}

/// Windows in which a position is searched until they close.
async fn analyses(server: &Served) -> Result<Vec<Socket>, Failure> {
    let board = vec![vec![0; 19]; 19];
    let mut windows = Vec::new();
    for _ in 0..ANALYSES {
        let url = format!("ws://{}/api/ws?token={}", server.host, server.token);
        let mut window = within("a window", connect_async(url)).await?.0;
        let run =
            json!({ "id": 1, "command": "run", "args": { "board": board, "color": "black", "visits": 1_000_000 } });
        within("a window", window.send(Message::text(run.to_string()))).await?;
        windows.push(window);
    }
    Ok(windows)
}

/// How many of them still think, and have not been answered.
async fn still_thinking(windows: &mut [Socket]) -> usize {
    let mut thinking = 0;
    for window in windows {
        let answered = async {
            while let Some(Ok(message)) = window.next().await {
                if matches!(&message, Message::Text(text) if text.contains("\"id\":1")) {
                    return;
                }
            }
        };
        thinking += usize::from(tokio::time::timeout(Duration::from_millis(50), answered).await.is_err());
    }
    thinking
}

fn millis(times: &mut [Duration]) -> Value {
    times.sort_unstable();
    let at = |share: f64| {
        let nth = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
        times.get(nth).map(|time| (time.as_secs_f64() * 1e5).round() / 100.0)
    };
    json!({ "moves": times.len(), "p50": at(0.5), "p90": at(0.9), "p99": at(0.99), "max": at(1.0) })
}

/// Rooms in which a move is made every few seconds, while positions are searched.
async fn playing(args: &BenchArgs) -> Result<Value, Failure> {
    let server = Arc::new(Served::start(args)?);
    let pairs = server.pairs(args.rooms).await?;
    let mut windows = analyses(&server).await?;
    tokio::time::sleep(Duration::from_secs(2)).await; // The network is read by then.
    let pace = Duration::from_secs_f64(args.pace);
    let moves = (args.seconds.max(4.0 * args.pace) / args.pace) as u32;
    let mut rooms = JoinSet::new();
    for (nth, mut pair) in pairs.into_iter().enumerate() {
        // Spread over the pace, as people are.
        let first = tokio::time::Instant::now() + pace.mul_f64(nth as f64 / args.rooms as f64);
        rooms.spawn(async move {
            let mut times = Vec::new();
            for number in 1..=moves {
                tokio::time::sleep_until(first + pace * (number - 1)).await;
                times.push(play(&mut pair, number).await?);
            }
            Ok::<_, Failure>((times, pair))
        });
    }
    let mut times = Vec::new();
    let mut open = Vec::new();
    while let Some(room) = rooms.join_next().await {
        let (took, pair) = room.map_err(|error| failed("a room", &error))??;
        times.extend(took);
        open.push(pair);
    }
    let thinking = still_thinking(&mut windows).await;
    Ok(json!({
        "rooms": args.rooms, "clients": 2 * args.rooms, "secondsAMove": args.pace, "analyses": thinking,
        "milliseconds": millis(&mut times), "memoryBytes": server.memory(),
    }))
}

/// Connections in rooms where nothing happens.
async fn idle(args: &BenchArgs) -> Result<Value, Failure> {
    let server = Arc::new(Served::start(args)?);
    let before = server.memory();
    let pairs = server.pairs(args.idle / 2).await?;
    tokio::time::sleep(Duration::from_secs(3)).await;
    Ok(json!({ "sockets": 2 * pairs.len(), "memoryBytesBefore": before, "memoryBytes": server.memory() }))
}

/// A room that many watch who never read, and one beside it.
async fn deaf(args: &BenchArgs) -> Result<Value, Failure> {
    let server = Arc::new(Served::start(args)?);
    let tokens = [server.guest().await?, server.guest().await?];
    let answer = server.post("/api/generate-room", &tokens[0], &json!({ "color": "black" })).await?;
    let room = answer["room_id"].as_str().ok_or_else(|| failed("a room is not made", &answer))?.to_owned();
    let mut black = server.enter(&room, &tokens[0]).await?;
    next_text(&mut black).await?;
    let mut pair = [black, server.enter(&room, &tokens[1]).await?];
    let mut beside = server.pair().await?;
    let quiet = server.memory();
    let mut deaf = Vec::new();
    for _ in 0..DEAF {
        let token = server.guest().await?;
        deaf.push(server.enter(&room, &token).await?);
    }
    let before = server.memory();
    let (mut seen, mut others) = (Vec::new(), Vec::new());
    for number in 1..=MOVES_FOR_THE_DEAF {
        seen.push(play(&mut pair, number).await?);
        others.push(play(&mut beside, number).await?);
    }
    Ok(json!({
        "clients": deaf.len(), "memoryBytesWithoutThem": quiet, "memoryBytesBefore": before, "memoryBytes": server.memory(),
        "millisecondsInTheirRoom": millis(&mut seen), "millisecondsBeside": millis(&mut others),
    }))
}

/// Clients of the JSON service that all ask at once.
async fn lines(args: &BenchArgs) -> Result<Value, Failure> {
    let server = Served::start(args)?;
    let request = json!({ "operator": "run", "board": vec![vec![0; 9]; 9], "color": "black", "visits": VISITS });
    let line = format!("{request}\n");
    let mut clients = Vec::new();
    for _ in 0..args.clients {
        clients.push(within("the JSON service", TcpStream::connect(&server.tcp)).await?);
    }
    let answered = Arc::new(AtomicU32::new(0));
    let begun = Instant::now();
    let mut waiting = JoinSet::new();
    for (nth, mut client) in clients.into_iter().enumerate() {
        within("the JSON service", client.write_all(line.as_bytes())).await?;
        // The next one asks after this one, and is read after it.
        tokio::time::sleep(Duration::from_millis(10)).await;
        let answered = Arc::clone(&answered);
        waiting.spawn(async move {
            let mut lines = tokio::io::BufReader::new(client).lines();
            let answer = within("the JSON service", lines.next_line()).await?.unwrap_or_default();
            let place = answered.fetch_add(1, Ordering::Relaxed) as usize;
            Ok::<_, Failure>((nth, place, answer.contains("\"ok\":true")))
        });
    }
    let (mut ok, mut furthest) = (0, 0);
    while let Some(one) = waiting.join_next().await {
        let (asked, place, done) = one.map_err(|error| failed("the JSON service", &error))??;
        ok += usize::from(done);
        furthest = furthest.max(asked.abs_diff(place));
    }
    Ok(json!({
        "clients": args.clients, "answered": ok, "visits": VISITS, "seconds": begun.elapsed().as_secs_f64(),
        "placesOutOfOrderAtMost": furthest,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_hundredth_is_seen() {
        let mut times: Vec<Duration> = (1..=200).rev().map(Duration::from_millis).collect();
        assert_eq!(millis(&mut times), json!({ "moves": 200, "p50": 100.0, "p90": 180.0, "p99": 198.0, "max": 200.0 }));
        assert_eq!(millis(&mut [])["p99"], Value::Null);
    }

    #[test]
    fn no_stone_of_a_game_touches_another() {
        let points: std::collections::HashSet<(u64, u64)> = (1..=81)
            .map(place)
            .map(|place| (place["x"].as_u64().unwrap_or(99), place["y"].as_u64().unwrap_or(99)))
            .collect();
        assert!(points.len() == 81 && points.iter().all(|(x, y)| x % 2 == 0 && y % 2 == 0 && *x < 19 && *y < 19));
    }
}
