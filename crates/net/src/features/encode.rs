//! The 22 planes and 19 global values.

use std::cell::RefCell;

use honinbo_rules::{Board, Color, Game, KoRule, LadderReader, Laddered, Move, Phase, Scoring, Tax};

use super::area::AreaPlanes;
use super::history::Shown;
use super::symmetry::PlaneMap;
use crate::file::model::{GLOBAL_CHANNELS, SPATIAL_CHANNELS};
use honinbo_evaluator::EvalParams;

/// The buffer that features are written into, and what the network's header says about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureOptions {
    /// Columns of the buffer, at least the board's.
    pub width: usize,
    /// Rows of the buffer, at least the board's.
    pub height: usize,
    /// The header's preference: find pass-alive areas as if suicide were legal.
    pub pass_alive_under_suicide: bool,
    /// The header's preference: show points beside a chain of their owner in atari as nobody's territory.
    pub exclude_beside_atari: bool,
}

/// Writes the V7 features of a position, for its player to move.
///
/// * `spatial`: 22 planes, `[plane][y][x]` of the buffer, y = 0 on top, values 0 or 1, turned by the request's symmetry.
/// * `global`: 19 values; index 5 is the mover's komi in points, clipped to ±(area + 20), divided by 20.
///
/// # Panics
/// When a slice has not the length that the buffer asks for, or the board does not fit into the buffer.
pub fn encode(game: &Game, params: &EvalParams, options: &FeatureOptions, spatial: &mut [f32], global: &mut [f32]) {
    let board = game.board();
    let size = board.size();
    let (width, height) = (options.width, options.height);
    assert!(size.width() <= width && size.height() <= height, "the board fits the buffer");
    assert_eq!((spatial.len(), global.len()), (SPATIAL_CHANNELS * width * height, GLOBAL_CHANNELS));
    spatial.fill(0.0);
    global.fill(0.0);
    let map = PlaneMap::new(board, width, height, params.symmetry);
    let mut planes = Planes { values: spatial, area: width * height, map: &map, size };
    let player = game.to_play();
    let suicide = game.ruleset().multi_stone_suicide
        || params.pass_alive_under_suicide.unwrap_or(options.pass_alive_under_suicide);
    let area = AreaPlanes::new(game, suicide, !params.exclude_beside_atari.unwrap_or(options.exclude_beside_atari));
    let shown = Shown::new(game, params, area.as_ref());

    planes.stones(board, player);
    planes.bans(game);
    planes.turns(&shown.turns);
    planes.ladders(game, player, shown.turns.len());
    if let Some(area) = &area {
        for (index, owner) in area.owners.iter().enumerate() {
            if let Some(owner) = owner {
                planes.set_index(if *owner == player { 18 } else { 19 }, index);
            }
        }
    }
    if game.phase() == Phase::CleanUp2 {
        for point in honinbo_rules::Point::all(size) {
            if let Some(color) = game.second_clean_up_stone(point) {
                planes.set(if color == player { 20 } else { 21 }, point);
            }
        }
    }
    write_globals(game, params, &shown, global);
}

struct Planes<'a> {
    values: &'a mut [f32],
    area: usize,
    map: &'a PlaneMap,
    size: honinbo_rules::BoardSize,
}

