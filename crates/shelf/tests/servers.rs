//! Asking game servers for a person's games: recorded answers, and servers that do what servers do.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use honinbo_evaluator::StopFlag;
use honinbo_shelf::{
    Clock, Delivery, GameServer, NotKept, Receiver, ServerAddresses, Visit, VisitError, VisitProgress,
};
use honinbo_testkit::game_servers::{Asked, GameServers, Reply, recorded};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Duration;

/// The 25th of November 2026.
const NOW: u64 = 1_795_575_600;
const GAP: Duration = Duration::from_secs(3);

/// A clock that lets time pass without waiting.
#[derive(Default)]
struct QuickClock {
    now: Mutex<Duration>,
    stops: Option<(Duration, StopFlag)>,
}

impl Clock for QuickClock {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }

    fn wait(&self, time: Duration) {
        let mut now = self.now.lock().unwrap();
        *now += time;
        if let Some((at, stop)) = &self.stops
            && *now >= *at
        {
            stop.set();
        }
    }
}

#[derive(Default)]
struct Memory {
    known: BTreeSet<String>,
    marks: BTreeMap<String, String>,
    taken: Vec<(String, Option<usize>)>,
    heard: Vec<VisitProgress>,
    stops_after: Option<(usize, StopFlag)>,
    refuses: bool,
    /// The look is so long after [`NOW`].
    later_seconds: u64,
}

impl Receiver for Memory {
    fn has(&self, key: &str) -> bool {
        self.known.contains(key)
    }

    fn mark(&self, page: &str) -> Result<String, NotKept> {
        Ok(self.marks.get(page).cloned().unwrap_or_default())
    }

    fn keep_mark(&mut self, page: &str, mark: &str) -> Result<(), NotKept> {
        self.marks.insert(page.into(), mark.into());
        Ok(())
    }

    fn take(&mut self, delivery: Delivery) -> Result<(), NotKept> {
        if self.refuses {
            return Err("the disk is full".into());
        }
        let (key, bytes) = match delivery {
            Delivery::Game { key, bytes } => (key, bytes.map(|bytes| bytes.len())),
            Delivery::Archive { key, bytes } => (key, Some(bytes.len())),
        };
        self.known.insert(key.clone());
        self.taken.push((key, bytes));
        if let Some((after, stop)) = &self.stops_after
            && self.taken.len() >= *after
        {
            stop.set();
        }
        Ok(())
    }

    fn hear(&mut self, progress: VisitProgress) {
        self.heard.push(progress);
    }
}

impl Memory {
    fn keys(&mut self) -> Vec<String> {
        std::mem::take(&mut self.taken).into_iter().map(|(key, _)| key).collect()
    }
}

fn pay(
    servers: &GameServers,
    server: GameServer,
    name: &str,
    memory: &mut Memory,
    clock: &QuickClock,
) -> Result<String, VisitError> {
    let address = servers.address();
    let stop = clock.stops.as_ref().map(|(_, stop)| stop).or(memory.stops_after.as_ref().map(|(_, stop)| stop));
    let stop = stop.cloned().unwrap_or_default();
    let silence = Duration::from_millis(600);
    let unix_seconds = NOW + memory.later_seconds;
    let visit = Visit { server, address: &address, name, unix_seconds, gap: GAP, silence, clock };
    visit.pay(memory, &stop)
}

fn ogs(servers: &GameServers, memory: &mut Memory) -> Result<String, VisitError> {
    pay(servers, GameServer::Ogs, "stonegarden", memory, &QuickClock::default())
}

fn kgs(servers: &GameServers, memory: &mut Memory) -> Result<String, VisitError> {
    pay(servers, GameServer::Kgs, "stonegarden", memory, &QuickClock::default())
}

