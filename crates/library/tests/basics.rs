//! Saving, finding, renaming, deleting and bringing back.

use honinbo_library::{FreedSpace, GameFilter, GameId, GameQuery, Library, LibraryError, SortBy};
use honinbo_record::read_sgf;

const NOW: i64 = 1_790_000_000_000;

fn library() -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::open(folder.path().join("data/library.sqlite")).expect("a library");
    (folder, library)
}

/// A game of `n` different moves on a 19x19 board, `seed` making another game.
fn moves(n: usize, seed: usize) -> String {
    let mut sgf = String::new();
    for i in 0..n {
        let at = (i * 7 + seed * 31) % 361;
        let letter = |n: usize| char::from(b'a' + u8::try_from(n).expect("below 19"));
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        sgf.push_str(&format!(";{color}[{}{}]", letter(at % 19), letter(at / 19)));
    }
    sgf
}

fn names(library: &Library, filter: GameFilter) -> Vec<String> {
    let query = GameQuery { filter, sort: SortBy::Black, limit: 100, ..GameQuery::default() };
    library.list(&query).expect("a list").games.into_iter().map(|game| game.black).collect()
}

fn text(text: &str) -> GameFilter {
    GameFilter { text: text.into(), ..GameFilter::default() }
}

/// Before 3.51.3 two programs on one file in WAL mode could damage it.
#[test]
fn the_linked_sqlite_has_no_fault_in_its_write_ahead_log() {
    let asked = "SELECT sqlite_version()";
    let version: String =
        rusqlite::Connection::open_in_memory().unwrap().query_row(asked, [], |row| row.get(0)).unwrap();
    let parts: Vec<u32> = version.split('.').map(|part| part.parse().unwrap()).collect();
    assert!(parts >= vec![3, 51, 3], "SQLite {version} is linked");
}

#[test]
fn a_saved_game_is_listed_with_its_facts_and_opened_as_it_was() {
    let (_folder, library) = library();
    let sgf = format!(
        "(;GM[1]FF[4]SZ[19]PB[柯洁]BR[9p]PW[이세돌]WR[9段]EV[LG Cup]PC[Seoul]DT[2016-03-09]RE[W+0.5]KM[375]RU[Chinese]\n\
         XX[unknown][kept]C[hello]{}(;B[];W[])(;B[cc]C[other]))\n",
        moves(100, 1)
    );
    let saved = library.save_record(&sgf, NOW).unwrap();
    assert_eq!(saved.duplicate_of, None);
    let game = library.game(&saved.id).unwrap();
    assert_eq!(game.sgf, sgf.trim_end());
    let s = game.summary;
    assert_eq!(
        (s.black.as_str(), s.white.as_str(), s.black_rank.as_str(), s.white_rank.as_str()),
        ("柯洁", "이세돌", "9p", "9d")
    );
    assert_eq!(
        (s.event.as_str(), s.place.as_str(), s.date.as_str(), s.result.as_str()),
        ("LG Cup", "Seoul", "2016-03-09", "W+0.5")
    );
    assert_eq!((s.width, s.height, s.rules.as_str(), s.komi, s.moves), (19, 19, "chinese", Some(7.5), 102));
    assert_eq!((s.added, s.changed, s.deleted), (NOW, NOW, None));
}

