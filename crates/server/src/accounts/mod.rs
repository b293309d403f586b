//! Accounts: who somebody is. Passwords are hashed here, tokens are made here; the store sees neither.

mod error;
mod limits;
mod name;
mod password;
mod sessions;
mod sign_in;

pub(crate) use error::AccountError;
pub(crate) use honinbo_library::Account;
pub(crate) use limits::AttemptLimits;
use limits::{Action, Attempts};
use name::Name;
use sessions::Sessions;
pub use sign_in::OidcOptions;
pub(crate) use sign_in::{Answer, LIFETIME, Purpose, SignIn, SignInError};

use crate::clock::Clock;
use crate::token::Token;
use honinbo_library::{AccountFacts, AccountId, ServerStore, StoreError, TokenHash};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use specta::Type;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Who may make an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Registration {
    /// Everybody who reaches the server.
    #[default]
    Open,
    /// Whoever has a code that the operator made.
    Invitation,
}

/// Who may come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Type)]
#[serde(rename = "ServerPolicy", deny_unknown_fields)]
pub struct AccountPolicy {
    /// Who may make an account.
    pub registration: Registration,
    /// Whether somebody may come in without an account.
    pub guests: bool,
}

const DAY_MS: i64 = 24 * 3600 * 1000;
/// How long a token lets somebody in.
const TOKEN_DAYS: i64 = 30;
const GUEST_DAYS: i64 = 1;
const CODE_DAYS: i64 = 14;
const RESET_DAYS: i64 = 1;
/// How long a provider's word that somebody is an operator is believed.
const OPERATOR_MS: i64 = 12 * 3600 * 1000;
/// Places where somebody is logged in at a time; the oldest is logged out.
const MAX_TOKENS: u32 = 16;
/// Passwords that are hashed at a time: each takes 19 MiB of memory.
const MAX_HASHING: usize = 2;

/// Somebody who has just come in.
#[derive(Debug)]
pub(crate) struct LoggedIn {
    pub(crate) account: Account,
    pub(crate) token: Token,
    /// The token is an operator's, too.
    pub(crate) operator: bool,
}

/// The accounts of a server.
pub(crate) struct Accounts {
    store: Arc<ServerStore>,
    policy: Mutex<AccountPolicy>,
    clock: Clock,
    hashing: Semaphore,
    attempts: Mutex<Attempts>,
    sessions: Sessions,
    /// What the password of a name that nobody has is compared with.
    nobodys: String,
}

impl Accounts {
    pub(crate) fn new(store: Arc<ServerStore>, policy: AccountPolicy, clock: Clock) -> Result<Self, AccountError> {
        let nobodys = password::hash(&Token::random().map_err(|_| AccountError::Unavailable)?.as_str()[..32])?;
        Ok(Self {
            store,
            policy: Mutex::new(policy),
            clock,
            hashing: Semaphore::new(MAX_HASHING),
            attempts: Mutex::new(Attempts::default()),
            sessions: Sessions::default(),
            nobodys,
        })
    }

    pub(crate) fn policy(&self) -> AccountPolicy {
        *self.policy.lock()
    }

    /// Changes who may come in.
    pub(crate) fn set_policy(&self, policy: AccountPolicy) {
        *self.policy.lock() = policy;
    }

    /// How often something may be tried.
    pub(crate) fn attempt_limits(&self) -> AttemptLimits {
        self.attempts.lock().limits
    }

    /// Changes how often something may be tried.
    pub(crate) fn set_attempt_limits(&self, limits: AttemptLimits) {
        self.attempts.lock().limits = limits;
    }

