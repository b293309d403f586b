//! Who owns what at the end, and what that makes: `final_score` and `final_status_list`.

use honinbo_net::StopFlag;
use honinbo_rules::{DeadStones, Game, Point};
use honinbo_search::{Perspective, ReportOptions, Search, SearchLimits, SearchParams};

use super::Reply;
use super::engine::{GtpEngine, described};

/// Visits that are spent on judging a position.
const VISITS: u64 = 100;

impl GtpEngine {
    /// The stones that the network and a short search hold for dead.
    fn dead_stones(&self) -> Result<Vec<Point>, String> {
        let game = self.table.game();
        if game.board().is_empty() {
            return Ok(Vec::new());
        }
        let ownership = self.anticipated_ownership(game)?;
        Ok(DeadStones::from_ownership(game.board(), &ownership).to_vec())
    }

    /// Whose each point will be, from Black's side, by a short search.
    pub(crate) fn anticipated_ownership(&self, game: &Game) -> Result<Vec<f32>, String> {
        let params = SearchParams { root_symmetry_pruning: false, ..self.play_params.clone() };
        let search = Search::new(self.evaluator.clone(), game.clone(), params, self.options.seed)
            .map_err(|error| described(&error))?;
        let limits = SearchLimits { max_visits: VISITS, ..self.limits() };
        search.run(&limits, &StopFlag::new()).map_err(|error| described(&error))?;
        let options = ReportOptions { perspective: Perspective::Black, ownership: true, ..ReportOptions::default() };
        Ok(search.report(&options).and_then(|report| report.ownership).ok_or("no ownership is known")?)
    }

    /// `B+3.5`, `W+10`, `0`.
    pub(crate) fn final_score(&self) -> Reply {
        let game = self.table.game();
        let score = if game.is_finished() { game.score() } else { game.score_without(&self.dead_stones()?) };
        let lead = score.black_lead();
        Ok(if lead > 0.0 {
            format!("B+{lead:.1}")
        } else if lead < 0.0 {
            format!("W+{:.1}", -lead)
        } else {
            "0".into()
        })
    }

    /// The chains of one status, one a line.
    pub(crate) fn final_status_list(&self, status: &str) -> Reply {
        if !["alive", "seki", "dead"].contains(&status) {
            return Err(format!("unknown status '{status}', expected alive, seki or dead"));
        }
        let dead = self.dead_stones()?;
        let game = self.table.game();
        let seki = if status == "dead" { Vec::new() } else { game.seki_stones(&dead) };
        let board = game.board();
        let size = board.size();
        let has_status = |head: Point| match status {
            "dead" => dead.contains(&head),
            "seki" => !dead.contains(&head) && seki.contains(&head),
            _ => !dead.contains(&head) && !seki.contains(&head),
        };
        let lines: Vec<String> = board
            .chains()
            .filter(|chain| has_status(chain.head_point()))
            .map(|chain| chain.stones().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" "))
            .collect();
        Ok(lines.join("\n"))
    }
}
