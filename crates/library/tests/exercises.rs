//! Exercises: which games they are taken from, when they come back, and the figures over time.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{
    CardAnswered, CardMemory, ExerciseKind, ExercisePlace, GameId, JudgedDepth, Judgement, Library, LibraryError,
};

/// The first of January 2026 in UTC.
const NOW: i64 = 1_767_225_600_000;
const DAY: i64 = 86_400_000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    (folder, library)
}

fn game(library: &Library, number: usize, moves: usize, result: &str) -> GameId {
    let line: String =
        (0..moves).map(|at| format!(";{}[{}{}]", ["B", "W"][at % 2], letter(at % 9), letter(at / 9))).collect();
    library.save_record(&format!("(;SZ[9]PB[Aya{number}]PW[Ben]RE[{result}]{line})"), NOW).unwrap().id
}

fn letter(at: usize) -> char {
    char::from(b'a' + at as u8)
}

fn place(kind: ExerciseKind, game: &GameId) -> ExercisePlace {
    ExercisePlace { kind, game: game.clone(), number: 7, point: None }
}

fn back(due: i64) -> CardAnswered {
    CardAnswered { grade: 1, days: 0, memory: CardMemory { stability: 0.2, difficulty: 6.4 }, due }
}

#[test]
fn games_are_asked_from_in_turn_and_only_usable_ones() {
    let (_folder, library) = library();
    let counted = game(&library, 1, 30, "B+3.5");
    let resigned = game(&library, 2, 32, "W+R");
    let short = game(&library, 3, 5, "0");
    let games = |kind, seed| library.exercise_games(kind, false, seed, 10).unwrap();
    for seed in 0..8 {
        let mut all = games(ExerciseKind::Ladder, seed);
        all.sort();
        assert_eq!(all, [counted.clone(), resigned.clone()], "each once, whichever is first");
        let mut ended = games(ExerciseKind::Count, seed);
        ended.sort();
        assert_eq!(ended, [counted.clone(), short.clone()]);
    }
    assert_eq!(library.exercise_games(ExerciseKind::Score, false, 3, 1).unwrap().len(), 1);
    let tree = &honinbo_record::read_sgf(library.game(&resigned).unwrap().sgf.as_bytes()).games.remove(0).tree;
    let depth = &JudgedDepth { visits: 50, network: String::new() };
    library.keep_judgement(&resigned, &Judgement { tree, depth, moves: &[], openings: &[] }, NOW).unwrap();
    for seed in 0..8 {
        assert_eq!(library.exercise_games(ExerciseKind::Score, true, seed, 10).unwrap()[0], resigned, "reviewed first");
    }
    library.delete(&[counted.clone(), resigned], NOW).unwrap();
    assert_eq!(games(ExerciseKind::Score, 5), []);
}

#[test]
fn what_was_missed_comes_back_and_only_then_counts_again() {
    let (_folder, library) = library();
    let id = game(&library, 1, 30, "B+3.5");
    let ladder = place(ExerciseKind::Ladder, &id);
    assert_eq!(library.exercise(&ladder).unwrap(), None);
    assert!(
        library
            .answer_exercise(&ladder, NOW, false, 1.0, |known| {
                assert_eq!(known, None);
                Some(back(NOW + DAY))
            })
            .unwrap()
    );
    assert_eq!(library.due_exercise(ExerciseKind::Ladder, NOW).unwrap(), None);
    assert!(!library.answer_exercise(&ladder, NOW + 5, true, 0.0, |_| panic!("too early")).unwrap());
    let due = library.due_exercise(ExerciseKind::Ladder, NOW + DAY).unwrap().unwrap();
    assert_eq!((&due.place, due.answers, due.lapses), (&ladder, 1, 1));
    library.postpone_exercise(&ladder, NOW + 2 * DAY).unwrap();
    assert_eq!(library.due_exercise(ExerciseKind::Ladder, NOW + DAY).unwrap(), None);
    let later = library.due_exercise(ExerciseKind::Ladder, NOW + 2 * DAY).unwrap().unwrap();
    assert_eq!((later.memory, later.answered, later.answers), (due.memory, due.answered, due.answers));
    assert_eq!(library.due_exercises(NOW + 2 * DAY).unwrap(), [0, 0, 1, 0]);
    assert!(
        library
            .answer_exercise(&ladder, NOW + 2 * DAY, true, 0.0, |known| {
                assert_eq!(known.unwrap().memory, Some(back(0).memory));
                None
            })
            .unwrap()
    );
    let known = library.exercise(&ladder).unwrap().unwrap();
    assert_eq!((known.due, known.answers, known.lapses), (None, 2, 1));
    assert!(!library.answer_exercise(&ladder, NOW + 9 * DAY, true, 0.0, |_| None).unwrap(), "it is done with");

    // Another stone, another kind or another position are another exercise.
    let other = ExercisePlace { point: Some(0), ..ladder.clone() };
    assert_eq!(library.exercise(&other).unwrap(), None);
    let gone = place(ExerciseKind::Ladder, &GameId::new("99"));
    let error = library.answer_exercise(&gone, NOW, true, 0.0, |_| None).unwrap_err();
    assert!(matches!(error, LibraryError::UnknownGame { .. }), "{error}");
    library.delete(&[id], NOW).unwrap();
    library.answer_exercise(&other, NOW, false, 1.0, |_| Some(back(NOW))).unwrap();
    assert_eq!(library.due_exercise(ExerciseKind::Ladder, NOW + DAY).unwrap(), None, "its game is in the bin");
}

#[test]
fn figures_count_first_answers_by_month() {
    let (_folder, library) = library();
    for (number, (at, right, error)) in
        [(NOW, true, 1.0), (NOW + DAY, false, 7.0), (NOW + 40 * DAY, true, 2.0)].into_iter().enumerate()
    {
        let id = game(&library, number, 30 + 2 * number, "B+3.5");
        library.answer_exercise(&place(ExerciseKind::Score, &id), at, right, error, |_| None).unwrap();
        let ladder = place(ExerciseKind::Ladder, &id);
        library.answer_exercise(&ladder, at, false, 1.0, |_| Some(back(at))).unwrap();
        library.answer_exercise(&ladder, at, true, 0.0, |_| None).unwrap();
    }
    let sums = library.exercise_sums(0).unwrap();
    let words: Vec<String> = sums
        .iter()
        .map(|sum| {
            format!("{:?} {}: {} of {}, {} {}", sum.kind, sum.month, sum.right, sum.asked, sum.error, sum.squares)
        })
        .collect();
    assert_eq!(
        words,
        [
            "Score 202601: 1 of 2, 8 50",
            "Score 202602: 1 of 1, 2 4",
            "Ladder 202601: 0 of 2, 2 2",
            "Ladder 202602: 0 of 1, 1 1",
        ]
    );
    // An hour west of UTC the first answer was still in December.
    let west: Vec<(u32, u32)> = library.exercise_sums(-60).unwrap().iter().map(|sum| (sum.month, sum.asked)).collect();
    assert_eq!(west[..3], [(202_512, 1), (202_601, 1), (202_602, 1)]);
}
