//! The REST routes of a server with rooms. One table says what there is and who may ask; the router, the OpenAPI document,
//! the types of the page and the tests of strangers are made from it.

mod answers;
mod asyncapi;
#[cfg(test)]
mod bindings;
mod failure;
mod guard;
mod handlers;
mod openapi;
mod operator;
mod schema;
mod sign_in;
#[cfg(test)]
mod signature;
mod table;
mod tournaments;

pub(crate) use failure::{misdirected, unavailable};
pub(crate) use guard::{Club, Peer, address as peer_address, token as bearer};

use crate::peers::to_the_owner;
use crate::stop::Stop;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use std::sync::Arc;
use table::{Access, ROUTES};

/// Longest body of a request.
const MAX_BODY: usize = 16 << 10;

/// All routes.
pub(crate) fn router(club: Arc<Club>) -> Router {
    let mut router = Router::new();
    for route in ROUTES {
        let mut handler = (route.handler.router)();
        if route.path == table::ROOM {
            handler = handler.layer(middleware::from_fn_with_state(Arc::clone(&club), to_the_owner));
        }
        let handler = match route.access {
            Access::Anyone => handler,
            Access::Person => handler.layer(middleware::from_fn_with_state(Arc::clone(&club), guard::let_people_in)),
            Access::Both => handler.layer(middleware::from_fn_with_state(Arc::clone(&club), guard::let_both_in)),
            Access::Operator => {
                handler.layer(middleware::from_fn_with_state(Arc::clone(&club), guard::let_the_operator_in))
            }
        };
        router = router.route(route.path, handler);
    }
    router.layer(DefaultBodyLimit::max(MAX_BODY)).with_state(club)
}

impl Club {
    pub(crate) fn stop(&self) -> Stop {
        self.stop.clone()
    }
}
