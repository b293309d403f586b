//! Files as nobody should write them: each gives what can be saved of it, and a sentence about the rest.

use std::time::{Duration, Instant};

use honinbo_record::{Collection, NodeId, ReadLimits, read_sgf, read_sgf_with, replay};
use proptest::prelude::*;

fn says(collection: &Collection) -> Vec<String> {
    collection.all_diagnostics().map(ToString::to_string).collect()
}

fn moves(collection: &Collection) -> usize {
    let tree = &collection.games[0].tree;
    tree.line_from(NodeId::ROOT).filter(|&node| tree.property(node, "B").or(tree.property(node, "W")).is_some()).count()
}

#[test]
fn a_file_cut_in_the_middle_keeps_its_moves() {
    let collection = read_sgf(b"(;GM[1]SZ[19];B[pd];W[dp](;B[dd];W[p");
    assert_eq!(moves(&collection), 4);
    assert_eq!(
        says(&collection),
        [
            "line 1, column 36: the value of W has no closing bracket; it was closed where the next part begins",
            "line 1, column 37: the file ends inside a game, 2 brackets are open; they were closed at the end",
        ]
    );
    assert_eq!(collection.to_bytes(), b"(;GM[1]SZ[19];B[pd];W[dp](;B[dd];W[p]))");
}

#[test]
fn what_is_no_text_holds_no_game() {
    // A picture's beginning and bytes as a compressor leaves them, in which letters and brackets stand now and then.
    let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR(;B[aa]W[bb])".to_vec();
    let mut seed = 1_u32;
    picture.extend(
        std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .take(4000),
    );
    let collection = read_sgf(&picture);
    assert_eq!(
        (collection.games.len(), says(&collection)),
        (0, vec!["no game record found; nothing was read".to_owned()])
    );
    // A record with a run of zeros in it, as a disk leaves it, is one still.
    let mut damaged = b"(;SZ[9];B[aa];W[bb]".to_vec();
    damaged.extend([0; 5000]);
    assert_eq!(moves(&read_sgf(&damaged)), 2);
}

#[test]
fn a_bracket_missing_at_a_move_costs_nothing_else() {
    let collection = read_sgf(b"(;SZ[19]\n;B[pd;W[dp];B[dd])");
    assert_eq!(moves(&collection), 3);
    assert_eq!(
        says(&collection),
        ["line 2, column 4: the value of B has no closing bracket; it was closed where the next part begins"]
    );
}

#[test]
fn unescaped_brackets_stay_in_the_comment() {
    let collection = read_sgf("(;C[AlphaGo [9d]: 黑棋 looks good [really], see (a);B[aa])".as_bytes());
    let tree = &collection.games[0].tree;
    // The comment's own bracket is missing: it ends before what looks like the next move.
    assert_eq!(tree.comment(NodeId::ROOT).unwrap(), "AlphaGo [9d]: 黑棋 looks good [really");
    assert_eq!(tree.subtree(NodeId::ROOT).filter(|&node| tree.property(node, "B").is_some()).count(), 1);

    let collection = read_sgf(b"(;C[Hi [9d]: hello.];B[aa])");
    let tree = &collection.games[0].tree;
    assert_eq!(tree.comment(NodeId::ROOT).unwrap(), "Hi [9d]: hello.");
    assert_eq!(moves(&collection), 1);
    assert_eq!(
        says(&collection),
        ["line 1, column 11: the text of C contains an unescaped closing bracket; it was taken as part of the text"]
    );
    assert_eq!(collection.to_bytes(), br"(;C[Hi [9d\]: hello.];B[aa])");
}

#[test]
fn text_around_and_between_games_is_kept() {
    let file = b"From: a friend (see below)\r\n\r\n(;GM[1];B[aa])\nnext one:\n(;GM[1];W[bb])\n-- bye";
    let collection = read_sgf(file);
    assert_eq!(collection.games.len(), 2);
    assert_eq!(collection.games[1].line, 5);
    assert_eq!(collection.to_bytes(), file);
}

#[test]
fn junk_missing_parts_and_empty_variations_are_named() {
    let collection = read_sgf(b"(GM[1]SZ[9] hello ; B [aa] ; W[bb] () (;B[cc]) ;W[dd] [stray] XX ]])");
    let said: Vec<_> = collection.all_diagnostics().map(|d| d.problem.to_string()).collect();
    assert_eq!(
        said,
        [
            "a node without its semicolon",
            "hello has no value",
            "an empty variation",
            "a node stands after a variation",
            "XX has no value",
            "unexpected text `]]`",
        ]
    );
    assert_eq!(collection.games[0].tree.node_count(), 5);
}

