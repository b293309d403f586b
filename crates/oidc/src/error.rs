//! What can go wrong between a provider and here.

use std::time::Duration;

/// Longest part of somebody else's words that is repeated.
const MAX_REASON: usize = 200;

/// Why nobody was let in by the provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OidcError {
    /// No connection, or one that broke.
    #[error("the provider cannot be reached: {reason}")]
    Unreachable {
        /// What the system said.
        reason: String,
    },
    /// Nothing came in time.
    #[error("the provider did not answer within {} s", after.as_secs())]
    Deadline {
        /// How long was waited.
        after: Duration,
    },
    /// It answered with an error.
    #[error("the provider refused: {reason}")]
    Refused {
        /// What it said, one line.
        reason: String,
    },
    /// It did not let the person in, or the person did not want to.
    #[error("the provider let nobody in: {reason}")]
    Denied {
        /// The error's name as OpenID Connect has it.
        reason: String,
    },
    /// What it says of itself cannot be used.
    #[error("the provider's description cannot be used: {reason}")]
    Description {
        /// What is wrong with it.
        reason: String,
    },
    /// Its answer is not what the protocol describes.
    #[error("the provider's answer cannot be used: {reason}")]
    Malformed {
        /// What is wrong with it.
        reason: String,
    },
    /// Its ID token is not one for this log-in.
    #[error("the provider's token is not accepted: {0}")]
    Token(#[from] TokenFault),
    /// The system gave no random numbers.
    #[error("the system gives no random numbers")]
    Random,
}

impl OidcError {
    /// What the operator can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } | Self::Deadline { .. } => "check the issuer's address, and its certificate",
            Self::Refused { .. } => "check client id, client secret and the redirect address registered there",
            Self::Denied { .. } => "check at the provider who may use this client",
            Self::Description { .. } => "the issuer must be written exactly as the provider writes it",
            Self::Malformed { .. } | Self::Token(_) => "check the machine's clock, and the provider's log",
            Self::Random => "look at the system's entropy source",
        }
    }
}

/// What is wrong with an ID token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// It is no token, or signed in a way that is not accepted, such as not at all.
    #[error("it is not signed with a public key in a way that is known here")]
    Algorithm,
    /// No key of the provider has the name that it says.
    #[error("the provider has no such key")]
    UnknownKey,
    /// The signature is somebody else's.
    #[error("the signature is wrong")]
    Signature,
    /// It comes from another issuer.
    #[error("it is another issuer's")]
    Issuer,
    /// It was made for another program.
    #[error("it is for another client")]
    Audience,
    /// Its time is over.
    #[error("it has expired")]
    Expired,
    /// Its time has not begun.
    #[error("it is of the future")]
    Future,
    /// It answers another question.
    #[error("it belongs to another log-in")]
    Nonce,
    /// The access token that came with it is another one than it says.
    #[error("another access token came with it")]
    AccessToken,
    /// It does not say who somebody is.
    #[error("it names nobody")]
    Subject,
    /// It does not say that somebody has logged out.
    #[error("it tells of no log-out")]
    NoLogOut,
    /// It has no number by which it is known again.
    #[error("it has no number of its own")]
    Unnumbered,
    /// It was brought before.
    #[error("it was used already")]
    Repeated,
}

/// The first line of somebody else's words, without what a terminal would take for a command.
pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().filter(|c| !c.is_control()).take(MAX_REASON).collect()
}
