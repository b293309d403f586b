//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// ONNX Runtime libraries beside the program's own.
#[doc(hidden)]
#[macro_export]
macro_rules! runtimes_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// ONNX Runtime libraries that are here and that can be fetched; nothing is asked of the network of computers.
            list_runtimes: NoArgs => Runtimes, long, changes [], people refused;
            /// Fetches a known runtime by its checksum in the background, or goes on with it; `Event::Runtime` tells how far
            /// it is.
            fetch_runtime: RuntimeName => (), long, changes [], people refused;
            /// Pauses a fetch; what came stays.
            pause_runtime: RuntimeName => (), quick, changes [], people refused;
            /// Adds a runtime from a file, a wheel or the library itself with its providers beside it, where the host lets paths
            /// be named.
            add_runtime: FilePath => Runtimes, long, changes [], people refused;
            /// Takes a runtime, or the begun part of one, off the disk.
            remove_runtime: RuntimeName => Runtimes, long, changes [], people refused;
        } }
    };
}
