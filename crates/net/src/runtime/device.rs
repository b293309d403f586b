//! What computes, and how many numbers at once.

use std::str::FromStr;

use ort::ep;
use ort::session::builder::SessionBuilder;
use serde::{Deserialize, Serialize};

use super::library::Runtime;
use super::session::SessionPlan;
use crate::onnx::{Operators, Precision};

/// A kind of device, as ONNX Runtime's execution providers offer them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    /// The processor. Always there.
    #[default]
    Cpu,
    /// NVIDIA graphics card.
    Cuda,
    /// NVIDIA graphics card, with networks compiled for it.
    TensorRt,
    /// Any graphics card under Windows.
    DirectMl,
    /// Apple's graphics and neural processors.
    CoreMl,
    /// Intel's processors and graphics cards.
    OpenVino,
    /// Any graphics card with WebGPU drivers.
    WebGpu,
}

impl Device {
    /// All kinds, the fastest first: the order in which an automatic choice tries them.
    pub const ALL: [Device; 7] = [
        Device::TensorRt,
        Device::Cuda,
        Device::DirectMl,
        Device::CoreMl,
        Device::WebGpu,
        Device::OpenVino,
        Device::Cpu,
    ];

    /// The name used on the command line and in replies.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Cuda => "cuda",
            Self::TensorRt => "tensorrt",
            Self::DirectMl => "directml",
            Self::CoreMl => "coreml",
            Self::OpenVino => "openvino",
            Self::WebGpu => "webgpu",
        }
    }

    /// Whether the library at hand was built with this device in mind; the device itself may still be missing.
    pub(super) fn is_in_library(self) -> bool {
        use ep::ExecutionProvider;
        let known = match self {
            Self::Cpu => return true,
            Self::Cuda => ep::CUDA::is_available(),
            Self::TensorRt => ep::TensorRT::is_available(),
            Self::DirectMl => ep::DirectML::is_available(),
            Self::CoreMl => ep::CoreML::is_available(),
            Self::OpenVino => ep::OpenVINO::is_available(),
            Self::WebGpu => ep::WebGPU::is_available(),
        };
        known.unwrap_or(false)
    }

    /// What graphs for it are made of: the providers that are known to have ONNX Runtime's own operators get them.
    pub(crate) fn operators(self) -> Operators {
        match self {
            Self::WebGpu | Self::Cuda => Operators::Fused,
            _ => Operators::Standard,
        }
    }

    /// The name that a provider in a library of its own has.
    pub(super) fn provider_name(self) -> Option<&'static str> {
        match self {
            Self::WebGpu => Some("WebGpuExecutionProvider"),
            _ => None,
        }
    }

    /// Asks for this device when a session is built by that plan, and fails where it is not there.
    pub(super) fn register(
        self,
        mut builder: SessionBuilder,
        runtime: &Runtime,
        plan: &SessionPlan,
    ) -> ort::Result<SessionBuilder> {
        if let Some(device) = runtime.plugin_device(self) {
            return Ok(builder.with_devices([device], None)?);
        }
        let provider = match self {
            Self::Cpu => return Ok(builder),
            Self::WebGpu if !self.is_in_library() => return Err(ort::Error::new(runtime.why_not(self))),
            Self::Cuda => cuda(plan.graph.precision).build(),
            // What it does not know is CUDA's before it is the processor's.
            Self::TensorRt => {
                ep::TensorRT::default()
                    .with_fp16(plan.graph.precision == Precision::Fp16)
                    .build()
                    .register(&mut builder)?;
                cuda(plan.graph.precision).build()
            }
            Self::DirectMl => ep::DirectML::default().build(),
            Self::CoreMl => ep::CoreML::default().build(),
            // By itself it takes eight threads for every session, whatever the machine has.
            Self::OpenVino => {
                ep::OpenVINO::default().with_device_type("CPU").with_num_threads(plan.threads.max(1)).build()
            }
            Self::WebGpu => ep::WebGPU::default().build(),
        };
        provider.register(&mut builder)?;
        Ok(builder)
    }
}

/// 32 bits are 32 bits: by itself CUDA rounds products to 10 bits of the mantissa, and recordings were off by 5e-4 in a
/// probability instead of 1e-6. With 16 bits channels come first for each point, as the card's units multiply them: twice
/// as many evaluations a second. Programs for convolutions are chosen by rules: to measure all of them takes up to half a
/// second for every new size of batch (docs/experiments/devices.md).
fn cuda(precision: Precision) -> ep::CUDA {
    let is_half = precision == Precision::Fp16;
    ep::CUDA::default()
        .with_tf32(is_half)
        .with_prefer_nhwc(is_half)
        .with_conv_algorithm_search(ep::cuda::ConvAlgorithmSearch::Heuristic)
}

impl std::fmt::Display for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A device name nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown device {0:?}; known are cpu, cuda, tensorrt, directml, coreml, openvino, webgpu")]
pub struct UnknownDevice(String);

impl FromStr for Device {
    type Err = UnknownDevice;

    fn from_str(name: &str) -> Result<Self, UnknownDevice> {
        let wanted = name.trim().to_ascii_lowercase();
        Self::ALL.into_iter().find(|device| device.name() == wanted).ok_or_else(|| UnknownDevice(name.into()))
    }
}
