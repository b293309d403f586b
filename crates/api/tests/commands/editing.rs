//! Opening, playing, moving about and changing.

use crate::host::{Desk, diagram};
use honinbo_api::{ApiError, IllegalReason};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a window knows of a tree, by its nodes: parent, move, colour and comment; and each node's children in their order.
#[derive(Debug, Default, PartialEq)]
struct Picture {
    revision: u64,
    nodes: BTreeMap<u64, [i64; 4]>,
    children: BTreeMap<u64, Vec<u64>>,
}

impl Picture {
    fn of(tree: &Value) -> Self {
        let mut picture = Self::default();
        picture.hang(tree, None);
        picture
    }

    /// Hangs the nodes of a tree, or of a branch of this parent.
    fn hang(&mut self, tree: &Value, below: Option<u64>) {
        let list = |name: &str| tree[name].as_array().unwrap();
        let ids: Vec<u64> = list("ids").iter().map(|id| id.as_u64().unwrap()).collect();
        for (entry, &id) in ids.iter().enumerate() {
            let parent = match entry {
                0 => below,
                _ => Some(ids[usize::try_from(list("parents")[entry].as_u64().unwrap()).unwrap()]),
            };
            let [made, color, comment] =
                ["moves", "colors", "comments"].map(|name| list(name)[entry].as_i64().unwrap());
            self.nodes.insert(id, [parent.map_or(-1, |id| i64::try_from(id).unwrap()), made, color, comment]);
            if let Some(parent) = parent {
                self.children.entry(parent).or_default().push(id);
            }
        }
        self.revision = tree["revision"].as_u64().unwrap();
    }

    /// Takes in what a command changed.
    fn take(&mut self, update: &Value) {
        let (grown, cut) = (&update["grown"], &update["cut"]);
        if update["tree"] != Value::Null {
            *self = Self::of(&update["tree"]);
        } else if *grown != Value::Null {
            assert_eq!(grown["branch"]["revision"], self.revision + 1);
            self.hang(&grown["branch"], grown["parent"].as_u64());
        } else if *cut != Value::Null {
            assert_eq!(cut["revision"], self.revision + 1);
            self.revision += 1;
            self.cut(cut["nodeId"].as_u64().unwrap());
        }
        assert_eq!(update["treeRevision"], self.revision);
    }

    /// Takes a node away, and all that follows it.
    fn cut(&mut self, top: u64) {
        let [parent, ..] = self.nodes.remove(&top).unwrap();
        if let Some(siblings) = u64::try_from(parent).ok().and_then(|parent| self.children.get_mut(&parent)) {
            siblings.retain(|node| *node != top);
        }
        for child in self.children.remove(&top).unwrap_or_default() {
            self.cut(child);
        }
        self.children.retain(|_, children| !children.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_window_that_hears_of_changes_has_the_tree_as_it_is(steps in prop::collection::vec((0..13_u8, 0..25_u16), 1..40)) {
        let desk = Desk::new();
        let id = desk.open("(;SZ[5];B[bb](;W[cb]C[a];B[cc])(;W[dd]))");
        let mut window = Picture::of(&desk.must("get_game", json!({"gameId": id}))["tree"]);
        for (what, number) in steps {
            let nodes: Vec<u64> = window.nodes.keys().copied().collect();
            let node = nodes[usize::from(number) % nodes.len()];
            let of_node = json!({"gameId": id, "nodeId": node});
            // Some are refused, as moves on stones are, and change nothing.
            let answer = match what {
                0..=3 => desk.give("play", json!({"gameId": id, "vertex": number})),
                4 => desk.give("go_to", of_node),
                5 => desk.give("undo_edit", json!({"gameId": id})),
                6 => desk.give("redo_edit", json!({"gameId": id})),
                7 => desk.give("delete_variation", of_node),
                8 => desk.give("promote_variation", of_node),
                9 => desk.give("set_comment", json!({"gameId": id, "nodeId": node, "text": if number % 2 == 0 { "b" } else { "" }})),
                10 => desk.give("add_line", json!({"gameId": id, "nodeId": node, "moves": [number, (number + 7) % 25, null]})),
                11 => desk.give("keep_variation", of_node),
                _ => desk.give("set_stones", json!({"gameId": id, "points": [number], "stone": "white"})),
            };
            if let Ok(update) = answer {
                window.take(&update);
            }
            let whole = Picture::of(&desk.must("get_game", json!({"gameId": id}))["tree"]);
            prop_assert_eq!(&window, &whole, "after {} {}", what, number);
        }
    }
}

#[test]
fn a_move_is_played_and_shown() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5]PB[柯洁]PW[AlphaGo];B[bb];W[cb])");
    let update = desk.must("navigate", json!({"gameId": id, "step": "last"}));
    assert_eq!(update["position"]["moveNumber"], 2);
    assert_eq!(update["tree"], json!(null), "moving about changes no tree");

    let update = desk.must("play", json!({"gameId": id, "vertex": 12}));
    let branch = json!({"revision": 1, "ids": [3], "parents": [0], "moves": [12], "colors": [1], "comments": [0], "annotated": []});
    assert_eq!((&update["tree"], &update["grown"]), (&json!(null), &json!({"parent": 2, "branch": branch})));
    assert_eq!(update["position"]["lastMove"], 12);
    assert_eq!(update["position"]["toMove"], "white");
    assert_eq!(update["modified"], true);
    assert_snapshot!(diagram(&update["position"], 5), @r"
    .....
    .XO..
    ..X..
    .....
    .....
    ");
}

#[test]
fn retaking_a_ko_is_refused_with_its_reason_and_changes_nothing() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5]RU[Chinese]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb])");
    desk.must("navigate", json!({"gameId": id, "step": "last"}));
    let before = desk.must("get_game", json!({"gameId": id}));
    assert_eq!(before["position"]["ko"], 6);
    assert_eq!(before["position"]["legal"][6], 0);
    let error = desk.give("play", json!({"gameId": id, "vertex": 6})).unwrap_err();
    assert!(
        matches!(&error, ApiError::IllegalMove { reason: IllegalReason::Ko, message } if message == "B4 would retake the ko at once"),
        "{error:?}"
    );
    assert_eq!(desk.must("get_game", json!({"gameId": id})), before);
}

