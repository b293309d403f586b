//! Evaluations in the properties of several programs, read and written.

use honinbo_record::{
    CandidateEvaluation, GameTree, NodeId, PositionEvaluation, evaluation_at, read_sgf, set_evaluation,
};
use honinbo_rules::{BoardSize, Color, Move};

/// As KaTrain writes it, by Python's `gzip`, `json` and `struct`: 100 visits, two moves, ownership without policy.
const KATRAIN: &str = "KT[H4sIAAAAAAACA2OwYRjcYAcAvg2hw6IAAAA=][H4sIAAAAAAACAwMAAAAAAAAAAAA=]\
    [H4sIAAAAAAACA2VPwQ6CMAz9FbKzEjbBRK+Gm39gOCD0sAQs2QrGEP7ddhgFvGx977Wvr6NqcQCvztGo8ix8QnAhcBepwXpLop8SRk/7cCWJn\
    MRHw4Sv0MEVypopE2fMdM6iCw0pI3Q1BCTKwMXt43s5yNuV3quCi6a6z6bTrC2DzK3fIHobJN3k2OvYrJPoRRL9S8LGxSQLHSKFlav7/s5L1jEE\
    9mQbS68wYMSqwrZrgEAmyPUwvQFg1XNfYgEAAA==]";

fn tree_of(sgf: &str) -> (GameTree, NodeId) {
    let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
    let node = tree.line_from(tree.root()).last().expect("a move");
    (tree, node)
}

fn read(properties: &str, to_play: Color) -> Option<PositionEvaluation> {
    let (tree, node) = tree_of(&format!("(;SZ[9];B[ee]{properties})"));
    evaluation_at(&tree, node, BoardSize::NINE, to_play)
}

fn vertex(text: &str) -> Move {
    Move::from_gtp(text, BoardSize::NINE).expect("a vertex")
}

#[test]
fn what_katrain_writes_is_read() {
    let found = read(KATRAIN, Color::Black).unwrap();
    assert_eq!((found.visits, found.black_win_prob, found.black_lead), (100, 0.6, Some(2.0)));
    let best = &found.candidates[0];
    assert_eq!((best.played, best.visits, best.black_win_prob), (vertex("E5"), 90, 0.62));
    assert_eq!((best.black_lead, best.prior), (Some(2.5), 0.4));
    assert_eq!(best.line, [vertex("E5"), vertex("C3"), Move::Pass]);
    assert_eq!(found.candidates[1].black_lead, Some(-1.25));
    assert_eq!((found.black_ownership.len(), found.black_ownership[0], found.black_ownership[80]), (81, 1.0, -0.5));
}

#[test]
fn what_lizzie_writes_is_read_for_the_player_it_counts_for() {
    let lizzie = "LZ[Lizzie0.7 45.5 1.2k\nmove E5 visits 1000 winrate 5420 prior 3100 scoreMean 3.50 pv E5 C3 info \
        move C3 visits 100 winrate 5300 pv C3 info ]";
    let found = read(lizzie, Color::White).unwrap();
    // White is to move, so the first line is Black's win rate and the others are White's.
    assert!((found.black_win_prob - 0.455).abs() < 1e-9);
    assert_eq!((found.visits, found.engine.as_deref()), (1200, Some("Lizzie0.7")));
    assert_eq!(found.candidates.len(), 2);
    assert!((found.candidates[0].black_win_prob - 0.458).abs() < 1e-9);
    assert_eq!((found.candidates[0].black_lead, found.candidates[0].prior), (Some(-3.5), 0.31));
    let kata = read("LZ[KataGo 60.0 812 -2.5 9.0\n]", Color::White).unwrap();
    assert_eq!((kata.black_win_prob, kata.visits, kata.black_lead), (0.6, 812, Some(2.5)));
    let alone = read(
        "LZ[info move Q16 visits 9 winrate 5420 pv Q16 info move E5 visits 1500 winrate 5420 pv E5]",
        Color::Black,
    );
    assert_eq!(alone.unwrap().candidates.iter().map(|found| found.visits).collect::<Vec<_>>(), [1500]);
}

#[test]
fn what_kaya_and_sabaki_write_is_read_and_the_fullest_counts() {
    let kaya = r#"KA[{"w":0.53,"s":1.5,"v":40,"m":[{"m":"E5","p":0.5,"w":0.54,"s":1.75,"v":30},{"m":"pass","p":0}\]}]"#;
    let found = read(kaya, Color::Black).unwrap();
    assert_eq!((found.visits, found.black_win_prob, found.black_lead), (40, 0.53, Some(1.5)));
    assert_eq!(found.candidates.iter().map(|found| found.played).collect::<Vec<_>>(), [vertex("E5"), Move::Pass]);
    let sabaki = read("SBKV[47.25]", Color::White).unwrap();
    assert_eq!((sabaki.visits, sabaki.black_win_prob, sabaki.black_lead), (1, 0.4725, None));
    assert_eq!(read(&format!("SBKV[47.25]{kaya}"), Color::White).unwrap().visits, 40);
    assert_eq!(read(&format!("{KATRAIN}{kaya}SBKV[1]"), Color::White).unwrap().visits, 100);
}

