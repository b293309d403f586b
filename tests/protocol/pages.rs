//! The manual pages and completions, against what `--help` says.

use crate::support::Honinbo;
use std::collections::BTreeSet;
use std::process::Command;

/// The names under `Commands:` in a help text, but for `help`, which has no page.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// The long options in a help text, as `--name`: what stands before two blanks; behind them is prose.
pub(crate) fn options(help: &str) -> BTreeSet<String> {
    let at_start = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = at_start.filter_map(|line| line.split("  ").next()).flat_map(|line| line.split([' ', ',', '[', '=']));
    words.filter(|word| word.starts_with("--")).map(str::to_owned).collect()
}

/// Every command that help names, with its help text, the program itself first.
pub(crate) fn all_commands(honinbo: &Honinbo) -> Vec<(Vec<String>, String)> {
    let mut found: Vec<(Vec<String>, String)> = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(path) = open.pop() {
        let mut args: Vec<&str> = path.iter().map(String::as_str).collect();
        args.push("--help");
        let help = honinbo.run(&args).stdout;
        open.extend(commands(&help).into_iter().map(|name| [path.clone(), vec![name]].concat()));
        found.push((path, help));
    }
    found
}

#[test]
fn every_command_has_a_page_with_all_its_options() {
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("pages");
    assert_eq!(honinbo.run(&["pages", folder.to_str().unwrap()]).status, 0);
    let known = all_commands(&honinbo);
    assert!(known.len() > 30, "{}", known.len());
    let mut expected = BTreeSet::new();
    for (path, help) in &known {
        let name = [vec!["honinbo".to_owned()], path.clone()].concat().join("-") + ".1";
        let page =
            std::fs::read_to_string(folder.join("man1").join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for option in options(help) {
            let as_written = option.replace('-', "\\-");
            assert!(page.contains(&as_written), "{name} lacks {option}");
        }
        expected.insert(name);
    }
    let written =
        std::fs::read_dir(folder.join("man1")).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(written.collect::<BTreeSet<_>>(), expected);
}

#[test]
fn the_completions_of_each_shell_know_every_option() {
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("pages");
    assert_eq!(honinbo.run(&["pages", folder.to_str().unwrap()]).status, 0);
    let known = all_commands(&honinbo);
    for shell in ["honinbo.bash", "_honinbo", "honinbo.fish"] {
        let script = std::fs::read_to_string(folder.join("completions").join(shell)).unwrap();
        for (path, help) in &known {
            for word in
                options(help).iter().map(|option| option.trim_start_matches('-')).chain(path.iter().map(String::as_str))
            {
                assert!(script.contains(word), "{shell} lacks {word} of {path:?}");
            }
        }
    }
    let script = folder.join("completions/honinbo.bash");
    let complete = |words: &str| {
        let line = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
            _honinbo honinbo \"${{COMP_WORDS[COMP_CWORD]}}\" ''; echo \"${{COMPREPLY[@]}}\"",
            script.display()
        );
        let output = Command::new("bash").args(["-c", &line]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(complete("honinbo lib"), "library");
    assert_eq!(complete("honinbo run --until"), "--until-settled");
    assert_eq!(complete("honinbo net conv"), "convert");
    assert_eq!(complete("honinbo pa"), "", "what help does not name is not offered");
}

#[test]
fn the_system_hands_over_every_kind_of_record_that_can_be_read() {
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("pages");
    assert_eq!(honinbo.run(&["pages", folder.to_str().unwrap()]).status, 0);
    let mime = std::fs::read_to_string(folder.join("mime.xml")).unwrap();
    let bundle = std::fs::read_to_string(folder.join("bundle.json")).unwrap();
    let bundle: serde_json::Value = serde_json::from_str(&bundle).unwrap();
    let associations = bundle["bundle"]["fileAssociations"].as_array().unwrap();
    let types: Vec<&str> = associations.iter().map(|one| one["mimeType"].as_str().unwrap()).collect();
    for extension in ["sgf", "mgt", "gib", "ngf", "ugf", "ugi", "sgf.gz", "gib.gz", "ngf.gz", "ugf.gz"] {
        assert!(mime.contains(&format!("<glob pattern=\"*.{extension}\"/>")), "{extension}");
        assert!(
            associations.iter().any(|one| one["ext"].as_array().unwrap().contains(&extension.into())),
            "{extension}"
        );
    }
    for mime_type in types {
        assert!(mime.contains(&format!("<mime-type type=\"{mime_type}\">")), "{mime_type}");
    }
    assert_eq!(mime.matches("<mime-type ").count(), mime.matches("</mime-type>").count());
    assert_eq!(mime.matches("<mime-type ").count(), associations.len());
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let honinbo = Honinbo::new();
    let file = honinbo.data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let ended = honinbo.run(&["pages", file.join("pages").to_str().unwrap()]);
    assert!(ended.failure().contains(file.to_str().unwrap()), "{ended:?}");
}
