//! Positions that every rulebook argues about. Points are SGF letters, column then row from the top-left corner.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests stop and speak aloud")]

use honinbo_rules::{
    Board, BoardSize, Color, DeadStones, Game, IllegalMove, Keep, KoRule, Komi, LadderReader, Move, Outcome, Phase,
    Point, Preset, Ruleset, Setup, Tax, Topology, WinBy, independent_life, ladders, pass_alive,
};

const SIMPLE: Ruleset = Ruleset { ko: KoRule::Simple, ..Ruleset::TROMP_TAYLOR };
const POSITIONAL: Ruleset = Ruleset::TROMP_TAYLOR;
const SITUATIONAL: Ruleset = Ruleset { ko: KoRule::Situational, ..Ruleset::TROMP_TAYLOR };

fn board(diagram: &str, topology: Topology) -> Board {
    Board::from_diagram(diagram, topology).unwrap()
}

fn game(diagram: &str, ruleset: Ruleset, first: Color) -> Game {
    let board = board(diagram, Topology::Plane);
    let mut setup = Setup::new(board.size(), board.topology(), ruleset, Komi::ZERO);
    setup.stones = board.stones().collect();
    setup.first_player = first;
    Game::new(setup).unwrap()
}

/// Plays moves in turn from the player to move on; `--` is a pass. Stops at the first that is refused.
fn play(game: &mut Game, moves: &str) -> Result<(), (usize, IllegalMove)> {
    for (nth, word) in moves.split_whitespace().enumerate() {
        let size = game.board().size();
        let played = if word == "--" { Move::Pass } else { Move::Place(Point::from_sgf(word, size).unwrap()) };
        game.play(game.to_play(), played).map_err(|error| (nth + 1, error))?;
    }
    Ok(())
}

fn at(letters: &str) -> Point {
    Point::from_sgf(letters, BoardSize::NINETEEN).unwrap()
}

fn rows(board: &Board) -> Vec<String> {
    board.to_string().lines().map(|line| line.replace(' ', "")).collect()
}

const KO: &str = "
    . X O .
    X . X O
    . X O .
    . . . .";

#[test]
fn retaking_a_ko_at_once_is_refused_by_every_ko_rule() {
    for ruleset in [SIMPLE, POSITIONAL, SITUATIONAL, Ruleset { ko: KoRule::Spight, ..SIMPLE }] {
        let mut game = game(KO, ruleset, Color::White);
        play(&mut game, "bb").unwrap();
        assert_eq!(game.board().captured_by(Color::White), 1);
        let refused = game.play(Color::Black, Move::Place(at("cb"))).unwrap_err();
        assert_eq!(refused, IllegalMove::Ko { point: at("cb") });
        assert_eq!(refused.to_string(), "cb would retake the ko at once");
        // After an exchange elsewhere the ko may be retaken, and then White has to look for a threat.
        play(&mut game, "ad dd cb").unwrap();
        assert_eq!(play(&mut game, "bb"), Err((1, IllegalMove::Ko { point: at("bb") })));
    }
}

#[test]
fn a_snapback_is_no_ko() {
    // White takes one stone and loses six on the very point.
    let mut game = game(
        "
        X O O . . X
        X X O O O X
        . X X X X .
        . . . . . .",
        POSITIONAL,
        Color::Black,
    );
    play(&mut game, "da ea da").unwrap();
    assert_eq!((game.board().captured_by(Color::White), game.board().captured_by(Color::Black)), (1, 6));
    assert_eq!(rows(game.board())[0], "X..X.X");
}

const DOUBLE_KO: &str = "
    . X O .
    X O . O
    . X O .
    . . . .
    . X O .
    X . X O
    . X O .";

