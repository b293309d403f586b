//! The menu of a Mac: the usual one, but for the item that quits.

use tauri::menu::{Menu, MenuEvent, MenuItem, MenuItemKind};
use tauri::{AppHandle, Manager as _};

const QUIT: &str = "quit";

/// The usual menu. The system's item to quit ends the program at once, before the page has handed in what is being typed;
/// one of the same name takes its place.
pub(crate) fn menu(handle: &AppHandle) -> tauri::Result<Menu<tauri::Wry>> {
    let menu = Menu::default(handle)?;
    // The last item of the first menu, which is the program's own.
    if let Some(MenuItemKind::Submenu(own)) = menu.items()?.first()
        && let Some(MenuItemKind::Predefined(usual)) = own.items()?.last()
    {
        let quit = MenuItem::with_id(handle, QUIT, usual.text()?, true, Some("Cmd+Q"))?;
        own.remove(usual)?;
        own.append(&quit)?;
    }
    Ok(menu)
}

/// Quitting closes the window as its button does; with its last window the program ends.
pub(crate) fn chosen(handle: &AppHandle, event: &MenuEvent) {
    if event.id().0 != QUIT {
        return;
    }
    match handle.get_webview_window("main") {
        Some(window) => {
            let _ = window.close(); // Where it cannot be closed it stays, with all that is in it.
        }
        None => handle.exit(0),
    }
}
