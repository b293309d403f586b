//! Policy and value heads.

use super::ALL_OUTPUTS;
use super::builder::{Attribute, Value};
use super::graph::{Net, Pooling};
use super::proto::Dimension;
use crate::file::model::PassHead;

impl Net<'_> {
    /// From the trunk's tip to the five outputs, or to one that holds them all.
    pub(super) fn heads(&mut self, tip: &Value) {
        let [policy, pass] = self.policy_head(tip);
        let [value, score, ownership] = self.value_head(tip);
        let [n, h, w] = self.dims();
        if self.is_fused() {
            self.one_output(&[policy, pass, value, score, ownership], n);
            return;
        }
        let fixed = |length: usize| Dimension::Fixed(length as i64);
        let (policies, scores) = (fixed(self.model.policy.outputs), fixed(self.model.value.score_outputs()));
        self.b.output("policy", &policy, vec![n.clone(), policies.clone(), h.clone(), w.clone()]);
        self.b.output("pass", &pass, vec![n.clone(), policies]);
        self.b.output("value", &value, vec![n.clone(), fixed(3)]);
        self.b.output("score", &score, vec![n.clone(), scores]);
        self.b.output("ownership", &ownership, vec![n, fixed(1), h, w]);
    }

    /// `[N, numbers]`: a card hands every output over by itself, and each is a wait for it.
    fn one_output(&mut self, parts: &[Value], n: Dimension) {
        let flat: Vec<Value> = parts
            .iter()
            .map(|part| {
                let shape = self.b.integers(&[0, -1]);
                self.b.op("Reshape", &[part, &shape], vec![])
            })
            .collect();
        let flat: Vec<&Value> = flat.iter().collect();
        let all = self.b.op("Concat", &flat, vec![Attribute::Int("axis", 1)]);
        self.b.output(ALL_OUTPUTS, &all, vec![n, Dimension::Named("numbers".into())]);
    }

    fn policy_head(&mut self, tip: &Value) -> [Value; 2] {
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
        [logits, pass]
    }

    fn value_head(&mut self, tip: &Value) -> [Value; 3] {
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
        [value, score, ownership]
    }
}
