//! `honinbo convert`, `genconfig` and `benchmark`.

use crate::support::{Honinbo, engine, famous_game};

#[test]
fn records_go_into_other_formats_and_back() {
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("out");
    let out = folder.to_str().unwrap();
    for format in ["gib", "ngf", "ugf"] {
        let ended = honinbo.run(&["convert", &famous_game(), "--to", format, "--out", out]);
        assert_eq!((ended.status, ended.stdout.as_str()), (0, "1 games written\n"), "{ended:?}");
    }
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names.len(), 3, "{names:?}");
    let moves = |sgf: &str| sgf.matches(";B[").count() + sgf.matches(";W[").count();
    let original = std::fs::read_to_string(famous_game()).unwrap();
    for name in &names {
        let back = honinbo.run(&["convert", folder.join(name).to_str().unwrap()]);
        assert_eq!(back.status, 0, "{back:?}");
        assert_eq!(moves(&back.stdout), moves(&original), "{name}: {}", back.stdout);
    }
    // A second time nothing is written over.
    honinbo.run(&["convert", &famous_game(), "--to", "gib", "--out", out]);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4);
}

#[test]
fn a_folder_stands_for_the_records_in_it() {
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().join("games");
    std::fs::create_dir_all(folder.join("more/none")).unwrap();
    for (name, text) in [("b.sgf", "(;SZ[9]PB[second];B[bb])"), ("more/c.sgf", "(;SZ[9]PB[third];B[cc])")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "no record").unwrap();
    let first = honinbo.data.path().join("a.sgf");
    std::fs::write(&first, "(;SZ[9]PB[first];B[aa])").unwrap();
    let ended = honinbo.run(&["convert", first.to_str().unwrap(), folder.to_str().unwrap()]);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    let names: Vec<&str> = ended.stdout.split("PB[").skip(1).filter_map(|rest| rest.split(']').next()).collect();
    assert_eq!(names, ["first", "second", "third"]);
    let none = honinbo.run(&["convert", folder.join("more/none").to_str().unwrap()]);
    assert!(none.failure().contains("there is no record in"), "{none:?}");
}

#[test]
fn files_are_read_in_the_character_set_that_is_named() {
    let honinbo = Honinbo::new();
    std::fs::create_dir_all(honinbo.data.path()).unwrap();
    let path = honinbo.data.path().join("guessed.sgf");
    // 飞龙出海 in GBK, in a file that says something else.
    std::fs::write(&path, b"(;CA[EUC-KR]SZ[9]PB[\xb7\xc9\xc1\xfa\xb3\xf6\xba\xa3];B[aa])").unwrap();
    let path = path.to_str().unwrap();
    let converted = honinbo.run(&["convert", path, "--charset", "gbk"]);
    assert_eq!(
        (converted.status, converted.stdout.trim()),
        (0, "(;CA[UTF-8]SZ[9]PB[飞龙出海];B[aa])"),
        "{converted:?}"
    );
    let imported = honinbo.run(&["library", "import", path, "--charset", "gb18030"]);
    assert_eq!(imported.status, 0, "{imported:?}");
    let found = honinbo.run(&["library", "search", "--json"]).json();
    assert_eq!(found["games"][0]["black"], "飞龙出海");
    for command in
        [&["convert", path, "--charset", "klingon"] as &[&str], &["library", "import", path, "--charset", "x"]]
    {
        let refused = honinbo.run(command);
        assert!(refused.status == 2 && refused.stderr.contains("no character set"), "{refused:?}");
    }
}