#[test]
fn points_and_games_that_are_not_there_are_refused() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5])");
    for (vertex, reason) in [(25, IllegalReason::Outside), (60_000, IllegalReason::Outside)] {
        let error = desk.give("play", json!({"gameId": id, "vertex": vertex})).unwrap_err();
        assert!(matches!(error, ApiError::IllegalMove { reason: found, .. } if found == reason), "{error:?}");
    }
    for (name, args) in [
        ("play", json!({"gameId": "g99", "vertex": 0})),
        ("go_to", json!({"gameId": id, "nodeId": 77})),
        ("open_record", json!({"id": "99"})),
    ] {
        let error = desk.give(name, args).unwrap_err();
        assert!(matches!(error, ApiError::NotFound { .. }), "{name}: {error:?}");
    }
    for (name, args) in [("play", json!({"gameId": id, "vertex": -1})), ("nonsense", json!({})), ("play", json!(7))] {
        let error = desk.give(name, args).unwrap_err();
        assert!(matches!(error, ApiError::InvalidRequest { .. }), "{name}: {error:?}");
    }
}

#[test]
fn variations_are_begun_followed_promoted_and_deleted_and_all_of_it_undone() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5];B[bb];W[cb];B[cc])");
    let game = json!({"gameId": id});
    let moves = || desk.must("get_game", game.clone())["tree"]["moves"].clone();
    desk.must("navigate", json!({"gameId": id, "step": "next"}));

    // Playing what is there follows it.
    let followed = desk.must("play", json!({"gameId": id, "vertex": 7}));
    assert_eq!((&followed["tree"], &followed["modified"]), (&json!(null), &json!(false)));
    desk.must("navigate", json!({"gameId": id, "step": "previous"}));

    let begun = desk.must("play", json!({"gameId": id, "vertex": 17}));
    assert_eq!((&begun["grown"]["parent"], &begun["grown"]["branch"]["moves"]), (&json!(1), &json!([17])));
    let node = begun["position"]["nodeId"].clone();

    // Back and forth stays in the variation last visited.
    desk.must("navigate", json!({"gameId": id, "step": "first"}));
    let end = desk.must("navigate", json!({"gameId": id, "step": "last"}));
    assert_eq!(end["position"]["nodeId"], node);
    let fork = desk.must("navigate", json!({"gameId": id, "step": "mainLine"}));
    assert_eq!(fork["position"]["moveNumber"], 1);

    let promoted = desk.must("promote_variation", json!({"gameId": id, "nodeId": node}));
    assert_eq!(promoted["tree"]["moves"], json!([-2, 6, 17, 7, 12]));
    let deleted = desk.must("delete_variation", json!({"gameId": id, "nodeId": 1}));
    assert_eq!((&deleted["tree"], &deleted["cut"]), (&json!(null), &json!({"nodeId": 1, "revision": 3})));
    assert_eq!(moves(), json!([-2]));
    assert_eq!(deleted["position"]["moveNumber"], 0, "the current node went with the variation");

    let back = desk.must("undo_edit", game.clone());
    assert_eq!(
        (&back["tree"], &back["grown"]["parent"], moves()),
        (&json!(null), &json!(0), json!([-2, 6, 17, 7, 12]))
    );
    assert_eq!(desk.must("undo_edit", game.clone())["tree"]["moves"], json!([-2, 6, 7, 12, 17]));
    let clean = desk.must("undo_edit", game.clone());
    assert_eq!((&clean["cut"]["nodeId"], moves(), &clean["modified"]), (&node, json!([-2, 6, 7, 12]), &json!(false)));
    assert_eq!(desk.must("undo_edit", game.clone())["tree"], json!(null), "nothing is left to undo");
    for _ in 0..3 {
        desk.must("redo_edit", game.clone());
    }
    assert_eq!(desk.must("get_game", game)["tree"]["moves"], json!([-2]));
}

#[test]
fn a_comment_that_comes_while_it_is_typed_is_one_change() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9];B[ee]C[before])");
    let game = json!({"gameId": id});
    let write = |text: &str| desk.must("set_comment", json!({"gameId": id, "nodeId": 1, "text": text}));
    let is = |text: &str| {
        let sgf = desk.must("export_sgf", game.clone())["sgf"].as_str().unwrap().to_owned();
        assert!(sgf.contains(&format!("C[{text}]")), "{text}: {sgf}");
    };
    for text in ["a", "a good", "a good move"] {
        write(text);
    }
    desk.must("undo_edit", game.clone());
    is("before");
    desk.must("redo_edit", game.clone());
    is("a good move");

    // What was taken back, a step on the board and a save each come between.
    write("a bad move");
    desk.must("undo_edit", game.clone());
    is("a good move");
    desk.must("redo_edit", game.clone());
    desk.must("go_to", json!({"gameId": id, "nodeId": 1}));
    write("a slow move");
    desk.must("undo_edit", game.clone());
    is("a bad move");
    desk.must("redo_edit", game.clone());
    desk.must("save_goban", game.clone());
    write("a slack move");
    let saved = desk.must("undo_edit", game.clone());
    is("a slow move");
    assert_eq!(saved["modified"], false, "it says what the library has");
}

#[test]
fn what_nobody_changed_is_exported_as_it_came() {
    let desk = Desk::new();
    let sgf = "(;GM[1]FF[4]CA[UTF-8]SZ[5]XY[kept: \\] so]\n;B[bb]C[第一手](;W[cb])(;W[cc]ZZ[1][2]))";
    let id = desk.open(sgf);
    assert_eq!(desk.must("export_sgf", json!({"gameId": id}))["sgf"], sgf);
    desk.must("set_comment", json!({"gameId": id, "nodeId": 1, "text": "a ] b"}));
    let after = desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    assert_eq!(after, sgf.replace("第一手", "a \\] b"));
    assert_eq!(desk.must("export_sgf", json!({"gameId": id}))["fileName"], "game.sgf");
}

#[test]
fn a_broken_record_opens_with_what_was_mended() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9];B[ee];W[ee];B[zz];W[cc");
    let view = desk.must("get_game", json!({"gameId": id}));
    let problems: Vec<&Value> =
        view["diagnostics"].as_array().unwrap().iter().map(|diagnostic| &diagnostic["problem"]).collect();
    assert!(problems.contains(&&json!({"kind": "illegalMove", "values": ["2"]})), "{problems:?}");
    assert!(problems.len() >= 3, "{problems:?}");
    assert_eq!(view["tree"]["moves"].as_array().unwrap().len(), 5);
}

