//! Any sequence of set-ups and turns ends in a position or a reason, and the laws hold all the way.
#![cfg_attr(fuzzing, no_main)]

use honinbo_rules::{
    Board, BoardSize, Color, DeadStones, Game, HandicapBonus, HandicapCount, KoRule, Komi, Move, Phase, Point, Random,
    Ruleset, Scoring, Setup, Symmetry, Tax, Topology, canonical, canonical_hash, ladders,
};

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn below(&mut self, bound: usize) -> Option<usize> {
        self.next().map(|byte| usize::from(byte) % bound)
    }

    fn flag(&mut self) -> Option<bool> {
        self.next().map(|byte| byte & 1 == 1)
    }

    fn color(&mut self) -> Option<Color> {
        self.below(2).map(|n| Color::ALL[n])
    }

    fn point(&mut self, size: BoardSize) -> Option<Point> {
        // One beyond the edge now and then.
        Some(Point::new(self.below(size.width() + 1)?, self.below(size.height() + 1)?))
    }
}

fn setup(bytes: &mut Bytes<'_>) -> Option<Setup> {
    let side = |byte: usize| if byte < 240 { 2 + byte % 8 } else { 2 + byte % 36 };
    let size = BoardSize::new(side(bytes.below(256)?), side(bytes.below(256)?)).ok()?;
    let ruleset = Ruleset {
        ko: KoRule::ALL[bytes.below(4)?],
        scoring: Scoring::ALL[bytes.below(2)?],
        tax: Tax::ALL[bytes.below(3)?],
        multi_stone_suicide: bytes.flag()?,
        button: bytes.flag()?,
        white_handicap_bonus: HandicapBonus::ALL[bytes.below(3)?],
        friendly_pass: bytes.flag()?,
    };
    let komi = Komi::from_half_points(bytes.below(256)? as i32 - 128);
    let mut setup = Setup::new(size, Topology::ALL[bytes.below(3)?], ruleset, komi);
    setup.first_player = bytes.color()?;
    setup.phase = [Phase::Main, Phase::Main, Phase::CleanUp1, Phase::CleanUp2][bytes.below(4)?];
    setup.handicap = match bytes.below(3)? {
        0 => HandicapCount::Stones,
        1 => HandicapCount::StonesAndOpeningMoves,
        _ => HandicapCount::Exactly(bytes.below(256)? as u16),
    };
    setup.captured_by = [bytes.below(256)? as u32, bytes.below(256)? as u32];
    for _ in 0..bytes.below(24)? {
        setup.stones.push((bytes.point(size)?, bytes.color()?));
    }
    let stones = bytes.below(12)?;
    if stones > 9 { Some(setup) } else { setup.clone().with_fixed_handicap(stones).ok().or(Some(setup)) }
}

/// Every chain has a liberty, and the kept state is what counting anew gives.
fn check(game: &Game) {
    let board = game.board();
    assert!(board.chains().all(|chain| chain.liberties().next().is_some()));
    assert_eq!(board.hash(), board.recomputed_hash());
    let anew = Board::with_stones(board.size(), board.topology(), board.stones()).expect("a position of play");
    for point in Point::all(board.size()) {
        let [kept, counted] = [board, &anew].map(|b| b.chain_at(point).map(|c| (c.len(), c.liberties().len())));
        assert_eq!(kept, counted);
    }
    for point in Point::all(board.size()) {
        assert_eq!(game.is_legal_point(point), game.point_legality(point).is_ok());
    }
}

fn play(bytes: &mut Bytes<'_>) -> Option<()> {
    let mut game = Game::new(setup(bytes)?).ok()?;
    let size = game.board().size();
    check(&game);
    for _ in 0..400 {
        let (color, what) = (bytes.color()?, bytes.below(16)?);
        let before = game.clone();
        let answer = match what {
            0 => game.play(color, Move::Pass),
            1 => game.play_tolerant(color, Move::Pass),
            2 => {
                game.undo();
                Ok(())
            }
            3 => {
                game.resume(color);
                Ok(())
            }
            4 => {
                game.set_prevent_clean_up(color == Color::Black);
                Ok(())
            }
            5 => game.play_tolerant(color, Move::Place(bytes.point(size)?)),
            6 => {
                let score = game.score_without(&[bytes.point(size)?]);
                let [black, white] = score.sides;
                assert_eq!(score.white_minus_black_half(), white.total_half() - black.total_half());
                Ok(())
            }
            7 => {
                let board = game.board();
                let symmetry = Symmetry::ALL[bytes.below(8)?];
                let image = board.transformed(symmetry).translated(bytes.below(40)?, bytes.below(40)?);
                assert_eq!(canonical_hash(board, color), canonical_hash(&image, color));
                let form = canonical(board, color);
                let point = Point::from_index(bytes.below(size.area())?, size);
                assert_eq!(form.from_canonical(form.to_canonical(point)), point);
                assert_eq!(ladders(board).len(), ladders(&image).len());
                Ok(())
            }
            8 => {
                let mut dead = DeadStones::guess_by_playouts(game.board(), 2, u64::from(bytes.next()?));
                dead.toggle(game.board(), bytes.point(size)?);
                drop(game.score_without(&dead.to_vec()));
                let mut board = game.board().clone();
                board.play_out(color, 50, &mut Random::new(1));
                Ok(())
            }
            9 => game.play(color, Move::Resign),
            _ => game.play(game.to_play(), Move::Place(bytes.point(size)?)),
        };
        match answer {
            Err(error) => {
                assert!(!error.to_string().is_empty() && !error.hint().is_empty());
                assert_eq!(game, before);
            }
            Ok(()) if game.turns().len() == before.turns().len() + 1 => {
                let mut undone = game.clone();
                undone.undo();
                if before.outcome() == undone.outcome() && before.is_past_end() == undone.is_past_end() {
                    // What tolerance skips over, such as a declared result, does not come back.
                    assert_eq!(undone.board(), before.board());
                    assert_eq!(undone.turns(), before.turns());
                }
            }
            Ok(()) => {}
        }
        check(&game);
    }
    Some(())
}

pub(crate) fn run(data: &[u8]) {
    play(&mut Bytes(data));
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
