//! Random numbers with a seed: the same on every machine and in every version, so that a seed names one game or one
//! sample.

/// A small, fast source of random numbers with a seed (xorshift64*, S. Vigna 2016). Not for secrets.
///
/// Random play is as fast as this is; the comparison with KataGo's board (`scripts/compare-rules`) draws the same.
/// Searches, players and samples draw from it too.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(splitmix(seed) | 1)
    }

    /// An independent source for the part of the work numbered `index`, such as a thread of a search.
    #[must_use]
    pub fn fork(seed: u64, index: u64) -> Random {
        Random::new(mix(seed ^ mix(index.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, which must be above 0 and below 2^32. By multiplication: the bias is below 2^-32 for
    /// bounds as small as a board's.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        (((self.next_u64() >> 32) * bound as u64) >> 32) as usize
    }

    /// Uniform in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    pub fn gaussian(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.unit()).cos()
    }

    /// Gamma with shape `alpha` above zero and scale one (Marsaglia and Tsang 2000).
    pub fn gamma(&mut self, alpha: f64) -> f64 {
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

/// The finaliser of SplitMix64: spreads every bit over the whole word.
#[must_use]
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64's output function: the n-th of a fixed series of well mixed numbers, the same for ever.
#[must_use]
pub const fn splitmix(n: u64) -> u64 {
    mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_of_a_seed_is_fixed() {
        let mut random = Random::new(1);
        assert_eq!([random.next_u64(), random.next_u64()], [8_916_199_331_640_804_048, 16_032_783_972_208_265_725]);
        // Published test vector of SplitMix64 for the seed 1234567.
        assert_eq!(mix(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 6_457_827_717_110_365_317);
    }

    #[test]
    fn parts_of_the_work_draw_each_their_own() {
        let draws = |index| {
            let mut random = Random::fork(7, index);
            [(); 4].map(|()| random.next_u64())
        };
        let mut all: Vec<u64> = (0..1000).flat_map(draws).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), draws(3)), (4000, draws(3)));
    }

    #[test]
    fn gamma_has_its_mean() {
        let mut random = Random::new(7);
        for alpha in [0.03, 0.5, 3.0] {
            let mean = (0..20_000).map(|_| random.gamma(alpha)).sum::<f64>() / 20_000.0;
            assert!((mean - alpha).abs() < 0.06 * alpha.max(0.5), "{alpha}: {mean}");
        }
    }

    #[test]
    fn numbers_are_even_below_their_bound() {
        let mut random = Random::new(3);
        let mut counts = [0; 7];
        (0..70_000).for_each(|_| counts[random.below(7)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        let mean = (0..10_000).map(|_| random.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