#[test]
fn what_is_no_record_says_so() {
    let desk = Desk::new();
    use base64::Engine as _;
    for bytes in [&b"hello"[..], b"", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"] {
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
        let error = desk.give("open_content", json!({"name": "photo.png", "base64": base64})).unwrap_err();
        assert!(matches!(&error, ApiError::UnreadableFile { file, .. } if file == "photo.png"), "{error:?}");
    }
    let error = desk.give("open_content", json!({"name": "x", "base64": "***"})).unwrap_err();
    assert!(matches!(error, ApiError::InvalidRequest { .. }), "{error:?}");
}

#[test]
fn ten_thousand_variations_open_and_stay_quick_to_walk() {
    let desk = Desk::new();
    let mut sgf = String::from("(;SZ[19];B[dd]");
    for n in 0..10_000 {
        let point =
            |n: usize| format!("{}{}", char::from(b'a' + (n % 19) as u8), char::from(b'a' + (n / 19 % 19) as u8));
        sgf += &format!("(;W[{}];B[{}])", point(n), point(n + 7));
    }
    sgf.push(')');
    let id = desk.open(&sgf);
    let view = desk.must("navigate", json!({"gameId": id, "step": "next"}));
    assert_eq!(view["position"]["children"].as_array().unwrap().len(), 10_000);
    for _ in 0..20 {
        desk.must("navigate", json!({"gameId": id, "step": "next"}));
        desk.must("navigate", json!({"gameId": id, "step": "nextVariation"}));
    }
}

#[test]
fn a_new_game_has_its_handicap_stones_and_refuses_what_cannot_be() {
    let desk = Desk::new();
    let new = |width: u8, handicap: u8, rules: &str, komi: f64| {
        desk.give(
            "new_game",
            json!({"width": width, "height": width, "rules": rules, "komi": komi,
            "handicap": handicap, "black": "", "white": " 李 "}),
        )
    };
    let view = new(9, 3, "japanese", 0.5).unwrap();
    assert_eq!(view["info"]["white"], "李");
    assert_eq!(view["position"]["toMove"], "white");
    assert_eq!(view["info"]["rules"], "japanese");
    assert_snapshot!(diagram(&view["position"], 9), @r"
    .........
    .........
    ..X...X..
    .........
    .........
    .........
    ..X......
    .........
    .........
    ");
    for (width, handicap, rules, komi) in [
        (1, 0, "chinese", 7.5),
        (53, 0, "chinese", 7.5),
        (5, 9, "chinese", 7.5),
        (9, 0, "xiangqi", 7.5),
        (9, 0, "chinese", 7.3),
    ] {
        let error = new(width, handicap, rules, komi).unwrap_err();
        assert!(matches!(error, ApiError::InvalidRequest { .. }), "{width} {handicap} {rules} {komi}: {error:?}");
    }
}

#[test]
fn game_information_is_changed_and_can_be_undone() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]PB[A]KM[6.5]RU[Japanese])");
    let mut info = desk.must("get_game", json!({"gameId": id}))["info"].clone();
    info["black"] = json!("本因坊秀策");
    info["komi"] = json!(0);
    let view = desk.must("set_game_info", json!({"gameId": id, "info": info}));
    assert_eq!(view["info"]["black"], "本因坊秀策");
    assert_eq!(view["info"]["komi"].as_f64(), Some(0.0));
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(desk.must("export_sgf", json!({"gameId": id}))["sgf"], "(;SZ[9]PB[A]KM[6.5]RU[Japanese])");
}

#[test]
fn a_wrong_guess_of_the_character_set_is_corrected_and_taken_back() {
    let desk = Desk::new();
    // 飞龙出海 in GBK, read as EUC-KR and written in UTF-8 by another program.
    let wrong = "(;CA[UTF-8]SZ[9]PB[령질놔베]PW[plain]EV[령질];B[ee]C[one\n놔베 \\] x];W[cc])";
    let id = desk.open(wrong);
    let sgf = || desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    let offered = desk.must("text_readings", json!({"gameId": id}));
    let offered = offered.as_array().unwrap();
    assert_eq!((&offered[0]["taken"], &offered[0]["meant"]), (&json!("UTF-8"), &json!("UTF-8")));
    let right = json!({
        "taken": "EUC-KR", "meant": "gb18030", "black": "飞龙出海", "white": "plain", "event": "飞龙",
        "comment": "出海 ] x",
    });
    assert_eq!(offered[1], right, "{offered:?}");
    assert!(offered.len() > 2 && offered.len() <= 10);
    let take = |reading: &Value| {
        desk.give("read_texts", json!({"gameId": id, "taken": reading["taken"], "meant": reading["meant"]}))
    };
    take(&offered[0]).unwrap();
    assert_eq!(desk.must("get_game", json!({"gameId": id}))["canUndo"], false);
    let tree = desk.must("get_game", json!({"gameId": id}))["tree"]["ids"].clone();
    let view = take(&offered[1]).unwrap();
    assert_eq!((&view["info"]["black"], &view["tree"]["ids"]), (&json!("飞龙出海"), &tree));
    let read = "(;CA[UTF-8]SZ[9]PB[飞龙出海]PW[plain]EV[飞龙];B[ee]C[one\n出海 \\] x];W[cc])";
    assert_eq!(sgf(), read);
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(sgf(), wrong);
    desk.must("redo_edit", json!({"gameId": id}));
    assert_eq!(sgf(), read);
    // Who tries another one has made one change.
    let other = desk.must("text_readings", json!({"gameId": id}))[1].clone();
    take(&other).unwrap();
    assert_ne!(sgf(), read);
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(sgf(), wrong);
    for (taken, meant) in [("EUC-KR", "klingon"), ("windows-1252", "UTF-8")] {
        assert!(take(&json!({"taken": taken, "meant": meant})).is_err(), "{taken}");
    }
    assert_eq!(sgf(), wrong);
}

