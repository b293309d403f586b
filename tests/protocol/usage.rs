//! Wrong usage, help, and output that nobody reads.

use crate::support::{Honinbo, famous_game, wait};
use std::time::Duration;

#[test]
fn wrong_usage_has_status_2_and_nothing_on_standard_output() {
    let honinbo = Honinbo::new();
    let wrong: [&[&str]; 14] = [
        &[],
        &["fly"],
        &["run"],
        &["run", "a.sgf", "--visits", "0"],
        &["run", "a.sgf", "--visits", "many"],
        &["run", "a.sgf", "--seconds", "-1"],
        &["run", "a.sgf", "--unheard-of"],
        &["net"],
        &["net", "fetch", "a.bin.gz", "--sha256", "abc"],
        &["library", "import"],
        &["library", "export", "--json"],
        &["bench", "everything"],
        &["library", "pattern", "a.txt", "--size", "99"],
        &["match", "a", "b", "--size", "9x"],
    ];
    for args in wrong {
        let ended = honinbo.run(args);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{args:?}: {ended:?}");
        assert!(!ended.stderr.is_empty());
    }
}

#[test]
fn a_server_is_allowed_names_and_nothing_that_no_request_can_match() {
    let honinbo = Honinbo::new();
    for wrong in ["https://go.example.org", "go.example.org:443", "a b", "", "*.example.org", ".example.org"] {
        let ended = honinbo.run(&["serve", "--http", "0", "--allow-host", wrong]);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{wrong}: {ended:?}");
        assert!(ended.stderr.contains("a name alone, without https:// and port"), "{wrong}: {ended:?}");
    }
    // A name is none of what is wrong with this.
    let ended = honinbo.run(&["serve", "--http", "0", "--allow-host", "go.example.org", "--web", "nowhere"]);
    assert!(ended.failure().contains("nowhere"), "{ended:?}");
}

#[test]
fn help_and_version_are_no_failure() {
    let honinbo = Honinbo::new();
    for args in [&["--help"] as &[&str], &["--version"], &["run", "--help"], &["net", "fetch", "--help"]] {
        let ended = honinbo.run(args);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{args:?}");
        assert!(!ended.stdout.is_empty());
    }
    for command in [&[] as &[&str], &["serve"], &["net", "fetch"]] {
        let asked = honinbo.run(&[&["help"], command].concat());
        let help = honinbo.run(&[command, &["--help"]].concat()).stdout;
        assert_eq!((asked.status, asked.stdout, asked.stderr), (0, help, String::new()), "{command:?}");
    }
    assert_eq!(honinbo.run(&["--version"]).stdout.trim(), concat!("honinbo ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_names_every_kind_of_level_and_of_booklet() {
    let honinbo = Honinbo::new();
    let wanted: [(&str, &[&str]); 3] = [
        ("gtp", &["pupil_5", "preaz_9d", "proyear_2023", "rank_5k+local"]),
        ("play", &["pupil_5", "preaz_9d", "proyear_2023", "rank_5k+local"]),
        ("booklet", &[".pdf", ".html", ".apkg"]),
    ];
    for (command, words) in wanted {
        let help = honinbo.run(&[command, "--help"]).stdout;
        for word in words {
            assert!(help.contains(word), "{command}: {word}: {help}");
        }
    }
}

#[test]
fn settings_that_mean_nothing_are_named_and_passed_over() {
    let honinbo = Honinbo::new();
    let settings = "maxVisits=5,maxVisist=7,logDir=logs,defaultBoardSize=9";
    let ended = honinbo.run_with_input(
        &["gtp", "--level", "easy", "--override-config", settings],
        b"query_boardsize\nkata-get-param maxVisits\nquit\n",
    );
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "= 9\n\n= 5\n\n=\n\n"), "{ended:?}");
    let said: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(said.len(), 2, "{ended:?}");
    assert!(said[0].starts_with("note: maxVisist is no setting of KataGo's"), "{ended:?}");
    assert!(said[1].starts_with("note: logDir means nothing here: "), "{ended:?}");
    assert!(ended.stderr.contains("GTP ready"), "{ended:?}");
}

#[test]
fn the_engine_brings_no_limit_of_visits_that_would_come_before_the_clock() {
    let honinbo = Honinbo::new();
    let asked = b"kata-get-param maxVisits\nkata-get-param maxTime\nquit\n";
    let settings = honinbo.data.path().join("cgos.cfg").display().to_string();
    let written = honinbo.run(&["genconfig", "--seconds", "8", "--output", &settings]);
    assert_eq!(written.status, 0, "{written:?}");
    for (args, visits, time) in [
        (&["gtp", "--level", "easy"] as &[&str], "1125899906842624", "1e+20"),
        (&["gtp", "--level", "easy", "--config", &settings], "1125899906842624", "8.0"),
    ] {
        let ended = honinbo.run_with_input(args, asked);
        assert_eq!(ended.stdout, format!("= {visits}\n\n= {time}\n\n=\n\n"), "{args:?}: {ended:?}");
    }
}

