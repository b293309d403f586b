//! Recorded positions, one JSON object a line.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use honinbo_rules::{BoardSize, Color, Game, Komi, Move, Ruleset, Setup, Symmetry, Topology};
use serde::Deserialize;

use super::CheckError;
use honinbo_evaluator::EvalParams;

/// A position with what was asked about it and what KataGo answered.
pub(super) struct Recorded {
    /// Where it stands, for messages.
    pub(super) place: String,
    pub(super) game: Game,
    pub(super) params: EvalParams,
    pub(super) expected: Expected,
}

/// KataGo's answer, as it prints it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub(super) struct Expected {
    #[serde(rename = "whiteWin")]
    pub(super) white_win: f64,
    #[serde(rename = "whiteLoss")]
    pub(super) white_loss: f64,
    #[serde(rename = "noResult")]
    pub(super) no_result: f64,
    #[serde(rename = "whiteLead")]
    pub(super) white_lead: f64,
    #[serde(rename = "whiteScoreSelfplay")]
    pub(super) white_score_mean: f64,
    #[serde(rename = "whiteScoreSelfplaySq")]
    pub(super) white_score_mean_sq: f64,
    #[serde(rename = "varTimeLeft")]
    pub(super) var_time_left: f64,
    #[serde(rename = "shorttermWinlossError")]
    pub(super) shortterm_winloss_error: f64,
    #[serde(rename = "shorttermScoreError")]
    pub(super) shortterm_score_error: f64,
    #[serde(rename = "policyPass")]
    pub(super) pass: f64,
    /// `None`: illegal.
    pub(super) policy: Vec<Option<f64>>,
    #[serde(rename = "whiteOwnership")]
    pub(super) white_ownership: Vec<f64>,
}

#[derive(Deserialize)]
struct Line {
    width: usize,
    height: usize,
    rules: serde_json::Value,
    komi: f64,
    moves: Vec<(String, String)>,
    to_play: String,
    symmetry: usize,
    #[serde(default)]
    optimism: f32,
    expected: Expected,
}

/// Longest recording that is read, unpacked.
const MAX_BYTES: u64 = 1 << 30;

/// All positions of a recording; none when the file holds something else.
pub(super) fn read(path: &Path) -> Result<Vec<Recorded>, CheckError> {
    let failed = |line, reason: String| CheckError::Recording { path: path.to_path_buf(), line, reason };
    let file = std::fs::File::open(path).map_err(|source| CheckError::Folder { path: path.to_path_buf(), source })?;
    let packed = path.extension().is_some_and(|extension| extension == "gz");
    let reader: Box<dyn Read> = if packed { Box::new(flate2::read::GzDecoder::new(file)) } else { Box::new(file) };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut positions = Vec::new();
    for (index, text) in BufReader::new(reader.take(MAX_BYTES)).lines().enumerate() {
        let number = index + 1;
        let text = text.map_err(|error| failed(number, error.to_string()))?;
        if text.trim().is_empty() {
            continue;
        }
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| failed(number, error.to_string()))?;
        if value.get("expected").is_none() {
            return Ok(Vec::new());
        }
        let line: Line = serde_json::from_value(value).map_err(|error| failed(number, error.to_string()))?;
        let place = format!("{name} line {number}");
        positions.push(line.position(place).map_err(|reason| failed(number, reason))?);
    }
    Ok(positions)
}

impl Line {
    fn position(self, place: String) -> Result<Recorded, String> {
        let size = BoardSize::new(self.width, self.height).map_err(|error| error.to_string())?;
        let ruleset = Ruleset::from_json(&self.rules).map_err(|error| error.to_string())?.ruleset;
        let komi = Komi::from_points(self.komi).map_err(|error| error.to_string())?;
        let color = |text: &str| match text {
            "B" => Ok(Color::Black),
            "W" => Ok(Color::White),
            other => Err(format!("{other:?} is no colour")),
        };
        let to_play = color(&self.to_play)?;
        let first_player = match self.moves.first() {
            Some((first, _)) => color(first)?,
            None => to_play,
        };
        let setup = Setup { first_player, ..Setup::new(size, Topology::Plane, ruleset, komi) };
        let mut game = Game::new(setup).map_err(|error| error.to_string())?;
        for (player, vertex) in &self.moves {
            let played = Move::from_gtp(vertex, size).ok_or_else(|| format!("{vertex:?} is no move"))?;
            game.play_tolerant(color(player)?, played).map_err(|error| format!("{vertex}: {error}"))?;
        }
        if game.to_play() != to_play {
            return Err(format!("it is not {}'s turn", self.to_play));
        }
        let symmetry = Symmetry::new(self.symmetry).ok_or_else(|| format!("no symmetry {}", self.symmetry))?;
        let params =
            EvalParams { symmetry, policy_optimism: self.optimism, include_ownership: true, ..EvalParams::default() };
        Ok(Recorded { place, game, params, expected: self.expected })
    }
}
