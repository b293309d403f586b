//! Reading the fields of a query, each with its own complaint.

use honinbo_rules::{BoardSize, Color, Move, Point};
use serde_json::{Map, Value};

/// Why a field is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldError {
    pub(crate) field: String,
    pub(crate) message: String,
}

impl FieldError {
    pub(crate) fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

/// The fields of one query.
pub(crate) struct Fields<'a>(pub(crate) &'a Map<String, Value>);

impl Fields<'_> {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A whole number in a range.
    pub(crate) fn integer(&self, name: &str, low: i64, high: i64) -> Result<Option<i64>, FieldError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_i64().filter(|number| (low..=high).contains(number));
        number.map(Some).ok_or_else(|| FieldError::new(name, format!("expected a whole number from {low} to {high}")))
    }

    /// A number in a range.
    pub(crate) fn number(&self, name: &str, low: f64, high: f64) -> Result<Option<f64>, FieldError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_f64().filter(|number| (low..=high).contains(number));
        number.map(Some).ok_or_else(|| FieldError::new(name, format!("expected a number from {low} to {high}")))
    }

    /// Whether something is wanted; not where it is not said.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, FieldError> {
        let Some(value) = self.get(name) else { return Ok(false) };
        value.as_bool().ok_or_else(|| FieldError::new(name, "expected true or false"))
    }

    /// A player.
    pub(crate) fn player(&self, name: &str) -> Result<Option<Color>, FieldError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let color = value.as_str().and_then(Color::parse);
        color.map(Some).ok_or_else(|| FieldError::new(name, "expected \"b\" or \"w\""))
    }

    /// A list of whole numbers.
    pub(crate) fn integers(&self, name: &str) -> Result<Option<Vec<i64>>, FieldError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let numbers = value.as_array().and_then(|list| list.iter().map(Value::as_i64).collect());
        numbers.map(Some).ok_or_else(|| FieldError::new(name, "expected a list of whole numbers"))
    }

    /// Pairs of player and move.
    pub(crate) fn turns(&self, name: &str, size: BoardSize) -> Result<Option<Vec<(Color, Move)>>, FieldError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let form = || FieldError::new(name, "expected a list of pairs such as [\"b\", \"D4\"]");
        let mut turns = Vec::new();
        for pair in value.as_array().ok_or_else(form)? {
            let Some([Value::String(color), Value::String(vertex)]) = pair.as_array().map(Vec::as_slice) else {
                return Err(form());
            };
            let color = Color::parse(color)
                .ok_or_else(|| FieldError::new(name, format!("could not parse player: {}", shortened(color))))?;
            turns.push((color, move_of(name, vertex, size)?));
        }
        Ok(Some(turns))
    }

    /// A list of moves.
    pub(crate) fn moves(&self, name: &str, size: BoardSize) -> Result<Option<Vec<Move>>, FieldError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let form = || FieldError::new(name, "expected a list of moves such as \"D4\"");
        let words = value.as_array().ok_or_else(form)?;
        let moves: Result<Vec<Move>, FieldError> =
            words.iter().map(|word| move_of(name, word.as_str().ok_or_else(form)?, size)).collect();
        moves.map(Some)
    }
}

/// A GTP vertex, `pass`, or `(x,y)` counted from the top left corner, both from 0.
fn move_of(field: &str, text: &str, size: BoardSize) -> Result<Move, FieldError> {
    let counted = || {
        let (x, y) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
        let point = (x.trim().parse::<u16>().ok()?, y.trim().parse::<u16>().ok()?);
        let (x, y) = (usize::from(point.0), usize::from(point.1));
        (x < size.width() && y < size.height()).then(|| Move::Place(Point::new(x, y)))
    };
    Move::from_gtp(text, size)
        .filter(|mv| *mv != Move::Resign)
        .or_else(counted)
        .ok_or_else(|| FieldError::new(field, format!("could not parse board location: {}", shortened(text))))
}

/// Enough of a foreign text to recognise it.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 100;
    if text.chars().count() <= MAX_CHARS {
        text.into()
    } else {
        text.chars().take(MAX_CHARS).chain("...".chars()).collect()
    }
}
