//! The parts of a name, and the ranks that stand behind names.

/// The parts of a folded name, without the rank behind them.
pub(crate) fn bare_parts(folded: &str) -> Vec<&str> {
    let mut parts: Vec<&str> =
        folded.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    while parts.len() > 1 && parts.last().is_some_and(|part| is_rank(part)) {
        parts.pop();
    }
    let bare = parts.last().map_or("", |last| without_dan(last));
    if !bare.is_empty() {
        parts.pop();
        parts.push(bare);
    }
    parts
}

/// `9p`, `5dan`, `12k`, `9段` and their like.
pub(crate) fn is_rank(part: &str) -> bool {
    let unit = part.trim_start_matches(|sign: char| sign.is_ascii_digit());
    (unit.len() < part.len() && matches!(unit, "p" | "d" | "k" | "dan" | "kyu" | "段" | "단" | "级" | "급"))
        || without_dan(part).is_empty()
}

/// A name without the rank that is written at its end without a gap: `九段`, `9段`, `初段`.
fn without_dan(part: &str) -> &str {
    let Some(before) = part.strip_suffix(['段', '단']) else { return part };
    let digits = |sign: char| sign.is_ascii_digit() || "初一二三四五六七八九十초".contains(sign);
    let name = before.trim_end_matches(digits);
    // No digit: the sign belongs to the name.
    if name.len() == before.len() { part } else { name }
}
