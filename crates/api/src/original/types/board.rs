//! A board and its moves as the original JSON protocol writes them.

use crate::ApiError;
use honinbo_rules::{BoardSize, Color, Move, Point};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use specta::Type;

/// The stones of a `run`: rows from the top, or one flat list of a square board; 0 empty, 1 black, -1 white.
///
/// What is no board at all is kept as the sentence that says why, so that it is reported as
/// [`ApiError::InvalidBoard`] and not as a request of the wrong form.
#[derive(Debug, Clone, PartialEq, Type)]
#[specta(transparent)]
pub struct WireBoard(#[specta(type = BoardForm)] Result<(BoardSize, Stones), String>);

pub(crate) type Stones = Vec<(Point, Color)>;

/// The moves of a `run`: `[["black",[x,y]],["white","pass"],...]`, `x` from the left and `y` from the top, both from 1.
#[derive(Debug, Clone, PartialEq, Type)]
#[specta(transparent)]
pub struct WireMoves(#[specta(type = MovesForm)] Result<Vec<WireTurn>, String>);

/// A turn; `None` is a pass, numbers are those of the request.
type WireTurn = (Color, Option<(i64, i64)>);

/// Its words in TypeScript.
macro_rules! written {
    ($name:ident, $form:literal) => {
        struct $name;

        impl Type for $name {
            fn definition(_: &mut specta::Types) -> specta::datatype::DataType {
                specta::datatype::DataType::Reference(specta_typescript::define($form))
            }
        }
    };
}

written!(BoardForm, "(-1 | 0 | 1)[][] | (-1 | 0 | 1)[]");
written!(MovesForm, "[\"black\" | \"white\", [number, number] | \"pass\" | null][]");

impl WireBoard {
    pub(crate) fn read(&self) -> Result<(BoardSize, &Stones), ApiError> {
        let read = self.0.as_ref().map_err(|message| ApiError::InvalidBoard { message: message.clone() })?;
        Ok((read.0, &read.1))
    }
}

impl WireMoves {
    /// The moves on a board of this size.
    pub(crate) fn on(&self, size: BoardSize) -> Result<Vec<(Color, Move)>, ApiError> {
        let invalid = |message: String| ApiError::InvalidRequest { message };
        let place = |coordinate: i64| usize::try_from(coordinate.checked_sub(1)?).ok();
        let turns = self.0.as_ref().map_err(|message| invalid(message.clone()))?;
        let one = |(number, &(color, at)): (usize, &WireTurn)| {
            let Some((x, y)) = at else { return Ok((color, Move::Pass)) };
            let point = place(x).zip(place(y)).map(|(x, y)| Point::new(x, y)).filter(|point| point.is_on(size));
            point
                .map(|point| (color, Move::Place(point)))
                .ok_or_else(|| invalid(format!("move {} of `moves` is outside the board", number + 1)))
        };
        turns.iter().enumerate().map(one).collect()
    }
}

impl<'de> Deserialize<'de> for WireBoard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(read_board(&Value::deserialize(deserializer)?)))
    }
}

impl<'de> Deserialize<'de> for WireMoves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(read_moves(&Value::deserialize(deserializer)?)))
    }
}

fn read_board(board: &Value) -> Result<(BoardSize, Stones), String> {
    let list = board.as_array().ok_or("`board` is no list")?;
    let nested = list.first().is_some_and(Value::is_array);
    let (width, cells): (usize, Vec<&Value>) = if nested {
        let rows: Option<Vec<&Vec<Value>>> = list.iter().map(Value::as_array).collect();
        let rows = rows.ok_or("some rows of `board` are no lists")?;
        let width = rows[0].len();
        if let Some((number, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
            return Err(format!("row {} of `board` has {} points, the first has {width}", number + 1, row.len()));
        }
        (width, rows.into_iter().flatten().collect())
    } else {
        let width = list.len().isqrt();
        if width * width != list.len() {
            let count = list.len();
            return Err(format!("`board` has {count} points, which is no square; give its rows instead"));
        }
        (width, list.iter().collect())
    };
    let height = cells.len().checked_div(width).unwrap_or(0);
    let size = BoardSize::new(width, height).map_err(|error| error.to_string())?;
    let mut stones = Stones::new();
    for (index, cell) in cells.into_iter().enumerate() {
        let point = Point::from_index(index, size);
        match cell.as_i64() {
            Some(0) => {}
            Some(1) => stones.push((point, Color::Black)),
            Some(-1) => stones.push((point, Color::White)),
            _ => {
                let (x, y) = (point.x() + 1, point.y() + 1);
                return Err(format!("x {x}, y {y} of `board` is {cell}, expected 0, 1 or -1"));
            }
        }
    }
    Ok((size, stones))
}

fn read_moves(moves: &Value) -> Result<Vec<WireTurn>, String> {
    let one = |entry: &Value| {
        let (color, at) = entry.as_array().and_then(|pair| Some((pair.first()?.as_str()?, pair.get(1)?)))?;
        let color = Color::parse(color)?;
        if at.is_null() || at.as_str() == Some("pass") {
            return Some((color, None));
        }
        let [x, y] = at.as_array()?.as_slice() else { return None };
        // A coordinate that is no whole number is on no board.
        let coordinate = |value: &Value| value.as_i64().unwrap_or(i64::MIN);
        Some((color, Some((coordinate(x), coordinate(y)))))
    };
    let list = moves.as_array().ok_or("`moves` is no list")?;
    let turn = |(number, entry): (usize, &Value)| {
        one(entry).ok_or_else(|| {
            format!("move {} of `moves` is not of the form [\"black\",[x,y]] or [\"white\",\"pass\"]", number + 1)
        })
    };
    list.iter().enumerate().map(turn).collect()
}