#[test]
fn games_of_ogs_come_newest_first_and_each_once() {
    let servers = GameServers::start();
    let (mut memory, clock) = (Memory::default(), QuickClock::default());
    let name = pay(&servers, GameServer::Ogs, "stonegarden", &mut memory, &clock).unwrap();
    assert_eq!(name, "StoneGarden", "as the server spells it");
    assert_eq!(memory.keys(), ["81000005", "81000004", "81000002", "81000001"], "the cancelled one has no moves");
    assert_eq!(memory.heard.last().map(|heard| (heard.found, heard.fetched)), Some((4, 4)));
    // One request after the other, no two closer than the distance.
    let asked = u32::try_from(servers.asked().len()).unwrap();
    assert_eq!(asked, 7);
    assert_eq!(clock.now(), GAP * (asked - 1));
    // Looked at again, the first page says that there is nothing new.
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), [""; 0]);
    assert_eq!(servers.asked().len(), 9);
    memory.known.remove("81000005");
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), ["81000005"]);
}

#[test]
fn a_visit_that_was_stopped_goes_on_behind_what_is_known() {
    let servers = GameServers::start();
    let mut memory = Memory { stops_after: Some((1, StopFlag::new())), ..Memory::default() };
    let stopped = ogs(&servers, &mut memory).unwrap_err();
    assert!(stopped.is_stopped(), "{stopped}");
    assert_eq!(memory.keys(), ["81000005"]);
    memory.stops_after = None;
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), ["81000004", "81000002", "81000001"]);
}

#[test]
fn who_is_not_known_there_is_said() {
    let servers = GameServers::start();
    let clock = QuickClock::default();
    for server in [GameServer::Ogs, GameServer::Kgs] {
        let error = pay(&servers, server, "nobody & co", &mut Memory::default(), &clock).unwrap_err();
        assert!(matches!(error, VisitError::NoSuchPlayer { .. }), "{error}");
    }
    assert_eq!(
        servers.paths(),
        ["/api/v1/players?username=nobody%20%26%20co", "/gameArchives.jsp?user=nobody%20%26%20co"]
    );
}

#[test]
fn months_of_kgs_are_one_request_each_and_those_that_are_over_come_once() {
    let servers = GameServers::start();
    let mut memory = Memory::default();
    kgs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), ["2026-11", "2013-7"]);
    let months = |servers: &GameServers| {
        servers.paths().into_iter().filter(|path| path.starts_with("/servlet")).collect::<Vec<_>>()
    };
    let (this, old) =
        ("/servlet/archives/en_US/stonegarden-2026-11.zip", "/servlet/archives/en_US/stonegarden-2013-7.zip");
    assert_eq!(months(&servers), [this, old], "no month of those that one played with");
    // The month that goes on is asked for with its mark, and is the same.
    kgs(&servers, &mut memory).unwrap();
    assert_eq!(months(&servers), [this, old, this]);
    assert_eq!(servers.asked().last().unwrap().headers["if-none-match"], "\"2026-11\"");
    assert_eq!(memory.keys(), [""; 0]);
}

#[test]
fn a_log_in_page_is_told_from_a_player_without_games() {
    let page = |name: &'static str| {
        GameServers::answering(move |_, _| {
            let file = honinbo_testkit::fixtures::fixture(&format!("servers/{name}"));
            Reply::ok(std::fs::read(file).unwrap())
        })
    };
    let error = kgs(&page("kgs-login.html"), &mut Memory::default()).unwrap_err();
    assert!(matches!(error, VisitError::LogInAsked { .. }), "{error}");
    assert!(error.hint().contains("watched"));
    let error = kgs(&page("ogs-players.json"), &mut Memory::default()).unwrap_err();
    assert!(matches!(error, VisitError::Unexpected { .. }), "{error}");
}

