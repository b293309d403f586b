//! Opening files of every kind, and choosing among several games.

use crate::host::Desk;
use honinbo_api::{ApiError, Event, RecordProblemKind};
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;

const GIB: &[u8] = b"\\HS\n\\[GAMEBLACKNAME=tygem (3D)\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 3 3\n\\GE\n";
const NGF: &[u8] = b"Rating game\r\n19\r\nwhite 2D*\r\nblack 3D*\r\nwww.cyberoro.com\r\n0\r\n0\r\n6\r\n20050117 [08:12]\r\n5\r\nBlack wins by resign!\r\n2\r\nPMABBQEEQ\r\nPMACWEQQE\r\n";
const UGF: &[u8] = b"[Header]\r\nTitle=t\r\nPlayerB=b,2d,\r\nPlayerW=w,3d,\r\nSize=19\r\nHdcp=0,6.5\r\n[Data]\r\nQD,B1,1,10\r\nDD,W1,2,12\r\n";

fn content(name: &str, bytes: &[u8]) -> Value {
    use base64::Engine as _;
    json!({"kind": "content", "name": name, "base64": base64::engine::general_purpose::STANDARD.encode(bytes)})
}

fn open(desk: &Desk, name: &str, bytes: &[u8]) -> Result<Value, ApiError> {
    desk.give("open_content", content(name, bytes))
}

