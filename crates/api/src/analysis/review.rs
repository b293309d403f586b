//! A whole game under review: what each move lost, how each player did, the worst moves and where the lead changed hands.

use crate::analysis::AnalysisRoom;
use crate::analysis::accuracy::{self, Made};
use crate::analysis::engine::{Loaded, SEED, TreeRoom};
use crate::analysis::evaluations::{Evaluations, of_report, to_record};
use crate::analysis::ledger::{self, Ledger, Place};
use crate::games::line::{LinePositions, Walk};
use crate::{ApiError, PlayerReview};
use honinbo_evaluator::{EvalError, StopFlag};
use honinbo_library::{ENOUGH_VISITS, JudgedDepth, MISTAKE_FROM, change_of_mind, points_lost};
use honinbo_record::{
    CandidateEvaluation, GameInfo, GameTree, NodeId, PositionEvaluation, ReplayOptions, set_evaluation,
};
use honinbo_rules::{Board, Color, Game, Move, canonical};
use honinbo_search::{Perspective, ReportOptions, Search, SearchError, SearchLimits, SearchParams};
use std::sync::Arc;

/// Points that one side must lead by to be the leader.
const LEAD_FROM: f64 = 1.0;
/// The network alone knows no better move.
const MIN_VISITS: u32 = 2;

/// How a game is reviewed.
#[derive(Debug, Clone, Copy)]
pub struct ReviewOptions {
    /// Visits on each position, on average where they are many; what the library knows with as many is not asked for
    /// again.
    pub visits: u32,
    /// Rules and komi in place of the record's.
    pub replay: ReplayOptions,
}

/// How far a review has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewProgress {
    /// Positions evaluated.
    pub done: usize,
    /// Positions of the game.
    pub total: usize,
}

/// A game that was reviewed.
#[derive(Debug, Clone)]
pub struct GameReview {
    /// The record with what was found, in the properties that other programs read.
    pub tree: GameTree,
    /// What the record says about the game.
    pub info: GameInfo,
    /// The rules, komi and board that it was replayed by: the first position.
    pub start: Game,
    /// Points that Black leads by before the first move.
    pub start_lead: f64,
    /// The moves of the main line.
    pub moves: Vec<ReviewedMove>,
    /// How Black did.
    pub black: PlayerReview,
    /// How White did.
    pub white: PlayerReview,
    /// Moves that lost [`MISTAKE_FROM`] or more, worst first, as places in `moves`.
    pub mistakes: Vec<usize>,
    /// Moves after which the other side led, as places in `moves`.
    pub turning_points: Vec<usize>,
    /// The network's own name.
    pub network: String,
    /// The device that computed; empty when the library knew everything.
    pub device: String,
    /// Positions of the main line.
    pub positions: usize,
    /// Positions that the library knew.
    pub known: usize,
    /// Fewest visits of a position, of those that can be kept.
    pub visits: u32,
    /// The positions of the main line, as the record has them.
    pub(crate) line: LinePositions,
}

/// A move of a game that was reviewed. Values are from Black's side.
#[derive(Debug, Clone)]
pub struct ReviewedMove {
    /// As the record counts, from 1.
    pub number: u32,
    /// Who played.
    pub color: Color,
    /// The move.
    pub played: Move,
    /// The board before it.
    pub before: Board,
    /// The number of the position before it, on the line of the review.
    pub(crate) position_before: usize,
    /// Points that Black led by before it.
    pub lead_before: f64,
    /// Points that Black leads by after it.
    pub lead: f64,
    /// Black's chance to win after it, 0 to 1.
    pub win_prob: f64,
    /// Points that it lost its player, 0 or more.
    pub lost: f64,
    /// Points by which it turned out better for its player than the engine had thought of any move before it, or (less than
    /// 0) worse than it had thought of its own choice; `None` where the engine did not change its mind.
    pub changed: Option<f64>,
    /// Its place among the moves that the engine looked at, the best at 0; `None` for one that it did not look at.
    pub choice: Option<usize>,
    /// The engine's choice, where that is another move.
    pub better: Option<CandidateEvaluation>,
    /// Visits behind the position after it.
    pub visits: u32,
}

