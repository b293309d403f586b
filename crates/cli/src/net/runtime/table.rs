//! Runtimes that are known: published ONNX Runtime libraries for kinds of devices that the program's own does not have.

/// A library that is fetched by its checksum.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownRuntime {
    /// What it is asked for by.
    pub(super) name: &'static str,
    /// What it computes on.
    pub(super) computes_on: &'static str,
    /// The package at PyPI that it comes from.
    pub(super) package: &'static str,
    pub(super) version: &'static str,
    /// The system and the processor that it is for, as Rust names them.
    pub(super) system: (&'static str, &'static str),
    /// The file below `https://files.pythonhosted.org/packages/`: its directory is its BLAKE2b checksum.
    pub(super) path: &'static str,
    pub(super) sha256: &'static str,
    /// Bytes to fetch.
    pub(super) bytes: u64,
    pub(super) licence: &'static str,
    /// What the person has to install besides.
    pub(super) needs: &'static str,
}

impl KnownRuntime {
    pub(super) fn address(&self) -> String {
        format!("https://files.pythonhosted.org/packages/{}", self.path)
    }

    pub(super) fn is_for_this_machine(&self) -> bool {
        self.system == (std::env::consts::OS, std::env::consts::ARCH)
    }
}

const NVIDIA: &str = "an NVIDIA driver, CUDA 13 and cuDNN 9; TensorRT 10 for tensorrt";
const CUDA: KnownRuntime = KnownRuntime {
    name: "cuda",
    computes_on: "cuda, tensorrt",
    package: "onnxruntime-gpu",
    version: "1.31.1",
    system: ("linux", "x86_64"),
    path: "22/97/9531b4d9e566cf2a0f04b4b5c26a3bc0ef2e2e0b6bc943a02c0eead98cf7/onnxruntime_gpu-1.31.1-cp312-cp312-manylinux_2_28_x86_64.whl",
    sha256: "05d548956197b9d01f59b625de740e0d6be3593f874e241a12dc0362650ecdf7",
    bytes: 255_569_273,
    licence: "MIT",
    needs: NVIDIA,
};

/// Fetched on 2026-11-23 from PyPI; a version is exchanged together with its checksum.
pub(super) const KNOWN: [KnownRuntime; 4] = [
    CUDA,
    KnownRuntime {
        system: ("windows", "x86_64"),
        path: "05/ec/fe99397c6d6582fe26502b608f132a1c7748381fa72523c8b7a0686b9b14/onnxruntime_gpu-1.31.1-cp312-cp312-win_amd64.whl",
        sha256: "2bb1e9373baba88f6415257f5b6a589d23e23c16004f7d89adf4344eada5749e",
        bytes: 168_098_228,
        ..CUDA
    },
    KnownRuntime {
        name: "openvino",
        computes_on: "openvino",
        package: "onnxruntime-openvino",
        version: "1.24.1",
        system: ("linux", "x86_64"),
        path: "50/cf/17ba72de2df0fcba349937d2788f154397bbc2d1a2d67772a97e26f6bc5f/onnxruntime_openvino-1.24.1-cp312-cp312-manylinux_2_28_x86_64.whl",
        sha256: "d617fac2f59a6ab5ea59a788c3e1592240a129642519aaeaa774761dfe35150e",
        bytes: 84_433_207,
        licence: "MIT, OpenVINO Apache-2.0",
        needs: "",
    },
    KnownRuntime {
        name: "directml",
        computes_on: "directml",
        package: "onnxruntime-directml",
        version: "1.24.4",
        system: ("windows", "x86_64"),
        path: "88/ea/33814eb0ec96775eda4c1d30b0d86e91d7d2cd0d84c66d3915aef0e06fa3/onnxruntime_directml-1.24.4-cp312-cp312-win_amd64.whl",
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
            let parts: Vec<&str> = known.path.split('/').collect();
            assert_eq!(parts.len(), 4, "{}", known.path);
            assert!(is_hex(parts[0], 2) && is_hex(parts[1], 2) && is_hex(parts[2], 60), "{}", known.path);
            let package = format!("{}-{}-", known.package.replace('-', "_"), known.version);
            assert!(parts[3].starts_with(&package) && parts[3].ends_with(".whl"), "{}", known.path);
            assert!(known.bytes > 1 << 20 && !known.licence.is_empty());
        }
    }
}
