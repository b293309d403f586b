//! Deleting an account, with all that it leaves.

use super::service::Rooms;
use crate::accounts::AccountError;
use crate::people::Owner;
use honinbo_library::AccountId;
use tokio::sync::oneshot;

impl Rooms {
    /// Deletes an account in the way that is given, and ends what it leaves. Both are done to their end, also where whoever
    /// asked for it has hung up meanwhile: an account that is gone is not asked for again.
    pub(crate) async fn delete_account(
        &self,
        person: AccountId,
        deletion: impl Future<Output = Result<(), AccountError>> + Send + 'static,
    ) -> Result<(), AccountError> {
        let rooms = self.clone();
        let work = async move {
            let created_ms = rooms.read(move |store| store.account_created(person)).await;
            let created_ms = created_ms.map_err(|_| AccountError::Unavailable)?;
            let owner = created_ms.map(|created_ms| Owner { account: person, created_ms });
            let folder = rooms.0.people.as_ref().zip(owner);
            if let Some((people, owner)) = folder {
                people.mark_leaving(owner).await;
            }
            if let Err(error) = deletion.await {
                if let Some((people, owner)) = folder {
                    people.settle_leaving(owner).await;
                }
                return Err(error);
            }
            rooms.forfeit(person).await;
            if let Some((people, owner)) = folder {
                people.forget(owner).await;
            }
            Ok::<_, AccountError>(())
        };
        let (done, deleted) = oneshot::channel();
        {
            let mut deletions = self.0.deletions.lock();
            while deletions.try_join_next().is_some() {}
            deletions.spawn(async move {
                let _ = done.send(work.await); // Nobody hears it where whoever asked has hung up.
            });
        }
        deleted.await.unwrap_or_else(|_| {
            tracing::error!("deleting an account panicked");
            Err(AccountError::Unavailable)
        })
    }

    /// The account is gone: its games are lost, its seats free.
    pub(super) async fn forfeit(&self, person: AccountId) {
        self.forfeit_here(person).await;
        self.forfeit_elsewhere(person).await;
        self.forget_in_tournaments(person).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::AccountPolicy;
    use crate::rooms::{Opponents, RoomsOptions};
    use futures_util::FutureExt as _;
    use honinbo_library::StorePlace;
    use std::sync::Arc;

    /// No engine plays.
    struct Nobody;

    impl Opponents for Nobody {
        fn opponent(&self, level: &str) -> Result<Box<dyn honinbo_players::Player>, honinbo_api::ApiError> {
            Err(honinbo_api::ApiError::InvalidRequest { message: level.to_owned() })
        }

        fn names(&self) -> Vec<String> {
            Vec::new()
        }

        fn engine(&self) -> honinbo_api::EngineSource {
            honinbo_api::EngineSource::Network
        }

        fn dead_stones(&self, _: &honinbo_rules::Game) -> Vec<honinbo_rules::Point> {
            Vec::new()
        }

        fn opinion(&self, _: &honinbo_rules::Game, _: &honinbo_api::Caller) -> Option<honinbo_rooms::Opinion> {
            None
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_account_is_deleted_to_the_end_though_whoever_asked_has_hung_up() {
        let folder = tempfile::tempdir().unwrap();
        let options = RoomsOptions {
            store: StorePlace::File(folder.path().join("server.sqlite")),
            accounts: AccountPolicy::default(),
            provider: None,
            engines: 1,
            people: None,
            thinking: 0,
            peers: None,
        };
        let rooms = Rooms::open(options, Arc::new(Nobody)).await.unwrap();
        let (go_on, waits) = oneshot::channel::<()>();
        let (tell, told) = oneshot::channel();
        let deletion = async move {
            waits.await.unwrap();
            tell.send(()).unwrap();
            Ok(())
        };
        // It is asked for once, and dropped.
        assert!(rooms.delete_account(AccountId(1), deletion).now_or_never().is_none());
        go_on.send(()).unwrap();
        told.await.unwrap();
        // The server stops after that.
        rooms.stop().await;
    }
}
