//! What only a store in PostgreSQL has: connections that break, other servers, other people's databases, TLS.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{PostgresAddress, RoomChange, ServerStore, StoreError, StoredRoom};
use honinbo_testkit::PostgresServer;
use std::path::Path;
use std::time::{Duration, Instant};

fn address(text: &str) -> PostgresAddress {
    text.parse().unwrap()
}

fn room(state: &str) -> RoomChange {
    RoomChange::Save { room: StoredRoom { id: "1".into(), state: state.into(), saved_ms: 1 }, finished: None }
}

/// Ends every connection of the database but psql's own.
fn cut_off(server: &PostgresServer, database: &str) {
    server.psql(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
}

#[test]
fn a_connection_that_breaks_is_made_again() {
    let Some(mut server) = PostgresServer::start() else { return };
    let database = server.database();
    let store = ServerStore::connect(&address(&database)).unwrap();
    store.change_rooms(&[room("one")]).unwrap();
    cut_off(&server, &database);
    store.change_rooms(&[room("two")]).unwrap();
    cut_off(&server, &database);
    assert_eq!(store.rooms().unwrap()[0].state, "two");
    server.kill();
    for _ in 0..2 {
        let failed = [store.change_rooms(&[room("three")]).unwrap_err(), store.rooms().unwrap_err()];
        assert!(failed.iter().all(|error| matches!(error, StoreError::Unreachable { .. })), "{failed:?}");
    }
    server.start_again();
    store.change_rooms(&[room("four")]).unwrap();
    assert_eq!(store.rooms().unwrap()[0].state, "four");
}

#[test]
fn whoever_was_cut_off_and_comes_back_writes_no_more() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    let first = ServerStore::connect(&address(&database)).unwrap();
    first.change_rooms(&[room("of the first")]).unwrap();
    // Cut off, and another one is quicker.
    cut_off(&server, &database);
    let second = ServerStore::connect(&address(&database)).unwrap();
    second.change_rooms(&[room("of the second")]).unwrap();
    for _ in 0..2 {
        assert!(matches!(first.change_rooms(&[room("late")]), Err(StoreError::TakenOver)));
        assert!(matches!(first.set_alive(9), Err(StoreError::TakenOver)));
        assert!(matches!(first.add_account("late", "late", None, 1), Err(StoreError::TakenOver)));
    }
    drop(second);
    assert!(matches!(first.change_rooms(&[room("late")]), Err(StoreError::TakenOver)), "it has missed something");
    let third = ServerStore::connect(&address(&database)).unwrap();
    assert_eq!(third.rooms().unwrap()[0].state, "of the second");
    assert_eq!((third.account_named("late").unwrap(), third.last_alive().unwrap()), (None, None));
}

#[test]
fn whoever_is_silent_loses_the_store_by_the_databases_clock() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    let silent = ServerStore::connect(&address(&database)).unwrap();
    silent.set_alive(1).unwrap();
    let begun = Instant::now();
    let next = loop {
        match ServerStore::connect(&address(&database)) {
            Ok(store) => break store,
            Err(StoreError::InUse) => {}
            Err(error) => panic!("{error}"),
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "it is never let go of");
    };
    next.set_alive(2).unwrap();
    assert!(matches!(silent.set_alive(3), Err(StoreError::TakenOver)));
    assert_eq!(next.last_alive().unwrap(), Some(2));
}

#[test]
fn other_peoples_databases_and_later_versions_are_refused_untouched() {
    let Some(server) = PostgresServer::start() else { return };
    let others = server.database();
    server.psql(&others, "CREATE TABLE customers (id int)");
    assert!(matches!(ServerStore::connect(&address(&others)), Err(StoreError::OtherTables { .. })));
    assert_eq!(server.psql(&others, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1");
    // A schema of its own in the same database is a store of its own.
    server.psql(&others, "CREATE SCHEMA go; CREATE SCHEMA other");
    let in_schema = |name: &str| address(&format!("{others}?options=-csearch_path%3D{name}"));
    let go = ServerStore::connect(&in_schema("go")).unwrap();
    let other = ServerStore::connect(&in_schema("other")).unwrap();
    go.set_alive(5).unwrap();
    assert_eq!((go.last_alive().unwrap(), other.last_alive().unwrap()), (Some(5), None));

    let newer = server.database();
    drop(ServerStore::connect(&address(&newer)).unwrap());
    server.psql(&newer, "UPDATE honinbo_store SET version = 99");
    assert!(matches!(ServerStore::connect(&address(&newer)), Err(StoreError::Newer { found: 99, known: 1 })));

    let store = server.database();
    let wrong = store.replace(server.password(), "wrong");
    let refused = ServerStore::connect(&address(&wrong)).unwrap_err();
    assert!(matches!(&refused, StoreError::Refused { .. }) && !refused.to_string().contains("wrong"), "{refused:?}");
    drop(ServerStore::connect(&address(&wrong).with_password(server.password())).unwrap());
    let nowhere = store.rsplit_once('/').unwrap().0.to_owned() + "/nowhere";
    assert!(matches!(ServerStore::connect(&address(&nowhere)), Err(StoreError::Refused { .. })));
    let store = ServerStore::connect(&address(&store)).unwrap();
    let copy = store.backup_to(Path::new("/nowhere/copy")).unwrap_err();
    assert!(matches!(&copy, StoreError::CopiedElsewhere) && copy.hint().contains("pg_dump"), "{copy}");
}

#[test]
fn tls_is_taken_where_it_is_asked_for_and_the_certificate_is_checked() {
    let own = rcgen::generate_simple_self_signed(vec!["localhost".into()]).unwrap();
    let (certificate, key) = (own.cert.pem(), own.signing_key.serialize_pem());
    let Some(server) = PostgresServer::start_with_tls(&certificate, &key) else { return };
    let database = server.database();
    let encrypted = format!("{}?sslmode=require", database.replace("127.0.0.1", "localhost"));
    let trusting = address(&encrypted).with_authorities(certificate.as_bytes()).unwrap();
    let store = ServerStore::connect(&trusting).unwrap();
    store.set_alive(1).unwrap();
    let in_use =
        "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'honinbo'";
    assert_eq!(server.psql(&database, in_use), "t");
    drop(store);
    assert!(
        matches!(ServerStore::connect(&address(&encrypted)), Err(StoreError::Unreachable { .. })),
        "of nobody known"
    );
    let other = address(&format!("{database}?sslmode=require")).with_authorities(certificate.as_bytes()).unwrap();
    assert!(matches!(ServerStore::connect(&other), Err(StoreError::Unreachable { .. })), "of another name");
}
