//! Accounts and folders that games come from: each game once, together taken back, names joined.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{FoundRecord, GameId, GameQuery, Library, LibraryError, SourceId, SourceKind, Taken, Taking};

const NOW: i64 = 1_700_000_000_000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    (folder, library)
}

fn record(key: &str, sgf: &str) -> FoundRecord {
    FoundRecord { key: key.into(), stamp: String::new(), bytes: Some(sgf.as_bytes().to_vec()) }
}

fn game(black: &str, white: &str, first: &str) -> String {
    format!("(;GM[1]SZ[9]PB[{black}]PW[{white}]RE[B+R];B[{first}];W[cc];B[gg])")
}

/// Nodes of a game on 9x9 in which no two moves are the same.
fn nodes() -> Vec<String> {
    let columns = "abcdefghi";
    (0..40)
        .map(|n| {
            let (x, y) = if n % 2 == 0 { (n / 2 % 4, n / 8) } else { (5 + n / 2 % 4, n / 8) };
            format!(";{}[{}{}]", if n % 2 == 0 { "B" } else { "W" }, &columns[x..=x], &columns[y..=y])
        })
        .collect()
}

/// Writes a comment into the only game of a library.
fn comment(library: &Library, text: &str, at: i64) -> GameId {
    let id = library.list(&GameQuery { limit: 1, ..GameQuery::default() }).unwrap().games.remove(0).id;
    let mut tree = honinbo_record::read_sgf(library.game(&id).unwrap().sgf.as_bytes()).games.remove(0).tree;
    tree.set_comment(tree.root(), text);
    library.update_record(&id, &tree, at).unwrap();
    id
}

fn games(library: &Library) -> u32 {
    library.list(&GameQuery { limit: 10, ..GameQuery::default() }).unwrap().total
}

#[test]
fn a_game_is_taken_once_and_all_of_a_look_are_taken_back_together() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Ogs, " stone ", "", NOW).unwrap().id;
    assert_eq!(library.add_source(SourceKind::Ogs, "stone", "", NOW + 1).unwrap().id, id, "it is there already");
    let mut taking = Taking::default();
    let first = [record("1", &game("stone", "grass", "ee")), record("2", "<html>"), record("3", "(;GM[2]B[aa])")];
    let taken = library.take_from(id, "online-go.com", &first, &mut taking, NOW).unwrap();
    assert_eq!(taken, Taken { added: 1, duplicates: 0, refused: 2 });
    let second = [
        record("4", &game("stone", "moss", "dd")),
        record("5", &game("stone", "grass", "ee")),
        FoundRecord { key: "6".into(), stamp: String::new(), bytes: None },
    ];
    let taken = library.take_from(id, "online-go.com", &second, &mut taking, NOW).unwrap();
    assert_eq!(taken, Taken { added: 1, duplicates: 1, refused: 1 });
    library.end_taking(id, taking, true, NOW + 5).unwrap();
    let mut keys: Vec<String> = library.taken_from(id).unwrap().into_keys().collect();
    keys.sort();
    assert_eq!(keys, ["1", "2", "3", "4", "5", "6"]);
    let source = library.sources().unwrap().remove(0);
    assert_eq!((source.name.as_str(), source.synced, source.games), ("stone", Some(NOW + 5), 6));
    assert_eq!(games(&library), 2);
    assert_eq!(library.undo().unwrap().unwrap().games, 2);
    assert_eq!(games(&library), 0);
    assert_eq!(library.taken_from(id).unwrap().len(), 6, "what was taken back does not come again by itself");
    library.redo().unwrap();
    assert_eq!(games(&library), 2);
}

#[test]
fn a_source_that_was_removed_takes_nothing_and_its_games_stay() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let mut taking = Taking::default();
    library.take_from(id, "/games", &[record("a.sgf", &game("a", "b", "ee"))], &mut taking, NOW).unwrap();
    library.keep_source_page(id, "page", "mark").unwrap();
    assert_eq!(library.source_page(id, "page").unwrap().as_deref(), Some("mark"));
    assert_eq!(library.source_pages(id).unwrap(), [("page".to_owned(), "mark".to_owned())].into());
    library.keep_source_page(id, "page", "").unwrap();
    assert_eq!(library.source_page(id, "page").unwrap(), None);
    library.remove_source(id).unwrap();
    assert!(matches!(library.remove_source(id), Err(LibraryError::UnknownSource { .. })));
    let late = library.take_from(id, "/games", &[record("b.sgf", &game("a", "c", "ee"))], &mut taking, NOW);
    assert!(matches!(late, Err(LibraryError::UnknownSource { .. })));
    assert_eq!((games(&library), library.sources().unwrap().len()), (1, 0));
    assert_eq!(library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().games, 0);
}

