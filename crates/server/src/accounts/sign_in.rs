//! Logging in by an OpenID Connect provider: what has begun and is not over yet, and who comes of it. And logging out
//! there, whoever begins it.

use super::{Account, AccountError, Accounts, LoggedIn, Registration, hash};
use crate::clock::Clock;
use crate::token::Token;
use honinbo_library::{AccountId, Linked, TokenHash};
use honinbo_oidc::{Identity, LogOut, LoggedOut, Now, OidcError, Provider, Secrets, Settings, SettingsError};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// From the press of the button to being in.
pub(crate) const LIFETIME: Duration = Duration::from_secs(600);
/// Log-ins that wait for an answer at a time. One more, and the oldest has taken too long.
const MAX_WAITING: usize = 2_000;
/// Threads that wait for the provider at a time.
const MAX_ASKING: usize = 8;
/// How long one is waited for.
const QUEUE: Duration = Duration::from_secs(15);
/// How long whoever asks how they can log out waits for the provider, which knows that.
const A_MOMENT: Duration = Duration::from_secs(2);
/// Longest address on this server that somebody comes back to.
const MAX_RETURN: usize = 200;
/// Where the pages of rooms are.
const PAGES: &str = "#/rooms";

/// A provider by which people log in, and who of them may.
#[derive(Debug, Clone)]
pub struct OidcOptions {
    /// How it is asked.
    pub provider: Settings,
    /// What stands on the button.
    pub name: String,
    /// How browsers write this server's address, such as `https://go.example.org`; as the request had it where nothing
    /// is said.
    pub address: Option<String>,
    /// Who gets an account that has none; as for others where nothing is said.
    pub new_people: Option<Registration>,
    /// The domains of e-mail addresses, verified by the provider, that may come in; all where there is none.
    pub domains: Vec<String>,
    /// The claim, and the value, of those who are operators.
    pub operator: Option<(String, String)>,
}

/// Why nobody came in by the provider.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignInError {
    #[error("this server has no other way to log in than name and password")]
    NoProvider,
    #[error("an address to come back to is one of this server's rooms")]
    Return,
    #[error("this log-in has taken too long, was used already or began in another browser; begin again")]
    Gone,
    #[error("the provider did not let you in")]
    Denied,
    #[error("the provider cannot be reached; try again later")]
    Unreachable,
    #[error("the provider's answer was not accepted; ask whoever runs this server")]
    Refused,
    #[error("your account there may not come in here")]
    NotAllowed,
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl SignInError {
    /// A stable name, for programs and translations.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::NoProvider => "no_provider",
            Self::Return => "malformed",
            Self::Gone => "sign_in_gone",
            Self::Denied => "provider_denied",
            Self::Unreachable => "provider_unreachable",
            Self::Refused => "provider_refused",
            Self::NotAllowed => "not_allowed_here",
            Self::Account(error) => error.kind(),
        }
    }
}

impl From<OidcError> for SignInError {
    /// What is wrong is for the log: a provider's words are not for everybody.
    fn from(error: OidcError) -> Self {
        match &error {
            OidcError::Denied { .. } => {
                tracing::info!(%error, "somebody was not let in");
                return Self::Denied;
            }
            _ => tracing::warn!(%error, hint = error.hint(), "logging in by the provider failed"),
        }
        match error {
            OidcError::Unreachable { .. } | OidcError::Deadline { .. } => Self::Unreachable,
            OidcError::Random => Self::Account(AccountError::Unavailable),
            _ => Self::Refused,
        }
    }
}

/// What somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    LogIn,
    /// To log in with this account by the provider, too.
    Link(AccountId),
}

/// How far a log-in is.
enum Stage {
    /// The browser was sent away.
    Asked(Box<Secrets>),
    /// Somebody is at work on it.
    Busy,
    /// The provider has said who it is.
    Known(Box<Identity>),
    Failed(SignInError),
}

struct Waiting {
    began: Duration,
    purpose: Purpose,
    return_to: String,
    stage: Stage,
}

/// What a browser brings back from the provider.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) state: String,
    pub(crate) code: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) issuer: Option<String>,
}