#[test]
fn a_double_ko_turns_for_ever_without_superko() {
    // Black takes above, White below, Black passes, both retake: the first position with White to move.
    let round = "cb bf -- bb cf";
    let mut simple = game(DOUBLE_KO, SIMPLE, Color::Black);
    let start = simple.board().hash();
    play(&mut simple, round).unwrap();
    assert_eq!(simple.board().hash(), start);
    let mut positional = game(DOUBLE_KO, POSITIONAL, Color::Black);
    assert_eq!(
        play(&mut positional, round),
        Err((5, IllegalMove::Superko { point: at("cf"), first_seen: 0 })),
        "the arrangement of the start comes back"
    );
    // With White to move it is another situation.
    play(&mut game(DOUBLE_KO, SITUATIONAL, Color::Black), round).unwrap();
}

const TRIPLE_KO: &str = "
    . X O .
    X O . O
    . X O .
    . . . .
    . X O .
    X . X O
    . X O .
    . . . .
    . X O .
    X O . O
    . X O .";

#[test]
fn a_triple_ko_ends_without_result_or_is_stopped_by_superko() {
    let round = "cb bf cj bb cf bj";
    let mut simple = game(TRIPLE_KO, SIMPLE, Color::Black);
    play(&mut simple, round).unwrap();
    assert!(!simple.is_finished(), "the position was there twice");
    play(&mut simple, round).unwrap();
    assert_eq!(simple.outcome(), Some(Outcome::NoResult));
    assert_eq!(simple.outcome().unwrap().to_sgf(), "Void");
    for ruleset in [POSITIONAL, SITUATIONAL] {
        let refused = play(&mut game(TRIPLE_KO, ruleset, Color::Black), round).unwrap_err();
        assert_eq!(refused, (6, IllegalMove::Superko { point: at("bj"), first_seen: 0 }));
        assert_eq!(refused.1.to_string(), "bj would repeat the position after move 0");
    }
}

#[test]
fn a_pass_between_makes_a_long_cycle_harmless() {
    // Under simple ko passes clear the memory for long cycles.
    let mut game = game(TRIPLE_KO, SIMPLE, Color::Black);
    play(&mut game, "cb bf cj bb cf bj -- ad -- dd").unwrap();
    play(&mut game, "cb bf cj bb cf bj").unwrap();
    assert_eq!(game.outcome(), None);
}

const SEND_TWO: &str = "
    . X . X .
    O O X X .
    . O O X .
    . . O X .
    . . . . .";

#[test]
fn sending_two_returning_one_depends_on_the_superko_rule() {
    // Black makes it two stones, White takes them, Black takes the taker: the start, but White is to move.
    let round = "aa ca ba";
    assert_eq!(
        play(&mut game(SEND_TWO, POSITIONAL, Color::Black), round),
        Err((3, IllegalMove::Superko { point: at("ba"), first_seen: 0 }))
    );
    let mut situational = game(SEND_TWO, SITUATIONAL, Color::Black);
    play(&mut situational, round).unwrap();
    assert_eq!(rows(situational.board())[0], ".X.X.");
    assert_eq!(situational.board().captured_by(Color::White), 2);
    // A white pass and the whole again: now the situation after the first capture would come back.
    assert_eq!(play(&mut situational, "-- aa"), Err((2, IllegalMove::Superko { point: at("aa"), first_seen: 1 })));
    // Without superko the second pass from the same position ends the game.
    let mut simple = game(SEND_TWO, SIMPLE, Color::Black);
    play(&mut simple, &format!("{round} -- {round} --")).unwrap();
    assert!(matches!(simple.outcome(), Some(Outcome::Win { by: WinBy::Score(_), .. })));
}

const ETERNAL_LIFE: &str = "
    . X . O . X O .
    O X X X O O X X
    O O O O O X . .
    X X X X X X . .
    . . . . . . . .";

#[test]
fn eternal_life_has_no_result_without_superko() {
    // White sacrifices two, Black takes them, White takes two under the stones, Black throws in again.
    let round = "ca ea da fa";
    let mut simple = game(ETERNAL_LIFE, SIMPLE, Color::White);
    let start = simple.board().hash();
    play(&mut simple, round).unwrap();
    assert_eq!(simple.board().hash(), start);
    play(&mut simple, round).unwrap();
    assert_eq!(simple.outcome(), Some(Outcome::NoResult));
    for ruleset in [POSITIONAL, SITUATIONAL] {
        let refused = play(&mut game(ETERNAL_LIFE, ruleset, Color::White), round).unwrap_err();
        assert_eq!(refused, (4, IllegalMove::Superko { point: at("fa"), first_seen: 0 }));
    }
}

