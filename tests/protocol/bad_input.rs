//! Whatever is wrong gives one sentence: nothing hangs, nothing panics.

use crate::support::{Honinbo, engine, famous_game, small_network};
use std::path::Path;

fn written(honinbo: &Honinbo, name: &str, content: &[u8]) -> String {
    let path = honinbo.data.path().join(name);
    std::fs::write(&path, content).unwrap();
    path.display().to_string()
}

#[test]
fn files_that_are_no_records() {
    let honinbo = Honinbo::new();
    let empty = written(&honinbo, "empty.sgf", b"");
    let noise = written(&honinbo, "noise.sgf", &(0..=255).cycle().take(100_000).collect::<Vec<u8>>());
    let text = written(&honinbo, "text.sgf", "日本棋院".as_bytes());
    for file in [empty.as_str(), &noise, &text, "/no/such/file.sgf", honinbo.data.path().to_str().unwrap()] {
        let ended = honinbo.run(&["run", file, "--json"]);
        assert!(ended.failure().contains(file), "{ended:?}");
        assert_eq!(ended.json()["error"]["kind"], "unreadableFile", "{ended:?}");
    }
    let strange = "/no/such/\u{1b}[2Jfile\n.sgf";
    assert!(!honinbo.run(&["run", strange]).failure().contains('\u{1b}'));
}

#[test]
fn values_that_make_no_sense() {
    let honinbo = Honinbo::new();
    for (flag, value) in [("--rules", "nonsense"), ("--komi", "0.3"), ("--komi", "100000"), ("--komi", "nan")] {
        let ended = honinbo.run(&["run", &famous_game(), flag, value, "--json"]);
        ended.failure();
        assert_eq!(ended.json()["error"]["kind"], "invalidRequest", "{flag} {value}: {ended:?}");
    }
}

#[test]
fn networks_that_are_not_there_or_no_networks() {
    let honinbo = Honinbo::new();
    let damaged = written(&honinbo, "damaged.bin.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\0");
    let other = written(&honinbo, "notes.txt.gz", b"no network");
    for network in ["no-such-network.bin.gz", "/no/such/network.bin.gz"] {
        let ended = honinbo.run(&["net", "info", network]);
        assert!(ended.failure().contains(network), "{ended:?}");
    }
    for network in [&damaged, &other] {
        let ended = honinbo.run(&["net", "info", network]);
        assert!(ended.failure().contains(network.as_str()), "{ended:?}");
        let target = honinbo.data.path().join("out.onnx").display().to_string();
        honinbo.run(&["net", "convert", network, &target]).failure();
        assert!(!Path::new(&target).exists());
    }
    let ended = honinbo.run(&["run", &famous_game(), "--net", "no-such-network.bin.gz", "--json"]);
    assert!(ended.failure().contains("no-such-network.bin.gz"), "{ended:?}");
    assert_eq!(ended.json()["error"]["kind"], "engineUnavailable");
}

#[test]
fn a_truncated_network_is_refused() {
    let network = small_network();
    let honinbo = Honinbo::new();
    let bytes = std::fs::read(&network).unwrap();
    for length in [10, 1000, bytes.len() / 2, bytes.len() - 1] {
        let cut = written(&honinbo, "cut.bin.gz", &bytes[..length]);
        let ended = honinbo.run(&["net", "info", &cut]);
        assert!(ended.failure().contains("cut.bin.gz"), "{length}: {ended:?}");
    }
}

#[test]
fn onnx_runtime_that_is_missing_or_something_else() {
    let network = small_network();
    for library in ["/no/such/libonnxruntime.so", &famous_game()] {
        let honinbo = Honinbo::new().with("HONINBO_ONNXRUNTIME", library);
        let ended = honinbo.run(&["run", &famous_game(), "--net", &network, "--visits", "2", "--json"]);
        assert!(ended.failure().contains("; "), "no remedy: {ended:?}");
        assert_eq!(ended.json()["error"]["kind"], "engineUnavailable", "{ended:?}");
        honinbo.run(&["net", "bench", &network]).failure();
    }
}

#[test]
fn a_device_that_is_not_there() {
    let Some(network) = engine() else { return };
    let honinbo = Honinbo::new();
    for device in ["directml", "teapot"] {
        let ended = honinbo.run(&["run", &famous_game(), "--net", &network, "--device", device, "--visits", "2"]);
        assert!(ended.failure().contains(device), "{ended:?}");
    }
}

