//! What the engine holds of a move that the file does not know.
//!
//! The engine is asked about the position with a frame around it where there is room for one, so that it looks at nothing
//! but the problem: on the bare board of a corner it would rather play elsewhere. What is played outside of the problem is
//! a pass there.
//!
//! Its word is no proof. A move counts as wrong where it loses clearly, and never as right: what is solved is the file's to
//! say.

use super::ProblemsRoom;
use crate::{ApiError, ProblemOpinion};
use honinbo_evaluator::StopFlag;
use honinbo_library::{ENOUGH_VISITS, MISTAKE_FROM, Searched, points_lost};
use honinbo_record::Tsumego;
use honinbo_rules::{Game, Komi, Move, Preset, Setup, framed, pass_alive};

/// Visits of the position before a move and of the one after it.
const VISITS: u32 = 300;
/// Points up to which a move is as good as the best: half of what makes a mistake.
const KEPT_LOSS: f64 = MISTAKE_FROM / 2.0;
/// Points from which a move loses for certain: two stones and their points, the least that dies or is saved.
const CLEAR_LOSS: f64 = 4.0;

/// What the engine holds of a move, and its reply.
pub(super) struct Opinion {
    pub(super) of_move: ProblemOpinion,
    /// `None` where the game would be over.
    pub(super) reply: Option<Move>,
}

impl ProblemsRoom {
    /// What the engine holds of `played` after `moves`, each as the problem's file has the board.
    pub(super) fn opinion(
        &self,
        problem: &Tsumego,
        moves: &[Move],
        played: Move,
        stop: &StopFlag,
    ) -> Result<Opinion, ApiError> {
        let nothing = || Opinion { of_move: ProblemOpinion::Unclear { points: None }, reply: None };
        let Some(game) = asked_of_engine(problem, moves) else { return Ok(nothing()) };
        let mover = game.to_play();
        let mut behind = game.clone();
        let Some(made) = play(&mut behind, played) else { return Ok(nothing()) };
        let (before, after) = self.analysis.by_one_network(|| {
            let before = self.analysis.evaluation(&game, VISITS, stop)?;
            let after = match behind.is_over() {
                true => None,
                false => Some(self.analysis.evaluation(&behind, VISITS, stop)?),
            };
            Ok((before, after))
        })?;
        let nobody = Searched { visits: 0, black_lead: None, candidates: &[] };
        let lost = points_lost(mover, made, (&before).into(), after.as_ref().map_or(nobody, Into::into), ENOUGH_VISITS);
        let reply = after.and_then(|after| Some(after.candidates.first()?.played));
        Ok(Opinion { of_move: verdict(lost), reply: reply.map(|reply| within(&behind, reply)) })
    }
}

fn verdict(lost: Option<f64>) -> ProblemOpinion {
    match lost {
        Some(lost) if lost >= CLEAR_LOSS => ProblemOpinion::Loses { points: lost.into() },
        Some(lost) if lost <= KEPT_LOSS => ProblemOpinion::Keeps,
        lost => ProblemOpinion::Unclear { points: lost.map(Into::into) },
    }
}

/// The position after some moves as the engine is asked about it; `None` where nothing can be asked any more.
pub(super) fn asked_of_engine(problem: &Tsumego, moves: &[Move]) -> Option<Game> {
    let mut game = match framed(problem.game().board()) {
        Ok(board) => Game::new(Setup {
            size: board.size(),
            topology: board.topology(),
            // The frame is divided by area, and evenly.
            komi: Komi::ZERO,
            stones: board.stones().collect(),
            first_player: problem.solver(),
            ..Setup::preset(Preset::Chinese)
        })
        .ok()?,
        Err(_) => problem.game().clone(),
    };
    for &played in moves {
        play(&mut game, played)?;
    }
    (!game.is_over()).then_some(game)
}

/// Plays a move, or a pass where the frame is; says which.
fn play(game: &mut Game, played: Move) -> Option<Move> {
    let mover = game.to_play();
    let made = if game.legality(mover, played).is_ok() { played } else { Move::Pass };
    game.play(mover, made).ok()?;
    Some(made)
}

/// A reply where everything is settled is none.
fn within(game: &Game, reply: Move) -> Move {
    let Some(point) = reply.point() else { return reply };
    let board = game.board();
    if pass_alive(board, true)[point.index(board.size())].is_some() { Move::Pass } else { reply }
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_record::read_sgf;
    use honinbo_rules::{Color, Point};

    /// White in the corner of a large board, Black around.
    const CORNER: &str = "(;SZ[19]RU[Japanese]KM[6.5]AB[ea][eb][dc][cd][bd][ad]AW[da][db][cc][bc][ac];B[bb];W[ab])";

    #[test]
    fn the_engine_is_asked_about_the_framed_corner_and_elsewhere_is_a_pass() {
        let problem = Tsumego::read(read_sgf(CORNER.as_bytes()).games.remove(0).tree).unwrap();
        let game = asked_of_engine(&problem, &[]).unwrap();
        assert!(game.board().count(Color::Black) > 50, "framed");
        assert_eq!((game.to_play(), game.setup().komi), (Color::Black, Komi::ZERO));
        let far = Move::Place(Point::new(15, 15));
        let mut after = game.clone();
        let made = play(&mut after, far).unwrap();
        assert!(
            made == Move::Pass
                || pass_alive(game.board(), true)[Point::new(15, 15).index(game.board().size())].is_some()
        );
        let near = Move::Place(Point::new(1, 1));
        assert_eq!((play(&mut game.clone(), near), within(&game, near)), (Some(near), near));
        assert_eq!(within(&game, Move::Place(Point::new(15, 15))), Move::Pass, "an eye of the frame");
        assert!(asked_of_engine(&problem, &[Move::Pass, Move::Pass]).is_none(), "the game is over");
        // Where there is no room for a frame the position is asked about as it is.
        let whole = "(;SZ[9]AB[cc][gg]AW[cg][gc];B[ee])";
        let problem = Tsumego::read(read_sgf(whole.as_bytes()).games.remove(0).tree).unwrap();
        assert_eq!(asked_of_engine(&problem, &[]).as_ref(), Some(problem.game()));
    }

    #[test]
    fn only_a_clear_loss_is_wrong() {
        assert!(matches!(verdict(Some(4.0)), ProblemOpinion::Loses { .. }));
        assert!(matches!(verdict(Some(0.9)), ProblemOpinion::Keeps));
        assert!(matches!(verdict(Some(2.5)), ProblemOpinion::Unclear { points: Some(_) }));
        assert!(matches!(verdict(None), ProblemOpinion::Unclear { points: None }));
    }
}
