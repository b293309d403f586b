//! What a library keeps in memory beside its file.

/// Things that are cheap to lose: each is made again when it is asked for.
#[derive(Default)]
pub(crate) struct Caches {}

impl Caches {
    /// Forgets what depends on the list of games.
    pub(crate) fn games_changed(&self) {}
}
