//! The search as its users hold it: a tree that follows a game, runs, and reports at any moment.

use std::sync::Arc;
use std::time::Duration;

use honinbo_evaluator::{EvalError, EvalParams, EvalRequest, Evaluation, Evaluator, StopFlag};
use honinbo_rules::{Color, Game, Move, Random, Symmetry};
use parking_lot::{Mutex, RwLock};

use crate::arena::NodeId;
use crate::choose;
use crate::error::SearchError;
use crate::human::{Answer, HumanEvaluator};
use crate::limits::{RootFocus, RunOutcome, SearchLimits, StopReason};
use crate::mirror::Mirror;
use crate::move_lists::MoveLists;
use crate::node::{NodeEvaluation, NodeState};
use crate::params::SearchParams;
use crate::playout::Player;
use crate::pool::{WorkerPool, ask};
use crate::position;
use crate::repetition::RepeatedShapes;
use crate::report::{self, ReportOptions, SearchReport};
use crate::root_moves;
use crate::root_policy::root_policy;
use crate::root_state::{RootState, root_evaluation_params};
use crate::score_value::board_radius;
use crate::tree::{Scratch, Tree};
use crate::utility::Utility;

/// A search tree over an evaluator, following a game.
///
/// All methods take `&self`: one thread runs the search ([`Search::run`] blocks it), others may ask for
/// [`Search::report`] meanwhile. What changes the root or the parameters answers [`SearchError::Busy`] while a run is
/// on; set the run's stop flag and wait for it to return first.
///
/// With one thread, one leaf at a time and the same seed the same calls give the same tree.
pub struct Search {
    evaluator: Arc<dyn Evaluator>,
    human: Option<HumanEvaluator>,
    seed: u64,
    /// Root moves that are looked at more closely. Taken after `core`.
    focus: Mutex<Option<RootFocus>>,
    /// Held by whoever runs or changes the search; never waited for.
    running: Mutex<()>,
    /// Read by workers and reports, written between runs. Taken after `running`.
    core: RwLock<Core>,
}

impl std::fmt::Debug for Search {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").field("seed", &self.seed).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct Core {
    tree: Tree,
    game: Game,
    /// Graph key of the current root.
    root_key: u128,
    params: SearchParams,
    move_lists: Option<MoveLists>,
    root: Option<NodeId>,
    /// The root before it, a move further on, until the next run.
    left: Option<NodeId>,
    /// The root's evaluation was made as a root's.
    root_is_fresh: bool,
    /// What the network of human style says of a fresh root, where there is one that can.
    root_human: Option<Arc<Evaluation>>,
    /// Whom the last run searched for.
    searched_for: Option<Color>,
    /// The opponent at the last run, where it mirrored and something is done about that.
    mirror: Option<Mirror>,
    /// Evaluations in the tree have ownership.
    has_ownership: bool,
    root_state: Option<RootState>,
    /// Runs so far, for independent random numbers.
    runs: u64,
}

impl Search {
    /// A search of the position at the end of `game`, with an empty tree.
    ///
    /// # Errors
    /// When a parameter is out of range.
    pub fn new(
        evaluator: Arc<dyn Evaluator>,
        game: Game,
        params: SearchParams,
        seed: u64,
    ) -> Result<Self, SearchError> {
        params.check()?;
        let root_key = position::root_graph_key(&game, &params);
        Ok(Self {
            evaluator,
            human: None,
            seed,
            focus: Mutex::new(None),
            running: Mutex::new(()),
            core: RwLock::new(Core {
                tree: Tree::new(),
                game,
                root_key,
                params,
                move_lists: None,
                root: None,
                left: None,
                root_is_fresh: false,
                root_human: None,
                searched_for: None,
                mirror: None,
                has_ownership: false,
                root_state: None,
                runs: 0,
            }),
        })
    }

    /// The same search with a network of human style beside its own, which does what
    /// [`SearchParams::human`] says, and is asked about the root in any case.
    #[must_use]
    pub fn with_human(self, human: Option<HumanEvaluator>) -> Self {
        Self { human, ..self }
    }

