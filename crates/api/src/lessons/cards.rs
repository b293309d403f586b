//! Cards: answering them, and keeping those that were failed.

use super::deck::index_of;
use super::judge::Verdict;
use super::lines::recorded_solution;
use super::schedule::{Grade, answered};
use super::{Asked, LessonsRoom};
use crate::{AnswerCard, ApiError, CardAnswer, CardRef, CardSolution, Finite, KeptCard, NodeRef, ShowSolution};
use honinbo_evaluator::StopFlag;
use honinbo_library::{CardId, NewCard};
use honinbo_players::Player;
use honinbo_rules::{Game, Move};
use std::time::Duration;

/// How long somebody of a rank thinks about the reply to a wrong move.
const REPLY_WITHIN: Duration = Duration::from_secs(5);

pub(super) const NOT_KEPT: KeptCard = KeptCard { kept: false, due: None };

impl LessonsRoom {
    /// Searches the position of a card ahead of the answer.
    pub(crate) fn prepare(&self, card: &CardRef, stop: &StopFlag) -> Result<(), ApiError> {
        let asked = self.asked(card)?;
        if !asked.recorded.is_empty() {
            return Ok(());
        }
        let found = self.searched(&asked.game, stop)?;
        self.report_review(&asked, &found, None);
        Ok(())
    }

    /// Judges an answer, and writes down what follows from it.
    pub(crate) fn answer(
        &self,
        given: &AnswerCard,
        replier: Option<Box<dyn Player>>,
        stop: &StopFlag,
    ) -> Result<CardAnswer, ApiError> {
        let asked = self.asked(&given.card)?;
        let size = asked.game.board().size();
        let played = asked.turn.back(given.vertex, size).ok_or_else(|| ApiError::InvalidRequest {
            message: format!("there is no point {} on a {size} board", given.vertex.unwrap_or_default()),
        })?;
        let legal = asked.game.legality(asked.game.to_play(), played);
        legal.map_err(|error| ApiError::from_illegal_move(error, size))?;
        if !asked.recorded.is_empty() {
            return self.answer_by_record(given, &asked, played);
        }
        let verdict = self.judge(&asked.game, played, stop)?;
        let of_the_game = asked.played.is_some_and(|(of_game, _)| of_game == played);
        self.report_review(&asked, &verdict.before, verdict.after.as_ref().filter(|_| of_the_game));
        let grade = if verdict.is_accepted() { Grade::Right } else { Grade::Wrong };
        let kept = self.graded(&given.card, &asked, grade)?;
        let replied =
            replier.filter(|_| !verdict.is_accepted()).and_then(|replier| replied(replier, &asked.game, played, stop));
        let Verdict { lost, is_best, line, .. } = &verdict;
        let line = replied.as_ref().unwrap_or(line);
        Ok(CardAnswer {
            accepted: verdict.is_accepted(),
            is_best: *is_best,
            points_lost: (*lost).into(),
            line: asked.turn.line(&asked.game, line),
            kept,
        })
    }

    /// What was played and what is better; who gives up has failed.
    pub(crate) fn solution(&self, wanted: &ShowSolution, stop: &StopFlag) -> Result<CardSolution, ApiError> {
        let asked = self.asked(&wanted.card)?;
        let solution = recorded_solution(&asked).map_or_else(|| self.solve(&asked, stop), Ok)?;
        let kept = match wanted.given_up {
            true => self.graded(&wanted.card, &asked, Grade::Wrong)?,
            false => self.kept(&asked)?,
        };
        Ok(CardSolution { kept, ..solution })
    }

    /// Keeps a card, which is due at once.
    pub(crate) fn keep(&self, card: &CardRef) -> Result<KeptCard, ApiError> {
        let asked = self.asked(card)?;
        let id = match asked.card {
            Some(id) => id,
            None => self.add(card, &asked)?,
        };
        self.due_of(&id)
    }

