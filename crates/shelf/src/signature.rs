//! Who may publish lists and releases.

use crate::error::ListError;
use minisign_verify::{PublicKey, Signature};

/// The key by which what the maintainers publish is known.
#[derive(Clone)]
pub struct ListKey(PublicKey);

impl ListKey {
    /// A minisign public key in base64, as its `.pub` file has it in the second line.
    ///
    /// # Errors
    /// [`ListError::Signature`] for anything else.
    pub fn from_base64(text: &str) -> Result<Self, ListError> {
        Ok(Self(PublicKey::from_base64(text.trim())?))
    }

    /// Checks that `text` is what was signed, all of it.
    pub(crate) fn verify(&self, text: &[u8], signature: &str) -> Result<(), minisign_verify::Error> {
        // Signatures of the older form, which minisign stopped making, are refused.
        self.0.verify(text, &Signature::decode(signature)?, false)
    }
}

/// Where renewed lists or releases come from, and who signs them.
#[derive(Clone)]
pub struct ListSource {
    /// https address of the file; its signature has the same one with `.minisig` behind it.
    pub address: String,
    /// The key.
    pub key: ListKey,
}

impl ListSource {
    /// The lists of networks that this program was built with: `HONINBO_LIST_ADDRESS` and `HONINBO_LIST_KEY` while
    /// compiling. `None` where there is none, and then no renewal is offered.
    pub fn built_in() -> Option<Self> {
        Self::compiled(option_env!("HONINBO_LIST_ADDRESS")?, option_env!("HONINBO_LIST_KEY")?)
    }

    /// The releases that this program was built with: `HONINBO_RELEASE_ADDRESS`, and the key of the lists. `None` where
    /// there is none, and then no newer version is ever offered.
    pub fn releases() -> Option<Self> {
        Self::compiled(option_env!("HONINBO_RELEASE_ADDRESS")?, option_env!("HONINBO_LIST_KEY")?)
    }

    /// The releases that the environment names, for a program that was built without any: `HONINBO_RELEASE_ADDRESS` and
    /// `HONINBO_LIST_KEY`, the person's own responsibility. `None` unless both are there.
    ///
    /// # Errors
    /// [`ListError::Signature`] where the key is none.
    pub fn releases_of_environment() -> Result<Option<Self>, ListError> {
        let named = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let (Some(address), Some(key)) = (named("HONINBO_RELEASE_ADDRESS"), named("HONINBO_LIST_KEY")) else {
            return Ok(None);
        };
        Ok(Some(Self { address, key: ListKey::from_base64(&key)? }))
    }

    fn compiled(address: &str, key: &str) -> Option<Self> {
        if address.is_empty() || key.is_empty() {
            return None;
        }
        match ListKey::from_base64(key) {
            Ok(key) => Some(Self { address: address.to_owned(), key }),
            Err(error) => {
                tracing::error!(%error, "the key for lists and releases, given when this program was built, is none");
                None
            }
        }
    }
}
