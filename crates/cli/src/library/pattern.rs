//! `honinbo library pattern`: where a position or a pattern stands, and how games went on from it.

use super::{existing, failed};
use crate::args::{PatternArgs, PatternPlace};
use crate::failure::Failure;
use crate::notes::note;
use crate::output::Output;
use crate::records::{games_of, name_of, read};
use crate::words::counted;
use honinbo_library::{Anchor, Continuation, PatternQuery, SearchResult};
use honinbo_record::{ReadLimits, RecordFormat, is_archive, replay};
use honinbo_rules::Topology;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub(super) fn pattern(args: &PatternArgs, data: Option<PathBuf>, output: &mut Output) -> Result<(), Failure> {
    let query = query_of(args)?;
    let (path, library) = existing(data)?;
    let result = match &library {
        Some(library) => library.search(&query, &mut |_| ControlFlow::Continue(())).map_err(failed(&path))?,
        None => SearchResult { complete: true, ..SearchResult::default() },
    };
    if args.json {
        output.json(&result)?;
        return Ok(());
    }
    output.line(format!(
        "{} of {}; won by Black {}, by White {}",
        result.found,
        counted(result.searched, "game"),
        result.black_wins,
        result.white_wins
    ))?;
    if args.tree > 0 {
        let mut depths: Vec<usize> = Vec::with_capacity(result.tree.len());
        for step in &result.tree {
            let depth = step.parent.and_then(|parent| depths.get(parent as usize)).map_or(0, |depth| depth + 1);
            depths.push(depth);
            output.line(format!("{}{}", "  ".repeat(depth), line_of(&step.continuation, &query)))?;
        }
    } else {
        for continuation in &result.continuations {
            output.line(line_of(continuation, &query))?;
        }
    }
    if let Some(library) = &library {
        for hit in &result.hits {
            let game = library.summary(&hit.id).map_err(failed(&path))?;
            let swapped = if hit.swapped { ", colours exchanged" } else { "" };
            output.line(format!("{}  after move {}{swapped}", super::as_line(&game), hit.move_number))?;
        }
    }
    Ok(())
}

/// One way on: the point counted from the pattern's top left, from 1.
fn line_of(found: &Continuation, query: &PatternQuery) -> String {
    let whole = query.width == query.size.width() && query.height == query.size.height();
    let point = match found.point {
        None => "pass".to_owned(),
        Some((x, y)) if whole => honinbo_rules::Point::new(x as usize, y as usize).to_gtp(query.size),
        Some((x, y)) => format!("column {}, row {}", x + 1, y + 1),
    };
    let years = match (found.first_year, found.last_year) {
        (0, _) => String::new(),
        (first, last) if first == last => format!(", {first}"),
        (first, last) => format!(", {first} to {last}"),
    };
    format!(
        "{} {point}: {}, Black won {}, White {}{years}",
        found.color,
        counted(found.games, "game"),
        found.black_wins,
        found.white_wins
    )
}

fn query_of(args: &PatternArgs) -> Result<PatternQuery, Failure> {
    let shown = name_of(&args.file);
    let bytes = read(&args.file, &shown)?;
    let mut query = if is_record(&bytes) {
        let games = games_of(bytes, &shown, ReadLimits::default(), &mut |problem| note(problem))?;
        let game = &games.first().expect("a file without games is refused").game;
        let last = game.tree.line_from(game.tree.root()).last().unwrap_or(game.tree.root());
        PatternQuery::position(replay(&game.tree, last).game.board())
    } else {
        let anchor = match args.anchor {
            PatternPlace::Anywhere => Anchor::Anywhere,
            PatternPlace::Corner => Anchor::Corner,
            PatternPlace::Side => Anchor::Side,
        };
        let topology = if args.torus { Topology::Torus } else { args.topology };
        let text = String::from_utf8_lossy(&bytes);
        let hint = "draw lines of X O . * # x o, all of one length";
        if text.trim().is_empty() {
            return Err(Failure::new(format!("{shown} is empty"), hint));
        }
        PatternQuery::diagram(&text, args.size, topology, anchor)
            .map_err(|error| Failure::new(format!("{shown}: {error}"), hint))?
    };
    query.any_symmetry = !args.as_drawn;
    query.any_color = args.any_color;
    query.first_move = args.first_move;
    query.last_move = args.last_move;
    query.tree_depth = args.tree.into();
    query.max_hits = args.limit as usize;
    query.filter = args.filter.with_words(&args.words);
    Ok(query)
}

/// Everything else is a diagram.
fn is_record(bytes: &[u8]) -> bool {
    const GZIP: &[u8] = b"\x1f\x8b";
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    is_archive(bytes)
        || bytes.starts_with(GZIP)
        || text.starts_with(b"(")
        || RecordFormat::detect(bytes) != RecordFormat::Sgf
}
