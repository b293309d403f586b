//! Handicap games: what stones and komi are worth, and how strong the side that is behind is taken to be.
//!
//! Who gives a handicap could only resign if the opponent played as well as it does, so in its searches it is the
//! stronger side; networks know such an imbalance as doublings of playouts.
//!
//! Source: KataGo v1.17.2, `playutils.cpp` and `gtp.cpp`.

use honinbo_rules::{Color, Game, Scoring};

use crate::SearchParams;

/// Points by which Black is ahead before White's first move: handicap stones, and a komi that is not 7. Negative when
/// the komi gives White more than that.
#[must_use]
pub fn initial_black_advantage(game: &Game) -> f64 {
    let stones = game.handicap_stones();
    let komi = game.komi().points();
    if stones < 2 {
        return 7.0 - komi;
    }
    let worth = if game.ruleset().scoring == Scoring::Area { 15.0 } else { 14.0 };
    worth * (stones - 1) as f64 + 7.0 - komi - f64::from(game.white_handicap_bonus())
}

/// Points that the two sides of an even game may begin apart.
#[must_use]
pub fn even_game_points(game: &Game) -> f64 {
    (4.0 / scale(game)).max(2.0)
}

/// How much more a point is worth than on 19x19.
fn scale(game: &Game) -> f64 {
    (361.0 / game.board().size().area() as f64).powf(0.75)
}

/// By how much the side that is behind in a handicap game is believed to be the stronger one, from move to move.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HandicapBelief {
    behind: Option<Color>,
    /// Doublings of playouts, 0 to 2.75 by eighths.
    doublings: f64,
}

impl HandicapBelief {
    /// Doublings for each point of the handicap beyond what an even game may have.
    pub const PER_POINT: f64 = 0.045;
    const MAX_DOUBLINGS: f64 = 2.75;
    const STEP: f64 = 0.125;

    /// What to believe for the next search: at first what the handicap is worth, at most 2.75 doublings; later a little
    /// more when the game looks lost for the side behind, and a little less when it looks open.
    ///
    /// `per_point` as [`Self::PER_POINT`]; 0 believes nothing. `last`: White's win minus loss at the root of the last
    /// search for a move, -1 to 1, if there was one. Boards with a side up to 7 and komis that are nearly fair are even
    /// games.
    pub fn follow(&mut self, game: &Game, per_point: f64, last: Option<f64>) {
        let ahead = initial_black_advantage(game);
        let size = game.board().size();
        let (scale, even) = (scale(game), even_game_points(game));
        if ahead.abs() < even || size.width() <= 7 || size.height() <= 7 {
            *self = Self::default();
            return;
        }
        let behind = if ahead > 0.0 { Color::White } else { Color::Black };
        let most = (per_point * (ahead.abs() - even) * scale).clamp(0.0, Self::MAX_DOUBLINGS);
        let most = (most / Self::STEP).round() * Self::STEP;
        let known = self.behind == Some(behind) && game.board().count(Color::White) > 0;
        self.doublings = match last.map(|white| if behind == Color::White { white } else { -white }) {
            Some(result) if known && result < -0.9 => self.doublings + Self::STEP,
            Some(result) if known && result > -0.5 => self.doublings - Self::STEP,
            Some(_) if known => self.doublings,
            _ => most,
        }
        .clamp(0.0, most);
        self.behind = Some(behind);
    }

