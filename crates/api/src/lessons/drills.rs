//! The cards that come back.

use super::anki;
use super::cards::seconds;
use super::deck::{self, DeckCard, move_of};
use super::lines::moves_to;
use super::turn::Turn;
use super::{Asked, LessonsRoom, position_of};
use crate::games::opening::each_tree;
use crate::{ApiError, CardRef, CardView, DeckImported, Drill, DrillState, GameSource, SgfText};
use honinbo_evaluator::StopFlag;
use honinbo_library::{Card, CardId};
use honinbo_record::{GameInfo, read_sgf_text};
use honinbo_rules::{Color, Game};
use std::ops::ControlFlow;

/// Cards of a deck that are taken in at once, each with its position.
const CARDS_AT_ONCE: usize = 10_000;

impl LessonsRoom {
    /// How many cards there are.
    pub(crate) fn drill_state(&self) -> Result<DrillState, ApiError> {
        let counts = self.library.card_counts(self.host.unix_ms())?;
        Ok(DrillState { total: counts.total, due: counts.due, next_due: counts.next.map(seconds) })
    }

    /// The card that has been due for longest.
    pub(crate) fn next_drill(&self) -> Result<Drill, ApiError> {
        let card = self.library.due_card(self.host.unix_ms())?.map(|card| view_of(&card)).transpose()?;
        Ok(Drill { card, state: self.drill_state()? })
    }

    /// All cards as a collection, with the moves that are known to be right.
    pub(crate) fn export_deck(&self) -> Result<SgfText, ApiError> {
        let mut sgf = String::new();
        for card in self.library.cards()? {
            let good = game_of(&card).map(|game| self.known_good(&game)).unwrap_or_default();
            if let Some(game) = deck::written(&card, &good) {
                sgf.push_str(&game);
                sgf.push('\n');
            }
        }
        Ok(SgfText { file_name: "practice.sgf".into(), sgf })
    }

    /// Takes the cards of a deck in: all at once, or of a large one as many at once as fit into memory well.
    pub(crate) fn import_deck(&self, source: &GameSource, stop: &StopFlag) -> Result<DeckImported, ApiError> {
        let mut cards = Vec::<DeckCard>::new();
        let mut imported = DeckImported { added: 0, known: 0, skipped: 0 };
        let mut failure = None;
        let mut take = |card: Option<DeckCard>| {
            match card {
                Some(card) => cards.push(card),
                None => imported.skipped = imported.skipped.saturating_add(1),
            }
            if cards.len() >= CARDS_AT_ONCE && !stop.is_set() {
                failure = self.keep_cards(std::mem::take(&mut cards), &mut imported).err();
            }
            if failure.is_none() && !stop.is_set() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        match anki::records_of(source)? {
            Some(trees) => drop(trees.into_iter().try_for_each(|tree| take(deck::read_foreign(tree)))),
            None => each_tree(source, &mut |tree| take(tree.and_then(deck::read)))?,
        }
        if let Some(error) = failure {
            return Err(error);
        }
        if stop.is_set() {
            return Err(ApiError::Cancelled);
        }
        if !cards.is_empty() {
            self.keep_cards(cards, &mut imported)?;
        }
        Ok(imported)
    }

    /// Keeps cards of a deck, and counts those that are new and those that were known.
    fn keep_cards(&self, cards: Vec<DeckCard>, imported: &mut DeckImported) -> Result<(), ApiError> {
        let rows: Vec<_> = cards.iter().map(|card| (card.game.board(), card.game.to_play(), &card.asks)).collect();
        let added = self.library.add_cards(&rows, self.host.unix_ms())?.new;
        let total = u32::try_from(cards.len()).unwrap_or(u32::MAX);
        imported.added = imported.added.saturating_add(added);
        imported.known = imported.known.saturating_add(total - added);
        Ok(())
    }

    /// A card of the library as it is turned.
    pub(super) fn asked_in_library(&self, card_id: &str, turn: u32) -> Result<Asked, ApiError> {
        let card = self.library.card(&CardId::new(card_id))?;
        let game = game_of(&card)?;
        let turn = Turn::named(turn, game.board())?;
        let recorded = moves_to(&card.asks.recorded, &game);
        // What somebody played there once is nothing to somebody who asks for a record.
        let played = card.asks.played.filter(|_| recorded.is_empty());
        let played = played.map(|index| (move_of(index, &game), card.asks.lost));
        let info = info_of(&card);
        let player = if game.to_play() == Color::Black { info.black } else { info.white };
        Ok(Asked { game, turn, recorded, played, card: Some(card.id), rank: player.rank, record: None, place: None })
    }
}

fn game_of(card: &Card) -> Result<Game, ApiError> {
    let unreadable =
        || ApiError::UnreadableFile { file: "the card".into(), message: "its record is damaged".into(), problem: None };
    position_of(&card.asks.sgf).ok_or_else(unreadable)
}

fn info_of(card: &Card) -> GameInfo {
    let tree = read_sgf_text(&card.asks.sgf).games.into_iter().next().map(|game| game.tree).unwrap_or_default();
    GameInfo::of(&tree)
}

fn view_of(card: &Card) -> Result<CardView, ApiError> {
    let game = game_of(card)?;
    let (size, topology) = (game.board().size(), game.board().topology());
    let number = Turn::of_asking(card.id.as_str(), card.answers, size, topology);
    let turn = Turn::of_number(number, size, topology).unwrap_or(Turn::NONE);
    let info = info_of(card);
    Ok(CardView {
        card: CardRef::Drill { card_id: card.id.as_str().to_owned(), turn: number },
        number: u32::try_from(game.turns().len()).unwrap_or(u32::MAX).saturating_add(1),
        black: info.black.name,
        white: info.white.name,
        kept: true,
        answers: card.answers,
        lapses: card.lapses,
        recorded: !moves_to(&card.asks.recorded, &game).is_empty(),
        board: turn.board(&game),
    })
}
