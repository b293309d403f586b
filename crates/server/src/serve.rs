//! The server as a whole: its doors, its limits, its beginning and its end.

use crate::assets::Assets;
use crate::gate::AllowedHosts;
use crate::http::{self, Web};
use crate::rest::{Presence, rest_when_alone};
use crate::rooms::Rooms;
use crate::routes::Club;
use crate::socket::Windows;
use crate::stop::stop_channel;
use crate::tls::{Tls, TlsFiles};
use crate::token::Token;
use crate::{Backend, EventHub, ServeError, TrustedProxy, tcp};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, lookup_host};
use tokio::sync::Semaphore;

/// What to serve and where.
#[derive(Debug, Clone, Default)]
pub struct ServeOptions {
    /// Address of the web app: a port (then on 127.0.0.1), or address and port; port 0 takes any free one.
    pub http: Option<String>,
    /// Address of the JSON service, in the same form.
    pub tcp: Option<String>,
    /// The folder of the built interface; without one the web app has only its WebSocket.
    pub web_dir: Option<PathBuf>,
    /// Names under which the web app answers, besides `localhost` and literal addresses.
    pub allowed_hosts: Vec<String>,
    /// Proxies that say in `X-Forwarded-For` who their client is.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// The file that keeps the access token from one start to the next, readable by its owner alone; without one each
    /// start has a token of its own.
    pub token_file: Option<PathBuf>,
    /// Make a new token, so that nobody comes in by an older address.
    pub new_token: bool,
    /// Encrypts the connections of the web app.
    pub tls: Option<TlsFiles>,
    /// What clients may cost.
    pub limits: Limits,
}

/// What clients may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Connections to the JSON service at a time.
    pub tcp_connections: usize,
    /// Connections to the web app at a time, its windows included.
    pub http_connections: usize,
    /// Windows (WebSockets) at a time.
    pub windows: usize,
    /// Connections to rooms at a time; each is a connection to the web app as well.
    pub room_connections: usize,
    /// Messages of one connection to a room in a second; it waits with what is beyond that.
    pub room_messages: u32,
    /// Searches for clients of the JSON service at a time; others wait.
    pub runs: usize,
    /// From the first byte of a line to its end.
    pub line_time: Duration,
    /// Without any line.
    pub idle_time: Duration,
    /// For a client to take one message.
    pub write_time: Duration,
    /// How long commands go on for a client that has ended its side of the connection.
    pub after_close: Duration,
    /// For the head of an HTTP request.
    pub header_time: Duration,
    /// Between two pings of a window; one that is silent for three of them is gone.
    pub ping_time: Duration,
    /// How long live analysis goes on when the last window has gone; reloading a page takes less.
    pub rest_after: Duration,
}

impl Limits {
    /// As usual, and as many people in rooms as a club or a school has.
    #[must_use]
    pub fn with_rooms(self) -> Self {
        Self { http_connections: 10_000, room_connections: 8_000, windows: 80, ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tcp_connections: 256,
            http_connections: 128,
            windows: 16,
            room_connections: 0,
            room_messages: 50,
            runs: 2,
            line_time: Duration::from_secs(60),
            idle_time: Duration::from_secs(3600),
            write_time: Duration::from_secs(60),
            after_close: Duration::from_secs(60),
            header_time: Duration::from_secs(15),
            ping_time: Duration::from_secs(20),
            rest_after: Duration::from_secs(10),
        }
    }
}

/// A server whose doors are open but that does not answer yet.
pub struct Server {
    backend: Arc<dyn Backend>,
    events: Arc<EventHub>,
    http: Option<(TcpListener, SocketAddr)>,
    tcp: Option<(TcpListener, SocketAddr)>,
    assets: Arc<Assets>,
    token: Token,
    tls: Option<Tls>,
    options: ServeOptions,
    rooms: Option<Rooms>,
}

