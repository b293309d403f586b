//! GIB, NGF and UGF: small files of our own in the shapes that the servers write.

use honinbo_record::{GameInfo, LeftOut, NodeId, ReadLimits, RecordFormat, read_record, write_record};
use proptest::prelude::*;

fn sgf(file: &[u8]) -> String {
    read_record(file, ReadLimits::default()).games[0].tree.to_sgf()
}

const GIB: &str = "\\HS\r\n\\[GAMENAME=Ladder game\\]\r\n\\[GAMEDATE=2008- 5- 1-15-21- 3\\]\r\n\\[GAMEPLACE=Tygem\\]\r\n\
\\[GAMEBLACKNAME=흑돌이 (9D)\\]\r\n\\[GAMEWHITENAME=baekdol (8D)\\]\r\n\
\\[GAMEINFOMAIN=GBKIND:0,GTYPE:0,GCDT:200,GTIME:1200-30-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCNT:3,AUSZ:3\\]\r\n\\HE\r\n\
\\GS\r\n2 1 0\r\n3 &4\r\nINI 0 1 0 &4\r\nSTO 0 2 1 15 3\r\nSTO 0 3 2 3 15\r\nSKI 0 4\r\nSTO 0 5 2 99 3\r\n\\GE\r\n";

#[test]
fn gib_of_tygem() {
    let (bytes, _, _) = encoding_rs::EUC_KR.encode(GIB);
    assert_eq!(RecordFormat::detect(&bytes), RecordFormat::Gib);
    let collection = read_record(&bytes, ReadLimits::default());
    assert_eq!(
        collection.games[0].tree.to_sgf(),
        "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[19]EV[Ladder game]DT[2008-05-01]PC[Tygem]PB[흑돌이]BR[9d]PW[baekdol]WR[8d]\
         KM[6.5]RE[W+3.5]RU[Korean];B[pd];W[dp];B[])"
    );
    let chinese = GIB.replace("\\HS\r\n", "\\HS\r\n\\[GIBOKIND=China\\]\r\n");
    assert!(sgf(chinese.as_bytes()).contains("RU[Chinese]"));
    let said: Vec<_> = collection.all_diagnostics().map(ToString::to_string).collect();
    assert_eq!(said, ["line 16, column 0: move[STO 0 5 2 99 3] is not a point of the board; it was skipped"]);
    let handicap = GIB.replace("INI 0 1 0 &4", "INI 0 1 3 &4");
    assert!(sgf(handicap.as_bytes()).contains("HA[3]AB[dp][pd][dd]PL[W]"));
}

#[test]
fn ngf_of_wbaduk() {
    let file = "Rating game\n19\nwhite   8D*\nblack   7D\nwww.cyberoro.com\n0\n0\n6\n20110130 [14:04]\n5\n\
                White wins by resign\n3\nPMABBQEQE\nPMACWEQEQ\nPMADBAAAA\n";
    assert_eq!(RecordFormat::detect(file.as_bytes()), RecordFormat::Ngf);
    assert_eq!(
        sgf(file.as_bytes()),
        "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[19]PW[white]WR[8d]PB[black]BR[7d]PC[www.cyberoro.com]KM[6.5]\
         RU[Korean]DT[2011-01-30]RE[W+R];B[pd];W[dp];B[])"
    );
    let lost = file.replace("White wins by resign", "Black loses on time");
    assert!(sgf(lost.as_bytes()).contains("RE[W+T]"));
}

#[test]
fn ngf_with_chinese_lines() {
    let file = "GI韩国十段战\nGI甲 初段\nGI乙 五段\nGI\nGI\nGI2006-9-5\nGI19\nGI0\nGI0\nGI6\nGI3\n\
                PMABBREER\nPMACWEEEE\nPMADBZZZZ\nGI1\n";
    assert_eq!(RecordFormat::detect(&encoding_rs::GBK.encode(file).0), RecordFormat::Ngf);
    let collection = read_record(file.as_bytes(), ReadLimits::default());
    let written = collection.games[0].tree.to_sgf();
    for part in
        ["SZ[19]", "EV[韩国十段战]", "PB[甲]BR[初段]", "PW[乙]WR[五段]", "KM[6.5]", "DT[2006-09-05]", ";B[qd];W[dd])"]
    {
        assert!(written.contains(part), "{part}: {written}");
    }
    let said: Vec<_> = collection.all_diagnostics().map(ToString::to_string).collect();
    assert_eq!(said, ["line 14, column 0: move[PMADBZZZZ] is not a point of the board; it was skipped"]);
    let handicap = sgf(file.replacen("GI0", "GI2", 1).as_bytes());
    assert!(handicap.contains("HA[2]AB[") && handicap.contains("KM[6]"), "{handicap}");
}

