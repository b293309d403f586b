//! What computes on this machine, by the names that the system gives it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

/// A piece of hardware as the library lists it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hardware {
    /// What the library calls its maker; may be empty.
    pub(super) vendor: String,
    /// PCI numbers of maker and model; 0 where there are none.
    pub(super) vendor_id: u32,
    pub(super) device_id: u32,
    /// What the system reports about it: `Description` under Windows, for one.
    pub(super) metadata: Vec<(String, String)>,
}

/// Makers of graphics hardware by their PCI numbers.
const VENDORS: [(u32, &str); 8] = [
    (0x10de, "NVIDIA"),
    (0x1002, "AMD"),
    (0x8086, "Intel"),
    (0x106b, "Apple"),
    (0x5143, "Qualcomm"),
    (0x13b5, "Arm"),
    (0x1414, "Microsoft"),
    (0x1af4, "virtio"),
];

impl Hardware {
    fn metadata(&self, name: &str) -> Option<&str> {
        let found = self.metadata.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        Some(found.1.trim()).filter(|value| !value.is_empty())
    }

    /// Whether it is a card of its own rather than a part of the processor, where the system says so.
    pub(super) fn is_discrete(&self) -> bool {
        self.metadata("Discrete").is_some_and(|value| value == "1")
    }

    /// The name that a person knows it by.
    pub(super) fn name(&self) -> String {
        if let Some(description) = self.metadata("Description") {
            return description.to_owned();
        }
        let folder = Path::new("/proc/driver/nvidia/gpus");
        if self.vendor_id == 0x10de
            && let Some(model) = nvidia_model(folder)
        {
            return model;
        }
        for ids in ["/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids"] {
            if let Ok(text) = std::fs::read(ids)
                && let Some(name) = name_in_pci_ids(&String::from_utf8_lossy(&text), self.vendor_id, self.device_id)
            {
                return name;
            }
        }
        let known = VENDORS.iter().find(|(id, _)| *id == self.vendor_id).map(|(_, name)| (*name).to_owned());
        let vendor = known.unwrap_or_else(|| self.vendor.trim().to_owned());
        match (vendor.is_empty(), self.device_id) {
            (true, 0) => "graphics device".into(),
            (true, id) => format!("graphics device {:04x}:{id:04x}", self.vendor_id),
            (false, 0) => format!("{vendor} graphics"),
            (false, id) => format!("{vendor} graphics {:04x}:{id:04x}", self.vendor_id),
        }
    }
}

/// The model of the first card that NVIDIA's kernel module knows.
fn nvidia_model(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?;
    let text = entries.flatten().find_map(|entry| std::fs::read_to_string(entry.path().join("information")).ok())?;
    let model = text.lines().find_map(|line| line.strip_prefix("Model:"))?.trim();
    (!model.is_empty()).then(|| model.to_owned())
}

/// Maker and model in the list of the PCI ID project: makers begin a line, their models one tabulator further.
fn name_in_pci_ids(text: &str, vendor_id: u32, device_id: u32) -> Option<String> {
    let (vendor_id, device_id) = (format!("{vendor_id:04x}"), format!("{device_id:04x}"));
    let mut vendor: Option<&str> = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match (line.strip_prefix('\t'), vendor) {
            (None, Some(_)) if !line.is_empty() => return None,
            (None, None) => vendor = line.strip_prefix(vendor_id.as_str()).map(str::trim),
            (Some(model), Some(vendor)) => {
                if let Some(model) = model.strip_prefix(device_id.as_str()) {
                    let short = vendor.split_once('[').map_or(vendor, |(_, short)| short.trim_end_matches(']'));
                    return Some(format!("{short} {}", model.trim()));
                }
            }
            _ => {}
        }
    }
    None
}

