//! The original JSON protocol over TCP: one object a line.
//!
//! Requests of a connection are answered in their order; only `cancel` is heard while another is under way.
//! What a client can cost is bounded: one line of [`MAX_LINE`] bytes being read, [`WAITING`] more waiting, one command
//! under way, one line of its progress waiting, one answer being written, each within its time.

use crate::accept::accept;
use crate::job;
use crate::lines::{Line, LineError, LineReader};
use crate::protocol::{self, Command, MAX_LINE, Request};
use crate::stop::Stop;
use crate::{Backend, Limits};
use honinbo_api::{ApiError, Caller};
use parking_lot::Mutex as BlockingMutex;
use serde_json::Value;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, Semaphore, SemaphorePermit, mpsc, oneshot, watch};
use tokio::time::timeout;

/// Requests of one connection that may wait behind the one under way. Behind them nothing is read, `cancel` included.
const WAITING: usize = 8;

/// Serves the protocol until `stop` becomes true.
pub(crate) async fn serve(listener: TcpListener, backend: Arc<dyn Backend>, limits: Limits, stop: Stop) {
    let runs = Arc::new(Semaphore::new(limits.runs));
    let stopping = stop.clone();
    let connection = move |stream: TcpStream, address: SocketAddr| {
        let (backend, runs, stop) = (backend.clone(), runs.clone(), stopping.clone());
        async move {
            tracing::debug!(%address, "a client has connected");
            Connection::new(backend, runs, limits).serve(stream, stop).await;
            tracing::debug!(%address, "a client has gone");
        }
    };
    let refuse = move |mut stream: TcpStream| async move {
        let message = format!("{} connections are open, which is the limit; try again later", limits.tcp_connections);
        let line = protocol::refusal_line(&Value::Null, "busy", &message) + "\n";
        let _ = timeout(Duration::from_secs(2), stream.write_all(line.as_bytes())).await;
    };
    accept(listener, limits.tcp_connections, stop, connection, refuse).await;
}

/// A line with the count of cancels when it was read: a `cancel` ends what was asked for before it.
struct Asked {
    line: Line,
    at: u64,
}

/// How reading from a client ended.
enum ReadEnd {
    /// The client has said all it wants to say and may still listen.
    Finished,
    /// The client is not worth waiting for, or not there.
    Hopeless,
}

struct Connection {
    backend: Arc<dyn Backend>,
    runs: Arc<Semaphore>,
    /// Counts how often the client asked for what is under way to end. A request remembers the count when it came, and
    /// ends when the count has grown.
    cancels: watch::Sender<u64>,
    limits: Limits,
}

impl Connection {
    fn new(backend: Arc<dyn Backend>, runs: Arc<Semaphore>, limits: Limits) -> Self {
        Self { backend, runs, cancels: watch::channel(0).0, limits }
    }

    async fn serve(self, stream: TcpStream, mut stop: Stop) {
        let (reader, writer) = stream.into_split();
        let reader = LineReader::new(BufReader::new(reader), MAX_LINE, self.limits.line_time, self.limits.idle_time);
        let writer = LineWriter { stream: Mutex::new(writer), time: self.limits.write_time };
        let (queue, queued) = mpsc::channel(WAITING);

        let answering = self.answer(queued, &writer);
        tokio::pin!(answering);
        let read_end = tokio::select! {
            read_end = self.read(reader, queue, &writer) => read_end,
            _ = &mut answering => return, // The client does not read its answers.
            () = stop.requested() => {
                self.cancel();
                let _ = timeout(Duration::from_secs(3), &mut answering).await;
                return;
            }
        };
        if matches!(read_end, ReadEnd::Hopeless) {
            return;
        }
        let finished = tokio::select! {
            _ = &mut answering => true,
            () = tokio::time::sleep(self.limits.after_close) => false,
            () = stop.requested() => false,
        };
        if !finished {
            self.cancel();
            let _ = timeout(Duration::from_secs(3), &mut answering).await;
        }
    }

    /// Reads requests into the queue until the client is done.
    async fn read(
        &self,
        mut reader: LineReader<BufReader<OwnedReadHalf>>,
        queue: mpsc::Sender<Asked>,
        writer: &LineWriter,
    ) -> ReadEnd {
        let mut first = true;
        loop {
            let line = match reader.next().await {
                Ok(Some(line)) => line,
                Ok(None) => return ReadEnd::Finished,
                Err(error) => {
                    tracing::debug!(?error, "a connection is given up");
                    let message = match error {
                        LineError::Slow => "the line was not completed in time; the connection is closed",
                        LineError::Idle => "nothing was asked for a long time; the connection is closed",
                        LineError::Broken(_) => return ReadEnd::Hopeless,
                    };
                    let _ = writer.line(protocol::refusal_line(&Value::Null, "timeout", message)).await;
                    return ReadEnd::Hopeless;
                }
            };
            if let Line::Whole(text) = &line {
                if text.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                // A web page can make a browser send anything to this port, but its first line is always HTTP.
                if first && protocol::is_http(text) {
                    let message = "this port speaks JSON lines, not HTTP; the connection is closed";
                    let _ = writer.line(protocol::refusal_line(&Value::Null, "invalidRequest", message)).await;
                    return ReadEnd::Hopeless;
                }
                if let Some(answer) = protocol::answer_to_cancel(text) {
                    self.cancel();
                    if writer.line(answer).await.is_err() {
                        return ReadEnd::Hopeless;
                    }
                    first = false;
                    continue;
                }
            }
            first = false;
            let at = *self.cancels.borrow();
            if queue.send(Asked { line, at }).await.is_err() {
                return ReadEnd::Hopeless;
            }
        }
    }

