//! KaTrain's `KT`.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use honinbo_rules::{BoardSize, Move};
use serde_json::{Map, Value, json};

use super::{CandidateEvaluation, MAX_CANDIDATES, MAX_LINE, PositionEvaluation, chance, lead, line_of, rounded};

/// What `KTV` says.
pub(super) const VERSION: &str = "1.0";
/// Bytes of a value once unpacked: a node of KaTrain's with all moves takes about 200 KiB.
const MAX_VALUE_BYTES: u64 = 4 << 20;

pub(super) fn read<T: AsRef<str>>(values: &[T], size: BoardSize) -> Option<PositionEvaluation> {
    let unpacked = |at: usize| -> Option<Vec<u8>> {
        let packed = BASE64.decode(values.get(at)?.as_ref().trim()).ok()?;
        let mut bytes = Vec::new();
        let count = GzDecoder::new(packed.as_slice()).take(MAX_VALUE_BYTES + 1).read_to_end(&mut bytes).ok()?;
        (count as u64 <= MAX_VALUE_BYTES).then_some(bytes)
    };
    let main: Value = serde_json::from_slice(&unpacked(2)?).ok()?;
    let root = main.get("root")?;
    let number = |of: &Value, name: &str| of.get(name).and_then(Value::as_f64);
    let visits = |of: &Value| of.get("visits").and_then(Value::as_f64).unwrap_or(0.0).clamp(0.0, 4e9) as u32;
    let mut candidates = Vec::new();
    for (vertex, found) in main.get("moves").and_then(Value::as_object).into_iter().flatten() {
        let Some(played) = Move::from_gtp(vertex, size).filter(|played| *played != Move::Resign) else { continue };
        let Some(black_win_prob) = number(found, "winrate").and_then(chance) else { continue };
        let line = found.get("pv").and_then(Value::as_array).into_iter().flatten();
        let order = number(found, "order").unwrap_or(f64::MAX);
        candidates.push((
            order,
            CandidateEvaluation {
                played,
                visits: visits(found),
                black_win_prob,
                black_lead: number(found, "scoreLead").and_then(lead),
                prior: number(found, "prior").and_then(chance).unwrap_or(0.0),
                line: line_of(line.filter_map(Value::as_str), size),
            },
        ));
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.visits.cmp(&a.1.visits)));
    candidates.truncate(MAX_CANDIDATES);
    let ownership = unpacked(0).unwrap_or_default();
    let owners = ownership.chunks_exact(2).map(|pair| from_half(u16::from_le_bytes([pair[0], pair[1]])));
    let black_ownership: Vec<f32> = owners.map(|owner| owner.clamp(-1.0, 1.0)).collect();
    Some(PositionEvaluation {
        visits: visits(root).max(1),
        black_win_prob: number(root, "winrate").and_then(chance)?,
        black_lead: number(root, "scoreLead").and_then(lead),
        candidates: candidates.into_iter().map(|(_, candidate)| candidate).collect(),
        black_ownership: if black_ownership.len() == size.area() { black_ownership } else { Vec::new() },
        engine: None,
    })
}

/// The three values, without brackets.
pub(super) fn write(evaluation: &PositionEvaluation, size: BoardSize) -> [String; 3] {
    let owners = evaluation.black_ownership.iter().flat_map(|&owner| to_half(owner).to_le_bytes());
    let mut moves = Map::new();
    for (order, candidate) in evaluation.candidates.iter().take(MAX_CANDIDATES).enumerate() {
        let vertex = candidate.played.to_gtp(size);
        let pv: Vec<String> = candidate.line.iter().take(MAX_LINE).map(|played| played.to_gtp(size)).collect();
        let found = json!({
            "move": vertex,
            "visits": candidate.visits,
            "winrate": rounded(candidate.black_win_prob, 6),
            "scoreLead": rounded(candidate.black_lead.or(evaluation.black_lead).unwrap_or(0.0), 4),
            "prior": rounded(candidate.prior, 6),
            "order": order,
            "pv": pv,
        });
        moves.insert(vertex, found);
    }
    let root = json!({
        "visits": evaluation.visits,
        "winrate": rounded(evaluation.black_win_prob, 6),
        "scoreLead": rounded(evaluation.black_lead.unwrap_or(0.0), 4),
    });
    let main = json!({ "moves": moves, "root": root, "completed": true }).to_string();
    [packed(&owners.collect::<Vec<_>>()), packed(&[]), packed(main.as_bytes())]
}

fn packed(bytes: &[u8]) -> String {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    // Memory takes everything; were it otherwise the value would be no gzip file, which readers pass over.
    let _ = packer.write_all(bytes);
    BASE64.encode(packer.finish().unwrap_or_default())
}

/// IEEE 754 half precision, from what lies between -1 and 1; below 2^-14 it becomes 0.
fn to_half(value: f32) -> u16 {
    let value = if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
    let sign = if value < 0.0 { 0x8000 } else { 0 };
    let size = value.abs();
    if size < 6.1035e-5 {
        return sign;
    }
    // Rounded at the last of ten bits; a carry goes into the exponent as it should.
    let bits = size.to_bits() + 0x1000;
    let exponent = ((bits >> 23) as i32 - 127 + 15) as u16;
    sign | exponent << 10 | ((bits >> 13) & 0x3ff) as u16
}

fn from_half(half: u16) -> f32 {
    let sign = if half & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(half >> 10 & 0x1f), f32::from(half & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f32.powi(-24),
        // Infinities and what is no number.
        31 => 0.0,
        _ => sign * (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_that_of_the_standard() {
        for (value, half) in [(0.0, 0), (1.0, 0x3c00), (-1.0, 0xbc00), (0.5, 0x3800), (-0.25, 0xb400), (0.1, 0x2e66)] {
            assert_eq!(to_half(value), half, "{value}");
            assert!((from_half(half) - value).abs() < 1e-4, "{value}");
        }
        for n in -1000..=1000 {
            let value = n as f32 / 1000.0;
            assert!((from_half(to_half(value)) - value).abs() <= 0.0005, "{value}");
        }
        assert_eq!(to_half(f32::NAN), 0);
    }
}
