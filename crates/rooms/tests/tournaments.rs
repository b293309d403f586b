//! Tournaments: who meets whom, points, and the table.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use honinbo_rooms::{
    Attendance, Now, PairingChange, PairingResult, Rearranged, Rearrangement, RestPoints, Room, RoundResult, Seat,
    Stage, Standing, Terms, Tournament, TournamentError, TournamentStage, TournamentSystem, TournamentTerms,
};
use proptest::prelude::*;
use std::collections::HashSet;
use std::time::Duration;

fn terms(system: TournamentSystem, rounds: u32) -> TournamentTerms {
    let rounds = Some(rounds);
    TournamentTerms { title: "Spring".into(), system, rounds, bar: None, handicap_less: None, terms: Terms::default() }
}

fn of_terms(terms: TournamentTerms, ranks: &[&str]) -> Tournament {
    let mut tournament = Tournament::new(terms, ["org", "Tomo"]).unwrap();
    for (nth, rank) in ranks.iter().enumerate() {
        assert_eq!(tournament.join(&format!("p{nth}"), &format!("Player {nth}"), rank), Ok(nth));
    }
    tournament
}

fn pair(tournament: &mut Tournament) -> Result<Vec<[usize; 2]>, TournamentError> {
    let mut room = 0;
    let number = tournament.rounds().len() + 1;
    let round = tournament.next_round::<TournamentError>(0, || {
        room += 1;
        Ok(format!("{number}-{room}"))
    })?;
    Ok(round.pairings.iter().map(|pairing| pairing.players).collect())
}

/// Plays the last round: of each pair the one with the smaller number wins, unless said otherwise.
fn play(tournament: &mut Tournament, otherwise: &[(usize, PairingResult)]) {
    let round = tournament.rounds().len() - 1;
    for game in 0..tournament.rounds()[round].pairings.len() {
        let pairing = &tournament.rounds()[round].pairings[game];
        if pairing.result.is_some() {
            continue;
        }
        let [black, white] = pairing.players;
        let usual = if black < white { PairingResult::Black } else { PairingResult::White };
        let other = otherwise.iter().find(|(player, _)| [black, white].contains(player));
        tournament.set_result(round, game, other.map_or(usual, |other| other.1)).unwrap();
    }
}

fn scores(tournament: &Tournament) -> Vec<(usize, u32, u32)> {
    let table = tournament.standings();
    table.iter().map(|standing| (standing.player, standing.place, standing.score)).collect()
}

#[test]
fn eight_play_three_rounds_of_swiss() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &["", "", "", "", "", "", "", ""]);
    assert_eq!(tournament.stage(), TournamentStage::Open);
    // The top half of a group against its bottom half.
    let unordered = |pairs: Vec<[usize; 2]>| {
        let mut pairs: Vec<[usize; 2]> = pairs.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
        pairs.sort_unstable();
        pairs
    };
    assert_eq!(unordered(pair(&mut tournament).unwrap()), [[0, 4], [1, 5], [2, 6], [3, 7]]);
    assert_eq!(pair(&mut tournament), Err(TournamentError::RoundGoesOn));
    assert_eq!(tournament.finish(), Err(TournamentError::RoundGoesOn));
    play(&mut tournament, &[]);
    // Colours count for more than halves: 0 and 2 have both had Black.
    assert_eq!(unordered(pair(&mut tournament).unwrap()), [[0, 1], [2, 3], [4, 5], [6, 7]]);
    play(&mut tournament, &[]);
    for standing in tournament.standings() {
        assert_ne!(standing.rounds[0].color, standing.rounds[1].color, "{standing:?}");
    }
    let third = pair(&mut tournament).unwrap();
    assert_eq!(unordered(third)[0], [0, 2], "both have won twice");
    play(&mut tournament, &[]);
    assert_eq!(pair(&mut tournament), Err(TournamentError::NoRoundLeft));
    let table = tournament.standings();
    assert_eq!((table[0].player, table[0].place, table[0].score), (0, 1, 6));
    // The winner beat all three opponents: 4 and 1, who won once or twice, and 2, who won twice.
    let score = |player: usize| table.iter().find(|standing| standing.player == player).unwrap().score;
    let opponents = score(4) + score(1) + score(2);
    assert_eq!((table[0].sos, table[0].sodos, score(2)), (opponents, 2 * opponents, 4));
    for standing in &table {
        let blacks = standing.rounds.iter().filter(|round| round.color == Some(honinbo_rules::Color::Black)).count();
        assert!((1..=2).contains(&blacks), "{standing:?}");
    }
    tournament.finish().unwrap();
    assert_eq!(tournament.join("late", "Late", ""), Err(TournamentError::Over));
}

#[test]
fn a_tournament_that_was_ended_is_corrected_and_goes_on() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    assert_eq!(tournament.reopen(), Err(TournamentError::GoesOn));
    pair(&mut tournament).unwrap();
    play(&mut tournament, &[]);
    tournament.finish().unwrap();
    tournament.set_result(0, 0, PairingResult::BothLost).unwrap();
    assert_eq!(scores(&tournament).iter().map(|row| row.2).sum::<u32>(), 2, "the table has the corrected result");
    assert_eq!((tournament.stage(), pair(&mut tournament)), (TournamentStage::Over, Err(TournamentError::Over)));
    tournament.reopen().unwrap();
    assert_eq!(tournament.reopen(), Err(TournamentError::GoesOn));
    pair(&mut tournament).unwrap();
    assert_eq!((tournament.stage(), tournament.rounds().len()), (TournamentStage::Running, 2));
    // Before the first round, too.
    let mut empty = of_terms(terms(TournamentSystem::Swiss, 3), &[]);
    empty.finish().unwrap();
    empty.reopen().unwrap();
    assert_eq!(empty.stage(), TournamentStage::Open);
}

#[test]
fn who_has_met_all_others_meets_somebody_again() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 5), &[""; 4]);
    assert_eq!((tournament.rounds_planned(), tournament.rounds_without_rematch()), (5, 3));
    let mut met = HashSet::new();
    for round in 0..5 {
        let pairs = pair(&mut tournament).unwrap();
        for [a, b] in pairs {
            assert_eq!(met.insert([a.min(b), a.max(b)]), round < 3, "{a} and {b} in round {round}");
        }
        for pairing in &tournament.rounds()[round].pairings {
            assert_eq!(tournament.is_rematch(round, pairing), round >= 3);
        }
        play(&mut tournament, &[]);
    }
    // In two more rounds nobody meets anybody for the third time.
    let games = |one: usize, other: usize| {
        let pairings = tournament.rounds().iter().flat_map(|round| &round.pairings);
        pairings.filter(|pairing| pairing.players.contains(&one) && pairing.players.contains(&other)).count()
    };
    assert!((0..4).all(|one| (0..one).all(|other| games(one, other) <= 2)));
}

