//! A booklet as one page that plays: no connection, no other file; it knows no rules, as every board that can be reached
//! is in it.

use crate::content::{Booklet, Exercise, Try};
use crate::diagram::{Diagram, after, column_name};
use crate::words::Words;
use honinbo_rules::{Board, Color, Move};
use serde::Serialize;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Moves of one exercise that the page knows; a tree without end is cut.
const MAX_NODES: usize = 3_000;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageExercise {
    heading: String,
    text: String,
    width: usize,
    height: usize,
    /// How the columns are called.
    columns: Vec<String>,
    /// Left, top, right, bottom.
    window: [usize; 4],
    /// Whether the window ends at an edge of the board on the left, right, top and bottom.
    edges: [bool; 4],
    /// Which edges meet, in words.
    joined: Option<&'static str>,
    stars: Vec<usize>,
    black: bool,
    stones: String,
    tries: Vec<PageTry>,
    played: Option<i32>,
}

#[derive(Serialize)]
struct PageTry {
    /// The point row by row from the top left; -1 for a pass.
    at: i32,
    right: bool,
    text: String,
    /// The board after it: `x` black, `o` white.
    stones: String,
    next: Vec<Self>,
}

impl Booklet {
    /// The booklet as one HTML page, on which moves can be tried.
    #[must_use]
    pub fn page(&self) -> String {
        let words = self.language.words();
        let exercises: Vec<PageExercise> = self.exercises.iter().map(|one| exercise(one, &words)).collect();
        let json =
            |value: serde_json::Result<String>| value.unwrap_or_else(|_| "[]".to_owned()).replace('<', "\\u003c");
        let title = escape(&self.title);
        format!(
            "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<main></main>\n\
             <script type=\"application/json\" id=\"booklet\">{{\"words\":{},\"exercises\":{}}}</script>\n\
             <script>{SCRIPT}</script>\n</html>\n",
            self.language.tag(),
            json(serde_json::to_string(&words)),
            json(serde_json::to_string(&exercises)),
        )
    }
}

fn exercise(exercise: &Exercise, words: &Words) -> PageExercise {
    let size = exercise.board.size();
    let diagram = Diagram::question(exercise);
    let window = diagram.window;
    let mut left = MAX_NODES;
    PageExercise {
        heading: exercise.heading.clone(),
        text: exercise.text.clone(),
        width: size.width(),
        height: size.height(),
        columns: (0..size.width()).map(|column| column_name(column, size)).collect(),
        window: [window.left, window.top, window.right, window.bottom],
        edges: diagram.edges(),
        joined: words.edges(exercise.board.topology()),
        stars: diagram.stars().into_iter().map(|star| star.index(size)).collect(),
        black: exercise.to_play == Color::Black,
        stones: stones(&exercise.board),
        tries: tries(&exercise.tries, &exercise.board, exercise.to_play, &mut left),
        played: exercise.played.map(|played| index(played, &exercise.board)),
    }
}

fn tries(known: &[Try], board: &Board, color: Color, left: &mut usize) -> Vec<PageTry> {
    let mut found = Vec::new();
    for tried in known {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let then = after(board, color, tried.played);
        found.push(PageTry {
            at: index(tried.played, board),
            right: tried.right,
            text: tried.text.clone(),
            stones: stones(&then),
            next: tries(&tried.next, &then, color.opponent(), left),
        });
    }
    found
}

fn index(played: Move, board: &Board) -> i32 {
    played.point().map_or(-1, |point| i32::try_from(point.index(board.size())).unwrap_or(-1))
}

fn stones(board: &Board) -> String {
    let sign = |stone| match stone {
        Some(Color::Black) => 'x',
        Some(Color::White) => 'o',
        None => '.',
    };
    board.points().map(sign).collect()
}

/// Text as part of a page.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;
    use honinbo_rules::{BoardSize, Topology};

    #[test]
    fn columns_beyond_z_have_names_of_two_letters() {
        let exercise = Exercise {
            heading: String::new(),
            text: String::new(),
            board: Board::new(BoardSize::new(27, 9).unwrap(), Topology::Plane),
            to_play: Color::Black,
            tries: vec![Try::new(Move::Pass, true)],
            played: None,
        };
        let booklet = Booklet { title: String::new(), language: Language::English, exercises: vec![exercise] };
        let page = booklet.page();
        assert!(page.contains(r#""columns":["A","B","C","#) && page.contains(r#""Y","Z","AA","AB"],"#), "{page}");
        assert!(SCRIPT.contains("exercise().columns["), "the page names points by them");
    }

    #[test]
    fn a_page_says_which_edges_meet_and_draws_none_there() {
        let page = |topology| {
            let exercise = Exercise {
                heading: String::new(),
                text: String::new(),
                board: Board::new(BoardSize::NINE, topology),
                to_play: Color::Black,
                tries: vec![Try::new(Move::Pass, true)],
                played: None,
            };
            Booklet { title: String::new(), language: Language::English, exercises: vec![exercise] }.page()
        };
        let torus = page(Topology::Torus);
        assert!(
            torus.contains(r#""edges":[false,false,false,false],"joined":"All edges meet.","stars":[]"#),
            "{torus}"
        );
        assert!(page(Topology::Cylinder).contains(r#""edges":[false,false,true,true],"joined":"The left and right"#));
        assert!(page(Topology::Plane).contains(r#""joined":null"#));
    }
}