impl Server {
    /// Opens the doors. `events` is what the back end's host emits to.
    ///
    /// # Errors
    /// [`ServeError`] when an address cannot be had, the files of the window cannot be read or the token cannot be kept.
    pub async fn bind(
        backend: Arc<dyn Backend>,
        events: Arc<EventHub>,
        options: ServeOptions,
    ) -> Result<Self, ServeError> {
        let assets = match &options.web_dir {
            Some(dir) => Assets::load(dir)?,
            None => Assets::default(),
        };
        let tls = options.tls.clone().map(Tls::new).transpose()?;
        let http = match &options.http {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let tcp = match &options.tcp {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        // Only the web app has one: whoever serves TCP alone leaves no secret behind.
        let token = match &options.token_file {
            Some(file) if http.is_some() => match Token::kept(file, options.new_token) {
                // A folder that cannot be written to does not keep anybody from serving.
                Err(error @ ServeError::TokenFile { .. }) if !options.new_token => {
                    tracing::warn!(%error, "the next start will have another address");
                    Token::random()?
                }
                kept => kept?,
            },
            _ => Token::random()?,
        };
        Ok(Self { backend, events, http, tcp, assets: Arc::new(assets), token, tls, options, rooms: None })
    }

    /// Serves accounts and rooms too, on the address of the web app.
    #[must_use]
    pub fn with_rooms(mut self, rooms: Rooms) -> Self {
        self.rooms = Some(rooms);
        self
    }

    /// Where the JSON service listens.
    pub fn tcp_address(&self) -> Option<SocketAddr> {
        self.tcp.as_ref().map(|(_, address)| *address)
    }

    /// Where the web app listens.
    pub fn http_address(&self) -> Option<SocketAddr> {
        self.http.as_ref().map(|(_, address)| *address)
    }

    /// Where programs of this machine find the web app.
    pub fn local_address(&self) -> Option<SocketAddr> {
        let mut address = self.http_address()?;
        if address.ip().is_unspecified() {
            let loopback: IpAddr =
                if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
            address.set_ip(loopback);
        }
        Some(address)
    }

    /// The address to open in a browser, with the token that lets it in.
    pub fn url(&self) -> Option<String> {
        let address = self.local_address()?;
        Some(format!("{}://{address}/?token={}", self.scheme(), self.token.as_str()))
    }

    /// How addresses of the web app begin: `https` with TLS, `http` without.
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// Whether somebody on the way could read what goes to another machine: the JSON service is never encrypted.
    pub fn can_be_read_on_the_way(&self) -> bool {
        let web = self.http_address().filter(|_| self.tls.is_none());
        [web, self.tcp_address()].into_iter().flatten().any(|address| !address.ip().is_loopback())
    }

    /// Serves until `shutdown` is ready, or another server has taken the rooms over; then ends what is under way, says
    /// goodbye and returns within a few seconds.
    pub async fn run_until(self, shutdown: impl Future<Output = ()>) {
        let Self { backend, events, http, tcp, assets, token, tls, options, rooms } = self;
        let (stopper, stop) = stop_channel();
        let mut doors = tokio::task::JoinSet::new();
        let (mut resting, mut renewing) = (None, None);
        if let Some((listener, _)) = http {
            let presence = Presence::new();
            resting = Some(tokio::spawn(rest_when_alone(backend.clone(), presence.clone(), options.limits.rest_after)));
            let windows = Windows { backend: backend.clone(), events, presence, limits: options.limits };
            let allowed_hosts = AllowedHosts(options.allowed_hosts.into());
            let door = rooms.as_ref().and_then(|rooms| rooms.peers().take_door());
            let club = rooms.clone().map(|rooms| {
                Arc::new(Club {
                    rooms,
                    operator: token.clone(),
                    scheme: if tls.is_some() { "https" } else { "http" },
                    limits: options.limits,
                    stop: stop.clone(),
                    places: Arc::new(Semaphore::new(options.limits.room_connections)),
                })
            });
            let places = Arc::new(Semaphore::new(options.limits.windows));
            let trusted_proxies = options.trusted_proxies.into();
            let web = Web { assets, token, allowed_hosts, trusted_proxies, windows, club, places, stop: stop.clone() };
            if let (Some((door, encryption)), Some(club)) = (door, web.club.clone()) {
                doors.spawn(http::serve_peers(door, encryption, club, web.clone()));
            }
            renewing = tls.clone().map(|tls| tokio::spawn(tls.keep_fresh()));
            doors.spawn(http::serve(listener, tls, web));
        }
        if let Some((listener, _)) = tcp {
            doors.spawn(tcp::serve(listener, backend, options.limits, stop));
        }
        let house = rooms.clone().map(|rooms| tokio::spawn(async move { rooms.keep_house().await }));
        let taken_over = async {
            match &rooms {
                Some(rooms) => rooms.taken_over().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = shutdown => {}
            () = taken_over => {}
        }
        tracing::info!("the server stops");
        stopper.stop();
        let closed = async { while doors.join_next().await.is_some() {} };
        if tokio::time::timeout(Duration::from_secs(5), closed).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        for task in [resting, renewing, house].into_iter().flatten() {
            task.abort();
            let _ = task.await; // It was aborted.
        }
        if let Some(rooms) = rooms
            && tokio::time::timeout(Duration::from_secs(5), rooms.stop()).await.is_err()
        {
            tracing::warn!("some rooms did not end in time");
        }
    }
}

pub(crate) async fn listen(address: &str) -> Result<(TcpListener, SocketAddr), ServeError> {
    let bad_address = |source| ServeError::Address { address: address.to_string(), source };
    let bad_bind = |source| ServeError::Bind { address: address.to_string(), source };
    let spelled = match address.strip_prefix(':').unwrap_or(address) {
        port if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => format!("127.0.0.1:{port}"),
        whole => whole.to_string(),
    };
    let mut addresses: Vec<SocketAddr> = lookup_host(&spelled).await.map_err(bad_address)?.collect();
    addresses.sort_by_key(SocketAddr::is_ipv6); // Of a name's addresses the one that every client knows.
    if addresses.is_empty() {
        return Err(bad_address(io::Error::new(io::ErrorKind::NotFound, "the name has no address")));
    }
    let listener = TcpListener::bind(addresses.as_slice()).await.map_err(bad_bind)?;
    let bound = listener.local_addr().map_err(bad_bind)?;
    Ok((listener, bound))
}
