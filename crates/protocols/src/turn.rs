//! The turn of a player whose turn it is not.

use honinbo_rules::{Color, Game, Setup, SetupError};

/// The game as it is for this player to move: the position without its history where it is the other's turn.
pub(crate) fn for_player(game: &Game, color: Color) -> Result<Game, SetupError> {
    if game.to_play() == color {
        return Ok(game.clone());
    }
    let board = game.board();
    let mut turned = Game::new(Setup {
        stones: board.stones().collect(),
        first_player: color,
        captured_by: Color::ALL.map(|color| board.captured_by(color)),
        ..game.setup().clone()
    })?;
    turned.set_prevent_clean_up(game.prevents_clean_up());
    Ok(turned)
}
