//! Cards that are practised: one for each position, their answers, and putting them away.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{
    Card, CardAnswered, CardId, CardMemory, FreedSpace, GameId, Library, LibraryError, NewCard, position_after,
    recorded_moves,
};
use honinbo_record::{GameTree, read_sgf, replay};
use honinbo_rules::{Game, Move, PositionHash, Symmetry, canonical_hash};
use std::collections::HashSet;

const NOW: i64 = 1_700_000_000_000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    (folder, library)
}

fn position(sgf: &str) -> Game {
    let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
    let end = tree.line_from(tree.root()).last().unwrap();
    replay(&tree, end).game
}

fn card(sgf: &str) -> NewCard {
    NewCard { sgf: sgf.into(), played: Some(3), lost: 4.5, recorded: Vec::new() }
}

fn add(library: &Library, sgf: &str, now: i64) -> CardId {
    let game = position(sgf);
    library.add_card(game.board(), game.to_play(), &card(sgf), now).unwrap()
}

fn answered(grade: u8, due: i64) -> CardAnswered {
    CardAnswered { grade, days: 2, memory: CardMemory { stability: 2.5, difficulty: 5.0 }, due }
}

#[test]
fn a_position_is_one_card_however_it_is_turned_and_whoever_plays_it() {
    let (_folder, library) = library();
    let sgf = "(;SZ[9];B[cc];W[ge];B[dg])";
    let id = add(&library, sgf, NOW);
    let game = position(sgf);
    for symmetry in Symmetry::ALL {
        let turned = game.board().transformed(symmetry);
        assert_eq!(library.card_of(&turned, game.to_play()).unwrap(), Some(id.clone()));
        let swapped = turned.colors_swapped();
        let again = library.add_card(&swapped, game.to_play().opponent(), &card("(;SZ[9])"), NOW + 5).unwrap();
        assert_eq!(again, id, "{symmetry:?}");
    }
    assert_eq!(library.card_of(game.board(), game.to_play().opponent()).unwrap(), None, "the other player is to move");
    assert_eq!(library.cards().unwrap().len(), 1);
    assert_eq!(library.card(&id).unwrap().asks, card(sgf), "the first one stays as it is");
}

#[test]
fn what_has_been_due_for_longest_comes_first_and_an_answer_says_when_it_comes_back() {
    let (_folder, library) = library();
    let (late, early) = (add(&library, "(;SZ[9];B[cc])", NOW + 10), add(&library, "(;SZ[9];B[dd])", NOW));
    let due = |by| library.due_card(by).unwrap().map(|card: Card| card.id);
    assert_eq!((due(NOW - 1), due(NOW), due(NOW + 10)), (None, Some(early.clone()), Some(early.clone())));
    let counts = library.card_counts(NOW).unwrap();
    assert_eq!((counts.total, counts.due, counts.next), (2, 1, Some(NOW + 10)));

    assert!(library.answer_card(&early, NOW + 20, |_| Some(answered(1, NOW + 500))).unwrap());
    assert!(!library.answer_card(&early, NOW + 30, |card| (card.due <= NOW + 30).then(|| answered(3, 0))).unwrap());
    let card = library.card(&early).unwrap();
    assert_eq!((card.due, card.answered, card.answers, card.lapses), (NOW + 500, Some(NOW + 20), 1, 1));
    assert_eq!(card.memory, Some(CardMemory { stability: 2.5, difficulty: 5.0 }));
    assert_eq!((due(NOW + 100), due(NOW + 500)), (Some(late.clone()), Some(late.clone())));
    library.answer_card(&early, NOW + 500, |_| Some(answered(3, NOW + 900))).unwrap();
    library.answer_card(&late, NOW + 500, |_| Some(answered(3, NOW + 900))).unwrap();
    assert_eq!(library.card(&early).unwrap().lapses, 1);
    let [older, newer] = [vec![(2, 3)], vec![(2, 1), (2, 3)]];
    assert_eq!(library.card_answer_count().unwrap(), 3);
    assert_eq!(library.card_answers(3).unwrap(), [older, newer.clone()]);
    assert_eq!(library.card_answers(2).unwrap(), [newer], "the newest card's");
    assert_eq!(library.card_answers(1).unwrap(), [] as [Vec<(u32, u8)>; 0], "all of a card's answers or none");
}

