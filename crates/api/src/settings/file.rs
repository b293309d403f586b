//! `settings.toml`: what a person chose, kept.

use crate::Settings;
use crate::quick::waits_for_disk;
use crate::settings::types::merged_windows;
use honinbo_remote::{Authorities, Endpoint, RemoteOptions, Token};
use parking_lot::{Mutex, MutexGuard};
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The settings and the file they are kept in.
///
/// What the file holds beside the settings known here is left as it is, so that an older program does not take from a
/// newer one.
#[derive(Debug)]
pub(crate) struct SettingsFile {
    path: PathBuf,
    settings: Mutex<Settings>,
    /// The settings as this program last read or wrote them there; what is otherwise in the file came from another one.
    /// Held while it is written, so that writers take turns. Who reads settings waits for none.
    in_file: Mutex<Settings>,
    /// What was wrong with the file when the program started, in a sentence.
    notice: Option<String>,
    /// The servers of `[inference]`, as the file named them when the program started. No window can change them.
    inference: Option<RemoteOptions>,
}

impl SettingsFile {
    /// Reads the file in `data_dir`. A file that is not there is an empty one, and one that cannot be read counts as such;
    /// one that cannot be understood gets another name where it may be set aside.
    pub(crate) fn open(data_dir: &Path, may_set_aside: bool) -> Self {
        let path = data_dir.join("settings.toml");
        let mut notice = None;
        let aside = path.with_extension("toml.unreadable");
        let table = match read(&path) {
            Ok(Some(table)) => table,
            Ok(None) => {
                if aside.exists() {
                    notice = Some(format!(
                        "the settings could not be read and are set aside as {}; the defaults are used until they are mended \
                         and called settings.toml again",
                        aside.display()
                    ));
                }
                Table::new()
            }
            Err(unread) => {
                let is_broken = matches!(unread, Unread::NotToml(_));
                let now = if is_broken && may_set_aside { crate::disk::set_aside(&path, &aside) } else { path.clone() };
                let moved = if now == path { String::new() } else { format!(", the file is now {}", now.display()) };
                let file = path.display();
                notice =
                    Some(format!("the settings in {file} cannot be read ({unread}); the defaults are used{moved}"));
                Table::new()
            }
        };
        let settings = understand(&table);
        let inference = inference_of(&table).unwrap_or_else(|reason| {
            notice = Some(format!("[inference] in {} is not used: {reason}", path.display()));
            None
        });
        let in_file = Mutex::new(settings.clone());
        Self { path, settings: Mutex::new(settings), in_file, notice, inference }
    }

    /// The inference servers that the file names.
    pub(crate) fn inference(&self) -> Option<&RemoteOptions> {
        self.inference.as_ref()
    }

    /// What was wrong with the file when the program started.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Where they are kept.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The settings.
    pub(crate) fn get(&self) -> Settings {
        self.settings.lock().clone()
    }

    /// Waits until nobody else changes the settings, and keeps others from it.
    pub(crate) fn begin(&self) -> SettingsWriter<'_> {
        waits_for_disk();
        SettingsWriter { file: self, in_file: self.in_file.lock() }
    }
}

/// The right to change the settings.
pub(crate) struct SettingsWriter<'f> {
    file: &'f SettingsFile,
    in_file: MutexGuard<'f, Settings>,
}

impl SettingsWriter<'_> {
    /// Keeps new settings: in memory at once, on disk by replacing the file in one step. What another program wrote there
    /// and is not changed here stays, and a file that cannot be read is not written over.
    pub(crate) fn set(
        &mut self,
        settings: Settings,
        write: impl FnOnce(&Path, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        *self.file.settings.lock() = settings.clone();
        if let Some(folder) = self.file.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let _others = match crate::disk::lock(&self.file.path.with_extension("lock")) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
            lock => Some(lock?),
        };
        let mut table = read(&self.file.path)
            .map_err(|unread| io::Error::other(format!("what it says now cannot be read ({unread})")))?
            .unwrap_or_default();
        let before = table_of(&self.in_file);
        for (key, value) in table_of(&settings).into_iter().filter(|(key, value)| before.get(key) != Some(value)) {
            let value = match (key.as_str(), table.get(&key).and_then(Value::as_str)) {
                ("window", Some(theirs)) => merged_windows(theirs, &self.in_file.window, &settings.window).into(),
                _ => value,
            };
            table.insert(key, value);
        }
        write(&self.file.path, table.to_string().as_bytes())?;
        *self.in_file = settings;
        Ok(())
    }
}

fn table_of(settings: &Settings) -> Table {
    Table::try_from(settings).unwrap_or_default()
}

/// Why nobody knows what the file says.
#[derive(Debug, thiserror::Error)]
enum Unread {
    /// It is no table, or no text at all.
    #[error("{0}")]
    NotToml(String),
    /// The system does not let it be read: it may be whole.
    #[error("{0}")]
    Io(io::Error),
}

