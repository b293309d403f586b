//! Play against an opponent who answers every move with its point reflection through the centre.
//!
//! Source: KataGo v1.17.2, `searchmirror.cpp`: when the opponent is taken to mirror, and every weight below.

use honinbo_evaluator::Evaluation;
use honinbo_rules::{Color, Game, Move, Point, Scoring, Topology};

use crate::position::index_of;

/// An opponent who mirrors, as of the root.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mirror {
    /// Who mirrors; the other one is to move at the root.
    pub(crate) player: Color,
    /// Points that mirroring to the end wins for that player.
    advantage: f64,
    /// How far the middle of the board is from being symmetric; large on boards below 7x7.
    center_error: f64,
    /// Turns before the root.
    turns: usize,
}

/// A child as the search against a mirror sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MirrorChild {
    pub(crate) mv: Move,
    /// Utility for the player to move.
    pub(crate) self_utility: f64,
    pub(crate) weight: f64,
}

impl Mirror {
    /// The opponent, where most of its moves were mirror images, many of the late ones, and the last one.
    pub(crate) fn detect(game: &Game) -> Option<Self> {
        if game.board().topology() != Topology::Plane {
            return None;
        }
        let root_mover = game.to_play();
        let turns = game.turns();
        let (mut mirrored, mut all) = (0.0, 0.0);
        // Both fade, so that recent moves weigh more.
        let (mut recent_mirrored, mut recent) = (0.0, 0.0);
        let mut last_mirrored = false;
        for pair in turns.windows(2).filter(|pair| pair[1].color != root_mover) {
            last_mirrored = pair[1].played == reflected(game, pair[0].played);
            if last_mirrored {
                mirrored += 1.0;
                recent_mirrored += 1.0;
            }
            all += 1.0;
            recent += 1.0;
            recent_mirrored *= 0.75;
            recent *= 0.75;
        }
        if mirrored < 7.0 + 0.5 * all || recent_mirrored < 0.45 * recent || !last_mirrored {
            return None;
        }
        let player = root_mover.opponent();
        Some(Self {
            player,
            advantage: advantage(game, player),
            center_error: center_error(game, player),
            turns: turns.len(),
        })
    }

    /// Whether every second move since the root was a mirror image, the last `skipped` turns aside.
    pub(crate) fn goes_on(&self, game: &Game, skipped: usize) -> bool {
        let turns = game.turns();
        let end = turns.len().saturating_sub(skipped);
        (self.turns + 1..end).step_by(2).all(|i| turns[i].played == reflected(game, turns[i - 1].played))
    }

    /// The hard case: the mirroring player holds the centre, and the komi is theirs.
    fn is_difficult(&self, game: &Game) -> bool {
        center(game).is_some_and(|center| game.board().get(center) == Some(self.player)) && self.advantage >= -0.5
    }

    /// The answer that goes on mirroring; a pass where it cannot be played. `None` after a pass.
    fn next_image(game: &Game, policy: &[f32]) -> Option<Move> {
        let last = game.turns().last()?.played;
        last.point()?;
        let image = reflected(game, last);
        let legal = policy[usize::from(index_of(image, game.board().size()))] >= 0.0;
        Some(if legal { image } else { Move::Pass })
    }

    /// The probability `p` of a move, raised where mirroring goes on, and for the other player at the centre and around
    /// it.
    pub(crate) fn raised(&self, game: &Game, policy: &[f32], mv: Move, p: f64) -> f64 {
        let weight = if game.to_play() == self.player {
            match Self::next_image(game, policy) {
                Some(image) if image == mv => {
                    if self.is_difficult(game) {
                        3.0
                    } else {
                        1.0
                    }
                }
                _ => 0.0,
            }
        } else {
            mv.point().map_or(0.0, |point| self.attraction(game, point))
        };
        let weight = weight / (1.0 + ((game.turns().len() - self.turns) as f64).sqrt());
        if weight > 0.0 { p + (1.0 - p) * weight } else { p }
    }

