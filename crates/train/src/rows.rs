//! Rows to learn from, in memory: KataGo's arrays, in a square that holds every board of the run.
//!
//! Source of the arrays: KataGo v1.17.2, `cpp/dataio/trainingwrite.h`.

use honinbo_net::model::{GLOBAL_CHANNELS, SPATIAL_CHANNELS};

use crate::error::RowDefect;
use crate::network::BatchBoard;

/// Values of [`Rows::targets`] in each row.
pub(crate) const TARGETS: usize = 80;
/// Scores beyond the board that the distribution holds.
pub(crate) const EXTRA_SCORES: usize = 60;
/// Planes of [`Rows::spatial`].
pub(crate) const SPATIAL_TARGETS: usize = 5;
/// Planes of [`Rows::q_values`].
pub(crate) const Q_TARGETS: usize = 3;
/// The version that is written.
pub(crate) const FORMAT: f32 = 3.0;

/// Places in [`Rows::targets`], by KataGo's numbers.
pub(crate) mod at {
    pub(crate) const RESULT: usize = 0;
    pub(crate) const SOON: usize = 12;
    pub(crate) const NOW: usize = 16;
    pub(crate) const SCORE: usize = 20;
    pub(crate) const LEAD: usize = 21;
    pub(crate) const TIME: usize = 22;
    pub(crate) const WEIGHT: usize = 25;
    pub(crate) const POLICY_WEIGHT: usize = 26;
    pub(crate) const SCORE_WEIGHT: usize = 27;
    pub(crate) const REPLY_WEIGHT: usize = 28;
    pub(crate) const LEAD_WEIGHT: usize = 29;
    pub(crate) const POLICY_SURPRISE: usize = 30;
    pub(crate) const POLICY_ENTROPY: usize = 31;
    pub(crate) const SEARCH_ENTROPY: usize = 32;
    pub(crate) const FUTURE_WEIGHT: usize = 33;
    pub(crate) const SCORING_WEIGHT: usize = 34;
    pub(crate) const HISTORY: usize = 36;
    pub(crate) const GAME: usize = 41;
    pub(crate) const KOMI: usize = 47;
    pub(crate) const AREA_SCORING: usize = 48;
    pub(crate) const TURN: usize = 51;
    pub(crate) const AT_LIMIT: usize = 52;
    pub(crate) const FIRST_TURN: usize = 53;
    pub(crate) const RAW_VALUE: usize = 57;
    pub(crate) const RAW_SCORE: usize = 58;
    pub(crate) const RAW_ENTROPY: usize = 59;
    pub(crate) const VISITS: usize = 60;
    pub(crate) const FINISHED: usize = 62;
    pub(crate) const FORMAT: usize = 63;
}

/// Rows of positions, array by array. Every array has its rows one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rows {
    /// Points of a side of the square that boards stand in, at its upper left.
    pub side: usize,
    /// 22 planes of bits for each row, each plane filled up to whole bytes, the first point in the highest bit.
    pub planes: Vec<u8>,
    /// 19 values.
    pub globals: Vec<f32>,
    /// Weights of the moves now, then of the reply: area of the square + 1 each, pass last.
    pub policy: Vec<i16>,
    /// 80 values.
    pub targets: Vec<f32>,
    /// A distribution over final scores, in hundredths.
    pub scores: Vec<i8>,
    /// Ownership, neutral area, two later positions, area in 120ths: one plane each.
    pub spatial: Vec<i8>,
    /// Win minus loss in 32000ths, score in 60ths of a point, visits: area of the square + 1 each.
    pub q_values: Vec<i16>,
    /// 1 where left and right edges are joined, 2 where upper and lower are, 3 on a torus. KataGo's files have no such
    /// array, and its programs leave it unread.
    pub edges: Vec<u8>,
}

