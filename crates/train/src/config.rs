//! What a run is: boards, games, network, fitting, gate. One file, `run.toml`.

use honinbo_rules::{BoardSize, Ruleset, Scoring, Topology};
use honinbo_training::{FolderError, USUAL_GAMES, USUAL_GAMES_PER_FILE};
use serde::{Deserialize, Serialize};

use crate::error::TrainError;
use crate::shape::NetworkShape;
use std::collections::{BTreeMap, BTreeSet};

/// Everything about a run that somebody chooses.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// The number that all chance follows from.
    pub seed: u64,
    /// Boards that are played on.
    pub boards: Vec<BoardConfig>,
    /// The network, where none is given to begin with.
    pub network: NetworkShape,
    /// The games.
    pub selfplay: SelfPlayConfig,
    /// Which rows are learnt from.
    pub shuffle: ShuffleConfig,
    /// How they are learnt from.
    pub fit: FitConfig,
    /// Whether a new network has to be as good as the old one.
    pub gate: GateConfig,
}

/// A kind of board, and how often it is played on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoardConfig {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whether its edges are joined.
    pub torus: bool,
    /// Share of the games, beside the other boards'.
    pub weight: f64,
    /// A fixed komi, in points; without it each game has about the komi that the network takes to be fair.
    pub komi: Option<f64>,
    /// Spread of the komi around that, in points: standard deviation.
    pub komi_spread: f64,
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self { width: 7, height: 7, torus: false, weight: 1.0, komi: None, komi_spread: 2.0 }
    }
}

/// How games against itself are played. Names in brackets are KataGo's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// The rules, by a name or in KataGo's short form; they count area.
    pub rules: String,
    /// Games of one generation.
    pub games: u32,
    /// Games that are played at once; their questions to the network meet in common batches.
    pub at_once: usize,
    /// Games whose rows are written together.
    pub games_per_file: u32,
    /// Visits of a search that is learnt from (`maxVisits`).
    pub visits: u64,
    /// Visits of the other ones (`cheapSearchVisits`).
    pub cheap_visits: u64,
    /// Share of the searches that are not learnt from (`cheapSearchProb`); 0 turns the cap's randomisation off.
    pub cheap_share: f64,
    /// Visits that noise forces at the root (`rootDesiredPerChildVisitsCoeff`); 0 turns them off. What was forced and
    /// found nothing is taken out of the policy that is learnt.
    pub forced_playouts: f64,
    /// Share of the noise at the root (`rootDirichletNoiseWeight`).
    pub noise: f64,
    /// Mean number of opening moves drawn from the network's policy, for each point of the board (`policyInitAreaProp`).
    pub opening_moves: f64,
    /// Temperature of the choice of a move early in the game, and late.
    pub temperature: [f64; 2],
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        Self {
            rules: "tromp-taylor".to_owned(),
            games: USUAL_GAMES,
            at_once: 16,
            games_per_file: USUAL_GAMES_PER_FILE,
            visits: 120,
            cheap_visits: 24,
            cheap_share: 0.75,
            forced_playouts: 2.0,
            noise: 0.25,
            opening_moves: 0.04,
            temperature: [0.75, 0.15],
        }
    }
}

/// Which rows are learnt from: the newest, of a number that grows with all that were played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShuffleConfig {
    /// Rows of the window while there are no more.
    pub least_rows: usize,
    /// Most rows of the window; all of them are held in memory.
    pub most_rows: usize,
}

impl Default for ShuffleConfig {
    fn default() -> Self {
        Self { least_rows: 10_000, most_rows: 250_000 }
    }
}

/// How a network learns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FitConfig {
    /// Positions of a step.
    pub batch: usize,
    /// Times that a row is learnt from over the run, in the mean: steps follow from the rows that are new.
    pub rows_used: f64,
    /// Steps of a generation at most.
    pub most_steps: usize,
    /// Step size of Adam.
    pub learning_rate: f64,
    /// Pull of weights towards zero, each step, beside the step size.
    pub weight_decay: f64,
    /// Share of the average of weights that each step leaves: the network that is written is that average.
    pub average: f64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self { batch: 128, rows_used: 6.0, most_steps: 2000, learning_rate: 1e-3, weight_decay: 1e-2, average: 0.995 }
    }
}

