//! A whole store in another place: from a file into PostgreSQL, and back.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{
    AccountId, CopiedTable, FinishedGame, FinishedLesson, RoomChange, ServerStore, StoreError, StoredRoom, TokenHash,
};
use honinbo_testkit::PostgresServer;
use rusqlite::types::Value;
use std::path::Path;

fn hash(byte: u8) -> TokenHash {
    TokenHash([byte; 32])
}

fn game(players: [Option<AccountId>; 2], nth: u32) -> FinishedGame {
    FinishedGame {
        room: format!("{nth:06}"),
        players,
        names: ["本因坊".into(), "B".into()],
        size: (19, 19),
        moves: nth,
        result: "W+R".into(),
        ended_ms: i64::from(nth),
        rated: nth.is_multiple_of(2),
        sgf: format!("(;GM[1]C[{nth} it's \"quoted\" \\\\ 日本])"),
    }
}

/// A store with something in every table, more games than are read at a time, and numbers whose owners are gone.
fn fill(store: &ServerStore) {
    let anna = store.add_account("Anna", "anna", Some("$hash"), 1).unwrap();
    let ben = store.add_account_of(("https://id.example", "7"), "Ben 囲碁", "ben 囲碁", 2).unwrap();
    let guest = store.add_account("guest", "guest", None, 3).unwrap();
    let gone = store.add_account("gone", "gone", Some("$hash"), 3).unwrap();
    store.delete_account(gone.id).unwrap();
    for (nth, account) in [anna.id, ben.id, guest.id].into_iter().enumerate() {
        store.add_token(hash(nth as u8), account, i64::MAX, 9).unwrap();
    }
    store.set_provider(hash(1), "https://id.example", Some(hash(99))).unwrap();
    store.let_operate(hash(1), 77).unwrap();
    store.add_sign_up_code(hash(50), 100).unwrap();
    assert!(store.add_reset_code(hash(51), anna.id, 100).unwrap());
    let players = [Some(anna.id), Some(ben.id)];
    let save = |id: String, finished| {
        let room = StoredRoom { id, state: "{\"state\":\"日本\"}".into(), saved_ms: 5 };
        RoomChange::Save { room, finished }
    };
    let mut changes: Vec<RoomChange> =
        (0..450).map(|nth| save("000001".into(), Some(Box::new(game(players, nth))))).collect();
    changes.extend((0..210).map(|nth| save(format!("{nth:08}"), None)));
    changes.push(save("000002".into(), Some(Box::new(game([Some(guest.id), None], 7)))));
    store.change_rooms(&changes).unwrap();
    for nth in 0..3 {
        let lesson = FinishedLesson {
            room: "lesson".into(),
            title: format!("{nth} 定石"),
            teacher: "Anna".into(),
            moves: 9,
            ended_ms: 8,
            sgf: "(;)".into(),
            people: vec![anna.id, ben.id],
        };
        store.change_rooms(&[RoomChange::Finish { id: "lesson".into(), lesson: Box::new(lesson) }]).unwrap();
    }
    store.add_tournament("{}", 4, 0, 9).unwrap();
    store.set_setting("limits", "{}").unwrap();
    store.set_setting("limits", "{\"名\":1}").unwrap();
    store.set_alive(123).unwrap();
}

/// All rows of all tables of a file, and the last numbers that it gave out.
fn everything(path: &Path) -> Vec<(String, Vec<Vec<Value>>)> {
    let file = rusqlite::Connection::open(path).unwrap();
    let mut names = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").unwrap();
    let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let rows = |name: &String| {
        let order = if name == "gone_accounts" { "1" } else { "1, 2" };
        let mut statement = file.prepare(&format!("SELECT * FROM {name} ORDER BY {order}")).unwrap();
        let columns = statement.column_count();
        let read = |row: &rusqlite::Row<'_>| (0..columns).map(|column| row.get(column)).collect();
        statement.query_map([], read).unwrap().map(Result::unwrap).collect()
    };
    names.iter().map(|name| (name.clone(), rows(name))).collect()
}

