//! What a server keeps: accounts, tokens, rooms, games.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_library::{
    AccountId, FinishedGame, FinishedLesson, Linked, RoomChange, ServerStore, StoreError, StorePlace, StoredRoom,
    TokenHash,
};
#[cfg(unix)]
use honinbo_testkit::PostgresServer;
use std::path::PathBuf;

/// An empty store.
struct Place<'a> {
    at: StorePlace,
    /// How many rows a table has; nobody has the store open.
    count: Box<dyn Fn(&str) -> i64 + 'a>,
}

impl Place<'_> {
    fn open(&self) -> ServerStore {
        ServerStore::open_at(&self.at).unwrap()
    }

    fn file(path: PathBuf) -> Self {
        let at = StorePlace::File(path.clone());
        let count = move |table: &str| {
            let file = rusqlite::Connection::open(&path).unwrap();
            file.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
        };
        Self { at, count: Box::new(count) }
    }
}

#[cfg(unix)]
impl<'a> Place<'a> {
    fn database(server: &'a PostgresServer) -> Self {
        let address = server.database();
        let at = StorePlace::Postgres(address.parse().unwrap());
        let count = move |table: &str| server.psql(&address, &format!("SELECT count(*) FROM {table}")).parse().unwrap();
        Self { at, count: Box::new(count) }
    }
}

/// What holds wherever the store is: each on a file, and one after the other on a server, which takes a while to begin.
macro_rules! wherever_it_is {
    ($($name:ident)*) => {
        mod in_a_file {
            $(
                #[test]
                fn $name() {
                    let folder = tempfile::tempdir().unwrap();
                    super::$name(&super::Place::file(folder.path().join("data/server.sqlite")));
                }
            )*
        }

        #[cfg(unix)]
        #[test]
        fn in_postgresql() {
            let Some(server) = PostgresServer::start() else { return };
            $($name(&Place::database(&server));)*
        }
    };
}

wherever_it_is! {
    a_name_is_had_once
    a_guest_has_a_name_and_no_way_back_in
    tokens_expire_and_are_revoked
    somebody_of_a_provider_has_an_account_without_a_password
    an_account_is_linked_to_one_person_of_a_provider_and_unlinked
    a_token_is_an_operators_for_a_while
    a_provider_ends_what_came_in_by_it
    an_account_keeps_so_many_tokens
    accounts_come_by_name_in_pages
    a_sign_up_code_works_once
    a_reset_code_sets_a_password_once_and_ends_every_token
    a_deleted_account_is_gone_and_its_number_is_not_used_again
    rooms_come_back_and_games_are_listed_for_those_who_played_them
    tournaments_are_kept_and_of_those_that_are_over_the_newest
    the_result_of_a_game_is_found_by_its_room
    a_lesson_is_with_everybody_who_took_part_as_long_as_there_is_one
    games_count_where_two_people_wished_it_and_no_guest_played
    one_server_at_a_time_uses_a_file
    any_text_is_kept_and_names_are_in_the_order_of_their_bytes
}

fn store() -> (tempfile::TempDir, ServerStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = ServerStore::open(&folder.path().join("data/server.sqlite")).unwrap();
    (folder, store)
}

fn hash(byte: u8) -> TokenHash {
    TokenHash([byte; 32])
}

fn finished(black: Option<AccountId>, white: Option<AccountId>) -> FinishedGame {
    FinishedGame {
        room: "123456".into(),
        players: [black, white],
        names: ["本因坊".into(), "B".into()],
        size: (19, 19),
        moves: 211,
        result: "W+R".into(),
        ended_ms: 5,
        rated: false,
        sgf: "(;GM[1])".into(),
    }
}

fn save(id: &str, state: &str, finished: Option<FinishedGame>) -> RoomChange {
    let room = StoredRoom { id: id.into(), state: state.into(), saved_ms: 1 };
    RoomChange::Save { room, finished: finished.map(Box::new) }
}

