//! A tournament: people who play, rounds of pairings, results, and the table that follows from them.
//!
//! As a [`crate::Room`] it is a state machine that is told who came and how games ended. Rules: the EGF Tournament System
//! Rules, <https://home.snafu.de/jasiek/egftsr.html>; handicap as the British Go Association's handbook has it,
//! <https://www.britgo.org/organisers/handbook/handbookch9.html>.

mod ahead;
mod by_hand;
mod matching;
mod pairing;
mod standings;

pub use by_hand::{PairingChange, Rearranged, Rearrangement, Rest, RestPoints};
pub use standings::{PlayedRound, RoundResult, Standing};

use crate::terms::{Terms, TermsError, whole};
use crate::text::plain;
use honinbo_record::Rank;
use honinbo_rules::{Color, Outcome};
use serde::{Deserialize, Deserializer, Serialize};
use specta::Type;

/// Players of a tournament.
pub const MAX_TOURNAMENT_PLAYERS: usize = 128;
/// Rounds of a tournament; as many opponents as somebody has in a round robin.
pub const MAX_TOURNAMENT_ROUNDS: u32 = 24;
/// Rounds of a tournament where nobody said how many.
const USUAL_ROUNDS: usize = 5;
/// What can be taken off a handicap, in stones.
pub const MAX_HANDICAP_LESS: u8 = 9;
/// Most stones of a game.
const MAX_HANDICAP: u32 = 9;
/// Longest title, in characters.
pub const MAX_TOURNAMENT_TITLE_CHARS: usize = 80;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TournamentSystem {
    /// Players with as many wins; all begin with none.
    Swiss,
    /// Players with as many points; all begin with those of their rank.
    McMahon,
    /// Everybody meets everybody once.
    RoundRobin,
}

/// What a tournament is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(deny_unknown_fields)]
pub struct TournamentTerms {
    /// What it is called.
    pub title: String,
    /// Who meets whom.
    pub system: TournamentSystem,
    /// Rounds, from 1 on; where it is not said five, or as many as can be played without anybody meeting again. A round
    /// robin has as many as it takes.
    #[serde(default, deserialize_with = "some_whole")]
    #[specta(type = Option<u32>)]
    pub rounds: Option<u32>,
    /// From which rank on all begin with the same points in a McMahon tournament, as `4d`; `None` tells all ranks apart.
    #[serde(default)]
    pub bar: Option<String>,
    /// In a McMahon tournament a game has as many stones as its players' points differ, less this many; `None` where all
    /// games are even. Those of the bar and above play even games with each other.
    #[serde(default)]
    pub handicap_less: Option<u8>,
    /// How games are played that are even.
    #[serde(default)]
    pub terms: Terms,
}

/// A whole number in any form that JSON has for it, or none.
fn some_whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    #[derive(Deserialize)]
    struct Whole(#[serde(deserialize_with = "whole")] u32);
    Ok(Option::<Whole>::deserialize(deserializer)?.map(|Whole(number)| number))
}

/// Where a tournament is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TournamentStage {
    /// People come; nothing is paired yet.
    Open,
    /// A round is paired, or the next one can be.
    Running,
    /// The table stands.
    Over,
}

/// Whether somebody plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Attendance {
    /// Is paired.
    Here,
    /// Is not paired until here again.
    Absent,
    /// Has left; before the first round as if never there.
    Gone,
}

/// How a game of a tournament ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PairingResult {
    /// Black has won.
    Black,
    /// White has won.
    White,
    /// Half a point for each.
    Draw,
    /// Nothing for either, as when neither came.
    BothLost,
}

