//! The position that a tool is asked about.

use crate::records::{check_is_go, games_of, replay_options};
use crate::run::node_after;
use honinbo_api::ApiError;
use honinbo_record::{FoundGame, ReadLimits, Replay, ReplayOptions, replay_with};
use honinbo_rules::{BoardSize, Move, Topology};
use serde_json::{Map, Value};

/// The longest record that is taken.
const MAX_SGF_BYTES: usize = 4 << 20;

/// A number of the arguments; its schema keeps it within 32 bits.
pub(super) fn number(arguments: &Map<String, Value>, name: &str) -> Option<u32> {
    arguments.get(name)?.as_u64()?.try_into().ok()
}

/// A text of the arguments; empty where there is none.
pub(super) fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Rules and komi of the arguments.
pub(super) fn conditions(arguments: &Map<String, Value>) -> Result<ReplayOptions, ApiError> {
    let rules = Some(text(arguments, "rules")).filter(|rules| !rules.is_empty());
    replay_options(rules, arguments.get("komi").and_then(Value::as_f64))
}

pub(super) fn refused(message: String) -> ApiError {
    ApiError::InvalidRequest { message }
}

/// The game of an SGF text.
pub(super) fn game(arguments: &Map<String, Value>) -> Result<FoundGame, ApiError> {
    let sgf = text(arguments, "sgf");
    if sgf.is_empty() || sgf.len() > MAX_SGF_BYTES {
        return Err(refused("sgf must be a record of up to 4 MiB".into()));
    }
    let games = games_of(sgf.as_bytes().to_vec(), "sgf", ReadLimits::default(), &mut |_| {})?;
    let game = games.into_iter().next().ok_or_else(|| refused("sgf holds no game".into()))?;
    check_is_go(&game)?;
    Ok(game)
}

/// The position after the moves that were asked for.
pub(super) fn position(arguments: &Map<String, Value>) -> Result<Replay, ApiError> {
    let options = conditions(arguments)?;
    // Some assistants write every argument, those that they do not mean without content.
    let moves = arguments.get("moves").and_then(Value::as_array);
    let has_record = !text(arguments, "sgf").is_empty();
    let moves = match moves {
        Some(moves) if has_record && !moves.is_empty() => {
            return Err(refused("there are moves and sgf; give one of them".into()));
        }
        moves => moves.filter(|_| !has_record),
    };
    let found = match moves {
        Some(moves) => from_moves(moves, arguments)?,
        None if has_record => game(arguments)?,
        None => return Err(refused("there is no position; give it as sgf, or as moves with size".into())),
    };
    let tree = &found.game.tree;
    let (node, _) = node_after(tree, number(arguments, "after"), "the game")?;
    let replay = replay_with(tree, node, options);
    match replay.problems.first() {
        Some((_, problem)) if moves.is_some() => Err(refused(problem.to_string())),
        _ => Ok(replay),
    }
}

/// A record of moves in turn.
fn from_moves(moves: &[Value], arguments: &Map<String, Value>) -> Result<FoundGame, ApiError> {
    let side = |name: &str| number(arguments, name).or_else(|| number(arguments, "size")).unwrap_or(19) as usize;
    let (width, height) = (side("width"), side("height"));
    let size = BoardSize::new(width, height).map_err(|error| refused(error.to_string()))?;
    let sides = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let topology = Topology::parse(text(arguments, "topology")).unwrap_or_default();
    let mut sgf = format!("(;GM[1]FF[4]SZ[{sides}]TOPO[{topology}]");
    for (number, word) in moves.iter().enumerate() {
        let word = word.as_str().unwrap_or_default();
        let wrong = || refused(format!("move {} is {word:?}, expected a point such as D4, or pass", number + 1));
        let played = Move::from_gtp(word, size).filter(|mv| *mv != Move::Resign).ok_or_else(wrong)?;
        let color = if number % 2 == 0 { 'B' } else { 'W' };
        sgf.push_str(&format!(";{color}[{}]", honinbo_record::move_value(played)));
    }
    sgf.push(')');
    let games = games_of(sgf.into_bytes(), "moves", ReadLimits::default(), &mut |_| {})?;
    games.into_iter().next().ok_or_else(|| refused("there is no game".into()))
}
