//! What a problem's group is, by proof.
//!
//! The referee looks at the position as it is, without a frame: what it proves holds on the whole board. The network says
//! which moves are likely, where there is one; it changes how long a proof takes and nothing else.

use super::opinion::asked_of_engine;
use super::trying::Reached;
use super::{Asked, ProblemsRoom};
use crate::games::session::side;
use crate::lessons::turn::Turn;
use crate::{ApiError, GroupFate, JudgeProblem, ProblemRuling, RefereeReason, RefereeRuling};
use honinbo_evaluator::StopFlag;
use honinbo_record::Tsumego;
use honinbo_referee::{
    Appraisal, Fate, Held, Limits, MoveOrder, Reason, Referee, Role, Ruling, appraise, appraise_answers,
};
use honinbo_rules::{Board, Color, Move, Point};
use std::time::Duration;

/// The time of a question.
const TIME: Duration = Duration::from_secs(5);
/// The time that a move which the file does not know is judged for, before the engine is asked.
const TIME_OF_A_TRY: Duration = Duration::from_secs(1);
/// Moves of a line that are shown.
const MAX_SHOWN: usize = 40;
/// Visits that tell likely moves.
const VISITS: u32 = 32;

/// What the network holds likely.
struct Likely(Vec<(Point, f32)>);

impl MoveOrder for Likely {
    fn likely(&self, _: &Board, _: Color) -> Vec<(Point, f32)> {
        self.0.clone()
    }
}

/// What is proved of a move that the file does not know.
pub(super) enum Proved {
    /// It fails; the moves that follow it.
    Fails(Vec<Move>),
    /// It does as well as any; the reply to it, if there is one.
    Holds(Vec<Move>),
}

impl ProblemsRoom {
    /// Judges a position of a problem.
    pub(crate) fn judge(&self, wanted: &JudgeProblem, stop: &StopFlag) -> Result<ProblemRuling, ApiError> {
        let asked = self.asked(&wanted.problem)?;
        let reached = super::trying::reached(&asked, &wanted.moves)?;
        let (game, turn) = (&reached.game, asked.turn);
        let size = game.board().size();
        let order = self.likely(&asked.problem, &reached.moves, stop);
        let began = self.host.monotonic();
        let is_over = || stop.is_set() || self.host.monotonic().saturating_sub(began) >= TIME;
        let solver = game.to_play();
        // The group that the file is about, where its moves tell which one that is.
        let right: Vec<Move> = reached.node.into_iter().flat_map(|node| asked.problem.right_moves(node)).collect();
        let limits = Limits::default();
        let meant = appraise_answers(game.board(), solver, &right, limits, &order, &is_over)
            .filter(|answered| answered.held == Held::Agrees || is_over())
            .map(|answered| answered.appraisal);
        let Some(appraisal) = meant.or_else(|| appraise(game.board(), limits, &order, &is_over)) else {
            return Ok(nothing(&asked));
        };
        if stop.is_set() {
            return Err(ApiError::Cancelled);
        }
        let mut right = Vec::new();
        if appraisal.is_decided_by_first_move() {
            let mut referee = Referee::with(game.board(), &appraisal.group, Limits::default(), &order, &is_over);
            let moves = referee.moves(solver).into_iter();
            right.extend(
                moves.filter(|(_, ruling)| appraisal.is_as_good(ruling.fate, solver)).map(|(played, _)| played),
            );
        }
        let first = ruling_of(&appraisal, solver);
        let stones = appraisal.group.iter().filter_map(|&point| turn.vertex(Move::Place(point), size));
        Ok(ProblemRuling {
            group: stones.collect(),
            owner: Some(side(turn.color(appraisal.defender))),
            solver_first: told(turn, first, appraisal.defender),
            opponent_first: told(turn, ruling_of(&appraisal, solver.opponent()), appraisal.defender),
            decides: appraisal.is_decided_by_first_move(),
            right: right.into_iter().map(|played| turn.vertex(played, size)).collect(),
            line: turn.line_of(game, &first.line, MAX_SHOWN),
        })
    }

