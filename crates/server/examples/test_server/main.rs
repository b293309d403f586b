//! The back end that the interface's own tests run on: the real handlers behind the real WebSocket, with a made-up
//! evaluator and a clock that stands still until a test moves it.
//!
//! It prints the address of its control port and ends with its standard input.
//! Every connection to that port has an app of its own, with an empty data folder; both are gone when it closes.
//! A connection carries one request a line and one answer a line; see `control.rs`.

mod control;
mod host;
mod place;

use anyhow::Context as _;
use std::io::{Read as _, Write as _};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await.context("no port for the control of the test server")?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    let (ended, end) = tokio::sync::oneshot::channel();
    // A thread of its own: reading standard input cannot be broken off.
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    tokio::select! {
        ended = end => Ok(ended?),
        accepted = async {
            loop {
                let (stream, _) = listener.accept().await?;
                tokio::spawn(control::serve(stream));
            }
        } => accepted,
    }
}