#[test]
fn where_nobody_says_how_many_rounds_there_are_at_most_five_and_no_rematch() {
    let unsaid = TournamentTerms { rounds: None, ..terms(TournamentSystem::Swiss, 1) };
    let planned = |players: usize| of_terms(unsaid.clone(), &vec![""; players]).rounds_planned();
    assert_eq!([0, 2, 3, 4, 5, 6, 7, 20].map(planned), [5, 1, 3, 3, 5, 5, 5, 5]);
    let mut four = of_terms(unsaid, &[""; 4]);
    for _ in 0..3 {
        pair(&mut four).unwrap();
        play(&mut four, &[]);
    }
    assert_eq!(pair(&mut four), Err(TournamentError::NoRoundLeft));
    assert_eq!(Tournament::from_kept(&four.to_kept()).unwrap(), four);
    let read = |text: &str| serde_json::from_str::<TournamentTerms>(text).map(|terms| terms.rounds).ok();
    assert_eq!(read(r#"{"title":"x","system":"swiss"}"#), Some(None));
    assert_eq!(read(r#"{"title":"x","system":"swiss","rounds":null}"#), Some(None));
    assert_eq!(read(r#"{"title":"x","system":"swiss","rounds":7.0}"#), Some(Some(7)));
    assert_eq!(read(r#"{"title":"x","system":"swiss","rounds":1.5}"#), None);
}

#[test]
fn a_pairing_is_taken_back_as_long_as_no_game_has_a_result() {
    for system in [TournamentSystem::Swiss, TournamentSystem::McMahon, TournamentSystem::RoundRobin] {
        let mut tournament = of_terms(terms(system, 3), &["3k", "5k", "9k", "9k"]);
        assert_eq!(tournament.take_round_back(), Err(TournamentError::UnknownPairing), "nothing is paired");
        let before = tournament.clone();
        let first = pair(&mut tournament).unwrap();
        let round = tournament.take_round_back().unwrap();
        assert_eq!(round.pairings.iter().map(|pairing| pairing.players).collect::<Vec<_>>(), first);
        assert_eq!(tournament, before);
        // Whoever comes, or goes, meanwhile is paired, or is not.
        pair(&mut tournament).unwrap();
        tournament.attend(3, None, Attendance::Gone).unwrap();
        tournament.take_round_back().unwrap();
        tournament.join("late", "Late", "4k").unwrap();
        let names: Vec<&str> = tournament.players().iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["Player 0", "Player 1", "Player 2", "Late"]);
        pair(&mut tournament).unwrap();
        play(&mut tournament, &[]);
        assert_eq!(tournament.take_round_back(), Err(TournamentError::RoundBegun));
        let before = tournament.clone();
        let second = pair(&mut tournament).unwrap();
        tournament.take_round_back().unwrap();
        assert_eq!(tournament, before);
        assert_eq!(pair(&mut tournament).unwrap(), second);
        tournament.set_result(1, 0, PairingResult::Draw).unwrap();
        assert_eq!(tournament.take_round_back(), Err(TournamentError::RoundBegun), "one game is over");
        play(&mut tournament, &[]);
        tournament.finish().unwrap();
        assert_eq!(tournament.take_round_back(), Err(TournamentError::Over));
    }
    // Somebody who has withdrawn from a round robin has lost there from the beginning.
    let mut tournament = of_terms(terms(TournamentSystem::RoundRobin, 1), &[""; 4]);
    pair(&mut tournament).unwrap();
    play(&mut tournament, &[]);
    tournament.attend(3, None, Attendance::Gone).unwrap();
    pair(&mut tournament).unwrap();
    assert!(tournament.rounds()[1].pairings.iter().any(|pairing| pairing.result.is_some()));
    tournament.take_round_back().unwrap();
    assert_eq!(tournament.rounds().len(), 1);
}

#[test]
fn an_odd_number_gives_the_lowest_a_bye_and_nobody_two() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 5), &[""; 5]);
    let mut byes = HashSet::new();
    for _ in 0..5 {
        assert_eq!(pair(&mut tournament).unwrap().len(), 2);
        let bye = tournament.rounds().last().unwrap().bye.unwrap();
        assert!(byes.insert(bye), "{bye} has a second bye");
        play(&mut tournament, &[]);
    }
    assert_eq!(tournament.rounds()[0].bye, Some(4));
    let last = tournament.standings().into_iter().find(|standing| standing.player == 4).unwrap();
    // A bye is a point, and in Swiss adds nothing to the sum of opponents' scores.
    assert_eq!((last.rounds[0].result, last.rounds[0].opponent, last.score), (RoundResult::Bye, None, 2));
    let others: u32 = tournament.standings().iter().filter(|other| other.player != 4).map(|other| other.score).sum();
    assert_eq!(last.sos, others, "it met the four others");
}

#[test]
fn ranks_are_points_at_the_start_of_mcmahon_up_to_the_bar() {
    let bar = TournamentTerms { bar: Some("1 dan".into()), ..terms(TournamentSystem::McMahon, 3) };
    let mut tournament = of_terms(bar, &["4d", "1d", "2k", "5k", "", "3d", "9p", "2k"]);
    assert_eq!(tournament.terms().bar.as_deref(), Some("1d"));
    let pairs = pair(&mut tournament).unwrap();
    let start = |tournament: &Tournament, player: usize| {
        tournament.standings().into_iter().find(|standing| standing.player == player).unwrap().start
    };
    // In half points: 5k is the weakest, 2k three ranks above, everybody from 1d on is five above.
    let starts: Vec<u32> = (0..8).map(|player| start(&tournament, player)).collect();
    assert_eq!(starts, [10, 10, 6, 0, 0, 10, 10, 6]);
    for [a, b] in pairs {
        assert_eq!(starts[a], starts[b], "{a} against {b}");
    }
    play(&mut tournament, &[]);
    // Who comes later stands where the rank says, has no points for rounds before, and these add the own start to SOS.
    tournament.join("late", "Late", "3k").unwrap();
    let late = tournament.standings().into_iter().find(|standing| standing.player == 8).unwrap();
    assert_eq!((late.start, late.score, late.sos), (4, 4, 4));
    assert_eq!(late.rounds[0].result, RoundResult::Absent);
    assert_eq!(start(&tournament, 0), 10, "the others stay where they were");
}

#[test]
fn stones_follow_from_points_below_the_bar() {
    let less = |handicap_less, bar: Option<&str>, size: u32| TournamentTerms {
        handicap_less,
        bar: bar.map(str::to_owned),
        terms: Terms { width: size, height: size, ..Terms::default() },
        ..terms(TournamentSystem::McMahon, 3)
    };
    // Black, White and stones of the only game of two players.
    let game = |terms: TournamentTerms, ranks: [&str; 2]| {
        let mut tournament = of_terms(terms, &ranks);
        pair(&mut tournament).unwrap();
        let pairing = tournament.rounds()[0].pairings[0].clone();
        let played = tournament.terms_of(&pairing);
        (pairing.players, pairing.handicap, played.handicap, played.komi)
    };
    // The weaker one has Black, whoever came first; stones are the difference less what was chosen, up to nine.
    assert_eq!(game(less(Some(1), None, 19), ["2k", "6k"]), ([1, 0], 3, 3, Some(0.5)));
    assert_eq!(game(less(Some(1), None, 19), ["6k", "2k"]), ([0, 1], 3, 3, Some(0.5)));
    assert_eq!(game(less(Some(0), None, 19), ["2k", "6k"]).1, 4);
    assert_eq!(game(less(Some(1), None, 19), ["4k", "6k"]), ([1, 0], 1, 0, Some(0.5)), "no komi, no stones");
    assert_eq!(game(less(Some(1), None, 19), ["5k", "6k"]).1, 0);
    assert_eq!(game(less(None, None, 19), ["2k", "20k"]).1, 0);
    assert_eq!(game(less(Some(1), None, 19), ["1d", "20k"]).1, 9);
    // A board of 7 has four places, one of 5 none.
    assert_eq!(game(less(Some(1), None, 7), ["1d", "20k"]).1, 4);
    assert_eq!(game(less(Some(1), None, 5), ["1d", "20k"]).1, 1);
    // From the bar on games are even.
    assert_eq!(game(less(Some(0), Some("1d"), 19), ["5d", "1d"]).1, 0);
    assert_eq!(game(less(Some(0), Some("1d"), 19), ["5d", "3k"]).1, 3);

    // Stones are told apart in SOS, are nobody's turn with a colour, and come back.
    let mut tournament = of_terms(less(Some(0), None, 19), &["2k", "6k"]);
    pair(&mut tournament).unwrap();
    play(&mut tournament, &[]);
    let sos: Vec<(usize, u32)> = tournament.standings().iter().map(|one| (one.player, one.sos)).collect();
    // In half points: 2k has 8 and a win, 6k none; four stones are 8.
    assert_eq!(sos, [(0, 8), (1, 2)]);
    assert_eq!(Tournament::from_kept(&tournament.to_kept()).unwrap(), tournament);
    let before = tournament.to_kept().replace(r#","handicap":4"#, "").replace(r#""handicap_less":0,"#, "");
    assert_eq!(Tournament::from_kept(&before).unwrap().rounds()[0].pairings[0].handicap, 0, "of an older version");

    for (system, rated, handicap_less) in [
        (TournamentSystem::Swiss, false, Some(1)),
        (TournamentSystem::McMahon, true, Some(1)),
        (TournamentSystem::McMahon, false, Some(10)),
    ] {
        let wanted = TournamentTerms { handicap_less, terms: Terms { rated, ..Terms::default() }, ..terms(system, 3) };
        assert_eq!(Tournament::new(wanted, ["org", "Tomo"]).unwrap_err(), TournamentError::Handicap);
    }
    let odd = Terms { rated: true, komi: Some(-60.0), ..Terms::default() };
    let wanted = TournamentTerms { terms: odd, ..terms(TournamentSystem::Swiss, 3) };
    let refused = Tournament::new(wanted, ["org", "Tomo"]).unwrap_err();
    assert_eq!(refused, TournamentError::Terms(honinbo_rooms::TermsError::Rated));
}

#[test]
fn everybody_meets_everybody_and_who_leaves_loses_what_is_left() {
    let mut tournament = of_terms(terms(TournamentSystem::RoundRobin, 1), &[""; 5]);
    assert_eq!(tournament.rounds_planned(), 5);
    for round in 0..5 {
        if round == 3 {
            tournament.attend(4, None, Attendance::Gone).unwrap();
        }
        assert_eq!(tournament.join("late", "Late", "").is_err(), round > 0);
        if round == 0 {
            let late = tournament.number_of("late").unwrap();
            tournament.attend(late, None, Attendance::Gone).unwrap();
            assert_eq!(tournament.number_of("late"), None, "before the first round nothing stays");
        }
        pair(&mut tournament).unwrap();
        play(&mut tournament, &[]);
    }
    assert_eq!(pair(&mut tournament), Err(TournamentError::NoRoundLeft));
    assert_eq!(scores(&tournament), [(0, 1, 8), (1, 2, 6), (2, 3, 4), (3, 4, 2), (4, 5, 0)]);
    let sodos: Vec<u32> = tournament.standings().iter().map(|standing| standing.sodos).collect();
    assert_eq!(sodos, [24, 12, 4, 0, 0]);
}

#[test]
fn nobody_is_taken_off_the_list_in_the_place_of_somebody_else() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    let gone = |tournament: &mut Tournament, player: usize, name: &str| {
        tournament.attend(player, Some(name), Attendance::Gone)
    };
    assert_eq!(gone(&mut tournament, 1, "Player 1"), Ok(()));
    // Whoever has not heard of that takes everybody after it for the one before.
    assert_eq!(gone(&mut tournament, 2, "Player 2"), Err(TournamentError::OtherPlayer));
    let names: Vec<&str> = tournament.players().iter().map(|player| player.name.as_str()).collect();
    assert_eq!(names, ["Player 0", "Player 2", "Player 3"]);
    assert_eq!(gone(&mut tournament, 1, "Player 2"), Ok(()));
}

#[test]
fn who_is_level_is_told_apart_by_the_game_they_played() {
    let mut tournament = of_terms(terms(TournamentSystem::RoundRobin, 1), &[""; 4]);
    // 0 beats 1 and 2, 1 beats 2 and 3, 3 beats 0 and 2: three have two points and the same SODOS but for whom they beat.
    let winners = [[0, 1], [0, 2], [1, 2], [1, 3], [3, 0], [3, 2]];
    for _ in 0..3 {
        pair(&mut tournament).unwrap();
        let round = tournament.rounds().len() - 1;
        for (game, pairing) in tournament.rounds()[round].pairings.clone().iter().enumerate() {
            let [black, white] = pairing.players;
            let won = if winners.contains(&[black, white]) { PairingResult::Black } else { PairingResult::White };
            tournament.set_result(round, game, won).unwrap();
        }
    }
    // In a circle nothing tells them apart: they share the place.
    assert_eq!(scores(&tournament), [(0, 1, 4), (1, 1, 4), (3, 1, 4), (2, 4, 0)]);
    // Once 3 has not beaten 0 but shared the point, 0 is ahead, and of 1 and 3 nobody is level.
    let rounds = tournament.rounds().iter().enumerate();
    let (round, game) = rounds
        .flat_map(|(nth, round)| round.pairings.iter().enumerate().map(move |(game, pairing)| (nth, game, pairing)))
        .find(|(.., pairing)| pairing.players.contains(&0) && pairing.players.contains(&3))
        .map(|(round, game, _)| (round, game))
        .unwrap();
    tournament.set_result(round, game, PairingResult::Draw).unwrap();
    assert_eq!(scores(&tournament), [(0, 1, 5), (1, 2, 4), (3, 3, 3), (2, 4, 0)]);
}

#[test]
fn of_two_who_are_level_the_one_who_beat_the_other_is_ahead() {
    let mut tournament = of_terms(terms(TournamentSystem::RoundRobin, 1), &[""; 5]);
    // 1 and 4 have two points each, against opponents of as many: 1 beat 2 and 3, 4 beat 2, and 1 besides.
    let upsets = [[3, 0], [4, 1], [4, 2]];
    for _ in 0..5 {
        pair(&mut tournament).unwrap();
        let round = tournament.rounds().len() - 1;
        for (game, pairing) in tournament.rounds()[round].pairings.clone().iter().enumerate() {
            let [black, white] = pairing.players;
            let is_upset = upsets.contains(&[black.max(white), black.min(white)]);
            let won = if (black < white) == is_upset { PairingResult::White } else { PairingResult::Black };
            tournament.set_result(round, game, won).unwrap();
        }
    }
    assert_eq!(scores(&tournament), [(0, 1, 6), (3, 2, 4), (4, 3, 4), (1, 4, 4), (2, 5, 2)]);
    let sodos: Vec<u32> = tournament.standings().iter().map(|standing| standing.sodos).collect();
    assert_eq!(sodos, [20, 20, 12, 12, 8]);
}

#[test]
fn two_who_are_level_and_have_not_met_share_the_place() {
    // 2 and 3 have as many points and as good opponents.
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 2), &[""; 4]);
    pair(&mut tournament).unwrap();
    let of = |tournament: &Tournament, round: usize, player: usize| {
        let pairings = &tournament.rounds()[round].pairings;
        let game = pairings.iter().position(|pairing| pairing.players.contains(&player)).unwrap();
        (game, pairings[game].players[0] == player)
    };
    let win = |tournament: &mut Tournament, round: usize, player: usize| {
        let (game, is_black) = of(tournament, round, player);
        let won = if is_black { PairingResult::Black } else { PairingResult::White };
        tournament.set_result(round, game, won).unwrap();
    };
    // 2 beats 0 and 1 beats 3; then both meet, and 1 wins; 3 beats 0.
    win(&mut tournament, 0, 2);
    win(&mut tournament, 0, 1);
    pair(&mut tournament).unwrap();
    win(&mut tournament, 1, 1);
    win(&mut tournament, 1, 3);
    // 2 and 3 have a point each; 1 with two is among the opponents of both; 2 beat 0 and 3 beat 0: level, and not met.
    assert_eq!(scores(&tournament), [(1, 1, 4), (2, 2, 2), (3, 2, 2), (0, 4, 0)]);
    // Nor does a game tell them apart in which they shared the point.
    let mut both = of_terms(terms(TournamentSystem::Swiss, 1), &[""; 2]);
    pair(&mut both).unwrap();
    both.set_result(0, 0, PairingResult::Draw).unwrap();
    assert_eq!(scores(&both), [(0, 1, 1), (1, 1, 1)]);
}

#[test]
fn an_account_that_goes_loses_the_game_under_way_and_keeps_its_row() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    pair(&mut tournament).unwrap();
    assert!(tournament.forget("p3") && !tournament.forget("p3"));
    let lost = tournament.standings().into_iter().find(|standing| standing.player == 3).unwrap();
    assert_eq!(lost.rounds[0].result, RoundResult::Lost);
    assert_eq!((tournament.players()[3].person.as_deref(), tournament.players()[3].name.as_str()), (None, "Player 3"));
    play(&mut tournament, &[]);
    let pairs = pair(&mut tournament).unwrap();
    assert!(pairs.len() == 1 && !pairs[0].contains(&3), "{pairs:?}");
    assert!(tournament.forget("org") && !tournament.is_led_by("org"));
    assert_eq!(tournament.organiser(), "Tomo");
}

#[test]
fn a_result_of_a_room_is_taken_once_and_the_organisers_word_stands() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    pair(&mut tournament).unwrap();
    assert!(tournament.room_ended("1-1", PairingResult::White));
    assert!(!tournament.room_ended("1-1", PairingResult::Black), "it has ended");
    assert!(!tournament.room_ended("nowhere", PairingResult::Black));
    tournament.set_result(0, 1, PairingResult::BothLost).unwrap();
    assert!(!tournament.room_ended("1-2", PairingResult::Black));
    assert_eq!(tournament.set_result(0, 2, PairingResult::Draw), Err(TournamentError::UnknownPairing));
    assert_eq!(tournament.set_result(1, 0, PairingResult::Draw), Err(TournamentError::UnknownPairing));
    let winner = tournament.rounds()[0].pairings[0].players[1];
    assert_eq!(scores(&tournament)[0], (winner, 1, 2));
    assert_eq!(scores(&tournament).iter().map(|row| row.2).sum::<u32>(), 2);
    pair(&mut tournament).unwrap();
    tournament.set_result(0, 0, PairingResult::Draw).unwrap();
}