#[test]
fn a_server_that_asks_for_a_pause_gets_it() {
    let servers = GameServers::answering(|number, asked| match number {
        1 => Reply::status("429 Too Many Requests").with("Retry-After", "90"),
        3 => Reply::status("503 Service Unavailable"),
        _ => recorded(asked),
    });
    let (mut memory, clock) = (Memory::default(), QuickClock::default());
    pay(&servers, GameServer::Ogs, "StoneGarden", &mut memory, &clock).unwrap();
    assert_eq!(memory.keys().len(), 4);
    let pauses: Vec<u64> = memory.heard.iter().filter_map(|heard| heard.pause).map(|pause| pause.as_secs()).collect();
    assert_eq!(pauses, [90, 5]);
    let asked = u32::try_from(servers.asked().len()).unwrap();
    // A pause is longer than the distance, which is not added to it.
    assert_eq!(clock.now(), GAP * (asked - 3) + Duration::from_secs(95));
}

#[test]
fn a_pause_that_nobody_waits_for_and_a_server_that_stays_broken_end_the_visit() {
    let servers = GameServers::answering(|_, _| Reply::status("429 Too Many Requests").with("Retry-After", "86400"));
    let error = ogs(&servers, &mut Memory::default()).unwrap_err();
    assert!(matches!(error, VisitError::Busy { seconds: 86_400, .. }), "{error}");
    assert_eq!(servers.asked().len(), 1);
    let servers = GameServers::answering(|_, _| Reply::status("500 Internal Server Error"));
    let error = ogs(&servers, &mut Memory::default()).unwrap_err();
    assert!(matches!(error, VisitError::Unreachable { .. }), "{error}");
    assert_eq!(servers.asked().len(), 4, "and then it is left alone");
}

#[test]
fn what_breaks_off_or_stalls_is_asked_for_again() {
    let servers = GameServers::answering(|number, asked| match number {
        1 => Reply { breaks_after: Some(100), ..recorded(asked) },
        3 => Reply { stalls_after: Some(10), ..recorded(asked) },
        _ => recorded(asked),
    });
    let mut memory = Memory::default();
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys().len(), 4);
    assert!(servers.asked().len() == 9);
}

#[test]
fn a_pause_can_be_broken_off() {
    let servers = GameServers::answering(|_, _| Reply::status("429 Too Many Requests").with("Retry-After", "300"));
    let clock = QuickClock { stops: Some((Duration::from_secs(20), StopFlag::new())), ..QuickClock::default() };
    let error = pay(&servers, GameServer::Ogs, "stonegarden", &mut Memory::default(), &clock).unwrap_err();
    assert!(error.is_stopped(), "{error}");
    assert!(clock.now() <= Duration::from_secs(21));
}

#[test]
fn pages_that_are_none_and_records_that_are_none_are_not_taken() {
    let page = || Reply::ok("<html><body>Please sign in to this network</body></html>");
    let error = ogs(&GameServers::answering(move |_, _| page()), &mut Memory::default()).unwrap_err();
    assert!(matches!(&error, VisitError::Unexpected { reason, .. } if reason == "it is a web page"), "{error}");
    let servers = GameServers::answering(move |_, asked| if is_record(asked) { page() } else { recorded(asked) });
    let mut memory = Memory::default();
    let error = ogs(&servers, &mut memory).unwrap_err();
    assert!(matches!(error, VisitError::Unexpected { .. }), "{error}");
    assert_eq!(memory.keys(), [""; 0], "it will be asked for again");
    // A private game is not asked for again.
    let servers = GameServers::answering(|_, asked| {
        if asked.path.contains("81000004") { Reply::status("403 Forbidden") } else { recorded(asked) }
    });
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.taken.iter().filter(|(_, bytes)| bytes.is_none()).count(), 1);
    assert_eq!(memory.keys().len(), 4);
}