#[test]
fn leads_of_sabaki_and_ogatak_are_read_and_kept_up_to_date() {
    for (properties, lead) in [
        ("SBKV[47.25]SBKS[-1.5]", Some(-1.5)),
        ("OGSC[2.5]SBKV[60.0]", Some(2.5)),
        ("SBKV[60]SBKS[NaN]OGSC[2.5]", Some(2.5)),
        ("SBKV[60]SBKS[]", None),
    ] {
        assert_eq!(read(properties, Color::White).unwrap().black_lead, lead, "{properties}");
    }
    assert_eq!(read("SBKS[1.5]", Color::White), None, "no win rate");
    let (size, black_win_prob) = (BoardSize::NINE, 0.4375);
    let write = |sgf: &str, black_lead| {
        let (mut tree, node) = tree_of(sgf);
        let found = PositionEvaluation { visits: 9, black_win_prob, black_lead, ..PositionEvaluation::default() };
        assert!(set_evaluation(&mut tree, node, size, Color::White, &found));
        ["SBKV", "SBKS", "OGSC"].map(|ident| tree.text_value(node, ident).map(String::from))
    };
    let texts = |texts: [&str; 3]| texts.map(|text| (!text.is_empty()).then(|| text.to_owned()));
    assert_eq!(write("(;SZ[9];B[ee])", Some(-3.25)), texts(["43.75", "-3.25", ""]));
    assert_eq!(write("(;SZ[9];B[ee]SBKV[50]OGSC[0.5])", Some(-3.25)), texts(["43.75", "-3.25", "-3.25"]));
    assert_eq!(write("(;SZ[9];B[ee]SBKV[50]SBKS[0.5])", None), texts(["43.75", "", ""]));
    assert_eq!(write("(;SZ[9];B[ee]SBKS[other])", Some(1.0)), texts(["43.75", "other", ""]));
}

#[test]
fn every_program_reads_the_same_from_what_is_written() {
    let size = BoardSize::NINE;
    let mut black_ownership = vec![0.0; 81];
    (black_ownership[3], black_ownership[44]) = (1.0, -0.75);
    let written = PositionEvaluation {
        visits: 1234,
        black_win_prob: 0.4375,
        black_lead: Some(-3.25),
        candidates: [("E5", 1200, vec!["E5", "pass", "A1"]), ("pass", 3, vec!["pass"])]
            .into_iter()
            .map(|(played, visits, line)| CandidateEvaluation {
                played: vertex(played),
                visits,
                black_win_prob: 0.4375,
                black_lead: Some(-3.5),
                prior: 0.25,
                line: line.into_iter().map(vertex).collect(),
            })
            .collect(),
        black_ownership,
        engine: Some("b10 net".into()),
    };
    for to_play in Color::ALL {
        let (mut tree, node) = tree_of("(;SZ[9]XX[kept\\]];B[ee]C[a comment]ZZ[1][2])");
        assert!(set_evaluation(&mut tree, node, size, to_play, &written));
        assert!(!set_evaluation(&mut tree, node, size, to_play, &written), "nothing better, nothing written");
        let sgf = tree.to_sgf();
        assert!(sgf.contains("XX[kept\\]]") && sgf.contains("C[a comment]ZZ[1][2]"), "{sgf}");
        let (again, node) = tree_of(&sgf);
        for ident in ["KT", "KA", "LZ"] {
            let (mut alone, _) = tree_of(&sgf);
            ["KT", "KA", "LZ", "SBKV"].iter().filter(|other| **other != ident).for_each(|other| {
                assert!(alone.remove_property(node, other));
            });
            let found = evaluation_at(&alone, node, size, to_play).unwrap();
            assert_eq!((found.visits, found.black_lead), (1234, Some(-3.25)), "{ident}");
            assert!((found.black_win_prob - 0.4375).abs() < 1e-4, "{ident}: {}", found.black_win_prob);
            for (a, b) in found.candidates.iter().zip(&written.candidates) {
                assert_eq!((a.played, a.visits, a.black_lead), (b.played, b.visits, b.black_lead), "{ident}");
                assert!((a.black_win_prob - b.black_win_prob).abs() < 1e-4 && (a.prior - 0.25).abs() < 1e-4, "{ident}");
                if ident != "KA" {
                    assert_eq!(a.line, b.line, "{ident}");
                }
            }
            if ident != "LZ" {
                assert!((found.black_ownership[44] + 0.75).abs() < 0.05 && found.black_ownership[3] > 0.95, "{ident}");
            }
        }
        assert_eq!(again.text_value(node, "SBKV").as_deref(), Some("43.75"));
        assert_eq!(again.text_value(again.root(), "KTV").as_deref(), Some("1.0"));
    }
}