#[test]
fn katagos_command_line_is_understood() {
    let honinbo = Honinbo::new();
    let file = |name: &str, text: &str| {
        let path = honinbo.data.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let first = file("first.cfg", "maxVisits = 5\n@include parts/board.cfg # of this club\n");
    file("parts/board.cfg", "defaultBoardSize = 9\n@include komi.cfg\n");
    file("parts/komi.cfg", "ignoreGTPAndForceKomi = 5.5\n");
    let second = file("second.cfg", "maxVisits = 6\n");
    let ended = honinbo.run_with_input(
        &["gtp", "-level", "easy", "-as-katago", "-config", &first, "-config", &second],
        b"name\nversion\nquery_boardsize\nkata-get-param maxVisits\nkomi 7\nget_komi\nquit\n",
    );
    let replies: Vec<&str> = ended.stdout.split("\n\n").collect();
    assert_eq!(replies[0], "= KataGo", "{ended:?}");
    assert_eq!(replies[1], "= 1.18.2", "{ended:?}");
    assert_eq!(replies[2..], ["= 9", "= 6", "=", "= 5.5", "=", ""], "{ended:?}");

    // A data folder may be named before the command.
    let data = honinbo.data.path().display().to_string();
    let args = ["--data", &data, "gtp", "-level", "easy", "-override-version", "1.2"];
    let ended = honinbo.run_with_input(&args, b"name\nversion\n");
    assert_eq!(ended.stdout, "= Honinbo\n\n= 1.2\n\n", "{ended:?}");

    let endless = file("endless.cfg", "@include endless.cfg\n");
    let ended = honinbo.run_with_input(&["gtp", "-level", "easy", "-config", &endless], b"");
    assert!(ended.failure().contains("include each other"), "{ended:?}");
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let honinbo = Honinbo::new();
    assert_eq!(honinbo.run(&["library", "import", &famous_game()]).status, 0);
    for args in [&["library", "export"] as &[&str], &["library", "search"], &["library", "stats", "--json"]] {
        let mut child = honinbo.spawn(args);
        drop(child.stdout.take());
        let status = wait(&mut child, Duration::from_secs(60));
        let mut said = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
        assert_eq!((status, said.as_str()), (0, ""), "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_for_which_there_is_no_room_is_a_failure() {
    let honinbo = Honinbo::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ended = honinbo.run_into(&["library", "stats", "--json"], full);
    assert!(ended.failure().contains("the output cannot be written"), "{ended:?}");
}

#[test]
fn the_data_folder_can_be_named_on_the_command_line() {
    let honinbo = Honinbo::new();
    let other = tempfile::tempdir().unwrap();
    let other = other.path().join("made/on/demand").display().to_string();
    assert_eq!(honinbo.run(&["library", "import", &famous_game(), "--data", &other]).status, 0);
    assert_eq!(honinbo.run(&["--data", &other, "library", "stats", "--json"]).json()["games"], 1);
    assert_eq!(honinbo.run(&["library", "stats", "--json"]).json()["games"], 0);
}

#[test]
fn a_file_that_is_there_is_written_over_by_force_alone() {
    let honinbo = Honinbo::new();
    assert_eq!(honinbo.run(&["library", "import", &famous_game()]).status, 0);
    let taken = |name: &str| {
        let path = honinbo.data.path().join(name);
        std::fs::write(&path, "mine").unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (settings, network, onnx, book) =
        (taken("gtp.cfg"), taken("mine.bin.gz"), taken("mine.onnx"), taken("book.html"));
    let (sgf, zip, csv, copy) = (taken("all.sgf"), taken("all.zip"), taken("all.csv"), taken("copy.sqlite"));
    let forced: [&[&str]; 5] = [
        &["genconfig", "--output", &settings],
        &["library", "export", "--out", &sgf],
        &["library", "export", "--out", &zip],
        &["library", "export", "--out", &csv],
        &["library", "export", "--evaluations", "--out", &zip],
    ];
    // What they are made of is not looked at before.
    let refused: [&[&str]; 5] = [
        &["net", "convert", "nowhere.bin.gz", &onnx],
        &["train", "export", "nowhere", &network],
        &["booklet", "nowhere.sgf", "--out", &book],
        &["library", "backup", &copy],
        &["library", "rescue", &copy],
    ];
    for args in forced.iter().chain(&refused) {
        let path = args.iter().find(|arg| arg.starts_with(honinbo.data.path().to_str().unwrap())).unwrap();
        let ended = honinbo.run(args);
        assert!(ended.failure().contains(&format!("{path} is there already; choose another name")), "{ended:?}");
        assert_eq!(std::fs::read(path).unwrap(), b"mine", "{args:?}");
    }
    for args in forced {
        let path = args.last().unwrap();
        std::fs::write(path, "mine").unwrap();
        let ended = honinbo.run(&[args, &["--force"]].concat());
        assert_eq!(ended.status, 0, "{args:?}: {ended:?}");
        assert_ne!(std::fs::read(path).unwrap(), b"mine", "{args:?}");
    }
}
