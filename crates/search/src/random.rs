//! Distributions that a search draws from.

use honinbo_rules::Random;

/// Draws from more than even distributions.
pub(crate) trait Draw {
    /// Standard normal, by Box and Muller.
    fn gaussian(&mut self) -> f64;
    /// Gamma with shape `alpha` above zero and scale one (Marsaglia and Tsang 2000).
    fn gamma(&mut self, alpha: f64) -> f64;
}

impl Draw for Random {
    fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.unit()).cos()
    }

    fn gamma(&mut self, alpha: f64) -> f64 {
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
    fn gamma_has_its_mean() {
        let mut random = Random::new(7);
        for alpha in [0.03, 0.5, 3.0] {
            let mean = (0..20_000).map(|_| random.gamma(alpha)).sum::<f64>() / 20_000.0;
            assert!((mean - alpha).abs() < 0.06 * alpha.max(0.5), "{alpha}: {mean}");
        }
    }
}
