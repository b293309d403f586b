//! Rooms and lessons that are at work, by their names.

use super::actor::Input;
use super::lesson::LessonSummary;
use super::summary::RoomSummary;
use honinbo_rooms::Stage;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;

#[derive(Clone)]
pub(super) struct Handle<S = RoomSummary> {
    pub(super) inputs: mpsc::Sender<Input>,
    pub(super) summary: Arc<Mutex<S>>,
}

/// Rooms that are at work.
#[derive(Default)]
pub(super) struct Registry {
    pub(super) by_key: HashMap<String, Handle>,
    /// The key of the last room that a person opened against an engine.
    engines: HashMap<String, String>,
    /// Lessons, which have numbers as rooms have.
    pub(super) lessons: HashMap<String, Handle<LessonSummary>>,
    /// How many have been let into a room or a lesson and are not in it yet.
    pub(super) arriving: HashMap<String, u32>,
}

/// Between what the rooms of one person and one engine have in common, and what tells them apart.
pub(super) const GAME: char = '#';

impl Registry {
    pub(super) fn insert(&mut self, key: String, handle: Handle) {
        if let Some((own, _)) = key.rsplit_once(GAME) {
            self.engines.insert(own.to_owned(), key.clone());
        }
        self.by_key.insert(key, handle);
    }

    pub(super) fn remove(&mut self, key: &str) {
        self.lessons.remove(key);
        self.by_key.remove(key);
        if let Some((own, _)) = key.rsplit_once(GAME)
            && self.engines.get(own).is_some_and(|last| last == key)
        {
            self.engines.remove(own);
        }
    }

    /// The key of the last room that a person opened against an engine, where that is here.
    pub(super) fn key_of_engine(&self, own: &str) -> Option<&String> {
        self.engines.get(own)
    }

    /// The same, where its game is not over.
    pub(super) fn of_engine_at_play(&self, own: &str) -> Option<String> {
        let key = self.key_of_engine(own)?;
        (self.by_key.get(key)?.summary.lock().stage != Stage::Over).then(|| key.clone())
    }

    pub(super) fn of_engine(&self, own: &str) -> Option<Handle> {
        self.by_key.get(self.key_of_engine(own)?).cloned()
    }
}
