//! What a server says of its model, held against what the network needs.

use honinbo_net::NetworkHeader;
use honinbo_net::model::{GLOBAL_CHANNELS, META_CHANNELS, SPATIAL_CHANNELS};
use honinbo_rules::BoardSize;
use serde::Deserialize;

use crate::error::{EndpointError, first_line};

/// An input or output of a model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct TensorMetadata {
    pub(crate) name: String,
    pub(crate) datatype: String,
    /// -1 where any length is taken.
    pub(crate) shape: Vec<i64>,
}

/// A model's inputs and outputs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct ModelMetadata {
    #[serde(default)]
    pub(crate) inputs: Vec<TensorMetadata>,
    #[serde(default)]
    pub(crate) outputs: Vec<TensorMetadata>,
}

/// Which boards a served graph takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Columns and rows of the buffer that every board is put into; `None`: buffers of exactly the board's size.
    pub(crate) buffer: Option<(usize, usize)>,
}

impl Graph {
    /// The buffer for a board of that size; `None` where it does not fit.
    pub(crate) fn buffer_for(self, (width, height): (usize, usize)) -> Option<(usize, usize)> {
        match self.buffer {
            None => Some((width, height)),
            Some((columns, rows)) => (width <= columns && height <= rows).then_some((columns, rows)),
        }
    }
}

/// Any length will do.
const ANY: i64 = -1;

impl ModelMetadata {
    /// What graph this is.
    ///
    /// # Errors
    /// [`EndpointError::Model`] when it is none of that network.
    pub(crate) fn graph(&self, header: &NetworkHeader, model: &str) -> Result<Graph, EndpointError> {
        self.try_graph(header).map_err(|reason| EndpointError::Model { model: model.to_owned(), reason })
    }

    fn try_graph(&self, header: &NetworkHeader) -> Result<Graph, String> {
        let length = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let mut inputs = vec![
            ("spatial", vec![ANY, length(SPATIAL_CHANNELS), ANY, ANY]),
            ("global", vec![ANY, length(GLOBAL_CHANNELS)]),
        ];
        if header.human_style {
            inputs.push(("meta", vec![ANY, length(META_CHANNELS)]));
        }
        let outputs = [
            ("policy", vec![ANY, length(header.policy_outputs), ANY, ANY]),
            ("pass", vec![ANY, length(header.policy_outputs)]),
            ("value", vec![ANY, 3]),
            ("score", vec![ANY, length(header.score_outputs)]),
            ("ownership", vec![ANY, 1, ANY, ANY]),
        ];
        for (name, shape) in &inputs {
            fits(&self.inputs, "input", name, shape)?;
        }
        for (name, shape) in &outputs {
            fits(&self.outputs, "output", name, shape)?;
        }
        if let Some(other) = self.inputs.iter().find(|tensor| inputs.iter().all(|(name, _)| *name != tensor.name)) {
            return Err(format!("it wants an input {:?} that the network does not have", first_line(&other.name)));
        }
        let spatial = named(&self.inputs, "spatial").ok_or("there is no input \"spatial\"")?;
        if spatial.shape[0] != ANY {
            return Err(format!("its batch is fixed to {}; serve it with a variable one", spatial.shape[0]));
        }
        let buffer = match (spatial.shape[3], spatial.shape[2]) {
            (ANY, ANY) => None,
            (width, height) => match (usize::try_from(width), usize::try_from(height)) {
                (Ok(width @ 9..=BoardSize::MAX), Ok(height @ 9..=BoardSize::MAX)) => Some((width, height)),
                _ => {
                    let most = BoardSize::MAX;
                    return Err(format!("its boards of {width}x{height} are none of 9x9 to {most}x{most}, or any"));
                }
            },
        };
        Ok(Graph { buffer })
    }
}

fn named<'a>(tensors: &'a [TensorMetadata], name: &str) -> Option<&'a TensorMetadata> {
    tensors.iter().find(|tensor| tensor.name == name)
}

