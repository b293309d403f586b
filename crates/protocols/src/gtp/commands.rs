//! Every command, and what it answers.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use honinbo_evaluator::Evaluator;
use honinbo_rules::{BoardSize, Color, Komi, Move, Ruleset, Topology};
use honinbo_search::bench::bench;
use honinbo_search::{ReportOptions, Search, SearchLimits, StopReason};
use serde_json::Value;

use super::Reply;
use super::analyze::{AnalyzeRequest, Dialect};
use super::clock::KINDS;
use super::engine::{GtpEngine, described, stopwatch};
use super::genmove::Manner;
use super::line::Command;
use super::server::Inbox;
use crate::model::ModelInfo;

/// Commands in the order in which they are listed.
///
/// `analyze` and `genmove_analyze` are answered and not listed, as KataGo's: Sabaki takes the first analysis that it
/// finds, and reads what does not begin with `kata` as whole ten-thousandths.
const COMMANDS: [&str; 80] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "rectangular_boardsize",
    "honinbo-topology",
    "clear_board",
    "set_position",
    "komi",
    "get_komi",
    "play",
    "undo",
    "genmove",
    "reg_genmove",
    "kata-search",
    "kata-search_cancellable",
    "genmove_debug",
    "kata-search_debug",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "kata-search_analyze",
    "kata-search_analyze_cancellable",
    "lz-analyze",
    "kata-analyze",
    "kata-raw-nn",
    "kata-raw-human-nn",
    "kata-get-rules",
    "kata-set-rules",
    "kata-set-rule",
    "kgs-rules",
    "kata-get-models",
    "kata-get-param",
    "kata-set-param",
    "kata-list-params",
    "kata-get-params",
    "kata-set-params",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "time_settings",
    "kgs-time_settings",
    "kata-time_settings",
    "kata-list_time_settings",
    "kata-debug-print-tc",
    "time_left",
    "final_score",
    "final_status_list",
    "loadsgf",
    "printsgf",
    "showboard",
    "list_stones",
    "is_legal",
    "all_legal",
    "color",
    "captures",
    "countlib",
    "query_boardsize",
    "move_history",
    "get_handicap",
    "kgs-genmove_cleanup",
    "kgs-game_over",
    "clear_cache",
    "cputime",
    "gomill-cpu_time",
    "kata-benchmark",
    "benchmark",
    "debug_moves",
    "stop",
    "stop-ponder",
    "heatmap",
    "lz-setoption",
    "echo",
    "gogui-interrupt",
    "gogui-setup",
    "gogui-setup_player",
    "gogui-play_sequence",
    "gg-undo",
];

impl GtpEngine {
    /// Handles one command. False after `quit`.
    pub(crate) fn handle(
        &mut self,
        command: &Command,
        id: &str,
        inbox: &Inbox,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        if let Some(streaming) = Streaming::of(&command.name) {
            self.stream(streaming, command, id, inbox, out)?;
            return Ok(true);
        }
        match self.reply(command, inbox, out) {
            Ok(text) => write_reply(out, '=', id, &text)?,
            Err(text) => write_reply(out, '?', id, &text)?,
        }
        Ok(command.name != "quit")
    }

