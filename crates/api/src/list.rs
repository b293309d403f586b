//! The list of commands: the parts of its subjects, one after the other.

/// Calls the macro `$callback` with every command:
///
/// ```text
/// /// What it does.
/// name: Arguments => Answer, quick, changes [], people free;
/// name: Arguments => Answer, long [work], changes [game, library], people stores;
/// name: Arguments => Answer, cancels [work], changes [], people refused;
/// ```
///
/// `quick` ones are done in their order and wait for no disk; `long` ones hold nobody up, and an earlier one of the same work and client
/// ends; what `cancels` is heard at once ([`crate::Pace`]). What a command may change, of which every window hears, is said
/// next ([`crate::Change`]), and at its end what people with an account on a server may do with it ([`crate::Permission`]).
/// Each subject has its part in a `list.rs` of its own, and a function for each command in the `handlers.rs` beside it,
/// under the same name. Hosts call it as one of [`crate::commands`] or by its name
/// ([`crate::dispatch()`]).
#[macro_export]
macro_rules! for_each_command {
    ($callback:ident) => {
        $crate::next_commands! {
            ($callback
                settings_commands networks_commands runtimes_commands updates_commands games_commands analysis_commands play_commands reviews_commands lessons_commands problems_commands
                original_commands library_commands sources_commands booklets_commands training_commands menu_bar_commands
            )
            {}
        }
    };
}

/// Has each part add its commands to those before it; the callback is given them all.
#[doc(hidden)]
#[macro_export]
macro_rules! next_commands {
    (($callback:ident) $commands:tt) => {
        $callback! $commands
    };
    (($callback:ident $part:ident $($later:ident)*) $commands:tt) => {
        $crate::$part! { ($callback $($later)*) $commands }
    };
}
