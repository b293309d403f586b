//! A lesson: a teacher's board that all see, what everybody tries beside it, and the record that stays.
//!
//! As a [`crate::Room`] it is a state machine that is told who came and what somebody sent.

mod kept;
mod own;
mod request;
mod state;

pub use request::{LessonMessage, LessonRequest, Role, Shape};
pub use state::{
    Continuation, LessonEvent, LessonMark, LessonOffer, LessonPerson, LessonState, LessonUpdate, Opinion, OpinionMove,
    OwnBoard,
};

use crate::chat::Chat;
use crate::event::Event;
use crate::message::{Body, ServerMessage, VERSION};
use crate::refusal::Refusal;
use crate::room::{Now, point};
use crate::terms::{Terms, TermsError};
use crate::text::plain;
use honinbo_record::{
    Collection, GameDate, GameInfo, GameTree, MarkShape, NodeId, komi_to_write, read_sgf, read_sgf_text, replay,
};
use honinbo_rules::{Game, Move, Point, Preset};
use own::{Own, last_move, play_on, rows};
use std::collections::HashMap;

/// People that a lesson remembers; one more does not come in.
pub const MAX_LESSON_PEOPLE: usize = 200;
/// Nodes of a lesson's record, with those that were taken away since the server was started.
pub const MAX_LESSON_NODES: usize = 4000;
/// Longest record that a lesson can begin with, in bytes.
pub const MAX_LESSON_RECORD_BYTES: usize = 128 << 10;
/// Bytes that a record may take while it is taught: half of them are left for the lesson.
const MAX_TAUGHT_BYTES: usize = 2 * MAX_LESSON_RECORD_BYTES;
/// Bytes of a move or a mark with its property, and some more.
const ENTRY_BYTES: usize = 10;
/// Longest title, in characters.
pub const MAX_TITLE_CHARS: usize = 80;
/// Longest comment on a position, in characters.
pub const MAX_COMMENT_CHARS: usize = 2000;
/// Continuations and marks of a position that are told.
const MAX_TOLD: usize = 100;
/// Variations that wait for the teacher.
const MAX_OFFERS: usize = 50;

/// Why a lesson cannot begin with something.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LessonStartError {
    /// An empty board that nobody can play on.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// No record of a game of Go.
    #[error("there is no game of Go in that record")]
    NoRecord,
    /// A record with more nodes than a lesson holds.
    #[error("the record is too long: a lesson holds {MAX_LESSON_NODES} nodes and {MAX_LESSON_RECORD_BYTES} bytes")]
    TooLong,
    /// A title without letters, or a long one.
    #[error("a title has 1 to {MAX_TITLE_CHARS} characters")]
    Title,
}

/// A message with whom it is for.
#[derive(Debug, Clone, PartialEq)]
pub struct LessonLetter {
    /// One person; everybody where it is `None`.
    pub to: Option<String>,
    /// What.
    pub message: ServerMessage,
}

#[derive(Debug, Clone)]
struct Person {
    id: String,
    name: String,
    role: Role,
    connections: u32,
    /// The largest message number that was handled.
    handled: u64,
}

#[derive(Debug, Clone)]
struct Offer {
    person: String,
    own: Own,
}

/// A lesson. See the module's page.
#[derive(Debug, Clone)]
pub struct Lesson {
    id: String,
    title: String,
    tree: GameTree,
    node: NodeId,
    /// What the root is called over the wire; the other nodes are counted from there. It leaps with every start of the server,
    /// which counts them anew.
    first_node: u64,
    /// The game up to the node.
    game: Game,
    /// The teacher is the first.
    people: Vec<Person>,
    newcomers: Role,
    listed: bool,
    own: HashMap<String, Own>,
    offers: Vec<Offer>,
    pointer: Option<Point>,
    engine: bool,
    opinion: Option<Opinion>,
    /// Grows with every other position.
    position: u64,
    chat: Chat,
    over: bool,
    seq: u64,
    /// Something that everybody sees is another.
    dirty: bool,
    events: Vec<LessonEvent>,
    outgoing: Vec<LessonLetter>,
    changed: bool,
}

