//! The menu bar of a Mac. What is in it, the page says; the system does what it does for every program.
#![cfg_attr(not(target_os = "macos"), expect(dead_code, reason = "elsewhere only its tests are compiled"))]

use crate::commands::BackEndEvent;
use honinbo_api::{BarItem, BarMenu, Event, MenuBar, MenuChosen, MenuRole, SystemItem};
use std::collections::HashMap;
use tauri::menu::{
    AboutMetadata, HELP_SUBMENU_ID, IsMenuItem, Menu, MenuEvent, MenuItem, MenuItemKind, PredefinedMenuItem, Submenu,
    WINDOW_SUBMENU_ID,
};
use tauri::{AppHandle, Manager as _, Wry};
use tauri_specta::Event as _;

/// No action of the page is called so.
const QUIT: &str = "honinbo:quit";

/// The menus that the page asked for.
pub(crate) struct Shown {
    bar: MenuBar,
    /// The items that the page does, by their ids.
    items: HashMap<String, MenuItem<Wry>>,
}

/// The usual menu, until the page has named its own. The system's item to quit ends the program at once, before the page has
/// handed in what is being typed; one of the same name takes its place.
pub(crate) fn usual(handle: &AppHandle) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::default(handle)?;
    // The last item of the first menu, which is the program's own.
    if let Some(MenuItemKind::Submenu(own)) = menu.items()?.first()
        && let Some(MenuItemKind::Predefined(usual)) = own.items()?.last()
    {
        let quit = quit(handle, &usual.text()?)?;
        own.remove(usual)?;
        own.append(&quit)?;
    }
    Ok(menu)
}

/// Shows what the page asks for. Menus that only differ in what can be done now stay, also while one of them is open.
pub(crate) fn show(handle: &AppHandle, shown: &mut Option<Shown>, bar: MenuBar) -> tauri::Result<()> {
    if let Some(shown) = shown
        && let Some(changed) = bar.only_enabled_since(&shown.bar)
    {
        for action in changed {
            if let Some(item) = shown.items.get(&action.id) {
                item.set_enabled(action.enabled)?;
            }
        }
        shown.bar = bar;
        return Ok(());
    }
    let mut items = HashMap::new();
    let menu = Menu::new(handle)?;
    for wanted in &bar.menus {
        menu.append(&submenu(handle, wanted, &mut items)?)?;
    }
    handle.set_menu(menu)?;
    *shown = Some(Shown { bar, items });
    Ok(())
}

fn submenu(
    handle: &AppHandle,
    wanted: &BarMenu,
    items: &mut HashMap<String, MenuItem<Wry>>,
) -> tauri::Result<Submenu<Wry>> {
    let title = as_it_is(&wanted.label);
    let menu = match wanted.role {
        MenuRole::Plain => Submenu::new(handle, title, true),
        MenuRole::Window => Submenu::with_id(handle, WINDOW_SUBMENU_ID, title, true),
        MenuRole::Help => Submenu::with_id(handle, HELP_SUBMENU_ID, title, true),
    }?;
    for item in &wanted.items {
        let made: Box<dyn IsMenuItem<Wry>> = match item {
            BarItem::Separator => Box::new(PredefinedMenuItem::separator(handle)?),
            BarItem::System { item, label } => of_system(handle, *item, &as_it_is(label))?,
            BarItem::Action(action) => {
                let label = as_it_is(&action.label);
                let item = MenuItem::with_id(handle, &action.id, label, action.enabled, action.accelerator())?;
                items.insert(action.id.clone(), item.clone());
                Box::new(item)
            }
        };
        menu.append(&*made)?;
    }
    Ok(menu)
}

fn of_system(handle: &AppHandle, item: SystemItem, label: &str) -> tauri::Result<Box<dyn IsMenuItem<Wry>>> {
    let make: fn(&AppHandle, Option<&str>) -> tauri::Result<PredefinedMenuItem<Wry>> = match item {
        SystemItem::About => {
            return Ok(Box::new(PredefinedMenuItem::about(handle, Some(label), Some(about(handle)))?));
        }
        SystemItem::Quit => return Ok(Box::new(quit(handle, label)?)),
        SystemItem::Services => PredefinedMenuItem::services,
        SystemItem::Hide => PredefinedMenuItem::hide,
        SystemItem::HideOthers => PredefinedMenuItem::hide_others,
        SystemItem::ShowAll => PredefinedMenuItem::show_all,
        SystemItem::Cut => PredefinedMenuItem::cut,
        SystemItem::Copy => PredefinedMenuItem::copy,
        SystemItem::Paste => PredefinedMenuItem::paste,
        SystemItem::SelectAll => PredefinedMenuItem::select_all,
        SystemItem::Minimize => PredefinedMenuItem::minimize,
        SystemItem::Zoom => PredefinedMenuItem::maximize,
        SystemItem::BringAllToFront => PredefinedMenuItem::bring_all_to_front,
    };
    Ok(Box::new(make(handle, Some(label))?))
}