#[test]
fn a_file_without_any_game_says_so() {
    for file in [&b""[..], b"hello", b"((((", b"\0\0\0", b"{\"board\":[]}", b")](;["] {
        let collection = read_sgf(file);
        assert!(collection.games.len() <= 1);
        assert!(says(&collection).iter().any(|s| s.contains("no game record found") || s.contains("ends inside")));
    }
}

#[test]
fn nul_bytes_are_kept_and_reported() {
    let file = b"(;C[a\0b]\0;B[aa])\0";
    let collection = read_sgf(file);
    assert_eq!(says(&collection), ["the file contains NUL bytes; they were kept"]);
    assert_eq!(collection.to_bytes(), file);
}

#[test]
fn ten_thousand_variations_and_sixty_thousand_nodes_are_quick() {
    let mut file = String::from("(;SZ[19]");
    for i in 0..10_000u32 {
        let letter = |n: u32| char::from(b'a' + u8::try_from(n % 19).unwrap());
        let node = format!("[{}{}]", letter(i), letter(i / 19));
        file.push_str(&format!("(;B{node};W[aa];B[bb];W[cc];B[dd];W{node})"));
    }
    file.push(')');
    let start = Instant::now();
    let collection = read_sgf(file.as_bytes());
    let tree = &collection.games[0].tree;
    assert_eq!(tree.node_count(), 60_001);
    assert_eq!(tree.children(NodeId::ROOT).count(), 10_000);
    assert_eq!(tree.subtree(NodeId::ROOT).count(), 60_001);
    assert_eq!(collection.to_bytes(), file.as_bytes());
    // Seconds at most; with time that grows with the square it would be hours.
    assert!(start.elapsed() < Duration::from_secs(300), "took {:?}", start.elapsed());
}

#[test]
fn deep_lines_and_nesting_bombs_need_no_stack() {
    let depth = 200_000;
    let line = format!("(;{})", ";B[aa]".repeat(depth));
    let collection = read_sgf(line.as_bytes());
    let tree = &collection.games[0].tree;
    let last = tree.line_from(NodeId::ROOT).last().unwrap();
    assert_eq!(tree.path(last).len(), depth + 1);
    assert_eq!(collection.to_bytes().len(), line.len());
    drop(replay(tree, last));

    let bomb = "(;B[aa]".repeat(300_000);
    let collection = read_sgf(bomb.as_bytes());
    assert_eq!(collection.games[0].tree.node_count(), 100_000);
    assert_eq!(
        says(&collection)[0],
        "line 1, column 0: variations nest deeper than 100000; the rest of the game was left out"
    );
    assert_eq!(read_sgf(&b"(".repeat(3_000_000)).games.len(), 0);
    assert!(read_sgf(&b"(;".repeat(300_000)).games.len() == 1);
    assert!(read_sgf(&b"(;C[".repeat(300_000)).games.len() == 1);
}

#[test]
fn limits_are_said_in_a_sentence() {
    let limits = ReadLimits { max_bytes: 10, ..ReadLimits::default() };
    assert_eq!(
        says(&read_sgf_with(b"(;GM[1];B[aa])", limits)),
        ["the file has 14 bytes, more than the 10 that are read; nothing was read"]
    );
    let limits = ReadLimits { max_nodes: 3, ..ReadLimits::default() };
    let collection = read_sgf_with(b"(;GM[1];B[aa];W[bb];B[cc](;W[dd])(;W[ee]))(;GM[1])", limits);
    assert_eq!(collection.games.len(), 2);
    assert_eq!(collection.games[0].tree.node_count(), 3);
    assert_eq!(
        says(&collection),
        ["line 1, column 20: the game has more than 3 nodes; the rest of the game was left out"]
    );
}

#[test]
fn a_huge_comment_is_read_in_linear_time() {
    let file = format!("(;C[{}]N[x];B[aa])", "长 comment with ] inside ".repeat(400_000));
    let start = Instant::now();
    let collection = read_sgf(file.as_bytes());
    assert_eq!(moves(&collection), 1);
    // Seconds at most; with time that grows with the square it would be hours.
    assert!(start.elapsed() < Duration::from_secs(300), "took {:?}", start.elapsed());
}

