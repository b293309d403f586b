//! Cards that the person practises.

use super::{LibraryRoom, failed};
use crate::ApiError;
use honinbo_library::{AddedCards, Card, CardAnswered, CardCounts, CardId, GameId, NewCard};
use honinbo_rules::{Board, Color};

impl LibraryRoom {
    pub(crate) fn add_card(&self, board: &Board, to_play: Color, card: &NewCard, now: i64) -> Result<CardId, ApiError> {
        self.change(|library| library.add_card(board, to_play, card, now))
    }

    pub(crate) fn add_cards(&self, cards: &[(&Board, Color, &NewCard)], now: i64) -> Result<AddedCards, ApiError> {
        self.change(|library| library.add_cards(cards, now))
    }

    pub(crate) fn add_cards_of(
        &self,
        record: Option<&str>,
        cards: &[(&Board, Color, &NewCard)],
        now: i64,
    ) -> Result<AddedCards, ApiError> {
        let record = record.map(GameId::new);
        self.change(|library| library.add_cards_of(record.as_ref(), cards, now))
    }

    pub(crate) fn cards(&self) -> Result<Vec<Card>, ApiError> {
        self.library()?.cards().map_err(failed)
    }

    pub(crate) fn card_of(&self, board: &Board, to_play: Color) -> Result<Option<CardId>, ApiError> {
        self.library()?.card_of(board, to_play).map_err(failed)
    }

    pub(crate) fn card(&self, id: &CardId) -> Result<Card, ApiError> {
        self.library()?.card(id).map_err(failed)
    }

    pub(crate) fn due_card(&self, by: i64) -> Result<Option<Card>, ApiError> {
        self.library()?.due_card(by).map_err(failed)
    }

    pub(crate) fn card_counts(&self, by: i64) -> Result<CardCounts, ApiError> {
        self.library()?.card_counts(by).map_err(failed)
    }

    pub(crate) fn card_answer_count(&self) -> Result<u32, ApiError> {
        self.library()?.card_answer_count().map_err(failed)
    }

    pub(crate) fn card_answers(&self, most: u32) -> Result<Vec<Vec<(u32, u8)>>, ApiError> {
        self.library()?.card_answers(most).map_err(failed)
    }

    pub(crate) fn answer_card(
        &self,
        id: &CardId,
        now: i64,
        answer: impl FnOnce(&Card) -> Option<CardAnswered>,
    ) -> Result<bool, ApiError> {
        self.change(|library| library.answer_card(id, now, answer))
    }

    pub(crate) fn remove_card(&self, id: &CardId, now: i64) -> Result<(), ApiError> {
        self.change(|library| library.remove_card(id, now))
    }
}
