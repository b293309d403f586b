//! What a new game can be: rulesets, komi and handicap for a board, and who is about as strong as the person.

use super::rated::{BOARDS, name_of, rating_of};
use crate::play::PlayRoom;
use crate::{ApiError, EngineOnBoard, GameOffer, GameTerms, NearOpponent, RulesetOffer};
use honinbo_players::{PUPILS, Rank, plays_on};
use honinbo_rules::{BoardSize, Komi, Preset, Topology, fixed_handicap};

/// Networks are trained on boards of up to this side.
const MAX_SIDE_FOR_NETWORKS: u8 = 19;
/// What White gets where Black has handicap stones: enough that nobody draws.
const HANDICAP_KOMI: Komi = Komi::from_half_points(1);

impl PlayRoom {
    /// What fits a board, rules and handicap.
    pub(crate) fn game_offer(&self, wanted: &GameTerms) -> Result<GameOffer, ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        let size = BoardSize::new(wanted.width.into(), wanted.height.into()).map_err(|e| invalid(e.to_string()))?;
        let topology = Topology::from(wanted.topology);
        let preset = match wanted.rules.as_str() {
            "" => Some(Preset::usual(topology)),
            name => Preset::parse(name),
        };
        let preset = preset.ok_or_else(|| invalid(format!("there is no ruleset {:?}", wanted.rules)))?;
        let plane = topology == Topology::Plane;
        let handicaps: Vec<u8> =
            (2..=9).filter(|&stones| fixed_handicap(size, topology, stones.into()).is_ok()).collect();
        let komi = if handicaps.contains(&wanted.handicap) { HANDICAP_KOMI } else { preset.komi() };
        Ok(GameOffer {
            sizes: BOARDS.to_vec(),
            smallest_side: BoardSize::MIN as u8,
            largest_side: BoardSize::MAX as u8,
            rulesets: Preset::offered(topology).map(ruleset).collect(),
            komi: komi.points().into(),
            engine: match wanted.width.max(wanted.height) {
                side if side > MAX_SIDE_FOR_NETWORKS => EngineOnBoard::TooLarge,
                _ if !plane => self.analysis.engine.on_joined_edges(),
                _ => EngineOnBoard::Plays,
            },
            rated: plane && wanted.width == wanted.height && BOARDS.contains(&wanted.width),
            pupils: plays_on(PUPILS[0], size, topology),
            near: self.near_opponent(wanted.width.max(wanted.height))?,
            handicaps,
        })
    }

    /// The rank near the person's rating on the board of the nearest size that one is known for. Whoever has none
    /// meets the weakest, which follows how the game goes.
    fn near_opponent(&self, side: u8) -> Result<NearOpponent, ApiError> {
        let mut boards = BOARDS;
        boards.sort_by_key(|board| board.abs_diff(side));
        for board in boards {
            let games = self.library.rated_games(board.into(), 1)?;
            if let Some(last) = games.last() {
                let opponent = name_of(Rank::of_rating(rating_of(last).rating()));
                return Ok(NearOpponent { opponent, rated_on: Some(board) });
            }
        }
        Ok(NearOpponent { opponent: format!("{}+adaptive", name_of(Rank::WEAKEST)), rated_on: None })
    }
}

fn ruleset(preset: Preset) -> RulesetOffer {
    RulesetOffer { name: preset.name().to_owned(), komi: preset.komi().points().into() }
}
