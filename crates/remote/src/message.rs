//! Questions and answers of the protocol as bytes: a JSON object, with the numbers in it or behind it, and what these
//! forms have in common with that of gRPC (`proto.rs`).

use bytes::Bytes;
use honinbo_net::{NetworkHeader, NetworkInputs, NetworkOutputs};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{EndpointError, first_line};
use crate::proto;

/// How numbers travel by REST; by gRPC they are binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TensorForm {
    /// Binary where the server says that it takes that, JSON elsewhere.
    #[default]
    Auto,
    /// As JSON, always.
    Json,
}

/// The form of questions that a server is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// JSON with the numbers in it.
    Json,
    /// JSON with the numbers behind it.
    Binary,
    /// The messages of gRPC.
    Protobuf,
}

/// What an answer may take beside its numbers.
const MAX_FRAME: usize = 64 << 10;
/// What one number may take in JSON: `-1.1754943508222875e-38` and a comma, and blanks.
const MAX_JSON_NUMBER: usize = 32;
/// Arrays in arrays: the deepest has four.
const MAX_DEPTH: usize = 4;

/// A question, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    pub(crate) body: Bytes,
    pub(crate) wire: Wire,
    /// Length of the JSON that the numbers follow; `None` in the other forms.
    pub(crate) json_length: Option<usize>,
    pub(crate) count: usize,
    /// Columns and rows.
    pub(crate) buffer: (usize, usize),
}

impl Question {
    /// A question to the model of that name.
    pub(crate) fn new(header: &NetworkHeader, inputs: &NetworkInputs, wire: Wire, model: &str) -> Self {
        let (body, json_length) = match wire {
            Wire::Json => (json_question(header, inputs), None),
            Wire::Binary => {
                let (body, length) = binary_question(header, inputs);
                (body, Some(length))
            }
            Wire::Protobuf => (proto::write_question(model, header, inputs), None),
        };
        let buffer = (inputs.width, inputs.height);
        Self { body: body.into(), wire, json_length, count: inputs.count, buffer }
    }

    /// The longest answer that is read.
    pub(crate) fn max_answer(&self, header: &NetworkHeader) -> usize {
        let shapes = output_shapes(header, self.count, self.buffer);
        let numbers: usize = shapes.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
        MAX_FRAME
            + numbers
                * match self.wire {
                    Wire::Json => MAX_JSON_NUMBER,
                    Wire::Binary | Wire::Protobuf => size_of::<f32>(),
                }
    }
}

fn json_question(header: &NetworkHeader, inputs: &NetworkInputs) -> Vec<u8> {
    let tensors: Vec<Value> = input_arrays(header, inputs)
        .into_iter()
        .map(|(name, shape, data)| json!({ "name": name, "shape": shape, "datatype": "FP32", "data": data }))
        .collect();
    let outputs = output_shapes(header, inputs.count, (inputs.width, inputs.height));
    let outputs = outputs.map(|(name, _)| json!({ "name": name }));
    json!({ "inputs": tensors, "outputs": outputs.to_vec() }).to_string().into_bytes()
}

/// With the length of its JSON.
fn binary_question(header: &NetworkHeader, inputs: &NetworkInputs) -> (Vec<u8>, usize) {
    let arrays = input_arrays(header, inputs);
    let tensor = |(name, shape, data): &(&str, Vec<usize>, &[f32])| {
        let parameters = json!({ "binary_data_size": size_of_val(*data) });
        json!({ "name": name, "shape": shape, "datatype": "FP32", "parameters": parameters })
    };
    let outputs = output_shapes(header, inputs.count, (inputs.width, inputs.height));
    let outputs = outputs.map(|(name, _)| json!({ "name": name, "parameters": { "binary_data": true } }));
    let frame = json!({ "inputs": arrays.iter().map(tensor).collect::<Vec<_>>(), "outputs": outputs.to_vec() });
    let mut body = frame.to_string().into_bytes();
    let length = body.len();
    let mut at = length;
    body.resize(at + arrays.iter().map(|(_, _, data)| size_of_val(*data)).sum::<usize>(), 0);
    for (_, _, data) in &arrays {
        let own = &mut body[at..][..size_of_val(*data)];
        little_endian(data, own);
        at += own.len();
    }
    (body, length)
}

