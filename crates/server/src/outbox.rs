//! What waits to be sent to one client.
//!
//! Answers are never lost. Events are merged while they wait, so that a client that reads slowly costs no more memory
//! than the newest state of each thing and catches up at once when it reads again.

use honinbo_api::{AnalysisUpdate, Event, GraphUpdate, PositionsChanged};
use parking_lot::Mutex;
use std::collections::VecDeque;
use tokio::sync::Notify;

/// Positions whose last analysis is kept for a client that does not read.
const MAX_ANALYSES: usize = 8;
/// Opened games that are kept for a client that does not read.
const MAX_OPENED: usize = 16;
/// Games of which a client has not heard that they changed: twice as many as can be open.
const MAX_CHANGED: usize = 400;
/// News of games that are played: a window that missed some asks how its game stands.
const MAX_PLAY_NEWS: usize = 64;
/// Bytes of answers that may wait before no further command of this client is begun.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// Something to send.
#[derive(Debug, PartialEq)]
pub(crate) enum Item {
    /// A whole message.
    Answer(String),
    /// An event, written when its turn comes.
    Event(Event),
}

/// The queue of one client. Filled from any thread without blocking, emptied by the client's own task.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    state: Mutex<State>,
    filled: Notify,
    emptied: Notify,
}

#[derive(Debug, Default)]
struct State {
    items: VecDeque<Item>,
    answer_bytes: usize,
}

impl Outbox {
    /// Adds an answer.
    pub(crate) fn answer(&self, text: String) {
        {
            let mut state = self.state.lock();
            state.answer_bytes += text.len();
            state.items.push_back(Item::Answer(text));
        }
        self.filled.notify_one();
    }

    /// Adds an event, in place of those that it makes superfluous.
    pub(crate) fn event(&self, event: Event) {
        self.state.lock().add(event);
        self.filled.notify_one();
    }

    /// Waits for the next thing to send. One task only.
    pub(crate) async fn next(&self) -> Item {
        loop {
            let item = {
                let mut state = self.state.lock();
                let item = state.items.pop_front();
                if let Some(Item::Answer(text)) = &item {
                    state.answer_bytes -= text.len();
                }
                item
            };
            if let Some(item) = item {
                self.emptied.notify_waiters();
                return item;
            }
            self.filled.notified().await;
        }
    }

    /// Waits until the client has taken enough of its answers to be given more.
    pub(crate) async fn room(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.state.lock().answer_bytes <= MAX_ANSWER_BYTES {
                return;
            }
            emptied.await;
        }
    }
}

