//! `honinbo referee`: what the groups of problems are, by proof, beside what their files hold to be right.

use crate::args::RefereeArgs;
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::notes::note;
use crate::output::Output;
use crate::records::{games, harmless, name_of};
use crate::words::counted;
use honinbo_evaluator::StopFlag;
use honinbo_record::{GameInfo, Tsumego};
use honinbo_referee::{ByShape, Fate, Held, Limits, Reason, Referee, Role, appraise_answers};
use honinbo_rules::{BoardSize, Color, Move};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How a file's answers stand against what was proved, with the word for it.
const ALL_HELD: [(Held, &str); 4] = [
    (Held::Agrees, "agrees"),
    (Held::Differs, "differs"),
    (Held::NoMatter, "no matter"),
    (Held::NotProved, "not proved"),
];

fn held_name(held: Held) -> &'static str {
    ALL_HELD.iter().find(|(one, _)| *one == held).map_or("", |(_, name)| name)
}

/// Judges every problem of every file.
pub(crate) fn referee(args: &RefereeArgs, output: &mut Output) -> Result<(), Failure> {
    let stop = until_interrupted();
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
            for ((kind, _), sum) in ALL_HELD.iter().zip(&mut sums) {
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
        note(&format!("{} left out: nothing there says what is right", counted(skipped, "record")));
    }
    if !args.json {
        let sums: Vec<String> = ALL_HELD.iter().zip(sums).map(|((_, name), sum)| format!("{name} {sum}")).collect();
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
    let right: Vec<Move> = problem.right_moves(problem.start()).collect();
    let Some(answered) = appraise_answers(board, solver, &right, limits, &ByShape, &is_over) else {
        let told = json!({ "problem": title, "held": held_name(Held::NotProved), "why": reason_name(Reason::Open) });
        return (Held::NotProved, told);
    };
    let (held, appraisal) = (answered.held, answered.appraisal);
    let mut positions = appraisal.verdict.attacker_first.positions + appraisal.verdict.defender_first.positions;
    positions += answered.right.iter().map(|ruling| ruling.positions).sum::<u64>();
    let mut moves: Vec<(Move, bool, Fate)> =
        right.iter().zip(&answered.right).map(|(&played, ruling)| (played, true, ruling.fate)).collect();
    let mut referee = Referee::with(board, &appraisal.group, limits, &ByShape, &is_over);
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
        "held": held_name(held),
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
