//! The tools: their names, what they want, and what they answer.

use super::Work;
use super::backend::Backend;
use honinbo_api::ApiError;
use honinbo_rules::{BoardSize, Topology};
use serde_json::{Map, Value, json};

/// Gives a tool's answer from its arguments.
type Answer = fn(&Backend, &Map<String, Value>, &Work) -> Result<Value, ApiError>;

/// A tool.
pub(super) struct ToolSpec {
    pub(super) name: &'static str,
    /// For a person who is asked whether it may be used.
    pub(super) title: &'static str,
    /// For the assistant.
    pub(super) told: &'static str,
    /// What it wants, as JSON Schema.
    pub(super) schema: fn() -> Value,
    /// Whether it changes anything.
    pub(super) writes: bool,
    pub(super) answer: Answer,
}

pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "show_position",
        title: "Show a position",
        told: "Draws a position of a game as text, says whose turn it is, what was captured and which points are legal to play on.",
        schema: || position_schema(json!({}), &[]),
        writes: false,
        answer: |backend, arguments, _| backend.show_position(arguments),
    },
    ToolSpec {
        name: "analyze_position",
        title: "Search a position",
        told: "Searches a position and answers with the best moves, their visits, chances to win, leads in points and expected lines, and with the owner of each point.",
        schema: || {
            position_schema(
                json!({
                    "visits": { "type": "integer", "minimum": 1, "maximum": 100_000, "description": "How much to search; 100 unless given" },
                    "ownership": { "type": "boolean", "description": "Whether to say whose each point will be" },
                }),
                &[],
            )
        },
        writes: false,
        answer: Backend::analyze_position,
    },
    ToolSpec {
        name: "review_game",
        title: "Review a game",
        told: "Searches every position of a game and says how accurately each player played, what the worst moves were, what was better, and where the lead changed hands. Takes about a second a move.",
        schema: || {
            object(
                json!({
                    "sgf": { "type": "string", "description": "The game as SGF" },
                    "visits": { "type": "integer", "minimum": 2, "maximum": 10_000, "description": "Visits on each position; 50 unless given" },
                    "rules": rules_schema(), "komi": komi_schema(),
                }),
                &["sgf"],
            )
        },
        writes: false,
        answer: Backend::review_game,
    },
    ToolSpec {
        name: "search_library",
        title: "Search the library",
        told: "Finds games of the library by words (players, event, place, comment) and conditions.",
        schema: || {
            object(
                json!({
                    "text": { "type": "string", "description": "Words that must all occur" },
                    "player": { "type": "string", "description": "Part of a player's name" },
                    "opponent": { "type": "string", "description": "Part of the other player's name" },
                    "from": { "type": "string", "description": "First day: 2003, 2003-09 or 2003-09-25" },
                    "to": { "type": "string", "description": "Last day, in the same forms" },
                    "winner": { "type": "string", "enum": ["black", "white"] },
                    "offset": { "type": "integer", "minimum": 0, "maximum": u32::MAX },
                    "limit": { "type": "integer", "minimum": 1, "maximum": 100, "description": "20 unless given" },
                }),
                &[],
            )
        },
        writes: false,
        answer: |backend, arguments, _| backend.search_library(arguments),
    },
    ToolSpec {
        name: "get_game",
        title: "Read a game of the library",
        told: "Gives a game of the library as SGF, with its folder and tags.",
        schema: || {
            object(
                json!({
                    "id": { "type": "string", "description": "As search_library gives it" },
                    "evaluations": { "type": "boolean", "description": "Whether what is known of its positions is put into it" },
                }),
                &["id"],
            )
        },
        writes: false,
        answer: |backend, arguments, _| backend.get_game(arguments),
    },
    ToolSpec {
        name: "find_position",
        title: "Find a position in the library",
        told: "Finds the games of the library in which a position stands, turned and mirrored too, and says how they went on and who won.",
        schema: || {
            position_schema(
                json!({ "limit": { "type": "integer", "minimum": 1, "maximum": 100, "description": "Games that are named; 10 unless given" } }),
                &[],
            )
        },
        writes: false,
        answer: |backend, arguments, _| backend.find_position(arguments),
    },
    ToolSpec {
        name: "library_figures",
        title: "Figures of the library",
        told: "Says how many games and players the library has, who won how often, and from when its games are.",
        schema: || object(json!({}), &[]),
        writes: false,
        answer: |backend, _, _| backend.library_figures(),
    },
    ToolSpec {
        name: "save_game",
        title: "Keep a game in the library",
        told: "Keeps a game in the library and gives its id; one that is there already is not kept twice.",
        schema: || object(json!({ "sgf": { "type": "string", "description": "The game as SGF" } }), &["sgf"]),
        writes: true,
        answer: |backend, arguments, _| backend.save_game(arguments),
    },
];

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn rules_schema() -> Value {
    json!({ "type": "string", "description": "A ruleset such as chinese, japanese, korean, aga, tromp-taylor or, on a torus, daoqi; the record's unless given" })
}

fn komi_schema() -> Value {
    json!({ "type": "number", "description": "Points for White; the record's or the rules' unless given" })
}

/// What every tool that is about a position wants.
fn position_schema(more: Value, required: &[&str]) -> Value {
    let mut properties = json!({
        "sgf": { "type": "string", "description": "The game as SGF; instead of moves" },
        "moves": {
            "type": "array", "items": { "type": "string" },
            "description": "Moves from the empty board, Black first, in turn: [\"Q16\", \"D4\", \"pass\"]; instead of sgf",
        },
        "size": { "type": "integer", "minimum": BoardSize::MIN, "maximum": BoardSize::MAX, "description": "Side of the board for moves; 19 unless given" },
        "width": { "type": "integer", "minimum": BoardSize::MIN, "maximum": BoardSize::MAX, "description": "Columns of the board for moves; size unless given" },
        "height": { "type": "integer", "minimum": BoardSize::MIN, "maximum": BoardSize::MAX, "description": "Rows of the board for moves; size unless given" },
        "topology": {
            "type": "string", "enum": Topology::ALL.map(Topology::name),
            "description": "How the edges of the board for moves meet: plane unless given; on a cylinder left and right meet, on a torus all do",
        },
        "after": { "type": "integer", "minimum": 0, "maximum": 100_000, "description": "The position after so many moves; after the last unless given" },
        "rules": rules_schema(),
        "komi": komi_schema(),
    });
    if let (Some(properties), Value::Object(more)) = (properties.as_object_mut(), more) {
        properties.extend(more);
    }
    object(properties, required)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use super::*;

    #[test]
    fn what_is_required_is_described() {
        for tool in TOOLS {
            let schema = (tool.schema)();
            for name in schema["required"].as_array().unwrap() {
                assert!(schema["properties"].get(name.as_str().unwrap()).is_some(), "{}: {name}", tool.name);
            }
            assert!(tool.told.ends_with('.') && tool.told.len() > 40, "{}", tool.name);
        }
    }
}
