//! What is fixed while one search runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use honinbo_evaluator::{EvalParams, Evaluation};
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Random, Symmetry};
use parking_lot::RwLock;

use crate::arena::NodeId;
use crate::human::HumanEvaluator;
use crate::limits::{RootFocus, RootTargets};
use crate::mirror::Mirror;
use crate::move_lists::MoveLists;
use crate::node::{NodeState, NodeStats};
use crate::params::SearchParams;
use crate::position;
use crate::repetition::RepeatedShapes;
use crate::utility::Utility;

/// The root and everything derived from it at the start of a search.
#[derive(Debug)]
pub(crate) struct RootState {
    pub(crate) params: SearchParams,
    /// The game up to the root.
    pub(crate) game: Game,
    pub(crate) size: BoardSize,
    /// Number of points; also the index of a pass.
    pub(crate) area: usize,
    /// Square root of the area.
    pub(crate) radius: f64,
    pub(crate) root: NodeId,
    /// Graph key of the root.
    pub(crate) root_key: u128,
    /// Who is to move at the root.
    pub(crate) root_mover: Color,
    /// For whom the search is: the same, but where somebody thinks on the opponent's time.
    pub(crate) searched_for: Color,
    pub(crate) utility: Utility,
    /// Weight of a finished game: that of the surest evaluation where evaluations have weights.
    pub(crate) final_weight: f64,
    /// Policy of the root after temperature and noise.
    pub(crate) root_policy: Vec<f32>,
    /// What the network of human style says of the root, where it was asked.
    pub(crate) root_human: Option<Arc<Evaluation>>,
    /// That network, where it is asked about every position.
    pub(crate) human_below_root: Option<HumanEvaluator>,
    /// Points by which each root move is held back for the player to move, zero or below.
    pub(crate) ending_bonus: Vec<f64>,
    /// Moves that are not opened at the root: symmetric duplicates and useless ones.
    pub(crate) forbidden_at_root: Vec<bool>,
    pub(crate) move_lists: Option<MoveLists>,
    /// Root moves that go first, until each has its visits.
    pub(crate) targets: Option<Targets>,
    /// Root moves that a share of the playouts goes to.
    pub(crate) focus: RwLock<Option<Focus>>,
    /// The opponent, where it mirrors and something is done about it.
    pub(crate) mirror: Option<Mirror>,
    /// Shapes of the game so far, where repeating them costs something.
    pub(crate) repeated: Option<RepeatedShapes>,
    /// Symmetries that leave the root as it is.
    pub(crate) symmetries: Vec<Symmetry>,
    /// Moves since the initial position, for temperatures that fade.
    pub(crate) turn: usize,
}

/// Root moves that go first.
#[derive(Debug)]
pub(crate) struct Targets {
    /// Point indices, likeliest first.
    pub(crate) moves: Vec<u16>,
    pub(crate) visits: u64,
    /// Set once all have their visits.
    pub(crate) met: AtomicBool,
}

/// Root moves that a share of the playouts goes to.
#[derive(Debug)]
pub(crate) struct Focus {
    /// Point indices, each with the weights of the moves up to it.
    moves: Vec<(u16, f64)>,
    share: f64,
}

impl Focus {
    /// The move that a playout is led to, where one is.
    pub(crate) fn draw(&self, random: &mut Random) -> Option<u16> {
        if random.unit() >= self.share {
            return None;
        }
        let (last, all) = self.moves.last()?;
        let drawn = random.unit() * all;
        Some(self.moves.iter().find(|(_, up_to)| drawn < *up_to).map_or(*last, |(mv, _)| *mv))
    }
}

impl RootState {
    /// Sets the moves that go first, as far as they may be opened.
    pub(crate) fn set_targets(&mut self, targets: Option<&RootTargets>) {
        self.targets = targets.map(|targets| Targets {
            moves: self.open_moves(targets.moves.as_deref()),
            visits: targets.visits.into(),
            met: AtomicBool::new(false),
        });
    }

    /// Sets the moves that a share of the playouts goes to, as far as they may be opened. Playouts that have begun go on.
    pub(crate) fn set_focus(&self, focus: Option<&RootFocus>) {
        let focus = focus.filter(|focus| focus.share > 0.0).and_then(|focus| {
            let mut up_to = 0.0;
            let mut moves = Vec::new();
            for (mv, weight) in focus.moves.iter().filter(|(_, weight)| *weight > 0.0) {
                if let Some(&open) = self.open_moves(Some(&[*mv])).first() {
                    up_to += weight.min(RootFocus::MAX_WEIGHT);
                    moves.push((open, up_to));
                }
            }
            (!moves.is_empty()).then(|| Focus { moves, share: focus.share.min(RootFocus::MAX_SHARE) })
        });
        *self.focus.write() = focus;
    }

    /// What the shape that the move to a node made costs, as utility for White.
    pub(crate) fn cost_of_shape(&self, node: &NodeState) -> f64 {
        self.repeated.as_ref().map_or(0.0, |repeated| repeated.white_utility(node.shape, node.mover))
    }