#[test]
fn what_was_said_by_a_slip_is_taken_back_in_the_last_round() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    pair(&mut tournament).unwrap();
    let before = tournament.clone();
    tournament.set_result(0, 1, PairingResult::BothLost).unwrap();
    tournament.take_result_back(0, 1, None).unwrap();
    assert_eq!(tournament, before);
    tournament.take_result_back(0, 1, Some("another".into())).unwrap();
    assert!(
        !tournament.room_ended("1-2", PairingResult::Black) && tournament.room_ended("another", PairingResult::Black)
    );
    for wrong in [(0, 2), (1, 0)] {
        assert_eq!(tournament.take_result_back(wrong.0, wrong.1, None), Err(TournamentError::UnknownPairing));
    }
    tournament.set_result(0, 0, PairingResult::Draw).unwrap();
    pair(&mut tournament).unwrap();
    assert_eq!(tournament.take_result_back(0, 0, None), Err(TournamentError::RoundBegun));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let new = |terms: TournamentTerms| Tournament::new(terms, ["org", "Tomo"]).map(|_| ()).unwrap_err();
    let usual = || terms(TournamentSystem::McMahon, 5);
    assert_eq!(new(TournamentTerms { title: " \n ".into(), ..usual() }), TournamentError::Title);
    assert_eq!(new(TournamentTerms { title: "x".repeat(81), ..usual() }), TournamentError::Title);
    assert_eq!(new(TournamentTerms { rounds: Some(0), ..usual() }), TournamentError::Rounds);
    assert_eq!(new(TournamentTerms { rounds: Some(25), ..usual() }), TournamentError::Rounds);
    assert_eq!(new(TournamentTerms { bar: Some("strong".into()), ..usual() }), TournamentError::Rank);
    let handicap = Terms { handicap: 3, ..Terms::default() };
    assert_eq!(new(TournamentTerms { terms: handicap, ..usual() }), TournamentError::Handicap);
    let board = Terms { width: 99, ..Terms::default() };
    assert!(matches!(new(TournamentTerms { terms: board, ..usual() }), TournamentError::Terms(_)));
    let mut alone = of_terms(usual(), &["5k"]);
    assert_eq!(pair(&mut alone), Err(TournamentError::TooFew));
    assert_eq!(alone.join("p1", "B", "2950"), Err(TournamentError::Rank));
    let mut two = of_terms(terms(TournamentSystem::Swiss, 5), &["", ""]);
    pair(&mut two).unwrap();
    play(&mut two, &[]);
    let mut many = of_terms(terms(TournamentSystem::RoundRobin, 1), &[""; 26]);
    assert_eq!(pair(&mut many), Err(TournamentError::TooMany));
    for wrong in ["", "{}", "null"] {
        assert!(Tournament::from_kept(wrong).is_err());
    }
    let kept = two.to_kept().replace("[0,1]", "[0,7]").replace("[1,0]", "[7,0]");
    assert!(Tournament::from_kept(&kept).is_err(), "a game of somebody who is not there: {kept}");
}

