//! The position that a tool is asked about.

use crate::records::{games_of, replay_options};
use crate::run::node_after;
use honinbo_api::ApiError;
use honinbo_record::{FoundGame, Replay, replay_with};
use honinbo_rules::{BoardSize, Move};
use serde_json::{Map, Value};

/// The longest record that is taken.
const MAX_SGF_BYTES: usize = 4 << 20;

/// A number of the arguments, or the usual one.
pub(super) fn number(arguments: &Map<String, Value>, name: &str, usual: u64, most: u64) -> Result<u64, ApiError> {
    match arguments.get(name) {
        None => Ok(usual),
        Some(value) => value
            .as_u64()
            .filter(|number| *number <= most)
            .ok_or_else(|| refused(format!("{name} is no number up to {most}"))),
    }
}

/// A text of the arguments; empty where there is none.
pub(super) fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Result<&'a str, ApiError> {
    match arguments.get(name) {
        None => Ok(""),
        Some(value) => value.as_str().ok_or_else(|| refused(format!("{name} is no text"))),
    }
}

pub(super) fn refused(message: String) -> ApiError {
    ApiError::InvalidRequest { message }
}

/// The game of an SGF text.
pub(super) fn game(arguments: &Map<String, Value>) -> Result<FoundGame, ApiError> {
    let sgf = text(arguments, "sgf")?;
    if sgf.is_empty() || sgf.len() > MAX_SGF_BYTES {
        return Err(refused("sgf must be a record of up to 4 MiB".into()));
    }
    let games = games_of(sgf.as_bytes().to_vec(), "sgf", &mut |_| {})?;
    games.into_iter().next().ok_or_else(|| refused("sgf holds no game".into()))
}

/// The position after the moves that were asked for.
pub(super) fn position(arguments: &Map<String, Value>) -> Result<Replay, ApiError> {
    let komi = match arguments.get("komi") {
        None => None,
        Some(value) => Some(value.as_f64().ok_or_else(|| refused("komi is no number".into()))?),
    };
    let rules = Some(text(arguments, "rules")?).filter(|rules| !rules.is_empty());
    let options = replay_options(rules, komi)?;
    let after = match arguments.get("after") {
        None => None,
        Some(_) => Some(number(arguments, "after", 0, 100_000)? as u32),
    };
    let found = match arguments.get("moves") {
        Some(Value::Array(moves)) => from_moves(moves, number(arguments, "size", 19, BoardSize::MAX as u64)? as usize)?,
        Some(_) => return Err(refused("moves is no list".into())),
        None => game(arguments)?,
    };
    let tree = &found.game.tree;
    let (node, _) = node_after(tree, after, "the game")?;
    let replay = replay_with(tree, node, options);
    match replay.problems.first() {
        Some((_, problem)) if arguments.contains_key("moves") => Err(refused(problem.to_string())),
        _ => Ok(replay),
    }
}

/// A record of moves in turn.
fn from_moves(moves: &[Value], side: usize) -> Result<FoundGame, ApiError> {
    let size = BoardSize::square(side).map_err(|error| refused(error.to_string()))?;
    let mut sgf = format!("(;GM[1]FF[4]SZ[{side}]");
    for (number, word) in moves.iter().enumerate() {
        let word = word.as_str().unwrap_or_default();
        let wrong = || refused(format!("move {} is {word:?}, expected a point such as D4, or pass", number + 1));
        let played = Move::from_gtp(word, size).filter(|mv| *mv != Move::Resign).ok_or_else(wrong)?;
        let color = if number % 2 == 0 { 'B' } else { 'W' };
        sgf.push_str(&format!(";{color}[{}]", honinbo_record::move_value(played)));
    }
    sgf.push(')');
    let games = games_of(sgf.into_bytes(), "moves", &mut |_| {})?;
    games.into_iter().next().ok_or_else(|| refused("there is no game".into()))
}
