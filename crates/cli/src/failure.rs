//! Failures as one line: what, where, and what to do.

use honinbo_api::ApiError;
use honinbo_search::SearchError;
use honinbo_shelf::{DownloadError, FetchError, ListError, RuntimeShelfError, UpdateError};
use std::io;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It failed; status 1.
    Failed {
        /// What failed, with the value or the place.
        message: String,
        /// What to do about it; may be empty.
        hint: String,
    },
    /// What was asked for makes no sense; status 2.
    Usage(String),
    /// Nobody reads the output any more.
    ClosedPipe,
    /// It was asked to end, which whoever started it wants to know by this status; there is nothing to say about it.
    Stopped(u8),
}

impl Failure {
    /// A failure with a remedy, or with an empty one.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), hint: hint.into() }
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        match self {
            Self::Failed { .. } => 1,
            Self::Usage(_) => 2,
            Self::ClosedPipe => 0,
            Self::Stopped(status) => *status,
        }
    }

    /// What failed, for programs.
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Failed { message, .. } | Self::Usage(message) => message,
            Self::ClosedPipe => "the output was closed",
            Self::Stopped(_) => "it was asked to end",
        }
    }

    /// The line for standard error.
    pub(crate) fn line(&self) -> String {
        let text = match self {
            Self::Failed { message, hint } if hint.is_empty() => format!("error: {message}"),
            Self::Failed { message, hint } => format!("error: {message}; {hint}"),
            Self::Usage(message) => format!("error: {message}; see --help"),
            Self::ClosedPipe => "error: the output was closed".into(),
            Self::Stopped(_) => "error: it was asked to end".into(),
        };
        // Names of files and messages of other programs may hold anything.
        text.split(['\n', '\r'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
            .replace(|letter: char| letter.is_control(), "\u{fffd}")
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        let message = error.to_string();
        match error {
            ApiError::EngineUnavailable { hint, .. }
            | ApiError::Library { hint, .. }
            | ApiError::DamagedLibrary { hint, .. } => Self::new(message, hint),
            ApiError::Internal { .. } => {
                Self::new(message, "run it again with HONINBO_LOG=debug and report what it says")
            }
            _ => Self::new(message, ""),
        }
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
        Self::new(format!("{error}{cause}"), error.hint().unwrap_or_default())
    }
}

impl From<DownloadError> for Failure {
    fn from(error: DownloadError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<ListError> for Failure {
    fn from(error: ListError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<RuntimeShelfError> for Failure {
    fn from(error: RuntimeShelfError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<UpdateError> for Failure {
    fn from(error: UpdateError) -> Self {
        Self::new(error.to_string(), error.hint())
    }
}

impl From<io::Error> for Failure {
    /// For writing to standard output; reading says which file.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::new(format!("the output cannot be written: {error}"), "")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line_whatever_is_in_it() {
        let failure = Failure::new("a\nb\r\n c\u{1b}[31m", "try\tagain");
        assert_eq!(failure.line(), "error: a b c\u{fffd}[31m; try\u{fffd}again");
    }
}
