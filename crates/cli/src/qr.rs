//! An address as a picture in the terminal, for the camera of a phone.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// A QR code in half blocks, dark on light whatever the terminal's colours are; `None` for what is too long for one.
pub(crate) fn picture(text: &str) -> Option<String> {
    use qrcode::render::unicode::Dense1x2;
    let code = qrcode::QrCode::new(text).ok()?;
    // A terminal writes light on dark: what is "light" here is what it draws.
    let drawn = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    Some(drawn)
}

/// The address under which other machines of the same network reach this one: the given one, or where that means all of
/// them the one that this machine has in its network.
pub(crate) fn address_for_others(address: SocketAddr) -> Option<SocketAddr> {
    if address.ip().is_loopback() {
        return None;
    }
    if !address.ip().is_unspecified() {
        return Some(address);
    }
    own_address().map(|ip| SocketAddr::new(ip, address.port()))
}

/// The address that this machine would send from. Connecting such a socket sends nothing.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation: nobody has it, and nothing is sent there.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_square_and_has_its_three_corners() {
        let drawn = picture("http://192.0.2.7:8090/#/rooms").unwrap();
        let lines: Vec<Vec<char>> = drawn.lines().map(|line| line.chars().collect()).collect();
        let width = lines[0].len();
        assert!(lines.iter().all(|line| line.len() == width));
        assert!(lines.len() == width.div_ceil(2), "{width} by {}", lines.len());
        assert!(picture("x".repeat(5000).as_str()).is_none());
    }

    #[test]
    fn only_an_address_that_others_reach_is_given_to_them() {
        assert_eq!(address_for_others("127.0.0.1:8090".parse().unwrap()), None);
        let named: SocketAddr = "192.0.2.7:8090".parse().unwrap();
        assert_eq!(address_for_others(named), Some(named));
        if let Some(found) = address_for_others("0.0.0.0:8090".parse().unwrap()) {
            assert!(found.port() == 8090 && !found.ip().is_loopback() && !found.ip().is_unspecified());
        }
    }
}
