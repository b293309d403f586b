//! The secret that lets a browser in.

use crate::ServeError;

/// A random token: 256 bits as 64 hexadecimal digits. Made once when the server starts, printed in the address.
#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) fn random() -> Result<Self, ServeError> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| ServeError::Random(error.to_string()))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
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
    }
}
