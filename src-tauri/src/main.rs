//! `honinbo-app`: opens the window. Everything is in the library beside it.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() {
    honinbo_app::forbid_telemetry();
    honinbo_app::answer_library_trial();
    honinbo_app::run();
}
