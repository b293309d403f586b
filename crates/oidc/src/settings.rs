//! How a provider is asked.

use crate::issuer::Issuer;
use std::fmt;
use std::time::Duration;
use ureq::tls::{Certificate, PemItem, parse_pem};

/// What proves to the provider that this server asks. Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret; `None` where nothing is left after blanks and line ends.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && !text.chars().any(char::is_control)).then(|| Self(text.to_owned()))
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How a provider is asked.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The provider.
    pub issuer: Issuer,
    /// What this server is called there.
    pub client_id: String,
    /// What it proves that with; a public client has none.
    pub client_secret: Option<Secret>,
    /// What is asked about a person, beside `openid`.
    pub scopes: Vec<String>,
    /// The only authorities whose certificates the provider may have; those that the system trusts where none is named.
    pub authorities: Vec<Certificate<'static>>,
    /// For each answer.
    pub patience: Duration,
}

/// Why a provider cannot be asked as it was described.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// It has no name for this server.
    #[error("the client id is empty")]
    ClientId,
    /// A scope is not one word.
    #[error("{scope:?} is no scope")]
    Scope {
        /// What was given.
        scope: String,
    },
    /// A file of authorities without one.
    #[error("there is no certificate in it: {reason}")]
    NoAuthority {
        /// What is wrong with it.
        reason: String,
    },
}

impl SettingsError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::ClientId => "give the client id that the provider has for this server",
            Self::Scope { .. } => "scopes are words such as profile and email, with blanks between them",
            Self::NoAuthority { .. } => "give the certificates of the authority as PEM",
        }
    }
}

impl Settings {
    /// This provider, asked for name and e-mail address, with ten seconds for an answer.
    #[must_use]
    pub fn new(issuer: Issuer, client_id: String) -> Self {
        Self {
            issuer,
            client_id,
            client_secret: None,
            scopes: vec!["profile".into(), "email".into()],
            authorities: Vec::new(),
            patience: Duration::from_secs(10),
        }
    }

    /// Refuses what could not be asked.
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub fn check(&self) -> Result<(), SettingsError> {
        if self.client_id.trim().is_empty() {
            return Err(SettingsError::ClientId);
        }
        let is_scope = |scope: &str| !scope.is_empty() && scope.bytes().all(|byte| byte.is_ascii_graphic());
        match self.scopes.iter().find(|scope| !is_scope(scope)) {
            Some(scope) => Err(SettingsError::Scope { scope: scope.clone() }),
            None => Ok(()),
        }
    }

    /// The certificates in a PEM file.
    ///
    /// # Errors
    /// [`SettingsError::NoAuthority`].
    pub fn authorities_of(pem: &[u8]) -> Result<Vec<Certificate<'static>>, SettingsError> {
        let mut found = Vec::new();
        for item in parse_pem(pem) {
            match item {
                Ok(PemItem::Certificate(certificate)) => found.push(certificate),
                Ok(_) => {}
                Err(error) => return Err(SettingsError::NoAuthority { reason: error.to_string() }),
            }
        }
        if found.is_empty() {
            return Err(SettingsError::NoAuthority { reason: "no part of it is one".into() });
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_not_shown_and_scopes_are_words() {
        let issuer: Issuer = "https://id.example".parse().unwrap();
        let mut settings = Settings::new(issuer, "go".into());
        settings.client_secret = Secret::new(" hidden\n");
        assert!(!format!("{settings:?}").contains("hidden"));
        assert_eq!(settings.client_secret.as_ref().map(Secret::reveal), Some("hidden"));
        assert_eq!((settings.check(), Secret::new(" \n")), (Ok(()), None));
        settings.scopes.push("two words".into());
        assert!(settings.check().is_err());
        settings.client_id = " ".into();
        assert_eq!(settings.check(), Err(SettingsError::ClientId));
        assert!(Settings::authorities_of(b"nothing").is_err());
    }
}
