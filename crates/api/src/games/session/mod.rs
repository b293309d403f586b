//! A game that is open: its tree, where one stands in it, and what can be undone.

mod annotations;
mod clocks;
mod comments;
mod edit;
mod excerpt;
mod find;
mod insert;
mod kept;
mod marks;
mod play_on;
mod saving;
mod setup;
mod trial;
mod variations;
mod view;

pub(crate) use excerpt::{excerpt_of, keep_turn};
pub(crate) use kept::KeptGame;
pub(crate) use play_on::Beginning;
pub(crate) use saving::Snapshot;
pub(crate) use view::{side, sign, vertex};

use super::game_file::GameFile;
use super::line::LinePositions;
use crate::library::rules_to_write;
use crate::{ApiError, GameInfo, NewGame, OpenGameId, RecordDiagnostic, Side, Step, Vertex};
use edit::Edit;
use honinbo_record::{
    Diagnostic, FoundGame, GameDate, GameTree, NodeId, Problem, Replay, ReplayOptions, Severity, TextReading,
    komi_to_write, topology_to_write,
};
use honinbo_rules::{BoardSize, Color, Game, Move, Point, Preset};
use std::collections::HashMap;
use trial::Trial;

/// A game that is open.
pub(crate) struct Session {
    pub(crate) id: OpenGameId,
    tree: GameTree,
    size: BoardSize,
    current: NodeId,
    /// The position at `current`.
    replay: Replay,
    /// The child last visited below a node, where it is not the first.
    followed: HashMap<NodeId, NodeId>,
    undo: Vec<Done>,
    redo: Vec<Done>,
    /// Moves are tried out: `undo` and `redo` are theirs meanwhile.
    trial: Option<Trial>,
    /// Changes made so far; each is known by its number.
    changes: u64,
    /// Where the last change was one of the comment, as long as nothing else was done since.
    commented: Option<NodeId>,
    /// Counts changes of what a window sees of the tree.
    revision: u32,
    /// The branch that came or went with the last such change, where that was all of it.
    branch: Option<BranchChange>,
    /// The state in which the game was opened or saved: the last change of it, 0 before the first. `None` where that
    /// was in an earlier run.
    saved_at: Option<u64>,
    /// What the record said then; `None` once that is not known any more.
    saved_content: Option<u64>,
    diagnostics: Vec<RecordDiagnostic>,
    pub(crate) record_id: Option<String>,
    pub(crate) file_name: Option<String>,
    /// The file that changes are saved to, where it can hold them.
    pub(crate) file: Option<GameFile>,
    /// The library has it as a copy beside a record that says more.
    is_copied: bool,
    /// Opened by the program at its first start, not by the person.
    pub(crate) first: bool,
    /// Counts everything that is kept for the next start: changes, steps, saves.
    touched: u64,
    /// Counts what a window sees change.
    version: u32,
    /// The position in which the game starts.
    start: Game,
    /// Nodes whose position is another one than when this was asked last.
    changed_positions: Vec<crate::NodeId>,
}

/// A change of a tree that is told by its branch alone.
#[derive(Debug, Clone, Copy)]
enum BranchChange {
    /// The branch that begins with this node was added as the last of its siblings.
    Grown(NodeId),
    /// It was cut off.
    Cut(NodeId),
}

/// A change that was made, or taken back.
struct Done {
    number: u64,
    edit: Edit,
}

/// The move of a node, and the node that it was played at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LastMove {
    pub(crate) parent: crate::NodeId,
    pub(crate) mover: Color,
    pub(crate) played: Move,
    pub(crate) size: BoardSize,
}

impl LastMove {
    /// `None` at the root, and where a node sets stones up or says something only.
    pub(crate) fn to(tree: &GameTree, node: NodeId, size: BoardSize) -> Option<Self> {
        let parent = seam_id(tree.parent(node)?);
        let made = tree.move_at(node, size)?;
        Some(Self { parent, mover: made.color, played: made.played.ok()?, size })
    }
}

/// A node of a variation, its number there from 0, and the move that led to it.
pub(crate) type LinePlace = (crate::NodeId, usize, Option<LastMove>);

/// A move of a variation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineMove {
    pub(crate) node: crate::NodeId,
    pub(crate) before: crate::NodeId,
    /// Which move it is, as the record counts, from 1.
    pub(crate) number: u32,
    pub(crate) side: Side,
}

