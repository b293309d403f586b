//! `honinbo net`: networks.

mod bench;
mod boards;
mod check;
mod convert;
mod devices;
mod export;
mod fetch;
mod info;
mod runtime;
mod shelf;

pub(crate) use boards::Boards;
pub(crate) use fetch::with_progress;

use crate::app::data_dir;
use crate::args::{InstructionsArg, Kernels, NetCommand};
use crate::failure::Failure;
use crate::output::Output;
use honinbo_api::{DEFAULT_NETWORK, find_network, library_dirs, network_folder, resource_dirs};
use honinbo_net::{
    Device, EvaluatorOptions, FileError, LibrarySearch, Limits, ModelCache, NetworkFile, Runtime, UnknownDevice,
};
use std::path::{Path, PathBuf};

/// Does one of the commands about networks.
pub(crate) fn net(command: NetCommand, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    match command {
        NetCommand::Info { file, json } => info::info(file.as_deref(), json, data, output),
        NetCommand::Convert(args) => convert::convert(&args, data, output),
        NetCommand::Export(args) => export::export(&args, data, output),
        NetCommand::List { json } => shelf::list(json, data, output),
        NetCommand::Remove { network, json } => shelf::remove(&network, json, data, output),
        NetCommand::Fetch(args) => fetch::fetch(&args, data, output),
        NetCommand::Check(args) => check::check(&args, data, output),
        NetCommand::Bench(args) => bench::bench(&args, data, output),
        NetCommand::Devices(args) => devices::devices(&args, data, output),
        NetCommand::Runtime(command) => runtime::runtime(command, data, output),
    }
}

/// The file of a network: a path, the name of one at hand, or (nothing said) the one that the person uses.
pub(crate) fn locate(name: Option<&str>, data: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(path) = name.map(Path::new).filter(|path| path.exists()) {
        return Ok(path.to_path_buf());
    }
    let data = data_dir(data);
    let wanted = match name {
        Some(name) => name.to_string(),
        None => chosen(&data),
    };
    find_network(&wanted, &data, &resource_dirs(&[])).filter(|path| path.is_file()).ok_or_else(|| {
        let folder = network_folder(&data);
        Failure::new(
            format!("there is no network {:?}, neither as a file nor in {}", or_default(&wanted), folder.display()),
            "give its path, or put it there with `honinbo net fetch`",
        )
    })
}

fn or_default(name: &str) -> &str {
    if name.is_empty() { DEFAULT_NETWORK } else { name }
}

/// What `settings.toml` names; empty for the program's own.
fn chosen(data: &Path) -> String {
    let text = std::fs::read_to_string(data.join("settings.toml")).unwrap_or_default();
    let settings: toml::Table = text.parse().unwrap_or_default();
    settings.get("network").and_then(toml::Value::as_str).unwrap_or_default().to_string()
}

/// Reads a network file; a failure names the file.
pub(crate) fn read(path: &Path) -> Result<NetworkFile, Failure> {
    NetworkFile::open(path, &Limits::default()).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &FileError) -> Failure {
    let name = path.display().to_string();
    let message = error.to_string();
    let message = if message.contains(&name) { message } else { format!("{name}: {message}") };
    Failure::new(message, error.hint())
}

/// What is needed to run a network outside the back end: for checks and measurements.
pub(crate) struct EngineFiles {
    /// ONNX Runtime, loaded.
    pub(crate) runtime: Runtime,
    /// Where optimised graphs are kept.
    pub(crate) cache: ModelCache,
    /// Folders of networks, the person's own first.
    pub(crate) network_folders: Vec<PathBuf>,
    /// The device asked for; the processor when none was.
    pub(crate) device: Device,
}

/// Finds and loads what is needed to run a network.
pub(crate) fn engine_files(data: &Path, device: Option<&str>) -> Result<EngineFiles, Failure> {
    let device: Device =
        device.unwrap_or("cpu").parse().map_err(|error: UnknownDevice| Failure::Usage(error.to_string()))?;
    let resources = resource_dirs(&[]);
    let runtime = Runtime::load(&LibrarySearch::new(None, library_dirs(data, &resources)))
        .map_err(|error| Failure::new(error.to_string(), error.hint()))?;
    let mut network_folders = vec![network_folder(data)];
    network_folders.extend(resources.iter().map(|dir| dir.join("networks")));
    Ok(EngineFiles { runtime, cache: ModelCache::new(data.join("cache")), network_folders, device })
}

/// The options with the kernels that were asked for, which use no wider instructions than were.
pub(crate) fn with_kernels(
    options: EvaluatorOptions,
    chosen: Option<Kernels>,
    instructions: Option<InstructionsArg>,
) -> EvaluatorOptions {
    if let Some(instructions) = instructions {
        honinbo_net::use_at_most(instructions.into());
    }
    EvaluatorOptions { own_kernels: chosen.map_or(options.own_kernels, |kernels| kernels == Kernels::Own), ..options }
}

/// Processor cores that this process may use.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
