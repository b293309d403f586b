//! Where a server with rooms keeps them: options, and `[store]` in `settings.toml`.

use crate::failure::Failure;
use crate::secret_file::read;
use crate::settings_table::settings_table;
use clap::Args as ClapArgs;
use honinbo_library::{PostgresAddress, StoreError, StorePlace};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The address, where no option names it.
const ADDRESS_VARIABLE: &str = "HONINBO_STORE";
/// The password, where no file holds it.
const PASSWORD_VARIABLE: &str = "HONINBO_STORE_PASSWORD";
/// The table in the settings.
const TABLE: &str = "store";
/// Accounts and rooms in the data folder, where no database is named.
const ROOMS_FILE: &str = "server.sqlite";

/// Where accounts, rooms and games are kept.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct StoreOption {
    /// The database's address.
    // An address and brackets would be links to rustdoc.
    #[arg(
        help = "Keep accounts and rooms in this PostgreSQL database, such as postgres://go@db.example.org/go [default: the variable HONINBO_STORE, or [store] of the settings, otherwise a file in the data folder]"
    )]
    #[arg(long = "store", value_name = "URL", value_parser = Unread::take, requires = "rooms")]
    store: Option<Unread>,
    /// A file with the database's password [default: the variable HONINBO_STORE_PASSWORD, or the address's own]
    #[arg(long = "store-password-file", value_name = "FILE", requires = "rooms")]
    store_password_file: Option<PathBuf>,
    /// The certificates of the only authorities that the database's certificate may be of (PEM) [default: the system's]
    #[arg(long = "store-ca", value_name = "FILE", requires = "rooms")]
    store_ca: Option<PathBuf>,
    /// Where other servers of the same database reach this one [default: any port of 127.0.0.1, for servers on
    /// one machine]
    #[arg(long, value_name = "ADDRESS", requires = "rooms")]
    pub(crate) peers: Option<String>,
}

/// An address as it was given. It is understood later: wrong arguments are printed with their values, and this one may have
/// a password in it.
#[derive(Clone)]
pub(crate) struct Unread(String);

impl Unread {
    pub(crate) fn take(text: &str) -> Result<Self, std::convert::Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl std::fmt::Debug for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Unread")
    }
}

/// What was said in the settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    address: String,
    password_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
}

/// A store that is named by its file or by the address of its database.
pub(crate) fn place(
    given: &Unread,
    password_file: Option<&Path>,
    ca_file: Option<&Path>,
) -> Result<StorePlace, Failure> {
    if !given.0.contains("://") {
        return Ok(StorePlace::File(PathBuf::from(&given.0)));
    }
    complete(address(&given.0)?, password_file, ca_file, std::env::var(PASSWORD_VARIABLE).ok().as_deref())
}

fn address(text: &str) -> Result<PostgresAddress, Failure> {
    text.parse().map_err(Failure::from)
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl StoreOption {
    /// The place that was named, on the command line or in the settings of the data folder; otherwise a file there.
    pub(crate) fn get(&self, data: &Path) -> Result<StorePlace, Failure> {
        let variable = std::env::var(PASSWORD_VARIABLE).ok();
        let (password_file, ca_file) = (self.store_password_file.as_deref(), self.store_ca.as_deref());
        let named = self.store.as_ref().map(|given| given.0.clone()).or_else(|| std::env::var(ADDRESS_VARIABLE).ok());
        if let Some(named) = named.filter(|named| !named.is_empty()) {
            return complete(address(&named)?, password_file, ca_file, variable.as_deref());
        }
        match settings_table::<Said>(data, TABLE)? {
            Some(said) => {
                let address = address(&said.address)?;
                let password_file = password_file.or(said.password_file.as_deref());
                complete(address, password_file, ca_file.or(said.ca_file.as_deref()), variable.as_deref())
            }
            // Servers share a database; each file is one server's alone.
            None if self.peers.is_some() => {
                Err(Failure::Usage("--peers needs a database: name it with --store".into()))
            }
            None => Ok(StorePlace::File(data.join(ROOMS_FILE))),
        }
    }
}

fn complete(
    mut address: PostgresAddress,
    password_file: Option<&Path>,
    ca_file: Option<&Path>,
    variable: Option<&str>,
) -> Result<StorePlace, Failure> {
    let password = match password_file {
        Some(path) => {
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            let first = text.lines().next().unwrap_or_default().trim_end().to_owned();
            if first.is_empty() {
                let message = format!("{} holds no password in its first line", path.display());
                return Err(Failure::new(message, "name another file"));
            }
            Some(first)
        }
        None => variable.filter(|text| !text.is_empty()).map(str::to_owned),
    };
    if let Some(password) = password {
        address = address.with_password(&password);
    }
    if let Some(path) = ca_file {
        address = address.with_authorities(&read(path)?).map_err(Failure::from)?;
    }
    Ok(StorePlace::Postgres(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(settings: &str) -> Result<StorePlace, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("password"), "hidden\n").unwrap();
        let text = settings.replace('$', &folder.path().display().to_string());
        std::fs::write(folder.path().join("settings.toml"), text).unwrap();
        StoreOption::default().get(folder.path()).map_err(|failure| failure.line())
    }

    #[test]
    fn the_store_is_a_file_unless_a_database_is_named() {
        assert!(matches!(place("language = \"ja\"\n"), Ok(StorePlace::File(path)) if path.ends_with(ROOMS_FILE)));
        let named = place("[store]\naddress = \"postgres://go@127.0.0.1/go\"\npassword_file = '$/password'\n").unwrap();
        let StorePlace::Postgres(address) = &named else { panic!("{named:?}") };
        assert_eq!(address.to_string(), "127.0.0.1:5432/go");
        assert!(!format!("{named:?}").contains("hidden"));
    }

    #[test]
    fn other_servers_need_a_database() {
        let folder = tempfile::tempdir().unwrap();
        let with_peers = StoreOption { peers: Some("127.0.0.1:0".into()), ..StoreOption::default() };
        let refused = with_peers.get(folder.path()).unwrap_err();
        assert_eq!((refused.status(), refused.line().contains("--store")), (2, true), "{}", refused.line());
        std::fs::write(folder.path().join("settings.toml"), "[store]\naddress = \"postgres://go@db/go\"\n").unwrap();
        assert!(matches!(with_peers.get(folder.path()), Ok(StorePlace::Postgres(_))));
    }

    #[test]
    fn what_cannot_be_used_is_said_without_the_password() {
        for (settings, said) in [
            ("[store]\naddress = \"go:hidden@db/go\"\n", "postgres://"),
            ("[store]\naddress = \"postgres://go:hidden@db:x/go\"\n", "not understood"),
            ("[store]\naddress = \"postgres://db/go\"\ncolour = 1\n", "colour"),
            ("[store]\naddress = \"postgres://db/go\"\npassword_file = '$/nothing'\n", "nothing"),
            ("[store]\naddress = \"postgres://db/go\"\nca_file = '$/password'\n", "certificate"),
        ] {
            let error = place(settings).unwrap_err();
            assert!(error.contains(said) && !error.contains("hidden"), "{settings}: {error}");
        }
    }
}
