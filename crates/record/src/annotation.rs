//! What a node says of its move and its position without words, and the node's name.

use crate::tree::{GameTree, NodeId};
use crate::value::simple_text;

/// How a move was. SGF allows one of them for each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveAnnotation {
    /// `TE[1]`, also called tesuji.
    Good,
    /// `TE[2]`.
    VeryGood,
    /// `IT`.
    Interesting,
    /// `DO`.
    Doubtful,
    /// `BM[1]`.
    Bad,
    /// `BM[2]`.
    VeryBad,
}

/// Whom a position favours. SGF allows one of them for each node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PositionAnnotation {
    /// `GB[1]`.
    GoodForBlack,
    /// `GB[2]`.
    VeryGoodForBlack,
    /// `GW[1]`.
    GoodForWhite,
    /// `GW[2]`.
    VeryGoodForWhite,
    /// `DM[1]`.
    Even,
    /// `DM[2]`.
    VeryEven,
    /// `UC[1]`.
    Unclear,
    /// `UC[2]`.
    VeryUnclear,
}

/// That a node is worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hotspot {
    /// `HO[1]`.
    Normal,
    /// `HO[2]`.
    Major,
}

/// The annotations of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Of the node's move.
    pub on_move: Option<MoveAnnotation>,
    /// Of the position.
    pub on_position: Option<PositionAnnotation>,
    /// Of the node itself.
    pub hotspot: Option<Hotspot>,
}

/// Property, value, meaning. Of a property the normal value comes first: any other value is read as that one.
type Meanings<T> = [(&'static str, &'static str, T)];

const MOVES: &Meanings<MoveAnnotation> = &[
    ("TE", "1", MoveAnnotation::Good),
    ("TE", "2", MoveAnnotation::VeryGood),
    ("IT", "", MoveAnnotation::Interesting),
    ("DO", "", MoveAnnotation::Doubtful),
    ("BM", "1", MoveAnnotation::Bad),
    ("BM", "2", MoveAnnotation::VeryBad),
];
const POSITIONS: &Meanings<PositionAnnotation> = &[
    ("GB", "1", PositionAnnotation::GoodForBlack),
    ("GB", "2", PositionAnnotation::VeryGoodForBlack),
    ("GW", "1", PositionAnnotation::GoodForWhite),
    ("GW", "2", PositionAnnotation::VeryGoodForWhite),
    ("DM", "1", PositionAnnotation::Even),
    ("DM", "2", PositionAnnotation::VeryEven),
    ("UC", "1", PositionAnnotation::Unclear),
    ("UC", "2", PositionAnnotation::VeryUnclear),
];
const HOTSPOTS: &Meanings<Hotspot> = &[("HO", "1", Hotspot::Normal), ("HO", "2", Hotspot::Major)];

fn meaning_of<T: Copy>(meanings: &Meanings<T>, ident: &str, raw: &str) -> Option<T> {
    let exact = meanings.iter().find(|(name, value, _)| *name == ident && *value == raw);
    let normal = || meanings.iter().find(|(name, ..)| *name == ident);
    exact.or_else(normal).map(|&(.., meaning)| meaning)
}

impl GameTree {
    /// Whether annotations of a move have a place at this node. The root has none: `TE` is the event there in records of
    /// Chinese sites.
    #[must_use]
    pub fn has_annotatable_move(&self, id: NodeId) -> bool {
        id != NodeId::ROOT && self.properties(id).any(|property| matches!(&*property.ident(), "B" | "W"))
    }

    /// The annotations of a node; of several that exclude each other the first one.
    #[must_use]
    pub fn annotations_at(&self, id: NodeId) -> Annotations {
        let mut found = Annotations::default();
        for property in self.properties(id) {
            let ident = property.ident();
            if matches!(&*ident, "B" | "W" | "C") {
                continue;
            }
            let raw = property.raw_values().next().unwrap_or_default().trim();
            found.on_move = found.on_move.or_else(|| meaning_of(MOVES, &ident, raw));
            found.on_position = found.on_position.or_else(|| meaning_of(POSITIONS, &ident, raw));
            found.hotspot = found.hotspot.or_else(|| meaning_of(HOTSPOTS, &ident, raw));
        }
        found.on_move = found.on_move.filter(|_| self.has_annotatable_move(id));
        found
    }

    /// What to write to a node for it to have these annotations: properties with their values, `None` to remove one. Of
    /// a kind that is to stay as it is nothing is touched, whatever the file has.
    ///
    /// The order is one in which the changes can be taken back: what is put back goes to the end of the node, and of
    /// several annotations the first one counts.
    #[must_use]
    pub fn annotation_changes(&self, id: NodeId, wanted: Annotations) -> Vec<(&'static str, Option<&'static str>)> {
        let before = self.annotations_at(id);
        let mut all = self.changes(id, MOVES, before.on_move, wanted.on_move);
        all.extend(self.changes(id, POSITIONS, before.on_position, wanted.on_position));
        all.extend(self.changes(id, HOTSPOTS, before.hotspot, wanted.hotspot));
        all
    }

