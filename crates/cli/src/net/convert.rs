//! `honinbo net convert`: a network as ONNX.

use super::{Boards, cores, engine_files, read};
use crate::app::data_dir;
use crate::args::ConvertArgs;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::new_file::write_whole;
use crate::output::Output;
use honinbo_net::onnx::{
    BoardShape, Calibration, GraphError, GraphOptions, Precision, check_graph, to_onnx, to_onnx_int8,
};
use honinbo_net::{NetworkFile, calibrate};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) fn convert(args: &ConvertArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let target = args.output.unless_taken(args.force)?;
    let network = Arc::new(read(&args.input)?);
    let precision = Precision::from(args.precision);
    let shape = match args.size {
        Boards::Any => BoardShape::Any,
        Boards::Of(size) => BoardShape::Exact { width: size.width(), height: size.height() },
    };
    let options = GraphOptions::of(shape, precision);
    let failed = |error: GraphError| Failure::new(error.to_string(), error.hint());
    if precision.is_of_own_kernels() {
        return Err(Failure::Usage(format!(
            "{precision} is a way to compute, not to store: convert to fp32, fp16 or int8"
        )));
    }
    let graph = if precision == Precision::Int8 {
        // Wrong sizes are said before anything is measured.
        check_graph(&network.model, &options).map_err(failed)?;
        to_onnx_int8(&network.model, &options, &measured(&network, data)?).map_err(failed)?
    } else {
        to_onnx(&network.model, &options).map_err(failed)?
    };
    write_whole(target, &graph)?;
    let mib = graph.len() as f64 / f64::from(1 << 20);
    if args.json {
        output.json(&json!({
            "network": network.model.name,
            "output": target.display().to_string(),
            "bytes": graph.len(),
            "size": args.size.to_string(),
            "precision": precision.to_string(),
        }))?;
    } else {
        output.line(format!(
            "{} as {} ({mib:.1} MiB, boards: {}, {precision})",
            network.model.name,
            target.display(),
            args.size,
        ))?;
    }
    Ok(())
}

/// How far the network's values reach in games that it plays now.
fn measured(network: &Arc<NetworkFile>, data: Option<PathBuf>) -> Result<Calibration, Failure> {
    let files = engine_files(&data_dir(data), None)?;
    let stop = until_interrupted();
    calibrate(&files.runtime, network, cores(), &stop)
        .map_err(|error| Failure::new(error.to_string(), error.hint().unwrap_or_default()))
}
