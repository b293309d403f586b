//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// The system's menu bar.
#[doc(hidden)]
#[macro_export]
macro_rules! menu_bar_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Shows the menus in the system's menu bar, in the place of those before; `Event::MenuChosen` tells what is chosen.
            set_menu_bar: MenuBar => (), quick, changes [], people refused;
        } }
    };
}
