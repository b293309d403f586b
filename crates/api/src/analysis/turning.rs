//! Which mistakes decided a game: one rule for the end of a game, the review and the cards.

use crate::Mistake;

/// Turning points of a game.
const MAX_POINTS: usize = 5;

/// The mistakes that cost most of the chance to win, of equal ones those that lost more points, in the order of the game.
pub(crate) fn turning_points<'a>(mistakes: impl IntoIterator<Item = &'a Mistake>) -> impl Iterator<Item = &'a Mistake> {
    let mut dearest: Vec<&Mistake> = mistakes.into_iter().collect();
    dearest.sort_by(|a, b| {
        let by_chance = b.chance_lost.get().total_cmp(&a.chance_lost.get());
        by_chance.then(b.points_lost.get().total_cmp(&a.points_lost.get()))
    });
    dearest.truncate(MAX_POINTS);
    dearest.sort_by_key(|mistake| mistake.number);
    dearest.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    #[test]
    fn what_cost_most_of_the_chance_comes_before_what_lost_most_points() {
        let mistakes = [(9, 30.0, 0.01), (1, 2.0, 0.3), (7, 4.0, 0.2), (3, 9.0, 0.1), (5, 3.0, 0.01), (6, 5.0, 0.01)];
        let all = mistakes.map(|(number, points, chance): (u32, f64, f64)| Mistake {
            node_id: number,
            before: number - 1,
            number,
            side: Side::Black,
            points_lost: points.into(),
            chance_lost: chance.into(),
            best: None,
        });
        assert_eq!(turning_points(&all).map(|mistake| mistake.number).collect::<Vec<_>>(), [1, 3, 6, 7, 9]);
    }
}