impl Rows {
    /// No rows, in a square of so many points a side.
    #[must_use]
    pub fn new(side: usize) -> Self {
        Self { side, ..Self::default() }
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    pub(crate) fn square(&self) -> usize {
        self.side * self.side
    }

    /// Bytes of one plane.
    pub(crate) fn plane_bytes(&self) -> usize {
        self.square().div_ceil(8)
    }

    /// Lengths of one row in each array, in the order of the fields.
    pub(crate) fn widths(&self) -> [usize; 8] {
        let (square, moves) = (self.square(), self.square() + 1);
        [
            SPATIAL_CHANNELS * self.plane_bytes(),
            GLOBAL_CHANNELS,
            2 * moves,
            TARGETS,
            2 * square + 2 * EXTRA_SCORES,
            SPATIAL_TARGETS * square,
            Q_TARGETS * moves,
            1,
        ]
    }

    /// Bytes of one row in memory.
    pub(crate) fn row_bytes(&self) -> usize {
        let [planes, globals, policy, targets, scores, spatial, q_values, edges] = self.widths();
        planes + 4 * globals + 2 * policy + 4 * targets + scores + spatial + 2 * q_values + edges
    }

    /// Appends a row of other rows in the same square.
    ///
    /// # Panics
    /// When the squares differ, or there is no such row.
    pub fn push_from(&mut self, other: &Self, row: usize) {
        assert_eq!(self.side, other.side, "rows of one square");
        let [planes, globals, policy, targets, scores, spatial, q_values, _] = self.widths();
        self.planes.extend_from_slice(&other.planes[row * planes..][..planes]);
        self.globals.extend_from_slice(&other.globals[row * globals..][..globals]);
        self.policy.extend_from_slice(&other.policy[row * policy..][..policy]);
        self.targets.extend_from_slice(&other.targets[row * targets..][..targets]);
        self.scores.extend_from_slice(&other.scores[row * scores..][..scores]);
        self.spatial.extend_from_slice(&other.spatial[row * spatial..][..spatial]);
        self.q_values.extend_from_slice(&other.q_values[row * q_values..][..q_values]);
        self.edges.push(other.edges[row]);
    }

    /// Appends all rows of `other`.
    ///
    /// # Panics
    /// When the squares differ.
    pub fn append(&mut self, other: &Self) {
        assert_eq!(self.side, other.side, "rows of one square");
        self.planes.extend_from_slice(&other.planes);
        self.globals.extend_from_slice(&other.globals);
        self.policy.extend_from_slice(&other.policy);
        self.targets.extend_from_slice(&other.targets);
        self.scores.extend_from_slice(&other.scores);
        self.spatial.extend_from_slice(&other.spatial);
        self.q_values.extend_from_slice(&other.q_values);
        self.edges.extend_from_slice(&other.edges);
    }

    /// Whether a point of the square is set in a plane of a row.
    pub(crate) fn is_set(&self, row: usize, plane: usize, point: usize) -> bool {
        let bytes = self.plane_bytes();
        self.planes[(row * SPATIAL_CHANNELS + plane) * bytes + point / 8] >> (7 - point % 8) & 1 == 1
    }

    pub(crate) fn target(&self, row: usize, place: usize) -> f32 {
        self.targets[row * TARGETS + place]
    }

    /// The board of a row.
    pub(crate) fn board(&self, row: usize) -> BatchBoard {
        let width = (0..self.side).take_while(|&x| self.is_set(row, 0, x)).count();
        let height = (0..self.side).take_while(|&y| self.is_set(row, 0, y * self.side)).count();
        BatchBoard { width, height, wrap_x: self.edges[row] & 1 != 0, wrap_y: self.edges[row] & 2 != 0 }
    }

    /// Whether every row makes sense: a board, finite numbers, moves to learn.
    ///
    /// # Errors
    /// The first row that does not.
    pub(crate) fn check(&self) -> Result<(), RowDefect> {
        let [_, globals, policy, targets, _, _, _, _] = self.widths();
        let moves = self.square() + 1;
        for row in 0..self.len() {
            let wrong = |what| Err(RowDefect::Row { row, what });
            let version = self.target(row, at::FORMAT);
            // NaN is no version either.
            if !(2.0..=3.0).contains(&version) {
                return Err(RowDefect::Version(version));
            }
            let board = self.board(row);
            if board.width < 2 || board.height < 2 {
                return wrong("it has no board");
            }
            for point in 0..self.square() {
                let (x, y) = (point % self.side, point / self.side);
                let inside = x < board.width && y < board.height;
                if self.is_set(row, 0, point) != inside {
                    return wrong("its board is no rectangle");
                }
            }
            let mut numbers =
                self.globals[row * globals..][..globals].iter().chain(&self.targets[row * targets..][..targets]);
            if numbers.any(|number| !number.is_finite() || number.abs() > 1e9) {
                return wrong("it has numbers out of all range");
            }
            for (kind, weight) in [(0, at::POLICY_WEIGHT), (1, at::REPLY_WEIGHT)] {
                let policy = &self.policy[row * policy + kind * moves..][..moves];
                let on_board = |index: &usize| *index == moves - 1 || self.is_set(row, 0, *index);
                if policy.iter().any(|&share| share < 0)
                    || (0..moves).any(|index| policy[index] > 0 && !on_board(&index) && self.target(row, weight) > 0.0)
                {
                    return wrong("it has moves off the board");
                }
                let sum: i64 = policy.iter().map(|&share| i64::from(share)).sum();
                if sum == 0 && self.target(row, weight) > 0.0 {
                    return wrong("it has no move to learn");
                }
            }
            if self.target(row, at::WEIGHT) < 0.0 {
                return wrong("its weight is below zero");
            }
        }
        Ok(())
    }
}

/// Writes bits of a plane into bytes, the first in the highest bit.
pub(crate) fn pack(values: &[f32], out: &mut Vec<u8>) {
    for part in values.chunks(8) {
        let bits = part.iter().enumerate().filter(|(_, value)| **value != 0.0).map(|(index, _)| 0x80u8 >> index);
        out.push(bits.fold(0, |byte, bit| byte | bit));
    }
}