    /// What is proved of a move, for the group that the file is about: the one for which the moves that the file holds right
    /// are proved to be among the best. `None` where there is no such group, or nothing is proved of the move.
    pub(super) fn proved(&self, asked: &Asked, reached: &Reached, played: Move, stop: &StopFlag) -> Option<Proved> {
        let problem = &asked.problem;
        let order = self.likely(problem, &reached.moves, stop);
        let began = self.host.monotonic();
        let is_over = || stop.is_set() || self.host.monotonic().saturating_sub(began) >= TIME_OF_A_TRY;
        let board = reached.game.board();
        let solver = reached.game.to_play();
        // Where the file does not know the moves so far, its first ones tell what it is about.
        let (asked_of, node) =
            reached.node.map_or_else(|| (problem.game().board(), problem.start()), |node| (board, node));
        let right: Vec<Move> = problem.right_moves(node).collect();
        let answered = appraise_answers(asked_of, solver, &right, Limits::default(), &order, &is_over)?;
        // A stone or two are hardly what the file asks about.
        if answered.held != Held::Agrees || answered.appraisal.group.len() < 3 {
            return None;
        }
        let mut appraisal = answered.appraisal;
        let is_there = |point: &&Point| board.get(**point) == Some(appraisal.defender);
        let group: Vec<Point> = appraisal.group.iter().filter(is_there).copied().collect();
        let mut referee = Referee::with(board, &group, Limits::default(), &order, &is_over);
        if reached.node.is_none() {
            appraisal = Appraisal { verdict: referee.verdict(), ..appraisal };
        }
        if !appraisal.is_decided_by_first_move() {
            return None;
        }
        let ruling = referee.rule(solver, &[played]);
        match ruling.fate {
            Fate::NotProved(_) => None,
            fate if appraisal.is_as_good(fate, solver) => Some(Proved::Holds(ruling.line)),
            _ => Some(Proved::Fails(ruling.line)),
        }
    }

    fn likely(&self, problem: &Tsumego, moves: &[Move], stop: &StopFlag) -> Likely {
        let game = asked_of_engine(problem, moves);
        let found = game.and_then(|game| self.analysis.evaluation(&game, VISITS, stop).ok());
        let candidates = found.into_iter().flat_map(|found| found.candidates);
        Likely(candidates.filter_map(|one| Some((one.played.point()?, one.prior as f32))).collect())
    }
}

fn ruling_of(appraisal: &Appraisal, first: Color) -> &Ruling {
    if first == appraisal.defender { &appraisal.verdict.defender_first } else { &appraisal.verdict.attacker_first }
}

fn told(turn: Turn, ruling: &Ruling, defender: Color) -> RefereeRuling {
    let color = |role| turn.color(if role == Role::Defender { defender } else { defender.opponent() });
    let fate = match ruling.fate {
        Fate::Dead => GroupFate::Dead,
        Fate::Alive => GroupFate::Alive,
        Fate::Seki => GroupFate::Seki,
        Fate::Lives { whole } => GroupFate::Lives { whole },
        Fate::Ko { first, threats } => GroupFate::Ko { first: side(color(first)), threats },
        Fate::NotProved(reason) => GroupFate::NotProved { reason: told_reason(reason) },
    };
    RefereeRuling { fate, positions: u32::try_from(ruling.positions).unwrap_or(u32::MAX) }
}

fn told_reason(reason: Reason) -> RefereeReason {
    match reason {
        Reason::NoGroup | Reason::Open => RefereeReason::Open,
        Reason::JoinedEdges => RefereeReason::JoinedEdges,
        Reason::Positions | Reason::Stopped => RefereeReason::Long,
        Reason::Undecided => RefereeReason::Undecided,
    }
}

fn nothing(asked: &Asked) -> ProblemRuling {
    let open = RefereeRuling { fate: GroupFate::NotProved { reason: RefereeReason::Open }, positions: 0 };
    let line = asked.turn.line_of(asked.problem.game(), &[], 0);
    ProblemRuling {
        group: Vec::new(),
        owner: None,
        solver_first: open,
        opponent_first: open,
        decides: false,
        right: Vec::new(),
        line,
    }
}