    /// How much the centre draws the player who is mirrored.
    fn attraction(&self, game: &Game, point: Point) -> f64 {
        let ring = ring(game, point);
        if ring == 0 {
            return 0.3;
        }
        let mut weight = if ring == 1 { 0.05 } else { 0.0 };
        if let Some(center) = center(game)
            && game.board().get(center) == Some(self.player)
        {
            let distance = distance_sq(point, center);
            if distance <= 2 || touches_chain(game, point, center) {
                weight = 0.05;
            } else if distance <= 4 {
                weight = 0.03;
            }
        }
        weight
    }

    /// Utility for the player to move that selection adds to a child: playouts are led to mirroring, to see where it
    /// ends, and to the moves that may break it.
    pub(crate) fn push(&self, game: &Game, policy: &[f32], child: MirrorChild, parent: ParentValue) -> f64 {
        let scale = (1.0 - 0.7 * parent.utility * parent.utility).max(0.3);
        if game.to_play() == self.player {
            match Self::next_image(game, policy) {
                Some(image) if image == child.mv => self.push_to_image(game, child, parent, scale),
                _ => 0.0,
            }
        } else {
            child.mv.point().map_or(0.0, |point| self.push_to_center(game, point, child, parent, scale))
        }
    }

    fn push_to_image(&self, game: &Game, child: MirrorChild, parent: ParentValue, scale: f64) -> f64 {
        let (mut forced, mut drawn) = if self.is_difficult(game) {
            let near = match (center(game), child.mv.point()) {
                (Some(center), Some(point)) => {
                    1.0 / (0.75 + 0.5 * (distance_sq(center, point) as f64).sqrt()) / self.center_error.max(1.0)
                }
                _ => 0.0,
            };
            (near.max(0.20), 0.75)
        } else if self.advantage >= 5.0 {
            (0.15, 0.50)
        } else if self.advantage >= -5.0 {
            (0.10 + self.advantage, 0.30 + 4.0 * self.advantage)
        } else {
            (0.05, 0.10)
        };
        if child.mv == Move::Pass {
            forced *= 0.35 / self.center_error.sqrt().max(1.0);
        }
        if self.center_error >= 1.0 {
            forced /= self.center_error;
            drawn /= self.center_error;
        }
        let mut push = 0.0;
        if child.weight < forced * parent.weight {
            push += FORCED;
        }
        if child.weight < drawn * parent.weight {
            push += 0.18 * scale;
        }
        if child.weight < 0.5 * drawn * parent.weight {
            push += 0.36 * scale;
        }
        push
    }

    fn push_to_center(&self, game: &Game, point: Point, child: MirrorChild, parent: ParentValue, scale: f64) -> f64 {
        let Some(center) = center(game) else { return 0.0 };
        let (mut push, mut forced) = (0.0, 0.0f64);
        if self.is_difficult(game) {
            let liberties = game.board().chain_at(center).map_or(1, |chain| chain.liberties().count().max(1));
            if touches_chain(game, point, center) {
                push += 0.75 / (1.0 + liberties as f64) / self.center_error.max(1.0) * scale;
                forced = 0.10 / liberties as f64;
            }
            let distance = distance_sq(point, center);
            if distance <= 2 {
                forced = forced.max(0.010);
            } else if distance <= 4 {
                forced = forced.max(0.005);
            }
        }
        if point == center {
            forced = if parent.is_root { 0.06 } else { 0.12 };
        }
        let loss = parent.self_utility - (child.self_utility + push);
        if loss > 0.0 && loss * forced > 0.03 {
            forced += 0.5 * (0.03 / loss - forced);
        }
        if let Some(last) = game.turns().last().and_then(|turn| turn.played.point()) {
            let distance = distance_sq(center, last);
            for (within, factor) in [(16, 0.900), (5, 0.825), (2, 0.750)] {
                if distance <= within {
                    forced *= factor;
                }
            }
        }
        if child.weight < forced * parent.weight { push + FORCED } else { push }
    }

    /// Whether an answer about this position is corrected by [`Self::correct`]; it must have ownership then.
    pub(crate) fn corrects(&self, game: &Game) -> bool {
        // The last turns may have left the pattern.
        self.is_difficult(game) && self.goes_on(game, 4)
    }