impl State {
    fn add(&mut self, mut event: Event) {
        match &mut event {
            Event::Analysis(update) => {
                self.forget(|waiting| matches!(waiting, Event::Analysis(old) if same_position(old, update)));
                self.keep_at_most(MAX_ANALYSES - 1, |waiting| matches!(waiting, Event::Analysis(_)));
            }
            Event::Graph(update) => {
                // Values are emitted once, so an older update is not dropped but taken over; not one of the network before.
                let is = |item: &Item| matches!(item, Item::Event(Event::Graph(old)) if old.game_id == update.game_id);
                let status = self.items.iter().rposition(|item| matches!(item, Item::Event(Event::Engine(_))));
                let waiting = self.items.iter().rposition(is).filter(|&at| status.is_none_or(|status| at > status));
                if let Some(Item::Event(Event::Graph(old))) = waiting.and_then(|index| self.items.remove(index)) {
                    take_over(update, old);
                }
            }
            Event::PositionsChanged(changed) => {
                self.forget_nodes(changed);
                let waiting = self.items.iter_mut().find_map(|item| match item {
                    Item::Event(Event::PositionsChanged(old)) if old.game_id == changed.game_id => Some(old),
                    _ => None,
                });
                // What waits behind the earlier one is of other nodes, or of the new positions.
                if let Some(old) = waiting {
                    old.nodes.append(&mut changed.nodes);
                    old.nodes.sort_unstable();
                    old.nodes.dedup();
                    return;
                }
            }
            Event::Engine(status) => {
                let waiting = self.items.iter_mut().find_map(|item| match item {
                    Item::Event(Event::Engine(old)) if old.serial == status.serial => Some(old),
                    _ => None,
                });
                // It stays before what its network found: a client forgets what it heard before another one's.
                if let Some(old) = waiting {
                    old.clone_from(status);
                    return;
                }
                self.forget(|waiting| matches!(waiting, Event::Engine(_)));
            }
            // Progress counts from the beginning of its import: the last word of one import must not be lost to the
            // first of the next.
            Event::Import(_) => self.forget(|waiting| matches!(waiting, Event::Import(old) if !old.finished)),
            // Progress says all that the earlier one said, but for why something failed.
            Event::Network(fetch) => {
                self.forget(|waiting| {
                    matches!(waiting, Event::Network(old) if old.file == fetch.file && old.message.is_empty())
                });
                self.keep_at_most(MAX_PLAY_NEWS - 1, |waiting| matches!(waiting, Event::Network(_)));
            }
            Event::Runtime(fetch) => {
                self.forget(|waiting| {
                    matches!(waiting, Event::Runtime(old) if old.name == fetch.name && old.message.is_empty())
                });
                self.keep_at_most(MAX_PLAY_NEWS - 1, |waiting| matches!(waiting, Event::Runtime(_)));
            }
            Event::Update(_) => {
                self.forget(|waiting| matches!(waiting, Event::Update(old) if old.message.is_empty()));
                self.keep_at_most(MAX_PLAY_NEWS - 1, |waiting| matches!(waiting, Event::Update(_)));
            }
            Event::Source(sync) => {
                self.forget(|waiting| matches!(waiting, Event::Source(old) if old.id == sync.id));
                self.keep_at_most(MAX_PLAY_NEWS - 1, |waiting| matches!(waiting, Event::Source(_)));
            }
            // Progress says all that the earlier one said.
            Event::Pattern(_) => self.forget(|waiting| matches!(waiting, Event::Pattern(_))),
            Event::Reviews(_) => self.forget(|waiting| matches!(waiting, Event::Reviews(_))),
            Event::SettingsChanged(_) => self.forget(|waiting| matches!(waiting, Event::SettingsChanged(_))),
            Event::ClosedGames(_) => self.forget(|waiting| matches!(waiting, Event::ClosedGames(_))),
            // Only a desktop has such menus, and it has no queue.
            Event::MenuChosen(_) => return,
            Event::FileGiven(_) => self.keep_at_most(MAX_OPENED - 1, |waiting| matches!(waiting, Event::FileGiven(_))),
            Event::PlayOut(_) => self.forget(|waiting| matches!(waiting, Event::PlayOut(_))),
            Event::GameChanged(changed) => {
                self.forget(|waiting| matches!(waiting, Event::GameChanged(old) if old.game_id == changed.game_id));
                self.keep_at_most(MAX_CHANGED - 1, |waiting| matches!(waiting, Event::GameChanged(_)));
            }
            Event::GameOpened(_) => {
                self.keep_at_most(MAX_OPENED - 1, |waiting| matches!(waiting, Event::GameOpened(_)))
            }
            Event::Play(_) => self.keep_at_most(MAX_PLAY_NEWS - 1, |waiting| matches!(waiting, Event::Play(_))),
            Event::GameKept(kept) => {
                self.forget(|waiting| matches!(waiting, Event::GameKept(old) if old.game_id == kept.game_id));
            }
            Event::GamesNotKept(_) => self.forget(|waiting| matches!(waiting, Event::GamesNotKept(_))),
            Event::LibraryNotBackedUp(_) => self.forget(|waiting| matches!(waiting, Event::LibraryNotBackedUp(_))),
            Event::LibraryChanged => self.forget(|waiting| matches!(waiting, Event::LibraryChanged)),
        }
        self.items.push_back(Item::Event(event));
    }

    fn forget(&mut self, superfluous: impl Fn(&Event) -> bool) {
        self.items.retain(|item| !matches!(item, Item::Event(event) if superfluous(event)));
    }

    /// Forgets what was found of positions that are others now.
    fn forget_nodes(&mut self, changed: &PositionsChanged) {
        self.items.retain_mut(|item| match item {
            Item::Event(Event::Analysis(old)) => {
                old.game_id != changed.game_id || !changed.nodes.contains(&old.node_id)
            }
            Item::Event(Event::Graph(old)) if old.game_id == changed.game_id => {
                old.values.retain(|value| !changed.nodes.contains(&value.node_id));
                !old.values.is_empty() || old.sweep.is_some()
            }
            _ => true,
        });
    }