impl PairingResult {
    /// Of a game's outcome; `None` where it has no result, which the organiser settles.
    #[must_use]
    pub fn of(outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::Win { winner: Color::Black, .. } => Some(Self::Black),
            Outcome::Win { winner: Color::White, .. } => Some(Self::White),
            Outcome::Draw => Some(Self::Draw),
            Outcome::NoResult => None,
        }
    }

    /// Of a game's outcome as SGF's `RE` writes it.
    #[must_use]
    pub fn of_sgf(text: &str) -> Option<Self> {
        match text.split('+').next()? {
            "B" => Some(Self::Black),
            "W" => Some(Self::White),
            "0" | "Draw" => Some(Self::Draw),
            _ => None,
        }
    }

    /// Half points of Black and White.
    fn halves(self) -> [u32; 2] {
        match self {
            Self::Black => [2, 0],
            Self::White => [0, 2],
            Self::Draw => [1, 1],
            Self::BothLost => [0, 0],
        }
    }
}

/// Somebody who plays, or has played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentPlayer {
    /// Who, in the words of the host; `None` once the account is gone. Never shown.
    pub person: Option<String>,
    /// The name that is shown.
    pub name: String,
    /// As players write it; empty where nobody said.
    pub rank: String,
    /// Whether that person plays on.
    pub attendance: Attendance,
    /// Half points that this player began with.
    start: u32,
}

/// A game of a round. Players are numbers, in the order they came, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Black and White.
    pub players: [usize; 2],
    /// The room that it is played in.
    pub room: String,
    /// How it ended.
    pub result: Option<PairingResult>,
    /// Who was drawn up and who down to be paired: the difference of half points, from Black's side.
    drawn: i64,
    /// Stones: 0 for an even game, 1 where Black has no more than the first move without komi.
    #[serde(default)]
    pub handicap: u32,
}

/// A round.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentRound {
    /// Its games.
    pub pairings: Vec<Pairing>,
    /// Who has no opponent, and gets a point for it where that is nobody's plan.
    pub bye: Option<usize>,
    /// Milliseconds since 1970.
    pub begun_ms: i64,
    /// Who was not to be paired, before it was.
    #[serde(default)]
    rests: Vec<Rest>,
}

/// Why something cannot be done. The tournament is as it was.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TournamentError {
    /// A title without letters, or a long one.
    #[error("a title has 1 to {MAX_TOURNAMENT_TITLE_CHARS} characters")]
    Title,
    /// None, or too many.
    #[error("a tournament has 1 to {MAX_TOURNAMENT_ROUNDS} rounds")]
    Rounds,
    /// Games that nobody can play.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// Stones before the first move of every game, or by points where they cannot be.
    #[error(
        "handicap follows from points, in a McMahon tournament that is not rated, and is at most {MAX_HANDICAP_LESS} less"
    )]
    Handicap,
    /// No rank.
    #[error("a rank is as 5k or 3d")]
    Rank,
    /// No room for more people.
    #[error("the tournament has no room for more players")]
    Full,
    /// Too late.
    #[error("a round robin has begun, and nobody can come in any more")]
    Begun,
    /// Its table stands.
    #[error("the tournament is over")]
    Over,
    /// There is nothing to open again.
    #[error("the tournament is not over")]
    GoesOn,
    /// Nobody of that number.
    #[error("the tournament has no such player")]
    UnknownPlayer,
    /// The number is somebody else's by now.
    #[error("the list of players has changed; look at it again")]
    OtherPlayer,
    /// No game of that number, or of those two.
    #[error("the tournament has no such game")]
    UnknownPairing,
    /// No round of that number.
    #[error("the tournament has no such round")]
    UnknownRound,
    /// The game of that number is another one by now.
    #[error("the pairings have changed; look at them again")]
    OtherPairing,
    /// One player twice.
    #[error("a game takes two players")]
    SamePlayer,
    /// They have to be taken apart first.
    #[error("the player has a game in that round; take that pairing apart first")]
    HasGame,
    /// Absent, or gone.
    #[error("a player who is absent or has withdrawn is not paired")]
    NotHere,
    /// The organiser has to insist.
    #[error("the two have met in round {round}; say so if they are to meet again")]
    Rematch {
        /// From 1.
        round: usize,
    },
    /// Too late to pair it otherwise.
    #[error("the game has begun or has a result")]
    GameBegun,
    /// Colours are no choice there.
    #[error("in a game with handicap the player with fewer points has Black")]
    HandicapColors,
    /// Everybody meets everybody.
    #[error("who meets whom in a round robin is fixed")]
    Fixed,
    /// A round goes on.
    #[error("the results of the last round are not all in")]
    RoundGoesOn,
    /// Too late to take it back.
    #[error("a game of the round has begun or has a result")]
    RoundBegun,
    /// All have been played.
    #[error("all rounds have been played")]
    NoRoundLeft,
    /// There are fewer than two.
    #[error("a round needs two players who are there")]
    TooFew,
    /// A round robin of so many would take too long.
    #[error("a round robin has at most {} players", MAX_TOURNAMENT_ROUNDS + 1)]
    TooMany,
}

