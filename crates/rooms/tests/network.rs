//! Whatever the network does to messages, everybody agrees on the board.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop where they are surprised")]

use honinbo_rooms::{Body, ClientMessage, Now, Room, Seat, Terms};
use honinbo_rules::{Game, Move, Point};
use proptest::prelude::*;
use serde_json::Value;
use std::time::Duration;

/// What happens next.
#[derive(Debug, Clone)]
enum Step {
    /// A client that waits for nothing wants something.
    Want { client: usize, what: u8, x: u8, y: u8 },
    /// A client that got no answer sends again.
    Again { client: usize },
    /// A message arrives, out of order perhaps; `copy` leaves it on its way, so that it arrives again.
    Arrive { client: usize, up: bool, which: usize, copy: bool },
    /// A message is lost.
    Lose { client: usize, up: bool, which: usize },
    /// A connection breaks, with everything that was on its way, and is opened again.
    Reconnect { client: usize },
    /// The server is killed and started again.
    Crash,
}

fn step(crashes: bool) -> impl Strategy<Value = Step> {
    let client = 0..3_usize;
    prop_oneof![
        6 => (client.clone(), any::<u8>(), 0..5_u8, 0..5_u8).prop_map(|(client, what, x, y)| Step::Want { client, what, x, y }),
        2 => client.clone().prop_map(|client| Step::Again { client }),
        10 => (client.clone(), any::<bool>(), any::<usize>(), prop::bool::weighted(0.2))
            .prop_map(|(client, up, which, copy)| Step::Arrive { client, up, which, copy }),
        2 => (client.clone(), any::<bool>(), any::<usize>()).prop_map(|(client, up, which)| Step::Lose { client, up, which }),
        1 => client.prop_map(move |client| if crashes && client == 2 { Step::Crash } else { Step::Reconnect { client } }),
    ]
}

/// Two players and somebody who watches.
const PEOPLE: [&str; 3] = ["a", "b", "w"];

#[derive(Default)]
struct Client {
    up: Vec<String>,
    down: Vec<String>,
    /// The message without an answer, with its number.
    waiting: Option<(u64, String)>,
    last_id: u64,
    seq: u64,
    board: Value,
    /// The events it knows of, in their order, from the first on.
    events: Vec<Value>,
}

struct World {
    room: Room,
    clients: [Client; 3],
    /// Every event that was told.
    told: Vec<Value>,
    /// The server was killed once: what was told before is not told again one by one.
    crashed: bool,
}

fn now() -> Now {
    Now::at(Duration::from_secs(1))
}

impl World {
    fn new() -> Self {
        let seats = [Some(Seat::person("a", "A")), Some(Seat::person("b", "B"))];
        let room = Room::new("1", Terms { width: 5, height: 5, ..Terms::default() }, seats).unwrap();
        let mut world = Self { room, clients: Default::default(), told: Vec::new(), crashed: false };
        for person in PEOPLE {
            world.room.connected(person, now());
        }
        world.broadcast();
        world
    }

    fn broadcast(&mut self) {
        for message in self.room.take_messages() {
            let text = message.to_json();
            let value: Value = serde_json::from_str(&text).unwrap();
            self.told.extend(value["events"].as_array().unwrap().iter().cloned());
            for client in &mut self.clients {
                client.down.push(text.clone());
            }
        }
    }

    fn server_hears(&mut self, client: usize, text: &str) {
        let message = ClientMessage::parse(text).unwrap();
        let id = message.id.unwrap();
        let before = (self.room.game().clone(), self.room.seq());
        let turns = before.0.turns().len();
        let answer = match self.room.handle(PEOPLE[client], PEOPLE[client], &message, now()) {
            Ok(()) => self.room.message(Body::Ack { id }),
            Err(refusal) => {
                assert_eq!((self.room.game().clone(), self.room.seq()), before, "a refusal changed the room");
                self.room.message(Body::refused(&refusal, Some(id)))
            }
        };
        assert!(self.room.game().turns().len() <= turns + 1);
        self.broadcast();
        self.clients[client].down.push(answer.to_json());
    }

    fn client_hears(&mut self, client: usize, text: &str) {
        let message: Value = serde_json::from_str(text).unwrap();
        let mirror = &mut self.clients[client];
        let id = message["id"].as_u64();
        if id.is_some() && mirror.waiting.as_ref().map(|(id, _)| *id) == id {
            mirror.waiting = None;
        }
        let seq = message["seq"].as_u64().unwrap();
        let Some(events) = message["events"].as_array() else { return };
        if seq <= mirror.seq {
            return;
        }
        if seq - events.len() as u64 > mirror.seq && message.get("state").is_none_or(|state| state.is_null()) {
            return; // Chat after a gap: the next state brings what is missing.
        }
        let first = seq - events.len() as u64 + 1;
        if first <= mirror.seq + 1 {
            mirror.events.extend(events.iter().skip((mirror.seq + 1 - first) as usize).cloned());
        } else {
            // After a gap the state is taken as it is, and what happened meanwhile is asked for: answered here at once.
            let missed: Value = serde_json::from_str(&self.room.catch_up(Some(mirror.seq), now()).to_json()).unwrap();
            let missed_events = missed["events"].as_array().unwrap();
            if missed.get("moves").is_none() {
                mirror.events.extend(missed_events.iter().cloned());
            }
            mirror.seq = missed["seq"].as_u64().unwrap();
            mirror.board = missed["state"]["board"].clone();
            return;
        }
        mirror.seq = seq;
        if let Some(board) = message.get("state").map(|state| state["board"].clone()) {
            mirror.board = board;
        }
    }

