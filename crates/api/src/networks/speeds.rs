//! How fast networks are on this machine.

use crate::analysis::engine::MeasuredFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// More than any machine reaches; a file that says more is not believed.
const MAX_SPEED: f64 = 1e6;
/// Fewer evaluations a second make a game's graph a matter of many minutes: a quicker network is proposed.
const TOO_SLOW: f64 = 8.0;
/// With so many a search of 200 visits takes five seconds: a stronger network is proposed where it still reaches that.
const PLENTY: f64 = 40.0;

/// Measured evaluations a second by network file, in `cache/speeds.json` of the data folder. Whoever deletes it has them
/// measured again.
#[derive(Debug, Clone)]
pub(crate) struct Speeds(MeasuredFile);

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remembered {
    /// What computed them and how; another device or driver, another precision or number of threads has other speeds.
    #[serde(default)]
    device: String,
    #[serde(default)]
    evaluations_per_second: BTreeMap<String, f64>,
}

impl Speeds {
    pub(crate) fn in_folder(data_dir: &Path) -> Self {
        Self(MeasuredFile::new(data_dir, "speeds.json"))
    }

    /// The measured ones that can be believed.
    pub(crate) fn get(&self) -> BTreeMap<String, f64> {
        let mut speeds = self.0.read::<Remembered>().evaluations_per_second;
        speeds.retain(|_, speed| *speed > 0.0 && *speed < MAX_SPEED);
        speeds
    }

    /// Keeps a speed; those of another device are forgotten.
    pub(crate) fn keep(&self, file: &str, device: &str, speed: f64) {
        self.0.change(|remembered: &mut Remembered| {
            if remembered.device != device {
                *remembered = Remembered { device: device.to_owned(), ..Remembered::default() };
            }
            remembered.evaluations_per_second.insert(file.to_owned(), speed);
        });
    }
}

/// A network that may be proposed, with what one of its positions costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate<'a> {
    pub(crate) file: &'a str,
    pub(crate) billion_multiply_adds: f64,
    pub(crate) is_quick: bool,
}

/// Evaluations a second that a network of this cost should reach, from one that was measured: the work of one position
/// goes with its multiply-adds.
pub(crate) fn estimate(measured: f64, measured_cost: f64, cost: f64) -> f64 {
    if measured > 0.0 && measured_cost > 0.0 && cost > 0.0 { measured * measured_cost / cost } else { 0.0 }
}

/// The network that suits this machine better than the one in use, of those that analyse on the usual boards: the
/// strongest, which is the one that costs most, as long as it still answers quickly; a quick one where the one in use is
/// slow. `speed` says what each reaches; 0 where nothing was measured yet, and then nothing is proposed.
pub(crate) fn proposal<'a>(candidates: &[Candidate<'a>], in_use: &str, speed: impl Fn(&str) -> f64) -> Option<&'a str> {
    let now = candidates.iter().find(|one| one.file == in_use)?;
    let speed_now = speed(in_use);
    if speed_now <= 0.0 {
        return None;
    }
    let by_cost = |one: &&Candidate<'_>, other: &&Candidate<'_>| {
        one.billion_multiply_adds.total_cmp(&other.billion_multiply_adds)
    };
    let stronger = candidates
        .iter()
        .filter(|one| one.billion_multiply_adds > now.billion_multiply_adds && speed(one.file) >= PLENTY)
        .max_by(by_cost);
    let quicker = candidates
        .iter()
        .filter(|one| speed_now < TOO_SLOW && one.is_quick && one.billion_multiply_adds < now.billion_multiply_adds)
        .max_by(by_cost);
    stronger.or(quicker).map(|one| one.file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANDIDATES: [Candidate<'static>; 5] = [
        Candidate { file: "usual", billion_multiply_adds: 4.78, is_quick: false },
        Candidate { file: "b6", billion_multiply_adds: 0.36, is_quick: true },
        Candidate { file: "b10", billion_multiply_adds: 1.1, is_quick: true },
        Candidate { file: "b18", billion_multiply_adds: 9.43, is_quick: false },
        Candidate { file: "b40", billion_multiply_adds: 83.7, is_quick: false },
    ];

    fn proposed(in_use: &str, measured: f64) -> Option<&'static str> {
        let cost = |file: &str| CANDIDATES.iter().find(|one| one.file == file).unwrap().billion_multiply_adds;
        proposal(&CANDIDATES, in_use, |file| estimate(measured, cost(in_use), cost(file)))
    }

    #[test]
    fn the_strongest_that_is_still_quick_here_is_proposed() {
        assert_eq!(proposed("usual", 0.0), None, "nothing was measured");
        assert_eq!(proposed("usual", 20.0), None, "it suits the machine");
        assert_eq!(proposed("usual", 3.0), Some("b10"), "a slow processor");
        assert_eq!(proposed("usual", 90.0), Some("b18"));
        assert_eq!(proposed("usual", 900.0), Some("b40"), "a fast graphics card");
        assert_eq!(proposed("b18", 60.0), None);
        assert_eq!(proposed("b40", 2.0), Some("b10"));
        assert_eq!(proposed("somebody's own", 20.0), None);
    }

    #[test]
    fn measured_speeds_are_kept_and_nonsense_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let speeds = Speeds::in_folder(folder.path());
        assert!(speeds.get().is_empty());
        speeds.keep("a", "cpu", 20.0);
        speeds.keep("b", "cpu", 0.0);
        speeds.keep("c", "cpu", 1e9);
        assert_eq!(speeds.get(), BTreeMap::from([("a".to_owned(), 20.0)]));
        speeds.keep("b", "webgpu", 300.0);
        assert_eq!(speeds.get(), BTreeMap::from([("b".to_owned(), 300.0)]), "another device has other speeds");
        speeds.keep("b", "webgpu, 8 threads", 200.0);
        speeds.keep("c", "webgpu, 4 threads", 100.0);
        assert_eq!(speeds.get(), BTreeMap::from([("c".to_owned(), 100.0)]), "and so have other threads");
        std::fs::write(folder.path().join("cache/speeds.json"), "[").unwrap();
        assert!(speeds.get().is_empty());
    }
}
