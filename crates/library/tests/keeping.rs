//! Folders, tags, players, backup, export, and files of older versions.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{ExportFormat, GameFilter, GameId, GameQuery, LIBRARY_VERSION, Library, LibraryError, NewCard};
use honinbo_rules::{Board, BoardSize, Color, Topology};

const NOW: i64 = 1_790_000_000_000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::open(folder.path().join("library.sqlite")).expect("a library");
    (folder, library)
}

fn game(black: &str, white: &str, more: &str, seed: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 19).expect("below 19"));
    let moves: String = (0..30)
        .map(|i| {
            let at = (i * 13 + seed * 5) % 361;
            format!(";{}[{}{}]", if i % 2 == 0 { 'B' } else { 'W' }, letter(at), letter(at / 19))
        })
        .collect();
    format!("(;SZ[19]PB[{black}]PW[{white}]{more}{moves})")
}

fn listed(library: &Library, filter: GameFilter) -> Vec<GameId> {
    let query = GameQuery { filter, limit: 100, ..GameQuery::default() };
    library.list(&query).expect("a list").games.into_iter().map(|game| game.id).collect()
}

#[test]
fn folders_and_tags_group_games_and_let_go_of_them() {
    let (_folder, library) = library();
    let ids: Vec<GameId> =
        (0..4).map(|n| library.save_record(&game(&format!("p{n}"), "x", "", n), NOW).unwrap().id).collect();
    library.set_folder(&ids[..2], " openings / sanrensei ").unwrap();
    library.set_folder(&ids[2..3], "openings").unwrap();
    library.add_tag(&ids[1..3], "美しい").unwrap();
    library.add_tag(&ids[1..2], "study").unwrap();
    let by_folder = |path: &str| listed(&library, GameFilter { folder: Some(path.into()), ..GameFilter::default() });
    let by_tag = |tag: &str| listed(&library, GameFilter { tag: Some(tag.into()), ..GameFilter::default() });
    assert_eq!(by_folder("openings"), ids[..3]);
    assert_eq!(by_folder("openings/sanrensei"), ids[..2]);
    assert!(by_folder("open").is_empty());
    assert_eq!(by_tag("美しい"), ids[1..3]);
    assert_eq!(library.tags_of(&ids[1]).unwrap(), ["study", "美しい"]);
    library.delete(&ids[1..2], NOW).unwrap();
    let counts =
        |groups: Vec<honinbo_library::Group>| groups.into_iter().map(|g| (g.name, g.games)).collect::<Vec<_>>();
    assert_eq!(counts(library.folders().unwrap()), [("openings".into(), 1), ("openings/sanrensei".into(), 1)]);
    assert_eq!(counts(library.tags().unwrap()), [("study".into(), 0), ("美しい".into(), 1)]);
    library.restore(&ids[1..2]).unwrap();
    library.remove_tag(&ids, "study").unwrap();
    assert_eq!(library.tags().unwrap().len(), 1);
    assert!(library.remove_folder("openings").unwrap());
    assert!(library.folders().unwrap().is_empty());
    assert_eq!(listed(&library, GameFilter::default()), ids);
    assert!(matches!(library.set_folder(&ids, "a\u{1}b"), Err(LibraryError::BadName { .. })));
    assert!(matches!(library.add_tag(&ids, "  "), Err(LibraryError::BadName { .. })));
    assert!(matches!(library.add_tag(&[GameId::new("77")], "x"), Err(LibraryError::UnknownGame { .. })));
    assert_eq!(library.tags().unwrap().len(), 1);
}

#[test]
fn a_list_can_be_of_chosen_games_and_narrowed_like_any_other() {
    let (_folder, library) = library();
    let save = |n: usize| library.save_record(&game(&format!("p{n}"), "x", "", n), NOW).unwrap().id;
    let ids: Vec<GameId> = (0..4).map(save).collect();
    let chosen = |ids: &[GameId]| GameFilter { ids: ids.to_vec(), ..GameFilter::default() };
    assert_eq!(listed(&library, chosen(&ids[1..3])), ids[1..3]);
    assert_eq!(listed(&library, GameFilter { player: Some("p2".into()), ..chosen(&ids[1..3]) }), ids[2..3]);
    assert_eq!(listed(&library, GameFilter { except: vec![ids[1].clone()], ..chosen(&ids[1..3]) }), ids[2..3]);
    assert_eq!(listed(&library, GameFilter { except: ids[1..].to_vec(), ..GameFilter::default() }), ids[..1]);
    library.delete(&ids[1..2], NOW).unwrap();
    assert_eq!(listed(&library, chosen(&ids[1..3])), ids[2..3]);
    assert!(listed(&library, chosen(&[GameId::new("none"), GameId::new("77")])).is_empty());
}