fn a_name_is_had_once(place: &Place<'_>) {
    let store = place.open();
    let account = store.add_account("Shusaku", "shusaku", Some("$hash"), 1).unwrap();
    assert!(matches!(store.add_account("SHUSAKU", "shusaku", Some("$other"), 2), Err(StoreError::NameTaken)));
    assert!(matches!(store.add_account("shusaku", "shusaku", None, 2), Err(StoreError::NameTaken)));
    assert_eq!(store.account_created(account.id).unwrap(), Some(1));
    assert_eq!(store.account_created(AccountId(account.id.0 + 10)).unwrap(), None);
    assert_eq!(store.account_with_password("shusaku").unwrap(), Some((account, "$hash".to_owned())));
    assert_eq!(store.account_with_password("nobody").unwrap(), None);
}

fn a_guest_has_a_name_and_no_way_back_in(place: &Place<'_>) {
    let store = place.open();
    let guest = store.add_account("guest", "guest", None, 1).unwrap();
    assert!(guest.guest);
    assert_eq!(store.account_with_password("guest").unwrap(), None);
    assert_eq!(store.account_named("guest").unwrap(), Some(guest.clone()));
    store.set_password(guest.id, "$hash").unwrap();
    assert_eq!(store.account_with_password("guest").unwrap(), None, "a guest does not become an account by itself");
    store.add_token(hash(1), guest.id, 10, 8).unwrap();
    assert_eq!(store.forget_expired(9).unwrap(), []);
    assert_eq!(store.forget_expired(10).unwrap(), [guest.id]);
    assert_eq!(store.account_named("guest").unwrap(), None);
}

fn tokens_expire_and_are_revoked(place: &Place<'_>) {
    let store = place.open();
    let account = store.add_account("a", "a", Some("$"), 0).unwrap();
    store.add_token(hash(1), account.id, 100, 8).unwrap();
    store.add_token(hash(2), account.id, 200, 8).unwrap();
    assert_eq!(store.account_of_token(hash(1), 99).unwrap(), Some(account.clone()));
    assert_eq!(store.account_of_token(hash(1), 100).unwrap(), None);
    assert_eq!(store.account_of_token(hash(3), 0).unwrap(), None);
    store.revoke_token(hash(2)).unwrap();
    assert_eq!(store.account_of_token(hash(2), 0).unwrap(), None);
    store.set_password(account.id, "$new").unwrap();
    assert_eq!(store.account_of_token(hash(1), 0).unwrap(), None, "a new password ends what the old one began");
}

fn somebody_of_a_provider_has_an_account_without_a_password(place: &Place<'_>) {
    let store = place.open();
    let who = ("https://id.example", "7");
    let anna = store.add_account_of(who, "Anna", "anna", 1).unwrap();
    assert!(!anna.guest);
    assert_eq!(store.account_of_identity(who.0, who.1).unwrap(), Some(anna.clone()));
    assert_eq!(store.account_of_identity(who.0, "8").unwrap(), None);
    assert_eq!(store.account_of_identity("https://other.example", "7").unwrap(), None);
    assert_eq!(store.account_with_password("anna").unwrap(), None, "nobody logs in with an empty one");
    assert!(matches!(store.add_account_of((who.0, "8"), "ANNA", "anna", 1), Err(StoreError::NameTaken)));
    assert!(matches!(store.add_account_of(who, "Other", "other", 1), Err(StoreError::Linked)));
    assert_eq!(store.account_named("other").unwrap(), None, "half an account is none");
    assert_eq!(store.links_of(anna.id).unwrap(), Linked { password: false, issuer: Some(who.0.into()) });
    assert!(!store.unlink_account(anna.id).unwrap(), "she could not come in any more");
    assert_eq!(store.forget_expired(i64::MAX).unwrap(), [], "she is no guest");
    assert!(store.delete_account(anna.id).unwrap());
    assert!(!store.delete_account(anna.id).unwrap(), "she is gone");
    assert_eq!(store.account_of_identity(who.0, who.1).unwrap(), None);
}