/// Why a game was not reviewed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReviewError {
    /// The network cannot answer one of its positions, however often it is asked.
    #[error(transparent)]
    Position(ApiError),
    /// Anything else, which may be otherwise another time.
    #[error(transparent)]
    Other(#[from] ApiError),
}

impl ReviewError {
    fn of_search(error: &SearchError) -> Self {
        match error {
            SearchError::Evaluation(cause) => Self::of_evaluation(cause),
            other => Self::Other(ApiError::from_search(other)),
        }
    }

    /// An evaluation that failed: a device may come back, a position stays what it is.
    pub(crate) fn of_evaluation(error: &EvalError) -> Self {
        let failure = ApiError::from_evaluation(error);
        match error {
            EvalError::Unsupported { .. } | EvalError::NotFinite { .. } => Self::Position(failure),
            _ => Self::Other(failure),
        }
    }
}

impl From<ReviewError> for ApiError {
    fn from(error: ReviewError) -> Self {
        match error {
            ReviewError::Position(error) | ReviewError::Other(error) => error,
        }
    }
}

impl AnalysisRoom {
    /// Reviews the main line of a record. What the library knows is not asked for again, and what is found is kept there.
    ///
    /// # Errors
    /// [`ReviewError::Position`] when the network cannot answer for this game, [`ApiError::EngineUnavailable`] when nobody
    /// can answer, [`ApiError::Cancelled`] when it was ended early.
    pub(crate) fn review_record(
        &self,
        tree: &GameTree,
        options: &ReviewOptions,
        stop: &StopFlag,
        on_progress: &dyn Fn(ReviewProgress),
    ) -> Result<GameReview, ReviewError> {
        let line = Line::of(tree, options.replay);
        let visits = options.visits.max(MIN_VISITS);
        let (each, total) = (ledger::each_first(visits), line.positions.len());
        let mut reader = Reader::begin(self, stop, &line, each)?;
        let (mut evaluations, mut known) = (Vec::with_capacity(total), 0);
        let mut spent = 0;
        let tell = |spent: u64| {
            let done = usize::try_from(spent / u64::from(visits)).unwrap_or(total).min(total);
            on_progress(ReviewProgress { done, total });
        };
        let mut walk = line.walk();
        // From the end: each position then knows what was found after the move that was played.
        for &(_, number) in line.positions.iter().rev() {
            let game = walk.to(number);
            let recalled = reader.recall(game, visits);
            known += usize::from(recalled.is_some());
            // What is known well enough costs nothing, and nothing is saved for others by it.
            spent += u64::from(if recalled.is_some() { visits } else { each });
            let found = match recalled.or_else(|| reader.recall(game, each)) {
                Some(found) => found,
                None => reader.ask(game, each)?,
            };
            evaluations.push(found);
            tell(spent);
        }
        evaluations.reverse();
        if each < visits {
            reader.share_out(&line, visits, spent, &mut evaluations, &tell)?;
        }
        let mut written = tree.clone();
        let network = reader.network.unwrap_or_default();
        for (&(node, number), found) in line.positions.iter().zip(&evaluations) {
            let game = walk.to(number);
            set_evaluation(&mut written, node, game.board().size(), game.to_play(), &to_record(found, &network));
        }
        let device = reader.loaded.as_ref().map(|loaded| loaded.computing.words()).unwrap_or_default();
        let least = line.least_visits(&network, evaluations.iter().map(|found| found.visits));
        Ok(GameReview { device, network, known, visits: least, ..line.reviewed(written, &evaluations, visits) })
    }
}

