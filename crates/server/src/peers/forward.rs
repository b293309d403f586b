//! Requests that go on to another server: to the one that leads, or to the one that has the room.

use super::{Forwarded, PeerError, describe};
use crate::accounts::Account;
use crate::rooms::{Arriving, Whereabouts};
use crate::routes::{Club, Peer, bearer, misdirected, peer_address, unavailable};
use crate::stop::Stop;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use honinbo_library::Neighbour;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use tokio::io::copy_bidirectional;

/// How often a room is looked for that moves just now.
const LOOKS: u32 = 3;

/// Sends what concerns accounts, the lobby, tournaments or people's own boards on to the server that leads.
pub(crate) async fn to_the_leader(State(club): State<Arc<Club>>, request: Request, next: Next) -> Response {
    if club.rooms.peers().leads() || !is_the_leaders(&club, &request) {
        return next.run(request).await;
    }
    if request.extensions().get::<Forwarded>().is_some() {
        return misdirected();
    }
    let Some(leader) = club.rooms.peers().leader() else { return unavailable() };
    send_on(&club, &leader, request).await.unwrap_or_else(|error| failed(&error))
}

fn is_the_leaders(club: &Club, request: &Request) -> bool {
    let path = request.uri().path();
    match path {
        "/api/health" | "/api/ready" | "/api/openapi.json" | "/api/asyncapi.json" => false,
        // A window of whoever started this server is on this server's own folder.
        "/api/ws" => !bearer(request).is_some_and(|token| club.operator.matches(&token)),
        _ => path.starts_with("/api/") || path.starts_with("/ws/tournaments/"),
    }
}

/// Sends a connection to a room on to the server that has it. An empty room comes here instead.
pub(crate) async fn to_the_owner(
    State(club): State<Arc<Club>>,
    Path(name): Path<String>,
    request: Request,
    next: Next,
) -> Response {
    let Some(account) = request.extensions().get::<Account>().cloned() else { return unavailable() };
    if request.extensions().get::<Forwarded>().is_some() {
        return match club.rooms.arrive_as_sent(&name, &account).await {
            Some(arriving) => let_in(arriving, request, next).await,
            None => misdirected(),
        };
    }
    for _ in 0..LOOKS {
        let owner = match club.rooms.whereabouts(&name, &account).await {
            Ok(Whereabouts::Here(arriving)) => return let_in(arriving, request, next).await,
            Ok(Whereabouts::Elsewhere(owner)) => owner,
            Err(_) => return unavailable(),
        };
        // What answers that it is elsewhere has not begun with the request: it can be sent again.
        let mut again = Request::new(Body::empty());
        *again.method_mut() = request.method().clone();
        *again.uri_mut() = request.uri().clone();
        *again.headers_mut() = request.headers().clone();
        *again.extensions_mut() = request.extensions().clone();
        match send_on(&club, &owner, again).await {
            Ok(response) if response.status() == StatusCode::MISDIRECTED_REQUEST => {}
            Ok(response) => return response,
            Err(error) => return failed(&error),
        }
    }
    unavailable()
}

/// The handler keeps what makes the room stay until the client is in it.
async fn let_in(arriving: Arriving, mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Arc::new(arriving));
    next.run(request).await
}

fn failed(error: &PeerError) -> Response {
    tracing::warn!(%error, "a request could not go on to another server");
    unavailable()
}

/// Sends a request on and answers what comes back. A WebSocket goes through as it is, piece by piece: neither side is read
/// faster than the other one takes it.
async fn send_on(club: &Arc<Club>, to: &Neighbour, mut request: Request) -> Result<Response, PeerError> {
    let from = peer_address(request.extensions().get::<Peer>());
    let is_operators = bearer(&request).is_some_and(|token| club.operator.matches(&token));
    describe(&mut request, from, is_operators);
    let ours = request.extensions_mut().remove::<OnUpgrade>();
    let place = match &ours {
        None => None,
        Some(_) => match Arc::clone(&club.places).try_acquire_owned() {
            Ok(place) => Some(place),
            Err(_) => return Ok(unavailable()),
        },
    };
    if ours.is_none() {
        request.headers_mut().remove(header::CONNECTION);
    }
    let mut response = club.rooms.peers().send(to, request).await?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        for of_the_connection in [header::CONNECTION, header::TRANSFER_ENCODING, HeaderName::from_static("keep-alive")]
        {
            response.headers_mut().remove(of_the_connection);
        }
        return Ok(response.map(Body::new).into_response());
    }
    let Some(ours) = ours else { return Err(PeerError::Strange(to.address.clone())) };
    let theirs = hyper::upgrade::on(&mut response);
    let (club, owner, stop) = (Arc::clone(club), to.id, club.stop());
    tokio::spawn(async move {
        tokio::select! {
            () = carry(ours, theirs) => {}
            // Whoever stands still would keep the client for ever.
            () = club.rooms.peers().gone(owner) => {}
            () = stopped(stop) => {}
        }
        drop(place);
    });
    Ok(response.map(|_| Body::empty()).into_response())
}

async fn carry(ours: OnUpgrade, theirs: OnUpgrade) {
    let (Ok(ours), Ok(theirs)) = tokio::join!(ours, theirs) else { return };
    let (mut ours, mut theirs) = (TokioIo::new(ours), TokioIo::new(theirs));
    if let Err(error) = copy_bidirectional(&mut ours, &mut theirs).await {
        tracing::debug!(%error, "a connection that was carried on broke");
    }
}

async fn stopped(mut stop: Stop) {
    stop.requested().await;
}
