//! A deck as a collection of SGF: cards that one gives away and takes in.
//!
//! A card is the record of its game up to the position. The move of the game follows as a variation marked `BM` (bad move),
//! with the points that it lost as `HBL`; moves that are known to be as good as any follow as variations marked `TE`, so
//! that any program shows what is wrong and what is right. A card that is answered by the moves of a record has those as
//! `TE`, no move of the game, and `HBR` at the position. What the person answered, and when, is not a part of it.

use super::lines::moves_to;
use crate::games::session::keep_turn;
use honinbo_library::{Card, NewCard, position_after};
use honinbo_record::{GameTree, NodeId, Tsumego, move_value, read_sgf_text, replay};
use honinbo_rules::{Color, Game, Move, Point};
use std::collections::BTreeSet;

/// Points that the move of the game lost.
const LOST: &str = "HBL";
/// The marked moves are right because a record has them.
pub(crate) const RECORDED: &str = "HBR";

/// A card that was taken from a deck.
pub(super) struct DeckCard {
    pub(super) game: Game,
    pub(super) asks: NewCard,
}

/// The card as a game of a deck, with moves that are right where the engine judges.
pub(super) fn written(card: &Card, good: &[Move]) -> Option<String> {
    let mut tree = read_sgf_text(&card.asks.sgf).games.into_iter().next()?.tree;
    let end = tree.line_from(tree.root()).last().unwrap_or(tree.root());
    // Marks of the game itself would be read as the question.
    for node in tree.path(end) {
        for mark in ["BM", "TE", LOST, RECORDED] {
            tree.remove_property(node, mark);
        }
    }
    let game = replay(&tree, end).game;
    let recorded = moves_to(&card.asks.recorded, &game);
    let good = if recorded.is_empty() { good } else { &recorded };
    if !recorded.is_empty() {
        tree.set_raw(end, RECORDED, ["1"]);
    }
    let played = card.asks.played.filter(|_| recorded.is_empty()).map(|index| move_of(index, &game));
    if let Some(played) = played {
        let node = add(&mut tree, end, game.to_play(), played, "BM");
        tree.set_text(node, LOST, &card.asks.lost.to_string());
    }
    for &good in good.iter().filter(|good| Some(**good) != played) {
        add(&mut tree, end, game.to_play(), good, "TE");
    }
    Some(tree.in_utf8().to_sgf())
}

fn add(tree: &mut GameTree, end: NodeId, color: Color, played: Move, mark: &str) -> NodeId {
    let node = tree.add_child(end);
    tree.set_raw(node, &color.letter().to_string(), [move_value(played)]);
    tree.set_raw(node, mark, ["1"]);
    node
}

/// The card of a game of a deck; `None` where no move is marked as right or wrong.
pub(super) fn read(mut tree: GameTree) -> Option<DeckCard> {
    let size = honinbo_record::GameInfo::of(&tree).size;
    let is_marked = |tree: &GameTree, node| {
        ["BM", "TE"].iter().any(|mark| tree.property(node, mark).is_some()) && tree.move_at(node, size).is_some()
    };
    let end = tree.line_from(tree.root()).find(|&node| tree.children(node).any(|child| is_marked(&tree, child)))?;
    let game = replay(&tree, end).game;
    let wrong = tree.children(end).find(|&child| tree.property(child, "BM").is_some());
    let played = wrong.and_then(|wrong| tree.move_at(wrong, size)).filter(|made| made.color == game.to_play());
    let played = played.and_then(|made| made.played.ok());
    let played = played.filter(|&played| game.legality(game.to_play(), played).is_ok());
    let lost = wrong.and_then(|wrong| tree.text_value(wrong, LOST)?.trim().parse::<f64>().ok());
    let lost = lost.filter(|lost| lost.is_finite() && *lost >= 0.0).unwrap_or_default();
    let mut recorded = BTreeSet::new();
    if tree.remove_property(end, RECORDED) {
        let good = tree.children(end).filter(|&child| tree.property(child, "TE").is_some());
        let good = good.filter_map(|child| tree.move_at(child, size)).filter(|made| made.color == game.to_play());
        recorded.extend(good.filter_map(|made| position_after(&game, made.played.ok()?)));
    }
    for child in tree.children(end).collect::<Vec<_>>() {
        tree.detach(child);
    }
    keep_turn(&mut tree, end, game.to_play());
    // What remains is what leads to the position.
    let sgf = tree.in_utf8().to_sgf();
    let played = played.map(|played| index_of(played, &game));
    Some(DeckCard { asks: NewCard { sgf, played, lost, recorded: recorded.into_iter().collect() }, game })
}

/// A card of a deck, or the position that a problem asks, as others write problems; `None` where nothing says what is
/// right.
pub(super) fn read_foreign(tree: GameTree) -> Option<DeckCard> {
    if let Some(card) = read(tree.clone()) {
        return Some(card);
    }
    let problem = Tsumego::read(tree.in_utf8())?;
    let (mut tree, start) = (problem.tree().clone(), problem.start());
    for child in tree.children(start).collect::<Vec<_>>() {
        tree.detach(child);
    }
    let game = problem.game().clone();
    keep_turn(&mut tree, start, game.to_play());
    (game.to_play() == problem.solver())
        .then(|| DeckCard { asks: NewCard { sgf: tree.to_sgf(), played: None, lost: 0.0, recorded: Vec::new() }, game })
}

/// A move as the library has it.
pub(super) fn index_of(played: Move, game: &Game) -> i32 {
    let size = game.board().size();
    played.point().map_or(-1, |point| i32::try_from(point.index(size)).unwrap_or(-1))
}