    /// Keeps the position at a node, with the move that the game went on with.
    pub(crate) fn keep_position(&self, wanted: &NodeRef) -> Result<KeptCard, ApiError> {
        let (game, sgf, played) = self.games.with_game(&wanted.game_id, |session| {
            let game = session.game_at(wanted.node_id)?;
            let next = session.move_after(wanted.node_id)?;
            Ok((game, session.excerpt(wanted.node_id)?, next))
        })?;
        let value = |node| self.analysis.engine.value_of(&wanted.game_id, node)?.judged;
        let played = played
            .filter(|(_, color, _)| *color == game.to_play())
            .map(|(node, _, played)| (played, value(node).map_or(0.0, |judged| judged.points_lost.get())));
        let id =
            self.library.add_card(game.board(), game.to_play(), &card_of(sgf, &game, played), self.host.unix_ms())?;
        self.due_of(&id)
    }

    /// Puts a card away.
    pub(crate) fn remove(&self, card: &CardRef) -> Result<KeptCard, ApiError> {
        let asked = self.asked(card)?;
        let id = match asked.card {
            Some(id) => Some(id),
            None => self.library.card_of(asked.game.board(), asked.game.to_play())?,
        };
        if let Some(id) = id {
            self.library.remove_card(&id, self.host.unix_ms())?;
        }
        Ok(NOT_KEPT)
    }

    /// What a grade does to a card: a failed turning point becomes one of those that come back, and the first answer to
    /// one that is due says when it does.
    pub(super) fn graded(&self, card: &CardRef, asked: &Asked, grade: Grade) -> Result<KeptCard, ApiError> {
        let known = match &asked.card {
            Some(id) => Some(id.clone()),
            None if grade == Grade::Wrong => Some(self.add(card, asked)?),
            None => None,
        };
        let Some(id) = known else { return self.kept(asked) };
        self.count_answer(&id, grade)?;
        self.due_of(&id)
    }

    /// Writes the answer to a card down where it is due.
    pub(super) fn count_answer(&self, id: &CardId, grade: Grade) -> Result<(), ApiError> {
        let now = self.host.unix_ms();
        let own = self.fitting.parameters(self.library.card_answer_count()?, |most| self.library.card_answers(most))?;
        let mut failed = None;
        self.library.answer_card(id, now, |card| {
            // A second try, or one before its time, says nothing of what is remembered.
            if card.due > now {
                return None;
            }
            answered(own.as_deref(), card.answered, card.memory, now, grade).map_err(|error| failed = Some(error)).ok()
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn add(&self, card: &CardRef, asked: &Asked) -> Result<CardId, ApiError> {
        let CardRef::Turn { game_id, node_id } = card else {
            return Err(ApiError::NotFound { message: "that card is not in the library any more".into() });
        };
        let sgf = self.games.with_game(game_id, |session| {
            let (before, _) = session.move_before(*node_id)?;
            session.excerpt(before)
        })?;
        let game = &asked.game;
        self.library.add_card(game.board(), game.to_play(), &card_of(sgf, game, asked.played), self.host.unix_ms())
    }

    /// Whether the position is among the cards that come back.
    fn kept(&self, asked: &Asked) -> Result<KeptCard, ApiError> {
        let known = match &asked.card {
            Some(id) => Some(id.clone()),
            None => self.library.card_of(asked.game.board(), asked.game.to_play())?,
        };
        known.map_or(Ok(NOT_KEPT), |id| self.due_of(&id))
    }

    fn due_of(&self, id: &CardId) -> Result<KeptCard, ApiError> {
        let due = self.library.card(id)?.due;
        Ok(KeptCard { kept: true, due: Some(seconds(due)) })
    }
}

/// A wrong move with somebody's reply; `None` where nothing follows it or nobody answers in time, so that the engine's best
/// stands.
fn replied(mut replier: Box<dyn Player>, game: &Game, played: Move, stop: &StopFlag) -> Option<Vec<Move>> {
    let mut after = game.clone();
    after.play(game.to_play(), played).ok()?;
    if after.is_over() {
        return None;
    }
    let reply = replier.choose(&after, REPLY_WITHIN, stop).ok()?;
    let legal = reply != Move::Resign && after.legality(after.to_play(), reply).is_ok();
    legal.then(|| vec![played, reply])
}

/// Milliseconds since 1970 as seconds.
pub(super) fn seconds(at: i64) -> Finite {
    Finite::new(at as f64 / 1000.0)
}

fn card_of(sgf: String, game: &Game, played: Option<(Move, f64)>) -> NewCard {
    NewCard {
        sgf,
        played: played.map(|(played, _)| index_of(played, game)),
        lost: played.map_or(0.0, |(_, lost)| lost),
        recorded: Vec::new(),
    }
}
