//! What another program thinks of a position, as `kata-analyze` or `lz-analyze` reports it.
//!
//! Source of both formats: KataGo v1.17.2, `docs/GTP_Extensions.md`; Leela Zero and Pachi speak the second.

use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use honinbo_evaluator::StopFlag;
use honinbo_rules::{BoardSize, Color, Game, Move};

use super::{EngineError, GtpPlayer};

/// Moves of an expected line that are kept.
pub(super) const MAX_LINE_MOVES: usize = 60;

/// What a program thinks of a position, from Black's side.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineReport {
    /// Visits of the position: those of all candidates, and its own.
    pub visits: u32,
    /// Black's chance to win, 0 to 1: the candidates' mean by visits.
    pub black_win_prob: f32,
    /// Points that Black leads by: the candidates' mean by visits; `None` where the program counts no points.
    pub black_lead: Option<f32>,
    /// Best first, at least one.
    pub candidates: Vec<EngineCandidate>,
    /// Row by row from the top: 1 Black's, -1 White's; empty where the program does not report it.
    pub black_ownership: Vec<f32>,
}

/// A move that a program looks at, from Black's side.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineCandidate {
    /// The move.
    pub played: Move,
    /// Its visits.
    pub visits: u32,
    /// Black's chance to win after it, 0 to 1.
    pub black_win_prob: f32,
    /// Points that Black leads by after it; `None` where the program counts no points.
    pub black_lead: Option<f32>,
    /// The network's first thought, 0 to 1.
    pub prior: f32,
    /// The expected line, this move first.
    pub line: Vec<Move>,
    /// A mirror image of a candidate that was searched: its visits are that one's.
    pub(super) is_image: bool,
    /// Place among the candidates, 0 the best.
    pub(super) order: usize,
}

/// The command that an analysis comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `kata-analyze`: chances from 0 to 1, points, ownership.
    Kata,
    /// `lz-analyze`: chances in ten-thousandths, no points, no ownership.
    Leela,
}

impl Dialect {
    /// The better of those that a program knows.
    fn known(knows: impl Fn(&str) -> bool) -> Option<Dialect> {
        [Dialect::Kata, Dialect::Leela].into_iter().find(|dialect| knows(dialect.command()))
    }

    fn command(self) -> &'static str {
        match self {
            Dialect::Kata => "kata-analyze",
            Dialect::Leela => "lz-analyze",
        }
    }

    /// A chance as the program writes it, from 0 to 1.
    fn chance(self, written: f32) -> f32 {
        let whole = match self {
            Dialect::Kata => 1.0,
            Dialect::Leela => 10_000.0,
        };
        (written / whole).clamp(0.0, 1.0)
    }
}

impl EngineReport {
    /// Reads a line of an analysis, whose figures are for the player to move (KataGo's `reportAnalysisWinratesAs` is
    /// `SIDETOMOVE` unless its configuration says otherwise); `None` where no candidate is in it. Words that are not
    /// known are passed over.
    #[must_use]
    pub fn parse(line: &str, dialect: Dialect, size: BoardSize, to_play: Color) -> Option<EngineReport> {
        let mut words = line.split_ascii_whitespace();
        let mut candidates: Vec<EngineCandidate> = Vec::new();
        let mut black_ownership = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "info" if candidates.len() <= size.area() => candidates.push(unread()),
                "info" => return None,
                "ownership" => black_ownership = owners(&mut words, size, to_play)?,
                // Of the position as a whole; its candidates say the same.
                "rootInfo" => while take(&mut words, |word| !is_heading(word)).is_some() {},
                key => read_field(candidates.last_mut()?, key, &mut words, dialect, size, to_play)?,
            }
        }
        EngineReport::of(candidates, black_ownership)
    }

    /// The report of these candidates; `None` where none has a visit.
    pub(super) fn of(mut candidates: Vec<EngineCandidate>, black_ownership: Vec<f32>) -> Option<EngineReport> {
        candidates.retain(|candidate| candidate.played != Move::Resign && candidate.visits > 0);
        candidates.sort_by_key(|candidate| candidate.order);
        let searched = || candidates.iter().filter(|candidate| !candidate.is_image);
        let visits: f64 = searched().map(|candidate| f64::from(candidate.visits)).sum();
        if visits <= 0.0 {
            return None;
        }
        let mean = |value: fn(&EngineCandidate) -> Option<f32>| {
            let sum: Option<f64> = searched().map(|one| Some(f64::from(one.visits) * f64::from(value(one)?))).sum();
            sum.map(|sum| (sum / visits) as f32)
        };
        Some(EngineReport {
            visits: (visits + 1.0).min(f64::from(u32::MAX)) as u32,
            black_win_prob: mean(|candidate| Some(candidate.black_win_prob))?,
            black_lead: mean(|candidate| candidate.black_lead),
            candidates,
            black_ownership,
        })
    }
}

