//! The problems that come with the program, by theme and by grade. They are in no library until somebody begins with them.
//!
//! `scripts/problem-set` makes the files; `tests/shipped_problems.rs` proves their answers.

use super::ProblemsRoom;
use super::collections::{Read, content_of};
use crate::{ApiError, ProblemTheme, ProblemsOpened, ShippedProblems};
use honinbo_record::{Tsumego, read_sgf_text};
use std::sync::LazyLock;

/// In the order in which they are learnt.
const FILES: [(ProblemTheme, &str, &str); 15] = [
    (ProblemTheme::FirstSteps, "firstSteps", include_str!("../../problems/firstSteps.sgf")),
    (ProblemTheme::Capture, "capture", include_str!("../../problems/capture.sgf")),
    (ProblemTheme::Atari, "atari", include_str!("../../problems/atari.sgf")),
    (ProblemTheme::Escape, "escape", include_str!("../../problems/escape.sgf")),
    (ProblemTheme::Connect, "connect", include_str!("../../problems/connect.sgf")),
    (ProblemTheme::Cut, "cut", include_str!("../../problems/cut.sgf")),
    (ProblemTheme::Live, "live", include_str!("../../problems/live.sgf")),
    (ProblemTheme::Ladder, "ladder", include_str!("../../problems/ladder.sgf")),
    (ProblemTheme::Kill, "kill", include_str!("../../problems/kill.sgf")),
    (ProblemTheme::Net, "net", include_str!("../../problems/net.sgf")),
    (ProblemTheme::Snapback, "snapback", include_str!("../../problems/snapback.sgf")),
    (ProblemTheme::Race, "race", include_str!("../../problems/race.sgf")),
    (ProblemTheme::Endgame, "endgame", include_str!("../../problems/endgame.sgf")),
    (ProblemTheme::Seki, "seki", include_str!("../../problems/seki.sgf")),
    (ProblemTheme::Ko, "ko", include_str!("../../problems/ko.sgf")),
];

struct Shipped {
    theme: ProblemTheme,
    name: &'static str,
    problems: Vec<Read>,
    content: [u8; 16],
    levels: Vec<String>,
}

static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
    let read = |&(theme, name, text): &(ProblemTheme, &'static str, &str)| {
        let found: Vec<Tsumego> =
            read_sgf_text(text).games.into_iter().filter_map(|game| Tsumego::read(game.tree)).collect();
        let levels = found.iter().filter_map(|problem| Some(problem.level()?.to_string())).collect();
        let problems: Vec<Read> = found.iter().map(Read::of).collect();
        Shipped { theme, name, content: content_of(&problems), problems, levels }
    };
    FILES.iter().map(read).collect()
});

/// The theme of a problem that comes with the program.
pub(super) fn theme_of(problem: &Tsumego) -> Option<ProblemTheme> {
    let genre = problem.genre();
    FILES.iter().find(|(_, name, _)| *name == genre).map(|(theme, ..)| *theme)
}

/// The theme of a collection, by its content.
pub(super) fn theme_of_collection(content: &[u8]) -> Option<ProblemTheme> {
    SHIPPED.iter().find(|shipped| shipped.content == content).map(|shipped| shipped.theme)
}

/// All themes.
pub(super) fn shipped() -> Vec<ShippedProblems> {
    let told = |shipped: &Shipped| ShippedProblems {
        theme: shipped.theme,
        problems: u32::try_from(shipped.problems.len()).unwrap_or(u32::MAX),
        easiest: shipped.levels.first().cloned().unwrap_or_default(),
        hardest: shipped.levels.last().cloned().unwrap_or_default(),
    };
    SHIPPED.iter().map(told).collect()
}

impl ProblemsRoom {
    /// Takes the problems of a theme in, with what was tried of them before.
    pub(crate) fn open_shipped(&self, theme: ProblemTheme) -> Result<ProblemsOpened, ApiError> {
        let shipped = SHIPPED.iter().find(|shipped| shipped.theme == theme);
        let shipped = shipped.ok_or_else(|| ApiError::NotFound { message: "there are no such problems".into() })?;
        self.take_in(shipped.name, &shipped.problems, 0)
    }
}
