//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Games of the library that are reviewed in the background.
#[doc(hidden)]
#[macro_export]
macro_rules! reviews_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Puts games of the library on the list of those that are reviewed in the background; `Event::Reviews` says how
            /// far it is. The list outlives the program.
            queue_reviews: QueueReviews => ReviewQueue, long, changes [], people free;
            /// How far the list is.
            review_queue: NoArgs => ReviewQueue, long, changes [], people free;
            /// Answers whether own games that came in together are to be reviewed ([`ReviewQueue::offered`]).
            take_review_offer: AnswerReviewOffer => ReviewQueue, long, changes [], people free;
            /// Takes all games off the list; what was found of them stays.
            clear_review_queue: NoArgs => ReviewQueue, long, changes [], people free;
        } }
    };
}
