//! Whatever stands in the properties of analysis programs is an evaluation with sensible numbers, or none; one that is
//! read can be written and says the same.
#![cfg_attr(fuzzing, no_main)]

use honinbo_record::{evaluation_at, read_sgf, set_evaluation};
use honinbo_rules::{BoardSize, Color};

pub(crate) fn run(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else { return };
    let ident = ["KT", "KA", "LZ", "SBKV"][usize::from(choice) % 4];
    let bytes = [b"(;SZ[9];B[ee]".as_slice(), ident.as_bytes(), b"[", text, b"])"].concat();
    let Some(game) = read_sgf(&bytes).games.into_iter().next() else { return };
    let mut tree = game.tree;
    let Some(node) = tree.first_child(tree.root()) else { return };
    let Some(found) = evaluation_at(&tree, node, BoardSize::NINE, Color::White) else { return };
    let chance = |value: f64| (0.0..=1.0).contains(&value);
    assert!(found.visits > 0 && chance(found.black_win_prob));
    assert!(
        found.candidates.len() <= 64 && found.candidates.iter().all(|c| chance(c.black_win_prob) && chance(c.prior))
    );
    assert!(found.black_ownership.iter().all(|owner| (-1.0..=1.0).contains(owner)));
    for ident in ["KT", "KA", "LZ", "SBKV"] {
        tree.remove_property(node, ident);
    }
    assert!(set_evaluation(&mut tree, node, BoardSize::NINE, Color::White, &found));
    let again = evaluation_at(&tree, node, BoardSize::NINE, Color::White).expect("what was written");
    assert_eq!(again.visits, found.visits);
    assert!((again.black_win_prob - found.black_win_prob).abs() < 1e-3);
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