    /// Forgets the oldest of a kind until no more than `count` are left.
    fn keep_at_most(&mut self, count: usize, of_kind: impl Fn(&Event) -> bool) {
        let is = |item: &Item| matches!(item, Item::Event(event) if of_kind(event));
        let mut surplus = self.items.iter().filter(|item| is(item)).count().saturating_sub(count);
        self.items.retain(|item| {
            let goes = surplus > 0 && is(item);
            surplus -= usize::from(goes);
            !goes
        });
    }
}

fn same_position(a: &AnalysisUpdate, b: &AnalysisUpdate) -> bool {
    a.game_id == b.game_id && a.node_id == b.node_id
}

/// Puts the values of `older` before those of `newer`, but for nodes that `newer` values itself.
fn take_over(newer: &mut GraphUpdate, older: GraphUpdate) {
    let known: std::collections::HashSet<u32> = newer.values.iter().map(|value| value.node_id).collect();
    let mut values = older.values;
    values.retain(|value| !known.contains(&value.node_id));
    values.append(&mut newer.values);
    newer.values = values;
    // Live analysis says nothing of a sweep; of two sweeps the later one counts.
    newer.sweep = newer.sweep.take().or(older.sweep);
}

#[cfg(test)]
mod tests {
    use super::*;
    use honinbo_api::{EngineState, EngineStatus, Finite, GraphValue, ImportProgress, SweepProgress, SweepState};

    fn analysis(node_id: u32, sequence: u32) -> Event {
        Event::Analysis(AnalysisUpdate {
            game_id: "g".into(),
            node_id,
            sequence,
            focus: 0,
            visits: sequence,
            visits_per_second: Finite::new(1.0),
            black_win_prob: Finite::new(0.5),
            black_score_lead: Some(Finite::new(0.0)),
            score_stdev: Finite::new(1.0),
            candidates: Vec::new(),
            black_ownership: Vec::new(),
            policy: Vec::new(),
            running: true,
        })
    }

    fn graph(nodes: &[(u32, u32)], done: Option<u32>) -> Event {
        let value = |(node_id, visits): &(u32, u32)| GraphValue {
            node_id: *node_id,
            black_win_prob: Finite::new(0.5),
            black_score_lead: Some(Finite::new(0.0)),
            visits: *visits,
            judged: None,
        };
        let progress = |done| SweepProgress {
            serial: 1,
            state: if done == 9 { SweepState::Finished } else { SweepState::Running },
            visits: 1,
            pass: 1,
            passes: 1,
            done,
            total: 9,
            unsettled: false,
        };
        let values = nodes.iter().map(value).collect();
        Event::Graph(GraphUpdate { game_id: "g".into(), values, sweep: done.map(progress) })
    }

    fn waiting(outbox: &Outbox) -> Vec<Item> {
        outbox.state.lock().items.drain(..).collect()
    }

    #[test]
    fn a_client_that_does_not_read_keeps_the_last_analysis_of_each_position() {
        let outbox = Outbox::default();
        for sequence in 0..1000 {
            outbox.event(analysis(sequence / 100, sequence));
        }
        outbox.answer("answer".into());
        let items = waiting(&outbox);
        let expected: Vec<Item> = (2..10).map(|node| Item::Event(analysis(node, node * 100 + 99))).collect();
        assert_eq!(items[..8], expected);
        assert_eq!(items[8..], [Item::Answer("answer".into())]);
    }

    fn status(serial: u32, per_second: f64) -> Event {
        Event::Engine(EngineStatus {
            state: EngineState::Ready,
            serial,
            network: "n".into(),
            device: "cpu".into(),
            device_name: String::new(),
            device_note: String::new(),
            evaluations_per_second: Finite::new(per_second),
            analysing: None,
        })
    }

