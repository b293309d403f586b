//! A lesson as text, to be kept and to come back after the server ended.

use super::own::Own;
use super::{Lesson, Offer, Person, Role};
use crate::chat::Chat;
use crate::event::ChatLine;
use crate::kept::KeptRoomError;
use honinbo_record::{GameTree, NodeId, read_sgf_text, replay};
use honinbo_rules::{Move, Point};
use serde::{Deserialize, Serialize};

/// As for rooms: what was told and not kept has numbers below it.
const SEQ_LEAP: u64 = 1 << 16;

#[derive(Serialize, Deserialize)]
struct Kept {
    /// Tells a lesson from a room; the version of this form.
    lesson: u32,
    id: String,
    title: String,
    sgf: String,
    path: Vec<u32>,
    people: Vec<KeptPerson>,
    newcomers: Role,
    listed: bool,
    own: Vec<KeptOwn>,
    offers: Vec<KeptOwn>,
    engine: bool,
    chat_on: bool,
    chat: Vec<ChatLine>,
    seq: u64,
}

#[derive(Serialize, Deserialize)]
struct KeptPerson {
    id: String,
    name: String,
    role: Role,
    handled: u64,
}

#[derive(Serialize, Deserialize)]
struct KeptOwn {
    person: String,
    path: Vec<u32>,
    /// `None` is a pass.
    moves: Vec<Option<[u8; 2]>>,
}

impl Lesson {
    /// Whether a kept text is a lesson's, and not a room's.
    #[must_use]
    pub fn is_kept(text: &str) -> bool {
        text.starts_with(r#"{"lesson":"#)
    }

    /// The lesson as text.
    #[must_use]
    pub fn to_kept(&self) -> String {
        let own = |person: &str, own: &Own| KeptOwn {
            person: person.to_owned(),
            path: path_of(&self.tree, own.from),
            moves: own.moves.iter().map(|played| played.point().map(super::pair)).collect(),
        };
        let mut kept = Kept {
            lesson: 1,
            id: self.id.clone(),
            title: self.title.clone(),
            sgf: self.tree.to_sgf(),
            path: path_of(&self.tree, self.node),
            people: self
                .people
                .iter()
                .map(|one| KeptPerson {
                    id: one.id.clone(),
                    name: one.name.clone(),
                    role: one.role,
                    handled: one.handled,
                })
                .collect(),
            newcomers: self.newcomers,
            listed: self.listed,
            own: self.own.iter().map(|(person, tried)| own(person, tried)).collect(),
            offers: self.offers.iter().map(|offer| own(&offer.person, &offer.own)).collect(),
            engine: self.engine,
            chat_on: self.chat.on,
            chat: self.chat.lines.iter().cloned().collect(),
            seq: self.seq,
        };
        // The same lesson is the same text.
        kept.own.sort_by(|a, b| a.person.cmp(&b.person));
        serde_json::to_string(&kept).expect("names are texts and numbers are finite")
    }

    /// A lesson that was kept; nobody is there.
    ///
    /// # Errors
    /// [`KeptRoomError`] for what this program did not write.
    pub fn from_kept(text: &str) -> Result<Self, KeptRoomError> {
        let kept: Kept = serde_json::from_str(text)?;
        let tree = read_sgf_text(&kept.sgf).games.into_iter().next().ok_or(KeptRoomError::Game)?.tree;
        let mut people = kept.people.into_iter().map(|one| Person {
            id: one.id,
            name: one.name,
            role: one.role,
            connections: 0,
            handled: one.handled,
        });
        let teacher = people.next().filter(|one| one.role == Role::Teacher).ok_or(KeptRoomError::Game)?;
        let mut lesson =
            Self::new(kept.id, "-", [&teacher.id, &teacher.name], GameTree::new()).map_err(|_| KeptRoomError::Game)?;
        lesson.title = kept.title;
        lesson.people = std::iter::once(teacher).chain(people).collect();
        lesson.node = node_at(&tree, &kept.path).ok_or(KeptRoomError::Game)?;
        lesson.game = replay(&tree, lesson.node).game;
        lesson.tree = tree;
        let tree = &lesson.tree;
        lesson.own = kept.own.iter().filter_map(|own| Some((own.person.clone(), own_of(tree, own)?))).collect();
        let offers = kept.offers.iter();
        lesson.offers = offers
            .filter_map(|own| Some(Offer { person: own.person.clone(), own: own_of(&lesson.tree, own)? }))
            .collect();
        lesson.newcomers = kept.newcomers;
        lesson.listed = kept.listed;
        lesson.engine = kept.engine;
        lesson.chat = Chat::new(kept.chat_on, kept.chat);
        lesson.seq = kept.seq + SEQ_LEAP;
        // A leap is more than the nodes of a lesson.
        lesson.first_node = lesson.seq;
        Ok(lesson)
    }
}

/// Which child to follow, from the root on.
fn path_of(tree: &GameTree, node: NodeId) -> Vec<u32> {
    let path = tree.path(node);
    let steps = path.windows(2);
    steps.map(|pair| tree.children(pair[0]).position(|child| child == pair[1]).unwrap_or_default() as u32).collect()
}

fn node_at(tree: &GameTree, path: &[u32]) -> Option<NodeId> {
    path.iter().try_fold(tree.root(), |node, nth| tree.children(node).nth(*nth as usize))
}

fn own_of(tree: &GameTree, kept: &KeptOwn) -> Option<Own> {
    let from = node_at(tree, &kept.path)?;
    let mut own = Own::new(from, replay(tree, from).game);
    for played in &kept.moves {
        let played = played.map_or(Move::Pass, |[x, y]| Move::Place(Point::new(x.into(), y.into())));
        own.play(played).ok()?;
    }
    Some(own)
}
