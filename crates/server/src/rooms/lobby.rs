//! Who is online, and who was invited where.

use honinbo_library::{Account, AccountId};
use honinbo_rooms::{INVITED_FOR, Terms};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// How long somebody is online after the last word.
const ONLINE_FOR: Duration = Duration::from_secs(90);
/// Invitations that wait for one person; one more puts the oldest away.
const MAX_INVITATIONS: usize = 20;

/// Somebody who is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OnlineUser {
    pub(crate) account: Account,
    /// Rooms that the person is connected to.
    pub(crate) rooms: u32,
}

/// An invitation to a room.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Invitation {
    pub(crate) room: String,
    from: AccountId,
    /// The name of whoever invites.
    pub(crate) name: String,
    /// What is played; `None` in a lesson.
    pub(crate) terms: Option<Terms>,
    at: Duration,
}

#[derive(Debug)]
struct Here {
    account: Account,
    seen: Duration,
    /// How many connections are open to each room, by what it is called in the store.
    rooms: HashMap<String, u32>,
}

impl Here {
    fn connections(&self) -> u32 {
        self.rooms.values().sum()
    }
}

#[derive(Debug, Default)]
struct State {
    here: HashMap<AccountId, Here>,
    invitations: HashMap<AccountId, Vec<Invitation>>,
}

impl State {
    fn saw(&mut self, account: &Account, now: Duration) -> &mut Here {
        let new = || Here { account: account.clone(), seen: now, rooms: HashMap::new() };
        let here = self.here.entry(account.id).or_insert_with(new);
        here.seen = now;
        here
    }

    fn forget_old_invitations(&mut self, now: Duration) {
        self.invitations.retain(|_, invitations| {
            invitations.retain(|invitation| now.saturating_sub(invitation.at) < INVITED_FOR);
            !invitations.is_empty()
        });
    }
}

/// The lobby. What it knows need not outlive the server.
#[derive(Debug, Default)]
pub(super) struct Lobby(Mutex<State>);

impl Lobby {
    /// Somebody asked for something.
    pub(super) fn saw(&self, account: &Account, now: Duration) {
        let mut state = self.0.lock();
        state.saw(account, now);
    }

    /// Somebody's connection to a room is open.
    pub(super) fn connected(&self, account: &Account, room: &str, now: Duration) {
        let mut state = self.0.lock();
        let connections = state.saw(account, now).rooms.entry(room.to_owned()).or_default();
        *connections = connections.saturating_add(1);
    }

    /// Somebody's connection to a room is closed. Who was forgotten meanwhile does not come back by that.
    pub(super) fn disconnected(&self, account: &Account, room: &str, now: Duration) {
        let mut state = self.0.lock();
        let Some(here) = state.here.get_mut(&account.id) else { return };
        here.seen = now;
        if let Some(connections) = here.rooms.get_mut(room) {
            *connections = connections.saturating_sub(1);
            if *connections == 0 {
                here.rooms.remove(room);
            }
        }
    }

    /// Somebody left for good. Answers the rooms that the person was connected to, by what they are called in the store.
    pub(super) fn forget(&self, account: AccountId) -> HashSet<String> {
        let mut state = self.0.lock();
        let gone = state.here.remove(&account);
        state.invitations.remove(&account);
        for invitations in state.invitations.values_mut() {
            invitations.retain(|invitation| invitation.from != account);
        }
        gone.map(|here| here.rooms.into_keys().collect()).unwrap_or_default()
    }

    /// Who is here, by name.
    pub(super) fn online(&self, now: Duration) -> Vec<OnlineUser> {
        let mut state = self.0.lock();
        state.here.retain(|_, here| !here.rooms.is_empty() || now.saturating_sub(here.seen) < ONLINE_FOR);
        let here = state.here.values();
        let mut users: Vec<OnlineUser> =
            here.map(|here| OnlineUser { account: here.account.clone(), rooms: here.connections() }).collect();
        users.sort_by(|a, b| a.account.name.cmp(&b.account.name));
        users
    }

