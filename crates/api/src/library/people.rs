//! Players, and figures about them and about the library.

use super::{LibraryRoom, failed};
use crate::{ApiError, LibraryReport, PhaseMistakes, PlayerPage, PlayerSummary, PlayersQuery, RatingPoint, ResultLine};
use honinbo_library::{RatedGame, RecordLine};
use honinbo_players::{LEVELS, PUPILS, Rank};

impl LibraryRoom {
    /// The last rated games of the person on a board, oldest first.
    pub(crate) fn rated_games(&self, board: u32, most: u32) -> Result<Vec<RatedGame>, ApiError> {
        self.library()?.rated_games(board, most).map_err(failed)
    }

    /// Keeps a rated game, which is made from the last one on its board.
    pub(crate) fn add_rated_game(
        &self,
        board: u32,
        rate: impl FnOnce(Option<&RatedGame>) -> RatedGame,
    ) -> Result<RatedGame, ApiError> {
        self.library()?.add_rated_game(board, rate).map_err(failed)
    }

    /// People by a part of their name.
    pub(crate) fn players(&self, asked: &PlayersQuery) -> Result<Vec<PlayerSummary>, ApiError> {
        let found = self.library()?.players(&asked.text, asked.limit.clamp(1, 1000)).map_err(failed)?;
        Ok(found.into_iter().map(player_view).collect())
    }

    /// A player's record.
    pub(crate) fn player_page(&self, name: &str) -> Result<PlayerPage, ApiError> {
        let library = self.library()?;
        let record = library.player_record(name).map_err(failed)?;
        let ratings = library.player_ratings(name).map_err(failed)?;
        let mistakes = library.player_mistakes(name).map_err(failed)?;
        let alike = library.namesakes(name).map_err(failed)?;
        Ok(PlayerPage {
            player: player_view(record.player),
            by_color: lines(record.by_color),
            by_opponent: lines(record.by_opponent),
            by_year: lines(record.by_year),
            by_opening: lines(record.by_opening),
            ratings: ratings
                .into_iter()
                .map(|point| RatingPoint { month: point.month, rating: point.rating, games: point.games })
                .collect(),
            mistakes: mistakes
                .into_iter()
                .map(|phase| PhaseMistakes {
                    phase: phase.phase.to_owned(),
                    moves: phase.moves,
                    mean_loss: phase.mean_loss.into(),
                    mistakes: phase.mistakes,
                    blunders: phase.blunders,
                })
                .collect(),
            alike: alike.into_iter().map(player_view).collect(),
        })
    }

    /// Several names are one person.
    pub(crate) fn join_players(&self, names: &[String]) -> Result<(), ApiError> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.change(|library| library.join_players(&names))
    }

    /// A name is a person of its own.
    pub(crate) fn part_player(&self, name: &str) -> Result<(), ApiError> {
        self.change(|library| library.part_player(name))
    }

    /// Figures about everything.
    pub(crate) fn report(&self) -> Result<LibraryReport, ApiError> {
        let library = self.library()?;
        let stats = library.stats().map_err(failed)?;
        let (evaluations, evaluations_kib) = library.evaluation_count().map_err(failed)?;
        let figures = library.figures().map_err(failed)?;
        Ok(LibraryReport {
            games: stats.games,
            deleted: stats.deleted,
            players: stats.players,
            copies: stats.copies,
            black_wins: stats.black_wins,
            white_wins: stats.white_wins,
            first_date: stats.first_date,
            last_date: stats.last_date,
            size_kib: stats.file_kib,
            evaluations,
            evaluations_kib,
            by_year: lines(figures.by_year),
            by_size: lines(figures.by_size),
            by_rules: lines(figures.by_rules),
            by_result: lines(figures.by_result),
        })
    }
}

fn player_view(player: honinbo_library::PlayerSummary) -> PlayerSummary {
    PlayerSummary {
        computer: is_computer(&player.name),
        name: player.name,
        other_names: player.other_names,
        games: player.games,
        wins: player.wins,
        losses: player.losses,
    }
}

fn lines(lines: Vec<RecordLine>) -> Vec<ResultLine> {
    let view =
        |line: RecordLine| ResultLine { what: line.what, games: line.games, wins: line.wins, losses: line.losses };
    lines.into_iter().map(view).collect()
}

/// Whether an opponent of this program is recorded under this name (`recorded_name` in `play/`). Installed engines have any
/// name.
fn is_computer(name: &str) -> bool {
    name.strip_prefix("Honinbo ").is_some_and(|rest| {
        let id = rest.replace(' ', "_");
        LEVELS.contains(&id.as_str()) || PUPILS.contains(&id.as_str()) || id.parse::<Rank>().is_ok()
    })
}
