//! Writing SGF: what was read comes out as it came in, what was edited is escaped.

use crate::charset::{self, Charset};
use crate::tree::{GameTree, NodeId};

impl GameTree {
    /// The record as SGF text. For a tree that was read and not edited this is the text of the file.
    #[must_use]
    pub fn to_sgf(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + 16);
        self.write_sgf(&mut out);
        out
    }

    /// Appends the record to `out`.
    pub fn write_sgf(&self, out: &mut String) {
        // Open round brackets are found again on the way up, so depth costs no stack.
        let mut at = NodeId::ROOT;
        loop {
            self.write_node(at, out);
            if let Some(child) = self.first_child(at) {
                at = child;
                continue;
            }
            loop {
                if self.in_brackets(at) {
                    out.push_str(self.slice(self.nodes[at.index()].before_close));
                    out.push(')');
                }
                if at == NodeId::ROOT {
                    return;
                }
                if let Some(sibling) = self.next_sibling(at) {
                    at = sibling;
                    break;
                }
                let Some(parent) = self.parent(at) else { return };
                at = parent;
            }
        }
    }

    /// The record in the character set it came in; in UTF-8, with `CA` saying so, when an edit added characters
    /// which that set lacks, and instead of ISO-2022-JP.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let text = self.to_sgf();
        charset::encode(&text, self.charset).unwrap_or_else(|| self.in_utf8().to_sgf().into_bytes())
    }

    /// The same record with UTF-8 as its character set, named in `CA` when it was another one before, or when `CA` named
    /// another one wrongly. Invalid bytes mean nothing there and become U+FFFD, so that the text is read as it is shown.
    #[must_use]
    pub fn in_utf8(&self) -> Self {
        let mut tree = self.clone();
        let named = tree.text_value(NodeId::ROOT, "CA").and_then(|label| Charset::for_label(&label));
        if tree.charset != Charset::UTF_8 || named.is_some_and(|named| named != Charset::UTF_8) {
            tree.charset = Charset::UTF_8;
            tree.set_text(NodeId::ROOT, "CA", "UTF-8");
        }
        tree.replace_invalid_bytes();
        tree
    }

    fn in_brackets(&self, id: NodeId) -> bool {
        let node = &self.nodes[id.index()];
        node.bracketed || self.previous_sibling(id).is_some() || self.next_sibling(id).is_some() || id == NodeId::ROOT
    }

    fn write_node(&self, id: NodeId, out: &mut String) {
        let node = &self.nodes[id.index()];
        if self.in_brackets(id) {
            out.push_str(self.slice(node.before_open));
            out.push('(');
        }
        out.push_str(self.slice(node.before));
        out.push(';');
        let mut property = node.first_property;
        while let Some(data) = self.properties.get(property as usize) {
            out.push_str(self.slice(data.before));
            out.push_str(self.slice(data.ident));
            for value in self.value_range(data) {
                out.push_str(self.slice(value.before));
                out.push('[');
                out.push_str(self.slice(value.raw));
                out.push(']');
            }
            property = data.next;
        }
    }
}
