//! What inference servers want beside the model: their configuration, and what the model is.

use std::fmt::Write as _;

use honinbo_net::NetworkHeader;
use honinbo_net::model::{GLOBAL_CHANNELS, META_CHANNELS, SPATIAL_CHANNELS};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::fingerprint::Fingerprint;

/// The largest batch that a server puts together of several requests.
pub const MAX_BATCH: usize = 64;
/// The longest name of a model.
const MAX_NAME: usize = 128;

/// Whether that can be the name of a model: it stands in addresses and is a folder.
#[must_use]
pub fn is_model_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with('.')
}

/// `network.json` beside a model: what it is, for people and for later versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkDescription {
    /// What has to be known of the network to ask it.
    pub network: NetworkHeader,
    /// The boards that the graph takes: `any`, or `WxH` and smaller ones.
    pub boards: String,
    /// How numbers are stored.
    pub precision: String,
    /// White's winning probability and lead in the positions by which the network is told from others.
    pub fingerprint: Vec<(f32, f32)>,
}

impl NetworkDescription {
    /// Of a network whose answers are known.
    #[must_use]
    pub fn new(network: NetworkHeader, boards: String, precision: String, fingerprint: &Fingerprint) -> Self {
        let answers = fingerprint.answers().iter().map(|answer| (answer.white_win, answer.white_lead)).collect();
        Self { network, boards, precision, fingerprint: answers }
    }
}

/// Triton's `config.pbtxt` for a graph with boards of any size, or of `buffer`'s columns and rows.
///
/// Source: Triton's documentation, `user_guide/model_configuration.md`.
#[must_use]
pub fn triton_config(name: &str, header: &NetworkHeader, buffer: Option<(usize, usize)>) -> String {
    let plane = buffer.map_or(["-1".to_owned(), "-1".to_owned()], |(w, h)| [h.to_string(), w.to_string()]).join(", ");
    let mut inputs = vec![("spatial", format!("{SPATIAL_CHANNELS}, {plane}")), ("global", GLOBAL_CHANNELS.to_string())];
    if header.human_style {
        inputs.push(("meta", META_CHANNELS.to_string()));
    }
    let outputs = [
        ("policy", format!("{}, {plane}", header.policy_outputs)),
        ("pass", header.policy_outputs.to_string()),
        ("value", "3".to_owned()),
        ("score", header.score_outputs.to_string()),
        ("ownership", format!("1, {plane}")),
    ];
    let mut text = format!("# {}, written by honinbo\n", header.name);
    let _ = writeln!(text, "name: \"{name}\"\nbackend: \"onnxruntime\"\nmax_batch_size: {MAX_BATCH}");
    for (kind, tensors) in [("input", &inputs[..]), ("output", &outputs[..])] {
        let lines = tensors
            .iter()
            .map(|(name, dims)| format!("  {{ name: \"{name}\", data_type: TYPE_FP32, dims: [ {dims} ] }}"))
            .collect::<Vec<_>>();
        let _ = writeln!(text, "{kind} [\n{}\n]", lines.join(",\n"));
    }
    // What waits is computed together; nothing waits for more to come.
    let _ = writeln!(text, "dynamic_batching {{ }}");
    text
}

/// OpenVINO Model Server's `config.json`: the shapes are the graph's own.
///
/// `exact` keeps OpenVINO from computing with bf16 where the processor multiplies that, which it does unless it is told
/// otherwise: logits of a small network were off by 0.35, and by 2e-5 with the hint (OpenVINO 2025.3).
///
/// Source: OpenVINO Model Server's documentation, "Model Server Parameters".
#[must_use]
pub fn ovms_config(name: &str, exact: bool) -> String {
    let mut config = json!({ "name": name, "base_path": name });
    if exact {
        config["plugin_config"] = json!({ "INFERENCE_PRECISION_HINT": "f32" });
    }
    format!("{:#}\n", json!({ "model_config_list": [{ "config": config }] }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::tests::header;

    #[test]
    fn names_of_models_are_folders_and_parts_of_addresses() {
        for good in ["honinbo", "kata1-b18.c384_x"] {
            assert!(is_model_name(good), "{good}");
        }
        for bad in ["", "..", ".x", "a/b", "a b", "ä", &"x".repeat(129)] {
            assert!(!is_model_name(bad), "{bad}");
        }
    }

    #[test]
    fn triton_is_told_every_array() {
        let text = triton_config("go", &header(), None);
        for line in [
            "name: \"go\"",
            "max_batch_size: 64",
            "{ name: \"spatial\", data_type: TYPE_FP32, dims: [ 22, -1, -1 ] }",
            "{ name: \"score\", data_type: TYPE_FP32, dims: [ 6 ] }",
            "{ name: \"ownership\", data_type: TYPE_FP32, dims: [ 1, -1, -1 ] }",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
        assert!(!text.contains("meta"));
        let human = NetworkHeader { human_style: true, ..header() };
        let text = triton_config("go", &human, Some((19, 13)));
        assert!(text.contains("dims: [ 192 ]") && text.contains("dims: [ 22, 13, 19 ]"), "{text}");
    }

    #[test]
    fn openvino_is_told_where_the_model_lies_and_to_compute_exactly() {
        let text = |exact| ovms_config("go", exact);
        let config: serde_json::Value = serde_json::from_str(&text(true)).unwrap();
        let config = &config["model_config_list"][0]["config"];
        assert_eq!((&config["name"], &config["base_path"]), (&"go".into(), &"go".into()));
        assert_eq!(config["plugin_config"]["INFERENCE_PRECISION_HINT"], "f32");
        assert!(!text(false).contains("plugin_config"));
    }
}