impl TournamentError {
    /// A stable name, for programs and translations.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Title => "bad_title",
            Self::Rounds => "bad_rounds",
            Self::Terms(_) | Self::Handicap => "bad_terms",
            Self::Rank => "bad_rank",
            Self::Full => "tournament_full",
            Self::Begun => "tournament_begun",
            Self::Over => "tournament_over",
            Self::GoesOn => "tournament_goes_on",
            Self::UnknownPlayer => "unknown_player",
            Self::OtherPlayer => "other_player",
            Self::UnknownPairing => "unknown_pairing",
            Self::UnknownRound => "unknown_round",
            Self::OtherPairing => "other_pairing",
            Self::SamePlayer => "same_player",
            Self::HasGame => "has_game",
            Self::NotHere => "not_here",
            Self::Rematch { .. } => "rematch",
            Self::GameBegun => "game_begun",
            Self::HandicapColors => "handicap_colors",
            Self::Fixed => "pairings_fixed",
            Self::RoundGoesOn => "round_goes_on",
            Self::RoundBegun => "round_begun",
            Self::NoRoundLeft => "no_round_left",
            Self::TooFew => "too_few_players",
            Self::TooMany => "too_many_players",
        }
    }

    /// Whether the request itself is at fault, whatever the tournament's state.
    #[must_use]
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Title | Self::Rounds | Self::Terms(_) | Self::Handicap | Self::Rank)
    }
}

/// A tournament. See the module's page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tournament {
    terms: TournamentTerms,
    /// Who leads it and the name; the person is `None` once that account is gone.
    organiser: (Option<String>, String),
    players: Vec<TournamentPlayer>,
    rounds: Vec<TournamentRound>,
    /// Who does not play in which round, as the organiser said.
    #[serde(default)]
    rests: Vec<Rest>,
    /// Of a round robin, which is fixed at its beginning: who meets whom in each round.
    schedule: Vec<Vec<[usize; 2]>>,
    /// Strength of the weakest rank at the first round.
    weakest: Option<u8>,
    stage: TournamentStage,
}

impl Tournament {
    /// A tournament that people can come to, led by this person.
    ///
    /// # Errors
    /// [`TournamentError`] for one that cannot be played.
    pub fn new(mut terms: TournamentTerms, organiser: [&str; 2]) -> Result<Self, TournamentError> {
        terms.title = plain(&terms.title);
        if terms.title.is_empty() || terms.title.chars().count() > MAX_TOURNAMENT_TITLE_CHARS {
            return Err(TournamentError::Title);
        }
        if terms.rounds.is_some_and(|rounds| !(1..=MAX_TOURNAMENT_ROUNDS).contains(&rounds)) {
            return Err(TournamentError::Rounds);
        }
        let can_have_handicap = terms.system == TournamentSystem::McMahon && !terms.terms.rated;
        let asks_too_much = |less: u8| !can_have_handicap || less > MAX_HANDICAP_LESS;
        if terms.terms.handicap > 1 || terms.handicap_less.is_some_and(asks_too_much) {
            return Err(TournamentError::Handicap);
        }
        terms.terms.check_new()?;
        terms.terms = terms.terms.with_rules_named();
        terms.bar = terms.bar.as_deref().map(rank_of).transpose()?.filter(|bar| !bar.is_empty());
        let organiser = (Some(organiser[0].to_owned()), organiser[1].to_owned());
        Ok(Self {
            terms,
            organiser,
            players: Vec::new(),
            rounds: Vec::new(),
            rests: Vec::new(),
            schedule: Vec::new(),
            weakest: None,
            stage: TournamentStage::Open,
        })
    }

