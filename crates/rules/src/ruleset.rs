//! Rulesets as independent choices.

/// Which repetitions of a position are forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KoRule {
    /// Only retaking a single stone at once. Longer cycles end the game without result.
    Simple,
    /// No arrangement of stones may come back.
    Positional,
    /// No arrangement may come back with the same player to move.
    Situational,
    /// As situational, but a pass lifts all bans and passes end the game only when they repeat.
    Spight,
}

/// What counts at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scoring {
    /// Living stones and the points they surround.
    Area,
    /// Surrounded points and prisoners; played out in clean-up phases when that is in dispute.
    Territory,
}

/// Points that are not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tax {
    /// Everything surrounded counts.
    None,
    /// Eyes of groups in seki do not count.
    Seki,
    /// As `Seki`, and every living group pays two points, as in old Chinese play.
    All,
}

/// Points that White gets for Black's handicap stones under area scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HandicapBonus {
    /// None.
    Zero,
    /// One for each handicap stone.
    N,
    /// One for each handicap stone but the first.
    NMinusOne,
}

/// The rules of a game, apart from its komi, size and topology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ruleset {
    /// Repetition.
    pub ko: KoRule,
    /// What counts.
    pub scoring: Scoring,
    /// What does not count.
    pub tax: Tax,
    /// Whether a player may take away several own stones by playing on their last liberty.
    pub multi_stone_suicide: bool,
    /// Whether the first pass is worth half a point. Meant for area scoring only.
    pub button: bool,
    /// White's reward for handicap stones.
    pub white_handicap_bonus: HandicapBonus,
    /// Whether passing without first capturing dead stones is accepted play, dead stones being agreed on
    /// afterwards. Only engines care.
    pub friendly_pass: bool,
}

impl KoRule {
    /// All ko rules.
    pub const ALL: [KoRule; 4] = [KoRule::Simple, KoRule::Positional, KoRule::Situational, KoRule::Spight];

    /// KataGo's word: `SIMPLE`, `POSITIONAL`, `SITUATIONAL` or `SPIGHT`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            KoRule::Simple => "SIMPLE",
            KoRule::Positional => "POSITIONAL",
            KoRule::Situational => "SITUATIONAL",
            KoRule::Spight => "SPIGHT",
        }
    }
}

impl Scoring {
    /// All ways of scoring.
    pub const ALL: [Scoring; 2] = [Scoring::Area, Scoring::Territory];

    /// KataGo's word: `AREA` or `TERRITORY`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Scoring::Area => "AREA",
            Scoring::Territory => "TERRITORY",
        }
    }
}

impl Tax {
    /// All taxes.
    pub const ALL: [Tax; 3] = [Tax::None, Tax::Seki, Tax::All];

    /// KataGo's word: `NONE`, `SEKI` or `ALL`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tax::None => "NONE",
            Tax::Seki => "SEKI",
            Tax::All => "ALL",
        }
    }
}

impl HandicapBonus {
    /// All bonuses; the longest name last but one so that parsers that try in reverse meet `N-1` before `N`.
    pub const ALL: [HandicapBonus; 3] = [HandicapBonus::Zero, HandicapBonus::N, HandicapBonus::NMinusOne];

    /// KataGo's word: `0`, `N` or `N-1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HandicapBonus::Zero => "0",
            HandicapBonus::N => "N",
            HandicapBonus::NMinusOne => "N-1",
        }
    }

    /// Points for so many handicap stones.
    #[must_use]
    pub const fn points(self, stones: usize) -> usize {
        match self {
            HandicapBonus::Zero => 0,
            HandicapBonus::N => stones,
            HandicapBonus::NMinusOne => stones.saturating_sub(1),
        }
    }
}

impl Ruleset {
    /// The rules of John Tromp and Bill Taylor, on which the presets are variations.
    pub const TROMP_TAYLOR: Ruleset = Ruleset {
        ko: KoRule::Positional,
        scoring: Scoring::Area,
        tax: Tax::None,
        multi_stone_suicide: true,
        button: false,
        white_handicap_bonus: HandicapBonus::Zero,
        friendly_pass: false,
    };
}
