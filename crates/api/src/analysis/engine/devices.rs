//! Which device computes: what is known of each, and the fastest that answers rightly.

use super::measured::MeasuredFile;
use crate::DeviceView;
use honinbo_net::onnx::{GRAPH_VERSION, Operators, Precision};
use honinbo_net::{Device, DeviceCheck, DeviceDifferences, DeviceInfo, EvaluatorOptions, NodeCounts};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A check that so often began and never ended ended the program: its driver is left alone for a while.
const MAX_BROKEN_OFF: u32 = 2;
/// Seconds until such a driver is tried once more, twice as long each time: it may have been somebody without patience who
/// ended the program.
const TRIED_AGAIN_AFTER_S: u64 = 24 * 3600;
/// No longer than about a month.
const MAX_DOUBLINGS: u32 = 5;

/// How much faster fewer bits must be.
const WORTH_FEWER_BITS: f64 = 1.15;

/// What a check of a device with a network found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct KnownDevice {
    pub(super) device: Device,
    /// As the system names it.
    pub(super) name: String,
    /// Why it is not used, as a part of a sentence.
    pub(super) refused: Option<String>,
    /// How it stores numbers.
    #[serde(default)]
    pub(super) precision: Precision,
    /// What its graphs are made of; nothing where that is as usual.
    #[serde(default)]
    pub(super) operators: Option<Operators>,
    pub(super) differences: DeviceDifferences,
    pub(super) evaluations_per_second: f64,
    /// The processor's, measured at the same time.
    pub(super) processor_per_second: f64,
    pub(super) nodes: Option<NodeCounts>,
}

impl KnownDevice {
    pub(super) fn of(
        info: &DeviceInfo,
        (precision, operators): (Precision, Option<Operators>),
        check: DeviceCheck,
        nodes: Option<NodeCounts>,
    ) -> Self {
        Self {
            precision,
            operators,
            differences: check.differences,
            evaluations_per_second: check.evaluations_per_second,
            processor_per_second: check.processor_per_second,
            nodes,
            ..Self::refused(info, check.refused)
        }
    }

    /// A device of which nothing was measured.
    pub(super) fn refused(info: &DeviceInfo, refused: Option<String>) -> Self {
        Self {
            device: info.device,
            name: info.name.clone(),
            refused,
            precision: Precision::Fp32,
            operators: None,
            differences: DeviceDifferences::default(),
            evaluations_per_second: 0.0,
            processor_per_second: 0.0,
            nodes: None,
        }
    }

    /// This, or what was found with fewer bits where that answers rightly and is clearly faster.
    fn or_with_fewer_bits(self, fewer: Self) -> Self {
        let is_faster = fewer.evaluations_per_second > self.evaluations_per_second * WORTH_FEWER_BITS;
        let is_better = fewer.refused.is_none() && is_faster;
        if is_better { fewer } else { self }
    }

    /// Whether it is so slow that fewer bits cannot make it the fastest.
    fn is_hopeless(&self) -> bool {
        self.evaluations_per_second < self.processor_per_second / 4.0
    }

    /// Whether it answers rightly and gains nothing.
    fn is_slower(&self) -> bool {
        self.refused.is_none() && self.evaluations_per_second <= self.processor_per_second
    }

    /// The sentence about a device that is not to be used.
    pub(super) fn refusal(&self) -> Option<String> {
        self.refused.as_ref().map(|reason| format!("{} is not used: {reason}", self.name))
    }
}

/// What `check` finds of a card with the settings that suit it best: 32 bits, with standard operators where those that ONNX
/// Runtime adds are answered wrongly (a driver may know everything else), and 16 bits where they are allowed, right and
/// clearly faster.
///
/// # Errors
/// Those of `check`.
pub(super) fn best_settings<E>(
    options: &EvaluatorOptions,
    may_have_fewer_bits: bool,
    check: impl Fn(&EvaluatorOptions) -> Result<KnownDevice, E>,
) -> Result<KnownDevice, E> {
    let mut options = options.clone();
    let mut found = check(&options)?;
    if found.refused.is_some() {
        options.operators = Some(Operators::Standard);
        let standard = check(&options)?;
        if standard.refused.is_some() {
            return Ok(found);
        }
        found = standard;
    }
    if !may_have_fewer_bits || found.is_hopeless() {
        return Ok(found);
    }
    options.precision = Precision::Fp16;
    Ok(found.or_with_fewer_bits(check(&options)?))
}

