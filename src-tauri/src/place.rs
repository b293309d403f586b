//! Where the window was and how large.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tauri::plugin::TauriPlugin;
use tauri::{PhysicalRect, PhysicalSize, WebviewWindow};
use tauri_plugin_window_state::StateFlags;

/// The file of the data folder that remembers it.
pub(crate) fn file_in(data_dir: &Path) -> PathBuf {
    // An absolute path, so it is not put into the folder that the plugin would choose.
    std::path::absolute(data_dir).unwrap_or_else(|_| data_dir.to_owned()).join("window-place.json")
}

/// Remembers where the window was and how large. Where the system places windows itself, as Wayland does, only the size.
pub(crate) fn remembered(file: &Path) -> TauriPlugin<tauri::Wry> {
    tauri_plugin_window_state::Builder::new()
        .with_filename(file.display().to_string())
        .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
        .build()
}

/// A place as the plugin writes it; in physical pixels, without the frame.
#[derive(serde::Deserialize)]
struct Place {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

/// Lets a window that comes back from a larger screen fill the one that it comes back to.
pub(crate) fn fit_on_screen(window: &WebviewWindow, file: &Path) -> tauri::Result<()> {
    let read = std::fs::read(file).ok();
    let places = read.and_then(|text| serde_json::from_slice::<HashMap<String, Place>>(&text).ok());
    let Some(place) = places.as_ref().and_then(|places| places.get(window.label())) else { return Ok(()) };
    let screens: Vec<_> = window.available_monitors()?.iter().map(|monitor| *monitor.work_area()).collect();
    if let Some(size) = shrunk(place, &screens) {
        window.set_size(size)?;
        // The frame is not known yet; this makes room for it.
        window.maximize()?;
    }
    Ok(())
}

/// The size that a window has to shrink to; `None` where it fits on its screen.
fn shrunk(place: &Place, screens: &[PhysicalRect<i32, u32>]) -> Option<PhysicalSize<u32>> {
    let shared = |start: i32, length: u32, at: i32, size: u32| {
        let end = (i64::from(start) + i64::from(length)).min(i64::from(at) + i64::from(size));
        (end - i64::from(start.max(at))).max(0)
    };
    let area = |screen: &PhysicalRect<i32, u32>, width: u32, height: u32| {
        let (at, size) = (screen.position, screen.size);
        shared(at.x, size.width, place.x, width) * shared(at.y, size.height, place.y, height)
    };
    // That of its corner, which Windows puts a little outside for a maximized window, else that with most of it. Where its
    // screen is gone, the system places it.
    let of_corner = screens.iter().find(|screen| area(screen, 1, 1) > 0);
    let of_most = || {
        let seen = screens.iter().filter(|screen| area(screen, place.width, place.height) > 0);
        seen.max_by_key(|screen| area(screen, place.width, place.height))
    };
    let PhysicalSize { width, height } = of_corner.or_else(of_most).or(screens.first())?.size;
    let fits = place.width <= width && place.height <= height;
    (!fits).then(|| PhysicalSize::new(place.width.min(width), place.height.min(height)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tauri::PhysicalPosition;

    fn screen(x: i32, width: u32, height: u32) -> PhysicalRect<i32, u32> {
        PhysicalRect { position: PhysicalPosition::new(x, 0), size: PhysicalSize::new(width, height) }
    }

    #[test]
    fn a_window_of_a_larger_screen_shrinks_to_the_one_that_is_there() {
        let laptop_and_monitor = [screen(0, 1600, 960), screen(1600, 2560, 1440)];
        let size = |x, width, height, screens: &[PhysicalRect<i32, u32>]| {
            shrunk(&Place { x, y: 20, width, height }, screens).map(|size| (size.width, size.height))
        };
        assert_eq!(size(100, 1280, 820, &laptop_and_monitor), None);
        assert_eq!(size(1700, 2400, 1400, &laptop_and_monitor), None);
        assert_eq!(size(1700, 2400, 1400, &laptop_and_monitor[..1]), Some((1600, 960)), "the monitor is gone");
        assert_eq!(size(0, 90_000, 700, &laptop_and_monitor), Some((1600, 700)));
        let laptop_beside = [screen(2560, 1600, 960), screen(0, 2560, 1440)];
        assert_eq!(size(-8, 2400, 1400, &laptop_beside), None, "its corner is outside of the monitor that it fits on");
        assert_eq!(size(0, 2400, 1400, &[]), None, "no screen is known");
    }

    #[test]
    fn the_plugins_file_is_read() {
        let text = r#"{"main":{"width":2400,"height":1400,"x":-8,"y":0,"prev_x":0,"prev_y":0,"maximized":false,"visible":true,"decorated":true,"fullscreen":false}}"#;
        let places: HashMap<String, Place> = serde_json::from_str(text).unwrap();
        assert_eq!((places["main"].x, places["main"].width, places["main"].height), (-8, 2400, 1400));
    }
}