/// The match that a new network plays against the one before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateConfig {
    /// Games; 0 takes every network.
    pub games: u32,
    /// Visits of a move.
    pub visits: u64,
    /// Share of the points that a network needs to be taken.
    pub needed: f64,
    /// Visits of the searches that watch progress: the empty board, and one game without chance. 0 does without.
    pub probe_visits: u64,
}

impl Default for GateConfig {
    fn default() -> Self {
        Self { games: 40, visits: 60, needed: 0.5, probe_visits: 100 }
    }
}

impl BoardConfig {
    /// # Errors
    /// When the board is too small or too large.
    pub fn size(&self) -> Result<BoardSize, TrainError> {
        BoardSize::new(self.width, self.height).map_err(|_| TrainError::Setting {
            what: "boards.width and height",
            value: format!("{}x{}", self.width, self.height),
            expected: "2 to 52 a side",
        })
    }

    /// How its edges are joined.
    #[must_use]
    pub fn topology(&self) -> Topology {
        if self.torus { Topology::Torus } else { Topology::Plane }
    }
}

impl RunConfig {
    /// A run on one square board, with sizes that suit it on a processor.
    #[must_use]
    pub fn on(side: usize, torus: bool) -> Self {
        let komi_spread = 0.4 * side as f64;
        let board = BoardConfig { width: side, height: side, torus, komi_spread, ..BoardConfig::default() };
        Self { boards: vec![board], ..Self::default() }
    }

    /// Reads a configuration.
    ///
    /// # Errors
    /// Says where the text makes no sense, or what is out of range.
    pub fn parse(path: &std::path::Path, text: &str) -> Result<Self, TrainError> {
        let config: Self = toml::from_str(text).map_err(|error| FolderError::config(path, text, &error))?;
        config.check()?;
        Ok(config)
    }

    /// The text of `run.toml`.
    ///
    /// # Panics
    /// Never: every configuration has a text.
    #[must_use]
    pub fn to_text(&self) -> String {
        toml::to_string(self).expect("a configuration is numbers, words and tables")
    }

    /// The settings that are others in another configuration, with both values.
    pub(crate) fn differences(&self, other: &Self) -> String {
        let [own, other] = [self, other].map(RunConfig::settings);
        let names: BTreeSet<&String> = own.keys().chain(other.keys()).collect();
        let value =
            |of: &BTreeMap<String, String>, name: &str| of.get(name).cloned().unwrap_or_else(|| "none".to_owned());
        let differences = names.into_iter().filter(|&name| own.get(name) != other.get(name));
        let said = differences.map(|name| format!("{name} is {}, not {}", value(&own, name), value(&other, name)));
        said.collect::<Vec<_>>().join("; ")
    }

    /// Each setting by its name in `run.toml`, such as `boards.0.width`.
    fn settings(&self) -> BTreeMap<String, String> {
        let mut settings = BTreeMap::new();
        let mut left: Vec<(String, toml::Value)> =
            toml::from_str::<toml::Table>(&self.to_text()).unwrap_or_default().into_iter().collect();
        while let Some((name, value)) = left.pop() {
            match value {
                toml::Value::Table(table) => {
                    left.extend(table.into_iter().map(|(field, value)| (format!("{name}.{field}"), value)));
                }
                toml::Value::Array(values) => {
                    left.extend(values.into_iter().enumerate().map(|(at, value)| (format!("{name}.{at}"), value)));
                }
                value => {
                    settings.insert(name, value.to_string());
                }
            }
        }
        settings
    }

    /// Points of a side of the square that holds every board.
    #[must_use]
    pub fn side(&self) -> usize {
        self.boards.iter().map(|board| board.width.max(board.height)).max().unwrap_or(2)
    }

    /// The rules.
    ///
    /// # Errors
    /// When there are no such rules, or they do not count area.
    pub fn ruleset(&self) -> Result<Ruleset, TrainError> {
        let wrong = |expected| TrainError::Setting {
            what: "selfplay.rules",
            value: self.selfplay.rules.chars().take(60).collect(),
            expected,
        };
        let rules = Ruleset::parse(&self.selfplay.rules).map_err(|_| wrong("rules such as tromp-taylor or chinese"))?;
        if rules.ruleset.scoring == Scoring::Area { Ok(rules.ruleset) } else { Err(wrong("rules that count area")) }
    }

