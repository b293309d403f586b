//! The lines of the original JSON protocol: which command a request means, and how answers are written.

use honinbo_api::{ApiError, RunProgress, RunSoFar};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The longest line that is accepted, in bytes: 1 MiB.
pub(crate) const MAX_LINE: usize = 1 << 20;
/// Longest text that is repeated as the id of a request, in characters.
const MAX_ID_CHARS: usize = 100;
/// How often progress is told where no interval is asked for, and the shortest and longest that can be.
const PROGRESS_EVERY: Duration = Duration::from_millis(500);
const MIN_PROGRESS_SECONDS: f64 = 0.1;
const MAX_PROGRESS_SECONDS: f64 = 3600.0;

/// A request line that was understood as far as its operator.
#[derive(Debug, PartialEq)]
pub(crate) struct Request {
    /// As the client wrote it; answers repeat it.
    pub(crate) operator: Value,
    /// The client's own name for the request, which its answer and its progress repeat.
    pub(crate) id: Option<Value>,
    /// How often the progress of a `run` is told; `None` does not tell it.
    pub(crate) progress: Option<Duration>,
    /// What to do, or the answer that it cannot be done.
    pub(crate) command: Result<Command, ApiError>,
}

/// What a request asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// A command of the back end, with its arguments.
    Call(&'static str, Value),
    /// Ends the `run` under way.
    Cancel,
}

/// The answer to a line that asks to end the `run` under way; `None` where it asks for something else. Reads no more of
/// it than needed.
pub(crate) fn answer_to_cancel(line: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Head {
        operator: Option<Value>,
        id: Option<Value>,
    }
    let line = without_mark(line).trim_ascii_start();
    if !line.starts_with(b"{") {
        return None; // An array would do as a `Head` too.
    }
    let Head { operator, id } = serde_json::from_slice(line).ok()?;
    let operator = operator.filter(|operator| operator.as_str() == Some("cancel"))?;
    Some(answer_line(&operator, id.filter(is_id).as_ref(), Ok(Value::Null)))
}

/// Understands a line.
pub(crate) fn parse(line: &[u8]) -> Request {
    let unreadable = |message: String| Request {
        operator: Value::Null,
        id: None,
        progress: None,
        command: Err(ApiError::InvalidRequest { message }),
    };
    let value: Value = match serde_json::from_slice(without_mark(line)) {
        Ok(value) => value,
        Err(error) => return unreadable(format!("the line is not JSON: {error}")),
    };
    let Value::Object(mut fields) = value else {
        return unreadable(format!("a request is a JSON object, this is {}", kind_of(&value)));
    };
    // The open games are those of the windows.
    fields.remove("gameId");
    let id = fields.remove("id").filter(is_id);
    let operator = fields.get("operator").cloned().unwrap_or(Value::Null);
    let request = |operator, command| Request { operator, id, progress: None, command };
    match operator.as_str() {
        Some("run") => match progress_of(&fields.remove("progress").unwrap_or(Value::Null)) {
            Ok(progress) => Request { progress, ..request(operator, Ok(Command::Call("run", Value::Object(fields)))) },
            Err(error) => request(operator, Err(error)),
        },
        Some("saveGoban") => request(operator, Ok(Command::Call("save_goban", Value::Object(fields)))),
        Some("cancel") => request(operator, Ok(Command::Cancel)),
        Some(other) => {
            let message = format!("there is no operator {:?}; use run, saveGoban or cancel", shortened(other));
            request(json!(shortened(other)), Err(ApiError::InvalidRequest { message }))
        }
        None => {
            let message = "a request needs an \"operator\": \"run\", \"saveGoban\" or \"cancel\"".to_string();
            request(Value::Null, Err(ApiError::InvalidRequest { message }))
        }
    }
}

/// A number or a short text; anything else names nothing, as before there were ids.
fn is_id(value: &Value) -> bool {
    value.is_number() || value.as_str().is_some_and(|text| text.chars().count() <= MAX_ID_CHARS)
}

