//! The game that is there before the person has any: Shusaku's of 1846.

use crate::games::session::Session;
use crate::{ApiError, OpenGameId};

const NAME: &str = "ear-reddening-1846.sgf";
const RECORD: &[u8] = include_bytes!("../../../../tests/fixtures/games/ear-reddening-1846.sgf");
/// After the move that made it famous.
pub(crate) const FAMOUS_MOVE: usize = 127;

/// The famous game, where it is famous.
pub(crate) fn famous_game(id: OpenGameId) -> Result<Session, ApiError> {
    let mut session = Session::read(id, NAME, RECORD)?;
    session.go_to_move(FAMOUS_MOVE);
    Ok(session)
}