fn an_account_is_linked_to_one_person_of_a_provider_and_unlinked(place: &Place<'_>) {
    let store = place.open();
    let [anna, ben] = ["anna", "ben"].map(|name| store.add_account(name, name, Some("$"), 1).unwrap());
    let who = ("https://id.example", "7");
    store.link_account(anna.id, who, 2).unwrap();
    assert!(matches!(store.link_account(ben.id, who, 2), Err(StoreError::Linked)), "the person is Anna");
    assert!(
        matches!(store.link_account(anna.id, (who.0, "8"), 2), Err(StoreError::Linked)),
        "Anna is somebody already"
    );
    assert_eq!(store.account_of_identity(who.0, who.1).unwrap(), Some(anna.clone()));
    assert!(store.unlink_account(anna.id).unwrap());
    assert_eq!(store.links_of(anna.id).unwrap(), Linked { password: true, issuer: None });
    store.link_account(ben.id, who, 3).unwrap();
}

fn a_token_is_an_operators_for_a_while(place: &Place<'_>) {
    let store = place.open();
    let anna = store.add_account("anna", "anna", Some("$"), 0).unwrap();
    store.add_token(hash(1), anna.id, 100, 8).unwrap();
    assert!(!store.may_operate(hash(1), 0).unwrap());
    store.let_operate(hash(1), 50).unwrap();
    assert!(store.may_operate(hash(1), 49).unwrap() && !store.may_operate(hash(1), 50).unwrap());
    assert!(!store.may_operate(hash(2), 0).unwrap());
    store.let_operate(hash(1), 500).unwrap();
    assert!(!store.may_operate(hash(1), 100).unwrap(), "it has expired");
    store.revoke_token(hash(1)).unwrap();
    assert!(!store.may_operate(hash(1), 0).unwrap());
}

fn a_provider_ends_what_came_in_by_it(place: &Place<'_>) {
    let store = place.open();
    let (issuer, other) = ("https://id.example", "https://other.example");
    let anna = store.add_account_of((issuer, "7"), "Anna", "anna", 1).unwrap();
    let ben = store.add_account_of((issuer, "8"), "Ben", "ben", 1).unwrap();
    let add = |number: u8, account: AccountId, issuer: Option<&str>, session: Option<u8>| {
        store.add_token(hash(number), account, 100, 16).unwrap();
        if let Some(issuer) = issuer {
            store.set_provider(hash(number), issuer, session.map(hash)).unwrap();
        }
    };
    add(1, anna.id, Some(issuer), Some(101));
    add(2, anna.id, Some(issuer), Some(102));
    add(3, anna.id, Some(issuer), None);
    add(4, anna.id, None, None);
    add(5, ben.id, Some(issuer), Some(103));
    add(6, ben.id, Some(other), Some(101));
    let alive = || (1..=6).filter(|&number| store.account_of_token(hash(number), 0).unwrap().is_some());
    assert_eq!(store.provider_of_token(hash(1)).unwrap().as_deref(), Some(issuer));
    assert_eq!((store.provider_of_token(hash(4)).unwrap(), store.provider_of_token(hash(9)).unwrap()), (None, None));
    assert_eq!(store.revoke_of_provider(issuer, None, Some(hash(109))).unwrap(), 0);
    assert_eq!(store.revoke_of_provider(issuer, None, Some(hash(101))).unwrap(), 1);
    assert_eq!(alive().collect::<Vec<_>>(), [2, 3, 4, 5, 6], "another provider's session has the same name");
    assert_eq!(store.revoke_of_provider(issuer, Some("7"), Some(hash(109))).unwrap(), 1, "whose session is not known");
    assert_eq!(alive().collect::<Vec<_>>(), [2, 4, 5, 6]);
    assert_eq!(store.revoke_of_provider(issuer, Some("7"), None).unwrap(), 1);
    assert_eq!(store.revoke_of_provider(issuer, Some("9"), None).unwrap(), 0);
    assert_eq!(alive().collect::<Vec<_>>(), [4, 5, 6], "who came in by a password stays");
}

