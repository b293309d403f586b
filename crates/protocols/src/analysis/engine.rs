//! What an analysis session starts with, and the special actions.

use std::sync::Arc;

use honinbo_evaluator::Evaluator;
use honinbo_rules::BoardSize;
use honinbo_search::{SearchLimits, switch_of};
use serde_json::{Map, Value, json};

use super::answer;
use super::fields::{FieldError, Fields, shortened};
use super::outbox::Outbox;
use super::query::{Query, focus};
use super::queue::{Queue, Task};
use super::settings::{Settings, SettingsError};
use crate::gtp::DEFAULT_PROFILE;
use crate::katago::explained;
use crate::model::ModelInfo;
use crate::parameters::{UNUSED_PROFILE, need_human, seed_from, settings_in};

/// How an analysis engine works.
pub struct AnalysisOptions {
    /// The version of this program.
    pub version: String,
    /// The network.
    pub model: ModelInfo,
    /// A second network, of human style, that is asked beside the search's own.
    pub human: Option<(ModelInfo, Arc<dyn Evaluator>)>,
    /// Positions searched at the same time.
    pub positions: usize,
    /// Search threads of all positions together.
    pub threads: usize,
    /// Leaves that one thread has evaluated together; `None` leaves it to the evaluator.
    pub leaves_per_thread: Option<usize>,
    /// Nodes that the tree of one position may hold, whatever visits are asked for; 4 KB each on 19x19.
    pub max_nodes: usize,
    /// Whether the end of the input ends the searches that are under way, too.
    pub quit_without_waiting: bool,
    /// Bytes of answers that a client may leave unread; beyond that nothing more is read from it.
    pub unread_bytes: usize,
    /// Fixes everything random: with one thread a query is always answered the same.
    pub seed: u64,
    /// Forgets remembered evaluations.
    pub clear_cache: Box<dyn Fn() + Send + Sync>,
}

impl AnalysisOptions {
    /// Two positions at a time, one thread each, no second network, nothing remembered.
    #[must_use]
    pub fn new(model: ModelInfo) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            model,
            human: None,
            positions: 2,
            threads: 2,
            leaves_per_thread: None,
            max_nodes: SearchLimits::MAX_NODES,
            quit_without_waiting: false,
            unread_bytes: 64 << 20,
            seed: 0,
            clear_cache: Box::new(|| {}),
        }
    }
}

/// An analysis engine over an evaluator. [`super::serve`] connects it to a client.
pub struct AnalysisEngine {
    pub(crate) evaluator: Arc<dyn Evaluator>,
    pub(crate) options: AnalysisOptions,
    pub(crate) defaults: Settings,
}

impl AnalysisEngine {
    /// An engine with the settings of KataGo's example configuration.
    #[must_use]
    pub fn new(evaluator: Arc<dyn Evaluator>, options: AnalysisOptions) -> Self {
        let mut defaults = Settings::default();
        if options.model.uses_profile {
            defaults.params.profile = DEFAULT_PROFILE.parse().ok();
        }
        Self { evaluator, options, defaults }
    }

    /// Takes other settings, by KataGo's names, for all queries that do not say otherwise: lines `name = value`. Gives
    /// a sentence on each that is not used here, which configuration files of KataGo are full of.
    ///
    /// # Errors
    /// When a line is no setting, or a value cannot be; nothing is taken then.
    pub fn configure(&mut self, text: &str) -> Result<Vec<String>, SettingsError> {
        let mut settings = self.defaults.clone();
        let (mut positions, mut seed, mut unused) = (self.options.positions, self.options.seed, Vec::new());
        for (name, value) in settings_in(text)? {
            if name == "numAnalysisThreads" {
                let wrong = || SettingsError::Value { name: name.into(), value: shortened(value) };
                positions = value.parse().ok().filter(|count| (1..=1024).contains(count)).ok_or_else(wrong)?;
            } else if name == "searchRandSeed" {
                seed = seed_from(value);
            } else if name == "forDeterministicTesting" {
                if switch_of(value) == Some(true) {
                    seed = seed_from(name);
                }
            } else if !settings.set(name, value)? {
                unused.push(explained(name));
            }
        }
        if self.lacks_human(&settings) {
            // As KataGo: a profile is a default that queries may have no use for, the others ask for the network.
            if settings.params.profile.take().is_some() {
                unused.push(UNUSED_PROFILE.into());
            }
            if self.lacks_human(&settings) {
                return Err(SettingsError::NoHumanNetwork);
            }
        }
        settings.check()?;
        (self.defaults, self.options.positions, self.options.seed) = (settings, positions, seed);
        Ok(unused)
    }

    fn lacks_human(&self, settings: &Settings) -> bool {
        self.options.human.is_none() && need_human(&settings.params, self.options.model.uses_profile)
    }