impl AnalysisRoom {
    /// How deep the main line of a record was reviewed already, wherever that was: fewest visits of a position, and the
    /// network. `None` where a position that can be kept is not known well enough to judge the moves around it.
    pub(crate) fn known_depth(&self, tree: &GameTree) -> Option<JudgedDepth> {
        let line = Line::of(tree, ReplayOptions::default());
        let network = self.engine.network_name(line.board())?;
        let mut visits = Vec::with_capacity(line.positions.len());
        let mut walk = line.walk();
        for &(_, number) in &line.positions {
            let game = walk.to(number);
            // What is kept of nobody is asked again, whoever reviews the game.
            let known = match Evaluations::can_be_kept(game, &network) {
                true => self.evaluations.recall(game, &network).filter(|known| !known.candidates.is_empty())?.visits,
                false => u32::MAX,
            };
            if known < ENOUGH_VISITS {
                return None;
            }
            visits.push(known);
        }
        let visits = line.least_visits(&network, visits);
        (visits > 0).then_some(JudgedDepth { visits, network })
    }
}

/// The positions of a main line.
struct Line {
    info: GameInfo,
    line: LinePositions,
    /// Each position once: the node that leads to it, and its number on the line.
    positions: Vec<(NodeId, usize)>,
    /// Number, player and move that led to a position; `None` for the first and where stones were set up.
    moves: Vec<Option<(u32, Color, Move)>>,
}

impl Line {
    fn of(tree: &GameTree, options: ReplayOptions) -> Self {
        let last = tree.line_from(tree.root()).last().unwrap_or(tree.root());
        let (mut positions, mut moves) = (Vec::new(), Vec::new());
        let (mut number, mut nodes) = (0, 0);
        // Turns, board and player of the last position.
        let mut last_position: Option<(usize, Board, Color)> = None;
        let (line, replayed) = LinePositions::to(tree, last, options, &mut |node, game| {
            nodes += 1;
            let size = game.board().size();
            let written = tree.move_at(node, size);
            number += u32::from(written.is_some());
            let turns = last_position.as_ref().map(|(turns, ..)| *turns);
            let played = written.and_then(|found| Some((number, found.color, found.played.ok()?)));
            let played = played.filter(|_| turns.is_some_and(|turns| game.turns().len() == turns + 1));
            let same = |(_, before, to_play): &(usize, Board, Color)| {
                before.points().eq(game.board().points()) && *to_play == game.to_play()
            };
            // A node that changes nothing, or an illegal move, leads to no other position.
            if played.is_some() || !last_position.as_ref().is_some_and(same) {
                positions.push((node, nodes - 1));
                moves.push(played);
                last_position = Some((game.turns().len(), game.board().clone(), game.to_play()));
            }
        });
        Self { info: replayed.info, line, positions, moves }
    }

    fn board(&self) -> &Board {
        self.line.start().board()
    }