#[test]
fn a_tournaments_room_waits_for_its_players_and_keeps_their_seats() {
    let seat = |name: &str| Some(Seat::person(name, name));
    let now = Now::at(Duration::from_secs(1));
    let room = || Room::new("12345678", Terms::default(), [seat("a"), seat("b")]).unwrap().official();
    let mut waiting = room();
    waiting.connected("a", now);
    let leave = honinbo_rooms::ClientMessage::parse(r#"{"type":"leave"}"#).unwrap();
    assert_eq!(waiting.handle("a", "a", &leave, now).unwrap_err().kind(), "fixed_seats");
    let kept = waiting.to_kept(now.at);
    let mut back = Room::from_kept(&kept, Duration::ZERO, now.at).unwrap();
    assert!(back.is_official());
    // Nobody else sits down in the place of somebody whose account is gone: the game is the other one's.
    back.forfeit("b", now);
    assert_eq!((back.stage(), back.outcome().unwrap().to_sgf()), (Stage::Over, "B+F".into()));
    assert!(back.sit("stranger", "stranger", now).is_none());
    let mut begun = room();
    begun.connected("a", now);
    begun.connected("b", now);
    let cancel = honinbo_rooms::ClientMessage::parse(r#"{"type":"cancel"}"#).unwrap();
    assert_eq!(begun.handle("a", "a", &cancel, now).unwrap_err().kind(), "fixed_seats");
    let mut called_off = room();
    called_off.connected("a", now);
    called_off.call_off(now);
    assert!(!called_off.has_people() && called_off.stage() == Stage::Waiting);
    // One that is played goes on.
    let mut played = room();
    played.connected("a", now);
    played.connected("b", now);
    played.call_off(now);
    assert_eq!(played.stage(), Stage::Playing);
    // Unless the tournament has taken it back, and knows it no more.
    played.take_away(now);
    assert_eq!((played.stage(), played.outcome().unwrap().to_sgf()), (Stage::Over, "Void".into()));
    let mut taken_back = room();
    taken_back.take_away(now);
    assert!(!taken_back.has_people() && taken_back.stage() == Stage::Waiting);
}

/// Changes the last round by hand.
fn change(
    tournament: &mut Tournament,
    change: PairingChange,
    players: [usize; 2],
) -> Result<Rearranged, TournamentError> {
    by_hand(tournament, change, players, false)
}

fn by_hand(
    tournament: &mut Tournament,
    change: PairingChange,
    players: [usize; 2],
    may_be_rematch: bool,
) -> Result<Rearranged, TournamentError> {
    let round = tournament.rounds().len().saturating_sub(1);
    let mut room = 0;
    tournament.rearrange(&Rearrangement { round, players, change, may_be_rematch }, || {
        room += 1;
        Ok(format!("by hand {room}"))
    })
}

fn last_pairs(tournament: &Tournament) -> Vec<[usize; 2]> {
    let round = tournament.rounds().last().unwrap();
    round.pairings.iter().map(|pairing| pairing.players).collect()
}

fn standing(tournament: &Tournament, player: usize) -> Standing {
    tournament.standings().into_iter().find(|standing| standing.player == player).unwrap()
}

#[test]
fn the_organiser_takes_pairings_apart_and_pairs_who_has_no_game() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 6]);
    assert_eq!(change(&mut tournament, PairingChange::Pair, [0, 1]), Err(TournamentError::UnknownRound));
    pair(&mut tournament).unwrap();
    let before = tournament.clone();
    assert_eq!(change(&mut tournament, PairingChange::Pair, [0, 1]), Err(TournamentError::HasGame));
    assert_eq!(change(&mut tournament, PairingChange::Unpair, [0, 1]), Err(TournamentError::UnknownPairing));
    assert_eq!(change(&mut tournament, PairingChange::Pair, [2, 2]), Err(TournamentError::SamePlayer));
    assert_eq!(change(&mut tournament, PairingChange::Pair, [0, 6]), Err(TournamentError::UnknownPlayer));
    assert_eq!(tournament, before);
    // 0-3 and 1-4 are taken apart; 0 meets 1, and 3 meets 4. Each game has a room of its own.
    let taken_apart = change(&mut tournament, PairingChange::Unpair, [3, 0]).unwrap();
    assert_eq!((taken_apart.closed.len(), taken_apart.closed[0].room.as_str()), (1, "1-1"));
    assert!(taken_apart.opened.is_empty());
    assert_eq!(standing(&tournament, 0).rounds[0].result, RoundResult::Absent);
    assert!(!tournament.room_ended("1-1", PairingResult::Black), "nobody waits for that room any more");
    change(&mut tournament, PairingChange::Unpair, [1, 4]).unwrap();
    let made = change(&mut tournament, PairingChange::Pair, [0, 1]).unwrap();
    assert_eq!((made.closed.len(), made.opened[0].players), (0, [0, 1]), "the first one has Black");
    change(&mut tournament, PairingChange::Pair, [3, 4]).unwrap();
    let mut pairs = last_pairs(&tournament);
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort_unstable();
    assert_eq!(pairs, [[0, 1], [2, 5], [3, 4]]);
    play(&mut tournament, &[]);
    // What has a result is not taken apart, and no round is changed that others follow.
    assert_eq!(change(&mut tournament, PairingChange::Unpair, [0, 1]), Err(TournamentError::GameBegun));
    assert_eq!(change(&mut tournament, PairingChange::Exchange, [0, 3]), Err(TournamentError::GameBegun));
    pair(&mut tournament).unwrap();
    let earlier = Rearrangement { round: 0, players: [0, 1], change: PairingChange::Unpair, may_be_rematch: false };
    let refused = tournament.rearrange::<TournamentError>(&earlier, || Ok(String::new()));
    assert_eq!(refused, Err(TournamentError::RoundBegun));
    play(&mut tournament, &[]);
    tournament.finish().unwrap();
    assert_eq!(change(&mut tournament, PairingChange::Unpair, [0, 1]), Err(TournamentError::Over));
}