    /// Searches until a limit is reached or `stop` is set, on as many threads as the limits say. Blocks.
    ///
    /// Being stopped is an outcome; the tree keeps everything that was found.
    ///
    /// # Errors
    /// When the evaluator fails or answers nonsense, or a run is already on.
    pub fn run(&self, limits: &SearchLimits, stop: &StopFlag) -> Result<RunOutcome, SearchError> {
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        let max_nodes = limits.nodes_on(self.core.read().game.board().size());
        let mut random = match self.prepare(limits, stop) {
            Ok(random) => random,
            Err(SearchError::Evaluation(EvalError::Cancelled)) => {
                let root_visits = self.root_visits();
                let (reason, playouts, evaluations) = (StopReason::Stopped, 0, 0);
                return Ok(RunOutcome { reason, playouts, root_visits, evaluations, max_nodes });
            }
            Err(error) => return Err(error),
        };
        let core = self.core.read();
        let Some(root_state) = &core.root_state else { return Err(SearchError::WorkerLost) };
        let visits_at_start = core.tree.arena.lock(root_state.root).stats.visits;
        let pool =
            WorkerPool::new(&*self.evaluator, limits, stop, visits_at_start, root_state.params.min_playouts_per_leaf);
        let worker_seed = random.next_u64();
        let player = |index: u64| Player {
            tree: &core.tree,
            root_state,
            random: Random::fork(worker_seed, index),
            scratch: Scratch::default(),
            include_ownership: limits.include_ownership,
            max_nodes,
        };
        let lost = std::thread::scope(|scope| {
            let others: Vec<_> = (1..limits.threads.max(1) as u64)
                .map(|index| {
                    let (pool, mut player) = (&pool, player(index));
                    scope.spawn(move || pool.work(&mut player))
                })
                .collect();
            pool.work(&mut player(0));
            others.into_iter().map(|worker| worker.join().is_err()).fold(false, |lost, one| lost | one)
        });
        if lost {
            return Err(SearchError::WorkerLost);
        }
        let (playouts, evaluations) = (pool.playouts(), pool.evaluations());
        let reason = pool.into_result()?;
        let root_visits = core.tree.arena.lock(root_state.root).stats.visits;
        Ok(RunOutcome { reason, playouts, root_visits, evaluations, max_nodes })
    }

    /// What the search says now, while it runs or after. `None` before its first visit.
    #[must_use]
    pub fn report(&self, options: &ReportOptions) -> Option<SearchReport> {
        let core = self.core.read();
        report::write(&core.tree, core.root_state.as_ref()?, options)
    }

    /// The move to play, drawn by the parameters' temperature; `None` before the first evaluation.
    #[must_use]
    pub fn choose_move(&self) -> Option<Move> {
        let core = self.core.read();
        let root_state = core.root_state.as_ref()?;
        let params = &root_state.params;
        let weights = report::play_weights(&core.tree, root_state)?;
        let values: Vec<f64> = weights.iter().map(|(_, value)| *value).collect();
        let temperature = choose::temperature(
            params.chosen_move_temperature_early,
            params.chosen_move_temperature,
            params.chosen_move_temperature_halflife,
            root_state.turn,
            root_state.radius,
        );
        let mut random = Random::fork(self.seed ^ 0x6d6f_7665, core.runs);
        let drawn = choose::draw(&values, temperature, params.chosen_move_temperature_only_below_prob, &mut random)?;
        Some(weights[drawn].0)
    }

