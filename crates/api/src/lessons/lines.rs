//! Cards that are answered by what a record has: variations that one wants to know by heart.

use super::cards::NOT_KEPT;
use super::schedule::Grade;
use super::{Asked, LessonsRoom};
use crate::games::session::excerpt_of;
use crate::{AnswerCard, ApiError, CardAnswer, CardSolution, Finite, GoodMove, KeepLines, Practised};
use honinbo_library::{NewCard, position_after, recorded_moves};
use honinbo_record::{GameInfo, replay};
use honinbo_rules::{Game, Move, Point, PositionHash, canonical_hash};
use std::collections::HashMap;

/// Positions that are kept at once, each with its record.
const MAX_POSITIONS: usize = 10_000;

impl LessonsRoom {
    /// Keeps positions of an open game with the moves that its record has there. What was practised was answered: what was
    /// missed is due soon, and the others later.
    pub(crate) fn keep_lines(&self, wanted: &KeepLines) -> Result<Practised, ApiError> {
        if wanted.positions.len() > MAX_POSITIONS {
            let message = format!(
                "{} positions cannot be kept at once; practise from a later position, below which there are {MAX_POSITIONS} at most",
                wanted.positions.len()
            );
            return Err(ApiError::InvalidRequest { message });
        }
        let (tree, record, nodes) = self.games.with_game(&wanted.game_id, |session| {
            let nodes = wanted.positions.iter().map(|one| Ok((session.node(one.node_id)?, one.missed)));
            let nodes = nodes.collect::<Result<Vec<_>, ApiError>>()?;
            Ok((session.tree_and_current().0.clone(), session.record_id.clone(), nodes))
        })?;
        let size = GameInfo::of(&tree).size;
        let mut positions = HashMap::new();
        for (node, missed) in nodes {
            let game = replay(&tree, node).game;
            let position = canonical_hash(game.board(), game.to_play());
            positions.entry(position).or_insert((node, game, false)).2 |= missed;
        }
        let found = recorded_moves(&tree, &positions.keys().copied().collect());
        let mut cards: Vec<_> = positions
            .into_iter()
            .filter_map(|(position, (node, game, missed))| {
                let recorded = found.get(&position)?.iter().copied().collect();
                let card = NewCard { sgf: excerpt_of(&tree, size, node), played: None, lost: 0.0, recorded };
                Some((node, game, missed, card))
            })
            .collect();
        if cards.is_empty() {
            let message = "the record has no move there for the player whose turn it is".into();
            return Err(ApiError::NotFound { message });
        }
        cards.sort_by_key(|&(node, ..)| node);
        let rows: Vec<_> = cards.iter().map(|(_, game, _, card)| (game.board(), game.to_play(), card)).collect();
        let added = self.library.add_cards_of(record.as_deref(), &rows, self.host.unix_ms())?;
        for (id, (_, _, missed, _)) in added.ids.iter().zip(&cards) {
            self.count_answer(id, if *missed { Grade::Wrong } else { Grade::Right })?;
        }
        Ok(Practised { cards: u32::try_from(added.ids.len()).unwrap_or(u32::MAX), new: added.new })
    }

    /// Judges an answer by the record alone.
    pub(super) fn answer_by_record(
        &self,
        given: &AnswerCard,
        asked: &Asked,
        played: Move,
    ) -> Result<CardAnswer, ApiError> {
        let accepted = asked.recorded.contains(&played);
        let kept = self.graded(&given.card, asked, if accepted { Grade::Right } else { Grade::Wrong })?;
        Ok(CardAnswer {
            accepted,
            is_best: accepted,
            points_lost: Finite::new(0.0),
            line: asked.turn.line(&asked.game, &[played]),
            kept,
        })
    }
}

/// The moves of whoever is to play that lead to one of these positions, however it is turned: row by row, a pass last.
pub(super) fn moves_to(positions: &[PositionHash], game: &Game) -> Vec<Move> {
    if positions.is_empty() {
        return Vec::new();
    }
    let points = Point::all(game.board().size()).map(Move::Place);
    let all = points.chain(std::iter::once(Move::Pass));
    let leads = |played: &Move| position_after(game, *played).is_some_and(|after| positions.contains(&after));
    all.filter(leads).collect()
}