#[test]
fn suicide_of_one_stone_is_never_allowed_and_of_several_by_ruleset() {
    let one = "
        . O . .
        O . . .
        . . . .";
    for preset in Preset::ALL {
        let refused = play(&mut game(one, preset.ruleset(), Color::Black), "aa");
        assert_eq!(refused, Err((1, IllegalMove::Suicide { point: at("aa") })), "{preset}");
    }
    let two = "
        X . O .
        O O . .
        . . . .";
    for preset in Preset::ALL {
        let mut game = game(two, preset.ruleset(), Color::Black);
        let answer = play(&mut game, "ba");
        if preset.ruleset().multi_stone_suicide {
            assert_eq!(answer, Ok(()), "{preset}");
            assert_eq!(rows(game.board())[0], "..O.");
            assert_eq!(game.board().captured_by(Color::White), 2);
        } else {
            assert_eq!(answer, Err((1, IllegalMove::Suicide { point: at("ba") })), "{preset}");
        }
    }
}

#[test]
fn suicide_that_repeats_the_position_is_superko() {
    // Black's two stones die by Black's own hand; one of them put back makes the first position again.
    let diagram = "X . O\nO O .\n. . .";
    let mut positional = game(diagram, POSITIONAL, Color::Black);
    assert_eq!(play(&mut positional, "ba -- aa"), Err((3, IllegalMove::Superko { point: at("aa"), first_seen: 0 })));
    play(&mut game(diagram, SITUATIONAL, Color::Black), "ba -- aa").unwrap();
}

/// White's group and Black's right one share the point `hc`; Black's left group lives alone.
const SEKI: &str = "
    . X . X X O . O X .
    X X X X X O O O X X
    . X O O O . O . X .";

#[test]
fn eyes_in_seki_count_as_the_tax_says() {
    let board = board(SEKI, Topology::Plane);
    let stones_only = independent_life(&board, Keep { territory: false, stones: true, beside_atari: true }, false);
    assert_eq!(stones_only.white_minus_black_groups, -1);
    let lead = |tax| game(SEKI, Ruleset { tax, ..SIMPLE }, Color::Black).score().black_lead();
    // 18 black points and 11 white ones; both sides of the seki have two eyes; one black group lives alone.
    assert_eq!((lead(Tax::None), lead(Tax::Seki), lead(Tax::All)), (18.0 - 11.0, 16.0 - 9.0, 16.0 - 9.0 - 2.0));
    let japanese = game(SEKI, Preset::Japanese.ruleset(), Color::Black).score();
    assert_eq!(japanese.side(Color::Black).territory, 3, "the eyes of the group that lives alone");
    assert_eq!(japanese.side(Color::White).territory, 0);
    let score = game(SEKI, Ruleset { tax: Tax::All, ..SIMPLE }, Color::Black).score();
    assert_eq!((score.side(Color::Black).group_tax, score.side(Color::White).group_tax), (2, 0));
}

#[test]
fn territory_beside_a_chain_of_its_owner_in_atari_is_left_out_where_a_network_wants_it_so() {
    // White's stone at the top right is in atari; where White connects it, there is no point left.
    let diagram = "
        . O . O X
        O O O X X
        X X X X .
        . X . X X";
    let board = board(diagram, Topology::Plane);
    let owned = |beside_atari| {
        let life = independent_life(&board, Keep { territory: true, stones: false, beside_atari }, false);
        [(2, 0), (0, 0), (4, 2), (2, 3), (0, 3)].map(|(x, y)| life.map[Point::new(x, y).index(board.size())])
    };
    let [white, black] = [Color::White, Color::Black].map(Some);
    assert_eq!(owned(true), [white, white, black, black, black]);
    assert_eq!(owned(false), [None, white, black, black, black]);
}

