//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// The original protocol.
#[doc(hidden)]
#[macro_export]
macro_rules! original_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// The best move on a board: the original protocol's `run`.
            run: RunRequest => RunReply, long [run], changes [];
            /// Keeps a record in the library: the original protocol's `saveGoban`.
            save_goban: SaveGoban => SavedGoban, long, changes [library for all];
            /// Ends this caller's `run` or `play_out`.
            cancel: NoArgs => (), cancels [run], changes [];
        } }
    };
}
