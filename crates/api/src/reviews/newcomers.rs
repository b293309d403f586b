//! Own games that come into the library from accounts, folders and files: a few are reviewed, many are asked about.

use super::ReviewsRoom;
use crate::library::import::AfterImport;
use crate::{AnswerReviewOffer, ApiError, Event, ReviewQueue, Settings};
use honinbo_library::{GameId, ReviewOrder};
use std::sync::Arc;

/// Games that come in together and are reviewed without a question. Where a processor computes each takes minutes.
const FEW: usize = 50;

impl ReviewsRoom {
    /// Games may have come into the library since then, in milliseconds since 1970. The finished ones among them that are
    /// the person's own go on the list behind all others, or are asked about where they are many.
    pub(crate) fn came(&self, since: i64) {
        if let Err(error) = self.take_new(since) {
            tracing::warn!(%error, "it is not known which games that came are to be reviewed");
        }
    }

    fn take_new(&self, since: i64) -> Result<(), ApiError> {
        let Settings { review_new, own_name, .. } = self.reviewer.settings.get();
        if !review_new {
            return Ok(());
        }
        let new = self.reviewer.library.new_own_games(&own_name, since)?;
        if new.is_empty() {
            return Ok(());
        }
        let wanted = {
            let mut work = self.reviewer.work.lock();
            if new.len() > FEW {
                let offered = new.iter().filter(|id| !work.offered.contains(id)).cloned().collect::<Vec<_>>();
                work.offered.extend(offered);
            }
            work.wanted
        };
        if new.len() <= FEW {
            let ids: Vec<String> = new.iter().map(ToString::to_string).collect();
            self.reviewer.library.add_reviews(&ids, ReviewOrder::Unasked, self.reviewer.host.unix_ms())?;
        }
        // A terminal that fetches games ends then; they wait for a window.
        let view = if wanted { self.view() } else { self.reviewer.view() }?;
        self.reviewer.host.emit(Event::Reviews(view));
        Ok(())
    }

    /// What follows an import.
    pub(crate) fn after_import(self: &Arc<Self>) -> AfterImport {
        let this = Arc::clone(self);
        Box::new(move |since| this.came(since))
    }

    /// Puts the games that were asked about on the list, or leaves them.
    pub(crate) fn answer_offer(&self, answer: AnswerReviewOffer) -> Result<ReviewQueue, ApiError> {
        let offered: Vec<GameId> = std::mem::take(&mut self.reviewer.work.lock().offered);
        let ids: Vec<String> = offered.iter().map(ToString::to_string).collect();
        if answer.review { self.put(&ids, ReviewOrder::Asked) } else { self.view() }
    }
}
