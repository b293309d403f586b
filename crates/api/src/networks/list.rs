//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Networks that are here and that can be fetched.
#[doc(hidden)]
#[macro_export]
macro_rules! networks_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Networks that are here and that can be fetched; nothing is asked of the network of computers.
            list_shelf: NoArgs => NetworkShelf, long, changes [], people free;
            /// Fetches a listed network in the background, or goes on with it; `Event::Network` tells how far it is.
            fetch_network: NetworkName => (), long, changes [], people refused;
            /// Pauses a fetch; what came stays.
            pause_network: NetworkName => (), quick, changes [], people refused;
            /// Takes a network, or the begun part of one, off the disk.
            remove_network: NetworkName => NetworkShelf, long, changes [], people refused;
            /// Fetches the list that the maintainers have now, if the program knows who signs it.
            renew_shelf: NoArgs => NetworkShelf, long, changes [], people refused;
        } }
    };
}
