//! Exercises from the games of the library: who is ahead, counting, ladders, the biggest move.
//!
//! A ladder and a biggest move that were missed come back by the schedule of cards. A number would be known by heart the
//! second time, so a position whose score was asked is not asked again.

mod choose;
mod figures;

use super::LessonsRoom;
use super::schedule::{Grade, answered};
use super::turn::{SWAPPED, Turn};
use crate::analysis::question::Question;
use crate::analysis::score::score_view;
use crate::{
    AnswerExercise, ApiError, ExerciseAnswer, ExerciseFigures, ExerciseFiguresOf, ExerciseFound, ExerciseJudged,
    ExerciseKind, ExerciseRef, ExerciseView, MoveWorth,
};
use choose::{GameLine, Position, lead_of_record, marked_moves};
use honinbo_evaluator::StopFlag;
use honinbo_library::{ExercisePlace, GameId};
use honinbo_record::PositionEvaluation;
use honinbo_rules::{Game, Move, Point, ladder_line};

/// Visits behind the score of a position in the middle of a game.
const SCORE_VISITS: u32 = 400;
/// Points on 19x19 up to which an estimate is right; on a smaller board fewer, as its side is shorter.
const ESTIMATE_WITHIN: f64 = 5.0;
/// Milliseconds after which a position is looked at again that could not be asked: a day.
const POSTPONED_MS: i64 = 24 * 60 * 60 * 1000;
/// Points up to which a count is right: halves differ.
const COUNT_WITHIN: f64 = 0.25;

impl LessonsRoom {
    /// An exercise of a kind: one that is due, or a position that was not asked before.
    pub(crate) fn next_exercise(&self, kind: ExerciseKind, stop: &StopFlag) -> Result<ExerciseFound, ApiError> {
        while let Some(stored) = self.library.due_exercise(kind.into(), self.host.unix_ms())? {
            if let Some(view) = self.exercise_view(&stored.place, stored.answers, true, stop)? {
                return Ok(ExerciseFound { exercise: Some(view) });
            }
            // That no moves stand apart is what this network says; another one, or a longer look, may say that they do.
            let waits = kind == ExerciseKind::Biggest && self.exercise_position(&stored.place)?.is_some();
            if waits {
                self.library.postpone_exercise(&stored.place, self.host.unix_ms() + POSTPONED_MS)?;
            } else {
                // The game was changed since: it is not asked again.
                self.library.answer_exercise(&stored.place, self.host.unix_ms(), true, 0.0, |_| None)?;
            }
        }
        let Some(place) = self.choose_exercise(kind.into(), stop)? else { return Ok(ExerciseFound { exercise: None }) };
        Ok(ExerciseFound { exercise: self.exercise_view(&place, 0, false, stop)? })
    }

    fn exercise_view(
        &self,
        place: &ExercisePlace,
        answers: u32,
        again: bool,
        stop: &StopFlag,
    ) -> Result<Option<ExerciseView>, ApiError> {
        let Some(Position { game, black, white }) = self.exercise_position(place)? else { return Ok(None) };
        let kind = ExerciseKind::from(place.kind);
        let (size, topology) = (game.board().size(), game.board().topology());
        let name = format!("{kind:?} {} {} {:?}", place.game, place.number, place.point);
        let mut number = Turn::of_asking(&name, answers, size, topology);
        if matches!(kind, ExerciseKind::Score | ExerciseKind::Count) {
            // With the colours exchanged, Black would be given komi.
            number &= !SWAPPED;
        }
        let turn = Turn::of_number(number, size, topology).unwrap_or(Turn::NONE);
        let Some(mut marks) = self.exercise_marks(kind, &game, place.point, turn, stop)? else { return Ok(None) };
        marks.sort_unstable();
        Ok(Some(ExerciseView {
            exercise: ExerciseRef {
                kind,
                record: place.game.to_string(),
                number: place.number,
                point: place.point,
                turn: number,
            },
            black,
            white,
            board: turn.board(&game),
            komi: (f64::from(game.komi().half_points()) / 2.0).into(),
            territory: game.is_territory(),
            marks,
            again,
        }))
    }

    /// What is marked on the board as the person sees it; `None` where the question makes no sense there.
    fn exercise_marks(
        &self,
        kind: ExerciseKind,
        game: &Game,
        point: Option<u16>,
        turn: Turn,
        stop: &StopFlag,
    ) -> Result<Option<Vec<u16>>, ApiError> {
        let size = game.board().size();
        Ok(match kind {
            ExerciseKind::Score | ExerciseKind::Count => Some(Vec::new()),
            ExerciseKind::Ladder => {
                let chain = point.and_then(|point| game.board().chain_at(point_of(point, game)?));
                chain.map(|chain| chain.stones().filter_map(|stone| turn.vertex(Move::Place(stone), size)).collect())
            }
            ExerciseKind::Biggest => {
                // The store knows what the network in use said, and nothing of a position that another one was asked about.
                let known = self.known(game).and_then(|known| marked_moves(game, &known));
                let marked = match known {
                    Some(marked) => Some(marked),
                    None => marked_moves(game, &self.searched(game, stop)?),
                };
                marked.map(|moves| moves.into_iter().filter_map(|made| turn.vertex(made, size)).collect())
            }
        })
    }

