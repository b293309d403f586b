//! What nobody can guess.

use crate::error::OidcError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// 256 random bits as 43 letters that can stand in an address.
pub(crate) fn random() -> Result<String, OidcError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|_| OidcError::Random)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// What is said of a verifier before it is shown (RFC 7636, 4.2, `S256`).
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(random().unwrap().len(), 43);
        assert_ne!(random().unwrap(), random().unwrap());
    }
}
