//! What records have at the positions of cards: answers that are known by heart, in place of the engine's judgement.
//!
//! A move is named by the canonical hash of the position after it. So it is the same move however the board lies in the
//! record and however it is turned when the card is asked, and moves that a symmetry of the position exchanges are one.

use std::collections::{BTreeSet, HashMap, HashSet};

use honinbo_record::{GameInfo, GameTree, MoveAnnotation, NodeId, ReplayOptions, replay_each};
use honinbo_rules::{Game, Move, PositionHash, canonical_hash};
use rusqlite::{Connection, params};

use crate::error::LibraryError;

/// The number of records that are in no library.
pub(crate) const NO_GAME: i64 = 0;

/// That a move is among those of a record at the position of a card, or that it is not, with rows as they are numbered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct CardMove {
    card: i64,
    game: i64,
    /// The position after it, in hexadecimal digits: JSON has no numbers of 128 bits.
    position: String,
    there: bool,
}

impl CardMove {
    /// Does it, and answers with what takes it back; `None` where it was so before.
    pub(crate) fn apply(self, connection: &Connection) -> Result<Option<Self>, LibraryError> {
        let Ok(position) = u128::from_str_radix(&self.position, 16) else { return Ok(None) };
        let sql = match self.there {
            true => "INSERT OR IGNORE INTO card_moves (card, game, position) VALUES (?1, ?2, ?3)",
            false => "DELETE FROM card_moves WHERE card = ?1 AND game = ?2 AND position = ?3",
        };
        let changed =
            connection.prepare_cached(sql)?.execute(params![self.card, self.game, &position.to_le_bytes()[..]])?;
        Ok((changed > 0).then_some(Self { there: !self.there, ..self }))
    }
}

/// The position after a move of whoever is to play; `None` where the rules refuse it.
#[must_use]
pub fn position_after(game: &Game, played: Move) -> Option<PositionHash> {
    let mover = game.to_play();
    let mut after = game.clone();
    after.play(mover, played).ok()?;
    Some(canonical_hash(after.board(), mover.opponent()))
}

/// The moves that a record has at each of these positions, in any of its variations, as the positions after them. Left
/// out are those that it calls doubtful or bad, moves out of turn and those that break the rules.
#[must_use]
pub fn recorded_moves(
    tree: &GameTree,
    positions: &HashSet<PositionHash>,
) -> HashMap<PositionHash, BTreeSet<PositionHash>> {
    let mut found = HashMap::<_, BTreeSet<_>>::new();
    let mut seen = HashSet::new();
    for end in tree.subtree(tree.root()).filter(|&node| tree.first_child(node).is_none()) {
        replay_each(tree, end, ReplayOptions::default(), &mut |node, game| {
            if node == end || !seen.insert(node) {
                return;
            }
            let position = canonical_hash(game.board(), game.to_play());
            if positions.contains(&position) {
                found.entry(position).or_default().extend(moves_at(tree, node, game));
            }
        });
    }
    found.retain(|_, moves| !moves.is_empty());
    found
}

fn moves_at(tree: &GameTree, node: NodeId, game: &Game) -> impl Iterator<Item = PositionHash> {
    use MoveAnnotation::{Bad, Doubtful, VeryBad};
    let size = GameInfo::of(tree).size;
    tree.children(node).filter_map(move |child| {
        let made = tree.move_at(child, size).filter(|made| made.color == game.to_play())?;
        let is_wrong = matches!(tree.annotations_at(child).on_move, Some(Doubtful | Bad | VeryBad));
        position_after(game, made.played.ok().filter(|_| !is_wrong)?)
    })
}

/// Has a record's moves be answers of a card, and answers with what takes that back. A record of the library has no others
/// there; those of no library are not told apart and add to each other. Without moves everything stays.
pub(crate) fn set_moves(
    connection: &Connection,
    card: i64,
    game: i64,
    moves: impl IntoIterator<Item = PositionHash>,
) -> Result<Vec<CardMove>, LibraryError> {
    let wanted: BTreeSet<PositionHash> = moves.into_iter().collect();
    let mut statement = connection.prepare_cached("SELECT position FROM card_moves WHERE card = ?1 AND game = ?2")?;
    let rows = statement.query_map([card, game], |row| Ok(PositionHash(u128::from_le_bytes(row.get(0)?))))?;
    let before: BTreeSet<PositionHash> = rows.collect::<Result<_, _>>()?;
    let one = |position: &PositionHash, there| CardMove { card, game, position: format!("{:x}", position.0), there };
    let added = wanted.difference(&before).map(|position| one(position, true));
    let mut changes: Vec<CardMove> = added.collect();
    if game != NO_GAME && !wanted.is_empty() {
        changes.extend(before.difference(&wanted).map(|position| one(position, false)));
    }
    changes.into_iter().filter_map(|change| change.apply(connection).transpose()).collect()
}

/// Has the cards of a record follow its new text. One whose position the record does not have any more, or has no good move
/// for, keeps the answers that it had.
pub(crate) fn follow_record(connection: &Connection, game: i64, tree: &GameTree) -> Result<(), LibraryError> {
    let mut statement = connection
        .prepare_cached("SELECT id, position FROM cards WHERE id IN (SELECT card FROM card_moves WHERE game = ?1)")?;
    let rows = statement.query_map([game], |row| Ok((row.get(0)?, PositionHash(u128::from_le_bytes(row.get(1)?)))))?;
    let cards: Vec<(i64, PositionHash)> = rows.collect::<Result<_, _>>()?;
    if cards.is_empty() {
        return Ok(());
    }
    let found = recorded_moves(tree, &cards.iter().map(|&(_, position)| position).collect());
    for (card, position) in cards {
        if let Some(moves) = found.get(&position) {
            set_moves(connection, card, game, moves.iter().copied())?;
        }
    }
    Ok(())
}