#[test]
fn the_comment_on_a_game_is_kept_in_its_place() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]GC[a \\] game]XX[kept];B[ee]C[a move])");
    let mut info = desk.must("get_game", json!({"gameId": id}))["info"].clone();
    assert_eq!(info["comment"], "a ] game");
    info["comment"] = json!("two\nlines");
    let changed = desk.must("set_game_info", json!({"gameId": id, "info": info}));
    assert_eq!(changed["info"]["comment"], "two\nlines");
    let sgf = || desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    assert_eq!(sgf(), "(;SZ[9]GC[two\nlines]XX[kept];B[ee]C[a move])");
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(sgf(), "(;SZ[9]GC[a \\] game]XX[kept];B[ee]C[a move])");
}

#[test]
fn comments_of_katrain_are_kept_and_not_shown_as_the_persons() {
    let desk = Desk::new();
    let katrain = "\nScore: B+2.5\n\u{3164}\u{200b}";
    let id = desk.open(&format!("(;SZ[9]C[{katrain}];B[ee]C[mine\n\u{3164}\u{3164}{katrain}])"));
    let view = desk.must("get_game", json!({"gameId": id}));
    assert_eq!((&view["tree"]["comments"], &view["position"]["comment"]), (&json!([0, 1]), &json!("")));
    let node = &view["tree"]["ids"][1];
    let there = desk.must("go_to", json!({"gameId": id, "nodeId": node}));
    assert_eq!(there["position"]["comment"], "mine");
    desk.must("set_comment", json!({"gameId": id, "nodeId": node, "text": "other"}));
    let sgf = desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    assert!(sgf.ends_with(&format!(";B[ee]C[other\n\u{3164}\u{3164}{katrain}])")), "{sgf}");
}

#[test]
fn rules_have_the_names_that_other_programs_know() {
    let desk = Desk::new();
    for (rules, written) in
        [("new-zealand", "NZ"), ("ing", "GOE"), ("japanese", "Japanese"), ("korean", "korean"), ("aga", "AGA")]
    {
        let view = desk.must(
            "new_game",
            json!({"width": 9, "height": 9, "rules": rules, "komi": 7, "handicap": 0, "black": "", "white": ""}),
        );
        let id = &view["gameId"];
        let sgf = || desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
        assert_eq!(view["info"]["rules"], rules);
        assert!(sgf().contains(&format!("RU[{written}]")), "{}", sgf());
        let mut info = view["info"].clone();
        for name in ["chinese", rules] {
            info["rules"] = json!(name);
            let changed = desk.must("set_game_info", json!({"gameId": id, "info": info}));
            assert_eq!(changed["info"]["rules"], name);
        }
        assert!(sgf().contains(&format!("RU[{written}]")), "{}", sgf());
    }
}

#[test]
fn another_komi_changes_no_rules_that_the_record_leaves_open() {
    let desk = Desk::new();
    // Read off the komi.
    for (komi, rules) in [("7.5", "chinese"), ("6.5", "japanese")] {
        let id = desk.open(&format!("(;SZ[9]KM[{komi}];B[ee])"));
        let mut info = desk.must("get_game", json!({"gameId": id}))["info"].clone();
        assert_eq!(info["rules"], rules);
        info["komi"] = json!(5.5 + f64::from(u8::from(rules == "japanese")) * 2.0);
        let view = desk.must("set_game_info", json!({"gameId": id, "info": info}));
        assert_eq!((&view["info"]["rules"], &view["info"]["komi"]), (&json!(rules), &info["komi"]));
    }
}

#[test]
fn a_komi_that_the_record_leaves_open_stays_when_something_else_is_changed() {
    let desk = Desk::new();
    for (field, value) in [("rules", json!("japanese")), ("handicap", json!(2)), ("date", json!("1846-09-11"))] {
        let id = desk.open("(;SZ[9];B[ee])");
        let mut info = desk.must("get_game", json!({"gameId": id}))["info"].clone();
        assert_eq!((&info["rules"], info["komi"].as_f64()), (&json!("chinese"), Some(7.5)));
        info[field] = value;
        let changed = desk.must("set_game_info", json!({"gameId": id, "info": info}));
        for same in [field, "rules", "komi"] {
            assert_eq!(changed["info"][same], info[same], "{field}");
        }
        desk.must("undo_edit", json!({"gameId": id}));
        assert_eq!(desk.must("export_sgf", json!({"gameId": id}))["sgf"], "(;SZ[9];B[ee])");
    }
}

#[test]
fn a_game_of_fox_can_be_given_no_komi() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[19]KM[0]HA[0]RU[Japanese]AP[foxwq];B[pd])");
    let mut info = desk.must("get_game", json!({"gameId": id}))["info"].clone();
    assert_eq!(info["komi"].as_f64(), Some(6.5));
    info["komi"] = json!(0);
    let changed = desk.must("set_game_info", json!({"gameId": id, "info": info}));
    assert_eq!(changed["info"]["komi"].as_f64(), Some(0.0));
}

#[test]
fn a_komi_of_a_hundred_points_and_more_is_played_with() {
    let desk = Desk::new();
    let begun = desk.must(
        "new_game",
        json!({"width": 9, "height": 9, "rules": "chinese", "komi": 150, "handicap": 0, "black": "", "white": ""}),
    );
    assert_eq!(begun["info"]["komi"].as_f64(), Some(150.0));
    let mut info = begun["info"].clone();
    info["komi"] = json!(-120);
    let changed = desk.must("set_game_info", json!({"gameId": begun["gameId"], "info": info}));
    assert_eq!(changed["info"]["komi"].as_f64(), Some(-120.0));
}

#[test]
fn a_position_is_counted_with_its_arithmetic() {
    let desk = Desk::new();
    // A dead white stone in Black's half.
    let id = desk.open("(;SZ[5]RU[Japanese]KM[0.5]AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de][aa])");
    let counted = desk.must("score", json!({"gameId": id, "dead": [0]}));
    assert_eq!(counted["dead"], json!([0]));
    assert_eq!(counted["black"]["territory"].as_f64(), Some(10.0));
    assert_eq!(counted["black"]["prisoners"].as_f64(), Some(1.0));
    assert_eq!(counted["white"]["territory"].as_f64(), Some(5.0));
    assert_eq!(counted["white"]["bonus"].as_f64(), Some(0.5));
    assert_eq!(counted["result"], "B+5.5");
}

