//! What the organiser does by hand: other pairings in a round whose games have not begun, and points for a round without a
//! game. Organisers know both from OpenGotha, <http://vannier.info/jeux/gotournaments/opengotha.htm>.

use super::pairing::{Pair, has_black};
use super::{Attendance, Pairing, Tournament, TournamentError, TournamentSystem};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What is done with two players of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PairingChange {
    /// Two who have no game get one.
    Pair,
    /// Each takes the other's place, whether that is a game or none; opponents exchange colours.
    Exchange,
    /// Two who have a game with each other have none.
    Unpair,
}

/// A change of the pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rearrangement {
    /// The round that is meant, from 0. It has to be the last one.
    pub round: usize,
    /// Whom it is about. Of two who get an even game and have had colours alike, the first has Black.
    pub players: [usize; 2],
    /// What is done.
    pub change: PairingChange,
    /// The organiser knows that they have met.
    pub may_be_rematch: bool,
}

/// The games that a change ended and made. Every game that changes gets a room of its own, since seats are fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rearranged {
    /// Those that are not played.
    pub closed: Vec<Pairing>,
    /// Those that are to be played now.
    pub opened: Vec<Pairing>,
}

/// What a round without a game is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum RestPoints {
    /// A point, as a win.
    Bye,
    /// Half a point.
    Half,
    /// None.
    Nothing,
}

/// The organiser's word on a round that somebody does not play. Who has one is not paired in that round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename = "TournamentRest")]
pub struct Rest {
    /// The round, from 0.
    pub round: usize,
    /// The player's number.
    pub player: usize,
    /// What it is worth.
    pub points: RestPoints,
}

impl Tournament {
    /// What the organiser said of rounds that somebody does not play, by round and player.
    #[must_use]
    pub fn rests(&self) -> &[Rest] {
        &self.rests
    }

    /// What the organiser said of this player's round.
    #[must_use]
    pub fn rest_of(&self, round: usize, player: usize) -> Option<RestPoints> {
        self.rests.iter().find(|rest| (rest.round, rest.player) == (round, player)).map(|rest| rest.points)
    }

    /// Says what a round without a game is worth to somebody, or takes that back; of rounds that are still to be paired, of
    /// the last one, and of earlier ones. `name` is whom the number is taken for, as for [`Tournament::attend`].
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn rest(
        &mut self,
        round: usize,
        player: usize,
        name: Option<&str>,
        points: Option<RestPoints>,
    ) -> Result<(), TournamentError> {
        if self.terms.system == TournamentSystem::RoundRobin {
            return Err(TournamentError::Fixed);
        }
        let known = self.players.get(player).ok_or(TournamentError::UnknownPlayer)?;
        if name.is_some_and(|name| name != known.name) {
            return Err(TournamentError::OtherPlayer);
        }
        // One that was said when more rounds were planned can be taken back.
        let is_planned = round < self.rounds_planned().max(self.rounds.len());
        if !is_planned && (points.is_some() || self.rest_of(round, player).is_none()) {
            return Err(TournamentError::UnknownRound);
        }
        if round >= self.rounds.len() {
            self.must_go_on()?;
        } else if self.game_of(round, player).is_some() {
            return Err(TournamentError::HasGame);
        }
        self.forget_rest(round, player);
        if let Some(points) = points {
            self.rests.push(Rest { round, player, points });
            self.rests.sort_unstable_by_key(|rest| (rest.round, rest.player));
        }
        Ok(())
    }

    /// Says what every round so far is worth in which this player had no game and of which nothing was said: those that
    /// somebody missed who came late.
    ///
    /// # Errors
    /// [`TournamentError`].
    pub fn count_missed(&mut self, player: usize, points: RestPoints) -> Result<(), TournamentError> {
        for round in 0..self.rounds.len() {
            let is_said = self.rest_of(round, player).is_some() || self.rounds[round].bye == Some(player);
            if !is_said && self.game_of(round, player).is_none() {
                self.rest(round, player, None, Some(points))?;
            }
        }
        Ok(())
    }

    /// Changes pairings of the last round by hand. `room` gives each game that is made the name of its room. Whether a game
    /// without a result has begun its room knows: whoever asks looks at [`Rearranged::closed`] before that is kept.
    ///
    /// # Errors
    /// [`TournamentError`], [`TournamentError::Rematch`] where people who have met would meet again.
    pub fn rearrange<E: From<TournamentError>>(
        &mut self,
        wanted: &Rearrangement,
        mut room: impl FnMut() -> Result<String, E>,
    ) -> Result<Rearranged, E> {
        let plan = self.plan(wanted)?;
        let mut opened = Vec::new();
        for pair in plan.made {
            let Pair { players, drawn, handicap } = pair;
            opened.push(Pairing { players, room: room()?, result: None, drawn, handicap });
        }
        let round = &mut self.rounds[wanted.round];
        let closed: Vec<Pairing> = plan.games.iter().map(|&game| round.pairings[game].clone()).collect();
        match wanted.change {
            PairingChange::Pair => round.pairings.extend(opened.clone()),
            PairingChange::Unpair => {
                plan.games.iter().for_each(|&game| {
                    round.pairings.remove(game);
                });
            }
            PairingChange::Exchange => {
                plan.games.iter().zip(&opened).for_each(|(&game, pairing)| round.pairings[game] = pairing.clone());
            }
        }
        match wanted.change {
            PairingChange::Pair => wanted.players.iter().for_each(|&player| self.forget_rest(wanted.round, player)),
            PairingChange::Exchange if plan.moves => {
                let places = self.rests.iter_mut().filter(|rest| rest.round == wanted.round);
                places.map(|rest| &mut rest.player).chain(&mut round.bye).for_each(|player| {
                    *player = exchanged(*player, wanted.players);
                });
                self.rests.sort_unstable_by_key(|rest| (rest.round, rest.player));
            }
            PairingChange::Exchange | PairingChange::Unpair => {}
        }
        Ok(Rearranged { closed, opened })
    }

