//! Everything that KataGo's command line, configuration files and protocols know, and what becomes of it here.
//!
//! The tables are what its sources list; tests hold them against the engines, and make `docs/katago.md` of them.
//! Sources: KataGo v1.17.2, `main.cpp`, `cpp/command`, `cpp/program/setup.cpp`, `cpp/core/logger.cpp` and the example
//! configurations; what the program 1.18.1 lists; v1.18.2 (commit 47aadc0), `analysis.cpp`, `docs/GTP_Extensions.md` and
//! the tests `focus.txt`.

mod keys;
mod words;

pub use keys::KEYS;
pub use words::{ACTIONS, ANALYZE_KEYS, GTP_COMMANDS, OPTIONS, PROGRAMS, QUERY_FIELDS};

/// The release of KataGo whose commands and settings are spoken; what `--as-katago` and `query_version` answer.
pub const VERSION: &str = "1.18.2";

/// What becomes of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// It does what it does there. The value is one that may stand in a file.
    Answered(&'static str),
    /// It would change what is answered and is not done: why, or what to use instead.
    Refused(&'static str),
    /// There is nothing here that it could mean: why.
    Meaningless(&'static str),
}

/// A name and what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The name; one that ends in `N` stands for all numbers, one that ends in `*` for all that begin so.
    pub name: &'static str,
    /// What becomes of it.
    pub stance: Stance,
}

impl Entry {
    const fn answered(name: &'static str, example: &'static str) -> Self {
        Self { name, stance: Stance::Answered(example) }
    }

    const fn refused(name: &'static str, why: &'static str) -> Self {
        Self { name, stance: Stance::Refused(why) }
    }

    const fn meaningless(name: &'static str, why: &'static str) -> Self {
        Self { name, stance: Stance::Meaningless(why) }
    }

    fn covers(&self, name: &str) -> bool {
        if let Some(start) = self.name.strip_suffix('*') {
            return name.starts_with(start);
        }
        if let Some(start) = self.name.strip_suffix('N')
            && let Some(rest) = name.strip_prefix(start)
        {
            return !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        }
        self.name == name
    }
}

/// What becomes of a key of a configuration file. `None` for what KataGo does not know either.
#[must_use]
pub fn key(name: &str) -> Option<&'static Entry> {
    // A number at the end is KataGo's way to set something for one of several bots; `gtp` and `analysis` have one.
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let find = |name: &str| KEYS.iter().find(|entry| entry.covers(name));
    find(name).or_else(|| find(bare))
}

/// A sentence on a key that was not taken: what it is, and why.
#[must_use]
pub fn explained(name: &str) -> String {
    match key(name).map(|entry| entry.stance) {
        Some(Stance::Refused(why)) => format!("{name} is not done here: {why}"),
        Some(Stance::Meaningless(why)) => format!("{name} means nothing here: {why}"),
        Some(Stance::Answered(_)) => format!("{name} is a setting of the other protocol"),
        None => format!("{name} is no setting of KataGo's or of this program: is it spelled right?"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_with_numbers_are_found() {
        let stance = |name| key(name).map(|entry| entry.stance);
        assert!(matches!(stance("cudaDeviceToUseThread1"), Some(Stance::Meaningless(_))));
        assert!(matches!(stance("maxVisits0"), Some(Stance::Answered(_))));
        assert_eq!(stance("maxVisit"), None);
        assert!(explained("maxVisit").contains("spelled"));
        assert!(explained("logDir").contains("means nothing here"));
        assert!(explained("useEvalCache").contains("not done here"));
    }

    #[test]
    fn no_name_stands_twice_in_a_table() {
        for table in [KEYS, GTP_COMMANDS, ANALYZE_KEYS, QUERY_FIELDS, ACTIONS, OPTIONS, PROGRAMS] {
            let names: BTreeSet<&str> = table.iter().map(|entry| entry.name).collect();
            assert_eq!(names.len(), table.len());
            for entry in table {
                if let Stance::Refused(why) | Stance::Meaningless(why) = entry.stance {
                    assert!(why.len() > 8, "{} says too little", entry.name);
                }
            }
        }
    }
}