/// How many diagnostics a window is shown.
const MAX_DIAGNOSTICS: usize = 200;

impl Session {
    /// A new game that is played at this moment, in seconds since 1970.
    pub(crate) fn new(id: OpenGameId, wanted: &NewGame, now: u64) -> Result<Self, ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        let size = BoardSize::new(wanted.width.into(), wanted.height.into()).map_err(|e| invalid(e.to_string()))?;
        let preset =
            Preset::parse(&wanted.rules).ok_or_else(|| invalid(format!("there is no ruleset {:?}", wanted.rules)))?;
        let komi = honinbo_rules::Komi::from_points(wanted.komi.get()).map_err(|e| invalid(e.to_string()))?;
        let mut tree = GameTree::with_board(size);
        let root = tree.root();
        if let Some(topology) = topology_to_write(wanted.topology.into(), Some(preset)) {
            tree.set_text(root, "TOPO", topology);
        }
        tree.set_text(root, "RU", &rules_to_write(preset));
        tree.set_text(root, "KM", &komi_to_write(komi));
        name_players(&mut tree, wanted, now);
        if wanted.handicap > 1 {
            let points = honinbo_rules::fixed_handicap(size, wanted.topology.into(), wanted.handicap.into())
                .map_err(|e| invalid(format!("{e}: {}", e.hint())))?;
            tree.set_text(root, "HA", &wanted.handicap.to_string());
            tree.set_points(root, "AB", &points);
            tree.set_text(root, "PL", "W");
        }
        Ok(Self::of_tree(id, tree, Vec::new()))
    }

    /// A game of a file, called by this name.
    pub(crate) fn of_found(id: OpenGameId, name: &str, found: FoundGame) -> Self {
        let said = found.diagnostics.iter().chain(&found.game.diagnostics).map(diagnostic_view).collect();
        let mut session = Self::of_tree(id, found.game.tree, said);
        session.file_name = (!name.is_empty()).then(|| name.to_owned());
        session
    }

    fn of_tree(id: OpenGameId, tree: GameTree, mut diagnostics: Vec<RecordDiagnostic>) -> Self {
        let size = honinbo_record::GameInfo::of(&tree).size;
        let last = tree.line_from(tree.root()).last().unwrap_or(tree.root());
        let whole = honinbo_record::replay(&tree, last);
        diagnostics.extend(whole.problems.iter().map(|(_, problem)| problem_view(problem)));
        diagnostics.truncate(MAX_DIAGNOSTICS);
        let replay = honinbo_record::replay(&tree, tree.root());
        let saved_content = Some(tree.content_hash());
        Self {
            id,
            size,
            current: tree.root(),
            tree,
            start: replay.game.clone(),
            replay,
            followed: HashMap::new(),
            undo: Vec::new(),
            redo: Vec::new(),
            trial: None,
            changes: 0,
            commented: None,
            revision: 0,
            branch: None,
            saved_at: Some(0),
            saved_content,
            diagnostics,
            record_id: None,
            file_name: None,
            file: None,
            is_copied: false,
            first: false,
            touched: 0,
            version: 0,
            changed_positions: Vec::new(),
        }
    }

    /// The position at the current node.
    pub(crate) fn game(&self) -> &Game {
        &self.replay.game
    }

    /// The current node, by the name that windows know.
    pub(crate) fn current_id(&self) -> crate::NodeId {
        seam_id(self.current)
    }

    /// The tree, and where one stands in it.
    pub(crate) fn tree_and_current(&self) -> (&GameTree, NodeId) {
        (&self.tree, self.current)
    }

    /// A name for a file of this game: the one it came from, otherwise date and players.
    pub(crate) fn proposed_file_name(&self) -> String {
        if let Some(name) = &self.file_name {
            return name.clone();
        }
        let info = self.info();
        let parts = [info.date.as_str(), info.black.as_str(), info.white.as_str()];
        let parts: Vec<String> = parts.iter().map(|part| plain(part)).filter(|part| !part.is_empty()).collect();
        format!("{}.sgf", if parts.is_empty() { "game".to_owned() } else { parts.join("-") })
    }

    /// The game as SGF, in UTF-8.
    pub(crate) fn to_sgf(&self) -> String {
        self.record().in_utf8().to_sgf()
    }

    /// Positions of the current variation from the root on, and for each its node, its number among them and the move
    /// that led there.
    pub(crate) fn line_positions(&self) -> (LinePositions, Vec<LinePlace>) {
        let end = self.line().last().copied().unwrap_or(self.current);
        let mut places = Vec::new();
        let keep = &mut |node: NodeId, _: &Game| {
            places.push((seam_id(node), places.len(), LastMove::to(&self.tree, node, self.size)));
        };
        let (positions, _) = LinePositions::to(&self.tree, end, ReplayOptions::default(), keep);
        (positions, places)
    }

    /// Moves of the current variation.
    pub(crate) fn line_moves(&self) -> Vec<LineMove> {
        let line = self.line();
        let written = line.iter().filter_map(|&node| Some((node, self.tree.move_at(node, self.size)?)));
        let numbered = written.zip(1..).filter_map(|((node, _), number)| {
            let LastMove { parent, mover, .. } = LastMove::to(&self.tree, node, self.size)?;
            Some(LineMove { node: seam_id(node), before: parent, number, side: side(mover) })
        });
        numbered.collect()
    }

    /// The move that led to the current node.
    pub(crate) fn last_move(&self) -> Option<LastMove> {
        LastMove::to(&self.tree, self.current, self.size)
    }

    /// The game as it was played up to a node: with the node where playing began, which is the one after the `given`
    /// turns of another game or the root, and that of each turn since; `None` where something else than turns leads there.
    pub(crate) fn played_to(
        &self,
        tip: crate::NodeId,
        given: Option<usize>,
    ) -> Option<(Game, crate::NodeId, Vec<crate::NodeId>)> {
        let node = self.tree.node(tip as usize)?;
        let game = honinbo_record::replay(&self.tree, node).game;
        let mut path = self.tree.path(node);
        let played = game.turns().len().checked_sub(given.unwrap_or_default())?;
        let nodes = path.split_off(path.len().checked_sub(played).filter(|first| *first > 0)?);
        let is_turn = |&node: &NodeId| {
            self.tree.move_at(node, self.size).is_some() && self.tree.setup_at(node, self.size).is_empty()
        };
        let begin = seam_id(*path.last()?);
        let is_whole = given.is_some() || path.len() == 1;
        (is_whole && nodes.iter().all(is_turn)).then(|| (game, begin, nodes.into_iter().map(seam_id).collect()))
    }

    /// Finds a node by the name that windows know.
    pub(crate) fn node(&self, id: crate::NodeId) -> Result<NodeId, ApiError> {
        self.tree
            .node(id as usize)
            .ok_or_else(|| ApiError::NotFound { message: format!("the game has no node {id} any more") })
    }

    // ---- Moving about ----

    fn move_to(&mut self, node: NodeId) {
        self.commented = None;
        let mut below = node;
        while let Some(parent) = self.tree.parent(below) {
            if self.tree.first_child(parent) == Some(below) {
                self.followed.remove(&parent);
            } else {
                self.followed.insert(parent, below);
            }
            below = parent;
        }
        self.current = node;
        self.replay = honinbo_record::replay(&self.tree, node);
        self.looks_different();
    }

    /// Goes to a node.
    pub(crate) fn go_to(&mut self, id: crate::NodeId) -> Result<(), ApiError> {
        let node = self.node(id)?;
        self.walk_to(node);
        Ok(())
    }

    /// Goes to the position after so many moves of the main line, or to its end.
    pub(crate) fn go_to_move(&mut self, number: usize) {
        let node = self.tree.line_from(self.tree.root()).take(number + 1).last();
        if let Some(node) = node {
            self.walk_to(node);
        }
    }

    /// The child that a step forward leads to.
    fn next(&self, node: NodeId) -> Option<NodeId> {
        self.followed.get(&node).copied().or_else(|| self.tree.first_child(node))
    }

    /// From the root through the current node to the end of the variation last visited.
    fn line(&self) -> Vec<NodeId> {
        let mut line = self.tree.path(self.current);
        line.extend(std::iter::successors(self.next(self.current), |&node| self.next(node)));
        line
    }

    /// Goes a step; where there is none, stays.
    pub(crate) fn navigate(&mut self, step: Step) {
        let (tree, current) = (&self.tree, self.current);
        let ahead = |steps: usize| {
            std::iter::successors(Some(current), |&node| self.next(node)).take(steps.saturating_add(1)).last()
        };
        let back =
            |steps: usize| std::iter::successors(Some(current), |&node| tree.parent(node)).take(steps + 1).last();
        let target = match step {
            Step::First => Some(tree.root()),
            Step::Last => ahead(usize::MAX),
            Step::Next => ahead(1),
            Step::TenNext => ahead(10),
            Step::Previous => back(1),
            Step::TenPrevious => back(10),
            Step::NextVariation => tree.next_sibling(current),
            Step::PreviousVariation => tree.previous_sibling(current),
            Step::MainLine => self.fork_from_main_line(),
        };
        if let Some(target) = target.filter(|&node| node != current) {
            self.walk_to(target);
        }
    }

    /// The last node of the path to here that belongs to the main line.
    fn fork_from_main_line(&self) -> Option<NodeId> {
        let path = self.tree.path(self.current);
        let on_main_line = path.windows(2).take_while(|pair| self.tree.first_child(pair[0]) == Some(pair[1])).count();
        path.get(on_main_line).copied()
    }

    // ---- Changing ----

    /// Plays at the current node; a move that is there already is followed.
    pub(crate) fn play(&mut self, vertex: Vertex) -> Result<(), ApiError> {
        let game = self.game();
        let color = game.to_play();
        let played = self.move_to_play(vertex)?;
        let known = self.tree.children(self.current).find(|&child| {
            self.tree.move_at(child, self.size).is_some_and(|m| m.color == color && m.played == Ok(played))
        });
        // A move that a record has may break the rules; it can be followed all the same.
        if let Some(node) = known {
            self.note_followed(node);
            self.move_to(node);
            return Ok(());
        }
        game.legality(color, played).map_err(|error| ApiError::from_illegal_move(error, self.size))?;
        let node = self.tree.play(self.current, color, played, self.size).node;
        self.done(Edit::Added(node));
        self.move_to(node);
        Ok(())
    }

    /// A move on this board as the rules know it.
    fn move_to_play(&self, vertex: Vertex) -> Result<Move, ApiError> {
        match vertex {
            None => Ok(Move::Pass),
            Some(index) if usize::from(index) < self.size.area() => {
                Ok(Move::Place(Point::from_index(index.into(), self.size)))
            }
            Some(index) => Err(ApiError::IllegalMove {
                reason: crate::IllegalReason::Outside,
                message: format!("there is no point {index} on a {} board", self.size),
            }),
        }
    }

    /// Removes a node and what follows it.
    pub(crate) fn delete(&mut self, id: crate::NodeId) -> Result<(), ApiError> {
        let node = self.node(id)?;
        let parent = self.tree.parent(node);
        let (Some(parent), Some(detached)) = (parent, self.tree.detach(node)) else {
            return Err(ApiError::InvalidRequest { message: "the start of a game cannot be deleted".into() });
        };
        if !self.tree.is_attached(self.current) {
            self.current = parent;
        }
        self.done(Edit::Removed(detached));
        self.settle();
        Ok(())
    }

    /// Makes the variation through a node the main line.
    pub(crate) fn promote(&mut self, id: crate::NodeId) -> Result<(), ApiError> {
        let node = self.node(id)?;
        let edit = Edit::promote(&mut self.tree, node);
        self.done(edit);
        self.settle();
        Ok(())
    }

    /// Makes the variation that leads to the current node the main line, where it is not that already.
    pub(crate) fn promote_current(&mut self) -> Result<(), ApiError> {
        if self.fork_from_main_line() == Some(self.current) { Ok(()) } else { self.promote(self.current_id()) }
    }

    /// Changes what a person wrote into a node's comment. Words come in pieces while they are typed: one after the other
    /// they are one change, until something else is done or the game is saved.
    pub(crate) fn set_comment(&mut self, id: crate::NodeId, text: &str) -> Result<(), ApiError> {
        let node = self.node(id)?;
        let comment = self.tree.comment(node).unwrap_or_default();
        if comments::by_hand(&comment) != text {
            let comment = comments::with_text_by_hand(&comment, text);
            let edit = Edit::set_text(&mut self.tree, node, "C", &comment);
            let begun = if self.commented == Some(node) { self.undo.pop() } else { None };
            self.done(begun.map_or(edit, |begun| begun.edit));
            self.commented = Some(node);
        }
        Ok(())
    }

    /// Changes what the game says about itself; only what is different is touched.
    pub(crate) fn set_info(&mut self, new: &GameInfo) -> Result<(), ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        let old = self.info();
        let mut changes: Vec<(&str, String)> = [
            ("PB", &new.black, &old.black),
            ("BR", &new.black_rank, &old.black_rank),
            ("PW", &new.white, &old.white),
            ("WR", &new.white_rank, &old.white_rank),
            ("GN", &new.title, &old.title),
            ("EV", &new.event, &old.event),
            ("PC", &new.place, &old.place),
            ("DT", &new.date, &old.date),
            ("RE", &new.result, &old.result),
            ("GC", &new.comment, &old.comment),
        ]
        .into_iter()
        .filter(|(_, new, old)| new != old)
        .map(|(ident, new, _)| (ident, new.trim().to_owned()))
        .collect();
        if new.rules != old.rules {
            let preset = Preset::parse(&new.rules);
            let preset = preset.ok_or_else(|| invalid(format!("there is no ruleset {:?}", new.rules)))?;
            changes.push(("RU", rules_to_write(preset)));
            // Rules change no board: without a word of it, Daoqi's would.
            if let Some(topology) = topology_to_write(self.game().board().topology(), Some(preset)) {
                changes.push(("TOPO", topology.to_owned()));
            }
        }
        // Where the record names none they are read off its komi, and are to stay as they are.
        if new.komi != old.komi
            && new.rules == old.rules
            && self.tree.property(self.tree.root(), "RU").is_none()
            && let Some(preset) = Preset::parse(&old.rules)
        {
            changes.push(("RU", rules_to_write(preset)));
        }
        if new.komi != old.komi {
            let komi = honinbo_rules::Komi::from_points(new.komi.get()).map_err(|e| invalid(e.to_string()))?;
            // A mere 0 would be the usual komi in a record of Fox.
            let none = komi == honinbo_rules::Komi::ZERO;
            changes.push(("KM", if none { "0.0".to_owned() } else { komi_to_write(komi) }));
        }
        if new.handicap != old.handicap {
            changes.push(("HA", if new.handicap == 0 { String::new() } else { new.handicap.to_string() }));
        }
        if changes.is_empty() {
            return Ok(());
        }
        let root = self.tree.root();
        let mut edits: Vec<Edit> =
            changes.iter().map(|(ident, text)| Edit::set_text(&mut self.tree, root, ident, text)).collect();
        // A komi that the record does not name would become the usual one of other rules, or of another handicap.
        if self.info().komi != new.komi
            && let Ok(komi) = honinbo_rules::Komi::from_points(new.komi.get())
        {
            let unnamed = self.tree.property(root, "RU").is_none();
            if let Some(preset) = Preset::parse(&new.rules).filter(|_| unnamed) {
                edits.push(Edit::set_text(&mut self.tree, root, "RU", &rules_to_write(preset)));
            }
            edits.push(Edit::set_text(&mut self.tree, root, "KM", &komi_to_write(komi)));
        }
        self.done(Edit::Several(edits));
        self.settle();
        Ok(())
    }

    /// Reads all texts in another way. Somebody who tries several has made one change, until something else is done or
    /// the game is saved.
    pub(crate) fn read_texts(&mut self, reading: TextReading) -> Result<(), ApiError> {
        if reading.taken == reading.meant {
            return Ok(());
        }
        let lost = || ApiError::InvalidRequest { message: "a text of the game would be lost by reading it so".into() };
        let tree = self.tree.read_again(reading).ok_or_else(lost)?;
        let edit = Edit::Texts(Box::new(std::mem::replace(&mut self.tree, tree)));
        let saved_at = self.saved_at;
        let begun = self.undo.pop_if(|done| matches!(done.edit, Edit::Texts(_)) && saved_at != Some(done.number));
        self.done(begun.map_or(edit, |begun| begun.edit));
        self.settle();
        Ok(())
    }

    /// Takes the last change back, if there is one.
    pub(crate) fn undo_edit(&mut self) {
        let Some(Done { number, edit }) = self.undo.pop() else { return };
        let edit = edit.reverse(&mut self.tree);
        let seen_before = self.revision;
        self.note(&edit);
        self.redo.push(Done { number, edit });
        self.after_reversal(seen_before);
    }

    /// Does what was taken back once more, if there is anything.
    pub(crate) fn redo_edit(&mut self) {
        let Some(Done { number, edit }) = self.redo.pop() else { return };
        let edit = edit.reverse(&mut self.tree);
        let seen_before = self.revision;
        self.note(&edit);
        self.undo.push(Done { number, edit });
        self.after_reversal(seen_before);
    }

    fn after_reversal(&mut self, seen_before: u32) {
        // Windows look anew at a game of which something was taken back, also where their picture of the tree is the same.
        if self.revision == seen_before {
            self.revision += 1;
            self.branch = None;
        }
        self.commented = None;
        while !self.tree.is_attached(self.current) {
            self.current = self.tree.parent(self.current).unwrap_or(self.tree.root());
        }
        self.looks_different();
        self.settle();
    }

    /// Notes what a change that was just made or taken back is to windows and to the engine.
    fn note(&mut self, edit: &Edit) {
        self.note_positions(edit);
        if edit.is_seen_in(&self.tree) {
            self.revision += 1;
            self.branch = match edit {
                Edit::Added(top) if self.tree.next_sibling(*top).is_none() => Some(BranchChange::Grown(*top)),
                Edit::Removed(detached) => Some(BranchChange::Cut(detached.node())),
                _ => None,
            };
        }
    }

    fn note_positions(&mut self, edit: &Edit) {
        let root = self.tree.root();
        let start = honinbo_record::replay(&self.tree, root).game;
        let tops = if start == self.start { edit.changes_positions_at() } else { vec![root] };
        self.start = start;
        for top in tops {
            self.changed_positions.extend(self.tree.subtree(top).map(seam_id));
        }
    }

    /// Nodes whose position is another one than when this was asked last.
    pub(crate) fn take_changed_positions(&mut self) -> Vec<crate::NodeId> {
        let mut changed = std::mem::take(&mut self.changed_positions);
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    fn done(&mut self, edit: Edit) {
        self.note(&edit);
        self.redo.clear();
        self.commented = None;
        self.changes += 1;
        self.undo.push(Done { number: self.changes, edit });
        self.looks_different();
    }

    /// Windows are to look at it again, and it is to be kept again.
    pub(crate) fn looks_different(&mut self) {
        self.touched += 1;
        self.version = self.version.wrapping_add(1);
    }

    /// Grows whenever a window sees something change.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Brings what follows from the tree up to date.
    fn settle(&mut self) {
        let tree = &self.tree;
        self.followed.retain(|&parent, child| tree.is_attached(parent) && tree.is_attached(*child));
        self.replay = honinbo_record::replay(&self.tree, self.current);
    }
}

