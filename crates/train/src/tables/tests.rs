use std::fs::File;
use std::path::{Path, PathBuf};

use honinbo_rules::Random;
use honinbo_training::{Event, FolderError, Gated, Losses, note, numbered, report};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use proptest::prelude::*;

use super::column::{Column, TableWriter, Values};
use super::footer::tests::footer;
use super::rows::columns;
use super::*;
use crate::error::{RowDefect, TrainError};
use crate::npz::{rows_from_bytes, rows_to_bytes, write_rows};
use crate::rows::{Rows, TARGETS, at};

/// Rows that make sense, with numbers of all kinds in them.
fn random_rows(seed: u64, side: usize, count: usize) -> Rows {
    let mut random = Random::new(seed);
    let mut rows = Rows::new(side);
    let [planes, globals, policy, _, scores, spatial, q_values, _] = rows.widths();
    for _ in 0..count {
        let (width, height) = (2 + random.below(side - 1), 2 + random.below(side - 1));
        let start = rows.planes.len();
        rows.planes.extend((0..planes).map(|_| random.next_u64() as u8));
        let board = &mut rows.planes[start..][..(side * side).div_ceil(8)];
        board.fill(0);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let point = y * side + x;
            board[point / 8] |= 0x80 >> (point % 8);
        }
        let mut number = || match random.below(6) {
            0 => 0.0,
            1 => -0.0,
            2 => f32::MIN_POSITIVE / 4.0,
            3 => -1e9,
            _ => random.unit() as f32 - 0.5,
        };
        rows.globals.extend((0..globals).map(|_| number()));
        let mut targets: Vec<f32> = (0..TARGETS).map(|_| number()).collect();
        targets[at::WEIGHT] = 1.0;
        targets[at::POLICY_WEIGHT] = 1.0;
        targets[at::REPLY_WEIGHT] = 0.0;
        targets[at::FORMAT] = 3.0;
        rows.targets.extend(targets);
        let start = rows.policy.len();
        rows.policy.extend((0..policy).map(|_| 0));
        rows.policy[start] = i16::MAX;
        rows.policy[start + policy / 2 - 1] = random.below(300) as i16;
        rows.policy[start + policy - 1] = random.below(300) as i16;
        rows.scores.extend((0..scores).map(|_| random.next_u64() as i8));
        rows.spatial.extend((0..spatial).map(|_| random.next_u64() as i8));
        rows.q_values.extend((0..q_values).map(|_| random.next_u64() as i16));
        rows.edges.push(random.below(4) as u8);
    }
    rows
}

fn source(generation: Option<u32>, file: u32) -> RowSource {
    RowSource { path: PathBuf::new(), generation, file }
}

/// A table of rows in groups of three.
fn table(path: &Path, rows: &Rows) {
    let mut table = RowTable::with_groups_of(File::create(path).unwrap(), rows.side, 3).unwrap();
    table.push(rows, &source(Some(7), 2)).unwrap();
    assert_eq!(table.finish().unwrap(), rows.len() as u64);
}

fn bits(rows: &Rows) -> (Vec<u32>, Vec<u32>) {
    let of = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect();
    (of(&rows.globals), of(&rows.targets))
}

/// Why a table is refused.
fn defect(path: &Path) -> TableDefect {
    match read_row_table(path) {
        Err(TrainError::Table { defect, .. }) => defect,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn rows_come_back_bit_for_bit(seed: u64, side in 2..=9_usize, count in 1..12_usize) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let rows = random_rows(seed, side, count);
        table(&path, &rows);
        let found = read_row_table(&path).unwrap();
        prop_assert_eq!(bits(&found), bits(&rows));
        prop_assert_eq!(&found, &rows);
        // And on to an archive, as they came from one.
        let archive = rows_to_bytes(&found).unwrap();
        prop_assert_eq!(&archive, &rows_to_bytes(&rows).unwrap());
        prop_assert_eq!(rows_from_bytes(&archive, Some(side)).unwrap(), rows);
    }

    #[test]
    fn whatever_a_file_holds_is_refused_with_a_sentence(bytes: Vec<u8>, ends_well: bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let framed = [b"PAR1", bytes.as_slice(), &(bytes.len() as u32).to_le_bytes(), b"PAR1"].concat();
        std::fs::write(&path, if ends_well { framed } else { bytes }).unwrap();
        prop_assert!(matches!(defect(&path), TableDefect::NotParquet(_) | TableDefect::Damaged(_)));
    }
}

