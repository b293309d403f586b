//! Arguments of a tool, checked against its own schema: assistants misspell, and what is passed over is answered wrongly.

use super::position::refused;
use super::tools::ToolSpec;
use honinbo_api::ApiError;
use serde_json::{Map, Value};

impl ToolSpec {
    /// The arguments as the tool takes them; `null` stands for one that is not given, and a number for its digits where
    /// a text is wanted.
    pub(super) fn arguments(&self, given: Map<String, Value>) -> Result<Map<String, Value>, ApiError> {
        let schema = (self.schema)();
        let none = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&none);
        let mut taken = Map::new();
        for (name, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
            let Some(wanted) = properties.get(&name) else {
                let names: Vec<&str> = properties.keys().map(String::as_str).collect();
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                return Err(refused(format!("there is no argument {name:?}; {} takes {names}", self.name)));
            };
            let value = match value {
                Value::Number(number) if wanted["type"] == "string" => Value::String(number.to_string()),
                value => value,
            };
            if !is_met(wanted, &value) {
                return Err(refused(format!("{name} is {}, expected {}", shortened(&value), described(wanted))));
            }
            taken.insert(name, value);
        }
        let mut required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        match required.find(|name| !taken.contains_key(*name)) {
            Some(missing) => Err(refused(format!("{missing} is missing; {} needs it", self.name))),
            None => Ok(taken),
        }
    }
}

/// Whether a value is what a schema asks for, in the words of JSON Schema that the tools use.
fn is_met(schema: &Value, value: &Value) -> bool {
    let is_of_kind = match kind(schema) {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.as_array().is_some_and(|items| items.iter().all(|item| is_met(&schema["items"], item))),
        _ => false,
    };
    let within = |limit: &str, holds: fn(&f64, &f64) -> bool| match (schema[limit].as_f64(), value.as_f64()) {
        (Some(limit), Some(number)) => holds(&number, &limit),
        _ => true,
    };
    is_of_kind
        && schema["enum"].as_array().is_none_or(|values| values.contains(value))
        && within("minimum", f64::ge)
        && within("maximum", f64::le)
}

fn kind(schema: &Value) -> &str {
    schema["type"].as_str().unwrap_or_default()
}

/// What a schema asks for, in words.
fn described(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or ");
    }
    let kind = kind(schema);
    match (schema["minimum"].as_i64(), schema["maximum"].as_i64()) {
        (Some(least), Some(most)) => format!("{kind} from {least} to {most}"),
        (Some(least), None) => format!("{kind} from {least} on"),
        _ if kind == "array" => format!("array of {}", described(&schema["items"])),
        _ => kind.to_owned(),
    }
}

/// A value that was given, as far as it is worth repeating.
fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]

    use crate::mcp::tools::TOOLS;
    use serde_json::{Value, json};

    fn taken(tool: &str, arguments: &Value) -> Result<Value, String> {
        let tool = TOOLS.iter().find(|spec| spec.name == tool).unwrap();
        let given = arguments.as_object().unwrap().clone();
        tool.arguments(given).map(Value::Object).map_err(|error| error.to_string())
    }

    #[test]
    fn what_a_tool_takes_is_taken() {
        for (tool, arguments) in [
            ("search_library", json!({ "winner": "black", "limit": 1, "offset": 0, "from": "2003" })),
            (
                "analyze_position",
                json!({ "moves": ["D4", "pass"], "komi": -0.5, "visits": 100_000, "ownership": false }),
            ),
            ("get_game", json!({ "id": "7" })),
            ("library_figures", json!({})),
        ] {
            assert_eq!(taken(tool, &arguments), Ok(arguments), "{tool}");
        }
        assert_eq!(taken("search_library", &json!({ "winner": null, "text": "go" })), Ok(json!({ "text": "go" })));
        assert_eq!(taken("get_game", &json!({ "id": 7 })), Ok(json!({ "id": "7" })));
    }

    #[test]
    fn what_a_tool_does_not_take_is_refused_with_what_it_takes() {
        for (tool, arguments, parts) in [
            (
                "search_library",
                json!({ "winner": "Black" }),
                &[r#"winner is "Black""#, r#""black" or "white""#] as &[&str],
            ),
            ("search_library", json!({ "players": "Ke Jie" }), &[r#"no argument "players""#, "player, "]),
            ("search_library", json!({ "limit": 0 }), &["limit is 0", "integer from 1 to 100"]),
            ("search_library", json!({ "offset": -1 }), &["offset is -1", "integer from 0"]),
            ("analyze_position", json!({ "moves": [], "visits": 0 }), &["visits is 0", "from 1 to 100000"]),
            ("analyze_position", json!({ "moves": [], "visits": 2.5 }), &["visits is 2.5", "integer"]),
            ("analyze_position", json!({ "moves": [], "visits": "20" }), &[r#"visits is "20""#, "integer"]),
            ("analyze_position", json!({ "moves": [4] }), &["moves is [4]", "array of string"]),
            ("analyze_position", json!({ "moves": "D4" }), &["array of string"]),
            ("show_position", json!({ "sgf": {} }), &["sgf is {}", "expected string"]),
            ("get_game", json!({}), &["id is missing", "get_game"]),
            ("get_game", json!({ "id": null }), &["id is missing"]),
            ("get_game", json!({ "id": true }), &["id is true", "expected string"]),
            ("library_figures", json!({ "year": 2003 }), &["takes none"]),
        ] {
            let why = taken(tool, &arguments).unwrap_err();
            assert!(parts.iter().all(|part| why.contains(part)), "{tool} {arguments}: {why}");
        }
        let long = taken("show_position", &json!({ "moves": "石".repeat(1000) })).unwrap_err();
        assert!(long.chars().count() < 150, "{long}");
    }
}