    /// A page of accounts by name: those behind the key `after` whose name has `part` in it.
    pub(crate) async fn page(
        self: &Arc<Self>,
        part: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<AccountFacts>, AccountError> {
        let (part, after) = (Name::key_of(part), after.to_owned());
        self.blocking(move |accounts| Ok(accounts.store.accounts(&part, &after, limit)?)).await
    }

    /// Deletes somebody's account without asking for a password.
    pub(crate) async fn remove(self: &Arc<Self>, id: AccountId) -> Result<(), AccountError> {
        self.blocking(
            move |accounts| {
                if accounts.store.delete_account(id)? { Ok(()) } else { Err(AccountError::Unknown) }
            },
        )
        .await
    }

    /// Makes an account and logs it in. `code` is asked for where registration is by invitation.
    pub(crate) async fn register(
        self: &Arc<Self>,
        name: &str,
        password: String,
        code: Option<&str>,
        from: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        self.attempt(Action::Register, "", from)?;
        let name = Name::parse(name)?;
        password::check(&password)?;
        let code = match self.policy().registration {
            Registration::Open => None,
            Registration::Invitation => Some(hash(code.ok_or(AccountError::NeedsCode)?)),
        };
        self.hashing(move |accounts| {
            let now = accounts.clock.unix_ms();
            if accounts.store.account_named(&name.key)?.is_some() {
                return Err(AccountError::NameTaken); // The code is still good.
            }
            if let Some(code) = code
                && !accounts.store.use_sign_up_code(code, now)?
            {
                return Err(AccountError::NeedsCode);
            }
            let hashed = password::hash(&password)?;
            let account = accounts.store.add_account(&name.shown, &name.key, Some(&hashed), now)?;
            accounts.let_in(account, TOKEN_DAYS)
        })
        .await
    }

    /// Logs in. A wrong password and a name that nobody has get the same answer for the same work.
    pub(crate) async fn log_in(
        self: &Arc<Self>,
        name: &str,
        password: String,
        from: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        let key = Name::key_of(name);
        self.attempt(Action::LogIn, &key, from)?;
        let tried = key.clone();
        let logged_in = self
            .hashing(move |accounts| {
                let account = accounts.check_password(&key, &password)?;
                accounts.let_in(account, TOKEN_DAYS)
            })
            .await?;
        self.attempts.lock().forgive(Action::LogIn, &tried, from);
        Ok(logged_in)
    }

    /// Lets somebody in under a made-up name, for a day.
    pub(crate) async fn enter_as_guest(self: &Arc<Self>, from: IpAddr) -> Result<LoggedIn, AccountError> {
        if !self.policy().guests {
            return Err(AccountError::NoGuests);
        }
        self.attempt(Action::Register, "", from)?;
        self.blocking(|accounts| {
            for _ in 0..16 {
                let random = Token::random().map_err(|_| AccountError::Unavailable)?;
                let name = format!("{}{}", name::GUEST, &random.as_str()[..6]);
                match accounts.store.add_account(&name, &name, None, accounts.clock.unix_ms()) {
                    Err(StoreError::NameTaken) => {}
                    account => return accounts.let_in(account?, GUEST_DAYS),
                }
            }
            Err(AccountError::Unavailable)
        })
        .await
    }

    /// Whose token this is.
    pub(crate) async fn account_of(self: &Arc<Self>, token: &str) -> Result<Option<Account>, AccountError> {
        let token = hash(token);
        self.blocking(move |accounts| Ok(accounts.store.account_of_token(token, accounts.clock.unix_ms())?)).await
    }

    /// Ends one token.
    pub(crate) async fn log_out(self: &Arc<Self>, token: &str) -> Result<(), AccountError> {
        let token = hash(token);
        self.blocking(move |accounts| {
            let account = accounts.store.account_of_token(token, accounts.clock.unix_ms())?;
            accounts.store.revoke_token(token)?;
            if let Some(account) = account {
                accounts.sessions.changed(account.id);
            }
            Ok(())
        })
        .await
    }

    /// Changes the password; every token ends, and a new one is given.
    pub(crate) async fn change_password(
        self: &Arc<Self>,
        account: &Account,
        old: String,
        new: String,
        from: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        password::check(&new)?;
        let key = self.own_attempt(account, from)?;
        self.hashing(move |accounts| {
            let account = accounts.check_password(&key, &old)?;
            accounts.store.set_password(account.id, &password::hash(&new)?)?;
            accounts.let_in(account, TOKEN_DAYS)
        })
        .await
    }

    /// Deletes an account; who has no password needs none for that.
    pub(crate) async fn delete(
        self: &Arc<Self>,
        account: &Account,
        password: Option<String>,
        from: IpAddr,
    ) -> Result<(), AccountError> {
        let id = account.id;
        if account.guest {
            return self.blocking(move |accounts| Ok(accounts.store.delete_account(id).map(drop)?)).await;
        }
        if !self.links(account).await?.password {
            return self.blocking(move |accounts| Ok(accounts.store.delete_account(id).map(drop)?)).await;
        }
        let key = self.own_attempt(account, from)?;
        let password = password.unwrap_or_default();
        self.hashing(move |accounts| {
            accounts.check_password(&key, &password)?;
            Ok(accounts.store.delete_account(id).map(drop)?)
        })
        .await
    }

    /// Makes a code that lets one person register.
    pub(crate) async fn make_sign_up_code(self: &Arc<Self>) -> Result<Token, AccountError> {
        self.blocking(|accounts| {
            let code = Token::random().map_err(|_| AccountError::Unavailable)?;
            let expires = accounts.clock.unix_ms() + CODE_DAYS * DAY_MS;
            accounts.store.add_sign_up_code(hash(code.as_str()), expires)?;
            Ok(code)
        })
        .await
    }

    /// Makes a code with which somebody who forgot the password chooses another one; `None` where nobody has that account,
    /// or a guest has.
    pub(crate) async fn make_reset_code(self: &Arc<Self>, id: AccountId) -> Result<Option<Token>, AccountError> {
        self.blocking(move |accounts| {
            let code = Token::random().map_err(|_| AccountError::Unavailable)?;
            let expires = accounts.clock.unix_ms() + RESET_DAYS * DAY_MS;
            Ok(accounts.store.add_reset_code(hash(code.as_str()), id, expires)?.then_some(code))
        })
        .await
    }

    /// Changes a password with such a code; every token ends, and a new one is given. What is no code, or none any more, gets
    /// the same answer for the same work.
    pub(crate) async fn reset_password(
        self: &Arc<Self>,
        code: &str,
        new: String,
        from: IpAddr,
    ) -> Result<LoggedIn, AccountError> {
        password::check(&new)?;
        self.attempt(Action::LogIn, "", from)?;
        let code = hash(code);
        let logged_in = self
            .hashing(move |accounts| {
                let hashed = password::hash(&new)?;
                let account = accounts.store.reset_password(code, &hashed, accounts.clock.unix_ms())?;
                accounts.let_in(account.ok_or(AccountError::BadResetCode)?, TOKEN_DAYS)
            })
            .await?;
        self.attempts.lock().forgive(Action::LogIn, "", from);
        Ok(logged_in)
    }

    /// Forgets what has expired; answers which guests are gone.
    pub(crate) async fn forget_expired(self: &Arc<Self>) -> Result<Vec<AccountId>, AccountError> {
        self.blocking(|accounts| Ok(accounts.store.forget_expired(accounts.clock.unix_ms())?)).await
    }

    fn own_attempt(&self, account: &Account, from: IpAddr) -> Result<String, AccountError> {
        let key = Name::key_of(&account.name);
        self.attempt(Action::LogIn, &key, from)?;
        Ok(key)
    }

    fn attempt(&self, action: Action, key: &str, from: IpAddr) -> Result<(), AccountError> {
        let waits = self.attempts.lock().count(action, key, from, self.clock.monotonic());
        waits.map_or(Ok(()), |wait| Err(AccountError::TooManyAttempts { seconds: wait.as_secs() + 1 }))
    }

    /// The work is the same whether or not there is such an account.
    fn check_password(&self, key: &str, password: &str) -> Result<Account, AccountError> {
        let found = self.store.account_with_password(key)?;
        let stored = found.as_ref().map_or(self.nobodys.as_str(), |(_, stored)| stored);
        let matches = password::matches(password, stored);
        match found {
            Some((account, _)) if matches => Ok(account),
            _ => Err(AccountError::WrongCredentials),
        }
    }

    fn let_in(&self, account: Account, days: i64) -> Result<LoggedIn, AccountError> {
        let token = Token::random().map_err(|_| AccountError::Unavailable)?;
        let expires = self.clock.unix_ms() + days * DAY_MS;
        self.store.add_token(hash(token.as_str()), account.id, expires, MAX_TOKENS)?;
        // Another password has ended every token before, and one too many the oldest.
        self.sessions.changed(account.id);
        Ok(LoggedIn { account, token, operator: false })
    }

    async fn hashing<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, AccountError> + Send + 'static,
    ) -> Result<T, AccountError> {
        let _place = self.hashing.acquire().await.map_err(|_| AccountError::Unavailable)?;
        self.blocking(work).await
    }

