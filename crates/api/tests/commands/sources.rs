//! Games that come by themselves: from servers that are asked, and from folders that are watched.

use crate::host::Desk;
use honinbo_api::{ApiError, Event, QueueState, RestReason, SourceSync, SyncState};
use honinbo_testkit::game_servers::{GameServers, Reply, recorded};
use serde_json::json;

/// A desk whose game servers are on this machine.
fn desk_with(servers: &GameServers) -> Desk {
    let desk = Desk::new();
    // The 25th of November 2026: the last month that was recorded.
    desk.sleep_for(1_795_575_600 - desk.now());
    std::fs::write(desk.path("data/game-servers-for-tests.txt"), servers.address()).unwrap();
    desk
}

fn add(desk: &Desk, kind: &str, name: &str, person: &str) -> u64 {
    let added = desk.must("add_source", json!({"kind": kind, "name": name, "person": person}));
    added["id"].as_u64().unwrap()
}

fn end_of(desk: &Desk, id: u64) -> SourceSync {
    desk.wait_for(|event| match event {
        Event::Source(sync) if u64::from(sync.id) == id => {
            Some(sync.clone()).filter(|sync| !matches!(sync.state, SyncState::Waiting | SyncState::Looking))
        }
        _ => None,
    })
}

fn titles(desk: &Desk) -> Vec<String> {
    let page =
        desk.must("search_records", json!({"text": "", "sort": "date", "descending": true, "offset": 0, "limit": 50}));
    let records = page["records"].as_array().unwrap();
    records
        .iter()
        .map(|game| format!("{} {}", game["date"].as_str().unwrap(), game["source"].as_str().unwrap()))
        .collect()
}

#[test]
fn games_of_two_servers_come_when_asked_for_and_are_one_persons() {
    let servers = GameServers::start();
    let desk = desk_with(&servers);
    let ogs = add(&desk, "ogs", "stonegarden", "");
    let kgs = add(&desk, "kgs", "stonegarden", "");
    assert_eq!(servers.paths(), [""; 0], "adding asks nobody");
    desk.must("sync_sources", json!({"ids": []}));
    let (of_ogs, of_kgs) = (end_of(&desk, ogs), end_of(&desk, kgs));
    assert_eq!((of_ogs.state, of_ogs.added, of_ogs.message.as_str()), (SyncState::Done, 4, ""));
    assert_eq!((of_kgs.state, of_kgs.added, of_kgs.message.as_str()), (SyncState::Done, 3, ""));
    assert_eq!(
        titles(&desk),
        [
            "2026-11-20 online-go.com",
            "2026-11-18 online-go.com",
            "2026-11-09 gokgs.com",
            "2026-11-03 gokgs.com",
            "2026-10-02 online-go.com",
            "2026-09-28 online-go.com",
            "2013-07-04 gokgs.com",
        ]
    );
    desk.wait_for(|event| matches!(event, Event::LibraryChanged).then_some(()));
    let sources = desk.must("list_sources", json!({}));
    assert_eq!(sources[0]["name"], "StoneGarden", "as the server spells it");
    assert_eq!((&sources[0]["games"], &sources[0]["syncedAt"]), (&json!(4), &json!(desk.now())));
    // Both names are one person, shown by the first account.
    let page = desk.must("player_page", json!({"name": "stonegarden"}));
    assert_eq!((&page["player"]["name"], &page["player"]["games"]), (&json!("StoneGarden"), &json!(7)));

    desk.forget_events();
    let asked = servers.asked().len();
    desk.must("sync_sources", json!({"ids": [ogs]}));
    assert_eq!((end_of(&desk, ogs).state, end_of(&desk, ogs).added), (SyncState::Done, 0));
    assert_eq!(servers.asked().len(), asked + 2, "who it is, and the first page");
    // What was taken back does not come again.
    desk.must("undo_library", json!({}));
    desk.must("delete_records", json!({"ids": [first_id(&desk)]}));
    let left = titles(&desk).len();
    desk.forget_events();
    desk.must("sync_sources", json!({"ids": []}));
    end_of(&desk, ogs);
    end_of(&desk, kgs);
    assert_eq!(titles(&desk).len(), left);
}