#[test]
fn a_data_folder_that_cannot_be() {
    let honinbo = Honinbo::new();
    let file = written(&honinbo, "a-file", b"");
    let ended = honinbo.run(&["library", "import", &famous_game(), "--data", &file]);
    assert!(ended.failure().contains("a-file"), "{ended:?}");
    let ended = honinbo.run(&["net", "fetch", &famous_game(), "--name", "a.bin.gz", "--data", &file]);
    assert!(ended.failure().contains("a-file"), "{ended:?}");
}

#[test]
fn recordings_that_are_not_there() {
    let honinbo = Honinbo::new();
    let folder = honinbo.data.path().display().to_string();
    for what in ["net", "search"] {
        for golden in ["/no/such/folder", &folder] {
            let ended = honinbo.run(&[what, "check", "--golden", golden]);
            assert!(ended.failure().contains(golden) || ended.stderr.contains("ONNX Runtime"), "{ended:?}");
        }
    }
}

#[test]
fn addresses_that_cannot_be_served() {
    let honinbo = Honinbo::new();
    for address in ["nonsense", "127.0.0.1:99999", "256.0.0.1:80", ""] {
        let ended = honinbo.run(&["serve", "--tcp", address]);
        assert_eq!(ended.status, 1, "{address:?}: {ended:?}");
        ended.failure();
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(honinbo.run(&["serve", "--http", &address]).failure().contains("another program uses that port"));
    assert!(honinbo.run(&["serve", "--http", "0", "--web", "/no/such"]).failure().contains("/no/such"));
}

#[test]
fn a_sentence_says_what_is_wrong_and_what_to_do() {
    let honinbo = Honinbo::new();
    let game = famous_game();
    let othello = written(&honinbo, "othello.sgf", b"(;GM[2]SZ[8]PB[a];B[aa])");
    let config = written(&honinbo, "my.toml", b"seed = 1\n[fit]\nbatches = 3\n");
    let blank = written(&honinbo, "blank.txt", b"\n\n");
    let new = |name: &str| honinbo.data.path().join(name).display().to_string();
    let (pdf, apkg, run) = (new("book.pdf"), new("cards.apkg"), new("run"));
    assert_eq!(honinbo.run(&["library", "import", &game]).status, 0);
    let rules = "`nonsense` is no known ruleset; use one of chinese, ";
    let not_go = "othello.sgf: is no record of a game of Go: game type 2 is not Go";
    let wrong: [(&[&str], &str); 19] = [
        (&["run", &game, "--rules", "nonsense"], rules),
        (&["genconfig", "--rules", "nonsense"], rules),
        (&["run", &othello], not_go),
        (&["review", &othello], not_go),
        (&["genconfig", "--output", "/no/such/gtp.cfg"], "/no/such/gtp.cfg cannot be written: "),
        (&["net", "fetch", "ftp://example.org"], "ftp://example.org is not an https address; use https"),
        (&["net", "remove", "nothing"], "; `honinbo net list` names those that are here"),
        (&["net", "remove", "nothing.bin.gz"], "; `honinbo net list` names those that are here"),
        (&["net", "runtime", "remove", "nothing"], "; `honinbo net runtime list` names those there are"),
        (&["library", "sources", "remove", "9"], "; `honinbo library sources list` names all"),
        (&["library", "edit", "1", "--set", "KM=much"], "`KM[much]` cannot be written: it is no date, result or komi"),
        (&["library", "edit", "1", "--set", "AB=aa"], "only facts such as EV, PC, DT"),
        (
            &["train", &run, "--config", &config],
            "my.toml is no configuration of a run: line 3: unknown field `batches`",
        ),
        (&["library", "pattern", &blank], "blank.txt is empty; draw lines of X O"),
        (&["booklet", "/no/such.sgf", "--out", &pdf], "/no/such.sgf cannot be read: "),
        (&["booklet", "--out", &pdf], "there are no cards in the data folder yet; practise in the window first"),
        (&["booklet", "--out", &apkg], "there are no cards in the data folder yet; practise in the window first"),
        (&["bench", "library", "--games", "/no/such"], "/no/such: it is not there; name records"),
        (&["gtp", "--level", "rank_5k+gentle"], "rank_20k to rank_9d (with a style: rank_5k+local)"),
    ];
    for (args, sentence) in wrong {
        let ended = honinbo.run(args);
        assert!(ended.failure().contains(sentence), "{args:?}: {ended:?}");
        assert!(!ended.stderr.contains(".unfinished"), "{ended:?}");
    }
    assert!(!Path::new(&pdf).exists() && !Path::new(&apkg).exists());
}