#[test]
fn what_cannot_be_converted_is_said() {
    let honinbo = Honinbo::new();
    let path = honinbo.data.path().join("small.sgf");
    std::fs::create_dir_all(honinbo.data.path()).unwrap();
    std::fs::write(&path, "(;SZ[9];B[aa])").unwrap();
    let path = path.to_str().unwrap();
    let refused = honinbo.run(&["convert", path, "--to", "gib"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("GIB has no board of 9x9"), "{refused:?}");
    let off = honinbo.data.path().join("off.sgf");
    std::fs::write(&off, "(;SZ[9]XX;B[aa])").unwrap();
    let noted = honinbo.run(&["convert", off.to_str().unwrap()]);
    assert_eq!((noted.status, noted.stderr.matches("it was skipped").count()), (0, 1), "{noted:?}");
    let two = honinbo.run(&["convert", path, path, "--to", "ngf"]);
    assert!(two.status == 1 && two.stderr.contains("--out"), "{two:?}");
    let ended = honinbo.run(&["convert", "/nowhere/at-all.sgf"]);
    assert!(ended.status == 1 && ended.stderr.contains("at-all.sgf"), "{ended:?}");
}

#[test]
#[cfg(unix)]
fn a_configuration_that_cannot_be_written_leaves_no_empty_file() {
    let honinbo = Honinbo::new();
    let path = honinbo.data.path().join("gtp.cfg");
    // Every write into a file fails, as on a full disk; the signal that comes with it is ignored.
    let command = "trap '' XFSZ; ulimit -f 0; exec \"$0\" genconfig --output \"$1\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", command, env!("CARGO_BIN_EXE_honinbo")]).arg(&path);
    let ended = shell.output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("cannot be written"), "{ended:?}");
    assert!(!path.exists());
}

#[test]
fn a_configuration_is_written_that_the_engine_takes_whole() {
    let honinbo = Honinbo::new();
    std::fs::create_dir_all(honinbo.data.path()).unwrap();
    let path = honinbo.data.path().join("my gtp.cfg");
    let path = path.to_str().unwrap();
    let written =
        honinbo.run(&["genconfig", "-output", path, "--rules", "japanese", "--visits", "50", "--threads", "3"]);
    assert_eq!(written.status, 0, "{written:?}");
    let asked = b"kata-get-param maxVisits\nkata-get-param numSearchThreads\nkata-get-rules\nquit\n";
    let ended = honinbo.run_with_input(&["gtp", "--level", "easy", "--config", path], asked);
    assert!(ended.stdout.starts_with("= 50\n\n= 3\n\n") && ended.stdout.contains("TERRITORY"), "{ended:?}");
    assert!(!ended.stderr.contains("note:"), "{ended:?}");
    let again = honinbo.run(&["genconfig", "--output", path]);
    assert!(
        again.status == 1 && again.stderr.contains("is there already; choose another name, or say --force"),
        "{again:?}"
    );
}

#[test]
fn the_benchmark_names_the_fastest_number_of_threads() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    let ended = honinbo.run(&["benchmark", "-model", &network, "-v", "3", "-t", "1,2"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let lines: Vec<&str> = ended.stdout.lines().filter(|line| line.starts_with("numSearchThreads = ")).collect();
    assert_eq!(lines.len(), 3, "{ended:?}");
    assert!(lines[0].starts_with("numSearchThreads =  1: ") && lines[0].contains(" visits/s = "), "{ended:?}");
    assert!(lines[0].contains(" nnBatches/s = ") && lines[0].contains(" avgBatchSize = "), "{ended:?}");
    assert!(lines[2].ends_with("(recommended)"), "{ended:?}");
    // As LizzieYzy Next calls it.
    let more = ["-config", "gtp.cfg", "-s", "-n", "2", "-time", "5", "-override-config", "logToStderr=false"];
    let ended =
        honinbo.run(&[&["benchmark", "-model", network.as_str(), "-v", "2", "-t", "1"], more.as_slice()].concat());
    assert!(ended.status == 0 && ended.stderr.contains("note: -time means nothing"), "{ended:?}");
    let json = honinbo.run(&["benchmark", "--net", &network, "--visits", "2", "--threads", "1", "--json"]).json();
    assert_eq!(json["fastestThreads"], 1, "{json}");
}