/// The processor's own name, otherwise that of the board that it is on, otherwise its kind.
pub(super) fn processor_name() -> String {
    static NAME: OnceLock<String> = OnceLock::new();
    let look = || {
        let board = || text_of(&std::fs::read("/proc/device-tree/model").unwrap_or_default());
        let named = name_in_cpuinfo(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default());
        named.or_else(brand).or_else(name_by_macos).or_else(board)
    };
    NAME.get_or_init(|| look().unwrap_or_else(|| std::env::consts::ARCH.to_owned())).clone()
}

/// As Linux lists it: by its own name, or on Arm by that of the board, where there is one.
fn name_in_cpuinfo(text: &str) -> Option<String> {
    ["model name", "Model", "Hardware"].into_iter().find_map(|wanted| {
        let mut named = text.lines().filter_map(|line| line.split_once(':'));
        let (_, name) = named.find(|(key, _)| key.trim() == wanted)?;
        text_of(name.as_bytes())
    })
}

/// As the processor says it.
fn brand() -> Option<String> {
    #[cfg(target_arch = "x86_64")]
    {
        // Three leaves of sixteen letters each.
        const LAST: u32 = 0x8000_0004;
        if std::arch::x86_64::__cpuid(0x8000_0000).eax < LAST {
            return None;
        }
        let mut letters = Vec::new();
        for leaf in 0x8000_0002..=LAST {
            let part = std::arch::x86_64::__cpuid(leaf);
            for word in [part.eax, part.ebx, part.ecx, part.edx] {
                letters.extend(word.to_le_bytes());
            }
        }
        text_of(&letters)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        None
    }
}

fn name_by_macos() -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let answer = Command::new("/usr/sbin/sysctl").args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
    text_of(&answer.stdout)
}