#[test]
fn several_files_become_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let (one, two) = (random_rows(1, 5, 4), random_rows(2, 5, 5));
    let mut table = RowTable::with_groups_of(File::create(&path).unwrap(), 5, 3).unwrap();
    table.push(&one, &source(Some(1), 0)).unwrap();
    table.push(&two, &source(None, 1)).unwrap();
    assert_eq!(table.finish().unwrap(), 9);
    let mut both = one.clone();
    both.append(&two);
    assert_eq!(read_row_table(&path).unwrap(), both);

    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    assert_eq!(reader.num_row_groups(), 3);
    let texts: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert!(texts[3].starts_with("{generation: 1, file: 0, game: "), "{}", texts[3]);
    assert!(texts[4].starts_with("{generation: null, file: 1, game: "), "{}", texts[4]);
    let board = one.board(3);
    assert!(texts[3].contains(&format!("width: {}, height: {},", board.width, board.height)), "{}", texts[3]);
    assert!(texts[3].contains(&format!("edges: {}", one.edges[3])), "{}", texts[3]);
}

#[test]
fn every_byte_that_is_missing_or_wrong_is_noticed_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let rows = random_rows(3, 3, 4);
    table(&path, &rows);
    let whole = std::fs::read(&path).unwrap();
    for length in (0..whole.len()).step_by(53) {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(matches!(defect(&path), TableDefect::NotParquet(_)), "{length}");
    }
    for place in (0..whole.len()).step_by(11) {
        for change in [0x01, 0x55, 0xff] {
            let mut damaged = whole.clone();
            damaged[place] ^= change;
            std::fs::write(&path, &damaged).unwrap();
            match read_row_table(&path) {
                // What is not learnt from may have changed.
                Ok(found) => assert_eq!((bits(&found), &found), (bits(&rows), &rows), "{place}"),
                Err(TrainError::Table { .. }) => {}
                Err(other) => panic!("{place}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_footer_that_announces_too_much_does_not_end_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    for children in [vec![i32::MAX], vec![1; 100_000], vec![-5], vec![3, 0]] {
        let footer = footer(&children);
        let length = (footer.len() as u32).to_le_bytes();
        std::fs::write(&path, [b"PAR1", footer.as_slice(), &length, b"PAR1"].concat()).unwrap();
        assert!(matches!(defect(&path), TableDefect::NotParquet(_)), "{children:?}");
    }
    for text in ["", "PAR1", "not at all a table", "PAR1\u{7f}\u{7f}\u{7f}\u{7f}PAR1"] {
        std::fs::write(&path, text).unwrap();
        assert!(matches!(defect(&path), TableDefect::NotParquet(_)), "{text}");
    }
    write_rows(&path, &random_rows(1, 3, 1)).unwrap();
    let error = read_row_table(&path).unwrap_err();
    assert!(error.to_string().ends_with("it is no Parquet file, or not a whole one: it does not begin and end as one"));
    assert!(error.hint().contains("honinbo train rows"), "{}", error.hint());
    assert!(matches!(read_row_table(&folder.path().join("nowhere")), Err(TrainError::Io { .. })));
}

/// Writes a table of five rows with other columns than it should have, and reads it.
fn changed(change: impl FnOnce(&mut Vec<Column>)) -> Result<Rows, TrainError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut columns = columns(&random_rows(4, 3, 5), &[(None, 0); 5]);
    change(&mut columns);
    let mut table = TableWriter::new(File::create(&path).unwrap(), ROWS, &[], &columns).unwrap();
    table.write(&columns).unwrap();
    table.finish().unwrap();
    read_row_table(&path)
}

fn set(columns: &mut [Column], name: &str, values: Values) {
    columns.iter_mut().find(|column| column.0 == name).unwrap().1 = values;
}

#[test]
fn other_columns_are_refused_with_their_names() {
    let rows = random_rows(4, 3, 5);
    let needed = ["edges", "planes", "globals", "policy", "targets", "scores", "spatial", "q_values"];
    assert_eq!(changed(|columns| columns.retain(|(name, _)| needed.contains(name))).unwrap(), rows);
    for name in needed {
        let error = changed(|columns| columns.retain(|column| column.0 != name)).unwrap_err();
        assert!(error.to_string().ends_with(&format!("the column {name} is missing")), "{error}");
    }
    let refused = |name: &'static str, values: Values| {
        let error = changed(|columns| set(columns, name, values)).unwrap_err();
        assert!(error.hint().contains("docs/training.md"), "{}", error.hint());
        error.to_string().split_once(": ").unwrap().1.to_owned()
    };
    let lone = Values::Ints(vec![Some(1); 5]);
    assert_eq!(refused("globals", lone), "the column globals is INT64; expected a list of FLOAT");
    let list = Values::Shorts(3, vec![0; 15]);
    assert_eq!(refused("globals", list), "the column globals is a list of INT32; expected a list of FLOAT");
    let uneven = "absent or of another length in some rows";
    let one_less = Values::Floats(18, vec![0.0; 90]);
    assert_eq!(refused("globals", one_less), format!("the column globals is {uneven}; expected 19 numbers in each"));
    let absent = Values::Ints(vec![Some(1), None, Some(1), Some(1), Some(1)]);
    assert_eq!(refused("edges", absent), format!("the column edges is {uneven}; expected a value in each"));
    let large = Values::Ints(vec![Some(0), Some(0), Some(256), Some(0), Some(0)]);
    assert_eq!(refused("edges", large), "the column edges is 256 in some row; expected numbers of 8 bits");
    let negative = Values::Shorts(20, vec![40_000; 100]);
    assert_eq!(refused("policy", negative), "the column policy is 40000 in some row; expected numbers of 16 bits");
    let odd = Values::Shorts(21, vec![1; 105]);
    assert_eq!(
        refused("policy", odd),
        "the column policy is of 105 numbers in 5 rows; expected twice the points of a square and a pass in each"
    );
    let short = Values::Bytes(43, vec![0; 43 * 5]);
    assert_eq!(refused("planes", short), "the column planes is of 43 bytes in a row; expected 44 in each");
    let text = Values::Texts(vec![Some("a".repeat(44)); 5]);
    assert!(changed(|columns| set(columns, "planes", text)).unwrap_err().to_string().ends_with("checksum"));
}

