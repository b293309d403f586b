//! A web server on this machine that misbehaves as it is told.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How a request is answered.
pub(crate) struct Answer {
    pub(crate) status: &'static str,
    pub(crate) body: Vec<u8>,
    pub(crate) etag: &'static str,
    /// The length that is said, if not the true one.
    pub(crate) promised: Option<u64>,
    /// It hangs up after so many bytes.
    pub(crate) breaks_after: Option<usize>,
    /// It sends nothing more after so many bytes, and keeps the connection.
    pub(crate) stalls_after: Option<usize>,
    /// It sends the whole file whatever was asked for.
    pub(crate) ignores_range: bool,
}

impl Answer {
    /// A file, as it should be.
    pub(crate) fn file(body: Vec<u8>) -> Self {
        Self {
            status: "200 OK",
            body,
            etag: "\"v1\"",
            promised: None,
            breaks_after: None,
            stalls_after: None,
            ignores_range: false,
        }
    }
}

/// The server; it ends with the test's process.
pub(crate) struct Server {
    socket: SocketAddr,
    ranges: Arc<Mutex<Vec<Option<u64>>>>,
}

impl Server {
    /// Answers each request by its number, from 0, and its path.
    pub(crate) fn start(answer: impl Fn(usize, &str) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let socket = listener.local_addr().unwrap();
        let ranges = Arc::new(Mutex::new(Vec::new()));
        let asked = Arc::clone(&ranges);
        std::thread::spawn(move || {
            for (request, stream) in listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let (path, from) = read_request(&stream);
                asked.lock().unwrap().push(from);
                let answer = answer(request, &path);
                // A stalled answer holds nobody else up.
                std::thread::spawn(move || send(stream, &answer, from));
            }
        });
        Self { socket, ranges }
    }

    pub(crate) fn address(&self, file: &str) -> String {
        format!("http://{}/nets/{file}", self.socket)
    }

    /// Where each request wanted the file to begin.
    pub(crate) fn ranges(&self) -> Vec<Option<u64>> {
        self.ranges.lock().unwrap().clone()
    }
}

fn read_request(stream: &TcpStream) -> (String, Option<u64>) {
    let (mut path, mut from) = (String::new(), None);
    for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
        if line.is_empty() {
            break;
        }
        if path.is_empty() {
            path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok();
        }
    }
    (path, from)
}

fn send(mut stream: TcpStream, answer: &Answer, from: Option<u64>) {
    let from = from.filter(|_| !answer.ignores_range);
    let body = &answer.body[from.unwrap_or(0) as usize..];
    let (status, range) = match from {
        Some(from) => {
            let all = answer.body.len();
            ("206 Partial Content", format!("Content-Range: bytes {from}-{}/{all}\r\n", all - 1))
        }
        None => (answer.status, String::new()),
    };
    let length = answer.promised.unwrap_or(body.len() as u64);
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nETag: {}\r\n{range}Connection: close\r\n\r\n",
        answer.etag
    );
    let sent = answer.breaks_after.or(answer.stalls_after).unwrap_or(usize::MAX).min(body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body[..sent]));
    if answer.stalls_after.is_some() {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
        let _ = stream.read(&mut [0]); // Until the other side gives up.
    }
}
