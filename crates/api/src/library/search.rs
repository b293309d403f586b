//! Patterns, positions and the explorer.

use super::{LibraryRoom, failed, filter_of};
use crate::{
    ApiError, ContinuationView, Event, ExplorerLine, ExplorerView, PatternAnchor, PatternCell, PatternHit,
    PatternProgress, PatternResult, PatternSearch, RecordFilter, StoredValue, TreeMoveView,
};
use honinbo_evaluator::StopFlag;
use honinbo_library::{
    Anchor, Cell, Continuation, EvaluationContext, Explorer, ExplorerEvaluation, GameFilter, GameId, PatternQuery,
    SearchHit, SearchProgress, SearchResult,
};
use honinbo_record::Rank;
use honinbo_rules::{BoardSize, Color, Game, Topology};
use std::ops::ControlFlow;
use std::time::Duration;

/// Interval of events.
const INTERVAL: Duration = Duration::from_millis(50);
/// Hits that are emitted while a search runs.
const MAX_REPORTED: usize = 100;
/// Hits of an answer.
const MAX_HITS: u32 = 10_000;
/// Moves of a tree.
const DEEPEST_TREE: u8 = 30;

impl LibraryRoom {
    /// Finds a pattern and emits what it has meanwhile.
    pub(crate) fn search_pattern(&self, asked: &PatternSearch, stop: &StopFlag) -> Result<PatternResult, ApiError> {
        let query = query_of(asked)?;
        let mut progress =
            PatternProgress { search_id: asked.search_id, searched: 0, total: 0, found: 0, hits: Vec::new() };
        let mut reported: Option<Duration> = None;
        let result = self.library()?.search(&query, &mut |now| {
            progress.searched = now.searched;
            progress.total = now.total;
            progress.found = now.found;
            let wanted = MAX_REPORTED.saturating_sub(progress.hits.len());
            progress.hits.extend(now.new_hits.iter().take(wanted).map(hit_view));
            let time = self.host.monotonic();
            if reported.is_none_or(|reported| time.saturating_sub(reported) >= INTERVAL) && now.searched < now.total {
                reported = Some(time);
                self.host.emit(Event::Pattern(progress.clone()));
            }
            if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        Ok(result_view(result.map_err(failed)?))
    }

    /// How games went on from a position; `network` says whose evaluations to join.
    pub(crate) fn explore(&self, game: &Game, network: &str, filter: &RecordFilter) -> Result<ExplorerView, ApiError> {
        let context = EvaluationContext::of(game, network);
        let found = self.explored(game, context.as_ref(), &filter_of(filter), &StopFlag::new())?;
        let lines = found.moves.into_iter().map(|line| ExplorerLine {
            continuation: continuation_view(&line.continuation),
            value: line.evaluation.map(value_view),
            points_lost: line.points_lost.map(Into::into),
        });
        Ok(ExplorerView {
            found: found.games.found,
            black_wins: found.games.black_wins,
            white_wins: found.games.white_wins,
            hits: found.games.hits.iter().map(hit_view).collect(),
            value: found.evaluation.map(value_view),
            lines: lines.collect(),
        })
    }

    /// How other games than this record went on from a position.
    pub(crate) fn went_on(&self, game: &Game, record: Option<&str>, stop: &StopFlag) -> Result<Explorer, ApiError> {
        let except = record.map(GameId::new).into_iter().collect();
        self.explored(game, None, &GameFilter { except, ..GameFilter::default() }, stop)
    }

    fn explored(
        &self,
        game: &Game,
        context: Option<&EvaluationContext>,
        filter: &GameFilter,
        stop: &StopFlag,
    ) -> Result<Explorer, ApiError> {
        let mut progress =
            |_: SearchProgress<'_>| if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let library = self.library()?;
        let found = library.explore(game.board(), game.to_play(), context, filter, &mut progress).map_err(failed)?;
        if found.games.complete { Ok(found) } else { Err(ApiError::Cancelled) }
    }
}

fn query_of(asked: &PatternSearch) -> Result<PatternQuery, ApiError> {
    let invalid = |message: String| ApiError::InvalidRequest { message };
    let size = BoardSize::new(asked.board_width.into(), asked.board_height.into());
    let topology = Topology::ALL.into_iter().find(|topology| topology.name() == asked.topology);
    let next_player = match asked.next_player.as_str() {
        "black" => Some(Color::Black),
        "white" => Some(Color::White),
        _ => None,
    };
    let color = |black: bool| if black { Color::Black } else { Color::White };
    Ok(PatternQuery {
        size: size.map_err(|error| invalid(error.to_string()))?,
        topology: topology.ok_or_else(|| invalid(format!("there is no kind of board {:?}", asked.topology)))?,
        width: asked.width.into(),
        height: asked.height.into(),
        cells: asked.cells.iter().map(|&cell| cell_of(cell)).collect(),
        anchor: match asked.anchor {
            PatternAnchor::Anywhere => Anchor::Anywhere,
            PatternAnchor::Corner => Anchor::Corner,
            PatternAnchor::Side => Anchor::Side,
            PatternAnchor::At { x, y } => Anchor::At { x, y },
        },
        any_symmetry: asked.any_symmetry,
        any_color: asked.any_color,
        next_player,
        first_move: asked.first_move.unwrap_or(0),
        last_move: asked.last_move.unwrap_or(u32::MAX),
        sequence: asked.sequence.iter().map(|played| (color(played.black), played.x, played.y)).collect(),
        tree_depth: asked.tree_depth.min(DEEPEST_TREE).into(),
        filter: filter_of(&asked.filter),
        max_hits: asked.limit.min(MAX_HITS) as usize,
    })
}

fn cell_of(cell: PatternCell) -> Cell {
    match cell {
        PatternCell::Any => Cell::Any,
        PatternCell::Empty => Cell::Empty,
        PatternCell::Black => Cell::Black,
        PatternCell::White => Cell::White,
        PatternCell::BlackOrEmpty => Cell::BlackOrEmpty,
        PatternCell::WhiteOrEmpty => Cell::WhiteOrEmpty,
        PatternCell::Stone => Cell::Stone,
    }
}

fn hit_view(hit: &SearchHit) -> PatternHit {
    PatternHit { id: hit.id.to_string(), move_number: hit.move_number, swapped: hit.swapped }
}

fn continuation_view(found: &Continuation) -> ContinuationView {
    let small = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    ContinuationView {
        black: found.color == "black",
        x: found.point.map(|(x, _)| small(x)),
        y: found.point.map(|(_, y)| small(y)),
        games: found.games,
        black_wins: found.black_wins,
        white_wins: found.white_wins,
        first_year: found.first_year,
        last_year: found.last_year,
        strongest: Rank::from_strength(small(found.strongest)).map(|rank| rank.to_string()).unwrap_or_default(),
    }
}

fn value_view(found: ExplorerEvaluation) -> StoredValue {
    StoredValue {
        black_win_prob: found.black_win_prob.into(),
        black_score_lead: found.black_lead.into(),
        visits: found.visits,
    }
}

fn result_view(found: SearchResult) -> PatternResult {
    let tree_view = |step: &honinbo_library::TreeMove| TreeMoveView {
        parent: step.parent,
        continuation: continuation_view(&step.continuation),
    };
    PatternResult {
        searched: found.searched,
        found: found.found,
        black_wins: found.black_wins,
        white_wins: found.white_wins,
        hits: found.hits.iter().map(hit_view).collect(),
        continuations: found.continuations.iter().map(continuation_view).collect(),
        tree: found.tree.iter().map(tree_view).collect(),
        complete: found.complete,
    }
}
