//! Menus as a window hands them to the system.

use crate::ApiError;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::HashSet;

/// Items of a menu bar that a window may ask for.
const MAX_ITEMS: usize = 300;

/// The menus of the system's menu bar, from left to right; the first one is the program's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MenuBar {
    /// The menus.
    pub menus: Vec<BarMenu>,
}

/// A menu of the menu bar.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BarMenu {
    /// What the system does with it.
    pub role: MenuRole,
    /// Its title, in the language of the window.
    pub label: String,
    /// Its items, from top to bottom.
    pub items: Vec<BarItem>,
}

/// What the system does with a menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum MenuRole {
    /// It shows it.
    Plain,
    /// It adds the list of windows.
    Window,
    /// It adds the search for menu items.
    Help,
}

/// An item of a menu.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum BarItem {
    /// The window does it.
    Action(BarAction),
    /// The system does it, by the keys that it has for it.
    System {
        /// What it does.
        item: SystemItem,
        /// What it is called.
        label: String,
    },
    /// A line between others.
    Separator,
}

/// An item that the window does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BarAction {
    /// By which the window knows it again.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Its keys, as the window writes them: `Mod+Shift+s`.
    pub keys: Option<String>,
    /// It does something now.
    pub enabled: bool,
}

/// What the system does by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum SystemItem {
    /// Tells the program's name and version.
    About,
    /// The services of other programs.
    Services,
    /// Hides the program.
    Hide,
    /// Hides all other programs.
    HideOthers,
    /// Shows what was hidden.
    ShowAll,
    /// Ends the program as the button of its window does.
    Quit,
    /// Cuts what is selected in a text.
    Cut,
    /// Copies what is selected.
    Copy,
    /// Pastes.
    Paste,
    /// Selects the whole text.
    SelectAll,
    /// Puts the window into the dock.
    Minimize,
    /// Makes the window as large as is of use, and back.
    Zoom,
    /// Brings all windows of the program to the front.
    BringAllToFront,
}

/// A menu item of the window's was chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MenuChosen {
    /// Its id in the [`MenuBar`].
    pub id: String,
}

impl MenuBar {
    /// All items that the window does.
    pub fn actions(&self) -> impl Iterator<Item = &BarAction> {
        let items = self.menus.iter().flat_map(|menu| &menu.items);
        items.filter_map(|item| if let BarItem::Action(action) = item { Some(action) } else { None })
    }

    /// What alone is different from `before`: whether these items do something now. `None` where anything else is.
    pub fn only_enabled_since<'a>(&'a self, before: &Self) -> Option<Vec<&'a BarAction>> {
        let mut as_before = self.clone();
        let items = as_before.menus.iter_mut().flat_map(|menu| &mut menu.items);
        let actions = items.filter_map(|item| if let BarItem::Action(action) = item { Some(action) } else { None });
        for (action, old) in actions.zip(before.actions()) {
            action.enabled = old.enabled;
        }
        let changed = self.actions().zip(before.actions()).filter(|(now, old)| now.enabled != old.enabled);
        (as_before == *before).then(|| changed.map(|(now, _)| now).collect())
    }

    /// # Errors
    /// [`ApiError::InvalidRequest`] for menus that cannot be shown.
    pub(crate) fn check(&self) -> Result<(), ApiError> {
        let invalid = |message| Err(ApiError::InvalidRequest { message });
        if self.menus.iter().map(|menu| menu.items.len()).sum::<usize>() > MAX_ITEMS {
            return invalid(format!("a menu bar has {MAX_ITEMS} items at most"));
        }
        let mut ids = HashSet::new();
        match self.actions().find(|action| !ids.insert(&action.id)) {
            Some(twice) => invalid(format!("the menu item {:?} is there twice", twice.id)),
            None => Ok(()),
        }
    }
}

