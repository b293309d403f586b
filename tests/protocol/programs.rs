//! Programs that others wrote, themselves: as controllers of ours, and as engines that ours start.
//!
//! `scripts/clients programs` builds GoGui, gtp2ogs, CGOS's client and server, Sabaki's engine modules and window, Pachi,
//! Lizzie, LizzieYzy and LizzieYzy Next; GNU Go and Leela Zero are Debian's packages. What is not there is a skipped test
//! that names the program.

use crate::clients::{answer_of, clients};
use crate::support::{Honinbo, engine, famous_game, finish, repository};
use crate::window::Window;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What `scripts/clients programs` built of a program.
fn built(name: &str, file: &str) -> Option<PathBuf> {
    let folder = repository().join(".cache/clients/programs");
    if let (true, Ok(found)) = (folder.join("installed").is_file(), folder.join(file).canonicalize()) {
        return Some(found);
    }
    honinbo_testkit::fixtures::skip(&format!("{name} is not there; scripts/clients programs builds it"));
    None
}

/// An engine that the system has, by its file's name.
fn installed(name: &str, file: &str, package: &str) -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games", "/usr/local/bin"].map(PathBuf::from));
    let found = folders.map(|folder| folder.join(file)).find(|path| path.is_file());
    if found.is_none() {
        honinbo_testkit::fixtures::skip(&format!("{name} is not there; {package}"));
    }
    found.map(|path| path.display().to_string())
}

/// The command line of our GTP engine, for programs that take it apart at blanks.
fn command_line(more: &str) -> Option<String> {
    let network = engine()?;
    Some(format!("{} gtp --net {network} --threads 1 {more}", env!("CARGO_BIN_EXE_honinbo")))
}