#[test]
fn a_seki_without_eyes_leaves_its_shared_liberties_to_nobody() {
    let diagram = "
        X . O X .
        X . O X X
        O O O X .
        X X X X X
        . X . X .";
    let board = board(diagram, Topology::Plane);
    let map = honinbo_rules::area_map(&board, false);
    assert_eq!((map[1], map[6]), (None, None), "the points between both");
    let area = game(diagram, SIMPLE, Color::Black).score();
    assert_eq!((area.side(Color::Black).total(), area.side(Color::White).total()), (18.0, 5.0));
    let territory = game(diagram, Preset::Japanese.ruleset(), Color::Black).score();
    assert_eq!((territory.side(Color::Black).total(), territory.side(Color::White).total()), (5.0, 0.0));
}

#[test]
fn neutral_points_that_anybody_can_fill_make_no_seki() {
    // One neutral point is left between the two walls.
    let diagram = "
        . . X O . .
        . . X . O .
        X X X O O .
        . . X O . .";
    let finished = game(diagram, Preset::Japanese.ruleset(), Color::Black);
    let score = finished.score_without(&[]);
    assert_eq!((score.side(Color::Black).territory, score.side(Color::White).territory), (6, 6));
    assert_eq!(score.map[9], None, "the neutral point itself");
    assert_eq!(finished.score().side(Color::Black).territory, 0, "who counts strictly has to fill it first");
    // Only Black can fill the last one, and then White has to connect: a point less.
    let protect = "
        . X . O . O .
        . X X X O O .
        . . . X O . .";
    let score = game(protect, Preset::Japanese.ruleset(), Color::Black).score_without(&[]);
    assert_eq!((score.side(Color::Black).territory, score.side(Color::White).territory), (5, 4));
}

#[test]
fn a_board_without_stones_is_nobodys_territory() {
    for preset in Preset::ALL {
        let setup = Setup::new(BoardSize::NINETEEN, Topology::Plane, preset.ruleset(), Komi::ZERO);
        let score = Game::new(setup).unwrap().score_without(&[]);
        let territories = Color::ALL.map(|color| score.side(color).territory);
        assert_eq!(territories, [0, 0], "{preset:?}");
    }
}

#[test]
fn an_open_board_with_a_few_stones_is_nobodys_territory() {
    for (size, black, white, surrounded) in [
        (BoardSize::NINETEEN, "js bg kr", "cj le bc", [0, 0]),
        (BoardSize::NINETEEN, "pd pp", "dd dp", [0, 0]),
        // One point is surrounded.
        (BoardSize::NINE, "ab if bb bh bi fa hd di ch", "af ef ie ac dd ei bf hc fd ai cg", [1, 0]),
    ] {
        let mut setup = Setup::new(size, Topology::Plane, Preset::Japanese.ruleset(), Komi::ZERO);
        setup.stones = [(Color::Black, black), (Color::White, white)]
            .into_iter()
            .flat_map(|(color, points)| points.split(' ').map(move |point| (at(point), color)))
            .collect();
        let game = Game::new(setup).unwrap();
        let score = game.score_without(&[]);
        for color in Color::ALL {
            let side = score.side(color);
            let found = (side.territory, side.dead_stones, side.clean_up);
            assert_eq!(found, (surrounded[color.index()], 0, 0), "{black}, {white}: {color:?}");
        }
        for (point, color) in game.board().stones() {
            assert_eq!(score.map[point.index(size)], Some(color), "nobody called it dead");
        }
    }
}

