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
            turning_points: TurningPointsOf => TurningPoints, long, changes [], people free;
            /// How strong the players of an open game were, and how likely somebody of a rank avoids each mistake. A network
            /// of human style is asked where one is installed.
            rank_review: RankReviewOf => RankReview, long, changes [], people free;
            /// Where a player of the library errs how often, over all games that were reviewed, and whether practice changed it.
            weaknesses: WeaknessesOf => Weaknesses, long, changes [], people free;
            /// A player's mistakes of a class, the worst first.
            weak_positions: WeakPositionsOf => Vec<WeakPosition>, long, changes [], people free;
            /// Makes the worst mistakes of a class into cards, and begins the training of that class.
            practise_weakness: WeakPositionsOf => Practised, long, changes [library], people stores;
            /// Makes the mistakes within one opening of a player into cards, or its last move where there are none.
            practise_opening: PractiseOpening => Practised, long, changes [library], people stores;
            /// Ends the training of a class.
            end_training: ClassName => (), long, changes [], people free;
            /// What a player opens with, how that went and what it lost.
            repertoire: PlayerName => Repertoire, long, changes [], people free;
            /// Puts a player's games that were not reviewed yet on the list of those that are reviewed in the background.
            review_player: PlayerName => ReviewQueue, long, changes [], people free;
            /// Searches the position of a card, so that the answer to it is judged at once.
            prepare_card: OneCard => (), long [lesson], changes [], people free;
            /// Judges an answer by the search. A wrong one keeps the card; the first answer to a card that is due says when
            /// it comes back.
            answer_card: AnswerCard => CardAnswer, long [lesson], changes [library], people free;
            /// What was played and what is better.
            card_solution: ShowSolution => CardSolution, long [lesson], changes [library], people free;
            /// What is borne out by searches and readings about the move of the game and the better one, and what others
            /// play there.
            card_facts: FactsOf => CardFacts, long [lesson], changes [], people free;
            /// Keeps a card among those that come back.
            keep_card: OneCard => KeptCard, long, changes [library], people stores;
            /// Keeps the position at a node of an open game among the cards that come back.
            keep_position: NodeRef => KeptCard, long, changes [library], people stores;
            /// Keeps positions of an open game among the cards that come back. The record's moves are the answers, but for
            /// those that it calls doubtful or bad; the practice was the first answer.
            keep_lines: KeepLines => Practised, long, changes [library], people stores;
            /// Puts a card away; `undo_library` brings it back.
            remove_card: OneCard => KeptCard, long, changes [library], people free;
            /// How many cards there are, and how many are due.
            drill_state: NoArgs => DrillState, long, changes [], people free;
            /// The card that has been due for longest, turned another way than before.
            next_drill: NoArgs => Drill, long, changes [], people free;
            /// An exercise from the games of the library: one that was missed and is due, or a position that is new.
            next_exercise: NextExercise => ExerciseFound, long [lesson], changes [], people free;
            /// Searches what an answer to an exercise is judged by.
            prepare_exercise: OneExercise => (), long [lesson], changes [], people free;
            /// Judges an answer to an exercise, and writes it down where it counts.
            answer_exercise: AnswerExercise => ExerciseJudged, long [lesson], changes [], people free;
            /// How well exercises are answered, by kind and month.
            exercise_figures: ExerciseFiguresOf => ExerciseFigures, long, changes [], people free;
            /// The cards as a collection of records, to be kept or given away.
            export_deck: NoArgs => SgfText, long, changes [], people free;
            /// The cards as a package for Anki.
            export_anki_deck: AnkiDeck => DeckPackage, long, changes [], people free;
            /// Takes the cards of such a collection in, or those of a package of Anki with records in its fields.
            import_deck: ImportDeck => DeckImported, long, changes [library], people stores;
        } }
    };
}
