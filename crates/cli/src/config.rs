//! Configuration files of KataGo's, and the settings of the command line behind them.

use crate::failure::Failure;
use honinbo_protocols::parameters::setting_in;
use std::path::{Path, PathBuf};

/// The largest configuration file that is read.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// How deep configuration files may include each other.
const MAX_INCLUDES: usize = 16;

/// The text of the configuration files, one after the other, behind it the settings of the command line, and last those
/// that the program's own options stand for, as far as they were given: what comes later wins.
pub(crate) fn settings_text(
    configs: &[PathBuf],
    overrides: &[String],
    own: &[(&str, Option<String>)],
) -> Result<String, Failure> {
    let mut text = String::new();
    for path in configs {
        read_config(path, 0, &mut text)?;
    }
    for setting in overrides {
        add(setting, "--override-config", &mut text)?;
    }
    for (name, value) in own {
        if let Some(value) = value {
            text.push_str(&format!("{name} = {value}\n"));
        }
    }
    Ok(text)
}

/// Adds a line to `text`; one that sets nothing is a slip of the pen, which KataGo refuses, too.
fn add(line: &str, place: &str, text: &mut String) -> Result<(), Failure> {
    setting_in(line).map_err(|error| Failure::new(format!("{place}: {error}"), ""))?;
    text.push_str(line);
    text.push('\n');
    Ok(())
}

/// Adds a configuration file to `text`, with those that it includes: KataGo's lines `@include FILE`, whose names begin
/// in the folder of the file that has them.
fn read_config(path: &Path, depth: usize, text: &mut String) -> Result<(), Failure> {
    let failed = |why: &dyn std::fmt::Display| {
        Failure::new(format!("{} cannot be read: {why}", path.display()), "name a configuration file of KataGo's")
    };
    if depth > MAX_INCLUDES {
        return Err(failed(&"files include each other too deeply"));
    }
    let size = std::fs::metadata(path).map_err(|error| failed(&error))?.len();
    if size > MAX_CONFIG_BYTES || text.len() as u64 + size > MAX_CONFIG_BYTES {
        return Err(failed(&"larger than 1 MiB"));
    }
    let content = std::fs::read_to_string(path).map_err(|error| failed(&error))?;
    // Editors of Windows begin a file with the mark of its encoding.
    let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
    for (number, line) in (1..).zip(content.lines()) {
        match line.trim().strip_prefix("@include ") {
            Some(included) => {
                let included = included.split('#').next().unwrap_or_default().trim();
                read_config(&path.parent().unwrap_or(Path::new("")).join(included), depth + 1, text)?;
            }
            None => add(line, &format!("{}, line {number}", path.display()), text)?,
        }
    }
    Ok(())
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
        let text = settings_text(&[file], &["maxVisits=5".to_owned()], &own).unwrap();
        assert_eq!(text, "maxVisits = 2\nnumAnalysisThreads = 4\nmaxVisits=5\nnumAnalysisThreads = 3\n");
    }

    #[test]
    fn the_mark_of_an_encoding_belongs_to_no_setting() {
        let folder = tempfile::tempdir().unwrap();
        let (file, included) = (folder.path().join("gtp.cfg"), folder.path().join("more.cfg"));
        std::fs::write(&file, "\u{feff}maxVisits = 2\r\n@include more.cfg\r\n").unwrap();
        std::fs::write(&included, "\u{feff}maxTime = 5\n").unwrap();
        assert_eq!(settings_text(std::slice::from_ref(&file), &[], &[]).unwrap(), "maxVisits = 2\nmaxTime = 5\n");
        std::fs::write(&file, "\u{feff}@include more.cfg\n").unwrap();
        assert_eq!(settings_text(&[file], &[], &[]).unwrap(), "maxTime = 5\n");
    }

    #[test]
    fn a_line_that_sets_nothing_is_named_with_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("wrong.cfg");
        std::fs::write(&file, "maxVisits = 2\n# more\nmaxTime 5\n").unwrap();
        let refused = |configs: &[PathBuf], overrides: &[&str]| {
            let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
            settings_text(configs, &overrides, &[]).unwrap_err().line()
        };
        let of_file = refused(&[file], &[]);
        assert!(of_file.contains("wrong.cfg, line 3: `maxTime 5` is no setting"), "{of_file}");
        for wrong in ["maxVisits", "=5"] {
            let said = refused(&[], &["maxTime=1", wrong]);
            assert!(said.starts_with(&format!("error: --override-config: `{wrong}` is no setting")), "{said}");
        }
    }
}