/// It looks at moves that it was not asked about.
struct Strayed;

impl EngineReport {
    /// The same of these moves alone; all where none are named. Leela Zero looks at a pass whatever it is asked about: that
    /// is left out. `None` while there is nothing else.
    fn kept_to(self, only: &[Move]) -> Result<Option<Self>, Strayed> {
        let strays = |candidate: &EngineCandidate| !only.is_empty() && !only.contains(&candidate.played);
        if !self.candidates.iter().any(strays) {
            return Ok(Some(self));
        }
        if self.candidates.iter().any(|candidate| strays(candidate) && candidate.played != Move::Pass) {
            return Err(Strayed);
        }
        let kept = self.candidates.into_iter().filter(|candidate| !strays(candidate)).collect();
        Ok(EngineReport::of(kept, self.black_ownership))
    }
}

/// A candidate of which nothing is read yet.
fn unread() -> EngineCandidate {
    EngineCandidate {
        played: Move::Resign,
        visits: 0,
        black_win_prob: 0.5,
        black_lead: None,
        prior: 0.0,
        line: Vec::new(),
        is_image: false,
        order: usize::MAX,
    }
}

fn is_heading(word: &str) -> bool {
    matches!(word, "info" | "ownership" | "rootInfo")
}

/// The next word, where it is as wanted; otherwise it stays.
fn take<'a>(words: &mut SplitAsciiWhitespace<'a>, wanted: impl FnOnce(&str) -> bool) -> Option<&'a str> {
    let word = words.clone().next().filter(|word| wanted(word))?;
    words.next();
    Some(word)
}

/// Reads the value of a field of a candidate; `None` where it is none.
fn read_field(
    candidate: &mut EngineCandidate,
    key: &str,
    words: &mut SplitAsciiWhitespace<'_>,
    dialect: Dialect,
    size: BoardSize,
    to_play: Color,
) -> Option<()> {
    let sign = if to_play == Color::Black { 1.0 } else { -1.0 };
    match key {
        "pv" => {
            let read = |word: &str| Move::from_gtp(word, size).filter(|&played| played != Move::Resign);
            while let Some(word) = take(words, |word| read(word).is_some()) {
                candidate.line.extend(read(word).filter(|_| candidate.line.len() < MAX_LINE_MOVES));
            }
        }
        // A number for each move of the line.
        "pvVisits" | "pvEdgeVisits" => while take(words, |word| word.parse::<f64>().is_ok()).is_some() {},
        "move" => candidate.played = Move::from_gtp(words.next()?, size)?,
        "visits" => candidate.visits = words.next()?.parse().ok()?,
        "order" => candidate.order = words.next()?.parse().ok()?,
        "winrate" => candidate.black_win_prob = 0.5 + sign * (dialect.chance(number(words)?) - 0.5),
        "scoreLead" => candidate.black_lead = Some(sign * number(words)?),
        "prior" => candidate.prior = dialect.chance(number(words)?),
        "isSymmetryOf" => {
            candidate.is_image = true;
            words.next()?;
        }
        _ => {
            words.next()?;
        }
    }
    Some(())
}

fn number(words: &mut SplitAsciiWhitespace<'_>) -> Option<f32> {
    words.next()?.parse().ok().filter(|number: &f32| number.is_finite())
}

fn owners(words: &mut SplitAsciiWhitespace<'_>, size: BoardSize, to_play: Color) -> Option<Vec<f32>> {
    let sign = if to_play == Color::Black { 1.0 } else { -1.0 };
    (0..size.area()).map(|_| number(words).map(|owner| sign * owner.clamp(-1.0, 1.0))).collect()
}