#[test]
fn the_same_game_is_known_again_also_turned_cut_and_renamed() {
    let (_folder, library) = library();
    let first = library.save_record(&format!("(;SZ[19]PB[Shusaku]PW[Gennan]{})", moves(120, 3)), NOW).unwrap();
    let again = library.save_record(&format!("(;SZ[19]PB[Shusaku]PW[Gennan]{})", moves(120, 3)), NOW).unwrap();
    assert_eq!((again.id.clone(), again.duplicate_of), (first.id.clone(), Some(first.id.clone())));
    assert_eq!(library.game(&first.id).unwrap().n_copies, 0);

    // Mirrored, with another spelling of the names and with a date: a copy that tells the date.
    let mirrored: String = moves(120, 3)
        .split(';')
        .skip(1)
        .map(|node| {
            let bytes = node.as_bytes();
            format!(";{}[{}{}]", bytes[0] as char, (b'a' + b's' - bytes[2]) as char, bytes[3] as char)
        })
        .collect();
    let copy = library.save_record(&format!("(;SZ[19]PB[秀策]PW[幻庵]DT[1846-09-11]{mirrored})"), NOW).unwrap();
    assert_eq!(copy.duplicate_of, Some(first.id.clone()));
    let game = library.game(&first.id).unwrap();
    assert_eq!((game.summary.date.as_str(), game.summary.black.as_str(), game.n_copies), ("1846-09-11", "Shusaku", 1));

    // The same game to its end becomes the game, with what was known of it: nothing of the shorter one is left to keep.
    let longer = format!("(;SZ[19]{})", moves(150, 3));
    assert_eq!(library.save_record(&longer, NOW).unwrap().duplicate_of, Some(first.id.clone()));
    let game = library.game(&first.id).unwrap();
    let facts = "PB[Shusaku]PW[Gennan]DT[1846-09-11]";
    assert_eq!(game.sgf, format!("(;SZ[19]{facts}{})", moves(150, 3)));
    assert_eq!((game.summary.moves, game.n_copies), (150, 1));
    assert_eq!(library.copies(&first.id).unwrap().len(), 1);

    let other = library.save_record(&format!("(;SZ[19]{})", moves(120, 4)), NOW).unwrap();
    assert_eq!(other.duplicate_of, None);
    assert_eq!(library.stats().unwrap().games, 2);
}

#[test]
fn a_bare_version_with_a_comment_takes_no_fact_from_the_game() {
    let (_folder, library) = library();
    let header = "PB[柯洁]PW[이세돌]BR[9p]DT[2016-03-09]RE[W+0.5]KM[6.5]RU[Japanese]EV[LG Cup]";
    let id = library.save_record(&format!("(;SZ[19]{header}{})", moves(100, 1)), NOW).unwrap().id;
    let noted = format!("(;SZ[19]C[a fine game]{})", moves(100, 1));
    assert_eq!(library.save_record(&noted, NOW + 1).unwrap().duplicate_of, Some(id.clone()));
    let listed = library.summary(&id).unwrap();
    let game = library.game(&id).unwrap();
    assert!(game.sgf.contains("C[a fine game]"), "{}", game.sgf);
    for fact in ["PB[柯洁]", "PW[이세돌]", "DT[2016-03-09]", "RE[W+0.5]", "KM[6.5]", "RU[Japanese]", "EV[LG Cup]"]
    {
        assert!(game.sgf.contains(fact), "{fact} in {}", game.sgf);
    }
    assert_eq!((listed.black.as_str(), listed.date.as_str(), listed.komi), ("柯洁", "2016-03-09", Some(6.5)));
    assert_eq!(names(&library, text("fine game")), ["柯洁"]);
    // Saved as it was opened, it is the same row.
    let tree = read_sgf(game.sgf.as_bytes()).games.remove(0).tree;
    library.update_record(&id, &tree, NOW + 2).unwrap();
    let saved = library.summary(&id).unwrap();
    assert_eq!(honinbo_library::GameSummary { changed: listed.changed, ..saved }, listed);
    // Nothing of either version is lost, and none comes in twice.
    assert_eq!(library.game(&id).unwrap().n_copies, 0);
    library.save_record(&noted, NOW + 3).unwrap();
    assert_eq!((library.game(&id).unwrap().sgf, library.copies(&id).unwrap().len()), (game.sgf, 0));
}

#[test]
fn the_version_with_variations_and_marks_becomes_the_game() {
    let (_folder, library) = library();
    let id = library.save_record(&format!("(;SZ[19]PB[a]{})", moves(60, 2)), NOW).unwrap().id;
    let studied = format!("(;SZ[19]PB[a]TR[cc]LB[bb:1]({})(;B[dd];W[ee]))", moves(60, 2));
    assert_eq!(library.save_record(&studied, NOW + 1).unwrap().duplicate_of, Some(id.clone()));
    assert_eq!((library.game(&id).unwrap().sgf, library.copies(&id).unwrap().len()), (studied, 0));
    // One that says less and something else is kept beside it.
    let other = format!("(;SZ[19]PB[A.]{})", moves(60, 2));
    library.save_record(&other, NOW + 2).unwrap();
    assert_eq!(library.copies(&id).unwrap(), [other]);
}