#[test]
fn a_card_that_was_put_away_comes_back_with_all_that_is_known_of_it() {
    let (_folder, library) = library();
    let id = add(&library, "(;SZ[9];B[cc])", NOW);
    library.answer_card(&id, NOW, |_| Some(answered(3, NOW + 900))).unwrap();
    let known = library.card(&id).unwrap();
    library.remove_card(&id, NOW + 1).unwrap();
    for gone in [library.card(&id).map(drop), library.remove_card(&id, NOW), library.card(&CardId::new("x")).map(drop)]
    {
        assert!(matches!(gone, Err(LibraryError::UnknownCard { .. })));
    }
    let never = library.answer_card(&id, NOW, |_| Some(answered(3, 0)));
    assert!(matches!(never, Err(LibraryError::UnknownCard { .. })));
    assert_eq!((library.card_counts(NOW + 1000).unwrap().total, library.due_card(NOW + 1000).unwrap()), (0, None));

    assert_eq!(library.undo().unwrap().unwrap().what, "card");
    assert_eq!(library.card(&id).unwrap(), known);
    library.redo().unwrap();
    assert_eq!(add(&library, "(;SZ[9];B[cc])", NOW + 5), id, "adding it again brings it back too");
    assert_eq!(library.card(&id).unwrap(), known);
    library.undo().unwrap();
    assert_eq!(library.cards().unwrap(), []);
}

fn tree(sgf: &str) -> GameTree {
    read_sgf(sgf.as_bytes()).games.remove(0).tree
}

/// The moves after this position that a record has, by their names in SGF, sorted as cards have them.
fn moves(sgf: &str, names: &[&str]) -> Vec<PositionHash> {
    let game = position(sgf);
    let played = |name: &&str| Move::from_gtp(name, game.board().size()).unwrap();
    let mut moves: Vec<_> = names.iter().map(|name| position_after(&game, played(name)).unwrap()).collect();
    moves.sort_unstable();
    moves
}

/// Keeps the position at the end of `at` with what a record has there.
fn keep(library: &Library, record: Option<&GameId>, text: &str, at: &str) -> CardId {
    let game = position(at);
    let wanted = canonical_hash(game.board(), game.to_play());
    let found = recorded_moves(&tree(text), &HashSet::from([wanted])).remove(&wanted).unwrap();
    let card = NewCard { sgf: at.into(), played: None, lost: 0.0, recorded: found.into_iter().collect() };
    library.add_cards_of(record, &[(game.board(), game.to_play(), &card)], NOW).unwrap().ids.remove(0)
}

fn recorded(library: &Library, id: &CardId) -> Vec<PositionHash> {
    library.card(id).unwrap().asks.recorded
}

const BEFORE: &str = "(;SZ[9];B[ee];W[ch])";
const JOSEKI: &str = "(;SZ[9];B[ee];W[ch](;B[gg])(;B[gc];W[cc])(;B[aa]BM[1];W[bb])(;B[ab]DO[])(;W[ai]))";

#[test]
fn the_moves_of_a_record_are_those_that_it_does_not_call_bad_in_whatever_order_the_position_came_about() {
    let asked = position(BEFORE);
    let wanted = canonical_hash(asked.board(), asked.to_play());
    let of = |text: &str| {
        let found = recorded_moves(&tree(text), &HashSet::from([wanted]));
        found.get(&wanted).map(|moves| moves.iter().copied().collect::<Vec<_>>())
    };
    assert_eq!(of(JOSEKI), Some(moves(BEFORE, &["G3", "G7"])));
    // The same position, mirrored and reached through another variation.
    let twice = "(;SZ[9](;B[ee];W[ch];B[gg])(;B[ee];W[gh];B[])(;B[ee];W[gb];B[cg]))";
    assert_eq!(of(twice), Some(moves(BEFORE, &["G3", "G7", "pass"])));
    for none in [BEFORE, "(;SZ[9];B[ee];W[ch];B[gg]BM[1])", "(;SZ[9];B[ee];W[ch];B[ee])", "(;SZ[13];B[ee];W[ch];B[gg])"]
    {
        assert_eq!(of(none), None, "{none}");
    }
}