#[test]
fn character_sets_of_the_east_are_read_with_and_without_ca() {
    let cases = [
        ("gb18030", encoding_rs::GBK, "柯洁对李世石，中盘胜。黑棋右上角定式以后，白棋脱先。"),
        ("Big5", encoding_rs::BIG5, "張栩對王立誠，黑棋中押勝。右上角的定石之後，白棋脫先。"),
        ("Shift_JIS", encoding_rs::SHIFT_JIS, "本因坊秀策、井上幻庵因碩。耳赤の一手として知られる碁です。"),
        ("EUC-JP", encoding_rs::EUC_JP, "本因坊秀策、井上幻庵因碩。耳赤の一手として知られる碁です。"),
        ("EUC-KR", encoding_rs::EUC_KR, "이세돌 구단과 알파고의 대국입니다. 백이 불계승하였습니다."),
    ];
    for (label, encoding, text) in cases {
        for ca in [format!("CA[{label}]"), String::new(), "CA[UTF-8]".to_owned(), "CA[klingon]".to_owned()] {
            let sgf = format!("(;GM[1]{ca}PB[{text}]C[{text}];B[aa])");
            let (bytes, _, unmappable) = encoding.encode(&sgf);
            assert!(!unmappable);
            let collection = read_sgf(&bytes);
            let tree = &collection.games[0].tree;
            assert_eq!(tree.text_value(NodeId::ROOT, "PB").unwrap(), text, "{label} with `{ca}`");
            assert_eq!(collection.to_bytes(), &*bytes, "{label} with `{ca}`");
            assert_eq!(
                says(&collection).is_empty(),
                ca.contains(label),
                "{label} with `{ca}`: {:?}",
                says(&collection)
            );
        }
    }
}

#[test]
fn a_broken_byte_does_not_take_a_record_out_of_the_character_set_that_it_names() {
    let cases = [
        ("GB2312", encoding_rs::GBK, "柯洁执黑胜李世石", "gb18030"),
        ("GBK", encoding_rs::GBK, "柯洁执黑胜李世石", "gb18030"),
        ("Big5", encoding_rs::BIG5, "張栩對王立誠", "Big5"),
        ("Shift_JIS", encoding_rs::SHIFT_JIS, "本因坊秀策の一手", "Shift_JIS"),
        ("EUC-JP", encoding_rs::EUC_JP, "本因坊秀策の一手", "EUC-JP"),
    ];
    for (label, encoding, text, name) in cases {
        let (encoded, _, unmappable) = encoding.encode(text);
        assert!(!unmappable);
        let head = format!("(;GM[1]CA[{label}]PB[");
        let file = [head.as_bytes(), &encoded[..], b"\xFF]C[", &encoded[..], b"];B[aa])"].concat();
        let collection = read_sgf(&file);
        let tree = &collection.games[0].tree;
        assert_eq!(tree.text_value(NodeId::ROOT, "PB").unwrap(), format!("{text}\u{fffd}"), "{label}");
        assert_eq!(tree.comment(NodeId::ROOT).unwrap(), text, "{label}");
        assert_eq!(collection.to_bytes(), file, "{label}");
        let said = format!("1 bytes are not valid {name}; they are shown as a question mark");
        assert!(says(&collection)[0].starts_with(&said), "{label}: {:?}", says(&collection));
    }
    // Where the name itself is wrong, the text is still known.
    for (encoding, text) in [
        (encoding_rs::WINDOWS_1251, "Черные выиграли, сдача белых. После хода в углу"),
        (encoding_rs::WINDOWS_1252, "Gebäude für Jürgen Möller, schöne Größe, la région, été à la française"),
    ] {
        let sgf = format!("(;GM[1]CA[GB2312]C[{text}];B[aa])");
        let collection = read_sgf(&encoding.encode(&sgf).0);
        assert_eq!(collection.games[0].tree.comment(NodeId::ROOT).unwrap(), text);
        let wrong = format!("the file says GB2312, but the text is {0}; it was read as {0}", encoding.name());
        assert_eq!(says(&collection), [wrong]);
    }
}

