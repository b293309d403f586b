//! `honinbo run`: one position of a record.

use crate::app;
use crate::args::RunArgs;
use crate::board::{Marks, draw};
use crate::failure::Failure;
use crate::interrupt::until_interrupted;
use crate::notes::note;
use crate::output::Output;
use crate::progress;
use crate::records::{MARKS, check_is_go, games, name_of, remark, remarks, replay_options, title};
use crate::style::wants_color;
use crate::words;
use honinbo_api::{ApiError, RunCandidate, RunLimits, RunProgress, RunReply, WireMove};
use honinbo_record::{Diagnostic, FoundGame, GameTree, Replay, replay_with};
use honinbo_rules::{Color, Move, Point};
use honinbo_server::{failure_line, success_line};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::time::Duration;

/// Candidates that are shown to a person.
const MAX_CANDIDATES: usize = 10;
/// Moves of a candidate's line that are shown.
const MAX_LINE_MOVES: usize = 8;

/// Analyses a position and prints what the engine thinks.
pub(crate) fn run(args: &RunArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let name = name_of(&args.file);
    let analysed = games(&args.file, &name, &mut |problem| note(problem))
        .and_then(|games| position(&games, &name, args))
        .and_then(|position| analyse(&position, data, args).map(|reply| (position, reply)));
    match analysed {
        Ok((_, reply)) if args.json => {
            output.line(success_line(&"run".into(), serde_json::to_value(reply).map_err(std::io::Error::other)?))?;
        }
        Ok((position, reply)) => {
            if let Some(why) = &reply.note {
                note(why);
            }
            print(&position, &reply, &name, output)?;
        }
        Err(error) => {
            if args.json {
                output.line(failure_line(&"run".into(), &error))?;
            }
            return Err(error.into());
        }
    }
    Ok(())
}

/// The position that was asked for.
struct Position {
    replay: Replay,
    /// Moves that led to it, as the record counts them.
    moves: usize,
    /// How the record goes on.
    next: Option<Move>,
    title: String,
}

/// The position of the first of a file's games.
fn position(games: &[FoundGame], name: &str, args: &RunArgs) -> Result<Position, ApiError> {
    let options = replay_options(args.rules.as_deref(), args.komi)?;
    let found = games.first().expect("a file without games is refused");
    if games.len() > 1 {
        note(&format!("{name} holds {} games; this is the first", games.len()));
    }
    check_is_go(found)?;
    let game = &found.game;
    let (node, moves) = node_after(&game.tree, args.after_move, name)?;
    let replay = replay_with(&game.tree, node, options);
    let problems: Vec<_> = replay.problems.iter().map(|(_, problem)| Diagnostic::file(problem.clone())).collect();
    remark(remarks(found, None).into_iter().chain(&problems), name);
    let title = title(&replay.info, MARKS);
    let size = replay.game.board().size();
    let next = game.tree.first_child(node).and_then(|next| game.tree.move_at(next, size)?.played.ok());
    Ok(Position { replay, moves, next, title })
}

/// The node of the main line after so many moves, or its last, and how many moves lead there.
pub(crate) fn node_after(
    tree: &GameTree,
    wanted: Option<u32>,
    name: &str,
) -> Result<(honinbo_record::NodeId, usize), ApiError> {
    let size = honinbo_record::GameInfo::of(tree).size;
    let mut reached = tree.root();
    let mut moves = 0;
    for node in tree.line_from(tree.root()) {
        let is_move = tree.move_at(node, size).is_some();
        if is_move && wanted.is_some_and(|wanted| moves == wanted as usize) {
            return Ok((reached, moves));
        }
        moves += usize::from(is_move);
        reached = node;
    }
    match wanted {
        Some(wanted) if wanted as usize > moves => {
            Err(ApiError::InvalidRequest { message: format!("{name} has {moves} moves, there is no move {wanted}") })
        }
        _ => Ok((reached, moves)),
    }
}

fn analyse(position: &Position, data: Option<PathBuf>, args: &RunArgs) -> Result<RunReply, ApiError> {
    let (app, events) = app::open(data);
    drop(events);
    app.override_precision(args.precision.get());
    app.override_inference(args.inference.get()?);
    app.override_engine(args.net.as_deref().map(as_path_if_file), args.device.clone(), None);
    let limits = RunLimits::new(args.visits, args.seconds, args.until_settled, app.settings().visits)?;
    let stop = until_interrupted();
    let bar = progress_bar();
    let show = |progress: RunProgress<'_>| show(&bar, &progress);
    let reply = app.run_game(position.replay.game.clone(), &limits, true, &stop, &show);
    bar.finish_and_clear();
    // Such as servers that do not answer, so that this machine computed.
    let told = app.engine_status().device_note;
    if reply.is_ok() && !told.is_empty() {
        note(&told);
    }
    app.shut_down();
    reply
}

/// A name that is a file here is that file; others are looked for among the networks at hand.
pub(crate) fn as_path_if_file(name: &str) -> String {
    match dunce::canonicalize(name) {
        Ok(path) if path.is_file() => path.to_string_lossy().into_owned(),
        _ => name.to_string(),
    }
}

