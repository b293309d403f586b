//! Tokens, and codes to register and to choose another password, which are kept as hashes only.

use rusqlite::params;

use super::{Account, AccountId, ServerStore, StoreError};

/// What is kept of a token: whoever reads the store cannot come in with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenHash(pub [u8; 32]);

impl ServerStore {
    /// Keeps a token. At most `most` tokens of an account are kept: of the others, those that expire first go. This one stays,
    /// also where the date was set back since those were given.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add_token(&self, hash: TokenHash, account: AccountId, expires_ms: i64, most: u32) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute(
                "INSERT INTO tokens (hash, account, expires) VALUES (?1, ?2, ?3)",
                params![hash.0, account.0, expires_ms],
            )?;
            sql.execute(
                "DELETE FROM tokens WHERE account = ?1 AND hash <> ?3 AND hash NOT IN
                     (SELECT hash FROM tokens WHERE account = ?1 AND hash <> ?3 ORDER BY expires DESC LIMIT ?2)",
                params![account.0, most.saturating_sub(1), hash.0],
            )?;
            Ok(())
        })
    }

    /// Whose token this is; `None` when it is nobody's, has expired or was revoked.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn account_of_token(&self, hash: TokenHash, now_ms: i64) -> Result<Option<Account>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT accounts.id, accounts.name, accounts.guest
                     FROM tokens JOIN accounts ON accounts.id = tokens.account
                     WHERE tokens.hash = ?1 AND tokens.expires > ?2",
                params![hash.0, now_ms],
                Account::of_row,
            )
        })
    }

    /// Lets a token be an operator's, too, until then.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn let_operate(&self, hash: TokenHash, until_ms: i64) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute("UPDATE tokens SET operator_until = ?2 WHERE hash = ?1", params![hash.0, until_ms])?;
            Ok(())
        })
    }

    /// Whether this is the token of somebody who is an operator now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn may_operate(&self, hash: TokenHash, now_ms: i64) -> Result<bool, StoreError> {
        let found = self.read(|sql| {
            sql.first(
                "SELECT account FROM tokens WHERE hash = ?1 AND expires > ?2 AND operator_until > ?2",
                params![hash.0, now_ms],
                |_| Ok(()),
            )
        })?;
        Ok(found.is_some())
    }

    /// Keeps by which provider the owner of a token came in, and the hash of what that calls its session.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_provider(&self, hash: TokenHash, issuer: &str, session: Option<TokenHash>) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute(
                "UPDATE tokens SET issuer = ?2, provider_session = ?3 WHERE hash = ?1",
                params![hash.0, issuer, session.map(|session| session.0)],
            )?;
            Ok(())
        })
    }

    /// By which provider the owner of a token came in; `None` where it was none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn provider_of_token(&self, hash: TokenHash) -> Result<Option<String>, StoreError> {
        let found = self.read(|sql| {
            sql.first("SELECT issuer FROM tokens WHERE hash = ?1", params![hash.0], |row| row.get::<Option<String>>(0))
        })?;
        Ok(found.flatten())
    }

    /// Forgets the tokens of a session of a provider that has ended, or of all those of a person where it names none; how
    /// many there were. A token whose session was not named is of any.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn revoke_of_provider(
        &self,
        issuer: &str,
        subject: Option<&str>,
        session: Option<TokenHash>,
    ) -> Result<u64, StoreError> {
        self.change(|sql| match session {
            Some(session) => sql.execute(
                "DELETE FROM tokens WHERE issuer = ?1 AND (provider_session = ?2 OR (provider_session IS NULL
                     AND account IN (SELECT account FROM identities WHERE issuer = ?1 AND subject = ?3)))",
                params![issuer, session.0, subject],
            ),
            None => sql.execute(
                "DELETE FROM tokens WHERE issuer = ?1
                     AND account IN (SELECT account FROM identities WHERE issuer = ?1 AND subject = ?2)",
                params![issuer, subject],
            ),
        })
    }

    /// Forgets a token.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn revoke_token(&self, hash: TokenHash) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute("DELETE FROM tokens WHERE hash = ?1", params![hash.0])?;
            Ok(())
        })
    }

    /// Keeps a code that lets one person register.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add_sign_up_code(&self, hash: TokenHash, expires_ms: i64) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute("INSERT INTO sign_up_codes (hash, expires) VALUES (?1, ?2)", params![hash.0, expires_ms])?;
            Ok(())
        })
    }

    /// Uses a code up; false when there is none or it has expired.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn use_sign_up_code(&self, hash: TokenHash, now_ms: i64) -> Result<bool, StoreError> {
        let used = self.change(|sql| {
            sql.execute("DELETE FROM sign_up_codes WHERE hash = ?1 AND expires > ?2", params![hash.0, now_ms])
        })?;
        Ok(used > 0)
    }

    /// Keeps a code with which the owner of an account chooses another password, in the place of an earlier one; false where
    /// there is no such account, or it is a guest's.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn add_reset_code(&self, hash: TokenHash, account: AccountId, expires_ms: i64) -> Result<bool, StoreError> {
        self.change(|sql| {
            let found =
                sql.first("SELECT id FROM accounts WHERE id = ?1 AND guest = 0", params![account.0], |_| Ok(()))?;
            if found.is_none() {
                return Ok(false);
            }
            sql.execute("DELETE FROM reset_codes WHERE account = ?1", params![account.0])?;
            sql.execute(
                "INSERT INTO reset_codes (hash, account, expires) VALUES (?1, ?2, ?3)",
                params![hash.0, account.0, expires_ms],
            )?;
            Ok(true)
        })
    }

    /// Uses such a code up: the password is another one, and every token of the account is revoked. `None` where there is no
    /// such code or it has expired.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn reset_password(&self, code: TokenHash, password: &str, now_ms: i64) -> Result<Option<Account>, StoreError> {
        self.change(|sql| {
            let used = sql.first(
                "DELETE FROM reset_codes WHERE hash = ?1 AND expires > ?2 RETURNING account",
                params![code.0, now_ms],
                |row| row.get::<i64>(0),
            )?;
            let Some(account) = used else { return Ok(None) };
            sql.execute("UPDATE accounts SET password = ?2 WHERE id = ?1", params![account, password])?;
            sql.execute("DELETE FROM tokens WHERE account = ?1", params![account])?;
            sql.first("SELECT id, name, guest FROM accounts WHERE id = ?1", params![account], Account::of_row)
        })
    }

    /// Forgets what has expired: tokens, codes, and guests without a token, whose numbers are returned.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn forget_expired(&self, now_ms: i64) -> Result<Vec<AccountId>, StoreError> {
        self.change(|sql| {
            sql.execute("DELETE FROM tokens WHERE expires <= ?1", params![now_ms])?;
            sql.execute("DELETE FROM sign_up_codes WHERE expires <= ?1", params![now_ms])?;
            sql.execute("DELETE FROM reset_codes WHERE expires <= ?1", params![now_ms])?;
            let gone = sql.all(
                "DELETE FROM accounts WHERE guest = 1
                     AND NOT EXISTS (SELECT 1 FROM tokens WHERE account = accounts.id) RETURNING id",
                params![],
                |row| Ok(AccountId(row.get(0)?)),
            )?;
            if !gone.is_empty() {
                super::games::forget_unowned(sql)?;
                super::lessons::forget_unowned(sql)?;
            }
            Ok(gone)
        })
    }
}
