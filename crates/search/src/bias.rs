//! Learning from the search itself: where evaluations in like local situations turned out too high or too low, others
//! are corrected by part of that.
//!
//! Source: KataGo v1.17.2, `subtreevaluebiastable.cpp`.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::params::SearchParams;

/// Errors seen in one local situation, weighted.
#[derive(Debug, Default)]
pub(crate) struct BiasBucket {
    sums: Mutex<BiasSums>,
}

#[derive(Debug, Default, Clone, Copy)]
struct BiasSums {
    delta_utility: f64,
    weight: f64,
}

/// A node's bucket and what the node has put into it.
#[derive(Debug, Clone)]
pub(crate) struct BiasShare {
    bucket: Arc<BiasBucket>,
    delta_utility: f64,
    weight: f64,
}

impl BiasShare {
    pub(crate) fn new(bucket: Arc<BiasBucket>) -> Self {
        Self { bucket, delta_utility: 0.0, weight: 0.0 }
    }

    /// Replaces this node's contribution: its children are worth `error` more than its own evaluation, with `weight`.
    pub(crate) fn contribute(&mut self, error: f64, weight: f64) {
        let delta_utility = error * weight;
        let mut sums = self.bucket.sums.lock();
        sums.delta_utility += delta_utility - self.delta_utility;
        sums.weight += weight - self.weight;
        drop(sums);
        self.delta_utility = delta_utility;
        self.weight = weight;
    }

    /// What an evaluation here should be raised by.
    pub(crate) fn correction(&self, params: &SearchParams) -> f64 {
        let sums = *self.bucket.sums.lock();
        if sums.weight > 0.001 { params.subtree_value_bias_factor * sums.delta_utility / sums.weight } else { 0.0 }
    }

    /// Takes back most of the contribution of a node that is deleted.
    pub(crate) fn withdraw(&self, params: &SearchParams) {
        let mut sums = self.bucket.sums.lock();
        sums.delta_utility -= self.delta_utility * params.subtree_value_bias_free_prop;
        sums.weight -= self.weight * params.subtree_value_bias_free_prop;
    }
}

/// All buckets of a tree, by the hash of the local situation.
#[derive(Debug, Default)]
pub(crate) struct BiasTable {
    shards: [Mutex<HashMap<u128, Arc<BiasBucket>>>; 16],
}

impl BiasTable {
    /// The bucket of a situation, new if need be.
    pub(crate) fn bucket(&self, key: u128) -> Arc<BiasBucket> {
        Arc::clone(self.shards[(key >> 124) as usize].lock().entry(key).or_default())
    }

    /// Forgets buckets that no node refers to.
    pub(crate) fn drop_unused(&self) {
        for shard in &self.shards {
            shard.lock().retain(|_, bucket| Arc::strong_count(bucket) > 1);
        }
    }
}
