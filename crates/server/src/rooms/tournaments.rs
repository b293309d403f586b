//! Tournaments: each kept before anybody is told, their games in rooms of their own.

use super::OpenError;
use super::name::RoomName;
use super::service::{Inner, Rooms};
use crate::accounts::{Account, name_key};
use crate::peers::Order;
use honinbo_library::AccountId;
use honinbo_rooms::{
    Attendance, Pairing, PairingResult, RestPoints, Room, Seat, Stage, Tournament, TournamentError, TournamentStage,
    TournamentTerms,
};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use tokio::sync::{Mutex as AsyncMutex, broadcast, watch};

/// Tournaments of a server; of those that are over or abandoned the oldest go.
const MAX_TOURNAMENTS: u32 = 500;
/// A tournament in which nothing has changed for so long is abandoned: half a year.
const ABANDONED_MS: i64 = 182 * 24 * 60 * 60 * 1000;
/// Tournaments of one organiser that are not over.
const MAX_TOURNAMENTS_OF_ONE: usize = 5;
/// Tournaments in the list.
const MAX_LISTED: usize = 50;

/// Who asks for something of a tournament.
#[derive(Debug, Clone)]
pub(crate) enum Asker {
    Person(Account),
    /// Whoever started the server, who may do what organisers may.
    Operator,
}

impl Asker {
    pub(crate) fn leads(&self, tournament: &Tournament) -> bool {
        match self {
            Self::Person(account) => tournament.is_led_by(&account.id.to_string()),
            Self::Operator => true,
        }
    }

    pub(crate) fn number_in(&self, tournament: &Tournament) -> Option<usize> {
        match self {
            Self::Person(account) => tournament.number_of(&account.id.to_string()),
            Self::Operator => None,
        }
    }
}

struct Entry {
    tournament: Mutex<Arc<Tournament>>,
    /// Grows with every change.
    changes: watch::Sender<u64>,
}

impl Entry {
    fn new(tournament: Tournament) -> Arc<Self> {
        Arc::new(Self { tournament: Mutex::new(Arc::new(tournament)), changes: watch::channel(0).0 })
    }

    fn now(&self) -> Arc<Tournament> {
        Arc::clone(&self.tournament.lock())
    }
}

/// The tournaments of a server.
#[derive(Default)]
pub(super) struct Tournaments {
    known: Mutex<BTreeMap<i64, Arc<Entry>>>,
    /// Changes are made one after the other.
    changing: AsyncMutex<()>,
}

impl Tournaments {
    fn find(&self, id: i64) -> Result<Arc<Entry>, OpenError> {
        self.known.lock().get(&id).cloned().ok_or(OpenError::UnknownTournament)
    }

    /// Whether somebody may lead one more.
    fn has_room_for(&self, person: &str) -> Result<(), OpenError> {
        let leads = |entry: &&Arc<Entry>| {
            let tournament = entry.now();
            tournament.stage() != TournamentStage::Over && tournament.is_led_by(person)
        };
        let led = self.known.lock().values().filter(leads).count();
        if led < MAX_TOURNAMENTS_OF_ONE { Ok(()) } else { Err(OpenError::TooManyTournaments) }
    }
}

impl Inner {
    /// Changes a tournament: what is refused, or cannot be kept, leaves it as it was.
    pub(super) async fn change_tournament<T>(
        &self,
        id: i64,
        change: impl FnOnce(&mut Tournament) -> Result<T, OpenError>,
    ) -> Result<T, OpenError> {
        let _one = self.tournaments.changing.lock().await;
        let entry = self.tournaments.find(id)?;
        let mut next = Tournament::clone(&entry.now());
        let answer = change(&mut next)?;
        let (store, now_ms) = (Arc::clone(&self.store), self.clock.unix_ms());
        let (state, is_over) = (next.to_kept(), next.stage() == TournamentStage::Over);
        let kept = tokio::task::spawn_blocking(move || store.save_tournament(id, &state, is_over, now_ms)).await;
        match kept {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                tracing::error!(%error, hint = error.hint(), "a tournament could not be kept");
                return Err(OpenError::Unavailable);
            }
            Err(error) => {
                tracing::error!(%error, "keeping a tournament panicked");
                return Err(OpenError::Unavailable);
            }
        }
        *entry.tournament.lock() = Arc::new(next);
        entry.changes.send_modify(|count| *count += 1);
        Ok(answer)
    }

    /// A tournament's game has ended. What cannot be kept now is found when the server starts again.
    pub(super) async fn tournament_game_ended(&self, room: &str, result: PairingResult) {
        let is_in = |entry: &Entry| {
            let tournament = entry.now();
            let mut games = tournament.rounds().iter().flat_map(|round| &round.pairings);
            games.any(|pairing| pairing.room == room && pairing.result.is_none())
        };
        let found = self.tournaments.known.lock().iter().find(|(_, entry)| is_in(entry)).map(|(&id, _)| id);
        let Some(id) = found else { return };
        let taken = self.change_tournament(id, |tournament| {
            tournament.room_ended(room, result);
            Ok(())
        });
        if let Err(error) = taken.await {
            tracing::error!(%error, tournament = id, "the result of a game could not be entered");
        }
    }
}

