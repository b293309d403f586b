//! Texts that were read in a wrong character set come back as they were written.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_8859_2, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
use honinbo_record::{Charset, GameTree, NodeId, ReadLimits, TextReading, escape, read_sgf, read_sgf_with};
use proptest::prelude::*;
use proptest::sample::select;

const SETS: [&Encoding; 9] = [GB18030, BIG5, SHIFT_JIS, EUC_JP, EUC_KR, UTF_8, WINDOWS_1252, WINDOWS_1251, ISO_8859_2];

fn charset(encoding: &'static Encoding) -> Charset {
    Charset::for_label(encoding.name()).expect("it is one of ours")
}

fn reading(taken: &'static Encoding, meant: &'static Encoding) -> TextReading {
    TextReading { taken: charset(taken), meant: charset(meant) }
}

/// The game of a file that is read in a character set which it may not be in.
fn read_in(bytes: &[u8], taken: &'static Encoding) -> GameTree {
    let limits = ReadLimits { charset: Some(charset(taken)), ..ReadLimits::default() };
    read_sgf_with(bytes, limits).games.remove(0).tree
}

fn text(tree: &GameTree, node: NodeId, ident: &str) -> String {
    tree.text_value(node, ident).unwrap_or_default().into_owned()
}

/// What other programs make of a text.
fn garbled(text: &str, taken: &'static Encoding, meant: &'static Encoding) -> String {
    let (bytes, _, lost) = meant.encode(text);
    assert!(!lost, "{text}");
    taken.decode_without_bom_handling_and_without_replacement(&bytes).expect("no byte is wrong").into_owned()
}

/// Characters of a set, those among them whose last byte is that of a backslash or a bracket, each with a letter behind.
fn pieces(encoding: &'static Encoding, ends: &'static [u8]) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for lead in 0x81..=0xFE {
        for &end in ends {
            let bytes = [lead, end];
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
            let Some(text) = decoded.filter(|text| text.chars().count() == 1) else { continue };
            if *encoding.encode(&text).0 == bytes {
                pieces.push(format!("{text}x"));
            }
        }
    }
    pieces.extend("ÄüŠćЖя".chars().map(|c| format!("{c}x")).filter(|text| !encoding.encode(text).2));
    pieces
}

