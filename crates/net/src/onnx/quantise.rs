//! 8-bit graphs: the layers of the trunk between `QuantizeLinear` and `DequantizeLinear`, as ONNX writes them.
//!
//! What flows into and out of a layer becomes an unsigned 8-bit number by one scale and one zero for the whole value,
//! weights become signed ones by a scale for each output channel. The first convolution, everything that is pooled, the
//! heads, norms and activations keep 32 bits: they are a small part of the work and most of the damage
//! (`docs/experiments/cpu-speed.md`).

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::builder::{Attribute, Builder, Value, attribute, drop_unused, value_info};
use super::proto::{Dimension, GraphProto, NodeProto, TensorProto, data_type};

/// How far the values around each layer of a trunk reach, found by evaluating positions.
///
/// The layers stand in the order of the network, which is the same in its graphs for all board sizes and edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    layers: Vec<Reach>,
}

/// The smallest and the largest number met.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Span {
    low: f32,
    high: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Reach {
    input: Span,
    output: Span,
}

/// Numbers that an observing graph answers with for each layer: input's least and greatest, output's least and greatest.
const OBSERVED: usize = 4;
/// Name of that output.
pub(crate) const OBSERVED_OUTPUT: &str = "reach";

impl Calibration {
    /// From the answers of an observing graph to several batches; `None` where they are empty, of different lengths or
    /// hold anything but finite numbers.
    pub(crate) fn of(batches: &[Vec<f32>]) -> Option<Self> {
        let length = batches.first().map(Vec::len).filter(|length| length.is_multiple_of(OBSERVED))?;
        if batches.iter().any(|batch| batch.len() != length || batch.iter().any(|value| !value.is_finite())) {
            return None;
        }
        let over = |at: usize, pick: fn(f32, f32) -> f32| batches.iter().map(|batch| batch[at]).reduce(pick);
        let span = |at: usize| Some(Span { low: over(at, f32::min)?, high: over(at + 1, f32::max)? });
        let layers = (0..length).step_by(OBSERVED).map(|at| Some(Reach { input: span(at)?, output: span(at + 2)? }));
        Some(Self { layers: layers.collect::<Option<_>>()? })
    }

    /// Layers that were measured.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.layers.len()
    }
}

impl Span {
    /// The step between two numbers, and the number that stands for zero.
    fn scale(self) -> (f32, u8) {
        let (low, high) = (self.low.min(0.0), self.high.max(0.0));
        let step = (high - low) / 255.0;
        if !(step.is_finite() && step > f32::MIN_POSITIVE) {
            return (1.0, 0);
        }
        (step, (-low / step).round().clamp(0.0, 255.0) as u8)
    }
}

/// One layer in a graph.
struct Layer {
    node: usize,
    input: String,
    /// What is rounded after it. A convolution that only a ReLU reads is rounded behind that, where nothing is lost
    /// below zero.
    output: String,
}

fn layers(graph: &GraphProto, names: &[String]) -> Vec<Layer> {
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut readers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, node) in graph.node.iter().enumerate() {
        node.input.iter().for_each(|input| readers.entry(input).or_default().push(index));
    }
    let layer = |(index, node): (usize, &NodeProto)| {
        let mut output = node.output[0].clone();
        if let Some([reader]) = readers.get(output.as_str()).map(Vec::as_slice)
            && graph.node[*reader].op_type == "Relu"
        {
            output.clone_from(&graph.node[*reader].output[0]);
        }
        Layer { node: index, input: node.input[0].clone(), output }
    };
    graph.node.iter().enumerate().filter(|(_, node)| wanted.contains(node.name.as_str())).map(layer).collect()
}