impl Rooms {
    /// Lets tournaments come back, with the results of games that ended while nobody heard of it, and the rooms of those
    /// that are still to be played. After the rooms have come back.
    pub(super) async fn resume_tournaments(&self) -> Result<(), OpenError> {
        let kept = self.read(honinbo_library::ServerStore::tournaments).await?;
        let (mut ids, mut people) = (Vec::new(), HashSet::new());
        for stored in kept {
            match Tournament::from_kept(&stored.state) {
                Ok(tournament) => {
                    if tournament.stage() != TournamentStage::Over {
                        let players = tournament.players().iter().filter_map(|player| player.person.as_deref());
                        people.extend(players.filter_map(|person| person.parse().ok().map(AccountId)));
                    }
                    self.0.tournaments.known.lock().insert(stored.id, Entry::new(tournament));
                    ids.push(stored.id);
                }
                // It stays in the store: a later version may read it.
                Err(error) => tracing::error!(%error, tournament = stored.id, "a tournament could not be brought back"),
            }
        }
        // The server may have ended between the end of an account and that of its games.
        for person in self.gone_of(people).await? {
            self.forget_in_tournaments(person).await;
        }
        for id in ids {
            self.resume_tournament(id).await?;
        }
        Ok(())
    }

    async fn resume_tournament(&self, id: i64) -> Result<(), OpenError> {
        let tournament = self.0.tournaments.find(id)?.now();
        let Some(round) = tournament.rounds().last().filter(|_| tournament.stage() == TournamentStage::Running) else {
            return Ok(());
        };
        for pairing in round.pairings.iter().filter(|pairing| pairing.result.is_none()) {
            let Some(players) = accounts_of(&tournament, pairing) else { continue };
            let (room, since) = (pairing.room.clone(), round.begun_ms);
            let ended = self.read(move |store| store.result_in_room(&room, players, since)).await?;
            if let Some(result) = ended.as_deref().and_then(PairingResult::of_sgf) {
                self.0.tournament_game_ended(&pairing.room, result).await;
            } else if ended.is_none() && !self.has_room(&pairing.room).await? {
                self.open_tournament_room(&tournament, pairing).await;
            }
        }
        Ok(())
    }

    pub(super) async fn open_tournament_room(&self, tournament: &Tournament, pairing: &Pairing) {
        let seats = pairing.players.map(|player| {
            let player = &tournament.players()[player];
            player.person.as_ref().map(|person| Seat::person(person, &player.name))
        });
        match Room::new(&pairing.room, tournament.terms_of(pairing), seats) {
            Ok(room) => {
                let handle = self.start(pairing.room.clone(), room.listed().official());
                self.settled(&handle.inputs).await;
            }
            // The terms were looked at when the tournament was made.
            Err(error) => tracing::error!(%error, room = pairing.room, "the room of a tournament could not be opened"),
        }
    }

    /// Makes a tournament; answers its number.
    pub(crate) async fn create_tournament(&self, account: &Account, wanted: TournamentTerms) -> Result<i64, OpenError> {
        if account.guest {
            return Err(OpenError::NeedsAccount);
        }
        let person = account.id.to_string();
        let tournament = Tournament::new(wanted, [&person, &account.name])?;
        let _one = self.0.tournaments.changing.lock().await;
        self.0.tournaments.has_room_for(&person)?;
        let (state, now_ms) = (tournament.to_kept(), self.0.clock.unix_ms());
        let added = self.read(move |store| {
            let id = store.add_tournament(&state, now_ms, now_ms - ABANDONED_MS, MAX_TOURNAMENTS)?;
            Ok((id, store.tournaments()?.into_iter().map(|kept| kept.id).collect::<HashSet<i64>>()))
        });
        let (id, kept) = added.await?;
        let id = id.ok_or(OpenError::TooMany)?;
        let mut known = self.0.tournaments.known.lock();
        known.retain(|id, _| kept.contains(id));
        known.insert(id, Entry::new(tournament));
        Ok(id)
    }