    /// What a change does, and whether it may be done.
    fn plan(&self, wanted: &Rearrangement) -> Result<Plan, TournamentError> {
        self.must_go_on()?;
        let &Rearrangement { round, players, change, may_be_rematch } = wanted;
        if players[0] == players[1] {
            return Err(TournamentError::SamePlayer);
        }
        if players.iter().any(|&player| player >= self.players.len()) {
            return Err(TournamentError::UnknownPlayer);
        }
        if round >= self.rounds.len() {
            return Err(TournamentError::UnknownRound);
        }
        if round + 1 < self.rounds.len() {
            return Err(TournamentError::RoundBegun);
        }
        let found = players.map(|player| self.game_of(round, player));
        let is_one_game = found[0].is_some() && found[0] == found[1];
        let moves = !(is_one_game && change == PairingChange::Exchange);
        if moves && self.terms.system == TournamentSystem::RoundRobin {
            return Err(TournamentError::Fixed);
        }
        let mut games: Vec<usize> = found.into_iter().flatten().collect();
        games.dedup();
        let pairings = games.iter().map(|&game| &self.rounds[round].pairings[game]);
        if pairings.clone().any(|pairing| pairing.result.is_some()) {
            return Err(TournamentError::GameBegun);
        }
        let seats: Vec<[usize; 2]> = match change {
            PairingChange::Pair if games.is_empty() => vec![players],
            PairingChange::Pair => return Err(TournamentError::HasGame),
            PairingChange::Unpair if is_one_game => Vec::new(),
            PairingChange::Exchange if !games.is_empty() => {
                if !moves && pairings.clone().any(|pairing| pairing.handicap > 0) {
                    return Err(TournamentError::HandicapColors);
                }
                pairings.map(|pairing| pairing.players.map(|player| exchanged(player, players))).collect()
            }
            PairingChange::Unpair | PairingChange::Exchange => return Err(TournamentError::UnknownPairing),
        };
        if moves && change != PairingChange::Unpair {
            if players.iter().any(|&player| self.players[player].attendance != Attendance::Here) {
                return Err(TournamentError::NotHere);
            }
            let met = seats.iter().find_map(|&seats| self.met_in(round, seats));
            if let Some(earlier) = met.filter(|_| !may_be_rematch) {
                return Err(TournamentError::Rematch { round: earlier + 1 });
            }
        }
        let made =
            seats.into_iter().map(|seats| self.seated(round, seats, change == PairingChange::Exchange)).collect();
        Ok(Plan { games, made, moves })
    }

    /// The game of two by the points they had before the round; in an even one the colours are as wanted, or follow from
    /// those they have had.
    fn seated(&self, round: usize, players: [usize; 2], keeps_colors: bool) -> Pair {
        let score = |player: usize| i64::from(self.score_before(round, player));
        let [one, other] = players;
        let (upper, lower) = if score(one) >= score(other) { (one, other) } else { (other, one) };
        let handicap = self.handicaps().between(score(upper), score(lower));
        let players = if handicap > 0 {
            [lower, upper]
        } else if keeps_colors {
            players
        } else {
            let (past, _) = self.past();
            if has_black(&past[one], &past[other], true) { [one, other] } else { [other, one] }
        };
        Pair { players, drawn: score(players[1]) - score(players[0]), handicap }
    }

    /// The number of this player's game in a round.
    pub(super) fn game_of(&self, round: usize, player: usize) -> Option<usize> {
        self.rounds.get(round)?.pairings.iter().position(|pairing| pairing.players.contains(&player))
    }

    /// The first round before this one in which the two had a game.
    pub(super) fn met_in(&self, before: usize, [one, other]: [usize; 2]) -> Option<usize> {
        let meet = |pairing: &Pairing| pairing.players == [one, other] || pairing.players == [other, one];
        self.rounds.iter().take(before).position(|round| round.pairings.iter().any(meet))
    }

    /// Takes back what a round without a game is worth to somebody, a bye among it.
    fn forget_rest(&mut self, round: usize, player: usize) {
        self.rests.retain(|rest| (rest.round, rest.player) != (round, player));
        if let Some(round) = self.rounds.get_mut(round) {
            round.bye = round.bye.filter(|&bye| bye != player);
        }
    }
}

/// What a change does to a round.
struct Plan {
    /// The games that are not played as they are.
    games: Vec<usize>,
    /// What is played instead, of an exchange in the same order.
    made: Vec<Pair>,
    /// Somebody gets another opponent or none.
    moves: bool,
}

/// Whose place it is once two have exchanged theirs.
fn exchanged(player: usize, [one, other]: [usize; 2]) -> usize {
    match player {
        player if player == one => other,
        player if player == other => one,
        player => player,
    }
}