#[test]
fn a_file_of_before_keeps_its_guests_and_its_accounts() {
    let (folder, store) = store();
    let anna = store.add_account("anna", "anna", Some("$"), 0).unwrap();
    let guest = store.add_account("guest", "guest", None, 0).unwrap();
    drop(store);
    let path = folder.path().join("data/server.sqlite");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "DROP TABLE settings; DROP TABLE identities; DROP TABLE gone_accounts; DROP TABLE reset_codes;
         ALTER TABLE games DROP COLUMN black_counted; ALTER TABLE games DROP COLUMN white_counted;
         ALTER TABLE accounts DROP COLUMN guest; ALTER TABLE tokens DROP COLUMN operator_until;
         DROP INDEX tokens_by_provider_session;
         ALTER TABLE tokens DROP COLUMN issuer; ALTER TABLE tokens DROP COLUMN provider_session;
         PRAGMA user_version = 4;",
    )
    .unwrap();
    drop(file);
    let store = ServerStore::open(&path).unwrap();
    assert_eq!(store.account_named("anna").unwrap(), Some(anna));
    assert_eq!(store.account_named("guest").unwrap(), Some(guest.clone()));
    assert_eq!(store.forget_expired(1).unwrap(), [guest.id]);
}

fn an_account_keeps_so_many_tokens(place: &Place<'_>) {
    let store = place.open();
    let account = store.add_account("a", "a", Some("$"), 0).unwrap();
    for nth in 0..5 {
        store.add_token(hash(nth), account.id, 100 + i64::from(nth), 3).unwrap();
    }
    let alive =
        || -> Vec<u8> { (0..10).filter(|&nth| store.account_of_token(hash(nth), 0).unwrap().is_some()).collect() };
    assert_eq!(alive(), [2, 3, 4]);
    // The date was ahead, and is right again: whoever logs in now is not locked out by what was given then.
    store.add_token(hash(9), account.id, 50, 3).unwrap();
    assert_eq!(alive(), [3, 4, 9]);
}

fn accounts_come_by_name_in_pages(place: &Place<'_>) {
    let store = place.open();
    let [b, a] = ["Bea", "Ann"].map(|name| {
        store.add_account(name, &name.to_lowercase(), Some("$"), 7).unwrap();
        store.account_named(&name.to_lowercase()).unwrap().unwrap()
    });
    store.add_account("guest9", "guest9", None, 8).unwrap();
    store.change_rooms(&[save("123456", "{}", Some(finished(Some(a.id), Some(b.id))))]).unwrap();
    let names = |part: &str, after: &str, limit| -> Vec<String> {
        store.accounts(part, after, limit).unwrap().into_iter().map(|facts| facts.account.name).collect()
    };
    assert_eq!(names("", "", 9), ["Ann", "Bea", "guest9"]);
    assert_eq!((names("", "", 1), names("", "ann", 1)), (vec!["Ann".to_owned()], vec!["Bea".to_owned()]));
    assert_eq!((names("e", "", 9), names("zz", "", 9)), (vec!["Bea".to_owned(), "guest9".to_owned()], Vec::new()));
    let first = store.accounts("", "", 1).unwrap().remove(0);
    assert_eq!((first.account, first.key.as_str(), first.created_ms, first.games), (a, "ann", 7, 1));
}

fn a_sign_up_code_works_once(place: &Place<'_>) {
    let store = place.open();
    store.add_sign_up_code(hash(1), 100).unwrap();
    store.add_sign_up_code(hash(2), 100).unwrap();
    assert!(store.use_sign_up_code(hash(1), 5).unwrap());
    assert!(!store.use_sign_up_code(hash(1), 5).unwrap());
    assert!(!store.use_sign_up_code(hash(2), 100).unwrap());
    assert!(!store.use_sign_up_code(hash(3), 5).unwrap());
}