    /// Tournaments, those that are not over first, and the newest of each first.
    pub(crate) fn tournaments(&self) -> Vec<(i64, Arc<Tournament>)> {
        let known = self.0.tournaments.known.lock();
        let mut found: Vec<(i64, Arc<Tournament>)> = known.iter().rev().map(|(&id, entry)| (id, entry.now())).collect();
        found.sort_by_key(|(_, tournament)| tournament.stage() == TournamentStage::Over);
        found.truncate(MAX_LISTED);
        found
    }

    pub(crate) fn tournament(&self, id: i64) -> Result<Arc<Tournament>, OpenError> {
        Ok(self.0.tournaments.find(id)?.now())
    }

    /// Counts the changes of a tournament, from now on.
    pub(super) fn tournament_news(&self, id: i64) -> Result<watch::Receiver<u64>, OpenError> {
        Ok(self.0.tournaments.find(id)?.changes.subscribe())
    }

    /// Which accounts are gone, from now on.
    pub(super) fn accounts_gone(&self) -> broadcast::Receiver<AccountId> {
        self.0.gone.subscribe()
    }

    /// Somebody comes by themselves.
    pub(crate) async fn join_tournament(&self, id: i64, account: &Account, rank: &str) -> Result<(), OpenError> {
        if account.guest {
            return Err(OpenError::NeedsAccount);
        }
        self.0
            .change_tournament(id, |tournament| {
                tournament.join(&account.id.to_string(), &account.name, rank)?;
                Ok(())
            })
            .await
    }

    /// The organiser puts somebody on the list, who has an account and is here or has ratings, and says what the rounds are
    /// worth that this person has missed.
    pub(crate) async fn add_to_tournament(
        &self,
        id: i64,
        asker: &Asker,
        [name, rank]: [&str; 2],
        missed: Option<RestPoints>,
    ) -> Result<(), OpenError> {
        if !asker.leads(&*self.tournament(id)?) {
            return Err(OpenError::NotTheOrganiser);
        }
        let found = self.player(name).await?.map(|found| found.0);
        // Whoever is on the list already is known there.
        let known = self.tournament(id)?.players().iter().any(|player| name_key(&player.name) == name_key(name));
        let account = match found {
            Some(account) => account,
            None if known => {
                let key = name_key(name);
                self.read(move |store| store.account_named(&key)).await?.ok_or(OpenError::NotOnline)?
            }
            None => return Err(OpenError::NotOnline),
        };
        if account.guest {
            return Err(OpenError::NeedsAccount);
        }
        self.0
            .change_tournament(id, |tournament| {
                let player = tournament.join(&account.id.to_string(), &account.name, rank)?;
                if let Some(points) = missed {
                    tournament.count_missed(player, points)?;
                }
                Ok(())
            })
            .await
    }

    /// Somebody says whether they play on; the organiser says it of anybody, by the number and whom it is taken for.
    pub(crate) async fn attend_tournament(
        &self,
        id: i64,
        asker: &Asker,
        player: Option<usize>,
        name: Option<&str>,
        attendance: Attendance,
    ) -> Result<(), OpenError> {
        self.0
            .change_tournament(id, |tournament| {
                let own = asker.number_in(tournament);
                let player = player.or(own).ok_or(TournamentError::UnknownPlayer)?;
                if Some(player) != own && !asker.leads(tournament) {
                    return Err(OpenError::NotTheOrganiser);
                }
                Ok(tournament.attend(player, name, attendance)?)
            })
            .await
    }

    /// Pairs the next round and opens a room for each of its games.
    pub(crate) async fn next_round(&self, id: i64, asker: &Asker) -> Result<(), OpenError> {
        let now_ms = self.0.clock.unix_ms();
        let paired = self.0.change_tournament(id, |tournament| {
            if !asker.leads(tournament) {
                return Err(OpenError::NotTheOrganiser);
            }
            tournament.next_round(now_ms, self.new_numbers())?;
            Ok(tournament.clone())
        });
        let tournament = paired.await?;
        let games = tournament.rounds().last().into_iter().flat_map(|round| &round.pairings);
        for pairing in games.filter(|pairing| pairing.result.is_none()) {
            self.open_tournament_room(&tournament, pairing).await;
        }
        Ok(())
    }