#[test]
fn own_games_that_come_are_reviewed_by_and_by_unless_that_is_not_wished_for() {
    let servers = GameServers::start();
    for wished in [true, false] {
        let desk = desk_with(&servers);
        desk.must("set_settings", json!({"reviewNew": wished}));
        desk.must("review_queue", json!({}));
        desk.runs_on_battery(true);
        let kgs = add(&desk, "kgs", "stonegarden", "");
        desk.must("sync_sources", json!({"ids": [kgs]}));
        assert_eq!(end_of(&desk, kgs).added, 3);
        let waiting = desk.must("review_queue", json!({}))["waiting"].clone();
        assert_eq!(waiting, if wished { 3 } else { 0 });
        if !wished {
            continue;
        }
        desk.wait_for(|event| match event {
            Event::Reviews(queue) => match queue.state {
                QueueState::Resting { reason: RestReason::Battery } => Some(()),
                _ => None,
            },
            _ => None,
        });
        desk.runs_on_battery(false);
        desk.wait_for(|event| match event {
            Event::Reviews(queue) if queue.waiting == 0 && queue.done == 3 && !queue.asked => Some(()),
            _ => None,
        });
        // The next look brings nothing new, and nothing is reviewed again.
        desk.sleep_for(1);
        desk.forget_events();
        desk.must("sync_sources", json!({"ids": [kgs]}));
        end_of(&desk, kgs);
        assert_eq!(desk.must("review_queue", json!({}))["waiting"], 0);
    }
}

#[test]
fn whether_many_own_games_are_reviewed_that_come_at_once_is_asked_once() {
    let letter = |at: usize| char::from(b'a' + (at % 9) as u8);
    let game = |at: usize, black: &str| {
        format!("(;SZ[9]PB[{black}]PW[Ben]RE[B+R];B[{}{}];W[{}i])", letter(at), letter(at / 9), letter(at + 1))
    };
    let desk = Desk::new();
    desk.runs_on_battery(true);
    let import = |games: String| {
        desk.forget_events();
        std::fs::write(desk.path("games.sgf"), games).unwrap();
        desk.must("import_paths", json!({"paths": [desk.path("games.sgf")]}));
        desk.wait_for(|event| matches!(event, Event::Import(import) if import.finished).then_some(()));
        desk.sleep_for(1);
        let queue = desk.must("review_queue", json!({}));
        (queue["waiting"].as_u64().unwrap(), queue["offered"].as_u64().unwrap())
    };
    let answer = |review: bool| {
        let queue = desk.must("take_review_offer", json!({"review": review}));
        (queue["waiting"].as_u64().unwrap(), queue["offered"].as_u64().unwrap(), queue["asked"].as_bool().unwrap())
    };
    assert_eq!(import((0..3).map(|at| game(at, "")).collect()), (0, 0), "who has no name has no games either");
    desk.must("set_settings", json!({"ownName": "Aya"}));
    assert_eq!(import((0..60).map(|at| game(at, "Cho")).collect()), (0, 0), "nobody's that is known");
    assert_eq!(import((0..2).map(|at| game(at, "Aya")).collect()), (2, 0), "a few are reviewed by and by");
    desk.must("clear_review_queue", json!({}));
    assert_eq!(import((2..62).map(|at| game(at, "Aya")).collect()), (0, 60));
    assert_eq!(answer(false), (0, 0, false));
    assert_eq!(import((2..62).map(|at| game(at, "Aya")).collect()), (0, 0), "they are there already");
    assert_eq!(import((0..60).map(|at| game(at, "Aya").replace("PW[Ben]", "PW[Eve]")).collect()), (0, 60));
    assert_eq!(answer(true), (60, 0, true));
    assert_eq!(answer(true).0, 60, "there is nothing to answer any more");
}

