//! The rules of Go: boards, topologies, rulesets, legality, scoring, ladders and pass-alive areas.
//!
//! Two levels: [`Board`] knows stones, chains, captures and the simple ko point, and is made for speed; [`Game`] adds
//! turns, the ruleset with its history (superko, clean-up phases, button, bonuses) and the result.
//! No I/O, no clock, no random source: everything is an argument.
//!
//! ```
//! use honinbo_rules::{Color, Game, IllegalMove, Move, Point, Preset, Setup};
//!
//! let mut game = Game::new(Setup::preset(Preset::Chinese)).unwrap();
//! let size = game.board().size();
//! for (color, vertex) in [(Color::Black, "Q16"), (Color::White, "D4"), (Color::Black, "pass"), (Color::White, "pass")] {
//!     game.play(color, Move::from_gtp(vertex, size).unwrap()).unwrap();
//! }
//! assert!(game.is_finished());
//! assert_eq!(game.outcome().unwrap().to_sgf(), "W+7.5");
//! assert_eq!(game.play(Color::Black, Move::Pass), Err(IllegalMove::GameOver));
//! # let _ = Point::new(0, 0);
//! ```

mod area;
mod bench;
mod board;
mod canonical;
mod clean_up;
mod color;
mod dame;
mod dead;
mod diagram;
mod error;
mod frame;
mod game;
mod geometry;
mod komi;
mod ladder;
mod ladder_line;
mod life;
mod outcome;
mod playout;
mod point;
mod preset;
mod random;
mod rows;
mod ruleset;
mod ruleset_sgf;
mod ruleset_text;
mod score;
mod setup;
mod size;
mod symmetry;
mod zobrist;

pub use area::{AreaMap, AreaOptions, area_map, area_map_with, pass_alive};
pub use bench::{BenchFigure, bench, bench_games};
pub use board::{Board, Chain, Played, Points};
pub use canonical::{Canonical, canonical, canonical_hash};
pub use clean_up::clean_up_move;
pub use color::Color;
pub use dead::DeadStones;
pub use error::{IllegalMove, SetupError};
pub use frame::{NoFrame, framed};
pub use game::{Game, MAX_TURNS, Phase, PositionIdentity, Terms, Turn};
pub use komi::{Komi, KomiError};
pub use ladder::{LadderReader, Laddered, ladders};
pub use ladder_line::{LadderLine, ladder_line};
pub use life::{IndependentLife, Keep, independent_life};
pub use outcome::{Outcome, WinBy};
pub use point::{Move, Point};
pub use preset::Preset;
pub use random::{Random, mix, splitmix};
pub use ruleset::{HandicapBonus, KoRule, Ruleset, Scoring, Tax};
pub use ruleset_text::{ParsedRuleset, RulesetError};
pub use score::{Score, SideScore};
pub use setup::{HandicapCount, Setup, fixed_handicap, handicap_points};
pub use size::{BoardSize, ParseSizeError, SizeError, Topology};
pub use symmetry::Symmetry;
pub use zobrist::PositionHash;
