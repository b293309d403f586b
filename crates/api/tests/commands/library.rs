//! Keeping games and finding them again.

use crate::host::Desk;
use honinbo_api::{ApiError, Event};
use serde_json::{Value, json};

const GAME: &str = "(;GM[1]SZ[19]PB[柯洁]BR[9p]PW[AlphaGo]DT[2017-05-23]RE[W+0.5]KM[7.5]RU[Chinese];B[qd];W[pp];B[cc])";

fn list(desk: &Desk, text: &str) -> Vec<Value> {
    let query = json!({"text": text, "sort": "added", "descending": true, "offset": 0, "limit": 50});
    desk.must("search_records", query)["records"].as_array().unwrap().clone()
}

#[test]
fn a_game_is_saved_found_renamed_opened_deleted_and_brought_back() {
    let desk = Desk::new();
    let saved = desk.must("save_goban", json!({"goban": GAME}));
    assert_eq!(saved["duplicateOf"], json!(null));
    desk.wait_for(|event| matches!(event, Event::LibraryChanged).then_some(()));
    let again = desk.must("save_goban", json!({"goban": GAME}));
    assert_eq!(again["duplicateOf"], saved["id"]);

    let found = list(&desk, "柯");
    assert_eq!(found.len(), 1);
    let expected = json!({"black": "柯洁", "blackRank": "9p", "white": "AlphaGo", "date": "2017-05-23",
        "result": "W+0.5", "width": 19, "height": 19, "komi": 7.5, "moves": 3});
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&found[0][key], value, "{key}");
    }
    assert!(list(&desk, "Lee Sedol").is_empty());

    let id = &saved["id"];
    desk.must("rename_record", json!({"id": id, "title": "人机大战"}));
    assert_eq!(list(&desk, "人机")[0]["title"], "人机大战");

    let opened = desk.must("open_record", json!({"id": id}));
    assert_eq!(opened["recordId"], *id);
    desk.must("play", json!({"gameId": opened["gameId"], "vertex": 0}));
    let kept = desk.must("save_game", json!({"gameId": opened["gameId"]}));
    assert_eq!(kept["id"], *id, "a game opened from the library goes back to its place");
    assert_eq!(list(&desk, "").len(), 1);

    desk.must("delete_records", json!({"ids": [id]}));
    assert!(list(&desk, "").is_empty());
    desk.must("restore_records", json!({"ids": [id]}));
    assert_eq!(list(&desk, "").len(), 1);
    assert_eq!(desk.must("library_stats", json!({}))["games"], 1);
}

#[test]
fn a_library_that_cannot_be_opened_is_left_alone_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("library.sqlite");
    std::fs::write(&file, b"not a database at all, but precious").unwrap();
    let desk = Desk::in_folder(folder.path());
    let startup = desk.must("startup", json!({}));
    assert_eq!(startup["notices"].as_array().unwrap().len(), 1, "{startup}");
    let error = desk.give("save_goban", json!({"goban": GAME})).unwrap_err();
    assert!(matches!(&error, ApiError::Library { hint, .. } if !hint.is_empty()), "{error:?}");
    assert_eq!(std::fs::read(&file).unwrap(), b"not a database at all, but precious");
    // Everything else goes on.
    desk.open(GAME);
}

#[test]
fn what_is_no_record_is_not_kept() {
    let desk = Desk::new();
    let error = desk.give("save_goban", json!({"goban": "no brackets at all"})).unwrap_err();
    assert!(matches!(error, ApiError::UnreadableFile { .. }), "{error:?}");
    assert!(list(&desk, "").is_empty());
}

#[test]
fn files_and_contents_are_imported_with_a_report_and_once_only() {
    use base64::Engine as _;
    let desk = Desk::new();
    let folder = desk.path("games");
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    std::fs::write(folder.join("a.sgf"), GAME).unwrap();
    std::fs::write(folder.join("deep/b.sgf"), "(;SZ[9];B[aa])(;SZ[9];B[ab];W[cc])").unwrap();
    std::fs::write(folder.join("broken.sgf"), "no brackets at all").unwrap();
    let finished = || {
        desk.wait_for(|event| match event {
            Event::Import(progress) if progress.finished => Some(progress.clone()),
            _ => None,
        })
    };
    desk.must("import_paths", json!({"paths": [folder]}));
    let first = finished();
    assert_eq!((first.added, first.duplicates, first.cancelled), (3, 0, false), "{first:?}");
    assert!(first.problems.iter().any(|p| p.refused && p.file.ends_with("broken.sgf")), "{first:?}");

    desk.forget_events();
    desk.must("import_paths", json!({"paths": [folder]}));
    assert_eq!((finished().added, list(&desk, "").len()), (0, 3));

    desk.forget_events();
    let base64 = base64::engine::general_purpose::STANDARD.encode("(;SZ[9];B[ee];W[cc];B[gg]");
    desk.must("import_content", json!({"name": "../../climbs out.sgf", "base64": base64}));
    let content = finished();
    assert_eq!(content.added, 1);
    assert!(content.problems.iter().all(|problem| problem.file.starts_with("climbs out.sgf")), "{content:?}");
    let left: Vec<_> = std::fs::read_dir(desk.path("data/cache")).unwrap().flatten().collect();
    assert!(left.is_empty(), "the content put aside is removed: {left:?}");

    let error = desk.give("import_paths", json!({"paths": [desk.path("nowhere")]})).unwrap_err();
    assert!(matches!(error, ApiError::UnreadableFile { .. }), "{error:?}");
}
