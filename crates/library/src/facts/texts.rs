//! Many short texts in one piece of memory, looked through for a part of one.

use memchr::memmem::Finder;

use crate::error::LibraryError;

/// Never part of a text in UTF-8: no match reaches from one text into the next.
const END: u8 = 0xFF;

/// Largest number that a name or label may have; a file with larger ones is damaged, since they are counted from 1.
const MAX_NUMBER: i64 = 1 << 24;

/// The number of a name or label as a place in a list.
pub(crate) fn number(id: i64) -> Result<u32, LibraryError> {
    match u32::try_from(id) {
        Ok(number) if id <= MAX_NUMBER => Ok(number),
        _ => Err(LibraryError::Damaged { detail: format!("there is a name with the number {id}") }),
    }
}

/// Texts with the numbers from 0 on.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    bytes: Vec<u8>,
    /// Where each text ends in `bytes`, before its [`END`].
    ends: Vec<u32>,
}

impl Texts {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a text with the next number.
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.ends.push(u32::try_from(self.bytes.len()).unwrap_or(u32::MAX));
        self.bytes.push(END);
    }

    /// Adds a text with this number, and empty ones for the numbers that are left out. One that is there stays.
    pub(crate) fn put(&mut self, number: u32, text: &[u8]) {
        while self.ends.len() < number as usize {
            self.push(b"");
        }
        if self.ends.len() == number as usize {
            self.push(text);
        }
    }

    pub(crate) fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |end| *end as usize + 1);
        let end = self.ends.get(number).map_or(start, |end| *end as usize);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Reports the numbers of the texts that contain something, in order.
    pub(crate) fn each_containing(&self, part: &Finder<'_>, mut found: impl FnMut(usize)) {
        let mut from = 0;
        let mut number = 0;
        while let Some(at) = self.bytes.get(from..).and_then(|rest| part.find(rest)) {
            let at = from + at;
            // From text to text where matches are dense, by halves where they are rare.
            let near = self.ends[number..].iter().take(8).position(|end| *end as usize >= at);
            number += near.unwrap_or_else(|| self.ends[number..].partition_point(|end| (*end as usize) < at));
            let Some(end) = self.ends.get(number) else { return };
            found(number);
            from = *end as usize + 1;
            number += 1;
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// A set of small numbers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Numbers(Vec<u64>);

impl Numbers {
    pub(crate) fn add(&mut self, number: u32) {
        let word = number as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The texts found are those that contain the part, whatever stands beside them.
        #[test]
        fn the_right_texts_are_found(texts in proptest::collection::vec("[abé柯\n]{0,6}", 0..40), part in "[abé柯\n]{1,3}") {
            let mut kept = Texts::default();
            texts.iter().for_each(|text| kept.push(text.as_bytes()));
            let mut found = Vec::new();
            kept.each_containing(&Finder::new(&part), |number| found.push(number));
            let expected: Vec<usize> = (0..texts.len()).filter(|&n| texts[n].contains(&part)).collect();
            prop_assert_eq!(found, expected);
            prop_assert!(texts.iter().enumerate().all(|(n, text)| kept.get(n) == text.as_bytes()));
        }
    }

    #[test]
    fn numbers_that_no_library_has_are_refused() {
        assert_eq!(number(7).unwrap(), 7);
        assert!(number(-1).is_err() && number(1 << 40).is_err());
    }
}