fn a_reset_code_sets_a_password_once_and_ends_every_token(place: &Place<'_>) {
    let store = place.open();
    let anna = store.add_account("anna", "anna", Some("$old"), 0).unwrap();
    let ben = store.add_account_of(("https://id.example", "7"), "ben", "ben", 0).unwrap();
    let guest = store.add_account("guest", "guest", None, 0).unwrap();
    for (nth, account) in [anna.id, ben.id].into_iter().enumerate() {
        store.add_token(hash(nth as u8), account, 1000, 8).unwrap();
        assert!(store.add_reset_code(hash(10 + nth as u8), account, 100).unwrap());
    }
    assert!(!store.add_reset_code(hash(12), guest.id, 100).unwrap());
    assert!(!store.add_reset_code(hash(12), AccountId(999), 100).unwrap());
    assert_eq!(store.reset_password(hash(12), "$new", 5).unwrap(), None);
    assert_eq!(store.reset_password(hash(10), "$new", 100).unwrap(), None, "it has expired");
    assert_eq!(store.reset_password(hash(10), "$new", 99).unwrap(), Some(anna.clone()));
    assert_eq!(store.reset_password(hash(10), "$again", 99).unwrap(), None, "it is used up");
    assert_eq!(store.account_with_password("anna").unwrap(), Some((anna.clone(), "$new".to_owned())));
    assert_eq!(store.account_of_token(hash(0), 5).unwrap(), None);
    assert_eq!(store.account_of_token(hash(1), 5).unwrap(), Some(ben.clone()), "another's stay");
    // A new code voids the one before; what has expired is forgotten, and an account takes its code along.
    assert!(store.add_reset_code(hash(13), ben.id, 200).unwrap());
    assert_eq!(store.reset_password(hash(11), "$", 5).unwrap(), None);
    assert!(store.add_reset_code(hash(14), anna.id, 300).unwrap());
    store.forget_expired(200).unwrap();
    store.delete_account(anna.id).unwrap();
    assert_eq!(store.reset_password(hash(14), "$", 5).unwrap(), None);
    drop(store);
    assert_eq!((place.count)("reset_codes"), 0);
}

fn a_deleted_account_is_gone_and_its_number_is_not_used_again(place: &Place<'_>) {
    let store = place.open();
    let leaving = store.add_account("a", "a", Some("$"), 0).unwrap();
    let staying = store.add_account("b", "b", Some("$"), 0).unwrap();
    store.add_token(hash(1), leaving.id, 100, 8).unwrap();
    store
        .change_rooms(&[
            save("1", "over", Some(finished(Some(leaving.id), Some(staying.id)))),
            save("2", "over", Some(finished(Some(leaving.id), None))),
        ])
        .unwrap();
    store.delete_account(leaving.id).unwrap();
    assert_eq!(store.account_of_token(hash(1), 0).unwrap(), None);
    assert_eq!(store.games_of(leaving.id, None, 10).unwrap(), []);
    let games = store.games_of(staying.id, None, 10).unwrap();
    assert_eq!((games.len(), games[0].names[0].as_str()), (1, "本因坊"), "it stays with the other player");
    store.delete_account(staying.id).unwrap();
    let again = store.add_account("a", "a", Some("$"), 0).unwrap();
    assert!(again.id > staying.id);
    store.change_rooms(&[save("3", "over", Some(finished(Some(leaving.id), Some(again.id))))]).unwrap();
    assert_eq!(store.games_of(again.id, None, 10).unwrap().len(), 1, "a game outlives a player who left meanwhile");
}

fn rooms_come_back_and_games_are_listed_for_those_who_played_them(place: &Place<'_>) {
    let store = place.open();
    let [a, b, c] = ["a", "b", "c"].map(|name| store.add_account(name, name, Some("$"), 0).unwrap().id);
    store.change_rooms(&[save("7", "first", None), save("8", "other", None)]).unwrap();
    store
        .change_rooms(&[save("7", "second", Some(finished(Some(a), Some(b)))), RoomChange::Remove { id: "8".into() }])
        .unwrap();
    store.set_alive(77).unwrap();
    drop(store);

    let store = place.open();
    assert_eq!(store.rooms().unwrap(), [StoredRoom { id: "7".into(), state: "second".into(), saved_ms: 1 }]);
    assert_eq!(store.last_alive().unwrap(), Some(77));
    let game = store.games_of(a, None, 10).unwrap().remove(0);
    assert_eq!((game.moves, game.result.as_str(), game.size), (211, "W+R", (19, 19)));
    assert_eq!(store.record_of(b, game.id).unwrap().as_deref(), Some("(;GM[1])"));
    assert_eq!(store.record_of(c, game.id).unwrap(), None, "others do not read it");
    assert_eq!(store.games_of(c, None, 10).unwrap(), []);
    assert_eq!(store.games_of(a, Some(game.id), 10).unwrap(), [], "pages go on below a number");
}

