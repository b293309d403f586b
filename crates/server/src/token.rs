//! The secret that lets a browser in.

use crate::ServeError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// Hexadecimal digits of a token.
const DIGITS: usize = 64;

/// A random token: 256 bits as 64 hexadecimal digits. Printed in the address and never logged.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn random() -> Result<Self, ServeError> {
        let mut bytes = [0_u8; DIGITS / 2];
        getrandom::fill(&mut bytes).map_err(|error| ServeError::Random(error.to_string()))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The token of a file, so that an address and an icon made of it work after the next start too. A new one is made
    /// where there is none, where the file holds no token, where others may have read it, and where `renew` wants it.
    pub(crate) fn kept(file: &Path, renew: bool) -> Result<Self, ServeError> {
        let failed = |source| ServeError::TokenFile { file: file.to_path_buf(), source };
        if !renew && let Some(token) = Self::read(file).map_err(failed)? {
            return Ok(token);
        }
        let token = Self::random()?;
        token.write(file).map_err(failed)?;
        Ok(token)
    }

    fn read(path: &Path) -> io::Result<Option<Self>> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let facts = file.metadata()?;
        if !facts.is_file() || is_open_to_others(&facts) {
            return Ok(None);
        }
        let mut text = Vec::new();
        file.take(DIGITS as u64 + 3).read_to_end(&mut text)?;
        let text = String::from_utf8(text).unwrap_or_default();
        let digits = text.trim_end();
        let whole = digits.len() == DIGITS && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        Ok(whole.then(|| Self(digits.to_string())))
    }

    /// Writes the token so that nobody else can read it at any moment, and that the file is whole or not there.
    fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let fresh = path.with_extension(format!("new{}", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // One that a killed program left there is nobody's.
        let _ = fs::remove_file(&fresh);
        let written = options.open(&fresh).and_then(|mut file| {
            writeln!(file, "{}", self.0)?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&fresh, path)).inspect_err(|_| {
            let _ = fs::remove_file(&fresh);
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in a time that does not depend on where the first difference is.
    pub(crate) fn matches(&self, given: &str) -> bool {
        let own = self.0.as_bytes();
        let given = given.as_bytes();
        let differences = own.iter().zip(given).fold(own.len() ^ given.len(), |sum, (a, b)| sum | usize::from(a ^ b));
        differences == 0
    }
}

/// Whether somebody besides the owner may read a file. Where files have no such bits, the folder's own rights hold.
fn is_open_to_others(facts: &fs::Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o077 != 0;
    #[cfg(not(unix))]
    {
        let _ = facts;
        false
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_matches() {
        let token = Token::random().unwrap();
        assert_eq!(token.as_str().len(), 64);
        assert!(token.matches(token.as_str()));
        assert!(!token.matches(""));
        assert!(!token.matches(&token.as_str()[..63]));
        assert!(!token.matches(&format!("{}0", token.as_str())));
        assert!(!token.matches(Token::random().unwrap().as_str()));
        assert!(!format!("{token:?}").contains(token.as_str()), "it is not logged by accident");
    }

    #[test]
    fn a_kept_token_is_the_same_until_a_new_one_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data/web-token");
        let first = Token::kept(&file, false).unwrap();
        assert!(Token::kept(&file, false).unwrap().matches(first.as_str()));
        let second = Token::kept(&file, true).unwrap();
        assert!(!second.matches(first.as_str()));
        assert!(Token::kept(&file, false).unwrap().matches(second.as_str()));
        let names: Vec<_> =
            fs::read_dir(file.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["web-token"]);
    }

    #[test]
    fn a_file_without_a_token_gets_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("web-token");
        let good = Token::random().unwrap();
        for damaged in ["", "0", "g".repeat(64).as_str(), good.as_str().to_uppercase().as_str(), &"a".repeat(4000)] {
            Token::random().unwrap().write(&file).unwrap();
            fs::write(&file, damaged).unwrap();
            let token = Token::kept(&file, false).unwrap();
            assert_eq!(token.as_str().len(), 64, "{damaged}");
            assert!(!token.matches(damaged));
        }
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(matches!(Token::kept(&file, false), Err(ServeError::TokenFile { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_the_file_and_one_that_others_could_read_is_replaced() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("web-token");
        let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        let first = Token::kept(&file, false).unwrap();
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(!Token::kept(&file, false).unwrap().matches(first.as_str()));
        assert_eq!(mode(), 0o600);
    }
}
