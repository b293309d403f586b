//! The web server: the files of the window, and the door to the WebSocket.

use crate::accept::accept;
use crate::assets::Assets;
use crate::gate::{AllowedHosts, guard};
use crate::peers;
use crate::proxies::client_address;
use crate::rooms::Rooms;
use crate::routes::{self, Club, Peer};
use crate::socket::{self, MAX_MESSAGE, Windows};
use crate::stop::Stop;
use crate::tls::Tls;
use crate::token::Token;
use crate::{Limits, TrustedProxy};
use axum::body::{Body, HttpBody as _};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Method, Request, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use futures_util::StreamExt as _;
use futures_util::stream::unfold;
use hyper::body::Incoming;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use serde_json::json;
use std::future::pending;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;

/// How long the body of a request may take to come: a record of 256 KiB, from a slow network.
const BODY_TIME: Duration = Duration::from_secs(60);

/// What the routes share.
#[derive(Clone)]
pub(crate) struct Web {
    pub(crate) assets: Arc<Assets>,
    pub(crate) token: Token,
    pub(crate) allowed_hosts: AllowedHosts,
    pub(crate) trusted_proxies: Arc<[TrustedProxy]>,
    pub(crate) windows: Windows,
    /// Accounts and rooms, where they are served.
    pub(crate) club: Option<Arc<Club>>,
    /// The places of windows.
    pub(crate) places: Arc<Semaphore>,
    pub(crate) stop: Stop,
}

#[derive(Clone)]
struct Routes {
    assets: Arc<Assets>,
    token: Token,
    windows: Windows,
    /// Where everybody with an account has a window of their own.
    rooms: Option<Rooms>,
    stop: Stop,
    places: Arc<Semaphore>,
}

/// Serves the web app until its `stop` becomes true.
pub(crate) async fn serve(listener: TcpListener, tls: Option<Tls>, web: Web) {
    let (limits, stop, proxies) = (web.windows.limits, web.stop.clone(), Arc::clone(&web.trusted_proxies));
    serve_routes(listener, tls.map(|tls| tls.acceptor), router(web), proxies, limits, stop).await;
}

/// Serves the other servers of the store until its `stop` becomes true.
pub(crate) async fn serve_peers(listener: TcpListener, tls: TlsAcceptor, club: Arc<Club>, web: Web) {
    let (limits, stop) = (web.windows.limits, web.stop.clone());
    let routes = shared_routes(&web)
        .route(peers::ORDERS, post(peers::take_order).with_state(Arc::clone(&club)))
        .layer(middleware::from_fn_with_state(Arc::clone(&club), peers::to_the_leader))
        .layer(middleware::from_fn_with_state(club, peers::let_peers_in));
    // Another server says itself for whom it asks.
    serve_routes(listener, Some(tls), routes, Arc::default(), limits, stop).await;
}

async fn serve_routes(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    routes: Router,
    proxies: Arc<[TrustedProxy]>,
    limits: Limits,
    stop: Stop,
) {
    let app = TowerToHyperService::new(routes.layer(middleware::from_fn(let_in_time)));
    let stopping = stop.clone();
    let connection = move |stream: TcpStream, address: SocketAddr| {
        let (app, tls, stop, proxies) = (app.clone(), tls.clone(), stopping.clone(), Arc::clone(&proxies));
        let app = service_fn(move |mut request: Request<Incoming>| {
            let client = client_address(&proxies, address.ip(), request.headers());
            request.extensions_mut().insert(Peer(client));
            app.call(request)
        });
        async move {
            let Some(tls) = tls else { return connection_of(stream, app, limits.header_time, stop).await };
            // Who begins and does not go on is let go of, as with the head of a request.
            match timeout(limits.header_time, tls.accept(stream)).await {
                Ok(Ok(stream)) => connection_of(stream, app, limits.header_time, stop).await,
                Ok(Err(error)) => tracing::debug!(%error, "a connection did not become an encrypted one"),
                Err(_) => tracing::debug!("a connection did not become an encrypted one in time"),
            }
        }
    };
    let refuse = |mut stream: TcpStream| async move {
        let text = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let _ = timeout(Duration::from_secs(2), stream.write_all(text)).await;
    };
    accept(listener, limits.http_connections, stop, connection, refuse).await;
}

