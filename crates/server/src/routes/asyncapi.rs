//! The AsyncAPI document: the messages of a room.

use super::schema::SIDE;
use serde_json::Value;

/// Written by hand; a test compares it with what a room sends.
const DOCUMENT: &str = include_str!("asyncapi.json");

/// The whole document.
pub(super) fn document() -> Value {
    let mut document: Value = serde_json::from_str(DOCUMENT).expect("a part of the program that a test reads");
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    document["components"]["schemas"]["point"]["items"]["maximum"] = (SIDE - 1).into();
    document
}