#[test]
fn the_ear_reddening_game_is_counted_as_its_players_counted_it() {
    // The end of the game of 1846 between Gennan Inseki and Shusaku, recorded as two points for Black.
    let sgf = include_str!("../../../tests/fixtures/games/ear-reddening-1846.sgf");
    let mut setup = Setup::preset(Preset::Japanese);
    setup.komi = Komi::ZERO;
    let mut game = Game::new(setup).unwrap();
    for turn in sgf.split(';').filter_map(|node| node.trim().strip_prefix("B[").or(node.trim().strip_prefix("W["))) {
        let point = Point::from_sgf(&turn[..2], game.board().size()).unwrap();
        game.play(game.to_play(), Move::Place(point)).unwrap();
    }
    assert_eq!(game.turns().len(), 325);
    let mut dead = DeadStones::new();
    for point in "jd jf cn fn fe oh nn sn".split(' ') {
        dead.toggle(game.board(), at(point));
    }
    assert_eq!(DeadStones::guess_by_playouts(game.board(), 300, 1), dead);
    let score = game.score_without(&dead.to_vec());
    assert_eq!((score.side(Color::Black).total(), score.side(Color::White).total()), (86.0, 84.0));
    assert_eq!(score.outcome().to_sgf(), "B+2");
}

#[test]
fn bent_four_in_the_corner_is_dead_by_agreement() {
    let diagram = "
        . . O X .
        X X O X .
        X O O X .
        O O X X .
        X X X . .";
    let japanese = game(diagram, Preset::Japanese.ruleset(), Color::White);
    let mut dead = DeadStones::new();
    dead.toggle(japanese.board(), at("ca"));
    assert_eq!(dead.len(), 6, "the whole chain");
    let score = japanese.score_without(&dead.to_vec());
    let black = score.side(Color::Black);
    assert_eq!((black.dead_stones, black.prisoners, black.clean_up), (6, 0, 0));
    // Two points in the corner, six under the dead stones, six outside.
    assert_eq!(black.territory, 14);
    assert_eq!(score.outcome().to_sgf(), "B+20");
    // Area scoring comes to the whole board.
    let chinese = game(diagram, Preset::Chinese.ruleset(), Color::White).score_without(&dead.to_vec());
    assert_eq!(chinese.black_lead(), 25.0);
    // Played out, Black takes the group without a threat left for White: four stones are taken back in a ko.
    let mut played = game(diagram, SIMPLE, Color::Black);
    play(&mut played, "aa ba ab").unwrap();
    assert_eq!(played.board().captured_by(Color::White), 4);
    dead.toggle(japanese.board(), at("bd"));
    assert!(dead.is_empty(), "toggled back through another stone");
}

const TEN_THOUSAND_YEAR_KO: &str = "
    . X X . O X .
    X O . O O X .
    O O O O X X .
    X X X X X . .
    . . . . . . .";

#[test]
fn a_ten_thousand_year_ko_is_a_ko_or_a_seki() {
    // Black fills the ko: both have the same two liberties, and who plays one of them is taken on the other.
    let mut filled = game(TEN_THOUSAND_YEAR_KO, Preset::Japanese.ruleset(), Color::Black);
    play(&mut filled, "aa").unwrap();
    for color in Color::ALL {
        for shared in [at("da"), at("cb")] {
            let mut board = filled.board().clone();
            board.play(color, shared).unwrap();
            assert!(board.chain_at(shared).unwrap().is_in_atari(), "{color:?} at {shared}");
        }
    }
    let score = filled.score_without(&[]);
    assert_eq!(score.side(Color::White).territory, 0);
    assert_eq!((score.map[3], score.map[9]), (None, None), "the shared liberties are nobody's");
    assert_eq!(score.side(Color::Black).territory, 12, "only what the outer wall surrounds");

    // White takes the ko instead. Black cannot retake before a threat, and is taken when White plays once more.
    let mut taken = game(TEN_THOUSAND_YEAR_KO, SIMPLE, Color::White);
    play(&mut taken, "aa").unwrap();
    assert_eq!(play(&mut taken, "ab"), Err((1, IllegalMove::Ko { point: at("ab") })));
    play(&mut taken, "ga da gb cb").unwrap();
    assert_eq!(taken.board().captured_by(Color::White), 3);
    let mut retaken = game(TEN_THOUSAND_YEAR_KO, SIMPLE, Color::White);
    play(&mut retaken, "aa ga gb ab").unwrap();
    assert_eq!(retaken.board().captured_by(Color::Black), 1);
}

const MOLASSES_KO: &str = "
    . X O . O X O .
    . X O . O X O .
    . X O O X X O .
    . X . X . X O .
    . X . O X O O .
    . X . X . X O .";

