//! By which OpenID Connect provider people log in to a server with rooms: options, and `[oidc]` in `settings.toml`.

use crate::failure::Failure;
use crate::secret_file::read;
use crate::settings_table::settings_table;
use clap::Args as ClapArgs;
use honinbo_oidc::{Issuer, Secret, Settings};
use honinbo_server::{OidcOptions, Registration};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The secret, where no file holds it.
const SECRET_VARIABLE: &str = "HONINBO_OIDC_CLIENT_SECRET";
/// The table in the settings.
const TABLE: &str = "oidc";
/// Longest name of a provider, in characters.
const MAX_NAME: usize = 60;

/// How people log in by a provider.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct OidcOption {
    /// The provider's address.
    // An address and brackets would be links to rustdoc.
    #[arg(
        help = "Let people log in by this OpenID Connect provider, such as https://id.example.org/realms/school [default: [oidc] of the settings]"
    )]
    #[arg(long = "oidc-issuer", value_name = "URL", requires_all = ["rooms", "oidc_client_id"])]
    oidc_issuer: Option<String>,
    /// What this server is called there
    #[arg(long = "oidc-client-id", value_name = "ID", requires = "oidc_issuer")]
    oidc_client_id: Option<String>,
    /// A file with the client's secret [default: the variable HONINBO_OIDC_CLIENT_SECRET]
    #[arg(long = "oidc-client-secret-file", value_name = "FILE", requires = "oidc_issuer")]
    oidc_client_secret_file: Option<PathBuf>,
    /// The certificates of the only authorities that the provider's certificate may be of (PEM) [default: the system's]
    #[arg(long = "oidc-ca", value_name = "FILE", requires = "oidc_issuer")]
    oidc_ca: Option<PathBuf>,
    /// What stands on the button [default: the provider's host]
    #[arg(long = "oidc-name", value_name = "NAME", requires = "oidc_issuer")]
    oidc_name: Option<String>,
    /// What is asked about a person [default: profile,email]
    #[arg(long = "oidc-scopes", value_name = "SCOPES", value_delimiter = ',', requires = "oidc_issuer")]
    oidc_scopes: Option<Vec<String>>,
    /// This server's address.
    #[arg(
        help = "How browsers write the address of this server, such as https://go.example.org [default: as they ask for it]"
    )]
    #[arg(long = "oidc-address", value_name = "URL", requires = "oidc_issuer")]
    oidc_address: Option<String>,
    /// Who gets an account that has none [default: as without the provider]
    #[arg(long = "oidc-new-people", value_name = "WHO", value_enum, requires = "oidc_issuer")]
    oidc_new_people: Option<NewPeople>,
    /// Let in only people whose verified e-mail address is of these domains
    #[arg(long = "oidc-domains", value_name = "DOMAINS", value_delimiter = ',', requires = "oidc_issuer")]
    oidc_domains: Vec<String>,
    /// Who is an operator: those whose claim has this value
    #[arg(long = "oidc-operator", value_name = "CLAIM=VALUE", requires = "oidc_issuer")]
    oidc_operator: Option<String>,
}

/// Who gets an account.
#[derive(Debug, Clone, Copy, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NewPeople {
    /// Everybody whom the provider lets in
    Open,
    /// Whoever has a code from you
    Invitation,
}

/// What was said, in either place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    issuer: String,
    client_id: String,
    client_secret_file: Option<PathBuf>,
    ca_file: Option<PathBuf>,
    name: Option<String>,
    scopes: Option<Vec<String>>,
    address: Option<String>,
    new_people: Option<NewPeople>,
    #[serde(default)]
    domains: Vec<String>,
    operator: Option<String>,
}

impl OidcOption {
    /// The provider that was named, on the command line or in the settings of the data folder.
    pub(crate) fn get(self, data: &Path) -> Result<Option<OidcOptions>, Failure> {
        let said = match (self.oidc_issuer, self.oidc_client_id) {
            (Some(issuer), Some(client_id)) => Some(Said {
                issuer,
                client_id,
                client_secret_file: self.oidc_client_secret_file,
                ca_file: self.oidc_ca,
                name: self.oidc_name,
                scopes: self.oidc_scopes,
                address: self.oidc_address,
                new_people: self.oidc_new_people,
                domains: self.oidc_domains,
                operator: self.oidc_operator,
            }),
            _ => settings_table(data, TABLE)?,
        };
        said.map(|said| said.understand(std::env::var(SECRET_VARIABLE).ok().as_deref())).transpose()
    }
}

