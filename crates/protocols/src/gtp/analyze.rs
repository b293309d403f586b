//! `lz-analyze`, `kata-analyze` and their kin: arguments and lines.

use std::fmt::Write as _;
use std::time::Duration;

use honinbo_rules::{BoardSize, Color, Move};
use honinbo_search::{Candidate, MoveLists, Perspective, ReportOptions, RootFocus, SearchReport};

use super::engine::GtpOptions;
use super::format::{general, with_point};

/// How a line is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Leela Zero's: whole numbers up to 10000.
    LeelaZero,
    /// KataGo's.
    KataGo,
    /// KataGo's as Sabaki wants it: a decimal point in every number.
    Sabaki,
}

/// What an analysis command asks for.
#[derive(Debug, Clone)]
pub(crate) struct AnalyzeRequest {
    pub(crate) dialect: Dialect,
    pub(crate) color: Color,
    /// Time between lines; `None` for no lines but the last.
    pub(crate) interval: Option<Duration>,
    pub(crate) lists: Option<MoveLists>,
    /// Moves that are looked at more closely.
    pub(crate) focus: Option<RootFocus>,
    min_moves: usize,
    max_moves: usize,
    root_info: bool,
    ownership: bool,
    ownership_stdev: bool,
    moves_ownership: bool,
    moves_ownership_stdev: bool,
    pv_visits: bool,
    pv_edge_visits: bool,
    no_result: bool,
    pv_len: usize,
    perspective: Perspective,
}

impl AnalyzeRequest {
    /// Reads `[player] [interval] {key value}`.
    pub(crate) fn parse(
        dialect: Dialect,
        arguments: &[String],
        to_play: Color,
        size: BoardSize,
        options: &GtpOptions,
    ) -> Result<Self, String> {
        let mut request = Self {
            dialect,
            color: to_play,
            interval: None,
            lists: None,
            focus: None,
            min_moves: 0,
            max_moves: usize::MAX,
            root_info: false,
            ownership: false,
            ownership_stdev: false,
            moves_ownership: false,
            moves_ownership_stdev: false,
            pv_visits: false,
            pv_edge_visits: false,
            no_result: false,
            pv_len: options.pv_len,
            perspective: options.perspective,
        };
        let mut words = arguments.iter().map(String::as_str).peekable();
        if let Some(color) = words.peek().and_then(|word| Color::parse(word)) {
            request.color = color;
            words.next();
        }
        if let Some(interval) = words.peek().and_then(|word| interval_of(word)) {
            request.interval = Some(interval);
            words.next();
        }
        let mut lists = MoveLists::new(size);
        let mut kinds: [Option<bool>; 2] = [None; 2];
        let is_kata = dialect != Dialect::LeelaZero;
        while let Some(key) = words.next() {
            let value = words.next().ok_or_else(|| format!("no value for '{key}'"))?;
            let wrong = || format!("could not parse value '{value}' of '{key}'");
            let flag = || match value.to_lowercase().as_str() {
                "true" | "1" | "yes" | "t" => Ok(true),
                "false" | "0" | "no" | "f" => Ok(false),
                _ => Err(wrong()),
            };
            match key {
                "interval" => request.interval = Some(interval_of(value).ok_or_else(wrong)?),
                "avoid" | "allow" => {
                    let color = Color::parse(value).ok_or_else(wrong)?;
                    let moves = words.next().ok_or_else(|| format!("no moves for '{key}'"))?;
                    let depth = words.next().ok_or_else(|| format!("no depth for '{key}'"))?;
                    let moves = moves_of(moves, size)?;
                    let depth: u32 = depth
                        .parse()
                        .ok()
                        .filter(|depth| *depth > 0)
                        .ok_or_else(|| format!("could not parse depth '{depth}'"))?;
                    let allows = key == "allow";
                    match kinds[color.index()] {
                        Some(before) if before || allows => {
                            return Err("avoid and allow cannot be combined for one player".into());
                        }
                        _ => kinds[color.index()] = Some(allows),
                    }
                    if allows {
                        lists.allow_only(color, &moves, depth);
                    } else {
                        lists.avoid(color, &moves, depth);
                    }
                }
                "focus" => {
                    // KataGo 1.18.2: moves with weights, and the share of the playouts that they get together.
                    if request.focus.is_some() {
                        return Err("'focus' can be given once only".into());
                    }
                    let share = words.next().ok_or("no share for 'focus'")?;
                    let in_range = |share: &f64| (0.0..=1.0).contains(share);
                    let share = share
                        .parse()
                        .ok()
                        .filter(in_range)
                        .ok_or_else(|| format!("could not parse share '{share}' of 'focus', expected 0 to 1"))?;
                    request.focus = Some(RootFocus { moves: weighted(value, size)?, share });
                }
                "minmoves" => request.min_moves = value.parse().map_err(|_| wrong())?,
                "maxmoves" => request.max_moves = value.parse().map_err(|_| wrong())?,
                "rootInfo" if is_kata => request.root_info = flag()?,
                "ownership" if is_kata => request.ownership = flag()?,
                "ownershipStdev" if is_kata => request.ownership_stdev = flag()?,
                "movesOwnership" if is_kata => request.moves_ownership = flag()?,
                "movesOwnershipStdev" if is_kata => request.moves_ownership_stdev = flag()?,
                "pvVisits" if is_kata => request.pv_visits = flag()?,
                "pvEdgeVisits" if is_kata => request.pv_edge_visits = flag()?,
                "noResultValue" if is_kata => request.no_result = flag()?,
                _ => return Err(format!("unknown key '{key}'")),
            }
        }
        request.lists = Some(lists).filter(|lists| !lists.is_empty());
        Ok(request)
    }