    fn changes<T: Copy + PartialEq>(
        &self,
        id: NodeId,
        meanings: &Meanings<T>,
        before: Option<T>,
        wanted: Option<T>,
    ) -> Vec<(&'static str, Option<&'static str>)> {
        if before == wanted {
            return Vec::new();
        }
        let written = meanings.iter().find(|(.., meaning)| Some(*meaning) == wanted);
        let written = written.map(|&(ident, value, _)| (ident, Some(value)));
        let mut there: Vec<&'static str> = Vec::new();
        for property in self.properties(id) {
            let ident = property.ident();
            if let Some(&(name, ..)) = meanings.iter().find(|(name, ..)| *name == ident) {
                there.push(name);
            }
        }
        // One that stands alone keeps its place.
        if let Some((ident, _)) = written
            && there == [ident]
        {
            return written.into_iter().collect();
        }
        there.into_iter().rev().map(|ident| (ident, None)).chain(written).collect()
    }

    /// The name of a node (`N`) in one line; empty where it has none.
    #[must_use]
    pub fn node_name(&self, id: NodeId) -> String {
        self.text_value(id, "N").map(|name| simple_text(&name)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_sgf;

    fn at_first_move(node: &str) -> Annotations {
        let tree = read_sgf(format!("(;SZ[9];{node})").as_bytes()).games.remove(0).tree;
        tree.annotations_at(tree.first_child(tree.root()).unwrap())
    }

    #[test]
    fn every_annotation_is_read_as_it_is_written() {
        for &(ident, value, meaning) in MOVES {
            assert_eq!(at_first_move(&format!("B[ee]{ident}[{value}]")).on_move, Some(meaning), "{ident}[{value}]");
            let wanted = Annotations { on_move: Some(meaning), ..Annotations::default() };
            let tree = read_sgf(b"(;SZ[9];B[ee])").games.remove(0).tree;
            let node = tree.first_child(tree.root()).unwrap();
            assert_eq!(tree.annotation_changes(node, wanted), [(ident, Some(value))]);
        }
        for &(ident, value, meaning) in POSITIONS {
            assert_eq!(at_first_move(&format!("{ident}[{value}]")).on_position, Some(meaning), "{ident}[{value}]");
        }
        for &(ident, value, meaning) in HOTSPOTS {
            assert_eq!(at_first_move(&format!("{ident}[{value}]")).hotspot, Some(meaning), "{ident}[{value}]");
        }
    }

    #[test]
    fn odd_values_are_read_as_the_normal_one_and_of_two_annotations_the_first() {
        for (node, meaning) in [
            ("B[ee]BM[]", MoveAnnotation::Bad),
            ("B[ee]BM[3]", MoveAnnotation::Bad),
            ("B[ee]BM[ 2 ]", MoveAnnotation::VeryBad),
            ("BM[1]W[ee]TE[2]", MoveAnnotation::Bad),
            ("W[ee]TE[2]BM[1]DO[]", MoveAnnotation::VeryGood),
            ("B[ee]DO[1]", MoveAnnotation::Doubtful),
            ("B[]IT[nonsense\\]]", MoveAnnotation::Interesting),
            ("Black[ee]TE[1][2]", MoveAnnotation::Good),
        ] {
            assert_eq!(at_first_move(node).on_move, Some(meaning), "{node}");
        }
        let both = at_first_move("GW[2]GB[1]HO[]");
        assert_eq!(both.on_position, Some(PositionAnnotation::VeryGoodForWhite));
        assert_eq!((both.on_move, both.hotspot), (None, Some(Hotspot::Normal)));
    }

    #[test]
    fn only_moves_have_annotations_of_moves() {
        assert_eq!(at_first_move("AB[ee]BM[1]"), Annotations::default());
        let tree = read_sgf("(;SZ[9]TE[春兰杯]B[ee])".as_bytes()).games.remove(0).tree;
        assert_eq!(tree.annotations_at(tree.root()), Annotations::default());
    }

    #[test]
    fn what_stays_is_not_written_anew() {
        let tree = read_sgf(b"(;SZ[9];B[ee]BM[3]TE[1]HO[1])").games.remove(0).tree;
        let node = tree.first_child(tree.root()).unwrap();
        let before = tree.annotations_at(node);
        assert!(tree.annotation_changes(node, before).is_empty());
        let wanted = Annotations { hotspot: None, ..before };
        assert_eq!(tree.annotation_changes(node, wanted), [("HO", None)]);
        let wanted = Annotations { hotspot: Some(Hotspot::Major), ..before };
        assert_eq!(tree.annotation_changes(node, wanted), [("HO", Some("2"))]);
        let wanted = Annotations { on_move: Some(MoveAnnotation::Doubtful), ..before };
        assert_eq!(tree.annotation_changes(node, wanted), [("TE", None), ("BM", None), ("DO", Some(""))]);
        let wanted = Annotations { on_move: Some(MoveAnnotation::Good), ..before };
        assert_eq!(tree.annotation_changes(node, wanted), [("TE", None), ("BM", None), ("TE", Some("1"))]);
    }

    #[test]
    fn a_name_is_one_line() {
        let tree = read_sgf(b"(;SZ[9]N[ a\nname\\] ];B[ee]N[])").games.remove(0).tree;
        assert_eq!(tree.node_name(tree.root()), "a name]");
        assert_eq!(tree.node_name(tree.first_child(tree.root()).unwrap()), "");
    }
}
