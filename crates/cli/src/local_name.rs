//! The server's name on the local network: `NAME.local` by multicast DNS (RFC 6762), and an entry in the lists of services
//! that other machines show (RFC 6763). Nothing of the access token is in either.

use crate::failure::Failure;
use crate::notes::note;
use mdns_sd::{DaemonEvent, DaemonStatus, IfKind, ServiceDaemon, ServiceInfo};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// Longest name: 63 characters are a label's limit, and another machine may want to append a number.
const MAX_NAME: usize = 40;
/// The end waits so long for its farewell to be sent.
const FAREWELL: Duration = Duration::from_secs(2);

/// A name as people type it into a browser, without `.local`.
///
/// # Errors
/// A sentence, where it is none.
pub(crate) fn parse_name(text: &str) -> Result<String, String> {
    let name = text.strip_suffix(".local").unwrap_or(text).to_ascii_lowercase();
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_allowed) || name.starts_with('-') {
        return Err(format!("a name has letters, digits and hyphens, {MAX_NAME} at most"));
    }
    Ok(name)
}

/// A name that is announced until this is dropped.
pub(crate) struct LocalName {
    daemon: ServiceDaemon,
    service: String,
}

impl LocalName {
    /// Announces `name` as the machine that answers on `address`. On a loopback address other programs of this machine
    /// alone hear of it.
    pub(crate) fn announce(name: &str, scheme: &str, address: SocketAddr) -> Result<Self, Failure> {
        let failed = |error: mdns_sd::Error| {
            Failure::new(format!("the name {name}.local cannot be announced: {error}"), "leave out --mdns")
        };
        let daemon = ServiceDaemon::new().map_err(failed)?;
        let named = Self { service: format!("{name}._{scheme}._tcp.local."), daemon };
        let (kind, host) = (format!("_{scheme}._tcp.local."), format!("{name}.local."));
        let ip = address.ip();
        let given = if ip.is_unspecified() { String::new() } else { ip.to_string() };
        let mut service = ServiceInfo::new(&kind, name, &host, given.as_str(), address.port(), &[("path", "/")][..])
            .map_err(failed)?;
        if ip.is_unspecified() {
            service = service.enable_addr_auto();
            if ip.is_ipv4() {
                named.daemon.disable_interface(IfKind::IPv6).map_err(failed)?;
            }
        } else {
            // Only where it can be reached, which may be the machine itself.
            named.daemon.disable_interface(IfKind::All).map_err(failed)?;
            let own = if ip.is_loopback() { loopback(ip) } else { IfKind::Addr(ip) };
            named.daemon.enable_interface(own).map_err(failed)?;
        }
        let events = named.daemon.monitor().map_err(failed)?;
        named.daemon.register(service).map_err(failed)?;
        let name = name.to_owned();
        // Ends when the daemon does.
        let watch = move || {
            while let Ok(event) = events.recv() {
                match event {
                    DaemonEvent::NameChange(_) => note(&format!(
                        "another machine here is called {name}.local: give this one another name with --mdns NAME"
                    )),
                    DaemonEvent::Error(error) => tracing::warn!(%error, "the local name"),
                    _ => {}
                }
            }
        };
        // Without a thread nobody is told of another machine with this name.
        let _ = std::thread::Builder::new().name("local-name".into()).spawn(watch);
        Ok(named)
    }
}

fn loopback(ip: IpAddr) -> IfKind {
    if ip.is_ipv4() { IfKind::LoopbackV4 } else { IfKind::LoopbackV6 }
}

impl Drop for LocalName {
    fn drop(&mut self) {
        // Others forget the name at once instead of after two minutes.
        if let Ok(told) = self.daemon.unregister(&self.service) {
            let _ = told.recv_timeout(FAREWELL);
        }
        if let Ok(ended) = self.daemon.shutdown() {
            while ended.recv_timeout(FAREWELL).is_ok_and(|status| status != DaemonStatus::Shutdown) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_a_browser_takes() {
        assert_eq!(parse_name("Studio.local"), Ok("studio".into()));
        assert_eq!(parse_name("go-club2"), Ok("go-club2".into()));
        for bad in ["", "-a", "a b", "囲碁", "a.b", &"x".repeat(41)] {
            assert!(parse_name(bad).is_err(), "{bad}");
        }
    }
}
