//! Folders that are damaged, half written, or of another version. Whole ones are those of `honinbo-train`'s tests.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;

use honinbo_training::{
    Event, FolderError, Gated, Losses, Probe, RunStep, empty_board_policy, game_text, note, report, stamp, status,
};

const CONFIG: &str = "seed = 1\nsetting_of_tomorrow = 3\n[[boards]]\nwidth = 5\nheight = 4\ntorus = true\nnew = 1\n\
                      [selfplay]\ngames = 5\ngames_per_file = 2\n";

fn folder(config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.toml"), config).unwrap();
    folder
}

fn put(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn fit(generation: u32, total: f64) -> Event {
    let losses = Losses { total, ..Losses::default() };
    Event::Fit { generation, steps: 10, losses, seconds: 2.0, processor_seconds: Some(3.0) }
}

fn gate(generation: u32, policy: Vec<f32>) -> Event {
    let probe = Probe {
        fair_komi: 7.0,
        policy_move: "C3".into(),
        policy_share: 0.5,
        policy,
        first_move: "C3".into(),
        black_win_rate: 0.5,
        komi: 7.5,
        black_margin: 8.0,
        moves: vec!["C3".into(), "pass".into(), "pass".into()],
    };
    Event::Gate(Gated {
        generation,
        against: generation - 1,
        wins: 3,
        losses: 1,
        draws: 0,
        elo: None,
        elo_low: None,
        elo_high: None,
        taken: true,
        probe: Some(probe),
        seconds: 4.0,
        processor_seconds: Some(5.0),
    })
}

#[test]
fn a_run_that_has_just_begun_has_a_status() {
    let folder = folder(CONFIG);
    let found = status(folder.path()).unwrap();
    assert_eq!((found.generations, found.step, found.files_wanted), (0, RunStep::Selfplay, 3));
    assert_eq!((found.board, found.seconds_left), ((5, 4, true), None));
    assert!(found.games.is_empty() && found.losses.is_empty() && found.strengths.is_empty());
    assert!(!stamp(folder.path()).unwrap().is_empty());
}

#[test]
fn a_run_that_was_stopped_is_told_from_one_under_way() {
    let folder = folder(CONFIG);
    let path = folder.path();
    let told = || (status(path).unwrap().under_way, stamp(path).unwrap());
    assert_eq!(told().0, None, "a version without locks, or another machine's copy");
    put(path, ".lock", "");
    let (stopped, before) = told();
    let lock = std::fs::File::options().write(true).open(path.join(".lock")).unwrap();
    lock.lock().unwrap();
    let (runs, during) = told();
    assert_eq!((stopped, runs), (Some(false), Some(true)));
    assert_ne!(before, during, "whoever watches hears of it");
    drop(lock);
    assert_eq!(told(), (Some(false), before));
    // The games of a run in a store are played elsewhere.
    put(path, "store.json", "{}");
    assert_eq!(told().0, None);
}

#[test]
fn what_is_no_run_is_said_in_a_sentence() {
    let nothing = tempfile::tempdir().unwrap();
    assert!(matches!(status(nothing.path()), Err(FolderError::NoRun(_))));
    assert!(matches!(stamp(nothing.path()), Err(FolderError::NoRun(_))));
    for wrong in ["boards = 3", "boards = []", "\u{0}\u{1}", "[[boards]]\nwidth = -1", "[[boards]]\nwidth = 1000"] {
        let error = status(folder(wrong).path()).unwrap_err();
        assert!(matches!(error, FolderError::Config { .. }), "{wrong}: {error}");
        assert!(!error.hint().is_empty());
    }
    let huge = folder(&"#".repeat(2 << 20));
    assert!(status(huge.path()).unwrap_err().to_string().contains("more than 1 MiB"));
    // No division by what somebody wrote.
    let odd = folder("boards = [{}]\nselfplay = { games = 0, games_per_file = 0 }");
    assert_eq!(status(odd.path()).unwrap().files_wanted, 0);
}

#[test]
fn lines_that_make_no_sense_are_counted_and_the_others_count() {
    let folder = folder(CONFIG);
    let path = folder.path();
    note(path, &fit(1, 5.0)).unwrap();
    let whole = std::fs::read(path.join("status.jsonl")).unwrap();
    let mut bytes = whole.clone();
    bytes.extend(b"{\"event\":\"tomorrow\",\"generation\":1}\n\xff\xfe\n\n{\"event\":\"fit\",\"generation\":2,\"steps\":1e300}\n");
    bytes.extend(serde_json::to_string(&fit(2, 1e300)).unwrap().bytes().chain(*b"\n"));
    bytes.extend(vec![b'x'; 3 << 20]);
    bytes.push(b'\n');
    bytes.extend(&whole[..20]);
    std::fs::write(path.join("status.jsonl"), &bytes).unwrap();
    let found = status(path).unwrap();
    assert_eq!(found.unread, 5, "another event, no text, no number of steps, no loss, too long");
    assert_eq!(found.losses.len(), 1);
    // A half line is ended before the next is noted.
    note(path, &fit(2, 4.0)).unwrap();
    let found = status(path).unwrap();
    assert_eq!((found.unread, found.losses.len(), found.losses[1].steps), (6, 2, 20));
    assert_eq!((found.cost.seconds, found.cost.processor_seconds), (4.0, Some(6.0)));
}

#[test]
fn a_generation_that_was_made_twice_counts_as_the_later_one() {
    let folder = folder(CONFIG);
    let path = folder.path();
    let half = vec![0.5; 21];
    for event in
        [fit(1, 5.0), fit(1, 4.0), gate(1, vec![1.0; 21]), gate(1, half.clone()), gate(2, vec![2.0; 52 * 52 + 2])]
    {
        note(path, &event).unwrap();
    }
    put(path, "gates/000001.json", "{}");
    put(path, "networks/000001.bin.gz", "");
    let found = status(path).unwrap();
    assert_eq!((found.generations, found.network, found.unread), (1, 1, 1), "a policy of no board is left out");
    assert_eq!((found.losses.len(), found.losses[0].losses.total, found.losses[0].steps), (1, 4.0, 20));
    assert_eq!((found.probes.len(), found.strengths.len()), (1, 1));
    assert_eq!(empty_board_policy(path, 1).unwrap(), half);
    assert!(empty_board_policy(path, 2).unwrap_err().to_string().contains("generation 2"));
}

#[test]
fn a_verdict_that_was_not_noted_counts() {
    let folder = folder(CONFIG);
    let path = folder.path();
    let half = vec![0.5; 21];
    let events = [fit(1, 5.0), gate(1, half.clone()), fit(2, 4.0), gate(2, half.clone())];
    for event in &events {
        match event {
            // The run was ended between the two files.
            Event::Gate(gated) if gated.generation == 1 => {}
            event => note(path, event).unwrap(),
        }
        if let Event::Gate(gated) = event {
            put(path, &format!("gates/{:06}.json", gated.generation), serde_json::to_vec(gated).unwrap());
        }
    }
    // Another generation's, and a damaged one.
    std::fs::copy(path.join("gates/000001.json"), path.join("gates/000003.json")).unwrap();
    put(path, "gates/000004.json", "{");
    let found = report(path).unwrap();
    assert_eq!(found.events, events);
    let found = found.status;
    assert_eq!((found.generations, found.strengths.len(), found.probes.len()), (4, 2, 2));
    assert_eq!((found.cost.seconds, found.unread), (2.0 + 4.0 + 2.0 + 4.0, 0));
    assert_eq!(empty_board_policy(path, 1).unwrap(), half);
}

#[test]
fn the_step_under_way_follows_from_files_and_events() {
    let folder = folder(CONFIG);
    let path = folder.path();
    let step = || status(path).unwrap().step;
    for file in ["rows/000001/000000.npz", "rows/000001/000001.npz"] {
        put(path, file, "");
    }
    assert_eq!(step(), RunStep::Selfplay);
    put(path, "rows/000001/000002.npz", "");
    assert_eq!(step(), RunStep::Shuffle);
    let left_out = vec!["a file".to_owned()];
    let (generation, seconds, processor_seconds) = (1, 1.0, None);
    note(path, &Event::Shuffle { generation, rows: 1, played: 1, left_out, seconds, processor_seconds }).unwrap();
    assert_eq!(step(), RunStep::Fit);
    note(path, &Event::Trouble { generation, reason: "é".repeat(1000) }).unwrap();
    note(path, &fit(1, 1.0)).unwrap();
    assert_eq!(step(), RunStep::Gate);
    assert_eq!(status(path).unwrap().trouble.chars().count(), 500);
}

#[test]
fn games_of_any_content_are_listed_or_passed_over() {
    let folder = folder(CONFIG);
    let path = folder.path();
    put(path, "games/000001/000000.sgf", "(;SZ[5:4]KM[3.5]RE[B+2.5];B[aa];W[bb])\n(;SZ[99]RE[?]C[");
    put(path, "games/000001/000001.sgf", b"\xff\x00 no record");
    put(path, "games/000001/000002.part", "(;SZ[5:4]TOPO[torus];B[cc])");
    // Whole already: what was under way counts no more.
    put(path, "games/000001/000000.part", "(;SZ[5];B[aa])(;SZ[5];B[aa])");
    put(path, "games/000001/one.sgf", "(;SZ[5])");
    let games = status(path).unwrap().games;
    let listed: Vec<_> = games.iter().map(|game| (game.file, game.index, game.width, game.moves)).collect();
    assert_eq!(listed, [(2, 0, 5, 1), (0, 0, 5, 2)]);
    assert_eq!((games[1].height, games[1].komi, games[1].result.as_str()), (4, 3.5, "B+2.5"));
    assert_eq!(game_text(path, 1, 2, 0).unwrap(), b"(;SZ[5:4]TOPO[torus];B[cc])");
    assert!(game_text(path, 1, 1, 0).is_err() && game_text(path, 9, 9, 9).is_err());
    put(path, "games/000002", "a file where a folder should be");
    assert_eq!(status(path).unwrap().games.len(), 2);
}
