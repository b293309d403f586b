//! Laws that hold in every position of every game, on random games over sizes, topologies and rulesets.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests stop and speak aloud")]

use honinbo_rules::{
    Board, BoardSize, Color, Game, HandicapBonus, KoRule, Komi, Move, Outcome, Phase, Point, Random, Ruleset, Scoring,
    Setup, Symmetry, Tax, Topology, WinBy, area_map, canonical, canonical_hash, ladders, pass_alive,
};
use proptest::prelude::*;

type BoardMap = Box<dyn Fn(&Board) -> Board>;

fn sizes(most: usize) -> impl Strategy<Value = BoardSize> {
    (2..=most, 2..=most).prop_map(|(width, height)| BoardSize::new(width, height).unwrap())
}

fn topologies() -> impl Strategy<Value = Topology> {
    prop::sample::select(Topology::ALL.to_vec())
}

fn rulesets() -> impl Strategy<Value = Ruleset> {
    (
        prop::sample::select(KoRule::ALL.to_vec()),
        prop::sample::select(Scoring::ALL.to_vec()),
        prop::sample::select(Tax::ALL.to_vec()),
        any::<bool>(),
        any::<bool>(),
        prop::sample::select(HandicapBonus::ALL.to_vec()),
        any::<bool>(),
    )
        .prop_map(|(ko, scoring, tax, suicide, button, bonus, friendly)| Ruleset {
            ko,
            scoring,
            tax,
            multi_stone_suicide: suicide,
            button: button && scoring == Scoring::Area,
            white_handicap_bonus: bonus,
            friendly_pass: friendly,
        })
}

/// A game of random moves: about one in twelve a pass, any legal point otherwise, eyes included.
fn random_game(setup: Setup, moves: usize, seed: u64, clean_up: bool) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(setup).unwrap();
    game.set_prevent_clean_up(!clean_up);
    for _ in 0..moves {
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        let pass = random.below(12) == 0;
        let chosen = if pass { Move::Pass } else { legal[random.below(legal.len())] };
        game.play(game.to_play(), chosen).unwrap();
    }
    game
}

fn random_board(size: BoardSize, topology: Topology, moves: usize, seed: u64) -> Board {
    let ruleset = Ruleset { ko: KoRule::Simple, ..Ruleset::TROMP_TAYLOR };
    let game = random_game(Setup::new(size, topology, ruleset, Komi::ZERO), moves, seed, false);
    game.board().clone()
}

/// Chains, liberties and pairs found by flooding, the slow and obvious way.
fn assert_chains_are_those_of_flooding(board: &Board) {
    let mut seen = std::collections::HashSet::new();
    for (start, color) in board.stones() {
        if !seen.insert(start) {
            continue;
        }
        let (mut stones, mut stack) = (vec![start], vec![start]);
        let mut liberties = std::collections::BTreeSet::new();
        while let Some(at) = stack.pop() {
            for q in board.neighbors(at) {
                match board.get(q) {
                    None => {
                        liberties.insert(q);
                    }
                    Some(other) if other == color && seen.insert(q) => {
                        stones.push(q);
                        stack.push(q);
                    }
                    Some(_) => {}
                }
            }
        }
        let chain = board.chain_at(start).unwrap();
        assert!(!liberties.is_empty(), "a chain without liberty stands\n{board}");
        assert_eq!(chain.len(), stones.len());
        assert_eq!(chain.color(), color);
        let mut found: Vec<Point> = chain.liberties().collect();
        found.sort_unstable();
        assert_eq!(found, liberties.iter().copied().collect::<Vec<_>>(), "{board}");
        assert_eq!(chain.is_in_atari(), liberties.len() == 1);
        assert_eq!(chain.liberties_up_to(2), liberties.len().min(2));
        let mut listed: Vec<Point> = chain.stones().collect();
        listed.sort_unstable();
        stones.sort_unstable();
        assert_eq!(listed, stones);
        assert!(stones.iter().all(|&stone| board.chain_at(stone).unwrap().head_point() == chain.head_point()));
    }
}