#[test]
fn a_store_goes_into_a_database_and_comes_back_as_it_was() {
    let Some(server) = PostgresServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [first, last] = ["first.sqlite", "last.sqlite"].map(|name| folder.path().join(name));
    let database = server.database();
    let connect = || ServerStore::connect(&database.parse().unwrap()).unwrap();
    let file = ServerStore::open(&first).unwrap();
    fill(&file);
    let copied = file.copy_to(&connect()).unwrap();
    let rows = |name: &str| copied.iter().find(|table: &&CopiedTable| table.name == name).unwrap().rows;
    assert_eq!((rows("accounts"), rows("games"), rows("rooms"), rows("lesson_people")), (3, 451, 212, 6));
    assert_eq!(rows("gone_accounts"), 1);
    drop(file);
    let back = ServerStore::open(&last).unwrap();
    assert_eq!(connect().copy_to(&back).unwrap(), copied);
    assert_eq!(back.setting("limits").unwrap().as_deref(), Some("{\"名\":1}"));
    drop(back);
    let (before, after) = (everything(&first), everything(&last));
    assert_eq!(before.len(), 14, "a new table is copied, too, or said not to be: {:?}", before.iter().map(|t| &t.0));
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    // In the database everybody is who they were, and nobody is somebody who is gone.
    let store = connect();
    let anna = store.account_of_token(hash(0), 0).unwrap().unwrap();
    assert_eq!((anna.name.as_str(), store.last_alive().unwrap()), ("Anna", Some(123)));
    assert_eq!(store.provider_of_token(hash(1)).unwrap().as_deref(), Some("https://id.example"));
    let new = store.add_account("new", "new", Some("$"), 1).unwrap();
    assert!(new.id.0 > 4, "{:?}", new.id);
}

#[test]
fn only_an_empty_store_is_copied_into_and_a_failure_leaves_it_empty() {
    let Some(server) = PostgresServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let file = ServerStore::open(&path("first.sqlite")).unwrap();
    fill(&file);
    let (database, broken) = (server.database(), server.database());
    let [store, trapped] = [&database, &broken].map(|address| ServerStore::connect(&address.parse().unwrap()).unwrap());
    store.add_tournament("{}", 1, 0, 9).unwrap();
    let refused = file.copy_to(&store).unwrap_err();
    assert!(
        matches!(refused, StoreError::NotEmpty { table: "tournaments" }) && !refused.hint().is_empty(),
        "{refused:?}"
    );
    assert_eq!(server.psql(&database, "SELECT count(*) FROM accounts"), "0");
    // Something goes wrong late.
    server.psql(
        &broken,
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no room''; END';
         CREATE TRIGGER fails BEFORE INSERT ON lessons FOR EACH ROW EXECUTE FUNCTION fail()",
    );
    let failed = file.copy_to(&trapped).unwrap_err();
    assert!(failed.to_string().contains("no room"), "{failed}");
    for table in ["accounts", "tokens", "games", "rooms"] {
        assert_eq!(server.psql(&broken, &format!("SELECT count(*) FROM {table}")), "0", "{table}");
    }
    // Something else has changed what was counted.
    server.psql(&broken, "DROP TRIGGER fails ON lessons; CREATE RULE lost AS ON INSERT TO lessons DO INSTEAD NOTHING");
    let failed = file.copy_to(&trapped).unwrap_err();
    assert!(matches!(failed, StoreError::Miscounted { table: "lessons", here: 3, there: 0 }), "{failed:?}");
    server.psql(&broken, "DROP RULE lost ON lessons");
    drop(trapped); // Its statements have the rule in them.
    file.copy_to(&ServerStore::connect(&broken.parse().unwrap()).unwrap()).unwrap();
    assert_eq!(server.psql(&broken, "SELECT count(*) FROM games"), "451");
}
