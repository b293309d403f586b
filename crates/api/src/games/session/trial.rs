//! Moves that are tried out: they hang in the tree like others, and the record is the tree without them.

use super::edit::Edit;
use super::{Done, Session, seam_id};
use crate::TrialStep;
use honinbo_record::{GameTree, NodeId};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What belongs to the record while moves are tried out. Every change made meanwhile is in the session's own history, so
/// that dropping the trial takes back all of it.
pub(super) struct Trial {
    /// Where it began.
    origin: NodeId,
    /// Nodes from this index on were made since.
    first_new: usize,
    /// Nodes of the record whose moves were played once more.
    passed: HashSet<NodeId>,
    followed: HashMap<NodeId, NodeId>,
    undo: Vec<Done>,
    redo: Vec<Done>,
}

impl Trial {
    /// Whether the moves that are tried lead to this node.
    fn reaches(&self, node: NodeId) -> bool {
        node == self.origin || node.index() >= self.first_new || self.passed.contains(&node)
    }
}

impl Session {
    /// Begins to try out moves, or ends it.
    pub(crate) fn try_out(&mut self, step: TrialStep) {
        match step {
            TrialStep::Begin => self.begin_trial(),
            TrialStep::Drop => {
                self.drop_trial();
                self.looks_different();
            }
            TrialStep::Keep => self.keep_trial(),
        }
    }

    /// The tree without what is only tried out.
    pub(crate) fn record(&self) -> Cow<'_, GameTree> {
        if self.trial.is_none() || self.undo.is_empty() {
            return Cow::Borrowed(&self.tree);
        }
        let mut tree = self.tree.clone();
        for done in self.undo.iter().rev() {
            done.edit.clone().reverse(&mut tree);
        }
        Cow::Owned(tree)
    }

    /// The changes of the record that can be taken back.
    pub(super) fn record_changes(&self) -> &[Done] {
        self.trial.as_ref().map_or(&self.undo, |trial| &trial.undo)
    }

    /// Where one stands in the record.
    pub(super) fn current_in_record(&self) -> NodeId {
        self.trial.as_ref().map_or(self.current, |trial| trial.origin)
    }

    /// Where moves began to be tried out, while they are.
    pub(super) fn trial_origin(&self) -> Option<crate::NodeId> {
        self.trial.as_ref().map(|trial| seam_id(trial.origin))
    }

    /// Goes to a node; one that the tried moves do not lead to ends the trial.
    pub(super) fn walk_to(&mut self, node: NodeId) {
        if self.trial.as_ref().is_some_and(|trial| !trial.reaches(node)) {
            self.drop_trial();
        }
        self.move_to(node);
    }

    /// A move that the record has was played.
    pub(super) fn note_followed(&mut self, node: NodeId) {
        if let Some(trial) = &mut self.trial {
            trial.passed.insert(node);
        }
    }

    fn begin_trial(&mut self) {
        if self.trial.is_some() {
            return;
        }
        self.commented = None;
        self.trial = Some(Trial {
            origin: self.current,
            first_new: self.tree.slot_count(),
            passed: HashSet::new(),
            followed: self.followed.clone(),
            undo: std::mem::take(&mut self.undo),
            redo: std::mem::take(&mut self.redo),
        });
        self.looks_different();
    }

    /// Takes back whatever was tried; whoever calls it says that windows are to look again.
    fn drop_trial(&mut self) {
        let Some(trial) = self.trial.take() else { return };
        while let Some(Done { edit, .. }) = self.undo.pop() {
            let edit = edit.reverse(&mut self.tree);
            self.note(&edit);
        }
        (self.undo, self.redo, self.followed) = (trial.undo, trial.redo, trial.followed);
        self.commented = None;
        self.current = trial.origin;
        self.settle();
    }

    /// What was tried is one change of the record, its last.
    fn keep_trial(&mut self) {
        let Some(trial) = self.trial.take() else { return };
        let tried = std::mem::replace(&mut self.undo, trial.undo);
        match tried.last().map(|done| done.number) {
            Some(number) => {
                let edits = tried.into_iter().map(|done| done.edit).collect();
                self.undo.push(Done { number, edit: Edit::Several(edits) });
                self.redo.clear();
            }
            None => self.redo = trial.redo,
        }
        self.commented = None;
        self.looks_different();
    }
}
