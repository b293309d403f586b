//! Editing a record: what is not touched stays as it was, byte for byte.

use honinbo_record::{GameTree, MarkShape, NodeId, read_sgf, read_sgf_text};
use honinbo_rules::{BoardSize, Color, Move, Point};
use proptest::prelude::*;

fn tree(sgf: &str) -> GameTree {
    read_sgf(sgf.as_bytes()).games.remove(0).tree
}

fn place(x: usize, y: usize) -> Move {
    Move::Place(Point::new(x, y))
}

#[test]
fn playing_follows_an_existing_move_or_adds_a_variation() {
    let mut tree = tree("(;SZ[9]\n;B[ee]C[first]\n;W[cc])");
    let size = BoardSize::NINE;
    let root = tree.root();
    let first = tree.play(root, Color::Black, place(4, 4), size);
    assert!(!first.is_new);
    assert_eq!(tree.comment(first.node).as_deref(), Some("first"));
    let other = tree.play(root, Color::Black, place(2, 2), size);
    assert!(other.is_new);
    let pass = tree.play(other.node, Color::White, Move::Pass, size);
    assert!(pass.is_new);
    assert_eq!(tree.to_sgf(), "(;SZ[9](\n;B[ee]C[first]\n;W[cc])(;B[cc];W[]))");
    tree.promote_to_main_line(pass.node);
    assert_eq!(tree.line_from(root).nth(1), Some(other.node));
    assert_eq!(tree.to_sgf(), "(;SZ[9](;B[cc];W[])(\n;B[ee]C[first]\n;W[cc]))");
}

#[test]
fn setting_a_property_keeps_its_place_and_everything_else() {
    let mut tree = tree("(;GM[1] XX[un:known\\]][two]\n PB[a]PB[b] C[old])");
    let root = tree.root();
    tree.set_text(root, "PB", "Shin ]\\ 井山");
    tree.set_comment(root, "");
    tree.set_text(root, "EV", "Meijin");
    assert_eq!(tree.to_sgf(), "(;GM[1] XX[un:known\\]][two]\n PB[Shin \\]\\\\ 井山]EV[Meijin])");
    assert_eq!(tree.text_value(root, "PB").as_deref(), Some("Shin ]\\ 井山"));
}

#[test]
fn a_deleted_subtree_comes_back_where_it_was() {
    let sgf = "(;SZ[9](;B[aa];W[bb])(;B[cc](;W[dd])(;W[ee]))(;B[ff]))";
    let mut tree = tree(sgf);
    let second = tree.children(tree.root()).nth(1).unwrap();
    let inner = tree.children(second).next().unwrap();
    let cut = tree.detach(second).unwrap();
    assert_eq!((tree.node_count(), tree.is_attached(inner), tree.node(inner.index())), (4, false, None));
    assert_eq!(tree.to_sgf(), "(;SZ[9](;B[aa];W[bb])(;B[ff]))");
    assert_eq!(tree.detach(second), None);
    tree.reattach(cut);
    assert_eq!(tree.to_sgf(), sgf);
    assert_eq!(tree.detach(tree.root()), None);
}

#[test]
fn variations_move_up_and_down() {
    let mut tree = tree("(;SZ[9](;B[aa])(;B[bb])(;B[cc]))");
    let last = tree.children(tree.root()).nth(2).unwrap();
    assert!(!tree.move_down(last));
    assert!(tree.move_up(last));
    assert_eq!(tree.to_sgf(), "(;SZ[9](;B[aa])(;B[cc])(;B[bb]))");
    assert!(tree.move_up(last));
    assert!(!tree.move_up(last));
    assert!(tree.move_down(last));
    assert_eq!(tree.to_sgf(), "(;SZ[9](;B[aa])(;B[cc])(;B[bb]))");
}

#[test]
fn an_edit_that_the_character_set_lacks_makes_the_file_utf_8() {
    let (bytes, _, _) = encoding_rs::EUC_KR.encode("(;CA[EUC-KR]PB[이세돌];B[aa])");
    let mut tree = read_sgf(&bytes).games.remove(0).tree;
    assert_eq!(tree.to_bytes(), &*bytes);
    tree.set_text(NodeId::ROOT, "PW", "Ding 丁\u{1f600}");
    let written = String::from_utf8(tree.to_bytes()).unwrap();
    assert_eq!(written, "(;CA[UTF-8]PB[이세돌]PW[Ding 丁\u{1f600}];B[aa])");
}

#[test]
fn marks_labels_and_compressed_points_are_read() {
    let tree = tree("(;SZ[9]AB[aa:bb]AW[cc]TR[dd]LB[ee:A][ff:1\\]]AR[aa:bb]LN[cc:dd]TB[gg:hh]L[ab][ac]M[ii]SQ[zz])");
    let size = BoardSize::NINE;
    assert_eq!(tree.setup_at(tree.root(), size).black.len(), 4);
    let marks = tree.marks_at(tree.root(), size);
    assert_eq!(marks.points.len(), 6);
    assert_eq!(marks.points[0], (Point::new(3, 3), MarkShape::Triangle));
    let labels: Vec<_> = marks.labels.iter().map(|(_, label)| label.as_str()).collect();
    assert_eq!(labels, ["A", "1]", "a", "b"]);
    assert_eq!((marks.arrows.len(), marks.lines.len()), (1, 1));
}

#[test]
fn a_new_record_says_what_every_reader_wants_to_know() {
    let tree = GameTree::with_board(BoardSize::new(13, 9).unwrap());
    assert_eq!(tree.to_sgf(), "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[13:9])");
}

