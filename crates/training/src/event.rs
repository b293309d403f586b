//! What happens in a run: a line of `status.jsonl` for each file of games and each other step.

use serde::{Deserialize, Serialize};
use specta::Type;
use specta_typescript::Number;

/// Something that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A file of games was played; earlier versions noted all files of a step together.
    Selfplay {
        /// The generation that learns from them.
        generation: u32,
        /// Games.
        games: u32,
        /// Rows.
        rows: u64,
        /// Visits of all searches.
        visits: u64,
        /// Moves.
        moves: u64,
        /// Games that Black won.
        black_wins: u32,
        /// Time.
        seconds: f64,
        /// Time of this program on all its processors; `None` where the system does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        processor_seconds: Option<f64>,
    },
    /// Rows were mixed.
    Shuffle {
        /// The generation that learns from them.
        generation: u32,
        /// Rows of the window.
        rows: usize,
        /// Rows that were played in the whole run.
        played: u64,
        /// Files that could not be used, each with a sentence.
        left_out: Vec<String>,
        /// Time.
        seconds: f64,
        /// As in `Selfplay`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        processor_seconds: Option<f64>,
    },
    /// A network was made.
    Fit {
        /// Its generation.
        generation: u32,
        /// Steps.
        steps: usize,
        /// Mean losses over the last half of them.
        losses: Losses,
        /// Time.
        seconds: f64,
        /// As in `Selfplay`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        processor_seconds: Option<f64>,
    },
    /// It played against the one before it.
    Gate(Gated),
    /// Workers are waited for. It is told and not noted.
    Waiting {
        /// The generation under way.
        generation: u32,
        /// Units whose games are here.
        done: u32,
        /// All of them.
        units: u32,
    },
    /// Something went wrong, and the run goes on.
    Trouble {
        /// The generation under way.
        generation: u32,
        /// What, in a sentence.
        reason: String,
    },
}

/// How a generation came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gated {
    /// The generation.
    pub generation: u32,
    /// The generation of the network that it met.
    pub against: u32,
    /// Games that it won; none are played where every network is taken.
    pub wins: u32,
    /// Games that it lost.
    pub losses: u32,
    /// Games that nobody won.
    pub draws: u32,
    /// Difference in Elo; `None` without games and where one won all.
    pub elo: Option<f64>,
    /// 95 % between this
    pub elo_low: Option<f64>,
    /// and this.
    pub elo_high: Option<f64>,
    /// Whether it plays the next games.
    pub taken: bool,
    /// What it thinks of the empty board.
    pub probe: Option<Probe>,
    /// Time.
    pub seconds: f64,
    /// Time of this program on all its processors; `None` where the system does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
}

/// What a network thinks of the first board of a run while nothing is played on it, and the game that it plays against
/// itself without chance. Everything from Black's side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// The komi that it takes to be fair.
    pub fair_komi: f64,
    /// The move of its policy, and the policy's share for it.
    pub policy_move: String,
    /// 0 to 1.
    pub policy_share: f64,
    /// The policy of the empty board: area + 1 shares, row by row, the pass last, below 0 where illegal.
    pub policy: Vec<f32>,
    /// The move that it plays first.
    pub first_move: String,
    /// Black's chances at `komi` after the search, 0 to 1.
    pub black_win_rate: f64,
    /// Points of White in the game.
    pub komi: f64,
    /// Black's stones and territory less White's at the end of the game, without komi.
    pub black_margin: f64,
    /// Its moves.
    pub moves: Vec<String>,
}

/// How wrong a network is, in the mean of a batch: each term with its weight in the sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Losses {
    /// Sum of the others.
    #[specta(type = Number)]
    pub total: f64,
    /// Cross entropy of the policy, nats.
    #[specta(type = Number)]
    pub policy: f64,
    /// The same of the reply.
    #[specta(type = Number)]
    pub reply: f64,
    /// Cross entropy of win, loss and no result.
    #[specta(type = Number)]
    pub value: f64,
    /// Score, its spread, lead and time together.
    #[specta(type = Number)]
    pub score: f64,
    /// Who owns what.
    #[specta(type = Number)]
    pub ownership: f64,
    /// What the search thinks soon, and how far off that is.
    #[specta(type = Number)]
    pub soon: f64,
}

impl Losses {
    fn terms(&mut self) -> [&mut f64; 7] {
        [
            &mut self.total,
            &mut self.policy,
            &mut self.reply,
            &mut self.value,
            &mut self.score,
            &mut self.ownership,
            &mut self.soon,
        ]
    }

    fn all(&self) -> [f64; 7] {
        [self.total, self.policy, self.reply, self.value, self.score, self.ownership, self.soon]
    }

    /// Adds another batch's to these, term by term.
    pub fn add(&mut self, other: &Self) {
        for (sum, term) in self.terms().into_iter().zip(other.all()) {
            *sum += term;
        }
    }

    /// Each term times a number.
    #[must_use]
    pub fn scaled(mut self, by: f64) -> Self {
        for term in self.terms() {
            *term *= by;
        }
        self
    }
}

/// Seconds, losses and Elo beyond this are nobody's.
const MAX_NUMBER: f64 = 1e12;
/// Points of the largest board, and the pass.
const MAX_POLICY: usize = 52 * 52 + 1;

impl Event {
    /// The generation that it belongs to.
    #[must_use]
    pub fn generation(&self) -> u32 {
        match self {
            Self::Selfplay { generation, .. }
            | Self::Shuffle { generation, .. }
            | Self::Fit { generation, .. }
            | Self::Waiting { generation, .. }
            | Self::Trouble { generation, .. } => *generation,
            Self::Gate(gated) => gated.generation,
        }
    }

    /// How long it took.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        match self {
            Self::Selfplay { seconds, .. } | Self::Shuffle { seconds, .. } | Self::Fit { seconds, .. } => *seconds,
            Self::Gate(gated) => gated.seconds,
            Self::Waiting { .. } | Self::Trouble { .. } => 0.0,
        }
    }

    /// How long it took on all processors together.
    #[must_use]
    pub fn processor_seconds(&self) -> Option<f64> {
        match self {
            Self::Selfplay { processor_seconds, .. }
            | Self::Shuffle { processor_seconds, .. }
            | Self::Fit { processor_seconds, .. } => *processor_seconds,
            Self::Gate(gated) => gated.processor_seconds,
            Self::Waiting { .. } | Self::Trouble { .. } => Some(0.0),
        }
    }

    /// Whether its numbers can be those of a run: what a damaged line says must not spoil every sum.
    pub(crate) fn is_sane(&self) -> bool {
        let number = |value: f64| value.is_finite() && value.abs() <= MAX_NUMBER;
        let time = |value: f64| number(value) && value >= 0.0;
        let known = match self {
            Self::Fit { losses, .. } => losses.all().into_iter().all(number),
            Self::Gate(Gated { probe: Some(probe), .. }) => {
                probe.policy.len() <= MAX_POLICY
                    && probe.policy.iter().all(|share| share.is_finite())
                    && [probe.fair_komi, probe.policy_share, probe.black_win_rate, probe.komi, probe.black_margin]
                        .into_iter()
                        .all(number)
            }
            _ => true,
        };
        known && time(self.seconds()) && self.processor_seconds().is_none_or(time)
    }
}