fn progress_bar() -> ProgressBar {
    let bar = progress::bar(Some(1000), "{bar:30} {msg}");
    bar.set_message("reading the network");
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn show(bar: &ProgressBar, progress: &RunProgress<'_>) {
    let by_visits =
        if progress.wanted_visits == 0 { 0.0 } else { progress.visits as f64 / progress.wanted_visits as f64 };
    let by_time = progress.allowed.map_or(0.0, |allowed| progress.elapsed.as_secs_f64() / allowed.as_secs_f64());
    bar.set_position((by_visits.max(by_time).min(1.0) * 1000.0) as u64);
    let seconds = progress.elapsed.as_secs_f64();
    let speed = progress.visits as f64 / seconds.max(0.05);
    bar.set_message(format!("{} visits, {seconds:.1} s, {speed:.0} a second", progress.visits));
}

fn print(position: &Position, reply: &RunReply, name: &str, output: &mut Output) -> Result<(), Failure> {
    let game = &position.replay.game;
    let size = game.board().size();
    let gtp = |mv: &WireMove| as_move(mv).map_or_else(|| "?".into(), |mv| mv.to_gtp(size));
    let candidates: Vec<Point> =
        reply.candidates.iter().take(9).filter_map(|candidate| as_move(&candidate.candidate)?.point()).collect();
    let last = game.turns().last().and_then(|turn| turn.played.point());
    let color = wants_color(output.is_terminal);

    output.line(if position.title.is_empty() { name } else { &position.title })?;
    let mover = game.to_play();
    output.line(format!(
        "After move {}, {} to play; {} rules, komi {}{}",
        position.moves,
        side(mover),
        words::rules_of(game),
        game.komi(),
        words::edges_suffix(game.board())
    ))?;
    output.line("")?;
    for line in draw(game.board(), &Marks { last, candidates }, color) {
        output.line(line)?;
    }
    output.line("")?;
    output.line("     move   visits     win    score   prior  line")?;
    for (order, candidate) in reply.candidates.iter().take(MAX_CANDIDATES).enumerate() {
        let line: Vec<String> = candidate.pv.iter().take(MAX_LINE_MOVES).map(&gtp).collect();
        output.line(format!(
            "{:>3}  {:<5} {:>7} {:>6.1}% {:>+8.1} {:>6.1}%  {}",
            order + 1,
            gtp(&candidate.candidate),
            candidate.visits,
            candidate.winrate.get() * 100.0,
            candidate.score_lead.get(),
            candidate.prior.get() * 100.0,
            line.join(" ")
        ))?;
    }
    let (black_win, black_lead) = match mover {
        Color::Black => (reply.winrate.get(), reply.score_lead.get()),
        Color::White => (1.0 - reply.winrate.get(), -reply.score_lead.get()),
    };
    let leader = if black_lead >= 0.0 { "B" } else { "W" };
    output.line("")?;
    for sentence in sentences(position, reply, (black_win, black_lead)) {
        output.line(sentence)?;
    }
    output.line(format!(
        "Graph: Black wins {:.1}%, {leader}+{:.1}; {} visits by {} on {}",
        black_win * 100.0,
        black_lead.abs(),
        reply.visits,
        reply.network,
        reply.device
    ))?;
    Ok(())
}

/// What was found, in plain words: how the game stands, what to play, and what the record plays.
fn sentences(position: &Position, reply: &RunReply, (black_win, black_lead): (f64, f64)) -> Vec<String> {
    let size = position.replay.game.board().size();
    let name = |mv: Move| if mv == Move::Pass { "a pass".to_owned() } else { mv.to_gtp(size) };
    let mut said = vec![words::standing(black_lead, black_win)];
    let Some(best) = reply.candidates.first() else { return said };
    let Some(best_move) = as_move(&best.candidate) else { return said };
    let worse = |candidate: &RunCandidate| best.score_lead.get() - candidate.score_lead.get();
    // Moves with few visits have hardly been looked at.
    let tried = |candidate: &&RunCandidate| candidate.visits * 10 >= best.visits && worse(candidate) <= words::CLOSE;
    let close: Vec<String> = reply
        .candidates
        .iter()
        .skip(1)
        .filter(tried)
        .take(3)
        .filter_map(|c| Some(name(as_move(&c.candidate)?)))
        .collect();
    said.push(match close.as_slice() {
        [] => format!("The best move is {}.", name(best_move)),
        others => format!("The best move is {}; as good within half a point: {}.", name(best_move), others.join(", ")),
    });
    if let Some(next) = position.next {
        let found = reply.candidates.iter().find(|candidate| as_move(&candidate.candidate) == Some(next));
        said.push(match found {
            _ if next == best_move => format!("The record plays it: {}.", name(next)),
            Some(found) if worse(found) >= words::CLOSE => {
                format!("The record plays {}, which loses about {}.", name(next), words::points(worse(found)))
            }
            Some(_) => format!("The record plays {}, which is as good.", name(next)),
            None => format!("The record plays {}, which the search did not look at.", name(next)),
        });
    }
    said
}

fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "Black (X)",
        Color::White => "White (O)",
    }
}

pub(crate) fn as_move(mv: &WireMove) -> Option<Move> {
    match *mv {
        WireMove::Pass { .. } => Some(Move::Pass),
        WireMove::Place { x, y } => {
            Some(Move::Place(Point::new(usize::from(x).checked_sub(1)?, usize::from(y).checked_sub(1)?)))
        }
    }
}
