//! A move of the engine's own: search, choice, resignation, clean-up before passing.

use std::io::Write;
use std::time::Instant;

use honinbo_rules::{Color, DeadStones, Game, Move, Point, Scoring, clean_up_move};
use honinbo_search::{Perspective, ReportOptions, ResignRule};

use super::analyze::AnalyzeRequest;
use super::engine::{GtpEngine, PATIENCE};
use super::judge::CERTAIN;
use super::server::Inbox;

/// How a move is looked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Manner {
    /// A new line ends it.
    pub(crate) cancellable: bool,
    /// Dead stones are taken off before a pass, also where the rules leave them to agreement: `kgs-genmove_cleanup`.
    pub(crate) cleans_up: bool,
}

impl GtpEngine {
    /// The move that the engine wants to play; `None` where a new line cancelled the search.
    pub(crate) fn find_move(
        &mut self,
        color: Color,
        request: Option<&AnalyzeRequest>,
        inbox: &Inbox,
        manner: Manner,
        out: &mut dyn Write,
    ) -> Result<Option<Move>, String> {
        let began = Instant::now();
        let game = if manner.cleans_up { self.table.game_to_clean_up(color)? } else { self.table.game_for(color)? };
        if let (Some(chooser), None) = (&mut self.chooser, request) {
            let mut played = chooser(&game, &self.interrupt)?;
            if manner.cleans_up && played == Move::Pass {
                played = clean_up_move(&game).unwrap_or(played);
            }
            let spent = began.elapsed();
            self.thinking += spent;
            self.clocks.spend(color, spent.as_secs_f64());
            return Ok(Some(played));
        }
        let lists = request.and_then(|request| request.lists.clone());
        self.belief.follow(self.table.game(), self.options.doublings_per_point, self.results.last().copied());
        self.aim_at(game, self.params_of_play(color), lists)?;
        let focus = request.and_then(|request| request.focus.clone());
        let limits = self.move_limits(color);
        let size = self.table.size();
        let interval = request.and_then(|request| request.interval);
        let mut write_report = |search: &honinbo_search::Search| {
            let line = request.and_then(|request| request.line(&search.report(&request.options())?, size));
            if let Some(line) = line {
                // A controller that is gone is noticed when the answer is written.
                let _ = writeln!(out, "{line}");
                let _ = out.flush();
            }
        };
        let (_, cancelled) = self.think_with(focus, &limits, inbox, interval, manner.cancellable, &mut write_report)?;
        if cancelled {
            self.thinking += began.elapsed();
            return Ok(None);
        }
        write_report(&self.search);
        let mv = self.search.choose_move();
        self.pause_before(mv, inbox);
        let spent = began.elapsed();
        self.thinking += spent;
        self.clocks.spend(color, spent.as_secs_f64());
        let mv = mv.ok_or("the search found no move")?;
        let report = self
            .search
            .report(&ReportOptions { perspective: Perspective::White, max_candidates: 0, ..ReportOptions::default() })
            .ok_or("the search found no move")?;
        self.results.push(2.0 * report.root.mean_win_rate - 1.0);
        if self.options.logs_for_chat {
            self.log_for_chat(mv);
        }
        if self.resigns(color, report.root.mean_score_lead) {
            return Ok(Some(Move::Resign));
        }
        let game = self.search.game();
        Ok(Some(if mv == Move::Pass {
            let cleans_up = self.options.cleans_up.unwrap_or(!game.ruleset().friendly_pass);
            let stays = self.options.passes_friendly == Some(true) || !cleans_up;
            if stays && !manner.cleans_up { mv } else { clean_up_move(&game).unwrap_or(mv) }
        } else if !manner.cleans_up && self.passes_instead(&game, mv)? {
            Move::Pass
        } else {
            mv
        }))
    }

