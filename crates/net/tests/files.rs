//! Reading of network files: every version and container, and whatever can be wrong with them.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test ends at the first surprise and says what it skips"
)]

use std::io::Write;

use honinbo_net::model::{Activation, Block, TipNorm};
use honinbo_net::{Defect, Family, FileError, FileWarning, Limits, NetworkFile};
use honinbo_testkit::{TinyBlock, TinyNetwork, fixtures};
use proptest::prelude::*;

fn read(name: &str, bytes: &[u8]) -> Result<NetworkFile, FileError> {
    NetworkFile::from_bytes(name, bytes, &Limits::default())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The binary form of a text file: wherever weights stand, that is wherever a line has a fraction, behind the header.
fn binary(text: &str) -> Vec<u8> {
    let (header, rest) = text.split_once("\nconv\n").unwrap();
    let mut out = format!("{header}\nconv\n").into_bytes();
    let mut weights: Vec<f32> = Vec::new();
    let flush = |weights: &mut Vec<f32>, out: &mut Vec<u8>, sizes: &[usize]| {
        let mut rest = weights.as_slice();
        for &size in sizes {
            let (now, later) = rest.split_at(size);
            out.extend(b"@BIN@");
            out.extend(now.iter().flat_map(|value| value.to_le_bytes()));
            out.push(b'\n');
            rest = later;
        }
        assert!(rest.is_empty());
        weights.clear();
    };
    let mut kind = "conv".to_string();
    let mut last_integers: Vec<usize> = Vec::new();
    for line in rest.lines() {
        let is_weight = line.parse::<f32>().is_ok() && line.parse::<i64>().is_err() && line != "1e-5" && line != "1e-6";
        if is_weight && !(kind == "rope" && line == "100.0") {
            weights.push(line.parse().unwrap());
            continue;
        }
        if !weights.is_empty() {
            let count = weights.len();
            // Norms and the last norm have several arrays of one length.
            let parts = match kind.as_str() {
                "norm" => vec![count / 4; 4],
                "tip" => vec![count / 2; 2],
                _ => vec![count],
            };
            flush(&mut weights, &mut out, &parts);
        }
        if line.parse::<f32>().is_err() {
            kind = line.to_string();
            last_integers.clear();
        }
        out.extend(line.as_bytes());
        out.push(b'\n');
    }
    let count = weights.len();
    flush(&mut weights, &mut out, &[count]);
    out
}

#[test]
fn every_version_is_read_with_its_own_parts() {
    for version in 8..=17 {
        let file = read("tiny.txt", TinyNetwork::convolutional(version).to_text().as_bytes()).unwrap();
        let model = &file.model;
        assert_eq!((model.version, model.name.as_str()), (version, format!("tiny-v{version}").as_str()));
        assert_eq!(
            model.policy.outputs,
            match version {
                8..=11 => 1,
                16 => 4,
                _ => 2,
            }
        );
        assert_eq!(model.value.score_outputs(), if version == 8 { 4 } else { 6 });
        let expected = if version < 11 { Activation::Relu } else { Activation::Mish };
        assert_eq!(model.trunk.tip.activation, expected);
        assert_eq!(model.scales.shortterm_score_error, if version < 13 { 30.0 } else { 150.0 });
        assert!(file.warnings.is_empty());
        assert_eq!(file.info().family, Family::Convolutional);
    }
    let file = read("tiny.txt", TinyNetwork::transformer().to_text().as_bytes()).unwrap();
    assert_eq!(file.info().family, Family::Transformer);
    assert!(matches!(file.model.trunk.tip.norm, TipNorm::Rms { spatial: true, .. }));
    assert!(matches!(file.model.trunk.blocks[0], Block::Attention(_)));
}

#[test]
fn subnormal_weights_are_read_as_zero_and_counted() {
    let text = TinyNetwork::convolutional(15).to_text();
    let mut planted = 0u64;
    // Weights of the tiny networks lie between -2 and 2 and have a fraction.
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(at, line)| {
            let is_weight = line.starts_with("-0.") || line.starts_with("0.0");
            if is_weight && at.is_multiple_of(5) {
                planted += 1;
                if planted.is_multiple_of(2) { "-1e-39".to_string() } else { "1e-45".to_string() }
            } else {
                line.to_string()
            }
        })
        .collect();
    let file = read("tiny.txt", lines.join("\n").as_bytes()).unwrap();
    assert!(planted > 100);
    assert_eq!(file.subnormal_weights, planted);
    assert_eq!(file.info().subnormal_weights, planted as f64);
    assert!(file.info().to_string().contains(&format!("{planted} weights")));
    assert_eq!(read("tiny.txt", text.as_bytes()).unwrap().subnormal_weights, 0);
    assert!(file.model.trunk.initial.weights.iter().all(|weight| !weight.is_subnormal()));
}