    /// How long somebody would think before this move of the root: rare moves take long. In the mean it is half of
    /// `scale` divided by a tenth more than the move's policy, in seconds, of the network of human style where there is
    /// one. `None` before the first evaluation.
    ///
    /// Source: KataGo v1.17.2, `gtp.cpp`: a gamma distribution of shape two.
    #[must_use]
    pub fn human_pause(&self, mv: Move, scale: f64) -> Option<Duration> {
        let core = self.core.read();
        let root_state = core.root_state.as_ref()?;
        let policy = root_state.root_human.as_ref().map_or(&*root_state.root_policy, |human| &human.policy);
        let probability = policy.get(usize::from(position::index_of(mv, root_state.size)))?.max(0.0);
        let mean = 0.5 * scale / (f64::from(probability) + 0.10);
        let mut random = Random::fork(self.seed ^ 0x7061_7573, core.runs);
        let seconds = random.gamma(2.0) * 0.5 * mean;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// The game up to the root.
    #[must_use]
    pub fn game(&self) -> Game {
        self.core.read().game.clone()
    }

    /// The parameters in force.
    #[must_use]
    pub fn params(&self) -> SearchParams {
        self.core.read().params.clone()
    }

    /// Completed visits of the root.
    #[must_use]
    pub fn root_visits(&self) -> u64 {
        let core = self.core.read();
        core.root.map_or(0, |root| core.tree.arena.lock(root).stats.visits)
    }

    /// Positions in the tree.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.core.read().tree.arena.len()
    }

    /// Moves the root one move on and keeps what the tree knows of the position there, unless moves are forbidden:
    /// lists of moves count from the root.
    ///
    /// # Errors
    /// When the move cannot be played there, or a run is on.
    pub fn advance(&self, mv: Move) -> Result<(), SearchError> {
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        let mut core = self.core.write();
        let color = core.game.to_play();
        core.advance(color, mv)
    }

    /// Moves the root one move on as [`Search::advance`] does, and searches by other parameters from there. The tree is kept,
    /// so they should differ in what they say of the root alone.
    ///
    /// # Errors
    /// When a parameter is out of range, the move cannot be played there, or a run is on.
    pub fn advance_with(&self, mv: Move, params: SearchParams) -> Result<(), SearchError> {
        params.check()?;
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        let mut core = self.core.write();
        let color = core.game.to_play();
        core.advance(color, mv)?;
        core.params = params;
        Ok(())
    }

    /// Moves the root to the end of `game`, which may be an earlier position of the present one. What the tree knows of
    /// the position that it leaves then counts as what follows the next move, so that searching a game from its end to its
    /// beginning lets each position know what was found after it. Otherwise, and where the tree has more than `max_kept`
    /// nodes, it is as [`Search::set_root`].
    ///
    /// # Errors
    /// When a run is on.
    pub fn go_back_to(&self, game: Game, max_kept: usize) -> Result<(), SearchError> {
        {
            let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
            let mut core = self.core.write();
            if core.tree.arena.len() <= max_kept {
                core.retreat_to(&game);
            }
        }
        self.set_root(game)
    }

    /// Moves the root to the end of `game`. Where it continues the present game the matching subtree is kept, as
    /// [`Search::advance`] keeps it.
    ///
    /// # Errors
    /// When a run is on.
    pub fn set_root(&self, game: Game) -> Result<(), SearchError> {
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        let mut core = self.core.write();
        let known = core.game.turns().len();
        let continues = core.game.setup() == game.setup()
            && core.game.ruleset() == game.ruleset()
            && core.game.komi() == game.komi()
            && game.turns().starts_with(core.game.turns());
        if continues {
            for turn in &game.turns()[known..] {
                if core.game.to_play() != turn.color || core.advance(turn.color, turn.played).is_err() {
                    break;
                }
            }
        }
        if core.game != game {
            // A resumed game, another colour's turn, or another game altogether.
            core.clear();
            core.root_key = position::root_graph_key(&game, &core.params);
            core.game = game;
        }
        Ok(())
    }

    /// Changes the parameters; the tree is dropped unless they are the same.
    ///
    /// # Errors
    /// When one is out of range, or a run is on.
    pub fn set_params(&self, params: SearchParams) -> Result<(), SearchError> {
        params.check()?;
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        let mut core = self.core.write();
        if core.params != params {
            core.clear();
            core.root_key = position::root_graph_key(&core.game, &params);
            core.params = params;
        }
        Ok(())
    }