#[test]
fn the_answers_of_a_card_follow_its_record_and_outlast_it() {
    let (_folder, library) = library();
    let game = library.save_record(JOSEKI, NOW).unwrap().id;
    let id = keep(&library, Some(&game), JOSEKI, BEFORE);
    assert_eq!(recorded(&library, &id), moves(BEFORE, &["G3", "G7"]));

    let edit = |sgf: &str| library.update_record(&game, &tree(sgf), NOW + 1).unwrap();
    edit("(;SZ[9];B[ee];W[ch](;B[gg]BM[1])(;B[gc])(;B[cc]))");
    let edited = moves(BEFORE, &["G7", "C7"]);
    assert_eq!(recorded(&library, &id), edited);
    library.undo().unwrap();
    assert_eq!(recorded(&library, &id), moves(BEFORE, &["G3", "G7"]), "as the record is again");
    library.redo().unwrap();
    assert_eq!(recorded(&library, &id), edited);
    // A position that the record has no more keeps its answers.
    edit("(;SZ[9];B[ee];W[gg])");
    assert_eq!(recorded(&library, &id), edited);
    library.delete(std::slice::from_ref(&game), NOW + 2).unwrap();
    library.empty_bin(FreedSpace::ForGames).unwrap();
    assert_eq!(recorded(&library, &id), edited);
    assert_eq!(library.due_card(NOW).unwrap().unwrap().id, id, "due as any other");
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn what_several_records_have_is_right_and_taking_one_back_leaves_the_others() {
    let (_folder, library) = library();
    let plain = add(&library, BEFORE, NOW);
    assert_eq!(recorded(&library, &plain), [], "the engine judges");
    let one = library.save_record(JOSEKI, NOW).unwrap().id;
    let id = keep(&library, Some(&one), JOSEKI, BEFORE);
    assert_eq!(id, plain, "one card for a position");
    keep(&library, None, "(;SZ[9];B[ee];W[ch];B[cc])", BEFORE);
    keep(&library, None, "(;SZ[9];B[ee];W[ch];B[gc])", BEFORE);
    assert_eq!(recorded(&library, &id), moves(BEFORE, &["C7", "G3", "G7"]));
    // G7 of the file goes; the record of the library still has it.
    library.undo().unwrap();
    library.undo().unwrap();
    assert_eq!(recorded(&library, &id), moves(BEFORE, &["G3", "G7"]));
    library.undo().unwrap();
    assert_eq!((recorded(&library, &id), library.cards().unwrap().len()), (vec![], 1));
    library.redo().unwrap();
    assert_eq!(recorded(&library, &id), moves(BEFORE, &["G3", "G7"]));
    // Kept turned, it is the same card with the same answers.
    let again = keep(&library, Some(&one), JOSEKI, "(;SZ[9];B[ee];W[gh])");
    assert_eq!((again, recorded(&library, &id)), (id.clone(), moves(BEFORE, &["G3", "G7"])));
    let unknown = library.add_cards_of(Some(&GameId::new("x")), &[], NOW);
    assert!(matches!(unknown, Err(LibraryError::UnknownGame { .. })));
}

#[test]
fn cards_of_an_older_library_are_judged_by_the_engine_as_before() {
    let (folder, library) = library();
    let id = add(&library, BEFORE, NOW);
    library.answer_card(&id, NOW, |_| Some(answered(3, NOW + 900))).unwrap();
    let known = library.card(&id).unwrap();
    drop(library);
    let path = folder.path().join("library.sqlite");
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch("DROP TABLE card_moves; PRAGMA user_version = 15;").unwrap();
    drop(old);
    let library = Library::open(&path).unwrap();
    assert_eq!(library.card(&id).unwrap(), known);
    keep(&library, None, JOSEKI, BEFORE);
    assert_eq!(recorded(&library, &id), moves(BEFORE, &["G3", "G7"]));
    // What can be read of a damaged library has them too.
    let rescued = folder.path().join("rescued.sqlite");
    drop(library);
    Library::rescue(&path, &rescued, NOW).unwrap();
    assert_eq!(recorded(&Library::open(&rescued).unwrap(), &id), moves(BEFORE, &["G3", "G7"]));
}
