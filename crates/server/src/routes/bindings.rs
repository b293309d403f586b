//! What the page knows of this server: every route with what it takes and answers, and what goes over the sockets. It is
//! TypeScript made from the types of the handlers and of the rooms, and what the OpenAPI document says is compared with
//! the same types.

use super::failure::Failed;
use super::openapi;
use super::signature::Answered;
use super::table::{ROUTES, Route};
use crate::rooms::TournamentNews;
use honinbo_rooms::{LessonRequest, Request, ServerMessage};
use serde_json::Value;
use specta::datatype::{DataType, Fields, NamedReference, NamedReferenceType, Primitive, Reference};
use specta::{Format as _, Type, Types};
use specta_serde::{Phase, PhasesFormat, select_phase_datatype};
use specta_typescript::{Typescript, define, primitives};
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/api/clubBindings.ts");
const HEADER: &str = "// Written by `scripts/bindings` from crates/server and crates/rooms; never edited by hand.\n";

/// A route with the types that go in and out.
struct Typed {
    route: &'static Route,
    body: Option<DataType>,
    answer: Answered,
}

/// Every route, what goes over the sockets and what is answered instead, and all types that they name.
fn all() -> (Vec<Typed>, Vec<DataType>, Types) {
    let mut types = Types::default();
    let signatures: Vec<_> = ROUTES.iter().map(|route| (route, (route.handler.signature)(&mut types))).collect();
    let sent = [ServerMessage::definition, TournamentNews::definition, Failed::definition].map(|of| of(&mut types));
    let received = [Request::definition, LessonRequest::definition].map(|of| of(&mut types));
    let mut types = PhasesFormat.map_types(&types).unwrap().into_owned();
    // None is so large that JavaScript would round it, and JSON has none that is not finite.
    types.iter_mut(|named| {
        if let Some(ty) = &mut named.ty {
            each(ty, &mut |ty| {
                if matches!(
                    ty,
                    DataType::Primitive(Primitive::i64 | Primitive::u64 | Primitive::usize | Primitive::f64)
                ) {
                    *ty = define("number").into();
                }
            });
        }
    });
    let out = |ty: &DataType| select_phase_datatype(ty, &types, Phase::Serialize);
    let into = |ty: &DataType| select_phase_datatype(ty, &types, Phase::Deserialize);
    let routes = signatures.into_iter().map(|(route, signature)| Typed {
        route,
        body: signature.body.as_ref().map(into),
        answer: match signature.answer {
            Answered::Is(ty) => Answered::Is(out(&ty)),
            other => other,
        },
    });
    let routes = routes.collect();
    let others = sent.iter().map(out).chain(received.iter().map(into)).collect();
    (routes, others, types)
}

/// Visits a type and everything within it, but not what it names.
fn each(ty: &mut DataType, visit: &mut dyn FnMut(&mut DataType)) {
    visit(ty);
    match ty {
        DataType::Struct(found) => each_field(&mut found.fields, visit),
        DataType::Enum(found) => found.variants.iter_mut().for_each(|(_, one)| each_field(&mut one.fields, visit)),
        DataType::Tuple(found) => found.elements.iter_mut().for_each(|one| each(one, visit)),
        DataType::List(found) => each(&mut found.ty, visit),
        DataType::Map(found) => {
            each(found.key_ty_mut(), visit);
            each(found.value_ty_mut(), visit);
        }
        DataType::Nullable(inner) => each(inner, visit),
        DataType::Intersection(all) => all.iter_mut().for_each(|one| each(one, visit)),
        DataType::Reference(Reference::Named(NamedReference {
            inner: NamedReferenceType::Inline { dt, .. }, ..
        })) => {
            each(dt, visit);
        }
        DataType::Reference(_) | DataType::Primitive(_) | DataType::Generic(_) => {}
    }
}

fn each_field(fields: &mut Fields, visit: &mut dyn FnMut(&mut DataType)) {
    match fields {
        Fields::Unit => {}
        Fields::Unnamed(fields) => {
            fields.fields.iter_mut().filter_map(|one| one.ty.as_mut()).for_each(|ty| each(ty, visit))
        }
        Fields::Named(fields) => {
            fields.fields.iter_mut().filter_map(|(_, one)| one.ty.as_mut()).for_each(|ty| each(ty, visit));
        }
    }
}

/// Everything that these types name, and what that names, by its name.
fn named(roots: impl Iterator<Item = DataType>, types: &Types) -> BTreeMap<String, NamedReference> {
    let mut found = BTreeMap::new();
    let mut open: Vec<DataType> = roots.collect();
    while let Some(mut ty) = open.pop() {
        each(&mut ty, &mut |ty| {
            let DataType::Reference(Reference::Named(reference)) = ty else { return };
            // Those of the standard library are written where they are used.
            if matches!(reference.inner, NamedReferenceType::Inline { .. }) {
                return;
            }
            let Some(one) = types.get(reference) else { return };
            match found.insert(one.name.to_string(), reference.clone()) {
                None => open.extend(one.ty.clone()),
                Some(before) => assert!(types.get(&before) == Some(one), "two types are called {}", one.name),
            }
        });
    }
    found
}

