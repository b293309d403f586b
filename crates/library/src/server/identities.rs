//! Whom OpenID Connect providers know an account as.

use rusqlite::{ErrorCode, OptionalExtension as _, Transaction, params};

use super::{Account, AccountId, ServerStore, StoreError};

/// How somebody can log in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linked {
    /// There is a password.
    pub password: bool,
    /// The provider that knows the person, where one does.
    pub issuer: Option<String>,
}

impl ServerStore {
    /// The account of a provider's person.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn account_of_identity(&self, issuer: &str, subject: &str) -> Result<Option<Account>, StoreError> {
        let connection = self.connection();
        let found = connection
            .prepare_cached(
                "SELECT accounts.id, accounts.name, accounts.guest
                     FROM identities JOIN accounts ON accounts.id = identities.account
                     WHERE issuer = ?1 AND subject = ?2",
            )?
            .query_row([issuer, subject], Account::of_row)
            .optional()?;
        Ok(found)
    }

    /// Makes an account without a password for a provider's person.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`], [`StoreError::Linked`], and when the file cannot be written.
    pub fn add_account_of(
        &self,
        (issuer, subject): (&str, &str),
        name: &str,
        key: &str,
        now_ms: i64,
    ) -> Result<Account, StoreError> {
        self.change(|transaction| {
            let added = transaction
                .prepare_cached("INSERT INTO accounts (name, name_key, created) VALUES (?1, ?2, ?3)")?
                .insert(params![name, key, now_ms]);
            let id = AccountId(added.map_err(|error| unless_there(error, StoreError::NameTaken))?);
            link(transaction, id, issuer, subject, now_ms)?;
            Ok(Account { id, name: name.to_owned(), guest: false })
        })
    }

    /// Lets a provider's person come in with an account that is there.
    ///
    /// # Errors
    /// [`StoreError::Linked`], and when the file cannot be written.
    pub fn link_account(
        &self,
        account: AccountId,
        (issuer, subject): (&str, &str),
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.change(|transaction| link(transaction, account, issuer, subject, now_ms))
    }

    /// Ends the link of an account, unless nobody could log in with it then. Whether there is none any more.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn unlink_account(&self, account: AccountId) -> Result<bool, StoreError> {
        self.change(|transaction| {
            transaction.execute(
                "DELETE FROM identities WHERE account = ?1
                     AND EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND password IS NOT NULL)",
                [account.0],
            )?;
            let mut left = transaction.prepare_cached("SELECT 1 FROM identities WHERE account = ?1")?;
            Ok(!left.exists([account.0])?)
        })
    }

    /// How somebody can log in.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn links_of(&self, account: AccountId) -> Result<Linked, StoreError> {
        let connection = self.connection();
        let found = connection
            .prepare_cached(
                "SELECT password IS NOT NULL, (SELECT issuer FROM identities WHERE account = accounts.id)
                     FROM accounts WHERE id = ?1",
            )?
            .query_row([account.0], |row| Ok(Linked { password: row.get(0)?, issuer: row.get(1)? }))
            .optional()?;
        Ok(found.unwrap_or(Linked { password: false, issuer: None }))
    }
}

fn link(
    transaction: &Transaction<'_>,
    account: AccountId,
    issuer: &str,
    subject: &str,
    now_ms: i64,
) -> Result<(), StoreError> {
    transaction
        .prepare_cached("INSERT INTO identities (issuer, subject, account, linked) VALUES (?1, ?2, ?3, ?4)")?
        .insert(params![issuer, subject, account.0, now_ms])
        .map_err(|error| unless_there(error, StoreError::Linked))?;
    Ok(())
}

fn unless_there(error: rusqlite::Error, there: StoreError) -> StoreError {
    if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) { there } else { error.into() }
}