    /// Puts the belief into the parameters of a search; one that they have already is left alone.
    pub fn apply(&self, params: &mut SearchParams) {
        if params.playout_doubling_advantage == 0.0 && self.doublings > 0.0 {
            params.playout_doubling_advantage = self.doublings;
            params.playout_doubling_advantage_player = self.behind;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use honinbo_rules::{BoardSize, Komi, Move, Point, Preset, Setup, Topology, handicap_points};

    use super::*;

    /// Handicap stones, and a first stone of White's.
    fn game(size: usize, stones: usize, komi: f64, preset: Preset) -> Game {
        let size = BoardSize::square(size).unwrap();
        let mut setup = Setup::new(size, Topology::Plane, preset.ruleset(), Komi::from_points(komi).unwrap());
        if stones > 0 {
            let points = handicap_points(size, stones).unwrap();
            setup.stones = points.into_iter().map(|point| (point, Color::Black)).collect();
            setup.first_player = Color::White;
        }
        let mut game = Game::new(setup).unwrap();
        if stones > 0 {
            game.play(Color::White, Move::Place(Point::new(0, 0))).unwrap();
        }
        game
    }

    fn believed(belief: &HandicapBelief) -> (Option<Color>, f64) {
        let mut params = SearchParams::play();
        belief.apply(&mut params);
        (params.playout_doubling_advantage_player, params.playout_doubling_advantage)
    }

    #[test]
    fn stones_and_komi_have_a_worth() {
        assert_eq!(initial_black_advantage(&game(19, 0, 7.5, Preset::TrompTaylor)), -0.5);
        assert_eq!(initial_black_advantage(&game(19, 4, 0.5, Preset::TrompTaylor)), 51.5);
        assert_eq!(initial_black_advantage(&game(19, 4, 0.5, Preset::Japanese)), 48.5);
        // White gets a point for each stone.
        assert_eq!(initial_black_advantage(&game(19, 4, 0.5, Preset::Chinese)), 47.5);
    }

    #[test]
    fn who_gives_a_handicap_is_the_stronger_side() {
        let follow = |game: &Game| {
            let mut belief = HandicapBelief::default();
            belief.follow(game, HandicapBelief::PER_POINT, None);
            believed(&belief)
        };
        // 0.045 · (51.5 - 4) is 2.1375; on 9x9 0.045 · (21.5 - 2) · (361 / 81)^0.75 is 2.69.
        assert_eq!(follow(&game(19, 4, 0.5, Preset::TrompTaylor)), (Some(Color::White), 2.125));
        assert_eq!(follow(&game(9, 2, 0.5, Preset::TrompTaylor)), (Some(Color::White), 2.75));
        assert_eq!(follow(&game(19, 9, 0.5, Preset::TrompTaylor)), (Some(Color::White), 2.75));
        assert_eq!(follow(&game(19, 0, 30.0, Preset::TrompTaylor)), (Some(Color::Black), 0.875));
        assert_eq!(follow(&game(19, 0, 6.5, Preset::TrompTaylor)), (None, 0.0));
        assert_eq!(follow(&game(7, 2, 0.5, Preset::TrompTaylor)), (None, 0.0));
    }

    #[test]
    fn the_belief_follows_the_game() {
        let game = game(19, 4, 0.5, Preset::TrompTaylor);
        let mut belief = HandicapBelief::default();
        let mut after = |last| {
            belief.follow(&game, HandicapBelief::PER_POINT, last);
            believed(&belief).1
        };
        assert_eq!(after(None), 2.125);
        assert_eq!(after(Some(-0.95)), 2.125, "never more than the handicap is worth");
        assert_eq!(after(Some(-0.4)), 2.0);
        assert_eq!(after(Some(0.3)), 1.875);
        assert_eq!(after(Some(-0.7)), 1.875);
        assert_eq!(after(Some(-0.95)), 2.0);
        assert_eq!(after(None), 2.125, "a new game");
        for _ in 0..30 {
            after(Some(0.9));
        }
        assert_eq!(after(Some(0.9)), 0.0);
        let mut fixed = SearchParams { playout_doubling_advantage: -1.0, ..SearchParams::play() };
        let mut belief = HandicapBelief::default();
        belief.follow(&game, HandicapBelief::PER_POINT, None);
        belief.apply(&mut fixed);
        assert_eq!((fixed.playout_doubling_advantage, fixed.playout_doubling_advantage_player), (-1.0, None));
        belief.follow(&game, 0.0, None);
        assert_eq!(believed(&belief), (None, 0.0));
    }
}
