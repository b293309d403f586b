//! A room: seats, a game, its clocks, what players ask of each other, and what everybody is told.

use crate::chat::Chat;
use crate::clock::RoomClock;
use crate::counting::Marks;
use crate::event::Event;
use crate::message::{Body, ClientMessage, Request, ServerMessage, Update, VERSION};
use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::state::Stage;
use crate::terms::{Terms, TermsError};
use crate::turns::Turns;
use honinbo_players::{GameClock, RecordedTime, TimeControl};
use honinbo_rules::{BoardSize, Color, Game, Move, Outcome, Point, WinBy};
use std::collections::VecDeque;
use std::time::Duration;

/// How long a player of a game without clocks may be away before it is adjourned, and how long the clock of somebody
/// who has not come back yet stands after the server was started again.
pub const AWAY_GRACE: Duration = Duration::from_secs(120);
/// How long a player may be away while a game is counted before it is settled by the marks that the engine proposes, where
/// the other one agrees to them.
pub const SETTLED_AFTER: Duration = Duration::from_secs(300);
/// How long a player may be away from an adjourned game without clocks before the other one may claim it.
pub const CLAIMED_AFTER: Duration = Duration::from_secs(7 * 24 * 3600);
/// How long a seat is kept for somebody who is invited.
pub const INVITED_FOR: Duration = Duration::from_secs(3600);
/// People who can be invited to one seat.
const MAX_INVITED: usize = 20;
/// Events that a client can have missed and still be told one by one.
pub const MAX_LOGGED_EVENTS: usize = 256;

/// What time it is, and how long the sender's message took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// Time since any fixed moment; never goes back.
    pub at: Duration,
    /// From the server to the sender and back, as it was measured last; zero where it is not known.
    pub lag: Duration,
}

impl Now {
    /// An instant without a sender.
    #[must_use]
    pub fn at(at: Duration) -> Self {
        Self { at, lag: Duration::ZERO }
    }
}

/// Somebody for whom a seat is kept.
#[derive(Debug, Clone)]
pub(crate) struct Invited {
    pub(crate) person: String,
    pub(crate) until: Duration,
}

/// A room. See the crate's page.
#[derive(Debug, Clone)]
pub struct Room {
    pub(crate) id: String,
    pub(crate) terms: Terms,
    pub(crate) seats: [Option<Seat>; 2],
    /// A seat that only one of these may take, as long as there are any.
    pub(crate) invited: [Vec<Invited>; 2],
    pub(crate) control: Option<TimeControl>,
    pub(crate) stage: Stage,
    pub(crate) turns: Turns,
    pub(crate) clock: Option<RoomClock>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) marks: Marks,
    pub(crate) chat: Chat,
    pub(crate) undo_asked: Option<Color>,
    pub(crate) adjourn_asked: Option<Color>,
    pub(crate) ready: [bool; 2],
    /// The largest message number of each player that was handled.
    pub(crate) handled: [u64; 2],
    pub(crate) seq: u64,
    /// Connections of each player.
    connections: [u32; 2],
    away_since: [Option<Duration>; 2],
    /// How long who is away had been away before the room came back.
    pub(crate) away_before: [Duration; 2],
    counting_since: Duration,
    pub(crate) spectators: u32,
    /// Whether it is in the list that everybody sees.
    pub(crate) listed: bool,
    /// It is a tournament's: nobody gives a seat up.
    pub(crate) official: bool,
    /// The clock stands for somebody who has not come back yet, until this time at the latest.
    pub(crate) held_until: Option<Duration>,
    /// The engine to move waits for others, and its clock stands meanwhile.
    engine_waits: bool,
    /// Its game was over when it was kept, before it came back.
    pub(crate) came_back_over: bool,
    log: VecDeque<Event>,
    pending: Vec<Event>,
    outgoing: Vec<ServerMessage>,
    changed: bool,
}

impl Room {
    /// A room that waits for its players.
    ///
    /// # Errors
    /// [`TermsError`] for terms that nobody can play under.
    pub fn new(id: impl Into<String>, terms: Terms, seats: [Option<Seat>; 2]) -> Result<Self, TermsError> {
        let terms = terms.with_rules_named();
        let turns = Turns::new(terms.setup()?).map_err(|error| TermsError::Board(error.to_string()))?;
        let control = terms.time_control()?;
        Ok(Self {
            id: id.into(),
            terms,
            seats,
            invited: [Vec::new(), Vec::new()],
            control,
            stage: Stage::Waiting,
            turns,
            clock: control.map(RoomClock::new),
            outcome: None,
            marks: Marks::none(),
            chat: Chat::new(true, []),
            undo_asked: None,
            adjourn_asked: None,
            ready: [false; 2],
            handled: [0; 2],
            seq: 0,
            connections: [0; 2],
            away_since: [None; 2],
            away_before: [Duration::ZERO; 2],
            counting_since: Duration::ZERO,
            spectators: 0,
            listed: false,
            official: false,
            held_until: None,
            engine_waits: false,
            came_back_over: false,
            log: VecDeque::new(),
            pending: Vec::new(),
            outgoing: Vec::new(),
            changed: true,
        })
    }

