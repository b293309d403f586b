//! The commands of `honinbo_api`, as Tauri commands; made from its one list.

use honinbo_api::*;
use std::sync::Arc;
use tauri::State;
use tauri::async_runtime::Mutex;
use tauri_specta::{Builder, collect_commands, collect_events};

/// What the commands of the window work on.
pub(crate) struct Desktop {
    /// The back end.
    pub(crate) app: Arc<App>,
    client: Client,
    /// Whose turn it is among the quick commands.
    turn: Mutex<()>,
}

impl Desktop {
    pub(crate) fn new(app: Arc<App>) -> Self {
        Self { app, client: Client::new(), turn: Mutex::default() }
    }

    /// Gives a command on a thread that may block, when its turn has come: quick ones one after the other, long ones
    /// beside them, and what ends others at once.
    async fn give<T: Send + 'static>(
        self: Arc<Self>,
        name: &'static str,
        command: impl FnOnce(&App, &Caller) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let pace = Pace::of(name);
        let caller = self.client.begin(pace);
        let turn = match pace {
            Pace::Quick => Some(self.turn.lock().await),
            Pace::Long(_) => {
                drop(self.turn.lock().await);
                None
            }
            Pace::Cancels(_) => None,
        };
        let app = Arc::clone(&self.app);
        let answer = tauri::async_runtime::spawn_blocking(move || command(&app, &caller)).await;
        drop(turn);
        answer.unwrap_or_else(|panicked| Err(fault(name, &panicked)))
    }
}

/// An event of the back end.
#[derive(Debug, Clone, serde::Serialize, specta::Type, tauri_specta::Event)]
pub(crate) struct BackEndEvent(pub(crate) Event);

macro_rules! tauri_commands {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident: $arguments:ty => $answer:ty,
        $pace:ident $([$($work:ident),*])?,
        changes [$($change:ident),*],
        people $permission:ident;
    )*) => {
        $(
            $(#[doc = $doc])*
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name(desktop: State<'_, Arc<Desktop>>, args: $arguments) -> Result<$answer, ApiError> {
                let desktop = Arc::clone(&desktop);
                desktop.give(stringify!($name), move |app, caller| commands::$name(app, caller, args)).await
            }
        )*

        /// Every command and event with its types.
        pub(crate) fn builder() -> Builder<tauri::Wry> {
            Builder::<tauri::Wry>::new()
                // One type each: what is optional on the way in is written as optional on the way out too.
                .disable_serde_phases()
                .commands(collect_commands![$($name),*])
                .events(collect_events![BackEndEvent])
        }

        /// Every command with what it takes and what it answers, as their types are called.
        #[cfg(test)]
        const SIGNATURES: &[(&str, &str, &str)] = &[$((stringify!($name), stringify!($arguments), stringify!($answer))),*];
    };
}

for_each_command!(tauri_commands);

/// A handler that panicked: the log has the panic, the window gets its number.
fn fault(command: &str, panicked: &tauri::Error) -> ApiError {
    let report = format!("{command}-{:x}", std::process::id());
    tracing::error!(report, "a command panicked: {panicked}");
    ApiError::Internal { report }
}

#[cfg(test)]
mod tests {
    use super::*;
    use specta_typescript::Typescript;

    const CAPABILITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/capabilities/main.toml");
    const BINDINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../ui/src/api/bindings.ts");

    /// The types and commands as TypeScript. The table at the end is for callers that are not the desktop window.
    fn typescript() -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bindings.ts");
        let header = "// Written by `scripts/bindings` from crates/api; never edited by hand.\n/* eslint-disable */\n";
        builder().export(Typescript::default().header(header), &file).unwrap();
        let mut text = std::fs::read_to_string(file).unwrap();
        text += "\n/** Every command by its name on the wire, with what it takes and what it answers. */\n";
        text += "export interface Commands {\n";
        for (name, arguments, answer) in SIGNATURES {
            let answer: String = answer.split_whitespace().collect();
            let inside = |outer: &str| answer.strip_prefix(outer).and_then(|rest| rest.strip_suffix('>'));
            let answer = match (inside("Vec<"), inside("Option<")) {
                _ if answer == "()" => "null".to_owned(),
                (Some(one), _) => format!("{one}[]"),
                (_, Some(one)) => format!("{one} | null"),
                _ => answer,
            };
            text += &format!("\t{name}: [{arguments}, {answer}]\n");
        }
        text += "}\n\n/** The kinds of files that records come in, from the back end's own table. */\nexport const FILE_KINDS = [\n";
        for kind in FILE_KINDS {
            let FileKind { name, extensions, mime_type, packed } = kind;
            text += &format!("\t{{ name: {name:?}, extensions: {extensions:?}, mimeType: {mime_type:?}, ");
            text += &format!("packed: {packed} }},\n");
        }
        text + "] as const\n"
    }

    /// Writes the file instead of comparing it when `HONINBO_WRITE_BINDINGS=1` is set.
    #[test]
    fn the_bindings_of_the_interface_are_current() {
        let fresh = typescript();
        if std::env::var_os("HONINBO_WRITE_BINDINGS").is_some() {
            std::fs::write(BINDINGS, &fresh).unwrap();
        }
        let committed = std::fs::read_to_string(BINDINGS).unwrap_or_default();
        assert!(fresh == committed, "ui/src/api/bindings.ts is not what crates/api says: run scripts/bindings");
    }

    #[test]
    fn the_window_may_give_every_command_and_no_other() {
        const HEADING: &str = "  # The commands of crates/api, in its order; written by `scripts/bindings`.\n";
        let committed = std::fs::read_to_string(CAPABILITY).unwrap();
        let (before, _) = committed.split_once(HEADING).expect("the commands have a heading of their own");
        let granted: String = COMMANDS
            .iter()
            .map(|command| {
                format!("  # {}\n  \"allow-{}\",\n", command.documentation.trim(), command.name.replace('_', "-"))
            })
            .collect();
        let fresh = format!("{before}{HEADING}{granted}]\n");
        if std::env::var_os("HONINBO_WRITE_BINDINGS").is_some() {
            std::fs::write(CAPABILITY, &fresh).unwrap();
        }
        let committed = std::fs::read_to_string(CAPABILITY).unwrap();
        assert!(
            fresh == committed,
            "capabilities/main.toml does not grant what crates/api lists: run scripts/bindings"
        );
        assert!(!before.contains("\"allow-"), "other commands are granted above the list");
    }
}
