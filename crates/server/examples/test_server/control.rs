//! What a test asks of the test server, one JSON object a line, answered by one line each.
//!
//! The first line of a connection is its [`Wishes`]; the lines after it are [`Request`]s.

use crate::place::Place;
use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

/// How the app of a connection is to be.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wishes {
    /// Files that are in the data folder before the app starts, by name.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// Whether paths of this disk may be opened and saved.
    #[serde(default)]
    pub(crate) paths: bool,
    /// Whether the made-up evaluator answers; otherwise there is no network.
    #[serde(default = "yes")]
    pub(crate) network: bool,
    /// Whether the built interface is served beside its WebSocket, for a browser.
    #[serde(default)]
    pub(crate) page: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
enum Request {
    /// Moves the clock on, in milliseconds.
    Advance(u64),
    /// How many more positions are evaluated; `null` for all.
    Allow(Option<u64>),
    /// Ends the app as the program ends it, and starts another one on the same folder.
    Restart {},
}

/// Serves a connection; its app ends with it.
pub(crate) async fn serve(stream: TcpStream) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut place = None;
    while let Ok(Some(line)) = lines.next_line().await {
        let answer = answer(&mut place, &line).await.unwrap_or_else(|error| json!({ "error": format!("{error:#}") }));
        if write.write_all(format!("{answer}\n").as_bytes()).await.is_err() {
            break;
        }
    }
    if let Some(mut place) = place {
        place.stop().await;
    }
}

async fn answer(place: &mut Option<Place>, line: &str) -> anyhow::Result<Value> {
    let Some(place) = place else {
        let mut new = Place::new(&serde_json::from_str(line).context("the wishes of a test")?)?;
        let url = new.start().await?;
        let data_dir = new.data_dir();
        *place = Some(new);
        return Ok(json!({ "url": url, "dataDir": data_dir }));
    };
    match serde_json::from_str(line).context("a request of a test")? {
        Request::Advance(milliseconds) => place.clock.advance(milliseconds),
        Request::Allow(positions) => place.gate.allow(positions),
        Request::Restart {} => {
            place.stop().await;
            return Ok(json!({ "url": place.start().await? }));
        }
    }
    Ok(Value::Null)
}