#[test]
fn moves_that_others_played_again_are_another_game() {
    let (_folder, library) = library();
    let game = |facts: &str, n: usize, end: &str| format!("(;SZ[19]{facts}{}{end})", moves(n, 5));
    let famous = "PB[Lee Sedol]PW[AlphaGo]DT[2016-03-13]RE[B+R]";
    let id = library.save_record(&game(famous, 120, ""), NOW).unwrap().id;
    // A pass that the other one has not, after a hundred moves.
    let end = ";B[];W[]";
    for facts in ["PB[Anna Kurz]PW[Ben Lang]", "PB[Lee Sedol]PW[AlphaGo]DT[2019]", "PB[Lee Sedol]PW[Anna Kurz]"] {
        let saved = library.save_record(&game(facts, 100, end), NOW).unwrap();
        assert_eq!(saved.duplicate_of, None, "{facts}");
        library.delete(&[saved.id], NOW).unwrap();
    }
    for facts in ["", "PB[LEE, Sedol 9p]DT[2016]", "PB[이세돌]DT[2016-03-14]", "PB[Black]PW[White]"] {
        let saved = library.save_record(&game(facts, 100, end), NOW).unwrap();
        assert_eq!(saved.duplicate_of.as_ref(), Some(&id), "{facts}");
    }
    // Names that were joined to one person are that person's.
    library.save_record(&format!("(;PB[Sedori]PW[x]{})", moves(40, 6)), NOW).unwrap();
    library.join_players(&["Lee Sedol", "Sedori"]).unwrap();
    assert_eq!(library.save_record(&game("PB[Sedori]", 100, end), NOW).unwrap().duplicate_of, Some(id));
}