#[test]
fn names_of_one_person_are_joined_once_and_stay_parted_when_they_are_parted() {
    let (_folder, library) = library();
    library.save_record(&game("Anna Kurz", "somebody", "cc"), NOW).unwrap();
    let ogs = library.add_source(SourceKind::Ogs, "stone", "Anna Kurz", NOW).unwrap().id;
    assert_eq!(library.join_own_names().unwrap(), [""; 0], "no game has that name yet");
    let mut taking = Taking::default();
    library.take_from(ogs, "ogs", &[record("1", &game("Stone", "grass", "ee"))], &mut taking, NOW).unwrap();
    assert_eq!(library.join_own_names().unwrap(), ["Anna Kurz", "Stone"]);
    assert_eq!(library.player_record("Stone").unwrap().player.name, "Anna Kurz");
    assert_eq!(library.join_own_names().unwrap(), [""; 0]);
    // Another account is joined to the same person; what the person parted stays so.
    let kgs = library.add_source(SourceKind::Kgs, "pebble", "", NOW).unwrap().id;
    library.take_from(kgs, "kgs", &[record("1", &game("moss", "pebble", "ee"))], &mut taking, NOW).unwrap();
    assert_eq!(library.join_own_names().unwrap(), ["Anna Kurz", "Stone", "pebble"]);
    assert_eq!(library.player_record("Anna Kurz").unwrap().player.games, 3);
    library.part_player("pebble").unwrap();
    assert_eq!(library.join_own_names().unwrap(), [""; 0]);
    assert_eq!(library.player_record("pebble").unwrap().player.games, 1);
}

#[test]
fn names_that_were_parted_stay_parted_when_other_accounts_come() {
    let (_folder, library) = library();
    let take = |id: SourceId, name: &str| {
        let found = [record("1", &game(name, "grass", "ee"))];
        library.take_from(id, "server", &found, &mut Taking::default(), NOW).unwrap();
    };
    library.save_record(&game("Anna Kurz", "somebody", "dd"), NOW).unwrap();
    take(library.add_source(SourceKind::Ogs, "Stone", "Anna Kurz", NOW).unwrap().id, "Stone");
    assert_eq!(library.join_own_names().unwrap(), ["Anna Kurz", "Stone"]);
    library.part_player("Stone").unwrap();
    let kgs = library.add_source(SourceKind::Kgs, "pebble", "", NOW).unwrap().id;
    assert_eq!(library.join_own_names().unwrap(), [""; 0], "no game has the new name yet");
    assert_eq!(library.player_record("Stone").unwrap().player.games, 1);
    take(kgs, "pebble");
    assert_eq!(library.join_own_names().unwrap(), ["Anna Kurz", "pebble"]);
    // One that is said to be the other person's goes there.
    take(library.add_source(SourceKind::Kgs, "moss", "Stone", NOW).unwrap().id, "moss");
    assert_eq!(library.join_own_names().unwrap(), ["Stone", "moss"]);
    assert_eq!(library.join_own_names().unwrap(), [""; 0]);
    assert_eq!(library.player_record("Anna Kurz").unwrap().player.other_names, ["pebble"]);
}

#[test]
fn a_name_that_no_game_has_yet_does_not_join_the_others_again() {
    let (_folder, library) = library();
    let mut taking = Taking::default();
    for (kind, name, person) in [(SourceKind::Ogs, "Stone", "Anna Kurz"), (SourceKind::Kgs, "pebble", "")] {
        let id = library.add_source(kind, name, person, NOW).unwrap().id;
        library.take_from(id, "server", &[record("1", &game(name, "grass", "ee"))], &mut taking, NOW).unwrap();
    }
    assert_eq!(library.join_own_names().unwrap(), ["Stone", "pebble"]);
    library.part_player("pebble").unwrap();
    assert_eq!(library.join_own_names().unwrap(), [""; 0]);
    library.save_record(&game("Anna Kurz", "somebody", "dd"), NOW).unwrap();
    assert_eq!(library.join_own_names().unwrap(), ["Anna Kurz", "Stone"]);
    assert_eq!(library.player_record("pebble").unwrap().player.games, 1);
}

