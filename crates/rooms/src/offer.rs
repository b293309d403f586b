//! What a new room can be, for whoever makes one.

use crate::terms::{Terms, TermsError};
use honinbo_rules::{BoardSize, Preset};
use serde::Serialize;
use specta::Type;

/// Most stones that are placed as a handicap.
pub const MAX_HANDICAP: u32 = 9;
/// Sides of the boards that most games are played on.
pub(crate) const USUAL_SIDES: [u32; 3] = [9, 13, 19];

/// What fits some terms.
#[derive(Debug, Clone, PartialEq, Serialize, Type)]
pub struct Offer {
    /// Sides of the boards that most games are played on.
    pub sizes: Vec<u32>,
    /// The fewest columns or rows.
    pub smallest_side: u32,
    /// The most columns or rows.
    pub largest_side: u32,
    /// Names of rulesets, the most usual first.
    pub rulesets: Vec<String>,
    /// Points for White where nothing else is said.
    pub komi: f64,
    /// Numbers of handicap stones that the board has places for.
    pub handicaps: Vec<u32>,
}

impl Terms {
    /// What fits this board and these rules, whatever komi and clock are.
    ///
    /// # Errors
    /// [`TermsError`] for a board or rules that there are not. A handicap that does not fit counts as none.
    pub fn offer(&self) -> Result<Offer, TermsError> {
        let even = Self { handicap: 0, komi: None, time: None, ..self.clone() };
        let setup = even.setup()?;
        let with = |handicap: u32| Self { handicap, ..even.clone() }.setup();
        let handicaps: Vec<u32> = (2..=MAX_HANDICAP).filter(|&stones| with(stones).is_ok()).collect();
        let komi = if handicaps.contains(&self.handicap) { with(self.handicap)?.komi } else { setup.komi };
        Ok(Offer {
            sizes: USUAL_SIDES.to_vec(),
            smallest_side: BoardSize::MIN as u32,
            largest_side: BoardSize::MAX as u32,
            rulesets: Preset::offered(setup.topology).map(|preset| preset.name().to_owned()).collect(),
            komi: komi.points(),
            handicaps,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_can_be_played() {
        for (width, height, topology) in
            [(19, 19, "plane"), (9, 9, "plane"), (5, 5, "plane"), (2, 52, "plane"), (9, 9, "torus"), (9, 9, "cylinder")]
        {
            let asked = Terms { width, height, topology: topology.into(), handicap: 4, ..Terms::default() };
            let offer = asked.offer().unwrap();
            for &handicap in &offer.handicaps {
                assert!(Terms { handicap, ..asked.clone() }.setup().is_ok(), "{width}x{height} {handicap}");
            }
            for rules in &offer.rulesets {
                assert!(Terms { rules: rules.clone(), handicap: 0, ..asked.clone() }.setup().is_ok(), "{rules}");
            }
        }
    }

    #[test]
    fn a_torus_has_the_rules_and_komi_of_daoqi_first_and_no_handicap() {
        let torus = Terms { topology: "torus".into(), handicap: 3, ..Terms::default() };
        let offer = torus.offer().unwrap();
        assert_eq!((offer.rulesets[0].as_str(), offer.komi, offer.handicaps), ("daoqi", 4.0, Vec::new()));
        let named = Terms { rules: "chinese".into(), ..torus }.offer().unwrap();
        assert_eq!((named.rulesets[0].as_str(), named.komi), ("daoqi", 7.5));
        assert_eq!(Terms::default().offer().unwrap().rulesets[0], "chinese");
    }

    #[test]
    fn komi_follows_the_handicap_that_fits() {
        let komi = |width, handicap| Terms { width, height: width, handicap, ..Terms::default() }.offer().unwrap().komi;
        assert_eq!((komi(19, 0), komi(19, 4), komi(5, 4)), (7.5, 0.5, 7.5));
        assert!(Terms { width: 53, ..Terms::default() }.offer().is_err());
        assert!(Terms { rules: "house".into(), ..Terms::default() }.offer().is_err());
    }
}
