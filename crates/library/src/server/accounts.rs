//! Who has an account.

use rusqlite::params;

use super::sql::Row;
use super::{AccountId, ServerStore, StoreError};

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
    pub(super) fn of_row(row: &Row<'_>) -> Result<Self, StoreError> {
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
    /// [`StoreError::NameTaken`], and when the store cannot be written.
    pub fn add_account(
        &self,
        name: &str,
        key: &str,
        password: Option<&str>,
        now_ms: i64,
    ) -> Result<Account, StoreError> {
        let guest = password.is_none();
        let added = self.change(|sql| {
            sql.insert(
                "INSERT INTO accounts (name, name_key, password, created, guest) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
                params![name, key, password, now_ms, guest],
            )
        });
        match added {
            Ok(id) => Ok(Account { id: AccountId(id), name: name.to_owned(), guest }),
            Err(error) => Err(error.if_there(StoreError::NameTaken)),
        }
    }

    /// An account that can log in, with its password's PHC string.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn account_with_password(&self, key: &str) -> Result<Option<(Account, String)>, StoreError> {
        self.read(|sql| {
            sql.first(
                "SELECT id, name, 0, password FROM accounts WHERE name_key = ?1 AND password IS NOT NULL",
                params![key],
                |row| Ok((Account::of_row(row)?, row.get(3)?)),
            )
        })
    }

    /// The account of this name, guests included.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn account_named(&self, key: &str) -> Result<Option<Account>, StoreError> {
        self.read(|sql| {
            sql.first("SELECT id, name, guest FROM accounts WHERE name_key = ?1", params![key], Account::of_row)
        })
    }

    /// When an account was made, in milliseconds since 1970; `None` where there is none of this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn account_created(&self, account: AccountId) -> Result<Option<i64>, StoreError> {
        self.read(|sql| sql.first("SELECT created FROM accounts WHERE id = ?1", params![account.0], |row| row.get(0)))
    }

    /// A page of accounts in the order of their keys: those behind the key `after` whose key has `part` in it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn accounts(&self, part: &str, after: &str, limit: u32) -> Result<Vec<AccountFacts>, StoreError> {
        self.read(|sql| {
            sql.all(
                "SELECT id, name, guest, name_key, created,
                     (SELECT count(*) FROM games WHERE black = accounts.id)
                         + (SELECT count(*) FROM games WHERE white = accounts.id)
                 FROM accounts WHERE name_key > ?2 AND (?1 = '' OR replace(name_key, ?1, '') <> name_key)
                 ORDER BY name_key LIMIT ?3",
                params![part, after, limit],
                |row| {
                    Ok(AccountFacts {
                        account: Account::of_row(row)?,
                        key: row.get(3)?,
                        created_ms: row.get(4)?,
                        games: row.get(5)?,
                    })
                },
            )
        })
    }

    /// Changes a password and revokes every token of the account. A guest gets none.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn set_password(&self, account: AccountId, password: &str) -> Result<(), StoreError> {
        self.change(|sql| {
            sql.execute(
                "UPDATE accounts SET password = ?2 WHERE id = ?1 AND password IS NOT NULL",
                params![account.0, password],
            )?;
            sql.execute("DELETE FROM tokens WHERE account = ?1", params![account.0])?;
            Ok(())
        })
    }

    /// Deletes an account with its tokens; true when there was such an account. Games stay with those who played against
    /// it, and count for their ratings.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn delete_account(&self, account: AccountId) -> Result<bool, StoreError> {
        self.change(|sql| {
            sql.execute(
                "INSERT INTO gone_accounts (id) SELECT id FROM accounts WHERE id = ?1 AND guest = 0",
                params![account.0],
            )?;
            let deleted = sql.execute("DELETE FROM accounts WHERE id = ?1", params![account.0])?;
            super::games::forget_unowned(sql)?;
            super::lessons::forget_unowned(sql)?;
            Ok(deleted > 0)
        })
    }
}
