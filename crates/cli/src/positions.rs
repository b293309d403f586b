//! Positions to measure with, the same every time.

use honinbo_rules::{BoardSize, Game, Move, Point, Preset, Random, Setup, Topology};

/// Games of random legal moves that fill no own eye, from an opening to a crowded board.
pub(crate) fn scattered_games(size: BoardSize, topology: Topology, count: usize) -> Vec<Game> {
    (0..count).filter_map(|number| scattered_game(size, topology, number, count)).collect()
}

fn scattered_game(size: BoardSize, topology: Topology, number: usize, count: usize) -> Option<Game> {
    let preset = Preset::TrompTaylor;
    let mut game = Game::new(Setup::new(size, topology, preset.ruleset(), preset.komi())).ok()?;
    let mut random = Random::new(number as u64 + 1);
    let turns = size.area() * (number + 1) / count.max(1) * 4 / 5;
    let mut tries = 0;
    while game.turns().len() < turns && tries < 100 * size.area() {
        tries += 1;
        let point = Point::from_index(random.below(size.area()), size);
        let color = game.to_play();
        if game.is_legal_point(point) && !game.board().is_simple_eye(color, point) {
            let _ = game.play(color, Move::Place(point)); // Legal, as just asked.
        }
    }
    Some(game)
}