    fn walk(&self) -> Walk<'_> {
        self.line.walk()
    }

    /// The fewest of these visits, a number for each position, where they can be kept.
    fn least_visits(&self, network: &str, visits: impl IntoIterator<Item = u32>) -> u32 {
        let mut walk = self.walk();
        let can_be_kept = |number| Evaluations::can_be_kept(walk.to(number), network);
        let kept = self.positions.iter().map(|&(_, number)| number).map(can_be_kept).zip(visits);
        kept.filter_map(|(kept, visits)| kept.then_some(visits)).min().unwrap_or(0)
    }

    /// Points that the move to a position lost, where `enough` visits stand behind it.
    fn lost(&self, at: usize, evaluations: &[PositionEvaluation], enough: u32) -> Option<f64> {
        let (_, color, played) = self.moves[at]?;
        let (before, after) = (&evaluations[at.checked_sub(1)?], &evaluations[at]);
        points_lost(color, played, before.into(), after.into(), enough)
    }

    /// Judges every move by evaluations of so many visits.
    fn reviewed(self, tree: GameTree, evaluations: &[PositionEvaluation], visits: u32) -> GameReview {
        let lead = |place: usize| evaluations[place].black_lead.expect("searches count points");
        // Fewer than were asked for where a search had no more room for its tree.
        let enough = evaluations.iter().map(|found| found.visits).fold(visits, u32::min);
        let (mut moves, mut walk) = (Vec::new(), self.walk());
        for (place, found) in self.moves.iter().enumerate().skip(1) {
            let Some((number, color, played)) = *found else { continue };
            let (before, after) = (&evaluations[place - 1], &evaluations[place]);
            let lost = self.lost(place, evaluations, enough);
            let best = before.candidates.first();
            let (_, position_before) = self.positions[place - 1];
            moves.push(ReviewedMove {
                number,
                color,
                played,
                before: walk.to(position_before).board().clone(),
                position_before,
                lead_before: lead(place - 1),
                lead: lead(place),
                win_prob: after.black_win_prob,
                changed: change_of_mind(color, played, before.into(), after.into(), enough),
                lost: lost.expect("every position has these visits"),
                choice: before.candidates.iter().position(|candidate| candidate.played == played),
                better: best.filter(|best| best.played != played).cloned(),
                visits: after.visits,
            });
        }
        let start = self.line.start().clone();
        let area = start.board().size().area();
        let mut mistakes: Vec<usize> = (0..moves.len()).filter(|&place| moves[place].lost >= MISTAKE_FROM).collect();
        mistakes.sort_by(|&a, &b| moves[b].lost.total_cmp(&moves[a].lost).then(a.cmp(&b)));
        GameReview {
            tree,
            info: self.info,
            start_lead: lead(0),
            black: player(&moves, Color::Black, area),
            white: player(&moves, Color::White, area),
            turning_points: turning_points(lead(0), &moves),
            mistakes,
            start,
            positions: self.positions.len(),
            moves,
            network: String::new(),
            device: String::new(),
            known: 0,
            visits,
            line: self.line,
        }
    }
}

fn player(moves: &[ReviewedMove], color: Color, area: usize) -> PlayerReview {
    let own = moves.iter().filter(|found| found.color == color);
    let made = |found: &ReviewedMove| Made { number: found.number, lost: found.lost, choice: found.choice };
    accuracy::of_player(own.map(made), area)
}

/// Where another side came to lead; a lead below [`LEAD_FROM`] is nobody's, and leaves things as they were.
fn turning_points(start: f64, moves: &[ReviewedMove]) -> Vec<usize> {
    let leader = |lead: f64| (lead.abs() >= LEAD_FROM).then_some(lead > 0.0);
    let (mut points, mut leads) = (Vec::new(), leader(start));
    for (place, found) in moves.iter().enumerate() {
        if let Some(now) = leader(found.lead) {
            if leads.is_some_and(|before| before != now) {
                points.push(place);
            }
            leads = Some(now);
        }
    }
    points
}

/// Asks the library first, and the engine for the rest. The network is read when it is first needed, and is the same from
/// the beginning to the end, whichever is chosen meanwhile.
struct Reader<'a> {
    analysis: &'a AnalysisRoom,
    stop: &'a StopFlag,
    /// The network whose opinion it is.
    network: Option<String>,
    loaded: Option<Arc<Loaded>>,
    search: Option<Search>,
    /// Given back after the tree is.
    room: Option<TreeRoom>,
}

impl<'a> Reader<'a> {
    /// For a line whose positions are to have so many visits each.
    fn begin(analysis: &'a AnalysisRoom, stop: &'a StopFlag, line: &Line, each: u32) -> Result<Self, ApiError> {
        let network = analysis.engine.network_name(line.board());
        let mut reader = Self { analysis, stop, network, loaded: None, search: None, room: None };
        // Read before anything is recalled where it has to answer: which one that is, is certain only then.
        let mut walk = line.walk();
        if line.positions.iter().any(|&(_, number)| reader.recall(walk.to(number), each).is_none()) {
            let loaded = analysis.engine.load()?;
            reader.network = Some(loaded.network_on(line.board()).to_owned());
            reader.loaded = Some(loaded);
        }
        Ok(reader)
    }