#[test]
fn nobody_meets_again_by_hand_unless_the_organiser_insists() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    pair(&mut tournament).unwrap(); // 0-2 and 1-3
    play(&mut tournament, &[]);
    pair(&mut tournament).unwrap(); // 0-1 and 2-3
    let before = tournament.clone();
    // Whoever takes 1's place meets 0 again, or has 3 meet 1 again.
    let again = TournamentError::Rematch { round: 1 };
    assert_eq!(change(&mut tournament, PairingChange::Exchange, [1, 2]), Err(again.clone()));
    assert_eq!(again.kind(), "rematch");
    assert_eq!(tournament, before);
    by_hand(&mut tournament, PairingChange::Exchange, [1, 2], true).unwrap();
    for pairing in &tournament.rounds()[1].pairings {
        assert!(tournament.is_rematch(1, pairing), "it is told");
    }
    // Two of one game exchange colours, and are no rematch for that.
    let mut tournament = before;
    let colors = last_pairs(&tournament)[0];
    change(&mut tournament, PairingChange::Exchange, [0, 1]).unwrap();
    assert_eq!(last_pairs(&tournament)[0], [colors[1], colors[0]]);
    change(&mut tournament, PairingChange::Unpair, [0, 1]).unwrap();
    change(&mut tournament, PairingChange::Unpair, [2, 3]).unwrap();
    assert_eq!(change(&mut tournament, PairingChange::Exchange, [0, 1]), Err(TournamentError::UnknownPairing));
    assert_eq!(change(&mut tournament, PairingChange::Pair, [0, 2]), Err(again));
    let opened = change(&mut tournament, PairingChange::Pair, [0, 3]).unwrap().opened;
    assert!(opened[0].players.contains(&0) && opened[0].players.contains(&3));
    assert_eq!(by_hand(&mut tournament, PairingChange::Pair, [1, 2], false).unwrap().opened.len(), 1);
}

