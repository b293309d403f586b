//! What the documents say of the terminal and of the JSON lines, against the program.

use crate::pages::{all_commands, options};
use crate::support::{Honinbo, engine, repository};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Options that are told once for all commands.
const OF_ALL: [&str; 4] = ["--data", "--help", "--version", "--json"];
/// Commands that help does not list.
const UNLISTED: [&str; 2] = ["help", "pages"];
/// The row of the table that is about several commands.
const OF_SEVERAL: &str = "| `run`, `gtp`, `analysis`, `serve`";

fn page(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The pages of a folder, without those of its folders.
fn pages_in(folder: &str) -> Vec<String> {
    let files = std::fs::read_dir(repository().join(folder)).unwrap().flatten();
    let names = files.map(|file| format!("{folder}/{}", file.file_name().display()));
    names.filter(|name| name.ends_with(".md")).collect()
}

/// The long options in a text.
fn flags(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words.filter(|word| word.len() > 2 && word.starts_with("--") && !word.ends_with('-')).map(str::to_owned).collect()
}

/// The rows about each command of the table of `docs/protocol.md`, by the command's first word.
fn rows() -> BTreeMap<String, String> {
    let page = page("docs/protocol.md");
    let section = page.split("\n## The command line\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    let mut of = String::new();
    for row in section.lines().filter(|line| line.starts_with("| `honinbo ") || line.starts_with("| …")) {
        if let Some(named) = row.strip_prefix("| `honinbo ") {
            of = named.split([' ', '`']).next().unwrap().to_owned();
        }
        let told = rows.entry(of.clone()).or_default();
        told.push_str(row);
        told.push('\n');
    }
    let common = section.lines().find(|line| line.starts_with(OF_SEVERAL)).unwrap();
    for command in ["run", "gtp", "analysis", "serve"] {
        rows.get_mut(command).unwrap().push_str(common);
    }
    rows
}

#[test]
fn every_command_and_every_option_has_its_words() {
    let rows = rows();
    let pages: BTreeMap<&str, String> =
        [("match", "docs/opponents.md"), ("serve", "docs/operating.md"), ("train", "docs/training.md")]
            .map(|(command, name)| (command, page(name)))
            .into();
    let mut missing = Vec::new();
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, help) in all_commands(&Honinbo::new()) {
        let Some(first) = path.first() else { continue };
        let told = rows.get(first).map_or("", String::as_str);
        let words = told.split(|letter: char| !letter.is_alphanumeric() && letter != '-').collect::<BTreeSet<_>>();
        missing.extend(path.iter().filter(|word| !words.contains(word.as_str())).map(|_| path.join(" ")));
        let more = pages.get(first.as_str()).map_or(BTreeSet::new(), |page| flags(page));
        let told = flags(told);
        let own = options(&help);
        let untold = own.iter().filter(|option| !OF_ALL.contains(&option.as_str()));
        let untold = untold.filter(|option| !told.contains(*option) && !more.contains(*option));
        missing.extend(untold.map(|option| format!("{} {option}", path.join(" "))));
        known.entry(first.clone()).or_default().extend(own);
    }
    assert_eq!(missing, Vec::<String>::new());
    for (command, told) in rows {
        let unknown: Vec<String> = flags(&told).difference(&known[&command]).cloned().collect();
        assert_eq!(unknown, Vec::<String>::new(), "honinbo {command} has no such option");
    }
}

/// What a page shows as code, with commands that go on in the next line as one.
fn code(page: &str) -> Vec<String> {
    let mut spans = Vec::new();
    for (place, part) in page.replace("\\\n", " ").split("\n```").enumerate() {
        let lines = part.lines();
        if place % 2 == 1 {
            spans.extend(lines.skip(1).map(|line| line.split(" # ").next().unwrap().to_owned()));
        } else {
            spans.extend(lines.flat_map(|line| line.split('`').skip(1).step_by(2)).map(str::to_owned));
        }
    }
    spans
}

/// The command lines of this program in a span of code; one may be in quotation marks within another.
fn command_lines(span: &str) -> Vec<String> {
    let begins = |at: usize| at == 0 || span[..at].ends_with([' ', '"']);
    let places = span.match_indices("honinbo ").map(|(at, _)| at).filter(|&at| begins(at));
    places
        .map(|at| {
            let is_quoted = span[..at].matches('"').count() % 2 == 1;
            let parts: Vec<&str> = span[at..].split('"').collect();
            if is_quoted { parts[0].to_owned() } else { parts.into_iter().step_by(2).collect() }
        })
        .collect()
}

#[test]
fn every_command_line_of_the_documents_is_understood() {
    let known: BTreeMap<Vec<String>, BTreeSet<String>> =
        all_commands(&Honinbo::new()).into_iter().map(|(path, help)| (path, options(&help))).collect();
    let mut names = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "SECURITY.md".to_owned()];
    names.extend(pages_in("docs"));
    let languages = std::fs::read_dir(repository().join("docs/manual")).unwrap().flatten();
    names.extend(languages.flat_map(|tag| pages_in(&format!("docs/manual/{}", tag.file_name().display()))));
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for name in names {
        for line in code(&page(&name)).iter().flat_map(|span| command_lines(span)) {
            let mut path: Vec<String> = Vec::new();
            for word in line.split([' ', '|', '\\']).skip(1).filter(|word| !word.is_empty()) {
                let longer = [path.clone(), vec![word.to_owned()]].concat();
                if !known.contains_key(&longer) {
                    break;
                }
                path = longer;
            }
            let next = line.split_whitespace().nth(1).unwrap_or_default();
            if path.is_empty() && !next.starts_with('-') && !UNLISTED.contains(&next) {
                wrong.push(format!("{name}: there is no command {next}: {line}"));
            }
            // A line may name several commands at once: `honinbo net list|fetch`.
            let several = if line.contains('|') { path.len().saturating_sub(1) } else { path.len() };
            let below = known.iter().filter(|(other, _)| other.starts_with(&path[..several]));
            let options: BTreeSet<&String> = below.flat_map(|(_, options)| options).collect();
            let unknown = flags(&line).into_iter().filter(|flag| !options.contains(flag));
            wrong.extend(unknown.map(|flag| format!("{name}: {flag}: {line}")));
            seen += 1;
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(seen > 150, "{seen}");
}

/// The JSON of the page's examples, with its marks of who speaks: what was left out with `…` is absent.
fn examples(page: &str) -> Vec<(bool, Value)> {
    let fenced = page.split("\n```").skip(1).step_by(2).flat_map(str::lines);
    let lines = fenced.filter_map(|line| {
        let asked = line.strip_prefix("> ");
        asked.or(line.strip_prefix("< ")).or(line.starts_with('{').then_some(line)).map(|json| (asked.is_some(), json))
    });
    lines
        .map(|(is_asked, json)| {
            let whole = json.replace(",…", "").replace('…', "");
            (is_asked, serde_json::from_str(&whole).unwrap_or_else(|error| panic!("{error}: {json}")))
        })
        .collect()
}

#[test]
fn the_examples_of_the_protocol_are_json_and_their_requests_are_answered() {
    let page = page("docs/protocol.md");
    assert!(examples(&page).len() > 12, "{:?}", examples(&page));
    let section = page.split("\n## JSON lines over TCP\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut requests: Vec<String> =
        examples(section).into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, json)| json.to_string()).collect();
    // Those in running text.
    let spans = code(section).into_iter().filter(|span| span.starts_with("{\"operator\"") && !span.contains("\"ok\""));
    requests.extend(spans.map(|span| span.replace('…', "")));
    assert!(requests.len() >= 4, "{requests:?}");
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let service = honinbo.serve(&[]);
    let mut client = service.client();
    for request in requests {
        client.send(&request);
        let answer = loop {
            let line: Value = serde_json::from_str(&client.receive()).unwrap();
            if line.get("ok").is_some() {
                break line;
            }
        };
        assert_eq!(answer["ok"], true, "{request}: {answer}");
    }
}