/// Adds an output with the reach of every layer, see [`Calibration::of`].
pub(super) fn observe(mut b: Builder, names: &[String]) -> GraphProto {
    let watched: Vec<String> =
        layers(b.graph(), names).into_iter().flat_map(|layer| [layer.input, layer.output]).collect();
    let axis = b.integers(&[0]);
    let mut parts = Vec::new();
    for value in watched {
        for op in ["ReduceMin", "ReduceMax"] {
            let one = b.op(op, &[&Value(value.clone())], vec![Attribute::Int("keepdims", 0)]);
            parts.push(b.op("Unsqueeze", &[&one, &axis], vec![]));
        }
    }
    let parts: Vec<&Value> = parts.iter().collect();
    let all = b.op("Concat", &parts, vec![Attribute::Int("axis", 0)]);
    let mut graph = b.finish();
    if let Some(node) = graph.node.last_mut() {
        debug_assert_eq!(node.output[0], all.0);
        node.output[0] = OBSERVED_OUTPUT.into();
    }
    graph.output.push(value_info(OBSERVED_OUTPUT, vec![Dimension::Fixed(parts.len() as i64)]));
    graph
}

/// A value that is rounded to 8 bits.
struct Rounded {
    scale: f32,
    zero: u8,
    /// Whether every reader gets the rounded one: after a layer, but not before it.
    for_all: bool,
}

/// Puts the layers of those names between roundings; `None` where they are not the layers that were measured.
pub(super) fn quantise(mut graph: GraphProto, names: &[String], calibration: &Calibration) -> Option<GraphProto> {
    let layers = layers(&graph, names);
    if layers.len() != calibration.layers.len() {
        return None;
    }
    let mut rounded: HashMap<String, Rounded> = HashMap::new();
    for (layer, reach) in layers.iter().zip(&calibration.layers) {
        let mut round = |value: &String, span: Span, for_all: bool| {
            let (scale, zero) = span.scale();
            rounded.entry(value.clone()).or_insert(Rounded { scale, zero, for_all }).for_all |= for_all;
        };
        round(&layer.input, reach.input, false);
        // The library's 8-bit products answer in 32 bits by themselves, its convolutions do not.
        if graph.node[layer.node].op_type == "Conv" {
            round(&layer.output, reach.output, true);
        }
    }
    let layers: HashMap<usize, Layer> = layers.into_iter().map(|layer| (layer.node, layer)).collect();
    let constants: HashMap<String, TensorProto> =
        graph.initializer.iter().map(|constant| (constant.name.clone(), constant.clone())).collect();
    let mut to = Target { nodes: Vec::new(), constants: Vec::new() };
    for (index, mut node) in std::mem::take(&mut graph.node).into_iter().enumerate() {
        for input in &mut node.input {
            if rounded.get(input.as_str()).is_some_and(|value| value.for_all) {
                *input = widened(input);
            }
        }
        if let Some(layer) = layers.get(&index) {
            let scale = rounded.get(&layer.input)?.scale;
            node.input[0] = widened(&layer.input);
            let axis = if node.op_type == "Conv" { 0 } else { 1 };
            let scales = to.weights(constants.get(&node.input[1])?, axis);
            node.input[1] = widened(&node.input[1]);
            if let Some(bias) = node.input.get_mut(2) {
                to.bias(constants.get(bias.as_str())?, scale, &scales);
                *bias = widened(bias);
            }
        }
        let made: Vec<String> = node.output.clone();
        to.nodes.push(node);
        for value in made {
            if let Some(Rounded { scale, zero, .. }) = rounded.get(&value) {
                to.round(&value, *scale, *zero);
            }
        }
    }
    graph.node = to.nodes;
    graph.initializer.extend(to.constants);
    drop_unused(&mut graph);
    Some(graph)
}

/// The name of a value after it was rounded and made a 32-bit number again.
fn widened(value: &str) -> String {
    format!("{value}/widened")
}

/// Nodes and constants of the graph that is written.
struct Target {
    nodes: Vec<NodeProto>,
    constants: Vec<TensorProto>,
}

impl Target {
    fn constant(&mut self, name: String, dims: Vec<i64>, data_type: i32, raw_data: Vec<u8>) -> String {
        self.constants.push(TensorProto { dims, data_type, name: name.clone(), raw_data });
        name
    }

    fn node(&mut self, op: &str, input: Vec<String>, output: String, axis: Option<i64>) {
        self.nodes.push(NodeProto {
            input,
            name: format!("{output}/{op}"),
            output: vec![output],
            op_type: op.into(),
            attribute: axis.map(|axis| attribute(Attribute::Int("axis", axis))).into_iter().collect(),
            domain: String::new(),
        });
    }

