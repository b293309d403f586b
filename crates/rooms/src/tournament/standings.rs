//! The table: points, and what decides between those who have as many.

use super::{PairingResult, RestPoints, Tournament, TournamentSystem};
use honinbo_record::Rank;
use honinbo_rules::Color;
use serde::Serialize;
use specta::Type;
use std::cmp::Reverse;

/// Where somebody stands. Points are whole numbers of their smallest parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The player's number.
    pub player: usize,
    /// From 1; those whom nothing tells apart have the same.
    pub place: u32,
    /// Half points that the player began with.
    pub start: u32,
    /// Half points, those at the start among them.
    pub score: u32,
    /// Sum of the opponents' scores, in half points. Stones that were given count for White, and against Black.
    pub sos: u32,
    /// Sum of the scores of those who were beaten, and half of those with whom the points were shared, in quarter points.
    pub sodos: u32,
    /// Every round so far.
    pub rounds: Vec<PlayedRound>,
}

/// A round of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedRound {
    /// The other player's number.
    pub opponent: Option<usize>,
    /// What this one played with.
    pub color: Option<Color>,
    /// How it ended.
    pub result: RoundResult,
    /// Half points by which the opponent counts as stronger for stones that were given, or as weaker.
    given: i64,
}

/// How a round ended for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum RoundResult {
    /// It is not over.
    Open,
    /// A point.
    Won,
    /// None.
    Lost,
    /// Half a point.
    Drawn,
    /// A point for having no opponent, but in a round robin, where everybody has none once.
    Bye,
    /// Half a point without a game.
    Half,
    /// Had no game, and nothing for it.
    Absent,
}

impl Tournament {
    /// The table, best first. What decides: points, then SOS (in a round robin, where all have the same opponents,
    /// SODOS), then the games of those against each other who are still level, where all of them have met.
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let count = self.players.len();
        let rounds: Vec<Vec<PlayedRound>> = (0..count).map(|player| self.rounds_of(player)).collect();
        let scores: Vec<u32> = (0..count).map(|player| self.score_of(player, &rounds[player])).collect();
        let mut table: Vec<Standing> = rounds
            .into_iter()
            .enumerate()
            .map(|(player, rounds)| Standing {
                player,
                place: 0,
                start: self.players[player].start,
                score: scores[player],
                sos: rounds.iter().map(|round| self.opponents_score(player, round, &scores)).sum(),
                sodos: rounds.iter().map(|round| beaten_score(round, &scores)).sum(),
                rounds,
            })
            .collect();
        let is_round_robin = self.terms.system == TournamentSystem::RoundRobin;
        let key = |standing: &Standing| (standing.score, if is_round_robin { standing.sodos } else { standing.sos });
        let strength = |standing: &Standing| Rank::parse(&self.players[standing.player].rank).map(Rank::strength);
        table.sort_by_key(|standing| (Reverse(key(standing)), Reverse(strength(standing)), standing.player));
        let mut place = 1;
        for level in table.chunk_by_mut(|a, b| key(a) == key(b)) {
            let direct: Vec<u32> = against_each_other(level);
            let by_player: Vec<(usize, u32)> =
                level.iter().zip(&direct).map(|(standing, &points)| (standing.player, points)).collect();
            let points = |player: usize| by_player.iter().find(|known| known.0 == player).map_or(0, |known| known.1);
            level.sort_by_key(|standing| Reverse(points(standing.player)));
            for same in level.chunk_by_mut(|a, b| points(a.player) == points(b.player)) {
                let count = same.len() as u32;
                same.iter_mut().for_each(|standing| standing.place = place);
                place += count;
            }
        }
        table
    }

    fn rounds_of(&self, player: usize) -> Vec<PlayedRound> {
        let rounds = self.rounds.iter().enumerate().map(|(number, round)| {
            let game = round.pairings.iter().find(|pairing| pairing.players.contains(&player));
            let Some(game) = game else {
                let result = match self.rest_of(number, player) {
                    _ if round.bye == Some(player) => RoundResult::Bye,
                    Some(RestPoints::Bye) => RoundResult::Bye,
                    Some(RestPoints::Half) => RoundResult::Half,
                    Some(RestPoints::Nothing) | None => RoundResult::Absent,
                };
                return PlayedRound { opponent: None, color: None, result, given: 0 };
            };
            let nth = usize::from(game.players[1] == player);
            let result = match game.result.map(|result| (result, result.halves()[nth])) {
                None => RoundResult::Open,
                Some((PairingResult::Draw, _)) => RoundResult::Drawn,
                Some((_, 2)) => RoundResult::Won,
                Some(_) => RoundResult::Lost,
            };
            let stones = 2 * i64::from(game.handicap);
            let given = if nth == 1 { stones } else { -stones };
            PlayedRound { opponent: Some(game.players[1 - nth]), color: Some(Color::ALL[nth]), result, given }
        });
        rounds.collect()
    }

    fn score_of(&self, player: usize, rounds: &[PlayedRound]) -> u32 {
        let bye = if self.terms.system == TournamentSystem::RoundRobin { 0 } else { 2 };
        let points = rounds.iter().map(|round| match round.result {
            RoundResult::Won => 2,
            RoundResult::Drawn | RoundResult::Half => 1,
            RoundResult::Bye => bye,
            RoundResult::Open | RoundResult::Lost | RoundResult::Absent => 0,
        });
        self.players[player].start + points.sum::<u32>()
    }

    /// Half points that a player had before a round.
    pub(super) fn score_before(&self, round: usize, player: usize) -> u32 {
        self.score_of(player, &self.rounds_of(player)[..round])
    }

    /// Without an opponent the player's own points at the start count, as the EGF has it.
    fn opponents_score(&self, player: usize, round: &PlayedRound, scores: &[u32]) -> u32 {
        match (round.opponent, round.result) {
            (_, RoundResult::Open) => 0,
            (Some(opponent), _) => scores[opponent].saturating_add_signed(round.given as i32),
            (None, _) => self.players[player].start,
        }
    }
}

fn beaten_score(round: &PlayedRound, scores: &[u32]) -> u32 {
    match (round.opponent, round.result) {
        (Some(opponent), RoundResult::Won) => 2 * scores[opponent],
        (Some(opponent), RoundResult::Drawn) => scores[opponent],
        _ => 0,
    }
}

/// Half points in the games of these against each other; nothing where not all of them have met.
fn against_each_other(level: &[Standing]) -> Vec<u32> {
    let game = |one: &Standing, other: &Standing| {
        let met = one.rounds.iter().find(|round| round.opponent == Some(other.player))?;
        match met.result {
            RoundResult::Won => Some(2),
            RoundResult::Drawn => Some(1),
            RoundResult::Lost => Some(0),
            RoundResult::Open | RoundResult::Bye | RoundResult::Half | RoundResult::Absent => None,
        }
    };
    let points = |one: &Standing| {
        level.iter().filter(|other| other.player != one.player).map(|other| game(one, other)).sum::<Option<u32>>()
    };
    level.iter().map(points).collect::<Option<Vec<u32>>>().unwrap_or_else(|| vec![0; level.len()])
}