#[test]
fn places_are_exchanged_with_the_bye_too() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 5]);
    pair(&mut tournament).unwrap(); // 4 has the bye
    let seat = last_pairs(&tournament).iter().position(|pair| pair.contains(&0)).unwrap();
    let [black, white] = last_pairs(&tournament)[seat];
    change(&mut tournament, PairingChange::Exchange, [0, 4]).unwrap();
    let swap = |player: usize| if player == 0 { 4 } else { player };
    assert_eq!((last_pairs(&tournament)[seat], tournament.rounds()[0].bye), ([swap(black), swap(white)], Some(0)));
    assert_eq!((standing(&tournament, 0).score, standing(&tournament, 0).rounds[0].result), (2, RoundResult::Bye));
    // Who comes late plays the one with the bye, which is over then.
    tournament.join("late", "Late", "").unwrap();
    tournament.count_missed(5, RestPoints::Half).unwrap();
    assert_eq!(standing(&tournament, 5).score, 1);
    let opened = change(&mut tournament, PairingChange::Pair, [5, 0]).unwrap().opened;
    assert_eq!((opened[0].players, tournament.rounds()[0].bye), ([5, 0], None));
    assert_eq!((standing(&tournament, 0).score, standing(&tournament, 5).score), (0, 0));
    assert!(tournament.rests().is_empty());
    // Nobody who is absent is put into a game.
    change(&mut tournament, PairingChange::Unpair, [0, 5]).unwrap();
    tournament.attend(5, None, Attendance::Absent).unwrap();
    assert_eq!(change(&mut tournament, PairingChange::Pair, [0, 5]), Err(TournamentError::NotHere));
    assert_eq!(change(&mut tournament, PairingChange::Exchange, [1, 5]), Err(TournamentError::NotHere));
}

#[test]
fn stones_follow_from_points_by_hand_too() {
    let with_stones = TournamentTerms { handicap_less: Some(1), ..terms(TournamentSystem::McMahon, 3) };
    let mut tournament = of_terms(with_stones, &["1k", "2k", "6k", "7k"]);
    pair(&mut tournament).unwrap(); // 1k-2k and 6k-7k
    assert!(tournament.rounds()[0].pairings.iter().all(|pairing| pairing.handicap == 0));
    // 1k meets 6k, and 2k meets 7k: four stones each, and the weaker one has Black.
    let changed = change(&mut tournament, PairingChange::Exchange, [1, 2]).unwrap();
    let mut games: Vec<_> = changed.opened.iter().map(|pairing| (pairing.players, pairing.handicap)).collect();
    games.sort_unstable();
    assert_eq!(games, [([2, 0], 4), ([3, 1], 4)]);
    assert_eq!(changed.closed.len(), 2);
    assert_eq!(change(&mut tournament, PairingChange::Exchange, [0, 2]), Err(TournamentError::HandicapColors));
    // A bye in the round itself counts for no stones.
    change(&mut tournament, PairingChange::Unpair, [0, 2]).unwrap();
    tournament.rest(0, 2, None, Some(RestPoints::Bye)).unwrap();
    assert_eq!(change(&mut tournament, PairingChange::Pair, [0, 2]).unwrap().opened[0].handicap, 4);
}

