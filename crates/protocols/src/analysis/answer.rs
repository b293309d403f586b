//! Answers as JSON, in KataGo's form.

use honinbo_rules::{Board, Color, Game, Point, Symmetry};
use honinbo_search::{Candidate, SearchReport};
use serde_json::{Map, Value, json};

use super::fields::FieldError;
use super::query::{Query, Wants};

/// A line that begins every answer about a position.
fn heading(query: &Query, turn: usize, is_during_search: bool) -> Map<String, Value> {
    let mut answer = Map::new();
    answer.insert("id".into(), json!(query.id));
    answer.insert("turnNumber".into(), json!(turn));
    answer.insert("isDuringSearch".into(), json!(is_during_search));
    answer
}

/// The last answer about a position that was not searched.
pub(crate) fn no_results(query: &Query, turn: usize) -> Value {
    let mut answer = heading(query, turn, false);
    answer.insert("noResults".into(), json!(true));
    Value::Object(answer)
}

/// The last answer about a position whose search failed.
pub(crate) fn failure(query: &Query, turn: usize, message: &str) -> Value {
    let mut answer = heading(query, turn, false);
    answer.insert("noResults".into(), json!(true));
    answer.insert("error".into(), json!(message));
    Value::Object(answer)
}

/// A complaint about a query.
pub(crate) fn error(id: Option<&str>, problem: &FieldError) -> Value {
    complaint("error", id, problem)
}

/// A remark about a query that is answered all the same.
pub(crate) fn warning(id: &str, problem: &FieldError) -> Value {
    complaint("warning", Some(id), problem)
}

fn complaint(kind: &str, id: Option<&str>, problem: &FieldError) -> Value {
    match id {
        Some(id) => json!({ kind: problem.message, "field": problem.field, "id": id }),
        None => json!({ kind: problem.message }),
    }
}

/// What a search says, for the query that it was made for.
pub(crate) struct Findings<'a> {
    pub(crate) game: &'a Game,
    pub(crate) report: &'a SearchReport,
}

impl Findings<'_> {
    /// The answer.
    pub(crate) fn answer(&self, query: &Query, turn: usize, is_during_search: bool) -> Value {
        let wants = &query.wants;
        let report = self.report;
        let mut answer = heading(query, turn, is_during_search);
        let infos: Vec<Value> = report.candidates.iter().map(|candidate| self.move_info(candidate, wants)).collect();
        answer.insert("moveInfos".into(), Value::Array(infos));
        answer.insert("rootInfo".into(), self.root_info());
        if wants.policy {
            answer.insert("policy".into(), numbers(&report.policy));
            if let Some(human) = &self.report.human {
                answer.insert("humanPolicy".into(), numbers(&human.policy));
            }
        }
        if let Some(ownership) = report.ownership.as_ref().filter(|_| wants.ownership) {
            answer.insert("ownership".into(), points(ownership));
        }
        if let Some(stdev) = report.ownership_stdev.as_ref().filter(|_| wants.ownership_stdev) {
            answer.insert("ownershipStdev".into(), points(stdev));
        }
        Value::Object(answer)
    }

    fn move_info(&self, candidate: &Candidate, wants: &Wants) -> Value {
        let size = self.game.board().size();
        let pv: Vec<String> = candidate.pv.iter().map(|mv| mv.to_gtp(size)).collect();
        let mut info = json!({
            "move": candidate.mv.to_gtp(size),
            "visits": candidate.visits,
            "edgeVisits": candidate.edge_visits,
            "weight": number(candidate.weight),
            "edgeWeight": number(candidate.edge_weight),
            "winrate": number(candidate.win_rate),
            // Tools that know nothing else read the lead under the old name.
            "scoreMean": number(candidate.score_lead),
            "scoreLead": number(candidate.score_lead),
            "scoreSelfplay": number(candidate.score_selfplay),
            "scoreStdev": number(candidate.score_stdev),
            "utility": number(candidate.utility),
            "prior": number(candidate.prior),
            "lcb": number(candidate.lcb),
            "utilityLcb": number(candidate.utility_lcb),
            "playSelectionValue": number(candidate.play_selection_value),
            "order": candidate.order,
            "pv": pv,
        });
        let mut add = |name: &str, value: Value| info[name] = value;
        if let Some(original) = candidate.symmetry_of {
            add("isSymmetryOf", json!(original.to_gtp(size)));
        }
        if wants.no_result {
            add("noResultValue", number(candidate.no_result));
        }
        if wants.pv_visits {
            add("pvVisits", json!(candidate.pv_visits));
            add("pvEdgeVisits", json!(candidate.pv_edge_visits));
        }
        if let Some(human) = &self.report.human {
            let index = candidate.mv.point().map_or(size.area(), |point| point.index(size));
            add("humanPrior", number(human.policy.get(index).map_or(0.0, |p| f64::from(p.max(0.0)))));
        }
        if let Some(ownership) = candidate.ownership.as_ref().filter(|_| wants.moves_ownership) {
            add("ownership", points(ownership));
        }
        if let Some(stdev) = candidate.ownership_stdev.as_ref().filter(|_| wants.moves_ownership_stdev) {
            add("ownershipStdev", points(stdev));
        }
        info
    }

    fn root_info(&self) -> Value {
        let (root, raw) = (&self.report.root, &self.report.root.raw);
        let mover = self.report.to_play;
        let this = situation_hash(self.game.board(), mover, Symmetry::IDENTITY);
        let least = Symmetry::ALL.into_iter().map(|symmetry| situation_hash(self.game.board(), mover, symmetry)).min();
        let mut info = json!({
            "currentPlayer": letter(mover),
            "visits": root.visits,
            "weight": number(root.weight),
            "winrate": number(root.win_rate),
            "scoreLead": number(root.score_lead),
            "scoreSelfplay": number(root.score_selfplay),
            "scoreStdev": number(root.score_stdev),
            "utility": number(root.utility),
            "rawWinrate": number(raw.win_rate),
            "rawLead": number(raw.score_lead),
            "rawScoreSelfplay": number(raw.score_selfplay),
            "rawScoreSelfplayStdev": number(raw.score_selfplay_stdev),
            "rawNoResultProb": number(raw.no_result),
            "rawStWrError": number(raw.shortterm_win_loss_error * 0.5),
            "rawStScoreError": number(raw.shortterm_score_error),
            "rawVarTimeLeft": number(raw.var_time_left),
            "thisHash": format!("{this:032X}"),
            "symHash": format!("{:032X}", least.unwrap_or(this)),
        });
        if let Some(human) = &self.report.human {
            let sign = self.report.perspective.sign(mover);
            let mean = f64::from(human.white_score_mean);
            let variance = f64::from(human.white_score_mean_sq) - mean * mean;
            info["humanWinrate"] = number(0.5 + 0.5 * sign * f64::from(human.white_win - human.white_loss));
            info["humanScoreMean"] = number(sign * mean);
            info["humanScoreStdev"] = number(variance.max(0.0).sqrt());
            info["humanStWrError"] = number(f64::from(human.shortterm_winloss_error) * 0.5);
            info["humanStScoreError"] = number(f64::from(human.shortterm_score_error));
        }
        info
    }
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// A number with eight significant digits; nothing where there is none.
fn number(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    json!(format!("{value:.7e}").parse().unwrap_or(value))
}

