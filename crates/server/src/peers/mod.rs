//! Servers that share a store: who is there, what they ask each other, and requests that go on to another one.
//!
//! They reach each other by a door of their own, which opens to whoever knows the secret in the store, over connections that
//! are encrypted for the certificate in the store. A request that came by that door never goes on to a third.

mod door;
mod encryption;
mod forward;
mod order;

pub(crate) use door::{Forwarded, let_peers_in};
pub(crate) use encryption::Identity;
pub(crate) use forward::{to_the_leader, to_the_owner};
pub(crate) use order::{GameEnd, Order, Reservation, take_order};

use crate::rooms::View;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, Response, Version, header};
use honinbo_library::{Neighbour, Neighbours};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::{TlsAcceptor, TlsConnector};

/// For a connection to another server, on whose network it is.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);
/// For what another server answers to an order, and how much of it is read.
const ORDER_WITHIN: Duration = Duration::from_secs(2);
const MAX_ANSWER: usize = 64 << 20;
/// For the head of its answer to a request that goes on: a password may have to wait for others.
const FORWARD_WITHIN: Duration = Duration::from_secs(60);
/// For another server to be noted that the store knows.
const NOTED_WITHIN: Duration = Duration::from_secs(5);
/// The path of orders.
pub(crate) const ORDERS: &str = "/peer";

/// What comes with a request from another server: that it is one, whose request it was, and whether an operator's.
const SECRET: &str = "honinbo-secret";
const FROM: &str = "honinbo-from";
const OPERATOR: &str = "honinbo-operator";

/// Why another server did not do what was wanted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PeerError {
    #[error("the server at {0} cannot be reached: {1}")]
    Unreachable(String, std::io::Error),
    #[error("the server at {0} took too long")]
    TooLate(String),
    #[error("the connection to the server at {0} broke: {1}")]
    Broken(String, hyper::Error),
    #[error("the server at {0} answered what is not understood")]
    Strange(String),
}

/// The other servers of a store; nobody where it is a file.
pub(crate) struct Peers {
    /// Empty where there are no others.
    secret: String,
    /// Where they come, until the server opens it, and what encrypts there.
    door: Mutex<Option<(TcpListener, TlsAcceptor)>>,
    there: watch::Sender<Neighbours>,
    /// What each of them had to say last.
    views: Mutex<HashMap<i64, View>>,
    /// What connects to each of them, by its certificate: with one kept, a handshake builds on the last one.
    connectors: Mutex<HashMap<String, TlsConnector>>,
}

impl Peers {
    /// For a server that is alone.
    pub(crate) fn nobody() -> Self {
        Self::new(String::new(), None, Neighbours { leads: true, ..Neighbours::default() })
    }

    pub(crate) fn new(secret: String, door: Option<(TcpListener, TlsAcceptor)>, there: Neighbours) -> Self {
        let (views, connectors) = (Mutex::default(), Mutex::default());
        Self { secret, door: Mutex::new(door), there: watch::channel(there).0, views, connectors }
    }

    /// Where the others come; once.
    pub(crate) fn take_door(&self) -> Option<(TcpListener, TlsAcceptor)> {
        self.door.lock().take()
    }

    /// Whether this server leads.
    pub(crate) fn leads(&self) -> bool {
        self.there.borrow().leads
    }

    pub(crate) fn leader(&self) -> Option<Neighbour> {
        self.there.borrow().leader.clone()
    }

    pub(crate) fn others(&self) -> Vec<Neighbour> {
        self.there.borrow().others.clone()
    }

    pub(crate) fn is_there(&self, id: i64) -> bool {
        self.there.borrow().others.iter().any(|other| other.id == id)
    }

    /// Notes who is there now.
    pub(crate) fn note(&self, there: Neighbours) {
        self.views.lock().retain(|id, _| there.others.iter().any(|other| other.id == *id));
        self.connectors.lock().retain(|one, _| there.others.iter().any(|other| other.certificate == *one));
        self.there.send_if_modified(|known| {
            let changed = *known != there;
            *known = there;
            changed
        });
    }