fn progress_of(wanted: &Value) -> Result<Option<Duration>, ApiError> {
    match wanted {
        Value::Null | Value::Bool(false) => return Ok(None),
        Value::Bool(true) => return Ok(Some(PROGRESS_EVERY)),
        _ => {}
    }
    let seconds = wanted.as_f64().filter(|seconds| (MIN_PROGRESS_SECONDS..=MAX_PROGRESS_SECONDS).contains(seconds));
    let seconds = seconds.ok_or_else(|| ApiError::InvalidRequest {
        message: format!("progress is true or an interval of {MIN_PROGRESS_SECONDS} to {MAX_PROGRESS_SECONDS} seconds"),
    })?;
    Ok(Some(Duration::from_secs_f64(seconds)))
}

/// How far a `run` has come, as one line without its end. Unlike an answer it has no `ok`.
pub(crate) fn progress_line(id: Option<&Value>, progress: &RunProgress<'_>) -> String {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Progress<'a> {
        operator: &'static str,
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a Value>,
        visits: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        wanted_visits: Option<u64>,
        seconds: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        allowed_seconds: Option<f64>,
        #[serde(flatten)]
        so_far: Option<RunSoFar>,
    }
    to_line(&Progress {
        operator: "run",
        kind: "progress",
        id,
        visits: progress.visits,
        wanted_visits: (progress.wanted_visits > 0).then_some(progress.wanted_visits),
        seconds: progress.elapsed.as_secs_f64(),
        allowed_seconds: progress.allowed.map(|allowed| allowed.as_secs_f64()),
        so_far: progress.so_far(),
    })
}

/// The answer to a request, as one line without its end.
pub(crate) fn answer_line(operator: &Value, id: Option<&Value>, result: Result<Value, ApiError>) -> String {
    match result {
        Ok(answer) => success(operator, id, answer),
        Err(error) => failure(operator, id, error_object(&error)),
    }
}

/// Whether a line is the first one of an HTTP request: a web page that tries to speak to this port.
pub(crate) fn is_http(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(&line[..line.len().min(4096)]) else { return false };
    let mut words = line.split(' ');
    let method = words.next().unwrap_or_default();
    (3..=8).contains(&method.len())
        && method.bytes().all(|byte| byte.is_ascii_uppercase())
        && line.trim_end().rsplit(' ').next().is_some_and(|last| last.starts_with("HTTP/"))
}

/// The answer to a request that was done, as one line without its end: `operator`, `ok`, then what the command answered.
pub fn success_line(operator: &Value, answer: Value) -> String {
    success(operator, None, answer)
}

fn success(operator: &Value, id: Option<&Value>, answer: Value) -> String {
    #[derive(Serialize)]
    struct Success<'a> {
        operator: &'a Value,
        ok: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a Value>,
        #[serde(flatten)]
        answer: Map<String, Value>,
    }
    let answer = match answer {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    // That of a record that was kept stood there before requests had any.
    let id = id.filter(|_| !answer.contains_key("id"));
    to_line(&Success { operator, ok: true, id, answer })
}

/// The answer to a request that was not done, as one line without its end.
/// The error always has `kind` and `message`, and `hint` where there is a remedy.
pub fn failure_line(operator: &Value, error: &ApiError) -> String {
    failure(operator, None, error_object(error))
}

/// As [`failure_line`], for what the back end never sees.
pub(crate) fn refusal_line(operator: &Value, kind: &str, message: &str) -> String {
    failure(operator, None, json!({ "kind": kind, "message": message }))
}

fn failure(operator: &Value, id: Option<&Value>, error: Value) -> String {
    #[derive(Serialize)]
    struct Failure<'a> {
        operator: &'a Value,
        ok: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<&'a Value>,
        error: Value,
    }
    to_line(&Failure { operator, ok: false, id, error })
}

