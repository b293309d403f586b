//! Where a database is, and what is needed to come in.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::super::StoreError;

/// How long connecting may take, to each of the address's hosts.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// When a silent connection is asked whether it is still there, how often, and how many times.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(10);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(5);
const KEEPALIVE_RETRIES: u32 = 3;
/// How long what was sent may stay unacknowledged before the connection counts as broken.
const USER_TIMEOUT: Duration = Duration::from_secs(15);
/// What the server is called in PostgreSQL's lists.
const PROGRAM: &str = "honinbo";

/// The address of a PostgreSQL database, with the password: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`.
///
/// Nothing that is printed or logged of it has the password, nor the user.
///
/// TLS is taken with a database on another machine, and its certificate is checked; `sslmode=disable` goes without, and
/// `sslmode=require` takes it on this machine too.
#[derive(Clone)]
pub struct PostgresAddress {
    pub(super) config: Box<Config>,
    /// The only authorities that are trusted; those of the system where there are none.
    pub(super) authorities: Vec<CertificateDer<'static>>,
}

impl FromStr for PostgresAddress {
    type Err = StoreError;

    fn from_str(address: &str) -> Result<Self, StoreError> {
        let bad = |reason: &str| StoreError::BadAddress { reason: reason.to_owned() };
        if !["postgres://", "postgresql://"].iter().any(|scheme| address.starts_with(scheme)) {
            return Err(bad("it does not begin with postgres://"));
        }
        let (front, query) = address.split_once('?').unwrap_or((address, ""));
        let mode = query.split('&').find_map(|pair| pair.strip_prefix("sslmode="));
        let mut others: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("sslmode=")).collect();
        others.retain(|pair| !pair.is_empty());
        // The parser's own words may repeat a part of the password.
        let parsed: Result<Config, _> = format!("{front}?{}", others.join("&")).parse();
        let mut config = parsed.map_err(|_| bad("a part of it is not understood"))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(bad("it names no host"));
        }
        let local =
            config.get_hosts().iter().all(is_local) && config.get_hostaddrs().iter().all(std::net::IpAddr::is_loopback);
        config.ssl_mode(match mode {
            None if local => SslMode::Disable,
            Some("disable") => SslMode::Disable,
            // Certificates are always checked, so that these are one.
            None | Some("require" | "verify-ca" | "verify-full") => SslMode::Require,
            Some(_) => return Err(bad("sslmode is disable or require")),
        });
        config.connect_timeout(CONNECT_TIMEOUT).tcp_user_timeout(USER_TIMEOUT);
        config.keepalives_idle(KEEPALIVE_IDLE).keepalives_interval(KEEPALIVE_INTERVAL);
        config.keepalives_retries(KEEPALIVE_RETRIES);
        if config.get_application_name().is_none() {
            config.application_name(PROGRAM);
        }
        Ok(Self { config: Box::new(config), authorities: Vec::new() })
    }
}

impl PostgresAddress {
    /// With this password in the place of the address's own.
    #[must_use]
    pub fn with_password(mut self, password: &str) -> Self {
        self.config.password(password);
        self
    }

    /// Trusts the certificates of the authorities in this text (PEM) alone.
    ///
    /// # Errors
    /// [`StoreError::BadAddress`] where there are none.
    pub fn with_authorities(mut self, pem: &[u8]) -> Result<Self, StoreError> {
        let bad = |reason: String| StoreError::BadAddress { reason };
        let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
        self.authorities = found.map_err(|error| bad(format!("an authority's certificate cannot be read: {error}")))?;
        if self.authorities.is_empty() {
            return Err(bad("there is no certificate of an authority".into()));
        }
        Ok(self)
    }
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Hosts, ports and the database's name.
impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.config.get_hosts();
        for (nth, host) in hosts.iter().enumerate() {
            let comma = if nth > 0 { "," } else { "" };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{comma}{}", path.display())?,
            }
            let ports = self.config.get_ports();
            if let Some(port) = ports.get(nth).or(ports.first()) {
                write!(f, ":{port}")?;
            }
        }
        if hosts.is_empty() {
            let addresses: Vec<String> = self.config.get_hostaddrs().iter().map(ToString::to_string).collect();
            f.write_str(&addresses.join(","))?;
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> PostgresAddress {
        text.parse().unwrap()
    }

    #[test]
    fn nothing_that_is_printed_has_the_password() {
        let whole = address("postgres://anna:s3cret@db.example.org:5433/go?sslmode=require");
        for printed in [whole.to_string(), format!("{whole:?}"), format!("{:?}", whole.clone().with_password("0ther"))]
        {
            assert!(printed.contains("db.example.org:5433/go"), "{printed}");
            assert!(!["s3cret", "0ther", "anna"].iter().any(|secret| printed.contains(secret)), "{printed}");
        }
        for wrong in
            ["postgres://anna:s3cret@db:port/go", "postgres://anna:s3cret@db/go?wait=1", "mysql://anna:s3cret@db/go"]
        {
            let error = wrong.parse::<PostgresAddress>().unwrap_err();
            assert!(matches!(&error, StoreError::BadAddress { .. }), "{wrong}");
            assert!(!error.to_string().contains("s3cret") && !format!("{error:?}").contains("s3cret"), "{error:?}");
        }
    }

    #[test]
    fn other_machines_are_spoken_to_over_tls_alone_unless_told_otherwise() {
        for (text, mode) in [
            ("postgres://a@127.0.0.1/go", SslMode::Disable),
            ("postgres://a@localhost:5432/go", SslMode::Disable),
            ("postgres://a@[::1]/go", SslMode::Disable),
            ("postgresql://a@db.example.org/go", SslMode::Require),
            ("postgres://a@localhost,db.example.org/go", SslMode::Require),
            ("postgres://a@db.example.org/go?sslmode=disable", SslMode::Disable),
            ("postgres://a@db.example.org/go?sslmode=verify-full&connect_timeout=3", SslMode::Require),
            ("postgres://a@localhost/go?sslmode=require", SslMode::Require),
        ] {
            assert_eq!(address(text).config.get_ssl_mode(), mode, "{text}");
        }
        assert!("postgres://a@db/go?sslmode=prefer".parse::<PostgresAddress>().is_err());
        assert!("postgres:///go".parse::<PostgresAddress>().is_err());
        assert!(address("postgres://a@db/go").with_authorities(b"nothing").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_of_this_machine_is_an_address() {
        let socket = address("postgres://a@%2Frun%2Fpostgresql/go");
        assert_eq!(socket.config.get_ssl_mode(), SslMode::Disable);
        assert_eq!(socket.to_string(), "/run/postgresql:5432/go");
    }
}
