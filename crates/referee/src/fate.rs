//! What becomes of a group.

use honinbo_rules::Move;

/// Which of the two players: whose group it is, or who wants to take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Wants to take the group.
    Attacker,
    /// Whose group it is.
    Defender,
}

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// There is no group on the point that was named.
    NoGroup,
    /// Edges of the board are joined.
    JoinedEdges,
    /// The group is not surrounded: even the narrowest region has too many points.
    Open,
    /// The positions that were granted did not suffice.
    Positions,
    /// Every region was searched through: what decides lies outside of them, or is a repetition, or only a part of the
    /// group is at stake.
    Undecided,
    /// Somebody stopped it.
    Stopped,
}

/// What becomes of a group when a certain player moves next. Everything but [`Fate::NotProved`] was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It is taken, whoever has how many ko threats. With a threat for each time it may hold on in a ko that it never
    /// wins, as long as there are threats.
    Dead,
    /// It gets two eyes, whoever has how many ko threats.
    Alive,
    /// It stays on the board, and its owner can make two eyes of it by no means.
    Seki,
    /// It stays on the board. Whether it gets two eyes is not proved.
    Lives {
        /// No stone of it is lost; otherwise it may give some up.
        whole: bool,
    },
    /// A ko decides.
    Ko {
        /// Who wins it where nobody has ko threats: who takes first.
        first: Role,
        /// So many threats of the other player turn it, where `first` has none.
        threats: u8,
    },
    /// Nothing is proved.
    NotProved(Reason),
}

impl Fate {
    /// How good it is for the attacker; `None` where nothing is proved.
    #[must_use]
    pub fn rank(self) -> Option<u8> {
        match self {
            Fate::Dead => Some(100),
            Fate::Ko { first: Role::Attacker, threats } => Some(70 + threats.min(9)),
            Fate::Ko { first: Role::Defender, threats } => Some(50 - threats.min(9)),
            Fate::Seki => Some(20),
            Fate::Lives { .. } => Some(15),
            Fate::Alive => Some(10),
            Fate::NotProved(_) => None,
        }
    }

    /// It stays on the board without a ko.
    #[must_use]
    pub fn is_life(self) -> bool {
        matches!(self, Fate::Alive | Fate::Seki | Fate::Lives { .. })
    }

    /// Something was proved.
    #[must_use]
    pub fn is_proved(self) -> bool {
        !matches!(self, Fate::NotProved(_))
    }
}

/// The fate of a group after some moves, and how it comes to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// What becomes of it.
    pub fate: Fate,
    /// Positions that were looked at.
    pub positions: u64,
    /// How who proved it answers the most stubborn resistance, from the position that was asked on.
    pub line: Vec<Move>,
}

/// Both answers to the question what a group is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Where the attacker moves first.
    pub attacker_first: Ruling,
    /// Where its owner moves first.
    pub defender_first: Ruling,
}
