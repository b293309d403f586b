//! Who owns what at the end, and what that makes: `final_score` and `final_status_list`.

use honinbo_rules::{Board, Color, DeadStones, Game, Komi, Point, Score, Scoring};
use honinbo_search::{Perspective, ReportOptions, RootReport, Search, SearchLimits, SearchParams};

use super::Reply;
use super::engine::{GtpEngine, described};

/// Visits that are spent on judging whose each point will be.
const VISITS: u64 = 100;
/// Ownership beyond which a point is sure to be somebody's.
pub(crate) const CERTAIN: f32 = 0.75;
/// Visits of one look at who leads.
const LEAD_VISITS: u64 = 50;
/// Looks at who leads, each with the komi that the one before found fair.
const LEAD_LOOKS: usize = 4;

impl GtpEngine {
    /// Whose each point will be, from Black's side, by a short search.
    pub(crate) fn anticipated_ownership(&self, game: &Game) -> Result<Vec<f32>, String> {
        let params = SearchParams { root_symmetry_pruning: false, ..self.play_params.clone() };
        let search = self.judge(game.clone(), params, VISITS)?;
        let options = ReportOptions { perspective: Perspective::Black, ownership: true, ..ReportOptions::default() };
        Ok(search.report(&options).and_then(|report| report.ownership).ok_or("no ownership is known")?)
    }

    /// How a position looks to a search of so many visits that plays to the end and favours nobody.
    pub(crate) fn look(&self, game: Game, visits: u64, perspective: Perspective) -> Result<RootReport, String> {
        let params =
            SearchParams { conservative_pass: true, playout_doubling_advantage: 0.0, ..self.play_params.clone() };
        let search = self.judge(game, params, visits)?;
        let options = ReportOptions { perspective, max_candidates: 0, ..ReportOptions::default() };
        Ok(search.report(&options).ok_or("the search found nothing")?.root)
    }

    /// A search by which nothing is left to chance: two programs that are asked about a position say the same. It has
    /// no more visits than a move may have.
    fn judge(&self, game: Game, params: SearchParams, visits: u64) -> Result<Search, String> {
        const SEED: u64 = 0;
        let params = SearchParams { randomize_symmetry: false, ..params };
        let search = Search::new(self.evaluator.clone(), game, params, SEED).map_err(|error| described(&error))?;
        let most = if self.options.max_visits == 0 { u64::MAX } else { self.options.max_visits };
        let limits = SearchLimits { max_visits: visits.min(most), ..self.limits() };
        search.run(&limits, &self.interrupt).map_err(|error| described(&error))?;
        Ok(search)
    }

    /// `B+3.5`, `W+10`, `0`: the score of a game that is over, with what is dead taken off where the rules leave that
    /// to agreement; otherwise what it would be, counted where every border is closed and estimated before.
    pub(crate) fn final_score(&self) -> Reply {
        let game = self.table.game();
        let ruleset = game.ruleset();
        let by_agreement = ruleset.scoring == Scoring::Area && ruleset.friendly_pass;
        let lead = if game.is_finished() && !by_agreement {
            game.score().black_lead()
        } else {
            let ownership = self.anticipated_ownership(game)?;
            let dead = DeadStones::from_ownership(game.board(), &ownership).to_vec();
            let counted = game.score_without(&dead);
            if game.is_over() || is_settled(&counted, &ownership) {
                counted.black_lead()
            } else {
                self.estimated_lead(game)?
            }
        };
        Ok(if lead > 0.0 {
            format!("B+{lead:.1}")
        } else if lead < 0.0 {
            format!("W+{:.1}", -lead)
        } else {
            "0".into()
        })
    }

    /// By how much Black leads in an open position, in points, rounded to a score that is possible.
    ///
    /// A network sees a lead best where the game is even, so the komi is moved towards the fair one.
    fn estimated_lead(&self, game: &Game) -> Result<f64, String> {
        let komi = game.komi();
        let mut evened = game.clone();
        let mut lead = 0.0;
        for _ in 0..LEAD_LOOKS {
            let given = evened.komi().points() - komi.points();
            let visits = LEAD_VISITS.max(10 * self.options.threads as u64);
            let more = self.look(evened.clone(), visits, Perspective::Black)?.score_lead;
            lead = given + more;
            let limit = f64::from(Komi::LIMIT_POINTS);
            let half_points = (2.0 * (komi.points() + lead).clamp(-limit, limit)).round() as i32;
            let fair = Komi::from_half_points(half_points);
            if more.abs() < 1.0 || fair == evened.komi() {
                break;
            }
            evened.set_ruleset_and_komi(*game.ruleset(), fair);
        }
        let offset = if game.score_will_be_integer() { 0.0 } else { 0.5 };
        Ok((lead - offset).round() + offset)
    }

    /// The chains of one status, one a line. What is not dead is alive, as with KataGo; what is in seki is listed once
    /// every other point is somebody's.
    pub(crate) fn final_status_list(&self, status: &str) -> Reply {
        if !["alive", "seki", "dead"].contains(&status) {
            return Err(format!("unknown status '{status}', expected alive, seki or dead"));
        }
        let game = self.table.game();
        if game.board().is_empty() {
            return Ok(String::new());
        }
        let ownership = self.anticipated_ownership(game)?;
        let dead = DeadStones::from_ownership(game.board(), &ownership).to_vec();
        let counted = game.score_without(&dead);
        let seki = if status == "seki" && (game.is_over() || only_seki_is_left(game.board(), &counted, &ownership)) {
            game.seki_stones(&dead)
        } else {
            Vec::new()
        };
        let board = game.board();
        let size = board.size();
        let has_status = |head: Point| match status {
            "dead" => dead.contains(&head),
            "seki" => !dead.contains(&head) && seki.contains(&head),
            _ => !dead.contains(&head),
        };
        let lines: Vec<String> = board
            .chains()
            .filter(|chain| has_status(chain.head_point()))
            .map(|chain| chain.stones().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" "))
            .collect();
        Ok(lines.join("\n"))
    }
}

/// Whether each point is somebody's, and sure to stay so, or touches a stone: no open region is left.
fn only_seki_is_left(board: &Board, counted: &Score, ownership: &[f32]) -> bool {
    let size = board.size();
    Point::all(size).all(|point| match counted.map[point.index(size)] {
        Some(Color::Black) => ownership[point.index(size)] > CERTAIN,
        Some(Color::White) => ownership[point.index(size)] < -CERTAIN,
        None => board.get(point).is_some() || board.neighbors(point).any(|near| board.get(near).is_some()),
    })
}

/// Whether everybody would count it so: each point is somebody's, and sure to stay so; under territory rules points may
/// be left that are nobody's.
fn is_settled(counted: &Score, ownership: &[f32]) -> bool {
    counted.map.iter().zip(ownership).all(|(owner, &black)| match owner {
        Some(Color::Black) => black > CERTAIN,
        Some(Color::White) => black < -CERTAIN,
        None => counted.scoring == Scoring::Territory && black.abs() < CERTAIN,
    })
}