/// Somebody who has come in, or an account that is linked.
#[derive(Debug)]
pub(crate) struct Done<T> {
    pub(crate) what: T,
    pub(crate) return_to: String,
}

/// Whom the provider has named, and whose log-in that is.
struct Found {
    key: [u8; 32],
    identity: Box<Identity>,
    return_to: String,
}

/// The provider, and the log-ins that have begun. Each is known by the hash of what its browser has in a cookie.
pub(crate) struct SignIn {
    options: OidcOptions,
    provider: Arc<Provider>,
    clock: Clock,
    waiting: Mutex<HashMap<[u8; 32], Waiting>>,
    asking: Arc<Semaphore>,
}

impl SignIn {
    pub(crate) fn new(options: OidcOptions, clock: Clock) -> Result<Self, SettingsError> {
        let provider = Arc::new(Provider::new(options.provider.clone())?);
        let asking = Arc::new(Semaphore::new(MAX_ASKING));
        Ok(Self { options, provider, clock, waiting: Mutex::default(), asking })
    }

    /// What stands on the button.
    pub(crate) fn name(&self) -> &str {
        &self.options.name
    }

    /// How browsers write this server's address, where that was said.
    pub(crate) fn own_address(&self) -> Option<&str> {
        self.options.address.as_deref()
    }

    /// Begins a log-in: what its browser is to keep, and where it is to go.
    pub(crate) async fn begin(
        &self,
        accounts: &Accounts,
        purpose: Purpose,
        return_to: Option<String>,
        callback: String,
        from: IpAddr,
    ) -> Result<(Token, String), SignInError> {
        let return_to = return_to.unwrap_or_else(|| PAGES.to_owned());
        if !is_own_page(&return_to) {
            return Err(SignInError::Return);
        }
        accounts.begins_elsewhere(from)?;
        let now = self.now();
        let begun = self.ask(move |provider| provider.begin(&callback, now)).await?;
        let cookie = Token::random().map_err(|_| AccountError::Unavailable)?;
        let waiting =
            Waiting { began: now.monotonic, purpose, return_to, stage: Stage::Asked(Box::new(begun.secrets)) };
        let mut all = self.waiting.lock();
        all.retain(|_, one| now.monotonic.saturating_sub(one.began) < LIFETIME);
        if all.len() >= MAX_WAITING
            && let Some(oldest) = all.iter().min_by_key(|(_, one)| one.began).map(|(key, _)| *key)
        {
            all.remove(&oldest);
        }
        all.insert(hash(cookie.as_str()).0, waiting);
        Ok((cookie, begun.address))
    }

    /// The browser has come back. What comes of it is kept for [`SignIn::enter`] and [`SignIn::link`]; answers what for.
    pub(crate) async fn answered(&self, cookie: &str, answer: Answer) -> Option<Purpose> {
        let key = hash(cookie).0;
        let (purpose, secrets) = {
            let mut all = self.waiting.lock();
            let one = self.fresh(&mut all, key)?;
            // A state is good once; another one is somebody else's, and changes nothing.
            let Stage::Asked(secrets) = &one.stage else { return Some(one.purpose) };
            if !secrets.is_state(&answer.state) {
                return Some(one.purpose);
            }
            let Stage::Asked(secrets) = std::mem::replace(&mut one.stage, Stage::Busy) else { return None };
            (one.purpose, secrets)
        };
        let stage = match self.identify(*secrets, answer).await {
            Ok(identity) => Stage::Known(Box::new(identity)),
            Err(error) => Stage::Failed(error),
        };
        if let Some(one) = self.waiting.lock().get_mut(&key) {
            one.stage = stage;
        }
        Some(purpose)
    }