    /// Restricts the moves that are tried; the tree is dropped unless the lists are the same.
    ///
    /// # Errors
    /// When a run is on, or the lists are for another board.
    pub fn set_move_lists(&self, lists: Option<MoveLists>) -> Result<(), SearchError> {
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        let mut core = self.core.write();
        let size = core.game.board().size();
        let lists = lists.filter(|lists| !lists.is_empty());
        if let Some(lists) = &lists
            && lists.size() != size
        {
            return Err(SearchError::Parameter {
                name: "board of the move lists",
                value: lists.size().to_string(),
                expected: "the size of the game's board".into(),
            });
        }
        if core.move_lists != lists {
            core.clear();
            core.move_lists = lists;
        }
        Ok(())
    }

    /// Looks at some root moves more closely, or at none any more. The tree stays. At any time: a run that is on goes by
    /// it from its next playout, and so do all runs until it is changed again, at other roots as far as the moves may be
    /// played there.
    pub fn set_root_focus(&self, focus: Option<RootFocus>) {
        *self.focus.lock() = focus;
        if let Some(root_state) = &self.core.read().root_state {
            // Read again: of two who set it at once the later one counts here, too.
            root_state.set_focus(self.focus.lock().as_ref());
        }
    }

    /// Forgets the tree.
    ///
    /// # Errors
    /// When a run is on.
    pub fn clear(&self) -> Result<(), SearchError> {
        let _running = self.running.try_lock().ok_or(SearchError::Busy)?;
        self.core.write().clear();
        Ok(())
    }

    /// Makes the tree ready: the root is evaluated as a root, and kept nodes are valued anew around the new centre.
    fn prepare(&self, limits: &SearchLimits, stop: &StopFlag) -> Result<Random, SearchError> {
        let (game, params, player, needs_root, mut random) = {
            let mut core = self.core.write();
            if limits.include_ownership && !core.has_ownership {
                core.clear();
                core.has_ownership = true;
            }
            core.runs += 1;
            let player = limits.searched_for.unwrap_or(core.game.to_play());
            let is_another = core.searched_for.replace(player).is_some_and(|before| before != player);
            let is_partial = (self.human.is_some() && core.params.human.is_partial())
                || core.params.avoid_repeated_pattern_utility != 0.0
                || (core.params.playout_doubling_advantage != 0.0
                    && core.params.playout_doubling_advantage_player.is_none());
            if is_another && is_partial {
                core.clear();
            }
            // Against somebody who mirrors, playouts are led elsewhere, and averaged otherwise.
            let mirror = if core.params.anti_mirror { Mirror::detect(&core.game) } else { None };
            let player_of = |mirror: Option<&Mirror>| mirror.map(|mirror| mirror.player);
            if player_of(core.mirror.as_ref()) != player_of(mirror.as_ref()) {
                core.clear();
            }
            core.mirror = mirror;
            let random = Random::fork(self.seed, core.runs);
            let needs_root = core.root.is_none() || !core.root_is_fresh;
            (core.game.clone(), core.params.clone(), player, needs_root, random)
        };
        // Without the lock: reports go on while the network works.
        let human = self.human.as_ref().filter(|human| human.can_answer(&params));
        let mut look = |evaluator: &dyn Evaluator| evaluate_root(evaluator, &game, &params, player, stop, &mut random);
        let (evaluation, root_human) = if needs_root {
            (Some(look(&*self.evaluator)?), human.map(|human| look(&*human.evaluator)).transpose()?)
        } else {
            (None, None)
        };
        let mut core = self.core.write();
        if needs_root {
            core.root_human = root_human.map(Arc::new);
        }
        let below_root = human.filter(|_| params.human.leads_below_root());
        core.begin(evaluation, below_root.cloned(), &mut random);
        if let Some(root_state) = &mut core.root_state {
            root_state.set_targets(limits.root_targets.as_ref());
            root_state.set_focus(self.focus.lock().as_ref());
        }
        Ok(random)
    }
}

