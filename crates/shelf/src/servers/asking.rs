//! One request after the other, with distance, patience and an end.

use super::{Visit, VisitError};
use crate::download::{agent, check_address, text};
use honinbo_evaluator::StopFlag;
use std::io::Read as _;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::{StatusCode, header};

/// A server that fails is asked so often in all.
const MAX_TRIES: u32 = 4;
/// The pause after the first failure; it doubles.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// The longest pause that a server may ask for.
const MAX_PAUSE: Duration = Duration::from_secs(10 * 60);
/// How often somebody who waits looks whether to stop.
const STEP: Duration = Duration::from_millis(200);
/// How much is read at a time.
const PIECE: usize = 64 << 10;
/// Other places on the same server that an answer may lead to, one after the other.
const MAX_HOPS: u32 = 3;
/// Longest mark of a page that is kept.
const MAX_MARK: usize = 400;

/// Tells the time and lets it pass.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment; never goes back.
    fn now(&self) -> Duration;
    /// Waits.
    fn wait(&self, time: Duration);
}

/// The machine's own.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed()
    }

    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// Asks one server.
pub(super) struct Asker<'a> {
    visit: Visit<'a>,
    agent: Agent,
    stop: &'a StopFlag,
    asked: Option<Duration>,
}

/// What is asked for.
pub(super) struct Question<'q> {
    /// Behind the server's address.
    pub(super) path: &'q str,
    /// The largest answer that is taken, in bytes.
    pub(super) limit: u64,
    /// The media type that is wanted.
    pub(super) accept: &'static str,
    /// What an earlier answer was marked with; empty where there was none.
    pub(super) mark: &'q str,
}

/// What a server says.
pub(super) enum Reply {
    /// What was asked for, and the mark by which the server knows it again; empty where it gave none.
    Page { bytes: Vec<u8>, mark: String },
    /// The same as when it was marked.
    Unchanged,
    /// There is no such thing.
    Nothing,
    /// It is not for everybody, or not any more.
    Refused(StatusCode),
}

/// What became of one try.
enum Tried {
    Reply(Reply),
    /// Try again after a while: for how long the server said it, and why.
    Later(Option<Duration>, String),
    Failed(VisitError),
    /// It is elsewhere.
    Moved(String),
}

/// What a request's own thread sends.
enum Piece {
    Head { status: StatusCode, retry_after: Option<u64>, mark: String, place: Option<String> },
    Bytes(Vec<u8>),
    End,
    Broken(String),
}

impl<'a> Asker<'a> {
    pub(super) fn new(visit: &Visit<'a>, stop: &'a StopFlag) -> Result<Self, VisitError> {
        check_address(visit.address)?;
        Ok(Self { visit: *visit, agent: agent(visit.address, visit.silence, 0), stop, asked: None })
    }