    fn reply(&mut self, command: &Command, inbox: &Inbox, out: &mut dyn Write) -> Reply {
        let arguments = &command.arguments;
        let done = Ok(String::new());
        match command.name.as_str() {
            "protocol_version" => Ok("2".into()),
            "name" => Ok(self.options.name.clone()),
            "version" => Ok(self.options.version.clone()),
            "known_command" => Ok(is_known(single(arguments, "a command")?).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" | "stop" | "stop-ponder" | "gogui-interrupt" | "kgs-game_over" => done,
            "echo" => Ok(command.rest.clone()),
            "boardsize" | "rectangular_boardsize" => {
                let size = board_size(arguments)?;
                self.results.clear();
                self.table.resize(size)
            }
            "honinbo-topology" => {
                if arguments.is_empty() {
                    return Ok(self.table.topology().to_string());
                }
                let name = single(arguments, "plane, cylinder or torus")?;
                let topology = Topology::parse(name).ok_or("expected plane, cylinder or torus")?;
                self.results.clear();
                self.table.join_edges(topology)
            }
            "clear_board" => {
                self.results.clear();
                // Asked for anew, an empty board is looked at anew, too, as KataGo does.
                self.search.clear().map_err(|error| error.to_string())?;
                self.table.clear()
            }
            "set_position" => {
                self.results.clear();
                self.table.set_position(arguments)
            }
            "gogui-setup" => {
                self.results.clear();
                self.table.set_up(arguments)
            }
            "gogui-setup_player" => {
                let color = color_of(single(arguments, "a color")?)?;
                self.results.clear();
                self.table.set_first_player(color)
            }
            "komi" => {
                let text = single(arguments, "a komi")?;
                let points: f64 = text.parse().map_err(|_| format!("could not parse komi '{text}'"))?;
                let komi = Komi::from_points(points).map_err(|error| error.to_string())?;
                self.table.set_rules(*self.table.game().ruleset(), komi);
                self.force_komi();
                done
            }
            "get_komi" => Ok(self.table.game().komi().to_string()),
            "query_boardsize" => Ok(self.table.size().width().to_string()),
            "play" => {
                let (color, mv) = self.colored_move(arguments)?;
                self.table.play(color, mv)
            }
            "gogui-play_sequence" => {
                let moves = arguments.chunks(2).map(|pair| self.colored_move(pair));
                let moves = moves.collect::<Result<Vec<(Color, Move)>, String>>()?;
                self.table.play_sequence(&moves)
            }
            "undo" => self.table.undo(),
            "gg-undo" => {
                let moves = if arguments.is_empty() { "1" } else { single(arguments, "a number of moves")? };
                let wrong = |_| format!("could not parse number of moves '{moves}'");
                self.table.undo_moves(moves.parse::<usize>().map_err(wrong)?)
            }
            "genmove" => self.generate(arguments, inbox, out, true, Manner::default()),
            "kgs-genmove_cleanup" => {
                self.generate(arguments, inbox, out, true, Manner { cleans_up: true, ..Manner::default() })
            }
            // The regression tests of GoGui and GNU Go ask for a move that is not played.
            "kata-search" | "reg_genmove" => self.generate(arguments, inbox, out, false, Manner::default()),
            "genmove_debug" | "kata-search_debug" => {
                let plays = command.name == "genmove_debug";
                let answer = self.generate(arguments, inbox, out, plays, Manner::default())?;
                self.searched_moves()?.lines().for_each(self.options.log);
                Ok(answer)
            }
            "debug_moves" if arguments.is_empty() => self.searched_moves(),
            "debug_moves" => Err("only the moves of the position that was searched are shown".into()),
            "kata-debug-print-tc" => {
                let [black, white] = [Color::Black, Color::White].map(|color| match self.clocks.of(color) {
                    Some(clock) => format!("{clock:?}"),
                    None => "no limit of time".into(),
                });
                Ok(format!("Black {black}\nWhite {white}"))
            }
            "kata-search_cancellable" => {
                self.generate(arguments, inbox, out, false, Manner { cancellable: true, ..Manner::default() })
            }
            "kata-raw-nn" => self.raw_network(arguments),
            "kata-raw-human-nn" => self.raw_human_network(arguments),
            "kata-get-rules" => Ok(self.table.game().ruleset().to_json().to_string()),
            "kata-set-rules" => self.set_rules(&command.rest),
            "kgs-rules" => {
                let name = command.rest.to_lowercase();
                self.set_rules(if name == "chinese" { "chinese-kgs" } else { &name })
            }
            "kata-set-rule" => self.set_rule(arguments),
            "kata-get-models" => Ok(self.models().to_string()),
            "kata-get-param" => self.get_parameter(single(arguments, "a parameter")?),
            "kata-set-param" => {
                let [name, value] = &arguments[..] else { return Err("expected parameter and value".into()) };
                self.set_parameter(name, value)
            }
            "kata-list-params" => Ok(self.parameter_names()),
            "kata-get-params" => Ok(self.all_parameters().to_string()),
            "kata-set-params" => self.set_parameters(&command.rest),
            "fixed_handicap" | "place_free_handicap" => {
                let wanted = "a number of stones, at least 2";
                let stones = single(arguments, wanted)?.parse::<usize>().ok().filter(|stones| *stones >= 2);
                let stones = stones.ok_or_else(|| format!("expected {wanted}"))?;
                self.table.place_handicap(stones, command.name == "place_free_handicap")
            }
            "set_free_handicap" => self.table.set_free_handicap(arguments),
            "get_handicap" => Ok(self.table.game().handicap_stones().to_string()),
            "time_settings" => self.clocks.set_standard(arguments),
            "kgs-time_settings" | "kata-time_settings" => self.clocks.set_kind(arguments),
            "kata-list_time_settings" => Ok(KINDS.into()),
            "time_left" => self.clocks.set_left(arguments),
            "final_score" => self.final_score(),
            "final_status_list" => self.final_status_list(single(arguments, "alive, seki or dead")?),
            "loadsgf" => self.load_sgf(arguments),
            "printsgf" => self.print_sgf(arguments),
            "showboard" => Ok(self.table.drawn()),
            "list_stones" => {
                let color = color_of(single(arguments, "a color")?)?;
                let size = self.table.size();
                let stones = self.table.game().board().stones().filter(|(_, owner)| *owner == color);
                Ok(stones.map(|(point, _)| point.to_gtp(size)).collect::<Vec<_>>().join(" "))
            }
            "is_legal" => {
                let [color, vertex] = &arguments[..] else { return Err("expected color and vertex".into()) };
                let mv = self.move_of(vertex)?;
                let game = self.table.game_for(color_of(color)?)?;
                let legal = mv.point().is_none_or(|point| game.is_legal_point(point));
                Ok(u8::from(legal).to_string())
            }
            "all_legal" => {
                let color = color_of(single(arguments, "a color")?)?;
                let size = self.table.size();
                let game = self.table.game_for(color)?;
                Ok(game.legal_points().map(|point| point.to_gtp(size)).collect::<Vec<_>>().join(" "))
            }
            "color" | "countlib" => {
                let vertex = single(arguments, "a vertex")?;
                let point = self.move_of(vertex)?.point().ok_or("expected a point")?;
                let chain = self.table.game().board().chain_at(point);
                match (command.name.as_str(), chain) {
                    ("color", None) => Ok("empty".into()),
                    ("color", Some(chain)) => Ok(chain.color().to_string()),
                    (_, None) => Err("vertex must not be empty".into()),
                    (_, Some(chain)) => Ok(chain.liberties().len().to_string()),
                }
            }
            "captures" => {
                let color = color_of(single(arguments, "a color")?)?;
                Ok(self.table.game().board().captured_by(color).to_string())
            }
            "move_history" => {
                let size = self.table.size();
                let turns = self.table.game().turns().iter().rev();
                Ok(turns
                    .map(|turn| format!("{} {}", turn.color, turn.played.to_gtp(size)))
                    .collect::<Vec<_>>()
                    .join("\n"))
            }
            "clear_cache" => {
                self.search.clear().map_err(|error| error.to_string())?;
                (self.options.clear_cache)();
                done
            }
            "cputime" | "gomill-cpu_time" => Ok(format!("{:.3}", self.thinking.as_secs_f64())),
            "kata-benchmark" | "benchmark" => self.benchmark(arguments),
            "heatmap" => self.heatmap(arguments),
            "lz-setoption" => self.set_leela_option(arguments),
            _ => Err("unknown command".into()),
        }
    }

    /// The networks in use.
    fn models(&self) -> Value {
        let own = ModelInfo {
            name: self.options.network.clone(),
            internal_name: self.options.network.clone(),
            version: self.options.model_version,
            uses_profile: self.options.uses_profile,
        };
        let human = self.options.human.iter().map(|(model, evaluator)| model.described(evaluator.as_ref()));
        std::iter::once(own.described(self.evaluator.as_ref())).chain(human).collect()
    }

    /// `genmove` and `kata-search`, and `kgs-genmove_cleanup`.
    fn generate(
        &mut self,
        arguments: &[String],
        inbox: &Inbox,
        out: &mut dyn Write,
        plays: bool,
        manner: Manner,
    ) -> Reply {
        let color = color_of(single(arguments, "a color")?)?;
        let Some(mv) = self.find_move(color, None, inbox, manner, out)? else {
            return Ok("cancelled".into());
        };
        if plays {
            self.table.play(color, mv)?;
            self.ponder_after(mv);
        }
        Ok(mv.to_gtp(self.table.size()))
    }

    /// Commands that write lines while they run.
    fn stream(
        &mut self,
        streaming: Streaming,
        command: &Command,
        id: &str,
        inbox: &Inbox,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (to_play, size) = (self.table.game().to_play(), self.table.size());
        let request = match AnalyzeRequest::parse(streaming.dialect, &command.arguments, to_play, size, &self.options) {
            Ok(request) => request,
            Err(problem) => return write_reply(out, '?', id, &problem),
        };
        writeln!(out, "={id}")?;
        out.flush()?;
        let color = request.color;
        match streaming.kind {
            Kind::Analyze => {
                let line_of =
                    |search: &Search| search.report(&request.options()).and_then(|report| request.line(&report, size));
                // A controller that is gone is noticed at the end of its input.
                let mut write = |line: &str| drop(writeln!(out, "{line}").and_then(|()| out.flush()));
                let report = |search: &Search| line_of(search).iter().for_each(|line| write(line));
                let thought = self.aim(color, self.analysis_params.clone(), request.lists.clone()).and_then(|()| {
                    self.think_with(request.focus.clone(), &self.limits(), inbox, request.interval, true, report)
                });
                // What a search that ended by itself found is told as often as that of one that goes on.
                let ended = matches!(&thought, Ok((outcome, _)) if outcome.reason != StopReason::Stopped);
                let found = request.interval.filter(|_| ended).zip(line_of(&self.search));
                match (&thought, &found) {
                    (Err(problem), _) => write(&format!("error {problem}")),
                    (Ok(_), Some((_, line))) => write(line),
                    (Ok(_), None) => {}
                }
                let mut told = Instant::now();
                // The command lasts until the next line, even where memory or the network ended the search before.
                while !inbox.has_line() && !self.interrupt.is_set() {
                    std::thread::sleep(Duration::from_millis(10));
                    if let Some((interval, line)) = &found
                        && told.elapsed() >= *interval
                    {
                        write(line);
                        told = Instant::now();
                    }
                }
            }
            Kind::Move { plays, cancellable } => {
                let manner = Manner { cancellable, ..Manner::default() };
                match self.find_move(color, Some(&request), inbox, manner, out) {
                    Ok(Some(mv)) => {
                        writeln!(out, "play {}", mv.to_gtp(size))?;
                        if plays {
                            // The search's own moves are legal.
                            let _ = self.table.play(color, mv);
                            self.ponder_after(mv);
                        }
                    }
                    Ok(None) => writeln!(out, "play cancelled")?,
                    Err(problem) => writeln!(out, "error {problem}")?,
                }
            }
        }
        writeln!(out)
    }

    pub(crate) fn set_rules(&mut self, text: &str) -> Reply {
        let parsed = Ruleset::parse(text).map_err(|error| format!("{error}; {}", error.hint()))?;
        let komi = if parsed.komi_given { parsed.komi } else { self.table.game().komi() };
        self.table.set_rules(parsed.ruleset, komi);
        self.force_komi();
        Ok(String::new())
    }

    /// Gives the game the komi that was forced, if one was.
    pub(crate) fn force_komi(&mut self) {
        if let Some(komi) = self.options.forced_komi {
            self.table.set_rules(*self.table.game().ruleset(), komi);
        }
    }

    pub(crate) fn set_rule(&mut self, arguments: &[String]) -> Reply {
        let [name, value] = arguments else { return Err("expected rule and value".into()) };
        let mut rules = self.table.game().ruleset().to_json();
        let Some(field) = rules.get_mut(name.as_str()) else { return Err(format!("unknown rule '{name}'")) };
        *field = match value.to_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::String(value.to_uppercase()),
        };
        let parsed = Ruleset::from_json(&rules).map_err(|error| format!("{error}; {}", error.hint()))?;
        self.table.set_rules(parsed.ruleset, self.table.game().komi());
        Ok(String::new())
    }

