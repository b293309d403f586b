//! After two passes: dead stones are agreed on, or the game goes on.

use crate::play::PlayRoom;
use crate::{ApiError, PlayAnswer, SettlePlay};
use honinbo_rules::Point;

impl PlayRoom {
    /// The players agree that this is dead: the game is over.
    pub(crate) fn settle_play(&self, wanted: &SettlePlay) -> Result<PlayAnswer, ApiError> {
        let table = self.table(&wanted.game.game_id)?;
        let answer = {
            let mut state = table.state.lock();
            state.is_being_counted()?;
            let size = state.game.board().size();
            let dead: Vec<Point> = wanted
                .dead
                .iter()
                .map(|&index| Point::from_index(index.into(), size))
                .filter(|point| point.is_on(size))
                .collect();
            let outcome = state.game.score_without(&dead).outcome();
            let update = self.finish(&mut state, outcome)?;
            PlayAnswer { update, play: self.view_of(&state), warning: None }
        };
        self.keep(&table);
        table.clock_changed.notify_all();
        Ok(answer)
    }

    /// The players do not agree: the person, or between two persons whoever passed first, is to move again. The passes
    /// leave the record, so that it goes on where the game does.
    pub(crate) fn continue_play(&self, id: &str) -> Result<PlayAnswer, ApiError> {
        let table = self.table(id)?;
        let answer = {
            let mut state = table.state.lock();
            state.is_being_counted()?;
            let turns = state.game.turns();
            let back = match state.only_person() {
                None => turns.len().saturating_sub(2),
                Some(person) => turns.iter().rposition(|turn| turn.color == person).unwrap_or_default(),
            };
            let pass =
                back.checked_sub(state.given.unwrap_or_default()).and_then(|turn| state.nodes.get(turn)).copied();
            state.rewind(back, self.host.monotonic());
            let tip = state.tip();
            let update = self.games.with_game(id, |session| {
                let before = session.seen();
                if let Some(pass) = pass {
                    session.delete(pass)?;
                }
                session.go_to(tip)?;
                Ok(session.update(before))
            })?;
            PlayAnswer { update: Some(update), play: self.view_of(&state), warning: None }
        };
        self.go_on(&table);
        Ok(answer)
    }
}