    /// The address of a question, for messages.
    pub(super) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.visit.address)
    }

    /// Asks, and waits as long as the server wants it. `pause` hears of longer pauses.
    pub(super) fn ask(
        &mut self,
        question: &Question<'_>,
        pause: &mut dyn FnMut(Option<Duration>),
    ) -> Result<Reply, VisitError> {
        let mut wait = FIRST_PAUSE;
        let (mut tries, mut hops, mut path) = (1, 0, question.path.to_owned());
        loop {
            self.keep_distance()?;
            let (said, reason) = match self.try_once(&Question { path: &path, ..*question }) {
                Tried::Reply(reply) => return Ok(reply),
                Tried::Failed(error) => return Err(error),
                Tried::Moved(place) => {
                    hops += 1;
                    // Nobody else is asked than who was meant.
                    let inside = place.strip_prefix(self.visit.address).unwrap_or(&place);
                    if hops > MAX_HOPS || !inside.starts_with('/') || inside.starts_with("//") {
                        let reason = format!("it leads to {}", place.chars().take(200).collect::<String>());
                        return Err(VisitError::Unexpected { address: self.address(question.path), reason });
                    }
                    path = inside.to_owned();
                    continue;
                }
                Tried::Later(said, reason) => (said, reason),
            };
            if said.is_some_and(|said| said > MAX_PAUSE) {
                let seconds = said.map_or(0, |said| said.as_secs());
                return Err(VisitError::Busy { server: self.visit.server.label(), seconds });
            }
            if tries >= MAX_TRIES {
                return Err(VisitError::Unreachable { address: self.address(question.path), reason });
            }
            // The server's word counts where it is longer than our own patience.
            let time = said.unwrap_or(wait).max(wait);
            pause(Some(time));
            self.wait(time)?;
            pause(None);
            wait *= 2;
            tries += 1;
        }
    }

    fn keep_distance(&mut self) -> Result<(), VisitError> {
        if let Some(asked) = self.asked {
            let since = self.visit.clock.now().saturating_sub(asked);
            self.wait(self.visit.gap.saturating_sub(since))?;
        }
        if self.stop.is_set() {
            return Err(VisitError::Stopped);
        }
        self.asked = Some(self.visit.clock.now());
        Ok(())
    }

    fn wait(&self, mut time: Duration) -> Result<(), VisitError> {
        while !time.is_zero() {
            if self.stop.is_set() {
                return Err(VisitError::Stopped);
            }
            let step = time.min(STEP);
            self.visit.clock.wait(step);
            time -= step;
        }
        Ok(())
    }

    fn try_once(&self, question: &Question<'_>) -> Tried {
        let address = self.address(question.path);
        let mut request = self.agent.get(&address).header(header::ACCEPT, question.accept);
        // Either kind of mark, as the server gave it.
        request = match question.mark.split_once(' ') {
            Some(("etag", mark)) => request.header(header::IF_NONE_MATCH, mark),
            Some(("date", mark)) => request.header(header::IF_MODIFIED_SINCE, mark),
            _ => request,
        };
        // Neither the answer nor a read can be interrupted: they have a thread of their own, which ends by itself
        // after the time of silence, and here is who hears at once that it is to stop.
        let (sender, pieces) = sync_channel::<Piece>(4);
        let limit = question.limit;
        std::thread::spawn(move || {
            let response = match request.call() {
                Ok(response) => response,
                Err(error) => return drop(sender.send(Piece::Broken(error.to_string()))),
            };
            let etag = text(&response, header::ETAG).map(|mark| format!("etag {mark}"));
            let date = || text(&response, header::LAST_MODIFIED).map(|mark| format!("date {mark}"));
            let mark = etag.or_else(date).filter(|mark| mark.len() <= MAX_MARK).unwrap_or_default();
            let retry_after = text(&response, header::RETRY_AFTER).and_then(|after| after.trim().parse().ok());
            let place = text(&response, header::LOCATION);
            if sender.send(Piece::Head { status: response.status(), retry_after, mark, place }).is_err() {
                return;
            }
            let mut body = response.into_body().into_reader().take(limit + 1);
            loop {
                let mut piece = vec![0; PIECE];
                let sent = match body.read(&mut piece) {
                    Ok(0) => return drop(sender.send(Piece::End)),
                    Ok(count) => {
                        piece.truncate(count);
                        sender.send(Piece::Bytes(piece))
                    }
                    Err(error) => return drop(sender.send(Piece::Broken(error.to_string()))),
                };
                if sent.is_err() {
                    return;
                }
            }
        });
        let mut status = StatusCode::OK;
        let (mut bytes, mut mark, mut silence) = (Vec::new(), String::new(), Duration::ZERO);
        loop {
            if self.stop.is_set() {
                return Tried::Failed(VisitError::Stopped);
            }
            match pieces.recv_timeout(STEP) {
                Ok(Piece::Head { status: said, retry_after, mark: given, place }) => {
                    silence = Duration::ZERO;
                    (status, mark) = (said, given);
                    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
                        let after = retry_after.map(Duration::from_secs);
                        return Tried::Later(after, format!("the server answers {status}"));
                    }
                    if let Some(place) = place.filter(|_| status.is_redirection()) {
                        return Tried::Moved(place);
                    }
                    match status {
                        StatusCode::NOT_MODIFIED => return Tried::Reply(Reply::Unchanged),
                        StatusCode::NOT_FOUND => return Tried::Reply(Reply::Nothing),
                        StatusCode::FORBIDDEN | StatusCode::GONE | StatusCode::UNAUTHORIZED => {
                            return Tried::Reply(Reply::Refused(status));
                        }
                        StatusCode::OK => {}
                        other => {
                            let reason = format!("the server answers {other}");
                            return Tried::Failed(VisitError::Unreachable { address, reason });
                        }
                    }
                }
                Ok(Piece::Bytes(piece)) => {
                    silence = Duration::ZERO;
                    bytes.extend_from_slice(&piece);
                    if bytes.len() as u64 > limit {
                        return Tried::Failed(VisitError::TooLarge { address, limit });
                    }
                }
                Ok(Piece::End) => return Tried::Reply(Reply::Page { bytes, mark }),
                Ok(Piece::Broken(reason)) => return Tried::Later(None, reason),
                Err(RecvTimeoutError::Timeout) => {
                    silence += STEP;
                    // The head has as long in the thread as the body has here.
                    if silence >= self.visit.silence + STEP {
                        let reason = format!("nothing came for {} s", self.visit.silence.as_secs_f64());
                        return Tried::Later(None, reason);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Tried::Later(None, format!("the server hung up after {status}"));
                }
            }
        }
    }
}

/// A name as it stands in an address: what is no letter or digit of ASCII is written in hexadecimal.
pub(super) fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_one_part_of_an_address() {
        assert_eq!(encoded("stone-1_2"), "stone-1_2");
        assert_eq!(encoded("a b&c=/?#%"), "a%20b%26c%3D%2F%3F%23%25");
        assert_eq!(encoded("碁"), "%E7%A2%81");
    }
}
