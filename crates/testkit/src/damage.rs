//! Damage to files, told in a few bytes.

/// A copy of `sound` with changes in it, each told by six bytes of `changes`: three of the place, what happens there (a
/// byte set, a bit turned, bytes cut out, bytes doubled, the rest cut off), and two of what with.
#[must_use]
pub fn damaged(sound: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for change in changes.chunks_exact(6) {
        if bytes.is_empty() {
            break;
        }
        let place = (usize::from(change[0]) << 16 | usize::from(change[1]) << 8 | usize::from(change[2])) % bytes.len();
        let (what, with) = (change[4], usize::from(change[5]));
        let end = (place + with).min(bytes.len());
        match change[3] % 8 {
            0..=2 => bytes[place] = what,
            3..=4 => bytes[place] ^= 1 << (what % 8),
            5 => drop(bytes.drain(place..end)),
            6 => {
                let doubled = bytes[place..end].to_vec();
                bytes.splice(place..place, doubled);
            }
            _ => bytes.truncate(place),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::damaged;

    #[test]
    fn every_kind_of_damage_is_done() {
        let sound = b"abcdef";
        assert_eq!(damaged(sound, b""), sound);
        assert_eq!(damaged(sound, &[0, 0, 1, 0, b'x', 0]), b"axcdef");
        assert_eq!(damaged(sound, &[0, 0, 7, 3, 1, 0]), b"a`cdef");
        assert_eq!(damaged(sound, &[0, 0, 2, 5, 0, 3]), b"abf");
        assert_eq!(damaged(sound, &[0, 0, 2, 6, 0, 2]), b"abcdcdef");
        assert_eq!(damaged(sound, &[0, 0, 2, 7, 0, 0, 0, 0, 1, 0, b'y', 0]), b"ay");
        assert_eq!(damaged(b"", &[1, 2, 3, 4, 5, 6]), b"");
    }
}