    fn set_parameters(&mut self, text: &str) -> Reply {
        let Ok(Value::Object(values)) = serde_json::from_str::<Value>(text) else {
            return Err("expected a JSON object".into());
        };
        for (name, value) in values {
            let value = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
            self.set_parameter(&name, &value)?;
        }
        Ok(String::new())
    }

    fn load_sgf(&mut self, arguments: &[String]) -> Reply {
        let (path, number) = match arguments {
            [path] => (path, None),
            [path, number] => {
                let wrong = || format!("could not parse move number '{number}'");
                (path, Some(number.parse::<usize>().map_err(|_| wrong())?))
            }
            _ => return Err("expected a file and perhaps a move number".into()),
        };
        let bytes = (self.options.read_file)(Path::new(path)).map_err(|error| format!("cannot load file: {error}"))?;
        let to_play = self.table.load_sgf(&bytes, number)?;
        self.results.clear();
        self.force_komi();
        Ok(to_play)
    }

    fn print_sgf(&self, arguments: &[String]) -> Reply {
        let path = if arguments.is_empty() { "-" } else { single(arguments, "a file or none")? };
        let text = self.table.to_sgf();
        match path {
            "-" => Ok(text),
            path => {
                (self.options.write_file)(Path::new(path), &text)
                    .map_err(|error| format!("cannot write file: {error}"))?;
                Ok(String::new())
            }
        }
    }

