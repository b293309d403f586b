//! Why somebody was not let in.

use honinbo_library::StoreError;

/// Why something about an account was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AccountError {
    #[error("{0}")]
    BadName(&'static str),
    #[error("{0}")]
    BadPassword(&'static str),
    #[error("that name is taken")]
    NameTaken,
    #[error("the name or the password is wrong")]
    WrongCredentials,
    #[error("registering here takes a code from whoever runs this server")]
    NeedsCode,
    #[error("that code is not valid: it was used, is too old, or another one was made since")]
    BadResetCode,
    #[error("this server has no guests: register, or log in")]
    NoGuests,
    #[error("that is linked already: your account to another person there, or the person to another account here")]
    Linked,
    #[error("nobody could log in with this account any more: it has no password")]
    LastWayIn,
    #[error("a guest has no account that could be linked")]
    GuestLink,
    #[error("nobody has that account")]
    Unknown,
    #[error("too many attempts; try again in {seconds} s")]
    TooManyAttempts { seconds: u64 },
    #[error("the server cannot do that now; try again later")]
    Unavailable,
}

impl AccountError {
    /// A stable name, for programs and translations.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::BadName(_) => "bad_name",
            Self::BadPassword(_) => "bad_password",
            Self::NameTaken => "name_taken",
            Self::WrongCredentials => "wrong_credentials",
            Self::NeedsCode => "needs_code",
            Self::BadResetCode => "bad_reset_code",
            Self::NoGuests => "no_guests",
            Self::Linked => "linked_already",
            Self::LastWayIn => "last_way_in",
            Self::GuestLink => "guest_link",
            Self::Unknown => "unknown_player",
            Self::TooManyAttempts { .. } => "too_many_attempts",
            Self::Unavailable => "unavailable",
        }
    }
}

impl From<StoreError> for AccountError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NameTaken => return Self::NameTaken,
            StoreError::Linked => return Self::Linked,
            _ => {}
        }
        // Where the file lies and what is wrong with it is the operator's business.
        tracing::error!(%error, hint = error.hint(), "the server's store failed");
        Self::Unavailable
    }
}