#[test]
fn ugf_of_pandanet() {
    let file = "[Header]\nLang=JPN\nCoordinateType=JPN\nSize=19\nHdcp=2,0.5\nTitle=Some Cup\nPlace=Tokyo\n\
                Date=2010/04/02\nPlayerB=Takemiya,9p\nPlayerW=Cho,9p\nWinner=B,R\n[Files]\n[Data]\nDP,B0,0,0\n\
                PD,B0,0,0\nQQ,W1,1,12\nYA,B2,2,9\n[Figure]\n.Text,1\nan invasion\nat 3-3\n.EndText\n[EOF]\n";
    assert_eq!(RecordFormat::detect(file.as_bytes()), RecordFormat::Ugf);
    assert_eq!(
        sgf(file.as_bytes()),
        "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[19]PB[Takemiya]BR[9p]PW[Cho]WR[9p]EV[Some Cup]PC[Tokyo]DT[2010-04-02]\
         HA[2]KM[0.5]RE[B+R]AB[dp][pd];W[qq]C[an invasion\nat 3-3];B[])"
    );
    let from_bottom = file.replace("CoordinateType=JPN", "CoordinateType=IGS");
    assert!(sgf(from_bottom.as_bytes()).contains("AB[dd][pp];W[qc]"));
}

#[test]
fn the_review_of_a_ugi_file_is_kept() {
    let file = "[Header]\nCoordinateType=IGS\nSize=19\nHdcp=0,6.50\nPlayerB=a,2k,,\nPlayerW=b,2k?,,\n[Data]\n\
                QP,B1,1,0\nDQ,W1,2,0\nYA,B1,3,0\n[ReviewNode]\nNODE,1,0,0,0\nNODE,2,1,17,16\n  VARIATION,\n    \
                NODE,6,2,4,4\n    VARIATION,\n    NODE,8,1,3,3\n    VARIATIONEND,\n    NODE,7,1,4,16\n  \
                VARIATIONEND,\nNODE,3,2,4,17\nNODE,4,1,20,20\nNODE,5,0,0,0\n[ReviewComment]\n.Comment,1\n a: Hi!\n\
                 b: Hello\n.Comment,3\nhere\n.Comment,7\nsaves it\n";
    let written = sgf(file.as_bytes());
    assert!(
        written.ends_with("KM[6.50]C[a: Hi!\nb: Hello];B[qd](;W[dc]C[here];B[])(;W[dp](;B[cq])(;B[dd]C[saves it])))"),
        "{written}"
    );
    let alone = file.replace("[ReviewNode]", "[Other]");
    assert!(sgf(alone.as_bytes()).ends_with("C[a: Hi!\nb: Hello];B[qd];W[dc]C[here];B[])"));
}

#[test]
fn the_character_set_that_a_ugf_file_names_is_taken() {
    let file = "[Header]\nLang=SJIS\nSize=19\nPlayerB=秀策,4d\nPlayerW=ｹﾞﾝﾅﾝ,8d\n[Data]\nQD,B1,1,0\n";
    let written = sgf(&encoding_rs::SHIFT_JIS.encode(file).0);
    assert!(written.contains("PB[秀策]") && written.contains("PW[ｹﾞﾝﾅﾝ]"), "{written}");
    assert!(sgf(file.as_bytes()).contains("PB[秀策]"), "converted since");
}

#[test]
fn sgf_as_text_names_the_character_set_that_it_is_in() {
    let (bytes, _, _) = encoding_rs::GB18030.encode("(;CA[gb2312]SZ[19]PB[柯洁];B[aa])");
    let tree = &read_record(&bytes, ReadLimits::default()).games[0].tree;
    let written = write_record(tree, RecordFormat::Sgf).unwrap().text;
    assert_eq!(written, "(;CA[UTF-8]SZ[19]PB[柯洁];B[aa])");
}