    fn benchmark(&self, arguments: &[String]) -> Reply {
        let visits = match arguments {
            [] => 100,
            [text] => text.parse().map_err(|_| format!("could not parse number of visits '{text}'"))?,
            _ => return Err("expected a number of visits".into()),
        };
        let evaluator: Arc<dyn Evaluator> = Arc::clone(&self.evaluator);
        let limits = SearchLimits { max_visits: visits, ..self.limits() };
        let report = bench(&evaluator, &limits, &stopwatch(), &self.interrupt).map_err(|error| described(&error))?;
        Ok(format!(
            "{} visits of {} positions in {:.2} s: {:.1} visits/s, {:.1} evaluations/s, {} threads",
            report.visits,
            report.positions,
            report.seconds,
            report.visits_per_second,
            report.evaluations_per_second,
            self.options.threads
        ))
    }

    /// What the last search found of each move, one a line, the best first.
    fn searched_moves(&self) -> Reply {
        let (perspective, pv_len) = (self.options.perspective, self.options.pv_len);
        let options = ReportOptions { perspective, pv_len, ..ReportOptions::default() };
        let report = self.search.report(&options).ok_or("nothing was searched yet")?;
        let size = self.table.size();
        let lines = report.candidates.iter().map(|candidate| {
            let pv: Vec<String> = candidate.pv.iter().map(|mv| mv.to_gtp(size)).collect();
            format!(
                "{} visits {} winrate {:.2}% scoreLead {:.1} prior {:.2}% lcb {:.2}% pv {}",
                candidate.mv.to_gtp(size),
                candidate.visits,
                100.0 * candidate.win_rate,
                candidate.score_lead,
                100.0 * candidate.prior,
                100.0 * candidate.lcb,
                pv.join(" ")
            )
        });
        Ok(lines.collect::<Vec<_>>().join("\n"))
    }

