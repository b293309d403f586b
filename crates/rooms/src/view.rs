//! What clients see of a room.

use crate::message::PlayedMove;
use crate::room::{Now, Room};
use crate::seat::Seat;
use crate::state::{ClockState, Counting, FinalScore, PlayerState, RoomState, Stage, TimeLeftState};
use crate::wire::{ColorNumber, number};
use honinbo_rules::{Color, Game, Outcome, Point, WinBy};

impl Room {
    /// How the room stands.
    #[must_use]
    pub fn state(&self, now: Now) -> RoomState {
        let game = self.game();
        let board = game.board();
        let points: Vec<u8> = board.points().map(|stone| stone.map_or(0, number)).collect();
        let engine =
            Color::ALL.into_iter().find(|color| matches!(self.seats[color.index()], Some(Seat::Engine { .. })));
        let level = engine.and_then(|color| self.seats[color.index()].as_ref()?.level()).map(str::to_owned);
        let last = game.turns().last().and_then(|turn| turn.played.point());
        RoomState {
            board: points.chunks(board.size().width()).map(<[u8]>::to_vec).collect(),
            turn: game.to_play().into(),
            game_over: self.stage == Stage::Over,
            winner: self.outcome.and_then(Outcome::winner).map(Into::into),
            final_score: self.outcome.filter(is_counted).map(|_| score(game, &self.marks.dead())),
            black_captured: board.captured_by(Color::Black),
            white_captured: board.captured_by(Color::White),
            current_move_number: game.turns().len() as u32,
            ai_enabled: engine.is_some(),
            ai_color: engine.map(Into::into),
            ai_difficulty: level,
            stage: self.stage,
            result: self.outcome.map(Outcome::to_sgf),
            topology: game.setup().topology.name().to_owned(),
            rules: self.terms.rules.clone(),
            komi: game.komi().points(),
            handicap: self.terms.handicap,
            time: self.terms.time,
            rated: self.terms.rated,
            delay_seconds: self.terms.delay_seconds,
            last_move: last.map(pair),
            players: Color::ALL.map(|color| self.player(color)),
            clock: self.clock_state(now),
            may_cancel: self.may_cancel(),
            undo_asked: self.undo_asked.map(Into::into),
            adjourn_asked: self.adjourn_asked.map(Into::into),
            ready: chosen(self.ready),
            claimable_in_seconds: self.claimable_in(now.at).map(|time| time.as_secs_f64()),
            counting: (self.stage == Stage::Counting).then(|| Counting {
                dead: self.marks.dead().into_iter().map(pair).collect(),
                revision: self.marks.revision,
                proposed: self.marks.are_as_proposed(),
                agreed: chosen(self.marks.agreed),
                settled_in_seconds: self.settled_at().map(|at| at.saturating_sub(now.at).as_secs_f64()),
                score: score(game, &self.marks.dead()),
            }),
            chat_on: self.chat.on,
            spectators: self.spectators,
        }
    }

    fn player(&self, color: Color) -> Option<PlayerState> {
        let seat = self.seats[color.index()].as_ref()?;
        let engine = matches!(seat, Seat::Engine { .. });
        Some(PlayerState { name: seat.name().to_owned(), engine, online: self.is_online(color) })
    }

    fn clock_state(&self, now: Now) -> Option<ClockState> {
        let clock = self.clock.as_ref()?;
        let left = |color: Color| {
            let left = clock.left(color, now.at);
            TimeLeftState {
                main_seconds: left.main,
                period_seconds: left.period,
                periods: left.periods,
                stones: left.stones,
            }
        };
        Some(ClockState {
            black: left(Color::Black),
            white: left(Color::White),
            running: clock.running().map(Into::into),
        })
    }

    /// All moves.
    pub(crate) fn moves(&self) -> Vec<PlayedMove> {
        let turns = self.game().turns().iter();
        turns
            .map(|turn| {
                let point = turn.played.point();
                PlayedMove {
                    color: turn.color.into(),
                    x: point.map(|point| point.x() as u8),
                    y: point.map(|point| point.y() as u8),
                }
            })
            .collect()
    }
}

fn is_counted(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Draw | Outcome::Win { by: WinBy::Score(_), .. })
}

fn score(game: &Game, dead: &[Point]) -> FinalScore {
    let score = game.score_without(dead);
    FinalScore { black: score.side(Color::Black).total(), white: score.side(Color::White).total() }
}

fn pair(point: Point) -> [u8; 2] {
    [point.x() as u8, point.y() as u8]
}

fn chosen(which: [bool; 2]) -> Vec<ColorNumber> {
    Color::ALL.into_iter().filter(|color| which[color.index()]).map(Into::into).collect()
}