fn java(classes: &Path, class: &str) -> Command {
    let mut command = Command::new("java");
    command.arg("-Djava.awt.headless=true").arg("-cp").arg(classes).arg(format!("net.sf.gogui.tools.{class}.Main"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn goguis_regress_passes_its_tests_of_this_engine() {
    let (Some(classes), Some(line)) = (built("GoGui", "gogui"), command_line("--visits 6")) else { return };
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("engine.tst");
    std::fs::write(
        &tests,
        "boardsize 9\nclear_board\nkomi 6.5\nplay b C3\n1 reg_genmove w\n#? [[A-J][1-9]]\n2 name\n#? [Honinbo]\n\
         3 color C3\n#? [black]\n4 list_stones b\n#? [C3]\n5 is_legal w C3\n#? [0]\n6 final_score\n#? [[BW]\\+.*]\n",
    )
    .unwrap();
    let mut command = java(&classes, "regress");
    command.arg("-output").arg(folder.path().join("out")).arg(line).arg(&tests);
    honinbo.lend_environment(&mut command);
    let ended = finish(command.spawn().unwrap());
    assert_eq!(ended.status, 0, "{ended:?}");
    let summary = std::fs::read_to_string(folder.path().join("out/summary.dat")).unwrap();
    let table: Vec<&str> = summary.lines().last().unwrap().split('\t').collect();
    // Tests, unexpected and expected failures, unexpected and expected passes, errors.
    assert_eq!(table[..6], ["6", "0", "0", "0", "6", "0"], "{summary} {ended:?}");
}

#[test]
fn goguis_twogtp_lets_this_engine_play_gnu_go_and_judge() {
    let (Some(classes), Some(line)) = (built("GoGui", "gogui"), command_line("--visits 6")) else { return };
    let Some(gnugo) = installed("GNU Go", "gnugo", "its package is gnugo") else { return };
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let mut command = java(&classes, "twogtp");
    command.args(["-auto", "-games", "2", "-size", "9", "-komi", "7.5", "-alternate", "-force", "-sgffile"]);
    command.arg(folder.path().join("match")).arg("-black").arg(&line).arg("-referee").arg(&line);
    command.arg("-white").arg(format!("{gnugo} --mode gtp --level 1 --chinese-rules"));
    honinbo.lend_environment(&mut command);
    let ended = finish(command.spawn().unwrap());
    assert_eq!(ended.status, 0, "{ended:?}");
    let table = std::fs::read_to_string(folder.path().join("match.dat")).unwrap();
    let games: Vec<Vec<&str>> =
        table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    assert_eq!(games.len(), 2, "{table}");
    for game in games {
        // Result by Black, White and the referee; moves; an error. GNU Go may hold other stones for dead.
        assert!(game[1..4].iter().all(|result| result.starts_with(['B', 'W', '0'])), "{table}");
        assert!(game[6].parse::<u32>().unwrap() > 10 && game[11] == "0", "{table}");
    }
    let record = folder.path().join("match-0.sgf");
    assert_eq!(honinbo.run(&["convert", record.to_str().unwrap()]).status, 0, "GoGui's record is read");
}

#[test]
fn gtp2ogs_plays_a_game_on_a_server_like_ogs() {
    let (Some(program), Some(clients), Some(network)) = (built("gtp2ogs", "gtp2ogs.cjs"), clients(), engine()) else {
        return;
    };
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("ogs.cfg");
    // The file of docs/programs.md, with fewer visits.
    let documented = documented_file("rules = chinese\n").replace("maxVisits = 400", "maxVisits = 12");
    std::fs::write(&config, documented).unwrap();
    let mut command = Command::new("node");
    command.arg(repository().join("tests/protocol/clients/ogs_game.cjs")).arg(program).arg(folder.path());
    command.args([env!("CARGO_BIN_EXE_honinbo"), "gtp", "--as-katago", "--net", &network, "--config"]).arg(&config);
    command.env("NODE_PATH", clients.join("node/node_modules"));
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["authenticated"], true, "{found}");
    let moves = found["moves"].as_array().unwrap();
    assert!(moves.len() >= 6, "{found}");
    assert!(found["resigned"] == true || moves.last().unwrap() == "..", "{found}");
    let chat: Vec<&str> = found["chat"].as_array().unwrap().iter().filter_map(|line| line["type"].as_str()).collect();
    assert!(chat.contains(&"malkovich"), "what the engine thinks goes to its own chat: {found}");
}

#[test]
fn cgoss_client_plays_a_game_on_a_server_like_cgos() {
    let (Some(program), Some(clients)) = (built("CGOS's client", "cgos/cgosclient.py"), clients()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("cgos.cfg");
    std::fs::write(&config, documented_file("rules = tromp-taylor\n")).unwrap();
    let Some(line) = command_line(&format!("--visits 8 --config {}", config.display())) else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("python3");
    command.arg(repository().join("tests/protocol/clients/cgos_game.py")).arg(program).arg(folder.path()).arg(line);
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert!(found["greeting"].as_str().unwrap().starts_with("e1 "), "{found}");
    assert_eq!(
        (&found["user"], &found["password"], &found["after"]),
        (&json!("honinbo"), &json!("secret"), &json!("quit"))
    );
    let moves = found["moves"].as_array().unwrap();
    assert!(moves.len() >= 6 && found["ended"] == 0, "{found}");
    assert_eq!(found["analysed"].as_u64(), Some(moves.len() as u64), "every move comes with what the engine thinks");
    // sgfmill reads the record that the client kept, and so do we.
    let record = folder.path().join("kept.sgf");
    std::fs::write(&record, found["games"][0].as_str().unwrap()).unwrap();
    let told = read_by_sgfmill(&clients, folder.path(), &[record.display().to_string()]).remove(0);
    assert_eq!((&told["size"], &told["players"][0]), (&json!(9), &json!("honinbo")), "{told}");
    assert_eq!(honinbo.run(&["convert", record.to_str().unwrap()]).status, 0);
}

#[test]
fn cgoss_clients_play_a_game_on_cgoss_own_server() {
    let Some(client) = built("CGOS's client", "cgos/cgosclient.py") else { return };
    let Some(server) = built("CGOS's server", "cgos-server") else { return };
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("cgos.cfg");
    // To its end, so that there is something to count.
    let more = "allowResignation = false\n";
    std::fs::write(&config, documented_file("rules = tromp-taylor\n") + more).unwrap();
    let Some(line) = command_line(&format!("--visits 8 --config {}", config.display())) else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("python3");
    command.arg(repository().join("tests/protocol/clients/cgos_match.py"));
    command.arg(repository().join("scripts/lib/cgos_server.py"));
    command.arg(server).arg(client).arg(folder.path()).arg(line).env("PYTHONDONTWRITEBYTECODE", "1");
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["ended"], json!([0, 0]), "{found}");
    assert_eq!(found["games"].as_array().unwrap().len(), 1, "{found}");
    let game = &found["games"][0];
    let mut players = ["black", "white"].map(|key| game[key].as_str().unwrap());
    players.sort_unstable();
    assert_eq!(players, ["honinbo-one", "honinbo-two"], "{found}");
    // What the server counted and wrote down is what both players were told, and what its record says.
    let result = game["result"].as_str().unwrap();
    assert_eq!(found["told"], json!([[result], [result]]), "{found}");
    let record = found["records"][0].as_str().unwrap();
    let kept = folder.path().join("server.sgf");
    std::fs::write(&kept, record).unwrap();
    let read = honinbo.run(&["convert", kept.to_str().unwrap()]);
    assert_eq!(read.status, 0, "{read:?}");
    // It fills the result up with blanks.
    assert!(read.stdout.replace(' ', "").contains(&format!("RE[{result}]")), "{read:?}");
    assert!(!result.ends_with(char::is_alphabetic), "counted: {found}");
    let moves = record.matches(";B[").count() + record.matches(";W[").count();
    assert!(moves >= 20, "{found}");
    assert_eq!(record.matches("CC[").count(), moves, "every move comes with what the engine thinks: {record}");
    // We count the same position by the same rules.
    let asked = format!("loadsgf {}\nkata-set-rules tromp-taylor\nfinal_score\nquit\n", kept.display());
    let network = engine().unwrap();
    let counted = honinbo.run_with_input(&["gtp", "--net", &network], asked.as_bytes());
    assert!(counted.stdout.contains(&format!("= {result}\n")), "{result}: {counted:?}");
    // So do the clients' own records, which have the moves that went through them.
    for kept in found["kept"].as_array().unwrap() {
        assert!(kept[0].as_str().unwrap().contains(&format!("RE[{result}]")), "{found}");
    }
}

#[test]
fn this_server_is_measured_beside_cgoss_own() {
    let Some(sources) = built("CGOS's server", "cgos-server") else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("python3");
    command.arg(repository().join("scripts/lib/compare_servers.py")).arg(env!("CARGO_BIN_EXE_honinbo")).arg(sources);
    command.args(["3", "--pace", "0", "--moves", "20", "first=3"]).env("PYTHONDONTWRITEBYTECODE", "1");
    honinbo.lend_environment(&mut command);
    let output = command.output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let figures: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&Value> = figures.iter().map(|one| &one["server"]).collect();
    assert_eq!(names, ["cgos", "honinbo"], "{stdout}{stderr}");
    for one in figures {
        assert_eq!((&one["games"], &one["moves"], &one["failed"]), (&json!(3), &json!(60), &json!(0)), "{one}");
        assert!(one["milliseconds"]["p50"].as_f64() <= one["milliseconds"]["max"].as_f64(), "{one}");
        assert!(one["memoryBytes"].as_u64().unwrap() > 1 << 20, "{one}");
    }
}

/// What Lizzie wants, LizzieYzy after the first two, LizzieYzy Next after the first four.
const LIZZIES_LIBRARIES: [&str; 9] = [
    "jhlabs-filters",
    "juniversalchardet",
    "swingx-core",
    "ganymed-ssh2",
    "jna",
    "jna-platform",
    "core",
    "javase",
    "slf4j-api",
];

/// What a window of Lizzie's family shows of three positions of a record without komi, on a screen of its own.
fn lizzie_shows(classes: &Path, libraries: &[&str], driver: &str, folder: &Path, more: &[&str]) -> Option<Value> {
    let window = installed("Xvfb", "xvfb-run", "its package is xvfb")?;
    let honinbo = Honinbo::new();
    let jars = libraries.iter().map(|name| classes.join(name).with_extension("jar"));
    let drivers = repository().join("tests/protocol/clients");
    let path = std::env::join_paths([folder.to_owned(), classes.to_owned()].into_iter().chain(jars)).unwrap();
    let mut compiler = Command::new("javac");
    compiler.arg("-d").arg(folder).arg("-sourcepath").arg(&drivers).arg("-cp").arg(&path);
    let compiled = compiler.arg(drivers.join(driver).with_extension("java")).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let mut command = Command::new(window);
    command.args(["-a", "-s", "-screen 0 1440x900x24", "java", "-cp"]).arg(&path).arg(driver).arg(famous_game());
    command.args(more).args(["0", "126", "51"]).current_dir(folder);
    honinbo.lend_environment(&mut command);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let line = stdout.lines().find(|line| line.starts_with("{\"")).unwrap_or_else(|| panic!("{stdout}\n{stderr}"));
    let found: Value = serde_json::from_str(line).unwrap();
    assert_eq!(found["isKataGo"], true, "{found}");
    let shown = found["shown"].as_array().unwrap();
    assert_eq!(shown.iter().map(|one| one["move"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(126), Some(51)]);
    for one in shown {
        assert!((1.0..=99.0).contains(&one["winrate"].as_f64().unwrap()), "{one}");
        assert!(one["lead"].as_f64().unwrap().abs() < 40.0 && one["lead"] != 0.0, "{one}");
        assert!(one["playouts"].as_u64().unwrap() >= 30 && one["line"].as_u64().unwrap() >= 1, "{one}");
        assert_eq!(one["estimate"], 361, "ownership of every point: {one}");
    }
    assert!(shown[0]["candidates"].as_array().unwrap().len() >= 4, "{found}");
    let allowed = found["allowed"].as_array().unwrap();
    assert!(!allowed.is_empty() && allowed.iter().all(|point| point == "A1" || point == "A2"), "{found}");
    assert_eq!(found["played"], "white", "the 52nd move: {found}");
    Some(found)
}

#[test]
fn lizzies_window_shows_what_this_engine_thinks() {
    let Some(classes) = built("Lizzie", "lizzie") else { return };
    let Some(line) = command_line("--as-katago") else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = json!({
        "leelaz": { "engine-command": line, "analyze-update-interval-centisec": 10 },
        "ui": { "show-katago-estimate": true },
    });
    std::fs::write(folder.path().join("config.txt"), settings.to_string()).unwrap();
    let Some(found) = lizzie_shows(&classes, &LIZZIES_LIBRARIES[..2], "LizzieGame", folder.path(), &[]) else { return };
    // It takes the record's komi, which is none: before the first move Black is ahead by a few points.
    assert!(found["shown"][0]["lead"].as_f64().unwrap() > 2.0, "{found}");
}

#[test]
fn lizzieyzys_window_shows_what_this_engine_thinks() {
    let Some(classes) = built("LizzieYzy", "lizzieyzy") else { return };
    let Some(line) = command_line("--as-katago") else { return };
    let folder = tempfile::tempdir().unwrap();
    lizzie_shows(&classes, &LIZZIES_LIBRARIES[..4], "LizzieYzyGame", folder.path(), &[&line]);
}

#[test]
fn lizzieyzy_nexts_window_shows_what_this_engine_thinks() {
    let Some(classes) = built("LizzieYzy Next", "lizzieyzy-next") else { return };
    let Some(line) = command_line("--as-katago") else { return };
    let analysis = line.replace(" gtp ", " analysis ").replace(" --as-katago", "");
    let folder = tempfile::tempdir().unwrap();
    let human = folder.path().join("human.bin.gz");
    std::fs::write(&human, honinbo_testkit::fixtures::human_style()).unwrap();
    let more = [line.as_str(), &analysis, human.to_str().unwrap()];
    let Some(found) = lizzie_shows(&classes, &LIZZIES_LIBRARIES, "LizzieNextGame", folder.path(), &more) else {
        return;
    };
    assert_eq!(found["graph"], 325, "every position of the game, by JSON: {found}");
    let followed = &found["followed"];
    assert!((0.0..=50.0).contains(&followed["winrate"].as_f64().unwrap()), "the corner, for White: {found}");
    assert!(followed["lead"].as_f64().unwrap() < found["shown"][2]["lead"].as_f64().unwrap(), "{found}");
    assert!((1..40).contains(&found["counted"].as_i64().unwrap()), "Black is ahead: {found}");
    assert_eq!(found["fastest"], json!([1, 1]), "measured and recommended: {found}");
    let played = found["human"].as_str().unwrap();
    assert!(honinbo_rules::Point::from_gtp(played, honinbo_rules::BoardSize::NINETEEN).is_some(), "{found}");
}

/// A block of docs/programs.md that begins so: what people are told to write is what is tried.
fn documented_file(beginning: &str) -> String {
    let page = std::fs::read_to_string(repository().join("docs/programs.md")).unwrap();
    let start =
        page.find(&format!("```\n{beginning}")).unwrap_or_else(|| panic!("no file begins with {beginning}")) + 4;
    let end = page[start..].find("```").unwrap();
    page[start..start + end].to_owned()
}

#[test]
fn sabakis_own_modules_lead_this_engine() {
    let (Some(modules), Some(network)) = (built("Sabaki", "sabaki.cjs"), engine()) else { return };
    let honinbo = Honinbo::new();
    let mut command = Command::new("node");
    command.arg(repository().join("tests/protocol/clients/sabaki_engine.cjs")).arg(modules);
    command.args([env!("CARGO_BIN_EXE_honinbo"), "gtp", "--net", &network, "--visits", "6", "--threads", "1"]);
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["command"], "kata-analyze", "{found}");
    // Two stones of handicap on 9x9, Black to move: well over a half, in percent, and so is every candidate.
    let percent = |value: &Value| value.as_f64().unwrap();
    assert!((70.0..=100.0).contains(&percent(&found["winrate"])), "{found}");
    for variation in found["variations"].as_array().unwrap() {
        assert!((50.0..=100.0).contains(&percent(&variation["winrate"])), "{variation}");
        assert!(variation["moves"].as_u64().unwrap() >= 1 && variation["scoreLead"].is_number(), "{variation}");
    }
    assert!(found["content"].as_str().unwrap().len() >= 2, "{found}");
}

#[test]
fn sabakis_window_shows_what_this_engine_thinks() {
    let (Some(page), Some(network)) = (built("Sabaki's window", "sources/Sabaki/bundle.js"), engine()) else { return };
    if !repository().join("node_modules/playwright-core").is_dir() {
        honinbo_testkit::fixtures::skip("Playwright is not there; npm ci installs it");
        return;
    }
    if !["chromium", "chromium-browser", "google-chrome"].iter().any(|name| Path::new("/usr/bin").join(name).exists()) {
        honinbo_testkit::fixtures::skip("Chromium is not there; its package is chromium");
        return;
    }
    let honinbo = Honinbo::new();
    let mut command = Command::new("node");
    command.arg(repository().join("tests/protocol/clients/sabaki_window.mjs")).arg(page.parent().unwrap());
    command.arg(famous_game()).args(["", env!("CARGO_BIN_EXE_honinbo"), "gtp", "--net", &network, "--threads", "1"]);
    honinbo.lend_environment(&mut command);
    let found = answer_of(command);
    assert_eq!(found["failures"], json!([]), "{found}");
    // White is to move, and behind: so it says for White, and keeps it for Black.
    let winrate = found["winrate"].as_f64().unwrap();
    assert!((5.0..=60.0).contains(&winrate) && found["sign"] == -1, "{found}");
    let kept: f64 = found["kept"][0].as_str().unwrap().parse().unwrap();
    assert!((kept + winrate - 100.0).abs() < 5.0, "{found}");
    assert!(found["scoreLead"].as_f64().unwrap() < 0.0, "{found}");
    let labels = found["labels"].as_array().unwrap();
    assert!(!labels.is_empty(), "{found}");
    for label in labels {
        // As "36.2" or "30%", and the visits below.
        let (percent, visits) = label["label"].as_str().unwrap().split_once('\n').unwrap();
        let best = found["best"].as_array().unwrap().iter().find(|best| best["at"] == label["at"]).unwrap();
        let percent: f64 = percent.trim_end_matches('%').parse().unwrap();
        assert!((percent - best["winrate"].as_f64().unwrap()).abs() <= 1.0, "{label} {best}");
        assert_eq!(visits, best["visits"].to_string(), "{label} {best}");
        assert!(best["line"].as_u64().unwrap() >= 1 && best["scoreLead"].is_number(), "{best}");
    }
    assert!(found["played"]["W"][0].as_str().unwrap().len() == 2, "the 52nd move: {found}");
}

/// What sgfmill makes of records; see `clients/sgfmill_records.py`.
fn read_by_sgfmill(clients: &Path, folder: &Path, records: &[String]) -> Vec<Value> {
    let mut command = Command::new("python3");
    command.arg(repository().join("tests/protocol/clients/sgfmill_records.py")).arg(folder).args(records);
    command.env("PYTHONPATH", clients.join("python")).env("PYTHONDONTWRITEBYTECODE", "1");
    answer_of(command).as_array().unwrap().clone()
}

#[test]
fn sgfmill_reads_what_we_write_and_we_read_what_it_writes() {
    let Some(clients) = clients() else { return };
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    // One that GTP writes, and one that goes through another format and back.
    let gtp = folder.path().join("gtp.sgf");
    let lines = format!(
        "boardsize 9\nkomi 5.5\nfixed_handicap 3\nplay w E5\nplay b D3\nplay w pass\nprintsgf {}\nquit\n",
        gtp.display()
    );
    let ended = honinbo.run_with_input(&["gtp", "--level", "easy"], lines.as_bytes());
    assert!(!ended.stdout.contains('?'), "{ended:?}");
    let converted = honinbo.run(&["convert", &famous_game(), "--to", "sgf", "--out", out.to_str().unwrap()]);
    assert_eq!(converted.status, 0, "{converted:?}");
    let famous = std::fs::read_dir(&out).unwrap().next().unwrap().unwrap().path().display().to_string();
    let told = read_by_sgfmill(&clients, folder.path(), &[gtp.display().to_string(), famous, famous_game()]);
    assert_eq!(
        (&told[0]["size"], &told[0]["komi"], &told[0]["moves"]),
        (&json!(9), &json!(5.5), &json!(3)),
        "{}",
        told[0]
    );
    assert_eq!(told[0]["board"].as_str().unwrap().matches('#').count(), 4, "{}", told[0]);
    assert_eq!(told[1]["moves"], 325);
    for field in ["players", "result", "comments", "board", "komi"] {
        assert_eq!(told[1][field], told[2][field], "{field}");
    }
    // Its own writing comes back as it was meant, escapes and characters of three bytes included.
    for one in &told {
        let written = one["written"].as_str().unwrap();
        let back = honinbo.run(&["convert", written]);
        assert_eq!(back.status, 0, "{back:?}");
        assert!(back.stdout.contains("sgfmill: 漢字 \\] \\\\ :"), "{}", back.stdout);
        let again = folder.path().join("again.sgf");
        std::fs::write(&again, &back.stdout).unwrap();
        let told = read_by_sgfmill(&clients, folder.path(), &[again.display().to_string()]).remove(0);
        for field in ["size", "komi", "players", "result", "moves", "board"] {
            assert_eq!(told[field], one[field], "{field}: {}", back.stdout);
        }
    }
}

/// A network for Leela Zero, as small as its reader takes: one block of two filters with random weights.
fn leela_network(path: &Path) {
    let mut state = 1_u64;
    let mut random = |count: usize, scale: f64| {
        let mut text = String::new();
        for _ in 0..count {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let unit = (state >> 11) as f64 / (1_u64 << 53) as f64;
            let _ = write!(text, "{:.4} ", (unit - 0.5) * scale);
        }
        text.trim_end().to_owned()
    };
    let same = |count: usize, value: &str| vec![value; count].join(" ");
    let mut lines = vec!["1".to_owned()];
    let mut convolution = |lines: &mut Vec<String>, from: usize, to: usize, side: usize| {
        lines.extend([random(from * to * side * side, 0.4), same(to, "0"), same(to, "0"), same(to, "1")]);
    };
    convolution(&mut lines, 18, 2, 3);
    convolution(&mut lines, 2, 2, 3);
    convolution(&mut lines, 2, 2, 3);
    convolution(&mut lines, 2, 2, 1);
    let mut dense = random;
    lines.extend([dense(361 * 2 * 362, 0.04), same(362, "0")]);
    lines.extend([dense(2, 0.4), "0".into(), "0".into(), "1".into()]);
    lines.extend([dense(361 * 256, 0.4), same(256, "0"), dense(256, 0.4), "0".into()]);
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// Opens a window on a server whose settings name an engine for analysis, and a game on it.
fn window_with_engine(honinbo: &Honinbo, command: &str, size: u32) -> (crate::support::Service, Window, Value) {
    std::fs::create_dir_all(honinbo.data.path()).unwrap();
    let engines = format!("engines:\n  guest: {{ command: '{command}' }}\n");
    std::fs::write(honinbo.data.path().join("engines.yaml"), engines).unwrap();
    let service = honinbo.serve(&[]);
    let mut window = Window::open(&service.url);
    let mut settings = window.call("startup", json!({})).unwrap()["settings"].clone();
    settings["analysisEngine"] = json!("guest");
    window.call("set_settings", settings).unwrap();
    let new = json!({
        "width": size, "height": size, "rules": "chinese", "komi": 7.5, "handicap": 0, "black": "", "white": "",
    });
    let game = window.call("new_game", new).unwrap()["gameId"].clone();
    (service, window, game)
}

/// Asks for live analysis of so many visits, and for what `more` says besides or instead.
fn ask_for_analysis(window: &mut Window, game: &Value, visits: u32, more: Value) {
    let mut asked = json!({ "gameId": game, "running": true, "visits": visits });
    asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    window.call("set_analysis", asked).unwrap();
}

/// The analysis at rest, of a part of the moves or of all.
fn at_rest(window: &mut Window, part: bool) -> Value {
    loop {
        let update = window.event("analysis");
        if update["running"] == false && (update["focus"] != 0) == part && update["candidates"][0].is_object() {
            return update;
        }
    }
}

/// What is said of an engine once it has failed.
fn engine_failure(window: &mut Window) -> Value {
    loop {
        let status = window.event("engine");
        if status["state"]["kind"] == "failed" {
            return status;
        }
    }
}

fn candidates(update: &Value) -> Vec<(u64, u64)> {
    let list = update["candidates"].as_array().unwrap().iter();
    list.filter_map(|one| Some((one["vertex"].as_u64()?, one["visits"].as_u64()?))).collect()
}

/// All that a window asks of another engine: live analysis, a region, equal visits.
fn the_window_asks(command: &str, size: u32, name: &str, counts_points: bool) {
    let honinbo = Honinbo::new();
    let (service, mut window, game) = window_with_engine(&honinbo, command, size);
    let ask = |window: &mut Window, more: Value| ask_for_analysis(window, &game, 40, more);
    ask(&mut window, json!({}));
    let whole = at_rest(&mut window, false);
    assert!(whole["visits"].as_u64().unwrap() >= 40, "{whole}");
    // The made-up network of the one that counts no points likes all moves alike: sixty visits may all go to the first.
    assert!(candidates(&whole).len() > usize::from(counts_points), "{whole}");
    assert_eq!(whole["blackScoreLead"].is_number(), counts_points, "{whole}");
    let status = window.call("engine_status", json!({})).unwrap();
    assert!(status["network"].as_str().unwrap().starts_with(name), "{status}");
    assert_eq!(status["state"]["kind"], "ready", "{status}");

    // A region: these points alone.
    let region = [2 * size + 2, 2 * size + 3, 3 * size + 3].map(u64::from);
    ask(&mut window, json!({ "allow": region }));
    let part = at_rest(&mut window, true);
    let seen = candidates(&part);
    assert!(!seen.is_empty() && seen.iter().all(|(vertex, _)| region.contains(vertex)), "{part}");

    // Equal visits: each of these has as many, whatever the engine thinks of it.
    ask(&mut window, json!({ "equal": { "nodeId": 0, "moves": [0, region[0]], "visits": 15 } }));
    let equal = loop {
        let update = at_rest(&mut window, true);
        if update["focus"] != part["focus"] && candidates(&update).len() == 2 {
            break update;
        }
    };
    assert!(candidates(&equal).iter().all(|(_, visits)| *visits >= 15), "{equal}");
    window.call("set_analysis", json!({ "gameId": game, "running": false, "visits": 0 })).unwrap();
    assert_eq!(service.end(), 0);
}

#[test]
fn a_window_looks_through_an_engine_that_speaks_katagos_json() {
    // The real KataGo where `HONINBO_KATAGO_JSON` is the command line of `katago analysis`; otherwise this program,
    // which speaks the same.
    if let Ok(line) = std::env::var("HONINBO_KATAGO_JSON") {
        return the_window_asks(&line, 9, "KataGo", true);
    }
    let Some(network) = engine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let binary = env!("CARGO_BIN_EXE_honinbo");
    let line = format!("\"{binary}\" analysis --data {} --net \"{network}\"", folder.path().display());
    the_window_asks(&line, 9, "Honinbo", true);
}

#[test]
fn a_window_looks_through_an_engine_that_speaks_katagos_gtp() {
    let Some(network) = engine() else { return };
    let folder = tempfile::tempdir().unwrap();
    let binary = env!("CARGO_BIN_EXE_honinbo");
    let line = format!("\"{binary}\" gtp --as-katago --data {} --net \"{network}\"", folder.path().display());
    the_window_asks(&line, 9, "KataGo 1.18.2", true);
}

#[test]
fn a_window_looks_through_leela_zero() {
    let Some(leelaz) = installed("Leela Zero", "leelaz", "its package is leela-zero") else { return };
    let folder = tempfile::tempdir().unwrap();
    let network = folder.path().join("tiny.txt");
    leela_network(&network);
    // Its boards are 19x19.
    let line = format!("{leelaz} --gtp --noponder --cpu-only -t 1 -v 200 -w {}", network.display());
    the_window_asks(&line, 19, "Leela Zero", false);
}

/// Pachi plays and analyses, and takes every `lz-analyze` for one of the whole board, which is said.
#[test]
fn a_window_looks_through_pachi_and_is_told_that_it_knows_no_regions() {
    let Some(pachi) = built("Pachi", "sources/pachi/pachi") else { return };
    let line = format!("{} -D threads=1", pachi.display());
    let honinbo = Honinbo::new();
    let (service, mut window, game) = window_with_engine(&honinbo, &line, 9);
    let ask = |window: &mut Window, more: Value| ask_for_analysis(window, &game, 400, more);
    ask(&mut window, json!({}));
    let whole = at_rest(&mut window, false);
    assert!(whole["visits"].as_u64().unwrap() >= 400 && !candidates(&whole).is_empty(), "{whole}");
    assert!(whole["blackScoreLead"].is_null(), "{whole}");
    let status = window.call("engine_status", json!({})).unwrap();
    assert!(status["network"].as_str().unwrap().starts_with("Pachi 12"), "{status}");
    // Points that it would not play by itself.
    for part in [json!({ "allow": [0, 1, 9] }), json!({ "equal": { "nodeId": 0, "moves": [0, 1], "visits": 15 } })] {
        ask(&mut window, part);
        let failed = engine_failure(&mut window);
        let message = failed["state"]["message"].as_str().unwrap();
        assert!(message.contains("does not keep to the moves"), "{failed}");
    }
    // It is still there for the whole board.
    ask(&mut window, json!({ "visits": 8000 }));
    while at_rest(&mut window, false)["visits"].as_u64().unwrap() < 8000 {}
    // As an opponent, by rules that it knows and with handicap stones.
    let opponent = format!("{} -D -t =500 threads=1", pachi.display());
    let args = ["match", &opponent, "level:easy", "--games", "2", "--size", "9", "--rules", "japanese", "--json"];
    let ended = honinbo.run(&args);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(service.end(), 0);
}

/// An engine without analysis is an opponent; as an analyst it is refused in a sentence that says what is missing.
#[test]
fn gnu_go_plays_and_is_said_not_to_analyse() {
    let Some(gnugo) = installed("GNU Go", "gnugo", "its package is gnugo") else { return };
    let honinbo = Honinbo::new();
    let (service, mut window, game) = window_with_engine(&honinbo, &format!("{gnugo} --mode gtp"), 9);
    window.call("set_analysis", json!({ "gameId": game, "running": true, "visits": 40 })).unwrap();
    let failed = engine_failure(&mut window);
    let message = failed["state"]["message"].as_str().unwrap();
    assert!(message.contains("lz-analyze"), "{failed}");
    let line = format!("{gnugo} --mode gtp --level 1 --chinese-rules");
    let args = ["match", &line, "level:easy", "--games", "1", "--size", "9", "--rules", "chinese", "--json"];
    let ended = honinbo.run(&args);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(service.end(), 0);
}
