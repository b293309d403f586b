//! Random games that KataGo refereed: the legality of every try, and the score after two passes.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests stop and speak aloud")]

mod support;

use honinbo_rules::{Move, Outcome, WinBy};
use serde_json::Value;

#[test]
fn tries_and_scores_are_those_of_katago() {
    let (mut games, mut tries) = (0, 0);
    for text in support::lines(&support::golden("scores.jsonl.gz")) {
        let line: Value = serde_json::from_str(&text).unwrap();
        let mut game = support::game_of(&line);
        let size = game.board().size();
        for entry in line["tries"].as_array().unwrap() {
            let color = support::color_of(&entry[0]);
            let played = Move::from_gtp(entry[1].as_str().unwrap(), size).unwrap();
            let before = game.clone();
            let over = game.is_over();
            // The referee let games run on after a long cycle or a repeated pass, to two passes in a row.
            let answer = match played {
                Move::Place(point) if over => {
                    game.point_legality(point).and_then(|()| game.play_tolerant(color, played))
                }
                _ if over => game.play_tolerant(color, played),
                _ => game.play(color, played),
            };
            assert_eq!(answer.is_ok(), entry[2] == 1, "{entry} {answer:?}\n{}\n{:?}", game.board(), game.ruleset());
            if answer.is_err() {
                assert_eq!(game, before, "a refused move left traces");
            }
            tries += 1;
        }
        let white_score = line["white_score"].as_f64().unwrap();
        let score = game.score();
        assert_eq!(f64::from(score.white_minus_black_half()) / 2.0, white_score, "\n{}\n{text}", game.board());
        games += 1;
        if game.outcome() == Some(Outcome::NoResult) {
            continue;
        }
        let expected = Outcome::from_white_minus_black((white_score * 2.0) as i32);
        assert_eq!(game.outcome(), Some(expected));
        if let Outcome::Win { by: WinBy::Score(half), .. } = expected {
            assert_eq!(f64::from(half) / 2.0, white_score.abs());
        }
    }
    eprintln!("{games} games with {tries} tries agree");
    assert!(games >= 700);
}
