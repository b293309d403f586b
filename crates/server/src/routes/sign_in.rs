//! Logging in by an OpenID Connect provider, and logging out there.
//!
//! What a browser begins here it ends here: a cookie that no script reads binds it to what has begun, and nothing of the
//! provider's, and no token, ever stands in an address of this server's pages.

use super::answers::{Ended, Left, Linkable, Sent, SignedIn};
use super::failure::Failure;
use super::guard::{Club, Given, address};
use super::handlers::{Answer, Body, Shared, Source, ok};
use crate::accounts::{self, Account, LIFETIME, Purpose, SignIn, SignInError};
use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use specta::Type;

/// An answer, and what the browser keeps or forgets with it.
type WithCookie<T> = Result<(HeaderMap, Json<T>), Failure>;

/// What a browser keeps while it is away to log in, and what while it is away to log out.
const COOKIE: &str = "honinbo_sign_in";
const LEAVING: &str = "honinbo_sign_out";
/// Where the provider sends it back to; what is registered there.
pub(super) const CALLBACK: &str = "/api/oidc/callback";
/// Where the provider sends a browser back to that has logged out there, and where it tells of sessions that have ended;
/// registered there, too.
pub(super) const LOGGED_OUT: &str = "/api/oidc/logged-out";
pub(super) const BACK_CHANNEL: &str = "/api/oidc/backchannel-logout";
/// The pages that go on with it.
const ENTER: &str = "/#/rooms/sign-in";
const LINK: &str = "/#/rooms/link";
const LEFT: &str = "/#/rooms/logged-out";
const ENTRANCE: &str = "/#/rooms";

#[derive(Deserialize, Type)]
#[serde(rename = "SignInBeginning", deny_unknown_fields)]
pub(super) struct Beginning {
    #[serde(default)]
    return_to: Option<String>,
}

pub(super) async fn begin(
    State(club): Shared,
    from: Source,
    headers: HeaderMap,
    Body(wanted): Body<Beginning>,
) -> WithCookie<Sent> {
    send_away(&club, from, &headers, Purpose::LogIn, wanted).await
}

pub(super) async fn begin_link(
    State(club): Shared,
    from: Source,
    headers: HeaderMap,
    Extension(account): Extension<Account>,
    Body(wanted): Body<Beginning>,
) -> WithCookie<Sent> {
    if account.guest {
        return Err(accounts::AccountError::GuestLink.into());
    }
    send_away(&club, from, &headers, Purpose::Link(account.id), wanted).await
}

async fn send_away(
    club: &Club,
    from: Source,
    headers: &HeaderMap,
    purpose: Purpose,
    wanted: Beginning,
) -> WithCookie<Sent> {
    let sign_in = provider(club)?;
    let own = own_address(club, sign_in, headers);
    let secure = own.starts_with("https://");
    let callback = format!("{own}{CALLBACK}");
    let from = address(from.as_deref());
    let begun = sign_in.begin(club.rooms.accounts(), purpose, wanted.return_to, callback, from).await;
    let (cookie, url) = begun?;
    Ok((set_cookie(COOKIE, cookie.as_str(), LIFETIME.as_secs(), secure), Json(Sent { url })))
}

#[derive(Deserialize)]
pub(super) struct Returned {
    #[serde(default)]
    state: String,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

/// The browser comes back from the provider. Whatever it brings, it goes on to a page of ours.
pub(super) async fn callback(
    State(club): Shared,
    headers: HeaderMap,
    returned: Result<Query<Returned>, QueryRejection>,
) -> Result<Response, Failure> {
    let sign_in = provider(&club)?;
    let Query(Returned { state, code, error, iss }) =
        returned.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    let answer = accounts::Answer { state, code, error, issuer: iss };
    let purpose = match cookie(&headers, COOKIE) {
        Some(cookie) => sign_in.answered(cookie, answer).await,
        None => None,
    };
    let page = if matches!(purpose, Some(Purpose::Link(_))) { LINK } else { ENTER };
    Ok(to_page(page))
}

/// On to a page of ours.
fn to_page(page: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, page), (header::CACHE_CONTROL, "no-store")]).into_response()
}

#[derive(Deserialize, Type)]
#[serde(rename = "SignInEntering", deny_unknown_fields)]
pub(super) struct Entering {
    #[serde(default)]
    code: Option<String>,
}

pub(super) async fn enter(
    State(club): Shared,
    from: Source,
    headers: HeaderMap,
    Body(entering): Body<Entering>,
) -> WithCookie<SignedIn> {
    let sign_in = provider(&club)?;
    let cookie = cookie(&headers, COOKIE).ok_or(SignInError::Gone)?;
    let from = address(from.as_deref());
    let done = sign_in.enter(club.rooms.accounts(), cookie, entering.code.as_deref(), from).await?;
    Ok((forget_cookie(COOKIE), Json(SignedIn { entered: done.what.into(), return_to: done.return_to })))
}

