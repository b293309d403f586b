//! Files of what was measured on this machine, in the folder `cache` of the data folder. Whoever deletes one has it
//! measured again.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// What a measurement holds for: on another processor, as after a disk was moved or copied to another machine, with other
/// instructions or another number of cores, and by another version of this program it has to be taken again.
pub(super) fn basis(processor: &str, instructions: &str, cores: usize) -> String {
    format!("{processor} with {instructions}, {cores} cores, Honinbo {}", env!("CARGO_PKG_VERSION"))
}

/// A file of JSON. One that cannot be read or believed is as good as none.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredFile(PathBuf);

impl MeasuredFile {
    pub(crate) fn new(data_dir: &Path, name: &str) -> Self {
        Self(data_dir.join("cache").join(name))
    }

    #[cfg(test)]
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> T {
        std::fs::read(&self.0).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Reads, changes and writes it; where it cannot be written, that is logged and it is measured again next time.
    pub(crate) fn change<T: Serialize + DeserializeOwned + Default>(&self, change: impl FnOnce(&mut T)) {
        let mut measured = self.read();
        change(&mut measured);
        if let Err(error) = self.write(&measured) {
            tracing::warn!(%error, file = %self.0.display(), "what was measured is not kept, and will be measured again");
        }
    }

    fn write(&self, measured: &impl Serialize) -> std::io::Result<()> {
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder)?;
        }
        crate::disk::replace(&self.0, &serde_json::to_vec_pretty(measured)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_holds_for_the_processor_that_it_was_taken_on() {
        let taken = basis("Ryzen 5", "AVX2", 8);
        assert!(taken.contains(env!("CARGO_PKG_VERSION")), "{taken}");
        for other in [basis("Ryzen 7", "AVX2", 8), basis("Ryzen 5", "AVX-512", 8), basis("Ryzen 5", "AVX2", 4)] {
            assert_ne!(other, taken);
        }
    }
}