#[test]
fn a_molasses_ko_slows_a_game_to_a_fifth() {
    // Black throws in, White takes a ko, Black takes two, White takes the other ko: the same with colours changed.
    // After each move elsewhere all that has to be played again.
    let (black, white) = ("da ef db ed", "ea ee eb ff");
    for ruleset in [SIMPLE, POSITIONAL, SITUATIONAL] {
        let mut slow = game(MOLASSES_KO, ruleset, Color::Black);
        for elsewhere in [("aa", "ha"), ("ab", "hb"), ("ac", "hc")] {
            let captures = Color::ALL.map(|color| slow.board().captured_by(color));
            play(&mut slow, &format!("{black} {} {white} {}", elsewhere.0, elsewhere.1)).unwrap();
            assert_eq!(Color::ALL.map(|color| slow.board().captured_by(color)), captures.map(|stones| stones + 4));
        }
        let local = |board: &Board| rows(board).iter().map(|row| row[1..7].to_string()).collect::<Vec<_>>();
        assert_eq!(local(slow.board()), local(&board(MOLASSES_KO, Topology::Plane)));
    }
    // Who passes instead of playing elsewhere repeats the position: positional superko stops it, situational superko
    // not before the same player is to move.
    let round = format!("{black} -- {white}");
    let refused = play(&mut game(MOLASSES_KO, POSITIONAL, Color::Black), &round).unwrap_err();
    assert_eq!(refused, (9, IllegalMove::Superko { point: at("ff"), first_seen: 0 }));
    play(&mut game(MOLASSES_KO, SITUATIONAL, Color::Black), &round).unwrap();
}

#[test]
fn moonshine_life_dies_in_the_clean_up() {
    // A ko above, and two that are a double ko below: an endless source of threats in the game.
    let mut game = game(TRIPLE_KO, Preset::Japanese.ruleset(), Color::Black);
    game.set_prevent_clean_up(false);
    play(&mut game, "-- --").unwrap();
    assert_eq!(game.phase(), Phase::CleanUp1);
    // Black takes the ko. White may not retake: trying it, even after an exchange, only lifts the ban.
    play(&mut game, "cb bf cj").unwrap();
    assert_eq!(game.recapture_blocked().collect::<Vec<_>>(), [at("cb"), at("bf"), at("cj")]);
    assert!(game.is_pass_for_ko(Color::White, at("bb")));
    let before = game.board().hash();
    play(&mut game, "bb").unwrap();
    assert_eq!(game.board().hash(), before, "a pass for the ko leaves the board as it was");
    // Black connects in the meantime.
    play(&mut game, "bb").unwrap();
    assert_eq!(game.board().get(at("bb")), Some(Color::Black));
}

#[test]
fn two_passes_wait_for_agreement_and_disagreement_resumes() {
    let mut game = game(KO, Preset::Japanese.ruleset(), Color::White);
    play(&mut game, "bb -- --").unwrap();
    assert!(game.is_past_end() && game.is_over() && !game.is_finished());
    assert_eq!(game.play(Color::White, Move::Pass), Err(IllegalMove::GameOver));
    game.resume(Color::White);
    play(&mut game, "cb -- --").unwrap();
    assert!(game.is_past_end());
    assert!(!game.is_finished());
}

#[test]
fn a_game_that_was_taken_up_again_stays_so_under_another_komi_and_when_the_next_turn_is_taken_back() {
    let mut game = game(KO, Preset::Japanese.ruleset(), Color::White);
    play(&mut game, "bb -- --").unwrap();
    game.resume(Color::White);
    let resumed = game.clone();
    play(&mut game, "cb").unwrap();
    game.undo();
    assert_eq!(game, resumed);
    game.set_ruleset_and_komi(*resumed.ruleset(), Komi::from_half_points(1));
    assert_eq!((game.is_over(), game.to_play()), (false, Color::White));
    game.rewind(2);
    assert_eq!((game.is_over(), game.turns().len()), (false, 2), "back before the end there is nothing to take up");
    play(&mut game, "--").unwrap();
    assert!(game.is_past_end());
}

