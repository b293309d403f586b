//! `honinbo net runtime`: ONNX Runtime libraries beside the program's own.

mod table;
mod wheel;

use super::fetch::{download, unwritable};
use crate::app::data_dir;
use crate::args::{AddRuntimeArgs, RuntimeCommand};
use crate::failure::Failure;
use crate::output::Output;
use honinbo_api::{library_dirs, resource_dirs};
use honinbo_net::{LibrarySearch, Runtime, sha256_of};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use table::{KNOWN, KnownRuntime};

/// The largest file that is fetched: the largest published one has 0.3 GB.
const MAX_BYTES: u64 = 2 << 30;
/// The file in the folder of runtimes that names the one in use.
const IN_USE: &str = "in-use";
/// The file that says what a runtime is.
const ABOUT: &str = "runtime.json";

/// A runtime of the data folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Added {
    name: String,
    version: String,
    /// Where it came from.
    source: String,
    /// Of the file that it came in.
    sha256: String,
}

pub(crate) fn runtime(command: RuntimeCommand, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let runtimes = Runtimes { data: data_dir(data) };
    match command {
        RuntimeCommand::List { json } => runtimes.list(json, output),
        RuntimeCommand::Add(args) => runtimes.add(&args, output),
        RuntimeCommand::Remove { name, json } => runtimes.remove(&name, json, output),
    }
}

struct Runtimes {
    data: PathBuf,
}

impl Runtimes {
    fn folder(&self) -> PathBuf {
        self.data.join("runtimes")
    }

    fn in_use(&self) -> Option<String> {
        let name = fs::read_to_string(self.folder().join(IN_USE)).ok()?;
        Some(name.trim().to_owned()).filter(|name| self.folder().join(name).is_dir())
    }

