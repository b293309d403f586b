//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Accounts at game servers and watched folders.
#[doc(hidden)]
#[macro_export]
macro_rules! sources_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// The accounts and folders that games come from.
            list_sources: NoArgs => Vec<SourceView>, long, changes [], people free;
            /// Adds an account or a folder. No server is asked yet; a folder is watched from now on.
            add_source: NewSource => SourceView, long, changes [], people refused;
            /// Forgets an account or a folder; its games stay.
            remove_source: SourceRef => (), long, changes [], people refused;
            /// Asks servers and looks into folders for new games, in the background; `Event::Source` follows.
            sync_sources: SyncSources => (), long, changes [], people refused;
            /// Ends that; what came stays.
            stop_sync: NoArgs => (), cancels [], changes [], people free;
        } }
    };
}
