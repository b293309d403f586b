//! Booklets: positions to solve, as PDF with the solutions at its end, and as a page that plays.
//!
//! ```
//! use honinbo_booklet::{Booklet, Exercise, Language, Try};
//! use honinbo_rules::{Board, BoardSize, Color, Move, Point, Topology};
//!
//! let corner = [(Point::new(0, 1), Color::White)];
//! let board = Board::with_stones(BoardSize::new(9, 9).unwrap(), Topology::Plane, corner).unwrap();
//! let right = Try::new(Move::Place(Point::new(0, 0)), true);
//! let exercise = Exercise { heading: "Corner".into(), text: String::new(), board, to_play: Color::Black, tries: vec![right], played: None };
//! let booklet = Booklet { title: "Three corners".into(), language: Language::English, exercises: vec![exercise] };
//! assert!(booklet.page().contains("<!doctype html>"));
//! ```

mod content;
mod diagram;
mod fonts;
mod page;
mod pdf;
mod svg;
mod words;

pub use content::{Booklet, Exercise, Try};
pub use fonts::FontError;
pub use pdf::{Layout, Paper, PdfError};
pub use words::Language;