    /// Whether a pass answers the opponent's pass as well as this move would, where dead stones are agreed on: all
    /// borders are closed, the move only fills, and a pass loses nothing.
    ///
    /// Source: KataGo v1.17.2, `playutils.cpp`, `maybeFriendlyPass`.
    fn passes_instead(&self, game: &Game, mv: Move) -> Result<bool, String> {
        let (color, ruleset) = (game.to_play(), game.ruleset());
        let answers_pass = game.turns().last().is_some_and(|turn| turn.color != color && turn.played == Move::Pass);
        let Move::Place(point) = mv else { return Ok(false) };
        let friendly = self.options.passes_friendly.unwrap_or(ruleset.friendly_pass);
        let may = friendly
            && self.options.cleans_up != Some(true)
            && ruleset.scoring == Scoring::Area
            && !game.button_available()
            && game.is_final_phase()
            && answers_pass
            && game.pass_would_end_phase(color);
        if !may {
            return Ok(false);
        }
        let board = game.board();
        let size = board.size();
        let ownership = self.anticipated_ownership(game)?;
        let dead = DeadStones::from_ownership(board, &ownership).to_vec();
        let area = game.score_without(&dead).map;
        let is_open = |(owner, black): (&Option<Color>, &f32)| {
            (*black > CERTAIN && *owner != Some(Color::Black)) || (*black < -CERTAIN && *owner != Some(Color::White))
        };
        let lives = |near: Point| board.get(near) == Some(color.opponent()) && !dead.contains(&near);
        if area.iter().zip(&ownership).any(is_open) || board.neighbors(point).any(lives) || !point.is_on(size) {
            return Ok(false);
        }
        let pass = self.values_after(game, Move::Pass)?;
        let played = self.values_after(game, mv)?;
        Ok(pass.0 > played.0 - 0.1 && pass.1 > played.1 - 0.25 && pass.2 > played.2 - 0.25)
    }

    /// Utility, expected score and lead after a move, for the player who makes it, by a short search.
    fn values_after(&self, game: &Game, mv: Move) -> Result<(f64, f64, f64), String> {
        const VISITS: u64 = 50;
        let color = game.to_play();
        let mut after = game.clone();
        after.play(color, mv).map_err(|error| error.to_string())?;
        let perspective = if color == Color::Black { Perspective::Black } else { Perspective::White };
        let root = self.look(after, VISITS, perspective)?;
        Ok((root.utility, root.score_selfplay, root.score_lead))
    }

    /// Whether the game is given up at this turn, as far as that is wanted.
    fn resigns(&self, color: Color, white_lead: f64) -> bool {
        let options = &self.options;
        let Some(below) = options.resign_below else { return false };
        let rule = ResignRule {
            below,
            turns: options.resign_turns,
            least_deficit: options.resign_least_deficit,
            moves_per_point: options.resign_moves_per_point,
        };
        rule.resigns(self.table.game(), color, &self.results, white_lead)
    }

    /// A line that gtp2ogs passes on to the chat of a game, where the players cannot read it.
    ///
    /// Source of its form: KataGo v1.17.2, `gtp.cpp`, `ogsChatToStderr`.
    fn log_for_chat(&self, mv: Move) {
        let (perspective, pv_len) = (self.options.perspective, self.options.pv_len);
        let options = ReportOptions { perspective, pv_len, ..ReportOptions::default() };
        let Some(report) = self.search.report(&options) else { return };
        let (root, size) = (&report.root, self.table.size());
        let line = report.candidates.iter().find(|candidate| candidate.mv == mv);
        let pv = line.map_or_else(|| vec![mv], |candidate| candidate.pv.clone());
        let pv: Vec<String> = pv.iter().map(|mv| mv.to_gtp(size)).collect();
        (self.options.log)(&format!(
            "MALKOVICH:Visits {} Winrate {:.2}% ScoreLead {:.1} ScoreStdev {:.1} PV {}",
            root.visits,
            100.0 * root.win_rate,
            root.score_lead,
            root.score_stdev,
            pv.join(" ")
        ));
    }

    /// Waits as a person would before this move, where that is wanted, until a line comes.
    fn pause_before(&self, mv: Option<Move>, inbox: &Inbox) {
        let scale = self.options.pause_scale;
        let Some(pause) = mv.filter(|_| scale > 0.0).and_then(|mv| self.search.human_pause(mv, scale)) else { return };
        let ends = Instant::now() + pause.min(self.options.longest_pause);
        while !inbox.has_line() && !self.interrupt.is_set() {
            let left = ends.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(PATIENCE));
        }
    }
}
