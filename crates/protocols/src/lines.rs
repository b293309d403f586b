//! Lines from whoever sends them, however long.

use std::io::{self, BufRead, Read as _};

/// One line without its end. Of a line longer than `longest` bytes a little more than that comes back, so that it is
/// recognised, and the rest is skipped in pieces. `None` at the end of the input.
pub(crate) fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let limit = longest as u64 + 2;
    let read = input.by_ref().take(limit).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(line));
    }
    if line.len() as u64 == limit {
        loop {
            let mut rest = Vec::new();
            let read = input.by_ref().take(limit).read_until(b'\n', &mut rest)?;
            if read == 0 || rest.last() == Some(&b'\n') {
                break;
            }
        }
    }
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let text = [b"short\n".as_slice(), &[b'a'; 100], b"\nnext\nhalf"].concat();
        let mut input = text.as_slice();
        let mut next = || read_line(&mut input, 10).unwrap();
        assert_eq!(next().as_deref(), Some(b"short".as_slice()));
        assert_eq!(next().map(|line| line.len()), Some(12));
        assert_eq!(next().as_deref(), Some(b"next".as_slice()));
        assert_eq!(next().as_deref(), Some(b"half".as_slice()));
        assert_eq!(next(), None);
    }
}
