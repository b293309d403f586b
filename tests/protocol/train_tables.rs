//! `honinbo train rows` and `history`: tables for other programs, what those make of them, and the way back.
//!
//! `scripts/clients` installs pyarrow, DuckDB and Polars; where they are not there the tests of these count as skipped.

use crate::clients::answer_of;
use crate::support::{Honinbo, engine, repository};
use crate::train::CONFIG;
use honinbo_rules::Random;
use honinbo_testkit::fixtures;
use honinbo_train::{Rows, read_rows, write_rows};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// Rows in a square of 5 points with numbers of all kinds.
fn rows(seed: u64, count: usize) -> Rows {
    let (side, square) = (5, 25);
    let mut random = Random::new(seed);
    let mut rows = Rows::new(side);
    for _ in 0..count {
        let (width, height) = (2 + random.below(4), 2 + random.below(4));
        let mut board = [0; 4];
        for point in (0..square).filter(|point| point % side < width && point / side < height) {
            board[point / 8] |= 0x80 >> (point % 8);
        }
        rows.planes.extend(board);
        rows.planes.extend((0..21 * 4).map(|_| random.next_u64() as u8));
        rows.globals.extend((0..19).map(|index| if index == 3 { -0.0 } else { random.unit() as f32 - 0.5 }));
        let mut targets: Vec<f32> = (0..80).map(|_| random.unit() as f32 * 50.0 - 25.0).collect();
        // Weights of the row and its policies, and the version.
        (targets[25], targets[26], targets[28], targets[63]) = (1.0, 1.0, 0.0, 3.0);
        targets[0] = random.below(2) as f32;
        rows.targets.extend(targets);
        rows.policy.extend((0..52).map(|index| if index % 26 == 25 { 1 + random.below(900) as i16 } else { 0 }));
        rows.scores.extend((0..170).map(|_| random.below(101) as i8));
        rows.spatial.extend((0..125).map(|_| random.next_u64() as i8));
        rows.q_values.extend((0..78).map(|_| random.next_u64() as i16));
        rows.edges.push(random.below(4) as u8);
    }
    rows
}

