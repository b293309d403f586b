//! Lists, their order and their totals against a slow, obviously right list of the same games.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use std::collections::BTreeSet;

use honinbo_library::{FreedSpace, GameFilter, GameId, GameQuery, GameSummary, Library, SortBy};
use honinbo_record::{GameInfo, Rank, read_sgf};
use honinbo_rules::Random;

const NOW: i64 = 1_790_000_000_000;

fn one_of<'t>(random: &mut Random, texts: &[&'t str]) -> &'t str {
    texts[random.below(texts.len())]
}

const NAMES: &[&str] =
    &["柯洁", "Ke Jie", "가제", "Gu Li", "古力", "Émile", "émile b", "100%", "a_b", "O'Neil \"x\"", ""];
const EVENTS: &[&str] = &["", "LG Cup", "lg cup, semi", "名人战", "50% off", "Straße"];
const PLACES: &[&str] = &["", "Seoul", "東京", "Gu Li's room"];
const NOTES: &[&str] = &[
    "",
    "good",
    "白中盘胜",
    "Ke Jie shows the way",
    "a remark that is much too long to be kept in memory beside the others, about 天元 and the ÉTOILE",
    "another of more than sixty-four bytes in which nobody is named, but the 中 of the board is, at last 🙂",
];
const RESULTS: &[&str] = &["B+R", "W+R", "B+3.5", "W+0.5", "W+20", "B+T", "W+F", "B+", "0", "Void", "?", ""];
const DATES: &[&str] = &["2003-09-25", "2003-09-01", "2003-09", "2003", "1846-09-11", "2010-01-02", "2024-12-31", ""];
const RANKS: &[&str] = &["", "9p", "1p", "9d", "1d", "5k", "30k"];
/// Words that are asked for, parts of what stands above among them.
const WORDS: &[&str] = &[
    "ke",
    "KE JIE",
    "柯",
    "洁",
    "gu li",
    "古",
    "émile",
    "ÉMILE",
    "é",
    "%",
    "_",
    "0%",
    "'",
    "lg",
    "cup",
    "名",
    "名人战",
    "straße",
    "seoul",
    "京",
    "good",
    "中",
    "胜",
    "白中盘",
    "the",
    "é",
    "étoile",
    "天元",
    "🙂",
    "title",
    "t",
    "nothing at all",
    "a",
    "li's",
    "\"gu li\"",
    "room good",
    "\\",
    "remark",
    "sixty-four bytes",
    "2003",
    "2003-09",
    "1846-09-11",
    "2003-13",
    "200",
    "kejie",
    "kj",
    "gul",
    "gl",
];

fn game(random: &mut Random) -> String {
    let side = [19, 19, 13, 9][random.below(4)];
    let letter = |n: usize| char::from(b'a' + u8::try_from(n).unwrap());
    let moves: String = (0..12 + random.below(60))
        .map(|n| {
            let color = if n % 2 == 0 { 'B' } else { 'W' };
            format!(";{color}[{}{}]", letter(random.below(side)), letter(random.below(side)))
        })
        .collect();
    let escaped = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let mut property = |name: &str, values: &[&str]| {
        let value = escaped(one_of(random, values));
        if value.is_empty() { String::new() } else { format!("{name}[{value}]") }
    };
    let header = [
        property("PB", NAMES),
        property("PW", NAMES),
        property("BR", RANKS),
        property("WR", RANKS),
        property("EV", EVENTS),
        property("PC", PLACES),
        property("GN", NOTES),
        property("DT", DATES),
        property("RE", RESULTS),
        property("RU", &["", "Japanese", "Chinese", "House rules"]),
        property("KM", &["", "6.5", "7.5", "0", "-5.5"]),
        property("HA", &["", "", "2", "5"]),
        property("C", NOTES),
    ];
    format!("(;GM[1]SZ[{side}]{}{moves})", header.concat())
}

/// A game as the slow list sees it.
struct Known {
    row: i64,
    summary: GameSummary,
    notes: String,
    folder: String,
    tags: Vec<String>,
}