fn fits(tensors: &[TensorMetadata], kind: &str, name: &str, wanted: &[i64]) -> Result<(), String> {
    let tensor = named(tensors, name).ok_or_else(|| format!("it names no {kind} {name:?}"))?;
    if tensor.datatype != "FP32" {
        return Err(format!("the {kind} {name:?} is {}, needed is FP32", first_line(&tensor.datatype)));
    }
    let same = tensor.shape.len() == wanted.len()
        && tensor.shape.iter().zip(wanted).all(|(&found, &wanted)| wanted == ANY || found == ANY || found == wanted);
    if same {
        Ok(())
    } else {
        let found = &tensor.shape[..tensor.shape.len().min(8)];
        Err(format!("the {kind} {name:?} has the shape {found:?}, needed is {wanted:?}"))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use honinbo_net::{Family, model::OutputScales};

    pub(crate) fn header() -> NetworkHeader {
        NetworkHeader {
            name: "tiny".into(),
            version: 14,
            sha256: String::new(),
            family: Family::Convolutional,
            human_style: false,
            policy_outputs: 2,
            score_outputs: 6,
            scales: OutputScales::default(),
            pass_alive_under_suicide: false,
            exclude_beside_atari: false,
        }
    }

    fn metadata(board: i64) -> ModelMetadata {
        let tensor = |name: &str, shape: &[i64]| TensorMetadata {
            name: name.into(),
            datatype: "FP32".into(),
            shape: shape.to_vec(),
        };
        ModelMetadata {
            inputs: vec![tensor("spatial", &[-1, 22, board, board]), tensor("global", &[-1, 19])],
            outputs: vec![
                tensor("policy", &[-1, 2, board, board]),
                tensor("pass", &[-1, 2]),
                tensor("value", &[-1, 3]),
                tensor("score", &[-1, 6]),
                tensor("ownership", &[-1, 1, board, board]),
            ],
        }
    }

    #[test]
    fn graphs_of_any_and_of_one_size_are_told_apart() {
        let any = metadata(-1).graph(&header(), "m").unwrap();
        assert_eq!((any.buffer, any.buffer_for((5, 7))), (None, Some((5, 7))));
        let fixed = metadata(19).graph(&header(), "m").unwrap();
        assert_eq!((fixed.buffer_for((9, 13)), fixed.buffer_for((20, 9))), (Some((19, 19)), None));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let refused = |change: &dyn Fn(&mut ModelMetadata)| {
            let mut metadata = metadata(-1);
            change(&mut metadata);
            metadata.graph(&header(), "m").unwrap_err().to_string()
        };
        for (change, word) in [
            (&(|m: &mut ModelMetadata| m.inputs.clear()) as &dyn Fn(&mut ModelMetadata), "no input \"spatial\""),
            (&|m| m.inputs[0].datatype = "FP16".into(), "is FP16, needed is FP32"),
            (&|m| m.inputs[0].shape[1] = 17, "[-1, 17, -1, -1], needed is [-1, 22, -1, -1]"),
            (&|m| m.inputs[0].shape[0] = 4, "its batch is fixed to 4"),
            (&|m| m.inputs[0].shape[2] = 19, "boards of -1x19"),
            (&|m| m.outputs[0].shape[1] = 1, "output \"policy\""),
            (&|m| drop(m.outputs.pop()), "no output \"ownership\""),
            (&|m| m.inputs[1].shape = vec![19], "input \"global\""),
            (
                &|m| {
                    let more = TensorMetadata { name: "meta".into(), ..m.inputs[1].clone() };
                    m.inputs.push(more);
                },
                "wants an input \"meta\"",
            ),
        ] {
            let error = refused(change);
            assert!(error.contains(word), "{error} does not say {word}");
        }
        let human = NetworkHeader { human_style: true, ..header() };
        assert!(metadata(-1).graph(&human, "m").unwrap_err().to_string().contains("no input \"meta\""));
    }
}
