//! Tokens and sign-up codes, which are kept as hashes only.

use rusqlite::{OptionalExtension as _, params};

use super::{Account, AccountId, ServerStore, StoreError};

/// What is kept of a token: whoever reads the file cannot come in with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenHash(pub [u8; 32]);

impl ServerStore {
    /// Keeps a token. At most `most` tokens of an account are kept: those that expire first go.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add_token(&self, hash: TokenHash, account: AccountId, expires_ms: i64, most: u32) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.execute(
                "INSERT INTO tokens (hash, account, expires) VALUES (?1, ?2, ?3)",
                params![hash.0, account.0, expires_ms],
            )?;
            transaction.execute(
                "DELETE FROM tokens WHERE hash IN
                     (SELECT hash FROM tokens WHERE account = ?1 ORDER BY expires DESC LIMIT -1 OFFSET ?2)",
                params![account.0, most],
            )?;
            Ok(())
        })
    }

    /// Whose token this is; `None` when it is nobody's, has expired or was revoked.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn account_of_token(&self, hash: TokenHash, now_ms: i64) -> Result<Option<Account>, StoreError> {
        let connection = self.connection();
        let found = connection
            .prepare_cached(
                "SELECT accounts.id, accounts.name, accounts.guest
                     FROM tokens JOIN accounts ON accounts.id = tokens.account
                     WHERE tokens.hash = ?1 AND tokens.expires > ?2",
            )?
            .query_row(params![hash.0, now_ms], Account::of_row)
            .optional()?;
        Ok(found)
    }

    /// Lets a token be an operator's, too, until then.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn let_operate(&self, hash: TokenHash, until_ms: i64) -> Result<(), StoreError> {
        self.connection()
            .execute("UPDATE tokens SET operator_until = ?2 WHERE hash = ?1", params![hash.0, until_ms])?;
        Ok(())
    }

    /// Whether this is the token of somebody who is an operator now.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn may_operate(&self, hash: TokenHash, now_ms: i64) -> Result<bool, StoreError> {
        let connection = self.connection();
        let found = connection
            .prepare_cached("SELECT 1 FROM tokens WHERE hash = ?1 AND expires > ?2 AND operator_until > ?2")?
            .exists(params![hash.0, now_ms])?;
        Ok(found)
    }

    /// Forgets a token.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn revoke_token(&self, hash: TokenHash) -> Result<(), StoreError> {
        self.connection().execute("DELETE FROM tokens WHERE hash = ?1", [hash.0])?;
        Ok(())
    }

    /// Keeps a code that lets one person register.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add_sign_up_code(&self, hash: TokenHash, expires_ms: i64) -> Result<(), StoreError> {
        self.connection()
            .execute("INSERT INTO sign_up_codes (hash, expires) VALUES (?1, ?2)", params![hash.0, expires_ms])?;
        Ok(())
    }

    /// Uses a code up; false when there is none or it has expired.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn use_sign_up_code(&self, hash: TokenHash, now_ms: i64) -> Result<bool, StoreError> {
        let used = self
            .connection()
            .execute("DELETE FROM sign_up_codes WHERE hash = ?1 AND expires > ?2", params![hash.0, now_ms])?;
        Ok(used > 0)
    }

    /// Forgets what has expired: tokens, codes, and guests without a token, whose numbers are returned.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget_expired(&self, now_ms: i64) -> Result<Vec<AccountId>, StoreError> {
        self.change(|transaction| {
            transaction.execute("DELETE FROM tokens WHERE expires <= ?1", [now_ms])?;
            transaction.execute("DELETE FROM sign_up_codes WHERE expires <= ?1", [now_ms])?;
            let gone = transaction
                .prepare(
                    "DELETE FROM accounts WHERE guest
                         AND NOT EXISTS (SELECT 1 FROM tokens WHERE account = accounts.id) RETURNING id",
                )?
                .query_map([], |row| Ok(AccountId(row.get(0)?)))?
                .collect::<Result<Vec<_>, _>>()?;
            if !gone.is_empty() {
                transaction.execute("DELETE FROM games WHERE black IS NULL AND white IS NULL", [])?;
                super::lessons::forget_unowned(transaction)?;
            }
            Ok(gone)
        })
    }
}
