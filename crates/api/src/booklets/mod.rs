//! Booklets: turning points, cards and problems on paper, and as a page that plays.

mod exercise;
pub(crate) mod handlers;
mod list;
pub(crate) mod types;

use crate::games::opening::each_tree;
use crate::lessons::LessonsRoom;
use crate::library::LibraryRoom;
use crate::{ApiError, BookletForm, BookletMade, BookletOf, GameSource, MakeBooklet};
use base64::Engine as _;
use exercise::{of_problem, of_record};
use honinbo_booklet::{Booklet, Exercise, Language, Layout, Paper};
use honinbo_evaluator::StopFlag;
use honinbo_library::{NextProblem, StoredProblem};
use honinbo_record::{Tsumego, read_sgf_text};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// Positions of one booklet, at most: five hundred pages are no booklet.
const MAX_EXERCISES: u32 = 2_000;
/// Letters of a title.
const MAX_TITLE: usize = 200;

/// Makes booklets.
pub(crate) struct BookletsRoom {
    pub(crate) library: Arc<LibraryRoom>,
    pub(crate) lessons: Arc<LessonsRoom>,
}

impl BookletsRoom {
    pub(crate) fn make(&self, wanted: &MakeBooklet, stop: &StopFlag) -> Result<BookletMade, ApiError> {
        let exercises = match &wanted.of {
            BookletOf::Turns { game_id, side } => self.lessons.turning_exercises(game_id, *side)?,
            BookletOf::Deck => self.lessons.deck_exercises()?,
            BookletOf::Problems { collection } => self.problems(collection)?,
        };
        if stop.is_set() {
            return Err(ApiError::Cancelled);
        }
        made(wanted, exercises)
    }

    fn problems(&self, collection: &str) -> Result<Vec<Exercise>, ApiError> {
        let unknown = || ApiError::NotFound { message: format!("there is no collection {collection:?}") };
        let id = collection.parse().map_err(|_| unknown())?;
        let problems = self.library.next_problems(id, NextProblem::After(None), MAX_EXERCISES)?;
        let read = |problem: StoredProblem| {
            let tree = read_sgf_text(&problem.sgf).games.into_iter().next()?.tree;
            Some(of_problem(&Tsumego::read(tree)?))
        };
        Ok(problems.into_iter().filter_map(read).collect())
    }
}

/// A booklet of the records of files, with the number of those in which nothing says what is right. What `wanted` is
/// made of does not count.
///
/// # Errors
/// [`ApiError::UnreadableFile`] for a file that holds no record, and as the command `make_booklet`.
pub fn booklet_of_records(files: &[PathBuf], wanted: &MakeBooklet) -> Result<(BookletMade, u32), ApiError> {
    let (mut exercises, mut skipped) = (Vec::new(), 0);
    for file in files {
        let source = GameSource::Path { path: file.display().to_string() };
        each_tree(&source, &mut |tree| {
            match tree.and_then(of_record) {
                Some(exercise) => exercises.push(exercise),
                None => skipped += 1,
            }
            let full = exercises.len() >= MAX_EXERCISES as usize;
            if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
    }
    Ok((made(wanted, exercises)?, skipped))
}

/// Tags of the languages that a booklet's own words are in.
pub fn booklet_languages() -> impl Iterator<Item = &'static str> {
    Language::ALL.into_iter().map(Language::tag)
}

fn made(wanted: &MakeBooklet, exercises: Vec<Exercise>) -> Result<BookletMade, ApiError> {
    if exercises.is_empty() {
        return Err(ApiError::NotFound { message: "there is no position for a booklet yet".into() });
    }
    let n = u32::try_from(exercises.len()).unwrap_or(u32::MAX);
    let title = wanted.title.chars().filter(|letter| !letter.is_control()).take(MAX_TITLE).collect();
    let booklet = Booklet { title, language: Language::of_tag(&wanted.language), exercises };
    let bytes = match wanted.form {
        BookletForm::Page => booklet.page().into_bytes(),
        BookletForm::A4 | BookletForm::A5 => {
            let paper = if wanted.form == BookletForm::A5 { Paper::A5 } else { Paper::A4 };
            booklet.pdf(Layout { paper, columns: wanted.columns }).map_err(|error| ApiError::Library {
                message: format!("the booklet cannot be made: {error}"),
                hint: error.hint(),
            })?
        }
    };
    Ok(BookletMade { base64: base64::engine::general_purpose::STANDARD.encode(bytes), exercises: n })
}
