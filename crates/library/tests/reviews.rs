//! The list of games that wait for a review.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use honinbo_library::{GameId, Library, ReviewCounts, ReviewOrder};

fn library(path: &std::path::Path, games: usize) -> (Library, Vec<GameId>) {
    let library = Library::open(path).unwrap();
    let ids = (0..games).map(|number| {
        let sgf =
            format!("(;SZ[9]PB[Player {number}];B[{}{}];W[gg])", "abcdefghi".chars().nth(number % 9).unwrap(), 'c');
        library.save_record(&sgf, 0).unwrap().id
    });
    let ids = ids.collect();
    (library, ids)
}

#[test]
fn games_are_reviewed_by_priority_and_in_their_order_and_once() {
    let folder = tempfile::tempdir().unwrap();
    let (library, ids) = library(&folder.path().join("library.sqlite"), 4);
    assert_eq!(library.add_reviews(&ids[..3], ReviewOrder::Asked, 1).unwrap(), 3);
    assert_eq!(library.add_reviews(&ids[2..], ReviewOrder::AskedFirst, 2).unwrap(), 1, "one of the two waited");
    let mut order = Vec::new();
    while let Some(next) = library.next_review().unwrap() {
        assert!(library.end_review(&next, None, 3).unwrap());
        assert!(!library.end_review(&next, None, 4).unwrap(), "it is done");
        order.push(next);
    }
    assert_eq!(order, [&ids[2], &ids[3], &ids[0], &ids[1]].map(Clone::clone));
    let counts = ReviewCounts { waiting: 0, moves: 0, done: 4, failed: 0, asked: true };
    assert_eq!(library.review_counts().unwrap(), counts);
    // The next ones are counted anew.
    library.add_reviews(&ids[..1], ReviewOrder::Unasked, 5).unwrap();
    assert_eq!(
        library.review_counts().unwrap(),
        ReviewCounts { waiting: 1, moves: 2, done: 0, failed: 0, asked: false }
    );
}

#[test]
fn what_waits_is_there_after_a_restart_and_deleted_games_do_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let (library, ids) = library(&path, 3);
    library.add_reviews(&ids, ReviewOrder::Asked, 1).unwrap();
    library.end_review(&ids[0], Some("its record is damaged"), 2).unwrap();
    library.delete(&ids[1..2], 3).unwrap();
    drop(library);
    let library = Library::open(&path).unwrap();
    assert_eq!(library.next_review().unwrap().as_ref(), Some(&ids[2]));
    assert_eq!(
        library.review_counts().unwrap(),
        ReviewCounts { waiting: 1, moves: 2, done: 1, failed: 1, asked: true }
    );
    assert_eq!(library.clear_reviews().unwrap(), 1);
    assert_eq!(library.next_review().unwrap(), None);
    assert!(library.add_reviews(&[GameId::new("nonsense")], ReviewOrder::Asked, 1).is_err());
    assert_eq!(library.add_reviews(&[GameId::new("4711")], ReviewOrder::Asked, 1).unwrap(), 0);
}
