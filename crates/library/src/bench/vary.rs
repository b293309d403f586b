//! Games that nobody played: real ones turned, with other names, other dates and a few other moves, for measuring how
//! a library grows.

use std::io::Write as _;
use std::path::Path;

use honinbo_record::{ReadLimits, SgfText};
use honinbo_rules::Random;

use crate::error::LibraryError;

/// Moves of the opening among which some are changed: a game whose opening stands there already would be a duplicate.
const OPENING: usize = 40;
/// Moves of it that are changed.
const CHANGED: usize = 4;

/// Writes all games of a file once more, each different from the game itself and from those of every other round.
pub(super) fn write_varied(source: &Path, round: u32, to: &Path) -> Result<(), LibraryError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| LibraryError::File { path, source }
    };
    let bytes = crate::import::read_bytes(source, ReadLimits::default().max_bytes).map_err(failed(source))?;
    let mut out = std::io::BufWriter::new(std::fs::File::create(to).map_err(failed(to))?);
    // One game after the other: all trees of a large collection at once take more memory than what is measured.
    let source = SgfText::decode(&bytes, ReadLimits::default());
    drop(bytes);
    for (number, game) in source.games(ReadLimits::default()).enumerate() {
        let mut random = Random::new(u64::from(round) << 32 | (number as u64 + 1));
        let varied = vary(&game.tree.to_sgf(), round, &mut random);
        out.write_all(&varied).and_then(|()| out.write_all(b"\n")).map_err(failed(to))?;
    }
    out.flush().map_err(failed(to))
}

/// One record, byte by byte: its moves turned, four of the first forty changed, a number behind each name, another year.
fn vary(sgf: &str, round: u32, random: &mut Random) -> Vec<u8> {
    let symmetry = random.below(8);
    let changed: Vec<usize> = (0..CHANGED).map(|_| random.below(OPENING)).collect();
    let mut out = Vec::with_capacity(sgf.len() + 32);
    let mut rest = sgf.as_bytes();
    let mut moves = 0;
    while let Some(&byte) = rest.first() {
        if let [b';', b'B' | b'W', b'[', x @ b'a'..=b's', y @ b'a'..=b's', b']', ..] = *rest {
            let (mut x, mut y) = (x - b'a', y - b'a');
            if changed.contains(&moves) {
                (x, y) = (random.below(19) as u8, random.below(19) as u8);
            }
            x = if symmetry & 1 != 0 { 18 - x } else { x };
            y = if symmetry & 2 != 0 { 18 - y } else { y };
            let (x, y) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            out.extend_from_slice(&[b';', rest[1], b'[', b'a' + x, b'a' + y, b']']);
            rest = &rest[6..];
            moves += 1;
            continue;
        }
        if let [b'P', b'B' | b'W', b'[', ..] = *rest
            && let Some(end) = rest.iter().position(|&byte| byte == b']')
        {
            out.extend_from_slice(&rest[..end]);
            // Players have many games each, and a larger library more players.
            out.extend_from_slice(format!(" {}", round / 5 * 10 + random.below(10) as u32).as_bytes());
            rest = &rest[end..];
            continue;
        }
        if let [b'D', b'T', b'[', b'1' | b'2', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', ..] = *rest {
            out.extend_from_slice(format!("DT[{}", 1980 + random.below(45)).as_bytes());
            rest = &rest[7..];
            continue;
        }
        out.push(byte);
        rest = &rest[1..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_varied_game_has_other_moves_names_and_years_and_the_rest_is_the_same() {
        let sgf = "(;GM[1]SZ[19]PB[Ke Jie]PW[Gu Li]DT[2015-03-01]RE[B+R];B[pd];W[dp];B[qp];W[dd]C[good])";
        let varied = |seed| String::from_utf8(vary(sgf, 1, &mut Random::new(seed))).unwrap();
        assert_ne!(varied(1), varied(2));
        let one = varied(1);
        assert!(one.starts_with("(;GM[1]SZ[19]PB[Ke Jie ") && one.ends_with("]C[good])"), "{one}");
        assert!(one.contains("-03-01]RE[B+R];B[") && !one.contains("2015"), "{one}");
        assert_eq!(one.matches(";B[").count() + one.matches(";W[").count(), 4);
    }
}
