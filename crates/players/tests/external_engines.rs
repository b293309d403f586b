//! Programs that misbehave in every way, as other people's engines do.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;
use honinbo_players::{
    AnalysisPlayer, CommandLine, Ending, EngineError, EngineLimits, GameTerms, GtpClient, GtpPlayer, Player,
    PlayerError, TimeControl, WithFallback, play_game,
};
use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Preset, Ruleset, Setup, Topology};
use honinbo_search::TimeSystem;

/// Long enough for a machine that is busy with other things.
const PATIENT: EngineLimits = EngineLimits { start: Duration::from_secs(60), answer: Duration::from_secs(60) };
/// For engines that never answer.
const SHORT: EngineLimits = EngineLimits { start: Duration::from_millis(300), answer: Duration::from_millis(300) };

/// A folder with engines written in `sh`.
struct Engines(tempfile::TempDir);

impl Engines {
    fn new() -> Engines {
        Engines(tempfile::tempdir().unwrap())
    }

    /// A script that begins with `before`, then answers commands: `cases` are lines of a `case` over the command's
    /// name, where `$id` is its number and `$color` and `$vertex` its arguments.
    fn speaking(&self, name: &str, before: &str, cases: &str) -> CommandLine {
        self.script(
            name,
            &format!(
                "{before}\nwhile read -r id command color vertex; do case $command in\n{cases}\n\
                 protocol_version) printf '=%s 2\\n\\n' \"$id\";;\n\
                 name) printf '=%s Fake\\n\\n' \"$id\";;\nversion) printf '=%s 1.0\\n\\n' \"$id\";;\n\
                 list_commands) printf '=%s play\\ngenmove\\nundo\\n\\n' \"$id\";;\n\
                 *) printf '=%s\\n\\n' \"$id\";;\nesac; done"
            ),
        )
    }

