//! What computes, as it is at this moment, in the words of answers and of notes.

use honinbo_net::{Device, DeviceInfo, DeviceLoss, DeviceLossKind, NodeCounts};
use honinbo_remote::FallbackToLocal;
use std::sync::Arc;

/// What computes, as it is at this moment; a processor by default.
#[derive(Debug, Clone)]
pub(crate) struct Computing {
    device: Device,
    name: String,
    /// Of the device and its driver; empty where that is not known.
    fingerprint: String,
    nodes: Option<NodeCounts>,
    loss: Option<Arc<DeviceLoss>>,
    /// Sentences about devices that were refused before this one.
    refusals: Vec<String>,
    /// The servers that compute in its place as long as one of them answers.
    servers: Option<Arc<FallbackToLocal>>,
    /// Whoever asks runs none of it: no reasons, which may name servers and files.
    discreet: bool,
}

/// What computes where that is a server.
const INFERENCE: &str = "inference";

impl Default for Computing {
    fn default() -> Self {
        Self {
            device: Device::Cpu,
            name: String::new(),
            fingerprint: String::new(),
            nodes: None,
            loss: None,
            refusals: Vec::new(),
            servers: None,
            discreet: false,
        }
    }
}

impl Computing {
    pub(super) fn new(info: &DeviceInfo, nodes: Option<NodeCounts>, loss: Option<Arc<DeviceLoss>>) -> Self {
        let (name, fingerprint) = (info.name.clone(), info.fingerprint.clone());
        Self { device: info.device, name, fingerprint, nodes, loss, ..Self::default() }
    }

    /// The same for somebody who shares it.
    pub(crate) fn shared(&self) -> Self {
        Self { discreet: true, ..self.clone() }
    }

    /// The same device, in whose place servers compute.
    pub(super) fn behind(self, servers: Arc<FallbackToLocal>) -> Self {
        Self { servers: Some(servers), ..self }
    }

    /// Whether a server computes.
    fn is_elsewhere(&self) -> bool {
        self.servers.as_ref().is_some_and(|servers| servers.remote().is_answering())
    }

    pub(super) fn after(self, refusals: Vec<String>) -> Self {
        Self { refusals, ..self }
    }

    fn lost(&self) -> Option<DeviceLossKind> {
        self.loss.as_ref()?.kind()
    }

    /// The device here that computes; the processor from the moment on at which another was lost, and none while servers
    /// do.
    pub(crate) fn device(&self) -> Option<Device> {
        (!self.is_elsewhere()).then(|| self.device_here())
    }

    fn device_here(&self) -> Device {
        if self.lost().is_some() { Device::Cpu } else { self.device }
    }

    /// What kind of thing computes, such as `webgpu` or `inference`.
    pub(crate) fn kind(&self) -> String {
        self.device().map_or_else(|| INFERENCE.to_owned(), |device| device.to_string())
    }

    /// What computes, told apart from others of its kind and from the same one with another driver.
    pub(super) fn identity(&self) -> String {
        let is_another = self.lost().is_some() || self.is_elsewhere();
        if is_another { self.kind() } else { format!("{} {}", self.kind(), self.fingerprint) }
    }

    /// The device for answers: its kind, with what it leaves to the processor.
    pub(crate) fn words(&self) -> String {
        if self.is_elsewhere() {
            // Without addresses: whoever is answered may be anybody.
            let (ready, all) = self.servers.as_ref().map_or((0, 0), |servers| servers.ready());
            return if ready == all { INFERENCE.to_owned() } else { format!("{INFERENCE} ({ready} of {all} servers)") };
        }
        match (self.device_here(), self.nodes) {
            (Device::Cpu, _) => Device::Cpu.to_string(),
            (device, Some(NodeCounts { device: own, processor })) if processor > 0 => {
                format!("{device} ({processor} of {} nodes on cpu)", own.saturating_add(processor))
            }
            (device, _) => device.to_string(),
        }
    }