    fn added(&self) -> Vec<Added> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let mut added: Vec<Added> = entries
            .filter_map(|entry| serde_json::from_slice(&fs::read(entry.path().join(ABOUT)).ok()?).ok())
            .collect();
        added.sort_by(|a, b| a.name.cmp(&b.name));
        added
    }

    fn list(&self, as_json: bool, output: &mut Output) -> Result<(), Failure> {
        let in_use = self.in_use();
        let folders = library_dirs(&self.data, &resource_dirs(&[]));
        let loaded = Runtime::load(&LibrarySearch::new(None, folders));
        let devices = |runtime: &Runtime| -> Vec<String> {
            runtime.devices().iter().map(|info| format!("{}: {}", info.device, info.name)).collect()
        };
        let known: Vec<&KnownRuntime> = KNOWN.iter().filter(|known| known.is_for_this_machine()).collect();
        if as_json {
            return Ok(output.json(&json!({
                "inUse": in_use,
                "version": loaded.as_ref().ok().map(Runtime::version),
                "path": loaded.as_ref().ok().map(|runtime| runtime.path().display().to_string()),
                "failure": loaded.as_ref().err().map(ToString::to_string),
                "devices": loaded.as_ref().map(devices).unwrap_or_default(),
                "added": self.added(),
                "known": known.iter().map(|known| json!({
                    "name": known.name, "version": known.version, "devices": known.computes_on, "bytes": known.bytes,
                    "address": known.address(), "sha256": known.sha256, "licence": known.licence, "needs": known.needs,
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
        for added in self.added() {
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
        let source = Source::of(args)?;
        let name = args.name.clone().unwrap_or_else(|| source.own_name());
        check_name(&name)?;
        let (folder, target) = (self.folder(), self.folder().join(&name));
        fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
        if target.exists() {
            return Err(Failure::new(
                format!("a runtime {name} is there already"),
                format!("take it away with `honinbo net runtime remove {name}`, or choose another name with --name"),
            ));
        }
        let (file, is_own) = match &source {
            Source::File(path) => (path.clone(), false),
            Source::Address { address, bytes, .. } => {
                let part = folder.join(format!(".{name}.part"));
                download(address, &part, bytes.unwrap_or(MAX_BYTES))?;
                (part, true)
            }
        };
        // Unpacked beside its place and renamed, so that a stopped program leaves no half of it.
        let fresh = tempfile::Builder::new()
            .prefix(".adding-")
            .tempdir_in(&folder)
            .map_err(|error| unwritable(&folder, &error))?;
        let outcome = self.unpack(args, &source, &name, &file, fresh.path());
        if is_own {
            // What is not the right file is nothing to go on from.
            let _ = fs::remove_file(&file);
        }
        let added = outcome?;
        let fresh = fresh.keep();
        fs::rename(&fresh, &target).map_err(|error| unwritable(&target, &error))?;
        fs::write(folder.join(IN_USE), &name).map_err(|error| unwritable(&folder, &error))?;
        if args.json {
            return Ok(output.json(&json!({ "runtime": added, "path": target.display().to_string() }))?);
        }
        output.line(format!("{name} added: ONNX Runtime {}, used from the next start on", added.version))?;
        output.line(format!("SHA-256 {}", added.sha256))?;
        Ok(output.line("`honinbo net devices --measure` says what it computes on, and how fast")?)
    }

    /// Puts the libraries of a file into a folder and tries them.
    fn unpack(
        &self,
        args: &AddRuntimeArgs,
        source: &Source,
        name: &str,
        file: &Path,
        into: &Path,
    ) -> Result<Added, Failure> {
        let sha256 = sha256_of(file).map_err(|error| unwritable(file, &error))?;
        let wanted = args.sha256.as_deref().or(source.sha256());
        if let Some(wanted) = wanted.filter(|wanted| *wanted != sha256) {
            return Err(Failure::new(
                format!("{} has SHA-256 {sha256}, not {wanted}", source.text()),
                "it is another file than you expect, or was changed on the way; it was not kept",
            ));
        }
        wheel::unpack(file, into)?;
        let search = LibrarySearch { explicit: None, folders: vec![into.to_path_buf()] };
        let runtime = Runtime::load(&search).map_err(|error| {
            Failure::new(
                format!("{} cannot be used: {error}", source.text()),
                "it may be for another system, or need libraries that are not installed; it was not kept",
            )
        })?;
        let added = Added { name: name.into(), version: runtime.version(), source: source.text(), sha256 };
        let about = serde_json::to_vec_pretty(&added).map_err(|error| unwritable(into, &error.into()))?;
        fs::write(into.join(ABOUT), about).map_err(|error| unwritable(into, &error))?;
        Ok(added)
    }

    fn remove(&self, name: &str, as_json: bool, output: &mut Output) -> Result<(), Failure> {
        check_name(name)?;
        let target = self.folder().join(name);
        if !target.is_dir() {
            return Err(Failure::new(
                format!("there is no runtime {name}"),
                "`honinbo net runtime list` names those there are",
            ));
        }
        let was_in_use = self.in_use().as_deref() == Some(name);
        if was_in_use {
            let mark = self.folder().join(IN_USE);
            fs::remove_file(&mark).map_err(|error| unwritable(&mark, &error))?;
        }
        fs::remove_dir_all(&target).map_err(|error| unwritable(&target, &error))?;
        if as_json {
            return Ok(output.json(&json!({ "removed": name, "wasInUse": was_in_use }))?);
        }
        let own = if was_in_use { "; the program's own is used from the next start on" } else { "" };
        Ok(output.line(format!("{name} removed{own}"))?)
    }
}

/// Where a runtime comes from.
enum Source {
    File(PathBuf),
    Address { address: String, sha256: String, bytes: Option<u64>, name: String },
}

impl Source {
    fn of(args: &AddRuntimeArgs) -> Result<Self, Failure> {
        let named = &args.source;
        if named.contains("://") {
            let Some(sha256) = args.sha256.clone() else {
                return Err(Failure::Usage(
                    "an address needs --sha256: what computes is taken by its checksum only".into(),
                ));
            };
            return Ok(Self::Address { address: named.clone(), sha256, bytes: None, name: "own".into() });
        }
        if Path::new(named).is_file() {
            return Ok(Self::File(named.into()));
        }
        match KNOWN.iter().find(|known| known.name == named && known.is_for_this_machine()) {
            Some(known) => Ok(Self::Address {
                address: known.address(),
                sha256: known.sha256.into(),
                bytes: Some(known.bytes),
                name: known.name.into(),
            }),
            None => Err(Failure::new(
                format!("{named:?} is neither a runtime for this machine nor a file"),
                "`honinbo net runtime list` names those that can be fetched; a file is a wheel (.whl) or the library itself",
            )),
        }
    }

    fn sha256(&self) -> Option<&str> {
        match self {
            Self::File(_) => None,
            Self::Address { sha256, .. } => Some(sha256),
        }
    }

    fn own_name(&self) -> String {
        match self {
            Self::File(_) => "own".into(),
            Self::Address { name, .. } => name.clone(),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Address { address, .. } => address.clone(),
        }
    }
}

/// A name that is one folder on every system.
fn check_name(name: &str) -> Result<(), Failure> {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if plain && !name.is_empty() && name.len() <= 60 && !name.starts_with(['.', '-']) && name != IN_USE {
        return Ok(());
    }
    Err(Failure::new(format!("{name:?} cannot be the name of a runtime"), "use letters, digits, `.`, `_` and `-`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for bad in ["", ".", "..", "a/b", "a\\b", "in-use", "-a", "a b", ".hidden"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        assert!(check_name("cuda-1.31").is_ok());
    }
}
