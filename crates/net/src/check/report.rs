//! What a check found.

use std::fmt;

use serde::Serialize;

/// The result of a check of all networks.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// Networks that were there.
    pub networks: Vec<NetworkCheck>,
    /// Recordings that could not be used.
    pub skipped: Vec<Skipped>,
}

/// A recording without a network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// The network that would be needed.
    pub name: String,
    /// Why it was left out.
    pub reason: String,
}

/// The result for one network.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkCheck {
    /// Name of the recording.
    pub name: String,
    /// Positions compared.
    pub positions: usize,
    /// Every output of the network.
    pub outputs: Vec<OutputCheck>,
    /// Positions whose legal moves differ.
    pub illegal: Vec<String>,
    /// Why it could not be run at all.
    pub failure: Option<String>,
}

/// The result for one output of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputCheck {
    /// Name of the output.
    pub output: &'static str,
    /// Largest difference from the recording.
    pub largest: f64,
    /// Difference allowed.
    pub tolerance: f64,
    /// Difference allowed besides, as a share of the value.
    pub relative_tolerance: f64,
    /// The largest difference in proportion to what is allowed at that place.
    pub share_of_tolerance: f64,
    /// How many numbers differ by more.
    pub beyond: usize,
    /// Where the difference is largest in proportion to what is allowed.
    pub worst: Option<String>,
}

impl NetworkCheck {
    pub(super) fn broken(name: String, reason: String) -> Self {
        Self { name, positions: 0, outputs: Vec::new(), illegal: Vec::new(), failure: Some(reason) }
    }

    /// Whether everything is within its tolerance.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failure.is_none() && self.illegal.is_empty() && self.outputs.iter().all(|output| output.beyond == 0)
    }
}

impl CheckReport {
    /// Whether every network that was there passed. True also when none was there: look at [`CheckReport::networks`].
    #[must_use]
    pub fn passed(&self) -> bool {
        self.networks.iter().all(NetworkCheck::passed)
    }

    /// Positions compared in all.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.networks.iter().map(|network| network.positions).sum()
    }
}

impl fmt::Display for NetworkCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed() { "ok" } else { "OUT OF TOLERANCE" };
        writeln!(f, "{}: {} positions, {verdict}", self.name, self.positions)?;
        if let Some(failure) = &self.failure {
            writeln!(f, "  could not be run: {failure}")?;
        }
        for output in &self.outputs {
            let OutputCheck { output: name, largest, tolerance, beyond, .. } = output;
            write!(f, "  {name:<22} largest error {largest:>9.2e}, tolerance {tolerance:.0e}")?;
            if output.relative_tolerance > 0.0 {
                write!(f, " + {:.0e} of its size", output.relative_tolerance)?;
            }
            if *beyond > 0 {
                let worst = output.worst.as_deref().unwrap_or("?");
                write!(f, "  <- {beyond} beyond, worst at {worst}")?;
            }
            writeln!(f)?;
        }
        for place in &self.illegal {
            writeln!(f, "  legal moves differ at {place}")?;
        }
        Ok(())
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for network in &self.networks {
            write!(f, "{network}")?;
        }
        for skipped in &self.skipped {
            writeln!(f, "{}: skipped, {}", skipped.name, skipped.reason)?;
        }
        let failed = self.networks.iter().filter(|network| !network.passed()).count();
        let networks = self.networks.len();
        write!(
            f,
            "{networks} recordings checked, {} positions, {failed} out of tolerance, {} skipped",
            self.positions(),
            self.skipped.len()
        )
    }
}