/// What the file says; `None` where it is not there.
fn read(path: &Path) -> Result<Option<Table>, Unread> {
    match std::fs::read_to_string(path) {
        Ok(text) => text
            .parse::<Table>()
            .map(Some)
            .map_err(|error: toml::de::Error| Unread::NotToml(error.message().to_owned())),
        // Of a folder that is a file something is said elsewhere.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Unread::NotToml("it is not UTF-8".into())),
        Err(error) => Err(Unread::Io(error)),
    }
}

/// The table `[inference]`: `servers` (a list of addresses), `model`, `token_file` and `ca_file`, where they are not the
/// usual.
fn inference_of(table: &Table) -> Result<Option<RemoteOptions>, String> {
    let Some(table) = table.get("inference") else { return Ok(None) };
    let text = |key: &str| match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("{key} is no text")),
    };
    let servers = table.get("servers").and_then(Value::as_array).ok_or("servers is no list of addresses")?;
    let address = |server: &Value| -> Result<Endpoint, String> {
        let address = server.as_str().ok_or("servers is no list of addresses")?;
        address.parse().map_err(|error: honinbo_remote::AddressError| format!("{error}; {}", error.hint()))
    };
    let mut options = RemoteOptions::new(servers.iter().map(address).collect::<Result<_, _>>()?);
    if let Some(model) = text("model")? {
        options.model = model.to_owned();
    }
    if let Some(path) = text("token_file")? {
        options.token = Some(Token::from_file(Path::new(path)).map_err(|error| error.to_string())?);
    }
    if let Some(path) = text("ca_file")? {
        options.authorities = Authorities::from_file(Path::new(path)).map_err(|error| error.to_string())?;
    }
    options.check().map_err(|error| format!("{error}; {}", error.hint()))?;
    Ok(Some(options))
}

