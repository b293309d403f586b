//! Closing games, and opening closed ones again.

use crate::games::GamesRoom;
use crate::games::game_file::GameFile;
use crate::games::played::PlayedNow;
use crate::games::session::Snapshot;
use crate::library::KeptAs;
use crate::path_text::path_to_text;
use crate::{
    ApiError, App, CloseGame, ClosedGame, Closing, ClosingQuestion, Event, GameUpdate, GameView, SavedGoban,
    UnsavedChanges,
};
use std::path::Path;

impl App {
    /// Closes a game, unless something is to be decided first.
    pub(crate) fn close_game(&self, wanted: &CloseGame) -> Result<Closing, ApiError> {
        let id = &wanted.game_id;
        self.play.keep_before_closing(id);
        let place = self.games.with_game(id, |session| Ok(session.unsaved_place()))?;
        let saves = match wanted.changes {
            UnsavedChanges::Ask if self.play.would_forfeit(id) => {
                return Ok(Closing { question: Some(ClosingQuestion::Forfeit) });
            }
            UnsavedChanges::Ask => match place {
                Some(place) if !self.settings.get().save_on_close => {
                    return Ok(Closing { question: Some(ClosingQuestion::Changes { place }) });
                }
                place => place.is_some(),
            },
            UnsavedChanges::Save | UnsavedChanges::Replace => place.is_some(),
            UnsavedChanges::Leave => false,
        };
        if saves && let Some(question) = self.games.save_changes(id, wanted.changes == UnsavedChanges::Replace)? {
            return Ok(Closing { question: Some(question) });
        }
        let record = self.games.with_game(id, |session| Ok(session.record_id.clone()))?;
        self.play.leave_rated(id);
        let played = self.play.leave_table(id);
        if let Err(error) = self.games.close_as_it_is(id, played.as_ref()) {
            if let Some(played) = played {
                self.play.resume_play(id, played.tip, played.play);
            }
            return Err(error);
        }
        self.remove_game(id);
        // A crash right now finds it among the closed games alone.
        self.write_open_games();
        // Also where it was not saved: its review may have been broken off just now.
        if let Some(record) = record {
            self.reviews.look_at(&record);
        }
        Ok(Closing { question: None })
    }

    /// Opens a closed game again, where one stood in it; one that was being played goes on.
    pub(crate) fn reopen_game(&self, closed: &str) -> Result<GameView, ApiError> {
        let kept = self.games.closed.get(closed)?;
        let mut played = None;
        let view = self.games.open_read(|id| {
            let session = kept.open(id)?;
            played = kept.played(&session);
            Ok(session)
        })?;
        if let Some((tip, play)) = played {
            self.play.resume_play(&view.game_id, tip, play);
        }
        // It is kept in one place at least at every moment.
        self.write_open_games();
        self.games.closed.remove(closed);
        Ok(view)
    }
}

impl GamesRoom {
    /// Keeps a game among the closed ones and closes it. One that is changed while it is written is written again.
    fn close_as_it_is(&self, id: &str, played: Option<&PlayedNow>) -> Result<(), ApiError> {
        let closed_at = u32::try_from(self.host.unix_seconds()).unwrap_or(u32::MAX);
        let game = self.find(id)?;
        let _turn = game.turn_to_save();
        let mut earlier: Option<String> = None;
        loop {
            let (touched, kept) = game.with(|session| {
                let kept = || (session.to_closed(closed_at, played.is_some()), session.to_kept(played));
                Ok((session.touched(), (!session.is_blank()).then(kept)))
            })?;
            let written = kept.map(|(shown, kept)| self.closed.add(&*self.host, shown, kept)).transpose();
            if let Some(earlier) = earlier.take() {
                self.closed.remove(&earlier);
            }
            earlier = written.map_err(|error| ApiError::UnwritableFile {
                file: self.host.data_dir().display().to_string(),
                message: error.to_string(),
            })?;
            if game.close_unless_touched(touched) {
                return Ok(());
            }
        }
    }

    /// Emits the list of closed games, if it changed since the last time.
    pub(crate) fn report_closed_games(&self) {
        if self.closed.changes.take() {
            self.host.emit(Event::ClosedGames(self.closed.list()));
        }
    }

    /// The games that can be opened again, the last closed first.
    pub(crate) fn closed_games(&self) -> Vec<ClosedGame> {
        self.closed.list()
    }

    /// Saves a game where it belongs. A file that another program changed is only written to where it `replaces` that;
    /// otherwise the answer is what is to be decided first.
    fn save_changes(&self, id: &str, replaces: bool) -> Result<Option<ClosingQuestion>, ApiError> {
        let Some(file) = self.with_game(id, |session| Ok(session.file.clone()))? else {
            self.save_to_library(id)?;
            return Ok(None);
        };
        if !replaces && file.is_changed() {
            let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            return Ok(Some(ClosingQuestion::FileChanged { name, path: path_to_text(&file.path) }));
        }
        self.save_to_file(id, &file.path, false)?;
        Ok(None)
    }

    /// Writes a game to a file, which it belongs to from then on.
    pub(crate) fn save_to_file(&self, id: &str, path: &Path, evaluations: bool) -> Result<GameUpdate, ApiError> {
        let write = |game: &Snapshot| {
            let text = if evaluations { self.engine.evaluated(&game.tree).in_utf8().to_sgf() } else { game.to_sgf() };
            self.host.write(path, text.as_bytes()).map_err(|error| ApiError::from_write(path, &error))?;
            Ok(GameFile::holding(path, text.as_bytes()))
        };
        self.find(id)?.save(write, |session, then, file| {
            let before = session.seen();
            session.saved_to_file(then, file);
            session.update(before)
        })
    }

    /// Keeps a game in the library: a new record, or a new text for its own. `save_goban` of a game.
    pub(crate) fn save_to_library(&self, id: &str) -> Result<SavedGoban, ApiError> {
        let write = |game: &Snapshot| -> Result<_, ApiError> {
            let sgf = game.to_sgf();
            let saved = self.library.keep_record(game.record_id.as_deref(), &sgf)?;
            let kept = match saved.duplicate_of {
                Some(_) => self.library.kept_as(&saved.id, &sgf)?,
                None => KeptAs::Record,
            };
            Ok((saved, kept))
        };
        self.find(id)?.save(write, |session, then, (saved, kept)| {
            match kept {
                KeptAs::Record => session.saved_to_library(then, &saved.id),
                KeptAs::Copy => session.saved_as_copy(then),
                KeptAs::Nothing => {}
            }
            saved
        })
    }
}