impl GtpPlayer {
    /// Has it think about a position, and hands on what it finds about every `interval`, until `on_report` says that it
    /// wants no more or `stop` is set. Where `only` names moves, they alone are looked at.
    ///
    /// # Errors
    /// When it does not start, cannot take up the position, or gives no analysis.
    pub fn analyse(
        &mut self,
        game: &Game,
        only: &[Move],
        interval: Duration,
        stop: &StopFlag,
        on_report: &mut dyn FnMut(EngineReport) -> bool,
    ) -> Result<(), EngineError> {
        self.follow(game)?;
        let (size, to_play) = (game.board().size(), game.to_play());
        let client = self.client()?;
        let Some(dialect) = Dialect::known(|command| client.knows(command)) else {
            return Err(EngineError::NoAnalysis { program: client.program() });
        };
        let hundredths = (interval.as_millis() / 10).max(1);
        let mut command = format!("{} {to_play} {hundredths}", dialect.command());
        if dialect == Dialect::Kata {
            command += " ownership true";
        }
        if !only.is_empty() {
            let moves: Vec<String> = only.iter().map(|played| played.to_gtp(size)).collect();
            command += &format!(" allow {to_play} {} 1", moves.join(","));
        }
        let mut strayed = false;
        client.stream(&command, stop, &mut |line| {
            let Some(report) = EngineReport::parse(line, dialect, size, to_play) else { return true };
            match report.kept_to(only) {
                Ok(Some(report)) => on_report(report),
                Ok(None) => true,
                Err(Strayed) => {
                    strayed = true;
                    false
                }
            }
        })?;
        if strayed { Err(EngineError::NoRegions { program: self.client()?.program() }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "info move D4 visits 30 edgeVisits 30 utility -0.1 winrate 0.25 scoreMean -2 scoreStdev 9 \
        scoreLead -3.5 prior 0.5 lcb 0.2 order 1 pv D4 E5 pass pvVisits 30 12 1 info move F6 visits 30 winrate 0.25 \
        scoreLead -3.5 prior 0.5 isSymmetryOf D4 order 2 pv F6 info move E5 visits 10 winrate 0.65 scoreLead 0.5 \
        prior 0.1 order 0 weight 3 pv E5 C3 rootInfo visits 41 winrate 0.3 ownership";

    fn line_with_ownership(size: BoardSize) -> String {
        let owners: Vec<String> =
            (0..size.area()).map(|index| if index == 0 { "0.5" } else { "-0.25" }.into()).collect();
        format!("{LINE} {}", owners.join(" "))
    }

    #[test]
    fn a_line_of_analysis_is_read_for_black() {
        let size = BoardSize::NINE;
        let read = |to_play| EngineReport::parse(&line_with_ownership(size), Dialect::Kata, size, to_play).unwrap();
        let white = read(Color::White);
        let moves: Vec<String> = white.candidates.iter().map(|one| one.played.to_gtp(size)).collect();
        assert_eq!(moves, ["E5", "D4", "F6"], "in their order");
        // Mirror images were not searched: 30 visits and 10, and the position's own.
        assert_eq!(white.visits, 41);
        assert!((white.black_win_prob - (1.0 - 0.35)).abs() < 1e-6, "{white:?}");
        assert!((white.black_lead.unwrap() - 2.5).abs() < 1e-6, "{white:?}");
        let d4 = &white.candidates[1];
        assert_eq!((d4.visits, d4.black_win_prob, d4.black_lead, d4.prior), (30, 0.75, Some(3.5), 0.5));
        let line: Vec<String> = d4.line.iter().map(|played| played.to_gtp(size)).collect();
        assert_eq!(line, ["D4", "E5", "pass"]);
        assert_eq!((white.black_ownership.len(), white.black_ownership[0], white.black_ownership[1]), (81, -0.5, 0.25));
        let black = read(Color::Black);
        assert_eq!((black.candidates[1].black_win_prob, black.black_ownership[0]), (0.25, 0.5));
    }

    #[test]
    fn leela_zero_counts_in_ten_thousandths_and_knows_no_points() {
        // As Leela Zero writes it: all candidates in one line, chances of the player to move.
        let line = "info move Q16 visits 30 winrate 2500 prior 839 lcb 2400 order 0 pv Q16 D4 R16 info move D16 visits \
            10 winrate 1300 prior 12000 order 1 pv D16";
        let size = BoardSize::NINETEEN;
        let white = EngineReport::parse(line, Dialect::Leela, size, Color::White).unwrap();
        assert_eq!((white.visits, white.black_lead, white.black_ownership.len()), (41, None, 0));
        assert!((white.black_win_prob - (1.0 - 0.22)).abs() < 1e-6, "{white:?}");
        let first = &white.candidates[0];
        assert!((first.black_win_prob - 0.75).abs() < 1e-6 && (first.prior - 0.0839).abs() < 1e-6, "{first:?}");
        assert_eq!((first.visits, first.black_lead, first.line.len()), (30, None, 3));
        assert_eq!(white.candidates[1].prior, 1.0, "no more than certain");
        // A program that knows both is asked for the one that reports more.
        let known = |names: &[&str]| Dialect::known(|name| names.contains(&name));
        assert_eq!(known(&["lz-analyze", "kata-analyze"]), Some(Dialect::Kata));
        assert_eq!((known(&["lz-analyze"]), known(&["play"])), (Some(Dialect::Leela), None));
    }

    #[test]
    fn what_is_no_analysis_is_none() {
        let size = BoardSize::NINE;
        let endless = "info move D4 visits 1 ".repeat(1000);
        for wrong in [
            "",
            "hello there",
            "info",
            "info move D4",
            "info move Z99 visits 3",
            "info move D4 visits many",
            "info move D4 visits 3 winrate nan",
            "info move D4 visits 3 scoreLead inf",
            "info move D4 visits 3 ownership 1 2 3",
            "visits 3",
            endless.as_str(),
        ] {
            assert_eq!(EngineReport::parse(wrong, Dialect::Kata, size, Color::Black), None, "{wrong:.40}");
        }
        assert!(EngineReport::parse("info move pass visits 3 novelty 7", Dialect::Kata, size, Color::Black).is_some());
    }
}
