//! The name of the person in games that were played without one.

use super::PlayRoom;
use super::opponents::recorded_name;
use crate::ApiError;
use honinbo_library::GameId;
use std::collections::HashSet;

impl PlayRoom {
    /// Gives the person a name in games against an opponent that have none: in the library, and where they are open.
    pub(crate) fn name_person(&self, name: &str) -> Result<(), ApiError> {
        let opponents: HashSet<String> = self.opponents().opponents.iter().map(|one| recorded_name(&one.id)).collect();
        // A network may have been removed since; its name begins like those of levels and ranks.
        let is_opponent = |other: &str| other.starts_with("Honinbo ") || opponents.contains(other);
        let kept: HashSet<String> =
            self.library.name_person(name, is_opponent)?.iter().map(GameId::to_string).collect();
        for game in self.games.all() {
            let at_table = self.table(&game.id).is_ok_and(|table| {
                let seats = table.state.lock().seats();
                seats.black.is_some() != seats.white.is_some()
            });
            let named = self.games.with_game(&game.id, |session| {
                let record = session.record_id.clone().filter(|record| kept.contains(record));
                let mut info = session.info();
                if !(at_table || record.is_some()) || info.black.is_empty() == info.white.is_empty() {
                    return Ok(None);
                }
                let record = record.filter(|_| session.unsaved_place().is_none());
                let side = if info.black.is_empty() { &mut info.black } else { &mut info.white };
                name.trim().clone_into(side);
                session.set_info(&info)?;
                Ok(record)
            });
            // The library has it already: there is nothing to save.
            if let Ok(Some(record)) = named {
                game.save(|_| Ok(()), |session, then, ()| session.kept_while_played(then, &record))?;
            }
        }
        Ok(())
    }
}