    async fn identify(&self, secrets: Secrets, answer: Answer) -> Result<Identity, SignInError> {
        let now = self.now();
        let identity = self
            .ask(move |provider| {
                provider.check_answer(answer.issuer.as_deref(), now)?;
                if let Some(reason) = answer.error {
                    return Err(OidcError::Denied { reason: reason.chars().take(100).collect() });
                }
                provider.finish(&secrets, &answer.code.unwrap_or_default(), now)
            })
            .await?;
        let domains = &self.options.domains;
        let may_come = domains.is_empty()
            || identity
                .email_domain()
                .is_some_and(|own| domains.iter().any(|domain| domain.eq_ignore_ascii_case(&own)));
        if may_come { Ok(identity) } else { Err(SignInError::NotAllowed) }
    }

    /// Lets somebody in whom the provider has named. An account is made for who has none, where that is allowed; `code` is
    /// asked for where it takes an invitation, and the log-in waits for it.
    pub(crate) async fn enter(
        &self,
        accounts: &Arc<Accounts>,
        cookie: &str,
        code: Option<&str>,
        from: IpAddr,
    ) -> Result<Done<LoggedIn>, SignInError> {
        let found = self.take(cookie, Purpose::LogIn)?;
        let identity = &found.identity;
        let operates = self.options.operator.as_ref().is_some_and(|(claim, value)| identity.has(claim, value));
        let registration = self.options.new_people.unwrap_or(accounts.policy().registration);
        let entered = accounts.enter_by_provider(identity, registration, code, operates, from).await;
        if entered.is_ok() {
            accounts.attempts.lock().forgive(super::Action::LogIn, "", from);
        }
        self.settle(found, entered)
    }

    /// Links the account of somebody who is logged in.
    pub(crate) async fn link(
        &self,
        accounts: &Arc<Accounts>,
        cookie: &str,
        account: &Account,
    ) -> Result<Done<()>, SignInError> {
        let found = self.take(cookie, Purpose::Link(account.id))?;
        let linked = accounts.link(account, &found.identity).await;
        self.settle(found, linked)
    }

    /// Whether somebody who has this token, and came in by the provider, can log out there, too. Where the provider does
    /// not say so at once, it is not offered.
    pub(crate) async fn offers_log_out(&self, accounts: &Arc<Accounts>, token: &str) -> Result<bool, AccountError> {
        if !accounts.came_by(token, self.provider.issuer()).await? {
            return Ok(false);
        }
        let now = self.now();
        let asked = tokio::time::timeout(A_MOMENT, self.ask(move |provider| provider.can_log_out(now)));
        Ok(matches!(asked.await, Ok(Ok(true))))
    }

    /// Logs somebody out here, whatever the provider does, and then says where the browser is to go to log out there, from
    /// where it comes back to `back`. `None` for who did not come in by the provider, and where it has no such place or
    /// does not say so.
    pub(crate) async fn log_out(
        &self,
        accounts: &Arc<Accounts>,
        token: &str,
        back: String,
    ) -> Result<Option<LogOut>, AccountError> {
        let came_by_it = accounts.came_by(token, self.provider.issuer()).await?;
        accounts.log_out(token).await?;
        if !came_by_it {
            return Ok(None);
        }
        let now = self.now();
        // What is wrong stands in the log.
        Ok(self.ask(move |provider| provider.log_out(&back, now)).await.ok().flatten())
    }

    /// The provider tells of a session that has ended there: it ends here, too.
    pub(crate) async fn logged_out(&self, accounts: &Arc<Accounts>, token: String) -> Result<(), SignInError> {
        let now = self.now();
        let LoggedOut { subject, session } = self.ask(move |provider| provider.logged_out(&token, now)).await?;
        let ended = accounts.end_of_provider(self.provider.issuer(), subject, session).await?;
        tracing::info!(ended, "a session at the provider has ended");
        Ok(())
    }

    /// What was found, for one to work on.
    fn take(&self, cookie: &str, purpose: Purpose) -> Result<Found, SignInError> {
        let key = hash(cookie).0;
        let mut all = self.waiting.lock();
        let one = self.fresh(&mut all, key).filter(|one| one.purpose == purpose).ok_or(SignInError::Gone)?;
        match std::mem::replace(&mut one.stage, Stage::Busy) {
            Stage::Known(identity) => Ok(Found { key, identity, return_to: one.return_to.clone() }),
            Stage::Failed(error) => {
                all.remove(&key);
                Err(error)
            }
            early => {
                one.stage = early;
                Err(SignInError::Gone)
            }
        }
    }