/// What a network says of a root to the player who is searched for, under as many symmetries as the parameters ask for.
fn evaluate_root(
    evaluator: &dyn Evaluator,
    game: &Game,
    params: &SearchParams,
    player: Color,
    stop: &StopFlag,
    random: &mut Random,
) -> Result<Evaluation, SearchError> {
    let mut open = game.clone();
    open.set_prevent_clean_up(false);
    let first = root_evaluation_params(params, &open, player, random);
    let mut symmetries = vec![first.symmetry];
    let wanted = params.root_num_symmetries_to_sample.clamp(1, 8) as usize;
    let mut others: Vec<Symmetry> = Symmetry::ALL.into_iter().filter(|symmetry| *symmetry != first.symmetry).collect();
    while symmetries.len() < wanted {
        symmetries.push(others.swap_remove(random.below(others.len())));
    }
    let requests: Vec<EvalRequest<'_>> = symmetries
        .into_iter()
        .map(|symmetry| {
            let params = EvalParams { symmetry, any_symmetry: first.any_symmetry && wanted == 1, ..first };
            EvalRequest { game: &open, params }
        })
        .collect();
    let mut answers = ask(evaluator, &requests, stop)?.into_iter();
    let first = answers.next().ok_or(SearchError::WorkerLost)?;
    Ok(if answers.len() == 0 { first } else { Evaluation::mean(first, answers.as_slice()) })
}

impl Core {
    fn clear(&mut self) {
        self.tree = Tree::new();
        self.root = None;
        self.left = None;
        self.root_is_fresh = false;
        self.root_human = None;
        self.root_state = None;
    }

    fn advance(&mut self, color: Color, mv: Move) -> Result<(), SearchError> {
        let size = self.game.board().size();
        let illegal = || SearchError::IllegalMove { mv: mv.to_gtp(size) };
        if mv == Move::Resign {
            return Err(illegal());
        }
        let bonus = self.game.white_handicap_bonus();
        self.game.play_tolerant(color, mv).map_err(|_| illegal())?;
        let index = position::index_of(mv, size);
        self.root_key = position::graph_key(&self.game, self.root_key, index, &self.params);
        self.root_state = None;
        self.root_is_fresh = false;
        self.root_human = None;
        let game = &self.game;
        let stale = bonus != game.white_handicap_bonus()
            // What was open a move deeper may be closed here.
            || self.move_lists.is_some()
            || (self.params.conservative_pass && game.pass_would_end_game(game.to_play()))
            || (game.prevents_clean_up() && game.pass_would_end_phase(game.to_play()))
            || game.is_over();
        let child = self.root.filter(|_| !stale).and_then(|root| {
            let edge = self.tree.arena.lock(root).edges.iter().find(|edge| edge.mv == index).copied()?;
            let child = self.tree.arena.lock(edge.child);
            child.evaluation.present()?;
            (child.stats.visits > 0 && child.mover == self.game.to_play()).then(|| NodeState {
                evaluation: child.evaluation.clone(),
                edges: child.edges.clone(),
                stats: child.stats,
                ..NodeState::new(child.mover)
            })
        });
        self.root = child.and_then(|child| self.tree.arena.insert(child));
        if self.root.is_some() {
            self.tree.keep_only(&self.params, self.root);
        } else {
            self.clear();
        }
        Ok(())
    }

    /// Takes turns back until the root is at the end of `game`; nothing is changed where it does not lead to the root.
    fn retreat_to(&mut self, game: &Game) {
        let turns = game.turns().len();
        let mut before = self.game.clone();
        if before.turns().len() <= turns {
            return;
        }
        before.rewind(turns);
        if before != *game {
            return;
        }
        while self.game.turns().len() > turns && self.retreat() {}
    }