#[test]
fn every_container_holds_the_same_network() {
    for network in [TinyNetwork::convolutional(14), TinyNetwork::transformer()] {
        let text = network.to_text();
        let plain = read("a.txt", text.as_bytes()).unwrap().model;
        let binary = binary(&text);
        assert_eq!(read("a.TXT.GZ", &gzip(text.as_bytes())).unwrap().model, plain);
        assert_eq!(read("a.txt.gz", &zlib(text.as_bytes())).unwrap().model, plain);
        assert_eq!(read("a.bin", &binary).unwrap().model, plain);
        assert_eq!(read("a.bin.gz", &gzip(&binary)).unwrap().model, plain);
        assert_eq!(read("a.gz", &gzip(&binary)).unwrap().model, plain);
        assert_eq!(read("a.gz", &gzip(text.as_bytes())).unwrap().model, plain);
    }
}

#[test]
fn a_small_layer_is_stored_in_the_order_that_the_format_names() {
    // The global matrix of the first network: 19 rows of 8, row by row.
    let text = TinyNetwork::convolutional(8).to_text();
    let model = read("a.txt", text.as_bytes()).unwrap().model;
    let after = text.split("matmul\n19\n8\n").nth(1).unwrap();
    let numbers: Vec<f32> = after.lines().take(19 * 8).map(|line| line.parse().unwrap()).collect();
    assert_eq!(model.trunk.global.weights, numbers);
}

#[test]
fn messages_name_the_layer_and_what_is_wrong() {
    let text = TinyNetwork::convolutional(14).to_text();
    let message = |text: &str| read("a.txt", text.as_bytes()).expect_err("it is refused").to_string();
    let cases = [
        (
            text.replacen("\n14\n", "\n7\n", 1),
            "model version 7 is too old: this network uses an input format older than V7 (versions 8 to 17 are read)",
        ),
        (text.replacen("\n14\n", "\n18\n", 1), "model version 18 is too new: versions 8 to 17 are read"),
        (text.replacen("\n22\n", "\n23\n", 1), "in layer header: spatial input channels is 23, expected 22"),
        (
            text.replacen("tiny-v14", "tiny/v14", 1),
            "in layer header: the network's name is \"tiny/v14\", expected at most 96 letters, digits, hyphens and underscores",
        ),
        (
            text.replacen("0.25\n", "-0.25\n", 1),
            "in layer header: output scale is -0.25, expected a positive finite number",
        ),
        (
            text.replacen("conv\n3\n3\n22\n8", "conv\n2\n3\n22\n8", 1),
            "in layer conv: kernel rows is 2, expected an odd number",
        ),
        (
            text.replacen("conv\n3\n3\n22\n8", "conv\n3\n3\n21\n8", 1),
            "in layer conv: input channels is 21, expected 22",
        ),
        (text.replacen("conv\n3\n3\n22\n8", "conv\n3\n3\n22\n16384", 1), "in layer norm: kernel rows"),
        (
            text.replacen("ordinary_block", "strange_block", 1),
            "in layer matmul: unknown kind of block \"strange_block\"",
        ),
        (
            text.replacen("ACTIVATION_MISH", "ACTIVATION_GELU", 1),
            "in layer activation: unknown activation \"ACTIVATION_GELU\"",
        ),
        (text.replacen("1e-5", "0", 1), "in layer norm: epsilon is 0, expected a positive finite number"),
    ];
    for (text, expected) in cases {
        let found = message(&text);
        if expected.starts_with("in layer norm: kernel") {
            // More weights announced than the file holds.
            assert!(found.contains("weights are announced"), "{found}");
        } else {
            assert_eq!(found, expected);
        }
    }
    let after_names = text.replacen("matmul\n19\n8\n", "matmul\n19\n8\nnan\n", 1);
    assert!(message(&after_names).contains("weight 0 of 152 is NaN"), "{}", message(&after_names));
    let infinite = text.replacen("matmul\n19\n8\n", "matmul\n19\n8\ninf\n", 1);
    assert!(message(&infinite).contains("is inf"));
}

