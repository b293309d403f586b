//! A graph under construction.

use super::half::to_half;
use super::proto::{
    AttributeProto, Dimension, DimensionProto, GraphProto, NodeProto, TensorProto, TensorShapeProto, TensorTypeProto,
    TypeProto, ValueInfoProto, data_type,
};
use crate::subnormal::flush;

/// A value in the graph, by name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Value(pub(super) String);

/// A setting of a node.
pub(super) enum Attribute {
    Int(&'static str, i64),
    Ints(&'static str, Vec<i64>),
    Float(&'static str, f32),
    Text(&'static str, &'static str),
}

/// Collects nodes and constants; every value gets a name that says where it comes from.
pub(super) struct Builder {
    graph: GraphProto,
    scope: Vec<String>,
    count: usize,
    half: bool,
}

impl Builder {
    /// `half`: constants are stored with 16 bits.
    pub(super) fn new(name: &str, half: bool) -> Self {
        let graph = GraphProto { name: name.into(), ..GraphProto::default() };
        Self { graph, scope: Vec::new(), count: 0, half }
    }

    pub(super) fn half(&self) -> bool {
        self.half
    }

    pub(super) fn graph(&self) -> &GraphProto {
        &self.graph
    }

    pub(super) fn finish(self) -> GraphProto {
        self.graph
    }

    /// Names made from here on start with `name`, until [`Builder::scope_out`].
    pub(super) fn scope_in(&mut self, name: &str) {
        self.scope.push(name.into());
    }

    pub(super) fn scope_out(&mut self) {
        self.scope.pop();
    }

    fn fresh(&mut self, kind: &str) -> String {
        self.count += 1;
        let scope = if self.scope.is_empty() { "top".into() } else { self.scope.join("/") };
        format!("{scope}/{kind}_{}", self.count)
    }

    /// A node of the standard's own operators with one output.
    pub(super) fn op(&mut self, op: &str, inputs: &[&Value], attributes: Vec<Attribute>) -> Value {
        self.op_in("", op, inputs, attributes)
    }

    /// A node of another operator set.
    pub(super) fn op_in(&mut self, domain: &str, op: &str, inputs: &[&Value], attributes: Vec<Attribute>) -> Value {
        let mut outputs = self.ops(domain, op, inputs, attributes, 1);
        outputs.pop().expect("one output was asked for")
    }

    /// A node with several outputs.
    pub(super) fn ops(
        &mut self,
        domain: &str,
        op: &str,
        inputs: &[&Value],
        attributes: Vec<Attribute>,
        outputs: usize,
    ) -> Vec<Value> {
        let name = self.fresh(op);
        let names: Vec<Value> = if outputs == 1 {
            vec![Value(name.clone())]
        } else {
            (0..outputs).map(|index| Value(format!("{name}:{index}"))).collect()
        };
        self.graph.node.push(NodeProto {
            input: inputs.iter().map(|value| value.0.clone()).collect(),
            output: names.iter().map(|value| value.0.clone()).collect(),
            name,
            op_type: op.into(),
            attribute: attributes.into_iter().map(attribute).collect(),
            domain: domain.into(),
        });
        names
    }

    /// A constant of weights.
    pub(super) fn weights(&mut self, dims: &[usize], values: &[f32]) -> Value {
        if self.half {
            let raw = values.iter().flat_map(|&value| to_half(value).to_le_bytes()).collect();
            self.tensor(dims, data_type::FLOAT16, raw)
        } else {
            self.full_weights(dims, values)
        }
    }

    /// A constant that keeps 32 bits whatever the precision.
    pub(super) fn full_weights(&mut self, dims: &[usize], values: &[f32]) -> Value {
        debug_assert_eq!(dims.iter().product::<usize>(), values.len());
        let raw = values.iter().flat_map(|&value| flush(value).to_le_bytes()).collect();
        self.tensor(dims, data_type::FLOAT, raw)
    }

    /// A constant of sizes or axes.
    pub(super) fn integers(&mut self, values: &[i64]) -> Value {
        let raw = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.tensor(&[values.len()], data_type::INT64, raw)
    }

    /// A single whole number.
    pub(super) fn integer(&mut self, value: i64) -> Value {
        self.tensor(&[], data_type::INT64, value.to_le_bytes().to_vec())
    }

    /// A constant of any type.
    pub(super) fn tensor(&mut self, dims: &[usize], data_type: i32, raw_data: Vec<u8>) -> Value {
        let name = self.fresh("constant");
        let dims = dims.iter().map(|&dim| dim as i64).collect();
        self.graph.initializer.push(TensorProto { dims, data_type, name: name.clone(), raw_data });
        Value(name)
    }

    pub(super) fn input(&mut self, name: &str, dims: Vec<Dimension>) -> Value {
        self.graph.input.push(value_info(name, dims));
        Value(name.into())
    }

    /// Gives `value` a public name; with 16-bit graphs it becomes a 32-bit value again.
    pub(super) fn output(&mut self, name: &str, value: &Value, dims: Vec<Dimension>) {
        let (op_type, attribute) = if self.half {
            ("Cast", vec![attribute(Attribute::Int("to", i64::from(data_type::FLOAT)))])
        } else {
            ("Identity", Vec::new())
        };
        // The node that made the value is renamed instead, where that is all there is to do.
        let producer = self.graph.node.iter_mut().rev().find(|node| node.output.contains(&value.0));
        match producer {
            Some(node) if !self.half => {
                for output in &mut node.output {
                    if *output == value.0 {
                        *output = name.into();
                    }
                }
                for node in &mut self.graph.node {
                    for input in &mut node.input {
                        if *input == value.0 {
                            *input = name.into();
                        }
                    }
                }
            }
            _ => self.graph.node.push(NodeProto {
                input: vec![value.0.clone()],
                output: vec![name.into()],
                name: name.into(),
                op_type: op_type.into(),
                attribute,
                domain: String::new(),
            }),
        }
        self.graph.output.push(value_info(name, dims));
    }
}

/// Takes out constants and nodes that nothing uses.
pub(super) fn drop_unused(graph: &mut GraphProto) {
    loop {
        let mut used: std::collections::HashSet<String> =
            graph.node.iter().flat_map(|node| node.input.iter().cloned()).collect();
        used.extend(graph.output.iter().map(|output| output.name.clone()));
        let before = graph.node.len();
        graph.node.retain(|node| node.output.iter().any(|output| used.contains(output)));
        graph.initializer.retain(|constant| used.contains(&constant.name));
        if graph.node.len() == before {
            return;
        }
    }
}

pub(super) fn value_info(name: &str, dims: Vec<Dimension>) -> ValueInfoProto {
    let dim = dims.into_iter().map(|dim| DimensionProto { value: Some(dim) }).collect();
    let tensor_type = Some(TensorTypeProto { elem_type: data_type::FLOAT, shape: Some(TensorShapeProto { dim }) });
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { tensor_type }) }
}

pub(super) fn attribute(attribute: Attribute) -> AttributeProto {
    match attribute {
        Attribute::Int(name, i) => AttributeProto { name: name.into(), i, r#type: 2, ..AttributeProto::default() },
        Attribute::Ints(name, ints) => {
            AttributeProto { name: name.into(), ints, r#type: 7, ..AttributeProto::default() }
        }
        Attribute::Float(name, f) => AttributeProto { name: name.into(), f, r#type: 1, ..AttributeProto::default() },
        Attribute::Text(name, text) => {
            AttributeProto { name: name.into(), s: text.into(), r#type: 3, ..AttributeProto::default() }
        }
    }
}

#[cfg(test)]
mod tests {
    use honinbo_testkit::TinyNetwork;
    use prost::Message as _;

    use crate::file::{Limits, NetworkFile};
    use crate::onnx::proto::{ModelProto, data_type};
    use crate::onnx::{GraphOptions, to_onnx};

    #[test]
    fn no_subnormal_number_is_written_into_a_graph() {
        for tiny in [TinyNetwork::convolutional(15), TinyNetwork::transformer()] {
            let text = tiny.to_text();
            let mut model = NetworkFile::from_bytes("tiny.txt", text.as_bytes(), &Limits::default()).unwrap().model;
            let mut number = 0u32;
            model.map_weights(|weight| {
                number += 1;
                if number.is_multiple_of(3) { 1e-40 } else { weight * 1e-36 }
            });
            let graph = to_onnx(&model, &GraphOptions::exact(9, 9)).unwrap();
            let graph = ModelProto::decode(graph.as_slice()).unwrap().graph.unwrap();
            let floats = graph.initializer.iter().filter(|tensor| tensor.data_type == data_type::FLOAT);
            let values: Vec<f32> = floats
                .flat_map(|tensor| tensor.raw_data.chunks_exact(4))
                .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
                .collect();
            assert!(values.len() > 1000);
            assert_eq!(values.iter().filter(|value| value.is_subnormal()).count(), 0);
        }
    }
}
