//! `honinbo analysis`: KataGo's analysis protocol, for programs that review games.

use crate::app::open;
use crate::args::AnalysisArgs;
use crate::config::Config;
use crate::device_watch::DeviceWatch;
use crate::failure::Failure;
use crate::notes::note;
use crate::run::as_path_if_file;
use honinbo_api::ReadyEngine;
use honinbo_protocols::ModelInfo;
use honinbo_protocols::analysis::{AnalysisEngine, AnalysisOptions, serve};
use std::io::{self, BufReader, Write as _};
use std::path::PathBuf;

/// Speaks the protocol on standard input and output until the end of the input, and answers what still waits.
pub(crate) fn analysis(args: &AnalysisArgs, data: Option<PathBuf>) -> Result<(), Failure> {
    let (app, _told) = open(data);
    app.override_precision(args.precision.get());
    app.override_inference(args.inference.get()?);
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), args.threads);
    let ready = app.ready_engine()?;
    let human = args.human_net.as_deref().map(|name| app.ready_engine_beside(&as_path_if_file(name))).transpose()?;
    let options = AnalysisOptions {
        version: env!("CARGO_PKG_VERSION").into(),
        human: human.as_ref().map(|human| (model_of(human), human.evaluator.clone())),
        positions: ready.threads.max(2),
        threads: ready.threads,
        quit_without_waiting: args.quit_without_waiting,
        ..AnalysisOptions::new(model_of(&ready))
    };
    let evaluator = ready.evaluator.clone();
    let options = AnalysisOptions {
        clear_cache: Box::new(move || {
            ready.clear_cache();
            if let Some(human) = &human {
                human.clear_cache();
            }
        }),
        ..options
    };
    let mut engine = AnalysisEngine::new(evaluator, options);
    let own = [
        ("maxVisits", args.visits.map(|visits| visits.to_string())),
        ("numAnalysisThreads", args.positions.map(|positions| positions.to_string())),
    ];
    let config = Config::read(&args.config, &args.override_config, &own)?;
    let unused =
        engine.configure(&config.text()).map_err(|error| Failure::new(error.to_string(), "change the setting"))?;
    config.notes().iter().chain(&unused).for_each(|sentence| note(sentence));
    if args.threads.is_some() {
        engine.share_threads();
    }
    // What KataGo says when it is ready, for whoever waits for it.
    let _ = writeln!(io::stderr(), "Started, ready to begin handling requests");
    let _watch = DeviceWatch::of(&app, note);
    match serve(BufReader::new(io::stdin()), &mut io::stdout(), &engine) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

pub(crate) fn model_of(ready: &ReadyEngine) -> ModelInfo {
    ModelInfo {
        name: ready.network.clone(),
        internal_name: ready.network.clone(),
        version: ready.model_version,
        uses_profile: ready.human_style,
    }
}
