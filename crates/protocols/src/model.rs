//! How a network is described to other programs.

use std::sync::Arc;

use honinbo_evaluator::Evaluator;
use honinbo_search::HumanEvaluator;
use serde_json::{Value, json};

/// A network, as `query_models` and `kata-get-models` describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    /// The name of its file, or its own.
    pub name: String,
    /// The name that the file gives itself.
    pub internal_name: String,
    /// KataGo's number for the architecture.
    pub version: Option<u32>,
    /// Whether it is of human style and wants a profile.
    pub uses_profile: bool,
}

impl ModelInfo {
    pub(crate) fn described(&self, evaluator: &dyn Evaluator) -> Value {
        json!({
            "name": self.name,
            "internalName": self.internal_name,
            "maxBatchSize": evaluator.limits().max,
            "usesHumanSLProfile": self.uses_profile,
            "version": self.version,
            "usingFP16": "false",
        })
    }

    /// This network beside the one of a search.
    pub(crate) fn beside(&self, evaluator: &Arc<dyn Evaluator>) -> HumanEvaluator {
        HumanEvaluator { evaluator: Arc::clone(evaluator), needs_profile: self.uses_profile }
    }
}
