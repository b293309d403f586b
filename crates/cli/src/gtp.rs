//! `honinbo gtp`: the engine for other programs' boards.

use crate::analysis::model_of;
use crate::app::open;
use crate::args::GtpArgs;
use crate::config::Config;
use crate::device_watch::DeviceWatch;
use crate::failure::Failure;
use crate::new_file::replace;
use crate::notes::note;
use crate::run::as_path_if_file;
use honinbo_evaluator::{BatchLimits, EvalError, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_protocols::gtp::{GtpEngine, GtpOptions, serve};
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The largest record that `loadsgf` reads.
const MAX_RECORD_BYTES: u64 = 64 << 20;

/// Speaks GTP on standard input and output until `quit` or the end of the input.
pub(crate) fn gtp(args: &GtpArgs, data: Option<PathBuf>) -> Result<(), Failure> {
    let (app, _told) = open(data);
    app.override_precision(args.precision.get());
    app.override_inference(args.inference.get()?);
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), args.threads);
    let player = args.level.as_deref().map(|level| app.opponent(level)).transpose()?;
    // The simple levels, and engines of their own, play without a network; what else asks for one hears why not.
    let (ready, evaluator): (_, Arc<dyn Evaluator>) = match app.ready_engine() {
        Ok(ready) => {
            let evaluator = Arc::clone(&ready.evaluator);
            (Some(ready), evaluator)
        }
        Err(error) if player.is_some() => (None, Arc::new(NoEvaluator(error.to_string()))),
        Err(error) => return Err(error.into()),
    };
    let human = args.human_net.as_deref().map(|name| app.ready_engine_beside(&as_path_if_file(name))).transpose()?;
    let (name, version) = if args.as_katago {
        ("KataGo", honinbo_protocols::katago::VERSION)
    } else {
        ("Honinbo", env!("CARGO_PKG_VERSION"))
    };
    let said_version = args.override_version.clone().unwrap_or_else(|| version.into());
    let options = GtpOptions {
        name: name.into(),
        version: said_version.clone(),
        threads: ready.as_ref().map_or(1, |ready| ready.threads),
        read_file,
        write_file,
        log,
        model_version: ready.as_ref().and_then(|ready| ready.model_version),
        uses_profile: ready.as_ref().is_some_and(|ready| ready.human_style),
        human: human.as_ref().map(|human| (model_of(human), human.evaluator.clone())),
        seed: app.fresh_seed(),
        ..GtpOptions::new(ready.as_ref().map_or_else(String::new, |ready| ready.network.clone()))
    };
    let clear_cache = move || {
        for network in ready.iter().chain(&human) {
            network.clear_cache();
        }
    };
    let options = GtpOptions { clear_cache: Box::new(clear_cache), ..options };
    let mut engine = GtpEngine::new(evaluator, options).map_err(|error| Failure::new(error, ""))?;
    let own = [
        ("maxVisits", args.visits.map(|visits| visits.to_string())),
        ("maxTime", args.seconds.map(|seconds| seconds.to_string())),
        ("ponderingEnabled", args.ponder.then(|| args.ponder.to_string())),
        ("numSearchThreads", args.threads.map(|threads| threads.to_string())),
        ("searchRandSeed", args.seed.map(|seed| seed.to_string())),
    ];
    let config = Config::read(&args.config, &args.override_config, &own)?;
    let unused = engine.configure(&config.text()).map_err(|error| Failure::new(error, "change the setting"))?;
    config.notes().iter().chain(&config.rule_notes()).chain(&unused).for_each(|sentence| note(sentence));
    if let Some(mut player) = player {
        engine.set_chooser(Box::new(move |game, stop| {
            let played = player.choose(game, MAX_LEVEL_TIME, stop).map_err(|error| error.to_string())?;
            if let Some(error) = player.take_notice() {
                tracing::error!("medium played this turn: {error}; {}", error.hint());
            }
            Ok(played)
        }));
    }
    if engine.announces() {
        // Its name, by which gtp2ogs knows the lines that it passes on, and KataGo's words for whoever waits for it.
        log(&format!("{name} v{said_version}"));
        log("GTP ready, beginning main protocol loop");
    }
    let _watch = DeviceWatch::of(&app, note);
    match serve(BufReader::new(io::stdin()), &mut io::stdout().lock(), &mut engine) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// What a level may take at most; each has a limit of its own below this.
const MAX_LEVEL_TIME: Duration = Duration::from_secs(3600);

/// Says why there is no network.
struct NoEvaluator(String);

impl Evaluator for NoEvaluator {
    fn limits(&self) -> BatchLimits {
        BatchLimits { preferred: 1, max: 1 }
    }

    fn evaluate(&self, _: &[EvalRequest<'_>], _: &StopFlag) -> Result<Vec<Evaluation>, EvalError> {
        Err(EvalError::Device { device: "cpu".into(), reason: self.0.clone() })
    }
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if std::fs::metadata(path)?.len() > MAX_RECORD_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB"));
    }
    std::fs::read(path)
}

fn log(line: &str) {
    // Nobody looks on: then there is nobody to say it to.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a record for `printsgf`. Whoever can write to the engine may name any file: only a new one, an empty one or
/// another record is written, and never what a link points to.
fn write_file(path: &Path, text: &str) -> io::Result<()> {
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::AlreadyExists, why.to_owned()));
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => return refused("it is a link; name the file itself"),
        Ok(there) if !there.is_file() => return refused("it is no file"),
        Ok(there) if there.len() > 0 && !begins_as_record(path)? => {
            return refused("it is there and no game record; choose another name");
        }
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    replace(path, text.as_bytes())
}

/// Whether a file begins with `(;`, after blanks and the mark of its encoding.
fn begins_as_record(path: &Path) -> io::Result<bool> {
    let mut head = [0; 64];
    let length = std::fs::File::open(path)?.read(&mut head)?;
    let head = head[..length].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head[..length]).trim_ascii_start();
    Ok(head.strip_prefix(b"(").is_some_and(|tree| tree.trim_ascii_start().starts_with(b";")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_replaces_records_only_and_never_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let there = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        there("old.sgf", "\u{feff} ( ;GM[1])");
        there("empty", "");
        there("settings.toml", "language = \"zh-Hans\"");
        for name in ["new.sgf", "old.sgf", "empty"] {
            write_file(&path(name), "(;SZ[9])").unwrap();
            assert_eq!(std::fs::read_to_string(path(name)).unwrap(), "(;SZ[9])", "{name}");
        }
        assert!(write_file(&path("settings.toml"), "(;SZ[9])").unwrap_err().to_string().contains("no game record"));
        assert_eq!(std::fs::read_to_string(path("settings.toml")).unwrap(), "language = \"zh-Hans\"");
        assert!(write_file(folder.path(), "(;SZ[9])").unwrap_err().to_string().contains("no file"));
        #[cfg(unix)]
        for (link, target) in [("to-record", "old.sgf"), ("to-nothing", "nowhere.sgf")] {
            std::os::unix::fs::symlink(path(target), path(link)).unwrap();
            assert!(write_file(&path(link), "(;SZ[19])").unwrap_err().to_string().contains("link"), "{link}");
        }
        assert_eq!(std::fs::read_to_string(path("old.sgf")).unwrap(), "(;SZ[9])");
        assert!(!path("nowhere.sgf").exists());
    }
}
