//! `honinbo referee`: what the groups of problems are, by proof, beside what their files hold to be right.

use crate::args::RefereeArgs;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::notes::note;
use crate::output::Output;
use crate::records::{games, harmless, name_of};
use crate::words::counted;
use honinbo_evaluator::StopFlag;
use honinbo_record::{GameInfo, Tsumego};
use honinbo_referee::{Appraisal, ByShape, Fate, Limits, Reason, Referee, Role, appraise};
use honinbo_rules::{BoardSize, Color, Move};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What a file's answer is against what was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// Every right first move of the file is among the best.
    Agrees,
    /// A right move of the file is proved to be worse than another one.
    Differs,
    /// It is proved that it does not matter who moves first: the file is about something else, or wrong.
    NoMatter,
    /// Something that would be needed was not proved.
    NotProved,
}

impl Held {
    const ALL: [(Held, &'static str); 4] = [
        (Held::Agrees, "agrees"),
        (Held::Differs, "differs"),
        (Held::NoMatter, "no matter"),
        (Held::NotProved, "not proved"),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(held, _)| *held == self).map_or("", |(_, name)| name)
    }
}

/// Judges every problem of every file.
pub(crate) fn referee(args: &RefereeArgs, output: &mut Output) -> Result<(), Failure> {
    let stop = StopFlag::new();
    stop_on_interrupt(&stop)?;
    let mut sums = [0u64; 4];
    let mut skipped = 0u64;
    for path in &args.files {
        let name = name_of(path);
        let found = games(path, &name, &mut |problem| note(problem))?;
        for (place, game) in found.into_iter().enumerate() {
            if stop.is_set() {
                break;
            }
            let Some(problem) = Tsumego::read(game.game.tree) else {
                skipped += 1;
                continue;
            };
            if place < args.skip || args.count.is_some_and(|count| place >= args.skip + count) {
                continue;
            }
            let title = GameInfo::of(problem.tree()).name;
            let title = if title.is_empty() { format!("{name}, {}", place + 1) } else { harmless(&title) };
            let (held, told) = judge(&problem, &title, args, &stop);
            if stop.is_set() {
                break;
            }
            for ((kind, _), sum) in Held::ALL.iter().zip(&mut sums) {
                *sum += u64::from(*kind == held);
            }
            if args.json {
                output.json(&told)?;
            } else {
                output.line(line(&told))?;
            }
            output.flush()?;
        }
    }
    if skipped > 0 {
        note(&format!("{} left out: nothing in them says what is right", counted(skipped, "record")));
    }
    if !args.json {
        let sums: Vec<String> = Held::ALL.iter().zip(sums).map(|((_, name), sum)| format!("{name} {sum}")).collect();
        output.line(sums.join(", "))?;
    }
    Ok(())
}

fn judge(problem: &Tsumego, title: &str, args: &RefereeArgs, stop: &StopFlag) -> (Held, Value) {
    let board = problem.game().board();
    let size = board.size();
    let solver = problem.solver();
    let began = Instant::now();
    let limits = Limits { positions: args.positions, ..Limits::default() };
    let deadline = Duration::from_secs(args.seconds.into());
    let is_over = || stop.is_set() || began.elapsed() >= deadline;
    let Some(appraisal) = appraise(board, limits, &ByShape, &is_over) else {
        let told = json!({ "problem": title, "held": Held::NotProved.name(), "why": reason_name(Reason::Open) });
        return (Held::NotProved, told);
    };
    let mut positions = appraisal.verdict.attacker_first.positions + appraisal.verdict.defender_first.positions;
    let mut referee = Referee::with(board, &appraisal.group, limits, &ByShape, &is_over);
    let best = appraisal.fate(solver);
    let by_solver = |fate: Fate| {
        let rank = fate.rank()?;
        Some(if solver == appraisal.defender { u8::MAX - rank } else { rank })
    };
    let mut moves: Vec<(Move, bool, Fate)> = Vec::new();
    let right: Vec<Move> = problem.right_moves(problem.start()).collect();
    for &played in &right {
        let ruling = referee.rule(solver, &[played]);
        positions += ruling.positions;
        moves.push((played, true, ruling.fate));
    }
    let mut all = Vec::new();
    if args.moves {
        for (played, ruling) in referee.moves(solver) {
            positions += ruling.positions;
            if !right.contains(&played) {
                moves.push((played, false, ruling.fate));
            }
            let line: Vec<String> = ruling.line.iter().map(|played| played.to_gtp(size)).collect();
            all.push(json!({ "move": played.to_gtp(size), "fate": fate_name(ruling.fate), "line": line }));
        }
    }
    let held = held(&appraisal, best, &moves, &by_solver);
    let line: Vec<String> = {
        let ruling = if solver == appraisal.defender {
            &appraisal.verdict.defender_first
        } else {
            &appraisal.verdict.attacker_first
        };
        ruling.line.iter().map(|played| played.to_gtp(size)).collect()
    };
    let told = json!({
        "problem": title,
        "held": held.name(),
        "toPlay": color_name(solver),
        "group": { "color": color_name(appraisal.defender), "stones": appraisal.group.len(), "at": appraisal.group.first().map(|point| point.to_gtp(size)) },
        "attackerFirst": fate_name(appraisal.verdict.attacker_first.fate),
        "ownerFirst": fate_name(appraisal.verdict.defender_first.fate),
        "line": line,
        "file": told_moves(&moves, true, size),
        "others": told_moves(&moves, false, size),
        "moves": all,
        "regions": referee.regions(),
        "positions": positions,
        "ms": began.elapsed().as_millis() as u64,
    });
    (held, told)
}