    fn colored_move(&self, arguments: &[String]) -> Result<(Color, Move), String> {
        let [color, vertex] = arguments else { return Err("expected color and vertex".into()) };
        Ok((color_of(color)?, self.move_of(vertex)?))
    }

    fn move_of(&self, vertex: &str) -> Result<Move, String> {
        Move::from_gtp(vertex, self.table.size()).ok_or_else(|| format!("could not parse vertex '{vertex}'"))
    }
}

fn is_known(name: &str) -> bool {
    COMMANDS.contains(&name)
}

/// The argument of a command that has one; with more of them something else may be meant, as by a path with a blank.
fn single<'a>(arguments: &'a [String], expected: &str) -> Result<&'a str, String> {
    let [argument] = arguments else { return Err(format!("expected {expected}")) };
    Ok(argument)
}

fn color_of(text: &str) -> Result<Color, String> {
    Color::parse(text).ok_or_else(|| format!("could not parse color '{text}'"))
}

/// `19`, `13 9` or `13:9`.
fn board_size(arguments: &[String]) -> Result<BoardSize, String> {
    let text = arguments.join(":");
    let sides: Vec<usize> = text.split(':').filter_map(|side| side.parse().ok()).collect();
    let size = match sides[..] {
        [side] if !text.contains(':') => BoardSize::square(side),
        [width, height] => BoardSize::new(width, height),
        _ => return Err(format!("could not parse board size '{}'", arguments.join(" "))),
    };
    // The words that the protocol prescribes.
    size.map_err(|_| "unacceptable size".into())
}

/// A reply ends with an empty line, so it may not hold one.
fn write_reply(out: &mut dyn Write, status: char, id: &str, text: &str) -> io::Result<()> {
    let mut text = text.trim_end().replace('\r', "");
    while text.contains("\n\n") {
        text = text.replace("\n\n", "\n");
    }
    let blank = if text.is_empty() { "" } else { " " };
    write!(out, "{status}{id}{blank}{text}\n\n")
}

/// A command that answers with lines over time.
#[derive(Debug, Clone, Copy)]
struct Streaming {
    dialect: Dialect,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Until the next line.
    Analyze,
    /// Until a move is found.
    Move { plays: bool, cancellable: bool },
}

impl Streaming {
    fn of(name: &str) -> Option<Self> {
        let moves = |plays, cancellable| Kind::Move { plays, cancellable };
        let (dialect, kind) = match name {
            "lz-analyze" => (Dialect::LeelaZero, Kind::Analyze),
            "kata-analyze" => (Dialect::KataGo, Kind::Analyze),
            "analyze" => (Dialect::Sabaki, Kind::Analyze),
            "lz-genmove_analyze" => (Dialect::LeelaZero, moves(true, false)),
            "kata-genmove_analyze" => (Dialect::KataGo, moves(true, false)),
            "genmove_analyze" => (Dialect::Sabaki, moves(true, false)),
            "kata-search_analyze" => (Dialect::KataGo, moves(false, false)),
            "kata-search_analyze_cancellable" => (Dialect::KataGo, moves(false, true)),
            _ => return None,
        };
        Some(Self { dialect, kind })
    }
}
