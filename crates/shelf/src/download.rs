//! Downloading one large file: resumed, bounded, and never waiting for ever.

use crate::error::DownloadError;
use crate::part::Part;
use honinbo_evaluator::StopFlag;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;
use ureq::Agent;
use ureq::http::{Response, StatusCode, Uri, header};
use ureq::tls::{RootCerts, TlsConfig, TlsProvider};

/// Without a byte for so long a download is given up.
pub(crate) const SILENCE: Duration = Duration::from_secs(60);
const CONNECT: Duration = Duration::from_secs(30);
const MAX_REDIRECTS: u32 = 5;
/// How much is read at a time.
const PIECE: usize = 128 << 10;

/// What to download and where to.
#[derive(Debug, Clone, Copy)]
pub struct Download<'a> {
    /// An https address; http only on this machine.
    pub address: &'a str,
    /// The file to fill. What an earlier, broken-off download left there is used if the server still has the same file.
    pub part: &'a Part,
    /// The largest file that is taken, in bytes.
    pub limit: u64,
    /// Without a byte for so long it is given up.
    pub silence: Duration,
}

impl<'a> Download<'a> {
    /// A download with the usual patience.
    pub fn new(address: &'a str, part: &'a Part, limit: u64) -> Self {
        Self { address, part, limit, silence: SILENCE }
    }

    /// Downloads, reporting to `progress` the bytes so far and in all, as far as known.
    ///
    /// # Errors
    /// [`DownloadError`]; what arrived stays in `part` and is gone on from the next time, where the server can do that.
    pub fn run(&self, progress: &dyn Fn(u64, Option<u64>), stop: &StopFlag) -> Result<(), DownloadError> {
        check_address(self.address)?;
        let agent = agent(self.address, self.silence, MAX_REDIRECTS);
        let mut begun = self.begun();
        loop {
            let mut request = agent.get(self.address).header(header::ACCEPT_ENCODING, "identity");
            if let Some((bytes, mark)) = &begun {
                request =
                    request.header(header::RANGE, format!("bytes={bytes}-")).header(header::IF_RANGE, mark.as_str());
            }
            let response = request.call().map_err(|error| self.failed(&error.to_string()))?;
            let from = match (response.status(), &begun) {
                (StatusCode::OK, _) => 0,
                (StatusCode::PARTIAL_CONTENT, Some((bytes, _))) if starts_at(&response) == Some(*bytes) => *bytes,
                (status, Some(_)) if !passes(status) => {
                    // The server does not go on where we were: once more, from the beginning.
                    begun = None;
                    continue;
                }
                // What came so far stays: a server that is busy may go on later.
                (status, _) => return Err(self.failed(&format!("the server answers {status}"))),
            };
            return self.receive(response, from, progress, stop);
        }
    }

