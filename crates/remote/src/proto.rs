//! The messages of the protocol by gRPC, as far as they are used here: other fields are skipped when they are read.
//!
//! Source: the Open Inference Protocol, `specification/protocol/open_inference_grpc.proto`; the numbers are its fields'.

use bytes::Bytes;
use honinbo_net::{NetworkHeader, NetworkInputs};
use prost::Message;

use crate::error::{EndpointError, first_line};
use crate::message::{Inferred, Question, ReceivedArrays, input_arrays, little_endian, output_shapes};
use crate::metadata::{ModelMetadata, TensorMetadata};

/// Asks about a model: `ModelMetadata` and `ModelReady` take the same two fields.
#[derive(Clone, PartialEq, Eq, Message)]
pub(crate) struct ModelRequest {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    /// Empty: the server chooses.
    #[prost(string, tag = "2")]
    pub(crate) version: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Message)]
pub(crate) struct ModelReadyResponse {
    #[prost(bool, tag = "1")]
    pub(crate) ready: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ModelMetadataResponse {
    #[prost(message, repeated, tag = "4")]
    pub(crate) inputs: Vec<Tensor>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) outputs: Vec<Tensor>,
}

impl ModelMetadataResponse {
    pub(crate) fn into_metadata(self) -> ModelMetadata {
        let tensor = |Tensor { name, datatype, shape, .. }: Tensor| TensorMetadata { name, datatype, shape };
        ModelMetadata {
            inputs: self.inputs.into_iter().map(tensor).collect(),
            outputs: self.outputs.into_iter().map(tensor).collect(),
        }
    }
}

/// A tensor's description, and in answers its numbers where they do not follow as bytes.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Tensor {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(string, tag = "2")]
    pub(crate) datatype: String,
    #[prost(int64, repeated, tag = "3")]
    pub(crate) shape: Vec<i64>,
    #[prost(message, optional, tag = "5")]
    pub(crate) contents: Option<Contents>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Contents {
    #[prost(float, repeated, tag = "6")]
    pub(crate) fp32: Vec<f32>,
}

