//! `engines.yaml`: what the levels are, and the engines that a person added.
//!
//! The first programs of this name kept their levels in `ai_config.yaml`; that file is read as it stands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use super::{HeuristicWeights, LEVELS, Limited, RankLimits};
use crate::{CommandLine, EngineLimits};

/// The largest file that is read.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// What the entries of engines stand below.
const HEADING: &str = "engines:";
/// Seconds after which a move of `medium` is played for an engine, where its entry does not say it.
const ENGINE_TIMEOUT_S: f64 = 60.0;

/// How an opponent plays.
#[derive(Debug, Clone, PartialEq)]
pub enum LevelSpec {
    /// Any legal move.
    Random,
    /// Scored points.
    Heuristic {
        /// What it likes.
        weights: HeuristicWeights,
        /// How often one of the best three replaces the best, 0 to 1.
        randomness: f64,
    },
    /// The network at hand, and a search.
    Network {
        /// Seconds of a move.
        seconds: Option<f64>,
        /// Visits of a move.
        visits: Option<u64>,
        /// After this a move of `medium` is played.
        timeout: Duration,
    },
    /// A player of limited strength: a rank, a style.
    Limited {
        /// Who.
        limited: Limited,
        /// After this a move of `medium` is played.
        timeout: Duration,
    },
    /// KataGo's analysis engine, or another program that speaks its JSON.
    Analysis {
        /// How it is started.
        line: CommandLine,
        /// Visits of a move; `None` leaves them to its configuration.
        visits: Option<u64>,
        /// After this a move of `medium` is played.
        timeout: Duration,
        /// What else it may take.
        limits: EngineLimits,
    },
    /// Another program that speaks GTP.
    Gtp {
        /// How it is started.
        line: CommandLine,
        /// What it is told after its start.
        commands: Vec<String>,
        /// After this a move of `medium` is played.
        timeout: Duration,
        /// What else it may take.
        limits: EngineLimits,
    },
}

impl LevelSpec {
    /// What a level, or a rank with or without a style (see [`Limited::parse`]), is when nobody says otherwise; `None` for a name that is no level.
    #[must_use]
    pub fn usual(level: &str) -> Option<LevelSpec> {
        let network = |seconds, timeout| LevelSpec::Network {
            seconds: Some(seconds),
            visits: None,
            timeout: Duration::from_secs(timeout),
        };
        Some(match level {
            "easy" => LevelSpec::Random,
            "medium" => LevelSpec::Heuristic { weights: HeuristicWeights::MEDIUM, randomness: 0.2 },
            "hard" => network(1.0, 10),
            "expert" => network(5.0, 30),
            "custom" => LevelSpec::Heuristic {
                weights: HeuristicWeights { center: 0.5, connectivity: 0.5, territory: 1.0, influence: 1.0 },
                randomness: 0.2,
            },
            other => LevelSpec::Limited { limited: Limited::parse(other)?, timeout: Duration::from_secs(30) },
        })
    }
}

/// What `engines.yaml` says; whatever it leaves out is as usual.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EnginesFile {
    levels: BTreeMap<String, LevelSpec>,
    engines: BTreeMap<String, LevelSpec>,
}

/// Why `engines.yaml` cannot be used. The levels are as usual then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnginesFileError {
    /// It cannot be read.
    #[error("{file} cannot be read: {reason}")]
    Unreadable {
        /// Its path.
        file: String,
        /// What the system said.
        reason: String,
    },
    /// Something in it is wrong.
    #[error("{file}, line {line}, column {column}: {problem}")]
    Wrong {
        /// Its path.
        file: String,
        /// From 1; 0 where it belongs to no line.
        line: u64,
        /// From 1; 0 where it belongs to no column.
        column: u64,
        /// What.
        problem: String,
    },
    /// An engine or a level has that name.
    #[error("there is an opponent named `{name}` already")]
    Taken {
        /// The name.
        name: String,
    },
    /// No engine of that name is there.
    #[error("there is no engine named `{name}`")]
    Missing {
        /// The name.
        name: String,
    },
    /// The entry of an engine cannot be told from the lines around it.
    #[error("`{name}` is written so that only a person can change it")]
    Entangled {
        /// The engine's name.
        name: String,
    },
}

