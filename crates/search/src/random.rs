//! Reproducible random numbers: the same on every machine and in every version, so that a seed names one search.

use honinbo_rules::mix;

/// SplitMix64 (Steele, Lea, Flood 2014), which has independent sources for the threads of a search, with what a search
/// draws beside even numbers. Random play and samples have [`honinbo_rules::Random`].
#[derive(Debug, Clone)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// A generator whose sequence is fixed by the seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// An independent generator for the part of the work numbered `index`.
    pub(crate) fn fork(seed: u64, index: u64) -> Self {
        Self::new(mix(seed ^ mix(index.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// All 64 bits.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in 0 .. bound, by multiplication; the bias is below 2^-32 for the small bounds used here.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// Standard normal, by Box and Muller.
    pub(crate) fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.unit()).cos()
    }

    /// Gamma with shape `alpha` above zero and scale one (Marsaglia and Tsang 2000).
    pub(crate) fn gamma(&mut self, alpha: f64) -> f64 {
        if alpha < 1.0 {
            let boost = (1.0 - self.unit()).powf(1.0 / alpha.max(1e-12));
            return self.gamma(alpha + 1.0) * boost;
        }
        let d = alpha - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.gaussian();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 && (1.0 - self.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                return d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_is_fixed() {
        // Published test vector of SplitMix64 for the seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!([random.next_u64(), random.next_u64()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn gamma_has_its_mean() {
        let mut random = Random::new(7);
        for alpha in [0.03, 0.5, 3.0] {
            let mean = (0..20_000).map(|_| random.gamma(alpha)).sum::<f64>() / 20_000.0;
            assert!((mean - alpha).abs() < 0.06 * alpha.max(0.5), "{alpha}: {mean}");
        }
    }
}
