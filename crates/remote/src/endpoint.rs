//! Addresses, tokens and authorities of inference servers.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ureq::http::Uri;
use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

/// By what a server is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// HTTP with JSON, or with numbers behind it.
    Rest,
    /// gRPC.
    Grpc,
}

/// The address of a server: `http://` or `https://` for REST, `grpc://` or `grpcs://` for gRPC, a host, a port where it is
/// not the usual one (8000 and 8001, as Triton has them; 443 with TLS), and by REST a path where something stands before
/// `/v2`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Endpoint {
    protocol: Protocol,
    tls: bool,
    host: String,
    port: u16,
    path: String,
}

/// Why an address of a server cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{address:?} is not the address of an inference server: {reason}")]
pub struct AddressError {
    /// What was given, without what may be a password.
    pub address: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl AddressError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "write http://HOST:8000 or grpc://HOST:8001, or https://HOST or grpcs://HOST:PORT where the server has TLS"
    }
}

impl Endpoint {
    /// By what the server is asked.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Whether what is sent is encrypted.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.tls
    }

    /// Whether it is this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    pub(crate) fn host_and_port(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// As HTTP has it, whatever is spoken over that.
    pub(crate) fn http_url(&self) -> String {
        self.url(if self.tls { "https" } else { "http" })
    }

    fn url(&self, scheme: &str) -> String {
        let brackets = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        format!("{scheme}://{}{}{}:{}{}", brackets.0, self.host, brackets.1, self.port, self.path)
    }
}

impl FromStr for Endpoint {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let text = text.trim();
        let wrong = |reason| {
            let shown = text.rsplit_once('@').map_or(text, |(_, after)| after);
            AddressError { address: shown.to_owned(), reason }
        };
        let uri: Uri = text.parse().map_err(|_| wrong("it is no URL"))?;
        let (protocol, tls, usual) = match uri.scheme_str() {
            Some("http") => (Protocol::Rest, false, 8000),
            Some("https") => (Protocol::Rest, true, 443),
            Some("grpc") => (Protocol::Grpc, false, 8001),
            Some("grpcs") => (Protocol::Grpc, true, 443),
            _ => return Err(wrong("it begins with none of http://, https://, grpc:// and grpcs://")),
        };
        let authority = uri.authority().ok_or_else(|| wrong("it names no host"))?;
        if authority.as_str().contains('@') {
            return Err(wrong("a name and a password do not belong into it; give a token"));
        }
        if uri.query().is_some() {
            return Err(wrong("it has a question mark"));
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() {
            return Err(wrong("it names no host"));
        }
        // What follows the host, past the bracket of an IPv6 address.
        let after_host = authority.as_str().rsplit(']').next().unwrap_or_default();
        let port = match (authority.port_u16(), after_host.contains(':')) {
            (Some(0), _) | (None, true) => return Err(wrong("its port is none of 1 to 65535")),
            (Some(port), _) => port,
            (None, false) => usual,
        };
        let path = uri.path().trim_end_matches('/').to_owned();
        if protocol == Protocol::Grpc && !path.is_empty() {
            return Err(wrong("gRPC has no path"));
        }
        Ok(Self { protocol, tls, host, port, path })
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url(match (self.protocol, self.tls) {
            (Protocol::Rest, false) => "http",
            (Protocol::Rest, true) => "https",
            (Protocol::Grpc, false) => "grpc",
            (Protocol::Grpc, true) => "grpcs",
        }))
    }
}

/// What is read of a file with a token, in bytes.
const MAX_TOKEN_FILE: u64 = 16 << 10;

/// What a server asks for to let somebody in (`Authorization: Bearer …`). Never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token; `None` where it is empty or cannot stand in a header.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| Self(text.to_owned()))
    }

    /// The token in the first line of a file.
    ///
    /// # Errors
    /// [`TokenError`], with the file's name.
    pub fn from_file(path: &Path) -> Result<Self, TokenError> {
        let file = File::open(path);
        let mut text = String::new();
        file.and_then(|file| file.take(MAX_TOKEN_FILE).read_to_string(&mut text))
            .map_err(|source| TokenError::Unreadable { path: path.to_owned(), source })?;
        Self::new(text.lines().next().unwrap_or_default()).ok_or_else(|| TokenError::NoToken { path: path.to_owned() })
    }

    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