    /// Takes the last turn back. False, and nothing is changed, at the beginning.
    fn retreat(&mut self) -> bool {
        let left = self.game.clone();
        let Some(turn) = self.game.undo() else { return false };
        let key = position::root_graph_key(&self.game, &self.params);
        let index = position::index_of(turn.played, left.board().size());
        let left_key = if self.params.use_graph_search {
            position::graph_key(&left, key, index, &self.params)
        } else {
            position::path_key(key, index)
        };
        self.root_key = key;
        (self.root_state, self.root_human, self.root_is_fresh) = (None, None, false);
        let stale = left.white_handicap_bonus() != self.game.white_handicap_bonus()
            || turn.color != self.game.to_play()
            || self.move_lists.is_some()
            // As a root the end of a game is searched on.
            || left.is_finished()
            || (self.params.conservative_pass && left.pass_would_end_game(left.to_play()))
            || (left.prevents_clean_up() && left.pass_would_end_phase(left.to_play()));
        let kept = self.root.take().filter(|_| !stale).map(|root| {
            let root = self.tree.arena.lock(root);
            NodeState {
                table_key: Some(left_key),
                evaluation: root.evaluation.clone(),
                edges: root.edges.clone(),
                stats: root.stats,
                ..NodeState::new(root.mover)
            }
        });
        let known = kept.filter(|kept| kept.stats.visits > 0);
        match known.and_then(|kept| self.tree.put(left_key, kept)) {
            Some(kept) => {
                self.tree.keep_only(&self.params, Some(kept));
                self.left = Some(kept);
            }
            None => self.clear(),
        }
        true
    }

    /// Fixes what one run works with. `evaluation` is the root's own, where it had none yet; `human_below_root` is asked
    /// about every other position.
    fn begin(&mut self, evaluation: Option<Evaluation>, human_below_root: Option<HumanEvaluator>, random: &mut Random) {
        let mut game = self.game.clone();
        game.set_prevent_clean_up(false);
        let mut params = self.params.clone();
        let mirror = self.mirror.clone();
        if mirror.is_some() {
            // Playouts are led to moves that look bad, and must not be taken for wasted or for errors.
            params.use_noise_pruning = false;
            params.value_weight_exponent = 0.0;
            params.subtree_value_bias_factor = 0.0;
        }
        let cost = params.avoid_repeated_pattern_utility;
        let mover = game.to_play();
        let searched_for = self.searched_for.unwrap_or(mover);
        let repeated = (cost != 0.0).then(|| RepeatedShapes::of(&game, searched_for, cost));
        let size = game.board().size();
        let symmetries = root_moves::symmetries(&game);
        let forbidden = root_moves::forbidden(&params, &game, &symmetries, self.move_lists.as_ref());
        let radius = board_radius(size.width() as u32, size.height() as u32);

        let evaluation = evaluation.map(|mut evaluation| {
            if let Some(mirror) = mirror.as_ref().filter(|mirror| mirror.corrects(&game)) {
                mirror.correct(&game, &mut evaluation);
            }
            Arc::new(Answer { evaluation, human_policy: None })
        });
        let root = match self.root {
            Some(root) => root,
            None => {
                let state = NodeState { force_non_terminal: game.is_finished(), ..NodeState::new(mover) };
                let Some(root) = self.tree.arena.insert(state) else { return };
                root
            }
        };
        self.root = Some(root);
        let (score_mean, network) = {
            let mut node = self.tree.arena.lock(root);
            let mean = (node.stats.visits > 0).then_some(node.stats.score_mean);
            let Some(network) = evaluation.or_else(|| node.evaluation.present().cloned()) else { return };
            node.force_non_terminal = game.is_finished();
            (mean.unwrap_or(f64::from(network.white_score_mean)), network)
        };
        let removed = self.remove_moves(root, &game, &forbidden);

        let turn = game.turns().len() + game.setup().stones.len();
        let ownership = network.white_ownership.as_deref().unwrap_or(&[]);
        let knows_error = params.use_uncertainty && network.shortterm_winloss_error >= 0.0;
        let mut root_state = RootState {
            size,
            area: size.area(),
            radius,
            root,
            root_key: self.root_key,
            root_mover: mover,
            searched_for,
            utility: Utility::around(&params, score_mean, radius),
            final_weight: if knows_error { params.uncertainty_max_weight } else { 1.0 },
            root_policy: Vec::new(),
            root_human: self.root_human.clone(),
            human_below_root,
            ending_bonus: root_moves::ending_bonus(&params, &game, ownership),
            forbidden_at_root: forbidden,
            move_lists: self.move_lists.clone(),
            targets: None,
            focus: RwLock::new(None),
            mirror,
            repeated,
            symmetries,
            turn,
            game,
            params,
        };
        // Kept nodes are valued with the old answer of the root; the new one counts from the next visit on.
        let known = self.tree.arena.lock(root).stats.visits > 0;
        if known {
            let old = self.tree.arena.lock(root).evaluation.present().cloned();
            root_state.root_policy = old.unwrap_or_else(|| Arc::clone(&network)).policy.to_vec();
            self.tree.refresh(&root_state, root);
            if removed {
                self.tree.update(&root_state, root, 0, &mut Scratch::default());
            }
        }
        root_state.root_policy = root_policy(&root_state.params, &network.policy, turn, radius, random);
        if let Some(left) = self.left.take() {
            self.tree.refresh(&root_state, left);
        }
        self.tree.arena.lock(root).evaluation = NodeEvaluation::Present(network);
        self.tree.bias.drop_unused();
        self.root_is_fresh = true;
        self.root_state = Some(root_state);
    }

