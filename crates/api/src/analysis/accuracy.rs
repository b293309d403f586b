//! How well somebody played, from what each move lost.

use crate::{PhasesLost, PlayerReview};
use honinbo_library::{MISTAKE_FROM, part_of_game};

/// Adds up the moves of a player: the number of each in the game, from 1, and the points that it lost. `area` is the
/// number of points of the board.
pub(crate) fn of_player(moves: impl Iterator<Item = (u32, f64)>, area: usize) -> PlayerReview {
    let (mut judged, mut sum, mut good, mut mistakes) = (0_u32, 0.0, 0.0, 0);
    let mut phases = [0.0; 3];
    for (number, lost) in moves {
        judged += 1;
        sum += lost;
        // One lost point is three quarters of a good move, and one great blunder does not drown all others.
        good += 0.75_f64.powf(lost);
        mistakes += u32::from(lost >= MISTAKE_FROM);
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accuracy(lost: &[f64]) -> Option<f64> {
        Some(of_player(lost.iter().map(|&lost| (1, lost)), 361).accuracy?.get())
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
        let player = of_player([(1, 0.5), (51, 13.0), (53, 1.9), (151, 2.0)].into_iter(), 361);
        assert_eq!((player.moves, player.lost.get(), player.mean.get(), player.mistakes), (4, 17.4, 4.35, 2));
        let PhasesLost { opening, middle, endgame } = player.phases;
        assert_eq!([opening, middle, endgame].map(crate::Finite::get), [0.5, 14.9, 2.0]);
        let nobody = of_player(std::iter::empty(), 361);
        assert_eq!((nobody.moves, nobody.mean.get()), (0, 0.0));
    }
}
