//! `honinbo play`.

use crate::support::Honinbo;

/// The boards of a game in the terminal, and the lines between them.
fn played(args: &[&str], lines: &str) -> String {
    // Without a network every stone stands until somebody says otherwise.
    let ended = Honinbo::new().run_with_input(&[&["play", "--net", "none"], args].concat(), lines.as_bytes());
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{ended:?}");
    ended.stdout
}

/// The last board that was drawn.
fn last_board(output: &str, rows: usize) -> Vec<String> {
    let lines: Vec<&str> = output.lines().collect();
    let header = lines.iter().rposition(|line| line.trim_start().starts_with("A B")).unwrap();
    lines[header - rows..header].iter().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn two_people_play_at_one_screen_to_the_counted_end() {
    let moves = "B4\nC4\nB4\nB3\nC3\nB2\nC2\nB1\nC1\nB5\nC5\npass\nA3\npass\npass\n";
    let args = ["--two", "--size", "5", "--rules", "chinese", "--komi", "0.5"];
    let output = played(&args, &format!("{moves}D3\ndead A3 E5\naccept\n"));
    assert!(output.contains("Black (X) to move") && output.contains("White (O) to move"), "{output}");
    assert!(output.contains("B4 is already occupied"), "{output}");
    let counting = output.split_once("white passes").unwrap().1;
    let is_board = |line: &str| line.starts_with(|first: char| first == ' ' || first.is_ascii_digit());
    let said: Vec<&str> =
        counting.lines().filter(|line| !line.is_empty() && !is_board(line) && *line != "white passes").collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    counted: Black 5, White 16.5: W+11.5; no dead stones
    dead D4 E5 marks dead stones (once more: alive), accept, undo, quit
    error: "D3": the game is being counted; dead D4 E5 marks dead stones (once more: alive), accept, undo, quit
    counted: Black 5, White 16.5: W+11.5; no dead stones
    dead D4 E5 marks dead stones (once more: alive), accept, undo, quit
    there is no stone at E5
    counted: Black 10, White 15.5: W+5.5; dead: A3
    dead D4 E5 marks dead stones (once more: alive), accept, undo, quit
    result: W+5.5
    "#);
    // Nobody says anything: the count stands as it is.
    assert!(played(&args, moves).ends_with("result: W+11.5\n"));
}

#[test]
fn a_torus_is_moved_by_a_letter_and_a_number() {
    let output = |lines: &str| last_board(&played(&["--two", "--torus"], &format!("A1\n{lines}")), 16);
    let with_stone = |rows: &[String]| rows.iter().position(|row| row.contains('X')).unwrap();
    assert_eq!(with_stone(&output("")), 15);
    assert_eq!(with_stone(&output("u6\n")), 9, "six rows up");
    assert_eq!(output("u6\n"), output("U 6\n"));
    assert_eq!(with_stone(&output("r3\nD\n")), 0, "over the edge");
    // D4 and L3 are points of this board: there a blank is needed.
    assert!(output("D4\n")[12].contains('O'));
    assert_eq!(with_stone(&output("d 4\n")), 3);
}

#[test]
fn the_rules_of_daoqi_are_played_on_a_plane_where_no_torus_is_asked_for() {
    // In the corner a stone has two neighbours, on a torus four.
    let output = played(&["--two", "--rules", "daoqi", "--size", "5"], "A1\nA2\nE5\nB1\n");
    assert!(!output.contains("move the view"), "{output}");
    let rows = last_board(&output, 5);
    assert!(!rows[4].contains('X') && rows[0].contains('X'), "A1 is taken: {rows:?}");
}

#[test]
fn a_handicap_takes_whites_komi_unless_one_is_given() {
    let counted = |args: &[&str]| {
        let output = played(&[&["--two", "--handicap", "2"], args].concat(), "pass\npass\naccept\n");
        output.lines().find(|line| line.starts_with("counted:")).unwrap_or_else(|| panic!("{output}")).to_owned()
    };
    assert!(counted(&[]).contains("White 0.5:"), "{}", counted(&[]));
    assert!(counted(&["--komi", "3.5"]).contains("White 3.5:"));
}

#[test]
fn a_torus_has_no_handicap() {
    let ended =
        Honinbo::new().run_with_input(&["play", "--net", "none", "--two", "--torus", "--handicap", "3"], b"quit\n");
    assert_ne!(ended.status, 0, "{ended:?}");
    assert!(ended.stderr.contains("a torus has no star points"), "{ended:?}");
    assert!(ended.stderr.contains("place the stones by hand"), "{ended:?}");
}
