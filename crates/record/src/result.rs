//! How a game ended, as `RE` says it in many dialects.

use honinbo_rules::Color;

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GameResult {
    /// Won by points.
    Score {
        /// Who won.
        winner: Color,
        /// By how many points, above 0.
        margin: f32,
    },
    /// The other player resigned.
    Resignation(Color),
    /// The other player's time ran out.
    Time(Color),
    /// The other player forfeited: absent, disconnected, broke a rule.
    Forfeit(Color),
    /// Won, nobody says how.
    Win(Color),
    /// Jigo.
    Draw,
    /// No result: suspended, or a long cycle.
    Void,
    /// Not said.
    Unknown,
}

impl GameResult {
    /// Reads a value of `RE`; whatever it is, there is an answer.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        if text.is_empty() || text == "?" {
            return Self::Unknown;
        }
        let lower: String = text.chars().take(64).flat_map(char::to_lowercase).collect();
        match lower.as_str() {
            "0" | "draw" | "jigo" | "tie" | "0.0" => return Self::Draw,
            "void" | "no result" | "both lost" => return Self::Void,
            "unfinished" | "unknown" | "adjourned" | "resume" => return Self::Unknown,
            _ => {}
        }
        if ["和棋", "平局", "持碁", "持棋", "무승부"].iter().any(|word| lower.contains(word)) {
            return Self::Draw;
        }
        let Some(winner) = winner_of(&lower) else { return Self::Unknown };
        Self::how(&lower, winner)
    }

    fn how(lower: &str, winner: Color) -> Self {
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let tail = lower.split_once('+').map_or("", |(_, tail)| tail.trim());
        if matches!(tail, "r" | "resign" | "res" | "resignation") || has(&["resign", "中盘", "中盤", "中押", "불계"])
        {
            return Self::Resignation(winner);
        }
        if matches!(tail, "t" | "time" | "timeout") || has(&["time", "超时", "超時", "時間切れ", "시간승"]) {
            return Self::Time(winner);
        }
        if matches!(tail, "f") || has(&["forfeit", "offline", "disconnect", "弃权", "棄權", "反則"]) {
            return Self::Forfeit(winner);
        }
        match margin_of(lower) {
            Some(margin) if margin > 0.0 => Self::Score { winner, margin },
            _ => Self::Win(winner),
        }
    }

    /// Who won, if anybody did.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Score { winner, .. }
            | Self::Resignation(winner)
            | Self::Time(winner)
            | Self::Forfeit(winner)
            | Self::Win(winner) => Some(winner),
            Self::Draw | Self::Void | Self::Unknown => None,
        }
    }

    /// By how many points, if the game was counted.
    #[must_use]
    pub fn margin(self) -> Option<f32> {
        match self {
            Self::Score { margin, .. } => Some(margin),
            _ => None,
        }
    }

    /// `score`, `resignation`, `time`, `forfeit`, `win`, `draw`, `void` or `unknown`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Score { .. } => "score",
            Self::Resignation(_) => "resignation",
            Self::Time(_) => "time",
            Self::Forfeit(_) => "forfeit",
            Self::Win(_) => "win",
            Self::Draw => "draw",
            Self::Void => "void",
            Self::Unknown => "unknown",
        }
    }
}

impl std::fmt::Display for GameResult {
    /// As the SGF standard writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Score { winner, margin } => write!(f, "{}+{margin}", winner.letter()),
            Self::Resignation(winner) => write!(f, "{}+R", winner.letter()),
            Self::Time(winner) => write!(f, "{}+T", winner.letter()),
            Self::Forfeit(winner) => write!(f, "{}+F", winner.letter()),
            Self::Win(winner) => write!(f, "{}+", winner.letter()),
            Self::Draw => f.write_str("0"),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

fn winner_of(lower: &str) -> Option<Color> {
    let first = |word: &str| lower.find(word);
    let starts = |letter: char| {
        let rest = lower.strip_prefix(letter)?.trim_start();
        (rest.is_empty() || rest.starts_with(['+', '-', ' '])).then_some(())
    };
    if starts('b').is_some() || lower.starts_with("black") {
        return Some(Color::Black);
    }
    if starts('w').is_some() || lower.starts_with("white") {
        return Some(Color::White);
    }
    let black = ["黑", "黒", "흑", "black"].iter().filter_map(|word| first(word)).min();
    let white = ["白", "백", "white"].iter().filter_map(|word| first(word)).min();
    match (black, white) {
        (Some(black), Some(white)) => Some(if black < white { Color::Black } else { Color::White }),
        (Some(_), None) => Some(Color::Black),
        (None, Some(_)) => Some(Color::White),
        (None, None) => None,
    }
}

/// Points; a margin in stones of Chinese counting (子) is doubled, 半 is a half.
fn margin_of(lower: &str) -> Option<f32> {
    let start = lower.find(|c: char| c.is_ascii_digit());
    let in_stones = lower.contains('子');
    let half = if lower.contains('半') || lower.contains("1/2") { 0.5 } else { 0.0 };
    let points = match start {
        Some(start) => {
            let digits: String = lower[start..]
                .chars()
                .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
                .map(|c| if c == ',' { '.' } else { c })
                .collect();
            if lower[start..].starts_with("1/4") {
                0.25
            } else if lower[start..].starts_with("3/4") {
                0.75
            } else {
                digits.trim_end_matches('.').parse::<f32>().ok()?
            }
        }
        None if half > 0.0 => 0.0,
        None => return None,
    };
    let points = if lower.contains("1/2") && points == 1.0 { 0.5 } else { points + half };
    let points = if in_stones { points * 2.0 } else { points };
    (points.is_finite() && points < 2000.0).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_many_writers() {
        for (text, expected) in [
            ("B+R", "B+R"),
            ("w+Resign", "W+R"),
            ("B+3.5", "B+3.5"),
            ("B+2.50", "B+2.5"),
            ("W+0,5", "W+0.5"),
            ("W+T", "W+T"),
            ("B+Time", "B+T"),
            ("B+Offline", "B+F"),
            ("B+F", "B+F"),
            ("B", "B+"),
            ("W+", "W+"),
            ("B+0.0", "B+"),
            ("0", "0"),
            ("Jigo", "0"),
            ("Draw", "0"),
            ("Void", "Void"),
            ("?", "?"),
            ("", "?"),
            ("黑中盘胜", "B+R"),
            ("白中押し勝ち", "W+R"),
            ("黑胜1/4子", "B+0.5"),
            ("白胜3.75子", "W+7.5"),
            ("黒1目半勝ち", "B+1.5"),
            ("흑 불계승", "B+R"),
            ("Black wins by 4.5 points", "B+4.5"),
            ("White wins by resignation", "W+R"),
            ("nobody knows", "?"),
        ] {
            assert_eq!(GameResult::parse(text).to_string(), expected, "{text}");
        }
    }
}
