//! What the tools ask of the back end.

use super::Work;
use super::position::{conditions, game, number, position, refused, text};
use crate::board::{Marks, draw};
use crate::library::date;
use crate::records::as_text;
use crate::review::facts_of;
use crate::run::as_move;
use crate::words::{edges_sentence, rules_of};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use honinbo_api::{
    ApiError, App, Caller, ExportRecords, NoArgs, PatternAnchor, PatternCell, PatternSearch, RecordFilter,
    RecordFormat, RecordQuery, RecordRef, RecordSort, ReviewOptions, RunCandidate, RunLimits, SaveGoban, WireMove,
    commands,
};
use honinbo_record::read_sgf;
use honinbo_rules::{Color, Game, Point};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Candidates that are told.
const MAX_CANDIDATES: usize = 12;
/// Moves of a line that are told.
const MAX_LINE_MOVES: usize = 16;
/// Mistakes that a review names.
const MAX_MISTAKES: usize = 10;

pub(super) struct Backend {
    app: Arc<App>,
}

type Arguments = Map<String, Value>;

impl Backend {
    pub(super) fn new(app: Arc<App>) -> Self {
        Self { app }
    }

    pub(super) fn show_position(&self, arguments: &Arguments) -> Result<Value, ApiError> {
        let replay = position(arguments)?;
        let game = &replay.game;
        let size = game.board().size();
        let legal: Vec<String> = game.legal_points().map(|point| point.to_gtp(size)).collect();
        let mut told = described(game);
        told["legalPoints"] = json!(legal);
        Ok(told)
    }

    pub(super) fn analyze_position(&self, arguments: &Arguments, work: &Work) -> Result<Value, ApiError> {
        let visits = number(arguments, "visits").unwrap_or(100);
        let ownership = arguments.get("ownership").and_then(Value::as_bool).unwrap_or(false);
        let replay = position(arguments)?;
        let game = &replay.game;
        let limits = RunLimits::new(Some(visits), None, false, visits)?;
        let reply = self.app.run_game(game.clone(), &limits, ownership, &work.stop, &|progress| {
            work.report(progress.visits as f64, progress.wanted_visits as f64);
        })?;
        let size = game.board().size();
        // Black's side, whoever is to move.
        let black = |mover: f64, even: f64| if game.to_play() == Color::Black { mover } else { even - mover };
        let gtp = |mv: &WireMove| as_move(mv).map(|mv| mv.to_gtp(size));
        let candidate = |candidate: &RunCandidate| {
            let line: Vec<String> = candidate.pv.iter().take(MAX_LINE_MOVES).filter_map(gtp).collect();
            json!({
                "move": gtp(&candidate.candidate), "visits": candidate.visits,
                "blackWinProbability": rounded(black(candidate.winrate.get(), 1.0), 4),
                "blackLead": rounded(black(candidate.score_lead.get(), 0.0), 2),
                "prior": rounded(candidate.prior.get(), 4), "line": line,
            })
        };
        let mut told = described(game);
        told["blackWinProbability"] = json!(rounded(black(reply.winrate.get(), 1.0), 4));
        told["blackLead"] = json!(rounded(black(reply.score_lead.get(), 0.0), 2));
        told["bestMove"] = json!(gtp(&reply.best));
        told["candidates"] = reply.candidates.iter().take(MAX_CANDIDATES).map(candidate).collect();
        told["visits"] = json!(reply.visits);
        told["network"] = json!(reply.network);
        if let Some(owners) = &reply.ownership {
            let sign = black(1.0, 0.0);
            let rows: Vec<Vec<f64>> = owners
                .chunks(size.width())
                .map(|row| row.iter().map(|own| rounded(sign * own.get(), 2)).collect())
                .collect();
            told["blackOwnership"] = json!(rows);
        }
        Ok(told)
    }

    pub(super) fn review_game(&self, arguments: &Arguments, work: &Work) -> Result<Value, ApiError> {
        let found = game(arguments)?;
        let visits = number(arguments, "visits").unwrap_or(50);
        let replay = conditions(arguments)?;
        let review =
            self.app.review_record(&found.game.tree, &ReviewOptions { visits, replay }, &work.stop, &|progress| {
                work.report(progress.done as f64, progress.total as f64);
            })?;
        Ok(facts_of(review, visits, MAX_MISTAKES))
    }

