//! Runtimes that are known: published ONNX Runtime libraries for kinds of devices that the program's own does not have.

/// A library that is fetched by its checksum.
#[derive(Debug, Clone, Copy)]
pub struct KnownRuntime {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it is for.
    pub kind: RuntimeKind,
    /// What it computes on.
    pub computes_on: &'static str,
    /// The package at PyPI that it comes from.
    pub package: &'static str,
    /// The package's version.
    pub version: &'static str,
    /// The system and the processor that it is for, as Rust names them.
    pub system: (&'static str, &'static str),
    /// Where it is fetched from; at PyPI the directory of a file is its BLAKE2b checksum.
    pub address: &'static str,
    /// Its SHA-256 in lower case.
    pub sha256: &'static str,
    /// Bytes to fetch.
    pub bytes: u64,
    /// Short name of its licence.
    pub licence: &'static str,
    /// What the person has to install besides; empty where that is nothing.
    pub needs: &'static str,
}

/// What a known runtime is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeKind {
    /// NVIDIA's cards.
    Cuda,
    /// Intel's processors and graphics.
    OpenVino,
    /// Every card under Windows.
    DirectMl,
}

impl KnownRuntime {
    /// Those for the machine that this runs on.
    pub fn for_this_machine() -> Vec<Self> {
        let here = (std::env::consts::OS, std::env::consts::ARCH);
        KNOWN.into_iter().filter(|known| known.system == here).collect()
    }
}

/// The address of a file of PyPI.
macro_rules! at_pypi {
    ($path:literal) => {
        concat!("https://files.pythonhosted.org/packages/", $path)
    };
}

const NVIDIA: &str = "an NVIDIA driver, CUDA 13 and cuDNN 9; TensorRT 10 for tensorrt";
const CUDA: KnownRuntime = KnownRuntime {
    name: "cuda",
    kind: RuntimeKind::Cuda,
    computes_on: "cuda, tensorrt",
    package: "onnxruntime-gpu",
    version: "1.31.1",
    system: ("linux", "x86_64"),
    address: at_pypi!(
        "22/97/9531b4d9e566cf2a0f04b4b5c26a3bc0ef2e2e0b6bc943a02c0eead98cf7/onnxruntime_gpu-1.31.1-cp312-cp312-manylinux_2_28_x86_64.whl"
    ),
    sha256: "05d548956197b9d01f59b625de740e0d6be3593f874e241a12dc0362650ecdf7",
    bytes: 255_569_273,
    licence: "MIT",
    needs: NVIDIA,
};

/// Fetched on 2026-11-23 from PyPI; a version is exchanged together with its checksum.
const KNOWN: [KnownRuntime; 4] = [
    CUDA,
    KnownRuntime {
        system: ("windows", "x86_64"),
        address: at_pypi!(
            "05/ec/fe99397c6d6582fe26502b608f132a1c7748381fa72523c8b7a0686b9b14/onnxruntime_gpu-1.31.1-cp312-cp312-win_amd64.whl"
        ),
        sha256: "2bb1e9373baba88f6415257f5b6a589d23e23c16004f7d89adf4344eada5749e",
        bytes: 168_098_228,
        ..CUDA
    },
    KnownRuntime {
        name: "openvino",
        kind: RuntimeKind::OpenVino,
        computes_on: "openvino",
        package: "onnxruntime-openvino",
        version: "1.24.1",
        system: ("linux", "x86_64"),
        address: at_pypi!(
            "50/cf/17ba72de2df0fcba349937d2788f154397bbc2d1a2d67772a97e26f6bc5f/onnxruntime_openvino-1.24.1-cp312-cp312-manylinux_2_28_x86_64.whl"
        ),
        sha256: "d617fac2f59a6ab5ea59a788c3e1592240a129642519aaeaa774761dfe35150e",
        bytes: 84_433_207,
        licence: "MIT, OpenVINO Apache-2.0",
        needs: "",
    },
    KnownRuntime {
        name: "directml",
        kind: RuntimeKind::DirectMl,
        computes_on: "directml",
        package: "onnxruntime-directml",
        version: "1.24.4",
        system: ("windows", "x86_64"),
        address: at_pypi!(
            "88/ea/33814eb0ec96775eda4c1d30b0d86e91d7d2cd0d84c66d3915aef0e06fa3/onnxruntime_directml-1.24.4-cp312-cp312-win_amd64.whl"
        ),
        sha256: "f2ecb68b7b7b259d2ef3112ae760149f9b5a1e7c0fbb73d539da6250a648a614",
        bytes: 25_111_930,
        licence: "MIT, DirectML Microsoft's own",
        needs: "",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runtime_is_pinned() {
        for known in KNOWN {
            let is_hex = |text: &str, digits: usize| {
                text.len() == digits && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            };
            assert!(is_hex(known.sha256, 64), "{}", known.name);
            let path = known.address.strip_prefix("https://files.pythonhosted.org/packages/").unwrap();
            let parts: Vec<&str> = path.split('/').collect();
            assert_eq!(parts.len(), 4, "{path}");
            assert!(is_hex(parts[0], 2) && is_hex(parts[1], 2) && is_hex(parts[2], 60), "{path}");
            let package = format!("{}-{}-", known.package.replace('-', "_"), known.version);
            assert!(parts[3].starts_with(&package) && parts[3].ends_with(".whl"), "{path}");
            assert!(known.bytes > 1 << 20 && !known.licence.is_empty());
        }
    }
}
