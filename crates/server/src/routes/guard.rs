//! Who asks, and whether that is somebody who may.

use super::failure::Failure;
use crate::Limits;
use crate::peers::Forwarded;
use crate::rooms::{Asker, Rooms};
use crate::stop::Stop;
use crate::token::Token;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// What the routes share.
pub(crate) struct Club {
    pub(crate) rooms: Rooms,
    /// The token of whoever started the server.
    pub(crate) operator: Token,
    /// How addresses of the web app begin here.
    pub(crate) scheme: &'static str,
    pub(crate) limits: Limits,
    pub(crate) stop: Stop,
    /// Connections to rooms.
    pub(crate) places: Arc<Semaphore>,
}

/// Where a request came from, behind the proxies that are trusted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The token that came with a request.
#[derive(Clone)]
pub(super) struct Given(pub(super) String);

/// The address of whoever asks, for limits.
pub(crate) fn address(peer: Option<&Peer>) -> IpAddr {
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0)
}

impl Club {
    /// Whether the token is that of whoever started this server, or the one that sent the request on.
    fn is_operators(&self, request: &Request, token: &str) -> bool {
        let forwarded = request.extensions().get::<Forwarded>();
        self.operator.matches(token) || forwarded.is_some_and(|forwarded| forwarded.is_operators)
    }
}

/// Lets a request with the token of an account pass; the handler is told whose it is.
pub(super) async fn let_people_in(State(club): State<Arc<Club>>, mut request: Request, next: Next) -> Response {
    let Some(token) = token(&request) else { return refused() };
    match club.rooms.accounts().account_of(&token).await {
        Ok(Some(account)) => {
            club.rooms.saw(&account);
            request.extensions_mut().insert(account);
            request.extensions_mut().insert(Given(token));
            next.run(request).await
        }
        Ok(None) => refused(),
        Err(error) => Failure::from(error).into_response(),
    }
}

/// Lets a request with the server's own access token pass, or with that of somebody whom the provider calls an operator.
pub(super) async fn let_the_operator_in(State(club): State<Arc<Club>>, request: Request, next: Next) -> Response {
    let Some(token) = token(&request) else { return refused() };
    if club.is_operators(&request, &token) {
        return next.run(request).await;
    }
    match club.rooms.accounts().may_operate(&token).await {
        Ok(true) => next.run(request).await,
        Ok(false) => refused(),
        Err(error) => Failure::from(error).into_response(),
    }
}

/// Lets a request with the token of an account or the server's own pass; the handler is told which.
pub(super) async fn let_both_in(State(club): State<Arc<Club>>, mut request: Request, next: Next) -> Response {
    let Some(token) = token(&request) else { return refused() };
    if club.is_operators(&request, &token) {
        request.extensions_mut().insert(Asker::Operator);
        return next.run(request).await;
    }
    match club.rooms.accounts().account_of(&token).await {
        Ok(Some(account)) => {
            club.rooms.saw(&account);
            request.extensions_mut().insert(Asker::Person(account));
            next.run(request).await
        }
        Ok(None) => refused(),
        Err(error) => Failure::from(error).into_response(),
    }
}

fn refused() -> Response {
    let failure =
        Failure::new(StatusCode::UNAUTHORIZED, "unauthorized", "log in first: the token is missing or has ended");
    ([(header::WWW_AUTHENTICATE, "Bearer")], failure).into_response()
}

/// From the header that is made for it; for a WebSocket, where a browser cannot set one, from the address.
pub(crate) fn token(request: &Request) -> Option<String> {
    let header = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(given) = header {
        let (scheme, token) = given.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then(|| token.trim().to_owned());
    }
    let path = request.uri().path();
    if !path.starts_with("/ws/") && path != "/api/ws" {
        return None;
    }
    let query = request.uri().query().unwrap_or_default();
    query.split('&').find_map(|pair| pair.strip_prefix("token=")).map(str::to_owned)
}