impl Lesson {
    /// A lesson of this teacher on an empty board.
    ///
    /// # Errors
    /// [`LessonStartError`].
    pub fn on_board(
        id: impl Into<String>,
        title: &str,
        teacher: [&str; 2],
        terms: &Terms,
    ) -> Result<Self, LessonStartError> {
        let setup = terms.setup()?;
        let size = setup.size;
        let mut tree = GameTree::with_board(size);
        let root = tree.root();
        let rules = Preset::of_board(&setup.ruleset, setup.topology)
            .map_or_else(|| setup.ruleset.to_json().to_string(), |preset| preset.to_string());
        tree.set_text(root, "RU", &rules);
        tree.set_text(root, "KM", &komi_to_write(setup.komi));
        if terms.topology != "plane" {
            tree.set_text(root, "TOPO", setup.topology.name());
        }
        let stones: Vec<Point> = setup.stones.iter().map(|stone| stone.0).collect();
        if !stones.is_empty() {
            tree.set_points(root, "AB", &stones);
            tree.set_text(root, "HA", &stones.len().to_string());
        }
        Self::new(id.into(), title, teacher, tree)
    }

    /// A lesson about a record: its first game.
    ///
    /// # Errors
    /// [`LessonStartError`].
    pub fn on_record(
        id: impl Into<String>,
        title: &str,
        teacher: [&str; 2],
        sgf: &str,
    ) -> Result<Self, LessonStartError> {
        if sgf.len() > MAX_LESSON_RECORD_BYTES {
            return Err(LessonStartError::TooLong);
        }
        Self::on_first_game(id.into(), title, teacher, read_sgf_text(sgf))
    }

    /// A lesson about the first game of a file, whatever its character set.
    ///
    /// # Errors
    /// [`LessonStartError`].
    pub fn on_file(
        id: impl Into<String>,
        title: &str,
        teacher: [&str; 2],
        bytes: &[u8],
    ) -> Result<Self, LessonStartError> {
        if bytes.len() > MAX_LESSON_RECORD_BYTES {
            return Err(LessonStartError::TooLong);
        }
        // A lesson's record is kept and sent as text, so its `CA` has to name UTF-8.
        Self::on_first_game(id.into(), title, teacher, read_sgf(bytes).in_utf8())
    }

    fn on_first_game(
        id: String,
        title: &str,
        teacher: [&str; 2],
        collection: Collection,
    ) -> Result<Self, LessonStartError> {
        let game = collection.games.into_iter().next();
        let tree = game.map(|game| game.tree).filter(GameTree::is_go_record);
        Self::new(id, title, teacher, tree.ok_or(LessonStartError::NoRecord)?)
    }

    fn new(id: String, title: &str, teacher: [&str; 2], tree: GameTree) -> Result<Self, LessonStartError> {
        let title = plain(title);
        if title.is_empty() || title.chars().count() > MAX_TITLE_CHARS {
            return Err(LessonStartError::Title);
        }
        // Half of it is left for the lesson.
        if tree.slot_count() > MAX_LESSON_NODES / 2 {
            return Err(LessonStartError::TooLong);
        }
        let node = tree.root();
        let game = replay(&tree, node).game;
        let [person, name] = teacher.map(str::to_owned);
        Ok(Self {
            id,
            title,
            tree,
            node,
            first_node: 0,
            game,
            people: vec![Person { id: person, name, role: Role::Teacher, connections: 0, handled: 0 }],
            newcomers: Role::Student,
            listed: false,
            own: HashMap::new(),
            offers: Vec::new(),
            pointer: None,
            engine: false,
            opinion: None,
            position: 0,
            chat: Chat::new(true, []),
            over: false,
            seq: 0,
            dirty: false,
            events: Vec::new(),
            outgoing: Vec::new(),
            changed: true,
        })
    }