#[test]
fn the_lead_of_a_position_is_that_of_its_candidates_where_lizzie_says_none() {
    let lizzie = "LZ[0.7.4 45.5 400\nmove E5 visits 300 winrate 5420 scoreMean 3.5 pv E5 info \
        move C3 visits 100 winrate 5300 scoreMean 1.5 pv C3 info ]";
    let found = read(lizzie, Color::White).unwrap();
    assert_eq!((found.black_lead, found.candidates.len()), (Some(-3.0), 2));
    // Leela Zero counts no points.
    let found = read("LZ[0.7.4 45.5 400\nmove E5 visits 300 winrate 5420 pv E5 info ]", Color::White).unwrap();
    assert_eq!((found.black_lead, found.candidates.len()), (None, 1));
}

#[test]
fn lizzie_writes_win_rates_with_a_decimal_comma_in_some_languages() {
    let found = read("LZ[0.7.4 45,5 1.2k\n]", Color::White).unwrap();
    assert!((found.black_win_prob - 0.455).abs() < 1e-9);
    assert_eq!((found.visits, found.engine.as_deref()), (1200, Some("0.7.4")));
}

#[test]
fn what_lizzie_yzy_writes_of_ownership_and_its_second_engine_is_read() {
    let owners = ["0.5"; 80].join(" ");
    let first = format!("LZ[KataGo 60.0 800 -2.5 9.0\nmove E5 visits 800 winrate 4000 pv E5 ownership {owners} -1.0]");
    let found = read(&first, Color::White).unwrap();
    assert_eq!((found.candidates.len(), found.candidates[0].line.len(), found.black_ownership.len()), (1, 1, 81));
    assert_eq!((found.black_ownership[0], found.black_ownership[80]), (-0.5, 1.0));
    assert_eq!(read(&first, Color::Black).unwrap().black_ownership[80], -1.0);
    let short = first.replace(" -1.0]", "]");
    assert!(read(&short, Color::White).unwrap().black_ownership.is_empty());
    let second = "LZ2[Other 55.0 900\n]";
    let both = read(&format!("{first}{second}"), Color::White).unwrap();
    assert_eq!((both.visits, both.engine.as_deref()), (900, Some("Other")));
    let root = read_sgf(b"(;SZ[9]LZOP[KataGo 45.0 30 1.5 9.0\n]LZOP2[Other 40.0 20\n])").games.remove(0).tree;
    let found = evaluation_at(&root, root.root(), BoardSize::NINE, Color::Black).unwrap();
    assert_eq!((found.visits, found.black_lead), (30, Some(1.5)));
    let hash = |sgf: &str| read_sgf(sgf.as_bytes()).games[0].tree.content_hash();
    assert_eq!(hash(&format!("(;SZ[9];B[ee]KTSID[1]{second})")), hash("(;SZ[9];B[ee]KTSID[2])"));
    assert_eq!(hash("(;SZ[9];B[ee]KTSF[1])"), hash("(;SZ[9];B[ee])"));
}

#[test]
fn before_the_first_move_lizzie_yzy_finds_no_lz() {
    let size = BoardSize::NINE;
    let found = PositionEvaluation { visits: 20, black_win_prob: 0.4375, ..PositionEvaluation::default() };
    let mut tree =
        read_sgf(b"(;SZ[9]LZ[Honinbo 50.00 10 0.00 0.0\n];C[nothing played yet];B[ee])").games.remove(0).tree;
    let nodes: Vec<NodeId> = tree.line_from(tree.root()).collect();
    for &node in &nodes {
        assert!(set_evaluation(&mut tree, node, size, Color::Black, &found));
    }
    let has = |ident: &str| nodes.iter().map(|&node| tree.property(node, ident).is_some()).collect::<Vec<_>>();
    assert_eq!(has("LZ"), [false, false, true]);
    assert_eq!(has("LZOP"), [true, false, false]);
    let root = tree.root();
    for other in ["KT", "KA", "SBKV"] {
        tree.remove_property(root, other);
    }
    let read = evaluation_at(&tree, root, size, Color::Black).unwrap();
    assert_eq!((read.visits, read.black_win_prob), (20, 0.4375));
}

#[test]
fn what_cannot_be_read_is_as_good_as_absent_and_stays() {
    let big = format!("KA[{}]", "[".repeat(100_000).replace('[', "\\["));
    for broken in [
        "KT[]",
        "KT[a][b][c]",
        "KT[H4sIAAAAAAACAwMAAAAAAAAAAAA=][][H4sIAAAAAAACAwMAAAAAAAAAAAA=]",
        "KA[{}]",
        "KA[null]",
        "KA[{\"w\":1e99,\"s\":0,\"m\":[\\]}]",
        "LZ[]",
        "LZ[\n\n]",
        "LZ[x nan 3]",
        "LZ[0.7.4 50.0 0\n]",
        "LZ[move]",
        "SBKV[]",
        "SBKV[NaN]",
        "SBKV[1000]",
        big.as_str(),
    ] {
        assert_eq!(read(broken, Color::Black), None, "{broken:.80}");
        let sgf = format!("(;SZ[9];B[ee]{broken})");
        assert_eq!(tree_of(&sgf).0.to_sgf(), sgf, "{broken:.80}");
    }
}
