//! Cards that are practised: one for each position, their answers, and putting them away.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{Card, CardAnswered, CardId, CardMemory, Library, LibraryError, NewCard};
use honinbo_record::{read_sgf, replay};
use honinbo_rules::{Game, Symmetry};

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
    NewCard { sgf: sgf.into(), played: Some(3), lost: 4.5 }
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
