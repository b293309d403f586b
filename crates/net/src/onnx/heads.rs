//! Policy and value heads.

use super::builder::Value;
use super::graph::{Net, Pooling};
use super::proto::Dimension;
use crate::file::model::PassHead;

impl Net<'_> {
    /// From the trunk's tip to the five outputs.
    pub(super) fn heads(&mut self, tip: &Value) {
        self.policy_head(tip);
        self.value_head(tip);
    }

    fn policy_head(&mut self, tip: &Value) {
        let model = self.model;
        let head = &model.policy;
        self.b.scope_in("policy");
        let points = self.conv(tip, &head.points, Some(&head.norm.scale), Some(&head.norm.shift));
        let pooled = self.conv_activated(tip, &head.pooled, &head.pooled_norm, head.pooled_activation);
        let kind = head.pooled_activation;
        let bias = self.pooled_product(&pooled, &head.pool_to_bias, Pooling::Policy, kind, Some(&head.norm.scale));
        let p = self.add_everywhere(&points, &bias);
        let p = self.activate(&p, head.activation);
        let p = self.masked(&p);
        let logits = self.conv(&p, &head.logits, None, None);
        let pass = match &head.pass {
            PassHead::Direct(matmul) => self.pooled_product(&pooled, matmul, Pooling::Policy, kind, None),
            PassHead::Hidden { first, bias, activation, second } => {
                let h = self.pooled_product(&pooled, first, Pooling::Policy, kind, None);
                let h = self.biased(&h, bias);
                let h = self.activate(&h, *activation);
                self.matmul(&h, second)
            }
        };
        self.b.scope_out();
        let [n, h, w] = self.dims();
        let outputs = Dimension::Fixed(head.outputs as i64);
        self.b.output("policy", &logits, vec![n.clone(), outputs.clone(), h, w]);
        self.b.output("pass", &pass, vec![n, outputs]);
    }

    fn value_head(&mut self, tip: &Value) {
        let model = self.model;
        let head = &model.value;
        self.b.scope_in("value");
        let u = self.conv_activated(tip, &head.points, &head.norm, head.activation);
        let h = self.pooled_product(&u, &head.hidden, Pooling::Value, head.activation, None);
        let h = self.biased(&h, &head.hidden_bias);
        let h = self.activate(&h, head.hidden_activation);
        let value = self.matmul(&h, &head.value);
        let value = self.biased(&value, &head.value_bias);
        let score = self.matmul(&h, &head.score);
        let score = self.biased(&score, &head.score_bias);
        let ownership = self.conv(&u, &head.ownership, None, None);
        self.b.scope_out();
        let [n, h, w] = self.dims();
        self.b.output("value", &value, vec![n.clone(), Dimension::Fixed(3)]);
        self.b.output("score", &score, vec![n.clone(), Dimension::Fixed(head.score_outputs() as i64)]);
        self.b.output("ownership", &ownership, vec![n, Dimension::Fixed(1), h, w]);
    }
}