#[test]
fn a_sgf_file_stays_one() {
    for file in [&b"(;GM[1];B[aa])"[..], b"", b"\n19\nPM", b"[Header] of something else"] {
        assert_eq!(RecordFormat::detect(file), RecordFormat::Sgf);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Whatever stands in the lines of such a file, there is a game or a reason.
    #[test]
    fn damaged_files_give_a_game_or_a_reason(which in 0usize..3, cut in 0usize..600, noise in ".{0,40}", at in 0usize..600) {
        let base = [
            GIB.to_owned(),
            format!("x\n19\nw 3D\nb 4K\ns\n2\n0\n0\n2011\n5\nBlack wins\n2\n{}", "PMABBQEQE\n".repeat(30)),
            format!("[Header]\nPlayerB=a\nSize=19\n[Data]\n{}", "QD,B1,1,0\n".repeat(30)),
        ][which].clone();
        let mut text: String = base.chars().take(cut).collect();
        let place = text.char_indices().map(|(i, _)| i).nth(at % 600).unwrap_or(0);
        text.insert_str(place, &noise);
        let collection = read_record(text.as_bytes(), ReadLimits::default());
        for game in &collection.games {
            let last = game.tree.line_from(NodeId::ROOT).last().expect("a root");
            drop(honinbo_record::replay(&game.tree, last));
            drop(GameInfo::of(&game.tree));
        }
        prop_assert!(!collection.games.is_empty() || !collection.diagnostics.is_empty());
    }
}

/// The main line and facts of a record, as they come back from another format.
fn there_and_back(sgf_text: &str, format: RecordFormat) -> (String, Vec<LeftOut>) {
    let tree = &read_record(sgf_text.as_bytes(), ReadLimits::default()).games[0].tree;
    let written = write_record(tree, format).expect("a record that was read can be written");
    assert_eq!(RecordFormat::detect(written.text.as_bytes()), format, "{}", written.text);
    let read = read_record(written.text.as_bytes(), ReadLimits::default());
    assert_eq!(read.all_diagnostics().count(), 0, "{}", written.text);
    (read.games[0].tree.to_sgf(), written.left_out)
}

#[test]
fn games_come_back_from_other_formats() {
    let game = "(;GM[1]FF[4]SZ[19]PB[黑 一]BR[9d]PW[Cho]WR[8d]EV[Some Cup]PC[Tokyo]DT[2010-04-02]KM[6.5]RE[W+3.5]\
                ;B[pd];W[dp]C[an invasion\nhere](;B[];W[qq])(;B[dd]))";
    let facts = "PB[黑 一]BR[9d]PW[Cho]WR[8d]";
    let (gib, left_out) = there_and_back(game, RecordFormat::Gib);
    assert!(gib.contains(facts) && gib.contains("KM[6.5]RE[W+3.5]"), "{gib}");
    assert!(gib.ends_with(";B[pd];W[dp];B[];W[qq])"), "{gib}");
    assert_eq!(left_out, [LeftOut::Variations, LeftOut::Comments]);

    let (ngf, left_out) = there_and_back(game, RecordFormat::Ngf);
    assert!(ngf.contains("PB[黑 一]BR[9d]") && ngf.contains("KM[6.5]RU[Korean]DT[2010-04-02]RE[W+3.5]"), "{ngf}");
    assert!(ngf.ends_with(";B[pd];W[dp];B[];W[qq])"), "{ngf}");
    assert_eq!(left_out, [LeftOut::Variations, LeftOut::Comments]);

    let (ugf, left_out) = there_and_back(game, RecordFormat::Ugf);
    assert!(ugf.contains(facts) && ugf.contains("KM[6.5]RE[W+3.5]"), "{ugf}");
    assert!(ugf.ends_with(";B[pd];W[dp]C[an invasion\nhere];B[];W[qq])"), "{ugf}");
    assert_eq!(left_out, [LeftOut::Variations]);
}

#[test]
fn what_a_format_has_no_place_for_is_refused_or_said() {
    let tree = |text: &str| read_record(text.as_bytes(), ReadLimits::default()).games.remove(0).tree;
    let refused = |text: &str, format| write_record(&tree(text), format).unwrap_err().to_string();
    assert_eq!(refused("(;SZ[9];B[aa])", RecordFormat::Gib), "GIB has no board of 9x9");
    assert_eq!(refused("(;SZ[13:9];B[aa])", RecordFormat::Ngf), "NGF has no board of 13x9");
    assert_eq!(refused("(;SZ[19]AB[aa])", RecordFormat::Gib), "GIB has no place for stones that were set up");
    assert_eq!(refused("(;SZ[19]AW[aa])", RecordFormat::Ugf), "UGF has no place for stones that were set up");
    assert!(refused("(;SZ[19];AB[aa];W[bb])", RecordFormat::Ugf).contains("no move"));
    let torus = "(;SZ[19]TOPO[torus]RU[Chinese];B[aa])";
    assert_eq!(refused(torus, RecordFormat::Gib), "GIB has no board that is a torus");
    assert_eq!(refused(torus, RecordFormat::Ngf), "NGF has no board that is a torus");
    assert_eq!(refused("(;SZ[9]RU[Daoqi];B[aa])", RecordFormat::Ugf), "UGF has no board that is a torus");
    // By their name alone these rules would join the edges.
    let (plane, _) = there_and_back("(;SZ[9]TOPO[plane]RU[Daoqi];B[aa])", RecordFormat::Ugf);
    assert!(!plane.contains("RU["), "{plane}");
    let handicap = "(;SZ[19]HA[2]KM[0.5]AB[pd][dp];W[qq];B[cc])";
    for format in [RecordFormat::Gib, RecordFormat::Ngf, RecordFormat::Ugf] {
        let (back, left_out) = there_and_back(handicap, format);
        assert!(back.contains("HA[2]") && back.contains("AB[") && back.ends_with(";W[qq];B[cc])"), "{back}");
        assert_eq!(left_out, []);
    }
    // As `replay` puts the stones on the board that a record only counts.
    for format in [RecordFormat::Gib, RecordFormat::Ngf, RecordFormat::Ugf] {
        let (back, left_out) = there_and_back("(;SZ[19]HA[4]KM[0.5];W[qq];B[cc])", format);
        assert!(back.contains("HA[4]") && back.contains("AB[dp][pd][dd][pp]"), "{back}");
        assert!(back.contains("KM[0.5]") && back.ends_with(";W[qq];B[cc])"), "{back}");
        assert_eq!(left_out, []);
        let (even, _) = there_and_back("(;SZ[19]HA[2]KM[0.5];B[dp];B[pd];W[qq])", format);
        assert!(!even.contains("HA[2]") && !even.contains("AB["), "{even}");
    }
    let (_, left_out) = there_and_back("(;SZ[9]KM[7];B[cc])", RecordFormat::Ngf);
    assert_eq!(left_out, [LeftOut::Komi]);
    for format in [RecordFormat::Gib, RecordFormat::Ngf, RecordFormat::Ugf] {
        let (back, _) = there_and_back("(;SZ[19]HA[2]KM[150.0]AB[pd][dp];W[qq])", format);
        assert!(back.contains("KM[150.0]"), "{back}");
    }
    let (chinese, left_out) = there_and_back("(;SZ[19]RU[Chinese];B[cc])", RecordFormat::Gib);
    assert_eq!((chinese.contains("RU[Chinese]"), left_out), (true, vec![]));
    for (format, rules) in [(RecordFormat::Gib, "Japanese"), (RecordFormat::Ngf, "Chinese")] {
        let (_, left_out) = there_and_back(&format!("(;SZ[19]RU[{rules}];B[cc])"), format);
        assert_eq!(left_out, [LeftOut::Rules]);
    }
    let (ended, _) = there_and_back("(;SZ[19];B[cc]C[one\n.EndText\ntwo])", RecordFormat::Ugf);
    assert!(ended.contains("C[one\n .EndText\ntwo]"), "{ended}");
    let written = write_record(&tree("(;SZ[9]LB[aa:1];B[cc])"), RecordFormat::Sgf).unwrap();
    assert_eq!((written.left_out.len(), written.text.contains("LB[aa:1]")), (0, true));
}

#[test]
fn every_half_komi_comes_back_from_ngf() {
    for komi in ["6.5", "0.5", "-0.5", "-6.5", "0"] {
        let (back, left_out) = there_and_back(&format!("(;SZ[9]KM[{komi}];B[cc])"), RecordFormat::Ngf);
        assert!(back.contains(&format!("KM[{komi}]")), "{komi}: {back}");
        assert_eq!(left_out, [], "{komi}");
    }
}

#[test]
fn white_passes_first_after_a_handicap_in_gib() {
    let (back, _) = there_and_back("(;SZ[19]HA[2]KM[0.5]AB[pd][dp];W[];B[cc];W[])", RecordFormat::Gib);
    assert!(back.ends_with(";W[];B[cc];W[])"), "{back}");
}

#[test]
fn rules_without_a_place_are_said_to_be_left_out_however_they_are_written() {
    for format in [RecordFormat::Gib, RecordFormat::Ngf] {
        for rules in ["koPOSITIONALscoreAREAtaxALLsui1", "house rules", "日本規則"] {
            let (_, left_out) = there_and_back(&format!("(;SZ[19]RU[{rules}];B[cc])"), format);
            assert_eq!(left_out, [LeftOut::Rules], "{rules}");
        }
        let (_, left_out) = there_and_back("(;SZ[19]RU[한국];B[cc])", format);
        assert_eq!(left_out, []);
    }
    let (chinese, left_out) = there_and_back("(;SZ[19]RU[中国规则];B[cc])", RecordFormat::Gib);
    assert_eq!((chinese.contains("RU[Chinese]"), left_out), (true, vec![]));
}

#[test]
fn what_is_said_in_several_nodes_after_a_move_is_said_together_in_ugf() {
    let (back, _) = there_and_back("(;SZ[19]C[one];C[two];B[cc]C[three];C[four])", RecordFormat::Ugf);
    assert!(back.ends_with("C[one\n\ntwo];B[cc]C[three\n\nfour])"), "{back}");
}