    fn receive(
        &self,
        response: Response<ureq::Body>,
        from: u64,
        progress: &dyn Fn(u64, Option<u64>),
        stop: &StopFlag,
    ) -> Result<(), DownloadError> {
        let length = text(&response, header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
        let total = length.map(|length| from.saturating_add(length));
        if total.unwrap_or(0) > self.limit {
            return Err(self.too_large());
        }
        self.remember(&response);
        let unwritable =
            |source: std::io::Error| DownloadError::Unwritable { path: self.part.path().to_owned(), source };
        let mut file: File = OpenOptions::new()
            .create(true)
            .append(from > 0)
            .write(true)
            .truncate(from == 0)
            .open(self.part.path())
            .map_err(unwritable)?;

        // A read from the network cannot be interrupted: it has its own thread, and here is who does not wait for ever.
        let (pieces, received) = sync_channel::<std::io::Result<Vec<u8>>>(4);
        let mut body = response.into_body().into_reader();
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let result = body.read(&mut piece).map(|count| {
                    piece.truncate(count);
                    piece
                });
                let ended = !matches!(&result, Ok(piece) if !piece.is_empty());
                if pieces.send(result).is_err() || ended {
                    return;
                }
            }
        });
        let mut bytes = from;
        let mut silence = Duration::ZERO;
        loop {
            progress(bytes, total);
            if stop.is_set() {
                return Err(DownloadError::Stopped { address: self.address.to_owned(), bytes, total });
            }
            let step = Duration::from_millis(200);
            match received.recv_timeout(step) {
                Ok(Ok(piece)) if piece.is_empty() => break,
                Ok(Ok(piece)) => {
                    silence = Duration::ZERO;
                    bytes += piece.len() as u64;
                    if bytes > self.limit {
                        return Err(self.too_large());
                    }
                    file.write_all(&piece).map_err(unwritable)?;
                }
                Ok(Err(error)) => return Err(self.broken_off(&error.to_string(), bytes, total)),
                Err(RecvTimeoutError::Timeout) => {
                    silence += step;
                    if silence >= self.silence {
                        let reason = format!("nothing came for {} s", self.silence.as_secs_f64());
                        return Err(self.broken_off(&reason, bytes, total));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if total.is_some_and(|total| bytes < total) {
            return Err(self.broken_off("the server hung up", bytes, total));
        }
        file.sync_all().map_err(unwritable)
    }

    /// What an earlier download left: its bytes, and the mark by which the server knows that version of the file.
    fn begun(&self) -> Option<(u64, String)> {
        let bytes = self.part.bytes();
        let text = fs::read_to_string(self.part.mark_file()).ok()?;
        let (address, mark) = text.split_once('\n')?;
        (bytes > 0 && address == self.address && !mark.is_empty()).then(|| (bytes, mark.to_string()))
    }

    fn remember(&self, response: &Response<ureq::Body>) {
        // A weak mark does not promise the same bytes.
        let mark = text(response, header::ETAG)
            .filter(|mark| !mark.starts_with("W/"))
            .or_else(|| text(response, header::LAST_MODIFIED));
        let kept = match mark {
            Some(mark) => fs::write(self.part.mark_file(), format!("{}\n{mark}", self.address)),
            None => fs::remove_file(self.part.mark_file()),
        };
        if let Err(error) = kept {
            tracing::debug!(%error, "a broken-off download will begin anew");
        }
    }

    fn failed(&self, reason: &str) -> DownloadError {
        DownloadError::Unreachable { address: self.address.to_owned(), reason: reason.to_owned() }
    }

    fn broken_off(&self, reason: &str, bytes: u64, total: Option<u64>) -> DownloadError {
        DownloadError::BrokenOff { address: self.address.to_owned(), bytes, total, reason: reason.to_owned() }
    }

    fn too_large(&self) -> DownloadError {
        self.part.remove();
        DownloadError::TooLarge { address: self.address.to_owned(), limit: self.limit }
    }
}

/// Refuses an address over which anybody could put something else in.
///
/// # Errors
/// [`DownloadError::NoAddress`] and [`DownloadError::NotSecure`].
pub fn check_address(address: &str) -> Result<(), DownloadError> {
    let uri: Uri = address.parse().map_err(|error: ureq::http::uri::InvalidUri| DownloadError::NoAddress {
        address: address.to_owned(),
        reason: error.to_string(),
    })?;
    let on_this_machine = uri.host().is_some_and(|host| {
        let host = host.trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    });
    match uri.scheme_str() {
        Some("https") => Ok(()),
        Some("http") if on_this_machine => Ok(()),
        _ => Err(DownloadError::NotSecure(address.to_owned())),
    }
}

pub(crate) fn agent(address: &str, silence: Duration, max_redirects: u32) -> Agent {
    let secure = address.starts_with("https://");
    let tls = TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .root_certs(RootCerts::PlatformVerifier)
        .build();
    let config = Agent::config_builder()
        .https_only(secure)
        .http_status_as_error(false)
        .max_redirects(max_redirects)
        .timeout_connect(Some(CONNECT))
        .timeout_recv_response(Some(silence))
        .user_agent(concat!("honinbo/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls);
    // The way to this machine leads through no proxy.
    if secure { config.build().into() } else { config.proxy(None).build().into() }
}

pub(crate) fn text(response: &Response<ureq::Body>, name: header::HeaderName) -> Option<String> {
    response.headers().get(name)?.to_str().ok().map(str::to_string)
}

/// Whether a server says by this that it cannot answer at the moment, which is no answer about the file.
fn passes(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}

/// Where the part of a file begins that a server sends: `Content-Range: bytes FIRST-LAST/TOTAL`.
fn starts_at(response: &Response<ureq::Body>) -> Option<u64> {
    text(response, header::CONTENT_RANGE)?.strip_prefix("bytes ")?.split('-').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_nobody_can_forge_are_taken() {
        for good in ["https://example.org/a.bin.gz", "http://127.0.0.1:8000/a", "http://[::1]/a", "http://localhost/a"]
        {
            assert!(check_address(good).is_ok(), "{good}");
        }
        for bad in
            ["http://example.org/a", "ftp://example.org/a", "http://127.0.0.1.example.org/", "nonsense", "https://"]
        {
            assert!(check_address(bad).is_err(), "{bad}");
        }
    }
}
