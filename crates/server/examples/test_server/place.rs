//! One app with its data folder and its door.

use crate::control::Wishes;
use crate::host::{Clock, TestHost};
use anyhow::Context as _;
use honinbo_api::{App, EngineSource};
use honinbo_server::{Backend, EventHub, ServeOptions, Server, find_web_dir};
use honinbo_testkit::{Gate, GatedEvaluator, InfluenceEvaluator};
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// What the made-up network is called.
const NETWORK: &str = "influence";

/// A data folder with an app on it. The folder stays when the app is started again.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    paths: bool,
    has_network: bool,
    has_page: bool,
    pub(crate) clock: Arc<Clock>,
    pub(crate) gate: Arc<Gate>,
    running: Option<Running>,
}

struct Running {
    app: Arc<App>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Place {
    /// A folder with the wished files in it, and no app yet.
    pub(crate) fn new(wishes: &Wishes) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir().context("no folder for the data of a test")?;
        for (name, content) in &wishes.files {
            let path = folder.path().join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(&path, content).with_context(|| path.display().to_string())?;
        }
        Ok(Self {
            folder,
            paths: wishes.paths,
            has_network: wishes.network,
            has_page: wishes.page,
            clock: Arc::default(),
            gate: Arc::default(),
            running: None,
        })
    }

    pub(crate) fn data_dir(&self) -> String {
        self.folder.path().display().to_string()
    }

    /// Starts an app and gives the address for browsers.
    pub(crate) async fn start(&mut self) -> anyhow::Result<String> {
        let events = Arc::new(EventHub::new());
        let host = Arc::new(TestHost {
            data_dir: self.folder.path().to_owned(),
            clock: Arc::clone(&self.clock),
            events: Arc::clone(&events),
            paths: self.paths,
        });
        let source = if self.has_network {
            let evaluator = GatedEvaluator::new(InfluenceEvaluator, Arc::clone(&self.gate));
            EngineSource::Given { evaluator: Arc::new(evaluator), network: NETWORK.into() }
        } else {
            EngineSource::Network
        };
        let app = tokio::task::spawn_blocking(move || {
            let app = App::with_engine(host, source);
            app.keep_open_games();
            app
        })
        .await?;
        let web_dir = if self.has_page { find_web_dir(&[]) } else { None };
        let options = ServeOptions { http: Some("0".into()), web_dir, ..ServeOptions::default() };
        let server = Server::bind(Arc::clone(&app) as Arc<dyn Backend>, events, options).await?;
        let url = server.url().context("the web app has no address")?;
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(server.run_until(async { stopped.await.unwrap_or(()) }));
        self.running = Some(Running { app, stop, serving });
        Ok(url)
    }

    /// Ends the app as the program ends it.
    pub(crate) async fn stop(&mut self) {
        let Some(Running { app, stop, serving }) = self.running.take() else { return };
        // Whoever waits at the gate hears that nobody waits for the answer.
        self.gate.allow(None);
        let _ = stop.send(());
        let _ = serving.await;
        let _ = tokio::task::spawn_blocking(move || app.shut_down()).await;
    }
}