/// The checks of this machine, in `cache/devices.json` of the data folder. Whoever deletes it has them made again.
#[derive(Debug, Clone)]
pub(super) struct DeviceMemory {
    file: MeasuredFile,
    /// Seconds since 1970.
    now_s: u64,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Remembered {
    #[serde(default)]
    checks: BTreeMap<String, KnownDevice>,
    /// Checks that began and did not end yet, or never will.
    #[serde(default)]
    broken_off: BTreeMap<String, BrokenOff>,
}

/// A check that began and did not end.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BrokenOff {
    times: u32,
    /// When it began last, in seconds since 1970.
    last_s: u64,
}

impl BrokenOff {
    fn is_left_alone(self, now_s: u64) -> bool {
        let Some(doublings) = self.times.checked_sub(MAX_BROKEN_OFF) else { return false };
        now_s.saturating_sub(self.last_s) < TRIED_AGAIN_AFTER_S << doublings.min(MAX_DOUBLINGS)
    }
}

/// Checks that this program is at, for whoever ends it meanwhile.
static UNDER_WAY: Mutex<Vec<(DeviceMemory, String)>> = Mutex::new(Vec::new());

/// To be called where a person ends the program at once: a check that is broken off by that is no fault of its device.
pub fn excuse_device_checks() {
    let under_way = std::mem::take(&mut *UNDER_WAY.lock());
    for (memory, key) in under_way {
        memory.excuse(&key);
    }
}

impl DeviceMemory {
    /// `now_s` is the time in seconds since 1970.
    pub(super) fn in_folder(data_dir: &Path, now_s: u64) -> Self {
        Self { file: MeasuredFile::new(data_dir, "devices.json"), now_s }
    }

    /// What is known of a device with a network, and the precision it may have, of this name. A file that cannot be read or
    /// believed is as good as none.
    pub(super) fn get(&self, info: &DeviceInfo, network: &str) -> Option<KnownDevice> {
        let known = self.file.read::<Remembered>().checks.remove(&key(info, network))?;
        let speeds = [known.evaluations_per_second, known.processor_per_second];
        speeds.iter().all(|speed| speed.is_finite() && *speed >= 0.0).then_some(known)
    }

    /// What is known, or is found by `check` now. A check during which the program ends, as some drivers make it, is
    /// tried once more, and then ever more seldom.
    pub(super) fn get_or_check<E>(
        &self,
        info: &DeviceInfo,
        network: &str,
        check: impl FnOnce() -> Result<KnownDevice, E>,
    ) -> Result<KnownDevice, E> {
        if let Some(known) = self.get(info, network) {
            return Ok(known);
        }
        let key = key(info, network);
        let before = self.file.read::<Remembered>().broken_off.get(&key).copied().unwrap_or_default();
        if before.is_left_alone(self.now_s) {
            let reason = format!("the program ended {} times while it was checked", before.times);
            return Ok(KnownDevice::refused(info, Some(reason)));
        }
        let begun = BrokenOff { times: before.times.saturating_add(1), last_s: self.now_s };
        self.file.change(|remembered: &mut Remembered| {
            remembered.broken_off.insert(key.clone(), begun);
        });
        UNDER_WAY.lock().push((self.clone(), key.clone()));
        let found = check();
        UNDER_WAY.lock().retain(|(_, under_way)| *under_way != key);
        self.file.change(|remembered: &mut Remembered| {
            remembered.broken_off.remove(&key);
            if let Ok(found) = &found {
                remembered.checks.insert(key.clone(), found.clone());
            }
        });
        found
    }

    /// A check that is under way was not broken off by its device.
    fn excuse(&self, key: &str) {
        self.file.change(|remembered: &mut Remembered| {
            if let Some(begun) = remembered.broken_off.get_mut(key) {
                begun.times = begun.times.saturating_sub(1);
            }
        });
    }

    /// Forgets all checks, so that they are made again.
    pub(super) fn forget(&self) {
        self.file.change(|remembered| *remembered = Remembered::default());
    }
}

/// The name of a network's checks. Other graphs are checked again, and so is a device that may have fewer bits now, or is
/// compared with a processor that computes otherwise or stands on another basis.
pub(super) fn check_key(
    network_sha256: &str,
    may_have_fewer_bits: bool,
    on_processor: Precision,
    basis: &str,
) -> String {
    let network = &network_sha256[..16.min(network_sha256.len())];
    let precision = if may_have_fewer_bits { "fast" } else { "exact" };
    format!("{network} graphs {GRAPH_VERSION} {precision}, processor {on_processor} on {basis}")
}