const OUT: &str = "_Serialize";
const INTO: &str = "_Deserialize";

/// Gives each type the name that it has in Rust. Where a type comes otherwise than it is sent, as what may be left away is
/// always there in an answer, the form that comes is called wanted.
fn rename(types: &mut Types, found: &BTreeMap<String, NamedReference>) -> BTreeMap<String, String> {
    let mut wanted = BTreeSet::new();
    loop {
        let mut renamed = types.clone();
        renamed.iter_mut(|one| {
            let base = one.name.strip_suffix(OUT).map(str::to_owned);
            let taken = one
                .name
                .strip_suffix(INTO)
                .map(|base| if wanted.contains(base) { format!("Wanted{base}") } else { base.to_owned() });
            if let Some(name) = base.or(taken) {
                one.name = name.into();
            }
        });
        let written = |name: &str| {
            let one = renamed.get(found.get(name)?).expect("it was found there");
            Some((
                one.name.to_string(),
                primitives::export(&Typescript::default(), &renamed, [one].into_iter(), "").unwrap(),
            ))
        };
        let other: Vec<String> = found
            .keys()
            .filter_map(|name| name.strip_suffix(INTO))
            .filter(|base| !wanted.contains(*base))
            .filter(|base| {
                written(&format!("{base}{OUT}")).is_some_and(|out| Some(out) != written(&format!("{base}{INTO}")))
            })
            .map(str::to_owned)
            .collect();
        if other.is_empty() {
            let mut all = BTreeMap::new();
            for (name, text) in found.keys().filter_map(|name| written(name)) {
                let before = all.insert(name.clone(), text.clone());
                assert!(before.is_none_or(|before| before == text), "two types are called {name}");
            }
            *types = renamed;
            return all;
        }
        wanted.extend(other);
    }
}

fn typescript() -> String {
    let (routes, others, mut types) = all();
    let roots = routes.iter().flat_map(|typed| {
        let answer = if let Answered::Is(ty) = &typed.answer { Some(ty) } else { None };
        typed.body.iter().chain(answer).cloned()
    });
    let found = named(roots.chain(others), &types);
    let written = rename(&mut types, &found);
    let mut text = HEADER.to_owned();
    for one in written.values() {
        text += &format!("\n{one}");
    }
    text += "\n/** Every route by its method and its path: what it takes there, in its query and as its body, and what it answers. */\n";
    text += "export interface Routes {\n";
    for Typed { route, body, answer } in &routes {
        // Others are not asked by a page: they open a socket or send a browser elsewhere.
        if !(200..300).contains(&route.answer.0) {
            continue;
        }
        let name = |ty: &DataType| primitives::reference(&Typescript::default(), &types, ty).unwrap();
        let mut parts = Vec::new();
        let in_path: Vec<String> =
            openapi::in_path(route).map(|(name, kind)| format!("{name}: {}", word(kind))).collect();
        if !in_path.is_empty() {
            parts.push(format!("params: {{ {} }}", in_path.join(", ")));
        }
        let query: Vec<String> = route.query.iter().map(|(name, kind)| format!("{name}?: {}", word(kind))).collect();
        if !query.is_empty() {
            parts.push(format!("query?: {{ {} }}", query.join(", ")));
        }
        if let (Some(body), Some(schema)) = (body, route.body) {
            let mark = if openapi::needs_something(&schema()) { "" } else { "?" };
            parts.push(format!("body{mark}: {}", name(body)));
        }
        parts.push(match answer {
            Answered::Nothing => "answer: null".into(),
            Answered::Is(ty) => format!("answer: {}", name(ty)),
            Answered::Unsaid => "answer: unknown".into(),
        });
        text += &format!("\t/** {} */\n", route.summary);
        text += &format!("\t\"{} {}\": {{ {} }}\n", route.method.to_uppercase(), route.path, parts.join(", "));
    }
    text + "}\n"
}

/// How TypeScript calls what a parameter of an address is.
fn word(kind: &str) -> &'static str {
    match kind {
        "integer" | "side" | "handicap" => "number",
        "boolean" => "boolean",
        _ => "string",
    }
}

