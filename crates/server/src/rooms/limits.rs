//! What the operator lets people do, kept in the store.

use super::error::OpenError;
use super::service::Rooms;
use crate::accounts::{AccountPolicy, AttemptLimits};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

/// What the limits are called in the store.
const LIMITS: &str = "limits";
/// What is kept there of who may come in.
const POLICY: &str = "policy";

/// What one person, or one address, may do. The operator changes it while the server runs.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PeopleLimits {
    pub(crate) rooms_of_one: u32,
    #[serde(flatten)]
    pub(crate) attempts: AttemptLimits,
}

/// Who may come in, as the operator has said.
#[derive(Serialize, Deserialize)]
struct KeptPolicy {
    policy: AccountPolicy,
    /// What the server was started with then: started with something else, it does what it is told now.
    options: AccountPolicy,
}

impl Rooms {
    /// Games and lessons that one person may have that are not over.
    pub(crate) fn rooms_of_one(&self) -> u32 {
        self.0.rooms_of_one.load(Ordering::Relaxed)
    }

    /// Changes what one person, or one address, may do, and keeps it.
    pub(crate) async fn set_limits(&self, limits: PeopleLimits) -> Result<(), OpenError> {
        let text = serde_json::to_string(&limits).map_err(|_| OpenError::Unavailable)?;
        self.read(move |store| store.set_setting(LIMITS, &text)).await?;
        self.apply(limits);
        Ok(())
    }

    /// Changes who may come in, and keeps it.
    pub(crate) async fn set_policy(&self, policy: AccountPolicy) -> Result<(), OpenError> {
        let kept = KeptPolicy { policy, options: self.0.policy_options };
        let text = serde_json::to_string(&kept).map_err(|_| OpenError::Unavailable)?;
        self.read(move |store| store.set_setting(POLICY, &text)).await?;
        self.0.accounts.set_policy(policy);
        Ok(())
    }

    /// Finds what the operator has set before.
    pub(super) async fn find_settings(&self) -> Result<(), OpenError> {
        if let Some(limits) = self.find_setting(LIMITS).await? {
            self.apply(limits);
        }
        match self.find_setting::<KeptPolicy>(POLICY).await? {
            Some(kept) if kept.options == self.0.policy_options => self.0.accounts.set_policy(kept.policy),
            // Forgotten, lest it come back with the options of then.
            Some(_) => self.set_policy(self.0.policy_options).await?,
            None => {}
        }
        Ok(())
    }

    async fn find_setting<T: DeserializeOwned>(&self, name: &'static str) -> Result<Option<T>, OpenError> {
        let Some(text) = self.read(move |store| store.setting(name)).await? else { return Ok(None) };
        let damaged =
            |error: &_| tracing::error!(%error, "what the operator set ({name}) cannot be read; it is as usual");
        Ok(serde_json::from_str(&text).inspect_err(damaged).ok())
    }

    fn apply(&self, PeopleLimits { rooms_of_one, attempts }: PeopleLimits) {
        self.0.rooms_of_one.store(rooms_of_one, Ordering::Relaxed);
        self.0.accounts.set_attempt_limits(attempts);
    }
}