    /// Waits until another server is over.
    async fn gone(&self, id: i64) {
        let is_there = |there: &Neighbours| there.others.iter().any(|other| other.id == id);
        let mut there = self.there.subscribe();
        // The store knows one that has just begun before this server has looked around.
        let _ = timeout(NOTED_WITHIN, there.wait_for(is_there)).await;
        let _ = there.wait_for(|there| !is_there(there)).await; // The sender is in `self`.
    }

    pub(crate) fn note_view(&self, id: i64, view: View) {
        self.views.lock().insert(id, view);
    }

    /// Looks through what the others had to say last.
    pub(crate) fn through_views<T>(&self, look: impl FnMut((&i64, &View)) -> T) -> Vec<T> {
        self.views.lock().iter().map(look).collect()
    }

    /// Has another server carry out an order; its answer.
    pub(crate) async fn order<T: DeserializeOwned>(&self, to: &Neighbour, order: &Order) -> Result<T, PeerError> {
        let strange = || PeerError::Strange(to.address.clone());
        let body = serde_json::to_vec(order).map_err(|_| strange())?;
        let request = Request::post(ORDERS).header(header::CONTENT_TYPE, "application/json").body(Body::from(body));
        let asked = async {
            let response = self.send(to, request.map_err(|_| strange())?).await?;
            if !response.status().is_success() {
                return Err(strange());
            }
            let body = to_bytes(Body::new(response.into_body()), MAX_ANSWER).await.map_err(|_| strange())?;
            serde_json::from_slice(&body).map_err(|_| strange())
        };
        timeout(ORDER_WITHIN, asked).await.map_err(|_| PeerError::TooLate(to.address.clone()))?
    }

    fn connector(&self, to: &Neighbour) -> Result<TlsConnector, PeerError> {
        if let Some(known) = self.connectors.lock().get(&to.certificate) {
            return Ok(known.clone());
        }
        let fresh = encryption::connector(&to.certificate).map_err(|_| PeerError::Strange(to.address.clone()))?;
        self.connectors.lock().insert(to.certificate.clone(), fresh.clone());
        Ok(fresh)
    }

    /// Sends a request to another server, with what lets it in there; the answer from its head on.
    async fn send(&self, to: &Neighbour, mut request: Request<Body>) -> Result<Response<Incoming>, PeerError> {
        let broken = |error| PeerError::Broken(to.address.clone(), error);
        let connector = self.connector(to)?;
        let connected = async {
            let stream = TcpStream::connect(&to.address).await?;
            let _ = stream.set_nodelay(true); // Only costs speed where it fails.
            connector.connect(encryption::name(), stream).await
        };
        let stream = match timeout(CONNECT_WITHIN, connected).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(PeerError::Unreachable(to.address.clone(), error)),
            Err(_) => return Err(PeerError::TooLate(to.address.clone())),
        };
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        tokio::spawn(async move {
            if let Err(error) = connection.with_upgrades().await {
                tracing::debug!(%error, "a connection to another server broke");
            }
        });
        *request.version_mut() = Version::HTTP_11;
        let headers = request.headers_mut();
        let mut secret = HeaderValue::from_str(&self.secret).map_err(|_| PeerError::Strange(to.address.clone()))?;
        secret.set_sensitive(true);
        headers.insert(SECRET, secret);
        if !headers.contains_key(header::HOST) {
            let host = HeaderValue::from_str(&to.address).map_err(|_| PeerError::Strange(to.address.clone()))?;
            headers.insert(header::HOST, host);
        }
        match timeout(FORWARD_WITHIN, sender.send_request(request)).await {
            Ok(answered) => answered.map_err(broken),
            Err(_) => Err(PeerError::TooLate(to.address.clone())),
        }
    }
}

/// What a request that goes on says of whoever sent it.
fn describe<B>(request: &mut Request<B>, from: IpAddr, is_operators: bool) {
    let headers = request.headers_mut();
    for name in [SECRET, FROM, OPERATOR] {
        headers.remove(name);
    }
    if let Ok(from) = HeaderValue::from_str(&from.to_string()) {
        headers.insert(FROM, from);
    }
    if is_operators {
        headers.insert(OPERATOR, HeaderValue::from_static("1"));
    }
}
