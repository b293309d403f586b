//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Turning points and drills.
#[doc(hidden)]
#[macro_export]
macro_rules! lessons_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// The moves of an open game that cost most, as far as they are judged: positions in which something better
            /// is to be found. No engine is asked.
            turning_points: TurningPointsOf => TurningPoints, long, changes [];
            /// Searches the position of a card, so that the answer to it is judged at once.
            prepare_card: OneCard => (), long [lesson], changes [];
            /// Judges an answer by the search. A wrong one keeps the card; the first answer to a card that is due says when
            /// it comes back.
            answer_card: AnswerCard => CardAnswer, long [lesson], changes [library];
            /// What was played and what is better.
            card_solution: ShowSolution => CardSolution, long [lesson], changes [library];
            /// What is borne out by searches and readings about the move of the game and the better one.
            card_facts: OneCard => CardFacts, long [lesson], changes [];
            /// Keeps a card among those that come back.
            keep_card: OneCard => KeptCard, long, changes [library];
            /// Keeps the position at a node of an open game among the cards that come back.
            keep_position: NodeRef => KeptCard, long, changes [library];
            /// Puts a card away; `undo_library` brings it back.
            remove_card: OneCard => KeptCard, long, changes [library];
            /// How many cards there are, and how many are due.
            drill_state: NoArgs => DrillState, long, changes [];
            /// The card that has been due for longest, turned another way than before.
            next_drill: NoArgs => Drill, long, changes [];
            /// The cards as a collection of records, to be kept or given away.
            export_deck: NoArgs => SgfText, long, changes [];
            /// Takes the cards of such a collection in.
            import_deck: ImportDeck => DeckImported, long, changes [library];
        } }
    };
}
