//! Recorded output of `kata-raw-nn`, with the GTP commands that led to it.

use std::path::Path;

use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Ruleset, Setup, Symmetry, Topology};

use super::CheckError;
use super::recorded::{Expected, Recorded};
use honinbo_evaluator::EvalParams;
use honinbo_evaluator::PlayerProfile;

/// The profile that networks with a metadata encoder were asked with.
const PROFILE: &str = "rank_5k";

/// Pairs the commands of the recording's folder with the answers.
pub(super) fn read(path: &Path, name: &str) -> Result<Vec<Recorded>, CheckError> {
    let is_meta = name.ends_with("-meta");
    let commands = if is_meta { "commands-meta.gtp" } else { "commands.gtp" };
    let commands_path = path.with_file_name(commands);
    let text = |path: &Path| {
        std::fs::read_to_string(path).map_err(|source| CheckError::Folder { path: path.to_path_buf(), source })
    };
    let answers = text(path)?;
    let mut answers = Answers { lines: answers.lines().enumerate() };
    let mut table = Table::new();
    let mut positions = Vec::new();
    for (index, command) in text(&commands_path)?.lines().enumerate() {
        let failed = |reason: String| CheckError::Recording { path: commands_path.clone(), line: index + 1, reason };
        if let Some(mut params) = table.command(command).map_err(failed)? {
            params.profile = if is_meta { PROFILE.parse::<PlayerProfile>().ok() } else { None };
            let place = format!("{name}: {command} (command {})", index + 1);
            let area = table.size.area();
            let expected = answers.next(area).map_err(|(line, reason)| CheckError::Recording {
                path: path.to_path_buf(),
                line,
                reason,
            })?;
            let game = table.game().map_err(failed)?;
            positions.push(Recorded { place, game, params, expected });
        }
    }
    Ok(positions)
}

/// What a GTP engine remembers between commands.
struct Table {
    size: BoardSize,
    ruleset: Ruleset,
    komi: Komi,
    moves: Vec<(Color, Move)>,
}

impl Table {
    fn new() -> Self {
        let size = BoardSize::square(19).expect("19 is a size");
        Self { size, ruleset: Ruleset::TROMP_TAYLOR, komi: Komi::from_half_points(15), moves: Vec::new() }
    }

    /// Carries a command out; a question is returned.
    fn command(&mut self, text: &str) -> Result<Option<EvalParams>, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let number = |word: &str| word.parse::<f64>().map_err(|_| format!("{word:?} is no number"));
        match words.as_slice() {
            ["kata-set-rules", name] => {
                self.ruleset = Ruleset::parse(name).map_err(|error| error.to_string())?.ruleset;
            }
            ["komi", komi] => self.komi = Komi::from_points(number(komi)?).map_err(|error| error.to_string())?,
            ["boardsize", size] => {
                let side = size.parse().map_err(|_| format!("{size:?} is no size"))?;
                self.size = BoardSize::square(side).map_err(|error| error.to_string())?;
                self.moves.clear();
            }
            ["clear_board"] => self.moves.clear(),
            ["play", color, vertex] => {
                let color = if color.eq_ignore_ascii_case("b") { Color::Black } else { Color::White };
                let played = Move::from_gtp(vertex, self.size).ok_or_else(|| format!("{vertex:?} is no move"))?;
                self.moves.push((color, played));
            }
            ["kata-raw-nn", symmetry, optimism] => {
                let symmetry = symmetry.parse().ok().and_then(Symmetry::new).ok_or("no such symmetry")?;
                let policy_optimism = number(optimism)? as f32;
                let params = EvalParams { symmetry, policy_optimism, include_ownership: true, ..EvalParams::default() };
                return Ok(Some(params));
            }
            ["quit"] | [] => {}
            _ => return Err(format!("unknown command {text:?}")),
        }
        Ok(None)
    }

    fn game(&self) -> Result<Game, String> {
        let setup = Setup::new(self.size, Topology::Plane, self.ruleset, self.komi);
        let mut game = Game::new(setup).map_err(|error| error.to_string())?;
        for &(color, played) in &self.moves {
            game.play_tolerant(color, played).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }
}

/// Walks through the answers.
struct Answers<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
}

impl Answers<'_> {
    /// The next answer to a question, of a board of `area` points.
    fn next(&mut self, area: usize) -> Result<Expected, (usize, String)> {
        let mut expected = Expected::default();
        // What plane the bare numbers belong to.
        let mut in_ownership = false;
        let mut started = false;
        for (index, line) in self.lines.by_ref() {
            let failed = |reason: &str| (index + 1, reason.to_string());
            let number = |word: &str| word.parse::<f64>().map_err(|_| failed("a number was expected"));
            let mut words = line.split_ascii_whitespace();
            let Some(first) = words.next() else { continue };
            let target = match first {
                "=" => {
                    started |= line.starts_with("= symmetry");
                    continue;
                }
                _ if !started => continue,
                "policy" => continue,
                "whiteOwnership" => {
                    in_ownership = true;
                    continue;
                }
                "whiteWin" => &mut expected.white_win,
                "whiteLoss" => &mut expected.white_loss,
                "noResult" => &mut expected.no_result,
                "whiteLead" => &mut expected.white_lead,
                "whiteScoreSelfplay" => &mut expected.white_score_mean,
                "whiteScoreSelfplaySq" => &mut expected.white_score_mean_sq,
                "varTimeLeft" => &mut expected.var_time_left,
                "shorttermWinlossError" => &mut expected.shortterm_winloss_error,
                "shorttermScoreError" => &mut expected.shortterm_score_error,
                "policyPass" => &mut expected.pass,
                _ => {
                    for word in std::iter::once(first).chain(words) {
                        let value = if word == "NAN" { None } else { Some(number(word)?) };
                        if in_ownership {
                            expected.white_ownership.push(value.unwrap_or(0.0));
                        } else {
                            expected.policy.push(value);
                        }
                    }
                    if expected.white_ownership.len() == area {
                        return Ok(expected);
                    }
                    continue;
                }
            };
            *target = number(words.next().unwrap_or_default())?;
        }
        Err((0, "an answer is missing or cut short".into()))
    }
}
