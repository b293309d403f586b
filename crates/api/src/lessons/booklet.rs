//! Turning points and cards as positions of booklets.

use super::deck::move_of;
use super::lines::moves_to;
use super::{LessonsRoom, position_of};
use crate::analysis::turning::turning_points;
use crate::{ApiError, OpenGameId, Side};
use honinbo_booklet::{Exercise, Try};
use honinbo_library::Card;
use honinbo_record::{GameInfo, read_sgf_text};
use honinbo_rules::{Game, Move};

/// Moves of a line on paper.
const MAX_LINE: usize = 9;

impl LessonsRoom {
    /// The turning points of the variation on the board, as far as they are judged.
    pub(crate) fn turning_exercises(&self, id: &OpenGameId, side: Option<Side>) -> Result<Vec<Exercise>, ApiError> {
        let (line, area, info) = self.games.with_game(id, |session| {
            Ok((session.line_moves(), session.game().board().size().area(), session.info()))
        })?;
        let review = self.analysis.engine.line_review(id, &line, area);
        let own = review.mistakes.iter().filter(|mistake| side.is_none_or(|side| side == mistake.side));
        let mut exercises = Vec::new();
        for mistake in turning_points(own, |_| 1.0) {
            let asked = self.asked_in_game(id, mistake.node_id)?;
            let names = [&info.black, &info.white].map(|name| if name.is_empty() { "?" } else { name.as_str() });
            let heading = format!("{} – {}, {}", names[0], names[1], mistake.number);
            let Some((played, _)) = asked.played else { continue };
            exercises.push(of_position(&asked.game, heading, self.known_lines(&asked.game), Some(played)));
        }
        Ok(exercises)
    }

    /// The cards that come back, with what is known to be right.
    pub(crate) fn deck_exercises(&self) -> Result<Vec<Exercise>, ApiError> {
        Ok(self.library.cards()?.iter().filter_map(|card| self.card_exercise(card)).collect())
    }

    /// A card with what is known to be right; `None` where its record is damaged.
    pub(super) fn card_exercise(&self, card: &Card) -> Option<Exercise> {
        let game = position_of(&card.asks.sgf)?;
        let tree = read_sgf_text(&card.asks.sgf).games.into_iter().next()?.tree;
        let heading = players(&GameInfo::of(&tree));
        let recorded = moves_to(&card.asks.recorded, &game);
        if !recorded.is_empty() {
            return Some(of_position(&game, heading, recorded.into_iter().map(|one| vec![one]).collect(), None));
        }
        let played = card.asks.played.map(|played| move_of(played, &game));
        Some(of_position(&game, heading, self.known_lines(&game), played))
    }

    /// Moves that are known to be as good as any, with how the engine goes on, without asking it.
    fn known_lines(&self, game: &Game) -> Vec<Vec<Move>> {
        let good = self.known_good(game);
        let network = self.analysis.engine.network_name(game.board());
        let known = network.and_then(|network| self.analysis.evaluations.recall(game, &network));
        let line_of = |first: Move| {
            let known = known.as_ref()?.candidates.iter().find(|candidate| candidate.played == first)?;
            let rest = if known.line.first() == Some(&first) { &known.line[1..] } else { &known.line[..] };
            Some(std::iter::once(first).chain(rest.iter().copied()).take(MAX_LINE).collect())
        };
        good.into_iter().map(|first| line_of(first).unwrap_or_else(|| vec![first])).collect()
    }
}

/// A position of a game: the moves that are as good as any, each with how it goes on, and the move of the game.
pub(crate) fn of_position(game: &Game, heading: String, good: Vec<Vec<Move>>, played: Option<Move>) -> Exercise {
    let mut tries: Vec<Try> = good.iter().filter_map(|line| line_of(line, true)).collect();
    if let Some(played) = played.filter(|played| good.iter().all(|line| line.first() != Some(played))) {
        tries.push(Try::new(played, false));
    }
    let to_play = game.to_play();
    Exercise { heading, text: String::new(), board: game.board().clone(), to_play, tries, played }
}

fn line_of(line: &[Move], right: bool) -> Option<Try> {
    let (first, rest) = line.split_first()?;
    Some(Try { next: line_of(rest, right).into_iter().collect(), ..Try::new(*first, right) })
}

/// Who played, for a heading.
pub(crate) fn players(info: &GameInfo) -> String {
    let names = [info.black.name.as_str(), info.white.name.as_str()];
    if names.iter().all(|name| name.is_empty()) {
        return String::new();
    }
    names.map(|name| if name.is_empty() { "?" } else { name }).join(" – ")
}
