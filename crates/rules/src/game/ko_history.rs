//! The positions that may not come again, found without looking through all of them.

/// Words of the filter of a short history, a power of two.
const FEW: usize = 4;
/// Keys for each word of the filter, at most: about one key in twenty seems to be known and is not.
const KEYS_PER_WORD: usize = 8;

/// Keys of positions in their order.
///
/// Superko asks after each turn about every point where a stone once stood, and hardly any of those keys is there. A Bloom
/// filter says so at once; it has an eighth of the keys' size at most, so that copying a game costs hardly more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KoHistory {
    keys: Vec<u128>,
    /// Two bits for each key. The number of words is a power of two and follows from the number of keys.
    filter: Vec<u64>,
}

impl KoHistory {
    pub(crate) fn new() -> KoHistory {
        KoHistory { keys: Vec::new(), filter: vec![0; FEW] }
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.filter.truncate(FEW);
        self.filter.fill(0);
    }

    /// Adds a key; true where it was there already.
    pub(crate) fn push(&mut self, key: u128) -> bool {
        let known = self.contains(key);
        if self.keys.len() >= self.filter.len() * KEYS_PER_WORD {
            let words = self.filter.len() * 2;
            self.filter.clear();
            self.filter.resize(words, 0);
            for &key in &self.keys {
                mark(&mut self.filter, key);
            }
        }
        mark(&mut self.filter, key);
        self.keys.push(key);
        known
    }

    #[inline]
    pub(crate) fn contains(&self, key: u128) -> bool {
        bits(self.filter.len(), key).iter().all(|bit| self.filter[bit / 64] >> (bit % 64) & 1 != 0)
            && self.keys.contains(&key)
    }

    /// How often a key is there.
    pub(crate) fn count(&self, key: u128) -> usize {
        self.keys.iter().filter(|&&known| known == key).count()
    }

    /// The place of a key, from 0.
    pub(crate) fn position(&self, key: u128) -> Option<usize> {
        self.keys.iter().position(|&known| known == key)
    }
}

/// The bits of a key in a filter of so many words. Keys are random numbers, every part of which is one.
#[inline]
fn bits(words: usize, key: u128) -> [usize; 2] {
    let mask = words * 64 - 1;
    [key as usize & mask, (key >> 64) as usize & mask]
}

fn mark(filter: &mut [u64], key: u128) {
    for bit in bits(filter.len(), key) {
        filter[bit / 64] |= 1 << (bit % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist::nth_key;

    #[test]
    fn a_history_knows_the_keys_that_it_has_and_no_others() {
        let mut history = KoHistory::new();
        for round in 0..3_u64 {
            let first = round * 1_000;
            for n in first..first + 300 {
                assert!(!history.contains(nth_key(n)), "{n} is new");
                assert!(!history.push(nth_key(n)));
                assert!((first..=n).all(|known| history.contains(nth_key(known))));
            }
            assert!(history.push(nth_key(first + 7)), "it is there for the second time");
            assert_eq!((history.count(nth_key(first + 7)), history.position(nth_key(first + 7))), (2, Some(7)));
            let mut again = KoHistory::new();
            for n in (first..first + 300).chain([first + 7]) {
                again.push(nth_key(n));
            }
            assert_eq!(history, again, "what was cleared leaves nothing behind");
            history.clear();
            assert!((first..first + 300).all(|n| !history.contains(nth_key(n))));
        }
    }

    #[test]
    fn most_keys_that_are_not_there_are_not_looked_for() {
        let mut history = KoHistory::new();
        for n in 0..20_000 {
            history.push(nth_key(n));
        }
        let seems = |n: &u64| {
            let set = |bit: &usize| history.filter[bit / 64] >> (bit % 64) & 1 != 0;
            bits(history.filter.len(), nth_key(*n)).iter().all(set)
        };
        let seem = (20_000..30_000).filter(seems).count();
        assert!(seem < 1_000, "{seem} of 10000");
        assert!(history.filter.len() * 8 <= 20_000 * 16 / 8, "the filter is small beside the keys");
    }
}