    /// Shows the lesson in the list that everybody sees.
    #[must_use]
    pub fn listed(mut self) -> Self {
        self.listed = true;
        self
    }

    /// What those who come are, until the teacher says otherwise; nobody becomes a teacher by coming.
    #[must_use]
    pub fn with_newcomers(mut self, role: Role) -> Self {
        self.newcomers = if role == Role::Audience { Role::Audience } else { Role::Student };
        self
    }

    /// Its name in addresses.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The teacher's name.
    #[must_use]
    pub fn teacher(&self) -> &str {
        &self.people[0].name
    }

    /// Whether it is in the list that everybody sees.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// Whether the teacher has ended it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// People who are here.
    #[must_use]
    pub fn online(&self) -> usize {
        self.people.iter().filter(|person| person.connections > 0).count()
    }

    /// Everybody who came, in the words of the host; the teacher is the first.
    pub fn participants(&self) -> impl Iterator<Item = &str> {
        self.people.iter().map(|person| person.id.as_str())
    }

    /// Whether there is anything to keep: somebody else came, or something is on the board.
    #[must_use]
    pub fn is_worth_keeping(&self) -> bool {
        self.people.len() > 1 || self.tree.node_count() > 1
    }

    /// What somebody may do.
    #[must_use]
    pub fn role_of(&self, person: &str) -> Option<Role> {
        self.find(person).map(|person| person.role)
    }

    fn find(&self, person: &str) -> Option<&Person> {
        self.people.iter().find(|known| known.id == person)
    }

    fn find_mut(&mut self, person: &str) -> Option<&mut Person> {
        self.people.iter_mut().find(|known| known.id == person)
    }

    /// Somebody's connection is open; it may be one of several. False when there is no room for more people.
    pub fn connected(&mut self, person: &str, name: &str) -> bool {
        if self.find(person).is_none() {
            if self.people.len() >= MAX_LESSON_PEOPLE {
                return false;
            }
            let role = self.newcomers;
            self.people.push(Person { id: person.into(), name: name.into(), role, connections: 0, handled: 0 });
            self.changed = true;
        }
        if let Some(known) = self.find_mut(person) {
            known.connections = known.connections.saturating_add(1);
            if known.connections == 1 {
                let (name, role) = (known.name.clone(), known.role);
                self.events.push(LessonEvent::Came { name, role });
            }
        }
        self.flush();
        true
    }

    /// Somebody's connection is gone.
    pub fn disconnected(&mut self, person: &str) {
        let Some(known) = self.find_mut(person) else { return };
        known.connections = known.connections.saturating_sub(1);
        if known.connections == 0 {
            let name = known.name.clone();
            self.events.push(LessonEvent::Went { name });
        }
        self.flush();
    }

    /// The account is gone. A lesson without its teacher ends.
    pub fn forget(&mut self, person: &str) {
        if self.people[0].id == person {
            self.finish();
        } else {
            self.people.retain(|known| known.id != person);
            self.drop_own(person);
            self.dirty = true;
            self.changed = true;
        }
        self.flush();
    }

    /// Ends the lesson: what is on the board is what is kept.
    pub fn finish(&mut self) {
        if !self.over {
            self.over = true;
            self.pointer = None;
            self.changed = true;
            self.events.push(LessonEvent::Finished);
            self.flush();
        }
    }

    /// Handles a message of a person. What was done is told by [`Lesson::take_letters`].
    ///
    /// A message with a number that is not above those handled before is not done again, and is no error.
    ///
    /// # Errors
    /// [`Refusal`]; the lesson is as it was then.
    pub fn handle(&mut self, person: &str, message: &LessonMessage, now: Now) -> Result<(), Refusal> {
        let known = self.find_mut(person).ok_or(Refusal::NotAPlayer)?;
        if let Some(id) = message.id {
            if id <= known.handled {
                return Ok(());
            }
            known.handled = id;
        }
        let role = known.role;
        let done = self.ask(person, role, &message.request, now);
        self.flush();
        done
    }

