//! `honinbo net export`: a network for an inference server.

use super::{Boards, cores, engine_files, locate, read};
use crate::app::data_dir;
use crate::args::{ExportArgs, ServerKind};
use crate::failure::Failure;
use crate::new_file::write_whole;
use crate::output::Output;
use honinbo_evaluator::StopFlag;
use honinbo_net::onnx::{BoardShape, GraphError, GraphOptions, Precision, to_onnx};
use honinbo_net::{EvaluatorOptions, NetworkHeader, OrtEvaluator};
use honinbo_remote::{Fingerprint, NetworkDescription, is_model_name, ovms_config, triton_config};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version under which servers find it.
const MODEL_VERSION: &str = "1";
/// The shortest side of arrays for boards of several sizes.
const MIN_SIDE: usize = 9;

pub(crate) fn export(args: &ExportArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let buffer = buffer(args.size)?;
    if !is_model_name(&args.model) {
        return Err(Failure::Usage(format!(
            "--model is {:?}, expected letters, digits, dots, hyphens and underscores",
            args.model
        )));
    }
    let model_folder = args.folder.join(&args.model);
    let version_folder = model_folder.join(MODEL_VERSION);
    let config = match args.server {
        ServerKind::Triton => model_folder.join("config.pbtxt"),
        ServerKind::Ovms => args.folder.join("config.json"),
    };
    if let Some(there) = [&model_folder, &config].into_iter().find(|path| path.exists() && !args.force) {
        return Err(Failure::new(
            format!("{} is there already", there.display()),
            "choose another folder or --model, or say --force to write over it",
        ));
    }
    let network = Arc::new(read(&locate(args.net.as_deref(), data.clone())?)?);
    let header = NetworkHeader::of(&network);
    let shape = buffer.map_or(BoardShape::Any, |(width, height)| BoardShape::Masked { width, height });
    let precision = Precision::from(args.precision);
    let options = GraphOptions::of(shape, precision);
    let graph =
        to_onnx(&network.model, &options).map_err(|error: GraphError| Failure::new(error.to_string(), error.hint()))?;
    let files = engine_files(&data_dir(data), None)?;
    let here = OrtEvaluator::new(files.runtime, Arc::clone(&network), EvaluatorOptions::cpu(cores()));
    let fingerprint = Fingerprint::of(&here, &StopFlag::new())
        .map_err(|error| Failure::new(error.to_string(), error.hint().unwrap_or_default()))?;
    let description =
        NetworkDescription::new(header.clone(), args.size.to_string(), precision.to_string(), &fingerprint);
    let description = serde_json::to_string_pretty(&description).map_err(std::io::Error::other)?;
    make_folder(&version_folder)?;
    write_whole(&version_folder.join("model.onnx"), &graph)?;
    write_whole(&model_folder.join("network.json"), format!("{description}\n").as_bytes())?;
    let text = match args.server {
        ServerKind::Triton => triton_config(&args.model, &header, buffer),
        ServerKind::Ovms => ovms_config(&args.model, precision == Precision::Fp32),
    };
    // Last: a server that looks at the folder finds a whole model.
    write_whole(&config, text.as_bytes())?;
    if args.json {
        return Ok(output.json(&json!({
            "network": header.name,
            "sha256": header.sha256,
            "model": args.model,
            "config": config.display().to_string(),
            "bytes": graph.len(),
            "size": args.size.to_string(),
            "precision": precision.to_string(),
        }))?);
    }
    let mib = graph.len() as f64 / f64::from(1 << 20);
    output.line(format!(
        "{} as model {} in {} ({mib:.1} MiB, boards: {}, {precision})",
        header.name,
        args.model,
        args.folder.display(),
        args.size,
    ))?;
    Ok(output.line(format!("start the server with {}", command(args.server, &args.folder)))?)
}

/// How the server is started on what was written.
fn command(server: ServerKind, folder: &Path) -> String {
    let folder = folder.display();
    match server {
        ServerKind::Triton => format!("tritonserver --model-repository={folder}"),
        ServerKind::Ovms => format!("ovms --config_path {folder}/config.json --rest_port 8000"),
    }
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("{} cannot be made: {error}", folder.display()), "name another folder"))
}

/// Columns and rows of the arrays; `None` for any.
fn buffer(boards: Boards) -> Result<Option<(usize, usize)>, Failure> {
    match boards {
        Boards::Any => Ok(None),
        Boards::Of(size) if size.width().min(size.height()) >= MIN_SIDE => Ok(Some((size.width(), size.height()))),
        Boards::Of(size) => {
            Err(Failure::Usage(format!("--size is {size}, expected at least {MIN_SIDE}x{MIN_SIDE}, or any")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_understood() {
        let read = |text: &str| buffer(text.parse().unwrap());
        assert_eq!(read("any").unwrap(), None);
        assert_eq!(read("19x13").unwrap(), Some((19, 13)));
        assert_eq!(read("9").unwrap(), Some((9, 9)));
        assert!(read("8x9").is_err());
    }
}
