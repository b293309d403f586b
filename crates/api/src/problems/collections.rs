//! Collections: taking files in, listing them, putting them away.

use super::ProblemsRoom;
use super::rating::{first_rating, shown};
use super::shipped::{shipped, theme_of_collection};
use crate::games::opening::each_tree;
use crate::{ApiError, GameSource, ProblemCollection, ProblemState, ProblemsOpened};
use honinbo_evaluator::StopFlag;
use honinbo_library::{KeptRating, NewProblem};
use honinbo_record::Tsumego;
use honinbo_rules::{Board, Color, splitmix};
use std::ops::ControlFlow;
use std::path::Path;

/// Problems of a collection.
const MAX_PROBLEMS: usize = 20_000;
/// Text of a collection's records.
const MAX_BYTES: usize = 64 << 20;
/// Characters of a collection's name.
const MAX_NAME: usize = 120;

/// A problem that was read.
pub(super) struct Read {
    board: Board,
    to_play: Color,
    sgf: String,
    rating: KeptRating,
}

impl Read {
    pub(super) fn of(problem: &Tsumego) -> Self {
        let board = problem.game().board().clone();
        let rating = first_rating(problem.level());
        Self { board, to_play: problem.solver(), sgf: problem.tree().to_sgf(), rating }
    }
}

impl ProblemsRoom {
    /// Takes the problems of a file in.
    pub(crate) fn open(&self, source: &GameSource, stop: &StopFlag) -> Result<ProblemsOpened, ApiError> {
        let (mut read, mut skipped, mut bytes, mut complete) = (Vec::<Read>::new(), 0_u32, 0_usize, true);
        each_tree(source, &mut |tree| {
            match tree.and_then(|tree| Tsumego::read(tree.in_utf8())) {
                Some(problem) => {
                    let problem = Read::of(&problem);
                    bytes = bytes.saturating_add(problem.sgf.len());
                    complete = read.len() < MAX_PROBLEMS && bytes <= MAX_BYTES;
                    read.push(problem);
                }
                None => skipped = skipped.saturating_add(1),
            }
            if complete && !stop.is_set() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        if stop.is_set() {
            return Err(ApiError::Cancelled);
        }
        if !complete {
            let message = format!("the file has more than {MAX_PROBLEMS} problems or 64 MiB of them; divide it");
            return Err(ApiError::InvalidRequest { message });
        }
        if read.is_empty() {
            return Ok(ProblemsOpened { collection: None, is_new: false, skipped });
        }
        self.take_in(&name_of(source), &read, skipped)
    }

    pub(super) fn take_in(&self, name: &str, read: &[Read], skipped: u32) -> Result<ProblemsOpened, ApiError> {
        let problems: Vec<NewProblem<'_>> = read
            .iter()
            .map(|Read { board, to_play, sgf, rating }| NewProblem { board, to_play: *to_play, sgf, rating: *rating })
            .collect();
        let (id, is_new) = self.library.add_problems(name, &content_of(read), &problems, self.host.unix_ms())?;
        let collection = self.state()?.collections.into_iter().find(|collection| collection.id == id.to_string());
        Ok(ProblemsOpened { collection, is_new, skipped })
    }

    /// The collections, how strong the person is, and the timed set.
    pub(crate) fn state(&self) -> Result<ProblemState, ApiError> {
        let collections = self.library.problem_collections()?.into_iter().map(|collection| ProblemCollection {
            id: collection.id.to_string(),
            name: collection.name,
            theme: theme_of_collection(&collection.content),
            problems: collection.problems,
            tried: collection.tried,
            solved: collection.solved,
        });
        Ok(ProblemState {
            collections: collections.collect(),
            shipped: shipped(),
            rating: self.library.solver_rating()?.map(shown),
            set: self.set_view(),
        })
    }

    /// Puts a collection away.
    pub(crate) fn remove(&self, id: &str) -> Result<ProblemState, ApiError> {
        self.library.remove_problems(Self::collection_id(id)?, self.host.unix_ms())?;
        self.state()
    }

    pub(super) fn collection_id(id: &str) -> Result<i64, ApiError> {
        id.parse().map_err(|_| ApiError::NotFound { message: format!("there is no collection {id:?}") })
    }
}

/// The file's name without its ending.
fn name_of(source: &GameSource) -> String {
    let (GameSource::Path { path: name } | GameSource::Content { name, .. }) = source;
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // The name of `book.sgf.gz` is `book`.
    let stem = stem.strip_suffix(".sgf").unwrap_or(&stem);
    stem.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect()
}

/// What tells collections apart: their records, in their order.
pub(super) fn content_of(problems: &[Read]) -> [u8; 16] {
    let mut lanes = [0x7473_756d_6567_6f31_u64, 0x6c69_6665_6465_6174];
    for problem in problems {
        for part in problem.sgf.as_bytes().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            for lane in &mut lanes {
                *lane = splitmix(*lane ^ u64::from_le_bytes(bytes)).rotate_left(17);
            }
        }
        for lane in &mut lanes {
            *lane = splitmix(lane.wrapping_add(problem.sgf.len() as u64));
        }
    }
    let mut content = [0; 16];
    content[..8].copy_from_slice(&lanes[0].to_le_bytes());
    content[8..].copy_from_slice(&lanes[1].to_le_bytes());
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_is_called_as_its_file() {
        let name = |path: &str| name_of(&GameSource::Path { path: path.into() });
        assert_eq!(
            ["/a/Gokyo Shumyo.sgf", "book.sgf.gz", "set.zip", ""].map(name),
            ["Gokyo Shumyo", "book", "set", ""]
        );
        assert_eq!(name_of(&GameSource::Content { name: "官子谱.sgf".into(), base64: String::new() }), "官子谱");
    }
}
