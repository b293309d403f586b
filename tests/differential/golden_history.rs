//! KataGo's own encoder inputs: legality, phases, results, and every plane that the rules answer for.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests stop and speak aloud")]

mod support;

use honinbo_rules::{
    BoardSize, Color, Game, HandicapBonus, HandicapCount, Keep, KoRule, Komi, Move, Outcome, Phase, Point, Ruleset,
    Scoring, Setup, Tax, Topology, WinBy, area_map, independent_life, ladders,
};

fn color(code: &str) -> Color {
    if code == "1" { Color::Black } else { Color::White }
}

/// `G X Y W H ko scoring tax suicide button whb friendly komi firstPla phase passAliveFlag openingHandicap board`.
fn start(fields: &[&str]) -> (Game, usize) {
    let number = |at: usize| fields[at].parse::<usize>().unwrap();
    let size = BoardSize::new(number(1), number(2)).unwrap();
    let ruleset = Ruleset {
        ko: KoRule::ALL[number(5)],
        scoring: Scoring::ALL[number(6)],
        tax: Tax::ALL[number(7)],
        multi_stone_suicide: fields[8] == "1",
        button: fields[9] == "1",
        white_handicap_bonus: HandicapBonus::ALL[number(10)],
        friendly_pass: fields[11] == "1",
    };
    let komi = Komi::from_points(fields[12].parse().unwrap()).unwrap();
    let mut setup = Setup::new(size, Topology::Plane, ruleset, komi);
    setup.first_player = color(fields[13]);
    setup.phase = [Phase::Main, Phase::CleanUp1, Phase::CleanUp2][number(14)];
    setup.pass_alive_under_suicide = fields[15] == "1";
    setup.handicap = if fields[16] == "1" { HandicapCount::StonesAndOpeningMoves } else { HandicapCount::Stones };
    setup.stones = Point::all(size)
        .zip(fields[17].chars())
        .filter_map(|(point, stone)| match stone {
            'X' => Some((point, Color::Black)),
            'O' => Some((point, Color::White)),
            _ => None,
        })
        .collect();
    (Game::new(setup).unwrap(), number(3))
}

/// `P pla drawWins conservativeRoot passingHacks passAliveOverride maxHistory pda legal planes globals finished
/// noResult score phase`.
fn check(game: &Game, buffer_width: usize, fields: &[&str], tally: &mut Tally) {
    let size = game.board().size();
    let mover = color(fields[1]);
    let here = || format!("\n{}\n{mover} to move, {:?}\nturns {:?}", game.board(), game.ruleset(), game.turns());
    assert_eq!(game.to_play(), mover);
    let legal = fields[8].as_bytes();
    let planes = fields[9].as_bytes();
    let globals: Vec<f64> = fields[10..29].iter().map(|text| text.parse().unwrap()).collect();
    let ends = &fields[29..];
    let buffer_area = legal.len() - 1;
    let plane =
        |number: usize, point: Point| planes[number * buffer_area + point.y() * buffer_width + point.x()] == b'1';

    for point in Point::all(size) {
        let expected = legal[point.y() * buffer_width + point.x()] == b'1';
        assert_eq!(game.is_legal_point(point), expected, "legality of {point}{}", here());
        let stone = game.board().get(point);
        assert_eq!(plane(1, point), stone == Some(mover));
        assert_eq!(plane(2, point), stone == Some(mover.opponent()));
        let liberties = game.board().chain_at(point).map_or(0, |chain| chain.liberties_up_to(4));
        for n in 1..=3 {
            assert_eq!(plane(2 + n, point), liberties == n, "liberties at {point}{}", here());
        }
        let phase = game.phase();
        let ko = phase == Phase::Main && game.board().ko_point() == Some(point);
        let superko = game.superko_points().any(|banned| banned == point);
        assert_eq!(plane(6, point), ko || superko, "ko at {point}{}", here());
        let blocked = game.recapture_blocked().any(|blocked| blocked == point);
        assert_eq!(plane(7, point), blocked && phase.is_clean_up(), "recapture at {point}{}", here());
        let second = game.second_clean_up_stone(point).filter(|_| phase == Phase::CleanUp2);
        assert_eq!(plane(20, point), second == Some(mover), "second clean-up at {point}{}", here());
        assert_eq!(plane(21, point), second == Some(mover.opponent()));
    }

    if !ladders_agree(game, mover, &plane) {
        eprintln!("other ladders in{}", here());
        tally.other_ladders += 1;
    }
    check_area(game, mover, fields[5], &plane, &here);

    let draw_wins: f64 = fields[2].parse().unwrap();
    let limit = (size.area() + 20) as f32;
    let self_komi = game.self_komi(mover, draw_wins).clamp(-limit, limit);
    assert!((f64::from(self_komi / 20.0) - globals[5]).abs() < 1e-5, "komi {self_komi} {}{}", globals[5], here());
    assert_eq!(globals[17] == 1.0, game.button_available());
    // The end may be hidden from the network, but is never made up.
    assert!(globals[14] == 0.0 || game.pass_would_end_phase(mover), "{}", here());

    assert_eq!(ends[3], game.phase().number().to_string(), "phase{}", here());
    assert_eq!(ends[1] == "1", game.outcome() == Some(Outcome::NoResult), "no result{}", here());
    assert_eq!(ends[0] == "1", game.is_finished(), "finished{}", here());
    if game.is_finished() && ends[1] == "0" {
        let white: f64 = ends[2].parse().unwrap();
        let half = match game.outcome().unwrap() {
            Outcome::Win { winner: Color::White, by: WinBy::Score(half) } => half as i32,
            Outcome::Win { winner: Color::Black, by: WinBy::Score(half) } => -(half as i32),
            _ => 0,
        };
        assert_eq!(f64::from(half) / 2.0, white, "score{}", here());
        tally.scored += 1;
    }
    tally.positions += 1;
    tally.clean_up += usize::from(game.phase().is_clean_up());
    tally.no_result += usize::from(ends[1] == "1");
}