fn refused(desk: &Desk, name: &str, bytes: &[u8]) -> String {
    match open(desk, name, bytes) {
        Err(ApiError::UnreadableFile { message, .. }) => {
            assert!(!message.contains(name), "{message}");
            message
        }
        other => panic!("{name} is not refused: {other:?}"),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn every_format_opens_whatever_its_name() {
    let desk = Desk::new();
    let sgf: &[u8] = b"(;SZ[9];B[ee])";
    for (name, bytes) in [
        ("a.sgf", sgf.to_vec()),
        ("a.gib", GIB.to_vec()),
        ("a.ngf", NGF.to_vec()),
        ("a.ugf", UGF.to_vec()),
        ("a.sgf.gz", gzip(sgf)),
        ("a.gib.gz", gzip(GIB)),
        ("a.zip", zip(&[("read me.txt", b"hello"), ("club/a.sgf", sgf)])),
        ("a.zip.gz", gzip(&zip(&[("a.ugf", UGF)]))),
        ("wrong.txt", gzip(sgf)),
        ("wrong.sgf", zip(&[("a.ngf", NGF)])),
    ] {
        let view = open(&desk, name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(view["tree"]["ids"].as_array().unwrap().len() > 1, "{name}");
        assert_eq!(view["fileName"], name);
    }
}

#[test]
fn of_several_games_the_person_chooses() {
    let desk = Desk::new();
    let games = b"(;SZ[9]PB[a]BR[3d]PW[b]DT[2020-01-02]RE[B+R];B[ee];W[cc])(;SZ[9]PB[c];B[aa])".to_vec();
    let file = zip(&[("round 1/a.sgf", &games), ("round 2.gib", GIB), ("broken.sgf", b"no game")]);
    let error = open(&desk, "club.zip", &file).unwrap_err();
    assert!(matches!(error, ApiError::SeveralGames { .. }), "{error:?}");

    let list = desk.must("list_games", content("club.zip", &file));
    let listed = list["games"].as_array().unwrap();
    assert_eq!((&list["name"], &list["complete"], listed.len()), (&json!("club.zip"), &json!(true), 3));
    let first = &listed[0];
    assert_eq!(
        [&first["black"], &first["blackRank"], &first["date"], &first["result"], &first["moves"], &first["width"]],
        [&json!("a"), &json!("3d"), &json!("2020-01-02"), &json!("B+R"), &json!(2), &json!(9)]
    );
    assert_eq!((&listed[1]["black"], &listed[2]["file"]), (&json!("c"), &json!("round 2.gib")));
    assert_eq!(list["problems"][0]["file"], "broken.sgf");

    let opened = desk.must("open_games", json!({"source": content("club.zip", &file), "games": [2, 1, 1]}));
    let names: Vec<_> = opened.as_array().unwrap().iter().map(|game| game["info"]["black"].clone()).collect();
    assert_eq!(names, [json!("c"), json!("tygem")]);
    for wrong in [json!([]), json!([7]), json!((0..21).collect::<Vec<_>>())] {
        let answer = desk.give("open_games", json!({"source": content("club.zip", &file), "games": wrong}));
        assert!(answer.is_err(), "{wrong}");
    }
}

#[test]
fn what_cannot_be_opened_is_a_sentence() {
    let desk = Desk::new();
    let whole = zip(&[("a.sgf", b"(;SZ[9];B[ee])")]);
    let said = |name: &str, bytes: &[u8], words: &str| {
        let message = refused(&desk, name, bytes);
        assert!(message.contains(words), "{name}: {message}");
    };
    said("empty.sgf", b"", "is empty");
    said("photo.sgf", b"\x89PNG\r\n", "no game record found");
    let Err(ApiError::UnreadableFile { problem, .. }) = open(&desk, "photo.sgf", b"\x89PNG\r\n") else { panic!() };
    assert_eq!(problem.map(|said| said.kind), Some(RecordProblemKind::NoGame));
    said("torn.zip", &whole[..whole.len() / 2], "is damaged");
    said("nothing.zip", &zip(&[("a.txt", b"hello")]), "holds no record of a game");
    let packed = gzip(&b"(;SZ[9];B[ee])".repeat(500));
    said("torn.sgf.gz", &packed[..packed.len() / 2], "cannot be unpacked");
    let mut deep = whole.clone();
    for _ in 0..4 {
        deep = zip(&[("inner.zip", &deep)]);
    }
    said("deep.zip", &deep, "too deep");
    // The mark of encryption in the local header and in the directory.
    let mut locked = whole.clone();
    let directory = locked.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    locked[6] |= 1;
    locked[directory + 8] |= 1;
    said("locked.zip", &locked, "password");
    let bomb = gzip(&vec![b'('; 80 << 20]);
    assert!(bomb.len() < 1 << 20);
    said("bomb.sgf.gz", &bomb, "far more");
    said("bomb.zip", &zip(&[("a.sgf", &vec![b'('; 80 << 20])]), "far more");

    let browser = Desk::without_paths();
    let source = json!({"kind": "path", "path": "/etc/passwd"});
    for (name, args) in [("list_games", source.clone()), ("open_games", json!({"source": source, "games": [0]}))] {
        assert!(matches!(browser.give(name, args), Err(ApiError::NotPossibleHere { .. })), "{name}");
    }
}

#[test]
fn a_file_of_another_format_is_never_written_over() {
    let desk = Desk::new();
    for (name, bytes) in
        [("a.gib", GIB.to_vec()), ("a.sgf.gz", gzip(b"(;SZ[19];B[aa])")), ("a.zip", zip(&[("a.gib", GIB)]))]
    {
        let path = desk.path(name);
        std::fs::write(&path, &bytes).unwrap();
        let game = desk.must("open_file", json!({"path": path}))["gameId"].clone();
        desk.must("set_comment", json!({"gameId": game, "nodeId": 0, "text": "mine"}));
        let question = desk.must("close_game", json!({"gameId": game, "changes": "ask"}))["question"].clone();
        assert_eq!(question["place"]["kind"], "library", "{name}");
        desk.must("close_game", json!({"gameId": game, "changes": "save"}));
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{name}");
    }
}

#[test]
fn a_file_that_the_system_gives_is_opened_or_asked_about() {
    let desk = Desk::new();
    let (one, two) = (desk.path("one.sgf"), desk.path("two.sgf"));
    std::fs::write(&one, "(;SZ[9];B[ee])").unwrap();
    std::fs::write(&two, "(;SZ[9];B[ee])(;SZ[9];B[aa])").unwrap();
    desk.app.open_before_window(&one).unwrap();
    desk.app.open_before_window(&two).unwrap();
    let startup = desk.must("startup", json!({}));
    assert_eq!((startup["games"].as_array().unwrap().len(), &startup["given"]), (1, &json!([{"path": two}])));
    assert_eq!(desk.must("startup", json!({}))["given"], json!([]), "it is asked about once");
    desk.app.open_path(&two).unwrap();
    desk.wait_for(|event| matches!(event, Event::FileGiven(file) if file.path == two.to_string_lossy()).then_some(()));
    desk.app.open_path(&one).unwrap();
    desk.wait_for(|event| matches!(event, Event::GameOpened(_)).then_some(()));

    // What cannot be opened is said by the window, in the person's language.
    let nowhere = desk.path("nowhere.sgf");
    assert!(desk.app.open_path(&nowhere).is_err());
    desk.wait_for(|event| {
        matches!(event, Event::FileGiven(file) if file.path == nowhere.to_string_lossy()).then_some(())
    });
    assert!(desk.app.open_before_window(&nowhere).is_err());
    assert_eq!(desk.must("startup", json!({}))["given"], json!([{"path": nowhere}]));
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_unicode_is_opened_saved_and_kept_as_any_other() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let place = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    let (one, two, nowhere) = (place(b"\xbe\xd6.sgf"), place(b"\xc6\xd7.sgf"), place(b"\xff.sgf"));
    let address = |name: &str| format!("file://{}/{name}", folder.path().display());
    std::fs::write(&one, "(;SZ[9];B[ee])").unwrap();
    std::fs::write(&two, "(;SZ[9];B[ee])(;SZ[13];B[aa])").unwrap();
    let data = folder.path().join("data");
    {
        let desk = Desk::in_folder(&data);
        desk.app.keep_open_games();
        desk.app.open_before_window(&one).unwrap();
        let game = desk.must("startup", json!({}))["games"][0].clone();
        desk.must("set_comment", json!({"gameId": game["gameId"], "nodeId": 0, "text": "kept"}));
        desk.app.shut_down();
    }

    // After a restart it still belongs to its file, which somebody else has changed meanwhile.
    let desk = Desk::in_folder(&data);
    desk.app.keep_open_games();
    let startup = desk.must("startup", json!({}));
    assert_eq!((&startup["notKept"], &startup["setAside"]), (&Value::Null, &json!([])));
    let game = startup["games"][0]["gameId"].clone();
    std::fs::write(&one, "(;SZ[9];B[ee];W[cc])").unwrap();
    let asked = desk.must("close_game", json!({"gameId": game, "changes": "save"}))["question"].clone();
    let file = json!({"kind": "fileChanged", "name": "\u{fffd}\u{fffd}.sgf", "path": address("%BE%D6.sgf")});
    assert_eq!(asked, file);
    desk.must("open_file", json!({"path": file["path"]}));
    desk.must("close_game", json!({"gameId": game, "changes": "replace"}));
    assert!(std::fs::read_to_string(&one).unwrap().contains("C[kept]"));

    // What is left to the window is found by what it is told, or named as well as it can be.
    desk.app.open_path(&two).unwrap();
    let given = json!({"path": address("%C6%D7.sgf")});
    desk.wait_for(|event| matches!(event, Event::FileGiven(file) if json!(file) == given).then_some(()));
    let source = json!({"kind": "path", "path": given["path"]});
    let list = desk.must("list_games", source.clone());
    assert_eq!((&list["name"], &list["games"][1]["width"]), (&json!("\u{fffd}\u{fffd}.sgf"), &json!(13)));
    assert_eq!(desk.must("open_games", json!({"source": source, "games": [1]}))[0]["width"], 13);
    assert!(desk.app.open_before_window(&nowhere).is_err());
    let given = desk.must("startup", json!({}))["given"].clone();
    assert_eq!(given, json!([{"path": address("%FF.sgf")}]));
    let Err(ApiError::UnreadableFile { file, .. }) = desk.give("open_file", given[0].clone()) else {
        panic!("it is not there")
    };
    assert!(file.ends_with("/\u{fffd}.sgf"), "{file}");
    assert_eq!(desk.used_files(), [one, two.clone(), two]);
}

#[test]
fn the_system_is_told_of_files_that_were_opened_and_saved() {
    let desk = Desk::new();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.sgf"), "(;SZ[9];B[ee])").unwrap();
    std::fs::write(path("two.sgf"), "(;SZ[9];B[ee])(;SZ[9];B[cc])").unwrap();
    let view = desk.must("open_file", json!({"path": path("a.sgf")}));
    desk.give("open_file", json!({"path": path("missing.sgf")})).unwrap_err();
    desk.must("open_games", json!({"source": {"kind": "path", "path": path("two.sgf")}, "games": [0, 1]}));
    desk.must("save_file", json!({"gameId": view["gameId"], "path": path("b.sgf"), "evaluations": false}));
    open(&desk, "content.sgf", b"(;SZ[9])").unwrap();
    assert_eq!(desk.used_files(), ["a.sgf", "two.sgf", "b.sgf"].map(path));
}

#[test]
fn a_game_is_dragged_out_of_the_window_as_a_file_of_its_name() {
    let desk = Desk::new();
    let dragged = |name: &str, content: &[u8]| {
        let view = open(&desk, name, content).unwrap();
        let file = desk.must("drag_file", json!({"gameId": view["gameId"]}));
        std::path::PathBuf::from(file["path"].as_str().unwrap())
    };
    let first = dragged("../../起手.gib.sgf", "(;SZ[9]PB[Alice];B[ee])".as_bytes());
    assert_eq!(first.file_name().unwrap(), "起手.gib.sgf");
    assert!(first.starts_with(desk.path("data")), "{first:?}");
    assert!(std::fs::read_to_string(&first).unwrap().contains(";B[ee]"));
    let second = dragged("other.ugf", b"(;SZ[9];B[cc])");
    assert_eq!(second.file_name().unwrap(), "other.sgf", "it is SGF whatever it was");
    assert!(!first.exists(), "the last one stays, and no other");
    assert_eq!(desk.dragged_files(), [first, second]);
    desk.give("drag_file", json!({"gameId": "none"})).unwrap_err();
}

/// As under Windows, where another program may still read what was dropped on it.
#[cfg(unix)]
#[test]
fn a_game_is_dragged_although_the_file_of_an_earlier_drag_cannot_be_removed() {
    use std::os::unix::fs::PermissionsExt as _;

    let desk = Desk::new();
    let held = desk.path("data").join("dragged/0");
    let allow = |mode| std::fs::set_permissions(&held, std::fs::Permissions::from_mode(mode)).unwrap();
    std::fs::create_dir_all(&held).unwrap();
    std::fs::write(held.join("game.sgf"), "(;SZ[9])").unwrap();
    allow(0o555);
    let view = open(&desk, "game.sgf", b"(;SZ[9];B[ee])").unwrap();
    let file = desk.must("drag_file", json!({"gameId": view["gameId"]}));
    assert!(std::fs::read_to_string(file["path"].as_str().unwrap()).unwrap().contains(";B[ee]"));
    if held.exists() {
        allow(0o755);
    }
}

#[test]
fn a_host_without_a_window_of_its_own_writes_no_file_to_be_dragged() {
    let desk = Desk::without_paths();
    let view = open(&desk, "a.sgf", b"(;SZ[9])").unwrap();
    desk.give("drag_file", json!({"gameId": view["gameId"]})).unwrap_err();
    assert!(!desk.path("data").join("dragged").exists());
}
