//! The address of a provider.

use crate::error::OidcError;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use ureq::http::Uri;

/// The address that a provider has as its name: `https://`, or `http://` on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issuer {
    text: String,
    local: bool,
}

/// Why an address is no issuer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{address:?} is not the address of an issuer: {reason}")]
pub struct IssuerError {
    /// What was given, without what may be a password.
    pub address: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl IssuerError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "write it as the provider does, such as https://id.example.org/realms/school"
    }
}

impl Issuer {
    /// As the provider writes it, which is how it is compared.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is asked without TLS, on this machine.
    pub(crate) fn is_plain(&self) -> bool {
        self.local && self.text.starts_with("http://")
    }

    /// Where it describes itself (OpenID Connect Discovery 1.0, 4).
    pub(crate) fn description(&self) -> String {
        format!("{}/.well-known/openid-configuration", self.text.trim_end_matches('/'))
    }

    /// An address that the provider names must be as safe as its own.
    pub(crate) fn check_endpoint(&self, name: &str, address: &str) -> Result<(), OidcError> {
        let wrong = |why: &str| OidcError::Description { reason: format!("its {name} {why}") };
        let uri: Uri = address.parse().map_err(|_| wrong("is no address"))?;
        match uri.scheme_str() {
            Some("https") => Ok(()),
            Some("http") if self.is_plain() && uri.host().is_some_and(is_loopback) => Ok(()),
            _ => Err(wrong("is not encrypted")),
        }
    }
}

impl FromStr for Issuer {
    type Err = IssuerError;

    fn from_str(text: &str) -> Result<Self, IssuerError> {
        let text = text.trim();
        let wrong = |reason| {
            let shown = text.rsplit_once('@').map_or(text, |(_, after)| after);
            IssuerError { address: shown.to_owned(), reason }
        };
        let uri: Uri = text.parse().map_err(|_| wrong("it is no URL"))?;
        let authority = uri.authority().ok_or_else(|| wrong("it names no host"))?;
        if authority.as_str().contains('@') {
            return Err(wrong("a name and a password do not belong into it"));
        }
        if uri.query().is_some() || text.contains('#') {
            return Err(wrong("it has a question mark or a number sign"));
        }
        let local = is_loopback(authority.host());
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if local => {}
            Some("http") => return Err(wrong("http:// is for this machine alone; others need https://")),
            _ => return Err(wrong("it begins with neither https:// nor http://")),
        }
        Ok(Self { text: text.to_owned(), local })
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_can_listen_to_is_an_issuer() {
        for good in ["https://id.example", "https://id.example/realms/a", "http://127.0.0.1:8080", "http://[::1]:1/x"] {
            assert!(good.parse::<Issuer>().is_ok(), "{good}");
        }
        for wrong in [
            "",
            "id.example",
            "http://id.example",
            "http://127.0.0.1.id.example",
            "ftp://localhost",
            "https://id.example?x",
            "https://id.example#x",
            "https://",
        ] {
            assert!(wrong.parse::<Issuer>().is_err(), "{wrong}");
        }
        let error = "https://me:secret@id.example".parse::<Issuer>().unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
    }

    #[test]
    fn endpoints_are_as_safe_as_the_issuer() {
        let issuer: Issuer = "https://id.example/".parse().unwrap();
        assert_eq!(issuer.description(), "https://id.example/.well-known/openid-configuration");
        assert!(issuer.check_endpoint("jwks_uri", "https://keys.example/jwks").is_ok());
        for wrong in ["http://id.example/jwks", "http://127.0.0.1/jwks", "file:///etc/passwd", "/jwks", ""] {
            assert!(issuer.check_endpoint("jwks_uri", wrong).is_err(), "{wrong}");
        }
        let local: Issuer = "http://localhost:1".parse().unwrap();
        assert!(local.check_endpoint("jwks_uri", "http://localhost:1/jwks").is_ok());
        assert!(local.check_endpoint("jwks_uri", "http://id.example/jwks").is_err());
    }
}