#[test]
fn a_search_gets_another_name_in_one_step() {
    let (_folder, library) = library();
    let mut query = GameQuery { limit: 20, ..GameQuery::default() };
    library.save_search("other", &query).unwrap();
    query.filter.text = "柯洁".into();
    library.save_search("mine", &query).unwrap();
    let names = || library.saved_searches().unwrap().into_iter().map(|search| search.name).collect::<Vec<_>>();
    library.rename_search("mine", " ours ").unwrap();
    assert_eq!(names(), ["other", "ours"]);
    assert_eq!(library.saved_searches().unwrap()[1].query, query);
    library.undo().unwrap();
    assert_eq!(names(), ["mine", "other"]);
    library.redo().unwrap();
    library.rename_search("ours", "other").unwrap();
    assert_eq!((names(), &library.saved_searches().unwrap()[0].query), (vec!["other".into()], &query));
    library.undo().unwrap();
    assert_eq!(names(), ["other", "ours"], "the one that it replaced is back");
    let steps = library.history().unwrap();
    library.rename_search("ours", "ours").unwrap();
    library.rename_search("gone", "new").unwrap();
    assert_eq!(library.history().unwrap(), steps, "nothing was changed");
    assert!(matches!(library.rename_search("ours", " "), Err(LibraryError::BadName { .. })));
}

#[test]
fn searches_are_kept_under_names() {
    let (_folder, library) = library();
    let mut query = GameQuery { limit: 20, ..GameQuery::default() };
    query.filter.text = "柯洁".into();
    library.save_search("Ke Jie", &query).unwrap();
    query.filter.winner = Some("black".into());
    library.save_search("Ke Jie", &query).unwrap();
    let saved = library.saved_searches().unwrap();
    assert_eq!((saved.len(), &saved[0].query), (1, &query));
    assert!(library.remove_search("Ke Jie").unwrap());
    assert!(!library.remove_search("Ke Jie").unwrap());
}

#[test]
fn names_of_one_person_are_joined_and_parted() {
    let (_folder, library) = library();
    let games = [
        ("柯洁", "Lee", "RE[B+R]DT[2016]"),
        ("Lee", "Ke Jie", "RE[W+R]DT[2017]"),
        ("가제", "Shin", "RE[W+2.5]DT[2017]"),
        ("Lee", "Shin", "RE[B+R]"),
    ];
    for (n, (black, white, more)) in games.iter().enumerate() {
        library.save_record(&game(black, white, more, n), NOW).unwrap();
    }
    library.join_players(&["柯洁", "Ke Jie", "가제"]).unwrap();
    for name in ["柯", "jie", "가제"] {
        let found = listed(&library, GameFilter { text: name.into(), ..GameFilter::default() });
        assert_eq!(found.len(), 3, "{name}");
    }
    let record = library.player_record("Ke Jie").unwrap();
    assert_eq!(record.player.name, "柯洁");
    assert_eq!(record.player.other_names, ["Ke Jie", "가제"]);
    assert_eq!((record.player.games, record.player.wins, record.player.losses), (3, 2, 1));
    let lines = |lines: &[honinbo_library::RecordLine]| {
        lines.iter().map(|line| (line.what.clone(), line.games, line.wins, line.losses)).collect::<Vec<_>>()
    };
    assert_eq!(lines(&record.by_color), [("black".into(), 2, 1, 1), ("white".into(), 1, 1, 0)]);
    assert_eq!(lines(&record.by_year), [("2016".into(), 1, 1, 0), ("2017".into(), 2, 1, 1)]);
    assert_eq!(lines(&record.by_opponent), [("Lee".into(), 2, 2, 0), ("Shin".into(), 1, 0, 1)]);
    let players = library.players("", 10).unwrap();
    assert_eq!(players.len(), 3);
    library.part_player("柯洁").unwrap();
    assert_eq!(library.player_record("柯洁").unwrap().player.games, 1);
    assert_eq!(library.player_record("가제").unwrap().player.games, 2);
    assert!(matches!(library.join_players(&["Lee", "Nobody"]), Err(LibraryError::UnknownPlayer { .. })));
    assert!(matches!(library.player_record("Nobody"), Err(LibraryError::UnknownPlayer { .. })));
}

#[test]
fn people_with_like_names_are_proposed_unless_they_met() {
    let (_folder, library) = library();
    let games = [
        ("Lee Sedol", "Gu Li"),
        ("Sedol Lee", "Gu Li"),
        ("Sedol Lee", "Shin"),
        ("LEE SEDOL 9p", "Shin"),
        ("Lee Sedoll", "Lee Sedol"),
        ("Gu Lingyi", "Shin"),
    ];
    for (n, (black, white)) in games.iter().enumerate() {
        library.save_record(&game(black, white, "", n), NOW).unwrap();
    }
    let proposed = |name: &str| library.namesakes(name).unwrap().into_iter().map(|one| one.name).collect::<Vec<_>>();
    assert_eq!(proposed("Lee Sedol"), ["Sedol Lee", "LEE SEDOL 9p"], "most games first, and nobody who was met");
    library.join_players(&["Lee Sedol", "Sedol Lee"]).unwrap();
    assert_eq!(proposed("Sedol Lee"), ["LEE SEDOL 9p"]);
    assert!(proposed("Gu Li").is_empty());
    assert!(matches!(library.namesakes("Nobody"), Err(LibraryError::UnknownPlayer { .. })));
}

/// All that a person can see of the games.
fn all_of(library: &Library) -> Vec<String> {
    let mut seen = Vec::new();
    for deleted in [false, true] {
        for id in listed(library, GameFilter { deleted, ..GameFilter::default() }) {
            let game = library.game(&id).unwrap();
            let (tags, folder) = (library.tags_of(&id).unwrap(), library.folder_of(&id).unwrap());
            seen.push(format!("{id} {deleted} {:?} {tags:?} {folder} {}", game.summary.title, game.sgf));
        }
    }
    seen.push(format!("{:?} {:?}", library.folders().unwrap(), library.tags().unwrap()));
    let mut players = library.players("", 100).unwrap();
    // Names of games that are gone stay known.
    players.retain(|player| player.games > 0);
    seen.push(format!("{:?} {players:?} {:?}", library.saved_searches().unwrap(), library.cards().unwrap()));
    seen
}

