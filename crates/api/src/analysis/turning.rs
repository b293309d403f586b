//! Which mistakes decided a game: one rule for the end of a game, the review and the cards.

use crate::Mistake;

/// Turning points of a game.
const MAX_POINTS: usize = 5;
/// Chance to win that a move has to cost for the game to have turned there.
const MIN_CHANCE: f64 = 0.03;

/// The mistakes that cost most of the chance to win, of equal ones those that lost more points, in the order of the game;
/// each counts for as much as it weighs. One that cost less than [`MIN_CHANCE`] is among them only where none cost more.
pub(crate) fn turning_points<'a>(
    mistakes: impl IntoIterator<Item = &'a Mistake>,
    weight: impl Fn(&Mistake) -> f64,
) -> impl Iterator<Item = &'a Mistake> {
    let turned = |mistake: &&Mistake| mistake.chance_lost.get() >= MIN_CHANCE;
    let mut dearest: Vec<&Mistake> = mistakes.into_iter().collect();
    if dearest.iter().any(turned) {
        dearest.retain(turned);
    }
    dearest.sort_by(|a, b| {
        let [of_a, of_b] = [weight(a), weight(b)];
        let by_chance = (of_b * b.chance_lost.get()).total_cmp(&(of_a * a.chance_lost.get()));
        by_chance.then((of_b * b.points_lost.get()).total_cmp(&(of_a * a.points_lost.get())))
    });
    dearest.truncate(MAX_POINTS);
    dearest.sort_by_key(|mistake| mistake.number);
    dearest.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    fn chosen(mistakes: &[(u32, f64, f64)], weight: impl Fn(&Mistake) -> f64) -> Vec<u32> {
        let all = mistakes.iter().map(|&(number, points, chance)| Mistake {
            node_id: number,
            before: number - 1,
            number,
            side: Side::Black,
            points_lost: points.into(),
            chance_lost: chance.into(),
            best: None,
        });
        let all: Vec<Mistake> = all.collect();
        turning_points(&all, weight).map(|mistake| mistake.number).collect()
    }

    #[test]
    fn what_cost_most_of_the_chance_comes_before_what_lost_most_points() {
        let mistakes = [(9, 30.0, 0.04), (1, 2.0, 0.3), (7, 4.0, 0.2), (3, 9.0, 0.1), (5, 3.0, 0.04), (6, 5.0, 0.04)];
        assert_eq!(chosen(&mistakes, |_| 1.0), [1, 3, 6, 7, 9]);
    }

    #[test]
    fn what_weighs_little_comes_last_and_is_a_turning_point_all_the_same() {
        let mistakes = [(1, 2.0, 0.3), (2, 2.0, 0.1), (3, 2.0, 0.1), (4, 2.0, 0.1), (5, 2.0, 0.1), (6, 2.0, 0.1)];
        let light = |mistake: &Mistake| if mistake.number == 1 { 0.05 } else { 1.0 };
        assert_eq!(chosen(&mistakes, light), [2, 3, 4, 5, 6]);
        assert_eq!(chosen(&mistakes[..3], light), [1, 2, 3]);
    }

    #[test]
    fn a_game_that_is_decided_turns_no_more() {
        let won = [(9, 30.0, 0.0), (1, 2.0, 0.3), (7, 4.0, 0.02), (3, 9.0, -0.1)];
        assert_eq!(chosen(&won, |_| 1.0), [1]);
        // Without one that cost anything, the dearest in points are all that can be asked about.
        assert_eq!(chosen(&[(9, 30.0, 0.0), (7, 4.0, 0.02), (3, 9.0, -0.1)], |_| 1.0), [3, 7, 9]);
    }
}
