//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// Booklets.
#[doc(hidden)]
#[macro_export]
macro_rules! booklets_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// Makes a booklet of positions to solve: a PDF with the solutions at its end, or a page that plays.
            make_booklet: MakeBooklet => BookletMade, long, changes [], people free;
        } }
    };
}