#[test]
fn every_change_is_taken_back_and_done_again() {
    let (_folder, library) = library();
    let ids: Vec<GameId> = (0..4)
        .map(|n| library.save_record(&game(&format!("p{n}"), &format!("q{n}"), "", n), NOW).unwrap().id)
        .collect();
    let tree = |text: &str| honinbo_record::read_sgf(text.as_bytes()).games.remove(0).tree;
    let board = &Board::new(BoardSize::square(9).unwrap(), Topology::Plane);
    let card = NewCard { sgf: "(;SZ[9])".into(), played: None, lost: 0.0, recorded: Vec::new() };
    type Step<'a> = (&'static str, Box<dyn Fn() + 'a>);
    let changes: Vec<Step<'_>> = vec![
        ("rename", Box::new(|| library.rename(&ids[0], "first", NOW).unwrap())),
        ("rename", Box::new(|| library.rename(&ids[0], "second", NOW).unwrap())),
        ("folder", Box::new(|| library.make_folder("empty").unwrap())),
        ("folder", Box::new(|| library.set_folder(&ids[..2], "a/b").unwrap())),
        ("folder", Box::new(|| library.set_folder(&ids[1..3], "a").unwrap())),
        ("tag", Box::new(|| library.add_tag(&ids[1..], "study").unwrap())),
        ("tag", Box::new(|| library.remove_tag(&ids, "study").unwrap())),
        ("folder", Box::new(|| assert!(library.rename_folder("a", "z/a").unwrap()))),
        ("folder", Box::new(|| assert!(library.remove_folder("z/a").unwrap()))),
        ("delete", Box::new(|| assert_eq!(library.delete(&ids[..2], NOW).unwrap(), 2))),
        ("restore", Box::new(|| assert_eq!(library.restore(&ids[1..2]).unwrap(), 1))),
        ("search", Box::new(|| library.save_search("mine", &GameQuery::default()).unwrap())),
        ("search", Box::new(|| assert!(library.remove_search("mine").unwrap()))),
        ("players", Box::new(|| library.join_players(&["p2", "q1", "p3"]).unwrap())),
        ("players", Box::new(|| library.part_player("p2").unwrap())),
        ("edit", Box::new(|| library.update_record(&ids[2], &tree("(;SZ[9]PB[new];B[aa])"), NOW).unwrap())),
        ("save", Box::new(|| drop(library.save_record("(;SZ[13]PB[x];B[cc];W[dd])", NOW).unwrap()))),
        ("card", Box::new(|| drop(library.add_card(board, Color::Black, &card, NOW).unwrap()))),
        ("card", Box::new(|| library.remove_card(&library.cards().unwrap()[0].id, NOW).unwrap())),
    ];
    let mut states = vec![all_of(&library)];
    for (what, change) in &changes {
        change();
        let state = all_of(&library);
        assert_ne!(Some(&state), states.last(), "{what} changed nothing");
        assert_eq!(library.history().unwrap().undo.unwrap().what, *what);
        states.push(state);
    }
    // A game that was saved lies in the bin when the saving is taken back.
    let is_gone = |line: &&String| line.contains(" true ") && line.contains("(;SZ[13]PB[x]");
    let visible = |state: &[String]| state.iter().filter(|line| !is_gone(line)).cloned().collect::<Vec<_>>();
    for _ in 0..2 {
        for (n, (what, _)) in changes.iter().enumerate().rev() {
            assert_eq!(library.undo().unwrap().unwrap().what, *what);
            assert_eq!(visible(&all_of(&library)), states[n], "{what} taken back");
        }
        for (n, (what, _)) in changes.iter().enumerate() {
            assert_eq!(library.redo().unwrap().unwrap().what, *what);
            assert_eq!(visible(&all_of(&library)), states[n + 1], "{what} done again");
        }
        assert_eq!(library.redo().unwrap(), None);
    }
    // A new change ends what could be done again.
    library.undo().unwrap();
    library.rename(&ids[3], "other", NOW).unwrap();
    assert_eq!(library.redo().unwrap(), None);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn facts_of_several_games_are_one_change() {
    let (_folder, library) = library();
    let ids = [
        library.save_record(&game("a", "b", "EV[Club]C[kept]", 1), NOW).unwrap().id,
        library.save_record(&game("c", "d", "EV[Cup]KM[6.5]", 2), NOW).unwrap().id,
    ];
    let facts = |facts: &[(&str, &str)]| honinbo_library::GameEdit {
        facts: facts.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect(),
        now: NOW + 5,
        ..Default::default()
    };
    library.edit_games(&ids, &facts(&[("EV", "Cup"), ("KM", "0"), ("DT", "1953-05")])).unwrap();
    for id in &ids {
        let summary = library.summary(id).unwrap();
        assert_eq!((summary.event.as_str(), summary.komi, summary.date.as_str()), ("Cup", Some(0.0), "1953-05"));
        assert_eq!(summary.changed, NOW + 5);
    }
    assert!(library.game(&ids[0]).unwrap().sgf.contains("C[kept]"));
    assert_eq!(library.undo().unwrap().map(|step| (step.what, step.games)), Some(("facts".into(), 2)));
    assert_eq!(library.game(&ids[0]).unwrap().sgf, game("a", "b", "EV[Club]C[kept]", 1));
    library.redo().unwrap();
    assert_eq!(library.summary(&ids[1]).unwrap().date, "1953-05");
    // What changes nothing is no change, and what nobody could read again is refused.
    library.undo().unwrap();
    for wrong in [("DT", "soon"), ("KM", "much"), ("RE", "?"), ("AB", "aa"), ("EV", "two\nlines")] {
        let refused = library.edit_games(&ids, &facts(&[wrong]));
        let said = format!("{}[", wrong.0);
        assert!(matches!(&refused, Err(LibraryError::BadFact { fact, .. }) if fact.starts_with(&said)), "{wrong:?}");
    }
    library.edit_games(&ids[1..], &facts(&[("EV", "")])).unwrap();
    assert_eq!(library.summary(&ids[1]).unwrap().event, "");
}

