//! What the commands of this subject do.

use crate::handlers::Answer;
#[allow(clippy::wildcard_imports, reason = "every argument type of the list is named here")]
use crate::types::*;
use crate::{App, Caller};

pub(crate) fn queue_reviews(app: &App, _: &Caller, args: QueueReviews) -> Answer<ReviewQueue> {
    app.reviews.add(&args)
}

pub(crate) fn review_queue(app: &App, _: &Caller, _: NoArgs) -> Answer<ReviewQueue> {
    app.reviews.view()
}

pub(crate) fn take_review_offer(app: &App, _: &Caller, args: AnswerReviewOffer) -> Answer<ReviewQueue> {
    app.reviews.answer_offer(args)
}

pub(crate) fn clear_review_queue(app: &App, _: &Caller, _: NoArgs) -> Answer<ReviewQueue> {
    app.reviews.clear()
}