    /// Spends what is left of so many visits on average where the verdict on a move is open.
    fn share_out(
        &mut self,
        line: &Line,
        mean: u32,
        spent: u64,
        evaluations: &mut [PositionEvaluation],
        tell: &dyn Fn(u64),
    ) -> Result<(), ReviewError> {
        let all = u64::from(mean) * evaluations.len() as u64;
        let (mut ledger, mut walk) = (Ledger::new(all.saturating_sub(spent), mean), line.walk());
        loop {
            let lost = |at| line.lost(at, evaluations, ENOUGH_VISITS);
            let place = |(at, found): (usize, &PositionEvaluation)| Place { visits: found.visits, lost: lost(at) };
            let places: Vec<Place> = evaluations.iter().enumerate().map(place).collect();
            let Some((at, wanted)) = ledger.next(&places) else { break };
            let game = walk.to(line.positions[at].1);
            let known = self.recall(game, wanted);
            let searched = known.is_none();
            let found = match known {
                Some(found) => found,
                None => self.ask(game, wanted)?,
            };
            ledger.looked(at, places[at].visits, found.visits, searched);
            if found.visits > places[at].visits {
                evaluations[at] = found;
            }
            tell(all - ledger.left());
        }
        tell(all);
        Ok(())
    }

    /// What the library knows of a position, with so many visits or more.
    fn recall(&self, game: &Game, visits: u32) -> Option<PositionEvaluation> {
        let known = self.analysis.evaluations.recall(game, self.network.as_deref()?)?;
        (known.visits >= visits && !known.candidates.is_empty()).then_some(known)
    }

