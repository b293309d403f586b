//! What is made for each kind of board, and kept for those that were met last.

use parking_lot::Mutex;

/// Kinds of boards that something is kept for. Graphs cost about the network's own size in memory each, tables some MiB:
/// whoever is asked about boards of every size must not keep them all.
const KEPT: usize = 3;

/// A value for each key, of which those used last are kept. Whoever works with one that is let go of meanwhile has a share
/// of it.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    /// The one used last comes first.
    kept: Mutex<Vec<(K, V)>>,
}

impl<K: PartialEq, V: Clone> Recent<K, V> {
    pub(crate) fn new() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }

    /// The value of a key, made now if it is not there: once, whoever else wants it waits.
    pub(crate) fn get(&self, key: K, make: impl FnOnce() -> V) -> V {
        let mut kept = self.kept.lock();
        let entry = match kept.iter().position(|(known, _)| *known == key) {
            Some(at) => kept.remove(at),
            None => (key, make()),
        };
        let value = entry.1.clone();
        kept.insert(0, entry);
        kept.truncate(KEPT);
        value
    }

    /// The value used last.
    pub(crate) fn last(&self) -> Option<V> {
        self.kept.lock().first().map(|(_, value)| value.clone())
    }

    #[cfg(test)]
    pub(crate) fn clear(&self) {
        self.kept.lock().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_used_last_are_kept_and_the_others_made_again() {
        let recent = Recent::new();
        let mut made = Vec::new();
        for key in [1, 2, 3, 1, 4, 1, 3, 2] {
            let value = recent.get(key, || {
                made.push(key);
                10 * key
            });
            assert_eq!((value, recent.last()), (10 * key, Some(10 * key)));
        }
        assert_eq!(made, [1, 2, 3, 4, 2], "4 took the place of 2, which was used longest ago");
    }
}
