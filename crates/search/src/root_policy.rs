//! What the root does to its policy before it searches: temperature and noise.
//!
//! Source: KataGo v1.17.2, `search.cpp` (`maybeAddPolicyNoiseAndTemp`).

use crate::choose::temperature;
use crate::params::SearchParams;
use honinbo_rules::Random;

/// The policy that the root searches with; illegal moves stay below zero.
pub(crate) fn root_policy(
    params: &SearchParams,
    network: &[f32],
    turn: usize,
    radius: f64,
    random: &mut Random,
) -> Vec<f32> {
    let mut policy = network.to_vec();
    apply_temperature(params, &mut policy, turn, radius);
    if params.root_noise_enabled {
        add_noise(params, &mut policy, random);
    }
    policy
}

#[expect(clippy::float_cmp, reason = "exactly one means off")]
fn apply_temperature(params: &SearchParams, policy: &mut [f32], turn: usize, radius: f64) {
    let (early, late) = (params.root_policy_temperature_early, params.root_policy_temperature);
    if early == 1.0 && late == 1.0 {
        return;
    }
    let temperature = temperature(early, late, params.chosen_move_temperature_halflife, turn, radius);
    let largest = policy.iter().copied().fold(0.0f32, f32::max);
    if largest <= 0.0 {
        return;
    }
    let mut sum = 0.0f64;
    for p in policy.iter_mut().filter(|p| **p > 0.0) {
        // Relative to the largest, so that no temperature underflows all of them.
        let scaled = ((f64::from(*p).ln() - f64::from(largest).ln()) / temperature).exp();
        sum += scaled;
        *p = scaled as f32;
    }
    for p in policy.iter_mut().filter(|p| **p > 0.0) {
        *p = (f64::from(*p) / sum) as f32;
    }
}

fn add_noise(params: &SearchParams, policy: &mut [f32], random: &mut Random) {
    let legal: Vec<usize> = (0..policy.len()).filter(|&i| policy[i] >= 0.0).collect();
    if legal.is_empty() {
        return;
    }
    let count = legal.len() as f64;
    let logs: Vec<f64> = legal.iter().map(|&i| (f64::from(policy[i]).min(0.01) + 1e-20).ln()).collect();
    let mean = logs.iter().sum::<f64>() / count;
    let raised: Vec<f64> = logs.iter().map(|log| (log - mean).max(0.0)).collect();
    let total: f64 = raised.iter().sum();
    let noise: Vec<f64> = raised
        .iter()
        .map(|g| {
            let share = if total > 0.0 { 0.5 * (g / total + 1.0 / count) } else { 1.0 / count };
            random.gamma(share * params.root_dirichlet_noise_total_concentration)
        })
        .collect();
    let sum: f64 = noise.iter().sum();
    if sum <= 0.0 {
        return;
    }
    let weight = params.root_dirichlet_noise_weight;
    for (&i, noise) in legal.iter().zip(noise) {
        policy[i] = ((1.0 - weight) * f64::from(policy[i]) + weight * noise / sum) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperature_flattens_and_keeps_the_sum() {
        let params = SearchParams {
            root_policy_temperature: 1.5,
            root_policy_temperature_early: 1.5,
            ..SearchParams::analysis()
        };
        let policy = root_policy(&params, &[0.5, 0.3, 0.2, -1.0, 0.0], 0, 19.0, &mut Random::new(0));
        assert!((policy.iter().filter(|p| **p > 0.0).sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(policy[0] < 0.5 && policy[2] > 0.2);
        assert_eq!((policy[3], policy[4]), (-1.0, 0.0));
    }

    #[test]
    fn noise_keeps_the_sum_and_the_illegal() {
        let params = SearchParams { root_noise_enabled: true, ..SearchParams::analysis() };
        let policy = root_policy(&params, &[0.7, 0.2, 0.1, -1.0], 0, 9.0, &mut Random::new(3));
        assert!((policy[..3].iter().sum::<f32>() - 1.0).abs() < 1e-5, "{policy:?}");
        assert_eq!(policy[3], -1.0);
    }
    /// Two moves that the clipping at 0.01 makes equal, one below it, one far below, and one that is illegal.
    const SHAPED: [f32; 5] = [0.6, 0.39, 0.008, 0.002, -1.0];

    fn noisy(weight: f64, seed: u64) -> Vec<f32> {
        let params = SearchParams {
            root_noise_enabled: true,
            root_dirichlet_noise_weight: weight,
            root_dirichlet_noise_total_concentration: 10.83,
            root_policy_temperature: 1.0,
            root_policy_temperature_early: 1.0,
            ..SearchParams::analysis()
        };
        root_policy(&params, &SHAPED, 0, 9.0, &mut Random::new(seed))
    }

    #[test]
    fn noise_without_weight_leaves_the_policy() {
        assert_eq!(noisy(0.0, 3), SHAPED);
    }

    #[test]
    fn noise_leaves_each_move_its_share_of_the_policy() {
        for seed in 0..200 {
            let policy = noisy(0.25, seed);
            for (after, before) in policy.iter().zip(SHAPED).take(4) {
                assert!(*after >= 0.75 * before - 1e-6, "{seed}: {policy:?}");
            }
        }
    }

    /// Half of the concentration is spread evenly, half by how far the logarithm of a move, clipped at 0.01, is above the
    /// mean of all: above it are ln 0.01 (twice) and ln 0.008, by 0.4581 and 0.2350.
    #[test]
    fn the_mean_of_the_noise_follows_the_policy() {
        const SEEDS: u64 = 2_000;
        let mut means = [0.0; 4];
        for seed in 0..SEEDS {
            let policy = noisy(0.25, seed);
            for ((mean, after), before) in means.iter_mut().zip(&policy).zip(SHAPED) {
                *mean += f64::from(after - 0.75 * before) / 0.25 / SEEDS as f64;
            }
        }
        // The standard error is 0.003.
        for (mean, expected) in means.iter().zip([0.324, 0.324, 0.227, 0.125]) {
            assert!((mean - expected).abs() < 0.015, "{means:?}");
        }
    }
}