#[test]
fn a_file_is_saved_in_one_step_and_only_where_paths_are_allowed() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5])");
    desk.must("play", json!({"gameId": id, "vertex": 12}));
    let path = desk.path("out.sgf");
    let update = desk.must("save_file", json!({"gameId": id, "path": path}));
    assert_eq!(update["modified"], false);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "(;SZ[5];B[cc])");
    let opened = desk.must("open_file", json!({"path": path}));
    assert_eq!(opened["fileName"], "out.sgf");

    let error = desk.give("save_file", json!({"gameId": id, "path": desk.path("no/such/folder.sgf")})).unwrap_err();
    assert!(matches!(error, ApiError::UnwritableFile { .. }), "{error:?}");
    let browser = Desk::without_paths();
    let error = browser.give("open_file", json!({"path": path})).unwrap_err();
    assert!(matches!(error, ApiError::NotPossibleHere { .. }), "{error:?}");
}

#[test]
fn marks_lines_and_arrows_are_drawn_kept_and_undone() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5]XX[kept]L[aa]TR[bb])");
    let before = desk.must("get_game", json!({"gameId": id}))["position"].clone();
    assert_eq!(before["marks"].as_array().unwrap().len(), 2);
    let update = desk.must(
        "set_marks",
        json!({"gameId": id, "nodeId": 0,
            "marks": [{"point": 0, "shape": "label", "label": "a:]\\b"}, {"point": 6, "shape": "dimmed", "label": ""}],
            "links": [{"from": 0, "to": 24, "arrow": true}, {"from": 1, "to": 2, "arrow": false}]}),
    );
    assert_eq!(update["position"]["links"][1], json!({"from": 0, "to": 24, "arrow": true}));
    assert_eq!(update["position"]["marks"][1]["label"], "a:]\\b");
    assert_eq!((&update["canUndo"], &update["tree"]), (&json!(true), &json!(null)));
    let sgf = desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    assert_snapshot!(sgf, @r"(;SZ[5]XX[kept]DD[bb]LB[aa:a\:\]\\b]LN[ba:ca]AR[aa:ee])");
    let undone = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(undone["position"], before);
    assert_eq!(desk.must("export_sgf", json!({"gameId": id}))["sgf"], "(;SZ[5]XX[kept]L[aa]TR[bb])");

    let outside =
        json!({"gameId": id, "nodeId": 0, "marks": [{"point": 25, "shape": "circle", "label": ""}], "links": []});
    let error = desk.give("set_marks", outside).unwrap_err();
    assert!(matches!(error, ApiError::InvalidRequest { .. }), "{error:?}");
}

#[test]
fn annotations_are_read_changed_and_taken_back() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9];B[ee]TE[2]BM[1]XX[kept]GB[];W[cc])");
    let sgf = || desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    let set = |node: u32, annotations: Value| {
        desk.give("set_annotations", json!({"gameId": id, "nodeId": node, "annotations": annotations}))
    };
    // Of two that exclude each other the first one is shown.
    let shown = json!({"onMove": "veryGood", "onPosition": "goodForBlack", "hotspot": null});
    let before = desk.must("go_to", json!({"gameId": id, "nodeId": 1}));
    assert_eq!(before["position"]["annotations"], shown);
    let view = desk.must("get_game", json!({"gameId": id}));
    assert_eq!(view["tree"]["annotated"], json!([{"nodeId": 1, "annotations": shown}]));
    let same = set(1, shown.clone()).unwrap();
    assert_eq!((&same["canUndo"], sgf().contains("TE[2]BM[1]XX[kept]GB[]")), (&json!(false), true));

    let wanted = json!({"onMove": "doubtful", "onPosition": "veryGoodForBlack", "hotspot": "major"});
    let update = set(1, wanted.clone()).unwrap();
    assert_eq!((&update["position"]["annotations"], &update["modified"]), (&wanted, &json!(true)));
    assert_eq!(update["tree"]["annotated"], json!([{"nodeId": 1, "annotations": wanted}]));
    assert_eq!(sgf(), "(;SZ[9];B[ee]XX[kept]GB[2]DO[]HO[2];W[cc])");
    let undone = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!((&undone["position"]["annotations"], &undone["modified"]), (&shown, &json!(false)));
    assert_eq!(sgf(), "(;SZ[9];B[ee]XX[kept]GB[]TE[2]BM[1];W[cc])");
    desk.must("redo_edit", json!({"gameId": id}));
    assert_eq!(sgf(), "(;SZ[9];B[ee]XX[kept]GB[2]DO[]HO[2];W[cc])");

    let nothing = json!({"onMove": null, "onPosition": null, "hotspot": null});
    let cleared = set(1, nothing.clone()).unwrap();
    assert_eq!((&cleared["tree"]["annotated"], sgf()), (&json!([]), "(;SZ[9];B[ee]XX[kept];W[cc])".to_owned()));

    // Without a move there is none to be good or bad; a position is there all the same.
    let mut wrong = nothing.clone();
    wrong["onMove"] = json!("good");
    let error = set(0, wrong).unwrap_err();
    assert!(matches!(error, ApiError::InvalidRequest { .. }), "{error:?}");
    let mut even = nothing;
    even["onPosition"] = json!("even");
    set(0, even.clone()).unwrap();
    assert_eq!(sgf(), "(;SZ[9]DM[1];B[ee]XX[kept];W[cc])");
    let error = set(77, even).unwrap_err();
    assert!(matches!(error, ApiError::NotFound { .. }), "{error:?}");
}

#[test]
fn a_node_is_named_in_one_line() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]N[the\nstart];B[ee])");
    let name = |text: &str| {
        let update = desk.must("set_node_name", json!({"gameId": id, "nodeId": 0, "name": text}));
        (update["position"]["name"].clone(), update["canUndo"].clone())
    };
    assert_eq!(name("the start"), (json!("the start"), json!(false)));
    assert_eq!(name(" A [ladder]\n works "), (json!("A [ladder]  works"), json!(true)));
    let sgf = || desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    assert_eq!(sgf(), "(;SZ[9]N[A [ladder\\]  works];B[ee])");
    assert_eq!(name("").0, json!(""));
    assert_eq!(sgf(), "(;SZ[9];B[ee])");
    desk.must("undo_edit", json!({"gameId": id}));
    let undone = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!((&undone["position"]["name"], sgf()), (&json!("the start"), "(;SZ[9]N[the\nstart];B[ee])".to_owned()));
}

