//! Who may renew the list.

use crate::error::ListError;
use minisign_verify::{PublicKey, Signature};

/// The key by which the maintainers' lists are known.
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

    /// Checks that `list` is what was signed, all of it.
    pub(crate) fn verify(&self, list: &[u8], signature: &str) -> Result<(), ListError> {
        // Signatures of the older form, which minisign stopped making, are refused.
        Ok(self.0.verify(list, &Signature::decode(signature)?, false)?)
    }
}

/// Where renewed lists come from, and who signs them.
#[derive(Clone)]
pub struct ListSource {
    /// https address of the list; its signature has the same one with `.minisig` behind it.
    pub address: String,
    /// The key.
    pub key: ListKey,
}

impl ListSource {
    /// The source that this program was built with: `HONINBO_LIST_ADDRESS` and `HONINBO_LIST_KEY` while compiling.
    /// `None` where there is none, and then no renewal is offered.
    pub fn built_in() -> Option<Self> {
        let (address, key) = (option_env!("HONINBO_LIST_ADDRESS")?, option_env!("HONINBO_LIST_KEY")?);
        if address.is_empty() || key.is_empty() {
            return None;
        }
        match ListKey::from_base64(key) {
            Ok(key) => Some(Self { address: address.to_owned(), key }),
            Err(error) => {
                tracing::error!(%error, "the key for lists of networks, given when this program was built, is none");
                None
            }
        }
    }
}
