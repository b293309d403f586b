//! The TCP JSON service and the web app.
//!
//! A [`Server`] carries the commands of a [`Backend`] over two doors, both bound to loopback unless told otherwise:
//!
//! * **TCP**: the original JSON protocol, one object a line (`run`, `saveGoban`, `cancel`).
//! * **HTTP**: the files of the window and, on `/api/ws`, a WebSocket that carries every command and event.
//!   With [`Server::with_rooms`] also accounts, and rooms in which people and engines play each other.
//!
//! Both are written for clients that are broken, slow or hostile: whatever one of them sends or fails to read costs a
//! bounded amount of memory and none of the others' time.
//! `docs/protocol.md` describes what goes over the wire.
//!
//! ```no_run
//! use honinbo_server::{Backend, EventHub, ServeOptions, Server};
//! use std::sync::Arc;
//!
//! # async fn example(app: Arc<dyn Backend>, events: Arc<EventHub>) -> Result<(), honinbo_server::ServeError> {
//! let options = ServeOptions { tcp: Some("127.0.0.1:9000".into()), ..ServeOptions::default() };
//! let server = Server::bind(app, events, options).await?;
//! println!("listening on {:?}", server.tcp_address());
//! server.run_until(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

mod accept;
mod accounts;
mod assets;
mod backend;
mod clock;
mod error;
mod events;
mod gate;
mod host;
mod http;
mod job;
mod lines;
mod metrics;
mod outbox;
mod peers;
mod people;
mod protocol;
mod proxies;
mod quota;
mod rest;
mod rooms;
mod routes;
mod serve;
mod socket;
mod stop;
mod tcp;
mod tls;
mod token;

pub use accounts::{AccountPolicy, OidcOptions, Registration};
pub use assets::{Assets, find_web_dir};
pub use backend::Backend;
pub use error::ServeError;
pub use events::EventHub;
pub use host::ServerHost;
pub use protocol::{failure_line, success_line};
pub use proxies::{BadProxy, TrustedProxy};
pub use rooms::{Opponents, Rooms, RoomsError, RoomsOptions};
pub use serve::{Limits, ServeOptions, Server};
pub use tls::TlsFiles;