proptest! {
    /// Any sequence of edits leaves a tree that is read back as it was written.
    #[test]
    fn edited_trees_are_read_back_the_same(edits in proptest::collection::vec((0u8..8, 0usize..40, ".{0,12}"), 0..60)) {
        let mut tree = GameTree::with_board(BoardSize::NINE);
        let mut cut = Vec::new();
        for (kind, which, text) in edits {
            let attached: Vec<_> = tree.subtree(tree.root()).collect();
            let node = attached[which % attached.len()];
            match kind {
                0 | 1 => { tree.play(node, Color::Black, place(which % 9, which / 9), BoardSize::NINE); }
                2 => tree.set_comment(node, &text),
                3 => tree.set_text(node, "XY", &text),
                4 => cut.extend(tree.detach(node)),
                5 => cut.pop().into_iter().for_each(|cut| tree.reattach(cut)),
                6 => { tree.move_up(node); }
                _ => tree.promote_to_main_line(node),
            }
            prop_assert_eq!(tree.node_count(), tree.subtree(tree.root()).count());
        }
        let written = tree.to_sgf();
        let again = read_sgf(written.as_bytes());
        // A NUL or a private character of the text is reported, but nothing about the structure is.
        prop_assert!(again.games[0].diagnostics.is_empty(), "{:?} {:?}", again.games[0].diagnostics, written);
        prop_assert_eq!(again.games[0].tree.to_sgf(), written);
        prop_assert_eq!(again.games[0].tree.node_count(), tree.node_count());
    }
}

#[test]
fn a_record_in_utf_8_that_names_another_character_set_says_so_when_it_is_given_away_as_text() {
    let file = "\u{feff}(;GM[1]CA[Big5]PB[柯洁];B[aa])";
    let read = read_sgf(file.as_bytes());
    assert_eq!(read.to_bytes(), file.as_bytes());
    let text = read.games[0].tree.in_utf8().to_sgf();
    assert_eq!(text, file.replace("Big5", "UTF-8"));
    let unknown = read_sgf("(;CA[klingon]PB[柯洁];B[aa])".as_bytes());
    assert_eq!(unknown.games[0].tree.in_utf8().to_sgf(), "(;CA[klingon]PB[柯洁];B[aa])");
}

#[test]
fn invalid_bytes_come_back_as_they_are_in_their_own_character_set_and_as_the_sign_for_them_in_utf_8() {
    // As a file with the byte FF is kept once it was read.
    let kept = "junk \u{10ffff}(;CA[GB2312]C[柯洁\u{10ffff}]PB[\u{10ffff}](;B[aa])(;B[bb]C[\u{10ffff}\\]]))";
    let tree = read_sgf_text(kept).games.remove(0).tree;
    assert_eq!(tree.to_sgf(), kept);
    assert_eq!(tree.text_value(NodeId::ROOT, "C").unwrap(), "柯洁\u{fffd}");
    let (junk, rest) = (b"junk \xFF(;CA[GB2312]C[", b"\xFF]PB[\xFF](;B[aa])(;B[bb]C[\xFF\\]]))");
    assert_eq!(tree.to_bytes(), [&junk[..], b"\xBF\xC2\xBD\xE0", rest].concat());
    // For others it is UTF-8, and read as it is shown, also where it is taken for a file.
    let given = tree.in_utf8().to_sgf();
    assert_eq!(given, kept.replace("GB2312", "UTF-8").replace('\u{10ffff}', "\u{fffd}"));
    assert_eq!(read_sgf(given.as_bytes()).games[0].tree.to_sgf(), given);
    assert_eq!(tree.in_utf8().content_hash(), tree.content_hash());
    // An edit that its own character set lacks makes the file UTF-8, with nothing in it that is none.
    let mut tree = read_sgf_text("(;CA[EUC-KR]PB[이세돌\u{10ffff}];B[aa])").games.remove(0).tree;
    tree.set_text(NodeId::ROOT, "PW", "\u{1f600}");
    let written = "(;CA[UTF-8]PB[이세돌\u{fffd}]PW[\u{1f600}];B[aa])";
    assert_eq!(String::from_utf8(tree.to_bytes()).unwrap(), written);
    // A file in UTF-8 that was not edited keeps its bytes.
    let cut = ["(;CA[UTF-8]PB[柯洁九段".as_bytes(), b"\xE6", b"];B[aa])"].concat();
    assert_eq!(read_sgf(&cut).to_bytes(), cut);
}

#[test]
fn a_character_set_that_a_file_cannot_be_known_by_is_not_written() {
    let text = "(;CA[UTF-16]PB[柯洁];B[aa])";
    let tree = read_sgf_text(text).games.remove(0).tree;
    assert_eq!(tree.to_bytes(), text.as_bytes());
    assert_eq!(tree.in_utf8().to_sgf(), text.replace("UTF-16", "UTF-8"));
}

#[test]
fn a_record_in_iso_2022_jp_is_written_in_utf_8_and_says_so() {
    // As it is kept once it was read.
    let kept = "(;CA[ISO-2022-JP]PB[本因坊];B[aa])";
    let tree = read_sgf_text(kept).games.remove(0).tree;
    assert_eq!(String::from_utf8(tree.to_bytes()).unwrap(), kept.replace("ISO-2022-JP", "UTF-8"));
    // While it is ASCII alone, it is left as it is.
    let file = "(;CA[ISO-2022-JP]PB[Shusaku];B[aa])";
    let mut tree = read_sgf(file.as_bytes()).games.remove(0).tree;
    assert_eq!(tree.to_bytes(), file.as_bytes());
    tree.set_text(NodeId::ROOT, "PB", "本因坊");
    assert_eq!(String::from_utf8(tree.to_bytes()).unwrap(), kept.replace("ISO-2022-JP", "UTF-8"));
}
