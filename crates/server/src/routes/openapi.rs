//! The OpenAPI document, made from the table of routes.

use super::schema;
use super::sign_in;
use super::table::{Access, ROUTES, Route};
use serde_json::{Map, Value, json};

/// The whole document.
pub(super) fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Honinbo",
            "description": "Accounts, rooms and games of a Honinbo server. What goes over /ws/{room_id} is described by /api/asyncapi.json.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": paths,
        "components": {
            "schemas": { "Failure": schema::failure() },
            "securitySchemes": {
                "account": { "type": "http", "scheme": "bearer", "description": "the token of /api/login, /api/register or /api/guest" },
                "operator": { "type": "http", "scheme": "bearer", "description": "the access token that the server printed" },
            },
        },
    })
}

fn operation(route: &Route) -> Value {
    let mut responses = Map::new();
    let (status, answer) = route.answer;
    responses.insert(status.to_string(), response("as asked", &answer(), media_type(route)));
    let unauthorized = (401, "no token, or one that has ended");
    let too_large = (413, "the body is too long");
    let common = [(route.access != Access::Anyone).then_some(unauthorized), route.body.map(|_| too_large)];
    for (status, meaning) in route.errors.iter().copied().chain(common.into_iter().flatten()) {
        // 304 says that nothing changed: it has no body.
        let failure = if status < 400 { Value::Null } else { json!({ "$ref": "#/components/schemas/Failure" }) };
        responses.insert(status.to_string(), response(meaning, &failure, "application/json"));
    }
    let mut operation = json!({
        "summary": route.summary,
        "operationId": operation_id(route),
        "responses": responses,
    });
    if let Some(body) = route.body {
        let schema = body();
        let required = needs_something(&schema);
        operation["requestBody"] =
            json!({ "required": required, "content": { body_type(route): { "schema": schema } } });
    }
    let parameters = parameters(route);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    match route.access {
        Access::Anyone => {}
        Access::Person => operation["security"] = json!([{ "account": [] }]),
        Access::Operator => operation["security"] = json!([{ "operator": [] }]),
        Access::Both => operation["security"] = json!([{ "account": [] }, { "operator": [] }]),
    }
    operation
}

/// How a body is written: as JSON, but where a specification of others has a form.
fn body_type(route: &Route) -> &'static str {
    if route.path == sign_in::BACK_CHANNEL { "application/x-www-form-urlencoded" } else { "application/json" }
}

fn media_type(route: &Route) -> &'static str {
    match route.path {
        "/api/games/{id}" | "/api/lesson-records/{id}" => "application/x-go-sgf",
        "/metrics" => "text/plain",
        _ => "application/json",
    }
}

fn response(description: &str, schema: &Value, media_type: &str) -> Value {
    if schema.is_null() {
        return json!({ "description": description });
    }
    json!({ "description": description, "content": { media_type: { "schema": schema } } })
}

/// Whether there has to be a body: one of which everything may be left away may be left away itself.
pub(super) fn needs_something(schema: &Value) -> bool {
    schema["required"].as_array().is_some_and(|fields| !fields.is_empty())
}

/// Names and forms of the parameters in the path.
pub(super) fn in_path(route: &Route) -> impl Iterator<Item = (&'static str, &'static str)> {
    let names = route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    names.map(|name| (name, if name == "id" { "integer" } else { "string" }))
}

fn parameters(route: &Route) -> Vec<Value> {
    let path = in_path(route).map(|(name, kind)| {
        let schema = schema::of_parameter(kind);
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    });
    let query = route.query.iter().map(|(name, kind)| {
        let schema = schema::of_parameter(kind);
        json!({ "name": name, "in": "query", "schema": schema })
    });
    path.chain(query).collect()
}

fn operation_id(route: &Route) -> String {
    let words =
        route.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty() && *word != "api");
    words.fold(route.method.to_owned(), |id, word| format!("{id}_{word}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_route_is_described_once() {
        let document = document();
        let mut ids = HashSet::new();
        let mut count = 0;
        for path in document["paths"].as_object().unwrap().values() {
            for operation in path.as_object().unwrap().values() {
                assert!(ids.insert(operation["operationId"].clone()), "{operation}");
                count += 1;
            }
        }
        assert_eq!(count, ROUTES.len());
    }

    #[test]
    fn who_may_ask_is_said() {
        let document = document();
        assert_eq!(document["paths"]["/api/login"]["post"]["security"], Value::Null);
        assert_eq!(document["paths"]["/api/games/{id}"]["get"]["security"], json!([{ "account": [] }]));
        assert_eq!(document["paths"]["/api/sign-up-codes"]["post"]["security"], json!([{ "operator": [] }]));
    }
}