/// Why a file gives no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// It cannot be read.
    #[error("the token in {} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is none in it.
    #[error("{} holds no token in its first line", path.display())]
    NoToken {
        /// The file.
        path: PathBuf,
    },
}

/// What is read of a file with certificates, in bytes.
const MAX_AUTHORITIES_FILE: u64 = 1 << 20;

/// The authorities whose certificates a server may have, and no others; the system's where none is named.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Authorities(Vec<Vec<u8>>);

impl Authorities {
    /// The certificates in a PEM file.
    ///
    /// # Errors
    /// [`AuthoritiesError`], with the file's name.
    pub fn from_file(path: &Path) -> Result<Self, AuthoritiesError> {
        let mut text = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_AUTHORITIES_FILE).read_to_end(&mut text))
            .map_err(|source| AuthoritiesError::Unreadable { path: path.to_owned(), source })?;
        let mut found = Vec::new();
        for item in parse_pem(&text) {
            match item {
                Ok(PemItem::Certificate(certificate)) => found.push(certificate.der().to_vec()),
                Ok(_) => {}
                Err(_) => return Err(AuthoritiesError::NoCertificate { path: path.to_owned() }),
            }
        }
        if found.is_empty() {
            return Err(AuthoritiesError::NoCertificate { path: path.to_owned() });
        }
        Ok(Self(found))
    }

    /// Their certificates as DER; none where the system's are meant.
    pub(crate) fn certificates(&self) -> &[Vec<u8>] {
        &self.0
    }

    pub(crate) fn roots(&self) -> RootCerts {
        if self.0.is_empty() {
            return RootCerts::PlatformVerifier;
        }
        self.0.iter().map(|der| Certificate::from_der(der).to_owned()).into()
    }
}

/// Why a file names no authority.
#[derive(Debug, thiserror::Error)]
pub enum AuthoritiesError {
    /// It cannot be read.
    #[error("the certificates in {} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is none in it.
    #[error("{} holds no certificate as PEM", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_understood_and_shown_in_one_form() {
        for (given, shown) in [
            ("http://gpu", "http://gpu:8000"),
            ("https://gpu/", "https://gpu:443"),
            ("https://10.0.0.7:9000", "https://10.0.0.7:9000"),
            ("http://[::1]:8000/go/", "http://[::1]:8000/go"),
            ("http://[::1]", "http://[::1]:8000"),
            ("grpc://gpu", "grpc://gpu:8001"),
            ("grpc://[::1]:9001/", "grpc://[::1]:9001"),
            ("grpcs://gpu", "grpcs://gpu:443"),
        ] {
            let endpoint: Endpoint = given.parse().unwrap();
            assert_eq!(endpoint.to_string(), shown, "{given}");
            assert_eq!(shown.parse(), Ok(endpoint), "{given}");
        }
        let grpc: Endpoint = "grpcs://[::1]:8001".parse().unwrap();
        assert_eq!((grpc.protocol(), grpc.is_encrypted(), grpc.is_local()), (Protocol::Grpc, true, true));
        assert_eq!(grpc.http_url(), "https://[::1]:8001");
        assert!("http://[::1]".parse::<Endpoint>().unwrap().is_local());
        assert!(!"http://gpu".parse::<Endpoint>().unwrap().is_local());
    }

    #[test]
    fn what_is_no_address_is_refused_and_a_password_is_not_repeated() {
        for wrong in [
            "",
            "gpu:8000",
            "ftp://gpu",
            "http://",
            "http://gpu:0",
            "http://gpu:99999",
            "http://g?x",
            "grpc://g/v2",
            "grpc:g",
        ] {
            assert!(wrong.parse::<Endpoint>().is_err(), "{wrong:?}");
        }
        let error = "http://me:secret@gpu".parse::<Endpoint>().unwrap_err();
        assert!(!error.to_string().contains("secret"), "{error}");
        assert_eq!(format!("{:?}", Token::new("secret").unwrap()), "Token(…)");
        assert_eq!((Token::new(" "), Token::new("a\nb")), (None, None));
    }
}