    fn ask(&mut self, person: &str, role: Role, request: &LessonRequest, now: Now) -> Result<(), Refusal> {
        if self.over && !matches!(request, LessonRequest::Sync { .. }) {
            return Err(Refusal::LessonOver);
        }
        match request {
            LessonRequest::Sync { .. } => Ok(()),
            LessonRequest::Try { x, y } => self.try_move(person, *x, *y),
            LessonRequest::TryBack => {
                if !self.own.get_mut(person).is_some_and(Own::back) {
                    self.own.remove(person);
                }
                self.report_own(person);
                Ok(())
            }
            LessonRequest::Follow => {
                self.own.remove(person);
                self.report_own(person);
                Ok(())
            }
            LessonRequest::Offer | LessonRequest::Withdraw | LessonRequest::Chat { .. } if role == Role::Audience => {
                Err(Refusal::Audience)
            }
            LessonRequest::Offer => self.offer(person),
            LessonRequest::Withdraw => self.take_offer(person).map(|_| ()).ok_or(Refusal::NothingOffered),
            LessonRequest::Chat { text } => self.say(person, text, now),
            _ if role != Role::Teacher => Err(Refusal::OnlyTheTeacher),
            request => self.teach(request),
        }
    }

    /// What the teacher alone does.
    fn teach(&mut self, request: &LessonRequest) -> Result<(), Refusal> {
        let size = self.game.board().size();
        match request {
            LessonRequest::Play { x, y } => self.play(Move::Place(point(*x, *y, size)?)),
            LessonRequest::Pass => self.play(Move::Pass),
            LessonRequest::Step { by } => {
                self.step(*by);
                Ok(())
            }
            LessonRequest::Enter { index } => {
                let (child, _) = self.continuations().nth(*index as usize).ok_or(Refusal::NoSuchMove)?;
                self.go_to(child);
                Ok(())
            }
            LessonRequest::Sibling { by } => self.sibling(*by),
            LessonRequest::Remove => self.remove(),
            LessonRequest::Point { x, y } => {
                let wanted = x.zip(*y).map(|(x, y)| point(x, y, size)).transpose()?;
                if wanted != self.pointer {
                    self.pointer = wanted;
                    let body = Body::LessonPointer { point: wanted.map(pair) };
                    self.report(None, body);
                }
                Ok(())
            }
            LessonRequest::Mark { x, y, shape } => self.mark(point(*x, *y, size)?, *shape),
            LessonRequest::Comment { text, node } => {
                let node = node.map_or(Some(self.node), |number| self.numbered(number)).ok_or(Refusal::NoSuchMove)?;
                let chars = text.chars().count();
                if chars > MAX_COMMENT_CHARS {
                    return Err(Refusal::ChatLength { chars, limit: MAX_COMMENT_CHARS });
                }
                let text: String = text.chars().filter(|c| *c == '\n' || !c.is_control()).collect();
                let (text, before) = (text.trim(), self.tree.comment(node).unwrap_or_default());
                if text != before {
                    self.must_have_room(text.len().saturating_sub(before.len()))?;
                    self.tree.set_comment(node, text);
                    self.touch();
                }
                Ok(())
            }
            LessonRequest::Engine { on } => {
                if self.engine != *on {
                    self.engine = *on;
                    self.events.push(LessonEvent::EngineShown { on: *on });
                    self.touch();
                }
                Ok(())
            }
            LessonRequest::Role { name, role } => {
                let found = self.people.iter_mut().skip(1).find(|person| person.name == *name);
                let found = found.ok_or(Refusal::UnknownPerson)?;
                if *role == Role::Teacher {
                    return Err(Refusal::OnlyTheTeacher);
                }
                found.role = *role;
                let person = found.id.clone();
                if *role == Role::Audience {
                    self.offers.retain(|offer| offer.person != person);
                }
                self.events.push(LessonEvent::RoleGiven { name: name.clone(), role: *role });
                self.touch();
                Ok(())
            }
            LessonRequest::Newcomers { role } => {
                if *role == Role::Teacher {
                    return Err(Refusal::OnlyTheTeacher);
                }
                self.newcomers = *role;
                self.touch();
                Ok(())
            }
            LessonRequest::ShowOffer { name } => self.show_offer(name),
            LessonRequest::DismissOffer { name } => {
                let person = self.person_named(name).ok_or(Refusal::UnknownPerson)?;
                self.take_offer(&person).map(|_| ()).ok_or(Refusal::NothingOffered)
            }
            LessonRequest::ChatSwitch { on } => {
                if self.chat.on != *on {
                    self.chat.on = *on;
                    self.events.push(LessonEvent::ChatSwitched { on: *on });
                    self.touch();
                }
                Ok(())
            }
            LessonRequest::Finish => {
                self.finish();
                Ok(())
            }
            _ => Err(Refusal::OnlyTheTeacher),
        }
    }