    fn ask(&mut self, game: &Game, visits: u32) -> Result<PositionEvaluation, ReviewError> {
        let failed = |error| ReviewError::of_search(&error);
        let loaded = match &self.loaded {
            Some(loaded) => Arc::clone(loaded),
            None => Arc::clone(self.loaded.insert(self.analysis.engine.load()?)),
        };
        let network = loaded.network_on(game.board());
        // Another one was chosen while all that was known so far was the one's before it.
        if self.network.as_deref() != Some(network) {
            return Err(ApiError::Cancelled.into());
        }
        let room = self.room.get_or_insert_with(|| loaded.tree_room());
        let limits = SearchLimits {
            max_visits: visits.into(),
            max_nodes: room.for_visits(visits.into(), game.board().size()),
            threads: loaded.threads,
            leaves_per_thread: None,
            include_ownership: false,
            ..SearchLimits::default()
        };
        let search = match &mut self.search {
            Some(search) => {
                // As many nodes again are to have room.
                let max_kept = limits.nodes_on(game.board().size()) / 2;
                search.go_back_to(game.clone(), max_kept).map_err(failed)?;
                search
            }
            None => {
                let params = SearchParams::analysis();
                self.search.insert(Search::new(loaded.background(), game.clone(), params, SEED).map_err(failed)?)
            }
        };
        search.run(&limits, self.stop).map_err(failed)?;
        let options = ReportOptions { perspective: Perspective::Black, ..ReportOptions::default() };
        let report = search.report(&options).filter(|_| !self.stop.is_set()).ok_or(ApiError::Cancelled)?;
        let found = of_report(&report);
        if tracing::enabled!(tracing::Level::TRACE) {
            let form = canonical(game.board(), game.to_play());
            tracing::trace!(position = %form.hash, swapped = form.colors_swapped, found.visits, "searched");
        }
        self.analysis.evaluations.keep(game, network, found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::App;
    use crate::testing::{TWO_NETWORKS, choose_network, gated};
    use honinbo_record::read_sgf;
    use honinbo_rules::Point;

    /// A review of a line of moves whose positions have these leads; the engine would always play in the corner.
    fn reviewed(sgf: &str, leads: &[f64]) -> GameReview {
        let tree = read_sgf(sgf.as_bytes()).games.remove(0).tree;
        let line = Line::of(&tree, ReplayOptions::default());
        let evaluation = |&black_lead: &f64| PositionEvaluation {
            visits: 2,
            black_win_prob: 0.5,
            black_lead: Some(black_lead),
            candidates: vec![CandidateEvaluation {
                played: Move::Place(Point::new(0, 0)),
                visits: 1,
                black_win_prob: 0.5,
                black_lead: Some(black_lead),
                prior: 0.1,
                line: Vec::new(),
            }],
            ..PositionEvaluation::default()
        };
        assert_eq!(line.positions.len(), leads.len());
        line.reviewed(tree, &leads.iter().map(evaluation).collect::<Vec<_>>(), 2)
    }

    #[test]
    fn each_player_is_told_what_was_lost() {
        // Black loses 3 and 0 (the engine's choice, whatever is thought of it later), White 0 (gains 1) and 8.
        let review = reviewed("(;SZ[9];B[cc];W[gg];B[aa];W[gc])", &[0.5, -2.5, -3.5, -5.0, 3.0]);
        let lost: Vec<f64> = review.moves.iter().map(|found| found.lost).collect();
        assert_eq!(lost, [3.0, 0.0, 0.0, 8.0]);
        assert_eq!((review.black.moves, review.black.lost.get(), review.black.mistakes), (2, 3.0, 1));
        assert_eq!((review.white.moves, review.white.lost.get(), review.white.mistakes), (2, 8.0, 1));
        assert_eq!(review.mistakes, [3, 0], "worst first");
        let choices = [&review.black, &review.white].map(|player| (player.best, player.among_top, player.sizes));
        assert_eq!(choices, [(1, 1, [1, 0, 0]), (0, 0, [0, 1, 0])], "one black move was the engine's");
        assert_eq!(review.turning_points, [3], "half a point at the start was nobody's lead");
        let better: Vec<bool> = review.moves.iter().map(|found| found.better.is_some()).collect();
        let changed: Vec<_> = review.moves.iter().map(|found| found.changed).collect();
        assert_eq!(changed, [None, None, None, None], "a mistake is no surprise");
        let surprised = reviewed("(;SZ[9];B[cc];W[gg])", &[0.5, 4.5, 5.0]);
        assert_eq!(surprised.moves[0].changed, Some(4.0));
        assert_eq!(better, [true, true, false, true], "the engine's own choice has no better one");
    }

    #[test]
    fn comments_illegal_moves_and_set_up_stones_are_no_moves() {
        let review = reviewed("(;SZ[9];B[cc];C[so far];W[cc];W[gg];AB[aa];B[bb])", &[0.0, 1.0, 1.0, 2.0, 2.0]);
        let numbers: Vec<u32> = review.moves.iter().map(|found| found.number).collect();
        assert_eq!(numbers, [1, 3, 4]);
        assert_eq!(review.moves[2].lead_before, 2.0, "after the stone that was set up");
    }
    #[test]
    fn a_game_that_the_network_before_judged_does_not_count_as_judged_by_the_next_one() {
        let (app, gate) = gated();
        let [old, new] = TWO_NETWORKS;
        choose_network(&app, old);
        gate.allow(Some(12));
        let tree = read_sgf(b"(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[cc];B[gg])").games.remove(0).tree;
        let options = ReviewOptions { visits: ENOUGH_VISITS, replay: ReplayOptions::default() };
        let review = std::thread::scope(|scope| {
            let reviewing = scope.spawn(|| app.review_record(&tree, &options, &StopFlag::new(), &|_| {}).unwrap());
            gate.wait_until_empty();
            choose_network(&app, new);
            gate.allow(None);
            reviewing.join().unwrap()
        });
        assert_eq!(review.network, old);
        let written = review.tree.to_sgf();
        assert!(written.contains(old) && !written.contains(new), "{written}");
        let depth = |app: &App| app.analysis.known_depth(&tree).map(|depth| depth.network);
        assert_eq!(depth(&app), None, "the new one knows nothing of it");
        choose_network(&app, old);
        assert_eq!(depth(&app).as_deref(), Some(old));
    }
}