/// The move that the library has.
pub(super) fn move_of(index: i32, game: &Game) -> Move {
    let size = game.board().size();
    let point = usize::try_from(index).ok().filter(|&index| index < size.area());
    point.map_or(Move::Pass, |index| Move::Place(Point::from_index(index, size)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_library::CardId;

    fn card(sgf: &str, played: Option<i32>, lost: f64) -> Card {
        let asks = NewCard { sgf: sgf.into(), played, lost, recorded: Vec::new() };
        Card { id: CardId::new("1"), asks, due: 0, memory: None, answered: None, answers: 0, lapses: 0 }
    }

    fn taken(text: &str) -> Option<DeckCard> {
        read(read_sgf_text(text).games.remove(0).tree)
    }

    #[test]
    fn a_card_comes_back_from_a_deck_as_it_was() {
        let plain = "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[9]KM[6.5]PB[柯洁];B[ee];W[ce])";
        let setup = "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[9:5]AB[aa][bb]PL[W])";
        let good = [Move::Place(Point::new(2, 2)), Move::Pass];
        for (sgf, played, lost) in [(plain, Some(3), 4.25), (plain, Some(-1), 0.1), (setup, None, 0.0)] {
            let card = card(sgf, played, lost);
            for good in [&[][..], good.as_slice()] {
                let text = written(&card, good).unwrap();
                if good.is_empty() && played.is_none() {
                    assert!(taken(&text).is_none(), "nothing says what is asked");
                    continue;
                }
                let back = taken(&text).unwrap();
                assert_eq!(back.asks, card.asks, "{text}");
                assert_eq!(back.game, replay_end(sgf));
            }
        }
        let shown = written(&card(plain, Some(3), 4.25), &good).unwrap();
        assert!(shown.ends_with("(;B[da]BM[1]HBL[4.25])(;B[cc]TE[1])(;B[]TE[1]))"), "{shown}");
    }

    #[test]
    fn a_card_of_a_record_comes_back_with_its_own_answers() {
        // No symmetry makes other moves alike.
        let sgf = "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[9]KM[6.5];B[ee];W[cf])";
        let game = replay_end(sgf);
        let good = [Move::Place(Point::new(2, 2)), Move::Place(Point::new(6, 2))];
        let mut card = card(sgf, Some(3), 0.0);
        card.asks.recorded = good.iter().filter_map(|&one| position_after(&game, one)).collect();
        card.asks.recorded.sort_unstable();
        let text = written(&card, &[Move::Pass]).unwrap();
        assert!(text.ends_with(";W[cf]HBR[1](;B[cc]TE[1])(;B[gc]TE[1]))"), "{text}");
        let back = taken(&text).unwrap();
        assert_eq!(back.asks, NewCard { played: None, ..card.asks });
        assert_eq!(back.game, game);
        // A card of a deck that is no record's has none of them.
        assert!(taken(&text.replace("HBR[1]", "")).unwrap().asks.recorded.is_empty());
    }

    #[test]
    fn marks_of_the_game_itself_are_not_taken_for_the_question() {
        let own = "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[9]KM[6.5];B[ee]BM[1];W[ce]TE[2];B[cc])";
        let back = taken(&written(&card(own, Some(3), 4.25), &[]).unwrap()).unwrap();
        assert_eq!((back.game, back.asks.played, back.asks.lost), (replay_end(own), Some(3), 4.25));
    }

    fn replay_end(sgf: &str) -> Game {
        let tree = read_sgf_text(sgf).games.remove(0).tree;
        let end = tree.line_from(tree.root()).last().unwrap();
        replay(&tree, end).game
    }

    #[test]
    fn whose_turn_it_is_stays_known_without_the_moves_that_told_it() {
        for text in ["(;SZ[9]AB[cc][dd]AW[ee];W[ce]BM[1])", "(;SZ[9];B[ee];W[ce];AB[gg];W[gc]TE[1])"] {
            let back = taken(text).unwrap();
            assert_eq!((back.game.to_play(), replay_end(&back.asks.sgf)), (Color::White, back.game), "{text}");
        }
        let problem = "(;SZ[9]AB[ba][bb][cb]AW[ca][da][db](;W[ab]C[RIGHT])(;W[ac]))";
        let back = read_foreign(read_sgf_text(problem).games.remove(0).tree).unwrap();
        assert_eq!((back.game.to_play(), replay_end(&back.asks.sgf).to_play()), (Color::White, Color::White));
    }

    #[test]
    fn what_others_marked_is_taken_and_what_is_no_question_is_not() {
        let marked = taken("(;SZ[9];B[ee](;W[ce]BM[2])(;W[cc]TE[1];B[gg]))").unwrap();
        assert_eq!((marked.asks.played, marked.asks.lost), (Some(38), 0.0));
        assert_eq!(marked.game.turns().len(), 1);
        let wrong = taken("(;SZ[9];B[ee];W[ce]BM[1]HBL[-3])").unwrap();
        assert_eq!((wrong.asks.played, wrong.asks.lost), (Some(38), 0.0));
        assert_eq!(taken("(;SZ[9];B[ee];B[ce]BM[1])").unwrap().asks.played, None, "out of turn");
        assert_eq!(taken("(;SZ[9];B[ee];W[ee]BM[1])").unwrap().asks.played, None, "a stone is there");
        assert!(taken("(;SZ[9];B[ee];W[ce];B[cc])").is_none());
        assert!(taken("(;SZ[9]C[nothing at all]BM[1])").is_none());
    }
}