#[test]
fn rows_that_were_changed_or_make_no_sense_are_refused() {
    let spoilt = |columns: &mut Vec<Column>| {
        let mut rows = random_rows(4, 3, 5);
        rows.globals[19 * 3 + 1] += 1.0;
        set(columns, "globals", Values::Floats(19, rows.globals));
    };
    let error = changed(spoilt).unwrap_err();
    assert!(error.to_string().ends_with("row 3 does not fit its checksum"), "{error}");
    assert!(error.hint().contains("leave out the column checksum"), "{}", error.hint());
    let changed_on_purpose = changed(|columns| {
        spoilt(columns);
        columns.retain(|column| column.0 != "checksum");
    });
    assert!(changed_on_purpose.is_ok());
    let absurd = changed(|columns| {
        set(columns, "globals", Values::Floats(19, vec![f32::NAN; 95]));
        columns.retain(|column| column.0 != "checksum");
    });
    assert!(absurd.unwrap_err().to_string().contains("row 0 is damaged: it has numbers out of all range"));
    // As archives have them whose games have all been removed.
    let empty = changed(|columns| *columns = super::rows::columns(&Rows::new(3), &[]));
    assert!(empty.unwrap_err().to_string().ends_with("it has no rows"));
}

#[test]
fn tables_of_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let columns = columns(&random_rows(4, 3, 1), &[(None, 0)]);
    let write = |kind: &str, facts: &[(&str, String)]| {
        let mut table = TableWriter::new(File::create(&path).unwrap(), kind, facts, &columns).unwrap();
        table.write(&columns).unwrap();
        table.finish().unwrap();
        defect(&path)
    };
    assert!(matches!(write("games", &[]), TableDefect::OtherTable(kind) if kind == "games"));
    let side = |side: &str| [(SIDE, side.to_owned())];
    let other = write(ROWS, &side("5"));
    assert!(matches!(other, TableDefect::Rows(RowDefect::OtherBoard { found: 3, expected: 5 })), "{other}");
    assert!(matches!(write(ROWS, &side("much")), TableDefect::Damaged(_)));
}