    fn round(&mut self, value: &str, scale: f32, zero: u8) {
        let scale = self.constant(format!("{value}/scale"), Vec::new(), data_type::FLOAT, scale.to_le_bytes().to_vec());
        let zero = self.constant(format!("{value}/zero"), Vec::new(), data_type::UINT8, vec![zero]);
        let narrow = format!("{value}/narrow");
        self.node("QuantizeLinear", vec![value.into(), scale.clone(), zero.clone()], narrow.clone(), None);
        self.node("DequantizeLinear", vec![narrow, scale, zero], widened(value), None);
    }

    /// Signed 8-bit weights with a scale for each output channel, which lie along `axis`. Returns the scales.
    fn weights(&mut self, weights: &TensorProto, axis: usize) -> Vec<f32> {
        let values = floats(weights);
        let outputs = weights.dims[axis] as usize;
        let taps: usize = weights.dims.iter().skip(2).map(|&dim| dim as usize).product();
        // `[output][input][tap]` for convolutions, `[input][output]` for matrices.
        let (inputs, run, apart) = if axis == 0 {
            (weights.dims[1] as usize, weights.dims[1] as usize * taps, taps)
        } else {
            (weights.dims[0] as usize, 1, outputs)
        };
        let channel = |index: usize| index / run % outputs;
        // Processors without VNNI add the products of two neighbouring inputs in 16 bits, which saturates at 32,767, and
        // twice 255 * 127 is more. Steps wide enough for no pair of weights to go beyond 127 together keep it exact.
        let even = inputs.is_multiple_of(2);
        let most = if even { 127.0 } else { 63.0 };
        let mut scales = vec![0.0f32; outputs];
        for (index, value) in values.iter().enumerate() {
            let mut reach = value.abs();
            if even && (index / apart).is_multiple_of(2) {
                reach = reach.max((value + values[index + apart]).abs());
            }
            let scale = &mut scales[channel(index)];
            *scale = scale.max(reach / most);
        }
        scales.iter_mut().filter(|scale| **scale < f32::MIN_POSITIVE).for_each(|scale| *scale = 1.0);
        let narrow = values.iter().enumerate().map(|(index, value)| {
            let step = (value / scales[channel(index)]).round().clamp(-127.0, 127.0);
            (step as i8).to_le_bytes()[0]
        });
        let narrow = narrow.collect();
        self.widen(weights, weights.dims.clone(), data_type::INT8, narrow, &scales, axis as i64);
        scales
    }

    /// A bias in steps of the products' sums.
    fn bias(&mut self, bias: &TensorProto, input: f32, weights: &[f32]) {
        let scales: Vec<f32> = weights.iter().map(|weight| (weight * input).max(f32::MIN_POSITIVE)).collect();
        let steps = floats(bias).into_iter().zip(&scales).flat_map(|(value, &scale)| {
            // Saturates; a bias of more than 2^31 steps is beyond everything that the sums can reach.
            ((f64::from(value) / f64::from(scale)).round() as i32).to_le_bytes()
        });
        let steps = steps.collect();
        self.widen(bias, bias.dims.clone(), data_type::INT32, steps, &scales, 0);
    }

    fn widen(&mut self, of: &TensorProto, dims: Vec<i64>, kind: i32, narrow: Vec<u8>, scales: &[f32], axis: i64) {
        let value = &of.name;
        let size = if kind == data_type::INT8 { 1 } else { 4 };
        let channels = vec![scales.len() as i64];
        let narrow = self.constant(format!("{value}/narrow"), dims, kind, narrow);
        let raw = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
        let scale = self.constant(format!("{value}/scale"), channels.clone(), data_type::FLOAT, raw);
        let zero = self.constant(format!("{value}/zero"), channels, kind, vec![0; scales.len() * size]);
        self.node("DequantizeLinear", vec![narrow, scale, zero], widened(value), Some(axis));
    }
}