#[test]
fn resignation_and_time_end_a_game() {
    let mut game = game(KO, SIMPLE, Color::White);
    game.play(Color::Black, Move::Resign).unwrap();
    assert_eq!(game.outcome().unwrap().to_sgf(), "W+R");
    game.undo();
    game.declare_loss(Color::White, WinBy::Time);
    assert_eq!(game.outcome().unwrap().to_sgf(), "B+T");
    assert_eq!(play(&mut game, "bb"), Err((1, IllegalMove::GameOver)));
}

#[test]
fn the_button_goes_to_the_first_pass() {
    let mut setup = Setup::preset(Preset::AgaButton);
    setup.size = honinbo_rules::BoardSize::NINE;
    let mut game = Game::new(setup).unwrap();
    play(&mut game, "ee -- --").unwrap();
    assert!(!game.is_finished(), "the pass that takes the button does not count");
    play(&mut game, "--").unwrap();
    // 81 points for Black, 7 komi and the button for White.
    assert_eq!(game.outcome().unwrap().to_sgf(), "B+73.5");
    assert_eq!(game.score().side(Color::White).button_half, 1);
}

const PLANE_LADDER: &str = "
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . X O . . . . .
    . . . . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .";

#[test]
fn a_ladder_works_on_the_plane_and_ends_at_a_breaker() {
    let found = ladders(&board(PLANE_LADDER, Topology::Plane));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].color, found[0].stones.as_slice()), (Color::White, &[at("dd")][..]));
    let with_breaker = PLANE_LADDER.replacen(
        ". . . . . . . . .\n    . . . . . . . . .\n    . . . X",
        ". . . . . . . . .\n    . . . . . . O . .\n    . . . X",
        1,
    );
    let working = |text: &str| ladders(&board(text, Topology::Plane)).first().map_or(0, |l| l.working_moves.len());
    assert!(working(&with_breaker) < working(PLANE_LADDER));
}

#[test]
fn a_torus_ladder_never_meets_an_edge() {
    // White's stone in atari runs down to the right. On the plane the edge stops it. On the torus it comes round to
    // the top left, where Black's first stones stop it, unless a white stone waits there: a stone *behind* the start
    // breaks the ladder.
    let diagram = |side: usize, breaker: bool| {
        let mut text = vec![vec!['.'; side]; side];
        for (x, y, stone) in [(3, 2, 'X'), (2, 3, 'X'), (3, 3, 'O'), (4, 3, 'X'), (2, 4, 'X')] {
            text[y][x] = stone;
        }
        if breaker {
            text[0][0] = 'O';
        }
        text.into_iter().map(|row| row.into_iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    };
    let mut reader = LadderReader::new();
    for side in [9, 13, 16, 19, 37, 52] {
        for breaker in [false, true] {
            let plane = board(&diagram(side, breaker), Topology::Plane);
            assert!(reader.captured_if_owner_moves(&plane, at("dd")), "the edge stops it on {side}x{side}");
            let torus = board(&diagram(side, breaker), Topology::Torus);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (side - 3, side - 3), (5, 7)] {
                let moved = torus.translated(dx, dy);
                let start = Point::new((3 + dx) % side, (3 + dy) % side);
                let caught = reader.captured_if_owner_moves(&moved, start);
                assert_eq!(caught, !breaker, "{side}x{side} moved by {dx}, {dy}, breaker {breaker}");
            }
        }
    }
}

