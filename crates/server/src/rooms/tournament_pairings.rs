//! What an organiser changes by hand in a tournament: pairings before their games begin, and rounds without a game.

use super::OpenError;
use super::service::Rooms;
use super::tournaments::Asker;
use honinbo_rooms::{Rearrangement, RestPoints, Tournament, TournamentError};

impl Rooms {
    /// Pairs by hand, exchanges places, or takes a pairing apart. A game that has begun is never taken away from those who
    /// play it; the room of one that has not is closed, and every game that is made has a new one.
    pub(crate) async fn rearrange_tournament(
        &self,
        id: i64,
        asker: &Asker,
        wanted: &Rearrangement,
    ) -> Result<(), OpenError> {
        let tournament = self.tournament(id)?;
        if !asker.leads(&tournament) {
            return Err(OpenError::NotTheOrganiser);
        }
        // Rooms are asked before anything is kept: which they are is known once it has been tried.
        let mut trial = Tournament::clone(&tournament);
        let expected = trial.rearrange(wanted, self.new_numbers())?;
        let since_ms = tournament.rounds().last().map_or(0, |round| round.begun_ms);
        let Some(rooms) = self.to_close(&tournament, expected.closed.iter(), since_ms).await? else {
            return Err(TournamentError::GameBegun.into());
        };
        let changed = self.0.change_tournament(id, |tournament| {
            let changed = tournament.rearrange(wanted, self.new_numbers())?;
            // Somebody else may have been quicker.
            if changed.closed != expected.closed {
                return Err(TournamentError::OtherPairing.into());
            }
            Ok((tournament.clone(), changed.opened))
        });
        let (tournament, opened) = changed.await?;
        self.close_rooms(rooms).await;
        for pairing in &opened {
            self.open_tournament_room(&tournament, pairing).await;
        }
        Ok(())
    }

    /// The organiser says what a round without a game is worth to somebody, or takes that back.
    pub(crate) async fn rest_in_tournament(
        &self,
        id: i64,
        asker: &Asker,
        (round, player): (usize, usize),
        name: Option<&str>,
        points: Option<RestPoints>,
    ) -> Result<(), OpenError> {
        self.0
            .change_tournament(id, |tournament| {
                if !asker.leads(tournament) {
                    return Err(OpenError::NotTheOrganiser);
                }
                Ok(tournament.rest(round, player, name, points)?)
            })
            .await
    }
}
