//! Rated games: a person against ranks that are about as strong.

use super::lost;
use super::table::Table;
use crate::play::PlayRoom;
use crate::{ApiError, RatedBoard, RatedPoint, RatedProgress, Seats, StartPlay};
use honinbo_library::RatedGame;
use honinbo_players::{Glicko2, Rank, RatedResult};
use honinbo_rules::{Komi, Preset, WinBy};

/// What `start_play` is given for a rated game: the opponent is chosen near the person's rating.
pub(super) const RATED: &str = "rated";
/// Sides of the boards that ratings are kept for.
pub(super) const BOARDS: [u8; 3] = [9, 13, 19];
/// How certain the strength of a rank is, as a standard deviation in points.
const DEVIATION_OF_A_RANK: f64 = 80.0;
/// Games that are drawn.
const MAX_GAMES: u32 = 1000;

pub(super) fn rating_of(game: &RatedGame) -> Glicko2 {
    Glicko2::new(game.rating, game.deviation, game.volatility)
}

impl PlayRoom {
    /// The person's rating on each board, and how it came about.
    pub(crate) fn rated_progress(&self) -> Result<RatedProgress, ApiError> {
        let board = |size: u8| -> Result<RatedBoard, ApiError> {
            let games = self.library.rated_games(size.into(), MAX_GAMES)?;
            let rating = games.last().map(rating_of).unwrap_or_default();
            Ok(RatedBoard {
                size,
                rating: rating.rating().into(),
                deviation: rating.deviation().into(),
                opponent: name_of(Rank::of_rating(rating.rating())),
                games: games.into_iter().map(point).collect(),
            })
        };
        Ok(RatedProgress { boards: BOARDS.into_iter().map(board).collect::<Result<_, _>>()? })
    }

    /// The rank to meet in a game that is asked for as a rated one, which is given its seat; `None` for other games.
    pub(super) fn rated_opponent(&self, wanted: &mut StartPlay) -> Result<Option<Rank>, ApiError> {
        let refused = |message: &str| Err(ApiError::InvalidRequest { message: message.to_owned() });
        let Seats { black, white } = &mut wanted.seats;
        let is_rated = |seat: &Option<String>| seat.as_deref() == Some(RATED);
        let (seat, other) = if is_rated(black) { (black, white) } else { (white, black) };
        if !is_rated(seat) {
            return Ok(None);
        }
        if other.is_some() {
            return refused("a rated game is a person's against an opponent");
        }
        let game = &wanted.game;
        if wanted.from.is_some() {
            return refused("rated games begin on an empty board");
        }
        if game.width != game.height || !BOARDS.contains(&game.width) || game.topology != crate::BoardTopology::Plane {
            return refused("rated games are played on 9x9, 13x13 and 19x19");
        }
        if game.handicap > 0 {
            return refused("rated games are played without handicap: the opponent is chosen near one's own strength");
        }
        // Rules that there are not are refused where the game is made.
        let usual = Preset::parse(&game.rules).map(Preset::komi);
        if let Some(usual) = usual.filter(|usual| Komi::from_points(game.komi.get()) != Ok(*usual)) {
            return refused(&format!("rated games are played with the usual komi, {} by these rules", usual.points()));
        }
        if wanted.teaching.is_some() {
            return refused("nobody is warned in a rated game; leave teaching out");
        }
        let last = self.library.rated_games(game.width.into(), 1)?;
        let rank = Rank::of_rating(last.last().map(rating_of).unwrap_or_default().rating());
        *seat = Some(name_of(rank));
        Ok(Some(rank))
    }

    /// Writes down what a rated game that ended counted for, once. A library that cannot be written
    /// must not end the game: that is logged.
    pub(super) fn rate(&self, table: &Table) {
        let (rank, score, board) = {
            let mut state = table.state.lock();
            let Some((rank, score)) = state.to_rate.take() else { return };
            (rank, score, u32::try_from(state.game.board().size().width()).unwrap_or(u32::MAX))
        };
        let record = self.games.with_game(&table.id, |session| Ok(session.record_id.clone())).ok().flatten();
        let opponent = Glicko2::new(rank.rating(), DEVIATION_OF_A_RANK, 0.06);
        let played = self.host.unix_ms();
        let rated = self.library.add_rated_game(board, |last| {
            let after = last.map(rating_of).unwrap_or_default().after(&[RatedResult { opponent, score }]);
            RatedGame {
                board,
                played,
                opponent: name_of(rank),
                opponent_rating: opponent.rating(),
                opponent_deviation: opponent.deviation(),
                score,
                rating: after.rating(),
                deviation: after.deviation(),
                volatility: after.volatility(),
                record,
            }
        });
        if let Err(error) = rated {
            tracing::error!(%error, "a rated game could not be kept");
        }
    }

    /// Whoever closes the game of this id now has lost it.
    pub(crate) fn would_forfeit(&self, id: &str) -> bool {
        self.table(id).is_ok_and(|table| {
            let state = table.state.lock();
            state.rated.is_some() && state.over.is_none() && !state.game.turns().is_empty()
        })
    }

    /// The game of this id is about to be closed.
    pub(crate) fn leave_rated(&self, id: &str) {
        if let Ok(table) = self.table(id) {
            self.conclude_rated(&table);
        }
    }

    /// Whoever leaves a rated game that has begun forfeits it; one that is being counted ends as the engine counts it.
    pub(super) fn conclude_rated(&self, table: &Table) {
        loop {
            let (generation, counted) = {
                let state = table.state.lock();
                let (Some(person), Some(_)) = (state.only_person(), state.rated) else { return };
                if state.over.is_some() || state.game.turns().is_empty() {
                    break;
                }
                (state.generation, if state.counting { Ok(state.game.clone()) } else { Err(person) })
            };
            let outcome = match counted {
                Ok(game) => game.score_without(&self.analysis.dead_at_the_end(&game)).outcome(),
                Err(person) => lost(person, WinBy::Forfeit),
            };
            let mut state = table.state.lock();
            // The network was asked; meanwhile the game may have gone on.
            if state.generation == generation {
                // The record may be closed already; the game is rated all the same.
                if let Err(error) = self.finish(&mut state, outcome) {
                    tracing::warn!(%error, game = table.id, "the result is not in the record");
                }
                break;
            }
        }
        self.keep(table);
    }
}

pub(super) fn name_of(rank: Rank) -> String {
    format!("rank_{rank}")
}

fn point(game: RatedGame) -> RatedPoint {
    RatedPoint {
        played: (game.played as f64 / 1000.0).into(),
        opponent: game.opponent,
        score: game.score.into(),
        rating: game.rating.into(),
        deviation: game.deviation.into(),
        record: game.record,
    }
}
