//! Whether two records say the same thing.

use crate::tree::{GameTree, NodeId, Property};

/// Properties that say how a record is written. `KTSF` and `KTSID` are numbers that KaTrain gives nodes anew at each save.
const FORM: [&str; 7] = ["AP", "CA", "FF", "GM", "KTSF", "KTSID", "KTV"];

/// Properties that say what an engine thought.
const EVALUATIONS: [&str; 9] = ["KA", "KT", "LZ", "LZ2", "LZOP", "LZOP2", "OGSC", "SBKS", "SBKV"];

impl GameTree {
    /// A number for what the record says: equal where moves, setup, marks, texts and variations are, however they are
    /// written down. The order of properties, white space, the character set and evaluations of engines do not count.
    ///
    /// FNV-1a with 64 bits, so that it can be kept: the same in every version of the program.
    ///
    /// ```
    /// use honinbo_record::read_sgf;
    /// let hash = |sgf: &[u8]| read_sgf(sgf).games[0].tree.content_hash();
    /// assert_eq!(hash(b"(;SZ[9]PB[a];B[ee])"), hash(b"( ;CA[UTF-8]PB[a]SZ[9]\n;B[ee]SBKV[50])"));
    /// assert_ne!(hash(b"(;SZ[9];B[ee];W[cc])"), hash(b"(;SZ[9](;B[ee])(;W[cc]))"));
    /// ```
    #[must_use]
    pub fn content_hash(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        for node in self.subtree(self.root()) {
            let mut properties: Vec<_> =
                self.properties(node).map(|one| (one.ident(), one)).filter(|(ident, _)| !is_ignored(ident)).collect();
            properties.sort_by(|(one, _), (other, _)| one.cmp(other));
            for (ident, property) in &properties {
                hash.text(ident);
                property.texts().for_each(|text| hash.text(&text));
                hash.end();
            }
            // With the number of children the order of the nodes gives the whole tree.
            self.children(node).for_each(|_| hash.byte(1));
            hash.end();
        }
        hash.0
    }

    /// Whether everything that another record says stands in this one too: its moves, setup, marks, texts, variations and
    /// evaluations. How the two are written down does not count.
    ///
    /// ```
    /// use honinbo_record::read_sgf;
    /// let tree = |sgf: &[u8]| read_sgf(sgf).games.remove(0).tree;
    /// let full = tree(b"(;SZ[9]PB[a](;B[ee]TR[cc][dd])(;B[gg]C[or here]))");
    /// assert!(full.contains(&tree(b"(;AP[x]PB[a]\n;B[ee]TR[dd])")) && full.contains(&tree(b"(;;B[gg])")));
    /// assert!(!full.contains(&tree(b"(;PB[b];B[ee])")) && !full.contains(&tree(b"(;SZ[9];B[ee];W[cc])")));
    /// ```
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let mut open = vec![(self.root(), other.root())];
        while let Some((own, theirs)) = open.pop() {
            if !self.has_all_of(own, other, theirs) {
                return false;
            }
            for child in other.children(theirs) {
                let Some(same) = self.children(own).find(|&node| self.plays_as(node, other, child)) else {
                    return false;
                };
                open.push((same, child));
            }
        }
        true
    }

    /// The values of each property of the other's node are values of the same one here.
    fn has_all_of(&self, own: NodeId, other: &Self, theirs: NodeId) -> bool {
        other.properties(theirs).filter(|property| !FORM.contains(&&*property.ident())).all(|property| {
            let ident = property.ident();
            let values = || self.properties(own).filter(|own| own.ident() == ident).flat_map(|own| own.texts());
            property.texts().all(|text| values().any(|value| value.trim() == text.trim()))
        })
    }

    /// Both nodes have the same moves, or none.
    fn plays_as(&self, own: NodeId, other: &Self, theirs: NodeId) -> bool {
        let is_move = |property: &Property<'_>| matches!(&*property.ident(), "B" | "W");
        let moves = |tree: &Self, node| -> Vec<(String, String)> {
            let moves = tree.properties(node).filter(is_move);
            moves.map(|one| (one.ident().into_owned(), one.texts().next().unwrap_or_default().into_owned())).collect()
        };
        moves(self, own) == moves(other, theirs)
    }
}

fn is_ignored(ident: &str) -> bool {
    FORM.contains(&ident) || EVALUATIONS.contains(&ident)
}

struct Fnv(u64);

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Bytes that no text has keep texts and lists apart.
    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
        self.byte(0xff);
    }

    fn end(&mut self) {
        self.byte(0xfe);
    }
}