#[test]
fn a_game_that_goes_on_by_itself_is_nothing_to_take_back() {
    let (_folder, library) = library();
    let tree = |text: &str| honinbo_record::read_sgf(text.as_bytes()).games.remove(0).tree;
    let id = library.save_record("(;SZ[9];B[aa])", NOW).unwrap().id;
    for played in ["(;SZ[9];B[aa];W[bb])", "(;SZ[9];B[aa];W[bb];B[cc])"] {
        library.continue_record(&id, &tree(played), NOW + 1).unwrap();
    }
    assert_eq!(library.history().unwrap().undo.unwrap().what, "save");
    library.undo().unwrap();
    assert!(matches!(library.continue_record(&id, &tree("(;SZ[9])"), NOW), Err(LibraryError::UnknownGame { .. })));
    library.redo().unwrap();
    assert_eq!(library.game(&id).unwrap().sgf, "(;SZ[9];B[aa];W[bb];B[cc])");
    library.update_record(&id, &tree("(;SZ[9]C[good];B[aa];W[bb];B[cc])"), NOW + 2).unwrap();
    assert_eq!(library.undo().unwrap().unwrap().what, "edit");
    assert_eq!(library.game(&id).unwrap().sgf, "(;SZ[9];B[aa];W[bb];B[cc])", "to where the editing began");
}

#[test]
fn a_game_that_is_played_is_a_game_of_its_own() {
    let (_folder, library) = library();
    let ids: Vec<GameId> = (0..2).map(|_| library.save_played("(;SZ[9];B[aa])", NOW).unwrap().id).collect();
    assert_ne!(ids[0], ids[1]);
    assert_eq!(library.history().unwrap().undo.unwrap().what, "save");
    assert!(matches!(library.save_played("no game", NOW), Err(LibraryError::NotARecord { .. })));
}

#[test]
fn the_person_gets_a_name_only_in_games_that_were_played_here_against_an_opponent() {
    let (_folder, library) = library();
    let played = |black: &str, white: &str| {
        let text = format!("(;AP[Honinbo]SZ[9]PB[{black}]PW[{white}];B[aa])");
        library.save_played(&text, NOW).unwrap().id
    };
    let is_opponent = |name: &str| name == "Honinbo 20k";
    let (as_black, as_white) = (played("", "Honinbo 20k"), played("Honinbo 20k", ""));
    let others = [
        played("Ben", "Honinbo 20k"),
        played("", "Ben"),
        played("", ""),
        library.save_played("(;AP[Other]SZ[9]PW[Honinbo 20k];B[aa])", NOW).unwrap().id,
    ];
    let before: Vec<String> = others.iter().map(|id| library.game(id).unwrap().sgf).collect();
    let players = |id: &GameId| {
        let summary = library.game(id).unwrap().summary;
        (summary.black, summary.white)
    };
    assert!(matches!(library.name_person(" ", is_opponent, NOW), Err(LibraryError::BadName { .. })));
    assert_eq!(library.name_person(" Aya ", is_opponent, NOW).unwrap(), [as_black.clone(), as_white.clone()]);
    assert_eq!(players(&as_black), ("Aya".to_owned(), "Honinbo 20k".to_owned()));
    assert_eq!(players(&as_white), ("Honinbo 20k".to_owned(), "Aya".to_owned()));
    assert_eq!(others.iter().map(|id| library.game(id).unwrap().sgf).collect::<Vec<_>>(), before);
    assert_eq!(library.name_person("Dora", is_opponent, NOW).unwrap(), []);
    let undone = library.undo().unwrap().unwrap();
    assert_eq!((undone.what.as_str(), undone.games), ("facts", 2));
    assert_eq!(players(&as_black), (String::new(), "Honinbo 20k".to_owned()));
}

