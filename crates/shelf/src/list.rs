//! The list of networks.

use crate::error::ListError;
use crate::shelf::is_network_file;
use crate::signed::Published;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const MAX_NETWORKS: usize = 200;

/// What a network is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum NetworkKind {
    /// Comes with the program: strong for its size.
    Standard,
    /// Small and quick: for processors without a graphics card.
    Quick,
    /// Strong, for most graphics cards.
    Strong,
    /// The strongest, for fast graphics cards.
    Strongest,
    /// Plays and judges as people of a rank do.
    Human,
    /// For boards beyond 19x19.
    LargeBoards,
    /// For 9x9 alone.
    SmallBoards,
    /// Has learnt the torus.
    Torus,
}

/// A network that can be fetched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedNetwork {
    /// The file's name, under which it is kept and chosen.
    pub file: String,
    /// What it is for.
    pub kind: NetworkKind,
    /// Size of the file in bytes, as its publishers or those who fetched it say; a server may have another one.
    pub bytes: u64,
    /// Billions of multiply-adds that one position of 19x19 takes: compares speeds of networks.
    pub billion_multiply_adds: f64,
    /// Short name of the licence.
    pub licence: String,
    /// Page with the licence, by those who publish the network.
    pub licence_page: String,
    /// https addresses, best first: the others are mirrors. Empty for one that comes with the program alone.
    pub addresses: Vec<String>,
    /// SHA-256 of the file, lower case, where it is known.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Where it comes from and what it was measured at, in English, for one that was trained here; empty for others, whose
    /// publishers say it.
    #[serde(default)]
    pub history: String,
}

/// A list of networks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkList {
    /// Grows with every list that is published, so that an old one cannot be put in the place of a new one.
    pub serial: u32,
    /// The networks, in the order in which they are shown.
    pub networks: Vec<ListedNetwork>,
}

impl NetworkList {
    /// The list that comes with the program.
    ///
    /// # Panics
    /// Never: a test reads the same text.
    pub fn own() -> Self {
        Self::parse(include_bytes!("../networks.json")).expect("the list in the program is read by a test")
    }

    /// Reads a list and checks every entry of it.
    ///
    /// # Errors
    /// [`ListError::Syntax`] and [`ListError::Entry`].
    pub fn parse(json: &[u8]) -> Result<Self, ListError> {
        let list: Self = serde_json::from_slice(json)?;
        for (index, network) in list.networks.iter().enumerate() {
            let wrong = |reason| ListError::Entry { file: network.file.clone(), reason };
            if index >= MAX_NETWORKS {
                return Err(wrong("there are too many"));
            }
            if !is_network_file(&network.file) {
                return Err(wrong("that is no name of a network"));
            }
            if list.networks[..index].iter().any(|other| other.file == network.file) {
                return Err(wrong("it is listed twice"));
            }
            if network.sha256.as_ref().is_some_and(|sha256| !is_sha256(sha256)) {
                return Err(wrong("its checksum is no SHA-256 in lower case"));
            }
            if network.bytes == 0 || !(network.billion_multiply_adds > 0.0 && network.billion_multiply_adds < 1e6) {
                return Err(wrong("its size or its cost cannot be"));
            }
            if network.licence.is_empty() || !network.licence_page.starts_with("https://") {
                return Err(wrong("its licence is missing"));
            }
        }
        Ok(list)
    }

    /// The network of this file name.
    pub fn find(&self, file: &str) -> Option<&ListedNetwork> {
        self.networks.iter().find(|network| network.file == file)
    }
}

impl Published for NetworkList {
    type Error = ListError;

    fn parse(json: &[u8]) -> Result<Self, ListError> {
        Self::parse(json)
    }

    fn serial(&self) -> u32 {
        self.serial
    }

    fn older(found: u32, current: u32) -> ListError {
        ListError::Older { found, current }
    }

    fn unusable(path: &Path, source: io::Error) -> ListError {
        ListError::Folder { path: path.to_owned(), source }
    }
}

/// Whether this is a SHA-256 in lower case.
pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;

    #[test]
    fn the_list_in_the_program_has_every_kind_and_only_secure_addresses() {
        let list = NetworkList::own();
        for kind in [
            NetworkKind::Standard,
            NetworkKind::Quick,
            NetworkKind::Strong,
            NetworkKind::Strongest,
            NetworkKind::Human,
            NetworkKind::LargeBoards,
            NetworkKind::SmallBoards,
            NetworkKind::Torus,
        ] {
            assert!(list.networks.iter().any(|network| network.kind == kind), "{kind:?}");
        }
        for network in &list.networks {
            // Who publishes a network tells its history; nobody else tells that of this one.
            assert_eq!(network.history.is_empty(), network.kind != NetworkKind::Torus, "{}", network.file);
            for address in &network.addresses {
                assert!(address.starts_with("https://") && address.ends_with(&network.file), "{address}");
            }
        }
    }

    #[test]
    fn a_list_with_an_impossible_entry_is_refused_as_a_whole() {
        let good = serde_json::to_value(NetworkList::own()).unwrap();
        let spoiled = |field: &str, value: serde_json::Value| {
            let mut list = good.clone();
            list["networks"][0][field] = value;
            NetworkList::parse(list.to_string().as_bytes()).unwrap_err().to_string()
        };
        assert!(spoiled("file", "../x.bin.gz".into()).contains("no name of a network"));
        assert!(spoiled("file", good["networks"][1]["file"].clone()).contains("twice"));
        assert!(spoiled("sha256", "ABC".into()).contains("SHA-256"));
        assert!(spoiled("bytes", 0.into()).contains("cannot be"));
        assert!(spoiled("licence", "".into()).contains("licence"));
        assert!(spoiled("kind", "secret".into()).contains("cannot be read"));
        assert!(NetworkList::parse(b"<html>").is_err());
    }
}
