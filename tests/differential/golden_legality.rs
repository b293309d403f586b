//! Every point's legality after every game that KataGo recorded for its networks: an illegal point has no policy.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests stop and speak aloud")]

mod support;

use honinbo_rules::{Move, Point};
use serde_json::Value;

#[test]
fn legal_points_are_those_of_katago() {
    // Those of the larger collection too, where it is.
    let folders = std::iter::once(support::golden("")).chain(honinbo_testkit::fixtures::shared("golden"));
    let mut files: Vec<_> =
        folders.flat_map(|folder| std::fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".jsonl.gz") && name != "scores.jsonl.gz"
    });
    assert!(files.len() >= 4, "only {} files of recorded answers", files.len());
    let (mut positions, mut moves, mut illegal) = (0, 0, 0);
    for path in files {
        for text in support::lines(&path) {
            let line: Value = serde_json::from_str(&text).unwrap();
            let mut game = support::game_of(&line);
            let size = game.board().size();
            for turn in line["moves"].as_array().unwrap() {
                let played = Move::from_gtp(turn[1].as_str().unwrap(), size).unwrap();
                game.play_tolerant(support::color_of(&turn[0]), played).unwrap();
                moves += 1;
            }
            assert_eq!(game.to_play(), support::color_of(&line["to_play"]));
            let policy = line["expected"]["policy"].as_array().unwrap();
            assert_eq!(policy.len(), size.area());
            for (point, value) in Point::all(size).zip(policy) {
                let expected = !value.is_null();
                assert_eq!(
                    game.is_legal_point(point),
                    expected,
                    "{} in {}\n{}\nafter {:?}",
                    point.to_gtp(size),
                    path.display(),
                    game.board(),
                    game.point_legality(point)
                );
                illegal += usize::from(!expected && game.board().get(point).is_none());
            }
            positions += 1;
        }
    }
    eprintln!("{positions} positions after {moves} moves agree; {illegal} empty points were illegal");
    assert!(positions >= 600 && illegal > 500);
}