#[test]
fn an_edit_from_before_a_game_went_on_takes_none_of_its_moves_back() {
    let (_folder, library) = library();
    let tree = |text: &str| honinbo_record::read_sgf(text.as_bytes()).games.remove(0).tree;
    let id = library.save_record("(;SZ[9];B[aa])", NOW).unwrap().id;
    let other = library.save_record("(;SZ[13];B[aa])", NOW).unwrap().id;
    let text = |id: &GameId| library.game(id).unwrap().sgf;
    library.update_record(&other, &tree("(;SZ[13]C[other];B[aa])"), NOW + 1).unwrap();
    library.update_record(&id, &tree("(;SZ[9];B[aa];W[bb])"), NOW + 1).unwrap();
    library.continue_record(&id, &tree("(;SZ[9];B[aa];W[bb];B[cc])"), NOW + 2).unwrap();
    library.update_record(&id, &tree("(;SZ[9]C[good];B[aa];W[bb];B[cc])"), NOW + 3).unwrap();
    library.undo().unwrap();
    assert_eq!(text(&id), "(;SZ[9];B[aa];W[bb];B[cc])");
    // What was taken back is not done again over a move that came later.
    library.continue_record(&id, &tree("(;SZ[9];B[aa];W[bb];B[cc];W[dd])"), NOW + 4).unwrap();
    assert_eq!(library.redo().unwrap(), None);
    assert_eq!(library.undo().unwrap().unwrap().what, "edit");
    assert_eq!((text(&id), text(&other)), ("(;SZ[9];B[aa];W[bb];B[cc];W[dd])".into(), "(;SZ[13];B[aa])".into()));
}

#[test]
fn folders_move_with_all_in_them_and_not_into_themselves() {
    let (_folder, library) = library();
    let id = library.save_record(&game("a", "b", "", 1), NOW).unwrap().id;
    library.set_folder(std::slice::from_ref(&id), "a/b/c").unwrap();
    library.make_folder("a").unwrap();
    library.make_folder("taken").unwrap();
    assert!(matches!(library.rename_folder("a", "a/b"), Err(LibraryError::BadName { .. })));
    assert!(matches!(library.rename_folder("a", "taken"), Err(LibraryError::BadName { .. })));
    assert!(!library.rename_folder("nowhere", "new").unwrap() && !library.remove_folder("nowhere").unwrap());
    assert!(library.rename_folder("a", "new").unwrap());
    assert_eq!(library.folder_of(&id).unwrap(), "new/b/c");
    let names: Vec<String> = library.folders().unwrap().into_iter().map(|group| group.name).collect();
    assert_eq!(names, ["new", "new/b/c", "taken"]);
}

#[test]
fn ratings_rise_with_wins_and_follow_joined_names() {
    let (_folder, library) = library();
    for n in 0..12 {
        let (result, month) = (if n < 9 { "B+R" } else { "W+R" }, 1 + n % 12);
        library.save_record(&game("strong", "weak", &format!("RE[{result}]DT[2001-{month:02}-03]"), n), NOW).unwrap();
    }
    let strong = library.player_ratings("strong").unwrap();
    assert_eq!((strong.len(), strong[0].month.as_str(), strong[0].rating), (12, "2001-01", 1520));
    assert!(strong[8].rating > strong[0].rating && strong[11].rating < strong[8].rating);
    let weak = library.player_ratings("weak").unwrap();
    assert_eq!(strong[11].rating + weak[11].rating, 3000);
    library.save_record(&game("weaker", "strong", "RE[B+R]DT[2002]", 20), NOW).unwrap();
    library.join_players(&["weak", "weaker"]).unwrap();
    let joined = library.player_ratings("weaker").unwrap();
    assert_eq!((joined.len(), joined[12].month.as_str(), joined[12].games), (13, "2002", 13));
    let record = library.player_record("strong").unwrap();
    assert_eq!(record.by_opening.iter().map(|line| line.games).sum::<u32>(), 13);
    let figures = library.figures().unwrap();
    assert_eq!((figures.by_size[0].what.as_str(), figures.by_size[0].games), ("19x19", 13));
    assert_eq!(figures.by_year.iter().map(|line| line.what.as_str()).collect::<Vec<_>>(), ["2001", "2002"]);
    library.save_record(&game("weak", "strong", "RE[B+R]RU[Japanese]", 21), NOW).unwrap();
    let by_rules = library.figures().unwrap().by_rules;
    let by_rules: Vec<_> = by_rules.iter().map(|line| (line.what.as_str(), line.games)).collect();
    assert_eq!(by_rules, [("", 13), ("japanese", 1)], "games that do not say have a row of their own");
}

#[test]
fn ratings_follow_a_corrected_name_handicap_and_result() {
    let (_folder, library) = library();
    let sgf = |black: &str, more: &str| game(black, "weak", &format!("DT[2001-01-03]{more}"), 1);
    let id = library.save_record(&sgf("strong", "RE[B+R]"), NOW).unwrap().id;
    let correct = |black: &str, more: &str| {
        let tree = honinbo_record::read_sgf(sgf(black, more).as_bytes()).games.remove(0).tree;
        library.update_record(&id, &tree, NOW + 1).unwrap();
    };
    let rating = |name: &str| library.player_ratings(name).unwrap().last().map(|at| at.rating);
    assert_eq!(rating("strong"), Some(1520));
    correct("stronger", "RE[B+R]");
    assert_eq!((rating("strong"), rating("stronger")), (None, Some(1520)));
    correct("stronger", "RE[B+R]HA[3]");
    assert_eq!(rating("stronger"), None, "a game with a handicap does not count");
    correct("stronger", "RE[Void]");
    assert_eq!(rating("stronger"), None);
    correct("stronger", "RE[0]");
    assert_eq!(rating("stronger"), Some(1500), "a draw between players of the same strength");
    library.delete(std::slice::from_ref(&id), NOW + 2).unwrap();
    assert_eq!(rating("stronger"), None);
    library.restore(std::slice::from_ref(&id)).unwrap();
    assert_eq!(rating("stronger"), Some(1500));
}