/// Writes numbers as bytes, four for each.
pub(crate) fn little_endian(data: &[f32], into: &mut [u8]) {
    into.as_chunks_mut::<4>().0.iter_mut().zip(data).for_each(|(four, number)| *four = number.to_le_bytes());
}

/// The arrays of a question with their lengths in each direction.
pub(crate) fn input_arrays<'a>(
    header: &NetworkHeader,
    inputs: &'a NetworkInputs,
) -> Vec<(&'static str, Vec<usize>, &'a [f32])> {
    let (n, area) = (inputs.count, inputs.width * inputs.height);
    let mut arrays = vec![
        (
            "spatial",
            vec![n, inputs.spatial.len() / (n * area).max(1), inputs.height, inputs.width],
            &inputs.spatial[..],
        ),
        ("global", vec![n, inputs.global.len() / n.max(1)], &inputs.global[..]),
    ];
    if header.human_style {
        arrays.push(("meta", vec![n, inputs.meta.len() / n.max(1)], &inputs.meta[..]));
    }
    arrays
}

/// The arrays of an answer with their lengths in each direction.
pub(crate) fn output_shapes(
    header: &NetworkHeader,
    n: usize,
    (width, height): (usize, usize),
) -> [(&'static str, Vec<usize>); 5] {
    [
        ("policy", vec![n, header.policy_outputs, height, width]),
        ("pass", vec![n, header.policy_outputs]),
        ("value", vec![n, 3]),
        ("score", vec![n, header.score_outputs]),
        ("ownership", vec![n, 1, height, width]),
    ]
}

/// The arrays of an answer, taken up one after the other; none is taken that was not asked for.
pub(crate) struct ReceivedArrays {
    wanted: [(&'static str, Vec<usize>); 5],
    found: [Option<Vec<f32>>; 5],
}

impl ReceivedArrays {
    pub(crate) fn new(header: &NetworkHeader, question: &Question) -> Self {
        Self { wanted: output_shapes(header, question.count, question.buffer), found: Default::default() }
    }

    /// Where the array of that description belongs.
    pub(crate) fn place(&self, name: &str, datatype: &str, shape: &[i64]) -> Result<usize, EndpointError> {
        let place = self.wanted.iter().position(|(wanted, _)| *wanted == name);
        let place = place.ok_or_else(|| EndpointError::Malformed {
            reason: format!("nobody asked for an output {:?}", first_line(name)),
        })?;
        let (_, wanted) = &self.wanted[place];
        let fits = shape.len() == wanted.len()
            && shape.iter().zip(wanted).all(|(&found, &wanted)| usize::try_from(found) == Ok(wanted));
        if datatype == "FP32" && fits {
            return Ok(place);
        }
        let (shown, datatype) = (&shape[..shape.len().min(8)], first_line(datatype));
        Err(EndpointError::Malformed { reason: format!("{name} is {datatype} {shown:?}, expected FP32 {wanted:?}") })
    }

    /// Numbers of the array at that place.
    pub(crate) fn length(&self, place: usize) -> usize {
        self.wanted[place].1.iter().product()
    }

    pub(crate) fn put(&mut self, place: usize, data: Vec<f32>) -> Result<(), EndpointError> {
        let (name, length) = (self.wanted[place].0, self.length(place));
        let malformed = |reason: String| Err(EndpointError::Malformed { reason });
        if data.len() != length {
            return malformed(format!("{name} has {} numbers of {length}", data.len()));
        }
        if self.found[place].replace(data).is_some() {
            return malformed(format!("{name} is there twice"));
        }
        Ok(())
    }

    pub(crate) fn put_bytes(&mut self, place: usize, bytes: &[u8]) -> Result<(), EndpointError> {
        let (name, length) = (self.wanted[place].0, self.length(place) * size_of::<f32>());
        if bytes.len() != length {
            return Err(EndpointError::Malformed { reason: format!("{name} has {} bytes of {length}", bytes.len()) });
        }
        self.put(place, bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
    }

    /// All of them, each whole and finite.
    pub(crate) fn finish(mut self) -> Result<NetworkOutputs, EndpointError> {
        let mut take = |place: usize| {
            let (name, _) = self.wanted[place];
            let data = self.found[place].take();
            let data = data.ok_or_else(|| EndpointError::Malformed { reason: format!("{name} is missing") })?;
            if data.iter().all(|number| number.is_finite()) {
                Ok(data)
            } else {
                Err(EndpointError::NotFinite { output: name })
            }
        };
        Ok(NetworkOutputs { policy: take(0)?, pass: take(1)?, value: take(2)?, score: take(3)?, ownership: take(4)? })
    }
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inferred {
    pub(crate) outputs: NetworkOutputs,
    /// The version of the model that computed them; empty where the server does not say.
    pub(crate) model_version: String,
}

#[derive(Debug, Deserialize)]
struct Answer {
    #[serde(default)]
    model_version: Value,
    #[serde(default)]
    outputs: Vec<Tensor>,
}

#[derive(Debug, Deserialize)]
struct Tensor {
    name: String,
    datatype: String,
    shape: Vec<i64>,
    #[serde(default)]
    parameters: Parameters,
    #[serde(default)]
    data: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
struct Parameters {
    binary_data_size: Option<usize>,
}

/// Reads an answer; nothing that a server says is believed before it was checked.
pub(crate) fn read_answer(
    header: &NetworkHeader,
    question: &Question,
    body: &[u8],
    json_length: Option<usize>,
) -> Result<Inferred, EndpointError> {
    let malformed = |reason: String| EndpointError::Malformed { reason };
    let frame = match json_length {
        None => body,
        Some(length) => body
            .get(..length)
            .ok_or_else(|| malformed(format!("its JSON should have {length} bytes, there are {}", body.len())))?,
    };
    let mut numbers = &body[frame.len()..];
    let answer: Answer =
        serde_json::from_slice(frame).map_err(|error| malformed(first_line(&format!("no such JSON: {error}"))))?;
    let mut arrays = ReceivedArrays::new(header, question);
    for tensor in answer.outputs {
        let place = arrays.place(&tensor.name, &tensor.datatype, &tensor.shape)?;
        let name = tensor.name;
        match (tensor.parameters.binary_data_size, tensor.data) {
            (Some(bytes), None) => {
                let (own, rest) = numbers.split_at_checked(bytes).ok_or_else(|| {
                    malformed(format!("{name} should have {bytes} bytes, {} are left", numbers.len()))
                })?;
                numbers = rest;
                arrays.put_bytes(place, own)?;
            }
            (None, Some(data)) => {
                let length = arrays.length(place);
                let mut list = Vec::with_capacity(length);
                if !flatten(&data, length, MAX_DEPTH, &mut list) {
                    return Err(malformed(format!("{name} has other data than {length} numbers")));
                }
                arrays.put(place, list)?;
            }
            _ => return Err(malformed(format!("{name} has its data neither in JSON nor behind it"))),
        }
    }
    let outputs = arrays.finish()?;
    if !numbers.is_empty() {
        return Err(malformed(format!("{} bytes too many follow", numbers.len())));
    }
    let model_version = match answer.model_version {
        Value::Null => String::new(),
        Value::String(version) => version,
        // The protocol wants a text.
        other => other.to_string(),
    };
    Ok(Inferred { outputs, model_version })
}

/// The numbers of an array of arrays, in their order; false for anything else and for too many.
fn flatten(data: &Value, most: usize, depth: usize, into: &mut Vec<f32>) -> bool {
    match data {
        Value::Array(items) if depth > 0 => items.iter().all(|item| flatten(item, most, depth - 1, into)),
        Value::Number(number) if into.len() < most => {
            into.push(number.as_f64().unwrap_or(f64::NAN) as f32);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::tests::header;
    use honinbo_testkit::damaged;
    use proptest::prelude::*;

    fn question(binary: bool) -> Question {
        let inputs = NetworkInputs {
            count: 2,
            width: 3,
            height: 2,
            spatial: (0..2 * 22 * 6).map(|number| number as f32).collect(),
            global: vec![0.5; 2 * 19],
            meta: Vec::new(),
        };
        Question::new(&header(), &inputs, if binary { Wire::Binary } else { Wire::Json }, "m")
    }

    /// An answer in both forms; each number is its index.
    fn answer(binary: bool, change: impl Fn(&mut Value)) -> (Vec<u8>, Option<usize>) {
        let mut numbers = Vec::new();
        let outputs = output_shapes(&header(), 2, (3, 2)).map(|(name, shape)| {
            let data: Vec<f32> = (0..shape.iter().product::<usize>()).map(|number| number as f32).collect();
            let mut tensor = json!({ "name": name, "shape": shape, "datatype": "FP32" });
            if binary {
                tensor["parameters"] = json!({ "binary_data_size": data.len() * 4 });
                numbers.extend(data.iter().flat_map(|number| number.to_le_bytes()));
            } else {
                tensor["data"] = json!(data);
            }
            tensor
        });
        let mut frame = json!({ "model_name": "m", "outputs": outputs.to_vec() });
        change(&mut frame);
        let mut body = frame.to_string().into_bytes();
        let json_length = binary.then_some(body.len());
        body.extend(numbers);
        (body, json_length)
    }

    #[test]
    fn a_question_holds_its_numbers_behind_or_in_its_json() {
        let binary = question(true);
        let length = binary.json_length.unwrap();
        let frame: Value = serde_json::from_slice(&binary.body[..length]).unwrap();
        assert_eq!(frame["inputs"][0]["shape"], json!([2, 22, 2, 3]));
        assert_eq!(frame["inputs"][0]["parameters"]["binary_data_size"], 2 * 22 * 6 * 4);
        assert_eq!(frame["outputs"][4], json!({ "name": "ownership", "parameters": { "binary_data": true } }));
        assert_eq!(binary.body.len(), length + (2 * 22 * 6 + 2 * 19) * 4);
        assert_eq!(binary.body[length + 4..length + 8], 1.0f32.to_le_bytes());
        let text = question(false);
        let frame: Value = serde_json::from_slice(&text.body).unwrap();
        assert_eq!((frame["inputs"][0]["data"][263].as_f64(), text.json_length), (Some(263.0), None));
    }

    #[test]
    fn both_forms_of_an_answer_are_read_alike() {
        let read = |binary| {
            let (body, length) = answer(binary, |_| {});
            let question = question(binary);
            assert!(body.len() <= question.max_answer(&header()));
            read_answer(&header(), &question, &body, length).unwrap().outputs
        };
        let outputs = read(true);
        assert_eq!(outputs, read(false));
        assert_eq!((outputs.policy.len(), outputs.score[11], outputs.ownership[11]), (24, 11.0, 11.0));
    }

    #[test]
    fn nested_arrays_are_read_as_well() {
        let (body, _) = answer(false, |frame| {
            frame["outputs"][2]["data"] = json!([[0, 1, 2], [3, 4, 5.5]]);
        });
        assert_eq!(read_answer(&header(), &question(false), &body, None).unwrap().outputs.value[5], 5.5);
    }

    #[test]
    fn the_version_of_a_model_is_read_where_it_is_said() {
        for (said, version) in [(json!("2"), "2"), (json!(2), "2"), (json!(null), "")] {
            let (body, length) = answer(true, |frame| frame["model_version"] = said.clone());
            assert_eq!(read_answer(&header(), &question(true), &body, length).unwrap().model_version, version);
        }
        let (body, length) = answer(true, |_| {});
        assert_eq!(read_answer(&header(), &question(true), &body, length).unwrap().model_version, "");
    }

    #[test]
    fn what_is_no_answer_is_refused_with_a_reason() {
        let refused = |binary: bool, change: &dyn Fn(&mut Value)| {
            let (body, length) = answer(binary, change);
            read_answer(&header(), &question(binary), &body, length).unwrap_err().to_string()
        };
        for (binary, change, word) in [
            (true, &(|a: &mut Value| a["outputs"] = json!([])) as &dyn Fn(&mut Value), "policy is missing"),
            (true, &|a| a["outputs"][0]["shape"] = json!([2, 2, 3, 2]), "expected FP32 [2, 2, 2, 3]"),
            (true, &|a| a["outputs"][1]["datatype"] = json!("FP16"), "pass is FP16"),
            (true, &|a| a["outputs"][1]["name"] = json!("policy"), "expected FP32"),
            (true, &|a| a["outputs"][2]["name"] = json!("magic"), "nobody asked for an output \"magic\""),
            (true, &|a| a["outputs"][0]["parameters"] = json!({ "binary_data_size": 4 }), "policy has 4 bytes of 96"),
            (true, &|a| a["outputs"][0]["parameters"] = json!({}), "neither in JSON nor behind it"),
            (true, &|a| drop(a["outputs"].as_array_mut().unwrap().pop()), "ownership is missing"),
            (false, &|a| a["outputs"][2]["data"] = json!([1, 2]), "value has 2 numbers of 6"),
            (false, &|a| a["outputs"][2]["data"] = json!([1, 2, 3, 4, 5, 6, 7]), "other data"),
            (false, &|a| a["outputs"][2]["data"] = json!(["x"]), "other data"),
            (false, &|a| a["outputs"] = json!({}), "no such JSON"),
            (false, &|a| a["outputs"][2]["data"] = json!([1e300, 2, 3, 4, 5, 6]), "value is not a finite number"),
        ] {
            let error = refused(binary, change);
            assert!(error.contains(word), "{error} does not say {word}");
        }
    }

    #[test]
    fn an_answer_that_is_cut_or_too_long_or_no_number_is_refused() {
        let (body, length) = answer(true, |_| {});
        let read = |body: &[u8], length| read_answer(&header(), &question(true), body, length);
        assert!(read(&body[..body.len() - 1], length).is_err());
        assert!(read(&[&body[..], b"x"].concat(), length).unwrap_err().to_string().contains("1 bytes too many"));
        assert!(read(&body, Some(body.len() + 1)).is_err());
        assert!(read(&body, None).is_err());
        let mut wrong = body.clone();
        let end = wrong.len();
        wrong[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(read(&wrong, length), Err(EndpointError::NotFinite { output: "ownership" }));
    }

    proptest! {
        /// Whatever happens to an answer on its way: it is refused, or has as many finite numbers as were asked for.
        #[test]
        fn a_damaged_answer_is_refused_or_whole(
            binary in any::<bool>(),
            changes in prop::collection::vec(any::<u8>(), 0..60),
            length in prop::option::of(0_usize..2000),
        ) {
            let (body, own) = answer(binary, |_| {});
            let body = damaged(&body, &changes);
            for length in [own, length] {
                let Ok(read) = read_answer(&header(), &question(binary), &body, length) else { continue };
                let read = read.outputs;
                let arrays = [&read.policy, &read.pass, &read.value, &read.score, &read.ownership];
                for (data, (_, shape)) in arrays.into_iter().zip(output_shapes(&header(), 2, (3, 2))) {
                    prop_assert_eq!(data.len(), shape.iter().product::<usize>());
                    prop_assert!(data.iter().all(|number| number.is_finite()));
                }
            }
        }
    }
}