/// Writes the file instead of comparing it when `HONINBO_WRITE_BINDINGS=1` is set.
#[test]
fn the_types_of_the_page_are_current() {
    let fresh = typescript();
    if std::env::var_os("HONINBO_WRITE_BINDINGS").is_some() {
        std::fs::write(FILE, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        fresh == committed,
        "ui/src/api/clubBindings.ts is not what the routes and rooms say: run scripts/bindings"
    );
}

#[test]
fn the_openapi_document_says_what_the_handlers_do() {
    let (routes, _, types) = all();
    let mut wrong = Vec::new();
    for Typed { route, body, answer } in &routes {
        let place = format!("{} {}", route.method, route.path);
        match (body, route.body) {
            (Some(ty), Some(schema)) => {
                compare(&format!("{place} body"), Sent::Request, ty, &schema(), &types, &mut wrong)
            }
            (None, None) => {}
            _ => wrong.push(format!("{place}: the table and the handler do not agree whether there is a body")),
        }
        let schema = (route.answer.1)();
        match answer {
            Answered::Is(ty) => compare(&format!("{place} answer"), Sent::Answer, ty, &schema, &types, &mut wrong),
            Answered::Nothing if !schema.is_null() => wrong.push(format!("{place}: nothing is answered")),
            Answered::Nothing | Answered::Unsaid => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Which way a document goes.
#[derive(Clone, Copy)]
enum Sent {
    Request,
    Answer,
}

/// Notes where a schema has other fields, kinds or names than a type. What a type does not know, as limits, it may add.
fn compare(place: &str, sent: Sent, ty: &DataType, schema: &Value, types: &Types, wrong: &mut Vec<String>) {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let mut expect = |kind: &str| {
        // A choice has no kind of its own.
        let fits = kinds.is_empty() || kinds.contains(&kind) || kind == "number" && kinds.contains(&"integer");
        if !fits {
            wrong.push(format!("{place}: a {kind}, not {kinds:?}"));
        }
    };
    match ty {
        DataType::Nullable(inner) => {
            let choices = [&schema["enum"], &schema["oneOf"]].into_iter().filter_map(Value::as_array).flatten();
            if !kinds.contains(&"null") && !choices.into_iter().any(|one| one.is_null() || one["type"] == "null") {
                wrong.push(format!("{place}: it may be null"));
            }
            compare(place, sent, inner, schema, types, wrong);
        }
        DataType::List(list) => {
            expect("array");
            compare(&format!("{place}[]"), sent, &list.ty, &schema["items"], types, wrong);
        }
        DataType::Reference(Reference::Named(reference)) => {
            let inner = match &reference.inner {
                NamedReferenceType::Inline { dt, .. } => Some(&**dt),
                _ => types.get(reference).and_then(|one| one.ty.as_ref()),
            };
            if let Some(inner) = inner {
                compare(place, sent, inner, schema, types, wrong);
            }
        }
        DataType::Primitive(Primitive::bool) => expect("boolean"),
        DataType::Primitive(Primitive::str) => expect("string"),
        DataType::Primitive(_) => expect("number"),
        DataType::Enum(choice) if choice.variants.iter().all(|(_, one)| matches!(one.fields, Fields::Unit)) => {
            let names: BTreeSet<&str> = choice.variants.iter().map(|(name, _)| name.as_ref()).collect();
            let said: BTreeSet<&str> =
                schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if names != said {
                wrong.push(format!("{place}: {names:?}, not {said:?}"));
            }
        }
        _ => {
            let mut fields = BTreeMap::new();
            if !fields_of(ty, types, &mut fields) || schema["properties"].is_null() {
                return;
            }
            let said: BTreeSet<&str> =
                schema["properties"].as_object().into_iter().flat_map(|all| all.keys().map(String::as_str)).collect();
            let required: BTreeSet<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let names: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
            let needed: BTreeSet<&str> =
                fields.iter().filter(|(_, (optional, _))| !optional).map(|(name, _)| name.as_str()).collect();
            if names != said {
                wrong.push(format!("{place}: {:?} are not in both", names.symmetric_difference(&said)));
            }
            // A handler may refuse what a type lets through, as a lesson without a title.
            let differing: Vec<_> = match sent {
                Sent::Request => needed.difference(&required).collect(),
                Sent::Answer => needed.symmetric_difference(&required).collect(),
            };
            if !differing.is_empty() {
                wrong.push(format!("{place}: {differing:?} are not required in both"));
            }
            for (name, (_, ty)) in &fields {
                compare(&format!("{place}.{name}"), sent, ty, &schema["properties"][name], types, wrong);
            }
        }
    }
}

/// The fields of an object, with whether each may be missing; false where it is none of one form.
fn fields_of(ty: &DataType, types: &Types, fields: &mut BTreeMap<String, (bool, DataType)>) -> bool {
    match ty {
        DataType::Struct(found) => {
            let Fields::Named(all) = &found.fields else { return false };
            for (name, field) in &all.fields {
                fields.extend(field.ty.clone().map(|ty| (name.to_string(), (field.optional, ty))));
            }
            true
        }
        DataType::Intersection(all) => all.iter().all(|one| fields_of(one, types, fields)),
        DataType::Reference(Reference::Named(reference)) => match &reference.inner {
            NamedReferenceType::Inline { dt, .. } => fields_of(dt, types, fields),
            _ => types.get(reference).and_then(|one| one.ty.as_ref()).is_some_and(|ty| fields_of(ty, types, fields)),
        },
        _ => false,
    }
}