#[test]
fn an_exported_archive_holds_every_record_and_comes_back() {
    let (folder, library) = library();
    for n in 0..3 {
        library.save_record(&game("same / name", "b", "DT[2001-02-03]", n), NOW).unwrap();
    }
    let ids = library.ids(&GameFilter::default()).unwrap();
    let path = folder.path().join("out.zip");
    assert_eq!(library.export_file(&ids, ExportFormat::Zip, &path).unwrap(), 3);
    let other = Library::open(folder.path().join("other.sqlite")).unwrap();
    let report = other.import(&[path], &Default::default(), NOW, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!((report.added, report.notes.len()), (3, 0), "{report:?}");
    let texts = |library: &Library| -> std::collections::BTreeSet<String> {
        library.ids(&GameFilter::default()).unwrap().iter().map(|id| library.game(id).unwrap().sgf).collect()
    };
    assert_eq!(texts(&other), texts(&library));
    let csv = folder.path().join("out.csv");
    assert_eq!(library.export_file(&ids[..1], ExportFormat::Csv, &csv).unwrap(), 1);
    assert!(!folder.path().join("out.csv.part").exists());
}

#[test]
fn a_backup_is_whole_and_comes_back() {
    let (folder, library) = library();
    let first = library.save_record(&game("a", "b", "", 1), NOW).unwrap().id;
    let backup = folder.path().join("backup.sqlite");
    library.backup(&backup).unwrap();
    assert!(matches!(library.backup(&backup), Err(LibraryError::File { .. })));
    let second = library.save_record(&game("c", "d", "", 2), NOW).unwrap().id;
    let path = library.path().to_owned();
    assert!(matches!(Library::restore_backup(&backup, &path, NOW), Err(LibraryError::Locked)), "it is open");
    assert_eq!(library.stats().unwrap().games, 2);
    drop(library);
    let before = Library::restore_backup(&backup, &path, NOW).unwrap().unwrap();
    let library = Library::open(&path).unwrap();
    assert_eq!(listed(&library, GameFilter::default()), [first]);
    assert!(matches!(library.game(&second), Err(LibraryError::UnknownGame { .. })));
    drop(library);
    // What was there is kept, and what is no backup changes nothing.
    assert_eq!(before, folder.path().join("backups/before-restore-2026-09-21.sqlite"));
    assert_eq!(Library::open(&before).unwrap().stats().unwrap().games, 2);
    let wrong = folder.path().join("wrong.sqlite");
    std::fs::write(&wrong, "not a library at all ".repeat(10)).unwrap();
    assert!(matches!(Library::restore_backup(&wrong, &path, NOW), Err(LibraryError::NotALibrary { .. })));
    assert_eq!(Library::open(&path).unwrap().stats().unwrap().games, 1);
}

#[test]
fn a_library_that_another_program_writes_or_a_newer_one_made_is_not_replaced() {
    let (folder, library) = library();
    library.save_record(&game("a", "b", "", 1), NOW).unwrap();
    let (path, backup) = (library.path().to_owned(), folder.path().join("backup.sqlite"));
    library.backup(&backup).unwrap();
    library.save_record(&game("c", "d", "", 2), NOW).unwrap();
    drop(library);
    let files = || {
        let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| !name.to_string_lossy().contains("-shm")).collect::<std::collections::BTreeSet<_>>()
    };
    let writing = rusqlite::Connection::open(&path).unwrap();
    writing.execute_batch("BEGIN IMMEDIATE; UPDATE games SET title = 'kept' WHERE id = 2;").unwrap();
    let before = files();
    assert!(matches!(Library::restore_backup(&backup, &path, NOW), Err(LibraryError::Locked)));
    assert_eq!(files(), before);
    writing.execute_batch("COMMIT;").unwrap();
    writing.pragma_update(None, "user_version", LIBRARY_VERSION + 1).unwrap();
    drop(writing);
    let before = files();
    assert!(matches!(Library::restore_backup(&backup, &path, NOW), Err(LibraryError::Newer { .. })));
    assert_eq!(files(), before);
    let there = rusqlite::Connection::open(&path).unwrap();
    let title: String = there.query_row("SELECT title FROM games WHERE id = 2", [], |row| row.get(0)).unwrap();
    assert_eq!(title, "kept");
}

