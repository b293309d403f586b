//! What an engine found, in sentences.

use honinbo_rules::{Board, Game, Preset, Topology};

/// Points below which two moves, or both sides, are as good as each other.
pub(crate) const CLOSE: f64 = 0.5;

/// So many things: `1 game`, `3 games`.
pub(crate) fn counted(number: impl Into<u64>, thing: &str) -> String {
    let number = number.into();
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// What the rules of a game are called.
pub(crate) fn rules_of(game: &Game) -> &'static str {
    Preset::of_board(game.ruleset(), game.board().topology()).map_or("own", |preset| preset.name())
}

/// What a board is called after its size where edges meet: `, torus`.
pub(crate) fn edges_suffix(board: &Board) -> String {
    match board.topology() {
        Topology::Plane => String::new(),
        topology => format!(", {topology}"),
    }
}

/// Which edges meet, as a sentence; `None` on an ordinary board.
pub(crate) fn edges_sentence(board: &Board) -> Option<&'static str> {
    match board.topology() {
        Topology::Plane => None,
        Topology::Cylinder => Some("The left and right edges meet: the last column is beside the first."),
        Topology::Torus => {
            Some("All edges meet: the last column is beside the first, and the top row beside the bottom row.")
        }
    }
}

/// A number of points.
pub(crate) fn points(points: f64) -> String {
    let shown = format!("{points:.1}");
    if shown == "1.0" { "1 point".into() } else { format!("{} points", shown.trim_end_matches(".0")) }
}

/// Who leads, without a full stop.
pub(crate) fn lead(black_lead: f64) -> String {
    if black_lead.abs() < CLOSE {
        return "the game is even".into();
    }
    format!("{} leads by {}", if black_lead > 0.0 { "Black" } else { "White" }, points(black_lead.abs()))
}

/// How the game stands: the lead and the chance to win.
pub(crate) fn standing(black_lead: f64, black_win_prob: f64) -> String {
    let (side, chance) =
        if black_win_prob >= 0.5 { ("Black", black_win_prob) } else { ("White", 1.0 - black_win_prob) };
    let chance = match (chance * 100.0).round() as u32 {
        99.. => format!("{side} is all but certain to win"),
        45..=55 => "either side may win".into(),
        games => format!("{side} wins about {games} games of 100"),
    };
    let lead = lead(black_lead);
    let mut letters = lead.chars();
    let lead = letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect());
    format!("{lead}, and {chance}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_told_as_people_tell_them() {
        assert_eq!(standing(5.24, 0.834), "Black leads by 5.2 points, and Black wins about 83 games of 100.");
        assert_eq!(standing(-0.3, 0.47), "The game is even, and either side may win.");
        assert_eq!(standing(-40.0, 0.001), "White leads by 40 points, and White is all but certain to win.");
        assert_eq!(points(1.04), "1 point");
        assert_eq!([0, 1, 2].map(|n: u32| counted(n, "game")), ["0 games", "1 game", "2 games"]);
    }

    #[test]
    fn a_torus_is_told_by_its_name_and_by_its_rules() {
        let game = |topology| {
            let (preset, size) = (Preset::Daoqi, honinbo_rules::BoardSize::NINE);
            Game::new(honinbo_rules::Setup::new(size, topology, preset.ruleset(), preset.komi())).unwrap()
        };
        let told = |topology| {
            let game = game(topology);
            (rules_of(&game), edges_suffix(game.board()), edges_sentence(game.board()).is_some())
        };
        assert_eq!(told(Topology::Plane), ("tromp-taylor", String::new(), false));
        assert_eq!(told(Topology::Cylinder), ("tromp-taylor", ", cylinder".to_owned(), true));
        assert_eq!(told(Topology::Torus), ("daoqi", ", torus".to_owned(), true));
    }
}