    /// Answers the queue in its order until it is closed or the client does not read.
    async fn answer(&self, mut queue: mpsc::Receiver<Asked>, writer: &LineWriter) -> io::Result<()> {
        while let Some(asked) = queue.recv().await {
            let answer = match asked.line {
                Line::TooLong => {
                    let message = format!("the line is longer than {MAX_LINE} bytes and was skipped");
                    protocol::refusal_line(&Value::Null, "lineTooLong", &message)
                }
                Line::Whole(text) => self.reply(&text, asked.at, writer).await?,
            };
            writer.line(answer).await?;
        }
        Ok(())
    }

    fn cancel(&self) {
        self.cancels.send_modify(|count| *count += 1);
    }

    /// Waits for the turn of a `run`; one that is cancelled meanwhile has none.
    async fn place(&self, asked_at: u64) -> Result<SemaphorePermit<'_>, ApiError> {
        let mut cancels = self.cancels.subscribe();
        tokio::select! {
            biased;
            Ok(place) = self.runs.acquire() => Ok(place),
            _ = cancels.wait_for(|now| *now != asked_at) => Err(ApiError::Cancelled),
        }
    }

    /// Gives a command; once it is cancelled it answers with what it has.
    async fn call(&self, caller: Caller, name: &str, args: Value, asked_at: u64) -> Result<Value, ApiError> {
        let caller = Arc::new(caller);
        let mut cancels = self.cancels.subscribe();
        let answer = job::call(&self.backend, &caller, name, args);
        tokio::pin!(answer);
        tokio::select! {
            answer = &mut answer => return answer,
            _ = cancels.wait_for(|now| *now != asked_at) => caller.stop().set(),
        }
        answer.await
    }

    /// As [`Connection::call`], and tells the client meanwhile how far the command has come. Of what a client does not
    /// take in time only the newest waits.
    async fn call_and_tell(
        &self,
        every: Duration,
        id: Option<Value>,
        (name, args, asked_at): (&str, Value, u64),
        writer: &LineWriter,
    ) -> io::Result<Result<Value, ApiError>> {
        let (newest, mut told) = watch::channel(String::new());
        let last = BlockingMutex::new(None::<Instant>);
        let caller = Caller::hearing(move |progress| {
            let mut last = last.lock();
            if last.is_none_or(|last| last.elapsed() >= every) {
                *last = Some(Instant::now());
                newest.send_replace(protocol::progress_line(id.as_ref(), &progress));
            }
        });
        let (ended, mut end) = oneshot::channel::<()>();
        let work = async {
            let answer = self.call(caller, name, args, asked_at).await;
            drop(ended);
            Ok(answer)
        };
        let telling = async {
            loop {
                // A line that is begun is written to its end, and none is begun after the command has ended.
                tokio::select! {
                    biased;
                    _ = &mut end => return Ok::<(), io::Error>(()),
                    Ok(()) = told.changed() => {}
                }
                let line = told.borrow_and_update().clone();
                writer.line(line).await?;
            }
        };
        // A client that takes no progress is given up, and what it asked for ends.
        let (answer, ()) = tokio::try_join!(work, telling)?;
        Ok(answer)
    }

    async fn reply(&self, line: &[u8], asked_at: u64, writer: &LineWriter) -> io::Result<String> {
        let Request { operator, id, progress, command } = protocol::parse(line);
        let result = match command {
            Ok(Command::Call(name, args)) => {
                // Searches share one machine: beyond a few at a time they wait for each other.
                let place = if name == "run" { self.place(asked_at).await.map(Some) } else { Ok(None) };
                let answer = match (place, progress) {
                    (Err(cancelled), _) => Err(cancelled),
                    (Ok(_place), None) => self.call(Caller::new(), name, args, asked_at).await,
                    (Ok(_place), Some(every)) => {
                        self.call_and_tell(every, id.clone(), (name, args, asked_at), writer).await?
                    }
                };
                answer.map_err(|error| in_words_of_the_protocol(error, name))
            }
            Ok(Command::Cancel) => Ok(Value::Null),
            Err(error) => Err(error),
        };
        Ok(protocol::answer_line(&operator, id.as_ref(), result))
    }
}

/// Leaves the command's own name away: the client knows it under another, which stands in the answer.
fn in_words_of_the_protocol(error: ApiError, name: &str) -> ApiError {
    match error {
        ApiError::InvalidRequest { message } => {
            let plain = message.strip_prefix(name).and_then(|rest| rest.strip_prefix(": "));
            ApiError::InvalidRequest { message: plain.map(str::to_string).unwrap_or(message) }
        }
        other => other,
    }
}

struct LineWriter {
    stream: Mutex<OwnedWriteHalf>,
    time: Duration,
}

impl LineWriter {
    /// Writes a line, or fails when the client has not taken it in time.
    async fn line(&self, mut line: String) -> io::Result<()> {
        line.push('\n');
        let write = async { self.stream.lock().await.write_all(line.as_bytes()).await };
        timeout(self.time, write).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
    }
}