#[test]
fn a_library_that_cannot_be_opened_is_put_aside_with_its_log() {
    let (folder, library) = library();
    let id = library.save_record(&game("a", "b", "", 1), NOW).unwrap().id;
    let (path, backup) = (library.path().to_owned(), folder.path().join("backup.sqlite"));
    library.backup(&backup).unwrap();
    drop(library);
    std::fs::write(&path, "torn").unwrap();
    std::fs::write(folder.path().join("library.sqlite-wal"), "its log").unwrap();
    // Of an earlier time: beside the file that is put aside now it would be taken for that one's.
    let backups = folder.path().join("backups");
    std::fs::create_dir(&backups).unwrap();
    std::fs::write(backups.join("before-restore-2026-09-21.sqlite-shm"), "older").unwrap();
    Library::restore_backup(&backup, &path, NOW).unwrap();
    let read = |end: &str| std::fs::read_to_string(backups.join(format!("before-restore-2026-09-21.sqlite{end}")));
    assert_eq!((read("").unwrap(), read("-wal").unwrap()), ("torn".to_owned(), "its log".to_owned()));
    assert!(read("-shm").is_err());
    let library = Library::open(&path).unwrap();
    assert_eq!(listed(&library, GameFilter::default()), [id]);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn exported_records_are_the_bytes_that_came_in() {
    let (folder, library) = library();
    let korean = "(;CA[EUC-KR]SZ[19]PB[이세돌]PW[=cmd]XX[kept\\]]C[좋은 수, \"good\"];B[pd](;W[dp])(;W[dd]))";
    let (bytes, _, _) = encoding_rs::EUC_KR.encode(korean);
    let plain = game("a", "b", "EV[x, y]", 3);
    let file = folder.path().join("korean.sgf");
    std::fs::write(&file, &bytes).unwrap();
    let report =
        library.import(&[file], &Default::default(), NOW, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!((report.added, report.notes.len()), (1, 0));
    let second = game("c", "d", "CA[EUC-KR]EV[왕위전]", 4);
    library.save_record(&second, NOW).unwrap();
    library.save_record(&plain, NOW).unwrap();
    let ids = library.ids(&GameFilter::default()).unwrap();
    let export = |ids: &[GameId]| {
        let mut out = Vec::new();
        assert_eq!(library.export(ids, ExportFormat::Sgf, &mut out).unwrap() as usize, ids.len());
        out
    };
    let (second_bytes, _, _) = encoding_rs::EUC_KR.encode(&second);
    assert_eq!(export(&ids[..2]), [&bytes[..], b"\n", &second_bytes, b"\n"].concat());
    assert_eq!(export(&ids[2..]), [plain.as_bytes(), b"\n"].concat());
    // A file has one character set.
    let in_utf8 = |sgf: &str| sgf.replace("EUC-KR", "UTF-8");
    assert_eq!(
        String::from_utf8(export(&ids)).unwrap(),
        format!("{}\n{}\n{plain}\n", in_utf8(korean), in_utf8(&second))
    );
    let mut archive = Vec::new();
    library.export(&ids, ExportFormat::Zip, &mut archive).unwrap();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    let mut first = Vec::new();
    std::io::Read::read_to_end(&mut archive.by_index(0).unwrap(), &mut first).unwrap();
    assert_eq!(first, *bytes, "in an archive each has a file of its own");
    // One that was edited has letters that its own character set lacks: it cannot stand beside those that have it.
    let mut tree = honinbo_record::read_sgf_text(&second).games.remove(0).tree;
    tree.set_text(tree.root(), "GC", "\u{1f600}");
    library.update_record(&ids[1], &tree, NOW).unwrap();
    let both = String::from_utf8(export(&ids[..2])).unwrap();
    assert!(both.contains("이세돌") && both.contains("왕위전") && both.contains('\u{1f600}'), "{both}");
    let mut table = Vec::new();
    library.export(&ids, ExportFormat::Csv, &mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    let lines: Vec<&str> = table.split("\r\n").collect();
    assert_eq!(lines.len(), 5);
    assert!(lines[1].starts_with("1,,이세돌,,'=cmd,"), "{}", lines[1]);
    assert!(lines[3].contains(",\"x, y\","), "{}", lines[2]);
}

#[test]
fn a_library_of_version_1_is_brought_up_to_date_with_all_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    rusqlite::Connection::open(&path).unwrap().execute_batch(include_str!("fixtures/version-1.sql")).unwrap();
    let library = Library::open(&path).unwrap();
    let stats = library.stats().unwrap();
    assert_eq!((stats.games, stats.deleted, stats.version), (1, 1, LIBRARY_VERSION));
    let game = library.game(&GameId::new("1")).unwrap();
    assert_eq!((game.summary.black.as_str(), game.summary.date.as_str()), ("柯洁", "2017-05-23"));
    assert!(game.sgf.starts_with("(;GM[1]FF[4]CA[UTF-8]SZ[19]PB[柯洁]BR[9p]PW[AlphaGo]EV[Future of Go Summit]"));
    assert!(game.sgf.ends_with(";B[pr];W[or];B[pn];W[qm])"));
    library.restore(&[GameId::new("2")]).unwrap();
    let torus = library.game(&GameId::new("2")).unwrap();
    assert_eq!(
        torus.sgf.trim(),
        "(;SZ[9]TOPO[torus]PB[a]PW[b]AB[ee]AW[ef];B[df];W[aa];B[ff];W[bb];B[eg](;W[cc])(;W[ii]C[other]))"
    );
    let found = listed(&library, GameFilter { text: "first game".into(), ..GameFilter::default() });
    assert_eq!(found, [GameId::new("1")]);
    library.set_folder(&[GameId::new("1")], "kept").unwrap();
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_game_of_several_days_is_found_by_each_and_listed_with_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let ids = {
        let library = Library::open(&path).unwrap();
        ["1996-05-30,31,06-01", "1996-05-30", "1996,1997"]
            .map(|days| library.save_record(&game("a", days, &format!("DT[{days}]"), days.len()), NOW).unwrap().id)
    };
    let look = |library: &Library| {
        let dated = |from: &str, to: &str| {
            let date = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            listed(library, GameFilter { date_from: date(from), date_to: date(to), ..GameFilter::default() })
        };
        let [three_days, one_day, two_years] = &ids;
        let sorted = |mut ids: Vec<GameId>| {
            ids.sort_by_key(|id| id.as_str().to_owned());
            ids
        };
        assert_eq!(dated("1996-06-01", "1996-06-30"), std::slice::from_ref(three_days));
        assert_eq!(dated("1996-05-31", "1996-05-31"), std::slice::from_ref(three_days));
        assert_eq!(sorted(dated("1996-05-30", "1996-05-30")), [three_days.clone(), one_day.clone()]);
        assert_eq!(dated("1997", ""), std::slice::from_ref(two_years));
        assert_eq!(dated("", "1996-05-29"), std::slice::from_ref(two_years));
        assert_eq!(dated("1996-06-02", "1996-12-31"), Vec::<GameId>::new());
        let with = |text: &str| listed(library, GameFilter { text: text.into(), ..GameFilter::default() });
        assert_eq!(with("1996-06-01"), std::slice::from_ref(three_days));
        let summary = library.game(three_days).unwrap().summary;
        assert_eq!((summary.date.as_str(), summary.last_date.as_str()), ("1996-05-30", "1996-06-01"));
        assert_eq!(library.game(one_day).unwrap().summary.last_date, "");
    };
    look(&Library::open(&path).unwrap());
    // As an older program left it.
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch("ALTER TABLE games DROP COLUMN last_date; DROP TABLE card_moves; PRAGMA user_version = 14;")
        .unwrap();
    drop(old);
    look(&Library::open(&path).unwrap());
}

#[test]
fn notes_of_an_old_library_are_found_short_and_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    let old = rusqlite::Connection::open(&path).unwrap();
    old.execute_batch(include_str!("fixtures/version-1.sql")).unwrap();
    let long = format!("{} tenuki at last", "on and on. ".repeat(20));
    old.execute("UPDATE notes SET text = ?1 WHERE game = 1", [&long]).unwrap();
    old.execute("UPDATE games SET deleted = NULL", []).unwrap();
    old.execute("UPDATE notes SET text = 'a short remark' WHERE game = 2", []).unwrap();
    drop(old);
    let library = Library::open(&path).unwrap();
    let with = |text: &str| listed(&library, GameFilter { text: text.into(), ..GameFilter::default() });
    let (one, two) = (GameId::new("1"), GameId::new("2"));
    assert_eq!(with("TENUKI"), vec![one.clone()]);
    assert_eq!(with("remark"), vec![two.clone()]);
    assert_eq!(with("on"), [one]);
    // A long note that becomes a short one leaves the index, and the other way round.
    let edited = |comment: &str| {
        let sgf = format!("(;SZ[9]PB[a]PW[b]C[{comment}];B[aa])");
        library.update_record(&two, &honinbo_record::read_sgf(sgf.as_bytes()).games.remove(0).tree, NOW).unwrap();
    };
    edited(&format!("{} sabaki", "x".repeat(80)));
    assert_eq!((with("remark"), with("sabaki")), (vec![], vec![two.clone()]));
    edited("short again");
    assert_eq!((with("sabaki"), with("again")), (vec![], vec![two]));
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn nothing_reads_a_whole_table_for_each_row_that_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.sqlite");
    Library::open(&path).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let sql = r#"SELECT t.name, f."from", f."table" FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f
                 WHERE t.type = 'table' ORDER BY t.name, f."from""#;
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let references: Vec<(String, String, String)> = rows.map(Result::unwrap).collect();
    assert!(references.len() > 20, "{references:?}");
    let is_read_whole = |table: &str, column: &str| {
        let plan = format!("EXPLAIN QUERY PLAN SELECT 1 FROM {table} WHERE {column} = ?1");
        let step: String = connection.prepare(&plan).unwrap().query_row([1], |row| row.get("detail")).unwrap();
        step.starts_with("SCAN")
    };
    // Rows of these stay, or all of them go at once.
    let lasting = ["labels", "contexts", "problems"];
    let slow: Vec<_> = references
        .iter()
        .filter(|(table, column, of)| !lasting.contains(&of.as_str()) && is_read_whole(table, column))
        .collect();
    assert!(slow.is_empty(), "these refer to what is deleted and have no index: {slow:?}");
}

#[test]
fn a_migrated_library_has_the_same_tables_as_a_new_one() {
    let schema = |path: &std::path::Path| -> Vec<String> {
        let connection = rusqlite::Connection::open(path).expect("a library");
        let sql = "SELECT coalesce(sql, name) FROM sqlite_schema WHERE name NOT LIKE 'notes_index_%' ORDER BY name";
        let mut statement = connection.prepare(sql).expect("a statement");
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("rows");
        // White space and remarks do not make another table.
        let plain = |sql: String| {
            let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
            lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
        };
        rows.map(|row| plain(row.expect("a row"))).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.sqlite"), folder.path().join("new.sqlite"));
    rusqlite::Connection::open(&old).unwrap().execute_batch(include_str!("fixtures/version-1.sql")).unwrap();
    Library::open(&old).unwrap();
    Library::open(&new).unwrap();
    assert_eq!(schema(&old), schema(&new));
}