/// Two hundred cases for every law; ten thousand where slow tests are asked for.
fn config() -> ProptestConfig {
    let slow = honinbo_testkit::fixtures::are_slow_tests_on();
    ProptestConfig { cases: if slow { 10_000 } else { 200 }, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn incremental_and_recomputed_state_agree(
        size in sizes(9), topology in topologies(), moves in 0usize..200, seed: u64,
    ) {
        let board = random_board(size, topology, moves, seed);
        assert_chains_are_those_of_flooding(&board);
        prop_assert_eq!(board.hash(), board.recomputed_hash());
        let rebuilt = Board::with_stones(size, topology, board.stones()).unwrap();
        prop_assert_eq!(rebuilt.hash(), board.hash());
        prop_assert_eq!(Board::from_diagram(&board.to_string(), topology).unwrap().hash(), board.hash());
        prop_assert_eq!(area_map(&rebuilt, true), area_map(&board, true));
        let empty: Vec<Point> = board.empty_points().collect();
        prop_assert_eq!(empty.len() + board.stones().count(), size.area());
    }

    #[test]
    fn playouts_keep_the_board_sound(
        size in prop_oneof![19 => sizes(19), 1 => sizes(BoardSize::MAX)], topology in topologies(), seed: u64,
    ) {
        let mut board = Board::new(size, topology);
        let mut random = Random::new(seed);
        let moves = board.play_out(Color::Black, 3 * size.area(), &mut random);
        prop_assert!(moves <= 3 * size.area());
        assert_chains_are_those_of_flooding(&board);
        prop_assert_eq!(board.hash(), board.recomputed_hash());
        if moves < 3 * size.area() {
            // Both players passed: only own eyes and suicides are left.
            for color in Color::ALL {
                for point in board.legal_points(color, false) {
                    prop_assert!(board.is_simple_eye(color, point), "{} could play {}\n{}", color, point, board);
                }
            }
        }
    }

    #[test]
    fn undo_takes_back_exactly_one_turn(
        size in sizes(6), topology in topologies(), ruleset in rulesets(), moves in 0usize..120, seed: u64,
        clean_up: bool,
    ) {
        let setup = Setup::new(size, topology, ruleset, Komi::from_half_points(13));
        let mut game = random_game(setup, moves, seed, clean_up);
        for _ in 0..4 {
            let before = game.clone();
            let Some(&played) = game.legal_moves().get(seed as usize % 5) else { break };
            let color = game.to_play();
            game.play(color, played).unwrap();
            prop_assert_ne!(&game, &before);
            let mut undone = game.clone();
            prop_assert_eq!(undone.undo().map(|turn| (turn.color, turn.played)), Some((color, played)));
            prop_assert_eq!(&undone, &before);
        }
        let whole = game.clone();
        game.declare_loss(Color::White, WinBy::Resignation);
        if whole.outcome().is_none() {
            prop_assert_eq!(game.undo(), None);
        }
        prop_assert_eq!(&game, &whole);
    }

    #[test]
    fn the_legal_list_agrees_with_asking_one_by_one(
        size in sizes(7), topology in topologies(), ruleset in rulesets(), moves in 0usize..150, seed: u64,
        clean_up: bool,
    ) {
        let setup = Setup::new(size, topology, ruleset, Komi::ZERO);
        let game = random_game(setup, moves, seed, clean_up);
        let listed: Vec<Move> = game.legal_moves();
        for played in Point::all(size).map(Move::Place).chain([Move::Pass]) {
            for color in Color::ALL {
                let mut tried = game.clone();
                let answer = tried.play(color, played);
                prop_assert_eq!(answer.is_ok(), game.legality(color, played).is_ok());
                if color == game.to_play() {
                    prop_assert_eq!(answer.is_ok(), listed.contains(&played), "{} {:?}", played, answer);
                } else {
                    prop_assert!(answer.is_err());
                }
                if answer.is_err() {
                    prop_assert_eq!(&tried, &game);
                }
            }
        }
    }

    #[test]
    fn a_game_never_repeats_what_its_ko_rule_forbids(
        size in sizes(4), topology in topologies(), ko in prop::sample::select(vec![KoRule::Positional, KoRule::Situational]),
        suicide: bool, seed: u64,
    ) {
        let ruleset = Ruleset { ko, multi_stone_suicide: suicide, ..Ruleset::TROMP_TAYLOR };
        let mut game = Game::new(Setup::new(size, topology, ruleset, Komi::ZERO)).unwrap();
        let mut random = Random::new(seed);
        let situation = |game: &Game| {
            (game.board().to_string(), (ko == KoRule::Situational).then_some(game.to_play()))
        };
        let mut seen = vec![situation(&game)];
        for _ in 0..200 {
            // Passes repeat the arrangement, which is allowed; only stones may not.
            let points: Vec<Point> = game.legal_points().collect();
            let refused: Vec<Point> = game.superko_points().collect();
            for point in refused {
                let mut after = game.board().clone();
                after.play(game.to_play(), point).unwrap();
                let key = (after.to_string(), (ko == KoRule::Situational).then_some(game.to_play().opponent()));
                prop_assert!(seen.contains(&key), "refused without reason");
            }
            let played = if points.is_empty() || random.below(20) == 0 {
                Move::Pass
            } else {
                Move::Place(points[random.below(points.len())])
            };
            if game.play(game.to_play(), played).is_err() {
                break;
            }
            let now = situation(&game);
            prop_assert!(played == Move::Pass || !seen.contains(&now), "repeated\n{}", game.board());
            seen.push(now);
        }
    }

    #[test]
    fn symmetries_and_translations_commute_with_play(
        size in sizes(7), topology in topologies(), moves in 0usize..80, seed: u64, dx in 0usize..7, dy in 0usize..7,
    ) {
        let board = random_board(size, topology, moves, seed);
        let hash = canonical_hash(&board, Color::Black);
        let maps: Vec<BoardMap> = Symmetry::ALL
            .into_iter()
            .map(|s| Box::new(move |b: &Board| b.transformed(s)) as BoardMap)
            .chain([Box::new(move |b: &Board| b.translated(dx, dy)) as Box<dyn Fn(&Board) -> Board>])
            .collect();
        for map in &maps {
            let image = map(&board);
            prop_assert_eq!(canonical_hash(&image, Color::Black), hash, "\n{}\n\n{}", board, image);
            for color in Color::ALL {
                prop_assert_eq!(image.legal_points(color, false).count(), board.legal_points(color, false).count());
            }
            let owned = |map: &[Option<Color>]| map.iter().filter(|&&owner| owner == Some(Color::Black)).count();
            prop_assert_eq!(owned(&pass_alive(&image, true)), owned(&pass_alive(&board, true)));
            // The ladder search may order moves differently, which changes no answer.
            prop_assert_eq!(ladders(&image).len(), ladders(&board).len(), "\n{}\n\n{}", board, image);
            if let Some(point) = board.legal_points(Color::White, true).nth(seed as usize % 7) {
                let mut stone = Board::new(size, topology);
                stone.play(Color::White, point).unwrap();
                let target = map(&stone).stones().next().unwrap().0;
                let (mut first, mut then) = (board.clone(), image.clone());
                first.play(Color::White, point).unwrap();
                then.play(Color::White, target).unwrap();
                prop_assert_eq!(map(&first), then);
            }
        }
        prop_assert_eq!(canonical_hash(&board.colors_swapped(), Color::White), hash);
        let form = canonical(&board, Color::White);
        for point in Point::all(size) {
            prop_assert_eq!(form.from_canonical(form.to_canonical(point)), point);
        }
    }

    #[test]
    fn the_parts_of_a_score_are_the_score(
        size in sizes(7), topology in topologies(), ruleset in rulesets(), moves in 0usize..200, seed: u64,
        clean_up: bool, komi in -20i32..20,
    ) {
        let setup = Setup::new(size, topology, ruleset, Komi::from_half_points(komi));
        let game = random_game(setup, moves, seed, clean_up);
        let score = game.score();
        let parts = |side: &honinbo_rules::SideScore| {
            2 * (side.stones as i32 + side.territory as i32 + side.dead_stones as i32 + side.prisoners as i32
                + side.clean_up - side.group_tax as i32 + side.handicap_bonus as i32)
                + side.komi_half + side.button_half
        };
        let [black, white] = &score.sides;
        prop_assert_eq!(score.white_minus_black_half(), parts(white) - parts(black));
        prop_assert_eq!(score.outcome(), Outcome::from_white_minus_black(score.white_minus_black_half()));
        if game.phase() == Phase::Main && ruleset.scoring == Scoring::Territory {
            prop_assert_eq!((black.clean_up, white.clean_up), (0, 0), "prisoners explain everything before clean-up");
        }
        // KataGo's way: points of the map, and what every move costs.
        let points = |color| score.map.iter().filter(|&&owner| owner == Some(color)).count() as i32;
        let tax = black.group_tax as i32 - white.group_tax as i32;
        let expected = 2 * (points(Color::White) - points(Color::Black) + tax + game.white_handicap_bonus() as i32)
            + (game.white_bonus() * 2.0) as i32 + komi;
        prop_assert_eq!(score.white_minus_black_half(), expected);
    }

    #[test]
    fn nothing_that_is_tried_panics(
        size in sizes(5), topology in topologies(), ruleset in rulesets(),
        tries in prop::collection::vec((any::<bool>(), 0u8..8, 0u8..8, 0u8..10), 0..120),
    ) {
        let mut game = Game::new(Setup::new(size, topology, ruleset, Komi::ZERO)).unwrap();
        for (black, x, y, kind) in tries {
            let color = if black { Color::Black } else { Color::White };
            let point = Point::new(x as usize, y as usize);
            match kind {
                0 => { let _ = game.play_tolerant(color, Move::Pass); }
                1 => { let _ = game.play(color, Move::Pass); }
                2 => { game.resume(color); }
                3 => { let _ = game.undo(); }
                4 => { game.set_prevent_clean_up(black); }
                5 => { let _ = game.play(color, Move::Place(point)); }
                _ => { let _ = game.play_tolerant(color, Move::Place(point)); }
            }
            assert_chains_are_those_of_flooding(game.board());
            let _ = game.score_without(&[point]);
        }
        let turns = game.turns().len();
        game.rewind(turns / 2);
        prop_assert_eq!(game.turns().len(), turns / 2);
    }
}
