//! Random numbers with a seed: the same on every machine and in every version, so that a seed names one game or one
//! sample.

/// A small, fast source of random numbers with a seed (xorshift64*, S. Vigna 2016). Not for secrets.
///
/// Random play is as fast as this is; the comparison with KataGo's board (`scripts/compare-rules`) draws the same.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(splitmix(seed) | 1)
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
    fn numbers_are_even_below_their_bound() {
        let mut random = Random::new(3);
        let mut counts = [0; 7];
        (0..70_000).for_each(|_| counts[random.below(7)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
        let mean = (0..10_000).map(|_| random.unit()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }
}
