//! Configuration files of KataGo's, and the settings of the command line behind them.

use crate::failure::Failure;
use honinbo_protocols::parameters::setting_in;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The largest configuration file that is read.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// How deep configuration files may include each other.
const MAX_INCLUDES: usize = 16;

/// Rules that KataGo takes one by one or all together, as `rules`.
const SINGLE_RULES: [&str; 7] =
    ["koRule", "scoringRule", "taxRule", "multiStoneSuicideLegal", "hasButton", "friendlyPassOk", "whiteHandicapBonus"];

/// Settings by KataGo's names, as lines; what comes later wins.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// Those of the configuration files, one after the other.
    files: String,
    /// Those of the command line, and last those that the program's own options stand for.
    overrides: String,
    /// What the files say twice.
    notes: Vec<String>,
}

impl Config {
    /// Reads the files, and takes the settings of the command line and the program's own options, as far as they were
    /// given.
    pub(crate) fn read(
        files: &[PathBuf],
        overrides: &[String],
        own: &[(&str, Option<String>)],
    ) -> Result<Self, Failure> {
        let mut config = Self::default();
        for path in files {
            config.read_file(path, 0)?;
        }
        for setting in overrides {
            add(setting, "--override-config", &mut config.overrides)?;
        }
        for (name, value) in own {
            if let Some(value) = value {
                config.overrides.push_str(&format!("{name} = {value}\n"));
            }
        }
        Ok(config)
    }

    /// All settings.
    pub(crate) fn text(&self) -> String {
        format!("{}{}", self.files, self.overrides)
    }

    /// What is set twice in one file, which KataGo refuses.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Single rules that stand beside `rules`, which KataGo refuses; those of the command line may change a file's.
    pub(crate) fn rule_notes(&self) -> Vec<String> {
        let contradicted = [&self.files, &self.overrides].into_iter().filter_map(|layer| {
            let names: Vec<&str> = layer.lines().filter_map(|line| Some(setting_in(line).ok()??.0)).collect();
            names.contains(&"rules").then(|| names.into_iter().filter(|name| SINGLE_RULES.contains(name)).collect())
        });
        let names: BTreeSet<&str> = contradicted.flat_map(|names: Vec<&str>| names).collect();
        names.iter().map(|name| format!("{name} is set beside rules, which sets it too: the later one holds")).collect()
    }

    /// Adds a configuration file, with those that it includes: KataGo's lines `@include FILE`, whose names begin in the
    /// folder of the file that has them.
    fn read_file(&mut self, path: &Path, depth: usize) -> Result<(), Failure> {
        let failed = |why: &dyn std::fmt::Display| {
            Failure::new(format!("{} cannot be read: {why}", path.display()), "name a configuration file of KataGo's")
        };
        if depth > MAX_INCLUDES {
            return Err(failed(&"files include each other too deeply"));
        }
        let size = std::fs::metadata(path).map_err(|error| failed(&error))?.len();
        if size > MAX_CONFIG_BYTES || self.files.len() as u64 + size > MAX_CONFIG_BYTES {
            return Err(failed(&"larger than 1 MiB"));
        }
        let content = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
        // Editors of Windows begin a file with the mark of its encoding.
        let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
        // An included file may set again what this one sets.
        let mut names = BTreeSet::new();
        for (number, line) in (1..).zip(content.lines()) {
            if let Some(included) = line.trim().strip_prefix("@include ") {
                let included = included.split('#').next().unwrap_or_default().trim();
                self.read_file(&path.parent().unwrap_or(Path::new("")).join(included), depth + 1)?;
                continue;
            }
            let place = format!("{}, line {number}", path.display());
            if let Some(name) = add(line, &place, &mut self.files)?
                && !names.insert(name)
            {
                self.notes.push(format!("{place}: {name} is set for a second time: this one holds"));
            }
        }
        Ok(())
    }
}