/// A text that a NUL may end, without blanks around it; `None` where nothing is left.
fn text_of(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default());
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Sixteen digits that change when a graphics driver is exchanged: whatever was found out about a device holds as long as
/// they stay.
pub(super) fn driver_fingerprint() -> String {
    let mut digest = Sha256::new();
    let mut add = |what: &str, content: &[u8]| {
        digest.update(what.as_bytes());
        digest.update((content.len() as u64).to_le_bytes());
        digest.update(content);
    };
    for variable in ["VK_ICD_FILENAMES", "VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES"] {
        add(variable, std::env::var_os(variable).unwrap_or_default().as_encoded_bytes());
    }
    let versions = [
        "/proc/sys/kernel/osrelease",
        "/proc/driver/nvidia/version",
        "/System/Library/CoreServices/SystemVersion.plist",
    ];
    for file in versions {
        add(file, &std::fs::read(file).unwrap_or_default());
    }
    // Windows keeps every driver in a folder of its own in here.
    let store = std::env::var_os("SystemRoot").map(|root| Path::new(&root).join("System32/DriverStore/FileRepository"));
    if let Some(store) = store {
        add("driver store", state_of(&store).as_bytes());
    }
    for manifest in vulkan_manifests() {
        let text = std::fs::read(&manifest).unwrap_or_default();
        add(&manifest.display().to_string(), &text);
        for library in libraries_in(&text, &manifest) {
            add(&library.display().to_string(), state_of(&library).as_bytes());
        }
    }
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Size and time of change; empty for what is not there.
pub(super) fn state_of(path: &Path) -> String {
    let Ok(metadata) = std::fs::metadata(path) else { return String::new() };
    let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{} {:?}", metadata.len(), changed.map(|time| time.as_nanos()))
}

/// The files by which Vulkan drivers make themselves known under Linux.
fn vulkan_manifests() -> Vec<PathBuf> {
    let folders = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d"];
    let mut found: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    if let Some(named) = std::env::var_os("VK_ICD_FILENAMES").or_else(|| std::env::var_os("VK_DRIVER_FILES")) {
        found.extend(std::env::split_paths(&named));
    }
    found.sort();
    found
}

/// Where the driver of a manifest may be: a path as it stands there, or a name in the folders of libraries.
fn libraries_in(manifest: &[u8], path: &Path) -> Vec<PathBuf> {
    let value: serde_json::Value = serde_json::from_slice(manifest).unwrap_or_default();
    let Some(library) = value["ICD"]["library_path"].as_str() else { return Vec::new() };
    if library.contains('/') {
        return vec![path.parent().unwrap_or(Path::new("/")).join(library)];
    }
    let folder = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    ["/usr/lib64", "/usr/lib", folder.as_str()].iter().map(|folder| Path::new(folder).join(library)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: &str = "# a comment\n1002  Advanced Micro Devices, Inc. [AMD/ATI]\n\t744c  Navi 31 [Radeon RX 7900 XTX]\n\
        \t\t1002 0e3b  a board\n10de  NVIDIA Corporation\n\t2684  AD102 [GeForce RTX 4090]\n";

    #[test]
    fn a_model_is_looked_up_below_its_maker() {
        assert_eq!(name_in_pci_ids(IDS, 0x1002, 0x744c).as_deref(), Some("AMD/ATI Navi 31 [Radeon RX 7900 XTX]"));
        assert_eq!(
            name_in_pci_ids(IDS, 0x10de, 0x2684).as_deref(),
            Some("NVIDIA Corporation AD102 [GeForce RTX 4090]")
        );
        assert_eq!(name_in_pci_ids(IDS, 0x1002, 0x2684), None, "the model of another maker");
        assert_eq!(name_in_pci_ids(IDS, 0x8086, 1), None);
        assert_eq!(name_in_pci_ids("", 1, 1), None);
    }

    #[test]
    fn what_the_system_says_comes_before_numbers() {
        let mut card = Hardware { vendor_id: 0xfffe, device_id: 0x12, ..Hardware::default() };
        assert_eq!(card.name(), "graphics device fffe:0012");
        card.vendor = "Maker".into();
        assert_eq!(card.name(), "Maker graphics fffe:0012");
        card.metadata = vec![("Description".into(), "A card".into()), ("Discrete".into(), "1".into())];
        assert_eq!((card.name().as_str(), card.is_discrete()), ("A card", true));
    }

    #[test]
    fn a_processor_is_called_by_its_name() {
        let desktop = "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R)  CPU\nprocessor\t: 1\n";
        assert_eq!(name_in_cpuinfo(desktop).as_deref(), Some("Intel(R) Xeon(R)  CPU"));
        let board = "processor\t: 0\nCPU part\t: 0xd0b\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 5 Model B\n";
        assert_eq!(name_in_cpuinfo(board).as_deref(), Some("Raspberry Pi 5 Model B"));
        assert_eq!(name_in_cpuinfo("processor\t: 0\nmodel name\t:\n"), None);
        assert_eq!(text_of(b"  AMD Ryzen 9 7950X\0\0\0").as_deref(), Some("AMD Ryzen 9 7950X"));
        assert_eq!((text_of(b" \0x"), text_of(b"")), (None, None));
        if cfg!(any(target_arch = "x86_64", target_os = "macos")) {
            assert!(brand().or_else(name_by_macos).is_some());
            assert_ne!(processor_name(), std::env::consts::ARCH);
        }
    }

    #[test]
    fn a_driver_is_known_by_its_manifest_and_its_library() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join("icd.json");
        let text = br#"{"ICD": {"library_path": "./driver.so"}}"#;
        let library = libraries_in(text, &manifest);
        assert_eq!(library, [folder.path().join("./driver.so")]);
        assert_eq!(state_of(&library[0]), "");
        std::fs::write(&library[0], "1").unwrap();
        let before = state_of(&library[0]);
        std::fs::write(&library[0], "12").unwrap();
        assert_ne!(before, state_of(&library[0]));
        assert!(libraries_in(b"nonsense", &manifest).is_empty());
        assert_eq!(driver_fingerprint(), driver_fingerprint());
    }
}