    fn person_named(&self, name: &str) -> Option<String> {
        self.people.iter().find(|person| person.name == name).map(|person| person.id.clone())
    }

    /// The node that is told by this number, if it is still in the record.
    fn numbered(&self, number: u64) -> Option<NodeId> {
        self.tree.node(usize::try_from(number.checked_sub(self.first_node)?).ok()?)
    }

    fn touch(&mut self) {
        self.dirty = true;
        self.changed = true;
    }

    /// Refuses so many bytes more where the record would be too long; what makes it no longer is always possible. Moves
    /// that are played one by one are bounded by their number.
    fn must_have_room(&self, bytes: usize) -> Result<(), Refusal> {
        let is_full = bytes > 0 && self.tree.to_sgf().len() + bytes > MAX_TAUGHT_BYTES;
        if is_full { Err(Refusal::RecordFull) } else { Ok(()) }
    }

    fn play(&mut self, played: Move) -> Result<(), Refusal> {
        let mut game = self.game.clone();
        play_on(&mut game, played)?;
        let (to_play, size) = (self.game.to_play(), self.game.board().size());
        let full = self.tree.slot_count() >= MAX_LESSON_NODES;
        let known = self.tree.children(self.node).find(|&child| {
            self.tree.move_at(child, size).is_some_and(|found| found.color == to_play && found.played == Ok(played))
        });
        match known {
            Some(child) => self.go_to(child),
            None if full => return Err(Refusal::TooManyMoves),
            None => {
                let child = self.tree.play(self.node, to_play, played, size).node;
                self.go_to(child);
            }
        }
        Ok(())
    }

    fn go_to(&mut self, node: NodeId) {
        if node != self.node || !self.tree.is_attached(node) {
            self.node = node;
            self.game = replay(&self.tree, node).game;
            self.pointer = None;
            self.opinion = None;
            self.position += 1;
        }
        self.touch();
    }

    fn step(&mut self, by: i64) {
        let mut node = self.node;
        for _ in 0..by.unsigned_abs().min(MAX_LESSON_NODES as u64) {
            let next = if by < 0 { self.tree.parent(node) } else { self.tree.first_child(node) };
            let Some(next) = next else { break };
            node = next;
        }
        self.go_to(node);
    }

    /// The moves that the record has here, in the order in which they are told and followed: their nodes, and their points
    /// where they are stones.
    fn continuations(&self) -> impl Iterator<Item = (NodeId, Option<Point>)> {
        let size = self.game.board().size();
        self.tree.children(self.node).filter_map(move |child| {
            let played = self.tree.move_at(child, size)?.played.ok()?;
            Some((child, played.point()))
        })
    }

    fn siblings(&self) -> (usize, Vec<NodeId>) {
        let Some(parent) = self.tree.parent(self.node) else { return (0, vec![self.node]) };
        let all: Vec<NodeId> = self.tree.children(parent).collect();
        (all.iter().position(|&child| child == self.node).unwrap_or_default(), all)
    }