    /// Takes children that may not be played off a kept root. Returns whether there were any.
    fn remove_moves(&self, root: NodeId, game: &Game, forbidden: &[bool]) -> bool {
        let mut node = self.tree.arena.lock(root);
        let before = node.edges.len();
        node.edges.retain(|edge| position::may_play(game, edge.mv) && !forbidden[usize::from(edge.mv)]);
        let removed = node.edges.len() < before;
        if removed {
            node.stats.visits = 1 + node.edges.iter().map(|edge| u64::from(edge.visits)).sum::<u64>();
        }
        removed
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use std::collections::HashSet;

    use honinbo_rules::{BoardSize, Point, Preset, Setup, Topology};

    use super::*;
    use crate::bench::Scrambled;
    use crate::limits::RootTargets;

    fn empty(side: usize) -> Game {
        let (size, preset) = (BoardSize::square(side).unwrap(), Preset::TrompTaylor);
        Game::new(Setup::new(size, Topology::Plane, preset.ruleset(), preset.komi())).unwrap()
    }

    fn search_of(game: &Game, params: SearchParams) -> Search {
        Search::new(Arc::new(Scrambled), game.clone(), params, 7).unwrap()
    }

    #[test]
    fn without_graph_search_each_node_hangs_from_one_edge_however_long_the_tree_is_kept() {
        let search = search_of(&empty(7), SearchParams { use_graph_search: false, ..SearchParams::play() });
        for turn in 0..8 {
            search.run(&SearchLimits { max_playouts: 600, ..SearchLimits::default() }, &StopFlag::new()).unwrap();
            {
                let core = search.core.read();
                let mut met = HashSet::new();
                let mut stack = vec![core.root.unwrap()];
                while let Some(id) = stack.pop() {
                    assert!(met.insert(id), "{id:?} is met again in turn {turn}");
                    stack.extend(core.tree.arena.lock(id).edges.iter().map(|edge| edge.child));
                }
                assert!(met.len() > 100, "{} nodes", met.len());
            }
            search.advance(search.choose_move().unwrap()).unwrap();
        }
    }

    #[test]
    fn going_back_keeps_what_was_found_after_the_move() {
        let at = |x, y| Move::Place(Point::new(x, y));
        let mut games = vec![empty(7)];
        for mv in [at(3, 3), at(2, 4), at(4, 4), at(2, 2)] {
            let mut game = games.last().unwrap().clone();
            game.play(game.to_play(), mv).unwrap();
            games.push(game);
        }
        let mv = at(2, 2);
        let only_it = SearchLimits {
            root_targets: Some(RootTargets { moves: Some(vec![mv]), visits: 150 }),
            ..SearchLimits::default()
        };
        let many = SearchLimits { max_visits: 200, ..SearchLimits::default() };
        for use_graph_search in [true, false] {
            let params = SearchParams { use_graph_search, ..SearchParams::deterministic_analysis() };
            let search = search_of(&games[4], params.clone());
            search.run(&many, &StopFlag::new()).unwrap();
            let after = search.report(&ReportOptions::default()).unwrap().root;
            search.go_back_to(games[3].clone(), usize::MAX).unwrap();
            assert_eq!((search.game(), search.root_visits()), (games[3].clone(), 0));
            // The network is asked about the root alone: what follows the move is known.
            let outcome = search.run(&only_it, &StopFlag::new()).unwrap();
            assert_eq!(outcome.evaluations, 1, "graph search {use_graph_search}");
            let report = search.report(&ReportOptions::default()).unwrap();
            let candidate = report.candidates.iter().find(|candidate| candidate.mv == mv).unwrap();
            assert_eq!(candidate.visits, 200);
            // Weighed anew around the score of the root now.
            assert!(
                (candidate.score_lead - after.score_lead).abs() < 0.02,
                "{} {}",
                candidate.score_lead,
                after.score_lead
            );
            // As far back as the beginning, and on from there.
            search.run(&many, &StopFlag::new()).unwrap();
            for game in [&games[1], &games[0], &games[2]] {
                search.go_back_to(game.clone(), usize::MAX).unwrap();
                assert_eq!(search.game(), *game);
                search.run(&many, &StopFlag::new()).unwrap();
                assert_eq!(search.root_visits(), 200);
            }
            // What is too much is dropped, and so is what belongs to another game.
            search.go_back_to(games[1].clone(), 10).unwrap();
            assert_eq!(search.nodes(), 0);
            search.run(&many, &StopFlag::new()).unwrap();
            let mut other = games[0].clone();
            other.play(other.to_play(), at(0, 0)).unwrap();
            search.go_back_to(other.clone(), usize::MAX).unwrap();
            assert_eq!((search.game(), search.nodes()), (other, 0));
        }
    }

    #[test]
    fn what_is_corrected_against_a_mirror_is_no_answer_of_another_path() {
        let at = |x, y| Move::Place(Point::new(x, y));
        // White has the centre, and has mirrored since.
        let mut game = empty(19);
        game.play(Color::Black, at(0, 0)).unwrap();
        game.play(Color::White, at(9, 9)).unwrap();
        for i in 0..17 {
            let (x, y) = (1 + 2 * (i % 8), 1 + 2 * (i / 8));
            game.play(Color::Black, at(x, y)).unwrap();
            game.play(Color::White, at(18 - x, 18 - y)).unwrap();
        }
        for (anti_mirror, asked) in [(true, 1), (false, 0)] {
            let params = SearchParams { anti_mirror, ..SearchParams::deterministic_analysis() };
            let search = search_of(&game, params.clone());
            let mut lists = MoveLists::new(BoardSize::NINETEEN);
            lists.allow_only(Color::Black, &[at(4, 9)], 1);
            search.set_move_lists(Some(lists)).unwrap();
            let run = |max_visits| {
                let limits = SearchLimits { max_visits, ..SearchLimits::default() };
                search.run(&limits, &StopFlag::new()).unwrap()
            };
            run(1);
            // Known, as from another path.
            let mut child = search.core.read().root_state.as_ref().unwrap().game.clone();
            position::play(&mut child, position::index_of(at(4, 9), BoardSize::NINETEEN));
            let params_of_answer = EvalParams { include_ownership: true, ..EvalParams::default() };
            let request = EvalRequest { game: &child, params: params_of_answer };
            let evaluation = Scrambled.evaluate(&[request], &StopFlag::new()).unwrap().remove(0);
            let known = Arc::new(Answer { evaluation, human_policy: None });
            search.core.read().tree.remember_answer(position::state_hash(&child, &params), &known);
            assert_eq!(run(2).evaluations, asked, "anti-mirror {anti_mirror}");
        }
    }
}
