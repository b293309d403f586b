//! Copies of the server's file, made while everybody goes on.

use super::error::OpenError;
use super::service::Rooms;
use std::path::Path;
use std::sync::Arc;

/// The folder with copies of the server's file, beside it, and how many are kept.
pub(super) const BACKUPS_FOLDER: &str = "backups";
const MAX_BACKUPS: usize = 10;

impl Rooms {
    /// Copies the store while everybody goes on, one copy at a time; answers its name and its bytes. The oldest copies go.
    pub(crate) async fn back_up(&self) -> Result<(String, u64), OpenError> {
        let folder = self.0.backups.clone().ok_or(OpenError::CopiedElsewhere)?;
        let inner = Arc::clone(&self.0);
        self.read(move |store| {
            let _one = inner.copying.lock();
            let name = next_copy(&folder, inner.clock.unix_ms());
            let copy = folder.join(&name);
            store.backup_to(&copy)?;
            let bytes = std::fs::metadata(&copy).map_or(0, |facts| facts.len());
            if let Err(error) = remove_old_copies(&folder) {
                tracing::warn!(%error, "old copies of the server's file could not be removed");
            }
            Ok((name, bytes))
        })
        .await
    }
}

/// The number in the name of a copy; `None` for other files.
fn number_of_copy(name: &str) -> Option<i64> {
    name.strip_prefix("server-")?.strip_suffix(".sqlite")?.parse().ok()
}

/// What the next copy is called: after the time, and behind the last one where the clock was set back since.
fn next_copy(folder: &Path, now_ms: i64) -> String {
    let copies = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let last = copies.filter_map(|entry| number_of_copy(entry.file_name().to_str()?)).max();
    let number = last.map_or(now_ms, |last| now_ms.max(last.saturating_add(1)));
    format!("server-{number}.sqlite")
}

/// Leaves the copies with the largest numbers. What was not finished goes, too.
fn remove_old_copies(folder: &Path) -> std::io::Result<()> {
    let mut copies = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path()))?;
        let Some(name) = name.to_str() else { continue };
        if let Some(number) = number_of_copy(name) {
            copies.push((number, path));
        } else if name.strip_suffix(".part").and_then(number_of_copy).is_some() {
            std::fs::remove_file(path)?;
        }
    }
    copies.sort();
    copies.iter().rev().skip(MAX_BACKUPS).try_for_each(|(_, path)| std::fs::remove_file(path))
}
