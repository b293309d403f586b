//! Kaya's `KA`.

use honinbo_rules::{BoardSize, Move};
use serde_json::{Map, Value, json};

use super::{CandidateEvaluation, MAX_CANDIDATES, PositionEvaluation, chance, lead, rounded};

/// The 64 signs of ownership, from White's to Black's.
const OWNERS: &[u8; 64] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+$";

pub(super) fn read(text: &str, size: BoardSize) -> Option<PositionEvaluation> {
    let data: Value = serde_json::from_str(text).ok()?;
    let number = |of: &Value, name: &str| of.get(name).and_then(Value::as_f64);
    let visits = |of: &Value| number(of, "v").unwrap_or(0.0).clamp(0.0, 4e9) as u32;
    let candidates = data.get("m")?.as_array()?.iter().take(MAX_CANDIDATES).filter_map(|found| {
        let played = Move::from_gtp(found.get("m")?.as_str()?, size).filter(|played| *played != Move::Resign)?;
        Some(CandidateEvaluation {
            played,
            visits: visits(found),
            black_win_prob: number(found, "w").or_else(|| number(&data, "w")).and_then(chance)?,
            black_lead: number(found, "s").and_then(lead),
            prior: number(found, "p").and_then(chance).unwrap_or(0.0),
            line: vec![played],
        })
    });
    let sign = |byte: u8| OWNERS.iter().position(|&sign| sign == byte).map(|place| place as f32 / 31.5 - 1.0);
    let owners = data.get("o").and_then(Value::as_str).unwrap_or_default().bytes().map(sign);
    let black_ownership: Option<Vec<f32>> = owners.take(size.area() + 1).collect();
    Some(PositionEvaluation {
        visits: visits(&data).max(1),
        black_win_prob: number(&data, "w").and_then(chance)?,
        black_lead: number(&data, "s").and_then(lead),
        candidates: candidates.collect(),
        black_ownership: black_ownership.filter(|owners| owners.len() == size.area()).unwrap_or_default(),
        engine: None,
    })
}

pub(super) fn write(evaluation: &PositionEvaluation, size: BoardSize) -> String {
    let moves: Vec<Value> = evaluation
        .candidates
        .iter()
        .take(MAX_CANDIDATES)
        .map(|candidate| {
            json!({
                "m": candidate.played.to_gtp(size),
                "p": rounded(candidate.prior, 4),
                "w": rounded(candidate.black_win_prob, 4),
                "s": rounded(candidate.black_lead.or(evaluation.black_lead).unwrap_or(0.0), 2),
                "v": candidate.visits,
            })
        })
        .collect();
    let mut data = Map::new();
    data.insert("w".into(), json!(rounded(evaluation.black_win_prob, 4)));
    data.insert("s".into(), json!(rounded(evaluation.black_lead.unwrap_or(0.0), 2)));
    data.insert("v".into(), json!(evaluation.visits));
    data.insert("m".into(), Value::Array(moves));
    if evaluation.black_ownership.len() == size.area() {
        let sign = |owner: &f32| char::from(OWNERS[((owner.clamp(-1.0, 1.0) + 1.0) * 31.5) as usize]);
        data.insert("o".into(), Value::String(evaluation.black_ownership.iter().map(sign).collect()));
    }
    Value::Object(data).to_string()
}
