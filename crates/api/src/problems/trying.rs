//! Trying a move: the file answers as far as it knows, then the engine does.

use super::referee::Proved;
use super::{Asked, ProblemsRoom};
use crate::{ApiError, ProblemOpinion, ProblemSolution, ProblemTry, ProblemVerdict, ShowProblem, TryProblem, Vertex};
use honinbo_evaluator::StopFlag;
use honinbo_record::{NodeId, Tried, Tsumego};
use honinbo_rules::{Game, Move, splitmix};

/// Moves of a try: nobody reads further, and no file goes on for longer.
const MAX_MOVES: usize = 400;
/// Moves of a refutation or a solution that are shown.
const MAX_SHOWN: usize = 100;

/// A position that was reached.
pub(super) struct Reached {
    pub(super) game: Game,
    /// The moves that led there.
    pub(super) moves: Vec<Move>,
    /// Where that is in the file; `None` where the file does not know it.
    pub(super) node: Option<NodeId>,
}

/// What follows a move.
struct Outcome {
    verdict: ProblemVerdict,
    opinion: Option<ProblemOpinion>,
    comment: String,
    /// The moves after it.
    replies: Vec<Move>,
    /// They are the engine's.
    engine: bool,
    /// They are the referee's.
    proved: bool,
}

impl Outcome {
    fn of_file(verdict: ProblemVerdict, comment: String, replies: Vec<Move>) -> Self {
        Self { verdict, opinion: None, comment, replies, engine: false, proved: false }
    }
}

impl ProblemsRoom {
    /// Tries a move.
    pub(crate) fn try_move(&self, wanted: &TryProblem, stop: &StopFlag) -> Result<ProblemTry, ApiError> {
        let asked = self.asked(&wanted.problem)?;
        let reached = reached(&asked, &wanted.moves)?;
        let played = read_vertex(&asked, wanted.vertex)?;
        check(&reached.game, played)?;
        let outcome = self.outcome(&asked, &reached, played, stop)?;
        let solved = match (outcome.verdict, outcome.opinion) {
            (ProblemVerdict::Solved, _) => Some(true),
            (ProblemVerdict::Wrong, _) | (ProblemVerdict::Unknown, Some(ProblemOpinion::Loses { .. })) => Some(false),
            _ => None,
        };
        let counted = solved.map(|solved| self.count(&asked, solved)).transpose()?.flatten();
        let line = match outcome.verdict {
            ProblemVerdict::Refused => Vec::new(),
            _ => std::iter::once(played).chain(outcome.replies).collect(),
        };
        let shown = asked.turn.line_of(&reached.game, &line, MAX_SHOWN);
        let mut game = reached.game;
        for &made in &line[..shown.moves.len()] {
            // The line that is shown was played there.
            if game.play(game.to_play(), made).is_err() {
                break;
            }
        }
        Ok(ProblemTry {
            verdict: outcome.verdict,
            opinion: outcome.opinion,
            comment: outcome.comment,
            moves: wanted.moves.iter().chain(&shown.moves).copied().collect(),
            line: shown,
            engine: outcome.engine,
            proved: outcome.proved,
            board: asked.turn.board(&game),
            counted,
            set: self.set_view(),
        })
    }

    fn outcome(&self, asked: &Asked, reached: &Reached, played: Move, stop: &StopFlag) -> Result<Outcome, ApiError> {
        let problem = &asked.problem;
        let tried = reached.node.map_or(Tried::Unknown, |node| problem.try_move(node, played));
        let Tried::Known(node) = tried else {
            if tried == Tried::Refused {
                return Ok(Outcome::of_file(ProblemVerdict::Refused, String::new(), Vec::new()));
            }
            return self.answered_by_engine(asked, reached, played, stop);
        };
        let mut game = reached.game.clone();
        let opponent = game.to_play().opponent();
        // That it may be played was checked.
        game.play(game.to_play(), played).map_err(|error| ApiError::from_illegal_move(error, game.board().size()))?;
        if !problem.is_right(node) {
            let refutation = problem.line(node);
            let comments = std::iter::once(node).chain(refutation.iter().map(|(node, _)| *node));
            let comment = joined(comments.map(|node| problem.comment(node)));
            let moves: Vec<Move> = refutation.into_iter().map(|(_, played)| played).collect();
            if !moves.is_empty() {
                return Ok(Outcome::of_file(ProblemVerdict::Wrong, comment, moves));
            }
            // The file ends here: the engine shows why, where there is one.
            let reply = self.opinion(problem, &reached.moves, played, stop).ok().and_then(|opinion| opinion.reply);
            let replies: Vec<Move> = reply.into_iter().collect();
            let engine = !replies.is_empty();
            return Ok(Outcome { engine, ..Outcome::of_file(ProblemVerdict::Wrong, comment, replies) });
        }
        if problem.is_end(node) {
            return Ok(Outcome::of_file(ProblemVerdict::Solved, problem.comment(node), Vec::new()));
        }
        // A file that goes on with the solver's move has the opponent pass.
        let (next, reply) = problem.reply(node, seed(asked)).unwrap_or((node, Move::Pass));
        if game.legality(opponent, reply).is_err() {
            return self.answered_by_engine(asked, reached, played, stop);
        }
        let verdict = if problem.is_end(next) { ProblemVerdict::Solved } else { ProblemVerdict::Right };
        let own = problem.comment(node);
        let comment = if next == node { own } else { joined([own, problem.comment(next)]) };
        Ok(Outcome::of_file(verdict, comment, vec![reply]))
    }

