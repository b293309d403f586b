//! The board of one's own: what it costs the others.

use crate::club::{Club, Guest, OPEN, PATIENCE};
use honinbo_api::{ApiError, Caller, EngineSource};
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_players::Player;
use honinbo_rooms::Opinion;
use honinbo_rules::{Game, Point};
use honinbo_server::Opponents;
use honinbo_testkit::UniformEvaluator;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_tungstenite::connect_async;

/// Counts the positions that it is asked about.
#[derive(Default)]
struct Counting {
    asked: AtomicUsize,
    inner: UniformEvaluator,
}

impl Counting {
    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

impl Evaluator for Counting {
    fn limits(&self) -> BatchLimits {
        self.inner.limits()
    }

    fn evaluate(&self, requests: &[EvalRequest<'_>], stop: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        self.asked.fetch_add(requests.len(), Ordering::SeqCst);
        self.inner.evaluate(requests, stop)
    }
}

/// An engine with two ends.
struct TwoEnds {
    live: Arc<Counting>,
    background: Arc<Counting>,
}

impl Opponents for TwoEnds {
    fn opponent(&self, level: &str) -> Result<Box<dyn Player>, ApiError> {
        Err(ApiError::InvalidRequest { message: level.to_owned() })
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    fn engine(&self) -> EngineSource {
        let (live, background) = (Arc::clone(&self.live), Arc::clone(&self.background));
        EngineSource::Shared { live, background, network: "uniform".into() }
    }

    fn dead_stones(&self, _: &Game) -> Vec<Point> {
        Vec::new()
    }

    fn opinion(&self, _: &Game, _: &Caller) -> Option<Opinion> {
        None
    }
}

async fn command(window: &mut Guest, name: &str, args: Value) -> Value {
    window.send(json!({ "id": name, "command": name, "args": args })).await;
    let answer = window.until(name, |message| message["id"] == name).await;
    assert!(answer["error"].is_null(), "{answer}");
    answer["ok"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn somebodys_sweep_waits_behind_what_others_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let (live, background) = (Arc::new(Counting::default()), Arc::new(Counting::default()));
    let opponents = TwoEnds { live: Arc::clone(&live), background: Arc::clone(&background) };
    let people = Some(folder.path().join("people"));
    let club = Club::open_with(folder.path(), OPEN, Arc::new(opponents), people).await;
    let anna = club.register("Anna").await;
    let (socket, _) = connect_async(format!("ws://{}/api/ws?token={anna}", club.address)).await.unwrap();
    let mut window = Guest(socket);
    let new = json!({
        "width": 9, "height": 9, "rules": "chinese", "komi": 7, "handicap": 0, "black": "", "white": "",
    });
    let game = command(&mut window, "new_game", new).await["gameId"].clone();
    command(&mut window, "sweep_game", json!({ "gameId": game, "passes": [50] })).await;
    let begun = std::time::Instant::now();
    while background.asked() < 50 {
        assert!(begun.elapsed() < PATIENCE, "{} and {} positions were asked about", live.asked(), background.asked());
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    assert_eq!(live.asked(), 0, "a sweep is nothing that anybody waits for");
    command(&mut window, "set_analysis", json!({ "gameId": game, "running": true, "visits": 500 })).await;
    while live.asked() == 0 {
        assert!(begun.elapsed() < PATIENCE, "live analysis asked nobody");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    drop(window);
    club.close().await;
}