    /// As text, to be kept.
    #[must_use]
    pub fn to_kept(&self) -> String {
        serde_json::to_string(self).expect("names are texts and numbers are finite")
    }

    /// One that was kept.
    ///
    /// # Errors
    /// For what this program did not write.
    pub fn from_kept(text: &str) -> Result<Self, serde_json::Error> {
        let kept: Self = serde_json::from_str(text)?;
        let known = |player: &usize| *player < kept.players.len();
        let rounds = kept.rounds.iter();
        let mut named = rounds.flat_map(|round| round.pairings.iter().flat_map(|one| one.players).chain(round.bye));
        let mut scheduled = kept.schedule.iter().flatten().flatten();
        let mut rests = kept.rounds.iter().flat_map(|round| &round.rests).chain(&kept.rests);
        if named.all(|player| known(&player)) && scheduled.all(known) && rests.all(|rest| known(&rest.player)) {
            return Ok(kept);
        }
        Err(serde::de::Error::custom("a player who is not there"))
    }

    /// What it is.
    #[must_use]
    pub fn terms(&self) -> &TournamentTerms {
        &self.terms
    }

    /// Where it is.
    #[must_use]
    pub fn stage(&self) -> TournamentStage {
        self.stage
    }

    /// The organiser's name.
    #[must_use]
    pub fn organiser(&self) -> &str {
        &self.organiser.1
    }

    /// Whether this person leads it.
    #[must_use]
    pub fn is_led_by(&self, person: &str) -> bool {
        self.organiser.0.as_deref() == Some(person)
    }

    /// Everybody who plays or has played, in the order they came.
    #[must_use]
    pub fn players(&self) -> &[TournamentPlayer] {
        &self.players
    }

    /// The rounds that have been paired.
    #[must_use]
    pub fn rounds(&self) -> &[TournamentRound] {
        &self.rounds
    }

    /// Rounds altogether, as far as that is known.
    #[must_use]
    pub fn rounds_planned(&self) -> usize {
        match self.terms.system {
            TournamentSystem::RoundRobin if self.schedule.is_empty() => self.rounds_without_rematch(),
            TournamentSystem::RoundRobin => self.schedule.len(),
            _ => match (self.terms.rounds, self.rounds_without_rematch()) {
                (Some(rounds), _) => rounds as usize,
                (None, 0) => USUAL_ROUNDS,
                (None, most) => most.min(USUAL_ROUNDS),
            },
        }
    }

    /// Rounds altogether in which all players can meet somebody whom they have not met; with an odd number everybody rests
    /// once.
    #[must_use]
    pub fn rounds_without_rematch(&self) -> usize {
        let players = self.players.len();
        (players + players % 2).saturating_sub(1)
    }

    /// Whether the players of a game have met in an earlier round.
    #[must_use]
    pub fn is_rematch(&self, round: usize, pairing: &Pairing) -> bool {
        self.met_in(round, pairing.players).is_some()
    }

    /// The number of a person among the players.
    #[must_use]
    pub fn number_of(&self, person: &str) -> Option<usize> {
        self.players.iter().position(|player| player.person.as_deref() == Some(person))
    }

