//! Keeping the open games in the data folder, with those who play them: the next start goes on with both.

use crate::games::open_games::{Kept, OpenGamesFolder};
use crate::{App, OpenGameId};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How often changed games are written to the data folder, and the library is looked at.
const KEEP_EVERY: Duration = Duration::from_secs(1);

impl App {
    /// Opens again what was open when the program last ended, and from now on keeps the open games in the data
    /// folder, about once a second, so that neither a crash nor a power cut takes more than that. What other programs
    /// change in the library is looked for as often.
    ///
    /// For hosts with a window; call it once, before the first game is opened. While another program keeps its games
    /// in the same folder nothing is opened and nothing is kept, and windows say so.
    pub fn keep_open_games(self: &Arc<Self>) {
        match OpenGamesFolder::claim(&self.host().data_dir()) {
            Ok(folder) => self.open_kept_games(folder),
            Err(not_kept) => self.games.report_keeping(Some(not_kept)),
        }
        let app = Arc::downgrade(self);
        let _ = std::thread::Builder::new().name("keep-games".into()).spawn(move || {
            loop {
                std::thread::sleep(KEEP_EVERY);
                let Some(app) = app.upgrade() else { return };
                app.write_open_games();
                app.library.look_elsewhere();
            }
        });
    }

    fn open_kept_games(&self, folder: OpenGamesFolder) {
        let Kept { games, recovered, set_aside } = folder.read();
        self.games.recovered.store(recovered, Ordering::Relaxed);
        *self.games.set_aside.lock() = set_aside;
        let mut played = Vec::new();
        let mut sessions = Vec::new();
        for (session, play) in games {
            played.extend(play.map(|(tip, play)| (session.id.clone(), tip, play)));
            sessions.push(session);
        }
        self.games.restore(sessions);
        for (id, tip, play) in played {
            self.play.resume_play(&id, tip, play);
        }
        *self.games.kept.lock() = Some(folder);
    }

    /// Writes the open games that changed since they were last written.
    pub(crate) fn write_open_games(&self) {
        let mut kept = self.games.kept.lock();
        let Some(folder) = kept.as_mut() else { return };
        // Asked before the games, as locks are taken in that order: at worst a move is kept in the record that is not
        // played yet.
        let played = self.play.played_now();
        let open = self.games.all();
        let present: Vec<OpenGameId> = open.iter().map(|game| game.id.clone()).collect();
        let changed = folder.changed(&open, &played);
        let not_kept = folder.write(&**self.host(), &present, changed);
        self.games.report_keeping(not_kept);
    }

    /// Writes the open games for the last time, and lets go of their folder.
    pub(crate) fn write_open_games_at_the_end(&self) {
        self.write_open_games();
        self.play.close_all();
        if let Some(folder) = self.games.kept.lock().take() {
            folder.end();
        }
    }

    /// Lets go of an open game.
    pub(crate) fn remove_game(&self, id: &str) {
        self.games.remove(id);
        self.analysis.engine.forget(id);
        self.play.close(id);
    }
}