    fn sibling(&mut self, by: i64) -> Result<(), Refusal> {
        let (at, all) = self.siblings();
        let wanted = (at as i64).checked_add(by).and_then(|wanted| usize::try_from(wanted).ok());
        let node = wanted.and_then(|wanted| all.get(wanted)).ok_or(Refusal::NoSuchMove)?;
        self.go_to(*node);
        Ok(())
    }

    fn remove(&mut self) -> Result<(), Refusal> {
        let parent = self.tree.parent(self.node).ok_or(Refusal::NoSuchMove)?;
        self.tree.detach(self.node);
        self.go_to(parent);
        // What began at a position that is gone goes with it.
        let lost: Vec<String> = self
            .own
            .iter()
            .filter(|(_, own)| !self.tree.is_attached(own.from))
            .map(|(person, _)| person.clone())
            .collect();
        for person in lost {
            self.own.remove(&person);
            self.report_own(&person);
        }
        self.offers.retain(|offer| self.tree.is_attached(offer.own.from));
        Ok(())
    }

    fn mark(&mut self, at: Point, shape: Option<Shape>) -> Result<(), Refusal> {
        let size = self.game.board().size();
        let marks = self.tree.marks_at(self.node, size);
        let drawn = marks.points.iter().filter(|(point, _)| *point == at).filter_map(|(_, known)| shape_of(*known));
        let drawn: Vec<Shape> = drawn.collect();
        if shape.is_some_and(|shape| !drawn.contains(&shape)) {
            self.must_have_room(ENTRY_BYTES)?;
        } else if drawn.is_empty() {
            return Ok(());
        }
        for one in Shape::ALL {
            let mut points: Vec<Point> = marks
                .points
                .iter()
                .filter(|(_, known)| shape_of(*known) == Some(one))
                .map(|(point, _)| *point)
                .collect();
            let had = points.contains(&at);
            points.retain(|known| *known != at);
            if shape == Some(one) && !had {
                points.push(at);
            }
            self.tree.set_points(self.node, one.ident(), &points);
            if one == Shape::Triangle {
                self.tree.remove_property(self.node, "M");
            }
        }
        self.touch();
        Ok(())
    }

    fn try_move(&mut self, person: &str, x: Option<i64>, y: Option<i64>) -> Result<(), Refusal> {
        let size = self.game.board().size();
        let played = x.zip(y).map(|(x, y)| point(x, y, size)).transpose()?.map_or(Move::Pass, Move::Place);
        let mut own = match self.own.remove(person) {
            Some(own) => own,
            None => Own::new(self.node, self.game.clone()),
        };
        let done = own.play(played);
        if own.len() > 0 {
            self.own.insert(person.to_owned(), own);
        }
        if done.is_ok() {
            self.report_own(person);
        }
        done
    }

    fn drop_own(&mut self, person: &str) {
        self.own.remove(person);
        self.offers.retain(|offer| offer.person != person);
    }

    fn offer(&mut self, person: &str) -> Result<(), Refusal> {
        let own = self.own.get(person).ok_or(Refusal::NothingOffered)?.clone();
        let moves = own.len();
        let known = self.offers.iter().position(|offer| offer.person == person);
        match known {
            Some(at) => self.offers[at].own = own,
            None if self.offers.len() >= MAX_OFFERS => return Err(Refusal::AskedAlready),
            None => self.offers.push(Offer { person: person.to_owned(), own }),
        }
        let name = self.find(person).map(|person| person.name.clone()).unwrap_or_default();
        self.events.push(LessonEvent::Offered { name, moves });
        self.touch();
        Ok(())
    }

    fn take_offer(&mut self, person: &str) -> Option<Offer> {
        let at = self.offers.iter().position(|offer| offer.person == person)?;
        self.touch();
        Some(self.offers.remove(at))
    }