    /// What succeeded is over. What did not can be tried again: with a code, say.
    fn settle<T>(&self, found: Found, done: Result<T, AccountError>) -> Result<Done<T>, SignInError> {
        let Found { key, identity, return_to } = found;
        let mut all = self.waiting.lock();
        match done {
            Ok(what) => {
                all.remove(&key);
                Ok(Done { what, return_to })
            }
            Err(error) => {
                if let Some(one) = all.get_mut(&key) {
                    one.stage = Stage::Known(identity);
                }
                Err(error.into())
            }
        }
    }

    fn fresh<'a>(&self, all: &'a mut HashMap<[u8; 32], Waiting>, key: [u8; 32]) -> Option<&'a mut Waiting> {
        let now = self.clock.monotonic();
        all.get_mut(&key).filter(|one| now.saturating_sub(one.began) < LIFETIME)
    }

    fn now(&self) -> Now {
        Now { unix_seconds: self.clock.unix_ms().div_euclid(1000), monotonic: self.clock.monotonic() }
    }

    /// Asks the provider on a thread that may wait; a few at a time, so that one that hangs takes no others' threads.
    async fn ask<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Provider) -> Result<T, OidcError> + Send + 'static,
    ) -> Result<T, SignInError> {
        let place = tokio::time::timeout(QUEUE, Arc::clone(&self.asking).acquire_owned()).await;
        let Ok(Ok(place)) = place else { return Err(SignInError::Unreachable) };
        let provider = Arc::clone(&self.provider);
        let asked = tokio::task::spawn_blocking(move || {
            let answer = ask(&provider);
            drop(place);
            answer
        });
        match asked.await {
            Ok(answer) => Ok(answer?),
            Err(error) => {
                tracing::error!(%error, "asking the provider panicked");
                Err(AccountError::Unavailable.into())
            }
        }
    }
}

/// Whether this is a page of the rooms, and nothing that a browser could take for another server.
fn is_own_page(address: &str) -> bool {
    let Some(rest) = address.strip_prefix(PAGES) else { return false };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'%' | b'.' | b'~');
    address.len() <= MAX_RETURN && (rest.is_empty() || rest.starts_with('/')) && rest.bytes().all(plain)
}

impl Accounts {
    /// Counts a log-in that begins elsewhere among those of an address.
    fn begins_elsewhere(&self, from: IpAddr) -> Result<(), AccountError> {
        self.attempt(super::Action::LogIn, "", from)
    }

    /// Logs in whom a provider has named; makes an account for who has none.
    async fn enter_by_provider(
        self: &Arc<Self>,
        identity: &Identity,
        registration: Registration,
        code: Option<&str>,
        operates: bool,
        from: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        let (issuer, subject) = (identity.issuer.clone(), identity.subject.clone());
        let session = identity.session.as_deref().map(hash);
        let names: Vec<String> = identity.names().map(str::to_owned).collect();
        let code = code.map(|code| hash(code.trim()));
        self.blocking(move |accounts| {
            let account = match accounts.store.account_of_identity(&issuer, &subject)? {
                Some(account) => account,
                None => {
                    accounts.attempt(super::Action::Register, "", from)?;
                    accounts.use_code(registration, code)?;
                    accounts.add_of_provider((&issuer, &subject), &names)?
                }
            };
            let mut logged_in = accounts.let_in(account, super::TOKEN_DAYS)?;
            accounts.store.set_provider(hash(logged_in.token.as_str()), &issuer, session)?;
            if operates {
                let until = accounts.clock.unix_ms() + super::OPERATOR_MS;
                accounts.store.let_operate(hash(logged_in.token.as_str()), until)?;
                logged_in.operator = true;
            }
            Ok(logged_in)
        })
        .await
    }

    fn use_code(&self, registration: Registration, code: Option<TokenHash>) -> Result<(), AccountError> {
        match (registration, code) {
            (Registration::Open, _) => Ok(()),
            (Registration::Invitation, Some(code)) if self.store.use_sign_up_code(code, self.clock.unix_ms())? => {
                Ok(())
            }
            (Registration::Invitation, _) => Err(AccountError::NeedsCode),
        }
    }

