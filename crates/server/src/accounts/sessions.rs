//! Connections that are open: what tells them that their token may have ended.

use super::Accounts;
use honinbo_library::AccountId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::timeout;

/// How often the token of an open connection is looked up by itself: it may have expired, or have been ended at another
/// server of the store or by a provider.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(60);

/// The accounts of open connections.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<AccountId, Arc<Notify>>>);

impl Sessions {
    /// Tokens of this account may have ended.
    pub(super) fn changed(&self, account: AccountId) {
        if let Some(news) = self.0.lock().get(&account) {
            news.notify_waiters();
        }
    }

    fn watch(&self, account: AccountId) -> Watch<'_> {
        let news = Arc::clone(self.0.lock().entry(account).or_default());
        Watch { sessions: self, account, news }
    }
}

/// An open connection of an account.
struct Watch<'a> {
    sessions: &'a Sessions,
    account: AccountId,
    news: Arc<Notify>,
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        let mut all = self.sessions.0.lock();
        // One is in the map and one is held here.
        if Arc::strong_count(&self.news) == 2 {
            all.remove(&self.account);
        }
    }
}

impl Accounts {
    /// Waits until a token lets nobody in any more. While the store does not answer, nothing has ended.
    pub(crate) async fn until_ended(self: &Arc<Self>, token: &str) {
        let account = loop {
            match self.account_of(token).await {
                Ok(Some(account)) => break account.id,
                Ok(None) => return,
                Err(_) => tokio::time::sleep(LOOK_EVERY).await,
            }
        };
        let watch = self.sessions.watch(account);
        loop {
            // Before it is looked up, so that nothing is missed.
            let news = watch.news.notified();
            if matches!(self.account_of(token).await, Ok(None)) {
                return;
            }
            let _ = timeout(LOOK_EVERY, news).await; // Either way it is looked up again.
        }
    }
}
