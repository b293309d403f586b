//! Reverse proxies whose word is taken for the address of their client.

use axum::http::{HeaderMap, HeaderName};
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

/// Each proxy appends the address that it was asked from.
const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Addresses of proxies that are believed: `loopback`, one address, or a network in CIDR notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustedProxy {
    /// Every address of this machine's loopback interface.
    Loopback,
    /// A network; of a single address all bits are its prefix.
    Network {
        /// An address in it.
        address: IpAddr,
        /// Bits that all of its addresses have in common.
        prefix: u8,
    },
}

/// Text that names no proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither an address, nor a network such as 10.0.0.0/8, nor `loopback`")]
pub struct BadProxy;

impl FromStr for TrustedProxy {
    type Err = BadProxy;

    fn from_str(text: &str) -> Result<Self, BadProxy> {
        if text.eq_ignore_ascii_case("loopback") {
            return Ok(Self::Loopback);
        }
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| BadProxy)?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.parse().ok().filter(|prefix| *prefix <= bits).ok_or(BadProxy)?,
            None => bits,
        };
        Ok(Self::Network { address, prefix })
    }
}

impl TrustedProxy {
    fn contains(self, peer: IpAddr) -> bool {
        let Self::Network { address, prefix } = self else { return peer.is_loopback() };
        match (address, peer) {
            (IpAddr::V4(address), IpAddr::V4(peer)) => {
                (address.to_bits() ^ peer.to_bits()).leading_zeros() >= u32::from(prefix)
            }
            (IpAddr::V6(address), IpAddr::V6(peer)) => {
                (address.to_bits() ^ peer.to_bits()).leading_zeros() >= u32::from(prefix)
            }
            _ => false,
        }
    }
}

/// Where a request of this peer came from: of `X-Forwarded-For` the last entry that no trusted proxy is at. Entries before
/// it are whatever the client wrote.
pub(crate) fn client_address(trusted: &[TrustedProxy], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let lines = headers.get_all(X_FORWARDED_FOR).iter().map(|line| line.to_str().unwrap_or_default());
    let entries: Vec<&str> = lines.flat_map(|line| line.split(',')).collect();
    // An IPv4 address is the same whichever kind of socket it came to.
    let mut client = peer.to_canonical();
    for entry in entries.into_iter().rev() {
        if !trusted.iter().any(|proxy| proxy.contains(client)) {
            break;
        }
        let Some(address) = address_in(entry.trim()) else { break };
        client = address.to_canonical();
    }
    client
}

/// An address, also with a port or in brackets, as some proxies write it.
fn address_in(entry: &str) -> Option<IpAddr> {
    let bare = entry.strip_prefix('[').and_then(|entry| entry.strip_suffix(']')).unwrap_or(entry);
    bare.parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &[&str], peer: &str, lines: &[&str]) -> String {
        let trusted: Vec<TrustedProxy> = trusted.iter().map(|text| text.parse().unwrap()).collect();
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, line.parse().unwrap());
        }
        client_address(&trusted, peer.parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_says_who_its_client_is() {
        let forwarded = ["192.0.2.7"];
        assert_eq!(client(&[], "127.0.0.1", &forwarded), "127.0.0.1");
        assert_eq!(client(&["loopback"], "127.0.0.1", &forwarded), "192.0.2.7");
        assert_eq!(client(&["loopback"], "::1", &["2001:db8::7"]), "2001:db8::7");
        assert_eq!(client(&["loopback"], "198.51.100.1", &forwarded), "198.51.100.1");
        assert_eq!(client(&["loopback"], "127.0.0.1", &[]), "127.0.0.1");
        assert_eq!(client(&["10.0.0.0/8"], "::ffff:10.1.2.3", &forwarded), "192.0.2.7");
        assert_eq!(client(&["10.0.0.0/8"], "11.1.2.3", &forwarded), "11.1.2.3");
        assert_eq!(client(&["2001:db8::/32"], "2001:db8:1::1", &forwarded), "192.0.2.7");
    }

    #[test]
    fn what_the_client_wrote_itself_is_not_believed() {
        assert_eq!(client(&["loopback"], "127.0.0.1", &["203.0.113.9, 192.0.2.7"]), "192.0.2.7");
        assert_eq!(client(&["loopback"], "127.0.0.1", &["203.0.113.9", "192.0.2.7"]), "192.0.2.7");
        let two = ["loopback", "10.0.0.1"];
        assert_eq!(client(&two, "127.0.0.1", &["203.0.113.9, 192.0.2.7, 10.0.0.1"]), "192.0.2.7");
        assert_eq!(client(&two, "127.0.0.1", &["10.0.0.1"]), "10.0.0.1");
    }

    #[test]
    fn an_entry_may_have_a_port_and_nonsense_is_as_good_as_none() {
        assert_eq!(client(&["loopback"], "127.0.0.1", &["192.0.2.7:4711"]), "192.0.2.7");
        assert_eq!(client(&["loopback"], "127.0.0.1", &["[2001:db8::7]:4711"]), "2001:db8::7");
        assert_eq!(client(&["loopback"], "127.0.0.1", &["[2001:db8::7]"]), "2001:db8::7");
        for nonsense in ["unknown", "", "192.0.2.7,"] {
            assert_eq!(client(&["loopback"], "127.0.0.1", &[nonsense]), "127.0.0.1", "{nonsense}");
        }
    }

    #[test]
    fn a_proxy_is_an_address_a_network_or_the_machine_itself() {
        for good in ["loopback", "Loopback", "10.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "::1", "fd00::/8"] {
            assert!(good.parse::<TrustedProxy>().is_ok(), "{good}");
        }
        for bad in ["", "localhost", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.1:80", "10.0.0.0/-1", "10.0.0.0/"] {
            assert_eq!(bad.parse::<TrustedProxy>(), Err(BadProxy), "{bad}");
        }
    }
}