fn held(
    appraisal: &Appraisal,
    best: Fate,
    moves: &[(Move, bool, Fate)],
    by_solver: &dyn Fn(Fate) -> Option<u8>,
) -> Held {
    let both = Color::ALL.map(|first| appraisal.fate(first));
    if !both.iter().all(|fate| fate.is_proved()) {
        return Held::NotProved;
    }
    if !appraisal.is_decided_by_first_move() {
        return Held::NoMatter;
    }
    // Two eyes, a seki and a life whose kind is not known are all life.
    let is_as_good = |fate: Fate| (fate.is_life() && best.is_life()) || by_solver(fate) >= by_solver(best);
    let right: Vec<Fate> = moves.iter().filter(|(_, is_right, _)| *is_right).map(|(_, _, fate)| *fate).collect();
    if right.iter().any(|fate| fate.is_proved() && !is_as_good(*fate)) {
        return Held::Differs;
    }
    if right.iter().all(|fate| fate.is_proved()) { Held::Agrees } else { Held::NotProved }
}

fn told_moves(moves: &[(Move, bool, Fate)], right: bool, size: BoardSize) -> Value {
    let told = moves.iter().filter(|(_, is_right, _)| *is_right == right);
    told.map(|(played, _, fate)| json!({ "move": played.to_gtp(size), "fate": fate_name(*fate) })).collect()
}

/// A problem in a line.
fn line(told: &Value) -> String {
    let text = |name: &str| told[name].as_str().unwrap_or("-").to_owned();
    let moves: Vec<&str> =
        told["file"].as_array().into_iter().flatten().filter_map(|one| one["move"].as_str()).collect();
    let first = told["line"][0].as_str().unwrap_or("-");
    format!(
        "{}: {} to play; if the attacker is first: {}, if the owner is first: {}; plays {first}, the file {}; {} ({} positions, {} ms)",
        text("problem"),
        text("toPlay"),
        text("attackerFirst"),
        text("ownerFirst"),
        moves.join(" "),
        text("held"),
        told["positions"].as_u64().unwrap_or_default(),
        told["ms"].as_u64().unwrap_or_default(),
    )
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn fate_name(fate: Fate) -> String {
    let role = |role| match role {
        Role::Attacker => "attacker",
        Role::Defender => "owner",
    };
    match fate {
        Fate::Dead => "dead".into(),
        Fate::Alive => "alive".into(),
        Fate::Seki => "seki".into(),
        Fate::Lives { whole: true } => "lives".into(),
        Fate::Lives { whole: false } => "lives in part".into(),
        Fate::Ko { first, threats } => {
            format!("ko, the {}'s unless the other has {} more", role(first), counted(threats, "threat"))
        }
        Fate::NotProved(reason) => format!("not proved: {}", reason_name(reason)),
    }
}

fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::NoGroup => "no group",
        Reason::JoinedEdges => "joined edges",
        Reason::Open => "open",
        Reason::Positions => "too many positions",
        Reason::Undecided => "undecided in its region",
        Reason::Stopped => "time",
    }
}