    fn answered_by_engine(
        &self,
        asked: &Asked,
        reached: &Reached,
        played: Move,
        stop: &StopFlag,
    ) -> Result<Outcome, ApiError> {
        match self.proved(asked, reached, played, stop) {
            Some(Proved::Fails(line)) => {
                let verdict = ProblemVerdict::Wrong;
                return Ok(Outcome { proved: true, ..Outcome::of_file(verdict, String::new(), line) });
            }
            Some(Proved::Holds(line)) => {
                return Ok(Outcome {
                    opinion: Some(ProblemOpinion::Holds),
                    proved: true,
                    ..Outcome::of_file(
                        ProblemVerdict::Unknown,
                        String::new(),
                        vec![line.first().copied().unwrap_or(Move::Pass)],
                    )
                });
            }
            None => {}
        }
        let opinion = self.opinion(&asked.problem, &reached.moves, played, stop)?;
        Ok(Outcome {
            verdict: ProblemVerdict::Unknown,
            opinion: Some(opinion.of_move),
            comment: String::new(),
            // Without a reply it is the solver's turn again.
            replies: vec![opinion.reply.unwrap_or(Move::Pass)],
            engine: true,
            proved: false,
        })
    }

    /// What the file holds to be right; who gives up has not solved it.
    pub(crate) fn solution(&self, wanted: &ShowProblem) -> Result<ProblemSolution, ApiError> {
        let asked = self.asked(&wanted.problem)?;
        let problem = &asked.problem;
        let counted = if wanted.given_up { self.count(&asked, false)? } else { None };
        let way = problem.solution(problem.start(), seed(&asked));
        let moves: Vec<Move> = way.iter().map(|(_, played)| *played).collect();
        let line = asked.turn.line_of(problem.game(), &moves, MAX_SHOWN);
        let comments = way.iter().take(line.moves.len()).map(|(node, _)| problem.comment(*node)).collect();
        let size = problem.game().board().size();
        let right = problem.right_moves(problem.start()).map(|right| asked.turn.vertex(right, size)).collect();
        Ok(ProblemSolution { line, comments, right, counted, set: self.set_view() })
    }
}

/// Which of several replies of the file comes: another one after the next answer.
fn seed(asked: &Asked) -> u64 {
    splitmix(asked.stored.id.unsigned_abs().wrapping_mul(31).wrapping_add(u64::from(asked.stored.tries)))
}

fn read_vertex(asked: &Asked, seen: Vertex) -> Result<Move, ApiError> {
    let size = asked.problem.game().board().size();
    asked.turn.back(seen, size).ok_or_else(|| ApiError::InvalidRequest {
        message: format!("there is no point {} on a {size} board", seen.unwrap_or_default()),
    })
}

fn check(game: &Game, played: Move) -> Result<(), ApiError> {
    let size = game.board().size();
    game.legality(game.to_play(), played).map_err(|error| ApiError::from_illegal_move(error, size))
}

/// The position after the moves so far, by turns of the solver and the opponent.
pub(super) fn reached(asked: &Asked, moves: &[Vertex]) -> Result<Reached, ApiError> {
    if moves.len() > MAX_MOVES || !moves.len().is_multiple_of(2) {
        let message = format!("{} moves were made; a try has an even number of them, {MAX_MOVES} at most", moves.len());
        return Err(ApiError::InvalidRequest { message });
    }
    let problem = &asked.problem;
    let mut reached = Reached { game: problem.game().clone(), moves: Vec::new(), node: Some(problem.start()) };
    for (number, &seen) in moves.iter().enumerate() {
        let played = read_vertex(asked, seen)?;
        check(&reached.game, played)?;
        let by_solver = number.is_multiple_of(2);
        reached.node = reached.node.and_then(|node| follow(problem, node, played, by_solver));
        let size = reached.game.board().size();
        let mover = reached.game.to_play();
        reached.game.play(mover, played).map_err(|error| ApiError::from_illegal_move(error, size))?;
        reached.moves.push(played);
    }
    Ok(reached)
}

fn follow(problem: &Tsumego, node: NodeId, played: Move, by_solver: bool) -> Option<NodeId> {
    if by_solver {
        let Tried::Known(next) = problem.try_move(node, played) else { return None };
        // Behind a wrong move or an end the file has nothing to ask.
        return (problem.is_right(next) && !problem.is_end(next)).then_some(next);
    }
    match problem.reply_at(node, played) {
        Some(next) => Some(next),
        None => (played == Move::Pass && !problem.has_reply(node)).then_some(node),
    }
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}