fn text_in(encoding: &'static Encoding, ends: &'static [u8]) -> impl Strategy<Value = String> {
    prop::collection::vec(select(pieces(encoding, ends)), 1..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_file_that_was_read_in_any_set_is_read_again(
        (meant, text) in select(&SETS[..]).prop_flat_map(|set| (Just(set), text_in(set, b"\x41\x5b\x5c\x84\xa4\xc8\xf0"))),
        taken in select(&SETS[..]),
    ) {
        let sgf = format!("(;GM[1]PB[{text}];B[aa]C[{text}](;W[bb]LB[cc:{text}])(;W[dd]))");
        let bytes = meant.encode(&sgf).0;
        let tree = read_in(&bytes, taken);
        // A few characters have two codes: then no program has the bytes any more.
        prop_assume!(taken != meant && tree.to_bytes() == *bytes);
        let again = tree.read_again(reading(taken, meant));
        prop_assert_eq!(again.map(|tree| tree.to_sgf().replace("CA[UTF-8]", "")), Some(sgf));
    }

    #[test]
    fn a_text_that_another_program_garbled_is_read_again(
        (meant, text) in select(&SETS[..]).prop_flat_map(|set| (Just(set), text_in(set, b"\x41\x5b\x5c\x5d\x84\xa4\xc8\xf0"))),
        taken in select(&SETS[..]),
    ) {
        let bytes = meant.encode(&text).0;
        let wrong = taken.decode_without_bom_handling_and_without_replacement(&bytes);
        prop_assume!(taken != meant && wrong.as_ref().is_some_and(|wrong| *taken.encode(wrong).0 == *bytes));
        let sgf = format!("(;CA[UTF-8]PB[{}];B[aa])", escape(&wrong.unwrap()));
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let again = tree.read_again(reading(taken, meant)).unwrap();
        prop_assert_eq!(again.text_value(again.root(), "PB").unwrap(), text);
    }
}

#[test]
fn second_bytes_that_are_backslashes_and_brackets_are_parts_of_characters() {
    // The first of each two ends in the byte of a backslash, the second in that of a bracket.
    for (meant, names) in [(SHIFT_JIS, "表x従x"), (BIG5, "功x因x"), (GB18030, "乗x乚x")] {
        let wrong = garbled(names, WINDOWS_1252, meant);
        assert!(wrong.contains('\\') || wrong.contains(']'), "{names}: {wrong}");
        let sgf = format!("(;CA[UTF-8]PB[{}]C[a \\] {}])", escape(&wrong), escape(&wrong));
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let again = tree.read_again(reading(WINDOWS_1252, meant)).unwrap();
        let root = again.root();
        assert_eq!([text(&again, root, "PB"), text(&again, root, "C")], [names.to_owned(), format!("a ] {names}")]);
    }
    // As a program has it that keeps values as they stand in the file.
    let tree = read_in(&SHIFT_JIS.encode("(;PB[表x]PW[a\\]b 表x];B[aa])").0, WINDOWS_1252);
    let again = tree.read_again(reading(WINDOWS_1252, SHIFT_JIS)).unwrap();
    assert_eq!(again.to_sgf(), "(;PB[表x]PW[a\\]b 表x]CA[UTF-8];B[aa])");
}

#[test]
fn every_text_is_read_again_and_nothing_else_changes() {
    let sgf = "(;GM[1]SZ[9]PB[飞龙]EV[中国围棋]XX[未知][名人] C[a\\\n围];B[aa]N[黑]\n(;W[bb]LB[cc:一][dd:2]C[好]C[两])(;W[ee]))";
    let tree = read_in(&GB18030.encode(sgf).0, EUC_KR);
    let again = tree.read_again(reading(EUC_KR, GB18030)).unwrap();
    assert_eq!(again.to_sgf().replacen("CA[UTF-8]", "", 1), sgf);
    assert_eq!(again.charset(), Charset::UTF_8);
    assert!(tree.subtree(tree.root()).eq(again.subtree(again.root())));
}

#[test]
fn the_likely_reading_is_offered_first_and_only_what_loses_nothing() {
    for (written, taken, meant) in [
        ("飞龙出海", EUC_KR, GB18030),
        ("飞龙出海", WINDOWS_1252, GB18030),
        ("周俊勳九段", WINDOWS_1252, BIG5),
        ("本因坊秀策の碁", WINDOWS_1252, SHIFT_JIS),
        ("바둑왕전 결승 대국", GB18030, EUC_KR),
        ("바둑왕전 결승 대국", WINDOWS_1252, EUC_KR),
        ("井山裕太", WINDOWS_1252, UTF_8),
        ("Jörg Müller", GB18030, WINDOWS_1252),
        ("Иванов и Петров", WINDOWS_1252, WINDOWS_1251),
    ] {
        let wrong = garbled(written, taken, meant);
        let tree = read_sgf(format!("(;CA[UTF-8]PB[{}])", escape(&wrong)).as_bytes()).games.remove(0).tree;
        let offered = tree.text_readings();
        assert!(offered.len() <= 10);
        assert_eq!(offered[0], reading(UTF_8, UTF_8));
        let first = tree.read_again(offered[1]).unwrap();
        assert_eq!(text(&first, first.root(), "PB"), written, "{wrong}: {offered:?}");
        let mut outcomes: Vec<String> =
            offered.iter().map(|one| tree.read_again(*one)).map(|tree| tree.unwrap().to_sgf()).collect();
        outcomes.sort();
        outcomes.dedup();
        assert_eq!(outcomes.len(), offered.len(), "{wrong}");
    }
    let plain = read_sgf(b"(;PB[plain];B[aa])").games.remove(0).tree;
    assert_eq!(plain.text_readings().len(), 1);
    // What was lost stays lost.
    let lost = read_sgf("(;CA[UTF-8]PB[\u{fffd}\u{fffd}½à])".as_bytes()).games.remove(0).tree;
    assert_eq!(lost.text_readings().len(), 1);
}