    /// Names of rooms that are to be opened, each another one.
    pub(super) fn new_numbers(&self) -> impl FnMut() -> Result<String, OpenError> + '_ {
        let mut taken = HashSet::new();
        move || {
            if self.is_full() {
                return Err(OpenError::TooMany);
            }
            let number = self.free_number()?;
            if taken.insert(number.clone()) { Ok(number) } else { RoomName::random().ok_or(OpenError::Unavailable) }
        }
    }

    /// Takes the pairing of the last round back, as long as nobody has played in it. Its rooms are closed.
    pub(crate) async fn take_round_back(&self, id: i64, asker: &Asker) -> Result<(), OpenError> {
        let tournament = self.tournament(id)?;
        if !asker.leads(&tournament) {
            return Err(OpenError::NotTheOrganiser);
        }
        let round = tournament.round_to_take_back()?.clone();
        let waiting = round.pairings.iter().filter(|pairing| pairing.result.is_none());
        let Some(rooms) = self.to_close(&tournament, waiting, round.begun_ms).await? else {
            return Err(TournamentError::RoundBegun.into());
        };
        let taken_back = self.0.change_tournament(id, |tournament| {
            // Somebody else may have been quicker.
            if tournament.round_to_take_back()? != &round {
                return Err(TournamentError::RoundBegun.into());
            }
            Ok(tournament.take_round_back()?)
        });
        taken_back.await?;
        self.close_rooms(rooms).await;
        Ok(())
    }

    /// Rooms of games that are not to be played; `None` where one of them has begun.
    pub(super) async fn to_close<'a>(
        &self,
        tournament: &Tournament,
        pairings: impl Iterator<Item = &'a Pairing>,
        since_ms: i64,
    ) -> Result<Option<Vec<String>>, OpenError> {
        let mut rooms = Vec::new();
        for pairing in pairings {
            if self.has_begun(tournament, pairing, since_ms).await? {
                return Ok(None);
            }
            rooms.push(pairing.room.clone());
        }
        Ok(Some(rooms))
    }

    /// Tells rooms that their games are not played. Both may have come since they were looked at: they would play on for
    /// nothing, and for their ratings.
    pub(super) async fn close_rooms(&self, rooms: Vec<String>) {
        for room in rooms {
            self.end_room(&room, Order::TakeAway { room: room.clone() }).await;
        }
    }

    /// Whether somebody has moved in a game that has no result, or it has ended. Sitting down is no move.
    async fn has_begun(&self, tournament: &Tournament, pairing: &Pairing, since_ms: i64) -> Result<bool, OpenError> {
        let room = pairing.room.clone();
        match self.order::<Option<(Stage, usize)>>(&room, Order::Progress { room: room.clone() }).await {
            Ok(Some((stage, moves))) => {
                return Ok(!matches!((stage, moves), (Stage::Waiting, _) | (Stage::Playing, 0)));
            }
            // It may have ended without a result, which the organiser is to decide.
            Ok(None) | Err(OpenError::UnknownRoom) => {}
            Err(error) => return Err(error),
        }
        let Some(players) = accounts_of(tournament, pairing) else { return Ok(false) };
        Ok(self.read(move |store| store.result_in_room(&room, players, since_ms)).await?.is_some())
    }

    /// Tells a room that it is not needed any more.
    async fn end_room(&self, room: &str, order: Order) {
        if let Err(error) = self.order::<bool>(room, order).await {
            tracing::debug!(%error, room, "a room that is closed needs no telling");
        }
    }

    /// The organiser says how a game ended, by its number and by whom it is taken to be of. A room whose game has not begun
    /// is closed.
    pub(crate) async fn enter_result(
        &self,
        id: i64,
        asker: &Asker,
        (round, game): (usize, usize),
        players: [Option<usize>; 2],
        result: PairingResult,
    ) -> Result<(), OpenError> {
        let entered = self.0.change_tournament(id, |tournament| {
            if !asker.leads(tournament) {
                return Err(OpenError::NotTheOrganiser);
            }
            meant(tournament, (round, game), players)?;
            Ok(tournament.set_result(round, game, result)?.room.clone())
        });
        let room = entered.await?;
        self.end_room(&room, Order::CallOff { room: room.clone() }).await;
        Ok(())
    }

    /// The organiser takes back what was said of a game, by a slip say. One that is being played goes on; one in which nobody
    /// has moved is opened anew, as its room was closed; one that has ended in its room can only be corrected.
    pub(crate) async fn take_result_back(
        &self,
        id: i64,
        asker: &Asker,
        (round, game): (usize, usize),
        players: [Option<usize>; 2],
    ) -> Result<(), OpenError> {
        let tournament = self.tournament(id)?;
        if !asker.leads(&tournament) {
            return Err(OpenError::NotTheOrganiser);
        }
        let before = meant(&tournament, (round, game), players)?;
        if before.result.is_none() {
            return Ok(());
        }
        let room = before.room.clone();
        let goes_on = match self.order::<Option<(Stage, usize)>>(&room, Order::Progress { room: room.clone() }).await {
            Ok(progress) => progress.is_some_and(|(stage, _)| !matches!(stage, Stage::Waiting | Stage::Over)),
            Err(OpenError::UnknownRoom) => false,
            Err(error) => return Err(error),
        };
        if !goes_on && self.has_begun(&tournament, before, tournament.rounds()[round].begun_ms).await? {
            return Err(TournamentError::GameBegun.into());
        }
        let taken_back = self.0.change_tournament(id, |tournament| {
            // Somebody else may have been quicker.
            if meant(tournament, (round, game), players)? != before {
                return Err(TournamentError::OtherPairing.into());
            }
            let room = if goes_on { None } else { Some(self.new_numbers()()?) };
            tournament.take_result_back(round, game, room)?;
            Ok(tournament.clone())
        });
        let tournament = taken_back.await?;
        if !goes_on {
            self.open_tournament_room(&tournament, &tournament.rounds()[round].pairings[game]).await;
        }
        Ok(())
    }

    pub(crate) async fn finish_tournament(&self, id: i64, asker: &Asker) -> Result<(), OpenError> {
        self.0
            .change_tournament(id, |tournament| {
                if !asker.leads(tournament) {
                    return Err(OpenError::NotTheOrganiser);
                }
                Ok(tournament.finish()?)
            })
            .await
    }

    /// Lets a tournament go on that was ended.
    pub(crate) async fn reopen_tournament(&self, id: i64, asker: &Asker) -> Result<(), OpenError> {
        self.0
            .change_tournament(id, |tournament| {
                if !asker.leads(tournament) {
                    return Err(OpenError::NotTheOrganiser);
                }
                tournament.reopen()?;
                match asker {
                    Asker::Person(account) => self.0.tournaments.has_room_for(&account.id.to_string()),
                    Asker::Operator => Ok(()),
                }
            })
            .await
    }

    /// The account is gone.
    pub(super) async fn forget_in_tournaments(&self, person: AccountId) {
        let person = person.to_string();
        let concerned = |entry: &Entry| {
            let tournament = entry.now();
            tournament.is_led_by(&person) || tournament.number_of(&person).is_some()
        };
        let ids: Vec<i64> = {
            let known = self.0.tournaments.known.lock();
            known.iter().filter(|(_, entry)| concerned(entry)).map(|(&id, _)| id).collect()
        };
        for id in ids {
            let forgotten = self.0.change_tournament(id, |tournament| {
                tournament.forget(&person);
                Ok(())
            });
            if let Err(error) = forgotten.await {
                tracing::error!(%error, tournament = id, "an account that is gone could not be taken out");
            }
        }
    }
}

/// The game of a number, unless it is not of those whom it is taken to be of: games change their numbers where the organiser
/// pairs by hand.
fn meant(
    tournament: &Tournament,
    (round, game): (usize, usize),
    players: [Option<usize>; 2],
) -> Result<&Pairing, TournamentError> {
    let pairing = tournament.rounds().get(round).and_then(|round| round.pairings.get(game));
    let pairing = pairing.ok_or(TournamentError::UnknownPairing)?;
    let is_other = |(meant, player): (&Option<usize>, usize)| meant.is_some_and(|meant| meant != player);
    if players.iter().zip(pairing.players).any(is_other) { Err(TournamentError::OtherPairing) } else { Ok(pairing) }
}

/// The accounts of a game's players, as long as both have one.
fn accounts_of(tournament: &Tournament, pairing: &Pairing) -> Option<[AccountId; 2]> {
    let account = |player: usize| tournament.players()[player].person.as_ref()?.parse().ok().map(AccountId);
    let [black, white] = pairing.players.map(account);
    Some([black?, white?])
}