/// Paths in the data folder.
fn path(honinbo: &Honinbo, name: &str) -> String {
    honinbo.data.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn rows_become_a_table_and_come_back() {
    let honinbo = Honinbo::new();
    let path = |name: &str| path(&honinbo, name);
    let (one, two, table, back) = (path("a.npz"), path("b.npz"), path("both.parquet"), path("back.npz"));
    let mut both = rows(1, 3);
    write_rows(Path::new(&one), &both).unwrap();
    write_rows(Path::new(&two), &rows(2, 2)).unwrap();
    both.append(&rows(2, 2));
    let written = honinbo.run(&["train", "rows", &one, &two, &table, "--json"]);
    assert_eq!(written.json(), json!({ "file": table, "rows": 5, "files": 2, "leftOut": [] }));
    let returned = honinbo.run(&["train", "rows", &table, &back]);
    assert_eq!((returned.status, returned.stdout), (0, format!("5 rows of 1 files: {back}\n")));
    assert_eq!(read_rows(Path::new(&back), Some(5)).unwrap(), both);

    // Nothing is written over unless somebody says so.
    for (from, file) in [(&one, &table), (&table, &back)] {
        let before = std::fs::read(file).unwrap();
        let refused = honinbo.run(&["train", "rows", from, file]);
        assert!(refused.failure().contains("is there already; choose another name, or say --force"), "{refused:?}");
        assert_eq!(std::fs::read(file).unwrap(), before);
    }
    assert_eq!(honinbo.run(&["train", "rows", &one, &table, "--force"]).status, 0);
    assert_eq!(honinbo.run(&["train", "rows", &table, &back, "--force", "--json"]).json()["rows"], 3);

    for senseless in [
        vec!["rows", &one],
        vec!["rows", &one, "rows.arrow"],
        vec!["rows", &one, "more.npz"],
        vec!["rows", &table, "more.parquet"],
        vec!["rows", &one, "more.parquet", "--generation", "1"],
        vec!["history", &one, "more.npz"],
    ] {
        let refused = honinbo.run(&[vec!["train"], senseless].concat());
        assert_eq!(refused.status, 2, "{refused:?}");
    }
}

#[test]
fn what_is_no_table_or_no_run_says_so_and_leaves_no_file() {
    let honinbo = Honinbo::new();
    let path = |name: &str| path(&honinbo, name);
    let (archive, table, file) = (path("a.npz"), path("a.parquet"), path("new.npz"));
    write_rows(Path::new(&archive), &rows(1, 3)).unwrap();
    assert_eq!(honinbo.run(&["train", "rows", &archive, &table]).status, 0);
    let refused = |from: &str, file: &str| {
        let ended = honinbo.run(&["train", "rows", from, file]);
        assert!(!Path::new(file).exists(), "{ended:?}");
        ended.failure().to_owned()
    };
    let whole = std::fs::read(&table).unwrap();
    std::fs::write(&table, &whole[..whole.len() / 2]).unwrap();
    assert!(refused(&table, &file).contains("a.parquet: it is no Parquet file, or not a whole one: "));
    std::fs::copy(&archive, &table).unwrap();
    assert!(
        refused(&table, &file).contains("it does not begin and end as one; write it again with `honinbo train rows`")
    );
    assert!(refused(&path("nowhere.parquet"), &file).contains("nowhere.parquet cannot be read: "));

    let new = path("new.parquet");
    std::fs::write(&archive, "no archive").unwrap();
    assert!(refused(&archive, &new).contains("a.npz: it is no archive of arrays: "));
    let run = path("run");
    std::fs::create_dir(&run).unwrap();
    assert!(refused(&run, &new).contains("has no run"));
    assert!(honinbo.run(&["train", "history", &run, &new]).failure().contains("has no run"));
    assert!(honinbo.run(&["train", "history", &run, &new, "--games"]).failure().contains("has no run"));
    std::fs::write(Path::new(&run).join("run.toml"), CONFIG).unwrap();
    assert!(refused(&run, &new).contains("there are no rows in "));
    // What is damaged in a run is named and left out.
    let generation = Path::new(&run).join("rows/000001");
    write_rows(&generation.join("000000.npz"), &rows(1, 3)).unwrap();
    std::fs::write(generation.join("000001.npz"), "no archive").unwrap();
    let written = honinbo.run(&["train", "rows", &run, &new, "--json"]).json();
    assert_eq!((&written["rows"], &written["files"]), (&3.into(), &1.into()));
    assert!(written["leftOut"][0].as_str().unwrap().contains("000001.npz: it is no archive"), "{written}");
    let left = std::fs::read_dir(honinbo.data.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.filter(|name| name.to_string_lossy().starts_with(".unfinished")).count(), 0);
}

/// The script of the readers of tables; `None`, counted as skipped, where they are not installed.
fn readers() -> Option<impl Fn(&[&str]) -> Value> {
    let packages = repository().join(".cache/clients/tables");
    if !packages.join("installed").is_file() {
        fixtures::skip("pyarrow, DuckDB and Polars are not there; scripts/clients gets them");
        return None;
    }
    Some(move |args: &[&str]| {
        let mut command = Command::new("python3");
        command.arg(repository().join("tests/protocol/clients/row_tables.py")).args(args);
        command.env("PYTHONPATH", &packages).env("PYTHONDONTWRITEBYTECODE", "1");
        answer_of(command)
    })
}

#[test]
fn pyarrow_duckdb_and_polars_read_the_rows_and_what_they_select_comes_back() {
    let Some(readers) = readers() else { return };
    let honinbo = Honinbo::new();
    let path = |name: &str| path(&honinbo, name);
    let (archive, table) = (path("rows.npz"), path("rows.parquet"));
    // More than a group, and than a dictionary's page.
    let all = rows(7, 4500);
    write_rows(Path::new(&archive), &all).unwrap();
    assert_eq!(honinbo.run(&["train", "rows", &archive, &table]).status, 0);
    let found = readers(&["compare", &archive, &table]);
    assert_eq!(found["rows"], 4500, "{found}");
    let metadata = json!({ "honinbo.table": "rows", "honinbo.version": "1", "honinbo.side": "5" });
    assert_eq!(found["metadata"], metadata, "{found}");
    let types = "generation int64, file int64, game uint64, turn int64, width int64, height int64, self_komi double, \
                 visits double, win double, score double, policy_surprise double, checksum int64, edges int64, \
                 planes fixed_size_binary[88], globals list<element: float not null>, \
                 policy list<element: int16 not null>, targets list<element: float not null>, \
                 scores list<element: int8 not null>, spatial list<element: int8 not null>, \
                 q_values list<element: int16 not null>";
    let listed: Vec<&str> = found["types"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect();
    assert_eq!(listed.join(", "), types);

    let selected = readers(&["select", &table, honinbo.data.path().to_str().unwrap()]);
    for program in ["pyarrow", "duckdb", "polars"] {
        let (theirs, back) = (path(&format!("{program}.parquet")), path(&format!("{program}.npz")));
        let returned = honinbo.run(&["train", "rows", &theirs, &back, "--json"]).json();
        assert_eq!(returned["rows"], selected[program], "{program}");
        assert_eq!(readers(&["compare", &back, &theirs])["rows"], selected[program], "{program}");
    }
    let mut backwards = Rows::new(5);
    (0..4500).rev().for_each(|row| backwards.push_from(&all, row));
    assert_eq!(read_rows(Path::new(&path("pyarrow.npz")), Some(5)).unwrap(), backwards);
    let snappy = honinbo.run(&["train", "rows", &path("snappy.parquet"), &path("snappy.npz")]);
    assert!(snappy.failure().contains("is compressed with snappy; zstd and none are known; write it with zstd"));
}

#[test]
fn the_tables_of_a_run_are_joined_by_its_games() {
    let Some(readers) = readers() else { return };
    if engine().is_none() {
        return;
    }
    let honinbo = Honinbo::new();
    let path = |name: &str| path(&honinbo, name);
    let (config, run) = (path("my.toml"), path("run"));
    std::fs::write(&config, CONFIG).unwrap();
    let made = honinbo.run(&["train", &run, "--config", &config, "--generations", "2"]);
    assert_eq!(made.status, 0, "{made:?}");
    let status = honinbo.run(&["train", "status", &run, "--json"]).json();
    let (rows, games, generations) = (path("rows.parquet"), path("games.parquet"), path("generations.parquet"));
    let written = honinbo.run(&["train", "rows", &run, &rows, "--json"]).json();
    assert_eq!((&written["rows"], &written["files"]), (&status["cost"]["rows"], &4.into()));
    let written = honinbo.run(&["train", "history", &run, &games, "--games", "--json"]).json();
    assert_eq!(written, json!({ "file": games, "games": 8 }));
    let written = honinbo.run(&["train", "history", &run, &generations]);
    assert_eq!(written.stdout, format!("2 generations: {generations}\n"));
    let found = readers(&["join", &rows, &games, &generations]);
    assert_eq!((&found["rows"], &found["joined"]), (&status["cost"]["rows"], &status["cost"]["rows"]), "{found}");
    assert_eq!(found["games"], json!([8, 8]), "{found}");
    for (generation, told) in found["generations"].as_array().unwrap().iter().enumerate() {
        assert_eq!((&told[0], &told[1]), (&json!(generation + 1), &4.into()), "{found}");
        assert_eq!((&told[4], &told[5]), (&true.into(), &true.into()), "{found}");
        assert!(told[2].as_u64() > Some(0) && told[3].as_u64() > Some(0), "{found}");
    }
    // One generation alone, and what refuses to be written over.
    let second = honinbo.run(&["train", "rows", &run, &path("second.parquet"), "--generation", "2", "--json"]).json();
    assert_eq!(second["files"], 2);
    assert!(honinbo.run(&["train", "history", &run, &games]).failure().contains("is there already"));
    assert_eq!(honinbo.run(&["train", "history", &run, &games, "--force"]).status, 0);
}
