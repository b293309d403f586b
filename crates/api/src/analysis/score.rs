//! The count of a position, as it crosses the seam.

use crate::games::session::{sign, vertex};
use crate::{Finite, ScoreParts, ScoreView};
use honinbo_rules::{Color, Game, Point, Score};

pub(crate) fn score_view(game: &Game, dead: &[Point]) -> ScoreView {
    let board = game.board();
    let size = board.size();
    let score = game.score_without(dead);
    let mut dead_points: Vec<u16> = dead
        .iter()
        .filter_map(|&point| board.chain_at(point))
        .flat_map(|chain| chain.stones().map(|point| vertex(point, size)).collect::<Vec<_>>())
        .collect();
    dead_points.sort_unstable();
    dead_points.dedup();
    ScoreView {
        dead: dead_points,
        owner: score.map.iter().map(|owner| owner.map_or(0, sign)).collect(),
        black: score_parts(&score, Color::Black),
        white: score_parts(&score, Color::White),
        black_lead: score.black_lead().into(),
        result: score.outcome().to_sgf(),
    }
}

fn score_parts(score: &Score, color: Color) -> ScoreParts {
    let side = score.side(color);
    let whole = |points: i64| Finite::new(points as f64);
    let prisoners = i64::from(side.prisoners) + i64::from(side.dead_stones) + i64::from(side.clean_up);
    let bonus_half = side.komi_half + side.button_half;
    let bonus = f64::from(bonus_half) / 2.0 + f64::from(side.handicap_bonus) - f64::from(side.group_tax);
    ScoreParts {
        territory: whole(side.territory.into()),
        stones: whole(side.stones.into()),
        prisoners: whole(prisoners),
        bonus: bonus.into(),
        total: side.total().into(),
    }
}