#[test]
fn a_chain_of_all_but_one_point_of_the_largest_board_is_counted_and_captured() {
    let size = BoardSize::square(BoardSize::MAX).unwrap();
    for topology in Topology::ALL {
        let last = Point::new(BoardSize::MAX - 1, BoardSize::MAX - 1);
        let mut board = Board::new(size, topology);
        for point in Point::all(size).filter(|&point| point != last) {
            board.play(Color::Black, point).unwrap();
        }
        let chain = board.chain_at(Point::new(0, 0)).unwrap();
        assert_eq!((chain.len(), chain.stones().count()), (size.area() - 1, size.area() - 1));
        assert_eq!(chain.liberties().collect::<Vec<_>>(), [last]);
        board.play(Color::White, last).unwrap();
        assert_eq!(board.captured_by(Color::White) as usize, size.area() - 1);
        assert_eq!(board.stones().collect::<Vec<_>>(), [(last, Color::White)]);
        assert_eq!(board.hash(), board.recomputed_hash());
        // The most liberties that a chain can have: every other row, joined along one side.
        let mut comb = Board::new(size, topology);
        for point in Point::all(size).filter(|point| point.y() % 2 == 0 || point.x() == 0) {
            comb.play(Color::Black, point).unwrap();
        }
        let chain = comb.chain_at(Point::new(0, 0)).unwrap();
        assert_eq!(chain.len(), 26 * 52 + 26);
        assert_eq!(chain.liberties().count(), 26 * 51);
    }
}

#[test]
fn life_and_liberties_wrap() {
    // A chain around a torus with two one-point eyes across the seams.
    let text = "
        . X . . X
        X X . . X
        . . . . .
        . . . . .
        X X . . X";
    let torus = board(text, Topology::Torus);
    assert_eq!(torus.chain_at(at("ba")).unwrap().len(), 8);
    assert!(torus.is_simple_eye(Color::Black, at("aa")));
    assert_eq!(torus.neighbors(at("aa")).count(), 4);
    assert_eq!(torus.diagonals(at("aa")).collect::<Vec<_>>().len(), 4);
    let cylinder = board(text, Topology::Cylinder);
    assert_eq!(cylinder.neighbors(at("aa")).count(), 3);
    assert!(cylinder.chain_at(at("ba")).unwrap().len() < 8);
    assert!(pass_alive(&torus, false).iter().all(|owner| owner.is_none()), "one eye is not enough");
    // Daoqi: two passes, and the whole torus is Black's.
    let mut setup = Setup::preset(Preset::Daoqi);
    assert_eq!((setup.size.to_string().as_str(), setup.topology, setup.komi.points()), ("16x16", Topology::Torus, 4.0));
    setup.stones = vec![(at("aa"), Color::Black)];
    setup.first_player = Color::White;
    let mut game = Game::new(setup).unwrap();
    play(&mut game, "-- --").unwrap();
    assert_eq!(game.outcome().unwrap().to_sgf(), "B+252");
}

#[test]
fn handicap_stones_pay_as_the_ruleset_says() {
    for (preset, bonus) in [(Preset::Chinese, 4), (Preset::Aga, 3), (Preset::Japanese, 0), (Preset::NewZealand, 0)] {
        let setup = Setup::preset(preset).with_fixed_handicap(4).unwrap();
        let game = Game::new(setup).unwrap();
        assert_eq!((game.to_play(), game.white_handicap_bonus()), (Color::White, bonus), "{preset}");
    }
    // Free handicap: Black moves while White passes.
    let mut free = Game::new(Setup::preset(Preset::Chinese)).unwrap();
    play(&mut free, "dd -- pp -- pd").unwrap();
    assert_eq!(free.white_handicap_bonus(), 3);
    assert!(Setup::preset(Preset::Chinese).with_fixed_handicap(10).is_err());
}

#[test]
fn handicap_stones_are_counted_to_the_last_when_black_places_them_out_of_turn() {
    let mut game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
    let mut paid = |color, letters| {
        game = game.for_player(color).unwrap();
        game.play(color, Move::Place(at(letters))).unwrap();
        (game.handicap_stones(), game.white_handicap_bonus())
    };
    let placed = ["dp", "pd", "dd", "pp"].map(|letters| paid(Color::Black, letters));
    assert_eq!(placed, [(0, 0), (2, 2), (3, 3), (4, 4)]);
    // From White's first stone on it stays so, whoever moves twice.
    let rest = [(Color::White, "qf"), (Color::White, "qj"), (Color::Black, "jj"), (Color::Black, "cn")];
    assert_eq!(rest.map(|(color, letters)| paid(color, letters)), [(4, 4); 4]);
}