#[test]
fn brackets_and_backslashes_inside_of_japanese_characters_end_and_escape_nothing() {
    // 本 holds the byte of a backslash, ぽ that of a closing bracket.
    let text = "本因坊、さんぽの一手";
    let sgf = format!("(;GM[1]CA[ISO-2022-JP]PB[{text}]C[{text}];B[aa])");
    let (bytes, _, unmappable) = encoding_rs::ISO_2022_JP.encode(&sgf);
    assert!(!unmappable && bytes.is_ascii());
    let collection = read_sgf(&bytes);
    let tree = &collection.games[0].tree;
    assert_eq!(tree.text_value(NodeId::ROOT, "PB").unwrap(), text);
    assert_eq!(tree.comment(NodeId::ROOT).unwrap(), text);
    assert_eq!((moves(&collection), says(&collection)), (1, Vec::new()));
    // Others would see those brackets: it is written in UTF-8.
    let written = sgf.replace("ISO-2022-JP", "UTF-8");
    assert_eq!(String::from_utf8(collection.to_bytes()).unwrap(), written);
    assert_eq!(read_sgf(written.as_bytes()).to_bytes(), written.as_bytes());
    // Back to Roman letters instead of ASCII, where the backslash is a yen sign.
    let roman = read_sgf(b"(;CA[iso-2022-jp]C[\x1b$BK\\\x1b(J a\\]b];B[aa])");
    assert_eq!(roman.games[0].tree.comment(NodeId::ROOT).unwrap(), "本 a]b");
    // A damaged byte costs one character; without any escape the name is wrong.
    let damaged = read_sgf(b"(;CA[ISO-2022-JP]C[\x1b$BK\\\x1b(B\xff];B[aa])");
    assert_eq!(damaged.games[0].tree.comment(NodeId::ROOT).unwrap(), "本\u{fffd}");
    let named_wrongly = read_sgf("(;CA[ISO-2022-JP]C[柯洁];B[aa])".as_bytes());
    assert_eq!(named_wrongly.games[0].tree.comment(NodeId::ROOT).unwrap(), "柯洁");
    assert_eq!(says(&named_wrongly), ["the file says ISO-2022-JP, but the text is UTF-8; it was read as UTF-8"]);
}

#[test]
fn utf_16_with_a_mark_and_utf_8_with_a_mark_come_out_as_they_came_in() {
    let sgf = "(;PB[柯洁];B[aa])";
    let mut little = vec![0xFF, 0xFE];
    little.extend(sgf.encode_utf16().flat_map(u16::to_le_bytes));
    let mut marked = vec![0xEF, 0xBB, 0xBF];
    marked.extend(sgf.as_bytes());
    for file in [little, marked] {
        let collection = read_sgf(&file);
        assert_eq!(collection.games[0].tree.text_value(NodeId::ROOT, "PB").unwrap(), "柯洁");
        assert_eq!(collection.to_bytes(), file);
        assert_eq!(says(&collection), Vec::<String>::new());
    }
}

#[test]
fn names_cut_inside_a_character_are_carried() {
    // Fox cuts names after 15 bytes.
    let file = b"(;CA[UTF-8]PB[\xe5\xb7\xa7\xe8\x8a\xb1\xe5\x8c]PW[\xe6\x9f\xaf\xe6\xb4\x81];B[aa])";
    let collection = read_sgf(file);
    let tree = &collection.games[0].tree;
    assert_eq!(tree.text_value(NodeId::ROOT, "PB").unwrap(), "巧花\u{fffd}\u{fffd}");
    assert_eq!(tree.text_value(NodeId::ROOT, "PW").unwrap(), "柯洁");
    assert_eq!(collection.to_bytes(), file);
    assert_eq!(
        says(&collection),
        ["2 bytes are not valid UTF-8; they are shown as a question mark and kept when the file is written"]
    );
}

#[test]
fn a_backslash_at_the_end_of_an_unclosed_value_is_dropped_and_the_others_stay() {
    for (file, value) in
        [("(;B[tt\\(\\", "tt\\("), ("(;B[tt\\", "tt"), ("(;C[x\\\\", "x\\\\"), ("(;B[tt\\\\\\(;W[aa])", "tt\\\\\\(")]
    {
        let written = read_sgf(file.as_bytes()).to_bytes();
        let text = String::from_utf8(written.clone()).unwrap();
        assert!(text.contains(&format!("[{value}]")), "{file} became {text}");
        assert_eq!(read_sgf(&written).to_bytes(), written, "{file}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Any bytes give an answer; and what was read once is written the same way ever after.
    #[test]
    fn any_bytes_are_read_and_settle(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let first = read_sgf(&bytes);
        let written = first.to_bytes();
        let again = read_sgf(&written);
        prop_assert!(again.games.len() <= first.games.len() + 1);
    }

    /// Text made of the pieces of SGF, where every branch of the reader is met.
    #[test]
    fn pieces_of_sgf_settle_after_one_writing(pieces in proptest::collection::vec(
        prop::sample::select(vec!["(", ")", ";", "[", "]", "B", "W[aa]", "C[x]", "\\", "AB[aa:cc]", "\n", " ", "文", "B[tt", "C[a]b]", "x", "\0"]),
        0..60,
    )) {
        let text = format!("(;{}", pieces.concat());
        let first = read_sgf(text.as_bytes());
        prop_assert!(!first.games.is_empty());
        let written = first.to_bytes();
        let second = read_sgf(&written);
        prop_assert_eq!(second.to_bytes(), written, "from {:?}", text);
        for game in &first.games {
            let last = game.tree.line_from(NodeId::ROOT).last().unwrap();
            drop(replay(&game.tree, last));
        }
    }
}