    fn show_offer(&mut self, name: &str) -> Result<(), Refusal> {
        let person = self.person_named(name).ok_or(Refusal::UnknownPerson)?;
        let offer = self.offers.iter().find(|offer| offer.person == person).ok_or(Refusal::NothingOffered)?;
        if self.tree.slot_count() + offer.own.moves.len() > MAX_LESSON_NODES {
            return Err(Refusal::TooManyMoves);
        }
        self.must_have_room(ENTRY_BYTES * offer.own.moves.len() + name.len())?;
        let Some(offer) = self.take_offer(&person) else { return Err(Refusal::NothingOffered) };
        let size = self.game.board().size();
        let mut game = replay(&self.tree, offer.own.from).game;
        let (mut node, mut named) = (offer.own.from, false);
        for played in offer.own.moves {
            let to_play = game.to_play();
            if play_on(&mut game, played).is_err() {
                break;
            }
            let found = self.tree.play(node, to_play, played, size);
            // Whose idea a variation was stays in the record, where it begins.
            if found.is_new && !named {
                named = true;
                self.tree.set_text(found.node, "N", name);
            }
            node = found.node;
        }
        self.events.push(LessonEvent::OfferShown { name: name.to_owned() });
        self.go_to(node);
        // Whoever offered it looks at what all see.
        if self.own.remove(&person).is_some() {
            self.report_own(&person);
        }
        Ok(())
    }

    fn say(&mut self, person: &str, text: &str, now: Now) -> Result<(), Refusal> {
        let name = self.find(person).map(|person| person.name.clone()).unwrap_or_default();
        let line = self.chat.say(person, &name, text, now.at)?;
        self.changed = true;
        self.seq += 1;
        self.report(None, Body::Chat { events: vec![Event::Chat(line)] });
        Ok(())
    }

    /// What the engine is to be asked, with the number of the position: where its opinion is shown and missing.
    #[must_use]
    pub fn wants_opinion(&self) -> Option<(u64, &Game)> {
        (self.engine && self.opinion.is_none() && !self.over && self.online() > 0)
            .then_some((self.position, &self.game))
    }

    /// What the engine thinks of a position. One that nobody looks at any more is dropped.
    pub fn opinion_found(&mut self, position: u64, opinion: Opinion) {
        if self.engine && self.position == position {
            self.opinion = Some(opinion);
            self.dirty = true;
            self.flush();
        }
    }

    /// How the lesson stands.
    #[must_use]
    pub fn state(&self) -> LessonState {
        let (game, info) = (&self.game, GameInfo::of(&self.tree));
        let size = game.board().size();
        let (at, all) = self.siblings();
        let marks = self.tree.marks_at(self.node, size);
        let shapes = marks.points.iter().filter_map(|(point, shape)| {
            let [x, y] = pair(*point);
            Some(LessonMark { x, y, shape: Some(shape_of(*shape)?), label: None })
        });
        let labels = marks.labels.iter().map(|(point, label)| {
            let [x, y] = pair(*point);
            LessonMark { x, y, shape: None, label: Some(label.chars().take(8).collect()) }
        });
        let continuations = self.continuations().map(|(_, point)| Continuation {
            x: point.map(|point| point.x() as u8),
            y: point.map(|point| point.y() as u8),
        });
        LessonState {
            title: self.title.clone(),
            teacher: self.teacher().to_owned(),
            players: [&info.black.name, &info.white.name].map(|name| name.chars().take(100).collect()),
            board: rows(game),
            turn: game.to_play().into(),
            topology: game.setup().topology.name().to_owned(),
            rules: info.preset_or_guess().name().to_owned(),
            komi: game.komi().points(),
            move_number: game.turns().len() as u32,
            moves_ahead: self.tree.line_from(self.node).skip(1).count() as u32,
            last_move: last_move(game),
            continuations: continuations.take(MAX_TOLD).collect(),
            variation: [at as u32, all.len() as u32],
            node: self.first_node + self.node.index() as u64,
            comment: self.tree.comment(self.node).unwrap_or_default().chars().take(MAX_COMMENT_CHARS).collect(),
            marks: shapes.chain(labels).take(MAX_TOLD).collect(),
            pointer: self.pointer.map(pair),
            engine: self.engine,
            opinion: self.opinion.clone().filter(|_| self.engine),
            people: self
                .people
                .iter()
                .map(|one| LessonPerson { name: one.name.clone(), role: one.role, online: one.connections > 0 })
                .collect(),
            offers: self
                .offers
                .iter()
                .filter_map(|offer| {
                    let name = self.find(&offer.person)?.name.clone();
                    Some(LessonOffer { name, after_move: offer.own.after_move(), moves: offer.own.len() })
                })
                .collect(),
            newcomers: self.newcomers,
            chat_on: self.chat.on,
            over: self.over,
        }
    }