pub(super) async fn finish_link(
    State(club): Shared,
    headers: HeaderMap,
    Extension(account): Extension<Account>,
) -> WithCookie<Ended> {
    let sign_in = provider(&club)?;
    let cookie = cookie(&headers, COOKIE).ok_or(SignInError::Gone)?;
    let done = sign_in.link(club.rooms.accounts(), cookie, &account).await?;
    Ok((forget_cookie(COOKIE), Json(Ended { return_to: done.return_to })))
}

pub(super) async fn links(
    State(club): Shared,
    Extension(account): Extension<Account>,
    Extension(Given(token)): Extension<Given>,
) -> Answer<Linkable> {
    let accounts = club.rooms.accounts();
    let links = accounts.links(&account).await?;
    let log_out_there = match club.rooms.sign_in() {
        Some(sign_in) => sign_in.offers_log_out(accounts, &token).await?,
        None => false,
    };
    ok(Linkable { password: links.password, linked: links.issuer.is_some(), log_out_there })
}

/// Somebody logs out here, and then at the provider.
pub(super) async fn log_out(
    State(club): Shared,
    headers: HeaderMap,
    Extension(Given(token)): Extension<Given>,
) -> WithCookie<Left> {
    let sign_in = provider(&club)?;
    let own = own_address(&club, sign_in, &headers);
    let left = sign_in.log_out(club.rooms.accounts(), &token, format!("{own}{LOGGED_OUT}")).await?;
    let Some(left) = left else { return Ok((HeaderMap::new(), Json(Left { url: None }))) };
    let cookie = set_cookie(LEAVING, &left.state, LIFETIME.as_secs(), own.starts_with("https://"));
    Ok((cookie, Json(Left { url: Some(left.address) })))
}

#[derive(Deserialize)]
pub(super) struct Gone {
    #[serde(default)]
    state: String,
}

/// The browser comes back from where it has logged out. Only to one that left for it is that said: a link that somebody
/// else made leads to the way in.
pub(super) async fn logged_out(
    State(club): Shared,
    headers: HeaderMap,
    returned: Result<Query<Gone>, QueryRejection>,
) -> Result<Response, Failure> {
    provider(&club)?;
    let Query(Gone { state }) = returned.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    if cookie(&headers, LEAVING).is_none_or(|left| left.is_empty() || left != state) {
        return Ok(to_page(ENTRANCE));
    }
    Ok((forget_cookie(LEAVING), to_page(LEFT)).into_response())
}

#[derive(Deserialize, Type)]
#[serde(rename = "ProviderLogout")]
pub(super) struct Told {
    logout_token: String,
}

/// The provider itself tells of a session that has ended (OpenID Connect Back-Channel Logout 1.0, 2.5). What it signed is
/// what counts, whoever brings it.
pub(super) async fn back_channel(
    State(club): Shared,
    told: Result<Form<Told>, FormRejection>,
) -> Result<Response, Failure> {
    let sign_in = provider(&club)?;
    let Form(Told { logout_token }) = told.map_err(|rejection| Failure::malformed(rejection.body_text()))?;
    sign_in.logged_out(club.rooms.accounts(), logout_token).await.map_err(|error| match error {
        // The same specification, 2.8.
        SignInError::Refused => Failure::new(StatusCode::BAD_REQUEST, error.kind(), "the token is not accepted"),
        error => error.into(),
    })?;
    Ok((StatusCode::OK, [(header::CACHE_CONTROL, "no-store")]).into_response())
}

pub(super) async fn unlink(State(club): Shared, Extension(account): Extension<Account>) -> Result<StatusCode, Failure> {
    club.rooms.accounts().unlink(&account).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn provider(club: &Club) -> Result<&SignIn, Failure> {
    club.rooms.sign_in().ok_or_else(|| SignInError::NoProvider.into())
}

/// How the browser writes this server's address. A name has been allowed before a request comes here.
fn own_address(club: &Club, sign_in: &SignIn, headers: &HeaderMap) -> String {
    match sign_in.own_address() {
        Some(said) => said.trim_end_matches('/').to_owned(),
        None => {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            format!("{}://{host}", club.scheme)
        }
    }
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = all.flat_map(|value| value.split(';')).map(str::trim);
    pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Not read by scripts, and sent along only when the browser itself goes here.
fn set_cookie(name: &str, value: &str, seconds: u64, secure: bool) -> HeaderMap {
    let secure = if secure { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/api/oidc; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut headers = HeaderMap::new();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers
}

/// The browser forgets what is over.
fn forget_cookie(name: &str) -> HeaderMap {
    set_cookie(name, "", 0, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        let found = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_static(text));
            cookie(&headers, COOKIE).map(str::to_owned)
        };
        assert_eq!(found("a=b; honinbo_sign_in=c; d=e"), Some("c".into()));
        assert_eq!(found("honinbo_sign_in_other=c; xhoninbo_sign_in=d"), None);
        assert_eq!((found(""), cookie(&HeaderMap::new(), COOKIE)), (None, None));
    }
}
