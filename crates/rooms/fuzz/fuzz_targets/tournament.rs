//! Whoever comes and goes, whatever results are entered: everybody who is there plays or has the one bye, in a round robin
//! nobody meets anybody twice, points add up, what is refused changes nothing, and what was kept is the same tournament.
//!
//! The first line is what the tournament is to be. Each line after it is one of `join NAME RANK`, `late NAME POINTS`,
//! `here N`, `absent N`, `gone N`, `forget NAME`, `pair`, `unpair`, `hand CHANGE N N`, `again CHANGE N N`,
//! `rest ROUND N POINTS`, `result ROUND GAME RESULT`, `room NAME RESULT`, `finish`, `reopen` and `!`, which ends the server.
#![cfg_attr(fuzzing, no_main)]

use std::collections::HashSet;

use honinbo_rooms::{
    Attendance, PairingResult, Rearrangement, RestPoints, Tournament, TournamentError, TournamentSystem,
    TournamentTerms,
};

/// Lines of one input.
const MAX_LINES: usize = 200;

fn result(word: &str) -> Option<PairingResult> {
    serde_json::from_value(word.into()).ok()
}

fn points(word: &str) -> Option<RestPoints> {
    serde_json::from_value(word.into()).ok()
}

/// Half points that all games, byes and pauses gave.
fn given(tournament: &Tournament) -> u32 {
    let bye = if tournament.terms().system == TournamentSystem::RoundRobin { 0 } else { 2 };
    let of_round = |round: &honinbo_rooms::TournamentRound| {
        let games = round.pairings.iter().map(|pairing| match pairing.result {
            None | Some(PairingResult::BothLost) => 0,
            Some(_) => 2,
        });
        games.sum::<u32>() + if round.bye.is_some() { bye } else { 0 }
    };
    let of_rest = |rest: &honinbo_rooms::Rest| match rest.points {
        _ if rest.round >= tournament.rounds().len() => 0,
        RestPoints::Bye => 2,
        RestPoints::Half => 1,
        RestPoints::Nothing => 0,
    };
    tournament.rounds().iter().map(of_round).sum::<u32>() + tournament.rests().iter().map(of_rest).sum::<u32>()
}

pub(crate) fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let Some(terms) = lines.next().and_then(|line| serde_json::from_str::<TournamentTerms>(line).ok()) else { return };
    let Ok(mut tournament) = Tournament::new(terms, ["o", "Organiser"]) else { return };
    for line in lines.take(MAX_LINES) {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap_or_default();
        let before = tournament.clone();
        let done = match word() {
            "join" => tournament.join(word(), "somebody", word()).map(|_| ()),
            what @ ("here" | "absent" | "gone") => {
                let attendance = match what {
                    "here" => Attendance::Here,
                    "absent" => Attendance::Absent,
                    _ => Attendance::Gone,
                };
                tournament.attend(word().parse().unwrap_or(usize::MAX), None, attendance)
            }
            "forget" => {
                tournament.forget(word());
                Ok(())
            }
            "pair" => {
                let mut rooms = 0;
                let paired = tournament.next_round::<TournamentError>(0, || {
                    rooms += 1;
                    Ok(format!("{rooms}"))
                });
                paired.map(|_| ())
            }
            "late" => {
                let name = word();
                match (tournament.number_of(name), points(word())) {
                    (Some(player), Some(points)) => tournament.count_missed(player, points),
                    _ => Ok(()),
                }
            }
            what @ ("hand" | "again") => match serde_json::from_value(word().into()) {
                Ok(change) => {
                    let mut number = || word().parse().unwrap_or(usize::MAX);
                    let (round, players) = (tournament.rounds().len().saturating_sub(1), [number(), number()]);
                    let may_be_rematch = what == "again";
                    let wanted = Rearrangement { round, players, change, may_be_rematch };
                    tournament.rearrange::<TournamentError>(&wanted, || Ok("by hand".into())).map(|_| ())
                }
                Err(_) => Ok(()),
            },
            "rest" => {
                let (round, player) = (word().parse().unwrap_or(0), word().parse().unwrap_or(usize::MAX));
                tournament.rest(round, player, None, points(word()))
            }
            "unpair" => tournament.take_round_back().map(|_| ()),
            "result" => {
                let (round, game) = (word().parse().unwrap_or(0), word().parse().unwrap_or(0));
                match result(word()) {
                    Some(result) => tournament.set_result(round, game, result).map(|_| ()),
                    None => Ok(()),
                }
            }
            "room" => {
                let room = word();
                if let Some(result) = result(word()) {
                    tournament.room_ended(room, result);
                }
                Ok(())
            }
            "finish" => tournament.finish(),
            "reopen" => tournament.reopen(),
            _ => {
                let back = Tournament::from_kept(&tournament.to_kept()).expect("the server wrote it");
                assert_eq!(back, tournament);
                Ok(())
            }
        };
        if let Err(error) = done {
            assert!(!error.kind().is_empty());
            // Whoever is weakest is found out before it turns out that nobody can be paired.
            assert_eq!(
                (tournament.rounds(), tournament.players().len()),
                (before.rounds(), before.players().len()),
                "{error}"
            );
        }
    }
    let mut met = HashSet::new();
    for (number, round) in tournament.rounds().iter().enumerate() {
        let mut here = HashSet::new();
        for pairing in &round.pairings {
            let [black, white] = pairing.players;
            let is_first = met.insert([black.min(white), black.max(white)]);
            let may_be_second = tournament.terms().system != TournamentSystem::RoundRobin;
            assert!(is_first || may_be_second, "{black} and {white} meet again");
            assert!(here.insert(black) && here.insert(white), "somebody plays twice");
            tournament.terms_of(pairing).setup().expect("a game that can be played");
        }
        assert!(round.bye.is_none_or(|bye| here.insert(bye)), "a bye for somebody who plays");
        for rest in tournament.rests().iter().filter(|rest| rest.round == number) {
            assert!(here.insert(rest.player), "a pause for somebody who plays");
        }
    }
    let table = tournament.standings();
    assert_eq!(table.iter().map(|standing| standing.score - standing.start).sum::<u32>(), given(&tournament));
    assert!(table.is_sorted_by_key(|standing| standing.place));
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| run(data));
