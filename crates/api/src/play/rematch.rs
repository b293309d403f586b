//! The same game once more.

use super::{rated, time};
use crate::play::PlayRoom;
use crate::{ApiError, NewGame, NodeRef, PlayStarted, Rematch, Seats, StartPlay};
use honinbo_players::GameClock;
use honinbo_rules::Preset;

impl PlayRoom {
    /// Begins a game under the terms of one that is over, with the same colours or the other ones.
    pub(crate) fn rematch(&self, wanted: &Rematch) -> Result<PlayStarted, ApiError> {
        let table = self.table(&wanted.game_id)?;
        let info = self.games.with_game(&wanted.game_id, |session| Ok(session.info()))?;
        let start = {
            let state = table.state.lock();
            if state.is_live() {
                return Err(ApiError::InvalidRequest { message: "the game is not over yet".into() });
            }
            let board = state.game.board();
            let size = board.size();
            let counted = |side: usize| u8::try_from(side).unwrap_or(u8::MAX);
            let (mut black, mut white) = (info.black, info.white);
            let Seats { black: mut has_black, white: mut has_white } = state.seats();
            // The next rank to meet may be another one, and is named when it is chosen.
            if state.is_rated {
                for (seat, name) in [(&mut has_black, &mut black), (&mut has_white, &mut white)] {
                    if let Some(opponent) = seat {
                        name.clear();
                        rated::RATED.clone_into(opponent);
                    }
                }
            }
            if wanted.other_color {
                std::mem::swap(&mut black, &mut white);
                std::mem::swap(&mut has_black, &mut has_white);
            }
            let usual_komi =
                Preset::parse(&info.rules).filter(|_| state.is_rated).map(|rules| rules.komi().points().into());
            StartPlay {
                game: NewGame {
                    width: counted(size.width()),
                    height: counted(size.height()),
                    topology: board.topology().into(),
                    rules: info.rules,
                    // The record may have been corrected since; what is rated is even.
                    komi: usual_komi.unwrap_or(info.komi),
                    handicap: if state.is_rated { 0 } else { info.handicap },
                    black,
                    white,
                    minutes_ahead: wanted.minutes_ahead,
                },
                from: state.given.map(|_| NodeRef { game_id: wanted.game_id.clone(), node_id: state.begin }),
                seats: Seats { black: has_black, white: has_white },
                pace: Some(state.pace.as_secs_f64().into()),
                clock: state.clock.as_ref().map(GameClock::control).map(time::settings),
                teaching: state.teaching.map(Into::into),
            }
        };
        self.start_play(start)
    }
}