/// Adds a line to `text`, and gives the name that it sets; one that sets nothing is a slip of the pen, which KataGo
/// refuses, too.
fn add<'a>(line: &'a str, place: &str, text: &mut String) -> Result<Option<&'a str>, Failure> {
    let setting = setting_in(line).map_err(|error| Failure::new(format!("{place}: {error}"), ""))?;
    text.push_str(line);
    text.push('\n');
    Ok(setting.map(|(name, _)| name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_s_own_options_come_last_as_far_as_they_are_given() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("analysis.cfg");
        std::fs::write(&file, "maxVisits = 2\nnumAnalysisThreads = 4").unwrap();
        let own = [("numAnalysisThreads", Some("3".to_owned())), ("maxTime", None)];
        let config = Config::read(&[file], &["maxVisits=5".to_owned()], &own).unwrap();
        assert_eq!(config.text(), "maxVisits = 2\nnumAnalysisThreads = 4\nmaxVisits=5\nnumAnalysisThreads = 3\n");
    }

    #[test]
    fn the_mark_of_an_encoding_belongs_to_no_setting() {
        let folder = tempfile::tempdir().unwrap();
        let (file, included) = (folder.path().join("gtp.cfg"), folder.path().join("more.cfg"));
        std::fs::write(&file, "\u{feff}maxVisits = 2\r\n@include more.cfg\r\n").unwrap();
        std::fs::write(&included, "\u{feff}maxTime = 5\n").unwrap();
        assert_eq!(Config::read(std::slice::from_ref(&file), &[], &[]).unwrap().text(), "maxVisits = 2\nmaxTime = 5\n");
        std::fs::write(&file, "\u{feff}@include more.cfg\n").unwrap();
        assert_eq!(Config::read(&[file], &[], &[]).unwrap().text(), "maxTime = 5\n");
    }

    #[test]
    fn what_contradicts_itself_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
            folder.path().join(name)
        };
        let notes = |files: &[PathBuf], overrides: &[&str]| {
            let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
            let config = Config::read(files, &overrides, &[]).unwrap();
            (config.notes().to_vec(), config.rule_notes())
        };
        let none = (Vec::new(), Vec::new());
        let twice = file("twice.cfg", "maxVisits = 5\n# maxVisits = 6\nmaxTime = 5\nmaxVisits = 7\n");
        let (said, rules) = notes(std::slice::from_ref(&twice), &[]);
        assert!(said.len() == 1 && said[0].contains("twice.cfg, line 4: maxVisits is set"), "{said:?}");
        assert_eq!(rules, [""; 0]);
        // Whole files, and the command line, are there to change what was set before.
        let (one, other) = (file("one.cfg", "maxVisits = 5\n"), file("other.cfg", "@include one.cfg\nmaxVisits = 7\n"));
        assert_eq!(notes(&[one, other], &["maxVisits=8"]), none);

        let all = file("all.cfg", "rules = japanese\n");
        let single = file("single.cfg", "koRule = SIMPLE\nmultiStoneSuicideLegal = false\n");
        let (_, rules) = notes(&[all.clone(), single.clone()], &[]);
        assert!(rules.len() == 2 && rules[0].starts_with("koRule is set beside rules"), "{rules:?}");
        assert_eq!(notes(&[], &["rules=chinese", "hasButton=false"]).1.len(), 1);
        assert_eq!(notes(&[all], &["koRule=SIMPLE"]), none);
        assert_eq!(notes(&[single], &["rules=chinese"]), none);
    }

    #[test]
    fn a_line_that_sets_nothing_is_named_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("wrong.cfg");
        std::fs::write(&file, "maxVisits = 2\n# more\nmaxTime 5\n").unwrap();
        let refused = |configs: &[PathBuf], overrides: &[&str]| {
            let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
            Config::read(configs, &overrides, &[]).unwrap_err().line()
        };
        let of_file = refused(&[file], &[]);
        assert!(of_file.contains("wrong.cfg, line 3: `maxTime 5` is no setting"), "{of_file}");
        for wrong in ["maxVisits", "=5"] {
            let said = refused(&[], &["maxTime=1", wrong]);
            assert!(said.starts_with(&format!("error: --override-config: `{wrong}` is no setting")), "{said}");
        }
    }
}
