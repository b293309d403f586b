//! What a problem's group is, by proof.
//!
//! The referee looks at the position as it is, without a frame: what it proves holds on the whole board. The network says
//! which moves are likely, where there is one; it changes how long a proof takes and nothing else.

use super::opinion::asked_of_engine;
use super::{Asked, ProblemsRoom};
use crate::games::session::side;
use crate::lessons::turn::Turn;
use crate::{ApiError, GroupFate, JudgeProblem, ProblemRuling, RefereeReason, RefereeRuling};
use honinbo_evaluator::StopFlag;
use honinbo_record::Tsumego;
use honinbo_referee::{Appraisal, Fate, Limits, MoveOrder, Reason, Referee, Role, Ruling, appraise};
use honinbo_rules::{Board, Color, Game, Move, Point};
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
        let Some(appraisal) = appraise(game.board(), Limits::default(), &order, &is_over) else {
            return Ok(nothing(&asked));
        };
        if stop.is_set() {
            return Err(ApiError::Cancelled);
        }
        let mut right = Vec::new();
        let best = appraisal.fate(solver);
        if appraisal.is_decided_by_first_move() {
            let mut referee = Referee::with(game.board(), &appraisal.group, Limits::default(), &order, &is_over);
            let moves = referee.moves(solver).into_iter();
            right.extend(
                moves
                    .filter(|(_, ruling)| is_as_good(ruling.fate, best, solver, appraisal.defender))
                    .map(|(played, _)| played),
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

    /// What is proved of a move; `None` where it is not.
    pub(super) fn proved(
        &self,
        asked: &Asked,
        game: &Game,
        moves: &[Move],
        played: Move,
        stop: &StopFlag,
    ) -> Option<Proved> {
        let order = self.likely(&asked.problem, moves, stop);
        let began = self.host.monotonic();
        let is_over = || stop.is_set() || self.host.monotonic().saturating_sub(began) >= TIME_OF_A_TRY;
        let solver = game.to_play();
        let appraisal = appraise(game.board(), Limits::default(), &order, &is_over)?;
        let best = appraisal.fate(solver);
        // A stone or two are hardly what the file asks about.
        if !appraisal.is_decided_by_first_move() || appraisal.group.len() < 3 {
            return None;
        }
        let ruling =
            Referee::with(game.board(), &appraisal.group, Limits::default(), &order, &is_over).rule(solver, &[played]);
        let is_good = is_as_good(ruling.fate, best, solver, appraisal.defender);
        match ruling.fate {
            Fate::NotProved(_) => None,
            _ if is_good => Some(Proved::Holds(ruling.line)),
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

/// Whether a fate is as good for this player as the best one. Life is life, with eyes or in seki.
fn is_as_good(fate: Fate, best: Fate, player: Color, defender: Color) -> bool {
    if fate.is_life() && best.is_life() {
        return true;
    }
    let worth = |fate: Fate| fate.rank().map(|rank| if player == defender { u8::MAX - rank } else { rank });
    worth(fate).zip(worth(best)).is_some_and(|(fate, best)| fate >= best)
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
