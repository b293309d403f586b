//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// The original protocol.
#[doc(hidden)]
#[macro_export]
macro_rules! original_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// The best move on a board or in an open game: the original protocol's `run`. A game that is played is
            /// refused while it is the opponent's turn, and always if it is rated.
            run: RunRequest => RunReply, long [run], changes [], people free;
            /// Keeps a record or an open game in the library: the original protocol's `saveGoban`.
            save_goban: SaveGoban => SavedGoban, long, changes [game, library], people stores;
            /// Ends this caller's `run` or `play_out`.
            cancel: NoArgs => (), cancels [run], changes [], people free;
        } }
    };
}