fn tournaments_are_kept_and_of_those_that_are_over_the_newest(place: &Place<'_>) {
    let store = place.open();
    let first = store.add_tournament("one", 1, 0, 3).unwrap().unwrap();
    let second = store.add_tournament("two", 1, 0, 3).unwrap().unwrap();
    store.save_tournament(first, "one, over", true, 2).unwrap();
    store.save_tournament(999, "nobody's", true, 2).unwrap();
    let third = store.add_tournament("three", 3, 0, 3).unwrap().unwrap();
    let states = |store: &ServerStore| -> Vec<(i64, String)> {
        store.tournaments().unwrap().into_iter().map(|kept| (kept.id, kept.state)).collect()
    };
    assert_eq!(states(&store), [(first, "one, over".into()), (second, "two".into()), (third, "three".into())]);
    let fourth = store.add_tournament("four", 4, 0, 3).unwrap().unwrap();
    assert_eq!(states(&store).into_iter().map(|kept| kept.0).collect::<Vec<_>>(), [second, third, fourth]);
    assert_eq!(store.add_tournament("five", 5, 0, 3).unwrap(), None, "three are not over");
    assert!(store.add_tournament("five", 5, 4, 3).unwrap().is_some(), "one was abandoned");
}

fn the_result_of_a_game_is_found_by_its_room(place: &Place<'_>) {
    let store = place.open();
    let account = |name: &str| store.add_account(name, name, Some("$hash"), 1).unwrap().id;
    let (a, b, c) = (account("a"), account("b"), account("c"));
    let game = FinishedGame {
        room: "12345678".into(),
        players: [Some(a), Some(b)],
        names: ["a".into(), "b".into()],
        size: (9, 9),
        moves: 3,
        result: "W+R".into(),
        ended_ms: 50,
        rated: false,
        sgf: "(;GM[1])".into(),
    };
    store.change_rooms(&[save("12345678", "{}", Some(game))]).unwrap();
    assert_eq!(store.result_in_room("12345678", [a, b], 50).unwrap().as_deref(), Some("W+R"));
    for (room, players, since) in
        [("12345678", [a, b], 51), ("12345678", [b, a], 0), ("12345678", [a, c], 0), ("1", [a, b], 0)]
    {
        assert_eq!(store.result_in_room(room, players, since).unwrap(), None);
    }
}

fn a_lesson_is_with_everybody_who_took_part_as_long_as_there_is_one(place: &Place<'_>) {
    let store = place.open();
    let account = |name: &str| store.add_account(name, name, Some("$hash"), 1).unwrap().id;
    let (tomo, anna, ben) = (account("tomo"), account("anna"), account("ben"));
    let guest = store.add_account("guest", "guest", None, 1).unwrap().id;
    let lesson = |people: &[AccountId]| FinishedLesson {
        room: "12345678".into(),
        people: people.to_vec(),
        title: "Corners".into(),
        teacher: "tomo".into(),
        moves: 3,
        ended_ms: 9,
        sgf: "(;GM[1])".into(),
    };
    let finish = |people: &[AccountId]| RoomChange::Finish { id: "12345678".into(), lesson: Box::new(lesson(people)) };
    store.change_rooms(&[save("12345678", "{}", None), finish(&[tomo, anna, tomo])]).unwrap();
    assert_eq!(store.rooms().unwrap(), []);
    let kept = store.lessons_of(anna, None, 10).unwrap();
    assert_eq!((kept.len(), kept[0].title.as_str(), kept[0].moves, kept[0].ended_ms), (1, "Corners", 3, 9));
    let id = kept[0].id;
    assert_eq!(store.lesson_record_of(tomo, id).unwrap().as_deref(), Some("(;GM[1])"));
    assert_eq!(store.lesson_record_of(ben, id).unwrap(), None);
    assert_eq!(
        (store.lessons_of(anna, Some(id), 10).unwrap(), store.lessons_of(ben, None, 10).unwrap()),
        (vec![], vec![])
    );
    // Those whose accounts are gone have none, and what nobody has is not kept.
    store.delete_account(tomo).unwrap();
    assert!(store.lesson_record_of(anna, id).unwrap().is_some());
    store.delete_account(anna).unwrap();
    store.change_rooms(&[finish(&[AccountId(999)]), finish(&[guest])]).unwrap();
    assert_eq!(store.forget_expired(10).unwrap(), [guest]);
    drop(store);
    assert_eq!((place.count)("lessons"), 0);
}

