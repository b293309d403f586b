//! Whether two records say the same thing.

use crate::tree::GameTree;

/// Properties that say how a record is written, or what an engine thought, and nothing about the game. `KTSF` and `KTSID`
/// are numbers that KaTrain gives nodes anew at each save.
const NOT_CONTENT: [&str; 16] =
    ["AP", "CA", "FF", "GM", "KA", "KT", "KTSF", "KTSID", "KTV", "LZ", "LZ2", "LZOP", "LZOP2", "OGSC", "SBKS", "SBKV"];

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
}

fn is_ignored(ident: &str) -> bool {
    NOT_CONTENT.contains(&ident)
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
