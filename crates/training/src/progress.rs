//! What a run's events add up to: strength, cost, and what is left of a generation.

use serde::Serialize;
use specta::Type;
use specta_typescript::Number;

use crate::event::{Event, Gated};

/// Standard deviations of a two-sided interval of 95 %.
const Z_95: f64 = 1.959_964;

/// The strength of a generation's network.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Strength {
    /// The generation.
    pub generation: u32,
    /// Elo above the network that the run began with.
    #[specta(type = Number)]
    pub elo: f64,
    /// 95 % between this
    #[specta(type = Number)]
    pub elo_low: f64,
    /// and this: errors of all matches on the way are in it.
    #[specta(type = Number)]
    pub elo_high: f64,
    /// Whether it plays the games that come next.
    pub taken: bool,
}

/// What a run has cost so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// Games that are learnt from.
    #[specta(type = Number)]
    pub games: u64,
    /// Rows.
    #[specta(type = Number)]
    pub rows: u64,
    /// Visits of the searches of those games.
    #[specta(type = Number)]
    pub visits: u64,
    /// Steps of training.
    #[specta(type = Number)]
    pub steps: u64,
    /// Seconds of all steps of the run on this machine, waiting for workers included.
    #[specta(type = Number)]
    pub seconds: f64,
    /// Seconds of this machine's processors for all steps together; `None` where one of them was not measured.
    #[specta(type = Option<Number>)]
    pub processor_seconds: Option<f64>,
}

/// Strengths of the generations, in their order, from how each came out against an earlier one. Half a game is added for
/// either side, so that a match that one side won altogether has a finite difference.
#[must_use]
pub fn strengths<'a>(results: impl IntoIterator<Item = &'a Gated>) -> Vec<Strength> {
    /// Elo and its variance.
    type Known = std::collections::BTreeMap<u32, (f64, f64)>;
    let mut known = Known::from([(0, (0.0, 0.0))]);
    let mut found: std::collections::BTreeMap<u32, Strength> = std::collections::BTreeMap::new();
    for gated in results {
        let games = f64::from(gated.wins + gated.losses + gated.draws) + 1.0;
        let Some(&(before, variance)) = known.get(&gated.against).filter(|_| games > 1.0) else { continue };
        let share = (f64::from(gated.wins) + 0.5 * f64::from(gated.draws) + 0.5) / games;
        let elo = before + 400.0 * (share / (1.0 - share)).log10();
        // Of the logistic curve's slope: d elo / d share = 400 / (ln 10 share (1 - share)).
        let slope = 400.0 / (std::f64::consts::LN_10 * share * (1.0 - share));
        let variance = variance + slope * slope * share * (1.0 - share) / games;
        let spread = Z_95 * variance.sqrt();
        known.insert(gated.generation, (elo, variance));
        let (generation, taken) = (gated.generation, gated.taken);
        found.insert(generation, Strength { generation, elo, elo_low: elo - spread, elo_high: elo + spread, taken });
    }
    found.into_values().collect()
}

pub(crate) fn cost(events: &[Event]) -> Cost {
    let mut cost = Cost { processor_seconds: Some(0.0), ..Cost::default() };
    for event in events {
        cost.seconds += event.seconds();
        cost.processor_seconds = cost.processor_seconds.zip(event.processor_seconds()).map(|(sum, one)| sum + one);
        match event {
            Event::Selfplay { games, rows, visits, .. } => {
                cost.games += u64::from(*games);
                cost.rows += rows;
                cost.visits += visits;
            }
            Event::Fit { steps, .. } => cost.steps += *steps as u64,
            Event::Shuffle { .. } | Event::Gate(_) | Event::Waiting { .. } | Event::Trouble { .. } => {}
        }
    }
    cost
}