fn first_id(desk: &Desk) -> String {
    let page =
        desk.must("search_records", json!({"text": "", "sort": "date", "descending": true, "offset": 0, "limit": 1}));
    page["records"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_look_is_stopped_at_once_and_the_next_goes_on() {
    let (hold, held) = std::sync::mpsc::channel::<()>();
    let held = std::sync::Mutex::new(held);
    let servers = GameServers::answering(move |number, asked| {
        if number == 4 {
            let _ = held.lock().unwrap().recv();
        }
        recorded(asked)
    });
    let desk = desk_with(&servers);
    let ogs = add(&desk, "ogs", "StoneGarden", "");
    desk.must("sync_sources", json!({"ids": [ogs]}));
    desk.wait_for(|event| matches!(event, Event::Source(sync) if sync.fetched == 2).then_some(()));
    desk.must("stop_sync", json!({}));
    assert_eq!((end_of(&desk, ogs).state, end_of(&desk, ogs).added), (SyncState::Stopped, 2));
    drop(hold);
    desk.forget_events();
    desk.must("sync_sources", json!({"ids": [ogs]}));
    assert_eq!((end_of(&desk, ogs).state, end_of(&desk, ogs).added), (SyncState::Done, 2));
    assert_eq!(titles(&desk).len(), 4);
}

#[test]
fn a_server_that_fails_says_so_and_what_came_stays() {
    let servers = GameServers::answering(|_, asked| {
        if asked.path.contains("81000002") { Reply::ok("<html>log in</html>") } else { recorded(asked) }
    });
    let desk = desk_with(&servers);
    let ogs = add(&desk, "ogs", "StoneGarden", "");
    desk.must("sync_sources", json!({"ids": [ogs]}));
    let failed = end_of(&desk, ogs);
    assert_eq!((failed.state, failed.added), (SyncState::Failed, 2));
    assert!(failed.message.contains("is not what was asked for") && !failed.hint.is_empty(), "{failed:?}");
    let sources = desk.must("list_sources", json!({}));
    assert_eq!((&sources[0]["syncedAt"], &sources[0]["sync"]["state"]), (&json!(null), &json!("failed")));
    let error = desk.give("sync_sources", json!({"ids": [ogs, 77]})).unwrap_err();
    assert!(matches!(error, ApiError::NotFound { .. }), "{error}");
    desk.must("remove_source", json!({"id": ogs}));
    assert_eq!(desk.must("list_sources", json!({})), json!([]));
    assert_eq!(titles(&desk).len(), 2, "games stay");
}

#[test]
fn a_watched_folder_gives_what_is_complete_and_new() {
    let desk = Desk::new();
    let folder = desk.path("Sabaki");
    std::fs::create_dir_all(folder.join("2026")).unwrap();
    let game = |first: &str| format!("(;GM[1]SZ[9]PB[a]PW[{first}]DT[2026-01-01];B[{first}];W[cc];B[gg])");
    std::fs::write(folder.join("there.sgf"), game("ee")).unwrap();
    std::fs::write(folder.join("half.sgf"), "(;GM[1]SZ[9]PB[a]PW[half];B[aa];W[bb]").unwrap();
    std::fs::write(folder.join("notes.txt"), "no record").unwrap();
    add(&desk, "folder", folder.to_str().unwrap(), "");
    let added = |n: usize| {
        desk.wait_for(|event| matches!(event, Event::LibraryChanged).then_some(()));
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while titles(&desk).len() < n && std::time::Instant::now() < deadline {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(titles(&desk).len(), n);
    };
    added(1);
    std::fs::write(folder.join("2026/new.sgf"), game("dd")).unwrap();
    added(2);
    // What was half is whole now.
    std::fs::write(folder.join("half.sgf"), "(;GM[1]SZ[9]PB[a]PW[half];B[aa];W[bb];B[ii])").unwrap();
    added(3);
    assert!(titles(&desk).iter().all(|title| title.ends_with("Sabaki")), "{:?}", titles(&desk));
    // A game that somebody deleted here does not come back with the next look.
    desk.must("delete_records", json!({"ids": [first_id(&desk)]}));
    desk.must("sync_sources", json!({"ids": []}));
    desk.wait_for(|event| {
        matches!(event, Event::Source(sync) if sync.state == SyncState::Done && sync.added == 0 && sync.duplicates == 0)
            .then_some(())
    });
    assert_eq!(titles(&desk).len(), 2);
}

#[test]
fn each_record_of_an_archive_in_a_watched_folder_is_a_game() {
    use std::io::Write as _;
    let desk = Desk::new();
    let folder = desk.path("downloads");
    std::fs::create_dir_all(&folder).unwrap();
    let archive = |parts: &[(&str, &[u8])]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in parts {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        std::fs::write(folder.join("games.zip"), zip.finish().unwrap().into_inner()).unwrap();
    };
    // Three formats and character sets, one that was cut off, and one without a game.
    let gib: &[u8] = b"\\HS\n\\[GAMEBLACKNAME=tygem (3D)\\]\n\\HE\n\\GS\nINI 0 1 0 &4\nSTO 0 2 1 3 3\n\\GE\n";
    let chinese: &[u8] = b"(;GM[1]SZ[9]CA[GB2312]PB[\xBF\xC2\xBD\xE0]PW[a];B[ee];W[cc];B[gg])";
    let plain = "(;GM[1]SZ[9]CA[UTF-8]PB[井山裕太]PW[b];B[dd];W[cc];B[gg])".as_bytes();
    let mut parts = vec![
        ("2026/a.sgf", chinese),
        ("2026/b.gib", gib),
        ("c.sgf", plain),
        ("cut.sgf", b"(;GM[1]SZ[9]PB[cut]PW[c];B[cd];W[gc]".as_slice()),
        ("none.sgf", b"no record".as_slice()),
    ];
    archive(&parts);
    add(&desk, "folder", folder.to_str().unwrap(), "");
    let looked = |added: u32, duplicates: u32, refused: u32| {
        desk.wait_for(|event| match event {
            Event::Source(sync) if sync.state == SyncState::Done => {
                ((sync.added, sync.duplicates, sync.refused) == (added, duplicates, refused)).then_some(())
            }
            _ => None,
        });
        desk.forget_events();
    };
    let blacks = || {
        let query = json!({"text": "", "sort": "black", "descending": false, "offset": 0, "limit": 50});
        let page = desk.must("search_records", query);
        let names = page["records"].as_array().unwrap().iter().map(|game| game["black"].as_str().unwrap().to_owned());
        names.collect::<std::collections::BTreeSet<_>>()
    };
    looked(4, 0, 1);
    assert_eq!(blacks(), ["cut", "tygem", "井山裕太", "柯洁"].map(str::to_owned).into());
    // A look at what did not change brings nothing, not even known games; one more game brings that one.
    desk.must("sync_sources", json!({"ids": []}));
    looked(0, 0, 0);
    desk.must("delete_records", json!({"ids": [first_id(&desk)]}));
    parts.push(("d.sgf", b"(;GM[1]SZ[9]PB[new]PW[d];B[ed];W[cc];B[gg])".as_slice()));
    archive(&parts);
    looked(1, 0, 0);
    assert_eq!(blacks().len(), 4, "what was deleted stays so");
}

#[test]
fn folders_are_chosen_where_the_disk_is_the_persons_and_must_be_there() {
    let desk = Desk::new();
    let nowhere = json!({"kind": "folder", "name": desk.path("nowhere"), "person": ""});
    assert!(matches!(desk.give("add_source", nowhere), Err(ApiError::UnreadableFile { .. })));
    let empty = json!({"kind": "ogs", "name": "  ", "person": ""});
    assert!(matches!(desk.give("add_source", empty), Err(ApiError::Library { .. })));
    let browser = Desk::without_paths();
    let folder = json!({"kind": "folder", "name": "/tmp", "person": ""});
    assert!(matches!(browser.give("add_source", folder), Err(ApiError::NotPossibleHere { .. })));
}