#[test]
fn a_server_that_refuses_every_game_makes_none_of_them_private() {
    let list: Vec<String> =
        (1..=30).map(|id| format!(r#"{{"id":{id},"ended":"2024-01-01T00:00:00Z","outcome":"Resignation"}}"#)).collect();
    let list = format!(r#"{{"next":null,"results":[{}]}}"#, list.join(","));
    for (status, so_often) in [("401 Unauthorized", 1), ("403 Forbidden", 21)] {
        let list = list.clone();
        let servers = GameServers::answering(move |_, asked| match asked {
            asked if is_record(asked) => Reply::status(status),
            asked if asked.path.contains("/games/?") => Reply::ok(list.clone()),
            asked => recorded(asked),
        });
        let mut memory = Memory::default();
        let error = ogs(&servers, &mut memory).unwrap_err();
        assert!(matches!(error, VisitError::Unreachable { .. }), "{status}: {error}");
        assert_eq!(servers.asked().iter().filter(|asked| is_record(asked)).count(), so_often, "{status}");
        assert_eq!(memory.keys(), [""; 0], "{status}");
        ogs(&GameServers::start(), &mut memory).unwrap();
        assert_eq!(memory.keys().len(), 4, "{status}: they still come");
    }
    // Four in a row are somebody's private ones.
    let servers =
        GameServers::answering(
            |_, asked| {
                if is_record(asked) { Reply::status("403 Forbidden") } else { recorded(asked) }
            },
        );
    let mut memory = Memory::default();
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), [""; 0], "nothing else came that would tell");
}

#[test]
fn a_list_that_the_server_refuses_is_not_its_end() {
    for status in ["401 Unauthorized", "403 Forbidden", "410 Gone"] {
        for refused in ["username=", "page=1", "page=2"] {
            let servers = GameServers::answering(move |_, asked| {
                if asked.path.ends_with(refused) || asked.path.contains(&format!("?{refused}")) {
                    Reply::status(status)
                } else {
                    recorded(asked)
                }
            });
            let mut memory = Memory::default();
            let error = ogs(&servers, &mut memory).unwrap_err();
            assert!(matches!(error, VisitError::Unreachable { .. }), "{refused}, {status}: {error}");
            ogs(&GameServers::start(), &mut memory).unwrap();
            assert_eq!(memory.keys().len(), 4, "{refused}, {status}: older games still come");
        }
    }
    let servers = GameServers::answering(|_, asked| {
        if asked.path.ends_with("page=1") { Reply::status("404 Not Found") } else { recorded(asked) }
    });
    let mut memory = Memory::default();
    let error = ogs(&servers, &mut memory).unwrap_err();
    assert!(matches!(error, VisitError::Unexpected { .. }), "{error}");
    ogs(&GameServers::start(), &mut memory).unwrap();
    assert_eq!(memory.keys().len(), 4);
    // Behind the last page there is none.
    let servers = GameServers::answering(|_, asked| {
        if asked.path.ends_with("page=2") { Reply::status("404 Not Found") } else { recorded(asked) }
    });
    let mut memory = Memory::default();
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), ["81000005", "81000004"]);
}

#[test]
fn a_month_whose_archive_is_refused_or_not_there_is_asked_for_again() {
    let mut memory = Memory::default();
    let error = kgs(&without_july("403 Forbidden"), &mut memory).unwrap_err();
    assert!(matches!(error, VisitError::LogInAsked { .. }), "{error}");
    kgs(&without_july("404 Not Found"), &mut memory).unwrap();
    assert_eq!(memory.keys(), ["2026-11"]);
    kgs(&GameServers::start(), &mut memory).unwrap();
    assert_eq!(memory.keys(), ["2013-7"]);
    // So is an older one behind a month that stays refused, as long as the next one is not refused as well.
    let servers = GameServers::answering(|_, asked| {
        if asked.path.ends_with("2026-11.zip") { Reply::status("403 Forbidden") } else { recorded(asked) }
    });
    let mut memory = Memory::default();
    let error = kgs(&servers, &mut memory).unwrap_err();
    assert!(matches!(error, VisitError::LogInAsked { .. }), "{error}");
    assert_eq!(memory.keys(), ["2013-7"]);
    // What is gone is no longer asked for at some time, as what is not there.
    let (mut memory, servers) = (Memory::default(), without_july("410 Gone"));
    for days in [0, 30, 31] {
        memory.later_seconds = days * 24 * 60 * 60;
        kgs(&servers, &mut memory).unwrap();
    }
    assert_eq!(servers.paths().iter().filter(|path| path.ends_with("2013-7.zip")).count(), 2);
    // What is not there for thirty days will not come, and is left alone.
    let (mut memory, servers) = (Memory::default(), without_july("404 Not Found"));
    let asked = || servers.paths().iter().filter(|path| path.ends_with("2013-7.zip")).count();
    for (days, so_often) in [(0, 1), (1, 2), (4, 3)] {
        memory.later_seconds = days * 24 * 60 * 60;
        kgs(&servers, &mut memory).unwrap();
        assert_eq!(asked(), so_often, "after {days} days");
    }
    for _ in 0..2 {
        memory.later_seconds = 30 * 24 * 60 * 60;
        kgs(&servers, &mut memory).unwrap();
        assert_eq!(asked(), 4);
    }
}

