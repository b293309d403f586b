//! A tournament as it is shown to somebody.

use super::tournaments::Asker;
use honinbo_rooms::{
    Attendance, ColorNumber, PairingResult, Rest, RoundResult, Standing, Terms, Tournament, TournamentStage,
    TournamentSystem,
};
use serde::Serialize;
use specta::Type;

/// A tournament. Players are known by their numbers, from 0 in the order they came; rounds and games by theirs.
#[derive(Serialize, Type)]
#[serde(rename = "Tournament")]
pub(crate) struct TournamentView {
    id: i64,
    title: String,
    system: TournamentSystem,
    stage: TournamentStage,
    organiser: String,
    /// Whether whoever asks may do what the organiser may.
    organises: bool,
    /// The number of whoever asks, among the players.
    you: Option<usize>,
    /// Rounds altogether; of a round robin that has not begun, as many as it would take now.
    planned: usize,
    /// Rounds altogether that can be played without anybody meeting again.
    without_rematch: usize,
    bar: Option<String>,
    handicap_less: Option<u8>,
    terms: Terms,
    /// Whether the next round can be paired, as far as results go.
    can_pair: bool,
    /// Whether the last pairing can be taken back, as far as results go.
    can_take_back: bool,
    /// Best first.
    table: Vec<Row>,
    rounds: Vec<RoundView>,
    /// Rounds that somebody does not play, as the organiser said, also those that are still to be paired.
    rests: Vec<Rest>,
}

#[derive(Serialize, Type)]
#[serde(rename = "TournamentRow")]
struct Row {
    player: usize,
    name: String,
    rank: String,
    attendance: Attendance,
    place: u32,
    start: f64,
    score: f64,
    sos: f64,
    sodos: f64,
    rounds: Vec<RowRound>,
}

#[derive(Serialize, Type)]
#[serde(rename = "TournamentRowRound")]
struct RowRound {
    opponent: Option<usize>,
    color: Option<ColorNumber>,
    result: RoundResult,
}

#[derive(Serialize, Type)]
#[serde(rename = "TournamentRound")]
struct RoundView {
    games: Vec<GameView>,
    bye: Option<usize>,
}

#[derive(Serialize, Type)]
#[serde(rename = "TournamentGame")]
struct GameView {
    black: usize,
    white: usize,
    /// Empty where nobody plays.
    room: String,
    result: Option<PairingResult>,
    /// Stones; 1 is Black's first move without komi.
    handicap: u32,
    /// The two have met before.
    rematch: bool,
}

impl TournamentView {
    pub(crate) fn new(id: i64, tournament: &Tournament, asker: &Asker) -> Self {
        let terms = tournament.terms();
        let rounds = tournament.rounds().iter().enumerate().map(|(nth, round)| RoundView {
            games: round
                .pairings
                .iter()
                .map(|pairing| GameView {
                    black: pairing.players[0],
                    white: pairing.players[1],
                    room: pairing.room.clone(),
                    result: pairing.result,
                    handicap: pairing.handicap,
                    rematch: tournament.is_rematch(nth, pairing),
                })
                .collect(),
            bye: round.bye,
        });
        Self {
            id,
            title: terms.title.clone(),
            system: terms.system,
            stage: tournament.stage(),
            organiser: tournament.organiser().to_owned(),
            organises: asker.leads(tournament),
            you: asker.number_in(tournament),
            planned: tournament.rounds_planned(),
            without_rematch: tournament.rounds_without_rematch(),
            bar: terms.bar.clone(),
            handicap_less: terms.handicap_less,
            terms: terms.terms.clone(),
            can_pair: tournament.stage() != TournamentStage::Over
                && tournament.is_round_over()
                && tournament.rounds().len() < tournament.rounds_planned(),
            can_take_back: tournament.round_to_take_back().is_ok(),
            table: tournament.standings().into_iter().map(|standing| row(tournament, standing)).collect(),
            rounds: rounds.collect(),
            rests: tournament.rests().to_vec(),
        }
    }
}

fn row(tournament: &Tournament, standing: Standing) -> Row {
    let player = &tournament.players()[standing.player];
    let half = |halves: u32| f64::from(halves) / 2.0;
    Row {
        player: standing.player,
        name: player.name.clone(),
        rank: player.rank.clone(),
        attendance: player.attendance,
        place: standing.place,
        start: half(standing.start),
        score: half(standing.score),
        sos: half(standing.sos),
        sodos: half(standing.sodos) / 2.0,
        rounds: standing
            .rounds
            .into_iter()
            .map(|round| RowRound {
                opponent: round.opponent,
                color: round.color.map(Into::into),
                result: round.result,
            })
            .collect(),
    }
}

/// A tournament in the list.
#[derive(Serialize, Type)]
pub(crate) struct ListedTournament {
    id: i64,
    title: String,
    system: TournamentSystem,
    stage: TournamentStage,
    organiser: String,
    players: usize,
    /// Rounds that have been paired.
    round: usize,
    planned: usize,
    /// Whether whoever asks plays in it.
    joined: bool,
}

impl ListedTournament {
    pub(crate) fn new(id: i64, tournament: &Tournament, asker: &Asker) -> Self {
        Self {
            id,
            title: tournament.terms().title.clone(),
            system: tournament.terms().system,
            stage: tournament.stage(),
            organiser: tournament.organiser().to_owned(),
            players: tournament.players().len(),
            round: tournament.rounds().len(),
            planned: tournament.rounds_planned(),
            joined: asker.number_in(tournament).is_some(),
        }
    }
}
