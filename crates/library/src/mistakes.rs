//! What players gave away, phase by phase, where their games were evaluated.

use honinbo_rules::{Board, Color, Move, Point};
use rusqlite::Connection;

use crate::error::LibraryError;
use crate::evaluations::{evaluations_of, prisoners};
use crate::open::Library;
use crate::person::person_of;
use crate::track::Track;
use crate::verdict::{BLUNDER_FROM, ENOUGH_VISITS, MISTAKE_FROM, part_of_game, points_lost};

/// A player's games that are looked at, the last ones.
const MAX_GAMES: u32 = 200;

/// What a player gave away in one part of the game.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PhaseLoss {
    /// `opening` (to move 50 on 19x19), `middleGame` (to move 150) or `endgame`.
    pub phase: &'static str,
    /// Moves with searches of the same network, rules and komi before and after that allow a verdict.
    pub moves: u32,
    /// Points given away by a move, on average.
    pub mean_loss: f64,
    /// Moves that gave away two points or more.
    pub mistakes: u32,
    /// Moves that gave away six points or more.
    pub blunders: u32,
}

impl Library {
    /// What a player gave away in the last two hundred games, as far as their positions were evaluated.
    ///
    /// # Errors
    /// [`LibraryError::UnknownPlayer`].
    pub fn player_mistakes(&self, name: &str) -> Result<Vec<PhaseLoss>, LibraryError> {
        self.read(|connection| {
            let person = person_of(connection, name)?;
            let empty: bool =
                connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM evaluations)", [], |row| row.get(0))?;
            let mut losses: [Vec<f64>; 3] = Default::default();
            if !empty {
                collect(connection, person, &mut losses)?;
            }
            let names = ["opening", "middleGame", "endgame"];
            let phase = |(phase, losses): (&'static str, &Vec<f64>)| PhaseLoss {
                phase,
                moves: losses.len() as u32,
                mean_loss: losses.iter().sum::<f64>() / losses.len().max(1) as f64,
                mistakes: losses.iter().filter(|loss| **loss >= MISTAKE_FROM).count() as u32,
                blunders: losses.iter().filter(|loss| **loss >= BLUNDER_FROM).count() as u32,
            };
            Ok(names.into_iter().zip(&losses).map(phase).collect())
        })
    }
}

fn collect(connection: &Connection, person: i64, losses: &mut [Vec<f64>; 3]) -> Result<(), LibraryError> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT r.track, b.person = ?1 FROM games g JOIN players b ON b.id = g.black JOIN players w ON w.id = g.white
         JOIN records r ON r.game = g.id
         WHERE (b.person = ?1 OR w.person = ?1) AND g.deleted IS NULL ORDER BY g.id DESC LIMIT {MAX_GAMES}"
    ))?;
    let mut rows = statement.query([person])?;
    while let Some(row) = rows.next()? {
        let Some(track) = Track::unpack(row.get_ref(0)?.as_blob().unwrap_or_default()) else { continue };
        let own = if row.get(1)? { Color::Black } else { Color::White };
        let mut board = Board::new(track.size, track.topology);
        if !track.setup.is_empty() {
            let stones = track.setup.iter().map(|&(color, at)| (Point::from_index(at.into(), track.size), color));
            let Ok(set_up) = Board::with_stones(track.size, track.topology, stones) else { continue };
            board = set_up;
        }
        let Some(&(first, _)) = track.moves.first() else { continue };
        let mut before = evaluations_of(connection, &board, first)?;
        for (number, &(color, at)) in (1..).zip(&track.moves) {
            let left = board.clone();
            board.clear_ko();
            let mut played = Move::Pass;
            if usize::from(at) < track.size.area() {
                let point = Point::from_index(at.into(), track.size);
                played = Move::Place(point);
                if board.play(color, point).is_err() {
                    break;
                }
            }
            let after = evaluations_of(connection, &board, color.opponent())?;
            if color == own {
                // Of several contexts, the one with most visits before the move.
                let verdict = before
                    .iter()
                    .filter_map(|known| {
                        let (network, rules, komi) = &known.context;
                        let komi = komi + prisoners(rules, &left, &board);
                        let same =
                            |(of, by, later): &(String, String, i64)| of == network && by == rules && *later == komi;
                        let later = after.iter().find(|later| same(&later.context))?;
                        let (before, after) = ((&known.evaluation).into(), (&later.evaluation).into());
                        Some((known.evaluation.visits, points_lost(color, played, before, after, ENOUGH_VISITS)?))
                    })
                    .max_by_key(|(visits, _)| *visits);
                if let Some((_, lost)) = verdict {
                    losses[part_of_game(number, track.size.area())].push(lost);
                }
            }
            before = after;
        }
    }
    Ok(())
}
