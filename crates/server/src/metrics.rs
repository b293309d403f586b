//! Figures for an operator's Prometheus: counted while the server works, written in its text format.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper limits of the classes that times are counted in, in seconds.
const LIMITS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0];

/// What is counted from the start of the server on.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Messages of clients that a room handled.
    messages: Count,
    /// Messages that were refused.
    refusals: Count,
    /// Games that were played to their end.
    pub(crate) games: Count,
    /// Moves of engines.
    pub(crate) engine_moves: Count,
    /// Those of them that something simpler made in an engine's place.
    pub(crate) stand_ins: Count,
    /// From a message of a client until everybody in the room is told, the disk included.
    handling: Times,
}

impl Metrics {
    /// A message of a client was handled, so long after it came.
    pub(crate) fn handled(&self, took: Duration, refused: bool) {
        self.messages.add();
        self.handling.add(took);
        if refused {
            self.refusals.add();
        }
    }
}

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How long something takes, in classes.
#[derive(Debug, Default)]
pub(crate) struct Times {
    /// How often it took no longer than each of the limits and longer than the one before; the last is for the rest.
    classes: [AtomicU64; LIMITS.len() + 1],
    microseconds: AtomicU64,
}

impl Times {
    pub(crate) fn add(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let class = LIMITS.iter().position(|limit| seconds <= *limit).unwrap_or(LIMITS.len());
        self.classes[class].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(micros, Ordering::Relaxed);
    }
}

/// How things stand at the moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Rooms that wait for a player, are played, counted, adjourned, over.
    pub(crate) rooms: [usize; 5],
    /// People who are online.
    pub(crate) people: usize,
    /// Connections to rooms.
    pub(crate) connections: usize,
    /// Lessons.
    pub(crate) lessons: usize,
    /// Engines that think for rooms.
    pub(crate) engines: usize,
}

const STAGES: [&str; 5] = ["waiting", "playing", "counting", "adjourned", "over"];

impl Metrics {
    /// Everything, in the text format of Prometheus (version 0.0.4).
    pub(crate) fn text(&self, standing: &Standing) -> String {
        let mut text = String::new();
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let _ = write!(text, "# HELP honinbo_{name} {help}\n# TYPE honinbo_{name} {kind}\n"); // Never fails.
        };
        head(&mut text, "rooms", "gauge", "Rooms by what happens in them.");
        for (stage, count) in STAGES.iter().zip(standing.rooms) {
            let _ = writeln!(text, "honinbo_rooms{{stage=\"{stage}\"}} {count}");
        }
        for (name, help, value) in [
            ("people_online", "People who are online.", standing.people),
            ("room_connections", "Open connections to rooms.", standing.connections),
            ("lessons", "Lessons.", standing.lessons),
            ("engines_thinking", "Engines that think for rooms.", standing.engines),
        ] {
            head(&mut text, name, "gauge", help);
            let _ = writeln!(text, "honinbo_{name} {value}");
        }
        for (name, help, count) in [
            ("room_messages_total", "Messages of clients that rooms handled.", &self.messages),
            ("room_refusals_total", "Messages that rooms refused.", &self.refusals),
            ("games_finished_total", "Games that were played to their end.", &self.games),
            ("engine_moves_total", "Moves that engines made in rooms.", &self.engine_moves),
            ("engine_stand_ins_total", "Moves that a substitute made for an engine that failed.", &self.stand_ins),
        ] {
            head(&mut text, name, "counter", help);
            let _ = writeln!(text, "honinbo_{name} {}", count.get());
        }
        let name = "room_message_seconds";
        head(&mut text, name, "histogram", "From a message until everybody in the room is told.");
        let mut sum = 0;
        for (limit, class) in LIMITS.iter().zip(&self.handling.classes) {
            sum += class.load(Ordering::Relaxed);
            let _ = writeln!(text, "honinbo_{name}_bucket{{le=\"{limit}\"}} {sum}");
        }
        sum += self.handling.classes[LIMITS.len()].load(Ordering::Relaxed);
        let seconds = self.handling.microseconds.load(Ordering::Relaxed) as f64 / 1e6;
        let _ = write!(
            text,
            "honinbo_{name}_bucket{{le=\"+Inf\"}} {sum}\nhoninbo_{name}_sum {seconds}\nhoninbo_{name}_count {sum}\n"
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_in_classes_that_add_up() {
        let metrics = Metrics::default();
        for millis in [0, 1, 2, 60, 9000] {
            metrics.handling.add(Duration::from_millis(millis));
        }
        metrics.games.add();
        let standing = Standing { rooms: [1, 2, 0, 0, 3], people: 4, ..Standing::default() };
        let text = metrics.text(&standing);
        for line in [
            "honinbo_rooms{stage=\"playing\"} 2",
            "honinbo_people_online 4",
            "honinbo_games_finished_total 1",
            "honinbo_room_message_seconds_bucket{le=\"0.001\"} 2",
            "honinbo_room_message_seconds_bucket{le=\"0.0025\"} 3",
            "honinbo_room_message_seconds_bucket{le=\"0.05\"} 3",
            "honinbo_room_message_seconds_bucket{le=\"0.1\"} 4",
            "honinbo_room_message_seconds_bucket{le=\"5\"} 4",
            "honinbo_room_message_seconds_bucket{le=\"+Inf\"} 5",
            "honinbo_room_message_seconds_count 5",
            "honinbo_room_message_seconds_sum 9.063",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        // Each family is announced once, before its values.
        let mut announced = std::collections::HashSet::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                assert!(announced.insert(rest.split(' ').next().unwrap()), "{line}");
            }
        }
        assert_eq!(announced.len(), 11);
    }
}