    fn want(&mut self, client: usize, what: u8, x: u8, y: u8) {
        let mirror = &mut self.clients[client];
        if mirror.waiting.is_some() {
            return;
        }
        mirror.last_id += 1;
        let id = mirror.last_id;
        let text = match what {
            0..=199 => format!(r#"{{"type":"move","x":{x},"y":{y},"id":{id}}}"#),
            200..=209 => format!(r#"{{"type":"pass","id":{id}}}"#),
            210..=219 => format!(r#"{{"type":"undo","id":{id}}}"#),
            220..=234 => format!(r#"{{"type":"undo_answer","granted":{},"id":{id}}}"#, what.is_multiple_of(2)),
            235..=239 => format!(r#"{{"type":"chat","text":"{x}","id":{id}}}"#),
            240..=244 => format!(r#"{{"type":"resume_play","id":{id}}}"#),
            245..=249 => format!(r#"{{"type":"agree","revision":0,"id":{id}}}"#),
            250..=253 => format!(r#"{{"type":"mark","x":{x},"y":{y},"id":{id}}}"#),
            _ => format!(r#"{{"type":"resign","id":{id}}}"#),
        };
        mirror.waiting = Some((id, text.clone()));
        mirror.up.push(text);
    }

    fn take(&mut self, client: usize, up: bool, which: usize, copy: bool) -> Option<String> {
        let way = if up { &mut self.clients[client].up } else { &mut self.clients[client].down };
        if way.is_empty() {
            return None;
        }
        let at = which % way.len();
        Some(if copy { way[at].clone() } else { way.remove(at) })
    }

    fn take_step(&mut self, step: &Step) {
        match *step {
            Step::Want { client, what, x, y } => self.want(client, what, x, y),
            Step::Again { client } => {
                if let Some((_, text)) = self.clients[client].waiting.clone() {
                    self.clients[client].up.push(text);
                }
            }
            Step::Arrive { client, up, which, copy } => {
                if let Some(text) = self.take(client, up, which, copy) {
                    if up { self.server_hears(client, &text) } else { self.client_hears(client, &text) }
                }
            }
            Step::Lose { client, up, which } => drop(self.take(client, up, which, false)),
            Step::Reconnect { client } => {
                self.room.disconnected(PEOPLE[client], client < 2, now());
                self.broadcast();
                self.clients[client].up.clear();
                self.clients[client].down.clear();
                self.room.connected(PEOPLE[client], now());
                self.broadcast();
                let whole = self.room.catch_up(Some(self.clients[client].seq), now()).to_json();
                self.client_hears(client, &whole);
            }
            Step::Crash => {
                self.crashed = true;
                let kept = self.room.to_kept(now().at);
                self.room = Room::from_kept(&kept, Duration::ZERO, now().at).unwrap();
                for client in 0..3 {
                    self.take_step(&Step::Reconnect { client });
                }
            }
        }
    }

    /// Everything arrives at last, and whoever waits sends until there is an answer.
    fn settle(&mut self) {
        for _ in 0..4 {
            for client in 0..3 {
                self.take_step(&Step::Again { client });
                for up in [true, false] {
                    while let Some(text) = self.take(client, up, 0, false) {
                        if up { self.server_hears(client, &text) } else { self.client_hears(client, &text) }
                    }
                }
            }
        }
        for client in 0..3 {
            let last = self.room.catch_up(Some(self.clients[client].seq), now()).to_json();
            self.client_hears(client, &last);
        }
    }

    fn check(&self) {
        let board = serde_json::to_value(self.room.state(now()).board).unwrap();
        for (client, person) in self.clients.iter().zip(PEOPLE) {
            assert!(client.waiting.is_none(), "{person} got no answer");
            if client.seq == self.room.seq() {
                assert_eq!(client.board, board, "{person} sees another board");
            } else {
                panic!("{person} knows event {} of {}", client.seq, self.room.seq());
            }
            if !self.crashed {
                assert_eq!(client.events, self.told, "{person} was told otherwise");
            }
        }
        assert_eq!(self.played_again().board(), self.room.game().board(), "the events do not lead to the board");
    }

    /// The game that the events tell, by the rules alone.
    fn played_again(&self) -> Game {
        let mut game = Game::new(self.room.game().setup().clone()).unwrap();
        for event in &self.told {
            match event["kind"].as_str().unwrap() {
                "move" => {
                    let at = |name: &str| event[name].as_u64().unwrap() as usize;
                    game.play(game.to_play(), Move::Place(Point::new(at("x"), at("y")))).unwrap();
                }
                "pass" => game.play(game.to_play(), Move::Pass).unwrap(),
                "play_resumed" => game.resume(game.to_play()),
                "undone" => {
                    let left = event["moves"].as_u64().unwrap() as usize;
                    while game.turns().len() > left {
                        game.undo();
                    }
                    if game.is_over() {
                        game.resume(game.to_play());
                    }
                }
                _ => {}
            }
        }
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn server_and_clients_agree(steps in prop::collection::vec(step(false), 0..300)) {
        let mut world = World::new();
        for step in &steps {
            world.take_step(step);
        }
        world.settle();
        world.check();
    }

    #[test]
    fn also_when_the_server_is_killed(steps in prop::collection::vec(step(true), 0..300)) {
        let mut world = World::new();
        for step in &steps {
            world.take_step(step);
        }
        world.settle();
        world.check();
    }

    #[test]
    fn any_text_is_a_message_or_malformed(text in ".{0,200}") {
        let _ = ClientMessage::parse(&text);
    }
}