/// Seconds until the generation under way is finished, if it goes as the one before it did; `None` in the first one.
/// `played` is the share of its games that lie ready.
pub(crate) fn seconds_left(events: &[Event], generation: u32, played: f64) -> Option<f64> {
    let before = generation.checked_sub(1).filter(|before| *before > 0)?;
    let spent = |of: u32| {
        // Games, shuffle, fit, gate.
        let mut spent = [0.0; 4];
        for event in events {
            if let Some(step) = step(event)
                && event.generation() == of
            {
                spent[step] += event.seconds();
            }
        }
        spent
    };
    let (usual, now) = (spent(before), spent(generation));
    let games = usual[0] * (1.0 - played.clamp(0.0, 1.0));
    let rest: f64 = (1..4).filter(|step| now[*step] == 0.0).map(|step| usual[step]).sum();
    (usual[0] > 0.0).then_some(games + rest)
}

fn step(event: &Event) -> Option<usize> {
    match event {
        Event::Selfplay { .. } => Some(0),
        Event::Shuffle { .. } => Some(1),
        Event::Fit { .. } => Some(2),
        Event::Gate(_) => Some(3),
        Event::Waiting { .. } | Event::Trouble { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gated(generation: u32, against: u32, [wins, losses]: [u32; 2], taken: bool) -> Gated {
        let (elo, elo_low, elo_high, probe) = (None, None, None, None);
        Gated {
            generation,
            against,
            wins,
            losses,
            draws: 0,
            elo,
            elo_low,
            elo_high,
            taken,
            probe,
            seconds: 4.0,
            processor_seconds: Some(8.0),
        }
    }

    #[test]
    fn strengths_add_up_along_the_networks_that_were_met() {
        let results = [gated(1, 0, [30, 10], true), gated(2, 1, [10, 30], false), gated(3, 1, [40, 0], true)];
        let found = strengths(&results);
        // 400 log10(30.5 / 10.5) = 185.24, there and back.
        assert!((found[0].elo - 185.24).abs() < 0.01, "{found:?}");
        assert!(found[1].elo.abs() < 1e-9 && !found[1].taken, "{found:?}");
        let width = |of: usize| found[of].elo_high - found[of].elo_low;
        // 2 * 1.96 * 173.72 / sqrt(0.7439 * 0.2561 * 41) = 243.7, and errors add up.
        assert!((width(0) - 243.7).abs() < 0.2, "{}", width(0));
        assert!((width(1) - 2f64.sqrt() * width(0)).abs() < 1e-6);
        assert!(found[2].elo.is_finite() && found[2].elo > 900.0, "{found:?}");
        assert!(strengths(&[gated(1, 0, [0, 0], true)]).is_empty(), "no games, no strength");
        let again = [results[0].clone(), gated(1, 0, [20, 20], true)];
        assert_eq!(strengths(&again)[0].elo, 0.0, "the last match of a generation counts");
    }

    #[test]
    fn what_is_left_goes_by_the_generation_before() {
        let games = |generation, seconds| Event::Selfplay {
            generation,
            games: 10,
            rows: 100,
            visits: 1000,
            moves: 200,
            black_wins: 5,
            seconds,
            processor_seconds: Some(2.0 * seconds),
        };
        let fit = |generation| {
            let losses = crate::event::Losses::default();
            Event::Fit { generation, steps: 7, losses, seconds: 3.0, processor_seconds: Some(6.0) }
        };
        let mut events = vec![games(1, 60.0), games(1, 40.0), fit(1), Event::Gate(gated(1, 0, [1, 1], true))];
        assert_eq!(seconds_left(&events, 1, 0.5), None);
        assert_eq!(seconds_left(&events, 2, 0.25), Some(75.0 + 3.0 + 4.0));
        events.extend([games(2, 90.0), fit(2)]);
        assert_eq!(seconds_left(&events, 2, 1.0), Some(4.0));
        let cost = super::cost(&events);
        assert_eq!((cost.games, cost.rows, cost.visits, cost.steps, cost.seconds), (30, 300, 3000, 14, 200.0));
        assert_eq!(cost.processor_seconds, Some(400.0));
        events.push(Event::Gate(Gated { processor_seconds: None, ..gated(2, 1, [1, 1], true) }));
        assert_eq!(super::cost(&events).processor_seconds, None, "a sum with a hole is none");
    }
}