#[test]
fn the_rows_of_a_run_are_found_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path();
    assert!(matches!(row_sources(run, None), Err(TrainError::Folder(FolderError::NoRun(_)))));
    std::fs::write(run.join("run.toml"), "").unwrap();
    assert!(row_sources(run, None).unwrap().is_empty());
    for (generation, file) in [(2, 0), (1, 1), (1, 0), (3, 0)] {
        let path = numbered(run, "rows", generation).join(format!("{file:06}.npz"));
        write_rows(&path, &random_rows(5, 2, 1)).unwrap();
    }
    // What is no generation's is passed over.
    std::fs::create_dir(run.join("rows/older")).unwrap();
    std::fs::write(run.join("rows/000009"), "").unwrap();
    let places = |generation| -> Vec<(Option<u32>, u32)> {
        row_sources(run, generation).unwrap().into_iter().map(|source| (source.generation, source.file)).collect()
    };
    assert_eq!(places(None), [(Some(1), 0), (Some(1), 1), (Some(2), 0), (Some(3), 0)]);
    assert_eq!(places(Some(2)), [(Some(2), 0)]);
    assert!(places(Some(9)).is_empty());
}

#[test]
fn generations_are_rows_with_gaps_where_nothing_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path();
    std::fs::write(run.join("run.toml"), "[[boards]]\nwidth = 5\nheight = 5\n").unwrap();
    let played = |generation| Event::Selfplay {
        generation,
        games: 10,
        rows: 40,
        visits: 900,
        moves: 120,
        black_wins: 6,
        seconds: 2.0,
        processor_seconds: None,
    };
    let losses = Losses { total: 2.5, policy: 1.5, ..Losses::default() };
    let fit = |steps| Event::Fit { generation: 1, steps, losses, seconds: 4.0, processor_seconds: Some(8.0) };
    let gate = Event::Gate(Gated {
        generation: 1,
        against: 0,
        wins: 30,
        losses: 10,
        draws: 0,
        elo: None,
        elo_low: None,
        elo_high: None,
        taken: true,
        probe: None,
        seconds: 1.0,
        processor_seconds: None,
    });
    for event in [played(1), played(1), fit(4), fit(8), gate, played(2)] {
        note(run, &event).unwrap();
    }
    let path = run.join("generations.parquet");
    assert_eq!(write_generations(File::create(&path).unwrap(), &report(run).unwrap()).unwrap(), 2);
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    let has = |row: usize, part: &str| assert!(rows[row].contains(part), "{part}: {}", rows[row]);
    has(
        0,
        "{generation: 1, games: 20, rows: 80, visits: 1800, moves: 240, black_wins: 12, window_rows: null, steps: 8,",
    );
    has(0, "loss: 2.5, loss_policy: 1.5,");
    has(0, "against: 0, wins: 30, losses: 10, draws: 0, taken: true, elo: 185.2");
    has(0, "fair_komi: null, first_move: null,");
    has(0, "seconds: 13.0, processor_seconds: null}");
    has(1, "{generation: 2, games: 10,");
    has(1, "steps: null, loss: null,");
    has(1, "taken: null, elo: null,");
    assert!(matches!(defect(&path), TableDefect::OtherTable(kind) if kind == "generations"));
}