#[test]
fn a_variance_that_cancels_epsilon_is_refused() {
    let text = TinyNetwork::convolutional(8).to_text();
    // Eight means follow the flags, then eight variances.
    let (before, after) = text.split_once("norm\n8\n1e-5\n1\n1\n").unwrap();
    let mut lines: Vec<&str> = after.lines().collect();
    lines[8] = "-1e-5";
    let bad = format!("{before}norm\n8\n1e-5\n1\n1\n{}", lines.join("\n"));
    let message = read("a.txt", bad.as_bytes()).unwrap_err().to_string();
    assert!(message.starts_with("in layer norm: weight 0 of 8 is"), "{message}");
}

#[test]
fn damaged_streams_are_told_apart() {
    let text = TinyNetwork::convolutional(8).to_text();
    let packed = gzip(text.as_bytes());
    let cut = read("a.txt.gz", &packed[..packed.len() / 2]).unwrap_err();
    assert!(matches!(cut, FileError::Compression { .. }), "{cut}");
    let mut twice = packed.clone();
    twice.extend(&packed);
    let twice = read("a.txt.gz", &twice).unwrap_err();
    assert!(twice.to_string().contains("bytes follow the end of the compressed data"), "{twice}");
    let html = read("a.bin.gz", b"<html>not found</html>").unwrap_err();
    assert_eq!(html.to_string(), "the compressed data is damaged: it starts with neither a gzip nor a zlib header");
    let other = read("network.onnx", b"").unwrap_err();
    assert_eq!(other.to_string(), "network.onnx is not named like a network file");
    let short = read("a.txt", &text.as_bytes()[..text.len() / 2]).unwrap_err();
    assert!(
        short.to_string().contains("the file ends while reading") || short.to_string().contains("announced"),
        "{short}"
    );
    let empty = read("a.bin.gz", &gzip(b"")).unwrap_err();
    assert_eq!(empty.to_string(), "in layer header: the file ends while reading the network's name");
    let mut flipped = packed.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 0x55;
    assert!(read("a.txt.gz", &flipped).is_err());
}