fn key(info: &DeviceInfo, network: &str) -> String {
    format!("{} {} {network}", info.device, info.fingerprint)
}

/// Devices that may be chosen without being asked for: no software that stands in for a card.
pub(super) fn candidates(devices: &[DeviceInfo]) -> impl Iterator<Item = &DeviceInfo> {
    devices.iter().filter(|info| info.device != Device::Cpu && !info.is_software)
}

/// The fastest of those that answer rightly, if it is faster than the processor.
pub(super) fn fastest(known: &[KnownDevice]) -> Option<&KnownDevice> {
    known
        .iter()
        .filter(|known| known.refused.is_none() && !known.is_slower())
        .max_by(|a, b| a.evaluations_per_second.total_cmp(&b.evaluations_per_second))
}

/// A device of which nothing was measured.
pub(super) fn bare_view(info: &DeviceInfo) -> DeviceView {
    DeviceView {
        device: info.device.to_string(),
        name: info.name.clone(),
        is_software: info.is_software,
        ..DeviceView::default()
    }
}

/// What is known of each device, the processor last; which computes now, and which was asked for by its name. A processor
/// that was not looked at by itself has the speed that the last check of another device compared with.
pub(super) fn views(
    devices: &[(DeviceInfo, Option<KnownDevice>)],
    in_use: Option<Device>,
    asked_for: &str,
) -> Vec<DeviceView> {
    let mut compared = devices.iter().rev().filter_map(|(_, known)| Some(known.as_ref()?.processor_per_second));
    let processor = compared.find(|speed| *speed > 0.0).unwrap_or_default();
    let view = |(info, known): &(DeviceInfo, Option<KnownDevice>)| {
        let unmeasured = if info.device == Device::Cpu { processor } else { 0.0 };
        let nodes = known.as_ref().and_then(|known| known.nodes).unwrap_or_default();
        let measured = known.as_ref().filter(|known| known.refused.is_none());
        // Software is left alone whatever its speed, which is said already.
        let may_be_chosen = info.device != Device::Cpu && !info.is_software;
        let is_used = in_use == Some(info.device) || asked_for == info.device.name();
        DeviceView {
            in_use: in_use == Some(info.device),
            evaluations_per_second: known.as_ref().map_or(unmeasured, |known| known.evaluations_per_second).into(),
            bits: measured.map_or(0, |known| known.precision.bits()),
            nodes_on_device: nodes.device,
            nodes_on_processor: nodes.processor,
            refused: known.as_ref().and_then(|known| known.refused.clone()).unwrap_or_default(),
            is_slower: may_be_chosen && !is_used && measured.is_some_and(KnownDevice::is_slower),
            ..bare_view(info)
        }
    };
    devices.iter().map(view).collect()
}

#[cfg(test)]
mod tests {
    use super::super::computing::Computing;
    use super::*;

    fn info(device: Device) -> DeviceInfo {
        DeviceInfo { device, name: format!("a {device}"), is_software: false, fingerprint: "f1".into() }
    }

    fn known(device: Device, speed: f64, processor: f64) -> KnownDevice {
        let refused = KnownDevice::refused(&info(device), None);
        KnownDevice { evaluations_per_second: speed, processor_per_second: processor, ..refused }
    }

    #[test]
    fn the_fastest_that_answers_rightly_is_taken_and_only_if_it_beats_the_processor() {
        let card = known(Device::WebGpu, 300.0, 25.0);
        let slow = known(Device::WebGpu, 3.0, 25.0);
        let wrong = KnownDevice { refused: Some("wrong".into()), ..known(Device::Cuda, 900.0, 25.0) };
        assert_eq!(fastest(&[slow.clone(), card.clone(), wrong.clone()]), Some(&card));
        assert_eq!(fastest(&[slow, wrong.clone()]), None);
        assert_eq!(wrong.refusal().unwrap(), "a cuda is not used: wrong");
    }