    /// Lets whoever owns the centre win more often: what mirroring comes down to.
    pub(crate) fn correct(&self, game: &Game, evaluation: &mut Evaluation) {
        let size = game.board().size();
        let (Some(center), Some(ownership)) = (center(game), &evaluation.white_ownership) else { return };
        let Some(&white) = ownership.get(center.index(size)) else { return };
        let total = f64::from(evaluation.white_win) + f64::from(evaluation.white_loss);
        let win_loss = (f64::from(evaluation.white_win) - f64::from(evaluation.white_loss)) / (total + 1e-10);
        let factor = if self.center_error <= 0.0 { 0.7 } else { 0.3 };
        let bound = 1.0 - 1e-15;
        let win_loss = (win_loss.clamp(-bound, bound).atanh() + factor * f64::from(white)).tanh();
        let win = total * (0.5 + 0.5 * win_loss);
        evaluation.white_win = win as f32;
        evaluation.white_loss = (total - win) as f32;
    }
}

/// What is known of the node whose child is chosen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParentValue {
    /// Utility for White.
    pub(crate) utility: f64,
    /// Utility for the player to move.
    pub(crate) self_utility: f64,
    /// Weight of all children.
    pub(crate) weight: f64,
    pub(crate) is_root: bool,
}

/// Utility beyond every other: the child is chosen.
const FORCED: f64 = 100.0;

/// The move through the centre of the board.
fn reflected(game: &Game, mv: Move) -> Move {
    let size = game.board().size();
    match mv {
        Move::Place(point) => Move::Place(Point::new(size.width() - 1 - point.x(), size.height() - 1 - point.y())),
        other => other,
    }
}

/// The middle point, where both sides are odd.
fn center(game: &Game) -> Option<Point> {
    let size = game.board().size();
    (size.width() % 2 == 1 && size.height() % 2 == 1).then(|| Point::new(size.width() / 2, size.height() / 2))
}

/// 0 in the middle of the board (one, two or four points), 1 around it, more elsewhere.
fn ring(game: &Game, point: Point) -> usize {
    let size = game.board().size();
    let beyond = |at: usize, side: usize| {
        let (low, high) = ((side - 1) / 2, side / 2);
        if at < low { low - at } else { at.saturating_sub(high) }
    };
    beyond(point.x(), size.width()).max(beyond(point.y(), size.height()))
}

fn distance_sq(one: Point, other: Point) -> usize {
    let (dx, dy) = (one.x().abs_diff(other.x()), one.y().abs_diff(other.y()));
    dx * dx + dy * dy
}

/// Whether a point is next to the chain of a stone.
fn touches_chain(game: &Game, point: Point, stone: Point) -> bool {
    let board = game.board();
    board.chain_at(stone).is_some_and(|chain| board.neighbors(point).any(|near| chain.stones().any(|of| of == near)))
}

/// Points by which a game that is mirrored to the end is won for this player.
fn advantage(game: &Game, player: Color) -> f64 {
    let size = game.board().size();
    let stones = game.handicap_stones();
    let mut black = 0.0;
    if game.ruleset().scoring == Scoring::Area {
        black += stones.saturating_sub(1) as f64;
        let has_center = size.width() % 2 == 1 && size.height() % 2 == 1;
        let black_moves_last = has_center == (stones == 0 || stones % 2 == 1);
        black += f64::from(u8::from(black_moves_last));
    }
    if stones > 0 {
        black -= f64::from(game.white_handicap_bonus());
    }
    let black = black - game.komi().points();
    if player == Color::Black { black } else { -black }
}