    /// Under the first name that nobody has.
    fn add_of_provider(&self, who: (&str, &str), names: &[String]) -> Result<Account, AccountError> {
        let random = Token::random().map_err(|_| AccountError::Unavailable)?;
        for name in super::name::offers(names, &random.as_str()[..8]) {
            match self.store.add_account_of(who, &name.shown, &name.key, self.clock.unix_ms()) {
                Err(honinbo_library::StoreError::NameTaken) => {}
                // Somebody who pressed twice.
                Err(honinbo_library::StoreError::Linked) => {
                    return self.store.account_of_identity(who.0, who.1)?.ok_or(AccountError::Unavailable);
                }
                added => return Ok(added?),
            }
        }
        Err(AccountError::Unavailable)
    }

    async fn link(self: &Arc<Self>, account: &Account, identity: &Identity) -> Result<(), AccountError> {
        if account.guest {
            return Err(AccountError::GuestLink);
        }
        let (id, issuer, subject) = (account.id, identity.issuer.clone(), identity.subject.clone());
        self.blocking(move |accounts| {
            Ok(accounts.store.link_account(id, (&issuer, &subject), accounts.clock.unix_ms())?)
        })
        .await
    }

    /// How somebody can log in.
    pub(crate) async fn links(self: &Arc<Self>, account: &Account) -> Result<Linked, AccountError> {
        let id = account.id;
        self.blocking(move |accounts| Ok(accounts.store.links_of(id)?)).await
    }

    /// Ends the link of an account that has a password.
    pub(crate) async fn unlink(self: &Arc<Self>, account: &Account) -> Result<(), AccountError> {
        let id = account.id;
        self.blocking(
            move |accounts| {
                if accounts.store.unlink_account(id)? { Ok(()) } else { Err(AccountError::LastWayIn) }
            },
        )
        .await
    }

    /// Whether whoever has this token came in by this provider.
    async fn came_by(self: &Arc<Self>, token: &str, issuer: &str) -> Result<bool, AccountError> {
        let (token, issuer) = (hash(token), issuer.to_owned());
        self.blocking(move |accounts| Ok(accounts.store.provider_of_token(token)?.is_some_and(|own| own == issuer)))
            .await
    }

    /// Ends what came in by a session of a provider, or by any of a person's where none is named; how many that were.
    async fn end_of_provider(
        self: &Arc<Self>,
        issuer: &str,
        subject: Option<String>,
        session: Option<String>,
    ) -> Result<u64, AccountError> {
        let (issuer, session) = (issuer.to_owned(), session.as_deref().map(hash));
        self.blocking(move |accounts| Ok(accounts.store.revoke_of_provider(&issuer, subject.as_deref(), session)?))
            .await
    }

    /// Whether whoever has this token is an operator now.
    pub(crate) async fn may_operate(self: &Arc<Self>, token: &str) -> Result<bool, AccountError> {
        let token = hash(token);
        self.blocking(move |accounts| Ok(accounts.store.may_operate(token, accounts.clock.unix_ms())?)).await
    }
}

#[cfg(test)]
mod tests {
    use super::is_own_page;

    #[test]
    fn somebody_comes_back_to_this_server_alone() {
        for own in ["#/rooms", "#/rooms/", "#/rooms/room/12345678", "#/rooms/room/ai_hard/watch", "#/rooms/lesson/%20"]
        {
            assert!(is_own_page(own), "{own}");
        }
        for other in [
            "",
            "/",
            "//evil.example",
            "https://evil.example",
            "/\\evil.example",
            "#/roomsevil",
            "#/rooms@evil.example",
            "#/rooms/\r\nSet-Cookie: a=b",
            "#/rooms/<script>",
            "javascript:alert(1)",
            " #/rooms",
            &format!("#/rooms/{}", "x".repeat(200)),
        ] {
            assert!(!is_own_page(other), "{other:?}");
        }
    }
}
