//! The part of the list of commands that is about this subject; see [`crate::for_each_command!`].

/// What a window asks when it starts, and what the person chose.
#[doc(hidden)]
#[macro_export]
macro_rules! settings_commands {
    ($parts:tt { $($before:tt)* }) => {
        $crate::next_commands! { $parts {
            $($before)*

            /// All that a window needs to draw itself for the first time.
            startup: NoArgs => Startup, long, changes [], people free;
            /// Keeps what the person chose anew. What a window does not name stays as another one chose it.
            set_settings: SettingsChange => Settings, long, changes [settings], people settings;
            /// The engine as it is now.
            engine_status: NoArgs => EngineStatus, quick, changes [], people free;
            /// What can compute on this machine, and what is known of it with the network in use.
            list_devices: NoArgs => Devices, long, changes [], people free;
            /// Compares every device with the processor and measures it; the fastest that answers rightly is used from
            /// then on where none was chosen.
            measure_devices: NoArgs => Devices, long [devices], changes [], people refused;
            /// Ends the measuring of devices.
            stop_measuring: NoArgs => (), cancels [devices], changes [], people free;
        } }
    };
}