#[test]
fn a_file_that_grows_stays_one_game_and_what_somebody_did_to_it_here_stays_done() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let moves = nodes();
    let state = |n: usize, at: i64| {
        let sgf = format!("(;GM[1]SZ[9]PB[a]PW[b]{})", moves[..n].concat());
        let found = FoundRecord { key: "live.sgf".into(), stamp: n.to_string(), bytes: Some(sgf.into_bytes()) };
        library.take_from(id, "/games", &[found], &mut Taking::default(), at).unwrap()
    };
    let shown = |library: &Library| library.list(&GameQuery { limit: 10, ..GameQuery::default() }).unwrap().games;
    assert_eq!(state(24, NOW).added, 1);
    assert_eq!(state(30, NOW + 1), Taken { added: 0, duplicates: 1, refused: 0 });
    let game = shown(&library).remove(0);
    assert_eq!((game.moves, library.game(&game.id).unwrap().n_copies), (30, 0), "no state on the way is a version");
    comment(&library, "mine", NOW + 2);
    assert_eq!(state(36, NOW + 3).duplicates, 1);
    let stored = library.game(&game.id).unwrap();
    assert_eq!((stored.summary.moves, stored.n_copies), (36, 1), "what was changed here is kept as a version");
    library.delete(&[game.id], NOW + 4).unwrap();
    assert_eq!(state(40, NOW + 5), Taken { added: 0, duplicates: 1, refused: 0 });
    assert_eq!(games(&library), 0, "who deleted it does not want it again");
    assert_eq!(library.taken_from(id).unwrap()["live.sgf"], "40");
}

#[test]
fn comments_written_here_outlive_every_save_of_the_file() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let take = |saved: u32, n: usize, at: i64| {
        let found = [record("game.sgf", &format!("(;SZ[9]PB[a]PW[b]AP[x:{saved}]{})", nodes()[..n].concat()))];
        library.take_from(id, "/games", &found, &mut Taking::default(), at).unwrap();
    };
    take(1, 24, NOW);
    // In the same moment as the file was taken.
    let game = comment(&library, "mine", NOW);
    for (saved, at) in [(2, NOW + 1), (3, NOW + 2), (4, NOW + 3)] {
        take(saved, 24, at);
        assert!(library.game(&game).unwrap().sgf.contains("C[mine]"), "saved {saved} times");
    }
    // More moves become the game's, what was written is a version of it, and the file goes on as before.
    for (saved, n) in [(5, 26), (6, 28), (7, 30)] {
        take(saved, n, NOW + i64::from(saved));
        let copies = library.copies(&game).unwrap();
        let written = copies.iter().filter(|copy| copy.contains("C[mine]")).count();
        assert_eq!((copies.len(), written), (1, 1), "saved {saved} times");
    }
    assert_eq!(library.game(&game).unwrap().summary.moves, 30);
}

#[test]
fn facts_written_here_stay_in_a_game_whose_file_grows() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let take = |n: usize, at: i64| {
        let found = [record("live.sgf", &format!("(;SZ[9]PB[a]PW[b]{})", nodes()[..n].concat()))];
        library.take_from(id, "/games", &found, &mut Taking::default(), at).unwrap();
    };
    take(24, NOW);
    let game = library.list(&GameQuery { limit: 1, ..GameQuery::default() }).unwrap().games.remove(0).id;
    let mut tree = honinbo_record::read_sgf(library.game(&game).unwrap().sgf.as_bytes()).games.remove(0).tree;
    tree.set_text(tree.root(), "EV", "Club evening");
    library.update_record(&game, &tree, NOW + 1).unwrap();
    for n in [26, 28, 30] {
        take(n, NOW + 2 + n as i64);
        let stored = library.game(&game).unwrap();
        assert_eq!((stored.summary.moves, stored.summary.event.as_str()), (n as u32, "Club evening"));
        assert!(stored.sgf.contains("EV[Club evening]") && stored.n_copies == 0, "{}", stored.sgf);
    }
}

#[test]
fn what_the_fuller_of_two_files_says_outlives_the_other_one() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let moves = nodes()[..24].concat();
    let bare = |saved: u32| record("a.sgf", &format!("(;SZ[9]PB[a]PW[b]AP[x:{saved}]{moves})"));
    let reviewed = record("b.sgf", &format!("(;SZ[9]PB[a]PW[b]{moves}C[reviewed])"));
    // All of a look has one time.
    library.take_from(id, "/games", &[bare(1), reviewed], &mut Taking::default(), NOW).unwrap();
    let shown = || library.list(&GameQuery { limit: 10, ..GameQuery::default() }).unwrap().games;
    let game = shown().remove(0).id;
    assert!(library.game(&game).unwrap().sgf.contains("C[reviewed]"));
    library.take_from(id, "/games", &[bare(2)], &mut Taking::default(), NOW + 1).unwrap();
    assert!(library.game(&game).unwrap().sgf.contains("C[reviewed]"));
    assert_eq!(shown().len(), 1);
}