    /// As the system names it; empty where that is not known.
    pub(crate) fn name(&self) -> &str {
        if self.lost().is_some() || self.is_elsewhere() { "" } else { &self.name }
    }

    /// What a person should know about it; empty when all is as it should be.
    pub(crate) fn note(&self) -> String {
        if self.discreet {
            return String::new();
        }
        let lost = self.lost().map(|kind| loss_note(self.device, kind));
        let servers = self.servers.as_ref().map(|servers| servers.note()).filter(|note| !note.is_empty());
        self.refusals.iter().cloned().chain(lost).chain(servers).collect::<Vec<_>>().join("; ")
    }
}

/// The sentence about a device that was given up; what it said itself is in the log.
fn loss_note(device: Device, kind: DeviceLossKind) -> String {
    let device = match device {
        Device::OpenVino => "OpenVINO",
        Device::CoreMl => "Core ML",
        _ => "the graphics card",
    };
    let what = match kind {
        DeviceLossKind::Lost => "was lost",
        DeviceLossKind::OutOfMemory => "has no memory left",
        DeviceLossKind::NotFinite => "gave answers that are no numbers",
    };
    format!("{device} {what}; the processor goes on")
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluator, StopFlag};
    use honinbo_net::FallbackEvaluator;
    use honinbo_rules::{Game, Preset, Setup};
    use honinbo_testkit::{FailingEvaluator, UniformEvaluator};

    fn info(device: Device) -> DeviceInfo {
        DeviceInfo { device, name: format!("a {device}"), is_software: false, fingerprint: "f1".into() }
    }

    #[test]
    fn whoever_shares_an_engine_hears_what_computes_and_no_reasons() {
        let own = Computing::new(&info(Device::WebGpu), Some(NodeCounts { device: 90, processor: 10 }), None)
            .after(vec!["/opt/cuda is not used: it is broken".into()]);
        let shared = own.shared();
        assert_eq!((shared.words(), shared.name()), (own.words(), "a webgpu"));
        assert_eq!(shared.words(), "webgpu (10 of 100 nodes on cpu)");
        assert_eq!((own.note().as_str(), shared.note().as_str()), ("/opt/cuda is not used: it is broken", ""));
    }

    #[test]
    fn a_device_that_was_given_up_is_told_of_without_the_librarys_own_words() {
        let path = "/onnxruntime_src/onnxruntime/core/providers/webgpu/buffer_manager.cc:641 void onnxruntime::webgpu";
        let failure = EvalError::Device { device: "webgpu".into(), reason: format!("{path}: the device is lost") };
        let card = Arc::new(FailingEvaluator::after(0, failure));
        let fallback = FallbackEvaluator::new(card, || Ok(Arc::new(UniformEvaluator::default())));
        let computing = Computing::new(&info(Device::WebGpu), None, Some(fallback.loss()));
        assert_eq!(computing.note(), "");
        let game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
        fallback.evaluate(&[EvalRequest { game: &game, params: EvalParams::default() }], &StopFlag::new()).unwrap();
        assert_eq!(
            (computing.note().as_str(), computing.words().as_str()),
            ("the graphics card was lost; the processor goes on", "cpu")
        );
        assert_eq!(
            loss_note(Device::OpenVino, DeviceLossKind::OutOfMemory),
            "OpenVINO has no memory left; the processor goes on"
        );
        assert!(loss_note(Device::CoreMl, DeviceLossKind::Lost).starts_with("Core ML was lost"), "it is no card alone");
    }

    #[test]
    fn the_device_in_answers_is_what_computes() {
        let nodes = |device, processor| Some(NodeCounts { device, processor });
        let words = |nodes| Computing::new(&info(Device::WebGpu), nodes, None).words();
        assert_eq!(words(None), "webgpu");
        assert_eq!(words(nodes(300, 0)), "webgpu");
        assert_eq!(words(nodes(300, 12)), "webgpu (12 of 312 nodes on cpu)");
        assert_eq!(Computing::default().words(), "cpu");
    }
}