fn numbers(values: &[f32]) -> Value {
    Value::Array(values.iter().map(|value| number(f64::from(*value))).collect())
}

/// Ownership, to the sixth decimal.
fn points(values: &[f32]) -> Value {
    Value::Array(values.iter().map(|value| json!((f64::from(*value) * 1e6).round() / 1e6)).collect())
}

/// A number for stones, player to move and forbidden ko, of a board or of its image.
fn situation_hash(board: &Board, mover: Color, symmetry: Symmetry) -> u128 {
    let size = board.size();
    let image = symmetry.apply_size(size);
    let stones = board.stones().map(|(point, color)| (symmetry.apply(point, size), color));
    let stones_hash = Board::with_stones(image, board.topology(), stones).map_or(0, |turned| turned.hash().0);
    let ko = board.ko_point().map_or(u64::MAX, |point: Point| symmetry.apply(point, size).index(image) as u64);
    let sides = (image.width() * 64 + image.height()) as u64;
    let rest = [ko, mover.index() as u64, sides].into_iter().fold(0u128, |hash, word| {
        // Fibonacci hashing with the golden ratio in 128 bits.
        (hash ^ u128::from(word)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    });
    stones_hash ^ rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_rules::{BoardSize, Topology};

    #[test]
    fn numbers_keep_eight_digits() {
        assert_eq!(number(0.123_456_789_12).to_string(), "0.12345679");
        assert_eq!(number(-1_234.567_891_2).to_string(), "-1234.5679");
        assert_eq!(number(2.0).to_string(), "2.0");
        assert_eq!(number(f64::NAN), Value::Null);
        assert_eq!(points(&[0.123_456_78, -1.0]).to_string(), "[0.123457,-1.0]");
    }

    #[test]
    fn mirror_images_share_the_least_hash() {
        let size = BoardSize::new(7, 5).unwrap();
        let board = |stones: &[(usize, usize)]| {
            let stones = stones.iter().map(|(x, y)| (Point::new(*x, *y), Color::Black));
            Board::with_stones(size, Topology::Plane, stones).unwrap()
        };
        let (one, other) = (board(&[(0, 0), (2, 1)]), board(&[(6, 4), (4, 3)]));
        let hash = |board: &Board, mover| situation_hash(board, mover, Symmetry::IDENTITY);
        let least = |board: &Board, mover| {
            Symmetry::ALL.into_iter().map(|symmetry| situation_hash(board, mover, symmetry)).min()
        };
        assert_ne!(hash(&one, Color::Black), hash(&other, Color::Black));
        assert_eq!(least(&one, Color::Black), least(&other, Color::Black));
        assert_ne!(least(&one, Color::Black), least(&one, Color::White));
    }
}
