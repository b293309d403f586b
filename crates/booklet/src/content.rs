//! What is in a booklet.

use crate::words::Language;
use honinbo_rules::{Board, Color, Move};

/// Positions to solve, under a title.
#[derive(Debug, Clone)]
pub struct Booklet {
    /// Its title.
    pub title: String,
    /// The language of its own words.
    pub language: Language,
    /// The positions, in their order.
    pub exercises: Vec<Exercise>,
}

/// A position to solve.
#[derive(Debug, Clone)]
pub struct Exercise {
    /// Where it comes from: a game, a problem's name; may be empty.
    pub heading: String,
    /// What is asked, beyond who is to play; may be empty.
    pub text: String,
    /// The position.
    pub board: Board,
    /// Who is to play.
    pub to_play: Color,
    /// Moves that are known, with what follows them. The first right one and the first moves below it are the solution.
    pub tries: Vec<Try>,
    /// The move that was played in the game and lost something, where there is one.
    pub played: Option<Move>,
}

/// A move, and what follows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    /// The move.
    pub played: Move,
    /// It solves the position, or leads to what does.
    pub right: bool,
    /// What is said of it; may be empty.
    pub text: String,
    /// The moves that are known to follow, the answer to give at the front.
    pub next: Vec<Self>,
}

impl Try {
    /// A move that nothing follows.
    #[must_use]
    pub fn new(played: Move, right: bool) -> Self {
        Self { played, right, text: String::new(), next: Vec::new() }
    }
}

impl Exercise {
    /// The moves of the solution, the first right ones and the answers to them.
    #[must_use]
    pub fn solution(&self) -> Vec<Move> {
        self.solution_line().iter().map(|tried| tried.played).collect()
    }

    pub(crate) fn solution_line(&self) -> Vec<&Try> {
        self.tries.iter().find(|tried| tried.right).map(Try::line).unwrap_or_default()
    }

    /// First moves that are as right as that of the solution.
    pub(crate) fn also_right(&self) -> Vec<Move> {
        let mut right: Vec<Move> = Vec::new();
        for tried in self.tries.iter().filter(|tried| tried.right) {
            if !right.contains(&tried.played) {
                right.push(tried.played);
            }
        }
        right.split_off(right.len().min(1))
    }

    /// Wrong first moves of which something is said, with the answers to them.
    pub(crate) fn refuted(&self) -> impl Iterator<Item = Vec<&Try>> {
        self.tries.iter().filter(|tried| !tried.right).map(Try::line).filter(|line| !words_of(line).is_empty())
    }
}

impl Try {
    /// The move, and the first right ones and the answers that follow it.
    fn line(&self) -> Vec<&Self> {
        let mut line = vec![self];
        let mut level = &self.next;
        let mut by_solver = false;
        while let Some(found) = if by_solver { level.iter().find(|tried| tried.right) } else { level.first() } {
            line.push(found);
            level = &found.next;
            by_solver = !by_solver;
        }
        line
    }
}

/// What is said along a line.
pub(crate) fn words_of(line: &[&Try]) -> String {
    let words: Vec<&str> = line.iter().map(|tried| tried.text.trim()).filter(|text| !text.is_empty()).collect();
    words.join(" ")
}