    /// Keeps an invitation, in the place of an earlier one to the same room.
    pub(super) fn invite(
        &self,
        who: AccountId,
        room: &str,
        (from, name): (AccountId, &str),
        terms: Option<Terms>,
        now: Duration,
    ) {
        let mut state = self.0.lock();
        let invitations = state.invitations.entry(who).or_default();
        invitations.retain(|invitation| invitation.room != room);
        if invitations.len() >= MAX_INVITATIONS {
            invitations.remove(0);
        }
        invitations.push(Invitation { room: room.to_owned(), from, name: name.to_owned(), terms, at: now });
    }

    /// What somebody is invited to.
    pub(super) fn invitations(&self, who: AccountId, now: Duration) -> Vec<Invitation> {
        let mut state = self.0.lock();
        state.forget_old_invitations(now);
        state.invitations.get(&who).cloned().unwrap_or_default()
    }

    /// Takes an invitation away, accepted or not; false when there was none, also for the second of two who ask at once.
    pub(super) fn take_invitation(&self, who: AccountId, room: &str, now: Duration) -> bool {
        let mut state = self.0.lock();
        state.forget_old_invitations(now);
        let Some(invitations) = state.invitations.get_mut(&who) else { return false };
        let Some(known) = invitations.iter().position(|invitation| invitation.room == room) else { return false };
        invitations.remove(known);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(id: i64) -> Account {
        Account { id: AccountId(id), name: format!("player {id}"), guest: false }
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn who_is_silent_is_gone_unless_a_room_is_open() {
        let lobby = Lobby::default();
        lobby.saw(&account(1), at(0));
        lobby.connected(&account(2), "1", at(0));
        let names = |now| lobby.online(now).into_iter().map(|user| user.account.id.0).collect::<Vec<_>>();
        assert_eq!(names(at(89)), [1, 2]);
        assert_eq!(names(at(90)), [2]);
        lobby.disconnected(&account(2), "1", at(100));
        assert_eq!(names(at(189)), [2]);
        assert_eq!(names(at(190)), [0; 0]);
    }

    #[test]
    fn who_is_forgotten_does_not_come_back_when_the_connections_close() {
        let lobby = Lobby::default();
        for room in ["1", "1", "2", "3"] {
            lobby.connected(&account(1), room, at(0));
        }
        lobby.disconnected(&account(1), "3", at(1));
        assert_eq!(lobby.online(at(1))[0].rooms, 3);
        assert_eq!(lobby.forget(AccountId(1)), HashSet::from(["1".to_owned(), "2".to_owned()]));
        for room in ["1", "1", "2"] {
            lobby.disconnected(&account(1), room, at(2));
        }
        assert_eq!(lobby.online(at(2)), []);
        assert_eq!(lobby.forget(AccountId(1)), HashSet::new());
    }

    #[test]
    fn invitations_are_few_and_do_not_stand_for_ever() {
        let lobby = Lobby::default();
        for nth in 0..30 {
            lobby.invite(AccountId(1), &nth.to_string(), (AccountId(2), "two"), None, at(0));
        }
        lobby.invite(AccountId(1), "29", (AccountId(3), "three"), None, at(10));
        let invitations = lobby.invitations(AccountId(1), at(10));
        assert_eq!((invitations.len(), invitations[19].from.0), (20, 3));
        assert!(
            lobby.take_invitation(AccountId(1), "29", at(10)) && !lobby.take_invitation(AccountId(1), "29", at(10))
        );
        assert!(!lobby.take_invitation(AccountId(2), "28", at(10)), "it is somebody else's");
        assert_eq!(lobby.invitations(AccountId(1), at(3600)), []);
        lobby.invite(AccountId(1), "7", (AccountId(2), "two"), None, at(4000));
        lobby.forget(AccountId(2));
        assert_eq!(lobby.invitations(AccountId(1), at(4000)), []);
    }

    #[test]
    fn of_many_answers_to_one_invitation_at_once_one_is_taken() {
        let lobby = Lobby::default();
        for nth in 0..500 {
            lobby.invite(AccountId(1), "7", (AccountId(2), "two"), None, at(nth));
            let together = std::sync::Barrier::new(4);
            let answer = || {
                together.wait();
                lobby.take_invitation(AccountId(1), "7", at(nth))
            };
            let taken = std::thread::scope(|scope| {
                let answers = [(); 4].map(|()| scope.spawn(answer));
                answers.into_iter().map(|one| one.join().unwrap()).filter(|&taken| taken).count()
            });
            assert_eq!(taken, 1);
        }
    }
}
