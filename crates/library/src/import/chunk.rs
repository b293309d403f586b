//! Games on their way from the thread that reads through those that prepare to the one that writes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};

use honinbo_record::{Diagnostic, ReadGame};

use crate::error::LibraryError;
use crate::prepare::PreparedGame;
use crate::text::TextCodec;

/// A game as it was read.
pub(super) struct RawGame {
    /// The file, with the place in its archive.
    pub(super) path: PathBuf,
    pub(super) place: Place,
    pub(super) game: ReadGame,
}

/// Where a game stood: the number of the listed file, and the number of the game in it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) game: u32,
}

pub(super) struct Chunk {
    pub(super) number: u64,
    pub(super) games: Vec<RawGame>,
    /// Reports on whole files that end before this chunk's games or with them.
    pub(super) files: Vec<FileReport>,
}

pub(super) struct FileReport {
    pub(super) path: PathBuf,
    pub(super) n_games: usize,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) failure: Option<String>,
    /// The listed file that ends with this, and the games in it; `None`: it is a part of an archive.
    pub(super) ends: Option<Place>,
}

pub(super) struct PreparedChunk {
    pub(super) number: u64,
    pub(super) games: Vec<Result<ReadyGame, LibraryError>>,
    pub(super) files: Vec<FileReport>,
}

/// A prepared game and where it came from.
pub(super) struct ReadyGame {
    pub(super) path: PathBuf,
    pub(super) place: Place,
    pub(super) line: u32,
    /// There is something of a game of Go in it.
    pub(super) is_record: bool,
    pub(super) prepared: PreparedGame,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl FileReport {
    pub(super) fn of(path: PathBuf) -> Self {
        Self { path, n_games: 0, diagnostics: Vec::new(), failure: None, ends: None }
    }

    pub(super) fn refused(path: PathBuf, reason: impl Into<String>) -> Self {
        Self { failure: Some(reason.into()), ..Self::of(path) }
    }
}

/// Prepares games until no more come.
pub(super) fn prepare_chunks(receiver: &Mutex<Receiver<Chunk>>, sender: &SyncSender<PreparedChunk>, stop: &AtomicBool) {
    let mut codec = match TextCodec::new() {
        Ok(codec) => codec,
        Err(error) => {
            let failed = PreparedChunk { number: 0, games: vec![Err(error)], files: Vec::new() };
            drop(sender.send(failed));
            return;
        }
    };
    loop {
        let received = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(chunk) = received else { return };
        if stop.load(Ordering::Relaxed) {
            // What is left is taken and dropped, so that the reading thread never waits for room.
            continue;
        }
        let games = chunk.games.into_iter().map(|RawGame { path, place, game }| {
            let prepared = PreparedGame::new(&game.tree, &mut codec)?;
            // Looked for where there are no moves: with them it is one.
            let is_record = prepared.track.len() > 0 || game.tree.is_go_record();
            Ok(ReadyGame { path, place, line: game.line, is_record, prepared, diagnostics: game.diagnostics })
        });
        let prepared = PreparedChunk { number: chunk.number, games: games.collect(), files: chunk.files };
        if sender.send(prepared).is_err() {
            return;
        }
    }
}
