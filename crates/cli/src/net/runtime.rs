//! `honinbo net runtime`: ONNX Runtime libraries beside the program's own.

use super::fetch::with_progress;
use crate::app::data_dir;
use crate::args::{AddRuntimeArgs, RuntimeCommand};
use crate::failure::Failure;
use crate::output::Output;
use honinbo_api::{library_dirs, resource_dirs};
use honinbo_net::{LibrarySearch, Runtime, try_library};
use honinbo_shelf::{FetchStage, KnownRuntime, RuntimeShelf, RuntimeSource};
use serde_json::json;
use std::path::{Path, PathBuf};

pub(crate) fn runtime(command: RuntimeCommand, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let data = data_dir(data);
    let runtimes = Runtimes { shelf: RuntimeShelf::new(&data), data };
    match command {
        RuntimeCommand::List { json } => runtimes.list(json, output),
        RuntimeCommand::Add(args) => runtimes.add(&args, output),
        RuntimeCommand::Remove { name, json } => runtimes.remove(&name, json, output),
    }
}

struct Runtimes {
    data: PathBuf,
    shelf: RuntimeShelf,
}

impl Runtimes {
    fn list(&self, as_json: bool, output: &mut Output) -> Result<(), Failure> {
        let in_use = self.shelf.in_use();
        let folders = library_dirs(&self.data, &resource_dirs(&[]));
        let loaded = Runtime::load(&LibrarySearch::new(None, folders));
        let devices = |runtime: &Runtime| -> Vec<String> {
            runtime.devices().iter().map(|info| format!("{}: {}", info.device, info.name)).collect()
        };
        let known = KnownRuntime::for_this_machine();
        if as_json {
            return Ok(output.json(&json!({
                "inUse": in_use,
                "version": loaded.as_ref().ok().map(Runtime::version),
                "path": loaded.as_ref().ok().map(|runtime| runtime.path().display().to_string()),
                "failure": loaded.as_ref().err().map(ToString::to_string),
                "devices": loaded.as_ref().map(devices).unwrap_or_default(),
                "added": self.shelf.added(),
                "known": known.iter().map(|known| json!({
                    "name": known.name, "version": known.version, "devices": known.computes_on, "bytes": known.bytes,
                    "address": known.address, "sha256": known.sha256, "licence": known.licence, "needs": known.needs,
                })).collect::<Vec<_>>(),
            }))?);
        }
        match &loaded {
            Ok(runtime) => {
                output.line(format!("in use     ONNX Runtime {}, {}", runtime.version(), runtime.path().display()))?;
                for device in devices(runtime) {
                    output.line(format!("           {device}"))?;
                }
                for plugin in runtime.plugins() {
                    if let Some(reason) = &plugin.refused {
                        output.line(format!("           {} is not used: {reason}", plugin.path.display()))?;
                    }
                }
            }
            Err(error) => output.line(format!("in use     none: {error}; {}", error.hint()))?,
        }
        for added in self.shelf.added() {
            let mark = if in_use.as_ref() == Some(&added.name) { ", in use" } else { "" };
            output.line(format!(
                "added      {} (ONNX Runtime {}) from {}{mark}",
                added.name, added.version, added.source
            ))?;
        }
        for known in known {
            let mib = known.bytes as f64 / f64::from(1 << 20);
            output.line(format!(
                "available  {}: computes on {}; {} {}, {mib:.0} MiB, {}",
                known.name, known.computes_on, known.package, known.version, known.licence
            ))?;
            if !known.needs.is_empty() {
                output.line(format!("           needs {}", known.needs))?;
            }
        }
        Ok(())
    }

    fn add(&self, args: &AddRuntimeArgs, output: &mut Output) -> Result<(), Failure> {
        let (source, own_name) = source(args)?;
        let name = args.name.clone().unwrap_or(own_name);
        let added = with_progress(|progress, stop| {
            let tell = |stage| {
                if let FetchStage::Downloading(bytes, total) = stage {
                    progress(bytes, total);
                }
            };
            self.shelf.add(&name, &source, &try_library, &tell, stop)
        })?;
        if args.json {
            let path = self.shelf.folder_of(&name);
            return Ok(output.json(&json!({ "runtime": added, "path": path.display().to_string() }))?);
        }
        output.line(format!("{name} added: ONNX Runtime {}, used from the next start on", added.version))?;
        output.line(format!("SHA-256 {}", added.sha256))?;
        Ok(output.line("`honinbo net devices --measure` says what it computes on, and how fast")?)
    }

    fn remove(&self, name: &str, as_json: bool, output: &mut Output) -> Result<(), Failure> {
        let was_in_use = self.shelf.remove(name)?;
        if as_json {
            return Ok(output.json(&json!({ "removed": name, "wasInUse": was_in_use }))?);
        }
        let own = if was_in_use { "; the program's own is used from the next start on" } else { "" };
        Ok(output.line(format!("{name} removed{own}"))?)
    }
}

/// Where a runtime comes from, and what it is called without another name.
fn source(args: &AddRuntimeArgs) -> Result<(RuntimeSource, String), Failure> {
    let (named, own) = (&args.source, "own".to_owned());
    if named.contains("://") {
        let Some(sha256) = args.sha256.clone() else {
            return Err(Failure::Usage(
                "an address needs --sha256: what computes is taken by its checksum only".into(),
            ));
        };
        return Ok((RuntimeSource::Address { address: named.clone(), sha256, bytes: None }, own));
    }
    if Path::new(named).is_file() {
        return Ok((RuntimeSource::File(named.into(), args.sha256.clone()), own));
    }
    match KnownRuntime::for_this_machine().iter().find(|known| known.name == named) {
        Some(known) => {
            let (address, bytes) = (known.address.to_owned(), Some(known.bytes));
            let sha256 = args.sha256.clone().unwrap_or_else(|| known.sha256.to_owned());
            Ok((RuntimeSource::Address { address, sha256, bytes }, known.name.to_owned()))
        }
        None => Err(Failure::new(
            format!("{named:?} is neither a runtime for this machine nor a file"),
            "`honinbo net runtime list` names those that can be fetched; a file is a wheel (.whl) or the library itself",
        )),
    }
}
