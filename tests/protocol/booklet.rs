//! `honinbo booklet`: what is on paper is read back by poppler's programs, which had no part in writing it.

use crate::support::{Honinbo, repository};
use honinbo_library::{Library, NewCard, read_anki};
use honinbo_record::{read_sgf, replay};
use honinbo_testkit::fixtures;
use std::path::Path;
use std::process::Command;

/// What a program of poppler says of a file; `None`, counted as skipped, where it is not installed.
fn poppler(program: &str, args: &[&str], file: &Path) -> Option<String> {
    let output = match Command::new(program).args(args).arg(file).arg("-").output() {
        Ok(output) => output,
        Err(_) => {
            fixtures::skip(&format!("{program} is not installed (poppler-utils)"));
            return None;
        }
    };
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// As [`poppler`], for programs that write to standard output by themselves.
fn says(program: &str, file: &Path) -> Option<String> {
    let output = Command::new(program).arg(file).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

const PROBLEMS: &str = "(;GM[1]SZ[19]GN[角の死活]AB[cb][bc][ac]AW[ab][bb][ca][da][db];B[ba]C[正解。白死。];W[aa];B[ba])
(;GM[1]SZ[9]AB[aa][ba]AW[ab][bb];W[ca]C[Correct])
(;GM[1]SZ[19]PB[柯洁]PW[이세돌];B[pd];W[dp](;B[dd]BM[1]HBL[3.5])(;B[pp]TE[1]))
(;GM[1]SZ[19]C[nothing is asked here])";

#[test]
fn a_booklet_has_its_positions_first_and_their_solutions_at_its_end() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sgf");
    std::fs::write(&problems, PROBLEMS).unwrap();
    for (paper, size) in [("a4", "595.276 x 841.89"), ("a5", "419.528 x 595.276")] {
        let out = folder.path().join(format!("{paper}.pdf"));
        let args = [
            "booklet",
            problems.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
            "--paper",
            paper,
            "--title",
            "三つの問題",
            "--language",
            "ja",
        ];
        let made = honinbo.run(&args);
        if made.status == 1 && made.stderr.contains("no font on this machine") {
            assert!(made.stderr.contains("fonts-noto-cjk"), "{made:?}");
            fixtures::skip("no font with Japanese, Chinese and Korean letters is installed");
            return;
        }
        assert_eq!(made.status, 0, "{made:?}");
        assert_eq!(made.stdout, format!("3 positions in {}\n", out.display()));
        assert!(made.stderr.contains("1 record left out"), "{made:?}");
        let Some(text) = poppler("pdftotext", &["-layout"], &out) else { return };
        let info = says("pdfinfo", &out).unwrap();
        let fonts = says("pdffonts", &out).unwrap();
        assert!(info.contains(size), "{info}");
        assert!(info.contains("Title:           三つの問題"), "{info}");
        let solutions = text.find("解答").unwrap();
        for asked in ["1. 黒番", "角の死活", "2. 白番", "3. 黒番", "柯洁 – 이세돌"] {
            assert!(text.find(asked).is_some_and(|at| at < solutions), "{asked}: {text}");
        }
        assert!(text.find("正解。白死。").is_some_and(|at| at > solutions), "{text}");
        assert!(text.contains("実戦"), "{text}");
        // Every font is in the file, in part.
        let fonts: Vec<&str> = fonts.lines().skip(2).collect();
        assert!(!fonts.is_empty());
        for font in fonts {
            let words: Vec<&str> = font.split_whitespace().collect();
            assert_eq!(
                words[words.len() - 5..words.len() - 2],
                ["yes", "yes", "yes"],
                "embedded, subset, unicode: {font}"
            );
        }
    }
}

#[test]
fn a_page_that_plays_stands_alone() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let problems = folder.path().join("problems.sgf");
    std::fs::write(&problems, PROBLEMS.replace("GN[", "GN[</script><img src=x onerror=alert(1)>")).unwrap();
    let out = folder.path().join("book.html");
    let made = honinbo.run(&["booklet", problems.to_str().unwrap(), "--out", out.to_str().unwrap(), "--json"]);
    assert_eq!(made.json()["exercises"], 3, "{made:?}");
    let page = std::fs::read_to_string(&out).unwrap();
    assert!(page.contains("default-src 'none'") && page.contains("角の死活"));
    for outside in ["http://", "https://", "<img", "<link", "url(", "import(", "fetch("] {
        let own = page.matches(outside).count()
            - usize::from(outside == "http://") * page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(own, 0, "{outside}");
    }
    assert_eq!(page.matches("</script>").count(), 2);

    let again = ["booklet", problems.to_str().unwrap(), "--out", out.to_str().unwrap(), "--title", "Another"];
    assert!(honinbo.run(&again).failure().contains("book.html is there already"));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), page);
    assert_eq!(honinbo.run(&[&again as &[&str], &["--force"]].concat()).status, 0);
    assert!(std::fs::read_to_string(&out).unwrap().contains("Another"));
}

#[test]
fn what_cannot_be_a_booklet_is_said() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.pdf");
    let game = repository().join("tests/fixtures/games");
    let file =
        std::fs::read_dir(game).unwrap().flatten().find(|file| file.path().extension().is_some_and(|end| end == "sgf"));
    let file = file.unwrap().path();
    let nothing = honinbo.run(&["booklet", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(nothing.failure().contains("there is no position to solve in what was named"), "{nothing:?}");
    assert!(!out.exists());
    assert!(honinbo.run(&["booklet", "--out", out.to_str().unwrap()]).failure().contains("there are no cards"));
    assert_eq!(honinbo.run(&["booklet", "--out", "book.txt"]).status, 2);
}

#[test]
fn the_own_cards_become_a_package_that_is_read_back() {
    let honinbo = Honinbo::new();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let out = folder.path().join("cards.apkg");
    let library = Library::open(folder.path().join("library.sqlite")).unwrap();
    let deck = "(;SZ[9]PB[Aya]PW[Ben];B[ee];W[cc])";
    let tree = read_sgf(deck.as_bytes()).games.remove(0).tree;
    let end = tree.line_from(tree.root()).last().unwrap();
    let game = replay(&tree, end).game;
    let card = NewCard { sgf: deck.into(), played: Some(4), lost: 3.5, recorded: Vec::new() };
    library.add_card(game.board(), game.to_play(), &card, 1_700_000_000_000).unwrap();
    drop(library);
    let made = honinbo.run(&["--data", data, "booklet", "--out", out.to_str().unwrap(), "--title", "Mine"]);
    assert_eq!((made.status, made.stdout), (0, format!("1 position in {}\n", out.display())));
    let records = read_anki(std::fs::File::open(&out).unwrap()).unwrap();
    assert_eq!(records.len(), 1, "{records:?}");
    assert!(records[0].contains("PB[Aya]") && records[0].contains("BM[1]") && records[0].contains("HBL[3.5]"));
    let refused = honinbo.run(&["--data", data, "booklet", "--out", "cards.docx"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.stderr.contains(".apkg"), "{refused:?}");
}