    fn script(&self, name: &str, body: &str) -> CommandLine {
        let path = self.path(name);
        std::fs::write(&path, body).unwrap();
        CommandLine::new("/bin/sh", [path.display().to_string()])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn start(line: &CommandLine) -> Result<GtpClient, EngineError> {
    GtpClient::start(line, PATIENT)
}

fn failure(line: &CommandLine, limits: EngineLimits) -> EngineError {
    match GtpClient::start(line, limits) {
        Ok(_) => panic!("it started"),
        Err(error) => {
            assert!(!error.hint().is_empty());
            assert!(!error.to_string().contains(|letter: char| letter.is_control()), "{error}");
            error
        }
    }
}

fn nine() -> Setup {
    Setup::new(BoardSize::NINE, Topology::Plane, Ruleset::TROMP_TAYLOR, Komi::from_half_points(15))
}

fn terms() -> GameTerms {
    GameTerms { setup: nine(), opening: Vec::new(), move_limit: 300, within: Duration::from_secs(60), clock: None }
}

/// Passes.
struct Passer;

impl Player for Passer {
    fn name(&self) -> String {
        "passer".into()
    }

    fn choose(&mut self, _: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        Ok(Move::Pass)
    }
}

#[test]
fn an_engine_says_who_it_is_and_answers() {
    let engines = Engines::new();
    let line = engines.speaking(
        "good",
        "echo 'loading...' >&2\necho 'Welcome to GTP'",
        "genmove) printf '=%s D4\\n\\n' $id;;",
    );
    let mut client = start(&line).unwrap();
    assert_eq!((client.name(), client.version()), ("Fake", "1.0"));
    assert!(client.knows("undo") && !client.knows("kata-set-rules"));
    assert_eq!(client.ask("genmove b").unwrap(), "D4");
    // One question stays one line, whatever is in it.
    assert_eq!(client.ask("genmove b\nquit").unwrap(), "D4");
}

#[test]
fn an_engine_of_kgs_is_told_the_rules_in_its_words() {
    let engines = Engines::new();
    let heard = engines.path("heard");
    let cases = format!(
        "list_commands) printf '=%s play\\ngenmove\\nkgs-rules\\n\\n' \"$id\";;\n\
         kgs-rules) echo \"$color\" >>{0}; if [ \"$color\" = aga ]; then printf '?%s no\\n\\n' \"$id\";\n\
         else printf '=%s\\n\\n' \"$id\"; fi;;\n\
         genmove) printf '=%s D4\\n\\n' \"$id\";;",
        heard.display()
    );
    let line = engines.speaking("kgs", "", &cases);
    // Of rules that KGS has not the nearest is told, and a refusal is none of the game's.
    for preset in [Preset::Korean, Preset::ChineseOgs, Preset::Aga, Preset::TrompTaylor, Preset::NewZealand] {
        let mut player = GtpPlayer::new(line.clone(), PATIENT, Vec::new());
        let setup = Setup::new(BoardSize::NINE, Topology::Plane, preset.ruleset(), Komi::from_half_points(15));
        let game = Game::new(setup).unwrap();
        player.choose(&game, Duration::from_secs(60), &StopFlag::new()).unwrap();
    }
    let heard = std::fs::read_to_string(heard).unwrap();
    assert_eq!(heard.lines().collect::<Vec<_>>(), ["japanese", "chinese", "aga", "new_zealand", "new_zealand"]);
}

#[test]
fn what_is_no_program_is_said_with_its_path() {
    let engines = Engines::new();
    let missing = engines.path("missing");
    let error = failure(&CommandLine::new(missing.display().to_string(), ["gtp"]), PATIENT);
    assert!(
        matches!(&error, EngineError::Start { source, .. } if source.kind() == std::io::ErrorKind::NotFound),
        "{error}"
    );
    assert!(error.to_string().contains("missing"), "{error}");

    let plain = engines.path("plain.txt");
    std::fs::write(&plain, "not a program").unwrap();
    std::fs::set_permissions(&plain, std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = failure(&CommandLine::new(plain.display().to_string(), [""; 0]), PATIENT);
    assert!(
        matches!(&error, EngineError::Start { source, .. } if source.kind() == std::io::ErrorKind::PermissionDenied),
        "{error}"
    );
    let folder = engines.0.path().display().to_string();
    assert!(matches!(failure(&CommandLine::new(folder, [""; 0]), PATIENT), EngineError::Start { .. }));
}

#[test]
fn an_engine_that_prints_nothing_is_late_and_ended() {
    let engines = Engines::new();
    let line = engines.script("silent", &format!("echo $$ > {}; exec sleep 1000", engines.path("pid").display()));
    let error = failure(&line, EngineLimits { start: Duration::from_secs(4), ..SHORT });
    assert!(matches!(error, EngineError::Late { .. }), "{error}");
    assert_gone(&engines.path("pid"));
}

#[test]
fn an_engine_that_prints_for_ever_is_no_engine() {
    let engines = Engines::new();
    let error = failure(&engines.script("yes", "exec yes 'hello there'"), PATIENT);
    assert!(matches!(error, EngineError::Nonsense { .. }), "{error}");
    // Without a line break either.
    let error = failure(&engines.script("zeros", "exec cat /dev/zero"), PATIENT);
    assert!(matches!(error, EngineError::Nonsense { .. }), "{error}");
    // In one answer that never ends.
    let error = failure(
        &engines.script("answer", "read -r line; printf '=1 2\\n'; exec yes 'more and more and more'"),
        PATIENT,
    );
    assert!(matches!(error, EngineError::TooMuch { .. }), "{error}");
}

#[test]
fn an_engine_that_ends_is_said_with_its_last_words() {
    let engines = Engines::new();
    let error = failure(&engines.script("dies", "echo 'cannot open model.bin.gz' >&2; exit 3"), PATIENT);
    let text = error.to_string();
    assert!(text.contains("with status 3") && text.contains("cannot open model.bin.gz"), "{text}");
    let line = engines.speaking("killed", "", "genmove) kill -9 $$;;");
    let mut client = start(&line).unwrap();
    let error = client.ask("genmove b").unwrap_err();
    assert!(error.to_string().contains("by signal 9"), "{error}");
    assert!(matches!(client.ask("name"), Err(EngineError::Gone { .. })));
}

#[test]
fn what_is_no_gtp_is_refused() {
    let engines = Engines::new();
    for (name, body) in [
        ("json", "while read -r line; do echo '{\"error\":\"not json\"}'; done"),
        ("version-1", "while read -r id rest; do printf '=%s 1\\n\\n' $id; done"),
    ] {
        let error = failure(&engines.script(name, body), EngineLimits { start: Duration::from_secs(1), ..PATIENT });
        assert!(matches!(error, EngineError::Nonsense { .. } | EngineError::Late { .. }), "{name}: {error}");
    }
}

#[test]
fn answers_out_of_turn_are_noticed_and_late_ones_dropped() {
    let engines = Engines::new();
    let ahead = engines.speaking("ahead", "", "genmove) printf '=%s D4\\n\\n' $((id + 5));;");
    let error = start(&ahead).unwrap().ask("genmove b").unwrap_err();
    assert!(matches!(error, EngineError::OutOfTurn { .. }), "{error}");
    // The answer to an earlier question comes first; it is nobody's any more.
    let late = engines.speaking("late", "", "genmove) printf '=%s A1\\n\\n=%s D4\\n\\n' $((id - 1)) $id;;");
    assert_eq!(start(&late).unwrap().ask("genmove b").unwrap(), "D4");
}

#[test]
fn an_engine_that_does_not_repeat_numbers_is_understood() {
    let engines = Engines::new();
    let body = "read -r id command\nprintf '= 2\\n\\n'\nwhile read -r command rest; do case $command in\n\
                genmove) printf '= D4\\n\\n';;\nname) printf '= Old\\n\\n= unasked\\n\\n'; sleep 0.2;;\n\
                *) printf '= \\n\\n';;\nesac; done";
    // Without numbers a wrong answer is noticed when it waits before the question.
    let error = start(&engines.script("unasked", body)).and_then(|mut client| {
        (0..50).try_for_each(|_| {
            std::thread::sleep(Duration::from_millis(100));
            client.ask("name").map(drop)
        })
    });
    assert!(matches!(error, Err(EngineError::OutOfTurn { .. })), "{error:?}");
    let body = body.replace("= unasked\\n\\n'; sleep 0.2", "'");
    let mut client = start(&engines.script("plain", &body)).unwrap();
    assert_eq!(client.name(), "Old");
    assert_eq!(client.ask("genmove b").unwrap(), "D4");
}

#[test]
fn windows_line_ends_and_errors_are_understood() {
    let engines = Engines::new();
    let line = engines.speaking("crlf", "", "genmove) printf '?%s no, not\\tnow\\r\\n\\r\\n' $id;;");
    let mut client = start(&line).unwrap();
    let error = client.ask("genmove b").unwrap_err();
    assert!(matches!(&error, EngineError::Refused { message, .. } if message == "no, not now"), "{error}");
    assert_eq!(client.ask("name").unwrap(), "Fake", "it goes on after saying no");
}

#[test]
fn a_player_follows_moves_and_take_backs() {
    let engines = Engines::new();
    let log = engines.path("log");
    let line = engines.speaking(
        "logging",
        "",
        &format!(
            "play|undo|boardsize|komi|clear_board) echo $command $color $vertex >> {0}; printf '=%s\\n\\n' $id;;\n\
             genmove) echo genmove $color >> {0}; printf '=%s C3\\n\\n' $id;;",
            log.display()
        ),
    );
    let mut player = GtpPlayer::new(line, PATIENT, Vec::new());
    let stop = StopFlag::new();
    let within = Duration::from_secs(60);
    let mut game = Game::new(nine()).unwrap();
    let at = |text: &str| Move::from_gtp(text, BoardSize::NINE).unwrap();
    game.play(Color::Black, at("E5")).unwrap();
    let answer = player.choose(&game, within, &stop).unwrap();
    assert_eq!(answer, at("C3"));
    game.play(Color::White, answer).unwrap();
    game.play(Color::Black, at("G7")).unwrap();
    // The person takes both moves back and plays another.
    game.rewind(1);
    game.play(Color::White, at("C7")).unwrap();
    game.play(Color::Black, at("C4")).unwrap();
    player.choose(&game, within, &stop).unwrap();
    // A new game.
    player.choose(&Game::new(nine()).unwrap(), within, &stop).unwrap();
    let told: Vec<String> = std::fs::read_to_string(&log).unwrap().lines().map(|line| line.trim().to_owned()).collect();
    assert_eq!(
        told,
        [
            "boardsize 9",
            "clear_board",
            "komi 7.5",
            "play black E5",
            "genmove white",
            "undo",
            "play white C7",
            "play black C4",
            "genmove white",
            "undo",
            "undo",
            "undo",
            "undo",
            "genmove black",
        ]
    );
}

#[test]
fn a_player_that_fails_is_started_again() {
    let engines = Engines::new();
    let mark = engines.path("mark");
    let line = engines.speaking(
        "once",
        "",
        &format!(
            "genmove) if [ -e {0} ]; then printf '=%s D4\\n\\n' $id; else touch {0}; exit 1; fi;;",
            mark.display()
        ),
    );
    let mut player = GtpPlayer::new(line, PATIENT, Vec::new());
    let game = Game::new(nine()).unwrap();
    let (within, stop) = (Duration::from_secs(60), StopFlag::new());
    assert!(player.choose(&game, within, &stop).is_err());
    assert_eq!(player.choose(&game, within, &stop).unwrap(), Move::from_gtp("D4", BoardSize::NINE).unwrap());
    assert_eq!(player.name(), "Fake 1.0");
}

#[test]
fn bad_moves_lose_the_game() {
    let engines = Engines::new();
    let (stop, terms) = (StopFlag::new(), terms());
    let play = |cases: &str| {
        let mut player = GtpPlayer::new(engines.speaking("bad", "", cases), PATIENT, Vec::new());
        let played = play_game([&mut player, &mut Passer], &terms, &stop).unwrap();
        (played.ending, played.outcome.to_sgf(), played.game.turns().len())
    };
    // The same point again and again.
    let (ending, result, moves) = play("genmove) printf '=%s D4\\n\\n' $id;;");
    assert!(matches!(ending, Ending::Illegal { color: Color::Black, .. }), "{ending:?}");
    assert_eq!((result.as_str(), moves), ("W+F", 2));
    for (cases, expected) in [
        ("genmove) printf '=%s Z99\\n\\n' $id;;", "W+F"),
        ("genmove) printf '=%s\\n\\n' $id;;", "W+F"),
        ("genmove) printf '?%s unknown command\\n\\n' $id;;", "W+F"),
        ("genmove) exit 1;;", "W+F"),
        ("genmove) printf '=%s resign\\n\\n' $id;;", "W+R"),
        ("genmove) printf '=%s PASS\\n\\n' $id;;", "W+7.5"),
        ("boardsize) printf '?%s unacceptable size\\n\\n' $id;;", "W+F"),
    ] {
        assert_eq!(play(cases).1, expected, "{cases}");
    }
}

#[test]
fn an_engine_that_stalls_loses_on_time() {
    let engines = Engines::new();
    let mut player = GtpPlayer::new(engines.speaking("stalls", "", "genmove) sleep 1000;;"), PATIENT, Vec::new());
    let terms = GameTerms { within: Duration::from_millis(300), ..terms() };
    let played = play_game([&mut Passer, &mut player], &terms, &StopFlag::new()).unwrap();
    assert_eq!(played.outcome.to_sgf(), "B+T");
}

#[test]
fn a_disputed_count_is_played_out() {
    let engines = Engines::new();
    // It passes, claims the game, and takes a point when asked to clean up.
    let mark = engines.path("mark");
    let line = engines.speaking(
        "claims",
        "",
        &format!(
            "list_commands) printf '=%s final_score\\nkgs-genmove_cleanup\\n\\n' $id;;\ngenmove) printf '=%s pass\\n\\n' $id;;\n\
             final_score) printf '=%s B+1.5\\n\\n' $id;;\n\
             kgs-genmove_cleanup) if [ -e {0} ]; then printf '=%s pass\\n\\n' $id; else touch {0}; printf '=%s E5\\n\\n' $id; fi;;",
            mark.display()
        ),
    );
    let player = || GtpPlayer::new(line.clone(), PATIENT, Vec::new());
    // Somebody who would answer for it changes nothing.
    let players: [Box<dyn Player>; 2] = [Box::new(player()), Box::new(WithFallback::new(player(), PATIENT.answer, 1))];
    for mut player in players {
        let played = play_game([player.as_mut(), &mut Passer], &terms(), &StopFlag::new()).unwrap();
        assert!(matches!(played.ending, Ending::Passes { played_on: true }), "{:?}", played.ending);
        assert_eq!((played.outcome.to_sgf().as_str(), played.stood_in), ("B+73.5", [0, 0]));
        std::fs::remove_file(&mark).unwrap();
    }
}

#[test]
fn other_topologies_are_refused_in_a_sentence() {
    let engines = Engines::new();
    let mut player = GtpPlayer::new(engines.speaking("plane", "", ""), PATIENT, Vec::new());
    let game = Game::new(Setup { topology: Topology::Torus, ..nine() }).unwrap();
    let error = player.choose(&game, Duration::from_secs(60), &StopFlag::new()).unwrap_err();
    assert!(error.to_string().contains("torus"), "{error}");
}

#[test]
fn whatever_an_engine_started_ends_with_it() {
    let engines = Engines::new();
    let pid = engines.path("pid");
    let line = engines.speaking("parent", &format!("sleep 1000 &\necho $! > {}", pid.display()), "");
    drop(start(&line).unwrap());
    assert_gone(&pid);
}

/// Every restart leaves neither a process nor a thread behind.
#[cfg(target_os = "linux")]
#[test]
fn restarts_leave_nothing_behind() {
    let restarts = if honinbo_testkit::fixtures::are_slow_tests_on() { 500 } else { 40 };
    let engines = Engines::new();
    let line = engines.speaking("crashes", "", "genmove) exit 1;;");
    let mut player = GtpPlayer::new(line, PATIENT, Vec::new());
    let game = Game::new(nine()).unwrap();
    let (within, stop) = (Duration::from_secs(60), StopFlag::new());
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let resident_kb = || -> usize {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    for _ in 0..10 {
        assert!(player.choose(&game, within, &stop).is_err());
    }
    player.end();
    // One process a test is how nextest runs; with others beside it, only growth by as many as were started counts.
    let (threads_before, files_before, memory_before) = (threads(), files(), resident_kb());
    for _ in 0..restarts {
        assert!(player.choose(&game, within, &stop).is_err());
    }
    player.end();
    let until = Instant::now() + Duration::from_secs(60);
    while (threads() > threads_before + 20 || files() > files_before + 20) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(threads() <= threads_before + 20, "{} threads, {threads_before} before", threads());
    assert!(files() <= files_before + 20, "{} files, {files_before} before", files());
    assert!(resident_kb() <= memory_before + 8_000, "{} kB, {memory_before} before", resident_kb());
}

/// Waits until the process whose number is in a file is gone.
fn assert_gone(pid_file: &Path) {
    let pid: u32 = std::fs::read_to_string(pid_file).unwrap().trim().parse().unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while alive(pid) {
        assert!(Instant::now() < until, "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process is there; one that has ended and waits to be collected is not.
fn alive(pid: u32) -> bool {
    std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", &pid.to_string()])
        .output()
        .is_ok_and(|output| output.stdout.iter().any(|letter| !letter.is_ascii_whitespace() && *letter != b'Z'))
}

/// An analysis engine in `sh`: `body` answers the question whose number is `$id`.
fn analysing(engines: &Engines, name: &str, before: &str, body: &str) -> CommandLine {
    let take_id = r#"id=$(printf '%s' "$line" | sed 's/.*"id":"\([0-9a-z]*\)".*/\1/')"#;
    engines.script(name, &format!("{before}\nwhile read -r line; do {take_id}; {body}\ndone"))
}

const GOOD_ANSWER: &str =
    r#"printf '{"id":"%s","turnNumber":0,"moveInfos":[{"move":"C3","order":1},{"move":"D4","order":0}]}\n' "$id""#;

fn analysis_move(line: &CommandLine, limits: EngineLimits, within: Duration) -> Result<Move, PlayerError> {
    let game = Game::new(nine()).unwrap();
    AnalysisPlayer::new(line.clone(), limits, Some(10)).choose(&game, within, &StopFlag::new())
}

fn analysis_failure(line: &CommandLine, limits: EngineLimits) -> EngineError {
    match analysis_move(line, limits, limits.answer) {
        Err(PlayerError::Engine(error)) => {
            assert!(!error.hint().is_empty());
            assert!(!error.to_string().contains(|letter: char| letter.is_control()), "{error}");
            error
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_analysis_engine_plays_the_best_move_of_its_answer() {
    let engines = Engines::new();
    let asked = engines.path("asked");
    let body = format!("printf '%s\\n' \"$line\" >> {}; {GOOD_ANSWER}", asked.display());
    let line = analysing(&engines, "good", "echo 'KataGo Analysis Engine'\necho 'reading' >&2", &body);
    let mut player = AnalysisPlayer::new(line, PATIENT, Some(10));
    let mut game = Game::new(nine()).unwrap();
    let d4 = Move::from_gtp("D4", BoardSize::NINE).unwrap();
    for turn in ["E5", "E6"] {
        assert_eq!(player.choose(&game, PATIENT.answer, &StopFlag::new()).unwrap(), d4);
        game.play(game.to_play(), Move::from_gtp(turn, BoardSize::NINE).unwrap()).unwrap();
    }
    let asked = std::fs::read_to_string(asked).unwrap();
    let lines: Vec<&str> = asked.lines().collect();
    assert_eq!(lines.len(), 2, "one program answers both: {asked}");
    assert!(lines[0].contains(r#""maxVisits":10"#) && lines[1].contains(r#"["B","E5"]"#), "{asked}");
}

#[test]
fn an_analysis_engine_may_warn_and_report_while_it_thinks() {
    let engines = Engines::new();
    let body = format!(
        "{}; {}; {GOOD_ANSWER}",
        r#"printf '{"id":"%s","warning":"komi is odd","field":"komi"}\n' "$id""#,
        r#"printf '{"id":"%s","isDuringSearch":true,"moveInfos":[{"move":"A1","order":0}]}\n' "$id""#
    );
    let line = analysing(&engines, "chatty", "", &body);
    assert_eq!(analysis_move(&line, PATIENT, PATIENT.answer).unwrap().to_gtp(BoardSize::NINE), "D4");
}

#[test]
fn an_analysis_engine_that_misbehaves_is_said_in_a_sentence() {
    let engines = Engines::new();
    let failing = |name: &str, before: &str, body: &str, limits| {
        analysis_failure(&analysing(&engines, name, before, body), limits)
    };
    let missing = CommandLine::new(engines.path("missing").display().to_string(), ["analysis"]);
    assert!(matches!(analysis_failure(&missing, PATIENT), EngineError::Start { .. }));
    let ended = failing("ends", "echo 'no such config' >&2; exit 3", GOOD_ANSWER, PATIENT);
    assert!(matches!(&ended, EngineError::Ended { how, .. } if how == "with status 3"), "{ended}");
    assert!(ended.to_string().contains("no such config"), "{ended}");
    assert!(matches!(failing("silent", "", ":", SHORT), EngineError::Late { .. }));
    assert!(matches!(failing("gtp", "", "echo '= D4'; echo", SHORT), EngineError::NoJson { .. }));
    assert!(matches!(failing("endless", "while :; do echo x; done", ":", PATIENT), EngineError::NoJson { .. }));
    let refused = failing("refuses", "", r#"printf '{"id":"%s","error":"bad board"}\n' "$id""#, PATIENT);
    assert!(refused.to_string().contains("bad board"), "{refused}");
    let general = failing("refuses-all", "", r#"printf '{"error":"no model"}\n'"#, PATIENT);
    assert!(matches!(general, EngineError::Refused { .. }), "{general}");
    let early = failing("early", "", r#"printf '{"id":"77","moveInfos":[]}\n'"#, PATIENT);
    assert!(matches!(early, EngineError::OutOfTurn { .. }), "{early}");
    for (name, infos) in [("nothing", "[]"), ("number", "7"), ("nowhere", r#"[{"move":"Z99"}]"#)] {
        let body = format!(r#"printf '{{"id":"%s","moveInfos":{infos}}}\n' "$id""#);
        let error = failing(name, "", &body, PATIENT);
        assert!(matches!(error, EngineError::NoMove { .. }), "{name}: {error}");
    }
}

#[test]
fn an_analysis_engine_that_died_is_started_again() {
    let engines = Engines::new();
    let mark = engines.path("mark");
    // The first one dies of its question; the next finds the mark and answers.
    let body = format!("if [ ! -e {0} ]; then : > {0}; exit 1; fi; {GOOD_ANSWER}", mark.display());
    let mut player = AnalysisPlayer::new(analysing(&engines, "mortal", "", &body), PATIENT, None);
    let game = Game::new(nine()).unwrap();
    assert!(player.choose(&game, PATIENT.answer, &StopFlag::new()).is_err());
    assert!(player.choose(&game, PATIENT.answer, &StopFlag::new()).is_ok());
}

#[test]
fn an_engine_is_told_what_the_clock_shows() {
    let engines = Engines::new();
    let told = engines.path("told");
    let note = format!("printf '%s %s %s\\n' \"$command\" \"$color\" \"$vertex\" >> {}", told.display());
    let line = engines.speaking(
        "clocked",
        "",
        &format!(
            "list_commands) printf '=%s time_settings\\ntime_left\\n\\n' \"$id\";;\n\
             time_settings|time_left) {note}; printf '=%s\\n\\n' \"$id\";;\n\
             genmove) printf '=%s pass\\n\\n' \"$id\";;"
        ),
    );
    let mut engine = GtpPlayer::new(line, PATIENT, Vec::new());
    let system = TimeSystem::Overtime { period: 300.0, stones: 25, periods: 1 };
    let terms = GameTerms { clock: Some(TimeControl { main: 5000.0, system }), ..terms() };
    let played = play_game([&mut engine, &mut Passer], &terms, &StopFlag::new()).unwrap();
    assert!(matches!(played.ending, Ending::Passes { .. }), "{:?}", played.ending);
    let told = std::fs::read_to_string(told).unwrap();
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    assert_eq!(lines[0], "time_settings 5000 300 25", "{told}");
    assert!(lines[1].starts_with("time_left black") && lines[2].starts_with("time_left white 5000"), "{told}");
}

/// An engine in `sh` that analyses until it is asked something else: `lines` are printed at once.
fn thinking(engines: &Engines, name: &str, lines: &str) -> CommandLine {
    engines.speaking(
        name,
        "",
        &format!(
            "list_commands) printf '=%s undo\\nkata-analyze\\n\\n' $id;;\n\
             kata-analyze) echo \"$color $vertex\" >> {log}; printf '=%s\\n' $id; {lines}\n\
             read -r id command color vertex; printf '\\n=%s 2\\n\\n' $id;;",
            log = engines.path("analysed").display()
        ),
    )
}

#[test]
fn an_engine_says_what_it_thinks_until_it_is_stopped() {
    let engines = Engines::new();
    let info = |visits: u32| {
        format!("echo 'info move D4 visits {visits} winrate 0.75 scoreLead 2.5 prior 0.5 order 0 pv D4 E5'")
    };
    let line = thinking(&engines, "thinks", &format!("{}; echo 'what is this'; {}", info(10), info(20)));
    let mut player = GtpPlayer::new(line, PATIENT, Vec::new());
    let mut game = Game::new(nine()).unwrap();
    game.play(Color::Black, Move::from_gtp("E5", BoardSize::NINE).unwrap()).unwrap();
    let analysed = |player: &mut GtpPlayer, only: &[Move], most: u32, stop: &StopFlag| {
        let mut found = Vec::new();
        player
            .analyse(&game, only, Duration::from_millis(100), stop, &mut |report| {
                found.push((report.visits, report.black_win_prob, report.black_lead));
                report.visits < most
            })
            .unwrap();
        found
    };
    // White is to move: what the engine says is White's.
    let both = [(11, 0.25, Some(-2.5)), (21, 0.25, Some(-2.5))];
    assert_eq!(analysed(&mut player, &[], 20, &StopFlag::new()), both);
    // It is stopped while it thinks, and goes on with what it is asked next.
    let stop = StopFlag::new();
    let stopper = stop.clone();
    let mut heard = 0;
    player
        .analyse(&game, &[], Duration::from_millis(100), &stop, &mut |_| {
            heard += 1;
            stopper.set();
            true
        })
        .unwrap();
    assert!(heard >= 1);
    // This one looks at moves that it was not allowed, which is said before any of them is reported.
    let first = Move::from_gtp("C3", BoardSize::NINE).unwrap();
    let strayed =
        player.analyse(&game, &[first, Move::Pass], Duration::from_millis(100), &StopFlag::new(), &mut |report| {
            panic!("{report:?} was reported")
        });
    assert!(matches!(strayed, Err(EngineError::NoRegions { .. })), "{strayed:?}");
    assert_eq!(analysed(&mut player, &[], 5, &StopFlag::new()), both[..1]);
    let asked = std::fs::read_to_string(engines.path("analysed")).unwrap();
    let lines: Vec<&str> = asked.lines().collect();
    assert_eq!(lines[0], "white 10 ownership true");
    assert_eq!(lines[2], "white 10 ownership true allow white C3,pass 1");
}

/// A large network on a slow machine ends its analysis only when its batch is done.
#[test]
fn an_engine_that_says_much_before_it_stops_is_kept() {
    let engines = Engines::new();
    let info =
        "info move D4 visits 10 winrate 0.75 scoreLead 2.5 prior 0.5 order 0 pv D4 E5 C3 C4 D3 E3 F3 G3 G4 G5 F6 E6 D6";
    let body = format!(
        "list_commands) printf '=%s undo\\nkata-analyze\\n\\n' $id;;\n\
         kata-analyze) printf '=%s\\n' $id; echo '{info}'\n\
         read -r id command color vertex; yes '{info}' | head -n 4000; printf '\\n=%s 2\\n\\n' $id;;"
    );
    let mut player = GtpPlayer::new(engines.speaking("talks", "", &body), PATIENT, Vec::new());
    let game = Game::new(nine()).unwrap();
    for _ in 0..2 {
        let mut heard = 0;
        player
            .analyse(&game, &[], Duration::from_millis(100), &StopFlag::new(), &mut |_| {
                heard += 1;
                false
            })
            .unwrap();
        assert_eq!(heard, 1);
    }
}

#[test]
fn an_analysis_engine_that_is_slow_to_stop_is_kept() {
    let engines = Engines::new();
    let report = r#"printf '{"id":"%s","isDuringSearch":true,"moveInfos":[{"move":"D4","order":0,"visits":5,"winrate":0.5}]}\n' "$id""#;
    // Of a question it reports, and takes its time for the rest once it is told to stop.
    let body = format!("{report}; asked=$id; read -r line; sleep 3; id=$asked; {GOOD_ANSWER}");
    let line = analysing(&engines, "slow", &format!("echo started >> {}", engines.path("starts").display()), &body);
    let mut player = AnalysisPlayer::new(line, PATIENT, None);
    let game = Game::new(nine()).unwrap();
    for _ in 0..2 {
        let stop = StopFlag::new();
        player.analyse(&game, &[], 1000, Duration::from_millis(100), &stop, &mut |_| false).unwrap();
    }
    assert_eq!(std::fs::read_to_string(engines.path("starts")).unwrap().lines().count(), 1, "one program answers both");
}

/// Leela Zero 0.17 answers `allow` so: a pass it looks at in any case.
#[test]
fn a_pass_beside_the_moves_that_were_asked_for_is_left_out() {
    let engines = Engines::new();
    let info = "info move pass visits 15 winrate 0.7 prior 0.3 scoreLead 9 order 0 pv pass";
    let more = "info move C3 visits 17 winrate 0.4 prior 0.3 scoreLead 1 order 1 pv C3";
    let line = thinking(&engines, "passes", &format!("echo '{info}'; echo '{info} {more}'"));
    let mut player = GtpPlayer::new(line, PATIENT, Vec::new());
    let game = Game::new(nine()).unwrap();
    let point = Move::from_gtp("C3", BoardSize::NINE).unwrap();
    let mut found = Vec::new();
    let stop = StopFlag::new();
    player
        .analyse(&game, &[point], Duration::from_millis(100), &stop, &mut |report| {
            let played: Vec<Move> = report.candidates.iter().map(|candidate| candidate.played).collect();
            found.push((report.visits, report.black_win_prob, played));
            false
        })
        .unwrap();
    assert_eq!(found, [(18, 0.4, vec![point])], "nothing is reported of the pass alone");
}

#[test]
fn an_engine_that_gives_no_analysis_is_said_in_a_sentence() {
    let engines = Engines::new();
    let failure = |line: CommandLine| {
        let mut player = GtpPlayer::new(line, PATIENT, Vec::new());
        let game = Game::new(nine()).unwrap();
        let error =
            player.analyse(&game, &[], Duration::from_millis(100), &StopFlag::new(), &mut |_| true).unwrap_err();
        assert!(!error.hint().is_empty());
        error
    };
    let plain = failure(engines.speaking("plain", "", ""));
    assert!(matches!(plain, EngineError::NoAnalysis { .. }) && plain.leaves_it_running(), "{plain}");
    let dies = failure(thinking(&engines, "dies", "exit 3"));
    assert!(dies.to_string().contains("with status 3"), "{dies}");
    let refuses =
        "list_commands) printf '=%s kata-analyze\\n\\n' $id;;\nkata-analyze) printf '?%s not now\\n\\n' $id;;";
    let error = failure(engines.speaking("refuses", "", refuses));
    assert!(matches!(&error, EngineError::Refused { message, .. } if message == "not now"), "{error}");
}

/// Nobody waits for the start of an engine that was given up meanwhile.
#[test]
fn an_engine_that_is_abandoned_is_not_waited_for() {
    let engines = Engines::new();
    let pid = engines.path("pid");
    let line = engines.script("silent", &format!("echo $$ > {}; exec sleep 1000", pid.display()));
    let abandoned = StopFlag::new();
    let limits = EngineLimits { start: Duration::from_secs(3600), ..PATIENT };
    let mut player = GtpPlayer::new(line, limits, Vec::new()).unless(abandoned.clone());
    let waiting = std::thread::spawn(move || player.client().map(drop));
    let until = Instant::now() + Duration::from_secs(60);
    while std::fs::read_to_string(&pid).map_or(true, |text| text.trim().is_empty()) {
        assert!(Instant::now() < until, "it was not started");
        std::thread::sleep(Duration::from_millis(20));
    }
    abandoned.set();
    assert!(matches!(waiting.join().unwrap(), Err(EngineError::Gone { .. })));
    assert_gone(&pid);
}

#[test]
fn an_engine_that_rests_is_gone_until_it_is_asked_again() {
    let engines = Engines::new();
    let pid = engines.path("pid");
    let note = format!("echo $$ > {}", pid.display());
    let game = Game::new(nine()).unwrap();
    let gtp =
        GtpPlayer::new(engines.speaking("gtp", &note, "genmove) printf '=%s D4\\n\\n' $id;;"), PATIENT, Vec::new());
    let json = AnalysisPlayer::new(analysing(&engines, "json", &note, GOOD_ANSWER), PATIENT, None);
    let (gtp, json) = (WithFallback::new(gtp, PATIENT.answer, 1), WithFallback::new(json, PATIENT.answer, 1));
    let players: [Box<dyn Player>; 2] = [Box::new(gtp), Box::new(json)];
    for mut player in players {
        for _ in 0..2 {
            player.choose(&game, PATIENT.answer, &StopFlag::new()).unwrap();
            assert!(player.take_notice().is_none());
            player.rest();
            assert_gone(&pid);
        }
    }
}

/// Takes longer than it has.
struct Sleeper;

impl Player for Sleeper {
    fn name(&self) -> String {
        "sleeper".into()
    }

    fn choose(&mut self, _: &Game, _: Duration, _: &StopFlag) -> Result<Move, PlayerError> {
        std::thread::sleep(Duration::from_millis(30));
        Ok(Move::Pass)
    }
}

#[test]
fn who_oversteps_the_time_loses_by_it() {
    let system = TimeSystem::Fischer { increment: 0.0, stored_at_most: None };
    let terms = GameTerms { clock: Some(TimeControl { main: 0.01, system }), ..terms() };
    let played = play_game([&mut Sleeper, &mut Passer], &terms, &StopFlag::new()).unwrap();
    assert!(matches!(played.ending, Ending::Time(Color::Black)), "{:?}", played.ending);
    assert_eq!(played.outcome.to_sgf(), "W+T");
}
