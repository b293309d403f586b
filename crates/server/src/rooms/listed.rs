//! The rooms or lessons that a list shows.

use std::collections::BTreeMap;

/// Rooms, or lessons, in a list.
const MAX_LISTED: usize = 200;

/// The first ones in the order of their ranks; what would not be shown is not copied.
pub(super) struct Listed<T>(BTreeMap<(bool, bool, String), T>);

impl<T: Clone> Listed<T> {
    pub(super) fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Shows one of this rank, whose last part names it.
    pub(super) fn put(&mut self, rank: (bool, bool, &str), item: &T) {
        if self.0.len() >= MAX_LISTED {
            let last = self.0.last_key_value().map(|((first, second, name), _)| (*first, *second, name.as_str()));
            if last.is_some_and(|last| last <= rank) {
                return;
            }
            self.0.pop_last();
        }
        self.0.insert((rank.0, rank.1, rank.2.to_owned()), item.clone());
    }

    /// What is shown, with its name.
    pub(super) fn named(self) -> Vec<(String, T)> {
        self.0.into_iter().map(|((_, _, name), item)| (name, item)).collect()
    }

    /// What is shown.
    pub(super) fn items(self) -> Vec<T> {
        self.0.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Counts how often it is copied.
    struct Counted<'a>(u32, &'a Cell<usize>);

    impl Clone for Counted<'_> {
        fn clone(&self) -> Self {
            self.1.set(self.1.get() + 1);
            Self(self.0, self.1)
        }
    }

    #[test]
    fn a_list_has_the_first_of_all_and_copies_no_others() {
        let copies = Cell::new(0);
        let mut listed = Listed::new();
        for nth in 0..1_000 {
            listed.put((nth % 2 == 0, false, &format!("{nth:04}")), &Counted(nth, &copies));
        }
        // The first 200 that came, and those that came before half of them.
        assert_eq!(copies.get(), MAX_LISTED + MAX_LISTED / 2);
        let shown: Vec<u32> = listed.items().into_iter().map(|counted| counted.0).collect();
        let odd: Vec<u32> = (0..1_000).filter(|nth| nth % 2 == 1).take(MAX_LISTED).collect();
        assert_eq!(shown, odd);
    }
}