fn error_object(error: &ApiError) -> Value {
    let mut value = serde_json::to_value(error).unwrap_or_else(|_| json!({ "kind": "internal" }));
    if let Value::Object(fields) = &mut value {
        fields.entry("message").or_insert_with(|| Value::String(error.to_string()));
    }
    value
}

fn to_line(answer: &impl Serialize) -> String {
    // Strings, numbers, lists and maps with string keys: nothing that JSON cannot hold.
    serde_json::to_string(answer).unwrap_or_else(|_| {
        r#"{"operator":null,"ok":false,"error":{"kind":"internal","message":"the answer is no JSON"}}"#.into()
    })
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_string() } else { text.chars().take(40).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(line: &str) -> String {
        let request = parse(line.as_bytes());
        failure_line(&request.operator, &request.command.unwrap_err())
    }

    #[test]
    fn what_is_no_request_is_refused_in_one_line() {
        insta::assert_snapshot!([
            refusal("{\"operator\":"),
            refusal("GET / HTTP/1.1"),
            refusal("[1,2]"),
            refusal("\u{0}"),
            refusal("{}"),
            refusal("{\"operator\":7}"),
            refusal("{\"operator\":\"fly\"}"),
            refusal(&"[".repeat(100_000)),
        ].join("\n"), @r#"
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"the line is not JSON: EOF while parsing a value at line 1 column 12"}}
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"the line is not JSON: expected value at line 1 column 1"}}
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"a request is a JSON object, this is an array"}}
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"the line is not JSON: expected value at line 1 column 1"}}
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"a request needs an \"operator\": \"run\", \"saveGoban\" or \"cancel\""}}
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"a request needs an \"operator\": \"run\", \"saveGoban\" or \"cancel\""}}
        {"operator":"fly","ok":false,"error":{"kind":"invalidRequest","message":"there is no operator \"fly\"; use run, saveGoban or cancel"}}
        {"operator":null,"ok":false,"error":{"kind":"invalidRequest","message":"the line is not JSON: recursion limit exceeded at line 1 column 128"}}
        "#);
    }

    #[test]
    fn the_original_operators_are_commands() {
        let run = parse(b"\xef\xbb\xbf{\"operator\":\"run\",\"color\":\"black\"}");
        assert!(matches!(run.command, Ok(Command::Call("run", _))));
        let save = parse(br#"{"operator":"saveGoban","goban":"(;)"}"#);
        let open = parse(br#"{"operator":"run","gameId":"1","visits":1}"#);
        assert!(matches!(open.command, Ok(Command::Call("run", args)) if args.get("gameId").is_none()));
        assert!(matches!(save.command, Ok(Command::Call("save_goban", _))));
        assert_eq!(parse(br#"{"operator":"cancel"}"#).command, Ok(Command::Cancel));
        let cancelled = answer_to_cancel(br#" {"x":[1,{"operator":"run"}],"operator":"cancel"}"#);
        assert_eq!(cancelled.unwrap(), r#"{"operator":"cancel","ok":true}"#);
        for other in [br#"{"operator":"run"}"#.as_slice(), br#"["cancel"]"#, b"cancel"] {
            assert_eq!(answer_to_cancel(other), None);
        }
    }

    #[test]
    fn whatever_is_answered_has_the_id_of_its_request() {
        for request in [
            r#"{"operator":"run","id":5}"#,
            r#"{"operator":"saveGoban","id":5}"#,
            r#"{"operator":"cancel","id":5}"#,
            r#"{"operator":"fly","id":5}"#,
            r#"{"operator":7,"id":5}"#,
            r#"{"id":5}"#,
        ] {
            assert_eq!(parse(request.as_bytes()).id, Some(json!(5)), "{request}");
        }
        let save = parse(br#"{"operator":"saveGoban","goban":"(;)","id":5}"#).command;
        assert_eq!(save, Ok(Command::Call("save_goban", json!({ "operator": "saveGoban", "goban": "(;)" }))));
        let kept = answer_line(&json!("saveGoban"), Some(&json!(5)), Ok(json!({ "id": "17" })));
        assert_eq!(kept, r#"{"operator":"saveGoban","ok":true,"id":"17"}"#);
        let cancelled = answer_to_cancel(br#"{"operator":"cancel","id":"a"}"#);
        assert_eq!(cancelled.unwrap(), r#"{"operator":"cancel","ok":true,"id":"a"}"#);
        assert_eq!(
            answer_to_cancel(br#"{"operator":"cancel","id":[1]}"#).unwrap(),
            r#"{"operator":"cancel","ok":true}"#
        );
    }

    #[test]
    fn a_run_may_have_an_id_and_tell_its_progress() {
        let read = |more: &str| parse(format!(r#"{{"operator":"run"{more}}}"#).as_bytes());
        let plain = read("");
        assert_eq!((plain.id, plain.progress), (None, None));
        let told = read(r#","id":"a","progress":true,"visits":9"#);
        assert_eq!((told.id, told.progress), (Some(json!("a")), Some(PROGRESS_EVERY)));
        assert_eq!(told.command, Ok(Command::Call("run", json!({ "operator": "run", "visits": 9 }))));
        assert_eq!(read(r#","progress":0.25"#).progress, Some(Duration::from_millis(250)));
        assert_eq!(read(r#","progress":false"#).progress, None);
        // What was no id before there were any names nothing still.
        assert_eq!(read(&format!(r#","id":"{}""#, "x".repeat(101))).id, None);
        assert_eq!(read(r#","id":[1]"#).id, None);
        for wrong in ["0", "-1", "1e9", "\"often\"", "[]"] {
            let request = read(&format!(r#","id":7,"progress":{wrong}"#));
            assert!(matches!(&request.command, Err(ApiError::InvalidRequest { .. })), "{wrong}");
            let line = answer_line(&request.operator, request.id.as_ref(), request.command.map(|_| Value::Null));
            assert!(line.starts_with(r#"{"operator":"run","ok":false,"id":7,"error":{"#), "{line}");
        }
    }

    #[test]
    fn progress_is_told_apart_from_an_answer() {
        let progress = RunProgress::new(120, 0, Duration::from_millis(1500), Some(Duration::from_secs(4)));
        assert_eq!(
            progress_line(Some(&json!(7)), &progress),
            r#"{"operator":"run","kind":"progress","id":7,"visits":120,"seconds":1.5,"allowedSeconds":4.0}"#
        );
        let progress = RunProgress::new(1, 50, Duration::ZERO, None);
        assert_eq!(
            progress_line(None, &progress),
            r#"{"operator":"run","kind":"progress","visits":1,"wantedVisits":50,"seconds":0.0}"#
        );
    }

    #[test]
    fn answers_begin_with_the_operator() {
        let line = success_line(&json!("run"), json!({ "winrate": 0.5, "device": "cpu" }));
        assert_eq!(line, r#"{"operator":"run","ok":true,"device":"cpu","winrate":0.5}"#);
        assert_eq!(success_line(&json!("cancel"), Value::Null), r#"{"operator":"cancel","ok":true}"#);
    }

    #[test]
    fn every_error_has_a_kind_and_a_message() {
        let line = failure_line(&json!("run"), &ApiError::Cancelled);
        assert_eq!(
            line,
            r#"{"operator":"run","ok":false,"error":{"kind":"cancelled","message":"the work was stopped"}}"#
        );
        let line = failure_line(&json!("run"), &ApiError::Internal { report: "7f".into() });
        assert!(line.contains(r#""kind":"internal","message":"something went wrong"#), "{line}");
    }

    #[test]
    fn a_web_page_is_recognised() {
        assert!(is_http(b"POST /x HTTP/1.1"));
        assert!(is_http(b"GET / HTTP/1.0\r"));
        assert!(!is_http(br#"{"operator":"run"}"#));
        assert!(!is_http(b"RUN"));
    }
}