#[test]
fn a_bomb_is_stopped_before_it_has_gone_off() {
    // 1 GiB of blanks, which are legal before a token, in about a megabyte.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let blanks = vec![b' '; 1 << 20];
    for _ in 0..1024 {
        encoder.write_all(&blanks).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    let error = read("a.bin.gz", &bomb).unwrap_err();
    assert!(matches!(error, FileError::Bomb { limit } if limit <= 64 << 20), "{error}");
}

#[test]
fn huge_counts_are_refused_before_anything_is_allocated() {
    let text = TinyNetwork::convolutional(8).to_text();
    let huge = text.replacen("conv\n3\n3\n22\n8", "conv\n15\n15\n22\n16384", 1).replacen(
        "\n8\n8\n8\n8\n4\n",
        "\n16384\n8\n8\n8\n4\n",
        1,
    );
    let error = read("a.txt", huge.as_bytes()).unwrap_err();
    assert!(matches!(&error, FileError::Malformed { problem: Defect::TooManyWeights { .. }, .. }), "{error}");
    let tall = "x".repeat(1000);
    let error = read("a.txt", tall.as_bytes()).unwrap_err();
    assert!(matches!(&error, FileError::Malformed { problem: Defect::LongToken { .. }, .. }), "{error}");
}

#[test]
fn blocks_within_blocks_end_somewhere() {
    let text = TinyNetwork { blocks: vec![TinyBlock::Nested], ..TinyNetwork::convolutional(8) }.to_text();
    // Everything of the nested block up to its first inner block, again and again.
    let (before, after) = text.split_once("nested_bottleneck_block").unwrap();
    let (opening, _) = after.split_once("ordinary_block").unwrap();
    let opening = opening.replacen("\n1\n1\n8\n4\n1\n1\n", "\n1\n1\n8\n8\n1\n1\n", 1);
    let weights: String = opening.lines().rev().take(32).map(|line| format!("{line}\n")).collect();
    let deep = format!("nested_bottleneck_block{opening}{weights}").repeat(40);
    let error = read("a.txt", format!("{before}{deep}").as_bytes()).unwrap_err();
    assert!(error.to_string().contains("depth of nested blocks is 9, expected at most 8"), "{error}");
}

#[test]
fn what_follows_the_last_layer_is_noticed() {
    let mut text = TinyNetwork::convolutional(8).to_text();
    text.push_str("\n  more\n");
    let file = read("a.txt", text.as_bytes()).unwrap();
    assert_eq!(file.warnings, [FileWarning::TrailingBytes(4)]);
}

#[test]
fn a_file_that_is_not_there_is_an_error_of_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(NetworkFile::open(&folder.path().join("b.txt"), &Limits::default()), Err(FileError::Io { .. })));
}

#[test]
fn the_small_networks_are_what_their_names_say() {
    let expected = [
        ("g170-b6c96-s175395328-d26788732.bin.gz", "f5d32604e3675c48", 8, 1.03),
        ("b7c96h3tfrs-test5-cnorm.bin.gz", "e0c11d1d2532af0b", 17, 0.82),
        ("b7c96h6kv3qk32v16tflrs-fson-bnh.bin.gz", "3e56eedcda8f997d", 17, 0.85),
        ("synthetic-v8.txt.gz", "f1da2dfcc03cf666", 8, 1.03),
        ("synthetic-meta.bin.gz", "73a0252bc7c1367f", 17, 0.84),
    ];
    for (name, sha, version, million) in expected {
        // The synthetic ones are in the larger collection only.
        let Some(path) = fixtures::network(name) else {
            assert!(name.starts_with("synthetic"), "{name}");
            continue;
        };
        let info = NetworkFile::open(&path, &Limits::default()).unwrap().info();
        assert!(info.sha256.starts_with(sha), "{name}");
        assert_eq!(info.version, version);
        assert!((info.parameters / 1e6 - million).abs() < 0.006, "{name} has {}", info.parameters);
        assert!(info.warnings.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Bytes changed, cut out or doubled anywhere end in a network or a reason.
    #[test]
    fn no_damage_makes_the_reader_panic(
        version in 8u32..=17, at in 0usize..100_000, length in 0usize..64, bytes in prop::collection::vec(any::<u8>(), 0..32),
        transformer: bool, packed: bool,
    ) {
        let network = if transformer { TinyNetwork::transformer() } else { TinyNetwork::convolutional(version) };
        let text = network.to_text();
        let mut file = binary(&text);
        if packed {
            file = gzip(&file);
        }
        let from = at % file.len();
        let to = (from + length).min(file.len());
        file.splice(from..to, bytes);
        let name = if packed { "a.bin.gz" } else { "a.bin" };
        let _ = read(name, &file);
        let mut text = text.into_bytes();
        let from = at % text.len();
        text[from] = text[from].wrapping_add(length as u8);
        let _ = read("a.txt", &text);
    }
}
