//! `honinbo gtp`: the engine for other programs' boards.

use crate::analysis::settings_text;
use crate::app::open;
use crate::args::GtpArgs;
use crate::failure::Failure;
use honinbo_protocols::gtp::{GtpEngine, GtpOptions, serve};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest record that `loadsgf` reads.
const LARGEST_RECORD: u64 = 64 << 20;
/// Visits of a move when neither visits nor seconds are asked for.
const USUAL_VISITS: u64 = 400;

/// Speaks GTP on standard input and output until `quit` or the end of the input.
pub(crate) fn gtp(args: &GtpArgs, data: Option<PathBuf>) -> Result<(), Failure> {
    let (app, _told) = open(data);
    app.override_engine(args.net.clone(), args.device.clone(), args.threads);
    let ready = app.ready_engine()?;
    let max_visits = match (args.visits, args.seconds) {
        (Some(visits), _) => visits.into(),
        (None, Some(_)) => 0,
        (None, None) => USUAL_VISITS,
    };
    let options = GtpOptions {
        version: env!("CARGO_PKG_VERSION").into(),
        threads: ready.threads,
        max_visits,
        max_time: args.seconds.map(Duration::from_secs_f64),
        read_file,
        write_file,
        ponders: args.ponder,
        model_version: ready.model_version,
        uses_profile: ready.human_style,
        ..GtpOptions::new(ready.network.clone())
    };
    let evaluator = ready.evaluator.clone();
    let options = GtpOptions { clear_cache: Box::new(move || ready.clear_cache()), ..options };
    let mut engine = GtpEngine::new(evaluator, options).map_err(|error| Failure::new(error, ""))?;
    let settings = settings_text(args.config.as_deref(), &args.override_config)?;
    let unknown = engine.configure(&settings).map_err(|error| Failure::new(error, "change the setting"))?;
    if !unknown.is_empty() {
        tracing::warn!(settings = unknown.join(", "), "settings that mean nothing here");
    }
    match serve(BufReader::new(io::stdin()), &mut io::stdout().lock(), &mut engine) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if std::fs::metadata(path)?.len() > LARGEST_RECORD {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB"));
    }
    std::fs::read(path)
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    std::fs::write(path, text)
}
