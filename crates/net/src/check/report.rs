//! What a check found.

use std::fmt;

use serde::Serialize;

use crate::onnx::Precision;

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
    /// How numbers were stored.
    pub precision: Precision,
    /// What a player would notice of the differences.
    pub agreement: Agreement,
    /// What is allowed of that, with fewer than 32 bits; then the outputs' own tolerances count for nothing.
    pub limits: Option<AgreementLimits>,
    /// Every output of the network.
    pub outputs: Vec<OutputCheck>,
    /// Positions whose legal moves differ.
    pub illegal: Vec<String>,
    /// Why it could not be run at all.
    pub failure: Option<String>,
}

/// How far answers are from recorded ones where it matters for play, over all positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// Positions whose best move, the pass included, is the recorded one.
    pub same_best_move: usize,
    /// Kullback-Leibler divergence of the policy from the recorded one, in nats, on average.
    pub policy_divergence: f64,
    /// Difference of the winning probability, on average.
    pub win_error: f64,
    /// The largest one.
    pub largest_win_error: f64,
    /// Difference of the lead, in points, on average.
    pub lead_error: f64,
}

/// How far answers may be on average from those with 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgreementLimits {
    /// Nats.
    pub policy_divergence: f64,
    /// 0 to 1.
    pub win_error: f64,
}

impl AgreementLimits {
    /// `None` for 32 bits, where every number has its own tolerance. `docs/experiments/devices.md` has the measurements.
    #[must_use]
    pub fn of(precision: Precision) -> Option<Self> {
        match precision {
            Precision::Fp32 => None,
            Precision::Fp16 => Some(Self { policy_divergence: 1e-3, win_error: 1e-2 }),
            Precision::Bf16 | Precision::Int16 => Some(Self { policy_divergence: 1e-3, win_error: 5e-3 }),
            Precision::Int8 => Some(Self { policy_divergence: 0.1, win_error: 0.1 }),
        }
    }
}

impl Agreement {
    fn is_within(&self, limits: AgreementLimits) -> bool {
        // Not a number is beyond every limit.
        self.policy_divergence <= limits.policy_divergence && self.win_error <= limits.win_error
    }
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
    pub(super) fn broken(name: String, precision: Precision, reason: String) -> Self {
        let (agreement, limits) = (Agreement::default(), AgreementLimits::of(precision));
        let failure = Some(reason);
        Self { name, positions: 0, precision, agreement, limits, outputs: Vec::new(), illegal: Vec::new(), failure }
    }

    /// Whether everything is within its tolerance.
    #[must_use]
    pub fn passed(&self) -> bool {
        let close = match self.limits {
            Some(limits) => self.agreement.is_within(limits),
            None => self.outputs.iter().all(|output| output.beyond == 0),
        };
        self.failure.is_none() && self.illegal.is_empty() && close
    }
}

impl CheckReport {
    /// Whether something was checked and all of it passed.
    #[must_use]
    pub fn passed(&self) -> bool {
        !self.networks.is_empty() && self.networks.iter().all(NetworkCheck::passed)
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
        writeln!(f, "{}: {} positions, {}, {verdict}", self.name, self.positions, self.precision)?;
        if let Some(failure) = &self.failure {
            writeln!(f, "  could not be run: {failure}")?;
        }
        let Agreement { same_best_move, policy_divergence, win_error, largest_win_error, lead_error } = self.agreement;
        if self.failure.is_none() {
            write!(f, "  same best move {same_best_move}, policy divergence {policy_divergence:.1e}")?;
            write!(f, ", win probability off by {win_error:.1e} (at most {largest_win_error:.1e})")?;
            writeln!(f, ", lead by {lead_error:.1e}")?;
        }
        if let Some(limits) = self.limits {
            let AgreementLimits { policy_divergence, win_error } = limits;
            writeln!(f, "  allowed: policy divergence {policy_divergence:.0e}, win probability {win_error:.0e}")?;
        }
        for output in self.outputs.iter().filter(|_| self.limits.is_none()) {
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