impl EnginesFileError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            EnginesFileError::Unreadable { .. } => "check its permissions, or remove it",
            EnginesFileError::Wrong { .. } => "mend that line, or remove it: levels that are left out are as usual",
            EnginesFileError::Taken { .. } => "choose another name",
            EnginesFileError::Missing { .. } => "look at the engines that are there now",
            EnginesFileError::Entangled { .. } => "change the file itself",
        }
    }
}

/// The file as it is written. Numbers keep their places, for what is wrong with them.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Written {
    difficulty: BTreeMap<String, Spanned<WrittenLevel>>,
    engines: BTreeMap<String, Spanned<WrittenEngine>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLevel {
    r#type: Spanned<Kind>,
    weights: Option<Spanned<WrittenWeights>>,
    randomness: Option<Spanned<f64>>,
    seconds: Option<Spanned<f64>>,
    visits: Option<Spanned<u64>>,
    timeout: Option<Spanned<f64>>,
    start_timeout: Option<Spanned<f64>>,
    rank: Option<Spanned<String>>,
    temperature: Option<Spanned<f64>>,
    whim: Option<Spanned<f64>>,
    blindness: Option<Spanned<f64>>,
    command: Option<Spanned<String>>,
    engine_path: Option<Spanned<String>>,
    config_path: Option<Spanned<String>>,
    model_path: Option<Spanned<String>>,
    threads: Option<Spanned<u64>>,
    /// For whoever reads the file.
    #[serde(rename = "description")]
    _description: Option<IgnoredAny>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Random,
    Heuristic,
    Builtin,
    Rank,
    Katago,
    Gtp,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenWeights {
    center: f64,
    connectivity: f64,
    territory: f64,
    influence: f64,
}

impl Default for WrittenWeights {
    fn default() -> Self {
        let HeuristicWeights { center, connectivity, territory, influence } = HeuristicWeights::MEDIUM;
        WrittenWeights { center, connectivity, territory, influence }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEngine {
    command: Spanned<String>,
    timeout: Option<Spanned<f64>>,
    start_timeout: Option<Spanned<f64>>,
}

/// A problem and where it is.
type Wrong = (u64, u64, String);

impl EnginesFile {
    /// Its name in the data folder.
    pub const NAME: &str = "engines.yaml";
    /// The name that the first programs gave it.
    pub const OLD_NAME: &str = "ai_config.yaml";

    /// The file of a data folder: `engines.yaml`, or `ai_config.yaml` where only that is there.
    #[must_use]
    pub fn path_in(folder: &Path) -> PathBuf {
        let (path, old) = (folder.join(Self::NAME), folder.join(Self::OLD_NAME));
        if !path.exists() && old.exists() { old } else { path }
    }

    /// Reads the file; one that is not there is an empty one.
    ///
    /// # Errors
    /// When it is there and cannot be read, or says what cannot be meant.
    pub fn read(path: &Path) -> Result<EnginesFile, EnginesFileError> {
        let file = path.display().to_string();
        let unreadable = |reason: String| EnginesFileError::Unreadable { file: file.clone(), reason };
        match std::fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(EnginesFile::default()),
            Err(error) => return Err(unreadable(error.to_string())),
            Ok(metadata) if metadata.len() > MAX_FILE_BYTES => {
                return Err(unreadable("it is larger than 1 MiB".into()));
            }
            Ok(_) => {}
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        EnginesFile::parse(&text, &file)
    }

    /// Reads its text; `file` names it in errors.
    ///
    /// # Errors
    /// When it says what cannot be meant.
    pub fn parse(text: &str, file: &str) -> Result<EnginesFile, EnginesFileError> {
        let wrong =
            |(line, column, problem): Wrong| EnginesFileError::Wrong { file: file.to_owned(), line, column, problem };
        if text.trim().is_empty() {
            return Ok(EnginesFile::default());
        }
        let written: Written = serde_saphyr::from_str(text).map_err(|error| {
            let (line, column) = error.location().map_or((0, 0), |at| (at.line(), at.column()));
            let problem = match error.without_snippet() {
                serde_saphyr::Error::DuplicateMappingKey { key: Some(key), .. } => {
                    format!("`{key}` stands here a second time")
                }
                inner => inner.to_string().lines().next().unwrap_or("it is no YAML").to_owned(),
            };
            wrong((line, column, problem))
        })?;
        let mut found = EnginesFile::default();
        for (name, level) in written.difficulty {
            if !LEVELS.contains(&name.as_str()) {
                let names = LEVELS.join(", ");
                return Err(wrong(at(&level, format!("there is no level `{name}`; the levels are {names}"))));
            }
            let spec = level_spec(&level.value).map_err(wrong)?;
            found.levels.insert(name, spec);
        }
        for (name, engine) in written.engines {
            if name.trim().is_empty() || LevelSpec::usual(&name).is_some() {
                return Err(wrong(at(&engine, format!("`{name}` cannot be the name of an engine"))));
            }
            let line = command_line(&engine.value.command).map_err(wrong)?;
            let timeout = timeout(engine.value.timeout.as_ref(), ENGINE_TIMEOUT_S).map_err(wrong)?;
            let limits = limits(engine.value.start_timeout.as_ref()).map_err(wrong)?;
            // `katago analysis …` speaks JSON.
            let spec = if line.speaks_json() {
                LevelSpec::Analysis { line, visits: None, timeout, limits }
            } else {
                LevelSpec::Gtp { line, commands: Vec::new(), timeout, limits }
            };
            found.engines.insert(name, spec);
        }
        Ok(found)
    }

    /// The text with an engine more; every other line stays as it is.
    ///
    /// # Errors
    /// When the name is taken, and where the text is written so that a line cannot simply be put in.
    pub fn with_engine(text: &str, name: &str, command: &str) -> Result<String, EnginesFileError> {
        if EnginesFile::parse(text, Self::NAME)?.opponent(name).is_some() {
            return Err(EnginesFileError::Taken { name: name.to_owned() });
        }
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let heading = heading(text).unwrap_or_else(|| {
            lines.push(HEADING.to_owned());
            lines.len() - 1
        });
        let indent = match lines[heading + 1..].iter().find(|line| is_content(line)).map_or(0, |line| indent(line)) {
            0 => 2,
            indent => indent,
        };
        lines.insert(heading + 1, format!("{:indent$}{}", "", entry(name, command, "")));
        let text = lines.join("\n") + "\n";
        let read = EnginesFile::parse(&text, Self::NAME)?;
        if read.engines.contains_key(name) {
            return Ok(text);
        }
        let (line, problem) = (heading as u64 + 2, "the name or the command cannot be written there".to_owned());
        Err(EnginesFileError::Wrong { file: Self::NAME.into(), line, column: 1, problem })
    }

    /// The text with another name and command line of an engine; its timeouts and every other line stay as they are.
    ///
    /// # Errors
    /// When there is no such engine, the new name is taken, or only a person can change its entry.
    pub fn with_engine_changed(text: &str, name: &str, to: &str, command: &str) -> Result<String, EnginesFileError> {
        let read = EnginesFile::parse(text, Self::NAME)?;
        if to != name && read.opponent(to).is_some() {
            return Err(EnginesFileError::Taken { name: to.to_owned() });
        }
        let mut timeouts = String::new();
        if let Some(LevelSpec::Gtp { timeout, limits, .. } | LevelSpec::Analysis { timeout, limits, .. }) =
            read.engines.get(name)
        {
            let usual = [Duration::from_secs_f64(ENGINE_TIMEOUT_S), EngineLimits::default().start];
            for ((field, now), usual) in [("timeout", *timeout), ("start_timeout", limits.start)].into_iter().zip(usual)
            {
                if now != usual {
                    timeouts.push_str(&format!(", {field}: {}", now.as_secs_f64()));
                }
            }
        }
        let entry = entry(to, command, &timeouts);
        replaced(text, name, Some((to, &entry)))
    }

    /// The text without an engine; every other line stays as it is.
    ///
    /// # Errors
    /// When there is no such engine, or only a person can change its entry.
    pub fn without_engine(text: &str, name: &str) -> Result<String, EnginesFileError> {
        replaced(text, name, None)
    }

    /// What a level is; `None` for a name that is no level.
    #[must_use]
    pub fn level(&self, name: &str) -> Option<LevelSpec> {
        self.levels.get(name).cloned().or_else(|| LevelSpec::usual(name))
    }

    /// The engines that were added, by name.
    pub fn engines(&self) -> impl Iterator<Item = (&str, &LevelSpec)> {
        self.engines.iter().map(|(name, spec)| (name.as_str(), spec))
    }

    /// A level or an engine by its name.
    #[must_use]
    pub fn opponent(&self, name: &str) -> Option<LevelSpec> {
        self.level(name).or_else(|| self.engines.get(name).cloned())
    }
}

/// The entry of an engine on one line, its other fields behind the command.
fn entry(name: &str, command: &str, more: &str) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    format!("{}: {{ command: {}{more} }}", quoted(name), quoted(command))
}

fn heading(text: &str) -> Option<usize> {
    text.lines().position(|line| line.trim_end() == HEADING)
}

fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The text with another entry, under its own name, in place of an engine's, or without that.
///
/// YAML has many ways to write an entry: each group of lines that may be it is tried, and counts where the text without
/// it reads as before but for this engine.
fn replaced(text: &str, name: &str, by: Option<(&str, &str)>) -> Result<String, EnginesFileError> {
    let mut rest = EnginesFile::parse(text, EnginesFile::NAME)?;
    if rest.engines.remove(name).is_none() {
        return Err(EnginesFileError::Missing { name: name.to_owned() });
    }
    let entangled = || EnginesFileError::Entangled { name: name.to_owned() };
    let lines: Vec<&str> = text.lines().collect();
    let heading = heading(text).ok_or_else(entangled)?;
    for from in (heading + 1..lines.len()).filter(|&at| is_content(lines[at])) {
        let indent = indent(lines[from]);
        let more = lines[from + 1..].iter().take_while(|line| !is_content(line) || self::indent(line) > indent);
        let more: Vec<&&str> = more.collect();
        // Comments at the end belong to what follows.
        let length = 1 + more.iter().rposition(|line| is_content(line)).map_or(0, |last| last + 1);
        let entry = by.map(|(_, entry)| format!("{:indent$}{entry}", ""));
        let mut changed = lines[..from].to_vec();
        changed.extend(entry.as_deref());
        changed.extend(&lines[from + length..]);
        if by.is_none() && rest.engines.is_empty() {
            changed.remove(heading);
        }
        let changed = changed.join("\n") + "\n";
        let Ok(mut read) = EnginesFile::parse(&changed, EnginesFile::NAME) else { continue };
        let is_there = by.is_none_or(|(to, _)| read.engines.remove(to).is_some());
        if is_there && read == rest {
            return Ok(changed);
        }
    }
    Err(entangled())
}

fn at<T>(value: &Spanned<T>, problem: String) -> Wrong {
    (value.referenced.line(), value.referenced.column(), problem)
}

fn level_spec(level: &WrittenLevel) -> Result<LevelSpec, Wrong> {
    let kind = level.r#type.value;
    let only = |field: &str, given: Option<Wrong>, kinds: &[Kind]| match given {
        Some((line, column, _)) if !kinds.contains(&kind) => {
            Err((line, column, format!("`{field}` means nothing for this type of level")))
        }
        _ => Ok(()),
    };
    let place = |given: Option<(u64, u64)>| given.map(|(line, column)| (line, column, String::new()));
    macro_rules! only {
        ($field:ident, $kinds:expr) => {
            only(
                stringify!($field),
                place(level.$field.as_ref().map(|value| (value.referenced.line(), value.referenced.column()))),
                &$kinds,
            )?
        };
    }
    only!(weights, [Kind::Heuristic]);
    only!(randomness, [Kind::Heuristic]);
    only!(seconds, [Kind::Builtin]);
    only!(visits, [Kind::Builtin, Kind::Rank, Kind::Katago]);
    only!(timeout, [Kind::Builtin, Kind::Rank, Kind::Katago, Kind::Gtp]);
    only!(start_timeout, [Kind::Katago, Kind::Gtp]);
    only!(rank, [Kind::Rank]);
    only!(temperature, [Kind::Rank]);
    only!(whim, [Kind::Rank]);
    only!(blindness, [Kind::Rank]);
    only!(command, [Kind::Gtp]);
    only!(engine_path, [Kind::Katago]);
    only!(config_path, [Kind::Katago]);
    only!(model_path, [Kind::Katago]);
    only!(threads, [Kind::Katago]);

    let visits = match &level.visits {
        Some(visits) if !(1..=10_000_000).contains(&visits.value) => {
            return Err(at(visits, format!("visits is {}, expected 1 to 10000000", visits.value)));
        }
        visits => visits.as_ref().map(|visits| visits.value),
    };
    Ok(match kind {
        Kind::Random => LevelSpec::Random,
        Kind::Heuristic => {
            let weights = match &level.weights {
                None => HeuristicWeights::MEDIUM,
                Some(written) => {
                    let WrittenWeights { center, connectivity, territory, influence } = written.value;
                    if ![center, connectivity, territory, influence].iter().all(|weight| weight.abs() <= 100.0) {
                        return Err(at(written, "a weight is not between -100 and 100".into()));
                    }
                    HeuristicWeights { center, connectivity, territory, influence }
                }
            };
            let randomness = number(level.randomness.as_ref(), "randomness", 0.2, 0.0, 1.0)?;
            LevelSpec::Heuristic { weights, randomness }
        }
        Kind::Builtin => {
            let seconds = match &level.seconds {
                None => None,
                given => Some(number(given.as_ref(), "seconds", 1.0, 0.01, 3600.0)?),
            };
            LevelSpec::Network { seconds, visits, timeout: timeout(level.timeout.as_ref(), 10.0)? }
        }
        Kind::Rank => {
            let Some(rank) = &level.rank else {
                return Err(at(&level.r#type, "a level of type rank needs a `rank`, such as 5k or 5k+local".into()));
            };
            // `5k` alone means somebody of today.
            let limited = Limited::parse(&format!("rank_{}", rank.value)).or_else(|| Limited::parse(&rank.value));
            let Some(limited) = limited else {
                let problem = format!("there is no rank `{}`; ranks are 20k to 9d, with a style after a +", rank.value);
                return Err(at(rank, problem));
            };
            let usual = limited.rank.limits();
            let limits = RankLimits {
                visits: visits.unwrap_or(usual.visits),
                temperature: number(level.temperature.as_ref(), "temperature", usual.temperature, 0.0, 10.0)?,
                whim: number(level.whim.as_ref(), "whim", usual.whim, 0.0, 1.0)?,
                blindness: number(level.blindness.as_ref(), "blindness", usual.blindness, 0.0, 1.0)?,
            };
            LevelSpec::Limited {
                limited: Limited { limits: (limits != usual).then_some(limits), ..limited },
                timeout: timeout(level.timeout.as_ref(), 30.0)?,
            }
        }
        Kind::Gtp => {
            let Some(command) = &level.command else {
                return Err(at(&level.r#type, "a level of type gtp needs a `command`".into()));
            };
            LevelSpec::Gtp {
                line: command_line(command)?,
                commands: Vec::new(),
                timeout: timeout(level.timeout.as_ref(), ENGINE_TIMEOUT_S)?,
                limits: limits(level.start_timeout.as_ref())?,
            }
        }
        Kind::Katago => {
            let Some(engine) = &level.engine_path else {
                return Err(at(&level.r#type, "a level of type katago needs an `engine_path`".into()));
            };
            if engine.value.trim().is_empty() {
                return Err(at(engine, "`engine_path` is empty".into()));
            }
            let mut arguments = vec!["analysis".to_owned()];
            for (option, path) in [("-config", &level.config_path), ("-model", &level.model_path)] {
                if let Some(path) = path {
                    arguments.extend([option.to_owned(), path.value.clone()]);
                }
            }
            if let Some(threads) = &level.threads {
                if !(1..=1024).contains(&threads.value) {
                    return Err(at(threads, format!("threads is {}, expected 1 to 1024", threads.value)));
                }
                // KataGo's own setting: one position is asked about at a time.
                let setting = format!("numSearchThreadsPerAnalysisThread={}", threads.value);
                arguments.extend(["-override-config".to_owned(), setting]);
            }
            LevelSpec::Analysis {
                line: CommandLine::new(engine.value.clone(), arguments),
                visits,
                timeout: timeout(level.timeout.as_ref(), 30.0)?,
                limits: limits(level.start_timeout.as_ref())?,
            }
        }
    })
}

fn command_line(command: &Spanned<String>) -> Result<CommandLine, Wrong> {
    CommandLine::parse(&command.value).map_err(|error| at(command, error.to_string()))
}

fn timeout(written: Option<&Spanned<f64>>, usual: f64) -> Result<Duration, Wrong> {
    number(written, "timeout", usual, 0.1, 3600.0).map(Duration::from_secs_f64)
}

fn limits(start: Option<&Spanned<f64>>) -> Result<EngineLimits, Wrong> {
    let usual = EngineLimits::default();
    let start = number(start, "start_timeout", usual.start.as_secs_f64(), 0.1, 3600.0)?;
    Ok(EngineLimits { start: Duration::from_secs_f64(start), ..usual })
}

fn number(written: Option<&Spanned<f64>>, name: &str, usual: f64, least: f64, most: f64) -> Result<f64, Wrong> {
    match written {
        None => Ok(usual),
        Some(number) if (least..=most).contains(&number.value) => Ok(number.value),
        Some(number) => Err(at(number, format!("{name} is {}, expected {least} to {most}", number.value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<EnginesFile, EnginesFileError> {
        EnginesFile::parse(text, "engines.yaml")
    }

    fn failure(text: &str) -> (u64, u64, String) {
        match parse(text) {
            Err(EnginesFileError::Wrong { line, column, problem, .. }) => (line, column, problem),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn the_documented_file_is_read() {
        let file = parse(
            "difficulty:\n  easy:   { type: random }\n  \
             medium: { type: heuristic, weights: { center: 1.0, connectivity: 1.0 }, randomness: 0.2 }\n  \
             hard:   { type: builtin, seconds: 1, timeout: 10 }\n  \
             expert: { type: katago, engine_path: /usr/local/bin/katago, config_path: analysis.cfg, visits: 1000, timeout: 30 }\n\
             engines:\n  gnugo: { command: gnugo --mode gtp --level 10 }\n",
        )
        .unwrap();
        for level in ["easy", "medium", "hard"] {
            assert_eq!(file.level(level), LevelSpec::usual(level), "{level}");
        }
        let Some(LevelSpec::Analysis { line, visits, timeout, limits }) = file.level("expert") else {
            panic!("no engine")
        };
        assert_eq!(limits, EngineLimits::default());
        assert_eq!(line.program(), "/usr/local/bin/katago");
        assert_eq!(line.arguments(), ["analysis", "-config", "analysis.cfg"]);
        assert_eq!((visits, timeout), (Some(1000), Duration::from_secs(30)));
        assert_eq!(file.engines().map(|(name, _)| name).collect::<Vec<_>>(), ["gnugo"]);
        assert_eq!(file.level("custom"), LevelSpec::usual("custom"), "what is left out is as usual");
        assert_eq!(parse("").unwrap(), EnginesFile::default());
        assert_eq!(parse("# nothing yet\n").unwrap(), EnginesFile::default());
    }

    #[test]
    fn the_file_of_the_first_programs_is_read_as_it_stands() {
        let file = parse(
            "# Levels of the computer player\n\
             difficulty:\n\
             \x20 easy:\n    description: \"plays anywhere\"\n    type: random\n\
             \x20 medium:\n    description: 中级，靠近中央\n    type: heuristic\n    weights:\n      center: 1.0\n      connectivity: 1.0\n    randomness: 0.2\n\
             \x20 hard:\n    description: strong\n    type: katago\n    engine_path: /usr/local/bin/katago\n    config_path: analysis.cfg\n    model_path: model.bin.gz\n    visits: 500\n    threads: 4\n    timeout: 10\n\
             \x20 custom:\n    description:\n    type: heuristic\n    weights: { center: 0.5, connectivity: 0.5, territory: 1.0, influence: 1.0 }\n",
        )
        .unwrap();
        for level in ["easy", "medium", "custom", "expert"] {
            assert_eq!(file.level(level), LevelSpec::usual(level), "{level}");
        }
        let Some(LevelSpec::Analysis { line, visits, timeout, .. }) = file.level("hard") else { panic!("no engine") };
        assert_eq!(
            line.arguments(),
            [
                "analysis",
                "-config",
                "analysis.cfg",
                "-model",
                "model.bin.gz",
                "-override-config",
                "numSearchThreadsPerAnalysisThread=4"
            ]
        );
        assert_eq!((visits, timeout), (Some(500), Duration::from_secs(10)));
    }

    #[test]
    fn the_old_name_is_taken_where_the_new_one_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let name = || EnginesFile::path_in(folder.path()).file_name().unwrap().to_owned();
        assert_eq!(name(), "engines.yaml");
        std::fs::write(folder.path().join("ai_config.yaml"), "difficulty: {}\n").unwrap();
        assert_eq!(name(), "ai_config.yaml");
        std::fs::write(folder.path().join("engines.yaml"), "").unwrap();
        assert_eq!(name(), "engines.yaml");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, line, words) in [
            ("difficulty:\n  easy: { type: random }\n  hard: { type: builtin, seconds: soon }\n", 3, "float"),
            ("difficulty:\n  hard: { type: builtin, seconds: -1 }\n", 2, "seconds is -1"),
            ("difficulty:\n  hard:\n    type: builtin\n    timeout: 1e9\n", 4, "timeout is 1000000000"),
            ("difficulty:\n  hard: { type: magic }\n", 2, "magic"),
            ("difficulty:\n  impossible: { type: random }\n", 2, "no level `impossible`"),
            ("difficulty:\n  easy: { type: random, visits: 5 }\n", 2, "`visits` means nothing"),
            ("difficulty:\n  easy: { type: random, colour: red }\n", 2, "colour"),
            ("difficulty:\n  easy: { type: random, threads: 2 }\n", 2, "`threads` means nothing"),
            ("difficulty:\n  easy: { type: builtin, start_timeout: 2 }\n", 2, "`start_timeout` means nothing"),
            ("engines:\n  a: { command: x, start_timeout: 0 }\n", 2, "start_timeout is 0"),
            ("difficulty:\n  hard: { type: katago, engine_path: k, threads: 0 }\n", 2, "threads is 0"),
            ("difficulty:\n  medium: { type: heuristic, weights: { centre: 1 } }\n", 2, "centre"),
            ("difficulty:\n  medium: { type: heuristic, randomness: .nan }\n", 2, "randomness"),
            ("difficulty:\n  medium: { type: heuristic, weights: { center: .inf } }\n", 2, "weight"),
            ("difficulty:\n  expert: { type: katago, visits: 5 }\n", 2, "engine_path"),
            ("engines:\n  mine: { command: \"a 'b\" }\n", 2, "never closed"),
            ("engines:\n  easy: { command: gnugo }\n", 2, "cannot be the name"),
            ("engines:\n  a: { command: x }\n  a: { command: y }\n", 3, "`a` stands here a second time"),
            ("engines:\n  a: { command: x }\nengines:\n", 3, "`engines` stands here a second time"),
            ("difficulty:\n  custom: { type: rank }\n", 2, "needs a `rank`"),
            ("difficulty:\n  custom: { type: rank, rank: 40k }\n", 2, "no rank `40k`"),
            ("difficulty:\n  custom: { type: rank, rank: 5k, whim: 2 }\n", 2, "whim is 2"),
            ("difficulty:\n  custom: { type: rank, rank: 5k, temperature: -1 }\n", 2, "temperature is -1"),
            ("difficulty:\n  easy: { type: random, blindness: 0 }\n", 2, "`blindness` means nothing"),
            ("engines:\n  rank_5k: { command: gnugo }\n", 2, "cannot be the name"),
            ("difficulty: [1, 2]\n", 1, ""),
            ("difficulty:\n  easy: { type: random\n", 2, ""),
            ("levels: {}\n", 1, "levels"),
        ] {
            let (found, column, problem) = failure(text);
            assert!(problem.contains(words), "{text}: {problem}");
            assert!(
                found >= line && found <= line + 1 && column > 0,
                "{text}: line {found}, column {column}: {problem}"
            );
            assert!(!problem.contains('\n'), "{problem:?}");
        }
    }

    #[test]
    fn an_engine_is_added_and_every_other_line_stays() {
        let text =
            "# mine\ndifficulty:\n    easy: { type: random } # weak\nengines:\n    # others\n    a: { command: x }\n";
        let more = EnginesFile::with_engine(text, "GNU \"Go\"", "'C:\\go dir\\gnugo' --mode gtp").unwrap();
        let kept: Vec<&str> = more.lines().filter(|line| !line.contains("GNU")).collect();
        assert_eq!(kept, text.lines().collect::<Vec<_>>());
        let read = parse(&more).unwrap();
        let Some(LevelSpec::Gtp { line, .. }) = read.opponent("GNU \"Go\"") else { panic!("{more}") };
        assert_eq!(line.program(), "C:\\go dir\\gnugo");
        let taken = EnginesFile::with_engine(&more, "a", "y").unwrap_err();
        assert_eq!(taken.to_string(), "there is an opponent named `a` already");
        assert!(EnginesFile::with_engine("engines: { a: { command: x } }\n", "b", "y").is_err());
        assert!(EnginesFile::with_engine(text, "easy", "y").is_err());
        assert_eq!(parse(&EnginesFile::with_engine("", "b", "y").unwrap()).unwrap().engines().count(), 1);
    }

    /// Two engines as the program writes them and as people do, with what else may stand there.
    const SEVERAL: &str = "# mine\nengines:\n  # strong\n  a: { command: x }\n\n  # slow\n  \"b c\":\n    command: >-\n      y\n      z\n    # patience\n    timeout: 5\n    start_timeout: 0.5\n  # the last\ndifficulty:\n  easy: { type: random } # weak\n";

    #[test]
    fn an_engine_is_changed_and_every_other_line_stays() {
        let changed = EnginesFile::with_engine_changed(SEVERAL, "a", "d", "x --more").unwrap();
        assert_eq!(changed, SEVERAL.replace("a: { command: x }", "\"d\": { command: \"x --more\" }"));
        let changed = EnginesFile::with_engine_changed(SEVERAL, "b c", "b c", "w").unwrap();
        let entry = "\n    command: >-\n      y\n      z\n    # patience\n    timeout: 5\n    start_timeout: 0.5\n";
        assert_eq!(changed, SEVERAL.replace(entry, " { command: \"w\", timeout: 5, start_timeout: 0.5 }\n"));
        let said = |name, to| EnginesFile::with_engine_changed(SEVERAL, name, to, "w").unwrap_err().to_string();
        assert_eq!(said("a", "b c"), "there is an opponent named `b c` already");
        assert_eq!(said("a", "easy"), "there is an opponent named `easy` already");
        assert_eq!(said("e", "f"), "there is no engine named `e`");
    }

    #[test]
    fn an_engine_is_removed_and_every_other_line_stays() {
        let without = EnginesFile::without_engine(SEVERAL, "a").unwrap();
        assert_eq!(without, SEVERAL.replace("  a: { command: x }\n", ""));
        let none = EnginesFile::without_engine(&without, "b c").unwrap();
        assert_eq!(parse(&none).unwrap().engines().count(), 0, "{none}");
        assert!(none.contains("# the last") && none.contains("easy: { type: random } # weak"), "{none}");
        let again = EnginesFile::with_engine(&none, "a", "x").unwrap();
        assert_eq!(parse(&again).unwrap().engines().map(|(name, _)| name).collect::<Vec<_>>(), ["a"]);
        // Two engines of one line are a person's.
        let tangled = EnginesFile::without_engine("engines: { a: { command: x }, b: { command: y } }\n", "a");
        assert_eq!(tangled, Err(EnginesFileError::Entangled { name: "a".into() }));
    }

    #[test]
    fn a_file_that_unfolds_without_end_is_refused() {
        let mut text = String::from("a: &a [x, x, x, x, x, x, x, x, x, x]\n");
        for (name, before) in ('b'..='k').zip('a'..) {
            let list = vec![format!("*{before}"); 10].join(", ");
            text.push_str(&format!("{name}: &{name} [{list}]\n"));
        }
        assert!(parse(&text).is_err());
    }
}
