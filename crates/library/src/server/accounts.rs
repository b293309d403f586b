//! Who has an account.

use rusqlite::{ErrorCode, OptionalExtension as _, Row, params};

use super::{ServerStore, StoreError};

/// The number of an account. Never used for another account, also after it was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(pub i64);

impl std::fmt::Display for AccountId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// An account as others see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// Its name as it is shown.
    pub name: String,
    /// It cannot log in again, and ends with its token.
    pub guest: bool,
}

impl Account {
    pub(super) fn of_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: AccountId(row.get(0)?), name: row.get(1)?, guest: row.get(2)? })
    }
}

/// An account as whoever runs the server sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountFacts {
    /// Who it is.
    pub account: Account,
    /// The name as it is compared; where the next page begins.
    pub key: String,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// Finished games.
    pub games: u32,
}

impl ServerStore {
    /// Makes an account. `key` is the name as it is compared; `password` a PHC string, `None` for a guest.
    ///
    /// # Errors
    /// [`StoreError::NameTaken`], and when the file cannot be written.
    pub fn add_account(
        &self,
        name: &str,
        key: &str,
        password: Option<&str>,
        now_ms: i64,
    ) -> Result<Account, StoreError> {
        let connection = self.connection();
        let added = connection
            .prepare_cached(
                "INSERT INTO accounts (name, name_key, password, created, guest) VALUES (?1, ?2, ?3, ?4, ?3 IS NULL)",
            )?
            .insert(params![name, key, password, now_ms]);
        match added {
            Ok(id) => Ok(Account { id: AccountId(id), name: name.to_owned(), guest: password.is_none() }),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Err(StoreError::NameTaken)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// An account that can log in, with its password's PHC string.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn account_with_password(&self, key: &str) -> Result<Option<(Account, String)>, StoreError> {
        let connection = self.connection();
        let found = connection
            .prepare_cached("SELECT id, name, 0, password FROM accounts WHERE name_key = ?1 AND password IS NOT NULL")?
            .query_row([key], |row| Ok((Account::of_row(row)?, row.get(3)?)))
            .optional()?;
        Ok(found)
    }

    /// The account of this name, guests included.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn account_named(&self, key: &str) -> Result<Option<Account>, StoreError> {
        let connection = self.connection();
        let found = connection
            .prepare_cached("SELECT id, name, guest FROM accounts WHERE name_key = ?1")?
            .query_row([key], Account::of_row)
            .optional()?;
        Ok(found)
    }

    /// A page of accounts in the order of their keys: those behind the key `after` whose key has `part` in it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn accounts(&self, part: &str, after: &str, limit: u32) -> Result<Vec<AccountFacts>, StoreError> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(
            "SELECT id, name, guest, name_key, created,
                 (SELECT count(*) FROM games WHERE black = accounts.id)
                     + (SELECT count(*) FROM games WHERE white = accounts.id)
             FROM accounts WHERE name_key > ?2 AND (?1 = '' OR instr(name_key, ?1) > 0) ORDER BY name_key LIMIT ?3",
        )?;
        let facts = |row: &Row<'_>| {
            Ok(AccountFacts {
                account: Account::of_row(row)?,
                key: row.get(3)?,
                created_ms: row.get(4)?,
                games: row.get(5)?,
            })
        };
        Ok(statement.query_map(params![part, after, limit], facts)?.collect::<Result<_, _>>()?)
    }

    /// Changes a password and revokes every token of the account. A guest gets none.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn set_password(&self, account: AccountId, password: &str) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.execute(
                "UPDATE accounts SET password = ?2 WHERE id = ?1 AND password IS NOT NULL",
                params![account.0, password],
            )?;
            transaction.execute("DELETE FROM tokens WHERE account = ?1", [account.0])?;
            Ok(())
        })
    }

    /// Deletes an account with its tokens. Games stay with those who played against it.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn delete_account(&self, account: AccountId) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.execute("DELETE FROM accounts WHERE id = ?1", [account.0])?;
            transaction.execute("DELETE FROM games WHERE black IS NULL AND white IS NULL", [])?;
            super::lessons::forget_unowned(transaction)
        })
    }
}