    #[test]
    fn a_check_holds_for_the_processor_that_it_compared_with() {
        let network = "5a".repeat(32);
        let key = |fewer, precision, basis| check_key(&network, fewer, precision, basis);
        let keys = [
            key(false, Precision::Int16, "Ryzen 5, 8 cores"),
            key(false, Precision::Fp32, "Ryzen 5, 8 cores"),
            key(false, Precision::Int16, "Ryzen 5, 1 cores"),
            key(false, Precision::Int16, "Ryzen 7, 8 cores"),
            key(true, Precision::Int16, "Ryzen 5, 8 cores"),
        ];
        let different: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len(), "{keys:?}");
    }

    /// What is chosen of a card that answers so with each kind of graph and precision: its speed, or nothing where it is
    /// wrong. Gives the operators, the precision, the refusal, and how often it was asked.
    fn chosen(
        fewer: bool,
        speed: impl Fn(Operators, Precision) -> Option<f64>,
    ) -> (Option<Operators>, Precision, Option<String>, u32) {
        let asked = std::cell::Cell::new(0);
        let check = |options: &EvaluatorOptions| {
            asked.set(asked.get() + 1);
            let speed = speed(options.operators.unwrap_or(Operators::Fused), options.precision);
            let refused = speed.is_none().then(|| format!("wrong with {}", options.precision));
            let found = known(Device::WebGpu, speed.unwrap_or(0.0), 25.0);
            let (precision, operators) = (options.precision, options.operators);
            Ok::<_, ()>(KnownDevice { refused, precision, operators, ..found })
        };
        let found = best_settings(&EvaluatorOptions::cpu(1), fewer, check).unwrap();
        (found.operators, found.precision, found.refused, asked.get())
    }

    #[test]
    fn a_card_gets_the_settings_with_which_it_is_right_and_fast() {
        let by_bits = |full, half| move |_, precision| Some(if precision == Precision::Fp16 { half } else { full });
        assert_eq!(chosen(false, by_bits(100.0, 300.0)), (None, Precision::Fp32, None, 1));
        assert_eq!(chosen(true, by_bits(100.0, 300.0)), (None, Precision::Fp16, None, 2));
        assert_eq!(chosen(true, by_bits(100.0, 110.0)), (None, Precision::Fp32, None, 2));
        assert_eq!(chosen(true, by_bits(6.0, 12.0)), (None, Precision::Fp32, None, 1), "the processor is far ahead");
        let no_half = |_, precision| (precision == Precision::Fp32).then_some(100.0);
        assert_eq!(chosen(true, no_half), (None, Precision::Fp32, None, 2));
        // A driver that computes attention wrongly.
        let standard = Some(Operators::Standard);
        let only_standard = |operators, _| (operators == Operators::Standard).then_some(100.0);
        assert_eq!(chosen(false, only_standard), (standard, Precision::Fp32, None, 2));
        let faster = |operators, precision| {
            only_standard(operators, precision).map(|full| if precision == Precision::Fp16 { 2.0 * full } else { full })
        };
        assert_eq!(chosen(true, faster), (standard, Precision::Fp16, None, 3));
        let wrong = |_, _| None;
        assert_eq!(chosen(true, wrong), (None, Precision::Fp32, Some("wrong with fp32".into()), 2));
    }

    #[test]
    fn a_card_with_another_driver_is_another_one() {
        let with = |fingerprint: &str| {
            let info = DeviceInfo { fingerprint: fingerprint.into(), ..info(Device::WebGpu) };
            Computing::new(&info, None, None).identity()
        };
        assert_eq!(with("f1"), with("f1"));
        assert_ne!(with("f1"), with("f2"));
    }

    #[test]
    fn a_processor_that_was_only_compared_with_has_that_speed_and_what_is_slower_says_so() {
        let [openvino, cpu] = [Device::OpenVino, Device::Cpu].map(info);
        let slow = known(Device::OpenVino, 44.6, 78.3);
        let seen = |slow: &KnownDevice, own: Option<KnownDevice>, in_use, asked_for: &str| {
            let devices = [(openvino.clone(), Some(slow.clone())), (cpu.clone(), own)];
            let views = views(&devices, in_use, asked_for);
            (views[0].is_slower, views[1].evaluations_per_second.get(), views[1].is_slower)
        };
        assert_eq!(seen(&slow, None, None, ""), (true, 78.3, false));
        let own = known(Device::Cpu, 80.0, 80.0);
        assert_eq!(seen(&slow, Some(own), None, ""), (true, 80.0, false), "its own check comes first");
        assert!(!seen(&slow, None, Some(Device::OpenVino), "").0, "it computes");
        assert!(!seen(&slow, None, None, "openvino").0, "it was asked for");
        assert!(!seen(&known(Device::OpenVino, 90.0, 78.3), None, None, "").0);
        let refused = KnownDevice::refused(&openvino, Some("wrong".into()));
        assert_eq!(seen(&refused, None, None, ""), (false, 0.0, false), "nothing was measured");
    }

    #[test]
    fn software_and_the_processor_are_no_candidates() {
        let software = DeviceInfo { is_software: true, ..info(Device::WebGpu) };
        let all = [info(Device::Cuda), software, info(Device::Cpu)];
        assert_eq!(candidates(&all).map(|info| info.device).collect::<Vec<_>>(), [Device::Cuda]);
    }

    #[test]
    fn a_check_is_made_once_for_a_driver_and_a_network() {
        let folder = tempfile::tempdir().unwrap();
        let memory = DeviceMemory::in_folder(folder.path(), NOW_S);
        let card = known(Device::WebGpu, 300.0, 25.0);
        let mut checks = 0;
        let mut ask = |info: &DeviceInfo, network: &str| {
            memory
                .get_or_check(info, network, || {
                    checks += 1;
                    Ok::<_, ()>(card.clone())
                })
                .unwrap()
        };
        let first = info(Device::WebGpu);
        assert_eq!((ask(&first, "net1"), ask(&first, "net1")), (card.clone(), card.clone()));
        ask(&first, "net2");
        ask(&DeviceInfo { fingerprint: "f2".into(), ..first.clone() }, "net1");
        assert_eq!(checks, 3);
        memory.forget();
        assert_eq!(memory.get(&first, "net1"), None);
        // A failure of something else is not remembered.
        assert_eq!(memory.get_or_check(&first, "net1", || Err("stopped")), Err("stopped"));
        assert_eq!(memory.get_or_check(&first, "net1", || Ok::<_, ()>(card.clone())), Ok(card));
    }

    const NOW_S: u64 = 1_790_000_000;

    /// The program ends while a card is checked, in whichever way.
    fn end_while_checking(memory: &DeviceMemory, card: &DeviceInfo, how: impl Fn()) {
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            memory.get_or_check(card, "net", || -> Result<KnownDevice, ()> {
                how();
                panic!("the program ends")
            })
        }));
        assert!(ended.is_err());
    }

    #[test]
    fn a_check_that_ends_the_program_is_tried_twice() {
        let folder = tempfile::tempdir().unwrap();
        let memory = DeviceMemory::in_folder(folder.path(), NOW_S);
        let card = info(Device::WebGpu);
        for _ in 0..2 {
            end_while_checking(&memory, &card, || ());
        }
        let refused = memory.get_or_check(&card, "net", || -> Result<_, ()> { unreachable!("not now") }).unwrap();
        assert_eq!(refused.refused.as_deref(), Some("the program ended 2 times while it was checked"));
        memory.forget();
        assert!(memory.get_or_check(&card, "net", || Ok::<_, ()>(known(Device::WebGpu, 1.0, 2.0))).is_ok());
    }

    #[test]
    fn a_card_that_ended_the_program_is_tried_again_ever_more_seldom() {
        let folder = tempfile::tempdir().unwrap();
        let card = info(Device::WebGpu);
        let days_later = |days: u64| DeviceMemory::in_folder(folder.path(), NOW_S + days * TRIED_AGAIN_AFTER_S);
        let is_tried = |days| {
            let found = days_later(days).get_or_check(&card, "net", || Err("tried"));
            found.is_err()
        };
        for days in [0, 0, 1] {
            end_while_checking(&days_later(days), &card, || ());
        }
        let refused =
            days_later(2).get_or_check(&card, "net", || -> Result<_, ()> { unreachable!("a day is too little") });
        assert!(refused.unwrap().refused.is_some());
        assert!(is_tried(3), "two days after the third time");
        assert!(is_tried(3), "it did not end the program");
    }

    #[test]
    fn a_check_that_a_person_breaks_off_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let memory = DeviceMemory::in_folder(folder.path(), NOW_S);
        let card = info(Device::WebGpu);
        for _ in 0..3 {
            end_while_checking(&memory, &card, || memory.excuse(&key(&card, "net")));
        }
        let found = memory.get_or_check(&card, "net", || Ok::<_, ()>(known(Device::WebGpu, 1.0, 2.0))).unwrap();
        assert_eq!(found.refused, None);
    }

    #[test]
    fn a_damaged_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let memory = DeviceMemory::in_folder(folder.path(), NOW_S);
        std::fs::create_dir(folder.path().join("cache")).unwrap();
        for text in ["", "{", "[]", r#"{"checks":{"webgpu f1 net":{"device":"toaster"}}}"#] {
            std::fs::write(folder.path().join("cache/devices.json"), text).unwrap();
            assert_eq!(memory.get(&info(Device::WebGpu), "net"), None);
        }
    }
}