#[test]
fn a_game_of_the_library_keeps_its_comments_when_a_folder_brings_it_again() {
    let (_folder, library) = library();
    library.save_record(&format!("(;SZ[9]PB[a]PW[b]{})", nodes()[..24].concat()), NOW).unwrap();
    let game = comment(&library, "mine", NOW + 1);
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW + 2).unwrap().id;
    for saved in 1..4 {
        let found = [record("game.sgf", &format!("(;SZ[9]PB[a]PW[b]AP[x:{saved}]{})", nodes()[..24].concat()))];
        let taken = library.take_from(id, "/games", &found, &mut Taking::default(), NOW + 2 + i64::from(saved));
        assert_eq!(taken.unwrap().duplicates, 1);
        assert!(library.game(&game).unwrap().sgf.contains("C[mine]"), "saved {saved} times");
    }
}

#[test]
fn another_game_in_a_file_whose_game_was_deleted_is_taken() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let take = |sgf: &str, at: i64| {
        let found = [record("last.sgf", sgf)];
        library.take_from(id, "/games", &found, &mut Taking::default(), at).unwrap()
    };
    let shown = || library.list(&GameQuery { limit: 10, ..GameQuery::default() }).unwrap().games;
    let (added, known) = (Taken { added: 1, ..Taken::default() }, Taken { duplicates: 1, ..Taken::default() });
    // A program that writes every game into one file, and a person who keeps none but the last.
    assert_eq!(take("(;SZ[9]PB[a]PW[b];B[ee];W[cc])", NOW), added);
    library.delete(&[shown().remove(0).id], NOW + 1).unwrap();
    assert_eq!(take("(;SZ[9]PB[a]PW[b];B[ee];W[cc];B[gg])", NOW + 2), known, "the deleted game goes on");
    assert_eq!(take("(;SZ[9]PB[a]PW[b];B[ee];W[eg];B[gg])", NOW + 3), added);
    assert_eq!(take("(;SZ[9]PB[a]PW[b];B[ee];W[eg];B[gg];W[ge])", NOW + 4), known);
    assert_eq!(shown().iter().map(|game| game.moves).collect::<Vec<_>>(), [4], "which grows as any other");
    // A board that was saved and deleted before its first move says nothing of what comes after it.
    let board = |sgf: &str, at: i64| {
        library.take_from(id, "/games", &[record("board.sgf", sgf)], &mut Taking::default(), at).unwrap()
    };
    library.delete(&[shown().remove(0).id], NOW + 5).unwrap();
    assert_eq!(board("(;SZ[13]PB[c]PW[d])", NOW + 6), added);
    library.delete(&[shown().remove(0).id], NOW + 7).unwrap();
    assert_eq!(board("(;SZ[13]PB[c]PW[d];B[dd];W[jj];B[jd])", NOW + 8), added);
    assert_eq!(shown().len(), 1);
}

#[test]
fn the_beginning_of_the_next_game_in_a_file_leaves_the_one_before_alone() {
    let (_folder, library) = library();
    let id = library.add_source(SourceKind::Folder, "/games", "", NOW).unwrap().id;
    let take = |moves: &str, at: i64| {
        let found = [record("autosave.sgf", &format!("(;SZ[9]PB[a]PW[b];{moves})"))];
        library.take_from(id, "/games", &found, &mut Taking::default(), at).unwrap();
        let mut lengths: Vec<_> = library
            .list(&GameQuery { limit: 10, ..GameQuery::default() })
            .unwrap()
            .games
            .iter()
            .map(|g| g.moves)
            .collect();
        lengths.sort_unstable();
        lengths
    };
    assert_eq!(take("B[gc];W[cg];B[gg];W[cc];B[ee]", NOW), [5]);
    assert_eq!(take("B[gc];W[cg];B[gg];W[cc]", NOW + 1), [4], "a move was taken back");
    // In another corner, which is the same first move.
    assert_eq!(take("B[cc]", NOW + 2), [1, 4]);
    assert_eq!(take("B[cc];W[gg];B[cg]", NOW + 3), [3, 4]);
}

#[test]
fn names_that_name_nothing_are_refused() {
    let (_folder, library) = library();
    for name in ["", "  ", "a\nb", &"x".repeat(101)] {
        let refused = library.add_source(SourceKind::Ogs, name, "", NOW);
        assert!(matches!(refused, Err(LibraryError::BadName { .. })), "{name:?}");
    }
    assert!(matches!(library.taken_from(SourceId::new(7)), Ok(none) if none.is_empty()));
}