    /// Somebody comes, or says another rank before the first round.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn join(&mut self, person: &str, name: &str, rank: &str) -> Result<usize, TournamentError> {
        self.must_go_on()?;
        let rank = rank_of(rank)?;
        if let Some(known) = self.number_of(person) {
            let player = &mut self.players[known];
            player.attendance = Attendance::Here;
            if self.stage == TournamentStage::Open {
                player.rank = rank;
            }
            return Ok(known);
        }
        if self.stage != TournamentStage::Open && self.terms.system == TournamentSystem::RoundRobin {
            return Err(TournamentError::Begun);
        }
        if self.players.len() >= MAX_TOURNAMENT_PLAYERS {
            return Err(TournamentError::Full);
        }
        self.players.push(TournamentPlayer {
            person: Some(person.to_owned()),
            name: name.to_owned(),
            rank,
            attendance: Attendance::Here,
            start: 0,
        });
        if self.stage == TournamentStage::Running {
            self.give_start_points();
        }
        Ok(self.players.len() - 1)
    }

    /// Says whether somebody plays on. Of those who are gone before the first round nothing stays; a game that is
    /// under way goes on.
    ///
    /// `name` is whom the number is taken for, where that is said: before the first round numbers are others' once somebody
    /// is gone.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn attend(&mut self, player: usize, name: Option<&str>, attendance: Attendance) -> Result<(), TournamentError> {
        self.must_go_on()?;
        let known = self.players.get_mut(player).ok_or(TournamentError::UnknownPlayer)?;
        if name.is_some_and(|name| name != known.name) {
            return Err(TournamentError::OtherPlayer);
        }
        if self.stage == TournamentStage::Open && attendance == Attendance::Gone {
            self.take_off(player);
        } else if known.person.is_some() {
            known.attendance = attendance;
        }
        Ok(())
    }

    /// The account is gone: what was played stays, a game that is under way is lost. Answers whether that changed
    /// anything.
    pub fn forget(&mut self, person: &str) -> bool {
        let leads = self.is_led_by(person);
        if leads {
            self.organiser.0 = None;
        }
        let Some(number) = self.number_of(person) else { return leads };
        if self.stage == TournamentStage::Open {
            self.take_off(number);
            return true;
        }
        self.players[number].person = None;
        self.players[number].attendance = Attendance::Gone;
        for pairing in self.rounds.iter_mut().flat_map(|round| &mut round.pairings) {
            if pairing.result.is_none() && pairing.players.contains(&number) {
                let won = if pairing.players[0] == number { PairingResult::White } else { PairingResult::Black };
                pairing.result = Some(won);
            }
        }
        true
    }

    /// Pairs the next round. `room` gives each game the name of its room.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn next_round<E: From<TournamentError>>(
        &mut self,
        now_ms: i64,
        mut room: impl FnMut() -> Result<String, E>,
    ) -> Result<&TournamentRound, E> {
        self.must_go_on()?;
        if !self.is_round_over() {
            return Err(TournamentError::RoundGoesOn.into());
        }
        let paired = match self.terms.system {
            TournamentSystem::RoundRobin => self.next_of_schedule()?,
            _ if self.rounds.len() >= self.rounds_planned() => return Err(TournamentError::NoRoundLeft.into()),
            _ => {
                if self.rounds.is_empty() {
                    self.give_start_points();
                }
                self.pair()?
            }
        };
        let number = self.rounds.len();
        let rests = self.rests.iter().filter(|rest| rest.round == number).copied().collect();
        let mut round = TournamentRound { pairings: Vec::new(), bye: paired.bye, begun_ms: now_ms, rests };
        for pair in paired.pairs {
            let (players, drawn, handicap) = (pair.players, pair.drawn, pair.handicap);
            let gone = players.map(|player| self.players[player].attendance != Attendance::Here);
            // In a round robin those who are not there have lost; nobody is paired with them elsewhere.
            let result = match gone {
                [false, false] => None,
                [true, false] => Some(PairingResult::White),
                [false, true] => Some(PairingResult::Black),
                [true, true] => Some(PairingResult::BothLost),
            };
            let room = if result.is_none() { room()? } else { String::new() };
            round.pairings.push(Pairing { players, room, result, drawn, handicap });
        }
        self.stage = TournamentStage::Running;
        self.rounds.push(round);
        Ok(&self.rounds[self.rounds.len() - 1])
    }

    /// The last round, as long as no game of it has a result and it can be taken back. Whether a game has begun its room
    /// knows.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn round_to_take_back(&self) -> Result<&TournamentRound, TournamentError> {
        self.must_go_on()?;
        let round = self.rounds.last().ok_or(TournamentError::UnknownPairing)?;
        // In a round robin those who are not there have lost before anybody plays.
        let is_played = |pairing: &Pairing| pairing.result.is_some() && !pairing.room.is_empty();
        if round.pairings.iter().any(is_played) { Err(TournamentError::RoundBegun) } else { Ok(round) }
    }

    /// Takes the pairing of the last round back; after that of the first one everything is as before it. Answers the round.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn take_round_back(&mut self) -> Result<TournamentRound, TournamentError> {
        let round = self.round_to_take_back()?.clone();
        self.rounds.pop();
        let number = self.rounds.len();
        self.rests.retain(|rest| rest.round != number);
        self.rests.extend(&round.rests);
        self.rests.sort_unstable_by_key(|rest| (rest.round, rest.player));
        if self.rounds.is_empty() {
            self.stage = TournamentStage::Open;
            self.schedule.clear();
            self.weakest = None;
            for number in (0..self.players.len()).rev() {
                if self.players[number].attendance == Attendance::Gone {
                    self.take_off(number);
                }
            }
            self.players.iter_mut().for_each(|player| player.start = 0);
        }
        Ok(round)
    }

    /// How this game is played: with handicap for half a point, whatever komi even games have.
    #[must_use]
    pub fn terms_of(&self, pairing: &Pairing) -> Terms {
        let terms = self.terms.terms.clone();
        match pairing.handicap {
            0 => terms,
            1 => Terms { handicap: 0, komi: Some(0.5), ..terms },
            stones => Terms { handicap: stones, komi: Some(0.5), ..terms },
        }
    }

    /// Whether every game of the last round has a result.
    #[must_use]
    pub fn is_round_over(&self) -> bool {
        self.rounds.last().is_none_or(|round| round.pairings.iter().all(|pairing| pairing.result.is_some()))
    }

    /// Says how a game ended, also where something else was said before, and of a tournament that is over. Rounds and games
    /// count from 0.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn set_result(
        &mut self,
        round: usize,
        game: usize,
        result: PairingResult,
    ) -> Result<&Pairing, TournamentError> {
        let pairing = self.rounds.get_mut(round).and_then(|round| round.pairings.get_mut(game));
        let pairing = pairing.ok_or(TournamentError::UnknownPairing)?;
        pairing.result = Some(result);
        Ok(pairing)
    }

    /// Takes the result of a game of the last round back, which is still to be played: in another room where one is named.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn take_result_back(&mut self, round: usize, game: usize, room: Option<String>) -> Result<(), TournamentError> {
        self.must_go_on()?;
        let pairing = self.rounds.get(round).and_then(|round| round.pairings.get(game));
        let players = pairing.ok_or(TournamentError::UnknownPairing)?.players;
        if round + 1 < self.rounds.len() {
            return Err(TournamentError::RoundBegun);
        }
        if players.iter().any(|&player| self.players[player].person.is_none()) {
            return Err(TournamentError::NotHere);
        }
        let pairing = &mut self.rounds[round].pairings[game];
        pairing.result = None;
        if let Some(room) = room {
            pairing.room = room;
        }
        Ok(())
    }

    /// Takes the result of a game that was played in a room; one that the organiser has given stays. Answers whether that
    /// changed anything.
    pub fn room_ended(&mut self, room: &str, result: PairingResult) -> bool {
        let mut pairings = self.rounds.iter_mut().flat_map(|round| &mut round.pairings);
        let waiting = pairings.find(|pairing| pairing.room == room && pairing.result.is_none());
        let Some(pairing) = waiting.filter(|_| self.stage == TournamentStage::Running) else { return false };
        pairing.result = Some(result);
        true
    }

    /// Ends it: the table stands.
    ///
    /// # Errors
    /// [`TournamentError::RoundGoesOn`] while games are played.
    pub fn finish(&mut self) -> Result<(), TournamentError> {
        self.must_go_on()?;
        if !self.is_round_over() {
            return Err(TournamentError::RoundGoesOn);
        }
        self.stage = TournamentStage::Over;
        Ok(())
    }

    /// Lets one that was ended go on.
    ///
    /// # Errors
    /// [`TournamentError::GoesOn`] where it is not over.
    pub fn reopen(&mut self) -> Result<(), TournamentError> {
        if self.stage != TournamentStage::Over {
            return Err(TournamentError::GoesOn);
        }
        self.stage = if self.rounds.is_empty() { TournamentStage::Open } else { TournamentStage::Running };
        Ok(())
    }

    /// Takes somebody off the list before the first round, when nothing but rests knows the numbers.
    fn take_off(&mut self, player: usize) {
        self.players.remove(player);
        self.rests.retain(|rest| rest.player != player);
        self.rests.iter_mut().for_each(|rest| rest.player -= usize::from(rest.player > player));
    }

    fn must_go_on(&self) -> Result<(), TournamentError> {
        if self.stage == TournamentStage::Over { Err(TournamentError::Over) } else { Ok(()) }
    }

    /// How stones follow from points.
    fn handicaps(&self) -> Handicaps {
        let bar = self.terms.bar.as_deref().and_then(strength_of).zip(self.weakest);
        // Small boards have places for fewer.
        let fits = |stones: &u32| Terms { handicap: *stones, ..self.terms.terms.clone() }.setup().is_ok();
        Handicaps {
            less: self.terms.handicap_less.map(i64::from),
            bar: bar.map(|(bar, weakest)| 2 * i64::from(bar.saturating_sub(weakest))),
            most: (2..=MAX_HANDICAP).rev().find(fits).unwrap_or(1),
        }
    }

    /// Points of the rank in a McMahon tournament: one for each rank above the weakest of those who were there at the
    /// first round, and for all from the bar on those of the bar. Without a rank somebody counts as the weakest.
    fn give_start_points(&mut self) {
        if self.terms.system != TournamentSystem::McMahon {
            return;
        }
        let bar = self.terms.bar.as_deref().and_then(strength_of).unwrap_or(u8::MAX);
        let of = |player: &TournamentPlayer| strength_of(&player.rank).map(|strength| strength.min(bar));
        let weakest = *self.weakest.get_or_insert_with(|| self.players.iter().filter_map(of).min().unwrap_or(bar));
        for player in &mut self.players {
            player.start = 2 * of(player).map_or(0, |strength| u32::from(strength.saturating_sub(weakest)));
        }
    }
}

/// How many stones a game is played with.
struct Handicaps {
    less: Option<i64>,
    /// Half points of the bar, from which on games are even.
    bar: Option<i64>,
    most: u32,
}

impl Handicaps {
    /// Between players of so many half points, of whom the first has as many or more.
    fn between(&self, upper: i64, lower: i64) -> u32 {
        let Some(less) = self.less.filter(|_| self.bar.is_none_or(|bar| lower < bar)) else { return 0 };
        u32::try_from((upper - lower) / 2 - less).unwrap_or(0).min(self.most)
    }
}

fn strength_of(rank: &str) -> Option<u8> {
    Rank::parse(rank).map(Rank::strength)
}

/// A rank in the form in which it is kept; empty where there is none.
fn rank_of(text: &str) -> Result<String, TournamentError> {
    if text.trim().is_empty() {
        return Ok(String::new());
    }
    Rank::parse(text).map(|rank| rank.to_string()).ok_or(TournamentError::Rank)
}
