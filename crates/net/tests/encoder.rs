//! The V7 inputs, against 11,300 positions recorded from KataGo, plane by plane.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test ends at the first surprise and says what it skips"
)]

mod common;

use honinbo_evaluator::EvalParams;
use honinbo_net::{FeatureOptions, encode};
use honinbo_rules::{
    BoardSize, Color, Game, HandicapBonus, HandicapCount, KoRule, Komi, Move, Outcome, Phase, Point, Ruleset, Scoring,
    Setup, Tax, Topology,
};
use honinbo_testkit::fixtures;

struct Recorded {
    game: Game,
    options: FeatureOptions,
}

fn number<T: std::str::FromStr>(words: &mut std::str::SplitAsciiWhitespace<'_>) -> T
where
    T::Err: std::fmt::Debug,
{
    words.next().unwrap().parse().unwrap()
}

fn color(number: usize) -> Color {
    if number == 1 { Color::Black } else { Color::White }
}

fn start(words: &mut std::str::SplitAsciiWhitespace<'_>) -> Recorded {
    let mut next = || number::<usize>(words);
    let (x, y, width, height) = (next(), next(), next(), next());
    let size = BoardSize::new(x, y).unwrap();
    let ko = [KoRule::Simple, KoRule::Positional, KoRule::Situational, KoRule::Spight][next()];
    let scoring = [Scoring::Area, Scoring::Territory][next()];
    let tax = [Tax::None, Tax::Seki, Tax::All][next()];
    let multi_stone_suicide = next() == 1;
    let button = next() == 1;
    let white_handicap_bonus = [HandicapBonus::Zero, HandicapBonus::N, HandicapBonus::NMinusOne][next()];
    let friendly_pass = next() == 1;
    let komi = Komi::from_points(number(words)).unwrap();
    let mut next = || number::<usize>(words);
    let first_player = color(next());
    let phase = [Phase::Main, Phase::CleanUp1, Phase::CleanUp2][next()];
    let pass_alive_under_suicide = next() == 1;
    let opening = next() == 1;
    let board = words.next().unwrap();
    let ruleset = Ruleset { ko, scoring, tax, multi_stone_suicide, button, white_handicap_bonus, friendly_pass };
    let stone = |(point, stone)| match stone {
        b'X' => Some((point, Color::Black)),
        b'O' => Some((point, Color::White)),
        _ => None,
    };
    let setup = Setup {
        stones: Point::all(size).zip(board.bytes()).filter_map(stone).collect(),
        first_player,
        phase,
        pass_alive_under_suicide,
        handicap: if opening { HandicapCount::StonesAndOpeningMoves } else { HandicapCount::Stones },
        ..Setup::new(size, Topology::Plane, ruleset, komi)
    };
    let options = FeatureOptions { width, height, pass_alive_under_suicide, exclude_beside_atari: false };
    Recorded { game: Game::new(setup).unwrap(), options }
}

fn play(game: &mut Game, words: &mut std::str::SplitAsciiWhitespace<'_>) {
    let at: i64 = number(words);
    let player = color(number(words));
    game.set_prevent_clean_up(number::<usize>(words) == 1);
    let width = game.board().size().width() as i64;
    let played =
        if at < 0 { Move::Pass } else { Move::Place(Point::new((at % width) as usize, (at / width) as usize)) };
    game.play_tolerant(player, played).unwrap();
}

/// The names of the things that differ.
fn compare(recorded: &Recorded, words: &mut std::str::SplitAsciiWhitespace<'_>) -> Vec<String> {
    let Recorded { game, options } = recorded;
    let size = game.board().size();
    let player = color(number(words));
    assert_eq!(game.to_play(), player);
    let draw_equivalent_wins_for_white = number(words);
    let conservative_pass_root = number::<usize>(words) == 1;
    let passing_hacks = number::<usize>(words) == 1;
    let pass_alive_under_suicide = match number::<i64>(words) {
        -1 => None,
        flag => Some(flag == 1),
    };
    let max_history = number(words);
    let playout_doubling_advantage = number(words);
    let params = EvalParams {
        draw_equivalent_wins_for_white,
        conservative_pass_root,
        passing_hacks,
        pass_alive_under_suicide,
        max_history,
        playout_doubling_advantage,
        ..EvalParams::default()
    };
    let (legal, planes) = (words.next().unwrap().as_bytes(), words.next().unwrap().as_bytes());
    let expected: Vec<f32> = (0..19).map(|_| number(words)).collect();
    let area = options.width * options.height;
    let mut spatial = vec![9.0; 22 * area];
    let mut global = vec![9.0; 19];
    encode(game, &params, options, &mut spatial, &mut global);
    let mut wrong = Vec::new();
    for plane in 0..22 {
        let expected = planes[plane * area..][..area].iter().map(|digit| f32::from(digit - b'0'));
        if !spatial[plane * area..][..area].iter().copied().eq(expected) {
            wrong.push(format!("plane {plane}"));
        }
    }
    for (index, (value, expected)) in global.iter().zip(&expected).enumerate() {
        if (value - expected).abs() > 1e-6 * expected.abs().max(1.0) {
            wrong.push(format!("global {index}: {value} instead of {expected}"));
        }
    }
    for point in Point::all(size) {
        let at = point.y() * options.width + point.x();
        if game.is_legal_point(point) != (legal[at] == b'1') {
            wrong.push(format!("legality of {}", point.to_gtp(size)));
        }
    }
    let finished = number::<usize>(words) == 1;
    let no_result = number::<usize>(words) == 1;
    if game.is_finished() != finished || (game.outcome() == Some(Outcome::NoResult)) != no_result {
        wrong.push("end of the game".into());
    }
    let _score = words.next();
    if game.phase().number() != number::<usize>(words) {
        wrong.push("phase".into());
    }
    wrong
}

fn check(name: &str, at_least: usize) {
    let text = String::from_utf8(common::gunzip(&fixtures::fixture(name))).unwrap();
    let mut recorded = None;
    let (mut positions, mut wrong) = (0, Vec::new());
    for (line_number, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("G") => recorded = Some(start(&mut words)),
            Some("M") => play(&mut recorded.as_mut().unwrap().game, &mut words),
            Some("P") => {
                positions += 1;
                let differences = compare(recorded.as_ref().unwrap(), &mut words);
                if !differences.is_empty() {
                    wrong.push(format!("{name}, line {}: {}", line_number + 1, differences.join(", ")));
                }
            }
            other => panic!("{name}, line {}: {other:?}", line_number + 1),
        }
    }
    assert!(positions >= at_least, "only {positions} positions in {name}");
    eprintln!("{name}: {positions} positions, {} differ", wrong.len());
    // KataGo's ladder search depends on the order of a chain's stones in about one position of 100,000 (the difference is
    // described at `honinbo_rules::LadderReader`); one of these positions is such a one.
    let ladder = |line: &&String| {
        line.rsplit(": ")
            .next()
            .unwrap()
            .split(", ")
            .all(|part| matches!(part, "plane 14" | "plane 15" | "plane 16" | "plane 17"))
    };
    let excused = wrong.iter().filter(ladder).count();
    let first = wrong[..wrong.len().min(12)].join("\n");
    assert!(wrong.len() == excused && excused <= 1, "{} of {positions} differ, first:\n{first}", wrong.len());
}

#[test]
fn small_boards_agree_with_katago() {
    check("golden/encoder/small.txt.gz", 9_800);
}

#[test]
fn big_boards_agree_with_katago() {
    check("golden/encoder/big.txt.gz", 1_400);
}
