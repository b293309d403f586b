//! Where ONNX Runtime comes from.
//!
//! Nothing is linked: the library is found and loaded when the first network is opened, and stays for the process.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ort::environment::Environment;
use ort::logging::LogLevel;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::device::Device;
use super::hardware::{Hardware, driver_fingerprint, processor_name};
use super::trunk_op::introduce_domain;

/// Environment variable with the path of the library.
pub const LIBRARY_VARIABLE: &str = "HONINBO_ONNXRUNTIME";

/// Environment variable that keeps ONNX Runtime from reporting to its makers.
const TELEMETRY_VARIABLE: &str = "ORT_DISABLE_TELEMETRY";

/// Keeps ONNX Runtime from reporting to its makers. From 1.29 on the published libraries of all platforms but Windows
/// keep an identifier of the machine in `~/.cache/Microsoft` and send a first event as soon as they are initialised,
/// before any function that forbids it can be called; only this variable of the environment comes early enough.
///
/// Programs call this first in `main`, while there is one thread. [`Runtime::load`] does it again, for tests and examples.
#[allow(unsafe_code, reason = "the environment of the process has no safe interface for writing")]
pub fn forbid_telemetry() {
    if std::env::var_os(TELEMETRY_VARIABLE).is_none_or(|value| value != "1") {
        // SAFETY: in programs no other thread runs yet. In tests others may read the environment through the standard
        // library, which guards it by a lock; foreign code there reads none.
        unsafe { std::env::set_var(TELEMETRY_VARIABLE, "1") };
    }
}

/// Where to look for the library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LibrarySearch {
    /// This file and no other.
    pub explicit: Option<PathBuf>,
    /// Folders to look into, in this order, when no file is named.
    pub folders: Vec<PathBuf>,
}

impl LibrarySearch {
    /// The file named by `explicit`, else by the environment variable [`LIBRARY_VARIABLE`], else what the folders hold.
    #[must_use]
    pub fn new(explicit: Option<PathBuf>, folders: Vec<PathBuf>) -> Self {
        let from_environment = || std::env::var_os(LIBRARY_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
        Self { explicit: explicit.or_else(from_environment), folders }
    }

    /// The first library there is.
    ///
    /// # Errors
    /// [`RuntimeError::Missing`] with every place looked at.
    pub fn find(&self) -> Result<PathBuf, RuntimeError> {
        if let Some(path) = &self.explicit {
            return if path.is_file() {
                Ok(path.clone())
            } else {
                Err(RuntimeError::Missing { looked: vec![path.clone()] })
            };
        }
        self.folders
            .iter()
            .find_map(|folder| in_folder(folder))
            .ok_or_else(|| RuntimeError::Missing { looked: self.folders.clone() })
    }

    /// Whether this process has another library loaded than is found now, which only its next start can change.
    #[must_use]
    pub fn differs_from_loaded(&self) -> bool {
        let loaded = RUNTIME.get().map(Runtime::path);
        loaded.is_some_and(|loaded| self.find().is_ok_and(|found| !same_file(&found, loaded)))
    }
}

/// The library in a folder, by the names it has on the platforms; of several versions the highest.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let plain = format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let exact = folder.join(&plain);
    if exact.is_file() {
        return Some(exact);
    }
    let mut versions: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let versioned = name.starts_with(&format!("{plain}."));
            let mac = name.starts_with("libonnxruntime.") && name.ends_with(".dylib");
            (versioned || mac) && path.is_file()
        })
        .collect();
    versions.sort();
    versions.pop()
}

/// Why ONNX Runtime cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuntimeError {
    /// There is no library.
    #[error("ONNX Runtime was not found, looked at {}", list(looked))]
    Missing {
        /// Files and folders looked at.
        looked: Vec<PathBuf>,
    },
    /// The file is no library, or one for another kind of machine.
    #[error("{} is not a usable ONNX Runtime library: {reason}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The library is older than needed.
    #[error("{} is ONNX Runtime {found}, at least 1.{needed} is needed", path.display())]
    TooOld {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The lowest minor version that works.
        needed: u32,
    },
    /// Another library was loaded earlier.
    #[error("ONNX Runtime was already loaded from {}, {} cannot be loaded beside it", loaded.display(), path.display())]
    AlreadyLoaded {
        /// The one in use.
        loaded: PathBuf,
        /// The one asked for.
        path: PathBuf,
    },
}

impl RuntimeError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } => {
                "install Honinbo again, or set HONINBO_ONNXRUNTIME to the path of the ONNX Runtime library"
            }
            Self::Unusable { .. } | Self::TooOld { .. } => {
                "install Honinbo again, or point HONINBO_ONNXRUNTIME to a newer ONNX Runtime for this machine"
            }
            Self::AlreadyLoaded { .. } => "start Honinbo again to use the other library",
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    if paths.is_empty() {
        return "no place at all".into();
    }
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// A provider in a library of its own, found beside ONNX Runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plugin {
    /// What it computes on.
    pub device: Device,
    /// The file.
    pub path: PathBuf,
    /// Why it cannot be used, if so.
    pub refused: Option<String>,
}