impl Planes<'_> {
    fn set(&mut self, plane: usize, point: honinbo_rules::Point) {
        self.set_index(plane, point.index(self.size));
    }

    fn set_index(&mut self, plane: usize, index: usize) {
        self.values[plane * self.area + self.map.get(index)] = 1.0;
    }

    fn stones(&mut self, board: &Board, player: Color) {
        for index in 0..self.size.area() {
            self.set_index(0, index);
        }
        for chain in board.chains() {
            let color_plane = if chain.color() == player { 1 } else { 2 };
            let liberties = chain.liberties_up_to(4);
            for stone in chain.stones() {
                self.set(color_plane, stone);
                if (1..=3).contains(&liberties) {
                    self.set(2 + liberties, stone);
                }
            }
        }
    }

    fn bans(&mut self, game: &Game) {
        for point in game.superko_points() {
            self.set(6, point);
        }
        if game.phase().is_clean_up() {
            for point in game.recapture_blocked() {
                self.set(7, point);
            }
        } else if let Some(point) = game.board().ko_point() {
            self.set(6, point);
        }
    }

    fn turns(&mut self, turns: &[Move]) {
        for (back, turn) in turns.iter().enumerate() {
            if let Move::Place(point) = turn {
                self.set(9 + back, *point);
            }
        }
    }

    fn ladders(&mut self, game: &Game, player: Color, shown: usize) {
        let now = ladders(game.board());
        for chain in &now {
            for &stone in &chain.stones {
                self.set(14, stone);
            }
            if chain.color != player {
                for &point in &chain.working_moves {
                    self.set(17, point);
                }
            }
        }
        let before = (shown >= 1).then(|| ladders(game.recent_board(1)));
        let earlier = (shown >= 2).then(|| ladders(game.recent_board(2)));
        let before = before.as_ref().unwrap_or(&now);
        for (plane, found) in [(15, before), (16, earlier.as_ref().unwrap_or(before))] {
            for stone in found.iter().flat_map(|chain| &chain.stones) {
                self.set(plane, *stone);
            }
        }
    }
}

fn ladders(board: &Board) -> Vec<Laddered> {
    thread_local! {
        /// Scratch boards are kept, as every position asks for three readings.
        static READER: RefCell<LadderReader> = RefCell::new(LadderReader::new());
    }
    READER.with_borrow_mut(|reader| reader.read(board))
}

fn write_globals(game: &Game, params: &EvalParams, shown: &Shown, global: &mut [f32]) {
    let player = game.to_play();
    let rules = game.ruleset();
    for (back, turn) in shown.turns.iter().enumerate() {
        if *turn == Move::Pass {
            global[back] = 1.0;
        }
    }
    let area = game.board().size().area() as f32;
    let limit = area + 20.0;
    let komi = game.self_komi(player, params.draw_equivalent_wins_for_white).clamp(-limit, limit);
    global[5] = komi / 20.0;
    (global[6], global[7]) = match rules.ko {
        KoRule::Simple => (0.0, 0.0),
        KoRule::Positional | KoRule::Spight => (1.0, 0.5),
        KoRule::Situational => (1.0, -0.5),
    };
    let flag = |set: bool| f32::from(u8::from(set));
    global[8] = flag(rules.multi_stone_suicide);
    global[9] = flag(rules.scoring == Scoring::Territory);
    global[10] = flag(rules.tax != Tax::None);
    global[11] = flag(rules.tax == Tax::All);
    global[12] = flag(game.phase().is_clean_up());
    global[13] = flag(game.phase() == Phase::CleanUp2);
    global[14] = flag(!shown.hides_end && game.pass_would_end_phase(player));
    if params.playout_doubling_advantage != 0.0 {
        global[15] = 1.0;
        global[16] = (0.5 * params.playout_doubling_advantage) as f32;
    }
    global[17] = flag(game.button_available());
    if rules.scoring == Scoring::Area || game.phase() == Phase::CleanUp2 {
        global[18] = parity_wave(komi, game.board().size().area());
    }
}

/// How favourable the komi's fraction is, given that area scores differ by two points at a time.
///
/// A triangle wave of period 2 in the komi: 0 where a draw is possible at the board's parity, +0.5 half a point above.
fn parity_wave(komi: f32, area: usize) -> f32 {
    let floor =
        if area.is_multiple_of(2) { (komi / 2.0).floor() * 2.0 } else { ((komi - 1.0) / 2.0).floor() * 2.0 + 1.0 };
    let above = (komi - floor).clamp(0.0, 2.0);
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parity_wave_has_the_values_worked_out_for_known_komis() {
        let cases = [
            (7.5, 361, 0.5),
            (-7.5, 361, -0.5),
            (6.5, 361, -0.5),
            (7.0, 361, 0.0),
            (7.25, 361, 0.25),
            (7.5, 324, -0.5),
        ];
        for (komi, area, wave) in cases {
            assert!((parity_wave(komi, area) - wave).abs() < 1e-6, "komi {komi} on {area} points");
        }
    }
}
