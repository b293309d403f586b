//! Errors of the REST routes: a status and `{"error":{"kind","message"}}`.

use crate::accounts::{AccountError, SignInError};
use crate::rooms::OpenError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use honinbo_rooms::TournamentError;
use serde::Serialize;
use specta::Type;

/// Why a request was refused.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    kind: &'static str,
    message: String,
    retry_after: Option<u64>,
}

/// What is answered then.
#[derive(Serialize, Type)]
#[serde(rename = "RouteFailed")]
pub(super) struct Failed {
    error: Refusal,
}

#[derive(Serialize, Type)]
#[serde(rename = "RouteRefusal")]
struct Refusal {
    /// A stable name.
    kind: &'static str,
    /// A sentence in English, for those without words of their own.
    message: String,
}

impl Failure {
    pub(super) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into(), retry_after: None }
    }

    /// A body, a path or a query of another form.
    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// For somebody who is known, a wrong password is no missing token.
    pub(super) fn for_the_known(self) -> Self {
        let status = if self.status == StatusCode::UNAUTHORIZED { StatusCode::FORBIDDEN } else { self.status };
        Self { status, ..self }
    }
}

/// What was sent on to this server is another one's, which has to be looked for again.
pub(crate) fn misdirected() -> Response {
    Failure::new(StatusCode::MISDIRECTED_REQUEST, "elsewhere", "another server has that now; look again")
        .into_response()
}

/// Nobody can do it at the moment.
pub(crate) fn unavailable() -> Response {
    Failure::from(OpenError::Unavailable).into_response()
}

impl From<AccountError> for Failure {
    fn from(error: AccountError) -> Self {
        let status = match &error {
            AccountError::BadPassword(_) => StatusCode::BAD_REQUEST,
            AccountError::BadName(_) | AccountError::NameTaken | AccountError::Linked | AccountError::LastWayIn => {
                StatusCode::CONFLICT
            }
            AccountError::WrongCredentials => StatusCode::UNAUTHORIZED,
            AccountError::NeedsCode | AccountError::BadResetCode | AccountError::NoGuests | AccountError::GuestLink => {
                StatusCode::FORBIDDEN
            }
            AccountError::Unknown => StatusCode::NOT_FOUND,
            AccountError::TooManyAttempts { .. } => StatusCode::TOO_MANY_REQUESTS,
            AccountError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        let retry_after = match &error {
            AccountError::TooManyAttempts { seconds } => Some(*seconds),
            _ => None,
        };
        Self { status, kind: error.kind(), message: error.to_string(), retry_after }
    }
}

impl From<SignInError> for Failure {
    fn from(error: SignInError) -> Self {
        let status = match &error {
            SignInError::NoProvider => StatusCode::NOT_FOUND,
            SignInError::Return => StatusCode::BAD_REQUEST,
            SignInError::Gone | SignInError::Denied | SignInError::NotAllowed => StatusCode::FORBIDDEN,
            SignInError::Unreachable | SignInError::Refused => StatusCode::BAD_GATEWAY,
            SignInError::Account(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        match error {
            SignInError::Account(error) => error.into(),
            error => Self::new(status, error.kind(), error.to_string()),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let status = match &error {
            OpenError::UnknownRoom
            | OpenError::UnknownEngine
            | OpenError::NotOnline
            | OpenError::NotInvited
            | OpenError::UnknownGame
            | OpenError::UnknownTournament
            | OpenError::Tournament(
                TournamentError::UnknownPlayer | TournamentError::UnknownPairing | TournamentError::UnknownRound,
            ) => StatusCode::NOT_FOUND,
            OpenError::Tournament(error) if error.is_malformed() => StatusCode::BAD_REQUEST,
            OpenError::Terms(_) | OpenError::BadLesson(_) => StatusCode::BAD_REQUEST,
            OpenError::TooManyOfYours
            | OpenError::NoSeat
            | OpenError::Yourself
            | OpenError::DoNotFit(_)
            | OpenError::NotRated
            | OpenError::TooManyTournaments
            | OpenError::CopiedElsewhere
            | OpenError::Tournament(_) => StatusCode::CONFLICT,
            OpenError::NotYours | OpenError::NotTheOrganiser | OpenError::NeedsAccount => StatusCode::FORBIDDEN,
            OpenError::TooMany | OpenError::LessonFull | OpenError::Moved | OpenError::Unavailable => {
                StatusCode::SERVICE_UNAVAILABLE
            }
        };
        Self::new(status, error.kind(), error.to_string())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = Failed { error: Refusal { kind: self.kind, message: self.message } };
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
