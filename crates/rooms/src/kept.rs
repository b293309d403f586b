//! A room as text, to be kept and to come back after the server ended, however it ended.

use crate::chat::Chat;
use crate::clock::RoomClock;
use crate::event::ChatLine;
use crate::room::{AWAY_GRACE, INVITED_FOR, Invited, Room};
use crate::seat::Seat;
use crate::state::Stage;
use crate::terms::Terms;
use crate::turns::Turns;
use crate::wire::number;
use honinbo_players::{RecordedTime, TimeLeft};
use honinbo_rules::{Color, Outcome, Point, WinBy};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Added to the event number of a room that comes back: events that were told and not kept have numbers below it.
const SEQ_LEAP: u64 = 1 << 16;

/// Why a text is no room.
#[derive(Debug, thiserror::Error)]
pub enum KeptRoomError {
    /// It is no JSON of this form.
    #[error("the room cannot be read: {0}")]
    Form(#[from] serde_json::Error),
    /// Its game cannot be played.
    #[error("the room's game cannot be played again")]
    Game,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    id: String,
    terms: Terms,
    seats: [Option<Seat>; 2],
    reserved: [KeptInvited; 2],
    listed: bool,
    #[serde(default)]
    official: bool,
    stage: Stage,
    turns: String,
    /// For each turn, for the record; empty in a game without clocks and in one of an earlier version.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    time_left: Vec<Option<RecordedTime>>,
    left: Option<[TimeLeft; 2]>,
    running: Option<u8>,
    /// Seconds that who is away from an adjourned game without clocks had been away; `None` for who is here.
    #[serde(default, skip_serializing_if = "nobody_is_away")]
    away_seconds: [Option<u64>; 2],
    outcome: Option<KeptOutcome>,
    /// Where the game was counted or is being counted.
    dead: Vec<[u8; 2]>,
    chat_on: bool,
    chat: Vec<ChatLine>,
    handled: [u64; 2],
    seq: u64,
}

/// For whom a seat is kept.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum KeptInvited {
    People(Vec<String>),
    /// Of a version that kept a seat for one alone.
    One(Option<String>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptOutcome {
    Draw,
    NoResult,
    Win { winner: u8, by: KeptWin },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptWin {
    Score(u32),
    Resignation,
    Time,
    Forfeit,
}

impl Room {
    /// The room as text, with its clocks as they stand at `now`.
    #[must_use]
    pub fn to_kept(&self, now: Duration) -> String {
        let kept = Kept {
            id: self.id.clone(),
            terms: self.terms.clone(),
            seats: self.seats.clone(),
            reserved: self
                .invited
                .each_ref()
                .map(|invited| KeptInvited::People(invited.iter().map(|one| one.person.clone()).collect())),
            listed: self.listed,
            official: self.official,
            stage: self.stage,
            turns: self.turns.to_text(),
            time_left: self.control.map_or_else(Vec::new, |_| self.turns.time_left().to_vec()),
            left: self.clock.as_ref().map(|clock| Color::ALL.map(|color| clock.left(color, now))),
            running: self.clock.as_ref().and_then(RoomClock::running).map(number),
            away_seconds: Color::ALL.map(|color| self.absence(color, now).map(|absence| absence.as_secs())),
            outcome: self.outcome.map(kept_outcome),
            dead: self.marks.dead().into_iter().map(|point| [point.x() as u8, point.y() as u8]).collect(),
            chat_on: self.chat.on,
            chat: self.chat.lines.iter().cloned().collect(),
            handled: self.handled,
            seq: self.seq,
        };
        serde_json::to_string(&kept).expect("names are texts and numbers are finite")
    }

    /// A room that was kept. `ran_on` is how long its server ran after it was kept: a clock that ran is charged for that.
    /// The clock of a game that is played stands then until its player is back, or for [`AWAY_GRACE`].
    ///
    /// # Errors
    /// [`KeptRoomError`] for what this program did not write.
    pub fn from_kept(text: &str, ran_on: Duration, now: Duration) -> Result<Self, KeptRoomError> {
        let kept: Kept = serde_json::from_str(text)?;
        let mut room = Self::new(kept.id, kept.terms, kept.seats).map_err(|_| KeptRoomError::Game)?;
        room.turns = Turns::from_text(room.turns.game().setup().clone(), &kept.turns).ok_or(KeptRoomError::Game)?;
        room.turns.set_time_left(kept.time_left);
        // How long each invitation stood is not kept: it stands as long again.
        let until = now + INVITED_FOR;
        room.invited = kept.reserved.map(|invited| {
            let people = match invited {
                KeptInvited::People(people) => people,
                KeptInvited::One(person) => person.into_iter().collect(),
            };
            people.into_iter().map(|person| Invited { person, until }).collect()
        });
        room.listed = kept.listed;
        room.official = kept.official;
        room.stage = kept.stage;
        room.came_back_over = kept.stage == Stage::Over;
        room.outcome = kept.outcome.map(outcome);
        room.chat = Chat::new(kept.chat_on, kept.chat);
        // While the server did not run nobody could come back.
        room.away_before =
            kept.away_seconds.map(|away| away.map_or(Duration::ZERO, |away| Duration::from_secs(away) + ran_on));
        room.handled = kept.handled;
        room.seq = kept.seq + SEQ_LEAP;
        let board = room.turns.game().board().clone();
        let dead: Vec<Point> = kept.dead.iter().map(|&[x, y]| Point::new(x.into(), y.into())).collect();
        if dead.iter().any(|point| !point.is_on(board.size())) {
            return Err(KeptRoomError::Game);
        }
        if room.stage == Stage::Over {
            room.marks.propose(&board, &dead);
        } else {
            // The engine proposes again, or the marks would be taken for its own opinion.
            for point in dead {
                if !room.marks.dead().contains(&point) {
                    room.marks.toggle(&board, point);
                }
            }
        }
        if let (Some(control), Some(left)) = (room.control, kept.left) {
            let mut clock = RoomClock::standing(control, left);
            if room.stage == Stage::Playing {
                // One that did not run while the game was played was held already: its server charged it before.
                if let Some(color) = Color::ALL.into_iter().find(|color| Some(number(*color)) == kept.running) {
                    // Instants of a clock that stands again do not matter. A flag that has fallen is found by the next tick.
                    clock.start(color, Duration::ZERO);
                    clock.stop(ran_on);
                }
                room.held_until = Some(now + AWAY_GRACE);
            }
            room.clock = Some(clock);
        }
        room.come_back(now);
        Ok(room)
    }
}

fn nobody_is_away(away: &[Option<u64>; 2]) -> bool {
    *away == [None; 2]
}

fn kept_outcome(outcome: Outcome) -> KeptOutcome {
    match outcome {
        Outcome::Draw => KeptOutcome::Draw,
        Outcome::NoResult => KeptOutcome::NoResult,
        Outcome::Win { winner, by } => KeptOutcome::Win {
            winner: number(winner),
            by: match by {
                WinBy::Score(halves) => KeptWin::Score(halves),
                WinBy::Resignation => KeptWin::Resignation,
                WinBy::Time => KeptWin::Time,
                WinBy::Forfeit => KeptWin::Forfeit,
            },
        },
    }
}

fn outcome(kept: KeptOutcome) -> Outcome {
    match kept {
        KeptOutcome::Draw => Outcome::Draw,
        KeptOutcome::NoResult => Outcome::NoResult,
        KeptOutcome::Win { winner, by } => Outcome::Win {
            winner: if winner == number(Color::White) { Color::White } else { Color::Black },
            by: match by {
                KeptWin::Score(halves) => WinBy::Score(halves),
                KeptWin::Resignation => WinBy::Resignation,
                KeptWin::Time => WinBy::Time,
                KeptWin::Forfeit => WinBy::Forfeit,
            },
        },
    }
}
