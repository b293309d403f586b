//! The forms of bodies and answers, as JSON Schema.

use honinbo_rooms::MAX_DELAY;
use honinbo_rules::BoardSize;
use serde_json::{Value, json};

fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

/// As [`object`], and what is not named is refused.
fn closed(properties: &Value, required: &[&str]) -> Value {
    let mut schema = object(properties, required);
    schema["additionalProperties"] = false.into();
    schema
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn integer(least: i64, most: i64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// Larger numbers are not exact everywhere that JSON is read.
const MAX_SAFE: i64 = (1 << 53) - 1;
const MAX_SECONDS: u32 = 360_000;
/// The largest width and height.
pub(super) const SIDE: i64 = BoardSize::MAX as i64;

/// A parameter of an address by its kind.
pub(super) fn of_parameter(kind: &str) -> Value {
    match kind {
        "integer" => integer(0, MAX_SAFE),
        "side" => integer(2, SIDE),
        "handicap" => integer(0, 9),
        "topology" => topology(),
        "rules" => rules(),
        other => json!({ "type": other }),
    }
}

fn topology() -> Value {
    json!({ "enum": honinbo_rules::Topology::ALL.map(honinbo_rules::Topology::name) })
}

fn rules() -> Value {
    let names: Vec<String> = honinbo_rules::Preset::ALL.into_iter().map(|preset| preset.name().to_owned()).collect();
    json!({ "enum": names })
}

fn length(least: u32) -> Value {
    json!({ "type": "number", "minimum": least, "maximum": MAX_SECONDS })
}

/// Letters with their marks and digits of any script, and single signs between them. Which letters go together, and how
/// many are left when marks are composed, is more than a schema says.
fn new_name() -> Value {
    json!({
        "type": "string", "minLength": 2, "maxLength": 24,
        "pattern": r"^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*([ _.'-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*$",
    })
}

pub(super) fn nothing() -> Value {
    Value::Null
}

pub(super) fn anything() -> Value {
    json!({ "type": "object" })
}

pub(super) fn registration() -> Value {
    let code = json!({ "type": ["string", "null"], "description": "asked for where registration is by invitation" });
    let password = json!({ "type": "string", "minLength": 8 });
    object(&json!({ "username": new_name(), "password": password, "code": code }), &["username", "password"])
}

pub(super) fn credentials() -> Value {
    object(&json!({ "username": text(), "password": text() }), &["username", "password"])
}

pub(super) fn password_change() -> Value {
    let new = json!({ "type": "string", "minLength": 8 });
    object(&json!({ "old_password": text(), "new_password": new }), &["old_password", "new_password"])
}

pub(super) fn password_reset() -> Value {
    let new = json!({ "type": "string", "minLength": 8 });
    object(&json!({ "code": text(), "new_password": new }), &["code", "new_password"])
}

pub(super) fn deletion() -> Value {
    object(&json!({ "password": { "type": ["string", "null"], "description": "guests have none" } }), &[])
}

pub(super) fn logged_in() -> Value {
    let person = json!({ "token": text(), "username": text(), "guest": flag(), "operator": flag() });
    object(&person, &["token", "username", "guest", "operator"])
}

pub(super) fn me() -> Value {
    object(&json!({ "username": text(), "guest": flag(), "operator": flag() }), &["username", "guest", "operator"])
}

pub(super) fn sign_in() -> Value {
    let page =
        json!({ "type": ["string", "null"], "description": "a page of the rooms to come back to, from `#/rooms` on" });
    closed(&json!({ "return_to": page }), &[])
}

pub(super) fn sent_away() -> Value {
    object(&json!({ "url": text() }), &["url"])
}

pub(super) fn entering() -> Value {
    closed(
        &json!({ "code": { "type": ["string", "null"], "description": "where an account takes an invitation" } }),
        &[],
    )
}

pub(super) fn signed_in() -> Value {
    let person = json!({
        "token": text(), "username": text(), "guest": flag(), "operator": flag(), "return_to": text(),
    });
    object(&person, &["token", "username", "guest", "operator", "return_to"])
}

pub(super) fn link_ended() -> Value {
    object(&json!({ "return_to": text() }), &["return_to"])
}

pub(super) fn links() -> Value {
    let there = json!({ "type": "boolean", "description": "one came in by the provider, and can log out there" });
    let links = json!({ "password": flag(), "linked": flag(), "log_out_there": there });
    object(&links, &["password", "linked", "log_out_there"])
}

pub(super) fn left() -> Value {
    let url = json!({ "type": "string", "description": "where to send the browser to log out at the provider" });
    object(&json!({ "url": url }), &[])
}

pub(super) fn provider_logout() -> Value {
    object(&json!({ "logout_token": text() }), &["logout_token"])
}

fn ratings() -> Value {
    let (side, points) = (|| integer(2, SIDE), || integer(-10_000, 10_000));
    let rating = object(
        &json!({
            "width": side(), "height": side(), "rating": points(), "deviation": points(),
            "games": integer(1, i64::from(u32::MAX)),
            "provisional": { "type": "boolean", "description": "it says little yet" },
        }),
        &["width", "height", "rating", "deviation", "games", "provisional"],
    );
    list(&rating)
}

pub(super) fn player() -> Value {
    object(&json!({ "username": text(), "guest": flag(), "ratings": ratings() }), &["username", "guest", "ratings"])
}

pub(super) fn online_users() -> Value {
    let user = object(
        &json!({
            "username": text(), "guest": flag(), "rooms": integer(0, i64::from(u32::MAX)), "ratings": ratings(),
        }),
        &["username", "guest", "rooms", "ratings"],
    );
    object(&json!({ "users": list(&user) }), &["users"])
}

fn time() -> Value {
    let kind = |kind: &str, fields: &[&str]| {
        let has_periods = fields.contains(&"period_seconds");
        let mut properties = json!({ "kind": { "const": kind }, "main_seconds": length(u32::from(!has_periods)) });
        for field in fields {
            properties[field] = match *field {
                "periods" | "stones" => integer(1, 1000),
                "period_seconds" => length(1),
                _ => length(0),
            };
        }
        let required: Vec<&str> = ["kind", "main_seconds"].iter().chain(fields).copied().collect();
        closed(&properties, &required)
    };
    json!({ "oneOf": [
        { "type": "null" },
        kind("absolute", &[]),
        kind("fischer", &["increment_seconds"]),
        kind("byo_yomi", &["period_seconds", "periods"]),
        kind("canadian", &["period_seconds", "stones"]),
    ] })
}

pub(super) fn terms() -> Value {
    closed(
        &json!({
            "width": integer(2, SIDE),
            "height": integer(2, SIDE),
            "topology": topology(),
            "rules": rules(),
            "komi": { "type": ["number", "null"], "minimum": -200, "maximum": 200, "multipleOf": 0.5 },
            "handicap": integer(0, 9),
            "time": time(),
            "rated": flag(), "delay_seconds": integer(0, i64::from(MAX_DELAY)),
        }),
        &[],
    )
}

pub(super) fn new_room() -> Value {
    closed(
        &json!({
            "terms": terms(),
            "color": { "enum": ["black", "white", null], "description": "drawn where it is not said" },
            "opponent": { "type": ["string", "null"], "description": "an engine's level, rank or name" },
            "listed": { "type": "boolean", "description": "everybody sees the room" },
        }),
        &[],
    )
}

pub(super) fn room_id() -> Value {
    object(&json!({ "room_id": text() }), &["room_id"])
}

fn listed_room() -> Value {
    let name = json!({ "type": ["string", "null"] });
    let stage = json!({ "enum": ["waiting", "playing", "counting", "adjourned", "over"] });
    object(
        &json!({
            "room_id": text(), "stage": stage, "terms": anything(), "black": name, "white": name,
            "black_online": flag(), "white_online": flag(), "black_engine": flag(), "white_engine": flag(),
            "moves": integer(0, 20_000), "spectators": integer(0, i64::from(u32::MAX)), "open_seat": { "type": "boolean" },
        }),
        &[
            "room_id",
            "stage",
            "terms",
            "black",
            "white",
            "black_online",
            "white_online",
            "black_engine",
            "white_engine",
            "moves",
            "spectators",
            "open_seat",
        ],
    )
}

pub(super) fn rooms() -> Value {
    object(&json!({ "rooms": list(&listed_room()) }), &["rooms"])
}

pub(super) fn all_rooms() -> Value {
    let total = integer(0, i64::from(u32::MAX));
    let mut room = listed_room();
    room["properties"]["key"] = json!({ "type": "string", "description": "what the room is closed by" });
    if let Some(required) = room["required"].as_array_mut() {
        required.push("key".into());
    }
    object(
        &json!({ "rooms": list(&room), "lessons": list(&listed_lesson()), "total": total }),
        &["rooms", "lessons", "total"],
    )
}

pub(super) fn invite() -> Value {
    let room_id = json!({ "type": ["string", "null"], "description": "a room of one's own; a new one otherwise" });
    object(&json!({ "username": text(), "room_id": room_id, "room": new_room() }), &["username"])
}

pub(super) fn invitations() -> Value {
    let terms = json!({ "type": ["object", "null"], "description": "what is played, as a new room has it" });
    let invitation = object(
        &json!({ "room_id": text(), "from": text(), "lesson": flag(), "terms": terms }),
        &["room_id", "from", "lesson", "terms"],
    );
    object(&json!({ "invitations": list(&invitation) }), &["invitations"])
}

pub(super) fn acceptance() -> Value {
    room_id()
}

pub(super) fn games() -> Value {
    let game = object(
        &json!({
            "id": integer(1, i64::MAX), "black": text(), "white": text(), "width": integer(2, SIDE),
            "height": integer(2, SIDE), "moves": integer(0, 20_000), "result": text(),
            "ended": { "type": "integer", "description": "milliseconds since 1970" },
        }),
        &["id", "black", "white", "width", "height", "moves", "result", "ended"],
    );
    object(&json!({ "games": list(&game) }), &["games"])
}

pub(super) fn new_lesson() -> Value {
    let sgf = json!({ "type": ["string", "null"], "description": "a record to talk about" });
    let sgf_base64 = json!({
        "type": ["string", "null"], "contentEncoding": "base64",
        "description": "a record's file as it is, whatever its character set",
    });
    let game = json!({
        "type": ["integer", "null"], "minimum": 0, "maximum": MAX_SAFE, "description": "a finished game of one's own",
    });
    closed(
        &json!({
            "title": title(honinbo_rooms::MAX_TITLE_CHARS),
            "terms": terms(), "game": game, "sgf": sgf, "sgf_base64": sgf_base64, "listed": flag(),
            "audience": { "type": "boolean", "description": "those who come watch, until the teacher makes them students" },
        }),
        &["title"],
    )
}

fn listed_lesson() -> Value {
    let online = integer(0, honinbo_rooms::MAX_LESSON_PEOPLE as i64);
    object(
        &json!({ "room_id": text(), "title": text(), "teacher": text(), "online": online }),
        &["room_id", "title", "teacher", "online"],
    )
}

pub(super) fn lessons() -> Value {
    object(&json!({ "lessons": list(&listed_lesson()) }), &["lessons"])
}

pub(super) fn lesson_records() -> Value {
    let moves = integer(0, honinbo_rooms::MAX_LESSON_NODES as i64);
    let record = object(
        &json!({
            "id": integer(1, i64::MAX), "title": text(), "teacher": text(), "moves": moves,
            "ended": { "type": "integer", "description": "milliseconds since 1970" },
        }),
        &["id", "title", "teacher", "moves", "ended"],
    );
    object(&json!({ "records": list(&record) }), &["records"])
}

fn system() -> Value {
    json!({ "enum": ["swiss", "mc_mahon", "round_robin"] })
}

fn tournament_stage() -> Value {
    json!({ "enum": ["open", "running", "over"] })
}

/// At least one sign that is seen.
fn title(longest: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": longest, "pattern": r"[^\s\u0000-\u001F\u007F-\u009F]" })
}

fn tournament_title() -> Value {
    title(honinbo_rooms::MAX_TOURNAMENT_TITLE_CHARS)
}

fn player_number() -> Value {
    integer(0, honinbo_rooms::MAX_TOURNAMENT_PLAYERS as i64 - 1)
}

/// Others are understood too, as players write them.
fn rank(description: &str) -> Value {
    json!({ "type": ["string", "null"], "pattern": "^([1-9]k|[12][0-9]k|30k|[1-9]d|[1-9]p)?$", "description": description })
}

pub(super) fn new_tournament() -> Value {
    let bar = rank("the rank from which on all begin with the same points; for McMahon");
    let mut terms = terms();
    terms["properties"]["handicap"] = integer(0, 1);
    let mut less = integer(0, honinbo_rooms::MAX_HANDICAP_LESS.into());
    less["type"] = json!(["integer", "null"]);
    less["description"] = json!("stones fewer than points apart; for McMahon, not rated");
    let mut rounds = integer(1, honinbo_rooms::MAX_TOURNAMENT_ROUNDS.into());
    rounds["type"] = json!(["integer", "null"]);
    rounds["description"] = json!("five, or as many as there can be without a rematch, where it is not said");
    closed(
        &json!({ "title": tournament_title(), "system": system(), "rounds": rounds, "bar": bar, "handicap_less": less, "terms": terms }),
        &["title", "system"],
    )
}

pub(super) fn tournament_id() -> Value {
    object(&json!({ "id": integer(1, MAX_SAFE) }), &["id"])
}

pub(super) fn tournaments() -> Value {
    let listed = object(
        &json!({
            "id": integer(1, MAX_SAFE), "title": text(), "system": system(), "stage": tournament_stage(),
            "organiser": text(), "players": integer(0, honinbo_rooms::MAX_TOURNAMENT_PLAYERS as i64),
            "round": integer(0, 1000), "planned": integer(0, 1000), "joined": flag(),
        }),
        &["id", "title", "system", "stage", "organiser", "players", "round", "planned", "joined"],
    );
    object(&json!({ "tournaments": list(&listed) }), &["tournaments"])
}

pub(super) fn lobby() -> Value {
    let parts = [rooms(), lessons(), tournaments(), online_users(), invitations()];
    let mut properties = json!({});
    let mut required = Vec::new();
    for part in &parts {
        for (name, form) in part["properties"].as_object().into_iter().flatten() {
            properties[name] = form.clone();
            required.push(name.as_str());
        }
    }
    object(&properties, &required)
}

pub(super) fn joining() -> Value {
    closed(&json!({ "rank": rank("as 5k, 3d or 1p") }), &[])
}

pub(super) fn new_player() -> Value {
    let missed = rest_points_or_none("what the rounds are worth that the player has missed");
    closed(&json!({ "username": text(), "rank": rank("as 5k, 3d or 1p"), "missed": missed }), &["username"])
}

fn rest_points() -> Value {
    json!({ "enum": ["bye", "half", "nothing"] })
}

fn rest_points_or_none(description: &str) -> Value {
    json!({ "enum": ["bye", "half", "nothing", null], "description": description })
}

fn attendances() -> Value {
    json!({ "enum": ["here", "absent", "gone"] })
}

pub(super) fn attendance() -> Value {
    let player = json!({
        "type": ["integer", "null"], "minimum": 0, "maximum": honinbo_rooms::MAX_TOURNAMENT_PLAYERS - 1,
        "description": "oneself where nobody is named",
    });
    let name = json!({ "type": ["string", "null"], "description": "whom the number is taken for" });
    closed(&json!({ "player": player, "name": name, "attendance": attendances() }), &["attendance"])
}

pub(super) fn tournament_result() -> Value {
    let player = || {
        json!({
            "type": ["integer", "null"], "minimum": 0, "maximum": honinbo_rooms::MAX_TOURNAMENT_PLAYERS - 1,
            "description": "whom the game is taken to be of",
        })
    };
    closed(
        &json!({
            "round": integer(0, 1000), "game": integer(0, 1000), "black": player(), "white": player(),
            "result": {
                "enum": ["black", "white", "draw", "both_lost", null],
                "description": "null takes back what was said before, of a game of the last round that is still to be played",
            },
        }),
        &["round", "game", "result"],
    )
}

pub(super) fn changed_pairing() -> Value {
    let rematch = json!({ "type": "boolean", "description": "whether people who have met may meet again" });
    closed(
        &json!({
            "round": integer(0, 1000), "one": player_number(), "other": player_number(),
            "change": { "enum": ["pair", "exchange", "unpair"] }, "rematch": rematch,
        }),
        &["round", "one", "other", "change"],
    )
}

pub(super) fn resting() -> Value {
    let name = json!({ "type": ["string", "null"], "description": "whom the number is taken for" });
    let points = rest_points_or_none("null takes back what was said before");
    closed(
        &json!({ "round": integer(0, 1000), "player": player_number(), "name": name, "points": points }),
        &["round", "player"],
    )
}

pub(super) fn tournament() -> Value {
    let nobody = || json!({ "type": ["integer", "null"], "minimum": 0 });
    let round = object(
        &json!({
            "opponent": nobody(), "color": { "enum": [1, 2, null] },
            "result": { "enum": ["open", "won", "lost", "drawn", "bye", "half", "absent"] },
        }),
        &["opponent", "color", "result"],
    );
    let row = object(
        &json!({
            "player": player_number(), "name": text(), "rank": text(), "attendance": attendances(),
            "place": integer(1, honinbo_rooms::MAX_TOURNAMENT_PLAYERS as i64), "start": number(), "score": number(),
            "sos": number(), "sodos": number(), "rounds": list(&round),
        }),
        &["player", "name", "rank", "attendance", "place", "start", "score", "sos", "sodos", "rounds"],
    );
    let result = json!({ "enum": ["black", "white", "draw", "both_lost", null] });
    let game = object(
        &json!({ "black": player_number(), "white": player_number(), "room": text(), "result": result, "handicap": integer(0, 9), "rematch": flag() }),
        &["black", "white", "room", "result", "handicap", "rematch"],
    );
    let paired = object(&json!({ "games": list(&game), "bye": nobody() }), &["games", "bye"]);
    let rest = object(
        &json!({ "round": integer(0, 1000), "player": player_number(), "points": rest_points() }),
        &["round", "player", "points"],
    );
    object(
        &json!({
            "id": integer(1, MAX_SAFE), "title": text(), "system": system(), "stage": tournament_stage(),
            "organiser": text(), "organises": flag(), "you": nobody(), "planned": integer(0, 1000),
            "without_rematch": integer(0, honinbo_rooms::MAX_TOURNAMENT_PLAYERS as i64), "bar": { "type": ["string", "null"] }, "handicap_less": nobody(), "terms": anything(), "can_pair": flag(), "can_take_back": flag(), "table": list(&row),
            "rounds": list(&paired), "rests": list(&rest),
        }),
        &[
            "id",
            "title",
            "system",
            "stage",
            "organiser",
            "organises",
            "you",
            "planned",
            "without_rematch",
            "bar",
            "handicap_less",
            "terms",
            "can_pair",
            "can_take_back",
            "table",
            "rounds",
            "rests",
        ],
    )
}

pub(super) fn sgf() -> Value {
    text()
}

pub(super) fn offer() -> Value {
    let names = list(&text());
    object(
        &json!({
            "sizes": list(&integer(2, SIDE)), "smallest_side": integer(2, SIDE), "largest_side": integer(2, SIDE),
            "rulesets": names, "komi": number(), "handicaps": list(&integer(2, 9)), "engines": names,
        }),
        &["sizes", "smallest_side", "largest_side", "rulesets", "komi", "handicaps", "engines"],
    )
}

pub(super) fn positions() -> Value {
    let point = json!({ "type": ["array", "null"], "items": integer(0, SIDE - 1), "minItems": 2, "maxItems": 2 });
    let position = object(
        &json!({
            "stones": { "type": "string", "description": "row by row from the top: . X O" },
            "last_move": point, "moved": { "enum": [1, 2, null] },
        }),
        &["stones", "last_move", "moved"],
    );
    object(
        &json!({
            "width": integer(2, SIDE), "height": integer(2, SIDE), "topology": topology(),
            "rules": text(), "komi": number(), "positions": list(&position),
        }),
        &["width", "height", "topology", "rules", "komi", "positions"],
    )
}

pub(super) fn copied() -> Value {
    let file = json!({ "type": "string", "description": "a name in the folder backups beside the server's file" });
    object(&json!({ "file": file, "bytes": integer(0, MAX_SAFE) }), &["file", "bytes"])
}

pub(super) fn code() -> Value {
    object(&json!({ "code": text() }), &["code"])
}

fn who_may_register() -> Value {
    json!({ "enum": ["open", "invitation"] })
}

pub(super) fn policy() -> Value {
    closed(&json!({ "guests": flag(), "registration": who_may_register() }), &["guests", "registration"])
}

pub(super) fn people_limits() -> Value {
    let limit = || integer(1, i64::from(super::operator::MAX_LIMIT));
    closed(
        &json!({
            "rooms_of_one": limit(), "log_ins_of_name": limit(), "log_ins_of_address": limit(), "new_of_address": limit(),
        }),
        &["rooms_of_one", "log_ins_of_name", "log_ins_of_address", "new_of_address"],
    )
}

pub(super) fn overview() -> Value {
    let count = || integer(0, i64::from(u32::MAX));
    object(
        &json!({
            "version": text(), "guests": flag(), "registration": who_may_register(), "people_online": count(),
            "limits": people_limits(),
            "connections": count(), "max_connections": count(), "waiting": count(), "playing": count(),
            "counting": count(), "adjourned": count(), "lessons": count(), "engines_thinking": count(),
            "engines_at_a_time": count(), "engine_stand_ins": count(), "engines": list(&text()),
        }),
        &[
            "version",
            "limits",
            "guests",
            "registration",
            "people_online",
            "connections",
            "max_connections",
            "waiting",
            "playing",
            "counting",
            "adjourned",
            "lessons",
            "engines_thinking",
            "engines_at_a_time",
            "engine_stand_ins",
            "engines",
        ],
    )
}

pub(super) fn people() -> Value {
    let created = json!({ "type": "integer", "description": "milliseconds since 1970" });
    let person = object(
        &json!({
            "id": integer(1, MAX_SAFE), "username": text(), "guest": flag(), "created": created,
            "games": integer(0, i64::from(u32::MAX)), "online": flag(),
        }),
        &["id", "username", "guest", "created", "games", "online"],
    );
    let next = json!({ "type": ["string", "null"], "description": "what after is for the next page" });
    object(&json!({ "people": list(&person), "next": next }), &["people", "next"])
}

pub(super) fn server() -> Value {
    object(
        &json!({
            "guests": flag(), "registration": who_may_register(), "boards": flag(),
            "provider": { "type": "string", "description": "what stands on the button of the OpenID Connect provider" },
        }),
        &["guests", "registration", "boards"],
    )
}

pub(super) fn status() -> Value {
    object(&json!({ "status": { "const": "ok" } }), &["status"])
}

pub(super) fn failure() -> Value {
    let error = object(&json!({ "kind": text(), "message": text() }), &["kind", "message"]);
    object(&json!({ "error": error }), &["error"])
}