/// Whether the ladders agree.
///
/// One recorded position of `small.txt.gz` cannot: KataGo's answer there depends on the order in which a chain was
/// built, see `LadderReader`. With KataGo's choice of the judged move the difference vanishes.
fn ladders_agree(game: &Game, mover: Color, plane: &dyn Fn(usize, Point) -> bool) -> bool {
    let size = game.board().size();
    let mut caught = vec![false; size.area()];
    let mut works = vec![false; size.area()];
    for ladder in ladders(game.board()) {
        ladder.stones.iter().for_each(|stone| caught[stone.index(size)] = true);
        if ladder.color != mover {
            ladder.working_moves.iter().for_each(|point| works[point.index(size)] = true);
        }
    }
    Point::all(size)
        .all(|point| plane(14, point) == caught[point.index(size)] && plane(17, point) == works[point.index(size)])
}

/// Whose area the network is told a point is: nobody's in the early phases of territory scoring.
fn check_area(
    game: &Game,
    mover: Color,
    pass_alive_override: &str,
    plane: &dyn Fn(usize, Point) -> bool,
    here: &dyn Fn() -> String,
) {
    let (board, ruleset) = (game.board(), game.ruleset());
    let suicide = match pass_alive_override {
        "-1" => game.suicide_for_pass_alive(),
        flag => ruleset.multi_stone_suicide || flag == "1",
    };
    let map = match (ruleset.scoring, ruleset.tax, game.phase()) {
        (Scoring::Area, Tax::None, _) => area_map(board, suicide),
        (Scoring::Area, _, _) => {
            independent_life(board, Keep { territory: false, stones: true, beside_atari: true }, suicide).map
        }
        (Scoring::Territory, tax, Phase::CleanUp2) => {
            let keep = Keep { territory: tax == Tax::None, stones: false, beside_atari: true };
            let mut map = independent_life(board, keep, suicide).map;
            for (point, color) in board.stones() {
                let entry = &mut map[point.index(board.size())];
                if entry.is_none() && game.second_clean_up_stone(point) == Some(color) {
                    *entry = Some(color);
                }
            }
            map
        }
        (Scoring::Territory, _, _) => vec![None; board.size().area()],
    };
    for point in Point::all(board.size()) {
        let owner = map[point.index(board.size())];
        assert_eq!(plane(18, point), owner == Some(mover), "area at {point}{}", here());
        assert_eq!(plane(19, point), owner == Some(mover.opponent()), "area at {point}{}", here());
    }
}

#[derive(Default)]
struct Tally {
    games: usize,
    positions: usize,
    clean_up: usize,
    scored: usize,
    no_result: usize,
    other_ladders: usize,
}

fn check_file(name: &str) -> Tally {
    let mut tally = Tally::default();
    let mut current = None;
    for line in support::lines(&support::golden("encoder").join(name)) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match fields[0] {
            "G" => {
                current = Some(start(&fields));
                tally.games += 1;
            }
            "P" => {
                let (game, width) = current.as_ref().unwrap();
                check(game, *width, &fields, &mut tally);
            }
            "M" => {
                let (game, _) = current.as_mut().unwrap();
                let place: i32 = fields[1].parse().unwrap();
                let played = match place {
                    -1 => Move::Pass,
                    index => Move::Place(Point::from_index(index as usize, game.board().size())),
                };
                game.set_prevent_clean_up(fields[3] == "1");
                game.play_tolerant(color(fields[2]), played)
                    .unwrap_or_else(|e| panic!("{e}: {line}\n{}", game.board()));
            }
            other => panic!("unknown line {other}"),
        }
    }
    eprintln!(
        "{name}: {} positions of {} games agree; {} in clean-up phases, {} scored, {} without result",
        tally.positions, tally.games, tally.clean_up, tally.scored, tally.no_result
    );
    tally
}

#[test]
fn small_boards_agree_in_every_ruleset() {
    let tally = check_file("small.txt.gz");
    assert!(tally.positions > 8_000 && tally.clean_up > 1_000 && tally.scored > 100);
    assert!(tally.other_ladders <= 1, "{} positions with other ladders", tally.other_ladders);
}

#[test]
fn big_boards_agree_in_every_ruleset() {
    let tally = check_file("big.txt.gz");
    assert!(tally.positions > 1_000);
    assert_eq!(tally.other_ladders, 0);
}