/// Takes every entry that has the right type; each other has its default.
fn understand(table: &Table) -> Settings {
    let mut best = table_of(&Settings::default());
    for (key, given) in table {
        if best.get(key).is_some_and(|usual| usual.same_type(given)) {
            let mut with = best.clone();
            with.insert(key.clone(), given.clone());
            // A word that means nothing costs its own entry and not the others.
            if Value::Table(with.clone()).try_into::<Settings>().is_ok() {
                best = with;
            }
        }
    }
    Value::Table(best).try_into().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_unknown_entries_stay() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("settings.toml"),
            "language = \"zh-Hans\"\nfuture = 3\nvisits = \"x\"\nprecision = \"x\"\n",
        )
        .unwrap();
        let file = SettingsFile::open(folder.path(), true);
        assert_eq!(file.notice(), None);
        assert_eq!(file.get().language, "zh-Hans");
        assert_eq!(file.get().visits, 0, "a value of the wrong type has its default");

        file.begin().set(Settings { threads: 2, ..file.get() }, crate::disk::replace).unwrap();
        let text = std::fs::read_to_string(folder.path().join("settings.toml")).unwrap();
        assert!(text.contains("future = 3"), "{text}");
        let again = SettingsFile::open(folder.path(), true);
        assert_eq!((again.get().threads, again.get().language.as_str()), (2, "zh-Hans"));
    }

    #[test]
    fn an_unreadable_file_is_set_aside_with_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("settings.toml"), "language = [").unwrap();
        let file = SettingsFile::open(folder.path(), true);
        assert_eq!(file.get(), Settings::default());
        assert!(file.notice().unwrap().contains("cannot be read"));
        assert!(folder.path().join("settings.toml.unreadable").exists());
    }

    #[test]
    fn a_file_is_left_where_it_may_not_be_set_aside_and_is_spoken_of_once_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, "language = [").unwrap();
        let file = SettingsFile::open(folder.path(), false);
        assert!(file.notice().unwrap().contains("cannot be read"));
        assert!(path.exists());
        drop(SettingsFile::open(folder.path(), true));
        assert!(!path.exists());
        for may_set_aside in [false, true] {
            let file = SettingsFile::open(folder.path(), may_set_aside);
            assert!(file.notice().unwrap().contains("settings.toml.unreadable"));
        }
        std::fs::write(&path, "language = \"ja\"\n").unwrap();
        assert_eq!(SettingsFile::open(folder.path(), true).notice(), None);
    }

    #[test]
    fn a_file_in_another_encoding_is_set_aside_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let utf16: Vec<u8> = "\u{feff}language = \"ja\"".encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(&path, &utf16).unwrap();
        let file = SettingsFile::open(folder.path(), true);
        assert!(file.notice().unwrap().contains("it is not UTF-8"));
        file.begin().set(Settings { visits: 7, ..file.get() }, crate::disk::replace).unwrap();
        assert_eq!(std::fs::read(folder.path().join("settings.toml.unreadable")).unwrap(), utf16);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        // What no system reads as a file.
        std::fs::create_dir(&path).unwrap();
        let file = SettingsFile::open(folder.path(), true);
        assert!(file.notice().unwrap().contains("cannot be read"));
        assert!(path.is_dir(), "it stays where it is");
        let change = |visits, write: fn(&Path, &[u8]) -> io::Result<()>| {
            file.begin().set(Settings { visits, ..Settings::default() }, write)
        };
        let refused = change(7, |_, _| panic!("it was written over"));
        assert!(refused.unwrap_err().to_string().contains("cannot be read"));

        // Damaged while the program ran, and mended.
        std::fs::remove_dir(&path).unwrap();
        std::fs::write(&path, "language = [").unwrap();
        assert!(change(8, |_, _| panic!("it was written over")).is_err());
        std::fs::write(&path, "language = \"ja\"\nfuture = 3\n").unwrap();
        change(9, crate::disk::replace).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("future = 3") && text.contains("visits = 9"), "{text}");
    }

    #[test]
    fn two_programs_change_settings_and_none_takes_from_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let one = SettingsFile::open(folder.path(), true);
        let other = SettingsFile::open(folder.path(), true);
        let change = |file: &SettingsFile, settings| file.begin().set(settings, crate::disk::replace).unwrap();
        change(&one, Settings { visits: 7, window: r#"{"a":1,"b":1}"#.into(), ..one.get() });
        change(&other, Settings { language: "ja".into(), window: r#"{"b":2,"c":3}"#.into(), ..other.get() });
        let both = SettingsFile::open(folder.path(), true).get();
        assert_eq!((both.visits, both.language.as_str(), both.window.as_str()), (7, "ja", r#"{"a":1,"b":2,"c":3}"#));

        // What could not be written comes with what can.
        let full = |_: &Path, _: &[u8]| Err(io::ErrorKind::StorageFull.into());
        assert!(one.begin().set(Settings { threads: 3, ..one.get() }, full).is_err());
        change(&one, Settings { visits: 9, ..one.get() });
        let both = SettingsFile::open(folder.path(), true).get();
        assert_eq!((both.visits, both.threads, both.language.as_str()), (9, 3, "ja"));
    }

    #[test]
    fn settings_wait_for_another_program_that_writes_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::open(folder.path(), true);
        let theirs = crate::disk::lock(&folder.path().join("settings.lock")).unwrap();
        std::thread::scope(|scope| {
            let written = scope.spawn(|| file.begin().set(Settings { visits: 7, ..file.get() }, crate::disk::replace));
            std::thread::sleep(std::time::Duration::from_millis(200));
            std::fs::write(folder.path().join("settings.toml"), "language = \"ja\"\n").unwrap();
            drop(theirs);
            written.join().unwrap().unwrap();
        });
        let both = SettingsFile::open(folder.path(), true).get();
        assert_eq!((both.visits, both.language.as_str()), (7, "ja"));
    }

    #[test]
    fn inference_servers_are_named_in_the_file_and_outlive_changes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let token = folder.path().join("token");
        std::fs::write(&token, "very-secret\n").unwrap();
        let text = format!(
            "[inference]\nservers = [\"https://gpu-1.example\", \"http://127.0.0.1\"]\nmodel = \"go\"\ntoken_file = {:?}\n",
            token.display().to_string()
        );
        std::fs::write(&path, text).unwrap();
        let file = SettingsFile::open(folder.path(), true);
        assert_eq!(file.notice(), None);
        let servers = file.inference().unwrap();
        assert_eq!((servers.endpoints.len(), servers.model.as_str()), (2, "go"));
        assert_eq!(servers.token, Token::new("very-secret"));
        file.begin()
            .set(Settings { visits: 7, ..Settings::default() }, |path, bytes| std::fs::write(path, bytes))
            .unwrap();
        assert_eq!(SettingsFile::open(folder.path(), true).inference(), Some(servers));
    }

    #[test]
    fn inference_servers_that_cannot_be_used_are_left_out_with_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let token = folder.path().join("token");
        std::fs::write(&token, "very-secret").unwrap();
        let in_the_clear = format!("servers = [\"http://gpu\"]\ntoken_file = {:?}", token.display().to_string());
        for (entries, word) in [
            ("", "servers is no list"),
            ("servers = []", "no inference server is named"),
            ("servers = [\"gpu\"]", "is not the address of an inference server"),
            ("servers = [\"http://gpu\"]\nmodel = \"../x\"", "cannot be the name of a model"),
            ("servers = [\"http://gpu\"]\ntoken_file = \"/nowhere/token\"", "cannot be read"),
            (&in_the_clear, "would travel unencrypted"),
        ] {
            std::fs::write(&path, format!("visits = 9\n[inference]\n{entries}\n")).unwrap();
            let file = SettingsFile::open(folder.path(), true);
            let notice = file.notice().unwrap();
            assert!(notice.contains(word) && !notice.contains("secret"), "{entries}: {notice}");
            assert_eq!((file.inference(), file.get().visits), (None, 9));
        }
    }
}