/// Something that computes, as the system names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceInfo {
    /// How it is asked for.
    pub device: Device,
    /// The name that a person knows it by.
    pub name: String,
    /// Whether it is a graphics card in name only, computed by the processor: used by those who ask for it, never chosen.
    pub is_software: bool,
    /// Changes with the hardware, its driver, ONNX Runtime and the provider: what was found out holds as long as it stays.
    pub fingerprint: String,
}

/// ONNX Runtime, loaded. One for the process; clones share it.
#[derive(Debug, Clone)]
pub struct Runtime(Arc<Loaded>);

#[derive(Debug)]
struct Loaded {
    environment: Environment,
    path: PathBuf,
    build: String,
    version: String,
    plugins: Vec<Plugin>,
}

static RUNTIME: OnceLock<Runtime> = OnceLock::new();
static LOADING: Mutex<()> = Mutex::new(());

impl Runtime {
    /// Loads the library, or returns the one already loaded.
    ///
    /// # Errors
    /// See [`RuntimeError`]. After a failure another library may be tried.
    pub fn load(search: &LibrarySearch) -> Result<Runtime, RuntimeError> {
        let _one_at_a_time = LOADING.lock();
        if let Some(runtime) = RUNTIME.get() {
            return match &search.explicit {
                Some(path) if !same_file(path, &runtime.0.path) => {
                    search.find()?;
                    Err(RuntimeError::AlreadyLoaded { loaded: runtime.0.path.clone(), path: path.clone() })
                }
                _ => Ok(runtime.clone()),
            };
        }
        let path = search.find()?;
        let path = dunce::canonicalize(&path).unwrap_or(path);
        let unusable = |reason: String| RuntimeError::Unusable { path: path.clone(), reason };
        forbid_telemetry();
        let builder = ort::init_from(&path).map_err(|error| match error {
            ort::LoadDynamicError::BadVersion { version_str, .. } => {
                RuntimeError::TooOld { path: path.clone(), found: version_str, needed: ort::MINOR_VERSION }
            }
            ort::LoadDynamicError::Dlopen { error, .. } => unusable(with_causes(&error)),
            ort::LoadDynamicError::MissingApi { .. } => unusable("it is another library".into()),
            ort::LoadDynamicError::InvalidVersionString => unusable("its version is unreadable".into()),
        })?;
        let environment = builder
            .with_name("honinbo")
            .with_telemetry(false)
            .build()
            .map_err(|error| unusable(error.message().to_string()))?;
        environment.set_log_level(log_level(tracing::enabled!(tracing::Level::DEBUG)));
        introduce_domain(&environment).map_err(|error| unusable(error.message().to_string()))?;
        let plugins = register_plugins(&environment, &path, &search.folders);
        let build = ort::info().to_string();
        let version = release_of(&environment).unwrap_or_else(|| version_of(&build));
        let runtime = Runtime(Arc::new(Loaded { environment, path, build, version, plugins }));
        Ok(RUNTIME.get_or_init(|| runtime).clone())
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// The library's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The library's version: its release, like `1.31.1`, or the commit that it was built from, like `commit 6af1a93`.
    #[must_use]
    pub fn version(&self) -> String {
        self.0.version.clone()
    }

    /// Providers in libraries of their own.
    #[must_use]
    pub fn plugins(&self) -> &[Plugin] {
        &self.0.plugins
    }

    /// Whether this device can be asked for; it may still refuse.
    #[must_use]
    pub fn offers(&self, device: Device) -> bool {
        device.is_in_library() || self.plugin_device(device).is_some()
    }

    /// What can be asked for on this machine, the kind that is usually fastest first, the processor last.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceInfo> {
        let offered = Device::ALL.into_iter().filter(|&device| self.offers(device));
        offered.map(|device| self.device(device)).collect()
    }