impl Said {
    fn understand(self, variable: Option<&str>) -> Result<OidcOptions, Failure> {
        let issuer: Issuer = self
            .issuer
            .parse()
            .map_err(|error: honinbo_oidc::IssuerError| Failure::new(error.to_string(), error.hint()))?;
        let host = issuer.as_str().split('/').nth(2).unwrap_or_default().to_owned();
        let name = self.name.map_or(host, |name| name.trim().to_owned());
        if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
            return Err(Failure::new(
                format!("{name:?} cannot stand on a button"),
                format!("give a name of 1 to {MAX_NAME} characters"),
            ));
        }
        let mut provider = Settings::new(issuer, self.client_id);
        provider.client_secret = match (&self.client_secret_file, variable) {
            (Some(path), _) => {
                let text = read(path)?;
                let first = String::from_utf8_lossy(&text).lines().next().and_then(Secret::new);
                Some(first.ok_or_else(|| {
                    let message = format!("{} holds no secret in its first line", path.display());
                    Failure::new(message, "name another file")
                })?)
            }
            (None, Some(text)) => Secret::new(text),
            (None, None) => None,
        };
        if let Some(path) = &self.ca_file {
            provider.authorities = Settings::authorities_of(&read(path)?)
                .map_err(|error| Failure::new(format!("{} cannot be used: {error}", path.display()), error.hint()))?;
        }
        if let Some(scopes) = self.scopes {
            provider.scopes = scopes;
        }
        provider.check().map_err(|error| Failure::new(error.to_string(), error.hint()))?;
        let address = self.address.map(|address| own_address(&address)).transpose()?;
        let operator = self.operator.map(|operator| claim(&operator)).transpose()?;
        let domains = self.domains.iter().map(|domain| domain.trim().trim_start_matches('@').to_ascii_lowercase());
        let domains: Vec<String> = domains.collect();
        if domains.iter().any(String::is_empty) {
            return Err(Failure::new("a domain is empty", "write them as school.example.org"));
        }
        let new_people = self.new_people.map(|who| match who {
            NewPeople::Open => Registration::Open,
            NewPeople::Invitation => Registration::Invitation,
        });
        Ok(OidcOptions { provider, name, address, new_people, domains, operator })
    }
}

/// A scheme and a host, and nothing behind them.
fn own_address(text: &str) -> Result<String, Failure> {
    let bare = text.trim().trim_end_matches('/');
    let host = bare.strip_prefix("https://").or_else(|| bare.strip_prefix("http://")).unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
    if host.is_empty() || !host.chars().all(plain) {
        return Err(Failure::new(
            format!("{text:?} is not how browsers write this server's address"),
            "write it as https://go.example.org",
        ));
    }
    Ok(bare.to_owned())
}

fn claim(text: &str) -> Result<(String, String), Failure> {
    match text.split_once('=') {
        Some((claim, value)) if !claim.trim().is_empty() && !value.trim().is_empty() => {
            Ok((claim.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(Failure::new(format!("{text:?} names no claim and its value"), "write groups=go-operators, say")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str) -> Result<OidcOptions, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("settings.toml");
        std::fs::write(folder.path().join("secret"), "hidden\nmore").unwrap();
        let place = folder.path().display().to_string();
        std::fs::write(&file, format!("language = \"ja\"\n[oidc]\n{}", text.replace("$", &place))).unwrap();
        let said: Said = settings_table(folder.path(), TABLE).map_err(|failure| failure.line())?.unwrap();
        said.understand(Some("of the variable")).map_err(|failure| failure.line())
    }

    const LEAST: &str = "issuer = \"https://id.example/realms/a\"\nclient_id = \"go\"\n";

    #[test]
    fn the_settings_name_a_provider() {
        let least = section(LEAST).unwrap();
        assert_eq!((least.name.as_str(), least.new_people, least.address), ("id.example", None, None));
        assert_eq!(least.provider.scopes, ["profile", "email"]);
        assert!(least.provider.client_secret.is_some(), "of the variable");
        let whole = section(&format!(
            "{LEAST}client_secret_file = '$/secret'\nname = \"School\"\nscopes = [\"profile\"]\naddress = \"https://go.example/\"\n\
             new_people = \"invitation\"\ndomains = [\"@School.example\"]\noperator = \"groups=go-operators\"\n"
        ))
        .unwrap();
        assert_eq!((whole.name.as_str(), whole.new_people), ("School", Some(Registration::Invitation)));
        assert_eq!(
            (whole.address.as_deref(), whole.domains),
            (Some("https://go.example"), vec!["school.example".to_owned()])
        );
        assert_eq!(whole.operator, Some(("groups".into(), "go-operators".into())));
        assert!(!format!("{:?}", whole.provider).contains("hidden"));
    }

    #[test]
    fn what_cannot_be_used_is_said_with_what_to_do() {
        for (more, said) in [
            ("colour = 1\n", "colour"),
            ("new_people = \"all\"\n", "`open` or `invitation`"),
            ("address = \"https://go.example/path\"\n", "address"),
            ("address = \"go.example\"\n", "address"),
            ("operator = \"groups\"\n", "groups"),
            ("domains = [\"@\"]\n", "domain"),
            ("scopes = [\"two words\"]\n", "two words"),
            ("name = \" \"\n", "button"),
            ("client_secret_file = '$/nothing'\n", "nothing"),
            ("ca_file = '$/secret'\n", "secret"),
        ] {
            let error = section(&format!("{LEAST}{more}")).unwrap_err();
            assert!(error.contains(said) && !error.contains("hidden"), "{more}: {error}");
        }
        let plain = section("issuer = \"http://id.example\"\nclient_id = \"go\"\n").unwrap_err();
        assert!(plain.contains("https://"), "{plain}");
    }
}
