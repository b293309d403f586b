//! The door by which other servers of the store come.

use super::{FROM, OPERATOR, SECRET};
use crate::routes::{Club, Peer};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;

/// A request that another server has sent on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forwarded {
    /// It came with that server's own token.
    pub(crate) is_operators: bool,
}

/// Lets a request pass that knows the secret; it counts as one of the address that the other server names.
pub(crate) async fn let_peers_in(State(club): State<Arc<Club>>, mut request: Request, next: Next) -> Response {
    let headers = request.headers();
    if !club.rooms.peers().knows(headers.get(SECRET).map(HeaderValue::as_bytes)) {
        tracing::warn!("a stranger came to the door of the other servers");
        return (StatusCode::FORBIDDEN, "This door is for the other servers of the store.\n").into_response();
    }
    let forwarded = Forwarded { is_operators: headers.contains_key(OPERATOR) };
    let from = headers.get(FROM).and_then(|from| from.to_str().ok()?.parse().ok());
    if let Some(from) = from {
        request.extensions_mut().insert(Peer(from));
    }
    request.headers_mut().remove(SECRET);
    // Of whose page it is was looked at where the request came in.
    request.headers_mut().remove(header::ORIGIN);
    request.extensions_mut().insert(forwarded);
    next.run(request).await
}

impl super::Peers {
    /// Whether somebody knows the secret. What is compared is hashed, so that no time says how much of it was right.
    fn knows(&self, given: Option<&[u8]>) -> bool {
        given.is_some_and(|given| !self.secret.is_empty() && Sha256::digest(given) == Sha256::digest(&self.secret))
    }
}