fn floats(constant: &TensorProto) -> Vec<f32> {
    constant
        .raw_data
        .chunks_exact(4)
        .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_always_a_number_of_its_own() {
        for (low, high) in [(0.0, 5.1), (-1.0, 4.1), (-3.0, -1.0), (2.0, 3.0), (0.0, 0.0), (-1e-40, 1e-40)] {
            let (step, zero) = Span { low, high }.scale();
            assert!(step > 0.0 && step.is_finite());
            let back = |narrow: u8| (f32::from(narrow) - f32::from(zero)) * step;
            assert_eq!(back(zero), 0.0);
            let beyond = step * 0.51 + f32::EPSILON;
            assert!(back(0) <= low.max(0.0) + beyond && back(255) >= high.min(0.0) - beyond, "{low} to {high}");
        }
        assert_eq!(Span { low: -1.0, high: 254.0 }.scale(), (1.0, 1));
    }

    fn narrowed(values: &[f32], dims: Vec<i64>, axis: usize) -> (Vec<f32>, Vec<i8>) {
        let raw_data = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let weights = TensorProto { dims, data_type: data_type::FLOAT, name: "w".into(), raw_data };
        let mut to = Target { nodes: Vec::new(), constants: Vec::new() };
        let scales = to.weights(&weights, axis);
        let narrow = &to.constants.iter().find(|constant| constant.name == "w/narrow").unwrap().raw_data;
        (scales, narrow.iter().map(|byte| i8::from_le_bytes([*byte])).collect())
    }

    #[test]
    fn weights_keep_a_scale_for_each_output() {
        let values = [1.27, -0.5, 0.0, 100.0, -127.0, 0.0];
        let (scales, narrow) = narrowed(&values, vec![3, 2, 1, 1], 0);
        assert_eq!(scales, [0.01, 100.0 / 127.0, 1.0]);
        assert_eq!(narrow, [127, -50, 0, 127, -127, 0]);
        let (scales, narrow) = narrowed(&values, vec![2, 3], 1);
        assert_eq!(scales, [101.27 / 127.0, 127.5 / 127.0, 1.0]);
        assert_eq!(narrow, [2, 0, 0, 125, -127, 0]);
    }

    #[test]
    fn no_pair_of_products_leaves_sixteen_bits() {
        let value = |index: usize| ((index * 7919) % 1013) as f32 / 500.0 - 1.0;
        let (outputs, inputs, taps) = (5, 6, 9);
        let values: Vec<f32> = (0..outputs * inputs * taps).map(value).collect();
        let (_, convolution) = narrowed(&values, vec![5, 6, 3, 3], 0);
        let (_, matrix) = narrowed(&values, vec![54, 5], 1);
        let fits = |a: i8, b: i8| (-0x8000..0x8000).contains(&(255 * (i32::from(a) + i32::from(b))));
        for output in 0..outputs {
            for input in (0..inputs).step_by(2) {
                for tap in 0..taps {
                    let at = |input: usize| convolution[(output * inputs + input) * taps + tap];
                    assert!(fits(at(input), at(input + 1)));
                }
            }
            for input in (0..54).step_by(2) {
                assert!(fits(matrix[input * outputs + output], matrix[(input + 1) * outputs + output]));
            }
        }
        let (_, odd) = narrowed(&values[..15], vec![5, 3, 1, 1], 0);
        assert!(odd.iter().all(|weight| weight.unsigned_abs() <= 64));
    }

    #[test]
    fn reaches_of_batches_are_put_together() {
        let calibration = Calibration::of(&[vec![0.0, 1.0, -1.0, 2.0], vec![-0.5, 0.5, -3.0, 1.0]]).unwrap();
        let reach = calibration.layers[0];
        assert_eq!((reach.input, reach.output), (Span { low: -0.5, high: 1.0 }, Span { low: -3.0, high: 2.0 }));
        assert_eq!(Calibration::of(&[]), None);
        assert_eq!(Calibration::of(&[vec![0.0; 4], vec![0.0; 8]]), None);
        assert_eq!(Calibration::of(&[vec![0.0, f32::NAN, 0.0, 1.0]]), None);
        assert_eq!(Calibration::of(&[vec![0.0; 3]]), None);
    }
}
