//! Whom OpenID Connect providers know an account as.

use rusqlite::params;

use super::sql::Sql;
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
    /// When the store cannot be read.
    pub fn account_of_identity(&self, issuer: &str, subject: &str) -> Result<Option<Account>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT accounts.id, accounts.name, accounts.guest
                     FROM identities JOIN accounts ON accounts.id = identities.account
                     WHERE issuer = ?1 AND subject = ?2",
                params![issuer, subject],
                Account::of_row,
            )
        })
    }

    /// Makes an account without a password for a provider's person.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`], [`StoreError::Linked`], and when the store cannot be written.
    pub fn add_account_of(
        &self,
        (issuer, subject): (&str, &str),
        name: &str,
        key: &str,
        now_ms: i64,
    ) -> Result<Account, StoreError> {
        self.change(|sql| {
            let added = sql.insert(
                "INSERT INTO accounts (name, name_key, created) VALUES (?1, ?2, ?3) RETURNING id",
                params![name, key, now_ms],
            );
            let id = AccountId(added.map_err(|error| error.if_there(StoreError::NameTaken))?);
            link(sql, id, issuer, subject, now_ms)?;
            Ok(Account { id, name: name.to_owned(), guest: false })
        })
    }

    /// Lets a provider's person come in with an account that is there.
    ///
    /// # Errors
    /// [`StoreError::Linked`], and when the store cannot be written.
    pub fn link_account(
        &self,
        account: AccountId,
        (issuer, subject): (&str, &str),
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.change(|sql| link(sql, account, issuer, subject, now_ms))
    }

    /// Ends the link of an account, unless nobody could log in with it then. Whether there is none any more.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn unlink_account(&self, account: AccountId) -> Result<bool, StoreError> {
        self.change(|sql| {
            sql.execute(
                "DELETE FROM identities WHERE account = ?1
                     AND EXISTS (SELECT 1 FROM accounts WHERE id = ?1 AND password IS NOT NULL)",
                params![account.0],
            )?;
            let left =
                sql.first("SELECT account FROM identities WHERE account = ?1", params![account.0], |_| Ok(()))?;
            Ok(left.is_none())
        })
    }

    /// How somebody can log in.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn links_of(&self, account: AccountId) -> Result<Linked, StoreError> {
        let found = self.read(|sql| {
            sql.first(
                "SELECT password IS NOT NULL, (SELECT issuer FROM identities WHERE account = accounts.id)
                     FROM accounts WHERE id = ?1",
                params![account.0],
                |row| Ok(Linked { password: row.get(0)?, issuer: row.get(1)? }),
            )
        })?;
        Ok(found.unwrap_or(Linked { password: false, issuer: None }))
    }
}

fn link(sql: &Sql<'_>, account: AccountId, issuer: &str, subject: &str, now_ms: i64) -> Result<(), StoreError> {
    sql.execute(
        "INSERT INTO identities (issuer, subject, account, linked) VALUES (?1, ?2, ?3, ?4)",
        params![issuer, subject, account.0, now_ms],
    )
    .map_err(|error| error.if_there(StoreError::Linked))?;
    Ok(())
}
