//! The signatures that a token may have, checked by the library that TLS uses here as well.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, new_error};
use jsonwebtoken::signature::{Error, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};
use ring::signature::{self as ways, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};

/// With a public key all of them: a secret that two share would let a client write tokens.
pub(crate) const ACCEPTED: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

static RING: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(new_error(ErrorKind::UnsupportedAlgorithm)),
    verifier_factory: |algorithm, key| {
        let fits = ACCEPTED.contains(algorithm) && key.family() == algorithm.family();
        if !fits || key.family() == AlgorithmFamily::Hmac {
            return Err(new_error(ErrorKind::InvalidKeyFormat));
        }
        Ok(Box::new(ByRing { algorithm: *algorithm, key: key.clone() }))
    },
    // Fingerprints of keys, which nobody here asks for.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Has tokens checked by ring. What is said first holds for the program.
pub(crate) fn install() {
    let _ = RING.install_default(); // It was said before.
}

struct ByRing {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl Verifier<Vec<u8>> for ByRing {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), Error> {
        let checked = match self.key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                let parameters = rsa(self.algorithm).ok_or_else(Error::new)?;
                RsaPublicKeyComponents { n: bare(n), e: bare(e) }.verify(parameters, message, signature)
            }
            DecodingKeyKind::SecretOrDer(point) => {
                let curve = curve(self.algorithm).ok_or_else(Error::new)?;
                UnparsedPublicKey::new(curve, point).verify(message, signature)
            }
        };
        checked.map_err(|_| Error::new())
    }
}

impl JwtVerifier for ByRing {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

/// Some providers write a leading zero, as signed numbers have it.
fn bare(number: &[u8]) -> &[u8] {
    let zeros = number.iter().take_while(|&&byte| byte == 0).count();
    &number[zeros..]
}

fn rsa(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    Some(match algorithm {
        Algorithm::RS256 => &ways::RSA_PKCS1_2048_8192_SHA256,
        Algorithm::RS384 => &ways::RSA_PKCS1_2048_8192_SHA384,
        Algorithm::RS512 => &ways::RSA_PKCS1_2048_8192_SHA512,
        Algorithm::PS256 => &ways::RSA_PSS_2048_8192_SHA256,
        Algorithm::PS384 => &ways::RSA_PSS_2048_8192_SHA384,
        Algorithm::PS512 => &ways::RSA_PSS_2048_8192_SHA512,
        _ => return None,
    })
}

fn curve(algorithm: Algorithm) -> Option<&'static dyn VerificationAlgorithm> {
    Some(match algorithm {
        Algorithm::ES256 => &ways::ECDSA_P256_SHA256_FIXED,
        Algorithm::ES384 => &ways::ECDSA_P384_SHA384_FIXED,
        Algorithm::EdDSA => &ways::ED25519,
        _ => return None,
    })
}