#[test]
fn a_joined_version_is_taken_back_and_joined_again() {
    let (_folder, library) = library();
    let first = format!("(;SZ[19]PB[a]PW[b]{})", moves(60, 7));
    let id = library.save_record(&first, NOW).unwrap().id;
    let second = format!("(;SZ[19]PB[A]EV[Club]C[words]{})", moves(60, 7));
    library.save_record(&second, NOW + 1).unwrap();
    let joined = library.game(&id).unwrap();
    assert!(joined.sgf.contains("PB[a]") && joined.sgf.contains("C[words]"), "{}", joined.sgf);
    let copies = library.copies(&id).unwrap();
    assert_eq!(copies, [second], "it has another name");
    assert_eq!(library.undo().unwrap().map(|step| (step.what, step.games)), Some(("save".into(), 1)));
    let before = library.game(&id).unwrap();
    assert_eq!((before.sgf.as_str(), before.n_copies, before.summary.event.as_str()), (first.as_str(), 0, ""));
    library.redo().unwrap();
    assert_eq!((library.game(&id).unwrap().sgf, library.copies(&id).unwrap()), (joined.sgf.clone(), copies));
    // What went on since is not taken away with it.
    let mut tree = read_sgf(joined.sgf.as_bytes()).games.remove(0).tree;
    tree.set_comment(tree.root(), "it goes on");
    library.continue_record(&id, &tree, NOW + 2).unwrap();
    library.undo().unwrap();
    assert!(library.game(&id).unwrap().sgf.contains("it goes on"));
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn a_version_becomes_a_game_of_its_own_and_a_version_again() {
    let (_folder, library) = library();
    let id = library.save_record(&format!("(;PB[a]C[my own words]{})", moves(60, 8)), NOW).unwrap().id;
    let other = format!("(;PB[b]{})", moves(60, 8));
    library.save_record(&other, NOW).unwrap();
    assert!(matches!(library.part_version(&id, "(;PB[c])", NOW), Err(LibraryError::NotARecord { .. })));
    let new = library.part_version(&id, &other, NOW + 1).unwrap();
    assert_eq!((library.game(&new).unwrap().sgf, library.game(&id).unwrap().n_copies), (other.clone(), 0));
    assert_eq!(names(&library, GameFilter::default()), ["a", "b"]);
    assert_eq!(library.undo().unwrap().map(|step| (step.what, step.games)), Some(("version".into(), 1)));
    assert_eq!((names(&library, GameFilter::default()), library.copies(&id).unwrap()), (vec!["a".into()], vec![other]));
    library.redo().unwrap();
    assert_eq!(names(&library, GameFilter::default()), ["a", "b"]);
}

#[test]
fn short_openings_of_other_players_are_other_games() {
    let (_folder, library) = library();
    let a = library.save_record(&format!("(;PB[a]PW[b]{})", moves(4, 0)), NOW).unwrap();
    let b = library.save_record(&format!("(;PB[c]PW[d]{})", moves(4, 0)), NOW).unwrap();
    assert_eq!((a.duplicate_of, b.duplicate_of), (None, None));
    let comment = library.save_record(&format!("(;PB[a]PW[b]C[study]{})", moves(4, 0)), NOW).unwrap();
    assert_eq!(comment.duplicate_of, None);
    let again = library.save_record(&format!("(;PB[a]PW[b]{})", moves(4, 0)), NOW).unwrap();
    assert_eq!(again.duplicate_of, Some(a.id));
}

#[test]
fn words_are_found_in_names_events_titles_and_comments_of_any_script() {
    let (_folder, library) = library();
    let save = |sgf: &str| library.save_record(sgf, NOW).unwrap().id;
    save(&format!("(;PB[忧郁的孤影]PW[楚阳春]PC[Tom]{})", moves(40, 1)));
    save(&format!(
        "(;PB[Lee Sedol]PW[AlphaGo]EV[Google DeepMind Challenge]C[神の一手: the divine move]{})",
        moves(40, 2)
    ));
    let third = save(&format!("(;PB[100%_x]PW[y]GN[Game of the century]{})", moves(40, 3)));
    library.rename(&third, "My 最好的 game", NOW).unwrap();
    for (words, expected) in [
        ("孤影", vec!["忧郁的孤影"]),
        ("阳", vec!["忧郁的孤影"]),
        ("alphago", vec!["Lee Sedol"]),
        ("lee google", vec!["Lee Sedol"]),
        ("lee tom", vec![]),
        ("の一", vec!["Lee Sedol"]),
        ("divine move", vec!["Lee Sedol"]),
        ("\"divine move\"", vec!["Lee Sedol"]),
        ("\"move divine\"", vec![]),
        ("century", vec!["100%_x"]),
        ("最好", vec!["100%_x"]),
        ("%_", vec!["100%_x"]),
        ("100_", vec!["100%_x"]),
        ("' OR 1=1 --", vec![]),
        ("' --", vec!["100%_x", "Lee Sedol", "忧郁的孤影"]),
        ("\"", vec!["100%_x", "Lee Sedol", "忧郁的孤影"]),
    ] {
        assert_eq!(names(&library, text(words)), expected, "{words}");
    }
}

#[test]
fn players_are_found_however_their_names_are_written() {
    let (_folder, library) = library();
    for (n, (black, white)) in [
        ("楚阳春", "骊龙"),
        ("Master", "Park Jung-hwan"),
        ("Shibano Toramaru", "Müller"),
        ("ｶﾀｶﾅ", "Lee  Sedol"),
        ("广濑优一", "藤澤秀行"),
    ]
    .iter()
    .enumerate()
    {
        library.save_record(&format!("(;PB[{black}]PW[{white}]{})", moves(40, n)), NOW).unwrap();
    }
    let some = |text: &str| Some(text.to_owned());
    for (asked, expected) in [
        ("楚陽春", "楚阳春"),
        ("驪龍", "楚阳春"),
        ("Ｍａｓｔｅｒ", "Master"),
        ("Park Junghwan", "Master"),
        ("Jung-hwan Park", "Master"),
        ("Toramaru Shibano", "Shibano Toramaru"),
        ("Shibano, Toramaru", "Shibano Toramaru"),
        ("muller", "Shibano Toramaru"),
        ("カタカナ", "ｶﾀｶﾅ"),
        ("Lee Sedol", "ｶﾀｶﾅ"),
        ("広瀬優一", "广濑优一"),
        ("藤沢", "广濑优一"),
    ] {
        assert_eq!(names(&library, GameFilter { player: some(asked), ..GameFilter::default() }), [expected], "{asked}");
        assert_eq!(names(&library, text(asked)), [expected], "the words {asked}");
        assert_eq!(library.players(asked, 10).unwrap().len(), 1, "the people {asked}");
    }
    let both = GameFilter { player: some("Park Toramaru"), ..GameFilter::default() };
    assert!(names(&library, both).is_empty(), "the words are those of one name");
}

#[test]
fn names_in_chinese_characters_are_found_by_their_pinyin() {
    let (_folder, library) = library();
    for (n, (black, white)) in
        [("柯洁 9p", "Bakjo"), ("柯潔", "a"), ("古力", "b"), ("单霞丽", "c"), ("空军基地", "d"), ("Gu Li", "e")]
            .iter()
            .enumerate()
    {
        library.save_record(&format!("(;PB[{black}]PW[{white}]{})", moves(40, n)), NOW).unwrap();
    }
    library.save_record(&format!("(;EV[力王赛]{})", moves(40, 7)), NOW).unwrap();
    let some = |text: &str| Some(text.to_owned());
    for (asked, expected) in [
        ("kejie", &["柯洁 9p", "柯潔"][..]),
        ("Ke Jie", &["柯洁 9p", "柯潔"]),
        ("ke jie 9p", &["柯洁 9p"]),
        ("Gu Li", &["Gu Li", "古力"]),
        ("guli", &["古力"]),
        ("gul", &["古力"]),
        ("shan xiali", &["单霞丽"]),
        ("sxl", &["单霞丽"]),
        ("kjj", &[]),
        ("liwang", &[]),
    ] {
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let player = GameFilter { player: some(asked), ..GameFilter::default() };
        assert_eq!(sorted(names(&library, player)), expected, "the player {asked}");
        assert_eq!(sorted(names(&library, text(asked))), expected, "the words {asked}");
        let people = library.players(asked, 10).unwrap().into_iter().map(|player| player.name).collect();
        assert_eq!(sorted(people), expected, "the people {asked}");
    }
    let people: Vec<String> = library.players("kj", 10).unwrap().into_iter().map(|player| player.name).collect();
    assert_eq!(people, ["柯洁 9p", "Bakjo", "柯潔"], "first letters are those of a whole name");
}

#[test]
fn rules_tags_folders_and_dates_are_found_however_they_are_written() {
    let (_folder, library) = library();
    for (n, (black, facts)) in [
        ("a", "RU[Japanese]DT[2017-01-02]"),
        ("b", "RU[House Rules]DT[2017-02]EV[7th LG Cup]PC[Tōkyō]"),
        ("c", "DT[2018-01-02]EV[名人戦]"),
    ]
    .iter()
    .enumerate()
    {
        let id = library.save_record(&format!("(;PB[{black}]PW[w]{facts}{})", moves(40, n)), NOW).unwrap().id;
        if n == 0 {
            library.add_tag(std::slice::from_ref(&id), "To Study").unwrap();
            library.set_folder(&[id], "Openings/Chinese").unwrap();
        }
    }
    let some = |text: &str| Some(text.to_owned());
    let all = GameFilter::default;
    for rules in ["Japanese", "japanese", " JAPANESE "] {
        assert_eq!(names(&library, GameFilter { rules: some(rules), ..all() }), ["a"], "{rules}");
    }
    assert_eq!(names(&library, GameFilter { rules: some("house rules"), ..all() }), ["b"]);
    assert_eq!(names(&library, GameFilter { tag: some("to study"), ..all() }), ["a"]);
    for folder in ["openings", "openings/chinese", "Openings"] {
        assert_eq!(names(&library, GameFilter { folder: some(folder), ..all() }), ["a"], "{folder}");
    }
    assert!(names(&library, GameFilter { folder: some("open"), ..all() }).is_empty());
    assert_eq!(names(&library, GameFilter { event: some("lg cup"), ..all() }), ["b"]);
    assert_eq!(names(&library, GameFilter { event: some("名人战"), ..all() }), ["c"]);
    assert_eq!(names(&library, GameFilter { place: some("tokyo"), ..all() }), ["b"]);
    for (date, expected) in [
        ("2017.01.02", vec!["a"]),
        ("2017/1/2", vec!["a"]),
        ("20170102", vec!["a"]),
        ("2017年1月", vec!["a"]),
        ("２０１７年", vec!["a", "b"]),
        ("2017-02", vec!["b"]),
        ("2017-13", vec![]),
        ("no2017-01", vec![]),
    ] {
        assert_eq!(names(&library, text(date)), expected, "{date}");
    }
}

#[test]
fn facts_filter_and_sort_the_list() {
    let (_folder, library) = library();
    for (n, (black, date, result, komi)) in [
        ("a", "2001-05", "B+R", "6.5"),
        ("b", "2003", "W+3.5", "7.5"),
        ("c", "1999-12-31", "B+10.5", "6.5"),
        ("d", "", "0", "0"),
    ]
    .iter()
    .enumerate()
    {
        let sgf = format!(
            "(;PB[{black}]PW[w{n}]BR[{}d]WR[5d]DT[{date}]RE[{result}]KM[{komi}]{})",
            n + 3,
            moves(30 + n * 10, n)
        );
        library.save_record(&sgf, NOW + n as i64).unwrap();
    }
    let some = |text: &str| Some(text.to_owned());
    let all = GameFilter::default;
    assert_eq!(names(&library, GameFilter { date_from: some("2001"), ..all() }), ["a", "b"]);
    assert_eq!(names(&library, GameFilter { date_to: some("2001"), ..all() }), ["a", "c"]);
    assert_eq!(names(&library, GameFilter { winner: some("black"), ..all() }), ["a", "c"]);
    assert_eq!(names(&library, GameFilter { min_margin: Some(5.0), ..all() }), ["c"]);
    assert_eq!(names(&library, GameFilter { result: some("draw"), ..all() }), ["d"]);
    assert_eq!(names(&library, GameFilter { komi: Some(6.5), ..all() }), ["a", "c"]);
    assert_eq!(names(&library, GameFilter { min_moves: Some(45), ..all() }), ["c", "d"]);
    assert_eq!(names(&library, GameFilter { min_rank: some("5d"), ..all() }), ["c", "d"]);
    assert_eq!(names(&library, GameFilter { player: some("w1"), opponent: some("b"), ..all() }), ["b"]);
    assert_eq!(names(&library, GameFilter { white: some("w2"), ..all() }), ["c"]);
    for (sort, expected) in [
        (SortBy::Added, "abcd"),
        (SortBy::Changed, "abcd"),
        (SortBy::Date, "dcab"),
        (SortBy::Black, "abcd"),
        (SortBy::White, "abcd"),
        (SortBy::Moves, "abcd"),
    ] {
        for descending in [false, true] {
            let query = GameQuery { sort, descending, limit: 10, ..GameQuery::default() };
            let listed: String = library.list(&query).unwrap().games.iter().map(|game| game.black.as_str()).collect();
            let wanted: String = if descending { expected.chars().rev().collect() } else { expected.into() };
            assert_eq!(listed, wanted, "{sort:?} descending {descending}");
        }
    }
    let second = library.list(&GameQuery { sort: SortBy::Black, limit: 2, offset: 1, ..GameQuery::default() }).unwrap();
    assert_eq!((second.games[0].black.as_str(), second.games.len(), second.total), ("b", 2, 4));
}

#[test]
fn deleted_games_lie_in_the_bin_until_it_is_emptied() {
    let (_folder, library) = library();
    let ids: Vec<GameId> = (0..3)
        .map(|n| library.save_record(&format!("(;PB[p{n}]C[comment {n}]{})", moves(40, n)), NOW).unwrap().id)
        .collect();
    assert_eq!(library.delete(&ids[..2], NOW + 1).unwrap(), 2);
    assert_eq!(library.delete(&ids[..2], NOW + 1).unwrap(), 0);
    assert_eq!(names(&library, GameFilter::default()), ["p2"]);
    assert_eq!(names(&library, GameFilter { deleted: true, ..GameFilter::default() }), ["p0", "p1"]);
    assert_eq!(library.restore(&ids[..1]).unwrap(), 1);
    assert_eq!(names(&library, GameFilter::default()), ["p0", "p2"]);
    assert_eq!(library.empty_bin(FreedSpace::ForGames).unwrap(), 1);
    assert!(matches!(library.restore(&ids[1..2]), Err(LibraryError::UnknownGame { .. })));
    assert_eq!(names(&library, text("comment")), ["p0", "p2"]);
    // One unknown id among others changes nothing.
    let mixed = [ids[0].clone(), GameId::new("999")];
    assert!(matches!(library.delete(&mixed, NOW), Err(LibraryError::UnknownGame { .. })));
    assert_eq!(names(&library, GameFilter::default()), ["p0", "p2"]);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn the_bin_is_emptied_where_room_is_needed_and_the_file_becomes_smaller() {
    let (folder, library) = library();
    let words = |n: usize| (0..2_000).map(|at| format!("{:x}", at * 7_919 + n)).collect::<String>();
    let ids: Vec<GameId> = (0..40)
        .map(|n| library.save_record(&format!("(;PB[p{n}]C[{}]{})", words(n), moves(40, n)), NOW).unwrap().id)
        .collect();
    library.delete(&ids[1..], NOW + 1).unwrap();
    let bytes = || -> u64 {
        let files = std::fs::read_dir(folder.path().join("data")).unwrap().map(|entry| entry.unwrap());
        files
            .filter(|file| file.file_name().to_string_lossy().contains(".sqlite"))
            .map(|f| f.metadata().unwrap().len())
            .sum()
    };
    let before = bytes();
    assert_eq!(library.empty_bin(FreedSpace::ToDisk).unwrap(), 39);
    assert!(bytes() < before / 2, "{} of {before}", bytes());
    assert_eq!((names(&library, GameFilter::default()), library.undo().unwrap()), (vec!["p0".into()], None));
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn an_emptied_bin_leaves_nothing_that_undo_could_bring_back() {
    let (_folder, library) = library();
    let ids: Vec<GameId> = (0..3)
        .map(|n| library.save_record(&format!("(;PB[p{n}]C[comment {n}]{})", moves(40, n)), NOW).unwrap().id)
        .collect();
    // Nothing in the bin: what was done before can still be taken back.
    library.rename(&ids[2], "kept", NOW + 1).unwrap();
    assert_eq!(library.empty_bin(FreedSpace::ForGames).unwrap(), 0);
    assert_eq!(library.undo().unwrap().map(|step| step.what), Some("rename".into()));
    library.delete(&ids[..2], NOW + 2).unwrap();
    assert_eq!(library.empty_bin(FreedSpace::ForGames).unwrap(), 2);
    assert_eq!(names(&library, GameFilter { deleted: true, ..GameFilter::default() }), Vec::<String>::new());
    assert_eq!(names(&library, GameFilter::default()), ["p2"]);
    assert_eq!(names(&library, text("comment")), ["p2"]);
    assert_eq!((library.undo().unwrap(), library.redo().unwrap()), (None, None));
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn games_are_deleted_for_good_only_with_what_was_done_with_them() {
    let (_folder, library) = library();
    let id = library.save_record(&format!("(;PB[p]{})", moves(40, 1)), NOW).unwrap().id;
    library.delete(&[id], NOW + 1).unwrap();
    let other = rusqlite::Connection::open(library.path()).unwrap();
    let stays = "CREATE TRIGGER stays BEFORE DELETE ON history BEGIN SELECT RAISE(ABORT, 'it stays'); END";
    other.execute_batch(stays).unwrap();
    for space in [FreedSpace::ForGames, FreedSpace::ToDisk] {
        library.empty_bin(space).unwrap_err();
        assert_eq!(names(&library, GameFilter { deleted: true, ..GameFilter::default() }), ["p"], "{space:?}");
    }
    other.execute_batch("DROP TRIGGER stays").unwrap();
    assert_eq!(library.undo().unwrap().map(|step| step.what), Some("delete".into()));
    assert_eq!(names(&library, GameFilter::default()), ["p"]);
}

#[test]
fn no_game_gets_the_number_of_one_that_is_gone_for_good() {
    let (folder, library) = library();
    let save = |seed: usize| library.save_record(&format!("(;PB[p{seed}]{})", moves(40, seed)), NOW).unwrap().id;
    let gone = [save(0), save(1)];
    let open = read_sgf(library.game(&gone[1]).unwrap().sgf.as_bytes()).games.remove(0).tree;
    library.delete(&gone, NOW + 1).unwrap();
    assert_eq!(library.empty_bin(FreedSpace::ToDisk).unwrap(), 2);
    let new = save(2);
    assert!(!gone.contains(&new), "{new} names a game that was deleted");
    // A window that still shows the one that is gone writes over no other.
    assert!(matches!(library.update_record(&gone[1], &open, NOW + 2), Err(LibraryError::UnknownGame { .. })));
    assert_eq!(names(&library, GameFilter::default()), ["p2"]);
    // An import does not count those that are gone among its games.
    library.delete(std::slice::from_ref(&new), NOW + 3).unwrap();
    library.empty_bin(FreedSpace::ToDisk).unwrap();
    let file = folder.path().join("two.sgf");
    std::fs::write(&file, format!("(;PB[p3]{})(;PB[p4]{})", moves(40, 3), moves(40, 4))).unwrap();
    library.import(&[file], &Default::default(), NOW + 4, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(names(&library, GameFilter::default()), ["p3", "p4"]);
    assert_eq!(library.undo().unwrap().unwrap().games, 2);
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}

#[test]
fn renaming_keeps_the_record_and_refuses_what_cannot_be_shown() {
    let (_folder, library) = library();
    let id = library.save_record("(;PB[x];B[aa])", NOW).unwrap().id;
    library.rename(&id, "  第一局 ", NOW + 5).unwrap();
    let game = library.game(&id).unwrap();
    assert_eq!((game.summary.title.as_deref(), game.summary.changed), (Some("第一局"), NOW + 5));
    assert_eq!(game.sgf, "(;PB[x];B[aa])");
    assert!(matches!(library.rename(&id, &"x".repeat(201), NOW), Err(LibraryError::BadName { .. })));
    assert!(matches!(library.rename(&id, "a\u{7}b", NOW), Err(LibraryError::BadName { .. })));
    library.rename(&id, "", NOW).unwrap();
    assert_eq!(library.summary(&id).unwrap().title, None);
    for wrong in ["", "abc", "-1", "0", "99999999999999999999", "1; DROP TABLE games"] {
        assert!(matches!(library.game(&GameId::new(wrong)), Err(LibraryError::UnknownGame { .. })), "{wrong}");
    }
}

#[test]
fn an_edited_game_takes_the_place_of_what_it_was() {
    let (_folder, library) = library();
    let id = library.save_record("(;PB[x]C[first];B[aa])", NOW).unwrap().id;
    let mut tree = read_sgf(library.game(&id).unwrap().sgf.as_bytes()).games.remove(0).tree;
    let root = tree.root();
    tree.set_text(root, "PW", "丁浩");
    tree.set_comment(root, "second");
    library.update_record(&id, &tree, NOW + 9).unwrap();
    let game = library.game(&id).unwrap();
    assert_eq!(game.sgf, "(;PB[x]C[second]PW[丁浩];B[aa])");
    assert_eq!((game.summary.white.as_str(), game.summary.changed, game.n_copies), ("丁浩", NOW + 9, 0));
    assert_eq!((names(&library, text("first")).len(), names(&library, text("second")).len()), (0, 1));
}

#[test]
fn what_holds_no_game_is_not_saved() {
    let (_folder, library) = library();
    for text in ["", "hello", "{}", "((("] {
        let error = library.save_record(text, NOW).unwrap_err();
        assert_eq!(error.to_string(), "nothing to save: no game record found; nothing was read", "{text}");
    }
    assert_eq!(library.stats().unwrap().games, 0);
    let two = library.save_record("(;PB[one];B[aa])(;PB[two];B[bb])", NOW).unwrap();
    assert_eq!((library.summary(&two.id).unwrap().black.as_str(), library.stats().unwrap().games), ("one", 2));
}

#[test]
fn odd_boards_and_odd_records_come_back_as_they_were() {
    let (_folder, library) = library();
    for sgf in [
        "(;SZ[2];B[aa];W[bb])",
        "(;SZ[37:2];B[Ka];W[Kb])",
        "(;SZ[9]RU[daoqi];B[aa];W[ia])",
        "(;SZ[9]AB[aa:cc]AW[ii]PL[W];W[ee];B[];W[tt])",
        "(;SZ[9];B[aa];W[aa];B[zz];B[bb];B[cc])",
        "(;SZ[9]C[mark \u{1} of our own];B[aa])",
        "(;SZ[9];B[aa];AB[ff];W[bb])",
        "(;C[\u{0}])",
    ] {
        let id = library.save_record(sgf, NOW).unwrap().id;
        assert_eq!(library.game(&id).unwrap().sgf, sgf);
    }
    for sgf in ["(;)", "(;SZ[99]GM[2];B[aa])"] {
        assert!(matches!(library.save_record(sgf, NOW), Err(LibraryError::NotARecord { .. })), "{sgf}");
    }
    assert_eq!(library.check().unwrap().problems, Vec::<String>::new());
}
