//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Runs in which networks learn.
#[doc(hidden)]
#[macro_export]
macro_rules! training_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Where a run stands, unless nothing has changed since it was asked about last.
            training_status: WatchTraining => TrainingNews, long, changes [], people refused;
            /// The policy of the empty board of one generation's network: a share for each point, row by row from the top left,
            /// and the pass last; below 0 where illegal.
            training_policy: TrainingGeneration => Vec<Finite>, long, changes [], people refused;
            /// The end of a game of a run, without opening it.
            training_game: TrainingGame => RecordPreview, long, changes [], people refused;
            /// Opens a game of a run.
            open_training_game: TrainingGame => GameView, long, changes [game], people refused;
        } }
    };
}
