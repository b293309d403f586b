//! Live analysis by an engine that speaks the JSON protocol of KataGo's analysis engine.

use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{BoardSize, Color, Game, Move};
use serde_json::{Value, json};

use super::analysis::question;
use super::report::MAX_LINE_MOVES;
use super::{AnalysisPlayer, EngineCandidate, EngineError, EngineReport};

impl AnalysisPlayer {
    /// Has it think about a position, and hands on what it finds about every `interval`, until `on_report` says that it
    /// wants no more, `stop` is set or the position has `visits`. Where `only` names moves, they alone are looked at.
    ///
    /// # Errors
    /// When it does not start, cannot take up the position, or gives no analysis.
    pub fn analyse(
        &mut self,
        game: &Game,
        only: &[Move],
        visits: u32,
        interval: Duration,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(EngineReport) -> bool,
    ) -> Result<(), EngineError> {
        self.check_board(game)?;
        let size = game.board().size();
        let mut query = question(game, Some(visits.into()));
        query["includeOwnership"] = true.into();
        query["reportDuringSearchEvery"] = interval.as_secs_f64().max(0.01).into();
        if !only.is_empty() {
            let moves: Vec<String> = only.iter().map(|played| played.to_gtp(size)).collect();
            let player = if game.to_play() == Color::Black { "B" } else { "W" };
            query["allowMoves"] = json!([{ "player": player, "moves": moves, "untilDepth": 1 }]);
        }
        let last = self
            .converse(query, None, stop, &mut |said| EngineReport::of_json(said, size).is_none_or(&mut *on_report))?;
        if let Some(report) = EngineReport::of_json(&last, size) {
            on_report(report);
        }
        Ok(())
    }
}

impl EngineReport {
    /// Reads an answer whose figures are for Black; `None` where no candidate is in it.
    pub(super) fn of_json(answer: &Value, size: BoardSize) -> Option<EngineReport> {
        let infos = answer["moveInfos"].as_array()?;
        let candidates = infos.iter().take(size.area() + 1).map(|info| candidate(info, size)).collect::<Option<_>>()?;
        let owners = answer["ownership"].as_array().filter(|owners| owners.len() == size.area());
        let owner = |value: &Value| value.as_f64().map(|owner| owner.clamp(-1.0, 1.0) as f32);
        let black_ownership = owners.and_then(|owners| owners.iter().map(owner).collect()).unwrap_or_default();
        EngineReport::of(candidates, black_ownership)
    }
}

fn candidate(info: &Value, size: BoardSize) -> Option<EngineCandidate> {
    let number = |field: &str| info[field].as_f64().filter(|number| number.is_finite());
    let line = info["pv"].as_array().map(Vec::as_slice).unwrap_or_default();
    let read = |word: &Value| Move::from_gtp(word.as_str()?, size).filter(|&played| played != Move::Resign);
    Some(EngineCandidate {
        played: Move::from_gtp(info["move"].as_str()?, size)?,
        visits: u32::try_from(info["visits"].as_u64()?).unwrap_or(u32::MAX),
        black_win_prob: number("winrate")?.clamp(0.0, 1.0) as f32,
        black_lead: number("scoreLead").map(|lead| lead as f32),
        prior: number("prior").unwrap_or(0.0).clamp(0.0, 1.0) as f32,
        line: line.iter().map_while(read).take(MAX_LINE_MOVES).collect(),
        is_image: info.get("isSymmetryOf").is_some(),
        order: info["order"].as_u64().map_or(usize::MAX, |order| order as usize),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;

    #[test]
    fn an_answer_is_read_for_black_as_it_stands() {
        let size = BoardSize::NINE;
        let info = |word: &str, visits: u64, order: u64| {
            json!({ "move": word, "visits": visits, "order": order, "winrate": 0.4, "scoreLead": -2.5, "prior": 0.3,
                    "pv": [word, "E5", "pass"] })
        };
        let mut image = info("F6", 30, 2);
        image["isSymmetryOf"] = "D4".into();
        let answer = json!({
            "moveInfos": [info("D4", 30, 1), image, info("E5", 10, 0)],
            "ownership": vec![0.5; 81], "isDuringSearch": true,
        });
        let report = EngineReport::of_json(&answer, size).unwrap();
        assert_eq!((report.visits, report.black_lead, report.black_ownership.len()), (41, Some(-2.5), 81));
        let moves: Vec<String> = report.candidates.iter().map(|one| one.played.to_gtp(size)).collect();
        assert_eq!(moves, ["E5", "D4", "F6"]);
        assert_eq!(report.candidates[1].line.len(), 3);
        for wrong in [json!({}), json!({ "moveInfos": [] }), json!({ "moveInfos": [{ "move": "Z99" }] }), json!(7)] {
            assert_eq!(EngineReport::of_json(&wrong, size), None, "{wrong}");
        }
    }
}