    /// Root moves that may be opened, likeliest first: all, or the wanted ones among them.
    fn open_moves(&self, wanted: Option<&[Move]>) -> Vec<u16> {
        let on_board = |mv: &&Move| mv.point().map_or(**mv == Move::Pass, |point| point.is_on(self.size));
        let wanted: Option<Vec<u16>> =
            wanted.map(|moves| moves.iter().filter(on_board).map(|mv| position::index_of(*mv, self.size)).collect());
        // A mirror image that was left out is meant by whoever names it.
        let is_image = |mv: u16, other: u16| {
            self.params.root_symmetry_pruning
                && usize::from(mv) < self.area
                && self.symmetries.iter().any(|symmetry| {
                    let image = symmetry.apply(Point::from_index(mv.into(), self.size), self.size);
                    image.index(self.size) == usize::from(other)
                })
        };
        let is_wanted = |mv: u16| match &wanted {
            None => true,
            Some(wanted) => wanted.iter().any(|&other| other == mv || is_image(mv, other)),
        };
        let mut moves: Vec<u16> = (0..=self.area as u16)
            .filter(|mv| {
                self.root_policy[usize::from(*mv)] >= 0.0
                    && !self.forbidden_at_root[usize::from(*mv)]
                    && !self.avoids(self.root_mover, 0, *mv)
                    && is_wanted(*mv)
            })
            .collect();
        let policy = |mv: u16| self.root_policy[usize::from(mv)];
        moves.sort_by(|a, b| policy(*b).total_cmp(&policy(*a)));
        moves
    }

    /// Whether there were moves that go first, and all have their visits.
    pub(crate) fn targets_met(&self) -> bool {
        self.targets.as_ref().is_some_and(|targets| targets.met.load(Ordering::Acquire))
    }

    /// +1 where White is to move, -1 where Black is.
    pub(crate) fn sign_of(&self, mover: Color) -> f64 {
        match mover {
            Color::White => 1.0,
            Color::Black => -1.0,
        }
    }

    /// Utility for White that the ending bonus adds to a root child with these averages.
    pub(crate) fn ending_bonus(&self, mv: u16, stats: &NodeStats) -> f64 {
        let points = self.ending_bonus[usize::from(mv)];
        if points == 0.0 || stats.visits == 0 {
            return 0.0;
        }
        let white_points = self.sign_of(self.root_mover) * points;
        self.utility.of_more_points(stats.score_mean, stats.score_mean_sq, white_points)
    }

    /// Whether the lists of moves forbid opening this move so deep below the root.
    pub(crate) fn avoids(&self, mover: Color, depth: usize, mv: u16) -> bool {
        self.move_lists.as_ref().is_some_and(|lists| lists.avoids(mover, depth, mv))
    }

    /// The opponent who mirrors, where an answer about this position is corrected for that.
    pub(crate) fn correction_of(&self, game: &Game) -> Option<&Mirror> {
        self.mirror.as_ref().filter(|mirror| mirror.corrects(game))
    }

    /// How a position `depth` moves below the root is shown to the network.
    pub(crate) fn evaluation_params(
        &self,
        game: &Game,
        depth: usize,
        include_ownership: bool,
        random: &mut Random,
    ) -> EvalParams {
        let max_history = if self.params.ignore_all_history {
            0
        } else if self.params.ignore_pre_root_history {
            depth as u32
        } else {
            u32::MAX
        };
        // The centre's owner is asked for where the opponent mirrors around it.
        let include_ownership = include_ownership || self.correction_of(game).is_some();
        EvalParams {
            policy_optimism: self.params.policy_optimism as f32,
            max_history,
            include_ownership,
            ..shared_params(&self.params, game.to_play(), self.searched_for, random)
        }
    }
}

/// How a root is shown to the network: less optimistic, its pass perhaps not final, always with ownership.
pub(crate) fn root_evaluation_params(
    params: &SearchParams,
    game: &Game,
    searched_for: Color,
    random: &mut Random,
) -> EvalParams {
    let hides_history = params.ignore_all_history || params.ignore_pre_root_history;
    EvalParams {
        policy_optimism: params.root_policy_optimism as f32,
        conservative_pass_root: params.conservative_pass,
        max_history: if hides_history { 0 } else { u32::MAX },
        include_ownership: true,
        ..shared_params(params, game.to_play(), searched_for, random)
    }
}

fn shared_params(params: &SearchParams, mover: Color, searched_for: Color, random: &mut Random) -> EvalParams {
    let favoured = params.playout_doubling_advantage_player.unwrap_or(searched_for);
    let advantage = params.playout_doubling_advantage;
    let symmetry = if params.randomize_symmetry { random.below(8) } else { 0 };
    EvalParams {
        symmetry: Symmetry::new(symmetry).unwrap_or_default(),
        any_symmetry: params.randomize_symmetry,
        policy_temperature: params.nn_policy_temperature,
        passing_hacks: params.enable_passing_hacks,
        draw_equivalent_wins_for_white: params.draw_equivalent_wins_for_white,
        playout_doubling_advantage: if mover == favoured { advantage } else { -advantage },
        pass_alive_under_suicide: params.pass_alive_under_suicide,
        exclude_beside_atari: params.exclude_beside_atari,
        profile: params.profile,
        ..EvalParams::default()
    }
}
