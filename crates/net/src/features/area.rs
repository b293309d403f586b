//! Planes 18 and 19: whose area is what, if the game ended now.

use honinbo_rules::{Color, Game, Keep, Phase, Scoring, Tax, area_map, independent_life};

/// Areas as the network is shown them.
pub(super) struct AreaPlanes {
    /// Owner of each point, row by row.
    pub(super) owners: Vec<Option<Color>>,
    /// What White gains by the group tax, in points.
    white_tax: i32,
}

impl AreaPlanes {
    /// `None` where the rules show no areas: territory scoring before its last phase.
    pub(super) fn new(game: &Game, suicide: bool, beside_atari: bool) -> Option<Self> {
        let rules = game.ruleset();
        let board = game.board();
        let territory = rules.scoring == Scoring::Territory;
        if territory && game.phase() != Phase::CleanUp2 {
            return None;
        }
        if !territory && rules.tax == Tax::None {
            return Some(Self { owners: area_map(board, suicide), white_tax: 0 });
        }
        let keep = Keep { territory: territory && rules.tax == Tax::None, stones: !territory, beside_atari };
        let life = independent_life(board, keep, suicide);
        let white_tax = if rules.tax == Tax::All { -2 * life.white_minus_black_groups } else { 0 };
        let mut owners = life.map;
        if territory {
            // Stones that stood when the last phase began count for whoever owns them, where nobody else owns the point.
            let points = honinbo_rules::Point::all(board.size());
            for ((owner, stone), point) in owners.iter_mut().zip(board.points()).zip(points) {
                if owner.is_none() && stone.is_some() && stone == game.second_clean_up_stone(point) {
                    *owner = stone;
                }
            }
        }
        Some(Self { owners, white_tax })
    }

    /// Points by which a player is ahead when everything counts as it stands.
    pub(super) fn lead(&self, game: &Game, player: Color, white_wins_per_draw: f64) -> f32 {
        let own = self.owners.iter().filter(|&&owner| owner == Some(player)).count() as i32;
        let other = self.owners.iter().filter(|&&owner| owner == Some(player.opponent())).count() as i32;
        let tax = if player == Color::White { self.white_tax } else { -self.white_tax };
        (own - other + tax) as f32 + game.self_komi(player, white_wins_per_draw)
    }
}