#[test]
fn what_is_larger_than_any_answer_is_left() {
    let servers = GameServers::answering(|_, _| Reply::ok(vec![b' '; (8 << 20) + 1]));
    let error = ogs(&servers, &mut Memory::default()).unwrap_err();
    assert!(matches!(error, VisitError::TooLarge { .. }), "{error}");
}

#[test]
fn a_list_that_goes_in_circles_ends() {
    let servers = GameServers::answering(|_, asked| {
        let first = Asked { path: asked.path.replace("page=2", "page=1").replace("page=3", "page=1"), ..asked.clone() };
        recorded(&first)
    });
    let mut memory = Memory::default();
    ogs(&servers, &mut memory).unwrap();
    assert_eq!(memory.keys(), ["81000005", "81000004"], "the same games twice are taken once");
    assert_eq!(servers.paths().iter().filter(|path| path.contains("page=")).count(), 2);
}

#[test]
fn only_the_server_itself_is_asked_whatever_its_answers_say() {
    let other = GameServers::start();
    let elsewhere = other.address();
    let servers = GameServers::answering(move |_, asked| {
        let reply = recorded(asked);
        let text = String::from_utf8_lossy(&reply.body).replace("https://online-go.com", &elsewhere);
        Reply { body: text.into_bytes(), ..reply }
    });
    ogs(&servers, &mut Memory::default()).unwrap();
    assert_eq!(other.paths(), [""; 0]);
    let elsewhere = other.address();
    let servers =
        GameServers::answering(move |_, _| Reply::status("302 Found").with("Location", format!("{elsewhere}/a")));
    let error = ogs(&servers, &mut Memory::default()).unwrap_err();
    assert!(matches!(error, VisitError::Unexpected { .. }), "{error}");
    let servers = GameServers::answering(|number, asked| match number {
        0 => Reply::status("301 Moved Permanently").with("Location", asked.path.as_str()),
        _ => recorded(asked),
    });
    ogs(&servers, &mut Memory::default()).unwrap();
    assert_eq!((other.paths().len(), servers.paths().len()), (0, 8), "another place on the same server");
    let usual = ServerAddresses::default();
    let visit = Visit { address: "http://example.org", ..Visit::new(GameServer::Ogs, &usual, "a", NOW) };
    let error = visit.pay(&mut Memory::default(), &StopFlag::new()).unwrap_err();
    assert!(matches!(error, VisitError::Address(_)), "{error}");
}

#[test]
fn what_cannot_be_kept_ends_the_visit() {
    let servers = GameServers::start();
    let error = ogs(&servers, &mut Memory { refuses: true, ..Memory::default() }).unwrap_err();
    assert!(matches!(error, VisitError::NotKept(_)), "{error}");
    assert_eq!(servers.asked().len(), 3);
}

/// They answer so where the archive of July 2013 is asked for.
fn without_july(status: &'static str) -> GameServers {
    GameServers::answering(move |_, asked| {
        let is_july = asked.path.ends_with("2013-7.zip");
        if is_july { Reply::status(status) } else { recorded(asked) }
    })
}

fn is_record(asked: &Asked) -> bool {
    asked.path.ends_with("/sgf")
}
