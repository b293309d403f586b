//! What was measured once for a network on a device, and is remembered.

use super::measured::MeasuredFile;
use honinbo_net::bench::{KernelChoice, Tuning};
use honinbo_net::onnx::{GRAPH_VERSION, Operators, Precision};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// More than any machine has; a file that says more is not believed.
const MAX_SESSIONS: usize = 256;
/// More than any graphics card gains from.
const MAX_BATCH: usize = 1024;
/// With so few cores there is nothing to choose: one session for each.
const TOO_FEW_TO_CHOOSE: usize = 2;

/// The measurements of this machine, in `cache/tuning.json` of the data folder. Whoever deletes it has them taken again.
#[derive(Debug, Clone)]
pub(super) struct Tunings(MeasuredFile);

#[derive(Debug, Default, Serialize, Deserialize)]
struct Remembered {
    #[serde(default)]
    tunings: BTreeMap<String, Tuning>,
    #[serde(default)]
    kernels: BTreeMap<String, KernelChoice>,
}

impl Tunings {
    pub(super) fn in_folder(data_dir: &Path) -> Self {
        Self(MeasuredFile::new(data_dir, "tuning.json"))
    }

    /// What was measured under this name. A file that cannot be read or believed is as good as none.
    pub(super) fn get(&self, key: &str) -> Option<Tuning> {
        let tuning = *self.0.read::<Remembered>().tunings.get(key)?;
        let is_possible = (1..=MAX_SESSIONS).contains(&tuning.sessions) && (1..=MAX_BATCH).contains(&tuning.batch);
        is_possible.then_some(tuning)
    }

    /// Which kernels were measured to be faster under this name.
    pub(super) fn kernels(&self, key: &str) -> Option<KernelChoice> {
        let choice = *self.0.read::<Remembered>().kernels.get(key)?;
        let is_possible = |speed: f64| speed.is_finite() && speed >= 0.0;
        (is_possible(choice.own_per_second) && is_possible(choice.library_per_second)).then_some(choice)
    }

    /// Remembers which kernels are faster.
    pub(super) fn keep_kernels(&self, key: &str, choice: KernelChoice) {
        self.0.change(|remembered: &mut Remembered| {
            remembered.kernels.insert(key.to_owned(), choice);
        });
    }

    /// Forgets the settings of every device, as if none had ever been measured.
    pub(super) fn forget(&self) {
        self.0.change(|remembered: &mut Remembered| remembered.tunings.clear());
    }

    /// Remembers a measurement beside the others.
    pub(super) fn keep(&self, key: &str, tuning: Tuning) {
        self.0.change(|remembered: &mut Remembered| {
            remembered.tunings.insert(key.to_owned(), tuning);
        });
    }
}

/// A network on a device of a machine: another basis is another machine, and other graphs or another precision want other
/// batches.
pub(super) fn key(
    network_sha256: &str,
    (precision, operators): (Precision, Option<Operators>),
    device: &str,
    basis: &str,
) -> String {
    let network = &network_sha256[..16.min(network_sha256.len())];
    let operators = match operators {
        None => "its operators",
        Some(Operators::Standard) => "standard operators",
        Some(Operators::Fused) => "fused operators",
    };
    format!("{network} in {precision}, {operators}, graphs {GRAPH_VERSION}, on {device}, {basis}")
}

/// A network's kernels on the processor: another precision, another library or another basis, which has the version of
/// these kernels, have to be measured again.
pub(super) fn key_of_kernels(network_sha256: &str, precision: &str, runtime: &str, basis: &str) -> String {
    let network = &network_sha256[..16.min(network_sha256.len())];
    format!("{network} in {precision}, ONNX Runtime {runtime}, on {basis}")
}

/// Whether there is anything to choose.
pub(super) fn is_worth_measuring(device_is_processor: bool, cores: usize) -> bool {
    !device_is_processor || cores > TOO_FEW_TO_CHOOSE
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
    use super::*;
    use honinbo_net::bench::Kernels;

    fn tuning(sessions: usize, batch: usize) -> Tuning {
        Tuning { sessions, batch, evaluations_per_second: 12.5 }
    }

    #[test]
    fn measurements_are_kept_side_by_side_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let tunings = Tunings::in_folder(folder.path());
        let keys = [
            key("b10", (Precision::Fp32, None), "cpu", "8 cores"),
            key("b10", (Precision::Fp32, None), "cuda", "8 cores"),
            key("b10", (Precision::Fp16, None), "cuda", "8 cores"),
            key("b10", (Precision::Fp32, Some(Operators::Standard)), "cuda", "8 cores"),
            key("b10", (Precision::Fp32, None), "cuda", "16 cores"),
        ];
        for (nth, key) in keys.iter().enumerate() {
            assert_eq!(tunings.get(key), None);
            tunings.keep(key, tuning(1, 1 + nth));
        }
        tunings.keep(&keys[0], tuning(8, 4));
        let again = Tunings::in_folder(folder.path());
        assert_eq!(keys.each_ref().map(|key| again.get(key).unwrap().batch), [4, 2, 3, 4, 5]);
        again.forget();
        assert_eq!(keys.each_ref().map(|key| again.get(key)), [None; 5]);
    }

    #[test]
    fn kernels_are_kept_beside_the_settings_and_nonsense_is_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let tunings = Tunings::in_folder(folder.path());
        let choice =
            |own_per_second| KernelChoice { kernels: Kernels::OnnxRuntime, own_per_second, library_per_second: 30.0 };
        let key_on = |precision, basis| key_of_kernels(&"5a".repeat(32), precision, "1.32.0", basis);
        let key = |precision| key_on(precision, "8 cores");
        assert_ne!(key("fp32"), key("int16"));
        assert_ne!(key("fp32"), key_on("fp32", "4 cores"));
        tunings.keep("a", tuning(4, 1));
        tunings.keep_kernels(&key("fp32"), choice(20.0));
        let again = Tunings::in_folder(folder.path());
        assert_eq!(again.kernels(&key("fp32")), Some(choice(20.0)));
        assert_eq!((again.kernels(&key("int16")), again.get("a")), (None, Some(tuning(4, 1))));
        tunings.keep_kernels(&key("fp32"), choice(-1.0));
        assert_eq!(again.kernels(&key("fp32")), None);
    }

    #[test]
    fn what_cannot_be_believed_is_measured_again() {
        let folder = tempfile::tempdir().unwrap();
        let tunings = Tunings::in_folder(folder.path());
        let key = key("b10", (Precision::Fp32, None), "cpu", "8 cores");
        for (sessions, batch) in [(0, 1), (1, 0), (100_000, 1), (1, 100_000)] {
            tunings.keep(&key, tuning(sessions, batch));
            assert_eq!(tunings.get(&key), None, "{sessions} sessions, batch {batch}");
        }
        for text in ["", "{", "[]", r#"{"tunings":7}"#] {
            std::fs::write(tunings.0.path(), text).unwrap();
            assert_eq!(tunings.get(&key), None, "{text}");
        }
        tunings.keep(&key, tuning(2, 2));
        assert_eq!(tunings.get(&key), Some(tuning(2, 2)));
    }

    #[test]
    fn a_folder_that_cannot_be_written_only_forgets() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cache"), "not a folder").unwrap();
        let tunings = Tunings::in_folder(folder.path());
        tunings.keep("key", tuning(1, 1));
        assert_eq!(tunings.get("key"), None);
    }
}