/// The moves of the record; `None` where the engine judges.
pub(super) fn recorded_solution(asked: &Asked) -> Option<CardSolution> {
    let first = *asked.recorded.first()?;
    let size = asked.game.board().size();
    let good = asked.recorded.iter();
    let good = good.map(|&one| GoodMove { vertex: asked.turn.vertex(one, size), points_lost: Finite::new(0.0) });
    Some(CardSolution {
        played: None,
        best: asked.turn.vertex(first, size),
        better: asked.turn.line(&asked.game, &[first]),
        good: good.collect(),
        kept: NOT_KEPT,
    })
}

#[cfg(test)]
mod tests {
    use super::super::turn::Turn;
    use super::*;
    use honinbo_rules::{BoardSize, Color, Preset, Setup, Topology};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// A game in which each of these points was played, as far as the rules allow it.
    fn played(size: BoardSize, topology: Topology, points: &[usize]) -> Game {
        let mut game = Game::new(Setup { size, topology, ..Setup::preset(Preset::Chinese) }).unwrap();
        for point in points {
            let _ = game.play(game.to_play(), Move::Place(Point::from_index(point % size.area(), size)));
        }
        game
    }

    /// The same game as somebody sees it.
    fn turned(game: &Game, turn: Turn) -> Game {
        let size = turn.board_size(game.board().size());
        let setup = Setup {
            size,
            topology: game.board().topology(),
            first_player: turn.color(Color::Black),
            ..Setup::preset(Preset::Chinese)
        };
        let mut seen = Game::new(setup).unwrap();
        for made in game.turns() {
            let vertex = turn.vertex(made.played, game.board().size()).unwrap();
            seen.play(turn.color(made.color), Move::Place(Point::from_index(vertex.into(), size))).unwrap();
        }
        seen
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Whoever is asked for the moves of a record under any turn is asked for those moves turned likewise.
        #[test]
        fn the_moves_of_a_record_are_turned_with_the_board(
            width in 3..6_usize, height in 3..6_usize, joined in 0..3_usize,
            points in prop::collection::vec(0..25_usize, 0..9), right in prop::collection::vec(0..25_usize, 1..4),
            symmetry in 0..16_u32, shift in (0..5_u32, 0..5_u32),
        ) {
            let size = BoardSize::new(width, height).unwrap();
            let topology = Topology::ALL[joined];
            let game = played(size, topology, &points);
            let recorded: Vec<PositionHash> = right
                .iter()
                .filter_map(|point| position_after(&game, Move::Place(Point::from_index(point % size.area(), size))))
                .collect();
            let mut number = symmetry & if topology == Topology::Cylinder { 0b1011 } else { 0b1111 };
            if topology.wraps_x() {
                number |= (shift.0 % width as u32) << 8;
            }
            if topology.wraps_y() {
                number |= (shift.1 % height as u32) << 16;
            }
            let turn = Turn::of_number(number, size, topology).unwrap();
            let seen = turned(&game, turn);
            let image = seen.board().size();
            let asked: BTreeSet<Option<usize>> =
                moves_to(&recorded, &seen).iter().map(|one| one.point().map(|point| point.index(image))).collect();
            let told: BTreeSet<Option<usize>> =
                moves_to(&recorded, &game).iter().map(|&one| turn.vertex(one, size).map(usize::from)).collect();
            prop_assert_eq!(&asked, &told);
            for point in right {
                let one = Move::Place(Point::from_index(point % size.area(), size));
                if position_after(&game, one).is_some() {
                    prop_assert!(told.contains(&turn.vertex(one, size).map(usize::from)));
                }
            }
        }
    }

    #[test]
    fn where_the_position_is_symmetric_all_that_are_alike_are_right() {
        let size = BoardSize::square(9).unwrap();
        let empty = played(size, Topology::Plane, &[]);
        let corner = position_after(&empty, Move::Place(Point::new(2, 3))).unwrap();
        assert_eq!(moves_to(&[corner], &empty).len(), 8);
        assert_eq!(moves_to(&[canonical_hash(empty.board(), Color::White)], &empty), [Move::Pass]);
        assert!(moves_to(&[], &empty).is_empty());
    }
}
