//! Whether the machine runs on its battery.

use std::path::Path;

/// Where Linux tells of batteries and mains.
const SUPPLIES: &str = "/sys/class/power_supply";

/// Whether the machine runs on its battery, as far as the system tells.
pub(crate) fn on_battery() -> bool {
    runs_on_battery(Path::new(SUPPLIES))
}

/// A battery that is being emptied, and no mains that is plugged in. A mouse's battery is no machine's.
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
}