    async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, AccountError> + Send + 'static,
    ) -> Result<T, AccountError> {
        let accounts = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&accounts)).await.unwrap_or_else(|error| {
            tracing::error!(%error, "an account's work panicked");
            Err(AccountError::Unavailable)
        })
    }
}

/// A name as it is compared: two names with the same key are the same.
pub(crate) fn name_key(name: &str) -> String {
    Name::key_of(name)
}

/// Tokens are random and long: a fast hash keeps them.
fn hash(token: &str) -> TokenHash {
    TokenHash(Sha256::digest(token.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, Ordering};

    struct Club {
        _folder: tempfile::TempDir,
        accounts: Arc<Accounts>,
        now: Arc<AtomicI64>,
    }

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn club(policy: AccountPolicy) -> Club {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(ServerStore::open(&folder.path().join("server.sqlite")).unwrap());
        let now = Arc::new(AtomicI64::new(1_800_000_000_000));
        let clock = {
            let now = Arc::clone(&now);
            Clock::from_unix_ms(move || now.load(Ordering::Relaxed))
        };
        let accounts = Arc::new(Accounts::new(store, policy, clock).unwrap());
        Club { _folder: folder, accounts, now }
    }

    impl Club {
        async fn register(&self, name: &str) -> Result<LoggedIn, AccountError> {
            self.accounts.register(name, "long enough".into(), None, HOME).await
        }

        async fn log_in(&self, name: &str, password: &str) -> Result<LoggedIn, AccountError> {
            self.accounts.log_in(name, password.into(), HOME).await
        }

        async fn reset(&self, code: &str, new: &str) -> Result<LoggedIn, AccountError> {
            self.accounts.reset_password(code, new.into(), HOME).await
        }

        async fn is_in(&self, token: &Token) -> bool {
            self.accounts.account_of(token.as_str()).await.unwrap().is_some()
        }
    }

    #[tokio::test]
    async fn somebody_registers_leaves_and_comes_back() {
        let club = club(AccountPolicy::default());
        let first = club.register("  Cho Chikun ").await.unwrap();
        assert_eq!(first.account.name, "Cho Chikun");
        assert!(club.is_in(&first.token).await);
        let second = club.log_in("cho chikun", "long enough").await.unwrap();
        club.accounts.log_out(first.token.as_str()).await.unwrap();
        assert!(!club.is_in(&first.token).await && club.is_in(&second.token).await);
        club.now.fetch_add(TOKEN_DAYS * DAY_MS, Ordering::Relaxed);
        assert!(!club.is_in(&second.token).await, "a token expires");
    }

    #[tokio::test]
    async fn a_wrong_password_and_an_unknown_name_look_the_same() {
        let club = club(AccountPolicy::default());
        club.register("anna").await.unwrap();
        for (name, password) in [("anna", "wrong password"), ("nobody", "long enough"), ("", ""), ("\u{0}", "x")] {
            assert!(matches!(club.log_in(name, password).await, Err(AccountError::WrongCredentials)), "{name}");
        }
    }

    #[tokio::test]
    async fn who_tries_too_often_waits() {
        let club = club(AccountPolicy::default());
        club.register("anna").await.unwrap();
        let mut refused = None;
        for nth in 0..20 {
            match club.log_in("anna", "wrong password").await {
                Err(AccountError::WrongCredentials) => {}
                Err(AccountError::TooManyAttempts { seconds }) => {
                    refused = Some((nth, seconds));
                    break;
                }
                other => panic!("{other:?}"),
            }
        }
        let (nth, seconds) = refused.expect("nobody was refused");
        assert!(nth >= 5 && seconds > 0, "{nth} {seconds}");
        assert!(matches!(club.log_in("anna", "long enough").await, Err(AccountError::TooManyAttempts { .. })));
        let elsewhere = IpAddr::V4(std::net::Ipv4Addr::new(198, 51, 100, 7));
        assert!(club.accounts.log_in("anna", "long enough".into(), elsewhere).await.is_ok(), "she is not locked out");
    }

    #[tokio::test]
    async fn whoever_has_a_session_guesses_its_password_no_more_often_than_others() {
        let club = club(AccountPolicy::default());
        club.accounts.set_attempt_limits(AttemptLimits { log_ins_of_name: 2, ..AttemptLimits::default() });
        let (anna, ben) = (club.register("anna").await.unwrap(), club.register("ben").await.unwrap());
        let change =
            |old: &str| club.accounts.change_password(&anna.account, old.to_owned(), "another one".into(), HOME);
        let delete = |password: &str| club.accounts.delete(&ben.account, Some(password.to_owned()), HOME);
        for _ in 0..2 {
            assert!(matches!(change("wrong").await, Err(AccountError::WrongCredentials)));
            assert!(matches!(delete("wrong").await, Err(AccountError::WrongCredentials)));
        }
        // The right one, too: else it would be told from the others.
        for tried in ["wrong", "long enough"] {
            assert!(matches!(change(tried).await, Err(AccountError::TooManyAttempts { .. })), "{tried}");
            assert!(matches!(delete(tried).await, Err(AccountError::TooManyAttempts { .. })), "{tried}");
        }
        assert!(club.is_in(&anna.token).await && club.is_in(&ben.token).await);
    }

    #[tokio::test]
    async fn a_new_password_ends_every_session() {
        let club = club(AccountPolicy::default());
        let first = club.register("anna").await.unwrap();
        let change =
            |old: &str| club.accounts.change_password(&first.account, old.to_owned(), "another one".into(), HOME);
        assert!(matches!(change("wrong").await, Err(AccountError::WrongCredentials)));
        let new = change("long enough").await.unwrap();
        assert!(!club.is_in(&first.token).await && club.is_in(&new.token).await);
        assert!(club.log_in("anna", "long enough").await.is_err());
        assert!(club.log_in("anna", "another one").await.is_ok());
    }

    #[tokio::test]
    async fn a_connection_hears_that_its_token_has_ended() {
        let club = club(AccountPolicy::default());
        let (first, ben) = (club.register("anna").await.unwrap(), club.register("ben").await.unwrap());
        let second = club.log_in("anna", "long enough").await.unwrap();
        let ends_soon = |token: Token| {
            let accounts = Arc::clone(&club.accounts);
            let ended = async move { accounts.until_ended(token.as_str()).await };
            tokio::spawn(tokio::time::timeout(sessions::LOOK_EVERY / 2, ended))
        };
        let [mut one, mut other, mut bens] = [&first, &second, &ben].map(|entered| ends_soon(entered.token.clone()));
        // Long enough for all to wait.
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        club.accounts.log_out(first.token.as_str()).await.unwrap();
        assert!((&mut one).await.unwrap().is_ok());
        assert!(!other.is_finished(), "the other place stays");
        let old = "long enough".to_owned();
        club.accounts.change_password(&second.account, old, "another one".into(), HOME).await.unwrap();
        assert!((&mut other).await.unwrap().is_ok());
        assert!(!bens.is_finished(), "it is nobody else's business");
        bens.abort();
        let _ = (&mut bens).await; // It was broken off.
        club.accounts.until_ended("nonsense").await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_ends_with_a_token_that_expires_or_is_ended_elsewhere() {
        let club = club(AccountPolicy::default());
        let anna = club.register("anna").await.unwrap();
        let ended = club.accounts.until_ended(anna.token.as_str());
        tokio::pin!(ended);
        assert!(tokio::time::timeout(3 * sessions::LOOK_EVERY, &mut ended).await.is_err());
        club.accounts.store.revoke_token(hash(anna.token.as_str())).unwrap();
        assert!(tokio::time::timeout(3 * sessions::LOOK_EVERY, &mut ended).await.is_ok());
    }

    #[tokio::test]
    async fn a_forgotten_password_is_replaced_once_with_a_code_of_the_operator() {
        let club = club(AccountPolicy { guests: true, ..AccountPolicy::default() });
        let anna = club.register("anna").await.unwrap();
        let guest = club.accounts.enter_as_guest(HOME).await.unwrap();
        for nobody in [guest.account.id, AccountId(999)] {
            assert!(club.accounts.make_reset_code(nobody).await.unwrap().is_none());
        }
        let code = club.accounts.make_reset_code(anna.account.id).await.unwrap().unwrap();
        assert!(matches!(club.reset(code.as_str(), "short").await, Err(AccountError::BadPassword(_))));
        let new = club.reset(code.as_str(), "another one").await.unwrap();
        assert_eq!(new.account, anna.account);
        assert!(!club.is_in(&anna.token).await && club.is_in(&new.token).await);
        assert!(club.log_in("anna", "long enough").await.is_err());
        assert!(club.log_in("anna", "another one").await.is_ok());
        let late = club.accounts.make_reset_code(anna.account.id).await.unwrap().unwrap();
        club.now.fetch_add(RESET_DAYS * DAY_MS, Ordering::Relaxed);
        for bad in [code.as_str(), late.as_str(), "", "nonsense", anna.token.as_str()] {
            assert!(matches!(club.reset(bad, "a third one").await, Err(AccountError::BadResetCode)), "{bad}");
        }
        // Tries are counted as for logging in.
        club.accounts.set_attempt_limits(AttemptLimits { log_ins_of_address: 1, ..AttemptLimits::default() });
        assert!(matches!(club.reset("nonsense", "a third one").await, Err(AccountError::TooManyAttempts { .. })));
    }

    #[tokio::test]
    async fn who_deletes_an_account_needs_its_password() {
        let club = club(AccountPolicy { guests: true, ..AccountPolicy::default() });
        let anna = club.register("anna").await.unwrap();
        let delete = |password: Option<&str>| club.accounts.delete(&anna.account, password.map(str::to_owned), HOME);
        assert!(matches!(delete(None).await, Err(AccountError::WrongCredentials)));
        delete(Some("long enough")).await.unwrap();
        assert!(!club.is_in(&anna.token).await);
        let guest = club.accounts.enter_as_guest(HOME).await.unwrap();
        club.accounts.delete(&guest.account, None, HOME).await.unwrap();
        assert!(!club.is_in(&guest.token).await);
    }

    #[tokio::test]
    async fn guests_come_in_where_they_are_wanted_and_are_forgotten() {
        let closed = club(AccountPolicy::default());
        assert!(matches!(closed.accounts.enter_as_guest(HOME).await, Err(AccountError::NoGuests)));
        let open = club(AccountPolicy { guests: true, ..AccountPolicy::default() });
        let guest = open.accounts.enter_as_guest(HOME).await.unwrap();
        assert!(guest.account.guest && guest.account.name.starts_with("guest-"));
        assert!(open.log_in(&guest.account.name, "").await.is_err());
        open.now.fetch_add(GUEST_DAYS * DAY_MS, Ordering::Relaxed);
        assert_eq!(open.accounts.forget_expired().await.unwrap(), [guest.account.id]);
    }

    #[tokio::test]
    async fn a_code_lets_one_person_register_where_that_is_asked() {
        let club = club(AccountPolicy { registration: Registration::Invitation, guests: false });
        assert!(matches!(club.register("anna").await, Err(AccountError::NeedsCode)));
        let code = club.accounts.make_sign_up_code().await.unwrap();
        let register =
            |name: &'static str| club.accounts.register(name, "long enough".into(), Some(code.as_str()), HOME);
        register("anna").await.unwrap();
        assert!(matches!(register("ben").await, Err(AccountError::NeedsCode)), "it is used up");
        let second = club.accounts.make_sign_up_code().await.unwrap();
        let taken = club.accounts.register("Anna", "long enough".into(), Some(second.as_str()), HOME).await;
        assert!(matches!(taken, Err(AccountError::NameTaken)));
        club.accounts.register("ben", "long enough".into(), Some(second.as_str()), HOME).await.unwrap();
    }
}