    pub(super) fn search_library(&self, arguments: &Arguments) -> Result<Value, ApiError> {
        let part = |name: &str| text(arguments, name).to_owned();
        let day = |name: &str| match text(arguments, name) {
            "" => Ok(String::new()),
            text => date(text).map_err(|why| refused(format!("{name} is {text:?}; {why}"))),
        };
        let query = RecordQuery {
            text: part("text"),
            filter: RecordFilter {
                player: part("player"),
                opponent: part("opponent"),
                date_from: day("from")?,
                date_to: day("to")?,
                winner: part("winner"),
                ..RecordFilter::default()
            },
            sort: RecordSort::Date,
            descending: true,
            offset: number(arguments, "offset").unwrap_or(0),
            limit: number(arguments, "limit").unwrap_or(20),
        };
        as_json(commands::search_records(&self.app, &Caller::new(), query)?)
    }

    pub(super) fn get_game(&self, arguments: &Arguments) -> Result<Value, ApiError> {
        let id = text(arguments, "id").to_owned();
        let details = commands::record_details(&self.app, &Caller::new(), RecordRef { id: id.clone() })?;
        let asked = ExportRecords {
            ids: vec![id],
            filter: RecordFilter::default(),
            format: RecordFormat::Sgf,
            path: String::new(),
            evaluations: arguments.get("evaluations").and_then(Value::as_bool).unwrap_or(false),
        };
        let written = commands::export_records(&self.app, &Caller::new(), asked)?;
        let bytes = STANDARD.decode(written.base64).map_err(|error| refused(error.to_string()))?;
        Ok(json!({
            "game": details.summary, "folder": details.folder, "tags": details.tags,
            "sgf": as_text(read_sgf(&bytes)),
        }))
    }

    pub(super) fn find_position(&self, arguments: &Arguments) -> Result<Value, ApiError> {
        let replay = position(arguments)?;
        let board = replay.game.board();
        let size = board.size();
        let cell = |stone| match stone {
            None => PatternCell::Empty,
            Some(Color::Black) => PatternCell::Black,
            Some(Color::White) => PatternCell::White,
        };
        let search = PatternSearch {
            search_id: 0,
            board_width: size.width() as u8,
            board_height: size.height() as u8,
            topology: board.topology().name().to_owned(),
            width: size.width() as u8,
            height: size.height() as u8,
            cells: board.points().map(cell).collect(),
            anchor: PatternAnchor::Corner,
            any_symmetry: true,
            any_color: false,
            next_player: String::new(),
            first_move: None,
            last_move: None,
            sequence: Vec::new(),
            tree_depth: 0,
            filter: RecordFilter::default(),
            limit: number(arguments, "limit").unwrap_or(10),
        };
        let found = commands::search_pattern(&self.app, &Caller::new(), search)?;
        let continuations: Vec<Value> = found
            .continuations
            .iter()
            .map(|next| {
                let point = next
                    .x
                    .zip(next.y)
                    .map_or_else(|| "pass".to_owned(), |(x, y)| Point::new(x.into(), y.into()).to_gtp(size));
                json!({
                    "color": if next.black { "black" } else { "white" }, "move": point, "games": next.games,
                    "blackWins": next.black_wins, "whiteWins": next.white_wins,
                })
            })
            .collect();
        Ok(json!({
            "games": found.found, "searched": found.searched,
            "blackWins": found.black_wins, "whiteWins": found.white_wins,
            "continuations": continuations, "first": found.hits,
        }))
    }

    pub(super) fn library_figures(&self) -> Result<Value, ApiError> {
        as_json(commands::library_stats(&self.app, &Caller::new(), NoArgs {})?)
    }

    pub(super) fn save_game(&self, arguments: &Arguments) -> Result<Value, ApiError> {
        // Whatever is no game is refused in the same words as everywhere.
        game(arguments)?;
        let goban = text(arguments, "sgf").to_owned();
        as_json(commands::save_goban(&self.app, &Caller::new(), SaveGoban { game_id: None, goban: Some(goban) })?)
    }
}

fn as_json(answer: impl serde::Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(answer).map_err(|error| refused(error.to_string()))
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// What everybody wants to know of a position.
fn described(game: &Game) -> Value {
    let board = game.board();
    let last = game.turns().last().map(|turn| turn.played.to_gtp(board.size()));
    let marks = Marks { last: game.turns().last().and_then(|turn| turn.played.point()), candidates: Vec::new() };
    let mut told = json!({
        "board": draw(board, &marks, false).join("\n"),
        "toPlay": game.to_play().to_string(), "moves": game.turns().len(), "lastMove": last,
        "topology": board.topology().name(), "rules": rules_of(game), "komi": game.komi().points(),
        "capturedByBlack": board.captured_by(Color::Black), "capturedByWhite": board.captured_by(Color::White),
    });
    if let Some(sentence) = edges_sentence(board) {
        told["edges"] = sentence.into();
    }
    told
}