#[test]
fn stones_are_set_up_beside_play_and_the_turn_is_chosen() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5];B[bb];W[cc])");
    desk.must("navigate", json!({"gameId": id, "step": "last"}));
    let set = |points: &[u16], stone: Option<&str>| {
        desk.must("set_stones", json!({"gameId": id, "points": points, "stone": stone}))
    };
    // The move stays a move: the stones stand in a node of their own.
    let update = set(&[0, 1], Some("white"));
    assert_eq!(update["tree"]["moves"], json!([-2, 6, 12, -2]));
    set(&[6], None);
    set(&[1], Some("black"));
    let update = desk.must("set_to_move", json!({"gameId": id, "side": "white"}));
    assert_eq!(update["position"]["toMove"], "white");
    assert_snapshot!(diagram(&update["position"], 5), @r"
    OX...
    .....
    ..O..
    .....
    .....
    ");
    let sgf = |desk: &Desk| desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
    assert_snapshot!(sgf(&desk), @"(;SZ[5];B[bb];W[cc];AW[aa]AE[bb]AB[ba]PL[W])");
    // What is as it was before needs no property.
    set(&[0, 1], None);
    set(&[6], Some("black"));
    assert_snapshot!(sgf(&desk), @"(;SZ[5];B[bb];W[cc];PL[W])");
    for _ in 0..6 {
        desk.must("undo_edit", json!({"gameId": id}));
    }
    assert_eq!(sgf(&desk), "(;SZ[5];B[bb];W[cc])");
}

#[test]
fn of_a_large_tree_an_undo_sends_what_changed_alone() {
    let desk = Desk::new();
    // 250 variations of 200 moves each, all passes but the first.
    let variation = |number: usize| {
        let (x, y) = (char::from(b'a' + (number % 19) as u8), char::from(b'a' + (number / 19) as u8));
        format!("(;B[{x}{y}]{})", ";W[];B[]".repeat(100))
    };
    let id = desk.open(&format!("(;SZ[19]{})", (0..250).map(variation).collect::<String>()));
    let timed = |name: &str, args: Value| {
        let begun = std::time::Instant::now();
        let answer = desk.must(name, args);
        let bytes = answer.to_string().len();
        println!("{name}: {bytes} bytes, {:.1} ms", begun.elapsed().as_secs_f64() * 1e3);
        (answer, bytes)
    };
    let game = json!({"gameId": id});
    let (whole, size) = timed("get_game", game.clone());
    assert_eq!(whole["tree"]["ids"].as_array().unwrap().len(), 50_251);
    desk.must("play", json!({"gameId": id, "vertex": 360}));
    desk.must("delete_variation", json!({"gameId": id, "nodeId": 1}));
    desk.must("set_comment", json!({"gameId": id, "nodeId": 0, "text": "here"}));
    desk.must(
        "set_marks",
        json!({"gameId": id, "nodeId": 0, "marks": [], "links": [{"from": 0, "to": 24, "arrow": true}]}),
    );
    let (marks, _) = timed("undo_edit", game.clone());
    let (comment, _) = timed("undo_edit", game.clone());
    let (deleted, _) = timed("undo_edit", game.clone());
    let (played, played_size) = timed("undo_edit", game.clone());
    let (again, again_size) = timed("redo_edit", game.clone());
    let told = |update: &Value| ["tree", "grown", "cut"].map(|name| update[name] != Value::Null);
    assert_eq!(told(&marks), [true, false, false]);
    assert_eq!(told(&comment), [true, false, false]);
    assert_eq!(told(&deleted), [true, false, false], "it was the first of its siblings");
    assert_eq!((told(&played), told(&again)), ([false, false, true], [false, true, false]));
    assert!([played_size, again_size].iter().all(|bytes| bytes * 20 < size));
    assert_eq!(desk.must("get_game", game)["tree"]["ids"].as_array().unwrap().len(), 50_252);
}

#[test]
fn a_line_becomes_a_variation_in_one_step() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5];B[bb];W[cb];B[cc])");
    desk.must("go_to", json!({"gameId": id, "nodeId": 1}));
    let moves = |view: &serde_json::Value| view["tree"]["moves"].clone();
    let before = desk.must("get_game", json!({"gameId": id}));
    // The first move is there already; a pass is a move, too.
    let added = desk.must("add_line", json!({"gameId": id, "nodeId": 1, "moves": [7, 18, null]}));
    let branch = &added["grown"]["branch"];
    assert_eq!((&branch["moves"], &branch["parents"]), (&json!([18, -1]), &json!([0, 0])));
    assert_eq!(added["grown"]["parent"], 2);
    assert_eq!(
        (&added["position"]["nodeId"], &added["position"]["line"]),
        (&json!(1), &json!([0, 1, 2, 3])),
        "one stays in the game"
    );
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(moves(&desk.must("get_game", json!({"gameId": id}))), moves(&before));
    for line in [json!([7, 7]), json!([25])] {
        let error = desk.give("add_line", json!({"gameId": id, "nodeId": 1, "moves": line})).unwrap_err();
        assert!(matches!(error, ApiError::IllegalMove { .. }), "{error:?}");
    }
    assert_eq!(
        moves(&desk.must("get_game", json!({"gameId": id}))),
        moves(&before),
        "a line is added whole or not at all"
    );
}