fn games_count_where_two_people_wished_it_and_no_guest_played(place: &Place<'_>) {
    let store = place.open();
    let account = |name: &str| store.add_account(name, name, Some("$hash"), 1).unwrap().id;
    let (anna, ben) = (account("anna"), account("ben"));
    let guest = store.add_account("guest", "guest", None, 1).unwrap().id;
    let game = |black: AccountId, white: AccountId, rated: bool| {
        save("1", "{}", Some(FinishedGame { rated, ..finished(Some(black), Some(white)) }))
    };
    store.change_rooms(&[game(anna, ben, false), game(anna, ben, true), game(guest, ben, true)]).unwrap();
    store.change_rooms(&[game(anna, anna, true), game(ben, anna, true)]).unwrap();
    let counted = store.rated_games(0, 10).unwrap();
    let players: Vec<_> = counted.iter().map(|game| game.players).collect();
    assert_eq!(players, [[anna, ben], [ben, anna]]);
    assert_eq!((counted[0].size, counted[0].result.as_str()), ((19, 19), "W+R"));
    assert_eq!(store.rated_games(counted[0].id, 10).unwrap(), counted[1..]);
    assert_eq!(store.rated_games(0, 1).unwrap(), counted[..1]);
    // They count for whoever stays, also those that were lost by going; of a guest's it is not known any more.
    store.delete_account(ben).unwrap();
    assert_eq!(store.rated_games(0, 10).unwrap(), counted);
    store.delete_account(guest).unwrap();
    store.change_rooms(&[game(anna, ben, true), game(guest, anna, true)]).unwrap();
    assert_eq!(store.rated_games(0, 10).unwrap().len(), 3);
    // Once both are gone nothing is left but the figures.
    store.delete_account(anna).unwrap();
    let left = store.rated_games(0, 10).unwrap();
    assert_eq!((left.len(), &left[..2]), (3, &counted[..]));
    drop(store);
    let with = |what: &str| (place.count)(&format!("games WHERE {what}"));
    assert_eq!((with("rated = 0"), with("rated = 1"), with("sgf <> '' OR black_name <> '' OR room <> ''")), (0, 3, 0));
}

#[test]
fn games_of_a_file_of_before_count_as_they_did() {
    let (folder, store) = store();
    let [anna, ben] = ["anna", "ben"].map(|name| store.add_account(name, name, Some("$"), 0).unwrap().id);
    let game = |rated| save("1", "{}", Some(FinishedGame { rated, ..finished(Some(anna), Some(ben)) }));
    store.change_rooms(&[game(true), game(false)]).unwrap();
    let counted = store.rated_games(0, 10).unwrap();
    assert_eq!(counted.len(), 1);
    drop(store);
    let path = folder.path().join("data/server.sqlite");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute_batch(
        "DROP TABLE reset_codes; DROP TABLE gone_accounts; ALTER TABLE games DROP COLUMN black_counted;
         ALTER TABLE games DROP COLUMN white_counted; PRAGMA user_version = 7;",
    )
    .unwrap();
    drop(file);
    let store = ServerStore::open(&path).unwrap();
    assert_eq!(store.rated_games(0, 10).unwrap(), counted);
    store.delete_account(ben).unwrap();
    assert_eq!(store.rated_games(0, 10).unwrap(), counted);
}