    /// Shares the threads of [`AnalysisOptions::threads`] among the positions, however many for each position the
    /// settings named so far.
    pub fn share_threads(&mut self) {
        self.defaults.threads = None;
    }

    /// Takes in one line of input.
    pub(crate) fn take(&self, line: &[u8], longest: usize, queue: &Queue, outbox: &Outbox) {
        let refuse = |message: String| outbox.send(&answer::error(None, &FieldError::new("", message)));
        if line.len() > longest {
            return refuse(format!("line is longer than {longest} bytes"));
        }
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let object = match serde_json::from_str(text) {
            Ok(Value::Object(object)) => object,
            Ok(_) => return refuse(format!("a query must be an object: {}", shortened(text))),
            Err(error) => return refuse(format!("could not parse input line as json: {error}: {}", shortened(text))),
        };
        let Some(id) = object.get("id").and_then(Value::as_str).map(str::to_owned) else {
            return refuse("a query must have a string \"id\"".into());
        };
        let outcome = match object.get("action").and_then(Value::as_str).map(str::to_owned) {
            Some(action) => self.act(&action, object, queue, outbox),
            None => self.ask(&id, &object, text.len(), queue, outbox),
        };
        if let Err(problem) = outcome {
            outbox.send(&answer::error(Some(&id), &problem));
        }
    }

    fn ask(
        &self,
        id: &str,
        object: &Map<String, Value>,
        bytes: usize,
        queue: &Queue,
        outbox: &Outbox,
    ) -> Result<(), FieldError> {
        let mut warnings = Vec::new();
        let query = Query::read(id, object, &self.defaults, &mut warnings)?;
        if self.lacks_human(&query.settings) {
            let message = format!("could not set settings: {}", SettingsError::NoHumanNetwork);
            return Err(FieldError::new("overrideSettings", message));
        }
        for problem in &warnings {
            outbox.send(&answer::warning(id, problem));
        }
        queue.add(&Arc::new(query), bytes).map_err(|message| FieldError::new("analyzeTurns", message))
    }

    /// The special actions echo the query and add to it.
    fn act(
        &self,
        action: &str,
        mut object: Map<String, Value>,
        queue: &Queue,
        outbox: &Outbox,
    ) -> Result<(), FieldError> {
        match action {
            "query_version" => {
                object.insert("version".into(), json!(crate::katago::VERSION));
                object.insert("git_hash".into(), json!("<omitted>"));
                object.insert("engine".into(), json!(format!("Honinbo {}", self.options.version)));
            }
            "query_models" => {
                let own = (&self.options.model, &self.evaluator);
                let models = std::iter::once(own).chain(self.options.human.iter().map(|(model, human)| (model, human)));
                let models: Vec<Value> = models.map(|(model, evaluator)| model.described(evaluator.as_ref())).collect();
                object.insert("models".into(), Value::Array(models));
            }
            "clear_cache" => (self.options.clear_cache)(),
            "terminate" | "terminate_all" => {
                let fields = Fields(&object);
                let turns = fields.integers("turnNumbers")?;
                let wanted = match fields.get("terminateId") {
                    _ if action == "terminate_all" => None,
                    Some(Value::String(id)) => Some(id.as_str()),
                    _ => return Err(FieldError::new("terminateId", "expected the id of a query")),
                };
                let is_meant = |task: &Task| {
                    wanted.is_none_or(|id| task.query.id == id)
                        && turns.as_ref().is_none_or(|turns| turns.contains(&(task.turn as i64)))
                };
                for task in queue.terminate(is_meant) {
                    outbox.send(&answer::no_results(&task.query, task.turn));
                }
            }
            "set_focus" => {
                let fields = Fields(&object);
                let Some(target) = fields.get("targetId").and_then(Value::as_str) else {
                    return Err(FieldError::new("targetId", "expected the id of a query"));
                };
                let turns = fields.integers("turnNumbers")?;
                let is_meant = |task: &Task| {
                    task.query.id == target && turns.as_ref().is_none_or(|turns| turns.contains(&(task.turn as i64)))
                };
                // What is wrong whatever the board is said even where nothing waits under that name.
                let largest = BoardSize::square(BoardSize::MAX);
                focus(&fields, largest.map_err(|error| FieldError::new("focusMoves", error.to_string()))?)?;
                queue.refocus(is_meant, |task| focus(&fields, task.query.size()))?;
            }
            _ => {
                let known = "query_version, query_models, clear_cache, terminate, terminate_all or set_focus";
                return Err(FieldError::new("action", format!("expected {known}")));
            }
        }
        outbox.send(&Value::Object(object));
        Ok(())
    }
}