#[derive(Clone, PartialEq, Eq, Message)]
pub(crate) struct RequestedOutput {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ModelInferRequest {
    #[prost(string, tag = "1")]
    pub(crate) model_name: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) inputs: Vec<Tensor>,
    #[prost(message, repeated, tag = "6")]
    pub(crate) outputs: Vec<RequestedOutput>,
    #[prost(bytes = "bytes", repeated, tag = "7")]
    pub(crate) raw_input_contents: Vec<Bytes>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ModelInferResponse {
    #[prost(string, tag = "2")]
    pub(crate) model_version: String,
    #[prost(message, repeated, tag = "5")]
    pub(crate) outputs: Vec<Tensor>,
    /// One for each output, or none at all.
    #[prost(bytes = "bytes", repeated, tag = "6")]
    pub(crate) raw_output_contents: Vec<Bytes>,
}

/// A question to a model as bytes.
pub(crate) fn write_question(model: &str, header: &NetworkHeader, inputs: &NetworkInputs) -> Vec<u8> {
    let buffer = (inputs.width, inputs.height);
    let arrays = input_arrays(header, inputs);
    let tensor = |(name, shape, _): &(&str, Vec<usize>, &[f32])| Tensor {
        name: (*name).to_owned(),
        datatype: "FP32".to_owned(),
        shape: shape.iter().map(|&length| i64::try_from(length).unwrap_or(i64::MAX)).collect(),
        contents: None,
    };
    let raw = |(_, _, data): &(&str, Vec<usize>, &[f32])| {
        let mut bytes = vec![0; size_of_val(*data)];
        little_endian(data, &mut bytes);
        Bytes::from(bytes)
    };
    let request = ModelInferRequest {
        model_name: model.to_owned(),
        inputs: arrays.iter().map(tensor).collect(),
        outputs: output_shapes(header, inputs.count, buffer)
            .map(|(name, _)| RequestedOutput { name: name.to_owned() })
            .to_vec(),
        raw_input_contents: arrays.iter().map(raw).collect(),
    };
    request.encode_to_vec()
}

/// Reads an answer; nothing that a server says is believed before it was checked.
pub(crate) fn read_answer(header: &NetworkHeader, question: &Question, body: Bytes) -> Result<Inferred, EndpointError> {
    let malformed = |reason: String| EndpointError::Malformed { reason };
    let answer = ModelInferResponse::decode(body)
        .map_err(|error| malformed(first_line(&format!("it is no message: {error}"))))?;
    let raw = answer.raw_output_contents;
    if !raw.is_empty() && raw.len() != answer.outputs.len() {
        return Err(malformed(format!("{} arrays follow {} outputs", raw.len(), answer.outputs.len())));
    }
    let mut arrays = ReceivedArrays::new(header, question);
    let mut raw = raw.into_iter();
    for Tensor { name, datatype, shape, contents } in answer.outputs {
        let place = arrays.place(&name, &datatype, &shape)?;
        match (raw.next(), contents) {
            (Some(bytes), None) => arrays.put_bytes(place, &bytes)?,
            (None, Some(contents)) => arrays.put(place, contents.fp32)?,
            _ => return Err(malformed(format!("{} has its data neither in it nor behind it", first_line(&name)))),
        }
    }
    Ok(Inferred { outputs: arrays.finish()?, model_version: answer.model_version })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Wire;
    use crate::metadata::tests::header;
    use honinbo_net::NetworkOutputs;
    use honinbo_testkit::damaged;
    use proptest::prelude::*;

    fn inputs() -> NetworkInputs {
        NetworkInputs {
            count: 2,
            width: 3,
            height: 2,
            spatial: (0..2 * 22 * 6).map(|number| number as f32).collect(),
            global: vec![0.5; 2 * 19],
            meta: Vec::new(),
        }
    }

    fn question() -> Question {
        Question::new(&header(), &inputs(), Wire::Protobuf, "m")
    }

    /// An answer with its numbers behind it or in it; each number is its index.
    fn answer(raw: bool) -> ModelInferResponse {
        let mut answer = ModelInferResponse::default();
        for (name, shape) in output_shapes(&header(), 2, (3, 2)) {
            let data: Vec<f32> = (0..shape.iter().product::<usize>()).map(|number| number as f32).collect();
            let shape = shape.iter().map(|&length| length as i64).collect();
            let bytes: Vec<u8> = data.iter().flat_map(|number| number.to_le_bytes()).collect();
            let contents = (!raw).then_some(Contents { fp32: data });
            answer.outputs.push(Tensor { name: name.into(), datatype: "FP32".into(), shape, contents });
            if raw {
                answer.raw_output_contents.push(bytes.into());
            }
        }
        answer
    }

    fn read(answer: &ModelInferResponse) -> Result<NetworkOutputs, EndpointError> {
        read_answer(&header(), &question(), answer.encode_to_vec().into()).map(|read| read.outputs)
    }

    #[test]
    fn a_question_holds_its_numbers_as_bytes() {
        let sent = ModelInferRequest::decode(&question().body[..]).unwrap();
        assert_eq!((sent.model_name.as_str(), &sent.inputs[0].shape), ("m", &vec![2, 22, 2, 3]));
        let names: Vec<&str> = sent.outputs.iter().map(|output| output.name.as_str()).collect();
        assert_eq!(names, ["policy", "pass", "value", "score", "ownership"]);
        assert_eq!(sent.raw_input_contents[0].len(), 2 * 22 * 6 * 4);
        assert_eq!(sent.raw_input_contents[0][4..8], 1.0f32.to_le_bytes());
        assert_eq!(sent.raw_input_contents[1][..4], 0.5f32.to_le_bytes());
    }

    #[test]
    fn both_forms_of_an_answer_are_read_alike() {
        let outputs = read(&answer(true)).unwrap();
        assert_eq!(outputs, read(&answer(false)).unwrap());
        assert_eq!((outputs.policy.len(), outputs.score[11], outputs.ownership[11]), (24, 11.0, 11.0));
        for raw in [true, false] {
            assert!(answer(raw).encoded_len() <= question().max_answer(&header()));
        }
        let versioned = ModelInferResponse { model_version: "2".into(), ..answer(true) };
        let read = read_answer(&header(), &question(), versioned.encode_to_vec().into()).unwrap();
        assert_eq!((read.model_version.as_str(), read.outputs), ("2", outputs));
    }

    #[test]
    fn what_is_no_answer_is_refused_with_a_reason() {
        for (raw, change, word) in [
            (true, &(|a: &mut ModelInferResponse| a.outputs.clear()) as &dyn Fn(&mut ModelInferResponse), "5 arrays"),
            (true, &|a| *a = ModelInferResponse::default(), "policy is missing"),
            (true, &|a| a.outputs[0].shape = vec![2, 2, 3, 2], "expected FP32 [2, 2, 2, 3]"),
            (true, &|a| a.outputs[0].shape = vec![2, 2, -2, -3], "expected FP32 [2, 2, 2, 3]"),
            (true, &|a| a.outputs[1].datatype = "FP16".into(), "pass is FP16"),
            (true, &|a| a.outputs[2].name = "magic".into(), "nobody asked for an output \"magic\""),
            (true, &|a| a.raw_output_contents[0] = Bytes::from_static(b"abcd"), "policy has 4 bytes of 96"),
            (true, &|a| drop(a.raw_output_contents.pop()), "4 arrays follow 5 outputs"),
            (true, &|a| a.outputs[0].contents = Some(Contents::default()), "neither in it nor behind it"),
            (false, &|a| a.outputs[0].contents = None, "neither in it nor behind it"),
            (false, &|a| a.outputs[2].contents = Some(Contents { fp32: vec![1.0] }), "value has 1 numbers of 6"),
            (false, &|a| a.outputs[2].contents.as_mut().unwrap().fp32[5] = f32::NAN, "value is not a finite number"),
            (
                true,
                &|a| {
                    a.outputs.push(a.outputs[3].clone());
                    a.raw_output_contents.push(a.raw_output_contents[3].clone());
                },
                "score is there twice",
            ),
        ] {
            let mut answer = answer(raw);
            change(&mut answer);
            let error = read(&answer).unwrap_err().to_string();
            assert!(error.contains(word), "{error} does not say {word}");
        }
        let error = read_answer(&header(), &question(), Bytes::from_static(b"<html>")).unwrap_err().to_string();
        assert!(error.contains("it is no message"), "{error}");
    }

    proptest! {
        /// Whatever happens to an answer on its way: it is refused, or has as many finite numbers as were asked for.
        #[test]
        fn a_damaged_answer_is_refused_or_whole(
            raw in any::<bool>(),
            changes in prop::collection::vec(any::<u8>(), 0..60),
        ) {
            let body = damaged(&answer(raw).encode_to_vec(), &changes);
            if let Ok(Inferred { outputs: read, .. }) = read_answer(&header(), &question(), body.into()) {
                let arrays = [&read.policy, &read.pass, &read.value, &read.score, &read.ownership];
                for (data, (_, shape)) in arrays.into_iter().zip(output_shapes(&header(), 2, (3, 2))) {
                    prop_assert_eq!(data.len(), shape.iter().product::<usize>());
                    prop_assert!(data.iter().all(|number| number.is_finite()));
                }
            }
        }
    }
}