    /// What the search is asked for.
    pub(crate) fn options(&self) -> ReportOptions {
        ReportOptions {
            perspective: self.perspective,
            pv_len: self.pv_len,
            phase_end: true,
            ownership: self.ownership || self.ownership_stdev,
            candidate_ownership: self.moves_ownership || self.moves_ownership_stdev,
            max_candidates: self.max_moves,
            min_candidates: self.min_moves.min(2000),
            symmetric_images: true,
        }
    }

    /// One line, without its end; `None` where there is nothing to report yet.
    pub(crate) fn line(&self, report: &SearchReport, size: BoardSize) -> Option<String> {
        if report.candidates.is_empty() {
            return None;
        }
        let infos: Vec<String> = report.candidates.iter().map(|candidate| self.info(candidate, size)).collect();
        let mut line = infos.join(" ");
        if self.dialect == Dialect::LeelaZero {
            return Some(line);
        }
        if self.root_info {
            let root = &report.root;
            let _ = write!(line, " rootInfo visits {}", root.visits);
            for (key, value) in [
                ("utility", root.utility),
                ("winrate", root.win_rate),
                ("scoreMean", root.score_lead),
                ("scoreStdev", root.score_stdev),
                ("scoreLead", root.score_lead),
                ("scoreSelfplay", root.score_selfplay),
                ("weight", root.weight),
                ("rawStWrError", root.raw.shortterm_win_loss_error),
                ("rawStScoreError", root.raw.shortterm_score_error),
                ("rawVarTimeLeft", root.raw.var_time_left),
            ] {
                let _ = write!(line, " {key} {}", self.number(value));
            }
        }
        if self.ownership {
            self.write_points(&mut line, "ownership", report.ownership.as_deref());
        }
        if self.ownership_stdev {
            self.write_points(&mut line, "ownershipStdev", report.ownership_stdev.as_deref());
        }
        Some(line)
    }