#[test]
fn variations_are_cut_pasted_and_moved() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5];B[bb](;W[cb]C[a \\] b];B[cc])(;W[bc];B[cd](;W[dd])(;W[ee])))");
    let moves = || desk.must("get_game", json!({"gameId": id}))["tree"]["moves"].clone();
    let copied = desk.must("copy_variation", json!({"gameId": id, "nodeId": 4}))["sgf"].clone();
    assert_eq!(copied, "(;GM[1]FF[4]CA[UTF-8]AP[Honinbo]SZ[5];W[bc];B[cd](;W[dd])(;W[ee]))");
    desk.must("delete_variation", json!({"gameId": id, "nodeId": 4}));
    let pasted = desk.must("paste_variation", json!({"gameId": id, "nodeId": 3, "sgf": copied}));
    assert_eq!(moves(), json!([-2, 6, 7, 12, 11, 17, 18, 24]));
    assert_eq!(pasted["position"]["moveNumber"], 4, "one stands on what was pasted");
    desk.must("undo_edit", json!({"gameId": id}));
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(moves(), json!([-2, 6, 7, 12, 11, 17, 18, 24]), "the same moves in their first place");

    let up = desk.must("move_variation", json!({"gameId": id, "nodeId": 4, "up": true}));
    assert_eq!(up["tree"]["moves"], json!([-2, 6, 11, 17, 18, 24, 7, 12]));
    desk.must("move_variation", json!({"gameId": id, "nodeId": 4, "up": true}));
    desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(moves(), json!([-2, 6, 7, 12, 11, 17, 18, 24]));

    for sgf in ["", "no record", "(;SZ[9];B[aa])", "(;SZ[5])"] {
        let error = desk.give("paste_variation", json!({"gameId": id, "nodeId": 0, "sgf": sgf})).unwrap_err();
        assert!(matches!(error, ApiError::InvalidRequest { .. }), "{sgf}: {error:?}");
    }
}

#[test]
fn one_variation_is_kept_and_the_others_come_back_in_their_places() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[5](;B[bb](;W[cb])(;W[bc];B[cd](;W[dd])(;W[ee]))(;W[aa]))(;B[cc];W[dd]))");
    let game = json!({"gameId": id});
    let moves = || desk.must("get_game", game.clone())["tree"]["moves"].clone();
    let before = moves();
    // One stands in a variation that goes.
    desk.must("go_to", json!({"gameId": id, "nodeId": 9}));
    let kept = desk.must("keep_variation", json!({"gameId": id, "nodeId": 3}));
    assert_eq!(kept["tree"]["moves"], json!([-2, 6, 11, 17, 18, 24]), "what follows the node stays, variations too");
    assert_eq!((&kept["position"]["nodeId"], &kept["modified"]), (&json!(3), &json!(true)));
    let again = desk.must("keep_variation", json!({"gameId": id, "nodeId": 3}));
    assert_eq!(again["tree"], json!(null), "there is no other one left");
    desk.must("keep_variation", json!({"gameId": id, "nodeId": 6}));
    assert_eq!(moves(), json!([-2, 6, 11, 17, 24]));
    desk.must("undo_edit", game.clone());
    let back = desk.must("undo_edit", game.clone());
    assert_eq!((moves(), &back["modified"]), (before.clone(), &json!(false)));
    desk.must("redo_edit", game.clone());
    assert_eq!(moves(), json!([-2, 6, 11, 17, 18, 24]));
    desk.must("undo_edit", game.clone());
    desk.must("keep_variation", json!({"gameId": id, "nodeId": 0}));
    assert_eq!(moves(), before, "every variation goes through the root");
    assert!(desk.give("keep_variation", json!({"gameId": id, "nodeId": 99})).is_err());
}

#[test]
fn a_game_begins_with_a_position_of_another_one() {
    let desk = Desk::new();
    let sgf = "(;GM[1]FF[4]SZ[5]RU[Japanese]KM[5.5]PB[Cho]PW[Otake]RE[W+R]\
               ;B[bb];W[ab];B[ba];W[aa]BL[30];B[ca]C[here]TE[1]TR[ca](;W[dd]C[so];B[cc])(;W[ee];B[]))";
    let id = desk.open(sgf);
    let new = desk.must("open_from", json!({"gameId": id, "nodeId": 5}));
    assert_ne!(new["gameId"], json!(id));
    assert_eq!((&new["position"]["moveNumber"], &new["position"]["toMove"]), (&json!(0), &json!("white")));
    assert_eq!(new["modified"], true, "nothing keeps it yet");
    assert_eq!(new["tree"]["moves"], json!([-2, 18, 12, 24, -1]));
    assert_snapshot!(diagram(&new["position"], 5), @r"
    OXX..
    OX...
    .....
    .....
    .....
    ");
    let written = desk.must("export_sgf", json!({"gameId": new["gameId"]}))["sgf"].as_str().unwrap().to_owned();
    for kept in ["PB[Cho]", "PW[Otake]", "RU[Japanese]", "KM[5.5]", "PL[W]", "C[here]", "TR[ca]", "(;W[dd]C[so];B[cc])"]
    {
        assert!(written.contains(kept), "{kept}: {written}");
    }
    for left_out in ["RE[", "TE[", "BL[", "B[ca]"] {
        assert!(!written.contains(left_out), "{left_out}: {written}");
    }
    assert_eq!(desk.must("export_sgf", json!({"gameId": id}))["sgf"], sgf, "the other game stays as it is");

    let whole = desk.must("open_from", json!({"gameId": id, "nodeId": 0}));
    assert_eq!(desk.must("export_sgf", json!({"gameId": whole["gameId"]}))["sgf"], sgf);
    assert!(desk.give("open_from", json!({"gameId": id, "nodeId": 99})).is_err());

    // Joined edges stay joined.
    let torus = desk.open("(;SZ[5]TOPO[torus]KM[7];B[aa];W[cc];B[ee])");
    let new = desk.must("open_from", json!({"gameId": torus, "nodeId": 2}));
    assert_eq!((&new["topology"], &new["info"]["komi"]), (&json!("torus"), &json!(7.0)));
}

#[test]
fn words_are_found_in_comments_and_names() {
    let desk = Desk::new();
    let katrain = "\nMove 1: B C3\n\u{3164}\u{200b}";
    let sgf = format!(
        "(;SZ[5]C[Joseki of the 3-4 point];B[bb]C[{katrain}](;W[cb]N[Large knight]C[A good\nshape])(;W[bc];B[cd]C[圍棋定石: not so Good]))"
    );
    let id = desk.open(&sgf);
    let find = |words: &str| {
        let found = desk.must("find_places", json!({"gameId": id, "words": words}));
        let nodes: Vec<u64> =
            found["places"].as_array().unwrap().iter().map(|place| place["nodeId"].as_u64().unwrap()).collect();
        assert_eq!(found["total"], nodes.len());
        nodes
    };
    assert_eq!(find("good"), [2, 4]);
    assert_eq!(find("GOOD knight"), [2], "all words, wherever they stand");
    assert_eq!(find("围棋"), [4], "in either form of the characters");
    assert_eq!(find(" "), [0, 2, 4], "everything that is said, but for what another program wrote");
    assert_eq!(find("katrain"), [0_u64; 0]);
    let found = desk.must("find_places", json!({"gameId": id, "words": "shape"}));
    assert_eq!(
        found["places"],
        json!([{"nodeId": 2, "moveNumber": 2, "name": "Large knight", "comment": "A good shape"}])
    );
}

#[test]
fn a_torus_and_a_large_board_can_be_begun() {
    let desk = Desk::new();
    let new = |width: u8, topology: &str| {
        desk.must(
            "new_game",
            json!({"width": width, "height": width, "topology": topology, "rules": "chinese", "komi": 7.5,
                "handicap": 0, "black": "", "white": ""}),
        )
    };
    let torus = new(9, "torus");
    assert_eq!(torus["topology"], "torus");
    let id = torus["gameId"].clone();
    // Four stones around the corner take it: its neighbours are at the other edges.
    for vertex in [1, 0, 8, 40, 9, 41, 72] {
        desk.must("play", json!({"gameId": id, "vertex": vertex}));
    }
    let view = desk.must("get_game", json!({"gameId": id}));
    assert_eq!((&view["position"]["stones"][0], &view["position"]["capturedByBlack"]), (&json!(0), &json!(1)));
    assert_eq!(new(52, "plane")["position"]["stones"].as_array().unwrap().len(), 52 * 52);
}

#[test]
fn a_cylinder_is_shown_as_one() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]TOPO[cylinder]KM[7.5];B[ae];W[ie])");
    let view = desk.must("get_game", json!({"gameId": id}));
    assert_eq!(view["topology"], "cylinder");
    let board = json!({"width": 9, "height": 9, "topology": "cylinder", "rules": "chinese", "komi": 7.5,
        "handicap": 0, "black": "", "white": ""});
    let begun = desk.must("new_game", board);
    assert_eq!(begun["topology"], "cylinder");
    // A stone on the left edge of the middle row has the right edge beside it.
    let id = &begun["gameId"];
    for vertex in [36, 27, 80, 45, 79, 37, 78, 44] {
        desk.must("play", json!({"gameId": id, "vertex": vertex}));
    }
    let view = desk.must("get_game", json!({"gameId": id}));
    assert_eq!((&view["position"]["stones"][36], &view["position"]["capturedByWhite"]), (&json!(0), &json!(1)));
}