fn about(handle: &AppHandle) -> AboutMetadata<'static> {
    let (package, bundle) = (handle.package_info(), &handle.config().bundle);
    AboutMetadata {
        name: Some(package.name.clone()),
        version: Some(package.version.to_string()),
        copyright: bundle.copyright.clone(),
        authors: bundle.publisher.clone().map(|publisher| vec![publisher]),
        ..AboutMetadata::default()
    }
}

fn quit(handle: &AppHandle, label: &str) -> tauri::Result<MenuItem<Wry>> {
    MenuItem::with_id(handle, QUIT, label, true, Some("Cmd+Q"))
}

/// A label in which & means itself, and not the letter after it.
fn as_it_is(label: &str) -> String {
    label.replace('&', "&&")
}

/// Tells the page what was chosen. Quitting closes the window as its button does; with its last window the program ends.
pub(crate) fn chosen(handle: &AppHandle, event: &MenuEvent) {
    if event.id().0 != QUIT {
        let id = event.id().0.clone();
        if let Err(error) = BackEndEvent(Event::MenuChosen(MenuChosen { id })).emit(handle) {
            tracing::warn!("what was chosen in the menu did not reach the window: {error}");
        }
        return;
    }
    match handle.get_webview_window("main") {
        Some(window) => {
            let _ = window.close(); // Where it cannot be closed it stays, with all that is in it.
        }
        None => handle.exit(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use SystemItem::{About, Hide, HideOthers, Quit, Services, ShowAll};
    use std::collections::HashSet;

    /// What the page hands over in English, as its own test keeps it.
    const BAR: &str = include_str!("../../tests/fixtures/menu-bar.json");

    #[test]
    fn the_menus_of_the_page_have_what_a_mac_expects() {
        let bar: MenuBar = serde_json::from_str(BAR).unwrap();
        let roles: Vec<_> = bar.menus.iter().map(|menu| menu.role).filter(|&role| role != MenuRole::Plain).collect();
        assert_eq!(roles, [MenuRole::Window, MenuRole::Help]);
        assert_eq!(bar.menus.last().map(|menu| menu.role), Some(MenuRole::Help));

        let of_system = |menu: &BarMenu| {
            let items = menu.items.iter();
            items.filter_map(|item| if let BarItem::System { item, .. } = item { Some(*item) } else { None }).collect()
        };
        let own: Vec<SystemItem> = of_system(&bar.menus[0]);
        assert_eq!(own, [About, Services, Hide, HideOthers, ShowAll, Quit]);
        let all: Vec<SystemItem> = bar.menus.iter().flat_map(|menu| -> Vec<_> { of_system(menu) }).collect();
        assert_eq!(all.len(), all.iter().collect::<HashSet<_>>().len(), "each once: {all:?}");
        assert_eq!(all.len(), 13, "{all:?}");
        assert!(bar.actions().all(|action| action.id != QUIT));
    }

    #[test]
    fn the_keys_of_the_page_are_keys_of_a_menu() {
        let bar: MenuBar = serde_json::from_str(BAR).unwrap();
        let mut taken = HashSet::new();
        for action in bar.actions().filter(|action| action.keys.is_some()) {
            let keys = action.accelerator().unwrap_or_else(|| panic!("{action:?}"));
            assert!(keys.parse::<muda::accelerator::Accelerator>().is_ok(), "{keys}");
            assert!(taken.insert(keys.clone()), "{keys} twice");
        }
        let keys =
            |id: &str| bar.actions().find(|action| action.id == id).and_then(honinbo_api::BarAction::accelerator);
        for (id, expected) in [
            ("settings", "Cmd+,"),
            ("newGame", "Cmd+N"),
            ("openFile", "Cmd+O"),
            ("save", "Cmd+S"),
            ("saveAs", "Cmd+Shift+S"),
            ("closeGame", "Cmd+W"),
            ("undo", "Cmd+Z"),
            ("redo", "Cmd+Shift+Z"),
            ("fullScreen", "Cmd+Ctrl+F"),
        ] {
            assert_eq!(keys(id).as_deref(), Some(expected), "{id}");
        }
    }

    #[test]
    fn a_label_says_what_it_says() {
        assert_eq!(as_it_is("Black & White"), "Black && White");
    }
}
