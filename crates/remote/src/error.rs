//! What can be wrong with one server, and with all of them.

use std::fmt;
use std::time::Duration;

use http::StatusCode;

/// The longest rest that a server may ask for.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);

/// The number by which a server says what it will not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A status of HTTP, such as 404.
    Http(u16),
    /// A code of gRPC, 0 to 16.
    Grpc(u8),
}

/// The codes of gRPC by their names.
const GRPC_CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http(status) => write!(f, "{status}"),
            Self::Grpc(code) => f.write_str(GRPC_CODES.get(usize::from(*code)).unwrap_or(&"UNKNOWN")),
        }
    }
}

/// Why a server did not answer, or is not asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EndpointError {
    /// No connection, or one that broke.
    #[error("it cannot be reached: {reason}")]
    Unreachable {
        /// What the system said.
        reason: String,
    },
    /// Its certificate is not one that is trusted.
    #[error("its certificate is not trusted: {reason}")]
    Certificate {
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing came in time.
    #[error("it did not answer within {:.1} seconds", after.as_secs_f64())]
    Deadline {
        /// How long was waited.
        after: Duration,
    },
    /// It asks to be left alone for a while.
    #[error("it is busy: {message}")]
    Busy {
        /// What it said.
        message: String,
        /// When it wants to be asked again, where it says.
        retry_after: Option<Duration>,
    },
    /// It failed by itself.
    #[error("it failed: {status} {message}")]
    Failed {
        /// By HTTP, 500 and above.
        status: Refusal,
        /// What it said, one line.
        message: String,
    },
    /// It lets nobody in without another token.
    #[error("it refuses the token, or wants one: {status} {message}")]
    Unauthorised {
        /// By HTTP, 401 or 403.
        status: Refusal,
        /// What it said, one line.
        message: String,
    },
    /// It refuses the request.
    #[error("it refuses: {status} {message}")]
    Refused {
        /// What it answered with.
        status: Refusal,
        /// What it said, one line.
        message: String,
    },
    /// Its answer is not what the protocol describes, or has not the numbers that were asked for.
    #[error("its answer cannot be used: {reason}")]
    Malformed {
        /// What is wrong with it.
        reason: String,
    },
    /// Its model takes or gives other arrays than the network has.
    #[error("its model {model} is not this network: {reason}")]
    Model {
        /// Name of the model.
        model: String,
        /// What does not fit.
        reason: String,
    },
    /// It answered with infinity or "not a number".
    #[error("its {output} is not a finite number")]
    NotFinite {
        /// Which output.
        output: &'static str,
    },
    /// Its model is another one than was compared with the network here.
    #[error("its model {model} was replaced while it runs")]
    ModelReplaced {
        /// Name of the model.
        model: String,
    },
    /// It answers known positions otherwise.
    #[error("its model {model} is another network: {difference}")]
    OtherNetwork {
        /// Name of the model.
        model: String,
        /// What differs, and by how much.
        difference: String,
    },
}

impl EndpointError {
    /// Whether somebody has to change something: asking again soon would find the same.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Deadline { .. }
            | Self::Busy { .. }
            | Self::Failed { .. }
            | Self::ModelReplaced { .. } => false,
            Self::Certificate { .. }
            | Self::Unauthorised { .. }
            | Self::Refused { .. }
            | Self::Malformed { .. }
            | Self::Model { .. }
            | Self::NotFinite { .. }
            | Self::OtherNetwork { .. } => true,
        }
    }

    /// What an operator can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "check the address, and whether the server runs",
            Self::Certificate { .. } => {
                "give the certificate of its authority (--inference-ca), and name it as the certificate does"
            }
            Self::Deadline { .. } => "look at the server's load",
            Self::Busy { .. } => "give it more instances, or name another server as well",
            Self::Failed { .. } => "look at the server's log",
            Self::Unauthorised { .. } => "check the token (--inference-token-file)",
            Self::Refused { .. } => "check the model's name (--inference-model) and the server's log",
            Self::Malformed { .. } => "check that it speaks the Open Inference Protocol, version 2",
            Self::ModelReplaced { .. } => "wait until it was compared with the network here again",
            Self::Model { .. } | Self::OtherNetwork { .. } | Self::NotFinite { .. } => {
                "serve what `honinbo net export` writes of the same network"
            }
        }
    }
}

/// Why no servers can be used as they were named.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConnectError {
    /// None was named.
    #[error("no inference server is named")]
    NoEndpoint,
    /// A token would travel in the clear.
    #[error("the token would travel unencrypted to {address}")]
    TokenInTheClear {
        /// The server.
        address: String,
    },
    /// The model's name cannot stand in an address.
    #[error("{name:?} cannot be the name of a model")]
    ModelName {
        /// What was given.
        name: String,
    },
    /// No server can be used before somebody changes something.
    #[error("the inference server {address} cannot be used: {error}")]
    Refused {
        /// The server.
        address: String,
        /// Why.
        error: EndpointError,
    },
    /// The network here, with which servers are compared, does not answer.
    #[error(transparent)]
    Reference(#[from] honinbo_evaluator::EvalError),
    /// The system gave no thread.
    #[error("a thread cannot be started: {0}")]
    Thread(String),
}

impl ConnectError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoEndpoint => "name one with --inference",
            Self::TokenInTheClear { .. } => "use https or grpcs, or leave the token away",
            Self::ModelName { .. } => "use letters, digits, dots, hyphens and underscores",
            Self::Refused { error, .. } => error.hint(),
            Self::Reference(error) => error.hint().unwrap_or_default(),
            Self::Thread(_) => "close other programs",
        }
    }
}

/// What a status of HTTP other than 200 means.
pub(crate) fn refused_by_http(status: StatusCode, message: String, retry_after: Option<Duration>) -> EndpointError {
    let retry_after = retry_after.map(|time| time.min(MAX_RETRY_AFTER));
    let status = status.as_u16();
    let refusal = Refusal::Http(status);
    match status {
        429 | 503 => EndpointError::Busy { message, retry_after },
        401 | 403 => EndpointError::Unauthorised { status: refusal, message },
        500.. => EndpointError::Failed { status: refusal, message },
        _ => EndpointError::Refused { status: refusal, message },
    }
}

/// One line of what a server said, short enough for a sentence.
pub(crate) fn first_line(text: &str) -> String {
    const MAX: usize = 200;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason given");
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = line.chars().take(MAX).map(clean).collect();
    if line.chars().count() > MAX {
        short.push('…');
    }
    short
}