#[test]
fn the_rules_of_daoqi_join_no_edges_by_themselves() {
    let desk = Desk::new();
    let new = |topology: &str, rules: &str| {
        let board = json!({"width": 9, "height": 9, "topology": topology, "rules": rules, "komi": 4,
            "handicap": 0, "black": "", "white": ""});
        desk.must("new_game", board)
    };
    let read_again = |id: &Value| {
        let sgf = desk.must("export_sgf", json!({"gameId": id}))["sgf"].as_str().unwrap().to_owned();
        desk.must("get_game", json!({"gameId": desk.open(&sgf)}))["topology"].clone()
    };
    for topology in ["plane", "torus"] {
        for (rules, others) in [("daoqi", "chinese"), ("chinese", "daoqi")] {
            let game = new(topology, rules);
            assert_eq!(game["topology"], topology, "{rules}");
            let id = &game["gameId"];
            assert_eq!(read_again(id), topology, "{rules}");
            let mut info = game["info"].clone();
            info["rules"] = others.into();
            desk.must("set_game_info", json!({"gameId": id, "info": info}));
            assert_eq!(desk.must("get_game", json!({"gameId": id}))["topology"], topology, "{rules}, then {others}");
            assert_eq!(read_again(id), topology, "{rules}, then {others}");
        }
    }
}

#[test]
fn moves_are_inserted_and_the_game_goes_on_after_them_as_far_as_it_can() {
    let desk = Desk::new();
    let id = desk.open("(;SZ[9]KM[7.5];B[ee];W[cc];B[gg]C[here](;W[gc];B[aa])(;W[cg]))");
    desk.must("go_to", json!({"gameId": id, "nodeId": 1}));
    desk.must("play", json!({"gameId": id, "vertex": 10}));
    desk.must("play", json!({"gameId": id, "vertex": 20}));
    let before = desk.must("get_game", json!({"gameId": id}));
    let wanted = json!({"gameId": id, "nodeId": 8, "following": 2});
    let answer = desk.must("continue_game", wanted.clone());
    // White's move stands where Black's second one was put.
    assert_eq!(answer["leftOut"], json!([{"nodeId": 2, "vertex": 20}]));
    assert_eq!(answer["moves"], 4);
    assert_eq!(answer["update"]["position"]["nodeId"], 8, "one stays at the end of what was inserted");
    assert_eq!(answer["update"]["position"]["line"].as_array().unwrap().len(), 7);
    let next = desk.must("navigate", json!({"gameId": id, "step": "next"}));
    assert_eq!((&next["position"]["lastMove"], &next["position"]["comment"]), (&json!(60), &json!("here")));
    assert_eq!(next["position"]["children"].as_array().unwrap().len(), 2);

    let undone = desk.must("undo_edit", json!({"gameId": id}));
    assert_eq!(undone["tree"]["ids"], before["tree"]["ids"], "what followed before is as it was");
    assert_eq!(undone["position"]["nodeId"], 8);

    for (node, following) in [(3, 2), (2, 2), (8, 0), (8, 77), (77, 2)] {
        let wrong = json!({"gameId": id, "nodeId": node, "following": following});
        desk.give("continue_game", wrong).unwrap_err();
    }
    // What cannot be played at all is left out to the last move, and nothing is changed.
    let full = desk.open("(;SZ[2]KM[0];B[aa];W[bb])");
    desk.must("play", json!({"gameId": full, "vertex": 3}));
    let answer = desk.must("continue_game", json!({"gameId": full, "nodeId": 3, "following": 2}));
    assert_eq!((&answer["moves"], answer["leftOut"].as_array().unwrap().len()), (&json!(0), 1));
    assert_eq!(answer["update"]["canUndo"], true, "the inserted move itself");
}