    fn info(&self, candidate: &Candidate, size: BoardSize) -> String {
        let pv: Vec<String> = candidate.pv.iter().map(|mv| mv.to_gtp(size)).collect();
        let mv = candidate.mv.to_gtp(size);
        if self.dialect == Dialect::LeelaZero {
            let of_ten_thousand = |value: f64| (value * 10_000.0).round() as i64;
            return format!(
                "info move {mv} visits {} winrate {} prior {} lcb {} order {} pv {}",
                candidate.visits,
                of_ten_thousand(candidate.win_rate),
                of_ten_thousand(candidate.prior),
                of_ten_thousand(candidate.lcb),
                candidate.order,
                pv.join(" ")
            );
        }
        let mut info = format!("info move {mv} visits {} edgeVisits {}", candidate.visits, candidate.edge_visits);
        let mut add = |key: &str, value: f64| {
            let _ = write!(info, " {key} {}", self.number(value));
        };
        add("utility", candidate.utility);
        add("winrate", candidate.win_rate);
        add("scoreMean", candidate.score_lead);
        add("scoreStdev", candidate.score_stdev);
        add("scoreLead", candidate.score_lead);
        add("scoreSelfplay", candidate.score_selfplay);
        if self.no_result {
            add("noResultValue", candidate.no_result);
        }
        add("prior", candidate.prior);
        add("lcb", candidate.lcb);
        add("utilityLcb", candidate.utility_lcb);
        add("weight", candidate.weight);
        if let Some(original) = candidate.symmetry_of {
            let _ = write!(info, " isSymmetryOf {}", original.to_gtp(size));
        }
        let _ = write!(info, " order {} pv {}", candidate.order, pv.join(" "));
        let mut counts = |key: &str, counts: &[u64]| {
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            let _ = write!(info, " {key} {}", counts.join(" "));
        };
        if self.pv_visits {
            counts("pvVisits", &candidate.pv_visits);
        }
        if self.pv_edge_visits {
            counts("pvEdgeVisits", &candidate.pv_edge_visits);
        }
        if self.moves_ownership {
            self.write_points(&mut info, "movesOwnership", candidate.ownership.as_deref());
        }
        if self.moves_ownership_stdev {
            self.write_points(&mut info, "movesOwnershipStdev", candidate.ownership_stdev.as_deref());
        }
        info
    }

    fn write_points(&self, line: &mut String, key: &str, points: Option<&[f32]>) {
        let Some(points) = points else { return };
        let _ = write!(line, " {key}");
        for point in points {
            let _ = write!(line, " {}", self.number(f64::from(*point)));
        }
    }

    fn number(&self, value: f64) -> String {
        if self.dialect == Dialect::Sabaki { with_point(value) } else { general(value) }
    }
}

/// Centiseconds as time; nothing shorter than a centisecond, so that reports do not take all the time.
fn interval_of(word: &str) -> Option<Duration> {
    let centiseconds: f64 = word.parse().ok()?;
    (0.0..1e9).contains(&centiseconds).then(|| Duration::from_secs_f64((centiseconds * 0.01).max(0.01)))
}

/// Moves with weights, as in `C3:2,D4`.
fn weighted(text: &str, size: BoardSize) -> Result<Vec<(Move, f64)>, String> {
    let mut found = Vec::new();
    for word in text.split(',') {
        let (vertex, weight) = word.split_once(':').unwrap_or((word, "1"));
        let positive = |weight: &f64| weight.is_finite() && *weight > 0.0;
        let weight = weight
            .parse()
            .ok()
            .filter(positive)
            .ok_or_else(|| format!("could not parse weight '{weight}' of '{vertex}', expected more than 0"))?;
        found.extend(moves_of(vertex, size)?.into_iter().map(|mv| (mv, weight)));
    }
    Ok(found)
}

fn moves_of(text: &str, size: BoardSize) -> Result<Vec<Move>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|vertex| !vertex.is_empty())
        .map(|vertex| {
            Move::from_gtp(vertex, size)
                .filter(|mv| *mv != Move::Resign)
                .ok_or_else(|| format!("could not parse vertex '{vertex}'"))
        })
        .collect()
}
