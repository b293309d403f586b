//! What only a store in PostgreSQL has: connections that break, other servers, other people's databases, TLS.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{PostgresAddress, RoomChange, RoomPlace, ServerStore, StoreError, StoredRoom, TakenRoom};
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

/// Waits until the first of two servers is over in the eyes of the second.
fn wait_until_over(second: &ServerStore, others: usize) {
    let begun = Instant::now();
    loop {
        second.set_alive(2).unwrap();
        if second.neighbours().unwrap().others.len() == others {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "it is never declared over");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn state_in(place: RoomPlace) -> String {
    let RoomPlace::Taken(taken) = place else { panic!("{place:?}") };
    taken.room.state
}

#[test]
fn a_room_is_one_servers_at_a_time_and_moves_when_it_is_given_away() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    let [first, second] = [0; 2].map(|_| ServerStore::connect(&address(&database)).unwrap());
    let secret = first.announce("127.0.0.1:1", "one").unwrap().unwrap();
    assert!(secret.len() >= 64 && second.announce("127.0.0.1:2", "two").unwrap() == Some(secret));
    let (leading, following) = (first.neighbours().unwrap(), second.neighbours().unwrap());
    assert!(leading.leads && !following.leads && following.leader.as_ref() == following.others.first());
    let known = &following.others[0];
    assert_eq!((known.address.as_str(), known.certificate.as_str()), ("127.0.0.1:1", "one"));

    assert_eq!(first.change_rooms(&[room("one")]).unwrap(), [true]);
    assert_eq!((first.take_room("1").unwrap(), first.take_room("2").unwrap()), (RoomPlace::Own, RoomPlace::Nowhere));
    assert_eq!(second.take_room("1").unwrap(), RoomPlace::Elsewhere(following.others[0].clone()));
    let late = [room("late"), RoomChange::Remove { id: "1".into() }];
    assert_eq!(second.change_rooms(&late).unwrap(), [false, false], "it is not its room");
    assert_eq!(second.take_free_rooms(10, 0).unwrap(), []);

    let two = StoredRoom { id: "1".into(), state: "two".into(), saved_ms: 2 };
    assert_eq!(first.change_rooms(&[RoomChange::GiveAway { room: two.clone() }]).unwrap(), [true]);
    assert_eq!(second.take_free_rooms(10, 2).unwrap(), [], "somebody is about to take it");
    assert_eq!(second.take_free_rooms(10, 3).unwrap(), [TakenRoom { room: two.clone(), alive_ms: None }]);
    assert_eq!(second.change_rooms(&[RoomChange::GiveAway { room: two }]).unwrap(), [true]);
    assert_eq!(state_in(second.take_room("1").unwrap()), "two");
    assert_eq!(first.change_rooms(&[room("late")]).unwrap(), [false]);
    assert_eq!(second.rooms().unwrap()[0].state, "two");
    assert_eq!(second.change_rooms(&[room("three")]).unwrap(), [true]);

    second.set_alive(77).unwrap();
    second.leave().unwrap();
    let taken = first.take_free_rooms(10, 0).unwrap();
    assert_eq!((taken.len(), taken[0].alive_ms, taken[0].room.state.as_str()), (1, Some(77), "three"));
}

#[test]
fn many_servers_that_want_a_room_at_once_do_not_share_it() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    let stores = [0; 4].map(|_| ServerStore::connect(&address(&database)).unwrap());
    stores[0].change_rooms(&[room("0")]).unwrap();
    let mut owner = 0;
    for nth in 1..=100 {
        let state = nth.to_string();
        let given = StoredRoom { id: "1".into(), state: state.clone(), saved_ms: nth };
        assert_eq!(stores[owner].change_rooms(&[RoomChange::GiveAway { room: given }]).unwrap(), [true]);
        let places: Vec<_> = std::thread::scope(|scope| {
            let takers: Vec<_> = stores.iter().map(|store| scope.spawn(|| store.take_room("1"))).collect();
            takers.into_iter().map(|taker| taker.join().unwrap()).collect()
        });
        let takers: Vec<usize> = (0..4).filter(|&nth| matches!(places[nth], Ok(RoomPlace::Taken(_)))).collect();
        assert_eq!(takers.len(), 1, "{places:?}");
        for (nth, store) in stores.iter().enumerate() {
            assert_eq!(store.change_rooms(&[room(&state)]).unwrap(), [nth == takers[0]]);
        }
        owner = takers[0];
    }
}

#[test]
fn whoever_was_cut_off_and_comes_back_too_late_writes_no_more() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    let first = ServerStore::connect(&address(&database)).unwrap();
    first.neighbours().unwrap();
    first.change_rooms(&[room("of the first")]).unwrap();
    let second = ServerStore::connect(&address(&database)).unwrap();
    // Cut off, and it comes back soon enough.
    cut_off(&server, &database);
    first.set_alive(1).unwrap();
    assert_eq!(second.neighbours().unwrap().others.len(), 1);
    cut_off(&server, &database);
    wait_until_over(&second, 0);
    assert!(second.neighbours().unwrap().leads);
    assert_eq!(state_in(second.take_room("1").unwrap()), "of the first");
    second.change_rooms(&[room("of the second")]).unwrap();
    for _ in 0..2 {
        assert!(matches!(first.change_rooms(&[room("late")]), Err(StoreError::TakenOver)));
        assert!(matches!(first.set_alive(9), Err(StoreError::TakenOver)));
        assert!(matches!(first.add_account("late", "late", None, 1), Err(StoreError::TakenOver)));
    }
    assert_eq!(second.rooms().unwrap()[0].state, "of the second");
    assert_eq!((second.account_named("late").unwrap(), second.last_alive().unwrap()), (None, Some(2)));
}

#[test]
fn whoever_is_silent_is_over_by_the_databases_clock() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    let silent = ServerStore::connect(&address(&database)).unwrap();
    silent.set_alive(1).unwrap();
    let next = ServerStore::connect(&address(&database)).unwrap();
    assert_eq!(next.neighbours().unwrap().others.len(), 1);
    wait_until_over(&next, 0);
    assert!(matches!(silent.set_alive(3), Err(StoreError::TakenOver)));
    assert_eq!(next.last_alive().unwrap(), Some(2));
}

#[test]
fn a_server_of_the_version_before_is_not_joined_and_its_rooms_come_along() {
    let Some(server) = PostgresServer::start() else { return };
    let database = server.database();
    for tables in [include_str!("../src/server/postgres/0001.sql"), include_str!("../src/server/postgres/0002.sql")] {
        server.psql(&database, tables);
    }
    server.psql(
        &database,
        "UPDATE honinbo_store SET version = 2; INSERT INTO alive VALUES (1, 50); INSERT INTO rooms VALUES ('1', 'old', 20)",
    );
    let store = ServerStore::connect(&address(&database)).unwrap();
    let taken = store.take_free_rooms(10, 0).unwrap();
    assert_eq!((taken.len(), taken[0].alive_ms, taken[0].room.state.as_str()), (1, Some(50), "old"));
    assert_eq!(server.psql(&database, "SELECT tenure FROM honinbo_store"), "1", "the older one knows by it");
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
    assert!(matches!(ServerStore::connect(&address(&newer)), Err(StoreError::Newer { found: 99, known: 7 })));

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