#[test]
fn a_pause_is_worth_half_a_point_or_none_and_counts_so_in_every_sum() {
    let mut tournament = of_terms(terms(TournamentSystem::McMahon, 3), &["1k", "1k", "2k", "2k", "3k"]);
    // Before the first round numbers follow the list.
    tournament.rest(0, 4, Some("Player 4"), Some(RestPoints::Half)).unwrap();
    tournament.rest(1, 3, None, Some(RestPoints::Nothing)).unwrap();
    assert_eq!(tournament.rest(0, 4, Some("Player 3"), None), Err(TournamentError::OtherPlayer));
    assert_eq!(tournament.rest(0, 5, None, None), Err(TournamentError::UnknownPlayer));
    assert_eq!(tournament.rest(3, 0, None, Some(RestPoints::Half)), Err(TournamentError::UnknownRound));
    let pairs = pair(&mut tournament).unwrap();
    assert!(pairs.len() == 2 && !pairs.iter().flatten().any(|&player| player == 4), "{pairs:?}");
    assert_eq!(tournament.rounds()[0].bye, None);
    assert_eq!(tournament.rest(0, 0, None, Some(RestPoints::Half)), Err(TournamentError::HasGame));
    play(&mut tournament, &[]);
    let four = standing(&tournament, 4);
    // The EGF adds the own points at the start to SOS for a round without opponent: here none.
    assert_eq!((four.start, four.score, four.sos, four.rounds[0].result), (0, 1, 0, RoundResult::Half));
    pair(&mut tournament).unwrap();
    assert!(!last_pairs(&tournament).iter().flatten().any(|&player| player == 3));
    play(&mut tournament, &[]);
    let three = standing(&tournament, 3);
    assert_eq!((three.start, three.rounds[1].result), (2, RoundResult::Absent));
    // Its SOS is the score of its opponent of the first round and its own two at the start.
    let opponent = three.rounds[0].opponent.unwrap();
    assert_eq!(three.sos, standing(&tournament, opponent).score + 2);
    // Who met 4 has its half point in SOS; once it is nothing, one half point less.
    let met_four =
        (0..4).find(|&player| standing(&tournament, player).rounds.iter().any(|round| round.opponent == Some(4)));
    let before = standing(&tournament, met_four.unwrap());
    tournament.rest(0, 4, None, None).unwrap();
    let after = standing(&tournament, met_four.unwrap());
    assert_eq!((before.sos - after.sos, standing(&tournament, 4).rounds[0].result), (1, RoundResult::Absent));
    // It is corrected when the tournament is over, too, and nothing is planned then.
    tournament.finish().unwrap();
    tournament.rest(0, 4, None, Some(RestPoints::Bye)).unwrap();
    assert_eq!(standing(&tournament, 4).rounds[0].result, RoundResult::Bye);
    assert_eq!(tournament.rest(2, 4, None, Some(RestPoints::Half)), Err(TournamentError::Over));
    assert_eq!(Tournament::from_kept(&tournament.to_kept()).unwrap(), tournament);
    let older = tournament.to_kept();
    let start = older.find(r#","rests":[{"#).unwrap();
    assert!(Tournament::from_kept(&older.replace(r#""player":4,"#, r#""player":9,"#)).is_err(), "{}", &older[start..]);
}

#[test]
fn a_bye_of_the_organiser_is_one_like_others() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 5), &[""; 5]);
    tournament.rest(0, 0, None, Some(RestPoints::Bye)).unwrap();
    assert_eq!(pair(&mut tournament).unwrap().len(), 2);
    assert_eq!((tournament.rounds()[0].bye, standing(&tournament, 0).score), (None, 2));
    play(&mut tournament, &[]);
    for round in 1..5 {
        pair(&mut tournament).unwrap();
        assert_ne!(tournament.rounds()[round].bye, Some(0), "it has had one");
        play(&mut tournament, &[]);
    }
    // The bye of the pairing itself becomes half a point.
    let bye = tournament.rounds()[4].bye.unwrap();
    let before = standing(&tournament, bye).score;
    tournament.rest(4, bye, None, Some(RestPoints::Half)).unwrap();
    assert_eq!((tournament.rounds()[4].bye, before - standing(&tournament, bye).score), (None, 1));
}

#[test]
fn rounds_that_somebody_missed_count_as_the_organiser_says() {
    let mut tournament = of_terms(terms(TournamentSystem::McMahon, 4), &["1k", "1k", "3k", "3k"]);
    for _ in 0..2 {
        pair(&mut tournament).unwrap();
        play(&mut tournament, &[]);
    }
    for (nth, points) in [RestPoints::Half, RestPoints::Nothing].into_iter().enumerate() {
        let late = tournament.join(&format!("late{nth}"), "Late", "2k").unwrap();
        tournament.count_missed(late, points).unwrap();
    }
    let [half, none] = [standing(&tournament, 4), standing(&tournament, 5)];
    assert_eq!((half.start, half.score, half.sos), (2, 4, 4));
    assert_eq!((none.start, none.score, none.sos), (2, 2, 4));
    assert!(half.rounds.iter().all(|round| round.result == RoundResult::Half));
    // It is paired from now on, and who was there has nothing that was missed.
    tournament.count_missed(0, RestPoints::Half).unwrap();
    assert_eq!(tournament.rests().len(), 4);
    let pairs = pair(&mut tournament).unwrap();
    assert_eq!(pairs.iter().flatten().filter(|&&player| player >= 4).count(), 2);
    // A pairing that is taken back takes back what was said of it since, and nothing else.
    play(&mut tournament, &[]);
    tournament.rest(3, 0, None, Some(RestPoints::Half)).unwrap();
    let before = tournament.clone();
    pair(&mut tournament).unwrap();
    let later = tournament.join("later", "Later", "2k").unwrap();
    tournament.count_missed(later, RestPoints::Half).unwrap();
    tournament.rest(3, 0, None, None).unwrap();
    tournament.take_round_back().unwrap();
    assert_eq!(tournament.rest_of(3, later), None, "it is paired in the round that is paired anew");
    assert_eq!(
        (tournament.rest_of(3, 0), tournament.rest_of(2, later)),
        (Some(RestPoints::Half), Some(RestPoints::Half))
    );
    assert_eq!(before.rest_of(3, 0), tournament.rest_of(3, 0));
}

#[test]
fn before_the_first_round_a_pause_stays_with_whom_it_was_said_of() {
    let mut tournament = of_terms(terms(TournamentSystem::Swiss, 3), &[""; 4]);
    tournament.rest(0, 1, None, Some(RestPoints::Half)).unwrap();
    tournament.rest(0, 3, None, Some(RestPoints::Nothing)).unwrap();
    tournament.attend(1, None, Attendance::Gone).unwrap();
    let rests: Vec<(usize, RestPoints)> = tournament.rests().iter().map(|rest| (rest.player, rest.points)).collect();
    assert_eq!((rests, tournament.players()[2].name.as_str()), (vec![(2, RestPoints::Nothing)], "Player 3"));
    pair(&mut tournament).unwrap();
    tournament.attend(0, None, Attendance::Gone).unwrap();
    tournament.take_round_back().unwrap();
    assert_eq!(tournament.rests()[0].player, 1);
    assert_eq!(tournament.players()[1].name, "Player 3");
    assert_eq!(pair(&mut tournament), Err(TournamentError::TooFew));
}

#[test]
fn who_meets_whom_in_a_round_robin_is_fixed_and_colours_are_not() {
    let mut tournament = of_terms(terms(TournamentSystem::RoundRobin, 1), &[""; 4]);
    pair(&mut tournament).unwrap();
    let [one, other] = [last_pairs(&tournament)[0], last_pairs(&tournament)[1]];
    for (wanted, players) in [
        (PairingChange::Unpair, one),
        (PairingChange::Exchange, [one[0], other[0]]),
        (PairingChange::Pair, [one[0], other[0]]),
    ] {
        assert_eq!(change(&mut tournament, wanted, players), Err(TournamentError::Fixed));
    }
    assert_eq!(tournament.rest(1, 0, None, Some(RestPoints::Half)), Err(TournamentError::Fixed));
    change(&mut tournament, PairingChange::Exchange, one).unwrap();
    assert_eq!(last_pairs(&tournament)[0], [one[1], one[0]]);
}

/// Whether those who are left can be paired without meeting again, one with a bye where their number is odd.
fn can_be_paired(left: &[usize], met: &HashSet<[usize; 2]>, may_rest: &dyn Fn(usize) -> bool) -> bool {
    let Some((&first, others)) = left.split_first() else { return true };
    let rests = !left.len().is_multiple_of(2) && may_rest(first) && can_be_paired(others, met, may_rest);
    rests
        || others.iter().any(|&other| {
            let rest: Vec<usize> = others.iter().copied().filter(|&one| one != other).collect();
            !met.contains(&[first.min(other), first.max(other)]) && can_be_paired(&rest, met, may_rest)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Whatever the results: in a small tournament all meet all others before anybody meets again, however long it is.
    #[test]
    fn few_players_run_out_of_opponents_all_at_once(
        count in 2_usize..=12,
        mcmahon in any::<bool>(),
        more in 0_u32..3,
        choices in prop::collection::vec(0_usize..4, 80),
    ) {
        let system = if mcmahon { TournamentSystem::McMahon } else { TournamentSystem::Swiss };
        let ranks: Vec<String> = (0..count).map(|nth| format!("{}k", 1 + nth * 7 % 20)).collect();
        let ranks: Vec<&str> = ranks.iter().map(String::as_str).collect();
        let most = if count.is_multiple_of(2) { count - 1 } else { count };
        let mut tournament = of_terms(terms(system, most as u32 + more), &ranks);
        prop_assert_eq!(tournament.rounds_without_rematch(), most);
        let mut choices = choices.into_iter().cycle();
        for round in 0..most + more as usize {
            pair(&mut tournament).unwrap();
            for pairing in &tournament.rounds()[round].pairings {
                prop_assert_eq!(tournament.is_rematch(round, pairing), round >= most, "round {}", round);
            }
            for game in 0..tournament.rounds()[round].pairings.len() {
                let results =
                    [PairingResult::Black, PairingResult::White, PairingResult::Draw, PairingResult::BothLost];
                tournament.set_result(round, game, results[choices.next().unwrap()]).unwrap();
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever the results and whoever comes and goes: nobody meets anybody twice where that can be avoided, everybody who
    /// is there plays or has the one bye, points add up, and what is kept comes back.
    #[test]
    fn rounds_hold_whatever_happens(
        count in 2_usize..24,
        mcmahon in any::<bool>(),
        choices in prop::collection::vec(any::<u8>(), 400),
    ) {
        let system = if mcmahon { TournamentSystem::McMahon } else { TournamentSystem::Swiss };
        let ranks: Vec<String> = (0..count).map(|nth| format!("{}k", 1 + nth * 7 % 20)).collect();
        let ranks: Vec<&str> = ranks.iter().map(String::as_str).collect();
        let handicap_less = (mcmahon && choices[0] < 128).then_some(1);
        let mut tournament = of_terms(TournamentTerms { handicap_less, ..terms(system, 8) }, &ranks);
        let mut choices = choices.into_iter().cycle();
        let mut choose = |of: usize| usize::from(choices.next().unwrap()) % of;
        let mut met = HashSet::new();
        for round in 0..8 {
            if choose(3) == 0 {
                let attendance = [Attendance::Here, Attendance::Absent][choose(2)];
                tournament.attend(choose(count), None, attendance).unwrap();
            }
            let before = tournament.clone();
            let pairs = match pair(&mut tournament) {
                Ok(pairs) => pairs,
                Err(error) => {
                    prop_assert_eq!(error, TournamentError::TooFew);
                    prop_assert_eq!(&tournament.rounds(), &before.rounds());
                    break;
                }
            };
            let here: HashSet<usize> = (0..tournament.players().len())
                .filter(|&player| tournament.players()[player].attendance == Attendance::Here)
                .collect();
            let paired: HashSet<usize> =
                pairs.iter().flatten().copied().chain(tournament.rounds()[round].bye).collect();
            prop_assert_eq!(paired, here.clone());
            prop_assert_eq!(pairs.len(), here.len() / 2);
            let again = pairs.iter().any(|&[a, b]| met.contains(&[a.min(b), a.max(b)]));
            if again {
                let byes = |player: usize| {
                    before.rounds().iter().filter(|round| round.bye == Some(player)).count()
                };
                let fewest = here.iter().map(|&player| byes(player)).min().unwrap();
                let may_rest = |player: usize| byes(player) == fewest;
                let mut here: Vec<usize> = here.iter().copied().collect();
                here.sort_unstable();
                prop_assert!(!can_be_paired(&here, &met, &may_rest), "somebody meets again in {:?}", pairs);
            }
            met.extend(pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]));
            for game in 0..tournament.rounds()[round].pairings.len() {
                let results =
                    [PairingResult::Black, PairingResult::White, PairingResult::Draw, PairingResult::BothLost];
                tournament.set_result(round, game, results[choose(4)]).unwrap();
            }
            if choose(4) == 0 && tournament.players().len() < 30 {
                tournament.join(&format!("late {round}"), "Late", "9k").unwrap();
            }
            let back = Tournament::from_kept(&tournament.to_kept()).unwrap();
            prop_assert_eq!(&back, &tournament);
        }
        let given: u32 = tournament
            .rounds()
            .iter()
            .map(|round| {
                let points = round.pairings.iter().map(|pairing| {
                    if pairing.result == Some(PairingResult::BothLost) { 0 } else { 2 }
                });
                points.sum::<u32>() + 2 * u32::from(round.bye.is_some())
            })
            .sum();
        let table = tournament.standings();
        let total: u32 = table.iter().map(|standing| standing.score - standing.start).sum();
        prop_assert_eq!(total, given);
        prop_assert!(table.is_sorted_by_key(|standing| standing.place));
        prop_assert_eq!(table[0].place, 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever the organiser changes by hand: nobody is twice in a round, nobody meets anybody again who was not told, a
    /// game with a result stays, what is refused changes nothing, points add up, and what is kept comes back.
    #[test]
    fn rounds_hold_whatever_the_organiser_changes(
        count in 2_usize..14,
        mcmahon in any::<bool>(),
        choices in prop::collection::vec(any::<u8>(), 400),
    ) {
        let system = if mcmahon { TournamentSystem::McMahon } else { TournamentSystem::Swiss };
        let ranks: Vec<String> = (0..count).map(|nth| format!("{}k", 1 + nth * 7 % 20)).collect();
        let ranks: Vec<&str> = ranks.iter().map(String::as_str).collect();
        let handicap_less = (mcmahon && choices[0] < 128).then_some(1);
        let mut tournament = of_terms(TournamentTerms { handicap_less, ..terms(system, 4) }, &ranks);
        let mut choices = choices.into_iter().cycle();
        let mut choose = |of: usize| usize::from(choices.next().unwrap()) % of;
        let mut rounds = 0;
        for _ in 0..4 {
            let _ = tournament.rest(rounds, choose(count), None, [None, Some(RestPoints::Half)][choose(2)]);
            if pair(&mut tournament).is_err() {
                break;
            }
            rounds += 1;
            for _ in 0..choose(12) {
                let before = tournament.clone();
                let people = tournament.players().len();
                let players = [choose(people), choose(people)];
                let round = choose(rounds);
                let done = match choose(6) {
                    0 => {
                        let points = [RestPoints::Bye, RestPoints::Half, RestPoints::Nothing][choose(3)];
                        tournament.rest(round, players[0], None, Some(points))
                    }
                    1 => tournament.rest(round, players[0], None, None),
                    2 => {
                        let game = choose(20);
                        tournament.set_result(rounds - 1, game, PairingResult::Draw).map(|_| ())
                    }
                    3 if people < 20 => tournament
                        .join(&format!("late{people}"), "Late", "9k")
                        .and_then(|late| tournament.count_missed(late, RestPoints::Half)),
                    nth => {
                        let wanted = [PairingChange::Pair, PairingChange::Exchange, PairingChange::Unpair][choose(3)];
                        by_hand(&mut tournament, wanted, players, nth == 5).map(|changed| {
                            let is_ended = |pairing: &honinbo_rooms::Pairing| pairing.result.is_some();
                            assert!(!changed.closed.iter().any(is_ended), "a game with a result is gone");
                            // Colours alone are exchanged with whom somebody was to meet anyway.
                            let is_same = |one: &honinbo_rooms::Pairing, other: &honinbo_rooms::Pairing| {
                                one.players == [other.players[1], other.players[0]]
                            };
                            for pairing in &changed.opened {
                                let is_known = changed.closed.iter().any(|closed| is_same(closed, pairing));
                                assert!(nth == 5 || is_known || !tournament.is_rematch(rounds - 1, pairing));
                            }
                        })
                    }
                };
                if done.is_err() {
                    prop_assert_eq!(&tournament, &before);
                }
                let ended = |tournament: &Tournament| {
                    let games = tournament.rounds().iter().flat_map(|round| &round.pairings);
                    games.filter(|pairing| pairing.result.is_some()).count()
                };
                prop_assert!(ended(&tournament) >= ended(&before));
                prop_assert_eq!(&Tournament::from_kept(&tournament.to_kept()).unwrap(), &tournament);
            }
            for game in 0..tournament.rounds()[rounds - 1].pairings.len() {
                tournament.set_result(rounds - 1, game, [PairingResult::Black, PairingResult::White][choose(2)]).unwrap();
            }
        }
        let mut given = 0;
        for (number, round) in tournament.rounds().iter().enumerate() {
            let mut here = HashSet::new();
            let playing = round.pairings.iter().flat_map(|pairing| pairing.players);
            let resting = tournament.rests().iter().filter(|rest| rest.round == number);
            for player in playing.chain(round.bye).chain(resting.clone().map(|rest| rest.player)) {
                prop_assert!(here.insert(player), "somebody is twice in round {}", number);
            }
            let rests = resting.map(|rest| match rest.points {
                RestPoints::Bye => 2,
                RestPoints::Half => 1,
                RestPoints::Nothing => 0,
            });
            given += 2 * round.pairings.len() as u32 + 2 * u32::from(round.bye.is_some()) + rests.sum::<u32>();
        }
        let table = tournament.standings();
        prop_assert_eq!(table.iter().map(|standing| standing.score - standing.start).sum::<u32>(), given);
        // SOS once more, from the table alone.
        for standing in &table {
            let opponents = standing.rounds.iter().enumerate().map(|(round, played)| match played.opponent {
                None => i64::from(standing.start),
                Some(opponent) => {
                    let score = table.iter().find(|other| other.player == opponent).unwrap().score;
                    let games = &tournament.rounds()[round].pairings;
                    let game = games.iter().find(|game| game.players.contains(&standing.player)).unwrap();
                    let stones = 2 * i64::from(game.handicap);
                    let given = if game.players[1] == standing.player { stones } else { -stones };
                    (i64::from(score) + given).max(0)
                }
            });
            prop_assert_eq!(i64::from(standing.sos), opponents.sum::<i64>());
        }
    }
}