impl BarAction {
    /// Its keys as Tauri reads them: `Cmd+Shift+S`; `None` where it has none, or keys that a menu cannot show.
    pub fn accelerator(&self) -> Option<String> {
        let (held, key) = self.keys.as_deref()?.rsplit_once('+').map_or(("", self.keys.as_deref()?), |split| split);
        let named = ["Space", "Enter", "Delete", "Home", "End", "PageUp", "PageDown"].contains(&key)
            || ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].contains(&key)
            || key.strip_prefix('F').is_some_and(|number| matches!(number.parse::<u8>(), Ok(1..=20)));
        let is_sign = key.len() == 1 && (key.as_bytes()[0].is_ascii_alphanumeric() || r",-./;=[\]'`".contains(key));
        if !named && !is_sign {
            return None;
        }
        let mut parts = Vec::new();
        for modifier in held.split('+').filter(|_| !held.is_empty()) {
            parts.push(match modifier {
                "Mod" => "Cmd",
                "Other" => "Ctrl",
                "Alt" | "Shift" => modifier,
                _ => return None,
            });
        }
        let key = if is_sign { key.to_uppercase() } else { key.to_owned() };
        parts.push(&key);
        Some(parts.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(id: &str, keys: Option<&str>, enabled: bool) -> BarItem {
        let keys = keys.map(str::to_owned);
        BarItem::Action(BarAction { id: id.into(), label: id.to_uppercase(), keys, enabled })
    }

    fn bar(items: Vec<BarItem>) -> MenuBar {
        MenuBar { menus: vec![BarMenu { role: MenuRole::Plain, label: "File".into(), items }] }
    }

    #[test]
    fn keys_are_written_as_a_mac_shows_them() {
        let accelerator = |keys: &str| {
            let BarItem::Action(action) = action("a", Some(keys), true) else { unreachable!() };
            action.accelerator()
        };
        for (keys, shown) in [
            ("Mod+n", "Cmd+N"),
            ("Mod+Shift+s", "Cmd+Shift+S"),
            ("Mod+Other+f", "Cmd+Ctrl+F"),
            ("Alt+ArrowUp", "Alt+ArrowUp"),
            ("Mod+,", "Cmd+,"),
            ("F1", "F1"),
        ] {
            assert_eq!(accelerator(keys).as_deref(), Some(shown));
        }
        for keys in ["", "Mod+", "Mod++", "Mod+ö", "Hyper+a", "Mod+Process", "F21", "F0"] {
            assert_eq!(accelerator(keys), None, "{keys}");
        }
    }

    #[test]
    fn what_can_be_done_changes_without_new_menus() {
        let menus =
            |save, undo| bar(vec![action("save", Some("Mod+s"), save), BarItem::Separator, action("undo", None, undo)]);
        let changed = |now: &MenuBar, before: &MenuBar| {
            let changed = now.only_enabled_since(before)?;
            Some(changed.into_iter().map(|action| (action.id.clone(), action.enabled)).collect::<Vec<_>>())
        };
        let before = menus(true, false);
        assert_eq!(changed(&before, &before), Some(vec![]));
        assert_eq!(changed(&menus(false, false), &before), Some(vec![("save".into(), false)]));
        let others = [bar(vec![action("save", Some("Mod+s"), true)]), bar(vec![]), MenuBar { menus: vec![] }];
        for other in others {
            assert_eq!((changed(&other, &before), changed(&before, &other)), (None, None));
        }
        let translated = serde_json::json!({"menus": [{"role": "plain", "label": "文件", "items": []}]});
        assert_eq!(changed(&serde_json::from_value(translated).unwrap(), &bar(vec![])), None);
    }

    #[test]
    fn an_item_that_is_there_twice_and_too_many_of_them_are_refused() {
        let refused = |items| bar(items).check().unwrap_err().to_string();
        assert_eq!(
            refused(vec![action("a", None, true), action("a", None, true)]),
            "the menu item \"a\" is there twice"
        );
        assert_eq!(refused(vec![BarItem::Separator; MAX_ITEMS + 1]), "a menu bar has 300 items at most");
        assert_eq!(bar(vec![action("a", None, true), action("b", None, true)]).check(), Ok(()));
    }
}
