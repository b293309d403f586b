//! Passwords: what may be one, and how it is kept.

use super::AccountError;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

/// NIST SP 800-63B: length is what counts; 8 characters at least.
const MIN_CHARS: usize = 8;
const MAX_BYTES: usize = 1024;

pub(super) fn check(password: &str) -> Result<(), AccountError> {
    if password.chars().count() < MIN_CHARS {
        return Err(AccountError::BadPassword("a password has at least 8 characters"));
    }
    if password.len() > MAX_BYTES {
        return Err(AccountError::BadPassword("a password has at most 1024 bytes"));
    }
    Ok(())
}

/// A PHC string: Argon2id with a random salt, 19 MiB, 2 passes, 1 lane (OWASP's recommendation and the crate's default).
pub(super) fn hash(password: &str) -> Result<String, AccountError> {
    let hashed = Argon2::default().hash_password(password.as_bytes()).map_err(|error| {
        tracing::error!(%error, "a password cannot be hashed");
        AccountError::Unavailable
    })?;
    Ok(hashed.to_string())
}

/// Takes as long for a wrong password as for the right one.
pub(super) fn matches(password: &str, stored: &str) -> bool {
    match PasswordHash::new(stored) {
        Ok(stored) => Argon2::default().verify_password(password.as_bytes(), &stored).is_ok(),
        Err(error) => {
            tracing::error!(%error, "a stored password cannot be read");
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_kept_as_argon2id_with_a_salt() {
        let stored = hash("correct horse").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash("correct horse").unwrap());
        assert!(matches("correct horse", &stored));
        assert!(!matches("correct horse ", &stored) && !matches("", &stored));
        assert!(!matches("anything", "no hash"));
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert!(check("1234567").is_err() && check(&"x".repeat(1025)).is_err());
        assert!(check("12345678").is_ok() && check("四個字不夠長啊吧").is_ok());
    }
}