    /// The record of the lesson, with its title and the day, in universal time, at so many seconds since 1970.
    #[must_use]
    pub fn record(&self, unix_seconds: u64) -> GameTree {
        let mut tree = self.tree.clone();
        let root = tree.root();
        tree.set_text(root, "GN", &self.title);
        // Who wrote it down.
        tree.set_text(root, "US", self.teacher());
        if tree.raw_value(root, "DT").is_none()
            && let Some(date) = GameDate::at(unix_seconds, 0)
        {
            tree.set_text(root, "DT", &date.to_string());
        }
        tree
    }

    fn flush(&mut self) {
        if self.events.is_empty() && !self.dirty {
            return;
        }
        self.dirty = false;
        self.seq += 1;
        let events = std::mem::take(&mut self.events);
        let body = Body::LessonState(Box::new(LessonUpdate { events, state: self.state(), chat: None }));
        self.report(None, body);
    }

    fn report(&mut self, to: Option<String>, body: Body) {
        let message = self.message(body);
        self.outgoing.push(LessonLetter { to, message });
    }

    fn report_own(&mut self, person: &str) {
        let body = self.own_board(person);
        self.report(Some(person.to_owned()), body);
    }

    fn own_board(&self, person: &str) -> Body {
        Body::OwnBoard { own: self.own.get(person).map(|own| Box::new(own.shown())) }
    }

    /// A message as things stand now; what everybody is to be told comes by itself.
    #[must_use]
    pub fn message(&self, body: Body) -> ServerMessage {
        ServerMessage { version: VERSION, room: self.id.clone(), seq: self.seq, body }
    }

    /// What is to be told, in its order.
    pub fn take_letters(&mut self) -> Vec<LessonLetter> {
        std::mem::take(&mut self.outgoing)
    }

    /// Whether something that is to be kept has changed since this was asked last.
    pub fn take_changed(&mut self) -> bool {
        std::mem::replace(&mut self.changed, false)
    }

    /// Everything, for somebody who comes or comes back: how the lesson stands, and the person's own board. Without what was
    /// said, where the last message that this person has heard, number `after`, was the last one.
    #[must_use]
    pub fn catch_up(&self, person: &str, after: Option<u64>) -> [ServerMessage; 2] {
        let chat = (after != Some(self.seq)).then(|| self.chat.lines.iter().cloned().collect());
        let update = LessonUpdate { events: Vec::new(), state: self.state(), chat };
        [self.message(Body::LessonState(Box::new(update))), self.message(self.own_board(person))]
    }
}

fn shape_of(shape: MarkShape) -> Option<Shape> {
    match shape {
        MarkShape::Triangle => Some(Shape::Triangle),
        MarkShape::Square => Some(Shape::Square),
        MarkShape::Circle => Some(Shape::Circle),
        MarkShape::Cross => Some(Shape::Cross),
        _ => None,
    }
}

fn pair(point: Point) -> [u8; 2] {
    [point.x() as u8, point.y() as u8]
}