    /// Whether everything is in range.
    ///
    /// # Errors
    /// Names the first that is not.
    pub fn check(&self) -> Result<(), TrainError> {
        fn within<T: PartialOrd + ToString>(
            what: &'static str,
            value: T,
            range: std::ops::RangeInclusive<T>,
            expected: &'static str,
        ) -> Result<(), TrainError> {
            if range.contains(&value) {
                return Ok(());
            }
            Err(TrainError::Setting { what, value: value.to_string(), expected })
        }
        within("seed", self.seed, 0..=i64::MAX.cast_unsigned(), "0 to 9223372036854775807")?;
        within("the number of boards", self.boards.len(), 1..=3, "1 to 3")?;
        for board in &self.boards {
            board.size()?;
            within("boards.weight", board.weight, 1e-6..=1e6, "a number above 0")?;
            within("boards.komi_spread", board.komi_spread, 0.0..=400.0, "0 to 400")?;
            within("boards.komi", board.komi.unwrap_or(0.0), -400.0..=400.0, "-400 to 400")?;
        }
        self.network.check()?;
        self.ruleset()?;
        let selfplay = &self.selfplay;
        within("selfplay.games", selfplay.games, 1..=1_000_000, "1 to 1000000")?;
        within("selfplay.at_once", selfplay.at_once, 1..=256, "1 to 256")?;
        within("selfplay.games_per_file", selfplay.games_per_file, 1..=10_000, "1 to 10000")?;
        within("selfplay.visits", selfplay.visits, 2..=1_000_000, "2 to 1000000")?;
        within("selfplay.cheap_visits", selfplay.cheap_visits, 2..=1_000_000, "2 to 1000000")?;
        within("selfplay.cheap_share", selfplay.cheap_share, 0.0..=0.99, "0 to 0.99")?;
        within("selfplay.forced_playouts", selfplay.forced_playouts, 0.0..=100.0, "0 to 100")?;
        within("selfplay.noise", selfplay.noise, 0.0..=1.0, "0 to 1")?;
        within("selfplay.opening_moves", selfplay.opening_moves, 0.0..=1.0, "0 to 1")?;
        for temperature in selfplay.temperature {
            within("selfplay.temperature", temperature, 0.0..=5.0, "0 to 5")?;
        }
        within("shuffle.least_rows", self.shuffle.least_rows, 1..=100_000_000, "1 to 100000000")?;
        within(
            "shuffle.most_rows",
            self.shuffle.most_rows,
            self.shuffle.least_rows..=100_000_000,
            "least_rows or more",
        )?;
        let fit = &self.fit;
        within("fit.batch", fit.batch, 1..=65_536, "1 to 65536")?;
        within("fit.rows_used", fit.rows_used, 0.01..=1000.0, "0.01 to 1000")?;
        within("fit.most_steps", fit.most_steps, 1..=10_000_000, "1 to 10000000")?;
        within("fit.learning_rate", fit.learning_rate, 1e-8..=1.0, "0.00000001 to 1")?;
        within("fit.weight_decay", fit.weight_decay, 0.0..=1.0, "0 to 1")?;
        within("fit.average", fit.average, 0.0..=0.999_999, "0 to 0.999999")?;
        within("gate.games", self.gate.games, 0..=100_000, "0 to 100000")?;
        within("gate.visits", self.gate.visits, 1..=1_000_000, "1 to 1000000")?;
        within("gate.needed", self.gate.needed, 0.0..=1.0, "0 to 1")?;
        within("gate.probe_visits", self.gate.probe_visits, 0..=1_000_000, "0 to 1000000")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_differ_are_named_with_both_values() {
        let seven = RunConfig::on(7, false);
        assert_eq!(seven.differences(&seven), "");
        let nine = RunConfig { seed: 3, ..RunConfig::on(9, false) };
        let width = "boards.0.height is 7, not 9";
        let said = seven.differences(&nine);
        assert!(said.contains(width) && said.ends_with("; seed is 0, not 3"), "{said}");
        let mut fixed = seven.clone();
        fixed.boards[0].komi = Some(6.5);
        assert_eq!(seven.differences(&fixed), "boards.0.komi is none, not 6.5");
    }
}
