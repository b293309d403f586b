//! How well somebody played, from what each move lost.

use crate::{PhasesLost, PlayerReview};
use honinbo_library::{BLUNDER_FROM, MISTAKE_FROM, part_of_game};

/// Points lost from which a blunder is of the largest size.
const WORST_FROM: f64 = 12.0;
/// Moves of the engine that count as its best ones.
const TOP_CHOICES: usize = 5;

/// A move of a player.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made {
    /// Its number in the game, from 1.
    pub(crate) number: u32,
    /// Points that it lost.
    pub(crate) lost: f64,
    /// Its place among the moves that the engine looked at, the best at 0; `None` for one that it did not look at.
    pub(crate) choice: Option<usize>,
}

/// Adds up the moves of a player. `area` is the number of points of the board.
pub(crate) fn of_player(moves: impl Iterator<Item = Made>, area: usize) -> PlayerReview {
    let (mut judged, mut sum, mut good, mut mistakes) = (0_u32, 0.0, 0.0, 0);
    let (mut best, mut among_top) = (0, 0);
    let mut phases = [0.0; 3];
    let mut sizes = [0_u32; 3];
    for Made { number, lost, choice } in moves {
        judged += 1;
        sum += lost;
        // One lost point is three quarters of a good move, and one great blunder does not drown all others.
        good += 0.75_f64.powf(lost);
        mistakes += u32::from(lost >= MISTAKE_FROM);
        best += u32::from(choice == Some(0));
        among_top += u32::from(choice.is_some_and(|choice| choice < TOP_CHOICES));
        if let Some(size) = [MISTAKE_FROM, BLUNDER_FROM, WORST_FROM].iter().rposition(|&from| lost >= from) {
            sizes[size] += 1;
        }
        phases[part_of_game(number, area)] += lost;
    }
    let mean = |sum: f64| if judged == 0 { 0.0 } else { sum / f64::from(judged) };
    let [opening, middle, endgame] = phases.map(Into::into);
    PlayerReview {
        moves: judged,
        lost: sum.into(),
        mean: mean(sum).into(),
        accuracy: (judged > 0).then(|| (100.0 * mean(good)).into()),
        phases: PhasesLost { opening, middle, endgame },
        mistakes,
        sizes,
        best,
        among_top,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accuracy(lost: &[f64]) -> Option<f64> {
        let made = lost.iter().map(|&lost| Made { number: 1, lost, choice: None });
        Some(of_player(made, 361).accuracy?.get())
    }

    #[test]
    fn accuracy_is_100_for_faultless_play_and_falls_with_the_points_lost() {
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&[0.0, 0.0]), Some(100.0));
        assert_eq!(accuracy(&[1.0]), Some(75.0));
        assert!((accuracy(&[0.0, 40.0]).unwrap() - 50.0).abs() < 0.01, "one blunder does not drown the rest");
    }

    #[test]
    fn what_was_lost_is_added_up_over_the_game_and_over_its_parts() {
        let made = [(1, 0.5), (51, 13.0), (53, 1.9), (151, 2.0)];
        let player = of_player(made.map(|(number, lost)| Made { number, lost, choice: None }).into_iter(), 361);
        assert_eq!((player.moves, player.lost.get(), player.mean.get(), player.mistakes), (4, 17.4, 4.35, 2));
        let PhasesLost { opening, middle, endgame } = player.phases;
        assert_eq!([opening, middle, endgame].map(crate::Finite::get), [0.5, 14.9, 2.0]);
        let nobody = of_player(std::iter::empty(), 361);
        assert_eq!((nobody.moves, nobody.mean.get()), (0, 0.0));
    }

    #[test]
    fn moves_of_the_engines_choice_and_mistakes_of_each_size_are_counted() {
        let choices = [Some(0), Some(0), Some(4), Some(5), None, None];
        let made = choices.into_iter().zip([0.0, 0.0, 1.9, 2.0, 6.0, 30.0]);
        let player = of_player(made.map(|(choice, lost)| Made { number: 1, lost, choice }), 361);
        assert_eq!((player.best, player.among_top, player.moves), (2, 3, 6));
        assert_eq!((player.sizes, player.mistakes), ([1, 1, 1], 3));
    }
}