    fn device(&self, device: Device) -> DeviceInfo {
        let plugin = self.plugin_device(device);
        let hardware = plugin.as_ref().map(|found| hardware_of(found));
        let name = match (device, &hardware) {
            (Device::Cpu | Device::OpenVino, _) => processor_name(),
            (_, Some(hardware)) if !is_software(plugin.as_ref()) => hardware.name(),
            (_, Some(_)) => format!("software graphics on {}", processor_name()),
            (Device::Cuda | Device::TensorRt, None) => Hardware { vendor_id: 0x10de, ..Hardware::default() }.name(),
            (Device::CoreMl, None) => "Apple Core ML".into(),
            (Device::DirectMl | Device::WebGpu, None) => Hardware::default().name(),
        };
        let mut digest = Sha256::new();
        let mut add = |part: &str| {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part.as_bytes());
        };
        add(device.name());
        add(&name);
        add(&self.0.build);
        if let Some(Hardware { vendor_id, device_id, .. }) = hardware {
            add(&format!("{vendor_id:04x}:{device_id:04x}"));
        }
        for plugin in self.0.plugins.iter().filter(|plugin| plugin.device == device) {
            add(&super::hardware::state_of(&plugin.path));
        }
        if device != Device::Cpu {
            add(&driver_fingerprint());
        }
        let fingerprint = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        DeviceInfo { device, name, is_software: is_software(plugin.as_ref()), fingerprint }
    }

    /// Whether what this device computes on is software that stands in for a card.
    pub(crate) fn is_software(&self, device: Device) -> bool {
        is_software(self.plugin_device(device).as_ref())
    }

    /// The hardware that a provider in a library of its own computes on. Of several the first that is a card of its own:
    /// the provider prefers those as well.
    pub(super) fn plugin_device(&self, device: Device) -> Option<ort::device::Device<'_>> {
        let name = device.provider_name()?;
        let is_registered = |plugin: &Plugin| plugin.device == device && plugin.refused.is_none();
        if !self.0.plugins.iter().any(is_registered) {
            return None;
        }
        let offered = self.0.environment.devices().filter(|found| found.ep().is_ok_and(|ep| ep == name));
        offered.min_by_key(|found| (is_software(Some(found)), !hardware_of(found).is_discrete()))
    }

    /// Why a device with a provider of its own cannot be asked for.
    pub(super) fn why_not(&self, device: Device) -> String {
        match self.0.plugins.iter().find(|plugin| plugin.device == device) {
            None => "its provider is not installed".into(),
            Some(Plugin { refused: Some(reason), .. }) => reason.clone(),
            Some(_) => "the system shows no graphics card".into(),
        }
    }

    /// Eight digits that differ between builds of the library; part of the names of cached files.
    pub(crate) fn fingerprint(&self) -> String {
        Sha256::digest(self.0.build.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// What the library writes to standard error by itself. Its errors come back as results, and a card without memory left
/// has thousands of lines for one of them.
fn log_level(is_debugging: bool) -> LogLevel {
    if is_debugging { LogLevel::Error } else { LogLevel::Fatal }
}

/// The version in what the library says of its build: `git-branch=rel-1.31.1, git-commit-id=6af1a93, …`. Builds that were
/// not made from a release branch say `git-branch=HEAD`.
fn version_of(build: &str) -> String {
    let value = |name: &str| {
        let rest = build.split(name).nth(1)?.strip_prefix('=')?;
        rest.split([',', ' ']).next().filter(|value| !value.is_empty())
    };
    match (value("git-branch").and_then(|branch| branch.strip_prefix("rel-")), value("git-commit-id")) {
        (Some(release), _) => release.to_owned(),
        (None, Some(commit)) => format!("commit {commit}"),
        (None, None) => "unknown".to_owned(),
    }
}

/// Hands the providers beside the library, or in one of the other folders, to the library.
fn register_plugins(environment: &Environment, library: &Path, folders: &[PathBuf]) -> Vec<Plugin> {
    let beside = library.parent().map(Path::to_path_buf);
    let folders: Vec<&PathBuf> = beside.iter().chain(folders).collect();
    let mut plugins = Vec::new();
    for device in Device::ALL.into_iter().filter(|device| device.provider_name().is_some() && !device.is_in_library()) {
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let name = format!("{prefix}onnxruntime_providers_{}{suffix}", device.name());
        let Some(path) = folders.iter().map(|folder| folder.join(&name)).find(|path| path.is_file()) else { continue };
        let refused = environment.register_ep_library(device.name(), &path).err().map(|error| {
            let reason = error.message().lines().next().unwrap_or("no reason given").to_owned();
            tracing::warn!(%device, reason, "a provider cannot be used");
            reason
        });
        plugins.push(Plugin { device, path, refused });
    }
    plugins
}

fn is_software(device: Option<&ort::device::Device<'_>>) -> bool {
    device.is_some_and(|device| device.hardware_device().ty() == ort::memory::DeviceType::CPU)
}

/// The release, as the library's own provider for the processor reports it; not all do.
#[allow(unsafe_code, reason = "ort has no function for what a provider reports about itself")]
fn release_of(environment: &Environment) -> Option<String> {
    use ort::AsPointer as _;
    let processor = environment.devices().find(|found| found.ep().is_ok_and(|ep| ep == "CPUExecutionProvider"))?;
    // SAFETY: as in `hardware_of`; the value, where there is one, ends with zero.
    unsafe {
        let pairs = (ort::api().EpDevice_EpMetadata)(processor.ptr());
        if pairs.is_null() {
            return None;
        }
        let version = (ort::api().GetKeyValue)(pairs, c"version".as_ptr());
        if version.is_null() {
            return None;
        }
        Some(std::ffi::CStr::from_ptr(version).to_string_lossy().into_owned()).filter(|version| !version.is_empty())
    }
}

#[allow(unsafe_code, reason = "ort has no function for what the system reports about hardware")]
fn hardware_of(device: &ort::device::Device<'_>) -> Hardware {
    use ort::AsPointer as _;
    let hardware = device.hardware_device();
    let (mut keys, mut values, mut count) = (std::ptr::null(), std::ptr::null(), 0);
    let mut metadata = Vec::new();
    // SAFETY: the pointer comes from the library, which keeps the device and all that is read here as long as its
    // environment, and that is never let go. Both arrays have `count` strings that end with zero.
    let vendor_id = unsafe {
        let pairs = (ort::api().HardwareDevice_Metadata)(hardware.ptr());
        if !pairs.is_null() {
            (ort::api().GetKeyValuePairs)(pairs, &raw mut keys, &raw mut values, &raw mut count);
            let text = |at: *const std::ffi::c_char| std::ffi::CStr::from_ptr(at).to_string_lossy().into_owned();
            metadata.extend((0..count).map(|index| (text(*keys.add(index)), text(*values.add(index)))));
        }
        (ort::api().HardwareDevice_VendorId)(hardware.ptr())
    };
    let vendor = hardware.vendor().unwrap_or_default().to_owned();
    Hardware { vendor, vendor_id, device_id: hardware.id(), metadata }
}

/// What an error says, with what caused it: Windows gives the reason there alone.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text = format!("{text}: {reason}");
        }
        cause = error.source();
    }
    text
}