    #[test]
    fn what_a_network_found_is_told_after_its_own_status_and_not_with_the_findings_of_the_one_before() {
        let outbox = Outbox::default();
        for event in [graph(&[(1, 90)], None), status(1, 1.0), graph(&[(1, 2)], None), analysis(1, 2), status(1, 2.0)] {
            outbox.event(event);
        }
        outbox.event(graph(&[(2, 2)], None));
        let told =
            [graph(&[(1, 90)], None), status(1, 2.0), analysis(1, 2), graph(&[(1, 2), (2, 2)], None)].map(Item::Event);
        assert_eq!(waiting(&outbox), told);
        for event in [status(1, 1.0), analysis(1, 5), status(2, 1.0), analysis(2, 1)] {
            outbox.event(event);
        }
        assert_eq!(waiting(&outbox), [analysis(1, 5), status(2, 1.0), analysis(2, 1)].map(Item::Event));
    }

    #[test]
    fn what_was_found_of_positions_that_are_others_now_is_not_told() {
        let changed =
            |nodes: &[u32]| Event::PositionsChanged(PositionsChanged { game_id: "g".into(), nodes: nodes.to_vec() });
        let outbox = Outbox::default();
        for event in [graph(&[(1, 9), (2, 9)], Some(1)), analysis(2, 1), changed(&[2]), analysis(2, 2)] {
            outbox.event(event);
        }
        outbox.event(changed(&[1]));
        outbox.event(graph(&[(1, 1)], None));
        let told = [changed(&[1, 2]), analysis(2, 2), graph(&[(1, 1)], Some(1))].map(Item::Event);
        assert_eq!(waiting(&outbox), told);
    }

    #[test]
    fn of_changes_of_a_game_the_last_one_is_kept_and_of_games_so_many() {
        let changed =
            |game: u32, version| Event::GameChanged(honinbo_api::GameChanged { game_id: format!("g{game}"), version });
        let outbox = Outbox::default();
        for version in 0..5 {
            outbox.event(changed(1, Some(version)));
            outbox.event(changed(2, Some(0)));
        }
        assert_eq!(waiting(&outbox), [Item::Event(changed(1, Some(4))), Item::Event(changed(2, Some(0)))]);
        for game in 0..1000 {
            outbox.event(changed(game, Some(0)));
            outbox.event(changed(game, None));
        }
        let kept = waiting(&outbox);
        assert_eq!((kept.len(), &kept[MAX_CHANGED - 1]), (MAX_CHANGED, &Item::Event(changed(999, None))));
    }

    #[test]
    fn values_of_the_graph_are_merged_and_none_is_lost() {
        let outbox = Outbox::default();
        outbox.event(graph(&[(1, 1), (2, 1)], Some(2)));
        outbox.event(graph(&[(2, 50), (3, 1)], Some(3)));
        assert_eq!(waiting(&outbox), [Item::Event(graph(&[(1, 1), (2, 50), (3, 1)], Some(3)))]);
    }

    #[test]
    fn the_end_of_a_sweep_is_told_though_live_analysis_found_something_since() {
        let outbox = Outbox::default();
        outbox.event(graph(&[(1, 1)], Some(9)));
        outbox.event(graph(&[(1, 30)], None));
        assert_eq!(waiting(&outbox), [Item::Event(graph(&[(1, 30)], Some(9)))]);
    }

    #[test]
    fn the_end_of_an_import_is_told_though_another_has_begun() {
        let progress = |games, finished| Event::Import(ImportProgress { games, finished, ..ImportProgress::default() });
        let outbox = Outbox::default();
        for event in [progress(1, false), progress(5, false), progress(9, true), progress(0, false), progress(2, false)]
        {
            outbox.event(event);
        }
        outbox.event(Event::LibraryChanged);
        outbox.event(Event::LibraryChanged);
        let expected = [progress(9, true), progress(2, false), Event::LibraryChanged].map(Item::Event);
        assert_eq!(waiting(&outbox), expected);
    }

    #[tokio::test]
    async fn commands_wait_until_their_answers_are_taken() {
        let outbox = Outbox::default();
        outbox.answer("x".repeat(MAX_ANSWER_BYTES + 1));
        let waited = tokio::time::timeout(std::time::Duration::from_millis(50), outbox.room()).await;
        assert!(waited.is_err(), "there was room for more");
        outbox.next().await;
        outbox.room().await;
    }
}