#[test]
fn other_files_are_refused_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library.sqlite");
    drop(honinbo_library::Library::open(&library).unwrap());
    let text = folder.path().join("text");
    std::fs::write(&text, "x".repeat(200)).unwrap();
    for path in [&library, &text] {
        let before = std::fs::read(path).unwrap();
        assert!(matches!(ServerStore::open(path), Err(StoreError::NotAStore { .. })), "{}", path.display());
        assert_eq!(std::fs::read(path).unwrap(), before);
    }
    let store = folder.path().join("server.sqlite");
    drop(ServerStore::open(&store).unwrap());
    assert!(matches!(honinbo_library::Library::open(&store), Err(honinbo_library::LibraryError::NotALibrary { .. })));
    let mut newer = std::fs::read(&store).unwrap();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&store, newer).unwrap();
    assert!(matches!(ServerStore::open(&store), Err(StoreError::Newer { found: 99, .. })));
}

#[test]
fn a_copy_is_made_while_the_file_is_in_use_and_is_a_whole_one() {
    let (folder, store) = store();
    let anna = store.add_account("anna", "anna", Some("$hash"), 1).unwrap();
    let copy = folder.path().join("backups/copy.sqlite");
    // The server ended in the middle of an earlier one.
    let half = folder.path().join("backups/copy.sqlite.part");
    std::fs::create_dir(folder.path().join("backups")).unwrap();
    std::fs::write(&half, "half a copy").unwrap();
    store.backup_to(&copy).unwrap();
    assert!(!half.exists());
    store.add_account("ben", "ben", Some("$hash"), 1).unwrap();
    assert!(matches!(store.backup_to(&copy), Err(StoreError::File { .. })), "what is there is not written over");
    let opened = ServerStore::open(&copy).unwrap();
    assert_eq!(opened.account_named("anna").unwrap(), Some(anna));
    assert_eq!(opened.account_named("ben").unwrap(), None, "it came after the copy");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

fn one_server_at_a_time_uses_a_file(place: &Place<'_>) {
    let store = place.open();
    store.set_alive(1).unwrap();
    // A database is for several.
    let other = ServerStore::open_at(&place.at);
    assert!(matches!(other, Err(StoreError::InUse)) || store.is_shared());
    store.set_alive(2).unwrap();
    drop(store);
    assert_eq!(place.open().last_alive().unwrap(), Some(2));
}

fn any_text_is_kept_and_names_are_in_the_order_of_their_bytes(place: &Place<'_>) {
    let store = place.open();
    let odd = "quoted ' \" \\ $1 ?1 {} 本因坊 \u{1F600} \r\n";
    store.change_rooms(&[save("1", odd, None), save("2", "with \0 in it", None)]).unwrap();
    let rooms = store.rooms().unwrap();
    assert_eq!(rooms[0].state, odd);
    assert!(rooms[1].state.starts_with("with ") && rooms[1].state.ends_with(" in it"), "{}", rooms[1].state);
    for key in ["b", "a b", "ab", "a-c", "本", "é", "%", "_"] {
        store.add_account(key, key, Some("$"), 1).unwrap();
    }
    let names = |part: &str, after: &str| -> Vec<String> {
        store.accounts(part, after, 9).unwrap().into_iter().map(|facts| facts.key).collect()
    };
    assert_eq!(names("", ""), ["%", "_", "a b", "a-c", "ab", "b", "é", "本"]);
    assert_eq!(
        (names("_", ""), names("%", ""), names("b", "ab")),
        (vec!["_".into()], vec!["%".into()], vec!["b".into()])
    );
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, store) = store();
    store.set_alive(1).unwrap();
    for entry in std::fs::read_dir(folder.path().join("data")).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.file_name());
    }
}