/// Writes who plays a game that begins, and on which day.
fn name_players(tree: &mut GameTree, wanted: &NewGame, now: u64) {
    let root = tree.root();
    for (ident, name) in [("PB", &wanted.black), ("PW", &wanted.white)] {
        if !name.trim().is_empty() {
            tree.set_text(root, ident, name.trim());
        }
    }
    if let Some(day) = wanted.minutes_ahead.and_then(|ahead| GameDate::at(now, ahead)) {
        tree.set_text(root, "DT", &day.to_string());
    }
}

/// Text without what file systems do not like in a name.
fn plain(text: &str) -> String {
    let kept = |c: char| if c.is_control() || "/\\:*?\"<>|.".contains(c) { ' ' } else { c };
    text.chars().map(kept).take(60).collect::<String>().split_whitespace().collect::<Vec<_>>().join("_")
}

/// A node's name across the seam.
pub(crate) fn seam_id(node: NodeId) -> crate::NodeId {
    crate::NodeId::try_from(node.index()).expect("the reader bounds the number of nodes")
}

fn diagnostic_view(diagnostic: &Diagnostic) -> RecordDiagnostic {
    RecordDiagnostic {
        line: diagnostic.line,
        column: diagnostic.column,
        serious: diagnostic.severity() == Severity::Error,
        problem: (&diagnostic.problem).into(),
    }
}

/// A problem of a game's content, which belongs to no line of a file.
fn problem_view(problem: &Problem) -> RecordDiagnostic {
    diagnostic_view(&Diagnostic::file(problem.clone()))
}
