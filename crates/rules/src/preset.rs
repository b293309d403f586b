//! Named rulesets.

use crate::{BoardSize, HandicapBonus, KoRule, Komi, Ruleset, Scoring, Tax, Topology};

/// A ruleset with a name, a komi that goes with it and the board it is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Preset {
    /// Chinese rules as played: simple ko.
    Chinese,
    /// Chinese rules on OGS: positional superko.
    ChineseOgs,
    /// Chinese rules on KGS: positional superko.
    ChineseKgs,
    /// Japanese rules, disputes played out.
    Japanese,
    /// Korean rules.
    Korean,
    /// American Go Association.
    Aga,
    /// British Go Association.
    Bga,
    /// Fédération Française de Go.
    French,
    /// AGA with the button.
    AgaButton,
    /// New Zealand.
    NewZealand,
    /// Ing Chang-ki's rules.
    Ing,
    /// Tromp and Taylor.
    TrompTaylor,
    /// Only stones count, eyes do not: area with a tax of two points a group.
    StoneScoring,
    /// Old territory scoring with a tax of two points a group.
    AncientTerritory,
    /// 道棋, the game on the torus.
    Daoqi,
    /// This program's own: area, komi 6.5, simple ko, no suicide.
    Honinbo,
}

const CHINESE: Ruleset = Ruleset {
    ko: KoRule::Simple,
    scoring: Scoring::Area,
    tax: Tax::None,
    multi_stone_suicide: false,
    button: false,
    white_handicap_bonus: HandicapBonus::N,
    friendly_pass: true,
};
const JAPANESE: Ruleset = Ruleset {
    scoring: Scoring::Territory,
    tax: Tax::Seki,
    white_handicap_bonus: HandicapBonus::Zero,
    friendly_pass: false,
    ..CHINESE
};
const AGA: Ruleset = Ruleset { ko: KoRule::Situational, white_handicap_bonus: HandicapBonus::NMinusOne, ..CHINESE };
const NEW_ZEALAND: Ruleset = Ruleset {
    ko: KoRule::Situational,
    multi_stone_suicide: true,
    white_handicap_bonus: HandicapBonus::Zero,
    ..CHINESE
};
const STONE_SCORING: Ruleset = Ruleset { tax: Tax::All, white_handicap_bonus: HandicapBonus::Zero, ..CHINESE };

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 16] = [
        Preset::Chinese,
        Preset::ChineseOgs,
        Preset::ChineseKgs,
        Preset::Japanese,
        Preset::Korean,
        Preset::Aga,
        Preset::Bga,
        Preset::French,
        Preset::AgaButton,
        Preset::NewZealand,
        Preset::Ing,
        Preset::TrompTaylor,
        Preset::StoneScoring,
        Preset::AncientTerritory,
        Preset::Daoqi,
        Preset::Honinbo,
    ];

    /// Those that a new game can have on an ordinary board, the most usual first.
    const OFFERED: [Preset; 7] = [
        Preset::Chinese,
        Preset::Japanese,
        Preset::Korean,
        Preset::Aga,
        Preset::NewZealand,
        Preset::TrompTaylor,
        Preset::StoneScoring,
    ];

    /// Those that a new game can have on a board, the most usual first: on a torus [`Preset::Daoqi`] is.
    pub fn offered(topology: Topology) -> impl Iterator<Item = Preset> {
        (topology == Topology::Torus).then_some(Preset::Daoqi).into_iter().chain(Preset::OFFERED)
    }

    /// The one that a new game has where none is named.
    #[must_use]
    pub const fn usual(topology: Topology) -> Preset {
        match topology {
            Topology::Torus => Preset::Daoqi,
            Topology::Plane | Topology::Cylinder => Preset::Chinese,
        }
    }

    /// The name, in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Chinese => "chinese",
            Preset::ChineseOgs => "chinese-ogs",
            Preset::ChineseKgs => "chinese-kgs",
            Preset::Japanese => "japanese",
            Preset::Korean => "korean",
            Preset::Aga => "aga",
            Preset::Bga => "bga",
            Preset::French => "french",
            Preset::AgaButton => "aga-button",
            Preset::NewZealand => "new-zealand",
            Preset::Ing => "ing",
            Preset::TrompTaylor => "tromp-taylor",
            Preset::StoneScoring => "stone-scoring",
            Preset::AncientTerritory => "ancient-territory",
            Preset::Daoqi => "daoqi",
            Preset::Honinbo => "honinbo",
        }
    }

    /// The rules. Source of the values shared with KataGo: its `cpp/game/rules.cpp`, v1.17.2.
    #[must_use]
    pub const fn ruleset(self) -> Ruleset {
        match self {
            Preset::Chinese => CHINESE,
            Preset::ChineseOgs | Preset::ChineseKgs => Ruleset { ko: KoRule::Positional, ..CHINESE },
            Preset::Japanese | Preset::Korean => JAPANESE,
            Preset::Aga | Preset::Bga | Preset::French => AGA,
            Preset::AgaButton => Ruleset { button: true, ..AGA },
            Preset::NewZealand => NEW_ZEALAND,
            Preset::Ing => Ruleset { ko: KoRule::Positional, ..NEW_ZEALAND },
            Preset::TrompTaylor => Ruleset::TROMP_TAYLOR,
            Preset::StoneScoring => STONE_SCORING,
            Preset::AncientTerritory => Ruleset { scoring: Scoring::Territory, friendly_pass: false, ..STONE_SCORING },
            Preset::Daoqi => Ruleset { ko: KoRule::Positional, ..Ruleset::TROMP_TAYLOR },
            Preset::Honinbo => Ruleset { white_handicap_bonus: HandicapBonus::Zero, friendly_pass: false, ..CHINESE },
        }
    }

    /// The komi that goes with it.
    #[must_use]
    pub const fn komi(self) -> Komi {
        Komi::from_half_points(match self {
            Preset::Japanese | Preset::Korean | Preset::AncientTerritory | Preset::Honinbo => 13,
            Preset::AgaButton | Preset::NewZealand => 14,
            Preset::Daoqi => 8,
            _ => 15,
        })
    }

    /// The board it is usually played on.
    #[must_use]
    pub const fn board(self) -> (BoardSize, Topology) {
        match self {
            Preset::Daoqi => match BoardSize::square(16) {
                Ok(size) => (size, Topology::Torus),
                Err(_) => (BoardSize::NINETEEN, Topology::Torus),
            },
            _ => (BoardSize::NINETEEN, Topology::Plane),
        }
    }

    /// Reads a name: case, blanks around it, and `-`, `_`, blank or nothing between words do not matter.
    #[must_use]
    pub fn parse(text: &str) -> Option<Preset> {
        let plain = |name: &str| -> String {
            name.trim().chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
        };
        let wanted = plain(text);
        match wanted.as_str() {
            "nz" => Some(Preset::NewZealand),
            "goe" => Some(Preset::Ing),
            "ancientarea" => Some(Preset::StoneScoring),
            "道棋" => Some(Preset::Daoqi),
            _ => Preset::ALL.into_iter().find(|preset| plain(preset.name()) == wanted),
        }
    }

    /// What these rules are called on a board: on a torus those of Daoqi go by its name, elsewhere the same ones are
    /// Tromp's and Taylor's.
    #[must_use]
    pub fn of_board(ruleset: &Ruleset, topology: Topology) -> Option<Preset> {
        let daoqi = (topology == Topology::Torus && *ruleset == Preset::Daoqi.ruleset()).then_some(Preset::Daoqi);
        daoqi.or_else(|| Preset::of(ruleset))
    }

    /// The first preset with exactly these rules, if any.
    #[must_use]
    pub fn of(ruleset: &Ruleset) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.ruleset() == *ruleset)
    }
}

impl std::fmt::Display for Preset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torus_is_played_by_the_rules_of_daoqi_unless_others_are_named() {
        for topology in Topology::ALL {
            assert_eq!(Preset::offered(topology).next(), Some(Preset::usual(topology)), "{topology}");
        }
        assert_eq!(Preset::usual(Topology::Torus), Preset::Daoqi);
        assert!(Preset::offered(Topology::Cylinder).all(|preset| preset != Preset::Daoqi));
        let named = |topology| Preset::of_board(&Preset::Daoqi.ruleset(), topology);
        assert_eq!(named(Topology::Torus), Some(Preset::Daoqi));
        assert_eq!(named(Topology::Plane), Some(Preset::TrompTaylor));
        assert_eq!(Preset::of_board(&Preset::Chinese.ruleset(), Topology::Torus), Some(Preset::Chinese));
    }
}