    /// What the store knows of a position.
    fn known(&self, game: &Game) -> Option<PositionEvaluation> {
        let network = self.analysis.engine.network_name(game.board())?;
        self.analysis.evaluations.recall(game, &network)
    }

    /// Searches what the answer is judged by, while the person thinks.
    pub(crate) fn prepare_exercise(&self, asked: &ExerciseRef, stop: &StopFlag) -> Result<(), ApiError> {
        let (_, game) = self.named_exercise(asked)?;
        match asked.kind {
            ExerciseKind::Score => self.score_of(&game, stop).map(drop),
            ExerciseKind::Count | ExerciseKind::Ladder => Ok(()),
            ExerciseKind::Biggest => {
                let marked = self.known(&game).and_then(|known| marked_moves(&game, &known)).unwrap_or_default();
                marked.into_iter().try_for_each(|made| self.judge(&game, made, stop).map(drop))
            }
        }
    }

    /// Judges an answer, and writes it down.
    pub(crate) fn answer_exercise(&self, given: &AnswerExercise, stop: &StopFlag) -> Result<ExerciseJudged, ApiError> {
        let asked = &given.exercise;
        let (place, game) = self.named_exercise(asked)?;
        let turn = Turn::named(asked.turn, game.board())?;
        let mut judged = match (asked.kind, given.answer) {
            (ExerciseKind::Score, ExerciseAnswer::Lead { black_lead }) => {
                let known = self.score_of(&game, stop)?;
                let lead = known.black_lead.ok_or(ApiError::Cancelled)?;
                let side = game.board().size().area() as f64;
                let judged = off_by(lead, black_lead.get(), ESTIMATE_WITHIN * side.sqrt() / 19.0);
                let owners = (known.black_ownership.len() == game.board().size().area())
                    .then(|| turn.map(game.board().size(), |at| known.black_ownership[at.index(game.board().size())]));
                ExerciseJudged { ownership: owners.unwrap_or_default().into_iter().map(Into::into).collect(), ..judged }
            }
            (ExerciseKind::Count, ExerciseAnswer::Lead { black_lead }) => {
                let line = GameLine::of(&self.library.sgf_of(&asked.record)?).ok_or_else(no_exercise)?;
                let dead = self.analysis.dead_at_the_end(&game);
                let lead = lead_of_record(&line.info, &game, &dead).ok_or_else(no_exercise)?;
                let size = game.board().size();
                let mut score = score_view(&game, &dead);
                score.owner = turn.map(size, |at| score.owner[at.index(size)]);
                let seen = |at: &u16| turn.vertex(Move::Place(Point::from_index((*at).into(), size)), size);
                score.dead = score.dead.iter().filter_map(seen).collect();
                ExerciseJudged { score: Some(score), ..off_by(lead, black_lead.get(), COUNT_WITHIN) }
            }
            (ExerciseKind::Ladder, ExerciseAnswer::Ladder { works }) => {
                let stone = asked.point.and_then(|point| point_of(point, &game)).ok_or_else(no_exercise)?;
                let read = ladder_line(game.board(), stone, None).ok_or_else(no_exercise)?;
                let moves = read.moves_in_turn();
                let right = read.works == works;
                ExerciseJudged {
                    works: Some(read.works),
                    line: Some(turn.line_of(&game, &moves, moves.len())),
                    ..nothing(right, if right { 0.0 } else { 1.0 })
                }
            }
            (ExerciseKind::Biggest, ExerciseAnswer::Move { vertex }) => {
                let size = game.board().size();
                let chosen = turn.back(vertex, size).ok_or_else(|| ApiError::InvalidRequest {
                    message: format!("there is no point {} on a {size} board", vertex.unwrap_or_default()),
                })?;
                let legal = game.legality(game.to_play(), chosen);
                legal.map_err(|error| ApiError::from_illegal_move(error, size))?;
                self.judge_biggest(&game, turn, chosen, stop)?
            }
            _ => return Err(ApiError::InvalidRequest { message: "that is no answer to this question".into() }),
        };
        let now = self.host.unix_ms();
        let own = self.fitting.parameters(self.library.card_answer_count()?, |most| self.library.card_answers(most))?;
        let comes_back = matches!(asked.kind, ExerciseKind::Ladder | ExerciseKind::Biggest);
        let grade = if judged.right { Grade::Right } else { Grade::Wrong };
        let mut failed = None;
        self.library.answer_exercise(&place, now, judged.right, judged.error.get(), |known| {
            if !comes_back || known.is_none() && judged.right {
                return None;
            }
            let (last, memory) = (known.map(|known| known.answered), known.and_then(|known| known.memory));
            answered(own.as_deref(), last, memory, now, grade).map_err(|error| failed = Some(error)).ok()
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        judged.due = self.library.exercise(&place)?.and_then(|known| known.due).map(super::cards::seconds);
        Ok(judged)
    }

    /// What the chosen move and the marked ones lose, and how the best one goes on.
    fn judge_biggest(
        &self,
        game: &Game,
        turn: Turn,
        chosen: Move,
        stop: &StopFlag,
    ) -> Result<ExerciseJudged, ApiError> {
        let size = game.board().size();
        let marked = self.known(game).and_then(|known| marked_moves(game, &known)).unwrap_or_default();
        let (verdict, mut worth, searched) = self.analysis.by_one_network(|| {
            let verdict = self.judge(game, chosen, stop)?;
            let mut worth = vec![(chosen, verdict.lost)];
            for &made in marked.iter().filter(|&&made| made != chosen) {
                worth.push((made, self.judge(game, made, stop)?.lost));
            }
            Ok((verdict, worth, self.searched(game, stop)?))
        })?;
        worth.sort_by(|a, b| a.1.total_cmp(&b.1));
        let best = searched.candidates.first().ok_or(ApiError::Cancelled)?;
        Ok(ExerciseJudged {
            moves: worth
                .into_iter()
                .map(|(made, lost)| MoveWorth { vertex: turn.vertex(made, size), points_lost: lost.into() })
                .collect(),
            line: Some(turn.line(game, &super::judge::with_first(best.played, &best.line))),
            ..nothing(verdict.is_accepted(), verdict.lost)
        })
    }

    /// The score of a position, with owners of its points.
    fn score_of(&self, game: &Game, stop: &StopFlag) -> Result<PositionEvaluation, ApiError> {
        let known = self.known(game).filter(|known| known.visits >= SCORE_VISITS);
        if let Some(known) = known.filter(|known| !known.black_ownership.is_empty()) {
            return Ok(known);
        }
        let question = Question { ownership: true, ..Question::of_visits(SCORE_VISITS.into()) };
        self.analysis.search_and_keep(game, question, stop)
    }

    /// How well the person answers.
    pub(crate) fn exercise_figures(&self, asked: ExerciseFiguresOf) -> Result<ExerciseFigures, ApiError> {
        let due = self.library.due_exercises(self.host.unix_ms())?;
        Ok(figures::figures(&self.library.exercise_sums(asked.minutes_ahead.unwrap_or(0))?, due))
    }

    fn named_exercise(&self, asked: &ExerciseRef) -> Result<(ExercisePlace, Game), ApiError> {
        let place = ExercisePlace {
            kind: asked.kind.into(),
            game: GameId::new(asked.record.as_str()),
            number: asked.number,
            point: asked.point,
        };
        let position = self.exercise_position(&place)?.ok_or_else(no_exercise)?;
        Ok((place, position.game))
    }
}

fn no_exercise() -> ApiError {
    ApiError::NotFound { message: "that position is not in the library any more; ask for another one".into() }
}

fn point_of(index: u16, game: &Game) -> Option<Point> {
    let size = game.board().size();
    (usize::from(index) < size.area()).then(|| Point::from_index(index.into(), size))
}

fn nothing(right: bool, error: f64) -> ExerciseJudged {
    ExerciseJudged {
        right,
        error: error.into(),
        black_lead: None,
        works: None,
        score: None,
        ownership: Vec::new(),
        moves: Vec::new(),
        line: None,
        due: None,
    }
}

/// A number against the right one.
fn off_by(lead: f64, said: f64, within: f64) -> ExerciseJudged {
    let error = (said - lead).abs();
    ExerciseJudged { black_lead: Some(lead.into()), ..nothing(error <= within, error) }
}

impl From<ExerciseKind> for honinbo_library::ExerciseKind {
    fn from(kind: ExerciseKind) -> Self {
        match kind {
            ExerciseKind::Score => Self::Score,
            ExerciseKind::Count => Self::Count,
            ExerciseKind::Ladder => Self::Ladder,
            ExerciseKind::Biggest => Self::Biggest,
        }
    }
}

impl From<honinbo_library::ExerciseKind> for ExerciseKind {
    fn from(kind: honinbo_library::ExerciseKind) -> Self {
        match kind {
            honinbo_library::ExerciseKind::Score => Self::Score,
            honinbo_library::ExerciseKind::Count => Self::Count,
            honinbo_library::ExerciseKind::Ladder => Self::Ladder,
            honinbo_library::ExerciseKind::Biggest => Self::Biggest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_right_within_a_few_points_and_a_count_only_exactly() {
        let estimate = |said| off_by(3.5, said, ESTIMATE_WITHIN);
        assert_eq!((estimate(8.5).right, estimate(-1.6).right), (true, false));
        assert_eq!(estimate(-1.5).error.get(), 5.0);
        let count = |said| off_by(-0.5, said, COUNT_WITHIN).right;
        assert_eq!([-0.5, 0.0, 0.5, -1.0].map(count), [true, false, false, false]);
    }
}