/// Has the body of a request come in time, as its head has to.
async fn let_in_time(request: Request<Body>, next: Next) -> Response {
    next.run(request.map(|body| in_time(body, BODY_TIME))).await
}

/// A body that breaks off where it has not come within this time: whoever stops in the middle would keep a connection's place
/// for ever.
fn in_time(body: Body, time: Duration) -> Body {
    // The next server, where the request goes on to one, is to see that there is none.
    if body.is_end_stream() {
        return body;
    }
    let deadline = Instant::now() + time;
    Body::from_stream(unfold(Some(body.into_data_stream()), move |pieces| async move {
        let mut pieces = pieces?;
        match timeout_at(deadline, pieces.next()).await {
            Ok(piece) => piece.map(|piece| (piece, Some(pieces))),
            Err(late) => Some((Err(axum::Error::new(late)), None)),
        }
    }))
}

/// Serves the requests of one connection.
async fn connection_of<C, S>(stream: C, app: S, header_time: Duration, mut stop: Stop)
where
    C: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    S: hyper::service::HttpService<Incoming, ResBody = axum::body::Body> + Send + 'static,
    S::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    S::Future: Send + 'static,
{
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(header_time).max_headers(64);
    let connection = builder.serve_connection(TokioIo::new(stream), app).with_upgrades();
    tokio::pin!(connection);
    let served = tokio::select! {
        served = &mut connection => served,
        () = stop.requested() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a web connection broke");
    }
}

fn router(web: Web) -> Router {
    let mut routes = shared_routes(&web);
    if let Some(club) = web.club {
        routes = routes.layer(middleware::from_fn_with_state(club, peers::to_the_leader));
    }
    routes.layer(middleware::from_fn_with_state(web.allowed_hosts, guard))
}

/// What there is behind either door.
fn shared_routes(web: &Web) -> Router {
    let Web { assets, token, windows, club, places, stop, .. } = web.clone();
    let rooms = club.as_ref().map(|club| club.rooms.clone());
    // The interface asks whether there are rooms.
    let without_rooms = || Router::new().route("/api/server", get(async || Json(json!({ "rooms": false }))));
    Router::new()
        .route("/api/ws", any(open_window))
        .fallback(file)
        .with_state(Routes { assets, token, windows, rooms, stop, places })
        .merge(club.map_or_else(without_rooms, routes::router))
}

async fn file(State(routes): State<Routes>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    routes.assets.respond(&method, uri.path(), &headers)
}

#[derive(Deserialize)]
struct Entrance {
    #[serde(default)]
    token: String,
}

async fn open_window(
    State(routes): State<Routes>,
    Query(entrance): Query<Entrance>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    // Whoever started the server has a token that does not end.
    let person = routes.rooms.filter(|_| !routes.token.matches(&entrance.token));
    let windows = match &person {
        Some(rooms) => rooms.window_of(&entrance.token, routes.windows.limits).await,
        None => routes.token.matches(&entrance.token).then(|| Ok(routes.windows.clone())),
    };
    let windows = match windows {
        Some(Ok(windows)) => windows,
        Some(Err(error)) => return (StatusCode::FORBIDDEN, format!("{error}\n")).into_response(),
        None => {
            let message = "The token is missing or not of this server: open the address that the server printed.\n";
            return (StatusCode::FORBIDDEN, message).into_response();
        }
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let Ok(place) = routes.places.try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many windows are open.\n").into_response();
    };
    let stop = routes.stop;
    upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE).on_upgrade(async move |socket| {
        let ended = async {
            match &person {
                Some(rooms) => rooms.accounts().until_ended(&entrance.token).await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = socket::serve(socket, windows, stop) => {}
            () = ended => tracing::debug!("the token of a window has ended"),
        }
        drop(place);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use futures_util::stream::{iter, pending};
    use std::convert::Infallible;

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stops_in_the_middle_is_given_up() {
        let time = BODY_TIME;
        let half = || Body::from_stream(iter([Ok::<_, Infallible>("{\"half\":")]).chain(pending()));
        let read = |body: Body| timeout(2 * time, to_bytes(body, 1000));
        assert!(read(half()).await.is_err(), "nobody else gives it up");
        assert!(read(in_time(half(), time)).await.is_ok_and(|read| read.is_err()));
        assert_eq!(read(in_time(Body::from("whole"), time)).await.unwrap().unwrap(), "whole");
        assert!(in_time(Body::empty(), time).is_end_stream());
    }
}
