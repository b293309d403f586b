//! `honinbo referee`: what is proved of problems, beside what their files hold to be right.

use crate::support::Honinbo;
use serde_json::{Value, json};

/// Three points in the corner, whose middle decides; the second file wants the wrong move.
const THREE: &str = "(;SZ[9]AB[ca][cb][cc][cd][ce][ae][be]AW[ba][bb][bc][bd][ad]";
const PROBLEMS: &str = "PL[B](;B[ab]C[RIGHT])(;B[aa];W[ab]))";

#[test]
fn a_problem_is_judged_and_its_answer_held_against_the_proof() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("three.sgf");
    let wrong = "GN[mistaken]PL[B](;B[aa]C[RIGHT]))";
    std::fs::write(&file, format!("{THREE}GN[three]{PROBLEMS}{THREE}{wrong}(;SZ[9];B[ee])")).unwrap();
    let file = file.to_str().unwrap();
    let told = honinbo.run(&["referee", file, "--json", "--moves", "--seconds", "600"]);
    assert_eq!(told.status, 0, "{told:?}");
    let told: Vec<Value> = told.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (first, second) = (&told[0], &told[1]);
    assert_eq!(
        (&first["problem"], &first["held"], &first["toPlay"]),
        (&json!("three"), &json!("agrees"), &json!("black"))
    );
    assert_eq!((&first["attackerFirst"], &first["ownerFirst"]), (&json!("dead"), &json!("alive")));
    assert_eq!(first["file"], json!([{"move": "A8", "fate": "dead"}]));
    assert_eq!(first["line"][0], "A8");
    let corner = first["moves"].as_array().unwrap().iter().find(|one| one["move"] == "A9").unwrap();
    assert_eq!((&corner["fate"], &corner["line"][0]), (&json!("alive"), &json!("A8")), "how it is refuted");
    assert_eq!((&second["problem"], &second["held"]), (&json!("mistaken"), &json!("differs")));

    let words = honinbo.run(&["referee", file, "--count", "1", "--seconds", "600"]);
    assert!(
        words.stdout.starts_with("three: black to play; if the attacker is first: dead, if the owner is first: alive;")
    );
    assert!(words.stdout.ends_with("agrees 1, differs 0, no matter 0, not proved 0\n"), "{words:?}");
    assert_eq!(honinbo.run(&["referee"]).status, 2);
}