fn known(library: &Library) -> Vec<Known> {
    let ids: Vec<GameId> = (1..=400).map(|row: u32| GameId::new(row.to_string())).collect();
    let games = ids.iter().enumerate().filter_map(|(n, id)| {
        let stored = library.game(id).ok()?;
        let tree = read_sgf(stored.sgf.as_bytes()).games.remove(0).tree;
        let info = GameInfo::of(&tree);
        Some(Known {
            row: n as i64 + 1,
            summary: stored.summary,
            notes: tree
                .properties(tree.root())
                .filter(|p| p.raw_ident() == "C")
                .flat_map(|p| p.texts())
                .fold(info.name, |notes, text| notes + "\n" + &text),
            folder: library.folder_of(id).unwrap(),
            tags: library.tags_of(id).unwrap(),
        })
    });
    games.collect()
}

fn folded(text: &str) -> String {
    let plain =
        text.to_lowercase().replace(['-', '_', '\''], "").replace(',', " ").replace('é', "e").replace('ß', "ss");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn contains(text: &str, part: &str) -> bool {
    folded(text).contains(&folded(part))
}

/// Whether a part is a way to type a name in Chinese characters.
fn spells(name: &str, part: &str) -> bool {
    let ways: &[&str] = match name {
        "柯洁" => &["ke", "jie", "ke jie", "kejie", "kj"],
        "古力" => &["gu", "li", "gu li", "guli", "gul", "gl"],
        _ => &[],
    };
    ways.contains(&folded(part).as_str())
}

/// Whether one of a person's names, all those of the group that holds the name, has all parts.
fn person_is_like(name: &str, parts: &[&str], joined: &[BTreeSet<&str>]) -> bool {
    let has_all = |name: &str| parts.iter().all(|part| contains(name, part) || spells(name, part));
    let group = joined.iter().find(|group| group.contains(name));
    has_all(name) || group.is_some_and(|group| group.iter().any(|other| has_all(other)))
}

fn day(date: &str, missing: [u32; 2]) -> u32 {
    let mut parts = date.split('-').map(|part| part.parse::<u32>().unwrap());
    let year = parts.next().unwrap();
    let month = parts.next().unwrap_or(missing[0]);
    year * 10_000 + month * 100 + parts.next().unwrap_or(missing[1])
}

fn kind_of(result: &str) -> (usize, usize, Option<f64>) {
    let winner = match result.get(..2) {
        Some("B+") => 1,
        Some("W+") => 2,
        _ => 0,
    };
    let rest = result.get(2..).unwrap_or_default();
    let margin: Option<f64> = if winner > 0 { rest.parse().ok() } else { None };
    let kind = match (result, rest) {
        ("0", _) => 6,
        ("Void", _) => 7,
        _ if winner == 0 => 0,
        (_, "R") => 2,
        (_, "T") => 3,
        (_, "F") => 4,
        (_, "") => 5,
        _ => 1,
    };
    (kind, winner, margin)
}

fn matches(game: &Known, filter: &GameFilter, joined: &[BTreeSet<&str>]) -> bool {
    let summary = &game.summary;
    let (black, white) = (summary.black.as_str(), summary.white.as_str());
    let (kind, winner, margin) = kind_of(&summary.result);
    let mut words: Vec<&str> = Vec::new();
    for (n, part) in filter.text.split('"').enumerate() {
        if n % 2 == 1 { words.push(part.trim()) } else { words.extend(part.split_whitespace()) }
    }
    let is_date = |word: &str| ["2003", "2003-09", "1846-09-11"].contains(&word);
    let has_word = |word: &str| {
        person_is_like(black, &[word], joined)
            || person_is_like(white, &[word], joined)
            || [&summary.event, &summary.place, &game.notes].into_iter().any(|text| contains(text, word))
            || summary.title.as_ref().is_some_and(|title| contains(title, word))
            || (is_date(word) && summary.date.starts_with(word))
    };
    let is_like = |name: &str, asked: &Option<String>| {
        let parts: Vec<&str> = asked.iter().flat_map(|asked| asked.split_whitespace()).collect();
        person_is_like(name, &parts, joined)
    };
    let strength = |rank: &str| Rank::parse(rank).map_or(0, Rank::strength);
    let date = if summary.date.is_empty() { 0 } else { day(&summary.date, [0, 0]) };
    summary.deleted.is_some() == filter.deleted
        && words.into_iter().all(has_word)
        && is_like(black, &filter.black)
        && is_like(white, &filter.white)
        && ((is_like(black, &filter.player) && is_like(white, &filter.opponent))
            || (is_like(white, &filter.player) && is_like(black, &filter.opponent)))
        && filter.min_rank.as_ref().is_none_or(|rank| {
            let least = strength(rank);
            strength(&summary.black_rank) >= least && strength(&summary.white_rank) >= least
        })
        && filter.date_from.as_ref().is_none_or(|from| date >= day(from, [0, 0]))
        && filter.date_to.as_ref().is_none_or(|to| date > 0 && date <= day(to, [12, 31]))
        && filter.winner.as_ref().is_none_or(|color| winner == if color == "black" { 1 } else { 2 })
        && filter.result.as_ref().is_none_or(|name| {
            ["unknown", "score", "resignation", "time", "forfeit", "win", "draw", "void"][kind] == name
        })
        && filter.min_margin.is_none_or(|least| margin.is_some_and(|margin| margin >= least))
        && filter.max_margin.is_none_or(|most| margin.is_some_and(|margin| margin <= most))
        && filter.width.is_none_or(|width| summary.width == width)
        && filter.height.is_none_or(|height| summary.height == height)
        && filter.event.as_ref().is_none_or(|part| contains(&summary.event, part))
        && filter.place.as_ref().is_none_or(|part| contains(&summary.place, part))
        && filter.rules.as_ref().is_none_or(|rules| summary.rules == *rules)
        && filter.komi.is_none_or(|komi| summary.komi == Some(komi))
        && filter.min_handicap.is_none_or(|least| summary.handicap >= least)
        && filter.max_handicap.is_none_or(|most| summary.handicap <= most)
        && filter.min_moves.is_none_or(|least| summary.moves >= least)
        && filter.max_moves.is_none_or(|most| summary.moves <= most)
        && filter.source.as_ref().is_none_or(|part| !summary.source.is_empty() && contains(&summary.source, part))
        && filter
            .folder
            .as_ref()
            .is_none_or(|folder| game.folder == *folder || game.folder.starts_with(&format!("{folder}/")))
        && filter.tag.as_ref().is_none_or(|tag| game.tags.contains(tag))
}

fn slow_list(games: &[Known], query: &GameQuery, joined: &[BTreeSet<&str>]) -> (Vec<i64>, u32) {
    let mut found: Vec<&Known> = games.iter().filter(|game| matches(game, &query.filter, joined)).collect();
    let key = |game: &Known| {
        let number = match query.sort {
            SortBy::Changed => game.summary.changed,
            SortBy::Date if game.summary.date.is_empty() => 0,
            SortBy::Date => day(&game.summary.date, [0, 0]).into(),
            SortBy::Moves => game.summary.moves.into(),
            SortBy::Result => {
                let (kind, winner, margin) = kind_of(&game.summary.result);
                (kind * 10 + winner) as i64 * 1_000_000 + margin.map_or(-1, |margin| (margin * 100.0) as i64)
            }
            SortBy::Komi => game.summary.komi.map_or(i64::MIN, |komi| (komi * 2.0) as i64),
            SortBy::Size => (i64::from(game.summary.width * game.summary.height) << 8) + i64::from(game.summary.width),
            SortBy::Rank => {
                let rank = |text: &str| Rank::parse(text).map_or(0, |rank| i64::from(rank.strength()));
                let (black, white) = (rank(&game.summary.black_rank), rank(&game.summary.white_rank));
                black.min(white) * 1_000 + black.max(white)
            }
            SortBy::Added | SortBy::Black | SortBy::White | SortBy::Event => 0,
        };
        let name = match query.sort {
            SortBy::Black => game.summary.black.clone(),
            SortBy::White => game.summary.white.clone(),
            SortBy::Event => folded(&game.summary.event),
            _ => String::new(),
        };
        (number, name, game.row)
    };
    found.sort_by_key(|game| key(game));
    if query.descending {
        found.reverse();
    }
    let rows = found.iter().map(|game| game.row).skip(query.offset as usize).take(query.limit as usize);
    (rows.collect(), found.len() as u32)
}

fn random_query(random: &mut Random) -> GameQuery {
    let mut filter = GameFilter { deleted: random.below(10) == 0, ..GameFilter::default() };
    let mut texts = |percent: usize, values: &[&str]| -> Option<String> {
        (random.below(100) < percent).then(|| one_of(random, values).to_owned()).filter(|text| !text.trim().is_empty())
    };
    filter.text = [texts(40, WORDS), texts(10, WORDS)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    filter.player = texts(10, &["ke", "柯", "gu", "guli", "é", "100%", "_", "nobody"]);
    filter.opponent = texts(6, &["e", "力", "li", "가"]);
    filter.black = texts(6, &["ke jie", "Jie  Ke", "L", "古力"]);
    filter.white = texts(6, &["ÉMILE", "o'neil \"", "b"]);
    filter.min_rank = texts(5, &["5k", "1d", "1p"]);
    filter.date_from = texts(10, &["2003", "2003-09", "2003-09-02", "1900"]);
    filter.date_to = texts(10, &["2003", "2003-09", "2010-01-01", "2024-12-31"]);
    filter.winner = texts(8, &["black", "white"]);
    filter.result = texts(8, &["unknown", "score", "resignation", "time", "forfeit", "win", "draw", "void"]);
    filter.rules = texts(5, &["japanese", "chinese", "House rules", "other"]);
    filter.event = texts(5, &["lg", "CUP semi", "名人", "strasse"]);
    filter.place = texts(5, &["seoul", "京", "gu lis"]);
    filter.source = texts(5, &["ONE", ".sgf", "two.sgf", "three"]);
    filter.folder = texts(8, &["openings", "openings/sanrensei", "open"]);
    filter.tag = texts(8, &["study", "nothing"]);
    let mut number = |percent: usize, least: usize, most: usize| {
        (random.below(100) < percent).then(|| (least + random.below(most - least)) as u32)
    };
    filter.width = number(6, 9, 20);
    filter.height = number(3, 9, 20);
    filter.min_handicap = number(4, 0, 5);
    filter.max_handicap = number(4, 0, 5);
    filter.min_moves = number(8, 10, 60);
    filter.max_moves = number(8, 10, 60);
    filter.min_margin = number(6, 0, 8).map(|halves| f64::from(halves) / 2.0);
    filter.max_margin = number(6, 0, 50).map(|halves| f64::from(halves) / 2.0);
    filter.komi = number(4, 0, 20).map(|halves| f64::from(halves) / 2.0 - 6.0);
    const SORTS: [SortBy; 11] = [
        SortBy::Added,
        SortBy::Changed,
        SortBy::Date,
        SortBy::Black,
        SortBy::White,
        SortBy::Moves,
        SortBy::Result,
        SortBy::Event,
        SortBy::Komi,
        SortBy::Size,
        SortBy::Rank,
    ];
    GameQuery {
        filter,
        sort: SORTS[random.below(SORTS.len())],
        descending: random.below(2) == 0,
        offset: if random.below(3) == 0 { random.below(30) as u32 } else { 0 },
        limit: [5, 50, 1000][random.below(3)],
    }
}

/// Compares lists of this library and of one that has just been opened on the same file with the slow list.
fn compare(library: &Library, random: &mut Random, joined: &[BTreeSet<&str>], what: &str) {
    let games = known(library);
    let fresh = Library::open(library.path()).unwrap();
    for n in 0..150 {
        let query = if n == 0 { GameQuery { limit: 1000, ..GameQuery::default() } } else { random_query(random) };
        let (rows, total) = slow_list(&games, &query, joined);
        for library in [library, &fresh] {
            let page = library.list(&query).unwrap();
            let found: Vec<i64> = page.games.iter().map(|game| game.id.as_str().parse().unwrap()).collect();
            assert_eq!((found, page.total), (rows.clone(), total), "{what}: {query:?}");
            let everything = GameQuery { limit: 1000, filter: query.filter.clone(), ..GameQuery::default() };
            let all: Vec<i64> =
                library.ids(&query.filter).unwrap().iter().map(|id| id.as_str().parse().unwrap()).collect();
            assert_eq!(all, slow_list(&games, &everything, joined).0, "{what}: {query:?}");
        }
    }
}

#[test]
fn lists_are_those_of_the_slow_list_also_after_every_kind_of_change() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let mut random = Random::new(0x5EED);
    compare(&library, &mut random, &[], "an empty library");
    let write = |name: &str, random: &mut Random, n: usize| {
        let path = folder.path().join(name);
        std::fs::write(&path, (0..n).map(|_| game(random)).collect::<String>()).unwrap();
        path
    };
    for (name, n) in [("one.sgf", 60), ("two.sgf", 50)] {
        let file = write(name, &mut random, n);
        let report =
            library.import(&[file], &Default::default(), NOW, &mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        assert_eq!(report.added, n as u32);
        compare(&library, &mut random, &[], name);
    }
    library.save_record(&game(&mut random), NOW + 1).unwrap();
    let id = |row: usize| GameId::new(row.to_string());
    library.delete(&(20..30).map(id).collect::<Vec<_>>(), NOW + 2).unwrap();
    library.rename(&id(3), "A Title of its own", NOW + 3).unwrap();
    library.set_folder(&(1..15).map(id).collect::<Vec<_>>(), "openings/sanrensei").unwrap();
    library.set_folder(&(15..40).map(id).collect::<Vec<_>>(), "openings").unwrap();
    library.add_tag(&(10..35).map(id).collect::<Vec<_>>(), "study").unwrap();
    compare(&library, &mut random, &[], "binned, named, sorted into folders");
    library.join_players(&["柯洁", "Ke Jie", "가제"]).unwrap();
    library.join_players(&["Gu Li", "古力"]).unwrap();
    let joined = [BTreeSet::from(["柯洁", "Ke Jie", "가제"]), BTreeSet::from(["Gu Li", "古力"])];
    compare(&library, &mut random, &joined, "names joined");
    library.part_player("古力").unwrap();
    for row in [1, 40, 41, 110] {
        let edited = read_sgf(game(&mut random).as_bytes()).games.remove(0).tree;
        library.update_record(&id(row), &edited, NOW + 4).unwrap();
    }
    library.restore(&[id(22), id(23)]).unwrap();
    compare(&library, &mut random, &joined[..1], "games edited, names parted");
    library.undo().unwrap();
    library.undo().unwrap();
    // The last game goes for good, and another comes.
    library.delete(&[id(111)], NOW + 5).unwrap();
    assert!(library.empty_bin(FreedSpace::ForGames).unwrap() > 5);
    compare(&library, &mut random, &joined[..1], "games deleted for good");
    library.save_record(&game(&mut random), NOW + 7).unwrap();
    compare(&library, &mut random, &joined[..1], "another game after the last one");
    // Another program's changes are seen too, and more of them than are remembered one by one.
    let other = Library::open(library.path()).unwrap();
    for round in 0..120 {
        other.delete(&(40..90).map(id).collect::<Vec<_>>(), NOW + 8 + round).unwrap();
        other.restore(&(40..90).map(id).collect::<Vec<_>>()).unwrap();
    }
    other.save_record(&game(&mut random), NOW + 200).unwrap();
    other.delete(&[id(50)], NOW + 201).unwrap();
    compare(&library, &mut random, &joined[..1], "changes by another program");
}
