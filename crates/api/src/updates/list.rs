//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Newer versions of the program.
#[doc(hidden)]
#[macro_export]
macro_rules! updates_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// What is known of newer versions; nobody is asked.
            update_state: NoArgs => UpdateView, long, changes [], people refused;
            /// Asks the maintainers' server for the newest version.
            look_for_update: UpdateLook => UpdateView, long, changes [], people refused;
            /// Fetches the package of the newer version in the background, or goes on with it; `Event::Update` says how
            /// far it is.
            fetch_update: NoArgs => (), long, changes [], people refused;
            /// Pauses that; what came stays.
            pause_update: NoArgs => (), quick, changes [], people refused;
            /// Hands the fetched package to the system, which asks the person before it installs anything.
            install_update: NoArgs => (), long, changes [], people refused;
        } }
    };
}
