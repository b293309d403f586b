//! Whether the machine runs on its battery.

#[cfg(any(not(any(windows, target_os = "macos")), test))]
use std::path::Path;

/// Where Linux tells of batteries and mains.
#[cfg(not(any(windows, target_os = "macos")))]
const SUPPLIES: &str = "/sys/class/power_supply";

/// Whether the machine runs on its battery, as far as the system tells.
#[cfg(not(any(windows, target_os = "macos")))]
pub(crate) fn on_battery() -> bool {
    runs_on_battery(Path::new(SUPPLIES))
}

/// A battery that is being emptied, and no mains that is plugged in. A mouse's battery is no machine's.
#[cfg(any(not(any(windows, target_os = "macos")), test))]
fn runs_on_battery(folder: &Path) -> bool {
    let Ok(supplies) = std::fs::read_dir(folder) else { return false };
    let (mut discharging, mut plugged) = (false, false);
    for supply in supplies.filter_map(Result::ok) {
        let says = |name: &str| {
            std::fs::read_to_string(supply.path().join(name)).map(|text| text.trim().to_owned()).unwrap_or_default()
        };
        match says("type").as_str() {
            "Battery" if says("scope") != "Device" => discharging |= says("status") == "Discharging",
            "Mains" | "USB" => plugged |= says("online") == "1",
            _ => {}
        }
    }
    discharging && !plugged
}

/// Whether the machine runs on its battery, as far as the system tells.
#[cfg(windows)]
pub(crate) fn on_battery() -> bool {
    windows::power_status().is_some_and(|(line, battery)| is_battery_alone(line, battery))
}

/// By `ACLineStatus` and `BatteryFlag` of `SYSTEM_POWER_STATUS`: 0 is off the mains, 128 no battery, 255 unknown.
#[cfg(any(windows, test))]
fn is_battery_alone(line: u8, battery: u8) -> bool {
    line == 0 && battery != 128 && battery != 255
}

#[cfg(windows)]
mod windows {
    /// `SYSTEM_POWER_STATUS` of `winbase.h`.
    #[repr(C)]
    #[derive(Default)]
    #[allow(dead_code, reason = "the layout is the system's")]
    struct SystemPowerStatus {
        ac_line_status: u8,
        battery_flag: u8,
        battery_life_percent: u8,
        system_status_flag: u8,
        battery_life_time: u32,
        battery_full_life_time: u32,
    }

    #[allow(unsafe_code, reason = "the standard library does not know of power")]
    #[link(name = "kernel32")]
    unsafe extern "system" {
        #[link_name = "GetSystemPowerStatus"]
        fn get_system_power_status(status: *mut SystemPowerStatus) -> i32;
    }

    /// State of the mains and of the battery; `None` where the system does not say.
    #[allow(unsafe_code, reason = "the standard library does not know of power")]
    pub(super) fn power_status() -> Option<(u8, u8)> {
        let mut status = SystemPowerStatus::default();
        // SAFETY: the pointer is to a structure of the layout that the function fills, which lives beyond the call.
        let is_known = unsafe { get_system_power_status(&raw mut status) } != 0;
        is_known.then_some((status.ac_line_status, status.battery_flag))
    }
}

/// Whether the machine runs on its battery, as far as the system tells; looked up once a minute.
#[cfg(target_os = "macos")]
pub(crate) fn on_battery() -> bool {
    use parking_lot::Mutex;
    use std::time::{Duration, Instant};
    /// A program is started to find out.
    const KEPT: Duration = Duration::from_secs(60);
    static LAST: Mutex<Option<(Instant, bool)>> = Mutex::new(None);
    let last = *LAST.lock();
    if let Some((at, known)) = last
        && at.elapsed() < KEPT
    {
        return known;
    }
    // Nobody waits at the lock for the program.
    let answer = std::process::Command::new("/usr/bin/pmset").args(["-g", "batt"]).output();
    let found = answer.is_ok_and(|answer| says_battery(&String::from_utf8_lossy(&answer.stdout)));
    *LAST.lock() = Some((Instant::now(), found));
    found
}

/// By the words of `pmset -g batt`, of which the first line names the source.
#[cfg(any(target_os = "macos", test))]
fn says_battery(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.contains("'Battery Power'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_battery_counts_while_it_is_emptied_and_nothing_is_plugged_in() {
        let folder = tempfile::tempdir().unwrap();
        let write = |supply: &str, name: &str, text: &str| {
            std::fs::create_dir_all(folder.path().join(supply)).unwrap();
            std::fs::write(folder.path().join(supply).join(name), format!("{text}\n")).unwrap();
        };
        assert!(!runs_on_battery(folder.path()), "a desktop");
        write("AC", "type", "Mains");
        write("AC", "online", "1");
        write("BAT0", "type", "Battery");
        write("BAT0", "status", "Charging");
        assert!(!runs_on_battery(folder.path()));
        write("AC", "online", "0");
        write("BAT0", "status", "Discharging");
        assert!(runs_on_battery(folder.path()));
        write("BAT0", "scope", "Device");
        assert!(!runs_on_battery(folder.path()), "a mouse");
        assert!(!runs_on_battery(&folder.path().join("missing")));
    }

    #[test]
    fn windows_tells_by_two_numbers() {
        assert!(is_battery_alone(0, 1) && is_battery_alone(0, 0));
        assert!(!is_battery_alone(1, 8), "it is charged");
        for (line, battery) in [(0, 128), (0, 255), (255, 255), (255, 1)] {
            assert!(!is_battery_alone(line, battery), "{line} {battery}");
        }
    }

    #[test]
    fn macos_tells_in_a_sentence() {
        let list = " -InternalBattery-0 (id=123)\t87%; discharging; 5:02 remaining present: true\n";
        assert!(says_battery(&format!("Now drawing from 'Battery Power'\n{list}")));
        assert!(!says_battery(&format!("Now drawing from 'AC Power'\n{list}")));
        assert!(!says_battery("Now drawing from 'AC Power'\n"), "a desktop");
        assert!(!says_battery(""));
    }

    #[test]
    fn the_system_is_asked_without_harm() {
        let first = on_battery();
        assert_eq!(on_battery(), first, "the second answer may be a remembered one");
    }
}