/// Stones around the centre that have no counterpart.
fn center_error(game: &Game, player: Color) -> f64 {
    let board = game.board();
    let size = board.size();
    if size.width() < 7 || size.height() < 7 {
        return 1e10;
    }
    let (mut missing, mut unmatched) = (0.0, 0.0);
    for dy in 0..7 {
        for dx in 0..7 {
            let point = Point::new(size.width() / 2 + dx - 3, size.height() / 2 + dy - 3);
            if !point.is_on(size) {
                continue;
            }
            let Move::Place(image) = reflected(game, Move::Place(point)) else { continue };
            if image == point {
                continue;
            }
            match (board.get(point), board.get(image)) {
                (Some(color), other) if color != player && other != Some(player) => missing += 1.0,
                (Some(color), None) if color == player => unmatched += 1.0,
                _ => {}
            }
        }
    }
    let error = if missing > 0.0 { missing + 0.2 * unmatched } else { 0.0 };
    if error >= 1.0 { 0.5 * error * (1.0 + error) } else { error }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use honinbo_rules::{BoardSize, Preset, Setup};

    use super::*;

    /// Black's moves along the rows, each answered by its reflection, but for the answers whose number is in `others`.
    fn mirrored(pairs: usize, others: &[usize]) -> Game {
        let size = BoardSize::NINETEEN;
        let ruleset = Preset::TrompTaylor.ruleset();
        let mut game = Game::new(Setup::new(size, Topology::Plane, ruleset, Preset::TrompTaylor.komi())).unwrap();
        for i in 0..pairs {
            let black = Move::Place(Point::new(1 + 2 * (i % 8), 1 + 2 * (i / 8)));
            let white =
                if others.contains(&i) { Move::Place(Point::new(2 * (i % 8), 18)) } else { reflected(&game, black) };
            game.play(Color::Black, black).unwrap();
            game.play(Color::White, white).unwrap();
        }
        game
    }

    #[test]
    fn whoever_mirrored_most_moves_and_the_last_is_known() {
        let mirror = Mirror::detect(&mirrored(16, &[])).unwrap();
        assert_eq!(mirror.player, Color::White);
        // Black's one point more on a board with a middle against a komi of 7.5.
        assert_eq!((mirror.advantage, mirror.center_error), (6.5, 0.0));
        assert!(Mirror::detect(&mirrored(16, &[2])).is_some());
        assert_eq!(Mirror::detect(&mirrored(16, &[15])), None, "the last move was another");
        assert_eq!(Mirror::detect(&mirrored(13, &[])), None, "too few moves to tell");
        assert_eq!(Mirror::detect(&mirrored(20, &[0, 1, 2, 3, 4, 5, 6, 7])), None, "too few of them");
    }

    #[test]
    fn the_image_and_the_centre_are_raised() {
        let mut game = mirrored(16, &[]);
        let mirror = Mirror::detect(&game).unwrap();
        let policy = vec![0.002f32; 362];
        let raised = |game: &Game, vertex: &str| {
            let mv = Move::from_gtp(vertex, BoardSize::NINETEEN).unwrap();
            (mirror.raised(game, &policy, mv, 0.002) * 1000.0).round()
        };
        assert_eq!([raised(&game, "K10"), raised(&game, "K11"), raised(&game, "C3")], [301.0, 52.0, 2.0]);
        game.play(Color::Black, Move::from_gtp("E5", BoardSize::NINETEEN).unwrap()).unwrap();
        // Half the weight one turn after the root.
        assert_eq!([raised(&game, "P15"), raised(&game, "K10")], [501.0, 2.0]);
        assert!(mirror.goes_on(&game, 0));
        game.play(Color::White, Move::from_gtp("C3", BoardSize::NINETEEN).unwrap()).unwrap();
        assert!(!mirror.goes_on(&game, 0) && mirror.goes_on(&game, 4));
    }

    #[test]
    fn playouts_are_led_to_the_image_until_it_has_its_share() {
        let mut game = mirrored(16, &[]);
        let mirror = Mirror::detect(&game).unwrap();
        game.play(Color::Black, Move::from_gtp("E5", BoardSize::NINETEEN).unwrap()).unwrap();
        let policy = vec![0.002f32; 362];
        let push = |vertex: &str, weight: f64| {
            let mv = Move::from_gtp(vertex, BoardSize::NINETEEN).unwrap();
            let parent = ParentValue { utility: 0.0, self_utility: 0.0, weight: 100.0, is_root: false };
            mirror.push(&game, &policy, MirrorChild { mv, self_utility: 0.0, weight }, parent)
        };
        assert!((push("P15", 10.0) - 100.54).abs() < 1e-9);
        assert!((push("P15", 20.0) - 0.54).abs() < 1e-9);
        assert!((push("P15", 30.0) - 0.18).abs() < 1e-9);
        assert_eq!([push("P15", 60.0), push("C3", 0.0)], [0.0, 0.0]);
    }
}