fn same_file(a: &Path, b: &Path) -> bool {
    let full = |path: &Path| dunce::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    full(a) == full(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("LoadLibraryExW failed")]
    struct NotLoaded(#[source] std::io::Error);

    #[test]
    fn why_a_library_is_not_loaded_is_said_with_its_cause() {
        let error = NotLoaded(std::io::Error::other("the specified module could not be found"));
        assert_eq!(with_causes(&error), "LoadLibraryExW failed: the specified module could not be found");
        // What says its cause by itself does not say it twice.
        let outer = std::io::Error::other(error);
        assert_eq!(with_causes(&outer), "LoadLibraryExW failed: the specified module could not be found");
    }

    #[test]
    fn the_library_is_silent_unless_somebody_looks_for_a_fault() {
        assert!(matches!(log_level(false), LogLevel::Fatal));
        assert!(matches!(log_level(true), LogLevel::Error));
    }

    #[test]
    fn a_missing_library_is_told_with_the_places_looked_at() {
        let search = LibrarySearch { explicit: Some("/nowhere/libonnxruntime.so".into()), folders: Vec::new() };
        let error = Runtime::load(&search).unwrap_err();
        assert_eq!(error.to_string(), "ONNX Runtime was not found, looked at /nowhere/libonnxruntime.so");
        let search = LibrarySearch { explicit: None, folders: vec!["/nowhere".into(), "/neither".into()] };
        assert_eq!(search.find().unwrap_err().to_string(), "ONNX Runtime was not found, looked at /nowhere, /neither");
    }

    #[test]
    fn a_build_is_named_by_its_release_or_its_commit() {
        let build = |text: &str| version_of(&format!("ORT Build Info: {text}, build type=Release"));
        assert_eq!(build("git-branch=rel-1.31.1, git-commit-id=6af1a93"), "1.31.1");
        assert_eq!(build("git-branch=HEAD, git-commit-id=6af1a93"), "commit 6af1a93");
        assert_eq!(build("nothing"), "unknown");
    }

    #[test]
    fn a_text_file_is_no_library() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("libonnxruntime.so");
        std::fs::write(&path, "hello").unwrap();
        let error = Runtime::load(&LibrarySearch { explicit: Some(path), folders: Vec::new() }).unwrap_err();
        // When another test has loaded the real library already, that is the reason given.
        assert!(matches!(error, RuntimeError::Unusable { .. } | RuntimeError::AlreadyLoaded { .. }), "{error}");
    }

    #[test]
    fn the_highest_version_in_a_folder_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let plain = format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        std::fs::write(folder.path().join(format!("{plain}.1.30.0")), "").unwrap();
        std::fs::write(folder.path().join(format!("{plain}.1.31.1")), "").unwrap();
        let search = LibrarySearch { explicit: None, folders: vec![folder.path().to_path_buf()] };
        if cfg!(target_os = "linux") {
            assert!(search.find().unwrap().ends_with(format!("{plain}.1.31.1")));
        }
    }
}