    /// The room's name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the players agreed on.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Black's and White's seat.
    #[must_use]
    pub fn seats(&self) -> &[Option<Seat>; 2] {
        &self.seats
    }

    /// Where the game is.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.turns.game()
    }

    /// How it ended.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether its game was over already when the room was kept. A game whose time had run out by then and that nobody had
    /// ended yet is ended by coming back.
    #[must_use]
    pub fn came_back_over(&self) -> bool {
        self.came_back_over
    }

    /// The number of the last event.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Which colour a person has.
    #[must_use]
    pub fn color_of(&self, person: &str) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.person_at(*color) == Some(person))
    }

    /// Whether a player is here. Engines always are.
    #[must_use]
    pub fn is_online(&self, color: Color) -> bool {
        match &self.seats[color.index()] {
            Some(Seat::Engine { .. }) => true,
            Some(Seat::Person { .. }) => self.connections[color.index()] > 0,
            None => false,
        }
    }

    fn person_at(&self, color: Color) -> Option<&str> {
        self.seats[color.index()].as_ref().and_then(Seat::person_id)
    }

    /// Whether this person can sit down: a seat is free, and not kept for somebody else.
    #[must_use]
    pub fn has_seat_for(&self, person: &str) -> bool {
        self.free_seat_for(person).is_some()
    }

    fn free_seat_for(&self, person: &str) -> Option<Color> {
        let is_free = |color: &Color| self.seats[color.index()].is_none();
        let mut free = Color::ALL.into_iter().filter(is_free);
        free.clone()
            .find(|color| self.is_invited(person, *color))
            .or_else(|| free.find(|color| self.invited[color.index()].is_empty()))
    }

    fn is_invited(&self, person: &str, color: Color) -> bool {
        self.invited[color.index()].iter().any(|invited| invited.person == person)
    }

    /// Keeps the free seat for somebody, for [`INVITED_FOR`]; of several for whom it is kept, whoever comes first sits
    /// down. False when no seat is free, or it is kept for too many already.
    pub fn reserve(&mut self, person: &str, now: Now) -> bool {
        let Some(color) = Color::ALL.into_iter().find(|color| self.seats[color.index()].is_none()) else {
            return false;
        };
        let until = now.at + INVITED_FOR;
        let invited = &mut self.invited[color.index()];
        if let Some(known) = invited.iter_mut().find(|known| known.person == person) {
            known.until = until;
        } else if invited.len() < MAX_INVITED {
            invited.push(Invited { person: person.to_owned(), until });
        } else {
            return false;
        }
        self.changed = true;
        true
    }

    /// Somebody for whom a seat is kept does not want it; false when none is kept.
    pub fn decline(&mut self, person: &str, name: &str, now: Now) -> bool {
        let is_kept = |color: &Color| self.seats[color.index()].is_none() && self.is_invited(person, *color);
        let Some(color) = Color::ALL.into_iter().find(is_kept) else { return false };
        self.invited[color.index()].retain(|invited| invited.person != person);
        self.emit(Event::Declined { name: name.to_owned() });
        self.flush(now);
        true
    }

    /// Those for whom a seat is kept.
    pub fn invited(&self) -> impl Iterator<Item = &str> {
        self.invited.iter().flatten().map(|invited| invited.person.as_str())
    }

    /// Whether a person has a seat.
    #[must_use]
    pub fn has_people(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.person_at(color).is_some())
    }

    /// Shows the room in the list that everybody sees.
    #[must_use]
    pub fn listed(mut self) -> Self {
        self.listed = true;
        self
    }

    /// A room of a tournament's game: its seats are fixed, and it waits for its players as long as they need.
    #[must_use]
    pub fn official(mut self) -> Self {
        self.official = true;
        self
    }

    /// Whether it is a tournament's.
    #[must_use]
    pub fn is_official(&self) -> bool {
        self.official
    }

    /// A tournament needs a game no more that has not begun: the seats are empty.
    pub fn call_off(&mut self, now: Now) {
        if !self.official || self.stage != Stage::Waiting {
            return;
        }
        self.official = false;
        for color in Color::ALL {
            // Refused only once a game has begun.
            let _ = self.leave(color);
        }
        self.flush(now);
    }

    /// A tournament has taken its game back, and knows it no more: where both have come meanwhile, it ends without a result.
    pub fn take_away(&mut self, now: Now) {
        if self.stage == Stage::Waiting { self.call_off(now) } else { self.void(now) }
    }

    /// Whether the room is in the list that everybody sees.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// Whether somebody without an invitation could sit down.
    #[must_use]
    pub fn has_open_seat(&self) -> bool {
        (0..2).any(|nth| self.seats[nth].is_none() && self.invited[nth].is_empty())
    }

    /// People who watch.
    #[must_use]
    pub fn spectators(&self) -> u32 {
        self.spectators
    }

    /// Seats a person; answers the colour, also where the person sits already. `None` when no seat is free.
    pub fn sit(&mut self, person: &str, name: &str, now: Now) -> Option<Color> {
        if let Some(color) = self.color_of(person) {
            return Some(color);
        }
        let color = self.free_seat_for(person)?;
        self.seats[color.index()] = Some(Seat::person(person, name));
        self.invited[color.index()].clear();
        // A room that was kept may still have the numbers of whoever sat here before.
        self.handled[color.index()] = 0;
        self.emit(Event::Seated { color: color.into(), name: name.to_owned() });
        self.begin_if_ready(now);
        self.flush(now);
        Some(color)
    }

    /// Somebody's connection is open; it may be one of several.
    pub fn connected(&mut self, person: &str, now: Now) {
        let Some(color) = self.color_of(person) else {
            self.spectators = self.spectators.saturating_add(1);
            return;
        };
        let connections = &mut self.connections[color.index()];
        *connections = connections.saturating_add(1);
        if *connections == 1 {
            self.away_since[color.index()] = None;
            self.away_before[color.index()] = Duration::ZERO;
            self.emit(Event::Presence { color: color.into(), online: true });
            self.begin_if_ready(now);
            if self.held_until.is_some() && self.to_play() == color {
                self.release_clock(now);
            }
        }
        self.flush(now);
    }

    /// The room was kept and is here again: nobody is.
    pub(crate) fn come_back(&mut self, now: Duration) {
        for color in Color::ALL {
            self.away_since[color.index()] = self.person_at(color).is_some().then_some(now);
        }
        self.tick(now);
    }

    /// Somebody's connection is gone. `as_player`: it was opened by a player, who has not given the seat up since.
    pub fn disconnected(&mut self, person: &str, as_player: bool, now: Now) {
        let Some(color) = self.color_of(person).filter(|_| as_player) else {
            self.spectators = self.spectators.saturating_sub(1);
            return;
        };
        let connections = &mut self.connections[color.index()];
        *connections = connections.saturating_sub(1);
        if *connections == 0 {
            self.away_since[color.index()] = Some(now.at);
            // An adjourned game would go on, and its clock run, without the player.
            self.ready[color.index()] = false;
            self.emit(Event::Presence { color: color.into(), online: false });
        }
        self.flush(now);
    }

    /// Handles a message of a person. What was done is told by [`Room::take_messages`].
    ///
    /// A message with a number that is not above those handled before is not done again, and is no error.
    ///
    /// # Errors
    /// [`Refusal`]; the room is as it was then.
    pub fn handle(&mut self, person: &str, name: &str, message: &ClientMessage, now: Now) -> Result<(), Refusal> {
        // Before the clock is looked at: a move that was made in time may come after the flag.
        if !now.lag.is_zero() {
            self.measured_lag(person, now.lag);
        }
        self.tick(now.at);
        let color = self.color_of(person);
        if let (Some(color), Some(id)) = (color, message.id) {
            let handled = &mut self.handled[color.index()];
            if id <= *handled {
                return Ok(());
            }
            *handled = id;
            self.changed = true;
        }
        let done = match &message.request {
            Request::Chat { text } => {
                self.chat.say(person, name, text, now.at).map(|line| self.emit(Event::Chat(line)))
            }
            Request::Sync { .. } => Ok(()),
            request => color.ok_or(Refusal::NotAPlayer).and_then(|color| self.player_asks(color, request, now)),
        };
        self.flush(now);
        done
    }

    fn player_asks(&mut self, color: Color, request: &Request, now: Now) -> Result<(), Refusal> {
        match *request {
            Request::Move { x, y, color: claimed, number } => {
                if claimed.is_some_and(|claimed| claimed != crate::wire::number(color)) {
                    return Err(Refusal::NotYourColor);
                }
                let point = point(x, y, self.turns.size())?;
                self.take_turn(color, Move::Place(point), number, now)
            }
            Request::Pass { number } => self.take_turn(color, Move::Pass, number, now),
            Request::Resign => {
                self.must_be_live()?;
                self.finish(Outcome::Win { winner: color.opponent(), by: WinBy::Resignation }, now.at);
                Ok(())
            }
            Request::Undo => self.ask_undo(color, now),
            Request::UndoAnswer { granted } => self.answer_undo(color, granted, now),
            Request::Mark { x, y } => {
                self.must_be_counted()?;
                let point = point(x, y, self.turns.size())?;
                let board = self.turns.game().board();
                if board.get(point).is_none() {
                    return Err(Refusal::NoStone);
                }
                self.marks.toggle(board, point);
                self.emit(Event::Marked);
                self.engine_agrees(now);
                Ok(())
            }
            Request::Agree { revision } => {
                self.must_be_counted()?;
                if revision != self.marks.revision {
                    return Err(Refusal::OtherMarks);
                }
                if !self.marks.agreed[color.index()] {
                    self.marks.agreed[color.index()] = true;
                    self.emit(Event::Agreed { color: color.into() });
                }
                self.settle_if_agreed(now);
                Ok(())
            }
            Request::ResumePlay => {
                self.must_be_counted()?;
                self.turns.resume();
                self.stage = Stage::Playing;
                self.emit(Event::PlayResumed);
                self.start_clock(now.at);
                Ok(())
            }
            Request::Adjourn => self.ask_adjourn(color, now),
            Request::AdjournAnswer { granted } => self.answer_adjourn(color, granted, now),
            Request::Continue => self.be_ready(color, now),
            Request::ChatSwitch { on } => {
                if self.chat.on != on {
                    self.chat.on = on;
                    self.emit(Event::ChatSwitched { on });
                }
                Ok(())
            }
            Request::Leave => self.leave(color),
            Request::Claim => {
                self.must_be_live()?;
                if self.absence(color.opponent(), now.at).is_none_or(|absence| absence < CLAIMED_AFTER) {
                    return Err(Refusal::NotClaimable);
                }
                self.finish(Outcome::Win { winner: color, by: WinBy::Forfeit }, now.at);
                Ok(())
            }
            Request::Cancel => {
                self.must_be_live()?;
                if self.official {
                    return Err(Refusal::FixedSeats);
                }
                if !self.may_cancel() {
                    return Err(Refusal::EachHasMoved);
                }
                self.finish(Outcome::NoResult, now.at);
                Ok(())
            }
            Request::Chat { .. } | Request::Sync { .. } => Ok(()),
        }
    }

    /// Whether either player may still end the game without a result: nobody has seen it going badly yet.
    pub(crate) fn may_cancel(&self) -> bool {
        self.must_be_live().is_ok() && !self.official && self.turns.len() < 2
    }

    fn leave(&mut self, color: Color) -> Result<(), Refusal> {
        match self.stage {
            Stage::Waiting if self.official => return Err(Refusal::FixedSeats),
            Stage::Waiting => {}
            Stage::Over => return Err(Refusal::GameOver),
            _ => return Err(Refusal::AlreadyStarted),
        }
        self.vacate(color);
        self.emit(Event::Left { color: color.into() });
        Ok(())
    }

    /// Frees a seat of everything that was its player's; the connections watch from now on, until they are closed.
    fn vacate(&mut self, color: Color) {
        self.seats[color.index()] = None;
        self.invited[color.index()].clear();
        self.handled[color.index()] = 0;
        self.away_since[color.index()] = None;
        self.spectators = self.spectators.saturating_add(std::mem::take(&mut self.connections[color.index()]));
    }

    fn take_turn(&mut self, color: Color, played: Move, wanted: Option<u32>, now: Now) -> Result<(), Refusal> {
        self.must_be_live()?;
        match self.stage {
            Stage::Playing => {}
            Stage::Counting => return Err(Refusal::BeingCounted),
            _ => return Err(Refusal::Adjourned),
        }
        let next = self.turns.len() as u32 + 1;
        if wanted.is_some_and(|wanted| wanted != next) {
            return Err(Refusal::OtherMove { expected: next });
        }
        if self.to_play() != color {
            return Err(Refusal::NotYourTurn);
        }
        let game = self.turns.game();
        game.legality(color, played).map_err(|error| Refusal::illegal(error, game.board().size()))?;
        self.release_clock(now);
        if let Some(late) = self.clock.as_mut().and_then(|clock| clock.press(now.at)) {
            self.finish(Outcome::Win { winner: late.opponent(), by: WinBy::Time }, now.at);
            return Ok(());
        }
        let clock = self.clock.as_ref().zip(self.control);
        let left = clock.map(|(clock, control)| RecordedTime::of(control, clock.left(color, now.at)));
        let size = self.turns.size();
        self.turns.play(played, left).map_err(|error| Refusal::illegal(error, size))?;
        self.undo_asked = None;
        self.adjourn_asked = None;
        let color = color.into();
        self.emit(match played {
            Move::Place(point) => Event::Move { color, x: point.x() as u8, y: point.y() as u8, number: next },
            _ => Event::Pass { color, number: next },
        });
        if self.turns.game().is_over() {
            if self.turns.game().outcome() == Some(Outcome::NoResult) {
                self.finish(Outcome::NoResult, now.at);
            } else {
                self.begin_counting(now);
            }
        }
        Ok(())
    }

    fn begin_counting(&mut self, now: Now) {
        self.stage = Stage::Counting;
        self.counting_since = now.at;
        self.marks = Marks::none();
        if let Some(clock) = &mut self.clock {
            clock.stop(now.at);
        }
        self.emit(Event::Counting);
    }

    fn ask_undo(&mut self, color: Color, now: Now) -> Result<(), Refusal> {
        self.must_be_played()?;
        if self.last_turn_of(color).is_none() {
            return Err(Refusal::NothingToTakeBack);
        }
        if self.undo_asked.is_some() {
            return Err(Refusal::AskedAlready);
        }
        if matches!(self.seats[color.opponent().index()], Some(Seat::Engine { .. })) {
            self.take_back(color, now);
        } else {
            self.undo_asked = Some(color);
            self.emit(Event::UndoAsked { color: color.into() });
        }
        Ok(())
    }

    fn answer_undo(&mut self, color: Color, granted: bool, now: Now) -> Result<(), Refusal> {
        self.must_be_played()?;
        let asker = self.undo_asked.filter(|asker| *asker != color).ok_or(Refusal::NothingAsked)?;
        if granted {
            self.take_back(asker, now);
        } else {
            self.undo_asked = None;
            self.emit(Event::UndoRefused { color: color.into() });
        }
        Ok(())
    }

    fn last_turn_of(&self, color: Color) -> Option<usize> {
        self.turns.game().turns().iter().rposition(|turn| turn.color == color)
    }

    /// The asker's last move and what came after it.
    fn take_back(&mut self, asker: Color, now: Now) {
        let Some(turn) = self.last_turn_of(asker) else { return };
        let movers: Vec<Color> = self.turns.game().turns()[turn..].iter().map(|turn| turn.color).collect();
        self.turns.take_back_to(turn);
        self.undo_asked = None;
        self.adjourn_asked = None;
        self.emit(Event::Undone { moves: self.turns.len() as u32 });
        if let Some(clock) = &mut self.clock {
            clock.take_back(&movers, now.at);
        }
        self.start_clock(now.at);
    }

    fn ask_adjourn(&mut self, color: Color, now: Now) -> Result<(), Refusal> {
        self.must_be_played()?;
        if self.adjourn_asked.is_some() {
            return Err(Refusal::AskedAlready);
        }
        if matches!(self.seats[color.opponent().index()], Some(Seat::Engine { .. })) {
            self.adjourn(false, now.at);
        } else {
            self.adjourn_asked = Some(color);
            self.emit(Event::AdjournAsked { color: color.into() });
        }
        Ok(())
    }

    fn answer_adjourn(&mut self, color: Color, granted: bool, now: Now) -> Result<(), Refusal> {
        self.must_be_played()?;
        self.adjourn_asked.filter(|asker| *asker != color).ok_or(Refusal::NothingAsked)?;
        if granted {
            self.adjourn(false, now.at);
        } else {
            self.adjourn_asked = None;
            self.emit(Event::AdjournRefused { color: color.into() });
        }
        Ok(())
    }

    fn adjourn(&mut self, away: bool, now: Duration) {
        self.stage = Stage::Adjourned;
        self.undo_asked = None;
        self.adjourn_asked = None;
        self.held_until = None;
        self.engine_waits = false;
        self.ready = [false; 2];
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
        self.emit(Event::Adjourned { away });
    }

    fn be_ready(&mut self, color: Color, now: Now) -> Result<(), Refusal> {
        self.must_be_live()?;
        if self.stage != Stage::Adjourned {
            return Err(Refusal::NotAdjourned);
        }
        if !self.ready[color.index()] {
            self.ready[color.index()] = true;
            self.emit(Event::Ready { color: color.into() });
        }
        let is_ready =
            |color: Color| self.ready[color.index()] || matches!(self.seats[color.index()], Some(Seat::Engine { .. }));
        if Color::ALL.into_iter().all(is_ready) {
            self.stage = Stage::Playing;
            self.ready = [false; 2];
            self.emit(Event::Continued);
            self.start_clock(now.at);
        }
        Ok(())
    }

    /// The account of a player is gone: a game that is not over is lost, and so is one of a tournament that has not begun;
    /// a seat in any other room that waits is free again.
    pub fn forfeit(&mut self, person: &str, now: Now) {
        let Some(color) = self.color_of(person) else { return };
        match self.stage {
            Stage::Over => {}
            Stage::Waiting if !self.official => {
                self.vacate(color);
                self.changed = true;
            }
            _ => self.finish(Outcome::Win { winner: color.opponent(), by: WinBy::Forfeit }, now.at),
        }
        self.flush(now);
    }

    /// Ends a game that is not over without a result.
    pub fn void(&mut self, now: Now) {
        if self.stage != Stage::Over {
            self.finish(Outcome::NoResult, now.at);
        }
        self.flush(now);
    }

    /// What the clock, long absence and invitations that expire bring about.
    pub fn tick(&mut self, now: Duration) {
        for invited in &mut self.invited {
            let before = invited.len();
            invited.retain(|one| one.until > now);
            self.changed |= invited.len() < before;
        }
        if self.settled_at().is_some_and(|at| at <= now) {
            self.settle(now);
        }
        let mut clock_changed = false;
        if self.held_until.is_some_and(|until| until <= now) {
            self.release_clock(Now::at(now));
            clock_changed = true;
        }
        if self.stage == Stage::Playing
            && let Some(late) = self.clock.as_mut().and_then(|clock| clock.check(now))
        {
            self.finish(Outcome::Win { winner: late.opponent(), by: WinBy::Time }, now);
        }
        if self.stage == Stage::Playing
            && self.clock.is_none()
            && self.away_since.iter().flatten().any(|since| now.saturating_sub(*since) >= AWAY_GRACE)
        {
            self.adjourn(true, now);
        }
        if self.stage == Stage::Playing
            && let Some(clock) = &mut self.clock
        {
            clock_changed |= clock.began_period(now);
        }
        if clock_changed && self.pending.is_empty() {
            self.report_clock(now);
        }
        self.flush(Now::at(now));
    }

    /// A clock goes on by itself, which is no event; those who count it down here and there are told how it stands.
    fn report_clock(&mut self, now: Duration) {
        let update = Box::new(self.update(Vec::new(), false, Now::at(now)));
        let message = self.message(Body::StateUpdate(update));
        self.outgoing.push(message);
    }

    /// Takes back time until `now` in which the room could hear nobody, so that nobody loses it. Everybody is told of the
    /// clock that ran meanwhile.
    pub fn forgive(&mut self, time: Duration, now: Duration) {
        if let Some(until) = &mut self.held_until {
            *until += time;
        }
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.running().is_some()) {
            clock.forgive(time);
            self.report_clock(now);
        }
    }

    /// When [`Room::tick`] is to be called next at the latest.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Duration> {
        if self.stage != Stage::Playing {
            return self.invited.iter().flatten().map(|one| one.until).chain(self.settled_at()).min();
        }
        let clock = self.clock.as_ref().and_then(|clock| clock.next_period_at().or_else(|| clock.runs_out_at()));
        let away = self.away_since.iter().flatten().map(|since| *since + AWAY_GRACE).min();
        let away = away.filter(|_| self.clock.is_none());
        [clock, away, self.held_until].into_iter().flatten().min()
    }

    /// How long messages take from a player and back, for the clock.
    pub fn measured_lag(&mut self, person: &str, lag: Duration) {
        if let (Some(color), Some(clock)) = (self.color_of(person), &mut self.clock) {
            clock.set_lag(color, lag);
        }
    }

    /// The engine that is to move, with the position and the number that its move will have.
    #[must_use]
    pub fn engine_to_move(&self) -> Option<(&str, Game, u32)> {
        if self.stage != Stage::Playing {
            return None;
        }
        let level = self.seats[self.to_play().index()].as_ref()?.level()?;
        Some((level, self.turns.game().clone(), self.turns.len() as u32 + 1))
    }

    /// The clock as an engine wants to see it, and what time it is for that clock.
    #[must_use]
    pub fn engine_clock(&self, now: Duration) -> Option<(GameClock, Duration)> {
        self.clock.as_ref().map(|clock| clock.for_engine(now))
    }

    /// The engine's turn, for the move of that number. One for an earlier position is passed over.
    pub fn engine_moved(&mut self, number: u32, played: Move, stood_in: bool, now: Now) {
        self.tick(now.at);
        if self.engine_to_move().is_none_or(|(_, _, next)| next != number) {
            return;
        }
        let color = self.to_play();
        if stood_in {
            self.emit(Event::EngineStoodIn);
        }
        // An engine that wants what the rules refuse passes.
        let legal = self.turns.game().legality(color, played).is_ok();
        let done = match if legal { played } else { Move::Pass } {
            Move::Resign => {
                self.finish(Outcome::Win { winner: color.opponent(), by: WinBy::Resignation }, now.at);
                Ok(())
            }
            played => self.take_turn(color, played, Some(number), now),
        };
        debug_assert!(done.is_ok(), "the turn was looked at before: {done:?}");
        self.flush(now);
    }

    /// The engine waits for others, which is told once for a turn. That is not its time.
    pub fn engine_is_busy(&mut self, now: Now) {
        if let Some(clock) = self.clock.as_mut().filter(|_| self.stage == Stage::Playing) {
            clock.stop(now.at);
            self.held_until = None;
            self.engine_waits = true;
        }
        self.emit(Event::EngineBusy);
        self.flush(now);
    }

    /// The engine waits no more: its clock runs from now on.
    pub fn engine_begins(&mut self, now: Now) {
        if self.engine_waits {
            self.start_clock(now.at);
            self.changed = true;
            self.report_clock(now.at);
        }
    }

    /// The position whose dead stones nobody has proposed yet.
    #[must_use]
    pub fn wants_proposal(&self) -> Option<Game> {
        (self.stage == Stage::Counting && !self.marks.is_proposed()).then(|| self.turns.game().clone())
    }

    /// What the engine takes to be dead in the position after so many turns.
    pub fn propose_dead(&mut self, turns: usize, dead: &[Point], now: Now) {
        if self.wants_proposal().is_none() || self.turns.len() != turns {
            return;
        }
        self.changed = true;
        if self.marks.propose(self.turns.game().board(), dead) {
            self.emit(Event::Marked);
        }
        self.engine_agrees(now);
        self.flush(now);
    }

    fn engine_agrees(&mut self, now: Now) {
        for color in Color::ALL {
            if matches!(self.seats[color.index()], Some(Seat::Engine { .. })) {
                self.marks.agree_as_engine(color);
                if self.marks.agreed[color.index()] {
                    self.emit(Event::Agreed { color: color.into() });
                }
            }
        }
        self.settle_if_agreed(now);
    }

    fn settle_if_agreed(&mut self, now: Now) {
        if self.marks.agreed == [true; 2] {
            self.settle(now.at);
        }
    }

    fn settle(&mut self, now: Duration) {
        let outcome = self.turns.game().score_without(&self.marks.dead()).outcome();
        self.finish(outcome, now);
    }

    /// When a game that is counted is settled although one player has not agreed: that one is away, and the other agrees to
    /// what the engine proposes.
    pub(crate) fn settled_at(&self) -> Option<Duration> {
        if self.stage != Stage::Counting || !self.marks.are_as_proposed() {
            return None;
        }
        let silent = Color::ALL.into_iter().find(|color| self.marks.agreed[color.opponent().index()])?;
        let since = self.away_since[silent.index()]?;
        Some(since.max(self.counting_since) + SETTLED_AFTER)
    }

    /// How long a player has been away from an adjourned game without clocks.
    pub(crate) fn absence(&self, color: Color, now: Duration) -> Option<Duration> {
        let since =
            self.away_since[color.index()].filter(|_| self.stage == Stage::Adjourned && self.clock.is_none())?;
        Some(self.away_before[color.index()] + now.saturating_sub(since))
    }

    /// How long it is until whoever is here may claim the game from the other one, who is away.
    pub(crate) fn claimable_in(&self, now: Duration) -> Option<Duration> {
        match Color::ALL.map(|color| self.absence(color, now)) {
            [Some(absence), None] | [None, Some(absence)] => Some(CLAIMED_AFTER.saturating_sub(absence)),
            _ => None,
        }
    }

    fn finish(&mut self, outcome: Outcome, now: Duration) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
        self.stage = Stage::Over;
        self.outcome = Some(outcome);
        self.undo_asked = None;
        self.adjourn_asked = None;
        self.held_until = None;
        self.engine_waits = false;
        self.emit(Event::Over { result: outcome.to_sgf() });
    }

    fn begin_if_ready(&mut self, now: Now) {
        if self.stage == Stage::Waiting && Color::ALL.into_iter().all(|color| self.is_online(color)) {
            self.stage = Stage::Playing;
            self.emit(Event::Started);
            self.start_clock(now.at);
        }
    }

    fn start_clock(&mut self, now: Duration) {
        let to_play = self.to_play();
        self.held_until = None;
        self.engine_waits = false;
        if let Some(clock) = &mut self.clock {
            clock.start(to_play, now);
        }
    }

    fn release_clock(&mut self, now: Now) {
        if self.held_until.take().is_some() && self.stage == Stage::Playing {
            self.start_clock(now.at);
            self.changed = true;
        }
    }

    pub(crate) fn to_play(&self) -> Color {
        self.turns.game().to_play()
    }

    fn must_be_live(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Waiting => Err(Refusal::NotStarted),
            Stage::Over => Err(Refusal::GameOver),
            _ => Ok(()),
        }
    }

    fn must_be_played(&self) -> Result<(), Refusal> {
        self.must_be_live()?;
        match self.stage {
            Stage::Counting => Err(Refusal::BeingCounted),
            Stage::Adjourned => Err(Refusal::Adjourned),
            _ => Ok(()),
        }
    }

    fn must_be_counted(&self) -> Result<(), Refusal> {
        self.must_be_live()?;
        if self.stage == Stage::Counting { Ok(()) } else { Err(Refusal::NotBeingCounted) }
    }

    fn emit(&mut self, event: Event) {
        self.changed = true;
        self.pending.push(event);
    }

    /// Makes one message of what happened since the last one.
    fn flush(&mut self, now: Now) {
        if self.pending.is_empty() {
            return;
        }
        let events = std::mem::take(&mut self.pending);
        self.seq += events.len() as u64;
        self.log.extend(events.iter().cloned());
        while self.log.len() > MAX_LOGGED_EVENTS {
            self.log.pop_front();
        }
        let body = if events.iter().all(|event| matches!(event, Event::Chat(_))) {
            Body::Chat { events }
        } else {
            let begins = events.contains(&Event::Started);
            let ends = events.iter().any(|event| matches!(event, Event::Over { .. }));
            let update = Box::new(self.update(events, begins, now));
            match (ends, begins) {
                (true, _) => Body::GameOver(update),
                (_, true) => Body::GameStart(update),
                _ => Body::StateUpdate(update),
            }
        };
        let message = self.message(body);
        self.outgoing.push(message);
    }

    fn update(&self, events: Vec<Event>, whole: bool, now: Now) -> Update {
        let moves = whole.then(|| self.moves());
        let chat = whole.then(|| self.chat.lines.iter().cloned().collect());
        Update { events, state: self.state(now), moves, chat }
    }

    /// A message as things stand now; what everybody is to be told comes by itself.
    #[must_use]
    pub fn message(&self, body: Body) -> ServerMessage {
        ServerMessage { version: VERSION, room: self.id.clone(), seq: self.seq, body }
    }

    /// What everybody in the room is to be told, in its order.
    pub fn take_messages(&mut self) -> Vec<ServerMessage> {
        std::mem::take(&mut self.outgoing)
    }

    /// Whether something that is to be kept has changed since this was asked last.
    pub fn take_changed(&mut self) -> bool {
        std::mem::replace(&mut self.changed, false)
    }

    /// What somebody is to be told who has heard everything up to event number `after`: what came since, as long as it is
    /// known, or the whole room.
    #[must_use]
    pub fn catch_up(&self, after: Option<u64>, now: Now) -> ServerMessage {
        let missed =
            after.and_then(|after| self.seq.checked_sub(after)).and_then(|missed| usize::try_from(missed).ok());
        let known = missed.filter(|missed| *missed <= self.log.len());
        let update = match known {
            Some(missed) => self.update(self.log.range(self.log.len() - missed..).cloned().collect(), false, now),
            None => self.update(Vec::new(), true, now),
        };
        let update = Box::new(update);
        self.message(match (self.stage, known) {
            (Stage::Over, _) => Body::GameOver(update),
            (Stage::Waiting, _) | (_, Some(_)) => Body::StateUpdate(update),
            _ => Body::GameStart(update),
        })
    }

    /// An answer for one client that knows everything up to event number `seq`, and may not know more yet.
    #[must_use]
    pub fn nothing_new(&self, seq: u64) -> ServerMessage {
        ServerMessage { seq, ..self.message(Body::Chat { events: Vec::new() }) }
    }
}

/// The point of a board whose column and row a client sent.
pub(crate) fn point(x: i64, y: i64, size: BoardSize) -> Result<Point, Refusal> {
    let side = |value: i64| usize::try_from(value).unwrap_or(usize::MAX);
    let point = Point::new(side(x), side(y));
    if point.is_on(size) { Ok(point) } else { Err(Refusal::OffTheBoard { x, y, size }) }
}
